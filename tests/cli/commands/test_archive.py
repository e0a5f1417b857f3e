"""``lydian archive``: families, the search, one protocol, and the same as JSON."""

from __future__ import annotations

import json

import pytest


def test_families_are_listed_in_order_with_a_sentence_each(lydian):
    said = lydian("archive").out
    titles = [
        "Waves and traversal (waves)",
        "Leader election (election)",
        "Mutual exclusion",
        "Networks",
        "Experiments",
    ]
    assert [said.index(title) for title in titles] == sorted(said.index(title) for title in titles)
    assert "  flooding          Flooding: A simple broadcast in which each process forwards the first copy" in said


def test_a_family_and_a_need(lydian):
    said = lydian("archive", "--family", "election", "--needs", "fifo")
    assert said.code == 0
    assert [line.split()[0] for line in said.out.splitlines()[2:]] == [
        "lelann",
        "dolev-klawe-rodeh",
        "peterson-election",
    ]
    assert lydian("archive", "family:election", "needs:fifo").out == said.out


def test_unknown_names_become_a_search(lydian):
    said = lydian("archive", "token", "ring")
    assert said.out.splitlines()[0].startswith("  mutex-ring ")
    assert "Token ring: Mutual exclusion by one token that goes round a ring" in said.out
    assert lydian("archive", "awerbuch").out.split()[0] == "dfs-awerbuch"


def test_one_protocol_with_experiments_and_guide_page(lydian):
    said = lydian("archive", "echo").out
    for words in ("Experiments (lydian run NAME)", "breaks: Process 9 crashes", "Reference: E. J. H. Chang",
                  "In the guide", "Two questions for the class", "1. Open echo-slow-link."):  # fmt: skip
        assert words in said
    assert "](lydian:" not in said and "**" not in said.partition("In the guide")[2]
    assert "In the guide" not in lydian("archive", "./mine.py").out


def test_json_output(lydian):
    found = json.loads(lydian("archive", "--family", "waves", "--json").out)
    assert [each["key"] for each in found["families"]] == ["waves"]
    echo = next(each for each in found["protocols"] if each["name"] == "echo")
    assert echo["needs"]["one initiator"] == "exactly one process starts"
    breaks = {each["name"]: each["breaks"] for each in echo["experiments"]}
    assert breaks["echo-crash"] and not breaks["two-wings"]
    one = json.loads(lydian("archive", "echo", "--json").out)
    assert one["reference"] == echo["reference"] and one["states"][0] == "sleeping"
    assert {"state": "sleeping", "event": "Broadcast", "action": "adopt", "next": ["waiting", "acked"]} in one["table"]
    assert {"kind": "always", "name": "parents form a forest"} in one["properties"]


def test_a_protocol_of_the_user_is_listed_separately(lydian, here, tmp_path):
    (tmp_path / "home" / "protocols").mkdir(parents=True)
    lydian("new", "protocol", tmp_path / "home" / "protocols" / "mine.py")
    assert "Yours (yours)\nProtocols in your own folder.\n  mine " in lydian("archive", "--family", "yours").out
    assert json.loads(lydian("archive", "mine", "--json").out)["yours"] is True


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--family", "wavs"], "unknown family 'wavs' (did you mean 'waves'?); choose from waves, election"),
        (["--needs", "fifoo"], "unknown assumption 'fifoo' (did you mean 'fifo'?)"),
        (["ecko"], "unknown protocol 'ecko' in the archive (did you mean 'echo'?)"),
        (["zebra", "unicorn"], "no protocol in the archive matches the word zebra, the word unicorn"),
        (["--family", "waves", "--needs", "fifo"], "no protocol in the archive matches family waves, needs fifo; use"),
        (["./a.py", "tree"], "PROTOCOL: './a.py' is a file; a file must be the only argument"),
        (["echo", "--needs", "fifo"], "--family and --needs are for searching"),
    ],
)
def test_an_unknown_name_is_an_error(lydian, words, sentence):
    said = lydian("archive", *words)
    assert said.code == 2 and said.out == ""
    assert sentence in said.err and said.err.count("\n") == 1
