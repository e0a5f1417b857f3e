// ------------------------------------------------------------------ sectors of the circle for which processes are responsible

scripts.sector = class extends Piece {
  fresh() { return this.parts.map(() => ({ at: 0, by: new Map() })); }
  grow(s) {
    this.parts.forEach((each, i) => {
      for (; s[i].at < each.at.length && each.at[s[i].at] < now.k; s[i].at++) s[i].by.set(each.process[s[i].at], each.text[s[i].at]);
    });
  }
  under(c, m) {
    const standing = pieces.find("places"), places = standing.part, x = m.atX(places.x), y = m.atY(places.y), wide = places.wide * m.scale, turn = (v) => ((v % 1) + 1) % 1;
    this.parts.forEach((sector, i) => {
      const half = sector.style === "arc" ? Math.max(m.d * 0.14, 2) : Math.max(m.d * 0.42, 4);
      for (const [p, told] of this.state[i].by) for (const [a, b, beyond] of JSON.parse(run.texts[told])) {
        const from = standing.number(a) - beyond, gone = standing.number(b) + beyond - from, long = gone >= 1 - 1e-9 ? 1 : turn(gone), start = turn(from);
        if (!(long >= 1e-9) || (gone < 0 && 1 - long < 1e-9)) continue;
        const slot = sector.slot ?? slotOf(now.state[p]);
        if (places.shape !== "line") this.segment(c, sector.style, slot, { x, y, radius: wide, start, long, half: Math.min(half, wide * 0.8) });
        else for (const [first, last] of [[start, Math.min(start + long, 1)], [0, start + long - 1]])
          if (last > first) this.segment(c, sector.style, slot, { y, radius: 0, start: x - wide + 2 * wide * first, long: 2 * wide * (last - first), half });
      }
    });
  }
  segment(c, style, slot, { x, y, radius, start, long, half }) {
    const ink = stateLook(slot).outline, pixels = radius ? 2 * Math.PI * radius * long : long, angle = (s) => 2 * Math.PI * (start + s * long) - Math.PI / 2;
    const at = (s, q) => (radius ? [x + (radius + q * half) * Math.cos(angle(s)), y + (radius + q * half) * Math.sin(angle(s))] : [start + s * long, y - q * half]);
    c.save(); c.beginPath();
    if (radius) {
      c.arc(x, y, radius + half, angle(0), angle(1));
      if (long >= 1) c.moveTo(...at(0, -1));
      c.arc(x, y, radius - half, angle(1), angle(0), true); c.closePath();
    } else c.rect(start, y - half, long, 2 * half);
    c.fillStyle = ink; c.globalAlpha = { arc: 1, shaded: 0.26, hatched: 0.12, struck: 0.07 }[style]; c.fill();
    if (style !== "arc") { c.globalAlpha = style === "hatched" ? 0.75 : 0.5; pen(c, ink, 1, style === "struck" ? [3, 3] : []); c.stroke(); }
    if (style === "hatched") {
      const slope = 2 * half / pixels, many = Math.max(Math.floor(pixels / 6), 1);
      c.globalAlpha = 0.8; pen(c, ink, 1.2);
      for (let n = -Math.ceil(slope * many); n < many; n++) {
        const first = n / many, low = Math.max(first, 0), high = Math.min(first + slope, 1);
        if (high > low) line(c, ...at(low, 2 * (low - first) / slope - 1), ...at(high, 2 * (high - first) / slope - 1));
      }
    } else if (style === "struck") {
      const reach = Math.min(0.5, 1.7 * half / pixels);
      c.globalAlpha = 1; pen(c, ink, 2);
      for (const q of [-1.7, 1.7]) line(c, ...at(0.5 - reach, -q), ...at(0.5 + reach, q));
    }
    c.restore();
  }
  sign(c, item, left, y) {
    if (item.sort !== "sector") return false;
    const { style, slot } = this.parts[item.number];
    this.segment(c, style, slot ?? 2, { y, radius: 0, start: left + 1, long: 24, half: { arc: 2.2, struck: 3.6 }[style] ?? 5.6 });
    return true;
  }
};
