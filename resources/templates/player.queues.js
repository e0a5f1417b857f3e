// ------------------------------------------------------------------ queues: cards beside the processes

scripts.queue = class extends Piece {
  constructor(parts) {
    super(parts);
    this.high = parts.reduce((sum, queue) => sum + 17 * (queue.style === "stack" ? queue.most : 1), 0);
  }
  fresh() { return this.parts.map(() => ({ at: 0, cards: new Map() })); }
  grow(s) {
    this.parts.forEach((queue, i) => {
      for (; s[i].at < queue.at.length && queue.at[s[i].at] < now.k; s[i].at++) s[i].cards.set(queue.process[s[i].at], s[i].at);
    });
  }
  /** The left and top of a box for the cards of each process; nothing if they would hide others. */
  free(c, m) {
    const taken = nodeBoxes(m), found = new Map();
    if (m.legend.cells.length) taken.push(m.legend);
    for (const queue of this.parts)
      queue.wide ??= clamp(Array.from(new Set(Array.from(queue.text, (n) => JSON.parse(run.texts[n])[0]).flat()), (word) => wide(c, word, CAPTION)).reduce((a, b) => Math.max(a, b), 0) + 6, 13, 46);
    const w = Math.max(...this.parts.map((queue) => (queue.style === "stack" ? queue.wide : queue.most * (queue.wide + 2)))) + 16, h = this.high;
    const across = m.d * 0.62 + w / 2 + 3, down = m.d * 0.62 + h / 2 + 3;
    for (const p of onMap) {
      const boxes = [[0, down], [across, 0], [-across, 0], [0, -down], [across, down / 2], [-across, down / 2]].map(([x, y]) => ({ x: m.x[p] + x - w / 2, y: m.y[p] + y - h / 2, w, h }));
      const box = boxes.find((b) => b.x >= 2 && b.x + w <= m.w - 2 && b.y >= 2 && b.y + h <= m.h - 2 && taken.every((o) => b.x + w <= o.x || o.x + o.w <= b.x || b.y + h <= o.y || o.y + o.h <= b.y));
      if (box) { found.set(p, [box.x - m.x[p], box.y - m.y[p], w]); taken.push(box); }
    }
    return found;
  }
  boxes(c, m) {
    if (m.level !== "full") return [];
    m.cards ??= this.free(c, m);
    return Array.from(m.cards, ([p, [dx, dy, w]]) => ({ x: m.x[p] + dx, y: m.y[p] + dy, w, h: this.high }));
  }
  /** Cards beside the processes. */
  over(c, m) {
    if (!this.boxes(c, m).length) return;
    let top = 0;
    this.parts.forEach((queue, i) => {
      const mine = this.state[i], read = (at) => JSON.parse(run.texts[queue.text[at]]), lasts = 0.6 * usualDelay;
      for (const [p, at] of mine.cards) {
        if (!m.cards.has(p)) continue;
        const [items, more, fresh, fallen, kept] = read(at), seq = queue.at[at], stack = queue.style === "stack", w = queue.wide;
        const share = seq < 0 ? 1 : clamp((t - E.time[seq]) / lasts, 0, 1), [dx, dy, room] = m.cards.get(p);
        const left = m.x[p] + (Math.abs(dx + room / 2) < 1 ? -(stack ? w : items.length * (w + 2)) / 2 : dx);
        const place = (n) => [stack ? left : left + n * (w + 2), m.y[p] + dy + top + (stack ? n * 16 : 0)];
        items.forEach((word, n) => this.card(c, ...place(n), w, word, queue.slot, fresh[n] && share < 1 ? 1 - share : 0));
        if (more) { const [x, y] = place(items.length); text(c, `+${more}`, x, y + 7, theme.text.secondary, { px: CAPTION, weight: 600 }); }
        if (share < 1) {
          c.globalAlpha = 1 - share;
          fallen.forEach((word, n) => { const [x, y] = place(n); this.card(c, x + (stack ? 13 : 0), y + 12 + 13 * share, w, word, kept[n] ? queue.into : 7, kept[n] ? 1 : 0, !kept[n]); });
          c.globalAlpha = 1;
        }
      }
      top += queue.style === "stack" ? (queue.most + 1) * 16 : 17;
    });
  }
  card(c, x, y, w, word, slot, fresh, gone = false) {
    const look = stateLook(slot);
    card(c, x, y, w, 14, 2.5, gone ? theme.surface.canvas : look.fill, fresh > 0.4 ? theme.text.primary : look.outline, 1 + 1.4 * fresh);
    text(c, elided(c, word, w - 3, CAPTION), x + w / 2, y + 7, gone ? theme.text.primary : look.label, { px: CAPTION, align: "center" });
    if (gone) { pen(c, theme.fault.base, 1.4); line(c, x, y + 7, x + w, y + 7); }
  }
  sign(c, item, left, y) {
    if (item.sort !== "queue") return false;
    for (const n of [0, 1]) this.card(c, left + n * 13.5, y - 6, 11.5, "", this.parts[item.number].slot, 0);
    return true;
  }
};
