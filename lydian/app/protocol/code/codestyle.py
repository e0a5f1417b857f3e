"""The style sheet of the code."""

from __future__ import annotations

from lydian.app.look.theme import Theme, mixed

__all__ = ["text_style"]


def text_style(theme: Theme, family: str) -> str:
    """Return the style sheet of the text; it includes the font, which the window's sheet would override."""
    ground, ink = theme.color("surface.canvas").name(), theme.color("text.primary").name()
    chosen = mixed(theme.color("accent.soft"), theme.color("accent.base"), 0.22).name()
    return (
        f"#codeText {{ background: {ground}; color: {ink}; border: 0; font-size: {theme.px('body') + 1}px;"
        f' font-family: "{family.replace(chr(34), "")}"; selection-color: {ink};'
        f" selection-background-color: {chosen}; }}"
        f"#codeText::corner {{ background: {ground}; border: 0; }}"
    )
