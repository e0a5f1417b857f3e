"""The games of a class, played against the real simulator: by players who follow the rules, and by others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lydian.classroom.games import GAMES
from lydian.classroom.games.game import Choice, Game, Moment, Offer
from lydian.classroom.games.generals import traitors
from lydian.classroom.games.stabilise import EVERY, LAST, illegal, spoilers
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment, from_dict
from tests.classroom.acting import a_class
from tests.classroom.acting import played as in_class
from tests.classroom.table import Played, Table, table

NAMES = sorted(name for name in GAMES if name)
#: The experiments of all games and acts.
ALL = sorted(
    {(name, game.experiment) for name, game in GAMES.items() if name}
    | {(name, act.experiment) for name, game in GAMES.items() for act in game.acts if act.experiment}
)
few = settings(max_examples=6, deadline=None)
Chooses = Callable[[Moment, str, tuple[Offer, ...]], Choice | None]


def begun(game: Game, players: int, name: str = "", **changes: Any) -> Experiment:
    """Return an experiment of a game for a number of players."""
    return game.adapted(archive().experiment(name or game.experiment), players).with_(**changes)


def at_random(random: Random) -> Chooses:
    """Return players who choose anything that is offered, or nothing."""

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        if random.random() < 0.1:
            return None
        offer = random.choice(offers)
        if offer.value is None:
            return Choice(offer)
        if "choices" in offer.value:
            return Choice(offer, random.choice(offer.value["choices"])[0])
        return Choice(offer, random.randint(offer.value["least"], offer.value["most"]))

    return choose


def offer(offers: tuple[Offer, ...], id_: str) -> Choice | None:
    """Return the choice of the first offer whose id begins like this."""
    found = next((each for each in offers if each.id.startswith(id_)), None)
    return None if found is None else Choice(found)


def some(names: tuple[str, ...], random: Random) -> frozenset[str]:
    """Return the processes that people play: some of them, at least one."""
    return frozenset(random.sample(names, random.randint(1, len(names))))


def results(result: Mapping[str, Any]) -> dict[str, Any]:
    return {each["name"]: each["holds"] for each in result["checks"]}


# ---------------------------------------------------------------------- all games


@pytest.mark.parametrize(("name", "experiment"), ALL)
@settings(max_examples=4, deadline=None)
@given(players=st.integers(3, 8), seed=st.integers(0, 999))
def test_random_players_never_break_a_game_and_the_record_repeats_it(
    name: str, experiment: str, players: int, seed: int
) -> None:
    game, random = GAMES[name], Random(seed)
    it = begun(game, players, experiment, seed=seed)
    names = it.resolve().network.processes
    with table(game, it, some(names, random)) as run:
        for _ in range(8):
            played = run.play(at_random(random))
            assert all(reason for _, reason in played.refused)
            assert all(told.text for told in played.told.values())
            assert isinstance(game.measure(played.after), int)
        run.end()


@pytest.mark.parametrize(("name", "experiment"), [each for each in ALL if not GAMES[each[0]].overview])
def test_a_view_contains_nothing_of_others(name: str, experiment: str) -> None:
    game, random = GAMES[name], Random(5)
    with table(game, begun(game, 6, experiment, seed=3)) as run:
        for _ in range(4):
            now = run.moment()
            for process in run.names:
                assert game.view(alone(now, process), process) == game.view(now, process)
            run.play(at_random(random))


def alone(now: Moment, process: str) -> Moment:
    """Return what is known of one process, and of the other one whose basket it sees in the play with apples."""
    seen = {process}
    if now.protocol.title.startswith("The play"):
        place = now.processes.index(process)
        step = 1 if "one apple" in now.protocol.title else -1
        seen.add(now.processes[(place + step) % len(now.processes)])
    return replace(
        now,
        states={p: now.states[p] if p in seen else "" for p in now.processes},
        variables={p: now.variables[p] for p in seen},
        pending=[each for each in now.pending if each["process"] in seen],
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_described_and_its_acts_begin(name: str) -> None:
    game = GAMES[name]
    assert game.about.endswith(".") and game.title and game.figure["title"]
    with table(game, begun(game, 6)) as run:
        now = run.moment()
        for process in game.processes(now):
            view = game.view(now, process)
            assert view.title and view.rule and len({each.id for each in view.offers}) == len(view.offers)
    for act in game.acts:
        assert act.text.endswith(".") and (act.experiment or act.mischief)


# ---------------------------------------------------------------------- apples


def honest_actor(game: Game) -> Chooses:
    """Return actors who follow the rule, from what they see alone."""

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        view = game.view(now, process)
        left, right = view.picture["left"], view.picture["right"]
        speak, listen = offers
        if speak.value is None:
            return Choice(speak if left else listen)
        leads = view.title == "You are the leader"
        adds = leads or "one more" in view.rule
        if (left == right) != leads:
            return Choice(listen)
        return Choice(speak, right + 1 if adds else left)

    return choose


def baskets(game: Game, now: Moment) -> dict[str, tuple[int, int]]:
    seen = {p: game.view(now, p).picture for p in now.processes}
    return {p: (each["left"], each["right"]) for p, each in seen.items()}


def assigned(game: Game, played: Played, adds: bool) -> dict[str, int]:
    """Return the right baskets after a simultaneous assignment, in which everybody read the baskets as they were."""
    found = {}
    for p, (left, right) in baskets(game, played.before).items():
        leads = p == "0"
        if p in played.before.played:
            choice = played.choices.get(p)
            found[p] = choice.value if choice is not None and choice.offer.id == "speak" else right
        elif (left == right) == leads:
            found[p] = right + 1 if leads or adds else left
        else:
            found[p] = right
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("experiment", ["class-apples", "class-apples-add"])
@few
@given(players=st.integers(3, 9), seed=st.integers(0, 999), honesty=st.sampled_from([0.0, 0.7, 1.0]))
def test_sealed_moves_with_apples_are_a_simultaneous_assignment(
    experiment: str, players: int, seed: int, honesty: float
) -> None:
    game, random = GAMES["apples"], Random(seed)
    wild, honest = at_random(random), honest_actor(game)

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        return (honest if random.random() < honesty else wild)(now, process, offers)

    it = begun(game, players, experiment, seed=seed, start=archive().experiment("class-apples").start)
    with table(game, it, some(it.resolve().network.processes, random)) as run:
        for _ in range(6):
            played = run.play(choose)
            assert not played.refused
            expected = assigned(game, played, experiment.endswith("add"))
            assert {p: right for p, (_, right) in baskets(game, played.after).items()} == expected
        run.end()


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.acts])
def test_a_game_begins_with_its_first_act(name: str) -> None:
    assert GAMES[name].acts[0].experiment in ("", GAMES[name].experiment)


@pytest.mark.parametrize("experiment", ["class-apples", "class-apples-one"])
def test_the_table_shows_the_baskets_that_the_players_see(experiment: str) -> None:
    game = GAMES["apples"]
    with table(game, begun(game, 5, experiment)) as run:
        now = run.moment()
        stage, seen = game.stage(now), [game.view(now, process).picture for process in now.processes]
        assert [each["right"] for each in seen] == stage["contents"]
        assert [seen[at]["left"] for at in stage["right"]] == stage["contents"]
        assert len(stage["speaking"]) == game.measure(now)
        assert stage["leads"] == ([] if experiment == "class-apples-one" else [0])
        run.end()


def test_all_may_speak_at_once() -> None:
    game = GAMES["apples"]
    with table(game, begun(game, 3, "class-apples")) as run:
        for process, value in (("0", 0), ("1", 1), ("2", 0)):
            run.make({"do": "corrupt", "process": process, "variable": "apples", "value": value})
        spoken = {p: run.moment().variables[p].get("spoken", 0) for p in run.names}
        played = run.play(honest_actor(game))
        assert game.measure(played.before) == 3 and not played.refused
        assert [right for _, right in baskets(game, played.after).values()] == [1, 0, 1]
        assert all(played.after.variables[p]["spoken"] == spoken[p] + 1 for p in run.names)
        assert all(each.good for each in played.told.values())
        run.end()


@few
@given(players=st.integers(3, 9), seed=st.integers(0, 999))
def test_actors_who_follow_the_rule_end_with_one_who_speaks(players: int, seed: int) -> None:
    game, random = GAMES["apples"], Random(seed)
    it = begun(game, players, "class-apples", seed=seed)
    with table(game, it, some(it.resolve().network.processes, random)) as run:
        curve = []
        for _ in range(3 * len(run.names)):
            played = run.play(honest_actor(game))
            curve.append(game.measure(played.after))
            assert not played.refused and all(told.good for told in played.told.values())
        assert all(a >= b for a, b in pairwise(curve)) and curve[-1] == 1
        for what in game.acts[4].mischief:
            assert not run.make(what)
        for _ in range(2 * len(run.names)):
            played = run.play(honest_actor(game))
        assert game.measure(played.after) == 1
        held = results(run.end())
        assert held["somebody may speak"] and held["one at a time may speak"]


def test_with_one_apple_everybody_speaks_in_turn_and_a_second_one_stays() -> None:
    game = GAMES["apples"]
    with table(game, begun(game, 5, "class-apples-one"), frozenset("0134")) as run:
        assert [game.measure(run.play(honest_actor(game)).after) for _ in range(6)] == [1] * 6
        assert all(run.moment().variables[p]["spoken"] for p in run.names)
        for what in game.acts[1].mischief:
            assert not run.make(what)
        assert [game.measure(run.play(honest_actor(game)).after) for _ in range(6)] == [2] * 6
        run.end()


def test_without_the_leader_soon_nobody_may_speak() -> None:
    game = GAMES["apples"]
    with table(game, begun(game, 5, "class-apples")) as run:
        for what in game.acts[5].mischief:
            assert not run.make(what)
        for _ in range(8):
            played = run.play(honest_actor(game))
        assert game.measure(played.after) == 0 and "0" not in played.told
        run.end()


def test_a_wrong_move_is_explained() -> None:
    game = GAMES["apples"]
    with table(game, begun(game, 3, "class-apples-add", parameters={})) as run:

        def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
            return Choice(offers[0], 4) if process == "1" else Choice(offers[1])

        told = run.play(choose).told
        assert told["1"].text == "You spoke though both held 0; your right basket now holds 4."
        assert told["1"].good is False and told["1"].after == {"kind": "baskets", "left": 0, "right": 4}
        assert told["0"].text == "You listened, though both baskets held 0: you could have spoken."
        assert told["2"].text == "You listened, because both baskets held 0." and told["2"].good
        assert told["2"].next == "Now your left basket holds 4 and your right one 0."


# ---------------------------------------------------------------------- election


def honest_candidate(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
    """Follow the rule of Chang and Roberts."""
    if (start := offer(offers, "start")) is not None:
        return start
    if (won := offer(offers, "w")) is not None:
        return won
    told = int(offers[0].title.split()[-1])
    higher = now.states[process] in ("sleeping", "passive") or told > int(process)
    return offer(offers, "f" if higher else "s")


@few
@given(players=st.integers(3, 9), seed=st.integers(0, 999))
def test_honest_candidates_elect_the_highest_with_as_many_messages_as_the_algorithm(players: int, seed: int) -> None:
    game = GAMES["election"]
    with table(game, begun(game, players, seed=seed).with_(seed=seed)) as run:
        for _ in range(4 * len(run.names)):
            played = run.play(honest_candidate)
            assert not played.refused and all(told.good is not False for told in played.told.values())
        assert played.after.states[str(players)] == "leader" and game.measure(played.after) == 1
        result = run.end()
        ring = [int(p) for p in run.names]
        steps = range(1, players + 1)
        passed = sum(next(k for k in steps if ring[(i + k) % players] >= mine) for i, mine in enumerate(ring))
        assert result["messages"] == passed
        assert all(results(result).values())


def elected(run: Table, rounds: int = 16) -> str:
    """Let all play by the rule, and return who has won; "" if nobody has."""
    for _ in range(rounds):
        played = run.play(honest_candidate)
        assert not played.refused and all(told.good is not False for told in played.told.values())
    return next((name for name, state in run.moment().states.items() if state == "leader"), "")


@pytest.mark.parametrize("players", [3, 6])
def test_falling_numbers_take_the_most_messages(players: int) -> None:
    game = GAMES["election"]
    made = begun(game, players, game.acts[1].experiment)
    with table(game, made) as run:
        assert run.names == tuple(str(players - k) for k in range(players))
        assert elected(run) == str(players)
        assert run.end()["messages"] == players * (players + 1) // 2


@pytest.mark.parametrize("players", [3, 6])
def test_the_second_highest_number_wins_if_the_highest_waits(players: int) -> None:
    game = GAMES["election"]
    with table(game, begun(game, players, game.acts[2].experiment)) as run:
        assert elected(run) == str(players - 1)
        run.end()


def test_nobody_wins_if_a_player_is_missing() -> None:
    game, act = GAMES["election"], GAMES["election"].acts[3]
    with table(game, begun(game, 5, act.experiment)) as run:
        for what in act.mischief:
            assert run.make(what) == ""
        assert game.view(run.moment(), "1").title == "You have left the table"
        assert elected(run, 20) == ""
        assert game.measure(run.moment()) == sum(
            state == "candidate" for name, state in run.moment().states.items() if name != "1"
        )
        run.end()


def test_if_the_highest_number_is_swallowed_nobody_wins() -> None:
    game = GAMES["election"]
    with table(game, begun(game, 5)) as run:

        def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
            greedy = any(each.title == "Swallow 5" for each in offers) and process != "5"
            return offer(offers, "s") if greedy else honest_candidate(now, process, offers)

        told = [each.text for _ in range(16) for each in run.play(choose).told.values()]
        assert "leader" not in run.moment().states.values()
        assert any(text.startswith("You swallowed 5, which you should have forwarded") for text in told)
        run.end()


# ---------------------------------------------------------------------- two-phase commit


def voter(refusing: frozenset[str]) -> Chooses:
    """Return players who follow the rule; some vote no."""

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        wanted = ("begin", "no" if process in refusing else "yes", "count", "m", "rest")
        return next(found for each in wanted if (found := offer(offers, each)) is not None)

    return choose


@few
@given(players=st.integers(3, 8), seed=st.integers(0, 999))
def test_all_commit_if_all_vote_yes_and_otherwise_all_abort(players: int, seed: int) -> None:
    game, random = GAMES["commit"], Random(seed)
    it = begun(game, players)
    names = it.resolve().network.processes
    refusing = frozenset(random.sample(names[1:], random.choice((0, 0, 1, 2))))
    with table(game, it, some(names, random) | refusing) as run:
        for _ in range(9):
            played = run.play(voter(refusing))
            assert not played.refused
        assert set(played.after.states.values()) == {"aborted" if refusing else "committed"}
        result = run.end()
        assert result["messages"] == 3 * (len(names) - 1) or refusing
        assert results(result)["no process commits while another aborts"]


def test_a_crash_blocks_everybody_until_the_coordinator_recovers() -> None:
    game = GAMES["commit"]
    with table(game, begun(game, 5, "class-commit-crash")) as run:
        played = [run.play(voter(frozenset())) for _ in range(5)][-1]
        assert played.after.crashed == {"0"} and game.measure(played.after) == 4
        assert "ask" in {each.id for each in game.view(played.after, "2").offers}

        def ask(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
            return offer(offers, "m") or offer(offers, "ask") or offer(offers, "abort")

        for _ in range(3):
            run.play(ask)
        assert game.measure(run.moment()) == 4
        for what in game.acts[2].mischief:
            assert not run.make(what)

        def obey(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
            if process == "0" and now.states["0"] == "collecting":
                return offer(offers, "abort")
            return next((Choice(each) for each in offers if each.head in ("Abort", "DecisionReq") and each.id != "ask"),
                        None)  # fmt: skip

        for _ in range(9):
            run.play(obey)
        assert set(run.moment().states.values()) == {"aborted"}
        assert results(run.end())["no process commits while another aborts"]


# ---------------------------------------------------------------------- gossip


@few
@given(players=st.integers(4, 10), seed=st.integers(0, 999))
def test_everybody_who_hears_the_rumour_tells_two_others(players: int, seed: int) -> None:
    game, random = GAMES["gossip"], Random(seed)

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        return Choice(offers[0], random.choice(offers[0].value["choices"])[0])  # type: ignore[index]

    it = begun(game, players, seed=seed)
    with table(game, it, some(it.resolve().network.processes, random)) as run:
        curve = [game.measure(run.moment())]
        for _ in range(3 * players):
            played = run.play(choose)
            curve.append(game.measure(played.after))
            assert not played.refused
        assert curve == sorted(curve) and curve[0] == 1  # type: ignore[type-var]
        result = run.end()
        assert all(results(result).values())
        assert result["messages"] == 2 * curve[-1]  # type: ignore[operator]


# ---------------------------------------------------------------------- generals


def general(game: Game, random: Random) -> Chooses:
    """Return generals of whom the loyal ones follow the rule, and the traitors do anything."""

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        view = game.view(now, process)
        if offers[0].id == "attack":
            if view.picture["text"] == "You are a traitor":
                return Choice(random.choice(offers[:3]))
            heard = dict(view.values)  # a general sees what it has to pass on
            return offer(offers, heard.get("The order of the king") or heard[f"{now.processes[0]}, the commander says"])
        heard = [value for _, value in view.values]
        attack = heard.count("attack") * 2 > len(now.processes) - 1
        return offer(offers, "do attack" if attack else "do retreat") if now.round > 2 else offer(offers, "rest")

    return choose


@few
@example(players=4, seed=28)  # a traitor without a player speaks as if it were the commander
@example(players=5, seed=16)
@given(players=st.integers(4, 7), seed=st.integers(0, 999))
def test_loyal_generals_agree_if_there_is_one_traitor(players: int, seed: int) -> None:
    game, random = GAMES["generals"], Random(seed)
    it = begun(game, players, seed=seed)
    names = it.resolve().network.processes
    with table(game, it, some(names, random)) as run:
        for _ in range(8):
            now = run.moment()
            assert not any("Traitors" in game.view(now, p).text for p in names)
            played = run.play(general(game, random))
            assert not played.refused
            if all(played.after.states[p] in ("attacking", "retreating") for p in names):
                break
        bad = traitors(run.moment())
        assert len(bad) == 1 and game.measure(run.moment()) == 1
        assert all(f"Traitors: {next(iter(bad))}." in game.view(run.moment(), p).text for p in names)
        held = results(run.end())
        assert held["all loyal lieutenants obey the same order"]
        assert held["if the commander is loyal, every loyal lieutenant obeys its order"]


def test_two_traitors_can_divide_the_others() -> None:
    game = GAMES["generals"]
    with table(game, begun(game, 7, "class-generals-two", seed=1)) as run:
        bad = traitors(run.moment())
        assert len(bad) == 2 and "0" in bad
        honest = general(game, Random(1))

        def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
            return (offer(offers, "both") if process in bad else None) or honest(now, process, offers)

        for _ in range(4):
            run.play(choose)
        loyal = {run.moment().states[p] for p in run.names if p not in bad}
        assert loyal == {"attacking", "retreating"} and game.measure(run.moment()) == 2
        assert results(run.end())["all loyal lieutenants obey the same order"] is False


# ---------------------------------------------------------------------- mutual exclusion


def polite(game: Game, random: Random) -> Chooses:
    """Return players who follow the rule of Ricart and Agrawala."""

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        shown = dict(game.view(now, process).values)
        if (asked := offer(offers, "r")) is not None and asked.offer.id != "rest":
            mine, theirs = shown.get("You asked at"), int(asked.offer.text.split()[-1])
            sender = asked.offer.title.split()[-1]
            first = now.states[process] == "held" or (
                now.states[process] == "wanted" and mine is not None and (int(mine), process) < (theirs, sender)
            )
            return offer(offers, f"{'d' if first else 'r'}{asked.offer.id[1:]}")
        wants = random.random() < 0.3
        return offer(offers, "take") or offer(offers, "leave") or (offer(offers, "want") if wants else None)

    return choose


@few
@example(players=3, seed=15)  # a move was made when only a cancelled timer was left
@given(players=st.integers(3, 5), seed=st.integers(0, 999))
def test_polite_players_are_never_two_in_the_critical_section(players: int, seed: int) -> None:
    game, random = GAMES["mutex"], Random(seed)
    it = begun(game, players, seed=seed)
    with table(game, it, some(it.resolve().network.processes, random)) as run:
        curve = []
        for _ in range(25):
            played = run.play(polite(game, random))
            curve.append(game.measure(played.after))
            assert not played.refused and all(told.good is not False for told in played.told.values())
        assert max(curve) == 1  # type: ignore[type-var]
        held = results(run.end())
        open_ = ("every request is served", "nothing is in transit, and the critical section is empty",
                 "an entry takes a request and an answer for each neighbour")  # fmt: skip
        assert not [name for name, holds in held.items() if holds is False and name not in open_]


def test_who_takes_the_resource_without_permission_may_not_be_alone() -> None:
    game = GAMES["mutex"]
    with table(game, begun(game, 3)) as run:

        def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
            return offer(offers, "want") or offer(offers, "enter")

        run.play(choose)
        played = run.play(choose)
        assert game.measure(played.after) == 3
        assert played.told["1"].text == "You took the resource without permission. It is also held by 0 and 2."
        run.end()


# ---------------------------------------------------------------------- with a host


@pytest.mark.parametrize("name", NAMES)
def test_a_host_plays_each_act_of_a_game(name: str) -> None:
    game = GAMES[name]

    async def work() -> None:
        async with a_class(begun(game, 5), name, players=3) as (host, lead, people):
            for act in range(max(1, len(game.acts))):
                if game.acts:
                    assert (await lead.lead("act", act=act))["accepted"] or game.acts[act].mischief
                for _ in range(3):
                    await lead.lead("next")
                    for each in people:
                        seat = each.last("seat")
                        if seat["offers"]:
                            first = seat["offers"][0]
                            value = first["value"] and (first["value"].get("start", None))
                            if first["value"] and "choices" in first["value"]:
                                value = first["value"]["choices"][0][0]
                            assert (await each.choose(first["id"], value))["accepted"]
                    while host._tasks:
                        await asyncio.gather(*host._tasks)
                    if host.phase == "open":
                        await lead.lead("close")
                assert [each[0] for each in host.points][-3:] == [host.round - 2, host.round - 1, host.round]
            assert any(each.all("story") for each in people)
            recorded = from_dict(host.recorded().to_dict())
            await host.running.end()
            again = Simulator(recorded).run()
            assert host.running.result is not None and again.fingerprint == host.running.result["fingerprint"]

    in_class(work)


def test_a_table_is_closed(recwarn: pytest.WarningsRecorder) -> None:
    with table(GAMES["apples"], begun(GAMES["apples"], 3)) as run:
        assert isinstance(run, Table)
    assert not run._thread.is_alive()


# ---------------------------------------------------------------------- self-stabilisation

STABILISING = ["class-stabilise", "class-stabilise-colours", "class-stabilise-tree"]


def spoiling(random: Random, heal: bool) -> Chooses:
    """Return players of whom the spoilers do what they can, and the others heal at illegal places or do nothing."""

    def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
        first = offers[0]
        names = [name for name, _ in first.value["choices"]] if first.value is not None else []
        if first.id == "spoil":
            return Choice(first, random.choice(names))
        wrong = illegal(now)
        return Choice(first, random.choice(wrong)) if heal and wrong else Choice(offers[1])

    return choose


@pytest.mark.parametrize("experiment", STABILISING)
@pytest.mark.parametrize("heal", [False, True])
def test_the_system_becomes_legitimate_once_the_spoilers_have_to_stop(experiment: str, heal: bool) -> None:
    game, random = GAMES["stabilise"], Random(5)
    with table(game, begun(game, 8, experiment, seed=5)) as run:
        faults: dict[str, int] = {}
        curve = []
        for _ in range(LAST + 24):
            played = run.play(spoiling(random, heal))
            curve.append(game.measure(played.after))
            for process, choice in played.choices.items():
                if choice.offer.id == "spoil":
                    assert process in spoilers(played.before) and played.before.time < LAST
                    faults[process] = faults.get(process, 0) + 1
        assert faults == {"1": LAST // EVERY, "5": LAST // EVERY}
        assert max(curve[:LAST]) > 0 and curve[-1] == 0
        assert not game.view(run.moment(), "1").offers
        first = curve.index(0, LAST)
        assert set(curve[first:]) == {0}  # closure: it stays legitimate
        run.end()


@few
@given(players=st.integers(5, 9), seed=st.integers(0, 999), which=st.sampled_from(STABILISING))
def test_the_distance_is_0_exactly_when_the_property_of_the_protocol_holds(players: int, seed: int, which: str) -> None:
    game, random = GAMES["stabilise"], Random(seed)
    with table(game, begun(game, players, which, seed=seed)) as run:
        for _ in range(6):
            now = run.play(spoiling(random, True)).after
            links = [(u, v) for u in now.processes for v in map(str, now.network.neighbours(u))]
            value = {p: now.variables[p] for p in now.processes}
            if which == "class-stabilise":
                order = now.processes
                may = [(value[p]["x"] == value[order[i - 1]]["x"]) == (i == 0) for i, p in enumerate(order)]
                right = sum(may) == 1
                assert game.measure(now) == sum(may) - 1
            elif which == "class-stabilise-colours":
                right = all(value[u]["colour"] != value[v]["colour"] for u, v in links)
            else:
                near = {u: min(value[v]["dist"] for w, v in links if w == u) + 1 for u in now.processes}
                near[now.processes[0]] = 0
                right = all(value[p]["dist"] == near[p] for p in now.processes)
                right = right and all(
                    value[p]["parent"] is not None and value[value[p]["parent"]]["dist"] == near[p] - 1
                    for p in now.processes[1:]
                )
            assert right == (game.measure(now) == 0) == (game.stage(now)["illegal"] == [])
        run.end()


def test_a_move_at_a_legal_place_is_explained() -> None:
    game = GAMES["stabilise"]
    with table(game, begun(game, 5, "class-stabilise-colours", seed=1)) as run:
        for number, process in enumerate(run.names):
            run.make({"do": "corrupt", "process": process, "variable": "colour", "value": number})
        assert game.measure(run.moment()) == 0

        def choose(now: Moment, process: str, offers: tuple[Offer, ...]) -> Choice | None:
            return Choice(offers[0], "3") if process in "01" else None

        told = run.play(choose).told
        assert told["0"].text == "Process 3 could not move: its place is legal." and told["0"].good is False
        assert told["1"].text == "You spoiled process 3."
        assert told["2"].text == "You did nothing."


def test_alone_one_heals_against_the_program() -> None:
    game = GAMES["stabilise"]
    with table(game, begun(game, 8, seed=3), frozenset("0")) as run:
        times = []
        for _ in range(LAST + 20):
            played = run.play(spoiling(Random(1), True))
            times += [each.time for each in run.done if each.do == "scramble"][len(times) :]
        assert len(times) == 2 * LAST // EVERY and max(times) < LAST
        assert game.measure(played.after) == 0
        run.end()
