"""A field that finds a process, an event, a variable, a command or a page of the guide by the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.commands.table import commands, menu_titles
from lydian.app.kit.layout import fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.pieces.animation import generic
from lydian.views.selection import Hit
from lydian.views.words import lookup

__all__ = ["Entry", "Page", "Palette", "pages"]

#: The maximum number of results.
MOST = 40
#: The first character of the text -> the only kind of result to find.
SIGNS = {">": "command", "@": "process", "#": "event", "?": "page"}
ICONS = {"process": "process", "event": "trace", "variable": "sliders", "command": "chevron-right", "page": "info"}
KINDS = {
    "process": tr("Process"),
    "event": tr("Event"),
    "variable": tr("Variable"),
    "command": tr("Command"),
    "page": tr("Guide"),
}
#: Reasons why a command is unavailable, for commands whose status tips describe only their effects.
WHY = {
    "undo": tr("no change to undo"),
    "redo": tr("no change to redo"),
    "stop": tr("nothing is running"),
    "save": tr("nothing to save"),
}
_ENTRY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Entry:
    """One result: ``do`` is its effect when chosen; a result that cannot be chosen has the reason ``why``."""

    kind: str
    text: str
    remark: str
    score: float
    do: Callable[[], object]
    why: str = ""


@dataclass(frozen=True)
class Page:
    """A page of the guide or a section of it; ``section`` is empty for the page itself."""

    title: str
    file: Path
    section: str = ""


def pages(folder: Path) -> list[Page]:
    """Return the pages of a guide and their sections by their headings; unreadable pages are left out."""
    found = []
    for file in sorted(folder.glob("*.md")):
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            continue
        title, code = file.stem, False
        for line in lines:
            code = code != line.startswith("```")
            if code or not line.startswith(("# ", "## ")):
                continue
            text = line.lstrip("#").strip().replace("`", "").replace("*", "")
            if line.startswith("# "):
                title = text
                found.append(Page(title, file))
            else:
                found.append(Page(f"{title}: {text}", file, text))
    return found


class Palette(Popup):
    """A field with a list below it; Up and Down select, Return chooses, Esc closes."""

    #: A page of the guide is requested.
    page_wanted = Signal(object)
    #: The view of one process is requested.
    process_wanted = Signal()

    def __init__(
        self,
        playhead: Playhead,
        theme: Theme,
        actions: Mapping[str, QAction],
        guide: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.playhead, self.commands = playhead, actions
        #: Command -> the submenus that contain it.
        self._menus = {c.name: menu_titles(c.menu)[1:] for c in commands()}
        self._guide = guide
        self.used: list[str] = []  # commands, latest first
        self._rows = 11
        self.setAccessibleName(tr("Find a process, an event, a variable, a command or a page"))
        self.field = set_up(QLineEdit(), name=tr("Text to find"), empty=tr("Process, event, variable, command, page"))
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Results"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self._lines = _Lines(theme, self.list)
        self.list.setItemDelegate(self._lines)
        self.hint = QLabel(tr("↑ ↓ select · Return chooses · > commands · @ processes · # events · ? guide"))
        self.hint.setObjectName("explained")
        fill(self.column, self.field, self.list, self.hint)
        self.field.textChanged.connect(lambda _text: self.refresh())
        self.list.itemClicked.connect(self._take)
        set_look(self.field, theme, font="body")

    @cached_property
    def pages(self) -> list[Page]:
        """The pages and sections that can be found."""
        return pages(self._guide)

    def open_over(self, widget: QWidget, text: str = "") -> None:
        """Show the palette over a widget of the tool bar, inside the window, ready for typing."""
        window = widget.window()
        width = min(max(widget.width() + 20, self.theme.stretched(560)), window.width() - 40)
        self._rows = max(min(11, (window.height() - 160) // self._lines.height()), 3)
        self.setFixedWidth(width)
        self.field.setText(text)
        self.refresh()
        place = widget.mapToGlobal(QPoint(widget.width() // 2 - width // 2, -6))
        left = window.mapToGlobal(QPoint(10, 0)).x()
        place.setX(max(left, min(place.x(), left + window.width() - width - 20)))
        self.move(place)
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    # ------------------------------------------------------------------ the results

    def refresh(self) -> None:
        """List the results for the typed text, best first."""
        found = self.entries(self.field.text())
        self.list.clear()
        for entry in found[:MOST]:
            item = QListWidgetItem(entry.text)
            item.setData(_ENTRY, entry)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{KINDS[entry.kind]}: {entry.text}, {entry.remark}")
            item.setIcon(icon(ICONS[entry.kind], self.theme, "text.hint" if entry.why else "text.secondary"))
            if entry.why:
                item.setToolTip(tr("Not available now: {reason}", reason=entry.why))
            self.list.addItem(item)
        if not found:
            item = QListWidgetItem(tr("No results for “{text}”", text=self.field.text().strip()))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self.list.setCurrentRow(0 if found else -1)
        self.list.setFixedHeight(min(self.list.count(), self._rows) * self._lines.height() + 2)
        self.adjustSize()

    def entries(self, text: str) -> list[Entry]:
        """Return the results for a text, best first; without a text, the commands, latest first."""
        text = text.strip()
        only = SIGNS.get(text[:1])
        query = text[1:].strip() if only is not None and only != "event" else text
        found: list[Entry] = []
        if only in (None, "command"):
            found += self._commands(query)
        if only in (None, "process", "event"):
            found += self._of_the_run(query, only, bare=only is None and not query)
        if only == "page" or (only is None and query):
            found += self._pages(query)
        return sorted(found, key=lambda entry: -entry.score) if query else found

    def _commands(self, query: str) -> Iterable[Entry]:
        known = [name for name in self.commands if name != "palette"]
        order = [*(name for name in self.used if name in known), *(name for name in known if name not in self.used)]
        for name in order:
            action = self.commands[name]
            text = " › ".join([*self._menus.get(name, ()), action.text().replace("&", "").rstrip("…")])
            fits = max(lookup.score(query, text), 0.8 * lookup.score(query, f"{text} {action.statusTip()}"))
            if fits <= 0:
                continue
            usable = action.isEnabled()
            why = "" if usable else str(action.property("why") or WHY.get(name, tr("not available at this moment")))
            key = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
            remark = key if usable else f"{why[:1].upper()}{why[1:]}"
            yield Entry("command", text, remark, fits * (1.0 if usable else 0.8), self._doer(name), why)

    def _doer(self, name: str) -> Callable[[], object]:
        def do() -> None:
            self.used = [name, *(other for other in self.used if other != name)][:8]
            self.commands[name].trigger()

        return do

    def _of_the_run(self, query: str, only: str | None, *, bare: bool) -> Iterable[Entry]:
        head = self.playhead
        timeline, k = head.timeline, head.position
        if timeline is None or bare:
            return
        animation = head.animation or generic()
        found: list[lookup.Found] = []
        if only in (None, "process"):
            found += lookup.processes(timeline, query, k, animation, MOST if only else 8)
        if only in (None, "event"):
            found += lookup.events(timeline, query, k, animation, MOST if only else 8)
        if only is None:
            found += lookup.variables(timeline, query, k, head.selection.processes)
        weights = {"process": 1.0, "event": 0.92, "variable": 0.96}
        for each in found:
            yield Entry(each.kind, each.text, each.remark, each.score * weights[each.kind], self._goer(each))

    def _goer(self, found: lookup.Found) -> Callable[[], object]:
        def go() -> None:
            head = self.playhead
            if found.kind == "event" and head.timeline is not None:
                head.pause()
                head.seek(float(head.timeline.time[found.event]))
                head.pick(Hit("event", found.event))
                return
            head.pick(Hit("process", found.process))
            if found.kind == "variable":
                self.process_wanted.emit()

        return go

    def _pages(self, query: str) -> Iterable[Entry]:
        for page in self.pages:
            fits = 0.9 * lookup.score(query, page.title)
            if fits > 0:
                yield Entry("page", page.title, "", fits, lambda page=page: self.page_wanted.emit(page))  # type: ignore[misc]

    # ------------------------------------------------------------------ choosing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the field that are for the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key, row, last = event.key(), self.list.currentRow(), self.list.count() - 1
            page = max(self.list.viewport().height() // self._lines.height() - 1, 1)
            moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page}
            if key in moves:
                step = moves[Qt.Key(key)]
                wraps = abs(step) == 1 and not 0 <= row + step <= last
                self.list.setCurrentRow((0 if step > 0 else last) if wraps else max(0, min(last, row + step)))
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take(self.list.currentItem())
                return True
        return bool(super().eventFilter(watched, event))

    def _take(self, item: QListWidgetItem | None) -> None:
        entry = item.data(_ENTRY) if item is not None else None
        if isinstance(entry, Entry) and not entry.why:
            self.close()
            entry.do()

    @property
    def texts(self) -> Sequence[str]:
        """Return the texts of the results, from the top."""
        return [self.list.item(row).text() for row in range(self.list.count())]


class _Lines(QStyledItemDelegate):
    """A delegate that draws a result: icon, text, and on the right its key, its time or why it is unavailable."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def height(self) -> int:
        return max(QFontMetrics(self.theme.font("body")).height() + 12, 30)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self.height())

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        p.save()
        try:
            box: QRect = option.rect
            state: QStyle.StateFlag = option.state
            if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
                chosen = bool(state & QStyle.StateFlag.State_Selected)
                p.fillRect(box, self.theme.color("accent.soft" if chosen else "surface.panelAlt"))
            entry = index.data(_ENTRY)
            inner = box.adjusted(10, 0, -10, 0)
            right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
            if isinstance(entry, Entry):
                size = self.theme.stretched(16)
                sign = index.data(Qt.ItemDataRole.DecorationRole)
                sign.paint(p, QRect(inner.left(), box.center().y() - size // 2, size, size))
                inner.setLeft(inner.left() + size + 10)
                p.setFont(self.theme.font("small"))
                p.setPen(self.theme.color("text.hint"))
                remark = p.fontMetrics().elidedText(entry.remark, Qt.TextElideMode.ElideRight, inner.width() // 2)
                p.drawText(inner, right, remark)
                inner.setRight(inner.right() - p.fontMetrics().horizontalAdvance(remark) - 12)
            p.setFont(self.theme.font("body"))
            pale = not isinstance(entry, Entry) or bool(entry.why)
            p.setPen(self.theme.color("text.hint" if pale else "text.primary"))
            text = p.fontMetrics().elidedText(
                str(index.data(Qt.ItemDataRole.DisplayRole)), Qt.TextElideMode.ElideRight, inner.width()
            )
            p.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter), text)
        finally:
            p.restore()
