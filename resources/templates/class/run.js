// The events of the run, as the simulator's frames contain them, and the configuration at any event.

export const INIT = 0, SEND = 1, RECEIVE = 2, DROP = 3, CRASH = 10, RECOVER = 11, LINK_DOWN = 12, LINK_UP = 13, CORRUPT = 14, INJECT = 15, ERROR = 16;
/** The kinds that are drawn as points on the line of a process. */
export const STEPS = new Set([0, 2, 4, 5, 6, 7, 8, 9, CRASH, RECOVER, CORRUPT, ERROR]);
const ROW = 44, NOBODY = 255, EVERY = 2048;
/** A longer run loses its oldest events, so that the page does not grow for as long as a lesson lasts. */
const MOST = 400_000;

const COLUMNS = { time: Float64Array, process: Int32Array, peer: Int32Array, message: Int32Array, lamport: Int32Array, label: Int16Array, kind: Uint8Array, state: Uint8Array };

export class Run {
  /** @param {string[]} names the processes in the order in which they are drawn. */
  constructor(begun, names) {
    this.names = [...names];
    this.index = new Map(names.map((name, i) => [name, i]));
    this.summary = begun.summary ?? {};
    this.codes = []; this.labels = []; this.states = [];
    this.count = 0; this.position = 0; this.end = 0; this.rounds = []; this.checks = [];
    this.room = 1024;
    for (const [name, Type] of Object.entries(COLUMNS)) this[name] = new Type(this.room);
    this.sent = new Map(); this.received = new Map(); this.open = new Map(); // message -> event
    this.first = { state: [], down: [], cut: new Set() };
    this.snapshots = [];
    this.values = new Map(); // process -> variable -> value
    this.usual = 1; this.delays = 0;
  }
  grow(more) {
    if (this.count + more <= this.room) return;
    while (this.room < this.count + more) this.room *= 2;
    for (const [name, Type] of Object.entries(COLUMNS)) { const wider = new Type(this.room); wider.set(this[name].subarray(0, this.count)); this[name] = wider; }
  }
  add(frame) {
    this.position++;
    if (frame.labels) this.labels = frame.labels;
    if (frame.states) this.states = frame.states;
    if (frame.processes) {
      this.codes = frame.processes.map((name) => {
        if (!this.index.has(name)) { this.index.set(name, this.names.length); this.names.push(name); }
        return this.index.get(name);
      });
    }
    if (frame.checks) this.checks = frame.checks;
    if (frame.rest?.checks) this.checks = frame.rest.checks;
    const text = atob(frame.rows ?? ""), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const view = new DataView(bytes.buffer);
    const n = Math.floor(bytes.length / ROW);
    this.grow(n);
    const code = (at) => { const p = view.getInt32(at, true); return p < 0 ? -1 : this.codes[p] ?? -1; };
    for (let i = 0, at = 0; i < n; i++, at += ROW) {
      const e = this.count++;
      this.time[e] = view.getFloat64(at, true); this.process[e] = code(at + 8); this.peer[e] = code(at + 12); this.message[e] = view.getInt32(at + 16, true);
      this.lamport[e] = view.getInt32(at + 20, true); this.label[e] = view.getInt16(at + 40, true); this.kind[e] = view.getUint8(at + 42); this.state[e] = view.getUint8(at + 43);
      const m = this.message[e], kind = this.kind[e];
      if (m >= 0 && (kind === SEND || (kind === INJECT && !this.sent.has(m)))) { this.sent.set(m, e); this.open.set(m, e); }
      if (m >= 0 && (kind === RECEIVE || kind === DROP) && this.sent.has(m)) {
        this.received.set(m, e); this.open.delete(m);
        if (kind === RECEIVE) { this.delays++; this.usual += (this.time[e] - this.time[this.sent.get(m)] - this.usual) / Math.min(this.delays, 200); }
      }
    }
    for (const [, detail] of frame.details ?? []) this.learn(detail, frame);
    this.end = Math.max(frame.time ?? 0, this.count ? this.time[this.count - 1] : 0);
    this.rounds.push({ round: frame.round, time: this.end, count: this.count });
    if (this.rounds.length > 5000) this.rounds.splice(0, 1000);
    if (this.count > MOST) this.forget(MOST >> 1);
  }
  learn(text) {
    // Only the names of the variables matter: the host can change them.
    try { for (const name of Object.keys(JSON.parse(text)?.changed ?? {})) this.values.set(name, true); } catch { /* nothing to learn */ }
  }
  /** The names of variables that are known. */
  variables() { return [...new Set([...Object.keys(this.summary.initial ?? {}), ...this.values.keys()])]; }
  /** Take back the events from number `first` on. */
  drop(first) {
    const keep = Math.max(0, Math.min(this.count, first - (this.gone ?? 0)));
    for (const [m, e] of this.sent) if (e >= keep) this.sent.delete(m);
    for (const [m, e] of this.received) if (e >= keep) { this.received.delete(m); if (this.sent.has(m)) this.open.set(m, this.sent.get(m)); }
    for (const [m, e] of this.open) if (e >= keep) this.open.delete(m);
    this.count = keep;
    this.position++;
    this.rounds = this.rounds.filter((each) => each.count <= keep);
    this.snapshots.length = Math.min(this.snapshots.length, Math.floor(keep / EVERY) + 1);
    this.end = keep ? this.time[keep - 1] : 0;
  }
  forget(many) {
    this.first = this.at(many);
    this.snapshots = [];
    this.gone = (this.gone ?? 0) + many;
    for (const name of Object.keys(COLUMNS)) this[name].copyWithin(0, many, this.count);
    this.count -= many;
    for (const map of [this.sent, this.received, this.open]) for (const [m, e] of map) if (e < many) map.delete(m); else map.set(m, e - many);
    for (const each of this.rounds) each.count = Math.max(0, each.count - many);
  }
  /** Number the processes as in a list. */
  arrange(names) {
    if (names.every((name, i) => this.names[i] === name)) return;
    const found = [...names, ...this.names.filter((name) => !names.includes(name))], to = this.names.map((name) => found.indexOf(name));
    for (const column of [this.process, this.peer]) for (let e = 0; e < this.count; e++) if (column[e] >= 0) column[e] = to[column[e]];
    const moved = (list) => { const out = []; list.forEach((value, i) => { out[to[i]] = value; }); return out; };
    this.first = { state: moved(this.first.state), down: moved(this.first.down), cut: new Set() };
    this.names = found; this.index = new Map(found.map((name, i) => [name, i])); this.codes = this.codes.map((code) => to[code]); this.snapshots = [];
    this.position++;
  }
  start(p) {
    const own = this.summary.starts?.[this.summary.roles?.[this.names[p]]];
    return this.states.indexOf(own ?? this.summary.start);
  }
  /** The state of each process, whether it is down, and the links that are cut, before event k. */
  at(k) {
    k = Math.max(0, Math.min(k, this.count));
    let from = Math.min(Math.floor(k / EVERY), this.snapshots.length - 1), now;
    if (from < 0) { from = 0; now = { state: [...this.first.state], down: [...this.first.down], cut: new Set(this.first.cut) }; this.snapshots[0] = { ...now, state: [...now.state], down: [...now.down], cut: new Set(now.cut) }; }
    else { const kept = this.snapshots[from]; now = { state: [...kept.state], down: [...kept.down], cut: new Set(kept.cut) }; }
    for (let e = from * EVERY; e < k; e++) {
      const p = this.process[e], kind = this.kind[e];
      if (p >= 0 && this.state[e] !== NOBODY) now.state[p] = this.state[e];
      if (kind === CRASH) now.down[p] = true;
      else if (kind === RECOVER) now.down[p] = false;
      else if (kind === LINK_DOWN || kind === LINK_UP) { const link = `${Math.min(p, this.peer[e])} ${Math.max(p, this.peer[e])}`; if (kind === LINK_DOWN) now.cut.add(link); else now.cut.delete(link); }
      if ((e + 1) % EVERY === 0 && !this.snapshots[(e + 1) / EVERY]) this.snapshots[(e + 1) / EVERY] = { state: [...now.state], down: [...now.down], cut: new Set(now.cut) };
    }
    return now;
  }
  stateName(now, p) { return this.states[now.state[p] ?? this.start(p)] ?? this.summary.start ?? ""; }
  /** The number of events up to and including a time. */
  until(t) {
    let low = 0, high = this.count;
    while (low < high) { const middle = (low + high) >> 1; if (this.time[middle] <= t) low = middle + 1; else high = middle; }
    return low;
  }
  /** The messages that are in transit at a time: number, sender, receiver, label, and the share of the way. */
  flying(t, most = 400) {
    const found = [], k = this.until(t);
    const add = (m, sent) => {
      const got = this.received.get(m), began = this.time[sent];
      const share = got === undefined ? (t - began) / (t - began + this.usual || 1) : (t - began) / (this.time[got] - began || 1);
      found.push({ m, from: this.process[sent], to: this.peer[sent], label: this.label[sent], share: Math.min(0.96, share) });
    };
    // What is on its way now, and what has arrived since; if that is long ago, the latest that had been sent by then.
    if (this.count - k < 20_000) {
      for (const [m, sent] of this.open) if (sent < k && found.length < most) add(m, sent);
      for (let e = k; e < this.count && found.length < most; e++) { const sent = this.sent.get(this.message[e]); if (sent !== undefined && sent < k && this.received.get(this.message[e]) === e) add(this.message[e], sent); }
      return found;
    }
    for (let e = k - 1; e >= 0 && e > k - 20_000 && found.length < most; e--) {
      const m = this.message[e], got = this.received.get(m);
      if (this.sent.get(m) === e && (got === undefined || got >= k)) add(m, e);
    }
    return found;
  }
}
