"""The panel of a run in components: who acts for each, what is held back, who has taken over, and how others join."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from lydian.app.classroom.cards import Card, button, caption
from lydian.app.classroom.components.delays import DelaysCard
from lydian.app.classroom.components.form import letter_icon
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.desk.splitting import Component, Replica, Splitting, handover_words
from lydian.language import tr, trc, trn

__all__ = ["ComponentRow", "JoinCard", "SplitPanel", "replica_words"]


#: The height in pixels from which the panel has room for the delays.
ROOMY = 560


def replica_words(replica: Replica) -> str:
    """Say what a replica is doing."""
    return {
        "acts": tr("{name} acts", name=replica.name), "ready": tr("{name} is ready to take over", name=replica.name),
        "silent": tr("{name} is silent", name=replica.name),
    }.get(replica.status, tr("{name} is away", name=replica.name))  # fmt: skip


class Dots(QWidget):
    """The replicas of a component: a filled disc acts, a ring is ready, a cross is silent or away."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.replicas: tuple[Replica, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_replicas(self, replicas: tuple[Replica, ...]) -> None:
        """Show these replicas."""
        if replicas == self.replicas:
            return
        self.replicas = replicas
        words = "; ".join(map(replica_words, replicas))
        self.setAccessibleName(words)
        self.setToolTip("\n".join(
            tr("{replica}, at distance {distance:.2f}", replica=replica_words(each), distance=each.distance)
            for each in replicas
        ))  # fmt: skip
        self.setFixedSize(15 * max(1, min(len(replicas), 6)), 16)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, each in enumerate(self.replicas[:6]):
            x = 2 + 15 * at
            if each.status in ("silent", "away"):
                p.setPen(QPen(self.theme.color("check.violated"), 2))
                p.drawLine(x + 1, 4, x + 9, 12)
                p.drawLine(x + 1, 12, x + 9, 4)
            else:
                ink = self.theme.color("check.holds")
                p.setPen(QPen(ink, 2))
                p.setBrush(ink if each.status == "acts" else Qt.BrushStyle.NoBrush)
                p.drawEllipse(x, 3, 10, 10)
        p.end()


class ComponentRow(QFrame):
    """A component: whether it is followed, who acts for it, its events, its replicas, and its menu."""

    #: Emitted when the user switches whether the component is followed.
    followed = Signal(str, bool)

    def __init__(self, splitting: Splitting, theme: Theme, number: int, name: str) -> None:
        super().__init__()
        self.splitting, self.theme, self.number, self.name = splitting, theme, number, name
        self.component = Component(name, ())
        self.setObjectName("componentRow")
        self.letter = set_up(
            QToolButton(), look="componentLetter", checkable=True,
            tip=tr("Show the events of this component, or hide them"),
            clicked=lambda on=False: self.followed.emit(name, on),
        )  # fmt: skip
        self.letter.setText(name)
        self.letter.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.letter.setAccessibleName(tr("Follow component {name}", name=name))
        self.acting = set_up(QLabel(), look="cardValue", plain=True)
        self.about = set_up(QLabel(), look="dockNote", plain=True, wraps=True)
        self.events = set_up(QLabel(), look="cardValue", plain=True)
        self.dots = Dots(theme)
        self.more = set_up(
            QToolButton(), name=tr("What can be done with component {name}", name=name),
            tip=tr("Kill replicas, add one, let another act, or cut a border"),
            clicked=lambda _on=False: self.open_menu(),
        )  # fmt: skip
        set_look(self.more, theme, icon="more", ink="text.secondary", icon_size=16, square=24)
        top = across((self.acting, 1), self.dots, self.events, spacing=8)
        across((self.letter, Qt.AlignmentFlag.AlignTop), (down(top, self.about, spacing=0), 1), self.more, on=self,
               margins=(8, 5, 6, 5), spacing=8)  # fmt: skip
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.letter.setIcon(letter_icon(theme, self.number))

    def show_component(self, component: Component, followed: bool, *, on: bool) -> None:
        """Show how the component is."""
        self.component = component
        self.letter.setChecked(followed)
        self.letter.setEnabled(on)
        last = next((h.new for h in reversed(self.splitting.handovers) if h.component == self.name), "")
        none = tr("no replica") if component.replicas else tr("starting…")
        self.acting.setText(component.acting or (none if on else last))
        self.events.setText(f"{component.events:,}")
        self.events.setToolTip(trn("{count} event", "{count} events", component.events))
        self.events.setAccessibleName(self.events.toolTip())
        self.dots.show_replicas(component.replicas)
        self.dots.setVisible(on)
        self.more.setVisible(on)
        words = trn("{count} process", "{count} processes", len(component.processes))
        held_back = component.events - component.shown
        if component.problem:
            words = component.problem[:1].upper() + component.problem[1:] + "."
        elif component.waits:
            held_words = trn("{count} held back", "{count} held back", held_back)
            words = f"{component.waits}; {held_words}"
        self.about.setText(words)
        mark(self.about, bad=bool(component.problem), warn=bool(component.waits))
        self.setAccessibleName(tr(
            "Component {name}: {acting}, {events}, {about}", name=self.name, acting=self.acting.text(),
            events=self.events.toolTip(), about=words,
        ))  # fmt: skip

    def menu(self) -> QMenu:
        """Return what can be done with the component."""
        splitting, menu = self.splitting, QMenu(self)
        for each in self.component.replicas:
            if each.here:
                menu.addAction(tr("&Kill {name}", name=each.name), partial(splitting.do, "kill", replica=each.name))
        for each in self.component.replicas:
            if each.status == "ready":
                menu.addAction(
                    tr("&Let {name} act", name=each.name),
                    partial(splitting.do, "appoint", component=self.name, replica=each.name),
                )
        menu.addAction(tr("&Add a replica here"), partial(splitting.do, "hire", component=self.name))
        menu.addSeparator()
        if sum(each.here for each in self.component.replicas) > 1:
            words = tr("Kill the component: all its re&plicas here")
            menu.addAction(words, partial(splitting.do, "kill", component=self.name))
        for border in splitting.crossings:
            if self.name in (border.a, border.b):
                other = border.b if border.a == self.name else border.a
                words = (
                    trn("Restore the border to {name} ({count} link)", "Restore the border to {name} ({count} links)",
                        border.links, name=other) if border.cut else
                    trn("Cut the border to {name} ({count} link)", "Cut the border to {name} ({count} links)",
                        border.links, name=other)
                )  # fmt: skip
                menu.addAction(words, partial(splitting.cut, self.name, other, tr("the host"), restore=border.cut))
        return menu

    def open_menu(self) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.more.isHidden():
            self.open_menu()


class JoinCard(Card):
    """How another computer joins."""

    def __init__(self, splitting: Splitting, theme: Theme) -> None:
        super().__init__(theme, "link", tr("Other computers"))
        self.splitting = splitting
        self.address = set_up(QLabel(), look="classAddress", name=tr("Address"), plain=True, wraps=True)
        self.secret = set_up(QLabel(), look="classAddress", name=tr("Secret"), plain=True, wraps=True)
        for each in (self.address, self.secret):
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = button(
            theme, tr("Copy the command"), "save", lambda _on=False: QGuiApplication.clipboard().setText(self.command),
            tip=tr("Copy the command with which another computer simulates a component; it contains the secret"),
        )  # fmt: skip
        captions = [set_up(QLabel(each), look="dockNote", plain=True) for each in (tr("Address"), tr("Secret"))]
        for part in (captions[0], self.address, captions[1], self.secret, self.copy):
            self.add(part)

    @property
    def command(self) -> str:
        """The command for another computer."""
        return f"lydian join {self.splitting.url} --component any --secret {self.splitting.secret}"

    def refresh(self) -> None:
        """Show the address and the secret."""
        self.address.setText(self.splitting.url)
        self.secret.setText(self.splitting.secret)


class SplitPanel(QWidget):
    """The panel.

    Attributes:
        rows: component -> its row.
        steer, pause, stop, save, back: its buttons.
        delays: the delays between components.
    """

    #: Emitted with the name of the button: ``steer``, ``pause``, ``stop``, ``save``, ``back`` or ``close``.
    pressed = Signal(str)

    def __init__(self, splitting: Splitting, theme: Theme) -> None:
        super().__init__()
        self.splitting, self.theme = splitting, theme
        self.setObjectName("classColumn")
        self.setAccessibleName(tr("The components"))
        self.rows: dict[str, ComponentRow] = {}
        holder = QWidget()
        holder.setObjectName("classChips")
        self._list = down(..., on=holder, spacing=0)
        area = QScrollArea()
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setObjectName("classArea")
        area.setAccessibleName(tr("The components"))
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.how = set_up(QLabel(), look="dockNote", plain=True, wraps=True)
        self.back = self._button(tr("Back to this run"), "eye", "back", tr("Show the run of the components again"))
        self.steer = self._button(tr("Intervene…"), "bolt", "steer", tr("Crash a process, cut a link, change a value"))
        self.pause = self._button(
            trc("the components", "Pause"), "pause", "pause",
            tr("Stop simulated time for all components, or let it go on"),
        )  # fmt: skip
        words = trc("the components", "Stop")
        self.stop = self._button(words, "stop", "stop", tr("End the run; what happened is kept"))
        self.save = self._button(
            tr("Save the record…"),
            "save",
            "save",
            tr("Save what happened as a file with which the run can be repeated anywhere"),
        )
        ends = across((self.pause, 1), (self.stop, 1), spacing=6)
        foot = down(self.how, self.back, self.steer, ends, self.save, margins=(10, 6, 10, 8), spacing=6)
        self.card = Card(theme, "branch", tr("Components"), (area, 1), held(foot), margins=0)
        self.cross = self.card.tool("close", tr("Close the panel; the run stays in the list of runs"),
                                    lambda _on=False: self.pressed.emit("close"))  # fmt: skip
        self.join = JoinCard(splitting, theme)
        self.log = QListWidget()
        self.log.setObjectName("classLog")
        self.log.setAccessibleName(tr("Handovers"))
        self.log.setWordWrap(True)
        self.log.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hands = Card(theme, "turns", tr("Handovers"), (self.log, 1), margins=0)
        self.delays = DelaysCard(splitting, theme)
        down((self.card, 3), self.join, (self.hands, 1), self.delays, on=self, spacing=5)

    def _button(self, words: str, icon: str, name: str, tip: str) -> QPushButton:
        return button(self.theme, words, icon, lambda _on=False: self.pressed.emit(name), tip=tip)

    def refresh(self, lan: bool) -> None:
        """Show how the components are."""
        splitting = self.splitting
        names = [each.name for each in splitting.components]
        if list(self.rows) != names:
            self._fill(names)
        for each in splitting.components:
            self.rows[each.name].show_component(each, each.name in splitting.follows, on=splitting.on)
        self.card.note.setText(self._note())
        self.how.setText(self._how())
        self.how.setVisible(bool(self.how.text()))
        self.back.setVisible(splitting.elsewhere)
        self.steer.setVisible(splitting.on and not splitting.recorded)
        for end in (self.pause, self.stop):
            end.setVisible(splitting.on and not splitting.recorded)
            end.setEnabled(not splitting.stopping)
        paused = splitting.paused
        caption(self.pause, trc("the components", "Go on") if paused else trc("the components", "Pause"))
        set_look(self.pause, self.theme, icon="play" if paused else "pause", ink="text.primary", icon_size=16)
        self._show_delays()
        self.save.setVisible(not splitting.recorded and (splitting.kept is not None or splitting.on))
        self.cross.setVisible(not splitting.on)
        self.join.setVisible(splitting.on and lan and bool(splitting.url))
        self.join.refresh()
        told = [handover_words(each) for each in splitting.handovers if each.old]
        self.hands.setVisible(bool(told))
        if self.log.count() != len(told):
            self.log.clear()
            self.log.addItems(list(reversed(told)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_delays()

    def _show_delays(self) -> None:
        """Show the delays while the components run, if the panel is high enough; the network shows them as well."""
        splitting = self.splitting
        live = splitting.on and not splitting.recorded and len(splitting.components) > 1
        self.delays.setVisible(live and self.height() >= self.theme.grown(ROOMY))
        if live:
            self.delays.refresh()

    def _note(self) -> str:
        splitting = self.splitting
        if splitting.over or not splitting.on:
            return tr("the run is over")
        if splitting.recorded:
            return tr("repeating the run…")
        if splitting.stopping:
            return tr("stopping…")
        if splitting.paused:
            return trc("the components", "paused")
        return "" if splitting.begun else tr("waiting for the replicas…")

    def _how(self) -> str:
        splitting = self.splitting
        if splitting.over and not splitting.judged:
            return tr("The run differs from that of one simulator, so the properties cannot be judged.")
        if splitting.exact:
            return tr("With this barrier the run is the same as in one simulator.")
        return ""

    def _fill(self, names: list[str]) -> None:
        for row in self.rows.values():
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = {}
        for at, name in enumerate(names):
            row = ComponentRow(self.splitting, self.theme, at, name)
            row.followed.connect(self._follow)
            self._list.insertWidget(at, row)
            self.rows[name] = row

    def _follow(self, name: str, on: bool) -> None:
        chosen = {*self.splitting.follows, name} if on else {*self.splitting.follows} - {name}
        self.splitting.follow(chosen)
