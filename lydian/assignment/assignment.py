"""An assignment: a folder with a text, a skeleton, and the lecturer's checks.

=============================== ===================================================================================
``assignment.toml``             the title, the files to be handed in, the checks with their points, the limits
``text.md``                     the text for students
``skeleton/``                   the files from which students begin
``lecturer/properties.py``      the properties and measures by which hand-ins are judged
``lecturer/reference/``         a solution
``lecturer/mutants/``           protocols with one planted mistake each
=============================== ===================================================================================

A student's package is the same folder without ``lecturer/`` and without the hidden checks; its properties are in
``properties.py``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lydian.assignment.kinds.kind import Kind
from lydian.assignment.kinds.registry import KINDS
from lydian.assignment.setting import Setting
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.reading import Table, parse_toml, read_text

__all__ = ["ANSWERS", "FILE", "MOST_BYTES", "Assignment", "Check", "Late", "Limits", "is_assignment", "merged", "read"]

FILE, ANSWERS = "assignment.toml", "answers.toml"
#: The largest file of an assignment or of a hand-in, in bytes.
MOST_BYTES = 1_000_000
#: The number of events at which a run of a hand-in is stopped, unless the assignment says otherwise.
MOST_EVENTS = 20_000
_KEYS = ("title", "course", "number", "minutes", "due", "hand_in", "late", "limits", "experiment", "check", "hidden")
_CHECK_KEYS = ("id", "title", "kind", "points", "hidden", "partial", "hint", "experiment")
_NAME = re.compile(r"[A-Za-z][\w.+-]*\.(?:py|toml|md|txt)")


@dataclass(frozen=True)
class Late:
    """The points that a late hand-in loses.

    Attributes:
        points: the points lost for each day that has begun.
        percent: the share of the earned points lost for each day that has begun, in per cent.
        days: the number of days after which a hand-in gets no points; ``None`` for any number.
    """

    points: float = 0.0
    percent: float = 0.0
    days: int | None = None

    def lost(self, points: float, late: timedelta) -> float:
        """Return how many of the earned points a hand-in loses if it is this late."""
        if late <= timedelta():
            return 0.0
        begun = -(-late // timedelta(days=1))
        if self.days is not None and begun > self.days:
            return points
        return min(points, round(begun * (self.points + points * self.percent / 100), 1))


@dataclass(frozen=True)
class Limits:
    """The limits of one check.

    Attributes:
        seconds: the time for it.
        memory: the megabytes that a hand-in may use.
        processes: the fewest processes to which a failing run is shortened.
    """

    seconds: float = 20.0
    memory: int = 1000
    processes: int = 2


@dataclass(frozen=True)
class Check:
    """One check of an assignment.

    Attributes:
        id: a short name, unique in the assignment.
        title: what is checked, in a few words.
        kind: what is done; it has the settings of its kind.
        points: the points for it.
        hidden: whether students see it only with their feedback.
        partial: whether a part of the points is given for a part of the runs.
        hint: a sentence for students whose hand-in fails here.
        experiment: the experiment from which its runs start, as in a file but without a protocol.
        told: the table of the file, from which the check's digest is made.
    """

    id: str
    title: str
    kind: Kind
    points: float
    hidden: bool = False
    partial: bool = True
    hint: str = ""
    experiment: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)

    def earned(self, good: int, of: int) -> float:
        """Return the points for this many good runs, rounded down to tenths."""
        if good >= of or not of:
            return self.points if good >= of else 0.0
        return (round(self.points * 10) * good // of) / 10 if self.partial else 0.0


@dataclass(frozen=True)
class Assignment:
    """An assignment that has been read.

    Attributes:
        folder: its folder.
        title, course, number: what it is called.
        minutes: the estimated time for a student, ``None`` if it is not given.
        due: the deadline, with its time zone; ``None`` for none.
        late: what late hand-ins lose.
        limits: the limits of each check.
        hand_in: the names of the files to be handed in; the first is the protocol.
        experiment: the experiment from which all runs start, as in a file but without a protocol.
        checks: its checks, in order.
        text: the text for students.
        files: the other files of the folder, path -> text.
        withheld: in a student's package, the number of the hidden checks and their points.
    """

    folder: Path
    title: str
    hand_in: tuple[str, ...]
    checks: tuple[Check, ...]
    course: str = ""
    number: int | None = None
    minutes: int | None = None
    due: datetime | None = None
    late: Late = field(default_factory=Late)
    limits: Limits = field(default_factory=Limits)
    experiment: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    withheld: tuple[int, float] = (0, 0.0)

    @property
    def file(self) -> Path:
        """Its file, for errors."""
        return self.folder / FILE

    @property
    def protocol(self) -> str:
        """The name of the file with the student's protocol."""
        return self.hand_in[0]

    @property
    def public(self) -> tuple[Check, ...]:
        """The checks that students see."""
        return tuple(each for each in self.checks if not each.hidden)

    @property
    def hidden(self) -> tuple[int, float]:
        """The number of the hidden checks, and their points."""
        own = [each.points for each in self.checks if each.hidden]
        return self.withheld[0] + len(own), round(self.withheld[1] + sum(own), 1)

    @property
    def most(self) -> float:
        """The points of all checks."""
        return round(sum(each.points for each in self.checks) + self.withheld[1], 1)

    @property
    def properties(self) -> str:
        """The text of the lecturer's properties; "" if there are none."""
        return self.files.get("lecturer/properties.py", self.files.get("properties.py", ""))

    @property
    def skeleton(self) -> dict[str, str]:
        """The files from which students begin, name -> text."""
        found = {name: self.files.get(f"skeleton/{name}", "") for name in self.hand_in}
        return {name: text for name, text in found.items() if text}

    @property
    def reference(self) -> dict[str, str]:
        """The lecturer's solution, name -> text; empty in a student's package."""
        found = {name: self.files.get(f"lecturer/reference/{name}", "") for name in self.hand_in}
        return {name: text for name, text in found.items() if text}

    def check(self, id: str) -> Check:
        """Return the check with this short name.

        Raises:
            BadInput: there is none.
        """
        for each in self.checks:
            if each.id == id:
                return each
        known = [each.id for each in self.checks]
        raise BadInput(
            f"unknown check {shown(id)}{did_you_mean(id, known)}; choose from {', '.join(known)}", file=self.file
        )

    def digest(self, check: Check) -> str:
        """Return a digest of everything that determines the marks of a check, except the hand-in."""
        used = {name: self.files[name] for name in sorted(self.files) if check.kind.uses(name)}
        told = [check.told, check.experiment, self.properties, used, self.limits.seconds, self.limits.memory]
        return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]

    @property
    def package(self) -> str:
        """The digest of what students were given."""
        secret = ("answer", "tolerance", "ask", "text")  # the text may be generated from the solution
        checks = [{key: value for key, value in each.told.items() if key not in secret} for each in self.public]
        told = [self.text, self.skeleton, checks, self.hand_in]
        return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]

    def base(self, check: Check) -> Experiment:
        """Return the experiment from which the runs of a check start, with the student's file as its protocol.

        Raises:
            BadInput: it cannot be used.
        """
        data = {"network": "complete:3", "stop": {}, **check.experiment, "protocol": self.protocol}
        data["stop"] = {"events": MOST_EVENTS, **data["stop"]}
        try:
            experiment = from_dict({"name": check.id, **data})
        except BadInput as error:
            place = f"check {check.id}, experiment" + (f".{error.place}" if error.place else "")
            raise BadInput(error.what, file=self.file, place=place) from None
        return experiment.with_(path=self.file, written=False)

    def setting(
        self,
        check: Check,
        files: Mapping[str, str],
        answers: Mapping[str, Any],
        tell: Callable[[int, int], object],
        stopped: Callable[[], bool],
    ) -> Setting:
        """Return what a check needs to judge a hand-in; the arguments are as for :class:`Setting`."""
        seed = check.experiment.get("seed")
        return Setting(
            check=check.id, protocol_name=self.protocol, base=self.base(check), given=self.files,
            properties=self.properties, reference=self.reference.get(self.protocol, ""), files=files, answers=answers,
            seed=seed if isinstance(seed, int) else None, seconds=self.limits.seconds, tell=tell, stopped=stopped,
        )  # fmt: skip


def is_assignment(path: Path | str) -> bool:
    """Return True if a path is the folder of an assignment, or its file."""
    path = Path(path)
    return (path.name == FILE and path.is_file()) or (path.is_dir() and (path / FILE).is_file())


def read(folder: Path | str) -> Assignment:
    """Return the assignment in a folder.

    Raises:
        BadInput: names the file and the place in it.
    """
    folder = Path(folder)
    folder = folder.parent if folder.name == FILE else folder
    file = folder / FILE
    if folder.is_dir() and not file.exists():
        raise BadInput(f"this folder has no {FILE}; lydian new assignment NAME creates one", file=folder)
    text = read_text(file, "an assignment", MOST_BYTES)
    files = _files(folder)
    top = Table(parse_toml(text, file), _KEYS, file=file)
    hand_in = top.get("hand_in", list, [])
    if not hand_in or not all(isinstance(each, str) and _NAME.fullmatch(each) for each in hand_in):
        raise top.bad("hand_in", 'must list the files to be handed in, the protocol first: hand_in = ["mutex.py"]')
    if not hand_in[0].endswith(".py"):
        raise top.bad("hand_in", f"the first file must be the protocol, a Python file, not {shown(hand_in[0])}")
    limits = Table(top.data.get("limits", {}), ("seconds", "memory", "processes"), file=file, place="limits")
    late = Table(top.data.get("late", {}), ("points", "percent", "days"), file=file, place="late")
    withheld = Table(top.data.get("hidden", {}), ("checks", "points"), file=file, place="hidden")
    found = Assignment(
        folder=folder,
        title=top.need("title", str, 'title = "Mutual exclusion"'),
        hand_in=tuple(dict.fromkeys(hand_in)),
        checks=(),
        course=top.get("course", str, ""),
        number=top.get("number", int),
        minutes=top.get("minutes", int),
        due=_due(top),
        late=Late(late.number("points", 0.0), late.number("percent", 0.0), late.get("days", int)),
        limits=Limits(
            limits.number("seconds", Limits.seconds) or Limits.seconds,
            limits.whole("memory", Limits.memory, least=100),
            limits.whole("processes", Limits.processes, least=1),
        ),
        experiment=_experiment(top),
        text=files.get("text.md", ""),
        files=files,
        withheld=(withheld.whole("checks", 0), withheld.number("points", 0.0)),
    )  # fmt: skip
    checks: list[Check] = []
    for place, data in top.tables("check"):
        check = _check(data, found, file, place)
        if check.id in [each.id for each in checks]:
            raise BadInput(f"two checks have the id {shown(check.id)}; rename one of them", file=file, place=place)
        checks.append(check)
    if not checks:
        raise BadInput("it has no checks; add one that begins with [[check]]", file=file)
    found = replace(found, checks=tuple(checks))
    for each in checks:
        found.base(each)
    return found


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table whose entries come from ``above``, or else from ``below``; tables in it are merged as well."""
    both = {
        key: merged(below[key], value) if isinstance(value, Mapping) and isinstance(below.get(key), Mapping) else value
        for key, value in above.items()
    }
    return {**below, **both}


def _check(data: Any, assignment: Assignment, file: Path, place: str) -> Check:
    """Read one check."""
    if not isinstance(data, Mapping):
        raise BadInput(f"must be a table, not {shown(data)}", file=file, place=place)
    word = data.get("kind")
    if not isinstance(word, str) or word not in KINDS:
        hint = did_you_mean(word, KINDS) if isinstance(word, str) else ""
        raise BadInput(f"unknown kind {shown(word)}{hint}; choose from {', '.join(KINDS)}", file=file, place=place)
    kind = KINDS[word]
    table = Table(data, (*_CHECK_KEYS, *kind.keys), file=file, place=place)
    id = table.need("id", str, 'id = "safety"')
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", id):
        raise table.bad("id", f"must consist of lower-case letters, digits and -, not {shown(id)}")
    points = table.number("points", 0.0, what="a number of points that is not negative")
    if round(points * 10) != points * 10:
        raise table.bad("points", f"must be a multiple of 0.1, not {points:g}")
    return Check(
        id=id,
        title=table.need("title", str, 'title = "Never two in the critical section"'),
        kind=kind.read(table, assignment.files),
        points=points,
        hidden=table.get("hidden", bool, False),
        partial=table.get("partial", bool, True),
        hint=table.get("hint", str, ""),
        experiment=merged(assignment.experiment, _experiment(table)),
        told=dict(data),
    )


def _experiment(table: Table) -> dict[str, Any]:
    found: dict[str, Any] = table.get("experiment", dict, {})
    if "protocol" in found:
        raise table.bad("experiment.protocol", "leave it out; the protocol is the file that is handed in")
    return found


def _due(top: Table) -> datetime | None:
    due = top.data.get("due")
    if due is None:
        return None
    if not isinstance(due, datetime) or due.tzinfo is None:
        what = "must be a date and time with its offset, such as 2026-11-27T18:00:00+01:00"
        raise top.bad("due", f"{what}, not {shown(str(due))}")
    return due


def _files(folder: Path) -> dict[str, str]:
    """Return the texts in the folder of an assignment, path -> text, without its own file."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        hidden = any(part.startswith((".", "__pycache__")) for part in name.parts)
        if hidden or path.name == FILE or len(name.parts) > 4 or not path.is_file():
            continue
        if path.suffix not in (".py", ".md", ".toml", ".json", ".txt", ".csv") or path.stat().st_size > MOST_BYTES:
            continue
        try:
            found[name.as_posix()] = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise BadInput("this is not text in UTF-8", file=path) from None
        except OSError as error:
            raise BadInput(f"cannot be read ({(error.strerror or str(error)).lower()})", file=path) from None
    return found
