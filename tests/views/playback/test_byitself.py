"""Commands and crashes at random times, in words and as lines of a form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.experiment.traffic import Churn, Traffic
from lydian.model.generators import from_spec
from lydian.model.source.outline import outline
from lydian.views.playback.byitself import (
    BACK,
    about,
    brief,
    card_text,
    entries,
    first_churn,
    first_traffic,
    read,
    texts,
)

SOURCE = '''"""A paper."""
from lydian import Command, Process, on, states

(READING,) = states("reading")

class Publish(Command):
    """Say something to the readers of a topic."""
    topic: str
    size: int = 3

class Count(Command):
    top: float
    many: set[int]

class Paper(Process):
    state = READING

    @on(READING, (Publish, Count))
    def seen(self, c):
        pass
'''
COMMANDS = outline(SOURCE).commands
TEN = parse("exponential(mean=10)")


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (Traffic("Publish", TEN, until=200.0), "about 20 Publish commands until 200"),
        (Traffic("Publish", TEN, begin=5.0, until=2005.0, count=30), "30 Publish commands from 5 until 2005"),
        (Traffic("Publish", TEN, until=200.0, count=20), "at most 20 Publish commands until 200"),
        (Traffic("Publish", TEN, until=200.0, count=70), "about 20 Publish commands until 200"),
        (Traffic("Publish", TEN, count=1), "1 Publish command"),
        (Traffic("Publish", TEN, until=3.0), "at most one Publish command until 3"),
        (Traffic("Publish", parse("constant(10)"), until=200.0), "19 Publish commands until 200"),
        (Traffic("Publish", TEN, "each", until=200.0), "about 20 Publish commands for each of 5 processes until 200"),
        (Traffic("Publish", TEN, ("0", "3"), until=200.0), "about 20 Publish commands to 0 and 3 until 200"),
        (Traffic("Publish", TEN, until=12.0), "about 1 Publish command until 12"),
        (Churn(TEN, TEN, until=200.0), "all 5 processes crash and recover until 200"),
        (Churn(TEN, None), "all 5 processes crash for good"),
        (Churn(TEN, None, ("0", "1", "2", "3"), 5.0), "4 processes crash for good from 5 on"),
        (Churn(TEN, TEN, ("3", "4"), 5.0, 9.0), "3 and 4 crash and recover from 5 until 9"),
        (Churn(TEN, TEN, ("3",), until=200.0), "3 crashes and recovers until 200"),
        (Churn(TEN, None, ("3", "4")), "3 and 4 crash for good"),
        (Churn(TEN, None, ("3",), 5.0), "3 crashes for good from 5 on"),
        (Churn(TEN, None, ("3",), until=9.0), "3 crashes for good before 9"),
        (Churn(TEN, TEN, ("0", "1", "2", "3"), until=9.0), "4 processes crash and recover until 9"),
    ],
)
def test_description_of_an_entry(one: Traffic | Churn, words: str) -> None:
    assert brief(one, 5) == words
    assert about(one, 5).startswith(words[:1].upper() + words[1:] + ". ") and about(one, 5).endswith(".")


@pytest.mark.parametrize("law", ["exponential(mean=2)", "constant(2)", "uniform(1, 3)"])
@pytest.mark.parametrize("processes", ["any", "each", ("1", "2")])
def test_the_number_of_arrivals_matches_the_description(law: str, processes: str | tuple[str, ...]) -> None:
    traffic = Traffic("Want", parse(law), processes, until=4000.0)
    network, told = from_spec("complete:4"), []
    for seed in range(3):
        experiment = Experiment("t", protocol="lamport-mutex", network=network.replace(order="fifo"), seed=seed,
                                traffic=(traffic,))  # fmt: skip
        told.append(len(experiment.resolve().drawn) // (4 if processes == "each" else 1))
    said = int(brief(traffic, 4).removeprefix("about ").split()[0].replace(",", ""))
    assert all(abs(count - said) <= (0 if law.startswith("constant") else 0.08 * said) for count in told), (told, said)


def test_a_crash_after_another_is_counted() -> None:
    churn = Churn(TEN, parse("constant(10)"), until=2000.0)
    assert "That is about 100 times each." in about(churn)
    found = churn.interventions(from_spec("complete:4"), 1)
    assert sum(each.do == "crash" for each in found) / 4 == pytest.approx(100, rel=0.15)
    assert "times" not in about(Churn(TEN, None))
    assert "with its variables kept" in about(Churn(TEN, TEN, until=99, keep=True))


def test_the_card_names_the_first_and_counts_the_others() -> None:
    one, other = Traffic("Publish", TEN, until=200.0), Churn(TEN, None, ("3",))
    both = card_text((one, other), ["Publish"], 5)
    assert both == ("About 20 Publish", "until 200; 3 crashes for good")
    assert card_text((Traffic("Publish", TEN, "each", count=7),), ["Publish"], 5) == (
        "7 Publish", "for each of 5 processes",
    )  # fmt: skip
    assert card_text((Traffic("Publish", TEN, count=7),), ["Publish"]) == ("7 Publish", "click to change")
    assert card_text((Churn(TEN, TEN, until=9.0),), [], 5) == ("All 5 processes crash and recover", "until 9")
    assert card_text((), ["Publish", "Count"]) == ("None", "Publish and Count, or crashes: click to add")
    assert card_text((), []) == ("None", "processes that crash and recover: click to add")


def test_words_for_one_process_and_for_an_unknown_number() -> None:
    each = Traffic("Publish", TEN, "each", until=200.0)
    assert brief(each) == "about 20 Publish commands for each process until 200"
    assert brief(each, 1) == "about 20 Publish commands for the only process until 200"
    assert brief(Churn(TEN, TEN, until=9.0)) == "all processes crash and recover until 9"
    assert brief(Churn(TEN, None), 1) == "the only process crashes for good"


def test_examples_of_random_values_are_shown_once() -> None:
    values = texts(entries(first_traffic(COMMANDS, None), COMMANDS)) | {"field:topic": "zipf(0)"}
    with pytest.raises(BadInput) as caught:
        read(values, COMMANDS)
    assert caught.value.what.count("zipf(20, 1.0)") == 1


laws = st.sampled_from(["constant(2)", "exponential(mean=10)", "uniform(1, 3)", "pareto(mean=3, a=2.5)"]).map(parse)
times = st.integers(1, 900).map(float)
whom = st.lists(st.sampled_from("01234"), min_size=1, unique=True).map(tuple)
traffics = st.builds(
    lambda law, who, begin, span, count, topic, size: Traffic(
        "Publish", law, who, begin, begin + span, count, {"topic": topic, "size": size}
    ),
    laws, st.sampled_from(["any", "each"]) | whom, times, times, st.none() | st.integers(1, 99),
    st.sampled_from(["news", "number", "zipf(20, 1.0)", "=number", "choice(a, b)", "process"]),
    st.integers(0, 9) | st.just("uniform(1, 6)"),
)  # fmt: skip
churns = st.builds(
    lambda law, away, who, begin, span, keep: Churn(law, away, who, begin, begin + span, keep),
    laws, st.none() | laws, st.just("all") | whom, times, times, st.booleans(),
)  # fmt: skip


@given(traffics | churns)
def test_the_lines_of_a_form_describe_a_whole_entry(one: Traffic | Churn) -> None:
    assert read(texts(entries(one, COMMANDS)), COMMANDS, "01234") == one


def test_default_entries_are_valid() -> None:
    for command in COMMANDS:
        found = first_traffic([command], None)
        assert found.until == 200.0 and read(texts(entries(found, COMMANDS)), COMMANDS).label == command.name
    assert first_traffic(COMMANDS, 60.0).fields == {"topic": "number"}
    assert first_churn(60.0).until == 60.0


def test_a_form_shows_the_choices_and_the_meaning_of_an_empty_line() -> None:
    lines = {line.key: line for line in entries(first_traffic(COMMANDS, None), COMMANDS)}
    assert lines["label"].choices == ("Publish", "Count") and lines["label"].about.startswith("Say something")
    assert (lines["field:size"].value, lines["field:size"].about) == ("", "3")
    assert lines["field:topic"].about == "is required"
    gone = {line.key: line for line in entries(Traffic("Gone", TEN, count=3, fields={"x": 1}), COMMANDS)}
    assert gone["label"].choices == ("Gone", "Publish", "Count") and gone["field:x"].value == "1"
    assert {line.key: line for line in entries(first_churn(None), ())}["keep"].choices == BACK


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"arrivals": "expnential(10)"}, "arrivals", "exponential"),
        ({"arrivals": ""}, "arrivals", "exponential(mean=10)"),
        ({"until": "soon"}, "until", "must be a number such as 200, not 'soon'"),
        ({"from": "300"}, "until", "must be later than the beginning"),
        ({"until": "inf"}, "until", "must be a number"),
        ({"until": ""}, None, "the end is missing"),
        ({"count": "2.5"}, "count", "must be a whole number such as 50"),
        ({"count": "0"}, "count", "must be at least 1"),
        ({"processes": "0, 33"}, "processes", "there is no process '33'"),
        ({"field:topic": ""}, "field:topic", "is required: a text, or zipf"),
        ({"field:topic": "zipf(0)"}, "field:topic", "values cannot be chosen at random"),
        (
            {"field:size": "many"},
            "field:size",
            "must be a whole number such as 3, not 'many'; for a random value, write zipf",
        ),
    ],
)
def test_errors_are_shown_at_their_line(changes: dict[str, str], place: str | None, words: str) -> None:
    values = texts(entries(first_traffic(COMMANDS, None), COMMANDS)) | changes
    with pytest.raises(BadInput) as caught:
        read(values, COMMANDS, "0123")
    assert ((caught.value.place or None), words in caught.value.what) == (place, True), caught.value
