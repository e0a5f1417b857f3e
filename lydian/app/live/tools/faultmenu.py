"""The interventions on a thing of the run as entries of its menu; entries that are impossible are grey and show why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QMenu

from lydian.language import tr
from lydian.views.playback.interfering import Offer, Situation, number_of
from lydian.views.playback.offerlists import for_ground, menu_for, ways
from lydian.views.selection import Hit
from lydian.views.words.words import number

if TYPE_CHECKING:
    from lydian.app.live.tools.interference import Interference

__all__ = ["add_faults"]


def add_faults(menu: QMenu, live: Interference, hit: Hit | None, at: QPoint | None = None) -> None:
    """Add the interventions on a thing, or on the network where there is no thing, and a separator."""
    s = live.situation()
    if s is None:
        entry = menu.addAction(tr("Intervene"))
        entry.setEnabled(False)
        entry.setToolTip(live.hindrance)
        entry.setStatusTip(live.hindrance)
        menu.addSeparator()
        return
    place = QRect() if at is None else QRect(at - QPoint(6, 6), at + QPoint(6, 6))
    if hit is None:
        for each in for_ground(s):
            _add(menu, live, each, place)
        menu.addSeparator()
        return
    before = None
    if hit.kind == "event":
        process = int(s.timeline.process[number_of(hit)])
        if process < 0:
            return
        before = float(s.timeline.time[number_of(hit)])
        hit = Hit("process", process)
    elif hit.kind == "message" and s.gone(number_of(hit)):
        before = float(s.timeline.message_sent[number_of(hit)])
    if before is not None and before != s.t:
        there = live.situation(before)
        if there is None:
            return
        menu = menu.addMenu(tr("Intervene at {time}", time=number(before)))
        menu.setToolTipsVisible(True)
        _add_all(menu, live, there, hit, place, before)
        return
    _add_all(menu, live, s, hit, place, None)
    menu.addSeparator()


def _add_all(menu: QMenu, live: Interference, s: Situation, hit: Hit, place: QRect, before: float | None) -> None:
    for each in menu_for(s, hit):
        _add(menu, live, each, place, before)
    if hit.kind == "link":
        for title, some in ways(s, hit):
            inner = menu.addMenu(title)
            inner.setToolTipsVisible(True)
            for each in some:
                _add(inner, live, each, place, before)


def _add(menu: QMenu, live: Interference, offer: Offer, place: QRect, before: float | None = None) -> None:
    entry = menu.addAction(offer.short.replace("&", "&&"))
    entry.setObjectName(f"do-{offer.tool}")
    why = f"{offer.reason[:1].upper()}{offer.reason[1:]}" if offer.reason else ""
    entry.setEnabled(not offer.reason)
    entry.setToolTip(why or offer.words)
    entry.setStatusTip(why or offer.words)

    def happen() -> None:
        if before is not None:  # The view shows the moment at which the intervention takes effect.
            live.desk.jump(before)
        live.do(offer, place)

    entry.triggered.connect(lambda _checked=False: happen())
