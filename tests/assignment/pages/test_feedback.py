"""The page of feedback: its parts, that texts cannot become markup, and that a browser plays the run."""

import base64
import html
import re
from html.parser import HTMLParser

import pytest

from lydian.assignment.pages.feedback import feedback
from tests.assignment.pages.classroom import ASSIGNMENT, MISTAKES, failure_of, not_run, result_of, source_with
from tests.views.browser import CHROMIUM, Browser

TIES, _, FORGETS = MISTAKES
RUN = "runs/7e1/safety.lydian"


class Outline(HTMLParser):
    """The elements of a page, and what it takes from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name in ("src", "href", "xlink:href", "srcset", "action", "data", "poster"):
                self.addresses.append(value)
            if name.startswith("on") or name == "style":
                self.handlers.append(f"{name}={value}")


def words(text: str) -> str:
    """Return what is read in the body of a page."""
    body = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", text.partition("<body")[2], flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", body)))


@pytest.fixture
def okafor():
    return result_of("Ines Okafor", TIES, RUN, properties=3)


def test_the_page_says_what_was_checked_and_what_is_wrong(graded, okafor):
    told = words(feedback(okafor, graded, ASSIGNMENT))
    for part in (
        "Distributed algorithms · Assignment 3 Mutual exclusion Ines Okafor",
        "handed in on Thursday, 26 November, 17:42, on time",
        "One thing is wrong: Processes 1 and 2 are in the critical section together. Compare pairs of clock and name.",
        "Never two in the critical section 186 of 200 runs public 3.7 of 4",
        "All schedules of 3 processes one fails, after 10 steps at the earliest hidden 0 of 3",
        "The shortest run that shows it: 2 processes, 10 events. "
        "It comes from a run with 9 processes and 1,038 events.",
        "6 of 6 steps",
        "Line 69 of mutex.py. Compare pairs of clock and name.",
        "“All schedules of 3 processes” and “In the order of asking” fail in the same way. "
        "Together they cost 3.5 of the 4.3 points that are missing.",
        "Mistakes you did not catch It asks only one neighbour. It enters without asking.",
        "Your answer Question 2: messages for 5 entries on 9 processes 80",
        "fingerprint 7f3a 91c0 e25d",
    ):
        assert part in told


def test_nothing_comes_from_elsewhere_and_the_run_is_inside(graded, okafor):
    outline = Outline(feedback(okafor, graded, ASSIGNMENT))
    assert outline.handlers == []
    files = [each for each in outline.addresses if not each.startswith("#")]
    assert [each[:29] for each in files] == ["data:application/zip;base64,U"]
    assert base64.b64decode(files[0].partition(",")[2]) == (graded / RUN).read_bytes()


def test_texts_cannot_become_markup(graded, okafor):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \"'"
    plain = Outline(feedback(okafor, graded, ASSIGNMENT))
    failure = okafor["checks"][1]["failure"]
    failure.update(sentence=evil, why=evil, note=evil, file=evil, lines=[[45, evil], [46, f"x = '{evil}'"]], line=46)
    for check in okafor["checks"]:
        check.update(title=evil, words=evil, hint=evil, missed=check["missed"] and [evil] * 2)
    okafor.update(student=evil, fingerprint=evil[:20], answers={"question-2": evil})
    text = feedback(okafor, graded, {**ASSIGNMENT, "title": evil, "course": evil, "number": evil})
    outline = Outline(text)
    assert outline.handlers == []
    assert sorted({*outline.tags} - {*plain.tags}) == []
    assert outline.tags.count("script") == 2
    assert outline.tags.count("img") == 0
    assert evil in words(text)


def test_lone_surrogates_can_be_written(graded, okafor):
    okafor["student"] = "Ines \ud800"
    assert "Ines ?" in feedback(okafor, graded, ASSIGNMENT).encode("utf-8").decode("utf-8")


def test_other_failures_have_a_line_each(graded, okafor):
    okafor["checks"][2].update(failure=failure_of(FORGETS, "runs/c33/served.lydian"), points=1.0, state="partly")
    text = feedback(okafor, graded, ASSIGNMENT)
    told = words(text)
    assert "Another failure Who asks gets in. Process 2 waits for ever. Show" in told
    assert "Two things are wrong. The one that costs most: Processes 1 and 2" in told
    assert [*re.findall(r'id="(run\d)"', text)] == ["run0", "run1"]


def test_a_hand_in_without_a_failure(graded):
    text = feedback(result_of("Klara Bauer", None), graded, ASSIGNMENT)
    assert "Nothing is wrong: you have all 20 points." in words(text)
    assert Outline(text).addresses == []


def test_a_hand_in_that_did_not_run(graded):
    text = feedback(not_run("Jules Fontaine", "stopped: endless loop in `want`, 10 s"), graded, ASSIGNMENT)
    assert "<code>want</code>" in text
    assert "What was checked" not in text


@pytest.mark.parametrize("run", ["", "runs/missing.lydian", "../elsewhere.lydian"])
def test_a_failure_whose_run_is_not_there(graded, okafor, run):
    (graded.parent / "elsewhere.lydian").write_bytes((graded / RUN).read_bytes())
    moments = [{"seq": 0, "time": 0.0, "text": "1 wants in & asks 2"}]
    okafor["checks"][1]["failure"].update(run=run, moments=moments)
    text = feedback(okafor, graded, ASSIGNMENT)
    assert "1 wants in & asks 2" in words(text)
    assert 'class="run"' not in text
    assert Outline(text).addresses == []


def test_the_same_result_has_the_same_page(graded, okafor):
    assert feedback(okafor, graded, ASSIGNMENT) == feedback(okafor, graded, ASSIGNMENT)


def test_the_code_is_that_of_the_hand_in(graded, okafor):
    line = source_with(TIES).splitlines()[68]
    assert re.search(r'<li data-line="69" class="broken">(.*?)</li>', feedback(okafor, graded, ASSIGNMENT))
    assert line == "        mine = self.asked < m.clock"


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser")
def test_a_browser_plays_the_run_and_prints_one_page(graded, okafor, tmp_path):
    okafor["checks"][2].update(failure=failure_of(FORGETS, "runs/c33/served.lydian"), points=1.0, state="partly")
    text = feedback(okafor, graded, ASSIGNMENT)
    browser = Browser(tmp_path, text, "document.documentElement.classList.contains('script')")
    try:
        step = "document.querySelector('output b').textContent"
        now = "document.querySelector('#failure .steps .now')?.dataset.step"
        wrong = "document.querySelector('.at.wrong').getAttribute('visibility')"
        shape = "[...document.querySelectorAll('#run0 .shape:not([visibility])')].map((s) => s.classList[1]).join()"
        assert [browser.value(each) for each in (step, now, wrong, shape)] == ["6", "6", None, "s2,s2"]
        browser.press("ArrowLeft")
        assert [browser.value(each) for each in (step, now, wrong, shape)] == ["5", "5", "hidden", "s2,s1"]
        browser.press("Home")
        assert [browser.value(each) for each in (step, now, shape)] == ["0", None, "s0,s0"]
        browser.press("ArrowRight")
        browser.value("document.querySelectorAll('.steps button')[2].click()")
        assert browser.value(step) == "3"
        browser.value("document.querySelector('[data-do=forward]').click()")
        assert browser.value(step) == "4"
        browser.press(" ")
        assert browser.value("document.querySelector('.run').classList.contains('playing')") is True
        browser.until(f"{step} === '6'")
        browser.until("!document.querySelector('.run').classList.contains('playing')")
        # the keys belong to a run that is opened
        browser.value("document.querySelector('.others details').open = true")
        other = "document.querySelectorAll('output b')[1].textContent"
        browser.until("document.querySelector('.others details').open")
        browser.value("document.querySelectorAll('.run')[1].dispatchEvent(new Event('pointerdown'))")
        browser.press("ArrowLeft")
        assert [browser.value(each) for each in (step, other)] == ["6", "5"]
        paper = browser.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        assert len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(paper))) == 1
    finally:
        browser.close()
