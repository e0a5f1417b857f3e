// ------------------------------------------------------------------ what an animation declares

/** What processes say on the channels of one part, with the place of the declaration: [index, one answer a process]. */
const channelsOf = (part) => run.channels.slice(MORE).flatMap(({ part: own, index }, i) => (own === part ? [[index, now.more[i]]] : []));
/** What a crashed process held is pale. */
const paleOf = (p) => (now.crashed[p] ? 0.3 : 1);
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
function drawToken(c, x, y, size, slot, letter) {
  const look = stateLook(slot);
  disc(c, x, y, size / 2, look.fill); pen(c, theme.surface.canvas, Math.max(1.2, size * 0.1)); c.stroke();
  pen(c, look.label, Math.max(0.8, size * 0.06)); c.beginPath(); c.arc(x, y, size * 0.36, 0, 7); c.stroke();
  if (letter) text(c, letter, x, y, look.label, { px: Math.round(size * (letter.length < 2 ? 0.6 : 0.48)), weight: 600, align: "center" });
}
/** A picture inside a process: characters, or strokes M, L, Z with numbers from -1 to 1. */
function drawGlyph(c, x, y, half, drawing, ink) {
  if (drawing.length <= 2) return text(c, drawing, x, y, ink, { px: Math.round(half * 1.8), weight: 600, align: "center" });
  for (const stroke of drawing.split("M").slice(1)) {
    const at = (stroke.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    c.beginPath();
    for (let i = 0; i + 1 < at.length; i += 2) c.lineTo(x + at[i] * half, y + at[i + 1] * half);
    if (stroke.includes("Z")) { c.closePath(); c.fillStyle = ink; c.fill(); } else { pen(c, ink, Math.max(1.2, half * 0.22), [], "round"); c.stroke(); }
  }
}
const mix = (a, b, share) => "#" + [1, 3, 5].map((i) => Math.round(parseInt(a.slice(i, i + 2), 16) * (1 - share) + parseInt(b.slice(i, i + 2), 16) * share).toString(16).padStart(2, "0")).join("");
const scaleColor = (share) => mix(theme.surface.canvas, theme.chain.past, 0.18 + 0.82 * share);
/** The corners of the convex hull. */
function hull(points) {
  const ordered = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (rows) => {
    const chain = [];
    for (const q of rows) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(q);
    }
    return chain.slice(0, -1);
  };
  return ordered.length < 3 ? ordered : [...half(ordered), ...half(ordered.reverse())];
}
const groupColor = (place) => messageLook(place).color;

/** The dashes of what rests on something that is not so, in widths of the line. */
const WRONG = [2.5, 2];
const overlays = {
  /** Whether p holds q for something that q is not. */
  wrong(i, p, q) {
    const told = (part) => channelsOf(part).find(([index]) => index === i)?.[1], beliefs = told("beliefs");
    const text = beliefs && run.texts[beliefs[p]];
    return !!text && JSON.parse(text)[q] !== run.texts[told("truths")[q]];
  },
  sets: () => now.marks.map((sets, i) => (run.sets[i].selected ? sets.map((set, p) => (p === chosen ? set : [])) : sets)),
  /** Areas round processes of equal value, under everything else. */
  groups(c, m) {
    for (const [, codes] of channelsOf("groups")) {
      const names = [...new Set(codes)].filter(Boolean).sort((a, b) => run.texts[a].length - run.texts[b].length || (run.texts[a] < run.texts[b] ? -1 : 1));
      names.forEach((name, place) => {
        const corners = hull(onMap.filter((p) => codes[p] === name).map((p) => [m.x[p], m.y[p]])), air = m.d / 2 + 9;
        if (!corners.length) return;
        c.beginPath(); corners.forEach((at) => c.lineTo(...at)); c.lineTo(corners[0][0] + 0.01, corners[0][1]); c.closePath();
        c.fillStyle = mix(theme.surface.canvas, groupColor(place), 0.16);
        c.fill(); pen(c, c.fillStyle, 2 * air, [], "round"); c.stroke();
      });
    }
  },
  /** Directions of links, and sets drawn as arrows or arcs. */
  lines(c, m) {
    for (const [, given] of channelsOf("orientation")) {
      const sets = Array.isArray(given);
      for (let i = 0; i < L.a.length; i++) {
        const a = L.a[i], b = L.b[i];
        if (now.down[i]) continue;
        const there = sets ? given[a].has(b) : given[a] >= 0 && given[b] >= 0 && given[a] > given[b];
        const back = sets ? given[b].has(a) : given[a] >= 0 && given[b] >= 0 && given[b] > given[a];
        const size = Math.max(5, Math.min(m.d * 0.34, 3.2 * looks.line.treeEdge + 2));
        if (there) drawMiddleHead(c, theme.text.secondary, m.x[a], m.y[a], m.x[b], m.y[b], size);
        if (back) drawMiddleHead(c, theme.text.secondary, m.x[b], m.y[b], m.x[a], m.y[a], size);
      }
    }
    this.sets().forEach((sets, i) => {
      const { style, levels } = run.sets[i];
      if (style === "arrow" || style === "arc") sets.forEach((members, p) => [...members].forEach((q, level) => (c.globalAlpha = paleOf(p)) && this.arc(c, m, p, q, style, levels ? level : -1, stateLook(run.marked[i]).outline, this.wrong(i, p, q))));
    });
    c.globalAlpha = 1;
  },
  /** The holder's half of each link to a member: thick, or struck out. */
  halves(c, m) {
    const wide = looks.line.link, struck = [[theme.surface.canvas, wide + 1.5, []], [theme.link.base, wide * 0.8, [3, 5]]];
    this.sets().forEach((sets, i) => ({ thick: [[stateLook(run.marked[i]).outline, looks.line.treeEdge, []]], half: [[stateLook(run.marked[i]).outline, looks.line.treeEdge * 0.6, []]], struck }[run.sets[i].style] ?? []).forEach((each) => {
      for (const [pale, dashed] of [[0.3, false], [1, false], [0.3, true], [1, true]]) {
        const [color, width, dash] = each;
        pen(c, color, width, dashed ? WRONG.map((part) => part * width) : dash); c.globalAlpha = pale; c.beginPath();
        sets.forEach((members, p) => paleOf(p) === pale && members.forEach((q) => {
          if (this.wrong(i, p, q) !== dashed) return;
          if (run.sets[i].style !== "half" && !linkOf.has(Math.min(p, q) * N + Math.max(p, q))) return;
          c.moveTo(m.x[p], m.y[p]); c.lineTo((m.x[p] + m.x[q]) / 2, (m.y[p] + m.y[q]) / 2);
        }));
        c.stroke();
      }
    }));
  },
  arc(c, m, p, q, style, level, color, wrong) {
    const reach = looks.reach[document.documentElement.dataset.theme] ?? looks.reach.light, look = reach[Math.max(level, 0) % reach.length];
    const near = linkOf.has(Math.min(p, q) * N + Math.max(p, q)), plain = level < 0;
    drawArc(c, plain ? color : look.color, plain ? looks.line.treeEdge * 0.6 : look.width * 0.75, wrong ? WRONG.map((part) => part * looks.line.treeEdge * 0.6) : plain || look.dash === "solid" ? [] : look.dash.split(" ").map(Number),
      m.x[p], m.y[p], m.x[q], m.y[q], m.rim, near && style === "arrow" ? 0.1 : 0.2);
  },
  share(index, code) {
    const { low, high } = run.values[index];
    return clamp((run.numbers[code] - low) / (high - low), 0, 1);
  },
  /** Rings in the colour of a scale, below the processes. */
  rings(c, m) {
    for (const [index, codes] of channelsOf("values")) {
      if (run.values[index].style !== "colour") continue;
      for (const p of onMap) if (codes[p] >= 0) { const wide = Math.max(2.5, m.d * 0.12); pen(c, scaleColor(this.share(index, codes[p])), wide); c.beginPath(); c.arc(m.x[p], m.y[p], m.d * 0.64 + wide / 2, 0, 7); c.stroke(); }
    }
  },
  /** Bars and tokens at processes, tokens on messages. */
  above(c, m, heads) {
    let column = 0;
    for (const [index, codes] of channelsOf("values")) {
      if (run.values[index].style !== "bar") continue;
      const w = Math.max(5, m.d * 0.2) - 1.5, x = m.d * 0.5 + 3 + column++ * (w + 1.5);
      for (const p of onMap) if (codes[p] >= 0) {
        const high = m.d * this.share(index, codes[p]), left = m.x[p] + x, top = m.y[p] - m.d / 2;
        c.fillStyle = theme.surface.canvas; c.fillRect(left, top, w, m.d);
        c.fillStyle = theme.chain.future; c.fillRect(left, top + m.d - high, w, high);
        pen(c, theme.border.strong, 1); c.strokeRect(left, top, w, m.d);
      }
    }
    const taken = new Map(), size = Math.max(9, m.d * 0.46);
    for (const [index, there] of channelsOf("tokens")) {
      const { slot, letter } = run.tokens[index];
      for (const p of onMap) if (there[p] >= 0) { const place = taken.get(p) ?? 0; taken.set(p, place + 1); drawToken(c, m.x[p] - m.d * 0.55 + place * size, m.y[p] - m.d * 0.55, size, slot, letter); }
    }
    for (const { slot, letter, rides } of run.tokens) for (const { i, x, y } of heads) if (rides.includes(M.label[i])) drawToken(c, x, y, Math.max(size, m.head * 1.3), slot, letter);
  },
  glyph: (p) => channelsOf("glyphs").map(([, codes]) => run.texts[codes[p]])[0] ?? "",
  /** The sign of a legend's entry; false for what is not declared. */
  sign(c, item, left, y, wide) {
    const x = left + wide / 2, right = left + wide, style = item.sort === "mark" && run.sets[item.number].style, ink = stateLook(run.marked[item.number] ?? 0).outline;
    if (style === "dot") disc(c, x, y, 3.5, ink);
    else if (style === "thick" || style === "half") { pen(c, ink, style === "half" ? 2 : 3.5); line(c, left, y, right, y); }
    else if (style === "struck") { pen(c, theme.link.base, looks.line.link * 0.8, [3, 5]); line(c, left, y, right, y); }
    else if (style) drawArc(c, ink, 1.8, [], left, y + 3, right, y + 3, 0, -0.3);
    else if (item.sort === "orientation") { pen(c, theme.link.base, looks.line.link); line(c, left, y, right, y); drawMiddleHead(c, theme.text.secondary, left, y, right, y, 9); }
    else if (item.sort === "token") drawToken(c, x, y, 13, run.tokens[item.number].slot, run.tokens[item.number].letter);
    else if (item.sort === "value" && run.values[item.number].style === "bar") { c.fillStyle = theme.chain.future; c.fillRect(x - 3, y - 1, 6, 7); pen(c, theme.border.strong, 1); c.strokeRect(x - 3, y - 6, 6, 12); }
    else if (item.sort === "value") for (let i = 0; i < 5; i++) { c.fillStyle = scaleColor(i / 4); c.fillRect(left + i * wide / 5, y - 4, wide / 5, 8); }
    else if (item.sort === "group") { c.globalAlpha = 0.3; disc(c, x, y, 6, groupColor(0)); c.globalAlpha = 1; }
    else if (item.sort === "glyph") drawGlyph(c, x, y, 6, run.glyphs[item.number], theme.text.primary);
    else return false;
    return true;
  },
};
