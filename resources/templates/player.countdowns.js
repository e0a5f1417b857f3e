// ------------------------------------------------------------------ timers as pies

scripts.countdown = class extends Piece {
  /** The remaining share of the running timer of a process that expires first. */
  left(p) {
    const { process, begin, end, rings } = this.part;
    this.timers ??= Array.from(process, (q, i) => [q, i]).reduce((all, [q, i]) => all.set(q, [...(all.get(q) ?? []), i]), new Map());
    const running = (this.timers.get(p) ?? []).filter((i) => begin[i] <= t && t < end[i] && begin[i] < rings[i]);
    const first = running.reduce((best, i) => (best < 0 || rings[i] < rings[best] ? i : best), -1);
    return first < 0 ? NaN : (rings[first] - t) / (rings[first] - begin[first]);
  }
  /** Timers as pies at the lower left of their processes. */
  over(c, m) {
    if (!m.detailed) return;
    for (const p of onMap) {
      const left = this.left(p);
      if (isFinite(left) && !now.crashed[p]) this.pie(c, m.x[p] - m.d * 0.52, m.y[p] + m.d * 0.52, Math.max(5, m.d * 0.2), left);
    }
  }
  pie(c, x, y, r, share) {
    disc(c, x, y, r, theme.surface.canvas); pen(c, theme.text.secondary, 1.2); c.stroke();
    c.beginPath(); c.moveTo(x, y); c.arc(x, y, r - 1.6, -Math.PI / 2 - 2 * Math.PI * share, -Math.PI / 2); c.closePath(); c.fillStyle = theme.text.secondary; c.fill();
  }
  sign(c, item, left, y) {
    if (item.sort !== "countdown") return false;
    this.pie(c, left + 7.5, y, 5.5, 0.65);
    return true;
  }
};
