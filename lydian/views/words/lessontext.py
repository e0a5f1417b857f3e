"""A lesson made from what the user did: the text of a file with one step for each bookmark and each intervention.

The steps follow the runs of an experiment in the order of their branches. A bookmark becomes a moment to look at and a
question, an intervention something to do; what is known of a run's end becomes the expectation of its last step. The
words are a first draft, to be replaced in an editor.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.model.experiment.branch import ROOT
from lydian.model.experiment.branches import Branches
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.pieces.animation import animation_for
from lydian.trace.events import ATTACHED, EFFECTS
from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import Bookmark
from lydian.views.words.faultwords import gesture, told
from lydian.views.words.phrases import lowered, stopped
from lydian.views.words.sentence import sentence
from lydian.views.words.words import Words, number, plural

__all__ = ["Known", "lesson_text"]


@dataclass(frozen=True)
class Known:
    """The known facts about a run: its timeline, and the verdicts on its properties, if it has ended."""

    timeline: Timeline | None = None
    checks: Sequence[Mapping[str, Any]] = field(default=())

    @property
    def words(self) -> Words | None:
        """The words for its states and messages."""
        return None if self.timeline is None else animation_for(self.timeline.trace)


_NOTHING = Known()


def lesson_text(
    experiment: Experiment,
    name: str,
    title: str,
    known: Mapping[int, Known],
    bookmarks: Sequence[Bookmark] = (),
    marked: int = ROOT,
) -> str:
    """Return the text of a lesson.

    Args:
        experiment: the experiment with its branches.
        name: the name or the file of the experiment, as the lesson refers to it.
        title: the title of the lesson.
        known: what is known of each run, by its id.
        bookmarks: moments of a run that are worth a look.
        marked: the run to which they belong.
    """
    tree = Branches.of(experiment)
    steps = [each for branch, _ in tree.walk() for each in _steps(tree, branch, name, known, bookmarks, marked)]
    about = " ".join(experiment.about.split()) or tr("Predict what happens, then watch and compare.")
    head = f"# {_line(title)}\n\n{about}\n\n" + _block("lesson", {"level": "introductory"})
    return "\n".join([head, *steps])


def _steps(
    tree: Branches, branch: int, name: str, known: Mapping[int, Known], bookmarks: Sequence[Bookmark], marked: int
) -> Iterator[str]:
    """Yield the steps of one run: its beginning, its bookmarks and interventions by time, and its end."""
    run = known.get(branch, _NOTHING)
    own = () if branch == ROOT else tree[branch].interventions
    every = tree.interventions(branch)
    before = every[: len(every) - len(own)] if branch != ROOT else ()
    last = np.inf if run.timeline is None else run.timeline.end
    marks = [each for each in bookmarks if branch == marked and each.time <= last]
    groups = [(time, list(some)) for time, some in itertools.groupby(own, key=lambda each: each.time)]
    moments: list[tuple[float, Bookmark | list[Intervention]]] = [*groups, *((each.time, each) for each in marks)]
    moments.sort(key=lambda each: each[0])
    end = _end(tree, branch, known)
    if branch == ROOT:
        yield _step(tr("The run"), _beginning(run), _setting(name),
                    _block("do", {"say": tr("Watch the run until it ends."), "wait": "end"}), *end)  # fmt: skip
    where = "" if branch == ROOT else tree.name(branch)
    for at, (time, what) in enumerate(moments):
        more = end if at == len(moments) - 1 and branch != ROOT else ()
        if isinstance(what, Bookmark):
            setting = _setting(name, before, tree.root) if at == 0 and branch != ROOT else ""
            yield _looked(what, run, setting, more)
            continue
        alike = [each for each in what if each.do == what[0].do]
        setting = _setting(name, before, tree.root, live=True)
        heading = where if what is groups[0][1] else tr("{run}: at {time}", run=where, time=number(time))
        yield _step(heading, _happens(alike, run), setting, _done(alike, what, run), *more)
        before = (*before, *what)
    if branch != ROOT and not moments:
        yield _step(where, _beginning(run), _setting(name, before, tree.root), *end)


# ---------------------------------------------------------------------- one step


def _step(title: str, text: str, *blocks: str) -> str:
    return "\n".join([f"## {_line(title)}\n\n{_short(text)}\n", *(each for each in blocks if each)])


def _short(text: str) -> str:
    """Return a text of at most about fifty words, as a step of a lesson may have sixty."""
    words = text.split(" ")
    return text if len(words) <= 50 else " ".join(words[:50]) + " …"


def _line(text: str) -> str:
    return " ".join(text.split()) or "…"


def _beginning(run: Known) -> str:
    timeline = run.timeline
    if timeline is None:
        return tr("Say here what to watch for.")
    size = tr("{processes}, {messages}, until time {time}", processes=plural(timeline.n, "process"),
              messages=plural(timeline.m_messages, "message"), time=number(timeline.end))  # fmt: skip
    return tr("{size}. Say here what to watch for.", size=size)


def _setting(
    name: str, before: tuple[Intervention, ...] = (), root: Experiment | None = None, *, live: bool = False
) -> str:
    """Return the block of an experiment, with the interventions before the step if they are not those of ``root``."""
    values: dict[str, Any] = {"name": name, "layout": "study"}
    if root is not None and before != root.interventions:
        values["interventions"] = [each.to_dict() for each in before]
    if live:
        values["live"] = True
    return _block("experiment", values)


def _looked(mark: Bookmark, run: Known, setting: str, more: Sequence[str]) -> str:
    """Return the step for a bookmark: the moment, what happens then, and what happens next."""
    timeline, words, time = run.timeline, run.words, mark.time
    here, then = "", ""
    if timeline is not None and words is not None:
        rows = np.flatnonzero(~np.isin(timeline.kind, (*ATTACHED, *EFFECTS)))
        now = int(np.searchsorted(timeline.time[rows], time, side="right"))
        here = stopped(sentence(timeline, int(rows[now - 1]), words)) if now else ""
        then = stopped(sentence(timeline, int(rows[now]), words)) if now < len(rows) else ""
    text = tr("{event} What will happen next?", event=here) if here else tr("What will happen next?")
    asked: dict[str, Any] = {
        "question": tr("{bookmark}: what happens next?", bookmark=mark.name), "kind": "text",
        "show": f"time {time:g}",
    }  # fmt: skip
    if then:
        asked["why"] = then
    look = {"say": tr("Go to time {time}.", time=f"{time:g}"), "wait": f"time {time:g}"}
    return _step(mark.name, text, setting, _block("do", look), _block("predict", asked), *more)


def _happens(some: Sequence[Intervention], run: Known) -> str:
    """Return what an intervention does, and a question about its consequences."""
    first, kind = some[0], some[0].kind
    if kind.aim == "process" and len(some) == 1 and "{who}" in kind.coming:
        event = lowered(kind.coming.format(who=tr("Process {process}", process=first.process)))
        what = tr("At {time}, {event}.", time=number(first.time), event=event)
    else:
        event = told(some, run.timeline, run.words)
        what = tr("At {time}: {event}.", time=number(first.time), event=event)
    question = {
        "process": tr("What will its neighbours do?"),
        "message": tr("What will the receiver do without it, or with it at another moment?"),
        "link": tr("Which processes will notice it?"),
    }.get(kind.aim, tr("What will happen next?"))
    return f"{what} {question}"


def _done(alike: Sequence[Intervention], every: Sequence[Intervention], run: Known) -> str:
    """Return the block that waits for an intervention."""
    first = alike[0]
    deed = gesture([each.to_dict() for each in alike], run.timeline, run.words)
    say = tr("Go to about time {time}, then: {intervention}.", time=number(first.time), intervention=deed)
    values: dict[str, Any] = {"say": say, "kind": first.do}
    if len(alike) == 1:
        given = first.to_dict()
        aim = {"process": ("process", "variable", "label"), "link": ("link",), "nothing": ("groups",)}
        keys = aim.get(first.kind.aim, ())
        values |= {key: given[key] for key in keys if key in given}
    examples = [each.to_dict() for each in every]
    values["example"] = examples[0] if len(examples) == 1 else examples
    return _block("do", values)


def _end(tree: Branches, branch: int, known: Mapping[int, Known]) -> tuple[str, ...]:
    """Return the blocks about the end of a run: a question about its messages, and the properties worth a look."""
    run = known.get(branch, _NOTHING)
    which = tr("How many messages are sent?")
    if branch != ROOT:
        which = tr("{run}: how many messages are sent?", run=tree.name(branch))
    asked = {"question": which, "kind": "number", "expect": "messages", "tolerance": "10%", "show": "end"}
    return (_block("predict", asked), *(
        _block("expect", {"property": each, "holds": holds}) for each, holds in _verdicts(run, branch, known)
    ))  # fmt: skip


def _verdicts(run: Known, branch: int, known: Mapping[int, Known]) -> Iterator[tuple[str, bool]]:
    """Yield the properties that are violated in a run, and for the first run those that are violated in another."""
    others = (each for number, other in known.items() if number != branch for each in other.checks)
    elsewhere = {each.get("name") for each in others if each.get("holds") is False}
    for each in run.checks:
        if each.get("holds") is False or (branch == ROOT and each.get("holds") and each.get("name") in elsewhere):
            yield str(each["name"]), bool(each["holds"])


# ---------------------------------------------------------------------- blocks


def _block(kind: str, values: Mapping[str, Any]) -> str:
    """Return a fenced block with one line for each key."""
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    return "\n".join([f"```{kind}", *lines, "```", ""])


def _toml(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_toml(each)}" for key, each in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def _key(key: Any) -> str:
    return str(key) if str(key).replace("_", "").replace("-", "").isalnum() else json.dumps(str(key))
