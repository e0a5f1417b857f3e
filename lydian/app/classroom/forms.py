"""The forms of a class, each a card in the column on the left: host, join, ask, make mischief."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.classroom.cards import Card, button
from lydian.app.kit.fields import Segment
from lydian.app.kit.form import BoundForm, choice, whole
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.language import tr, trc

__all__ = ["AskForm", "HostForm", "JoinForm", "MischiefForm", "Sheet", "reach"]

#: The number of players of a game unless the host changes it.
PLAYERS = 8
#: The sentence about a game in the list.
_ABOUT = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


class Sheet(Card):
    """A form with a filled button and a cross; Esc closes it, Enter presses the button."""

    #: Emitted with the values of the form.
    sent = Signal(dict)
    closed = Signal()

    def __init__(self, theme: Theme, icon: str, title: str, press: str) -> None:
        super().__init__(theme, icon, title)
        self.form = BoundForm(lambda _key: self.edited(), small=True)
        self.tool("close", tr("Close the form"), lambda _on=False: self.closed.emit())
        self.problem = set_up(QLabel(), look="classProblem", wraps=True, plain=True)
        self.problem.hide()
        self.press = button(theme, press, icon, lambda _on=False: self.send(), filled=True)

    def finish(self) -> None:
        """Add the fields, the place for a problem and the button."""
        if self.form.rows.parent() is None:
            self.add(self.form.rows)
        self.add(self.problem)
        self.add(across(..., self.press))
        self.edited()

    def edited(self) -> None:
        """Respond to an edit of a field."""

    def complain(self, sentence: str) -> None:
        """Show why the form cannot be sent; "" for no reason."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def send(self) -> None:
        """Emit the values, unless something is missing."""
        values = self.form.read()
        missing = self.missing(values)
        self.complain(missing)
        if not missing:
            self.sent.emit(values)

    def missing(self, values: Mapping[str, Any]) -> str:
        """Return what is missing; "" if nothing is."""
        return ""

    def focus(self) -> None:
        """Move the focus to the first field that is empty."""
        fields = [each for each in self.form.fields.values() if not each.isHidden()]
        empty = [each for each in fields if isinstance(each, QLineEdit) and not each.text()]
        for each in [*empty, *fields][:1]:
            each.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Keep the keys that the form uses from the commands of the window."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self.wants(event):
            event.accept()
            return True
        return super().event(event)

    def wants(self, event: QKeyEvent) -> bool:
        """Return whether a key that is also one of the window is for the form."""
        return event.key() == Qt.Key.Key_Escape

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.send()
        else:
            super().keyPressEvent(event)


def reach(words: str = "") -> Segment:
    """Return the choice of who can join."""
    here = tr("Listen on this computer only, to try a class alone")
    everywhere = tr("Let others on the same network join; their phones need the code")
    choices = [("", tr("This computer"), here), ("lan", tr("Local network"), everywhere)]
    return Segment(words or tr("Who can join"), choices)


class _Games(QListWidget):
    """The games: the title of each, and a sentence; all are visible at once if there is room."""

    def __init__(self, theme: Theme, games: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.setObjectName("classGames")
        self.setAccessibleName(tr("Games"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setItemDelegate(_Game(theme, self))
        for name, title, about in games:
            item = QListWidgetItem(title, self)
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setData(_ABOUT, about)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}. {about}")
        self.setCurrentRow(0)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), sum(self.sizeHintForRow(at) for at in range(self.count())) + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()


class _Game(QStyledItemDelegate):
    """A game in the list."""

    def __init__(self, theme: Theme, games: QListWidget) -> None:
        super().__init__(games)
        self.theme, self.games = theme, games

    def _words(self, index: Index, width: int) -> tuple[int, QRect]:
        """Return the height of the title, and the room of the sentence below it."""
        title = QFontMetrics(self.theme.font("body", semibold=True)).height()
        metrics = QFontMetrics(self.theme.font("caption"))
        wrap = int(Qt.TextFlag.TextWordWrap)
        return title, metrics.boundingRect(QRect(0, 0, width, 1000), wrap, str(index.data(_ABOUT)))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = max(120, self.games.viewport().width() - 20)
        title, about = self._words(index, width)
        return QSize(width, title + about.height() + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, box = self.theme, option.rect
        chosen = self.games.currentRow() == index.row()
        painter.save()
        painter.fillRect(box, theme.color("accent.soft" if chosen else "surface.panel"))
        if chosen:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.color("border.subtle"))
        title, _about = self._words(index, box.width() - 20)
        painter.setFont(theme.font("body", semibold=True))
        painter.setPen(theme.color("text.primary"))
        painter.drawText(box.adjusted(10, 7, -10, 0), int(Qt.AlignmentFlag.AlignTop), str(index.data()))
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text.secondary"))
        room = box.adjusted(10, 9 + title, -10, 0)
        painter.drawText(room, int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop), str(index.data(_ABOUT)))
        painter.restore()


class HostForm(Sheet):
    """How to host: the game, or the run that is shown, and who can join."""

    def __init__(self, theme: Theme, games: Sequence[tuple[str, str, str]], what: str) -> None:
        title = tr("Host a game") if games else tr("Host this run")
        super().__init__(theme, "people", title, tr("Open the door"))
        self.games: QListWidget | None = None
        if games:
            self.games = _Games(theme, games)
            self.games.itemActivated.connect(lambda _item: self.send())
            self.add((self.games, 1))
        else:
            self.add(set_up(QLabel(what), look="cardValue", wraps=True, plain=True))
            words = tr("Each person plays a process; a process without a player runs by itself.")
            self.add(set_up(QLabel(words), look="dockNote", wraps=True, plain=True))
        self.add(set_up(QLabel(tr("Who can join")), look="fieldLabel", plain=True))
        self.add(self.form.bind("reach", reach()))
        if games:
            self.form.add("players", tr("Players"), whole(2, 60))
            self.form.say({"players": PLAYERS})
        self.form.add("port", trc("of a network", "Port"), whole(0, 65_535, never=tr("any free one")))
        self.form.say({"reach": "lan", "port": 0})
        self.finish()

    @property
    def game(self) -> str:
        """The name of the chosen game; "" for the run that is shown."""
        item = None if self.games is None else self.games.currentItem()
        return "" if item is None else str(item.data(Qt.ItemDataRole.UserRole))


class JoinForm(Sheet):
    """Where to join, and as whom."""

    def __init__(self, theme: Theme, last: Mapping[str, Any]) -> None:
        super().__init__(theme, "people", tr("Join a class"), tr("Join"))
        self.form.add("url", tr("Address"), QLineEdit(), empty="192.168.4.20:8642")
        self.form.add("code", tr("Code"), QLineEdit(), empty="ring-4127")
        self.form.add("name", tr("Your name"), QLineEdit())
        wish = Segment(tr("You would like to"), [
            ("seat", tr("Play"), tr("Play a process, if one is free")),
            ("watch", tr("Watch"), tr("See everything, and answer the questions")),
        ])  # fmt: skip
        self.form.add("wish", tr("You want to"), wish)
        told = {name: str(last.get(name, "")) for name in ("url", "name")}
        self.form.say({**told, "code": "", "wish": "seat"})
        self.finish()

    def missing(self, values: Mapping[str, Any]) -> str:
        if not values["url"].strip():
            return tr("Type the address that the host shows.")
        if not values["code"].strip() and "code=" not in values["url"]:
            return tr("Type the code that the host shows.")
        return "" if values["name"].strip() else tr("Type what the others may call you.")


class AskForm(Sheet):
    """A question to everybody."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "chart", tr("Ask a prediction"), tr("Ask"))
        self.form.add("text", tr("Question"), QLineEdit(), empty=tr("How many rounds until one is left?"))
        form = choice(
            (tr("a number"), "number"), (tr("one of these"), "choice"), (tr("a process"), "process"), short=8
        )  # fmt: skip
        self.form.add("form", tr("Answer"), form)
        self.form.add("choices", tr("Choices"), QLineEdit(), empty=tr("yes, no"))
        self.form.add("seconds", tr("Time"), whole(0, 3600, step=15, unit=tr(" s"), never=tr("no limit")))
        self.form.say({"text": "", "form": "number", "choices": "", "seconds": 0})
        self.finish()

    def edited(self) -> None:
        self.form.show(choices=self.form.read()["form"] == "choice")

    def missing(self, values: Mapping[str, Any]) -> str:
        if not values["text"].strip():
            return tr("Type the question.")
        several = [each for each in values["choices"].split(",") if each.strip()]
        if values["form"] == "choice" and len(several) < 2:
            return tr("Type at least two choices, with commas between them.")
        return ""

    @staticmethod
    def request(values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the question for the host."""
        told: dict[str, Any] = {"text": values["text"].strip(), "form": values["form"]}
        if values["form"] == "choice":
            told["choices"] = [each.strip() for each in values["choices"].split(",") if each.strip()]
        if values["seconds"]:
            told["seconds"] = float(values["seconds"])
        return told


class MischiefForm(Sheet):
    """An intervention of the host between two rounds.

    Args:
        processes, links: the names of the processes, and pairs of them.
        variables: returns the variables of a process with their values.
    """

    def __init__(
        self, theme: Theme, processes: Sequence[str], links: Sequence[tuple[str, str]],
        variables: Callable[[str], Mapping[str, Any]],
    ) -> None:  # fmt: skip
        super().__init__(theme, "bolt", tr("Mischief"), trc("mischief", "Do it"))
        self.variables = variables
        kinds = choice(
            (tr("change a value"), "corrupt"), (tr("scramble a process"), "scramble"), (tr("crash a process"), "crash"),
            (tr("let a process recover"), "recover"), (tr("cut a link"), "link_down"),
            (tr("restore a link"), "link_up"), short=8,
        )  # fmt: skip
        self.form.add("do", tr("What"), kinds)
        self.form.add("process", tr("Process"), choice(*((each, each) for each in processes), short=5))
        self.form.add("link", tr("Link"), choice(*((f"{u} – {v}", (u, v)) for u, v in links), short=5))
        self.form.add("variable", tr("Variable"), choice(short=6))
        self.form.add("value", tr("New value"), QLineEdit())
        self._of: object = None
        self.finish()

    def edited(self) -> None:
        values = self.form.read()
        do = values["do"]
        linked = do.startswith("link")
        self.form.show(process=not linked, link=linked, variable=do == "corrupt", value=do == "corrupt")
        if do == "corrupt" and self._of != values["process"]:
            self._of = values["process"]
            box: Any = self.form.fields["variable"]
            box.clear()
            for name, value in self.variables(str(values["process"])).items():
                box.addItem(tr("{variable} (now {value})", variable=name, value=value), name)

    def missing(self, values: Mapping[str, Any]) -> str:
        if values["do"] == "corrupt" and not values["variable"]:
            return tr("This process has no variable.")
        return "" if values["do"] != "corrupt" or values["value"].strip() else tr("Type the new value.")

    @staticmethod
    def request(values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the intervention."""
        do = values["do"]
        if do.startswith("link"):
            return {"do": do, "link": list(values["link"])}
        told = {"do": do, "process": values["process"]}
        if do == "corrupt":
            told |= {"variable": values["variable"], "value": _read(values["value"])}
        return told


def _read(text: str) -> Any:
    """Return a typed value: a number, true or false, or the text itself."""
    import json

    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


def dismissed(sheet: QWidget | None) -> None:
    """Delete a form that is no longer shown."""
    if sheet is not None:
        sheet.hide()
        sheet.deleteLater()
