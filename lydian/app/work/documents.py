"""Opening and saving experiments, networks, traces, protocols and pictures. A bad file is reported; nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.work.background import Background, Report
from lydian.desk.declared import kept
from lydian.desk.desk import Desk
from lydian.desk.kept.memory import Last
from lydian.formats.networks import FORMATS, BadLines, Reading, read, title_of
from lydian.language import tr, trc, trn
from lydian.model.archive.handin import SUFFIX as HAND_IN
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.experiment import NO_USERS, Experiment, save
from lydian.model.experiment.experiment import read as read_experiment
from lydian.views.words.words import plural

__all__ = ["DEFAULT", "Documents", "files_in"]

#: The experiment that opens first.
DEFAULT = "two-wings"
_ENDINGS = tuple(dict.fromkeys(end for each in FORMATS.values() if each.reads is not None for end in each.suffixes))
_NETWORKS = ";;".join(
    f"{title_of(each)} ({' '.join(f'*{end}' for end in each.suffixes)})"
    for each in FORMATS.values()
    if each.reads is not None
)
#: The file filters of the file chooser: all at once, then each kind.
ALL = ";;".join(
    (
        tr(
            "All LYDIAN files ({patterns})",
            patterns=f"*.toml *.json *.parquet *{HAND_IN} *.py *.md *.log {' '.join(f'*{end}' for end in _ENDINGS)}",
        ),
        tr("Experiments (*.toml)"),
        tr("Networks (*.json)"),
        tr("Traces (*.parquet)"),
        tr("Protocols (*.py)"),
        tr("Lessons (*.md)"),
        tr("Hand-ins ({pattern})", pattern=f"*{HAND_IN}"),
        _NETWORKS,
        tr("Logs (*.log *.txt)"),
        tr("All files (*)"),
    )
)
#: File extensions that only networks have.
_SURE = tuple(end for end in _ENDINGS if end not in (".txt", ".json", ".csv", ".tsv", ".xml"))
#: The size in bytes up to which the file of a network is read without a thread.
SMALL = 100_000
#: The file filter of each kind of picture, its extension, and pixels per unit of the screen (an inch has 96).
PICTURES: dict[str, tuple[str, float]] = {
    tr("Pictures (*.png)"): (".png", 2.0),
    tr("Pictures at screen size (*.png)"): (".png", 1.0),
    tr("Pictures for print, 300 dots per inch (*.png)"): (".png", 300 / 96),
    tr("Vector pictures (*.svg)"): (".svg", 1.0),
    tr("Pages for printing (*.pdf)"): (".pdf", 1.0),
}


class Documents(QObject):
    """The commands that read and write files. Only the native file chooser waits for an answer."""

    #: A sentence about a file, and whether it is a problem.
    said = Signal(str, bool)
    #: A log is to be opened after a preview.
    log_found = Signal(object)
    #: A sweep, or the folder of its results, is to be opened.
    sweep_found = Signal(object)
    #: The folder of an assignment is to be opened.
    assignment_found = Signal(object)
    #: The record of a run in components was opened.
    record_found = Signal(object)
    #: A lesson was opened: its file.
    lesson_found = Signal(object)
    #: A file was opened or saved.
    used = Signal(object)
    #: The text and the share done of the reading under way; no text means that it is over.
    progress = Signal(str, float)

    def __init__(self, desk: Desk, window: QWidget) -> None:
        super().__init__(window)
        self.desk, self.session, self.shelf, self.settings = desk, desk.session, desk.shelf, desk.settings
        self.window = window
        self._reading = Path()
        self.background = Background(self)
        self.background.progress.connect(
            lambda share: self.progress.emit(tr("Reading {file}", file=self._reading.name), share)
        )
        self.background.done.connect(self._read)
        self.background.failed.connect(lambda sentence: self.said.emit(sentence, True))
        self.background.ended.connect(lambda: self.progress.emit("", 1.0))
        self.said.connect(desk.notices.say)
        desk.notices.cancelled.connect(self.cancel)
        self.session.reading.failed.connect(self._unread)
        self.session.reading.cancelled.connect(self._show_anything)

    def cancel(self) -> None:
        """Stop reading a large network, if one is being read."""
        self.background.cancel()

    def close(self) -> None:
        """End the thread."""
        self.background.close()

    # ------------------------------------------------------------------ the first contents, dropped files

    def open_last(self, last: Last) -> bool:
        """Restore the last session, paused; return False if its trace cannot be read."""
        self.desk.go_on(last)
        if last.experiment is not None or (last.file is not None and self.open(last.file)):
            return True
        self.desk.screen.resume = None
        return False

    def open_example(self) -> None:
        """Show the experiment that opens first."""
        self.desk.screen.resume = None
        example = self.shelf.archive.experiment(DEFAULT)
        self.session.start(example, example.path)

    def _unread(self, sentence: str) -> None:
        self._show_anything()
        self.said.emit(sentence, True)

    def _show_anything(self) -> None:
        """Show the example if the trace that was to be shown first cannot be read."""
        if self.session.shown is None and self.session.experiment is None:
            self.open_example()

    def drop(self, event: QDropEvent) -> None:
        """Open the first of the dropped files."""
        file = next(files_in(event.mimeData()), None)
        if file is not None:
            event.acceptProposedAction()
            self.open(file)

    # ------------------------------------------------------------------ opening

    def choose(self) -> None:
        """Ask for a file and open it."""
        name, _kind = QFileDialog.getOpenFileName(self.window, trc("command", "Open"), self.settings.folder, ALL)
        if name:
            self.settings.folder = str(Path(name).parent)
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a file of any kind; if it cannot be used, report why and keep everything as it is."""
        try:
            self._open(path)
        except BadLines as bad:
            self._refuse(bad, path)
            return False
        except (LydianError, OSError) as error:
            self.said.emit(_sentence(error, path), True)
            return False
        self.used.emit(path)
        return True

    def _open(self, path: Path) -> None:
        from lydian.assignment.assignment import is_assignment
        from lydian.batch.folder import is_batch
        from lydian.batch.sweep.file import is_sweep
        from lydian.classroom.components.record import is_record
        from lydian.formats.filekind import kind_of

        if is_assignment(path):
            self.assignment_found.emit(path)
            return
        if is_batch(path) or is_sweep(path):
            self.sweep_found.emit(path)
            return
        if path.is_file() and is_record(path):
            self.record_found.emit(path)
            return
        if path.suffix.lower() == ".md" and path.is_file():
            self.lesson_found.emit(path)
            return
        try:
            large = path.is_file() and path.stat().st_size > SMALL and path.suffix.lower() in _SURE
            kind = "network" if large else kind_of(path)
        except BadInput:
            from lydian.formats.logs.preview import looks_like_log

            if not looks_like_log(path):
                raise
            self.log_found.emit(path)
            return
        if kind == "trace":
            self.session.open_trace(path)
        elif kind == "hand-in":
            self.session.open_hand_in(path)
        elif kind == "experiment":
            self.session.start(read_experiment(path), path)
        elif kind == "network":
            self._open_network(path)
        else:
            self._open_protocol(str(path.absolute()))

    def _open_network(self, path: Path, *, skip: bool = False) -> None:
        """Run the current experiment on another network, or a new one; a large file is read in a thread."""
        if path.stat().st_size > SMALL:
            self._reading = path
            self.progress.emit(tr("Reading {file}", file=path.name), 0.0)
            self.background.start(partial(_large, path.absolute(), skip))
        else:
            self._put_network(path.absolute(), read(path.absolute(), _kind(path), skip=skip))

    def _read(self, answer: tuple[Path, Reading | BadLines]) -> None:
        """Use a large network that has been read."""
        path, found = answer
        if isinstance(found, BadLines):
            self._refuse(found, path)
            return
        try:
            self._put_network(path, found)
        except LydianError as error:
            self.said.emit(str(error), True)

    def _refuse(self, bad: BadLines, path: Path) -> None:
        """Ask whether to ignore the unusable lines of a network."""

        def use() -> None:
            try:
                self._open_network(path, skip=True)
            except (LydianError, OSError) as error:
                self.said.emit(_sentence(error, path), True)

        others = _others(path, len(bad.problems))
        if others:
            button = trn("Use the other line", "Use the other {count:,} lines", others)
            self.desk.notices.show(f"{bad}.", button=button, act=use)
        else:
            self.said.emit(f"{bad}.", True)

    def _put_network(self, path: Path, found: Reading) -> None:
        """Set the network of the current experiment, and put into its file what the network does not contain."""
        network, here = found.network, str(path)
        if network.n == 0:
            raise BadInput(tr("this network has no processes; it must have at least one"), file=here)
        now = self.session.experiment
        if now is None:
            now = self.shelf.archive.experiment(DEFAULT).with_(name=path.stem, about="", path=None)
        timing = replace(now.timing, links={}, classes={}, steps={}, initiators=None)
        if not network.initiators:
            timing = replace(timing, initiators=network.processes[:1])
        self.shelf.keep(here, network, now.path)
        suffix = path.suffix.lower()
        known = suffix == ".json" if _kind(path) == "json" else suffix in _ENDINGS
        given = here if known and not found.problems else network  # or else it is stored in the experiment
        none: dict[str, object] = dict.fromkeys(("faults", "interventions", "branches"), ())
        self._put(now, tr("network {network}", network=network.name or here), network=given, timing=timing, **none)
        size = f"{plural(network.n, 'process', 'processes')}, {plural(network.m, 'link')}"
        notes = [*found.notes]
        if found.problems:
            notes.append(trn("{count:,} line left out", "{count:,} lines left out", len(found.problems)))
        if notes or path.suffix.lower() != ".json":
            words = "".join(f" {note[:1].upper()}{note[1:]}." for note in notes)
            self.said.emit(tr("Network {file}: {size}.", file=path.name, size=size) + words, False)

    def _open_protocol(self, here: str) -> None:
        """Set the protocol of the current experiment."""
        now = self.session.experiment
        if now is None:
            now = self.shelf.archive.experiment(DEFAULT).with_(name=Path(here).stem, about="", path=None)
        parameters = kept(now.parameters, self.shelf.source(here))
        self._put(
            now,
            tr("protocol {protocol}", protocol=Path(here).stem),
            protocol=here,
            parameters=parameters,
            animation=None,
            **NO_USERS,
        )

    def _put(self, now: Experiment, text: str, **parts: object) -> None:
        if self.session.experiment is None:
            self.session.start(now.with_(**parts))
        else:
            self.session.change(text, anew=True, **parts)

    # ------------------------------------------------------------------ saving

    def save(self) -> bool:
        """Save the experiment in its file, or ask for one if it has none of the user's own."""
        path = self.session.path
        if path is None or self.shelf.archive.installed(path):
            return self.save_as()
        return self.save_to(path)

    def save_as(self) -> bool:
        """Ask for a file and save the experiment there."""
        now = self.session.experiment
        if now is None:
            return self._nothing()
        offered = str(Path(self.settings.folder) / f"{now.name or 'experiment'}.toml")
        name, _kind = QFileDialog.getSaveFileName(
            self.window, tr("Save the experiment"), offered, tr("Experiments (*.toml)")
        )
        return bool(name) and self.save_to(_with_ending(name, ".toml"))

    def save_to(self, path: Path) -> bool:
        """Save the experiment in a file, entirely or not at all; a new file gives it its name."""
        now = self.session.experiment
        if now is None:
            return self._nothing()
        if path != self.session.path:
            now = now.with_(name=path.stem)

        def write() -> None:
            self.session.saved(save(now, path), path)
            self.used.emit(path)

        return self.written(write, path)

    def save_trace(self) -> bool:
        """Ask for a file and save the current run."""
        path = self.place_for_run(tr("Save the trace"), tr("Traces (*.parquet)"), ".parquet")
        return path is not None and self.written(lambda: self.session.save_trace(path), path)

    def place_for_run(self, title: str, kinds: str, *endings: str) -> Path | None:
        """Ask for a file for something made of the current run; return ``None`` if there is none, or no run.

        Args:
            kinds: the file filters; a name without an extension gets that of the chosen kind.
            endings: the extensions that are kept as typed.
        """
        run = self.session.shown
        if run is None:
            self.said.emit(tr("There is no run to save yet."), True)
            return None
        stem = "run" if run.experiment is None else f"{run.experiment.name or 'run'}-{run.experiment.seed}"
        offered = str(Path(self.settings.folder) / f"{stem}{endings[0]}")
        name, kind = QFileDialog.getSaveFileName(self.window, title, offered, kinds)
        if not name:
            return None
        wanted = next((ending for ending in endings if f"*{ending})" in kind), endings[0])
        return _with_ending(name, wanted, *endings)

    def save_picture(self, title: str, write: Callable[[Path, float], object], view: bool = True) -> bool:
        """Ask for a file and a resolution in pixels per unit of the screen, and call ``write`` with them."""
        offered = str(Path(self.settings.folder) / f"{title.lower()}.png")
        last = str(self.settings.record("picture").get("kind", ""))
        kinds = sorted(PICTURES, key=lambda kind: kind != last)  # the kind that was chosen last comes first
        words = tr("Save a picture of {view}", view=title) if view else tr("Save {views}", views=title)
        name, kind = QFileDialog.getSaveFileName(self.window, words, offered, ";;".join(kinds))
        if not name:
            return False
        wanted, scale = PICTURES.get(kind, PICTURES[kinds[0]] if not kind else (_ending_in(kind), 2.0))
        if kind in PICTURES:
            self.settings.set_record("picture", {"kind": kind})
        path = _with_ending(name, wanted, ".png", ".svg", ".pdf")
        return self.written(lambda: write(path, scale), path)

    def written(self, write: Callable[[], object], path: Path) -> bool:
        """Call ``write`` to write a file, report the result, and return whether it succeeded."""
        try:
            write()
        except (LydianError, OSError) as error:
            self.said.emit(_sentence(error, path), True)
            return False
        self.settings.folder = str(path.parent)
        self.said.emit(tr("Saved as {file}.", file=path), False)
        return True

    def _nothing(self) -> bool:
        self.said.emit(tr("There is no experiment to save; only a trace is open."), True)
        return False


def files_in(data: QMimeData) -> Iterator[Path]:
    """Return the files that are being dragged."""
    return (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())


def _with_ending(name: str, ending: str, *others: str) -> Path:
    path = Path(name)
    return path if path.suffix.lower() in (ending, *others) else path.with_name(path.name + ending)


def _sentence(error: Exception, path: Path) -> str:
    if isinstance(error, OSError):
        return f"{path}: {error.strerror or error}"
    return str(error)


def _ending_in(kind: str) -> str:
    return next((ending for ending in (".svg", ".pdf") if ending in kind), ".png")


def _kind(path: Path) -> str | None:
    """Return the kind of a network's file with an unknown extension: JSON for JSON contents."""
    with path.open("rb") as file:
        return "json" if file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else None


def _others(path: Path, bad: int) -> int:
    """Return the number of non-empty lines of a file without the bad ones."""
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip() and not line.lstrip().startswith((b"#", b"%"))) - bad


def _large(path: Path, skip: bool, report: Report) -> tuple[Path, Reading | BadLines]:
    """Read a network; called in a thread."""
    try:
        return path, read(path, _kind(path), skip=skip, watch=report)
    except BadLines as bad:
        return path, bad
