"""Pictures of views without Qt: the same painters, and a notebook that shows them in its own theme."""

from __future__ import annotations

import ast
import base64
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import PySide6.QtCore
import PySide6.QtGui
import pytest

import lydian
from lydian.app.pictures.render import encoded, shots_of
from lydian.lab.vector import core, drawn, gui
from lydian.model.archive.archive import archive
from lydian.model.childprocess import environment
from lydian.model.errors import LydianError
from lydian.views import registry

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
#: What only the state diagram of a protocol uses, which is not a view of a run.
DIAGRAM = {"connectPath", "toReversed"}
#: What only pictures in pixels use.
RASTER = {"scroll"}


@pytest.fixture(scope="module")
def run():
    return lydian.run("two-wings")


def texts(svg: str) -> Counter[str]:
    """Return the texts of a picture and how often each occurs; the halo of a text, which is stroked, is left out."""
    tree = ET.fromstring(svg)
    shown = [each for each in tree.iter(f"{SVG}text") if each.get("stroke", "none") == "none"]
    return Counter(text for each in shown if (text := "".join(each.itertext()).strip()))


def test_everything_that_painters_ask_of_qt_exists_and_nothing_else():
    """The classes that write SVG have the methods of Qt whose names occur in a painter, and no others."""
    folders = ("lydian/app/painters", "lydian/app/look/theme.py", "lydian/app/look/shapes.py")
    files = [
        *(path for folder in folders for path in [ROOT / folder] if path.is_file()),
        *(ROOT / folders[0]).rglob("*.py"), ROOT / "lydian/app/pictures/painting.py",
    ]  # fmt: skip
    ours = {name: getattr(module, name) for module in (core, gui) for name in module.__all__}
    qt = {name: getattr(PySide6.QtGui, name, None) or getattr(PySide6.QtCore, name, None) for name in ours}
    theirs = {method for each in qt.values() for method in dir(each) if re.search("[a-z][A-Z]", method)}
    known = {method for each in ours.values() for method in dir(each)}
    used = {name for path in files for name in re.findall(r"\.([a-z]\w*)\(", path.read_text(encoding="utf-8"))}
    assert used & theirs - known <= DIAGRAM | RASTER
    own = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lydian/lab/vector").glob("*.py"))
    methods = {method for method in known & theirs if method[0].islower()}
    assert methods <= used | set(re.findall(r"\.([a-z]\w*)\(", own))
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        lines = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) and each.module is not None]
        asked = {name.name for each in lines if str(each.module).startswith("PySide6") for name in each.names}
        assert asked <= set(ours), path


def test_the_opacity_of_a_stamp_is_a_share_of_that_of_the_painter():
    sheet = gui.Sheet()
    p = gui.QPainter(sheet)
    p.setOpacity(0.5)
    p.drawUse("a", 3, 4, 0, 0.5)
    assert sheet.elements == ['<use href="#a" opacity="0.25" transform="translate(3 4)"/>']


@pytest.mark.parametrize("view", ["basic", "communication", "causality", "step", "occupation", "knowledge", "world"])
@pytest.mark.parametrize("name", ["two-wings", "apples", "raft"])
def test_a_picture_says_what_qt_says(view, name, qapp):
    run = lydian.run(name, limit=1500)
    t = 0.5 * run.time
    ours = texts(drawn(run.timeline, [view], t, size=(960, 600), theme="dark", prefix="a"))
    data = encoded(run.timeline, None, shots_of([view]), t, ".svg", size=(960, 600), theme="dark")
    theirs = texts(re.sub("(?s)<!DOCTYPE.*?>", "", data.decode()))
    assert {text: theirs[text] for text in ours if not text.endswith("…")} == {
        text: count for text, count in ours.items() if not text.endswith("…")
    }
    assert sum(ours.values()) == sum(theirs.values())


def test_large_runs_are_pictures_too(run):
    large = lydian.run("echo", network="gnm:600,1500,seed=1", seed=1)
    for view in registry.names():
        ET.fromstring(large.show(view, at="50%").svg())


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", archive().names("experiments"))
def test_every_experiment_is_drawn_in_every_view(name):
    experiment = archive().experiment(name)
    run = lydian.run(experiment, limit=min(experiment.stop.events, 4000))
    for view in registry.names():
        ET.fromstring(drawn(run.timeline, [view], 0.6 * run.time, size=(960, 600), theme="light", prefix="a"))


def test_a_picture_in_a_notebook_has_both_themes(run, tmp_path):
    picture = run.show("causality", at=6.6)
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "text/html", "text/plain"}
    ET.fromstring(bundle["image/svg+xml"])
    dark, light = (base64.b64decode(each).decode() for each in re.findall(r"base64,([\w+/=]+)", bundle["text/html"]))
    assert light == picture.svg("light") and dark == picture.svg("dark") and light != dark
    assert bundle["text/plain"] == "<picture of causality at time 6.6; save it with save('picture.svg')>"
    assert picture.save(tmp_path / "a.svg").read_text() == light
    assert run.show(theme="dark")._repr_html_().count("base64,") == 1


def test_names_differ_between_pictures_of_one_page(run):
    first, second = (set(re.findall(r'id="(\w+)"', run.show("occupation", at=at).svg())) for at in (3, 4))
    assert first and not first & second


@pytest.mark.parametrize(
    ("at", "time"), [(None, "end"), (6.6, 6.6), ("6.6", 6.6), ("50%", "half"), ("5 is waiting", 2.69), (-1, -1)]
)
def test_moments(run, at, time):
    wanted = {"end": run.time, "half": run.time / 2}.get(time, time)
    assert run.show(at=at).time == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"view": "causalty"}, "unknown view 'causalty' (did you mean 'causality'?); choose from basic"),
        ({"at": "99 is waiting"}, "at: "),
        ({"at": float("nan")}, "at: must be a time, a share such as '40%' or a condition, not nan"),
        ({"theme": "drak"}, "unknown theme 'drak' (did you mean 'dark'?)"),
        ({"size": (10, 10)}, "size: must be 64 to 8000 pixels each way, not 10 x 10"),
        ({"size": 7}, "size: must be width and height such as (960, 600), not 7"),
    ],
)
def test_what_cannot_be_drawn_gets_a_sentence(run, arguments, sentence):
    with pytest.raises(LydianError) as error:
        run.show(**arguments)
    assert sentence in str(error.value)


def test_a_picture_is_saved_as_svg_only(run, tmp_path):
    with pytest.raises(LydianError, match=r"the name of a picture must end in \.svg"):
        run.show().save(tmp_path / "a.png")


def test_everything_works_without_the_extras(tmp_path):
    """With the window, movies, Spark and SciPy blocked, everything but them works."""
    code = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph", "av", "pyspark", "pandas", "scipy"}:
            raise ImportError(name + " is blocked here")
sys.meta_path.insert(0, Blocked())
import lydian
from lydian import INIT, Message, Process, at_end, on
run = lydian.run("echo", network="gnm:60,120,seed=1", seed=7)
assert run.ok and run.table().num_rows and len(run.events("kind=send")) == run.messages
for view in ("basic", "communication", "causality", "step", "occupation", "knowledge", "world"):
    run.show(view, at="40%").save(view + ".svg")
run.play().save("run.html")
assert lydian.open_run(run.save("run.parquet")).fingerprint == run.fingerprint
assert lydian.runs("echo", network="ring:4", seeds=2, workers=1).ok
assert lydian.explore("echo", network="complete:3").proved
assert run._repr_html_()
for name in ("to_pandas", "sweep"):
    try:
        run.to_pandas() if name == "to_pandas" else lydian.sweep("echo-messages")
    except lydian.model.errors.LydianError as error:
        print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment(), cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == "pandas is not installed; pip install pandas, or use table(), which needs none"
    assert "pip install" in second and "spark" in second
    assert len(list(tmp_path.glob("*.svg"))) == 7
