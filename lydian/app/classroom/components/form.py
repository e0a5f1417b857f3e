"""The form that splits a system into components: how many, their borders, and how they run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem

from lydian.app.classroom.cards import button
from lydian.app.classroom.components.marks import colour
from lydian.app.classroom.forms import Sheet, reach
from lydian.app.kit.fields import Segment
from lydian.app.kit.form import number, whole
from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.desk.splitting import Borders
from lydian.language import tr, trc, trn

__all__ = ["MOST_PROGRAMS", "SplitForm", "letter_icon"]

#: The largest number of replicas of a component on this computer, and of programs that are started here.
MOST_REPLICAS, MOST_PROGRAMS = 9, 64


def letter_icon(theme: Theme, number: int, side: int = 16) -> QIcon:
    """Return a disc in the colour of a component."""
    picture = QPixmap(QSize(2 * side, 2 * side))
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    p = QPainter(picture)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(colour(theme, number))
    p.drawRoundedRect(1, 1, side - 2, side - 2, 5, 5)
    p.end()
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Disabled)
    return icon


class SplitForm(Sheet):
    """How to split.

    Args:
        borders: the borders, which the form changes and shows.
        what: the experiment in a few words.

    Attributes:
        list: the components; the current one is that to which processes are moved.
        here: the button that moves the selected processes to it.
    """

    def __init__(self, theme: Theme, borders: Borders, what: str) -> None:
        super().__init__(theme, "branch", tr("Split into components"), tr("Run the components"))
        self.borders = borders
        self.note.setText(what)
        self.form.add("count", tr("Components"), whole(1, borders.most))
        self.form.add("replicas", tr("Replicas here"), whole(0, MOST_REPLICAS, never=tr("none: others join")))
        self.form.add("pace", tr("Pace"), number(0.1, 1000, unit=tr(" units a second")))
        self.list = QListWidget()
        self.list.setObjectName("classGames")
        self.list.setAccessibleName(tr("Components"))
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        set_look(self.list, theme, icon_size=16)
        self.undo = self._tool("undo", tr("Undo the last change to the borders (Ctrl+Z)"), borders.undo)
        self.redo = self._tool("redo", tr("Redo the last change to the borders (Ctrl+Shift+Z)"), borders.redo)
        self.here = button(
            theme, tr("Move selected here"), "process", lambda _on=False: None,
            tip=tr("Move the selected processes to the component that is chosen in the list"),
        )  # fmt: skip
        self.more = button(
            theme, trc("a component", "Add"), "plus", lambda _on=False: self._add(), tip=tr("Add an empty component")
        )
        self.about = set_up(QLabel(), look="dockNote", wraps=True, plain=True)
        self.add(self.form.rows)
        self.add((self.list, 1))
        self.add(across(self.more, (self.here, 1), spacing=6))
        self.add(self.about)
        mode = Segment(tr("How they run"), [
            ("", tr("Each alone"), tr("Every component runs at its own pace; connections add their delay")),
            ("barrier", tr("Barrier"), tr("Rounds begin together; only the delay of the network counts")),
        ])  # fmt: skip
        self.form.bind("mode", mode)
        self.add(mode)
        self.add(self.form.bind("reach", reach(tr("Who can simulate a component"))))
        self.form.say({"count": len(borders.groups), "mode": "", "pace": 2.0, "replicas": 2, "reach": ""})
        borders.changed.connect(self.refresh)
        self.finish()
        self.refresh()

    def _tool(self, icon: str, tip: str, act: Any) -> Any:
        return self.tool(icon, tip, lambda _on=False: act())

    @property
    def chosen(self) -> str:
        """The component to which processes are moved."""
        row = max(0, self.list.currentRow())
        names = list(self.borders.groups)
        return names[min(row, len(names) - 1)]

    def _add(self) -> None:
        name = self.borders.add()
        if name:
            self.list.setCurrentRow(list(self.borders.groups).index(name))

    def refresh(self) -> None:
        """Show the borders as they are."""
        borders, row = self.borders, max(0, self.list.currentRow())
        self.list.clear()
        for at, (name, members) in enumerate(borders.groups.items()):
            count = trn("{count} process", "{count} processes", len(members))
            item = QListWidgetItem(letter_icon(self.theme, at), f"{name}   {count}", self.list)
            item.setToolTip(", ".join(members[:60]))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {count}: {', '.join(members[:20])}")
        self.list.setCurrentRow(min(row, len(borders.groups) - 1))
        rows = min(max(len(borders.groups), 2), 3)
        self.list.setMinimumHeight(rows * self.theme.grown(27) + 4)
        self.undo.setEnabled(borders.can_undo)
        self.redo.setEnabled(borders.can_redo)
        self.more.setEnabled(len(borders.groups) < borders.most)
        self.form.say({"count": len(borders.groups)})
        self.edited()

    def edited(self) -> None:
        borders = self.borders
        values = self.form.read()
        if "reach" not in values:
            return
        if values["count"] != len(borders.groups):
            borders.cut(int(values["count"]))
            return
        self.form.show(pace=values["mode"] != "barrier")
        total = int(values["replicas"]) * len(borders.groups)
        links = trn("{count} of {all} link is between components", "{count} of {all} links are between components",
                    borders.between, all=len(borders.network.links))  # fmt: skip
        programs = trn("{count} program runs here", "{count} programs run here", total)
        self.about.setText(f"{links}; {programs}.")
        self.complain(self.missing(values) if self.problem.text() else "")

    def missing(self, values: Mapping[str, Any]) -> str:
        if self.borders.problem:
            return self.borders.problem
        if not values["replicas"] and values["reach"] != "lan":
            return tr("Without a replica here, others must be able to join: choose Local network.")
        if int(values["replicas"]) * len(self.borders.groups) > MOST_PROGRAMS:
            return tr("At most {count} programs can run here; choose fewer replicas.", count=MOST_PROGRAMS)
        return ""

    def wants(self, event: QKeyEvent) -> bool:
        keys = QKeySequence.StandardKey
        return super().wants(event) or event.matches(keys.Undo) or event.matches(keys.Redo)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo):
            self.borders.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.borders.redo()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        self.refresh()
