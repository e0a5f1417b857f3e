// ------------------------------------------------------------------ panels beside the network: grid, tree, charts, bars

Object.assign(pieces, {
  /** How much of the view the network has, and where the panels are; the last ones go first where there is no room. */
  room(w, h) {
    const { grid, tree, charts } = this, room = { w, h, charts: charts.map(() => null) };
    const column = charts.map((chart, i) => ({ i, share: chart.share, high: 0.5625, least: 92, aside: chart.side === "beside" })).filter((one) => one.aside);
    if (tree) column.unshift({ i: "tree", share: tree.share, high: 1, least: 130 });
    if (grid) column.unshift({ i: "grid", share: grid.share, high: 1, least: 130 });
    for (; column.length; column.pop()) {
      const panels = column.filter((one) => !one.aside), wide = w * Math.max(...(panels.length ? panels : column).map((one) => one.share));
      const unit = h / column.reduce((sum, one) => sum + one.high, 0);
      if (wide < 200 || w - wide < 260 || column.some((one) => unit * one.high < one.least)) continue;
      let y = 0;
      for (const { i, high, aside } of column) { const box = { x: w - wide, y, w: wide, h: unit * high }; if (aside) room.charts[i] = box; else room[i] = box; y += box.h; }
      room.w = w - wide;
      break;
    }
    const below = charts.map((_, i) => i).filter((i) => charts[i].side === "below").slice(0, Math.floor(room.w / 200));
    const high = h * Math.max(0, ...below.map((i) => charts[i].share));
    if (below.length && high >= 92 && h - high >= 190) {
      room.h = h - high;
      below.forEach((i, place) => { const wide = room.w / below.length; room.charts[i] = { x: place * wide, y: room.h, w: wide, h: high }; });
    }
    return room;
  },
  panels(c, w, h, room) {
    if (room.grid) this.matrix(c, room.grid);
    if (room.tree) this.branches(c, room.tree);
    room.charts.forEach((box, i) => box && (this.charts[i].bars ? this.columns(c, box, this.charts[i]) : this.curves(c, box, this.charts[i])));
  },
  ground(c, box) {
    c.fillStyle = theme.surface.panel; c.fillRect(box.x, box.y, box.w, box.h);
    pen(c, theme.border.subtle, 1);
    if (box.y > 1) line(c, box.x, box.y + 0.5, box.x + box.w, box.y + 0.5);
    if (box.x > 1) line(c, box.x + 0.5, box.y, box.x + 0.5, box.y + box.h);
  },
  /** The grid: rows are processes, columns keys, the newest right. */
  matrix(c, box) {
    const { grid } = this, { cells } = this.state(), n = grid.rows.length, seen = firstAfter(grid.first, now.k - 1), from = Math.max(0, seen - grid.most);
    const columns = Math.max(1, Math.min(grid.keys.length, grid.most)), head = Math.min(54, Math.max(0, ...grid.keys.map((key) => wide(c, key))) + 6);
    const gutter = Math.min(Math.max(...Array.from(grid.rows, (p) => wide(c, names[p]))) + 10, box.w * 0.3), x = box.x + 12 + gutter, y = box.y + 30 + head;
    const w = Math.min((box.x + box.w - 12 - x) / columns, 32), high = Math.min((box.y + box.h - 52 - y) / n, 28), gap = Math.min(w, high) < 5 ? 0 : 1.6;
    this.ground(c, box);
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
        this.cell(c, grid.cells[what], x + (k - from) * w + gap / 2, top + gap / 2, w - gap, high - gap);
      }
    }
    let left = box.x + 12, at = y + n * high + 18;
    grid.cells.forEach((cell, what) => {
      const words = `${cell.word} ${counts[what].toLocaleString("en")}`;
      if (left > box.x + 12 && left + 17 + wide(c, words) > box.x + box.w - 8) { left = box.x + 12; at += 18; }
      this.cell(c, cell, left, at - 5, 11, 11);
      text(c, words, left + 17, at, theme.text.secondary); left += 17 + wide(c, words) + 16;
    });
  },
  /** The chart: what is to come is pale, the moment a red line. */
  curves(c, box, chart) {
    const { low, high } = chart, share = (v) => clamp((v - low) / (high - low), 0, 1);
    const { told } = this, numbers = this.levels(low, high, box), gutter = Math.max(...numbers.map((v) => wide(c, told(v)))) + 20;
    const plot = { x: box.x + gutter, y: box.y + 32, w: box.w - gutter - 14, h: box.h - 56 }, atX = (time) => plot.x + plot.w * clamp(END > 0 ? time / END : 0, 0, 1), atY = (v) => plot.y + plot.h * (1 - share(v));
    const value = ({ times, values }) => values[Math.max(firstAfter(times, t) - 1, 0)];
    this.ground(c, box);
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
  /** A cell of the grid; none for an empty one. */
  cell(c, look, x, y, w, h) {
    if (!look || look.style === "full") {
      c.fillStyle = look ? stateLook(look.slot).fill : mix(theme.surface.panel, theme.border.subtle, 0.45);
      c.fillRect(x, y, w, h);
      return;
    }
    const large = Math.min(w, h) >= 6, wide = large ? 1.6 : 1;
    c.fillStyle = theme.surface.panel; c.fillRect(x, y, w, h);
    pen(c, stateLook(look.slot).outline, wide, look.style === "dotted" && large ? [2, 2] : []);
    c.strokeRect(x + wide / 2, y + wide / 2, Math.max(w - wide, 0.5), Math.max(h - wide, 0.5));
    c.setLineDash([]);
  },
  told: (v) => (isFinite(v) ? (Number.isInteger(v) ? v.toLocaleString("en") : Number(v.toPrecision(3)).toString()) : ""),
  /** Round numbers on a scale. */
  levels(low, high, box) {
    const raw = (high - low) / clamp(Math.floor((box.h - 60) / 26), 2, 6), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((f) => f * power >= raw * (1 - 1e-9)) * power, first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
  },
  /** Bars of how often each number is there. */
  columns(c, box, { title, axis, word, slot, low, step, single, most, bars }) {
    const { told } = this, numbers = this.levels(0, most, box).filter(Number.isInteger), gutter = Math.max(...numbers.map((v) => wide(c, told(v)))) + 20;
    const plot = { x: box.x + gutter, y: box.y + 32, h: box.h - 56 }, end = box.x + box.w - 14, each = Math.min((end - plot.x) / Math.max(bars.length, 1), 44);
    const at = ({ at: seqs, counts }) => { const last = firstAfter(seqs, now.k - 1) - 1; return last < 0 ? 0 : counts[last]; };
    const heights = bars.map(at), total = heights.reduce((sum, v) => sum + v, 0), foot = plot.y + plot.h, look = stateLook(slot);
    this.ground(c, box);
    text(c, elided(c, title || axis, box.w - 26, SMALL, 600), box.x + 12, box.y + 15, theme.text.primary, { weight: 600 });
    const mean = single && total > 0 ? `, mean ${told(heights.reduce((sum, v, i) => sum + v * (low + i * step), 0) / total)}` : "", words = `${told(total)} ${axis || "values"}${mean}`;
    if (wide(c, title || axis, SMALL, 600) + wide(c, words) + 42 < box.w) text(c, words, end, box.y + 15, theme.text.secondary, { align: "right" });
    for (const v of numbers) { const y = foot - (plot.h * v) / most; pen(c, theme.surface.grid, 1); line(c, plot.x, y, end, y); text(c, told(v), plot.x - 6, y, theme.text.secondary, { align: "right" }); }
    const gap = clamp(each * 0.14, 0.5, 4), texts = bars.map((_, i) => told(low + i * step)), widest = Math.max(0, ...texts.map((one) => wide(c, one)));
    const stride = Math.max(1, Math.ceil((widest + 8) / each)), free = end - (word ? wide(c, word) + 8 : 0);
    heights.forEach((v, i) => {
      const tall = plot.h * clamp(v / most, 0, 1), x = plot.x + i * each, middle = x + (single ? each / 2 : 0);
      if (tall > 0) { c.fillStyle = look.fill; c.fillRect(x + gap, foot - tall, each - 2 * gap, tall); if (each >= 6) { pen(c, look.outline, 1); c.strokeRect(x + gap, foot - tall, each - 2 * gap, tall); } }
      if (i % stride === 0 && middle + widest / 2 <= free) text(c, texts[i], middle, foot + 12, theme.text.secondary, { align: "center" });
    });
    pen(c, theme.border.control, 1); line(c, plot.x, foot, end, foot);
    if (word) text(c, word, end, foot + 12, theme.text.hint, { align: "right" });
    if (!bars.length) text(c, "nothing so far", box.x + box.w / 2, plot.y + plot.h / 2, theme.text.hint, { align: "center" });
  },
  /** The tree of who is chosen, else of the first one that has one; red where those of others differ, or it is marked. */
  branches(c, box) {
    const { tree } = this, s = this.state(), read = (p) => (tree.read ??= new Map()).get(s.trees.get(p)) ?? this.parsed(s.trees.get(p));
    const has = (p) => s.trees.has(p) && read(p).nodes.length > 0, mine = chosen >= 0 ? chosen : Array.from(tree.order).find(has) ?? -1;
    this.ground(c, box);
    const whose = mine >= 0 ? `of ${names[mine]}` : "", end = box.x + box.w - 12;
    text(c, whose, end, box.y + 16, theme.text.secondary, { align: "right" });
    text(c, elided(c, tree.title, box.w - 34 - wide(c, whose), SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    if (mine < 0 || !has(mine)) { text(c, mine < 0 ? "Nobody has one now." : "It has none now.", box.x + box.w / 2, box.y + box.h / 2, theme.text.hint, { align: "center" }); return; }
    const { nodes, links, across, levels, below } = read(mine), marked = s.marks.has(mine) ? new Set(JSON.parse(run.texts[s.marks.get(mine)])) : new Set();
    const others = tree.compare ? [...new Set(Array.from(tree.order).filter((p) => p !== mine && has(p)).map(read))] : [];
    const red = nodes.map(([name]) => marked.has(name));
    for (const other of others) {
      const same = new Map();
      for (let i = nodes.length - 1; i >= 0; i--) {
        const name = nodes[i][0], own = below.get(name), theirs = other.below.get(name);
        same.set(name, !!theirs && own.length === theirs.length && own.every((child) => theirs.includes(child) && same.get(child)));
        if (!same.get(name)) red[i] = true;
      }
    }
    const slot = (box.w - 24) / across, down = Math.max(1, Math.min((box.h - 88) / Math.max(levels - 1, 1), 64));
    const x = nodes.map((node) => box.x + 12 + (node[2] + 0.5) * slot), y = nodes.map((node) => box.y + 45 + node[3] * down), room = nodes.map(() => 0);
    for (let level = 0; level < levels && down >= 22; level++) {
      const row = nodes.map((_, i) => i).filter((i) => nodes[i][3] === level).sort((a, b) => x[a] - x[b]);
      const limit = row.map((i, n) => Math.min(n ? x[i] - x[row[n - 1]] : 2 * (x[i] - box.x), n + 1 < row.length ? x[row[n + 1]] - x[i] : 2 * (box.x + box.w - x[i])) - 4);
      const words = row.map((i) => wide(c, nodes[i][1]) + 10);
      if (row.every((_, n) => Math.min(words[n], 26) <= limit[n])) row.forEach((i, n) => { room[i] = Math.min(Math.max(words[n], 18), limit[n]); });
    }
    for (const [a, b] of links) { const odd = red[a] && red[b]; pen(c, odd ? theme.fault.base : theme.link.base, odd ? 1.8 : 1.2); line(c, x[a], y[a], x[b], y[b]); }
    const look = stateLook(1), dot = Math.min(3.5, Math.max(slot * 0.4, 1));
    nodes.forEach(([, label], i) => {
      if (!room[i]) { disc(c, x[i], y[i], red[i] ? dot * 1.3 : dot, red[i] ? look.fill : theme.text.secondary); return; }
      card(c, x[i] - room[i] / 2, y[i] - 9, room[i], 18, 4, red[i] ? look.fill : theme.surface.canvas, red[i] ? look.outline : theme.border.control, red[i] ? 2 : 1);
      text(c, elided(c, label, room[i] - 6), x[i], y[i], red[i] ? look.label : theme.text.primary, { align: "center" });
    });
    if (!tree.marks) return;
    const foot = Math.min(Math.max(...y) + 33, box.y + box.h - 17);
    card(c, box.x + 13, foot - 5.5, 11, 11, 3, look.fill, look.outline, 2);
    text(c, `${tree.word || "red"} ${red.filter(Boolean).length} of ${nodes.length}`, box.x + 30, foot, theme.text.secondary);
  },
  parsed(code) {
    const [nodes, links, across, levels] = JSON.parse(run.texts[code]), below = new Map(nodes.map(([name]) => [name, []]));
    for (const [a, b] of links) below.get(nodes[a][0]).push(nodes[b][0]);
    const found = { nodes, links, across, levels, below };
    this.tree.read.set(code, found);
    return found;
  },
});
