// The network of the run in space, with the people who are there: the same drawing as on the page that plays a run.

import { canvasOf, calm, cut, headPath, ink, isDark, lookOf, messageLook, onTheme, path2d, wide, write } from "./draw.js";
import { room, send } from "./room.js";
import { LIGHT, NEAR, Sight, SOLIDS, Space, Viewpoint, WALKS, blended, drawAir, fitted, flattened, flyingAt, homeOf, minus, plus, roomFor, turning } from "./space.js";

/** The milliseconds between two reports of one's own place. */
const PACE = 260;
const FIGURE = 0.11;
let space = null; // one for the page: a browser allows only a few
const TINTS = 6;
/** The colour of a person, the same on all screens. */
const tintOf = (person) => ink(`tint-${person % TINTS}-ink`);
const inks = () => ({ dark: isDark(), ink: ink("text-primary"), ground: ink("surface-canvas"), control: ink("border-control"), subtle: ink("border-subtle"), fault: ink("fault-base"), panel: ink("surface-panel"), window: ink("surface-window") });

/** A view in space on a canvas. `asked` says what to draw, as for a stage. */
export class World {
  constructor(canvas, asked) {
    this.canvas = canvas; this.asked = asked; this.camera = null; this.depth = 1; this.held = new Map(); this.before = 0; this.told = ""; this.toldAt = -1e9; this.shown = null;
    new ResizeObserver(() => this.paint()).observe(canvas);
    onTheme(() => this.paint());
    this.hands = turning(canvas, { on: () => !canvas.hidden, get: () => this.view(), set: (camera) => this.look(camera), home: () => this.look(null) });
    canvas.addEventListener("keydown", (event) => {
      const way = WALKS[event.key.toLowerCase()];
      if (event.key === "h" || event.key === "Home") this.look(null);
      else if (way && !event.ctrlKey && !event.metaKey && !event.altKey) {
        if (!this.held.has(event.key.toLowerCase())) this.look(this.view().walk(...way.map((k) => k * (calm.matches ? 0.18 : 0.03))));
        if (!calm.matches) this.held.set(event.key.toLowerCase(), way);
      } else return;
      event.preventDefault();
    });
    canvas.addEventListener("keyup", (event) => this.held.delete(event.key.toLowerCase()));
    canvas.addEventListener("blur", () => this.held.clear());
  }
  /** Whether the browser and the network allow it. */
  get able() { space ??= new Space(SOLIDS); return space.able && !!room.welcome?.space?.places?.length; }
  places() { return room.welcome.space.places; }
  view() { return this.camera ?? homeOf(this.places(), this.canvas.clientWidth || 320, this.canvas.clientHeight || 320); }
  look(camera) { this.camera = camera; this.paint(); }
  /** Walk on while a key is held, and tell the class where one stands; called for each frame while the view is shown. */
  step(now) {
    const passed = Math.min(0.1, (now - this.before) / 1000);
    this.before = now;
    for (const way of this.held.values()) this.camera = this.view().walk(...way.map((k) => k * 0.75 * passed));
    if (this.held.size) this.paint();
    if (now - this.toldAt >= PACE) this.tell(now);
  }
  tell(now = performance.now()) {
    const { eye, yaw, pitch } = this.view(), two = (k) => Math.round(100 * k) / 100, turn = Math.atan2(Math.sin(yaw), Math.cos(yaw));
    const place = { at: eye.map((k) => two(Math.max(-40, Math.min(40, k)))), look: [two(turn), two(pitch)] }, key = `${JSON.stringify(place)} ${room.welcome.secret} ${room.connected}`;
    if (key === this.told) return;
    if (send({ kind: "stand", ...place })) { this.told = key; this.toldAt = now; }
  }
  /** Leave the world: the others no longer see one there. */
  leave() { if (this.told) send({ kind: "stand", at: [], look: [] }); this.told = ""; this.held.clear(); room.figures = []; }
  paint() {
    const on = canvasOf(this.canvas), told = this.asked();
    if (!on || !told?.welcome || this.canvas.hidden || !this.able) return;
    const { c, w, h } = on, { welcome, run, game } = told, deep = this.places(), colours = inks(), d = this.depth;
    const flat = flattened(...[0, 1].map((k) => welcome.places.map((at) => at[k]))), at = deep.map((p, i) => plus(flat[i] ?? p, minus(p, flat[i] ?? p), d));
    let camera = this.view();
    if (d < 1) camera = fitted(flat, new Viewpoint([0, 0, 3]), w, h, 0).towards(camera, d);
    const sight = new Sight(camera, w, h, d), { body, bottom } = welcome.space, k = run ? run.until(told.t ?? Infinity) : 0, now = run?.at(k), looks = welcome.looks ?? {};
    const cutOff = ([a, b]) => now?.cut.size > 0 && now.cut.has(`${Math.min(a, b)} ${Math.max(a, b)}`), pale = blended(ink("link-base"), colours.ground, 0.1);
    drawAir(c, w, h, d, colours);
    const scene = {
      bottom, body,
      lines: welcome.links.map((link) => ({ a: at[link[0]], b: at[link[1]], ...(cutOff(link) ? { colour: colours.fault, width: 1.4, dash: 5 } : { colour: pale, width: 1.4 }) })).filter(({ a, b }) => a && b),
      bodies: at.map((place, p) => { const look = lookOf(looks.states?.[run ? run.stateName(now, p) : Object.keys(looks.states ?? {})[0]]); return { at: place, look: { shape: look.shape, fill: look.fill, line: look.line }, crashed: !!now?.down[p] }; }),
      lights: (run ? run.flying(told.t ?? run.end) : []).filter(({ from, to }) => at[from] && at[to]).map(({ from, to, label, share }) => {
        const look = messageLook(looks, run.labels[label]), [place, tail] = flyingAt(at[from], at[to], share, body, d);
        return { at: place, tail, colour: look.colour, head: [look.head, (canvas, size) => canvas.fill(path2d(headPath(look.head, size)), "evenodd")] };
      }),
      figures: (room.figures ?? []).filter(({ person }) => person !== welcome.person).map((each) => ({ at: each.at, yaw: each.look[0], colour: tintOf(each.person), size: FIGURE, name: each.name })),
    };
    space.restored = () => this.paint();
    space.paint(c, sight, c.getTransform().a, scene, colours);
    this.shown = { sight, at };
    if (game?.kind === "illegal") for (const p of game.illegal ?? []) if (at[p]) this.ring(c, sight, at[p], body * 1.7, colours.fault, [6, 4]);
    if (told.mine >= 0 && at[told.mine]) this.ring(c, sight, at[told.mine], body * 1.35, ink("accent-ring"), []);
    this.labels(c, sight, at, told, scene.figures);
  }
  ring(c, sight, at, size, colour, dash) {
    const [x, y, weight] = sight.project(at);
    if (weight < 2 * NEAR) return;
    c.strokeStyle = colour; c.lineWidth = 2.5; c.setLineDash(dash); c.beginPath(); c.arc(x, y, Math.max(sight.size(size, weight), 16) / 2, 0, 7); c.stroke(); c.setLineDash([]);
  }
  labels(c, sight, at, told, figures) {
    const names = told.welcome.processes, all = [
      ...figures.map(({ at: place, name, colour, size }) => ({ place, words: name, colour, size, above: true })),
      ...at.map((place, p) => ({ place, words: [names[p], told.name?.(p), told.game?.values?.[p]].filter(Boolean).join(" · "), size: told.welcome.space.body })),
    ].map((each) => { const [x, y, weight] = sight.project(each.place); return { ...each, x, y, weight, size: sight.size(each.size, weight) }; })
      .filter(({ weight, x, y, size }) => weight > 2 * NEAR && x > 0 && y > 0 && x < sight.w && y < sight.h && size > 7).sort((a, b) => a.weight - b.weight).slice(0, 80)
      .map((each) => { const px = each.size > 26 ? 14 : 12, words = cut(c, each.words, 130, px, 600), half = wide(c, words, px, 600) / 2 + 7, top = each.above ? each.y - 0.66 * each.size - 1.4 * px : each.y + 0.62 * each.size + 2; return { ...each, px, words, half, top, box: [each.x - half, top, each.x + half, top + 1.4 * px] }; });
    const free = roomFor(all.map(({ box }) => box));
    all.filter((_, i) => free[i]).reverse().forEach(({ x, px, words, half, top, colour, weight }) => {
      const fog = sight.fog(weight);
      c.globalAlpha = 0.82 * (1 - 0.75 * fog); c.fillStyle = ink("surface-window"); c.beginPath(); c.roundRect(x - half, top, 2 * half, 1.4 * px, 0.7 * px); c.fill();
      c.globalAlpha = 1 - 0.75 * fog;
      if (colour) { c.strokeStyle = colour; c.lineWidth = 1.5; c.stroke(); }
      write(c, words, x, top + 0.7 * px, ink("text-primary"), { px, weight: 600, align: "center" });
      c.globalAlpha = 1;
    });
  }
  /** The process at a point of the canvas, or -1. */
  hit(x, y) {
    if (!this.shown) return -1;
    const { sight, at } = this.shown, found = at.map((place, p) => { const [u, v, weight] = sight.project(place); return { p, weight, away: Math.hypot(u - x, v - y) - sight.size(room.welcome.space.body, weight) / 2 }; }).filter(({ weight, away }) => weight > 2 * NEAR && away < 16);
    const inside = found.filter(({ away }) => away <= 0).sort((a, b) => a.weight - b.weight);
    return (inside[0] ?? found.sort((a, b) => a.away - b.away)[0])?.p ?? -1;
  }
}
