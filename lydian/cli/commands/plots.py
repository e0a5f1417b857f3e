"""The command ``lydian batch plot DIR``: it writes a plot of a batch's results, without Spark or Java."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from lydian.cli.commands.render import qt_needed
from lydian.cli.output import PLOT, REPORT, output
from lydian.cli.parser import Parser, Usage, whole

if TYPE_CHECKING:
    from lydian.views.plots.data import Results
    from lydian.views.plots.options import Wish

__all__ = ["add_options", "plot", "refuse", "report"]

_OPTIONS = ("y", "x", "over", "kind", "log", "size", "theme", "power_law", "numbers", "no_formula")


def add_options(parser: Parser) -> None:
    """Add the options of a plot."""
    parser.add_argument("--y", metavar="MEASURE", help="plot: the measure (as --measure)")
    parser.add_argument("--x", metavar="P", help="plot: the setting on the x axis")
    parser.add_argument("--over", metavar="R", help="plot: the setting of the small multiples (--by: the series)")
    parser.add_argument("--kind", metavar="KIND", help="plot: spread, mean, runs, histogram, density, ecdf")
    parser.add_argument("--log", metavar="AXES", help="plot: logarithmic axes: x, y, x,y or none")
    parser.add_argument("--power-law", action="store_true", help="plot: draw the power law of each series")
    parser.add_argument("--no-formula", action="store_true", help="plot: omit the protocol's formula")
    parser.add_argument("--numbers", metavar="K", help="plot: mark the K strangest runs with their numbers")
    parser.add_argument("--size", metavar="WxH", help="plot: size in screen units (960x600)")
    parser.add_argument("--theme", metavar="T", help="plot: light, dark or contrast")


def refuse(args: Namespace) -> None:
    """Refuse the options of a plot where none is drawn.

    Raises:
        Usage: there is such an option.
    """
    for name in _OPTIONS:
        if getattr(args, name) not in (None, False):
            raise Usage(f"--{name.replace('_', '-')} is an option of lydian batch plot DIR")


def plot(args: Namespace) -> int:
    """Draw and write the plot that the arguments describe; unspecified settings receive sensible values."""
    if args.output is None:
        raise Usage("-o FILE is missing; name a file that ends in .svg, .pdf, .png or .csv")
    target = output(args.output, PLOT)
    size = _size(args.size)
    theme = args.theme or "light"
    if theme not in ("light", "dark", "contrast"):
        raise Usage(f"--theme: must be light, dark or contrast, not '{theme}'")
    most = 0 if args.numbers is None else _most(args.numbers)

    from lydian.views.plots.plots import plot_of
    from lydian.views.plots.read import Reader

    reader = Reader(args.folder)
    read = reader.read()
    if not len(read.results):
        raise Usage(f"{args.folder}: no run is finished yet; resume the batch with -o {args.folder} --resume")
    made = plot_of(read.results, _wish(args, read.results))
    numbered: dict[int, int] = {}
    if most:
        from lydian.batch.oddest import oddest
        from lydian.batch.spark.surprise import remember

        strange = oddest(reader.folder, read.table, max(most, 20))
        remember(reader.folder, strange)  # so that DIR#3 has the number 3 in the picture
        numbered = {each.run: each.rank for each in strange[:most]}
    if target.suffix.lower() != ".csv":
        qt_needed()
    from lydian.app.pictures.plotfile import write_plot

    write_plot(made, target, size=size, theme=theme, numbered=numbered)
    if args.json:
        wish = made.wish
        told = {name: getattr(wish, name) for name in ("y", "x", "by", "over", "kind", "log_x", "log_y")}
        fits = [
            {"panel": panel.name, "series": series.name, "exponent": series.fit.exponent, "error": series.fit.error,
             "half": series.fit.half, "r2": series.fit.r2}
            for panel in made.panels for series in panel.series if series.fit is not None
        ]  # fmt: skip
        print(json.dumps({"file": str(target), **told, "fits": fits, "empty": made.empty or None}, indent=2))
    else:
        print(target)
    return 0


def report(args: Namespace) -> int:
    """Write the report of a batch as one page: figures, plots, strangest runs, the sweep and versions."""
    if args.output is None:
        raise Usage("-o FILE is missing; name a file that ends in .html")
    target = output(args.output, REPORT)
    qt_needed()
    from lydian.app.pictures.batchreport import write_report

    write_report(args.folder, target)
    print(json.dumps({"file": str(target)}) if args.json else target)
    return 0


def _wish(args: Namespace, results: Results) -> Wish:
    """Return the plot that the arguments describe, with sensible values for unspecified settings."""
    from lydian.views.plots.options import DISTRIBUTIONS, KINDS, checked, sensible

    wish = sensible(results)
    y = args.y or args.measure
    if args.y and args.measure and args.y != args.measure:
        raise Usage("--y and --measure mean the same; remove one of them")
    if y:
        wish = replace(wish, y=y)
    if args.kind is not None:
        if args.kind not in KINDS:
            raise Usage(f"--kind: must be one of {', '.join(KINDS)}, not '{args.kind}'")
        wish = replace(wish, kind=args.kind)
    none = ("", "none")
    if args.x:
        kind = "spread" if wish.kind in DISTRIBUTIONS and args.kind is None else wish.kind
        wish = replace(wish, x=args.x, kind=kind)
    taken = {args.x, args.by, args.over} - {None}
    by = wish.by if wish.by not in taken else ""
    over = wish.over if wish.over not in taken else ""
    if args.by is not None:
        by = "" if args.by in none else args.by
    if args.over is not None:
        over = "" if args.over in none else args.over
    wish = replace(wish, by=by, over=over, fit=bool(args.power_law), formula=not args.no_formula)
    if args.log is not None:
        axes = {part.strip() for part in args.log.split(",")} - {"none", ""}
        if axes - {"x", "y"}:
            raise Usage(f"--log: must be x, y, x,y or none, not '{args.log}'")
        wish = replace(wish, log_x="x" in axes, log_y="y" in axes)
    return checked(results, wish)


def _most(text: str) -> int:
    return min(whole(text, "--numbers"), 99)


def _size(text: str | None) -> tuple[int, int]:
    if text is None:
        return 960, 600
    width, mark, height = text.lower().partition("x")
    if not mark or not width.isdecimal() or not height.isdecimal():
        raise Usage(f"--size: must be width x height such as 960x600, not '{text}'")
    found = int(width), int(height)
    if not all(200 <= each <= 8000 for each in found):
        raise Usage(f"--size: must be from 200x200 to 8000x8000, not {text}")
    return found
