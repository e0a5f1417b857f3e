"""The frames of a class's run, read by many at their own pace."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lydian.classroom.log import Log


@given(st.lists(st.tuples(st.binary(max_size=40), st.booleans())), st.integers(1, 60), st.integers(1, 6))
def test_every_reader_reads_the_same(frames: list[tuple[bytes, bool]], most: int, recent: int) -> None:
    log, lines = Log(recent), [each.replace(b"\n", b"") + b"\n" for each, _reads in frames]
    read, at = b"", 0
    for line, (_, reads) in zip(lines, frames, strict=True):
        log.add(line)
        if reads:
            found, at = log.read(at, most)
            read += found
    while at < len(log):
        found, after = log.read(at, most)
        assert after > at and (len(found) <= most or after == at + 1)
        read, at = read + found, after
    assert read == b"".join(lines) and log.read(at, most) == (b"", at)
    log.close()


def test_a_long_lesson_needs_no_more_memory() -> None:
    log = Log(recent=10)
    for k in range(5000):
        log.add(b"%d\n" % k)
    assert len(log._recent) == 10 and log.read(4, 1)[0] == b"4\n" and log.read(4995, 10**6)[0].startswith(b"4995\n")
    log.close()
