"""The language for distributions in files, on the command line and in the editor.

    constant(1)    1.5    uniform(0.5, 1.5)    exponential(mean=1)    normal(1, 0.2)    lognormal(mean=1, sd=0.6)
    gamma(mean=1, k=4)    pareto(mean=1, a=2.5)    weibull(mean=1, k=1.5)    empirical(1, 2, 2.5)
    empirical(waits.txt)    mix(0.9: constant(1), 0.1: exponential(mean=5))

Parameters are given in this order, or by name in any order; a number alone is a constant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from lydian.model.delays.bells import Gamma, LogNormal, Normal
from lydian.model.delays.distribution import FAMILIES, TIME, Argument, Distribution, number
from lydian.model.delays.families import Constant, Exponential, Pareto, Uniform, Weibull
from lydian.model.delays.mixtures import MOST_NUMBERS, Empirical, Mixture
from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = [
    "FAMILIES", "TIME", "Argument", "Constant", "Distribution", "Empirical", "Exponential", "Gamma", "LogNormal",
    "Mixture", "Normal", "Pareto", "Uniform", "Weibull", "as_distribution", "number", "parse",
]  # fmt: skip

LONGEST = 300_000  # characters: room for an empirical distribution of 10,000 numbers
DEEPEST = 8  # levels of mixtures in mixtures
LARGEST_FILE = 1_000_000  # size of a file of numbers in bytes

for _family in (Constant, Uniform, Exponential, Normal, LogNormal, Gamma, Pareto, Weibull, Empirical, Mixture):
    FAMILIES.register(_family)

_TOKEN = re.compile(r"""\s*(?:(?P<mark>[(),:=])|"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>[^\s(),:="']+))""")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)


def parse(text: str, *, file: Path | str | None = None, place: str | None = None) -> Distribution:
    """Return the distribution that a text describes.

    Args:
        text: for example ``"uniform(0.5, 1.5)"`` or ``"1.5"``.
        file: the file that contains it; the file in ``empirical(waits.txt)`` is looked up beside it.
        place: the place in that file, for errors.

    Raises:
        BadInput: the text is not a distribution; the error says what would be right.
    """
    try:
        return _Parser(text, None if file is None else Path(file).parent).whole()
    except BadInput as error:
        if error.file is not None:  # the file of numbers that the text names
            raise
        raise BadInput(error.what, file=file, place=place) from None


def as_distribution(value: object, *, file: Path | str | None = None, place: str | None = None) -> Distribution:
    """Convert a distribution, a number or a text to a distribution; any other value raises BadInput."""
    if isinstance(value, Distribution):
        return value
    if isinstance(value, str):
        return parse(value, file=file, place=place)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        what = f"must be a distribution such as uniform(0.5, 1.5), not {shown(value)}"
        raise BadInput(what, file=file, place=place)
    try:
        return Constant(value)
    except BadInput as error:
        raise BadInput(error.what, file=file, place=place) from None


class _Token(NamedTuple):
    kind: str  # mark, quoted, word, end
    text: str


class _Parser:
    """A recursive-descent parser; each method reads one phrase."""

    def __init__(self, text: str, folder: Path | None) -> None:
        if not isinstance(text, str):
            raise BadInput(f"a distribution must be text such as uniform(0.5, 1.5), not {shown(text)}")
        if len(text) > LONGEST:
            raise BadInput(f"a distribution must have at most {LONGEST} characters, not {len(text)}")
        self.text = text
        self.folder = folder
        self.tokens = self._tokens()
        self.at = 0

    def _tokens(self) -> list[_Token]:
        tokens, at, end = [], 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise BadInput(f"a quotation mark is not closed in {shown(self.text)}")
            kind = match.lastgroup or ""
            tokens.append(_Token({"double": "quoted", "single": "quoted"}.get(kind, kind), match[kind]))
            at = match.end()
        return [*tokens, _Token("end", "")]

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, mark: str | None = None) -> _Token | None:
        """Return the next token if it is this mark (any token for None), and move on."""
        token = self.next
        if token.kind == "end" or (mark is not None and (token.kind != "mark" or token.text != mark)):
            return None
        self.at += 1
        return token

    def wrong(self, needed: str) -> NoReturn:
        token = self.next
        if token.kind == "end":
            found = "the text ends"
        else:
            found = f"found {shown(token.text)}"
        raise BadInput(f"{found} where {needed} was expected in {shown(self.text)}")

    def whole(self) -> Distribution:
        if self.next.kind == "end":
            raise BadInput("a distribution is missing; write, for example, uniform(0.5, 1.5)")
        found = self.distribution(0)
        if self.next.kind != "end":
            raise BadInput(f"unexpected {shown(self.next.text)} after the distribution in {shown(self.text)}")
        return found

    def distribution(self, depth: int) -> Distribution:
        if depth > DEEPEST:
            raise BadInput(f"mixtures must be nested at most {DEEPEST} deep")
        token = self.next
        if token.kind != "word":
            self.wrong("a distribution such as uniform(0.5, 1.5)")
        self.at += 1
        if self.take("(") is None:
            return self.bare(token.text)
        name = token.text
        if name not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise BadInput(f"unknown distribution {shown(name)}{did_you_mean(name, FAMILIES)}; choose from {known}")
        if name == "mix":
            return self.mixture(depth)
        if name == "empirical":
            return self.empirical()
        return self.simple(name)

    def bare(self, word: str) -> Distribution:
        value = _as_number(word)
        if value is not None:
            return Constant(value)
        if word in FAMILIES:
            raise BadInput(f"{word} must have its numbers in brackets, as in {FAMILIES[word].example}")
        raise BadInput(
            f"unknown distribution {shown(word)}{did_you_mean(word, FAMILIES)}; write it like uniform(0.5, 1.5)"
        )

    def simple(self, name: str) -> Distribution:
        names, example = tuple(each.name for each in FAMILIES[name].arguments), FAMILIES[name].example
        given: dict[str, float] = {}
        position = 0

        def one() -> None:
            nonlocal position
            after = self.tokens[self.at + 1] if self.next.kind == "word" else self.next
            if after == _Token("mark", "="):
                parameter = self.next.text
                self.at += 2
                if parameter not in names:
                    hint = did_you_mean(parameter, names)
                    raise BadInput(f"{name} has no parameter {shown(parameter)}{hint}; write it like {example}")
                if parameter in given:
                    raise BadInput(f"{name} is given {parameter} twice; write it like {example}")
            elif len(given) > position:
                raise BadInput(f"{name} has an unnamed number after a named one; write it like {example}")
            elif position >= len(names):
                counted = f"{len(names)} number{'s'[: len(names) > 1]} ({', '.join(names)})"
                raise BadInput(f"{name} takes at most {counted}; write it like {example}")
            else:
                parameter = names[position]
                position += 1
            given[parameter] = self.number(f"{name}'s {parameter}")

        self.list(one, name)
        missing = [parameter for parameter in names if parameter not in given]
        if missing:
            raise BadInput(f"{name} needs {' and '.join(missing)}, as in {example}")
        return FAMILIES[name](*(given[parameter] for parameter in names))

    def empirical(self) -> Distribution:
        if self.next == _Token("word", "file") and self.tokens[self.at + 1] == _Token("mark", "="):
            self.at += 2
        token = self.next
        if token.kind == "quoted" or (token.kind == "word" and _as_number(token.text) is None):
            self.at += 1
            if self.take(")") is None:
                self.wrong("')' after the file's name (put a name with unusual characters in quotation marks)")
            return Empirical(_numbers_of(token.text, self.folder), source=token.text)
        values: list[float] = []
        self.list(lambda: values.append(self.number("empirical's numbers")), "empirical")
        return Empirical(tuple(values))

    def mixture(self, depth: int) -> Distribution:
        parts: list[tuple[float, Distribution]] = []

        def one() -> None:
            weight = self.number("the weight of a part of mix")
            if self.take(":") is None:
                self.wrong("':' after a weight")
            parts.append((weight, self.distribution(depth + 1)))

        self.list(one, "mix")
        return Mixture(tuple(parts))

    def list(self, one: Callable[[], None], name: str) -> None:
        """Read items separated by commas, up to the closing bracket."""
        if self.take(")"):
            return
        while True:
            if self.next.kind == "end":
                raise BadInput(f"the bracket after {name} is not closed in {shown(self.text)}")
            one()
            if self.take(")"):
                return
            if self.next.kind == "end":
                continue
            if self.take(",") is None:
                self.wrong("',' or ')'")

    def number(self, what: str) -> float:
        token = self.next
        value = _as_number(token.text) if token.kind == "word" else None
        if value is None:
            self.wrong(f"a number for {what}")
        self.at += 1
        return value


def _as_number(word: str) -> float | None:
    """Return the number in a word, or None; NaN and infinity are accepted here and refused where they are used."""
    if _NUMBER.fullmatch(word) or word.lstrip("+-").lower() in ("nan", "inf", "infinity"):
        return float(word)
    return None


def _numbers_of(name: str, folder: Path | None) -> tuple[float, ...]:
    """Return the numbers in a file, one per line; empty lines and lines that start with # are skipped."""
    path = (folder or Path()) / name
    try:
        if path.exists() and not path.is_file():  # reading from a pipe may block for ever
            raise BadInput("this is not a file; empirical reads numbers from a file, one per line", file=path)
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput("this is not a text file; empirical reads numbers, one per line", file=path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"the numbers for empirical cannot be read: {reason}", file=path) from None
    if len(data) > LARGEST_FILE:
        raise BadInput(f"this file is too long; empirical reads at most {MOST_NUMBERS} numbers", file=path)
    values: list[float] = []
    for count, line in enumerate(text.splitlines(), start=1):
        word = line.strip()
        if not word or word.startswith("#"):
            continue
        value = _as_number(word)
        try:
            values.append(Constant(word if value is None else value).value)  # type: ignore[arg-type]
        except BadInput:
            what = f"must be a number from 0 to 1e12, not {shown(word)}"
            raise BadInput(what, file=path, place=f"line {count}") from None
    if not values:
        raise BadInput("this file contains no numbers; empirical reads one per line", file=path)
    return tuple(values)
