"""The page that plays a run, inline in a notebook, as dark as its surroundings."""

from __future__ import annotations

import html
import re

import pytest

import lydian
from lydian.model.errors import LydianError
from tests.views.browser import CHROMIUM, Browser


@pytest.fixture(scope="module")
def page():
    return lydian.run("echo", network="ring:5", seed=7).play(height=500)


def test_a_page_is_a_frame_without_addresses(page, tmp_path):
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "height:500px" in shown
    inner = re.search(r'srcdoc="([^"]*)"', shown)
    assert inner is not None and html.unescape(inner[1]) == page.html
    assert "default-src &#x27;none&#x27;" in shown or "default-src 'none'" in shown
    assert page.save(tmp_path / "run.html").read_text() == page.html
    assert "save it with save('run.html')" in repr(page)


def test_a_long_run_is_refused(monkeypatch):
    monkeypatch.setattr("lydian.views.page.page.MOST_EVENTS", 5)
    with pytest.raises(LydianError, match="a page must have at most 5"):
        lydian.run("echo", network="ring:5").play()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; apt-get install chromium")
def test_two_pages_play_in_one_and_are_as_dark_as_it(page, tmp_path):
    frames = page._repr_html_() * 2
    text = f"<!DOCTYPE html><meta charset=utf-8><style>body.dark {{color: #eee}}</style><body>{frames}"
    inside = "document.querySelectorAll('iframe')[{}].contentDocument"
    ready = " && ".join(f"{inside.format(i)}.querySelector('#clock b')" for i in (0, 1))
    browser = Browser(tmp_path, text.replace(' loading="lazy"', ""), f"({ready}) != null")
    try:
        for i in (0, 1):
            browser.until(f"{inside.format(i)}.documentElement.dataset.theme === 'light'")
        browser.ask("Runtime.evaluate", expression="document.body.className = 'dark'")
        for i in (0, 1):
            browser.until(f"{inside.format(i)}.documentElement.dataset.theme === 'dark'")
    finally:
        browser.close()


def test_a_run_appears_with_its_numbers():
    run = lydian.run("echo", network="ring:5", seed=7)
    shown = run._repr_html_()
    assert f"<td>{run.messages}</td>" in shown and "✓ " in shown
    assert "<b>echo on ring-5, seed 7</b>" in shown
