"""Faults that are drawn anew for each run, as a card: what happens, to how many, among whom, when, how long."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLabel, QToolButton, QWidget

from lydian.app.batch.form import Drawn
from lydian.app.batch.parts import Said, field, put_text
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.batch.drawn import drawn_kinds
from lydian.model.interventions import KINDS

__all__ = ["DrawnCard"]

_AMONG = {"all": "all of them", "initiators": "the initiators", "others": "all but the initiators"}


class DrawnCard(QFrame):
    """One kind of fault."""

    #: As it is now, what undo calls the edit, and its key.
    edited = Signal(object, str, str)
    #: It shall go.
    removed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("varyCard")
        self.each = Drawn()
        change = self._change
        self.do = QComboBox()
        self.do.setAccessibleName("What happens")
        for kind in drawn_kinds():
            self.do.addItem(kind.drawn, kind.name)
        self.do.activated.connect(lambda at: change("fault", "", do=self.do.itemData(at)))
        self.cross = set_up(
            QToolButton(), name="Draw these faults no longer", tip="Draw these faults no longer", clicked=self.removed
        )
        self.count = field("How many", lambda text: change("number of faults", "count", count=text), "2, or {k}")
        self.time = field("When", lambda text: change("time of faults", "time", time=text), "uniform(0, 5)")
        self.lasts = field("For how long", lambda text: change("length of faults", "lasts", lasts=text), "for ever")
        self.among = QComboBox()
        self.among.setAccessibleName("Among whom")
        for key, words in _AMONG.items():
            self.among.addItem(words, key)
        self.among.activated.connect(lambda at: change("who is hit", "", among=self.among.itemData(at)))
        self.said = Said()
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        self._lines: dict[str, tuple[QLabel, QWidget]] = {}
        for at, (key, text, content) in enumerate(
            (("count", "How many", self.count), ("among", "Among", self.among), ("time", "When", self.time),
             ("lasts", "For", self.lasts))
        ):  # fmt: skip
            label = QLabel(text)
            label.setObjectName("fieldLabel")
            grid.addWidget(label, at, 0)
            grid.addWidget(content, at, 1)
            self._lines[key] = (label, content)
        down(across((self.do, 1), self.cross), grid, self.said, on=self, margins=(9, 7, 7, 8), spacing=5)
        set_look(self.cross, theme, icon="close", ink="text.secondary")

    def _change(self, text: str, key: str, **parts: str) -> None:
        self.edited.emit(replace(self.each, **parts), text, key)  # type: ignore[arg-type]

    def show_drawn(self, each: Drawn, problem: str) -> None:
        """Show faults, and what is wrong with them."""
        self.each = each
        at = self.do.findData(each.do)
        if at < 0:  # a kind that only a file can say
            self.do.addItem(each.do.replace("_", " "), each.do)
            at = self.do.count() - 1
        self.do.setCurrentIndex(at)
        self.among.setCurrentIndex(max(0, self.among.findData(each.among)))
        put_text(self.count, f"{each.fraction} of them" if each.fraction else each.count)
        self.count.setEnabled(not each.fraction)
        put_text(self.time, each.time)
        put_text(self.lasts, each.lasts)
        kind = KINDS.get(each.do)
        lasting = kind is not None and bool(kind.undone_by)
        shown = {"among": kind is None or not kind.hits_links, "lasts": lasting or bool(each.lasts)}
        for key, on in shown.items():
            for part in self._lines[key]:
                part.setVisible(on)
        self.said.say(problem)
        mark(self, bad=bool(problem))
