"""A card for faults that are drawn anew for each run: kind, number, processes, time and duration."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from lydian.app.kit.form import BoundForm, choice
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.sweep.form.form import Drawn
from lydian.app.sweep.form.parts import Said, field
from lydian.batch.sweep.drawn import drawn_kinds
from lydian.language import tr
from lydian.model.interventions import KINDS

__all__ = ["DrawnCard"]

#: Field -> the name of its change for undo, and the key under which typed letters are one step.
_UNDO = {
    "do": (tr("fault"), ""), "count": (tr("number of faults"), "count"), "time": (tr("time of faults"), "time"),
    "lasts": (tr("duration of faults"), "lasts"), "among": (tr("affected processes"), ""),
}  # fmt: skip
_AMONG = {"all": tr("all processes"), "initiators": tr("the initiators"), "others": tr("all but the initiators")}


class DrawnCard(QFrame):
    """The card of one kind of fault."""

    #: Emitted with the new faults, the name of the edit for undo, and its key.
    edited = Signal(object, str, str)
    #: Emitted when the faults are to be removed.
    removed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("varyCard")
        self.each = Drawn()
        self.form = form = BoundForm(self._change, small=True)
        kinds = choice(*((kind.drawn, kind.name) for kind in drawn_kinds()))
        self.do = form.bind("do", kinds, name=tr("Kind of fault"))
        self.cross = set_up(
            QToolButton(), name=tr("Remove these faults"), tip=tr("Remove these faults"), clicked=self.removed
        )
        self.count = form.add("count", tr("How many"), field(tr("How many"), tr("2, or {k}")))
        among = choice(*((words, key) for key, words in _AMONG.items()))
        self.among = form.add("among", tr("Among"), among, name=tr("Affected processes"))
        self.time = form.add("time", tr("When"), field(tr("When"), "uniform(0, 5)"))
        self.lasts = form.add("lasts", tr("For"), field(tr("For how long"), tr("for ever")))
        self.said = Said()
        down(across((self.do, 1), self.cross), form.rows, self.said, on=self, margins=(9, 7, 7, 8), spacing=5)
        set_look(self.cross, theme, icon="close", ink="text.secondary")

    def _change(self, key: str) -> None:
        self.edited.emit(replace(self.each, **{key: self.form.read()[key]}), *_UNDO[key])

    def show_drawn(self, each: Drawn, problem: str) -> None:
        """Show faults, and the problem with them."""
        self.each = each
        if self.do.findData(each.do) < 0:  # a kind that can only be set in a file
            self.do.addItem(each.do.replace("_", " "), each.do)
        self.form.say({
            "do": each.do, "among": each.among, "time": each.time, "lasts": each.lasts,
            "count": tr("{fraction} of them", fraction=each.fraction) if each.fraction else each.count,
        })  # fmt: skip
        self.count.setEnabled(not each.fraction)
        kind = KINDS.get(each.do)
        lasting = kind is not None and bool(kind.undone_by)
        self.form.show(among=kind is None or not kind.hits_links, lasts=lasting or bool(each.lasts))
        self.said.say(problem)
        mark(self, bad=bool(problem))
