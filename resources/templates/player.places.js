// ------------------------------------------------------------------ places of processes

scripts.places = class extends Piece {
  constructor(parts) {
    super(parts);
    const { extent, wide } = this.part;
    // Flags are outside the circle, and need room there.
    this.extent = run.pieces.flags ? extent.map((xy, i) => xy.map((v) => v + (2 * i - 1) * 0.08 * wide)) : extent;
  }
  fresh() { return { move: 0, last: new Map() }; }
  grow(s) {
    const places = this.part;
    for (; s.move < places.at.length && places.at[s.move] < now.k; s.move++) s.last.set(places.who[s.move], s.move);
  }
  /** Set the places of all processes; glides are slow at both ends. */
  move(m) {
    const places = this.part, { last } = this.state;
    places.process.forEach((p, i) => { m.x[p] = m.atX(places.firstX[i]); m.y[p] = m.atY(places.firstY[i]); });
    for (const [p, i] of last) {
      const walk = places.long, long = walk ? walk[i] : calm.matches ? 0 : places.glide;
      const gone = long > 0 ? clamp((t - places.time[i]) / long, 0, 1) : 1, part = walk ? gone : gone * gone * (3 - 2 * gone);
      m.x[p] = m.atX(places.fromX[i] + (places.toX[i] - places.fromX[i]) * part);
      m.y[p] = m.atY(places.fromY[i] + (places.toY[i] - places.fromY[i]) * part);
    }
    const key = [...last].join() + (places.long ? Math.round(4 * t) : "");
    if (key !== m.moved) { m.moved = key; m.places = null; m.chips = []; m.cards = null; }
  }
  /** The circle or the line, below everything else. */
  under(c, m) {
    const places = this.part;
    if (!places.track) return;
    const x = m.atX(places.x), y = m.atY(places.y), wide = places.wide * m.scale, tall = places.tall * m.scale, reach = clamp(m.d * 0.32, 5, 10);
    pen(c, theme.link.dim, 1.2);
    if (places.shape === "line") line(c, x - wide, y, x + wide, y);
    else { c.beginPath(); c.arc(x, y, wide, 0, 7); c.stroke(); }
    pen(c, theme.link.base, 1.2);
    if (places.shape === "line") line(c, x - wide, y - reach, x - wide, y + reach);
    else line(c, x, y - tall - reach, x, y - tall + reach);
  }
  /** The number of a process, or of the process with that name. */
  number(end) {
    if (typeof end === "number") return end;
    const places = this.part, { last } = this.state, p = names.indexOf(end);
    return last.has(p) ? places.number[last.get(p)] : places.firstNumber[places.process.indexOf(p)] ?? NaN;
  }
};
