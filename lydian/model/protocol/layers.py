"""Layers: parts of one process, one above the other, which send requests down and indications up.

::

    class Route(Request):
        key: int

    class Routed(Indication):
        key: int

    class Chord(Layer):
        succ: str | None = None

        @on(ANY, Route)
        def route(self, r):
            self.tell(Routed(r.key))

    class Store(Process):
        layers = Chord,

        @on(ANY, Routed)
        def routed(self, r): ...

A layer is written like a process, and can send messages, set timers and draw random numbers like one. The process
itself is at the top; ``layers`` lists the layers below it, the upper one first. Every layer is an attribute of its
process, with the name of its class in lower case (``p.chord``); its variables are recorded under dotted names
(``chord.succ``).

A request goes to the nearest layer below that has an action for it, and an indication to the nearest one above; both
are handled within the same event, in order, when the action that issued them has ended. Messages, timers and commands
belong to the one layer that has an action for them. The form is that of C. Cachin, R. Guerraoui and L. Rodrigues,
Introduction to Reliable and Secure Distributed Programming, 2011, section 1.4.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from lydian.model.errors import did_you_mean, shown
from lydian.model.protocol.flow import parsed
from lydian.model.protocol.guards import refuse
from lydian.model.protocol.message import Indication, Record, Request, plain_copy
from lydian.model.protocol.process import Declared, Process, Variable, _ProcessType, reserved

__all__ = [
    "Layer", "foreign_words", "layer_name", "layers_of", "row_of", "words_in",
]  # fmt: skip

#: The attributes that a layer shares with its process.
_SHARED = (
    "_effects", "clock", "everybody", "initiator", "left", "me", "neighbours", "random", "right",
)  # fmt: skip


def layer_name(cls: type) -> str:
    """Return the name of a layer in its process: its class's name in lower case."""
    return cls.__name__.lower()


def layers_of(cls: type) -> tuple[type[Layer], ...]:
    """Return the layers below a process, the upper one first."""
    return getattr(cls, "_layers", ())


def row_of(cls: type, state: str, states: Sequence[str]) -> str:
    """Return the row of a layer's state in the table: the layer alone if it has only one state."""
    return layer_name(cls) if len(states) == 1 else f"{layer_name(cls)}: {state}"


def words_in(tree: ast.Module, classes: Collection[str]) -> set[str]:
    """Return the names that classes of a file use."""
    bodies = [part for part in tree.body if isinstance(part, ast.ClassDef) and part.name in classes]
    return {part.id for body in bodies for part in ast.walk(body) if isinstance(part, ast.Name)}


def foreign_words(source: str, cls: type, words: Collection[str], layers: Sequence[type] | None = None) -> set[str]:
    """Return the names of states that do not belong to a class.

    Args:
        source: the text of the file.
        cls: a process or a layer.
        words: the names of all states of the file.
        layers: the layers of a process: names that they use and the process does not are foreign; ``None`` for a layer,
            to which all names are foreign that it does not use.
    """
    if layers is not None and not layers:
        return set()
    tree = parsed(source)
    rest = set(words) - words_in(tree, {each.__name__ for each in cls.__mro__})
    if layers is None:
        return rest
    return rest & words_in(tree, {base.__name__ for each in layers for base in each.__mro__})


class Layer(metaclass=_ProcessType, root=True):
    """One layer of a process; see the module.

    Attributes:
        me, neighbours, everybody, random, clock: those of its process.
        state: its own state.
    """

    __slots__ = ("_level", "_process", "state")

    _declared: ClassVar[Declared] = Declared()
    _level: int
    _process: Any
    state: str

    choose = Process.choose
    respond = Process.respond
    send = Process.send
    set_timer = Process.set_timer
    cancel_timer = Process.cancel_timer
    deliver = Process.deliver
    decide = Process.decide
    note = Process.note
    watch = Process.watch
    weight = Process.weight

    def ask(self, request: Request) -> None:
        """Send a request to the nearest layer below that has an action for it."""
        _ask(self, request)

    def tell(self, indication: Indication) -> None:
        """Send an indication to the nearest layer above that has an action for it."""
        _tell(self, indication)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        declared = type(self)._declared
        near = did_you_mean(name, [*declared.variables, *declared.parameters, *_SHARED, "state", "send", "ask", "tell"])
        what = f"the layer {layer_name(type(self))} has no variable '{name}'{near}"
        raise refuse(f"{what}; declare it in the class body")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._process._name}: {self.state}>"


def _of_process(name: str) -> property:
    return property(lambda layer: getattr(layer._process, name), doc=f"``{name}`` of its process.")


for _name in (*_SHARED, "_engine", "_name", "_weights"):
    setattr(Layer, _name, _of_process(_name))


# ---------------------------------------------------------------------- construction of classes with layers


class _Inside:
    """A variable of a layer as an attribute of the process, under its dotted name: ``chord.succ``."""

    __slots__ = ("layer", "name")

    def __init__(self, layer: str, name: str) -> None:
        self.layer = layer
        self.name = name

    def __get__(self, p: Any, owner: Any = None) -> Any:
        return self if p is None else getattr(getattr(p, self.layer), self.name)

    def __set__(self, p: Any, value: Any) -> None:
        setattr(getattr(p, self.layer), self.name, value)


class _First:
    """The initial value of a layer's variable as a function of the process; the layer computes it."""

    __slots__ = ("__code__", "layer", "work")

    def __init__(self, layer: str, work: Callable[[Any], Any]) -> None:
        self.layer, self.work = layer, work
        self.__code__ = getattr(work, "__code__", None)  # the place where it is written, for errors

    def __call__(self, p: Any) -> Any:
        return self.work(getattr(p, self.layer))


class _Given:
    """A parameter of one or several layers as an attribute of the process."""

    __slots__ = ("layers", "name")

    def __init__(self, layer: str, name: str) -> None:
        self.layers = [layer]
        self.name = name

    def __get__(self, p: Any, owner: Any = None) -> Any:
        return self if p is None else getattr(getattr(p, self.layers[0]), self.name)

    def __set__(self, p: Any, value: Any) -> None:
        for layer in self.layers:
            setattr(getattr(p, layer), self.name, value)


def stack(name: str, namespace: dict[str, Any], declared: Declared) -> tuple[str, ...]:
    """Build the layers of a process into its class; called while the class is created.

    Args:
        name: the name of the class.
        namespace: its body, to which the variables of the layers are added under their dotted names.
        declared: its declarations, to which the variables and parameters of the layers are added.

    Returns:
        The further slots of the process.
    """
    given = namespace["layers"]
    layers = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    names: dict[str, type[Layer]] = {}
    for each in layers:
        if not (isinstance(each, type) and issubclass(each, Layer)) or each is Layer:
            what = f"{name}: layers = ... must list classes of layers such as class Chord(Layer)"
            raise TypeError(f"{what}, not {shown(each)}")
        word = layer_name(each)
        if word in names:
            raise TypeError(f"{name}: the layer {each.__name__} appears twice; remove one of them")
        if reserved(word) or word in declared.variables or word in declared.parameters:
            raise TypeError(f"{name}: a layer cannot be called '{word}'; choose another name for {each.__name__}")
        names[word] = each
    for word, each in names.items():
        for variable in each._declared.variables.values():
            dotted = f"{word}.{variable.name}"
            first = None if variable.first is None else _First(word, variable.first)
            declared.variables[dotted] = replace(variable, name=dotted, first=first)
            namespace[dotted] = _Inside(word, variable.name)
        if each._declared.start != "active":
            declared.variables[f"{word}.state"] = Variable(f"{word}.state", "str", each._declared.start)
            namespace[f"{word}.state"] = _Inside(word, "state")
        for parameter in each._declared.parameters.values():
            shared = namespace.get(parameter.name)
            if isinstance(shared, _Given) and declared.parameters[parameter.name] == parameter:
                shared.layers.append(word)
                continue
            if parameter.name in declared.parameters or parameter.name in declared.variables:
                what = f"{name}: the parameter '{parameter.name}' of {each.__name__} is already declared"
                raise TypeError(f"{what} with another meaning; the layers of a process share their parameters")
            declared.parameters[parameter.name] = parameter
            namespace[parameter.name] = _Given(word, parameter.name)
    namespace["_layers"] = layers
    namespace["__new__"] = _made(tuple(names.items()))
    namespace.update(ask=_ask, tell=_tell, _level=0)
    return (*names, "_asked")


_ProcessType._stack = staticmethod(stack)


def _made(layers: tuple[tuple[str, type[Layer]], ...]) -> Callable[[type], Any]:
    """Return a ``__new__`` that gives a process its layers in their initial states."""

    def make(cls: type) -> Any:
        p: Any = object.__new__(cls)
        p._asked = []
        for level, (name, kind) in enumerate(layers, 1):
            layer = object.__new__(kind)
            layer._process, layer._level, layer.state = p, level, kind._declared.start
            for variable in kind._declared.variables.values():
                setattr(layer, variable.name, plain_copy(variable.initial))
            setattr(p, name, layer)
        return p

    return make


def _ask(self: Any, request: Request) -> None:
    """Send a request to the nearest layer below that has an action for it."""
    _queue(self, request, Request, "ask", "Route(key)")


def _tell(self: Any, indication: Indication) -> None:
    """Send an indication to the nearest layer above that has an action for it."""
    _queue(self, indication, Indication, "tell", "Routed(key)")


def _queue(actor: Any, record: Any, kind: type[Record], word: str, example: str) -> None:
    if not isinstance(record, kind):
        what = "a request" if kind is Request else "an indication"
        raise TypeError(f"{word} needs {what} such as {example}, not {shown(record)}")
    p = actor if actor._level == 0 else actor._process
    p._asked.append((actor._level, record if record._flat else record._copied()))
