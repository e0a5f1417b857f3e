"""The interventions offered to a user: every available one is accepted, and the others give reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.interventions import TOOLS, Intervention
from lydian.model.interventions.kind import tools_for
from lydian.trace.timeline import Timeline
from lydian.views.playback.faultforms import Form, form_for
from lydian.views.playback.interfering import Offer, Situation
from lydian.views.playback.offerlists import for_ground, for_selection, menu_for, ways
from lydian.views.playback.offers import moved, offer, partition
from lydian.views.selection import Hit, Selection
from lydian.views.words.faultwords import gesture, told


def halfway(steps: int, *before: dict[str, Any], experiment: str = "two-wings") -> tuple[Simulator, Situation]:
    """Return a run after a number of steps, with an intervention at its beginning."""
    simulator = Simulator(archive().experiment(experiment), round_events=1)
    simulator.lingers = True
    for what in before:
        simulator.interact(Intervention.from_dict({"time": 0.0, **what}), 0, lambda answer: None)
    for _ in range(steps):
        simulator.round()
    taken = frozenset(what["process"] for what in before if what["do"] == "take_over")
    return simulator, Situation(Timeline(simulator.trace), simulator.kernel.now, taken=taken)


def refused(simulator: Simulator, what: Any) -> str | None:
    """Return the reason why the simulator would refuse an intervention now."""
    sent = simulator.kernel.counts()[1]
    record = Intervention.from_dict({"time": float(simulator.kernel.now), **what})
    return simulator.faults.objection(record, simulator.faults.round, sent, {})


def things(s: Situation) -> Iterator[Hit]:
    yield from (Hit("process", p) for p in range(len(s.names)))
    yield from (Hit("message", int(m)) for m in s.flying)
    yield from (Hit("link", (min(a, b), max(a, b))) for a, b in s.network.ends.tolist())


def filled(form: Form, **typed: str) -> dict[str, str]:
    """Return a form with its initial contents."""
    values: dict[str, str] = dict(typed)
    return {entry.key: typed.get(entry.key, entry.value) for entry in form.entries(values)}


BEFORE = st.lists(
    st.sampled_from(
        [
            {"do": "crash", "process": "3"},
            {"do": "crash", "process": "9"},
            {"do": "link_down", "link": "0-1"},
            {"do": "link_down", "link": "5-6"},
            {"do": "take_over", "process": "4"},
        ]
    ),
    unique_by=str,
    max_size=3,
)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(1, 60), BEFORE, st.sampled_from(["two-wings", "echo-crash", "flooding-grid"]))
def test_every_offer_is_accepted(steps: int, before: list[dict[str, Any]], experiment: str) -> None:
    simulator, s = halfway(steps, *before, experiment=experiment)
    if simulator.stopped is not None:
        return
    some: list[Offer] = [offer(s, tool, hit) for hit in things(s) for tool in TOOLS if hit.kind in TOOLS[tool].targets]
    some += [each for hit in things(s) for each in menu_for(s, hit)]
    some += [each for hit in things(s) if hit.kind == "link" for _, inner in ways(s, hit) for each in inner]
    some += for_ground(s)
    for each in some:
        assert bool(each.reason) + bool(each.form) + bool(each.what) == 1, each
        what = each.what
        if each.form and each.form != "line":
            form = form_for(s, each)
            what = form.read(filled(form))
        for one in what:
            why = refused(simulator, one)
            lost = why is not None and "is lost in transit" in why  # only the simulator can determine this in advance
            assert why is None or lost, (each, one)


def test_a_crashed_process_can_only_be_recovered() -> None:
    _, s = halfway(20, {"do": "crash", "process": "3"})
    hit = Hit("process", 3)
    assert offer(s, "crash", hit).words == "Recover process 3"
    assert offer(s, "crash", Hit("process", 4)).words == "Crash process 4"
    for tool in ("scramble", "wake", "corrupt", "take_over"):
        assert offer(s, tool, hit).reason == "process 3 has crashed"
    assert [each.short for each in menu_for(s, hit)][:2] == ["Recover", "Recover with nothing kept"]


def test_a_link_is_cut_or_restored_and_its_next_message_selected_if_none_is_in_transit() -> None:
    _, s = halfway(3, {"do": "link_down", "link": "0-1"})
    assert offer(s, "cut", Hit("link", (0, 1))).what == ({"do": "link_up", "link": ["0", "1"]},)
    assert offer(s, "cut", Hit("link", (5, 6))).what == ({"do": "link_down", "link": ["5", "6"]},)
    quiet = offer(s, "drop", Hit("link", (5, 6)), False)
    assert quiet.what == ({"do": "drop", "link": ["6", "5"]},)
    assert quiet.words == "Drop the next message from 6 to 5"
    titles = [title for title, _ in ways(s, Hit("link", (5, 6)))]
    assert titles == ["From 5 to 6", "From 6 to 5"]


def test_the_selected_message_travels_in_the_right_direction() -> None:
    _, s = halfway(30)
    message = int(s.flying[0])
    a, b = int(s.timeline.message_source[message]), int(s.timeline.message_target[message])
    on_link = offer(s, "drop", Hit("link", (min(a, b), max(a, b))), a < b)
    assert on_link.what[0]["message"] == s.along(a, b)
    to_process = offer(s, "drop", Hit("process", b))
    assert to_process.what[0]["message"] == s.next_to(b)
    assert offer(s, "drop", Hit("message", message)).words.startswith("Drop ")


def test_a_message_not_in_transit_reports_when_it_was() -> None:
    _, s = halfway(60)
    gone = next(m for m in range(s.timeline.m_messages) if m not in s.flying)
    assert offer(s, "drop", Hit("message", gone)).reason.startswith("it arrived at ")
    early = Situation(s.timeline, 0.0)
    assert offer(early, "drop", Hit("message", s.timeline.m_messages - 1)).reason.startswith("it is not sent until ")


def test_an_inapplicable_tool_explains_its_purpose() -> None:
    _, s = halfway(10)
    assert offer(s, "crash", Hit("link", (5, 6))).reason == "not for a link: click a process"
    assert offer(s, "crash", None).reason == "not for the background: click a process"
    assert offer(s, "command", Hit("process", 1)).reason == "Echo has no commands"
    assert tools_for("bar") and all(tool.icon for tool in tools_for("bar"))


def test_a_line_cuts_working_links_that_it_crosses() -> None:
    _, s = halfway(10, {"do": "link_down", "link": "5-6"})
    cut = partition(s, [(5, 6), (0, 1), (3, 6)])
    assert [each["link"] for each in cut.what] == [["0", "1"], ["3", "6"]]
    assert cut.words == "Cut 2 links: 0-1, 3-6"
    assert partition(s, [(5, 6)]).reason == "the line crosses no link that is up"
    assert [each.what for each in for_ground(s)[1:3]] == [({"do": "link_up", "link": ["5", "6"]},), ()]


def test_one_key_applies_to_the_whole_selection() -> None:
    _, s = halfway(20, {"do": "crash", "process": "3"})
    several = for_selection(s, "crash", Selection(processes=frozenset((3, 4, 5))))
    assert several is not None
    assert [each["process"] for each in several.what] == ["4", "5"]  # working links are cut first
    only = for_selection(s, "crash", Selection(processes=frozenset((3,))))
    assert only is not None and only.what == ({"do": "recover", "process": "3"},)
    assert for_selection(s, "crash", Selection(links=frozenset(((5, 6),)))) is None
    off = for_selection(s, "partition", Selection(processes=frozenset((5, 6))))
    assert off is not None and off.what == ({"do": "partition", "groups": [["5", "6"]]},)
    between = for_selection(s, "cut", Selection(processes=frozenset((5, 6))))
    assert between is not None and between.what == ({"do": "link_down", "link": ["5", "6"]},)


def test_a_link_is_cut_in_one_direction_from_its_menu() -> None:
    _, s = halfway(20)
    found = [each for each in menu_for(s, Hit("link", (5, 6))) if each.what and each.what[0].get("one_way")]
    assert [each.short for each in found] == ["Cut from 5 to 6 only", "Cut from 6 to 5 only"]
    assert found[1].what == ({"do": "link_down", "link": ["6", "5"], "one_way": True},)


def test_a_link_cut_in_one_direction_is_restored_or_cut_in_the_other() -> None:
    _, s = halfway(20, {"do": "link_down", "link": ["5", "6"], "one_way": True})
    found = [each for each in menu_for(s, Hit("link", (5, 6))) if each.tool == "cut"]
    assert [each.short for each in found] == ["Restore", "Restore from 5 to 6 only", "Cut from 6 to 5 only"]
    assert found[1].what == ({"do": "link_up", "link": ["5", "6"], "one_way": True},)


def test_the_form_of_a_variable_begins_with_its_value_and_suggests_states() -> None:
    _, s = halfway(40)
    form = form_for(s, offer(s, "corrupt", Hit("process", 5)))
    first = filled(form)
    assert first["variable"] == "parent" and first["value"] == s.timeline.variables(5, s.k)["parent"][0]
    assert form.read({"variable": "pending", "value": "6, 8"}) == (
        {"do": "corrupt", "process": "5", "variable": "pending", "value": ["6", "8"]},
    )
    state = form.entries({"variable": "state"})[1]
    assert set(state.choices) == {"sleeping", "waiting", "acked", "initiating", "finished"}
    assert state.value != s.timeline.states[int(s.timeline.states_at(s.k)[5])]


@pytest.mark.parametrize(
    ("tool", "hit", "typed", "place", "sentence"),
    [
        ("slow", Hit("link", (5, 6)), {"distribution": "unifrom(1, 2)"}, "distribution", "uniform"),
        ("slow", Hit("process", 5), {"distribution": ""}, "distribution", "distribution"),
    ],
)
def test_a_form_shows_errors_at_their_line(
    tool: str, hit: Hit, typed: dict[str, str], place: str, sentence: str
) -> None:
    _, s = halfway(10)
    form = form_for(s, offer(s, tool, hit))
    with pytest.raises(BadInput, match=sentence) as caught:
        form.read({**filled(form), **typed})
    assert caught.value.place == place


def test_a_dragged_message_arrives_correspondingly_later_or_earlier() -> None:
    _, full = halfway(200)
    t = float(full.timeline.time[40])
    s = Situation(full.timeline, t)
    hit = Hit("message", int(s.flying[0]))
    back, on = moved(s, hit, 0.6, 0.1), moved(s, hit, 0.6, 0.8)
    assert back.what[0]["delay"] > 0 > on.what[0]["delay"]
    assert back.words.startswith("Delay ") and " instead of " in back.words and on.words.startswith("Hurry ")
    assert not moved(s, hit, 0.6, 0.6).what


@pytest.mark.parametrize(
    ("what", "sentence", "entry"),
    [
        ({"do": "crash", "process": "9"}, "Process 9 crashed", "crash 9"),
        ({"do": "link_down", "link": ["3", "5"]}, "Link 3-5 cut", "cut 3-5"),
        ({"do": "drop", "link": ["3", "5"]}, "The next message from 3 to 5 will be lost", "drop message 3-5"),
        ({"do": "delay", "link": ["3", "5"], "delay": 2.0}, "The next message from 3 to 5 will be delayed by 2.0",
         "delay message 3-5"),
        ({"do": "delay", "link": ["3", "5"], "delay": -2.0}, "The next message from 3 to 5 will be hurried by 2.0",
         "hurry message 3-5"),
        ({"do": "link_up", "link": ["3", "5"], "one_way": True}, "Link from 3 to 5 restored, in this direction only",
         "restore 3-5"),
        ({"do": "corrupt", "process": "5", "variable": "pending", "value": ["6"]},
         "Pending of process 5 is now 6", "corrupt pending of 5"),
        ({"do": "corrupt", "process": "5", "variable": "state", "value": "waiting"},
         "Process 5 is now waiting", "corrupt state of 5"),
        ({"do": "inject", "link": "3-5", "label": "Ack"}, "Ack sent to 5 in the name of 3", "inject Ack 3-5"),
        ({"do": "retime", "process": "5", "distribution": "constant(2)"}, "A step of process 5 now takes constant(2)",
         "change the delay of 5"),
    ],
)  # fmt: skip
def test_interventions_are_described_in_words(what: dict[str, Any], sentence: str, entry: str) -> None:
    assert told(what) == sentence
    assert told(Intervention.from_dict({"time": 3.0, **what})) == sentence
    assert gesture([what]) == entry


def test_several_targets_are_listed_and_messages_named() -> None:
    _, s = halfway(30)
    cuts = [{"do": "link_down", "link": [a, "x"]} for a in "abcdef"]
    assert told(cuts) == "6 links cut" and told(cuts[:2]) == "Links a-x and b-x cut"
    assert told([{"do": "crash", "process": "1"}, {"do": "crash", "process": "2"}]) == "Processes 1 and 2 crashed"
    message = int(s.flying[0])
    name = s.message(message)
    assert told({"do": "drop", "message": message}, s.timeline, s.animation) == f"{name} dropped"
    assert gesture([{"do": "drop", "message": message}], s.timeline, s.animation) == f"drop {name}"
    hurried = {"do": "delay", "message": message, "delay": -0.5}
    assert gesture([hurried], s.timeline) == f"hurry {name}" and told(hurried, s.timeline) == f"{name} hurried by 0.5"
