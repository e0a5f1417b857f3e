"""Bad input gives one sentence on standard error that names the problem, exit code 2, and no output file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

GOOD = 'protocol = "echo"\nnetwork = "ring:8"\n'
FLOODS = GOOD.replace("echo", "flooding")
FAULT = GOOD + "[[faults]]\ntime = 1\ndo = 'crash'\nprocess = '1'\n"

#: The content of e.toml -> the content of the error.
EXPERIMENTS = {
    "empty": ("", "e.toml: the file is empty"),
    "blank": (" \n\n", "e.toml: the file is empty"),
    "binary": (b"\x00\x01\x02\xff", "e.toml, line 1: this is not text in UTF-8"),
    "null bytes": (b"protocol = 'echo'\n\x00\x00", "e.toml, line 2: this is a binary file"),
    "ten megabytes": (b"# x\n" * 2_500_000, "e.toml: the file is larger than 4 MB"),
    "truncated": ('protocol = "ec', "e.toml, line 1, the end: not valid TOML: unterminated string"),
    "truncated table": (GOOD + "[timing", "e.toml, line 3, the end: not valid TOML"),
    "deep": ("a = " + "[" * 5000, "e.toml: too many nested brackets"),
    "no protocol": ('network = "ring:8"', "e.toml: protocol is missing; write, for example,"),
    "no network": ('protocol = "echo"', "e.toml: network is missing; write, for example,"),
    "unknown key": (GOOD + "sede = 3", "e.toml: unknown key 'sede' (did you mean 'seed'?)"),
    "unknown protocol": ('protocol = "ehco"\nnetwork = "ring:8"', "e.toml, protocol: unknown protocol 'ehco'"),
    "unknown network": ('protocol = "echo"\nnetwork = "two-wing"', "(did you mean 'two-wings'?)"),
    "unknown kind": ('protocol = "echo"\nnetwork = "rign:8"', "(did you mean 'ring'?)"),
    "missing protocol file": ('protocol = "./no.py"\nnetwork = "ring:8"', "no.py: there is no such file; a protocol"),
    "protocol is a number": ('protocol = 3\nnetwork = "ring:8"', "e.toml, protocol: must be a text, not 3"),
    "network is a list": ('protocol = "echo"\nnetwork = [1]', "e.toml, network: must be a name, a path"),
    "embedded network": (GOOD.replace('"ring:8"', '{nodes = [{id = "0"}], links = [{source="0", target="9"}]}'), "9"),
    "negative seed": (GOOD + "seed = -1", "e.toml, seed: must be a whole number from 0"),
    "seed is a fraction": (GOOD + "seed = 1.5", "e.toml, seed: must be a whole number, not 1.5"),
    "seed is true": (GOOD + "seed = true", "e.toml, seed: must be a whole number, not True"),
    "huge seed": (GOOD + "seed = " + "9" * 40, "e.toml, seed: must be a whole number from 0 to 2**63 - 1"),
    "endless number": (GOOD + "seed = " + "9" * 5000, "e.toml"),
    "unknown parameter": (GOOD + "[parameters]\nforward = 1", "e.toml, parameters.forward: unknown parameter"),
    "value of a parameter": (FLOODS + "[parameters]\nforward_to = 'x'", "e.toml, parameters.forward_to: forward_to"),
    "parameters is a list": (GOOD + "parameters = []", "e.toml, parameters: must be a table, not []"),
    "unknown distribution": (GOOD + "[timing]\ndelay = 'unifrom(1, 2)'", "e.toml, timing.delay: "),
    "negative delay": (GOOD + "[timing]\ndelay = -1", "e.toml, timing.delay: "),
    "infinite delay": (GOOD + "[timing]\ndelay = inf", "e.toml, timing.delay: "),
    "delay is a list": (GOOD + "[timing]\ndelay = [1]", "e.toml, timing.delay: must be a distribution such as"),
    "NaN in a delay": (GOOD + "[timing]\ndelay = 'uniform(nan, 2)'", "e.toml, timing.delay: "),
    "unknown order": (GOOD + "[timing]\norder = 'lifo'", "e.toml, timing.order: must be \"fifo\" or \"unordered\""),
    "too much loss": (GOOD + "[timing]\nloss = 1.5", "e.toml, timing.loss: must be a share of the messages"),
    "NaN loss": (GOOD + "[timing]\nloss = nan", "e.toml, timing.loss: must be a share"),
    "delay of no link": (GOOD + "[timing.links]\n'0-5' = '1'", "e.toml, timing: no link joins 0 and 5"),
    "delay to nobody": (GOOD + "[timing.links]\n'0-77' = '1'", "e.toml, timing: link '0-77' names the unknown"),
    "step of nobody": (GOOD + "[timing.processes]\n'77' = '1'", "e.toml, timing: unknown process '77'"),
    "bad delay of a link": (GOOD + "[timing.links]\n'0-1' = 'x'", "e.toml, timing.links.0-1: "),
    "initiator is nobody": (GOOD + "[timing]\ninitiators = ['77']", "77"),
    "two initiators": (GOOD + "[timing]\ninitiators = [0, 1]", "network: Echo cannot run here: 2 processes start"),
    "negative until": (GOOD + "[stop]\nuntil = -1", "e.toml, stop.until: must be a finite time"),
    "NaN until": (GOOD + "[stop]\nuntil = nan", "e.toml, stop.until: must be a finite time"),
    "infinite until": (GOOD + "[stop]\nuntil = inf", "e.toml, stop.until: must be a finite time"),
    "no events": (GOOD + "[stop]\nevents = 0", "e.toml, stop.events: must be a whole number from 1"),
    "too many events": (GOOD + "[stop]\nevents = 99999999999", "e.toml, stop.events: must be a whole number from 1"),
    "variables is a text": (GOOD + "[record]\nvariables = 'yes'", "record.variables: must be true or false, not 'yes'"),
    "check is no table": (GOOD + "check = true", "e.toml, check: must be a table, not True"),
    "faults is a table": (GOOD + "[faults]\ntime = 1", "e.toml, faults: must be a list"),
    "fault is a number": (GOOD + "faults = [3]", "e.toml, faults[0]: must be a table, not 3"),
    "unknown process": (FAULT.replace("'1'", "'77'"), "e.toml, faults[0].process: unknown process '77' of network"),
    "unknown fault": (FAULT.replace("crash", "crahs"), "faults[0].do: unknown intervention 'crahs' (did you"),
    "unknown key of a fault": (FAULT + "proces = '1'", "faults[0]: unknown key 'proces' (did you mean 'process'?)"),
    "second fault": (FAULT + FAULT[len(GOOD):].replace("'1'", "'x'"), "e.toml, faults[1].process: unknown process 'x'"),
    "fault without a process": (FAULT.replace("process = '1'", ""), "e.toml, faults[0]: crash needs process"),
    "fault without a time": (FAULT.replace("time = 1", ""), "e.toml, faults[0]: time is missing"),
    "fault at NaN": (FAULT.replace("time = 1", "time = nan"), "e.toml, faults[0].time: must be a finite number"),
    "fault before the beginning": (FAULT.replace("time = 1", "time = -1"), "faults[0].time: must be a finite number"),
    "fault at a text": (FAULT.replace("time = 1", "time = 'now'"), "faults[0].time: must be a number, not 'now'"),
    "fault with too much": (FAULT + "delay = 1", "e.toml, faults[0].delay: unknown key delay of crash; choose from"),
    "unknown link": (
        GOOD + "faults = [{time = 1, do = 'link_down', link = '0-5'}]",
        "e.toml, faults[0].link: network ring-8 has no link from '0' to '5'",
    ),
    "half a link": (GOOD + "faults = [{time = 1, do = 'link_down', link = '0'}]", "faults[0].link: must be the two"),
    "drop of nothing": (GOOD + "faults = [{time = 1, do = 'drop'}]", "e.toml, faults[0]: drop must name its message"),
    "drop of an unknown kind": (
        GOOD + "faults = [{time = 1, do = 'drop', label = 'Akc'}]",
        "faults[0].label: unknown message 'Akc' of protocol echo (did you mean 'Ack'?)",
    ),
    "negative message": (GOOD + "faults = [{time = 1, do = 'drop', message = -1}]", "faults[0].message: must be"),
    "unknown field": (
        GOOD + "faults = [{time = 1, do = 'inject', link = '0-1', label = 'Ack', fields = {x = 1}}]",
        "faults[0].fields: unknown field 'x' of Ack",
    ),
    "unknown variable": (
        GOOD + "faults = [{time = 1, do = 'corrupt', process = '0', variable = 'parnet', value = '1'}]",
        "faults[0].variable: unknown variable 'parnet' of protocol echo (did you mean 'parent'?)",
    ),
    "unknown state": (
        GOOD + "faults = [{time = 1, do = 'corrupt', process = '0', variable = 'state', value = 'waitng'}]",
        "faults[0].value: unknown state 'waitng' of protocol echo (did you mean 'waiting'?)",
    ),
    "value is a date": (
        GOOD + "faults = [{time = 1, do = 'corrupt', process = '0', variable = 'parent', value = 2003-01-01}]",
        "e.toml, faults[0].value: must be text, a number, true, false, a list or a table, not datetime.date(2003, 1",
    ),
    "value is NaN": (
        GOOD + "faults = [{time = 1, do = 'corrupt', process = '0', variable = 'parent', value = nan}]",
        "faults[0].value: must be a number, not nan",
    ),
    "unknown command": (
        GOOD + "workload = [{time = 1, do = 'command', process = '0', label = 'Publish'}]",
        "e.toml, workload[0].label: unknown command 'Publish' of protocol echo; there are none",
    ),
    "crash as workload": (
        GOOD + "workload = [{time = 1, do = 'crash', process = '0'}]",
        "e.toml, workload[0].do: must be a command or a wake in the workload",
    ),
}  # fmt: skip

#: Arguments -> the content of the error; ``e.toml`` is valid here.
ARGUMENTS = [
    (["rnu"], "unknown command 'rnu' (did you mean 'run'?)"),
    (["run"], "EXPERIMENT is missing"),
    (["run", "no-such"], "unknown experiment 'no-such' in the archive"),
    (["run", "two-wing"], "(did you mean 'two-wings'?)"),
    (["run", "no.toml"], "no.toml: there is no such file; an experiment in TOML was expected here"),
    (["run", "folder.toml"], "folder.toml: this is a folder"),
    (["run", "e.toml", "--sed", "3"], "unknown option --sed (did you mean '--seed'?); see lydian run --help"),
    (["run", "e.toml", "more"], "unexpected argument 'more'"),
    (["run", "e.toml", "--seed"], "--seed needs a value"),
    (["run", "e.toml", "--seed", "-1"], "--seed: must be a whole number from 0"),
    (["run", "e.toml", "--seed", "x"], "--seed: must be a whole number from 0 to 2**63 - 1, not 'x'"),
    (["run", "e.toml", "--until", "nan"], "--until: must be a finite time that is not negative, not 'nan'"),
    (["run", "e.toml", "--until", "inf"], "--until: must be a finite time"),
    (["run", "e.toml", "--until", "-3"], "--until: must be a finite time"),
    (["run", "e.toml", "--limit", "0"], "--limit: must be a whole number from 1"),
    (["run", "e.toml", "--set", "forward_to"], "--set: must be NAME=VALUE, for example --set retries=3"),
    (["run", "flooding", "--set", "froward_to=1"], "(did you mean 'forward_to'?)"),
    (["run", "flooding", "--set", "forward_to=x"], "--set forward_to=x: forward_to must be one of 'others', 'all'"),
    (["run", "e.toml", "--delay", "unifrom(1, 2)"], "--delay: "),
    (["run", "e.toml", "--delay", "exponential(mean=-1)"], "--delay: "),
    (["run", "e.toml", "--delay", "exponential(mean=inf)"], "--delay: "),
    (["run", "e.toml", "--protocol", "ecko"], "(did you mean 'echo'?)"),
    (["run", "e.toml", "--protocol", "./no.py"], "no.py: there is no such file"),
    (["run", "e.toml", "--protocol", "broken.py"], "broken.py, line 2: "),
    (["run", "e.toml", "--protocol", "binary.py"], "binary.py, line 1: this is not text in UTF-8"),
    (["run", "e.toml", "--network", "grid:0x5"], "grid"),
    (["run", "e.toml", "--network", "gnm:10,NaN"], "gnm"),
    (["run", "e.toml", "--network", "no.json"], "no.json: there is no such file"),
    (["run", "e.toml", "--network", "cut.json"], "cut.json"),
    (["run", "e.toml", "--network", "twins.json"], "twins.json"),
    (["run", "e.toml", "--network", "nobody.json"], "nobody.json"),
    (["run", "e.toml", "--trace", "none/t.parquet"], "its folder does not exist"),
    (["run", "e.toml", "--trace", "folder.toml"], "this is a folder"),
    (["run", "e.toml", "--explian"], "unknown option --explian (did you mean '--explain'?)"),
    (["batch", "sweep.toml"], "-o DIR is missing"),
    (["batch", "sweep.toml", "-o", "out"], "sweep.toml: there is no such file"),
    (["batch", "no-such-sweep", "-o", "out"], "unknown sweep 'no-such-sweep'"),
    (["batch", "e.toml", "-o", "out"], "unknown key"),
    (["batch", "echo-messages", "-o", "out", "--master", "sprak://here"], "'sprak://here' is not a master of Spark"),
    (["batch", "show"], "batch show must be given the folder of one batch"),
    (["batch", "show", "no-folder"], "no-folder: this folder does not exist"),
    (["batch", "echo-messages", "-o", "out", "--export", "x.xls"], "the name of a table of runs must end in .csv"),
    (["batch", "echo-messages", "-o", "out", "--strangest", "many"], "--strangest: must be a whole number"),
    (["network", "rign", "8"], "(did you mean 'ring'?)"),
    (["network", "ring", "-8"], "ring"),
    (["network", "ring", "8", "--seed", "x"], "--seed: must be a whole number"),
    (["network", "ring", "8", "-o", "none/r.json"], "its folder does not exist"),
    (["network", "ring", "8", "-o", "e.toml/r.json"], "its folder does not exist"),
    (["network", "ring", "8", "--layout", "sping"], "spring"),
    (["trace"], "COMMAND is missing"),
    (["trace", "shwo", "x"], "(did you mean 'show'?)"),
    (["trace", "show", "no.parquet"], "no.parquet"),
    (["trace", "show", "e.toml"], "e.toml"),
    (["trace", "info", "binary.py"], "binary.py"),
    (["trace", "export", "e.toml", "--to", "cvs"], "unknown 'cvs' for --to (did you mean 'csv'?)"),
    (["trace", "export", "e.toml"], "--to is missing"),
    (["render", "e.toml"], "-o/--output is missing"),
    (["render", "e.toml", "-o", "x.jpg"], "the name of a picture must end in .png, .svg or .pdf, that of a movie in"),
    (["render", "e.toml", "--view", "basik", "-o", "x.png"], "(did you mean 'basic'?)"),
    (["render", "e.toml", "--at", "nan", "-o", "x.png"], "--at: must be a time or a share such as 40%, not 'nan'"),
    (["render", "e.toml", "--size", "big", "-o", "x.png"], "--size: must be width x height"),
    (["render", "e.toml", "--select", "77", "-o", "x.png"], "--select: unknown process '77'"),
    (["render", "no.parquet", "-o", "x.png"], "no.parquet"),
    (["archive", "ecko"], "(did you mean 'echo'?)"),
    (["new", "protocl", "x"], "(did you mean 'protocol'?)"),
    (["new", "protocol", "1 2"], "cannot be a name"),
    (["new", "protocol", "none/x"], "its folder does not exist"),
    (["new", "experiment", "e"], "e.toml: this file already exists"),
    (["open", "no.toml"], "no.toml: there is no such file"),
    (["open", "binary.py"], "binary.py, line 1: this is not text in UTF-8"),
    (["open", "words.txt"], "words.txt: this is not an experiment"),
    (["open", "empty.txt"], "empty.txt: the file is empty"),
    (["open", "broken.py"], "broken.py, line 2: "),
    (["run", "newz.py"], "newz.py, line 7: 'Newz' is not known here (did you mean 'News'?); declare or"),
    (["open", "cut.json"], "cut.json"),
    (["--sede"], "unknown option --sede"),
]

FILES = {
    "e.toml": GOOD,
    "newz.py": "from lydian import Message, Process, on\nclass News(Message):\n    pass\nclass X(Process):\n"
    "    best: int = 0\n\n    @on('a', Newz)\n    def hear(self, m, q):\n        pass\n",
    "broken.py": "from lydian import Process\nclass X(Process:\n",
    "binary.py": b"\xff\xfe\x00\x01",
    "cut.json": '{"nodes": [{"id": "0"}, {"id"',
    "twins.json": '{"nodes": [{"id": "0"}, {"id": "0"}], "links": []}',
    "nobody.json": '{"nodes": [{"id": "0"}, {"id": "1"}], "links": [{"source": "0", "target": "7"}]}',
    "words.txt": "some words",
    "empty.txt": "",
}


def write(here, files):
    for name, content in files.items():
        (here / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_refused(said, words):
    assert said.code == 2, said
    assert said.err.startswith("lydian: ")
    assert said.err.endswith("\n")
    assert said.err.count("\n") == 1
    assert words in said.err
    assert "Traceback" not in said.err
    assert len(said.err) < 700
    assert said.out == ""


@pytest.mark.parametrize(("content", "words"), EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_a_bad_experiment_is_refused_in_one_sentence(lydian, here, content, words):
    write(here, {"e.toml": content})
    before = contents(here)
    assert_refused(lydian("run", "e.toml", "--trace", "t.parquet", "--json"), words)
    assert contents(here) == before


@pytest.mark.parametrize(("arguments", "words"), ARGUMENTS, ids=[" ".join(words) for words, _ in ARGUMENTS])
def test_bad_arguments_are_refused_in_one_sentence(lydian, here, arguments, words):
    write(here, FILES)
    (here / "folder.toml").mkdir()
    before = contents(here)
    assert_refused(lydian(*arguments), words)
    assert contents(here) == before


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\0" * 100, b"\xff" * 5000])
@pytest.mark.parametrize("command", [["trace", "show"], ["trace", "info"], ["open"]])
def test_an_invalid_trace_is_refused(lydian, here, command, content):
    write(here, {"t.parquet": content})
    assert_refused(lydian(*command, "t.parquet"), "t.parquet")


def test_a_truncated_trace_shows_its_complete_part_and_reports_the_cut(lydian, here):
    assert lydian("run", "two-wings", "--network", "gnm:100,300,seed=1", "--trace", "t.parquet").code == 0
    whole = (here / "t.parquet").read_bytes()
    (here / "cut.parquet").write_bytes(whole[: len(whole) * 2 // 3])
    said = lydian("trace", "show", "cut.parquet")
    assert said.err.count("\n") == 1
    assert "cut.parquet" in said.err
    assert "Traceback" not in said.err
    assert said.code == 0
    assert 0 < len(said.out.splitlines()) < 1500


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "e.toml", "--trace", "no/t.parquet"],
        ["network", "ring", "8", "-o", "no/r.json"],
        ["new", "network", "no/n"],
    ],
)
def test_a_folder_that_cannot_be_written(lydian, here, arguments):
    write(here, FILES)
    (here / "no").mkdir(mode=0o500)
    assert_refused(lydian(*arguments), "cannot be written")


def test_a_full_path_is_reported(lydian, here):
    folder = here / "lessons" / "week 1"
    folder.mkdir(parents=True)
    path = Path("lessons") / "week 1" / "e.toml"
    path.write_text(GOOD + "seed = -1", encoding="utf-8")
    assert_refused(lydian("run", path), f"lydian: {path}, seed: must be")


def test_debug_also_shows_the_traceback(lydian):
    said = lydian("run", "no-such", "--debug")
    assert said.code == 2
    assert "Traceback" in said.err
    assert said.err.splitlines()[-1].startswith("lydian: unknown experiment 'no-such'")


def test_an_internal_error_is_one_sentence(lydian, monkeypatch):
    def broken(*arguments, **words):
        raise KeyError("x\ny")

    monkeypatch.setattr("lydian.model.archive.archive.archive", broken)
    said = lydian("archive")
    assert said.code == 1
    assert said.err.count("\n") == 1
    assert "LYDIAN itself failed (KeyError" in said.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--initiators all", "--initiators all: Echo cannot run here"),
        ("--set foo=3", "--set foo=3: unknown parameter 'foo' of Echo"),
        ("--command 77:X", "--command 77:X: unknown process '77'"),
        ("--network nosuch", "--network nosuch: unknown network 'nosuch'"),
        ("--protocol chang-roberts", "--protocol chang-roberts: Chang-Roberts cannot run here"),
    ],
)
def test_an_error_in_an_option_does_not_blame_the_experiment(lydian, options, sentence):
    for command in ("run", "explore"):
        said = lydian(command, "two-wings", *options.split())
        assert said.code == 2 and said.err.startswith(f"lydian: {sentence}")


def test_an_error_in_the_experiment_does_not_blame_an_option(lydian, here):
    Path("mine.toml").write_text(GOOD + "[parameters]\nfoo = 3\n", encoding="utf-8")
    said = lydian("run", "mine.toml", "--set", "bar=2")
    assert said.code == 2 and said.err.startswith("lydian: mine.toml, parameters.foo: ")
