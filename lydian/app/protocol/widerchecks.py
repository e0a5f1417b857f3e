"""What goes further than one run of the text on the desk: the same with other seeds, and every schedule of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QTabBar, QToolButton

from lydian.app.look.icons import icon
from lydian.app.protocol.explorerplan import SMALL, commanded, offered, on_network, planned
from lydian.app.protocol.otherruns import OtherRuns
from lydian.model.errors import LydianError
from lydian.model.experiment import Experiment
from lydian.model.kepttests import add_test, kept
from lydian.model.network import Network
from lydian.views.words.words import joined, plural

if TYPE_CHECKING:
    from lydian.app.protocol.explorerpanel import ExplorerPanel
    from lydian.app.protocol.workspace import ProtocolWorkspace

__all__ = ["Further"]


class Further(QObject):
    """The strip of other seeds below the code, and the tab Every schedule beside it; that is made when it is wanted.

    Attributes:
        strip: the squares.
        panel: ``None`` before it was wanted.
    """

    def __init__(self, workspace: ProtocolWorkspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.strip = OtherRuns(workspace.theme)
        self.panel: ExplorerPanel | None = None
        self._suggested: tuple[str, int, int] | None = None

    def listen(self) -> None:
        """The other parts of the workspace are there: hear of them."""
        w = self.workspace
        self.strip.wanted.connect(lambda attempt: w.experiment_wanted.emit(attempt.experiment))
        w.moment.wanted.connect(lambda name: self.others() if name == "others" else None)
        w.files.opened.connect(self._opened)

    # ------------------------------------------------------------------ other seeds

    def others(self) -> None:
        """Ask whether the same experiment breaks with other seeds, too."""
        now = self._experiment()
        if now is not None:
            self.strip.ask(now)

    def _experiment(self) -> Experiment | None:
        """What is on the desk in the experiment at hand; ``None``, and it was said why, if it cannot be run."""
        w = self.workspace
        if not w.runs.ready():
            return None
        now = w.runs.experiment()
        return now.with_(path=now.path if now.path is not None else w.session.path)

    def offer_others(self) -> None:
        """Name the promises that the latest run broke, and offer to ask other seeds."""
        w = self.workspace
        run = w.runs.run
        checks = () if run is None else run.result.get("checks") or ()
        broken = [f"'{check.get('name')}'" for check in checks if check.get("holds") is False]
        if broken:
            verb = "does" if len(broken) == 1 else "do"
            words = f"In the latest run {joined(broken)} {verb} not hold."
            w.failed_bar.say(words, ("Did other runs break too?", self.others), problem=True)

    # ------------------------------------------------------------------ every schedule

    def explore(self) -> None:
        """Bring the tab Every schedule to the front, with the networks that suit the text."""
        w, panel = self.workspace, self._panel()
        w.pages.setCurrentIndex(0)
        if w.tabs.indexOf(panel) < 0:
            at = w.tabs.addTab(panel, "Every schedule")
            w.tabs.tabBar().setTabButton(at, QTabBar.ButtonPosition.RightSide, self._cross())
        self._offer_networks()
        w.tabs.setCurrentWidget(panel)
        panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _cross(self) -> QToolButton:
        cross = QToolButton()
        cross.setIcon(icon("close", self.workspace.theme, "text.secondary"))
        cross.setAccessibleName("Close Every schedule")
        cross.setToolTip("Close it; a search under way ends")
        cross.setFixedSize(22, 22)
        cross.clicked.connect(lambda _on=False: self.leave())
        return cross

    def leave(self) -> None:
        """Close the tab Every schedule; a search under way ends, and the questions stay as they are."""
        w, panel = self.workspace, self.panel
        if panel is None:
            return
        panel.forget()
        at = w.tabs.indexOf(panel)
        if at >= 0:
            w.tabs.removeTab(at)

    def _panel(self) -> ExplorerPanel:
        if self.panel is None:
            from lydian.app.protocol.explorerpanel import ExplorerPanel

            w = self.workspace
            self.panel = ExplorerPanel(w.theme)
            self.panel.plan = self._plan
            self.panel.open_wanted.connect(w.experiment_wanted)
            self.panel.keep_wanted.connect(self._keep)
            self.panel.form.changed.connect(self._suggest)
            w.session.experiment_changed.connect(self._offer_networks)
        return self.panel

    @property
    def _needs(self) -> list[str]:
        return [each.name for each in self.workspace.document.outline.needs]

    def _own(self) -> tuple[str, Network | None]:
        """The network of the experiment at hand: how it is called, and itself if it can be used."""
        w = self.workspace
        now = w.session.experiment
        if now is None:
            return "", None
        name = now.network if isinstance(now.network, str) else now.network.name or "as drawn"
        return name, w.shelf.known_network(now.network, now.path or w.session.path)

    def _offer_networks(self) -> None:
        panel = self.panel
        if panel is None:
            return
        own, network = self._own()
        names = offered(self._needs)
        if not own:
            own = names[0]
        panel.form.show_networks(own, network is not None and network.n <= SMALL, names)
        panel.keepable = not self.workspace.document.read_only

    def _suggest(self) -> None:
        """As many crashes and losses as the experiment plans on its own network; none on another one."""
        now, panel = self.workspace.session.experiment, self.panel
        if panel is None or now is None:
            return
        crashes, losses = planned(now) if panel.form.chosen == panel.form.own and self.workspace.runs.is_run else (0, 0)
        suggested = panel.form.chosen, crashes, losses
        if suggested != self._suggested:  # what is asked of the same network stays as it is
            self._suggested = suggested
            panel.form.crashes.setValue(crashes)
            panel.form.losses.setValue(losses)

    def _plan(self, spec: str) -> tuple[Experiment, str] | None:
        """The experiment on a network, and what is to be said of it."""
        w, panel = self.workspace, self._panel()
        if not spec:
            panel.say("Name a network, for example line:3.")
            return None
        now = self._experiment()
        if now is None:
            return None
        own, network = self._own()
        panel.keepable = not w.document.read_only
        try:
            if spec != own or network is None:
                network = w.shelf.network(spec, now.path)
                now = on_network(now, spec, network, self._needs)
        except (LydianError, OSError) as error:
            panel.say(str(error))
            return None
        return commanded(now, network, [each for each in w.document.outline.commands if each.kind == "command"])

    def _keep(self, experiment: Experiment, name: str, steps: int) -> None:
        w = self.workspace
        path = w.document.path
        if path is None or w.document.read_only:
            return
        network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
        try:
            about = f"A schedule of {plural(steps, 'step')} in which it once went wrong."
            test = kept(experiment, path, f"{name}, on {network}", about)
            written = add_test(path, test)
        except (LydianError, OSError) as error:
            w.say(str(error), True)
            return
        w.kept.load(path)
        w.right.setCurrentWidget(w.kept)
        w.say(f"Kept: {written.name}. This schedule must go well some day; lydian check {path.name} runs it.")

    # ------------------------------------------------------------------ looks, the end

    def _opened(self) -> None:
        """Another text is on the desk: nothing is known of its schedules."""
        self.strip.leave()
        self.leave()

    def close_all(self) -> None:
        """Leave no simulator and no search."""
        self.strip.close_all()
        if self.panel is not None:
            self.panel.close_all()
