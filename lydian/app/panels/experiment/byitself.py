"""The popup of the card Users and churn: spontaneous commands and crashes, with a form for each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWidget,
)

from lydian.app.kit.form import BoundForm, choice
from lydian.app.kit.layout import across, fill
from lydian.app.kit.popup import Popup
from lydian.app.kit.theming import set_up
from lydian.app.panels.experiment.card import scrolled
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.experiment.traffic import Churn, Traffic
from lydian.model.source.outline import EventOutline
from lydian.views.playback.byitself import (
    DRAWS,
    LAWS,
    ByItself,
    about,
    brief,
    entries,
    first_churn,
    first_traffic,
    read,
    texts,
)
from lydian.views.playback.faultforms import Entry
from lydian.views.playback.interfering import outline_from

__all__ = ["ByItselfPopup", "commands_of"]

#: The minimum width of the popup; the maximum height of the form before it scrolls; the visible rows of the list.
WIDTH, HIGHEST, SEEN = 440, 330, 5
_DISTRIBUTIONS = ("arrivals", "lifetime", "downtime")


def commands_of(source: str) -> tuple[EventOutline, ...]:
    """Return the commands that a protocol's text declares; the text is parsed, never run."""
    found = outline_from(source)
    return () if found is None else found.commands


class ByItselfPopup(Popup):
    """The popup for the traffic and the churn of an experiment: a list, and the fields of the selected entry.

    A field takes effect when it loses the focus. Invalid input is explained below it and not used.
    """

    #: The text of the undo step, and the new traffic and churn.
    changed = Signal(str, object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._all: list[ByItself] = []
        self._commands: tuple[EventOutline, ...] = ()
        self._names: tuple[str, ...] = ()
        self._until: float | None = None
        self._entries: list[Entry] = []
        self.lines: dict[str, QLineEdit | QComboBox] = {}
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Random commands and churn"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.add_traffic, self.add_churn = QPushButton(tr("Add commands")), QPushButton(tr("Add churn"))
        self.remove = QPushButton(tr("Remove"))
        self.add_traffic.setToolTip(tr("Commands that users give at random times"))
        self.add_churn.setToolTip(tr("Processes that crash and recover at random times"))
        self.remove.setToolTip(tr("Remove the selected entry (Del)"))
        self.why, self.explained, self.problem = QLabel(), QLabel(), QLabel()
        for label, name in ((self.why, "explained"), (self.explained, "explained"), (self.problem, "problem")):
            label.setObjectName(name)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.area = scrolled()
        fill(
            self.column, self.list, across(self.add_traffic, self.add_churn, ..., self.remove), self.why, self.area,
            self.explained, self.problem,
        )  # fmt: skip
        self.list.currentRowChanged.connect(lambda _row: self._form())
        self.add_traffic.clicked.connect(lambda: self._add(first_traffic(self._commands, self._until)))
        self.add_churn.clicked.connect(lambda: self._add(first_churn(self._until)))
        self.remove.clicked.connect(self._remove)
        delete = QShortcut(QKeySequence.StandardKey.Delete, self.list, self._remove)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)

    def open(
        self, below: QWidget, traffic: Sequence[Traffic], churn: Sequence[Churn], commands: Sequence[EventOutline],
        protocol: str, *, names: Sequence[str] = (), until: float | None = None,
    ) -> None:  # fmt: skip
        """Show the traffic and the churn.

        Args:
            below: the card.
            commands: the commands of the protocol, whose name is ``protocol``.
            names: the names of the processes; empty if they are unknown.
            until: the end of the experiment, which is also the end of a new entry.
        """
        self._all = [*traffic, *churn]
        self._commands, self._names, self._until = tuple(commands), tuple(names), until
        self.add_traffic.setEnabled(bool(commands))
        self.why.setText(
            tr("{protocol} has no commands for users, but its processes can crash and recover.", protocol=protocol)
        )
        self.why.setVisible(not commands)
        self._fill(0)
        self.open_below(below, WIDTH)
        self._fit()
        (self.list if self._all else self.add_traffic if commands else self.add_churn).setFocus()

    @property
    def chosen(self) -> ByItself | None:
        """The entry whose fields are shown."""
        row = self.list.currentRow()
        return self._all[row] if 0 <= row < len(self._all) else None

    # ------------------------------------------------------------------ the form

    def _fill(self, row: int) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for one in self._all:
            text = brief(one, len(self._names))
            self.list.addItem(text[:1].upper() + text[1:])
            self.list.item(self.list.count() - 1).setToolTip(about(one, len(self._names)))
        self.list.setCurrentRow(min(row, len(self._all) - 1))
        self.list.blockSignals(False)
        self.list.setVisible(bool(self._all))
        self.list.setFixedHeight(min(len(self._all), SEEN) * max(self.list.sizeHintForRow(0), 12) + 6)
        self.remove.setVisible(bool(self._all))
        self._form()

    def _form(self) -> None:
        """Build the fields of the selected entry."""
        one = self.chosen
        self.problem.hide()
        self.area.setVisible(one is not None)
        self.explained.setVisible(one is not None)
        if one is None:
            self.lines, self._entries = {}, []
            self._fit()
            return
        self.explained.setText(about(one, len(self._names)))
        self._entries = entries(one, self._commands)
        self.lines = {}
        inside = set_up(QWidget(), look="panel")
        self.form = form = BoundForm(lambda _key: self.commit(), lambda _key: self.check())
        form.rows.setContentsMargins(2, 2, 6, 2)
        form.rows.setVerticalSpacing(6)
        form.rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for entry in self._entries:
            self.lines[entry.key] = line = self._line(entry)
            if entry.key in _DISTRIBUTIONS:
                form.row(f"laws {entry.key}", "", self._laws(entry, line))
        form.say(texts(self._entries))
        inside.setLayout(form.rows)
        self.area.setWidget(inside)
        self._fit()

    def _line(self, entry: Entry) -> QLineEdit | QComboBox:
        if entry.choices:
            box = choice(*((each, each) for each in entry.choices))
            return self.form.add(entry.key, entry.label, box, about=entry.about, tip=entry.about)
        tip = (
            tr("A value, or a random one: {examples}", examples=DRAWS)
            if entry.key.startswith("field:")
            else entry.about
        )
        line = QLineEdit(entry.value)
        return self.form.add(
            entry.key, entry.label, line, live=False, about=entry.about, tip=tip, empty=entry.about
        )  # fmt: skip

    def _laws(self, entry: Entry, line: QLineEdit | QComboBox) -> QComboBox:
        """Return a list of distributions, shown below the field that takes any other."""
        laws = QComboBox()
        laws.addItems([tr("Choose a distribution…"), *LAWS])
        laws.setAccessibleName(tr("Distributions for {field}", field=entry.label))

        def took(index: int) -> None:
            if index > 0 and isinstance(line, QLineEdit):
                line.setText(laws.itemText(index))
                laws.setCurrentIndex(0)
                self.commit()

        laws.activated.connect(took)
        return laws

    def _fit(self) -> None:
        """Set the height that the fields need; above a maximum, they scroll."""
        inside = self.area.widget()
        if inside is not None and not self.area.isHidden():
            need = inside.sizeHint().height() + 4
            scrolls = need > HIGHEST
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            self.area.setVerticalScrollBarPolicy(policy)
            self.area.setFixedHeight(min(HIGHEST, need))
        self.column.activate()
        self.adjustSize()
        if self.isVisible():
            self.stay_inside(self)

    # ------------------------------------------------------------------ changes

    def check(self) -> ByItself | None:
        """Return the entry in the fields, or ``None`` if it is invalid, with an explanation below."""
        if self.chosen is None:
            return None
        values = self.form.read()
        if values.get("label") != texts(self._entries).get("label"):  # another command has other fields
            command = next(each for each in self._commands if each.name == values["label"])
            others = first_traffic([command], None).fields
            values = {key: text for key, text in values.items() if not key.startswith("field:")}
            values |= {f"field:{name}": str(value) for name, value in others.items()}
        try:
            found = read(values, self._commands, self._names)
        except BadInput as error:
            label = next((each.label for each in self._entries if each.key == error.place), "")
            self.problem.setText(f"{label}: {error.what}" if label else f"{error.what[:1].upper()}{error.what[1:]}")
            self.problem.show()
            self.explained.hide()
            self._fit()
            return None
        self.problem.hide()
        self.explained.setText(about(found, len(self._names)))
        self.explained.show()
        self._fit()
        return found

    def commit(self) -> None:
        """Emit the entry in the fields if it is valid and has changed."""
        row, found = self.list.currentRow(), self.check()
        if found is None or found == self._all[row]:
            return
        other = isinstance(found, Traffic) and found.label != self.values_before("label")
        self._all[row] = found
        self._tell(tr("commands") if isinstance(found, Traffic) else tr("churn"))
        if other:
            QTimer.singleShot(0, self, lambda: self._fill(row))  # the box that was used is deleted with its fields
            return
        text = brief(found, len(self._names))
        self.list.item(row).setText(text[:1].upper() + text[1:])
        self.list.item(row).setToolTip(about(found, len(self._names)))
        self._entries = entries(found, self._commands)

    def values_before(self, key: str) -> str:
        """Return the values of the fields when the form was made."""
        return texts(self._entries).get(key, "")

    def _add(self, one: ByItself) -> None:
        traffic = [each for each in self._all if isinstance(each, Traffic)]
        row = len(traffic) if isinstance(one, Traffic) else len(self._all)
        self._all.insert(row, one)
        self._fill(row)
        self._tell(tr("new commands") if isinstance(one, Traffic) else tr("new churn"))
        first = self.lines["arrivals" if isinstance(one, Traffic) else "lifetime"]
        first.setFocus()
        if isinstance(first, QLineEdit):
            first.selectAll()

    def _remove(self) -> None:
        one, row = self.chosen, self.list.currentRow()
        if one is not None:
            del self._all[row]
            self._fill(row)
            self._tell(tr("fewer commands") if isinstance(one, Traffic) else tr("less churn"))
            (self.list if self._all else self.add_churn).setFocus()

    def _tell(self, word: str) -> None:
        traffic = tuple(one for one in self._all if isinstance(one, Traffic))
        churn = tuple(one for one in self._all if isinstance(one, Churn))
        self.changed.emit(word, traffic, churn)
