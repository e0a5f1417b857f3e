"""A class in the world in real browsers: phones see each other there, and heal a system at the places that they tap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from lydian.classroom import frames
from lydian.classroom.games import GAMES
from lydian.classroom.host import HostOfClass
from lydian.classroom.server import Server
from lydian.model.archive.archive import archive
from tests.classroom.browser import CHROMIUM, Tab, browsing, joined, living, run

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium was found")

#: Lets a browser without a graphics card draw with WebGL.
SOFTWARE = ("--enable-unsafe-swiftshader",)
SEEN = "document.querySelector('.turns:not([hidden])')"


@asynccontextmanager
async def a_game() -> AsyncIterator[tuple[HostOfClass, Server]]:
    """Serve the game of self-stabilisation in real time."""
    game = GAMES["stabilise"]
    experiment = game.adapted(archive().experiment(game.experiment), 6).with_(seed=3)
    host = HostOfClass(experiment, game, "ring-4127", clock=asyncio.get_running_loop().time)
    async with living(host) as server:
        host.seconds = 0.0
        yield host, server


async def into_space(tab: Tab) -> None:
    await tab.click("Choose in the network")
    await tab.click("In space")
    await tab.until(f"{SEEN} || document.body.innerText.includes('cannot draw')")
    if not await tab.value(f"Boolean({SEEN})"):
        pytest.skip("this browser has no WebGL")


def test_phones_meet_in_the_world_and_heal_where_they_tap() -> None:
    async def work() -> None:
        async with a_game() as (host, server), browsing(SOFTWARE) as browser:
            base = server.url.rstrip("/")
            leading = host.join(frames.Join(), trusted="host")
            ana, ben = await asyncio.gather(*(browser.tab(f"{base}/?code=ring-4127") for _ in range(2)))
            for tab, name in ((ana, "Ana"), (ben, "Ben")):
                await joined(tab, name)
                await tab.until_text("process")
            await host.hear(leading, frames.Lead(1, "next"))
            await ben.until_text("You spoil: process 1")
            await into_space(ana)
            await into_space(ben)
            names = "lydian.room.figures.map((each) => each.name).sort().join()"
            for tab in (ana, ben):
                await tab.until(f"{names} === 'Ana,Ben'")
            before = await ben.value("JSON.stringify(lydian.room.figures)")
            await ana.value(f"{SEEN}.focus()")
            await ana.press("w")
            await ben.until(f"JSON.stringify(lydian.room.figures) !== {before!r}")

            await host.hear(leading, frames.Lead(2, "hide", {"on": True}))
            for tab in (ana, ben):
                await tab.until("lydian.room.figures.length === 0")
            await host.hear(leading, frames.Lead(3, "hide", {"on": False}))
            await ana.until(f"{names} === 'Ana,Ben'")

            tapped = await ana.value(_TAP)
            await ana.until_text("You heal: process 0")
            await ana.until(f"document.querySelector('[data-key=\"choice heal {tapped}\"]').checked")
            await ana.click("Seal my choice")
            await ana.until_text("sealed, waiting for 1 more")
            await ben.until("lydian.room.figures.length === 1")  # Ana has left the world to seal her choice
            for tab in (ana, ben):
                assert await tab.wrong() == []

    run(work)


#: Taps on the middle of the canvas's processes until one is met; the name of the process.
_TAP = """(async () => {
  const canvas = document.querySelector('.turns:not([hidden])');
  for (let x = 20; x < canvas.clientWidth; x += 8) for (let y = 20; y < canvas.clientHeight; y += 8) {
    canvas.dispatchEvent(new PointerEvent('pointerdown', { clientX: 0, clientY: 0, pointerId: 1, bubbles: true }));
    canvas.dispatchEvent(new PointerEvent('pointerup', { clientX: 0, clientY: 0, pointerId: 1, bubbles: true }));
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new MouseEvent('click', { clientX: box.x + x, clientY: box.y + y, bubbles: true }));
    await new Promise((done) => setTimeout(done, 0));
    const { offer, values } = (await import('/class/seat.js')).mine;
    if (offer === 'heal') return values.get('heal');
  }
  return null;
})()"""
