"""The properties of the selected links: direction, delay, loss, order and outages, and copying them to other links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QMenu, QPushButton, QWidget

from lydian.app.kit.fields import VARIOUS, Field, Segment, calm, common, heading, label, rule
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look
from lydian.app.look.shapes import state_icon
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.delays.distribution import VARIOUSLY, LawEditor
from lydian.app.network.delays.outages import OutagesPane
from lydian.app.network.edits import NETWORK, brushed, check_class, each_link, inherited_of, plain, who_links
from lydian.language import tr, trc, trn
from lydian.model.delays import Distribution
from lydian.model.editing.links import direct, set_class, set_link
from lydian.model.errors import BadInput
from lydian.model.network import RATES, Link
from lydian.views.network.delays import number_in

__all__ = ["FURTHER", "LinkPane", "loss_in"]

#: The faults of messages other than loss -> the labels of their fields.
FURTHER = {"duplication": tr("Messages duplicated"), "corruption": tr("Messages corrupted")}

WAYS = {
    "both": tr("Both ways"),
    "forward": trc("direction of a link", "Forward"),
    "backward": trc("direction of a link", "Backward"),
}
ORDERS = {"unordered": tr("in any order"), "fifo": tr("first in, first out")}
#: Property that a link has of its own -> the text of its chip, and its name in a list.
_OWN = {
    "delay": (tr("own delay"), trc("property of a link", "delay")),
    "class": (tr("own class"), trc("property of a link", "class")),
    "loss": (tr("own loss"), trc("property of a link", "loss")),
    "duplication": (tr("own duplication"), trc("property of a link", "duplication")),
    "corruption": (tr("own corruption"), trc("property of a link", "corruption")),
    "order": (tr("own order"), trc("property of a link", "order")),
    "outages": (tr("own outages"), trc("property of a link", "outages")),
}
GROUP = "link"
#: The largest number of links over which messages are sent at once to try their delays.
MOST_SENT = 12


class LinkPane(QWidget):
    """The form for the properties of the selected links; a change applies to all of them, as one step."""

    #: Emitted with the pair of a link and the delays of messages to send on it, float64 (k,).
    send_wanted = Signal(object, object)

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board, self.theme = board, theme
        self.links: list[Link] = []
        self._fresh_class = False
        self.left_icon, self.right_icon = QLabel(), QLabel()
        self.left, self.way_words, self.right = QLabel(), QLabel(), QLabel()
        self.chip = QLabel()
        self.way = Segment(tr("Direction of the messages"), list(WAYS.items()), theme)
        self.turn = QPushButton(trc("the direction of a link", "Reverse"))
        self.turn.setToolTip(tr("Reverse the direction of one-way links"))
        ways = [("network", tr("Network")), ("class", tr("Class")), ("own", tr("This link"))]
        self.source = Segment(tr("Delay from"), ways, theme)
        self.law = LawEditor(theme, "delay", sends=True)
        self.loss = Field(tr("Messages lost"), loss_in, loss_text, "%")
        self.loss_inherit = QPushButton(tr("as in the network"))
        self.further = {rate: Field(words, loss_in, loss_text, "%") for rate, words in FURTHER.items()}
        self.order = QComboBox()
        calm(self.order)
        self.order.setAccessibleName(tr("Order of messages"))
        self.outages = OutagesPane(board, theme)
        self.brush, self.make = QPushButton(tr("Brush onto links")), QPushButton(tr("Make a class…"))
        self.make.setCheckable(True)
        self.class_name = Field(tr("Name of the class"), self._class_name, str, live=False)
        self.class_name.line.setPlaceholderText(tr("Type a name such as long-haul and press Enter"))
        self._lay_out()
        self._connect()
        self.class_name.hide()
        set_look(self.brush, theme, icon="brush", icon_size=14)
        self.set_theme(theme)

    def _lay_out(self) -> None:
        titles = ((self.left, "propertyTitle"), (self.way_words, "propertyWay"), (self.right, "propertyTitle"))
        for title, name in titles:
            title.setObjectName(name)
            title.setTextFormat(Qt.TextFormat.PlainText)
        self.chip.setObjectName("ownChip")
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.addWidget(self.loss, 0, 0)
        grid.addLayout(down(label(tr("Order")), self.order, ..., spacing=3), 0, 1)
        grid.addWidget(self.loss_inherit, 1, 0, Qt.AlignmentFlag.AlignLeft)
        for place, field in enumerate(self.further.values()):
            grid.addWidget(field, 2, place)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        down(
            across(self.left_icon, self.left, self.way_words, self.right_icon, self.right, ..., self.chip, spacing=6),
            across((self.way, 1), self.turn, spacing=6),
            label(tr("Delay from")), self.source, self.law, rule(), grid,
            label(tr("Outages (drag to add one)")), self.outages, rule(), heading(tr("Apply to other links")),
            across(self.brush, self.make, ..., spacing=6), self.class_name, on=self, spacing=8,
        )  # fmt: skip
        for button in (self.turn, self.loss_inherit, self.brush, self.make):
            button.setObjectName("small")

    def _connect(self) -> None:
        self.way.chosen.connect(self._way)
        self.turn.clicked.connect(lambda: self._way("turn"))
        self.source.chosen.connect(self._source)
        self.law.changed.connect(self._delay)
        self.loss.entered.connect(self._loss)
        for rate, field in self.further.items():
            field.entered.connect(partial(self._rate, rate))
            self.board.join(f"{GROUP} {rate}", field)
        self.board.join(f"{GROUP} delay", self.law)
        self.board.join(f"{GROUP} loss", self.loss)
        self.law.inherit_wanted.connect(lambda: self._inherit())
        self.law.send_wanted.connect(self._send)
        self.loss_inherit.clicked.connect(self._rates_inherit)
        self.order.activated.connect(self._order)
        self.brush.clicked.connect(self._brush)
        self.make.toggled.connect(self._open_class)
        self.class_name.entered.connect(self._make)
        self.class_name.cancelled.connect(lambda: self.make.setChecked(False))

    # ------------------------------------------------------------------ display

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of the links that are shown."""
        return tuple((link.a, link.b) for link in self.links)

    @property
    def _who(self) -> str:
        return who_links(self.pairs)

    def show_links(self, links: Sequence[Link], *, fresh: bool = False) -> None:
        """Show the given links; ``fresh`` is whether they differ from those shown before."""
        self.links = list(links)
        if not links:
            return
        network, one = self.board.network, len(links) == 1
        self._head(links)
        directed = common(link.directed for link in links)
        self.way.say(None if directed is VARIOUS else "forward" if directed else "both")
        if one:
            a, b = links[0].a, links[0].b
            self.way.word(
                "forward",
                f"{_short(a)} → {_short(b)}",
                tip=tr("Only from {process} to {neighbour}", process=a, neighbour=b),
            )
            self.way.word(
                "backward",
                f"{_short(b)} → {_short(a)}",
                tip=tr("Only from {process} to {neighbour}", process=b, neighbour=a),
            )
        else:
            self.way.word("forward", WAYS["forward"], tip=tr("Each from its first process to its second"))
            self.way.word("backward", WAYS["backward"], tip=tr("Each from its second process to its first"))
        self.turn.setEnabled(any(link.directed for link in links))
        sources = common(self._source_of(link) for link in links)
        classes = list(network.classes)
        klass = common(link.klass for link in links)
        named = klass if klass in network.classes else classes[0] if len(classes) == 1 else None
        tip = tr("First make a class below") if not classes else ""
        self.source.word(
            "class", _short(named or tr("Class…"), 14) if classes else tr("No class"), enabled=bool(classes), tip=tip
        )
        self.source.word("own", tr("This link") if one else tr("These links"))
        self.source.say(None if sources is VARIOUS else sources)
        law = common(network.delay_of(link) for link in links)
        inherited = common(inherited_of(network, link) for link in links)
        own = any(link.delay is not None for link in links)
        given, words = (None, tr("class or network")) if inherited is VARIOUS else inherited
        empty = tr("These links have various delays.\nA delay chosen here applies to all of them.")
        self.law.show_law(None if law is VARIOUS else law, given, words, own=own, fresh=fresh, empty=empty)
        for rate, field in {"loss": self.loss, **self.further}.items():
            field.say(common(network.rate_of(link, rate) for link in links), fresh=fresh)
        shares = (getattr(link, rate) for link in links for rate in RATES)
        self.loss_inherit.setVisible(any(share is not None for share in shares))
        self._show_order(links)
        self.outages.show_links(links, fresh=fresh)
        if fresh:
            self.make.setChecked(False)

    def _head(self, links: Sequence[Link]) -> None:
        one = len(links) == 1
        for widget in (self.right, self.right_icon, self.left_icon):
            widget.setVisible(one)
        way = common(link.directed for link in links)
        self.left.setText(_short(links[0].a, 16) if one else self._who)
        self.right.setText(_short(links[0].b, 16) if one else "")
        self.way_words.setText("" if way is VARIOUS else ("→" if one else tr("directed")) if way else tr("both ways"))
        own = [word for word, has in self._own(links) if has]
        self.chip.setText(_OWN[own[0]][0] if own else "")
        self.chip.setVisible(bool(own))
        names = ", ".join(_OWN[word][1] for word in own)
        self.chip.setToolTip(tr("Not inherited: {properties}", properties=names) if own else "")

    @staticmethod
    def _own(links: Sequence[Link]) -> list[tuple[str, bool]]:
        return [
            ("delay", any(link.delay is not None for link in links)),
            ("class", any(link.klass is not None for link in links)),
            *((rate, any(getattr(link, rate) is not None for link in links)) for rate in RATES),
            ("order", any(link.order is not None for link in links)),
            ("outages", any(link.outages for link in links)),
        ]

    def _source_of(self, link: Link) -> str:
        if link.delay is not None:
            return "own"
        return "class" if link.klass in self.board.network.classes else "network"

    def _show_order(self, links: Sequence[Link]) -> None:
        order = common(link.order for link in links)
        self.order.clear()
        self.order.addItem(tr("As in the network"), None)
        self.order.setToolTip(tr("In the network: {order}", order=ORDERS[self.board.network.order]))
        for key, words in ORDERS.items():
            self.order.addItem(f"{words[:1].upper()}{words[1:]}", key)
        self.order.setPlaceholderText(VARIOUSLY)
        self.order.setMinimumContentsLength(12)
        self.order.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.order.setCurrentIndex(-1 if order is VARIOUS else self.order.findData(order) if order else 0)

    def set_theme(self, theme: Theme) -> None:
        for sign in (self.left_icon, self.right_icon):
            sign.setPixmap(state_icon(theme, 0, 16, ratio=self.devicePixelRatioF()))

    # ------------------------------------------------------------------ edits

    def _once(self, text: str, **changes: object) -> None:
        """Change the links as a separate step."""
        pairs = self.pairs
        self.board.once(text, lambda network: set_link(network, pairs, **changes))  # type: ignore[arg-type]

    def _way(self, way: str) -> None:
        pairs = self.pairs
        chosen = self.board.chosen
        self.board.document.settle()
        if way == "turn" or way == "backward":
            turned = [(link.a, link.b) for link in self.links if way == "backward" or link.directed]
            after = frozenset((b, a) if (a, b) in turned else (a, b) for a, b in chosen.links)
            text = (
                tr("Reverse {links}", links=who_links(turned))
                if way == "turn"
                else tr("{links} backward only", links=self._who)
            )
            self.board.chosen = replace(chosen, links=chosen.links | after)  # links that do not exist are removed
            if not self.board.do(text, lambda network: direct(network, turned, "backward")):
                self.board.chosen = chosen
        else:
            text = tr("{links} both ways") if way == "both" else tr("{links} one way only")
            self.board.do(
                text.format(links=self._who),
                lambda network: direct(network, pairs, way),  # type: ignore[arg-type]
            )
        self.board.document.settle()
        self.show_links(self.board.chosen_links())

    def _source(self, source: str) -> None:
        network = self.board.network
        if source == "network":
            self._once(self._takes_network, delay=None, klass=None)
        elif source == "own":
            pairs = self.pairs
            self.board.once(
                self._delay_text,
                lambda net: each_link(net, pairs, lambda link: replace(link, delay=net.delay_of(link))),
            )
        else:
            own = common(link.klass for link in self.links)
            if own is not VARIOUS and own in network.classes:
                self._class(own)
            elif len(network.classes) == 1:
                self._class(next(iter(network.classes)))
            else:
                self._offer_classes()
        self.show_links(self.board.chosen_links())

    def _offer_classes(self) -> None:
        menu = QMenu(self)
        for name in self.board.network.classes:
            menu.addAction(name.replace("&", "&&")).triggered.connect(lambda _c=False, name=name: self._class(name))
        menu.aboutToHide.connect(menu.deleteLater)
        button = self.source.buttons["class"]
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _class(self, name: str) -> None:
        self._once(tr("Put {links} into class {link_class}", links=self._who, link_class=name), klass=name, delay=None)

    @property
    def _takes_network(self) -> str:
        return trn(
            "{links} takes the network's delay",
            "{links} take the network's delay",
            len(self.links),
            links=self._who,
        )

    @property
    def _delay_text(self) -> str:
        return trn("Give {links} its own delay", "Give {links} their own delay", len(self.links), links=self._who)

    def _delay(self, law: Distribution) -> None:
        pairs = self.pairs
        self.board.do(self._delay_text, lambda net: set_link(net, pairs, delay=law), group=f"{GROUP} delay")

    def _inherit(self) -> None:
        words = common(inherited_of(self.board.network, link)[1] for link in self.links)
        if words is VARIOUS:
            text = trn(
                "{links} takes the inherited delay",
                "{links} take the inherited delay",
                len(self.links),
                links=self._who,
            )
        elif words == NETWORK:
            text = self._takes_network
        else:
            text = trn(
                "{links} takes the {link_class} delay",
                "{links} take the {link_class} delay",
                len(self.links),
                links=self._who,
                link_class=words,
            )
        self._once(text, delay=None)

    def _loss(self, loss: float) -> None:
        pairs = self.pairs
        text = tr("Loss {share:g} % on {links}", share=plain(loss), links=self._who)
        self.board.do(text, lambda network: set_link(network, pairs, loss=loss), group=f"{GROUP} loss")

    def _rate(self, rate: str, share: float) -> None:
        pairs = self.pairs
        given: dict[str, Any] = {rate: share}
        text = {
            "duplication": tr("Duplication {share:g} % on {links}"),
            "corruption": tr("Corruption {share:g} % on {links}"),
        }[rate].format(share=plain(share), links=self._who)
        self.board.do(text, lambda network: set_link(network, pairs, **given), group=f"{GROUP} {rate}")

    def _rates_inherit(self) -> None:
        self._once(
            tr("Loss on {links} as in the network", links=self._who), loss=None, duplication=None, corruption=None
        )

    def _order(self, index: int) -> None:
        order = self.order.itemData(index)
        words = tr("order as in the network") if order is None else ORDERS[order]
        self._once(tr("{links}: {order}", links=self._who, order=words), order=order)

    def _send(self, draws: object) -> None:
        for pair in self.pairs[:MOST_SENT]:
            self.send_wanted.emit(pair, np.asarray(draws, dtype=np.float64))

    def _brush(self) -> None:
        like = self.links[0]
        network = self.board.network
        law = network.delay_of(like)
        words = like.klass if like.delay is None and like.klass else law.short
        self.board.take_brush(tr("Brush {settings}", settings=words), brushed(like))

    def _open_class(self, on: bool) -> None:
        self.class_name.setVisible(on)
        if on:
            self.class_name.say(None, fresh=True)
            self.class_name.line.setFocus()

    def _class_name(self, text: str) -> str:
        return check_class(self.board.network, text)

    def _make(self, name: str) -> None:
        pairs, law = self.pairs, self.board.network.delay_of(self.links[0])
        self.board.once(
            tr("Make class {link_class} of {links}", link_class=name, links=self._who),
            lambda network: set_class(network, name, law, pairs),
        )
        self.make.setChecked(False)


def loss_in(text: str) -> float:
    """Return the share of messages that a typed percentage means: "5 %" is 0.05.

    Raises:
        BadInput: the text is not a number from 0 to 100.
    """
    value = number_in(text.replace("%", ""))
    if not 0 <= value <= 100:
        raise BadInput(tr("a share of messages must be from 0 to 100 %, not {number:g}", number=value))
    return value / 100


def loss_text(loss: float) -> str:
    """Return a share in per cent, without the sign."""
    return f"{plain(loss):g}"


def _short(name: str, most: int = 10) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
