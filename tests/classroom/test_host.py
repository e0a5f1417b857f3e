"""A class: who is admitted, what a round does, what everybody sees, and what is kept."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from lydian.classroom import frames
from lydian.classroom.games import GAMES
from lydian.classroom.host import GRACE, HostOfClass
from lydian.engine import wire
from lydian.engine.liverows import LiveRows
from lydian.engine.simulator import Simulator
from lydian.engine.wire import Refused
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import from_dict, read
from lydian.model.interventions import Intervention
from tests.classroom.acting import Clock, Someone, a_class, joined, played


async def first_of_all(people: list[Someone]) -> int:
    """Let each player choose the first thing on offer; return how many did."""
    count = 0
    for each in people:
        seats = each.all("seat")
        if seats and seats[-1]["offers"] and not seats[-1]["chosen"]:
            count += (await each.choose(seats[-1]["offers"][0]["id"]))["accepted"]
    return count


async def rounds(host: HostOfClass, lead: Someone, people: list[Someone], count: int) -> None:
    for _ in range(count):
        await lead.lead("next")
        await first_of_all(people)
        while host._tasks:
            await asyncio.gather(*host._tasks)
        if host.phase == "open":
            await lead.lead("close")


def events(someone: Someone) -> list[tuple[Any, ...]]:
    """Return the events that somebody has received, those that were taken back left out."""
    kept: list[tuple[Any, ...]] = []
    someone.listen()
    for each in someone.heard:
        if each["kind"] == "begun":
            kept = []
        elif each["kind"] == "dropped":
            kept = kept[: each["first"]]
        elif each["kind"] == "round" and each["count"]:
            frame = frames.told(json.dumps(each))
            assert isinstance(frame, wire.Round) and frame.first == len(kept)
            kept += [tuple(row) for row in frame.events()]
    return kept


def test_everybody_sees_the_same_numbered_events_and_the_record_gives_them_again() -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=3) as (host, lead, people):
            watcher = await joined(host, "Wen", "watch")
            await rounds(host, lead, people, 6)
            late = await joined(host, "Lea", "watch")
            seen = [events(each) for each in (lead, watcher, late, *people)]
            assert all(each == seen[0] for each in seen) and len(seen[0]) > 20
            await host.running.end()
            assert host.running.result is not None
            again = Simulator(from_dict(host.recorded().to_dict())).run()
            assert again.fingerprint == host.running.result["fingerprint"]
            authors = {each.author for each in host.recorded().interventions}
            assert authors == {"P1", "P2", "P3"}

    played(work)


def test_a_player_sees_the_present_state_of_the_process() -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=3) as (host, lead, people):
            await rounds(host, lead, people, 12)
            rows = LiveRows({})
            for frame in map(wire.decode, host.log.read(0, 1 << 30)[0].splitlines()):
                if isinstance(frame, wire.Begun):
                    rows.begun = frame
                elif isinstance(frame, wire.Round):
                    rows.take(frame)
            timeline = rows.timeline()
            assert timeline.length > timeline.n
            for each in people:
                assert each.process is not None
                seat, index = each.last("seat"), timeline.processes.index(each.process)
                state = timeline.states[timeline.states_at(timeline.length)[index]]
                assert seat["text"] == f"Your state is {state}"
                values = timeline.variables(index, timeline.length)
                assert dict(seat["values"])["sent"] == str(values["sent"][0]) != "0"

    played(work)


def test_a_round_closes_when_all_have_chosen_or_its_time_is_over() -> None:
    async def work() -> None:
        async with a_class("echo-unit-delays", players=2) as (host, lead, people):
            assert [each.process for each in people] == ["0", "1"]
            await lead.lead("next")
            room = lead.last("room")
            assert (room["phase"], room["round"], room["choosing"], room["chosen"]) == ("open", 1, 1, 0)
            assert room["left"] == 45.0
            offers = people[0].last("seat")["offers"]
            assert [each["title"] for each in offers] == ["start", "Take nothing"]
            assert (await people[0].choose(offers[0]["id"]))["accepted"]
            while host._tasks:
                await asyncio.gather(*host._tasks)
            assert host.phase == "between" and people[0].last("story")["text"] == "You took start."
            await lead.lead("next")
            host.clock.now += 44.0  # type: ignore[attr-defined]
            await host.beat()
            assert host.phase == "open"
            host.clock.now += 1.5  # type: ignore[attr-defined]
            await host.beat()
            assert host.phase == "between" and host.round == 2

    played(work)


def test_a_choice_is_sealed_until_the_round_closes() -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=3) as (host, lead, people):
            watcher = await joined(host, "Wen", "watch")
            screen = Someone(host, host.join(frames.Join(wish="screen"), trusted="screen"))
            await lead.lead("next")
            while len(people[0].last("seat")["offers"]) < 2:
                await lead.lead("close")
                await lead.lead("next")
            secret = people[0].last("seat")["offers"][0]
            before = [len(each.heard) for each in (lead, watcher, screen, people[1])]
            assert (await people[0].choose(secret["id"]))["accepted"]
            lead.host._tell_room()
            for each, start in zip((lead, watcher, screen, people[1]), before, strict=True):
                each.listen()
                told = json.dumps([frame for frame in each.heard[start:] if frame["kind"] != "seat"])
                assert json.dumps(secret["id"]) not in told and secret["title"] not in told
            statuses = {each["name"]: each["status"] for each in lead.last("people")["people"]}
            assert statuses["P1"] == "chosen" and statuses["Wen"] == "watching"
            assert people[0].last("seat")["chosen"] == secret["id"]
            other = people[0].last("seat")["offers"][-1]
            assert (await people[0].choose(other["id"]))["accepted"]  # it may be changed
            assert people[0].last("seat")["chosen"] == other["id"]
            assert (await people[0].choose(""))["accepted"] and people[0].last("seat")["chosen"] == ""

    played(work)


def test_two_moves_that_exclude_each_other_are_decided_by_the_rule() -> None:
    async def work() -> None:
        async with a_class("echo-unit-delays", players=2) as (host, lead, people):
            await lead.lead("mode", mode="turns")
            await lead.lead("next")
            await people[0].choose(people[0].last("seat")["offers"][0]["id"])
            await host.turn()
            for _ in range(6):
                await host.turn()
            message = next(each for each in host.running.pending if each["process"] == "1" and each["waits"])
            what = {"do": "deliver", "message": message["message"]}
            first = await people[1].say(wire.Interact(7, host.round, what))
            second = await people[1].say(wire.Interact(8, host.round, what))
            assert first["accepted"] and not second["accepted"] and second["reason"]

    played(work)


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({"do": "crash", "process": "1"}, "a player can only choose what their process does next"),
        ({"do": "hurry", "process": "1", "label": "INIT"}, "you play process 0, not '1'"),
        ({"do": "deliver", "message": 10**9}, "this message is not for process 0"),
        ({"do": "corrupt", "process": "0", "variable": "parent", "value": "3"}, "a player can only choose"),
    ],
)
def test_nobody_moves_what_is_not_theirs(what: dict[str, Any], reason: str) -> None:
    async def work() -> None:
        async with a_class("echo-unit-delays", players=1) as (host, lead, people):
            await lead.lead("mode", mode="turns")
            await lead.lead("next")
            answer = await people[0].say(wire.Interact(1, 1, what))
            assert not answer["accepted"] and answer["reason"].startswith(reason)
            watcher = await joined(host, "Wen", "watch")
            answer = await watcher.say(wire.Interact(1, 1, what))
            assert answer["reason"] == "you play no process"
            answer = await people[0].say(frames.Lead(1, "close"))
            assert answer["text"] == "only the host can do that"

    played(work)


def test_a_reconnecting_phone_is_itself_again_and_a_vanished_one_is_played_by_the_program() -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=2) as (host, lead, people):
            await rounds(host, lead, people, 2)
            secret = people[0].last("welcome")["secret"]
            position = sum(each["kind"] in ("begun", "round", "dropped") for each in people[0].heard)
            before = events(people[0])
            host.leave(people[0].listener)
            await rounds(host, lead, people[1:], 1)
            status = next(each for each in lead.last("people")["people"] if each["name"] == "P1")
            assert status["status"] == "away" and status["back"] == GRACE
            back = Someone(host, host.join(frames.Join(secret=secret, position=position)))
            assert back.process == "0" and back.last("welcome")["person"] == 2
            back.heard = [*people[0].heard, *back.heard]
            assert events(back) == events(lead) and events(back)[: len(before)] == before
            host.leave(back.listener)
            host.clock.now += GRACE + 1  # type: ignore[attr-defined]
            await host.beat()
            assert back.process is None and host._done[-1].do == "release"
            with pytest.raises(Refused, match="that name is taken"):
                host.join(frames.Join("ring-4127", "P1"))

    played(work)


def test_the_host_leads() -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=2) as (host, lead, people):
            watcher = await joined(host, "Wen", "watch")
            one, two, three = (each.listener.person.number for each in (*people, watcher))
            await lead.lead("give", person=three, process="4")
            assert watcher.process == "4" and watcher.last("welcome")["role"] == "player"
            await lead.lead("take", process="4")
            assert watcher.process is None
            await lead.lead("rename", person=one, name="Anna")
            assert people[0].last("welcome")["name"] == "Anna"
            await lead.lead("hide")
            assert {each["name"] for each in lead.last("people")["people"]} == {"seat 0", "seat 1", f"person {three}"}
            await lead.lead("hide", on=False)
            await people[0].say(frames.Hand(True))
            host._tell_room()
            assert lead.last("people")["people"][0]["hand"]
            await lead.lead("door", open=False)
            with pytest.raises(Refused, match="the door is closed"):
                host.join(frames.Join("ring-4127", "Zoe"))
            await lead.lead("next")
            await lead.lead("pause")
            assert (await people[0].choose("x"))["reason"] == "the host has paused the class"
            host.clock.now += 1000  # type: ignore[attr-defined]
            await host.beat()
            assert host.phase == "open" and lead.last("room")["paused"]
            await lead.lead("resume")
            assert lead.last("room")["left"] == 45.0
            await lead.lead("more", seconds=30)
            assert lead.last("room")["left"] == 75.0
            await lead.lead("remove", person=two)
            assert people[1].last("bye")["reason"] == "the host has ended your participation"
            with pytest.raises(Refused, match="has ended your participation"):
                host.join(frames.Join(secret=people[1].last("welcome")["secret"]))
            for wrong in ({"do": "give", "what": {"person": 99, "process": "0"}}, {"do": "act", "what": {"act": 3}},
                          {"do": "more", "what": {"secs": 3}}, {"do": "mode", "what": {"mode": "loud"}}):  # fmt: skip
                answer = await lead.lead(str(wrong["do"]), **wrong["what"])  # type: ignore[arg-type]
                assert answer["kind"] == "error" or not answer["accepted"]

    played(work)


def test_somebody_who_comes_in_an_open_round_can_choose_at_once() -> None:
    async def work() -> None:
        game = GAMES["election"]
        experiment = game.adapted(archive().experiment(game.experiment), 4)
        async with a_class(experiment, "election", 2) as (host, lead, _people):
            await lead.lead("begin")
            late = await joined(host, "Late")
            assert [each["id"] for each in late.last("seat")["offers"]] == ["start", "rest"]

    played(work)


def test_those_who_come_together_get_their_processes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=0) as (host, _lead, _):
            shown: list[object] = []
            refresh = host._refresh
            monkeypatch.setattr(host, "_refresh", lambda only=None: (shown.append(only), refresh(only)))
            names = host.resolved.network.processes
            before = len(host.log)
            people = [Someone(host, host.join(frames.Join("ring-4127", f"P{k}", "seat"))) for k in range(len(names))]
            late = Someone(host, host.join(frames.Join("ring-4127", "Late", "seat", process=names[1])))
            while host._tasks:
                await asyncio.gather(*host._tasks)
            assert [each.process for each in people] == list(names) and late.process is None
            assert len(shown) <= 2 and late.last("welcome")["process"] is None
            taken = [each for each in host._done if each.do == "take_over"]
            assert [(each.process, each.author) for each in taken] == [(name, f"P{k}") for k, name in enumerate(names)]
            assert all(each.last("seat")["process"] == each.process for each in people)
            assert len(host.log) - before <= len(names)

    played(work)


def test_somebody_gets_the_process_that_they_would_like_or_the_next_one_that_lives() -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=0) as (host, lead, _):
            names = host.resolved.network.processes
            await lead.lead("mischief", what={"do": "crash", "process": names[0]})
            wishes = (names[2], None, names[2], names[1])
            people = [
                Someone(host, host.join(frames.Join("ring-4127", f"P{k}", "seat", process=wish)))
                for k, wish in enumerate(wishes)
            ]
            while host._tasks:
                await asyncio.gather(*host._tasks)
            assert [each.process for each in people] == [names[2], names[4], names[1], names[3]]
            assert any(word.startswith(f"Process {names[0]} cannot be played") for word in host.words)
            await lead.lead("take", process=names[2])
            await lead.lead("deal")
            assert people[0].process == names[2]

    played(work)


def test_the_game_of_the_generals_ends_by_itself_and_hides_the_next_one_again() -> None:
    async def work() -> None:
        game = GAMES["generals"]
        experiment = game.adapted(archive().experiment(game.experiment), 4)
        async with a_class(experiment, "generals", 4) as (host, lead, people):
            while host.phase != "over":
                await host.open_round()
                for each in people:
                    for offer in [told["id"] for told in each.last("seat")["offers"]]:
                        if offer == "attack" or (offer == "do attack" and host.round > 2):
                            assert (await each.choose(offer))["accepted"]
                    assert host.round < 8
                if host.phase == "open":
                    await host.close_round()
            assert all("Traitors" in each.last("seat")["text"] for each in people)
            assert host.running.result is not None
            again = Simulator(from_dict(host.recorded().to_dict())).run()
            assert again.fingerprint == host.running.result["fingerprint"]
            await lead.lead("show")
            assert people[0].last("room")["shown"]
            await lead.lead("act", act=0)
            assert not people[0].last("room")["shown"] and (host.phase, host.round) == ("door", 0)

    played(work)


def test_beginning_puts_the_question_of_the_first_act_before_the_first_round() -> None:
    async def work() -> None:
        game = GAMES["gossip"]
        experiment = game.adapted(archive().experiment(game.experiment), 4)
        async with a_class(experiment, "gossip", 2) as (host, lead, people):
            assert (await lead.lead("begin"))["accepted"]
            assert (host.phase, people[0].last("question")["text"]) == ("door", game.acts[0].ask["text"])
            assert (await lead.lead("begin"))["accepted"]
            assert (host.phase, host.round) == ("open", 1)

    played(work)


def test_states_and_messages_are_drawn_differently() -> None:
    async def work() -> None:
        async with a_class("class-election") as (_host, lead, _people):
            states = lead.last("welcome")["looks"]["states"]
            assert len({each["shape"] for each in states.values()}) == len(states) > 2

    played(work)


def test_a_round_that_is_taken_back_is_kept_as_a_branch() -> None:
    async def work() -> None:
        async with a_class("lamport-mutex-users", players=3) as (host, lead, people):
            await rounds(host, lead, people, 3)
            three = events(lead)
            await rounds(host, lead, people, 1)
            four = events(lead)
            assert len(four) > len(three)
            assert (await lead.lead("undo"))["accepted"]
            assert host.round == 3 and events(lead) == three == events(people[0])
            await lead.lead("next")
            await lead.lead("close")
            assert host.round == 4 and events(lead)[: len(three)] == three and events(lead) != four
            assert len(host.recorded().branches) == 1

    played(work)


def test_answers_are_sealed_until_the_host_shows_them() -> None:
    async def work() -> None:
        async with a_class("echo-unit-delays", players=2) as (host, lead, people):
            await lead.lead("ask", text="How many messages?", form="number")
            number = people[0].last("question")["number"]
            await people[0].say(frames.Reply(number, 12))
            assert (await people[0].say(frames.Reply(number, 13)))["text"] == "you have answered already"
            assert people[0].last("histogram")["bars"] == [] and people[0].last("histogram")["mine"] == 12
            assert lead.last("histogram")["bars"] == [[12, 1]]
            await people[1].say(frames.Reply(number, 20))
            await lead.lead("tell", question=number, right=20)
            assert people[0].last("histogram")["bars"] == [[12, 1], [20, 1]]
            assert people[0].last("histogram")["right"] == 20
            watcher = await joined(host, "Wen", "watch")
            assert (await watcher.say(frames.Reply(number, 20)))["text"] == "no more answers are taken"
            for wrong in (True, float("1e300"), "many"):
                await lead.lead("ask", text="And now?")
                later = watcher.last("question")["number"]
                assert (await watcher.say(frames.Reply(later, wrong)))["kind"] == "error"

    played(work)


def test_a_class_is_resumed_where_it_was(tmp_path: Path) -> None:
    async def work() -> None:
        file = tmp_path / "ring.class"
        async with a_class("lamport-mutex-users", players=2, file=file) as (host, lead, people):
            await rounds(host, lead, people, 3)
            await lead.lead("ask", text="How many messages?")
            await people[0].say(frames.Reply(1, 12))
            await lead.lead("save")
            seen, secret = events(lead), people[0].last("welcome")["secret"]
            await lead.lead("save", file=str(tmp_path / "ring.toml"))
        assert [each.do for each in read(tmp_path / "ring.toml").interventions][:2] == ["take_over", "take_over"]
        again = await HostOfClass.resumed(file, clock=Clock())
        try:
            lead = Someone(again, again.join(frames.Join(), trusted="host"))
            assert again.round == 3 and events(lead) == seen
            back = Someone(again, again.join(frames.Join(secret=secret)))
            assert back.process == "0" and back.listener.person.name == "P1"
            await rounds(again, lead, [back], 1)
            assert again.round == 4 and events(lead)[: len(seen)] == seen
        finally:
            await again.close()

    played(work)


def test_the_interventions_of_the_experiment_happen_in_the_class() -> None:
    async def work() -> None:
        crash = Intervention.from_dict({"time": 1.5, "do": "crash", "process": "9"})
        experiment = archive().experiment("two-wings").with_(interventions=(crash,))
        async with a_class(experiment, players=1) as (host, lead, people):
            await rounds(host, lead, people, 2)
            assert host.running.present.time >= 1.5 and host.moment().crashed == {"9"}
            assert [each.do for each in host.recorded().interventions].count("crash") == 1

    played(work)


def test_a_class_in_which_nothing_happens_by_itself_is_undone_and_resumed(tmp_path: Path) -> None:
    async def work() -> None:
        file = tmp_path / "apples.class"
        async with a_class("class-apples", "apples", players=3, file=file) as (host, lead, people):
            for _round in range(2):
                await lead.lead("next")
                for each in people:
                    await each.choose("speak", 2)
                await lead.lead("close")
            two = events(lead)
            await lead.lead("next")
            await lead.lead("close")
            assert (await lead.lead("undo"))["accepted"]
            assert events(lead) == two and (host.running.present.time, host.running.present.steps) == (2.0, 0)
        again = await HostOfClass.resumed(file, clock=Clock())
        try:
            lead = Someone(again, again.join(frames.Join(), trusted="host"))
            assert events(lead) == two and again.running.present.time == 2.0
        finally:
            await again.close()
        assert file.stat().st_mode & 0o077 == 0 or os.name == "nt"  # it contains the secrets of the people

    played(work)


def test_a_host_that_dies_in_a_round_loses_nothing_that_it_has_confirmed(tmp_path: Path) -> None:
    async def work() -> None:
        file, copy = tmp_path / "ring.class", tmp_path / "copy.class"
        async with a_class("lamport-mutex-users", players=3, file=file) as (host, lead, people):
            await rounds(host, lead, people, 6)
            await lead.lead("ask", text="How many?", form="choice", choices=["few", "many"])
            await people[1].say(frames.Reply(1, "many"))
            await lead.lead("next")
            while sum(bool(each.last("seat")["offers"]) for each in people) < 2:
                await lead.lead("close")
                await lead.lead("next")
            chooser = next(each for each in people if each.last("seat")["offers"])
            assert (await chooser.choose(chooser.last("seat")["offers"][0]["id"]))["accepted"]
            sealed = {number: choice.offer.id for number, choice in host._sealed.items()}
            late = await joined(host, "Late")
            known = {each.name: (each.process, each.secret) for each in host.people.all}
            seen, done, at = events(lead), list(host._done), host.round
            copy.write_bytes(file.read_bytes() + b'{"round":')  # killed while it wrote
        again = await HostOfClass.resumed(copy, clock=Clock())
        try:
            lead = Someone(again, again.join(frames.Join(), trusted="host"))
            assert (again.round, again.phase, again.paused, again._done) == (at, "open", True, done)
            assert {number: choice.offer.id for number, choice in again._sealed.items()} == sealed
            assert {each.name: (each.process, each.secret) for each in again.people.all} == known
            assert again._questions[0].answers == {people[1].listener.person.number: "many"}
            assert events(lead) == seen
            secret = late.last("welcome")["secret"]
            back = Someone(again, again.join(frames.Join(secret=secret, position=9, run=host.log.name)))
            assert back.process == late.process and events(back) == seen
            await lead.lead("resume")
            await lead.lead("close")
            assert again.phase == "between" and len(again._done) > len(done)
        finally:
            await again.close()

    played(work)


def test_moves_in_turns_are_kept_one_by_one(tmp_path: Path) -> None:
    async def work() -> None:
        file, copy = tmp_path / "ring.class", tmp_path / "copy.class"
        async with a_class("lamport-mutex-users", players=3, file=file) as (host, lead, people):
            await lead.lead("mode", mode="turns", pace=4.0)
            await lead.lead("next")
            for _ in range(10):
                await host.turn()
                waiting = [each for each in people if each.last("seat")["offers"]]
                chosen = (each.choose(each.last("seat")["offers"][0]["id"]) for each in waiting)
                assert all(each["accepted"] for each in await asyncio.gather(*chosen))
            seen, done = events(lead), list(host._done)
            copy.write_bytes(file.read_bytes())
        assert len(done) > 6
        again = await HostOfClass.resumed(copy, clock=Clock())
        try:
            lead = Someone(again, again.join(frames.Join(), trusted="host"))
            assert again._done == done and again.running.present.time == done[-1].time
            found = events(lead)
            assert found == seen[: len(found)]
            await lead.lead("resume")
            for _ in range(10):
                await again.turn()
            assert events(lead)[: len(seen)] == seen
        finally:
            await again.close()

    played(work)


def test_a_simulator_that_dies_ends_the_class_in_a_sentence() -> None:
    async def work() -> None:
        async with a_class("echo-unit-delays", players=2) as (host, lead, people):
            assert len(people) == 2
            await lead.lead("next")
            assert host.running._child is not None
            host.running._child.kill()
            await host.running._child.wait()
            await lead.lead("close")
            assert host.phase == "over"
            assert host.running.problem

    played(work)


def test_the_text_of_the_protocol_stays_with_the_host() -> None:
    async def work() -> None:
        async with a_class("echo-unit-delays", players=1) as (_host, lead, people):
            assert people[0].last("begun")["source"] == "" and lead.last("begun")["source"] == ""

    played(work)
