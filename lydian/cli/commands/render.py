"""The command ``lydian render``: views of an execution, as a picture of one moment or a movie of its course, and its
sound.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.chosen import add_options, chosen, is_trace
from lydian.cli.commands.exporting import tell_animation
from lydian.cli.output import PICTURE, output
from lydian.cli.parser import Commands, Parser, Usage, number, whole
from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.reading import write_text
from lydian.model.viewnames import PLACES, SPACES
from lydian.views import registry

if TYPE_CHECKING:
    from lydian.pieces.animation import Animation
    from lydian.sound.space import Listener
    from lydian.trace.events import Trace
    from lydian.trace.timeline import Timeline
    from lydian.views.world.flights import Flight

__all__ = ["add", "qt_needed", "trace_of"]

_MOVIES, _SOUND = (".mp4", ".gif"), ".wav"
_EXAMPLES = """\
examples:
  lydian render two-wings --view basic --at 8 -o network.png
  lydian render run.parquet --view causality --at 50% --theme dark -o picture.svg
  lydian render two-wings --view step --select 3 --at 8 -o process3.pdf
  lydian render two-wings --view basic --at "5 is waiting" -o waiting.png
  lydian render two-wings --view world --layout tower --at 8 -o tower.png
  lydian render two-wings --view basic,causality --speed 2 -o run.mp4
  lydian render two-wings --view basic --size 640x400 --from 2 --to 50% -o start.gif
  lydian render two-wings --view basic --sound -o run.mp4
  lydian render two-wings --speed 2 --listen 3 -o run.wav
  lydian render two-wings --flight --sound -o flight.mp4
"""
#: Options that apply only to movies, and their names in the arguments.
_OF_MOVIES = {
    "--speed": "speed", "--seconds": "seconds", "--letters": "letters", "--fps": "fps", "--from": "start",
    "--to": "end", "--max-seconds": "max_seconds", "--sound": "sound", "--listen": "listen",
}  # fmt: skip
#: Those that do not apply to a sound alone.
_OF_FRAMES = ("--letters", "--fps", "--sound")


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "render",
        parents=[common],
        help="draw one view at one time, or make a movie or the sound of the run",
        description="Draws views of an experiment or a trace at one time (PNG, SVG, PDF), or makes a movie of "
        "the run (MP4, GIF), or its sound (WAV).",
        epilog=_EXAMPLES,
    )
    parser.add_argument("experiment", metavar="EXPERIMENT|TRACE", nargs="?")
    add_options(parser)
    names = ", ".join(PLACES)  # Only our own views: writing a help text must not search other packages for views.
    parser.add_argument("--view", metavar="V", help=f"{names}; basic by default; several with commas between, or all")
    told = "simulated time, a share of the run such as 40%%, or a condition for the first time it is met, such as "
    told += "#57, '5 is waiting', '3 receives Ack from 5', 'pending == set()' (the end)"
    parser.add_argument("--at", metavar="T", help=told)
    endings = "a file ending in .png, .svg or .pdf; .mp4 or .gif for a movie; .wav for the sound"
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=endings)
    parser.add_argument("--size", metavar="WxH", default="1280x800", help="size in screen units (1280x800)")
    parser.add_argument("--scale", metavar="S", default="1", help="pixels per unit (1)")
    looks = ("light", "dark", "contrast")
    parser.add_argument("--theme", metavar="|".join(looks), choices=looks, default="light")
    parser.add_argument("--select", metavar="P", action="append", default=[], help="a process to mark")
    parser.add_argument("--show", metavar="VARIABLE", help="show this variable under each process of the network")
    told = f"how the view world places the processes: {', '.join(SPACES)} (shape)"
    parser.add_argument("--layout", metavar="L", help=told)
    told = "two pictures of the view world side by side, for two eyes"
    parser.add_argument("--stereo", action="store_true", help=told)
    told = "the guided flight of the experiment through the view world; --at is then in seconds of the flight"
    parser.add_argument("--flight", action="store_true", help=told)
    movie = parser.add_argument_group("a movie or a sound")
    movie.add_argument("--speed", metavar="S", help="time units of the run per second (1)")
    movie.add_argument("--seconds", metavar="S", help="length of the run in the file in seconds, instead of --speed")
    movie.add_argument("--letters", metavar="L", help="scale of the text, 0.8 to 2.5 (1)")
    movie.add_argument("--fps", metavar="N", help="frames per second (30 for .mp4, 12 for .gif)")
    movie.add_argument("--from", metavar="T", dest="start", help="where it begins, as for --at (0)")
    movie.add_argument("--to", metavar="T", dest="end", help="where it ends, as for --at (the end)")
    movie.add_argument("--max-seconds", metavar="S", help="refuse to make a longer one (600)")
    movie.add_argument("--sound", action="store_true", default=None, help="add the sound of the run to an .mp4")
    movie.add_argument("--listen", metavar="P", help="listen from the place of this process, not from the front")
    parser.set_defaults(action=_render)


def _render(args: Namespace) -> int:
    path = output(args.output, PICTURE)
    movie = path.suffix.lower() in _MOVIES
    _fitting(args, path, movie)
    views = _views(("world" if args.flight else "basic") if args.view is None else args.view)
    size = _size(args.size)
    scale = number(args.scale, "--scale", "a positive number")
    speed = number(args.speed or "1", "--speed", "a positive number of time units per second")
    fps = None if args.fps is None else whole(args.fps, "--fps", 1)
    letters = None if args.letters is None else number(args.letters, "--letters", "a number from 0.8 to 2.5")
    if args.seconds is not None and args.speed is not None:
        raise Usage("--seconds and --speed cannot be combined; choose one of them")
    lasts = None if args.seconds is None else number(args.seconds, "--seconds", "a positive number")
    if lasts is not None and not lasts > 0:
        raise Usage(f"--seconds: must be more than 0, not {lasts:g}")
    seconds = None if args.max_seconds is None else number(args.max_seconds, "--max-seconds", "a positive number")
    options = _options(args, views)
    if not args.flight:
        _moments(args, 1.0)  # refused before the run, not after it
    trace = trace_of(args)

    from lydian.trace.timeline import Timeline
    from lydian.views.selection import Selection

    for name in args.select:
        if name not in trace.processes:
            raise Usage(f"--select: {unknown_process(name, trace.processes)}")
    timeline = Timeline(trace)
    animation = _showing(timeline, args.show)
    selection = Selection(processes=frozenset(trace.processes.index(name) for name in args.select))
    listener = _listener(args, timeline)
    flight = _flight(args, trace, views)
    if flight is None:
        at, start, end = _moments(args, timeline.end, timeline)
    else:
        at, start, end = _second(args.at, flight.length), None, None
    if lasts is not None:
        low, high = start or 0.0, timeline.end if end is None else min(end, timeline.end)
        speed = (high - low) / lasts if high > low else 1.0
    if path.suffix.lower() == _SOUND:
        from lydian.sound.recording import MAX_SECONDS as LONGEST
        from lydian.sound.recording import write_wav

        write_wav(
            path, timeline, listener=listener, start=start, end=end, speed=speed,
            max_seconds=LONGEST if seconds is None else seconds, progress=_progress(path),
        )  # fmt: skip
        print(path)
        return 0
    if path.suffix.lower() == ".svg" and flight is None and not _has_qt():
        from lydian.lab.vector import drawn

        looks: dict[str, Any] = {"size": size, "theme": args.theme, "selection": selection, "animation": animation}
        looks["options"] = options
        write_text(path, drawn(timeline, views, at, prefix="a", **looks))
        print(path)
        tell_animation(trace)
        return 0
    qt_needed()
    if movie:
        from lydian.app.pictures.movie import MAX_SECONDS, film

        film(
            timeline, animation, views, path, speed=speed, fps=fps, size=size, scale=scale, theme=args.theme,
            letters=letters, start=start, end=end, max_seconds=MAX_SECONDS if seconds is None else seconds,
            selection=selection, options=options, progress=_progress(path), sound=bool(args.sound),
            listener=listener, flight=flight,
        )  # fmt: skip
    else:
        from lydian.app.pictures.render import render_shots, shots_of

        shots, looks = shots_of(views, options), {"size": size, "theme": args.theme, "scale": scale}
        if flight is not None:
            from lydian.app.pictures.shot import flown

            aloft, at, selection = flown(shots, flight, at or 0.0, timeline, selection)
            shots = tuple(aloft)
        render_shots(timeline, animation, shots, at, path, selection=selection, **looks)
    print(path)
    tell_animation(trace)
    return 0


def _options(args: Namespace, views: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Return the options of single views: view -> name -> value."""
    from lydian.views.world.places import LAYOUTS

    given = [option for option, value in (("--layout", args.layout), ("--stereo", args.stereo or None))
             if value is not None]  # fmt: skip
    if given and "world" not in views:
        raise Usage(f"{given[0]}: applies to the view world only; add --view world")
    if args.layout is not None and args.layout not in LAYOUTS:
        there = f"{did_you_mean(args.layout, LAYOUTS)}; choose from {', '.join(LAYOUTS)}"
        raise Usage(f"--layout: unknown layout {shown(args.layout)}{there}")
    chosen = {"layout": args.layout, "stereo": args.stereo or None}
    options = {name: value for name, value in chosen.items() if value is not None}
    return {"world": options} if options else {}


def _flight(args: Namespace, trace: Trace, views: tuple[str, ...]) -> Flight | None:
    """Return the guided flight of the experiment of a run, if it was asked for."""
    if not args.flight:
        return None
    from lydian.desk.runs.records import experiment_of
    from lydian.model.experiment.flight import check_flight
    from lydian.views.world.flights import Flight

    if "world" not in views:
        raise Usage("--flight: leads through the view world; add --view world")
    for option, name in (("--speed", "speed"), ("--seconds", "seconds"), ("--from", "start"), ("--to", "end"),
                         ("--listen", "listen")):  # fmt: skip
        if getattr(args, name) is not None:
            raise Usage(f"{option}: a guided flight has times of its own; leave out one of the two")
    experiment = experiment_of(trace)
    if experiment is None or not experiment.flight:
        raise Usage("--flight: this experiment has no guided flight; record one in the view World, or write [[flight]]")
    check_flight(experiment.flight, trace.processes)
    return Flight(experiment.flight, usual=args.layout or "shape")


def _showing(timeline: Timeline, variable: str | None) -> Animation | None:
    """Return the animation of a run with a variable under each process; ``None`` for the run's own animation."""
    if variable is None:
        return None
    from lydian.pieces.animation import animation_for

    known = tuple(timeline.trace.summary.get("initial") or ())
    if variable not in known:
        there = f"; choose from {', '.join(known)}" if known else "; it records none"
        raise Usage(f"--show: unknown variable {shown(variable)} of this run{did_you_mean(variable, known)}{there}")
    return animation_for(timeline.trace).showing(variable)


def _fitting(args: Namespace, path: Path, movie: bool) -> None:
    """Refuse options that do not apply to the kind of file."""
    sound = path.suffix.lower() == _SOUND
    if (movie or sound) and args.at is not None:
        what = "the sound of a run" if sound else "a movie"
        raise Usage(f"--at: {path} is {what}, which shows more than one time; use --from and --to")
    given = [option for option, name in _OF_MOVIES.items() if getattr(args, name) is not None]
    if given and not (movie or sound):
        raise Usage(f"{given[0]}: {path} is a picture of one time; the name of a movie must end in .mp4 or .gif")
    unheard = [option for option in given if option in _OF_FRAMES]
    if sound and unheard:
        raise Usage(f"{unheard[0]}: {path} is a sound without pictures; the name of a movie must end in .mp4")
    if args.flight and sound:
        raise Usage(f"--flight: {path} is a sound without pictures; write an .mp4, and add --sound")
    if args.sound and path.suffix.lower() == ".gif":
        raise Usage(f"--sound: {path} is a GIF, which has no sound; the name of a movie with sound must end in .mp4")
    if args.listen is not None and movie and not args.sound:
        raise Usage(f"--listen: {path} has no sound; add --sound")


def _listener(args: Namespace, timeline: Timeline) -> Listener | None:
    """Return who hears the run: somebody at the process of ``--listen``; ``None`` for in front of the network."""
    if args.listen is None:
        return None
    from lydian.pieces.animation import animation_for
    from lydian.sound.places import Places

    if args.listen not in timeline.processes:
        raise Usage(f"--listen: {unknown_process(args.listen, timeline.processes)}")
    places = Places(timeline, animation_for(timeline.trace))
    return places.within(timeline.processes.index(args.listen), 0.0)


def _views(text: str) -> tuple[str, ...]:
    names = [name.strip() for name in text.split(",")]
    known = (*registry.names(), "all")
    for name in names:
        if name not in known:
            raise Usage(f"unknown {shown(name)} for --view{did_you_mean(name, known)}; choose from {', '.join(known)}")
    return registry.usual() if "all" in names else tuple(names)


def _progress(path: Path) -> Callable[[float], bool]:
    """Show the progress on a terminal; write nothing to a file or a pipe."""
    told = -1

    def tell(share: float) -> bool:
        nonlocal told
        percent = int(100 * share)
        if percent != told and sys.stderr.isatty():
            told = percent
            print(f"\r{path}: {percent} %" if percent < 100 else f"\r{' ' * len(f'{path}: 99 %')}\r",
                  end="", file=sys.stderr, flush=True)  # fmt: skip
        return True

    return tell


def trace_of(args: Namespace) -> Trace:
    """Return the trace that the arguments name, or that of the experiment they name."""
    if args.experiment is not None and (is_trace(args.experiment) or args.experiment.endswith(".parquet")):
        from lydian.trace.parquet.file import load

        given = [name for name in ("protocol", "network", "seed", "delay", "until", "limit") if getattr(args, name)]
        if given or args.set:
            option = (given or ["set"])[0]
            raise Usage(f"--{option}: a trace cannot be changed; give an experiment")
        return load(Path(args.experiment))

    from lydian.engine.simulator import Simulator

    simulator = Simulator(chosen(args))
    simulator.run()
    return simulator.trace


def _has_qt() -> bool:
    """Return whether Qt is installed; without it, pictures are SVG only."""
    from importlib.util import find_spec

    return find_spec("PySide6") is not None


def qt_needed() -> None:
    """Report an error if Qt cannot be loaded.

    Raises:
        BadInput: a package or a library of the system is missing.
    """
    from lydian.model.extras import extra

    try:
        with extra("app", "the window and pictures other than SVG need Qt"):
            import PySide6.QtGui  # noqa: F401
    except ImportError as error:
        raise BadInput(f"Qt cannot be loaded ({error}); lydian doctor says what to install") from None


def _size(text: str) -> tuple[int, int]:
    width, x, height = text.lower().partition("x")
    if not (x and width.isdecimal() and height.isdecimal() and int(width) > 0 and int(height) > 0):
        raise Usage(f"--size: must be width x height such as 1280x800, not {shown(text)}")
    return int(width), int(height)


def _moments(
    args: Namespace, last: float, timeline: Timeline | None = None
) -> tuple[float | None, float | None, float | None]:
    """Return the times for --at, --from and --to in a run that ends at ``last``; conditions need a finished run."""
    given = {"--at": args.at, "--from": args.start, "--to": args.end}
    at, start, end = (_moment(text, last, option, timeline) for option, text in given.items())
    return at, start, end


def _moment(text: str | None, end: float, option: str, timeline: Timeline | None) -> float | None:
    if text is None:
        return None
    if text.endswith("%"):
        return min(number(text[:-1], option, "a time or a share such as 40%"), 100.0) / 100 * end
    if text.strip().lstrip("+-.").replace(" ", "").isalnum() and (" " not in text.strip()):
        return _plain(text, option, timeline)
    return _met(text, option, timeline)


def _second(text: str | None, length: float) -> float:
    """Return the time for --at in a guided flight: seconds or a share; by default its beginning."""
    if text is None:
        return 0.0
    what = "seconds of the flight, or a share such as 40%"
    share = text.endswith("%")
    value = number(text.removesuffix("%"), "--at", what)
    found = value / 100 * length if share else value
    if not 0 <= found <= length:
        raise Usage(f"--at: the flight takes {length:g} seconds, and {text} is not one of them")
    return found


def _plain(text: str, option: str, timeline: Timeline | None) -> float:
    """Return a time or one of the one-word conditions."""
    if text.strip().lower() in ("violated", "violation"):
        return _met(text, option, timeline)
    return number(text, option, "a time or a share such as 40%")


def _met(text: str, option: str, timeline: Timeline | None) -> float:
    """Return the time at which a condition is first met."""
    from lydian.views.words.asked import first_time

    try:
        return first_time(text, timeline)
    except BadInput as error:
        raise Usage(f"{option}: {error}") from None
