// ------------------------------------------------------------------ the network

const onMap = Array.from({ length: N }, (_, p) => p).filter((p) => isFinite(P.x[p]));
const linkLengths = Array.from(L.a, (a, i) => Math.hypot(P.x[a] - P.x[L.b[i]], P.y[a] - P.y[L.b[i]])).sort((a, b) => a - b);
const typical = linkLengths.length ? linkLengths[Math.floor(0.2 * (linkLengths.length - 1))] : 0;
const LEVELS = [["full", 60, 24], ["medium", 250, 17], ["small", 1000, 9]];

/** The places of all things in a canvas of this size; kept until the size changes. */
function layOut(c, w, h) {
  const legend = layOutLegend(c, w, h), n = onMap.length, m = { w, h, legend };
  const d0 = n <= 60 ? looks.node.diameter.l : n <= 250 ? looks.node.diameter.m : n <= 1000 ? looks.node.diameter.s : 9;
  const under = n <= 60 ? SMALL * 1.9 : 6, aside = d0 / 2 + (n <= 60 ? under * 1.7 : 10);
  const left = aside, right = w - aside, upper = d0 / 2 + 16, lower = h - (d0 / 2 + under + 6 + legend.height);
  const places = pieces.find("places"), free = places?.part, xs = free ? places.extent.map(([x]) => x) : onMap.map((p) => P.x[p]), ys = free ? places.extent.map(([, y]) => y) : onMap.map((p) => P.y[p]);
  const box = [xs, ys].map((v) => [v.reduce((a, b) => Math.min(a, b), Infinity), v.reduce((a, b) => Math.max(a, b), -Infinity)]);
  const [dx, dy] = box.map(([a, b]) => (b > a ? b - a : 0));
  let scale = Math.min(dx ? (right - left) / dx : Infinity, dy ? (lower - upper) / dy : Infinity);
  if (typical && !free) scale = Math.min(scale, (0.75 * Math.min(w, h) + 60) / typical);
  if (!isFinite(scale) || scale <= 0) scale = 1;
  const mx = (box[0][0] + box[0][1]) / 2, my = (box[1][0] + box[1][1]) / 2;
  m.atX = (x) => (left + right) / 2 + (x - mx) * scale; m.atY = (y) => (upper + lower) / 2 + (y - my) * scale; m.scale = scale;
  m.x = Float64Array.from(P.x, m.atX); m.y = Float64Array.from(P.y, m.atY);
  let spread = n < 2 ? Infinity : Math.max(Math.sqrt(dx * dy / n), Math.max(dx, dy) / n) * scale;
  if (free) spread = 1.35 * free.wide * scale * (free.shape === "line" ? 2 : 2 * Math.PI) / Math.max(n, 1);
  else if (typical) spread = Math.min(spread, typical * scale);
  m.d = Math.max(looks.node.diameter.xs, Math.min(d0, spread * 0.62));
  m.level = (LEVELS.find(([, most, least]) => n <= most && m.d >= least) ?? ["dense"])[0];
  m.detailed = m.level === "full" || m.level === "medium";
  m.head = { full: 1, medium: 0.85 }[m.level] * looks.node.messageHead.m || (m.level === "small" ? 5 : 3.5);
  m.lane = ({ full: 7, medium: 5, small: 2.5 }[m.level] ?? 1.5) * (m.d >= 17 ? Math.min(1, m.d / 30) : 1);
  m.rim = m.d * 0.58 + 1;
  m.chips = m.level === "full" ? placeChips(c, m) : [];
  m.places = null;
  return m;
}
/** The ends of the path of a message, on the right-hand lane of its direction. */
function way(m, p, q) {
  const dx = m.x[q] - m.x[p], dy = m.y[q] - m.y[p], length = Math.hypot(dx, dy);
  const u = length ? dx / length : 1, v = length ? dy / length : 0;
  const first = m.rim, last = m.rim + m.head * 0.6, room = Math.min(1, 0.7 * length / (first + last));
  const sx = -v * m.lane, sy = u * m.lane;
  return { u, v, x1: m.x[p] + u * first * room + sx, y1: m.y[p] + v * first * room + sy,
    x2: m.x[q] - u * last * room + sx, y2: m.y[q] - v * last * room + sy };
}

// labels: each at the place where it hides the least
function crosses(b, x1, y1, x2, y2) { // whether a segment runs through a box (Liang and Barsky)
  let enter = 0, leave = 1;
  for (const [at, along, low, high] of [[x1, x2 - x1, b.x, b.x + b.w], [y1, y2 - y1, b.y, b.y + b.h]]) {
    if (along === 0) { if (at < low || at > high) return false; continue; }
    const s = (low - at) / along, e = (high - at) / along;
    enter = Math.max(enter, Math.min(s, e)); leave = Math.min(leave, Math.max(s, e));
  }
  return enter <= leave;
}
function cost(m, boxes, b, own = -1) {
  let sum = 0;
  const common = (o) => Math.max(0, Math.min(b.x + b.w, o.x + o.w) - Math.max(b.x, o.x)) * Math.max(0, Math.min(b.y + b.h, o.y + o.h) - Math.max(b.y, o.y));
  for (const o of boxes) { const part = common(o) / (b.w * b.h); if (part > 0) sum += 10 * (0.4 + part); }
  sum += 30 * (1 - common({ x: 0, y: 0, w: m.w, h: m.h }) / (b.w * b.h));
  const clear = Math.max(3, m.d / 6), air = { x: b.x - 2, y: b.y - clear, w: b.w + 4, h: b.h + 2 * clear };
  for (let i = 0; i < L.a.length; i++)
    if (i !== own && crosses(air, m.x[L.a[i]], m.y[L.a[i]], m.x[L.b[i]], m.y[L.b[i]])) sum += 1.8;
  return sum;
}
const nodeBoxes = (m) => onMap.map((p) => ({ x: m.x[p] - m.d * 0.56 - 2, y: m.y[p] - m.d * 0.56 - 2, w: m.d * 1.12 + 4, h: m.d * 1.12 + 4 }));
function best(m, boxes, places, own) {
  let found = null, least = Infinity;
  for (const [bias, x, y, w, h] of places) {
    const b = { x: x - w / 2, y: y - h / 2, w, h }, price = bias + cost(m, boxes, b, own);
    if (price < least) { least = price; found = b; }
  }
  boxes.push(found);
  return found;
}
function placeChips(c, m) {
  const odd = Array.from(L.factor, (f, i) => i).filter((i) => Math.abs(L.factor[i] - 1) > 0.005);
  odd.sort((i, j) => Math.abs(Math.log(L.factor[j] || 1e-6)) - Math.abs(Math.log(L.factor[i] || 1e-6)));
  const boxes = nodeBoxes(m);
  if (m.legend.cells.length) boxes.push(m.legend);
  return odd.slice(0, 40).map((i) => {
    const f = L.factor[i], words = "×" + (f >= 9.95 ? f.toFixed(0) : f >= 0.095 ? f.toFixed(1) : f.toPrecision(2));
    const w = wide(c, words, SMALL, 600) + 31, h = 20, x1 = m.x[L.a[i]], y1 = m.y[L.a[i]], x2 = m.x[L.b[i]], y2 = m.y[L.b[i]];
    const length = Math.max(1, Math.hypot(x2 - x1, y2 - y1)), nx = (y1 - y2) / length, ny = (x2 - x1) / length;
    const clear = Math.abs(nx) * w / 2 + Math.abs(ny) * h / 2 + m.lane + m.head / 2 + 2, places = [];
    for (const [bias, along] of [[0, 0.5], [0.3, 0.4], [0.3, 0.6], [0.6, 0.3], [0.6, 0.7]])
      for (const side of [1, -1]) {
        const y = y1 + (y2 - y1) * along + side * ny * clear;
        places.push([bias + (y > (y1 + y2) / 2 ? 0.1 : 0), x1 + (x2 - x1) * along + side * nx * clear, y, w, h]);
      }
    return { link: i, words, ...best(m, boxes, places, i) };
  });
}
function placeTexts(c, m) {
  const used = new Set(Array.from(C.what, (what, i) => (what === LINES ? C.value[i] : 0)));
  const w = Math.min(220, Math.max(0, ...Array.from(used, (n) => wide(c, run.texts[n]))) + 4), h = SMALL * 0.72 + 7;
  const boxes = [...nodeBoxes(m), ...m.chips, ...pieces.boxes(c, m)], away = m.d / 2 + 5 + h / 2;
  if (m.legend.cells.length) boxes.push(m.legend);
  return new Map(onMap.map((p) => {
    const x = m.x[p], y = m.y[p], beside = m.d / 2 + 5 + w / 2;
    return [p, best(m, boxes, [
      [0, x, y + away], [0.9, x, y - away], [1.3, x + beside, y], [1.4, x - beside, y], [0.5, x, y + away + h * 0.6],
      [1.2, x, y - away - h * 0.6], [0.7, x + w * 0.42, y + away], [0.7, x - w * 0.42, y + away],
      [1.6, x + w * 0.42, y - away], [1.6, x - w * 0.42, y - away],
    ].map((place) => [...place, w, h]))];
  }));
}

// the legend: the things that occur in this run; its places depend on the largest counts and do not move
const groupOf = (item) => ({ state: "state", crashed: "state", message: "message", lost: "message" }[item.sort] ?? "declared")
const signWidth = (item) => item.signWidth ?? (item.wide ? 26 : 15);
function layOutLegend(c, w, h) {
  const cells = [], row = 22, gap = 14, pad = 10, most = w - 24 - 2 * pad;
  if (!run.legend.length || w < 240 || h < 170) return { cells, height: 0 };
  let x = 0, y = 0, widest = 0, before = "";
  for (const item of run.legend) {
    const count = item.counted ? 5 + wide(c, "8".repeat(grouped(item.most).length), SMALL, 600) : 0;
    const width = Math.min(signWidth(item) + 6 + wide(c, item.widest || item.word) + count, most);
    const fresh = groupOf(item) !== before && x > 0;
    if (fresh) x += gap;
    if (x && x + width > most) { x = 0; y += row; }
    cells.push({ item, x, y, w: width, stroke: fresh && x > 0 });
    widest = Math.max(widest, x + width); x += width + gap; before = groupOf(item);
  }
  const rows = Math.min(y / row + 1, Math.max(1, Math.floor(h * 0.3 / row)));
  const kept = cells.filter((cell) => cell.y < rows * row - 1), tall = rows * row + 8;
  return { cells: kept, x: 12, y: h - 12 - tall, w: widest + 2 * pad, h: tall, height: tall + 12 };
}
function drawLegend(c, m, flying) {
  const box = m.legend;
  if (!box.cells.length) return;
  card(c, box.x + 0.5, box.y + 0.5, box.w, box.h, 7, theme.surface.overlay, theme.border.subtle);
  const counts = {}, speakers = pieces.find("baskets")?.speakers() ?? [];
  for (let p = 0; p < run.rows; p++) if (!now.crashed[p] && !speakers[p]) counts[now.state[p]] = (counts[now.state[p]] ?? 0) + 1;
  for (const { item, x: cx, y: cy, w, stroke } of box.cells) {
    const left = box.x + 10 + cx, y = box.y + 4 + cy + 11, sign = signWidth(item), x = left + sign / 2;
    if (stroke) { pen(c, theme.border.subtle, 1); line(c, left - 14, y - 8, left - 14, y + 8); }
    let word = item.word, count = null;
    if (item.sort === "state") {
      const there = item.codes.filter((code) => counts[code]);
      word = [...new Set((there.length ? there : item.codes.slice(0, 1)).map((code) => run.states[code].word))].join(", ");
      count = there.reduce((sum, code) => sum + counts[code], 0);
      drawProcess(c, x, y, 11.5, item.number);
    } else if (item.sort === "crashed") { count = now.crashed.reduce((a, b) => a + b, 0); drawProcess(c, x, y, 11.5, 2, { crashed: true }); }
    else if (item.sort === "message") { count = flying.filter((i) => item.parts.some(([code, worn]) => M.label[i] === code && (!worn || worn.includes(M.worn[i])))).length; drawHead(c, x, y, 0, item.number, 11, theme.surface.canvas, item.plain ? theme.text.secondary : undefined); }
    else if (item.sort === "lost") { count = now.lost; cross(c, x, y, 4, 2.2, theme.fault.base); }
    else count = pieces.sign(c, item, left, y, sign)?.counted(item) ?? null;
    const number = count === null ? "" : grouped(count), room = number ? wide(c, number, SMALL, 600) + 5 : 0;
    word = elided(c, word, Math.max(8, w - sign - 6 - room + 1));
    text(c, word, left + sign + 6, y, theme.text.secondary);
    if (number) text(c, number, left + sign + 11 + wide(c, word), y, theme.text.primary, { weight: 600 });
  }
}


const network = {
  view: $("view-network"), layout: null,
  title: (flying) => (now.k === 0 ? run.about : now.k < COUNT ? `${run.about} · ${trn("{count:,} message in transit", "{count:,} messages in transit", flying.length)}` : run.titles.network),
  paint(c, w, h) {
    const room = pieces.room(w, h);
    if (!this.layout || this.layout.w !== room.w || this.layout.h !== room.h) this.layout = layOut(c, room.w, room.h);
    const m = this.layout, flying = inFlight(t);
    for (const one of pieces.all) one.move(m);
    c.fillStyle = theme.surface.canvas; c.fillRect(0, 0, w, h);
    c.save(); c.beginPath(); c.rect(0, 0, room.w, room.h); c.clip();
    pieces.draw("under", c, m);
    if (m.detailed) pieces.draw("areas", c, m);
    if (pieces.find("places")?.part.links !== false) this.paintLinks(c, m);
    pieces.draw("lines", c, m);
    pieces.draw("arrows", c, m);
    if (m.level === "full") { this.paintChips(c, m); this.paintTexts(c, m); }
    this.paintWeights(c, m);
    pieces.draw("inner", c, m);
    this.heads = flying.filter((i) => isFinite(m.x[M.source[i]]) && isFinite(m.x[M.target[i]])).map((i) => this.place(m, i, fraction(i, t)));
    queue(this.heads, m);
    pieces.find("carries")?.said(c, m);
    this.paintMessages(c, m);
    if (m.detailed) pieces.draw("rings", c, m);
    this.paintProcesses(c, m);
    this.paintLosses(c, m);
    if (m.detailed) pieces.draw("beside", c, m);
    pieces.draw("above", c, m);
    pieces.draw("over", c, m);
    drawLegend(c, m, flying);
    c.restore();
    pieces.beside(c, room);
  },
  place(m, i, part) {
    if (M.source[i] === M.target[i]) return this.around(m, i, part);
    const to = way(m, M.source[i], M.target[i]);
    return { i, ...to, x: to.x1 + (to.x2 - to.x1) * part, y: to.y1 + (to.y2 - to.y1) * part };
  },
  around(m, i, part) { // a message to its own sender travels round a loop at the upper right of the process
    const p = M.source[i], radius = Math.max(0.5 * m.d, 1.2 * m.head), away = (m.d / 2 + 0.8 * radius) * Math.SQRT1_2;
    const loop = { x: m.x[p] + away, y: m.y[p] - away, radius }, turn = (0.75 + 2 * part) * Math.PI;
    const x = loop.x + radius * Math.cos(turn), y = loop.y + radius * Math.sin(turn);
    return { i, x, y, x1: x, y1: y, x2: x, y2: y, u: -Math.sin(turn), v: Math.cos(turn), loop };
  },
  paintLinks(c, m) {
    const width = m.detailed ? looks.line.link : 1, odd = (i) => now.down[i] || (L.directed[i] && m.detailed);
    // plain links in one stroke: this is faster, and pale links do not add up where they cross
    c.globalAlpha = m.detailed ? 1 : m.level === "small" ? 0.4 : 0.28;
    pen(c, theme.link.base, width); c.beginPath();
    for (let i = 0; i < L.a.length; i++) if (!odd(i)) { c.moveTo(m.x[L.a[i]], m.y[L.a[i]]); c.lineTo(m.x[L.b[i]], m.y[L.b[i]]); }
    c.stroke(); c.globalAlpha = 1;
    for (let i = 0; i < L.a.length; i++) {
      if (!odd(i)) continue;
      const a = L.a[i], b = L.b[i], x1 = m.x[a], y1 = m.y[a], x2 = m.x[b], y2 = m.y[b];
      if (now.down[i] && pieces.find("places")?.part.long) continue; // out of reach of a process that moves
      if (now.down[i] === 1 || now.down[i] === 2) { // an arrow in the direction that is open, and a cross where messages are lost
        const [bx, by, ex, ey] = now.down[i] === 1 ? [x2, y2, x1, y1] : [x1, y1, x2, y2], size = m.detailed ? 4.5 : 2.5;
        if (m.detailed) drawArrow(c, theme.link.base, bx, by, ex, ey, width, m.rim);
        else { pen(c, theme.link.base, width); line(c, bx, by, ex, ey); }
        const away = clamp((m.detailed ? m.rim + 2 * size : 0) / (Math.hypot(ex - bx, ey - by) || 1), 0.2, 0.4);
        cross(c, bx + (ex - bx) * away, by + (ey - by) * away, size, m.detailed ? 2.4 : 1.4, theme.fault.base);
      } else if (now.down[i]) { // paler, with a gap and a cross
        const length = Math.hypot(x2 - x1, y2 - y1) || 1, half = Math.min(22, length / 2) / 2 / length;
        pen(c, theme.link.down, width);
        line(c, x1, y1, x1 + (x2 - x1) * (0.5 - half), y1 + (y2 - y1) * (0.5 - half));
        line(c, x1 + (x2 - x1) * (0.5 + half), y1 + (y2 - y1) * (0.5 + half), x2, y2);
        cross(c, (x1 + x2) / 2, (y1 + y2) / 2, m.detailed ? 5.5 : 3, m.detailed ? 2.6 : 1.6, theme.fault.base);
      } else drawArrow(c, theme.link.base, x1, y1, x2, y2, width, m.rim);
    }
  },
  /** The weight of each link at its middle. */
  paintWeights(c, m) {
    if (!L.weight || !m.detailed) return;
    L.weight.forEach((words, i) => {
      const x1 = m.x[L.a[i]], y1 = m.y[L.a[i]], x2 = m.x[L.b[i]], y2 = m.y[L.b[i]];
      if (!words || now.down[i] === 3 || Math.hypot(x2 - x1, y2 - y1) - 2 * m.rim < 24) return;
      const h = 17, w = Math.max(h, wide(c, words, SMALL, 600) + 8), x = (x1 + x2) / 2, y = (y1 + y2) / 2;
      card(c, x - w / 2, y - h / 2, w, h, h / 2, theme.surface.canvas, theme.link.base, 1);
      text(c, words, x, y, theme.text.primary, { weight: 600, align: "center" });
    });
  },
  paintChips(c, m) {
    for (const { link, words, x, y, w, h } of m.chips) {
      const x1 = m.x[L.a[link]], y1 = m.y[L.a[link]], dx = m.x[L.b[link]] - x1, dy = m.y[L.b[link]] - y1;
      const cx = x + w / 2, cy = y + h / 2, along = ((cx - x1) * dx + (cy - y1) * dy) / Math.max(1e-9, dx * dx + dy * dy);
      const ink = theme.link.override;
      pen(c, ink, 1.2); line(c, cx, cy, x1 + dx * along, y1 + dy * along);
      card(c, x, y, w, h, h / 2, theme.link.overrideSoft, ink, 1.2);
      pen(c, ink, 1.3); c.beginPath(); c.arc(x + 12, cy, 4.6, 0, 7); c.stroke();
      c.beginPath(); c.moveTo(x + 12, cy - 2.8); c.lineTo(x + 12, cy); c.lineTo(x + 14.3, cy + 1.4); c.stroke();
      text(c, words, x + 21.6, cy, ink, { weight: 600 });
    }
  },
  paintTexts(c, m) {
    if (!now.watch.some((n) => n)) return;
    m.places ??= placeTexts(c, m);
    for (const [p, b] of m.places) {
      if (!now.watch[p]) continue;
      const align = b.x > m.x[p] + m.d / 4 ? "left" : b.x + b.w < m.x[p] - m.d / 4 ? "right" : "center";
      const x = align === "left" ? b.x : align === "right" ? b.x + b.w : b.x + b.w / 2;
      text(c, elided(c, run.texts[now.watch[p]], b.w), x, b.y + b.h / 2, theme.text.secondary, { align, halo: theme.surface.canvas });
    }
  },
  paintMessages(c, m) {
    if (m.detailed && this.heads.length <= 400)
      for (const { i, x1, y1, x, y } of this.heads) if (M.unsure[i] || t < M.reached[i]) { const { kind } = lookOf(i); pen(c, colorOf(i), looks.line.messageTrail * (m.level === "full" ? 1 : 0.8), dashOf(kind)); line(c, x1, y1, x, y); }
    for (const { loop } of this.heads) if (loop && m.detailed) { pen(c, theme.link.base, 1); c.setLineDash([2, 3]); c.beginPath(); c.arc(loop.x, loop.y, loop.radius, 0, 7); c.stroke(); c.setLineDash([]); }
    for (const { i, u, v, x, y } of this.heads) {
      const { kind, letter: own } = lookOf(i), letter = m.level === "full" && !signOf(i) ? own : "";
      if (m.detailed) drawHead(c, x, y, Math.atan2(v, u), kind, m.head * (letter ? 1.7 : 1), theme.surface.canvas, colorOf(i));
      if (letter && messageLook(kind).head === "circle") disc(c, x, y, m.head * 0.6, messageLook(kind).color);
      if (letter) text(c, letter, x, y, theme.surface.canvas, { px: Math.round(m.head * (letter.length < 2 ? 1.1 : 0.85)), weight: 600, align: "center" });
      if (!m.detailed) disc(c, x, y, m.head / 2, colorOf(i));
      if (over.kind === "message" && over.id === i) { pen(c, theme.selection, 1.3); c.beginPath(); c.arc(x, y, m.head * 0.6 + 4, 0, 7); c.stroke(); }
    }
  },
  paintProcesses(c, m) {
    const busy = new Float64Array(N).fill(NaN);
    for (let i = firstAfter(S.from, t - longestStep); i < S.from.length && S.from[i] <= t; i++)
      if (S.to[i] > t && !now.crashed[S.process[i]]) busy[S.process[i]] = (t - S.from[i]) / (S.to[i] - S.from[i]);
    const stamp = stamper(c, m.d), speakers = pieces.find("baskets")?.speakers() ?? [], slot = (p) => (speakers[p] ? 6 : slotOf(now.state[p]));
    for (const p of onMap) {
      const x = m.x[p], y = m.y[p], crashed = !!now.crashed[p];
      if (!m.detailed && p !== chosen && !(over.kind === "process" && over.id === p)) { stamp(x, y, slot(p), now.crashed[p], P.initiator[p]); continue; }
      const inner = m.detailed ? pieces.all.find((one) => one.fills(p)) : undefined, ink = crashed ? theme.text.primary : stateLook(slot(p)).label;
      drawProcess(c, x, y, m.d, slot(p), { label: m.detailed && !inner ? names[p] : "", initiator: !!P.initiator[p], crashed,
        selected: p === chosen, hover: over.kind === "process" && over.id === p, busy: m.detailed ? busy[p] : NaN });
      inner?.inside(c, m, p, ink);
      if (m.level === "full" && P.initiator[p] && now.k === 0) this.flag(c, x + m.d * 0.56, y - m.d * 0.62, m.d * 0.29);
      if (m.level === "full" && crashed) {
        const words = tr("crashed {time}", { time: now.since[p].toFixed(2) }), w = wide(c, words, SMALL, 600) + 16;
        const left = Math.min(x + m.d * 0.62, m.w - w - 4), high = Math.max(4, y - m.d * 0.62 - 20);
        card(c, left, high, w, 20, 10, theme.fault.soft, theme.fault.base, 1.2);
        text(c, words, left + w / 2, high + 10, document.documentElement.dataset.theme === "dark" ? theme.fault.base : theme.text.primary, { align: "center", weight: 600 });
      }
      const badge = crashed ? "" : run.texts[now.badge[p]];
      if (badge && (m.level === "medium" || (m.level === "full" && !C.what.includes(LINES)))) {
        const size = Math.max(13, m.d * 0.5), w = size * Math.max(1, 0.5 + 0.45 * badge.length);
        card(c, x + m.d * 0.3, y - m.d * 0.3 - size, w, size, size / 2, theme.surface.canvas, theme.chain.waiting, 1.2);
        text(c, badge, x + m.d * 0.3 + w / 2, y - m.d * 0.3 - size / 2, theme.text.primary, { px: Math.max(9, Math.round(size * 0.72)), weight: 600, align: "center" });
      }
    }
  },
  /** The sign of an initiator, shown until something has happened. */
  flag(c, x, y, r) {
    disc(c, x, y, r, stateLook(1).fill);
    pen(c, stateLook(1).label, Math.max(1.2, r * 0.16)); c.beginPath();
    [[-0.4, 0.6], [-0.4, -0.5], [0.5, -0.5], [0.25, -0.18], [0.5, 0.14], [-0.4, 0.14]].forEach(([a, b]) => c.lineTo(x + r * a, y + r * b));
    c.stroke();
  },
  paintLosses(c, m) {
    for (let e = now.k - 1; e >= 0 && E.time[e] > t - run.fade; e--) {
      const i = E.kind[e] === KIND.drop ? messageOf.get(E.message[e]) : undefined;
      if (i === undefined || !isFinite(m.x[M.source[i]]) || !isFinite(m.x[M.target[i]])) continue;
      const { x, y } = this.place(m, i, fraction(i, E.time[e]));
      c.globalAlpha = clamp(1.25 - 1.25 * (t - E.time[e]) / run.fade, 0, 1);
      if (m.detailed) drawHead(c, x, y, 0, lookOf(i).kind, m.head * 0.7, theme.surface.canvas, colorOf(i));
      cross(c, x, y, m.detailed ? m.head / 2 : 2.5, m.detailed ? 2.6 : 1.4, theme.fault.base);
      c.globalAlpha = 1;
    }
  },
  hit(x, y) {
    const m = this.layout, reach = looks.node.hitMinimum / 2;
    let p = -1, near = Infinity, i = -1, close = Infinity;
    for (const q of onMap) { const away = Math.hypot(m.x[q] - x, m.y[q] - y); if (away < near) { near = away; p = q; } }
    for (const head of this.heads ?? []) { const away = Math.hypot(head.x - x, head.y - y); if (away < close) { close = away; i = head.i; } }
    const limit = Math.max(reach, m.d / 2 + 4);
    if (i >= 0 && close <= (near > limit ? reach : Math.min(m.head * 0.7, near))) return { kind: "message", id: i };
    return near <= limit ? { kind: "process", id: p } : NOTHING;
  },
};
/** A process as a cached picture: thousands of equal processes are copied, not drawn. */
const stamps = { key: "", pictures: [] };
function stamper(c, d) {
  const ratio = c.getTransform().a, side = Math.ceil(d * 1.6 + 4), key = [d, ratio, theme.surface.panel].join();
  if (stamps.key !== key) Object.assign(stamps, { key, pictures: [] });
  return (x, y, slot, crashed, initiator) => {
    const look = slot + 16 * crashed + 32 * initiator;
    if (!stamps.pictures[look]) {
      const picture = stamps.pictures[look] = Object.assign(document.createElement("canvas"), { width: Math.ceil(side * ratio), height: Math.ceil(side * ratio) });
      const k = picture.getContext("2d");
      k.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawProcess(k, side / 2, side / 2, d, slot, { crashed: !!crashed, initiator: !!initiator });
    }
    c.drawImage(stamps.pictures[look], x - side / 2, y - side / 2, side, side);
  };
}
/** Messages that wait at a busy process are drawn one behind the other, in the order of their arrival. */
function queue(heads, m) {
  const doors = new Map();
  for (const head of heads.filter(({ i }) => !M.unsure[i] && t >= M.reached[i]).sort((a, b) => M.reached[a.i] - M.reached[b.i])) {
    const door = M.source[head.i] * N + M.target[head.i], place = doors.get(door) ?? 0;
    doors.set(door, place + 1);
    head.x -= head.u * place * m.head * 1.15; head.y -= head.v * place * m.head * 1.15;
  }
}
const messageOf = new Map(Array.from(M.id, (id, i) => [id, i]));
