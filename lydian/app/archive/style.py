"""The style sheet of the workspace Archive, on top of the window's."""

from __future__ import annotations

from lydian.app.look.theme import Theme

__all__ = ["archive_style"]


def archive_style(theme: Theme) -> str:
    """The style sheet of the whole workspace."""
    return _SHEET.format(
        radius=int(theme.size("radius.control")),
        card=int(theme.size("radius.card")),
        small=theme.px("small"),
        heading=theme.px("heading"),
        display=theme.px("display"),
        body=theme.px("body"),
        **{
            path.replace(".", "_"): theme.color(path).name()
            for path in (
                "text.primary", "text.secondary", "text.hint", "text.onAccent", "accent.base", "accent.soft",
                "accent.hover", "accent.ring", "border.subtle", "border.control", "surface.panel", "surface.panelAlt",
                "surface.canvas", "fault.base", "fault.soft", "check.violated", "check.violatedSoft",
            )
        },
    )  # fmt: skip


_SHEET = """
#archiveFilters, #archivePage, #archiveMiddle {{ background: {surface_panel}; border: 1px solid {border_subtle};
  border-radius: {card}px; }}
#archiveFilters QWidget {{ background: {surface_panel}; }}
#archiveCards {{ background: {surface_panelAlt}; border: 0; border-radius: {card}px; padding: 3px 0 3px 3px; }}
#archiveCards:focus {{ border: 0; }}
#archiveFamilies {{ border: 0; background: {surface_panel}; }}
#archiveFilters #archiveFamilies:focus {{ border: 0; }}
#needChip {{ border: 1px solid {border_control}; border-radius: 10px; padding: 1px 6px; font-size: {small}px;
  color: {text_secondary}; background: {surface_panel}; min-height: 17px; }}
#needChip:hover {{ background: {surface_panelAlt}; color: {text_primary}; }}
#needChip:checked {{ background: {accent_soft}; border-color: {accent_base}; color: {accent_base}; font-weight: 600; }}
#needChip:focus {{ border: 2px solid {accent_ring}; padding: 0 5px; }}
#archiveTitle {{ font-size: {display}px; font-weight: 600; color: {text_primary}; }}
#archiveSentence {{ font-size: {body}px; color: {text_secondary}; }}
#archiveFamily {{ color: {text_secondary}; font-size: {small}px; font-weight: 600; }}
#archiveFacts {{ color: {text_secondary}; }}
#archiveProblem {{ color: {check_violated}; background: {check_violatedSoft}; border-radius: {radius}px;
  padding: 6px 10px; }}
#openButton {{ background: {accent_base}; color: {text_onAccent}; font-weight: 600; padding: 5px 18px;
  border: 1px solid {accent_base}; border-radius: {radius}px; }}
#openButton:hover {{ background: {accent_hover}; }}
#openButton:focus {{ border: 2px solid {text_primary}; padding: 4px 17px; }}
#openButton:disabled {{ background: {border_subtle}; border-color: {border_subtle}; color: {text_hint}; }}
#thumbnail {{ background: {surface_canvas}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#thumbnail:focus {{ border: 2px solid {accent_ring}; }}
#trialRow {{ background: {surface_panelAlt}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#trialRow[broken="true"] {{ border-left: 4px solid {fault_base}; }}
#trialRow QLabel {{ background: transparent; }}
#trialName {{ font-weight: 600; color: {text_primary}; }}
#breaksChip {{ color: {fault_base}; background: {fault_soft}; border: 1px solid {fault_base}; border-radius: 8px;
  padding: 0 7px; font-size: {small}px; font-weight: 600; }}
#trialRow #breaksChip {{ background: {fault_soft}; }}
#archiveTabs::pane {{ border: 0; border-top: 1px solid {border_subtle}; }}
"""
