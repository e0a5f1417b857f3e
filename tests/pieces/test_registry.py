"""A registered piece of animation is declared, drawn, listed and played like the built-in ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.network.basic import BasicPainter
from lydian.app.painters.pieces.beside import parted
from lydian.app.painters.pieces.piece import Drawing, PanelPainter, PiecePainter
from lydian.model.errors import BadInput
from lydian.model.network import Link, Network
from lydian.pieces import animation, piece
from lydian.pieces.animation import Animation, Grid, decoded, encoded, load_animation
from lydian.pieces.channels import Channel, Known
from lydian.pieces.grid import Cell
from lydian.pieces.piece import LegendItem, Moment, Piece, Teller
from lydian.trace.timeline import Timeline
from lydian.views.network import basic
from lydian.views.page.page import page, run_data
from tests.views.book import Book
from tests.views.page.test_page import numbers

pytestmark = pytest.mark.usefixtures("qapp")
RECT = QRectF(0, 0, 900, 600)
INK = QColor("#ff00aa")
ROW = Network("row", ("a", "b", "c"), (Link("a", "b"), Link("b", "c")),
              positions={"a": (0.0, 0.0), "b": (200.0, 150.0), "c": (400.0, 0.0)})  # fmt: skip


@dataclass(frozen=True)
class Star:
    """A square over each process whose variable is true."""

    variable: str
    word: str = "star"

    def __post_init__(self) -> None:
        if not self.variable:
            raise BadInput("a star needs a variable")


@dataclass(frozen=True, eq=False)
class StarFrame:
    declared: Star
    shining: tuple[bool, ...]


@dataclass(frozen=True)
class Count(Star):
    """The number of stars, in a panel."""

    share: float = 0.3


class StarPainter(PiecePainter):
    def over(self, d: Drawing) -> None:
        for state in d.frame.stars:
            for process in np.flatnonzero(state.shining).tolist():
                x, y = d.m.points[process].tolist()
                d.p.fillRect(QRectF(x - 4, y - 4, 8, 8), INK)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Star, k: float) -> None:
        p.fillRect(box, INK)

    def note(self, pos: QPointF, m: Any, frame: basic.BasicFrame) -> str:
        return "a star" if np.hypot(*(m.points - (pos.x(), pos.y())).T).min() < 4 else ""


class CountPainter(PanelPainter):
    def paint(self, p: QPainter, box: QRectF, frame: basic.BasicFrame, state: StarFrame) -> None:
        p.fillRect(box, INK)

    def told(self, pos: QPointF, box: QRectF, frame: basic.BasicFrame, state: StarFrame) -> str:
        return f"{sum(state.shining)} of {len(frame.names)}"


def at(now: Moment, declared: Star) -> StarFrame:
    return StarFrame(declared, tuple(map(bool, now.scene.run.variable_at(declared.variable, now.k))))


def channels(known: Known, number: int, declared: Star) -> Iterator[Channel]:
    yield Channel("number", "stars", number, (declared.variable,), lambda _look, _p, values, *_: float(values[0]))


def legend(seen: Any, number: int, declared: Star) -> Iterator[LegendItem]:
    if declared.variable in seen.run.variable_names:
        yield LegendItem.plain("star", number, declared.word)


def told(tell: Teller, declared: Star) -> dict[str, Any]:
    return {"variable": declared.variable, "process": tell.column(tell.codes)}


@pytest.fixture
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    script = tmp_path / "stars.js"
    script.write_text("scripts.star = class extends Piece {\n  over(c, m) { c.fillRect(0, 0, 1, 1); }\n};\n")
    painters = ModuleType("painters_of_stars")
    painters.__dict__.update(StarPainter=StarPainter, CountPainter=CountPainter)
    monkeypatch.setitem(sys.modules, "painters_of_stars", painters)
    piece.register(Piece("star", Star, "stars", None, channels=channels, at=at, nothing=(), legend=legend, page=told,
                         painter="painters_of_stars.StarPainter", script=str(script)))  # fmt: skip
    piece.register(Piece("count", Count, at=at, panel="tall", painter="painters_of_stars.CountPainter"))
    yield
    piece.unregister("star")
    piece.unregister("count")


def run() -> Timeline:
    book = Book(("a", "b", "c"), links=[("a", "b"), ("b", "c")])
    book.write(1.0, "init", "a", state="waiting", changed={"bright": True})
    book.write(2.0, "init", "b", state="waiting", changed={"bright": True})
    return Timeline(book.trace(initial={"bright": False}))


def drawn_pixels(frame: basic.BasicFrame) -> tuple[BasicPainter, list[tuple[int, int]]]:
    painter, image = BasicPainter(Theme("light")), QImage(900, 600, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    p = QPainter(image)
    painter.paint(p, RECT, frame)
    p.end()
    wanted = INK.rgba()
    return painter, [(x, y) for x in range(900) for y in range(600) if image.pixel(x, y) == wanted]


@pytest.mark.usefixtures("registered")
def test_a_piece_is_in_the_picture_and_in_the_legend() -> None:
    drawn = Animation(stars=(Star("bright", word="shines"),))
    frame = basic.frame(run(), 2.0, network=ROW, animation=drawn)
    assert frame.stars[0].shining == (True, True, False) and basic.frame(None, 0.0, animation=drawn).stars == ()
    assert [(item.sort, item.word) for item in frame.legend][-1] == ("star", "shines")
    painter, found = drawn_pixels(frame)
    points = painter.map(RECT, frame).points.astype(int).tolist()
    card = painter._placed(RECT, frame, None)[1].card
    beside = {(x, y) for x, y in found if not card.contains(QPointF(x, y))}
    assert [tuple(point) in beside for point in points] == [True, True, False]
    assert any(card.contains(QPointF(x, y)) for x, y in found), "its sign stands in the legend"
    assert painter.note_at(QPointF(*points[2]), RECT, frame) == "a star"
    _, none = drawn_pixels(basic.frame(run(), 2.0, animation=Animation()))
    assert none == []


@pytest.mark.usefixtures("registered")
def test_a_panel_has_its_place_beside_the_network() -> None:
    frame = basic.frame(run(), 1.0, animation=Animation(count=Count("bright"), grid=Grid(Cell("bright"))))
    painter, found = drawn_pixels(frame)
    parts = parted(Theme("light"), RECT, frame)
    ((box,), (grid,)) = parts.of("count"), parts.of("grid")
    assert (round(box.center().x()), round(box.center().y())) in found and grid.bottom() == box.top()
    assert painter.note_at(box.center(), RECT, frame) == "1 of 3"


@pytest.mark.usefixtures("registered")
def test_a_page_receives_its_data_and_its_script() -> None:
    drawn = Animation(stars=Star("bright"))
    data = run_data(run(), drawn)
    assert data["pieces"]["stars"][0]["variable"] == "bright"
    channel = data["channels"].index({"sort": "number", "part": "stars", "index": 0})
    columns = (numbers(data["changes"][name]).tolist() for name in ("what", "at", "process", "value"))
    told = [(at, p, data["numbers"][value]) for what, at, p, value in zip(*columns, strict=True) if what == channel]
    assert told == [(-1, 0, 0.0), (-1, 1, 0.0), (-1, 2, 0.0), (0, 0, 1.0), (1, 1, 1.0)]
    assert "scripts.star = class" in page(run(), drawn) and "scripts.star" not in page(run(), Animation())


@pytest.mark.usefixtures("registered")
def test_files_declare_it_and_other_processes_can_describe_it(tmp_path: Path) -> None:
    path = tmp_path / "stars.py"
    path.write_text("from lydian.pieces.animation import Animation, Star\nanimation = Animation(stars=(Star('n'),))\n")
    found = load_animation(path)
    assert found.stars == (Star("n"),) and decoded(encoded(found)) == found
    assert "Star" in animation.__all__ and "Count" in animation.__all__


@pytest.mark.usefixtures("registered")
def test_a_wrong_declaration_is_an_error() -> None:
    with pytest.raises(BadInput, match=r"stars must be a list of Star\(...\), not 'bright'"):
        Animation(stars="bright")
    with pytest.raises(BadInput, match=r"count must be Count\(...\), not 3"):
        Animation(count=3)
    with pytest.raises(ValueError, match="a piece 'star' for Star already"):
        piece.register(Piece("another", Star))
    with pytest.raises(ValueError, match="a piece of animation named 'star' already"):
        piece.register(Piece("star", int))


def test_an_unregistered_piece_is_unknown() -> None:
    with pytest.raises(BadInput, match="an animation has no star"):
        Animation(stars=())
    with pytest.raises(BadInput, match=r"an animation has no pointer.*did you mean 'pointers'"):
        Animation(pointer=())
    with pytest.raises(AttributeError):
        _ = Animation().stars
    with pytest.raises(ImportError):
        from lydian.pieces.animation import Star  # noqa: F401


def test_every_piece_has_an_existing_painter_and_script() -> None:
    from lydian.app.painters.pieces.piece import painter_of

    theme, scripts = Theme("light"), Path(__file__).resolve().parents[2] / "resources" / "templates"
    for each in piece.pieces():
        assert isinstance(painter_of(each, theme), PanelPainter if each.panel else PiecePainter), each.name
        assert not each.script or f"scripts.{each.name} = class" in (scripts / each.script).read_text(), each.name
        assert (each.page is None) == (not each.script), each.name
