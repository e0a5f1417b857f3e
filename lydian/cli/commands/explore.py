"""The command ``lydian explore``: it tries all schedules of a small experiment, or random ones of a large one."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
from argparse import SUPPRESS, Namespace
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.chosen import add_options, chosen
from lydian.cli.idleruns import advice
from lydian.cli.output import EXPERIMENT, output
from lydian.cli.parser import Commands, Parser, Usage, number, whole
from lydian.cli.words import coloured, listed, mark, plural
from lydian.model.protocol.properties import KINDS

if TYPE_CHECKING:
    from lydian.engine.explorer.result import Counterexample, Exploration, Finding, Progress
    from lydian.engine.explorer.search import Explorer
    from lydian.engine.explorer.walks import Odds, Walked, WalkProgress
    from lydian.engine.explorer.worst import Worst
    from lydian.model.experiment.experiment import Resolved

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian explore --protocol echo --network complete:4
  lydian explore --protocol ./mine.py --network ring:4 --crashes 1
  lydian explore mine.toml --losses 1 -o lost.toml        then: lydian open lost.toml
  lydian explore mine.toml --depth 20 --states 5000000 --seconds 600 --workers 4
  lydian explore mine.toml --walk 10000 --seed 7            random schedules, of an experiment of any size
  lydian explore mine.toml --walk 10000 --priorities 3      for bugs for which 3 events need a certain order

exit codes: 0 no property is violated (some may be open); 1 a property is violated or the protocol fails in a schedule
"""
_ENDED = {
    "depth": "the given depth was reached",
    "states": "the given number of configurations was reached",
    "seconds": "the given time had passed",
    "memory": "the given memory was exhausted",
    "cancelled": "it was stopped by the user",
    "walk": "random schedules",
}
#: Options of a run that are meaningless when all orders are tried.
_TIMED = ("delay", "until", "limit")
#: Options of a search of all schedules that are meaningless for random ones.
_WHOLE = ("states", "memory", "most", "workers", "master")
#: The smallest values of options.
_LEAST = {"crashes": 0, "losses": 0, "depth": 0, "states": 1, "memory": 1, "workers": 1}
_STATES, _SECONDS = 1_000_000, 60.0
_MOST_STEPS, _MOST_OUTCOMES, _MOST_CELLS = 40, 4, 12


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "explore",
        parents=[common],
        help="try all schedules of a small experiment",
        description="Tries every order in which messages arrive, timers expire and processes start, and checks the\n"
        "protocol's properties in each of them. For networks of a few processes; for larger ones, --walk follows\n"
        "random schedules.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("experiment", metavar="EXPERIMENT", nargs="?")
    add_options(parser)
    for action in parser._actions:
        if action.dest in _TIMED:
            action.help = SUPPRESS
    parser.add_argument("--crashes", metavar="K", help="at most this many processes crash (the number planned)")
    parser.add_argument("--losses", metavar="K", help="at most this many messages are lost (the number planned)")
    parser.add_argument("--late-starts", action="store_true", help="messages may reach an initiator before it starts")
    parser.add_argument("--patient", action="store_true", help="timers expire only when no other event is enabled")
    parser.add_argument("--walk", metavar="N", help="follow this many random schedules instead of trying all")
    parser.add_argument("--priorities", metavar="D", help="random priorities, for bugs of this depth (with --walk)")
    parser.add_argument(
        "--all-orders", action="store_true", help="also try orders of events that make no difference (no reduction)"
    )
    parser.add_argument("--depth", metavar="D", help="schedules of at most this many steps")
    parser.add_argument("--states", metavar="N", help=f"at most this many configurations ({_STATES})")
    parser.add_argument("--seconds", metavar="S", help=f"at most this many seconds ({_SECONDS:g})")
    parser.add_argument("--memory", metavar="MB", help="at most this much memory (half of the machine's)")
    parser.add_argument("--workers", metavar="N", help="search in this many processes of this machine (1)")
    parser.add_argument("--master", metavar="URL", help="search on Spark, for example local[2]")
    parser.add_argument("-o", "--output", metavar="FILE.toml", help="write the first counterexample as an experiment")
    parser.add_argument("--most", metavar="FILE.toml", help="write a run with the most messages as an experiment")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(action=_explore)


def _explore(args: Namespace) -> int:
    timed = next((name for name in _TIMED if getattr(args, name) is not None), None)
    if timed is not None:
        raise Usage(f"explore tries all orders without times and does not take --{timed}; bound it with --depth")
    targets = {
        option: None if (text := getattr(args, option)) is None else output(text, EXPERIMENT, name)
        for option, name in (("output", "-o"), ("most", "--most"))
    }
    bounds = {
        name: None if (text := getattr(args, name)) is None else whole(text, f"--{name}", least)
        for name, least in _LEAST.items()
    }
    walks = None if args.walk is None else whole(args.walk, "--walk", 1)
    priorities = None if args.priorities is None else whole(args.priorities, "--priorities", 1)
    if walks is None and priorities is not None:
        raise Usage("--priorities needs --walk N, the number of random schedules")
    wrong = None if walks is None else next((name for name in _WHOLE if getattr(args, name) is not None), None)
    if wrong is not None:
        raise Usage(f"--walk follows random schedules and does not take --{wrong}; bound it with --depth and --seconds")
    if args.master is not None and args.workers is not None:
        raise Usage("--workers is for this machine and --master for Spark; give one of them")
    resolved = chosen(args).resolve()
    seconds = _SECONDS if args.seconds is None else number(args.seconds, "--seconds")
    if walks is not None:
        return _walk(args, resolved, walks, priorities, bounds, seconds, targets["output"])

    with _spark(args.master) as recruit:
        explorer, result = _search(args, resolved, bounds, seconds, recruit)
    _print(args, result, resolved)
    _save(result, targets["output"], quiet=args.json)
    _save_most(explorer, targets["most"], quiet=args.json)
    return result.exit_code


@contextlib.contextmanager
def _spark(master: str | None) -> Iterator[Any]:
    """Start Spark if there is a master, and yield what computes moves on it."""
    if master is None:
        yield None
        return
    from lydian.batch.spark.searching import SparkCrew
    from lydian.batch.spark.session import Spark

    with Spark(master) as spark:
        yield partial(SparkCrew, spark)


def _search(
    args: Namespace, resolved: Resolved, bounds: Mapping[str, int | None], seconds: float, recruit: Any
) -> tuple[Explorer, Exploration]:
    """Try all schedules."""
    from lydian.engine.explorer.search import Explorer

    explorer = Explorer(
        resolved,
        crashes=bounds["crashes"],
        losses=bounds["losses"],
        late_starts=args.late_starts,
        patient=args.patient,
        reduced=not args.all_orders,
        depth=bounds["depth"],
        states=bounds["states"] or _STATES,
        seconds=seconds,
        memory=None if (memory := bounds["memory"]) is None else memory * 1_000_000,
        workers=bounds["workers"] or 1,
        recruit=recruit,
        progress=_tell if sys.stderr.isatty() else None,
    )
    with _stopping(explorer.cancel):
        return explorer, explorer.run()


def _walk(
    args: Namespace, resolved: Resolved, count: int, priorities: int | None, bounds: Mapping[str, int | None],
    seconds: float, target: Path | None,
) -> int:  # fmt: skip
    """Follow random schedules."""
    from lydian.engine.explorer.walk import DEPTH, Walk
    from lydian.engine.explorer.walks import Walks

    walk = Walk(
        seed=resolved.experiment.seed,
        depth=DEPTH if bounds["depth"] is None else bounds["depth"],
        crashes=bounds["crashes"],
        losses=bounds["losses"],
        late_starts=args.late_starts,
        patient=args.patient,
        priorities=priorities,
    )
    progress = _tell_walk if sys.stderr.isatty() else None
    walks = Walks(resolved, count, walk, seconds=seconds, progress=progress)
    with _stopping(walks.cancel):
        result = walks.run()
    _print(args, result, resolved)
    _save(result, target, quiet=args.json)
    return result.exit_code


def _print(args: Namespace, result: Exploration, resolved: Resolved) -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    print(json.dumps(result.to_dict()) if args.json else _summary(result, resolved))


@contextlib.contextmanager
def _stopping(cancel: Callable[[], object]) -> Iterator[None]:
    """Let the first Ctrl+C end the search and report its results; the second one ends the program."""
    number = signal.SIGINT
    if signal.getsignal(number) is signal.SIG_IGN and hasattr(signal, "SIGUSR1"):
        number = signal.SIGUSR1  # this signal reaches a supervised child
    before = signal.getsignal(number)

    def stop(*_: object) -> None:
        signal.signal(number, before)
        cancel()

    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(number, stop)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            signal.signal(number, before)


def _tell(progress: Progress) -> None:
    text = f"  {plural(progress.configurations, 'configuration')}, depth {progress.depth} ... (Ctrl+C stops)"
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _tell_walk(progress: WalkProgress) -> None:
    text = f"  {progress.schedules} of {plural(progress.wanted, 'schedule')} ... (Ctrl+C stops)"
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _summary(result: Exploration, resolved: Resolved) -> str:
    """Describe the results in a few lines."""
    from lydian.engine.explorer.result import reach
    from lydian.engine.explorer.walks import UNSEEN, Walked

    network = resolved.network
    walked = result if isinstance(result, Walked) else None
    size = f"{plural(network.n, 'process', 'processes')}, {plural(network.m, 'link')}"
    which = "every schedule" if walked is None else "random schedules"
    lines = [coloured(f"{resolved.protocol.title} on {result.network}", "1") + f"  ({size}; {which})", ""]
    if result.nothing is not None:
        lines += [result.nothing, *advice(resolved, started=result.edges > 0), ""]
    how = "all of them" if result.complete else f"not all: {_ENDED[result.stopped]}"
    how = how if result.nothing is None else "nothing happens"
    if walked is None:
        lines.append(f"  configurations {result.configurations:>9}  {how}")
    else:
        lines.append(f"  schedules      {walked.schedules:>9}  {_how_they_end(walked)}")
    lines.append(f"  moves          {result.edges:>9}  {reach(result.edges, result.depth)}")
    lines.append(f"  ends           {result.ends:>9}{_how_it_ends(result)}")
    lines += _extremes(result) if walked is None else _ranges(walked)
    lines += [f"  ({note})" for note in result.notes]
    lines.append("")
    wide = max((len(each.name) for each in result.findings), default=0)
    for i, each in enumerate(result.findings):
        shown = KINDS[each.kind]
        often = "" if walked is None or each.holds is not False else f", {_how_often(*walked.violating[i])}"
        ending = often if each.holds is not None else ", open"
        lines.append(f"  {mark(each.holds)} {each.name:<{wide}}  {shown}{ending}")
        if each.why and each.holds is not True and each.why != UNSEEN:
            lines.append(f"      {each.why}")
    if result.complete and result.unreachable and result.nothing is None:
        cells = [f"{state} x {event}" for state, event in result.unreachable[:_MOST_CELLS]]
        more = len(result.unreachable) - _MOST_CELLS
        lines += ["", f"  never taken here: {', '.join(cells)}{f' and {more} more' if more > 0 else ''}"]
    for each in result.shown:
        if each.counterexample is not None:
            lines += ["", *_told(each, each.counterexample)]
    return "\n".join(lines)


def _how_it_ends(result: Exploration) -> str:
    told = [listed([f"{count} {state}" for state, count in states.items()]) for states, _ in result.outcomes]
    if not told:
        return "" if not result.complete else "  no schedule comes to an end"
    more = len(told) - _MOST_OUTCOMES
    rest = [plural(more, "other way")] if more > 0 else []
    return f"  {'; '.join([*told[:_MOST_OUTCOMES], *rest])}"


def _how_they_end(result: Walked) -> str:
    """Return how many of the random schedules came to an end, and why there are no more of them."""
    if result.nothing is not None:
        return "nothing happens"
    cut = f"{result.cut} of them cut off after {plural(result.limit, 'step')}" if result.cut else ""
    why = "" if result.stopped == "walk" else f"of {result.wanted}: {_ENDED[result.stopped]}"
    return "; ".join(each for each in (why, cut) if each) or "drawn at random"


def _how_often(first: int, count: int) -> str:
    return (
        f"in {plural(count, 'schedule')}, the first of which is number {first}" if count > 1 else f"in number {first}"
    )


def _ranges(result: Walked) -> list[str]:
    """Return the numbers of messages of the random schedules, and the probability of finding a bug."""
    least, most = result.messages
    lines = []
    if least is not None:
        upto = "in each of them" if least == most else f"to {most}, in these schedules"
        lines.append(f"  messages       {least:>9}  {upto}")
    return [*lines, *([] if result.odds is None else [_chances(result.odds)])]


def _chances(odds: Odds) -> str:
    """Return the probability of finding a bug with priorities."""
    what = f"a bug of depth {odds.depth}, if schedules have at most {plural(odds.events, 'step')}"
    return f"  guaranteed     {_percent(odds.all):>9}  {what} and {plural(odds.chains, 'chain')}"


def _percent(share: float) -> str:
    return f"{share:.1%}" if 0.001 <= share <= 0.9994 else f"{share:.1e}" if share < 0.001 else "> 99.9%"


def _extremes(result: Exploration) -> list[str]:
    if not result.complete:
        return []
    lines = []
    least, most = result.messages
    if least is not None:
        upto = "without bound" if most is None else "always" if least == most else f"to {most}"
        lines.append(f"  messages       {least:>9}  {upto}")
    if result.chain is not None:
        lines.append(f"  chain          {result.chain:>9}  messages on the longest causal chain of all")
    if result.worst is not None:
        lines.append(f"  worst case     {_or_for_ever(result.worst.moves):>9}  {_worst(result.worst)}")
    if result.rounds:
        lines.append("  rounds               yes  a run can go on for ever")
    return lines


def _or_for_ever(count: int | None) -> str:
    return "for ever" if count is None else str(count)


def _worst(found: Worst) -> str:
    if found.moves is None:
        return f"the daemon can prevent that {found.until}"
    steps = "" if found.steps == found.moves else f" (at most {plural(found.steps or 0, 'step')} of the daemon)"
    return f"{'move' if found.moves == 1 else 'moves'} at most until {found.until}{steps}"


def _reached(shown: Counterexample) -> str:
    """Return after how many steps a schedule shows its finding, and how many of them repeat for ever."""
    if shown.loop is None:
        return f"after {plural(len(shown.steps), 'step')}"
    cycle = f"a cycle of {plural(len(shown.steps) - shown.loop, 'step')}"
    return f"after {plural(shown.loop, 'step')} and {cycle}" if shown.loop else f"in {cycle}"


def _told(finding: Finding, shown: Counterexample) -> list[str]:
    """Describe a counterexample step by step."""
    from lydian.engine.explorer.result import doubt

    steps = shown.steps
    verdict = "no" if finding.holds is False else "it cannot be evaluated"
    lines = [f"  {finding.name}: {verdict}, for example {_reached(shown)}"]
    for i, step in enumerate(steps[:_MOST_STEPS]):
        again = "  (repeated from here for ever)" if i == shown.loop else ""
        lines.append(f"  {i + 1:>5}  {step}{again}")
    if len(steps) > _MOST_STEPS:
        lines.append(f"         ... and {len(steps) - _MOST_STEPS} more")
    if not steps:
        lines.append("         (at the very beginning)")
    if said := doubt(finding.to_dict()):
        lines.append(f"         ({said[:1].lower()}{said[1:].rstrip('.')})")
    return lines


def _save(result: Exploration, target: Path | None, quiet: bool) -> None:
    """Write the first counterexample."""
    from lydian.model.experiment.experiment import save

    if target is not None:
        shown = next((each.counterexample for each in result.shown), None)
        if shown is None:
            print(f"lydian: {target} is not written: no counterexample was found", file=sys.stderr)
        else:
            save(shown.experiment.with_(name=target.stem), target)
            if not quiet:
                print(f"\n  counterexample: {target}  (lydian open {target})")


def _save_most(explorer: Explorer, most: Path | None, quiet: bool) -> None:
    """Write a run with the most messages."""
    from lydian.model.experiment.experiment import save

    if most is not None:
        dearest = explorer.dearest()
        if dearest is None:
            print(f"lydian: {most} is not written: no run with the most messages is known", file=sys.stderr)
        else:
            save(dearest.experiment.with_(name=most.stem), most)
            if not quiet:
                print(f"\n  most messages: {most}  (lydian open {most})")
