// The page on the projector: how to join, who is here, and what the class sees while it plays.

import { button, el, fill, icon, say } from "./dom.js";
import { calm, columns, curve, known, onTheme, paced, ringClock, themed, isDark } from "./draw.js";
import { isHost, lead, left, playerOf, room } from "./room.js";
import { Stage } from "./stage.js";
import { checksList, Playhead } from "./watch.js";
import { minutes, tr, trn } from "./words.js";

/** How long a name that has just come is shown in colour. */
const NEW = 2000, APART = 120, SHOWN = 12;

/** The QR code as a picture that can do nothing: it is loaded as an image. */
export function qrPicture(text, size, label) {
  if (!text) return null;
  return el("img", { class: "qr", width: size, height: size, alt: label, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
}
/** The words of the button that opens the first round. */
export const beginning = () => { const { welcome, now, questions } = room; return !welcome.acts.length ? tr("Begin") : now.act > 0 || questions.size ? tr("First round") : tr("Begin act {number}", { number: 1 }); };
export const address = (text) => text.replace(/^https?:\/\//, "").replace(/\/(\?.*)?$/, "");
export function switchTheme() { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; themed(); }
/** The curve's present value and its words: [6, "How many may speak"]. */
export function figureOf(figure) {
  const value = (figure?.points ?? []).filter(([, each]) => known(each)).at(-1)?.[1];
  return value === undefined ? null : [value, figure.title || ""];
}
/** What the curve should come to, in words. */
export const goalOf = (figure) => (known(figure?.goal) ? figure.words || tr("goal: {goal}", { goal: figure.goal }) : "");
export function namesOf(q) { return new Map((q?.choices ?? []).map(([value, words]) => [String(value), String(words ?? value)])); }

/** When each person came, so that names appear one after the other. */
export class Arrivals {
  constructor() { this.at = new Map(); this.last = 0; this.first = true; }
  update(people) {
    const now = performance.now();
    for (const each of people) if (!this.at.has(each.person)) { this.last = this.first ? -1e6 : Math.max(now, this.last + APART); this.at.set(each.person, this.last); }
    this.first = false;
    const there = new Set(people.map((each) => each.person));
    for (const person of this.at.keys()) if (!there.has(person)) this.at.delete(person);
  }
  come(person) { return (this.at.get(person) ?? 0) <= performance.now(); }
  fresh(person) { const age = performance.now() - (this.at.get(person) ?? -1e6); return age < 0 || age > NEW ? 0 : 1 - age / NEW; }
  get moving() { return performance.now() - this.last < NEW + 100; }
}

export function screen(place) {
  const arrivals = new Arrivals(), head = new Playhead(), canvas = el("canvas", { role: "img" });
  const top = el("header", { class: "top" }), side = el("section", { class: "side" }), foot = el("footer", { class: "below" });
  const who = el("div", { class: "grow" }), corner = el("div", { class: "cornerqr" });
  foot.append(who, corner);
  const shell = el("div", { class: "screen" }, top, el("main", { class: "middle" }, side, el("div", { class: "picture" }, canvas)), foot);
  const clock = ringClock(92, 8, 26);
  const people = () => room.people?.people ?? [], door = () => !room.now || room.now.phase === "door";
  const counts = () => [room.now?.people ?? people().filter((each) => each.role !== "host" && each.role !== "screen").length, room.now?.free ?? 0];
  const stage = new Stage(canvas, () => {
    const { welcome, now } = room, n = welcome?.processes.length ?? 0, atDoor = door(), many = n > 14, [count, free] = counts();
    const hides = !atDoor && now.phase === "open" && now.mode === "sealed" && now.stage?.kind && !now.shown;
    return {
      welcome, run: atDoor ? null : room.run, t: head.t, game: atDoor ? { leads: now?.stage?.leads } : now.stage, hidden: hides, scale: Math.max(1, Math.min(innerWidth / 1280, innerHeight / 720)),
      name: many && atDoor ? null : (p) => { const own = playerOf(welcome.processes[p]); return own && arrivals.come(own.person) ? own.name : atDoor ? tr("free") : own ? own.name : ""; },
      faint: (p) => !playerOf(welcome.processes[p]),
      free: (p) => atDoor && (() => { const own = playerOf(welcome.processes[p]); return !own || !arrivals.come(own.person); })(),
      fresh: (p) => { const own = playerOf(welcome.processes[p]); return own ? arrivals.fresh(own.person) : 0; },
      badge: atDoor ? null : (p) => badgeOf(welcome.processes[p]),
      figure: atDoor ? [count, tr("are here"), free ? trn("{count} seat is free", "{count} seats are free", free) : tr("all seats are taken")] : ["baskets", "illegal"].includes(now.stage?.kind) && !hides && figureOf(now.figure) ? [...figureOf(now.figure), now.stage.words ?? ""] : null,
    };
  });
  const picture = paced(() => stage.paint());
  const step = (number, ...words) => el("li", {}, el("i", { "aria-hidden": "true" }, String(number)), el("span", {}, words));
  function joining() {
    const { code, address: url, qr } = room.welcome;
    return [el("p", { class: "lead" }, tr("Join with any phone; nothing to install")), el("p", { class: code.length > 9 ? "code long" : "code" }, code),
      el("div", { class: "ways" }, qrPicture(qr, 296, tr("QR code of the address")), el("ol", {}, step(1, tr("Be on the same network as this computer")), step(2, tr("Scan, or type"), el("b", { class: "figures" }, address(url))), step(3, tr("Say what we may call you"))))];
  }
  function playing() {
    const { now, welcome, histogram: found } = room, q = room.question ?? room.questions.get(found?.number), act = welcome.acts?.[now.act], figure = figureOf(now.figure);
    const sealed = now.mode === "sealed", words = now.phase === "open" ? (sealed ? tr("Round {round} is sealed", { round: now.round }) : tr("Each move happens at once")) : now.phase === "moving" ? tr("All moves happen now") : now.phase === "over" ? tr("The run has ended") : tr("Round {round} is over", { round: now.round });
    const names = namesOf(q?.number === found?.number ? q : null), shows = found?.shown && found.bars.length;
    const asks = !shows && q && now.question, dense = !!((shows || asks) && figure);
    side.classList.toggle("dense", dense);
    return [
      act && el("div", { class: "actnow" }, el("small", {}, tr("Act {number}", { number: now.act + 1 })), el("h1", {}, act[0]), !shows && !dense && el("p", {}, act[1])),
      el("div", { class: "roundnow" }, now.phase === "open" && left() !== null ? clock : el("span", { class: "sign" }, icon({ between: "tick", over: "tick", moving: "clock" }[now.phase] ?? "lock", 44)), el("div", {}, el("h2", {}, words), sealed && now.phase === "open" && !now.choosing && el("p", {}, tr("nobody has anything to choose")), sealed && now.choosing > 0 && el("p", {}, now.phase === "open" ? tr("{chosen} of {choosing} choices made", { chosen: now.chosen, choosing: now.choosing }) : tr("{chosen} of {choosing} choices were made", { chosen: now.chosen, choosing: now.choosing })))),
      shows ? el("div", { class: figure ? "plot two" : "plot" }, el("h2", {}, q?.number === found.number ? q.text : tr("The answers")), columns(found, names, { width: 460, height: figure ? 128 : 230, px: 17, numbers: q?.form === "number", label: tr("The answers") }))
        : asks && el("div", { class: "plot two" }, el("p", { class: "tagged accent" }, icon("bars", 24), tr("Answer on your phone")), el("h2", {}, q.text), el("p", { class: "lead" }, tr("{answered} of {people} have answered", { answered: now.question.answered ?? 0, people: now.people }))),
      figure && el("div", { class: "plot" }, el("h2", {}, `${figure[1]}: ${figure[0]}`), curve(now.figure, { width: 460, height: dense ? 104 : 210, px: 17, dot: 14, axis: true, look: welcome.looks?.states?.speaking, goal: goalOf(now.figure), label: now.figure.title ?? "" })),
      !figure && !shows && !asks && now.checks.length > 0 && checksList(now.checks.slice(0, 4)),
    ];
  }
  function watchers() {
    const here = people().filter((each) => each.process === null && each.role !== "host" && each.role !== "screen" && arrivals.come(each.person)), seated = people().filter((each) => each.process !== null && arrivals.come(each.person));
    const many = (room.welcome?.processes.length ?? 0) > 14, all = door() && many ? [...seated, ...here] : here, most = door() ? 24 : 8, shown = all.length > most ? all.slice(-Math.min(most, SHOWN)) : all, log = room.people?.log ?? [];
    return [(door() || all.length > 0) && el("div", { class: "people" }, el("span", { class: "hint" }, door() && many ? tr("Here") : tr("Watching")), shown.map((each) => el("span", { class: arrivals.fresh(each.person) ? "chip new" : "chip" }, each.hand && icon("hand", 18), each.name)), all.length > shown.length && el("span", { class: "hint" }, trn("and {count} more person", "and {count} more people", all.length - shown.length)), !all.length && el("span", { class: "hint" }, tr("nobody yet"))),
      el("p", {}, log.length ? `${log.at(-1)} ` : "", door() ? tr("Observers take part in the predictions.") : "")];
  }
  function update() {
    if (room.ended || !room.welcome) {
      fill(place, [room.ended, room.refused, room.connection], () => el("main", { class: "plain" }, el("h1", {}, room.ended ? tr("The class is over.") : room.refused || (room.connection === "lost" ? tr("The host cannot be reached; trying again…") : tr("Connecting…")))));
      return;
    }
    if (!shell.isConnected) { place.shown = undefined; place.replaceChildren(shell); }
    arrivals.update(people());
    const now = room.now, atDoor = door(), { welcome } = room, hidden = people().some((each) => each.name && each.hidden);
    shell.dataset.phase = atDoor ? "door" : "play";
    fill(top, [welcome.title, now?.door, atDoor, now?.paused, room.connection, welcome.code, isHost(), now?.act, room.questions.size, hidden], () => [
      el("span", { class: "name" }, welcome.title),
      el("span", { class: now?.door === false ? "pill shut" : "pill" }, icon("door", 18), now?.door === false ? tr("the door is closed; ask to be let in") : tr("the door is open")),
      now?.paused && el("span", { class: "pill warn" }, icon("pause", 18), tr("paused")), room.connection !== "open" && el("span", { class: "pill warn" }, icon("wifi", 18), tr("Connecting again…")), el("span", { class: "grow" }),
      !atDoor && el("span", { class: "corner" }, el("span", {}, el("b", { class: "figures" }, welcome.code), el("small", { class: "figures" }, address(welcome.address)))),
      button("", switchTheme, { sign: "moon", label: tr("Light or dark"), key: "theme" }),
      isHost() && atDoor && button(beginning(), () => lead("begin"), { look: "prim", sign: "play", size: 16, key: "begin" })]);
    fill(side, atDoor ? ["door", welcome.code, welcome.address, welcome.qr] : ["play", now.phase, now.round, now.act, now.chosen, now.choosing, now.figure, room.histogram, room.question, now.question, now.people, now.mode, now.stage?.kind, now.checks, left() === null], () => (atDoor ? joining() : playing()));
    fill(who, [room.people, atDoor, [...arrivals.at].map(([person]) => [arrivals.come(person), arrivals.fresh(person) > 0])], watchers);
    fill(corner, [atDoor, welcome.qr], () => (atDoor ? null : qrPicture(welcome.qr, 104, tr("QR code of the address"))));
    canvas.setAttribute("aria-label", people().filter((each) => each.process !== null).map((each) => tr("{name}: process {process}", { name: each.name, process: each.process })).join(", ") || tr("All seats are free."));
    const log = room.people?.log?.at(-1);
    if (log) say(log);
    picture.paint(); tick();
  }
  function tick() {
    const seconds = left(), now = room.now;
    if (seconds !== null && now?.phase === "open") clock.set(now.of ? seconds / now.of : 1, minutes(seconds), seconds <= 5 && !now.paused);
  }
  let stale = false;
  function frame(at) {
    requestAnimationFrame(frame);
    if (!room.welcome) return;
    if (head.tick(at) || (arrivals.moving && !calm.matches)) stale = true;
    if (stale && picture.due()) { stale = false; if (arrivals.moving) update(); else picture.paint(); }
  }
  requestAnimationFrame(frame);
  setInterval(tick, 250);
  setInterval(() => { if (arrivals.moving) update(); }, 500);
  onTheme(() => picture.paint());
  return { update };
}
/** The sign at a process in a round: chosen, choosing, away, or played by the program. */
export function badgeOf(process) {
  const own = playerOf(process), now = room.now;
  if (!now || now.phase === "door") return null;
  if (!own) return "program";
  if (own.status === "away") return "away";
  if (now.phase !== "open" || now.mode !== "sealed") return null;
  return own.status === "chosen" ? "chosen" : own.status === "choosing" ? "choosing" : null;
}
