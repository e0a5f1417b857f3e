"""Logs of gigabytes with vector clocks as one trace, on Spark.

The work has four parts. Tasks parse pieces of the logs with the reader that is used for small logs; all clocks are then
collected in one matrix on disk, a row for each event, sorted by host and by the event's own count; tasks match receives
with sends and check the clocks, each for a range of rows; at last one process orders the events by causality and writes
the trace. The sum of a vector clock grows along every causal path, so sorting by it gives a causal order at once.

The matrix and the parsed pieces are in a folder beside the trace, which all tasks must be able to read and write, and
which is removed at the end.
"""

from __future__ import annotations

import json
import re
import shutil
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.formats.logs.importer import ACTIVE, DATES, network_of
from lydian.formats.logs.lines import Record, matched, read_lines
from lydian.formats.logs.matching import Stuck, matches
from lydian.model.errors import BadInput
from lydian.model.names import natural
from lydian.model.reading import BadLines, Problem
from lydian.trace.events import ROW, Kind

__all__ = ["Outcome", "import_logs"]

#: The bytes of a piece of a log, and the rows that are matched in one task.
PIECE, BLOCK = 16_000_000, 400_000
#: The lines at a boundary that are searched for the beginning of a record.
LOOK = 400
#: The largest numbers of hosts, and of problems that are kept.
MOST_HOSTS, MOST_PROBLEMS = 2_000, 10_000
_HEAD = re.compile(rb"[^\s#]\S*[ \t]+\{[^\n]*\}[ \t]*\r?\n")
_HEADLIKE = re.compile(rb"[^\s#]\S*[ \t]+\{")

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Outcome:
    """What became of the logs: numbers, the lines that could not be used, and notes."""

    hosts: int
    events: int
    messages: int
    problems: tuple[tuple[str, Problem], ...]
    notes: tuple[str, ...]


def import_logs(
    paths: Sequence[Path], out: Path, master: str, *, regex: str | None = None, skip: bool = False,
    tell: Callable[[str], None] = lambda _sentence: None,
) -> Outcome:  # fmt: skip
    """Write the events of some logs as one trace.

    Args:
        paths: the logs; all of them are one execution.
        regex: an expression that finds a record in a line; by default the documented format is read.
        skip: leave out lines that cannot be used.
        tell: called with what is being done.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: a file or the master cannot be used.
        Lost: Spark does not start.
    """
    from lydian.batch.spark.session import Lost, Spark, reason

    pieces = [(file, *each) for file, path in enumerate(paths) for each in _pieces(path, regex is not None)]
    folder = out.with_name(f".{out.name}.importing")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise BadInput(f"cannot be created ({(error.strerror or str(error)).lower()})", file=folder) from None
    try:
        with Spark(master) as spark:

            def each(function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
                tasks = spark.session.sparkContext.parallelize(list(items), len(items))
                try:
                    found: list[Any] = tasks.map(function).collect()
                except Exception as error:
                    if type(error).__module__.split(".")[0] not in ("pyspark", "py4j"):
                        raise
                    raise Lost(f"Spark could not read the logs: {reason(str(error))}") from None
                return found

            names, where = [str(path.absolute()) for path in paths], str(folder.absolute())
            tell(f"parsing {len(pieces):,} pieces")
            parsed = each(lambda piece: _parse(piece, names, where, regex), list(enumerate(pieces)))
            log = _Log(paths, parsed, folder)
            tell(f"collecting the clocks of {log.n:,} events of {len(log.hosts):,} hosts")
            each(lambda number: _scatter(number, where), range(len(pieces)))
            tell("matching sends and receives")
            blocks = [(start, min(start + BLOCK, log.n)) for start in range(0, log.n, BLOCK)]
            log.match(each(lambda block: _match(block, where), blocks))
        if log.problems and not skip:
            path = log.problems[0][0]
            raise BadLines(tuple(problem for _, problem in log.problems), path) from None
        tell("ordering the events by causality")
        return log.write(out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _pieces(path: Path, lines: bool) -> list[tuple[int, int]]:
    """Return the parts of a log as offsets of bytes; each begins with a record."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            if b"\0" in stream.read(4096):
                raise BadInput("this is a binary file; a log was expected here", file=path)
            cuts = [0]
            while cuts[-1] + PIECE < size:
                stream.seek(cuts[-1] + PIECE)
                stream.readline()
                cuts.append(stream.tell() if lines else _next_record(stream))
    except FileNotFoundError:
        raise BadInput("there is no such file; a log was expected here", file=path) from None
    except OSError as error:
        raise BadInput(f"cannot be read ({(error.strerror or str(error)).lower()})", file=path) from None
    if not size:
        raise BadInput("the file is empty; a log was expected here", file=path)
    edges = [cut for cut in cuts if cut < size]
    return list(zip(edges, [*edges[1:], size], strict=True))


def _next_record(stream: Any) -> int:
    """Return where the next record begins that is certainly one: after a line that does not look like a head."""
    start, before = stream.tell(), b"x {"
    for _ in range(LOOK):
        at = stream.tell()
        line = stream.readline()
        if not line or (_HEADLIKE.match(line) and not _HEADLIKE.match(before)):
            return int(at)
        before = line if line.strip() else before
    return int(start)


def _parse(item: tuple[int, tuple[int, int, int]], paths: list[str], where: str, regex: str | None) -> dict[str, Any]:
    """Parse a piece and store its events; return its hosts, counts of lines, and problems."""
    import pyarrow as pa

    number, (file, start, stop) = item
    with Path(paths[file]).open("rb") as stream:
        stream.seek(start)
        text = stream.read(stop - start).decode("utf-8", "replace").replace("\r\n", "\n")
    if regex is None:
        records, problems = read_lines(text, ours=False)
    else:
        try:
            head, *answers = matches(regex, text, 60.0)
        except Stuck as stuck:
            return {"problems": [(file, stuck.line, str(stuck))], "lines": text.count("\n"), "file": file, "names": []}
        if "error" in head or "clock" not in head.get("names", ()):
            why = f"is invalid: {head['error']}" if "error" in head else "must have the groups host and clock here"
            return {"invalid": f"the regular expression {why}"}
        records, problems = matched(answers)
    names: dict[str, int] = {}
    for record in records:
        names.setdefault(record.host, len(names))
    for record in records:
        for name in record.clock:
            names.setdefault(name, len(names))
    if len(names) > MOST_HOSTS:
        return {"invalid": f"the clocks name more than {MOST_HOSTS:,} hosts; is the group for the host the right one?"}
    clocks = np.zeros((len(records), len(names)), dtype=np.int32)
    columns = _columns(records, names, clocks)
    folder = Path(where)
    np.save(folder / f"clocks-{number}.npy", clocks)
    np.savez(folder / f"events-{number}.npz", **columns["arrays"])
    table = pa.table({"text": pa.array(columns["texts"], pa.large_string())})
    with pa.OSFile(str(folder / f"texts-{number}.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return {
        "file": file, "names": list(names), "lines": text.count("\n"), "events": len(records),
        "labels": columns["labels"], "states": columns["states"],
        "problems": [(file, each.line, each.why) for each in problems[:MOST_PROBLEMS]],
    }  # fmt: skip


def _columns(records: list[Record], names: dict[str, int], clocks: NDArray[np.int32]) -> dict[str, Any]:
    """Fill the clocks of some records, and return their other parts as columns."""
    labels: dict[str, int] = {}
    states: dict[str, int] = {}
    n = len(records)
    arrays = {name: np.full(n, -1, dtype=np.int32) for name in ("host", "count", "line", "label", "state")}
    arrays["time"] = np.full(n, np.nan)
    arrays["dated"] = np.zeros(n, dtype=bool)
    texts = []
    for i, record in enumerate(records):
        for name, count in record.clock.items():
            clocks[i, names[name]] = count
        arrays["host"][i], arrays["count"][i] = names[record.host], record.clock[record.host]
        arrays["line"][i] = record.line
        if record.time is not None:
            arrays["time"][i], arrays["dated"][i] = record.time, record.dated
        if record.label is not None:
            arrays["label"][i] = labels.setdefault(record.label, len(labels))
        if record.state is not None:
            arrays["state"][i] = states.setdefault(record.state, len(states))
        text = json.dumps(record.text, ensure_ascii=False)
        more = json.dumps(dict(record.fields), ensure_ascii=False, separators=(",", ":"))[1:-1] if record.fields else ""
        texts.append(f"{text}\n{more}")
    return {"arrays": arrays, "texts": texts, "labels": list(labels), "states": list(states)}


def _scatter(number: int, where: str) -> None:
    """Copy the clocks of a piece to their rows of the matrix."""
    folder = Path(where)
    place = np.load(folder / f"place-{number}.npy")
    columns = np.load(folder / f"columns-{number}.npy")
    matrix = np.load(folder / "matrix.npy", mmap_mode="r+")
    clocks = np.load(folder / f"clocks-{number}.npy", mmap_mode="r")
    for begin in range(0, len(place), BLOCK):
        rows = place[begin : begin + BLOCK]
        wide = np.zeros((len(rows), matrix.shape[1]), dtype=np.int32)
        wide[:, columns] = clocks[begin : begin + BLOCK]
        kept = rows >= 0
        matrix[rows[kept]] = wide[kept]
    matrix.flush()


def _match(block: tuple[int, int], where: str) -> tuple[int, bytes, list[tuple[int, int]], list[tuple[int, str]]]:
    """Return, for a range of events, the senders of the messages that they receive.

    Returns:
        The first event; the sender of each, -1 for none; further pairs of a sender and a receiver; and the problems.
    """
    folder = Path(where)
    start, stop = block
    index = np.load(folder / "index.npz")
    host, count, first, names = index["host"], index["count"], index["first"], index["names"].tolist()
    matrix = np.load(folder / "matrix.npy", mmap_mode="r")
    at = _Lookup(count, first)
    clocks = np.asarray(matrix[start:stop])
    before = np.zeros_like(clocks)
    before[1:] = clocks[:-1]
    if start:
        before[0] = matrix[start - 1]
    own = host[start:stop]
    rows = np.arange(stop - start)
    fresh = np.isin(np.arange(start, stop), first)
    before[fresh] = 0
    problems: list[tuple[int, str]] = []
    back = clocks < before
    for i in np.flatnonzero(back.any(axis=1)).tolist():
        g = int(np.flatnonzero(back[i])[0])
        name = names[own[i]]
        why = f"the clock of host {name} goes back: an earlier line knew of more events at {names[g]}"
        problems.append((start + i, why))
    news: NDArray[np.bool_] = np.asarray(clocks > before)
    news[rows, own] = False
    sender = np.full(stop - start, -1, dtype=np.int64)
    open_: NDArray[np.bool_] = np.asarray(news.any(axis=1))
    for g in range(matrix.shape[1]):
        mine = np.flatnonzero(news[:, g] & open_)
        if not len(mine):
            continue
        source = at.rows(g, clocks[mine, g])
        known = np.where((source >= 0)[:, None], np.asarray(matrix[np.maximum(source, 0)]), -1)
        covers = (source >= 0) & ((known >= clocks[mine]) | ~news[mine]).all(axis=1)
        sender[mine[covers]] = source[covers]
        open_[mine[covers]] = False
    good = np.flatnonzero(sender >= 0)
    more = (np.asarray(matrix[sender[good]]) > clocks[good]).any(axis=1)
    pairs: list[tuple[int, int]] = []
    for i in [*good[more].tolist(), *np.flatnonzero(open_).tolist()]:
        sender[i] = -1
        found, problem = _one(i, clocks[i], news[i], matrix, at, names)
        if problem is not None:
            problems.append((start + i, problem))
        for source_of in found:
            if sender[i] < 0:
                sender[i] = source_of
            else:
                pairs.append((source_of, start + i))
    return start, sender.tobytes(), pairs, problems[:MOST_PROBLEMS]


def _one(
    i: int, clock: NDArray[np.int32], news: NDArray[np.bool_], matrix: Any, at: _Lookup, names: list[str]
) -> tuple[list[int], str | None]:
    """Return the senders of several messages that one event receives, as the reader of small logs finds them."""
    found: list[int] = []
    rest = [int(g) for g in np.flatnonzero(news)]
    while rest:
        there = [g for g in rest if at.row(g, int(clock[g])) >= 0]
        if not there:
            missing = ", ".join(f"{clock[g]} of {names[g]}" for g in rest[:3])
            return found, f"the clock knows of event {missing}, which is missing from the log"
        best = there[0]
        for g in there[1:]:
            if matrix[at.row(g, int(clock[g])), best] >= clock[best]:
                best = g
        source = at.row(best, int(clock[best]))
        known = np.asarray(matrix[source])
        more = np.flatnonzero(known > clock)
        if len(more):
            fewer = f"of fewer events at {names[int(more[0])]} than that line does"
            return found, f"the clock knows of line @{source}@, but {fewer}"
        found.append(source)
        rest = [g for g in rest if known[g] < clock[g]]
    return found, None


class _Lookup:
    """The row of an event by its host and its count there."""

    def __init__(self, count: Any, first: Any) -> None:
        self.count, self.first = count, first
        self.end = np.append(first[1:], len(count))
        last = np.maximum(self.end - 1, 0)
        sizes = self.end - first
        self.plain = [bool(s == 0 or (count[e] == s)) for s, e in zip(sizes.tolist(), last.tolist(), strict=True)]

    def rows(self, g: int, counts: Any) -> Ints:
        first, end = int(self.first[g]), int(self.end[g])
        if self.plain[g]:
            found = first + counts.astype(np.int64) - 1
            return np.where((counts >= 1) & (found < end), found, -1)
        own = self.count[first:end]
        place = np.searchsorted(own, counts)
        inside = place < len(own)
        hit = inside & (own[np.minimum(place, max(len(own) - 1, 0))] == counts) if len(own) else inside
        return np.where(hit, first + place, -1)

    def row(self, g: int, count: int) -> int:
        return int(self.rows(g, np.array([count], dtype=np.int32))[0])


class _Log:
    """All events, sorted by host and count: what their pieces contained, and their messages."""

    def __init__(self, paths: Sequence[Path], parsed: list[dict[str, Any]], folder: Path) -> None:
        for each in parsed:
            if "invalid" in each:
                raise BadInput(each["invalid"])
        self.paths, self.folder = list(paths), folder
        self.problems: list[tuple[str, Problem]] = []
        told = sorted({name for each in parsed for name in each["names"]}, key=natural)
        self._read(parsed, {name: i for i, name in enumerate(told)}, told)

    def _read(self, parsed: list[dict[str, Any]], code: dict[str, int], told: list[str]) -> None:
        parts, first_line = [], dict.fromkeys(range(len(self.paths)), 0)
        self.labels: dict[str, int] = {}
        self.states: dict[str, int] = {}
        for number, each in enumerate(parsed):
            file, shift = each["file"], first_line[each["file"]]
            first_line[file] += each["lines"]
            self.problems += [(str(self.paths[f]), Problem(line + shift, why)) for f, line, why in each["problems"]]
            if not each.get("events"):
                np.save(self.folder / f"place-{number}.npy", np.empty(0, dtype=np.int64))
                np.save(self.folder / f"columns-{number}.npy", np.empty(0, dtype=np.int64))
                if not (self.folder / f"clocks-{number}.npy").exists():
                    np.save(self.folder / f"clocks-{number}.npy", np.empty((0, 0), dtype=np.int32))
                continue
            with np.load(self.folder / f"events-{number}.npz") as data:
                part = {name: data[name] for name in data.files}
            columns = np.array([code[name] for name in each["names"]], dtype=np.int64)
            np.save(self.folder / f"columns-{number}.npy", columns)
            part["host"] = columns[part["host"]].astype(np.int32)
            part["line"] = part["line"].astype(np.int32) + shift
            for kind, table in (("label", self.labels), ("state", self.states)):
                known = np.array([table.setdefault(name, len(table)) for name in each[f"{kind}s"]] + [-1])
                part[kind] = known[part[kind]].astype(np.int32)
            part["file"] = np.full(each["events"], file, dtype=np.int32)
            part["piece"] = np.full(each["events"], number, dtype=np.int32)
            part["inside"] = np.arange(each["events"], dtype=np.int32)
            parts.append(part)
        if not parts:
            first = self.problems[0] if self.problems else None
            why = f": line {first[1].line}: {first[1].why}" if first else ""
            raise BadInput(f"this log contains no event that can be used{why}", file=self.paths[0])
        whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        order = np.lexsort((whole["line"], whole["file"], whole["count"], whole["host"]))
        same = np.zeros(len(order), dtype=bool)
        same[1:] = (whole["host"][order][1:] == whole["host"][order][:-1]) & (
            whole["count"][order][1:] == whole["count"][order][:-1]
        )
        for k in np.flatnonzero(same)[:MOST_PROBLEMS].tolist():
            i, other = int(order[k]), int(order[k - 1])
            name, count = told[int(whole["host"][i])], int(whole["count"][i])
            where = f"line {whole['line'][other]}"
            self._bad(whole, i, f"host {name} already has its event {count} in {where}; each event must have its own")
        kept = order[~same]
        place = np.full(len(order), -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        starts = np.flatnonzero(np.concatenate(([True], whole["piece"][1:] != whole["piece"][:-1])))
        for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True):
            np.save(self.folder / f"place-{whole['piece'][begin]}.npy", place[begin:end])
        self.columns = {name: column[kept] for name, column in whole.items()}
        self.n = len(kept)
        host = self.columns["host"]
        first_of = np.searchsorted(host, np.arange(len(told)))
        self._gaps(told, first_of)
        self.names = told
        self.hosts = [told[h] for h in np.unique(host).tolist()]
        np.savez(
            self.folder / "index.npz", host=host, count=self.columns["count"], first=first_of, names=np.array(told)
        )  # fmt: skip
        matrix = np.lib.format.open_memmap(
            self.folder / "matrix.npy", mode="w+", dtype=np.int32, shape=(self.n, len(told))
        )  # fmt: skip
        del matrix

    def _gaps(self, told: list[str], first_of: Ints) -> None:
        host, count = self.columns["host"], self.columns["count"]
        before = np.zeros(self.n, dtype=np.int64)
        before[1:] = np.where(host[1:] == host[:-1], count[:-1], 0)
        for i in np.flatnonzero(count > before + 1)[:MOST_PROBLEMS].tolist():
            expected, now, name = int(before[i]) + 1, int(count[i]), told[int(host[i])]
            missing = f"event {expected} is" if now == expected + 1 else f"events {expected} to {now - 1} are"
            why = f"this is event {now} of host {name}, but its {missing} missing from the log"
            self._bad(self.columns, i, why)

    def _bad(self, columns: dict[str, Any], i: int, why: str) -> None:
        self.problems.append((str(self.paths[int(columns["file"][i])]), Problem(int(columns["line"][i]), why)))

    def match(self, found: list[tuple[int, bytes, list[tuple[int, int]], list[tuple[int, str]]]]) -> None:
        """Take the messages that the tasks have found."""
        self.sender = np.concatenate([np.frombuffer(each[1], dtype=np.int64) for each in found])
        pairs = [pair for each in found for pair in each[2]]
        self.more = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        for each in found:
            for i, why in each[3]:
                named = re.sub(r"@(\d+)@", lambda row: str(self.columns["line"][int(row[1])]), why)
                self._bad(self.columns, i, named)
        self.problems.sort(key=lambda each: (self.paths.index(Path(each[0])), each[1].line))

    # ------------------------------------------------------------------ the order

    def _depth(self, time: NDArray[np.float64] | None) -> tuple[NDArray[np.int32], NDArray[np.float64] | None]:
        """Return the number of events on the longest causal path to each event, and times that never go back on one."""
        matrix = np.load(self.folder / "matrix.npy", mmap_mode="r")
        total = np.empty(self.n, dtype=np.int64)
        for begin in range(0, self.n, BLOCK):
            total[begin : begin + BLOCK] = matrix[begin : begin + BLOCK].sum(axis=1, dtype=np.int64)
        order = np.argsort(total, kind="stable")
        first = np.ones(self.n, dtype=np.int8)
        first[1:] = self.columns["host"][1:] != self.columns["host"][:-1]
        heads, sender = first.tobytes(), array("q", self.sender.tobytes())
        extra: dict[int, list[int]] = {}
        for source, target in self.more.tolist():
            extra.setdefault(target, []).append(source)
        depth = array("i", bytes(4 * self.n))
        for begin in range(0, self.n, BLOCK):
            for i in order[begin : begin + BLOCK].tolist():
                d = 0 if heads[i] else depth[i - 1] + 1
                s = sender[i]
                if s >= 0 and depth[s] >= d:
                    d = depth[s] + 1
                if i in extra:
                    d = max([d, *(depth[each] + 1 for each in extra[i])])
                depth[i] = d
        if time is not None:
            late = time.copy()
            before = np.where(first == 1, -np.inf, np.concatenate(([-np.inf], time[:-1])))
            heard = np.where(self.sender >= 0, time[np.maximum(self.sender, 0)], -np.inf)
            if bool(((before > time) | (heard > time)).any()) or len(self.more):
                for begin in range(0, self.n, BLOCK):
                    for i in order[begin : begin + BLOCK].tolist():
                        known = [] if heads[i] else [late[i - 1]]
                        known += [late[s] for s in (sender[i], *extra.get(i, ())) if s >= 0]
                        late[i] = max([late[i], *known])
            time = late
        return np.frombuffer(depth, dtype=np.int32), time

    def write(self, out: Path) -> Outcome:
        """Order the events, and write them as a trace."""
        columns, notes = self.columns, list[str]()
        given = columns["time"]
        timed = bool(np.isfinite(given).all())
        depth, late = self._depth(given if timed else None)
        line: Ints = columns["line"].astype(np.int64) + (columns["file"].astype(np.int64) << 32)
        key = late if late is not None else depth.astype(np.float64)
        order = np.lexsort((line, depth, key))
        rank = np.empty(self.n, dtype=np.int64)
        rank[order] = np.arange(self.n)
        time = given[order] if timed else depth[order].astype(np.float64)
        start = float(time.min())
        if timed and (start < 0 or start > DATES or bool(columns["dated"].any())):
            time = time - start
            notes.append("times count from the first event")
        level = np.maximum.accumulate(time)
        moved = int((level > time).sum())
        if moved:
            events = "event was" if moved == 1 else "events were"
            notes.append(
                f"the clocks of the hosts disagree: {moved:,} {events} moved to a later time, by up to "
                f"{float((level - time).max()):.6g}, so that nothing happens before its cause"
            )
        if not timed:
            notes.append(
                "the log has no times; an event's time is the number of events on the longest causal path to it"
            )
        return self._rows(out, order, rank, level, line, notes)

    def _rows(
        self, out: Path, order: Ints, rank: Ints, time: NDArray[np.float64], line: Ints, notes: list[str]
    ) -> Outcome:
        """Make the rows of the trace from the events in their order, and write them."""
        columns = self.columns
        target = np.flatnonzero(self.sender >= 0)
        source = np.concatenate((self.sender[target], self.more[:, 0]))
        target = np.concatenate((target, self.more[:, 1]))
        by = np.lexsort((line[target], rank[source]))
        source, target = source[by], target[by]
        messages = len(source)
        sends = np.bincount(rank[source], minlength=self.n)
        hears = np.bincount(rank[target], minlength=self.n)
        size = np.maximum(1, sends + hears)
        start = np.concatenate(([0], np.cumsum(size)[:-1]))
        total = int(size.sum())
        event = np.repeat(np.arange(self.n), size)
        codes = {name: code for code, name in enumerate(self.hosts)}
        process_of = np.array([codes.get(name, -1) for name in self.names], dtype=np.int32)[columns["host"]]
        rows = np.zeros(total, dtype=ROW)
        rows["time"], rows["round"] = time[event], event
        rows["process"] = process_of[order][event]
        for name in ("peer", "message", "cause", "bits", "label"):
            rows[name] = -1
        rows["kind"] = Kind.NOTE
        number = np.arange(messages)
        sent = start[rank[source]] + hears[rank[source]] + number - np.searchsorted(rank[source], rank[source])
        by = np.argsort(rank[target], kind="stable")
        heard = np.empty(messages, dtype=np.int64)
        heard[by] = start[rank[target[by]]] + number - np.searchsorted(rank[target[by]], rank[target[by]])
        labels, label = self._table(self.labels, columns["label"], order, "message")
        rows["kind"][sent], rows["kind"][heard] = Kind.SEND, Kind.RECEIVE
        rows["peer"][sent], rows["peer"][heard] = process_of[target], process_of[source]
        rows["message"][sent] = rows["message"][heard] = number
        named = np.where(columns["label"] >= 0, label, -1)
        alone = (sends + hears) == 0
        rows["label"][start[alone]] = named[order][alone]
        rows["label"][sent] = rows["label"][heard] = label[source]
        states, state = self._states(order)
        rows["state"] = state[event]
        self._causes(rows, heard, sent)
        return self._save(out, rows, start, order, alone, (labels, states), notes, messages)

    @staticmethod
    def _table(
        known: dict[str, int], codes: NDArray[np.int32], order: Ints, default: str
    ) -> tuple[tuple[str, ...], NDArray[np.int16]]:
        """Return the names in the order of their first use, and the code of each event; -1 stands for the default."""
        names = [*known, default]
        used = codes[order].astype(np.int64)
        used[used < 0] = len(names) - 1
        values, first = np.unique(used, return_index=True)
        values = values[np.argsort(first)]
        new = np.zeros(len(names), dtype=np.int16)
        new[values] = np.arange(len(values))
        mine = codes.astype(np.int64)
        mine[mine < 0] = len(names) - 1
        return tuple(names[v] for v in values.tolist()), new[mine]

    def _states(self, order: Ints) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
        """Return the names of the states, and the state after each event in its order."""
        host, given = self.columns["host"], self.columns["state"]
        last = np.where(given >= 0, np.arange(self.n), -1)
        last = np.maximum.accumulate(last)
        last = np.where((last >= 0) & (host[np.maximum(last, 0)] == host), last, -1)
        state = np.where(last >= 0, given[np.maximum(last, 0)] + 1, 0)
        return (ACTIVE, *self.states), state[order].astype(np.uint8)

    def _causes(self, rows: NDArray[np.void], heard: Ints, sent: Ints) -> None:
        """Set causes, Lamport times and chains of the rows."""
        rows["cause"][heard] = sent
        by = np.argsort(rows["process"], kind="stable")
        process = rows["process"][by]
        last = np.where(rows["kind"][by] == Kind.RECEIVE, np.arange(len(by)), -1)
        last = np.maximum.accumulate(last)
        mine = (last >= 0) & (process[np.maximum(last, 0)] == process) & (rows["kind"][by] == Kind.SEND)
        rows["cause"][by[mine]] = by[last[mine]]
        n = len(self.hosts)
        lamport, chain = array("i", bytes(4 * len(rows))), array("i", bytes(4 * len(rows)))
        clock, longest = [0] * n, [0] * n
        receive = (rows["kind"] == Kind.RECEIVE).tobytes()
        for begin in range(0, len(rows), BLOCK):
            part = rows[begin : begin + BLOCK]
            for seq, (p, cause) in enumerate(zip(part["process"].tolist(), part["cause"].tolist(), strict=True), begin):
                now = clock[p]
                if receive[seq]:
                    if lamport[cause] > now:
                        now = lamport[cause]
                    if chain[cause] >= longest[p]:
                        longest[p] = chain[cause] + 1
                clock[p] = lamport[seq] = now + 1
                chain[seq] = longest[p]
        rows["lamport"], rows["chain"] = np.frombuffer(lamport, np.int32), np.frombuffer(chain, np.int32)

    def _save(
        self, out: Path, rows: NDArray[np.void], start: Ints, order: Ints, alone: NDArray[np.bool_],
        tables: tuple[tuple[str, ...], tuple[str, ...]], notes: list[str], messages: int,
    ) -> Outcome:  # fmt: skip
        import lydian
        from lydian.trace.parquet.file import TraceWriter

        sent = rows[(rows["kind"] == Kind.SEND)]
        low, high = np.minimum(sent["process"], sent["peer"]), np.maximum(sent["process"], sent["peer"])
        n = len(self.hosts)
        keys = np.unique(low[low != high].astype(np.int64) * n + high[low != high])
        pairs = [(int(k) // n, int(k) % n) for k in keys.tolist()]
        name = self.paths[0].stem
        file = self.paths[0].name if len(self.paths) == 1 else f"{len(self.paths)} files"
        texts = _Texts(self.folder, self.columns["piece"][order], self.columns["inside"][order])
        with TraceWriter(
            out, self.hosts, network=network_of(name, self.hosts, pairs), versions={"lydian": lydian.__version__},
            experiment={"name": name, "about": f"Imported from {file}: {self.n:,} events."},
            summary={
                "protocol_title": f"Log {name}", "start": ACTIVE,
                "imported": {"file": file, "events": self.n, "ours": False, "notes": notes},
            },
        ) as writer:  # fmt: skip
            for begin in range(0, self.n, 65_536):
                end = min(begin + 65_536, self.n)
                first = int(start[begin])
                stop = int(start[end]) if end < self.n else len(rows)
                told = texts.details(begin, end, alone[begin:end])
                seqs = start[begin:end].tolist()
                details = {seq: text for seq, text in zip(seqs, told, strict=True) if text is not None}
                writer.append(rows[first:stop], *tables, details)
        return Outcome(n, self.n, messages, tuple(self.problems), tuple(notes))


class _Texts:
    """The texts of the events in their order, read from the pieces as they are needed."""

    def __init__(self, folder: Path, piece: Any, inside: Any) -> None:
        self.folder, self.piece, self.inside = folder, piece, inside
        self.open: dict[int, Any] = {}

    def details(self, begin: int, end: int, alone: NDArray[np.bool_]) -> list[str | None]:
        """Return the details of some events; ``alone`` says which of them are notes."""
        piece, inside = self.piece[begin:end], self.inside[begin:end]
        found: list[str | None] = [None] * (end - begin)
        for number in np.unique(piece).tolist():
            mine = np.flatnonzero(piece == number)
            texts = self._column(number).take(inside[mine]).to_pylist()
            for i, text in zip(mine.tolist(), texts, strict=True):
                found[i] = _detail(text, bool(alone[i]))
        return found

    def _column(self, number: int) -> Any:
        import pyarrow as pa

        if number not in self.open:
            source = pa.memory_map(str(self.folder / f"texts-{number}.arrow"))
            column = pa.ipc.open_file(source).read_all().column("text")
            self.open[number] = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        return self.open[number]


def _detail(stored: str, alone: bool) -> str | None:
    """Return the detail of an event from its text and its other fields as they were stored."""
    text, _, more = stored.partition("\n")
    if alone:
        text = '"-"' if text == '""' else text
        return f'{{"text":{text},"fields":{{{more}}}}}' if more else f'{{"text":{text}}}'
    if text == '""':
        return f'{{"fields":{{{more}}}}}' if more else None
    return f'{{"fields":{{"log":{text},{more}}}}}' if more else f'{{"fields":{{"log":{text}}}}}'
