"""TikZ: a picture drawn by LaTeX, for papers; a complete document that can also be included."""

from __future__ import annotations

from lydian.formats.networks.format import FORMATS, Format
from lydian.model.network import Network

__all__ = ["dumps"]

_WIDTH = 12.0  # centimetres
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def dumps(network: Network) -> str:
    """Return a network as a ``tikzpicture`` 12 cm wide, with double outlines of initiators, and arrows for directed
    links."""
    points = network.coordinates
    low = points.min(axis=0) if network.n else (0.0, 0.0)
    extent = max(float((points.max(axis=0) - low)[0]) if network.n else 0.0, 1.0)
    scale = _WIDTH / extent
    classes = sorted({link.klass for link in network.links if link.klass})
    dashes = {name: ("dashed", "dotted", "dash dot")[i % 3] for i, name in enumerate(classes)}
    lines = [
        r"\documentclass[tikz]{standalone}",
        r"\begin{document}",
        r"\begin{tikzpicture}[",
        r"  process/.style={circle, draw, minimum size=7mm, inner sep=1pt, font=\small},",
        r"  initiator/.style={process, double},",
        r"  link/.style={semithick}, >=stealth]",
    ]
    for i, name in enumerate(network.processes):
        style = "initiator" if name in network.initiators else "process"
        x, y = (float(points[i][0]) - low[0]) * scale, -(float(points[i][1]) - low[1]) * scale
        lines.append(rf"  \node[{style}] (p{i}) at ({x + 0:.2f}, {y + 0:.2f}) {{{_text(name)}}};")
    for link in network.links:
        options = ["link", *(["->"] if link.directed else []), *([dashes[link.klass]] if link.klass else [])]
        a, b = network.index[link.a], network.index[link.b]
        lines.append(rf"  \draw[{', '.join(options)}] (p{a}) -- (p{b});")
    return "\n".join([*lines, r"\end{tikzpicture}", r"\end{document}", ""])


def _text(name: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in name)


FORMATS.register(Format("tikz", "TikZ (LaTeX)", (".tex", ".tikz"), None, dumps, "drawing", r"\\begin\{tikz"))
