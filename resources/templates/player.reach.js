// ------------------------------------------------------------------ the links of an overlay by reach: how many are there of how many that should be

scripts.reach = class extends Panel {
  fresh() { return { at: 0, planned: new Map(), held: new Map() }; }
  grow(s) { for (const part = this.part; s.at < part.at.length && part.at[s.at] < now.k; s.at++) (part.which[s.at] ? s.held : s.planned).set(part.process[s.at], part.text[s.at]); }
  panel(c, box, part) {
    const s = this.state, read = (code) => JSON.parse(run.texts[code]) ?? [], full = (code) => Object.keys(read(code)).length > 0;
    const owner = [...s.planned.keys()].sort((a, b) => a - b).find((p) => full(s.planned.get(p))), plan = owner === undefined ? {} : read(s.planned.get(owner));
    const held = new Set([...s.held].filter(([p]) => p !== owner).flatMap(([, code]) => read(code))), known = new Set();
    const ends = (link) => link.split(">").sort().join(">"), rows = part.levels.map(([level, word, slot]) => {
      const pairs = new Map();
      for (const link of new Set(plan[level] ?? [])) { known.add(link); pairs.set(ends(link), (pairs.get(ends(link)) ?? true) && held.has(link)); }
      return { word, slot, there: [...pairs.values()].filter(Boolean).length, of: pairs.size };
    });
    if (part.extra) rows.push({ word: part.extra, slot: -1, there: new Set([...held].filter((link) => !known.has(link)).map(ends)).size, of: 0 });
    text(c, elided(c, part.title, box.w - 26, SMALL, 600), box.x + 12, box.y + 16, theme.text.primary, { weight: 600 });
    const top = box.y + (part.title ? 28 : 8), high = Math.min((box.y + box.h - 6 - top) / rows.length, 36);
    rows.forEach(({ word, slot, there, of }, i) => {
      const y = top + i * high, barred = of > 0 && high >= 24, middle = y + (high - (barred ? 7 : 0)) / 2, color = slot < 0 ? theme.fault.base : stateLook(slot).outline;
      const told = of ? `${there} of ${of}` : String(there), left = box.x + 39, end = box.x + box.w - 14;
      pen(c, color, 2.4, slot < 0 ? [4.8, 3.6] : []); line(c, box.x + 12, middle, box.x + 32, middle); c.setLineDash([]);
      text(c, told, end, middle, there !== of ? theme.fault.base : of ? theme.check.holds : theme.text.hint, { weight: 600, align: "right" });
      text(c, elided(c, word, end - left - wide(c, told, SMALL, 600) - 8), left, middle, theme.text.primary);
      if (!barred) return;
      card(c, left, y + high - 7, end - left, 4, 2, theme.border.subtle, null);
      if (there) card(c, left, y + high - 7, (end - left) * there / of, 4, 2, color, null);
    });
  }
};
