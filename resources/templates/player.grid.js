// ------------------------------------------------------------------ the grid: rows are processes, columns are keys, the newest on the right

scripts.grid = class extends Panel {
  get tall() { return true; }
  widest(grid) { return 70 + 32 * Math.max(1, Math.min(grid.keys.length, grid.most)); }
  fresh() { return { cell: 0, cells: new Map() }; }
  grow(s) {
    const grid = this.part;
    for (; s.cell < grid.at.length && grid.at[s.cell] < now.k; s.cell++) s.cells.set(grid.row[s.cell] * grid.keys.length + grid.key[s.cell], grid.what[s.cell]);
  }
  panel(c, box, grid) {
    const { cells } = this.state, n = grid.rows.length, seen = firstAfter(grid.first, now.k - 1), from = Math.max(0, seen - grid.most);
    const columns = Math.max(1, Math.min(grid.keys.length, grid.most)), head = Math.min(54, Math.max(0, ...grid.keys.map((key) => wide(c, key))) + 6);
    const gutter = Math.min(Math.max(...Array.from(grid.rows, (p) => wide(c, names[p]))) + 10, box.w * 0.3), x = box.x + 12 + gutter, y = box.y + 30 + head;
    const w = Math.min((box.x + box.w - 12 - x) / columns, 32), high = Math.min((box.y + box.h - 52 - y) / n, 28), gap = Math.min(w, high) < 5 ? 0 : 1.6;
    text(c, elided(c, grid.title, box.w - 110, SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    if (from) text(c, tr("{count:,} older", { count: from }), box.x + box.w - 12, box.y + 16, theme.text.hint, { align: "right" });
    const counts = grid.cells.map(() => 0), step = Math.max(1, Math.ceil(12 / w));
    for (let k = seen - 1; k >= from; k -= step) {
      c.save(); c.translate(x + (k - from + 0.5) * w, y - 4); c.rotate(-Math.PI / 2); text(c, elided(c, grid.keys[k], head - 4), 0, 0, theme.text.secondary); c.restore();
    }
    for (let row = 0; row < n; row++) {
      const p = grid.rows[row], top = y + row * high;
      if (p === chosen) { c.fillStyle = theme.accent.soft; c.fillRect(box.x + 4, top, box.w - 8, high); }
      if (high >= 12 || row % Math.ceil(15.6 / high) === 0) text(c, elided(c, names[p], gutter - 6), x - 6, top + high / 2, now.crashed[p] ? theme.fault.base : theme.text.primary, { align: "right" });
      for (let k = from; k < seen; k++) {
        const what = cells.get(row * grid.keys.length + k) ?? -1;
        if (what >= 0) counts[what]++;
        this.cell(c, grid.cells[what], x + (k - from) * w + gap / 2, top + gap / 2, w - gap, high - gap);
      }
    }
    let left = box.x + 12, at = y + n * high + 18;
    grid.cells.forEach((cell, what) => {
      const words = `${cell.word} ${grouped(counts[what])}`;
      if (left > box.x + 12 && left + 17 + wide(c, words) > box.x + box.w - 8) { left = box.x + 12; at += 18; }
      this.cell(c, cell, left, at - 5, 11, 11);
      text(c, words, left + 17, at, theme.text.secondary); left += 17 + wide(c, words) + 16;
    });
  }
  /** A cell of the grid; nothing is drawn for an empty one. */
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
  }
};
