"""The results of the command box: things, commands, and what is in the run on screen, in one order."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtGui import QAction

from lydian.app.commands.table import commands, menu_titles
from lydian.desk.playhead import Playhead
from lydian.desk.things import Thing, Things
from lydian.language import tr, trc
from lydian.model.finding import Document, Index, fold, words
from lydian.pieces.animation import generic
from lydian.views.selection import Hit
from lydian.views.words import lookup

__all__ = ["HEADINGS", "KINDS", "SIGNS", "Entry", "Group", "Sources"]

#: The first character of the text -> the only kind of result to find.
SIGNS = {">": "command", "@": "process", "#": "event", "?": "page"}
#: Kind of result -> the heading of its group, in the order of the groups.
HEADINGS = {
    "protocol": tr("Protocols"),
    "experiment": tr("Experiments"),
    "lesson": tr("Lessons"),
    "assignment": tr("Assignments"),
    "goal": tr("Goals to play"),
    "network": tr("Networks"),
    "sweep": tr("Sweeps"),
    "process": tr("Processes of this run"),
    "event": tr("Events of this run"),
    "variable": tr("Variables of this run"),
    "command": tr("Commands"),
    "page": tr("Guide"),
}
#: Kind of result -> its name.
KINDS = {
    "protocol": tr("Protocol"),
    "experiment": tr("Experiment"),
    "lesson": tr("Lesson"),
    "assignment": trc("kind of result", "Assignment"),
    "goal": tr("Goal"),
    "network": tr("Network"),
    "sweep": trc("kind of result", "Sweep"),
    "process": tr("Process"),
    "event": tr("Event"),
    "variable": tr("Variable"),
    "command": tr("Command"),
    "page": tr("Guide"),
}
#: How much a result of a kind counts beside those of other kinds.
_WORTH = {"protocol": 1.05, "process": 1.03, "command": 0.98, "variable": 0.96, "network": 0.95, "event": 0.92}
#: Reasons why a command is unavailable, for commands whose status tips describe only their effects.
WHY = {
    "undo": tr("no change to undo"),
    "redo": tr("no change to redo"),
    "stop": tr("nothing is running"),
    "save": tr("nothing to save"),
}
#: The numbers of results: of one kind alone, of each kind among others, of recent ones, and of similar ones.
ALONE, AMONG, RECENT, NEAREST = 60, 3, 6, 3
#: If fewer results contain all words, those that contain some of them follow.
FEW = 6
#: Results with a smaller share of the score of a good name are left out.
POOR = 0.4
#: The weights of a word in the name of a command and in its explanation.
_NAME, _ABOUT = 100.0, 20.0


@dataclass(frozen=True)
class Entry:
    """One result.

    Attributes:
        kind: one of :data:`KINDS`.
        key: what identifies it among those of its kind.
        text, about, remark: its name, a sentence below it, and a few words beside it.
        score: how well it fits.
        do: its effect when chosen.
        look: its lesser effect (opening without running), ``None`` if there is only one.
        why: the reason why it cannot be chosen, "" if it can.
        terms: the words to mark.
        facts: pairs of a heading and a text, for the preview.
        thing: what it opens, ``None`` for a command and for parts of the run.
    """

    kind: str
    key: str
    text: str
    remark: str
    score: float
    do: Callable[[], object]
    look: Callable[[], object] | None = None
    about: str = ""
    why: str = ""
    terms: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    thing: Thing | None = None


@dataclass(frozen=True)
class Group:
    """Results below a heading."""

    heading: str
    entries: tuple[Entry, ...]


@dataclass
class Sources:
    """Things that can be found.

    Attributes:
        playhead: the run on screen.
        commands: the commands by name.
        run, look: called with a thing to run it, and to open it without running.
        show_process: called after a variable is chosen, to show its process.
        things: all things; none until they have been read.
        recent: the kind and key of what was chosen last, the latest first.
        suggested: the kind and key of things for a user who has chosen nothing yet.
    """

    playhead: Playhead
    commands: Mapping[str, QAction]
    run: Callable[[Thing], object]
    look: Callable[[Thing], object]
    show_process: Callable[[], object]
    things: Things = field(default_factory=Things)
    recent: list[tuple[str, str]] = field(default_factory=list)
    suggested: Sequence[tuple[str, str]] = ()

    def __post_init__(self) -> None:
        menus = {each.name: menu_titles(each.menu)[1:] for each in commands()}
        self._names = [name for name in self.commands if name != "palette"]
        self._menus = {name: menus.get(name, []) for name in self._names}
        self._index = Index(())

    # ------------------------------------------------------------------ all results

    def groups(self, text: str, only: str = "") -> tuple[list[Group], int]:
        """Return the results for a text in groups, the best first, and their number; recent ones without a text.

        Args:
            only: the only kind to find; a sign at the start of the text has the same effect.
        """
        text = text.strip()
        if text[:1] in SIGNS and not only:
            only = SIGNS[text[:1]]
            text = text if only == "event" else text[1:].strip()
        if not text and not only:
            return self._without_text(), 0
        found, count = self.found(text, only)
        if not found:
            near = _mixed(self.nearest(text, only))
            return ([Group(tr("Nothing found; these are similar"), near)] if near else []), 0
        if only:
            return [Group(HEADINGS[only], tuple(found[:ALONE]))], count
        if count < FEW:
            known = {(each.kind, each.key) for each in found}
            found += [each for each in self.nearest(text, only, ALONE) if (each.kind, each.key) not in known]
        best, *rest = found
        groups = [Group(trc("results", "Best"), _mixed([best]))]
        for kind, heading in HEADINGS.items():
            own = tuple(each for each in rest if each.kind == kind)[:AMONG]
            if own:
                groups.append(Group(heading, own))
        return groups, count

    def found(self, text: str, only: str = "") -> tuple[list[Entry], int]:
        """Return the best results for a text, the best first, and the number of all results.

        Results that fit much worse than the best are left out, unless only one kind is wanted.
        """
        most = ALONE if only else AMONG + 1
        found: list[Entry] = []
        scores: list[float] = []
        for kinds, source in (
            (("command",), self._commands),
            (("process", "event", "variable"), self._of_the_run),
            (("protocol", "experiment", "lesson", "assignment", "goal", "network", "sweep", "page"), self._things),
        ):
            if not only or only in kinds:
                entries, more = source(text, only, most)
                found += entries
                scores += more
        if not text:
            return found, len(scores)
        least = 0.0 if only else POOR * min(max(scores, default=0.0), _NAME * max(len(words(text)), 1))
        found = [each for each in found if each.score >= least]
        return sorted(found, key=lambda each: -each.score), sum(score >= least for score in scores)

    def begin(self) -> None:
        """Prepare for the first key: the texts of some commands change, and so does the run."""
        texts = [self._text(name) for name in self._names]
        tips = [self.commands[name].statusTip() for name in self._names]
        pairs = zip(texts, tips, strict=True)
        self._index = Index(Document(((text, _NAME), (tip, _ABOUT))) for text, tip in pairs)
        self._of_the_run("?", "", 1)

    def nearest(self, text: str, only: str = "", most: int = NEAREST) -> list[Entry]:
        """Return the things that contain some words of a text, or else those whose names are most like it."""
        numbers = self.things.index.nearest(text, ALONE)
        known = [self.things.all[number] for number in numbers]
        if not known and most == NEAREST:
            titles = {fold(each.title): each for each in reversed(self.things.all) if each.kind != "page"}
            known = [titles[title] for title in difflib.get_close_matches(fold(text), titles, most, 0.0)]
        terms = tuple(words(text))
        return [self._entry(each, 0.0, terms) for each in known if only in ("", each.kind)][:most]

    def _without_text(self) -> list[Group]:
        recent = [each for each in map(self._named, self.recent) if each is not None][:RECENT]
        groups = [Group(trc("results", "Recent"), _mixed(recent))] if recent else []
        if len(recent) < RECENT // 2:
            first = [self._named(each) for each in self.suggested if each not in self.recent]
            if known := _mixed([each for each in first if each is not None]):
                groups.append(Group(tr("To begin with"), known))
        chosen = {each.key for each in recent if each.kind == "command"}
        rest = tuple(self._command(name) for name in self._names if name not in chosen)
        return [*groups, Group(HEADINGS["command"], rest)]

    def _named(self, which: tuple[str, str]) -> Entry | None:
        kind, key = which
        if kind == "command":
            return self._command(key) if key in self._menus else None
        thing = self.things.named(kind, key)
        return None if thing is None else self._entry(thing, 0.0)

    # ------------------------------------------------------------------ the kinds

    def _things(self, text: str, only: str, most: int) -> tuple[list[Entry], list[float]]:
        known = self.things.all
        if not text:
            entries = [self._entry(each, 0.0) for each in known if each.kind == only]
            return entries[:most], [0.0] * len(entries)
        answer = self.things.index.search(text)
        left, entries, scores = dict.fromkeys(HEADINGS, most), [], []
        for number, score in answer.found:
            thing = known[number]
            if only not in ("", thing.kind):
                continue
            scores.append(score * _WORTH.get(thing.kind, 1.0))
            if left[thing.kind]:
                left[thing.kind] -= 1
                entries.append(self._entry(thing, score, answer.terms))
        return entries, scores

    def _entry(self, thing: Thing, score: float, terms: tuple[str, ...] = ()) -> Entry:
        whole = thing.kind in ("lesson", "assignment", "goal", "page", "sweep")
        single = whole or ":" in thing.key  # ring:8 is in no file to draw on
        look = None if single else lambda: self.look(thing)
        return Entry(
            thing.kind, thing.key, thing.title, thing.remark, score * _WORTH.get(thing.kind, 1.0),
            lambda: self.run(thing), look, thing.about, "", terms, thing.facts, thing,
        )  # fmt: skip

    def _commands(self, text: str, only: str, most: int) -> tuple[list[Entry], list[float]]:
        if not text:
            return [self._command(name) for name in self._names], [0.0] * len(self._names)
        answer = self._index.search(text)
        some = answer.found[: 4 * most]  # an unavailable one counts less
        entries = [self._command(self._names[number], score, answer.terms) for number, score in some]
        entries.sort(key=lambda each: -each.score)
        return entries[:most], [score * _WORTH["command"] for _number, score in answer.found]

    def _text(self, name: str) -> str:
        return " › ".join([*self._menus[name], self.commands[name].text().replace("&", "").rstrip("…")])

    def _command(self, name: str, score: float = 0.0, terms: tuple[str, ...] = ()) -> Entry:
        action = self.commands[name]
        usable = action.isEnabled()
        why = "" if usable else str(action.property("why") or WHY.get(name, tr("not available at this moment")))
        key = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
        remark = key if usable else f"{why[:1].upper()}{why[1:]}"
        return Entry(
            "command", name, self._text(name), remark, score * _WORTH["command"] * (1.0 if usable else 0.8),
            action.trigger, None, "", why, terms,
            tuple(each for each in ((tr("Does"), action.statusTip()), (tr("Key"), key)) if each[1]),
        )  # fmt: skip

    def _of_the_run(self, text: str, only: str, most: int) -> tuple[list[Entry], list[float]]:
        head = self.playhead
        timeline, k = head.timeline, head.position
        if timeline is None:
            return [], []
        animation = head.animation or generic()
        found: list[lookup.Found] = []
        if only in ("", "process"):
            found += lookup.processes(timeline, text, k, animation, most)
        if only in ("", "event"):
            found += lookup.events(timeline, text, k, animation, most)
        if only in ("", "variable"):
            found += lookup.variables(timeline, text, k, head.selection.processes, most)
        entries = [
            Entry(
                each.kind, str(each.event if each.kind == "event" else each.text), each.text, each.remark,
                each.score * _WORTH[each.kind], self._goer(each), terms=each.terms,
            )
            for each in found
        ]  # fmt: skip
        return entries, [each.score for each in entries]

    def _goer(self, found: lookup.Found) -> Callable[[], object]:
        def go() -> None:
            head = self.playhead
            if found.kind == "event" and head.timeline is not None:
                head.pause()
                head.seek(float(head.timeline.time[found.event]))
                head.pick(Hit("event", found.event))
                return
            head.pick(Hit("process", found.process))
            if found.kind == "variable":
                self.show_process()

        return go


def _mixed(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return results for a group of several kinds: those without a remark get the name of their kind."""
    return tuple(each if each.remark else replace(each, remark=KINDS[each.kind]) for each in entries)
