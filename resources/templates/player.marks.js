// ------------------------------------------------------------------ sets of processes

/** The dashes of marks that are based on a wrong belief, in widths of the line. */
const WRONG = [2.5, 2];
scripts.mark = class extends Piece {
  /** Whether p has a wrong belief about q. */
  wrong(i, p, q) {
    const told = (part) => channelsOf(part).find(([index]) => index === i)?.[1], beliefs = told("beliefs");
    const text = beliefs && run.texts[beliefs[p]];
    return !!text && JSON.parse(text)[q] !== run.texts[told("truths")[q]];
  }
  /** Each declaration with its place and the members that each process holds. */
  sets() { return channelsOf("marks").map(([i, sets]) => [this.parts[i], this.parts[i].selected ? sets.map((set, p) => (p === chosen ? set : [])) : sets, i]); }
  /** The holder's half of each link to a member: thick, or struck out. */
  lines(c, m) {
    if (!m.detailed) return;
    const wide = looks.line.link, struck = [[theme.surface.canvas, wide + 1.5, []], [theme.link.base, wide * 0.8, [3, 5]]];
    this.sets().forEach(([{ style, slot }, sets, i]) => ({ thick: [[stateLook(slot).outline, looks.line.treeEdge, []]], half: [[stateLook(slot).outline, looks.line.treeEdge * 0.6, []]], struck }[style] ?? []).forEach((each) => {
      for (const [pale, dashed] of [[0.3, false], [1, false], [0.3, true], [1, true]]) {
        const [color, width, dash] = each;
        pen(c, color, width, dashed ? WRONG.map((part) => part * width) : dash); c.globalAlpha = pale; c.beginPath();
        sets.forEach((members, p) => paleOf(p) === pale && members.forEach((q) => {
          if (this.wrong(i, p, q) !== dashed) return;
          if (style !== "half" && !linkOf.has(Math.min(p, q) * N + Math.max(p, q))) return;
          c.moveTo(m.x[p], m.y[p]); c.lineTo((m.x[p] + m.x[q]) / 2, (m.y[p] + m.y[q]) / 2);
        }));
        c.stroke();
      }
    }));
    c.globalAlpha = 1;
  }
  /** Dots, then arrows and arcs. */
  arrows(c, m) {
    if (!m.detailed) return;
    this.sets().forEach(([{ style, slot }, sets]) => style === "dot" && sets.forEach((members, p) => members.forEach((q) => {
      const to = way(m, p, q), x = to.x1 + (to.x2 - to.x1) * 0.04, y = to.y1 + (to.y2 - to.y1) * 0.04;
      c.globalAlpha = paleOf(p); disc(c, x, y, m.d * 0.12, stateLook(slot).fill); pen(c, theme.surface.canvas, 1.2); c.stroke();
    })));
    c.globalAlpha = 1;
    this.sets().forEach(([{ style, levels, slot }, sets, i]) => {
      if (style === "arrow" || style === "arc") sets.forEach((members, p) => [...members].forEach((q, level) => (c.globalAlpha = paleOf(p)) && this.arc(c, m, p, q, style, levels ? level : -1, stateLook(slot).outline, this.wrong(i, p, q))));
    });
    c.globalAlpha = 1;
  }
  arc(c, m, p, q, style, level, color, wrong) {
    const reach = looks.reach[document.documentElement.dataset.theme] ?? looks.reach.light, look = reach[Math.max(level, 0) % reach.length];
    const near = linkOf.has(Math.min(p, q) * N + Math.max(p, q)), plain = level < 0;
    drawArc(c, plain ? color : look.color, plain ? looks.line.treeEdge * 0.6 : look.width * 0.75, wrong ? WRONG.map((part) => part * looks.line.treeEdge * 0.6) : plain || look.dash === "solid" ? [] : look.dash.split(" ").map(Number),
      m.x[p], m.y[p], m.x[q], m.y[q], m.rim, near && style === "arrow" ? 0.1 : 0.2);
  }
  sign(c, item, left, y, wide) {
    if (item.sort !== "mark") return false;
    const { style, slot } = this.parts[item.number], right = left + wide, ink = stateLook(slot).outline;
    if (style === "dot") disc(c, left + wide / 2, y, 3.5, ink);
    else if (style === "thick" || style === "half") { pen(c, ink, style === "half" ? 2 : 3.5); line(c, left, y, right, y); }
    else if (style === "struck") { pen(c, theme.link.base, looks.line.link * 0.8, [3, 5]); line(c, left, y, right, y); }
    else drawArc(c, ink, 1.8, [], left, y + 3, right, y + 3, 0, -0.3);
    return true;
  }
};
