"""The network in space on the page that plays: the same places, solids and projection as in the window."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lydian.app.look.shapes import SHAPES
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.trace.timeline import Timeline
from lydian.views.page.page import MOST_IN_SPACE, page, run_data
from lydian.views.page.whole import script
from lydian.views.world import world
from lydian.views.world.camera import Camera, Eye, between, fitted
from lydian.views.world.solids import SOLIDS, solid
from tests.views.book import echo
from tests.views.browser import CHROMIUM, Browser
from tests.views.page.test_page import numbers


@pytest.fixture(scope="module")
def cube():
    """Return ECHO on a hypercube of 16 processes."""
    simulator = Simulator(archive().experiment("echo-random").with_(network="hypercube:4"))
    simulator.run()
    return Timeline(simulator.trace)


def test_places_and_bodies_are_those_of_the_window(cube):
    told, frame = run_data(cube)["space"], world.frame(cube, 1.0)
    at = np.column_stack([numbers(told[name]) for name in "xyz"])
    assert at == pytest.approx(frame.deep, abs=1e-6)
    assert told["body"] == pytest.approx(frame.body, abs=1e-4)
    assert told["bottom"] == pytest.approx(frame.bottom, abs=1e-4)


def test_each_shape_has_its_solid(cube):
    assert {*SOLIDS} == {*SHAPES} - {"circle"}
    told = json.loads(json.dumps(run_data(cube)["space"]["solids"]))
    for shape in SOLIDS:
        for (bright, *flat), (corners, light) in zip(told[shape], solid(shape), strict=True):
            assert bright == pytest.approx(light, abs=0.01)
            assert np.reshape(flat, (-1, 2)) == pytest.approx(corners, abs=0.001)
        assert max(np.hypot(*corners.T).max() for corners, _ in solid(shape)) == pytest.approx(0.5)


def test_a_large_network_stays_flat(monkeypatch):
    monkeypatch.setattr("lydian.views.page.page.MOST_IN_SPACE", 3)
    four = echo(("0", "1", "2", "3"), [("0", "1"), ("1", "2"), ("2", "3")])
    assert "space" not in run_data(Timeline(four))
    assert MOST_IN_SPACE >= 1_000


# ---------------------------------------------------------------------- in a browser

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
#: Whether a pixel of the network is far from every shade of grey, as bodies, lights and paths are.
COLOURED = """(() => {
  const canvas = document.querySelector("#view-network canvas"), c = canvas.getContext("2d");
  const { data } = c.getImageData(0, 0, canvas.width, Math.round(canvas.height * 0.85));
  let found = 0;
  for (let i = 0; i < data.length; i += 4) found += Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60;
  return found;
})()"""  # noqa: E501
SHOT = "document.querySelector('#view-network canvas').toDataURL()"


@needs_browser
def test_the_arithmetic_is_that_of_the_window(tmp_path, cube):
    """The first view, a view on the way from flat, and the places on the screen agree with those of the window."""
    frame = world.frame(cube, 1.0)
    first = world.home(frame, 800.0, 500.0)
    front = fitted(frame.level, Eye(Camera((0.0, 0.0, 3.0)), 800.0, 500.0, 0.0), 0.7)
    half = Eye(between(front, first, 0.5), 800.0, 500.0, 0.5)
    expected = [(e.project(frame.deep), e.fog(e.project(frame.deep)[1])) for e in (Eye(first, 800, 500), half)]
    text = f"<!DOCTYPE html><script>{script('templates/player.space.js')}</script>"
    browser = Browser(tmp_path, text, "typeof Viewpoint === 'function'")
    try:
        deep, level = json.dumps(frame.deep.tolist()), json.dumps(frame.level.tolist())
        found = json.loads(
            browser.value(f"""(() => {{
              const deep = {deep}, level = {level}, first = homeOf(deep, 800, 500);
              const front = fitted(level, new Viewpoint([0, 0, 3]), 800, 500, 0);
              return JSON.stringify([new Sight(first, 800, 500), new Sight(front.towards(first, 0.5), 800, 500, 0.5)]
                .map((sight) => deep.map((p) => [...sight.project(p), sight.fog(sight.project(p)[2])])));
            }})()""")
        )
    finally:
        browser.close()
    for ((at, weight), fog), told in zip(expected, found, strict=True):
        there = np.array(told)
        assert there[:, :2] == pytest.approx(at, abs=1.0)
        assert there[:, 2] == pytest.approx(weight, abs=0.01)
        assert there[:, 3] == pytest.approx(fog, abs=0.01)


@needs_browser
def test_keys_mouse_and_slider_move_through_space(tmp_path, cube):
    browser = Browser(tmp_path, page(cube))
    try:
        browser.value("location.hash = 't=4.2&view=network'")
        browser.until("document.querySelector('#clock b').textContent === '4.20'")
        assert browser.value("document.getElementById('space').hidden") is True
        browser.press("v")
        browser.until("!document.getElementById('space').hidden")
        browser.until(f"{COLOURED} > 2000")
        if not browser.value("document.getElementById('no-space').hidden"):
            pytest.skip("this browser has no WebGL")

        def changes(act):
            browser.value(f"window.seen = {SHOT}")
            act()
            browser.until(f"window.seen !== {SHOT}")

        def drag():
            box = "document.querySelector('#view-network canvas').getBoundingClientRect()"
            where = [browser.value(f"{box}.{side}") for side in ("left", "top")]
            for kind, by in (("mousePressed", 0), ("mouseMoved", 30), ("mouseMoved", 60), ("mouseReleased", 60)):
                at = {"x": where[0] + 300 + by, "y": where[1] + 120}
                held = 0 if kind == "mouseReleased" else 1
                browser.ask("Input.dispatchMouseEvent", type=kind, **at, button="left", buttons=held, clickCount=1)

        changes(drag)
        changes(lambda: browser.press("w"))
        changes(lambda: browser.press("h"))
        changes(
            lambda: browser.value("const d = document.getElementById('depth'); d.value = 0.4; d.oninput({target: d})")
        )
        browser.press("v")
        browser.until("document.getElementById('space').hidden")
        assert browser.value("document.getElementById('in-space').getAttribute('aria-pressed')") == "false"
    finally:
        browser.close()


@needs_browser
def test_without_webgl_a_sentence_says_so(tmp_path, cube):
    browser = Browser(tmp_path, page(cube))
    try:
        browser.value(
            "const make = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = "
            "function (kind, ...rest) { return kind === 'webgl' ? null : make.call(this, kind, ...rest); }"
        )
        browser.press("v")
        browser.until("!document.getElementById('no-space').hidden")
        assert "WebGL is missing" in browser.value("document.getElementById('no-space').textContent")
        assert browser.value("document.getElementById('space').hidden") is True
    finally:
        browser.close()
