"""``lydian run PROTOCOL``, ``--initiators`` and ``--runs``."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands.test_run import FAILS

#: Decides wrongly with a few seeds: the process that happens to receive first decides.
SOMETIMES = """
from lydian import INIT, Message, Process, always, on, states
A, B = states("a", "b")
class Toss(Message):
    pass
class Sometimes(Process):
    state = A
    @on(A, INIT)
    def start(self):
        if self.random.random() < 0.3:
            self.state = B
        for r in self.neighbours:
            self.send(Toss(), to=r)
    @on(A, Toss)
    def hear(self, m, q):
        pass
    @on(B, Toss)
    def ignore(self, m, q):
        pass
@always("no process tosses heads")
def tails(c):
    return all(p.state == A for p in c.processes)
"""
HANGS = FAILS.replace("self.note(1 // 0)", "import os; os._exit(3)")


@pytest.mark.parametrize("name", ["echo", "chang-roberts", "dijkstra-k-state"])
def test_a_protocol_name_means_its_first_experiment(lydian, name):
    found = json.loads(lydian("run", name, "--json").out)
    assert found["protocol"] == name


@pytest.mark.parametrize(("name", "network"), [("echo", "grid:5x5"), ("ben-or", "complete:9"), ("raft", "complete:4")])
def test_a_protocol_on_another_network_drops_settings_that_do_not_fit(lydian, name, network):
    """Ben-Or's first experiment has six initiators; on nine processes all nine start."""
    said = lydian("run", name, "--network", network, "--json")
    assert (said.code, json.loads(said.out)["network"]) == (0, network.replace(":", "-"))


def test_all_processes_start_or_only_those_named(lydian):
    refused = lydian("run", "--protocol", "chang-roberts", "--network", "ring:5")
    assert (refused.code, "onewayring:5" in refused.err) == (2, True)
    said = lydian("run", "--protocol", "ben-or", "--network", "complete:6")
    assert (said.code, 'initiators = "all"' in said.err) == (2, True)
    assert lydian("run", "--protocol", "ben-or", "--network", "complete:6", "--initiators", "all").code == 0
    assert lydian("run", "chang-roberts", "--network", "onewayring:6", "--initiators", "0,3").code == 0
    assert lydian("explore", "--protocol", "ben-or", "--network", "complete:3", "--initiators", "all",
                  "--states", "50").code == 0  # fmt: skip
    assert lydian("run", "echo", "--initiators", " ,").err.count("\n") == 1


def test_identical_outcomes_are_summed(lydian):
    said = lydian("run", "echo", "--runs", "5")
    assert said.code == 0
    assert "seeds 1 to 5" in said.out
    assert "5 runs, all alike: then no event was left" in said.out
    assert ["messages", "46", "46", "46"] in [line.replace("│", " ").split() for line in said.out.splitlines()]
    assert "otherwise" not in said.out


def test_each_differing_seed_has_a_line_that_matches_its_single_run(lydian, here):
    (here / "mine.py").write_text(SOMETIMES, encoding="utf-8")
    words = ("run", "--protocol", "./mine.py", "--network", "ring:3")
    found = json.loads(lydian(*words, "--runs", "12", "--json").out)
    alone = {seed: json.loads(lydian(*words, "--seed", seed, "--json").out) for seed in range(1, 13)}
    assert [each["seed"] for each in found["seeds"]] == list(alone)
    assert [each["fingerprint"] for each in found["seeds"]] == [each["fingerprint"] for each in alone.values()]
    violated = [seed for seed, each in alone.items() if each["checks"][0]["holds"] is False]
    assert 0 < len(violated) < 6
    assert [each["seed"] for each in found["differ"]] == violated
    said = lydian(*words, "--runs", "12")
    assert said.code == 1
    lines = [line.split() for line in said.out.splitlines() if "tosses heads: violated" in line]
    assert [line[1].strip(":") for line in lines] == [str(seed) for seed in violated]


def test_a_protocol_that_ends_its_process_costs_one_row_each_time(lydian, here):
    (here / "mine.py").write_text(HANGS, encoding="utf-8")
    said = lydian("run", "--protocol", "./mine.py", "--network", "ring:3", "--runs", "2", "--json")
    found = json.loads(said.out)
    assert (said.code, found["done"], found["failed"]) == (1, 2, 2)


@pytest.mark.parametrize("option", [["--trace", "t.parquet"], ["--explain"], ["--html", "p.html"], ["--branch", "x"]])
def test_options_of_a_single_run_are_refused(lydian, option):
    said = lydian("run", "echo", "--runs", "2", *option)
    assert (said.code, option[0] in said.err) == (2, True)
