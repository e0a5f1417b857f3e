"""The command ``lydian play``: it lists the goals, opens one in the window, or finds out whether it can be reached."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.commands.opening import has_display, speak
from lydian.cli.commands.render import qt_needed
from lydian.cli.parser import Commands, Parser
from lydian.cli.words import coloured, plural
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.engine.adversary.position import Known
    from lydian.model.archive.archive import Archive
    from lydian.model.goal.goal import Goal

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian play                      list the ready goals
  lydian play lamport-two          play a goal in the window
  lydian play echo                 the goals for a protocol, the ready ones and those made from its properties
  lydian play ./mine.toml --check  find out whether a goal of your own can be reached

exit codes: 0 fine; 1 --check: the goal is not what its file claims, or this is unknown; 2 the goal cannot be used
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "play", parents=[common], help="play against an algorithm: make it fail by choosing every event",
        description="Lists the goals, plays one in the window, or checks whether it can be reached.", epilog=_EXAMPLES,
    )  # fmt: skip
    parser.add_argument("what", metavar="GOAL", nargs="?", help="a goal (name or file), or a protocol")
    parser.add_argument("--check", action="store_true", help="find out, without a window, whether it can be reached")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(action=_play)


def _play(args: Namespace) -> int:
    from lydian.model.archive.archive import archive

    shelves = archive()
    if args.what is None:
        return _list(shelves, args.json)
    if args.check:
        return _check(_goal(args.what, shelves), args.json)
    _known(args.what, shelves)
    if not has_display():
        raise BadInput(f"a game needs a display; lydian play {args.what} --check searches without one")
    qt_needed()
    speak()
    from lydian.app.main import open_game

    return open_game(args.what)


def _goal(ref: str, shelves: Archive) -> Goal:
    from lydian.model.goal.goal import load

    return load(ref, shelves)


def _known(ref: str, shelves: Archive) -> None:
    """Refuse a name that is neither a goal nor a protocol, before a window opens."""
    from lydian.model.archive.shelves import looks_like_path

    if looks_like_path(ref, "goals") is None and ref not in shelves.names("goals"):
        try:
            shelves.find("protocols", ref)
        except BadInput as error:
            goals = ", ".join(shelves.names("goals")[:6])
            raise BadInput(f"unknown goal or protocol {ref!r}; goals are {goals} ...") from error
        return
    _goal(ref, shelves).resolve()


def _list(shelves: Archive, as_json: bool) -> int:
    from lydian.model.goal.goal import load, names

    goals = [load(name, shelves) for name in names(shelves)]
    if as_json:
        print(json.dumps({"goals": [_told(each) for each in goals]}, indent=2))
        return 0
    wide = max(len(each.name) for each in goals)
    for each in goals:
        where = f"{each.experiment.protocol} on {each.experiment.network}"
        print(f"  {each.order:>2}  {coloured(each.name.ljust(wide), '1')}  {each.title} ({where}, level {each.level})")
    print(f"\n{plural(len(goals), 'goal')}; lydian play NAME plays one, lydian play PROTOCOL lists those of a protocol")
    return 0


def _told(goal: Goal) -> dict[str, Any]:
    return {
        "name": goal.name, "title": goal.title, "sentence": goal.sentence, "level": goal.level,
        "protocol": goal.experiment.protocol, "network": str(goal.experiment.network),
    }  # fmt: skip


def _check(goal: Goal, as_json: bool) -> int:
    from lydian.engine.adversary.game import Game

    game = Game(goal)
    known = game.search()
    sure = known.within and (known.least is None) == goal.impossible
    if as_json:
        print(json.dumps({"goal": goal.name, "impossible": goal.impossible, **known.to_dict(),
                          "file": None if goal.file is None else str(Path(goal.file))}))  # fmt: skip
        return 0 if sure else 1
    print(coloured(goal.title, "1"))
    print(f"  configurations {known.configurations:>9}  {_how(known)}")
    if known.least is not None:
        print(f"  steps          {known.least:>9}  at least, of {goal.budget.steps or 'any number'}")
        print("  The goal can be reached." + ("  Its file says that it is impossible." if goal.impossible else ""))
    elif known.within:
        print("  The goal cannot be reached." + ("" if goal.impossible else "  Write impossible = true in its file."))
    else:
        print("  No way was found, but not all schedules were tried.")
    return 0 if sure else 1


def _how(known: Known) -> str:
    return {"complete": "all of them", "depth": "all within the budget of steps"}.get(
        known.stopped, "not all: the search was given up"
    )
