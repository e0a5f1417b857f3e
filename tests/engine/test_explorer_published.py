"""Numbers of configurations that others have published for the same models."""

from __future__ import annotations

import pytest

from lydian.engine.explorer.search import Explorer
from tests.engine.rulebook import resolved

#: Two-phase commit as in TwoPhase.tla (L. Lamport, J. Gray, Consensus on transaction commit, ACM TODS 31(1), 2006), one
#: rule for each of its actions. There, messages are a set that only grows; here, a process has a variable for each
#: message that it may send, which the others read.
TWO_PHASE = '''
"""Two-phase commit: a transaction manager and resource managers, whose messages are never removed."""
from lydian import Process, always, variable, when


class TwoPhase(Process):
    at: str = variable("working", choices=("working", "prepared", "committed", "aborted", "init", "done"))
    sent: str = variable("", choices=("", "prepared", "commit", "abort"))
    heard: frozenset = frozenset()

    def manages(self):
        return self.initiator and self.at == "working"

    def decides(self):
        return self.manages() and len(self.heard) == len(self.neighbours)

    def new(self):
        return sorted(q for q in self.neighbours if self.see(q).sent == "prepared" and q not in self.heard)

    @when(lambda self: self.manages() and self.new())
    def receive_prepared(self):
        self.heard = self.heard | {self.choose(self.new())}

    @when(decides)
    def commit(self):
        self.at, self.sent = "done", "commit"

    @when(manages)
    def abort(self):
        self.at, self.sent = "done", "abort"

    def works(self):
        return not self.initiator and self.at == "working"

    @when(works)
    def prepare(self):
        self.at, self.sent = "prepared", "prepared"

    @when(works)
    def choose_to_abort(self):
        self.at = "aborted"

    def told(self, what):
        return not self.initiator and self.see(self.neighbours[0]).sent == what

    @when(lambda self: self.told("commit") and self.at != "committed")
    def receive_commit(self):
        self.at = "committed"

    @when(lambda self: self.told("abort") and self.at != "aborted")
    def receive_abort(self):
        self.at = "aborted"


@always("no process commits while another one aborts")
def consistent(c):
    return not {"committed", "aborted"} <= {p.at for p in c.processes}
'''


@pytest.mark.parametrize(("managers", "configurations"), [(3, 288), pytest.param(5, 8832, marks=pytest.mark.slow)])
def test_two_phase_commit_has_as_many_configurations_as_in_other_model_checkers(
    managers: int, configurations: int
) -> None:
    """288 and 8,832 distinct states are published for TwoPhase.tla in TLC and for the example ``2pc`` of Stateright."""
    result = Explorer(resolved(TWO_PHASE, f"star:{managers + 1}")).run()
    assert (result.complete, result.configurations) == (True, configurations)
    assert [(each.name, each.holds) for each in result.findings] == [
        ("no process commits while another one aborts", True)
    ]


def test_the_same_model_with_a_hasty_manager_is_refuted() -> None:
    hasty = TWO_PHASE.replace("len(self.heard) == len(self.neighbours)", "len(self.heard) >= 2")
    finding = Explorer(resolved(hasty, "star:4")).run().findings[0]
    assert finding.holds is False and finding.counterexample is not None and finding.counterexample.replayed
