// ------------------------------------------------------------------ baskets between the neighbours of a ring

/** Which processes may speak, where the baskets are, and how they look: the same as in the window. */
scripts.baskets = class extends Piece {
  constructor(parts) { super(parts); Object.assign(this, this.part); }
  /** The contents of the basket of each process, NaN if they are unknown. */
  contents() {
    const [, codes] = channelsOf("baskets")[0] ?? [0, []];
    return this.right.length ? this.right.map((_, p) => (codes[p] >= 0 ? run.numbers[codes[p]] : NaN)) : [];
  }
  /** Whether each process may speak. */
  speakers() {
    const value = this.contents();
    return value.map((own, p) => {
      const [near, far] = this.side === "right" ? [value[this.left[p]], own] : [own, value[this.right[p]]];
      const rule = P.initiator[p] ? this.leader : this.others;
      if (now.crashed[p] || !isFinite(near) || !isFinite(far)) return false;
      return rule === "equal" ? near === far : rule === "differ" ? near !== far : rule === "some" && near > 0;
    });
  }
  middle(m) { return [onMap.reduce((sum, p) => sum + m.x[p], 0) / onMap.length, onMap.reduce((sum, p) => sum + m.y[p], 0) / onMap.length]; }
  size(m) {
    const away = this.right.map((q, p) => Math.hypot(m.x[p] - m.x[q], m.y[p] - m.y[q])).sort((a, b) => a - b);
    return Math.min(m.d * 2.3, Math.max(away[away.length >> 1] * 0.34, 6));
  }
  /** The table, under everything else. */
  under(c, m) {
    const n = this.right.length;
    if (n < 3 || !m.detailed) return;
    const [mx, my] = this.middle(m), width = (v) => Math.max(...v) - Math.min(...v);
    let at = [(Math.max(...m.x) + Math.min(...m.x)) / 2, (Math.max(...m.y) + Math.min(...m.y)) / 2], rx = width(m.x) / 2, ry = width(m.y) / 2;
    if (n === 3) { at = [mx, my]; rx = ry = Math.min(...onMap.map((p) => Math.hypot(m.x[p] - mx, m.y[p] - my))); }
    if (Math.min(rx, ry) < 40) return;
    c.beginPath(); c.ellipse(...at, rx * 0.84, ry * 0.84, 0, 0, 7);
    c.fillStyle = theme.play.table; c.fill(); pen(c, theme.play.edge, 2); c.stroke();
    if (this.pile && n > 3) {
      const r = this.size(m) * 0.15;
      for (const [dx, dy] of [[-2, 1], [0, 1], [2, 1], [-1, -0.5], [1, -0.5], [0, -2]]) this.apple(c, at[0] + dx * r * 0.9, at[1] + dy * r * 0.8, r);
      text(c, tr("the pile"), at[0], at[1] + 2.9 * r, theme.text.secondary, { align: "center" });
    }
  }
  /** The baskets with their contents. */
  inner(c, m) {
    if (!m.detailed) return;
    const n = this.right.length, size = n ? this.size(m) : 0, [mx, my] = n ? this.middle(m) : [0, 0];
    const pull = n > 2 ? Math.max(0, 1 - 0.58 / Math.max(Math.cos(Math.PI / Math.max(n, 3)), 1e-9)) : 0;
    this.contents().forEach((number, p) => {
      const q = this.side === "right" ? this.right[p] : this.left[p], x = (m.x[p] + m.x[q]) / 2, y = (m.y[p] + m.y[q]) / 2;
      if (isFinite(number)) this.basket(c, x + (mx - x) * pull, y + (my - y) * pull, size, number);
    });
  }
  basket(c, x, y, size, number) {
    const high = size * 0.36, apples = this.style === "apples";
    if (apples) {
      const r = size * 0.105;
      for (let left = Math.min(number, 12), row = 0; left > 0 && row < 3; row++) {
        const here = Math.min(left, [5, 4, 3][row]);
        for (let i = 0; i < here; i++) this.apple(c, x + (i - (here - 1) / 2) * r * 1.75, y - high * 0.5 - r * 0.45 - row * r * 1.45, r);
        left -= here;
      }
      c.beginPath(); c.moveTo(x - size / 2, y - high / 2); c.lineTo(x + size / 2, y - high / 2); c.lineTo(x + size * 0.38, y + high / 2); c.lineTo(x - size * 0.38, y + high / 2); c.closePath();
      c.fillStyle = theme.play.basket; c.fill(); pen(c, theme.play.rim, Math.max(1, size * 0.03)); c.stroke();
      for (const share of [0, 0.4]) line(c, x - size * (0.47 - share * 0.1), y - high * 0.17 + share * high, x + size * (0.47 - share * 0.1), y - high * 0.17 + share * high);
    }
    const words = `${number}`, h = SMALL + 5, w = Math.max(h, wide(c, words, SMALL, 600) + 12), top = apples ? y + high * 0.62 : y - h / 2;
    card(c, x - w / 2, top, w, h, h / 2, theme.surface.canvas, theme.border.strong, 1);
    text(c, words, x, top + h / 2, theme.text.primary, { weight: 600, align: "center" });
  }
  apple(c, x, y, r) {
    disc(c, x, y, r, theme.play.apple); pen(c, theme.surface.canvas, Math.max(0.6, r * 0.12)); c.stroke();
    if (r < 3) return;
    pen(c, theme.play.leaf, Math.max(1, r * 0.26), [], "round"); line(c, x, y - r * 0.8, x + r * 0.4, y - r * 1.2);
    disc(c, x - r * 0.38, y - r * 0.32, r * 0.2, theme.play.shine);
  }
  sign(c, item, left, y) {
    if (item.sort === "basket") this.apple(c, left + 7.5, y, 5.5);
    else if (item.sort === "speaker") drawProcess(c, left + 7.5, y, 11.5, item.number);
    else return false;
    return true;
  }
  counted(item) { return item.sort === "speaker" ? this.speakers().filter(Boolean).length : null; }
  /** Crowns, bubbles, and a frame if the number of processes that may speak is not one. */
  over(c, m) {
    if (!this.right.length) return;
    if (this.hat && m.level === "full") for (const p of onMap) if (P.initiator[p]) {
      const w = m.d * 0.28, h = m.d * 0.35, x = m.x[p], y = m.y[p] - m.d * 0.5;
      c.beginPath(); [[-w, 0], [-w, -h], [-w * 0.45, -h * 0.45], [0, -h], [w * 0.45, -h * 0.45], [w, -h], [w, 0]].forEach(([a, b]) => c.lineTo(x + a, y + b)); c.closePath();
      c.fillStyle = theme.play.crown; c.fill(); pen(c, theme.surface.canvas, 1.2); c.stroke();
    }
    if (!this.leader && !this.others) return;
    const speakers = this.speakers(), count = speakers.filter(Boolean).length, look = stateLook(6), [mx] = this.middle(m);
    if (m.level === "full" && this.right.length <= 16) speakers.forEach((may, p) => {
      if (!may) return;
      const w = wide(c, this.says, SMALL, 600) + 18, h = SMALL + 10, toRight = m.x[p] >= mx - 1, side = toRight ? 1 : -1;
      const x = clamp(toRight ? m.x[p] + m.d * 0.72 : m.x[p] - m.d * 0.72 - w, 6, m.w - 6 - w), y = Math.max(6, m.y[p] - m.d * 0.55 - h), foot = toRight ? x + h * 0.6 : x + w - h * 0.6;
      c.beginPath(); c.moveTo(m.x[p] + side * m.d * 0.48, m.y[p] - m.d * 0.36); c.lineTo(foot - side * h * 0.3, y + h - 2); c.lineTo(foot + side * h * 0.4, y + h - 2); c.closePath();
      c.fillStyle = look.fill; c.fill();
      card(c, x, y, w, h, h / 2, look.fill, look.fill, 1);
      text(c, this.says, x + w / 2, y + h / 2, look.label, { weight: 600, align: "center" });
    });
    if (count === 1) return;
    const words = count ? trn("{count:,} token at once", "{count:,} tokens at once", count) : tr("no token at all"), w = wide(c, words, SMALL, 600) + 20;
    pen(c, theme.check.pending, 3); c.strokeRect(1.5, 1.5, m.w - 3, m.h - 3);
    c.fillStyle = theme.check.pending; c.fillRect(1.5, 1.5, w, SMALL + 12);
    text(c, words, 1.5 + w / 2, 1.5 + (SMALL + 12) / 2, theme.surface.canvas, { weight: 600, align: "center" });
  }
};
