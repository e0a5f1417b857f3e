"""The command ``lydian desktop``: it lets a double click open hand-ins, if the user wishes."""

from __future__ import annotations

from argparse import Namespace

from lydian.cli.parser import Commands, Parser

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian desktop            reports the current setting
  lydian desktop install    a double click on a .lydian file opens it, and the menu of the desktop has LYDIAN
  lydian desktop remove     removes the files that install wrote
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "desktop", parents=[common], help="let a double click open .lydian files, or stop it",
        description="Writes four small files into the user's own folder, ~/.local/share, or removes them (Linux).",
        epilog=_EXAMPLES,
    )  # fmt: skip
    parser.add_argument("what", metavar="WHAT", nargs="?", choices=("install", "remove"), help="install or remove")
    parser.set_defaults(action=_desktop)


def _desktop(args: Namespace) -> int:
    from lydian.desk import doubleclick

    if args.what is None:
        there = doubleclick.installed()
        print("A double click opens .lydian files." if there else "A double click does not open .lydian files here.")
        print(f"lydian desktop {'remove' if there else 'install'} changes this.")
        return 0
    install = args.what == "install"
    files = doubleclick.install() if install else doubleclick.remove()
    for path in files:
        print(f"{'wrote' if install else 'removed'} {path}")
    if not files:
        print("Nothing was installed.")
    return 0
