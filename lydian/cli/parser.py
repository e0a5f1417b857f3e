"""Argument parsing: argparse with errors of one sentence and a hint."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = ["Commands", "Parser", "Usage", "number", "whole"]

#: The type that ``add_subparsers`` returns.
Commands = Any


class Usage(BadInput):
    """Incorrect usage of the command line."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises :class:`Usage` instead of printing and ending the program."""

    def __init__(self, *args: Any, **words: Any) -> None:
        words.setdefault("allow_abbrev", False)
        words.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, **words)

    #: Called before the help is shown, to look up things that only the help needs.
    before_help: Callable[[], None] | None = None

    def format_help(self) -> str:
        if self.before_help is not None:
            self.before_help()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{_sentence(message)}; see {self.prog} --help")

    def options(self) -> list[str]:
        """Return all options of this command: ``--seed``, ``-o`` and so on."""
        return [option for action in self._actions for option in action.option_strings]

    def refuse(self, extra: Sequence[str]) -> NoReturn:
        """Raise an error for arguments that are left over."""
        option = next((word for word in extra if word.startswith("-") and word != "-"), None)
        if option is None:
            raise Usage(f"unexpected argument {shown(extra[0])}; see {self.prog} --help")
        name = option.split("=", 1)[0]
        raise Usage(f"unknown option {name}{did_you_mean(name, self.options())}; see {self.prog} --help")


def _sentence(message: str) -> str:
    """Rephrase a message of argparse."""
    choice = re.fullmatch(r"argument (\S+): invalid choice: (.*) \(choose from (.*)\)", message, re.DOTALL)
    if choice:
        given = choice[2].strip("'\"")
        known = [word.strip().strip("'\"") for word in choice[3].split(",")]
        what = f"command {shown(given)}" if choice[1] == "COMMAND" else f"{shown(given)} for {choice[1]}"
        return f"unknown {what}{did_you_mean(given, known)}; choose from {', '.join(known)}"
    missing = re.fullmatch(r"the following arguments are required: (.*)", message)
    if missing:
        words = missing[1].split(", ")
        return f"{' and '.join(words)} {'is' if len(words) == 1 else 'are'} missing"
    value = re.fullmatch(r"argument (\S+): expected (.*) arguments?", message)
    if value:
        return f"{value[1].split('/')[-1]} needs a value"
    given_value = re.fullmatch(r"argument (\S+): ignored explicit argument (.*)", message)
    if given_value:
        return f"{given_value[1].split('/')[-1]} takes no value"
    return re.sub(r"^argument (\S+): ", r"\1: ", message)


def whole(text: str, option: str, least: int = 0) -> int:
    """Return a whole number given to an option.

    Raises:
        Usage: it is not a whole number, or less than ``least``.
    """
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value < 2**63:
        raise Usage(f"{option}: must be a whole number from {least} to 2**63 - 1, not {shown(text)}")
    return value


def number(text: str, option: str, what: str = "a finite number that is not negative") -> float:
    """Return a finite number, not negative, given to an option.

    Raises:
        Usage: it is not such a number.
    """
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise Usage(f"{option}: must be {what}, not {shown(text)}")
    return value
