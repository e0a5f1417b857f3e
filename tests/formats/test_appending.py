"""Lines that are appended to a log give the same trace as the whole log does."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.formats.logs.appending import STEP, Appending
from lydian.formats.logs.growing import Growing
from lydian.formats.logs.importer import NoEvents, _imported, import_text
from lydian.formats.logs.lines import Record
from lydian.trace.events import Trace

LOG = Path("log")
HOSTS = ("a", "b", "c", "d")


def talk(draw: random.Random, count: int, form: str, times: str) -> list[Record]:
    """Return the records of hosts that send messages to each other.

    Args:
        form: ``clocks``, ``names``, ``numbers`` (of messages that the log names) or ``both``.
        times: ``none``, ``exact``, ``wrong`` (the clocks of the hosts differ) or ``dated``.
    """
    clocks = {host: dict.fromkeys(HOSTS, 0) for host in HOSTS}
    waiting: list[tuple[str, str, int, dict[str, int]]] = []
    found: list[Record] = []
    while len(found) < count:
        host = draw.choice(HOSTS)
        clock, more = clocks[host], dict[str, Any]()
        mine = [each for each in waiting if each[1] == host]
        if mine and draw.random() < 0.7:
            source, _, number, theirs = each = mine[0] if form == "names" else draw.choice(mine)
            waiting.remove(each)
            clock.update({name: max(clock[name], theirs[name]) for name in HOSTS})
            more = {"sender": source, "message": str(number)}
        clock[host] += 1
        if not more and draw.random() < 0.5:
            to = draw.choice([each for each in HOSTS if each != host])
            waiting.append((host, to, len(found), dict(clock)))
            more = {"receiver": to, "message": str(len(found)), "label": draw.choice("xyz")}
        if form == "clocks":
            more = {}
        elif form == "names":
            more.pop("message", None)
        told = {name: value for name, value in clock.items() if value} if form in ("clocks", "both") else {}
        skew = HOSTS.index(host) * 2.5 if times == "wrong" else 0.0
        time = None if times == "none" else len(found) * 0.5 + skew + (1.7e9 if times == "dated" else 0.0)
        state = draw.choice((None, "up", "down"))
        line = 2 * len(found) + 1
        found.append(Record(line, host, told, f"event {line}", time, times == "dated", state=state, **more))
    return found


def disturbed(draw: random.Random, records: list[Record]) -> list[Record]:
    """Return records of which some are missing, twice there, or late."""
    found = list(records)
    for _ in range(draw.randrange(4)):
        at, to = draw.randrange(len(found)), draw.randrange(len(found))
        what = draw.choice(("missing", "twice", "late"))
        if what == "missing" and len(found) > 1:
            del found[at]
        elif what == "twice":
            found.insert(to, found[at])
        else:
            found.insert(to, found.pop(at))
    lines = sorted(each.line for each in records)
    return [
        Record(**{**vars(each), "line": 2 * k + lines[0]}) for k, each in enumerate(found)
    ]  # fmt: skip


def same(one: Trace, other: Trace) -> None:
    """Check that two traces are the same."""
    assert one.rows.tolist() == other.rows.tolist()
    assert (one.processes, one.labels, one.states) == (other.processes, other.labels, other.states)
    assert [one.detail_of(seq) for seq in range(len(one))] == [other.detail_of(seq) for seq in range(len(other))]
    assert (one.network, one.summary, one.experiment) == (other.network, other.summary, other.experiment)


def whole(records: list[Record]) -> Trace:
    return _imported(list(records), [], LOG, False, "").trace


@given(
    seed=st.integers(0, 10**6),
    form=st.sampled_from(["clocks", "names", "numbers", "both"]),
    times=st.sampled_from(["none", "exact", "wrong", "dated"]),
    odd=st.booleans(),
)
def test_records_are_appended_or_the_log_must_be_read_anew(seed: int, form: str, times: str, odd: bool) -> None:
    draw = random.Random(seed)
    records = talk(draw, draw.randrange(6, 60), form, times)
    if odd:
        records = disturbed(draw, records)
    at = draw.randrange(1, len(records))
    appending = Appending(records[:at])
    while at < len(records):
        more = draw.randrange(1, 8)
        if not appending.append(records[at : at + more]):
            appending = Appending(records[: at + more])
        at += more
        same(appending.trace(LOG), whole(records[:at]))


@pytest.mark.parametrize("form", ["clocks", "numbers"])
@pytest.mark.parametrize("times", ["none", "exact"])
def test_the_lines_of_an_orderly_log_are_always_appended(form: str, times: str) -> None:
    records = talk(random.Random(4), 3 * STEP, form, times)
    appending = Appending(records[:100])
    before = appending.trace(LOG)
    kept = before.rows.tolist()
    for at in range(100, len(records), 100):
        assert appending.append(records[at : at + 100])
    same(appending.trace(LOG), whole(records))
    assert before.rows.tolist() == kept and before.detail_of(0) == appending.trace(LOG).detail_of(0)


def test_only_the_last_rows_are_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    records = talk(random.Random(4), 6 * STEP, "clocks", "exact")
    appending = Appending(records[:-10])
    written: list[int] = []
    foreign = appending._rows.foreign
    monkeypatch.setattr(
        appending._rows, "foreign", lambda i, time, place: (written.append(place), foreign(i, time, place))
    )
    assert appending.append(records[-10:])
    assert 10 <= len(written) <= 2 * STEP
    same(appending.trace(LOG), whole(records))


@given(seed=st.integers(0, 10**6), odd=st.booleans())
def test_a_growing_text_gives_the_same_as_the_whole_text(seed: int, odd: bool) -> None:
    draw = random.Random(seed)
    records = talk(draw, 30, "clocks", "none")
    records = disturbed(draw, records) if odd else records
    clocks = [str(each.clock).replace("'", '"') for each in records]
    pieces = [
        f"{each.host} {clock}\n{each.text}\n" if draw.random() < 0.6 else f"{each.host} {clock} {each.text}\n"
        for each, clock in zip(records, clocks, strict=True)
    ]
    if odd:
        pieces.insert(draw.randrange(30), draw.choice(("nonsense\n", "\n", "# a comment\n", 'a {"a": 1}\n\n')))
    text = "".join(pieces)
    growing, at = Growing("log"), 0
    while at < len(text):
        more = draw.randrange(1, 200)
        growing.add(text[at : at + more])
        at += more
        found = growing.imported(over=False)
        lines = text[:at].rpartition("\n")[0]
        try:
            (expected,) = import_text(lines, LOG, skip=True)
        except NoEvents:
            assert found is None
            continue
        if found is not None:
            same(found.trace, expected.trace)
    growing.end()
    found, (expected,) = growing.imported(), import_text(text, LOG, skip=True)
    if found is not None:
        same(found.trace, expected.trace)
    told = {(each.line, each.why) for each in expected.problems}
    assert {(each.line, each.why) for each in growing.problems.values()} >= {
        each for each in told if "missing" not in each[1]
    }


def test_a_growing_log_that_is_forgotten_in_part_is_read_anew() -> None:
    records = talk(random.Random(1), 400, "clocks", "none")
    growing = Growing("log", most=200)
    for each in records:
        clock = str(each.clock).replace("'", '"')
        growing.add(f"{each.host} {clock}\n{each.text}\n")
        found = growing.imported(over=False)
    assert found is not None and growing.forgotten > 0 and not growing.forgotten % 2
    assert 100 <= len(np.unique(found.trace.rows["round"])) <= 110
    last = found.trace.detail_of(len(found.trace) - 1)
    assert last is not None and growing.lines == 800
