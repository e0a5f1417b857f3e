"""A real browser for tests of the class's page: several people in contexts of their own, driven by its own protocol."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

from lydian.classroom.host import HostOfClass
from lydian.classroom.server import Server

__all__ = ["CHROMIUM", "Browser", "Tab", "browsing", "joined", "living", "run"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--font-render-hinting=none",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--remote-debugging-port=0",
)  # fmt: skip
#: Notes every violation of the content policy, and every error of the page.
_WATCH = """
window.wrong = [];
document.addEventListener("securitypolicyviolation", (e) => {
  wrong.push(`policy: ${e.violatedDirective} ${e.blockedURI}`);
});
window.addEventListener("error", (e) => wrong.push(`error: ${e.message}`));
window.addEventListener("unhandledrejection", (e) => wrong.push(`rejected: ${e.reason}`));
"""


@asynccontextmanager
async def living(host: HostOfClass) -> AsyncIterator[Server]:
    """Serve a class in real time."""
    await host.start()
    server = Server(host)
    await server.start()
    life = asyncio.create_task(host.live())
    try:
        yield server
    finally:
        host.over.set()
        await asyncio.wait_for(life, 10)
        await server.close()
        await host.close()


class Tab:
    """A page in a context of its own: its cookies and its memory are not those of other tabs."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser, self.session = browser, session
        self.console: list[str] = []

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        return await self.browser.ask(method, self.session, **parameters)

    async def open(self, url: str) -> None:
        await self.ask("Page.navigate", url=url)

    async def size(self, width: int, height: int, *, ratio: float = 1.0, phone: bool = False) -> None:
        """Give the page the size of a device."""
        await self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=phone
        )

    async def reload(self) -> None:
        """Load the page again, and wait until it is there."""
        await self.value("window.old = true")
        await self.ask("Page.reload")
        await self.until("!window.old && document.readyState === 'complete'")

    async def prefer(self, *, dark: bool = False, calm: bool = True) -> None:
        """Choose the theme, and whether motion is reduced."""
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
        ]
        await self.ask("Emulation.setEmulatedMedia", features=features)

    async def value(self, expression: str) -> Any:
        """Return the value of an expression in the page, which may be a promise."""
        found = await self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    async def until(self, condition: str, seconds: float = 15.0) -> None:
        """Wait until an expression is true in the page."""
        async with asyncio.timeout(seconds + 5):
            end = asyncio.get_running_loop().time() + seconds
            while True:
                with suppress(AssertionError):  # while the page is being loaded
                    if await self.value(f"Boolean({condition})"):
                        return
                if asyncio.get_running_loop().time() > end:
                    shown = await self.value("document.body.innerText.slice(0, 600)")
                    raise AssertionError(f"{condition}\n{shown}\n{self.console}")
                await asyncio.sleep(0.02)

    async def until_text(self, words: str) -> None:
        """Wait until the page shows some words."""
        await self.until(f"document.body.innerText.includes({json.dumps(words)})")

    async def click(self, words: str) -> None:
        """Click the first button or label that contains some words, in a dialog if one is open."""
        found = (
            "[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button,label')]"
            ".find((e) => e.offsetParent !== null && "
            f"!e.disabled && (e.innerText.includes({json.dumps(words)}) || e.ariaLabel === {json.dumps(words)}))"
        )
        await self.until(found)
        await self.value(f"{found}.click()")

    async def type(self, selector: str, text: str) -> None:
        """Put the focus on a field, and type a text."""
        await self.until(f"document.querySelector({json.dumps(selector)})")
        await self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.ask("Input.insertText", text=text)

    async def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39,
                 "ArrowLeft": 37}  # fmt: skip
        more: dict[str, Any] = {"windowsVirtualKeyCode": codes.get(key, 0), "modifiers": 8 if shift else 0}
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        down = "keyDown" if text else "rawKeyDown"
        await self.ask("Input.dispatchKeyEvent", type=down, key=key, code=key, text=text, **more)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, **more)

    async def picture(self, path: Path) -> None:
        """Save what the page shows."""
        shot = await self.ask("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    async def wrong(self) -> list[str]:
        """Return the violations of the policy and the errors so far."""
        return [*(await self.value("window.wrong")), *self.console]


class Browser:
    """A browser without a window."""

    def __init__(self, channel: aiohttp.ClientWebSocketResponse) -> None:
        self._channel = channel
        self._number = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._tabs: dict[str, Tab] = {}
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._channel:
            data = json.loads(message.data)
            waiting = self._waiting.pop(data.get("id", -1), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(data)
            tab = self._tabs.get(data.get("sessionId", ""))
            if tab is not None and data.get("method") == "Log.entryAdded":
                entry = data["params"]["entry"]
                if entry["level"] == "error" and entry.get("source") != "network":
                    tab.console.append(entry["text"])

    async def ask(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        self._number += 1
        question = {"id": self._number, "method": method, "params": parameters}
        if session:
            question["sessionId"] = session
        self._waiting[self._number] = answer = asyncio.get_running_loop().create_future()
        await self._channel.send_str(json.dumps(question))
        found = await asyncio.wait_for(answer, 60)
        assert "error" not in found, (method, found)
        result: dict[str, Any] = found["result"]
        return result

    async def tab(self, url: str, width: int = 360, height: int = 720, **more: Any) -> Tab:
        """Open a page in a context of its own."""
        dark, calm = more.pop("dark", False), more.pop("calm", True)
        context = (await self.ask("Target.createBrowserContext"))["browserContextId"]
        target = (await self.ask("Target.createTarget", url="about:blank", browserContextId=context))["targetId"]
        session = (await self.ask("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        tab = self._tabs[session] = Tab(self, session)
        await tab.ask("Page.enable")
        await tab.ask("Log.enable")
        await tab.ask("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)
        await tab.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        await tab.size(width, height, **more)
        await tab.prefer(dark=dark, calm=calm)
        await tab.open(url)
        return tab


@asynccontextmanager
async def browsing(flags: Sequence[str] = ()) -> AsyncIterator[Browser]:
    """Run a browser."""
    assert CHROMIUM is not None, "no Chromium was found"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            CHROMIUM, *_FLAGS, *flags, f"--user-data-dir={folder}", "about:blank",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            port = Path(folder) / "DevToolsActivePort"
            async with asyncio.timeout(30):
                while not port.exists() or len(port.read_text().split()) < 2:
                    await asyncio.sleep(0.02)
            number, path = port.read_text().split()
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(f"ws://127.0.0.1:{number}{path}", max_msg_size=0) as channel,
            ):
                browser = Browser(channel)
                yield browser
                with suppress(Exception):
                    await browser.ask("Browser.close")
                browser._reading.cancel()
                await asyncio.gather(browser._reading, return_exceptions=True)
        finally:
            with suppress(ProcessLookupError, TimeoutError):
                await asyncio.wait_for(process.wait(), 5)
            if process.returncode is None:
                process.kill()
                await process.wait()


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 90))


async def joined(tab: Tab, name: str, wish: str = "") -> None:
    """Join with the form."""
    await tab.until("document.querySelector('#name')")
    await tab.type("#name", name)
    if wish:
        await tab.click(wish)
    await tab.click("Join")
    await tab.until("document.querySelector('.phone')")
