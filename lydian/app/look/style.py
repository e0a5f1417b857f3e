"""The style sheet of the window's own parts, on top of the theme's."""

from __future__ import annotations

from lydian.app.look.icons import resources
from lydian.app.look.theme import Theme

__all__ = ["window_style"]


def window_style(theme: Theme) -> str:
    """The style sheet for the whole window, the theme's included."""
    names = {
        path.replace(".", "_"): theme.color(path).name()
        for path in (
            "surface.window", "surface.panel", "surface.panelAlt", "surface.header", "surface.raised",
            "border.subtle", "border.control", "text.primary", "text.secondary", "text.hint", "text.onAccent",
            "accent.base", "accent.hover", "accent.soft", "accent.ring", "check.warnSoft", "check.warn",
            "check.violated",
        )
    }  # fmt: skip
    sizes = {
        "body": theme.px("body"),
        "small": theme.px("small"),
        "caption": theme.px("caption"),
        "card": int(theme.size("radius.card")),
        "control": int(theme.size("radius.control")),
        "tool": int(theme.size("space.toolButton")),
    }
    return theme.stylesheet() + _SHEET.format(**names, **sizes, drop=(resources() / "icons" / "drop.svg").as_posix())


_SHEET = """
QMainWindow, #shell, #inner {{ background: {surface_window}; }}
QMainWindow::separator {{ background: {surface_window}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {accent_soft}; }}
QWidget {{ font-size: {body}px; }}
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
QCheckBox {{ spacing: 6px; }}
"""
