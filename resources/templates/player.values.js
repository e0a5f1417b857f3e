// ------------------------------------------------------------------ values

const scaleColor = (share) => mix(theme.surface.canvas, theme.chain.past, 0.18 + 0.82 * share);
scripts.value = class extends Piece {
  share(index, code) {
    const { low, high } = this.parts[index];
    return clamp((run.numbers[code] - low) / (high - low), 0, 1);
  }
  ink(index, code) { return this.parts[index].style === "tint" ? tintOf(Math.trunc(run.numbers[code])).ink : scaleColor(this.share(index, code)); }
  /** Rings in the colour of a scale, or in tints. */
  rings(c, m) {
    for (const [index, codes] of channelsOf("values")) {
      if (!["colour", "tint"].includes(this.parts[index].style)) continue;
      for (const p of onMap) if (codes[p] >= 0) { const wide = Math.max(2.5, m.d * 0.12); pen(c, this.ink(index, codes[p]), wide); c.beginPath(); c.arc(m.x[p], m.y[p], m.d * 0.64 + wide / 2, 0, 7); c.stroke(); }
    }
  }
  /** Bars at processes. */
  beside(c, m) {
    let column = 0;
    for (const [index, codes] of channelsOf("values")) {
      if (this.parts[index].style !== "bar") continue;
      const w = Math.max(5, m.d * 0.2) - 1.5, x = m.d * 0.5 + 3 + column++ * (w + 1.5);
      for (const p of onMap) if (codes[p] >= 0) {
        const high = m.d * this.share(index, codes[p]), left = m.x[p] + x, top = m.y[p] - m.d / 2;
        c.fillStyle = theme.surface.canvas; c.fillRect(left, top, w, m.d);
        c.fillStyle = theme.chain.future; c.fillRect(left, top + m.d - high, w, high);
        pen(c, theme.border.strong, 1); c.strokeRect(left, top, w, m.d);
      }
    }
  }
  sign(c, item, left, y, wide) {
    if (item.sort !== "value") return false;
    const x = left + wide / 2;
    if (this.parts[item.number].style === "bar") { c.fillStyle = theme.chain.future; c.fillRect(x - 3, y - 1, 6, 7); pen(c, theme.border.strong, 1); c.strokeRect(x - 3, y - 6, 6, 12); }
    else if (this.parts[item.number].style === "tint") for (let i = 0; i < 4; i++) { pen(c, tintOf(i + 1).ink, 2.5); c.beginPath(); c.arc(left + (i + 0.5) * wide / 4, y, 3.2, 0, 7); c.stroke(); }
    else for (let i = 0; i < 5; i++) { c.fillStyle = scaleColor(i / 4); c.fillRect(left + i * wide / 5, y - 4, wide / 5, 8); }
    return true;
  }
};
