"""Assumptions with a number: at most f processes fail, and every message takes less than a round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from lydian.language import later
from lydian.model.errors import BadInput, shown

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["CRASHES", "DOWN", "LIARS", "NAMES", "SYNCHRONY", "TEXTS", "Bound", "Texts", "What"]


class What(Enum):
    """What a number bounds: the processes that ever crash, those that are simultaneously down, or those that are
    faulty in any way; or the delay of each message.

    The members are no texts, because a Byzantine process may send the texts that a protocol file names.
    """

    CRASHES = "crashes"
    DOWN = "down"
    LIARS = "liars"
    SYNCHRONY = "synchrony"


CRASHES, DOWN, LIARS, SYNCHRONY = What


class Texts(NamedTuple):
    """The texts for one kind of bound.

    Attributes:
        name: the name of the assumption.
        sentence: the assumption as a clause.
        title: the text of its switch; conditional: the same with a condition.
        without: what may happen if it does not hold.
        verb: what the processes do that are counted, in the singular and in the plural.
    """

    name: str
    sentence: str
    title: str
    conditional: str = ""
    without: str = ""
    verb: tuple[str, str] = ("", "")


TEXTS = {
    CRASHES: Texts(
        "few crashes", "at most {most} processes crash", later("At most {most} processes crash", "need"),
        later("At most {most} processes crash, and {given}", "need"), later("more processes crash", "without"),
        ("crashes", "crash"),
    ),
    DOWN: Texts(
        "few down", "at most {most} processes are simultaneously down",
        later("At most {most} processes are simultaneously down", "need"),
        later("At most {most} processes are simultaneously down, and {given}", "need"),
        later("more processes are simultaneously down", "without"),
        ("is down", "are simultaneously down"),
    ),
    LIARS: Texts(
        "few liars", "at most {most} processes are Byzantine",
        later("At most {most} processes are Byzantine", "need"),
        later("At most {most} processes are Byzantine, and {given}", "need"),
        later("more processes are Byzantine", "without"), ("is faulty", "are faulty"),
    ),
    SYNCHRONY: Texts(
        "synchrony", "every message takes less than {most}", later("Every message takes less than {most}", "need"),
        without=later("messages take longer", "without"),
    ),
}  # fmt: skip
#: The names of the assumptions with a number.
NAMES = tuple(each.name for each in TEXTS.values())


@dataclass(frozen=True)
class Bound:
    """The number in an assumption.

    Attributes:
        what: what it bounds.
        most: a formula over n, m and the parameters: the largest number of processes, or the time that every message
            must take less than.
        given: a condition without which not even one process may be faulty: ``n > 3*f``; "" if there is none.
        defaults: the default values of the protocol's parameters.
    """

    what: What
    most: str
    given: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def check(self, names: Iterable[str]) -> None:
        """Refuse a formula that uses anything other than n, m and these parameters.

        Raises:
            BadInput: names the formula.
        """
        from lydian.model.lang.formula import Formula

        names = ("n", "m", *names)
        for each in filter(None, (self.most, self.given)):
            Formula(each).check(names)

    def value(self, network: Network, parameters: Mapping[str, Any]) -> float | None:
        """Return the number on a network with these parameters; ``None`` if it cannot be computed."""
        from lydian.model.lang.formula import Formula

        names = {"n": network.n, "m": network.m, **self.defaults, **parameters}
        try:
            if not self.met(network, parameters):
                return 0.0
            return Formula(self.most).value(names)
        except BadInput:
            return None

    def met(self, network: Network, parameters: Mapping[str, Any]) -> bool:
        """Return whether the condition holds.

        Raises:
            BadInput: it cannot be computed.
        """
        from lydian.model.lang.formula import Formula

        names = {"n": network.n, "m": network.m, **self.defaults, **parameters}
        return not self.given or bool(Formula(self.given).value(names))

    def with_defaults(self, defaults: Mapping[str, Any]) -> Bound:
        """Return the same bound for a protocol whose parameters have these default values."""
        return replace(self, defaults=dict(defaults))

    @property
    def words(self) -> dict[str, str]:
        """The formulas as they are written in a sentence: ``most`` and ``given``."""
        return {"most": _plain(self.most), "given": _plain(self.given)}


def formula(most: object, word: str) -> str:
    """Return the text of a bound that a protocol file gives as a formula or a number.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(most, str) and most.strip():
        return most.strip()
    if isinstance(most, int | float) and not isinstance(most, bool):
        return f"{most:g}"
    raise TypeError(f"{word} needs a number or a formula such as 'f' or '(n - 1) // 2', not {shown(most)}")


def _plain(text: str) -> str:
    """Return a formula with products as in a book: ``n > 3f``."""
    return re.sub(r"(\d)\s*\*\s*([A-Za-z])\b", r"\1\2", text)
