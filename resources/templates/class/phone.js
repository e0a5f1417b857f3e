// The page on a phone: it shows one thing at a time, with one filled button at the bottom.

import { button, el, fill, icon, say } from "./dom.js";
import { columns, onTheme, ringClock } from "./draw.js";
import { joinView, wish } from "./join.js";
import { answerLeft, changed, left, room, send } from "./room.js";
import { choosePlace, figureCard, mine, seatBody, seatFoot, seatHead, seatKey, storyBody, storyList } from "./seat.js";
import { watcher } from "./watch.js";
import { here, minutes, tr } from "./words.js";

const local = { sheet: "", later: -1, answer: new Map(), theme: 0, told: 0 };

/** The question that waits for this person's answer. */
const open = () => { const q = room.question; return q && !room.answered.has(q.number) && !room.histogram?.shown && (answerLeft() ?? 1) > 0 && room.now?.question ? q : null; };

// ------------------------------------------------------------------ the question

function questionBody(q) {
  const given = local.answer.get(q.number), set = (value) => { local.answer.set(q.number, value); changed(); };
  const options = q.form === "process" && !q.choices.length ? (room.welcome?.processes ?? []).map((name) => [name, name]) : q.choices;
  let field;
  if (q.form === "number") {
    const value = Number(given ?? 0);
    field = el("div", { class: "asked" }, button("", () => set(Math.max(0, value - 1)), { sign: "minus", label: tr("less"), key: "less" }),
      el("input", { type: "number", inputmode: "numeric", class: "figures", value: given ?? "", min: 0, max: 100000, "data-key": "number", "aria-label": tr("Your answer"), oninput: (e) => { const number = e.target.value === "" ? undefined : Number(e.target.value); if (Number.isFinite(number)) local.answer.set(q.number, number); else local.answer.delete(q.number); const go = document.querySelector("[data-key=answer]"); if (go) go.disabled = !local.answer.has(q.number); } }),
      button("", () => set(value + 1), { sign: "plus", label: tr("more"), key: "more" }));
  } else {
    field = el("div", { class: q.form === "process" ? "offers grid" : "offers", role: "radiogroup", "aria-label": q.text }, options.map(([value, words]) => el("div", { class: given === value ? "card offer on" : "card offer" },
      el("label", {}, el("input", { type: "radio", name: "answer", class: "unseen", checked: given === value, "data-key": `answer ${value}`, onchange: () => set(value) }), el("span", { class: "grow" }, el("b", {}, String(words ?? value))), q.form !== "process" && el("span", { class: "radio", "aria-hidden": "true" })))));
  }
  return [el("p", { class: "tagged accent" }, icon("bars", 18), tr("A question to everybody")), el("h1", { id: "question" }, q.text), field];
}
function questionFoot(q) {
  return [button(tr("Seal my answer"), () => { const value = local.answer.get(q.number); if (value !== undefined && send({ kind: "reply", question: q.number, value })) { room.answered.set(q.number, value); changed(); } }, { look: "big", sign: "lock", disabled: !local.answer.has(q.number) || room.now?.paused, key: "answer" }),
    button(tr("Later"), () => { local.later = q.number; changed(); }, { look: "quiet", key: "later" })];
}
/** Whether all that there is of a question is this person's own answer. */
const said = () => !room.histogram?.shown && room.answered.has((room.question ?? room.questions.get(room.histogram?.number))?.number);
const named = (q) => new Map((q?.choices ?? []).map(([value, words]) => [String(value), String(words ?? value)]));
/** What has become of the question: one's own answer, or the answers of all. */
function answers() {
  const { question, histogram: found } = room, q = question ?? room.questions.get(found?.number);
  if (found && (found.shown || room.welcome?.role === "host") && found.bars.length) {
    const names = named(q?.number === found.number ? q : null), right = found.right !== null && found.right !== undefined ? names.get(String(found.right)) ?? String(found.right) : "";
    return el("section", { class: "panel" }, q?.number === found.number && el("h2", {}, q.text), columns(found, names, { label: tr("The answers: {bars}", { bars: found.bars.map(([value, count]) => `${names.get(String(value)) ?? value}: ${count}`).join(", ") }), numbers: q?.form === "number" }),
      el("p", { class: "hint" }, found.mine !== null && found.mine !== undefined ? tr("You said {answer}.", { answer: names.get(String(found.mine)) ?? found.mine }) : "", " ", right && tr("It is {answer}.", { answer: right })));
  }
  if (q && room.answered.has(q.number)) return el("p", { class: "hint side" }, q.text, " ", el("b", {}, tr("You said {answer}.", { answer: named(q).get(String(room.answered.get(q.number))) ?? room.answered.get(q.number) })));
  if (q && local.later === q.number && open()) return el("button", { type: "button", class: "card ask", "data-key": "ask", onclick: () => { local.later = -1; changed(); } }, el("span", { class: "mark" }, icon("bars", 22)), el("span", { class: "grow" }, el("b", {}, tr("A question waits for you")), el("small", {}, q.text)));
  return null;
}

// ------------------------------------------------------------------ the head and the parts of the page

function title() {
  const now = room.now, sealed = now?.mode === "sealed";
  if (!now) return [tr("Joining…"), ""];
  const counted = sealed ? (now.phase === "open" && !now.choosing ? tr("nobody has anything to choose") : tr("{chosen} of {choosing} choices made", { chosen: now.chosen, choosing: now.choosing })) : room.welcome?.title ?? "";
  if (now.phase === "door") return [now.act > 0 ? tr("Act {number} begins soon", { number: now.act + 1 }) : tr("The class has not begun"), here(now.people)];
  if (now.phase === "over") return [tr("The run has ended"), room.welcome?.title ?? ""];
  if (now.phase === "moving") return [tr("Round {round} closes", { round: now.round }), tr("all moves happen now")];
  if (now.phase === "between") return [tr("Round {round} is over", { round: now.round }), sealed && now.choosing ? tr("{chosen} of {choosing} choices were made", { chosen: now.chosen, choosing: now.choosing }) : room.welcome?.title ?? ""];
  return sealed ? [tr("Round {round} is sealed", { round: now.round }), counted] : [tr("Each move happens at once"), counted];
}
export function acts() {
  const { welcome, now } = room, act = welcome?.acts?.[now?.act];
  return act ? el("p", { class: "act" }, el("b", {}, tr("Act {number}: {title}", { number: now.act + 1, title: act[0] })), " ", act[1]) : null;
}

export function phone(place) {
  const clock = ringClock(40, 4, 12), sign = el("span", { class: "sign" }), one = el("b", {}), two = el("small", {});
  const hand = button("", () => { room.hand = !room.hand; send({ kind: "hand", up: room.hand }); changed(); }, { look: "hand", sign: "hand", label: tr("Raise your hand"), pressed: false, size: 24 });
  const head = el("header", { class: "bar" }, el("span", { class: "clocked" }, clock, sign), el("div", { class: "title", role: "status" }, one, two), hand);
  const notice = el("div", { class: "notice", role: "status" }), body = el("main", { class: "body" }), foot = el("footer", { class: "foot" });
  const shell = el("div", { class: "phone" }, head, notice, body, foot);
  let join = null, seen = null, mode = "", selected;
  const sentence = (text) => (text === "over" ? tr("The class is over.") : `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`);

  function farewell() {
    return el("div", { class: "farewell" }, el("h1", { tabindex: -1 }, tr("Thank you for coming")), el("p", {}, sentence(room.ended)), room.removed && el("p", { class: "hint" }, tr("If you may come back, load this page again.")), room.stories.length ? storyList() : null);
  }
  function watching() { seen ??= watcher({ pick: (process) => { if (choosePlace(process)) { local.sheet = ""; changed(); } } }); return seen; }
  /** Which thing is shown: the names of the states of this page. */
  function which() {
    if (room.ended) return "ended";
    if (!room.welcome) return "join";
    if (open() && local.later !== room.question.number) return "question";
    if (mine.places) { mine.places = false; local.sheet = "watch"; watching().head.live(); watching().choose("network"); }
    if (local.sheet) return local.sheet;
    const now = room.now, player = room.welcome.role === "player" && room.welcome.process !== null;
    if (!player) return now?.phase === "door" && !room.run?.count ? "wait" : "watch";
    if (now?.phase === "open") return room.seat ? "seat" : "wait";
    if (now?.phase === "moving") return room.seat ? "moving" : "wait";
    const story = room.stories.at(-1);
    if (now?.phase === "between" || now?.phase === "over") return story && story.round === now.round ? "story" : now.phase === "over" ? "story" : room.seat ? "seat" : "wait";
    return "wait";
  }
  const build = {
    question: () => [questionBody(room.question), questionFoot(room.question)],
    seat: () => [[!said() && answers(), seatHead(room.seat), el("div", { class: "rest" }, room.now?.mode === "turns" && room.stories.length > 0 && el("p", { class: "rule last-story", role: "status" }, room.stories.at(-1).text), seatBody(room.seat)), said() && answers()], room.now?.phase === "open" ? seatFoot(room.seat) : el("p", { class: "hint centred" }, tr("The host begins the next round."))],
    moving: () => [[seatHead(room.seat), el("div", { class: "card sealed" }, el("span", { class: "mark" }, icon("clock", 24)), el("span", { class: "grow" }, el("b", {}, tr("All moves happen now"))))], []],
    story: () => [[answers(), ...(room.stories.length ? storyBody(room.stories.at(-1)) : [el("p", { class: "hint" }, tr("Nothing has happened to you yet."))])],
      [room.run && room.now?.shown && button(tr("Watch the round again"), () => { local.sheet = "watch"; watching().head.replay(); changed(); }, { look: "big", sign: "play", size: 18, key: "again" }), el("div", { class: "pair" }, button(tr("My whole story"), () => { local.sheet = "stories"; changed(); }, { look: "second", key: "stories" }), room.run && room.now?.shown && button(tr("Network"), () => { local.sheet = "watch"; watching().head.live(); changed(); }, { look: "second", sign: "network", key: "network" }))]],
    stories: () => [storyList(), [button(tr("Back"), () => { local.sheet = ""; changed(); }, { look: "second", sign: "undo", key: "close" })]],
    wait: () => [[answers(), room.seat && room.welcome.process !== null ? seatHead(room.seat) : el("section", { class: "head" }, el("h1", {}, room.welcome.process !== null ? tr("{name}, you are process {process}", { name: room.welcome.name, process: room.welcome.process }) : tr("{name}, you are watching", { name: room.welcome.name })), el("p", {}, room.welcome.title)),
      el("div", { class: "rest" }, acts(), room.welcome.about && el("p", { class: "rule" }, room.welcome.about), el("p", { class: "hint" }, tr("It begins as soon as the host opens the first round.")))], []],
    ended: () => [farewell(), room.removed ? [] : [button(tr("Join again"), () => location.reload(), { look: "second", key: "join" })]],
  };
  const keys = {
    question: () => [room.question, local.answer.get(room.question?.number) !== undefined && room.question?.form !== "number" ? local.answer.get(room.question.number) : local.told, room.now?.paused], seat: () => [seatKey(), room.now?.phase, room.now?.mode === "turns" && room.stories.at(-1)], moving: () => [room.seat], story: () => [room.stories, room.now?.figure, room.now?.shown, !!room.run],
    stories: () => [room.stories], wait: () => [room.seat, room.welcome, room.now?.act], ended: () => [room.ended, room.stories.length],
  };
  function update() {
    const next = which();
    if (next === "join") {
      if (!join) { join = joinView(); place.replaceChildren(join.node); if (matchMedia("(pointer: fine)").matches) join.focus(); }
      mode = next; join.update(); return;
    }
    if (!shell.isConnected) { place.replaceChildren(shell); join = null; wish.sent = false; }
    const shift = next !== mode;
    mode = next;
    shell.dataset.mode = mode; shell.classList.toggle("paused", !!room.now?.paused);
    const [first, second] = mode === "ended" ? [tr("Good-bye"), room.welcome?.title ?? ""] : title();
    one.textContent = first; two.textContent = second;
    hand.setAttribute("aria-pressed", String(room.hand)); hand.setAttribute("aria-label", room.hand ? tr("Lower your hand") : tr("Raise your hand")); hand.hidden = mode === "ended";
    if (mode === "watch") {
      const view = watching(), player = room.welcome.process !== null && room.seat;
      fill(body, ["watch", local.sheet, room.histogram, room.question, [...room.answered], local.later, room.now?.figure], () => [!local.sheet && answers(), view.node]);
      fill(foot, ["watch", local.sheet], () => (local.sheet ? [button(player ? tr("Back to my process") : tr("Back"), () => { local.sheet = ""; changed(); }, { look: "second", sign: "undo", key: "close" })] : []));
      view.update();
    } else {
      const extra = [mode, room.histogram, local.later, [...room.answered], local.theme, room.question?.number, open() ? 1 : 0];
      let parts = null;
      const get = () => (parts ??= build[mode]());
      fill(body, [extra, keys[mode]()], () => get()[0]);
      fill(foot, [extra, keys[mode]()], () => get()[1]);
    }
    foot.hidden = !foot.firstChild;
    const on = body.querySelector(".offer.on"), key = on?.querySelector("input")?.dataset.key;
    if (key !== selected) { selected = key; on?.scrollIntoView({ block: "nearest" }); }
    if (shift) { body.scrollTop = 0; body.querySelector("h1[tabindex]")?.focus({ preventScroll: true }); }
    fill(notice, [room.connection, room.now?.paused, room.told, mode === "ended"], () => {
      if (mode === "ended") return null;
      return [room.connection !== "open" && el("p", { class: "lost" }, icon("wifi", 18), tr("Connecting again…")), room.now?.paused && room.connection === "open" && el("p", { class: "halt" }, icon("pause", 18), tr("The host has paused the class.")), room.told && el("p", { class: "told" }, room.told, button("", () => { room.told = ""; changed(); }, { sign: "cross", size: 16, label: tr("Close"), key: "told" }))];
    });
    if (shift) say(one.textContent);
    tick();
  }
  function tick() {
    const now = room.now, seconds = mode === "question" ? answerLeft() ?? left() : left(), whole = mode === "question" && answerLeft() !== null ? room.question.left : now?.of;
    const shown = now && seconds !== null && mode !== "ended" && (mode === "question" || now.phase === "open");
    clock.style.display = shown ? "" : "none";
    if (shown) clock.set(whole ? seconds / whole : 1, minutes(seconds), seconds <= 5 && !now.paused);
    fill(sign, [!shown, now?.phase, mode === "ended"], () => (shown ? null : icon(mode === "ended" || now?.phase === "over" ? "tick" : { between: "tick", door: "door", moving: "clock" }[now?.phase] ?? (now?.mode === "turns" ? "swap" : "lock"), 24)));
    if (mode === "question" && answerLeft() === 0) changed();
  }
  setInterval(tick, 250);
  onTheme(() => { local.theme++; changed(); });
  // A number that is typed does not rebuild the page; the buttons beside it do.
  document.addEventListener("click", (e) => { if (e.target.closest?.(".asked button")) { local.told++; changed(); } });
  return { update };
}
export { figureCard };
