"""A log with vector clocks for ShiViz.

Its first line is the regular expression to be pasted into ShiViz; the expression does not match that line itself.
"""

from __future__ import annotations

import json
from typing import IO

from lydian.formats.traces import FORMATS, TraceFormat, Watch
from lydian.formats.traces.records import records
from lydian.language import later
from lydian.trace.events import ATTACHED, Kind, Trace

__all__ = ["SHIVIZ", "write"]

#: The regular expression for ShiViz: two lines for each event.
SHIVIZ = r"^(?<host>\S+) (?<clock>\{.*\})\n(?<time>[-+.\deE]+) (?<event>.*)$"


def write(trace: Trace, file: IO[str], watch: Watch = None) -> None:
    """Write a trace as a log.

    Vector clocks are those of the process lines; a lost message appears at the sender, as a separate event.

    Rows that belong to another event have no clock of their own and are omitted.
    """
    file.write(f"# {SHIVIZ}\n")
    hosts = ["_".join(name.split()) or "_" for name in trace.processes]
    if len(set(hosts)) < len(hosts):
        hosts = [f"{i}:{host}" for i, host in enumerate(hosts)]
    codes = trace.rows["kind"].tolist()
    ends = {False: trace.rows["process"].tolist(), True: trace.rows["peer"].tolist()}
    clocks: list[dict[str, int]] = [{} for _ in hosts]
    under_way: dict[int, dict[str, int]] = {}
    for seq, _, time, kind, process, peer, message, label, state, *_, detail in records(trace, watch):
        code = codes[seq]
        if process is None or code in (Kind.LINK_DOWN, Kind.LINK_UP, *ATTACHED):
            continue
        at = ends[code == Kind.DROP][seq]
        if at < 0:
            continue
        clock = clocks[at]
        if code == Kind.RECEIVE and message is not None:
            for host, count in under_way.pop(message, {}).items():
                if clock.get(host, 0) < count:
                    clock[host] = count
        clock[hosts[at]] = clock.get(hosts[at], 0) + 1
        if code in (Kind.SEND, Kind.INJECT) and message is not None:
            under_way[message] = dict(clock)
        other, way = (process, "to") if code == Kind.DROP else (peer, "from" if code == Kind.RECEIVE else "to")
        words = [kind, label, other and f"{way} {other}", state and f"[{state}]", detail]
        text = " ".join(" ".join(str(word).split()) for word in words if word)
        file.write(f"{hosts[at]} {json.dumps(clock, ensure_ascii=False)}\n{time!r} {text}\n")


FORMATS.register(
    TraceFormat(
        "shiviz", later("ShiViz log"), later("ShiViz logs"), later("Save the events with vector clocks for ShiViz"),
        later("a log for ShiViz"), (".log", ".txt"), ".shiviz.txt", write, rb"\A# \^\(\?<host>",
    )
)  # fmt: skip
