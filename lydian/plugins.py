"""Extensions from other installed packages, and the registries that contain them and what comes with LYDIAN.

A package declares what it adds in its ``pyproject.toml``, in one of :data:`GROUPS`:

    [project.entry-points."lydian.distributions"]
    triangular = "my_package:Triangular"

An entry point is loaded when something of its group is first looked up, never before. It refers to the extension itself
(a distribution, a generator, a format), to a function that registers extensions and is called without arguments, or to
a module that registers them when it is imported. In ``lydian.protocols`` it names a package whose folder has the layout
of the archive (``protocols``, ``animations``, ``networks``, ``experiments``); nothing in that folder is imported.

An entry point that fails is omitted, and a message names it and its package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUPS", "Plugin", "Registry", "folders", "load", "ours", "plugins"]

#: Group of entry points -> what an entry point of that group adds.
GROUPS = {
    "lydian.views": "view", "lydian.pieces": "piece of animation", "lydian.formats": "format",
    "lydian.distributions": "distribution", "lydian.generators": "kind of network",
    "lydian.interventions": "kind of intervention", "lydian.workloads": "workload", "lydian.protocols": "protocol",
}  # fmt: skip
#: Group -> the modules whose registries it extends; they are imported first, so that built-in things precede others.
_HOMES = {
    "lydian.formats": ("lydian.formats.networks", "lydian.formats.logs", "lydian.formats.traces"),
    "lydian.distributions": ("lydian.model.delays",), "lydian.generators": ("lydian.model.generators",),
    "lydian.interventions": ("lydian.model.interventions",), "lydian.views": ("lydian.views.registry",),
    "lydian.pieces": ("lydian.pieces.piece",), "lydian.workloads": ("lydian.nodes.workloads",),
}  # fmt: skip
PROTOCOLS = "lydian.protocols"

_Thing = TypeVar("_Thing")


@dataclass(frozen=True)
class Plugin:
    """One entry point of another package.

    Attributes:
        group: one of :data:`GROUPS`; ``name``: the name of the entry point.
        package, version: the name and the version of its package.
        adds: the names of what it registered, as far as the registry records them.
        folder: the folder of a package of protocols.
        problem: why it was omitted, as a sentence; empty if it was loaded.
    """

    group: str
    name: str
    package: str
    version: str
    adds: tuple[str, ...] = ()
    folder: Path | None = None
    problem: str = ""


#: The group of the entry point that is being loaded, and what it has registered, as pairs of a registry and a name.
_adding: ContextVar[tuple[str, list[tuple[Registry[Any], str]]]] = ContextVar("adding", default=("", []))
_registries: dict[str, list[Registry[Any]]] = {}
_loaded: dict[str, tuple[Plugin, ...]] = {}
_lock = RLock()


class Registry(Mapping[str, _Thing], Generic[_Thing]):
    """The things of one kind by name: the built-in ones in the order in which they are offered, then all others.

    Built-in things are looked up first, so other packages are loaded only for an unknown name or for a complete list.

    Args:
        group: the group of entry points that add to this registry.
        kind: the class of its things; they are instances of it or classes derived from it.
        modules: name of a built-in thing -> the module that registers it when it is imported, in the order in which
            they are offered; without it, the owner of the registry fills it.
        key: the attribute that contains the name of a thing.
    """

    def __init__(self, group: str, kind: type, modules: Mapping[str, str] | None = None, *, key: str = "name") -> None:
        self.kind, self._key = kind, key
        self.group, self._modules = group, dict(modules or {})
        self._things: dict[str, _Thing] = {}
        self._filled = False
        _registries.setdefault(group, []).append(self)

    def register(self, thing: _Thing) -> _Thing:
        """Add a thing under its name; can be used as a decorator of a class.

        Raises:
            ValueError: the thing has no name, or the name is already in use.
        """
        name = getattr(thing, self._key, None)
        if not isinstance(name, str) or not name:
            raise ValueError(f"the name of a {GROUPS[self.group]} must be text; {thing!r} has no such name")
        if name in self._things:
            raise ValueError(f"a {GROUPS[self.group]} named {name!r} already exists")
        self._things[name] = thing
        group, added = _adding.get()
        if group == self.group:
            added.append((self, name))
        return thing

    def discard(self, name: str) -> None:
        """Remove the thing of this name, if there is one."""
        self._things.pop(name, None)

    @property
    def registered(self) -> Mapping[str, _Thing]:
        """The things that are registered so far; nothing is loaded."""
        return self._things

    def suits(self, thing: object) -> bool:
        """Return True if an object can be registered here as it is."""
        return isinstance(thing, self.kind) or (isinstance(thing, type) and issubclass(thing, self.kind))

    def fill(self) -> None:
        """Register all built-in things."""
        if not self._filled:
            with _lock:
                for module in self._modules.values():
                    import_module(module)
                ours = {name: self._things[name] for name in self._modules}  # in the order of the modules
                self._things = ours | self._things
                self._filled = True

    def __getitem__(self, name: str) -> _Thing:
        self.fill()
        if name not in self._things:
            load(self.group)
        return self._things[name]

    def __contains__(self, name: object) -> bool:
        self.fill()
        if name not in self._things:
            load(self.group)
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        self.fill()
        load(self.group)
        return iter(tuple(self._things))

    def __len__(self) -> int:
        return len(tuple(iter(self)))


def ours(name: str) -> Any:
    """Return a function of a higher layer, for use in a lower one, by name: ``lydian.formats.networks:read``."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def load(group: str) -> tuple[Plugin, ...]:
    """Load the entry points of a group once; later calls return the same result."""
    with _lock:
        if group not in _loaded:
            _loaded[group] = ()  # only a module that is being loaded can call this meanwhile
            found = _entries(group)
            for module in _HOMES.get(group, ()) if found else ():
                import_module(module)
            for registry in _registries.get(group, []) if found else ():
                registry.fill()
            _loaded[group] = tuple(_one(*each) for each in found)
            _tell(plugin.problem for plugin in _loaded[group])
        return _loaded[group]


def plugins() -> list[Plugin]:
    """Load and return the entry points of all groups, those of one package together."""
    found = [plugin for group in GROUPS for plugin in load(group)]
    return sorted(found, key=lambda plugin: (plugin.package, list(GROUPS).index(plugin.group), plugin.name))


def folders() -> tuple[Path, ...]:
    """Return the folders of packages that add protocols, networks, experiments and animations."""
    return tuple(plugin.folder for plugin in load(PROTOCOLS) if plugin.folder is not None)


def _entries(group: str) -> list[tuple[EntryPoint, str, str]]:
    """Return the entry points of a group with the names and versions of their packages, in a fixed order.

    Packages in the current folder are ignored: they are not installed, although Python may import modules from there.
    """
    from importlib.metadata import distributions

    try:
        here = Path.cwd().resolve()
    except OSError:
        here = None
    found: dict[str, list[tuple[EntryPoint, str, str]]] = {}
    for package in distributions():
        try:
            own = package.entry_points.select(group=group)
            if not own or Path(str(package.locate_file(""))).resolve() == here:
                continue
            name, version = package.metadata["Name"], package.version
        except Exception as error:  # noqa: BLE001 - a file that some installer wrote
            _tell([f"the metadata of an installed package in {package.locate_file('')} cannot be read ({_why(error)})"])
            continue
        found.setdefault(name.lower(), [(each, name, version) for each in own])  # Python imports the first one
    return sorted((each for own in found.values() for each in own), key=lambda each: (each[1].lower(), each[0].name))


def _one(entry: EntryPoint, package: str, version: str) -> Plugin:
    """Load one entry point."""
    added: list[tuple[Registry[Any], str]] = []
    before = _adding.set((entry.group, added))
    try:
        if entry.group == PROTOCOLS:
            folder = _folder(entry.value)
            names = sorted(path.stem for path in (folder / "protocols").glob("[!_.]*") if path.suffix in (".py", ""))
            return Plugin(entry.group, entry.name, package, version, tuple(names), folder)
        _register(entry.load(), _registries.get(entry.group, []))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - code of another package may fail in any way
        for registry, name in added:
            registry.discard(name)
        what = f"the entry point {entry.name} ({entry.group}) of the package {package} cannot be used and is left out"
        return Plugin(entry.group, entry.name, package, version, problem=f"{what}: {_why(error)}")
    finally:
        _adding.reset(before)
    return Plugin(entry.group, entry.name, package, version, tuple(name for _, name in added))


def _register(thing: Any, registries: list[Registry[Any]]) -> None:
    for registry in registries:
        if registry.suits(thing):
            registry.register(thing)
            return
    if callable(thing) and not isinstance(thing, type):
        thing()


def _folder(value: str) -> Path:
    """Return the folder of a package without importing it; a package that contains it is imported."""
    from importlib.util import find_spec

    spec = find_spec(value)
    places = None if spec is None else spec.submodule_search_locations
    if not places:
        raise ValueError(f"{value} must be a package: a folder that contains protocols")
    return Path(next(iter(places)))


def _why(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())


def _tell(problems: Iterable[str]) -> None:
    """Report the problems of entry points on standard error; child processes do not repeat the report."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.parent_process() is not None:
        return
    for problem in filter(None, problems):
        sys.stderr.write(f"lydian: {problem}\n")
