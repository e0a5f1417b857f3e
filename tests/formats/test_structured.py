"""Logs with a structure of their own: spans of OpenTelemetry, histories of Jepsen, messages of Maelstrom, GoVector."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydian.formats.logs import FORMATS, recognised
from lydian.formats.logs.edn import NotEDN, values
from lydian.formats.logs.importer import BadLines, import_log
from lydian.formats.logs.preview import looks_like_log, preview
from lydian.formats.traces import export
from lydian.model.errors import BadInput
from lydian.trace import causality
from lydian.trace.events import Trace
from lydian.trace.timeline import Timeline
from tests.trace.sample import echo, grid

WEB, CLIENT, CART = "eee19b7ec3c1b173", "eee19b7ec3c1b174", "eee19b7ec3c1b175"


def span(
    own: str, name: str, kind: object, start: int, end: int, parent: str = "", **more: object
) -> dict[str, object]:
    base = 1_700_000_000_000_000_000
    found = {"traceId": "5b8efff798038103d269b633813fc60c", "spanId": own, "name": name, "kind": kind}
    times = {"startTimeUnixNano": str(base + start * 1_000_000), "endTimeUnixNano": str(base + end * 1_000_000)}
    return {**found, **times, **({"parentSpanId": parent} if parent else {}), **more}


def resource(service: str, *spans: dict[str, object]) -> dict[str, object]:
    attributes = [{"key": "service.name", "value": {"stringValue": service}}]
    return {"resource": {"attributes": attributes}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}


SHOP = [
    resource("web", span(WEB, "GET /cart", 2, 0, 60), span(CLIENT, "cart.Get", 3, 10, 50, WEB)),
    resource(
        "cart",
        span(
            CART, "cart.Get", "SPAN_KIND_SERVER", 20, 40, CLIENT,
            attributes=[{"key": "items", "value": {"intValue": "3"}}],
            events=[{"timeUnixNano": "1700000000030000000", "name": "cache miss"}],
        ),
    ),
]  # fmt: skip

HISTORY = """\
{:type :invoke, :f :write, :value 3, :process 0, :time 1000000, :index 0}
{:type :invoke, :f :read, :value nil, :process 1, :time 2000000, :index 1}
{:type :ok, :f :write, :value 3, :process 0, :time 3000000, :index 2}
{:type :ok, :f :read, :value 3, :process 1, :time 4000000, :index 3}
{:type :info, :f :start-partition, :value [:isolated {"n1" #{"n2"}}], :process :nemesis, :time 5000000, :index 4}
{:type :invoke, :f :cas, :value [3 4], :process 0, :time 6000000, :index 5}
{:type :info, :f :cas, :value [3 4], :process 0, :time 9000000, :error :net-timeout, :index 6}
"""


def message(number: int, src: str, dest: str, **body: object) -> dict[str, object]:
    return {"id": number, "src": src, "dest": dest, "body": body}


JOURNAL = [
    {"time": 1_000_000, "type": "send", "message": message(1, "c1", "n1", type="broadcast", msg_id=1, message=7)},
    {"time": 2_000_000, "type": "recv", "message": message(1, "c1", "n1", type="broadcast", msg_id=1, message=7)},
    {"time": 2_500_000, "type": "send", "message": message(2, "n1", "n2", type="gossip", message=7)},
    {"time": 3_500_000, "type": "send", "message": message(3, "n1", "c1", type="broadcast_ok", in_reply_to=1)},
    {"time": 4_500_000, "type": "recv", "message": message(3, "n1", "c1", type="broadcast_ok", in_reply_to=1)},
]


def written(folder: Path, text: str, name: str = "log") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def told(trace: Trace) -> list[tuple[object, ...]]:
    return [(e.kind, e.process, e.peer, e.message, e.label) for e in trace.events()]


@pytest.mark.parametrize("lines", [False, True])
def test_a_client_and_a_server_exchange_two_messages(tmp_path: Path, lines: bool) -> None:
    requests = [{"resourceSpans": [each]} for each in SHOP]
    text = "\n".join(map(json.dumps, requests)) if lines else json.dumps({"resourceSpans": SHOP}, indent=1)
    (found,) = import_log(written(tmp_path, text))
    assert told(found.trace) == [
        ("note", "web", None, None, None),
        ("send", "web", "cart", 0, "cart.Get"),
        ("receive", "cart", "web", 0, "cart.Get"),
        ("note", "cart", None, None, None),
        ("send", "cart", "web", 1, "reply"),
        ("receive", "web", "cart", 1, "reply"),
        ("note", "web", None, None, None),
    ]
    assert [round(e.time, 3) for e in found.trace.events()] == [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06]
    assert (found.trace.detail(2) or {})["fields"] == {"log": "cart.Get", "items": 3}


def test_a_parent_that_is_not_a_client_sends_to_each_child(tmp_path: Path) -> None:
    spans = [
        resource("a", span("01", "all", 1, 0, 90)),
        resource("b", span("02", "one", 5, 10, 20, "01")),
        resource("c", span("03", "two", 2, 30, 40, "01")),
    ]
    (found,) = import_log(written(tmp_path, json.dumps({"resourceSpans": spans})))
    sent = [(e.process, e.peer, e.label) for e in found.trace.events() if e.kind == "send"]
    assert sent == [("a", "b", "one"), ("a", "c", "two"), ("c", "a", "reply")]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"spanId": 7}, '"spanId" of a span must be a text'),
        ({"kind": 9}, '"kind" of a span must be a number from 0 to 5'),
        ({"startTimeUnixNano": "yesterday"}, '"startTimeUnixNano" must be a number of nanoseconds'),
        ({"endTimeUnixNano": "1"}, "the span ends before it starts"),
        ({"spanId": WEB}, f"the span {WEB} is already in line"),
    ],
)
def test_a_span_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, change: dict[str, object], why: str) -> None:
    spans = [SHOP[0], resource("cart", span(CART, "cart.Get", 2, 20, 40) | change)]
    with pytest.raises(BadLines) as caught:
        import_log(written(tmp_path, "\n".join(json.dumps({"resourceSpans": [each]}) for each in spans)))
    assert caught.value.place == "line 2" and why in caught.value.what


def test_a_run_that_is_exported_as_spans_has_the_same_messages_and_causes(tmp_path: Path) -> None:
    trace = echo(9, grid(3, 3))
    export(trace, tmp_path / "out.json", "otlp")
    (found,) = import_log(tmp_path / "out.json")
    mine, theirs = Timeline(trace), Timeline(found.trace)
    assert theirs.m_messages == mine.m_messages and not found.problems

    def ends(timeline: Timeline) -> list[tuple[str, str, float]]:
        names = timeline.processes
        return sorted(
            (names[a], names[b], round(float(time), 4))
            for a, b, time in zip(
                timeline.message_source, timeline.message_target, timeline.message_arrived, strict=True
            )
        )

    start = mine.time[0]
    assert ends(theirs) == [(a, b, round(t - start, 4)) for a, b, t in ends(mine)]
    last = int(theirs.receives.max())
    assert int(causality.past(theirs, last).sum()) > theirs.n


def test_a_history_has_commands_and_their_results(tmp_path: Path) -> None:
    (found,) = import_log(written(tmp_path, HISTORY))
    assert [(e.kind, e.process, e.label, e.time) for e in found.trace.events()] == [
        ("command", "0", "write", 0.001), ("command", "1", "read", 0.002), ("deliver", "0", None, 0.003),
        ("deliver", "1", None, 0.004), ("note", "nemesis", None, 0.005), ("command", "0", "cas", 0.006),
        ("note", "0", None, 0.009),
    ]  # fmt: skip
    assert (found.trace.detail(3) or {})["value"] == 3
    assert (found.trace.detail(6) or {})["text"] == "cas [3, 4] has an unknown outcome: net-timeout"
    (vector,) = import_log(written(tmp_path, f"[{HISTORY}]", "vector.edn"))
    assert told(vector.trace) == told(found.trace)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{:type :begin, :f :read, :process 0}", ":type must be :invoke, :ok, :fail or :info, not 'begin'"),
        ("{:type :ok, :f :read, :process nil}", ":process must be a number or a keyword"),
        ("{:type :ok, :f 3, :process 0}", ":f must name the operation"),
        ("{:type :ok, :f :read, :process 0", "this is not EDN: { is never closed"),
        ("{:type :ok :f}", "this is not EDN: a map with a key but no value"),
        ("[1 2]", "an operation such as"),
    ],
)
def test_an_operation_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(BadLines) as caught:
        import_log(written(tmp_path, HISTORY + line), form="jepsen")
    assert caught.value.place == "line 8" and why in caught.value.what


def test_values_of_edn() -> None:
    text = '#inst "2024" #_ skipped \\a \\newline -1.5e3 12N 1/4 "q\\"\\u0041" #{1} (nil true) {:a {"b" [x/y]}} ; end'
    assert [value for _, value in values(text)] == [
        "2024", "a", "\n", -1500.0, 12, 0.25, 'q"A', [1], [None, True], {"a": {"b": ["x/y"]}}
    ]  # fmt: skip
    with pytest.raises(NotEDN):
        list(values("{" * 500))


def test_the_messages_of_a_journal_are_matched_by_number(tmp_path: Path) -> None:
    text = "\n".join(map(json.dumps, JOURNAL))
    (found,) = import_log(written(tmp_path, text))
    assert told(found.trace) == [
        ("send", "c1", "n1", 0, "broadcast"), ("receive", "n1", "c1", 0, "broadcast"),
        ("send", "n1", "n2", 1, "gossip"), ("send", "n1", "c1", 2, "broadcast_ok"),
        ("receive", "c1", "n1", 2, "broadcast_ok"),
    ]  # fmt: skip
    assert (found.trace.detail(0) or {})["fields"] == {"msg_id": 1, "message": 7}
    edn = '{:id 1 :time 5 :type :send :message {:id 1 :src "a" :dest "b" :body {:type "ping"}}}'
    (other,) = import_log(written(tmp_path, edn))
    assert told(other.trace) == [("send", "a", "b", 0, "ping")]
    (alone,) = import_log(written(tmp_path, json.dumps(message(4, "a", "b", type="ping"))))
    assert [e.kind for e in alone.trace.events()] == ["send", "receive"]


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"type": "send"}, 'an event must contain a message with "src", "dest" and "body"'),
        ({**JOURNAL[0], "type": "drop"}, "\"type\" of an event must be send or recv, not 'drop'"),
        ({**JOURNAL[0], "time": "now"}, '"time" of an event must be a number of nanoseconds'),
        ({**JOURNAL[0], "message": message(1, "", "b")}, '"src" and "dest" of a message must name nodes'),
    ],
)
def test_a_message_that_cannot_be_used_is_named_with_its_line(
    tmp_path: Path, event: dict[str, object], why: str
) -> None:
    text = "\n".join(map(json.dumps, [*JOURNAL, event]))
    with pytest.raises(BadLines) as caught:
        import_log(written(tmp_path, text))
    assert caught.value.place == "line 6" and why in caught.value.what


def test_govector_with_times_and_levels(tmp_path: Path) -> None:
    text = '1700000000000000000 a {"a":1}\nINFO hello\n1700000000500000000 b {"a":1, "b":1}\nDEBUG got it\n'
    (found,) = import_log(written(tmp_path, text), form="govector")
    assert [(e.kind, e.process, round(e.time, 3)) for e in found.trace.events()] == [
        ("send", "a", 0.0), ("receive", "b", 0.5)
    ]  # fmt: skip
    assert (found.trace.detail(0) or {})["fields"] == {"log": "hello", "level": "INFO"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (json.dumps({"resourceSpans": SHOP}), "otlp"),
        (HISTORY, "jepsen"),
        ("\n".join(map(json.dumps, JOURNAL)), "maelstrom"),
    ],
)
def test_the_preview_recognises_a_format_by_its_beginning(tmp_path: Path, text: str, name: str) -> None:
    found = preview(written(tmp_path, text))
    assert (found.kind, found.problems, found.why) == (name, (), "") and found.events >= 5
    assert looks_like_log(written(tmp_path, text, "x.data"))
    assert recognised('web {"web": 1}\nhello\n') is None


def test_an_unknown_format_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        import_log(written(tmp_path, HISTORY), form="jespen")
    assert "did you mean 'jepsen'" in str(caught.value) and all(name in str(caught.value) for name in FORMATS)


def test_itf_has_the_state_before_the_first_event_and_after_each(tmp_path: Path) -> None:
    trace = echo(4, grid(2, 2))
    export(trace, tmp_path / "out.itf.json", "itf")
    found = json.loads((tmp_path / "out.itf.json").read_text())
    timeline = Timeline(trace)
    assert found["#meta"]["format"] == "ITF" and len(found["states"]) == len(trace) + 1
    for k, state in enumerate(found["states"]):
        assert state["#meta"]["index"] == k and sorted(state) == ["#meta", *found["vars"]]
        names = [timeline.states[code] for code in timeline.states_at(k)]
        assert state["state"]["#map"] == [list(pair) for pair in zip(trace.processes, names, strict=True)]
        assert [each["id"] for each in state["in_transit"]["#set"]] == sorted(timeline.in_flight(k).tolist())
        for p, (name, own) in enumerate(state["variables"]["#map"]):
            assert name == trace.processes[p]
            assert list(own) == list(timeline.variables(p, k))
