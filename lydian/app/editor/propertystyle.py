"""The style sheet of the panels of properties."""

from __future__ import annotations

from lydian.app.look.theme import Theme

__all__ = ["panel_style"]


def panel_style(theme: Theme) -> str:
    """The style sheet of the panels of properties, on top of the window's."""
    return _SHEET.format(
        radius=int(theme.size("radius.control")),
        small=theme.px("small"),
        caption=theme.px("caption"),
        **{
            path.replace(".", "_"): theme.color(path).name()
            for path in (
                "text.primary", "text.secondary", "text.hint", "text.link", "link.override", "link.overrideSoft",
                "check.violated", "check.warnSoft", "accent.base", "accent.soft", "accent.ring", "border.subtle",
                "border.control", "surface.panel", "surface.header", "fault.base",
            )
        },
    )  # fmt: skip


_SHEET = """
#propertyBody, #propertyPage {{ background: {surface_panel}; }}
#fieldLabel {{ color: {text_secondary}; font-size: {small}px; }}
#fieldUnit {{ color: {text_hint}; font-size: {small}px; background: transparent; }}
#propertyTitle {{ font-weight: 600; color: {text_primary}; }}
#propertyWay {{ color: {text_hint}; }}
#ownChip {{ color: {link_override}; background: {link_overrideSoft}; border: 1px solid {link_override};
  border-radius: 9px; padding: 1px 8px; font-size: {small}px; font-weight: 600; }}
#propertyNote {{ background: {check_warnSoft}; border: 1px solid {border_subtle}; border-radius: {radius}px; }}
#propertyNote QLabel {{ background: transparent; color: {text_primary}; font-size: {small}px; }}
QLineEdit[bad="true"] {{ border: 1px solid {check_violated}; }}
QLineEdit[bad="true"]:focus {{ border: 2px solid {check_violated}; }}
QPlainTextEdit {{ border: 1px solid {border_control}; border-radius: {radius}px; padding: 2px 4px;
  background: {surface_panel}; color: {text_primary}; }}
QPlainTextEdit:focus {{ border: 2px solid {accent_ring}; padding: 1px 3px; }}
#statLabel {{ color: {text_secondary}; font-size: {caption}px; }}
#statValue {{ color: {text_primary}; font-weight: 600; }}
#segment QToolButton {{ padding: 0 4px; }}
#segment QToolButton:focus {{ padding: 0 2px; }}
#segment QToolButton:disabled {{ color: {text_hint}; }}
#small {{ padding: 3px 8px; font-size: {small}px; }}
#small:focus {{ padding: 2px 7px; }}
#propertyTabs {{ background: {surface_header}; border-bottom: 1px solid {border_subtle}; }}
"""
