"""The number of events in the time window, in the title bar of a view: fewer, more, and the whole run."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr, trn

__all__ = ["WindowBar"]

#: The widest number that has room without the bar becoming wider.
WIDE = 8_888


class WindowBar(QWidget):
    """The size of the time window in events, with buttons that change it; unused while a short run is shown whole."""

    def __init__(self, camera: TimeCamera, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.camera, self.theme = camera, theme
        self.setObjectName("windowBar")
        fewer, more = tr("Show fewer events"), tr("Show more events")
        self.fewer = set_up(QToolButton(), name=fewer, tip=fewer, clicked=lambda: camera.more(-1))
        self.more = set_up(QToolButton(), name=more, tip=more, clicked=lambda: camera.more(1))
        self.count = set_up(QLabel(), look="windowCount", name=tr("Number of events in the time window"))
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.whole = set_up(
            QToolButton(), look="wholeRun", checkable=True, clicked=camera.toggle,
            tip=tr("Show the whole run, or return to the events around the play head (0)"),
        )  # fmt: skip
        self.whole.setText(tr("Whole run"))
        for button in (self.fewer, self.more, self.whole):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        across(self.fewer, self.count, self.more, 4, self.whole, on=self, spacing=0)
        set_look(self.fewer, theme, icon="minus", ink="text.secondary")
        set_look(self.more, theme, icon="plus", ink="text.secondary")
        self.set_theme(theme)
        camera.listen(self.refresh)
        self.refresh()

    @property
    def idle(self) -> bool:
        """Whether there is nothing to choose, because the run is short and shown whole."""
        return self.camera.short and self.camera.fits

    def set_theme(self, theme: Theme) -> None:
        font = theme.font("small", semibold=True)
        self.count.setFont(font)
        self.whole.setFont(theme.font("small"))
        side = max(24, theme.px("small") + 12)
        for button in (self.fewer, self.more):
            button.setFixedSize(side, side)
        self.whole.setFixedHeight(side)
        self._widen(_words(WIDE))

    def _widen(self, words: str) -> None:
        """Give a number and its word room."""
        self.count.setFixedWidth(self.count.fontMetrics().horizontalAdvance(words) + 8)
        self.setFixedWidth(self.sizeHint().width())
        self._fit()

    def _fit(self) -> None:
        """Let the title bar find room."""
        bar = self.parentWidget()
        if bar is not None and hasattr(bar, "fit"):
            bar.fit()

    def refresh(self) -> None:
        """Show the number of events in view."""
        events, fits = self.camera.events, self.camera.fits
        words = _words(events)
        if words != self.count.text():
            self.count.setText(words)
            if self.count.fontMetrics().horizontalAdvance(words) + 4 > self.count.width():
                self._widen(words)
        self.whole.setChecked(fits)
        self.more.setEnabled(not fits)
        if self.property("idle") != self.idle:
            self.setProperty("idle", self.idle)
            self._fit()


def _words(events: int) -> str:
    return trn("{count:,} event", "{count:,} events", events)
