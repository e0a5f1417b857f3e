// ------------------------------------------------------------------ directed cycles of links

scripts.orientation = class extends Piece {
  /** The directed cycles of links, and the shortest cycles round which the values do not add up to 0. */
  found() {
    if (!this.part.cycles && !this.part.winding) return { parts: [], wound: [] };
    if (this.seen?.k === now.k && this.seen.now === now) return this.seen;
    const [given] = channelsOf("orientation").map(([, each]) => each), sets = Array.isArray(given), [among] = channelsOf("among").map(([, each]) => each);
    const leads = (a, b) => (sets ? given[a].has(b) : given[a] >= 0 && given[b] >= 0 && given[a] > given[b]);
    const ways = Array.from(L.a, (a, i) => leads(a, L.b[i]) - leads(L.b[i], a)), claimed = (i) => leads(L.a[i], L.b[i]) || leads(L.b[i], L.a[i]);
    const there = Array.from(L.a, (a, i) => now.down[i] !== 3 && a !== L.b[i] && (among ? among[a].has(L.b[i]) && among[L.b[i]].has(a) : claimed(i)));
    const links = ways.flatMap((way, i) => (there[i] && way ? [way > 0 ? [i, L.a[i], L.b[i]] : [i, L.b[i], L.a[i]]] : []));
    const parts = this.strong(links), wound = parts.length || !this.part.winding ? [] : this.wound(there);
    return (this.seen = { k: now.k, now, parts: this.part.cycles ? parts : [], wound });
  }
  /** The strongly connected components, their links, and the processes in order if a component is a single cycle. */
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
  }
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
  }
  lines(c, m) {
    if (m.level === "dense") return;
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
    if (m.detailed) this.directions(c, m);
  }
  /** A head on each link that has a direction. */
  directions(c, m) {
    for (const [, given] of channelsOf("orientation")) {
      const sets = Array.isArray(given);
      for (let i = 0; i < L.a.length; i++) {
        const a = L.a[i], b = L.b[i];
        if (now.down[i]) continue;
        const there = sets ? given[a].has(b) : given[a] >= 0 && given[b] >= 0 && given[a] > given[b];
        const back = sets ? given[b].has(a) : given[a] >= 0 && given[b] >= 0 && given[b] > given[a];
        const size = Math.max(5, Math.min(m.d * 0.34, 3.2 * looks.line.treeEdge + 2));
        if (there) drawMiddleHead(c, theme.text.secondary, m.x[a], m.y[a], m.x[b], m.y[b], size);
        if (back) drawMiddleHead(c, theme.text.secondary, m.x[b], m.y[b], m.x[a], m.y[a], size);
      }
    }
  }
  /** A triangle in the middle of each cycle whose values do not add up to 0. */
  over(c, m) {
    if (m.level === "dense") return;
    for (const way of this.found().wound) this.warning(c, way.reduce((sum, p) => sum + m.x[p], 0) / way.length, way.reduce((sum, p) => sum + m.y[p], 0) / way.length, Math.max(9, m.d * 0.34));
  }
  warning(c, x, y, half) {
    c.beginPath(); c.moveTo(x, y - half); c.lineTo(x + half, y + half * 0.8); c.lineTo(x - half, y + half * 0.8); c.closePath();
    c.fillStyle = theme.surface.canvas; c.fill(); pen(c, theme.chain.waiting, Math.max(1.4, half * 0.18)); c.stroke();
    pen(c, theme.chain.waiting, Math.max(1.2, half * 0.2), [], "round"); line(c, x, y - half * 0.38, x, y + half * 0.2); disc(c, x, y + half * 0.5, half * 0.12, theme.chain.waiting);
  }
  /** The number of things that the legend counts now. */
  counted(item) {
    return { cycle: () => this.found().parts.length, winding: () => this.found().wound.length }[item.sort]?.() ?? null;
  }
  sign(c, item, left, y, wide) {
    if (item.sort === "orientation") {
      pen(c, theme.link.base, looks.line.link); line(c, left, y, left + wide, y); drawMiddleHead(c, theme.text.secondary, left, y, left + wide, y, 9);
      return true;
    }
    if (item.sort === "winding") { this.warning(c, left + 7.5, y, 6.5); return true; }
    if (item.sort !== "cycle") return false;
    c.beginPath(); [[0, -1], [1, -0.2], [0.6, 0.9], [-0.6, 0.9], [-1, -0.2]].forEach(([a, b]) => c.lineTo(left + 7.5 + 6 * a, y + 6 * b)); c.closePath();
    c.fillStyle = theme.chain.waitingSoft; c.fill(); pen(c, theme.chain.waiting, 2.4); c.stroke();
    return true;
  }
};
