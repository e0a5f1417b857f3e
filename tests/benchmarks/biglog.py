"""Write a large log with vector clocks: ``python -m tests.benchmarks.biglog EVENTS FILE [HOSTS]``.

Each host is a server that receives requests and answers them, notes what it does, and asks others; a line has a time,
a host, its vector clock and a text, about 200 bytes in all with twelve hosts.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from pathlib import Path

__all__ = ["REGEX", "write"]

#: The expression that reads such a log.
REGEX = r"(?<time>\S+) (?<host>\S+) (?<clock>\{.*?\}) (?<event>.*)"
TEXTS = (
    "GET /cart/%d returned 200 in 12 ms", "ask the next replica for key %d", "commit of transaction %d",
    "lease of shard %d renewed for 3 s", "cache miss for item %d, reading from disk",
)  # fmt: skip


def write(path: Path, events: int, hosts: int = 12, seed: int = 1, times: bool = False) -> None:
    """Write a log of so many events; with ``times``, each line begins with one, to be read with :data:`REGEX`."""
    draw = random.Random(seed)
    names = [f"server-{i:02}" for i in range(hosts)]
    clocks = [[0] * hosts for _ in range(hosts)]
    keys = [f'"{name}": ' for name in names]
    waiting: list[deque[list[int]]] = [deque() for _ in range(hosts)]
    part: list[str] = []
    with path.open("w", encoding="utf-8") as file:
        for number in range(events):
            p = int(draw.random() * hosts)
            clock = clocks[p]
            if waiting[p] and draw.random() < 0.7:
                heard = waiting[p].popleft()
                clock[:] = [a if a > b else b for a, b in zip(clock, heard, strict=True)]
            clock[p] += 1
            if draw.random() < 0.4:
                q = int(draw.random() * hosts)
                if q != p:
                    waiting[q].append(clock[:])
            told = ", ".join([key + str(count) for key, count in zip(keys, clock, strict=True) if count])
            text = TEXTS[number % len(TEXTS)] % number
            part.append(
                f"{number / 1000} {names[p]} {{{told}}} {text}\n" if times else f"{names[p]} {{{told}}}\n{text}\n"
            )
            if len(part) == 10_000:
                file.writelines(part)
                part.clear()
        file.writelines(part)


if __name__ == "__main__":
    write(Path(sys.argv[2]), int(sys.argv[1]), *(int(word) for word in sys.argv[3:4]))
