// ------------------------------------------------------------------ a table: a row for each process, with texts, tinted chips, ticks and crosses

scripts.table = class extends Panel {
  get tall() { return true; }
  fresh() { return { at: 0, rows: new Map() }; }
  grow(s) { for (const table = this.part; s.at < table.at.length && table.at[s.at] < now.k; s.at++) s.rows.set(table.process[s.at], table.text[s.at]); }
  read(code) { return (this.known ??= new Map()).get(code) ?? (this.known.set(code, JSON.parse(run.texts[code])), this.known.get(code)); }
  panel(c, box, part) {
    const order = Array.from(part.order).filter((p) => this.state.rows.has(p)), rows = order.map((p) => this.read(this.state.rows.get(p)));
    text(c, elided(c, part.title, box.w - 24, SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    const head = Math.min(Math.max(0, ...order.map((p) => wide(c, names[p], SMALL + 1, 600))) + 34, box.w * 0.35), top = box.y + 54, left = box.x + 16 + head;
    const w = (box.x + box.w - 10 - left) / part.columns.length, foot = part.columns.some(({ agree }) => agree) ? 26 : 6;
    const high = clamp((box.y + box.h - foot - top) / Math.max(order.length, 1), 16, 40), shown = Math.min(order.length, Math.floor((box.y + box.h - foot - top) / high + 1e-6));
    part.columns.forEach(({ word }, i) => text(c, elided(c, word, w - 4), left + (i + 0.5) * w, top - 11, theme.text.secondary, { align: "center" }));
    for (let row = 0; row < shown; row++) {
      const p = order[row], y = top + (row + 0.5) * high;
      if (p === chosen) { c.fillStyle = theme.accent.soft; c.fillRect(box.x + 4, y - high / 2, box.w - 8, high); }
      pen(c, row ? theme.border.subtle : theme.border.control, 1); line(c, box.x + 10, y - high / 2, box.x + box.w - 10, y - high / 2);
      drawProcess(c, box.x + 22, y, Math.min(17, high * 0.7), slotOf(now.state[p]), { crashed: !!now.crashed[p] });
      text(c, elided(c, names[p], head - 24, SMALL + 1, 600), box.x + 37, y, now.crashed[p] ? theme.fault.base : theme.text.primary, { px: SMALL + 1, weight: 600 });
      c.globalAlpha = now.crashed[p] ? 0.45 : 1;
      rows[row].forEach(([said, number], i) => this.cell(c, part.columns[i].style, said, number, left + (i + 0.5) * w, y, w - 6, high));
      c.globalAlpha = 1;
    }
    part.columns.forEach(({ agree }, i) => {
      if (!agree) return;
      const counts = new Map();
      for (const row of rows) if (row[i][0] || row[i][1]) { const key = JSON.stringify(row[i]); counts.set(key, (counts.get(key) ?? 0) + 1); }
      const many = Math.max(0, ...counts.values()), most = 2 * many > order.length;
      text(c, `${many} of ${order.length} agree`, left + (i + 0.5) * w, top + shown * high + 13, most ? theme.check.holds : theme.text.secondary, { align: "center", weight: most ? 600 : 400 });
    });
  }
  cell(c, style, said, number, x, y, room, high) {
    if (style === "tick") {
      if (number === null) return;
      const r = Math.min(7, high * 0.3), at = (points) => { c.beginPath(); points.forEach(([u, v]) => c.lineTo(x + u * r, y + v * r)); c.stroke(); };
      pen(c, number ? theme.check.holds : theme.check.violated, Math.max(r * 0.36, 1.6), [], "round");
      if (number) at([[-1, 0.1], [-0.3, 0.8], [1, -0.8]]);
      else { at([[-0.75, -0.75], [0.75, 0.75]]); at([[0.75, -0.75], [-0.75, 0.75]]); }
    } else if (style === "tint" && number !== null) {
      const { soft, ink } = tintOf(number), w = Math.min(wide(c, said, SMALL, 600) + 14, room), h = Math.min(17, high - 1);
      card(c, x - w / 2, y - h / 2, w, h, h / 2, soft, ink);
      text(c, elided(c, said, w - 8, SMALL, 600), x, y, ink, { weight: 600, align: "center" });
    } else if (said) text(c, elided(c, said, room, SMALL + 1), x, y, theme.text.primary, { px: SMALL + 1, align: "center" });
  }
};
