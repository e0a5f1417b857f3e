"""The panel "What it relies on": a switch for each assumption, and the run that shows why it is needed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down, fill, held
from lydian.app.kit.switch import Switch
from lydian.app.kit.terms import explain
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import scrolled
from lydian.desk.guide.glossary import explained, terms_in
from lydian.language import tr, trc, trn
from lydian.model.protocol.properties import Need
from lydian.views.words.relying import answer, controlled, looking, reason, timeless, title, without

__all__ = ["ReliesPanel", "Row"]

#: The inks of the verdicts.
_INKS = {"needed": "check.violated", "unneeded": "check.holds", "open": "text.secondary", "fixed": "text.secondary"}


class Row(QFrame):
    """One assumption: its switch, its sentence, what was found, and the button that opens the witness."""

    def __init__(self, need: Need, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("relyRow")
        self.need, self.theme = need, theme
        self.lock = ""
        self._found: Mapping[str, Any] | None = None
        self.switch = set_up(Switch(theme), name=title(need), tip=explained(_tip(need), *terms_in(need.name)))
        self.name = set_up(QLabel(title(need)), look="relyName", wraps=True, plain=True)
        self.told = set_up(QLabel(), look="relyTold", wraps=True)
        self.told.setTextFormat(Qt.TextFormat.RichText)
        self.open = set_up(QPushButton(), look="relyWitness")
        self.progress = set_up(QProgressBar(), look="relyProgress", name=tr("Progress"))
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(3)
        self.progress.setRange(0, 1000)
        head = across((self.name, 1), (self.open, Qt.AlignmentFlag.AlignTop), spacing=8)
        middle = down(head, self.told, spacing=2)
        row = across((self.switch, Qt.AlignmentFlag.AlignTop), (middle, 1), margins=(12, 9, 12, 6), spacing=11)
        down(row, self.progress, on=self)
        self.setToolTip(self.switch.toolTip())
        self.setFocusProxy(self.switch)

    def show_state(
        self, on: bool, fixed: bool, found: Mapping[str, Any] | None, doing: Mapping[str, Any] | None
    ) -> None:
        """Show whether the assumption is made, and what is known about it.

        Args:
            on: whether the experiment makes it.
            fixed: whether it cannot be switched off.
            found: the answer, if there is one.
            doing: the progress of the search in progress; empty if it waits for its turn, ``None`` if it is not wanted.
        """
        self._found = found
        self.switch.blockSignals(True)
        self.switch.setChecked(on)
        self.switch.blockSignals(False)
        self.switch.setEnabled(not fixed)
        mark(self, off=not on)
        looked = doing is not None
        self.progress.setValue(round(1000 * float((doing or {}).get("share", 0.0))))
        holder = self.progress.sizePolicy()
        holder.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(holder)
        self.progress.setVisible(looked)
        self.told.setText(self._words(on, found, doing))
        self.told.setToolTip(reason(found) if found is not None else "")
        self.told.setVisible(bool(self.told.text()))
        self._show_button()

    def set_theme(self, theme: Theme) -> None:
        self._show_button()

    def _words(self, on: bool, found: Mapping[str, Any] | None, doing: Mapping[str, Any] | None) -> str:
        """Return the second line, with its verdict in colour."""
        first = "" if on else _off(without(self.need))
        if found is not None:
            verdict, why = answer(found)
            ink = self.theme.color(_INKS[found["verdict"]]).name()
            said = f'<span style="color:{ink}">{_safe(verdict)}:</span> {_safe(why)}'
        elif doing is not None:
            said = _safe(looking(doing))
        else:
            said = ""
        return "<br>".join(part for part in (_safe(first), said) if part)

    def _show_button(self) -> None:
        found = self._found
        needed = found is not None and found["verdict"] == "needed"
        self.open.setVisible(needed)
        self.open.setText(self.lock or tr("Witness"))
        self.open.setIcon(icon("lock" if self.lock else "play", self.theme, "text.primary"))
        self.open.setEnabled(not self.lock)
        name = tr("Witness of “{assumption}”", assumption=title(self.need))
        self.open.setAccessibleName(name)
        tip = tr("Open the run that shows why this is needed; Undo returns to the current one")
        self.open.setToolTip(self.lock or tip)


class ReliesPanel(QWidget):
    """The assumptions of the protocol on the desk; switching one off starts the search for a run that fails."""

    #: An assumption has been switched: its name, and whether it is on.
    switched = Signal(str, bool)
    #: The witness of an assumption is wanted.
    witness_wanted = Signal(str)
    #: All assumptions are to be tried, or the search is to end.
    all_wanted, stop_wanted = Signal(), Signal()
    #: The summary for the title bar.
    titled = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("relies")
        self.setAccessibleName(tr("What it relies on"))
        self.theme = theme
        self.rows: dict[str, Row] = {}
        self._locks: dict[str, str] = {}
        self._undeclared: frozenset[str] = frozenset()
        self.announcer = Announcer(self)
        self.empty = set_up(QLabel(), look="dockObstacle", wraps=True)
        self.empty.setMargin(20)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.list = down(spacing=0)
        self.timeless = set_up(QLabel(), look="relyTold", wraps=True)
        self.tick = set_look(QLabel(), theme, icon="tick", ink="check.holds")
        self.free = held(
            across((self.tick, Qt.AlignmentFlag.AlignTop), (self.timeless, 1), margins=(14, 9, 12, 2), spacing=9)
        )
        self.proved = set_up(QLabel(), look="relyTold", wraps=True)
        self.problem = set_up(QLabel(), look="problem", wraps=True)
        self.all = set_up(
            QPushButton(tr("Try all")), tip=tr("Look for a run that fails without each of these assumptions"),
            clicked=self.all_wanted.emit,
        )  # fmt: skip
        self.stop = set_up(QPushButton(tr("Stop")), tip=tr("Stop looking"), clicked=self.stop_wanted.emit)
        explain(self.all, "witness")
        buttons = across(self.all, self.stop, ..., spacing=8)
        self.foot = held(down(self.proved, self.problem, buttons, margins=(14, 8, 12, 10), spacing=7))
        inside = held(down(self.list, self.free, self.foot, ..., spacing=0), "relyList")
        self.area = scrolled()
        self.area.setWidget(inside)
        down(self.empty, (self.area, 1), on=self)
        self.load((), "")

    def load(self, needs: Sequence[Need], why: str, undeclared: Collection[str] = ()) -> None:
        """Show other assumptions; if there are none, a sentence that says why.

        Args:
            undeclared: those that the protocol does not declare; they vanish once they are known not to be needed.
        """
        self._undeclared = frozenset(undeclared)
        if [row.need for row in self.rows.values()] != list(needs):
            for row in self.rows.values():
                self.list.removeWidget(row)
                row.deleteLater()
            self.rows = {need.name: Row(need, self.theme) for need in needs}
            for name, row in self.rows.items():
                row.lock = self._locks.get(name, "")
                row.switch.toggled.connect(lambda on, name=name: self.switched.emit(name, on))
                row.open.clicked.connect(lambda _on=False, name=name: self.witness_wanted.emit(name))
                fill(self.list, row)
        self.empty.setText(why)
        self.empty.setVisible(not needs)
        self.area.setVisible(bool(needs))
        self.titled.emit(tr("switch one off: the program looks for a run that fails") if needs else "")

    def lock(self, names: Collection[str], words: str = "") -> None:
        """Lock the witnesses of some assumptions; ``words`` on their buttons say until when."""
        self._locks = dict.fromkeys(names, words or tr("Once you win"))
        for name, row in self.rows.items():
            row.lock = self._locks.get(name, "")
            row.set_theme(self.theme)

    def refresh(
        self, off: Collection[str], fixed: Collection[str], found: Mapping[str, Mapping[str, Any]],
        whole: Mapping[str, Any], doing: Mapping[str, Any], waiting: Collection[str], problem: str,
    ) -> None:  # fmt: skip
        """Show the state of all assumptions.

        Args:
            off: the assumptions that the experiment violates on purpose.
            fixed: those that cannot be switched off.
            found, whole, doing, waiting, problem: as in :class:`lydian.desk.runs.relying.Witnesses`.
        """
        for name, row in self.rows.items():
            progress = doing if doing.get("need") == name else {} if name in waiting else None
            before = row._found
            row.show_state(name not in off, name in fixed, found.get(name), progress)
            unneeded = found.get(name, {}).get("verdict") == "unneeded"
            row.setVisible(not (name in self._undeclared and unneeded and name not in off))
            if before is None and name in found:
                self.announcer.polite(f"{title(row.need)}: {': '.join(answer(found[name]))}")
        count, processes = int(whole.get("configurations", 0)), int(whole.get("processes", 0))
        self.proved.setText(controlled(processes, count))
        self.proved.setVisible(bool(count))
        free = whole.get("timing") is False and bool(count)
        self.free.setVisible(free)
        self.timeless.setText(timeless(count) if free else "")
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        left = [name for name in self.rows if name not in found and name not in fixed]
        self.all.setVisible(bool(left) and not waiting)
        every = len(left) == len(self.rows)
        self.all.setText(tr("Try all") if every else trn("Try {count} more", "Try {count} more", len(left)))
        self.stop.setVisible(bool(waiting))
        self.foot.setVisible(bool(left or waiting or problem or count))


def _tip(need: Need) -> str:
    return f"{need.sentence[:1].upper()}{need.sentence[1:]}."


def _off(what: str) -> str:
    """Return what may happen now that an assumption is switched off."""
    return tr("off: {what}", what=what) if what else trc("switch", "off")


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
