"""The states that an action can lead to, derived from its code without running it.

This is an abstract interpretation over sets of states: an assignment ``self.state = DONE`` gives {DONE}, a test such as
``if self.state == WAITING`` keeps on each side the states that are possible there, calls of the process's own methods
are followed, and loops are repeated until nothing new is found. An expression that cannot be analysed (``self.state =
f(x)``) may give every state. The result may contain states that cannot occur (a test of a variable is assumed to have
both results), but never lacks one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lydian.model.protocol.program import END, Block, Flat
from lydian.model.source.syntax import tree_of

__all__ = ["Reading", "parsed"]

States = frozenset[str]
_NOTHING: States = frozenset()


@lru_cache(maxsize=4)
def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a file, which must not be changed."""
    return tree_of(source)


class Reading:
    """The methods of a protocol file, prepared for the analysis.

    Args:
        source: the text of the file.
        scope: the names of its module.
        states: all states.
        classes: the classes that define the methods; ``None`` for all.
    """

    def __init__(
        self, source: str, scope: Mapping[str, Any], states: Sequence[str], classes: Collection[str] | None = None
    ) -> None:
        self._scope = scope
        self._states = tuple(states)
        self._known: dict[tuple[str, States], States] = {}
        self._called: dict[int, list[str]] = {}  # the process's own methods that each part of the text calls
        self._methods = {
            part.name: part
            for definition in parsed(source).body
            if isinstance(definition, ast.ClassDef) and (classes is None or definition.name in classes)
            for part in definition.body
            if isinstance(part, ast.FunctionDef) and part.args.args
        }

    @property
    def states(self) -> tuple[str, ...]:
        """All states, in the order of declaration."""
        return self._states

    def states_after(self, method: str, state: str) -> tuple[str, ...]:
        """Return the states in which a process can be after ``method`` was called in ``state``, in the order of
        declaration."""
        after = self._call(method, frozenset({state}))
        return tuple(s for s in self._states if s in after)

    def program_states(self, program: Flat, first: Collection[str], settled: bool) -> dict[str, tuple[str, ...]]:
        """Return the states in which a process can be before each step of its program, by the name of the step.

        Args:
            program: the program.
            first: the states before its first step.
            settled: whether only the program assigns states.
        """
        every = frozenset(self._states)
        found = {program.definition.name: frozenset(first) if settled else every}
        waiting = list(found)
        while waiting:
            point = waiting.pop()
            for then, states in self._step(program, point, found[point]).items():
                more = found.get(then, _NOTHING) | (states if settled else every)
                if then != END and more != found.get(then):
                    found[then] = more
                    waiting.append(then)
        return {point: tuple(s for s in self._states if s in states) for point, states in found.items()}

    def states_after_step(self, program: Flat, point: str, state: str) -> tuple[str, ...]:
        """Return the states in which a process can be after a step of its program that it begins in ``state``."""
        after = _NOTHING.union(*self._step(program, point, frozenset({state})).values())
        return tuple(s for s in self._states if s in after)

    def _step(self, program: Flat, point: str, before: States) -> dict[str, States]:
        """Return the states after a step, by the name of the step that comes next."""
        blocks = {block.key: block for block in program.blocks}
        reached: dict[int | str, States] = {point: before}
        ends: dict[str, States] = {}
        waiting: list[int | str] = [point]
        while waiting:
            block = blocks[waiting.pop()]
            after = self._block(block.body, reached[block.key], program.me, set())
            for then, states in self._exits(block, after, program.me):
                if isinstance(then, str):
                    ends[then] = ends.get(then, _NOTHING) | states
                elif not states <= reached.get(then, _NOTHING):
                    reached[then] = reached.get(then, _NOTHING) | states
                    waiting.append(then)
        return ends

    def _exits(self, block: Block, after: States, me: str) -> list[tuple[int | str, States]]:
        if block.test is not None and block.yes is not None and block.no is not None:
            yes, no = self._test(block.test, self._calls(block.test, after, me), me)
            return [(block.yes, yes), (block.no, no)]
        then = block.stop if block.go is None else block.go
        return [] if then is None else [(then, after)]

    def _call(self, method: str, before: States) -> States:
        definition = self._methods.get(method)
        if definition is None:
            return before
        if (method, before) not in self._known:
            self._known[method, before] = frozenset(self._states)  # for recursive calls
            left: set[str] = set()
            end = self._block(definition.body, before, definition.args.args[0].arg, left)
            self._known[method, before] = end | left
        return self._known[method, before]

    def _block(self, body: Sequence[ast.stmt], before: States, me: str, left: set[str]) -> States:
        """Return the states at the end of a block; those in which the method returns early are added to ``left``."""
        for part in body:
            if not before:
                return before
            before = self._statement(part, before, me, left)
        return before

    def _statement(self, part: ast.stmt, before: States, me: str, left: set[str]) -> States:
        if isinstance(part, ast.If):
            before = self._calls(part.test, before, me)
            then, otherwise = self._test(part.test, before, me)
            return self._block(part.body, then, me, left) | self._block(part.orelse, otherwise, me, left)
        if isinstance(part, (ast.For, ast.While)):
            seen = self._calls(part.iter if isinstance(part, ast.For) else part.test, before, me)
            while True:
                again = seen | self._block(part.body, seen, me, left)
                if again == seen:
                    return self._block(part.orelse, seen, me, left)
                seen = again
        if isinstance(part, ast.Try):
            reached = before | self._block(part.body, before, me, left)
            for handler in part.handlers:
                reached |= self._block(handler.body, reached, me, left)
            return self._block([*part.orelse, *part.finalbody], reached, me, left)
        if isinstance(part, ast.With):
            return self._block(part.body, before, me, left)
        if isinstance(part, ast.Match):
            ends = [self._block(case.body, before, me, left) for case in part.cases]
            return before.union(*ends)
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            return before
        after = self._calls(part, before, me)
        if isinstance(part, (ast.Return, ast.Raise)):
            left |= after
            return _NOTHING
        if isinstance(part, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and part.value is not None:
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            for target in targets:
                if _is_state(target, me):
                    return self._named(part.value)
                if any(_is_state(inner, me) for inner in ast.walk(target)):
                    return frozenset(self._states)
        return after

    def _calls(self, part: ast.AST, before: States, me: str) -> States:
        """Follow calls of the process's own methods in an expression or a simple statement."""
        if id(part) not in self._called:
            self._called[id(part)] = [
                inner.func.attr
                for inner in ast.walk(part)
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and _is_own(inner.func, me)
            ]
        for name in self._called[id(part)]:
            before = self._call(name, before)
        return before

    def _test(self, test: ast.expr, before: States, me: str) -> tuple[States, States]:
        """Return the states in which a test can be true, and those in which it can be false."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            true, false = self._test(test.operand, before, me)
            return false, true
        if isinstance(test, ast.BoolOp):
            conjunction = isinstance(test.op, ast.And)
            going, decided = before, _NOTHING
            for value in test.values:
                true, false = self._test(value, going, me)
                going, done = (true, false) if conjunction else (false, true)
                decided |= done
            return (going, decided) if conjunction else (decided, going)
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and _is_state(test.left, me):
            operator, other = test.ops[0], test.comparators[0]
            if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(other, (ast.Tuple, ast.List, ast.Set)):
                names = frozenset().union(*(self._named(item) for item in other.elts)) if other.elts else _NOTHING
            elif isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) and not isinstance(other, ast.IfExp):
                names = self._named(other)
            else:
                return before, before
            if not self._certain(other):
                return before, before
            inside, outside = before & names, before - names
            return (outside, inside) if isinstance(operator, (ast.NotEq, ast.IsNot, ast.NotIn)) else (inside, outside)
        return before, before

    def _certain(self, value: ast.expr) -> bool:
        """Return True if an expression can give known states only."""
        if isinstance(value, (ast.Tuple, ast.List, ast.Set)):
            return all(self._certain(item) for item in value.elts)
        if isinstance(value, ast.Constant):
            return isinstance(value.value, str)
        return isinstance(value, ast.Name) and isinstance(self._scope.get(value.id), str)

    def _named(self, value: ast.expr) -> States:
        """Return the states that an expression can give; every state if it cannot be analysed."""
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return frozenset({value.value})
        if isinstance(value, ast.Name) and isinstance(self._scope.get(value.id), str):
            return frozenset({str(self._scope[value.id])})
        if isinstance(value, ast.IfExp):
            return self._named(value.body) | self._named(value.orelse)
        return frozenset(self._states)


def _is_own(part: ast.expr, me: str) -> bool:
    return isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == me


def _is_state(part: ast.AST, me: str) -> bool:
    return isinstance(part, ast.Attribute) and _is_own(part, me) and part.attr == "state"
