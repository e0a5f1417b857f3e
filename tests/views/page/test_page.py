"""The page that plays a run: its data, that names cannot become markup, and that a browser plays it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, Marks, Pointer, Watch, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.others import communication
from lydian.views.page.page import column, page, run_data
from lydian.views.time import causality
from lydian.views.words.sentence import closing, sentence
from tests.views.book import Book, echo
from tests.views.browser import CHROMIUM, Browser, browsed

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted((ROOT / "resources" / "templates").glob("player.*"))


@pytest.fixture(scope="module")
def crash():
    """Return ECHO on two wings with a crash: faults, losses, a violated property."""
    simulator = Simulator(archive().experiment("echo-crash"))
    simulator.run()
    return Timeline(simulator.trace)


def numbers(packed: Mapping[str, str]) -> np.ndarray:
    """Read a column as the script does."""
    ((name, text),) = packed.items()
    return np.frombuffer(base64.b64decode(text), dtype=f"<{name}")


class Outline(HTMLParser):
    """The elements of a page in order, and the text of its data and its title."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.title = ""
        self._in = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._in = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._in = ""

    def handle_data(self, data):
        if self._in == "script":
            self.scripts[-1] += data
        elif self._in == "title":
            self.title += data


# ---------------------------------------------------------------------- the data of the page


@given(st.lists(st.integers(-(2**31), 2**31 - 1)))
def test_whole_numbers_round_trip(values):
    packed = column(np.array(values, dtype=np.int64))
    assert numbers(packed).tolist() == values
    assert numbers(packed).itemsize in (1, 2, 4)


@given(st.lists(st.floats(allow_nan=False)))
def test_times_round_trip_to_the_last_bit(values):
    assert numbers(column(np.array(values, dtype=np.float64))).tolist() == values


def test_events_and_messages_round_trip(crash):
    data = json.loads(json.dumps(run_data(crash)))
    events, messages = data["events"], data["messages"]
    for name in ("time", "kind", "process", "peer", "label", "lamport", "bits", "message"):
        assert numbers(events[name]).tolist() == getattr(crash, name).tolist(), name
    assert data["names"] == list(crash.processes)
    ids = numbers(messages["id"])
    assert sorted(ids.tolist()) == list(range(crash.m_messages))
    assert numbers(messages["end"]).tolist() == crash.receives[ids].tolist()
    assert numbers(messages["arrived"]).tolist() == crash.message_arrived[ids].tolist()
    assert numbers(messages["lost"]).astype(bool).tolist() == crash.lost[ids].tolist()


def test_every_event_has_its_sentence(crash):
    data, animation = run_data(crash), animation_for(crash.trace)
    told = [data["texts"][code].replace("\t", "") for code in numbers(data["events"]["text"])]
    assert told == [sentence(crash, seq, animation) for seq in range(crash.length)]


def test_messages_are_where_the_window_draws_them(crash):
    messages = {name: numbers(c) for name, c in run_data(crash)["messages"].items()}
    place = {int(number): i for i, number in enumerate(messages["id"])}
    for t in np.linspace(0, crash.end, 41).tolist():
        flights = basic.frame(crash, t).flights
        found = np.array([place[int(number)] for number in flights.id], dtype=np.int64)
        sent = crash.time[messages["send"][found]]
        way = messages["reached"][found] - sent
        assert np.clip((t - sent) / way, 0, 1) == pytest.approx(flights.fraction)


def replayed(data: Mapping, k: int) -> dict[str, list[dict[int, Any]]]:
    """Return the values of processes on the channels of each part after k events, as the script computes them: 0, -1 or
    a set if new.
    """
    changes = {name: numbers(c).tolist() for name, c in data["changes"].items()}
    said: list[dict[int, Any]] = [{} for _ in data["channels"]]
    for at, p, what, value in zip(*(changes[name] for name in ("at", "process", "what", "value")), strict=True):
        if at >= k:
            break
        if data["channels"][what]["sort"] != "set":
            said[what][p] = value
        elif value >= 0:
            said[what].setdefault(p, set()).add(value)
        else:
            said[what][p].remove(-2 - value)
    found: dict[str, list[dict[int, Any]]] = {}
    for channel, answers in zip(data["channels"], said, strict=True):
        found.setdefault(channel["part"], []).append(answers)
    return found


LOOKS = Animation(
    states={"sleeping": 0},
    pointers=(Pointer("parent", style="waiting", while_states=("waiting",), backwards=True), Pointer("parent")),
    watch=Watch("waits for {pending:len}", while_states=("waiting",)),
    badge="pending",
    marks=(Marks("pending", slot=4),),
)


@pytest.mark.parametrize("looks", [None, LOOKS], ids=["its own", "with marks"])
@pytest.mark.parametrize("which", ["crash", "book"])
def test_the_replay_matches_the_window(which, looks, crash):
    timeline = crash if which == "crash" else Timeline(echo())
    data = run_data(timeline, looks)
    for t in np.linspace(-0.01, timeline.end, 60).tolist():
        frame = basic.frame(timeline, t, animation=looks)
        said = replayed(data, frame.k)
        for told, targets, band in zip(data["pieces"]["pointers"], said["pointers"], frame.pointers, strict=True):
            drawn = {(p, q) for p, q in targets.items() if q >= 0}
            if told["backwards"]:
                drawn = {(q, p) for p, q in drawn}
            assert drawn == set(zip(band.source.tolist(), band.target.tolist(), strict=True))
        for part, texts in (("watch", frame.watch), ("badge", frame.badges)):
            lines = tuple(data["texts"][said[part][0].get(p, 0)] for p in range(timeline.n))
            assert lines == (texts or ("",) * timeline.n)
        marks = [{(p, q) for p, members in answers.items() for q in members} for answers in said.get("marks", [])]
        assert marks == [set(zip(m.source.tolist(), m.target.tolist(), strict=True)) for m in frame.marks]


def test_links_in_sets_and_weights_reach_the_page():
    drawn = Animation(marks=(Marks("branch", style="thick"), Marks("rejected", style="struck")))
    result = Simulator(archive().experiment("ghs").resolve(archive())).run()
    data = run_data(Timeline(result.trace), drawn)
    assert [each["style"] for each in data["pieces"]["marks"]] == ["thick", "struck"]
    assert data["links"]["weight"][:3] == ["4", "8", "11"]
    assert "weight" not in run_data(Timeline(echo()), None)["links"]


def test_an_execution_without_events_has_a_page():
    assert Outline(page(Timeline(Book(("a", "b"), links=[("a", "b")]).trace()))).title == "Echo on two-wings"


def test_an_overlong_run_is_refused_with_an_error(monkeypatch, crash):
    monkeypatch.setattr("lydian.views.page.page.MOST_EVENTS", 50)
    with pytest.raises(BadInput, match=r"the run has 93 events but a page must have at most 50; run it with --limit"):
        page(crash)


def test_a_page_is_small():
    """The player with a small run is at most 155 kB; an event with its sentence costs at most 180 bytes."""
    small, large = (
        len(page(Timeline(echo(tuple(map(str, range(n))), [(str(i), str((i + 1) % n)) for i in range(n)]))))
        for n in (10, 400)
    )
    events = [len(echo(tuple(map(str, range(n))), [(str(i), str((i + 1) % n)) for i in range(n)])) for n in (10, 400)]
    assert small < 155_000
    assert (large - small) / (events[1] - events[0]) < 180


# ---------------------------------------------------------------------- no requests and no injected markup


def test_the_page_makes_no_requests(crash):
    text = page(crash)
    assert re.findall(r"https?:|\bsrc\s*=|@import|url\(|<link|fetch\(|XMLHttpRequest|WebSocket|\bimport\(", text) == []


def test_the_policy_admits_only_this_script_and_style(crash):
    text = page(crash)
    policy = re.search(r'Content-Security-Policy"\s+content="([^"]+)"', text).group(1)
    assert policy.startswith("default-src 'none';")
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL).group(1)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_colours_come_from_the_tokens(path):
    # style sheets name elements in this way
    text = re.sub(r"#(?=[a-z-]+[\s.:,{>])", "", path.read_text(encoding="utf-8"))
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", text) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_texts_never_become_markup(path):
    assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", path.read_text("utf-8")) == []


HOSTILE = st.one_of(
    st.text(min_size=1, max_size=20),
    st.sampled_from(
        ["</script><script>alert(1)</script>", "<!--<script>", "<img src=x onerror=alert(1)>", "{{script}}", "]]>",
         "&lt;b&gt;", "\u2028", "\ud800", "a\tb", "</title><b>", "'\"`${alert(1)}", "\0", "<b>5</b>"]
    ),
)  # fmt: skip
#: names that a network can have
NAMES = HOSTILE.filter(str.isprintable)


@settings(deadline=None)
@given(title=HOSTILE, network=HOSTILE, about=HOSTILE, name=NAMES, note=HOSTILE, error=HOSTILE)
def test_no_name_becomes_markup(title, network, about, name, note, error):
    book = Book((name, name + "'"), links=[(name, name + "'")])
    book.write(0.0, "init", name, state="initiating", changed={"parent": note})
    book.write(1.0, "note", name, text=note)
    book.write(2.0, "crash", name)
    trace = book.trace(protocol_title=title, stopped="error", error=error, checks=[{"name": note, "holds": False}])
    trace.network["graph"]["name"] = network
    trace = replace(trace, experiment={**trace.experiment, "about": about, "name": name}, versions={})
    looks = Animation(states={"sleeping": 0}, words={"initiating": note}, watch=Watch("{parent}"))
    made = Outline(page(Timeline(trace), looks))
    plain = Outline(page(Timeline(echo()), Animation()))
    assert made.tags == plain.tags
    assert made.scripts[1] == plain.scripts[1]
    data = json.loads(made.scripts[0])
    assert data["names"] == [name, name + "'"]
    assert data["opening"] and data["marks"][0]["text"] == f"{name} crashed".strip()


# ---------------------------------------------------------------------- playing in a browser


def shown(dom: str, pattern: str) -> str:
    """Return the text of the first element that begins in this way."""
    found = re.search(pattern + r"[^>]*>(.*?)</(?:h2|p|span|output)>", dom, re.DOTALL).group(1)
    return html.unescape(re.sub(r"<[^>]+>", "", found)).strip()


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("t", [0.0, 6.5, 99.0])
def test_a_browser_shows_the_moment(tmp_path, crash, t):
    dom = browsed(tmp_path, page(crash), f"t={t}")
    t = min(t, crash.end) if t else -1.0
    k = crash.count(t)
    assert k in (0, crash.length) or shown(dom, '<span id="sentence"') == sentence(
        crash, k - 1, animation_for(crash.trace)
    )
    titles = re.findall(r"<h2>(?:\w+) <span>(.*?)</span>", dom)
    assert html.unescape(titles[0]) == basic.frame(crash, t).title
    assert html.unescape(titles[1]).split(" · ")[-2:] == causality.frame(crash, t).title.split(" · ")[-2:]
    assert html.unescape(titles[2]) == communication.frame(crash, t).title
    assert f"<b>{k}</b> of {crash.length} events" in dom


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or os.name != "posix", reason="there is no Chromium")
def test_keys_play_and_step(tmp_path, crash):
    def happened(k: int) -> str:
        return f"document.querySelectorAll('#clock b')[1].textContent === '{k}'"

    times = crash.time.tolist()
    second = times.index(next(time for time in times if time > times[0]))
    browser = Browser(tmp_path, page(crash))
    try:
        browser.until(happened(0))
        browser.press("ArrowRight")
        browser.until(happened(crash.count(times[0])))
        browser.press("ArrowRight")
        browser.until(happened(crash.count(times[second])))
        browser.press("ArrowLeft")
        browser.until(happened(crash.count(times[0])))
        browser.press("End")
        browser.until(happened(crash.length))
        assert browser.value("document.querySelector('#sentence').textContent") == closing(crash)
        browser.press("Home")
        browser.until(happened(0))
        for _ in range(10):
            browser.press("]")
        browser.press(" ")
        browser.until(happened(crash.length))
        browser.until("document.querySelector('#play').getAttribute('aria-label') === 'Play'")
        for _ in range(10):
            browser.press("[")  # slowly, so that it is still playing when the test looks
        browser.press(" ")  # at the end: from the beginning again
        browser.until("document.querySelector('#play').getAttribute('aria-label') === 'Pause'")
        assert browser.value("document.querySelector('#said').getAttribute('aria-live')") == "polite"
        names = browser.value("[...document.querySelectorAll('button')].map((b) => b.ariaLabel || b.textContent)")
        assert all(names) and len(set(names)) == len(names)
    finally:
        browser.close()


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_browser_executes_no_name(tmp_path):
    evil = "</script><img src=x onerror=\"document.title='hacked'\">"
    book = Book((evil, "b"), links=[(evil, "b")])
    book.write(0.0, "init", evil, state="initiating")
    number, sent = book.send(0.5, evil, "b", "Broadcast")
    book.write(1.0, "receive", "b", evil, label="Broadcast", message=number, cause=sent, state="waiting")
    dom = browsed(tmp_path, page(Timeline(book.trace(protocol_title=evil))), "t=0.7")
    assert "<img" not in dom
    assert "<title>hacked" not in dom
    assert evil in shown(dom, '<span id="sentence"')
