// The run as an observer sees it: network, causality and checks, each at the observer's own pace.

import { button, el, fill, icon } from "./dom.js";
import { calm, canvasOf, drawHead, drawProcess, ink, lookOf, messageLook, onTheme, paced, wide, cut, write } from "./draw.js";
import { room, stageAt } from "./room.js";
import { CORRUPT, CRASH, DROP, RECEIVE, STEPS } from "./run.js";
import { Stage } from "./stage.js";
import { tr, trn } from "./words.js";
import { World } from "./world.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/** Where somebody is in the run: at its end, behind, or paused. */
export class Playhead {
  constructor() { this.t = 0; this.follows = true; this.plays = true; this.speed = 1; this.before = 0; }
  end() { return room.run?.end ?? 0; }
  get behind() { return !this.follows && this.t < this.end() - 1e-9; }
  live() { this.follows = true; this.plays = true; }
  pause() { this.follows = false; this.plays = false; }
  play() { if (this.t >= this.end()) this.live(); else { this.follows = false; this.plays = true; } }
  go(t) { this.follows = t >= this.end(); this.plays = this.follows; this.t = Math.max(0, Math.min(t, this.end())); }
  /** Go to the end of an earlier round, or of a later one. */
  step(by) {
    const ends = [0, ...new Set((room.run?.rounds ?? []).map((each) => each.time))];
    const found = by < 0 ? ends.filter((each) => each < this.t - 1e-9).at(-1) ?? 0 : ends.find((each) => each > this.t + 1e-9) ?? this.end();
    this.follows = by > 0 && found >= this.end(); this.plays = this.follows; this.t = found;
  }
  /** Play the last round again. */
  replay() {
    const ends = [0, ...new Set((room.run?.rounds ?? []).map((each) => each.time))].filter((each) => each < this.end() - 1e-9);
    this.t = ends.at(-1) ?? 0; this.follows = false; this.plays = true;
    this.speed = Math.max(0.05, (this.end() - this.t) / 3);
  }
  /** Move on by the time that has passed; return whether the picture has changed. */
  tick(now) {
    const passed = Math.min(0.25, (now - this.before) / 1000), end = this.end(), t = this.t;
    this.before = now;
    if (this.t > end) this.t = end;
    if (this.follows) { const gap = end - this.t; this.t = calm.matches || gap < 1e-6 ? end : this.t + Math.max(gap * Math.min(1, passed * 6), Math.min(gap, passed * 0.5)); }
    else if (this.plays) { this.t = Math.min(end, this.t + passed * this.speed); if (this.t >= end) { this.follows = true; } }
    return t !== this.t;
  }
}

/** The causality of the run: a line for each process, an arrow for each message. */
class Causality {
  constructor(canvas, head) {
    this.canvas = canvas; this.head = head; this.width = 0; this.drag = null;
    new ResizeObserver(() => this.paint()).observe(canvas);
    canvas.addEventListener("pointerdown", (e) => { this.drag = { x: e.clientX, t: head.t }; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => { if (this.drag && this.g && Math.abs(e.clientX - this.drag.x) > 3) { head.pause(); head.t = Math.max(0, Math.min(head.end(), this.drag.t - (e.clientX - this.drag.x) / this.g.scale)); this.paint(); } });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { if (this.drag && head.t >= head.end()) head.live(); this.drag = null; });
  }
  zoom(by) { this.width = Math.max(0.5, (this.g?.span ?? 10) * by); this.paint(); }
  paint() {
    const on = canvasOf(this.canvas), { welcome, run } = room;
    if (!on || !welcome) return;
    const { c, w, h } = on, names = run?.names ?? welcome.processes, n = names.length, looks = welcome.looks ?? {};
    const size = 13, left = Math.min(96, Math.max(44, ...names.slice(0, 40).map((name) => wide(c, name, size, 600) + 32))), upper = 24, lower = h - 8, pitch = Math.min(46, (lower - upper) / Math.max(1, n));
    const rounds = run?.rounds ?? [], usual = rounds.length > 1 ? (rounds.at(-1).time - rounds[Math.max(0, rounds.length - 9)].time) || 8 : 8;
    const span = this.width || Math.max(6, Math.min(40, usual)), t = this.head.t, right = w - 14;
    const room_ = right - left - 12, last = Math.max(t + span * 0.08, span), from = last - span, scale = room_ / span;
    const X = (time) => left + 12 + (time - from) * scale, Y = (p) => upper + pitch * (p + 0.5);
    this.g = { span, scale, from };
    const every = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].find((each) => each * scale > 46) ?? 1e4;
    c.lineWidth = 1;
    for (let i = Math.ceil(Math.max(0, from) / every); i * every <= last; i++) {
      const x = Math.round(X(i * every)) + 0.5;
      c.strokeStyle = ink("border-subtle"); c.beginPath(); c.moveTo(x, upper - 4); c.lineTo(x, lower); c.stroke();
      write(c, String(Math.round(i * every * 10) / 10), x, upper - 13, ink("text-hint"), { px: 11, align: "center" });
    }
    c.strokeStyle = ink("border-control");
    for (let p = 0; p < n; p++) { c.beginPath(); c.moveTo(left + 4, Y(p)); c.lineTo(right, Y(p)); c.stroke(); }
    if (run) this.events(c, run, looks, { X, Y, pitch, from, left, t, last });
    const x = X(t);
    c.strokeStyle = c.fillStyle = ink("playhead"); c.lineWidth = 2; c.beginPath(); c.moveTo(x, upper - 6); c.lineTo(x, lower); c.stroke();
    c.beginPath(); c.moveTo(x - 6, upper - 14); c.lineTo(x + 6, upper - 14); c.lineTo(x + 6, upper - 9); c.lineTo(x, upper - 3); c.lineTo(x - 6, upper - 9); c.closePath(); c.fill();
    c.fillStyle = ink("surface-canvas"); c.fillRect(0, 0, left, h);
    const now = run?.at(run.until(t));
    for (let p = 0; p < n; p++) {
      const d = Math.min(18, pitch * 0.8), look = lookOf(looks.states?.[run ? run.stateName(now, p) : ""]);
      if (d < 4) { c.fillStyle = look.fill; c.fillRect(left - 14, Y(p) - pitch / 2, 10, pitch); continue; }
      drawProcess(c, left - 12, Y(p), d, look, { crashed: !!now?.down[p] });
      if (pitch > 11) write(c, cut(c, names[p], left - 28, Math.min(size, pitch * 0.8), 600), left - 26, Y(p), ink(names[p] === welcome.process ? "accent-base" : "text-primary"), { px: Math.min(size, pitch * 0.8), weight: 600, align: "right" });
    }
  }
  events(c, run, looks, { X, Y, pitch, from, left, t, last }) {
    const first = run.until(from - 1e-9), end = run.until(last), dots = end - first < 4000, size = Math.max(4, Math.min(11, pitch * 0.5));
    c.save(); c.beginPath(); c.rect(left, 0, 1e5, 1e5); c.clip();
    for (let e = first; e < end; e++) {
      const m = run.message[e], kind = run.kind[e], sent = run.sent.get(m);
      const arrow = m >= 0 && (kind === RECEIVE || kind === DROP) && sent !== undefined ? [sent, e] : m >= 0 && sent === e && !run.received.has(m) ? [e, null] : null;
      if (!arrow || !dots) continue;
      const [a, b] = arrow, look = messageLook(looks, run.labels[run.label[a]]), future = (b === null ? run.time[a] : run.time[b]) > t;
      const x1 = X(run.time[a]), y1 = Y(run.process[a]), to = run.peer[a], open = b === null, y2 = Y(to < 0 ? run.process[a] : to), x2 = open ? X(Math.min(last, Math.max(t, run.time[a]) + 0.2)) : X(run.time[b]);
      const share = open ? Math.min(0.9, (Math.max(t, run.time[a]) - run.time[a]) / (Math.max(t, run.time[a]) - run.time[a] + run.usual || 1)) : 1, ex = x2, ey = y1 + (y2 - y1) * share;
      c.globalAlpha = future && !open ? 0.28 : 1;
      c.strokeStyle = look.colour; c.lineWidth = 1.5; c.setLineDash(open ? [4, 4] : []);
      c.beginPath(); c.moveTo(x1, y1); c.lineTo(ex, ey); c.stroke(); c.setLineDash([]);
      if (kind === DROP) { c.strokeStyle = ink("fault-base"); c.lineWidth = 2; c.beginPath(); c.moveTo(ex - 4, ey - 4); c.lineTo(ex + 4, ey + 4); c.moveTo(ex + 4, ey - 4); c.lineTo(ex - 4, ey + 4); c.stroke(); }
      else { const angle = Math.atan2(ey - y1, ex - x1), back = size * 0.8; drawHead(c, ex - Math.cos(angle) * back, ey - Math.sin(angle) * back, angle, look, size, ink("surface-canvas")); }
    }
    for (let e = first; e < end; e++) {
      const p = run.process[e], kind = run.kind[e];
      if (p < 0 || !STEPS.has(kind)) continue;
      c.globalAlpha = run.time[e] > t ? 0.28 : 1;
      c.fillStyle = ink(kind === CRASH || kind === CORRUPT ? "fault-base" : "text-primary");
      if (dots) { c.beginPath(); c.arc(X(run.time[e]), Y(p), Math.max(1.5, Math.min(4, pitch * 0.17)), 0, 7); c.fill(); }
      else c.fillRect(X(run.time[e]), Y(p) - 1, 1, 2);
    }
    c.globalAlpha = 1; c.restore();
  }
}

/** Make the list of the properties with their results. */
export function checksList(checks) {
  if (!checks.length) return el("p", { class: "hint pad" }, tr("This run has no properties to check."));
  const signs = { true: ["tick", "holds", tr("holds")], false: ["cross", "violated", tr("violated")], null: ["clock", "pending", tr("undecided so far")] };
  return el("ul", { class: "checks" }, checks.map((each) => {
    const [sign, look, words] = signs[String(each.holds ?? null)] ?? signs.null;
    return el("li", {}, el("span", { class: look }, icon(sign, 18)), el("b", {}, each.words || each.name), el("small", {}, each.about || words));
  }));
}

/** The views of an observer, with the controls of their own pace; `pick` is called with a process on which somebody taps. */
export function watcher({ tabs = true, name = null, under = null, pick = null } = {}) {
  const head = new Playhead();
  let tab = "network";
  const canvas = el("canvas", { role: "img" }), lines = el("canvas", { role: "img", class: "drags" });
  const depths = el("div", { class: "zoom deep" }), deep = el("canvas", { role: "img", class: "turns", tabindex: 0, hidden: true }), network = el("div", { class: "view", role: "tabpanel" }, canvas, deep, depths), time = el("div", { class: "view", role: "tabpanel", hidden: true }, lines), checks = el("div", { class: "view scrolls", role: "tabpanel", hidden: true });
  const state = () => ({ welcome: room.welcome, run: room.run, t: head.t, game: !room.now?.stage?.kind ? null : head.behind ? stageAt(head.t) : room.now.stage, mine: room.welcome?.processes.indexOf(room.welcome.process), name, under });
  const stage = new Stage(canvas, state), causality = new Causality(lines, head);
  const world = new World(deep, state), local = { space: false, none: false, shown: "" };
  for (const [place, view] of [[canvas, stage], [deep, world]]) place.addEventListener("click", (e) => { const p = view === world && world.hands.moved ? -1 : view.hit(e.offsetX, e.offsetY); if (p >= 0 && pick) pick(room.welcome.processes[p]); });
  /** Go into the world, or back to the flat network. */
  function enter(on) {
    local.none = on && !world.able; local.space = on && world.able; deep.hidden = !local.space; canvas.hidden = local.space;
    if (!local.space) world.leave();
    update(); paint();
    if (local.space) deep.focus();
  }
  const panels = { network, causality: time, checks };
  const bar = el("div", { class: "tabs", role: "tablist", "aria-label": tr("Views") });
  const place = el("div", { class: "pace", role: "group", "aria-label": tr("Your own pace") });
  const range = el("input", { type: "range", min: 0, max: 1000, value: 1000, "aria-label": tr("Position in the run"), oninput: () => { head.go((Number(range.value) / 1000) * head.end()); paint(); } });
  const zoom = el("div", { class: "zoom" }, button("", () => causality.zoom(0.66), { sign: "zoomin", label: tr("Show a shorter time") }), button("", () => causality.zoom(1.5), { sign: "zoomout", label: tr("Show a longer time") }));
  time.append(zoom);
  const zero = el("div", { class: "watch" }, tabs && bar, el("div", { class: "views" }, network, time, checks), el("div", { class: "scrub" }, place, range));
  function choose(next) {
    tab = next;
    for (const [key, panel] of Object.entries(panels)) panel.hidden = key !== tab;
    update(); paint();
  }
  const tabWords = { network: tr("Network"), causality: tr("Causality"), checks: tr("Checks") };
  function update() {
    fill(bar, tab, () => Object.entries(tabWords).map(([key, words]) => el("button", {
      type: "button", role: "tab", "aria-selected": String(key === tab), "data-key": key, tabindex: key === tab ? 0 : -1, onclick: () => choose(key),
      onkeydown: (e) => { const keys = Object.keys(tabWords), by = { ArrowRight: 1, ArrowLeft: -1 }[e.key]; if (by) { choose(keys[(keys.indexOf(key) + by + keys.length) % keys.length]); bar.querySelector("[aria-selected=true]").focus(); } },
    }, el("span", {}, words))));
    fill(place, [head.follows, head.plays, head.speed, head.behind], () => [
      button("", () => { head.step(-1); update(); paint(); }, { sign: "tostart", label: tr("One round back"), key: "back" }),
      head.plays ? button("", () => { head.pause(); update(); }, { sign: "pause", label: tr("Pause"), key: "play" }) : button("", () => { head.play(); update(); }, { sign: "play", label: tr("Play"), key: "play" }),
      button("", () => { head.step(1); update(); paint(); }, { sign: "toend", label: tr("One round forward"), key: "on" }),
      button(`× ${head.speed >= 1 ? Math.round(head.speed) : Math.round(head.speed * 100) / 100}`, () => { head.speed = SPEEDS.find((each) => each > head.speed + 1e-9) ?? SPEEDS[0]; update(); }, { look: "speed", label: tr("Speed {speed}", { speed: head.speed }), key: "speed" }),
      head.follows ? el("span", { class: "live" }, tr("live")) : button(tr("Catch up"), () => { head.live(); update(); }, { look: "catch", sign: "arrow", size: 16, key: "live" }),
    ]);
    fill(depths, [local.space, local.none], () => [
      local.space && el("label", {}, tr("flat"), el("input", { type: "range", min: 0, max: 1, step: 0.01, value: world.depth, "aria-label": tr("Depth"), oninput: (e) => { world.depth = Number(e.target.value); world.paint(); } }), tr("deep")),
      local.none && el("span", { class: "hint", role: "status" }, tr("This browser cannot draw in space.")),
      button(tr("In space"), () => enter(!local.space), { pressed: local.space, key: "space", title: tr("Drag turns, the wheel or two fingers come nearer; W, A, S, D, E and Q walk, H returns") })]);
    fill(checks, [room.now?.checks, room.run?.checks], () => checksList(room.now?.checks?.length ? room.now.checks : room.run?.checks ?? []));
    const count = room.run?.names.length ?? 0;
    canvas.setAttribute("aria-label", trn("The network: {count} process", "The network: {count} processes", count));
    lines.setAttribute("aria-label", trn("Causality: {count} event", "Causality: {count} events", room.run?.until(head.t) ?? 0));
  }
  const { due, paint } = paced(() => { if (tab === "network") (local.space ? world : stage).paint(); else if (tab === "causality") causality.paint(); });
  let alive = true, drawn = "", moved = false;
  function frame(now) {
    if (!alive) return;
    requestAnimationFrame(frame);
    if (!zero.isConnected || zero.offsetParent === null) { if (world.told) world.leave(); return; }
    if (local.space && tab === "network") world.step(now); else if (world.told) world.leave();
    if (local.shown !== room.figures) { local.shown = room.figures; moved = true; }
    const key = `${room.run?.position} ${tab} ${room.run?.count}`;
    if (head.tick(now)) moved = true;
    if ((moved || key !== drawn) && due()) { drawn = key; moved = false; paint(); }
    const share = head.end() ? Math.round((head.t / head.end()) * 1000) : 1000;
    if (document.activeElement !== range || head.plays) if (Number(range.value) !== share) range.value = share;
    update();
  }
  requestAnimationFrame(frame);
  onTheme(() => paint());
  return { node: zero, head, update: () => { update(); if (due()) paint(); }, choose, stage, world, enter, end: () => { alive = false; world.leave(); } };
}
