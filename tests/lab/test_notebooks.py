"""The guide's page on Python and the notebooks are executed as a reader executes them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lydian.model.childprocess import environment
from tests.some import some
from tests.views.browser import CHROMIUM, Browser

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "resources" / "notebooks").glob("*.ipynb"))
BLOCKS = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def executed(cells: list[str], folder: Path) -> list[str]:
    """Return the output of each cell of one notebook."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "lab" / "cells.py")], input=json.dumps(cells), capture_output=True,
        text=True, check=False, env={**environment(), "IPYTHONDIR": str(folder / "ipython")}, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def same(expected: str, printed: str) -> bool:
    told, got = ("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (expected, printed))
    return re.fullmatch(re.escape(told).replace(r"\.\.\.", r"[\s\S]*"), got) is not None


def test_the_page_prints_what_it_shows(tmp_path):
    pytest.importorskip("pandas")
    page = (ROOT / "resources" / "guide" / "python.md").read_text(encoding="utf-8")
    blocks = [(language, words.strip(), body) for language, words, body in BLOCKS.findall(page)]
    assert {block[:2] for block in blocks} == {("python", "cell"), ("text", "")}
    cells = [body for language, _, body in blocks if language == "python"]
    printed = executed(cells, tmp_path)
    at = -1
    shown = [""] * len(cells)
    for language, _, body in blocks:
        if language == "python":
            at += 1
        else:
            shown[at] = body
    for cell, told, got in zip(cells, shown, printed, strict=True):
        assert same(told, got), f"{cell}\ntold:\n{told}\nprinted:\n{got}"
    assert {"causality.svg", "echo.html", "echo.parquet", "time.svg"} <= {path.name for path in tmp_path.iterdir()}


def test_a_class_may_be_spread_over_cells_that_are_executed_again(tmp_path):
    cells = [
        "import lydian\nfrom lydian import *",
        "IDLE, DONE = states('idle', 'done')\nLIMIT = len('abc')",
        "class Ping(Message):\n    number: int",
        "class Talk(Process):\n    state = IDLE\n    @on(IDLE, INIT)\n    def start(self):\n        self.state = DONE\n"
        "        for q in self.neighbours:\n            self.send(Ping(LIMIT), to=q)\n"
        "    @on(IDLE, Ping)\n    def hear(self, m, q):\n        self.state = DONE\n        self.decide(m.number)\n"
        "    @on(DONE, Ping)\n    def more(self, m, q):\n        1 // 0",
        "@at_end('the end')\ndef end(c):\n    return True",
        "run = lydian.run(Talk, network='line:2')\nprint(run.decided, [c.name for c in run.checks])",
        "class Ping(Message):\n    number: int\n    more: str = ''",
        "print(lydian.run(Talk, network='line:2').decided)",
        "print(lydian.run(Talk, network='ring:3', initiators='all').error)",
        "print(lydian.runs(Talk, network='line:2', seeds=2, workers=1).ok)",
        "from lydian.model.errors import LydianError\ntry:\n    lydian.run(Talk, 'x')\n"
        "except LydianError as error:\n"
        "    print(error._render_traceback_())",
        "def inside():\n    class Hidden(Process):\n        pass\n    return Hidden\nlydian.run(inside())",
    ]
    printed = executed(cells, tmp_path)
    assert printed[5] == "{'1': 3} ['the end']\n"
    assert printed[7] == "{'1': 3}\n"
    failed = r"cell \[4\], line 14: process \d is done and got Ping\(number=3\) from \d: ZeroDivisionError.*\n"
    assert re.fullmatch(failed, printed[8])
    assert printed[9] == "True\n"
    assert printed[10].startswith("[\"lydian: unknown network 'x'")
    assert printed[11].startswith("BadInput: Hidden is declared inside inside; declare it at the top level")


@pytest.mark.parametrize("path", some(NOTEBOOKS, 1), ids=lambda path: path.stem)
def test_a_notebook_runs_in_a_real_kernel(path, tmp_path, monkeypatch):
    """Each notebook is executed from top to bottom; it is kept without outputs."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in book.cells)
    done = nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in done.cells for output in cell.get("outputs", ())]
    assert not [each for each in outputs if each.output_type == "error"]
    assert any("text/html" in each.get("data", {}) for each in outputs)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; apt-get install chromium")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_notebook_as_a_page_shows_pictures_and_plays_in_its_own_theme(theme, tmp_path):
    nbformat, nbconvert = pytest.importorskip("nbformat"), pytest.importorskip("nbconvert")
    import lydian

    run = lydian.run("echo", network="ring:5", seed=7)
    bundles = [run.show("causality", at="50%")._repr_mimebundle_(), {"text/html": run.play()._repr_html_()}]
    outputs = [nbformat.v4.new_output("display_data", data=each) for each in bundles]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("...", outputs=outputs)])
    page, _ = nbconvert.HTMLExporter(theme=theme).from_notebook_node(book)
    own = "document.querySelector('iframe').contentDocument"
    browser = Browser(tmp_path, page.replace(' loading="lazy"', ""), f"{own}.querySelector('#clock b') !== null")
    try:
        browser.until(f"{own}.documentElement.dataset.theme === '{theme}'")
        picture = "document.querySelector('img[alt^=picture]')"
        browser.until(f"{picture}.naturalWidth > 100")
        assert (browser.value(f"getComputedStyle({picture}).content") != "normal") == (theme == "dark")
    finally:
        browser.close()
