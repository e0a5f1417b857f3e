// ------------------------------------------------------------------ the network in space

const cube = run.space && onMap.length ? { deep: onMap.map((p) => [run.space.x[p], run.space.y[p], run.space.z[p]]), level: flattened(onMap.map((p) => P.x[p]), onMap.map((p) => P.y[p])) } : null;
const world = {
  on: false, depth: 1, to: 1, camera: null, space: null, held: new Map(), quick: false, legend: null, shown: null,
  /** Show the network in space, or flat again; the change is one motion. */
  enter(on, depth = 1, still = calm.matches) {
    this.space ??= new Space(run.space?.solids ?? {});
    const able = !!cube && this.space.able;
    this.space.restored = stale;
    $("no-space").hidden = !on || able;
    if (on && !able) return;
    if (on && !this.on) this.depth = still ? depth : 0;
    this.to = on ? depth : 0; this.leaving = !on; this.held.clear();
    if (!on && still) this.depth = 0;
    this.on = on || this.depth > 0;
    this.dress(); last = performance.now(); stale();
  },
  dress() {
    const shown = this.on && !this.leaving;
    $("in-space").setAttribute("aria-pressed", shown); $("space").hidden = !shown; network.view.classList.toggle("space", shown);
    $("depth").value = this.to; $("depth").setAttribute("aria-valuetext", tr("{share} % of the depth", { share: Math.round(100 * this.to) }));
  },
  get moving() { return this.on && (this.depth !== this.to || this.held.size > 0 || !!this.glide); },
  /** Move by this much real time. */
  advance(seconds) {
    if (this.depth !== this.to) this.depth = calm.matches ? this.to : this.to > this.depth ? Math.min(this.to, this.depth + 1.6 * seconds) : Math.max(this.to, this.depth - 1.6 * seconds);
    if (this.leaving && this.depth === 0) { this.on = false; this.dress(); }
    if (this.glide) {
      this.glide.done = Math.min(1, this.glide.done + seconds / 0.8);
      const { from, to, home, done } = this.glide, share = done * done * (3 - 2 * done);
      this.camera = from.towards(to, share);
      if (done >= 1) { this.camera = home ? null : to; this.glide = null; }
    }
    if (this.held.size) {
      const by = [0, 1, 2].map((k) => [...this.held.values()].reduce((sum, way) => sum + way[k], 0) * seconds * 0.75 * (this.quick ? 3 : 1));
      this.camera = this.view().walk(...by);
    }
  },
  view(w = this.w ?? 600, h = this.h ?? 400) { return this.camera ?? this.first(w, h); },
  /** The first view: the whole network above the legend. */
  first(w, h) {
    const free = h - (this.legend?.height ?? 0), found = homeOf(cube.deep, w, free), focal = new Sight(found, w, h).focal;
    const home = found.around(found.pivot, found.yaw, found.pitch, (found.reach * focal) / new Sight(found, w, free).focal);
    return home.slide(0, ((free - h) / 2) * (home.reach / focal));
  },
  look(camera) { this.camera = camera; this.glide = null; stale(); },
  fly(to, home = false) {
    if (calm.matches) { this.camera = home ? null : to; stale(); return; }
    this.glide = { from: this.view(), to, home, done: 0 }; last = performance.now(); stale();
  },
  home() { if (this.on) this.fly(this.first(this.w ?? 600, this.h ?? 400), true); },
  visit(p) { const at = this.places?.get(p); if (at) this.fly(this.view().around(at, this.view().yaw, this.view().pitch, Math.max(9 * run.space.body, 0.4))); },
  walk(way, shift) {
    if (!this.on || this.leaving) return;
    const held = this.held.has(String(way)), step = calm.matches ? 0.18 : 0.03; // a short press is a step too
    this.quick = shift;
    if (calm.matches || !held) this.look(this.view().walk(...way.map((k) => k * step * (shift ? 3 : 1))));
    if (calm.matches) return;
    this.held.set(String(way), way);
    if (!held && !playing) last = performance.now();
    stale();
  },
  inks: () => ({ dark: document.documentElement.dataset.theme === "dark", ink: theme.text.primary, ground: theme.surface.canvas, control: theme.border.control, subtle: theme.border.subtle, fault: theme.fault.base, panel: theme.surface.panel, window: theme.surface.window }),
  paint(c, w, h) {
    if (!this.space.able) { this.on = false; this.dress(); $("no-space").hidden = false; return stale(); }
    if (this.w !== w || this.h !== h) { this.legend = layOutLegend(c, w, h); this.front = null; this.w = w; this.h = h; }
    const inks = this.inks(), d = this.depth, flying = inFlight(t);
    let camera = this.view(w, h);
    if (d < 1) { this.front ??= fitted(cube.level, new Viewpoint([0, 0, 3]), w, h, 0); camera = this.front.towards(camera, d); }
    const sight = new Sight(camera, w, h, d), at = new Map(onMap.map((p, i) => [p, plus(cube.level[i], minus(cube.deep[i], cube.level[i]), d)]));
    this.places = at;
    drawAir(c, w, h, d, inks);
    const scene = { bottom: run.space.bottom, body: run.space.body, lines: [...this.links(at), ...this.pointers(at, sight)], bodies: this.bodies(at), lights: this.lights(at, flying) };
    this.space.paint(c, sight, c.getTransform().a, scene, inks);
    this.shown = { sight, lights: scene.lights };
    this.losses(c, at, sight); this.rings(c, at, sight);
    this.labels(c, at, sight);
    drawLegend(c, { w, h, legend: this.legend }, flying);
  },
  links(at) {
    const colour = mix(theme.link.base, theme.surface.canvas, 0.1);
    return Array.from(L.a, (a, i) => ({ a: at.get(a), b: at.get(L.b[i]), ...(now.down[i] ? { colour: theme.fault.base, width: 1.4, dash: 5 } : { colour, width: looks.line.link * 0.8 }) })).filter(({ a, b }) => a && b);
  },
  /** Waiting chains as glowing paths with chevrons, and other pointers as lines. */
  pointers(at, sight) {
    const parts = pieces.find("pointer")?.parts, found = [], wide = 0.09 * run.space.body, most = looks.line.waitingChain;
    for (const [number, points] of parts ? channelsOf("pointers") : []) {
      const { style, backwards, selected } = parts[number];
      for (let p = 0; p < N; p++) {
        if (points[p] < 0 || (selected && p !== chosen)) continue;
        const [a, b] = (backwards ? [points[p], p] : [p, points[p]]).map((q) => at.get(q));
        if (!a || !b) continue;
        if (style === "waiting") { found.push(...glowing(a, b, theme.chain.waiting, wide, most)); found.push(...this.chevrons(a, b, Math.min(wide, (most * sight.turned(plus(a, minus(b, a), 0.5))[2]) / sight.focal), sight)); }
        else if (style === "waited") found.push(...glowing(a, b, theme.chain.waiting, wide / 2, most / 2));
        else found.push({ a, b, colour: style === "tree" || style === "ring" ? stateLook(3).outline : theme.border.strong, width: looks.line.treeEdge * (style === "tree" || style === "ring" ? 0.8 : 0.4) });
      }
    }
    return found;
  },
  chevrons(a, b, wide, sight) {
    const way = minus(b, a), length = far(way), u = way.map((k) => k / (length || 1)), ahead = minus(a, sight.camera.eye);
    if (length < 12 * wide) return [];
    let v = [u[1] * ahead[2] - u[2] * ahead[1], u[2] * ahead[0] - u[0] * ahead[2], u[0] * ahead[1] - u[1] * ahead[0]];
    const across = far(v) || 1, size = 1.05 * wide, middle = plus(a, way, 0.5), colour = mix(theme.surface.canvas, theme.chain.waiting, 0.12);
    v = v.map((k) => k / across);
    return [-1, 0, 1].flatMap((step) => {
      const tip = plus(middle, u, step * 3.7 * wide), back = plus(tip, u, -size);
      return [1, -1].map((side) => ({ a: plus(back, v, side * size), b: tip, colour, width: 2.5, wide: 0.42 * wide }));
    });
  },
  bodies(at) {
    const speakers = pieces.find("baskets")?.speakers() ?? [];
    return onMap.map((p) => { const slot = speakers[p] ? 6 : slotOf(now.state[p]), { shape: form, fill, outline } = stateLook(slot); return { at: at.get(p), look: { shape: form, fill, line: outline }, crashed: !!now.crashed[p], ringed: !!P.initiator[p] || slot >= 8 }; });
  },
  lights(at, flying) {
    const doors = new Map();
    return flying.filter((i) => at.has(M.source[i]) && at.has(M.target[i])).map((i) => {
      const door = M.source[i] * N + M.target[i], waits = !M.unsure[i] && t >= M.reached[i], place = waits ? doors.get(door) ?? 0 : 0, kind = messageLook(lookOf(i).kind).head;
      if (waits) doors.set(door, place + 1);
      const [where, tail] = flyingAt(at.get(M.source[i]), at.get(M.target[i]), fraction(i, t), run.space.body, this.depth, place);
      return { i, at: where, tail: waits ? null : tail, colour: colorOf(i), head: [kind, (c, size) => headOf(c, kind, size)] };
    });
  },
  losses(c, at, sight) {
    for (let e = now.k - 1; e >= 0 && E.time[e] > t - run.fade; e--) {
      const i = E.kind[e] === KIND.drop ? messageOf.get(E.message[e]) : undefined, a = at.get(M.source[i]), b = at.get(M.target[i]);
      if (i === undefined || !a || !b) continue;
      const [x, y, weight] = sight.project(plus(a, minus(b, a), fraction(i, E.time[e]))), half = clamp(sight.size(0.3 * run.space.body, weight), 2, 9);
      c.globalAlpha = clamp(1.25 - (1.25 * (t - E.time[e])) / run.fade, 0, 1);
      if (weight > 0.1) cross(c, x, y, half, Math.max(1.4, half * 0.35), theme.fault.base);
      c.globalAlpha = 1;
    }
  },
  rings(c, at, sight) {
    const ring = (point, size, selected) => {
      const [x, y, weight] = sight.project(point);
      if (weight < 2 * NEAR) return;
      pen(c, theme.selection, selected ? looks.line.selectionRing : 1.3); c.beginPath(); c.arc(x, y, (Math.max(sight.size(size, weight), 14) + 6) / 2, 0, 7); c.stroke();
    };
    if (at.has(chosen)) ring(at.get(chosen), run.space.body, true);
    if (over.kind === "process" && over.id !== chosen && at.has(over.id)) ring(at.get(over.id), run.space.body, false);
    const light = over.kind === "message" ? this.shown.lights.find(({ i }) => i === over.id) : null;
    if (light) ring(light.at, LIGHT * run.space.body, false);
  },
  /** The names, and what is said beside the processes; labels that would cover a nearer one are left out. */
  labels(c, at, sight) {
    const near = [...at].map(([p, point]) => ({ p, at: sight.project(point) })).filter(({ at: [x, y, weight] }) => weight > 2 * NEAR && x > 0 && y > 0 && x < this.w && y < this.h);
    near.sort((a, b) => (b.p === chosen) - (a.p === chosen) || a.at[2] - b.at[2]);
    const told = near.slice(0, 90).map(({ p, at: [x, y, weight] }) => {
      const size = sight.size(run.space.body, weight), px = size > 34 ? looks.type.body : size > 18 ? SMALL : CAPTION, words = size > 18 && now.watch[p] ? run.texts[now.watch[p]] : "";
      const wideName = wide(c, names[p], px, 600) + 12, tall = 1.3 * px + 1, top = y + 0.62 * size + 1, half = Math.max(wideName, words ? wide(c, words) : 0) / 2;
      return { p, x, size, px, words, wideName, tall, top, fog: sight.fog(weight), box: [x - half, top, x + half, top + tall + (words ? 1.3 * SMALL + 1 : 0)] };
    }).filter(({ p, size }) => size >= 9 || p === chosen);
    const l = this.legend, free = roomFor([...(l.cells.length ? [[l.x, l.y, l.x + l.w, l.y + l.h]] : []), ...told.map(({ box }) => box)]).slice(l.cells.length ? 1 : 0);
    told.filter((_, i) => free[i]).reverse().forEach(({ p, x, px, words, wideName, tall, top, fog }) => {
      c.globalAlpha = 0.82 * (1 - 0.75 * fog); card(c, x - wideName / 2, top, wideName, tall, tall / 2, theme.surface.window, null);
      c.globalAlpha = 1 - 0.75 * fog;
      if (p === chosen) { c.beginPath(); c.roundRect(x - wideName / 2, top, wideName, tall, tall / 2); pen(c, theme.selection, 1.6); c.stroke(); }
      text(c, names[p], x, top + tall / 2, theme.text.primary, { px, weight: 600, align: "center" });
      if (words) text(c, words, x, top + tall + 0.65 * SMALL, theme.text.secondary, { align: "center", halo: theme.surface.canvas });
      c.globalAlpha = 1;
    });
  },
  /** What is at a point: what covers it and is nearest, else something close to it. */
  hit(x, y) {
    if (!this.shown) return NOTHING;
    const { sight, lights } = this.shown, reach = looks.node.hitMinimum / 2;
    const things = [...lights.map(({ i, at }) => ["message", i, at, LIGHT]), ...[...this.places].map(([p, at]) => ["process", p, at, 1])].map(([kind, id, at, size]) => {
      const [u, v, weight] = sight.project(at), across = sight.size(size * run.space.body, weight);
      return { kind, id, weight, away: Math.hypot(u - x, v - y) - (size < 1 ? Math.min(across, DAZZLING) : across) / 2 };
    }).filter(({ weight, away }) => weight > 2 * NEAR && away <= reach);
    const covering = things.filter(({ away }) => away <= 0).sort((a, b) => a.weight - b.weight), found = covering[0] ?? things.sort((a, b) => a.away - b.away)[0];
    return found ? { kind: found.kind, id: found.id } : NOTHING;
  },
};
/** The head of a kind of message, around 0, 0. */
function headOf(c, kind, size) {
  const r = size / 2, corners = HEADS[kind];
  c.beginPath();
  if (corners) { corners.forEach(([a, b]) => c.lineTo(a * r, b * r)); c.closePath(); } else { c.arc(0, 0, r * 0.92, 0, 7); c.moveTo(r * 0.34, 0); c.arc(0, 0, r * 0.34, 0, 7); }
  c.fill("evenodd");
}
{ // the flat network and the one in space are one view
  const flat = { paint: network.paint, hit: network.hit };
  network.paint = function (c, w, h) { if (world.on) world.paint(c, w, h); else flat.paint.call(this, c, w, h); };
  network.hit = (x, y) => (world.on ? world.hit(x, y) : flat.hit.call(network, x, y));
}
