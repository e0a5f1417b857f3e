"""The page of a class in real browsers, on a real class: phones, projector and host play a round."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from lydian.classroom.games.game import Choice, Game, Happened, Moment, Move, Offer, View
from lydian.classroom.host import HostOfClass
from lydian.classroom.server import Server
from lydian.model.archive.archive import archive
from tests.classroom.browser import CHROMIUM, browsing, joined, living, run

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium was found")


#: A name that would do harm if it were read as HTML.
HOSTILE = "<img src=x>"


class Apples(Game):
    """Dijkstra's ring with apples, as far as this test needs it."""

    title = "Apples"
    seconds = 120.0
    figure: Mapping[str, Any] = {"title": "Who may speak", "words": "exactly one", "goal": 1, "unit": "processes"}

    def _held(self, now: Moment) -> list[int]:
        return [int(now.variables[name]["x"]) for name in now.processes]

    def view(self, now: Moment, process: str) -> View:
        held, p = self._held(now), now.processes.index(process)
        speak = Offer("speak", "I speak", "and leave on my right", value={"least": 0, "most": 8, "start": held[p]})
        picture = {"kind": "baskets", "left": held[p - 1], "right": held[p]}
        offers = (speak, Offer("listen", "I listen"))
        return View(f"You are {now.called.get(process, process)}", picture=picture, offers=offers, secret=True)

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        return [
            Move(name, {"do": "corrupt", "process": name, "variable": "x", "value": choices[name].value})
            for name in now.processes
            if name in choices and choices[name].offer.id == "speak"
        ]

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        spoke = choice is not None and choice.offer.id == "speak"
        was, now = self.view(before, process).picture, self.view(after, process).picture
        return Happened("You spoke." if spoke else "You listened.", True, was, now)

    def stage(self, now: Moment) -> Mapping[str, Any]:
        n, held = len(now.processes), self._held(now)
        right = [(p + 1) % n for p in range(n)]
        return {"kind": "baskets", "right": right, "contents": held, "speaking": [0], "leads": [0], "words": ""}

    def measure(self, now: Moment) -> float | None:
        return float(len(set(self._held(now))))


@asynccontextmanager
async def a_real_class() -> AsyncIterator[tuple[HostOfClass, Server]]:
    """Serve a class in real time."""
    clock = asyncio.get_running_loop().time
    host = HostOfClass(archive().experiment("dijkstra-k-state"), Apples(), "ring-4127", clock=clock)
    async with living(host) as server:
        yield host, server


def test_three_phones_a_projector_and_the_host_play_a_sealed_round() -> None:
    async def work() -> None:
        async with a_real_class() as (host, server), browsing() as browser:
            base = server.url.rstrip("/")
            lead, screen, ana, ben, eve = await asyncio.gather(
                browser.tab(f"{base}/host#{server.secret}", 1280, 720),
                browser.tab(f"{base}/screen#{server.screen}", 1280, 720),
                *(browser.tab(f"{base}/?code=ring-4127") for _ in range(3)),
            )
            await screen.until_text("ring-4127")
            await ana.until_text("8 seats are free")
            await joined(ana, "Ana")
            await joined(ben, "Ben")
            await ben.until_text("You are Ben")
            await eve.until("document.querySelector('#name')")
            await eve.type("#name", "Ben")
            await eve.until_text("that name is taken: Ben 2?")
            await eve.value("document.querySelector('#name').select()")
            await joined(eve, HOSTILE)
            await lead.until_text(HOSTILE)
            await lead.until_text("3 people")
            await screen.until("document.querySelector('canvas').ariaLabel.includes('<img src=x>: process 2')")

            await lead.click("Begin")
            for phone in (ana, ben, eve):
                await phone.click("I speak" if phone is not eve else "I listen")
            await ana.until("document.querySelector('[role=spinbutton]')")
            start = int(await ana.value("document.querySelector('[role=spinbutton]').ariaValueNow"))
            await ana.click("less")
            await ana.until(f"document.querySelector('[role=spinbutton]').ariaValueNow === '{max(0, start - 1)}'")
            await ana.click("Seal my choice")
            await ana.until_text("sealed, waiting for 2 more")
            await ana.click("Change")
            await ana.click("less")
            await ana.click("Seal my choice")
            await lead.until_text("1 of 3 choices made")
            await lead.until("document.querySelector('.host .who .ok')")
            await ben.click("Seal my choice")
            await eve.click("Seal: I listen")
            for phone, told in ((ana, "You spoke."), (ben, "You spoke."), (eve, "You listened.")):
                await phone.until_text(told)
                await phone.until_text("Round 1 is over")
            assert host.running.present.count > 0
            await screen.until_text("Round 1 is over")
            await screen.until("document.querySelector('.plot svg')")
            await ana.click("My whole story")
            await ana.until("document.querySelectorAll('.stories li').length === 1")
            await ana.click("Back")
            await ana.click("Watch the round again")
            await ana.click("Causality")
            await ana.click("Back to my process")

            await lead.click("Ask a prediction…")
            await lead.type("textarea[name=text]", "How many <i>rounds</i>?")
            await lead.click("Ask everybody")
            for phone, answer in ((ana, "4"), (eve, "7")):
                await phone.until_text("How many <i>rounds</i>?")
                await phone.type("[data-key=number]", answer)
                await phone.click("Seal my answer")
            await lead.until_text("2 of 3 answered; only you see this")
            await screen.until_text("2 of 3 have answered")
            await lead.click("Show to all")
            await lead.click("Show")
            await lead.until("!document.querySelector('dialog')")
            await ana.until_text("You said 4.")
            await ben.until("document.querySelector('.chart')")
            await screen.until_text("How many <i>rounds</i>?")

            await ben.click("Raise your hand")
            await lead.until("document.querySelector('.who .called .icon')")
            await lead.click("Next round")
            await ben.until_text("Round 2 is sealed")
            await lead.press(" ")
            await ben.until_text("The host has paused the class.")
            await lead.click("Go on")
            await ben.until("!document.querySelector('.halt')")
            await lead.click("Undo round 1")
            await ana.until("document.querySelectorAll('.stories, .tale').length === 0")
            await lead.click("Hide names")
            await lead.until("!document.body.innerText.includes('Ana')")
            await lead.value("document.querySelector('.host button.who').click()")
            await lead.click("Remove…")
            await lead.click("Remove")
            await ana.until_text("The host has ended your participation.")
            for tab in (lead, screen, ana, ben, eve):
                assert await tab.wrong() == []
                assert await tab.value("document.querySelectorAll('img[src=x], i i, [style*=expression]').length") == 0

    run(work)


def test_the_keyboard_alone_joins_chooses_and_seals() -> None:
    async def work() -> None:
        async with a_real_class() as (host, server), browsing() as browser:
            tab = await browser.tab(server.url)
            await tab.until("document.querySelector('#name')")
            await tab.press("Tab")
            await tab.until("document.activeElement.id === 'code'")
            for letter in "ring-4127":
                await tab.press(letter)
            await tab.press("Tab")
            for letter in "Kim":
                await tab.press(letter)
            await tab.until("document.querySelector('.holds')")  # the code is known
            await tab.press("Tab")
            await tab.until("document.activeElement.value === 'seat'")
            await tab.press("Tab")
            await tab.until("document.activeElement.innerText === 'Join'")
            await tab.press("Enter")
            await tab.until_text("You are Kim")
            await host._do_begin()
            await tab.until("document.querySelector('.offer')")
            for _ in range(9):
                await tab.press("Tab")
                if await tab.value("document.activeElement.dataset.key") == "offer speak":
                    break
            await tab.press(" ")
            await tab.until("document.querySelector('.offer.on')")
            await tab.press("ArrowDown")
            await tab.until("document.activeElement.dataset.key === 'offer listen'")
            for _ in range(6):
                await tab.press("Tab")
                if await tab.value("document.activeElement.dataset.key") == "seal":
                    break
            await tab.press("Enter")
            await tab.until_text("You listened.")
            assert await tab.wrong() == []

    run(work)
