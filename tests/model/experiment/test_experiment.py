"""Experiments: a written one is read back, its parts are combined, and changes create new experiments."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.archive.archive import Archive, archive
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Stop, loads, read, save, value_from_text
from lydian.model.generators import from_spec, generate
from lydian.model.interventions import Intervention
from lydian.model.network import Timing, netfile

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)
TIMES = st.floats(0, 1e6, allow_nan=False)
PLAIN = st.recursive(
    st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
DISTRIBUTIONS = st.sampled_from(
    [
        parse(text)
        for text in (
            "constant(1)",
            "uniform(0.5, 1.5)",
            "exponential(mean=2)",
            "lognormal(mean=1, sd=0.6)",
            "gamma(mean=1, k=4)",
            "mix(0.9: constant(1), 0.1: exponential(mean=5))",
        )
    ]
)
LINKS = st.tuples(NAMES, NAMES).filter(lambda link: link[0] != link[1])
FIELDS = st.dictionaries(NAMES, PLAIN, max_size=2)


@st.composite
def aimed(draw, do):
    """Generate a drop, delay or duplication that names a message, a link or a label."""
    words = {
        "message": draw(st.none() | st.integers(0, 10**6)),
        "link": draw(st.none() | LINKS),
        "label": draw(st.none() | NAMES),
    }
    if all(value is None for value in words.values()):
        words["message"] = 0
    if do == "delay":
        words["delay"] = draw(TIMES)
    return Intervention(draw(TIMES), do, **words)


COMMANDS = st.builds(Intervention, TIMES, st.just("command"), process=NAMES, label=NAMES, fields=FIELDS)
WAKES = st.builds(Intervention, TIMES, st.just("wake"), process=NAMES)
FAULTS = st.one_of(
    st.builds(Intervention, TIMES, st.just("crash"), process=NAMES),
    st.builds(Intervention, TIMES, st.just("recover"), process=NAMES, keep=st.booleans()),
    st.builds(Intervention, TIMES, st.sampled_from(["link_down", "link_up"]), link=LINKS),
    st.sampled_from(["drop", "delay", "duplicate"]).flatmap(aimed),
    st.builds(Intervention, TIMES, st.just("inject"), link=LINKS, label=NAMES, fields=FIELDS),
    st.builds(Intervention, TIMES, st.just("corrupt"), process=NAMES, variable=NAMES, value=st.none() | PLAIN),
    WAKES,
    COMMANDS,
)
TIMINGS = st.builds(
    Timing,
    delay=st.none() | DISTRIBUTIONS,
    step=st.none() | DISTRIBUTIONS,
    order=st.sampled_from([None, "fifo", "unordered"]),
    loss=st.none() | st.floats(0, 1),
    links=st.dictionaries(NAMES, DISTRIBUTIONS, max_size=2),
    classes=st.dictionaries(NAMES, DISTRIBUTIONS, max_size=2),
    steps=st.dictionaries(NAMES, DISTRIBUTIONS, max_size=2),
    initiators=st.none() | st.just("all") | st.lists(NAMES, max_size=3, unique=True).map(tuple),
)
NETWORKS = TEXTS | st.sampled_from([generate("ring", 5), generate("gnm", 9, 14, seed=3)])
EXPERIMENTS = st.builds(
    Experiment,
    name=TEXTS,
    about=TEXTS,
    protocol=TEXTS,
    network=NETWORKS,
    parameters=st.dictionaries(NAMES, PLAIN, max_size=3),
    seed=st.integers(0, 2**63 - 1),
    timing=TIMINGS,
    workload=st.lists(COMMANDS | WAKES, max_size=2).map(tuple),
    faults=st.lists(FAULTS, max_size=3).map(tuple),
    interventions=st.lists(FAULTS, max_size=2).map(tuple),
    stop=st.builds(Stop, until=st.none() | TIMES, events=st.integers(1, 2**31 - 1), violation=st.booleans()),
    variables=st.booleans(),
    check=st.booleans(),
    animation=st.none() | TEXTS,
)


@given(EXPERIMENTS)
def test_a_written_experiment_is_read_back(experiment):
    assert loads(experiment.to_toml()) == experiment


@given(FAULTS)
def test_an_intervention_survives_conversion_to_a_dict(intervention):
    assert Intervention.from_dict(intervention.to_dict()) == intervention


def test_saving_is_atomic_and_rebases_paths(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "mine.py").write_text("", encoding="utf-8")
    source = tmp_path / "a" / "e.toml"
    source.write_text('protocol = "./mine.py"\nnetwork = "ring:8"\n', encoding="utf-8")
    moved = save(read(source), tmp_path / "b" / "copy.toml")
    assert moved.protocol == "../a/mine.py"
    assert read(tmp_path / "b" / "copy.toml") == moved
    assert moved.protocol_ref == tmp_path / "b" / ".." / "a" / "mine.py"
    assert sorted(p.name for p in (tmp_path / "b").iterdir()) == ["copy.toml"]


def test_saving_to_a_missing_folder_is_refused(tmp_path):
    experiment = Experiment("x", protocol="echo", network="ring:8")
    with pytest.raises(BadInput, match=r"none.*e\.toml: cannot be written"):
        save(experiment, tmp_path / "none" / "e.toml")


def test_the_file_name_is_the_default_name(tmp_path):
    path = tmp_path / "lesson.toml"
    path.write_text('protocol = "echo"\nnetwork = "ring:8"', encoding="utf-8")
    assert read(path).name == "lesson"


def test_changes_create_a_new_experiment():
    first = Experiment("x", protocol="echo", network="ring:8")
    second = first.with_(seed=7)
    assert (first.seed, second.seed) == (0, 7)
    assert second.with_(seed=0) == first


def test_resolving_combines_the_parts():
    experiment = Experiment(
        "x",
        protocol="flooding",
        network="ring:5",
        parameters={"forward_to": "all"},
        timing=Timing(delay=parse("constant(2)"), links={"0-1": parse("constant(9)")}, initiators=("3",)),
    )
    resolved = experiment.resolve()
    assert resolved.protocol.name == "flooding"
    assert resolved.network.delay == parse("constant(2)")
    assert resolved.network.link_between("1", "0").delay == parse("constant(9)")
    assert resolved.network.initiators == ("3",)
    assert resolved.parameters == {"forward_to": "all"}


def test_a_protocol_beside_the_experiment_is_found_from_anywhere(tmp_path):
    source = archive().find("protocols", "flooding").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    (tmp_path / "e.toml").write_text('protocol = "./mine.py"\nnetwork = "ring:4"', encoding="utf-8")
    assert read(tmp_path / "e.toml").resolve().protocol.path == tmp_path / "mine.py"


@pytest.mark.parametrize(
    ("text", "like", "value"),
    [
        ("3", 1, 3),
        ("0.5", 1.0, 0.5),
        ("true", False, True),
        ("no", True, False),
        ("3", "text", "3"),
        ("(1, 2)", None, (1, 2)),
        ("three", 1, "three"),
        ("maybe", True, "maybe"),
        ("__import__('os')", None, "__import__('os')"),
    ],
)
def test_a_text_takes_the_type_of_the_default(text, like, value):
    found = value_from_text(text, like)
    assert found == value
    assert type(found) is type(value)


def test_sets_and_tuples_are_written_as_lists():
    one = Intervention(1, "corrupt", process="1", variable="pending", value={"3", "2"})
    assert one.value == ["2", "3"]
    assert one.time == 1.0


def test_every_experiment_of_the_archive_can_be_resolved():
    names = archive().names("experiments")
    assert len(names) >= 8
    for name in names:
        experiment = archive().experiment(name)
        assert experiment.name == name
        assert experiment.about.endswith((".", "?"))
        experiment.resolve()


def test_the_users_own_entries_come_first(tmp_path):
    ours, user = tmp_path / "ours", tmp_path / "user"
    for root, about in ((ours / "resources", "ours"), (user, "mine")):
        (root / "experiments").mkdir(parents=True)
        text = f'about = "{about}"\nprotocol = "echo"\nnetwork = "ring:8"'
        (root / "experiments" / "both.toml").write_text(text, encoding="utf-8")
    (ours / "resources" / "experiments" / "only-10.toml").write_text(text, encoding="utf-8")
    (ours / "resources" / "experiments" / "only-9.toml").write_text(text, encoding="utf-8")
    shelves = Archive(user, ours)
    assert shelves.names("experiments") == ["both", "only-9", "only-10"]
    assert shelves.experiment("both").about == "mine"
    assert Archive(None, ours).experiment("both").about == "ours"


@pytest.mark.parametrize("until", [-1.0, math.nan, math.inf])
def test_a_run_stops_at_a_sensible_time(until):
    with pytest.raises(BadInput, match=r"stop\.until: must be a finite time"):
        Stop(until=until)


def test_errors_name_their_file(tmp_path):
    path = tmp_path / "e.toml"
    path.write_text('protocol = "ehco"\nnetwork = "ring:8"', encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read(path).resolve()
    assert caught.value.file == Path(path)
    assert caught.value.place == "protocol"
    assert "did you mean 'echo'?" in str(caught.value)


def test_a_saved_experiment_reveals_nothing_about_this_computer(tmp_path, monkeypatch):
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    shelf = tmp_path / "home" / "protocols"
    shelf.mkdir(parents=True)
    source = archive().find("protocols", "echo").read_text(encoding="utf-8")
    for file in (shelf / "mine.py", tmp_path / "other.py"):
        file.write_text(source, encoding="utf-8")
    (tmp_path / "net.json").write_text(netfile.dumps(from_spec("ring:5")), encoding="utf-8")
    experiment = Experiment("e", protocol=str(shelf / "mine.py"), network=str(tmp_path / "net.json"))
    (tmp_path / "work").mkdir()
    moved = save(experiment, tmp_path / "work" / "e.toml")
    assert (moved.protocol, moved.network) == ("mine", "../net.json")
    moved = save(moved.with_(protocol=str(tmp_path / "other.py")), tmp_path / "e.toml")
    assert (moved.protocol, moved.network) == ("./other.py", "./net.json")
    assert str(tmp_path) not in (tmp_path / "e.toml").read_text(encoding="utf-8")
    assert save(read(tmp_path / "e.toml"), tmp_path / "work" / "e.toml").resolve().network.n == 5


def test_files_named_by_an_experiment_are_found_beside_it(tmp_path, monkeypatch):
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    source = archive().find("protocols", "echo").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(source.replace("class Echo(", "class Mine("), encoding="utf-8")
    (tmp_path / "echo.py").write_text("", encoding="utf-8")
    (tmp_path / "net.json").write_text(netfile.dumps(from_spec("ring:5")), encoding="utf-8")
    for protocol in ("mine", "/nowhere/somebody/else/mine.py", "../gone/mine.py"):
        experiment = Experiment("e", protocol=protocol, network="/nowhere/somebody/net.json", path=tmp_path / "e.toml")
        resolved = experiment.resolve()
        assert resolved.protocol.name == "mine" and resolved.network.n == 5
    assert experiment.with_(protocol="echo").resolve().protocol.name == "echo"  # not the empty file beside it
