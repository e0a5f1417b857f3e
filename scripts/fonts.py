"""Make the fonts of the program, in ``resources/fonts``, from those that their authors publish.

The variable fonts of the packages ``fontpkg-inter`` and ``fontpkg-jetbrains-mono`` become one file for each weight,
because Qt finds the weights of a variable font only on some systems. Three more things differ from the originals:
figures are as wide as each other, so that a number that counts up does not make its neighbours tremble; there are no
ligatures, so that ``->`` and ``!=`` stay what was typed; and alternative shapes that the program never asks for are
left out.

To run it, install those two packages and ``fonttools`` in an environment of their own::

    python scripts/fonts.py
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "fonts"
WEIGHTS = {"Regular": 400, "Medium": 500, "SemiBold": 600, "Bold": 700}
#: File -> package, file in it, weights, other axes.
FONTS = {
    "Inter": ("fontpkg_inter", "Inter[opsz,wght].ttf", tuple(WEIGHTS), {"opsz": 14}),
    "JetBrainsMono": ("fontpkg_jetbrains_mono", "JetBrainsMono[wght].ttf", ("Regular", "Bold"), {}),
}
#: What text needs: accents that combine, forms of a language, and the distances of letters.
FEATURES = ["ccmp", "locl", "mark", "mkmk", "kern"]


def figures_alike(font: TTFont) -> None:
    """Make the figures of equal width the usual ones."""
    names = font.getGlyphOrder()
    for table in font["cmap"].tables:
        for code in range(ord("0"), ord("9") + 1):
            alike = f"{table.cmap.get(code)}.tf"
            if alike in names:
                table.cmap[code] = alike


def make(name: str, weight: str) -> None:
    """Write the font of one weight."""
    package, file, _weights, axes = FONTS[name]
    font = TTFont(str(files(package) / "files" / file))
    font = instantiateVariableFont(font, {"wght": WEIGHTS[weight], **axes}, updateFontNames=True)
    figures_alike(font)
    options = Options(layout_features=FEATURES, name_IDs=["*"], notdef_outline=True, hinting=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    font.save(FOLDER / f"{name}-{weight}.ttf")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (package, _file, weights, _axes) in FONTS.items():
        (FOLDER / f"{name}-OFL.txt").write_bytes((files(package) / "LICENSE").read_bytes())
        for weight in weights:
            make(name, weight)
