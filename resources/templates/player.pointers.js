// ------------------------------------------------------------------ pointers

/** A pointer: a waiting band with chevrons, what is left of one, a tree link, an arrow. */
function drawBand(c, style, x1, y1, x2, y2, { longest = false, short = false, inset = 0 } = {}) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (style === "arrow") return drawArrow(c, theme.border.strong, x1, y1, x2, y2, looks.line.treeEdge * 0.7, inset);
  if (style === "arc") return drawArc(c, theme.border.strong, 1.8, [], x1, y1 + 3, x2, y2 + 3, inset, -0.3);
  if (style === "ring") { pen(c, theme.chain.future, looks.line.treeEdge); line(c, x1, y1, x2, y2); return drawMiddleHead(c, theme.chain.future, x1, y1, x2, y2, short ? 9 : 4 * looks.line.treeEdge); }
  let width = style === "waiting" ? looks.line.waitingChain : looks.line.treeEdge;
  if (longest && !short) width *= 1.5;
  pen(c, style === "tree" ? stateLook(3).outline : theme.chain.waiting, width); line(c, x1, y1, x2, y2);
  if (style !== "waiting" || length < 4 * width) return;
  const pitch = width * (short ? 1.15 : 1.7), size = width * 0.3;
  c.save(); c.translate((x1 + x2) / 2, (y1 + y2) / 2); c.rotate(Math.atan2(y2 - y1, x2 - x1)); c.beginPath();
  for (const step of [-1, 0, 1]) { const x = step * pitch + size * 0.5; c.moveTo(x - size, -size); c.lineTo(x, 0); c.lineTo(x - size, size); }
  pen(c, theme.surface.canvas, Math.max(1.1, width * 0.2)); c.lineJoin = "miter"; c.stroke(); c.restore();
}
/** Which lines of a waiting pointer are on the longest chain; cycles do not count. */
function longestChain(points) {
  const UNKNOWN = -1, WALKED = -2, CYCLE = -3, lengths = new Int32Array(N).fill(UNKNOWN), trail = [], chain = new Set();
  let far = -1;
  for (let p = 0; p < N; p++) {
    let q = p;
    for (trail.length = 0; q >= 0 && lengths[q] === UNKNOWN; q = points[q]) { lengths[q] = WALKED; trail.push(q); }
    let length = q < 0 ? -1 : lengths[q] === WALKED ? CYCLE : lengths[q];
    while (trail.length) { if (length !== CYCLE) length++; lengths[trail.pop()] = length; }
  }
  for (let p = 0; p < N; p++) if (lengths[p] > 0 && (far < 0 || lengths[p] > lengths[far])) far = p;
  for (let p = far; p >= 0 && points[p] >= 0; p = points[p]) chain.add(p);
  return chain;
}
scripts.pointer = class extends Piece {
  /** All pointers, with waiting chains above the others. */
  arrows(c, m) {
    const order = channelsOf("pointers").map(([i, points]) => [this.parts[i], points]).sort(([a], [b]) => (a.style === "waiting") - (b.style === "waiting"));
    for (const [{ style, backwards, selected }, points] of order) {
      const chain = style === "waiting" ? longestChain(points) : new Set();
      for (const longest of [false, true]) {
        pen(c, { tree: stateLook(3).outline, arrow: theme.border.strong, arc: theme.border.strong, ring: theme.chain.future }[style] ?? theme.chain.waiting, longest ? 3 : style === "waiting" ? 2.2 : 1.2);
        c.beginPath();
        for (let p = 0; p < N; p++) {
          if (points[p] < 0 || chain.has(p) !== longest || (selected && p !== chosen) || (now.crashed[p] && !m.detailed)) continue;
          c.globalAlpha = paleOf(p);
          const [a, b] = backwards ? [points[p], p] : [p, points[p]];
          const apart = !linkOf.has(Math.min(a, b) * N + Math.max(a, b));
          if (m.detailed && (style === "arc" || (style === "arrow" && apart))) drawArc(c, theme.border.strong, looks.line.treeEdge * 0.6, [], m.x[a], m.y[a], m.x[b], m.y[b], m.rim);
          else if (m.detailed) drawBand(c, style, m.x[a], m.y[a], m.x[b], m.y[b], { longest, inset: m.rim });
          else { c.moveTo(m.x[a], m.y[a]); c.lineTo(m.x[b], m.y[b]); }
        }
        if (!m.detailed) c.stroke();
      }
    }
    c.globalAlpha = 1;
  }
  sign(c, item, left, y, wide) {
    if (item.sort !== "pointer") return false;
    drawBand(c, this.parts[item.number].style, left, y, left + wide, y, { short: true });
    return true;
  }
};
