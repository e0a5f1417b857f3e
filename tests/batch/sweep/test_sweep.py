"""Sweeps: runs determined by their numbers alone, files read and written, error messages."""

from __future__ import annotations

import itertools
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.batch.sweep.fields import filled, parts, with_field
from lydian.batch.sweep.file import from_dict as sweep_from
from lydian.batch.sweep.shipped import find_sweep, sweep_names
from lydian.model.errors import BadInput
from tests.batch.conftest import BASE, sweep_of


def test_runs_go_through_the_seeds_group_by_group():
    sweep = sweep_of()
    assert (sweep.count, sweep.groups, sweep.repetitions) == (32, 8, 4)
    first, last = sweep.runs[0], sweep.runs[-1]
    assert (first.group, first.seed, first.data["network"]) == (0, 0, "ring:5")
    assert (last.group, last.seed, last.data["network"]) == (7, 3, "gnm:9,18,seed=3")
    assert last.data["timing"] == {"delay": "exponential(mean=1)"}
    assert dict(last.shown) == {"n": 9, "kind": "random", "delay": "exponential(mean=1)"}
    assert [run.seed for run in sweep.runs[4:8]] == [0, 1, 2, 3]
    assert len(sweep.runs) == len(list(sweep.runs)) == 32


def test_a_text_that_mentions_the_seed_is_shared_by_its_group():
    axis = {"name": "net", "field": "network", "values": ["gnm:{n},{2*n},seed={seed}"]}
    sweep = sweep_of(vary=[BASE["vary"][0], axis])
    assert {run.shown["net"] for run in sweep.runs[:4]} == {"gnm:5,10,seed={seed}"}


def test_zipped_axes_advance_together():
    pair = [{"name": "n", "values": [5, 9]}, {"name": "k", "values": [1, 2]}]
    vary = [*pair, {"field": "network", "values": ["ring:{n}"]}]
    sweep = sweep_of(vary=vary, zip=[["n", "k"]], seeds=[7, 3])
    assert [(r.values["n"], r.values["k"], r.seed) for r in sweep.runs] == [(5, 1, 7), (5, 1, 3), (9, 2, 7), (9, 2, 3)]


def test_every_field_can_be_varied():
    base = {
        "protocol": "flooding", "network": "ring:6",
        "faults": [{"time": 1.0, "do": "crash", "process": "3"}],
    }  # fmt: skip
    vary = [
        {"name": "who", "field": "faults[0].process", "values": ["1", "2"]},
        {"name": "when", "field": "faults[0].time", "from": 1, "to": 2, "count": 2},
        {"name": "variant", "field": "parameters.forward_to", "values": ["all"]},
        {"name": "until", "field": "stop.until", "values": [50.0]},
        {"name": "slow", "field": "timing.links.0-1", "values": ["constant(9)"]},
    ]
    sweep = sweep_of(experiment=base, vary=vary, seeds=1)
    experiment = sweep.experiment(3)
    assert (experiment.faults[0].process, experiment.faults[0].time) == ("2", 2.0)
    assert experiment.parameters == {"forward_to": "all"}
    assert experiment.stop.until == 50.0
    assert str(experiment.timing.links["0-1"]) == "constant(9)"


def test_a_run_equals_the_experiment_on_its_own():
    sweep = sweep_of()
    experiment = sweep.experiment(31)
    assert (experiment.protocol, experiment.network, experiment.seed) == ("echo", "gnm:9,18,seed=3", 3)


def test_each_run_draws_its_values_or_they_are_drawn_once():
    own = {"name": "mu", "sample": "log-uniform", "low": 0.1, "high": 10, "seed": 3}
    once = {"name": "size", "sample": "uniform", "low": 5, "high": 9, "whole": True, "count": 3}
    uses = {"field": "timing.delay", "values": ["exponential(mean={mu})"]}
    sweep = sweep_of(vary=[own, once, {"field": "network", "values": ["ring:{size}"]}, uses], seeds=5)
    assert sweep.count == 15
    assert sweep.groups == 1
    drawn = [run.values["mu"] for run in sweep.runs]
    assert len(set(drawn)) == 15
    assert all(0.1 <= mu <= 10 for mu in drawn)
    assert len({run.values["size"] for run in sweep.runs}) <= 3
    assert sweep_of(vary=[own, once, uses], seeds=5).run(7).values["mu"] == drawn[7]


@pytest.mark.parametrize(
    ("axis", "values"),
    [
        ({"from": 8, "to": 64, "step": 2, "scale": "log"}, (8, 16, 32, 64)),
        ({"from": 1, "to": 3, "step": 1}, (1, 2, 3)),
        ({"from": 0.0, "to": 1.0, "count": 3}, (0.0, 0.5, 1.0)),
        ({"from": 1, "to": 100, "count": 3, "scale": "log"}, (1, 10, 100)),
        ({"from": 3, "to": 1, "step": -1}, (3, 2, 1)),
    ],
)
def test_ranges(axis, values):
    assert sweep_of(vary=[{"name": "x", **axis}]).vary[0].values == values


names = st.sampled_from(["a", "b", "c", "d"])
numbers = st.lists(st.integers(-5, 50), min_size=1, max_size=4, unique=True)


@st.composite
def sweeps(draw):
    chosen = draw(st.lists(names, max_size=4, unique=True))
    vary = []
    for name in chosen:
        if draw(st.booleans()):
            vary.append({"name": name, "values": draw(numbers)})
        else:
            count = draw(st.none() | st.integers(1, 3))
            sample = {"name": name, "sample": "uniform", "low": 0, "high": 5, "seed": draw(st.integers(0, 9))}
            vary.append(sample | ({} if count is None else {"count": count}))
    seeds = draw(
        st.integers(1, 5)
        | st.lists(st.integers(0, 99), min_size=1, max_size=4, unique=True)
        | st.builds(lambda first, count: {"first": first, "count": count}, st.integers(0, 9), st.integers(1, 4))
    )
    same = [axis["name"] for axis in vary if len(axis.get("values", ())) == len(vary[0].get("values", (0,)))]
    together = [same] if len(same) > 1 and draw(st.booleans()) and "values" in vary[0] else []
    return sweep_of(vary=vary, seeds=seeds, zip=together, measure=[])


@given(sweeps())
def test_laws_of_runs(sweep):
    runs = list(sweep.runs)
    assert len(runs) == sweep.count == sweep.groups * sweep.repetitions
    assert [run.index for run in runs] == list(range(sweep.count))
    assert [run.group for run in runs] == sorted(run.group for run in runs)
    assert {run.group for run in runs} == set(range(sweep.groups))
    grouped = [axis.name for axis in sweep.vary if axis.grouped]
    for _, members in itertools.groupby(runs, lambda run: run.group):
        members = list(members)
        if not sweep.zipped:
            assert len({tuple(run.shown[name] for name in grouped) for run in members}) == 1
        assert {run.seed for run in members} == set(sweep.seeds)
    assert runs[-1] == sweep.run(sweep.count - 1)  # whether or not the others were created


@given(sweeps())
def test_a_sweep_survives_saving(sweep):
    again = sweep_from(tomllib.loads(sweep.to_toml()))
    assert again == sweep
    assert list(again.runs) == list(sweep.runs)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"vray": []}, "s.toml: unknown key 'vray' (did you mean 'vary'?)"),
        ({"experiment": "echo-randm"}, "s.toml, experiment: unknown experiment 'echo-randm'"),
        ({"experiment": None}, "s.toml: experiment is missing"),
        ({"seeds": 0}, "s.toml, seeds: must be a number of runs"),
        ({"seeds": [1, 1]}, "s.toml, seeds: one seed appears twice; each seed must"),
        ({"measure": ["mesages"]}, "s.toml, measure[0]: unknown measure 'mesages' (did you mean 'messages'?)"),
        ({"measure": ["per_process.*.sent"]}, "s.toml, measure[0]: unknown measure 'per_process.*.sent'"),
        ({"vary": [{"values": [1]}]}, "s.toml, vary[0]: name or field is missing"),
        ({"vary": [{"name": "x"}]}, "s.toml, vary[0]: there are no values"),
        ({"vary": [{"name": "x", "values": []}]}, "s.toml, vary[0].values: is empty"),
        ({"vary": [{"name": "x", "values": [1], "step": 2}]}, "s.toml, vary[0].step: must be either values or a range"),
        ({"vary": [{"name": "x", "from": 1, "to": 5}]}, "s.toml, vary[0]: a range must have a step or a count"),
        ({"vary": [{"name": "x", "from": 1, "to": 5, "step": -1}]}, "s.toml, vary[0].step: -1 never leads"),
        ({"vary": [{"name": "time", "values": [1]}]}, "s.toml, vary[0].name: time is a column of every result"),
        ({"vary": [{"name": "two words", "values": [1]}]}, "s.toml, vary[0]: name must be one word"),
        ({"vary": [{"name": "x", "values": [1]}] * 2}, "s.toml, vary[1]: another one is already called x"),
        ({"vary": [{"name": "x", "sample": "normal", "low": 1, "high": 2}]}, "s.toml, vary[0].sample: must be"),
        ({"vary": [{"name": "x", "sample": "log-uniform", "low": 0, "high": 2}]}, "vary[0].low: must be above 0"),
        ({"vary": [{"field": "seed", "values": [1]}]}, "s.toml, vary[0].field: seed cannot be varied; use the"),
        ({"vary": [{"field": "faults[0].time", "values": [1]}]}, "vary[0].field: unknown entry [0]"),
        ({"vary": [{"field": "timing.dealy", "values": ["1"]}]}, "unknown key 'dealy' (did you mean 'delay'?)"),
        ({"vary": [{"field": "timing.delay", "values": ["constant(1)", "constnt(1)"]}]}, "s.toml, vary[0].values[1]:"),
        ({"vary": [{"field": "network", "values": ["ring:{m}"]}]}, "s.toml, vary: unknown name 'm'"),
        ({"vary": [{"field": "network", "values": ["ring:{k}"]}]}, "s.toml, vary[0]: {k} is not varied"),
        ({"vary": [{"name": "n", "values": [1, 2], "labels": ["a"]}]}, "1 labels are given"),
        ({"vary": [{"name": "x", "values": [1], "label": " "}]}, "s.toml, vary[0].label: must be one line of 1 to 60"),
        ({"vary": [{"name": "x", "values": [1], "unit": "m\ns"}]}, "s.toml, vary[0].unit: must be one line of 1 to 60"),
        ({"vary": [{"name": "x", "values": [1], "unit": 5}]}, "s.toml, vary[0].unit: must be a text"),
        ({"zip": [["n", "x"]]}, "s.toml, zip[0]: 'x' is not varied"),
        ({"zip": [["n"]]}, "s.toml, zip[0]: must have at least two names"),
        ({"faults": [{"do": "crush"}]}, "s.toml, faults[0].do: must be one of crash"),
        ({"faults": [{"do": "crash", "count": 1, "fraction": 0.5}]}, "faults[0].fraction: must be a count"),
        ({"faults": [{"do": "scramble", "lasts": 2}]}, "s.toml, faults[0].lasts: applies only to crash"),
        ({"faults": [{"do": "crash", "time": "unifrm(0, 1)"}]}, "s.toml, faults[0].time:"),
        ({"limits": {"seconds": 0}}, "s.toml, limits.seconds: must be more than 0"),
        ({"limits": {"memory": 1}}, "s.toml, limits.memory: must be a whole number from 64"),
    ],
)
def test_errors_are_one_sentence_with_their_place(changes, sentence):
    data = {key: value for key, value in {**BASE, **changes}.items() if value is not None}
    with pytest.raises(BadInput) as caught:
        sweep_from(data, "s.toml")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_label_and_the_unit_of_an_axis_are_kept():
    loss = {"name": "loss", "field": "timing.loss", "values": [0.0, 0.2], "label": "messages lost", "unit": "share"}
    sweep = sweep_of(vary=[loss, {"name": "k", "values": [1]}])
    assert [axis.title for axis in sweep.vary] == ["messages lost (share)", "k"]
    assert sweep_from(tomllib.loads(sweep.to_toml())) == sweep
    assert list(sweep.run(0).shown) == ["loss", "k"]  # the column keeps its name


def test_fields_by_name():
    assert parts("faults[0].process") == ("faults", 0, "process")
    assert parts('timing.links."a.b-c"') == ("timing", "links", "a.b-c")
    data = {"timing": {"loss": 0.1}, "faults": [{"time": 1}, {"time": 2}]}
    assert with_field(data, parts("faults[1].time"), 9)["faults"] == [{"time": 1}, {"time": 9}]
    assert with_field(data, parts("stop.until"), 3)["stop"] == {"until": 3}
    assert data == {"timing": {"loss": 0.1}, "faults": [{"time": 1}, {"time": 2}]}


def test_braces():
    assert filled("gnm:{n},{2*n},seed={seed}", {"n": 8, "seed": 3}) == "gnm:8,16,seed=3"
    assert filled("{n}", {"n": 8}) == 8
    assert filled("{{n}} {n/2}", {"n": 9}) == "{n} 4.5"
    assert filled({"a": ["{n}"]}, {"n": 1}) == {"a": [1]}


#: Sweeps whose experiments take ten seconds to assemble: 300,000 subscriptions each.
LARGE = ("content-routing-full", "content-routing-control")


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.exhaustive) if each in LARGE else each for each in sweep_names()]
)
def test_included_sweeps_are_valid(name):
    sweep = find_sweep(name)
    assert sweep.name == name
    assert sweep.about
    assert sweep.count >= 3
    sweep.experiment(sweep.count - 1).resolve()


def test_sweeps_are_included():
    assert len(sweep_names()) >= 3
