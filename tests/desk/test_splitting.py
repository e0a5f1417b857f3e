"""A system in components on the desk: its borders, its run on the screen, decisions, and why it cannot be split."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.classroom.components import window
from lydian.desk.playhead import Playhead
from lydian.desk.runs.session import Session
from lydian.desk.splitting import Borders, Splitting, handover_words, why_not
from lydian.engine import wire
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.protocol.folder import read_source
from tests.classroom.fakecomponents import FakeComponents
from tests.classroom.test_components import experiment
from tests.desk.inprocess import InProcess

GROUPS = {"A": ("0", "1", "4", "5", "8", "9", "12", "13"), "B": ("2", "3", "6", "7", "10", "11", "14", "15")}


@pytest.fixture
def loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InProcess]:
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    made = InProcess()
    yield made
    made.close()


@pytest.fixture
def session(loop: InProcess) -> Iterator[Session]:
    made = Session(loop)
    yield made
    made.close()


@pytest.fixture
def split(session: Session) -> Iterator[tuple[Splitting, FakeComponents]]:
    splitting = Splitting(session)
    splitting.playhead = head = Playhead()
    session.run_grown.connect(lambda run, first, _play: (head.load if first else head.extend)(run.timeline))
    fake = FakeComponents(splitting)
    session.experiment = experiment()
    splitting.start(experiment(), None, GROUPS, replicas=2, pace=4.0)
    fake.open()
    yield splitting, fake
    splitting.close()


def source(name: str) -> str:
    return read_source(file) if (file := archive().find("protocols", name)).is_dir() else file.read_text("utf-8")


# ---------------------------------------------------------------------- borders


def test_borders_are_drawn_and_each_change_is_undone() -> None:
    borders = Borders(from_spec("grid:4x4"), 2)
    before = borders.groups
    assert {len(members) for members in before.values()} == {8}
    assert borders.move([before["A"][0], before["A"][1]], "B") == 2
    assert borders.move([before["A"][0]], "B") == 0
    assert borders.home[before["A"][0]] == "B"
    assert borders.groups["B"] == tuple(p for p in borders.network.processes if p in borders.groups["B"])
    assert borders.add() == "C"
    assert borders.problem == "Component C contains no process."
    borders.move([before["B"][-1]], "C")
    assert borders.problem == ""
    for _ in range(3):
        borders.undo()
    assert borders.groups == before and not borders.can_undo and borders.can_redo
    borders.redo()
    assert borders.home[before["A"][0]] == "B"
    borders.cut(4)
    assert [len(members) for members in borders.groups.values()] == [4, 4, 4, 4] and not borders.can_redo


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["move", "add", "cut", "undo", "redo"]), st.integers(0, 24)), max_size=25))
def test_every_process_is_in_one_component_whatever_is_drawn(acts: list[tuple[str, int]]) -> None:
    borders = Borders(from_spec("ring:9"), 3)
    for act, number in acts:
        names = list(borders.groups)
        if act == "move":
            borders.move([str(number % 9), str((number + 1) % 9)], names[number % len(names)])
        elif act == "cut":
            borders.cut(number)
        else:
            getattr(borders, act)()
    found = sorted(process for members in borders.groups.values() for process in members)
    assert found == sorted(borders.network.processes)
    assert borders.between == sum(borders.home[link.a] != borders.home[link.b] for link in borders.network.links)


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        ("dijkstra-k-state", "read each other's variables at once"), ("balls-and-bins", "act in synchronous rounds"),
        ("chord-scribe", "reports a crash without a message"), ("echo", ""), ("raft", ""),
    ],
)  # fmt: skip
def test_a_protocol_that_cannot_be_split_says_why(protocol: str, words: str) -> None:
    found = why_not(Experiment(name="x", protocol=protocol, network="ring:5"), source(protocol))
    assert words in found if words else found == ""


def test_an_intervention_that_names_an_event_cannot_be_split() -> None:
    made = Experiment(name="x", protocol="echo", network="ring:5", interventions=(
        Intervention.from_dict({"do": "crash", "process": "1", "time": 1.0, "after": 3}, None, "what"),
    ))  # fmt: skip
    assert "names an event or a message by its number" in why_not(made, source("echo"))
    assert "Open an experiment" in why_not(None, "")


# ---------------------------------------------------------------------- the run


def test_the_run_grows_on_the_screen_and_is_listed_at_its_end(
    loop: InProcess, session: Session, split: tuple[Splitting, FakeComponents]
) -> None:
    splitting, fake = split
    lab, head = fake.lab, splitting.playhead
    assert lab is not None and head is not None
    lab.run(lambda: lab.hub.seats["A"].events > 10)
    fake.show()
    fake.stand()
    loop.until(lambda: splitting.there)
    assert session.shown is not None and session.shown.timeline is not None
    first = session.shown.timeline.length
    assert first == sum(seat.events for seat in lab.hub.seats.values())
    assert [each.acting for each in splitting.components] == [seat.acting for seat in lab.hub.seats.values()]
    assert head.at_end
    head.seek(0.0)
    lab.run()
    fake.show()
    loop.until(lambda: session.shown.timeline.length > first)  # type: ignore[union-attr]
    assert head.t == 0.0
    fake.end(checks=({"name": "x", "kind": "always", "holds": True, "at": None},))
    assert not splitting.on and splitting.there and splitting.over == "quiescent"
    assert session.runs[0] is session.shown
    assert session.runs[0].result["checks"][0]["name"] == "x"


def test_inserted_events_keep_the_moment(
    loop: InProcess, session: Session, split: tuple[Splitting, FakeComponents]
) -> None:
    splitting, fake = split
    lab, head = fake.lab, splitting.playhead
    assert lab is not None and head is not None
    lab.run()
    fake.show("A")
    loop.until(lambda: splitting.there)
    head.seek(1.0)
    fake.show()
    loop.until(lambda: session.shown.timeline.length == sum(each.events for each in lab.hub.seats.values()))  # type: ignore[union-attr]
    assert head.t == 1.0


def test_another_run_on_the_screen_stays_until_the_components_are_shown_again(
    loop: InProcess, session: Session, split: tuple[Splitting, FakeComponents]
) -> None:
    splitting, fake = split
    assert fake.lab is not None
    fake.lab.run()
    fake.show()
    loop.until(lambda: splitting.there)
    session.shown = None
    fake.show()
    assert splitting.elsewhere
    splitting.show()
    assert splitting.there and not splitting.elsewhere


def test_handovers_are_told_in_words(split: tuple[Splitting, FakeComponents]) -> None:
    splitting, fake = split
    lab, said = fake.lab, list[str]()
    assert lab is not None
    splitting.handed.connect(said.append)
    lab.run(lambda: lab.hub.seats["B"].events > 5)
    old = lab.hub.seats["B"].acting
    lab.kill(old)
    lab.run(lambda: lab.hub.seats["B"].acting != old)
    new, number = lab.hub.seats["B"].acting, lab.hub.seats["B"].handovers[-1].number
    assert said == [handover_words(lab.hub.seats["B"].handovers[-1])]
    assert said[0].startswith(f"Component B: {new} takes over from {old} after 0.")
    assert said[0].endswith(f" s of silence, at event {number + 1}.")
    fake.stand(held=(("A", 7, "B", 33),))
    first = splitting.components[0]
    assert (first.waits, first.events - first.shown) == ("A 7 waits for B 33", 1)
    assert {each.name: each.status for each in splitting.components[1].replicas}[old] == "away"


def test_decisions_go_to_the_components_concerned(split: tuple[Splitting, FakeComponents]) -> None:
    splitting, fake = split
    answers: list[Any] = []
    splitting.answered.connect(lambda *what: answers.append(what))
    splitting.steer({"do": "crash", "process": "3"}, "Ben")
    fake.answer()
    splitting.steer({"do": "link_down", "link": ["1", "2"]}, "Ben")
    splitting.do("kill", replica="b-1")
    fake.answer(False, "b-1 is not a process of this computer that runs")
    follows = []
    for names in (["B"], []):
        splitting.follow(names)
        follows.append(splitting.follows)
    assert follows == [("B",), ("A", "B")]
    assert [(do, what.get("component", what.get("replica", what.get("components")))) for do, what in fake.done()] == [
        ("steer", "B"), ("steer", "A"), ("steer", "B"), ("kill", "b-1"), ("follow", ["B"]), ("follow", ["A", "B"]),
    ]  # fmt: skip
    assert answers == [("steer", True, ""), ("kill", False, "b-1 is not a process of this computer that runs")]


def test_a_run_that_cannot_begin_says_why(session: Session) -> None:
    splitting = Splitting(session)
    fake = FakeComponents(splitting)
    said: list[str] = []
    splitting.ended.connect(said.append)
    session.experiment = experiment()
    splitting.start(experiment(), None, GROUPS)
    fake.heard.emit(wire.Error("port 80 cannot be used: Permission denied", 2))
    fake.end("The process ended.")
    assert said == ["port 80 cannot be used: Permission denied"] or said == ["The process ended."]
    assert not splitting.groups
    splitting.close()
    assert fake.closed


def test_frames_of_both_sides_are_read_again() -> None:
    for frame in (window.Do(1, "kill", {"replica": "a-1"}), window.Repeat("x.json"), wire.Stop()):
        assert window.wanted(wire.encode(frame)) == frame
    for told in (window.Open("", "", {}), window.Ended("until"), window.Standing([], [], [])):
        assert window.told(wire.encode(told)) == told
    with pytest.raises(wire.Refused):
        window.wanted(wire.encode(wire.Bye()))
