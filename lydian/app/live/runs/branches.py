"""The dock Branches: a tree of all runs that the user made by going back and making other choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QMenu, QPlainTextEdit, QPushButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.live.runs.runtree import RunTree
from lydian.app.look.theme import Theme
from lydian.app.panels.timeline.goto import Field
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.branches import ROOT, Branches
from lydian.views.others.branchtree import about, drawn
from lydian.views.time.axis import tick_text, ticks
from lydian.views.words.words import plural

__all__ = ["BranchesPanel", "Runs"]


class NameField(Field):
    """A field for a new name. Enter, or leaving the field, renames; Esc keeps the old name. Errors appear below it.

    Args:
        name: the current name.
        rename: takes the new name, or raises an error.
        rect: the place of the field in its parent.
    """

    def __init__(self, name: str, rename: Callable[[str], object], rect: QRect, theme: Theme, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._name, self._rename, self._over, self._in = name, rename, False, parent
        self.setAccessibleName(tr("Name of {run}", run=name))
        self.setMaxLength(200)
        self.setFont(theme.font("body"))
        high = self.sizeHint().height()
        self.setGeometry(rect.left() - 4, rect.center().y() - high // 2, max(rect.width(), 140), high)
        self.trouble = set_up(QLabel(parent), look="nameTrouble", wraps=True, plain=True)
        self.trouble.setFont(theme.font("small"))
        self.trouble.hide()
        self._announcer = Announcer(self)
        self.textChanged.connect(self.trouble.hide)
        self.show()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def commit(self) -> bool:
        """Rename the run; return False, with the error below the field, if the name is not allowed."""
        new = " ".join(self.text().split())
        if self._over or not new or new == self._name:
            self.finish()
            return True
        self._over = True  # renaming may move the keyboard focus away
        try:
            self._rename(new)
        except LydianError as error:
            self._over = False
            reason = str(error)
            self._say(tr("{reason}; press Esc to keep the old name.", reason=reason[:1].upper() + reason[1:]))
            return False
        self.finish()
        return True

    def finish(self) -> None:
        """Close the field without renaming."""
        self._over = True
        self.hide()
        self.trouble.hide()
        self.trouble.deleteLater()
        self.deleteLater()

    def _say(self, sentence: str) -> None:
        over = self._in
        self.trouble.setText(sentence)
        self.trouble.setAccessibleName(sentence)
        wide = max(min(over.width() - 12, 420), 120)
        self.trouble.setFixedWidth(min(wide, self.trouble.fontMetrics().horizontalAdvance(sentence) + 24))
        self.trouble.setFixedHeight(self.trouble.heightForWidth(self.trouble.width()))
        below = self.geometry().bottom() + 3
        above = self.geometry().top() - self.trouble.height() - 3
        fits = below + self.trouble.height() <= over.height() or above < 0
        self.trouble.move(min(self.x(), max(over.width() - self.trouble.width() - 6, 0)), below if fits else above)
        self.trouble.show()
        self.trouble.raise_()
        self._announcer.assertive(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.commit():
                self._in.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() == Qt.Key.Key_Escape:
            self.finish()
            self._in.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self._over and event.reason() != Qt.FocusReason.ActiveWindowFocusReason and not self.commit():
            self.finish()  # A user who moves on is not held up by a name that is not allowed.


#: The number of runs that the menu offers for comparison.
OFFERED = 20


class Runs(Protocol):
    """The part of the live runs (:class:`lydian.desk.live.live.Live`) that the panel uses."""

    @property
    def tree(self) -> Branches: ...

    @property
    def branch(self) -> int: ...

    @property
    def on(self) -> bool: ...


class Ruler(QWidget):
    """The times above the lines, with the handle of the play head; dragging moves the play head."""

    sought = Signal(float)

    def __init__(self, tree: RunTree, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree, self.theme = tree, theme
        self.setAccessibleName(tr("Times of the runs"))
        self.setToolTip(tr("Drag to move through the current run; Ctrl and the wheel zoom; double-click to show all"))
        tree.zoomed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(160, self.theme.grown(20))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, p: QPainter) -> None:
        tree, theme = self.tree, self.theme
        p.fillRect(self.rect(), theme.color("surface.panelAlt"))
        p.setPen(QPen(theme.color("border.subtle"), 1))
        p.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        left = tree.name_width
        p.setFont(theme.font("caption"))
        p.setPen(theme.color("text.hint"))
        p.drawText(QRectF(24, 0, left - 26, self.height()), int(Qt.AlignmentFlag.AlignVCenter), tr("Run"))
        values, step = ticks(tree.stretch, max(1, (self.width() - left) // theme.grown(72)))
        head = tree.place(max(tree.time, 0.0))
        for value in values.tolist():
            x = tree.place(value)
            if not left <= x <= self.width() - 8 or abs(x - head) < 12:
                continue
            p.drawText(QRectF(x - 36, 0, 72, self.height()), int(Qt.AlignmentFlag.AlignCenter), tick_text(value, step))
        if left <= head <= self.width():
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(theme.color("playhead"))
            foot = self.height() - 1.0
            corners = [(-5.5, foot - 12), (5.5, foot - 12), (5.5, foot - 5), (0, foot), (-5.5, foot - 5)]
            p.drawPolygon(QPolygonF([QPointF(head + dx, y) for dx, y in corners]))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and event.position().x() >= self.tree.name_width:
            self.sought.emit(max(self.tree.time_at(event.position().x()), 0.0))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.tree.fit()


class Notes(QPlainTextEdit):
    """The notes on a run; leaving the field, Ctrl+Enter or Esc saves them."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape or (enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.accept()  # The field needs all plain keys for typing.
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() not in (
                Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X, Qt.Key.Key_Z, Qt.Key.Key_Y,
                Qt.Key.Key_Return, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End,
            ):  # fmt: skip
                event.ignore()
            return True
        return bool(super().event(event))


class BranchesPanel(QWidget):
    """The tree of runs with a ruler above, and below it the notes on the current run and two buttons."""

    #: Emitted to show this run; to show where it leaves its parent; to go live from its end; to compare it with the one
    #: shown.
    wanted = Signal(int)
    fork_wanted = Signal(int)
    live_wanted = Signal(int)
    compare_wanted = Signal(int)
    copy_wanted = Signal(int)
    noted = Signal(int, str)
    sought = Signal(float)
    #: Emitted with the number of runs, for the title.
    titled = Signal(str)

    def __init__(self, theme: Theme, rename: Callable[[int, str], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme, self._rename = theme, rename
        self.setAccessibleName(tr("Branches"))
        self.announcer = Announcer(self)
        self.tree = RunTree(theme)
        self.ruler = Ruler(self.tree, theme)
        self.field: NameField | None = None
        self._runs: Runs | None = None
        self._said: str | None = None
        self._noting = ""
        self._noted = -1
        self.label = QLabel()
        self.notes = Notes()
        self.notes.setTabChangesFocus(True)
        self.notes.setPlaceholderText(tr("Notes on this run"))
        self.compare, self.go_live = QPushButton(tr("Compare")), QPushButton(tr("Go live from here"))
        self.compare.setToolTip(tr("Show this run beside the current one"))
        self.go_live.setToolTip(tr("Show this run, and continue it live from its end"))
        self._foot = QWidget()
        down(
            down(self.notes, margins=(8, 6, 8, 2)),
            across(self.compare, self.go_live, ..., margins=(8, 4, 8, 8), spacing=6),
            on=self._foot, spacing=0,
        )  # fmt: skip
        down(self.ruler, (self.tree, 1), self._foot, on=self, spacing=0)
        self._connect()
        self.set_theme(theme)

    def _connect(self) -> None:
        tree = self.tree
        tree.wanted.connect(self.wanted)
        tree.fork_wanted.connect(self.fork_wanted)
        tree.naming.connect(self.edit_name)
        tree.menu_wanted.connect(lambda branch, at: self.menu_for(branch).popup(at))
        tree.chosen.connect(self._chosen)
        self.ruler.sought.connect(self.sought)
        self.compare.clicked.connect(lambda: self.compare_wanted.emit(tree.current))
        self.go_live.clicked.connect(lambda: self.live_wanted.emit(tree.current))
        self.notes.left.connect(lambda: tree.setFocus(Qt.FocusReason.OtherFocusReason))
        self.notes.installEventFilter(self)

    def sizeHint(self) -> QSize:
        return QSize(420, 300)

    def set_theme(self, theme: Theme) -> None:
        self.notes.setFont(theme.font("small"))
        self.notes.setFixedHeight(self.notes.fontMetrics().lineSpacing() * 2 + 14)
        self.ruler.setFixedHeight(theme.grown(20))
        self.ruler.update()

    # ------------------------------------------------------------------ contents

    def show_runs(self, runs: Runs, time: float, ends: Mapping[int, float]) -> None:
        """Show the tree of the runs, with the play head at a time; ``ends`` has the ends of runs that are known."""
        self._runs = runs
        growing = runs.branch if runs.on else None
        self.tree.show_tree(drawn(runs.tree, runs.branch, ends, growing), time)
        self.ruler.update()
        count = len(runs.tree)
        title = plural(count, "run") if count > 1 else ""
        if title != self._said:
            self._said = title
            self.titled.emit(title)
            self.setAccessibleDescription(title or tr("One run so far. When you intervene, the original is kept here."))
        self._foot.setVisible(count > 1)
        self._say_current()

    def move_head(self, time: float) -> None:
        """Move the play head."""
        self.tree.time = time
        if self.isVisible():
            self.tree.viewport().update()
            self.ruler.update()

    def _chosen(self, branch: int) -> None:
        self.keep_notes()
        self._say_current()
        line = self.tree.tree.line(branch)
        if line is not None and self.tree.hasFocus():
            self.announcer.polite(about(self.tree.tree, line))

    def _say_current(self) -> None:
        branch, runs = self.tree.current, self._runs
        if runs is None or branch not in runs.tree:
            return
        own = branch != ROOT
        name = runs.tree.name(branch)
        self.notes.setEnabled(own)
        self.notes.setAccessibleName(tr("Notes on {run}", run=name))
        self.compare.setEnabled(branch != runs.branch)
        self.compare.setAccessibleDescription(tr("{run} beside the current run", run=name))
        text = runs.tree[branch].notes if own else ""
        if (branch, text) != (self._noted, self._noting):
            self._noted, self._noting = branch, text
            self.notes.setPlainText(text)
        hint = (
            tr("Notes on {run}", run=name)
            if own
            else tr("Only branches have notes; this is the experiment without interventions.")
        )
        self.notes.setPlaceholderText(hint)

    # ------------------------------------------------------------------ names and notes

    def edit_name(self, branch: int) -> None:
        """Open a field over the name of a run; the experiment's own run has the name of the experiment."""
        if branch == ROOT or self.tree.tree.line(branch) is None or self._runs is None:
            return
        self.tree.choose(branch)
        self.tree.scrollTo(self.tree.currentIndex())
        name = self._runs.tree.name(branch)
        rect = self.tree.name_rect(branch)
        self.field = NameField(name, lambda new: self._rename(branch, new), rect, self.theme, self.tree.viewport())
        self.tree.viewport().setFocusProxy(self.tree)

    def keep_notes(self) -> None:
        """Save the notes on the run."""
        text = self.notes.toPlainText()
        if self._noted > ROOT and text != self._noting:
            self._noting = text
            self.noted.emit(self._noted, text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.notes and event.type() == QEvent.Type.FocusOut:
            self.keep_notes()
        return False

    # ------------------------------------------------------------------ the menu

    def menu_for(self, branch: int) -> QMenu:
        """Return the menu of a run."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setToolTipsVisible(True)
        runs = self._runs
        if runs is None or branch not in runs.tree:
            return menu
        shown = branch == runs.branch
        menu.setAccessibleName(runs.tree.name(branch))
        menu.addAction(tr("&Show\tEnter"), lambda: self.wanted.emit(branch)).setEnabled(not shown)
        if branch != ROOT:
            menu.addAction(tr("Show where it &branches off"), lambda: self.fork_wanted.emit(branch))
        menu.addAction(tr("&Go live from here"), lambda: self.live_wanted.emit(branch))
        menu.addSeparator()
        if shown and len(runs.tree) > 1:
            others = menu.addMenu(tr("&Compare with"))
            for id in [id for id, _ in runs.tree.walk() if id != branch][:OFFERED]:
                others.addAction(
                    runs.tree.name(id).replace("&", "&&"),
                    lambda id=id: self.compare_wanted.emit(id),  # type: ignore[misc]
                )
        elif not shown:
            menu.addAction(tr("&Compare with the current run"), lambda: self.compare_wanted.emit(branch))
        menu.addSeparator()
        if branch != ROOT:
            menu.addAction(tr("&Rename\tF2"), lambda: self.edit_name(branch))
            menu.addAction(tr("&Notes"), lambda: self._write_notes(branch))
        menu.addAction(tr("Copy as co&mmand line"), lambda: self.copy_wanted.emit(branch))
        return menu

    def _write_notes(self, branch: int) -> None:
        self.tree.choose(branch)
        self.notes.setFocus(Qt.FocusReason.OtherFocusReason)
