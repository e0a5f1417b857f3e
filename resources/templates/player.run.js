// Plays a run.  Everything shown is a function of the moment: `t`, simulated time, and `k`, how many events have
// happened by then.  Names of processes and texts reach the page only as text nodes and canvas text.

// ------------------------------------------------------------------ the run

const TYPES = { i1: Int8Array, i2: Int16Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };
const $ = (id) => document.getElementById(id);
/** Convert columns to typed arrays, wherever they are among the parts. */
function unpacked(part) {
  if (!part || typeof part !== "object" || Array.isArray(part)) return part;
  const [[name, text]] = Object.entries(part).concat([["", ""]]);
  if (name in TYPES && typeof text === "string") return new TYPES[name](Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, unpacked(value)]));
}
const run = unpacked(JSON.parse($("run").textContent));
const { events: E, messages: M, links: L, processes: P, changes: C, steps: S, names, looks } = run;
const N = names.length, COUNT = E.time.length, END = run.end;
const START = COUNT && E.time[0] <= 0 ? E.time[0] - 1e-9 : 0;
const KIND = Object.fromEntries(run.kinds.map((name, code) => [name, code]));
const STEPS = new Set(["init", "receive", "timer", "command", "rule"].map((name) => KIND[name]));
// rows that belong to an event and are not events themselves
const attached = (kind) => kind >= KIND.print;
// how an event is drawn: a ring, a dot, a cross for a loss, a cross for a crash, a dot in the colour of faults
const GLYPH = run.kinds.map((name) => ({
  send: "ring", drop: "lost", crash: "crash", recover: "fault", corrupt: "fault", inject: "fault", error: "fault",
  link_down: "", link_up: "", print: "", timer_set: "", timer_cancel: "", intervene: "",
}[name] ?? "dot"));
const oneWay = new Set(run.oneWay);
const linkOf = new Map(Array.from(L.a, (a, i) => [Math.min(a, L.b[i]) * N + Math.max(a, L.b[i]), i]));
const kindOf = (label) => (label >= 0 ? run.labels[label].kind : 0);
/** The look of message i: that of its contents, or of its class. */
const lookOf = (i) => run.worn?.[M.worn[i]] ?? run.labels[M.label[i]] ?? { kind: 0, word: tr("message"), letter: "" };
const slotOf = (state) => (state >= 0 ? run.states[state].slot : 7);
// the kinds of message that processes send, in the order of declaration: the layers of the columns
const layers = [...new Set(Array.from(E.kind, (kind, e) => (kind === KIND.send ? E.label[e] : -1)))].filter((l) => l >= 0).sort((a, b) => a - b);
const layerOf = new Map(layers.map((label, i) => [label, i]));
const grouped = (n, options) => n.toLocaleString("en", options).replaceAll(",", run.words.comma);
/** A text in the language of the page, with values for its places in braces; a comma in a place groups digits. */
const tr = (text, values = {}) => (run.words.texts[text] ?? text).replace(/\{(\w+)(:,)?\}/g, (_place, name, whole) => (whole ? grouped(values[name]) : values[name]));
/** The text for a number of things; from 200 on, its last two digits decide the form. */
function trn(one, many, count, values = {}) {
  const [forms, which] = run.words.texts[one] ?? [[one, many], ""];
  return tr(which ? forms[which[count < 200 ? count : 100 + count % 100]] : count === 1 ? one : many, { count, ...values });
}
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const firstAfter = (times, t) => { // how many of the ascending times are <= t
  let low = 0, high = times.length;
  while (low < high) { const mid = (low + high) >> 1; if (times[mid] <= t) low = mid + 1; else high = mid; }
  return low;
};

// ------------------------------------------------------------------ a moment

/** The values of all processes on the channels of one part, with the place of the declaration: [index, values]. */
const channelsOf = (part, at = now) => run.channels.flatMap(({ part: own, index }, i) => (own === part ? [[index, at.channels[i]]] : []));
const LINES = run.channels.findIndex(({ part }) => part === "watch"); // the watched line among the changes
const fresh = () => ({
  k: 0, change: 0, lost: 0, sent: 0, done: 0,
  state: run.starts ? Int16Array.from(run.starts) : new Int16Array(N).fill(run.start), crashed: new Uint8Array(N), since: new Float64Array(N),
  down: new Uint8Array(L.a.length), counts: new Int32Array(N * layers.length), largest: new Int32Array(N),
  channels: run.channels.map(({ sort }) => (sort === "set" ? Array.from({ length: N }, () => new Set()) : new Int32Array(N).fill(sort === "text" ? 0 : -1))),
  get watch() { return channelsOf("watch", this)[0]?.[1] ?? new Int32Array(N); },
  get badge() { return channelsOf("badge", this)[0]?.[1] ?? new Int32Array(N); },
});
let now = fresh();

/** The configuration after the first k events; a step back starts from the beginning, which takes milliseconds. */
function goto(k) {
  if (k < now.k) now = fresh();
  for (; now.k < k; now.k++) {
    const e = now.k, p = E.process[e], kind = E.kind[e];
    if (p >= 0 && E.state[e] >= 0) now.state[p] = E.state[e];
    if (kind === KIND.send) {
      now.sent++;
      if (p >= 0 && layerOf.has(E.label[e])) now.counts[p * layers.length + layerOf.get(E.label[e])]++;
      if (p >= 0) now.largest[p] = Math.max(now.largest[p], E.bits[e]);
    } else if (kind === KIND.drop) { if (E.message[e] >= 0) now.lost++; now.done++; }
    else if (kind === KIND.receive) now.done++;
    else if (kind === KIND.crash && p >= 0) { now.crashed[p] = 1; now.since[p] = E.time[e]; }
    else if (kind === KIND.recover && p >= 0) now.crashed[p] = 0;
    else if (kind === KIND.link_down || kind === KIND.link_up) {
      const q = E.peer[e], link = linkOf.get(Math.min(p, q) * N + Math.max(p, q));
      // 1: nothing passes from the link's first end to its second; 2: nothing passes back; 3: the link is cut
      const ways = oneWay.has(e) && link !== undefined && !L.directed[link] ? (L.a[link] === p ? 1 : 2) : 3;
      if (link !== undefined) now.down[link] = kind === KIND.link_down ? now.down[link] | ways : now.down[link] & ~ways;
    }
  }
  for (; now.change < C.at.length && C.at[now.change] < k; now.change++) {
    const p = C.process[now.change], what = C.what[now.change], value = C.value[now.change];
    const said = now.channels[what];
    if (run.channels[what].sort !== "set") said[p] = value;
    else if (value >= 0) said[p].add(value);
    else said[p].delete(-2 - value);
  }
}

const whole = (() => { goto(COUNT); const end = now; now = fresh(); goto(0); return end; })();
const heights = (counts) => Array.from({ length: run.rows }, (_, p) => counts.subarray(p * layers.length, (p + 1) * layers.length).reduce((a, b) => a + b, 0));
const finalHeights = heights(whole.counts), top = Math.max(1, ...finalHeights.slice(0, 100000));
const scaleBits = whole.largest.reduce((a, b) => Math.max(a, b), 0);
const sizes = new Set(Array.from(E.bits).filter((bits, e) => E.kind[e] === KIND.send));
const usualDelay = (() => {
  let sum = 0, count = 0;
  for (let i = 0; i < M.send.length; i++) if (!M.lost[i] && isFinite(M.arrived[i])) { sum += M.arrived[i] - E.time[M.send[i]]; count++; }
  return count && sum > 0 ? sum / count : 1;
})();
const crashes = []; // rows of crashed processes: process, from, to
for (let e = 0, open = {}; e < COUNT; e++) {
  const p = E.process[e];
  if (E.kind[e] === KIND.crash && !open[p]) crashes.push(open[p] = [p, E.time[e], Infinity]);
  if (E.kind[e] === KIND.recover && open[p]) { open[p][2] = E.time[e]; delete open[p]; }
}
const longestStep = S.from.reduce((most, from, i) => Math.max(most, S.to[i] - from), 0);

/** Messages in transit, including those that wait at a busy process. */
function inFlight(t) {
  const found = [];
  for (let i = 0; i < M.send.length && M.send[i] < now.k; i++)
    if ((M.end[i] < 0 || M.end[i] >= now.k) && E.time[M.send[i]] <= t) found.push(i);
  return found;
}

/** The exact share of its path that message i has travelled: speed is data and is never eased. */
function fraction(i, t) {
  const sent = E.time[M.send[i]], way = M.reached[i] - sent;
  const part = clamp(way > 0 ? (t - sent) / way : 1, 0, M.unsure[i] ? run.held : 1);
  return calm.matches ? Math.floor(part * 3) / 3 : part;
}
