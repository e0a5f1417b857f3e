"""What other installed packages add to LYDIAN, and the registries that hold it beside what comes with the program.

A package names what it adds in its ``pyproject.toml``, in one of :data:`GROUPS`:

    [project.entry-points."lydian.distributions"]
    triangular = "my_package:Triangular"

An entry point is loaded when something of its group is first looked for, never before.  It may lead to the thing itself
(a distribution, a generator, a format), to a function, which is called without arguments and registers what it likes,
or to a module that does so while it is imported.  In ``lydian.protocols`` it names a package whose folder is laid out
like the archive (``protocols``, ``animations``, ``networks``, ``experiments``); nothing in that folder is imported.

An entry point that fails is left out, with one sentence that names it and its package.
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

#: Group of entry points -> what one of them adds.
GROUPS = {
    "lydian.views": "view", "lydian.pieces": "piece of animation", "lydian.formats": "format",
    "lydian.distributions": "distribution", "lydian.generators": "kind of network",
    "lydian.interventions": "kind of intervention", "lydian.protocols": "protocol",
}  # fmt: skip
#: Group -> the modules whose registries it adds to; what is ours is there before what others add.
_HOMES = {
    "lydian.formats": ("lydian.formats.networks", "lydian.formats.logs", "lydian.formats.traces"),
    "lydian.distributions": ("lydian.model.delays",), "lydian.generators": ("lydian.model.generators",),
    "lydian.interventions": ("lydian.model.interventions",), "lydian.views": ("lydian.views.registry",),
    "lydian.pieces": ("lydian.pieces.piece",),
}  # fmt: skip
PROTOCOLS = "lydian.protocols"

_Thing = TypeVar("_Thing")


@dataclass(frozen=True)
class Plugin:
    """One entry point of another package.

    Attributes:
        group: one of :data:`GROUPS`; ``name``: of the entry point.
        package, version: of the package that it belongs to.
        adds: names of what it registered, as far as its registry tells.
        folder: where a package of protocols has them.
        problem: why it is left out, a sentence; empty if it is not.
    """

    group: str
    name: str
    package: str
    version: str
    adds: tuple[str, ...] = ()
    folder: Path | None = None
    problem: str = ""


#: The group of the entry point that is being loaded, and what it has registered: the registry and the name in it.
_adding: ContextVar[tuple[str, list[tuple[Registry[Any], str]]]] = ContextVar("adding", default=("", []))
_registries: dict[str, list[Registry[Any]]] = {}
_loaded: dict[str, tuple[Plugin, ...]] = {}
_lock = RLock()


class Registry(Mapping[str, _Thing], Generic[_Thing]):
    """The things of one kind by name: ours in the order in which they are offered, then those of other packages.

    Ours are looked at first, so other packages are loaded only for a name that is not ours, or when all are asked for.

    Args:
        group: of the entry points that add to it.
        kind: what its things are: instances of this class, or classes derived from it.
        modules: name of a thing of ours -> the module that registers it when it is imported, in the order in which
            they are offered; without them whatever owns the registry fills it.
        key: the attribute that is their name.
    """

    def __init__(self, group: str, kind: type, modules: Mapping[str, str] | None = None, *, key: str = "name") -> None:
        self.kind, self._key = kind, key
        self.group, self._modules = group, dict(modules or {})
        self._things: dict[str, _Thing] = {}
        self._filled = False
        _registries.setdefault(group, []).append(self)

    def register(self, thing: _Thing) -> _Thing:
        """Add a thing under its name; also as a decorator of a class.

        Raises:
            ValueError: it has no name, or there is one of this name already.
        """
        name = getattr(thing, self._key, None)
        if not isinstance(name, str) or not name:
            raise ValueError(f"a {GROUPS[self.group]} needs a name, a text; {thing!r} has none")
        if name in self._things:
            raise ValueError(f"there is a {GROUPS[self.group]} named {name!r} already")
        self._things[name] = thing
        group, added = _adding.get()
        if group == self.group:
            added.append((self, name))
        return thing

    def discard(self, name: str) -> None:
        """Remove a thing."""
        self._things.pop(name, None)

    @property
    def registered(self) -> Mapping[str, _Thing]:
        """What is registered by now; nothing is loaded for it."""
        return self._things

    def suits(self, thing: object) -> bool:
        """Whether a thing can be registered here as it is."""
        return isinstance(thing, self.kind) or (isinstance(thing, type) and issubclass(thing, self.kind))

    def fill(self) -> None:
        """Have everything of ours registered."""
        if not self._filled:
            with _lock:
                for module in self._modules.values():
                    import_module(module)
                ours = {name: self._things[name] for name in self._modules}  # some module may have been imported before
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
    """A function of a floor above that a floor below is handed, by its name: ``lydian.formats.networks:read``."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def load(group: str) -> tuple[Plugin, ...]:
    """Load the entry points of a group, once; later calls only return what was found."""
    with _lock:
        if group not in _loaded:
            _loaded[group] = ()  # whoever asks again meanwhile is one of those that are being loaded
            found = _entries(group)
            for module in _HOMES.get(group, ()) if found else ():
                import_module(module)
            for registry in _registries.get(group, []) if found else ():
                registry.fill()
            _loaded[group] = tuple(_one(*each) for each in found)
            _tell(plugin.problem for plugin in _loaded[group])
        return _loaded[group]


def plugins() -> list[Plugin]:
    """What other packages add to any group, loaded: those of one package together."""
    found = [plugin for group in GROUPS for plugin in load(group)]
    return sorted(found, key=lambda plugin: (plugin.package, list(GROUPS).index(plugin.group), plugin.name))


def folders() -> tuple[Path, ...]:
    """The folders of packages that bring protocols, networks, experiments and animations."""
    return tuple(plugin.folder for plugin in load(PROTOCOLS) if plugin.folder is not None)


def _entries(group: str) -> list[tuple[EntryPoint, str, str]]:
    """The entry points of a group with their packages' names and versions, in a fixed order.

    What lies in the current folder is not installed there, though Python may look for modules in it.
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
            _tell([f"what {package.locate_file('')} says of an installed package cannot be read ({_why(error)})"])
            continue
        found.setdefault(name.lower(), [(each, name, version) for each in own])  # the first one is what is imported
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
    """The folder of a package, which is not imported, though a package around it is."""
    from importlib.util import find_spec

    spec = find_spec(value)
    places = None if spec is None else spec.submodule_search_locations
    if not places:
        raise ValueError(f"{value} must be a package, a folder with protocols in it")
    return Path(next(iter(places)))


def _why(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())


def _tell(problems: Iterable[str]) -> None:
    """Say on standard error what is left out; children of this program say nothing, for it has said it."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.parent_process() is not None:
        return
    for problem in filter(None, problems):
        sys.stderr.write(f"lydian: {problem}\n")
