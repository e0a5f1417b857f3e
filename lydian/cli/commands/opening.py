"""The commands ``lydian`` and ``lydian open FILE``: the application, or pictures if there is no display."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.chosen import of_batch
from lydian.cli.commands.render import qt_needed
from lydian.cli.parser import Commands, Parser, whole
from lydian.desk.links import is_link, read_link
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.protocol.folder import in_sentence, read_source

if TYPE_CHECKING:
    from lydian.desk.links import Link
    from lydian.model.experiment.experiment import Experiment
    from lydian.trace.events import Trace

__all__ = ["add", "example", "has_display", "speak"]

#: The share of the run at which the pictures are drawn: the wave has spread and the answers are in transit.
_TELLING = 0.4


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "open",
        parents=[common],
        help="open an experiment, network, trace, hand-in, protocol, lesson, sweep or assignment",
        description="Opens a file in the application; its kind is recognised from its content. Without a display the\n"
        "five views are drawn as pictures.",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="also a link, lydian://NAME; if omitted, the last work")
    parser.add_argument("--event", metavar="N", help="show the moment of this event of a trace")
    parser.add_argument("--in-window", action="store_true", help="report errors in the window, for desktops")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="folder for pictures if there is no display (./out)")
    parser.set_defaults(action=_open)


def example(args: Namespace) -> int:
    """Open the last work or, the first time, the example experiment; without a display, always the example."""
    speak()
    if has_display():
        qt_needed()
        from lydian.app.main import open_window

        return open_window()
    from lydian.model.archive.archive import EXAMPLE, archive

    return _show(archive().experiment(EXAMPLE), args.output)


def speak() -> None:
    """Translate the texts of the window, before any module with such a text is imported."""
    if not has_display():
        return
    qt_needed()
    from lydian.app.work.settings import wanted_language
    from lydian.language import install

    install(wanted_language())


def _open(args: Namespace) -> int:
    speak()
    from lydian.assignment.assignment import is_assignment
    from lydian.formats.filekind import kind_of
    from lydian.model.archive.archive import EXAMPLE, archive
    from lydian.model.experiment.experiment import Experiment, read

    if args.file is None:
        return example(args)
    event = None if args.event is None else whole(args.event, "--event", 0)
    if is_link(args.file):
        link = read_link(args.file)
        event = link.event if event is None else event
        if link.file is None:
            return _linked(link, event, args.output)
        args.file = str(link.file)
    if (strange := of_batch(args.file)) is not None:
        return _show(strange, args.output)
    path = Path(args.file)
    if args.in_window and has_display():
        qt_needed()
        from lydian.app.main import open_window

        return open_window(path, event=event)
    shelves = archive()
    if not path.exists() and (args.file in shelves.names("experiments") or shelves.is_protocol(args.file)):
        return _show(shelves.experiment(args.file), args.output)
    if path.suffix.lower() == ".md":
        return _lesson(path)
    if is_assignment(path):
        return _assignment(path)
    if _is_sweep(path):
        return _sweep(path)
    kind = kind_of(path)
    if kind == "trace":
        from lydian.trace.parquet.file import load

        return _show(load(path), args.output, path, event)
    if kind == "hand-in":
        from lydian.model.archive.handin import unpack
        from lydian.trace.parquet.file import load

        found = unpack(path)
        read(found.experiment)  # errors are reported before a window opens
        return _show(load(found.run), args.output, path, event)
    if kind == "experiment":
        return _show(read(path), args.output)
    here = str(path.absolute())
    if kind == "protocol":
        _well_written(path)
        return _show(Experiment(path.stem, protocol=here, network=EXAMPLE), args.output)
    return _show(_on_network(here), args.output)


def _linked(link: Link, event: int | None, folder: str | None) -> int:
    """Open the experiment from the archive that a link names."""
    from lydian.model.archive.archive import archive

    shelves = archive()
    known = shelves.names("experiments")
    if link.experiment not in known:
        hint = did_you_mean(link.experiment, known)
        raise BadInput(f"the archive contains no experiment {shown(link.experiment)}{hint}; lydian archive lists them")
    experiment = shelves.experiment(link.experiment)
    return _show(experiment if link.seed is None else experiment.with_(seed=link.seed), folder, event=event)


def _is_sweep(path: Path) -> bool:
    """Return whether this is the file of a sweep, or the folder of one that has run."""
    from lydian.batch.folder import is_batch
    from lydian.batch.sweep.file import is_sweep

    return is_batch(path) or is_sweep(path)


def _sweep(path: Path) -> int:
    """Open a sweep or its results, which are read before a window opens."""
    if path.is_dir():
        from lydian.batch.folder import read_folder

        read_folder(path)
    if not has_display():
        how = f"lydian batch show {path} prints it" if path.is_dir() else f"lydian batch {path} -o DIR runs it"
        raise BadInput(f"a sweep needs a display; {how} without one", file=path)
    qt_needed()
    from lydian.app.main import open_window

    return open_window(path)


def _assignment(path: Path) -> int:
    """Open an assignment, which is read before a window opens."""
    from lydian.assignment.assignment import read

    read(path)
    if not has_display():
        raise BadInput(f"an assignment needs a display; lydian assignment try {path} checks it without one", file=path)
    qt_needed()
    from lydian.app.main import open_window

    return open_window(path)


def _lesson(path: Path) -> int:
    """Start a lesson, which is read before a window opens."""
    from lydian.model.lesson.lesson import load

    load(path)
    if not has_display():
        raise BadInput(f"a lesson needs a display; lydian lesson {path} plays it without one", file=path)
    qt_needed()
    from lydian.app.main import open_window

    return open_window(path)


def _on_network(path: str) -> Experiment:
    """Return an experiment with the first of our protocols on a network that is opened by itself."""
    from lydian.model.archive.archive import archive
    from lydian.model.experiment.experiment import Experiment
    from lydian.model.network import Timing

    network = archive().network(Path(path))
    if network.n == 0:
        raise BadInput("this network has no processes; add one", file=path)
    timing = Timing() if len(network.initiators) == 1 else Timing(initiators=network.processes[:1])
    return Experiment(Path(path).stem, protocol="echo", network=path, timing=timing)


def has_display() -> bool:
    """Return whether a window can be shown; a platform requested by name counts as a display."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def _show(
    what: Experiment | Trace, folder: str | None, trace_file: Path | None = None, event: int | None = None
) -> int:
    from lydian.model.experiment.experiment import Experiment

    if event is not None and not isinstance(what, Experiment) and event >= len(what):
        raise BadInput(f"the trace has no event {event}; its last one is {len(what) - 1}", file=trace_file)
    qt_needed()
    if not has_display():
        _our_own(what)
        return _pictures(what, Path("out" if folder is None else folder), event)
    from lydian.app.main import open_window

    return open_window(what if trace_file is None else trace_file, event=event)


def _well_written(path: Path) -> None:
    """Report errors in the text of a protocol, which is read but not executed, before a window opens."""
    from lydian.model.source.problems import problems

    source = read_source(path)
    wrong = next((each for each in problems(source) if each.kind == "error"), None)
    if wrong is not None:
        file, line = in_sentence(str(path), source, wrong.line)
        raise BadInput(wrong.sentence, file=file, place=f"line {line}")


def _our_own(what: Experiment | Trace) -> None:
    """Refuse to run code that the user did not ask for: opening an experiment executes only code from the archive."""
    from lydian.desk.trust import Trust
    from lydian.model.archive.archive import archive
    from lydian.model.experiment.experiment import Experiment

    if not isinstance(what, Experiment):
        return
    for path in Trust(_Nothing(), archive()).strange(what):
        run = what.path or path
        raise BadInput(
            f"this is code from outside the archive; opening a file without a display does not run such code, "
            f"but lydian run {shlex.quote(str(run))} does",
            file=path,
        )


class _Nothing:
    """A memory that stays empty, because permissions given in a window apply only to windows."""

    def record(self, key: str) -> dict[str, Any]:
        return {}

    def set_record(self, key: str, record: dict[str, Any]) -> None:
        raise NotImplementedError


def _pictures(what: Experiment | Trace, folder: Path, event: int | None = None) -> int:
    """Draw the five views and report where they are."""
    from lydian.model.experiment.experiment import Experiment
    from lydian.trace.timeline import Timeline

    code = 0
    if isinstance(what, Experiment):
        from lydian.engine.simulator import Simulator

        name = what.name
        simulator = Simulator(what)
        result = simulator.run()
        trace, code = simulator.trace, result.exit_code
        if result.error is not None:
            print(f"lydian: {' '.join(result.error.split())}", file=sys.stderr)
    else:
        trace, name = what, str(what.experiment.get("name", "the trace"))
        if trace.damage is not None:
            print(f"lydian: {trace.damage}", file=sys.stderr)
    timeline = Timeline(trace)

    from lydian.app.pictures.render import render_all

    moment = _TELLING * timeline.end if event is None else float(timeline.time[event])
    pictures = render_all(timeline, None, folder, t=moment)
    print(f"There is no display, so the views of {name} at time {moment:.1f} are pictures:")
    for picture in pictures:
        print(f"  {picture}")
    return code
