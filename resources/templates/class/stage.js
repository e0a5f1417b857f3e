// The network of the run on a canvas: states, messages, the people at their processes, and the baskets of a game.

import { iconPath } from "./dom.js";
import { basketPaths, canvasOf, cut, drawHead, drawParts, drawProcess, ink, known, lookOf, messageLook, path2d, wide, write } from "./draw.js";

const round1 = (value) => Math.round(value * 10) / 10;

/** Whether the processes are on a circle, so that names belong outside and figures inside. */
function ringOf(places) {
  if (places.length < 3) return false;
  const mx = places.reduce((s, [x]) => s + x, 0) / places.length, my = places.reduce((s, [, y]) => s + y, 0) / places.length;
  const xs = places.map(([x]) => x), ys = places.map(([, y]) => y), rx = (Math.max(...xs) - Math.min(...xs)) / 2 || 1, ry = (Math.max(...ys) - Math.min(...ys)) / 2 || 1;
  return places.every(([x, y]) => Math.abs(Math.hypot((x - mx) / rx, (y - my) / ry) - 1) < 0.16);
}

/** Return a function from a seat's number to its angle on an ellipse, clockwise, so that all seats are equally far apart. */
function around(n, rx, ry) {
  const steps = 360, far = new Float64Array(steps + 1);
  for (let i = 1; i <= steps; i++) { const a = ((i - 0.5) / steps) * 2 * Math.PI; far[i] = far[i - 1] + Math.hypot(rx * Math.cos(a), ry * Math.sin(a)); }
  return (seat) => {
    const wanted = (((seat / n) % 1) + 1) % 1 * far[steps];
    let i = 1;
    while (i < steps && far[i] < wanted) i++;
    return -Math.PI / 2 + ((i - 1 + (wanted - far[i - 1]) / (far[i] - far[i - 1] || 1)) / steps) * 2 * Math.PI;
  };
}

/** Find a place for each process in a box, with room for names. */
function layOut(c, told, w, h) {
  const { welcome, game } = told, named = !!told.name;
  const n = welcome.processes.length, baskets = game?.kind === "baskets" && n >= 3;
  let places = welcome.places.length === n && n ? welcome.places : Array.from({ length: n }, (_, i) => [0.5 + 0.5 * Math.sin((2 * Math.PI * i) / n), 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n)]);
  const ring = baskets || ringOf(places), big = Math.min(w, h);
  const k = told.scale ?? 1;
  let d = Math.min(54 * k, Math.max(9, big * (n > 60 ? 0.9 / Math.sqrt(n) : n > 14 ? 1.7 / n : 0.11)));
  if (ring) d = Math.min(d, (1.75 * Math.min(w * 0.7, h * 0.8)) / n);
  d = round1(Math.max(7, d));
  const m = { w, h, n, d, k, ring, baskets, x: new Float64Array(n), y: new Float64Array(n), cx: w / 2, cy: h / 2 };
  const px = named ? Math.max(12, Math.min((told.most ?? 22) * k, d * 0.42)) : 0;
  m.px = px;
  let widest = 0;
  if (named && ring && n <= 60) for (let p = 0; p < n; p++) widest = Math.max(widest, wide(c, told.name(p) || "", px, 600), told.under ? wide(c, told.under(p, told.game) || "", Math.max(11, px * 0.72)) : 0);
  if (baskets) {
    // The order around the table is the one in which the word passes, to the right.
    const order = [0];
    while (order.length < n) { const to = game.right[order.at(-1)]; if (to === undefined || order.includes(to)) break; order.push(to); }
    if (order.length < n) for (let i = 0; i < n; i++) if (!order.includes(i)) order.push(i);
    const side = named ? Math.min(w * 0.26, widest + d / 2 + 24) : d * 0.9;
    m.rx = Math.max(60, Math.min(w / 2 - side - d * 0.2, h * 0.95)); m.ry = Math.max(50, Math.min(m.rx * 1.3, h / 2 - d * 0.75 - 26)); m.cy = h / 2 + 10;
    m.order = order;
    m.angle = around(n, m.rx, m.ry);
    order.forEach((p, i) => { const a = m.angle(i); m.x[p] = m.cx + m.rx * Math.cos(a); m.y[p] = m.cy + m.ry * Math.sin(a); });
    return m;
  }
  const xs = places.map(([x]) => x), ys = places.map(([, y]) => y), low = [Math.min(...xs), Math.min(...ys)], span = [Math.max(...xs) - low[0], Math.max(...ys) - low[1]];
  const side = d * 0.8 + 4 + (named ? (ring ? Math.min(w * 0.26, widest + 14) : px * 2) : 0), above = d * 0.8 + 4 + (ring && named ? px * 1.7 : 0), below = d * 0.7 + 4 + (named ? px * 1.9 : 0);
  const scale = Math.min(span[0] ? (w - 2 * side) / span[0] : Infinity, span[1] ? (h - above - below) / span[1] : Infinity), by = isFinite(scale) ? Math.max(scale, 1) : 1;
  m.cy = (above + h - below) / 2;
  places.forEach(([x, y], i) => { m.x[i] = w / 2 + (x - low[0] - span[0] / 2) * by; m.y[i] = m.cy + (y - low[1] - span[1] / 2) * by; });
  m.radius = (Math.min(span[0], span[1]) / 2) * by;
  return m;
}

/** The sign of what a seat has done: chosen, choosing, or played by the program. */
export function drawBadge(c, x, y, kind, r = 12) {
  const s = r / 12;
  c.save(); c.translate(x, y); c.lineCap = c.lineJoin = "round";
  c.beginPath(); c.arc(0, 0, r, 0, 7);
  c.fillStyle = ink(kind === "chosen" ? "accent-base" : kind === "away" ? "check-warnSoft" : "surface-panel"); c.fill();
  c.strokeStyle = ink(kind === "chosen" ? "surface-panel" : kind === "away" ? "check-warn" : "border-control"); c.lineWidth = kind === "chosen" ? 2 : 1.5;
  if (kind === "choosing") c.setLineDash([3.5, 2.5]);
  c.stroke(); c.setLineDash([]);
  if (kind === "choosing") { c.fillStyle = ink("text-secondary"); for (const k of [-1, 0, 1]) { c.beginPath(); c.arc(k * 5 * s, 0, 1.7 * s, 0, 7); c.fill(); } }
  else {
    c.scale(0.62 * s, 0.62 * s); c.translate(-12, -12.5); c.lineWidth = 2.4;
    c.strokeStyle = ink(kind === "chosen" ? "text-onAccent" : kind === "away" ? "check-warn" : "text-secondary");
    c.stroke(path2d(iconPath({ chosen: "lock", away: "wifi" }[kind] ?? "chip")));
  }
  c.restore();
}
function crown(c, x, y, k) {
  c.save(); c.translate(x - 13 * k, y); c.scale(k, k);
  c.fillStyle = ink("play-crown"); c.strokeStyle = ink("state-4-outline"); c.lineWidth = 1.4; c.lineJoin = "round";
  const path = path2d("M0 18V4l7 7 6-10 6 10 7-7v14z"); c.fill(path); c.stroke(path); c.restore();
}

export class Stage {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => object | null} asked what to draw: `welcome`, `run`, `t`, `game`, and for each process `name`,
   *   `under` (words below the name), `badge`, `free` and `fresh` (0 to 1, how new); `figure` [value, words, words].
   */
  constructor(canvas, asked) {
    this.canvas = canvas; this.asked = asked;
    new ResizeObserver(() => this.paint()).observe(canvas);
  }
  paint() {
    const on = canvasOf(this.canvas), told = this.asked();
    if (!on || !told?.welcome) return;
    const { c, w, h } = on, { welcome, run, game } = told, looks = welcome.looks ?? {};
    const m = this.m = layOut(c, told, w, h);
    const k = run ? run.until(told.t ?? Infinity) : 0, now = run?.at(k);
    const speaking = new Set(m.baskets ? game.speaking ?? [] : []), leads = new Set(game?.leads ?? []);
    const kinds = new Map(), look = (p) => {
      if (m.baskets) return lookOf(told.hidden ? null : looks.states?.[speaking.has(p) ? "speaking" : "listening"] ?? { shape: speaking.has(p) ? "pentagon" : "circle", fill: speaking.has(p) ? ["#722948", "#BC9BB8"] : ["#F0E442", "#F0E442"], line: speaking.has(p) ? ["#722948", "#BC9BB8"] : ["#7D7722", "#F0E442"] });
      const state = run ? run.stateName(now, p) : Object.keys(looks.states ?? {})[0];
      return kinds.get(state) ?? (kinds.set(state, lookOf(looks.states?.[state])), kinds.get(state));
    };
    if (m.baskets) this.table(c, m, game, told);
    else this.links(c, m, welcome, now, k, run, told);
    for (let p = 0; p < m.n; p++) {
      const free = told.free?.(p) ?? false, fresh = told.fresh?.(p) ?? 0;
      drawProcess(c, m.x[p], m.y[p], m.d, look(p), { label: welcome.processes[p], crashed: !!now?.down[p], free, neutral: told.hidden && m.baskets, ring: fresh > 0 ? ink("accent-base") : null });
      if (game?.kind === "illegal" && game.illegal?.includes(p)) { c.beginPath(); c.arc(m.x[p], m.y[p], m.d * 0.78, 0, 7); c.strokeStyle = ink("fault-base"); c.lineWidth = Math.max(2, 3 * m.k); c.setLineDash([6, 4]); c.stroke(); c.setLineDash([]); }
      if (told.mine === p || told.chosen === p) { c.beginPath(); c.arc(m.x[p], m.y[p], m.d * 0.68, 0, 7); c.strokeStyle = ink("accent-ring"); c.lineWidth = 2.5; c.stroke(); }
      if (leads.has(p) && m.d > 20) crown(c, m.x[p], m.y[p] - m.d * 0.95, m.d / 52);
      const badge = told.badge?.(p);
      if (badge && m.d > 20) drawBadge(c, m.x[p] + m.d * 0.46, m.y[p] - m.d * 0.39, badge, Math.min(12 * m.k, m.d * 0.24));
    }
    if (told.name) this.names(c, m, told, leads);
    if (told.figure) this.figure(c, m, told.figure);
  }
  links(c, m, welcome, now, k, run, told) {
    m.crossed = !m.ring || welcome.links.length > m.n;
    const few = welcome.links.length < 100;
    c.lineWidth = few ? (m.d > 30 ? 2.2 * m.k : 1.6) : 0.7;
    const circle = m.ring && m.radius && welcome.links.length === m.n && welcome.links.every(([a, b]) => { const away = Math.abs(a - b); return away === 1 || away === m.n - 1; });
    const cutOff = ([a, b]) => now?.cut.size > 0 && now.cut.has(`${Math.min(a, b)} ${Math.max(a, b)}`);
    for (const off of [false, true]) {
      c.strokeStyle = ink(off ? "fault-base" : few ? "link-base" : "link-dim"); c.setLineDash(off ? [5, 5] : []);
      c.beginPath();
      for (const link of welcome.links) {
        if (cutOff(link) !== off) continue;
        const [a, b] = link, ax = m.x[a], ay = m.y[a];
        c.moveTo(ax, ay);
        if (circle && !run) { const p = Math.atan2(ay - m.cy, ax - m.cx), q = Math.atan2(m.y[b] - m.cy, m.x[b] - m.cx); c.arc(m.cx, m.cy, Math.hypot(ay - m.cy, ax - m.cx), p, q, Math.sin(q - p) < 0); }
        else c.lineTo(m.x[b], m.y[b]);
      }
      c.stroke();
    }
    c.setLineDash([]);
    if (!run) return;
    const size = m.d > 30 ? 15 * m.k : m.d > 18 ? 11 : 6;
    for (const each of run.flying(told.t ?? run.end)) {
      const { from, to, share } = each;
      if (from < 0 || to < 0 || from >= m.n || to >= m.n || from === to) continue;
      const dx = m.x[to] - m.x[from], dy = m.y[to] - m.y[from], far = Math.hypot(dx, dy) || 1, inset = m.d * 0.6, room = Math.max(4, far - 2 * inset), lane = Math.min(6, m.d * 0.16);
      const at = inset + room * share, x = m.x[from] + (dx / far) * at - (dy / far) * lane, y = m.y[from] + (dy / far) * at + (dx / far) * lane;
      drawHead(c, x, y, Math.atan2(dy, dx), messageLook(welcome.looks ?? {}, run.labels[each.label]), size, ink("surface-canvas"));
    }
  }
  table(c, m, game, told) {
    const { cx, cy } = m, rx = m.rx - m.d * 0.72, ry = m.ry - m.d * 0.68;
    c.fillStyle = ink("play-shadow"); c.beginPath(); c.ellipse(cx, cy + 7, rx, ry, 0, 0, 7); c.fill();
    c.fillStyle = ink("play-table"); c.strokeStyle = ink("play-edge"); c.lineWidth = 2; c.beginPath(); c.ellipse(cx, cy, rx, ry, 0, 0, 7); c.fill(); c.stroke();
    const scale = Math.max(0.3, Math.min(0.95 * m.k, (rx * 5.2) / m.n / 92, ry / 190, ...[[rx - 10, 66, 96], [ry - 8, 44, 80]].map(([r, inset, size]) => { const chord = 2 * Math.sin(Math.PI / m.n); return (chord * r) / (size + chord * inset); })));
    m.inner = [rx - 118 * scale - 16, ry - 96 * scale - 12];
    m.order.forEach((p, i) => {
      const a = m.angle(i + 0.5), x = cx + (rx - 66 * scale - 10) * Math.cos(a), y = cy + (ry - 44 * scale - 8) * Math.sin(a) - 8 * scale, count = game.contents?.[p];
      c.save(); c.translate(x, y); c.scale(scale, scale);
      drawParts(c, basketPaths(known(count) ? count : 0));
      c.beginPath(); c.roundRect(-17, 33, 34, 25, 12.5); c.fillStyle = ink("surface-panel"); c.fill(); c.strokeStyle = ink("border-control"); c.lineWidth = 1.2; c.stroke();
      write(c, known(count) ? String(count) : "?", 0, 45.5, ink("text-primary"), { px: 17, weight: 700, align: "center" });
      c.restore();
    });
    if (told.figure || m.inner[0] < 70) return;
    c.strokeStyle = ink("play-edge"); c.lineWidth = 1.8; c.lineCap = "round";
    c.stroke(path2d(`M${round1(cx + 50)} ${round1(cy)}a56 18 0 0 1 -100 0m8 10l-9 -11l-3 13`));
  }
  figure(c, m, [value, words, small]) {
    let size = Math.max(26, Math.min(72 * m.k, (m.baskets ? m.ry : m.radius ?? m.h / 3) * 0.36));
    if (m.inner) { size = Math.max(26, Math.min(size, m.inner[1] * 0.95)); while (size > 26 && wide(c, words, Math.max(13, size * 0.34), 600) > 2 * m.inner[0]) size -= 2; }
    if (m.inner && (wide(c, small, Math.max(12, size * 0.29)) > 1.5 * m.inner[0] || m.inner[1] < size * 0.9)) small = "";
    const colour = m.baskets ? ink("play-ink") : ink("text-primary"), gap = size * 0.32, y = m.cy - size * (small ? 0.42 : 0.3);
    if (!m.baskets && m.crossed) { // links run through the middle
      const half = Math.max(size * 0.7, wide(c, words, Math.max(13, size * 0.34), 600) / 2, small ? wide(c, small, Math.max(12, size * 0.29)) / 2 : 0) + 12;
      c.globalAlpha = 0.94; c.fillStyle = ink("surface-canvas"); c.beginPath(); c.roundRect(m.cx - half, y - size * 0.6, 2 * half, size * (small ? 2.1 : 1.6), 12); c.fill(); c.globalAlpha = 1;
    }
    write(c, String(value), m.cx, y, colour, { px: size, weight: 700, align: "center" });
    write(c, words, m.cx, y + size * 0.62 + gap * 0.5, colour, { px: Math.max(13, size * 0.34), weight: 600, align: "center" });
    if (small) write(c, small, m.cx, y + size * 1.08 + gap * 0.6, m.baskets ? ink("play-ink") : ink("text-secondary"), { px: Math.max(12, size * 0.29), align: "center" });
    if (!m.baskets) return;
    const down = y + size * 1.5 + gap * 0.4, r = Math.min(size * 1.5, m.inner[0]);
    if (!small || down + r * 0.3 > m.cy + m.inner[1]) return;
    c.strokeStyle = ink("play-edge"); c.lineWidth = 1.8; c.lineCap = c.lineJoin = "round";
    c.stroke(path2d(`M${round1(m.cx + r)} ${round1(down)}a${round1(r * 1.1)} ${round1(r * 0.3)} 0 0 1 ${round1(-2 * r)} 0m${round1(r * 0.1)} ${round1(r * 0.12)}l${round1(-r * 0.11)} ${round1(-r * 0.13)}l${round1(-r * 0.05)} ${round1(r * 0.15)}`));
  }
  names(c, m, told, leads) {
    const px = m.px, halo = m.ring ? null : ink("surface-canvas");
    if (m.n > 14 && m.d < 26 && !m.baskets) return;
    if (!m.ring && m.h / Math.sqrt(m.n) < m.d + 1.7 * px) return; // the names would cover the processes below
    for (let p = 0; p < m.n; p++) {
      const words = told.name(p), under = told.under?.(p, told.game), fresh = told.fresh?.(p) ?? 0;
      if (!words) continue;
      const weight = told.faint?.(p) ? 400 : 600, colour = fresh > 0 ? ink("accent-base") : ink(told.faint?.(p) ? "text-secondary" : "text-primary");
      let size = fresh > 0 ? px * 1.2 : px;
      if (!m.ring) {
        const room = Math.max(m.d * 2, (m.w / Math.sqrt(m.n)) * 0.9);
        write(c, cut(c, words, room, size, weight), m.x[p], m.y[p] + m.d / 2 + px * 0.85, colour, { px: size, weight, align: "center", halo });
        continue;
      }
      const a = Math.atan2((m.y[p] - m.cy) * (m.rx ? m.rx / m.ry : 1), m.x[p] - m.cx), cos = Math.cos(a), sin = Math.sin(a), middle = Math.abs(cos) < 0.22;
      const aside = middle && m.baskets, side = cos >= -0.05 || aside ? 1 : -1;
      let x = m.x[p] + side * (m.d * 0.5 + (m.d > 30 ? 14 : 8)), y = m.y[p] + (m.baskets ? 0 : sin * m.d * 0.22), align = side > 0 ? "left" : "right";
      if (middle && !aside) {
        if (sin < 0 && leads.has(p)) { x = m.x[p] + m.d * 0.85; y = m.y[p] - m.d * 0.42; align = "left"; }
        else { x = m.x[p]; y = m.y[p] + Math.sign(sin) * (m.d / 2 + px * 0.95); align = "center"; }
      }
      let room = align === "left" ? m.w - x - 6 : align === "right" ? x - 6 : m.w * 0.5;
      if (aside) for (let q = 0; q < m.n; q++) if (q !== p && m.x[q] > x && Math.abs(m.y[q] - y) < m.d * 0.75) room = Math.min(room, m.x[q] - m.d * 0.55 - x);
      if (room < 20) continue;
      if (aside) size = Math.max(size * 0.6, Math.min(size, (size * room) / wide(c, words, size, weight)));
      write(c, cut(c, words, room, size, weight), x, y - (under ? px * 0.35 : 0), colour, { px: size, weight, align });
      if (under && !(aside && wide(c, under, Math.max(11, px * 0.72)) > room)) write(c, cut(c, under, room, Math.max(11, px * 0.72)), x, y + px * 0.78, ink("text-secondary"), { px: Math.max(11, px * 0.72), align });
    }
  }
  /** The process at a point of the canvas, or -1. */
  hit(x, y) {
    const m = this.m;
    if (!m) return -1;
    let best = -1, near = Math.max(22, m.d * 0.75);
    for (let p = 0; p < m.n; p++) { const away = Math.hypot(m.x[p] - x, m.y[p] - y); if (away < near) { near = away; best = p; } }
    return best;
  }
}
export { wide };
