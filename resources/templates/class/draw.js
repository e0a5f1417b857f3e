// Shapes, message heads, baskets and curves. Each is a path, so that a canvas and an SVG picture draw the same.

import { el, svg } from "./dom.js";

export const dark = matchMedia("(prefers-color-scheme: dark)"), calm = matchMedia("(prefers-reduced-motion: reduce)");
export const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
const cache = new Map();
/** A colour of the theme by its name in the style sheet: "text-primary". */
export function ink(name) {
  if (!cache.has(name)) cache.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "#888");
  return cache.get(name);
}
const repaint = new Set();
/** Call a function when the colours have changed. */
export const onTheme = (call) => repaint.add(call);
export function themed() { cache.clear(); for (const call of repaint) call(); }
dark.addEventListener("change", themed);
/** The one of two colours, light and dark, that the theme needs. */
export const pick = (pair) => (Array.isArray(pair) ? pair[isDark() ? 1 : 0] ?? pair[0] : pair);
/** The ink that can be read on a colour. */
export function readable(colour) {
  const part = (i) => { const v = parseInt(colour.slice(i, i + 2), 16) / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  if (!/^#[0-9a-f]{6}/i.test(colour)) return "#16191D";
  const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  return (light + 0.05) / 0.0588 >= 1.05 / (light + 0.05) ? "#16191D" : "#FFFFFF";
}

// ------------------------------------------------------------------ processes, all with the area of the circle

const CORNERS = { hexagon: [6, 0], square: [4, -45], diamond: [4, -90], "triangle-up": [3, -90], "triangle-down": [3, 90], pentagon: [5, -90] };
const round2 = (value) => Math.round(value * 100) / 100;
/** The path of a shape around 0, 0 with the area of the circle of diameter d. */
export function shapePath(shape, d) {
  const area = (Math.PI * d * d) / 4;
  if (shape === "plus") {
    const q = round2(1.5 * Math.sqrt(area / 5)), h = round2(q / 3);
    return `M${-h} ${-q}H${h}V${-h}H${q}V${h}H${h}V${q}H${-h}V${h}H${-q}V${-h}H${-h}z`;
  }
  if (!CORNERS[shape]) { const r = round2(d / 2); return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0z`; }
  const [n, begin] = CORNERS[shape], r = Math.sqrt((2 * area) / (n * Math.sin((2 * Math.PI) / n)));
  return "M" + Array.from({ length: n }, (_, i) => { const a = (begin * Math.PI) / 180 + (2 * Math.PI * i) / n; return `${round2(r * Math.cos(a))} ${round2(r * Math.sin(a))}`; }).join("L") + "z";
}
const HEADS = {
  triangle: [[1.25, 0], [-0.85, 0.95], [-0.85, -0.95]], square: [[-0.82, -0.82], [0.82, -0.82], [0.82, 0.82], [-0.82, 0.82]], diamond: [[1.2, 0], [0, 1], [-1.2, 0], [0, -1]],
  bar: [[-0.32, -1], [0.32, -1], [0.32, 1], [-0.32, 1]], chevron: [[-0.9, -1], [-0.28, -1], [1, 0], [-0.28, 1], [-0.9, 1], [0.38, 0]],
};
export function headPath(head, size) {
  const r = size / 2;
  if (!HEADS[head]) return `${shapePath("circle", size * 0.92)}${shapePath("circle", size * 0.34)}`;
  return "M" + HEADS[head].map(([a, b]) => `${round2(a * r)} ${round2(b * r)}`).join("L") + "z";
}
const LOOK = { shape: "circle", fill: ["#F0E442", "#F0E442"], line: ["#7D7722", "#F0E442"], glyph: "●", words: "" };
/** How a state is drawn, with the colours of the theme. */
export function lookOf(look) {
  const given = { ...LOOK, ...(look ?? {}) }, fill = pick(given.fill);
  return { shape: given.shape, fill, line: pick(given.line) ?? fill, words: given.words ?? "", ink: readable(fill) };
}
export function messageLook(looks, label) {
  const given = looks.messages?.[label] ?? { head: "triangle", colour: ["#1A8063", "#A6F9D6"], words: label };
  return { head: given.head, colour: pick(given.colour), words: given.words || label };
}
/** A process as a picture; `look` null draws it neutral, so that nothing says what its state is. */
export function processPicture(name, look, size = 58) {
  const d = size * 0.8, drawn = look ? lookOf(look) : null;
  const lift = { "triangle-up": d * 0.08, "triangle-down": -d * 0.08 }[drawn?.shape] ?? 0, short = String(name).slice(0, 6);
  return svg("svg", { width: size, height: size, viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, class: "mark", "aria-hidden": "true" },
    drawn ? svg("path", { d: shapePath(drawn.shape, d * 0.94), fill: drawn.fill, stroke: drawn.line, "stroke-width": 1.6, "stroke-linejoin": "round" })
      : svg("circle", { r: d * 0.44, fill: "var(--surface-panel)", stroke: "var(--border-strong)", "stroke-width": 2 }),
    name !== "" && svg("text", { y: d * 0.13 + lift, "font-size": round2(d * (short.length > 3 ? 0.24 : 0.38)), "font-weight": 700, "text-anchor": "middle", fill: drawn ? drawn.ink : "var(--text-primary)" }, short));
}
export function headPicture(looks, label, size = 34) {
  const look = messageLook(looks, label);
  return svg("svg", { width: size, height: size, viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, "aria-hidden": "true", class: "mark" },
    svg("path", { d: headPath(look.head, size * 0.62), fill: look.colour, "fill-rule": "evenodd" }));
}

// ------------------------------------------------------------------ baskets of apples

const SPOTS = [[0, 7], [-19, 7], [19, 7], [-9.5, -9], [9.5, -9], [0, -24], [-28.5, -9], [28.5, -9], [-19, -24], [19, -24]];
function applePaths(x, y, r) {
  const at = (a, b) => `${round2(x + r * a)} ${round2(y + r * b)}`;
  return [
    { d: `M${at(0, -0.62)}C${at(-0.5, -1.15)} ${at(-1.15, -0.75)} ${at(-1.05, 0.1)}C${at(-1, 0.9)} ${at(-0.35, 1.15)} ${at(0, 0.85)}C${at(0.35, 1.15)} ${at(1, 0.9)} ${at(1.05, 0.1)}C${at(1.15, -0.75)} ${at(0.5, -1.15)} ${at(0, -0.62)}z`, fill: "play-apple", line: "play-appleLine", width: 1 },
    { d: `M${at(0, -0.62)}Q${at(0.1, -1.12)} ${at(0.45, -1.32)}`, line: "play-stalk", width: 1.5 },
    { d: `M${at(0.3, -0.95)}Q${at(0.9, -1.3)} ${at(1.1, -0.85)}Q${at(0.65, -0.5)} ${at(0.3, -0.85)}z`, fill: "play-leaf" },
    { d: `M${at(-0.6, -0.12)}a${round2(r * 0.18)} ${round2(r * 0.34)} 0 1 0 ${round2(r * 0.36)} 0a${round2(r * 0.18)} ${round2(r * 0.34)} 0 1 0 ${round2(-r * 0.36)} 0z`, fill: "play-shine", opacity: 0.55 },
  ];
}
/** The paths of a basket with some apples, about 92 wide, from -52 (many apples) to 34. */
export function basketPaths(count) {
  const apples = SPOTS.slice(0, Math.min(count, SPOTS.length)).sort((a, b) => a[1] - b[1]);
  return [
    { d: "M-46 24a46 11 0 1 0 92 0a46 11 0 1 0 -92 0z", fill: "play-shadow" },
    { d: "M-42 -2H42L33 28H-33z", fill: "play-inside", line: "play-rim", width: 1.6 },
    ...apples.flatMap(([x, y]) => applePaths(x, y - 2, 9.5)),
    { d: "M-42 9H42L33 30H-33z", fill: "play-basket", line: "play-rim", width: 1.6 },
    { d: Array.from({ length: 7 }, (_, i) => { const x = -34 + 11 * i; return `M${x} 10l${round2(-x * 0.16)} 19`; }).join("") + "M-38 19H38", line: "play-rim", width: 1, opacity: 0.55 },
  ];
}
const pathNode = (part) => svg("path", { d: part.d, fill: part.fill ? `var(--${part.fill})` : "none", stroke: part.line ? `var(--${part.line})` : undefined, "stroke-width": part.width, "stroke-linejoin": "round", "stroke-linecap": "round", opacity: part.opacity });
export const known = (count) => typeof count === "number" && isFinite(count);
function basketNode(x, y, scale, count, changed) {
  const words = known(count) ? String(count) : "?";
  return svg("g", { transform: `translate(${x} ${y}) scale(${scale})` }, basketPaths(known(count) ? count : 0).map(pathNode),
    svg("rect", { x: -17, y: 33, width: 34, height: 25, rx: 12.5, fill: "var(--surface-panel)", stroke: changed ? "var(--accent-base)" : "var(--border-control)", "stroke-width": changed ? 2.4 : 1.2 }),
    svg("text", { y: 51, "font-size": 17, "font-weight": 700, "text-anchor": "middle", fill: "var(--text-primary)" }, words));
}
/** The two baskets that a player sees. */
export function basketsPicture(picture, words) {
  return svg("svg", { class: "baskets", viewBox: "0 0 360 206", role: "img", "aria-label": words.label },
    svg("text", { x: 94, y: 18, class: "caption" }, words.left), svg("text", { x: 266, y: 18, class: "caption" }, words.right),
    basketNode(94, 112, 1.5, picture.left), basketNode(266, 112, 1.5, picture.right));
}
/** The baskets before and after a round. */
export function beforeAndNow(before, after, words) {
  return svg("svg", { class: "baskets", viewBox: "0 0 296 112", role: "img", "aria-label": words.label },
    svg("text", { x: 65, y: 13, class: "small" }, words.before), svg("text", { x: 231, y: 13, class: "small" }, words.now),
    basketNode(32, 62, 0.66, before.left), basketNode(98, 62, 0.66, before.right),
    svg("path", { d: "M141 64h14m-5 -5l5 5l-5 5", fill: "none", stroke: "var(--text-secondary)", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }),
    basketNode(198, 62, 0.66, after.left, after.left !== before.left), basketNode(264, 62, 0.66, after.right, after.right !== before.right));
}

// ------------------------------------------------------------------ on a canvas

const paths = new Map();
export function path2d(d) {
  if (!paths.has(d)) { if (paths.size > 600) paths.clear(); paths.set(d, new Path2D(d)); }
  return paths.get(d);
}
export function drawParts(c, parts) {
  for (const part of parts) {
    c.globalAlpha = part.opacity ?? 1;
    if (part.fill) { c.fillStyle = ink(part.fill); c.fill(path2d(part.d)); }
    if (part.line) { c.strokeStyle = ink(part.line); c.lineWidth = part.width; c.lineCap = c.lineJoin = "round"; c.stroke(path2d(part.d)); }
  }
  c.globalAlpha = 1;
}
let family = "";
export function write(c, words, x, y, colour, { px = 13, weight = 400, align = "left", halo = null } = {}) {
  family ||= getComputedStyle(document.body).fontFamily;
  c.font = `${weight} ${px}px ${family}`; c.textAlign = align; c.textBaseline = "alphabetic";
  const base = y + px * 0.36;
  if (halo) { c.strokeStyle = halo; c.lineWidth = 4; c.lineJoin = "round"; c.strokeText(words, x, base); }
  c.fillStyle = colour; c.fillText(words, x, base);
}
const measured = new Map(), shortened = new Map();
/** The value that was found for a key, or else computed now; a few thousand are kept. */
function kept(map, key, compute) {
  let found = map.get(key);
  if (found === undefined) { found = compute(); if (map.size > 5000) map.clear(); map.set(key, found); }
  return found;
}
export function wide(c, words, px, weight = 400) {
  return kept(measured, `${weight} ${px} ${words}`, () => { family ||= getComputedStyle(document.body).fontFamily; c.font = `${weight} ${px}px ${family}`; return c.measureText(words).width; });
}
/** The words, shortened until they are no wider than `room`. */
export function cut(c, words, room, px, weight = 400) {
  return kept(shortened, `${weight} ${px} ${Math.floor(room)} ${words}`, () => {
    if (wide(c, words, px, weight) <= room) return words;
    let short = [...words];
    while (short.length > 1 && wide(c, short.join("") + "…", px, weight) > room) short.pop();
    return short.join("") + "…";
  });
}
/** Draw again and again, but at most a fifth of the time: `due` tells whether enough time has passed. */
export function paced(draw) {
  let ended = 0, took = 0;
  return {
    due: () => performance.now() - ended >= 4 * took,
    paint() { const began = performance.now(); draw(); ended = performance.now(); took = ended - began; },
  };
}
export function drawProcess(c, x, y, d, look, { label = "", crashed = false, free = false, neutral = false, ring = null, px = 0 } = {}) {
  c.save(); c.translate(x, y);
  c.lineJoin = "round"; c.setLineDash([]);
  const shape = free || neutral ? "circle" : look.shape, path = path2d(shapePath(shape, round2(d)));
  if (ring) { c.globalAlpha = 0.16; c.fillStyle = ring; c.beginPath(); c.arc(0, 0, d * 0.86, 0, 7); c.fill(); c.globalAlpha = 0.24; c.beginPath(); c.arc(0, 0, d * 0.69, 0, 7); c.fill(); c.globalAlpha = 1; }
  let colour = look.ink;
  if (crashed || free || neutral) {
    c.fillStyle = ink(neutral ? "surface-panel" : "surface-canvas"); c.fill(path);
    c.strokeStyle = ink(crashed ? "fault-base" : "border-strong"); c.lineWidth = Math.max(1.2, d * 0.042);
    if (!neutral) c.setLineDash([d * 0.1, d * 0.087]);
    c.stroke(path); c.setLineDash([]);
    colour = ink(free ? "text-secondary" : "text-primary");
    if (crashed) { const r = d * 0.3; c.beginPath(); c.moveTo(-r, -r); c.lineTo(r, r); c.moveTo(r, -r); c.lineTo(-r, r); c.globalAlpha = 0.5; c.stroke(); c.globalAlpha = 1; }
  } else { c.fillStyle = look.fill; c.fill(path); c.strokeStyle = look.line; c.lineWidth = d < 20 ? 1.2 : 1.6; c.stroke(path); }
  if (label && d >= 15) {
    const room = d * (["triangle-up", "triangle-down", "plus"].includes(shape) ? 0.58 : 0.8);
    let size = px || Math.round(d * 0.4);
    const w = wide(c, label, size, 700);
    if (w > room) size = Math.max(7, Math.floor((size * room) / w));
    write(c, cut(c, label, d * 1.05, size, 700), 0, { "triangle-up": d * 0.07, "triangle-down": -d * 0.07 }[shape] ?? 0, colour, { px: size, weight: 700, align: "center" });
  }
  c.restore();
}
export function drawHead(c, x, y, angle, look, size, ground) {
  c.save(); c.translate(x, y); c.rotate(angle);
  const path = path2d(headPath(look.head, round2(size)));
  c.lineJoin = "round"; c.strokeStyle = ground; c.lineWidth = size >= 9 ? 2 : 1; c.stroke(path);
  c.fillStyle = look.colour; c.fill(path, "evenodd");
  c.restore();
}
/** Prepare a canvas for its size on the screen; return its pen and size, or null if it is not shown. */
export function canvasOf(canvas) {
  const w = canvas.clientWidth, h = canvas.clientHeight, ratio = Math.min(3, devicePixelRatio || 1);
  if (!w || !h) return null;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, w, h);
  return { c, w, h };
}

// ------------------------------------------------------------------ the clock, the curve, the histogram

/** A clock that shows how much of a time is left, as a ring with the minutes in it. */
export function ringClock(size, width, px) {
  const r = (size - width) / 2, round = 2 * Math.PI * r;
  const arc = svg("circle", { cx: size / 2, cy: size / 2, r, fill: "none", stroke: "var(--accent-base)", "stroke-width": width, "stroke-linecap": "round", transform: `rotate(-90 ${size / 2} ${size / 2})` });
  const words = svg("text", { x: size / 2, y: size / 2 + px * 0.36, "font-size": px, "font-weight": 700, "text-anchor": "middle", fill: "var(--text-primary)", "font-variant-numeric": "tabular-nums" });
  const node = svg("svg", { width: size, height: size, viewBox: `0 0 ${size} ${size}`, class: "clock", "aria-hidden": "true" },
    svg("circle", { cx: size / 2, cy: size / 2, r, fill: "none", stroke: "var(--border-subtle)", "stroke-width": width }), arc, words);
  node.set = (share, text, soon) => {
    arc.setAttribute("stroke-dasharray", `${round2(round * Math.max(0, Math.min(1, share)))} ${round2(round)}`);
    arc.style.visibility = share > 0.002 ? "visible" : "hidden";
    arc.setAttribute("stroke", `var(--${soon ? "check-violated" : "accent-base"})`);
    words.setAttribute("fill", `var(--${soon ? "check-violated" : "text-primary"})`);
    words.textContent = text;
  };
  return node;
}
const nice = (most, lines) => { const raw = Math.max(most, 1) / lines, power = 10 ** Math.floor(Math.log10(raw)); return [1, 2, 5, 10].find((f) => f * power >= raw - 1e-9) * power; };
/** The curve of the game by rounds, with the goal as a green band and the open round as a blue one. */
export function curve(figure, { width = 306, height = 84, px = 11, open = null, look = null, goal = "", label = "", openWords = "", axis = false, dot = 9 } = {}) {
  const points = (figure.points ?? []).filter(([, value]) => known(value));
  const lastRound = Math.max(width > 800 ? 14 : 6, ...points.map(([r]) => r + (open ? 1 : 0)), open ?? 0), aims = known(figure.goal);
  const top = Math.max(2, ...points.map(([, value]) => value), aims ? figure.goal : 0), step = Math.max(1, nice(top, Math.max(2, Math.floor(height / (px * 1.9)) - 1)));
  const x0 = axis ? px * 2 + 8 : 12, x1 = width - 12, y1 = height - px - 9, y0 = px * 0.6 + 6 + (openWords ? px : 0), most = axis ? Math.ceil(top / step) * step : top;
  const X = (r) => round2(x0 + (r / lastRound) * (x1 - x0)), Y = (v) => round2(y1 - (v / most) * (y1 - y0));
  const drawn = lookOf(look ?? { shape: "pentagon", fill: ["#722948", "#BC9BB8"], line: ["#722948", "#BC9BB8"] }), parts = [];
  if (axis) for (let v = 0; v <= most + 1e-9; v += step) parts.push(svg("path", { d: `M${x0} ${Y(v)}H${x1}`, stroke: "var(--border-subtle)" }), svg("text", { x: x0 - 8, y: Y(v) + px * 0.36, "font-size": px, "text-anchor": "end", fill: "var(--text-hint)" }, String(v)));
  if (aims) parts.push(svg("rect", { x: x0 - 4, y: Y(figure.goal) - 5, width: x1 - x0 + 8, height: 10, fill: "var(--check-holdsSoft)" }));
  if (open !== null && openWords) parts.push(svg("rect", { x: X(open - 1), y: y0 - 6, width: X(open) - X(open - 1), height: y1 - y0 + 6, fill: "var(--accent-soft)" }), svg("text", { x: (X(open - 1) + X(open)) / 2, y: y0 + px * 0.7, "font-size": px, "font-weight": 600, "text-anchor": "middle", fill: "var(--accent-base)" }, openWords));
  let d = "";
  points.forEach(([r, value], i) => { d += i ? `H${X(r)}V${Y(value)}` : `M${X(r)} ${Y(value)}`; });
  if (d) parts.push(svg("path", { d, fill: "none", stroke: drawn.fill, "stroke-width": Math.max(2.4, dot / 3), "stroke-linejoin": "round" }));
  if (points.length < 60) for (const [r, value] of points) parts.push(svg("path", { d: shapePath(drawn.shape, dot), transform: `translate(${X(r)} ${Y(value)})`, fill: drawn.fill, stroke: "var(--surface-panel)", "stroke-width": 1 }));
  if (aims && goal) {
    const last = points.at(-1), near = last && X(last[0]) > x1 - goal.length * px * 0.62 && Math.abs(Y(last[1]) - Y(figure.goal)) < 12;
    parts.push(svg("text", { x: near ? x0 + 6 : x1, y: Y(figure.goal) + px * 0.36, "font-size": px, "font-weight": 600, "text-anchor": near ? "start" : "end", fill: "var(--check-holds)" }, goal));
  }
  const every = Math.max(1, nice(lastRound, Math.max(2, Math.floor((x1 - x0) / (px * 3.4)))));
  for (let r = 0; r <= lastRound; r += every) parts.push(svg("text", { x: X(r), y: height - 2, "font-size": px, "text-anchor": "middle", fill: "var(--text-hint)" }, String(r)));
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, parts);
}
/** The answers to a question as rows, for answers in words. */
function answerRows(bars, histogram, label) {
  const most = Math.max(1, ...bars.map((bar) => bar.count)), same = (a, b) => a !== null && a !== undefined && String(a) === String(b);
  return el("ul", { class: "answers", "aria-label": label }, bars.map(({ value, count, words }) => el("li", { class: [same(histogram.right, value) && "right", same(histogram.mine, value) && "mine"].filter(Boolean).join(" ") },
    el("span", {}, same(histogram.right, value) && "✓ ", words), el("b", {}, String(count)), el("i", { "aria-hidden": "true", style: { width: `${round2((count / most) * 100)}%` } }))));
}
/** The answers to a question as columns; the right one has a thick outline, one's own a mark. */
export function columns(histogram, names, { width = 328, height = 150, px = 12, label = "", numbers = false } = {}) {
  let bars = histogram.bars.map(([value, count]) => ({ value, count, words: names.get(String(value)) ?? String(value) }));
  if (numbers && bars.length) {
    const found = new Map(bars.map((bar) => [Number(bar.value), bar])), low = Math.min(...found.keys()), high = Math.max(...found.keys(), Number.isInteger(histogram.right) ? histogram.right : -Infinity);
    if (high - low <= 24 && [...found.keys()].every(Number.isInteger)) bars = Array.from({ length: high - Math.min(low, high) + 1 }, (_, i) => found.get(low + i) ?? { value: low + i, count: 0, words: String(low + i) });
  }
  if (bars.some((bar) => bar.words.length > 4)) return answerRows(bars, histogram, label);
  const most = Math.max(1, ...bars.map((bar) => bar.count)), x0 = 6, x1 = width - 6, y1 = height - px * 2.1, y0 = px * 2;
  const pitch = Math.min((x1 - x0) / Math.max(1, bars.length), width / 4), from = (width - pitch * bars.length) / 2, parts = [];
  const every = Math.ceil((px * 1.6) / pitch);
  bars.forEach(({ value, count, words }, i) => {
    const x = from + pitch * i, h = (count / most) * (y1 - y0), right = histogram.right !== null && String(histogram.right) === String(value), mine = histogram.mine !== null && histogram.mine !== undefined && String(histogram.mine) === String(value);
    const inset = Math.min(3, pitch * 0.12);
    if (count) parts.push(svg("rect", { x: round2(x + inset), y: round2(y1 - h), width: round2(pitch - 2 * inset), height: round2(h), rx: 2.5, fill: mine ? "var(--accent-base)" : "var(--accent-base)", opacity: mine ? 1 : 0.72, stroke: right ? "var(--check-holds)" : undefined, "stroke-width": right ? 3 : undefined }),
      svg("text", { x: round2(x + pitch / 2), y: round2(y1 - h - px * 0.45), "font-size": px, "font-weight": 600, "text-anchor": "middle", fill: "var(--text-primary)" }, `${right ? "✓ " : ""}${count}`));
    else if (right) parts.push(svg("text", { x: round2(x + pitch / 2), y: y1 - 5, "font-size": px, "font-weight": 700, "text-anchor": "middle", fill: "var(--check-holds)" }, "✓"));
    const fits = Math.max(2, Math.floor(pitch / (px * 0.56))), short = words.length > fits ? words.slice(0, Math.max(1, fits - 1)) + "…" : words;
    if (i % every === 0 || mine) parts.push(svg("text", { x: round2(x + pitch / 2), y: y1 + px * 1.35, "font-size": px, "font-weight": mine ? 700 : 400, "text-anchor": "middle", fill: mine || right ? "var(--text-primary)" : "var(--text-secondary)" }, short));
  });
  parts.push(svg("path", { d: `M${x0} ${y1}H${x1}`, stroke: "var(--border-control)" }));
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, parts);
}
