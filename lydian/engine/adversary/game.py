"""A game against an algorithm: the positions, the choices in each, and how far the goal is from them.

The explorer searches all schedules within the budget once. After that, the answer for any position of the game is
read off the graph of configurations. A simulator takes the same steps, so that each choice is an intervention that a
live run can carry out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from lydian.engine.adversary.distances import FAR, Distances
from lydian.engine.adversary.position import Choice, Known, Position
from lydian.engine.explorer.moves import Key, Step
from lydian.engine.explorer.replay import Move, Played, bare
from lydian.engine.explorer.result import Progress
from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.seen import Judge
from lydian.engine.simulator import Simulator
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.goal.goal import Goal
from lydian.model.interventions import Intervention
from lydian.model.lang.expression import SPACE
from lydian.model.protocol.process import INIT, Process
from lydian.trace.parquet.recorder import plain

__all__ = ["STATES", "Game"]

#: The largest number of configurations that are explored, and the longest search in seconds.
STATES, SECONDS = 400_000, 60.0
#: The number of steps for which the run of a goal without a bound is prepared.
_ROOM = 1000


class Game:
    """A game.

    Args:
        goal: the goal.
        states, seconds, memory: bounds on the search.
        progress: called from time to time during the search.

    Attributes:
        experiment: the run before the first step, in which nothing happens by itself.
        known: what the search has found; ``None`` until it is over.

    Raises:
        BadInput: the goal does not fit its protocol, or the explorer cannot search the experiment.
    """

    def __init__(
        self,
        goal: Goal,
        *,
        states: int | None = None,
        seconds: float | None = None,
        memory: int | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.goal = goal
        self.resolved = resolved = goal.resolve()
        self._property = goal.violated(resolved.protocol)
        self._progress = progress
        budget = goal.budget
        self.explorer = Explorer(
            resolved, crashes=budget.crashes, losses=budget.losses, traitors=budget.traitors, lies=budget.lies,
            patient=goal.patient, depth=budget.steps, states=states or STATES, seconds=seconds or SECONDS,
            memory=memory, progress=self._tell,
        )  # fmt: skip
        starts = list(self.explorer.firsts())
        if len(starts) != 1:
            what = "a game must begin in one configuration; give a value to every variable"
            raise BadInput(what, file=goal.file, place="experiment.start")
        self._first: Key = starts[0]
        self._judge = Judge(self.explorer.seen, resolved.protocol)
        self._judged, self._depth = 0, 0
        self._goals: list[int] = []
        self._distances: Distances | None = None
        self.known: Known | None = None
        about = goal.sentence or goal.title
        start = resolved.experiment.start
        slow = bare(resolved, budget.steps or _ROOM, "run", about, start, together=False)
        self._slow = slow
        taken = tuple(Intervention(0.0, "take_over", process=p, after=0) for p in slow.network.processes)
        self.experiment: Experiment = slow.experiment.with_(
            name=goal.name, about=about, interventions=taken, breaks=("all",)
        )
        self._run = _Run(self)

    # ------------------------------------------------------------------ searching

    def search(self) -> Known:
        """Search all schedules within the budget; answer afterwards for any position at once."""
        begun, explorer = monotonic(), self.explorer
        with explorer.guarded(self._judge):
            stopped, _ = explorer.walk()
            self._note_goals()
        self._distances = Distances(explorer.graph, len(explorer.keys), self._goals)
        least = int(self._distances.steps[0])
        self.known = Known(
            complete=stopped == "complete",
            within=stopped in ("complete", "depth"),
            configurations=len(explorer.keys),
            moves=len(explorer.graph.targets),
            goals=len(self._goals),
            least=None if least == FAR else least,
            stopped=stopped,
            processes=self.resolved.network.n,
            seconds=monotonic() - begun,
        )
        return self.known

    def cancel(self) -> None:
        """End the search soon; what it has found so far is used."""
        self.explorer.cancel()

    def _tell(self, at: Progress) -> None:
        self._depth = at.depth
        self._note_goals()
        if self._progress is not None:
            self._progress(at)

    def _note_goals(self) -> None:
        """Judge the configurations that have been found since the last call."""
        keys = self.explorer.keys
        if self._ending:
            ends = self.explorer.graph.ends
            new: Iterable[int] = ends[self._judged :]
            self._judged = len(ends)
        else:
            new = range(self._judged, len(keys))
            self._judged = len(keys)
        self._goals += [number for number in new if self._reached(keys[number])]

    @property
    def _ending(self) -> bool:
        """Whether only configurations at the end of a run can reach the goal."""
        return self.goal.wanted.ending or (self._property is not None and self._property.kind != "always")

    def _reached(self, key: Key) -> bool:
        """Return True if the goal is reached in a configuration, regardless of whether the run is at its end."""
        if self._property is not None:
            return bool(self._judge.failing([self._property], key))
        self.explorer.seen.show(key)
        return sum(map(self._true, self.explorer.seen.processes)) >= self.goal.wanted.processes

    def _true(self, p: Process) -> bool:
        names = {name: getattr(p, name) for name in (*p._declared.variables, *p._declared.parameters)}
        names |= {"state": str(p.state), "me": p._name}
        try:
            return not p._crashed and bool(eval(self.goal.condition, SPACE, names))  # noqa: S307 - parsed
        except (NameError, TypeError, KeyError, IndexError, ValueError, ZeroDivisionError):
            return False  # as in any condition: one that cannot be evaluated is false

    # ------------------------------------------------------------------ positions

    def look(self, path: Sequence[int]) -> Position:
        """Return a position of the game.

        Raises:
            BadInput: there is no such position.
        """
        key, spent = self._first, {"crash": 0, "loss": 0}
        moves: list[Move] = []
        for label in path:
            found = next((new for each, new, _ in self._steps(key) if each == label), None)
            if found is None:
                raise BadInput(f"step {len(moves) + 1} of this game is not possible")
            move = self.explorer.move(label, key)
            if move.kind in spent:
                spent[move.kind] += 1
            moves.append(move)
            key = found
        self._run.go(moves)
        most = self.goal.budget.steps
        room = None if most is None else most - len(moves)
        here = self.explorer.number(key)
        steps = self._steps(key)
        won = (not self._ending or not self.explorer.moves(key)) and self._reached(key)
        choices = [] if won or room == 0 else [self._choice(key, step, room) for step in steps if step[1] is not None]
        sure = self.known is not None and self._sure(here)
        ahead = None if here is None or self._distances is None else self._distances.ahead(here, room)
        return Position(
            path=tuple(path), steps=len(moves), crashes=spent["crash"], losses=spent["loss"], won=won,
            over=won or not choices, sure=sure, left=self._left(key, room), least=max(1, self._depth - len(moves)),
            ahead=0 if ahead is None else ahead.all, leading=0 if ahead is None else ahead.leading,
            choices=tuple(choices), shows=self._shows(key, moves) if won else (),
        )  # fmt: skip

    def _shows(self, key: Key, moves: Sequence[Move]) -> tuple[str, ...]:
        """Return the processes of which the condition is true, or which are in the state of the one that moved last."""
        self.explorer.seen.show(key)
        processes = list(self.explorer.seen.processes)
        if self._property is None:
            return tuple(p._name for p in processes if self._true(p))
        last = next((p for p in processes if moves and p._name == moves[-1].process), None)
        return () if last is None else tuple(p._name for p in processes if p.state == last.state)

    def solution(self) -> list[int]:
        """Return the choices of a shortest way to the goal from the beginning; empty if there is none."""
        assert self._distances is not None
        path: list[int] = []
        number, steps, graph = 0, self._distances.steps, self.explorer.graph
        if steps[number] == FAR:
            return []
        while steps[number]:
            edge = next(
                edge for edge in graph.edges(number)
                if graph.targets[edge] < len(steps) and steps[graph.targets[edge]] == steps[number] - 1
            )  # fmt: skip
            path.append(graph.labels[edge])
            number = graph.targets[edge]
        return path

    def played(self, path: Sequence[int]) -> Experiment:
        """Return the experiment that takes these steps."""
        self.look(path)
        return self._slow.experiment.with_(
            name=self.goal.name, about=self.experiment.about, breaks=("all",), interventions=tuple(self._run.done)
        )

    def _steps(self, key: Key) -> list[Step]:
        return [*self.explorer.moves(key), *self.explorer.harms(key)]

    def _sure(self, here: int | None) -> bool:
        """Return True if all that can follow a configuration within the budget has been explored."""
        assert self.known is not None
        return here is not None and (self.known.within or self.known.complete)

    def _left(self, key: Key, room: int | None) -> int | None:
        """Return the least number of steps from a configuration to the goal, if they fit into the room left."""
        number = self.explorer.number(key)
        if number is None or self._distances is None:
            return None
        left = int(self._distances.steps[number])
        return None if left == FAR or (room is not None and left > room) else left

    def _choice(self, key: Key, step: Step, room: int | None) -> Choice:
        label, new, outcome = step
        assert new is not None
        explorer = self.explorer
        move = explorer.move(label, key)
        done = self._run.would(move)
        left = self._left(new, None if room is None else room - 1)
        i = self.resolved.network.index[move.process] if move.process else -1
        one = move.kind in ("deliver", "init", "timer", "command", "lie")
        before = str(explorer.situations[i].views[key[i]].state) if one else ""
        after = str(explorer.situations[i].views[new[i]].state) if one else ""
        message = next((each["message"] for each in done if each.get("message") is not None), -1)
        told: dict[str, Any] = {}
        if move.told is not None:
            told = {name: value for name, value in move.told._items() if value != getattr(move.what, name)}
        what = move.what
        return Choice(
            id=label, kind=move.kind, process=move.process, sender=move.sender,
            label="" if what is None or move.kind == "rules" else INIT.name if what is INIT else type(what).__name__,
            fields={} if what is None or what is INIT or move.kind == "rules" else plain(what._told()),
            told=plain(told), does=done, message=message, since=self._run.since.get(message, 0),
            before=before, after=after,
            sends=[(type(explorer.messages.things[m]).__name__, explorer.channels[c].target._name)
                   for c, m in outcome.sends],
            overtakes=self._run.overtaken(move, message), dead=move.dead, left=left, wins=left == 0,
        )  # fmt: skip


def _carried_out(move: Move) -> Move:
    """Return the move that a live run accepts: a message to a process that has crashed is dropped, not delivered."""
    return replace(move, kind="loss") if move.dead and move.kind == "deliver" else move


class _Run:
    """The simulator that takes the steps of a game.

    Attributes:
        done: the interventions so far.
        since: the number of each message in transit -> the step in which it was sent.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._moves: list[Move] | None = None
        self._played = Played(Simulator(game._slow, check=False))
        self.since: dict[int, int] = {}

    @property
    def done(self) -> list[Intervention]:
        return self._played.done

    def go(self, moves: list[Move]) -> None:
        """Take these steps, from the beginning if they do not continue those taken before."""
        if self._moves is None or moves[: len(self._moves)] != self._moves:
            self._played = Played(Simulator(self._game._slow, check=False))
            self._played.begin()
            self._moves, self.since = [], {}
            self._see(0)
        for move in moves[len(self._moves) :]:
            time = float(len(self._moves) + 1)
            self._played.until(time)
            for each in _carried_out(move).interventions(self._played.simulator, time):
                self._played.do(each)
            self._moves.append(move)
            self._see(len(self._moves))

    def would(self, move: Move) -> list[dict[str, Any]]:
        """Return the interventions that make a move happen now, without their times."""
        found = [each.to_dict() for each in _carried_out(move).interventions(self._played.simulator, 0.0)]
        return [{key: value for key, value in each.items() if key not in ("time", "after")} for each in found]

    def overtaken(self, move: Move, message: int) -> str:
        """Return the label of an older message on the channel of the one that arrives; empty if there is none."""
        if move.kind not in ("deliver", "lie"):
            return ""
        older = [each for each in self._flying() if each.id < message
                 and (each.sender._name, each.receiver._name) == (move.sender, move.process)]  # fmt: skip
        return type(older[0].message).__name__ if older else ""

    def _flying(self) -> list[Any]:
        return self._played.simulator.configuration.in_transit

    def _see(self, step: int) -> None:
        for each in self._flying():
            self.since.setdefault(each.id, step)
