"""The commands ``lydian host`` and ``lydian join``: a class on one run, or a system in components, without a window."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.cli.commands import components
from lydian.cli.parser import Commands, Parser, whole
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.classroom.frames import Host, Seat
    from lydian.classroom.host import HostOfClass
    from lydian.classroom.join import Joined
    from lydian.classroom.server import Server

__all__ = ["add"]

_HOST = """\
examples:
  lydian host echo                         a class on this computer, with a code to join
  lydian host --game apples --lan          a class in the room: phones open the address that is printed
  lydian host raft --file raft.class       what happens in the class is saved at once
  lydian host --resume raft.class          go on with it, with the same people
  lydian host echo --lan --certificate c.pem --key k.pem
  lydian host echo --components 4          no class, but four simulators that make one run together

The first address is for the class, the others are yours: one leads the class in a browser, one is for the projector.
Without --lan only this computer can reach the class. Ctrl+C saves and ends it.
"""
_JOIN = """\
examples:
  lydian join http://192.168.4.20:8642/ --code ring-4127 --name Chiara
  lydian join "http://192.168.4.20:8642/?code=ring-4127" --watch --json
  lydian join ws://192.168.4.20:40123/components --component D --secret 8pKx...

Type the number of what you choose, with a value after it where one is asked for. With --json, standard output is what
the host sends, one JSON object a line, and standard input is sent to the host; the guide's page on classes explains it.
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the commands."""
    parser = commands.add_parser(
        "host", parents=[common], help="let a class take part in one run, from browsers and phones",
        description="Opens a class: people join with a code, each plays a process, and all see the same run.",
        epilog=_HOST,
    )  # fmt: skip
    parser.add_argument("experiment", metavar="EXPERIMENT", nargs="?", help="an experiment or a protocol")
    parser.add_argument("--game", metavar="GAME", help="a ready class game; --games lists them")
    parser.add_argument("--games", action="store_true", help="list the ready class games")
    parser.add_argument("--players", metavar="N", help="of a game: how many people will play")
    parser.add_argument("--network", metavar="N", help="another network, such as ring:8")
    parser.add_argument("--lan", action="store_true", help="let other computers and phones on the local network join")
    parser.add_argument("--port", metavar="P", help="the port; any free one by default")
    parser.add_argument("--code", metavar="C", help="the code to join; one is chosen by default")
    parser.add_argument("--file", metavar="FILE", help="save the class to this file after each round")
    parser.add_argument("--resume", metavar="FILE", help="go on with the class that was saved in this file")
    parser.add_argument("--certificate", metavar="FILE", help="a certificate (PEM), for an encrypted connection")
    parser.add_argument("--key", metavar="FILE", help="the key of the certificate, if it is in a file of its own")
    parser.add_argument("--json", action="store_true", help="print the addresses and the code as one JSON object")
    components.add_options(parser)
    parser.set_defaults(action=_host)
    parser = commands.add_parser(
        "join", parents=[common], help="take part in a class from the terminal or a program",
        description="Joins a class that somebody hosts, as a player or to watch.", epilog=_JOIN,
    )  # fmt: skip
    parser.add_argument("url", metavar="URL", help="the address that the host shows")
    parser.add_argument("--code", metavar="C", default="", help="the code of the class")
    parser.add_argument("--name", metavar="NAME", default="", help="what the class is to call you")
    parser.add_argument("--process", metavar="P", help="the process that you would like to play")
    parser.add_argument("--watch", action="store_true", help="watch instead of playing a process")
    parser.add_argument("--json", action="store_true", help="exchange frames, for programs")
    components.add_join_options(parser)
    parser.set_defaults(action=_join)


def _host(args: Namespace) -> int:
    _server_needed()
    from lydian.classroom.games import GAMES

    if args.games:
        return _games(args.json)
    if components.wanted(args):
        for name in ("game", "players", "code", "file", "resume", "certificate", "key"):
            if getattr(args, name):
                raise BadInput(f"--{name} is for a class; leave it out for a system in components")
        return components.serve(args)
    if args.resume and (args.experiment or args.game or args.file):
        raise BadInput("--resume takes everything from its file; leave out the experiment, --game and --file")
    if not (args.experiment or args.game or args.resume):
        raise BadInput("name an experiment, a --game or a class to --resume")
    if args.game and args.game not in GAMES:
        from lydian.model.errors import did_you_mean, shown

        known = [each for each in GAMES if each]
        hint = did_you_mean(args.game, known) or f"; choose from {', '.join(known)}"
        raise BadInput(f"unknown game {shown(args.game)}{hint}")
    return asyncio.run(_hosted(_request(args), args.json))


def _games(as_json: bool) -> int:
    from lydian.classroom.games import GAMES

    games = [each for name, each in GAMES.items() if name]
    if as_json:
        told = [{"name": each.name, "title": each.title, "about": each.about} for each in games]
        print(json.dumps(told, indent=1))
        return 0
    width = max((len(each.name) for each in games), default=0)
    for each in games:
        print(f"{each.name:{width}}  {each.title}: {each.about}")
    return 0


def _server_needed() -> None:
    """Report an error if the web server of a class is not installed."""
    from lydian.model.extras import extra

    with extra("classes", "a class needs a web server"):
        import lydian.classroom.server  # noqa: F401


def _request(args: Namespace) -> Host:
    from lydian.classroom.frames import Host
    from lydian.classroom.games import GAMES
    from lydian.model.archive.archive import archive

    port = 0 if args.port is None else whole(args.port, "--port", 0)
    if port > 65535:
        raise BadInput(f"--port must be at most 65535, not {port}")
    common: dict[str, Any] = {
        "lan": args.lan, "port": port, "code": args.code or "", "certificate": args.certificate or "",
        "key": args.key or "",
    }  # fmt: skip
    if args.resume:
        return Host(file=str(Path(args.resume).absolute()), resume=True, **common)
    experiment = archive().experiment(args.experiment or GAMES[args.game].experiment)
    if args.network:
        experiment = experiment.moved(args.network)
    if args.game:
        players = whole(args.players, "--players", 1) if args.players else experiment.resolve().network.n
        experiment = GAMES[args.game].adapted(experiment, players)
    experiment.resolve()
    folder = None if experiment.path is None else str(experiment.path.absolute().parent)
    file = "" if args.file is None else str(Path(args.file).absolute())
    return Host(experiment.to_dict(), folder, args.game or "", file=file, **common)


async def _hosted(request: Host, as_json: bool) -> int:
    from lydian.classroom.serve import made
    from lydian.classroom.server import Server

    host = await made(request)
    server = Server(host, request.lan, request.port, request.certificate, request.key)
    try:
        await server.start()
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGUSR1"):  # the supervisor passes on Ctrl+C as SIGUSR1
            with suppress(NotImplementedError, AttributeError):
                loop.add_signal_handler(getattr(signal, name), host.over.set)
        _announce(host, server, as_json)
        await host.live()
    finally:
        host.save()
        await server.close()
        await host.close()
    if host.file is not None and not as_json:
        print(f"The class is saved in {host.file}; lydian host --resume goes on with it.")
    return 0


def _announce(host: HostOfClass, server: Server, as_json: bool) -> None:
    base = server.url
    places = {
        "join": f"{base}?code={host.code}", "host": f"{base}host#{server.secret}",
        "screen": f"{base}screen#{server.screen}",
    }  # fmt: skip
    if as_json:
        print(json.dumps({"code": host.code, **places}), flush=True)
        return
    print(f"Code {host.code}")
    print(f"For the class:      {places['join']}")
    print(f"For you:            {places['host']}")
    print(f"For the projector:  {places['screen']}")
    if not server.lan:
        print("Only this computer can reach the class; with --lan, phones on the same network can.")
    sys.stdout.flush()


def _join(args: Namespace) -> int:
    _server_needed()
    from lydian.classroom.frames import Connect
    from lydian.classroom.join import where

    if args.component is not None:
        return components.join(args)
    if args.secret is not None:
        raise BadInput("--secret is for a system in components; add --component, such as --component any")
    where(args.url)
    wish = "watch" if args.watch else "seat"
    request = Connect(args.url, args.code, args.name, wish, None, args.process)
    return asyncio.run(_joined(request, args.json))


async def _joined(request: Any, as_json: bool) -> int:
    from lydian.classroom.join import Joined

    shown = _Terminal()

    def hear(line: bytes) -> None:
        if as_json:
            sys.stdout.write(line.decode("utf-8"))
            sys.stdout.flush()
        else:
            shown.hear(line)

    joined = Joined(request, hear)
    listening = asyncio.create_task(_type(_lines(), joined, shown, as_json))
    try:
        await joined.run()
    except asyncio.CancelledError:
        return 130
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    if joined.over and not as_json:
        print(f"{joined.over[:1].upper()}{joined.over[1:]}.")
    return 0


def _lines() -> asyncio.Queue[bytes]:
    """Return the lines of standard input as they arrive, then an empty one; a file and a terminal are read alike."""
    from lydian.model.childprocess import Aside

    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def listen() -> None:
        with suppress(RuntimeError):  # the loop is closed
            with suppress(OSError, ValueError), os.fdopen(os.dup(0), "rb") as source:
                while line := source.readline():
                    loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, b"")

    Aside(listen, "lydian-input").start()
    return lines


async def _type(lines: asyncio.Queue[bytes], joined: Joined, shown: _Terminal, as_json: bool) -> None:
    """Send what is typed; at the end of the input a player leaves, and somebody who watches stays."""
    while line := await lines.get():
        if as_json:
            joined.say(line)
        else:
            shown.typed(line.decode("utf-8", "replace"), joined)
    if joined.request.wish != "watch":
        joined.leave()


class _Terminal:
    """A player's side in the terminal."""

    def __init__(self) -> None:
        self.seat: Seat | None = None
        self._told: tuple[Any, ...] = ()
        self._number = self._question = 0

    def hear(self, line: bytes) -> None:
        """Print what a frame says, if it is new."""
        from lydian.classroom import frames
        from lydian.engine import wire

        if line.startswith((b'{"kind":"round"', b'{"kind":"begun"')):
            return
        try:
            frame = frames.told(line)
        except wire.Refused:
            return
        if isinstance(frame, frames.Welcome):
            waits = "you get a process as soon as one is free" if frame.role == "player" else "you watch"
            role = f"you play process {frame.process}" if frame.process else waits
            self._say(("welcome", frame.process), f"{frame.title}: welcome, {frame.name}; {role}.")
        elif isinstance(frame, frames.Seat):
            self.seat = frame
            self._show(frame)
        elif isinstance(frame, frames.Story):
            print(f"Round {frame.round}: {frame.text}")
        elif isinstance(frame, frames.Question):
            self._question = frame.number
            print(f"Question {frame.number}: {frame.text}  (answer: ? and your answer)")
        elif isinstance(frame, wire.Answered) and not frame.accepted:
            print(f"{frame.reason[:1].upper()}{frame.reason[1:]}.")
        elif isinstance(frame, wire.Error):
            print(f"{frame.text[:1].upper()}{frame.text[1:]}.")
        sys.stdout.flush()

    def _say(self, key: tuple[Any, ...], text: str) -> None:
        if key != self._told:
            self._told = key
            print(text)

    def _show(self, seat: Seat) -> None:
        key = ("seat", seat.round, seat.text, tuple(each["id"] for each in seat.offers), seat.chosen)
        if key == self._told:
            return
        self._told = key
        if seat.chosen:
            print("Sealed." if seat.offers else "")
            return
        values = ", ".join(f"{name} {value}" for name, value in seat.values)
        print(f"{seat.title}. {seat.text}{'; ' if seat.text and values else ''}{values}")
        for k, each in enumerate(seat.offers, 1):
            print(f"  {k}  {each['title']}{'  ' if each['text'] else ''}{each['text']}")

    def typed(self, line: str, joined: Joined) -> None:
        """Send what has been typed."""
        from lydian.classroom import frames

        words = line.split()
        if not words:
            return
        if words[0] == "?":
            text = " ".join(words[1:])
            with suppress(ValueError):
                joined.say(frames.Reply(self._question, float(text)))
                return
            joined.say(frames.Reply(self._question, text))
            return
        seat = self.seat
        if seat is None or not words[0].isdigit() or not 1 <= int(words[0]) <= len(seat.offers):
            count = 0 if seat is None else len(seat.offers)
            print(f"Type a number from 1 to {count}." if count else "Nothing can be chosen now.")
            return
        offer = seat.offers[int(words[0]) - 1]
        value: int | str | None = words[1] if len(words) > 1 else None
        if value is not None and str(value).lstrip("-").isdigit():
            value = int(value)
        self._number += 1
        joined.say(frames.Choose(self._number, seat.round, str(offer["id"]), value))
