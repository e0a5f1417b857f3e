"""A class that has handed in mutual exclusion: protocols with a planted mistake, their failing runs, and results as the
marking writes them, for as many students as wanted.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import loads
from lydian.trace.handin import hand_in

SOURCE = '''"""Mutual exclusion by permissions."""

from lydian import ANY, INIT, Message, Process, Timer, always, eventually, on, states

RELEASED, WANTED, HELD = states(
    "released", "wanted", "held",
    reads={"released": "is outside", "wanted": "wants in", "held": "is in the critical section"},
)


class Request(Message):
    """The sender wants in, since this clock."""

    clock: int


class Reply(Message):
    """The sender lets the receiver in."""


class Work(Timer):
    """The time at which the process leaves the critical section."""


class Mutex(Process):
    title = "Mutual exclusion"
    state = RELEASED
    now: int = 0
    asked: int = 0
    missing: set[str] = set()
    deferred: list[str] = []

    @on(RELEASED, INIT)
    def want(self):
        """It asks all others."""
        self.state = WANTED
        self.now += 1
        self.asked = self.now
        self.missing = set(self.neighbours)
        for q in self.neighbours:
            self.send(Request(self.asked), to=q)

    @on(ANY, Request)
    def requested(self, m, q):
        """It answers, or defers its answer."""
        self.now = max(self.now, m.clock) + 1
        if self.mine_first(m, q):
            self.deferred.append(q)
        else:
            self.send(Reply(), to=q)

    @on(WANTED, Reply)
    def permitted(self, m, q):
        """It needs one permission less."""
        self.missing.discard(q)
        if not self.missing:
            self.state = HELD
            self.set_timer(Work(), after=2)

    @on(HELD, Work)
    def leave(self):
        """It leaves and answers all processes that wait."""
        self.state = RELEASED
        for q in self.deferred:
            self.send(Reply(), to=q)
        self.deferred = []

    def mine_first(self, m, q):
        mine = (self.asked, self.me) < (m.clock, q)
        return self.state == HELD or (self.state == WANTED and mine)


@always("at most one process is in the critical section")
def exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes)
'''
FILE = "mutex.py"
ASSIGNMENT = {
    "title": "Mutual exclusion", "course": "Distributed algorithms", "number": 3, "most": 20.0,
    "due": "2026-11-27T18:00:00+01:00",
}  # fmt: skip
#: id, title, kind, hidden, points, runs
CHECKS = (
    ("runs", "It runs", "runs", False, 2.0, 20),
    ("safety", "Never two in the critical section", "property", False, 4.0, 200),
    ("served", "Who asks gets in", "property", False, 4.0, 200),
    ("messages", "2(n − 1) messages for an entry", "formula", False, 2.0, 14),
    ("schedules", "All schedules of 3 processes", "schedules", True, 3.0, 1),
    ("order", "In the order of asking", "property", True, 2.0, 100),
    ("own", "Your properties catch planted mistakes", "mutants", True, 2.0, 5),
    ("question-2", "Question 2: messages for 5 entries on 9 processes", "question", False, 1.0, 1),
)
MISSED = (
    "It answers while it is in the critical section.", "It never answers a process whose request it deferred.",
    "It does not compare clocks.", "It asks only one neighbour.", "It enters without asking.",
)  # fmt: skip


@dataclass(frozen=True)
class Mistake:
    """A planted mistake: what is replaced in the text, the check that fails most, and what is said about it."""

    alike: str
    old: str
    new: str
    check: str
    sentence: str
    hint: str
    shares: dict[str, float]
    delay: str = "constant(1)"
    seed: int = 1


MISTAKES = (
    Mistake(
        "7e1", "        mine = (self.asked, self.me) < (m.clock, q)\n", "        mine = self.asked < m.clock\n",
        "safety",
        "Processes 1 and 2 are in the critical section together.", "Compare pairs of clock and name.",
        {"safety": 0.93, "schedules": 0.0, "order": 0.9},
    ),
    Mistake(
        "a02", "self.state == HELD or (self.state == WANTED and mine)", "self.state == WANTED and mine", "safety",
        "Processes 1 and 2 are in the critical section together.", "", {"safety": 0.3, "schedules": 0.0, "order": 0.55},
        "uniform(0.5, 3)", 72,
    ),
    Mistake(
        "c33", "        for q in self.deferred:\n            self.send(Reply(), to=q)\n", "", "served",
        "Process 2 waits for ever.", "Whom did it let wait?", {"served": 0.06, "schedules": 0.0, "order": 0.2},
    ),
)  # fmt: skip
_NAMES = (
    "Adeyemi, Tolu", "Bauer, Klara", "Castillo, Mateo", "Dimitrov, Ivo", "Eriksen, Liv", "Fontaine, Jules",
    "Garcia, Lucía", "Haddad, Rami", "Ito, Naoki",
    "Jansen, Femke", "Kowalski, Ola", "Lindqvist, Nils", "Moreau, Inès", "Novak, Petra",
    "Okafor, Ines", "Petrov, Daniil", "Quispe, Rosa", "Rossi, Marta", "Sato, Hana", "Tanaka, Ren", "Usman, Bilal",
)  # fmt: skip


def source_with(mistake: Mistake | None) -> str:
    """Return the protocol with a mistake."""
    if mistake is None:
        return SOURCE
    assert SOURCE.count(mistake.old) == 1
    return SOURCE.replace(mistake.old, mistake.new)


def run_with(mistake: Mistake, path: Path, name: str = "mutex") -> None:
    """Write the hand-in file of the shortest run that shows a mistake."""
    folder = path.parent / f"made-{path.stem}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(source_with(mistake), encoding="utf-8")
    file = folder / "mutex.toml"
    text = (
        f'name = "mutex"\nprotocol = "./{name}.py"\nseed = {mistake.seed}\n'
        f'[timing]\ndelay = "{mistake.delay}"\ninitiators = "all"\n[stop]\nviolation = true\n'
        '[network]\nnodes = [{id = "1"}, {id = "2"}]\nlinks = [{source = "1", target = "2"}]\n'
    )
    file.write_text(text, encoding="utf-8")
    experiment = loads(text, file, folder)
    hand_in(path, experiment, Simulator(experiment.resolve()).run().trace)


def failure_of(mistake: Mistake, run: str) -> dict[str, Any]:
    """Return a failure as a result contains it."""
    lines = source_with(mistake).splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "def mine_first" in text) + 1
    if mistake.check == "served":
        line = next(number for number, text in enumerate(lines, 1) if "def leave" in text)
    names = {"safety": "at most one process is in the critical section", "served": "every request is served"}
    return {
        "sentence": mistake.sentence, "why": "", "kind": "always", "name": names[mistake.check], "file": FILE,
        "line": line, "function": "mine_first",
        "lines": [[at, lines[at - 1]] for at in range(line - 1, line + 2)], "note": "",
        "moments": [], "before": {"events": 1038, "messages": 400, "processes": 9, "links": 36, "given": 9},
        "after": {"events": 10, "messages": 4, "processes": 2, "links": 1, "given": 0}, "complete": True, "run": run,
        "alike": mistake.alike,
    }  # fmt: skip


def result_of(
    student: str, mistake: Mistake | None, run: str = "", *, properties: int = 5, answer: bool = True, late: float = 0.0
) -> dict[str, Any]:
    """Return the result of a hand-in as the marking writes it."""
    checks = []
    for name, title, kind, hidden, most, runs in CHECKS:
        share = mistake.shares.get(name, 1.0) if mistake else 1.0
        share = {"own": properties / 5, "question-2": float(answer)}.get(name, share)
        good = int(share * runs)
        fails = mistake is not None and name in mistake.shares
        words = f"{good} of {runs} {'mistakes caught' if kind == 'mutants' else 'runs'}"
        words = ("80" if answer else "72, not 80") if kind == "question" else words
        if kind == "schedules":
            words = "all 2,875 of them" if share == 1 else "one fails, after 10 steps at the earliest"
        checks.append({
            "id": name, "title": title, "kind": kind, "hidden": hidden, "points": int(10 * most * share + 1e-9) / 10,
            "most": most, "state": "full" if share == 1 else "partly" if good and kind != "question" else "failed",
            "words": words, "good": good, "of": runs, "hint": mistake.hint if fails and mistake else "",
            "failure": failure_of(mistake, run if name == mistake.check else "") if fails and mistake else None,
            "missed": list(MISSED[properties:]) if kind == "mutants" else [],
        })  # fmt: skip
    lost = 1.0 if late else 0.0
    words = student.lower().replace(",", "").split()
    return {
        "format": 1, "version": "0.2.0", "assignment": ASSIGNMENT["title"], "digest": "d1", "id": "-".join(words),
        "student": student, "source": f"{'-'.join(words)}.lydian", "handed_in": "2026-11-26T17:42:00+01:00",
        "late": {"hours": late, "lost": lost} if late else None, "state": "marked", "reason": "",
        "points": max(0.0, round(sum(check["points"] for check in checks) - lost, 1)), "most": 20.0, "checks": checks,
        "answers": {"question-2": 80 if answer else 72}, "files": {FILE: source_with(mistake)},
        "fingerprint": "7f3a91c0e25d",
    }  # fmt: skip


def not_run(student: str, reason: str) -> dict[str, Any]:
    """Return the result of a hand-in that could not be marked."""
    result = result_of(student, None)
    return {**result, "state": "not run", "reason": reason, "points": 0.0, "checks": [], "answers": {}}


def classroom(folder: Path, size: int, *, seed: int = 1) -> dict[str, Any]:
    """Write the runs of a class into a folder, and return what ``grades.json`` contains about it."""
    dice = random.Random(seed)
    made = {}
    for mistake in MISTAKES:
        made[mistake.alike] = f"runs/{mistake.alike}/{mistake.check}.lydian"
        path = folder / made[mistake.alike]
        path.parent.mkdir(parents=True, exist_ok=True)
        run_with(mistake, path)
    results = []
    for number in range(size):
        name = _NAMES[number % len(_NAMES)] + (f" {number // len(_NAMES) + 1}" if number >= len(_NAMES) else "")
        kind = dice.choices((*MISTAKES, None, "stopped"), (61, 34, 28, 140, 12))[0]
        if kind == "stopped":
            results.append(not_run(name, "stopped: endless loop in `want`, 10 s"))
            continue
        run = made[kind.alike] if kind else ""
        late = dice.choice((0.0,) * 20 + (3.2,))
        results.append(
            result_of(name, kind, run, properties=dice.choice((1, 2, 3, 5, 5)), answer=dice.random() < 0.8, late=late)
        )
    groups = []
    for mistake in MISTAKES:
        ids = [result["id"] for result in results if mistake.alike in _alike(result)]
        if ids:
            groups.append({
                "alike": mistake.alike, "check": mistake.check, "sentence": mistake.sentence, "processes": 2,
                "events": 10, "ids": ids, "run": made[mistake.alike],
            })  # fmt: skip
    groups.sort(key=lambda group: -len(group["ids"]))
    couples = zip(results[0:14:2], results[1:14:2], strict=False)
    pairs = [{"a": a["id"], "b": b["id"], "share": 0.93} for a, b in couples]
    checks = [
        {"id": name, "title": title, "most": most, "hidden": hidden, "kind": kind}
        for name, title, kind, hidden, most, _ in CHECKS
    ]
    about = {**ASSIGNMENT, "checks": checks, "skeleton": {FILE: SOURCE.partition("    @on(RELEASED")[0]}}
    return {"assignment": about, "hand_ins": results, "groups": groups, "pairs": pairs}


def _alike(result: dict[str, Any]) -> set[str]:
    return {check["failure"]["alike"] for check in result["checks"] if check["failure"]}
