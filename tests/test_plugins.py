"""Additions from other packages: found by their entry points, used like ours, omitted with an error if they fail."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lydian import plugins
from lydian.app.look.theme import Theme
from lydian.app.network.delays.distribution import LawEditor
from lydian.formats.traces import FORMATS as TRACE_FORMATS
from lydian.model.delays import FAMILIES
from lydian.plugins import Registry, load
from tests.examplepackage import PACKAGE, installed, installed_as, searched

Call = Callable[..., subprocess.CompletedProcess[str]]
MAIN = "import sys; from lydian.cli import main; sys.exit(main())"


@pytest.fixture
def lydian(tmp_path: Path, python_env: dict[str, str]) -> Call:
    """Call LYDIAN in a process that has the example package, and further folders if there are any."""
    env = searched(python_env, [*installed(tmp_path / "site"), tmp_path / "more"])
    here = tmp_path / "here"
    here.mkdir()

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", MAIN, *words], env=env, cwd=here, capture_output=True, encoding="utf-8", check=False
        )

    return call


# ---------------------------------------------------------------------- the example package


@pytest.mark.slow
def test_a_network_kind_of_another_package_works_like_ours(lydian: Call, tmp_path: Path) -> None:
    said = lydian("network")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.index("isolated:12") < said.stdout.index("wheel:8  ")
    assert "a ring around a hub (spokes)" in said.stdout
    assert lydian("network", "wheel", "5", "-o", "w.json").stdout == "w.json: 6 processes, 10 links\n"
    said = lydian("network", "wheel", "2")
    assert said.stderr == "lydian: a wheel must have at least 3 spokes, not 2\n"


@pytest.mark.slow
def test_network_formats_of_another_package_are_written_read_and_run(lydian: Call, tmp_path: Path) -> None:
    assert lydian("network", "ring", "3", "-o", "r.arcs").stdout == "r.arcs: 3 processes, 3 links\n"
    assert (tmp_path / "here" / "r.arcs").read_text() == "0 - 1\n1 - 2\n2 - 0\n"
    said = lydian("run", "echo", "--network", "r.arcs", "--delay", "triangular(1, 2, 3)", "--json")
    assert said.returncode == 0 and '"network": "r"' in said.stdout, said.stderr
    (tmp_path / "here" / "bad.arcs").write_text("a - b\nc\n")
    said = lydian("run", "echo", "--network", "bad.arcs")
    assert (said.returncode, said.stdout) == (2, "")
    assert "bad.arcs, line 2: a line must be two names with - between them" in said.stderr
    assert "JSON, GraphML, GML, DOT, edge list, adjacency matrix, graph6, arcs" in lydian("network", "--help").stdout


def test_distributions_of_another_package_are_read_and_checked_like_ours(lydian: Call) -> None:
    said = lydian("run", "echo", "--delay", "triangular(1, peak=2)")
    assert said.stderr == "lydian: --delay: triangular needs high, as in triangular(0.5, 0.8, 2)\n"
    said = lydian("run", "echo", "--delay", "triangula(1)")
    assert "unknown distribution 'triangula' (did you mean 'triangular'?); choose from constant, uniform" in said.stderr


@pytest.mark.slow
def test_a_protocol_of_another_package_is_in_the_archive(lydian: Call, tmp_path: Path) -> None:
    said = lydian("run", "rumour", "--trace", "run.parquet")
    assert (said.returncode, said.stderr) == (0, "") and "Rumour on wheel-6  (7 processes, 12 links" in said.stdout
    own = tmp_path / "home" / "experiments"
    own.mkdir(parents=True)
    (own / "rumour.toml").write_text('protocol = "rumour"\nnetwork = "ring:4"\n')
    assert "Rumour on ring-4" in lydian("run", "rumour").stdout, "the user's own is found first"
    assert lydian("trace", "export", "run.parquet", "--to", "table").stdout == "run.md\n"
    table = (tmp_path / "here" / "run.md").read_text()
    assert table.startswith("| process | sent |\n| --- | --- |\n| 0 | 6 |\n")
    known = ", ".join((*TRACE_FORMATS, "table"))
    assert known in lydian("trace", "export", "--help").stdout
    assert f"choose from {known}" in lydian("trace", "export", "x", "--to", "t").stderr


def test_an_intervention_of_another_package_is_executed_and_described(lydian: Call, tmp_path: Path) -> None:
    said = lydian("run", "slow-rumour", "--explain")
    assert "A step of process 3 now takes 4.0." in said.stdout, said.stderr
    wrong = 'protocol = "rumour"\nnetwork = "ring:3"\nfaults = [{time = 1.0, do = "slow_dwn", process = "1"}]\n'
    (tmp_path / "here" / "wrong.toml").write_text(wrong)
    assert "did you mean 'slow_down'?" in lydian("run", "wrong.toml").stderr


@pytest.mark.slow
def test_a_view_and_a_piece_of_another_package_are_drawn(lydian: Call, tmp_path: Path) -> None:
    said = lydian("render", "rumour", "--view", "fairness,basic", "--at", "1", "-o", "both.svg")
    assert (said.returncode, said.stderr) == (0, "")
    picture = (tmp_path / "here" / "both.svg").read_text()
    assert "at most 7 events" in picture and "has heard" in picture
    said = lydian("render", "rumour", "--view", "fairnes", "-o", "x.png")
    assert "did you mean 'fairness'" in said.stderr


@pytest.mark.slow
def test_the_doctor_lists_packages_and_their_errors(lydian: Call, tmp_path: Path) -> None:
    installed_as(tmp_path / "more", "broken", "0.1", {"lydian.formats": {"gone": "no_such_module:x"}})
    said = lydian("doctor")
    for words in (
        "format: arcs, table", "distribution: triangular", "kind of network: wheel", "protocol: rumour",
        "kind of intervention: slow_down", "piece of animation: star", "view: fairness",
        "? broken", "the entry point gone (lydian.formats) of the package broken cannot be used and is left out: "
        "ModuleNotFoundError: No module named 'no_such_module'",
    ):  # fmt: skip
        assert words in said.stdout
    assert said.returncode == 0


@pytest.mark.slow
def test_packages_are_not_loaded_for_built_in_names(lydian: Call, tmp_path: Path) -> None:
    groups = {group: {"loud": "loud"} for group in plugins.GROUPS if group != plugins.PROTOCOLS}
    (installed_as(tmp_path / "more", "loud", "1", groups) / "loud.py").write_text("print('LOUD')\n")
    run = ["run", "echo", "--network", "ring:4", "--delay", "uniform(1, 2)"]
    for words in (["--help"], ["trace", "--help"], run, ["network", "ring:4"]):
        said = lydian(*words)
        assert said.returncode == 0 and "LOUD" not in said.stdout, words
    assert lydian("network").stdout.count("LOUD") == 1


def test_the_guide_shows_the_actual_package() -> None:
    page = (PACKAGE.parents[1] / "resources" / "guide" / "extending.md").read_text(encoding="utf-8")
    files = [path.read_text(encoding="utf-8") for path in (PACKAGE / "pyproject.toml", *PACKAGE.rglob("*.py"))]
    shown = re.findall(r"^```(?:python|toml)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(shown) == 9 and [text for text in shown if not any(text in file for file in files)] == []
    assert [group for group in plugins.GROUPS if f"`{group}`" not in page] == []


# ---------------------------------------------------------------------- entry points


@dataclass(frozen=True)
class Thing:
    name: str


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that Python searches, with nothing loaded yet."""
    monkeypatch.setattr(plugins, "_loaded", {})
    monkeypatch.setattr(plugins, "_registries", {})
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def things(*names: str) -> Registry[Thing]:
    made: Registry[Thing] = Registry("lydian.pieces", Thing)
    for name in names:
        made.register(Thing(name))
    return made


def adds(site: Path, module: str, text: str, **entries: str) -> None:
    (site / f"{module}.py").write_text(f"from tests.test_plugins import Thing\n{text}")
    installed_as(site, module, "1.0", {"lydian.pieces": entries})


def test_an_entry_point_may_be_an_object_class_function_or_module(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = things("ours")
    monkeypatch.setitem(sys.modules, "tests.test_plugins", sys.modules[__name__])
    monkeypatch.setattr(sys.modules[__name__], "registry", registry, raising=False)
    text = "from tests.test_plugins import registry\none = Thing('one')\nclass Kind(Thing):\n    name = 'kind'\n"
    adds(site, "pack_a", f"{text}def more():\n    registry.register(Thing('two'))\n", a="pack_a:one", b="pack_a:Kind",
         c="pack_a:more")  # fmt: skip
    adds(site, "pack_b", "from tests.test_plugins import registry\nregistry.register(Thing('three'))\n", d="pack_b")
    assert registry["ours"] == Thing("ours") and "pack_a" not in sys.modules, "ours is there without the others"
    assert list(registry) == ["ours", "one", "kind", "two", "three"] and len(registry) == 5
    assert "two" in registry and "four" not in registry
    assert [(each.name, each.package, each.version, each.adds) for each in load("lydian.pieces")] == [
        ("a", "pack_a", "1.0", ("one",)), ("b", "pack_a", "1.0", ("kind",)), ("c", "pack_a", "1.0", ("two",)),
        ("d", "pack_b", "1.0", ("three",)),
    ]  # fmt: skip
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("text", "entry", "why"),
    [
        ("raise OSError('no disk')", "{}", "OSError: no disk"),
        ("import sys\nsys.exit('enough')", "{}", "SystemExit: enough"),
        ("thing = Thing('ours')", "{}:thing", "ValueError: a piece of animation named 'ours' already exists"),
        ("thing = Thing('')", "{}:thing", "ValueError: the name of a piece of animation must be text; "),
        ("def f():\n    registry.register(Thing('half'))\n    1 / 0\nfrom tests.test_plugins import registry", "{}:f",
         "ZeroDivisionError: division by zero"),
        ("", "{}:nothing", "AttributeError: module '{}' has no attribute 'nothing'"),
    ],
)  # fmt: skip
def test_a_failing_entry_point_is_omitted_with_one_sentence(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest,
    text: str, entry: str, why: str,
) -> None:  # fmt: skip
    registry = things("ours")
    monkeypatch.setitem(sys.modules, "tests.test_plugins", sys.modules[__name__])
    monkeypatch.setattr(sys.modules[__name__], "registry", registry, raising=False)
    module = f"broken_{abs(hash(request.node.name))}"
    adds(site, module, text, bad=entry.format(module))
    adds(site, "zz_good", "thing = Thing('good')\n", good="zz_good:thing")
    try:
        assert list(registry) == ["ours", "good"]
    finally:
        sys.modules.pop("zz_good", None)
    sentence = f"the entry point bad (lydian.pieces) of the package {module} cannot be used and is left out: "
    said = capsys.readouterr().err
    assert said.startswith(f"lydian: {sentence}{why.format(module)}") and said.count("\n") == 1
    assert list(registry) == ["ours", "good"] and capsys.readouterr().err == "", "it is said once"


def test_built_in_entries_keep_their_order_whatever_is_imported_first() -> None:
    code = "import lydian.formats.traces.shiviz; from lydian.formats.traces import FORMATS; print(*FORMATS)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == list(TRACE_FORMATS)


def test_files_in_the_current_folder_are_not_installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = things("ours")
    adds(site, "stranger", "thing = Thing('stranger')\n", a="stranger:thing")
    monkeypatch.chdir(site)
    assert list(registry) == ["ours"] and "stranger" not in sys.modules


def test_a_package_of_protocols_is_a_folder(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "plain_module.py").write_text("")
    installed_as(site, "nowhere", "1", {plugins.PROTOCOLS: {"a": "plain_module", "b": "not_there"}})
    assert plugins.folders() == ()
    said = capsys.readouterr().err
    assert "plain_module must be a package: a folder that contains protocols" in said and "not_there must be" in said


# ---------------------------------------------------------------------- the window


def test_the_editor_asks_for_all_numbers_of_a_distribution(qtbot: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PACKAGE))
    from lydian_example.delays import Triangular  # type: ignore[import-not-found]

    FAMILIES.register(Triangular)
    try:
        editor = LawEditor(Theme("light"))
        qtbot.addWidget(editor)  # type: ignore[attr-defined]
        editor.changed.connect(editor.show_law)
        editor.show_law(Triangular(1, 2, 4))
        assert [field.label.text() for field in editor.fields] == ["Shortest", "Most often", "Longest"]
        assert [field.value for field in editor.fields] == [1, 2, 4]
        assert editor.families.pictures["triangular"].text() == "Triangular"
        editor.families.pictures["uniform"].click()
        assert [field.isVisibleTo(editor) for field in editor.fields] == [True, True, False]
        editor.families.pictures["triangular"].click()
        assert editor.law.kind == "triangular" and editor.law.mean == pytest.approx(7 / 3, rel=1e-3)
    finally:
        FAMILIES.discard("triangular")
