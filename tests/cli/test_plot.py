"""``lydian batch plot``: default and requested plots; each bad request is one sentence."""

from __future__ import annotations

import csv
import json

import pytest

from lydian.batch.folder import Folder
from lydian.batch.packed import pack
from lydian.batch.sweep.file import from_dict as sweep_from
from tests.batchfolder import SMALL, folder_of

pytestmark = pytest.mark.usefixtures("qapp")  # plots are drawn


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("plot") / "out").path


def test_a_plot_without_options(lydian, here, out):
    said = lydian("batch", "plot", out, "-o", "p.svg")
    assert (said.code, said.out, said.err) == (0, "p.svg\n", "")
    text = (here / "p.svg").read_text()
    assert all(word in text for word in ("Messages", "ring", "random", "exponential", "processes"))


def test_the_requested_plot_is_drawn(lydian, here, out):
    said = lydian(
        "batch", "plot", out, "--y", "time", "--x", "n", "--by", "kind", "--over", "none", "--kind", "mean", "--log",
        "x,y", "--power-law", "--numbers", 3, "--size", "700x400", "--theme", "dark", "--json", "-o", "p.pdf",
    )  # fmt: skip
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert (told["y"], told["x"], told["by"], told["over"], told["kind"]) == ("time", "n", "kind", "", "mean")
    assert told["log_x"] is told["log_y"] is True
    assert [each["series"] for each in told["fits"]] == ["ring", "random"]
    assert 0.2 < told["fits"][0]["exponent"] < 1.5
    assert (here / "p.pdf").read_bytes().startswith(b"%PDF")
    assert (out / "strangest.json").is_file()


def test_a_measure_is_named_as_in_the_sweep_or_as_its_column(lydian, here, tmp_path):
    folder = folder_of(tmp_path / "acks", measure=["by_kind.Ack.sent"], seeds=2)
    (column,) = (each.name for each in folder.sweep.measure)
    assert column != "by_kind.Ack.sent"
    for name in (column, "by_kind.Ack.sent"):
        said = lydian("batch", "plot", folder.path, "--y", name, "--json", "-o", "p.csv")
        assert said.code == 0, said.err
        assert json.loads(said.out)["y"] == column


def test_the_numbers_in_a_plot(lydian, here, out):
    assert lydian("batch", "plot", out, "--measure", "messages", "--by", "", "-o", "p.csv").code == 0
    with (here / "p.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["kind"] == "ring" and rows[0]["n"] == "5" and rows[0]["mean"] == "12" and rows[0]["count"] == "12"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-o", "p.gif"), "the name of a plot must end in .svg, .pdf, .png or .csv"),
        ((), "-o FILE is missing"),
        (("-o", "p.svg", "--x", "nn"), "'nn' is not a column of these results (did you mean 'n'?)"),
        (("-o", "p.svg", "--y", "mesages"), "'mesages' was not measured (did you mean 'messages'?)"),
        (("-o", "p.svg", "--kind", "pie"), "--kind: must be one of spread,"),
        (("-o", "p.svg", "--log", "z"), "--log: must be x, y, x,y or none"),
        (("-o", "p.svg", "--size", "12"), "--size: must be width x height"),
        (("-o", "p.svg", "--size", "12x9"), "--size: must be from 200x200"),
        (("-o", "p.svg", "--theme", "pink"), "--theme: must be light, dark or contrast"),
        (("-o", "p.svg", "--numbers", "x"), "--numbers: must be a whole number"),
        (("-o", "no/p.svg"), "its folder does not exist"),
    ],
)
def test_invalid_options_are_errors(lydian, here, out, words, sentence):
    said = lydian("batch", "plot", out, *words)
    assert said.code == 2 and sentence in said.err and said.err.count("\n") == 1
    assert not list(here.iterdir())


def test_folders_without_results(lydian, here):
    assert "this folder does not exist" in lydian("batch", "plot", "nowhere", "-o", "p.svg").err
    Folder.create(here / "empty", pack(sweep_from(SMALL)), 40, False)
    assert "no run is finished yet" in lydian("batch", "plot", "empty", "-o", "p.svg").err


def test_options_of_plots_are_accepted_only_for_plots(lydian, here, out):
    assert "--x is an option of lydian batch plot DIR" in lydian("batch", "show", out, "--x", "n").err
    assert "--kind is an option of lydian batch plot DIR" in lydian("batch", "echo-messages", "--kind", "mean").err
