"""``lydian explore``."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from lydian.cli import main
from lydian.engine.explorer.search import Explorer
from tests.engine.test_explorer import HEAD


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["explore", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_summary_as_text(capsys: Any) -> None:
    code, out, err = said(capsys, "--protocol", "echo", "--network", "complete:3")
    assert (code, err) == (0, "")
    assert "(3 processes, 3 links; every schedule)" in out
    assert "50  all of them" in out and "8  always" in out and "2 acked and 1 finished" in out
    assert "messages = 4*m - 2*n + 2" in out and "never taken here: sleeping x Ack" in out


def test_a_result_as_json(capsys: Any) -> None:
    code, out, _ = said(capsys, "--protocol", "flooding", "--network", "line:2", "--losses", "1", "--json")
    data = json.loads(out)
    assert code == 1 and data["complete"] and data["configurations"] == 4
    (bad,) = [each for each in data["findings"] if each["holds"] is False]
    assert bad["counterexample"]["replayed"] is True


def test_a_counterexample_is_written_and_run(capsys: Any, tmp_path: Path) -> None:
    target, most = tmp_path / "lost.toml", tmp_path / "most.toml"
    words = ("--protocol", "echo", "--network", "line:3", "--losses", "1", "-o", str(target), "--most", str(most))
    code, out, _ = said(capsys, *words)
    assert code == 1 and "Broadcast from 0 to 1 is lost" in out and f"lydian open {target}" in out
    assert main(["run", str(target)]) == 1
    assert "✗ the initiator learns" in capsys.readouterr().out
    assert main(["run", str(most)]) == 0
    assert "messages          4" in capsys.readouterr().out


def test_nothing_is_written_without_a_counterexample(capsys: Any, tmp_path: Path) -> None:
    target = tmp_path / "none.toml"
    code, _, err = said(capsys, "--protocol", "echo", "--network", "line:2", "-o", str(target))
    assert code == 0 and "none.toml is not written: no counterexample was found" in err and not target.exists()


def test_bounds_are_reported(capsys: Any) -> None:
    code, out, _ = said(capsys, "--protocol", "echo", "--network", "complete:4", "--states", "300")
    assert code == 0 and "not all: the given number of configurations was reached" in out
    assert "always, open" in out


def test_a_failing_action_is_reported_with_its_schedule(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(HEAD + "    @on(A, INIT)\n    def start(self):\n        self.send(M(), to=self.neighbours[0])\n")
    code, out, _ = said(capsys, str(path), "--network", "line:2")
    assert code == 1 and "P has no @on(A, M)" in out and "2  process 1 receives M from 0" in out


def test_several_processes_print_what_one_prints(capsys: Any) -> None:
    words = ("--protocol", "bracha-broadcast", "--network", "complete:4", "--states", "5000", "--json")
    one, two = (json.loads(said(capsys, *words, *more)[1]) for more in ((), ("--workers", "2")))
    assert one.pop("seconds") > 0 and two.pop("seconds") > 0 and one == two


def test_ctrl_c_ends_the_search_and_reports_its_results(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expanded = Explorer._expanded

    def interrupted(explorer: Explorer, *given: Any) -> Any:
        if len(explorer.keys) > 2000 and not explorer._cancelled:
            signal.raise_signal(signal.SIGINT)
        return expanded(explorer, *given)

    monkeypatch.setattr(Explorer, "_expanded", interrupted)
    found = signal.signal(signal.SIGINT, signal.default_int_handler)  # background processes ignore Ctrl+C
    try:
        code, out, _ = said(capsys, "--protocol", "echo", "--network", "complete:4")
        assert code == 0 and "not all: it was stopped by the user" in out
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, found)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--crashes", "x"), "--crashes: must be a whole number from 0"),
        (("--states", "0"), "--states: must be a whole number from 1"),
        (("--workers", "0"), "--workers: must be a whole number from 1"),
        (("--seconds", "-1"), "--seconds: must be a finite number"),
        (("-o", "run.parquet"), "must end in .toml"),
        (("-o", "nowhere/run.toml"), "folder does not exist"),
        (("--until", "3"), "does not take --until; bound it with --depth"),
        (("--workers", "2", "--master", "local[2]"), "give one of them"),
        (("--walk", "2", "--master", "local[2]"), "does not take --master"),
        (("--master", "nowhere"), "nowhere"),
        (("--dept", "3"), "did you mean '--depth'?"),
    ],
)
def test_bad_input_is_an_error(capsys: Any, words: tuple[str, ...], sentence: str) -> None:
    code, out, err = said(capsys, "--protocol", "echo", "--network", "line:2", *words)
    assert (code, out) == (2, "") and sentence in err and "Traceback" not in err


def test_a_property_that_cannot_be_judged_is_open_and_shown(lydian, here):
    text = "from lydian import INIT, Process, always, on, states\n(A, B) = states('a', 'b')\nclass Odd(Process):\n"
    text += "    state = A\n    @on(A, INIT)\n    def start(self):\n        self.state = B\n"
    text += "@always('few')\ndef few(c):\n    return c.process('77').state == A\n"
    (here / "odd.py").write_text(text)
    said = lydian("explore", "--protocol", "odd.py", "--network", "ring:3", "--initiators", "0")
    assert said.code == 1 and "? few  always, open" in said.out and "another way" not in said.out
    assert "unknown process '77'" in said.out
    assert "few: it cannot be evaluated, for example after 0 steps" in said.out


def test_no_worst_case_with_arbitrary_initial_configurations(lydian, here):
    said = lydian("explore", "--protocol", "dijkstra-three-state", "--network", "ring:3", "--start", "any")
    (line,) = (each for each in said.out.splitlines() if each.startswith("  moves "))
    assert line.endswith("  any configuration may be the first") and "in succession" not in said.out


# ---------------------------------------------------------------------- random schedules


def test_random_schedules_as_text(capsys: Any, tmp_path: Path) -> None:
    target = tmp_path / "lost.toml"
    words = ("--protocol", "echo", "--network", "line:4", "--losses", "1", "--walk", "60", "-o", str(target))
    code, out, _ = said(capsys, *words)
    assert code == 1 and "(4 processes, 3 links; random schedules)" in out
    assert "schedules             60  drawn at random" in out and "the first of which is number 1" in out
    assert main(["run", str(target)]) == 1
    capsys.readouterr()
    code, out, _ = said(capsys, *words[:-2], "--depth", "2")
    assert code in (0, 1) and "of them cut off after 2 steps" in out
    code, out, _ = said(capsys, *words[:4], "--walk", "60", "--priorities", "2", "--seconds", "0")
    assert code == 0 and "schedules              0  of 60: the given time had passed" in out


def test_random_schedules_as_json_are_the_same_for_a_seed(capsys: Any) -> None:
    words = ("--protocol", "echo", "--network", "grid:2x3", "--walk", "70", "--priorities", "3", "--json", "--seed")
    results = []
    for seed in ("5", "5", "6"):
        code, out, _ = said(capsys, *words, seed)
        results.append({name: value for name, value in json.loads(out).items() if name != "seconds"})
        assert code == 0
    first, second, other = results
    assert first == second and first["outcomes"] == other["outcomes"] and first["seed"] != other["seed"]
    assert first["walk"] | {"priorities": None} == {
        "schedules": 70, "wanted": 70, "cut": 0, "limit": 1000, "priorities": None,
    }  # fmt: skip
    assert 0 < first["walk"]["priorities"]["one"] < first["walk"]["priorities"]["all"] < 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--priorities", "2"), "--priorities needs --walk N"),
        (("--walk", "0"), "--walk"),
        (("--walk", "5", "--states", "4"), "does not take --states"),
        (("--walk", "5", "--most", "m.toml"), "does not take --most"),
        (("--walk", "5", "--workers", "2"), "does not take --workers"),
        (("--walk", "5", "--priorities", "0"), "--priorities"),
    ],
)
def test_wrong_options_of_random_schedules(capsys: Any, words: tuple[str, ...], sentence: str) -> None:
    code, out, err = said(capsys, "--protocol", "echo", "--network", "line:2", *words)
    assert (code, out) == (2, "") and sentence in err and len(err.splitlines()) == 1


def test_orders_that_make_no_difference_are_tried_on_request(capsys: Any) -> None:
    words = ("--protocol", "flooding", "--network", "star:6")
    for more, configurations, reduced in (((), 7, True), (("--all-orders",), 2**5 + 1, False)):
        code, out, _ = said(capsys, *words, *more)
        assert code == 0 and f"{configurations}  all of them" in out and ("(reduced: in 4" in out) == reduced
