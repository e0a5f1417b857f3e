"""The looks of the program: colours, fonts, widths and sizes, which come only from ``resources/tokens.json``.

A :class:`Theme` is light, dark or of high contrast, for a desk or for a projector, with text of any size. Painters and
widgets ask it for values by the names in the tokens.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette

from lydian.language import tr
from lydian.model.archive.shelves import our_folder
from lydian.model.errors import BadInput

__all__ = ["MessageStyle", "StateStyle", "Theme", "families", "mixed", "tokens"]

#: The number of looks for states and for kinds of message; further ones reuse them from the first on.
SLOTS = 8
#: From this slot on, a process is drawn without the look of a state.
HOLLOW = 2 * SLOTS
MESSAGE_KINDS = 6

_System = QFontDatabase.SystemFont


@functools.cache
def tokens() -> Mapping[str, Any]:
    """Return the design tokens, read once from beside the package or from inside an installed one."""
    path = our_folder() / "resources" / "tokens.json"
    if path.is_file():
        loaded: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return loaded
    raise BadInput(tr("the program's resources are missing; reinstall LYDIAN"), file="resources/tokens.json")


@functools.cache
def families() -> tuple[str, str]:
    """Load the fonts that come with the program; return the family of all text and the one of fixed width.

    A family that cannot be loaded is replaced by the system's. Call it only after an application has been created.
    """
    folder, found = our_folder() / "resources" / "fonts", []
    for name, usual in (("Inter", _System.GeneralFont), ("JetBrainsMono", _System.FixedFont)):
        loaded = [QFontDatabase.addApplicationFont(str(file)) for file in sorted(folder.glob(f"{name}-*.ttf"))]
        here = [family for number in loaded for family in QFontDatabase.applicationFontFamilies(number)]
        found.append(here[0] if here else QFontDatabase.systemFont(usual).family())
    return found[0], found[1]


@dataclass(frozen=True)
class StateStyle:
    """The look of a state: colours, shape and hatch, always used together.

    ``double`` means that the slot is used for a second time and the outline is drawn twice.
    """

    fill: QColor
    outline: QColor
    label: QColor
    shape: str
    hatch: str
    name: str = ""
    double: bool = False


@dataclass(frozen=True)
class MessageStyle:
    """The look of a kind of message. ``dash`` is in pixels: drawn, gap, drawn, gap; empty for a solid line."""

    color: QColor
    head: str
    dash: list[float]


class Theme:
    """One of the looks.

    Args:
        name: ``"light"``, ``"dark"`` or ``"contrast"`` (light on black, text at least 7:1, graphics 4.5:1).
        projector: larger type, thicker lines, larger processes.
        scale: size of text relative to the default, 0.8 to 2.5; the sizes of widgets with text follow.
        eye: the kind of colour vision that views on the screen simulate, one of :data:`lydian.app.look.vision.EYES`.
        still: whether nothing glides or fades.
    """

    def __init__(
        self,
        name: Literal["light", "dark", "contrast"] | str = "light",
        projector: bool = False,
        scale: float = 1.0,
        *,
        eye: str = "",
        still: bool = False,
    ) -> None:
        everything = tokens()
        if name not in everything["color"]:
            themes = ", ".join(everything["color"])
            raise BadInput(tr("unknown theme '{theme}'; choose from {themes}", theme=name, themes=themes))
        self.name = name
        self.projector = projector
        self.eye, self.still = eye, still
        limits = everything["type"]["scale"]
        self.scale = min(max(float(scale), limits["least"]), limits["most"])
        self._tokens = everything
        self._colors: Mapping[str, Any] = everything["color"][name]
        self._cache: dict[Any, Any] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Theme) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        size = "" if self.scale == 1.0 else f", scale={self.scale:g}"
        return f"Theme({self.name!r}, projector={self.projector}{size})"

    @property
    def _key(self) -> tuple[str, bool, float, str, bool]:
        return self.name, self.projector, self.scale, self.eye, self.still

    def but(self, **other: Any) -> Theme:
        """Return the same look with some of the arguments of :class:`Theme` replaced."""
        mine = {name: getattr(self, name) for name in ("name", "projector", "scale", "eye", "still")}
        return Theme(**(mine | other))

    @property
    def dark(self) -> bool:
        """Whether the background is dark."""
        return self.name != "light"

    # ------------------------------------------------------------------ colours

    def color(self, path: str) -> QColor:
        """Return the colour of a name, such as ``"surface.canvas"``, ``"playhead"`` or ``"chain.waiting"``.

        For a projector, hints have the colour of secondary text.
        """
        if self.projector and path == "text.hint":
            path = "text.secondary"
        if path not in self._cache:
            self._cache[path] = parsed(str(self._lookup(self._colors, path)))
        return QColor(self._cache[path])

    def number(self, path: str) -> float:
        """Return a number among the colours, such as ``"chain.dimOpacity"``."""
        return float(self._lookup(self._colors, path))

    def state(self, slot: int) -> StateStyle:
        """Return the look of states of a slot; slot 8 looks like 0 with a double outline, and so on; 16 is hollow."""
        key = ("state", slot)
        if slot >= HOLLOW and key not in self._cache:
            self._cache[key] = StateStyle(
                fill=self.color("surface.panel"), outline=self.color("border.control"),
                label=self.color("text.primary"), shape="circle", hatch="none", name="hollow",
            )  # fmt: skip
        if key not in self._cache:
            entry = self._colors["state"][slot % SLOTS]
            self._cache[key] = StateStyle(
                fill=parsed(entry["fill"]),
                outline=parsed(entry["outline"]),
                label=parsed(entry["label"]),
                shape=entry["shape"],
                hatch=entry["hatch"],
                name=entry["name"],
                double=(slot // SLOTS) % 2 == 1,
            )
        style: StateStyle = self._cache[key]
        return style

    def message(self, kind: int) -> MessageStyle:
        """Return the look of messages of a kind; kind 6 looks like 0, and so on."""
        key = ("message", kind)
        if key not in self._cache:
            entry = self._colors["message"][kind % MESSAGE_KINDS]
            dash = [] if entry["dash"] == "solid" else [float(part) for part in entry["dash"].split()]
            self._cache[key] = MessageStyle(color=parsed(entry["color"]), head=entry["head"], dash=dash)
        style: MessageStyle = self._cache[key]
        return style

    # ------------------------------------------------------------------ sizes

    def px(self, role: str) -> int:
        """Return the pixel size of a role of type: caption, small, body, label, title, heading, display.

        It grows with :attr:`scale`, and for a projector, but in that case not beyond the largest size at a desk.
        """
        sizes = self._tokens["type"]["projectorPx" if self.projector else "px"]
        size = int(self._lookup(sizes, role))
        if self.scale == 1.0:
            return size
        most = self._lookup(self._tokens["type"]["px"], role) * self._tokens["type"]["scale"]["most"]
        return max(9, round(min(size * self.scale, max(most, size))))

    def grown(self, pixels: float) -> int:
        """Return the height or width that a part with text needs at the current size of text, at least the default."""
        return round(pixels * max(1.0, self.scale))

    def stretched(self, pixels: float) -> int:
        """Return a size of something beside text, such as an icon's button: it grows a third as much as the text."""
        return round(pixels * (1.0 + max(0.0, self.scale - 1.0) / 3))

    def line(self, role: str) -> float:
        """Return the width of a line in pixels, such as ``"link"`` or ``"waitingChain"``; thicker for a projector."""
        width = float(self._lookup(self._tokens["line"], role))
        return width * float(self._tokens["line"]["projectorFactor"]) if self.projector else width

    def size(self, path: str) -> float:
        """Return any other size, such as ``"node.diameter.l"``, ``"space.rowHeight"`` or ``"radius.card"``.

        For a projector, ``rowHeight`` and ``toolButton`` have larger values; with larger text they grow.
        """
        grow = {"space.rowHeight": self.grown, "space.toolButton": self.stretched}.get(path)
        if self.projector and grow is not None:
            path += "Projector"
        size = float(self._lookup(self._tokens, path))
        return size if grow is None else float(grow(size))

    @property
    def diameter(self) -> float:
        """Return the diameter of a process in the network at full size."""
        usual = self.size("node.diameter.xl" if self.projector else f"node.diameter.{self._tokens['node']['default']}")
        return usual * max(1.0, self.px("label") / self._usual("label"))

    @property
    def head(self) -> float:
        """Return the size of the head of a message."""
        usual = self.size("node.messageHead.l" if self.projector else "node.messageHead.m")
        return usual * max(1.0, self.px("label") / self._usual("label"))

    def dot(self) -> float:
        """Return the diameter of the dot of an event."""
        return self.size("node.eventDot.l" if self.projector else "node.eventDot.m")

    def font(self, role: str = "body", *, semibold: bool = False, mono: bool = False) -> QFont:
        """Return the program's font in the size of a role, or the one of fixed width if ``mono``."""
        key = ("font", role, semibold, mono)
        if key not in self._cache:
            font = QFont(families()[mono])
            if mono:
                font.setStyleHint(QFont.StyleHint.Monospace)
            font.setPixelSize(self.px(role))
            font.setWeight(QFont.Weight.DemiBold if semibold else QFont.Weight.Normal)
            self._cache[key] = font
        return QFont(self._cache[key])

    # ------------------------------------------------------------------ widgets

    def palette(self) -> QPalette:
        """Return the palette for all widgets."""
        palette = QPalette()
        role = QPalette.ColorRole
        for target, path in (
            (role.Window, "surface.window"),
            (role.WindowText, "text.primary"),
            (role.Base, "surface.panel"),
            (role.AlternateBase, "surface.panelAlt"),
            (role.Text, "text.primary"),
            (role.Button, "surface.raised"),
            (role.ButtonText, "text.primary"),
            (role.BrightText, "fault.base"),
            (role.ToolTipBase, "surface.tooltip"),
            (role.ToolTipText, "text.onTooltip"),
            (role.Highlight, "accent.base"),
            (role.HighlightedText, "text.onAccent"),
            (role.Link, "text.link"),
            (role.LinkVisited, "text.link"),
            (role.PlaceholderText, "text.hint"),
            (role.Light, "surface.raised"),
            (role.Midlight, "surface.panelAlt"),
            (role.Mid, "border.subtle"),
            (role.Dark, "border.control"),
            (role.Shadow, "border.strong"),
            (role.Accent, "accent.base"),
        ):
            palette.setColor(target, self.color(path))
        faint = mixed(self.color("text.hint"), self.color("surface.window"), 0.35)
        for target in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, target, faint)
        return palette

    def stylesheet(self) -> str:
        """Return the style sheet for everything a palette cannot express: tooltips, menus, docks, fields, focus."""
        return _STYLESHEET.format(
            tip=self.color("surface.tooltip").name(),
            on_tip=self.color("text.onTooltip").name(),
            panel=self.color("surface.panel").name(),
            header=self.color("surface.header").name(),
            subtle=self.color("border.subtle").name(),
            control=self.color("border.control").name(),
            text=self.color("text.primary").name(),
            soft=self.color("accent.soft").name(),
            ring=self.color("accent.ring").name(),
            radius=int(self.size("radius.control")),
            small=self.px("small"),
            splitter=int(self.size("space.splitter")),
        )

    def _usual(self, role: str) -> float:
        """Return the size of a role of type before it is scaled."""
        return float(self._tokens["type"]["projectorPx" if self.projector else "px"][role])

    def _lookup(self, tree: Any, path: str) -> Any:
        found = tree
        for part in path.split("."):
            if not isinstance(found, Mapping) or part not in found:
                raise KeyError(f"the tokens have no {path!r}")
            found = found[part]
        return found


_STYLESHEET = """
QToolTip {{ background: {tip}; color: {on_tip}; border: 0; border-radius: {radius}px; padding: 6px 8px;
  font-size: {small}px; }}
QMenu {{ background: {panel}; border: 1px solid {subtle}; padding: 4px; }}
QMenu::item {{ padding: 5px 24px 5px 12px; border-radius: {radius}px; }}
QMenu::item:selected {{ background: {soft}; color: {text}; }}
QMenu::separator {{ height: 1px; background: {subtle}; margin: 4px 8px; }}
QSplitter::handle {{ background: transparent; }}
QSplitter::handle:horizontal {{ width: {splitter}px; }}
QSplitter::handle:vertical {{ height: {splitter}px; }}
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {{ border: 1px solid {control}; border-radius: {radius}px;
  padding: 3px 6px; background: {panel}; color: {text}; }}
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{ border: 2px solid {ring}; padding: 2px 5px; }}
QStatusBar::item {{ border: 0; }}
"""


def parsed(text: str) -> QColor:
    """Return a colour of the tokens: ``#RRGGBB`` or ``#RRGGBBAA``."""
    if len(text) == 9:
        color = QColor(text[:7])
        color.setAlpha(int(text[7:], 16))
        return color
    return QColor(text)


def mixed(a: QColor, b: QColor, share: float) -> QColor:
    """Return the colour at ``share`` of the way from ``a`` to ``b``."""
    return QColor.fromRgbF(
        a.redF() + (b.redF() - a.redF()) * share,
        a.greenF() + (b.greenF() - a.greenF()) * share,
        a.blueF() + (b.blueF() - a.blueF()) * share,
        a.alphaF() + (b.alphaF() - a.alphaF()) * share,
    )
