"""The command ``lydian new``: it writes a file to start from that runs immediately."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

from lydian.cli.parser import Commands, Parser, Usage
from lydian.model.errors import BadInput

__all__ = ["add"]

_KINDS = {"protocol": ".py", "network": ".json", "experiment": ".toml", "lesson": ".md"}
_EXAMPLES = """\
examples:
  lydian new protocol gossip        writes gossip.py;  lydian run --protocol ./gossip.py --network ring:8
  lydian new network lab            writes lab.json
  lydian new experiment exercise1   writes exercise1.toml;  lydian run exercise1.toml
  lydian new assignment flooding    begins an assignment in the folder flooding;  lydian assignment check flooding
  lydian new assignment ring --from ring-election    copies a ready assignment into the folder ring
  lydian new lesson partition --from exercise1.toml
                                    writes partition.md, with a step for each intervention in its branches
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "new",
        parents=[common],
        help="create a protocol, a network, an experiment, a lesson or an assignment",
        description="Writes a small complete file to start from; an existing file is never overwritten.",
        epilog=_EXAMPLES,
    )
    kinds = (*_KINDS, "assignment")
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument("name", metavar="NAME", help="a name, or a path with the file's ending")
    parser.add_argument(
        "--from", metavar="NAME", dest="made_from", default="",
        help="copy a ready assignment, for example mutual-exclusion (an unknown name lists them); or make the lesson\n"
        "of this experiment (name or file) or trace, and of its branches",
    )  # fmt: skip
    parser.set_defaults(action=_new)


def _new(args: Namespace) -> int:
    from lydian.model.archive.shelves import our_folder
    from lydian.model.reading import read_text, write_text

    if args.kind == "assignment":
        return _assignment(Path(args.name), args.made_from)
    if args.made_from and args.kind != "lesson":
        raise Usage("--from is only for a lesson or an assignment; write lydian new lesson NAME --from EXPERIMENT")
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
    if args.made_from:
        write_text(path, _lesson_of(args.made_from, path))
        print(f"{path}: {_next(args.kind, path)}")
        return 0
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
    from lydian.assignment.ready import begin

    _check_name(folder.name)
    begin(folder, like)
    print(f"{folder}: try  lydian assignment check {folder}")
    return 0


def _lesson_of(ref: str, path: Path) -> str:
    """Return the text of a lesson about an experiment and its branches, all of which are run."""
    from lydian.desk.runs.records import experiment_of, names_of
    from lydian.engine.simulator import Simulator
    from lydian.model.archive.archive import archive
    from lydian.model.experiment.branches import Branches
    from lydian.model.lesson.lesson import kept_beside
    from lydian.trace.timeline import Timeline
    from lydian.views.words.lessontext import Known, lesson_text

    shelves = archive()
    if Path(ref).suffix == ".parquet":
        from lydian.trace.parquet.reader import load

        found = experiment_of(load(Path(ref)))
        if found is None:
            raise BadInput("this trace was recorded without its experiment", file=ref)
        experiment = found
    else:
        experiment = shelves.experiment(ref)
    tree, known = Branches.of(experiment), {}
    for branch, _ in tree.walk():
        result = Simulator(tree.path(branch).resolve(shelves), check=True).run()
        known[branch] = Known(Timeline(result.trace), result.trace.summary.get("checks") or ())
    title = experiment.name or " on ".join(names_of(experiment))
    return lesson_text(experiment, kept_beside(experiment, path, shelves), title, known)


def _next(kind: str, path: Path) -> str:
    here = path if path.is_absolute() or path.parent != Path() else f"./{path}"
    if kind == "protocol":
        return f"try  lydian run --protocol {here} --network ring:8"
    if kind == "network":
        return f"try  lydian run two-wings --network {here}"
    return f"try  lydian {'lesson' if kind == 'lesson' else 'run'} {here}"
