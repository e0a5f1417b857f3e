"""Checks of the open protocol that go beyond one run: other seeds, and every schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lydian.app.look.theme import Theme
from lydian.app.protocol.checking.explorerplan import SMALL, commanded, offered, on_network, planned
from lydian.app.protocol.checking.otherruns import OtherRuns
from lydian.app.protocol.checking.running import ProtocolRuns
from lydian.app.protocol.document import ProtocolDocument
from lydian.desk.archivelist import ArchiveList
from lydian.desk.runs.session import Session
from lydian.language import tr
from lydian.model.archive.kepttests import add_test, kept
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Network

if TYPE_CHECKING:
    from lydian.app.protocol.checking.explorerpanel import ExplorerPanel

__all__ = ["Further"]


class Further(QObject):
    """The strip of other seeds below the code, and the tab "Every schedule" beside it, which is made on demand.

    Attributes:
        strip: the strip with a square for each seed.
        panel: the panel of the tab; ``None`` until it is needed.
    """

    #: Emitted with an experiment that should be run and shown.
    experiment_wanted = Signal(object)
    #: Emitted with a sentence for the user and whether it is a problem.
    said = Signal(str, bool)
    #: Emitted with the file beside the protocol in which a schedule was kept.
    kept = Signal(object)

    def __init__(
        self, document: ProtocolDocument, runs: ProtocolRuns, session: Session, shelf: ArchiveList, theme: Theme,
        parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._document, self._runs, self._session, self._shelf = document, runs, session, shelf
        self.theme = theme
        self.strip = OtherRuns(theme)
        self.strip.wanted.connect(lambda attempt: self.experiment_wanted.emit(attempt.experiment))
        self.panel: ExplorerPanel | None = None
        self._suggested: tuple[str, int, int] | None = None

    # ------------------------------------------------------------------ other seeds

    def others(self) -> None:
        """Run the same experiment with other seeds."""
        now = self._experiment()
        if now is not None:
            self.strip.ask(now)

    def _experiment(self) -> Experiment | None:
        """Return the current experiment with the open protocol, or ``None`` after reporting why it cannot be run."""
        if not self._runs.ready():
            return None
        now = self._runs.experiment()
        return now.with_(path=now.path if now.path is not None else self._session.path)

    # ------------------------------------------------------------------ every schedule

    def made(self) -> ExplorerPanel:
        """Return the panel, which is made at the first call."""
        if self.panel is None:
            from lydian.app.protocol.checking.explorerpanel import ExplorerPanel

            self.panel = ExplorerPanel(self.theme)
            self.panel.plan = self._plan
            self.panel.open_wanted.connect(self.experiment_wanted)
            self.panel.keep_wanted.connect(self._keep)
            self.panel.form.changed.connect(self._suggest)
            self._session.experiment_changed.connect(self.offer_networks)
        return self.panel

    @property
    def _needs(self) -> list[str]:
        return [each.name for each in self._document.outline.needs]

    def _own(self) -> tuple[str, Network | None]:
        """Return the name of the current experiment's network, and the network itself if it can be used."""
        now = self._session.experiment
        if now is None:
            return "", None
        name = now.network if isinstance(now.network, str) else now.network.name or tr("as drawn")
        return name, self._shelf.known_network(now.network, now.path or self._session.path)

    def offer_networks(self) -> None:
        """Show the networks that suit the text."""
        panel = self.panel
        if panel is None:
            return
        own, network = self._own()
        names = offered(self._needs)
        if not own:
            own = names[0]
        panel.form.show_networks(own, network is not None and network.n <= SMALL, names)
        panel.keepable = not self._document.read_only

    def _suggest(self) -> None:
        """Suggest as many crashes and losses as the experiment plans on its own network, but none on another."""
        now, panel = self._session.experiment, self.panel
        if panel is None or now is None:
            return
        crashes, losses = planned(now) if panel.form.chosen == panel.form.own and self._runs.is_run else (0, 0)
        suggested = panel.form.chosen, crashes, losses
        if suggested != self._suggested:  # the settings for the same network are kept
            self._suggested = suggested
            panel.form.crashes.setValue(crashes)
            panel.form.losses.setValue(losses)

    def _plan(self, spec: str) -> tuple[Experiment, str] | None:
        """Return the experiment on a network, and a sentence about it."""
        panel = self.made()
        if not spec:
            panel.say(tr("Choose or type a network, for example line:3."))
            return None
        now = self._experiment()
        if now is None:
            return None
        own, network = self._own()
        panel.keepable = not self._document.read_only
        try:
            if spec != own or network is None:
                network = self._shelf.network(spec, now.path)
                now = on_network(now, spec, network, self._needs)
        except (LydianError, OSError) as error:
            panel.say(str(error))
            return None
        return commanded(now, network, [each for each in self._document.outline.commands if each.kind == "command"])

    def _keep(self, experiment: Experiment, name: str, steps: int) -> None:
        path = self._document.path
        if path is None or self._document.read_only:
            return
        network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
        try:
            about = f"A schedule of {steps:,} {'step' if steps == 1 else 'steps'} that once violated this property."
            test = kept(experiment, path, f"{name}, on {network}", about)
            written = add_test(path, test)
        except (LydianError, OSError) as error:
            self.said.emit(str(error), True)
            return
        self.kept.emit(path)
        words = tr(
            "Kept: {run}. A correct protocol passes it; lydian check {file} runs it.",
            run=written.name,
            file=path.name,
        )
        self.said.emit(words, False)

    # ------------------------------------------------------------------ appearance, closing

    def close_all(self) -> None:
        """End every simulator and search."""
        self.strip.close_all()
        if self.panel is not None:
            self.panel.close_all()
