"""The painters of views, loaded a second time with the classes that write SVG in place of Qt's."""

from __future__ import annotations

import importlib
import re
import sys
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from types import ModuleType
from typing import Any

__all__ = ["import_module", "painter_class"]

_REAL, _HERE = "lydian.app", "lydian.lab.vector.app"
#: Modules that draw in another way here.
_OWN = {f"{_HERE}.look.fragments": "lydian.lab.vector.stamps", f"{_HERE}.look.icons": "lydian.lab.vector.icons"}
_TEXTS = (
    (re.compile(r"\bPySide6\.QtCore\b"), "lydian.lab.vector.core"),
    (re.compile(r"\bPySide6\.QtGui\b"), "lydian.lab.vector.gui"),
    (re.compile(r"^from shiboken6 import", re.MULTILINE), "from lydian.lab.vector.core import"),
    (re.compile(r"^from importlib import import_module", re.MULTILINE), f"from {__name__} import import_module"),
    (re.compile(r"\blydian\.app\b"), _HERE),
)  # fmt: skip


class _Loader(SourceLoader):
    def __init__(self, name: str, path: str) -> None:
        self._name, self._path = name, path

    def get_filename(self, fullname: str) -> str:
        return self._path

    def get_data(self, path: str) -> bytes:
        with open(path, "rb") as file:  # noqa: PTH123 - what the import system calls
            return file.read()

    def path_stats(self, path: str) -> Any:
        raise OSError  # the compiled file beside the source is that of the other module

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> Any:  # type: ignore[override]
        text = data.decode("utf-8")
        for pattern, other in _TEXTS:
            text = pattern.sub(other, text)
        return compile(text, path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != _HERE and not fullname.startswith(f"{_HERE}."):
            return None
        real = find_spec(_OWN.get(fullname) or _REAL + fullname[len(_HERE) :])
        if real is None or real.origin is None:
            return None
        package = real.submodule_search_locations is not None
        return spec_from_loader(fullname, _Loader(fullname, real.origin), is_package=package)


if not any(type(each).__name__ == _Finder.__name__ and type(each).__module__ == __name__ for each in sys.meta_path):
    sys.meta_path.insert(0, _Finder())


def import_module(name: str) -> ModuleType:
    """Return a module; one of the window's is the one that is loaded here."""
    here = f"{_HERE}{name[len(_REAL) :]}" if name == _REAL or name.startswith(f"{_REAL}.") else name
    return importlib.import_module(here)


def painter_class(path: str) -> Any:
    """Return the class of a view's painter, whose constructor takes a theme, by its dotted path.

    Raises:
        ImportError: it belongs to another package and needs Qt, which is not installed.
    """
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)
