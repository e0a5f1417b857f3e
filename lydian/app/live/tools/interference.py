"""Interventions in the window: the effect of menus, keys, the tool bar and the mouse on the run, and the reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QRect, QRectF
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from lydian.app.kit.toast import Toast
from lydian.app.live.tools.chosentool import ChosenTool
from lydian.app.live.tools.faultbar import FaultBar
from lydian.app.live.tools.spacetools import SpaceTools
from lydian.app.live.tools.toolgestures import ToolGestures
from lydian.language import tr
from lydian.model.interventions import TOOLS
from lydian.model.interventions.keys import SEED
from lydian.views.playback.interfering import Offer, Situation, number_of
from lydian.views.playback.offerlists import for_ground, for_selection
from lydian.views.words.faultwords import gesture, told
from lydian.views.words.phrases import lowered

if TYPE_CHECKING:
    from lydian.app.canvas.canvas import Canvas
    from lydian.app.live.tools.form import FaultForm
    from lydian.app.look.theme import Theme
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk
    from lydian.desk.live.live import Acted, Live

__all__ = ["Interference"]

_NO_EXPERIMENT = tr("This run was recorded without its experiment, so you cannot intervene in it")
_NOTHING = tr("There is no run yet")


class Interference(QObject):
    """The controller for all ways to intervene in the run of a window.

    Attributes:
        aim: the chosen tool.
        toast: reports interventions over the network.
        bar: the buttons of the tool bar, if :meth:`make_bar` made them.
        form: the open form, if there is one.
    """

    def __init__(self, desk: Desk, stage: Stage, asked_elsewhere: Callable[[Acted], bool], parent: QObject) -> None:
        """Connect to the live run and to every network of the window.

        Args:
            desk: the desk whose run is changed.
            stage: the views.
            asked_elsewhere: returns True if an answer of the simulator belongs to another part, which reports it.
            parent: the window.
        """
        super().__init__(parent)
        self.desk, self.stage, self._asked_elsewhere = desk, stage, asked_elsewhere
        self.aim = ChosenTool(self.situation, self.do, self)
        self.aim.said.connect(self._hint)
        self.bar: FaultBar | None = None
        self.form: FaultForm | None = None
        self._kept: tuple[tuple[object, ...], Situation] | None = None
        session = desk.session
        for canvas in stage.pictures():
            self.attach(canvas)
        stage.canvas_made.connect(self.attach)
        self.toast = Toast(stage.theme, stage.canvases["basic"], covered=self._covered)
        self.toast.pressed.connect(session.undo.undo)
        session.undo.moved.connect(self._stepped)
        self.live.acted.connect(self.acted)
        self.live.changed.connect(self.refresh)
        desk.programs.acted.connect(self.acted)
        desk.programs.changed.connect(self.refresh)
        session.experiment_changed.connect(self.refresh)
        session.run_ready.connect(lambda _run, _play: self.refresh())
        session.leaving.connect(self._leaving)
        self.refresh()

    @property
    def live(self) -> Live:
        """The live run of the session."""
        return self.desk.session.live

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the name of each command with its handler."""
        table: dict[str, Callable[..., object]] = {
            f"fault_{name}": lambda name=name: self.use(name) for name, tool in TOOLS.items() if tool.entry is not None
        }
        for name in ("links_up", "recover_all", "release_all"):
            table[f"fault_{name}"] = lambda name=name: self.everywhere(name)
        return table

    def make_bar(self, actions: Mapping[str, QAction], theme: Theme, parent: QWidget | None = None) -> FaultBar:
        """Create the buttons for the tool bar."""
        self.bar = FaultBar(self.aim, self.take, actions, theme, parent)
        return self.bar

    def attach(self, canvas: Canvas) -> None:
        """Let the user aim in a view if it is a network."""
        if canvas.spec.name == "basic":
            canvas.aide = hand = ToolGestures(canvas, self.aim)
            self.aim.attach(hand)
        elif canvas.pilot is not None:
            canvas.aide = tools = SpaceTools(canvas, self.aim)
            self.aim.attach(tools)

    # ------------------------------------------------------------------ the situation

    @property
    def hindrance(self) -> str:
        """The reason why the user cannot intervene in the run, or ""."""
        if self.desk.session.experiment is None and not self.desk.programs.shown:
            return _NO_EXPERIMENT
        return _NOTHING if self.desk.playhead.timeline is None else ""

    def situation(self, t: float | None = None) -> Situation | None:
        """Return the run at the play head, or at another moment; None if interventions are impossible."""
        head, live = self.desk.playhead, self.live
        timeline = head.timeline
        if self.hindrance or timeline is None:
            return None
        t = head.t if t is None else t
        key = (id(timeline), t, live.taken, len(live.done), id(head.animation))
        if self._kept is None or self._kept[0] != key:
            scrambled = sum(SEED in each.kind.keys for each in live.done)
            made = Situation(timeline, t, self._source(), frozenset(live.taken), scrambled, head.animation)
            self._kept = key, made
        return self._kept[1]

    def _source(self) -> str:
        """Return the text of the protocol: that of the run, else that of its file."""
        timeline, session = self.desk.playhead.timeline, self.desk.session
        if timeline is not None and timeline.trace.source:
            return timeline.trace.source
        experiment = session.experiment
        if experiment is None:
            return ""
        return self.desk.shelf.source(str(experiment.protocol), experiment.path or session.path)

    def refresh(self) -> None:
        """Disable the commands, with the reason, where interventions are impossible."""
        reason = self.hindrance
        for name in self.handlers():
            self.desk.commands.hinder(name, "interference", reason)
        if reason:
            self.aim.let_go()

    def _leaving(self) -> None:
        """Release the tool before another experiment is opened."""
        self.aim.let_go()
        self._kept = None
        self.toast.put_away()
        if self.form is not None:
            self.form.leave()

    # ------------------------------------------------------------------ actions

    def use(self, tool: str) -> None:
        """Use a tool on the selected thing, or choose it if nothing suitable is selected; a second call releases

        it. Keys and menu entries call this. A button always chooses the tool: see :meth:`take`.
        """
        if not self.desk.workspaces.show("run"):
            return
        s = self.situation()
        if s is None:
            self._hint(self.hindrance)
            return
        found = for_selection(s, tool, self.desk.playhead.selection)
        if found is not None and not found.reason:
            self.aim.let_go()
            self.do(found, self._place(found))
        else:
            self.take(tool)
            if found is not None and self.aim.tool:
                reason, hint = found.reason, TOOLS[tool].hint
                reason, hint = reason[:1].upper() + reason[1:], lowered(hint)
                self._hint(tr("{reason}; {hint}; Esc cancels", reason=reason, hint=hint))

    def take(self, tool: str) -> None:
        """Choose a tool, whatever is selected: the next click decides. A second call releases it."""
        if not self.desk.workspaces.show("run"):
            return
        if self.situation() is None:
            self._hint(self.hindrance)
        elif self.aim.tool == tool:
            self.aim.let_go()
        else:
            self.aim.arm(tool)

    def everywhere(self, name: str) -> None:
        """Restore all links, recover all processes, or let all processes continue."""
        s = self.situation()
        found = None if s is None else next(each for each in for_ground(s) if each.tool == name)
        if found is None or found.reason:
            self.refuse(self.hindrance if found is None else found.reason)
        else:
            self.do(found, QRect())

    def do(self, offer: Offer, place: QRect) -> None:
        """Carry out an offer; if it needs a value, open its form beside a place on the screen."""
        if offer.reason:
            self.refuse(offer.reason)
        elif offer.form and offer.form != "line":
            self.ask(offer, place)
        elif offer.form == "line":
            self.aim.arm(offer.tool)
        elif offer.what:
            self.act(offer.what)

    def act(self, what: Sequence[Mapping[str, Any]]) -> None:
        """Send the interventions of one gesture to the live run."""
        timeline, animation = self.desk.playhead.timeline, self.desk.playhead.animation
        some = [dict(each) for each in what]
        if self.desk.programs.shown:
            self.desk.programs.act(some)
            return
        self.live.act(some[0] if len(some) == 1 else some, gesture(some, timeline, animation))

    def ask(self, offer: Offer, place: QRect) -> None:
        """Open the form of an offer."""
        from lydian.app.live.tools.form import FaultForm  # the import brings the editor's fields with it, which is slow
        from lydian.views.playback.faultforms import form_for

        s = self.situation()
        if s is None or offer.hit is None:
            return
        self.desk.playhead.pause()
        if self.form is not None:
            self.form.leave()
        self.form = form = FaultForm(self.stage.window(), form_for(s, offer))
        form.done.connect(self.act)
        form.closed.connect(self._closed)
        form.open_beside(place if place.isValid() else self._place(offer))

    def _closed(self) -> None:
        self.form = None

    def _place(self, offer: Offer) -> QRect:
        """Return the place on the screen of the thing that an offer refers to."""
        canvas = self.network
        if offer.hit is not None and offer.hit.kind == "process":
            rect = canvas.process_rect(number_of(offer.hit))
            if rect is not None:
                return QRect(canvas.mapToGlobal(rect.topLeft().toPoint()), rect.size().toSize())
        middle = canvas.mapToGlobal(canvas.rect().center())
        return QRect(middle - QPoint(4, 4), middle + QPoint(4, 4))

    @property
    def network(self) -> Canvas:
        """The network in use: the one with the focus, else a visible one."""
        hands = [hand.canvas for hand in self.aim.hands]
        shown = [canvas for canvas in hands if canvas.isVisible()]
        return next((canvas for canvas in shown if canvas.hasFocus()), shown[0] if shown else hands[0])

    def let_go(self) -> bool:
        """Release the tool and cancel any drag (Esc); return True if there was something to release."""
        return self.aim.let_go()

    # ------------------------------------------------------------------ results

    def acted(self, said: Acted) -> None:
        """Report the simulator's answer to a gesture."""
        if said.accepted:
            words = self._told(said)
            if said.reason:  # only some of the interventions were accepted
                words = tr("{done}; the rest was refused: {reason}", done=words, reason=said.reason)
            words = self._with_assumption(words, said.interventions)
            if not self._asked_elsewhere(said):
                self._toast(words, undo=not self.desk.programs.on)
            self.desk.notices.told.emit(words)
        elif not self._asked_elsewhere(said):
            self.refuse(said.reason)

    def _told(self, said: Acted) -> str:
        """Return what interventions did; programs are killed, paused and started anew."""
        if not self.desk.programs.on:
            return told(said.interventions, self.desk.playhead.timeline, self.desk.playhead.animation)
        words = {
            "crash": tr("The program of {process} was killed"), "recover": tr("The program of {process} restarts"),
            "take_over": tr("The program of {process} is paused"), "release": tr("The program of {process} goes on"),
        }  # fmt: skip
        first = said.interventions[0]
        if first.do not in words:
            return told(said.interventions, self.desk.playhead.timeline, self.desk.playhead.animation)
        return words[first.do].format(process=", ".join(str(each.process) for each in said.interventions))

    def _with_assumption(self, words: str, done: Sequence[Any]) -> str:
        """Add to the words the assumption of the protocol that is now violated: later failures may not be its fault."""
        timeline = self.desk.playhead.timeline
        if timeline is None or not timeline.trace.source:
            return words
        from lydian.model.editing.readiness import needs_of
        from lydian.model.experiment.assumptions import strained

        needs = needs_of(timeline.trace.source)
        starting = timeline.trace.network.get("graph", {}).get("initiators") or ()
        found = next((clause for each in done if (clause := strained(needs, each, starting))), "")
        return f"{words.rstrip('.')}; {found}" if found else words

    def refuse(self, reason: str) -> None:
        """Show over the network why an intervention was refused."""
        sentence = f"{reason[:1].upper()}{reason[1:]}".rstrip(".")
        self._toast(sentence, undo=False)

    def _covered(self, box: QRect) -> int:
        """Return how much a rectangle of the network would cover: processes above all, then the legend and labels."""
        canvas, place = self.network, QRectF(box)
        left, top, right, bottom = canvas.process_boxes().T
        across = (left < place.right()) & (right > place.left())
        processes = int((across & (top < place.bottom()) & (bottom > place.top())).sum())
        covered = (each.intersected(place) for each in canvas.occupied()[0])
        return 1_000_000 * processes + round(sum(each.width() * each.height() for each in covered))

    def _toast(self, words: str, *, undo: bool) -> None:
        if not words:
            return
        shown = [hand.canvas for hand in self.aim.hands if hand.canvas.isVisible()]
        focused = self.stage.focused
        self.toast.move_over(self.network if shown else focused)
        self.toast.say(words, undo=undo)

    def _stepped(self, _index: int) -> None:
        """Remove the toast after undo or redo: it no longer describes the latest step."""
        if self.toast.isVisible():
            self.toast.put_away()

    def _hint(self, words: str) -> None:
        """Show a hint in the status line as long as it applies."""
        self.desk.notices.hinted.emit(words)
