"""Chromium without a window, for tests of pages: the resulting page, and keys pressed on it."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--window-size=1280,720",
    "--enable-unsafe-swiftshader",
)  # fmt: skip


def browsed(tmp_path: Path, text: str, address: str) -> str:
    """Return the resulting page as text; fail if the script reports an error."""
    path = tmp_path / "run.html"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr",
         "--virtual-time-budget=1000", "--dump-dom", f"{path.as_uri()}#{address}"],
        capture_output=True, check=False, encoding="utf-8", timeout=60,
    )  # fmt: skip
    if not done.stdout.strip():
        pytest.skip("the browser does not run here")
    assert [line for line in done.stderr.splitlines() if "CONSOLE" in line] == []
    return done.stdout


class Browser:
    """A page in a browser on which a test can press keys, controlled through the browser's own pipe."""

    def __init__(self, folder: Path, text: str, ready: str = "document.querySelector('#clock b') !== null") -> None:
        """Open a page, and wait until the expression ``ready`` is true in it."""
        path = folder / "run.html"
        path.write_text(text, encoding="utf-8")
        ours, its = os.pipe(), os.pipe()  # to the browser, from the browser

        def wire() -> None:  # the browser reads from 3 and writes to 4
            reading, writing = os.dup(ours[0]), os.dup(its[1])
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, *FLAGS, "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(ours[0])
        os.close(its[1])
        self._write, self._read = os.fdopen(ours[1], "wb", buffering=0), os.fdopen(its[0], "rb", buffering=0)
        self._number, self._rest, self._session = 0, b"", None
        page = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.ask("Page.navigate", url=path.as_uri())
        self.until(f"document.readyState === 'complete' && {ready}")

    def ask(self, method: str, **parameters: object) -> dict:
        self._number += 1
        question = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            question["sessionId"] = self._session
        self._write.write(json.dumps(question).encode() + b"\0")
        while True:
            while b"\0" not in self._rest:
                ready, _, _ = select.select([self._read], [], [], 60)
                assert ready, f"the browser does not answer {method}"
                more = self._read.read(65536)
                assert more, "the browser is gone"
                self._rest += more
            message, self._rest = self._rest.split(b"\0", 1)
            answer = json.loads(message)
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def value(self, expression: str) -> object:
        """Return the value of an expression in the page."""
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true in the page, checking repeatedly for at most 20 s."""
        if not self._waited(f"({expression})", 20_000):
            if not self._painted():
                pytest.skip("the browser paints no frames here")
            raise AssertionError(expression)

    def _waited(self, condition: str, most: int) -> bool:
        look = f"const look = () => {condition} ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 10);"
        frames = f"new Promise((done) => {{ const end = Date.now() + {most}; {look} look(); }})"
        answer = self.ask("Runtime.evaluate", expression=frames, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value") is True

    def _painted(self) -> bool:
        """Return whether the browser requests frames; otherwise nothing can be played."""
        self.value("window.painted = false; requestAnimationFrame(() => { window.painted = true; });")
        return self._waited("window.painted", 3_000)

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 else "")

    def close(self) -> None:
        self._write.close()
        self.process.terminate()
        self.process.wait(30)
        self._read.close()
