"""The sheet of all keys, made from the table of commands; a window beside the main one, never a question."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from lydian.app.look.theme import Theme
from lydian.app.window.actions import COMMANDS, MENUS

__all__ = ["KeySheet", "sheet"]

_MOUSE = (
    ("Click", "selects in every view; with Ctrl it adds"),
    ("Double click", "an event: go there; empty space: show everything"),
    ("Wheel", "zooms at the pointer; with Shift it moves along time"),
    ("Middle drag", "moves the picture"),
    ("Drag", "in views along time and on the time line: move through the run"),
    ("Alt+arrows", "select the neighbouring process in that direction"),
)


def sheet(names: set[str], theme: Theme) -> str:
    """All keys of the commands with these names, as simple HTML."""
    hint = theme.color("text.hint").name()
    out = []
    for menu in MENUS:
        rows = [c for c in COMMANDS if c.menu.split("/")[0] == menu and c.name in names and c.keys]
        if rows:
            out.append(f"<h3>{html.escape(menu.replace('&', ''))}</h3><table cellspacing='0' cellpadding='3'>")
            for command in rows:
                native = QKeySequence.SequenceFormat.NativeText
                keys = " or ".join(QKeySequence(key).toString(native) for key in command.keys)
                out.append(
                    f"<tr><td width='170'><b>{html.escape(keys)}</b></td><td>{html.escape(command.help)}</td></tr>"
                )
            out.append("</table>")
    out.append("<h3>Mouse</h3><table cellspacing='0' cellpadding='3'>")
    out += [f"<tr><td width='170'><b>{a}</b></td><td>{b}</td></tr>" for a, b in _MOUSE]
    out.append(f"</table><p style='color:{hint}'>Single keys act wherever no text is being typed.</p>")
    return "".join(out)


class KeySheet(QDialog):
    """The sheet in a window; Esc closes it."""

    def __init__(self, names: set[str], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.setModal(False)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(620, 640)
        browser = QTextBrowser()
        browser.setAccessibleName("Keys")
        browser.setHtml(sheet(names, theme))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(browser)
