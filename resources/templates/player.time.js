// ------------------------------------------------------------------ causality: the space-time diagram

const WHOLE = [START < -1e-6 ? START : 0, END > 0 ? END * 1.02 : 1];
const diagram = {
  view: $("view-causality"), window: WHOLE, layers: null,
  title: (flying) => [
    ...(now.lost ? [trn("{count:,} message lost", "{count:,} messages lost", now.lost)] : []),
    trn("{count:,} message", "{count:,} messages", now.sent) + (flying.length ? trn(", {count:,} in transit", ", {count:,} in transit", flying.length) : ""),
    tr("longest chain so far {count:,}", { count: now.k ? E.chain[now.k - 1] : 0 }),
  ].join(" · "),

  /** Show less (2) or more (0.5) time around the play head, or around the given time. */
  zoom(factor, at = clamp(t, ...this.window)) {
    const [from, to] = this.window, length = Math.min((to - from) / factor, WHOLE[1] - WHOLE[0]);
    const start = clamp(at - (at - from) * length / (to - from), WHOLE[0], WHOLE[1] - length);
    if (length > 1e-6 * (WHOLE[1] - WHOLE[0])) this.window = [start, start + length];
    stale();
  },
  /** Move the window just far enough for the play head to be between 20 % and 80 % of it. */
  follow() {
    const [from, to] = this.window, length = to - from;
    if (length >= WHOLE[1] - WHOLE[0]) { this.window = WHOLE; return; }
    const shift = t > from + 0.8 * length ? t - from - 0.8 * length : t < from + 0.2 * length ? t - from - 0.2 * length : 0;
    const start = clamp(from + shift, WHOLE[0], WHOLE[1] - length);
    if (Math.abs(start - from) > 1e-9 * length) this.window = [start, start + length];
  },
  geometry(c, w, h) {
    const longest = names.slice(0, run.rows).reduce((a, b) => (b.length > a.length ? b : a), "");
    const left = Math.min(clamp(36 + wide(c, longest, SMALL, 600), 54, 132), w * 0.4), right = Math.max(w - 12, left + 1);
    const upper = 24, lower = Math.max(h - 6, upper + 1), pitch = (lower - upper) / Math.max(1, run.rows), [from, to] = this.window;
    const scale = (right - left) / (to - from);
    return { w, h, left, right, upper, lower, pitch, scale, x: (time) => left + (time - from) * scale, y: (row) => upper + (row + 0.5) * pitch,
      time: (x) => from + (x - left) / scale, radius: clamp(looks.node.eventDot.m / 2 * 0.95, 0.8, Math.max(0.8, pitch * 0.36)) };
  },

  paint(c, w, h) {
    const g = this.g = this.geometry(c, w, h), ground = theme.surface.panel, x = clamp(g.x(t), g.left, g.right);
    c.fillStyle = ground; c.fillRect(0, 0, w, h);
    if (chosen >= 0 && chosen < run.rows) { c.fillStyle = theme.accent.soft; c.fillRect(0, g.upper + chosen * g.pitch, w, Math.max(1, g.pitch)); }
    ruler(c, g, this.window, 46);
    if (g.pitch >= 4) { pen(c, theme.link.dim, 1); for (let row = 0; row < run.rows; row++) { const y = Math.round(g.y(row)) + 0.5; line(c, g.left, y, g.right, y); } }
    // the past, and the future in pale colours: cached pictures, cut at the play head
    const kept = this.keep(c, g), stop = x - 30;
    this.part(c, kept.lines, g.left - 5, x);
    c.globalAlpha = theme.chain.ghostOpacity * (kept.dense ? 2 : 1); this.part(c, kept.ghost, x, w); c.globalAlpha = 1;
    // dots and heads extend to the left of their time: near the play head only past ones are drawn
    this.part(c, kept.dots, g.left - 5, stop);
    c.save(); c.beginPath(); c.rect(Math.max(stop, g.left - 5), 0, w, h); c.clip();
    if (!kept.dense) this.dots(c, g, kept, g.time(stop - 30), t);
    c.restore();
    c.save(); c.beginPath(); c.rect(g.left - 5, 0, w, h); c.clip();
    const flying = inFlight(t);
    if (flying.length <= 400 && !kept.dense) for (const i of flying) this.flying(c, g, i);
    c.restore();
    this.gutter(c, g);
    playhead(c, g.x(t) >= g.left - 1 && g.x(t) <= g.right + 1 ? g.x(t) : null, 4, h, 1);
  },
  part(c, picture, from, to) {
    if (to <= from) return;
    c.save(); c.beginPath(); c.rect(from, 0, to - from, this.g.h); c.clip(); c.drawImage(picture, 0, 0, this.g.w, this.g.h); c.restore();
  },
  /** The pictures of this window, redrawn when the window, the size or the theme has changed. */
  keep(c, g) {
    const ratio = c.getTransform().a, key = [g.w, g.h, ratio, ...this.window, theme.surface.panel, family].join();
    if (this.layers?.key === key) return this.layers;
    const [from, to] = this.window, kept = { key, arrows: [], labels: [] };
    for (let i = 0; i < M.send.length; i++) if (E.time[M.send[i]] <= to && M.arrived[i] >= from) kept.arrows.push(i);
    kept.first = firstAfter(E.time, from - 1e-12); kept.last = firstAfter(E.time, to);
    kept.dense = kept.arrows.length > 6000 || kept.last - kept.first > 24000;
    kept.detailed = kept.arrows.length <= 500;
    for (const name of ["lines", "ghost", "dots"]) {
      const canvas = kept[name] = Object.assign(document.createElement("canvas"), { width: Math.ceil(g.w * ratio), height: Math.ceil(g.h * ratio) });
      const k = canvas.getContext("2d");
      k.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (kept.dense) { if (name !== "dots") this.density(k, g, kept); continue; }
      if (name === "lines") this.lines(k, g, kept, false);
      if (name === "ghost") { this.lines(k, g, kept, true); this.points(k, g, kept.first, kept.last); }
      if (name === "dots") { this.label(k, g, kept); this.dots(k, g, kept, -Infinity, Infinity); }
    }
    return this.layers = kept;
  },
  lines(c, g, kept, ghost) {
    if (!ghost)
      for (const [p, from, to] of crashes) {
        const x = g.x(from), inset = Math.min(2, g.pitch * 0.1), right = Math.min(g.x(to), g.w), y = g.y(p);
        c.fillStyle = theme.fault.soft; c.fillRect(x, y - g.pitch / 2 + inset, right - x, g.pitch - 2 * inset);
        c.globalAlpha = 0.7; pen(c, theme.fault.base, looks.line.event, [7, 4.8]); line(c, x, y, right, y); c.globalAlpha = 1;
      }
    const width = kept.detailed ? looks.line.event * clamp(g.pitch / 14, 0.5, 1) * (ghost ? 0.8 : 1) : 1;
    for (const i of kept.arrows) {
      if (!isFinite(M.arrived[i])) continue;
      const { kind } = lookOf(i);
      pen(c, colorOf(i, COUNT), width, kept.detailed && !ghost ? dashOf(kind) : []);
      line(c, g.x(E.time[M.send[i]]), g.y(M.source[i]), g.x(M.arrived[i]), g.y(M.row[i]));
    }
  },
  head: (g) => clamp(g.pitch * 0.5, 3, 6.4),
  dots(c, g, kept, from, to) {
    const size = this.head(g), back = g.radius + size * 0.45;
    if (kept.detailed)
      for (const i of kept.arrows) {
        if (M.lost[i] || !(M.arrived[i] >= from && M.arrived[i] <= to) || !isFinite(M.arrived[i])) continue;
        const x = g.x(M.arrived[i]), y = g.y(M.row[i]), a = Math.atan2(y - g.y(M.source[i]), x - g.x(E.time[M.send[i]]));
        drawHead(c, x - Math.cos(a) * back, y - Math.sin(a) * back, a, lookOf(i).kind, size, theme.surface.panel, colorOf(i, COUNT));
      }
    this.points(c, g, Math.max(kept.first, from === -Infinity ? 0 : firstAfter(E.time, from)), Math.min(kept.last, to === Infinity ? COUNT : now.k));
    for (const { e, words, x, y } of kept.labels)
      if (E.time[e] >= from && E.time[e] <= to) text(c, words, x, y, theme.text.primary, { px: CAPTION, weight: 600, align: "right", halo: theme.surface.panel, middle: false });
  },
  points(c, g, first, last) {
    for (let e = first; e < last; e++) {
      const glyph = GLYPH[E.kind[e]], p = E.process[e];
      if (p < 0 || !glyph) continue;
      const i = glyph === "lost" ? messageOf.get(E.message[e]) : undefined, x = g.x(E.time[e]), y = g.y(i === undefined ? p : M.row[i]), r = g.radius;
      if (glyph === "lost") { const half = Math.min(4.5, g.pitch * 0.42); cross(c, x, y, half, Math.min(2.4, half * 0.6), theme.fault.base); }
      else if (glyph === "crash") { const half = Math.min(6.5, g.pitch * 0.42); cross(c, x, y, half, Math.min(3.2, half * 0.6), theme.fault.base); }
      else if (glyph === "ring") { disc(c, x, y, r * 0.78, theme.text.primary); if (r > 1.6) disc(c, x, y, r * 0.39, theme.surface.panel); }
      else disc(c, x, y, r, glyph === "fault" ? theme.fault.base : theme.text.primary);
    }
  },
  /** Lamport times of the events that begin a step, if there is room. */
  label(c, g, kept) {
    const free = new Map(), raised = g.radius + 2.5;
    if (g.pitch < CAPTION * 0.73 + 11) return;
    for (let e = kept.first; e < kept.last; e++) {
      if (!STEPS.has(E.kind[e]) || E.process[e] < 0) continue;
      const words = String(E.lamport[e]), x = g.x(E.time[e]) - 2, left = x - wide(c, words, CAPTION, 600), p = E.process[e];
      if (left > (free.get(p) ?? g.left - 3) + 3) { kept.labels.push({ e, words, x, y: g.y(p) - raised }); free.set(p, x); }
    }
  },
  /** Events per row and time interval as shades, on a logarithmic scale. */
  density(c, g, kept) {
    const bins = Math.max(1, Math.floor((g.right - g.left) / 2)), rows = Math.min(run.rows, Math.ceil(g.lower - g.upper)), counts = new Uint32Array(bins * rows);
    for (let e = kept.first; e < kept.last; e++) {
      if (E.process[e] < 0) continue;
      const bin = Math.min(bins - 1, Math.floor((g.x(E.time[e]) - g.left) / (g.right - g.left) * bins));
      counts[Math.floor(E.process[e] * rows / run.rows) * bins + bin]++;
    }
    const most = Math.log1p(counts.reduce((a, b) => Math.max(a, b), 1)), wide = (g.right - g.left) / bins, high = (g.lower - g.upper) / rows;
    c.fillStyle = theme.text.secondary;
    counts.forEach((count, place) => {
      if (!count) return;
      c.globalAlpha = 0.12 + 0.88 * Math.log1p(count) / most;
      c.fillRect(g.left + (place % bins) * wide, g.upper + Math.floor(place / bins) * high, wide, Math.max(1, high));
    });
    c.globalAlpha = 1;
  },
  /** The position of message i: under the play head, at the exact share of its path. */
  at(g, i) {
    const sent = E.time[M.send[i]], open = !isFinite(M.arrived[i]), delay = M.arrived[i] - sent;
    const part = open ? (t - sent) / (t - sent + usualDelay) : delay > 0 ? clamp((t - sent) / delay, 0, 1) : 1;
    const x0 = g.x(sent), y0 = g.y(M.source[i]), y1 = g.y(M.row[i]), x = g.x(t), y = y0 + (y1 - y0) * part;
    return { x0, y0, x, y, open, angle: open ? Math.atan2(y - y0, x - x0) : Math.atan2(y1 - y0, g.x(M.arrived[i]) - x0) };
  },
  flying(c, g, i) {
    const { x0, y0, x, y, open, angle } = this.at(g, i), { kind } = lookOf(i);
    if (open || (over.kind === "message" && over.id === i)) { pen(c, colorOf(i, COUNT), open ? looks.line.event : looks.line.linkHover, dashOf(kind)); line(c, x0, y0, x, y); }
    drawHead(c, x, y, angle, kind, this.head(g) * 1.15, theme.surface.panel, colorOf(i, COUNT));
  },
  gutter(c, g) {
    c.fillStyle = theme.surface.panel;
    const size = Math.min(13, g.pitch * 0.78), px = g.pitch < SMALL + 2 ? Math.max(7, Math.floor(g.pitch) - 2) : SMALL;
    for (let p = 0; p < run.rows; p++) {
      const y = g.y(p), crashed = !!now.crashed[p];
      if (g.pitch < 3.5) { c.fillStyle = crashed ? theme.fault.base : stateLook(slotOf(now.state[p])).fill; c.fillRect(8, y - g.pitch / 2, g.left - 16, Math.max(1, g.pitch)); continue; }
      drawProcess(c, 15, y, size, slotOf(now.state[p]), { crashed });
      if (g.pitch >= 9) text(c, elided(c, names[p], g.left - 8 - 15 - size / 2 - 3, px, 600), g.left - 8, y, theme.text.primary, { px, align: "right", weight: p === chosen || (over.kind === "process" && over.id === p) ? 600 : 400 });
    }
  },
  hit(x, y) {
    const g = this.g, kept = this.layers;
    if (!g || !kept) return NOTHING;
    if (x >= g.left - 4 && !kept.dense) {
      let near = Math.min(9, Math.max(4, g.pitch * 0.6)), found = NOTHING;
      for (let e = Math.max(kept.first, firstAfter(E.time, g.time(x - 10))); e < kept.last && g.x(E.time[e]) < x + 10; e++) {
        if (E.process[e] < 0 || !GLYPH[E.kind[e]]) continue;
        const away = Math.hypot(g.x(E.time[e]) - x, g.y(E.process[e]) - y);
        if (away <= near) { near = away; found = { kind: "event", id: e }; }
      }
      if (found !== NOTHING) return found;
      near = 5;
      for (const i of kept.arrows) {
        const open = !isFinite(M.arrived[i]), x0 = g.x(E.time[M.send[i]]), y0 = g.y(M.source[i]);
        if (open && E.time[M.send[i]] > t) continue;
        const end = open ? this.at(g, i) : { x: g.x(M.arrived[i]), y: g.y(M.row[i]) }, dx = end.x - x0, dy = end.y - y0;
        const along = clamp(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1), 0, 1), away = Math.hypot(x0 + along * dx - x, y0 + along * dy - y);
        if (away < near) { near = away; found = { kind: "message", id: i }; }
      }
      if (found !== NOTHING) return found;
    }
    const row = Math.floor((y - g.upper) / g.pitch);
    return row >= 0 && row < run.rows && x < g.left ? { kind: "process", id: row } : NOTHING;
  },
};

/** The smallest of 1, 2, 5 times a power of ten that divides a length into at most `count` parts. */
function niceStep(length, count) {
  const power = 10 ** Math.floor(Math.log10(length / count));
  return [1, 2, 5, 10].find((f) => length / (f * power) <= count * (1 + 1e-9)) * power;
}
const tickText = (value, step) => grouped(value || 0, { minimumFractionDigits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) });
function ruler(c, g, [from, to], apart) {
  const step = niceStep(to - from, Math.max(2, Math.floor((g.right - g.left) / apart)));
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) {
    const x = Math.round(g.x(i * step)) + 0.5;
    pen(c, theme.border.subtle, 1); line(c, x, g.upper - 2, x, g.h);
    text(c, tickText(i * step, step), x, g.upper - 7, theme.text.hint, { px: CAPTION, align: "center", middle: false });
  }
}
function playhead(c, x, from, to, size) {
  if (x === null) return;
  pen(c, theme.playhead, looks.line.playhead); line(c, x, from + 6, x, to);
  c.beginPath(); [[-5, 0], [5, 0], [5, 4], [0, 9], [-5, 4]].forEach(([a, b]) => c.lineTo(x + a * size, from + b * size)); c.closePath(); c.fillStyle = theme.playhead; c.fill();
}

// ------------------------------------------------------------------ communication: one column for each process

const columns = {
  view: $("view-communication"),
  title: () => [run.titles.known ? tr("sent so far: {count:,} of {total:,}", { count: now.sent, total: whole.sent }) : tr("sent so far: {count:,}", { count: now.sent }), run.titles.communication].filter(Boolean).join(" · "),
  paint(c, w, h) {
    c.fillStyle = theme.surface.panel; c.fillRect(0, 0, w, h);
    const n = Math.max(1, run.rows), left = 18 + Math.max(grouped(top).length, 3) * 7, right = w - 14, pitch = (right - left) / n;
    const tall = h >= 190, upper = tall ? 52 : 24, lower = h - (pitch >= 15 ? 62 : 40), scale = (lower - upper) / (top + 0.25);
    const done = heights(now.counts), y = (value) => lower - value * scale;
    // if there is no room for names, the columns are sorted and form a curve
    this.order = pitch < 4 ? this.byHeight() : null;
    const x = (p) => left + ((this.order ? this.order.rank[p] : p) + 0.5) * pitch;
    this.g = { left, right, pitch };
    const tint = (p, draw) => draw(x(p) - pitch / 2, 6, pitch, h - 12);
    if (chosen >= 0 && chosen < run.rows) { c.fillStyle = theme.accent.soft; tint(chosen, (...box) => c.fillRect(...box)); }
    if (over.kind === "process" && over.id < run.rows) tint(over.id, (...box) => { c.beginPath(); c.roundRect(...box, 4); pen(c, theme.selection, 1.3); c.stroke(); });
    const step = Math.max(1, niceStep(Math.max(top, 1), Math.max(1, (lower - upper) / 30)));
    for (let value = 0; value <= top + 0.25; value += step) {
      const at = Math.round(y(value)) + 0.5;
      pen(c, value ? theme.border.subtle : theme.border.control, 1); line(c, left, at, right, at);
      text(c, grouped(value), left - 8, at, theme.text.hint, { px: CAPTION, align: "right" });
    }
    const width = clamp(pitch * (pitch > 20 ? 0.54 : 0.72), 1, 54);
    for (let p = 0; p < run.rows; p++) {
      const l = x(p) - width / 2;
      if (run.titles.known && finalHeights[p] > done[p]) {
        if (pitch < 8) { c.fillStyle = theme.link.dim; c.globalAlpha = 0.6; c.fillRect(l, y(finalHeights[p]), width, (finalHeights[p] - done[p]) * scale); c.globalAlpha = 1; }
        else { pen(c, theme.link.base, 1, [2.5, 2.5]); c.beginPath(); c.moveTo(l, y(done[p])); c.lineTo(l, y(finalHeights[p])); c.lineTo(l + width, y(finalHeights[p])); c.lineTo(l + width, y(done[p])); c.stroke(); }
      }
      let below = 0;
      layers.forEach((label, i) => {
        const count = now.counts[p * layers.length + i];
        if (!count) return;
        const a = y(below), b = y(below + count);
        c.fillStyle = messageLook(kindOf(label)).color; c.fillRect(l, b, width, a - b - (below && a - b > 3 ? 1 : 0));
        below += count;
      });
    }
    this.mean(c, done, { left, right, y, x, pitch });
    if (pitch >= 17)
      done.forEach((value, p) => {
        const words = grouped(value);
        if (value && wide(c, words, SMALL, 600) <= pitch - 2) text(c, words, x(p), y(value) - 4, theme.text.primary, { weight: 600, align: "center", middle: false, halo: p === chosen ? theme.accent.soft : theme.surface.panel });
      });
    this.below(c, { x, pitch, left, lower });
    if (tall) this.legend(c, w, done);
  },
  /** The processes by their columns, beginning with those that send most in the whole run. */
  byHeight() {
    if (this.sorted) return this.sorted;
    const process = finalHeights.map((_, p) => p).sort((p, q) => finalHeights[q] - finalHeights[p] || p - q), rank = [];
    process.forEach((p, i) => { rank[p] = i; });
    return this.sorted = { process, rank };
  },
  mean(c, done, { left, right, y, x, pitch }) {
    if (!now.sent || !run.rows) return;
    const mean = now.sent / run.rows, at = y(mean), words = tr("mean {value}", { value: mean < 1000 ? mean.toFixed(2) : grouped(Math.round(mean)) });
    pen(c, theme.text.primary, 1.6, [7, 4]); line(c, left, at, right, at);
    const w = wide(c, words, SMALL, 600) + 8, numbers = pitch >= 17 ? done.map((value, p) => [x(p) - 7, y(value) - 16, 14, 15]) : [];
    let place = [right - w, at - 19];
    search: for (let step = 0; step < run.rows / 2; step++)
      for (const down of [0, 21]) {
        const [a, b] = [right - w - step * pitch, at - 19 + down];
        if (!numbers.some(([l, u, nw, nh]) => a < l + nw && l < a + w && b < u + nh && u < b + 17)) { place = [a, b]; break search; }
      }
    card(c, ...place, w, 17, 3, theme.surface.overlay);
    text(c, words, place[0] + w / 2, place[1] + 8.5, theme.text.primary, { weight: 600, align: "center" });
  },
  below(c, { x, pitch, left, lower }) {
    if (this.order) { text(c, trn("{count:,} process, those that send most first", "{count:,} processes, those that send most first", run.rows), left, lower + 16, theme.text.hint, { px: CAPTION }); return; }
    const d = clamp(pitch - 3, 4, 13), widest = names.slice(0, run.rows).reduce((most, name) => Math.max(most, wide(c, name, SMALL, 600)), 0);
    const beside = pitch >= d + widest + 12, every = beside ? 1 : Math.max(1, Math.ceil((Math.min(widest, 60) + 6) / pitch));
    for (let p = 0; p < run.rows; p++) {
      const weight = p === chosen ? 600 : 400;
      let at = x(p), y = lower + 10;
      if (beside) { at = x(p) - (d + 5 + wide(c, names[p], SMALL, 600)) / 2 + d / 2; y = lower + 17; text(c, names[p], at + d / 2 + 5, y, theme.text.primary, { weight }); }
      else if (p % every === 0) text(c, elided(c, names[p], 60, CAPTION), x(p), lower + 26, theme.text.primary, { px: CAPTION, align: "center", weight });
      drawProcess(c, at, y, d, slotOf(now.state[p]), { crashed: !!now.crashed[p] });
    }
    if (pitch < 15 || !scaleBits) return;
    const y = lower + (beside ? 41 : 46), same = sizes.size === 1;
    text(c, tr("bits"), left - 8, y, theme.text.hint, { px: CAPTION, align: "right" });
    for (let p = 0; p < run.rows; p++) {
      if (!now.largest[p]) continue;
      disc(c, x(p), y, Math.max(1.5, Math.min(9, pitch / 2 - 1) * Math.sqrt(same ? 0.5 : now.largest[p] / scaleBits)), theme.link.dim);
      pen(c, same ? theme.link.base : theme.border.strong, 1); c.stroke();
    }
  },
  legend(c, w, done) {
    const entries = layers.map((label) => [run.labels[label].kind, run.labels[label].word]);
    if (run.titles.known && now.sent < whole.sent) entries.push([-1, "still to come"]);
    let widths = entries.map(([, word]) => wide(c, word) + 38);
    while (entries.length && widths.reduce((a, b) => a + b, 0) > w - 40) { entries.shift(); widths.shift(); }
    if (!entries.length) return;
    const room = widths.reduce((a, b) => a + b, 6);
    let x = w - 12 - room;
    card(c, x, 7, room, 28, 7, theme.surface.overlay, theme.border.subtle);
    x += 12;
    entries.forEach(([kind, word], i) => {
      if (kind >= 0) drawHead(c, x + 6.5, 21, 0, kind, 12, theme.surface.panel);
      else { pen(c, theme.link.base, 1, [2.5, 2.5]); c.strokeRect(x, 15.5, 13, 11); }
      text(c, word, x + 20, 21, theme.text.secondary);
      x += widths[i];
    });
  },
  hit(x) {
    const p = this.g ? Math.floor((x - this.g.left) / this.g.pitch) : -1;
    return p >= 0 && p < run.rows ? { kind: "process", id: this.order ? this.order.process[p] : p } : NOTHING;
  },
};
