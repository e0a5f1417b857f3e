"""What is said of the session: a run that was refused, code that waits for a word, unsaved work that gave way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.desk.runs.refusal import help_for
from lydian.desk.runs.session import SILENT
from lydian.model.experiment.assumptions import BY_FAULTS, ON_PURPOSE
from lydian.model.experiment.experiment import Experiment

if TYPE_CHECKING:
    from lydian.desk.desk import Desk
    from lydian.desk.kept.memory import Last

__all__ = ["Telling"]


class Telling:
    """Puts what the session tells into words, with a button that helps where one can.

    Args:
        desk: whose session.
        open: opens a file.
        look: shows a file of code; nothing of it runs.
        broken: names the assumptions of the protocol that the experiment breaks without saying so.
        mended: called when an experiment that was refused runs.
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
            self.notices.show(sentence, button="Stop it", act=self.session.stop)
        elif problem and (experiment := self.session.experiment) is not None:
            self._offer_help(sentence, experiment)

    def _live_ended(self, sentence: str) -> None:
        if sentence:
            self.notices.show(sentence, button="Start again", act=self.session.live.again)
            if (experiment := self.session.experiment) is not None:
                self._offer_help(sentence, experiment)

    def _offer_help(self, sentence: str, experiment: Experiment) -> None:
        """A run that was refused because of its network comes with a button that mends the experiment."""
        names = self._broken()
        found = None if names and names[0] in BY_FAULTS else help_for(experiment, self.desk.shelf)
        why, asked, _how = sentence.partition(f"; {ON_PURPOSE}")  # how: in a file and on the command line
        if found is not None:
            mend = partial(self._mend, found.text[:1].lower() + found.text[1:], **found.parts)
            self.notices.show(f"{why}." if asked else sentence, button=found.text, act=mend)
        elif names:
            mend = partial(self._mend, "break assumptions", breaks=(*experiment.breaks, *names))
            words = f"{why}, or break it on purpose." if asked else sentence
            self.notices.show(words, button="Break it on purpose", act=mend)

    def _mend(self, text: str, **parts: Any) -> None:
        """Change a refused experiment so that it runs, and go on as if it had not been refused."""
        self.session.change(text, **parts)
        self._mended()

    # ------------------------------------------------------------------ code of others

    def _held(self, strange: list[Path]) -> None:
        """The experiment names code that nobody has accepted: ask."""

        def run() -> None:
            assert self.session.trust is not None
            self.session.trust.accept(strange)
            self.session.run()

        names = " and ".join(path.name for path in strange)
        words = f"This experiment runs code from {names}, in {strange[0].parent}."
        self._withdraw_held()
        self._withdraw_held = self.notices.offer(words, "Run", run, look=lambda: self._look(strange[0]), front=True)

    def _accepted(self) -> None:
        """The experiment is another one: nothing is asked about the one before."""
        self._withdraw_held()

    # ------------------------------------------------------------------ unsaved work

    def _set_aside(self, name: str, file: Path) -> None:
        sentence = f"{name} had unsaved changes; they are kept in {file}."
        self.notices.show(sentence, problem=False, button="Go back", act=lambda: self._open(file))

    def _stranded(self, last: Last, why: str) -> None:
        """An experiment that no file could take is kept by the button that leads back to it."""
        experiment = last.experiment
        assert experiment is not None
        name = experiment.name or experiment.protocol

        def back() -> None:
            self.session.start(experiment, last.file, modified=True)

        words = f"{name} has unsaved changes that could not be kept in a file ({why}); go back to it and save it."
        self.notices.offer(words, "Go back", back, front=True)

    def _recovered(self, name: str, file: Path) -> None:
        words = f"{name} had unsaved changes when its window was closed; they are kept in {file}."
        self.notices.offer(words, "Go back", lambda: self._open(file))
