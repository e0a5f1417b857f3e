"""Messages, timers and commands, to which processes react.

A subclass declares typed fields, as in a dataclass::

    class Request(Message):
        clock: int
        path: tuple[str, ...] = ()

An object is frozen once created, is compared by its fields, and has a size in bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar

from lydian.model.errors import shown

__all__ = [
    "KIND_BITS", "Command", "Indication", "Message", "Record", "Request", "Timer", "bits_of_value", "fitted",
    "free_for_field", "hashed", "plain_copy",
]  # fmt: skip

#: The number of bits that encode the class of a message.
KIND_BITS = 8

_ATOMS = (bool, int, float, str, bytes, type(None))
_ATOM_SET = frozenset(_ATOMS)
_TYPES: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (float, int),
    "str": (str,),
    "bytes": (bytes,),
    "None": (type(None),),
    "tuple": (tuple,),
    "list": (list,),
    "set": (set, frozenset),
    "frozenset": (frozenset,),
    "dict": (dict,),
}
_REQUIRED: Any = object()


def plain_copy(value: Any) -> Any:
    """Return a copy that shares nothing changeable with ``value``.

    Plain data are copied: numbers, texts, ``None``, and tuples, lists, sets, dicts and messages of these.

    Raises:
        TypeError: the value is anything else (a generator, a function, an open file, a process).
    """
    kind = type(value)
    if kind in _ATOM_SET:
        return value
    if kind in (list, tuple, set, frozenset):
        return kind(plain_copy(item) for item in value)
    if kind is dict:
        return {plain_copy(key): plain_copy(item) for key, item in value.items()}
    if isinstance(value, (Record, str, int, float)):
        return value
    raise TypeError(
        f"{shown(value)} cannot be copied into a message; send plain data: numbers, texts, tuples, lists, sets or dicts"
    )


def _settled(value: Any) -> bool:
    """Return True if nothing in a value can change: a number, a text, or a tuple of these, nested or not."""
    kind = type(value)
    if kind is tuple:
        kinds = set(map(type, value))
        return kinds <= _ATOM_SET or (kinds == {tuple} and _settled(tuple(chain.from_iterable(value))))
    return kind in _ATOM_SET


def bits_of_value(value: Any) -> int:
    """Return the size of a field in bits.

    A truth value takes 1 bit, an integer 32 (or as many bytes as necessary if it is larger), a float 64, a text 8 for
    each byte in UTF-8, ``None`` 1, and a collection 16 for its length plus the sizes of its items.
    """
    if value is None or value is True or value is False:
        return 1
    if isinstance(value, int):
        return max(32, -(-(value.bit_length() + 1) // 8) * 8)
    if isinstance(value, float):
        return 64
    if isinstance(value, str):
        return 8 * (len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass")))
    if isinstance(value, bytes):
        return 8 * len(value)
    if isinstance(value, Mapping):
        return 16 + sum(bits_of_value(key) + bits_of_value(item) for key, item in value.items())
    if isinstance(value, Record):
        return value.bits
    if isinstance(value, (tuple, list, set, frozenset)):
        return 16 + sum(bits_of_value(item) for item in value)
    return 64


def split_union(text: str) -> list[str]:
    """Split a union: ``"str | list[int | None]"`` -> ``["str", "list[int | None]"]``."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter in "[(":
            depth += 1
        elif letter in "])":
            depth -= 1
        elif letter == "|" and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def accepted_types(annotation: object) -> tuple[type, ...] | None:
    """Return the classes that a declared type admits, or ``None`` if it admits everything."""
    text = annotation_text(annotation)
    accepted: list[type] = []
    for part in split_union(text):
        base = part.split("[", 1)[0].strip()
        if base == "Optional":
            inner = accepted_types(part[len("Optional[") : -1])
            if inner is None:
                return None
            accepted += [*inner, type(None)]
        elif base in _TYPES:
            accepted += _TYPES[base]
        else:
            return None
    return tuple(dict.fromkeys(accepted))


def annotation_text(annotation: object) -> str:
    """Return a declared type as it was written."""
    if isinstance(annotation, str):
        return annotation
    if annotation is None:
        return "None"
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return str(annotation).replace("typing.", "")


def fitted(value: Any, type_text: str, like: Any = None) -> Any:
    """Convert a value from a file to a declared type: lists become tuples or sets where necessary.

    Args:
        value: plain data; a file cannot contain tuples or sets.
        type_text: the type as declared; an unknown one admits everything.
        like: a value of the required type, if ``type_text`` does not determine it.

    Raises:
        TypeError: the value does not fit; the error is a sentence.
    """
    accepted = accepted_types(type_text)
    if isinstance(value, (list, tuple)):
        kinds = [kind for kind in (list, tuple, set, frozenset) if accepted is None or kind in accepted]
        kind = type(like) if type(like) in kinds else kinds[0] if kinds else list
        if kind is not list:
            value = [_frozen(item) for item in value]
        try:
            value = kind(value)
        except TypeError:
            what = f"it is declared as {type_text}, and {shown(value)} cannot be converted to that type"
            raise TypeError(what) from None
    if accepted is not None and not isinstance(value, accepted):
        raise TypeError(f"it is declared as {type_text}, not {shown(value)}")
    return value


def _frozen(item: Any) -> Any:
    return tuple(map(_frozen, item)) if isinstance(item, (list, tuple)) else item


class _RecordType(type):
    """The metaclass that turns declared fields into slots, a constructor and data for the engine."""

    def __new__(
        mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, root: bool = False
    ) -> _RecordType:
        declared = dict(namespace.get("__annotations__", {}))
        if root:
            return super().__new__(mcls, name, bases, namespace)
        own = {field: text for field, text in declared.items() if "ClassVar" not in annotation_text(text)}
        for field in own:
            if not free_for_field(field):
                raise TypeError(f"{name}: a field cannot be called '{field}'; choose another name")
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        fields: dict[str, Any] = {}
        for base in bases:
            fields.update(getattr(base, "_types", {}))
            defaults = {**getattr(base, "_defaults", {}), **defaults}
        namespace["__slots__"] = tuple(field for field in own if field not in fields)
        fields.update(own)
        cls = super().__new__(mcls, name, bases, namespace)
        order = sorted(fields, key=lambda field: field in defaults)  # those without a default first
        types = {field: accepted_types(fields[field]) for field in order}
        cls._fields = tuple(order)  # type: ignore[attr-defined]
        cls._types = fields  # type: ignore[attr-defined]
        cls._defaults = {field: plain_copy(value) for field, value in defaults.items()}  # type: ignore[attr-defined]
        cls._values = _reader(tuple(order))  # type: ignore[attr-defined]
        cls._flat = all(t is not None and _ATOM_SET.issuperset(t) for t in types.values())  # type: ignore[attr-defined]
        if order:
            cls.__init__ = _constructor(cls, types)  # type: ignore[misc]
        return cls


def free_for_field(name: str) -> bool:
    """Return True if a field may have this name."""
    return not (name.startswith("_") or name == "self" or hasattr(Record, name))


def _reader(fields: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if not fields:
        return lambda record: ()
    get = attrgetter(*fields)
    return get if len(fields) > 1 else lambda record: (get(record),)


def _constructor(cls: Any, types: Mapping[str, tuple[type, ...] | None]) -> Callable[..., None]:
    """Return an ``__init__`` generated for these fields, as :mod:`dataclasses` does."""
    scope: dict[str, Any] = {"_check": _checked}
    arguments, lines = [], []
    for field, accepted in types.items():
        default = cls._defaults.get(field, _REQUIRED)
        scope[f"_set_{field}"] = getattr(cls, field).__set__
        arguments.append(field)
        if default is not _REQUIRED:
            scope[f"_default_{field}"] = default
            arguments[-1] += f"=_default_{field}"
        if accepted is not None:
            scope[f"_types_{field}"] = frozenset(accepted)
            lines.append(
                f"    if {field}.__class__ not in _types_{field}: _check(self, '{field}', {field}, _types_{field})"
            )
        if default is not _REQUIRED and type(default) not in _ATOM_SET:
            scope["_copy"] = plain_copy
            lines.append(f"    if {field} is _default_{field}: {field} = _copy({field})")
        lines.append(f"    _set_{field}(self, {field})")
    exec(f"def __init__(self, {', '.join(arguments)}):\n" + "\n".join(lines), scope)  # noqa: S102 - names checked by Python
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{cls.__name__}.__init__"
    return init


def _checked(record: Record, field: str, value: Any, accepted: frozenset[type]) -> None:
    """Raise an error unless ``value`` is of an accepted type or of a subclass of one."""
    if not isinstance(value, tuple(accepted)):
        cls = type(record)
        raise TypeError(
            f"{cls.__name__}.{field} is declared as {annotation_text(cls._types[field])}, "
            f"but got {shown(value)} ({type(value).__name__})"
        )


class Record(metaclass=_RecordType, root=True):
    """The common base of messages, timers and commands: declared fields, frozen, compared by value."""

    __slots__ = ()

    _fields: ClassVar[tuple[str, ...]] = ()
    _types: ClassVar[dict[str, Any]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}
    _flat: ClassVar[bool] = True
    _values: ClassVar[Callable[[Any], tuple[Any, ...]]] = staticmethod(lambda record: ())

    def __setattr__(self, name: str, value: Any) -> None:
        if name in type(self)._fields:
            raise AttributeError(f"a {type(self).__name__} cannot be changed; create a new one with another '{name}'")
        raise AttributeError(f"{type(self).__name__} has no field '{name}'; declare it: {name}: int")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        cls = type(self)
        return bool(cls._values(self) == cls._values(other))

    def __hash__(self) -> int:
        return hash((type(self).__name__, type(self)._values(self)))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={shown(value)}" for name, value in self._items())
        return f"{type(self).__name__}({inside})"

    def __copy__(self) -> Record:
        return self

    def _items(self) -> Iterator[tuple[str, Any]]:
        cls = type(self)
        return zip(cls._fields, cls._values(self), strict=True)

    def _copied(self) -> Any:
        """Return the same record with its own copies of changeable fields (lists, sets, dicts)."""
        values = type(self)._values(self)
        if all(map(_settled, values)):
            return self
        return type(self)(**{name: plain_copy(value) for name, value in self._items()})

    def _told(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, which are worth showing."""
        defaults = type(self)._defaults
        return {name: value for name, value in self._items() if name not in defaults or defaults[name] != value}

    @classmethod
    def _from_file(cls, fields: Mapping[str, Any]) -> Any:
        """Return a record with fields from a file; raise ``TypeError`` if one does not fit."""
        return cls(**cls._fitted(fields))

    @classmethod
    def _fitted(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Convert fields from a file to the declared types; raise ``TypeError`` if one does not fit."""
        values: dict[str, Any] = {}
        for name, value in fields.items():
            try:
                values[name] = fitted(value, annotation_text(cls._types[name]), cls._defaults.get(name))
            except TypeError as error:
                raise TypeError(f"{cls.__name__}.{name}: {error}") from None
        return values

    @property
    def bits(self) -> int:
        """The size in bits: :data:`KIND_BITS` for the class, and the sizes of the fields (:func:`bits_of_value`)."""
        return KIND_BITS + sum(bits_of_value(value) for value in type(self)._values(self))


class Message(Record, root=True):
    """A message that one process sends to another along a link."""

    __slots__ = ()


class Timer(Record, root=True):
    """A timer that a process sets to be woken later.

    Two timers are the same if their class and fields are the same: setting one again restarts it.
    """

    __slots__ = ()


class Command(Record, root=True):
    """A command that a user gives to a process: publish this, request the resource."""

    __slots__ = ()


class Request(Record, root=True):
    """A request from a layer to a layer below it in the same process."""

    __slots__ = ()


class Indication(Record, root=True):
    """An indication from a layer to a layer above it in the same process."""

    __slots__ = ()


def hashed(timer: Timer) -> None:
    """Raise ``TypeError`` unless a timer can be identified by its fields."""
    try:
        hash(timer)
    except TypeError:
        raise TypeError(
            f"{shown(timer)} contains a list, set or dict; the fields of a timer must be numbers, texts or tuples"
        ) from None
