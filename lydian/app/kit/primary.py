"""The button of a panel that does what the panel is for."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from lydian.app.look.theme import Theme

__all__ = ["dress"]


def dress(button: QPushButton, theme: Theme) -> None:
    """Give a button the colours of the one that matters; one that cannot be pressed is pale."""
    name = {
        path: theme.color(path).name()
        for path in ("accent.base", "accent.hover", "text.onAccent", "border.subtle", "text.hint", "text.primary")
    }
    button.setStyleSheet(
        f"QPushButton {{ background: {name['accent.base']}; color: {name['text.onAccent']}; border: 0; "
        f"padding: 6px 14px; font-weight: 600; border-radius: {int(theme.size('radius.control'))}px; }}"
        f"QPushButton:hover {{ background: {name['accent.hover']}; }}"
        f"QPushButton:focus {{ border: 2px solid {name['text.primary']}; padding: 4px 12px; }}"
        f"QPushButton:disabled {{ background: {name['border.subtle']}; color: {name['text.hint']}; }}"
    )
