// ------------------------------------------------------------------ groups

/** The corners of the convex hull. */
function hull(points) {
  const ordered = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (rows) => {
    const chain = [];
    for (const q of rows) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(q);
    }
    return chain.slice(0, -1);
  };
  return ordered.length < 3 ? ordered : [...half(ordered), ...half(ordered.reverse())];
}
const groupColor = (place) => messageLook(place).color;
scripts.group = class extends Piece {
  /** Areas round processes of equal value. */
  areas(c, m) {
    for (const [, codes] of channelsOf("groups")) {
      const names = [...new Set(codes)].filter(Boolean).sort((a, b) => run.texts[a].length - run.texts[b].length || (run.texts[a] < run.texts[b] ? -1 : 1));
      names.forEach((name, place) => {
        const corners = hull(onMap.filter((p) => codes[p] === name).map((p) => [m.x[p], m.y[p]])), air = m.d / 2 + 9;
        if (!corners.length) return;
        c.beginPath(); corners.forEach((at) => c.lineTo(...at)); c.lineTo(corners[0][0] + 0.01, corners[0][1]); c.closePath();
        c.fillStyle = mix(theme.surface.canvas, groupColor(place), 0.16);
        c.fill(); pen(c, c.fillStyle, 2 * air, [], "round"); c.stroke();
      });
    }
  }
  sign(c, item, left, y, wide) {
    if (item.sort !== "group") return false;
    c.globalAlpha = 0.3; disc(c, left + wide / 2, y, 6, groupColor(0)); c.globalAlpha = 1;
    return true;
  }
};
