"""The command ``lydian handin``: it writes an experiment, its protocol, its network and a run to one file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from lydian.cli.chosen import add_options, branched, chosen
from lydian.cli.output import HAND_IN, output
from lydian.cli.parser import Commands, Parser
from lydian.cli.supervisor import outputs_kept
from lydian.model.errors import BadInput

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian handin mine.toml                     writes mine.lydian beside it
  lydian handin mine.toml --branch "9 crashed at 6.0" -o mine.lydian
  lydian open mine.lydian                     shows the run
  lydian run mine.lydian --seed 7             runs the experiment again
  lydian trace export mine.lydian --to html -o mine.html
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "handin",
        parents=[common],
        help="put an experiment with its protocol, network and run into one file",
        description="Runs an experiment and writes it with its protocol, its network and the run into one\n"
        "file, which lydian open shows and lydian run repeats.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("experiment", metavar="EXPERIMENT", nargs="?")
    add_options(parser)
    parser.add_argument("--branch", metavar="NAME", help="hand in the run of this branch of the experiment")
    parser.add_argument("-o", "--output", metavar="FILE.lydian", help="the file to write (beside the experiment)")
    parser.set_defaults(action=_hand_in)


def _hand_in(args: Namespace) -> int:
    from lydian.cli.summary import summary
    from lydian.engine.simulator import Simulator
    from lydian.model.experiment.branches import ROOT
    from lydian.trace.handin import hand_in
    from lydian.trace.timeline import Timeline
    from lydian.views.page.page import MOST_EVENTS, page

    path = None if args.output is None else output(args.output, HAND_IN)
    experiment = chosen(args)
    path = _beside(args.experiment, experiment.name) if path is None else path
    branch = None if args.branch is None else branched(experiment, args.branch)
    resolved = experiment.resolve() if branch is None else branch.resolved
    with outputs_kept():
        result = Simulator(resolved).run()
    text = page(Timeline(result.trace)) if len(result.trace) <= MOST_EVENTS else ""
    hand_in(path, experiment, result.trace, ROOT if branch is None else branch.id, text)
    print(summary(result, resolved, None))
    print(f"\n  hand-in: {path}")
    return result.exit_code


def _beside(given: str | None, name: str) -> Path:
    """Return the path of an experiment's hand-in, beside its file or in the current folder; never overwrite one."""
    file = None if given is None else Path(given)
    path = Path(name).with_suffix(".lydian") if file is None or not file.is_file() else file.with_suffix(".lydian")
    if path.exists():
        raise BadInput("this file already exists; choose another one with -o", file=path)
    return output(path, HAND_IN)
