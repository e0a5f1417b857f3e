"""The catalogue: data about each protocol without running it, its family, and the search."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.archive.archive import Archive
from lydian.model.archive.catalogue import Catalogue, Entry, Reader
from lydian.model.archive.families import MINE, OTHERS, Family, families_of
from lydian.model.archive.search import Wanted, family_called, need_called, question, search
from lydian.model.errors import BadInput

ROOT = Path(__file__).resolve().parents[3]
OURS = Archive(None, ROOT)


@pytest.fixture(scope="module")
def ours() -> Catalogue:
    return Reader(OURS).read()


@pytest.fixture
def shelves(tmp_path: Path) -> Archive:
    """Create a small archive with a family, an experiment that breaks an assumption, a page and a lesson; and a user's
    folder.
    """
    for folder in ("ours/protocols", "ours/resources/experiments", "ours/resources/guide/archive",
                   "ours/resources/lessons", "user/protocols"):  # fmt: skip
        (tmp_path / folder).mkdir(parents=True)
    ours = tmp_path / "ours"
    for name, needs in (("wave", "connected"), ("back", "connected, fifo"), ("lone", "fifo")):
        (ours / "protocols" / f"{name}.py").write_text(
            f'"""{name.title()}: it goes.\n\nComplexity: 2m messages.\n\nReference: A. Nobody (1999).\n"""\n'
            f"from lydian import Process, {needs}\nclass P(Process):\n    needs = {needs},\n    messages = '2*m'\n",
            encoding="utf-8",
        )
    (ours / "resources" / "families.toml").write_text(
        '[[family]]\nkey = "waves"\ntitle = "Waves and more"\nprotocols = ["not-there", "wave", "back"]\n'
        '[[family]]\nkey = "later"\ntitle = "Not yet"\nprotocols = ["nothing"]\n', encoding="utf-8",
    )  # fmt: skip
    experiments = ours / "resources" / "experiments"
    fault = '[[faults]]\ntime = 1.0\ndo = "crash"\nprocess = "0"\n'
    for name, protocol, more in (
        ("a-lost", "wave", fault), ("b-plain", "wave", ""), ("c-told", "wave", fault), ("d-tired", "back", fault),
    ):  # fmt: skip
        (experiments / f"{name}.toml").write_text(
            f'about = "About {name}."\nprotocol = "{protocol}"\nnetwork = "ring:5"\n{more}', encoding="utf-8"
        )
    (experiments / "broken.toml").write_text("protocol = [", encoding="utf-8")
    (ours / "resources" / "guide" / "archive" / "wave.md").write_text(
        "# Wave\n\n**The idea.** Zebra. [c-told](lydian:run/c-told) and [b-plain](lydian:run/b-plain).\n\n"
        "**Where it fails.** [a-lost](lydian:run/a-lost).\n", encoding="utf-8",
    )  # fmt: skip
    (ours / "resources" / "lessons" / "back.md").write_text("# Back", encoding="utf-8")
    return Archive(tmp_path / "user", ours)


# ---------------------------------------------------------------------- the included archive


def test_every_protocol_of_the_archive_is_in_a_family(ours: Catalogue) -> None:
    assert [entry.name for entry in ours.entries if entry.family == OTHERS] == [], "add them to families.toml"
    names = [name for family in families_of(OURS) for name in family.protocols]
    assert sorted(names) == sorted(set(names))


def test_every_protocol_has_the_data_its_page_shows(ours: Catalogue) -> None:
    poor = [e.name for e in ours.entries if e.problem or not (e.title and e.about and e.needs and e.reference)]
    assert poor == []
    without = [e.name for e in ours.entries if not e.formula and not e.complexity]
    assert without == []
    echo = ours.entry("echo")
    assert echo is not None and echo.first is not None and echo.first.name == "two-wings"
    assert echo.complexity.startswith("4m - 2n + 2 messages") and "Chang" in echo.reference
    broken = [each.name for each in echo.experiments if each.broken]
    assert broken[:3] == ["echo-crash", "echo-lost-ack", "echo-corrupt-parent"]


def test_data_read_without_running_match_the_protocols(ours: Catalogue) -> None:
    for name in ("echo", "raymond", "chang-roberts", "safra"):
        entry, protocol = ours.entry(name), OURS.protocol(name)
        assert entry is not None
        assert list(entry.needs) == [need.name for need in protocol.needs]
        assert entry.formula == protocol.formula.text
        assert entry.doc == protocol.doc


def test_data_read_from_a_protocol_are_cached(ours: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(OURS)
    assert len(reader.read().entries) == len(ours.entries)
    monkeypatch.setattr("lydian.model.archive.catalogue.outline", lambda source: pytest.fail("read again"))
    assert len(reader.read().entries) == len(ours.entries)


# ---------------------------------------------------------------------- reading


def test_families_experiments_pages_and_lessons(shelves: Archive) -> None:
    found = Reader(shelves).read()
    assert [(each.name, each.family) for each in found.entries] == [
        ("wave", "waves"), ("back", "waves"), ("lone", OTHERS),
    ]  # fmt: skip
    assert [family.key for family in found.families] == ["waves", OTHERS]  # a family without protocols is omitted
    wave, back, lone = found.entries
    # in the order of the page; where the page mentions an experiment, the page decides whether it breaks an assumption
    assert [(each.name, each.broken) for each in wave.experiments] == [
        ("c-told", False), ("b-plain", False), ("a-lost", True),
    ]  # fmt: skip
    assert [(each.name, each.broken) for each in back.experiments] == [("d-tired", True)]
    assert back.first is None and lone.experiments == ()
    assert (wave.guide is not None, wave.lesson, back.guide) == (True, None, None)
    assert back.lesson is not None and back.lesson.name == "back.md"
    assert (wave.complexity, wave.reference) == ("2m messages.", "A. Nobody (1999).")
    assert found.needs == {"connected": 2, "fifo": 2}


def test_unreadable_entries_are_listed_with_their_errors(shelves: Archive) -> None:
    mine = shelves.user / "protocols"
    (mine / "slip.py").write_text('"""Slip: oh.\n"""\nclass Slip(Process)\n', encoding="utf-8")
    (mine / "none.py").write_text("x = 1\n", encoding="utf-8")
    (mine / "dark.py").write_bytes(b"\xff\xfe\x00")
    found = {entry.name: entry for entry in Reader(shelves).read().of(MINE)}
    assert set(found) == {"slip", "none", "dark"} and all(entry.mine for entry in found.values())
    assert re.match(r"slip\.py, line 3: .*':'", found["slip"].problem) and found["slip"].about == "Oh"
    assert "class None(Process)" in found["none"].problem
    assert "dark.py" in found["dark"].problem


def test_unchanged_files_are_not_read_again(shelves: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    from lydian.model.archive import catalogue

    reader, reads = Reader(shelves), []
    first = reader.read()
    outline = catalogue.outline
    monkeypatch.setattr(catalogue, "outline", lambda text: reads.append(text) or outline(text))
    assert reader.read() == first and reads == []
    path = shelves.ours / "protocols" / "lone.py"
    path.write_text(path.read_text(encoding="utf-8").replace("it goes", "it stays where it is"), encoding="utf-8")
    lone = reader.read().entry("lone")
    assert lone is not None and lone.about == "It stays where it is" and len(reads) == 1


@pytest.mark.parametrize("text", ["", "family = 3", "[[family]]\nprotocols = 7", "[[", '[[family]]\nkey = "yours"'])
def test_a_strange_file_of_families_is_harmless(shelves: Archive, text: str) -> None:
    (shelves.ours / "resources" / "families.toml").write_text(text, encoding="utf-8")
    assert {entry.family for entry in Reader(shelves).read().entries} == {OTHERS}


def test_the_users_families_precede_ours(shelves: Archive) -> None:
    (shelves.user / "families.toml").write_text(
        '[[family]]\nkey = "best"\ntitle = "The best"\nprotocols = ["lone"]\n', encoding="utf-8"
    )
    found = Reader(shelves).read()
    assert [entry.name for entry in found.of("best")] == ["lone"]
    assert {entry.name for entry in found.of(OTHERS)} == {"wave", "back"}


# ---------------------------------------------------------------------- searching


def names(catalogue: Catalogue, text: str) -> list[str]:
    return [entry.name for entry in search(catalogue, question(text))]


def test_the_best_answers_come_first(ours: Catalogue) -> None:
    assert names(ours, "echo")[0] == "echo"
    assert names(ours, "Chang")[0] == "chang-roberts"
    assert names(ours, "token ring")[0] == "mutex-ring"
    assert {"lamport-clocks", "lamport-mutex", "chandy-lamport"} <= set(names(ours, "lamport")[:4])
    assert names(ours, "no-such-thing") == []
    assert names(ours, "") == [entry.name for entry in ours.entries]


def test_filters_by_families_and_needs(ours: Catalogue) -> None:
    waves = [entry.name for entry in ours.of("waves")]
    assert names(ours, "family:waves") == names(ours, "family:wav") == names(ours, "FAMILY:traversal") == waves
    fifo = names(ours, "needs:fifo")
    assert "chandy-lamport" in fifo and "echo" not in fifo
    assert names(ours, 'needs:"one initiator"') == names(ours, "needs:one-initiator")
    assert "chang-roberts" in names(ours, "needs:ring") and "mutex-ring" not in names(
        ours, "family:election needs:ring"
    )
    assert names(ours, 'needs:"one') == names(ours, "needs:one")  # during typing


def test_words_of_the_guide_are_found(shelves: Archive) -> None:
    assert names(Reader(shelves).read(), "zebra") == ["wave"]


def test_names_in_a_text_are_found(ours: Catalogue) -> None:
    assert family_called(ours, "leader-election").key == "election"
    with pytest.raises(BadInput, match=r"unknown family 'elction' \(did you mean 'election'\?\); choose from waves"):
        family_called(ours, "elction")
    assert need_called(ours.needs, "one-way") == "one-way ring"
    with pytest.raises(BadInput, match=r"unknown assumption 'fifoo' \(did you mean 'fifo'\?\)"):
        need_called(ours.needs, "fifoo")


WORDS = st.text("abc", min_size=1, max_size=3)
ENTRIES = st.builds(
    Entry, WORDS, st.just(Path("x.py")), WORDS, WORDS, WORDS, st.sampled_from(["a", "b"]), st.booleans(),
    st.dictionaries(st.sampled_from(["fifo", "one-way ring", "ring"]), WORDS),
)  # fmt: skip
FAMILIES = (Family("a", "First", ""), Family("b", "Second", ""))


@given(st.lists(ENTRIES, max_size=6), st.lists(WORDS, max_size=2), st.sampled_from(["", "a", "b"]))
def test_further_criteria_never_add_results(entries: list[Entry], words: list[str], family: str) -> None:
    catalogue = Catalogue(FAMILIES, tuple(entries))
    wanted = Wanted(tuple(words), (family,) if family else ())
    found = search(catalogue, wanted)
    assert all(entry in entries for entry in found) and len(found) <= len(entries)
    assert all(entry.family == family for entry in found if family)
    more = search(catalogue, Wanted((*words, "a"), wanted.families, ("ring",)))
    assert {id(entry) for entry in more} <= {id(entry) for entry in found}
    for entry in found:
        everything = f"{entry.name} {entry.title} {entry.about} {entry.doc} {entry.needs} first second a b".lower()
        assert all(word in everything for word in words)


@given(st.text(max_size=30))
def test_any_text_is_a_valid_search(text: str) -> None:
    wanted = question(text)
    assert all(wanted.words) and all(wanted.families) and all(wanted.needs)
