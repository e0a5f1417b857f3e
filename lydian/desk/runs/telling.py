"""The notices of a session: refused runs, code that waits for permission, unsaved work that was set aside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.desk.runs.refusal import help_for
from lydian.desk.runs.session import SILENT
from lydian.language import tr, trc
from lydian.model.experiment.assumptions import BY_FAULTS, ON_PURPOSE
from lydian.model.experiment.experiment import Experiment
from lydian.views.words.phrases import lowered
from lydian.views.words.words import joined

if TYPE_CHECKING:
    from lydian.desk.desk import Desk
    from lydian.desk.kept.memory import Last

__all__ = ["Telling"]


class Telling:
    """A controller that shows the session's messages in the notice bar, with a button where there is a remedy.

    Args:
        desk: the desk that contains the session.
        open: opens a file.
        look: shows a file of code without running it.
        broken: returns the assumptions of the protocol that the experiment breaks without declaring it.
        mended: called after a refused experiment has been changed so that it runs.
    """

    def __init__(
        self,
        desk: Desk,
        open: Callable[[Path], object],
        look: Callable[[Path], object],
        broken: Callable[[], Sequence[str]],
        mended: Callable[[], object],
    ) -> None:
        self.desk, self.session, self.notices = desk, desk.session, desk.notices
        self._open, self._look, self._broken, self._mended = open, look, broken, mended
        self._withdraw_held: Callable[[], None] = lambda: None
        self.session.live.ended.connect(self._live_ended)
        self.session.said.connect(self._said)
        self.session.held.connect(self._held)
        self.session.experiment_changed.connect(self._accepted)
        desk.memory.set_aside.connect(self._set_aside)
        desk.memory.stranded.connect(self._stranded)
        desk.memory.recovered.connect(self._recovered)
        desk.memory.failed.connect(self.notices.say)

    # ------------------------------------------------------------------ runs

    def _said(self, sentence: str, problem: bool) -> None:
        if not self.notices.say_of_run(sentence, problem):
            return
        if sentence == SILENT:
            self.notices.show(sentence, button=tr("Stop"), act=self.session.stop)
        elif problem and (experiment := self.session.experiment) is not None:
            self._offer_help(sentence, experiment)

    def _live_ended(self, sentence: str) -> None:
        if sentence:
            self.notices.show(sentence, button=tr("Start again"), act=self.session.live.again)
            if (experiment := self.session.experiment) is not None:
                self._offer_help(sentence, experiment)

    def _offer_help(self, sentence: str, experiment: Experiment) -> None:
        """Add a button that corrects the experiment to the notice about a run that was refused."""
        names = self._broken()
        found = None if names and names[0] in BY_FAULTS else help_for(experiment, self.desk.shelf)
        why, asked, _how = sentence.partition(f"; {ON_PURPOSE}")  # the rest is about files
        if found is not None:
            mend = partial(self._mend, lowered(found.text), **found.parts)
            self.notices.show(f"{why}." if asked else sentence, button=found.text, act=mend)
        elif names:
            mend = partial(self._mend, tr("break assumptions"), breaks=(*experiment.breaks, *names))
            words = tr("{reason}, or break the assumption on purpose.", reason=why) if asked else sentence
            self.notices.show(words, button=tr("Break the assumption"), act=mend)

    def _mend(self, text: str, **parts: Any) -> None:
        """Change a refused experiment so that it runs, and continue as if it had not been refused."""
        self.session.change(text, **parts)
        self._mended()

    # ------------------------------------------------------------------ unknown code

    def _held(self, strange: list[Path]) -> None:
        """Ask whether the code that the experiment names may run."""

        def run() -> None:
            assert self.session.trust is not None
            self.session.trust.accept(strange)
            self.session.run()

        names = joined([path.name for path in strange])
        words = tr("This experiment runs code from {files}, in {folder}.", files=names, folder=strange[0].parent)
        self._withdraw_held()
        self._withdraw_held = self.notices.offer(
            words, trc("command", "Run"), run, look=lambda: self._look(strange[0]), front=True
        )

    def _accepted(self) -> None:
        """Withdraw the question about the previous experiment, as the experiment has changed."""
        self._withdraw_held()

    # ------------------------------------------------------------------ unsaved work

    def _set_aside(self, name: str, file: Path) -> None:
        sentence = tr("{name} had unsaved changes; they are kept in {file}.", name=name, file=file)
        self.notices.show(sentence, problem=False, button=tr("Go back"), act=lambda: self._open(file))

    def _stranded(self, last: Last, why: str) -> None:
        """Offer to return to an experiment that could not be saved to a file; the offer itself keeps it."""
        experiment = last.experiment
        assert experiment is not None
        name = experiment.name or experiment.protocol

        def back() -> None:
            self.session.start(experiment, last.file, modified=True)

        words = tr(
            "{name} has unsaved changes that could not be kept in a file ({reason}); go back and save them.",
            name=name,
            reason=why,
        )
        self.notices.offer(words, tr("Go back"), back, front=True)

    def _recovered(self, name: str, file: Path) -> None:
        words = tr(
            "{name} had unsaved changes when its window was closed; they are kept in {file}.", name=name, file=file
        )
        self.notices.offer(words, tr("Go back"), lambda: self._open(file))
