// ------------------------------------------------------------------ the tree that processes form by their parents

scripts.parents = class extends Panel {
  get tall() { return true; }
  fresh() { return { at: 0, text: -1 }; }
  grow(s) { for (const part = this.part; s.at < part.at.length && part.at[s.at] < now.k; s.at++) s.text = part.text[s.at]; }
  panel(c, box, part) {
    const { text: code } = this.state, [nodes, links, across, levels] = code < 0 ? [[], [], 1, 0] : JSON.parse(run.texts[code]), topic = part.topic ? `topic ${part.topic}` : "";
    text(c, topic, box.x + box.w - 12, box.y + 16, theme.text.secondary, { align: "right" });
    text(c, elided(c, part.title || "Tree", box.w - 34 - wide(c, topic), SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    if (!nodes.length) { text(c, "Nobody is in the tree now.", box.x + box.w / 2, box.y + box.h / 2, theme.text.hint, { align: "center" }); return; }
    const longest = Math.max(...nodes.map(([p]) => wide(c, names[p]))), slot = (box.w - 28) / Math.max(across, 1), down = Math.min((box.h - 80) / Math.max(levels - 0.4, 1), 84);
    const d = Math.min(26, slot * 0.8, down * 0.5), below = slot < d + longest + 12;
    const x = nodes.map((node) => box.x + 14 + (node[1] + 0.5) * slot - (below ? 0 : (longest + 4) / 2)), y = nodes.map((node) => box.y + 40 + d / 2 + node[2] * down);
    pen(c, stateLook(part.slot).outline, 2.2);
    for (const [a, b] of links) { const middle = (y[a] + y[b]) / 2; c.beginPath(); c.moveTo(x[a], y[a]); c.bezierCurveTo(x[a], middle, x[b], middle, x[b], y[b]); c.stroke(); }
    nodes.forEach(([p], i) => {
      drawProcess(c, x[i], y[i], d, slotOf(now.state[p]), { crashed: !!now.crashed[p], selected: p === chosen });
      if (d >= 9) text(c, names[p], below ? x[i] : x[i] + d * 0.68 + 3, below ? y[i] + d * 0.62 + 7 : y[i], now.crashed[p] ? theme.fault.base : theme.text.primary, { align: below ? "center" : "left", halo: theme.surface.panel });
    });
    const deep = levels - 1;
    text(c, `${nodes.length} ${nodes.length === 1 ? "process" : "processes"}, ${deep} ${deep === 1 ? "link" : "links"} deep`, box.x + 12, box.y + box.h - 16, theme.text.secondary);
  }
};
