"""The style sheet of the window's own parts, in addition to the theme's."""

from __future__ import annotations

from lydian.app.look.icons import resources
from lydian.app.look.theme import Theme, mixed

__all__ = ["window_style"]


class _Values(dict[str, object]):
    """The values for the braces of the sheet: sizes and pictures by name, else the theme's colour of that name."""

    def __init__(self, theme: Theme, given: dict[str, object]) -> None:
        super().__init__(given)
        self.theme = theme

    def __missing__(self, name: str) -> str:
        return self.theme.color(name.replace("_", ".", 1)).name()


def mono_style(theme: Theme, role: str = "small") -> str:
    """Return the fixed-width font of code, family and size, as a value for a style sheet.

    The sizes in the window's style sheet override a font that is set on a widget.
    """
    return f'font-family: "{theme.font(role, mono=True).family()}"; font-size: {theme.px(role)}px;'


def window_style(theme: Theme) -> str:
    """Return the style sheet for the whole window, including the theme's."""
    body, control = theme.px("body"), int(theme.size("radius.control"))
    values = {
        "body": body, "large": body + 2, "larger": body + 4,
        "small": theme.px("small"),
        "caption": theme.px("caption"), "heading": theme.px("heading"), "display": theme.px("display"),
        "card": int(theme.size("radius.card")),
        "control": control, "rounder": control + 2,
        "tool": int(theme.size("space.toolButton")),
        "tab": int(theme.size("space.toolButton")) + 11,
        "arrow": theme.stretched(14) + 11, "arrowFocus": theme.stretched(14) + 10, "half": theme.stretched(14) // 2 + 3,
        "box": theme.stretched(14),
        "round": (theme.stretched(14) + 2) // 2,
        "mono": mono_style(theme), "monoDisplay": mono_style(theme, "display"),
        "faint": mixed(theme.color("text.hint"), theme.color("surface.window"), 0.35).name(),
    }  # fmt: skip
    # A style sheet takes pictures only from files, which do not follow the theme, so each background has its own.
    on = "light" if theme.color("text.onAccent").lightness() > 127 else "dark"
    files = {"drop": "drop", "ticked": f"ticked-{on}", "partly": f"partly-{on}"}
    pictures = {name: (resources() / "icons" / f"{file}.svg").as_posix() for name, file in files.items()}
    return theme.stylesheet() + _SHEET.format_map(_Values(theme, {**values, **pictures}))


_SHEET = """
QMainWindow, #shell, #inner {{ background: {surface_window}; }}
QMainWindow::separator {{ background: {surface_window}; width: 5px; height: 5px; }}
QMainWindow::separator:hover {{ background: {accent_soft}; }}
QMenuBar {{ background: {surface_panel}; padding: 0; color: {text_primary}; }}
QMenuBar::item {{ padding: 6px 6px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {accent_soft}; }}
QToolBar {{ background: {surface_panel}; border: 0; border-bottom: 1px solid {border_subtle}; spacing: 0;
  padding: 0; margin: 0; }}
#rowLine {{ background: {border_subtle}; margin: 0 4px; border: 0; }}
QToolButton {{ border: 1px solid transparent; border-radius: {control}px; padding: 3px; color: {text_primary};
  background: transparent; }}
QToolButton:hover {{ background: {accent_soft}; }}
QToolButton:focus {{ border: 2px solid {accent_ring}; padding: 2px; }}
QToolButton:checked {{ background: {accent_soft}; border-color: {accent_base}; color: {accent_base}; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
#menuButton {{ border: 1px solid {border_control}; padding: 0 {arrow}px 0 10px; font-weight: 500; }}
#menuButton:focus {{ border: 2px solid {accent_ring}; padding: 0 {arrowFocus}px 0 9px; }}
#workspaceTabs::tab {{ background: transparent; padding: 0 10px; height: {tab}px; }}
#workspaceTabs::tab:selected {{ border-bottom-color: {accent_base}; }}
#workspaceTabs::tab:hover:!selected {{ color: {text_primary}; }}
#wholeRun {{ border: 1px solid {border_control}; padding: 1px 8px; }}
#wholeRun:focus {{ border: 2px solid {accent_ring}; padding: 0 7px; }}
#wholeRun:checked {{ border-color: {accent_base}; }}
#windowCount {{ color: {text_primary}; }}
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
#spaceCard, #flightCard, #spaceBar #segment {{ background: {surface_overlay}; border: 1px solid {border_subtle};
  border-radius: {control}px; }}
#flightStops {{ background: transparent; border: 0; }}
#flightStops::item {{ padding: 4px 6px; border-radius: {control}px; }}
#flightStops::item:selected {{ background: {accent_soft}; color: {text_primary}; }}
#spaceBar QSlider {{ min-height: 18px; max-height: 18px; }}
#spaceBar QSlider::groove:horizontal {{ height: 3px; background: {border_control}; border-radius: 1px; }}
#spaceBar QSlider::sub-page:horizontal {{ background: {accent_base}; border-radius: 1px; }}
#spaceBar QSlider::handle:horizontal {{ width: 12px; height: 12px; margin: -6px 0; border-radius: 7px;
  background: {surface_panel}; border: 2px solid {accent_base}; }}
#segment {{ border: 1px solid {border_control}; border-radius: {control}px; }}
#segment QToolButton {{ border: 0; border-radius: 0; padding: 0 12px; font-weight: 500; }}
#segment QToolButton:checked {{ background: {accent_base}; color: {text_onAccent}; font-weight: 600; }}
#segment QToolButton:focus {{ border: 2px solid {accent_ring}; padding: 0 10px; }}
#toolbar #segment QToolButton {{ padding: 0 10px; }}
#toolbar #segment QToolButton:focus {{ padding: 0 8px; }}
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
#ending {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#quiz {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#quiz QPushButton[right="true"] {{ border: 2px solid {check_holds}; padding: 4px 11px; }}
#quiz QPushButton[right="true"]:disabled {{ color: {text_primary}; }}
#endingBody {{ background: {surface_panel}; }}
#endingHead {{ background: {check_violatedSoft}; border-left: 5px solid {chain_waiting}; }}
#endingHead QLabel {{ background: transparent; }}
#endingTitle {{ background: {surface_header}; border-top: 1px solid {border_subtle};
  border-bottom: 1px solid {border_subtle}; }}
#endingWay {{ padding: 3px 0; }}
#commandBox {{ background: {surface_panel}; border: 1px solid {border_control}; border-radius: {card}px; }}
#boxHead {{ border-bottom: 1px solid {border_subtle}; }}
#boxField {{ border: 0; background: transparent; min-height: 30px; }}
#boxField:focus {{ border: 0; }}
#boxKind {{ background: {accent_soft}; color: {accent_base}; border-radius: {control}px; padding: 3px 8px;
  font-size: {small}px; font-weight: 600; }}
#boxFoot {{ background: {surface_header}; border-top: 1px solid {border_subtle};
  border-bottom-left-radius: {card}px; border-bottom-right-radius: {card}px; }}
#boxFoot QLabel {{ font-size: {small}px; }}
#commandBox #hint[bad="true"] {{ color: {check_violated}; }}
#commandBox QListWidget {{ padding: 4px 0; }}
#boxPreview {{ background: {surface_panel}; }}
#keyCap {{ border: 1px solid {border_control}; border-radius: 3px; padding: 0 4px; color: {text_secondary};
  background: {surface_panel}; }}
#problem {{ color: {check_violated}; font-size: {small}px; }}
#explained {{ color: {text_hint}; font-size: {small}px; }}
QScrollArea, #panel, #newProtocol {{ background: {surface_panel}; border: 0; }}
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
#primary {{ background: {accent_base}; color: {text_onAccent}; border-color: {accent_base}; font-weight: 600; }}
#primary:hover {{ background: {accent_hover}; }}
#primary:focus {{ border: 2px solid {text_primary}; }}
QScrollBar:vertical {{ width: 10px; background: transparent; }}
QScrollBar:horizontal {{ height: 10px; background: transparent; }}
QScrollBar::handle {{ background: {border_control}; border-radius: 3px; margin: 2px; min-height: 28px;
  min-width: 28px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QPushButton:pressed {{ background: {accent_soft}; border-color: {accent_base}; }}
QPushButton:checked {{ background: {accent_soft}; border-color: {accent_base}; color: {accent_base}; }}
QPushButton:disabled, #primary:disabled {{ background: {surface_window}; border-color: {border_subtle};
  color: {faint}; }}
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
/* the workspace Sweep */
#sweep #fieldLabel, #propertyPanel #fieldLabel, #buildPanel #fieldLabel, #newProtocol #fieldLabel {{
  color: {text_secondary}; font-size: {small}px; }}
#sweepBody, #sweepPage, #sweepFoot {{ background: {surface_panel}; }}
#sweepFoot {{ border-top: 1px solid {border_subtle}; }}
#varyCard {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#varyCard[open="true"] {{ border-color: {border_control}; }}
#varyCard[bad="true"] {{ border-color: {check_violated}; }}
#varyCard QLabel, #varyCard QCheckBox, #varyEditor {{ background: transparent; }}
#varyTitle {{ border: 0; background: transparent; font-weight: 600; text-align: left; padding: 3px 2px; }}
#varyTitle:hover {{ color: {accent_base}; background: transparent; }}
#varyTitle:focus {{ border: 2px solid {accent_ring}; padding: 1px 0px; border-radius: {control}px; }}
#total {{ font-weight: 600; color: {text_primary}; }}
#runCount {{ font-size: {display}px; font-weight: 600; color: {text_primary}; }}
#runState, #runRate, #runNote {{ color: {text_secondary}; }}
#runNote {{ font-size: {small}px; }}
#shortenedChip {{ border: 1px solid {border_control}; border-radius: 11px; padding: 2px 10px; }}
#shortenedChip:hover {{ background: {surface_panelAlt}; }}
#shortenedChip:checked {{ background: {accent_soft}; border-color: {accent_base}; color: {accent_base};
  font-weight: 600; }}
#shortenedChip:focus {{ border: 2px solid {accent_ring}; padding: 1px 9px; }}
#failedChip {{ border-radius: 10px; padding: 2px 10px; font-size: {small}px; font-weight: 600;
  border: 1px solid {check_holds}; color: {check_holds}; background: {check_holdsSoft}; }}
#failedChip[bad="true"] {{ border-color: {fault_base}; color: {fault_base}; background: {fault_soft}; }}
#failedChip:focus {{ border: 2px solid {accent_ring}; padding: 1px 9px; }}
#sweep QLineEdit[bad="true"], #propertyPanel QLineEdit[bad="true"] {{ border: 1px solid {check_violated}; }}
#sweep QLineEdit[bad="true"]:focus, #propertyPanel QLineEdit[bad="true"]:focus {{ border: 2px solid {check_violated}; }}
#sweep #segment QToolButton {{ padding: 0 6px; }}
#sweep #segment QToolButton:focus {{ padding: 0 4px; }}
#sweep #segment QToolButton:disabled {{ color: {text_hint}; }}
#sweepBar {{ background: {surface_window}; border: 0; border-radius: 6px; }}
#sweepBar::chunk {{ background: {accent_base}; border-radius: 6px; }}
#sweepBar[over="true"]::chunk {{ background: {check_holds}; }}
#small {{ padding: 3px 8px; font-size: {small}px; }}
#small:focus {{ padding: 2px 7px; }}
#sweep QPlainTextEdit {{ border: 1px solid {border_control}; border-radius: {control}px; padding: 2px 3px;
  background: {surface_panel}; color: {text_primary}; }}
#sweep QPlainTextEdit:focus {{ border: 2px solid {accent_ring}; padding: 1px 2px; }}
#sweepFrame {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#sweepTabs::pane {{ border: 0; }}
#plotCard, #resultsTop {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#verdict {{ border: 1px solid {check_holds}; border-radius: 10px; padding: 2px 10px; background: {check_holdsSoft};
  color: {check_holds}; font-size: {small}px; font-weight: 600; }}
#verdict[bad="true"] {{ border-color: {check_violated}; background: {check_violatedSoft}; color: {check_violated}; }}
#results QTableView::item {{ padding: 0 8px; }}
#results QTableView QHeaderView::section {{ padding: 4px 10px; }}
/* the workspace Archive */
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
#archiveProblem {{ color: {check_violated}; background: {check_violatedSoft}; border-radius: {control}px;
  padding: 6px 10px; }}
#openButton {{ background: {accent_base}; color: {text_onAccent}; font-weight: 600; padding: 5px 18px;
  border: 1px solid {accent_base}; border-radius: {control}px; }}
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
/* the panels of properties, and of building a network */
#propertyBody, #propertyPage {{ background: {surface_panel}; }}
#propertyPanel #fieldUnit {{ color: {text_hint}; font-size: {small}px; background: transparent; }}
#propertyTitle {{ font-weight: 600; color: {text_primary}; }}
#propertyWay {{ color: {text_hint}; }}
#ownChip {{ color: {link_override}; background: {link_overrideSoft}; border: 1px solid {link_override};
  border-radius: 9px; padding: 1px 8px; font-size: {small}px; font-weight: 600; }}
#propertyNote {{ background: {check_warnSoft}; border: 1px solid {border_subtle}; border-radius: {control}px; }}
#propertyNote QLabel {{ background: transparent; color: {text_primary}; font-size: {small}px; }}
#propertyPanel QPlainTextEdit {{ border: 1px solid {border_control}; border-radius: {control}px; padding: 2px 4px;
  background: {surface_panel}; color: {text_primary}; }}
#propertyPanel QPlainTextEdit:focus {{ border: 2px solid {accent_ring}; padding: 1px 3px; }}
#answersForm, #answersBody {{ background: {surface_panel}; }}
#answerField {{ background: {surface_panel}; border: 1px solid {border_control}; border-radius: {control}px;
  padding: 2px 4px; }}
#answerField:focus {{ border: 2px solid {accent_ring}; padding: 1px 3px; }}
#statLabel {{ color: {text_secondary}; font-size: {caption}px; }}
#statValue {{ color: {text_primary}; font-weight: 600; }}
#propertyPanel #segment QToolButton {{ padding: 0 4px; }}
#propertyPanel #segment QToolButton:focus {{ padding: 0 2px; }}
#propertyPanel #segment QToolButton:disabled {{ color: {text_hint}; }}
#propertyTabs {{ background: {surface_header}; border-bottom: 1px solid {border_subtle}; }}
#buildPanel, #buildPanel QTabWidget, #buildPanel QTabBar {{ background: {surface_header}; }}
#buildPanel #panel, #buildPanel QStackedWidget {{ background: {surface_panel}; }}
#buildPanel QTabWidget::pane {{ border: 0; border-top: 1px solid {border_subtle}; }}
#buildPanel #compact {{ padding: 4px 4px; font-size: {small}px; }}
#buildPanel #compact:disabled {{ color: {text_hint}; border-color: {border_subtle}; }}
#buildPanel #compact:focus {{ padding: 3px 3px; }}
#buildPanel QLineEdit {{ font-size: {small}px; }}
#buildPanel QLineEdit[bad="true"], #newProtocol QLineEdit[bad="true"] {{
  border: 2px solid {check_violated}; padding: 2px 5px; }}
#buildPanel #cellField {{ border: 2px solid {accent_ring}; border-radius: 0; padding: 0 2px; }}
#buildPanel QCheckBox {{ font-size: {small}px; color: {text_primary}; }}
#buildPanel #segment QToolButton {{ font-size: {small}px; padding: 0 4px; }}
#buildPanel #segment QToolButton:focus {{ padding: 0 2px; }}
#thinBar {{ background: {surface_header}; border: 0; border-radius: 3px; }}
#thinBar::chunk {{ background: {accent_base}; border-radius: 3px; }}
#buildPanel QSlider {{ min-height: 14px; max-height: 14px; }}
#buildPanel QSlider::groove:horizontal {{ height: 3px; background: {border_subtle}; border-radius: 1px; }}
#buildPanel QSlider::sub-page:horizontal {{ background: {accent_base}; border-radius: 1px; }}
#buildPanel QSlider::handle:horizontal {{ width: 10px; height: 10px; margin: -4px 0; border-radius: 5px;
  background: {accent_base}; }}
#buildPanel QSlider::handle:horizontal:focus {{ border: 2px solid {text_primary}; width: 8px; height: 8px;
  border-radius: 6px; }}
#nameEdit {{ background: {surface_panel}; color: {text_primary}; border: 2px solid {accent_ring}; border-radius: 5px; }}
#nameTrouble {{ background: {check_violatedSoft}; color: {check_violated}; border: 1px solid {check_violated};
  border-radius: 4px; padding: 4px 7px; }}
/* the workspace Protocol */
#cellTable {{ background: {surface_panel}; }}
#cellAdd {{ padding: 1px 8px; font-size: {small}px; }}
#codeLine {{ {mono} }}
#cellGrid {{ background: {surface_panel}; border: 0; }}
#cellGrid QTableCornerButton::section, #delayMatrix QTableCornerButton::section {{
  background: {surface_header}; border: 0;
  border-bottom: 1px solid {border_subtle}; border-right: 1px solid {border_subtle}; }}
#cellGrid QHeaderView {{ background: {surface_panel}; }}
#cellGrid QHeaderView::section {{ background: {surface_header}; color: {text_primary}; padding: 2px 7px; border: 0;
  border-bottom: 1px solid {border_subtle}; border-right: 1px solid {border_subtle}; }}
#cellGrid #cellField, #cellChooser #cellField {{ border: 2px solid {accent_ring}; border-radius: 0;
  background: {surface_panel}; color: {text_primary}; {mono} }}
#cellChooser #cellField {{ padding: 0 4px; }}
#cellChooser {{ background: {surface_panel}; border: 1px solid {border_control}; }}
#cellChoices {{ background: {surface_panel}; border: 0; color: {text_primary}; }}
#cellChoices::item {{ padding: 3px 6px; }}
#cellChoices::item:selected {{ background: {accent_soft}; color: {text_primary}; }}
#chip[failure="true"] {{ border-color: {check_violated}; background: {check_violatedSoft}; color: {check_violated}; }}
#readyTitle {{ text-align: left; border: 1px solid transparent; background: transparent; color: {text_primary};
  padding: 4px 6px; font-weight: 500; }}
#readyTitle:hover {{ background: {accent_soft}; }}
#readyTitle:focus {{ border: 2px solid {accent_ring}; padding: 3px 5px; }}
#newTitle {{ font-size: {heading}px; font-weight: 600; }}
#newPreview {{ {mono} background: {surface_panelAlt}; border: 1px solid {border_subtle}; border-radius: {control}px; }}
#codeFind {{ background: {surface_header}; border-bottom: 1px solid {border_subtle}; }}
#codeFind QToolButton {{ font-size: {small}px; }}
#codeFind #hint {{ color: {text_secondary}; font-size: {small}px; }}
#codeFind #hint[bad="true"] {{ color: {check_violated}; }}
#codeText QLineEdit {{ font-size: {body}px; }}
#codeHint {{ background: {surface_tooltip}; color: {text_onTooltip}; border-radius: {control}px; padding: 3px 8px;
  font-size: {small}px; }}
#codeOffers {{ background: {surface_panel}; border: 1px solid {border_control}; }}
#codeOfferList {{ background: {surface_panel}; border: 0; font-size: {body}px; }}
#codeOfferHelp {{ background: {surface_panelAlt}; color: {text_primary}; padding: 8px 10px; font-size: {small}px; }}
#codeNote {{ color: {check_warn}; font-size: {small}px; }}
#codeBand {{ background: {check_warnSoft}; border: 1px solid {check_warn}; border-radius: {control}px; }}
#codeBand[kind="error"] {{ background: {check_violatedSoft}; border-color: {check_violated}; }}
#codeBand QLabel {{ background: transparent; color: {text_primary}; font-size: {body}px; }}
#codeBand QPushButton {{ background: {surface_panel}; color: {text_primary}; border: 1px solid {border_control};
  padding: 2px 9px; border-radius: {control}px; font-size: {small}px; }}
#codeBand QPushButton:hover {{ background: {accent_soft}; }}
#codeBand QPushButton:focus {{ border: 2px solid {accent_ring}; padding: 1px 8px; }}
#cellSentence {{ color: {text_hint}; }}
#cellSentence[kind="warning"] {{ color: {check_warn}; }}
#cellSentence[kind="problem"] {{ color: {check_violated}; }}
#newProtocol #cellSentence {{ font-size: {small}px; }}
/* lessons */
#lessonHead {{ background: {surface_panel}; border-bottom: 1px solid {border_subtle}; }}
#lessonFoot {{ background: {surface_panel}; border-top: 1px solid {border_subtle}; }}
#lessonTitle {{ color: {text_secondary}; font-weight: 600; font-size: {small}px; }}
#lessonStep {{ color: {text_primary}; font-weight: 600; font-size: {larger}px; }}
#lessonElsewhere {{ background: {check_warnSoft}; border-bottom: 1px solid {border_subtle}; }}
#lessonText {{ color: {text_primary}; background: transparent; }}
#lessonCard {{ background: {surface_panelAlt}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#lessonCard[now="true"] {{ border-color: {accent_base}; }}
#lessonCard QLabel, #lessonCard QRadioButton {{ background: transparent; }}
#lessonKind {{ color: {text_hint}; font-weight: 600; font-size: {caption}px; }}
#lessonPale {{ color: {text_hint}; font-size: {small}px; }}
#lessonChapter {{ color: {text_secondary}; font-weight: 600; }}
#lessonProgress {{ background: {border_subtle}; border: none; border-radius: 2px; }}
#lessonProgress::chunk {{ background: {accent_base}; border-radius: 2px; }}
#lessonAsked {{ color: {text_primary}; font-weight: 600; }}
#lessonSide {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {control}px; }}
#lessonValue {{ color: {text_primary}; font-weight: 600; font-size: {large}px; }}
#lessonGood {{ color: {check_holds}; font-weight: 600; }}
#lessonBad {{ color: {check_violated}; font-weight: 600; }}
/* a class */
#classCard, #classBar {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#classHead {{ background: {surface_header}; border-bottom: 1px solid {border_subtle};
  border-top-left-radius: {card}px; border-top-right-radius: {card}px; }}
#classHead QLabel, #classBar QLabel {{ background: transparent; }}
#classCode {{ color: {text_primary}; {monoDisplay} font-weight: 600; }}
#classCode[long="true"] {{ font-size: {larger}px; }}
#classAddress {{ color: {text_primary}; {mono} font-weight: 500; }}
#classButton {{ padding: 4px 9px; }}
#classButton:focus {{ padding: 3px 8px; }}
#classMain {{ background: {accent_base}; color: {text_onAccent}; border: 1px solid {accent_base}; font-weight: 600;
  padding: 5px 14px; }}
#classMain:hover {{ background: {accent_hover}; }}
#classMain:focus {{ border: 2px solid {text_primary}; padding: 4px 13px; }}
#classMain:disabled {{ background: {border_subtle}; border-color: {border_subtle}; color: {text_hint}; }}
#classRound {{ color: {text_primary}; font-size: {display}px; font-weight: 600; }}
#classRoundText {{ color: {text_secondary}; }}
#componentRow {{ border: 0; border-bottom: 1px solid {border_subtle}; background: {surface_panel}; }}
#componentRow QLabel[warn="true"] {{ color: {check_warn}; }}
#componentRow QLabel[bad="true"] {{ color: {check_violated}; }}
#componentLetter {{ border: 1px solid {border_control}; border-radius: {control}px; padding: 2px 5px; font-weight: 600;
  color: {text_primary}; }}
#componentLetter:checked {{ background: {accent_soft}; border: 1px solid {accent_base}; }}
#componentLetter:focus {{ border: 2px solid {accent_ring}; padding: 1px 4px; }}
#classPeople, #classLog, #classChecks, #classGames {{ border: 0; background: {surface_panel}; }}
#classGames {{ border: 1px solid {border_subtle}; }}
#classGames::item, #classLog::item {{ padding: 5px 8px; border-bottom: 1px solid {border_subtle};
  color: {text_primary}; }}
#classGames::item:selected {{ background: {accent_soft}; color: {text_primary}; }}
#classFoot {{ border-top: 1px solid {border_subtle}; }}
#classChips, #classArea {{ background: {surface_panel}; border: 0; }}
#classChip {{ background: {surface_panelAlt}; border: 1px solid {border_subtle}; border-radius: 11px; padding: 1px 9px;
  font-size: {small}px; color: {text_primary}; }}
#classChip:focus {{ border: 2px solid {accent_ring}; padding: 0 8px; }}
#classChip[hand="true"] {{ background: {check_warnSoft}; border-color: {check_warn}; color: {check_warn};
  font-weight: 600; }}
#classChip[away="true"] {{ color: {text_hint}; }}
#classLink {{ border: 1px solid transparent; padding: 1px 5px; font-size: {small}px; color: {text_primary}; }}
#classLink:hover {{ background: {accent_soft}; }}
#classLink:focus {{ border: 2px solid {accent_ring}; padding: 0 4px; }}
#classProblem {{ color: {check_violated}; }}
#classAct {{ border: 0; border-bottom: 1px solid {border_subtle}; border-left: 3px solid transparent; border-radius: 0;
  background: {surface_panel}; text-align: left; }}
#classAct:hover {{ background: {surface_panelAlt}; }}
#classAct[state="now"] {{ background: {accent_soft}; border-left-color: {accent_base}; }}
#classAct:focus {{ border: 2px solid {accent_ring}; }}
#classAct QLabel {{ background: transparent; }}
#classActNumber {{ border: 1px solid {border_control}; border-radius: 11px; font-size: {small}px; font-weight: 600;
  color: {text_secondary}; }}
#classActNumber[state="now"] {{ background: {accent_base}; border-color: {accent_base}; color: {text_onAccent}; }}
#classActNumber[state="done"] {{ background: {check_holdsSoft}; border-color: {check_holds}; color: {check_holds}; }}
#classSealed {{ border: 1px solid {accent_base}; border-radius: 8px; padding: 1px 9px; font-size: {small}px;
  color: {accent_base}; font-weight: 600; }}
#classSealed[shown="true"] {{ border-color: {check_holds}; color: {check_holds}; }}
#classSeatTitle {{ color: {text_primary}; font-size: {heading}px; font-weight: 600; }}
#classSeatText, #classPicture, #classStory {{ color: {text_primary}; }}
#classValues {{ color: {text_primary}; background: {surface_panelAlt}; border-radius: {control}px; padding: 5px 8px; }}
#classStory[good="false"] {{ color: {check_violated}; }}
#classOffer {{ background: {surface_panel}; border: 1px solid {border_control}; border-radius: {card}px;
  text-align: left; }}
#classOffer:hover {{ background: {surface_panelAlt}; }}
#classOffer:checked {{ background: {accent_soft}; border: 2px solid {accent_base}; }}
#classOffer:focus {{ border: 2px solid {accent_ring}; }}
#classOffer QLabel {{ background: transparent; }}
#classKey {{ border: 1px solid {border_control}; border-radius: 4px; font-size: {small}px; color: {text_primary}; }}
/* playing against an algorithm */
#playCard {{ background: {surface_panel}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#playCard[won="true"] {{ border-color: {check_holds}; }}
#playHead {{ background: {surface_header}; border: 1px solid {border_subtle}; border-radius: {card}px; }}
#playHeading {{ background: {surface_header}; border-bottom: 1px solid {border_subtle};
  border-top-left-radius: {card}px; border-top-right-radius: {card}px; }}
#playFoot {{ border-top: 1px solid {border_subtle}; }}
#playHead QLabel, #playHeading QLabel, #playFoot QLabel {{ background: transparent; }}
#playNumber, #playSentence {{ color: {text_secondary}; }}
#playTitle {{ color: {text_primary}; font-size: {heading}px; font-weight: 600; }}
#playAdvice {{ color: {text_primary}; background: {surface_panelAlt}; border-radius: {control}px; padding: 6px 9px; }}
#playUsed {{ color: {text_primary}; font-size: {small}px; }}
#playNeeded {{ color: {check_holds}; font-size: {small}px; }}
#playEmpty {{ color: {text_hint}; padding: 12px 14px; }}
#playTotal {{ color: {text_primary}; border: 1px solid {chain_longest}; border-radius: 11px; padding: 1px 9px;
  font-size: {small}px; font-weight: 600; background: {surface_panel}; }}
#playTotal:focus {{ border: 2px solid {accent_ring}; padding: 0 8px; }}
#playClaim {{ padding: 3px 9px; font-size: {small}px; }}
#playClaim:focus {{ padding: 2px 8px; }}
#playFoot #segment QToolButton {{ padding: 0 8px; font-size: {small}px; }}
#playFoot #segment QToolButton:focus {{ padding: 0 6px; }}
#playHint {{ background: {surface_panelAlt}; border: 1px solid {border_control}; border-radius: {card}px; }}
#playHint QLabel {{ background: transparent; }}
#playHint[kind="good"], #playHint[kind="won"] {{ background: {check_holdsSoft}; border-color: {check_holds}; }}
#playHint[kind="bad"] {{ background: {check_violatedSoft}; border-color: {check_violated}; }}
#playHint[kind="proof"] {{ background: {accent_soft}; border-color: {accent_base}; }}
#playHintTitle {{ color: {text_primary}; }}
#playHintTitle[kind="good"], #playHintTitle[kind="won"] {{ color: {check_holds}; }}
#playHintTitle[kind="bad"] {{ color: {check_violated}; }}
#playHintText {{ color: {text_primary}; }}
#playHintButton {{ padding: 4px 12px; }}
#playHintButton[primary="true"] {{ background: {accent_base}; color: {text_onAccent}; border-color: {accent_base};
  font-weight: 600; }}
#playHintButton[primary="true"]:focus {{ border: 2px solid {text_primary}; padding: 3px 11px; }}
#playSteps {{ background: {surface_panel}; }}
#playStep {{ padding: 4px 9px; font-size: {small}px; }}
#playStep[now="true"] {{ background: {accent_soft}; border-color: {accent_base}; color: {text_primary}; }}
#playStep:focus {{ padding: 3px 8px; }}
#playAction {{ padding: 4px 11px; }}
#playAction:hover {{ background: {accent_soft}; }}
#playAction:focus {{ border: 2px solid {accent_ring}; padding: 3px 10px; }}
/* live runs */
#comparedBar {{ background: {compare_soft}; border: 0; border-bottom: 2px solid {compare_base}; }}
#comparedBar QLabel {{ background: transparent; }}
#comparedSentence {{ color: {text_primary}; }}
#comparedSentence[problem="true"] {{ color: {check_violated}; }}
#comparedNow {{ color: {text_secondary}; }}
#faultButton, #faultEntry {{ color: {fault_base}; padding: 0 7px; font-weight: 500; }}
#faultButton:focus, #faultEntry:focus {{ padding: 0 6px; }}
#faultEntry {{ text-align: left; padding: 0 24px 0 7px; }}
#faultEntry:focus {{ padding: 0 23px 0 6px; }}
#faultButton:hover, #faultEntry:hover {{ background: {fault_soft}; }}
#faultButton:checked, #faultEntry:checked {{ background: {fault_soft}; border: 2px solid {fault_base}; padding: 0 6px;
  color: {fault_base}; }}
#faultButton:disabled, #faultEntry:disabled {{ color: {text_hint}; }}
#faultBar #menuButton {{ color: {fault_base}; border-color: transparent; }}
#faultBar #menuButton[bare="true"] {{ padding: 0 {half}px; }}
#faultBar #menuButton:hover {{ background-color: {fault_soft}; }}
#faultBar #menuButton:focus {{ border-color: {accent_ring}; }}
#faultBar #menuButton[chosen="true"] {{ background-color: {fault_soft}; border: 1px solid {fault_base}; }}
/* shared parts */
#logLines {{ background: {surface_panelAlt}; color: {text_primary}; border: 1px solid {border_subtle};
  border-radius: {control}px; }}
#speedText {{ border: 1px solid transparent; background: transparent; padding: 1px 3px; color: {text_primary};
  font-size: {body}px; font-weight: 600; }}
#speedText:hover {{ border-color: {border_control}; }}
#speedText:focus {{ border-color: {accent_ring}; background: {surface_panel}; }}
#toast {{ background: {surface_tooltip}; border-radius: {rounder}px; }}
#toast QLabel {{ color: {text_onTooltip}; background: transparent; }}
#toast QPushButton {{ color: {text_onTooltip}; background: transparent; border: 1px solid {text_onTooltip};
  border-radius: {control}px; padding: 3px 10px; }}
#toast QPushButton:focus {{ border: 2px solid {accent_ring}; padding: 2px 9px; }}
QPushButton[primary="true"] {{ background: {accent_base}; color: {text_onAccent}; border: 0; padding: 6px 14px;
  font-weight: 600; border-radius: {control}px; }}
QPushButton[primary="true"]:hover {{ background: {accent_hover}; }}
QPushButton[primary="true"]:focus {{ border: 2px solid {text_primary}; padding: 4px 12px; }}
QPushButton[primary="true"]:disabled {{ background: {border_subtle}; color: {text_hint}; }}
/* what a protocol relies on */
#relies, #relies #relyList {{ background: {surface_panel}; }}
#relyRow {{ border: 0; border-bottom: 1px solid {border_subtle}; background: transparent; }}
#relyRow[off="true"] {{ background: {fault_soft}; }}
#relyRow QLabel {{ background: transparent; }}
#relyName {{ color: {text_primary}; font-weight: 600; }}
#relyTold {{ color: {text_secondary}; font-size: {small}px; }}
#relyRow[off="true"] #relyTold {{ color: {text_primary}; }}
#relyWitness {{ padding: 3px 10px; font-size: {small}px; }}
#relyProgress {{ background: transparent; border: none; }}
#relyProgress::chunk {{ background: {accent_base}; border-radius: 1px; }}
"""
