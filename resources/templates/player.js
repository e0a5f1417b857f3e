// ------------------------------------------------------------------ the time line

const scrubber = {
  element: $("scrubber"), canvas: $("scrubber").firstElementChild, pictures: null, MARGIN: 14, TRACK: 17,
  x(time, w) { return this.MARGIN + (time - WHOLE[0]) / (WHOLE[1] - WHOLE[0]) * (w - 2 * this.MARGIN); },
  time(x, w) { return WHOLE[0] + (x - this.MARGIN) / Math.max(1, w - 2 * this.MARGIN) * (WHOLE[1] - WHOLE[0]); },
  paint(c, w, h) {
    const floor = h - 17, x = this.x(clamp(t, 0, END), w), g = { left: this.MARGIN, right: w - this.MARGIN };
    c.fillStyle = theme.surface.panelAlt; c.fillRect(0, 0, w, h);
    const bins = Math.max(1, Math.floor((g.right - g.left) / 8)), pitch = (g.right - g.left) / bins;
    if (this.pictures?.bins !== bins) this.pictures = { bins, ...this.count(bins) };
    const { counts, most } = this.pictures, inks = [...theme.message.map((look) => look.color), stateLook(1).fill, theme.fault.base];
    for (let bin = 0; bin < bins; bin++) {
      const row = counts.subarray(bin * 8, bin * 8 + 8), total = row.reduce((a, b) => a + b, 0);
      if (!total) continue;
      const tall = (floor - this.TRACK - 4) * (most > 1000 ? Math.log1p(total) / Math.log1p(most) : total / Math.max(most, 5));
      const left = g.left + bin * pitch, right = left + Math.max(pitch - 1, 1);
      let y = floor;
      for (const layer of [7, 6, 0, 1, 2, 3, 4, 5]) {
        const part = tall * row[layer] / total;
        if (!part) continue;
        c.fillStyle = inks[layer];
        if (left < x) c.fillRect(left, y - part, Math.min(right, x) - left, part);
        c.globalAlpha = 0.34; if (right > x) c.fillRect(Math.max(left, x), y - part, right - Math.max(left, x), part); c.globalAlpha = 1;
        y -= part;
      }
    }
    pen(c, theme.border.strong, 2); line(c, this.x(diagram.window[0], w), floor, this.x(diagram.window[1], w), floor);
    const step = niceStep(WHOLE[1] - WHOLE[0], Math.max(2, Math.floor((g.right - g.left) / 84)));
    for (let i = 0; i * step <= WHOLE[1] + 1e-9; i++) {
      const at = this.x(i * step, w);
      pen(c, theme.border.control, 1); line(c, at, floor, at, floor + 3);
      text(c, tickText(i * step, step), at, floor + 10, theme.text.hint, { px: CAPTION, align: "center" });
    }
    pen(c, theme.playhead, 2); line(c, x, 8, x, floor + 3);
    playhead(c, x, 1, floor, 1.3);
    let free = -Infinity;
    for (const mark of run.marks) {
      const at = this.x(mark.time, w), ink = mark.fault ? theme.fault.base : theme.check.violated, y = this.TRACK / 2;
      pen(c, ink, 1.4, [4, 3]); line(c, at, this.TRACK - 2, at, floor);
      if (mark.fault) { pen(c, ink, 1.8, [], "round"); c.beginPath(); [[1.5, -5], [-2.5, 1], [2.5, 0], [-1.5, 6]].forEach(([a, b]) => c.lineTo(at + a, y + b)); c.stroke(); }
      else cross(c, at, y, 3.5, 1.8, ink);
      const words = elided(c, mark.text, 240, CAPTION, 600), room = wide(c, words, CAPTION, 600);
      const left = at + 10 + room < w ? at + 8 : at - 8 - room; // beside its sign, on the side where there is room
      if (left > free) { text(c, words, left, y, ink, { px: CAPTION, weight: 600, halo: theme.surface.panelAlt }); free = Math.max(left + room, at) + 6; }
    }
  },
  /** Events per column and layer: the kinds of message, every other event, faults. */
  count(bins) {
    const counts = new Uint32Array(bins * 8), faults = new Set(["crash", "recover", "link_down", "link_up", "corrupt", "inject"].map((name) => KIND[name]));
    for (let e = 0; e < COUNT; e++) {
      if (attached(E.kind[e])) continue;
      const bin = clamp(Math.floor((E.time[e] - WHOLE[0]) / (WHOLE[1] - WHOLE[0]) * bins), 0, bins - 1);
      counts[bin * 8 + (faults.has(E.kind[e]) ? 7 : E.label[e] >= 0 ? kindOf(E.label[e]) % 6 : 6)]++;
    }
    let most = 0;
    for (let bin = 0; bin < bins; bin++) most = Math.max(most, counts.subarray(bin * 8, bin * 8 + 8).reduce((a, b) => a + b, 0));
    return { counts, most };
  },
};

// ------------------------------------------------------------------ playing

const NOTHING = { kind: "", id: -1 };
let t = START, playing = false, glide = null, speed = 1, last = 0, waiting = 0, dirty = true;
let chosen = -1, over = NOTHING, dragging = false, paper = false, spoken = "", spokenAt = 0;
const VIEWS = [network, diagram, columns];

/** Something has changed: draw in the next frame.  Nothing is drawn while nothing changes. */
function stale() { dirty = true; if (!waiting) waiting = requestAnimationFrame(tick); }
function tick(time) {
  waiting = 0;
  const seconds = Math.min(0.1, (time - last) / 1000);
  last = time;
  if (glide) {
    glide.gone += seconds * 1000;
    const part = Math.min(1, glide.gone / looks.step);
    t = part < 1 ? glide.from + (glide.to - glide.from) * (0.5 - 0.5 * Math.cos(Math.PI * part)) : glide.to;
    if (part >= 1) glide = null;
    dirty = true;
  } else if (playing) {
    t = Math.min(END, t + seconds * speed);
    if (t >= END) pause();
    dirty = true;
  }
  if (world.moving) { world.advance(seconds); dirty = true; }
  if (dirty) paint();
  if (playing || glide || world.moving) stale();
}
function seek(time) { glide = null; t = time <= 0 ? START : clamp(time, START, END); stale(); }
function play() { glide = null; if (t >= END) t = START; playing = END > START; last = performance.now(); stale(); }
function pause() { playing = false; stale(); }
/** Move to the next or previous moment at which something happens; events with equal times happen together. */
function step(direction, process = -1) {
  if (glide) t = glide.to;
  pause();
  let to = direction > 0 ? END : START;
  const begin = direction > 0 ? firstAfter(E.time, t) : firstAfter(E.time, t) - 1;
  for (let e = begin; e >= 0 && e < COUNT; e += direction)
    if ((process < 0 || E.process[e] === process) && (direction > 0 || E.time[e] < t)) { to = E.time[e]; break; }
  if (calm.matches || to === t) seek(to); else { glide = { from: t, to, gone: 0 }; last = performance.now(); stale(); }
}
function setSpeed(power) {
  power = clamp(power, -4, 10); speed = 2 ** power;
  $("speed").value = power; $("rate").textContent = speed < 1 ? `1/${1 / speed}×` : `${speed}×`;
  $("speed").setAttribute("aria-valuetext", $("rate").textContent);
}
function choose(p) { chosen = p === chosen ? -1 : p; stale(); }

/** Give a canvas the size of its place, ready for drawing in CSS pixels. */
function prepared(canvas, w = canvas.clientWidth, h = canvas.clientHeight, ratio = devicePixelRatio || 1) {
  const width = Math.max(1, Math.round(w * ratio)), height = Math.max(1, Math.round(h * ratio));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  return c;
}
const PAPER = new Map([[network, [1000, 520]], [diagram, [1000, 560]], [columns, [1000, 300]]]);
function paint() {
  dirty = false;
  goto(firstAfter(E.time, t));
  if (playing || glide) diagram.follow();
  const flying = inFlight(t);
  for (const view of VIEWS) {
    const canvas = view.view.querySelector("canvas"), [w, h] = paper ? PAPER.get(view) : [canvas.clientWidth, canvas.clientHeight];
    const title = view.title(flying), heading = view.view.querySelector("h2 span");
    if (heading.textContent !== title) heading.textContent = title;
    if (w > 0 && h > 0) view.paint(prepared(canvas, w, h, paper ? 3 : undefined), w, h);
  }
  if (!paper) scrubber.paint(prepared(scrubber.canvas), scrubber.canvas.clientWidth, scrubber.canvas.clientHeight);
  tell();
}

/** The sentence of the moment, with bold parts between tabs; never as markup. */
function tell() {
  const shown = clamp(t, 0, END), e = now.k - 1;
  const words = now.k === 0 ? `\t${run.opening}\t` : t >= END && !playing ? `\t${run.closing}\t` : run.texts[E.text[e]];
  const plain = words.replaceAll("\t", "");
  if ($("sentence").dataset.words !== words) {
    $("sentence").dataset.words = words;
    $("sentence").replaceChildren(...words.split("\t").map((part, i) => (i % 2 ? Object.assign(document.createElement("b"), { textContent: part }) : part)));
  }
  const c = prepared($("sign"), 18, 18), p = e >= 0 ? E.process[e] : -1;
  c.clearRect(0, 0, 18, 18);
  drawProcess(c, 9, 9, 13, e < 0 ? slotOf(run.start) : p >= 0 ? slotOf(now.state[p]) : 7, { crashed: p >= 0 && !!now.crashed[p] });
  const clock = $("clock"), parts = [[shown.toFixed(2), 1], [tr(" of {end}", { end: END.toFixed(2) }), 0], [grouped(now.k), 1], [trn(" of {count:,} event", " of {count:,} events", COUNT), 0]];
  clock.replaceChildren(...parts.map(([part, bold]) => (bold ? Object.assign(document.createElement("b"), { textContent: part }) : part)));
  document.documentElement.classList.toggle("playing", playing);
  $("play").setAttribute("aria-label", playing ? tr("Pause") : tr("Play"));
  const slider = scrubber.element;
  slider.setAttribute("aria-valuemax", END.toFixed(2)); slider.setAttribute("aria-valuenow", shown.toFixed(2));
  slider.setAttribute("aria-valuetext", trn("time {time}, {done:,} of {count:,} event", "time {time}, {done:,} of {count:,} events", COUNT, { time: shown.toFixed(2), done: now.k }));
  // for screen readers: every step while paused, at most one sentence in two seconds while playing
  if (plain !== spoken && (!playing || performance.now() - spokenAt > 2000)) {
    spoken = $("said").textContent = plain; spokenAt = performance.now();
    for (const view of VIEWS) view.view.querySelector("canvas").setAttribute("aria-label", `${view.view.getAttribute("aria-label")}: ${view.title(inFlight(t))}. ${plain}`);
  }
}

// ------------------------------------------------------------------ hands

$("play").onclick = () => (playing ? pause() : play());
$("back").onclick = () => step(-1);
$("forward").onclick = () => step(1);
$("to-start").onclick = () => { pause(); seek(START); diagram.follow(); };
$("to-end").onclick = () => { pause(); seek(END); diagram.follow(); };
$("speed").oninput = (event) => setSpeed(Number(event.target.value));
$("theme").onclick = () => { chosenTheme = systemTheme() === "dark" ? "light" : "dark"; setTheme(chosenTheme); };
$("more").onclick = () => { $("about").open = true; $("about").scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" }); };
function enlarge(view) {
  const on = !view.classList.contains("large");
  for (const each of VIEWS) { each.view.classList.toggle("large", on && each.view === view); each.view.querySelector(".enlarge").setAttribute("aria-pressed", on && each.view === view); }
  $("views").classList.toggle("one", on);
  stale();
}
for (const view of VIEWS) {
  const canvas = view.view.querySelector("canvas");
  view.view.querySelector(".enlarge").onclick = () => enlarge(view.view);
  canvas.onpointermove = (event) => {
    const found = event.buttons && view === diagram && dragging ? NOTHING : view.hit(event.offsetX, event.offsetY);
    if (found.kind !== over.kind || found.id !== over.id) { over = found; stale(); }
    showTip(event);
  };
  canvas.onpointerleave = () => { over = NOTHING; $("tip").hidden = true; stale(); };
  canvas.onclick = (event) => {
    if (view === network && world.on && hands.moved) return;
    const found = view.hit(event.offsetX, event.offsetY);
    if (found.kind === "process") choose(found.id);
    else if (view !== diagram && chosen >= 0) choose(chosen);
  };
}
/** In space, a drag turns the network, and the wheel or two fingers go nearer. */
const hands = turning(network.view.querySelector("canvas"), {
  on: () => world.on && !world.leaving, get: () => world.view(), set: (camera) => world.look(camera),
  home: () => (over.kind === "process" ? world.visit(over.id) : world.home()),
});
$("in-space").onclick = () => world.enter(!world.on || world.leaving);
$("depth").oninput = (event) => { world.depth = world.to = Number(event.target.value); world.dress(); stale(); };
$("to-home").onclick = () => world.home();
/** Dragging on an element moves through time. */
function draggable(element, timeAt, starts = () => true) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !starts(event)) return;
    dragging = true; element.setPointerCapture(event.pointerId); pause(); seek(timeAt(event));
  });
  element.addEventListener("pointermove", (event) => { if (dragging && element.hasPointerCapture(event.pointerId)) seek(timeAt(event)); });
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => { dragging = false; });
}
draggable(scrubber.element, (event) => scrubber.time(event.offsetX, scrubber.canvas.clientWidth));
draggable(diagram.view.querySelector("canvas"), (event) => diagram.g.time(event.offsetX), (event) => {
  const found = diagram.hit(event.offsetX, event.offsetY);
  if (found.kind === "event") { pause(); seek(E.time[found.id]); }
  return found.kind === "" && event.offsetX >= diagram.g.left;
});
diagram.view.querySelector("canvas").addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.shiftKey) return;
  event.preventDefault(); diagram.zoom(1.0015 ** -event.deltaY, diagram.g.time(event.offsetX));
}, { passive: false });
for (const button of document.querySelectorAll(".zoom")) button.onclick = () => diagram.zoom(Number(button.dataset.zoom));

/** Describe the object under the pointer. */
function described({ kind, id }) {
  if (kind === "event") return [names[E.process[id]], `${run.texts[E.text[id]].replaceAll("\t", "")}\n${tr("time {time}, Lamport time {lamport}", { time: E.time[id].toFixed(2), lamport: E.lamport[id] })}`];
  if (kind === "process") {
    const word = now.state[id] >= 0 && run.states[now.state[id]] ? run.states[now.state[id]].word : tr("no state"), watch = run.texts[now.watch[id]];
    return [tr("Process {process}", { process: names[id] }), (now.crashed[id] ? tr("crashed {time} (was {state})", { time: now.since[id].toFixed(2), state: word }) : word) + (watch ? `\n${watch}` : "") + (layers.length ? `\n${trn("{count:,} message sent", "{count:,} messages sent", heights(now.counts)[id] ?? 0)}` : "")];
  }
  const sent = E.time[M.send[id]], arrived = M.arrived[id], label = lookOf(id).word;
  const share = sent <= t && t < arrived && isFinite(arrived) && arrived > sent ? `, ${Math.round(100 * (t - sent) / (arrived - sent))} %` : "";
  const time = arrived.toFixed(2);
  const end = !isFinite(arrived) ? tr("has not arrived when the recording ends")
    : M.lost[id] ? tr("lost {time}", { time }) : arrived > t ? tr("arrives {time}", { time }) : tr("arrived {time}", { time });
  return [label, `${names[M.source[id]]} → ${names[M.target[id]]}${share}\n${tr("sent {time}", { time: sent.toFixed(2) })}\n${end}`];
}
function showTip(event) {
  const tip = $("tip");
  tip.hidden = !over.kind;
  if (tip.hidden) return;
  const [head, rest] = described(over);
  tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: head }), `\n${rest}`);
  const x = event.clientX + 14, y = event.clientY + 16;
  tip.style.left = `${Math.min(x, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${y + tip.offsetHeight > innerHeight - 8 ? event.clientY - tip.offsetHeight - 10 : y}px`;
}

const KEYS = {
  " ": () => (playing ? pause() : play()), Home: () => $("to-start").click(), End: () => $("to-end").click(),
  ArrowLeft: (shift) => step(-1, shift ? chosen : -1), ArrowRight: (shift) => step(1, shift ? chosen : -1),
  "[": () => setSpeed(Math.log2(speed) - 1), "]": () => setSpeed(Math.log2(speed) + 1),
  "+": () => diagram.zoom(2), "=": () => diagram.zoom(2), "-": () => diagram.zoom(0.5), t: () => $("theme").click(),
  1: () => enlarge(VIEWS[0].view), 2: () => enlarge(VIEWS[1].view), 3: () => enlarge(VIEWS[2].view),
  v: () => $("in-space").click(), h: () => world.home(),
  ...Object.fromEntries(Object.entries(WALKS).flatMap(([key, way]) => [key, key.toUpperCase()].map((each) => [each, (shift) => world.walk(way, shift)]))),
  Escape: () => { if ($("views").classList.contains("one")) enlarge(document.querySelector(".view.large")); else if (chosen >= 0) choose(chosen); },
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
  // Space belongs to a focused button, and the arrows to the speed if it has the focus
  if (event.key === " " && event.target.closest("button, summary")) return;
  if (event.target.type === "range" && /^(Arrow|Home|End)/.test(event.key)) return;
  event.preventDefault(); KEYS[event.key](event.shiftKey);
});
addEventListener("keyup", (event) => { const way = WALKS[event.key.toLowerCase()]; if (way) world.held.delete(String(way)); });
addEventListener("blur", () => world.held.clear());

// ------------------------------------------------------------------ address, paper, beginning

/** `#t=7.2` is a moment; also `theme=dark`, `view=causality`, `select=3`, `space`, `play`, joined by `&`. */
function obey() {
  const wanted = new URLSearchParams(location.hash.slice(1)), at = parseFloat(wanted.get("t"));
  if (looks.themes[wanted.get("theme")]) { chosenTheme = wanted.get("theme"); setTheme(chosenTheme); }
  if (wanted.has("select")) chosen = names.indexOf(wanted.get("select"));
  const view = $(`view-${wanted.get("view")}`);
  if (view && !view.classList.contains("large")) enlarge(view);
  if (isFinite(at)) { pause(); seek(at); }
  if (wanted.has("space")) world.enter(true, clamp(parseFloat(wanted.get("space") || 1), 0, 1), true);
  if (wanted.has("play")) play();
  stale();
}
let before = null;
addEventListener("beforeprint", () => { // paper is white; it shows the moment at which the user stopped, else the end
  before = { t, open: $("about").open };
  paper = true; pause(); if (t <= START) seek(END);
  for (const [view, [w, h]] of PAPER) { const canvas = view.view.querySelector("canvas"); canvas.style.width = "100%"; canvas.style.aspectRatio = `${w} / ${h}`; }
  $("about").open = true; setTheme("light"); paint();
});
addEventListener("afterprint", () => {
  if (!before) return;
  paper = false; t = before.t; $("about").open = before.open; before = null;
  for (const [view] of PAPER) view.view.querySelector("canvas").removeAttribute("style");
  setTheme(systemTheme());
});
dusk.addEventListener("change", () => setTheme(systemTheme()));
try { // a notebook changes its theme by attributes of its page
  const around = window.frameElement.ownerDocument, watch = new MutationObserver(() => setTheme(systemTheme()));
  for (const each of [around.documentElement, around.body]) watch.observe(each, { attributes: true });
} catch { /* the page is not in a frame, or in one of another site */ }
calm.addEventListener("change", stale);
addEventListener("hashchange", obey);
addEventListener("resize", stale);
new ResizeObserver(stale).observe($("views"));

$("facts-line").textContent = run.subtitle;
const element = (name, ...children) => { const made = document.createElement(name); made.append(...children); return made; };
$("facts").append(...run.facts.map(([name, value]) => element("tr", element("th", name), element("td", value))));
$("checks").append(...run.checks.map(({ name, kind, holds, time }) => {
  const item = element("li", element("i", holds === true ? "✓" : holds === false ? "✗" : "○"), name, element("span", kind + (time === null ? "" : tr(", violated at {time}", { time: time.toFixed(2) }))));
  item.className = holds === true ? "holds" : holds === false ? "broken" : "open";
  return item;
}));
$("theory").textContent = run.titles.theory;
// initially a run plays for about ten to forty seconds
setSpeed(END >= 8 && END <= 60 ? 0 : clamp(Math.round(Math.log2(Math.max(END, 1e-9) / 20)), -4, 10));
setTheme(systemTheme());
obey();
paint();
