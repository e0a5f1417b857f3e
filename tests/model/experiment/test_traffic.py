"""Commands and crashes at random times: drawn from their own streams, the same in every run."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, loads
from lydian.model.experiment.traffic import Churn, Traffic
from lydian.model.interventions import Intervention

PROTOCOL = '''"""News: whoever is told publishes, and everybody who hears delivers."""
from lydian import ANY, Command, Message, Process, on, states

IDLE, BUSY = states("idle", "busy")


class Publish(Command):
    topic: str
    number: int = 0
    share: float = 0.0


class News(Message):
    topic: str


class Paper(Process):
    state = IDLE

    @on(ANY, Publish)
    def publish(self, c):
        for q in self.neighbours:
            self.send(News(topic=c.topic), to=q)

    @on(ANY, News)
    def hear(self, m, q):
        self.deliver(m.topic)
'''

TEXT = """
name = "paper"
protocol = "./paper.py"
network = "ring:5"
seed = 7

[[traffic]]
label = "Publish"
arrivals = "exponential(mean=2)"
from = 5.0
until = 105.0
fields = { topic = "zipf(4, 1.0)", number = "number", share = "uniform(0.0, 0.5)" }

[[churn]]
processes = ["2", "3"]
lifetime = "exponential(mean=20)"
downtime = "uniform(1, 3)"
until = 90.0
keep = true
"""


@pytest.fixture
def paper(tmp_path: Path) -> Experiment:
    (tmp_path / "paper.py").write_text(PROTOCOL, encoding="utf-8")
    return loads(TEXT, file=tmp_path / "paper.toml")


def test_settings_in_a_file_are_read_and_written_back(paper: Experiment) -> None:
    (traffic,), (churn,) = paper.traffic, paper.churn
    assert traffic == Traffic(
        "Publish", parse("exponential(mean=2)"), "any", 5.0, 105.0,
        fields={"topic": "zipf(4, 1.0)", "number": "number", "share": "uniform(0.0, 0.5)"},
    )  # fmt: skip
    assert churn == Churn(parse("exponential(mean=20)"), parse("uniform(1, 3)"), ("2", "3"), 0.0, 90.0, True)
    assert loads(paper.to_toml(), file=paper.path) == paper


def test_commands_arrive_at_the_given_rate_with_random_fields(paper: Experiment) -> None:
    drawn = [each for each in paper.resolve().drawn if each.do == "command"]
    assert 35 <= len(drawn) <= 65 and all(5.0 < each.time < 105.0 for each in drawn)
    assert [each.time for each in drawn] == sorted(each.time for each in drawn)
    assert [each.fields["number"] for each in drawn] == list(range(len(drawn)))
    topics = Counter(each.fields["topic"] for each in drawn)
    assert set(topics) <= {"1", "2", "3", "4"} and topics["1"] > topics["4"], "a text, as the field wants"
    assert all(0.0 < each.fields["share"] < 0.5 for each in drawn)
    assert {each.process for each in drawn} == {"0", "1", "2", "3", "4"}


def test_processes_leave_and_join_in_turn(paper: Experiment) -> None:
    drawn = [each for each in paper.resolve().drawn if each.do in ("crash", "recover")]
    for name in ("2", "3"):
        own = [each for each in drawn if each.process == name]
        assert [each.do for each in own] == ["crash", "recover"] * (len(own) // 2)
        for down, up in zip(own[::2], own[1::2], strict=True):
            assert 1.0 <= up.time - down.time <= 3.0 and down.time < 90.0 and up.keep
    assert {each.process for each in drawn} <= {"2", "3"}


def test_a_run_includes_traffic_determined_by_the_seed(paper: Experiment) -> None:
    result = Simulator(paper).run()
    kinds = Counter(result.trace.event(seq).kind for seq in range(len(result.trace)))
    drawn = paper.resolve().drawn
    assert kinds["crash"] == sum(each.do == "crash" for each in drawn) > 0
    assert 0 < kinds["command"] <= sum(each.do == "command" for each in drawn)
    assert Simulator(paper).run().fingerprint == result.fingerprint
    assert Simulator(paper.with_(seed=8)).run().fingerprint != result.fingerprint


def test_another_entry_does_not_change_the_others(paper: Experiment) -> None:
    more = paper.with_(traffic=(*paper.traffic, Traffic("Publish", parse("1"), count=3, fields={"topic": "x"})))
    old, new = list(paper.resolve().drawn), list(more.resolve().drawn)
    assert [each for each in new if each in old] == old and len(new) == len(old) + 3


def test_each_process_has_its_own_arrivals() -> None:
    network, protocol = archive().network("complete-6"), archive().protocol("suzuki-kasami")
    found = Traffic("Want", parse("exponential(mean=3)"), "each", count=4).interventions(network, protocol, 1)
    assert Counter(each.process for each in found) == dict.fromkeys(network.processes, 4)
    assert len({each.time for each in found}) == len(found)
    some = Traffic("Want", parse("1"), ("1", "5"), count=40).interventions(network, protocol, 1)
    assert {each.process for each in some} == {"1", "5"} and [each.time for each in some] == list(range(1, 41))


@settings(deadline=None)
@given(
    st.floats(0.05, 20), st.floats(0, 50), st.floats(1, 100), st.integers(0, 2**40), st.sampled_from(["any", "each"])
)
def test_all_times_are_between_the_beginning_and_the_end(
    mean: float, begin: float, lasts: float, seed: int, who: str
) -> None:
    network, protocol = archive().network("complete-6"), archive().protocol("suzuki-kasami")
    made = Traffic("Want", parse(f"exponential(mean={mean})"), who, begin, begin + lasts)
    found = made.interventions(network, protocol, seed)
    assert found == made.interventions(network, protocol, seed)
    assert all(begin <= each.time < begin + lasts for each in found)
    expected = lasts / mean * (1 if who == "any" else network.n)
    assert abs(len(found) - expected) <= 6 * math.sqrt(expected) + 6


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('arrivals = "exponential(mean=2)"', 'arrivals = "expo(2)"', "traffic[0].arrivals"),
        ('arrivals = "exponential(mean=2)"', 'arrivals = "0"', "must take some time on average"),
        ("until = 105.0", "", "the end is missing; write, for example, until = 200.0 or count = 50"),
        ("until = 105.0", "until = 4.0", "must be later than the beginning at 5, not 4"),
        ('label = "Publish"', 'label = "Publsh"', "unknown command 'Publsh' of protocol paper"),
        ("zipf(4, 1.0)", "zipf(four)", "values cannot be chosen at random from 'zipf(four)'"),
        ('number = "number"', 'nmber = "number"', "field"),
        ('number = "number"', 'number = "choice(red, green)"', "number"),
        ('["2", "3"]', '["2", "9"]', "unknown process '9' of network ring-5"),
        ('["2", "3"]', '"both"', 'must be "all", or a list of processes'),
        ("keep = true", "kept = true", "did you mean 'keep'"),
        ("until = 90.0", "", "the end is missing; write, for example, until = 200.0"),
    ],
)
def test_errors_name_their_place(tmp_path: Path, old: str, new: str, says: str) -> None:
    (tmp_path / "paper.py").write_text(PROTOCOL, encoding="utf-8")
    assert old in TEXT
    with pytest.raises(BadInput) as caught:
        loads(TEXT.replace(old, new, 1), file=tmp_path / "paper.toml").resolve()
    assert says in str(caught.value) and "paper.toml" in str(caught.value), str(caught.value)


def test_a_text_that_looks_like_a_draw_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "paper.py").write_text(PROTOCOL, encoding="utf-8")
    text = TEXT.replace("zipf(4, 1.0)", "=choice(a)").replace('"uniform(0.0, 0.5)"', "0.25")
    first: Intervention = loads(text, file=tmp_path / "paper.toml").resolve().drawn[0]
    assert first.fields["topic"] == "choice(a)" and first.fields["share"] == 0.25
