"""The limits on time and memory of protocol code: two fields below the tool bar, kept for the next start."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QWidget

from lydian.app.kit.form import BoundForm, number, whole
from lydian.app.kit.layout import fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.desk.settings import LEAST_MEMORY, MOST_MEMORY
from lydian.language import tr
from lydian.model.limits import usual_memory

if TYPE_CHECKING:
    from lydian.desk.desk import Desk

__all__ = ["Bounds", "BoundsPopup"]

WIDTH = 400
ABOUT = tr(
    "A protocol runs in an operating-system process of its own. LYDIAN ends an action that takes longer, or a run that "
    "needs more memory, reports it and keeps the run so far. Changes take effect from the next run on."
)


class BoundsPopup(Popup):
    """A popup with the two fields."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = desk.settings
        self.setAccessibleName(tr("Limits for protocols"))
        self.form = form = BoundForm(lambda _key: self._keep())
        self.seconds = form.add(
            "seconds",
            tr("Time of an action"),
            number(0.1, 3600, unit=" s"),
            name=tr("Maximum time of an action in seconds"),
        )
        self.seconds.setDecimals(1)
        half = tr("half of this computer's memory ({memory:,} MB)", memory=usual_memory() // 1_000_000)
        self.memory = form.add(
            "memory", tr("Memory of a run"), whole(0, MOST_MEMORY, step=250, unit=" MB", never=half),
            name=tr("Maximum memory of a run in MB"),
        )  # fmt: skip
        self.memory.setGroupSeparatorShown(True)
        self.seconds.setKeyboardTracking(False)
        self.memory.setKeyboardTracking(False)
        fill(self.column, form.rows, set_up(QLabel(ABOUT), look="hint", wraps=True))
        form.say(self._settings)
        self._session = desk.session

    def _keep(self) -> None:
        memory = self.memory.value()
        self._settings.seconds = self.seconds.value()
        self._settings.memory = memory if memory >= LEAST_MEMORY else 0
        self._session.bounds = self._settings.bounds


class Bounds:
    """The command that shows the limits of runs."""

    def __init__(self, desk: Desk, toolbar: QWidget) -> None:
        self.desk, self.toolbar = desk, toolbar
        self.popup: BoundsPopup | None = None

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"bounds": self.show}

    def show(self) -> None:
        """Open the popup."""
        if self.popup is None:
            self.popup = BoundsPopup(self.desk, self.toolbar.window())
        bar, popup = self.toolbar, self.popup
        popup.setFixedWidth(round(WIDTH * self.desk.settings.text_scale))
        popup.adjustSize()
        popup.move(bar.mapToGlobal(QPoint(8, bar.height() + 2)))
        popup.show()
        self.popup.seconds.setFocus()
