"""The largest number of moves that a daemon can force, compared with a search written for a single algorithm."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from lydian.app.protocol.checking.explorerpanel import facts
from lydian.cli import main
from lydian.engine.explorer.search import Explorer
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Experiment

DOWN = '''
"""Each process counts down, or one process switches to and fro."""
from lydian import *
ON, OFF = states("on", "off")
class Down(Process):
    state = ON
    left: int = variable(2, minimum=0, maximum=2)
    @when(lambda self: {guard})
    def move(self):
        {action}
{promise}
'''


def explored(tmp_path: Path, guard: str, action: str, promise: str = "", **more: Any) -> Any:
    path = tmp_path / "down.py"
    path.write_text(DOWN.format(guard=guard, action=action, promise=promise).lstrip(), encoding="utf-8")
    return Explorer(Experiment("t", protocol=str(path), network="line:3", **more)).run()


def by_hand(n: int, k: int) -> int:
    """Compute the most moves of Dijkstra's ring of n processes with k states, from anywhere, with several tokens."""

    def tokens(x: tuple[int, ...]) -> list[int]:
        return [i for i in range(n) if (x[0] == x[-1] if i == 0 else x[i] != x[i - 1])]

    @cache
    def most(x: tuple[int, ...]) -> int:
        some = tokens(x)
        if len(some) == 1:  # closure: a single token stays single
            return 0
        after = [(*x[:i], (x[-1] + 1) % k if i == 0 else x[i - 1], *x[i + 1 :]) for i in some]
        return 1 + max(map(most, after))

    return max(most(x) for x in product(range(k), repeat=n))


@pytest.mark.parametrize(("n", "k"), [(3, 3), (3, 4), (4, 4)])
def test_the_worst_case_of_dijkstras_ring(n: int, k: int) -> None:
    one = Experiment("t", protocol="dijkstra-k-state", network=f"ring:{n}", parameters={"k": k}, start=Start(any=True))
    found = Explorer(one).run().worst
    assert found is not None and found.moves == found.steps == by_hand(n, k) and "for good" in found.until


def test_without_a_goal_the_worst_case_ends_when_no_move_is_left(tmp_path: Path) -> None:
    found = explored(tmp_path, "self.left > 0", "self.left -= 1")
    assert found.worst.to_dict() == {"moves": 6, "steps": 6, "until": "nothing is left to do"}
    assert found.to_dict()["worst"]["moves"] == 6 and "In the worst case 6 moves until" in facts(found.to_dict())
    together = explored(tmp_path, "self.left > 0", "self.left -= 1", daemon=Daemon(kind="synchronous")).worst
    assert (together.moves, together.steps) == (6, 2)


def test_an_endless_daemon_is_reported(tmp_path: Path, capsys: Any) -> None:
    action = "self.state = OFF if self.state == ON else ON"
    promise = '@eventually("all are off")\ndef off(c):\n    return all(p.state == OFF for p in c.processes)'
    assert explored(tmp_path, "True", action, promise).worst.moves is None
    main(["explore", "--protocol", str(tmp_path / "down.py"), "--network", "line:2"])
    out = capsys.readouterr().out
    assert "worst case      for ever  the daemon can prevent that “all are off” holds for good" in out


def test_protocols_without_guarded_actions_have_no_worst_case() -> None:
    found = Explorer(Experiment("t", protocol="echo", network="line:2")).run()
    assert found.worst is None and "worst" not in found.to_dict()
