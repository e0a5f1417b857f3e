"""Widgets that name a term of the glossary: their tooltips quote it, and F1 opens it."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QWidget

from lydian.desk.guide.glossary import explained

__all__ = ["TERM", "explain", "term_of"]

#: The role of an item's term in a list, a table or a tree.
TERM = Qt.ItemDataRole.UserRole + 100
_Widget = TypeVar("_Widget", bound=QWidget)


def explain(widget: _Widget, *names: str, tip: str | None = None) -> _Widget:
    """Let a tooltip end with the meanings of terms; F1 opens the first of them, and What's this shows them.

    Args:
        tip: the beginning of the tooltip; that of the widget by default.
    """
    widget.setToolTip(explained(widget.toolTip() if tip is None else tip, *names))
    widget.setWhatsThis(explained("", *names))
    widget.setProperty("term", names[0] if names else None)
    return widget


def term_of(widget: QWidget) -> str:
    """Return the term that a widget or its selected item names, or ""."""
    if isinstance(widget, QAbstractItemView):
        index = widget.currentIndex()
        if index.isValid() and widget.selectionModel().isSelected(index):
            return str(index.data(TERM) or "")
    return str(widget.property("term") or "")
