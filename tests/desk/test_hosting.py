"""A class on the desk: its run on the screen, the host's decisions, a player, and interrupted classes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lydian.classroom import frames
from lydian.desk import hosting as classes
from lydian.desk.conversation import Conversation
from lydian.desk.hosting import Hosting, Interrupted, Joining
from lydian.desk.kept.folder import KeptFolder
from lydian.desk.playhead import Playhead
from lydian.desk.runs.session import Session
from lydian.engine import wire
from lydian.engine.liverows import LiveRows
from lydian.model.errors import BadInput
from tests.classroom.fakehost import FakeHost, experiment, person
from tests.desk.inprocess import InProcess


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
def hosted(session: Session) -> Iterator[tuple[Hosting, FakeHost]]:
    hosting = Hosting(session)
    hosting.playhead = Playhead()
    hosting.glide = 0.0
    session.run_grown.connect(lambda run, first, _play: _load(hosting, run.timeline, first))
    fake = FakeHost(hosting)
    session.experiment = experiment()
    hosting.host(experiment(), None, lan=True)
    fake.welcome()
    fake.room()
    yield hosting, fake
    hosting.close()


def _load(part: Any, timeline: Any, first: bool) -> None:
    (part.playhead.load if first else part.playhead.extend)(timeline)


def test_a_class_is_requested_with_a_code_and_a_file_of_its_own(hosted: tuple[Hosting, FakeHost]) -> None:
    hosting, fake = hosted
    request = fake.told[0]
    assert isinstance(request, frames.Host)
    assert (request.lan, request.game, request.code.partition("-")[0]) == (True, "", "lamport")
    assert request.file.endswith(f"classes/{request.code}.class")
    assert hosting.code == "ring-4127"
    assert Path(request.file).parent.is_dir()


def test_the_run_of_a_class_grows_on_the_screen(
    loop: InProcess, session: Session, hosted: tuple[Hosting, FakeHost]
) -> None:
    hosting, fake = hosted
    head = hosting.playhead
    assert head is not None
    fake.begun()
    fake.grow(10)
    loop.until(lambda: session.shown is not None and session.shown.timeline.length == 10)
    assert head.at_end
    fake.grow(12, 2)
    fake.grow(3, 2)
    loop.until(lambda: session.shown.timeline.length == 25)
    assert head.at_end
    head.seek(0.0)
    fake.grow(5, 3)
    loop.until(lambda: session.shown.timeline.length == 30)
    assert head.t == 0.0


def test_undone_events_disappear(loop: InProcess, session: Session, hosted: tuple[Hosting, FakeHost]) -> None:
    _hosting, fake = hosted
    fake.begun()
    fake.grow(30)
    loop.until(lambda: session.shown is not None and session.shown.timeline.length == 30)
    before = session.shown.timeline
    fake.undo(12)
    loop.until(lambda: session.shown.timeline.length == 12)
    fake.grow(4)
    loop.until(lambda: session.shown.timeline.length == 16)
    assert before.length == 30
    assert before.trace.rows[20]["time"] > 0


def test_an_act_with_another_protocol_is_drawn_by_its_own_animation(
    loop: InProcess, session: Session, hosted: tuple[Hosting, FakeHost]
) -> None:
    _hosting, fake = hosted
    fake.begun()
    fake.grow(10)
    loop.until(lambda: session.shown is not None)
    before = session.shown.trace.experiment  # type: ignore[union-attr]
    fake.begun(drawn="apples")
    fake.grow(20)
    loop.until(lambda: session.shown is not None and session.shown.trace.experiment.get("animation") == "apples")
    assert "apples" not in before.values()


def test_another_run_on_the_screen_stays_until_the_class_is_shown_again(
    loop: InProcess, session: Session, hosted: tuple[Hosting, FakeHost]
) -> None:
    hosting, fake = hosted
    fake.begun()
    fake.grow(10)
    loop.until(lambda: session.shown is not None)
    session.shown = None
    fake.grow(10)
    loop.until(lambda: hosting.elsewhere)
    assert session.shown is None
    hosting.show()
    assert session.shown.timeline.length == 20
    assert not hosting.elsewhere


def test_decisions_are_sent_with_numbers_and_answered_by_name(hosted: tuple[Hosting, FakeHost]) -> None:
    hosting, fake = hosted
    answers: list[tuple[str, bool, str]] = []
    hosting.answered.connect(lambda *what: answers.append(what))
    hosting.lead("more", seconds=30.0)
    fake.answer()
    hosting.lead("undo")
    fake.answer(False, "there is no round to undo")
    assert fake.leads() == [("more", {"seconds": 30.0}), ("undo", {})]
    assert answers == [("more", True, ""), ("undo", False, "there is no round to undo")]


def test_people_are_players_or_watch(hosted: tuple[Hosting, FakeHost]) -> None:
    hosting, fake = hosted
    fake.people(person(2, "Ana", "0"), person(3, "Wen", hand=True), person(4, "Eva", "1", "away", back=4.0),
                log=("Ana has come.",))  # fmt: skip
    assert {name: each.name for name, each in hosting.players.items()} == {"0": "Ana", "1": "Eva"}
    assert [(each.name, each.hand) for each in hosting.watching] == [("Wen", True)]
    assert hosting.players["1"].due is not None
    assert hosting.log == ("Ana has come.",)


def test_a_host_that_dies_leaves_the_run_and_says_what_is_saved(
    loop: InProcess, session: Session, hosted: tuple[Hosting, FakeHost]
) -> None:
    hosting, fake = hosted
    said: list[str] = []
    hosting.ended.connect(said.append)
    fake.begun()
    fake.grow(10)
    loop.until(lambda: session.shown is not None)
    fake.room("open", 7)
    assert hosting.file is not None
    hosting.file.write_text("{}")
    fake.end("It was killed.")
    assert said == ["The class has stopped unexpectedly: It was killed. It is saved up to round 6."]
    assert hosting.last is not None
    assert hosting.last.round == 6
    assert session.runs[0].timeline is not None
    assert session.runs[0].timeline.length == 10
    assert not hosting.on


def test_an_ended_class_says_nothing(hosted: tuple[Hosting, FakeHost]) -> None:
    hosting, fake = hosted
    said: list[str] = []
    hosting.ended.connect(said.append)
    hosting.end()
    assert fake.leads() == [("end", {})]
    fake.heard.emit(wire.Bye("the class has ended"))
    fake.end()
    assert said == [""]


def test_a_player_chooses_for_the_round_of_the_seat(session: Session) -> None:
    joining = Joining(session)
    fake = FakeHost(joining)
    joining.join(" 192.168.4.20:8642 ", "RING-4127", " Zoe ")
    assert fake.last == frames.Connect("192.168.4.20:8642", "ring-4127", "Zoe", "seat")
    fake.welcome("player", "5")
    fake.room("open", 3, choosing=1)
    fake.seat([{"id": "m1", "title": "Request from 1"}], round_=3)
    joining.choose("m1")
    assert fake.last == frames.Choose(1, 3, "m1", None)
    fake.heard.emit(frames.Story(3, "You took Request."))
    fake.heard.emit(frames.Story(3, "You took Request from 1."))
    assert [each.text for each in joining.stories] == ["You took Request from 1."]
    fake.heard.emit(frames.Question(1, "How many?", "number"))
    joining.reply(4)
    assert fake.last == frames.Reply(1, 4)
    joining.raise_hand(True)
    assert fake.last == frames.Hand(True)
    joining.leave()
    assert not joining.on
    joining.close()


def test_the_run_of_a_class_elsewhere_replaces_the_experiment(loop: InProcess, session: Session) -> None:
    session.experiment = experiment()
    joining = Joining(session)
    fake = FakeHost(joining)
    joining.join("127.0.0.1:1", "ring-4127", "Zoe", "watch")
    fake.welcome("observer")
    fake.room()
    fake.begun()
    fake.grow(10)
    loop.until(lambda: session.shown is not None)
    assert session.experiment is None
    assert session.shown.timeline.length == 10
    joining.close()


def test_a_class_that_cannot_be_joined_says_why(session: Session) -> None:
    joining = Joining(session)
    fake = FakeHost(joining)
    said: list[str] = []
    joining.ended.connect(said.append)
    joining.join("127.0.0.1:1", "ring-4127", "Zoe")
    fake.heard.emit(wire.Error("there is no class at 127.0.0.1:1", 2))
    fake.end("The process ended.")
    assert said == ["there is no class at 127.0.0.1:1"]


def test_an_interrupted_class_is_found_once_its_window_is_closed(tmp_path: Path) -> None:
    def lock(file: Path) -> Any:
        if file in held:
            return None
        held.add(file)
        return lambda: held.discard(file)

    held: set[Path] = set()
    saved = tmp_path / "ring-4127.class"
    saved.write_text("{}")
    now = Interrupted("ring-4127", saved, 6, True, 8642)
    first, second = KeptFolder(tmp_path, lock), KeptFolder(tmp_path, lock)
    classes.remember(first, now)
    assert classes.interrupted(second) is None
    first.close()
    assert classes.interrupted(second) == now
    classes.forget(second, all_windows=True)
    assert classes.interrupted(second) is None
    second.close()


def test_a_file_without_a_class_is_refused(session: Session, tmp_path: Path) -> None:
    hosting = Hosting(session)
    file = tmp_path / "x.class"
    for text in ("{", "[]", json.dumps({"experiment": {}})):
        file.write_text(text)
        with pytest.raises(BadInput):
            hosting.resume(file)
    hosting.close()


def test_rows_can_be_cut_to_nothing() -> None:
    rows = LiveRows({})
    rows.cut(0)
    assert rows.count == 0


def test_a_conversation_decodes_with_what_it_is_given(loop: InProcess) -> None:
    heard: list[wire.Frame] = []
    conversation = Conversation(loop, decode=frames.told)
    conversation.heard.connect(heard.append)
    conversation._child = child = object()  # type: ignore[assignment]
    conversation._hear(child, wire.encode(frames.People([], ["Ana has come."])))  # type: ignore[arg-type]
    conversation._hear(child, wire.encode(wire.Stop()))  # type: ignore[arg-type]
    conversation._child = None
    assert heard == [frames.People([], ["Ana has come."])]
