"""The page of a class in a real browser: every state, with a host that only says what a test hands it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lydian.classroom import frames
from lydian.classroom.page import files, words
from lydian.engine import wire
from lydian.language import install
from tests.classroom.browser import CHROMIUM, browsing, joined, run
from tests.classroom.scripted import LOOKS, RING, begun, people, room, rounds, scripted, welcome

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium was found")

#: Names that would do harm if they were read as HTML, or break a layout.
HOSTILE = ("<img src=x>", "</title><b>&amp;", "WWWWWWWWWWWWWWWW", "ab\u202ecd", "🐙🐙🐙🐙🐙🐙🐙")


BASKETS = {"kind": "baskets", "left": 3, "right": 7}
SPEAK = {"id": "speak", "title": "I speak", "text": "and leave on my right", "head": "",
         "value": {"least": 0, "most": 9, "start": 7}}  # fmt: skip
LISTEN = {"id": "listen", "title": "I listen", "text": "the baskets stay as they are", "head": "", "value": None}
RULE = "If left and right differ, speak; then make the right one equal to the left."
SEAT = frames.Seat("3", 6, f"You are {HOSTILE[2]}, 3", "Ana leads, not you", None, [], BASKETS, RULE, [SPEAK, LISTEN])
CARDS = frames.Seat(
    "4", 6, "You are process 4", "You want the resource", LOOKS["states"]["wanting"],
    [["clock", "8"], ["you asked at", "6"], ["waits for", ", ".join(str(k) for k in range(40))]],
    {"kind": "secret", "text": "You are a traitor"},
    offers=[{"id": "m1", "title": "Request from " + "x" * 70, "text": HOSTILE[1], "head": "Request", "value": None},
            {"id": "tell", "title": "Tell somebody", "text": "", "head": "",
             "value": {"choices": [[name, name] for name in HOSTILE]}}],
    heading="Arrived: what do you take next?",
)  # fmt: skip
STORY = frames.Story(
    6, "You spoke, because your left basket held 3 apples and your right one 7; now both hold 3.", True, BASKETS,
    {**BASKETS, "right": 3}, "Now you listen.", LOOKS["states"]["listening"],
)  # fmt: skip
NUMBER = frames.Question(1, "How many rounds until only one may speak?", "number", [], 30.0)
CHOICE = frames.Question(2, "Who will lead?", "choice", [[name, name] for name in HOSTILE], None)
ANSWERS = frames.Histogram(2, [[name, k] for k, name in enumerate(HOSTILE)], 10, 24, HOSTILE[2], HOSTILE[0], True)


def _asking(question: frames.Question) -> dict[str, Any]:
    return {**question.to_dict(), "answered": 3}


NONE: dict[str, Any] = {"left": None, "of": None}
STATES: dict[str, list[wire.Frame]] = {
    "seat": [welcome(), room(), SEAT],
    "sealed": [welcome(), room(), replace(SEAT, chosen="speak", value=3)],
    "cards": [welcome(title=HOSTILE[1]), room(figure={}, stage={}), CARDS],
    "story": [welcome(), room("between", **NONE), replace(SEAT, offers=[]), STORY, begun(), *rounds(10)],
    "number": [welcome(), NUMBER, room(question=_asking(NUMBER)), SEAT],
    "choice": [welcome(), CHOICE, room(question=_asking(CHOICE)), SEAT],
    "answers": [welcome(), CHOICE, ANSWERS, room("between", **NONE), replace(SEAT, offers=[]), STORY],
    "paused": [welcome(), room(paused=True), SEAT],
    "door": [welcome(), room("door", act=0, **NONE), replace(SEAT, offers=[])],
    "observer": [welcome("observer", None), room(), begun(), *rounds(10)],
    "removed": [welcome(), room(), STORY, frames.Parting("the host has ended your participation", True)],
}

#: What sticks out of the page, and texts whose contrast with their ground is below that of WCAG 2.2, level AA.
_OVERFLOW = """(() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  return [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > wide + 1)
    .map((e) => `${e.tagName}.${e.className}`).slice(0, 4);
})()"""
_PALE = """(() => {
  const numbers = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number), part = (v) => v / 255;
  const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(part(r)) + 0.7152 * linear(part(g)) + 0.0722 * linear(part(b));
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const left = 'svg, .unseen, :disabled, .paused .body, .paused .foot, noscript, script';
    if (!own || e.closest(left) || !e.getClientRects().length) continue;
    let ground = null;
    for (let at = e; at && !ground; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) ground = colour;
    }
    const style = getComputedStyle(e), px = parseFloat(style.fontSize);
    const a = light(numbers(style.color)), b = light(ground ?? [255, 255, 255]);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast >= (px >= 24 || (px >= 18.6 && style.fontWeight >= 700) ? 3 : 4.5)) continue;
    found.push(`${e.tagName}.${e.className} ${contrast.toFixed(2)}: ${e.textContent.slice(0, 30)}`);
  }
  return found;
})()"""
_SMALL = """[...document.querySelectorAll('button, .card > label, .choice span, .card.slim')]
  .filter((e) => e.getClientRects().length && !e.closest('.unseen'))
  .filter((e) => { const box = e.getBoundingClientRect(); return box.height < 43.9 || box.width < 43.9; })
  .map((e) => e.outerHTML.slice(0, 90))"""


def test_every_state_of_a_phone_fits_and_can_be_read() -> None:
    async def work() -> None:
        async with scripted() as host, browsing() as browser:
            host.script["seat"] = STATES["seat"]
            tab = await browser.tab(f"http://127.0.0.1:{host.port}/?code=ring-4127")
            await tab.until("document.querySelector('#name')")
            for dark in (False, True):
                await tab.prefer(dark=dark)
                for what in (_OVERFLOW, _PALE, _SMALL):
                    assert await tab.value(what) == []
            await joined(tab, "Chiara")
            for name, script in STATES.items():
                host.script["seat"] = script
                await tab.reload()
                await tab.until("document.querySelector('.bar b')?.textContent && document.querySelector('.body > *')")
                if name in ("seat", "cards"):
                    await tab.value("[...document.querySelectorAll('.offer input')].at(-1).click()")
                    await tab.until("document.querySelector('.offer.on')")
                for dark in (False, True):
                    await tab.prefer(dark=dark)
                    for what in (_OVERFLOW, _PALE, _SMALL):
                        assert await tab.value(what) == [], (name, dark)
                assert await tab.wrong() == [], name

    run(work)


def test_projector_and_host_fit_with_hostile_names() -> None:
    async def work() -> None:
        async with scripted() as host, browsing() as browser:
            here = people([*HOSTILE, *RING[5:]], [*(f"{k} {HOSTILE[2][:12]}" for k in range(60)), *HOSTILE])
            door = [welcome("screen", None, title="x" * 90), room("door", act=0, free=3, **NONE), here]
            play = [welcome("screen", None), CHOICE, room(), here, ANSWERS]
            lead = [welcome("host", None, title="x" * 90), CHOICE, room(question=_asking(CHOICE)), here, ANSWERS]
            for path, wish, script in (("screen", "screen", door), ("screen", "screen", play), ("host", "host", lead)):
                host.script = {wish: script}
                tab = await browser.tab(f"http://127.0.0.1:{host.port}/{path}#secret", 1280, 720)
                await tab.until("document.querySelector('canvas')")
                await tab.until_text(HOSTILE[2])
                for width in (1280, 1920):
                    await tab.size(width, width * 9 // 16)
                    for dark in (False, True):
                        await tab.prefer(dark=dark)
                        for what in (_OVERFLOW, _PALE):
                            assert await tab.value(what) == [], (path, width)
                    assert await tab.value("document.documentElement.scrollHeight <= innerHeight"), (path, width)
                assert await tab.wrong() == []
                assert next(each for each in reversed(host.heard) if each["kind"] == "join")["secret"] == "secret"

    run(work)


def test_a_phone_that_loses_its_connection_or_is_reloaded_is_itself_again() -> None:
    async def work() -> None:
        async with scripted() as host, browsing() as browser:
            host.script = {"seat": [welcome(), room(), SEAT, begun(), *rounds(10, 3)]}
            tab = await browser.tab(f"http://127.0.0.1:{host.port}/?code=ring-4127")
            await joined(tab, "Chiara")
            await tab.until("lydian.room.run?.count > 0")
            host.script = {"seat": []}
            await host.drop()
            await tab.until_text("Connecting again…")
            await tab.until("document.querySelector('.offer')")  # everything stays readable
            await tab.until("!document.querySelector('.lost')")
            joins = [each for each in host.heard if each["kind"] == "join"]
            assert [(each.get("secret"), each["position"]) for each in joins] == [(None, 0), ("s" * 24, 4)]
            host.script = {"seat": [welcome(), room(), SEAT]}
            await tab.ask("Page.reload")
            await tab.until("document.querySelector('.offer')")
            again = [each for each in host.heard if each["kind"] == "join"][-1]
            assert (again["secret"], again["position"], again["name"]) == ("s" * 24, 0, "Chiara")

    run(work)


def test_the_page_is_whole_and_translated() -> None:
    given = files()
    assert {"index.html", "class.css", "class.js", "words.json"} <= set(given)
    for name, (kind, body) in given.items():
        assert kind.split("/")[0] in ("text", "application", "font"), name
        if kind.startswith("text/"):
            text = body.decode()
            assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "innerHTML" not in text, name
            assert kind != "text/html; charset=utf-8" or (" style=" not in text and "{{" not in text), name
    found = words()
    assert found["language"] == "en" and found["texts"] == {}
    assert json.loads(given["words.json"][1]) == found


@pytest.mark.parametrize("code", ["de", "fr"])
def test_the_page_speaks_the_language_of_the_program(code: str) -> None:
    install(code)
    try:
        found, page = words(), files()["index.html"][1].decode()
    finally:
        install("en")
    assert found["language"] == code and f'<html lang="{code}">' in page and "This page needs" not in page
    assert len(found["texts"]) > 200
    one, places = found["texts"]["{count} seat is free"]
    assert len(one) == 2 and places[1] != places[5]
