"""A small protocol as a folder, for tests of all functions that accept a protocol."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FILES", "ONE_FILE", "made"]

FILES = {
    "__init__.py": '''\
"""Rumour: it goes round once.

Every process passes it on when it hears it first.
"""

from lydian import Process, on, parameter

from . import properties
from .messages import DEAF, HEARD, INIT, Rumour


class Gossip(Process):
    state = DEAF
    heard_from: str | None = None

    text = parameter("news", help="what is told")

    @on(DEAF, INIT)
    def start(self):
        self.spread(self.neighbours)

    @on(DEAF, Rumour)
    def hear(self, m, q):
        self.heard_from = q
        self.spread([r for r in self.neighbours if r != q])

    @on(HEARD, Rumour)
    def again(self, m, q):
        pass

    def spread(self, to):
        self.state = HEARD
        for q in to:
            self.send(Rumour(self.text), to=q)
''',
    "messages.py": '''\
"""What is sent, and the states."""

from lydian import INIT, Message, states

DEAF, HEARD = states("deaf", "has heard")


class Rumour(Message):
    """What is told."""

    text: str
''',
    "properties.py": '''\
"""What holds."""

from lydian import at_end

from .messages import HEARD


@at_end("all have heard")
def heard(c):
    return all(p.state == HEARD for p in c.processes)
''',
}

#: The same as a single file.
ONE_FILE = (
    '"""Rumour: it goes round once."""\n'
    "from lydian import INIT, Message, Process, at_end, on, parameter, states\n"
    + FILES["messages.py"].partition("states\n")[2]
    + FILES["__init__.py"].partition("Rumour\n")[2]
    + FILES["properties.py"].partition("HEARD\n")[2]
)


def made(folder: Path, **changed: str | None) -> Path:
    """Write the folder; ``changed`` replaces the text of a file (named without ``.py``), or removes it."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {**FILES, **{f"{name}.py": text for name, text in changed.items()}}
    for name, text in texts.items():
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return folder
