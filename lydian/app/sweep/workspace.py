"""The workspace Sweep: the form on the left, progress and results on the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QSplitter, QTabWidget, QWidget

from lydian.app.kit.bar import OfferBar
from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.help.help import HelpColumn
from lydian.app.sweep.document import SweepDocument
from lydian.app.sweep.files import SweepFiles
from lydian.app.sweep.form.check import Shape, shape_of
from lydian.app.sweep.form.choices import Choice, choices
from lydian.app.sweep.form.estimating import Estimating, roughly
from lydian.app.sweep.form.form import Form
from lydian.app.sweep.form.formpanel import AT_HAND, FormPanel
from lydian.app.sweep.installing import Installing
from lydian.app.sweep.results.earlier import Earlier
from lydian.app.sweep.results.progresspanel import ProgressPanel
from lydian.app.sweep.results.results import ResultsPanel
from lydian.app.sweep.running import Failed, SweepRun
from lydian.app.work.background import Background, Report
from lydian.batch.spark import install
from lydian.desk.archivelist import ArchiveList
from lydian.desk.declared import declared
from lydian.desk.guide.pages import Place
from lydian.desk.runs.records import names_of
from lydian.desk.runs.session import Session
from lydian.desk.settings import Settings
from lydian.desk.trust import Trust
from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput, LydianError
from lydian.views.words.words import joined, size

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["SweepWorkspace", "base_folder", "set_base"]

FILE = tr("A file…")


def base_folder(w: SweepWorkspace) -> Path:
    """Return the default folder of results: beside the sweep's file, or in a folder of the user's."""
    path = w.document.path
    if path is not None and not w.shelf.archive.installed(path):
        return path.parent
    user = w.shelf.archive.user
    return (user if user is not None else Path(w.settings.folder)).absolute() / "results"


def _offers(w: SweepWorkspace) -> list[Choice]:
    """Return the parts of the experiment that can be varied."""
    try:
        experiment = w.files.experiment()
    except (LydianError, OSError):
        return []
    known = declared(w.shelf.source(experiment.protocol, experiment.path))
    network = w.shelf.known_network(experiment.network, experiment.path)
    return choices(experiment, known, network, w.shelf.archive.names("networks"))


def _bases(w: SweepWorkspace) -> list[tuple[str, str]]:
    """Return the experiments that can be varied, each with a remark."""
    at_hand = w.session.experiment
    named = [] if at_hand is None else [(AT_HAND, at_hand.name)]
    return [*named, *((name, "") for name in w.shelf.archive.names("experiments")), (FILE, tr("an experiment"))]


def set_base(w: SweepWorkspace, ref: str) -> None:
    """Vary another experiment, given by its name or path; empty for the current one."""
    if ref == FILE:
        name, _kind = QFileDialog.getOpenFileName(
            w, tr("The experiment to vary"), w.settings.folder, tr("Experiments (*.toml);;All files (*)")
        )
        if not name:
            return
        ref = name
    try:
        if ref:
            w.shelf.archive.experiment(Path(ref).absolute() if ref.endswith(".toml") else ref)
    except (LydianError, OSError) as error:
        w.say(str(error), True)
        return
    base = str(Path(ref).absolute()) if ref.endswith(".toml") else ref
    w.document.change(tr("base experiment"), base=base or None)


#: The number of failed runs that are listed.
MOST_FAILED = 200


@dataclass(frozen=True)
class Found:
    """The contents of a folder of results; the arguments of :meth:`~lydian.app.sweep.running.SweepRun.show`."""

    name: str
    folder: Path
    shape: Shape
    total: int
    groups: NDArray[np.int32]
    failures: list[Failed]
    more: int
    violated: int


def look(path: Path, report: Report) -> Found:
    """Read a folder of results.

    Raises:
        BadInput: there is no such folder, or it cannot be used.
    """
    from lydian.batch.folder import read_folder

    folder = read_folder(path)
    report(0.1)
    table = folder.table(["run", "group", "seed", "failure", "error", "violated"])
    report(0.8)
    groups = np.bincount(np.asarray(table.column("group"), np.int64), minlength=folder.sweep.groups).astype(np.int32)
    bad = table.filter(table.column("failure").is_valid())
    rows = bad.slice(0, MOST_FAILED).to_pylist()
    failures = [Failed(row["run"], row["group"], row["failure"], row["error"] or "", row["seed"]) for row in rows]
    violated = sum(1 for each in table.column("violated").to_pylist() if each)
    return Found(
        folder.sweep.name, path.absolute(), shape_of(folder.sweep), folder.sweep.count, groups, failures,
        bad.num_rows - len(failures), violated,
    )  # fmt: skip


def missing(_report: Report) -> tuple[str, bool]:
    """Return a sentence on what must be installed for Spark, empty if nothing; and whether only Java is missing."""
    from lydian.batch.spark.java import find_java

    if install.missing():
        return tr(
            "Sweeps run on Apache Spark, which is not installed. LYDIAN can install it with its Java now; this takes a"
            " minute and about {megabytes} MB.",
            megabytes=install.MEGABYTES,
        ), False
    try:
        find_java()
    except BadInput as error:
        return error.remark, True
    return "", False


def free_folder(base: Path, name: str) -> Path:
    """Return a folder for results that does not exist yet."""
    stem = "".join(mark if mark.isalnum() or mark in "-_." else "-" for mark in name).strip(".-")[:60] or "sweep"
    names = (stem, *(f"{stem}-{number}" for number in range(2, 10_000)))
    return next((base / each for each in names if not (base / each).exists()), base / stem)


#: The initial widths of form and results; the heights of progress and results.
COLUMNS, ROWS = (350, 970), (150, 560)


def put_together(w: SweepWorkspace) -> None:
    """Lay out the parts."""
    w.tabs = set_up(QTabWidget(), look="sweepTabs", name=tr("Current and earlier sweeps"))
    w.tabs.setDocumentMode(True)
    w.tabs.tabBar().setDrawBase(False)
    w.tabs.addTab(w.form, tr("Sweep"))
    w.tabs.addTab(w.earlier, tr("Earlier sweeps"))
    w.rows = QSplitter(Qt.Orientation.Vertical)
    w.splitter = QSplitter(Qt.Orientation.Horizontal)
    right = QWidget()
    w.rows.addWidget(_framed(w.progress))
    w.rows.addWidget(w.results)
    down(w.bar, (w.rows, 1), on=right, spacing=5)
    w.splitter.addWidget(_framed(w.tabs))
    w.splitter.addWidget(right)
    for each in (w.rows, w.splitter):
        each.setChildrenCollapsible(False)
        each.setHandleWidth(5)
        each.setStretchFactor(1, 1)
    w.splitter.setSizes(list(COLUMNS))
    w.rows.setSizes(list(ROWS))
    w.help = None
    down(w.splitter, on=w)


def connect(w: SweepWorkspace) -> None:
    """Connect the parts with each other."""
    document, form, run = w.document, w.form, w.run
    form.choices, form.bases = partial(_offers, w), partial(_bases, w)
    form.start_wanted.connect(w.start)
    form.base_wanted.connect(partial(set_base, w))
    form.said.connect(w.say)
    form.where.changed.connect(w.follow)
    document.changed.connect(w.follow)
    document.failed.connect(lambda sentence: w.say(sentence, True))
    w.files.said.connect(w.say)
    w.files.opened.connect(lambda: w.tabs.setCurrentIndex(0))
    w.estimating.changed.connect(w.tell_costs)
    w.estimating.refused.connect(w.refused)
    w.progress.run_wanted.connect(lambda number: w.open_run(w.run.folder, number))
    w.progress.resume_wanted.connect(w.resume)
    w.progress.wants_room.connect(w.give_room)
    w.progress.folded.connect(w.give_room, Qt.ConnectionType.QueuedConnection)  # after the layout of its contents
    run.written.connect(w.written)
    run.changed.connect(w.run_changed)
    run.ended.connect(w.run_ended)
    w.results.run_wanted.connect(w.open_run)
    w.results.said.connect(w.say)
    w.results.filled.connect(w.results_filled)
    w.earlier.wanted.connect(w.open_folder)
    w.earlier.search_wanted.connect(w.choose_folder)
    w.looking.done.connect(w.looked)
    w.looking.failed.connect(lambda sentence: w.say(sentence, True))
    w.asking.done.connect(w.asked)
    w.installing.told.connect(w.install_step)
    w.installing.failed.connect(w.install_failed)
    w.installing.done.connect(w.ask)


def _framed(widget: QWidget) -> QFrame:
    frame = QFrame()
    frame.setObjectName("sweepFrame")
    down(widget, on=frame, margins=1)
    return frame


#: Milliseconds between two readings of new results.
OFTEN = 1500
#: Below this height a finished sweep makes room for its plots.
LOW = 760
#: The least width in pixels at which a page of the guide is readable.
READABLE = 420


class SweepWorkspace(QWidget):
    """The workspace for many runs.

    Attributes:
        document, files: the current sweep, and its file.
        form, earlier: the form, and the earlier sweeps.
        run: the sweep that is running, or ran last.
        progress, results: its progress and its results.
        estimating: the estimate of its cost.
    """

    tabs: QTabWidget
    rows: QSplitter
    splitter: QSplitter
    help: HelpColumn | None

    #: Emitted with a sentence, whether it is a problem, the text of a button, and its action (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Emitted with a folder and the ``number`` of a run to repeat and watch.
    watch_wanted = Signal(object, int)
    #: Emitted at the end of a sweep with ``done``, ``cancelled`` or ``failed``.
    ended = Signal(str)

    def __init__(
        self, session: Session, shelf: ArchiveList, settings: Settings, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sweep")
        self.setAcceptDrops(True)
        self.session, self.shelf, self.settings, self.theme = session, shelf, settings, theme
        self.strange: list[str] = []  # files of code that the user has not accepted
        self.document = SweepDocument(settings.kept, self)
        self.files = SweepFiles(self.document, session, shelf, settings, self)
        self.run = SweepRun(self)
        self.estimating = Estimating(self)
        self.looking, self.asking = Background(self), Background(self)
        self.installing = Installing(self)
        self.lack, self._only_java = "", False
        self.document.recall()
        self.form = FormPanel(self.document, settings, theme)
        self.form.setMinimumWidth(theme.stretched(280))
        self.earlier = Earlier(settings)
        self.progress = ProgressPanel(self.run, theme)
        self.results = ResultsPanel(theme)
        self.bar = OfferBar(tr("Missing requirements"), theme)
        self._shown: Path | None = None  # the folder in the results
        self._go_on = False  # once the folder is read
        self._fresh = QTimer(self)
        self._fresh.setSingleShot(True)
        self._fresh.setInterval(OFTEN)
        self._fresh.timeout.connect(self.results.refresh)
        put_together(self)
        connect(self)
        set_look(self.form, theme, min_width=stretched(280))
        self.ask()

    # ------------------------------------------------------------------ the current sweep

    def sync(self) -> None:
        """Adapt to a possibly different current experiment."""
        self.form.where.check()
        self.follow()

    def follow(self) -> None:
        """Show what the form varies, and estimate the cost if the form is correct."""
        form, document = self.form, self.document
        try:
            experiment = self.files.experiment()
        except (LydianError, OSError) as error:
            form.trouble = {"experiment": f"{str(error)[:1].upper()}{str(error)[1:]}"}
            form.base.say(
                trc("experiment", "None") if document.form.base is None else tr("Not readable"),
                tr("click to choose one"),
            )
            form.show_problems()
            self.estimating.want(None)
            self.tell_costs()
            return
        form.trouble.pop("experiment", None)
        protocol, network = names_of(experiment)
        words = AT_HAND if document.form.base is None else experiment.name
        form.base.say(words, tr("{protocol} on {network}", protocol=protocol, network=network or tr("a drawing")))
        document.default_name = f"{experiment.name or 'experiment'}-sweep"
        form.name.setPlaceholderText(document.default_name)
        form.where.offer(free_folder(base_folder(self), document.name))
        self.strange = []
        if form.checked.good and not self.run.busy and self.isVisible():
            try:
                request = self.files.request()
            except LydianError as error:
                self.refused(str(error), "")
                return
            self.strange = self._strange(experiment, request["sweep"])
            asked = {**request, "master": form.where.master, "traces": document.form.traces}
            self.estimating.want(None if self.strange else asked)
        else:
            self.estimating.want(None)
        form.show_problems()
        self.progress.preview(form.checked)
        self.tell_costs()

    def _strange(self, experiment: Experiment, sweep: Mapping[str, Any]) -> list[str]:
        """Return the files of code that the user has not accepted and the sweep would run; they prevent trials."""
        trust = Trust(self.settings, self.shelf.archive)
        varied = [each for axis in sweep.get("vary", ()) if axis.get("field") == "protocol" for each in axis["values"]]
        named = [experiment, *(experiment.with_(protocol=each) for each in varied if isinstance(each, str))]
        return list(dict.fromkeys(path.name for each in named for path in trust.strange(each)))

    def begin(self, title: str = "") -> None:
        """Vary the current experiment, optionally a given field of it; undo restores the previous form."""
        if self.document.form.base is not None:
            self.document.change(tr("sweep of the current experiment"), Form())
        self.tabs.setCurrentIndex(0)
        if title:
            self.form.take(title)
        elif not self.document.form.rows:
            self.form.vary.setFocus(Qt.FocusReason.OtherFocusReason)

    def give_room(self, more: int) -> None:
        high = sum(self.rows.sizes())
        usual = self.progress.minimumSizeHint().height() if self.progress.compact else self.theme.grown(ROWS[0])
        upper = min(usual + more, high // 2)
        self.rows.setSizes([upper, high - upper])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.progress.set_low(event.size().height() < self.theme.grown(LOW))

    # ------------------------------------------------------------------ estimate

    def tell_costs(self) -> None:
        form, found = self.form, self.estimating
        form.trying.setVisible(found.share is not None)
        form.trying.setValue(round(100 * (found.share or 0.0)))
        plan = found.plan
        words = ""
        if plan is not None:
            wall, cores = plan["wall"], plan["cores"]
            on = trn(" on {count:,} core", " on {count:,} cores", int(cores)) if cores else tr(" on one core")
            time = roughly(float(plan["seconds"] if wall is None else wall))
            words = tr(
                "About {time}{cores}, plus the time to start Spark; {size} of disk space.",
                time=time,
                cores=on,
                size=size(float(plan["bytes"])),
            )
            failed = plan.get("failed") or []
            if failed:
                words += trn(
                    " {count:,} trial run of {tried} failed: {error}",
                    " {count:,} trial runs of {tried} failed: {error}",
                    len(failed),
                    tried=plan["tried"],
                    error=failed[0]["error"],
                )
        elif self.strange:
            words = tr(
                "The sweep runs code from {files}, so it is not tried before you press Start.",
                files=joined(self.strange),
            )
        elif found.busy:
            words = tr("Trying a few runs to estimate the time…")
        form.costs.setText(words)
        form.costs.setVisible(bool(words))
        form.start.setEnabled(self.can_start)
        form.start.setToolTip(self.hindrance or tr("Execute all runs (F5)"))

    def refused(self, what: str, place: str) -> None:
        """Show that the values do not fit the experiment."""
        from lydian.app.sweep.form.check import place_of

        sentence = f"{what[:1].upper()}{what[1:]}{'' if what.endswith('.') else '.'}"
        self.form.trouble = {place_of(place or None, self.document.form): sentence}
        self.form.show_problems()
        self.tell_costs()

    @property
    def hindrance(self) -> str:
        """The reason why the sweep cannot start, in a sentence; empty if it can."""
        if self.run.busy:
            return tr("A sweep is already running.")
        if self.form.trouble or not self.form.checked.good:
            return next(iter({**self.form.trouble, **self.form.checked.problems}.values()))
        if self.form.where.problem:
            return self.form.where.problem
        return "" if self._only_java and self.form.where.master.startswith("sc://") else self.lack

    @property
    def can_start(self) -> bool:
        return not self.hindrance

    def ask(self) -> None:
        """Check in the background whether Spark is available."""
        self.asking.start(missing)

    def asked(self, answer: tuple[str, bool]) -> None:
        self.lack, self._only_java = answer
        if self.lack:
            again = (tr("Try again"), self.ask)
            self.bar.say(self.lack, (tr("Install Spark"), self.install), again, problem=True, closes=False)
        else:
            self.bar.hide()
        self.tell_costs()

    def install(self) -> None:
        """Install Spark in the background; the bar shows the present step and can stop it."""
        self.install_step(tr("beginning…"))
        self.installing.start()

    def install_step(self, words: str) -> None:
        self.bar.say(tr("Installing Spark: {step}", step=words), (tr("Stop"), self.stop_install), closes=False)

    def stop_install(self) -> None:
        self.installing.cancel()
        self.ask()

    def install_failed(self, sentence: str) -> None:
        offers = (tr("Install Spark"), self.install), (tr("Try again"), self.ask)
        self.bar.say(sentence, *offers, problem=True, closes=False)

    # ------------------------------------------------------------------ running

    def start(self) -> bool:
        """Execute all runs; return False, with a notice, if that is impossible."""
        if self.hindrance:
            self.say(self.hindrance, True)
            return False
        form, document = self.form, self.document
        plan = self.estimating.plan
        self.estimating.cancel()
        try:
            request = self.files.request()
        except LydianError as error:
            self.refused(str(error), "")
            return False
        folder, found = form.where.target, form.checked
        self._shown = None
        self.run.start(
            request["sweep"], None, folder, found.shape, found.runs, found.groups,
            master=form.where.master, traces=document.form.traces, plan=plan,
        )  # fmt: skip
        self.earlier.remember(document.name, folder, 0, found.runs)
        self.settings.sync()
        return True

    def resume(self) -> None:
        """Execute the remaining runs."""
        if not self.run.busy and self.run.folder is not None:
            self.estimating.cancel()
            self.run.master = self.form.where.master
            self.run.resume()

    def stop(self) -> None:
        """Stop the sweep, and keep finished runs."""
        self.run.stop()

    def run_changed(self) -> None:
        self.tell_costs()

    def written(self) -> None:
        folder = self.run.folder
        if folder is not None and self._shown != folder:
            self._shown = folder
            self.results.open_folder(folder)
        elif not self._fresh.isActive():
            self._fresh.start()

    def run_ended(self, state: str) -> None:
        run = self.run
        if run.folder is not None and (run.folder / "sweep.json").is_file():
            self.earlier.remember(run.name, run.folder, run.done, run.total)
            self.settings.sync()
            if run.done:
                self.written()
        self.form.where.folder.clear()
        self.form.where.check()
        self.follow()
        self.ended.emit(state)

    # ------------------------------------------------------------------ results

    def choose_folder(self) -> None:
        """Ask for a folder of results, and open it."""
        name = QFileDialog.getExistingDirectory(self, tr("Open a folder of results"), self.settings.folder)
        if name:
            self.settings.folder = str(Path(name).parent)
            self.open_folder(Path(name))

    @property
    def title(self) -> str:
        """The title: the sweep in the form, and the one whose results are shown if that is another."""
        form, results = self.document.name, self.run.name
        return form if results in ("", form) else tr("{form}, results of {results}", form=form, results=results)

    def open_folder(self, path: Path, *, go_on: bool = False) -> bool:
        """Show a folder of results, read in the background; with ``go_on``, then execute its remaining runs."""
        if self.run.busy:
            self.say(tr("A sweep is running; stop it before you open another one."), True)
            return False
        self._go_on = go_on
        self.looking.start(partial(look, path))
        return True

    def looked(self, found: Found) -> None:
        if self.run.busy:
            return
        self.run.show(**vars(found))
        self._shown = found.folder
        if self.results.folder != found.folder:
            self.results.open_folder(found.folder)
        self.earlier.remember(found.name, found.folder, self.run.done, found.total)
        if self._go_on and self.can_start:
            self.resume()
        self._go_on = False

    def results_filled(self) -> None:
        """Adapt to a folder that was opened in the results panel."""
        folder = self.results.folder
        if folder is not None and not self.run.busy and folder.absolute() != self.run.folder:
            self.open_folder(folder.absolute())

    def open_run(self, folder: Path | None, number: int) -> bool:
        """Repeat one of the runs, and watch it."""
        if folder is None:
            return False
        self.watch_wanted.emit(folder, number)
        return True

    def show_help(self, place: Place, follow: Callable[[str, str], object]) -> None:
        """Show a page of the guide on the right; ``follow`` handles its links."""
        if self.help is None:
            self.help = HelpColumn(self.theme)
            self.help.panel.page.asked.connect(follow)
            self.splitter.addWidget(self.help)
            self.help.hide()
        if self.help.isHidden():
            left, centre, *_rest = self.splitter.sizes()
            self.help.show()
            wide = min(READABLE, (left + centre) // 3)
            self.splitter.setSizes([left, centre - wide, wide])
        self.help.panel.open(place)

    # ------------------------------------------------------------------ look, dropped files, end

    @property
    def panes(self) -> list[QWidget]:
        """The parts that F6 goes through."""
        shown = [] if self.help is None or self.help.isHidden() else [self.help]
        return [self.tabs, self.progress, self.results, *shown]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.estimating.busy:
            self.estimating.want(None)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(_is_ours(Path(url.toLocalFile())) for url in event.mimeData().urls() if url.isLocalFile()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for path in (Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()):
            if _is_ours(path):
                event.acceptProposedAction()
                self.open_folder(path) if path.is_dir() else self.files.open(path)
                break

    def say(self, sentence: str, problem: bool = False) -> None:
        """Show a sentence."""
        self.said.emit(sentence, problem, "", None)

    def close_all(self) -> None:
        """Stop the sweep, keep results and edits, and end all processes, threads and timers."""
        self._fresh.stop()
        busy = self.run.busy
        self.installing.close()
        self.estimating.close()
        self.run.close()
        if busy and self.run.folder is not None:
            self.earlier.remember(self.run.name, self.run.folder, self.run.done, self.run.total)
        for each in (self.looking, self.asking):
            each.close()
        self.document.close()
        close = getattr(self.results, "close_all", None)
        if close is not None:
            close()


def _is_ours(path: Path) -> bool:
    return (path / "sweep.json").is_file() or path.suffix.lower() == ".toml"
