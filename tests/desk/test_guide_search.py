"""The search over the guide, and the sentences of the glossary that tooltips quote: without a window."""

from __future__ import annotations

import re

import pytest

from lydian.desk.guide.glossary import explained, terms
from lydian.desk.guide.pages import PAGES, Place, guide, text_of
from lydian.desk.guide.search import Found, excerpt, index, plain, search, sections, split
from lydian.model.finding import words

PAGE = """# Playing: how to

Drag the time line. A café has a loop, and a [link](other.md).

## Loop

**Ctrl+L** repeats `the run`.

```python
# not a heading
loop = 1
```

## Step

| To | Press |
| --- | --- |
| loop again | Ctrl+R |
"""
SMALL = (*split("playing", PAGE), *split("loops", "# Loop\n\nEverything on cycles.\n\n## Ends\n\nA looping bird.\n"))


def found(query: str) -> list[tuple[str, str]]:
    return [(each.section.place.page, each.section.heading) for each in search(query, SMALL, index(SMALL))]


def marked(one: Found) -> list[str]:
    return [one.line[start:end] for start, end in one.bold]


def test_a_page_is_split_at_its_headings_and_code_has_none() -> None:
    assert [(each.place, each.page, each.heading) for each in SMALL[:3]] == [
        (Place("playing"), "Playing", "Playing: how to"),
        (Place("playing", "loop"), "Playing", "Loop"),
        (Place("playing", "step"), "Playing", "Step"),
    ]
    assert SMALL[1].text == "Ctrl+L repeats the run. # not a heading loop = 1"
    assert SMALL[2].text == "To · Press loop again · Ctrl+R"
    assert "has a loop, and a link." in SMALL[0].text


def test_a_title_is_before_a_heading_and_a_heading_before_text() -> None:
    assert found("loop") == [
        ("loops", "Loop"), ("playing", "Loop"), ("playing", "Playing: how to"), ("playing", "Step"), ("loops", "Ends"),
    ]  # fmt: skip
    assert found("looping") == [("loops", "Ends")]


@pytest.mark.parametrize(
    ("query", "headings"),
    [
        ("cafe", ["Playing: how to"]), ("CAFÉ", ["Playing: how to"]), ("caf tim", ["Playing: how to"]),
        ("ctrl repeats", ["Loop"]), ("repeats bird", []), ("playing repeats", ["Loop"]), ("afé", []), ("", []),
        ("+ !", []), ("ctrl+r", ["Step", "Loop"]),
    ],
)  # fmt: skip
def test_all_words_are_found_by_their_beginnings_without_case_and_accents(query: str, headings: list[str]) -> None:
    assert [heading for _page, heading in found(query)] == headings


def test_an_excerpt_begins_near_the_words_and_marks_them() -> None:
    text = (
        "Once upon a time. " * 10 + "A fox, far away from every house of men, met the old crow. It ran." + " End." * 50
    )
    line, bold = excerpt(text, words("crow it"))
    assert line.startswith("… ") and line.endswith(" …") and len(line) < 200
    assert [line[start:end] for start, end in bold] == ["crow", "It"]
    assert excerpt("Short.", words("fox")) == ("Short.", ())
    one = search("run repeats", SMALL)[0]
    assert marked(one) == ["repeats", "run"]


def test_the_whole_guide_is_found_with_the_pages_of_the_archive_and_every_term() -> None:
    pages = {each.place.page for each in sections()}
    assert pages == {str(file.relative_to(guide()).with_suffix("")) for file in guide().rglob("*.md")}
    assert pages >= set(PAGES) and len(terms()) > 80
    for name in terms():
        first = search(name)[0].section
        assert first.heading.lower() == name.lower(), name
    assert search("Lamport clock")[0].section.place == Place("glossary", "lamport-clock")
    assert search("run until")[0].section.place == Place("playback", "run-until")
    assert search("echo")[0].section.place == Place("archive/echo")
    assert all(0 < len(each.line) < 200 for each in search("a"))
    assert search("zebra crossing") == []


def test_plain_text_has_no_mark_up() -> None:
    assert not any(mark in each.text for each in sections() for mark in ("](", "**", "<!--", "```"))
    assert plain("* **a**: *b*\n\n| x | y |\n| --- | --- |\n| `1` | 2 |\n") == "a: b x · y 1 · 2"


def test_a_tooltip_ends_with_the_sentences_of_the_glossary() -> None:
    sentence = "Lamport clock: A counter at each process that grows along causal order."
    assert explained("The clock", "Lamport clock") == f"The clock\n\n{sentence}"
    assert explained("", "Lamport clock") == sentence
    assert explained("Only this", "no such term") == "Only this"
    for term in terms().values():
        assert "Also called" not in term.meaning and term.meaning.endswith("."), term.name
        assert term.meaning[:30] in re.sub(r"[*`]", "", text_of("glossary"))
