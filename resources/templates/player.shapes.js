// ------------------------------------------------------------------ looks

const dusk = matchMedia("(prefers-color-scheme: dark)"), calm = matchMedia("(prefers-reduced-motion: reduce)");
let chosenTheme = null, theme = looks.themes.light, family = "sans-serif";
function setTheme(name) {
  theme = looks.themes[name];
  document.documentElement.dataset.theme = name;
  family = getComputedStyle(document.body).fontFamily;
  stale();
}
/** In a frame of a notebook, where text is light, the ground is dark; anywhere else, the system decides. */
const systemTheme = () => {
  if (chosenTheme) return chosenTheme;
  try {
    const [red, green, blue] = getComputedStyle(window.frameElement).color.match(/[\d.]+/g).map(Number);
    return red + green + blue > 384 ? "dark" : "light";
  } catch { return dusk.matches ? "dark" : "light"; }
};
const stateLook = (slot) => theme.state[slot % theme.state.length];
const messageLook = (kind) => theme.message[kind % theme.message.length];
/** The ground and the ink for a whole number, such as a term; neighbouring numbers differ. */
const tintOf = (n) => (n ? theme.tint[(n - 1) % 6] : { soft: theme.surface.panelAlt, ink: theme.text.secondary });
const dashOf = (kind) => { const d = messageLook(kind).dash; return d === "solid" ? [] : d.split(" ").map(Number); };
const font = (px, weight = 400) => `${weight} ${px}px ${family}`;
const SMALL = looks.type.small, CAPTION = looks.type.caption;

function pen(c, color, width, dash = [], cap = "butt") { c.strokeStyle = color; c.lineWidth = width; c.setLineDash(dash); c.lineCap = cap; c.lineJoin = "round"; }
function line(c, x1, y1, x2, y2) { c.beginPath(); c.moveTo(x1, y1); c.lineTo(x2, y2); c.stroke(); }
function disc(c, x, y, r, fill) { c.beginPath(); c.arc(x, y, r, 0, 7); c.fillStyle = fill; c.fill(); }
function cross(c, x, y, half, width, color) { pen(c, color, width, [], "round"); line(c, x - half, y - half, x + half, y + half); line(c, x + half, y - half, x - half, y + half); }
function text(c, words, x, y, color, { px = SMALL, weight = 400, align = "left", halo = null, middle = true } = {}) {
  c.font = font(px, weight); c.textAlign = align; c.textBaseline = "alphabetic";
  const base = middle ? y + px * 0.36 : y;
  if (halo) { pen(c, halo, 3.6); c.strokeText(words, x, base); }
  c.fillStyle = color; c.fillText(words, x, base);
}
function wide(c, words, px = SMALL, weight = 400) { c.font = font(px, weight); return c.measureText(words).width; }
function elided(c, words, room, px = SMALL, weight = 400) {
  if (wide(c, words, px, weight) <= room) return words;
  while (words && wide(c, words + "…", px, weight) > room) words = words.slice(0, -1);
  return words + "…";
}
function card(c, x, y, w, h, r, fill, edge, width = 1) {
  c.beginPath(); c.roundRect(x, y, w, h, r); c.fillStyle = fill; c.fill();
  if (edge) { pen(c, edge, width); c.stroke(); }
}

// ------------------------------------------------------------------ shapes, all with the area of the circle

const CORNERS = [0, 6, 4, 4, 3, 3, 5, 0], FIRST = [0, 0, -45, -90, -90, 90, -90, 0];
const paths = new Map();
function shape(slot, d) {
  slot %= 8;
  const key = slot + 8 * Math.round(d * 100);
  if (paths.has(key)) return paths.get(key);
  const path = new Path2D(), area = Math.PI * d * d / 4, n = CORNERS[slot];
  if (slot === 0) path.arc(0, 0, d / 2, 0, 7);
  else if (slot === 2) { const s = Math.sqrt(area); path.roundRect(-s / 2, -s / 2, s, s, d * 0.08); }
  else if (slot === 7) {
    const q = 1.5 * Math.sqrt(area / 5), h = q / 3;
    [[-h, -q], [h, -q], [h, -h], [q, -h], [q, h], [h, h], [h, q], [-h, q], [-h, h], [-q, h], [-q, -h], [-h, -h]].forEach((at) => path.lineTo(...at));
    path.closePath();
  } else {
    const r = Math.sqrt(2 * area / (n * Math.sin(2 * Math.PI / n)));
    for (let i = 0; i < n; i++) { const a = FIRST[slot] * Math.PI / 180 + 2 * Math.PI * i / n; path.lineTo(r * Math.cos(a), r * Math.sin(a)); }
    path.closePath();
  }
  if (paths.size > 500) paths.clear();
  paths.set(key, path);
  return path;
}
/** The diameter of the shape that is `by` pixels outside the shape of diameter d. */
function grown(slot, d, by) {
  const n = CORNERS[slot % 8];
  return Math.max(1, n ? d + by / Math.sqrt(Math.PI / 4 / (n * Math.tan(Math.PI / n))) : d + 2 * by);
}
function drawProcess(c, x, y, d, slot, { label = "", initiator = false, selected = false, hover = false, crashed = false, busy = NaN } = {}) {
  const look = stateLook(slot), small = d < 20;
  c.save(); c.translate(x, y);
  if (selected || hover) {
    const thick = selected ? looks.line.selectionRing : 1.3;
    pen(c, theme.selection, thick); c.stroke(shape(slot, grown(slot, d, looks.line.selectionGap + thick / 2 + 1.2)));
  }
  if (!isNaN(busy)) {
    const r = d / 2 + 7;
    c.globalAlpha = 0.22; pen(c, look.outline, looks.node.busyArc, [], "round"); c.beginPath(); c.arc(0, 0, r, 0, 7); c.stroke();
    c.globalAlpha = 1; c.beginPath(); c.arc(0, 0, r, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * clamp(busy, 0.02, 1)); c.stroke();
  }
  if (crashed) {
    const w = small ? 1.4 : 2.2;
    c.fillStyle = theme.surface.canvas; c.fill(shape(slot, d));
    pen(c, theme.fault.base, w, [2.4 * w, 1.6 * w]); c.stroke(shape(slot, d));
    cross(c, 0, 0, d * 0.62, small ? 2 : 3.4, theme.fault.base);
  } else {
    c.fillStyle = look.fill; c.fill(shape(slot, d));
    pen(c, look.outline, small ? 1.2 : looks.node.outline); c.stroke(shape(slot, d));
    if ((initiator || slot >= 8) && d >= 10) {
      c.globalAlpha = 0.85; pen(c, look.label, small ? 1 : looks.node.initiatorRing * 0.8);
      c.stroke(shape(slot, grown(slot, d, -Math.max(3.4, d * 0.1)))); c.globalAlpha = 1;
    }
  }
  if (label) {
    const room = d * ([4, 5, 7].includes(slot % 8) ? 0.58 : 0.78);
    let px = Math.max(7, Math.round(looks.node.label / looks.node.diameter.l * d));
    const w = wide(c, label, px, 600);
    if (w > room) px = Math.max(7, Math.floor(px * room / w));
    text(c, elided(c, label, d * 1.05, px, 600), 0, { 4: d * 0.05, 5: -d * 0.05 }[slot % 8] ?? 0,
      crashed ? theme.text.primary : look.label, { px, weight: 600, align: "center", halo: crashed ? theme.surface.canvas : null });
  }
  c.restore();
}
const HEADS = {
  triangle: [[1.25, 0], [-0.85, 0.95], [-0.85, -0.95]], square: [[-0.82, -0.82], [0.82, -0.82], [0.82, 0.82], [-0.82, 0.82]],
  diamond: [[1.2, 0], [0, 1], [-1.2, 0], [0, -1]], bar: [[-0.32, -1], [0.32, -1], [0.32, 1], [-0.32, 1]],
  chevron: [[-0.9, -1], [-0.28, -1], [1, 0], [-0.28, 1], [-0.9, 1], [0.38, 0]],
};
function drawHead(c, x, y, angle, kind, size, ground = theme.surface.canvas, color = messageLook(kind).color) {
  const look = messageLook(kind), r = size / 2, corners = HEADS[look.head];
  c.save(); c.translate(x, y); c.rotate(angle); c.beginPath();
  if (corners) { corners.forEach(([a, b]) => c.lineTo(a * r, b * r)); c.closePath(); } else c.arc(0, 0, r * 0.92, 0, 7);
  pen(c, ground, size >= 9 ? 1.6 : 0.8); c.stroke();
  c.fillStyle = color; c.fill();
  if (!corners) disc(c, 0, 0, size * 0.17, ground);
  c.restore();
}
function drawArrow(c, color, x1, y1, x2, y2, width, inset) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length <= inset + 1) return;
  const u = (x2 - x1) / length, v = (y2 - y1) / length, x = x2 - u * inset, y = y2 - v * inset, size = 3.2 * width + 2;
  pen(c, color, width); line(c, x1, y1, x - u * size, y - v * size);
  c.beginPath(); c.moveTo(x, y); c.lineTo(x - u * size - v * size / 2, y - v * size + u * size / 2);
  c.lineTo(x - u * size + v * size / 2, y - v * size - u * size / 2); c.closePath(); c.fillStyle = color; c.fill();
}
/** A bent line with a head at its end; it bends to the right. */
function drawArc(c, color, width, dash, x1, y1, x2, y2, inset, bend = 0.2) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length <= 2 * inset + 4) return;
  const mx = (x1 + x2) / 2 - (y2 - y1) * bend * 2, my = (y1 + y2) / 2 + (x2 - x1) * bend * 2;
  const towards = (x, y, far) => { const l = Math.hypot(mx - x, my - y) || 1; return [x + (mx - x) * far / l, y + (my - y) * far / l]; };
  const size = 3 * width + 2.5, a = towards(x1, y1, inset), b = towards(x2, y2, inset), neck = towards(...b, size * 0.9);
  pen(c, color, width, dash); c.beginPath(); c.moveTo(...a); c.quadraticCurveTo(mx, my, ...neck); c.stroke();
  const l = Math.hypot(b[0] - neck[0], b[1] - neck[1]) || 1, u = (b[0] - neck[0]) / l, v = (b[1] - neck[1]) / l;
  c.beginPath(); c.moveTo(...b); c.lineTo(b[0] - u * size - v * size / 2, b[1] - v * size + u * size / 2);
  c.lineTo(b[0] - u * size + v * size / 2, b[1] - v * size - u * size / 2); c.closePath(); c.fillStyle = color; c.fill();
}
/** A head a little beyond the middle of a line. */
function drawMiddleHead(c, color, x1, y1, x2, y2, size) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < size * 1.5) return;
  const u = (x2 - x1) / length, v = (y2 - y1) / length, x = (x1 + x2) / 2 + u * size * 0.75, y = (y1 + y2) / 2 + v * size * 0.75;
  c.beginPath(); c.moveTo(x, y); c.lineTo(x - u * size - v * size * 0.6, y - v * size + u * size * 0.6); c.lineTo(x - u * size * 0.7, y - v * size * 0.7);
  c.lineTo(x - u * size + v * size * 0.6, y - v * size - u * size * 0.6); c.closePath();
  pen(c, theme.surface.canvas, 2); c.stroke(); c.fillStyle = color; c.fill();
}
const mix = (a, b, share) => "#" + [1, 3, 5].map((i) => Math.round(parseInt(a.slice(i, i + 2), 16) * (1 - share) + parseInt(b.slice(i, i + 2), 16) * share).toString(16).padStart(2, "0")).join("");
