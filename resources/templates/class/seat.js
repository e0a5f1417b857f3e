// A player's phone: my process and what I may do, what a round did to it, and the whole story.

import { button, el, icon, svg } from "./dom.js";
import { basketsPicture, beforeAndNow, curve, headPicture, known, lookOf, processPicture, shapePath } from "./draw.js";
import { ask, changed, looks, room } from "./room.js";
import { tr, trn } from "./words.js";

/** What is selected but not sealed yet. */
export const mine = { round: -1, offer: null, values: new Map(), busy: false, wrong: "", changing: false, shown: false, places: false };
export const resetSeat = () => { mine.round = -1; };

function prepare(seat) {
  const key = `${room.now?.act} ${seat.round} ${seat.process}`;
  if (mine.key !== key) Object.assign(mine, { key, round: seat.round, offer: room.sealed?.offer ?? null, values: new Map(), busy: false, wrong: "", changing: false });
  if (mine.offer !== null && !seat.offers.some((each) => each.id === mine.offer)) mine.offer = null;
}
const valueOf = (offer) => {
  if (!offer?.value) return null;
  if (mine.values.has(offer.id)) return mine.values.get(offer.id);
  if (room.sealed?.offer === offer.id && room.sealed.value !== null) return room.sealed.value;
  return offer.value.choices ? offer.value.choices[0]?.[0] ?? null : offer.value.start ?? offer.value.least;
};
/** The offer for which somebody may choose a process in the network, if there is one. */
const placed = () => room.seat?.offers.find((each) => each.value?.choices && each.value.choices.every(([name]) => room.welcome?.processes.includes(name))) ?? null;
export const choosesPlaces = () => placed() !== null && room.now?.phase === "open" && !isSealed();
/** Choose a process for it. */
export function choosePlace(process) {
  const offer = placed();
  if (!choosesPlaces() || !offer.value.choices.some(([name]) => name === process)) return false;
  mine.offer = offer.id; mine.values.set(offer.id, process); changed();
  return true;
}
export const isSealed = () => room.sealed !== null && room.sealed.round === room.seat?.round && !mine.changing;

/** Everything on which the picture of the seat depends. */
export const seatKey = () => [room.seat, room.sealed, mine.offer, [...mine.values], mine.busy, mine.wrong, mine.changing, mine.shown, room.now?.paused, room.now?.mode, room.now?.chosen, room.now?.choosing];

function values(seat) {
  if (!seat.values.length) return null;
  return el("dl", { class: "values" }, seat.values.map(([label, text]) => el("div", {}, el("dt", {}, label), el("dd", { class: "figures" }, text))));
}
export function picture(given, large = true) {
  if (given?.kind === "baskets") return basketsPicture(given, { left: tr("your left"), right: tr("your right"), label: tr("your left basket: {left}, your right basket: {right}", { left: given.left ?? "?", right: given.right ?? "?" }) });
  if (given?.kind === "secret") {
    const show = (on) => () => { if (mine.shown !== on) { mine.shown = on; changed(); } };
    return el("div", { class: "secret" },
      el("button", { type: "button", class: "hold", "data-key": "hold", "aria-pressed": String(mine.shown), onpointerdown: show(true), onpointerup: show(false), onpointerleave: show(false), onpointercancel: show(false), onblur: show(false), oncontextmenu: (e) => e.preventDefault(),
        onkeydown: (e) => { if (e.key === " " || e.key === "Enter") { e.preventDefault(); show(true)(); } }, onkeyup: show(false) },
        icon(mine.shown ? "eye" : "eyeoff", 24), el("b", {}, mine.shown ? given.text : tr("Your role is secret")), el("small", {}, mine.shown ? tr("let go to hide it") : tr("hold to see it; let nobody look"))));
  }
  return large && given?.text ? el("p", { class: "rule" }, given.text) : null;
}
/** The head of the seat: the process, what it is, its values, its picture. */
export function seatHead(seat) {
  return el("section", { class: seat.picture?.kind === "baskets" ? "head canvas" : "head", "aria-label": seat.title },
    el("div", { class: "who" }, processPicture(seat.process, seat.look, 58), el("div", {}, el("h1", {}, seat.title), seat.text && el("p", {}, seat.text))),
    values(seat), picture(seat.picture));
}

function stepper(offer) {
  const { least, most } = offer.value, value = Number(valueOf(offer)), set = (to) => { mine.offer = offer.id; mine.values.set(offer.id, Math.max(least, Math.min(most, to))); changed(); };
  return el("div", {
    class: "stepper", role: "spinbutton", tabindex: 0, "data-key": `value ${offer.id}`, "aria-label": offer.text || offer.title, "aria-valuenow": value, "aria-valuemin": least, "aria-valuemax": most,
    onkeydown: (e) => { const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[e.key]; if (by) { e.preventDefault(); set(value + by); } else if (e.key === "Home") set(least); else if (e.key === "End") set(most); },
  }, button("", () => set(value - 1), { sign: "minus", label: tr("less"), disabled: value <= least, key: `less ${offer.id}` }), el("b", { class: "figures" }, String(value)), button("", () => set(value + 1), { sign: "plus", label: tr("more"), disabled: value >= most, key: `more ${offer.id}` }));
}
function choices(offer) {
  const at = String(valueOf(offer));
  return el("div", { class: "choices", role: "radiogroup", "aria-label": offer.title }, offer.value.choices.map(([value, words]) => el("label", { class: "choice" },
    el("input", { type: "radio", class: "unseen", name: `value ${offer.id}`, checked: at === String(value), "data-key": `choice ${offer.id} ${value}`, onchange: () => { mine.offer = offer.id; mine.values.set(offer.id, value); changed(); } }), el("span", {}, String(words ?? value)))));
}
function offerCard(offer, several) {
  const on = mine.offer === offer.id, number = offer.value && !offer.value.choices;
  return el("div", { class: ["card", "offer", on && "on", (!offer.id || (several && !offer.head)) && "nothing", offer.value?.choices && "open"].filter(Boolean).join(" ") },
    el("label", {},
      el("input", { type: "radio", name: "offer", class: "unseen", checked: on, "data-key": `offer ${offer.id}`, onchange: () => { mine.offer = offer.id; mine.wrong = ""; changed(); } }),
      offer.head ? headPicture(looks(), offer.head) : several ? el("span", { class: "mark soft" }, icon("clock", 24)) : null,
      el("span", { class: "grow" }, el("b", {}, offer.title), offer.text && el("small", {}, offer.text)),
      !(number && on) && el("span", { class: "radio", "aria-hidden": "true" })),
    number && on && stepper(offer), offer.value?.choices && on && choices(offer));
}
/** The offers, or what has been sealed. */
export function seatBody(seat) {
  prepare(seat);
  const now = room.now ?? {}, offer = seat.offers.find((each) => each.id === (room.sealed?.offer ?? "")), missing = Math.max(0, (now.choosing ?? 0) - (now.chosen ?? 0));
  const rule = seat.rule && el("p", { class: "rule" }, el("b", {}, tr("Your rule."), " "), seat.rule);
  if (isSealed()) {
    const value = room.sealed.value === null || room.sealed.value === undefined ? "" : `: ${(offer?.value?.choices ?? []).find(([each]) => String(each) === String(room.sealed.value))?.[1] ?? room.sealed.value}`;
    return [rule, el("div", { class: "card sealed", role: "status" }, el("span", { class: "mark" }, icon("lock", 24)),
      el("span", { class: "grow" }, el("b", {}, offer ? `${offer.title}${value}` : tr("Your choice")), el("small", {}, missing ? trn("sealed, waiting for {count} more", "sealed, waiting for {count} more", missing) : tr("sealed; the round closes"))))];
  }
  const heads = seat.offers.some((each) => each.head);
  return [rule, seat.heading && el("h2", { id: "offers" }, seat.heading), el("div", { class: "offers", role: "radiogroup", "aria-labelledby": seat.heading ? "offers" : undefined, "aria-label": seat.heading ? undefined : tr("What you may do") }, seat.offers.map((each) => offerCard(each, heads))),
    mine.wrong && el("p", { class: "wrong", role: "alert" }, mine.wrong)];
}
async function seal(seat) {
  const offer = seat.offers.find((each) => each.id === mine.offer); // as it is now, not as it was when the button was made
  if (mine.busy || !offer) return;
  mine.busy = true; mine.wrong = ""; changed();
  const value = valueOf(offer), answer = await ask({ kind: "choose", round: seat.round, offer: offer.id, value });
  mine.busy = false;
  if (answer.accepted) {
    mine.changing = false;
    if (room.seat?.round === seat.round && room.now?.mode !== "turns") room.sealed = { round: seat.round, offer: offer.id, value };
  } else mine.wrong = answer.reason || tr("The host cannot be reached; try again.");
  changed();
}
/** The filled button at the bottom, and what belongs to it. */
export function seatFoot(seat) {
  prepare(seat);
  const turns = room.now?.mode === "turns", offer = seat.offers.find((each) => each.id === mine.offer), open = room.now?.phase === "open" && !room.now.paused;
  if (isSealed()) return [button(tr("Change"), () => { mine.changing = true; mine.offer = room.sealed.offer; changed(); }, { look: "second", sign: "undo", disabled: !open, key: "change" }), el("p", { class: "hint centred" }, tr("You can change it until the round closes"))];
  if (!seat.offers.length) return [el("p", { class: "hint centred" }, tr("There is nothing to choose now."))];
  const words = !offer ? tr("Choose first") : offer.head && !room.welcome?.game ? (turns ? tr("Take {offer}", { offer: offer.title }) : tr("Seal: take {offer}", { offer: offer.title })) : turns ? tr("Do this") : offer.value || !offer.id ? tr("Seal my choice") : tr("Seal: {offer}", { offer: offer.title });
  return [choosesPlaces() && room.run && room.now?.shown && button(tr("Choose in the network"), () => { mine.places = true; changed(); }, { look: "second", sign: "network", key: "places" }), button(words, () => seal(seat), { look: "big", sign: offer ? "lock" : "", disabled: !offer || !open || mine.busy, key: "seal" }),
    !turns && seat.picture?.kind === "baskets" && el("p", { class: "hint centred" }, tr("You can change it until the round closes"))];
}

// ------------------------------------------------------------------ after the round

export function figureCard(figure) {
  const points = (figure?.points ?? []).filter(([, value]) => known(value));
  if (!points.length) return null;
  const [, value] = points.at(-1), before = points.at(-2)?.[1];
  return el("section", { class: "panel" }, el("div", { class: "between" }, el("b", {}, `${figure.title}: ${value}`), before !== undefined && before !== value && el("small", {}, tr("before: {before}", { before }))),
    curve(figure, { look: looks().states?.speaking, goal: known(figure.goal) ? tr("goal: {goal}", { goal: figure.goal }) : "", label: figure.title ?? "" }));
}
const both = (story) => (story.before?.kind === "baskets" && story.after?.kind === "baskets" ? beforeAndNow(story.before, story.after, { before: tr("before"), now: tr("now"), label: tr("left {left}, right {right}; now left {left2}, right {right2}", { left: story.before.left, right: story.before.right, left2: story.after.left, right2: story.after.right }) }) : null);
const small = (look) => { const drawn = lookOf(look); return svg("svg", { width: 32, height: 32, viewBox: "-16 -16 32 32", class: "mark", "aria-hidden": "true" }, svg("path", { d: shapePath(drawn.shape, 24), fill: drawn.fill, stroke: drawn.line, "stroke-width": 1.5 })); };
export function storyBody(story) {
  return [
    el("section", { class: "panel tale" }, story.good !== null && story.good !== undefined && el("p", { class: story.good ? "tagged holds" : "tagged violated" }, icon(story.good ? "tick" : "warning", 18), story.good ? tr("as the rule says") : tr("not as intended")), el("h1", {}, story.text), both(story)),
    story.next && el("section", { class: "card" }, story.look ? small(story.look) : el("span", { class: "mark soft" }, icon("arrow", 22)), el("span", { class: "grow" }, el("b", { class: "plain" }, story.next))),
    figureCard(room.now?.figure),
  ];
}
export function storyList() {
  const all = [...room.stories].reverse();
  return [el("h1", { tabindex: -1 }, tr("My whole story")), all.length ? el("ol", { class: "stories" }, all.map((each) => el("li", {}, el("span", { class: "number figures", "aria-label": tr("Round {round}", { round: each.round }) }, String(each.round)), el("p", {}, each.text), each.good === false && el("span", { class: "violated", role: "img", "aria-label": tr("not as intended") }, icon("warning", 18))))) : el("p", { class: "hint" }, tr("Nothing has happened to you yet."))];
}
