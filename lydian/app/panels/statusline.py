"""The line at the very bottom: the state of the run, and the selection."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from lydian.app.kit.follow import follow
from lydian.app.kit.terms import explain
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.desk.desk import Desk
from lydian.desk.guide.glossary import terms_in
from lydian.desk.runs.run import Run
from lydian.language import tr, trn
from lydian.views.words.ends import nothing_happened
from lydian.views.words.words import plural

__all__ = ["StatusLine"]


class Sentence(QLabel):
    """A label whose tooltip explains the terms in its text."""

    def setText(self, text: str) -> None:
        super().setText(text)
        explain(self, *terms_in(text), tip="")


class StatusLine(QStatusBar):
    """A sign, a sentence about the run and a button to stop it; on the right, work under way and the selection."""

    def __init__(self, desk: Desk, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.desk, self.session, self.playhead = desk, desk.session, desk.playhead
        session, notices = desk.session, desk.notices
        self._steps, self._undone = 0, ""  # the number of changes in force, and the latest notice about undoing
        self.setSizeGripEnabled(False)
        self._state = ""  # the latest notice about the run itself
        self._live = self._seen = False  # whether the run is live, and anything of it was shown
        self.sign, self.label, self.selected = QLabel(), Sentence(tr("Ready")), QLabel()
        self.stop = set_up(QToolButton(), name=tr("Stop the run"), tip=tr("Stop the run (Shift+F5)"))
        self.stop.setText(tr("Stop"))
        self.stop.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.stop.clicked.connect(session.stop)
        self.stop.hide()
        for widget in (self.sign, self.label, self.stop):
            self.addWidget(widget)
        self.working, self.bar, self.cancel = QLabel(), QProgressBar(), QToolButton()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(140, 8)
        self.bar.setAccessibleName(tr("Progress"))
        self.cancel.setText(tr("Cancel"))
        self.cancel.setAccessibleName(tr("Cancel"))
        self.cancel.clicked.connect(lambda _on=False: notices.cancelled.emit())
        for part in (self.working, self.bar, self.cancel):
            part.hide()
            self.addPermanentWidget(part)
        self.addPermanentWidget(self.selected)
        follow(self, session.run_started, self._started)
        follow(self, session.progress, self._progress)
        follow(self, session.run_ready, lambda run, _play: self._ready(run))
        follow(self, session.run_grown, self._grown)
        follow(self, session.live.changed, self._live_changed)
        follow(self, session.live.ended, lambda why: self.say_state() if why else None)
        follow(self, session.undo.moved, self._stepped)
        follow(self, desk.playhead.changed, self._changed)
        follow(self, notices.told, self.say)
        follow(self, notices.hinted, lambda words: self.showMessage(words) if words else self.clearMessage())
        follow(self, notices.working, self.work)
        follow(self, session.reading.progress, self.read)
        follow(self, notices.cancelled, session.reading.cancel)
        follow(self, desk.commands.done, self.let_go_of_undone)
        set_look(self.stop, theme, icon="stop", ink="text.secondary")
        self._sign("tick", "check.holds")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedHeight(theme.grown(26 if not theme.projector else 34))

    def say(self, sentence: str) -> None:
        """Report a success."""
        self._sign("tick", "check.holds")
        self.label.setText(sentence)

    def refuse(self, sentence: str) -> None:
        """Report why a run did not succeed."""
        self._sign("warning", "check.warn")
        self.label.setText(sentence)

    def _stepped(self, index: int) -> None:
        """Report what was undone after an undo, and what was redone after a redo."""
        undo, before, self._steps = self.session.undo, self._steps, index
        if index < before and undo.count:
            self._undone = tr("Undone: {change}", change=undo.text(index))
            self.say(self._undone)
        elif index > before and self.label.text() == self._undone:
            self.say(tr("Done: {change}", change=undo.text(index - 1)))

    def let_go_of_undone(self, command: str = "") -> None:
        """Forget the last undo, since something else has been done."""
        steps = command in ("undo", "redo") and self.desk.workspaces.current == "run"
        if self._undone and not steps and self.label.text() == self._undone:
            self.say_state()

    def read(self, words: str, share: float) -> None:
        """Report that a file is being read."""
        self.work(words, share, tr("Stop reading and keep the current run"))

    def work(self, words: str, share: float, cancel: str) -> None:
        """Show what is being done and the share completed; hide them if ``words`` is empty, because the work is over.

        ``cancel`` is the tip of the Cancel button.
        """
        self.cancel.setToolTip(cancel)
        self.working.setText(words)
        self.bar.setValue(round(100 * share))
        for widget in (self.working, self.bar, self.cancel):
            widget.setVisible(bool(words))

    def say_state(self) -> None:
        """Describe the state of the current run, whatever was reported before."""
        session = self.session
        if session.live.on and (session.live.alive or not session.whole or not session.whole.result.get("stopped")):
            self.stop.setVisible(session.worker.busy)
            self._say_live()
        elif session.worker.busy:
            self._started()
        elif session.whole is not session.shown:
            self._withheld()
        else:
            self._ready(session.shown)

    def _say_live(self, *, anew: bool = True) -> None:
        """Describe the state of a live run; a notice about something else stays unless ``anew`` is set."""
        live, run = self.session.live, self.session.shown
        events = len(run.trace) if run is not None and self._seen else None
        if events is None:
            words = tr("Live: starting…") if live.alive else tr("The live run ended early, before the first event")
        elif not live.alive:
            words = trn(
                "The live run ended early after {count:,} event",
                "The live run ended early after {count:,} events",
                events,
            )
        elif live.quiet:
            words = trn(
                "Live, {count:,} event, no event is enabled", "Live, {count:,} events, no event is enabled", events
            )
        elif self.playhead.playing:
            words = trn("Live, {count:,} event so far", "Live, {count:,} events so far", events)
        else:
            words = trn("Live, {count:,} event so far, paused", "Live, {count:,} events so far, paused", events)
        before, self._state = self._state, words
        if anew or self.label.text() == before:
            self._sign("clock" if live.alive else "warning", "check.pending" if live.alive else "check.warn")
            self.label.setText(words)

    def _live_changed(self) -> None:
        on = self.session.live.on
        if on and not self._live:
            self._seen = False
            self.stop.setVisible(self.session.worker.busy)
        if on and (self.session.live.alive or not self._live):
            self._say_live(anew=not self._live)
        self._live = on

    def _grown(self, run: Run, first: bool, _play: bool) -> None:
        if self.session.live.on:
            self._seen = True
            self._say_live(anew=False)
        elif first and (run.beginning or self.session.hiding):
            self._withheld()
        elif "checks" in run.result:  # its events come from components, programs or another system
            self._sign("clock", "check.pending")
            count = len(run.trace)
            self.label.setText(trn("Running, {count:,} event so far", "Running, {count:,} events so far", count))

    def _sign(self, name: str, color: str) -> None:
        set_look(self.sign, self.theme, icon=name, ink=color, icon_size=14)

    def _started(self) -> None:
        self.stop.show()
        self._sign("clock", "check.pending")
        self.label.setText(tr("Running…"))

    def _progress(self, events: int, time: float) -> None:
        self.label.setText(tr("Running: {events}, time {time:.1f}", events=plural(events, "event"), time=time))

    def _ready(self, run: Run | None) -> None:
        self.stop.setVisible(self.session.worker.busy)
        if run is None:
            self._sign("warning", "check.warn")
            rests = self.session.rests
            self.label.setText(tr("Ready: no run yet") if rests else tr("The run failed to start"))
            return
        events = len(run.trace)
        messages = int(run.trace.column("message").max(initial=-1)) + 1
        nothing = nothing_happened(run.trace.summary)
        if nothing:
            self.refuse(nothing)
        elif run.result.get("stopped") == "cancelled":
            self.refuse(
                tr(
                    "Run stopped: {events}, {messages}",
                    events=plural(events, "event"),
                    messages=plural(messages, "message"),
                )
            )
        elif run.problem is None:
            self.say(
                tr(
                    "Run finished: {events}, {messages}",
                    events=plural(events, "event"),
                    messages=plural(messages, "message"),
                )
            )
        else:
            self.refuse(
                tr(
                    "Run ended early: {events}, {messages}",
                    events=plural(events, "event"),
                    messages=plural(messages, "message"),
                )
            )

    def _withheld(self) -> None:
        """Report the end of a run of which only the part played so far may be seen."""
        self.stop.setVisible(self.session.worker.busy)
        shown = self.session.shown
        if shown is not None and shown.beginning is None:
            self.say(tr("The rest of the run is hidden until you answer"))
        else:
            self.say(tr("The run is ready: press Play"))

    def _changed(self, what: str) -> None:
        if what == "playing" and self._live and self.session.live.alive:
            self._say_live(anew=self.playhead.playing)
        if what != "selection":
            return
        chosen, timeline = self.playhead.selection, self.playhead.timeline
        parts = []
        if timeline is not None:
            names = [timeline.processes[i] for i in sorted(chosen.processes) if i < timeline.n]
            if names:
                some = ", ".join(names[:8])
                parts.append(trn("Process {processes}", "Processes {processes}", len(names), processes=some))
            parts += [
                tr("Link {link}", link=f"{timeline.processes[a]}-{timeline.processes[b]}")
                for a, b in sorted(chosen.links)[:4]
            ]
            if chosen.messages and chosen.event is None:
                parts.append(trn("{count} message", "{count} messages", len(chosen.messages)))
            if chosen.event is not None:
                parts.append(tr("event {event} of {count}", event=chosen.event + 1, count=len(timeline.time)))
        self.selected.setText(tr("{selected} selected", selected=", ".join(parts)) if parts else "")
