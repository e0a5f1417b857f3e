// ------------------------------------------------------------------ tokens

function drawToken(c, x, y, size, slot, letter) {
  const look = stateLook(slot);
  disc(c, x, y, size / 2, look.fill); pen(c, theme.surface.canvas, Math.max(1.2, size * 0.1)); c.stroke();
  pen(c, look.label, Math.max(0.8, size * 0.06)); c.beginPath(); c.arc(x, y, size * 0.36, 0, 7); c.stroke();
  if (letter) text(c, letter, x, y, look.label, { px: Math.round(size * (letter.length < 2 ? 0.6 : 0.48)), weight: 600, align: "center" });
}
scripts.token = class extends Piece {
  /** Tokens at processes, then those on messages. */
  above(c, m) {
    if (!m.detailed) return;
    const taken = new Map(), size = Math.max(9, m.d * 0.46);
    for (const [index, there] of channelsOf("tokens")) {
      const { slot, letter } = this.parts[index];
      for (const p of onMap) if (there[p] >= 0) { const place = taken.get(p) ?? 0; taken.set(p, place + 1); drawToken(c, m.x[p] - m.d * 0.55 + place * size, m.y[p] - m.d * 0.55, size, slot, letter); }
    }
    for (const { slot, letter, rides } of this.parts) for (const { i, x, y } of network.heads) if (rides.includes(M.label[i])) drawToken(c, x, y, Math.max(size, m.head * 1.3), slot, letter);
  }
  sign(c, item, left, y, wide) {
    if (item.sort !== "token") return false;
    drawToken(c, left + wide / 2, y, 13, this.parts[item.number].slot, this.parts[item.number].letter);
    return true;
  }
};
