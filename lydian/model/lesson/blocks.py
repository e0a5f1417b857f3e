"""The fenced blocks of a lesson: the keys of each, and their errors.

=============  ========================================================================================
``lesson``     before the first step: ``level`` (introductory, intermediate, advanced); ``chapter``, the key of
               a family of the archive, by default that of the first protocol; ``picture``, an experiment,
               by default the first one
``experiment`` ``name`` (of the archive, or a file beside the lesson); or ``protocol`` and ``network``;
               by default the current experiment; ``network``, ``seed``, ``set``, ``delay``, ``until``,
               ``timing``, ``faults``, ``workload``, ``daemon``, ``start``, ``flight``; ``layout`` (watch,
               study, debug), ``view`` (a view's name or several), ``live``, ``play``, ``fly``
``do``         ``say``; ``kind`` (``"crash"``, ``["link_down", "crash"]``, ``"partition"``), with ``process``,
               ``link``, ``variable``, ``label``, ``groups``; ``example``, an interference that is accepted; or
               ``wait``: ``"end"``, ``"time 5"``, ``"violated: NAME"``, ``"selected 3"``
``predict``    ``question``; ``kind`` (number, process, choice, text); ``expect`` (a value, or an expression
               over the run: :mod:`lydian.model.lesson.values`); ``choices``; ``tolerance`` (2, or "5%");
               ``why``; ``show`` (``"time 6"``, ``"process 9"``, ``"first Ack"``, ``"violated: NAME"``)
``question``   ``from = "run"``: a question that is generated from the run, of a ``kind`` (concurrent, cut, next:
               ``lydian quiz --help`` lists them) and a ``seed``
``expect``     ``property`` with ``holds`` (true); or ``that``, a comparison; ``say``
=============  ========================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.experiment.flight import read_flight
from lydian.model.interventions import KINDS, Intervention
from lydian.model.interventions.keys import GROUPS
from lydian.model.lesson.values import Expression
from lydian.model.network import Network
from lydian.model.network.shape import joined
from lydian.model.reading import Problem, Table, parse_toml
from lydian.model.viewnames import PLACES
from lydian.plugins import load

__all__ = [
    "ANSWERS",
    "BLOCKS",
    "LAYOUTS",
    "LEVELS",
    "About",
    "Action",
    "Drawn",
    "Expectation",
    "Graded",
    "Moment",
    "Question",
    "Setting",
    "grade",
    "read_block",
]  # fmt: skip

BLOCKS = ("lesson", "experiment", "do", "predict", "question", "expect")
#: The levels of lessons, from the easiest.
LEVELS = ("introductory", "intermediate", "advanced")
#: The kinds of answers.
ANSWERS = ("number", "process", "choice", "text")
#: The layouts of the window.
LAYOUTS = ("watch", "study", "debug")
#: The names that are permitted in addition to those of views.
LISTS = ("trace", "checks", "experiment", "clocks")
#: The keys of a setting that change the experiment, with the same meaning as in an experiment's file.
_EXPERIMENT = (
    "protocol", "network", "seed", "timing", "faults", "workload", "interventions", "traffic", "churn", "mobility",
    "daemon", "start", "stop", "animation", "flight",
)  # fmt: skip
_ABOUT = ("level", "chapter", "picture")
_SETTING = ("name", *_EXPERIMENT, "set", "delay", "until", "layout", "view", "live", "play", "fly")
_ACTION = ("say", "kind", "process", "link", "variable", "label", "groups", "example", "wait")
_QUESTION = ("question", "kind", "expect", "choices", "tolerance", "why", "show", "unit")
_DRAWN = ("from", "kind", "seed")
_EXPECTATION = ("property", "holds", "that", "say")


@dataclass(frozen=True)
class Moment:
    """A moment of a run: ``what`` is end, start, time, process, first, violated or selected; ``of`` is its object."""

    what: str
    of: str = ""


@dataclass(frozen=True)
class About:
    """The place of a lesson in a course; empty texts if its file does not give it.

    Attributes:
        line: the line of the block.
        level: one of :data:`LEVELS`.
        chapter: the key of a family of the archive.
        picture: the experiment in the archive whose picture illustrates the lesson.
    """

    line: int = 1
    level: str = ""
    chapter: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Setting:
    """The experiment that runs from a step on, and how it is shown.

    Attributes:
        name: an experiment in the archive, or empty.
        changes: keys of an experiment's file and their values.
        layout, views: how the window shows it; empty for no change.
        live: whether it is a live run from the beginning; play: whether it plays at once; fly: whether its guided
            flight begins at once.
    """

    line: int
    name: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    layout: str = ""
    views: tuple[str, ...] = ()
    live: bool = False
    play: bool = False
    fly: bool = False


@dataclass(frozen=True)
class Action:
    """The thing for which the program waits: an interference of one of ``kinds``, or a moment of the run.

    ``process``, ``link``, ``variable``, ``label`` and ``groups`` (the sides of a partition) restrict it further.
    ``example`` is carried out if the learner asks for it, and when the lesson is played automatically.
    """

    line: int
    say: str = ""
    kinds: tuple[str, ...] = ()
    process: str | None = None
    link: tuple[str, str] | None = None
    variable: str | None = None
    label: str | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    example: tuple[Intervention, ...] = ()
    wait: Moment | None = None

    def fits(self, done: Intervention) -> bool:
        """Return True if an interference is the one that is waited for."""
        return (
            done.do in self.kinds
            and (self.process is None or done.process == self.process)
            and (self.link is None or (done.link is not None and set(done.link) == set(self.link)))
            and (self.variable is None or done.variable == self.variable)
            and (self.label is None or done.label == self.label)
            and (not self.groups or _same_sides(self.groups, done.groups))
        )

    def met(self, done: Sequence[Intervention], network: Network, down: Iterable[tuple[str, str]] = ()) -> bool:
        """Return True if the interferences of one gesture are what is waited for.

        A line that cuts all links between two sides is a partition, and restoring links heals one.

        Args:
            done: the interferences.
            network: the network of the run.
            down: the links that were down before, or are down after, the gesture.
        """
        if any(self.fits(each) for each in done):
            return True
        cut, restored = ({frozenset(each.link) for each in done if each.do == do} for do in ("link_down", "link_up"))
        gone = ({frozenset(link) for link in down} | cut) - restored
        index = network.index
        pairs = [(index[link.a], index[link.b]) for link in network.links]
        up = [frozenset((link.a, link.b)) not in gone for link in network.links]
        left = [pair for pair, there in zip(pairs, up, strict=True) if there]
        parts = joined(network.n, left)[0]
        if "heal" in self.kinds and restored:
            return len(parts) == len(joined(network.n, pairs)[0])
        if "partition" not in self.kinds or not cut:
            return False
        sides = {index[name]: number for number, group in enumerate(self.groups) for name in group if name in index}
        apart = all(len({sides.get(each, -1) for each in part}) == 1 for part in parts)
        return len(parts) > len(joined(network.n, pairs)[0]) and (apart or not self.groups)


def _same_sides(some: tuple[tuple[str, ...], ...], others: tuple[tuple[str, ...], ...]) -> bool:
    """Return True if two partitions separate the same processes; those in no group form another one."""
    every = {name for groups in (some, others) for group in groups for name in group}

    def sides(groups: tuple[tuple[str, ...], ...]) -> set[frozenset[str]]:
        rest = every.difference(*groups)
        return {frozenset(group) for group in (*groups, rest) if group}

    return sides(some) == sides(others)


@dataclass(frozen=True)
class Question:
    """A question that is asked before a run.

    Attributes:
        kind: one of :data:`ANSWERS`.
        expect: the answer itself, several right ones, or the text of an expression; ``None``: there is no right answer.
        choices: the possible choices.
        tolerance: the permitted deviation of a number; a fraction of the right one if ``relative``.
        why: the explanation shown with the result; show: the moments that "Show why" goes to.
        unit: the unit after the field for a number.
    """

    line: int
    question: str
    kind: str
    expect: Any = None
    choices: tuple[str, ...] = ()
    tolerance: float = 0.0
    relative: bool = False
    why: str = ""
    show: tuple[Moment, ...] = ()
    unit: str = ""


@dataclass(frozen=True)
class Drawn:
    """A question that is generated from the run, by its kind and seed (:mod:`lydian.views.questions`)."""

    line: int
    kind: str
    seed: int = 1


@dataclass(frozen=True)
class Expectation:
    """The required result of the run: a property that is satisfied or violated, or a comparison that is true."""

    line: int
    property: str = ""
    holds: bool = True
    that: str = ""
    say: str = ""


def read_block(
    kind: str, text: str, line: int
) -> tuple[About | Setting | Action | Question | Drawn | Expectation | None, list[Problem]]:
    """Return the content of a block, and its errors.

    Args:
        kind: one of :data:`BLOCKS`.
        text: the TOML inside.
        line: the line of its fence in the file.
    """
    try:
        data = parse_toml(text)
        return _READERS[kind](data, line), []
    except BadInput as error:
        where = re.search(r"line (\d+)", error.place or "")
        at = line + int(where[1]) if where else line + _line_of(text, error)
        place = "" if where or not error.place else f"{error.place}: "
        return None, [Problem(at, f"{place}{error.what}")]


def _line_of(text: str, error: BadInput) -> int:
    """Return the line of a block that an error is about, from 1; 0 for its fence."""
    unknown = re.match(r"unknown key '([^']+)'", error.what)
    key = unknown[1] if unknown else re.split(r"[.\[]", error.place or "")[0]
    for number, each in enumerate(text.splitlines(), 1):
        if key and re.match(rf"\s*\[*\s*[\"']?{re.escape(key)}\b", each):
            return number
    return 0


def _about(data: dict[str, Any], line: int) -> About:
    table = Table(data, _ABOUT)
    level = table.get("level", str, "")
    if level and level not in LEVELS:
        hint = did_you_mean(level, LEVELS) or f"; choose from {', '.join(LEVELS)}"
        raise table.bad("level", f"unknown level {shown(level)}{hint}")
    return About(line, level, table.get("chapter", str, ""), table.get("picture", str, ""))


def _setting(data: dict[str, Any], line: int) -> Setting:
    table = Table(data, _SETTING)
    changes = {key: data[key] for key in _EXPERIMENT if key in data}
    for key in ("protocol", "animation"):
        table.get(key, str)
    if "set" in table:
        changes["parameters"] = table.get("set", dict)
    if "delay" in table:
        changes["timing"] = {**changes.get("timing", {}), "delay": data["delay"]}
    if "until" in table:
        changes["stop"] = {**changes.get("stop", {}), "until": table.number("until")}
    layout = table.get("layout", str, "")
    if layout and layout not in LAYOUTS:
        raise table.bad("layout", f"unknown layout {shown(layout)}; choose from {', '.join(LAYOUTS)}")
    views = _texts(table, "view", "causality")
    for each in views:
        if each not in (*PLACES, *LISTS):
            load("lydian.views")
        if each not in (known := (*PLACES, *LISTS)):
            hint = did_you_mean(each, known) or f"; choose from {', '.join(known)}"
            raise table.bad("view", f"unknown view {shown(each)}{hint}")
    name = table.get("name", str, "")
    if name and "protocol" in table:
        raise table.bad("protocol", "a named experiment already has its protocol; leave out one of the two")
    read_flight(table.tables("flight"))
    live, play, fly = (table.get(key, bool, False) for key in ("live", "play", "fly"))
    if fly and (live or play):
        raise table.bad("fly", "a guided flight plays the run itself; leave out live and play")
    if not data:
        raise BadInput('this experiment is empty; write, for example, name = "two-wings"')
    return Setting(line, name, changes, layout, views, live, play, fly)


def _action(data: dict[str, Any], line: int) -> Action:
    table = Table(data, _ACTION)
    say = table.get("say", str, "")
    if ("kind" in table) is ("wait" in table):
        raise BadInput('kind or wait is missing, or both are given; write kind = "crash" or wait = "end"')
    if "wait" in table:
        for key in ("process", "link", "variable", "label", "groups", "example"):
            if key in table:
                raise table.bad(key, f"{key} belongs to an interference; remove it from this wait")
        moment = _moment(table, "wait", table.get("wait", str), ("end", "time", "violated", "selected"))
        return Action(line, say, wait=moment)
    kinds = _texts(table, "kind", "crash")
    for each in kinds:
        if each not in KINDS:
            hint = did_you_mean(each, KINDS) or f"; choose from {', '.join(KINDS)}"
            raise table.bad("kind", f"unknown interference {shown(each)}{hint}")
    if "groups" in table and "partition" not in kinds:
        raise table.bad("groups", "only a partition has groups; leave them out")
    shown_how = f'write, for example, example = {{time = 3.0, do = "{kinds[0]}", process = "1"}}'
    if "example" not in table:
        raise BadInput(f"example is missing, but the test of the lesson needs it; {shown_how}")
    given = data["example"]
    tables = given if isinstance(given, list) else [given]
    place = [f"example[{i}]" for i in range(len(tables))] if isinstance(given, list) else ["example"]
    example = tuple(Intervention.from_dict(each, None, at, do=kinds[0]) for each, at in zip(tables, place, strict=True))
    link = None
    if "link" in table:
        ends = data["link"].split("-") if isinstance(data["link"], str) else data["link"]
        if not (isinstance(ends, list) and len(ends) == 2 and all(isinstance(end, str) and end for end in ends)):
            raise table.bad("link", f'must be the two ends of a link, "3-5" or ["3", "5"], not {shown(data["link"])}')
        link = ends[0], ends[1]
    groups = GROUPS.read_from(table) if "groups" in table else ()
    found = Action(
        line, say, kinds, table.name("process"), link, table.get("variable", str), table.get("label", str), groups,
        example,
    )  # fmt: skip
    if not example or not any(found.fits(each) for each in example):
        raise table.bad("example", "the example differs from the interference; it must have the same kind and aim")
    return found


def _question(data: dict[str, Any], line: int) -> Question:
    table = Table(data, _QUESTION)
    question = table.need("question", str, 'question = "How many messages?"')
    kind = table.get("kind", str, "choice" if "choices" in table else "number")
    if kind not in ANSWERS:
        raise table.bad("kind", f"unknown kind of answer {shown(kind)}; choose from {', '.join(ANSWERS)}")
    choices = _texts(table, "choices", "more")
    if (kind == "choice") is (len(choices) < 2):
        what = "must list two or more" if kind == "choice" else f"belong to the kind choice, not {kind}"
        raise BadInput(f'choices {what}; write, for example, choices = ["fewer", "more"]', place="choices")
    expect = data.get("expect")
    if "expect" not in table and kind != "text":
        raise BadInput('expect is missing; write, for example, expect = "messages" or expect = 46')
    if "expect" in table:
        _expected(table, kind, choices, expect)
    if "tolerance" in table and kind != "number":
        raise table.bad("tolerance", "only a number may have a tolerance; leave it out")
    tolerance, relative = _tolerance(table)
    shows = tuple(
        _moment(table, "show", each.strip(), ("start", "end", "time", "process", "first", "violated"))
        for each in table.get("show", str, "").split(",") if each.strip()
    )  # fmt: skip
    why, unit = table.get("why", str, ""), table.get("unit", str, "")
    return Question(line, question, kind, expect, choices, tolerance, relative, why, shows, unit)


def _drawn(data: dict[str, Any], line: int) -> Drawn:
    table = Table(data, _DRAWN)
    source = table.need("from", str, 'from = "run"')
    if source != "run":
        raise table.bad("from", f'must be "run", the run of the lesson, not {shown(source)}')
    seed = data.get("seed", 1)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise table.bad("seed", f"must be a whole number, not {shown(seed)}")
    return Drawn(line, table.need("kind", str, 'kind = "concurrent"'), seed)


def _expected(table: Table, kind: str, choices: tuple[str, ...], expect: Any) -> None:
    """Refuse an answer that cannot be given."""
    if kind == "text":
        _texts(table, "expect", "the token is lost")
    elif kind == "choice" and isinstance(expect, str) and expect in choices:
        return
    elif isinstance(expect, str) and not (kind == "process" and re.fullmatch(r"[\w-]*\d[\w-]*", expect)):
        try:
            Expression(expect).check()
        except BadInput as error:
            allowed = f"; or write one of the choices: {', '.join(choices)}" if kind == "choice" else ""
            raise table.bad("expect", error.what + allowed) from None
    elif kind == "process" and isinstance(expect, list) and expect and all(isinstance(each, str) for each in expect):
        return
    elif kind == "number" and (isinstance(expect, bool) or not isinstance(expect, int | float)):
        raise table.bad("expect", f'must be a number, or the name of one ("messages"), not {shown(expect)}')
    elif kind == "choice" and not isinstance(expect, bool):
        raise table.bad("expect", f"must be one of the choices ({', '.join(choices)}), not {shown(expect)}")
    elif kind == "process" and not isinstance(expect, str):
        raise table.bad("expect", f'must be the name of a process, or "last", not {shown(expect)}')


def _expectation(data: dict[str, Any], line: int) -> Expectation:
    table = Table(data, _EXPECTATION)
    name, that = table.get("property", str, ""), table.get("that", str, "")
    if bool(name) is bool(that):
        raise BadInput(
            "'property' and 'that' are both missing or both given; write exactly one, such as that = \"messages == 46\""
        )
    if that:
        if "holds" in table:
            raise table.bad("holds", "belongs to a property; reverse the comparison instead")
        try:
            Expression(that).check(verdict=True)
        except BadInput as error:
            raise table.bad("that", error.what) from None
    return Expectation(line, name, table.get("holds", bool, True), that, table.get("say", str, ""))


def _tolerance(table: Table) -> tuple[float, bool]:
    value = table.data.get("tolerance", 0)
    if isinstance(value, str):
        share = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", value)
        if share:
            return float(share[1]) / 100, True
        raise table.bad("tolerance", f'must be a number such as 2, or a share such as "5%", not {shown(value)}')
    return float(table.number("tolerance", 0.0)), False


def _moment(table: Table, key: str, text: str, known: tuple[str, ...]) -> Moment:
    """Parse a moment: ``end``, ``time 5``, ``process 9``, ``first Ack``, ``violated: NAME``."""
    found = re.fullmatch(r"\s*(\w+)\s*:?\s*(.*?)\s*", text)
    what, of = (found[1], found[2]) if found else (text, "")
    if what not in known:
        raise table.bad(key, f"unknown moment {shown(text)}{did_you_mean(what, known)}; choose from {', '.join(known)}")
    if (what in ("end", "start")) is bool(of):
        wrong = "must not be followed by anything" if of else f"is incomplete; write {_MOMENTS[what]}"
        raise table.bad(key, f"{what} {wrong}")
    if what == "time":
        try:
            good = 0 <= float(of) < float("inf")
        except ValueError:
            good = False
        if not good:
            raise table.bad(key, f"must be a time that is not negative, as in time 5, not {shown(of)}")
    return Moment(what, of)


_MOMENTS = {
    "time": '"time 5"', "process": '"process 9"', "first": '"first Ack"', "violated": '"violated: no process waits"',
    "selected": '"selected 3"',
}  # fmt: skip


def _texts(table: Table, key: str, example: str) -> tuple[str, ...]:
    """Read a text, or a list of texts."""
    value = table.data.get(key, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(each, str) and each for each in values):
        raise table.bad(key, f'must be a text such as "{example}", or a list of texts, not {shown(value)}')
    return tuple(values)


_READERS: Mapping[str, Callable[[dict[str, Any], int], About | Setting | Action | Question | Drawn | Expectation]] = {
    "lesson": _about, "experiment": _setting, "do": _action, "predict": _question, "question": _drawn,
    "expect": _expectation,
}  # fmt: skip


@dataclass(frozen=True)
class Graded:
    """The result of a prediction.

    Attributes:
        good: whether it was right; ``None`` if there is no right answer, or no prediction was made.
        answer: the prediction in words; empty if there is none.
        came: the actual result in words; empty if it is not known.
        right: the names of the processes that would have been right.
    """

    good: bool | None
    answer: str
    came: str
    right: tuple[str, ...] = ()


def grade(question: Question, answer: object, facts: Mapping[str, Any]) -> Graded:
    """Compare a prediction with a run.

    Args:
        answer: a number, the name of a process, one of the choices or a text; ``None`` or empty: no answer was given.

    Raises:
        BadInput: the expected answer has no value in this run.
    """
    given = "" if answer is None else str(answer).strip()
    expect = question.expect
    if question.kind == "text":
        wanted = [expect] if isinstance(expect, str) else list(expect or ())
        good = None if not wanted or not given else any(_plain(given) == _plain(each) for each in wanted)
        return Graded(good, given, wanted[0] if wanted else "")
    if question.kind == "number":
        value = expect if isinstance(expect, int | float) else Expression(str(expect)).of(facts)
        return _number(question, given, float(value))
    if question.kind == "process":
        right = _processes(expect, facts)
        return Graded(given in right if given else None, given, tr(" or ").join(right), right)
    came = _choice(question, facts)
    return Graded(given == came if given else None, given, came)


def _number(question: Question, given: str, value: float) -> Graded:
    allowed = abs(value) * question.tolerance if question.relative else question.tolerance
    try:
        good = abs(float(given.replace(",", ".")) - value) <= allowed + 1e-9 if given else None
    except ValueError:
        good = False
    return Graded(good, given, f"{value:,.0f}" if value == round(value) else f"{value:.2f}")


def _processes(expect: Any, facts: Mapping[str, Any]) -> tuple[str, ...]:
    if isinstance(expect, list | tuple):
        return tuple(str(each) for each in expect)
    if str(expect) in facts["processes"]:
        return (str(expect),)
    value = Expression(str(expect)).of(facts)
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def _choice(question: Question, facts: Mapping[str, Any]) -> str:
    value = question.expect
    if isinstance(value, str) and value not in question.choices:
        value = Expression(value).of(facts)
    if isinstance(value, bool):
        return question.choices[0 if value else 1]
    if isinstance(value, tuple):
        value = next((each for each in value if str(each) in question.choices), value)
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if text not in question.choices:
        raise BadInput(f"'{question.expect}' is {text} here, which is not one of the choices")
    return text


def _plain(text: str) -> str:
    """Return a text without differences that do not matter."""
    return "".join(letter for letter in text.lower() if letter.isalnum())
