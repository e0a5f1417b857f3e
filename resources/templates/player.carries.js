// ------------------------------------------------------------------ what messages carry

const CHIP_LISTED = 14;
const chipFont = (h, letter) => Math.max(9, Math.round(h * [0.7, 0.62, 0.56][Math.min(letter.length, 3) - 1]));
const chipHalf = (c, letter, h) => Math.max(h, wide(c, letter, chipFont(h, letter), 600) + 0.5 * h);
/** The width and height of the sign of a value. */
function chipSize(c, sign, h) {
  const edge = sign.false ? 0.34 * h : 0;
  return [chipHalf(c, sign.letter, h) + (sign.trueLetter ? chipHalf(c, sign.trueLetter, h) : 0) + edge, h + edge];
}
/** A letter on its colour; of a lie, what is said is full and what is true is outlined. */
function drawChip(c, x, y, h, sign, opacity = 1) {
  const [w, tall] = chipSize(c, sign, h), edge = (tall - h) / 2, r = h * 0.24, ground = theme.surface.canvas, color = messageLook(sign.colour).color;
  const left = x - w / 2 + edge, top = y - h / 2, ink = opacity < 1 ? theme.text.primary : ground, full = c.globalAlpha;
  card(c, x - w / 2, y - tall / 2, w, tall, r + edge, ground, ground, 2.4);
  c.globalAlpha = full * opacity;
  if (sign.false) {
    const thick = Math.max(1.2, h * 0.09);
    pen(c, theme.fault.base, thick, [2.6 * thick, 1.6 * thick]); c.beginPath(); c.roundRect(x - w / 2, y - tall / 2, w, tall, r + edge); c.stroke(); c.setLineDash([]);
  }
  const half = chipHalf(c, sign.letter, h), write = (letter, middle, color) => { c.globalAlpha = full; text(c, letter, middle, y, color, { px: chipFont(h, letter), weight: 600, align: "center" }); c.globalAlpha = full * opacity; };
  if (!sign.trueLetter) { card(c, left, top, w - 2 * edge, h, r, color); write(sign.letter, x, ink); c.globalAlpha = full; return; }
  const middle = left + half, lean = 0.1 * h, thin = Math.max(1, h * 0.09), right = left + w - 2 * edge, low = top + h, true_ = messageLook(sign.trueColour).color;
  const side = (end, at, by) => {
    c.beginPath(); c.moveTo(at + lean, top + by); c.lineTo(end + Math.sign(at - end) * r, top + by); c.quadraticCurveTo(end, top + by, end, top + by + r);
    c.lineTo(end, low - by - r); c.quadraticCurveTo(end, low - by, end + Math.sign(at - end) * r, low - by); c.lineTo(at - lean, low - by); c.closePath();
  };
  side(left, middle - thin / 2, 0); c.fillStyle = color; c.fill();
  side(right - thin / 2, middle + thin, thin / 2); pen(c, true_, thin); c.stroke();
  write(sign.letter, left + (half - lean / 2) / 2, ink); write(sign.trueLetter, (middle + right + lean / 2) / 2, true_);
  c.globalAlpha = full;
}
scripts.carries = class extends Piece {
  constructor(parts) {
    super(parts);
    const { message, seq, sign } = this.part.changes;
    this.changed = new Map();
    message.forEach((id, at) => this.changed.set(id, [...(this.changed.get(id) ?? []), [seq[at], sign[at]]]));
  }
  /** What message i carries after the first k events. */
  of(i, k) {
    const last = this.changed.get(M.id[i])?.filter(([seq]) => seq < k).at(-1);
    return this.part.signs[last ? last[1] : this.part.said[M.id[i]]];
  }
  /** The last value that was received on each lane on which nothing is in transit; the last 2,000 events are searched. */
  staying() {
    const busy = new Set(network.heads?.map(({ i }) => M.source[i] * N + M.target[i])), found = new Map();
    if (N <= 60 && this.part.signs.some((sign) => sign.stays))
      for (let e = now.k - 1; e >= Math.max(0, now.k - 2000); e--) {
        const i = E.kind[e] === KIND.receive ? messageOf.get(E.message[e]) : undefined;
        if (i === undefined || M.source[i] === M.target[i]) continue;
        const sign = this.of(i, now.k), lane = M.source[i] * N + M.target[i];
        if (sign?.stays && !found.has(lane)) found.set(lane, [i, sign]);
      }
    return [...found].filter(([lane]) => !busy.has(lane)).map(([, one]) => one);
  }
  size(m) { return Math.min(Math.max(m.head * 1.5, 0.46 * m.d), 2 * m.head); }
  said(c, m) {
    if (m.level !== "full") return;
    for (const [i, sign] of this.staying()) {
      const { x1, y1, x2, y2, u, v } = way(m, M.source[i], M.target[i]), color = messageLook(sign.colour).color, size = 0.8 * m.head;
      if (![x1, y1, x2, y2].every(isFinite)) continue;
      c.globalAlpha = 0.5; pen(c, color, looks.line.messageTrail * 0.7); line(c, x1, y1, x2, y2);
      c.beginPath(); c.moveTo(x2 + u * size * 0.4, y2 + v * size * 0.4);
      for (const s of [0.45, -0.45]) c.lineTo(x2 - u * size * 0.6 - v * size * s, y2 - v * size * 0.6 + u * size * s);
      c.closePath(); c.fillStyle = color; c.fill(); c.globalAlpha = 1;
      drawChip(c, x1 + (x2 - x1) * 0.42, y1 + (y2 - y1) * 0.42, this.size(m) * 0.9, sign, 0.5);
    }
  }
  rings(c, m) {
    if (m.level !== "full" || network.heads.length > 250) return;
    for (const { i, x, y, u, v } of network.heads) {
      const sign = this.of(i, now.k);
      if (!sign) continue;
      const [w, h] = chipSize(c, sign, this.size(m)), back = Math.min(w / 2 / Math.max(Math.abs(u), 1e-6), h / 2 / Math.max(Math.abs(v), 1e-6)) + m.head * 0.45;
      drawChip(c, x - u * back, y - v * back, this.size(m), sign);
    }
  }
  sign(c, item, left, y, width) {
    if (item.sort !== "carries" && item.sort !== "lie") return false;
    drawChip(c, left + width / 2, y, CHIP_LISTED, item.look);
    return true;
  }
};
