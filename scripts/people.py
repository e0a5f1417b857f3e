"""The people of a class for the pictures of the guide: some with a page in a browser, the others without one."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import aiohttp

from tests.classroom.browser import Browser, Tab, browsing, joined

__all__ = ["People"]

#: The size of a phone, in pixels of its page.
PHONE = (360, 720)


class People:
    """People who take part in a class with apples, in a thread of their own; all but those with a page obey the rule.

    Args:
        url, code: how to join.
        theme: ``light`` or ``dark``, for the pages.
    """

    def __init__(self, url: str, code: str, theme: str) -> None:
        self.url, self.code, self.theme = url, code, theme
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._over = asyncio.Event()
        self._ready: asyncio.Future[Browser] = self._loop.create_future()
        self._work = [self._begin(self._browse())]
        self.pages: dict[str, Tab] = {}

    def _begin(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Wait for what somebody does; return its result."""
        return self._begin(work).result(60)

    async def _browse(self) -> None:
        async with browsing() as browser:
            self._ready.set_result(browser)
            await self._over.wait()

    def come(self, *names: str) -> None:
        """Let people without a page join."""
        self._work += [self._begin(self._play(name)) for name in names]

    async def _play(self, name: str) -> None:
        ids = itertools.count(1)
        address = f"{self.url}/ws"
        async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as channel:
            await channel.send_json({"kind": "join", "code": self.code, "name": name, "wish": "seat"})
            now: dict[str, dict[str, Any]] = {}
            done: object = None
            async for message in channel:
                for line in message.data.splitlines():
                    told = json.loads(line)
                    now[told["kind"]] = told
                    if told["kind"] == "question":
                        answer = 3 + sum(map(ord, name)) % 7
                        await channel.send_json({"kind": "reply", "question": told["number"], "value": answer})
                seat, room = now.get("seat"), now.get("room")
                if seat is None or room is None or room["phase"] != "open" or seat["round"] != room["round"]:
                    continue
                key = (room["act"], seat["round"])
                if seat["offers"] and key != done:
                    done = key
                    offer, value = by_rule(seat)
                    choice = {"kind": "choose", "id": next(ids), "round": seat["round"], "offer": offer}
                    await channel.send_json(choice if value is None else {**choice, "value": value})

    def open(self, *names: str) -> None:
        """Open a page for each of some people, and join with it; "" only opens it."""
        for name in names:
            self.do(self._open(name))

    async def _open(self, name: str) -> None:
        browser = await self._ready
        url = f"{self.url}/?code={self.code}"
        page = await browser.tab(url, *PHONE, phone=True, dark=self.theme == "dark")
        self.pages[name] = page
        if name:
            await joined(page, name)
        else:
            await page.type("#name", "Chiara")
            await page.until("document.querySelector('.holds')")

    def obey(self, name: str) -> None:
        """Mark with a page what the rule demands."""
        self.do(self._obey(self.pages[name]))

    async def _obey(self, page: Tab) -> None:
        await page.until("lydian.room.seat?.offers.length")
        offer, value = by_rule(await page.value("lydian.room.seat"))
        await page.click("I speak" if offer == "speak" else "I listen")
        await page.until("document.querySelector('.offer.on')")
        if value is None:
            return
        number = "Number(document.querySelector('[role=spinbutton]').ariaValueNow)"
        while (at := int(await page.value(number))) != value:
            await page.click("more" if at < value else "less")
            await page.until(f"{number} !== {at}")

    def shot(self, name: str, path: Path) -> Path:
        """Save what somebody's page shows."""
        self.do(self.pages[name].picture(path))
        return path

    def end(self) -> None:
        """Close the pages, and wait until the others have left the class, which is over."""
        self._loop.call_soon_threadsafe(self._over.set)
        for work in self._work:
            work.result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


def by_rule(seat: dict[str, Any]) -> tuple[str, int | None]:
    """Return the offer and the value that the rule of the play with apples demands."""
    left, right, leads = seat["picture"]["left"], seat["picture"]["right"], "leader" in seat["title"]
    if (left == right) != leads:
        return "listen", None
    return "speak", right + 1 if leads else left
