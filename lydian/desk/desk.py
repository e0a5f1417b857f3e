"""All objects that a part of the application may use besides its own widgets."""

from __future__ import annotations

from lydian.desk.archivelist import ArchiveList
from lydian.desk.commands import Commands
from lydian.desk.kept.memory import Last, Memory
from lydian.desk.kept.waypoints import Waypoints
from lydian.desk.loop import Loop
from lydian.desk.notices import Notices
from lydian.desk.playhead import Playhead
from lydian.desk.programs import Programs
from lydian.desk.runs.records import names_of
from lydian.desk.runs.screen import Screen
from lydian.desk.runs.session import Session, automatic_name
from lydian.desk.settings import Settings
from lydian.desk.trust import Trust
from lydian.desk.workspaces import Workspaces
from lydian.language import tr

__all__ = ["Desk"]


class Desk:
    """The experiment that the user works on, with everything that belongs to it.

    Attributes:
        session: the current experiment and its runs.
        playhead: the moment that all views show.
        screen: loads runs into the play head.
        programs: the run of programs in any language, if there is one.
        waypoints: bookmarks and breakpoints.
        memory: the work that is kept for the next start.
        settings, shelf: the settings, and the contents of the archive.
        notices: messages to the user.
        commands: the commands that the user can give.
        workspaces: the workspaces of the window.
    """

    def __init__(self, loop: Loop, settings: Settings, shelf: ArchiveList) -> None:
        self.settings, self.shelf = settings, shelf
        self.notices, self.commands, self.workspaces = Notices(), Commands(), Workspaces()
        self.session = Session(loop)
        self.session.trust = Trust(settings, shelf.archive)
        self.session.bounds = settings.bounds
        self.playhead = Playhead()
        self.session.live.follow(self.playhead)
        self.programs = Programs(self.session, self.playhead, loop)
        self.waypoints = Waypoints(self.session, self.playhead, settings.file.parent)
        self.session.leaving.connect(self._leaving)  # connected first: the memory may have a notice of its own to show
        self.memory = Memory(self.session, settings.kept)
        self.screen = Screen(self.session, self.playhead, shelf)
        self.session.run_started.connect(lambda: self.say_what_stops(True))
        self.session.live.changed.connect(self.say_what_stops)
        self.programs.changed.connect(self.say_what_stops)
        self.session.run_ready.connect(lambda _run, _play: self.say_what_stops())
        self.say_what_stops()

    @property
    def run_title(self) -> str:
        """The window's title while a run is shown: the parts of the experiment, and its name if that adds anything.

        While a lesson withholds the rest of a run, the name is left out, because it might reveal the outcome.
        """
        experiment = self.session.experiment
        if experiment is None:
            return tr("A recorded run — LYDIAN")
        protocol, where = names_of(experiment)
        told = {"", protocol, where, automatic_name(experiment)}
        name = "" if experiment.name in told or self.session.withholding else f" — {experiment.name}"
        return tr(
            "{protocol} on {network}, seed {seed}{name} — LYDIAN",
            protocol=protocol.capitalize(),
            network=where,
            seed=experiment.seed,
            name=name,
        )

    def say_what_stops(self, also: bool = False) -> None:
        """Make the Stop command available while a run, or (with ``also``) something else, can be stopped."""
        on = also or self.session.live.alive or self.session.worker.busy or self.programs.on
        self.commands.hinder("stop", "nothing", "" if on else tr("Nothing is running"))

    def go_on(self, last: Last) -> None:
        """Reopen the experiment, paused at the moment at which the program was closed."""
        moment = self.settings.moment
        self.screen.resume = moment if moment > 0 else None
        if last.experiment is not None:
            self.session.start(last.experiment, last.file, modified=last.modified, branch=last.branch)

    def jump(self, t: float) -> None:
        """Pause and go to a moment."""
        self.playhead.pause()
        self.playhead.seek(t)

    def keep(self) -> None:
        """Keep the current work and the moment that is shown for the next start."""
        self.settings.moment = max(self.playhead.t, 0.0)
        self.memory.write()
        self.settings.sync()

    def close(self) -> None:
        """Close all parts; leave no child process and no temporary file."""
        self.waypoints.close()
        self.programs.close()
        self.session.close()
        self.settings.kept.close()

    def _leaving(self) -> None:
        """Clear a problem that concerns the current experiment, as another experiment is about to replace it."""
        if self.session.experiment is not None or self.session.shown is not None:
            self.notices.forget_problem()
