"""A game: what each player of a run sees, what they may choose, and what the choices of a round do.

Any run can be played without a game: :class:`Game` itself offers a player the events that are enabled at their process.
A game of :data:`GAMES` is a subclass with its own words and its own moves; it registers itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lydian.language import tr

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = [
    "GAMES", "Act", "Choice", "Game", "Happened", "Moment", "Move", "Offer", "View", "is_here", "register", "words",
]  # fmt: skip


@dataclass(frozen=True)
class Moment:
    """What the host knows of the run between two rounds.

    Attributes:
        round: the number of rounds that have been closed.
        time: the simulated time.
        experiment, network, protocol: of the run.
        processes: the names of the processes, in the order of the network.
        states: process -> its state.
        variables: process -> variable -> value.
        pending: the enabled events, as :mod:`lydian.engine.pending` lists them.
        crashed: the processes that are down.
        played: the processes that people play.
        called: process -> what its player is called, if it has one and names are not hidden.
        been_down: the processes that have ever been down.
        last: process -> its last event, which tells moments at which it differs apart.
    """

    round: int
    time: float
    experiment: Experiment
    network: Network
    protocol: Protocol
    processes: tuple[str, ...]
    states: Mapping[str, str]
    variables: Mapping[str, Mapping[str, Any]]
    pending: Sequence[Mapping[str, Any]]
    crashed: frozenset[str]
    played: frozenset[str]
    called: Mapping[str, str]
    been_down: frozenset[str] = frozenset()
    last: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def enabled(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The enabled events at each process that has any."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for each in self.pending:
            found.setdefault(each["process"], []).append(each)
        return found


@dataclass(frozen=True)
class Offer:
    """One thing that a player can choose.

    Attributes:
        id: what identifies it among the offers of the process; the same offer has the same one while it lasts.
        title, text: "Request from 3", "asked at 6, as you did".
        head: the label of the message that it is about; "" for none.
        value: ``None``; ``{"least", "most", "start"}`` for a number; or ``{"choices": [[value, words], ...]}``.
        do: the intervention without its time that it makes; ``None`` for none, or if the game decides.
    """

    id: str
    title: str
    text: str = ""
    head: str = ""
    value: Mapping[str, Any] | None = None
    do: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class View:
    """What a player sees; see :class:`lydian.classroom.frames.Seat` for the fields.

    Attributes:
        secret: whether the process must not be drawn as its state, which would say what to do.
    """

    title: str
    text: str = ""
    values: tuple[tuple[str, str], ...] = ()
    picture: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""
    offers: tuple[Offer, ...] = ()
    heading: str = ""
    secret: bool = False


@dataclass(frozen=True)
class Choice:
    """The offer that a player has chosen, with its value if it asks for one."""

    offer: Offer
    value: int | str | None = None


@dataclass(frozen=True)
class Move:
    """An intervention for a player's choice: ``what`` is a table without ``time``."""

    process: str
    what: Mapping[str, Any]


@dataclass(frozen=True)
class Happened:
    """What a round did to one process; see :class:`lydian.classroom.frames.Story`."""

    text: str
    good: bool | None = None
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    next: str = ""


@dataclass(frozen=True)
class Act:
    """A part of a game.

    Attributes:
        title, text: for the host and the players.
        experiment: the experiment with which it begins; "" to go on with the present run.
        mischief: interventions without their time that are made at its beginning.
        ask: a question to everybody at its beginning, as the arguments of ``lead`` with ``ask``; empty for none.
    """

    title: str
    text: str
    experiment: str = ""
    mischief: tuple[Mapping[str, Any], ...] = ()
    ask: Mapping[str, Any] = field(default_factory=dict)


class Game:
    """A run that is played without particular words: players choose among the enabled events of their process.

    Attributes:
        name, title, about: for lists; ``about`` is one sentence.
        experiment: the name of the experiment in the archive.
        acts: its parts, in order; may be empty.
        secret: whether only the host sees the whole run until it is shown to all.
        overview: whether a player sees all processes, not only their own and what has arrived there.
        mode: one of :data:`~lydian.classroom.frames.MODES`.
        seconds: of a sealed round; 0 for no limit.
        page: the page of the guide with instructions.
        figure: ``title``, ``unit``, ``goal`` and ``words`` of the curve of :meth:`measure`; empty without one.
    """

    name = ""
    title = ""
    about = ""
    experiment = ""
    acts: tuple[Act, ...] = ()
    secret = False
    overview = False
    mode = "sealed"
    seconds = 45.0
    page = ""
    figure: Mapping[str, Any] = {}

    def processes(self, now: Moment) -> tuple[str, ...]:
        """Return the processes that people can play, in the order in which they are given out."""
        return now.processes

    def view(self, now: Moment, process: str) -> View:
        """Return what the player of a process sees and may do."""
        state = now.states[process]
        here = (each for each in now.enabled.get(process, ()) if is_here(each, now.time))
        found = (_offer(each) for each in here)
        offers = tuple(each for each in found if each is not None)
        shown = tuple((name, words(value)) for name, value in now.variables[process].items())
        nothing = Offer("rest", tr("Take nothing"), tr("leave them at the door"))
        return View(
            tr("You are process {process}", process=process),
            tr("Your state is {state}", state=state) if state else "",
            shown,
            rule=tr("You decide what {process} handles next.", process=process),
            offers=(*offers, nothing) if offers else (),
            heading=tr("Arrived: what do you take next?") if offers else tr("Nothing has arrived; wait."),
        )

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        """Return the interventions for the choices of a round, in the order in which they are to be made."""
        return [
            Move(process, choices[process].offer.do or {})
            for process in now.processes
            if process in choices and choices[process].offer.do is not None
        ]

    def own(self, now: Moment) -> list[Move]:
        """Return the moves that the program makes in a round for processes without a player.

        There are none by default: such processes act by themselves as time goes on.
        """
        return []

    def round(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        """Return everything that is done in a sealed round, in order: the players' moves, then the program's own.

        A game in which all of them are simultaneous chooses another order.
        """
        return [*self.moves(now, choices), *self.own(now)]

    def settle(self, now: Moment) -> list[Move]:
        """Return the moves with which a sealed round ends, where the players have no choice; none by default."""
        return []

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        """Return an experiment of the game on a network for this number of players; by default, it is unchanged."""
        return experiment

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        """Return what a round did to a process.

        Args:
            choice: what its player had chosen, if anything.
            refused: why the move was not made; "" if it was.
        """
        if refused:
            return Happened(tr("Your move was not made: {reason}.", reason=refused), False)
        if choice is None or choice.offer.do is None:
            return Happened(tr("You took nothing."))
        return Happened(tr("You took {offer}.", offer=choice.offer.title))

    def stage(self, now: Moment) -> Mapping[str, Any]:
        """Return what is drawn with the network; see :class:`lydian.classroom.frames.RoomNow`."""
        return {}

    def over(self, now: Moment) -> bool:
        """Return whether the run ends after this round; by default, only the host ends it."""
        return False

    def measure(self, now: Moment) -> float | None:
        """Return the value of the game's curve after this round, if it has one."""
        return None


def is_here(event: Mapping[str, Any], now: float) -> bool:
    """Return whether an event has arrived: it waits, or it is due at once."""
    return bool(event["waits"]) or event["kind"] == "rule" or (event["kind"] == "init" and event["time"] <= now)


def _offer(event: Mapping[str, Any]) -> Offer | None:
    """Return the offer for an enabled event, or ``None`` if it cannot be chosen."""
    choose = event["choose"]
    if choose is None:
        return None
    label = str(event["label"])
    told = ", ".join(f"{name} {words(value)}" for name, value in event["fields"].items())
    if event["kind"] == "receive":
        title = tr("{label} from {sender}", label=label, sender=event["from"])
        return Offer(f"m{event['message']}", title, told, label, do=choose)
    if event["kind"] == "rule":
        return Offer(f"r{label}", label, "", "", do=choose)
    title = tr("start") if event["kind"] == "init" else label
    return Offer(f"e{label} {told}", title, told, "", do=choose)


def words(value: Any) -> str:
    """Return a value of a variable in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(words(each) for each in value) or "–"
    return str(value)


#: The games: name -> game; ``""`` is a run without one.
GAMES: dict[str, Game] = {"": Game()}


def register(game: Game) -> None:
    """Add a game; the modules of this package do so when they are imported."""
    GAMES[game.name] = game
