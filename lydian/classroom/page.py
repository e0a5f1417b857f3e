"""The files of the page that browsers show: ``resources/templates/class``."""

from __future__ import annotations

from lydian.model.archive.shelves import our_folder

__all__ = ["files"]

_KINDS = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml", ".json": "application/json", ".woff2": "font/woff2", ".ttf": "font/ttf",
}  # fmt: skip


def files() -> dict[str, tuple[str, bytes]]:
    """Return the files by name: their content type and their bytes."""
    folder = our_folder() / "resources" / "templates" / "class"
    if not folder.is_dir():
        return {}
    return {each.name: (_KINDS[each.suffix], each.read_bytes()) for each in folder.iterdir() if each.suffix in _KINDS}
