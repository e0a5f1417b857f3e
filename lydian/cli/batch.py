"""``lydian batch``: many runs on Spark."""

from __future__ import annotations

from argparse import Namespace

from lydian.cli.parser import Commands, Parser, Usage

__all__ = ["add"]


def add(commands: Commands, common: Parser) -> None:
    """Adds the command."""
    parser = commands.add_parser("batch", parents=[common], help="many runs on Spark (not available yet)")
    parser.add_argument("sweep", metavar="SWEEP.toml")
    parser.add_argument("-o", "--output", metavar="DIR")
    parser.add_argument("--master", metavar="URL", default="local[*]")
    parser.set_defaults(action=_refuse)


def _refuse(args: Namespace) -> int:
    raise Usage("batch is not available yet; run the experiments one by one with lydian run EXPERIMENT --seed K --json")
