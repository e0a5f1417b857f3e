"""How long messages take between components: in words at a border, and as a table of all of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem

from lydian.app.classroom.cards import Card
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.desk.splitting import Crossing, Splitting
from lydian.language import tr

__all__ = ["DelaysCard", "crossing_words", "milliseconds"]


def milliseconds(value: float | None) -> str:
    """Say how long something takes; "?" if that is unknown."""
    if value is None:
        return "?"
    return tr("{time:.1f} ms", time=value) if value < 10 else tr("{time:.0f} ms", time=value)


def crossing_words(crossing: Crossing, barrier: bool) -> str:
    """Say how long a message takes between two components: the network's mean and, without a barrier, the connection.

    The components' clocks wait at a barrier while a connection carries the messages.
    """
    if crossing.cut:
        return tr("cut")
    if crossing.mean is None:
        return ""
    if barrier or crossing.connection is None:
        return f"{crossing.mean:.3g}"
    return tr("{mean:.3g} + {connection}", mean=crossing.mean, connection=milliseconds(crossing.connection))


class DelaysCard(Card):
    """The milliseconds that a message takes between each two components, as measured, and the network's own delays."""

    def __init__(self, splitting: Splitting, theme: Theme) -> None:
        super().__init__(theme, "clock", tr("Delays between components"))
        self.splitting = splitting
        self.table = QTableWidget(0, 0)
        self.table.setObjectName("delayMatrix")
        self.table.setAccessibleName(tr("Delays between components"))
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.setCornerButtonEnabled(False)
        self.table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
            header.setSectionsClickable(False)
        self.words = set_up(QLabel(), look="dockNote", plain=True, wraps=True)
        self.add(self.table)
        self.add(self.words)

    def refresh(self) -> None:
        """Show the delays as they are now."""
        splitting, table = self.splitting, self.table
        names = [each.name for each in splitting.components]
        cut = {frozenset((each.a, each.b)) for each in splitting.crossings if each.cut}
        linked = {frozenset((each.a, each.b)) for each in splitting.crossings}
        if table.rowCount() != len(names):
            table.setRowCount(len(names))
            table.setColumnCount(len(names))
        table.setHorizontalHeaderLabels(names)
        table.setVerticalHeaderLabels(names)
        for i, a in enumerate(names):
            for j, b in enumerate(names):
                pair = frozenset((a, b))
                told = "·" if a == b else tr("cut") if pair in cut else milliseconds(splitting.connection(a, b))
                item = table.item(i, j)
                if item is None:
                    item = QTableWidgetItem()
                    item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                    table.setItem(i, j, item)
                item.setText(told)
                item.setToolTip("" if a == b or pair in linked else tr("No link connects these two components"))
        self._measure(len(names))
        self.words.setText(self._note())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure(self.table.rowCount())

    def _measure(self, count: int) -> None:
        """Give the columns the width that is there, or what their texts need if that is more."""
        table = self.table
        metrics = table.fontMetrics()
        high, side = metrics.height() + 10, metrics.horizontalAdvance("A10") + 10
        table.verticalHeader().setFixedWidth(side)
        table.verticalHeader().setDefaultSectionSize(high)
        table.horizontalHeader().setFixedHeight(high)
        least = metrics.horizontalAdvance("00.0 ms") + 10
        room = table.width() - side - 2 * table.frameWidth()
        wide = max(least, room // max(1, count))
        table.horizontalHeader().setDefaultSectionSize(wide)
        bar = table.horizontalScrollBar().sizeHint().height() if wide * count > room else 0
        policy = Qt.ScrollBarPolicy
        table.setHorizontalScrollBarPolicy(policy.ScrollBarAlwaysOn if bar else policy.ScrollBarAlwaysOff)
        table.setFixedHeight(high * (count + 1) + 2 * table.frameWidth() + bar)

    def _note(self) -> str:
        """Say what the network adds to the delays of the connections."""
        splitting = self.splitting
        links = sum(each.links for each in splitting.crossings if each.mean is not None)
        if splitting.barrier:
            return tr("At a barrier the clocks wait for the connections, so that only the network's own delay counts.")
        if not links:
            return tr("Measured now; added to the network's own delay.")
        between = sum((each.mean or 0.0) * each.links for each in splitting.crossings) / links
        if splitting.inside is None:
            return tr(
                "Measured now; added to the network's own delay, which is {between:.3g} on average between components.",
                between=between,
            )
        return tr(
            "Measured now; added to the network's own delay, which is {between:.3g} on average between components and "
            "{inside:.3g} inside.", between=between, inside=splitting.inside,
        )  # fmt: skip
