"""Sentences in another language: the order of their parts, and the word of a state in place of its predicate."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.language import ENGLISH, use
from lydian.model.archive.archive import Archive
from lydian.pieces.animation import animation_for
from lydian.trace.timeline import Timeline
from lydian.views.words.phrases import clauses, joined, listed, lowered, quotation, stopped
from lydian.views.words.sentence import explain, sentence
from lydian.views.words.waits import named
from lydian.views.words.words import forms, plural

GERMAN = {
    "Process {process}": "Prozess {process}",
    "{process} receives {message} from {sender}": "{process} empfängt von {sender} {message}",
    "{process} sends {message} to {receiver}": "{process} sendet {message} an {receiver}",
    "{sentence}, because {reason}": "Weil {reason}: {sentence}",
    "{sentence} while it {predicate}": "{sentence} (Zustand: {state})",
    "{sentence} and {becomes}": "{sentence}; neuer Zustand: {state}",
    "at time {time} it receives {message} from {sender}": "er um {time} {message} von {sender} empfängt",
    "{first} and {last}": "{first} und {last}",
    "“{text}”": "„{text}“",
    "{first} to {last}": "{first} bis {last}",
}
NUMBERS = {"{count:,} message": ("{count:,} Nachricht", "{count:,} Nachrichten")}


class Some(NullTranslations):
    def gettext(self, message: str) -> str:
        return GERMAN.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return NUMBERS.get(one, (one, many))[n != 1]

    def pgettext(self, context: str, message: str) -> str:
        return GERMAN.get(message, message)


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    use(Some(), "de")
    yield
    use(None, ENGLISH)


@pytest.fixture(scope="module")
def run() -> Timeline:
    archive = Archive(None, Path(__file__).resolve().parents[3])
    return Timeline(Simulator(archive.experiment("two-wings").resolve(archive)).run().trace)


def test_the_word_of_a_state_can_replace_its_predicate(run: Timeline) -> None:
    first = next(seq for seq in range(run.length) if run.trace.event(seq).kind == "receive")
    told = sentence(run, first, animation_for(run.trace))
    process, event = run.trace.event(first).process, run.trace.event(first)
    assert told.startswith(f"Prozess {process} empfängt von {event.peer} Broadcast(payload=news); neuer Zustand: ")


def test_a_clause_can_precede_its_sentence(run: Timeline) -> None:
    effect = next(seq for seq in range(1, run.length) if run.trace.event(seq).kind == "send" and run.cause[seq] > 0)
    told = explain(run, effect, animation_for(run.trace))
    assert told.startswith("Weil er um ")
    assert "empfängt (Zustand: " in told
    assert f": Prozess {run.trace.event(effect).process} sendet " in told


def test_rich_text_keeps_the_new_state_in_bold(run: Timeline) -> None:
    moved = next(seq for seq in range(run.length) if run.trace.event(seq).kind == "receive")
    assert "; neuer Zustand: <b>" in sentence(run, moved, animation_for(run.trace), rich=True)


def test_numbers_of_things_have_the_forms_of_the_language() -> None:
    assert [plural(n, "message") for n in (0, 1, 1234)] == ["0 Nachrichten", "1 Nachricht", "1\u202f234 Nachrichten"]
    assert forms("process") == ("{count:,} process", "{count:,} processes")
    assert forms("entry", "entries") == ("{count:,} entry", "{count:,} entries")


def test_lists_use_the_words_of_the_language() -> None:
    assert [joined(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a und b", "a, b und c"]
    assert listed(["sendet a an 1 und 2", "liefert b"]) == "sendet a an 1 und 2, and liefert b"
    assert named(["0", "1", "2", "3", "5"], ["0", "1", "2", "5"]) == "0 bis 2 und 5"
    assert clauses("a", "", "b") == "a; b"


def test_a_sentence_that_ends_inside_a_quotation_gets_no_second_full_stop() -> None:
    assert [stopped(each) for each in ("a", "a.", quotation("a."), quotation("a"))] == ["a.", "a.", "„a.“", "„a“."]


def test_a_sentence_within_a_sentence_keeps_the_capital_of_its_noun(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lowered("Le processus 3 commence.") == "le processus 3 commence."
    monkeypatch.setitem(GERMAN, "small", "capital")
    assert lowered("Prozess 3 beginnt.") == "Prozess 3 beginnt."
