"""The list of completions at the cursor, with an explanation beside it; it follows the typing without disturbing it."""

from __future__ import annotations

import dataclasses
import re

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import head_icon, state_icon
from lydian.app.protocol.code.marks import MarkedText
from lydian.authoring.complete import Completion, complete_in
from lydian.language import tr, trc
from lydian.model.source.draft import Draft
from lydian.model.source.lex import kind_at
from lydian.model.source.text import Text

__all__ = ["Completer", "opens_at"]

#: The largest number of visible rows.
ROWS = 9
_ICONS = {
    "timer": "clock",
    "command": "flag",
    "request": "chevron-down",
    "indication": "chevron-up",
    "call": "bolt",
    "function": "code",
    "variable": "process",
    "parameter": "sliders",
    "field": "more",
    "need": "tick",
    "word": "book",
    "name": "more",
}
#: The kind of a completion -> its word.
KINDS = {
    "state": tr("state"),
    "message": tr("message"),
    "timer": tr("timer"),
    "command": tr("command"),
    "request": tr("request"),
    "indication": tr("indication"),
    "call": tr("call"),
    "function": tr("function"),
    "variable": tr("variable"),
    "parameter": tr("parameter"),
    "field": trc("of a message", "field"),
    "need": trc("assumption of a protocol", "need"),
    "word": trc("of the language", "word"),
    "name": "",
}


class OfferRows(QStyledItemDelegate):
    """The painter of a row: a picture, the word with the typed part in bold, and the kind."""

    def __init__(self, owner: Completer) -> None:
        super().__init__(owner.list)
        self.owner = owner

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(10, self.owner.list.fontMetrics().height() + 8)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        theme = self.owner.edit.theme
        each: Completion = index.data(Qt.ItemDataRole.UserRole)
        box: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        p.save()
        if chosen:
            p.fillRect(box, theme.color("accent.soft"))
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        side = min(theme.stretched(18), box.height() - 6)
        picture = picture_of(self.owner.edit, each, side)
        p.drawPixmap(QPoint(box.left() + 8, box.center().y() - side // 2), picture)
        p.setFont(self.owner.list.font())
        metrics = p.fontMetrics()
        kind = KINDS.get(each.kind, each.kind)
        small = theme.font("small")
        x = box.left() + 14 + side
        begun = self.owner.begun
        strong = self.owner.list.font()
        strong.setBold(True)
        base = box.center().y() + metrics.ascent() // 2 - 1
        p.setPen(theme.color("text.primary"))
        head = each.text[: len(begun)] if each.text.lower().startswith(begun.lower()) else ""
        p.setFont(strong)
        p.drawText(QPoint(x, base), head)
        x += p.fontMetrics().horizontalAdvance(head)
        p.setFont(self.owner.list.font())
        p.drawText(QPoint(x, base), each.text[len(head) :])
        p.setFont(small)
        p.setPen(theme.color("text.secondary" if chosen else "text.hint"))
        p.drawText(
            QRectF(box.adjusted(0, 0, -10, 0)), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, kind
        )
        p.restore()


def picture_of(edit: MarkedText, each: Completion, side: int) -> QPixmap:
    """Return the small picture of a completion: a state's shape, a message's head, or a sign of its kind."""
    theme, lighter = edit.theme, edit.lighter
    if each.kind == "state":
        role = lighter.roles.get(each.text) or lighter.texts.get(each.text.strip("\"'"))
        return state_icon(theme, role.slot if role else 0, side)
    if each.kind == "message" and each.text in lighter.roles:
        return head_icon(theme, lighter.roles[each.text].slot, side)
    return pixmap(_ICONS.get(each.kind, "more"), theme.color("text.hint"), side, 2.0)


#: The text that Enter inserts after a word of the language that follows @.
_MARKS = {"on": "()", "always": '("")', "eventually": '("")', "at_end": '("")'}


def opens_at(before: str) -> bool:
    """Return True if the list opens automatically after the text that was just typed."""
    return bool(
        re.search(r"[^\W\d]\w*\.$", before)
        or re.match(r"\s*@$", before)
        or re.match(r"\s*@on\(\(?$", before)
        or re.match(r"\s*@on\(.*[,(] ?$", before)
        or re.search(r"(self\.state\s*=|\.state\s*[=!]=)\s*$", before)
        or re.match(r"\s*needs\s*=\s*(\w+,\s*)*$", before)
    )


class Completer(QObject):
    """The list of completions of one editor; it is a part of the window, so that the text keeps the focus."""

    taken = Signal()

    def __init__(self, edit: MarkedText) -> None:
        super().__init__(edit)
        self.edit = edit
        self.begun = ""
        self.asked = False
        self.frame = QFrame(edit)
        self.frame.setObjectName("codeOffers")
        self.frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.frame.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list = set_up(QListWidget(), look="codeOfferList", name=tr("Completions"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerItem)
        self.list.setItemDelegate(OfferRows(self))
        self.help = set_up(QLabel(), look="codeOfferHelp", name=tr("Meaning"), wraps=True, plain=True)
        self.help.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        across((self.list, Qt.AlignmentFlag.AlignTop), self.help, on=self.frame, margins=2, spacing=0)
        self.frame.hide()
        set_look(self.list, edit.theme, font="body mono")
        self.list.currentItemChanged.connect(self._describe)
        self.list.itemClicked.connect(lambda _item: self.take())

    @property
    def open(self) -> bool:
        return self.frame.isVisible()

    def words(self) -> list[str]:
        """The completions that are offered."""
        return [self.list.item(row).data(Qt.ItemDataRole.UserRole).text for row in range(self.list.count())]

    def draft(self) -> Draft:
        """The draft of the file with the text of this moment."""
        protocol = self.edit.protocol
        draft = protocol.draft
        source = protocol.source
        if draft.text.source == source:
            return draft
        return dataclasses.replace(draft, parsed=dataclasses.replace(draft.parsed, text=Text(source)))

    # ------------------------------------------------------------------ opening and following

    def typed(self, text: str) -> None:
        """Open the list after a letter where a word is expected, or update the open list."""
        column = self.edit.place()[1]
        before = self.edit.textCursor().block().text()[:column]
        if self.open and (text.isidentifier() or text.isdigit()):
            self.show(asked=self.asked)
        elif text in (".", "@", "(", ",", " ", "=") and opens_at(before):
            self.show()
        elif self.open and text:
            self.close()

    def follow(self) -> None:
        """Update the completions after a move of the cursor or a deletion."""
        if self.open:
            self.show(asked=self.asked)

    def show(self, *, asked: bool = False) -> None:
        """Show the completions at the cursor, unless there are none but the word that is already there."""
        line, column = self.edit.place()
        before = self.edit.textCursor().block().text()[:column]
        kind = kind_at(self.edit.code.spans(line - 1), column)
        match = re.search(r"[^\W\d]\w*$", before)
        self.begun = match[0] if match else ""
        if kind in ("string", "comment") or re.match(r"\s*(def|class|import|from)\s+\w*$", before):
            self.close()
            return
        found = complete_in(self.draft(), line, column)
        if not asked and (not found or [each.text for each in found] == [self.begun]):
            self.close()
            return
        if not found:
            self.close()
            self.edit.protocol.say(tr("no completions here"))
            return
        self.asked = asked
        kept = self.list.currentItem()
        before_text = kept.data(Qt.ItemDataRole.UserRole).text if kept is not None and self.open else ""
        self.list.clear()
        for each in found:
            item = QListWidgetItem(each.text)
            item.setData(Qt.ItemDataRole.UserRole, each)
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, f"{each.text}, {KINDS.get(each.kind) or tr('name')}: {each.help}"
            )
            self.list.addItem(item)
        texts = [each.text for each in found]
        self.list.setCurrentRow(texts.index(before_text) if before_text in texts else 0)
        self._lay(texts)

    def close(self) -> None:
        self.frame.hide()
        self.asked = False

    def _lay(self, texts: list[str]) -> None:
        edit, theme = self.edit, self.edit.theme
        window = edit.window()
        if self.frame.parentWidget() is not window:
            self.frame.setParent(window)
        metrics = self.list.fontMetrics()
        wide = max(metrics.horizontalAdvance(text) for text in texts) + theme.px("small") * 6 + 56
        tall = min(len(texts), ROWS) * (metrics.height() + 8) + 2
        self.list.setFixedSize(min(max(wide, 190), 420), tall)
        self.help.setFixedWidth(theme.grown(260))
        self.frame.setFixedHeight(max(tall + 4, min(self.help.heightForWidth(theme.grown(260)) + 4, 260)))
        self.frame.adjustSize()
        cursor = edit.textCursor()
        box = edit.cursorRect(cursor)
        start = box.left() - edit.fontMetrics().horizontalAdvance(self.begun) - 34
        place = edit.viewport().mapTo(window, QPoint(start, box.bottom() + 3))
        if place.y() + self.frame.height() > window.height():
            above = edit.viewport().mapTo(window, QPoint(start, box.top() - 3)).y() - self.frame.height()
            place.setY(max(0, above))
        place.setX(max(4, min(place.x(), window.width() - self.frame.width() - 4)))
        self.frame.move(place)
        self.frame.show()
        self.frame.raise_()

    def _describe(self, item: QListWidgetItem | None, _before: QListWidgetItem | None = None) -> None:
        self.help.setText(item.data(Qt.ItemDataRole.UserRole).help if item is not None else "")
        if item is not None:  # the text keeps the focus, so a screen reader would not notice
            Announcer(self.edit).polite(str(item.data(Qt.ItemDataRole.AccessibleTextRole)))

    # ------------------------------------------------------------------ keys

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key while the list is open; return True if it was used."""
        if not self.open or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        key, rows = event.key(), self.list.count()
        row = self.list.currentRow()
        steps = {
            Qt.Key.Key_Up: (row - 1) % rows,
            Qt.Key.Key_Down: (row + 1) % rows,
            Qt.Key.Key_PageUp: max(0, row - ROWS),
            Qt.Key.Key_PageDown: min(rows - 1, row + ROWS),
        }
        if key in steps:
            self.list.setCurrentRow(steps[Qt.Key(key)])
        elif key == Qt.Key.Key_Escape:
            self.close()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab) and self.useful():
            self.take()
        else:
            return False
        return True

    def useful(self) -> bool:
        """Whether Enter would change the text."""
        item = self.list.currentItem()
        return item is not None and item.data(Qt.ItemDataRole.UserRole).text != self.begun

    def take(self) -> None:
        """Replace the typed beginning by the chosen word."""
        item = self.list.currentItem()
        self.close()
        if item is None:
            return
        each: Completion = item.data(Qt.ItemDataRole.UserRole)
        edit = self.edit
        edit.own()
        cursor = edit.textCursor()
        line, column = edit.place(cursor)
        text = cursor.block().text()
        before, after = text[: column - len(self.begun)], text[column:]
        tail, back = self._tail(each, before, after)
        cursor.beginEditBlock()
        cursor.setPosition(edit.position(line, column - len(self.begun)), cursor.MoveMode.KeepAnchor)
        cursor.insertText(each.text + tail)
        if back:
            cursor.movePosition(cursor.MoveOperation.Left, cursor.MoveMode.MoveAnchor, back)
        cursor.endEditBlock()
        edit.setTextCursor(cursor)
        if tail == "()" and each.text == "on":
            self.show()
        self.taken.emit()

    def _tail(self, each: Completion, before: str, after: str) -> tuple[str, int]:
        """Return the text to insert after a word, and the number of letters by which the cursor then moves back."""
        if after.startswith("("):
            return "", 0
        if before.rstrip().endswith("@"):
            tail = _MARKS.get(each.text, "")
            return tail, len(tail) // 2
        if each.kind in ("call", "function"):
            head = re.match(rf"(?:self\.)?{re.escape(each.text)}\((.*?)\)", each.help)
            if head is not None:
                takes = [part for part in head[1].split(", ") if part and part != "self"]
                return "()", 1 if takes else 0
        if each.kind in ("message", "timer", "command") and not re.search(r"@\w*on\(|type\(.*is |isinstance\(", before):
            head = re.match(rf"\w+ {re.escape(each.text)}\((.*?)\)", each.help)
            return "()", 1 if head is not None and head[1] else 0
        return "", 0
