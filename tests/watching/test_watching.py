"""A running system is watched through a pipe, a growing file or a local port."""

from __future__ import annotations

import io
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lydian.engine.liverows import LiveRows
from lydian.engine.observing import read_spec
from lydian.engine.wire import Begun, Frame, Result, Round, Watch, decode, encode
from lydian.formats.logs.growing import Growing, unchanged
from lydian.formats.logs.importer import import_log
from lydian.model.errors import BadInput
from lydian.watching.serve import main
from lydian.watching.sources import GrowingFile, Pipe, Port, source_of
from lydian.watching.watch import Seen, watch
from tests.formats.test_structured import HISTORY, SHOP, told, written

CLOCKS = """\
web {"web": 1}
hello
web {"web": 2}
ask
cart {"cart": 1, "web": 2}
asked
"""


def appended(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def last(seen: Iterator[Seen]) -> Seen:
    return list(seen)[-1]


def test_a_pipe_is_read_to_its_end_like_a_file(tmp_path: Path) -> None:
    found = last(watch(Pipe(io.BytesIO(CLOCKS.encode().rstrip()))))
    (whole,) = import_log(written(tmp_path, CLOCKS))
    assert found.over and told(found.trace) == told(whole.trace)


def test_lines_that_are_appended_to_a_file_are_seen(tmp_path: Path) -> None:
    path = written(tmp_path, CLOCKS[:30])
    source = GrowingFile(path)
    seen = watch(source, events=3)
    assert len(next(seen).trace) == 1
    appended(path, CLOCKS[30:])
    rest = list(seen)
    assert len(rest[-1].trace) == 3 and rest[-1].over and rest[-1].trace.event(2).kind == "receive"


def test_a_file_that_is_replaced_is_read_from_its_start(tmp_path: Path) -> None:
    path = written(tmp_path, 'a {"a": 1}\none\n')
    seen = watch(GrowingFile(path), events=2)
    assert len(next(seen).trace) == 1
    written(tmp_path, 'b {"b": 1}\ntwo\n', "new").replace(path)
    assert list(last(seen).trace.processes) == ["a", "b"]


def test_a_note_becomes_a_message_when_its_receiver_appears() -> None:
    growing = Growing("log")
    growing.add("".join(CLOCKS.splitlines(keepends=True)[:4]))
    before = growing.imported(over=False)
    growing.add("".join(CLOCKS.splitlines(keepends=True)[4:]))
    after = growing.imported()
    assert before is not None and after is not None
    assert [e.kind for e in before.trace.events()] == ["note", "note"]
    assert [e.kind for e in after.trace.events()] == ["note", "send", "receive"]
    assert unchanged(None, before.trace) == 0 and unchanged(after.trace, after.trace) == 3
    assert growing.imported() is None


def test_the_oldest_lines_of_a_long_log_are_forgotten() -> None:
    growing = Growing("log", most=10)
    growing.add("".join(f'a {{"a": {i}}}\nevent {i}\n' for i in range(1, 51)))
    found = growing.imported()
    assert found is not None and growing.forgotten == 90 and not growing.problems
    assert [(e.detail or {})["text"] for e in found.trace.events()] == [f"event {i}" for i in range(46, 51)]


def test_a_line_that_cannot_be_used_is_reported_once() -> None:
    growing = Growing("log")
    growing.add('nonsense\na {"a": 1}\none\n')
    growing.imported(over=False)
    growing.add('a {"a": 2}\ntwo\n')
    growing.imported()
    assert [each.line for each in growing.problems.values()] == [1]


@pytest.fixture
def port() -> Iterator[Port]:
    source = Port(0)
    yield source
    source.stop()


def post(url: str, text: str, **headers: str) -> int:
    request = urllib.request.Request(url, text.encode(), headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_port_takes_lines_and_spans_from_this_computer_only(port: Port) -> None:
    seen: list[Seen] = []
    ready = threading.Event()
    text = json.dumps({"resourceSpans": SHOP}, indent=1)
    thread = threading.Thread(target=lambda: seen.extend(watch(port, events=7, listening=lambda _where: ready.set())))
    thread.start()
    ready.wait()
    assert port.where == f"http://127.0.0.1:{port.port}/"
    assert post(port.where, text, Origin="http://example.org") == 403
    assert post(port.where, text, Host="example.org:80") == 403
    assert post(f"{port.where}v1/traces", "not JSON") == 400
    assert post(f"{port.where}v1/traces", text) == 200
    thread.join()
    assert len(seen[-1].trace) == 7 and set(seen[-1].trace.processes) == {"web", "cart"}


def test_properties_are_judged_while_events_arrive(tmp_path: Path) -> None:
    text = """\
from lydian import always, at_end

@always("nothing is read before it is written")
def read(c):
    return all(each.result is None for each in c.history if each.name == "read")

@at_end("something was written")
def wrote(c):
    return bool(c.history)
"""
    spec = read_spec(written(tmp_path, text, "spec.py"))
    path = written(tmp_path, HISTORY[: HISTORY.index("{:type :info")], "history.edn")
    seen = watch(GrowingFile(path), spec=spec, events=7)
    checks = next(seen).trace.summary["checks"]
    assert [(each["holds"], each["at"]) for each in checks] == [(False, 3), (None, None)]
    appended(path, HISTORY[HISTORY.index("{:type :info") :])
    checks = last(seen).trace.summary["checks"]
    assert [(each["holds"], each["at"]) for each in checks] == [(False, 3), (True, 6)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("http://0.0.0.0:80", "0.0.0.0 is not only this computer"),
        ("http://192.168.0.7:80", "192.168.0.7 is not only this computer"),
        ("http:99999", "99999 is not a port"),
        ("http:many", "'http:many' is not an address"),
    ],
)
def test_an_address_elsewhere_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        source_of(text)
    assert why in str(caught.value)


def test_a_missing_file_and_an_empty_pipe_are_errors(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no such file"):
        next(watch(source_of(str(tmp_path / "none.log"))))
    with pytest.raises(BadInput, match="contains no event that can be used"):
        list(watch(Pipe(io.BytesIO(b"nonsense\n"))))


def test_the_frames_of_a_watched_system_are_those_of_a_run(tmp_path: Path) -> None:
    path = written(tmp_path, CLOCKS[:30])
    frames: list[Frame] = []
    rows = LiveRows({})
    kinds: list[list[str]] = []
    stop: list[Callable[[], None]] = []

    def say(frame: Frame) -> None:
        frames.append(decode(encode(frame)))
        if isinstance(frame, Round):
            rows.cut(frame.first)
            rows.take(frame)
            kinds.append([e.kind for e in rows.trace().events()])
            if len(kinds) == 1:
                appended(path, CLOCKS[30:])
            if rows.count == 3:
                stop[0]()

    main(Watch(str(path), trace=str(tmp_path / "out.parquet")), say, stop.append)
    assert isinstance(frames[0], Begun) and isinstance(frames[-2], Result)
    assert kinds[0] == ["note"] and kinds[-1] == ["note", "send", "receive"]
    assert (tmp_path / "out.parquet").is_file()
