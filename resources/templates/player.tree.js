// ------------------------------------------------------------------ the tree that a process knows

scripts.tree = class extends Panel {
  get tall() { return true; }
  fresh() { return { node: 0, trees: new Map(), marks: new Map() }; }
  grow(s) {
    const tree = this.part;
    for (; s.node < tree.at.length && tree.at[s.node] < now.k; s.node++) (tree.which[s.node] ? s.marks : s.trees).set(tree.process[s.node], tree.text[s.node]);
  }
  /** The tree of the selected process, else of the first that has one; red where the trees of others differ, or marked. */
  panel(c, box, tree) {
    const s = this.state, read = (p) => (this.read ??= new Map()).get(s.trees.get(p)) ?? this.parsed(s.trees.get(p));
    const has = (p) => s.trees.has(p) && read(p).nodes.length > 0, mine = chosen >= 0 ? chosen : Array.from(tree.order).find(has) ?? -1;
    const whose = mine >= 0 ? tr("of {process}", { process: names[mine] }) : "", end = box.x + box.w - 12;
    text(c, whose, end, box.y + 16, theme.text.secondary, { align: "right" });
    text(c, elided(c, tree.title, box.w - 34 - wide(c, whose), SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    if (mine < 0 || !has(mine)) { text(c, mine < 0 ? tr("No process has one now.") : tr("It has none now."), box.x + box.w / 2, box.y + box.h / 2, theme.text.hint, { align: "center" }); return; }
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
    text(c, tr("{word} {count:,} of {total:,}", { word: tree.word || tr("red"), count: red.filter(Boolean).length, total: nodes.length }), box.x + 30, foot, theme.text.secondary);
  }
  parsed(code) {
    const [nodes, links, across, levels] = JSON.parse(run.texts[code]), below = new Map(nodes.map(([name]) => [name, []]));
    for (const [a, b] of links) below.get(nodes[a][0]).push(nodes[b][0]);
    const found = { nodes, links, across, levels, below };
    this.read.set(code, found);
    return found;
  }
};
