// The host in the browser: the round, the people, the acts, the question, the checks and the mischief.

import { button, el, fill, icon } from "./dom.js";
import { columns, curve, known, lookOf, onTheme, ringClock, shapePath } from "./draw.js";
import { lead, left, playerOf, room, changed } from "./room.js";
import { Arrivals, address, badgeOf, beginning, figureOf, goalOf, namesOf, qrPicture, switchTheme } from "./screen.js";
import { svg } from "./dom.js";
import { checksList, watcher } from "./watch.js";
import { here, minutes, tr, trn } from "./words.js";

const local = { tab: "people", view: "network", ask: false, form: "number", menu: null, hidden: false, theme: 0, looked: 0 };

/** Make a dialog with a form; `done` gets the entries and returns false to keep it open. */
function dialog(title, body, { go = tr("OK"), done, danger = false } = {}) {
  const box = el("dialog", { class: "dialog", "aria-labelledby": "dialog-title", onclose: () => box.remove(), onclick: (e) => { if (e.target === box) box.close(); } });
  const form = el("form", { method: "dialog", onsubmit: (e) => { e.preventDefault(); if (done(Object.fromEntries(new FormData(form))) !== false) box.close(); } },
    el("h2", { id: "dialog-title" }, title), body, el("div", { class: "row end" }, button(tr("Cancel"), () => box.close(), { look: "line" }), el("button", { type: "submit", class: danger ? "prim danger" : "prim" }, el("span", {}, go))));
  box.append(form); document.body.append(box); box.showModal();
  form.querySelector("input,select,textarea")?.focus();
  return box;
}
const field = (words, control, hint) => el("label", { class: "field" }, el("span", {}, words), control, hint && el("small", { class: "hint" }, hint));
const select = (name, options, value) => el("select", { name }, options.map(([key, words]) => el("option", { value: key, selected: key === value }, words)));
/** A value as somebody types it: a number, true, false, nothing, or a text. */
function typed(text) {
  const clean = text.trim();
  if (clean === "") return null;
  try { return JSON.parse(clean); } catch { return clean; }
}

function mischief(process = null) {
  const { welcome, run } = room, names = welcome.processes.map((name) => [name, called(name)]), variables = run?.variables() ?? [];
  const links = welcome.links.map(([a, b]) => [`${a} ${b}`, `${welcome.processes[a]} – ${welcome.processes[b]}`]);
  const kinds = [["corrupt", tr("Change a variable")], ["crash", tr("Crash a process")], ["recover", tr("Let a process recover")], ["scramble", tr("Set all variables to arbitrary values")], ["link_down", tr("Cut a link")], ["link_up", tr("Restore a link")]];
  const what = select("do", kinds, "corrupt"), who = field(tr("Process"), select("process", names, process)), link = field(tr("Link"), select("link", links)), name = field(tr("Variable"), variables.length ? select("variable", [...variables.map((each) => [each, each]), ["state", tr("its state")]]) : el("input", { name: "variable", required: true }));
  const value = field(tr("New value"), el("input", { name: "value", autocomplete: "off" }), tr("a number, a text, true, false or a list such as [1, 2]; nothing for None"));
  const update = () => { const on = what.value; who.hidden = on.startsWith("link"); link.hidden = !who.hidden; name.hidden = value.hidden = on !== "corrupt"; };
  what.addEventListener("change", update); update();
  dialog(tr("Mischief"), [field(tr("What happens"), what), who, link, name, value, el("p", { class: "hint" }, tr("It happens between two rounds, and the run records it."))], {
    go: tr("Do it"),
    done(given) {
      const asked = { do: given.do };
      if (given.do.startsWith("link")) asked.link = given.link.split(" ").map((each) => welcome.processes[Number(each)]); else asked.process = given.process;
      if (given.do === "corrupt") { asked.variable = given.variable; const is = typed(given.value); if (is !== null) asked.value = is; }
      if (given.do === "scramble") asked.seed = Math.floor(Math.random() * 1e6);
      lead("mischief", { what: asked });
    },
  });
}
const called = (process) => { const own = playerOf(process); return own ? `${process}: ${own.name}` : process; };

function menuOf(person, at) {
  const { welcome, people } = room, free = welcome.processes.filter((name) => !playerOf(name));
  const box = el("dialog", { class: "menu", "aria-label": tr("{name}: what to do", { name: person.name }), onclose: () => { box.remove(); at.focus?.(); }, onclick: (e) => { if (e.target === box) box.close(); } });
  const entry = (words, sign, press) => button(words, () => { box.close(); press(); }, { sign, size: 18 });
  box.append(el("b", { class: "menu-title" }, person.name),
    free.length > 0 && entry(person.process === null ? tr("Give a process…") : tr("Give another process…"), "plus", () => dialog(tr("Give {name} a process", { name: person.name }), field(tr("Process"), select("process", free.map((name) => [name, name]))), { go: tr("Give"), done: ({ process }) => { lead("give", { person: person.person, process }); } })),
    person.process !== null && entry(tr("Let the program play {process}", { process: person.process }), "chip", () => lead("take", { process: person.process })),
    entry(tr("Rename…"), "book", () => dialog(tr("Rename {name}", { name: person.name }), field(tr("Name"), el("input", { name: "name", value: person.name, maxlength: 64, required: true })), { go: tr("Rename"), done: ({ name }) => { if (!name.trim()) return false; lead("rename", { person: person.person, name: name.trim() }); return true; } })),
    entry(tr("Remove…"), "cross", () => dialog(tr("Remove {name}?", { name: person.name }), el("p", {}, tr("The program plays their process, and they cannot join again.")), { go: tr("Remove"), danger: true, done: () => { lead("remove", { person: person.person }); } })));
  document.body.append(box);
  const place = at.getBoundingClientRect();
  box.style.setProperty("left", `${Math.max(8, Math.min(place.left, innerWidth - 268))}px`); box.style.setProperty("top", `${Math.max(8, Math.min(place.bottom + 2, innerHeight - 240))}px`);
  box.showModal(); box.querySelector("button").focus();
  void people;
}

/** How somebody at the table is drawn who may speak, or listens. */
const tableLook = (on) => room.welcome.looks?.states?.[on ? "speaking" : "listening"] ?? (on ? { shape: "pentagon", fill: ["#722948", "#BC9BB8"], line: ["#722948", "#BC9BB8"] } : null);
const SHAPES = new Map();
function lookOfProcess(p) {
  const { now, run, welcome } = room;
  if (now?.stage?.kind === "baskets") return tableLook((now.stage.speaking ?? []).includes(p));
  if (!run) return null;
  const key = `${run.position} ${run.count}`;
  if (SHAPES.key !== key) { SHAPES.key = key; SHAPES.now = run.at(run.count); }
  return welcome.looks?.states?.[run.stateName(SHAPES.now, p)] ?? null;
}
const small = (look) => { const drawn = lookOf(look); return svg("svg", { width: 18, height: 18, viewBox: "-9 -9 18 18", class: "mark", "aria-hidden": "true" }, svg("path", { d: shapePath(drawn.shape, 13), fill: drawn.fill, stroke: drawn.line, "stroke-width": 1.3 })); };

function statusOf(person) {
  if (!person) return el("span", { class: "s" }, icon("chip", 15), tr("by itself"));
  if (person.status === "away") return el("span", { class: "s warn" }, icon("wifi", 15), known(person.back) ? tr("back in {time}", { time: minutes(person.back) }) : tr("away"));
  if (person.status === "chosen") return el("span", { class: "s ok" }, icon("lock", 14), tr("chosen"));
  if (person.status === "choosing") return el("span", { class: "s" }, tr("choosing…"));
  return el("span", { class: "s" });
}

export function host(place) {
  const arrivals = new Arrivals(), clock = ringClock(62, 6, 18);
  const watch = watcher({
    tabs: false,
    name: (p) => { const { welcome } = room, own = playerOf(welcome.processes[p]); return own ? own.name : tr("the program"); },
    under: (p, game) => { if (game?.kind !== "baskets") return ""; const to = game.right?.indexOf(p) ?? -1; return tr("left {left}, right {right}", { left: to < 0 ? "?" : game.contents[to] ?? "?", right: game.contents[p] ?? "?" }); },
  });
  const asked = watch.stage.asked;
  watch.stage.asked = () => ({ ...asked(), mine: undefined, badge: (p) => badgeOf(room.welcome.processes[p]), faint: (p) => !playerOf(room.welcome.processes[p]), fresh: (p) => { const own = playerOf(room.welcome.processes[p]); return own ? arrivals.fresh(own.person) : 0; }, most: 16, figure: ["baskets", "illegal"].includes(room.now?.stage?.kind) && figureOf(room.now.figure) ? [...figureOf(room.now.figure), room.now.stage.words ?? ""] : null });
  watch.stage.canvas.addEventListener("contextmenu", (e) => { e.preventDefault(); const p = watch.stage.hit(e.offsetX, e.offsetY); if (p >= 0) mischief(room.welcome.processes[p]); });
  const tools = el("header", { class: "tools" }), join = el("section", { class: "dock", "aria-label": tr("Join") }), people = el("section", { class: "dock grows", "aria-label": tr("People") }), round = el("section", { class: "dock round", "aria-label": tr("Round") });
  const stageHead = el("div", { class: "dockhead" }), legend = el("div", { class: "legend" }), stage = el("section", { class: "dock stage grows", "aria-label": tr("The run") }, stageHead, el("div", { class: "stagebody" }, watch.node));
  const acts = el("section", { class: "dock", "aria-label": tr("Acts") }), question = el("section", { class: "dock questions", "aria-label": tr("Prediction") }), checks = el("section", { class: "dock grows", "aria-label": tr("Checks") }), figure = el("section", { class: "dock curve", "aria-label": tr("Curve") }), status = el("footer", { class: "status" }), toast = el("div", { class: "toast", role: "alert" });
  const right = el("div", { class: "column right" }, acts, question, checks);
  const shell = el("div", { class: "host" }, tools, el("div", { class: "columns" }, el("div", { class: "column left" }, join, people), el("main", { class: "column centre" }, round, stage), right), figure, status, toast);
  const head = (sign, title, about, ...more) => el("div", { class: "dockhead" }, icon(sign, 16), el("h2", {}, title), about && el("span", { class: "hint" }, about), el("span", { class: "grow" }), more);

  /** When a sealed round closes, or how fast simulated time goes on. */
  function pacing() {
    const { mode } = room.now, sealed = mode === "sealed", options = sealed ? [[0, tr("when all are in")], ...[15, 30, 45, 60, 90, 120, 180].map((each) => [each, tr("after {seconds} s at most", { seconds: each })])] : [0.1, 0.25, 0.5, 1, 2, 5].map((each) => [each, tr("{pace} per second", { pace: each })]);
    return el("label", { class: "pacing" }, el("span", {}, sealed ? tr("Rounds close") : tr("Simulated time")), el("select", { "data-key": "pacing", onchange: (e) => { local.pacing = { ...local.pacing, [mode]: Number(e.target.value) }; lead("mode", { mode, [sealed ? "seconds" : "pace"]: Number(e.target.value) }); } },
      options.map(([value, words]) => el("option", { value, selected: value === (local.pacing?.[mode] ?? (sealed ? 45 : 1)) }, words))));
  }
  function roundBar() {
    const now = room.now, sealed = now.mode === "sealed", open = now.phase === "open", over = now.phase === "over";
    const act = room.welcome.acts[now.act], title = now.phase === "door" ? (act && now.act > 0 ? tr("Act {number}: {title}", { number: now.act + 1, title: act[0] }) : now.door ? tr("The door is open") : tr("The door is closed")) : over ? tr("The run has ended") : now.phase === "moving" ? tr("All moves happen now") : open ? (sealed ? tr("Round {round} is sealed", { round: now.round }) : tr("Each move happens at once")) : tr("Round {round} is over", { round: now.round });
    const missing = now.choosing - now.chosen;
    const about = now.phase === "door" ? el("p", {}, `${here(now.people)}; `, now.free ? trn("{count} seat is free", "{count} seats are free", now.free) : tr("all seats are taken")) : open && sealed ? !now.choosing ? el("p", {}, tr("Nobody has anything to choose in this round.")) : el("p", {}, el("b", {}, tr("{chosen} of {choosing} choices made", { chosen: now.chosen, choosing: now.choosing })), "; ", now.of ? tr("it closes when all are in, or at 0:00") : tr("it closes when all are in")) : over ? null : el("p", {}, figureOf(now.figure)?.toReversed().join(": ") ?? "");
    if (now.of) local.pacing = { ...local.pacing, sealed: now.of };
    const segments = Math.min(now.choosing, 40), share = now.choosing ? (now.chosen / now.choosing) * segments : 0;
    const main = now.phase === "door" ? [beginning(), "play", () => lead("begin")] : open && sealed ? [tr("Close the round"), "envelope", () => lead("close")] : over ? [tr("Save"), "save", () => lead("save")] : sealed ? [tr("Next round"), "play", () => lead("next")] : [tr("Next round"), "play", () => lead("next")];
    return [
      open && now.left !== null && sealed ? clock : el("span", { class: "sign grand" }, icon({ door: "door", between: "tick", over: "tick", moving: "clock" }[now.phase] ?? "swap", 34)),
      el("div", { class: "roundwords", role: "status" }, el("h1", {}, title), open && sealed && el("div", { class: "bits", "aria-hidden": "true" }, Array.from({ length: segments }, (_, i) => el("i", { class: i < Math.round(share) ? "on" : "" }))), room.connection !== "open" ? el("p", { class: "warned" }, icon("wifi", 16), tr("Connecting again…")) : now.paused ? el("p", { class: "warned" }, icon("pause", 16), tr("The class is paused.")) : about, !over && now.phase !== "moving" && !(open && sealed) && pacing()),
      el("span", { class: "grow" }),
      open && sealed && now.of !== null && button("30 s", () => lead("more", { seconds: 30 }), { look: "line", sign: "plus", size: 16, key: "more", label: tr("30 seconds more"), title: tr("30 seconds more") }),
      now.phase !== "door" && !over && button(now.paused ? tr("Go on") : tr("Pause for all"), () => lead(now.paused ? "resume" : "pause"), { look: now.paused ? "line pressed" : "line", sign: now.paused ? "play" : "pause", size: 16, key: "pause", label: now.paused ? tr("Go on") : tr("Pause for all"), title: now.paused ? tr("Go on") : tr("Pause for all") }),
      now.round > (open ? 1 : 0) && now.phase !== "door" && button(tr("Undo round {round}", { round: open ? now.round - 1 : now.round }), async () => { if (open) await lead("undo"); lead("undo"); }, { look: "line", sign: "undo", size: 16, key: "undo", label: tr("Undo round {round}", { round: open ? now.round - 1 : now.round }), title: tr("Undo round {round}", { round: open ? now.round - 1 : now.round }) }),
      button(main[0], main[2], { look: "prim", sign: main[1], size: 18, key: "main", disabled: now.phase === "moving", title: missing > 0 && open && sealed ? trn("{count} has not chosen", "{count} have not chosen", missing) : "" })];
  }
  let marks = []; // the signs of the states in the list, with the state of each
  function markStates() {
    for (const each of marks) {
      const look = lookOfProcess(each.process);
      if (look !== each.look) { each.look = look; each.node.replaceChildren(small(look)); }
    }
  }
  function peoplePanel() {
    marks = [];
    const all = room.people?.people.filter((each) => each.role !== "host" && each.role !== "screen") ?? [], { welcome } = room, watching = all.filter((each) => each.process === null), hands = all.filter((each) => each.hand).length;
    const tabs = { people: trn("{count} person", "{count} people", all.length), log: tr("Log") };
    const open = (person) => (e) => { e.preventDefault(); menuOf(person, e.currentTarget); };
    const row = (name, p) => {
      const own = playerOf(name), look = lookOfProcess(p), node = el("span", {}, small(look));
      marks.push({ node, process: p, look });
      const words = [el("b", { class: "figures" }, name.slice(0, 6)), node, el("span", { class: own ? "called" : "called hint" }, own?.hand && icon("hand", 14), own ? own.name : tr("the program"), (room.now?.stage?.leads ?? []).includes(p) && el("span", { class: "hint" }, " ", tr("leads"))), statusOf(own)];
      return own ? el("button", { type: "button", class: "who", "data-key": `person ${own.person}`, "aria-haspopup": "menu", onclick: open(own), oncontextmenu: open(own) }, words) : el("div", { class: "who" }, words);
    };
    return [el("div", { class: "tabs", role: "tablist" }, Object.entries(tabs).map(([key, words]) => el("button", { type: "button", role: "tab", "aria-selected": String(local.tab === key), "data-key": `tab ${key}`, onclick: () => { local.tab = key; changed(); } }, el("span", {}, words)))),
      local.tab === "log" ? el("div", { class: "scrolls" }, el("ol", { class: "log" }, (room.people?.log ?? []).toReversed().map((each) => el("li", {}, each)))) : el("div", { class: "scrolls" },
        el("div", { class: "row head4" }, el("h3", {}, trn("Playing: {count} person", "Playing: {count} people", all.length - watching.length)), button(tr("Deal"), () => lead("deal"), { look: "tiny", sign: "swap", size: 14, key: "deal", title: tr("Give the free processes to the people who would like one") })),
        welcome.processes.slice(0, 300).map(row),
        el("div", { class: "row head4" }, el("h3", {}, hands ? trn("Watching: {watching}, one hand up", "Watching: {watching}, {count} hands up", hands, { watching: watching.length }) : tr("Watching: {watching}", { watching: watching.length }))),
        el("div", { class: "chips" }, watching.map((each) => button(each.name, (e) => menuOf(each, e.currentTarget), { look: each.hand ? "chip warn" : each.status === "away" ? "chip away" : "chip", sign: each.hand ? "hand" : "", size: 13, key: `person ${each.person}` }))))];
  }
  function questionPanel() {
    const { histogram: found, now } = room, q = room.question ?? room.questions.get(found?.number), open = !!now.question;
    if (local.ask || !q) {
      if (!local.ask) return [head("bars", tr("Prediction"), ""), el("div", { class: "pad" }, el("p", { class: "hint" }, tr("Ask everybody what will happen, then let the run show it.")), button(tr("Ask a prediction…"), () => { local.ask = true; changed(); }, { look: "line full", sign: "bars", size: 16, key: "ask" }))];
      const form = el("form", { class: "pad asking", onsubmit: (e) => {
        e.preventDefault();
        const given = Object.fromEntries(new FormData(form)), choices = (given.choices ?? "").split("\n").map((each) => each.trim()).filter(Boolean);
        if (!given.text.trim() || (given.form === "choice" && choices.length < 2)) { room.told = given.text.trim() ? tr("Enter at least two answers, each on a line.") : tr("Enter the question."); changed(); return; }
        local.ask = false;
        lead("ask", { text: given.text.trim(), form: given.form, choices: given.form === "choice" ? choices : [], seconds: Number(given.seconds) || null });
        changed();
      } },
      field(tr("Question"), el("textarea", { name: "text", rows: 2, maxlength: 300, required: true, "data-key": "text" }, "")), el("div", { class: "pair" }, field(tr("Answer"), el("select", { name: "form", onchange: (e) => { form.querySelector(".lines").hidden = e.target.value !== "choice"; } }, [["number", tr("a number")], ["choice", tr("one of several")], ["process", tr("a process")]].map(([key, words]) => el("option", { value: key }, words)))), field(tr("Seconds"), el("input", { name: "seconds", type: "number", min: 0, max: 3600, placeholder: tr("no limit") }))),
      el("div", { class: "lines", hidden: true }, field(tr("Answers, each on a line"), el("textarea", { name: "choices", rows: 3 }))), el("div", { class: "pair" }, button(tr("Cancel"), () => { local.ask = false; changed(); }, { look: "line" }), el("button", { type: "submit", class: "line strong" }, icon("bars", 16), el("span", {}, tr("Ask everybody")))));
      return [head("bars", tr("Prediction"), ""), form];
    }
    const names = namesOf(q), answered = found?.number === q.number ? found.answered : now.question?.answered ?? 0;
    return [head("bars", tr("Prediction"), "", button(tr("New"), () => { local.ask = true; changed(); }, { look: "tiny", sign: "plus", size: 14, key: "ask" })), el("div", { class: "pad" }, el("b", { class: "asks" }, q.text), el("p", { class: "row hint" }, el("span", { class: found?.shown ? "pill small" : "pill small accent" }, icon(found?.shown ? "eye" : "lock", 13), found?.shown ? tr("shown") : tr("sealed")), found?.shown ? tr("{answered} of {people} answered", { answered, people: now.people }) : tr("{answered} of {people} answered; only you see this", { answered, people: now.people })),
      found?.number === q.number && found.bars.length ? columns(found, names, { width: 344, height: 140, numbers: q.form === "number", label: tr("The answers") }) : el("p", { class: "hint" }, tr("Nobody has answered yet.")),
      el("div", { class: "pair" }, button(tr("Show to all"), () => tell(q), { look: "line", sign: "screen", size: 16, key: "tell", disabled: found?.shown }), button(tr("No more answers"), () => lead("lock", { question: q.number }), { look: "line", sign: "lock", size: 15, key: "lock", disabled: !open })))];
  }
  function tell(q) {
    dialog(tr("Show the answers to all"), [el("p", {}, q.text), field(tr("The right answer, if it is known"), q.form === "number" ? el("input", { name: "right", type: "number" }) : select("right", [["", tr("not known yet")], ...(q.form === "process" ? room.welcome.processes.map((each) => [each, each]) : q.choices.map(([value, words]) => [String(value), words]))]))], {
      go: tr("Show"), done: ({ right }) => { lead("tell", { question: q.number, ...(right === "" ? {} : { right: q.form === "number" ? Number(right) : right }) }); },
    });
  }
  function update() {
    if (room.ended || !room.welcome || !room.now) {
      fill(place, [room.ended, room.refused, room.connection], () => el("main", { class: "plain" }, el("h1", {}, room.ended ? tr("The class is over.") : room.refused || (room.connection === "lost" ? tr("The host cannot be reached; trying again…") : tr("Connecting…")))));
      return;
    }
    if (!shell.isConnected) { place.shown = undefined; place.replaceChildren(shell); }
    const { welcome, now } = room, all = room.people?.people ?? [];
    arrivals.update(all);
    fill(tools, [welcome.title, welcome.code, now.mode, now.stage?.kind, local.view, now.people, now.shown, now.phase, local.hidden], () => [
      el("b", { class: "name" }, welcome.title),
      el("span", { class: "seg", role: "group", "aria-label": tr("Moves") }, [["turns", tr("Each in turn"), ""], ["sealed", tr("Sealed rounds"), "envelope"]].map(([key, words, sign]) => button(words, () => lead("mode", { mode: key }), { sign, size: 15, pressed: now.mode === key, key: `mode ${key}` }))),
      button(tr("Mischief…"), () => mischief(), { look: "line fault", sign: "bolt", size: 16, key: "mischief" }), el("span", { class: "grow" }),
      el("span", { class: "seg", role: "group", "aria-label": tr("View") }, [["network", now.stage?.kind === "baskets" ? tr("Table") : tr("Network")], ["causality", tr("Causality")]].map(([key, words]) => button(words, () => { local.view = key; watch.choose(key); changed(); }, { pressed: local.view === key, key: `view ${key}` }))),
      button(now.shown ? tr("All see the run") : tr("Show the run to all"), () => lead("show", { on: !now.shown }), { look: "line", sign: now.shown ? "eye" : "eyeoff", size: 16, pressed: now.shown, key: "show" }),
      el("span", { class: "pill" }, icon("users", 15), trn("{count} here", "{count} here", now.people)), button("", switchTheme, { look: "bare", sign: "moon", label: tr("Light or dark"), key: "theme" }),
      button("", () => lead("save"), { look: "bare", sign: "save", label: tr("Save"), key: "save" }),
      button(tr("End the class…"), () => dialog(tr("End the class?"), el("p", {}, tr("Everybody leaves. The file of the class stays.")), { go: tr("End the class"), danger: true, done: () => { lead("end"); } }), { look: "line", key: "end" })]);
    fill(join, [welcome.code, welcome.address, welcome.qr, now.door, local.hidden], () => [
      head("users", tr("Join"), now.door ? tr("the door is open") : tr("the door is closed"), button("", () => lead("door", { open: !now.door }), { look: "tiny", sign: "door", size: 16, label: now.door ? tr("Close the door") : tr("Open the door"), key: "door" })),
      el("div", { class: "joincard" }, qrPicture(welcome.qr, 116, tr("QR code of the address")), el("div", {}, el("small", {}, tr("Code")), el("b", { class: "code figures" }, welcome.code), el("small", {}, tr("or type")), el("span", { class: "figures url" }, address(welcome.address)))),
      el("div", { class: "pair pad0" }, button(tr("Enlarge"), () => open(`/screen#${encodeURIComponent(room.secret)}`, "_blank", "noopener"), { look: "line", sign: "screen", size: 16, key: "large" }), button(local.hidden ? tr("Show names") : tr("Hide names"), () => { local.hidden = !local.hidden; lead("hide", { on: local.hidden }); changed(); }, { look: "line", sign: local.hidden ? "eye" : "eyeoff", size: 16, pressed: local.hidden, key: "hide" }))]);
    fill(people, [all, local.tab === "log" && room.people?.log, local.tab, now.stage, local.theme, now.phase], peoplePanel);
    if (performance.now() - local.looked > 400) { local.looked = performance.now(); clearTimeout(local.again); markStates(); } else { clearTimeout(local.again); local.again = setTimeout(changed, 450); }
    fill(round, [room.connection, room.questions.size, now.door, now.phase, now.round, now.mode, now.paused, now.chosen, now.choosing, now.of, now.left === null, now.people, now.free, now.figure?.points?.length, now.act], roundBar);
    fill(stageHead, [now.stage?.kind, local.view, welcome.title], () => [icon(local.view === "causality" ? "causality" : "network", 16), el("h2", {}, local.view === "causality" ? tr("Causality") : now.stage?.kind === "baskets" ? tr("The table") : tr("The network")), el("span", { class: "hint" }, now.stage?.kind === "baskets" ? "" : welcome.about || welcome.title), el("span", { class: "grow" }), legend]);
    fill(legend, [welcome.looks, now.stage?.kind, local.view, local.theme], () => (local.view !== "network" ? null : [
      ...(now.stage?.kind === "baskets" ? [true, false].map((on) => [tableLook(on), on ? tr("may speak") : tr("listens")]) : Object.entries(welcome.looks?.states ?? {}).slice(0, 5).map(([name, look]) => [look, look.words || name])).map(([look, words]) => el("span", {}, small(look), words))]));
    legend.hidden = !legend.firstChild;
    acts.hidden = !welcome.acts.length;
    right.classList.toggle("asks", local.ask || !!now.question || room.histogram?.shown === false);
    fill(acts, [welcome.acts, now.act], () => [head("book", trn("The play, in {count} act", "The play, in {count} acts", welcome.acts.length), ""), el("ol", { class: "acts" }, welcome.acts.map(([title, text], i) => el("li", {}, el("button", { type: "button", class: i === now.act ? "act on" : i < now.act ? "act ok" : "act", "aria-current": i === now.act ? "step" : undefined, "data-key": `act ${i}`, onclick: () => { if (i === now.act) return; dialog(tr("Begin act {number}?", { number: i + 1 }), [el("b", {}, title), el("p", {}, text)], { go: tr("Begin"), done: () => { lead("act", { act: i }); } }); } }, el("i", {}, String(i + 1)), el("b", {}, title), el("span", {}, text)))))]);
    fill(question, local.ask ? ["ask"] : [room.question, room.histogram, now.question, now.people, local.theme], questionPanel);
    fill(checks, [now.checks, room.run?.checks], () => [head("tick", tr("Checks"), ""), el("div", { class: "scrolls" }, checksList(now.checks.length ? now.checks : room.run?.checks ?? []))]);
    const shown = (now.figure?.points ?? []).length > 0, width = Math.max(400, Math.round(innerWidth - 12));
    figure.hidden = !shown;
    if (shown) fill(figure, [now.figure, now.phase, now.round, width, innerHeight < 800, local.theme], () => { const found = figureOf(now.figure); return [el("div", { class: "narr" }, small(welcome.looks?.states?.speaking ?? { shape: "pentagon", fill: ["#722948", "#BC9BB8"], line: ["#722948", "#BC9BB8"] }), el("span", {}, el("b", {}, found ? tr("After round {round}.", { round: now.figure.points.at(-1)[0] }) : ""), " ", found ? `${found[1]}: ${found[0]}` : "")),
      curve(now.figure, { width, height: innerHeight < 800 ? 78 : 104, px: 12, axis: true, open: now.phase === "open" ? now.round : null, openWords: now.phase === "open" && now.mode === "sealed" ? tr("round {round}", { round: now.round }) : "", look: welcome.looks?.states?.speaking, goal: goalOf(now.figure), label: now.figure.title ?? "" })]; });
    fill(status, [room.connection, welcome.address, now.people], () => [el("span", {}, icon("wifi", 14), room.connection === "open" ? tr("At {address}", { address: address(welcome.address) }) : tr("Connecting again…")), el("span", { class: "grow" }), el("span", {}, tr("Space pauses for all; right-click a process for mischief"))]);
    fill(toast, room.told, () => room.told && [el("span", {}, room.told), button("", () => { room.told = ""; changed(); }, { sign: "cross", size: 16, label: tr("Close"), key: "told" })]);
    toast.hidden = !room.told;
    watch.update(); tick();
  }
  function tick() { const seconds = left(), now = room.now; if (now && seconds !== null) clock.set(now.of ? seconds / now.of : 1, minutes(seconds), seconds <= 5 && now.phase === "open" && !now.paused); }
  setInterval(tick, 250);
  addEventListener("resize", changed);
  onTheme(() => { local.theme++; changed(); });
  document.addEventListener("keydown", (e) => {
    if (e.key !== " " || e.repeat || e.target.closest?.("button,input,textarea,select,dialog,[role=tab]") || !room.now || ["door", "over"].includes(room.now.phase)) return;
    e.preventDefault(); lead(room.now.paused ? "resume" : "pause");
  });
  return { update };
}
