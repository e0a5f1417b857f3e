"""What the desktop says about seeing and motion.  Where it says nothing, nothing is wished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

__all__ = ["Desktop", "less_motion", "more_contrast", "request", "scheme"]


def scheme() -> str:
    """``contrast`` if the desktop asks for more contrast, else ``dark`` or ``light`` as it is."""
    if more_contrast():
        return "contrast"
    hints = QGuiApplication.styleHints()
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


def request(theme: str) -> None:
    """Ask the desktop for frames and file choosers of that theme; ``system`` asks for nothing.

    It is only a request: some desktops ignore it.
    """
    wanted = {"light": Qt.ColorScheme.Light, "system": Qt.ColorScheme.Unknown}.get(theme, Qt.ColorScheme.Dark)
    hints = QGuiApplication.styleHints()
    hints.setColorScheme(wanted)


def more_contrast() -> bool:
    """Whether the desktop asks for more contrast (Qt 6.10 and later know)."""
    return _preference("contrastPreference") in ("HighContrast", "MoreContrast")


def less_motion() -> bool:
    """Whether the desktop asks for less motion (Qt 6.12 and later know)."""
    return _preference("motionPreference") in ("ReducedMotion", "LessMotion")


def _preference(name: str) -> str:
    hints: Any = QGuiApplication.styleHints() if QGuiApplication.instance() is not None else None
    if hints is None or not hasattr(hints, "accessibility"):
        return ""
    wishes = hints.accessibility()  # held: a chained temporary would be deleted under us
    asked = getattr(wishes, name, None)
    return "" if asked is None else str(asked().name)


class Desktop(QObject):
    """Tells when one of these wishes changes; holds Qt's objects while it lives."""

    def __init__(self, changed: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._changed = changed
        self._hints: Any = QGuiApplication.styleHints()
        self._wishes: Any = self._hints.accessibility() if hasattr(self._hints, "accessibility") else None
        self._hints.colorSchemeChanged.connect(self._heard)
        for name in ("contrastPreferenceChanged", "motionPreferenceChanged"):
            signal = getattr(self._wishes, name, None)
            if signal is not None:
                signal.connect(self._heard)

    def _heard(self, _wish: object = None) -> None:
        self._changed()
