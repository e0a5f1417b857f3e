"""The search of every schedule of a protocol on a small network, or of random ones on any, with its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, mark, set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.protocol.checking.explorerform import ExplorerForm
from lydian.app.protocol.checking.severalruns import without_file
from lydian.app.work.loop import Loop
from lydian.desk.runs.searching import Search, Searched
from lydian.engine.explorer.result import doubt, reach
from lydian.language import tr, translated, trc, trn
from lydian.model.experiment.experiment import Experiment
from lydian.model.protocol.properties import KINDS
from lydian.views.words.words import joined, plural

__all__ = ["ExplorerPanel", "advance", "facts", "headline", "remark"]

_ENDED = {
    "depth": tr("Not all schedules were tried, because the largest depth was reached; {configurations}."),
    "states": tr(
        "Not all schedules were tried, because the largest number of configurations was reached; {configurations}."
    ),
    "seconds": tr("Not all schedules were tried, because the time limit was reached; {configurations}."),
    "memory": tr("Not all schedules were tried, because the memory limit was reached; {configurations}."),
    "cancelled": tr("Not all schedules were tried, because it was stopped; {configurations}."),
}
#: The largest number of outcomes, and of cells that were never taken, that are listed.
_MOST = 3


def advance(configurations: int, waiting: int, depth: int, seconds: float) -> str:
    """Describe the progress of a search: ``14,469 configurations, 2,100 waiting, depth 9, 12,000 a second``."""
    told = tr(
        "{configurations}, {waiting:,} waiting, depth {depth}",
        configurations=plural(configurations, "configuration"),
        waiting=waiting,
        depth=depth,
    )
    if seconds <= 0.05:
        return told
    return tr("{progress}, {rate:,.0f} a second", progress=told, rate=configurations / seconds)


def _followed(result: Mapping[str, Any]) -> str:
    """Describe how many random schedules were followed."""
    walk = result["walk"]
    done, wanted = int(walk["schedules"]), int(walk["wanted"])
    if result["stopped"] == "walk":
        return trn("{count:,} random schedule was followed.", "{count:,} random schedules were followed.", done)
    if result["stopped"] == "seconds":
        return tr("{done:,} of {wanted:,} random schedules were followed in the time.", done=done, wanted=wanted)
    return tr("{done:,} of {wanted:,} random schedules were followed until it was stopped.", done=done, wanted=wanted)


def headline(result: Mapping[str, Any]) -> str:
    """Return the result of a search in one sentence."""
    findings: Sequence[Mapping[str, Any]] = result["findings"]
    broken = sum(each["holds"] is False for each in findings)
    unjudged = sum(each["holds"] is None and bool(each.get("counterexample")) for each in findings)
    still = sum(each["holds"] is None for each in findings)
    count = plural(int(result["configurations"]), "configuration")
    if "walk" in result:
        whole = _followed(result)
    else:
        whole = tr("All schedules were tried, {configurations}.") if result["complete"] else _ENDED[result["stopped"]]
        whole = whole.format(configurations=count)
    if result.get("nothing"):
        return tr("{reason} The properties cannot be judged from that.", reason=result["nothing"])
    if not findings:
        return f"{whole} {tr('The protocol has no property to check.')}"
    if broken:
        told = trn("{count:,} property does not hold.", "{count:,} properties do not hold.", broken)
        return f"{whole} {told}"
    if unjudged:
        told = trn("{count:,} property cannot be judged.", "{count:,} properties cannot be judged.", unjudged)
        return f"{whole} {told}"
    if still:
        told = trn(
            "They violate no property; {count:,} property is open.",
            "They violate no property; {count:,} properties are open.",
            still,
        )
        return f"{whole} {told}"
    if len(findings) == 1:
        return f"{whole} {tr('Its property holds on this network.')}"
    return f"{whole} {tr('All {count} properties hold on this network.', count=len(findings))}"


def remark(finding: Mapping[str, Any]) -> str:
    """Return the result for one property, to be shown below its sentence."""
    kind, shown = translated(KINDS.get(finding["kind"], finding["kind"]), "property"), finding.get("counterexample")
    if finding["holds"]:
        return tr("holds; {kind}", kind=kind)
    if finding["holds"] is None:
        return tr("open; {kind}", kind=kind) + (f"; {finding['why']}" if finding.get("why") else "")
    told = tr("violated; {kind}", kind=kind)
    if shown and shown["loop"] is not None:
        told = tr("violated in a cycle; {kind}", kind=kind)
    elif shown:
        told = trn(
            "violated after {count:,} step; {kind}",
            "violated after {count:,} steps; {kind}",
            len(shown["steps"]),
            kind=kind,
        )
    if often := finding.get("schedules"):
        told += "; " + trn("in {count:,} random schedule", "in {count:,} random schedules", int(often))
    return told + (f"; {finding['why']}" if finding.get("why") else "")


def facts(result: Mapping[str, Any]) -> str:
    """Return the steps, ends, messages, cells never taken, and assumptions of the search, one on each line."""
    lines = [f"{plural(int(result['edges']), 'move')}, {reach(int(result['edges']), int(result['depth']))}"]
    lines.append(_ends(result))
    if result["complete"]:
        least, most = result["messages"]
        if least is not None:
            if most is None:
                lines.append(tr("{least:,} or more messages in a run, without a bound", least=least))
            elif least == most:
                lines.append(trn("{count:,} message in a run", "{count:,} messages in a run", least))
            else:
                lines.append(tr("{least:,} to {most:,} messages in a run", least=least, most=most))
        if hardest := result.get("worst"):
            lines.append(_worst(hardest))
        if result["rounds"]:
            lines.append(tr("A run can go on for ever"))
        cells = (
            []
            if result.get("nothing")
            else [tr("{event} in {state}", event=event, state=state) for state, event in result["unreachable"]]
        )
        if cells:
            more = len(cells) - _MOST
            rest = [trn("{count} more", "{count} more", more)] if more > 0 else []
            lines.append(tr("Never taken here: {cells}", cells=joined([*cells[:_MOST], *rest])))
    if "walk" in result:
        lines += _walked(result["walk"])
    lines += [str(note).rstrip(".") for note in result["notes"]]
    return "\n".join(f"{line[:1].upper()}{line[1:]}." for line in lines if line)


def _walked(walk: Mapping[str, Any]) -> list[str]:
    """Return what is known about random schedules: how many had no end, and the guarantee of priorities."""
    lines = []
    if walk["cut"]:
        lines.append(
            trn(
                "{count:,} schedule did not end within {limit:,} steps",
                "{count:,} schedules did not end within {limit:,} steps",
                walk["cut"],
                limit=walk["limit"],
            )
        )
    if odds := walk["priorities"]:
        lines.append(
            tr(
                "Such schedules show a bug of depth {depth} with a probability of at least {share:.2g}",
                depth=odds["depth"],
                share=odds["all"],
            )
        )
    return lines


def _worst(found: Mapping[str, Any]) -> str:
    if found["moves"] is None:
        return tr("A daemon can prevent for ever that {condition}", condition=found["until"])
    return tr(
        "In the worst case {moves} until {condition}",
        moves=plural(int(found["moves"]), "move"),
        condition=found["until"],
    )


def _ends(result: Mapping[str, Any]) -> str:
    ways = [joined([f"{count} {state}" for state, count in each["states"].items()]) for each in result["outcomes"]]
    if not ways:
        return tr("no schedule ends") if result["complete"] else ""
    more = len(ways) - _MOST
    rest = [plural(more, "other outcome")] if more > 0 else []
    return f"{plural(int(result['ends']), 'end')}: {'; '.join([*ways[:_MOST], *rest])}"


_SIGNS = {True: ("tick", "check.holds"), False: ("cross", "check.violated"), None: ("clock", "check.pending")}
_EMPTY = tr(
    "A run follows one schedule of many. On a small network, every order in which messages arrive, timers expire and "
    "processes start can be tried. This proves a property for the network, or finds a shortest counterexample."
)


class ExplorerPanel(QWidget):
    """The panel with the form, Start and Stop, the progress of a search, and its results.

    Attributes:
        plan: a function that returns the experiment to search on the network with a name, and a sentence about it or
            ""; it returns ``None`` after reporting why there is none.
        outcome: the outcome of the latest search.
    """

    #: Emitted with a counterexample that should be opened in the Run workspace.
    open_wanted = Signal(object)
    #: Emitted with a counterexample to keep as a test: its experiment, the sentence of the property, the steps.
    keep_wanted = Signal(object, str, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("explorerPanel")
        self.setAccessibleName(tr("Every schedule"))
        self.theme = theme
        self.plan: Callable[[str], tuple[Experiment, str] | None] = lambda _network: None
        self.keepable = True
        self.outcome: Searched | None = None
        self._begun = 0.0
        self._note = ""
        self.announcer = Announcer(self)
        self.search = Search(Loop(self))
        self.search.progress.connect(self._progress)
        self.search.walked.connect(self._walking)
        self.search.finished.connect(self._finished)
        self.form = ExplorerForm()
        self.form.begun.connect(self.start)
        self.start_button = _button(trc("button", "Start"), tr("Try every schedule"), self.start, "runButton")
        self.stop_button = _button(tr("Stop"), tr("Stop the search"), self.stop)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Share of the time limit that the search has used"))
        self.bar.setTextVisible(False)
        self.words = set_up(QLabel(_EMPTY), name=tr("Result of the search"), wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.facts = set_up(QLabel(), look="hint", name=tr("Details of the search"), wraps=True)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.findings = _list(tr("Properties in all schedules"))
        self.findings.setWordWrap(True)
        self.findings.currentRowChanged.connect(self._show)
        self.findings.itemActivated.connect(lambda _item: self._open())
        self.steps_title = set_up(QLabel(), look="heading", wraps=True)
        self.steps = _list(tr("Steps of the schedule"))
        self.steps.itemActivated.connect(lambda _item: self._open())
        self.open_button = _button(tr("Watch this schedule"), tr("Open this schedule in the Run workspace"), self._open)
        self.open_button.setToolTip(tr("Let the simulator take exactly these steps, shown in all views"))
        self.keep_button = _button(tr("Keep as a test"), tr("Keep this schedule as a test"), self._keep)
        self.keep_button.setToolTip(tr("Keep this schedule for lydian check; a correct protocol passes it"))
        self._lay_out()
        set_look(self.bar, theme, height=grown(6))
        for button in (self.start_button, self.stop_button):
            set_look(button, theme, min_height=grown(30))
        set_look(self.words, theme, font="body")
        set_look(self.facts, theme, font="small")
        for each in (self.findings, self.steps):
            set_look(each, theme, font="small", icon_size=grown(16))
        self.set_theme(theme)
        self._say_state()

    def _lay_out(self) -> None:
        left, right = QWidget(), QWidget()
        down((self.findings, 1), self.facts, on=left)
        down(
            self.steps_title, (self.steps, 1),
            across(self.open_button, self.keep_button, ...),
            on=right,
        )  # fmt: skip
        self.right = right
        self.body = QSplitter(Qt.Orientation.Horizontal)
        self.body.setChildrenCollapsible(False)
        self.body.addWidget(left)
        self.body.addWidget(right)
        self.body.setStretchFactor(0, 1)
        self.body.setStretchFactor(1, 1)
        self.body.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.space = QWidget()
        down(
            across(
                (self.form, 1),
                *((button, Qt.AlignmentFlag.AlignTop) for button in (self.start_button, self.stop_button)), spacing=8,
            ),
            self.bar, self.words, (self.body, 1), (self.space, 1), on=self, margins=(12, 8, 12, 8), spacing=6,
        )  # fmt: skip
        self.setFocusProxy(self.form.network)

    # ------------------------------------------------------------------ searching

    def start(self) -> None:
        """Start the search with the settings of the form."""
        planned = self.plan(self.form.chosen)
        if planned is None:
            return
        experiment, self._note = planned
        self.outcome = None
        self._begun = monotonic()
        self.bar.setRange(0, 1000 * self.form.seconds.value())
        self.bar.setValue(0)
        self.words.setText(tr("The search is starting…"))
        self.search.start(experiment, **self.form.bounds())
        self._say_state()

    def stop(self) -> None:
        """Stop the search and show the results so far."""
        self.search.stop()
        if self.search.busy:
            self.words.setText(tr("The search is stopping; its results are being summed up…"))
        self._say_state()

    def forget(self) -> None:
        """End a search in progress and discard its results."""
        self.search.close()
        self.outcome = None
        self.words.setText(_EMPTY)
        self._say_state()

    def say(self, sentence: str) -> None:
        """Show why nothing can be searched."""
        self.outcome = Searched({}, problem=sentence)
        self.words.setText(without_file(sentence))
        self._say_state()

    def _progress(self, configurations: int, waiting: int, _edges: int, depth: int) -> None:
        seconds = monotonic() - self._begun
        self.bar.setValue(min(self.bar.maximum(), round(1000 * seconds)))
        if not self.search.stopping:
            self.words.setText(advance(configurations, waiting, depth, seconds))

    def _walking(self, schedules: int, wanted: int, _moves: int) -> None:
        self.bar.setValue(min(self.bar.maximum(), round(1000 * (monotonic() - self._begun))))
        if not self.search.stopping:
            self.words.setText(tr("{done:,} of {wanted:,} random schedules", done=schedules, wanted=wanted))

    def _finished(self, outcome: Searched) -> None:
        self.outcome = outcome
        if outcome.problem is not None:
            self.words.setText(without_file(outcome.problem))
        else:
            told = [headline(outcome.result), self._note]
            self.words.setText(" ".join(each for each in told if each))
            self.facts.setText(facts(outcome.result))
            self._fill()
        self._say_state()
        self.announcer.polite(self.words.text())

    # ------------------------------------------------------------------ results

    @property
    def _all(self) -> Sequence[Mapping[str, Any]]:
        return () if self.outcome is None else self.outcome.result.get("findings") or ()

    def _fill(self) -> None:
        self.findings.blockSignals(True)
        self.findings.clear()
        for finding in self._all:
            item = QListWidgetItem(f"{finding['name'][:1].upper()}{finding['name'][1:]}\n{remark(finding)}")
            item.setIcon(icon(_SIGNS[finding["holds"]][0], self.theme, _SIGNS[finding["holds"]][1]))
            item.setToolTip(f"{finding['name']}: {remark(finding)}")
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{finding['name']}: {remark(finding)}")
            self.findings.addItem(item)
        self.findings.blockSignals(False)
        rows = [*range(len(self._all))]
        rows.sort(key=lambda row: (self._all[row]["holds"] is not False, not self._all[row].get("counterexample")))
        first = rows[0] if rows else -1
        self.findings.setCurrentRow(first)
        self._show(first)

    def _show(self, row: int) -> None:
        """Show the schedule that violates a property, if there is one."""
        shown = self._all[row].get("counterexample") if 0 <= row < len(self._all) else None
        self.steps.clear()
        self.right.setVisible(shown is not None)
        if shown is None:
            return
        steps, loop = shown["steps"], shown["loop"]
        walked = self.outcome is not None and "walk" in self.outcome.result
        title = tr("A short schedule that violates it") if walked else tr("A shortest schedule that violates it")
        if loop is not None:
            title = tr("A schedule without an end that violates it")
        elif self._all[row]["holds"] is None:
            title = tr("A shortest schedule after which it cannot be judged")
            title = tr("A short schedule after which it cannot be judged") if walked else title
        self.steps_title.setText(tr("In the initial configuration") if not steps else title)
        wide = len(str(len(steps)))
        for number, step in enumerate(steps):
            told = tr("{step}, and repeat from here for ever", step=step) if number == loop else step
            self.steps.addItem(f"{number + 1:>{wide}}  {told}")
        if said := doubt(self._all[row]):
            self.steps.addItem(said)
        self.open_button.setEnabled(self._example(row) is not None)
        self.keep_button.setEnabled(self.keepable and loop is None and shown["replayed"])
        tip = tr("Keep this schedule for lydian check; a correct protocol passes it")
        if not self.keepable:
            tip = tr("Runs of the library's protocols cannot be kept; change the protocol to make your own copy")
        elif not self.keep_button.isEnabled():
            tip = tr("A schedule without an end cannot be kept")
        self.keep_button.setToolTip(tip)

    def _example(self, row: int) -> Experiment | None:
        examples = self.outcome.examples if self.outcome is not None else ()
        return examples[row] if 0 <= row < len(examples) else None

    def _open(self) -> None:
        example = self._example(self.findings.currentRow())
        if example is not None:
            self.open_wanted.emit(example)

    def _keep(self) -> None:
        row = self.findings.currentRow()
        example = self._example(row)
        if example is not None and self.keep_button.isEnabled():
            finding = self._all[row]
            self.keep_wanted.emit(example, str(finding["name"]), len(finding["counterexample"]["steps"]))

    # ------------------------------------------------------------------ appearance, closing

    def _say_state(self) -> None:
        """Update which buttons and parts are visible and enabled."""
        busy = self.search.busy
        found = not busy and self.outcome is not None and self.outcome.problem is None
        self.start_button.setVisible(not busy)
        self.stop_button.setVisible(busy)
        self.stop_button.setText(tr("End at once") if self.search.stopping else tr("Stop"))
        self.form.setEnabled(not busy)
        self.bar.setVisible(busy)
        self.body.setVisible(found)
        self.space.setVisible(not found)
        bad = self.outcome is not None and self.outcome.problem is not None
        mark(self.words, "problem" if bad and not busy else "searchWords")

    def set_theme(self, theme: Theme) -> None:
        self.form.level(theme.grown(30))
        for row, finding in enumerate(self._all):
            item = self.findings.item(row)
            if item is not None:
                item.setIcon(icon(_SIGNS[finding["holds"]][0], theme, _SIGNS[finding["holds"]][1]))

    def close_all(self) -> None:
        """End the search."""
        self.search.close()


def _button(words: str, name: str, act: Callable[[], None], kind: str = "offer") -> QPushButton:
    return set_up(QPushButton(words), look=kind, name=name, clicked=lambda _on=False: act())


def _list(name: str) -> QListWidget:
    found = QListWidget()
    found.setAccessibleName(name)
    found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    found.setTextElideMode(Qt.TextElideMode.ElideRight)
    found.setUniformItemSizes(False)
    return found
