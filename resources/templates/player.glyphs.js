// ------------------------------------------------------------------ pictures inside processes

/** A picture inside a process: characters, or strokes M, L, Z with numbers from -1 to 1. */
function drawGlyph(c, x, y, half, drawing, ink) {
  if (drawing.length <= 2) return text(c, drawing, x, y, ink, { px: Math.round(half * 1.8), weight: 600, align: "center" });
  for (const stroke of drawing.split("M").slice(1)) {
    const at = (stroke.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    c.beginPath();
    for (let i = 0; i + 1 < at.length; i += 2) c.lineTo(x + at[i] * half, y + at[i + 1] * half);
    if (stroke.includes("Z")) { c.closePath(); c.fillStyle = ink; c.fill(); } else { pen(c, ink, Math.max(1.2, half * 0.22), [], "round"); c.stroke(); }
  }
}
scripts.glyph = class extends Piece {
  drawing(p) { return channelsOf("glyphs").map(([, codes]) => run.texts[codes[p]])[0] ?? ""; }
  fills(p) { return !!this.drawing(p); }
  inside(c, m, p, ink) {
    drawGlyph(c, m.x[p], m.y[p] - m.d * 0.12, m.d * 0.19, this.drawing(p), ink);
    text(c, names[p], m.x[p], m.y[p] + m.d * 0.225, ink, { px: Math.round(m.d * 0.2), weight: 600, align: "center" });
  }
  sign(c, item, left, y, wide) {
    if (item.sort !== "glyph") return false;
    drawGlyph(c, left + wide / 2, y, 6, this.parts[item.number].drawing, theme.text.primary);
    return true;
  }
};
