// ------------------------------------------------------------------ places, grid, chart and cards

/** What an animation puts where, and beside the network: the same as in the window. */
const pieces = {
  ...run.pieces,
  queues: run.pieces.queues?.map(unpacked),
  chart: run.pieces.chart && { ...run.pieces.chart, lines: run.pieces.chart.lines.map(unpacked) },
  under: (run.pieces.queues ?? []).reduce((sum, queue) => sum + 17 * (queue.style === "stack" ? queue.most : 1), 0),
  /** How much of the view the network has, and where the panels are. */
  room(w, h) {
    const { grid, chart } = this, room = { w, h }, aside = chart?.side === "beside";
    const gridWide = grid ? grid.share * w : 0, chartWide = gridWide || (chart?.share ?? 0) * w;
    if (grid && gridWide >= 200 && w - gridWide >= 260 && h >= 130) room.grid = { x: w - gridWide, y: 0, w: gridWide, h };
    if (aside) {
      const wide = room.grid ? gridWide : chart.share * w, high = room.grid ? 0.36 * h : h;
      if (wide >= 200 && w - wide >= 260 && high >= 92) { room.chart = { x: w - wide, y: h - high, w: wide, h: high }; if (room.grid) room.grid.h = h - high; }
    }
    if (room.grid || room.chart) room.w = w - (room.grid ?? room.chart).w;
    if (chart && !aside && chart.share * h >= 92 && h * (1 - chart.share) >= 190 && room.w >= 200) {
      room.h = h * (1 - chart.share); room.chart = { x: 0, y: room.h, w: room.w, h: chart.share * h };
    }
    return room;
  },
  /** Everything that has changed by now; after going back from the beginning. */
  state() {
    const s = now.pieces ??= { move: 0, last: new Map(), cell: 0, cells: new Map(), queues: (this.queues ?? []).map(() => ({ at: 0, cards: new Map() })) };
    const { places, grid } = this;
    if (places) for (; s.move < places.at.length && places.at[s.move] < now.k; s.move++) s.last.set(places.who[s.move], s.move);
    if (grid) for (; s.cell < grid.at.length && grid.at[s.cell] < now.k; s.cell++) s.cells.set(grid.row[s.cell] * grid.keys.length + grid.key[s.cell], grid.what[s.cell]);
    (this.queues ?? []).forEach((queue, i) => {
      const mine = s.queues[i];
      for (; mine.at < queue.at.length && queue.at[mine.at] < now.k; mine.at++) mine.cards.set(queue.process[mine.at], mine.at);
    });
    return s;
  },
  /** Put everybody where they are: glides are slow at both ends. */
  move(m) {
    const { places } = this;
    if (!places) return;
    const { last } = this.state();
    places.process.forEach((p, i) => { m.x[p] = m.atX(places.firstX[i]); m.y[p] = m.atY(places.firstY[i]); });
    for (const [p, i] of last) {
      const walk = places.long, long = walk ? walk[i] : calm.matches ? 0 : places.glide;
      const gone = long > 0 ? clamp((t - places.time[i]) / long, 0, 1) : 1, part = walk ? gone : gone * gone * (3 - 2 * gone);
      m.x[p] = m.atX(places.fromX[i] + (places.toX[i] - places.fromX[i]) * part);
      m.y[p] = m.atY(places.fromY[i] + (places.toY[i] - places.fromY[i]) * part);
    }
    const key = [...last].join() + (places.long ? Math.round(4 * t) : "");
    if (key !== m.moved) { m.moved = key; m.places = null; m.chips = []; m.cards = null; }
  },
  /** The circle or the line, under everything else. */
  below(c, m) {
    const { places } = this;
    if (!places?.track) return;
    const x = m.atX(places.x), y = m.atY(places.y), wide = places.wide * m.scale, tall = places.tall * m.scale, reach = clamp(m.d * 0.32, 5, 10);
    pen(c, theme.link.dim, 1.2);
    if (places.shape === "line") line(c, x - wide, y, x + wide, y);
    else { c.beginPath(); c.arc(x, y, wide, 0, 7); c.stroke(); }
    pen(c, theme.link.base, 1.2);
    if (places.shape === "line") line(c, x - wide, y - reach, x - wide, y + reach);
    else line(c, x, y - tall - reach, x, y - tall + reach);
  },
  /** Where the cards of each process have room: from the left, top of a box; nothing where they would hide others. */
  free(c, m) {
    const taken = nodeBoxes(m), found = new Map();
    if (m.legend.cells.length) taken.push(m.legend);
    for (const queue of this.queues)
      queue.wide ??= clamp(Array.from(new Set(Array.from(queue.text, (n) => JSON.parse(run.texts[n])[0]).flat()), (word) => wide(c, word, CAPTION)).reduce((a, b) => Math.max(a, b), 0) + 6, 13, 46);
    const w = Math.max(...this.queues.map((queue) => (queue.style === "stack" ? queue.wide : queue.most * (queue.wide + 2)))) + 16, h = this.under;
    const across = m.d * 0.62 + w / 2 + 3, down = m.d * 0.62 + h / 2 + 3;
    for (const p of onMap) {
      const boxes = [[0, down], [across, 0], [-across, 0], [0, -down], [across, down / 2], [-across, down / 2]].map(([x, y]) => ({ x: m.x[p] + x - w / 2, y: m.y[p] + y - h / 2, w, h }));
      const box = boxes.find((b) => b.x >= 2 && b.x + w <= m.w - 2 && b.y >= 2 && b.y + h <= m.h - 2 && taken.every((o) => b.x + w <= o.x || o.x + o.w <= b.x || b.y + h <= o.y || o.y + o.h <= b.y));
      if (box) { found.set(p, [box.x - m.x[p], box.y - m.y[p], w]); taken.push(box); }
    }
    return found;
  },
  boxes(c, m) {
    if (m.level !== "full" || !this.queues) return [];
    m.cards ??= this.free(c, m);
    return Array.from(m.cards, ([p, [dx, dy, w]]) => ({ x: m.x[p] + dx, y: m.y[p] + dy, w, h: this.under }));
  },
  /** Cards beside the processes. */
  cards(c, m) {
    if (!this.boxes(c, m).length) return;
    let top = 0;
    this.queues.forEach((queue, i) => {
      const mine = this.state().queues[i], read = (at) => JSON.parse(run.texts[queue.text[at]]), lasts = 0.6 * usualDelay;
      for (const [p, at] of mine.cards) {
        if (!m.cards.has(p)) continue;
        const [items, more, fresh, fallen] = read(at), seq = queue.at[at], stack = queue.style === "stack", w = queue.wide;
        const share = seq < 0 ? 1 : clamp((t - E.time[seq]) / lasts, 0, 1), [dx, dy, room] = m.cards.get(p);
        const left = m.x[p] + (Math.abs(dx + room / 2) < 1 ? -(stack ? w : items.length * (w + 2)) / 2 : dx);
        const place = (n) => [stack ? left : left + n * (w + 2), m.y[p] + dy + top + (stack ? n * 16 : 0)];
        items.forEach((word, n) => this.card(c, ...place(n), w, word, queue.slot, fresh[n] && share < 1 ? 1 - share : 0));
        if (more) { const [x, y] = place(items.length); text(c, `+${more}`, x, y + 7, theme.text.secondary, { px: CAPTION, weight: 600 }); }
        if (share < 1) {
          c.globalAlpha = 1 - share;
          fallen.forEach((word, n) => { const [x, y] = place(n); this.card(c, x + (stack ? 13 : 0), y + 12 + 13 * share, w, word, 7, 0, true); });
          c.globalAlpha = 1;
        }
      }
      top += queue.style === "stack" ? (queue.most + 1) * 16 : 17;
    });
  },
  card(c, x, y, w, word, slot, fresh, gone = false) {
    const look = stateLook(slot);
    card(c, x, y, w, 14, 2.5, gone ? theme.surface.canvas : look.fill, fresh > 0.4 ? theme.text.primary : look.outline, 1 + 1.4 * fresh);
    text(c, elided(c, word, w - 3, CAPTION), x + w / 2, y + 7, gone ? theme.text.primary : look.label, { px: CAPTION, align: "center" });
    if (gone) { pen(c, theme.fault.base, 1.4); line(c, x, y + 7, x + w, y + 7); }
  },
  sign(c, item, left, y) {
    if (item.sort !== "queue") return false;
    for (const n of [0, 1]) this.card(c, left + n * 13.5, y - 6, 11.5, "", this.queues[item.number].slot, 0);
    return true;
  },
  panels(c, w, h, room) {
    if (room.grid) this.matrix(c, room.grid);
    if (room.chart) this.curves(c, room.chart);
  },
  ground(c, box, top) {
    c.fillStyle = theme.surface.panel; c.fillRect(box.x, box.y, box.w, box.h);
    pen(c, theme.border.subtle, 1);
    if (top) line(c, box.x, box.y + 0.5, box.x + box.w, box.y + 0.5); else line(c, box.x + 0.5, box.y, box.x + 0.5, box.y + box.h);
  },
  /** The grid: rows are processes, columns keys, the newest right. */
  matrix(c, box) {
    const { grid } = this, { cells } = this.state(), n = grid.rows.length, seen = firstAfter(grid.first, now.k - 1), from = Math.max(0, seen - grid.most);
    const columns = Math.max(1, Math.min(grid.keys.length, grid.most)), head = Math.min(54, Math.max(0, ...grid.keys.map((key) => wide(c, key))) + 6);
    const gutter = Math.min(Math.max(...Array.from(grid.rows, (p) => wide(c, names[p]))) + 10, box.w * 0.3), x = box.x + 12 + gutter, y = box.y + 30 + head;
    const w = Math.min((box.x + box.w - 12 - x) / columns, 32), high = Math.min((box.y + box.h - 52 - y) / n, 28), gap = Math.min(w, high) < 5 ? 0 : 1.6;
    this.ground(c, box, false);
    text(c, elided(c, grid.title, box.w - 110, SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    if (from) text(c, `${from.toLocaleString("en")} older`, box.x + box.w - 12, box.y + 16, theme.text.hint, { align: "right" });
    const counts = grid.cells.map(() => 0), step = Math.max(1, Math.ceil(12 / w));
    for (let k = seen - 1; k >= from; k -= step) {
      c.save(); c.translate(x + (k - from + 0.5) * w, y - 4); c.rotate(-Math.PI / 2); text(c, elided(c, grid.keys[k], head - 4), 0, 0, theme.text.secondary); c.restore();
    }
    for (let row = 0; row < n; row++) {
      const p = grid.rows[row], top = y + row * high;
      if (p === chosen) { c.fillStyle = theme.accent.soft; c.fillRect(box.x + 4, top, box.w - 8, high); }
      if (high >= 9 || row % Math.ceil(12 / high) === 0) text(c, elided(c, names[p], gutter - 6), x - 6, top + high / 2, now.crashed[p] ? theme.fault.base : theme.text.primary, { align: "right" });
      for (let k = from; k < seen; k++) {
        const what = cells.get(row * grid.keys.length + k) ?? -1;
        if (what >= 0) counts[what]++;
        c.fillStyle = what < 0 ? mix(theme.surface.panel, theme.border.subtle, 0.45) : stateLook(grid.cells[what].slot).fill;
        c.fillRect(x + (k - from) * w + gap / 2, top + gap / 2, w - gap, high - gap);
      }
    }
    let left = box.x + 12, at = y + n * high + 18;
    grid.cells.forEach(({ slot, word }, what) => {
      const words = `${word} ${counts[what].toLocaleString("en")}`;
      if (left > box.x + 12 && left + 17 + wide(c, words) > box.x + box.w - 8) { left = box.x + 12; at += 18; }
      c.fillStyle = stateLook(slot).fill; c.fillRect(left, at - 5, 11, 11);
      text(c, words, left + 17, at, theme.text.secondary); left += 17 + wide(c, words) + 16;
    });
  },
  /** The chart: what is to come is pale, the moment a red line. */
  curves(c, box) {
    const { chart } = this, { low, high } = chart, share = (v) => clamp((v - low) / (high - low), 0, 1);
    const told = (v) => (isFinite(v) ? (Number.isInteger(v) ? v.toLocaleString("en") : Number(v.toPrecision(3)).toString()) : "");
    const levels = (count) => { const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find((f) => f * power >= raw * (1 - 1e-9)) * power; return Array.from({ length: Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1 }, (_, i) => (Math.ceil(low / step - 1e-9) + i) * step); };
    const numbers = levels(clamp(Math.floor((box.h - 60) / 26), 2, 6)), gutter = Math.max(...numbers.map((v) => wide(c, told(v)))) + 20;
    const plot = { x: box.x + gutter, y: box.y + 32, w: box.w - gutter - 14, h: box.h - 56 }, atX = (time) => plot.x + plot.w * clamp(END > 0 ? time / END : 0, 0, 1), atY = (v) => plot.y + plot.h * (1 - share(v));
    const value = ({ times, values }) => values[Math.max(firstAfter(times, t) - 1, 0)];
    this.ground(c, box, chart.side === "below");
    text(c, chart.title || chart.axis, box.x + 12, box.y + 15, theme.text.primary, { weight: 600 });
    for (const v of numbers) { pen(c, theme.surface.grid, 1); line(c, plot.x, atY(v), plot.x + plot.w, atY(v)); text(c, told(v), plot.x - 6, atY(v), theme.text.secondary, { align: "right" }); }
    pen(c, theme.border.control, 1); line(c, plot.x, plot.y + plot.h, plot.x + plot.w, plot.y + plot.h);
    text(c, "0", plot.x, plot.y + plot.h + 12, theme.text.secondary, { align: "center" });
    text(c, `time ${told(Number(END.toPrecision(3)))}`, plot.x + plot.w, plot.y + plot.h + 12, theme.text.secondary, { align: "right" });
    for (const time of chart.faults) {
      const x = atX(time), y = plot.y + plot.h - 1;
      c.beginPath(); c.moveTo(x, y); c.lineTo(x - 3.5, y - 7); c.lineTo(x + 3.5, y - 7); c.closePath(); c.fillStyle = theme.fault.base; c.fill();
    }
    for (const time of chart.bounds) if (time <= END) { pen(c, theme.text.secondary, 1.2, [4, 3]); line(c, atX(time), plot.y - 3, atX(time), plot.y + plot.h); }
    const draw = (from, to, alpha) => {
      c.save(); c.globalAlpha = alpha; c.beginPath(); c.rect(from, plot.y - 4, to - from, plot.h + 8); c.clip();
      chart.lines.forEach(({ times, values }, i) => {
        pen(c, messageLook(i).color, 1.8, dashOf(i)); c.beginPath();
        for (let k = 0; k < times.length; k++) if (isFinite(values[k])) {
          const x = atX(times[k]), y = atY(values[k]);
          if (k && isFinite(values[k - 1])) c.lineTo(x, y); else c.moveTo(x, y);
          c.lineTo(k + 1 < times.length ? atX(times[k + 1]) : plot.x + plot.w, y);
        }
        c.stroke();
      });
      c.restore();
    };
    draw(plot.x - 2, atX(t), 1); draw(atX(t), plot.x + plot.w + 2, 0.3);
    let right = box.x + box.w - 14;
    [...chart.lines.entries()].reverse().forEach(([i, curve]) => {
      const words = `${curve.word} ${told(value(curve))}`.trim(), left = right - wide(c, words) - 26;
      if (left < box.x + 24 + wide(c, chart.title || chart.axis, SMALL, 600)) return;
      pen(c, messageLook(i).color, 2, dashOf(i)); line(c, left, box.y + 15, left + 20, box.y + 15);
      text(c, words, left + 26, box.y + 15, theme.text.secondary); right = left - 16;
    });
    pen(c, theme.playhead, 1.4); line(c, atX(t), plot.y - 3, atX(t), plot.y + plot.h + 3);
    chart.lines.forEach((curve, i) => { if (isFinite(value(curve))) disc(c, atX(t), atY(value(curve)), 3.2, messageLook(i).color); });
  },
};
