"""A loaded protocol file and its description: states, events, table, variables, parameters, needs, properties."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import linecache
import re
import sys
import traceback
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput, ProtocolError, did_you_mean, shown
from lydian.model.lang.formula import Formula
from lydian.model.limits import OutOfTime, memory_limit, pressed, time_limit, usual_memory
from lydian.model.memory.objects import Shared
from lydian.model.protocol.folder import MOST_BYTES, faults, in_sentence, plain_tree, read_source, root_of
from lydian.model.protocol.guards import ENDS, NotAllowed, builtins_for
from lydian.model.protocol.instrument import WORDS, instrument
from lydian.model.protocol.layers import Layer, foreign_words, layers_of
from lydian.model.protocol.message import Command, Indication, Message, Record, Request, Timer
from lydian.model.protocol.observer import Observer
from lydian.model.protocol.process import ANY, INIT, Parameter, Process, State, Variable
from lydian.model.protocol.program import sequential
from lydian.model.protocol.properties import Measured, Need, Property, missing_between, overlay, rounds
from lydian.model.protocol.roles import role_name, shared_out
from lydian.model.protocol.rounds import ROUND
from lydian.model.protocol.rules import GuardedRule, check_rules, rules_of
from lydian.model.protocol.table import Table, action_arguments, actions, derive, event_name
from lydian.model.source.syntax import tree_of

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["LOAD_SECONDS", "Protocol", "load_protocol", "properties_from_source", "protocol_from_source"]

_OWNED = (Message, Timer, Command)
_LINE, _IN_LINE = re.compile(r"line (\d+)"), re.compile(r"\(line (\d+)\)")
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def check_cells(cls: type[Any], states: tuple[str, ...], file: str) -> None:
    """Refuse two actions for one cell, and actions with a wrong number of arguments."""
    taken: dict[tuple[str, str], tuple[str, int]] = {}
    for name, action, rules in actions(cls):
        code: Any = action.__code__
        place = f"line {code.co_firstlineno}"
        if "self" in code.co_names and "self" not in {*code.co_varnames, *action.__globals__}:
            names = ", ".join(["self", *code.co_varnames[: code.co_argcount]])
            what = f"the first parameter of '{name}' must be self: def {name}({names})"
            raise ProtocolError(what, file=file, place=f"line {_def_line(code)}")
        for rule in rules:
            for event in rule.events:
                most = 0 if not isinstance(event, type) else 2 if issubclass(event, Message) else 1
                if code.co_flags & _SUSPENDS:
                    raise ProtocolError(
                        f"the action '{name}' contains yield, async or await; an action must not pause",
                        file=file,
                        place=place,
                    )
                if not code.co_flags & 0x04 and action_arguments(action) > most + len(action.__defaults__ or ()):
                    takes = ("(self)", "(self, event)", "(self, m, q): the message and its sender")[most]
                    raise ProtocolError(
                        f"the action '{name}' for {event_name(event)} takes {takes}", file=file, place=place
                    )
                for state in rule.states:
                    key = ("ANY" if state is ANY else str(state), event_name(event))
                    if key in taken and taken[key][0] != name:
                        other, line = taken[key]
                        raise ProtocolError(
                            f"two actions for {key[1]} in state {key[0]}: '{other}' (line {line}) and '{name}'; "
                            "keep one",
                            file=file,
                            place=place,
                        )
                    taken[key] = (name, code.co_firstlineno)


def _def_line(code: Any) -> int:
    """Return the line of the name of a function, below its decorators."""
    lines = linecache.getlines(code.co_filename)
    below = range(code.co_firstlineno, len(lines) + 1)
    return next((at for at in below if lines[at - 1].lstrip().startswith("def ")), code.co_firstlineno)


def check_layers(cls: type[Process], file: str) -> None:
    """Check that each event belongs to one layer, and that there are no guarded actions if there are layers."""
    owners: dict[type[Record], str] = {}
    levels = (cls, *layers_of(cls))
    for level in levels if len(levels) > 1 else ():
        if rules_of(level):
            raise ProtocolError("it has both layers and guarded actions (@when); remove one of them", file=file)
        for name, action, marks in actions(level):
            for event in {event for mark in marks for event in mark.events if isinstance(event, type)}:
                if owners.setdefault(event, level.__name__) != level.__name__ and issubclass(event, _OWNED):
                    what = f"{owners[event]} and {level.__name__} both have an action for {event.__name__} ('{name}')"
                    raise ProtocolError(
                        f"{what}; an event must belong to one layer, which may tell the others",
                        file=file,
                        place=f"line {action.__code__.co_firstlineno}",
                    )


def check_rounds(cls: type[Process], events: tuple[type[Record], ...], file: str) -> None:
    """Check that a protocol has rounds if and only if it has an action for them, and that only rounds handle messages
    then."""
    needs = cls.needs if isinstance(cls.needs, (tuple, list)) else (cls.needs,)
    if (rounds in needs) is not (ROUND in events):
        what = (
            "an action for ROUND requires needs = rounds"
            if ROUND in events
            else ("needs = rounds requires an action for ROUND: @on(ANY, ROUND) above def compute(self, received)")
        )
        raise ProtocolError(what, file=file)
    if ROUND in events and rules_of(cls):
        raise ProtocolError("it has both rounds and guarded actions (@when); remove one of them", file=file)
    for name, action, marks in actions(cls) if ROUND in events else ():
        kinds = [event for mark in marks for event in mark.events if isinstance(event, type)]
        wrong = next((each for each in kinds if issubclass(each, Message)), None)
        if wrong is not None:
            what = f"the action '{name}' is for {wrong.__name__}, but rounds pass messages only to the action for ROUND"
            raise ProtocolError(what, file=file, place=f"line {action.__code__.co_firstlineno}")


def check_variables(cls: type[Process], file: str) -> None:
    """Check that the bounds of variables use only n, m and the parameters."""
    for each in cls._declared.variables.values():
        if each.domain is not None:
            try:
                each.domain.check(("n", "m", *cls._declared.parameters))
            except BadInput as error:
                raise ProtocolError(f"the variable '{each.name}': {error.what}", file=file) from None


#: The time limit for the statements of a protocol file itself; a file that takes longer is refused.
LOAD_SECONDS = 5.0


@dataclass(frozen=True)
class Protocol:
    """The description of a protocol before it runs.

    Attributes:
        name: the file's stem (``echo``).
        title: the class's name or its ``title`` (``Echo``).
        about: the first sentence of the file's docstring; ``doc`` is all of it.
        cls: the class; each of its objects is one process.
        source: the text of the file, or of all files of a folder (:mod:`lydian.model.protocol.folder`); ``path`` is its
            place, if it has one.
        states: the names of the states, the initial state first, then in the order of declaration.
        messages, timers, commands: the classes it uses, in the order of the file.
        variables, parameters: its declared variables and parameters.
        table: states x events.
        rules: its guarded actions.
        layers: the layers below the process, the upper one first, with the states of each.
        needs: its assumptions about the network.
        properties: its properties; measures: its own numbers of a run.
        formula: the expected number of messages, or ``None``.
        roles: if the file has several classes of processes, the name of each role and the protocol of its processes
            alone; the other attributes then contain what belongs to any of them, and ``cls`` is the first class.
        count: how many processes have this role, unless an experiment says otherwise; ``None`` for the rest.
        state_words: state -> its name in the file; predicates: state -> its predicate in a sentence.
    """

    name: str
    title: str
    about: str
    doc: str
    cls: type[Process]
    source: str
    path: Path | None
    states: tuple[str, ...]
    messages: tuple[type[Record], ...]
    timers: tuple[type[Record], ...]
    commands: tuple[type[Record], ...]
    variables: Mapping[str, Variable]
    parameters: Mapping[str, Parameter]
    table: Table
    needs: tuple[Need, ...]
    properties: tuple[Property, ...]
    formula: Formula | None
    state_words: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[GuardedRule, ...] = ()
    measures: tuple[Measured, ...] = ()
    layers: Mapping[type[Layer], tuple[str, ...]] = field(default_factory=dict)
    shared: tuple[Shared, ...] = ()
    roles: Mapping[str, Protocol] = field(default_factory=dict)
    count: Formula | None = None

    def played(self, role: str) -> Protocol:
        """Return the protocol of the processes of one role: this one, if it has only one class."""
        return self.roles.get(role, self)

    @property
    def classes(self) -> tuple[type[Process], ...]:
        """The classes of its processes."""
        return tuple(each.cls for each in self.roles.values()) or (self.cls,)

    def cast(
        self, network: Network, given: Mapping[str, tuple[str, ...] | str], parameters: Mapping[str, Any]
    ) -> Network:
        """Return a network in which every process has its role; the same one if the protocol has only one class.

        Args:
            given: the table of roles of an experiment.
            parameters: the values of all parameters.

        Raises:
            BadInput: a role or a process does not exist, or a role has no process.
        """
        if not self.roles:
            if given:
                what = f"{self.title} has no roles, because all its processes are of one class; leave this out"
                raise BadInput(what, place="roles")
            return network
        counts = {name: each.count for name, each in self.roles.items()}
        numbers = {"n": network.n, "m": network.m, **parameters}
        return network.replace(roles=shared_out(counts, network.processes, given, network.roles, numbers))

    @property
    def reads_neighbours(self) -> bool:
        """Whether guarded actions may read the registers of neighbours; the steps of a program do not."""
        return any(not rule.points for rule in self.rules)

    @property
    def file(self) -> str:
        """The name of the file in errors."""
        return str(self.path) if self.path is not None else f"{self.name}.py"

    def place(self, line: int | None) -> tuple[str, int | None]:
        """Return the file and the line in it for a line of :attr:`source`, for errors."""
        return in_sentence(self.file, self.source, line)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of its messages, timers, commands and rules, which the trace's column ``label`` may contain."""
        names = (cls.__name__ for cls in (*self.messages, *self.timers, *self.commands))
        return (*names, *(rule.name for rule in self.rules))

    @property
    def start(self) -> str:
        return self.states[0]

    def event_class(self, label: str) -> type[Record] | None:
        """Return the message, timer or command class of this name."""
        return next((c for c in (*self.messages, *self.timers, *self.commands) if c.__name__ == label), None)

    def missing(self, network: Network) -> list[str]:
        """Return the assumptions that a network violates, one sentence for each."""
        found = [text for text in (each.missing(network) for each in self.needs) if text is not None]
        try:
            self.cast(network, {}, self.configure({}))
        except BadInput as error:
            found.append(error.what)
        return found + missing_between(self.needs, network)

    @property
    def overlay(self) -> bool:
        """Whether its processes may send to any process whose name they hold."""
        return overlay in self.needs

    @property
    def rounds(self) -> bool:
        """Whether its processes act in rounds."""
        return rounds in self.needs

    def configure(self, values: Mapping[str, Any], *, file: Path | str | None = None) -> dict[str, Any]:
        """Return values for all parameters: the given ones after a check, the others as declared.

        Raises:
            BadInput: a parameter does not exist, or a value is not permitted.
        """
        configured = {name: each.default for name, each in self.parameters.items()}
        for name, value in values.items():
            if name not in self.parameters:
                has = f"choose from {', '.join(self.parameters)}" if self.parameters else "it has none"
                raise BadInput(
                    f"unknown parameter '{name}' of {self.title}{did_you_mean(name, self.parameters)}; {has}",
                    file=file,
                    place=f"parameters.{name}",
                )
            try:
                configured[name] = self.parameters[name].checked(value)
            except ValueError as error:
                raise BadInput(str(error), file=file, place=f"parameters.{name}") from None
        return configured


def load_protocol(path: Path | str) -> Protocol:
    """Load a protocol file, or a folder with ``__init__.py``.

    Raises:
        ProtocolError: one sentence with the file, the line and what is wrong.
    """
    path = root_of(Path(path))
    try:
        if path.is_dir():
            return protocol_from_source(read_source(path), name=path.name, path=path)
        if path.stat().st_size > MOST_BYTES:
            raise ProtocolError("this is not a protocol file: it is larger than 0.5 MB", file=path)
        source = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ProtocolError("this is not a protocol file: it is not text in UTF-8", file=path) from None
    except FileNotFoundError:
        raise ProtocolError("there is no such file", file=path) from None
    except OSError as error:
        raise ProtocolError(f"cannot be read: {error.strerror}", file=path) from None
    return protocol_from_source(source, name=path.stem, path=path)


def protocol_from_source(source: str, *, name: str = "protocol", path: Path | None = None) -> Protocol:
    """Load a protocol from its text; see :func:`load_protocol`."""
    file = str(path) if path is not None else f"{name}.py"
    try:
        return _described(source, name, path, file)
    except ProtocolError as error:
        where = _LINE.fullmatch(error.place or "")
        if where is None:
            raise
        inner, line = in_sentence(file, source, int(where[1]))

        def other(found: re.Match[str]) -> str:
            there, number = in_sentence(file, source, int(found[1]))
            return f"(line {number})" if there == inner else f"({Path(there).name}, line {number})"

        what = _IN_LINE.sub(other, error.what)
        raise ProtocolError(what, file=inner, place=f"line {line}") from error.__cause__


def properties_from_source(
    source: str, *, name: str = "properties", path: Path | None = None
) -> tuple[tuple[Property, ...], tuple[Measured, ...]]:
    """Return the properties and the measures in a text that need not contain a protocol, in the order of the file.

    Raises:
        ProtocolError: as for :func:`load_protocol`.
    """
    return _judged(vars(_executed(source, str(path) if path is not None else f"{name}.py")).values())


def _judged(values: Iterable[Any]) -> tuple[tuple[Property, ...], tuple[Measured, ...]]:
    """Return the properties and the measures among the values of a scope, in the order of the file."""
    values = tuple(values)
    observers = tuple(dict.fromkeys(filter(_observes, values)))
    marked = [getattr(each, "__lydian_property__", None) for each in values]
    counted = [getattr(each, "__lydian_measure__", None) for each in values]
    properties = sorted((each for each in marked if isinstance(each, Property)), key=lambda each: each.line)
    measures = sorted((each for each in counted if isinstance(each, Measured)), key=lambda each: each.line)
    return (
        tuple(replace(each, observers=observers) for each in properties),
        tuple(replace(each, observers=observers) for each in measures),
    )


def _observes(value: Any) -> bool:
    """Return True if a value of a scope is the class of an observer."""
    return isinstance(value, type) and issubclass(value, Observer) and value is not Observer


def _described(source: str, name: str, path: Path | None, file: str) -> Protocol:
    module = _executed(source, file)
    scope = vars(module)
    classes = _classes(scope, module.__name__, file)
    doc = (module.__doc__ or classes[0].__doc__ or "").strip()
    if len(classes) == 1:
        return _of_class(classes[0], scope, source, name, path, doc)
    for each in classes:
        each._role = role_name(each.__name__)
        _check_role(each, file)
    parts = [_of_class(each, scope, source, name, path, doc, alone=False) for each in classes]
    return _together(parts, scope, file)


def _of_class(
    cls: type[Process],
    scope: Mapping[str, Any],
    source: str,
    name: str,
    path: Path | None,
    doc: str,
    *,
    alone: bool = True,
) -> Protocol:
    """Return the description of the protocol of one class: the only one of its file, or that of a role."""
    file = str(path) if path is not None else f"{name}.py"
    layers = layers_of(cls)
    words = [word for word, value in scope.items() if isinstance(value, State)]
    states = _states(cls, scope, file, foreign_words(source, cls, words, layers if alone else None))
    inner = {each: _states(each, scope, file, foreign_words(source, each, words)) for each in layers}
    events = _events(cls, scope)
    check_cells(cls, states, file)
    for each, own in inner.items():
        check_cells(each, own, file)
    check_layers(cls, file)
    check_rounds(cls, events, file)
    check_variables(cls, file)
    check_rules(cls, source, states, tuple(each.__name__ for each in events), file)
    properties, measures = _judged((*scope.values(), *vars(cls).values()))
    return Protocol(
        name=name,
        title=cls.title or cls.__name__,
        about=_first_sentence(doc),
        doc=doc,
        cls=cls,
        source=source,
        path=path,
        states=states,
        messages=tuple(e for e in events if issubclass(e, Message)),
        timers=tuple(e for e in events if issubclass(e, Timer)),
        commands=tuple(e for e in events if issubclass(e, Command)),
        variables=dict(cls._declared.variables),
        parameters=dict(cls._declared.parameters),
        table=derive(cls, states, _event_names(cls, events), source, scope, inner, alone=alone),
        needs=_needs(cls, file),
        properties=properties,
        formula=_formula(cls, file),
        state_words={str(value): word for word, value in scope.items() if isinstance(value, State)},
        predicates={str(value): value.reads for value in scope.values() if isinstance(value, State)},
        rules=rules_of(cls),
        measures=measures,
        layers=inner,
        shared=_shared(cls, file),
        count=_count(cls, file),
    )


def _check_role(cls: type[Process], file: str) -> None:
    """Refuse what several classes cannot have, and name the only state of a class that declares none."""
    needs = cls.needs if isinstance(cls.needs, (tuple, list)) else (cls.needs,)
    odd = {"layers": bool(cls.layers), "guarded actions or a program": bool(rules_of(cls)), "rounds": rounds in needs}
    for what, there in odd.items():
        if there:
            how = "the processes of such a protocol are all of one class"
            raise ProtocolError(f"{cls.__name__} has {what}, but the file has several classes; {how}", file=file)
    named = {state for _, _, rules in actions(cls) for rule in rules for state in rule.states if state is not ANY}
    if cls._declared.start == "active" and not named:
        cls._declared.start = State(cls._role)


def _together(parts: Sequence[Protocol], scope: Mapping[str, Any], file: str) -> Protocol:
    """Return the description of a protocol with several roles.

    Raises:
        ProtocolError: two roles have the same name or the same state, or declare a parameter differently.
    """
    roles: dict[str, Protocol] = {}
    owners: dict[str, str] = {}
    for part in parts:
        role = part.cls._role
        if role in roles:
            what = f"the classes {roles[role].cls.__name__} and {part.cls.__name__} have the same name as roles, {role}"
            raise ProtocolError(f"{what}; rename one of them", file=file)
        roles[role] = part
        for state in part.states:
            if owners.setdefault(state, role) != role:
                what = f"the state '{state}' belongs to {owners[state]} and to {role}; give each role states of its own"
                raise ProtocolError(what, file=file)
    parameters: dict[str, Parameter] = {}
    for part in parts:
        for name, each in part.parameters.items():
            if parameters.setdefault(name, each) != each:
                what = (
                    f"the parameter '{name}' is declared differently in two classes; declare it once, in a common base"
                )
                raise ProtocolError(what, file=file)
    first = parts[0]
    events = tuple(dict.fromkeys(event for part in parts for event in part.table.events))
    return replace(
        first,
        title=next((part.cls.title for part in parts if part.cls.title), _as_title(first.name)),
        states=tuple(owners),
        variables={name: each for part in reversed(parts) for name, each in part.variables.items()},
        parameters=parameters,
        table=Table(
            tuple(owners),
            (*(("INIT",) if "INIT" in events else ()), *(event for event in events if event != "INIT")),
            {place: cell for part in parts for place, cell in part.table.cells.items()},
            roles={role: part.states for role, part in roles.items()},
        ),
        needs=tuple(dict.fromkeys(need for part in parts for need in part.needs)),
        properties=_judged((*scope.values(), *(value for part in parts for value in vars(part.cls).values())))[0],
        measures=_judged((*scope.values(), *(value for part in parts for value in vars(part.cls).values())))[1],
        formula=next((part.formula for part in parts if part.formula is not None), None),
        roles=roles,
        count=None,
    )


def _as_title(name: str) -> str:
    """Return the name of a file as a title: ``Primary backup`` for ``primary-backup``."""
    return name.replace("-", " ").replace("_", " ").capitalize()


def _count(cls: type[Process], file: str) -> Formula | None:
    """Return how many processes have a role: a number, or a formula of n, m and the parameters."""
    given = cls._count
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, (int, str)):
        what = f"processes = ... must be a number or a formula such as 'n // 2', not {shown(given)}"
        raise ProtocolError(what, file=file, place=cls.__name__)
    try:
        formula = Formula(str(given))
        formula.check(("n", "m", *cls._declared.parameters))
        return formula
    except BadInput as error:
        raise ProtocolError(error.what, file=file, place=cls.__name__) from None


def _shared(cls: type[Process], file: str) -> tuple[Shared, ...]:
    """Return the shared objects of a protocol, in the order of the file."""
    found: dict[str, Shared] = {}
    for base in reversed(cls.__mro__):
        found.update({name: value for name, value in vars(base).items() if isinstance(value, Shared)})
    for each in found.values():
        if isinstance(each.size, str):
            try:
                Formula(each.size).check(("n", "m", *cls._declared.parameters))
            except BadInput as error:
                raise ProtocolError(f"the size of '{each.name}': {error.what}", file=file) from None
    if found and not any(rule.points for rule in rules_of(cls)):
        names = ", ".join(found)
        what = f"it has shared objects ({names}), but no program to access them; write @program above def run(self)"
        raise ProtocolError(what, file=file)
    return tuple(found.values())


def _executed(source: str, file: str) -> types.ModuleType:
    """Execute the source and return its module; its ``print`` writes to standard error."""
    module = types.ModuleType("lydian_protocol_" + hashlib.sha256(f"{file}\0{source}".encode()).hexdigest()[:16])
    module.__file__ = file
    try:
        tree = tree_of(source, file)
        wrong = next(faults(source), None)
        if wrong is not None:
            raise ProtocolError(wrong[1], file=file, place=f"line {wrong[0]}")
        code = compile(instrument(sequential(plain_tree(tree, source), file)), file, "exec")
    except SyntaxError as error:
        raise ProtocolError(f"{error.msg} (Python cannot read it)", file=file, place=f"line {error.lineno}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) or "it is nested too deeply"
        raise ProtocolError(f"Python cannot read it: {why}", file=file) from None
    vars(module)["__builtins__"] = builtins_for(WORDS)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    sys.modules[module.__name__] = module
    try:
        with time_limit(LOAD_SECONDS, file), memory_limit(usual_memory()), contextlib.redirect_stdout(sys.stderr):
            exec(code, vars(module))  # noqa: S102 - this is what loading a protocol means
    except OutOfTime:
        raise ProtocolError(
            f"loading it took more than {LOAD_SECONDS:g} s; is there an endless loop?", file=file
        ) from None
    except BaseException as error:
        if pressed(error):
            raise
        raise ProtocolError(_reason(error, source, file), file=file, place=_place(error, file)) from error
    return module


def _reason(error: BaseException, source: str, file: str) -> str:
    if isinstance(error, MemoryError):
        return "it asks for more memory than a protocol may have"
    if isinstance(error, SystemExit | KeyboardInterrupt) or (isinstance(error, NotAllowed) and ENDS in str(error)):
        return "the file ends the program; a protocol file must only declare"
    if isinstance(error, ImportError) and error.name is not None and error.name.split(".")[0] == "lydian":
        import lydian

        missing = str(error).split("'")[1] if "cannot import name" in str(error) else error.name
        return f"lydian has no '{missing}'{did_you_mean(missing, lydian.__all__)}"
    text = str(error)
    if isinstance(error, (TypeError, ValueError, NotAllowed)):
        return text
    from lydian.model.source.explain import explained

    return explained(error, source, file) or f"{type(error).__name__}: {text}".removesuffix(": ")


def _place(error: BaseException, file: str) -> str | None:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"line {lines[-1]}" if lines else None


def _classes(scope: Mapping[str, Any], module: str, file: str) -> list[type[Process]]:
    """Return the classes of processes that are not a base of another: one, or one for each role."""
    classes = [
        value
        for value in scope.values()
        if isinstance(value, type) and issubclass(value, Process) and value.__module__ == module
    ]
    leaves = [
        c for c in dict.fromkeys(classes) if not any(c is not other and issubclass(other, c) for other in classes)
    ]
    if not leaves:
        raise ProtocolError("the file contains no protocol; write class Echo(Process): ...", file=file)
    return leaves


def _states(cls: type[Any], scope: Mapping[str, Any], file: str, foreign: Collection[str] = ()) -> tuple[str, ...]:
    """Return the initial state and then the declared ones in the order of the file, without those that only layers
    use."""
    start = str(cls._declared.start)
    declared = [str(value) for word, value in scope.items() if isinstance(value, State) and word not in foreign]
    named = {str(state) for _, _, rules in actions(cls) for rule in rules for state in rule.states}
    named.update(str(state) for rule in rules_of(cls) for state in rule.states)
    if named.intersection(declared) and start not in declared and "state" not in _words(scope, cls):
        first = next(word for word, value in scope.items() if isinstance(value, State) and word not in foreign)
        raise ProtocolError(f"the initial state of {cls.__name__} is missing; write state = {first}", file=file)
    if not declared:  # states written as plain text
        declared = [str(s) for _, _, rules in actions(cls) for rule in rules for s in rule.states if s is not ANY]
        declared += [str(s) for rule in rules_of(cls) for s in rule.states if s is not ANY]
    elif start not in declared and "state" in _words(scope, cls):
        raise ProtocolError(f"the initial state '{start}' is not declared{did_you_mean(start, declared)}", file=file)
    known = tuple(dict.fromkeys([start, *declared]))
    for _, action, rules in actions(cls):
        for rule in rules:
            for state in rule.states:
                if state is not ANY and str(state) not in known:
                    raise ProtocolError(
                        f"@on names the unknown state '{state}'{did_you_mean(state, known)}; "
                        f"choose from {', '.join(known)}",
                        file=file,
                        place=f"line {action.__code__.co_firstlineno}",
                    )
    if len(known) > 250:
        raise ProtocolError(f"{len(known)} states are too many; keep counters in variables", file=file)
    return known


def _words(scope: Mapping[str, Any], cls: type[Process]) -> Iterable[str]:
    return ["state"] if cls._declared.start != "active" else []


_BASES = (Message, Timer, Command, Request, Indication, Record, ROUND)


def _events(cls: type[Process], scope: Mapping[str, Any]) -> tuple[type[Record], ...]:
    """Return the classes of messages, timers and commands: those declared in the file, then others that actions
    name."""
    found: list[type[Record]] = [
        value
        for value in scope.values()
        if isinstance(value, type) and issubclass(value, Record) and value not in _BASES
    ]
    for each in (cls, *layers_of(cls)):
        for _, _, rules in actions(each):
            found += [e for rule in rules for e in rule.events if isinstance(e, type) and e not in _BASES[:5]]
    return tuple(dict.fromkeys(found))


def _event_names(cls: type[Process], events: tuple[type[Record], ...]) -> tuple[str, ...]:
    has_init = any(INIT in r.events for each in (cls, *layers_of(cls)) for _, _, rules in actions(each) for r in rules)
    words = (["INIT"] if has_init else []) + (["ROUND"] if ROUND in events else [])
    named = {event for _, _, rules in actions(cls) for rule in rules for event in rule.events}
    silent = {e for e in events if ROUND in events and issubclass(e, Message) and e not in named}
    return (*words, *(e.__name__ for e in events if e is not ROUND and e not in silent))


def _needs(cls: type[Process], file: str) -> tuple[Need, ...]:
    needs = cls.needs if isinstance(cls.needs, (tuple, list)) else (cls.needs,)
    for each in needs:
        if not isinstance(each, Need):
            raise ProtocolError(
                f"needs = ... must list assumptions such as connected, one_initiator, fifo, not {shown(each)}",
                file=file,
            )
        try:
            if each.bound is not None:
                each.bound.check(cls._declared.parameters)
        except BadInput as error:
            raise ProtocolError(error.what, file=file, place="needs") from None
    defaults = {name: each.default for name, each in cls._declared.parameters.items()}
    return tuple(each.with_defaults(defaults) for each in needs)


def _formula(cls: type[Process], file: str) -> Formula | None:
    if cls.messages is None:
        return None
    if not isinstance(cls.messages, str):
        raise ProtocolError(f"messages = ... must be a formula such as '2*m', not {shown(cls.messages)}", file=file)
    try:
        formula = Formula(cls.messages)
        formula.check(("n", "m", *cls._declared.parameters))
        return formula
    except BadInput as error:
        raise ProtocolError(error.what, file=file, place="messages") from None


def _first_sentence(doc: str) -> str:
    paragraph = " ".join(doc.split("\n\n", 1)[0].split())
    at = paragraph.find(". ")
    return (paragraph if at < 0 else paragraph[: at + 1]).rstrip(".")
