"""The fixed type of code, for style sheets."""

from __future__ import annotations

from lydian.app.look.theme import Theme

__all__ = ["mono_style"]


def mono_style(theme: Theme, role: str = "small") -> str:
    """Family and size, to be put among the braces of a style sheet.

    A font that is set on a widget loses against the sizes in the window's style sheet.
    """
    return f'font-family: "{theme.font(role, mono=True).family()}"; font-size: {theme.px(role)}px;'
