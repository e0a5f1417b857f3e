"""The command ``lydian new``: it writes a file to start from that runs immediately."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

from lydian.cli.parser import Commands, Parser, Usage
from lydian.model.errors import BadInput

__all__ = ["add"]

_KINDS = {"protocol": ".py", "network": ".json", "experiment": ".toml"}
_EXAMPLES = """\
examples:
  lydian new protocol gossip        writes gossip.py;  lydian run --protocol ./gossip.py --network ring:8
  lydian new network lab            writes lab.json
  lydian new experiment exercise1   writes exercise1.toml;  lydian run exercise1.toml
  lydian new assignment flooding    begins an assignment in the folder flooding;  lydian assignment check flooding
  lydian new assignment ring --from ring-election    copies a ready assignment into the folder ring
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "new",
        parents=[common],
        help="create a protocol, a network, an experiment or an assignment",
        description="Writes a small complete file to start from; an existing file is never overwritten.",
        epilog=_EXAMPLES,
    )
    kinds = (*_KINDS, "assignment")
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument("name", metavar="NAME", help="a name, or a path with the file's ending")
    parser.add_argument(
        "--from", dest="like", metavar="READY", default="",
        help="copy a ready assignment, for example mutual-exclusion; an unknown name lists them",
    )  # fmt: skip
    parser.set_defaults(action=_new)


def _new(args: Namespace) -> int:
    from lydian.model.archive.shelves import our_folder
    from lydian.model.reading import read_text, write_text

    if args.kind == "assignment":
        return _assignment(Path(args.name), args.like)
    if args.like:
        raise Usage("--from is only for assignments; leave it out")
    suffix = _KINDS[args.kind]
    path = Path(args.name)
    if path.suffix != suffix:
        path = path.with_name(path.name + suffix)
    name = path.stem
    _check_name(name)
    if path.exists():
        raise BadInput("this file already exists; choose another name", file=path)
    if not path.parent.is_dir():
        raise BadInput("its folder does not exist; create it first", file=path)
    template = our_folder() / "resources" / "templates" / f"{args.kind}{suffix}"
    text = read_text(template, f"the template of a {args.kind}")
    title = "".join(word[:1].upper() + word[1:] for word in re.split(r"[-_]", name))
    write_text(path, text.replace("TemplateName", title).replace("template-name", name))
    print(f"{path}: {_next(args.kind, path)}")
    return 0


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
        raise Usage(f"NAME: {name!r} cannot be a name; use letters, digits, - and _, beginning with a letter")


def _assignment(folder: Path, like: str) -> int:
    """Begin an assignment."""
    from lydian.assignment.package import begin

    _check_name(folder.name)
    begin(folder, like)
    print(f"{folder}: try  lydian assignment check {folder}")
    return 0


def _next(kind: str, path: Path) -> str:
    here = path if path.is_absolute() or path.parent != Path() else f"./{path}"
    if kind == "protocol":
        return f"try  lydian run --protocol {here} --network ring:8"
    if kind == "network":
        return f"try  lydian run two-wings --network {here}"
    return f"try  lydian run {here}"
