"""The popups of the experiment's cards: a list with a search field, faults, and the end of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from lydian.app.kit.form import BoundForm, number, whole
from lydian.app.kit.layout import across, fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.language import tr, trc
from lydian.model.errors import BadInput
from lydian.model.interventions import KINDS, Intervention

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Stop

__all__ = ["ChoicePopup", "FaultsPopup", "StopPopup", "fault_text"]


def fault_text(fault: Intervention) -> str:
    """Return a fault in a few words: ``process 9 crashes at 5``."""
    return fault.kind.plan(fault)


class ChoicePopup(Popup):
    """A list to choose from, with a field at the top that filters it or takes any other text."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, prompt: str, offers: Callable[[], Sequence[tuple[str, str]]]) -> None:
        super().__init__(parent)
        self._offers = offers
        self.field = set_up(QLineEdit(), name=prompt, empty=prompt)
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Choices"))
        self.list.setMinimumHeight(240)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        fill(self.column, self.field, self.list)
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self._entered)
        self.list.itemClicked.connect(lambda item: self._take(item.data(Qt.ItemDataRole.UserRole)))
        self.list.itemActivated.connect(lambda item: self._take(item.data(Qt.ItemDataRole.UserRole)))

    def open(self, below: QWidget, current: str) -> None:
        """Show the choices with the current one marked."""
        self.list.clear()
        for ref, about in self._offers():
            item = QListWidgetItem(f"{ref}   {about}" if about else ref)
            item.setData(Qt.ItemDataRole.UserRole, ref)
            item.setToolTip(about)
            self.list.addItem(item)
            if ref == current:
                self.list.setCurrentItem(item)
        self.field.clear()
        self.open_below(below)
        self.field.setFocus()

    def _filter(self, text: str) -> None:
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(text.strip().lower() not in item.text().lower())

    def _entered(self) -> None:
        text = self.field.text().strip()
        visible = [self.list.item(row) for row in range(self.list.count()) if not self.list.item(row).isHidden()]
        refs = [item.data(Qt.ItemDataRole.UserRole) for item in visible]
        if (text and text not in refs and (not refs or ":" in text or "/" in text)) or text in refs:
            self._take(text)
        elif refs:
            self._take(refs[0])

    def _take(self, ref: str) -> None:
        if self.isVisible():
            self.close()
            self.chosen.emit(ref)


class FaultsPopup(Popup):
    """The faults of an experiment, each with a button to remove it, and a line to add one."""

    changed = Signal(object)

    #: The titles of faults and their keys, by target: processes, links, one direction, everything, messages.
    DEEDS = tuple(
        (title, {"do": kind.name, **keys})
        for kind, title, keys in sorted(
            ((kind, title, keys) for kind in KINDS.values() for title, keys in kind.listed),
            key=lambda each: (("process", "link", "nothing", "message").index(each[0].aim), "one_way" in each[2]),
        )
    )

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._faults: tuple[Intervention, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Faults"))
        self.remove = QPushButton(tr("Remove"))
        self.deed = QComboBox()
        self.deed.setAccessibleName(tr("Kind of fault"))
        for title, keys in self.DEEDS:
            self.deed.addItem(title, keys)
        self.where, self.when, self.add = QLineEdit(), QDoubleSpinBox(), QPushButton(tr("Add"))
        self.where.setAccessibleName(tr("Target: a process, or a link such as 3-5"))
        self.where.setPlaceholderText(tr("3  or  3-5  or  0, 1 | 2, 3"))
        self.when.setRange(0, 1e9)
        self.when.setPrefix(f"{trc('before a time', 'at')} ")
        self.when.lineEdit().setTextMargins(4, 0, 0, 0)
        self.when.setAccessibleName(trc("time of a fault", "When"))
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        self.problem.hide()
        fill(
            self.column, self.list, (self.remove, Qt.AlignmentFlag.AlignLeft),
            across(self.deed, self.where, self.when, self.add), self.problem,
        )  # fmt: skip
        self.add.clicked.connect(self._add)
        self.where.returnPressed.connect(self._add)
        self.remove.clicked.connect(self._remove)

    def open(self, below: QWidget, faults: tuple[Intervention, ...], now: float) -> None:
        """Show the faults; a new one is offered at the moment ``now``."""
        self._faults = faults
        self.when.setValue(max(round(now, 2), 0))
        self._fill()
        self.open_below(below)
        self.where.setFocus()

    def _fill(self) -> None:
        self.list.clear()
        self.list.addItems([fault_text(fault) for fault in self._faults])
        self.list.setVisible(bool(self._faults))
        self.list.setFixedHeight(min(len(self._faults), 6) * (self.list.fontMetrics().height() + 10) + 4)
        self.remove.setVisible(bool(self._faults))
        self.problem.hide()
        self.adjustSize()

    def _add(self) -> None:
        where, table = self.where.text().strip(), {"time": self.when.value(), **self.deed.currentData()}
        if where:
            table |= KINDS[table["do"]].aimed_at(where)
        try:
            fault = Intervention.from_dict(table)
        except BadInput as error:
            self.problem.setText(str(error))
            self.problem.show()
            return
        self._faults = tuple(sorted((*self._faults, fault), key=lambda each: each.time))
        self.where.clear()
        self._fill()
        self.changed.emit(self._faults)

    def _remove(self) -> None:
        row = self.list.currentRow() if self.list.currentRow() >= 0 else len(self._faults) - 1
        if row >= 0:
            self._faults = self._faults[:row] + self._faults[row + 1 :]
            self._fill()
            self.changed.emit(self._faults)


class StopPopup(Popup):
    """The end of a run, besides the moment when no event is left."""

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.form = form = BoundForm(lambda _key: self._commit())
        until = number(0, 1e12, never=trc("end of a run", "never"))
        self.until = form.add("until", tr("At time"), until, name=tr("Stop at time"), live=False)
        self.events = form.add(
            "events",
            tr("After events"),
            whole(1, 2**31 - 1, step=1000),
            name=tr("Number of events to stop after"),
            live=False,
        )
        self.violation = form.bind("violation", QCheckBox(tr("when a check is violated")), name="")
        fill(self.column, form.rows, self.violation)
        self._stop: Stop | None = None

    def open(self, below: QWidget, stop: Stop) -> None:
        """Show when an experiment stops."""
        self._stop = stop
        self.form.say(stop)
        self.open_below(below)

    def _commit(self) -> None:
        if self._stop is None:
            return
        said = self.form.read()
        stop = replace(self._stop, **{**said, "until": said["until"] or None})
        if stop != self._stop:
            self._stop = stop
            self.changed.emit(stop)
