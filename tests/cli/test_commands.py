"""The other commands: network, new, archive, trace, render, open, doctor."""

from __future__ import annotations

import json

import pytest

from lydian.cli.commands.doctor import too_old_or_new
from lydian.model.network.netfile import load


def test_a_network_is_written(lydian, here):
    said = lydian("network", "gnm", "10", "14", "--seed", "1", "-o", "big.json")
    assert (said.code, said.err) == (0, "")
    assert "10 processes, 14 links" in said.out
    network = load(here / "big.json")
    assert (network.n, network.m, network.name) == (10, 14, "big")
    assert [path.name for path in here.iterdir()] == ["big.json"]


def test_without_a_file_a_network_goes_to_standard_output(lydian):
    assert len(json.loads(lydian("network", "grid", "3x4").out)["nodes"]) == 12


def test_kinds_of_networks_are_listed(lydian):
    said = lydian("network")
    for kind in ("line", "ring", "star", "complete", "grid", "torus", "tree", "hypercube", "gnm", "scalefree"):
        assert kind in said.out


@pytest.mark.parametrize("name", ["gossip", "my-idea"])
def test_a_new_protocol_runs_immediately(lydian, name):
    assert lydian("new", "protocol", name).code == 0
    said = lydian("run", "--protocol", f"./{name}.py", "--network", "ring:8", "--json")
    found = json.loads(said.out)
    assert (said.code, found["protocol"], found["messages"]) == (0, name, 9)
    assert all(check["holds"] for check in found["checks"])


def test_a_new_protocol_explains_its_runs(lydian):
    assert lydian("new", "protocol", "gossip").code == 0
    said = " ".join(lydian("run", "--protocol", "./gossip.py", "--network", "line:3", "--explain").out.split())
    for words in (
        "It hears the news for the first time, and passes it on. It is now informed;",
        "It hears the news for the first time; it has no other neighbour. It is now informed;",
    ):
        assert words in said
    again = " ".join(lydian("run", "--protocol", "./gossip.py", "--network", "ring:4", "--explain").out.split())
    assert "while it is informed. It has heard the news before. Nothing changes." in again


def test_a_new_experiment_and_a_new_network_run_immediately(lydian):
    assert lydian("new", "experiment", "lesson").code == 0
    assert lydian("run", "lesson.toml").code == 0
    assert lydian("new", "network", "lab.json").code == 0
    assert json.loads(lydian("run", "two-wings", "--network", "./lab.json", "--json").out)["network"] == "lab"


def test_a_new_lesson_is_a_template_or_made_from_an_experiment_with_its_branches(lydian, here):
    assert lydian("new", "lesson", "mine").code == 0
    assert lydian("lesson", "./mine.md").code == 0
    own = 'protocol = "echo"\nnetwork = "ring:4"\n'
    own += '[[branches]]\ninterventions = [{time = 1.0, do = "crash", process = "2"}]\n'
    (here / "own.toml").write_text(own, encoding="utf-8")
    said = lydian("new", "lesson", "crash.md", "--from", "own.toml")
    assert (said.code, said.out) == (0, "crash.md: try  lydian lesson ./crash.md\n")
    assert '"crash.toml"' in (here / "crash.md").read_text(encoding="utf-8")
    played = lydian("lesson", "./crash.md")
    assert played.code == 0
    assert "2. 2 crashed at 1.0" in played.out
    trace = lydian("run", "own.toml", "--branch", "2 crashed at 1.0", "--trace", "run.parquet")
    assert trace.code in (0, 1)
    assert lydian("new", "lesson", "trace", "--from", "run.parquet").code == 0
    assert lydian("lesson", "./trace.md").code == 0
    assert "--from is only for a lesson" in lydian("new", "protocol", "x", "--from", "own.toml").err


def test_new_never_overwrites(lydian, here):
    (here / "mine.py").write_text("precious", encoding="utf-8")
    said = lydian("new", "protocol", "mine")
    assert said.code == 2
    assert "mine.py: this file already exists" in said.err
    assert (here / "mine.py").read_text(encoding="utf-8") == "precious"


def test_the_archive_lists_everything(lydian):
    said = lydian("archive")
    for words in ("Protocols", "echo", "flooding", "Networks", "two-wings", "Experiments", "echo-crash"):
        assert words in said.out


def test_one_protocol_in_detail(lydian):
    said = lydian("archive", "echo")
    assert said.code == 0
    for words in (
        "broadcast with acknowledgements", "sleeping", "INIT", "adopt", "waiting or acked", "Ack()",
        "pending: set[str]",
        "one initiator", "parents form a forest", "4*m - 2*n + 2", "initiating -> finished",
    ):  # fmt: skip
        assert words in said.out


def test_a_protocol_of_the_user_appears_in_the_archive(lydian, here, tmp_path):
    (tmp_path / "home" / "protocols").mkdir(parents=True)
    lydian("new", "protocol", tmp_path / "home" / "protocols" / "mine.py")
    (tmp_path / "home" / "protocols" / "broken.py").write_text("x = (", encoding="utf-8")
    said = lydian("archive")
    assert said.code == 0
    assert "  mine " in said.out
    assert "broken cannot be used: " in " ".join(said.out.split())
    assert lydian("run", "--protocol", "mine", "--network", "ring:4").code == 0


@pytest.fixture
def trace(lydian, here):
    lydian("run", "two-wings", "--trace", "t.parquet")
    return here / "t.parquet"


def test_a_trace_is_shown_line_by_line(lydian, trace):
    lines = lydian("trace", "show", trace).out.splitlines()
    assert len(lines) == 105
    assert "starts → initiating" in lines[0]
    only = lydian("trace", "show", trace, "--process", "3", "--kind", "receive", "--start", 1, "--end", 9).out
    assert 0 < len(only.splitlines()) < 12
    assert all("receives" in line for line in only.splitlines())
    assert len(lydian("trace", "show", trace, "--limit", 3).out.splitlines()) == 3


def test_a_trace_names_its_experiment(lydian, trace):
    said = lydian("trace", "info", trace)
    fingerprint = json.loads(lydian("run", "two-wings", "--json").out)["fingerprint"]
    for words in ("Echo", "two-wings (12 processes)", "291", "105", "46", fingerprint, "23 sent, 23 received, 0 lost"):
        assert words in said.out


@pytest.mark.parametrize("form", ["csv", "json", "shiviz", "perfetto"])
def test_an_export_overwrites_nothing(lydian, trace, here, form):
    said = lydian("trace", "export", trace, "--to", form)
    assert said.code == 0
    target = here / said.out.strip()
    before = target.read_bytes()
    assert before
    again = lydian("trace", "export", trace, "--to", form)
    assert again.code == 2
    assert "this file already exists" in again.err
    assert lydian("trace", "export", trace, "--to", form, "-o", f"other{target.suffix}").code == 0
    assert (here / f"other{target.suffix}").read_bytes() == before


@pytest.mark.parametrize(("version", "bad"), [("6.7.9", True), ("6.8", False), ("6.11.3", False), ("6.12.0", True)])
def test_versions_are_compared_as_numbers(version, bad):
    assert too_old_or_new(version, ">=6.8,<6.12") is bad


@pytest.mark.slow
def test_the_doctor_checks_everything(lydian):
    said = lydian("doctor")
    assert said.code == 0
    for words in ("Python", "numpy", "PySide6-Essentials", "Qt", "fonts", "display", "Java", "archive"):
        assert words in said.out


@pytest.mark.parametrize("view", ["basic", "communication", "causality", "step", "occupation", "world"])
def test_every_view_is_rendered(lydian, here, qapp, view):
    said = lydian("render", "two-wings", "--view", view, "--at", "40%", "--select", "3", "-o", f"{view}.png")
    assert (said.code, said.err) == (0, "")
    assert (here / f"{view}.png").read_bytes().startswith(b"\x89PNG")


def test_the_layout_of_the_view_world_can_be_chosen(lydian, here, qapp):
    for ending in ("png", "svg"):
        for layout in ("shape", "tower"):
            arguments = ("--view", "world", "--layout", layout, "--at", "8", "--size", "320x240")
            assert lydian("render", "two-wings", *arguments, "-o", f"{layout}.{ending}").code == 0
        assert (here / f"shape.{ending}").read_bytes() != (here / f"tower.{ending}").read_bytes()
    said = lydian("render", "two-wings", "--view", "world", "--layout", "cone", "-o", "a.png")
    words = "lydian: --layout: unknown layout 'cone'; choose from shape, spring, sphere, layers, helix, tower"
    assert (said.code, said.err.strip()) == (2, words)
    said = lydian("render", "two-wings", "--layout", "tower", "-o", "a.png")
    words = "lydian: --layout: applies to the view world only; add --view world"
    assert (said.code, said.err.strip()) == (2, words)


def test_a_trace_is_rendered_as_svg(lydian, here, trace, qapp):
    assert lydian("render", trace, "--view", "causality", "--at", 5, "--theme", "dark", "-o", "c.svg").code == 0
    assert "<svg" in (here / "c.svg").read_text(encoding="utf-8")


def test_without_a_display_the_example_becomes_five_pictures(lydian, here, qapp, monkeypatch):
    monkeypatch.setattr("lydian.cli.commands.opening.has_display", lambda: False)
    said = lydian("--output", "pictures")
    assert (said.code, said.err) == (0, "")
    assert "There is no display" in said.out
    assert len(list((here / "pictures").glob("*.png"))) == 5
    lydian("new", "network", "lab")
    assert lydian("open", "lab.json").code == 0
    assert len(list((here / "out").glob("*.png"))) == 5


@pytest.mark.parametrize("name", ["mine.py", "odd.toml"])
def test_without_a_display_only_archive_code_runs(lydian, here, qapp, monkeypatch, name):
    monkeypatch.setattr("lydian.cli.commands.opening.has_display", lambda: False)
    lydian("new", "protocol", "mine")
    text = (here / "mine.py").read_text(encoding="utf-8")
    (here / "mine.py").write_text(f"{text}\nopen('executed', 'w').close()\n", encoding="utf-8")
    (here / "odd.toml").write_text('protocol = "./mine.py"\nnetwork = "ring:5"\n', encoding="utf-8")
    said = lydian("open", name)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"lydian: {here / 'mine.py'}: this is code from outside the archive")
    assert said.err.endswith(f"{name} does\n") and said.err.count("\n") == 1
    assert not (here / "executed").exists() and not (here / "out").exists()


def test_a_protocol_is_only_read_before_a_window_opens(lydian, here, qapp, monkeypatch):
    from lydian.app import main

    opened = []
    monkeypatch.setattr(main, "open_window", lambda what=None, event=None: opened.append(what) or 0)
    lydian("new", "protocol", "mine")
    with (here / "mine.py").open("a", encoding="utf-8") as file:
        file.write("\nopen('executed', 'w').close()\n")
    assert lydian("open", "mine.py").code == 0
    assert len(opened) == 1 and not (here / "executed").exists()


def test_a_sweep_without_a_display_names_the_alternatives(lydian, here, monkeypatch):
    monkeypatch.setattr("lydian.cli.commands.opening.has_display", lambda: False)
    (here / "sweep.toml").write_text('experiment = "two-wings"\n[vary]\nseed = [1, 2]\n', encoding="utf-8")
    said = lydian("open", "sweep.toml")
    assert said.code == 2
    assert said.err.endswith("needs a display; lydian batch sweep.toml -o DIR runs it without one\n")
