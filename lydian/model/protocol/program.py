"""Programs: the behaviour of a process as sequential code, as textbooks write it, instead of an action for each event.

::

    class Peterson(Process):
        wants = atomic(False, each=True)
        turn = atomic(None)

        @program
        def run(self):
            yield self.wants[self.me].write(True)
            yield self.turn.write(self.other)
            while (yield self.wants[self.other].read()) and (yield self.turn.read()) == self.other:
                pass
            self.state = CRITICAL
            ...

A program pauses at each ``yield``: before an access to a shared object (:mod:`lydian.model.memory.objects`), before
``yield wait(self.majority)``, which continues when the condition holds, and before a step without access (``yield``, or
``yield "leave"`` to name it). One step of the process is what the program does from one ``yield`` up to the next. A
step is a guarded action that is enabled while the program has arrived there, so a daemon chooses whose step is next.

Python's generators cannot be copied, and a search must copy configurations. So loading translates a program into blocks
without ``yield`` that are numbered by a variable of the process: ``next_step`` is the name of the step that comes next.
The local variables of the program become variables of the process. Line numbers are kept.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lydian.model.errors import ProtocolError, shown
from lydian.model.source.syntax import tree_of

__all__ = [
    "END", "NEXT", "TO_COME", "Block", "Condition", "Flat", "Steps", "check_accesses", "condition_of", "flattened",
    "inner", "program", "programs", "sequential", "steps_of", "wait",
]  # fmt: skip

#: The variable that contains the name of the next step, and its value after the last one.
NEXT, END = "next_step", "end"
#: The end of the name of a variable that contains the items that a loop of a program has still to visit.
TO_COME = "_to_come"
#: The local names of the translated method: the next block, and the result of the last access.
_GO, _RESULT = "_go", "_result"
_MARK = "program"
#: The beginning of the name of a step that waits for a condition.
_WAITS = "wait for "
#: The functions that declare shared objects.
_OBJECTS = frozenset({"atomic", "regular", "safe", "test_and_set", "compare_and_swap"})


def inner(variable: str) -> bool:
    """Return True if a variable only says where a program is, which sentences about events do not mention."""
    return variable == NEXT or variable.endswith(TO_COME)


def condition_of(step: str) -> str:
    """Return the condition that a step named ``wait for majority #2`` waits for, ``majority``; "" for another step."""
    return step.removeprefix(_WAITS).partition(" #")[0] if step.startswith(_WAITS) else ""


@dataclass(frozen=True)
class Condition:
    """What ``yield wait(...)`` waits for."""

    holds: Callable[[], Any]


def wait(holds: Any) -> Condition:
    """Wait in a program until a condition holds: ``yield wait(self.majority)``, ``yield wait(lambda: self.votes > 2)``.

    Args:
        holds: a method of the process, or a function without arguments; it must only read the process's variables.
    """
    if not callable(holds):
        raise TypeError(f"wait needs a condition, such as wait(self.majority) or wait(lambda: ...), not {shown(holds)}")
    return Condition(holds)


@dataclass(frozen=True)
class Steps:
    """The steps of a translated program.

    Attributes:
        begin: the name of its first step, which is that of the method.
        points: the name of each step that comes next somewhere in the program, its label and its line.
        names: the local variables, which are variables of the process.
        conditions: name of a step that waits -> its guard.
    """

    begin: str
    points: tuple[tuple[str, str, int], ...]
    names: tuple[str, ...]
    conditions: dict[str, Callable[[Any], Any]]


def program(action: Callable[..., Any]) -> Callable[..., Any]:
    """Declare the program of a process: a method that pauses at each ``yield``."""
    code = getattr(action, "__code__", None)
    if code is None:
        raise TypeError("@program must be above a method: def run(self)")
    action.__dict__["__lydian_program__"] = True
    return action


def steps_of(begin: str, points: Any, names: Any, conditions: Any) -> Callable[[Any], Any]:
    """Return a decorator that gives a translated method its steps; :func:`sequential` writes it into the text."""

    def remember(action: Any) -> Any:
        action.__dict__["__lydian_steps__"] = Steps(begin, tuple(points), tuple(names), dict(conditions))
        return action

    return remember


# ---------------------------------------------------------------------- translation


@dataclass
class Block:
    """A part of a program without ``yield``.

    Attributes:
        key: its number, or for the beginning of a step its name.
        body: its statements.
        then: where it continues: the key of a block; a test and two keys; or the name of the next step. ``None`` after
            a jump.
    """

    key: int | str
    body: list[ast.stmt] = field(default_factory=list)
    go: int | str | None = None
    test: ast.expr | None = None
    yes: int | None = None
    no: int | None = None
    stop: str | None = None
    line: int = 0

    @property
    def open(self) -> bool:
        return self.go is None and self.test is None and self.stop is None


@dataclass
class Flat:
    """A translated program.

    Attributes:
        definition: its method.
        me: the name of its process in it.
        blocks: its blocks, the first one first.
        points: the name, the label and the line of each step.
        conditions: name of a step that waits -> the expression of its condition.
        names: the local variables.
    """

    definition: ast.FunctionDef
    me: str
    names: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)
    points: list[tuple[str, str, int]] = field(default_factory=list)
    conditions: dict[str, ast.expr] = field(default_factory=dict)


def programs(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, ast.FunctionDef]]:
    """Yield the programs in the text of a protocol, each with its class."""
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            for part in each.body:
                if isinstance(part, ast.FunctionDef) and any(_is_mark(mark) for mark in part.decorator_list):
                    yield each, part


def _is_mark(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Name) and mark.id == _MARK


def sequential(tree: ast.Module, file: str) -> ast.Module:
    """Translate the programs in the text of a protocol, so that it can be executed.

    Raises:
        ProtocolError: a program that cannot be translated.
    """
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            check_accesses(each, file)
    seen: dict[str, str] = {}
    for owner, definition in list(programs(tree)):
        if owner.name in seen:
            what = (
                f"{owner.name} has two programs, '{seen[owner.name]}' and '{definition.name}'; a process has only one"
            )
            raise ProtocolError(what, file=file, place=f"line {definition.lineno}")
        seen[owner.name] = definition.name
        flat = flattened(definition, file)
        owner.body[owner.body.index(definition)] = _written(flat)
    return tree


def check_accesses(owner: ast.ClassDef, file: str) -> None:
    """Refuse accesses to shared objects without ``yield``, which would do nothing.

    Raises:
        ProtocolError: names the line.
    """
    shared = {
        target.id
        for part in owner.body
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call)
        and isinstance(part.value.func, ast.Name) and part.value.func.id in _OBJECTS
        for target in part.targets
        if isinstance(target, ast.Name)
    }  # fmt: skip
    for method in owner.body if shared else ():
        if not isinstance(method, ast.FunctionDef):
            continue
        yielded = {id(each.value) for each in _yields(method)}
        for each in ast.walk(method):
            if isinstance(each, ast.Call) and id(each) not in yielded and _object_of(each) in shared:
                text = ast.unparse(each)[:60]
                what = f"{text} does nothing without yield; write yield {text}"
                if not any(_is_mark(mark) for mark in method.decorator_list):
                    what = f"only the program of a process can access shared objects, with yield {text}"
                raise ProtocolError(what, file=file, place=f"line {each.lineno}")


def _object_of(call: ast.Call) -> str:
    """Return the name of the object in ``self.turn.write(...)`` or ``self.flag[j].write(...)``; or ""."""
    there = call.func.value if isinstance(call.func, ast.Attribute) else None
    there = there.value if isinstance(there, ast.Subscript) else there
    return there.attr if isinstance(there, ast.Attribute) and isinstance(there.value, ast.Name) else ""


def flattened(definition: ast.FunctionDef, file: str) -> Flat:
    """Return the blocks of a program.

    Raises:
        ProtocolError: it contains something that cannot be translated; the error names the line.
    """
    return _Translation(definition, file).flat


class _Translation:
    """The translation of one program."""

    def __init__(self, definition: ast.FunctionDef, file: str) -> None:
        self.file = file
        arguments = definition.args
        if len(arguments.args) != 1 or arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise self.wrong(definition, f"the program '{definition.name}' must take (self) and nothing else")
        me = arguments.args[0].arg
        self.names = _locals(definition, self)
        self.flat = Flat(definition, me, tuple(self.names))
        self.rename = _Rename(me, self.names)
        self.loops: list[tuple[int, int]] = []  # where continue and break lead
        self.outer: list[str] = []  # the items left of the loops around the present statement
        self.keys = 0
        self.now = self.place(definition.name)
        body = definition.body[1:] if ast.get_docstring(definition) is not None else definition.body
        self.body(body)
        self.stop(END, body[-1] if body else definition)
        if not self.flat.points:
            raise self.wrong(definition, f"the program '{definition.name}' has no yield, so it never pauses; add one")

    def wrong(self, node: ast.AST, what: str) -> ProtocolError:
        return ProtocolError(what, file=self.file, place=f"line {getattr(node, 'lineno', 0)}")

    # ------------------------------------------------------------------ blocks

    def place(self, key: int | str | None = None) -> Block:
        """Begin a new block."""
        if key is None:
            key = self.key()
        self.now = Block(key)
        self.flat.blocks.append(self.now)
        return self.now

    def key(self) -> int:
        self.keys += 1
        return self.keys

    def go(self, key: int) -> None:
        if self.now.open:
            self.now.go = key

    def stop(self, name: str, node: ast.AST) -> None:
        if self.now.open:
            self.now.stop, self.now.line = name, getattr(node, "end_lineno", 0) or 0

    def emit(self, statement: ast.stmt) -> None:
        if self.now.open:
            self.now.body.append(statement)

    # ------------------------------------------------------------------ statements

    def body(self, statements: list[ast.stmt]) -> None:
        for each in statements:
            self.statement(each)

    def statement(self, each: ast.stmt) -> None:
        if isinstance(each, (ast.Return, ast.Break, ast.Continue)):
            self.jump(each)
        elif isinstance(
            each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Delete, ast.Global, ast.Nonlocal)
        ):
            raise self.wrong(each, "a program must not define functions or delete names; write a method instead")
        elif not _pauses(each):
            self.emit(self.rename.visit(each))
        elif isinstance(each, ast.If):
            self.if_(each)
        elif isinstance(each, ast.While):
            self.while_(each)
        elif isinstance(each, ast.For):
            self.for_(each)
        elif isinstance(each, (ast.With, ast.Try, ast.Match, ast.AsyncFor, ast.AsyncWith)):
            word = type(each).__name__.lower()
            raise self.wrong(each, f"a program must not pause inside '{word}'; move the yield out of it")
        else:
            self.emit(self.rename.visit(self.accessed(each)))

    def jump(self, each: ast.Return | ast.Break | ast.Continue) -> None:
        if isinstance(each, ast.Return):
            if each.value is not None:
                raise self.wrong(each, "a program returns nothing; write return, and keep the value in a variable")
            self.stop(END, each)
        elif self.loops:
            again, end = self.loops[-1]
            self.go(again if isinstance(each, ast.Continue) else end)

    def if_(self, each: ast.If) -> None:
        yes, no, end = self.key(), self.key(), self.key()
        self.test(each.test, yes, no)
        self.place(yes)
        self.body(each.body)
        self.go(end)
        self.place(no)
        self.body(each.orelse)
        self.go(end)
        self.place(end)

    def while_(self, each: ast.While) -> None:
        again, yes, no, end = self.key(), self.key(), self.key(), self.key()
        self.go(again)
        self.place(again)
        self.test(each.test, yes, no)
        self.place(yes)
        self.loops.append((again, end))
        self.body(each.body)
        self.loops.pop()
        self.go(again)
        self.place(no)
        self.body(each.orelse)
        self.go(end)
        self.place(end)

    def for_(self, each: ast.For) -> None:
        """Translate a loop into one over the items that are left, which are a variable of the process."""
        left = _left(each)
        if left in self.outer:
            raise self.wrong(each, f"two nested loops use the variable '{left.removesuffix(TO_COME)}'; rename one")
        source = each.iter
        if _yields(source):
            source = self.accessed(source)
        me, line = self.flat.me, each.lineno
        for made in _made(f"{me}.{left} = tuple(_items)", line, _items=self.rename.visit(source)):
            self.emit(made)
        again, yes, no, end = self.key(), self.key(), self.key(), self.key()
        self.go(again)
        self.place(again)
        (more,) = _made(f"{me}.{left}", line)
        assert isinstance(more, ast.Expr)
        self.branch(more.value, yes, no)
        self.place(yes)
        for made in _made(f"_item, {me}.{left} = {me}.{left}[0], {me}.{left}[1:]", line,
                          _item=self.rename.visit(each.target)):  # fmt: skip
            self.emit(made)
        self.loops.append((again, end))
        self.outer.append(left)
        self.body(each.body)
        self.outer.pop()
        self.loops.pop()
        self.go(again)
        self.place(no)
        self.body(each.orelse)
        self.go(end)
        self.place(end)

    # ------------------------------------------------------------------ tests and pauses

    def test(self, test: ast.expr, yes: int, no: int) -> None:
        """Continue at ``yes`` or ``no``; ``and``, ``or`` and ``not`` access only what decides the result."""
        if not _yields(test):
            self.branch(self.rename.visit(test), yes, no)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.test(test.operand, no, yes)
        elif isinstance(test, ast.BoolOp):
            for part in test.values[:-1]:
                further = self.key()
                if isinstance(test.op, ast.And):
                    self.test(part, further, no)
                else:
                    self.test(part, yes, further)
                self.place(further)
            self.test(test.values[-1], yes, no)
        else:
            self.branch(self.rename.visit(self.accessed(test)), yes, no)

    def branch(self, test: ast.expr, yes: int, no: int) -> None:
        if self.now.open:
            self.now.test, self.now.yes, self.now.no, self.now.line = test, yes, no, test.lineno

    def accessed(self, node: Any) -> Any:
        """Pause before the only ``yield`` of a simple statement or expression; return it with the result in place."""
        found = _yields(node)
        if len(found) > 1:
            what = "a statement must contain at most one yield; give the result of the first a name: x = yield ..."
            raise self.wrong(found[1], what)
        one = found[0]
        if isinstance(one, ast.YieldFrom):
            raise self.wrong(one, "a program must not use yield from; write a yield for each step")
        hidden = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp)
        for part in ast.walk(node):
            if isinstance(part, hidden) and _yields(part):
                raise self.wrong(
                    one, "this yield is not always reached; write x = yield ... in a line of its own before"
                )
        self.pause(one)
        return _Replace(one).visit(node)

    def pause(self, one: ast.Yield) -> None:
        label, condition, access = self.kind(one)
        before = sum(1 for point in self.flat.points if point[1] == label)
        name = f"{label} #{before + 1}" if before else label
        self.flat.points.append((name, label, one.lineno))
        self.stop(name, one)
        self.now.line = one.lineno
        self.place(name)
        if condition is not None:
            self.flat.conditions[name] = self.rename.visit(condition)
        text, holes = f"{_RESULT} = None", {}
        if access is not None:
            text = f"{_RESULT} = {self.flat.me}._access(_wanted)\nif {_RESULT} is ...: return"
            holes = {"_wanted": self.rename.visit(access)}
        for each in _made(text, one.lineno, **holes):
            self.emit(each)

    def kind(self, one: ast.Yield) -> tuple[str, ast.expr | None, ast.expr | None]:
        """Return the label of a step, its condition if it waits, and its access if it has one."""
        value = one.value
        if value is None:
            return "step", None, None
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.strip():
            return value.value.strip(), None, None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "wait":
            if len(value.args) != 1 or value.keywords:
                raise self.wrong(one, "wait needs one condition: yield wait(self.majority) or yield wait(lambda: ...)")
            holds = value.args[0]
            if not isinstance(holds, (ast.Lambda, ast.Attribute, ast.Name)):
                text = ast.unparse(holds)[:60]
                raise self.wrong(one, f"wait must be able to ask again whether it may go on: wait(lambda: {text})")
            if isinstance(holds, ast.Attribute) and isinstance(holds.value, ast.Name):
                return f"{_WAITS}{holds.attr.replace('_', ' ')}", holds, None
            return "wait", holds, None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            there = value.func.value
            there = there.value if isinstance(there, ast.Subscript) else there
            if isinstance(there, ast.Attribute):
                return f"{value.func.attr.replace('_', '-')} {there.attr}", None, value
        what = "yield needs an access such as self.turn.read(), wait(...), the name of a step, or nothing"
        raise self.wrong(one, f"{what}, not {ast.unparse(value)[:60]}")


def _pauses(statement: ast.stmt) -> bool:
    """Return True if a statement has to be divided into blocks."""
    if _yields(statement):
        return True
    return any(_leaves(statement, False))


def _leaves(node: ast.AST, inside: bool) -> Iterator[bool]:
    """Yield True for each jump out of a statement: return, and break or continue of a loop around it."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Return) or (isinstance(each, (ast.Break, ast.Continue)) and not _loops(node, inside)):
            yield True
        elif not isinstance(each, (ast.FunctionDef, ast.Lambda)):
            yield from _leaves(each, _loops(node, inside))


def _loops(node: ast.AST, inside: bool) -> bool:
    return inside or isinstance(node, (ast.For, ast.While))


def _yields(node: ast.AST) -> list[ast.Yield | ast.YieldFrom]:
    """Return the yields in a node, in the order of the text."""
    found = [each for each in ast.walk(node) if isinstance(each, (ast.Yield, ast.YieldFrom))]
    return sorted(found, key=lambda each: (each.lineno, each.col_offset))


def _left(loop: ast.For) -> str:
    target: Any = loop.target
    while isinstance(target, (ast.Tuple, ast.List)):
        target = target.elts[0]
    return f"{getattr(target, 'id', 'items')}{TO_COME}"


def _made(text: str, line: int, **holes: ast.expr) -> list[ast.stmt]:
    """Return new statements on a line of the text.

    Args:
        text: the statements.
        holes: name in the text -> the expression in its place, which keeps its own lines.
    """
    module = tree_of(text)
    for part in ast.walk(module):
        if isinstance(part, (ast.expr, ast.stmt)):
            part.lineno = part.end_lineno = line
            part.col_offset = part.end_col_offset = 0
    filled: ast.Module = _Fill(holes).visit(module)
    return filled.body


class _Fill(ast.NodeTransformer):
    """Put expressions in the place of names."""

    def __init__(self, holes: dict[str, ast.expr]) -> None:
        self.holes = holes

    def visit_Name(self, node: ast.Name) -> Any:
        return self.holes.get(node.id, node)


def _locals(definition: ast.FunctionDef, owner: _Translation) -> dict[str, None]:
    """Return the local names of a program, and those of the items that are left in its loops."""
    found: dict[str, None] = {}

    def look(node: ast.AST) -> None:
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        if isinstance(node, ast.For) and _pauses(node):
            found[_left(node)] = None
        for each in ast.iter_child_nodes(node):
            look(each)

    for each in definition.body:
        look(each)
    wrong = next((name for name in found if name.startswith("_")), None)
    if wrong is not None:
        raise owner.wrong(definition, f"a local variable of a program must not begin with _; rename '{wrong}'")
    return found


class _Rename(ast.NodeTransformer):
    """Turn the local names of a program into attributes of its process."""

    def __init__(self, me: str, names: dict[str, None]) -> None:
        self.me, self.names = me, names
        self.hidden: list[set[str]] = []

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in self.names or any(node.id in some for some in self.hidden):
            return node
        owner = ast.copy_location(ast.Name(self.me, ast.Load()), node)
        return ast.copy_location(ast.Attribute(owner, node.id, node.ctx), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node)
        node.simple = int(isinstance(node.target, ast.Name))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        arguments = node.args
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        return self._inside(node, {each.arg for each in names})

    def _comprehension(self, node: Any) -> Any:
        own = {part.id for each in node.generators for part in ast.walk(each.target) if isinstance(part, ast.Name)}
        first, node.generators[0].iter = self.visit(node.generators[0].iter), ast.Constant(None)
        self._inside(node, own)
        node.generators[0].iter = first  # it is evaluated outside the comprehension
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def _inside(self, node: Any, names: set[str]) -> Any:
        self.hidden.append(names)
        self.generic_visit(node)
        self.hidden.pop()
        return node


class _Replace(ast.NodeTransformer):
    """Replace a ``yield`` by the name of its result."""

    def __init__(self, one: ast.Yield) -> None:
        self.one = one

    def visit_Yield(self, node: ast.Yield) -> Any:
        return ast.copy_location(ast.Name(_RESULT, ast.Load()), node) if node is self.one else node


# ---------------------------------------------------------------------- the translated method


def _written(flat: Flat) -> ast.FunctionDef:
    """Return the method that executes one step: the block of ``next_step``, and those that follow without a pause."""
    definition, line = flat.definition, flat.definition.lineno
    (start,) = _made(f"{_GO} = {flat.me}.{NEXT}", line)
    (loop,) = _made("while True:\n    pass", line)
    assert isinstance(loop, ast.While)
    loop.body = [_one(flat, each) for each in flat.blocks]
    (steps,) = _made(f"__lydian_steps__({definition.name!r}, {flat.points!r}, {flat.names!r}, {{}})", line)
    assert isinstance(steps, ast.Expr) and isinstance(steps.value, ast.Call)
    steps.value.args[-1] = conditions = ast.Dict([], [], lineno=line, col_offset=0)
    for name, holds in flat.conditions.items():
        (guard,) = _made(f"lambda {flat.me}: _holds()", holds.lineno, _holds=holds)
        assert isinstance(guard, ast.Expr)
        conditions.keys.append(ast.Constant(name, lineno=line, col_offset=0))
        conditions.values.append(guard.value)
    doc = definition.body[:1] if ast.get_docstring(definition) is not None else []
    definition.body = [*doc, start, loop]
    definition.decorator_list = [*definition.decorator_list, steps.value]
    return ast.fix_missing_locations(definition)


def _one(flat: Flat, block: Block) -> ast.stmt:
    """Return a block as a statement of the loop: ``if _go == 3: ...``."""
    line = block.line or (block.body[0].lineno if block.body else flat.definition.lineno)
    (made,) = _made(f"if {_GO} == {block.key!r}:\n    pass", line)
    assert isinstance(made, ast.If)
    if block.test is not None:
        end = _made(f"{_GO} = {block.yes!r} if _test else {block.no!r}\ncontinue", line, _test=block.test)
    elif block.stop is not None:
        end = _made(f"{flat.me}.{NEXT} = {block.stop!r}\nreturn", line)
    else:
        end = _made("return" if block.go is None else f"{_GO} = {block.go!r}\ncontinue", line)
    made.body = [*block.body, *end]
    return made
