"""Runs of a protocol that have been kept as tests, in a file beside it: ``echo.py`` has ``echo.tests.toml``.

A test consists of an experiment without its protocol, and of its expected result. A run that failed is kept because it
must not fail again; a run that succeeded may be kept with its numbers. ::

    [[test]]
    name = "Ack from 3 at process 1"
    about = "At 3.51 process 1 failed in line 27: 3 is not in pending."

    [test.experiment]
    network = "two-wings"
    seed = 6

    [test.must]            # optional; errors and violated properties always make a test fail
    messages = 46
    stopped = "quiescent"

``lydian check echo.py`` runs them all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lydian.language import tr, trn
from lydian.model.archive.shelves import looks_like_path
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.experiment import Experiment, from_dict, to_dict
from lydian.model.reading import Table, parse_toml, read_text, write_text

__all__ = ["KeptTest", "Verdict", "add_test", "file_of_tests", "judged", "kept", "loads", "read_tests", "write_tests"]

_HEAD = "# Runs of {name} that must succeed; lydian check {name} runs them.\n\n"
#: The ways of ending that a test may require of a run.
STOPPED = ("quiescent", "until", "limit")
_MOST_BYTES = 8_000_000


@dataclass(frozen=True)
class KeptTest:
    """A run that has been kept as a test.

    Attributes:
        name: its name, unique in the file.
        experiment: the experiment, with the protocol's file as its protocol.
        about: why it was kept, as a sentence.
        messages: the required number of messages; ``None`` for any number.
        stopped: how the run must end, one of :data:`STOPPED`; ``None`` for any end without an error.
    """

    name: str
    experiment: Experiment
    about: str = ""
    messages: int | None = None
    stopped: str | None = None


@dataclass(frozen=True)
class Verdict:
    """The result of a test: whether the run succeeded, and a sentence with its numbers or with what went wrong."""

    good: bool
    sentence: str


def file_of_tests(protocol: Path) -> Path:
    """Return the path of the file that contains the tests of a protocol."""
    return protocol.with_name(f"{protocol.stem}.tests.toml")


def read_tests(protocol: Path) -> tuple[KeptTest, ...]:
    """Return the kept runs of a protocol; none if it has no file of tests.

    Raises:
        BadInput: the file cannot be used; the error names the place in it.
    """
    file = file_of_tests(protocol)
    if not file.exists():
        return ()
    return loads(read_text(file, "the kept runs of a protocol", _MOST_BYTES), protocol, file)


def loads(text: str, protocol: Path, file: Path | None = None) -> tuple[KeptTest, ...]:
    """Return the kept runs in a text.

    Raises:
        BadInput: the text cannot be used; the error names the file and the place in it.
    """
    top = Table(parse_toml(text, file), ("test",), file=file)
    found: list[KeptTest] = []
    for place, data in top.tables("test"):
        test = _test(Table(data, ("name", "about", "experiment", "must"), file=file, place=place), protocol)
        if test.name in [each.name for each in found]:
            what = f"two runs are called {shown(test.name)}; rename one of them"
            raise BadInput(what, file=file, place=f"{place}.name")
        found.append(test)
    return tuple(found)


def _test(table: Table, protocol: Path) -> KeptTest:
    name = table.need("name", str, 'name = "two waves at once"')
    data = dict(table.need("experiment", dict, "[test.experiment]"))
    if "protocol" in data:
        raise table.bad("experiment.protocol", f"leave it out; these are runs of {protocol.name}")
    must = Table(table.data.get("must", {}), ("messages", "stopped"), file=table.file, place=table.where("must"))
    stopped = must.get("stopped", str)
    if stopped is not None and stopped not in STOPPED:
        raise must.bad("stopped", f"must be one of {', '.join(STOPPED)}, not {shown(stopped)}")
    try:
        experiment = from_dict({"name": name, **data, "protocol": protocol.name})
    except BadInput as error:
        place = table.where("experiment") + (f".{error.place}" if error.place else "")
        raise BadInput(error.what, file=table.file, place=place) from None
    return KeptTest(
        name,
        experiment.with_(path=file_of_tests(protocol.absolute())),
        table.get("about", str, ""),
        must.whole("messages", 0) if "messages" in must else None,
        stopped,
    )


def kept(
    experiment: Experiment,
    protocol: Path,
    name: str,
    about: str = "",
    *,
    messages: int | None = None,
    stopped: str | None = None,
) -> KeptTest:
    """Return a run as it is kept beside its protocol: without branches, and with paths relative to that folder."""
    network = experiment.network
    if isinstance(network, str) and (path := _as_path(network)) is not None:
        whole = path if experiment.path is None else experiment.path.parent / path
        network = _from_there(whole, protocol)
    moved = experiment.with_(
        name=name, about="", protocol=protocol.name, network=network, branches=(), animation=None,
        path=file_of_tests(protocol.absolute()),
    )  # fmt: skip
    return KeptTest(name, moved, about, messages, stopped)


def _as_path(network: str) -> Path | None:
    """Return the path of a network that is given by its file; ``None`` for names and specifications (``ring:8``)."""
    return looks_like_path(network, "networks")


def _from_there(path: Path, protocol: Path) -> str:
    """Return the path of a file relative to the folder of the protocol."""
    try:
        relative = Path(os.path.relpath(path.absolute(), protocol.absolute().parent)).as_posix()
    except ValueError:  # it is on another drive
        return path.absolute().as_posix()
    return relative if "/" in relative else f"./{relative}"


def add_test(protocol: Path, test: KeptTest) -> KeptTest:
    """Add a kept run to the file; a name in use gets a number, and an identical run replaces the old one.

    Returns:
        The run as it was written.

    Raises:
        BadInput: the file cannot be used or written.
    """
    there = read_tests(protocol)
    same = [each for each in there if _same(each, test)]
    if same:
        new = replace(test, name=same[0].name)
        write_tests(protocol, [new if each is same[0] else each for each in there])
        return new
    names = {each.name for each in there}
    name = next(n for n in (test.name, *(f"{test.name} ({i})" for i in range(2, 10_000))) if n not in names)
    new = replace(test, name=name, experiment=test.experiment.with_(name=name))
    write_tests(protocol, [*there, new])
    return new


def _same(one: KeptTest, other: KeptTest) -> bool:
    return one.experiment.with_(name="", about="") == other.experiment.with_(name="", about="")


def write_tests(protocol: Path, tests: Sequence[KeptTest]) -> None:
    """Write the file of kept runs of a protocol, completely or not at all; without any run there is no file.

    Raises:
        BadInput: the file cannot be written, or contains a value that TOML cannot express.
    """
    import tomli_w

    file = file_of_tests(protocol)
    if not tests:
        file.unlink(missing_ok=True)
        return
    tables = []
    for each in tests:
        data = {key: value for key, value in to_dict(each.experiment).items() if key not in ("name", "protocol")}
        must = {"messages": each.messages, "stopped": each.stopped}
        table = {"name": each.name, "about": each.about or None, "experiment": data, "must": must}
        tables.append({key: value for key, value in _plain(table).items() if value != {}})
    try:
        text = tomli_w.dumps({"test": tables})
    except (TypeError, ValueError) as error:
        raise BadInput(f"the run contains a value that a TOML file cannot contain: {error}", file=file) from None
    write_text(file, _HEAD.format(name=protocol.name) + text)


def _plain(value: Any) -> Any:
    """Return a value without the keys that have no value, because TOML has no null."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def judged(test: KeptTest, result: Mapping[str, Any], problem: str | None = None) -> Verdict:
    """Judge whether a run meets the requirements of a test.

    Args:
        result: the output of ``lydian run --json``; empty if the run could not be started.
        problem: why it could not be started or was aborted, as a sentence.
    """
    error = problem or result.get("error")
    if error:
        return Verdict(False, str(error))
    violated = [str(check.get("name")) for check in result.get("checks") or () if check.get("holds") is False]
    if violated:
        return Verdict(False, tr("{properties}: does not hold", properties=", ".join(violated)))
    messages, stopped = result.get("messages"), result.get("stopped")
    if test.messages is not None and messages != test.messages:
        return Verdict(False, tr("it took {messages} messages, not {wanted}", messages=messages, wanted=test.messages))
    if test.stopped is not None and stopped != test.stopped:
        return Verdict(False, tr("it ended as {end}, not as {wanted}", end=stopped, wanted=test.stopped))
    count = trn("{count:,} message", "{count:,} messages", messages) if isinstance(messages, int) else tr("no messages")
    time = result.get("time")
    timed = isinstance(time, int | float)
    return Verdict(True, tr("{messages}, time {time:.2f}", messages=count, time=time) if timed else count)
