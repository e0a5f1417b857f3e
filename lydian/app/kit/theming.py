"""The standard look of a widget, said once when it is made, and the change of theme of a whole tree of widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from lydian.app.look.icons import icon, pixmap
from lydian.app.look.theme import Theme

__all__ = ["Size", "grown", "mark", "set_look", "set_theme_of", "set_up", "stretched", "token"]

#: A number of pixels, or what a theme makes of one.
Size = int | Callable[[Theme], int]
_T = TypeVar("_T", bound=QObject)


def grown(pixels: float) -> Size:
    """A size of something that holds text: :meth:`Theme.grown`."""
    return lambda theme: theme.grown(pixels)


def stretched(pixels: float) -> Size:
    """A size of something beside text: :meth:`Theme.stretched`."""
    return lambda theme: theme.stretched(pixels)


def token(path: str) -> Size:
    """A size with a name, such as ``space.toolButton``: :meth:`Theme.size`."""
    return lambda theme: int(theme.size(path))


#: What can be given a size, and how that is done.
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
        """Let a widget or an action look like this."""
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
    """Give a widget or an action its look in a theme, and again whenever :func:`set_theme_of` changes that.

    What was said of its look before, and is not said anew, holds as well.

    Args:
        icon: the name of its icon; a label shows it as its picture.
        ink: the colour of the icon, as the theme calls it; ``text.primary`` if none is named.
        font: a role of type, and ``semibold`` or ``mono`` behind it.
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
    plain: bool = False, checkable: bool = False, clicked: Any = None,
) -> _T:  # fmt: skip
    """Say in one go of a widget that was just made what it is.

    Args:
        look: what the style sheet calls it.
        name, about: what a screen reader calls it, and says of it.
        tip: its tool tip.
        empty: what stands in a field while it is empty.
        wraps, plain: of a label, whether it has several lines, and whether its text is no mark-up.
        checkable: of a button, whether it stays down.
        clicked: what a click does.
    """
    widget: Any = to
    for given, tell in (
        (look, "setObjectName"), (name, "setAccessibleName"), (about, "setAccessibleDescription"), (tip, "setToolTip"),
        (empty, "setPlaceholderText"), (wraps, "setWordWrap"), (checkable, "setCheckable"),
        (plain and Qt.TextFormat.PlainText, "setTextFormat"),
    ):  # fmt: skip
        if given:
            getattr(widget, tell)(given)
    if clicked is not None:
        widget.clicked.connect(clicked)
    return to


def mark(widget: QWidget, name: str = "", **facts: object) -> None:
    """Let a widget look as the style sheet says of another name, or of other properties.

    Args:
        name: its name from now on; as it is called if none is given.
        facts: properties that the sheet asks for, such as ``bad``.
    """
    news = {fact: value for fact, value in facts.items() if widget.property(fact) != value}
    if news or (name and widget.objectName() != name):
        widget.setObjectName(name or widget.objectName())
        for fact, value in news.items():
            widget.setProperty(fact, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_theme_of(root: QObject, theme: Theme) -> None:
    """Change the theme of an object and of everything in it.

    First each attribute ``theme`` gets the new one and each standard look is given again.  Then every object that has
    a method ``set_theme`` does there what is special about it: children before their parents, and what is no widget
    last.  Nobody passes it on.
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
        if hasattr(type(part), "set_theme") and isValid(part):  # of a type that is asked at less cost than the part
            part.set_theme(theme)  # type: ignore[attr-defined]
