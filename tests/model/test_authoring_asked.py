"""Mistakes in properties and names are marked at their place, with a suggestion."""

from __future__ import annotations

import pytest

from lydian.engine.state.configuration import Configuration, Transit
from lydian.model.errors import ProtocolError, did_you_mean
from lydian.model.protocol.protocol import protocol_from_source
from lydian.model.source.asked import _TRANSIT
from lydian.model.source.problems import problems
from lydian.model.source.symbols import CONFIGURATION
from lydian.model.source.text import apply_fix

SOURCE = """from lydian import INIT, Message, Process, always, on, states

IDLE, DONE = states("idle", "done")


class News(Message):
    value: int = 0


class Maximum(Process):
    state = IDLE
    best: int = 0

    @on(IDLE, INIT)
    def start(self):
        self.state = DONE

    @on((IDLE, DONE), News)
    def hear(self, m, q):
        reply = m.value
        self.best = reply


@always("the best is small")
def small(c):
    return all(p.best < 10 for p in c.processes)
"""


@pytest.mark.parametrize(
    ("old", "new", "marked", "sentence", "right"),
    [
        ("p.best", "p.bset", "p.bset", "Maximum has no variable 'bset' (did you mean 'best'?)", "p.best"),
        ("p.best", "p.zzz", "p.zzz", "Maximum has no variable 'zzz'; declare it in the class: zzz: int = 0", None),
        ("p.best < 10 for p in c.processes", "c.processes[0].bset for p in ()", "c.processes[0].bset",
         "Maximum has no variable 'bset' (did you mean 'best'?)", "c.processes[0].best"),
        ("p.best < 10 for p in c.processes", "p.bset for p in sorted(c.correct)", "p.bset",
         "Maximum has no variable 'bset' (did you mean 'best'?)", "p.best"),
        ("c.processes", "c.proceses", "c.proceses",
         "a configuration has no 'proceses' (did you mean 'processes'?); it has " + ", ".join(CONFIGURATION),
         "c.processes"),
        ("p.best", "best", "best", "'best' is not known here; it is a variable of each process: write p.best",
         "p.best"),
        ("self.best = reply", "self.best = rep1", "rep1", "'rep1' is not known here (did you mean 'reply'?)", "reply"),
        ("self.best = reply", "send(News(), to=q)", "send", "'send' is not known here; write self.send", "self.send"),
        ("self.best = reply", "sned(News(), to=q)", "sned", "'sned' is not known here (did you mean 'self.send'?)",
         "self.send"),
        ("self.best = reply", "self.best = besst", "besst", "'besst' is not known here (did you mean 'self.best'?)",
         "self.best"),
        ("self.best = reply", "self.best = value", "value", "'value' is not known here; write m.value", "m.value"),
        ("self.best = reply", "self.best = self.value", "self.value", "Maximum has no variable 'value'; write m.value",
         "m.value"),
        ("self.best = reply", "self.best = self.time", "self.time", "Maximum has no variable 'time'; it is self.clock",
         "self.clock"),
        ("self.best = reply", "self.best = Maximum.best", "Maximum.best",
         "Maximum.best is not a value; each process has its own 'best', so write self.best", "self.best"),
        ("p.best", "Maximum.best", "Maximum.best",
         "Maximum.best is not a value; each process has its own 'best', so write p.best", "p.best"),
        ("self.best = reply", "self.best = lenn(q)", "lenn", "'lenn' is not known here (did you mean 'len'?)", "len"),
    ],
)  # fmt: skip
def test_an_unknown_name_is_marked_with_a_suggestion(
    old: str, new: str, marked: str, sentence: str, right: str | None
) -> None:
    source = SOURCE.replace(old, new)
    (found,) = problems(source)
    line = source.splitlines()[found.line - 1]
    assert (line[found.column : found.end_column], found.kind, found.sentence) == (marked, "error", sentence)
    assert found.fix is not None
    mended = apply_fix(source, found.fix)
    assert problems(mended) == ()
    wanted = "    best: int = 0\n    zzz: int = 0\n" if right is None else new.replace(marked, right)
    assert wanted in mended and len(mended) - len(source) == (17 if right is None else len(right) - len(marked))


def test_a_missing_self_is_reported_once() -> None:
    source = SOURCE.replace("def hear(self, m, q)", "def hear(m, q)")
    (found,) = problems(source)
    assert found.sentence == "the first parameter of 'hear' must be self: def hear(self, m, q)"
    assert found.fix is not None and apply_fix(source, found.fix) == SOURCE
    with pytest.raises(ProtocolError, match=r"line 19: the first parameter of 'hear' must be self"):
        protocol_from_source(source)


def test_a_process_has_no_access_to_the_network() -> None:
    (found,) = problems(SOURCE.replace("self.best = reply", "self.best = self.network.n"))
    assert found.sentence.startswith("self.network is for properties, as c.network; a process knows only itself")


@pytest.mark.parametrize(
    "judging",
    [
        "p = c.network\n    return p.anything",
        "c = [1]\n    return c.anything",
        "return all(p.anything for p in zip(c.processes))",
        "return [m.message.value for m in c.in_transit]",
        "return sum(c.decided[p] + p.best for p in c.decided) + len(c.delivered)",
        "return any((lambda p: p.anything)(q) for q in ())",
    ],
)
def test_uncertain_names_are_not_marked(judging: str) -> None:
    assert problems(SOURCE.replace("return all(p.best < 10 for p in c.processes)", judging)) == ()


HOPS = SOURCE.replace("value: int = 0", "value: int = 0\n    hops: int = 0").replace(
    "all(p.best < 10 for p in c.processes)", "X"
)
PLAIN = "a message in transit has no '{}' itself; write {}"


@pytest.mark.parametrize(
    ("judging", "marked", "sentence", "right"),
    [
        ("all(m.hops < 3 for m in c.in_transit)", "m.hops", PLAIN.format("hops", "m.message.hops"), "m.message.hops"),
        ("all(m.hop < 3 for m in c.in_transit)", "m.hop", PLAIN.format("hop", "m.message.hops"), "m.message.hops"),
        ("all(m.sendr.best for m in c.in_transit)", "m.sendr", PLAIN.format("sendr", "m.sender"), "m.sender"),
        ("c.in_transit[0].hops", "c.in_transit[0].hops", PLAIN.format("hops", "c.in_transit[0].message.hops"),
         "c.in_transit[0].message.hops"),
        ("all(m.message.hop < 3 for m in c.in_transit)", "m.message.hop",
         "no message has a field 'hop' (did you mean 'hops'?)", "m.message.hops"),
        ("all(m.sender.bset for m in sorted(c.in_transit))", "m.sender.bset",
         "Maximum has no variable 'bset' (did you mean 'best'?)", "m.sender.best"),
        ("[m.hops for m in [each for each in c.in_transit]]", "m.hops", PLAIN.format("hops", "m.message.hops"),
         "m.message.hops"),
        ("all(low(p) for p in c.processes)\n\n\ndef low(p):\n    return p.bset < 10", "p.bset",
         "Maximum has no variable 'bset' (did you mean 'best'?)", "p.best"),
        ("low(c)\n\n\ndef low(c):\n    return lower(c.in_transit[0])\n\n\ndef lower(m):\n    return m.hops", "m.hops",
         PLAIN.format("hops", "m.message.hops"), "m.message.hops"),
    ],
)  # fmt: skip
def test_messages_in_transit_and_functions_called_by_properties_are_checked(
    judging: str, marked: str, sentence: str, right: str
) -> None:
    source = HOPS.replace("return X", f"return {judging}")
    (found,) = problems(source)
    line = source.splitlines()[found.line - 1]
    assert (line[found.column : found.end_column], found.kind, found.sentence) == (marked, "error", sentence)
    assert found.fix is not None
    mended = apply_fix(source, found.fix)
    assert right in mended and problems(mended) == ()


def test_a_function_with_arguments_of_several_types_is_not_marked() -> None:
    judging = "low(c.processes[0]) or low(c.in_transit)\n\n\ndef low(x):\n    return x.anything"
    assert problems(HOPS.replace("return X", f"return {judging}")) == ()


def test_completion_for_a_message_in_transit_matches_its_attributes() -> None:
    assert set(_TRANSIT) == set(Transit.__dataclass_fields__)


def test_completion_for_a_configuration_matches_its_attributes() -> None:
    inside = {"attach", "heeds", "observed_by"}
    given = {name for name in dir(Configuration) if not name.startswith("_")} | {"processes", "network"}
    assert set(CONFIGURATION) == given - inside


def test_a_word_is_never_suggested_to_replace_itself() -> None:
    assert did_you_mean("v", ["v"]) == ""
    assert did_you_mean(3, ["3"]) == " (did you mean '3'?)"
