"""The form for a search of all schedules or of random ones: its network, its crashes and losses, and its bounds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QSizePolicy, QSpinBox, QWidget

from lydian.app.kit.flow import FlowRow
from lydian.app.kit.layout import across, held
from lydian.app.kit.theming import set_up
from lydian.batch.pool import cores
from lydian.language import tr, trc

__all__ = ["ExplorerForm"]

#: The largest numbers of crashes and losses, steps, seconds, and random schedules that can be set.
MOST_HARM, MOST_DEPTH, MOST_SECONDS, MOST_WALKS = 9, 999, 36_000, 10_000_000
#: The largest depth of a bug for which priorities can be drawn.
_MOST_PRIORITIES = 9


class ExplorerForm(QWidget):
    """The form with a network, chosen or typed, and the bounds of a search."""

    #: Emitted when Return is pressed in the field of the network.
    begun = Signal()
    #: Emitted when another network is chosen.
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.own = ""
        self.network = QComboBox()
        self.network.setEditable(True)
        self.network.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.network.setAccessibleName(tr("Network for the search of all schedules"))
        self.network.setToolTip(tr("Choose or type a small network, for example ring:4 or grid:2x3"))
        self.network.setMinimumContentsLength(13)
        self.network.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.network.currentIndexChanged.connect(lambda _index: self.changed.emit())
        self.network.editTextChanged.connect(lambda _text: self.changed.emit())
        line = self.network.lineEdit()
        if line is not None:
            line.setAccessibleName(tr("Network for the search of all schedules"))
            line.returnPressed.connect(self.begun)
        self.crashes = _spin(
            tr("Crashes"), 0, MOST_HARM, tr("The largest number of processes that crash, each at any moment")
        )
        self.losses = _spin(tr("Losses"), 0, MOST_HARM, tr("The largest number of messages that are lost"))
        self.deep = _spin(tr("Depth"), 0, MOST_DEPTH, tr("The largest number of steps of a schedule"))
        self.deep.setSpecialValueText(trc("depth of a search without a limit", "any"))
        self.seconds = _spin(
            tr("Seconds"), 1, MOST_SECONDS, tr("The time limit of the search, whose results so far are shown")
        )
        self.seconds.setValue(60)
        self.workers = _spin(
            tr("Workers"), 1, max(1, cores()),
            tr("The number of processes of this computer that search; the result does not depend on it"),
        )  # fmt: skip
        self.walk = _spin(
            tr("Random schedules"), 0, MOST_WALKS,
            tr("Follow this many random schedules, on a network of any size, instead of trying all of them"),
        )  # fmt: skip
        self.walk.setSpecialValueText(trc("random schedules", "none"))
        self.walk.setSingleStep(1000)
        self.priorities = _spin(
            tr("Bug depth"), 0, _MOST_PRIORITIES,
            tr("The number of events that need a certain order: random schedules find such a bug by priorities"),
        )  # fmt: skip
        self.priorities.setSpecialValueText(trc("depth of a search without a limit", "any"))
        self.walk.valueChanged.connect(lambda count: self.priorities.setEnabled(count > 0))
        self.walk.valueChanged.connect(lambda count: self.workers.setEnabled(not count))
        self.priorities.setEnabled(False)
        self.patient = QCheckBox(tr("Patient timers"))
        self.patient.setToolTip(tr("A timer expires only when no other event is enabled"))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        flow = FlowRow(self, gap=10)
        self._parts: list[QWidget] = []
        for words, widget in (
            (tr("Network"), self.network), (tr("Crashes"), self.crashes), (tr("Losses"), self.losses),
            (tr("Depth"), self.deep), (tr("Seconds"), self.seconds), (tr("Workers"), self.workers),
            (tr("Random schedules"), self.walk), (tr("Bug depth"), self.priorities), ("", self.patient),
        ):  # fmt: skip
            self._parts.append(_named(words, widget))
            flow.addWidget(self._parts[-1])
        self.level()

    def level(self, height: int = 0) -> None:
        """Give all parts the same height, so that their labels are on one line."""
        high = max(height, *(each.sizeHint().height() for each in self._parts))
        for each in self._parts:
            each.setFixedHeight(high)

    def show_networks(self, own: str, own_first: bool, others: Sequence[str]) -> None:
        """Offer networks, the experiment's ``own`` first or last; keep one that was typed or chosen before."""
        before = self.network.currentText() if self.network.count() else ""
        was_own = before == self.own
        self.own = own
        rest = [each for each in others if each != own]
        names = [own, *rest] if own_first else [*rest, own]
        self.network.blockSignals(True)
        self.network.clear()
        self.network.addItems(names)
        if before and not was_own:
            self.network.setCurrentText(before)
        self.network.blockSignals(False)
        self.changed.emit()

    @property
    def chosen(self) -> str:
        """The chosen or typed network."""
        return self.network.currentText().strip()

    def bounds(self) -> dict[str, object]:
        """Return the bounds of the search for its request."""
        return {
            "crashes": self.crashes.value(), "losses": self.losses.value(), "depth": self.deep.value() or None,
            "seconds": self.seconds.value(), "patient": self.patient.isChecked(),
            "workers": 1 if self.walk.value() else self.workers.value(),
            "walk": self.walk.value() or None,
            "priorities": (self.priorities.value() or None) if self.walk.value() else None,
        }  # fmt: skip


def _spin(name: str, least: int, most: int, tip: str) -> QSpinBox:
    spin = set_up(QSpinBox(), name=name, tip=tip)
    spin.setRange(least, most)
    return spin


def _named(words: str, widget: QWidget) -> QWidget:
    """Put a label before a field, so that they stay together when the row wraps."""
    if not words:
        return held(across(widget, spacing=6))
    label = QLabel(words)
    label.setObjectName("hint")
    label.setBuddy(widget)
    return held(across(label, widget, spacing=6))
