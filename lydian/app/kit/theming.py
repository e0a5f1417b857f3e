"""The standard look of a widget, declared once when it is made, and the change of theme of a whole tree of widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from lydian.app.kit.terms import explain
from lydian.app.look.icons import icon, pixmap
from lydian.app.look.theme import Theme

__all__ = ["Size", "grown", "mark", "set_look", "set_theme_of", "set_up", "stretched", "token"]

#: A number of pixels, or a function that computes one from a theme.
Size = int | Callable[[Theme], int]
_T = TypeVar("_T", bound=QObject)


def grown(pixels: float) -> Size:
    """Return a size for something that contains text: :meth:`Theme.grown`."""
    return lambda theme: theme.grown(pixels)


def stretched(pixels: float) -> Size:
    """Return a size for something beside text: :meth:`Theme.stretched`."""
    return lambda theme: theme.stretched(pixels)


def token(path: str) -> Size:
    """Return a size with a name, such as ``space.toolButton``: :meth:`Theme.size`."""
    return lambda theme: int(theme.size(path))


#: The sizes that can be set, with the functions that set them.
_SIZES: dict[str, Callable[[Any, int], object]] = {
    "height": lambda widget, size: widget.setFixedHeight(size),
    "square": lambda widget, size: widget.setFixedSize(size, size),
    "icon_size": lambda widget, size: None if isinstance(widget, QLabel) else widget.setIconSize(QSize(size, size)),
    "min_square": lambda widget, size: widget.setMinimumSize(size, size),
    "min_height": lambda widget, size: widget.setMinimumHeight(size),
    "min_width": lambda widget, size: widget.setMinimumWidth(size),
    "max_height": lambda widget, size: widget.setMaximumHeight(size),
    "rows": lambda table, size: table.verticalHeader().setDefaultSectionSize(size),
}


@dataclass(frozen=True)
class _Look:
    icon: str = ""
    ink: str = "text.primary"
    font: str = ""
    sizes: Mapping[str, Size] = field(default_factory=dict)

    def give(self, to: Any, theme: Theme) -> None:
        """Apply this look to a widget or an action."""
        sizes = {name: size if isinstance(size, int) else size(theme) for name, size in self.sizes.items()}
        if self.font:
            role, *kinds = self.font.split()
            to.setFont(theme.font(role, semibold="semibold" in kinds, mono="mono" in kinds))
        if self.icon and isinstance(to, QLabel):
            to.setPixmap(pixmap(self.icon, theme.color(self.ink), sizes.get("icon_size", 16), to.devicePixelRatioF()))
        elif self.icon:
            to.setIcon(icon(self.icon, theme, self.ink))
        for name, size in sizes.items():
            _SIZES[name](to, size)


def set_look(to: _T, theme: Theme, *, icon: str = "", ink: str = "", font: str = "", **sizes: Size) -> _T:
    """Give a widget or an action its look in a theme, and again whenever :func:`set_theme_of` changes the theme.

    Settings of an earlier call that are not given again remain in force.

    Args:
        icon: the name of its icon; a label shows it as its picture.
        ink: the theme's name for the colour of the icon; ``text.primary`` by default.
        font: a role of type, optionally followed by ``semibold`` or ``mono``.
        sizes: ``height`` and ``square`` are fixed; ``min_square``, ``min_height``, ``min_width``, ``max_height``;
            ``icon_size``; ``rows``, the height of the rows of a table.
    """
    before = to.property("look")
    old = before if isinstance(before, _Look) else _Look()
    look = _Look(icon or old.icon, ink or old.ink, font or old.font, {**old.sizes, **sizes})
    to.setProperty("look", look)
    look.give(to, theme)
    return to


def set_up(
    to: _T, *, look: str = "", name: str = "", about: str = "", tip: str = "", empty: str = "", wraps: bool = False,
    plain: bool = False, checkable: bool = False, clicked: Any = None, terms: tuple[str, ...] = (),
) -> _T:  # fmt: skip
    """Set the common properties of a new widget in one call, and return the widget.

    Args:
        look: its name in the style sheet.
        name, about: its name and description for a screen reader.
        tip: its tooltip.
        empty: the placeholder text of a field.
        wraps, plain: for a label, whether it wraps, and whether its text is not mark-up.
        checkable: for a button, whether it stays pressed.
        clicked: called on a click.
        terms: the terms of the glossary that it names: :func:`lydian.app.kit.terms.explain`.
    """
    widget: Any = to
    for given, tell in (
        (look, "setObjectName"), (name, "setAccessibleName"), (about, "setAccessibleDescription"), (tip, "setToolTip"),
        (empty, "setPlaceholderText"), (wraps, "setWordWrap"), (checkable, "setCheckable"),
        (plain and Qt.TextFormat.PlainText, "setTextFormat"),
    ):  # fmt: skip
        if given:
            getattr(widget, tell)(given)
    if terms:
        explain(widget, *terms)
    if clicked is not None:
        widget.clicked.connect(clicked)
    return to


def mark(widget: QWidget, name: str = "", **facts: object) -> None:
    """Change the name or the properties by which the style sheet selects a widget, and update its look.

    Args:
        name: its new name; unchanged if empty.
        facts: properties that the sheet refers to, such as ``bad``.
    """
    news = {fact: value for fact, value in facts.items() if widget.property(fact) != value}
    if news or (name and widget.objectName() != name):
        widget.setObjectName(name or widget.objectName())
        for fact, value in news.items():
            widget.setProperty(fact, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_theme_of(root: QObject, theme: Theme) -> None:
    """Change the theme of an object and of all objects in it.

    First each attribute ``theme`` is set to the new theme and each standard look is applied again. Then ``set_theme``
    is called on every object that has such a method: on children before their parents, and last on objects that are not
    widgets. These methods need not pass the theme on.
    """
    parts = [root, *root.findChildren(QObject)]
    for part in parts:
        if isinstance(part.__dict__.get("theme"), Theme):
            part.theme = theme  # type: ignore[attr-defined]
            if isinstance(part, QWidget):
                part.updateGeometry()
                part.update()
        look = part.property("look")
        if isinstance(look, _Look):
            look.give(part, theme)
    widgets = [part for part in reversed(parts) if isinstance(part, QWidget)]
    for part in [*widgets, *(part for part in parts if not isinstance(part, QWidget))]:
        if hasattr(type(part), "set_theme") and isValid(part):  # Asking the type is faster than asking the object.
            part.set_theme(theme)  # type: ignore[attr-defined]
