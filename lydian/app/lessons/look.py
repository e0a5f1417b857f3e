"""Colours and sizes of the parts of a lesson."""

from __future__ import annotations

from lydian.app.look.theme import Theme

__all__ = ["card_style", "side_style"]


def card_style(theme: Theme) -> str:
    """The style of a card: a thing to do, a question, what came out of it."""
    c = {path: theme.color(path).name() for path in (
        "surface.panelAlt", "surface.panel", "border.subtle", "text.primary", "text.hint", "accent.base", "accent.soft",
        "check.holds", "check.violated",
    )}  # fmt: skip
    radius = int(theme.size("radius.card"))
    return (
        f"#lessonCard {{ background: {c['surface.panelAlt']}; border: 1px solid {c['border.subtle']};"
        f" border-radius: {radius}px; }}"
        f"#lessonCard[now=\"true\"] {{ border-color: {c['accent.base']}; }}"
        "#lessonCard QLabel, #lessonCard QRadioButton { background: transparent; }"
        f"#lessonKind {{ color: {c['text.hint']}; font-weight: 600; font-size: {theme.px('caption')}px; }}"
        f"#lessonPale {{ color: {c['text.hint']}; font-size: {theme.px('small')}px; }}"
        f"#lessonAsked {{ color: {c['text.primary']}; font-weight: 600; }}"
        f"#lessonSide {{ background: {c['surface.panel']}; border: 1px solid {c['border.subtle']};"
        f" border-radius: {int(theme.size('radius.control'))}px; }}"
        f"#lessonValue {{ color: {c['text.primary']}; font-weight: 600; font-size: {theme.px('body') + 2}px; }}"
        f"#lessonGood {{ color: {c['check.holds']}; font-weight: 600; }}"
        f"#lessonBad {{ color: {c['check.violated']}; font-weight: 600; }}"
    )


def side_style(theme: Theme) -> str:
    """The style of the panel around them."""
    c = {path: theme.color(path).name() for path in (
        "border.subtle", "surface.header", "surface.panel", "text.secondary", "check.warnSoft", "text.primary",
    )}  # fmt: skip
    return (
        f"#lessonHead {{ background: {c['surface.panel']}; border-bottom: 1px solid {c['border.subtle']}; }}"
        f"#lessonFoot {{ background: {c['surface.panel']}; border-top: 1px solid {c['border.subtle']}; }}"
        f"#lessonTitle {{ color: {c['text.secondary']}; font-weight: 600; font-size: {theme.px('small')}px; }}"
        f"#lessonStep {{ color: {c['text.primary']}; font-weight: 600; font-size: {theme.px('body') + 4}px; }}"
        f"#lessonElsewhere {{ background: {c['check.warnSoft']}; border-bottom: 1px solid {c['border.subtle']}; }}"
        f"#lessonText {{ color: {c['text.primary']}; background: transparent; }}"
    ) + card_style(theme)
