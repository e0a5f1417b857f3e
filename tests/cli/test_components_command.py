"""The options with which ``lydian host`` runs a system in components, and ``lydian join`` simulates one of them."""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from lydian.cli.commands.components import add_join_options, add_options, groups_from, join, serve, wanted
from lydian.cli.parser import Parser, Usage
from lydian.model.errors import BadInput
from lydian.trace.parquet.file import load


def parsed(*words: str) -> Namespace:
    parser = Parser("host")
    parser.add_argument("experiment", nargs="?")
    for name in ("--network", "--port"):
        parser.add_argument(name)
    for name in ("--lan", "--json"):
        parser.add_argument(name, action="store_true")
    add_options(parser)
    return parser.parse_args(words)


def test_a_system_runs_and_its_record_repeats_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, trace = tmp_path / "run.json", tmp_path / "run.parquet"
    args = parsed(
        "ricart-agrawala", "--components", "2", "--pace", "50", "--record", str(record), "--trace", str(trace)
    )  # fmt: skip
    assert wanted(args)
    assert serve(args) == 0
    said = capsys.readouterr().out
    assert "Component A:" in said and "lydian join ws://127.0.0.1:" in said and "A-1 acts" not in said
    assert "Component B: b-1 acts" in said and "messages" in said
    assert serve(parsed("--replay", str(record), "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fingerprints"]["merged"] == told["fingerprint"] == load(trace).fingerprint()
    assert set(told["fingerprints"]) == {"A", "B", "merged"}


def test_what_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    assert not wanted(parsed("echo"))
    assert groups_from(parsed("echo", "--border", "0,1", "--border", "2")) == [["0", "1"], ["2"]]
    for words, sentence in (
        (("echo", "--components", "2", "--border", "0"), "exclude each other"),
        (("echo", "--components", "no"), "must be a whole number"),
        (("--components", "2"), "EXPERIMENT is missing"),
        (("echo", "--replay", "x"), "takes everything"),
        (("--replay", "x", "--barrier"), "takes everything"),
        (("echo", "--components", "2", "--record", "x.toml"), "must end in .json"),
        (("echo", "--components", "2", "--record", str(tmp_path / "none" / "x.json")), "folder does not exist"),
        (("echo", "--components", "2", "--network", "rng:4"), "unknown kind of network"),
        (("echo", "--components", "2", "--port", "99999"), "at most 65535"),
        (("echo", "--components", "2", "--pace", "0"), "positive"),
        (("echo", "--components", "999"), "number of components"),
    ):
        with pytest.raises(BadInput, match=sentence):
            serve(parsed(*words))
    for option in ("--barrier", "--elsewhere", "--replicas=2", "--pace=3", "--secret=x", "--record=x", "--trace=x"):
        with pytest.raises(Usage, match="is for a system in components"):
            wanted(parsed("echo", option))
    with pytest.raises(Usage):
        groups_from(parsed("echo", "--components", "0"))


def test_another_program_joins(tmp_path: Path) -> None:
    """Start a host without components of its own, and two programs that join it."""
    code = (
        "import sys; from argparse import Namespace; from lydian.cli.commands.components import serve; "
        "sys.exit(serve(Namespace(experiment='echo', network='grid:3x3', lan=False, port=None, json=True, "
        "components='2', border=[], replicas=None, barrier=True, pace=None, elsewhere=True, secret='shared', "
        "record=None, trace=None, replay=None)))"
    )
    joins = (
        "import sys; from argparse import Namespace; from lydian.cli.commands.components import join; "
        "sys.exit(join(Namespace(url=sys.argv[1], secret='shared', name=sys.argv[2], component='any', "
        "code='', process=None, watch=False, json=False)))"
    )
    host = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    url = json.loads(host.stdout.readline())["url"]
    others = [
        subprocess.Popen([sys.executable, "-c", joins, url, name], stdout=subprocess.PIPE, text=True)
        for name in ("lab-03", "lab-09")
    ]
    told = [other.communicate(timeout=120)[0] for other in others]
    said = host.communicate(timeout=120)[0].splitlines()
    assert (host.returncode, [other.returncode for other in others]) == (0, [0, 0])
    assert sorted(line.strip()[-2] for line in told) == ["A", "B"]
    assert json.loads(said[-1])["stopped"] == "quiescent"


def test_a_program_that_cannot_join_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser("join")
    for name in ("--code", "--process"):
        parser.add_argument(name)
    for name in ("--watch", "--json"):
        parser.add_argument(name, action="store_true")
    add_join_options(parser)
    for words, sentence in (
        (("--component", "D"), "--secret is missing"),
        (("--component", "D", "--secret", "x", "--watch"), "--watch is for a class"),
        (("--component", "D", "--secret", "x", "--code", "ring-1"), "--code is for a class"),
    ):
        with pytest.raises(Usage, match=sentence):
            join(parser.parse_args(words))
