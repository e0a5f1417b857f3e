"""Assumptions with a number: how they are declared, read from a text, and checked before a run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian import CRASHES, DOWN, LIARS, at_most, synchronous
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.editing.readiness import needs_of
from lydian.model.errors import BadInput, ProtocolError
from lydian.model.experiment.assumptions import faulty, over
from lydian.model.experiment.experiment import Experiment
from lydian.model.experiment.traffic import Churn
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network, Timing
from lydian.model.protocol.protocol import protocol_from_source
from lydian.model.source.outline import outline
from lydian.views.words.relying import title, without
from tests.strategies import connected_networks

TIMES = st.floats(0, 20, allow_nan=False)
FAULTS = st.lists(st.tuples(TIMES, st.sampled_from(("crash", "recover", "byzantine")), st.integers(0, 5)), max_size=12)


def faults_of(rows: list[tuple[float, str, int]]) -> tuple[Intervention, ...]:
    return tuple(Intervention(time, do, process=str(p)) for time, do, p in sorted(rows))


def crashes(*names: str) -> tuple[Intervention, ...]:
    return tuple(Intervention(float(at), "crash", process=name) for at, name in enumerate(names))


def refusal(protocol: str, n: int, **more: object) -> str:
    network = from_spec(f"complete:{n}")
    try:
        Experiment(
            "t", protocol=protocol, network=network.replace(initiators=network.processes), **more,  # type: ignore
        ).resolve()  # fmt: skip
    except BadInput as error:
        return error.what.removeprefix(archive().protocol(protocol).title)
    return ""


@pytest.mark.parametrize(
    ("protocol", "n", "more", "sentence"),
    [
        ("floodset", 4, {"faults": crashes("1", "2")},
         " cannot run here: processes 1 and 2 crash, but at most f = 1 may; remove some of these faults; to break it on"
         ' purpose, write breaks = ["few crashes"] in the experiment, or use --break-assumptions'),
        ("floodset", 4, {"faults": crashes("1", "2"), "parameters": {"f": 2}}, ""),
        ("floodset", 4, {"faults": crashes("1", "2"), "breaks": ("few crashes",)}, ""),
        ("floodset", 4, {"faults": crashes("1"), "parameters": {"f": 0}}, "process 1 crashes, but at most f = 0 may"),
        ("ben-or", 3, {"faults": crashes("1")}, ""),
        ("king", 3, {"faults": (Intervention(0, "byzantine", process="0"),)},
         "process 0 is faulty, but none may be, because n > 3f is not true here; choose a larger network"),
        ("king", 4, {"faults": (Intervention(0, "byzantine", process="0"),)}, ""),
        ("king", 4, {"faults": (Intervention(0, "byzantine", process="0"), *crashes("2"))},
         "processes 0 and 2 are faulty, but at most f = 1 may be"),
        ("raft", 5, {"faults": crashes("0", "1", "2")},
         "processes 0, 1 and 2 are simultaneously down, but at most (n - 1) // 2 = 2 may be"),
        ("floodset", 3, {"timing": Timing(delay=from_spec("complete:2").delay)}, ""),
    ],
)  # fmt: skip
def test_an_experiment_with_more_faults_than_assumed_is_told_so(
    protocol: str, n: int, more: dict[str, object], sentence: str
) -> None:
    found = refusal(protocol, n, **more)
    assert (sentence in found) if sentence else not found


def test_a_process_that_recovers_is_not_down_any_longer() -> None:
    rows = faults_of([(1, "crash", 0), (2, "crash", 1), (3, "recover", 0), (4, "crash", 2)])
    assert refusal("raft", 5, faults=rows) == ""
    assert faulty(at_most("f", DOWN).bound.what, rows) == ["0", "1"]  # type: ignore[union-attr]
    assert faulty(at_most("f", CRASHES).bound.what, rows) == ["0", "1", "2"]  # type: ignore[union-attr]


def test_churn_lets_any_number_of_processes_crash() -> None:
    churn = (Churn.from_dict({"lifetime": 9}, None, "churn[0]"),)
    assert "its churn lets any number of processes crash; remove it" in refusal("raft", 5, churn=churn)


def test_a_message_that_may_take_a_round_violates_synchrony() -> None:
    from lydian.model.delays import parse

    slow = refusal("king", 4, timing=Timing(delay=parse("uniform(1, 3)")))
    assert "a message on link 0-1 may take uniform(1, 3), but must take less than round = 2" in slow
    assert refusal("king", 4, timing=Timing(delay=parse("uniform(1, 3)")), parameters={"round": 4.0}) == ""
    assert "exponential" in refusal("king", 4, timing=Timing(delay=parse("exponential(mean=0.1)")))


@given(connected_networks(most=6), FAULTS, st.integers(0, 6))
def test_faults_within_the_bound_pass_and_one_more_does_not(
    network: Network, rows: list[tuple[float, str, int]], most: int
) -> None:
    faults = faults_of(rows)
    for what in (CRASHES, DOWN, LIARS):
        bound = at_most(most, what).bound
        assert bound is not None
        names = faulty(what, faults)
        assert len(names) == len(set(names))
        assert (over(bound, network, faults, False, {}) is None) == (len(names) <= most)
    ever, down, false = (set(faulty(what, faults)) for what in (CRASHES, DOWN, LIARS))
    assert down <= ever <= false
    assert ever == {str(p) for _, do, p in rows if do == "crash"}


@given(st.integers(1, 9), st.integers(0, 4))
def test_without_its_condition_a_bound_is_zero(n: int, f: int) -> None:
    bound = at_most("f", LIARS, given="n > 3*f").bound
    assert bound is not None
    names = tuple(map(str, range(n)))
    network = Network("n", names, tuple(Link(a, b) for a in names for b in names if a < b))
    assert bound.value(network, {"f": f}) == (f if n > 3 * f else 0)
    assert bound.with_defaults({"f": f}).value(network, {}) == bound.value(network, {"f": f})
    assert bound.value(network, {}) is None  # unknown, so nothing is refused


def test_a_bound_is_read_from_the_text_with_the_defaults_of_the_parameters() -> None:
    source = archive().protocol("king").source
    read = {need.name: need for need in needs_of(source)}
    loaded = {need.name: need for need in archive().protocol("king").needs}
    for name in ("few liars", "synchrony"):
        assert read[name] == loaded[name]
        assert read[name].bound.defaults["f"] == 1  # type: ignore[union-attr]
    assert title(read["few liars"]) == "At most f processes are Byzantine, and n > 3f"
    assert title(read["synchrony"]) == "Every message takes less than round"
    assert without(read["few liars"]) == "more processes are Byzantine"


WRONG = (
    '"""W."""\nfrom lydian import CRASHES, INIT, Process, at_most, on, states\nA, = states("a")\n\n\n'
    "class W(Process):\n    needs = {}\n    state = A\n\n    @on(A, INIT)\n    def go(self):\n        pass\n"
)


@pytest.mark.parametrize(
    ("needs", "sentence"),
    [
        ('at_most("g", CRASHES)', "the formula 'g' uses 'g'"),
        ('at_most("n +", CRASHES)', "cannot be read"),
        ('at_most("n", 3)', "at_most needs CRASHES, DOWN or LIARS, not 3"),
        ("at_most(None, CRASHES)", "at_most needs a number or a formula such as 'f'"),
    ],
)
def test_a_wrong_bound_is_refused_when_the_file_is_loaded_and_marked_in_the_editor(needs: str, sentence: str) -> None:
    from lydian.model.source.problems import problems

    source = WRONG.replace("{}", needs)
    with pytest.raises((ProtocolError, TypeError)) as caught:
        protocol_from_source(source)
    assert sentence in str(caught.value)
    assert any(sentence in each.sentence for each in problems(source))


def test_a_schedule_has_no_time_and_so_violates_no_synchrony() -> None:
    from lydian.engine.explorer.search import Explorer

    network = from_spec("complete:2")
    everybody = network.replace(initiators=network.processes)
    base = Experiment("t", protocol="floodset", network=everybody, parameters={"f": 0})
    found = Explorer(base, crashes=0, losses=0, patient=False, hasty=True).run().failed[0].counterexample
    assert found is not None
    assert found.replayed
    Simulator(found.experiment.resolve()).run()


def test_the_outline_shows_the_sentence_of_a_bound() -> None:
    sentences = [each.sentence for each in outline(archive().protocol("ben-or").source).needs]
    assert "at most f processes crash, and n > 2f" in sentences
    assert synchronous(3).sentence == "every message takes less than 3"
