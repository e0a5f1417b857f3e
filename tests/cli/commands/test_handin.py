"""A hand-in contains an experiment, its protocol, its network and a run, and opens anywhere."""

from __future__ import annotations

import json
import zipfile

import pytest

from lydian.model.archive.archive import archive
from lydian.model.archive.handin import unpack
from lydian.model.experiment.experiment import read
from lydian.trace.parquet.reader import load


@pytest.fixture
def mine(here):
    """Create an experiment in its own folder, with a protocol and a network beside it."""
    folder = here / "mine"
    folder.mkdir()
    source = archive().find("protocols", "echo").read_text(encoding="utf-8")
    (folder / "my_echo.py").write_text(source, encoding="utf-8")
    text = 'name = "mine"\nabout = "Mine."\nprotocol = "./my_echo.py"\nnetwork = "./net.json"\nseed = 5\n'
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def handed(lydian, mine):
    assert lydian("network", "ring", "5", "-o", mine / "net.json").code == 0
    said = lydian("handin", mine / "mine.toml", "-o", "mine.lydian")
    assert said.code == 0 and said.out.rstrip().endswith("hand-in: mine.lydian")
    return mine.parent / "mine.lydian"


def test_a_hand_in_is_complete_and_reveals_nothing_about_this_computer(handed, mine):
    with zipfile.ZipFile(handed) as whole:
        names = set(whole.namelist())
        experiment = whole.read("experiment.toml").decode()
    assert {"experiment.toml", "my_echo.py", "run.parquet", "run.html", "hand-in.json"} < names and len(names) == 6
    assert 'protocol = "./my_echo.py"' in experiment and str(mine) not in experiment
    trace = load(handed)
    assert trace.experiment["protocol"] == "./my_echo.py" and str(mine) not in json.dumps(trace.experiment)


def test_its_experiment_runs_without_the_original_files(lydian, handed, mine):
    before = json.loads(lydian("run", mine / "mine.toml", "--json").out)
    for file in mine.iterdir():
        file.unlink()
    again = json.loads(lydian("run", handed, "--json").out)
    assert again["fingerprint"] == before["fingerprint"] == load(handed).fingerprint()
    assert lydian("run", handed, "--seed", "6").code == 0
    said = lydian("trace", "show", handed)
    assert said.code == 0 and "Broadcast" in said.out


def test_its_page_shows_the_protocol(lydian, handed, here):
    with zipfile.ZipFile(handed) as whole:
        page = whole.read("run.html").decode()
    assert "<summary>The protocol: my_echo.py</summary>" in page
    assert '<i class="k">class</i> <i class="d">Broadcast</i>' in page
    assert lydian("run", "two-wings", "--html", "run.html").code == 0
    assert "<summary>The protocol: echo.py</summary>" in (here / "run.html").read_text(encoding="utf-8")


def test_included_entries_keep_their_names(lydian, here):
    assert lydian("handin", "echo-crash", "--seed", "3", "-o", "a.lydian").code in (0, 1)
    found = unpack(here / "a.lydian")
    inside = read(found.experiment)
    assert (inside.protocol, inside.network, inside.seed) == ("echo", "two-wings", 3)
    assert (found.folder / "echo.py").is_file() and (found.folder / "two-wings.json").is_file()


def test_a_changed_file_is_reported_on_reopening(handed):
    first = unpack(handed)
    assert unpack(handed).folder == first.folder
    (first.folder / "my_echo.py").write_text("# better", encoding="utf-8")
    second = unpack(handed)
    assert second.folder != first.folder
    assert (first.folder / "my_echo.py").read_text(encoding="utf-8") == "# better"


def test_a_run_of_another_source_is_refused(lydian, handed, mine, tmp_path):
    from lydian.model.errors import BadInput
    from lydian.trace.handin import hand_in

    trace, experiment = load(handed), read(mine / "mine.toml")
    with (mine / "my_echo.py").open("a", encoding="utf-8") as file:
        file.write("# later\n")
    with pytest.raises(BadInput, match="run the experiment again, then hand it in"):
        hand_in(tmp_path / "b.lydian", experiment, trace)
    assert not (tmp_path / "b.lydian").exists()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["experiment.toml"], "is not a hand-in"),
        (["experiment.toml", "run.parquet", "../evil.py"], "but the files of a hand-in must end in"),
        (["experiment.toml", "run.parquet", "a/b.py"], "but the files of a hand-in must end in"),
        (["experiment.toml", "run.parquet", "x.sh"], "but the files of a hand-in must end in"),
        (["experiment.toml", "run.parquet", *(f"f{i}.py" for i in range(20))], "is too large"),
    ],
)
def test_a_strange_zip_file_is_an_error(lydian, here, names, words):
    with zipfile.ZipFile(here / "bad.lydian", "w") as whole:
        for name in names:
            whole.writestr(name, "x")
    said = lydian("run", "bad.lydian")
    assert said.code == 2 and words in said.err and said.err.count("\n") == 1
    assert not list(here.parent.rglob("evil.py")) and not (here.parent / "home" / "hand-ins").exists()


def test_a_name_with_another_ending_is_refused(lydian, here):
    said = lydian("handin", "two-wings", "-o", "two-wings.toml")
    assert said.code == 2 and "the name of a hand-in must end in .lydian" in said.err and not list(here.iterdir())


def test_the_default_path_is_beside_the_experiment_and_never_overwrites(lydian, here):
    (here / "there").mkdir()
    (here / "there" / "ex.toml").write_text('protocol = "echo"\nnetwork = "two-wings"\n')
    said = lydian("handin", "there/ex.toml")
    assert said.code == 0 and said.out.endswith("\n  hand-in: there/ex.lydian\n")
    before = (here / "there" / "ex.lydian").read_bytes()
    said = lydian("handin", "there/ex.toml")
    assert (said.code, said.err) == (
        2, "lydian: there/ex.lydian: this file already exists; choose another one with -o\n"
    )  # fmt: skip
    assert (here / "there" / "ex.lydian").read_bytes() == before
    assert lydian("handin", "two-wings").code == 0 and (here / "two-wings.lydian").exists()
