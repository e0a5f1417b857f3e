"""Cells that a protocol file marks in a comment as impossible."""

from __future__ import annotations

import re

from lydian.model.source.draft import Draft

__all__ = ["LINE", "PAIR", "marked_impossible"]

#: The comment, and in it a state and an event.
LINE = re.compile(r"^(\s*#\s*cannot happen:)(.*)$")
PAIR = re.compile(r"""\(\s*("[^"]*"|'[^']*'|\w+)\s*,\s*(\w+)\s*\)""")


def marked_impossible(draft: Draft) -> frozenset[tuple[str, str]]:
    """Return the pairs (state, event) that the file marks as impossible."""
    states = {word: state for state, word in draft.words.items()}
    found = set()
    for line in draft.text.lines:
        match = LINE.match(line.rstrip("\r\n"))
        for word, event in PAIR.findall(match[2]) if match else ():
            state = states.get(word) or (word[1:-1] if word[0] in "\"'" else "")
            if state in draft.states:
                found.add((state, event))
    return frozenset(found)
