// ------------------------------------------------------------------ logs side by side: a column for each process, a line below what is committed

scripts.logs = class extends Panel {
  get tall() { return true; }
  fresh() { return { at: 0, logs: new Map() }; }
  grow(s) { for (const logs = this.part; s.at < logs.at.length && logs.at[s.at] < now.k; s.at++) s.logs.set(logs.process[s.at], logs.text[s.at]); }
  read(code) { return (this.known ??= new Map()).get(code) ?? (this.known.set(code, JSON.parse(run.texts[code])), this.known.get(code)); }
  panel(c, box, part) {
    const order = Array.from(part.order).filter((p) => this.state.logs.has(p)), logs = order.map((p) => this.read(this.state.logs.get(p)));
    text(c, elided(c, part.title || "Logs", box.w - 24, SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    if (!order.length) return;
    const chips = logs.some(([, , own]) => own !== null), gutter = wide(c, String(part.rows)) + 10, x = box.x + 10 + gutter, room = box.w - 22 - gutter;
    const gap = Math.min(8, room / order.length * 0.12), w = Math.min((room - gap * (order.length - 1)) / order.length, 132);
    const top = box.y + 66 + (chips ? 20 : 0), high = clamp((box.y + box.h - 32 - top) / Math.max(part.rows, 3), 13, 52), shown = Math.max(1, Math.floor((box.y + box.h - 32 - top) / high + 1e-6));
    const longest = Math.max(...logs.map(([entries]) => entries.length)), first = Math.max(0, longest - shown), air = Math.min(high * 0.12, 5);
    order.forEach((p, i) => {
      const [entries, , own] = logs[i], left = x + i * (w + gap), middle = left + w / 2, label = w >= 36 ? names[p] : "", half = label ? (wide(c, label, SMALL + 1, 600) + 6) / 2 : 0;
      drawProcess(c, middle - half, top - (chips ? 43 : 23), Math.min(17, w * 0.8), slotOf(now.state[p]), { crashed: now.crashed[p], selected: p === chosen });
      if (label) text(c, label, middle - half + 14, top - (chips ? 43 : 23), now.crashed[p] ? theme.fault.base : theme.text.primary, { px: SMALL + 1, weight: 600 });
      if (own !== null && w >= 22) {
        const full = `${part.word} ${own}`.trim(), words = wide(c, full) + 12 > w + 4 ? String(own) : full, { soft, ink } = tintOf(own), across = wide(c, words, SMALL, 600) + 14;
        card(c, middle - across / 2, top - 28, across, 17, 8.5, soft, ink);
        text(c, words, middle, top - 19.5, ink, { weight: 600, align: "center" });
      }
      let lost = false;
      for (let row = 0; row < Math.max(entries.length, Math.min(part.rows, first + shown)); row++) {
        const y = top + (row - first) * high + air / 2, entry = entries[row], h = high - air;
        if (!entry) { if (row >= first) card(c, left, y, w, h, Math.min(5, h / 4), theme.surface.panel, theme.border.subtle); continue; }
        const others = logs.filter(([list, commit]) => row < commit && list[row][2] !== entry[2]), committed = row < logs[i][1], { soft, ink } = tintOf(entry[1]);
        lost ||= others.length > 0;
        if (row < first || row >= first + shown) continue;
        c.beginPath(); c.roundRect(left + 0.8, y + 0.8, w - 1.6, h - 1.6, Math.min(5, h / 4)); c.fillStyle = soft; c.fill();
        pen(c, lost ? theme.fault.base : ink, w > 14 ? 1.6 : 1, committed && !lost ? [] : [4.8, 3.5]); c.stroke(); c.setLineDash([]);
        if (w < 22 || h < 11) continue;
        const known = lost ? (part.commit ? "will be lost" : "differs") : committed ? "committed" : `on ${logs.filter(([list]) => list[row]?.[2] === entry[2]).length} of ${order.length}`, two = h >= 33 && entry[1] !== null;
        if (w < 88) { text(c, elided(c, entry[0], w - 6, SMALL + 1, 600), left + w / 2, y + h / 2, theme.text.primary, { px: SMALL + 1, weight: 600, align: "center" }); continue; }
        const px = SMALL + (two ? 3 : 1), inner = w - 15, own = Math.min(wide(c, entry[0], px, 600), inner / 2), rest = inner - own - 5, said = two || wide(c, known) <= rest, apart = two && wide(c, known) > rest;
        if (two) text(c, `${part.word} ${entry[1]}`.trim(), left + w - 7, y + h / 2 - 7.5, ink, { weight: 600, align: "right" });
        if (said) text(c, elided(c, known, apart ? inner : rest), left + w - 7, y + h / 2 + (two ? 7.5 : 0), lost ? theme.fault.base : theme.text.secondary, { align: "right" });
        text(c, elided(c, entry[0], said ? own + 1 : inner, px, 600), left + 8, y + h / 2 - (apart ? 7.5 : 0), theme.text.primary, { px: apart ? SMALL + 1 : px, weight: 600 });
      }
    });
    for (let row = first; row < Math.min(part.rows, first + shown); row += Math.max(1, Math.ceil(13 / high))) text(c, String(row + 1), x - 8, top + (row - first + 0.5) * high, theme.text.hint, { align: "right" });
    if (!part.commit) return;
    for (const [color, thick] of [[theme.surface.panel, 6], [theme.check.holds, 3]]) {
      pen(c, color, thick, [], "round"); c.beginPath();
      logs.forEach(([, commit], i) => {
        const y = top + clamp(commit - first, 0, shown) * high, left = x + i * (w + gap);
        c.lineTo(left - 4, y); c.lineTo(left + w + 4, y);
      });
      c.stroke();
    }
    const foot = Math.min(top + Math.min(shown, part.rows - first) * high + 20, box.y + box.h - 10);
    line(c, x, foot, x + 18, foot); text(c, "above the line: committed", x + 26, foot, theme.text.secondary);
  }
};
