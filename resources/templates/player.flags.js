// ------------------------------------------------------------------ flags at points of the circle

scripts.flag = class extends Piece {
  fresh() { return this.parts.map(() => ({ at: 0, by: new Map() })); }
  grow(s) {
    this.parts.forEach((each, i) => {
      for (; s[i].at < each.at.length && each.at[s[i].at] < now.k; s[i].at++) s[i].by.set(each.process[s[i].at], each.text[s[i].at]);
    });
  }
  /** Each flag moves outwards, or else inwards, until it hides nothing. */
  above(c, m) {
    if (!m.detailed) return;
    const standing = pieces.find("places"), places = standing.part, told = this.state, key = told.map(({ by }) => [...by].join()).join(";") + m.moved;
    if (m.flagKey !== key) {
      // the places of the processes after their glides
      const { last } = standing.state, stands = new Map(onMap.map((p) => [p, [m.x[p], m.y[p]]]));
      places.process.forEach((p, i) => { const n = last.get(p); stands.set(p, n === undefined ? [m.atX(places.firstX[i]), m.atY(places.firstY[i])] : [m.atX(places.toX[n]), m.atY(places.toY[n])]); });
      const used = [...stands.values()].map(([x, y]) => ({ x: x - m.d / 2, y: y - m.d / 2, w: m.d, h: m.d })), meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
      if (m.legend.cells.length) used.push(m.legend);
      m.flagKey = key; m.flags = [];
      this.parts.forEach(({ slot }, i) => {
        const found = new Map([...told[i].by.values()].flatMap((code) => JSON.parse(run.texts[code])).map((flag) => [JSON.stringify(flag), flag]));
        for (const [at, word] of [...found.values()].sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)).slice(0, 200)) {
          const ring = places.shape !== "line", angle = 2 * Math.PI * at, u = ring ? Math.sin(angle) : 0, v = ring ? -Math.cos(angle) : -1, far = places.wide * m.scale;
          const x = m.atX(places.x) + far * (ring ? u : 2 * at - 1), y = m.atY(places.y) + (ring ? far * v : 0);
          const w = word ? Math.min(Math.ceil(wide(c, word, CAPTION, 600)) + 7, 54) : 9, h = word ? 14 : 8, near = m.d / 2 + 5 + Math.abs(u) * w / 2 + Math.abs(v) * h / 2;
          const steps = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => near + n * (h / 2 + 2)).concat([0, 1, 2, 3, 4, 5].map((n) => -near - n * (h / 2 + 2)));
          const box = steps.map((n) => ({ x: x + u * n - w / 2, y: y + v * n - h / 2, w, h })).find((b) => b.x > 1 && b.y > 1 && b.x + w < m.w - 1 && b.y + h < m.h - 1 && !used.some((o) => meets(b, o)));
          const over = [...stands.values()].some((at) => Math.hypot(at[0] - x, at[1] - y) < m.d / 2) ? m.d / 2 : 0;
          if (box) used.push(box);
          m.flags.push({ slot, word, x: x + u * over, y: y + v * over, box });
        }
      });
    }
    for (const flag of m.flags) this.pole(c, flag);
    for (const flag of m.flags) if (flag.box) this.cloth(c, flag);
  }
  pole(c, { slot, x, y, box }) {
    if (box) { pen(c, theme.border.strong, 1.2); line(c, x, y, box.x + box.w / 2, box.y + box.h / 2); }
    disc(c, x, y, 3.5, theme.surface.canvas); disc(c, x, y, 2.8, stateLook(slot).outline);
  }
  cloth(c, { slot, word, box }) {
    const look = stateLook(slot);
    card(c, box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1, 2, look.fill, look.outline, 1);
    if (word) text(c, elided(c, word, box.w - 3, CAPTION, 600), box.x + box.w / 2, box.y + box.h / 2, look.label, { px: CAPTION, align: "center", weight: 600 });
  }
  sign(c, item, left, y) {
    if (item.sort !== "flag") return false;
    const flag = { slot: this.parts[item.number].slot, word: "", x: left + 3, y: y + 5, box: { x: left + 3, y: y - 6, w: 9, h: 7 } };
    this.pole(c, flag); this.cloth(c, flag);
    return true;
  }
};
