"""Which way is down in a diagram: arrows that lead back, and the layer of each state."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["backwards", "ranks"]


def backwards(count: int, ends: Sequence[tuple[int, int]], start: int) -> list[bool]:
    """Which arrows lead back to where one came from; without them there is no cycle."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, (a, b) in enumerate(ends):
        leaving[a].append((b, number))
    back = [b == start for _, b in ends]
    colour = [0] * count  # 0 not seen, 1 on the way here, 2 done
    for root in (start, *range(count)):
        if colour[root]:
            continue
        colour[root] = 1
        stack = [(root, iter(sorted(leaving[root])))]
        while stack:
            here, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                colour[here] = 2
                stack.pop()
                continue
            there, number = step
            if colour[there] == 1:
                back[number] = True
            elif colour[there] == 0 and not back[number]:
                colour[there] = 1
                stack.append((there, iter(sorted(leaving[there]))))
    return back


def ranks(count: int, down: Sequence[tuple[int, int]], start: int) -> list[int]:
    """The layer of each state: as far as the longest way to it; what nothing leads to stands just above its own."""
    waiting = [0] * count
    leaving: list[list[int]] = [[] for _ in range(count)]
    for a, b in down:
        waiting[b] += 1
        leaving[a].append(b)
    sources = [at for at in range(count) if not waiting[at]]
    rank, free = [0] * count, list(sources)
    while free:
        a = free.pop(0)
        for b in leaving[a]:
            rank[b] = max(rank[b], rank[a] + 1)
            waiting[b] -= 1
            if not waiting[b]:
                free.append(b)
    for at in sources:
        if at != start and leaving[at]:
            rank[at] = max(0, min(rank[b] for b in leaving[at]) - 1)
    return rank
