"""Faults of programs: which interventions are possible, and how they are written on one line.

A fault is an ordinary intervention; for programs ``crash`` kills, ``recover`` starts anew, ``take_over`` pauses the
process (it keeps its memory and takes no step) and ``release`` resumes it. Times are in milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions.kind import Intervention
from lydian.model.reading import parse_toml, read_text

if TYPE_CHECKING:
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["BY_HAND", "POSSIBLE", "WORDS", "check", "read", "read_file", "told"]

#: The kinds of intervention that are possible.
POSSIBLE = ("crash", "recover", "link_down", "link_up", "partition", "heal", "take_over", "release", "retime")
#: The kinds that are possible only by hand, on a message in transit whose number is given.
BY_HAND = ("drop", "delay")
#: Word -> the kind of intervention, and the kind that undoes it at the time after ``until``.
WORDS = {
    "crash": ("crash", "recover"), "kill": ("crash", "recover"), "recover": ("recover", ""),
    "restart": ("recover", ""), "pause": ("take_over", "release"), "resume": ("release", ""),
    "cut": ("link_down", "link_up"), "restore": ("link_up", ""), "partition": ("partition", ""), "heal": ("heal", ""),
    "delay": ("retime", ""),
}  # fmt: skip
_SHAPE = re.compile(r"(?P<word>\w+)(?:\s+(?P<what>.+?))?\s+at\s+(?P<time>\S+)(?:\s+until\s+(?P<until>\S+))?")
_EXAMPLE = 'write, for example, "crash n3 at 2000 until 4000" or "partition n0,n1 | n2 at 1000"'


def read(text: str) -> list[Intervention]:
    """Return the interventions that a line describes: ``cut n0-n1 at 500 until 900`` are two.

    Raises:
        BadInput: it is not such a line.
    """
    found = _SHAPE.fullmatch(text.strip())
    if found is None:
        raise BadInput(f"{shown(text)} is not a fault; {_EXAMPLE}")
    if found["word"] not in WORDS:
        hint = did_you_mean(found["word"], WORDS) or f"; choose from {', '.join(WORDS)}"
        raise BadInput(f"unknown fault {shown(found['word'])}{hint}")
    do, undo = WORDS[found["word"]]
    keys = _keys(do, (found["what"] or "").strip(), text)
    time = _time(found["time"], text)
    if found["until"] is None:
        return [Intervention(time, do, keys=keys)]
    until = _time(found["until"], text)
    if until <= time:
        raise BadInput(f"the end of {shown(text)} must be later than its beginning")
    if do == "partition":
        return [Intervention(time, do, keys=keys | {"until": until})]
    if not undo:
        raise BadInput(f"{found['word']} has no end; remove until from {shown(text)}")
    return [Intervention(time, do, keys=keys), Intervention(until, undo, keys=keys)]


def _keys(do: str, what: str, text: str) -> dict[str, Any]:
    if do == "heal":
        if what:
            raise BadInput(f'heal ends all partitions; write "heal at 3000", not {shown(text)}')
        return {}
    if not what:
        raise BadInput(f"{shown(text)} does not say where; {_EXAMPLE}")
    if do == "partition":
        groups = [tuple(re.split(r"[\s,]+", group.strip())) for group in what.split("|")]
        return {"groups": tuple(group for group in groups if any(group))}
    if do in ("link_down", "link_up"):
        one_way = "->" in what
        return {"link": _ends(what, text)} | ({"one_way": True} if one_way else {})
    if do == "retime":
        place, _, law = what.partition(" ")
        if not law.strip():
            raise BadInput(f'write, for example, "delay n0-n1 exponential(mean=50) at 1000", not {shown(text)}')
        return {"link": _ends(place, text), "distribution": law.strip()}
    return {"process": what}


def _ends(what: str, text: str) -> tuple[str, str]:
    ends = [each.strip() for each in re.split(r"->|-", what)]
    if len(ends) != 2 or not all(ends):
        raise BadInput(f"{shown(text)} must name the two ends of a link, such as n0-n1")
    return ends[0], ends[1]


def _time(word: str, text: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise BadInput(f"the time in {shown(text)} must be a number of milliseconds, not {word}")
    return value


def read_file(path: Path | str) -> list[Intervention]:
    """Return the faults in a file: the tables ``[[faults]]`` of an experiment, or lines as :func:`read` takes them.

    Raises:
        BadInput: names the file and the place.
    """
    text = read_text(path, "a list of faults", 1_000_000)
    found: list[Intervention] = []
    if Path(path).suffix == ".toml":
        tables = parse_toml(text, path).get("faults", [])
        if not isinstance(tables, list):
            raise BadInput("faults must be tables, [[faults]]", file=path, place="faults")
        for i, each in enumerate(tables):
            table = dict(each) if isinstance(each, dict) else each
            if isinstance(table, dict) and table.get("do") in ("pause", "resume", "kill", "restart"):
                table["do"] = WORDS[table["do"]][0]
            found.append(Intervention.from_dict(table, path, f"faults[{i}]"))
        return found
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.strip().startswith("#"):
            try:
                found += read(line)
            except BadInput as error:
                raise BadInput(error.what, file=path, place=f"line {number}") from None
    return found


def check(faults: Sequence[Intervention], network: Network, *, by_hand: bool = False) -> None:
    """Refuse faults that are not possible with programs, or that name something that the network does not have.

    Args:
        by_hand: whether the user makes them while the programs run.

    Raises:
        BadInput: names the fault.
    """
    for each in faults:
        if by_hand and each.do in BY_HAND and each.message is not None and each.label is None and each.link is None:
            continue
        if each.do not in POSSIBLE or (each.do == "retime" and each.process is not None):
            what = "retime of a process" if each.do == "retime" else each.do
            words = ", ".join(word for word in WORDS if word not in ("kill", "restart"))
            raise BadInput(f"{what} is not possible with programs; choose from {words}", place="faults")
        each.check(network, cast("Protocol", None), place="faults")


def told(what: Intervention) -> str:
    """Return a fault as a line that :func:`read` accepts, without its end."""
    word = next(word for word, (do, _) in WORDS.items() if do == what.do)
    if what.do == "partition":
        where = " | ".join(",".join(group) for group in what.groups)
        end = "" if what.until is None else f" until {what.until:g}"
        return f"partition {where} at {what.time:g}{end}"
    if what.link is not None:
        where = ("->" if what.one_way else "-").join(what.link)
        where += f" {what.distribution}" if what.do == "retime" else ""
    else:
        where = what.process or ""
    return " ".join(filter(None, (word, where, f"at {what.time:g}")))
