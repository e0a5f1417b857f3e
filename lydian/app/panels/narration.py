"""The line that describes the latest event in words, and at the end of a run offers ways to continue."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import Steady, across
from lydian.app.kit.theming import set_up
from lydian.app.look.shapes import state_icon
from lydian.app.look.theme import Theme
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.pieces.animation import generic
from lydian.trace.events import NO_STATE
from lydian.views.words.ends import first_steps, nothing_happened
from lydian.views.words.reasons import action_of
from lydian.views.words.sentence import closing, explain, narrate, opening

__all__ = ["Narration"]

#: A piece of mark-up.
_TAG = re.compile(r"<[^>]*>")


class Narration(QWidget):
    """A sign for the process's state, the sentence, and on the right a hint, or at the end buttons for what follows."""

    #: The commands offered at the end, and the labels of their buttons.
    OFFERS = (
        ("play", tr("Again")),
        ("other_chances", tr("Other delays")),
        ("break_something", tr("Break something")),
        ("try_ring", tr("On a ring")),
        ("try_tree", tr("On a tree")),
        ("try_denser", tr("Denser")),
    )
    #: The command that is offered instead of these after a run without events.
    FIRST = ("first_steps", tr("Make something happen"))

    def __init__(
        self, playhead: Playhead, theme: Theme, actions: Mapping[str, QAction], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.playhead, self.theme = playhead, theme
        self.announcer = Announcer(self)
        self._text = ""
        self.slot = -1  # the state of the sign, -1 for none
        self._shown: object = None
        self._stop: tuple[object, float] | None = None  # why playing stopped, and when
        self._told = -1  # the event that the sentence is about
        self.setObjectName("narration")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sign = QLabel()
        self.sign.setFixedWidth(20)
        self.label = set_up(QLabel(), look="narrationText", name=tr("Latest event"))
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.label.installEventFilter(self)
        self.hint = QLabel(tr("Space plays, ← and → step, with Shift for this process only"))
        self.hint.setObjectName("hint")
        self._nothing = False
        self.buttons = [QPushButton(title) for _name, title in (*self.OFFERS, self.FIRST)]
        for button, (name, _title) in zip(self.buttons, (*self.OFFERS, self.FIRST), strict=True):
            button.setObjectName("offer")
            button.setToolTip(actions[name].statusTip())
            button.clicked.connect(actions[name].trigger)
            button.hide()
        self._offering = False
        self._growing = False
        across(self.sign, (Steady(self.label), 1), self.hint, *self.buttons, on=self, margins=(14, 0, 14, 0), spacing=8)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.label.setFont(theme.font("display" if theme.projector else "title"))
        self.setFixedHeight(max(32, round(self.label.fontMetrics().height() * 1.7)))
        self._shown = None
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def set_growing(self, on: bool) -> None:
        """Set whether the run may grow beyond the end that is shown."""
        if on != self._growing:
            self._growing = on
            self.refresh()

    def offer(self, on: bool) -> None:
        """Offer ways to continue, if there is room beside the sentence, or stop offering them."""
        if on != self._offering:
            self._offering = on
            self._fit()

    def _fit(self) -> None:
        """Show the sentence in its usual size; if it is too long, hide the hint, then reduce the type, then wrap it."""
        roles = ("display", "heading", "title", "body") if self.theme.projector else ("title", "body", "caption")
        plain = self.plain
        room = self.width() - 60
        hint = self.hint.sizeHint().width() + 24

        def wide(role: str) -> int:
            return QFontMetrics(self.theme.font(role, semibold=True)).horizontalAdvance(plain)

        offering = self._offering or self._nothing
        self.hint.setVisible(not offering and not self.theme.projector and wide(roles[0]) + hint < room)
        for button in self.buttons:
            if not (offering and self._nothing is (button is self.buttons[-1])):
                button.hide()
                continue
            need = button.sizeHint().width() + 8
            button.setVisible(wide("body") + need < room)
            room -= need if not button.isHidden() else 0
        role = next((role for role in roles if wide(role) < room), roles[-1])
        self.label.setWordWrap(wide(role) >= room)  # there is room for two lines of the smallest type
        self.label.setText(f"<div style='font-size:{self.theme.px(role)}px'>{self._text}</div>" if self._text else "")

    @property
    def text(self) -> str:
        """The sentence as simple HTML."""
        return self._text

    def refresh(self) -> None:
        """Describe the latest event if it has changed."""
        head = self.playhead
        timeline, k = head.timeline, head.position
        last = timeline is not None and k >= head.events and head.at_end
        finished = last and not head.unending  # a live run that waits for its next event shows the last one
        why = "" if head.stopped is None or head.playing else head.stopped.words
        if why and (self._stop is None or self._stop[0] is not head.stopped):
            self._stop = (head.stopped, head.t)  # the reason is shown only at the place where it stopped
        if self._stop is not None and self._stop[1] != head.t:
            why = ""
        key = (id(timeline), id(head.animation), k, last, finished, self._growing, why)
        if key == self._shown:
            return
        self._shown = key
        text, slot = "", -1
        self._told = -1
        if timeline is not None:
            still = bool(nothing_happened(timeline.trace.summary))
            still = still and (head.events == 0 or (finished and not head.playing))
            self._nothing = still and first_steps(timeline.trace.summary)
            if still:
                text = f"<b>{html.escape(closing(timeline))}</b>"
            elif k == 0:
                text = f"<b>{opening(timeline)}</b> <span>{tr('Stop, step and go back at any time.')}</span>"
                if timeline.states:
                    slot = (head.animation or generic()).slot(timeline.states[timeline.start_state])
            elif finished and not head.playing:
                text = f"<b>{closing(timeline)}</b>"
                text += f" {tr('The run continues.')}" if self._growing else ""
            if k > 0:
                state = int(timeline.state[k - 1])
                if state != NO_STATE and head.animation is not None:
                    slot = head.animation.slot(timeline.states[state])
                if not text:
                    action = action_of(timeline, k - 1) if last and not head.playing else -1
                    self._told = action if action >= 0 else k - 1  # not the last of the messages it sent
                    text = narrate(timeline, self._told, head.animation or generic(), rich=True)
            if why:
                text = f"<b>{tr('Stopped: {reason}.', reason=html.escape(why))}</b> {text}"
        self._text, self.slot = text, slot
        self._fit()
        self.sign.setPixmap(state_icon(self.theme, slot, 18) if slot >= 0 else QPixmap())
        if text and self.announcer.active:
            self.announcer.polite(self.plain, playing=head.playing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make the sentence's tooltip, which explains the event, when it is requested."""
        if event.type() == QEvent.Type.ToolTip:
            self.label.setToolTip(self.explanation)
        return bool(super().eventFilter(watched, event))

    @property
    def explanation(self) -> str:
        """The sentence, or for an event its meaning and its effects, as simple HTML."""
        head = self.playhead
        if head.timeline is None or self._told < 0:
            return self._text
        return explain(head.timeline, self._told, head.animation or generic(), rich=True)

    @property
    def plain(self) -> str:
        """The sentence without mark-up."""
        return " ".join(html.unescape(_TAG.sub("", self._text)).split())
