// ------------------------------------------------------------------ the shared objects: a square with its value for each, and who reads and writes it

scripts.objects = class extends Panel {
  get tall() { return true; }
  fresh() { return { at: 0, rows: new Map() }; }
  grow(s) { for (const part = this.part; s.at < part.at.length && part.at[s.at] < now.k; s.at++) s.rows.set(part.object[s.at], part.text[s.at]); }
  read(code) { return (this.known ??= new Map()).get(code) ?? (this.known.set(code, JSON.parse(run.texts[code])), this.known.get(code)); }
  panel(c, box, part) {
    const rows = [...this.state.rows.keys()].sort((a, b) => a - b).map((at) => this.read(this.state.rows.get(at)));
    text(c, elided(c, part.title || tr("Shared objects"), box.w - 24, SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    const names = Math.min(Math.max(0, ...rows.map(([name]) => wide(c, name, SMALL + 1, 600))), box.w * 0.34), left = box.x + 24 + names, top = box.y + 32;
    const square = clamp(Math.max(0, ...rows.map(([, value]) => wide(c, value, SMALL + 1, 600))) + 14, 30, box.w * 0.34), foot = box.y + box.h - 6;
    const high = clamp((foot - top) / Math.max(rows.length, 1), 18, 44), shown = Math.min(rows.length, Math.floor((foot - top) / high + 1e-6)), side = Math.min(26, high - 4);
    for (let row = 0; row < shown; row++) {
      const [name, value, tint, words, seq] = rows[row], y = top + (row + 0.5) * high, just = seq >= 0 && seq === now.k - 1, { soft, ink } = tintOf(tint);
      if (just) { c.fillStyle = theme.accent.soft; c.fillRect(box.x + 4, y - high / 2, box.w - 8, high); }
      pen(c, theme.border.subtle, 1); line(c, box.x + 10, y - high / 2, box.x + box.w - 10, y - high / 2);
      text(c, elided(c, name, names + 4, SMALL + 1, 600), box.x + 14, y, theme.text.primary, { px: SMALL + 1, weight: 600 });
      card(c, left, y - side / 2, square, side, 3, soft, ink);
      text(c, elided(c, value || "–", square - 6, SMALL + 1, 600), left + square / 2, y, theme.text.primary, { px: SMALL + 1, weight: 600, align: "center" });
      text(c, elided(c, words, box.x + box.w - left - square - 20, SMALL, just ? 600 : 400), left + square + 10, y, just ? theme.accent.base : theme.text.secondary, { weight: just ? 600 : 400 });
    }
  }
};
