"""The experiment that the arguments of ``run`` and ``render`` describe."""

from __future__ import annotations

import re
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lydian.cli.parser import Parser, Usage, number, whole
from lydian.model.errors import BadInput, LydianError, did_you_mean
from lydian.model.protocol.folder import holds_python
from lydian.model.source.syntax import tree_of

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment, Resolved

__all__ = ["Branched", "add_options", "blamed", "branched", "chosen", "is_trace", "of_batch"]

#: The part of an experiment in which an error occurs -> the options that may have caused it.
_OPTIONS = {
    "protocol": ("protocol",), "network": ("network", "protocol", "initiators", "delay"), "parameters": ("set",),
    "workload": ("command",), "timing": ("initiators", "delay"), "daemon": ("daemon",), "start": ("start",),
    "roles": ("role", "network", "protocol"),
}  # fmt: skip
#: The options whose values are stored under another name.
_NAMED = {"command": "given", "start": "begin"}


def add_options(parser: Parser) -> None:
    """Add the options that change an experiment before it runs."""
    parser.add_argument("--protocol", metavar="P", help="another protocol: a name in the archive or a file")
    parser.add_argument("--network", metavar="N", help="another network: a name, a file, or for example grid:5x5")
    parser.add_argument("--seed", metavar="K", help="another seed, a whole number")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="a parameter of the protocol")
    parser.add_argument(
        "--command", metavar="P:NAME", dest="given", action="append", default=[],
        help='a command of the user of process P (or of all): 0:Request, "all:Publish(topic=\'news\')@2.5"',
    )  # fmt: skip
    parser.add_argument("--initiators", metavar="all|P,Q", help="the processes that start: all, or their names: 0,3")
    parser.add_argument(
        "--role", metavar="ROLE=P,Q", action="append", default=[],
        help='the processes that play a role: server=1,2, or all others: client="*"',
    )  # fmt: skip
    delay = parser.add_argument("--delay", metavar="D")
    parser.before_help = lambda: setattr(delay, "help", f"delay of all links: {_laws()}")
    parser.add_argument("--daemon", metavar="KIND", help="the daemon of guarded actions: central, synchronous ...")
    parser.add_argument("--start", metavar="any", dest="begin", help="start in any configuration: any, or any:SEED")
    parser.add_argument(
        "--break-assumptions", action="store_true", help="run although an assumption of the protocol is broken"
    )
    parser.add_argument("--until", metavar="T", help="stop at this simulated time")
    parser.add_argument("--limit", metavar="N", help="stop after this many events")


def _laws() -> str:
    """Return every distribution as the user writes it."""
    from lydian.model.delays import FAMILIES

    return ", ".join(family.example for family in FAMILIES.values())


def chosen(args: Namespace) -> Experiment:
    """Return the experiment that the arguments name, with their changes; a protocol file runs on the example network.

    Raises:
        BadInput: an argument cannot be used.
    """
    from lydian.model.archive.archive import EXAMPLE, archive
    from lydian.model.experiment.experiment import Experiment

    base, protocol, network = args.experiment, args.protocol, args.network
    if base is not None and (base.endswith(".py") or holds_python(Path(base))):
        if protocol is not None:
            raise Usage(f"two protocols are given, {base} and {protocol}; remove one of them")
        base, protocol = None, base
    if base is None:
        if protocol is None and network is None:
            raise Usage("EXPERIMENT is missing; name one (lydian archive lists them) or give --protocol")
        experiment = Experiment(_stem(protocol or "echo"), protocol="echo", network=EXAMPLE)
    else:
        experiment = of_batch(base) or archive().experiment(base)
    changes: dict[str, Any] = {}
    if protocol is not None:
        changes["protocol"] = _from_here(protocol, ".py")
    if network is not None:
        given = network if _is_spec(network) else _from_here(network, ".json")
        _check_network(network, given)
        # Blame the protocol rather than this experiment: its file does not contain the error.
        if base is not None and base in archive().names("protocols"):
            experiment = experiment.moved(given).with_(path=None)  # what is wrong now is not in the file
        changes["network"] = given
    if args.seed is not None:
        changes["seed"] = whole(args.seed, "--seed")
    timing = experiment.timing
    if args.delay is not None:
        from lydian.model.delays import parse

        timing = replace(timing, delay=parse(args.delay, place="--delay"), gst=None)
    if args.initiators is not None:
        timing = replace(timing, initiators=_initiators(args.initiators))
    if timing != experiment.timing:
        changes["timing"] = timing
    changes.update(_guarded(args, experiment))
    if getattr(args, "role", None):
        changes["roles"] = _roles(args.role)
    if args.until is not None or args.limit is not None:
        stop = experiment.stop
        if args.until is not None:
            stop = replace(stop, until=number(args.until, "--until", "a finite time that is not negative"))
        if args.limit is not None:
            stop = replace(stop, events=min(whole(args.limit, "--limit", 1), 2**31 - 1))
        changes["stop"] = stop
    changed = experiment.with_(**changes)
    if args.set or protocol is not None:
        changed = changed.with_(parameters=_parameters(changed, args.set, other=protocol is not None))
    if getattr(args, "break_assumptions", False):
        changed = changed.with_(breaks=("all",))
    if getattr(args, "given", None):
        changed = _commanded(changed, args.given)
    if changed.animation is not None:
        from lydian.pieces.animation import allow

        allow(changed)
    return changed


def _roles(given: list[str]) -> dict[str, Any]:
    """Return the table of roles that ``--role`` gives."""
    found: dict[str, Any] = {}
    for text in given:
        role, equals, names = (part.strip() for part in text.partition("="))
        if not (role and equals and names):
            raise Usage(f"--role: must be ROLE=PROCESSES, for example server=1,2 or client='*', not {text!r}")
        found[role] = "*" if names == "*" else tuple(name.strip() for name in names.split(","))
    return found


def blamed(args: Namespace, error: LydianError) -> LydianError:
    """Return the error unchanged, or with an option as its place if the options alone caused it, not the file.

    Args:
        args: the arguments of the command line.
        error: what is wrong with an experiment that :func:`chosen` has built, or any other error.
    """
    from lydian.model.archive.archive import archive

    base = getattr(args, "experiment", None)
    if type(error) is not BadInput or base is None or not hasattr(args, "given"):
        return error
    part = (error.place or "parameters").partition(".")[0].partition("[")[0]
    asked = [text for option in _OPTIONS.get(part, ()) for text in _typed(args, option)]
    if not asked:
        return error
    try:
        whole = of_batch(base) or archive().experiment(base)
        if error.file is not None and whole.path != error.file:
            return error  # the error is in the file of the protocol or network itself
        whole.resolve()
    except LydianError as first:
        if str(first) == str(error):
            return error
    told = [text for text in asked if error.place is not None and text.partition(" ")[2].startswith(_key(error.place))]
    return BadInput(error.what, place=" ".join(told or asked))


def _key(place: str) -> str:
    """Return the beginning of the option that sets the parameter of a place such as ``parameters.retries``."""
    return place.partition(".")[2] + "="


def _typed(args: Namespace, option: str) -> list[str]:
    """Return an option as it was typed, once for each occurrence."""
    value = getattr(args, _NAMED.get(option, option), None)
    return [f"--{option} {each}" for each in ([] if value is None else value if isinstance(value, list) else [value])]


def _check_network(typed: str, given: str) -> None:
    """Report an error in a network as it was typed, before the experiment is blamed for it."""
    from lydian.model.generators import KINDS, from_spec

    if not _is_spec(given) and given not in KINDS:
        return
    try:
        from_spec(given)
    except BadInput as error:
        raise BadInput(error.what, place=f"--network {typed}") from None


_COMMAND = re.compile(
    r"(?P<process>[^:]+):(?P<label>\w+)\s*(?:\((?P<fields>.*)\))?\s*(?:@(?P<time>[^@()]+))?", re.DOTALL
)


def _commanded(experiment: Experiment, commands: list[str]) -> Experiment:
    """Return the experiment with the further commands that ``--command`` gives to its processes."""
    import ast

    from lydian.model.interventions import Intervention

    given = []
    for text in commands:
        found = _COMMAND.fullmatch(text.strip())
        if found is None:
            raise Usage(f"--command: must be PROCESS:NAME, for example 0:Request or all:Request@2.5, not {text!r}")
        fields: dict[str, Any] = {}
        if found["fields"]:
            try:
                call = tree_of(f"f({found['fields']})", mode="eval").body
                assert isinstance(call, ast.Call) and not call.args
                fields = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
            except (SyntaxError, ValueError, AssertionError):
                what = "fields must be written as in Publish(topic='news', number=3)"
                raise Usage(f"--command {text!r}: {what}") from None
        time = 0.0 if found["time"] is None else number(found["time"], "--command", "a time that is not negative")
        names = experiment.resolve().network.processes if found["process"] == "all" else (found["process"].strip(),)
        given += [Intervention(time, "command", process=p, label=found["label"], fields=fields) for p in names]
    return experiment.with_(workload=(*experiment.workload, *given))


def _guarded(args: Namespace, experiment: Experiment) -> dict[str, Any]:
    """Return the daemon and the start that the arguments determine."""
    changes: dict[str, Any] = {}
    if args.daemon is not None:
        from lydian.model.experiment.daemon import DAEMONS

        if args.daemon not in DAEMONS:
            hint = did_you_mean(args.daemon, DAEMONS) or f"; choose from {', '.join(DAEMONS)}"
            raise BadInput(f"unknown daemon '{args.daemon}'{hint}", place="--daemon")
        changes["daemon"] = replace(experiment.daemon, kind=args.daemon)
    if args.begin is not None:
        from lydian.model.experiment.daemon import Start

        word, _, seed = args.begin.partition(":")
        if word != "any":
            raise Usage(f"--start must be any or any:SEED, not {args.begin}")
        changes["start"] = Start(any=True, seed=whole(seed, "--start") if seed else 0)
    return changes


def _initiators(text: str) -> Any:
    """Return ``all``, or the names between the commas."""
    if text.strip() == "all":
        return "all"
    names = tuple(name for part in text.split(",") if (name := part.strip()))
    if not names:
        raise Usage(f"--initiators: must be all or names of processes such as 0,3, not {text!r}")
    return names


def of_batch(ref: str) -> Experiment | None:
    """Return the experiment of a run of a batch, ``DIR#1`` or ``DIR#run=17``; ``None`` for anything else.

    Raises:
        BadInput: there is no such run.
    """
    if "#" not in ref:
        return None
    from lydian.batch.spark.surprise import experiment_of, named_run

    found = named_run(ref)
    return None if found is None else experiment_of(*found)


class Branched(NamedTuple):
    """A branch of an experiment: its ID and name in the tree, and the experiment to run."""

    id: int
    name: str
    resolved: Resolved


def branched(experiment: Experiment, name: str, *, by_id: bool = False) -> Branched:
    """Return the branch of an experiment with this name, or with this ID.

    Raises:
        BadInput: there is no such branch, or it names something that the network or the protocol does not have.
    """
    from lydian.model.experiment.branches import Branches
    from lydian.model.experiment.experiment import Resolved

    tree, whole = Branches.of(experiment), experiment.resolve()
    try:
        id = int(name) if by_id else tree.find(name)
    except BadInput as error:
        raise Usage(f"--branch: {error.what}") from None
    tree.check(id, whole.network, whole.protocol)
    return Branched(id, tree.name(id), Resolved(tree.path(id), whole.protocol, whole.network, whole.parameters))


def is_trace(ref: str) -> bool:
    """Return whether a file contains a trace, judged by its first bytes; a hand-in contains one as well."""
    try:
        if not Path(ref).is_file():  # reading a pipe may block for ever
            return False
        with Path(ref).open("rb") as stream:
            head = stream.read(4)
    except (OSError, ValueError):
        return False
    from lydian.model.archive.handin import is_hand_in

    return head == b"PAR1" or (head[:2] == b"PK" and is_hand_in(ref))


def _parameters(experiment: Experiment, settings: list[str], *, other: bool) -> dict[str, Any]:
    """Return the experiment's parameters (those that a replaced protocol shares) and those given as text."""
    from lydian.model.archive.archive import archive
    from lydian.model.experiment.experiment import value_from_text

    known = archive().protocol(experiment.protocol_ref).parameters
    values = {name: value for name, value in experiment.parameters.items() if not other or name in known}
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.strip()
        if not equals or not name:
            raise Usage(f"--set: must be NAME=VALUE, for example --set retries=3, not {setting!r}")
        values[name] = value_from_text(text.strip(), known[name].default) if name in known else text
    return values


def _is_spec(ref: str) -> bool:
    return ":" in ref and not ref.endswith(".json") and "/" not in ref and "\\" not in ref


def _from_here(ref: str, suffix: str) -> str:
    """Resolve a path on the command line from the current folder, not from the experiment's folder."""
    return str(Path(ref).absolute()) if ref.endswith(suffix) or "/" in ref or "\\" in ref else ref


def _stem(ref: str) -> str:
    return Path(ref).stem
