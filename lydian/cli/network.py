"""``lydian network``: makes a network."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from lydian.cli.parser import Commands, Parser, whole
from lydian.cli.words import plural
from lydian.model.errors import BadInput

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian network                                     lists the kinds
  lydian network ring 8 -o ring.json
  lydian network grid 5x5 -o grid.json
  lydian network gnm 100 300 --seed 1 -o big.json    the same as --network gnm:100,300,seed=1
"""


def add(commands: Commands, common: Parser) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "network",
        parents=[common],
        help="make a network",
        description="Makes a network of a kind and writes it as JSON; without -o to standard output.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("kind", metavar="KIND", nargs="?")
    parser.add_argument("args", metavar="ARGS", nargs="*")
    parser.add_argument("--seed", metavar="K", help="for random networks")
    parser.add_argument("--layout", metavar="L", help="circle, spring, grid, layers, radial or stress")
    parser.add_argument("--name", metavar="NAME", help="its name")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it")
    parser.set_defaults(action=_network)


def _network(args: Namespace) -> int:
    if args.kind is None:
        return _kinds()
    from lydian.model.generators import from_spec
    from lydian.model.netfile import save, to_dict

    if args.output is not None and Path(args.output).suffix != ".json":
        raise BadInput("a network is written in JSON; give a name that ends in .json", file=args.output, place="-o")
    words = list(args.args)
    if args.seed is not None:
        words.append(f"seed={whole(args.seed, '--seed')}")
    joint = "," if ":" in args.kind else ":"
    network = from_spec(f"{args.kind}{joint}{','.join(words)}" if words else args.kind)
    if args.layout is not None:
        from lydian.model.layouts import layout

        network = layout(network, args.layout)
    if args.name is not None:
        network = network.replace(name=args.name)
    if args.output is None:
        import json

        json.dump(to_dict(network), sys.stdout, indent=1)
        print()
        return 0
    path = Path(args.output)
    if args.name is None:
        network = network.replace(name=path.stem)
    save(network, path)
    print(f"{path}: {plural(network.n, 'process', 'processes')}, {plural(network.m, 'link')}")
    return 0


def _kinds() -> int:
    from lydian.model.generators import KINDS

    wide = max(len(kind.example) for kind in KINDS.values())
    for kind in KINDS.values():
        numbers = ", ".join(parameter.name for parameter in kind.parameters)
        print(f"  {kind.example:<{wide}}  {kind.words} ({numbers}{', seed' if kind.random else ''})")
    print("\nfor example  lydian network ring 8 -o ring.json")
    return 0
