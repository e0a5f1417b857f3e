// ------------------------------------------------------------------ panels beside the network

/** A piece that draws in panels; its part contains the share and the side of a panel. */
class Panel extends Piece {
  get tall() { return false; }
  /** The width that is enough for a panel. */
  widest(part) { return Infinity; }
  panel(c, box, part) {}
}
const panels = {
  /** The panels beside the network, in order. */
  get all() {
    const found = Object.values(run.pieces).flat().map(({ piece }) => pieces.find(piece)), next = new Map();
    return found.map((one) => { const i = next.get(one) ?? 0; next.set(one, i + 1); return { one, part: one.parts[i], box: null }; }).filter(({ part }) => part.share);
  },
  high: ({ one }) => (one.tall ? 1 : 0.5625),
  unit(h, column) { return h / column.reduce((sum, each) => sum + this.high(each), 0); },
  /** Whether the panels of a column have room one below the other. */
  fit(h, column) { return column.every((each) => this.unit(h, column) * this.high(each) >= (each.one.tall ? 130 : 92)); },
  stack(h, column, x, wide) {
    let y = 0;
    for (const each of column) { each.box = { x, y, w: wide, h: this.unit(h, column) * this.high(each) }; y += each.box.h; }
  },
  /** The share of the network in the view, and the places of the panels; if they do not fit, the last are omitted first. */
  room(w, h) {
    const panels = this.all, room = { w, h, panels };
    if (w >= (w >= 1100 ? 1.55 : 2) * h && this.scene(w, h, room)) return room;
    this.framed(w, h, room);
    return room;
  },
  /** In a wide view, the network, its tall panels and its curves are side by side. */
  scene(w, h, room) {
    const tall = room.panels.filter(({ one }) => one.tall), low = room.panels.filter(({ one }) => !one.tall);
    if (!tall.length && low.length < 2) {
      this.framed(w, h, room);
      if (room.panels.some(({ box }) => box)) return true;
    }
    while (low.length && !this.fit(h, low)) low.pop();
    const curves = clamp(w * 0.22, 200, 380), apart = tall.map((each) => [[each], Math.min(Math.max(w * each.part.share, 200), Math.max(each.one.widest(each.part), 230))]);
    const together = tall.length ? [[tall, Math.max(...apart.map(([, wide]) => wide))]] : [], most = w - Math.max(0.48 * w, 260);
    for (let [columns, charts] of [[apart, low], [together, low], [apart, []], [together, []]]) {
      if (charts.length === 1 && columns.length) columns = [...columns.slice(0, -1), [[...columns.at(-1)[0], ...charts], columns.at(-1)[1]]];
      else if (charts.length) columns = [...columns, [charts, curves]];
      const least = columns.reduce((sum, [, wide]) => sum + Math.min(wide, 200), 0), more = columns.reduce((sum, [, wide]) => sum + wide, 0) - least;
      const share = more > 0 ? Math.min(Math.max(most - least, 0) / more, 1) : 1;
      columns = columns.map(([column, wide]) => [column, wide - (1 - share) * Math.max(wide - 200, 0)]);
      room.w = w - columns.reduce((sum, [, wide]) => sum + wide, 0);
      if (!columns.length || room.w < w - most - 0.5 || !columns.every(([column]) => this.fit(h, column))) continue;
      let x = room.w;
      for (const [column, wide] of columns) { this.stack(h, column, x, wide); x += wide; }
      return true;
    }
    room.w = w;
    return false;
  },
  /** One column on the right, and a row of charts below the network. */
  framed(w, h, room) {
    const column = room.panels.filter(({ one, part }) => one.tall || part.side === "beside");
    column.sort((a, b) => b.one.tall - a.one.tall);
    for (; column.length; column.pop()) {
      const large = column.filter(({ one }) => one.tall), wide = w * Math.max(...(large.length ? large : column).map(({ part }) => part.share));
      if (wide < 200 || w - wide < 260 || !this.fit(h, column)) continue;
      this.stack(h, column, w - wide, wide);
      room.w = w - wide;
      break;
    }
    const below = room.panels.filter(({ one, part }) => !one.tall && part.side === "below").slice(0, Math.floor(room.w / 200));
    const tall = h * Math.max(0, ...below.map(({ part }) => part.share));
    if (below.length && tall >= 92 && h - tall >= 190) {
      room.h = h - tall;
      below.forEach((one, place) => { const wide = room.w / below.length; one.box = { x: place * wide, y: room.h, w: wide, h: tall }; });
    }
  },
  beside(c, room) {
    for (const { one, part, box } of room.panels) if (box) {
      c.fillStyle = theme.surface.panel; c.fillRect(box.x, box.y, box.w, box.h);
      pen(c, theme.border.subtle, 1);
      if (box.y > 1) line(c, box.x, box.y + 0.5, box.x + box.w, box.y + 0.5);
      if (box.x > 1) line(c, box.x + 0.5, box.y, box.x + 0.5, box.y + box.h);
      one.panel(c, box, part);
    }
  },
  told: (v) => (isFinite(v) ? (Number.isInteger(v) ? grouped(v) : Number(v.toPrecision(3)).toString()) : ""),
  /** Round numbers on a scale. */
  levels(low, high, box) {
    const raw = (high - low) / clamp(Math.floor((box.h - 60) / 26), 2, 6), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((f) => f * power >= raw * (1 - 1e-9)) * power, first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
  },
};
Object.assign(pieces, { room: (w, h) => panels.room(w, h), beside: (c, room) => panels.beside(c, room) });
