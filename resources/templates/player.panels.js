// ------------------------------------------------------------------ panels beside the network

/** A piece that draws in panels; its part contains the share and the side of a panel. */
class Panel extends Piece {
  get tall() { return false; }
  panel(c, box, part) {}
}
const panels = {
  /** The panels beside the network, in order. */
  get all() {
    const found = Object.values(run.pieces).flat().map(({ piece }) => pieces.find(piece)), next = new Map();
    return found.map((one) => { const i = next.get(one) ?? 0; next.set(one, i + 1); return { one, part: one.parts[i], box: null }; }).filter(({ part }) => part.share);
  },
  /** The share of the network in the view, and the places of the panels; if they do not fit, the last are omitted first. */
  room(w, h) {
    const panels = this.all, room = { w, h, panels }, column = panels.filter(({ one, part }) => one.tall || part.side === "beside");
    column.sort((a, b) => b.one.tall - a.one.tall);
    const high = ({ one }) => (one.tall ? 1 : 0.5625), least = ({ one }) => (one.tall ? 130 : 92);
    for (; column.length; column.pop()) {
      const large = column.filter(({ one }) => one.tall), wide = w * Math.max(...(large.length ? large : column).map(({ part }) => part.share));
      const unit = h / column.reduce((sum, one) => sum + high(one), 0);
      if (wide < 200 || w - wide < 260 || column.some((one) => unit * high(one) < least(one))) continue;
      let y = 0;
      for (const one of column) { one.box = { x: w - wide, y, w: wide, h: unit * high(one) }; y += one.box.h; }
      room.w = w - wide;
      break;
    }
    const below = panels.filter(({ one, part }) => !one.tall && part.side === "below").slice(0, Math.floor(room.w / 200));
    const tall = h * Math.max(0, ...below.map(({ part }) => part.share));
    if (below.length && tall >= 92 && h - tall >= 190) {
      room.h = h - tall;
      below.forEach((one, place) => { const wide = room.w / below.length; one.box = { x: place * wide, y: room.h, w: wide, h: tall }; });
    }
    return room;
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
