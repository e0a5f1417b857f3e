"""The desktop's settings for contrast and motion; if the desktop has none, nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

__all__ = ["Desktop", "less_motion", "more_contrast", "request", "scheme"]


def scheme() -> str:
    """Return ``contrast`` if the desktop requests more contrast, else ``dark`` or ``light``."""
    if more_contrast():
        return "contrast"
    hints = QGuiApplication.styleHints()
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"


def request(theme: str) -> None:
    """Request window frames and file choosers in the given theme from the desktop; ``system`` requests nothing.

    Some desktops ignore the request.
    """
    wanted = {"light": Qt.ColorScheme.Light, "system": Qt.ColorScheme.Unknown}.get(theme, Qt.ColorScheme.Dark)
    hints = QGuiApplication.styleHints()
    hints.setColorScheme(wanted)


def more_contrast() -> bool:
    """Return whether the desktop requests more contrast (known from Qt 6.10 on)."""
    return _preference("contrastPreference") in ("HighContrast", "MoreContrast")


def less_motion() -> bool:
    """Return whether the desktop requests less motion (known from Qt 6.12 on)."""
    return _preference("motionPreference") in ("ReducedMotion", "LessMotion")


def _preference(name: str) -> str:
    hints: Any = QGuiApplication.styleHints() if QGuiApplication.instance() is not None else None
    if hints is None or not hasattr(hints, "accessibility"):
        return ""
    wishes = hints.accessibility()  # held, because Qt would delete a chained temporary
    asked = getattr(wishes, name, None)
    return "" if asked is None else str(asked().name)


class Desktop(QObject):
    """A source of signals for changes of these settings; it keeps Qt's objects alive."""

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
