"""Mutual exclusion in every schedule of tiny networks: the properties hold, and planted bugs are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.explorer.search import Explorer
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.network import Network

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)

#: protocol, network, initiators (all if empty), entries -> smallest and largest number of messages.
EXPLORED = {
    ("ricart-agrawala", "complete:2", "", 2): (8, 8),
    ("ricart-agrawala", "complete:3", "", 1): (12, 12),
    ("ricart-agrawala", "line:3", "", 1): (8, 8),
    ("ricart-agrawala-echo", "line:3", "", 1): (12, 12),
    ("ricart-agrawala-echo", "complete:3", "01", 1): (16, 16),
    ("lamport-mutex", "complete:2", "", 2): (12, 12),
    ("suzuki-kasami", "complete:2", "", 2): (2, 8),
    ("suzuki-kasami", "complete:3", "", 1): (6, 9),
    ("carvalho-roucairol", "complete:2", "", 2): (2, 8),
    ("carvalho-roucairol", "line:3", "", 1): (4, 8),
    ("naimi-trehel", "complete:2", "", 2): (2, 8),
    ("naimi-trehel", "complete:3", "", 1): (5, 7),
    ("raymond", "line:3", "1", 1): (8, 10),
    ("raymond", "star:4", "1", 1): (11, 17),
    ("maekawa", "complete:2", "", 2): (12, 15),
    ("maekawa", "complete:3", "", 1): (12, 15),
    ("maekawa", "complete:4", "12", 1): (12, 16),
    ("chandy-misra", "complete:2", "", 2): (2, 8),
    ("chandy-misra", "complete:3", "", 1): (6, 12),
    ("chandy-misra", "line:3", "", 2): (4, 16),
}


def tiny(spec: str, starts: str, protocol: str) -> Network:
    network = from_spec(spec)
    loose = protocol in (
        "ricart-agrawala", "ricart-agrawala-echo", "suzuki-kasami", "carvalho-roucairol", "naimi-trehel",
    )  # fmt: skip
    return network.replace(initiators=tuple(starts) or network.processes, order="unordered" if loose else "fifo")


@pytest.mark.parametrize("case", EXPLORED, ids=lambda case: "-".join(map(str, case)))
def test_properties_hold_in_every_schedule(case: tuple[str, str, str, int]) -> None:
    protocol, spec, starts, often = case
    parameters = {"think": 0.0, "use": 0.0, "entries": often}
    network = tiny(spec, starts, protocol)
    result = Explorer(Experiment("t", protocol=protocol, network=network, parameters=parameters)).run()
    assert result.complete
    assert [each for each in result.findings if each.holds is not True] == []
    assert result.messages == EXPLORED[case]


# ---------------------------------------------------------------------- planted bugs

PAIR, TRIO, LINE, LINE_ALL = ("complete:2", ""), ("complete:3", ""), ("line:3", "1"), ("line:3", "")
#: Description: protocol, the original text, its replacement, network and initiators, entries.
BUGS: dict[str, tuple[str, str, str, tuple[str, str], int]] = {
    "the clock does not move on a request": (
        "ricart-agrawala", "        self.time = max(self.time, m.ts[0]) + 1\n", "", PAIR, 1,
    ),
    "equal clocks put each other off": (
        "ricart-agrawala", "(a[0], natural(a[1])) < (b[0], natural(b[1]))", "a[0] <= b[0]", PAIR, 1,
    ),
    "the clock itself is compared, not the request": (
        "ricart-agrawala", "older(self.ts, ts)", "older((self.time, self.me), ts)", PAIR, 1,
    ),
    "who is inside answers at once": ("ricart-agrawala", "self.state == HELD or ", "", PAIR, 1),
    "it forgets those whom it let wait": (
        "ricart-agrawala", "        self.tell(Reply(), self.deferred)\n", "", PAIR, 1,
    ),
    "it lets all waves pass": ("ricart-agrawala-echo", "elif not self.mine_first(ts):", "else:", LINE_ALL, 1),
    "it acknowledges before those behind it": (
        "ricart-agrawala-echo", "self.open_wave(m.ts, [r for r in self.neighbours if r != q])",
        "self.open_wave(m.ts, [])", LINE_ALL, 1,
    ),
    "it forgets to look at the waves it held back": (
        "ricart-agrawala-echo", "        self.ts = None\n        self.look_at_all_waves()\n",
        "        self.ts = None\n", LINE_ALL, 1,
    ),
    "a permission that is given away is kept": ("carvalho-roucairol", "            self.pending.add(q)\n", "", PAIR, 2),
    "deferred permissions are kept": (
        "carvalho-roucairol", "        self.pending |= set(self.deferred)\n", "", PAIR, 2,
    ),
    "it does not ask again": (
        "carvalho-roucairol", "                self.tell(Request(self.ts), [q])\n", "                pass\n", TRIO, 2,
    ),
    "a pointer is not turned": ("naimi-trehel", "        self.last = m.i\n", "", TRIO, 1),
    "the token is sent by a process that wants it": (
        "naimi-trehel", "elif self.state == RELEASED:", "elif self.state != HELD:", TRIO, 1,
    ),
    "the next process is forgotten": ("naimi-trehel", "            self.next = m.i\n", "            pass\n", TRIO, 1),
    "it does not wait to hear from all": ("lamport-mutex", " and not self.pending:", ":", PAIR, 1),
    "it does not look at the queue": ("lamport-mutex", "if not any(", "if True or not any(", PAIR, 1),
    "it does not take its request back": (
        "lamport-mutex", "        self.tell(Release(self.time), self.neighbours)\n", "", PAIR, 2,
    ),
    "old requests count": ("suzuki-kasami", "== self.ln.get(q, 0) + 1", ">= self.ln.get(q, 0)", PAIR, 1),
    "the token is copied": (
        "suzuki-kasami", "        self.token, self.ln, self.queue = False, {}, []\n", "", PAIR, 1,
    ),
    "it does not mark itself as served": (
        "suzuki-kasami", "        self.ln[self.me] = self.rn.get(self.me, 0)\n", "", PAIR, 2,
    ),
    "it asks for itself only": (
        "raymond", "if self.holder != self.me and self.queue", "if self.holder != self.me and self.me in self.queue",
        LINE, 1,
    ),
    "it sends the token out of the critical section": ("raymond", " and self.state != HELD and", " and", LINE, 1),
    "it forgets where the token went": ("raymond", "                self.holder = first\n", "", LINE, 1),
    "a permission is given twice": ("maekawa", "        if self.given is None:\n", "        if True:\n", PAIR, 1),
    "nobody yields": ("maekawa", "            if self.failed:\n", "            if False:\n", ("complete:4", "12"), 1),
    "a clean fork is given away": ("chandy-misra", " & self.dirty and", " and", TRIO, 1),
    "it gives forks away while it eats": ("chandy-misra", " and self.state != EATING:", ":", PAIR, 2),
    "used forks stay clean": (
        "chandy-misra", "        self.dirty = set(self.forks)\n        self.set_timer", "        self.set_timer",
        PAIR, 2,
    ),
    "the forks lie in a circle": (
        "chandy-misra", "if natural(self.me) < natural(q)}",
        "if (natural(q) > natural(self.me)) == ({self.me, q} != {'0', '2'})}", TRIO, 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found_by_searching_all_schedules(bug: str, tmp_path: Path) -> None:
    name, right, wrong, (spec, starts), often = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    parameters = {"think": 0.0, "use": 0.0, "entries": often}
    network = tiny(spec, starts, name)
    experiment = Experiment("t", protocol=str(path), network=network, parameters=parameters)
    result = Explorer(experiment, states=20_000).run()
    assert False in [each.holds for each in result.findings]
