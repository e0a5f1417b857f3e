"""What a class says to its host, and the host to the class: frames in JSON over a WebSocket.

The frames have the form of :mod:`lydian.engine.wire`. A text message of the socket contains one frame or several, each
on a line of its own. Somebody joins with ``join`` and is answered by ``welcome``; from then on the host sends what the
person may see::

    > {"kind": "join", "code": "ring-4127", "name": "Chiara", "wish": "seat"}
    < {"kind": "welcome", "person": 5, "secret": "...", "name": "Chiara", "role": "player", "process": "3", ...}
    < {"kind": "room", "phase": "open", "round": 6, "chosen": 5, "choosing": 8, "left": 23.0, ...}
    < {"kind": "seat", "process": "3", "offers": [{"id": "speak", ...}, {"id": "rest", ...}], ...}
    > {"kind": "choose", "id": 1, "round": 6, "offer": "speak", "value": 3}
    < {"kind": "answer", "id": 1, "accepted": true, "reason": "", "round": 6}
    < {"kind": "room", "phase": "between", "round": 7, ...}
    < {"kind": "story", "round": 6, "text": "You spoke, because ...", ...}

Whoever may see the whole run (observers, and all when the host has shown it) also receives the simulator's frames
``begun`` and ``round``; ``position`` counts them, so that a person who reconnects continues where they were. A frame
that cannot be used is answered by ``error`` and is otherwise without effect.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from lydian.engine.wire import Answered, Begun, Bye, Error, Frame, Interact, Refused, Result, Round, accepted, decode

__all__ = [
    "FROM_CLASS", "FROM_HOST", "LEADS", "MODES", "MOST_BYTES", "PHASES", "REQUESTS", "ROLES", "WISHES", "Choose",
    "Connect", "Doorway", "Dropped", "Hand", "Histogram", "Host", "Join", "Knock", "Lead", "Parting", "People",
    "Question", "Reply", "RoomNow", "Seat", "Story", "Welcome", "heard", "told",
]  # fmt: skip

#: The longest frame that is read from the class.
MOST_BYTES = 16_384
#: The roles in a class.
ROLES = ("host", "player", "observer", "screen")
#: What a person can join for: ``screen`` shows the class to all on the projector, ``host`` leads it.
WISHES = ("seat", "watch", "screen", "host")
#: ``door``: people join and nothing has happened yet; ``open``: choices are taken; ``moving``: the chosen moves happen;
#: ``between``: a round is over and the host has not begun the next; ``over``: the run has ended.
PHASES = ("door", "open", "moving", "between", "over")
#: ``sealed``: all moves of a round happen when it closes; ``turns``: each move happens at once.
MODES = ("sealed", "turns")


@dataclass(frozen=True)
class Host(Frame):
    """A request to host a class, on the standard input of ``python -m lydian.classroom.serve``.

    On its standard output, that process then sends what the host may see, and reads the host's frames from its input.

    Args:
        experiment: the experiment, as in its file; empty to take that of the game, or of the ``file`` to resume.
        folder: the folder of the files to which the experiment refers.
        game: the name of a game, "" for none.
        code: the code to join; "" to choose one.
        lan: whether to listen on the local network rather than only on this computer.
        port: the port; 0 for any free one.
        file: the file to which the class is saved after each round; "" for none.
        resume: whether to go on with the class in ``file``.
        stay: whether to go on when the input ends, until ``lead`` with ``end`` or the last person has gone.
        certificate, key: files for TLS; "" for none.
    """

    kind: ClassVar[str] = "host"
    experiment: dict[str, Any] = field(default_factory=dict)
    folder: str | None = None
    game: str = ""
    code: str = ""
    lan: bool = False
    port: int = 0
    file: str = ""
    resume: bool = False
    stay: bool = False
    certificate: str = ""
    key: str = ""


@dataclass(frozen=True)
class Connect(Frame):
    """A request to take part in a class elsewhere, on the standard input of ``python -m lydian.classroom.join``.

    That process passes the frames on in both directions, reconnects, and sends an ``error`` with an ``exit_code`` when
    it cannot take part.

    Args:
        url: the address that the host shows, with or without ``http://``.
        code, name, wish, secret, process: as in :class:`Join`.
    """

    kind: ClassVar[str] = "connect"
    url: str
    code: str = ""
    name: str = ""
    wish: str = "seat"
    secret: str | None = None
    process: str | None = None


@dataclass(frozen=True)
class Knock(Frame):
    """A question before joining: what would happen if somebody joined with this code and name?

    Args:
        code: the class's code.
        name: what the person would like to be called; "" if they have typed nothing yet.
    """

    kind: ClassVar[str] = "knock"
    code: str = ""
    name: str = ""


@dataclass(frozen=True)
class Join(Frame):
    """A request to take part.

    Args:
        code: the class's code; the host's own program and screen give a secret instead.
        name: what the person is to be called.
        wish: one of :data:`WISHES`.
        secret: what an earlier ``welcome`` contained: the person is themselves again.
        position: how many frames of the run the person has received already.
        process: the process that the person would like to have.
        run: that of the last ``welcome``; if it is another one, the position is meaningless.
    """

    kind: ClassVar[str] = "join"
    code: str = ""
    name: str = ""
    wish: str = "seat"
    secret: str | None = None
    position: int = 0
    process: str | None = None
    run: str = ""

    def __post_init__(self) -> None:
        if self.wish not in WISHES:
            raise Refused(f"wish of a join must be one of {', '.join(WISHES)}")
        if self.position < 0:
            raise Refused("position of a join must be at least 0")


@dataclass(frozen=True)
class Choose(Frame):
    """The choice of a player for a round. Until the round closes, another choice replaces it.

    Args:
        id: the number that the answer repeats.
        round: the round for which it is.
        offer: the ``id`` of one of the seat's offers; "" to choose nothing after all.
        value: what the offer asks for, if it does.
    """

    kind: ClassVar[str] = "choose"
    id: int
    round: int
    offer: str
    value: int | str | None = None


@dataclass(frozen=True)
class Reply(Frame):
    """The answer of a person to a question of the host; only the first one counts.

    Args:
        question: the number of the question.
        value: a number, or one of the choices.
    """

    kind: ClassVar[str] = "reply"
    question: int
    value: int | float | str


@dataclass(frozen=True)
class Hand(Frame):
    """A hand that is raised or lowered."""

    kind: ClassVar[str] = "hand"
    up: bool


#: What a host can do: name -> the arguments, as in :class:`Lead`.
LEADS = {
    "begin": "begin the first act: put its question to all, or, if it has none or is put, open the first round",
    "next": "open the next round",
    "close": "close the round: the chosen moves happen",
    "more": "seconds: give more time for the round",
    "pause": "stop the clock and take no choices",
    "resume": "go on after a pause",
    "undo": "take back the last round; it is kept as a branch",
    "mode": "mode: one of MODES; seconds: of a sealed round (0 for no limit), pace: simulated time per second in turns",
    "give": "person, process: let a person play a process",
    "take": "process: the program plays it again",
    "deal": "give the free processes to the people who would like one",
    "remove": "person: end somebody's participation; their name and secret are not admitted again",
    "admit": "person: undo remove",
    "rename": "person, name: call somebody differently",
    "hide": 'on: whether names are hidden ("seat 3")',
    "door": "open: whether further people may join",
    "show": "on: whether all may see the whole run",
    "act": "act: begin an act of the game, counted from 0",
    "mischief": "what: an intervention without its time, made between two rounds",
    "ask": "text, form (number, choice or process), choices, seconds, key: put a question to all",
    "lock": "question: take no more answers",
    "tell": "question, right: show the answers to all, with the right one if there is one",
    "save": "write the class's file",
    "end": "end the class",
}


@dataclass(frozen=True)
class Lead(Frame):
    """A decision of the host.

    Args:
        id: the number that the answer repeats.
        do: one of :data:`LEADS`.
        what: its arguments by name.
    """

    kind: ClassVar[str] = "lead"
    id: int
    do: str
    what: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.do not in LEADS:
            raise Refused(f"do of a lead must be one of {', '.join(LEADS)}")


@dataclass(frozen=True)
class Doorway(Frame):
    """The answer to ``knock``.

    Args:
        known: whether the code is that of this class; otherwise the other fields have their defaults.
        title, about: the run's title and a sentence about it.
        people, free: how many people are here, and how many processes are free.
        door: whether further people may join.
        name: what the person would be called, which differs from their wish if that is taken; "" for none.
        reason: a sentence that says what is wrong with the name; "" if nothing is.
    """

    kind: ClassVar[str] = "doorway"
    known: bool
    title: str = ""
    about: str = ""
    people: int = 0
    free: int = 0
    door: bool = True
    name: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Welcome(Frame):
    """The answer to ``join``.

    Args:
        person: the person's number in the class.
        secret: what identifies the person when they reconnect.
        role: one of :data:`ROLES`.
        process: the process that the person plays, if any.
        title, about: the run's title and a sentence about it.
        game: the name of the game, "" for a run without one.
        acts: ``[title, text]`` of each act of the game.
        processes: the names of all processes.
        links: pairs of indices into ``processes``.
        places: ``[x, y]`` of each process, from 0 to 1, y downwards.
        looks: how things are drawn: ``states`` (state -> ``{"shape", "fill", "line", "glyph", "words"}``) and
            ``messages`` (label -> ``{"head", "colour", "words"}``), in both themes (``fill`` and ``colour`` are pairs,
            light and dark).
        address: the address to type, ``code`` and ``qr`` (an SVG picture) for the host and the screen; else "".
        run: what positions belong to. After a host was resumed it is another one, and the run is sent from the start.
    """

    kind: ClassVar[str] = "welcome"
    person: int
    secret: str
    name: str
    role: str
    process: str | None
    title: str
    about: str
    game: str
    acts: list[Any]
    processes: list[Any]
    links: list[Any]
    places: list[Any]
    looks: dict[str, Any]
    code: str = ""
    address: str = ""
    qr: str = ""
    run: str = ""


@dataclass(frozen=True)
class RoomNow(Frame):
    """The present state of the class, for everybody.

    Args:
        phase: one of :data:`PHASES`.
        round: the number of the round that is open or was last closed; the first is 1.
        mode: one of :data:`MODES`.
        paused: whether the host has paused the class.
        left, of: the seconds until the round closes by itself, and of how many; ``None`` without a limit.
        chosen, choosing: how many of the players have chosen, and how many can.
        people, watching, free: how many people are here, how many of them watch, and how many processes are free.
        act: the present act of the game, counted from 0; -1 without acts.
        shown: whether all may see the whole run.
        door: whether further people may join.
        figure: the curve of the game by rounds, ``{"title", "unit", "goal", "words", "points": [[round, value],
            ...]}``; empty without one.
        question: the question that is open, as in :class:`Question`, with ``answered``, the number of answers; or
            ``None``.
        checks: the properties of the protocol with their results so far, for those who may see the whole run.
        stage: what the game draws with the network, for those who may see the whole run: ``{"kind": "baskets",
            "right": [...], "contents": [...], "speaking": [...], "leads": [...], "words": "36 apples in ten
            baskets"}``, where ``right`` is the right neighbour of each process, ``contents`` the number in the basket
            between them (``None`` if nobody knows), and the others are lists of indices of processes; or ``{"kind":
            "illegal", "illegal": [...], "words": ...}`` with the processes at illegal places; empty for none.
            ``time`` is the simulated time, and ``before`` contains what differed before the last round.
    """

    kind: ClassVar[str] = "room"
    phase: str
    round: int
    mode: str
    paused: bool
    left: float | None
    of: float | None
    chosen: int
    choosing: int
    people: int
    watching: int
    free: int
    act: int = -1
    shown: bool = True
    door: bool = True
    figure: dict[str, Any] = field(default_factory=dict)
    question: dict[str, Any] | None = None
    checks: list[Any] = field(default_factory=list)
    stage: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class People(Frame):
    """Who is here, for the host and the screen.

    Args:
        people: of each person the ``person``, ``name``, ``role``, ``process`` and ``status``: ``choosing``, ``chosen``,
            ``watching``, ``away`` (with ``back``, the seconds until the program plays for them), and ``hand``, whether
            it is raised. Never what somebody has chosen.
        log: the last things that happened in the class, one sentence each.
        hidden: whether names are hidden.
    """

    kind: ClassVar[str] = "people"
    people: list[Any]
    log: list[Any] = field(default_factory=list)
    hidden: bool = False


@dataclass(frozen=True)
class Seat(Frame):
    """What a player sees of their process, and what they may do now.

    Args:
        process: its name.
        round: the round for which the offers are.
        title, text: "You are process 4", "You want the resource".
        look: how it is drawn, as in ``looks`` of ``welcome``; ``None`` if its state would say what to do.
        values: pairs of a label and a text: the variables that the player may see.
        picture: what the game draws instead of cards: ``{"kind": "baskets", "left": 3, "right": 7}`` or
            ``{"kind": "secret", "text": ...}``; empty for none.
        rule: the rule by which the process acts, in words.
        offers: what the player can choose: ``{"id", "title", "text", "head", "value"}``; ``head`` is the label of a
            message or "", ``value`` is ``None``, ``{"least", "most", "start"}`` for a number, or ``{"choices": [[value,
            words], ...]}``.
        chosen, value: the offer that is chosen, and its value; "" for none.
        heading: the words above the offers.
    """

    kind: ClassVar[str] = "seat"
    process: str
    round: int
    title: str
    text: str
    look: dict[str, Any] | None = None
    values: list[Any] = field(default_factory=list)
    picture: dict[str, Any] = field(default_factory=dict)
    rule: str = ""
    offers: list[Any] = field(default_factory=list)
    chosen: str = ""
    value: int | str | None = None
    heading: str = ""


@dataclass(frozen=True)
class Story(Frame):
    """What a round did to a player's process, and why.

    Args:
        round: the round that has closed.
        text: a sentence: "You spoke, because your left basket held 3 apples and your right one 7; now both hold 3."
        good: whether it followed the rule; ``None`` if there is none.
        before, after: pictures as in :class:`Seat`.
        next: a sentence about what comes next, and ``look`` as in :class:`Seat`.
    """

    kind: ClassVar[str] = "story"
    round: int
    text: str
    good: bool | None = None
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    next: str = ""
    look: dict[str, Any] | None = None


@dataclass(frozen=True)
class Question(Frame):
    """A question to everybody.

    Args:
        number: its number in the class.
        form: ``number``, ``choice`` or ``process``.
        choices: pairs of a value and words.
        left: the seconds to answer; ``None`` for no limit.
    """

    kind: ClassVar[str] = "question"
    number: int
    text: str
    form: str
    choices: list[Any] = field(default_factory=list)
    left: float | None = None


@dataclass(frozen=True)
class Histogram(Frame):
    """The answers to a question: for the host at any time, for all when the host shows them.

    Args:
        number: of the question.
        bars: pairs of a value and how many gave it, in order.
        right: the right answer, once it is known.
        mine: the receiver's own answer.
        shown: whether all see it.
    """

    kind: ClassVar[str] = "histogram"
    number: int
    bars: list[Any]
    answered: int
    people: int
    right: int | float | str | None = None
    mine: int | float | str | None = None
    shown: bool = False


@dataclass(frozen=True)
class Dropped(Frame):
    """Events were taken back: those from ``first`` on are void, and a ``round`` frame with others follows.

    Args:
        first: the number of the first void event.
        position: the count of the run's frames that stay.
    """

    kind: ClassVar[str] = "dropped"
    first: int
    position: int = 0


@dataclass(frozen=True)
class Parting(Bye):
    """The last frame to somebody.

    Args:
        reason: why it is the last one.
        removed: whether the host has ended only the participation of this person.
    """

    kind: ClassVar[str] = "bye"
    removed: bool = False


_CLASS = (Knock, Join, Choose, Reply, Hand, Lead, Interact, Bye)
#: The frames that a host reads: kind -> class.
FROM_CLASS: dict[str, type[Frame]] = {each.kind: each for each in _CLASS}
#: The frames that a host sends: kind -> class.
FROM_HOST: dict[str, type[Frame]] = {
    each.kind: each
    for each in (
        Doorway, Welcome, RoomNow, People, Seat, Story, Question, Histogram, Dropped, Begun, Round, Answered, Result,
        Error, Parting,
    )
}  # fmt: skip
#: The requests of the two processes, on their standard inputs.
REQUESTS: dict[str, type[Frame]] = {each.kind: each for each in (Host, Connect)}
_FROM_CLASS, _FROM_HOST = accepted(FROM_CLASS), accepted(FROM_HOST)


def heard(line: bytes | str) -> Frame:
    """Return the frame that somebody in the class has sent.

    Raises:
        Refused: it is not one of :data:`FROM_CLASS`; the text is the sentence for the sender.
    """
    data = line.encode("utf-8", "replace") if isinstance(line, str) else line
    return decode(data, FROM_CLASS, _FROM_CLASS, MOST_BYTES)


def told(line: bytes | str) -> Frame:
    """Return the frame that a host has sent.

    Raises:
        Refused: it is not one of :data:`FROM_HOST`.
    """
    data = line.encode("utf-8", "replace") if isinstance(line, str) else line
    return decode(data, FROM_HOST, _FROM_HOST)
