"""The judging of properties at the end of a run."""

from __future__ import annotations

from lydian.model.experiment.experiment import Stop
from tests.engine.rulebook import simulator

STUCK = '''
"""Stuck: no rule is ever enabled."""

from lydian import Process, always, when


class Stuck(Process):
    x: int = 0

    @when(lambda self: self.x > 0)
    def act(self):
        self.x = 0


@always("some process can act")
def alive(c):
    return len(c.enabled) > 0
'''


def test_a_violation_that_is_found_at_the_end_does_not_stop_a_run_that_has_ended() -> None:
    result = simulator(STUCK, "ring:3", stop=Stop(violation=True)).run()
    assert result.stopped == "quiescent"
    assert [each.holds for each in result.checks] == [False]
