"""Generated networks: rings, grids, trees, random graphs.

``generate("grid", 5, 5)`` and ``from_spec("grid:5x5")`` give the same network. Processes are named "0" to "n-1",
process 0 is the initiator, and all processes have positions. Random networks depend only on the seed, are the same on
every machine, and are always connected; :mod:`lydian.model.generators.chance` describes how.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from lydian.model.delays import as_distribution
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.generators.kinds import KINDS, MOST_LINKS, MOST_PROCESSES, Argument, Generator
from lydian.model.generators.regular import Plan
from lydian.model.network import Network
from lydian.model.network.links import Link

__all__ = ["KINDS", "OPTIONS", "Argument", "Generator", "Plan", "from_spec", "generate"]

#: The options of every kind of network, in addition to the arguments of the kind.
OPTIONS: dict[str, str] = {
    "seed": "of a random network, a whole number",
    "delay": "of a message on a link, such as exponential(mean=1)",
    "order": "fifo or unordered",
    "loss": "the probability that a message is lost",
    "duplication": "the probability that a message is delivered twice",
    "corruption": "the probability that a message is corrupted in transit",
    "anonymous": "true: processes do not know their names",
    "starts": "all: every process starts by itself; first: only process 0",
    "layout": "circle, grid, spring, layers, radial, stress or disc instead of the kind's own",
}


def generate(
    kind: str,
    *args: int | float | str,
    seed: int = 0,
    name: str | None = None,
    delay: object = None,
    order: str | None = None,
    loss: float | None = None,
    duplication: float | None = None,
    corruption: float | None = None,
    anonymous: bool = False,
    layout: str | None = None,
    starts: str = "first",
    **parameters: int | float | str,
) -> Network:
    """Generate a network.

    Args:
        kind: one of :data:`KINDS`.
        args: the arguments of the kind in order; missing ones have their defaults.
        seed: the seed of a random kind.
        name: the name of the network; by default it consists of the kind and its arguments, "grid-5x5".
        delay, order, loss, duplication, corruption, anonymous: settings of the network (see
            :class:`~lydian.model.network.Network`).
        layout: a layout that replaces that of the kind.
        starts: ``"all"``: every process is an initiator; ``"first"``: only process 0.
        parameters: arguments by name.

    Raises:
        BadInput: a kind or an argument is unknown, or a value is out of range: "a ring must have at least 3 processes,
            not 2".
    """
    generator = _generator(kind)
    values = _values(generator, args, parameters)
    seed = _seed(seed)
    if starts not in ("first", "all"):
        raise BadInput(f"starts must be first or all, not {shown(starts)}")
    n, m = generator.size(*values)
    for count, most, what in ((n, MOST_PROCESSES, "processes"), (m, MOST_LINKS, "links")):
        if count > most:
            raise BadInput(f"{generator.noun} of this size has {count:.0f} {what}; the number must be at most {most}")
    plan = generator.build(*values, seed) if generator.random else generator.build(*values)
    names = tuple(str(i) for i in range(plan.n))
    title = "-".join([kind, ("x" if generator.times else "-").join(f"{value:g}" for value in values)]).rstrip("-")
    title += f"-seed-{seed}" if generator.random and seed else ""
    named = {p.name: f"{value:g}" for p, value in zip(generator.parameters, values, strict=True)}
    sentence = re.sub(r"\b1 (process|dimension)(es|s)\b", r"1 \1", generator.sentence.format(**named))
    network = Network(
        name=title if name is None else name,
        processes=names,
        links=tuple(Link(names[i], names[j], directed=plan.directed) for i, j in plan.pairs),
        initiators=names if starts == "all" else names[:1],
        anonymous=_truth(anonymous),
        about=sentence,
        **_timing(delay, order, loss=loss, duplication=duplication, corruption=corruption),
    )
    if layout is None and plan.points is not None:
        points = np.round(plan.points, 1) + 0.0
        return network.replace(positions=dict(zip(names, map(tuple, points.tolist()), strict=True)))
    from lydian.model import layouts

    return layouts.layout(network, layout) if layout is not None else layouts.placed(network)


def from_spec(spec: str) -> Network:
    """Return the network that a short text describes: ``grid:5x5``, ``ring:8``, ``gnm:100,300,seed=1``.

    Arguments are separated by commas (or x) and given in order or by name; those of :data:`OPTIONS` may follow, for
    example ``ring:8,delay=exponential(mean=2),order=fifo,anonymous=true``.

    Raises:
        BadInput: the text is wrong; the error says what would be right.
    """
    kind, _, rest = spec.partition(":")
    generator = _generator(kind.strip(), spec)
    args: list[str] = []
    named: dict[str, str] = {}
    for part in _parts(rest):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or "(" in key:
            if named:
                raise BadInput(f"{shown(part)} in {shown(spec)} has no name; it must come before the named arguments")
            args += re.split(r"[x×*]", part) if re.fullmatch(r"\s*\d+(\s*[x×*]\s*\d+)+\s*", part) else [part]
        elif key in named:
            raise BadInput(f"{key} appears twice in {shown(spec)}")
        else:
            named[key] = value.strip("\"'")
    return generate(generator.name, *args, **named)  # type: ignore[arg-type]  # texts are turned into numbers there


def _parts(text: str) -> list[str]:
    """Split at commas that are not in brackets or quotation marks."""
    parts, depth, quote = [""], 0, ""
    for mark in text:
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "\"'":
            quote = mark
        elif mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
        if mark == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += mark
    return [] if parts == [""] or not text.strip() else parts


def _generator(kind: str, spec: str | None = None) -> Generator:
    if kind not in KINDS:
        where = "" if spec is None or spec == kind else f" in {shown(spec)}"
        hint = did_you_mean(kind, KINDS)
        raise BadInput(f"unknown kind of network {shown(kind)}{where}{hint}; choose from {', '.join(KINDS)}")
    return KINDS[kind]


def _values(generator: Generator, args: tuple[Any, ...], named: Mapping[str, Any]) -> list[int | float]:
    known = [p.name for p in generator.parameters]
    if len(args) > len(known):
        wanted = f"{len(known)} argument{'s'[: len(known) > 1]} ({', '.join(known)})"
        raise BadInput(f"{generator.noun} takes {wanted}, not {len(args)}; write it like {generator.example}")
    given = dict(zip(known, args, strict=False))
    for name, value in named.items():
        if name not in known:
            hint = did_you_mean(name, [*known, *OPTIONS])
            words = f"{', '.join(known)}, and {', '.join(OPTIONS)}"
            raise BadInput(f"unknown argument {shown(name)} of {generator.noun}{hint}; choose from {words}")
        if name in given:
            raise BadInput(f"{generator.noun} is given {name} twice")
        given[name] = value
    if generator.times and known[0] in given:
        given.setdefault(known[1], given[known[0]])  # grid:5 means grid:5x5
    values: list[int | float] = []
    for p in generator.parameters:
        if p.name in given:
            values.append(_value(generator, p, given[p.name]))
        else:  # this default must fit the arguments that were given
            values.append(p.default if p.usual is None else p.usual(*values[:1]))
    return values


def _value(generator: Generator, argument: Argument, value: Any) -> int | float:
    whole = isinstance(argument.default, int)
    kind = "a whole number" if whole else "a number"
    try:
        if isinstance(value, (bool, float)) and whole and value != int(value):
            raise ValueError
        number = int(value) if whole else float(value)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{argument.name} of {generator.noun} must be {kind}, not {shown(value)}") from None
    if not argument.least <= number <= argument.most:
        bound = "at least" if not number > argument.most else "at most"
        limit = argument.least if bound == "at least" else argument.most
        raise BadInput(f"{generator.noun} must have {bound} {_phrase(argument, limit)}, not {number}")
    return number


def _phrase(argument: Argument, value: float) -> str:
    """Return a value with its unit, "8 processes", or with its name, "radius 0.25"."""
    if " " in argument.help:
        return f"{argument.name} = {value:g}"
    one = "process" if argument.help == "processes" else argument.help.removesuffix("s")
    return f"{value:g} {argument.help if value != 1 else one}"


def _seed(seed: object) -> int:
    try:
        if isinstance(seed, (bool, float)):
            raise ValueError
        return int(seed)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError):
        raise BadInput(f"a seed must be a whole number, not {shown(seed)}") from None


def _truth(value: object) -> bool:
    words = {"true": True, "yes": True, "false": False, "no": False}
    found = value if isinstance(value, bool) else words.get(str(value).lower())
    if found is None:
        raise BadInput(f"anonymous must be true or false, not {shown(value)}")
    return found


def _timing(delay: object, order: str | None, **rates: object) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if delay is not None:
        given["delay"] = as_distribution(delay)
    if order is not None:
        given["order"] = order
    for rate, share in rates.items():
        if share is not None:
            try:
                given[rate] = float(share) if isinstance(share, str) else share
            except ValueError:
                raise BadInput(f"{rate} must be a probability from 0 to 1, not {shown(share)}") from None
    return given
