// ------------------------------------------------------------------ the wall between the two sides of a partition

scripts.wall = class extends Piece {
  /** The processes of the two sides if the links that are cut leave exactly two parts, else null. */
  sides() {
    const top = onMap.map((_, i) => i), place = new Map(onMap.map((p, i) => [p, i]));
    const root = (i) => { while (top[i] !== i) i = top[i] = top[top[i]]; return i; };
    let cuts = 0;
    for (let i = 0; i < L.a.length; i++) {
      const a = place.get(L.a[i]), b = place.get(L.b[i]);
      if (now.down[i] === 3) cuts++; else if (a !== undefined && b !== undefined) top[Math.max(root(a), root(b))] = Math.min(root(a), root(b));
    }
    const roots = new Set(top.map((_, i) => root(i)));
    return cuts && roots.size === 2 ? [...roots].map((r) => onMap.filter((_, i) => root(i) === r)) : null;
  }
  /** The widest straight gap: the unit normal and the middle along it; null if no line passes between the sides. */
  gap(m, here, there) {
    const at = (p) => [m.x[p], m.y[p]], ways = [];
    for (const a of here) for (const b of there) ways.push([m.x[b] - m.x[a], m.y[b] - m.y[a]]);
    for (const side of [here, there]) for (const a of side) for (const b of side) ways.push([m.y[a] - m.y[b], m.x[b] - m.x[a]]);
    let best = null;
    for (const [u, v] of ways) {
      const l = Math.hypot(u, v);
      if (l < 1e-9) continue;
      const along = (p) => (at(p)[0] * u + at(p)[1] * v) / l, low = Math.max(...here.map(along)), high = Math.min(...there.map(along));
      if (high - low > (best?.width ?? 1e-6)) best = { width: high - low, middle: (low + high) / 2, u: u / l, v: v / l };
    }
    return best;
  }
  under(c, m) {
    const sides = this.sides(), gap = sides && this.gap(m, ...sides);
    if (!gap) return;
    const { u, v, middle, width } = gap, reach = onMap.map((p) => m.y[p] * u - m.x[p] * v), ends = [Math.min(...reach) - 34, Math.max(...reach) + 34];
    const [x1, y1, x2, y2] = ends.flatMap((end) => [u * middle - v * end, v * middle + u * end]);
    pen(c, theme.fault.soft, clamp(width - 1.3 * m.d, 6, 22), [], "round"); line(c, x1, y1, x2, y2);
    pen(c, theme.fault.base, 2, [6, 5]); line(c, x1, y1, x2, y2); c.setLineDash([]);
  }
  sign(c, item, left, y, wide) {
    if (item.sort !== "wall") return false;
    pen(c, theme.fault.base, 1.6, [4.8, 3.2]); line(c, left + wide / 2, y - 7, left + wide / 2, y + 7); c.setLineDash([]);
    return true;
  }
};
