// ------------------------------------------------------------------ places, cards and timers

/** What an animation puts where, and beside the network: the same as in the window. */
const pieces = {
  ...run.pieces,
  queues: run.pieces.queues?.map(unpacked),
  // Flags stand outside of the circle, and need room there.
  places: run.pieces.flags ? { ...run.pieces.places, extent: run.pieces.places.extent.map((xy, i) => xy.map((v) => v + (2 * i - 1) * 0.08 * run.pieces.places.wide)) } : run.pieces.places,
  sectors: run.pieces.sectors?.map(unpacked) ?? [],
  flags: run.pieces.flags?.map(unpacked) ?? [],
  charts: (run.pieces.charts ?? []).map(unpacked).map((chart) => ({ ...chart, lines: chart.lines?.map(unpacked), bars: chart.bars?.map(unpacked) })),
  under: (run.pieces.queues ?? []).reduce((sum, queue) => sum + 17 * (queue.style === "stack" ? queue.most : 1), 0),
  /** Everything that has changed by now; after going back from the beginning. */
  state() {
    const s = now.pieces ??= { move: 0, last: new Map(), cell: 0, cells: new Map(), node: 0, trees: new Map(), marks: new Map(), queues: (this.queues ?? []).map(() => ({ at: 0, cards: new Map() })), told: [...this.sectors, ...this.flags].map(() => ({ at: 0, by: new Map() })) };
    const { places, grid, tree } = this;
    if (places) for (; s.move < places.at.length && places.at[s.move] < now.k; s.move++) s.last.set(places.who[s.move], s.move);
    if (grid) for (; s.cell < grid.at.length && grid.at[s.cell] < now.k; s.cell++) s.cells.set(grid.row[s.cell] * grid.keys.length + grid.key[s.cell], grid.what[s.cell]);
    if (tree) for (; s.node < tree.at.length && tree.at[s.node] < now.k; s.node++) (tree.which[s.node] ? s.marks : s.trees).set(tree.process[s.node], tree.text[s.node]);
    (this.queues ?? []).forEach((queue, i) => {
      const mine = s.queues[i];
      for (; mine.at < queue.at.length && queue.at[mine.at] < now.k; mine.at++) mine.cards.set(queue.process[mine.at], mine.at);
    });
    [...this.sectors, ...this.flags].forEach((each, i) => {
      const mine = s.told[i];
      for (; mine.at < each.at.length && each.at[mine.at] < now.k; mine.at++) mine.by.set(each.process[mine.at], each.text[mine.at]);
    });
    return s;
  },
  /** Put everybody where they are: glides are slow at both ends. */
  move(m) {
    const { places } = this;
    if (!places) return;
    const { last } = this.state();
    places.process.forEach((p, i) => { m.x[p] = m.atX(places.firstX[i]); m.y[p] = m.atY(places.firstY[i]); });
    for (const [p, i] of last) {
      const walk = places.long, long = walk ? walk[i] : calm.matches ? 0 : places.glide;
      const gone = long > 0 ? clamp((t - places.time[i]) / long, 0, 1) : 1, part = walk ? gone : gone * gone * (3 - 2 * gone);
      m.x[p] = m.atX(places.fromX[i] + (places.toX[i] - places.fromX[i]) * part);
      m.y[p] = m.atY(places.fromY[i] + (places.toY[i] - places.fromY[i]) * part);
    }
    const key = [...last].join() + (places.long ? Math.round(4 * t) : "");
    if (key !== m.moved) { m.moved = key; m.places = null; m.chips = []; m.cards = null; }
  },
  /** The circle or the line, under everything else. */
  below(c, m) {
    const { places } = this;
    if (!places?.track) { if (places) this.parts(c, m); return; }
    const x = m.atX(places.x), y = m.atY(places.y), wide = places.wide * m.scale, tall = places.tall * m.scale, reach = clamp(m.d * 0.32, 5, 10);
    pen(c, theme.link.dim, 1.2);
    if (places.shape === "line") line(c, x - wide, y, x + wide, y);
    else { c.beginPath(); c.arc(x, y, wide, 0, 7); c.stroke(); }
    pen(c, theme.link.base, 1.2);
    if (places.shape === "line") line(c, x - wide, y - reach, x - wide, y + reach);
    else line(c, x, y - tall - reach, x, y - tall + reach);
    this.parts(c, m);
  },
  /** The number of a process, or of the one of that name. */
  number(end) {
    if (typeof end === "number") return end;
    const { places } = this, last = this.state().last, p = names.indexOf(end);
    return last.has(p) ? places.number[last.get(p)] : places.firstNumber[places.process.indexOf(p)] ?? NaN;
  },
  /** The sectors of the circle that processes answer for. */
  parts(c, m) {
    const { places } = this, x = m.atX(places.x), y = m.atY(places.y), wide = places.wide * m.scale, turn = (v) => ((v % 1) + 1) % 1;
    this.sectors.forEach((sector, i) => {
      const half = sector.style === "arc" ? Math.max(m.d * 0.14, 2) : Math.max(m.d * 0.42, 4);
      for (const [p, told] of this.state().told[i].by) for (const [a, b, beyond] of JSON.parse(run.texts[told])) {
        const from = this.number(a) - beyond, gone = this.number(b) + beyond - from, long = gone >= 1 - 1e-9 ? 1 : turn(gone), start = turn(from);
        if (!(long >= 1e-9) || (gone < 0 && 1 - long < 1e-9)) continue;
        const slot = sector.slot ?? slotOf(now.state[p]);
        if (places.shape !== "line") this.part(c, sector.style, slot, { x, y, radius: wide, start, long, half: Math.min(half, wide * 0.8) });
        else for (const [first, last] of [[start, Math.min(start + long, 1)], [0, start + long - 1]])
          if (last > first) this.part(c, sector.style, slot, { y, radius: 0, start: x - wide + 2 * wide * first, long: 2 * wide * (last - first), half });
      }
    });
  },
  part(c, style, slot, { x, y, radius, start, long, half }) {
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
  },
  /** Flags at points of the circle: each steps outwards, or then inwards, until it hides nothing. */
  flagged(c, m) {
    if (!this.flags.length || !m.detailed) return;
    const { places } = this, told = this.state().told.slice(this.sectors.length), key = told.map(({ by }) => [...by].join()).join(";") + m.moved;
    if (m.flagKey !== key) {
      // where everybody stands once they have arrived
      const last = this.state().last, stands = new Map(onMap.map((p) => [p, [m.x[p], m.y[p]]]));
      places.process.forEach((p, i) => { const n = last.get(p); stands.set(p, n === undefined ? [m.atX(places.firstX[i]), m.atY(places.firstY[i])] : [m.atX(places.toX[n]), m.atY(places.toY[n])]); });
      const used = [...stands.values()].map(([x, y]) => ({ x: x - m.d / 2, y: y - m.d / 2, w: m.d, h: m.d })), meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
      if (m.legend.cells.length) used.push(m.legend);
      m.flagKey = key; m.flags = [];
      this.flags.forEach(({ slot }, i) => {
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
  },
  pole(c, { slot, x, y, box }) {
    if (box) { pen(c, theme.border.strong, 1.2); line(c, x, y, box.x + box.w / 2, box.y + box.h / 2); }
    disc(c, x, y, 3.5, theme.surface.canvas); disc(c, x, y, 2.8, stateLook(slot).outline);
  },
  cloth(c, { slot, word, box }) {
    const look = stateLook(slot);
    card(c, box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1, 2, look.fill, look.outline, 1);
    if (word) text(c, elided(c, word, box.w - 3, CAPTION, 600), box.x + box.w / 2, box.y + box.h / 2, look.label, { px: CAPTION, align: "center", weight: 600 });
  },
  /** Where the cards of each process have room: from the left, top of a box; nothing where they would hide others. */
  free(c, m) {
    const taken = nodeBoxes(m), found = new Map();
    if (m.legend.cells.length) taken.push(m.legend);
    for (const queue of this.queues)
      queue.wide ??= clamp(Array.from(new Set(Array.from(queue.text, (n) => JSON.parse(run.texts[n])[0]).flat()), (word) => wide(c, word, CAPTION)).reduce((a, b) => Math.max(a, b), 0) + 6, 13, 46);
    const w = Math.max(...this.queues.map((queue) => (queue.style === "stack" ? queue.wide : queue.most * (queue.wide + 2)))) + 16, h = this.under;
    const across = m.d * 0.62 + w / 2 + 3, down = m.d * 0.62 + h / 2 + 3;
    for (const p of onMap) {
      const boxes = [[0, down], [across, 0], [-across, 0], [0, -down], [across, down / 2], [-across, down / 2]].map(([x, y]) => ({ x: m.x[p] + x - w / 2, y: m.y[p] + y - h / 2, w, h }));
      const box = boxes.find((b) => b.x >= 2 && b.x + w <= m.w - 2 && b.y >= 2 && b.y + h <= m.h - 2 && taken.every((o) => b.x + w <= o.x || o.x + o.w <= b.x || b.y + h <= o.y || o.y + o.h <= b.y));
      if (box) { found.set(p, [box.x - m.x[p], box.y - m.y[p], w]); taken.push(box); }
    }
    return found;
  },
  boxes(c, m) {
    if (m.level !== "full" || !this.queues) return [];
    m.cards ??= this.free(c, m);
    return Array.from(m.cards, ([p, [dx, dy, w]]) => ({ x: m.x[p] + dx, y: m.y[p] + dy, w, h: this.under }));
  },
  /** Cards beside the processes. */
  cards(c, m) {
    this.flagged(c, m);
    if (!this.boxes(c, m).length) return;
    let top = 0;
    this.queues.forEach((queue, i) => {
      const mine = this.state().queues[i], read = (at) => JSON.parse(run.texts[queue.text[at]]), lasts = 0.6 * usualDelay;
      for (const [p, at] of mine.cards) {
        if (!m.cards.has(p)) continue;
        const [items, more, fresh, fallen, kept] = read(at), seq = queue.at[at], stack = queue.style === "stack", w = queue.wide;
        const share = seq < 0 ? 1 : clamp((t - E.time[seq]) / lasts, 0, 1), [dx, dy, room] = m.cards.get(p);
        const left = m.x[p] + (Math.abs(dx + room / 2) < 1 ? -(stack ? w : items.length * (w + 2)) / 2 : dx);
        const place = (n) => [stack ? left : left + n * (w + 2), m.y[p] + dy + top + (stack ? n * 16 : 0)];
        items.forEach((word, n) => this.card(c, ...place(n), w, word, queue.slot, fresh[n] && share < 1 ? 1 - share : 0));
        if (more) { const [x, y] = place(items.length); text(c, `+${more}`, x, y + 7, theme.text.secondary, { px: CAPTION, weight: 600 }); }
        if (share < 1) {
          c.globalAlpha = 1 - share;
          fallen.forEach((word, n) => { const [x, y] = place(n); this.card(c, x + (stack ? 13 : 0), y + 12 + 13 * share, w, word, kept[n] ? queue.into : 7, kept[n] ? 1 : 0, !kept[n]); });
          c.globalAlpha = 1;
        }
      }
      top += queue.style === "stack" ? (queue.most + 1) * 16 : 17;
    });
  },
  card(c, x, y, w, word, slot, fresh, gone = false) {
    const look = stateLook(slot);
    card(c, x, y, w, 14, 2.5, gone ? theme.surface.canvas : look.fill, fresh > 0.4 ? theme.text.primary : look.outline, 1 + 1.4 * fresh);
    text(c, elided(c, word, w - 3, CAPTION), x + w / 2, y + 7, gone ? theme.text.primary : look.label, { px: CAPTION, align: "center" });
    if (gone) { pen(c, theme.fault.base, 1.4); line(c, x, y + 7, x + w, y + 7); }
  },
  /** What is left of the timer of a process: of those that run, the one that rings first. */
  left(p) {
    const { process, begin, end, rings } = this.countdown;
    this.timers ??= Array.from(process, (q, i) => [q, i]).reduce((all, [q, i]) => all.set(q, [...(all.get(q) ?? []), i]), new Map());
    const running = (this.timers.get(p) ?? []).filter((i) => begin[i] <= t && t < end[i] && begin[i] < rings[i]);
    const first = running.reduce((best, i) => (best < 0 || rings[i] < rings[best] ? i : best), -1);
    return first < 0 ? NaN : (rings[first] - t) / (rings[first] - begin[first]);
  },
  /** Timers as pies at the lower left of their processes. */
  pies(c, m) {
    if (!this.countdown || !m.detailed) return;
    for (const p of onMap) {
      const left = this.left(p);
      if (isFinite(left) && !now.crashed[p]) this.pie(c, m.x[p] - m.d * 0.52, m.y[p] + m.d * 0.52, Math.max(5, m.d * 0.2), left);
    }
  },
  pie(c, x, y, r, share) {
    disc(c, x, y, r, theme.surface.canvas); pen(c, theme.text.secondary, 1.2); c.stroke();
    c.beginPath(); c.moveTo(x, y); c.arc(x, y, r - 1.6, -Math.PI / 2 - 2 * Math.PI * share, -Math.PI / 2); c.closePath(); c.fillStyle = theme.text.secondary; c.fill();
  },
  /** Where the directions of links lead in a circle, and the shortest circles round which the values do not sum up to 0. */
  found() {
    if (this.seen?.k === now.k && this.seen.now === now) return this.seen;
    const [given] = channelsOf("orientation").map(([, each]) => each), sets = Array.isArray(given), [among] = channelsOf("among").map(([, each]) => each);
    const leads = (a, b) => (sets ? given[a].has(b) : given[a] >= 0 && given[b] >= 0 && given[a] > given[b]);
    const ways = Array.from(L.a, (a, i) => leads(a, L.b[i]) - leads(L.b[i], a)), claimed = (i) => leads(L.a[i], L.b[i]) || leads(L.b[i], L.a[i]);
    const there = Array.from(L.a, (a, i) => now.down[i] !== 3 && a !== L.b[i] && (among ? among[a].has(L.b[i]) && among[L.b[i]].has(a) : claimed(i)));
    const links = ways.flatMap((way, i) => (there[i] && way ? [way > 0 ? [i, L.a[i], L.b[i]] : [i, L.b[i], L.a[i]]] : []));
    const parts = this.strong(links), wound = parts.length || !this.circles.winding ? [] : this.wound(there);
    return (this.seen = { k: now.k, now, parts: this.circles.cycles ? parts : [], wound });
  },
  /** Strongly connected parts: who is reached from somebody and reaches them too; their links, and who stands round one circle. */
  strong(links) {
    for (let kept; ; links = kept) {
      const from = new Set(links.map(([, a]) => a)), to = new Set(links.map(([, , b]) => b));
      kept = links.filter(([, a, b]) => from.has(b) && to.has(a));
      if (kept.length === links.length) break;
    }
    const reached = (root, one, other) => {
      const seen = new Set([root]), next = new Map();
      for (const link of links) next.set(link[one], [...(next.get(link[one]) ?? []), link[other]]);
      for (const p of seen) for (const q of next.get(p) ?? []) seen.add(q);
      return seen;
    };
    const done = new Set(), parts = [];
    for (const root of [...new Set(links.map(([, a]) => a))].sort((a, b) => a - b)) {
      if (done.has(root)) continue;
      const back = reached(root, 2, 1), part = new Set([...reached(root, 1, 2)].filter((p) => back.has(p)));
      part.forEach((p) => done.add(p));
      const own = links.filter(([, a, b]) => part.has(a) && part.has(b)), after = new Map(own.map(([, a, b]) => [a, b])), ring = [root];
      if (part.size < 2) continue;
      if (own.length === part.size) while (ring.length < part.size) ring.push(after.get(ring[ring.length - 1]));
      parts.push({ links: own.map(([i]) => i), ring: own.length === part.size ? ring : [] });
    }
    return parts;
  },
  wound(there) {
    const [codes] = channelsOf("winding").map(([, each]) => each), near = new Map(), value = (p) => (codes[p] >= 0 ? run.numbers[codes[p]] : NaN);
    const step = (p, q) => ((((value(q) - value(p) + 1) % 3) + 3) % 3) - 1, found = [], lifted = new Map(), parent = new Map();
    there.forEach((on, i) => { const a = L.a[i], b = L.b[i]; if (on && Number.isInteger(value(a)) && Number.isInteger(value(b))) for (const [p, q] of [[a, b], [b, a]]) near.set(p, [...(near.get(p) ?? []), q]); });
    const above = (p) => { const way = []; for (; p >= 0; p = parent.get(p)) way.push(p); return way; };
    for (const root of [...near.keys()].sort((a, b) => a - b)) {
      if (lifted.has(root)) continue;
      lifted.set(root, 0); parent.set(root, -1);
      const queue = [root], odd = [];
      for (const p of queue) for (const q of near.get(p).sort((a, b) => a - b)) {
        const up = lifted.get(p) + step(p, q);
        if (!lifted.has(q)) { lifted.set(q, up); parent.set(q, p); queue.push(q); } else if (lifted.get(q) !== up && p < q && parent.get(p) !== q && parent.get(q) !== p) {
          const one = above(p), other = above(q);
          while (one.length > 1 && other.length > 1 && one[one.length - 2] === other[other.length - 2]) { one.pop(); other.pop(); }
          odd.push([...one, ...other.slice(0, -1).reverse()]);
        }
      }
      if (odd.length) found.push(odd.reduce((a, b) => (b.length < a.length ? b : a)));
    }
    return found;
  },
  circled(c, m) {
    if (!this.circles || m.level === "dense") return;
    const { parts, wound } = this.found(), round = (way) => { c.beginPath(); way.forEach((p) => c.lineTo(m.x[p], m.y[p])); c.closePath(); };
    for (const { links, ring } of parts) {
      if (ring.length) { round(ring); c.fillStyle = theme.chain.waitingSoft; c.fill(); }
      for (const [color, more] of [[theme.surface.canvas, 3], [theme.chain.waiting, 0]]) {
        pen(c, color, (m.detailed ? looks.line.treeEdge * 1.5 : 2.6) + more, [], "round"); c.beginPath();
        for (const i of links) { c.moveTo(m.x[L.a[i]], m.y[L.a[i]]); c.lineTo(m.x[L.b[i]], m.y[L.b[i]]); }
        c.stroke();
      }
    }
    for (const way of wound) { pen(c, theme.chain.waiting, looks.line.link * 1.6, [5, 4]); round(way); c.stroke(); }
  },
  /** A triangle in the middle of each circle that winds. */
  warn(c, m) {
    if (!this.circles || m.level === "dense") return;
    for (const way of this.found().wound) this.warning(c, way.reduce((sum, p) => sum + m.x[p], 0) / way.length, way.reduce((sum, p) => sum + m.y[p], 0) / way.length, Math.max(9, m.d * 0.34));
  },
  warning(c, x, y, half) {
    c.beginPath(); c.moveTo(x, y - half); c.lineTo(x + half, y + half * 0.8); c.lineTo(x - half, y + half * 0.8); c.closePath();
    c.fillStyle = theme.surface.canvas; c.fill(); pen(c, theme.chain.waiting, Math.max(1.4, half * 0.18)); c.stroke();
    pen(c, theme.chain.waiting, Math.max(1.2, half * 0.2), [], "round"); line(c, x, y - half * 0.38, x, y + half * 0.2); disc(c, x, y + half * 0.5, half * 0.12, theme.chain.waiting);
  },
  /** How many there are of what the legend counts now. */
  counted(item) {
    return { cycle: () => this.found().parts.length, winding: () => this.found().wound.length }[item.sort]?.() ?? null;
  },
  sign(c, item, left, y) {
    if (item.sort === "sector") {
      const { style, slot } = this.sectors[item.number];
      this.part(c, style, slot ?? 2, { y, radius: 0, start: left + 1, long: 24, half: { arc: 2.2, struck: 3.6 }[style] ?? 5.6 });
      return true;
    }
    if (item.sort === "flag") {
      const flag = { slot: this.flags[item.number].slot, word: "", x: left + 3, y: y + 5, box: { x: left + 3, y: y - 6, w: 9, h: 7 } };
      this.pole(c, flag); this.cloth(c, flag);
      return true;
    }
    if (item.sort === "winding") { this.warning(c, left + 7.5, y, 6.5); return true; }
    if (item.sort === "cycle") {
      c.beginPath(); [[0, -1], [1, -0.2], [0.6, 0.9], [-0.6, 0.9], [-1, -0.2]].forEach(([a, b]) => c.lineTo(left + 7.5 + 6 * a, y + 6 * b)); c.closePath();
      c.fillStyle = theme.chain.waitingSoft; c.fill(); pen(c, theme.chain.waiting, 2.4); c.stroke(); return true;
    }
    if (item.sort === "countdown") { this.pie(c, left + 7.5, y, 5.5, 0.65); return true; }
    if (item.sort !== "queue") return false;
    for (const n of [0, 1]) this.card(c, left + n * 13.5, y - 6, 11.5, "", this.queues[item.number].slot, 0);
    return true;
  },
};
