"""The command ``lydian network``: it makes a network, or converts a file to another format."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.output import NETWORK, output
from lydian.cli.parser import Commands, Parser, whole
from lydian.cli.words import plural, tell_lines
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian network                                     lists the kinds
  lydian network ring 8 -o ring.json
  lydian network grid 5x5 -o grid.graphml
  lydian network gnm 100 300 --seed 1 -o big.json    the same as --network gnm:100,300,seed=1
  lydian network metro.gml -o metro.json             convert a file of another program
  lydian network two-wings -o two-wings.svg          a drawing: svg, pdf, png or tex
"""
_ABOUT = """\
Generates a network of a kind, or reads one from a file or the archive, and writes it; without -o as
JSON to standard output."""
_DRAWINGS = (".svg", ".pdf", ".png")


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "network",
        parents=[common],
        help="generate a network, or convert a file",
        description=_ABOUT,
        epilog=_EXAMPLES,
    )
    parser.before_help = lambda: setattr(parser, "description", f"{_ABOUT}  Files: {_files()}.")
    parser.add_argument("kind", metavar="KIND|FILE", nargs="?")
    parser.add_argument("args", metavar="ARGS", nargs="*")
    parser.add_argument("--seed", metavar="K", help="for random networks")
    parser.add_argument("--layout", metavar="L", help="circle, spring, grid, layers, radial or stress")
    parser.add_argument("--name", metavar="NAME", help="its name")
    parser.add_argument("--skip-bad-lines", action="store_true", help="skip lines of a file that cannot be used")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it; its ending determines the format")
    parser.set_defaults(action=_network)


def _files() -> str:
    from lydian.formats.networks import FORMATS

    return ", ".join("JSON" if each.name == "json" else each.words for each in FORMATS.values() if each.readable)


def _network(args: Namespace) -> int:
    from lydian.formats.networks import format_of, save

    if args.kind is None:
        return _kinds()
    path = None if args.output is None else Path(args.output)
    if path is not None and path.suffix.lower() not in _DRAWINGS:
        format_of(path)
    if path is not None:
        output(path, NETWORK)
    network, notes = _made(args)
    if args.layout is not None:
        from lydian.model.layouts import layout

        network = layout(network, args.layout)
    if args.name is not None:
        network = network.replace(name=args.name)
    if path is None:
        import json

        from lydian.model.network.netfile import to_dict

        json.dump(to_dict(network), sys.stdout, indent=1)
        print()
        return 0
    if args.name is None:
        network = network.replace(name=path.stem)
    if path.suffix.lower() in _DRAWINGS:
        _draw(network, path)
    else:
        save(network, path)
    print(f"{path}: {plural(network.n, 'process', 'processes')}, {plural(network.m, 'link')}")
    for note in notes:
        print(f"  {note}")
    return 0


def _made(args: Namespace) -> tuple[Network, tuple[str, ...]]:
    """Return the network that was requested, and the lines of its file that were skipped."""
    from lydian.model.archive.archive import archive
    from lydian.model.generators import KINDS, from_spec

    words = list(args.args)
    if args.seed is not None:
        words.append(f"seed={whole(args.seed, '--seed')}")
    source = Path(args.kind)
    known = args.kind.partition(":")[0] in KINDS
    if not known and not words and (source.is_file() or "." in source.name or "/" in args.kind):
        return _from_file(source, skip=args.skip_bad_lines)
    if not known and not words and args.kind in archive().names("networks"):
        return archive().network(args.kind), ()
    joint = "," if ":" in args.kind else ":"
    return from_spec(f"{args.kind}{joint}{','.join(words)}" if words else args.kind), ()


def _from_file(path: Path, *, skip: bool) -> tuple[Network, tuple[str, ...]]:
    from lydian.formats.networks import BadLines, read

    try:
        reading = read(path, skip=skip)
    except BadLines as bad:
        if len(bad.problems) == 1:
            what = f"{bad.what} (--skip-bad-lines skips such lines)"
            raise BadInput(what, file=path, place=bad.place) from None
        tell_lines(path, bad.problems)
        what = f"{plural(len(bad.problems), 'line')} cannot be used; --skip-bad-lines skips them"
        raise BadInput(what, file=path) from None
    tell_lines(path, reading.problems)
    return reading.network, reading.notes


def _draw(network: Network, path: Path) -> None:
    from lydian.cli.commands.render import qt_needed

    qt_needed()
    from lydian.app.network.board.picture import save_picture

    save_picture(network, path)


def _kinds() -> int:
    from lydian.model.generators import KINDS

    wide = max(len(kind.example) for kind in KINDS.values())
    for kind in KINDS.values():
        numbers = [*(parameter.name for parameter in kind.parameters), *(["seed"] if kind.random else [])]
        brackets = f" ({', '.join(numbers)})" if numbers else ""
        print(f"  {kind.example:<{wide}}  {kind.words}{brackets}")
    print("\nfor example  lydian network ring 8 -o ring.json")
    return 0
