"""The measures, whether executions are kept, and the limits of a run."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from lydian.app.kit.fields import heading
from lydian.app.kit.form import BoundForm
from lydian.app.kit.layout import down
from lydian.app.kit.terms import explain
from lydian.app.kit.theming import mark, set_look
from lydian.app.look.theme import Theme
from lydian.app.sweep.form.form import Form
from lydian.app.sweep.form.parts import Said, WidePopup, field
from lydian.batch.sweep.measure import DELIVERIES, USUAL
from lydian.desk.guide.glossary import terms_in
from lydian.language import tr

__all__ = ["MeasureBox", "measure_words"]

#: The measures that are shown without a search.
FIRST = ("messages", "time", "chain", "tree_depth", "last_decision", "stabilised")
_SHORT = {
    "time": tr("time of the last event"),
    "chain": tr("longest causal chain"),
    "busiest": tr("messages of the busiest process"),
    "last_decision": tr("time of the last decision"),
    "stabilised": tr("time to stabilise"),
    "tree_depth": tr("depth of the tree"),
    "delay_longest": tr("longest delay"),
    "delay_mean": tr("mean delay"),
    "least_depth": tr("least depth of a tree"),
    "in_transit": tr("messages in transit at the end"),
    "expected": tr("messages that the formula predicts"),
}
_PATHS = (
    ("by_kind.NAME.sent", tr("messages of one kind")),
    ("max(per_process.*.waiting)", tr("longest waiting time of a process")),
    ("mean(per_process.*.busy)", tr("mean busy time of a process")),
)


#: Field of a limit -> the name of its change for undo.
_LIMITS = {"events": tr("limit events"), "seconds": tr("limit seconds"), "memory": tr("limit memory")}


def measure_words(name: str) -> str:
    """Return a measure as a label: its name in words, or its path."""
    words = _SHORT.get(name) or {**USUAL, **DELIVERIES}.get(name, name)
    return words[:1].upper() + words[1:]


class MeasureBox(QWidget):
    """Check boxes for the measures, and fields for the limits."""

    #: Emitted with the name of the edit for undo, its key, and the changed parts of the form.
    edited = Signal(str, str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = Form()
        self.boxes: dict[str, QCheckBox] = {}
        self._column = down(spacing=3)
        self.more = QPushButton(tr("Measure something else…"))
        self.more.setObjectName("small")
        self.popup = WidePopup(self, tr("Search for a measure, or type one such as by_kind.Ack.sent"), self._offers)
        self.popup.chosen.connect(self.add)
        self.more.clicked.connect(lambda: self.popup.open(self.more, ""))
        self.said = Said()
        self.traces = QCheckBox(tr("Keep the execution of every run"))
        self.traces.setToolTip(tr("You can analyse them later; each takes some disk space"))
        self.traces.clicked.connect(lambda on: self.edited.emit(tr("keeping executions"), "", {"traces": on}))
        self.limits = BoundForm(self._limit, small=True)
        self.fields = {
            name: self.limits.add(name, words, field(whole, hint))
            for name, words, whole, hint in (
                ("events", tr("events"), tr("Largest number of events of a run"), tr("as in the experiment")),
                ("seconds", tr("seconds"), tr("Largest number of seconds of a run"), "60"),
                ("memory", tr("megabytes"), tr("Largest number of megabytes of a run"), "1024"),
            )
        }
        self.limit = Said()
        down(
            heading(tr("Measure")),
            self._column,
            self.said,
            self.more,
            6,
            self.traces,
            6,
            heading(tr("A run stops after")),
            self.limits.rows,
            self.limit,
            on=self,
            spacing=5,
        )
        set_look(self.more, theme, icon="plus", ink="text.secondary")

    def _offers(self) -> list[tuple[str, str]]:
        shown = set(self.boxes)
        return [(name, words) for name, words in (*USUAL.items(), *DELIVERIES.items(), *_PATHS) if name not in shown]

    def add(self, name: str) -> None:
        """Add a measure."""
        if name not in self.form.measures:
            self.edited.emit(tr("measure {measure}", measure=name), "", {"measures": (*self.form.measures, name)})

    def _limit(self, name: str) -> None:
        self.edited.emit(_LIMITS[name], name, {name: self.fields[name].text()})

    def _tick(self, name: str, on: bool) -> None:
        kept = tuple(each for each in self.form.measures if each != name)
        self.edited.emit(tr("measure {measure}", measure=name), "", {"measures": (*kept, name) if on else kept})

    def show_form(self, form: Form, problems: dict[str, str]) -> None:
        """Show the contents of the form."""
        self.form = form
        wanted = list(dict.fromkeys((*FIRST, *(name for name in self.boxes if name in USUAL), *form.measures)))
        if wanted != list(self.boxes):
            self._make(wanted)
        for name, box in self.boxes.items():
            box.setChecked(name in form.measures)
        self.said.say(problems.get("measure", ""))
        self.traces.setChecked(form.traces)
        self.limits.say(form)
        for name, made in self.fields.items():
            mark(made, bad=f"limits.{name}" in problems)
        self.limit.say(next((text for place, text in problems.items() if place.startswith("limits")), ""))

    def _make(self, names: list[str]) -> None:
        for old in [name for name in self.boxes if name not in names]:
            box = self.boxes.pop(old)
            self._column.removeWidget(box)
            box.hide()
            box.deleteLater()
        for at, name in enumerate(names):
            if name not in self.boxes:
                box = QCheckBox(measure_words(name))
                explain(box, *terms_in(measure_words(name)), tip=name)
                box.clicked.connect(lambda on, name=name: self._tick(name, on))
                self.boxes[name] = box
            self._column.insertWidget(at, self.boxes[name])
        self.boxes = {name: self.boxes[name] for name in names}
