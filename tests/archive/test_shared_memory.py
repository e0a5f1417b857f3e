"""Shared memory: locks, consensus, registers and snapshots in every schedule, their costs, and planted bugs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lydian.engine.explorer.result import Exploration
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.trace.accesses import accesses
from lydian.trace.timeline import Timeline
from tests.archive.ran import outcome

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)


def command(process: str, label: str, **fields: Any) -> Intervention:
    return Intervention(1.0, "command", process=process, label=label, fields=fields)


def explored(protocol: str | Path, spec: str, *commands: Intervention, crashes: int | None = None,
             **parameters: Any) -> Exploration:  # fmt: skip
    network = from_spec(spec)
    network = network.replace(initiators=network.processes[:1])
    given = Experiment("t", protocol=protocol, network=network, parameters=parameters, workload=commands)
    return Explorer(given, crashes=crashes).run()


def violated(result: Exploration) -> list[str]:
    return [each.name for each in result.findings if each.holds is not True]


EXCLUSION = "at most one process is in the critical section"
#: protocol, network, parameters -> the number of configurations.
LOCKS = {
    ("peterson", "complete:2", 2): 197,
    ("bakery", "complete:2", 2): None,
    ("bakery", "complete:3", 1): None,
    ("filter-lock", "complete:2", 2): None,
    ("filter-lock", "complete:3", 1): None,
    ("tournament-lock", "complete:3", 1): None,
}


@pytest.mark.parametrize("case", LOCKS, ids=lambda case: "-".join(map(str, case)))
def test_a_lock_excludes_in_every_schedule(case: tuple[str, str, int]) -> None:
    result = explored(case[0], case[1], entries=case[2])
    assert result.complete and violated(result) == []
    assert LOCKS[case] in (None, result.configurations)


@pytest.mark.slow
def test_a_tournament_of_four_excludes_in_every_schedule() -> None:
    assert violated(explored("tournament-lock", "complete:4")) == []


#: The accesses of a process that enters once while no other process takes a step.
ALONE = {
    "peterson": lambda n: 4,
    "bakery": lambda n: 3 * n + 2,
    "filter-lock": lambda n: (n - 1) * (n + 2) + 1,
    "tournament-lock": lambda n: 4 * (n - 1).bit_length(),
}


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("n", [2, 4, 7])
def test_an_entry_without_competition_costs_what_the_file_says(name: str, n: int) -> None:
    if name == "peterson" and n != 2:
        return
    network = from_spec(f"complete:{n}")
    daemon = Daemon("user")
    run = Simulator(Experiment("t", protocol=name, network=network, parameters={"entries": 1}, daemon=daemon))
    rules, count = run.rules, 0
    assert rules is not None
    rules.begin()
    while any(p is run.processes[0] for p, _ in rules.enabled()):
        rules.fire(
            0, next(r for r, rule in enumerate(rules.rules) if rules.is_enabled(run.processes[0], rule.name) == r)
        )
        count += 1
    others = 2  # the beginning of the program, and the step "leave"
    assert run.processes[0].entered == 1 and count - others == ALONE[name](n)  # type: ignore[attr-defined, no-untyped-call]


def test_processes_enter_the_bakery_in_the_order_of_their_numbers() -> None:
    for seed in range(10):
        run = Simulator(Experiment("t", protocol="bakery", network=from_spec("complete:5"), seed=seed))
        entered: list[tuple[int, str]] = []

        def look(seq: int, run: Any = run, entered: list[tuple[int, str]] = entered) -> None:
            entered += [(p.mine, p.me) for p in run.processes if p.entered and (p.mine, p.me) not in entered]

        run.execution.check = look
        run.run()
        assert len(entered) == 5 and entered == sorted(entered)


@pytest.mark.parametrize("crashes", [0, 1])
def test_consensus_with_two_and_with_any_number_of_processes(crashes: int) -> None:
    two = explored("test-and-set-consensus", "complete:2", crashes=crashes)
    four = explored("compare-and-swap-consensus", "complete:4", crashes=crashes)
    assert violated(two) == violated(four) == []


def test_a_consensus_by_compare_and_swap_takes_one_access_each() -> None:
    run = Simulator(Experiment("t", protocol="compare-and-swap-consensus", network=from_spec("complete:6")))
    run.run()
    timeline = Timeline(run.trace)
    told = Counter(int(timeline.process[seq]) for seq, _ in accesses(timeline))
    assert told == dict.fromkeys(range(6), 1)


def test_no_schedule_breaks_registers_and_snapshots() -> None:
    write, reads = command("0", "Write", value=True), [command("1", "Read"), command("2", "Read")]
    assert violated(explored("regular-from-safe", "complete:3", write, *reads)) == []
    same = command("0", "Write", value=False)
    assert violated(explored("regular-from-safe", "complete:2", same, reads[0])) == []
    assert violated(explored("regular-from-safe", "complete:2", same, reads[0], omit=False)) == [
        "every read returns the last value written before it, or one that is being written during it"
    ]
    snapshots = command("0", "Update", value=7), command("1", "Scan")
    assert violated(explored("atomic-snapshot", "complete:2", *snapshots)) == []


@pytest.mark.slow
def test_no_schedule_breaks_abd() -> None:
    result = explored("abd", "complete:3", command("0", "Write", value=5), command("1", "Read"))
    assert result.complete and violated(result) == []


BROKEN = {
    "peterson-three": [EXCLUSION],
    "test-and-set-consensus-three": ["no two processes decide different values"],
    "compare-and-swap-consensus-two-accesses": ["no two processes decide different values"],
    "regular-from-safe-rewrites": [
        "every read returns the last value written before it, or one that is being written during it"
    ],
    "atomic-snapshot-one-collect": ["the operations are linearizable"],
    "abd-no-write-back": ["the operations are linearizable"],
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_experiment_shows_what_it_says(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert [each.name for each in result.checks if each.holds is False] == BROKEN[name]


@pytest.mark.parametrize("name", ["bakery-crash", "filter-lock-crash", "tournament-lock-crash"])
def test_a_crash_stops_others(name: str) -> None:
    assert outcome(name).exit_code in (0, 1)
    run = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    run.run()
    alive = [p for p in run.processes if not p._crashed]
    assert any(p.entered < 1 for p in alive)  # type: ignore[attr-defined]
    if name == "filter-lock-crash":
        assert sum(p.entered for p in alive) == 2  # type: ignore[attr-defined]


#: Description: protocol, the original text, its replacement, network, the violated property.
BUGS = {
    "the turn is written before the flag": (
        "peterson",
        "            yield self.flag[self.me].write(True)\n            yield self.turn.write(other)\n",
        "            yield self.turn.write(other)\n            yield self.flag[self.me].write(True)\n",
        "complete:2", EXCLUSION,
    ),
    "it does not give precedence": ("peterson", "self.turn.write(other)", "self.turn.write(self.me)", "complete:2",
                                    EXCLUSION),
    "it does not wait for those that choose": (
        "bakery", "while (yield self.choosing[j].read()):", "if (yield self.choosing[j].read()):", "complete:2",
        EXCLUSION,
    ),
    "equal numbers are not ordered": (
        "bakery", "(number, natural(j)) < (self.mine, natural(self.me))", "number < self.mine", "complete:2", EXCLUSION,
    ),
    "a level too few": ("filter-lock", "range(1, len(self.level))", "range(1, len(self.level) - 1)", "complete:3",
                        EXCLUSION),
    "it leaves from the leaf up": (
        "tournament-lock", "range(leaf.bit_length() - 2, -1, -1)", "range(leaf.bit_length() - 1)", "complete:4",
        EXCLUSION,
    ),
    "it announces its value too late": (
        "test-and-set-consensus",
        "        yield self.value[self.me].write(self.me)\n        if (yield self.first.test_and_set()):\n",
        "        lost = yield self.first.test_and_set()\n        yield self.value[self.me].write(self.me)\n"
        "        if lost:\n",
        "complete:2", "every decision has been proposed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found(bug: str, tmp_path: Path) -> None:
    name, right, wrong, spec, noticed = BUGS[bug]
    text = (ROOT / "protocols" / f"{name}.py").read_text(encoding="utf-8")
    assert text.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    network = from_spec(spec)
    result = Explorer(Experiment("t", protocol=path, network=network), hasty=True).run()
    found = {each.name: each for each in result.findings}
    assert found[noticed].holds is False
    shown = found[noticed].counterexample
    assert shown is not None and shown.replayed  # the simulator repeats it


def test_a_daemon_that_chooses_several_and_any_start_are_refused() -> None:
    given = ARCHIVE.experiment("peterson")
    for kind in ("synchronous", "distributed"):
        with pytest.raises(BadInput, match="accesses to shared objects happen one after the other"):
            replace(given, daemon=Daemon(kind)).resolve(ARCHIVE)
    run = Simulator(replace(given, daemon=Daemon("round-robin")).resolve(ARCHIVE))
    assert [each.holds for each in run.run().checks] == [True] * 3
    with pytest.raises(BadInput, match="starts at its first line"):
        replace(given, start=Start(any=True)).resolve(ARCHIVE)
    until = Stop(until=60.0)  # this daemon may let a waiting process read for ever
    run = Simulator(replace(given, daemon=Daemon("adversarial"), stop=until).resolve(ARCHIVE))
    assert run.run().checks[0].holds is True
