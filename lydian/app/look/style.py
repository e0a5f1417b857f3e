"""The style sheet of the window's own parts, on top of the theme's."""

from __future__ import annotations

from lydian.app.look.icons import resources
from lydian.app.look.theme import Theme, mixed

__all__ = ["window_style"]


def window_style(theme: Theme) -> str:
    """The style sheet for the whole window, the theme's included."""
    names = {
        path.replace(".", "_"): theme.color(path).name()
        for path in (
            "surface.window", "surface.panel", "surface.panelAlt", "surface.header", "surface.raised",
            "border.subtle", "border.control", "text.primary", "text.secondary", "text.hint", "text.onAccent",
            "accent.base", "accent.hover", "accent.soft", "accent.ring", "check.warnSoft", "check.warn",
            "check.violated", "check.holds", "check.holdsSoft",
        )
    }  # fmt: skip
    sizes = {
        "body": theme.px("body"),
        "small": theme.px("small"),
        "caption": theme.px("caption"),
        "card": int(theme.size("radius.card")),
        "control": int(theme.size("radius.control")),
        "tool": int(theme.size("space.toolButton")),
        "box": theme.stretched(14),
        "round": (theme.stretched(14) + 2) // 2,
    }
    # A style sheet takes pictures from files only, and those know no theme: there is one for each ground.
    on = "light" if theme.color("text.onAccent").lightness() > 127 else "dark"
    files = {"drop": "drop", "ticked": f"ticked-{on}", "partly": f"partly-{on}"}
    pictures = {name: (resources() / "icons" / f"{file}.svg").as_posix() for name, file in files.items()}
    faint = mixed(theme.color("text.hint"), theme.color("surface.window"), 0.35).name()
    return theme.stylesheet() + _SHEET.format(**names, **sizes, **pictures, faint=faint)


_SHEET = """
QMainWindow, #shell, #inner {{ background: {surface_window}; }}
QMainWindow::separator {{ background: {surface_window}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {accent_soft}; }}
QMenuBar {{ background: {surface_panel}; padding: 2px 6px; color: {text_primary}; }}
QMenuBar::item {{ padding: 4px 9px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {accent_soft}; }}
QToolBar {{ background: {surface_panel}; border: 0; border-bottom: 1px solid {border_subtle}; spacing: 4px;
  padding: 7px 10px; }}
QToolBar::separator {{ background: {border_subtle}; width: 1px; margin: 4px 6px; }}
QToolButton {{ border: 1px solid transparent; border-radius: {control}px; padding: 3px; color: {text_primary};
  background: transparent; }}
QToolButton:hover {{ background: {accent_soft}; }}
QToolButton:focus {{ border: 2px solid {accent_ring}; padding: 2px; }}
QToolButton:checked {{ background: {accent_soft}; border-color: {accent_base}; color: {accent_base}; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
#runButton {{ background: {accent_base}; color: {text_onAccent}; font-weight: 600; padding: 0 12px; }}
#runButton:hover {{ background: {accent_hover}; }}
#runButton:focus {{ border: 2px solid {text_primary}; padding: 0 11px; }}
#runButton:disabled {{ background: {border_subtle}; color: {text_hint}; }}
#playButton {{ background: {accent_base}; }}
#playButton:hover {{ background: {accent_hover}; }}
#playButton:focus {{ border: 2px solid {text_primary}; }}
#toolStrip {{ background: {surface_raised}; border: 1px solid {border_subtle}; border-radius: {control}px; }}
#toolStrip QToolButton {{ padding: 0 8px; }}
#toolStrip QToolButton:checked {{ background: {accent_soft}; border: 1px solid {accent_base}; color: {accent_base}; }}
#chip {{ border: 1px solid {check_warn}; border-radius: 11px; padding: 2px 10px; background: {check_warnSoft};
  color: {check_warn}; }}
#chip[ready="true"] {{ border-color: {check_holds}; background: {check_holdsSoft}; color: {check_holds}; }}
#chip:focus {{ border: 2px solid {accent_ring}; padding: 1px 9px; }}
#segment {{ border: 1px solid {border_control}; border-radius: {control}px; }}
#segment QToolButton {{ border: 0; border-radius: 0; padding: 0 12px; font-weight: 500; }}
#segment QToolButton:checked {{ background: {accent_base}; color: {text_onAccent}; font-weight: 600; }}
#segment QToolButton:focus {{ border: 2px solid {accent_ring}; padding: 0 10px; }}
#notice {{ background: {check_warnSoft}; border-bottom: 1px solid {border_subtle}; }}
#notice[problem="false"] {{ background: {accent_soft}; }}
#noticeText {{ color: {text_primary}; }}
QDockWidget {{ color: {text_primary}; }}
#dockTitle {{ background: {surface_header}; border: 1px solid {border_subtle}; border-bottom-color: {border_subtle};
  border-top-left-radius: {card}px; border-top-right-radius: {card}px; }}
#dockBody {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-top: 0;
  border-bottom-left-radius: {card}px; border-bottom-right-radius: {card}px; }}
#dockName {{ font-weight: 600; color: {text_primary}; }}
#dockNote {{ color: {text_hint}; font-size: {small}px; }}
QTabBar::tab {{ background: {surface_header}; color: {text_secondary}; padding: 6px 12px; border: 0;
  border-bottom: 2px solid transparent; font-weight: 500; }}
QTabBar::tab:selected {{ color: {accent_base}; border-bottom-color: {accent_base}; font-weight: 600; }}
#bottom {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#narration {{ background: {surface_header}; border-bottom: 1px solid {border_subtle};
  border-top-left-radius: {card}px; border-top-right-radius: {card}px; }}
#narrationText {{ color: {text_primary}; }}
#hint {{ color: {text_hint}; }}
#narration #hint {{ font-size: {small}px; }}
#separator {{ background: {border_subtle}; }}
QStatusBar {{ background: {surface_window}; color: {text_secondary}; font-size: {small}px;
  border-top: 1px solid {border_subtle}; }}
QStatusBar QLabel {{ font-size: {small}px; color: {text_secondary}; padding: 0 6px; }}
#card {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; text-align: left; }}
#card:hover {{ border-color: {border_control}; background: {surface_panelAlt}; }}
#card:focus {{ border: 2px solid {accent_ring}; }}
#card QLabel {{ background: transparent; }}
#cardLabel, #cardHint {{ color: {text_hint}; font-size: {small}px; }}
#cardValue {{ color: {text_primary}; font-weight: 600; }}
#heading {{ color: {text_secondary}; font-size: {small}px; font-weight: 600; }}
#popup {{ background: {surface_panel}; border: 1px solid {border_control}; }}
#problem {{ color: {check_violated}; font-size: {small}px; }}
#explained {{ color: {text_hint}; font-size: {small}px; }}
QScrollArea, #panel {{ background: {surface_panel}; border: 0; }}
QListView, QTreeView, QTableView {{ background: {surface_panel}; border: 0; outline: 0;
  selection-background-color: {accent_soft}; selection-color: {text_primary}; }}
QListView::item, QTreeView::item {{ padding: 3px 4px; border: 0; }}
QListView::item:selected, QTreeView::item:selected, QTableView::item:selected {{ background: {accent_soft};
  color: {text_primary}; }}
QListView::item:hover, QTreeView::item:hover {{ background: {surface_panelAlt}; }}
QHeaderView::section {{ background: {surface_header}; color: {text_secondary}; border: 0;
  border-bottom: 1px solid {border_subtle}; padding: 4px 6px; font-size: {small}px; font-weight: 600; }}
QAbstractSpinBox QLineEdit {{ border: 0; padding: 0 4px; background: transparent; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; border: 0; }}
QAbstractSpinBox QLineEdit:focus {{ border: 0; padding: 0 4px; }}
QComboBox::drop-down {{ border: 0; width: 20px; }}
QComboBox::down-arrow {{ image: url({drop}); width: 14px; height: 14px; }}
#popup QLineEdit, #popup QComboBox, #popup QAbstractSpinBox {{ min-height: 20px; }}
#popup QAbstractSpinBox QLineEdit {{ min-height: 0; }}
QToolBar QToolButton:checked {{ border-color: transparent; }}
QPushButton {{ background: {surface_panel}; color: {text_primary}; border: 1px solid {border_control};
  border-radius: {control}px; padding: 5px 12px; font-weight: 500; }}
#offer {{ padding: 1px 10px; font-size: {small}px; }}
#offer:focus {{ padding: 0 9px; }}
QPushButton:hover {{ background: {accent_soft}; }}
QPushButton:focus {{ border: 2px solid {accent_ring}; padding: 4px 11px; }}
QScrollBar:vertical {{ width: 10px; background: transparent; }}
QScrollBar:horizontal {{ height: 10px; background: transparent; }}
QScrollBar::handle {{ background: {border_control}; border-radius: 3px; margin: 2px; min-height: 28px;
  min-width: 28px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QPushButton:pressed {{ background: {accent_soft}; border-color: {accent_base}; }}
QPushButton:checked {{ background: {accent_soft}; border-color: {accent_base}; color: {accent_base}; }}
QPushButton:disabled {{ background: {surface_window}; border-color: {border_subtle}; color: {faint}; }}
QPushButton:checked:disabled {{ border-color: {border_subtle}; color: {faint}; }}
QCheckBox, QRadioButton {{ spacing: 6px; }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {faint}; }}
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {{ width: {box}px; height: {box}px;
  border: 1px solid {border_control}; background: {surface_panel}; }}
QCheckBox::indicator, QAbstractItemView::indicator {{ border-radius: 3px; }}
QRadioButton::indicator {{ border-radius: {round}px; }}
QCheckBox::indicator:hover, QRadioButton::indicator:hover, QAbstractItemView::indicator:hover {{
  border-color: {accent_base}; background: {accent_soft}; }}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{ border-color: {accent_base};
  background: {accent_base}; image: url({ticked}); }}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {{ border-color: {accent_base};
  background: {accent_base}; image: url({partly}); }}
QCheckBox::indicator:focus, QRadioButton::indicator:focus {{ border: 2px solid {accent_ring}; }}
QRadioButton::indicator:checked {{ border-color: {accent_base}; background: qradialgradient(cx: 0.5, cy: 0.5,
  radius: 0.5, fx: 0.5, fy: 0.5, stop: 0 {accent_base}, stop: 0.55 {accent_base}, stop: 0.62 {surface_panel},
  stop: 1 {surface_panel}); }}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ border-color: {border_subtle};
  background: {surface_window}; }}
QCheckBox::indicator:checked:disabled, QCheckBox::indicator:indeterminate:disabled {{ border-color: {faint};
  background: {faint}; }}
QRadioButton::indicator:checked:disabled {{ background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5,
  fy: 0.5, stop: 0 {faint}, stop: 0.55 {faint}, stop: 0.62 {surface_window}, stop: 1 {surface_window}); }}
#menuTitle {{ color: {text_secondary}; font-weight: 600; padding: 4px 12px 2px 12px; }}
"""
