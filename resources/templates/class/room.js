// What the page knows of the class: the latest frame of each kind, the stories, the run, and the connection.

import { Run } from "./run.js";
import { Socket } from "./socket.js";

/** @type {Record<string, any>} */
export const room = {
  connection: "connecting", doorway: null, welcome: null, now: null, people: null, seat: null, stories: [], question: null, questions: new Map(), answered: new Map(), histogram: null,
  run: null, stages: [], figures: [], connected: 0, sealed: null, ended: "", removed: false, refused: "", hand: false, received: 0, asked: 0, told: "",
};
/** How many frames of the run have been received. */
export const position = () => received;
let received = 0, players = new Map(), last = 0;
/** The least time between two pictures of a page that shows everything, in milliseconds. */
const PAUSE = /^\/(screen|host)/.test(location.pathname) ? 90 : 0;
const listeners = new Set();
let socket = null, next = 1, queued = false, first = () => [];
const waiting = new Map();

/** What the game draws at a time, if it is known: the moves of a round happen at its beginning. */
export function stageAt(t) {
  const all = room.stages, i = all.findLastIndex((each) => each.time <= t + 1e-9);
  if (i < 0) return null;
  const next = all[i + 1];
  return next && t > all[i].time + 0.4 * (next.time - all[i].time) ? next : all[i];
}

/** Call a function after each change, at most once a frame. */
export const watch = (call) => { listeners.add(call); return () => listeners.delete(call); };
export function changed() {
  if (queued) return;
  queued = true;
  // A page in the background gets no frames, so it is brought up to date by a timer.
  const run = () => { if (!queued) return; queued = false; last = performance.now(); for (const call of [...listeners]) call(); };
  const wait = Math.max(0, last + PAUSE - performance.now());
  if (!wait && document.visibilityState === "visible") requestAnimationFrame(run);
  setTimeout(run, Math.max(wait, 60));
}

/** The seconds that are left of the round, by now. */
export function left() {
  const now = room.now;
  if (!now || now.left === null || now.left === undefined) return null;
  return Math.max(0, now.paused || now.phase !== "open" ? now.left : now.left - (performance.now() - room.received) / 1000);
}
/** The seconds that are left to answer the question. */
export function answerLeft() {
  const given = room.question?.left;
  return given === null || given === undefined ? null : Math.max(0, given - (performance.now() - room.asked) / 1000);
}
export const me = () => room.welcome?.person;
export const isHost = () => room.welcome?.role === "host";
export const looks = () => room.welcome?.looks ?? {};

const APPLY = {
  doorway(frame) { room.doorway = frame; },
  welcome(frame) {
    if (room.welcome && room.welcome.run !== frame.run) { received = 0; room.run = null; } // the host has been resumed
    room.run?.arrange(frame.processes);
    room.welcome = frame; room.connected++; room.refused = ""; room.ended = "";
  },
  room(frame) {
    if (room.now && (room.now.round !== frame.round || frame.phase === "door") && room.sealed?.round !== frame.round) room.sealed = null;
    if (room.now && frame.phase === "open" && room.now.phase !== "open" && room.sealed?.round !== frame.round) room.sealed = null;
    if (room.now && room.now.act === frame.act && frame.round < room.now.round) room.stories = room.stories.filter((each) => each.round <= frame.round);
    if (frame.question && frame.question.number !== room.question?.number) { room.question = { left: null, choices: [], ...frame.question }; room.questions.set(frame.question.number, room.question); room.asked = performance.now(); }
    if (room.question && !frame.question && room.histogram?.number !== room.question.number) room.question = null;
    if (frame.stage?.kind) { // the pictures at the ends of rounds, the present one last
      const past = frame.stage.before, earliest = past?.time ?? frame.stage.time;
      room.stages = [...room.stages.filter((each) => each.time < earliest), ...(past ? [{ ...frame.stage, ...past }] : []), frame.stage].slice(-500);
    } else room.stages = [];
    room.now = frame; room.received = performance.now();
  },
  people(frame) { room.people = frame; players = new Map(frame.people.filter((each) => each.process !== null).map((each) => [each.process, each])); },
  figures(frame) { room.figures = frame.people; },
  seat(frame) {
    room.seat = frame;
    if (room.welcome) room.welcome.process = frame.process;
    if (frame.chosen) room.sealed = { round: frame.round, offer: frame.chosen, value: frame.value };
    else if (room.sealed && room.sealed.round !== frame.round) room.sealed = null;
  },
  story(frame) { room.stories = [...room.stories.filter((each) => each.round !== frame.round || each.text !== frame.text), frame].slice(-200); },
  question(frame) { room.question = frame; room.questions.set(frame.number, frame); room.asked = performance.now(); if (room.histogram && room.histogram.number !== frame.number) room.histogram = null; },
  histogram(frame) {
    room.histogram = frame;
    if (frame.mine !== null && frame.mine !== undefined) room.answered.set(frame.number, frame.mine);
  },
  begun(frame) { received++; room.run = new Run(frame, room.welcome?.processes ?? []); },
  round(frame) { received++; room.run?.add(frame); },
  dropped(frame) { received++; room.run?.drop(frame.first); },
  answer(frame) { waiting.get(frame.id)?.(frame); waiting.delete(frame.id); },
  error(frame) { if (!room.welcome) room.refused = frame.text; else room.told = frame.text; },
  bye(frame) { room.ended = frame.reason || "over"; room.removed = frame.removed === true; socket?.close(); },
};

/** Connect to the host; `opening` returns the frames with which each connection begins. */
export function connect(opening) {
  first = opening;
  socket = new Socket({
    opened: () => first(),
    idle: () => !room.welcome && !room.waiting,
    frame(frame) { if (Object.hasOwn(APPLY, frame.kind)) { APPLY[frame.kind](frame); changed(); } },
    changed(state) {
      room.connection = state;
      if (state !== "open" && state !== "connecting") { for (const call of waiting.values()) call({ accepted: false, reason: "" }); waiting.clear(); }
      changed();
    },
  });
}
/** Stop for good, and say so to the host. */
export function leave() { socket?.send({ kind: "bye", reason: "" }); socket?.close(); }
export const send = (frame) => socket?.send(frame) ?? false;
/** Begin the conversation again, on a new connection if there is none. */
export function again() {
  if (socket?.state === "open") for (const frame of first()) send(frame);
  else { if (socket) socket.wait = 400; socket?.connect(); }
}
/** Send a frame that is answered; return the answer. */
export function ask(frame) {
  const id = next++;
  return new Promise((done) => {
    waiting.set(id, done);
    if (!send({ ...frame, id })) { waiting.delete(id); done({ accepted: false, reason: "" }); }
  });
}
/** Do something as the host; what is wrong is shown. */
export async function lead(what, given = {}) {
  const answer = await ask({ kind: "lead", do: what, what: given });
  if (!answer.accepted && answer.reason) { room.told = answer.reason; changed(); }
  return answer;
}
/** Who plays a process, for the host and the screen. */
export const playerOf = (process) => players.get(process) ?? null;
