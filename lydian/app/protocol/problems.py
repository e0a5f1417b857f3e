"""The display of problems at their lines of the code, with ways to fix them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QMenu, QPushButton

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.theming import mark
from lydian.app.look.theme import Theme
from lydian.app.protocol.code.band import Band, as_sentence
from lydian.app.protocol.code.completer import Completer
from lydian.app.protocol.code.marks import MarkedText
from lydian.language import tr
from lydian.model.source.text import Problem, apply_fix

__all__ = ["REST", "TYPING", "Problems"]

#: How many milliseconds the cursor rests on a line before its problem is shown below the line.
REST = 450
#: The same during typing, because an unfinished line is not yet a problem.
TYPING = 1200


class Problems(QObject):
    """The display of problems in one editor."""

    def __init__(self, edit: MarkedText, completer: Completer) -> None:
        super().__init__(edit)
        self.edit, self._completer = edit, completer
        self.band: Band | None = None
        self._line = -1
        self._shown: tuple[Problem, ...] = ()
        self._revision = -1
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(lambda: self.show_band())

    def set_theme(self, theme: Theme) -> None:
        line, self._shown = self._line, ()
        self.close()
        if line >= 0:
            self.show_band()

    def refresh(self) -> None:
        """Show the problems at their lines after the document was read."""
        found: dict[int, list[Problem]] = {}
        for each in self.edit.protocol.problems:
            found.setdefault(each.line - 1, []).append(each)
        self.edit.marks.problems = {
            line: tuple(sorted(each, key=lambda one: one.kind != "error")) for line, each in found.items()
        }
        if self._line >= 0:
            self.show_band()
        elif self._here():
            self._rest.start(TYPING)

    def _here(self) -> tuple[Problem, ...]:
        edit = self.edit
        line = edit.textCursor().blockNumber()
        return edit.marks.problems.get(line, ()) if line not in edit.marks.failing else ()

    def moved(self) -> None:
        """React to a move of the cursor."""
        if self.edit.textCursor().blockNumber() != self._line:
            self.close()
        revision = self.edit.document().revision()
        typed, self._revision = revision != self._revision, revision
        if self._here() and self.edit.isVisible():
            self._rest.start(TYPING if typed else REST)
        else:
            self._rest.stop()

    def show_band(self, *, asked: bool = False) -> None:
        """Show the problem in the cursor's line below it; unless ``asked``, only while the code has the focus."""
        found = self._here()
        line = self.edit.textCursor().blockNumber()
        if self._completer.open and not asked:
            self._rest.start(TYPING)
            return
        if not found or (self._line < 0 and not asked and not self.edit.hasFocus()):
            self.close()
            return
        if (line, found) == (self._line, self._shown) and self.band is not None:
            return
        if self.band is None:
            self.band = Band(self.edit.theme)
            self.band.setAccessibleName(tr("Problem on this line"))
        band = self.band
        band.clear()
        band.theme = self.edit.theme
        mark(band, kind=found[0].kind)
        for problem in found[:3]:
            band.sentence(as_sentence(problem.sentence), problem.kind)
        buttons = []
        for number, problem in enumerate(each for each in found[:3] if each.fix is not None):
            assert problem.fix is not None
            button = QPushButton(problem.fix.label + ("  Alt+Enter" if number == 0 else ""))
            button.setAccessibleName(problem.fix.label)
            button.clicked.connect(lambda _on=False, which=problem: self.apply(which))
            buttons.append(button)
        if buttons:
            band.row_of(buttons)
        band.setAccessibleDescription(" ".join(each.sentence for each in found))
        Announcer(self.edit).polite(
            tr("error: {problem}", problem=found[0].sentence)
            if found[0].kind == "error"
            else tr("warning: {problem}", problem=found[0].sentence)
        )
        self._line, self._shown = line, found
        self.edit.rooms.take(band)
        self.edit.rooms.put(line + 1, band)
        self.edit.ensureCursorVisible()

    def close(self) -> None:
        self._line, self._shown = -1, ()
        if self.band is not None:
            self.edit.rooms.take(self.band)
            self.band.setParent(None)
            self.band.deleteLater()
            self.band = None

    def stop(self) -> None:
        """Stop the timers."""
        self._rest.stop()

    # ------------------------------------------------------------------ fixing problems

    def fixes(self) -> list[Problem]:
        """Return the problems of the cursor's line for which there is a fix, the nearest first."""
        column = self.edit.place()[1]
        found = [each for each in self.edit.marks.problems.get(self.edit.textCursor().blockNumber(), ()) if each.fix]
        return sorted(found, key=lambda each: max(each.column - column, column - each.end_column, 0))

    def fix(self) -> None:
        """Fix the problem on the cursor's line; offer a menu if there are several fixes."""
        self.edit.protocol.reread()
        found = self.fixes()
        if len(found) == 1:
            self.apply(found[0])
        elif found:
            menu = QMenu(self.edit)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for problem in found:
                assert problem.fix is not None
                action = menu.addAction(problem.fix.label)
                action.setToolTip(problem.sentence)
                action.triggered.connect(lambda _on=False, which=problem: self.apply(which))
            menu.setActiveAction(menu.actions()[0])
            menu.popup(self.edit.viewport().mapToGlobal(self.edit.cursorRect().bottomLeft()))
        else:
            here = self.edit.marks.problems.get(self.edit.textCursor().blockNumber(), ())
            words = (
                tr("{problem}; there is no automatic fix", problem=here[0].sentence)
                if here
                else tr("there is no problem on this line")
            )
            self.edit.protocol.say(words)

    def apply(self, problem: Problem) -> None:
        """Apply the fix of a problem if the problem still exists."""
        protocol = self.edit.protocol
        self.edit.own()
        protocol = self.edit.protocol
        protocol.reread()
        now = [each for each in protocol.problems if each.sentence == problem.sentence and each.fix]
        if now:
            nearest = min(now, key=lambda each: abs(each.line - problem.line))
            assert nearest.fix is not None
            protocol.replace(apply_fix(protocol.draft.text.source, nearest.fix), nearest.fix.label)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def go(self, step: int) -> Problem | None:
        """Go to the next problem (1) or the previous one (-1), wrapping round at the ends."""
        self.edit.protocol.reread()
        found = self.edit.protocol.problems
        if not found:
            self.edit.protocol.say(tr("no problems: the protocol can be run"))
            return None
        here = self.edit.place()
        places = [(each.line, each.column) for each in found]
        if step > 0:
            number = next((n for n, place in enumerate(places) if place > here), 0)
        else:
            number = next((n for n in range(len(places) - 1, -1, -1) if places[n] < here), len(places) - 1)
        problem = found[number]
        self.edit.go(problem.line, problem.column)
        self.edit.glow(problem.line)
        self.show_band(asked=True)
        return problem
