"""The lecturer's page: its numbers, rows and groups, that texts cannot become markup, and that a browser filters."""

import copy
import json
import re

import pytest

from lydian.assignment.pages.comparing import compared
from lydian.assignment.pages.lecturer import lecturer_page
from lydian.assignment.pages.panels import bins_of
from lydian.assignment.pages.write import write_pages
from tests.assignment.pages.classroom import classroom, not_run, result_of
from tests.assignment.pages.test_feedback import Outline, words
from tests.views.browser import CHROMIUM, Browser


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Return the output folder of a class of 300, and its grades."""
    folder = tmp_path_factory.mktemp("course")
    return folder, classroom(folder, 300)


@pytest.fixture
def grades(course):
    return copy.deepcopy(course[1])


def of(grades, *results, **more):
    """Return the grades of a class with other hand-ins."""
    return {**grades, "hand_ins": list(results), "groups": [], "pairs": [], **more}


def test_the_head_has_the_numbers(course):
    folder, grades = course
    got = sorted(each["points"] for each in grades["hand_ins"])
    stopped = sum(each["state"] != "marked" for each in grades["hand_ins"])
    late = sum(bool(each["late"]) for each in grades["hand_ins"])
    told = words(lecturer_page(grades, folder))
    assert (
        "Mutual exclusion: 300 hand-ins Distributed algorithms · Assignment 3, due Friday, 27 November, 18:00" in told
    )
    assert f"· {late} were late" in told
    assert f"{sum(got) / 300:.1f} mean of 20" in told
    assert f"{(got[149] + got[150]) / 2:.1f} half have more" in told
    assert f"{got.count(20.0)} full marks" in told
    assert f"{stopped} did not run" in told


def test_the_parts_have_all_hand_ins(course):
    folder, grades = course
    text = lecturer_page(grades, folder)
    assert len(re.findall(r"<tr data-row=", text)) == 300
    assert len(re.findall(r'class="cell ', text)) == 8 * sum(e["state"] == "marked" for e in grades["hand_ins"])
    counts = [int(count) for count in re.findall(r'class="bin"[^>]*><b>(\d+)</b>', text)]
    assert sum(counts) == 300
    assert re.findall(r'<b class="count">(\d+)</b>', text) == [str(len(each["ids"])) for each in grades["groups"]]
    assert text.count('class="thumbnail"') == len(grades["groups"])
    assert "7 pairs are very alike. Short programs from one skeleton are; it proves nothing." in words(text)


def test_the_run_that_is_shown_to_the_class_names_nobody(course):
    folder, grades = course
    parts = re.findall(r'<template id="run-\d+">(.*?)</template>', lecturer_page(grades, folder), re.DOTALL)
    assert len(parts) == 3
    assert not [each["student"] for each in grades["hand_ins"] for part in parts if each["student"] in part]


def test_a_hand_in_that_did_not_run_says_why(grades, tmp_path):
    told = words(lecturer_page(of(grades, not_run("Jules", "stopped: endless loop in `want`, 10 s")), tmp_path))
    assert "stopped: endless loop in want , 10 s; no other hand-in was affected" in told
    assert "0 fail on their own, 1 did not run, 0 have no failure" in told
    assert "No hand-in was marked." in told


def test_late_and_own_failures(grades, tmp_path):
    late = result_of("A", None, late=3.2)
    told = words(lecturer_page(of(grades, late), tmp_path))
    assert "1 hand-in Distributed" in told
    assert "late: 1 point less" in told
    assert "1 was late" in told
    assert "0 fail on their own, 0 did not run, 1 has no failure" in told


def test_a_class_without_hand_ins(grades, tmp_path):
    told = words(lecturer_page(of(grades), tmp_path))
    assert "0 hand-ins" in told
    assert told.count("Nothing has been handed in yet.") == 3
    assert "Compare" not in told


def test_an_answer_that_waits_for_a_person_costs_nothing_yet(grades, tmp_path):
    one = result_of("A", None)
    one["checks"][7].update(state="open", points=0.0)
    told = words(lecturer_page(of(grades, one), tmp_path))
    assert "No points were lost in a check." in told


@pytest.mark.parametrize(
    ("got", "most", "bins", "width"),
    [
        ([], 20.0, [0] * 20, 1),
        ([0.0, 0.9, 1.0, 19.0, 20.0], 20.0, [2, 1, *[0] * 17, 2], 1),
        ([0.5, 3.0], 3.0, [0, 1, 0, 0, 0, 1], 0.5),
        ([99.0, 100.0], 100.0, [*[0] * 19, 2], 5),
        ([24.5], 24.5, [*[0] * 12, 1], 2),
    ],
)
def test_columns_of_the_histogram(got, most, bins, width):
    assert bins_of([{"points": each} for each in got], most) == (bins, width)


def test_texts_cannot_become_markup(grades, course):
    folder = course[0]
    evil = "</script><script>alert(1)</script></template><img src=x onerror=alert(2)> \"'"
    plain = Outline(lecturer_page(grades, folder))
    for each in grades["hand_ins"]:
        each.update(student=evil, reason=each["reason"] and evil, files={evil: evil, "mutex.py": evil})
        for check in each["checks"]:
            check.update(words=evil, title=evil)
            if check["failure"]:
                check["failure"].update(sentence=evil)
    for group in grades["groups"]:
        group.update(sentence=evil)
    for check in grades["assignment"]["checks"]:
        check.update(title=evil)
    grades["assignment"].update(title=evil, course=evil)
    text = lecturer_page(grades, folder)
    outline = Outline(text)
    assert outline.handlers == []
    assert {*outline.tags} <= {*plain.tags}
    assert outline.tags.count("script") == plain.tags.count("script") == 2
    assert outline.tags.count("template") == plain.tags.count("template")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert data["handIns"][0]["name"] == evil


def test_two_files_side_by_side():
    text = compared(
        {"a.py": "import x\ny = 1\nz = '</td>'\n", "b.py": "1"}, {"a.py": "import x\ny = 2\n", "c.py": "2"},
        {"a.py": "import x\n"},
    )  # fmt: skip
    rows = re.findall(r"<tr>(.*?)</tr>", text)
    looks = [re.findall(r'<td class="(\w*)"', row)[1::2] for row in rows]
    assert looks == [["given", "given"], ["differs", "differs"], ["differs", "gap"]]
    assert "&lt;/td&gt;" in rows[2]
    assert text.count("<h3>") == 1
    assert compared({"a.py": ""}, {"b.py": ""}, {}) == ""


def test_the_pages_are_written(course, tmp_path):
    grades = {**course[1], "hand_ins": course[1]["hand_ins"][:3]}
    write_pages(tmp_path, grades)
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*"))
    assert names == ["feedback", *sorted(f"feedback/{each['id']}.html" for each in grades["hand_ins"]), "index.html"]
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.html")}
    write_pages(tmp_path, grades)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.html")} == before
    for address in Outline(before[tmp_path / "index.html"].decode()).addresses:
        if address.startswith("feedback/"):
            assert (tmp_path / address).is_file()


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser")
def test_a_browser_filters_and_sorts(course, tmp_path):
    folder, grades = course
    browser = Browser(tmp_path, lecturer_page(grades, folder), "document.documentElement.classList.contains('script')")
    try:
        shown = "document.querySelectorAll('tbody tr[data-row]').length"

        def find(text: str) -> object:
            browser.value(f"find = document.querySelector('#find'), find.value = {text!r},"
                          "find.dispatchEvent(new Event('input'))")  # fmt: skip
            return browser.value(shown)

        results = grades["hand_ins"]
        assert browser.value(shown) == 300
        assert find("p < 10") == sum(each["points"] < 10 for each in results)
        assert find("garcia lucia") == sum(each["student"].startswith("Garcia") for each in results)
        assert find("safety < 2 and p >= 11") == sum(
            each["points"] >= 11 and any(c["id"] == "safety" and c["points"] < 2 for c in each["checks"])
            for each in results
        )
        assert find("late") == sum(bool(each["late"]) for each in results)
        assert find("p <") == 300
        assert "not understood" in browser.value("document.querySelector('#fault').textContent")
        assert find("p > 99") == 0
        assert find("") == 300
        # a click on a check, then on a column of the histogram; the chips take them back
        lost = sum(any(c["id"] == "served" and c["points"] < 4 for c in each["checks"]) for each in results)
        browser.value("document.querySelector('[data-lost=served]').click()")
        assert browser.value(shown) == lost
        browser.value("document.querySelector('.bin[data-bin=\"10\"]').click()")
        assert browser.value("document.querySelectorAll('#chips button').length") == 2
        browser.value("document.querySelector('#chips button').click()")
        assert browser.value(shown) == lost
        browser.press("Escape")
        assert browser.value(shown) == 300
        # numbers in the head
        browser.value("document.querySelector('[data-only=stopped]').click()")
        assert browser.value(shown) == sum(each["state"] != "marked" for each in results)
        browser.press("Escape")
        # sorting, twice for the other way
        names = "[...document.querySelectorAll('tbody .points')].map((each) => Number(each.textContent))"
        got = sorted(each["points"] for each in results)
        browser.value("document.querySelector('th.points button').click()")
        assert browser.value(names) == got
        browser.value("document.querySelector('th.points button').click()")
        assert browser.value(names) == got[::-1]
        # groups: a click marks, Enter filters
        hot = "document.querySelectorAll('tr.hot').length"
        sizes = [len(each["ids"]) for each in grades["groups"]]
        assert browser.value(hot) == sizes[0]
        browser.value("cards = document.querySelectorAll('.group');"
                      "cards[1].dispatchEvent(new MouseEvent('click', {detail: 1}))")  # fmt: skip
        assert [browser.value(hot), browser.value(shown)] == [sizes[1], 300]
        browser.value("cards[1].dispatchEvent(new MouseEvent('click', {detail: 0}))")
        assert [browser.value(hot), browser.value(shown)] == [sizes[1], sizes[1]]
        browser.press("Escape")
        # the class sees the run of the marked group, and pairs are side by side
        browser.value("document.querySelector('#show-class').click()")
        browser.press("ArrowRight")
        assert browser.value("document.querySelector('dialog output b').textContent") == "1"
        browser.value("document.querySelector('dialog').close()")
        browser.value("document.querySelector('#compare').click()")
        assert browser.value("document.querySelectorAll('dialog .list button').length") == len(grades["pairs"])
        assert browser.value("document.querySelectorAll('dialog .compared tr').length") > 50
        browser.value("document.querySelector('dialog').close()")
        browser.until("document.querySelector('dialog .content').children.length === 0")
        # the keys choose a row, and Enter opens its page
        browser.value("document.activeElement.blur()")
        browser.press("ArrowDown")
        browser.press("ArrowDown")
        browser.press("ArrowUp")
        browser.press("ArrowDown")
        first = "document.querySelector('tr.current a').getAttribute('href')"
        assert browser.value(f"{first} === document.querySelectorAll('tbody tr a')[1].getAttribute('href')")
    finally:
        browser.close()
