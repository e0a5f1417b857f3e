"""The style sheet of the workspace Sweep, on top of the window's."""

from __future__ import annotations

from lydian.app.look.theme import Theme

__all__ = ["sweep_style"]


def sweep_style(theme: Theme) -> str:
    """The style sheet of the whole workspace."""
    return _SHEET.format(
        radius=int(theme.size("radius.control")),
        card=int(theme.size("radius.card")),
        small=theme.px("small"),
        heading=theme.px("heading"),
        display=theme.px("display"),
        **{
            path.replace(".", "_"): theme.color(path).name()
            for path in (
                "text.primary", "text.secondary", "text.hint", "check.violated", "accent.base", "accent.soft",
                "accent.ring", "border.subtle", "border.control", "surface.panel", "surface.panelAlt",
                "surface.header", "surface.window", "check.holds", "check.holdsSoft", "fault.base", "fault.soft",
                "check.warn", "check.warnSoft", "text.onAccent",
            )
        },
    )  # fmt: skip


_SHEET = """
#sweepBody, #sweepPage, #sweepFoot {{ background: {surface_panel}; }}
#sweepFoot {{ border-top: 1px solid {border_subtle}; }}
#varyCard {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#varyCard[open="true"] {{ border-color: {border_control}; }}
#varyCard[bad="true"] {{ border-color: {check_violated}; }}
#varyCard QLabel, #varyCard QCheckBox, #varyEditor {{ background: transparent; }}
#varyTitle {{ border: 0; background: transparent; font-weight: 600; text-align: left; padding: 3px 2px; }}
#varyTitle:hover {{ color: {accent_base}; background: transparent; }}
#varyTitle:focus {{ border: 2px solid {accent_ring}; padding: 1px 0px; border-radius: {radius}px; }}
#fieldLabel {{ color: {text_secondary}; font-size: {small}px; }}
#total {{ font-weight: 600; color: {text_primary}; }}
#runCount {{ font-size: {display}px; font-weight: 600; color: {text_primary}; }}
#runState, #runRate, #runNote {{ color: {text_secondary}; }}
#runNote {{ font-size: {small}px; }}
#failedChip {{ border-radius: 10px; padding: 2px 10px; font-size: {small}px; font-weight: 600;
  border: 1px solid {check_holds}; color: {check_holds}; background: {check_holdsSoft}; }}
#failedChip[bad="true"] {{ border-color: {fault_base}; color: {fault_base}; background: {fault_soft}; }}
#failedChip:focus {{ border: 2px solid {accent_ring}; padding: 1px 9px; }}
QLineEdit[bad="true"] {{ border: 1px solid {check_violated}; }}
QLineEdit[bad="true"]:focus {{ border: 2px solid {check_violated}; }}
#segment QToolButton {{ padding: 0 6px; }}
#segment QToolButton:focus {{ padding: 0 4px; }}
#segment QToolButton:disabled {{ color: {text_hint}; }}
#sweepBar {{ background: {surface_window}; border: 0; border-radius: 6px; }}
#sweepBar::chunk {{ background: {accent_base}; border-radius: 6px; }}
#sweepBar[over="true"]::chunk {{ background: {check_holds}; }}
#small {{ padding: 3px 8px; font-size: {small}px; }}
#small:focus {{ padding: 2px 7px; }}
QPlainTextEdit {{ border: 1px solid {border_control}; border-radius: {radius}px; padding: 2px 3px;
  background: {surface_panel}; color: {text_primary}; }}
QPlainTextEdit:focus {{ border: 2px solid {accent_ring}; padding: 1px 2px; }}
#sweepFrame {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#sweepTabs::pane {{ border: 0; }}
"""
