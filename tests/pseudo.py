"""Open the window in a language that no text can be in by accident, and report the texts that stayed English.

``python -m tests.pseudo FILE [LANGUAGE]`` runs in a process of its own, because texts are translated when their modules
are imported. In the pseudo-language every vowel of a text has an accent, and the text is a third longer: a word with
plain vowels did not pass through a catalogue, and a label that is wider than its place would be clipped in a wordy
language.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGER = 0.3
#: A place, a tag, an entity, an accelerator: unchanged in the pseudo-language.
_KEPT = re.compile(r"(\{\{|\}\}|\{[^{}]*\}|<[^<>]+>|&\w+;|&)")
_ACCENTS = str.maketrans("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")
_WORD = re.compile(r"[^\W\d_]{3,}")


class Accents:
    """The catalogue of the pseudo-language."""

    def gettext(self, message: str) -> str:
        parts = _KEPT.split(message)
        text = "".join(part if at % 2 else part.translate(_ACCENTS) for at, part in enumerate(parts))
        letters = sum(len(part) for part in parts[::2])
        body = text.rstrip()
        more = "é" * round(letters * LONGER)
        return " ".join([body + more[:6], *(more[at : at + 6] for at in range(6, len(more), 6))]) + text[len(body) :]

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)

    def pgettext(self, _context: str, message: str) -> str:
        return self.gettext(message)


#: Words that are the same in every language: names of formats, of keys, of the program.
_NAMES = {
    "LYDIAN", "JSON", "Perfetto", "FIFO", "GraphML", "GML", "DOT", "graph", "TikZ", "English", "Deutsch", "ECHO",
    "Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDown", "Return", "Space", "Menu", "Tab", "Esc", "Shift",
    "Ctrl", "Alt", "Del", "Delete", "Insert",
}  # fmt: skip
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
#: What shows the text of the protocol or the guide, which is not translated, and parts of Qt, which translates itself.
_CONTENT = re.compile(r"CodeText|view help|action language_|qt_dockwidget_|Scroll(Left|Right)Button|codeOffer")


class Content:
    """The texts of an experiment, which are shown as they are: those of its protocol, its network and its animation."""

    def __init__(self, files: Iterable[Path]) -> None:
        texts = [file.read_text(encoding="utf-8") for file in files]
        self.words = set(_NAMES)
        for text in texts:
            try:
                tree = ast.parse(text)
            except SyntaxError:
                self.words |= set(_WORD.findall(text))
                continue
            sentences = {
                ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)
            }
            for node in ast.walk(tree):
                names = [str(getattr(node, name, "")) for name in ("id", "attr", "name", "arg")]
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in sentences:
                    names.append(node.value)
                self.words |= {word for name in names for word in _WORD.findall(name.replace("_", " "))}
        self.text = " ".join(" ".join(texts).split()).lower()

    def explains(self, phrase: str) -> bool:
        """Return True if a phrase is a name of the experiment, or one of its sentences."""
        words = _WORD.findall(phrase)
        known = {word.lower() for word in self.words}
        return all(word.lower() in known for word in words) or (len(words) > 1 and phrase.lower() in self.text)


def plain(text: str, content: Content) -> list[str]:
    """Return the phrases of a text that are neither in the pseudo-language nor in the experiment."""
    text = re.sub(r"<[^<>]+>|&\w+;", " ", text)
    text = re.sub(r"\w*…|\S*[/\\@]\S*|\w*\(\S+\)|\S*_\S*", " ", text).replace("&", "")
    phrases = re.findall(r"[A-Za-z][A-Za-z' -]*[A-Za-z]", re.sub(r"[^\W\d_]*[áéíóúýÁÉÍÓÚÝ][^\W\d_]*", "|", text))
    wordy = (each for each in phrases if re.search("[aeiouy]", each, re.IGNORECASE) and len(each) > 2)
    return [each for each in wordy if not content.explains(each)]


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["LYDIAN_HOME"] = tempfile.mkdtemp(prefix="lydian-tests-")
    from lydian.language import install, use

    # before any module with texts is imported
    install(sys.argv[2]) if len(sys.argv) > 2 else use(Accents(), "xx")  # type: ignore[func-returns-value]


class Looking:
    """Collects the texts of a window.

    Attributes:
        found: text -> where it is shown.
        clipped: widgets that are narrower than their text.
    """

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.clipped: dict[str, str] = {}

    def see(self, text: str, where: str) -> None:
        if text and text.strip():
            self.found.setdefault(text, where)

    def painted(self, widget: object, where: str) -> None:
        """Collect all visible texts, painted ones included."""
        from PySide6.QtCore import QBuffer, QByteArray, QPoint
        from PySide6.QtGui import QPainter
        from PySide6.QtSvg import QSvgGenerator

        content = QByteArray()
        buffer = QBuffer(content)
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setSize(widget.size())  # type: ignore[attr-defined]
        painter = QPainter(generator)
        widget.render(painter, QPoint())  # type: ignore[attr-defined]
        painter.end()
        for element in ElementTree.fromstring(bytes(content.data())).iter():
            if element.tag.endswith("}text"):
                self.see("".join(element.itertext()), where)

    def widgets(self, root: object, where: str) -> None:
        """Collect the texts of widgets, with their tooltips and names, and the clipped ones."""
        from PySide6.QtCore import Qt
        from PySide6.QtGui import QAction
        from PySide6.QtWidgets import (
            QAbstractButton,
            QComboBox,
            QDockWidget,
            QGroupBox,
            QLabel,
            QLineEdit,
            QMenu,
            QScrollArea,
            QTabBar,
            QWidget,
        )

        for action in root.findChildren(QAction):  # type: ignore[attr-defined]
            for text in (action.text(), action.toolTip(), action.statusTip()):
                self.see(text, f"{where}: action {action.objectName()}")
        for part in root.findChildren(QWidget):  # type: ignore[attr-defined]
            name = f"{where}: {type(part).__name__} {part.objectName()}"
            for text in (part.toolTip(), part.statusTip(), part.accessibleName(), part.accessibleDescription()):
                self.see(text, name)
            if isinstance(part, QMenu | QGroupBox):
                self.see(part.title(), name)
            elif isinstance(part, QLabel | QAbstractButton):
                self.see(part.text(), name)
            elif isinstance(part, QLineEdit):
                self.see(part.placeholderText(), name)
            elif isinstance(part, QComboBox):
                for at in range(part.count()):
                    self.see(part.itemText(at), name)
            elif isinstance(part, QTabBar):
                for at in range(part.count()):
                    self.see(part.tabText(at), name)
                    self.see(part.tabToolTip(at), name)
            elif isinstance(part, QDockWidget):
                self.see(part.windowTitle(), name)
            if isinstance(part, QScrollArea) and part.isVisible() and (inner := part.widget()) is not None:
                fixed = part.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
                if fixed and inner.width() > part.viewport().width():
                    self.clipped[type(inner).__name__] = f"{name} {part.viewport().width()} < {inner.width()}"
            if isinstance(part, QLabel | QAbstractButton) and part.isVisible():
                wraps = isinstance(part, QLabel) and part.wordWrap()
                if not wraps and part.text() and part.width() + 1 < part.minimumSizeHint().width():
                    self.clipped.setdefault(part.text(), f"{name} {part.width()} < {part.minimumSizeHint().width()}")

    def menus(self, bar: object) -> dict[str, str]:
        """Return the entries of each menu that have the same accelerator."""
        from PySide6.QtWidgets import QMenu

        found = {}
        for menu in (bar, *bar.findChildren(QMenu)):  # type: ignore[attr-defined]
            texts = [action.text() for action in menu.actions()]
            letters = [re.search(r"&(\w)", text.replace("&&", "")) for text in texts]
            for at, letter in enumerate(letters):
                same = [
                    b
                    for a, b in zip(letters[:at], texts[:at], strict=True)
                    if a and letter and a[1].lower() == letter[1].lower()
                ]
                if same:
                    found[texts[at]] = f"{menu.title() if isinstance(menu, QMenu) else 'menu bar'}: {same[0]}"
        return found

    def both(self, widget: object, where: str) -> None:
        self.widgets(widget, where)
        self.painted(widget, where)


def look() -> dict[str, object]:
    """Walk through the workspaces of the window, and return what stayed English and what is clipped."""
    from PySide6.QtCore import QEventLoop, QTimer

    from lydian.app.main import application, make_window

    def wait(milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def until(condition: Callable[[], object]) -> None:
        for _ in range(2000):
            if condition():
                return
            wait(10)
        raise TimeoutError(condition)

    app = application(["lydian"])
    window = make_window("two-wings")
    window.resize(1280, 720)
    window.show()
    until(lambda: window.session.shown is not None)
    window.looks.choose("light")
    looking = Looking()
    for layout in ("watch", "study", "debug"):
        window.looks.arrange(layout)
        window.playhead.seek(7.2)
        wait(300)
        looking.both(window, layout)
    for name in sorted(window.stage.docks):
        window.stage.show_view(name, True)
        wait(60)
        looking.both(window.stage.docks[name], f"view {name}")
    for workspace in ("network", "protocol", "sweep", "archive"):
        window.workspaces.show(workspace)
        wait(600)
        looking.both(window, workspace)
    accelerators = looking.menus(window.toolbar.menu_bar)
    from lydian.batch.sweep.measure import USUAL

    columns = {*USUAL, "two-wings-sweep"}  # as they are written in files
    content = Content(
        ROOT / file for file in ("protocols/echo.py", "animations/echo.py", "networks/two-wings.json",
                                 "resources/experiments/two-wings.toml")
    )  # fmt: skip
    english = {
        text: where
        for text, where in looking.found.items()
        if text not in columns and not _CONTENT.search(where) and where != "protocol" and plain(text, content)
    }
    window.close()
    until(lambda: not window.isVisible())
    app.processEvents()
    return {"english": english, "clipped": looking.clipped, "seen": len(looking.found), "accelerators": accelerators}


if __name__ == "__main__":
    result = look()
    Path(sys.argv[1]).write_text(json.dumps(result, indent=1, ensure_ascii=False), encoding="utf-8")
