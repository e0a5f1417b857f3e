"""The pane of the outages of links: the time bar, the times as a text, and random outages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtWidgets import QPushButton, QWidget

from lydian.app.kit.fields import VARIOUS, Field, common, hint
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.delays.outagebar import OutageBar
from lydian.app.network.edits import Outages, chance_outages, each_link, joined, span_text, spans_from, who_links
from lydian.language import tr, trc, trn
from lydian.model.editing.links import Pair
from lydian.model.errors import BadInput
from lydian.model.network import Link, Network
from lydian.views.network.delays import number_in
from lydian.views.words.words import plural

__all__ = ["OutagesPane"]

GROUP = "outages"


class OutagesPane(QWidget):
    """The pane that shows and edits the outages of the selected links."""

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = board
        self.pairs: tuple[Pair, ...] = ()
        self._base: dict[Pair, Outages] = {}
        self._seed = 0
        self.bar = OutageBar(theme)
        self.times = Field(tr("Down from–to"), spans_from, span_text)
        self.times.line.setPlaceholderText("5–8, 12–14")
        self.by_chance = set_up(
            QPushButton(tr("Random…")), look="small", name=tr("Draw random outages"), checkable=True
        )
        self.clear = QPushButton(trc("a link", "Always up"))
        self.clear.setObjectName("small")
        self.probability = Field(
            tr("Chance per unit"), lambda text: _share(text), lambda value: f"{value * 100:g}", "%"
        )
        self.length = Field(tr("Length"), number_in, lambda value: f"{value:g}", tr("units"))
        self.until = Field(tr("Until"), number_in, lambda value: f"{value:g}")
        self.draw = QPushButton(tr("Draw outages"))
        self.draw.setObjectName("small")
        self.said = hint()
        for field, value in ((self.probability, 0.05), (self.length, 2.0), (self.until, 50.0)):
            field.say(value)
        self.chance = QWidget()
        self._lay_out()
        self._connect()
        self.chance.hide()
        set_look(self.draw, theme, icon="dice")

    def _lay_out(self) -> None:
        down(
            across(*((field, 1) for field in (self.probability, self.length, self.until)), spacing=8),
            self.draw, self.said, on=self.chance,
        )  # fmt: skip
        down(self.bar, self.times, across(self.by_chance, ..., self.clear), self.chance, on=self, spacing=6)

    def _connect(self) -> None:
        self.bar.began.connect(self._begin)
        self.bar.edited.connect(self._edit)
        self.board.join(GROUP, self.bar, self.times)
        self.bar.type_wanted.connect(self._type)
        self.times.entered.connect(self._typed)
        self.by_chance.toggled.connect(self.chance.setVisible)
        self.clear.clicked.connect(self._clear)
        self.draw.clicked.connect(self._draw)

    def show_links(self, links: Sequence[Link], *, fresh: bool = False) -> None:
        """Show the outages of the given links."""
        self.pairs = tuple((link.a, link.b) for link in links)
        whole = common(link.outages for link in links)
        if whole is VARIOUS:
            sets = [set(link.outages) for link in links]
            shared = set.intersection(*sets)
            some = joined(set.union(*sets) - shared)
            self.bar.say(tuple(sorted(shared)), some)
        else:
            self.bar.say(whole or ())
        self.times.say(whole if whole is VARIOUS else (whole or ()), fresh=fresh)
        if whole == ():
            self.times.line.setPlaceholderText(tr("never; for example 5–8, 12–14"))
        self.clear.setEnabled(any(link.outages for link in links))
        if fresh:
            self.said.setText("")
            self.said.hide()

    # ------------------------------------------------------------------ edits

    def _begin(self) -> None:
        wanted = set(self.pairs)
        self._base = {(k.a, k.b): k.outages for k in self.board.network.links if (k.a, k.b) in wanted}

    def _edit(self, before: tuple[float, float] | None, now: tuple[float, float] | None) -> None:
        base = self._base

        def changed(old: Outages) -> Outages:
            kept = [span for span in old if span != before]
            return joined(kept if now is None else [*kept, now])

        who = who_links(self.pairs)
        if now is None:
            self._do(
                tr("{links} no longer down from {start:g} to {end:g}", links=who, start=before[0], end=before[1])
                if before
                else who,
                base,
                changed,
            )
        else:
            text = tr("{links} down from {start:g} to {end:g}", links=who, start=now[0], end=now[1])
            self._do(text, base, changed)

    def _do(self, text: str, base: dict[Pair, Outages], changed: Callable[[Outages], Outages]) -> None:
        def edit(network: Network) -> Network:
            return each_link(
                network,
                self.pairs,
                lambda link: replace(link, outages=changed(base.get((link.a, link.b), link.outages))),
            )

        self.board.do(text, edit, group=GROUP)

    def _typed(self, spans: Outages) -> None:
        text = (
            tr("{links} down {times}", links=who_links(self.pairs), times=span_text(spans))
            if spans
            else tr("{links} always up", links=who_links(self.pairs))
        )
        self._do(text, {}, lambda _old: spans)

    def _settle(self) -> None:
        self.board.document.settle()

    def _clear(self) -> None:
        self._settle()
        self._do(tr("{links} always up", links=who_links(self.pairs)), {}, lambda _old: ())
        self._settle()

    def _type(self) -> None:
        self.times.line.setFocus()
        span = self.bar.chosen
        text = span_text([span]) if span is not None else ""
        start = self.times.line.text().find(text) if text else -1
        if start >= 0:
            self.times.line.setSelection(start, len(text))
        else:
            self.times.line.selectAll()

    def _draw(self) -> None:
        """Draw random outages for each link, different ones each time; the sequence of draws is reproducible."""
        probability, length, until = self.probability.value, self.length.value, self.until.value
        if any(field.bad for field in (self.probability, self.length, self.until)):
            return
        try:
            drawn = {
                pair: chance_outages("-".join(pair), probability, length, until, self._seed) for pair in self.pairs
            }
        except BadInput as error:
            self.said.setText(error.remark)
            self.said.show()
            return
        self._seed += 1
        self._settle()
        base, pairs = drawn, self.pairs
        self._do(tr("Draw outages of {links}", links=who_links(pairs)), base, lambda spans: spans)
        self._settle()
        number = sum(map(len, drawn.values()))
        down = sum(min(end, until) - start for spans in drawn.values() for start, end in spans)
        share = 100 * down / (until * len(pairs))
        if not number:
            self.said.setText(tr("No outage was drawn; try again."))
        elif len(pairs) > 1:
            self.said.setText(
                trn(
                    "{count:,} outage drawn on {links}: down {share:.0f} % of the time up to {time:g}.",
                    "{count:,} outages drawn on {links}: down {share:.0f} % of the time up to {time:g}.",
                    number,
                    links=plural(len(pairs), "link"),
                    share=share,
                    time=until,
                )
            )
        else:
            self.said.setText(
                trn(
                    "{count:,} outage drawn: down {share:.0f} % of the time up to {time:g}.",
                    "{count:,} outages drawn: down {share:.0f} % of the time up to {time:g}.",
                    number,
                    share=share,
                    time=until,
                )
            )
        self.said.show()


def _share(text: str) -> float:
    value = number_in(text.replace("%", ""))
    if not 0 <= value <= 100:
        raise BadInput(tr("a probability must be from 0 to 100 %, not {number:g}", number=value))
    return value / 100
