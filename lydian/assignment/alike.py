"""Hand-ins that are alike: those that fail in the same way, and those whose programs are nearly the same.

Programs are compared by their tokens, without comments, docstrings, spaces and names: what remains is cut into
overlapping pieces of a dozen tokens, and those that the skeleton has as well are left out. Two hand-ins share as much
as the smaller one has in common with the other. Short programs from one skeleton are alike, so this proves nothing.
"""

from __future__ import annotations

import hashlib
import io
import keyword
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

__all__ = ["groups", "pairs", "pieces"]

#: The tokens of a piece, the fewest pieces that are compared, and the share from which two hand-ins are alike.
SIZE, FEWEST, SHARE = 12, 15, 0.8
#: A piece that more than this share of the hand-ins have is simply the natural way to write it.
USUAL = 0.25


def groups(results: Sequence[Mapping[str, Any]], least: int = 2) -> list[dict[str, Any]]:
    """Return the groups of hand-ins that fail alike, the largest first.

    A hand-in belongs to the group of the failure that costs it the most points.
    """
    found: dict[str, list[tuple[Mapping[str, Any], Mapping[str, Any]]]] = defaultdict(list)
    for result in results:
        lost = [
            (round(check["most"] - check["points"], 1), check) for check in result["checks"] if check.get("failure")
        ]
        if lost:
            costs: Counter[str] = Counter()
            for points, check in lost:
                costs[check["failure"]["alike"]] += points
            alike = max(costs, key=lambda each: (costs[each], each))
            check = next(check for _, check in lost if check["failure"]["alike"] == alike)
            found[alike].append((result, check))
    several = []
    for alike, members in found.items():
        if len(members) < least:
            continue
        result, check = min(members, key=lambda pair: (_events(pair[1]), pair[0]["id"]))
        failure = check["failure"]
        several.append({
            "alike": alike, "check": check["id"], "title": check["title"], "sentence": failure["sentence"],
            "why": failure["why"], "processes": failure["after"]["processes"], "events": failure["after"]["events"],
            "ids": [each["id"] for each, _ in members], "run": failure["run"],
        })  # fmt: skip
    return sorted(several, key=lambda each: (-len(each["ids"]), each["alike"]))


def _events(check: Mapping[str, Any]) -> int:
    return int(check["failure"]["after"]["events"])


def pieces(source: str) -> frozenset[str]:
    """Return the pieces of a program, as digests."""
    tokens = _tokens(source)
    texts = (" ".join(tokens[at : at + SIZE]) for at in range(max(0, len(tokens) - SIZE + 1)))
    return frozenset(hashlib.blake2b(text.encode(), digest_size=8).hexdigest() for text in texts)


def _tokens(source: str) -> list[str]:
    """Return the tokens of a program, each name as ``n``, number as ``0`` and text as ``s``."""
    found: list[str] = []
    fresh = True  # at the beginning of a statement, where a text is a docstring
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER):
                continue
            if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
                fresh = True
                continue
            if token.type == tokenize.STRING and fresh:
                continue
            fresh = False
            if token.type == tokenize.NAME:
                found.append(token.string if keyword.iskeyword(token.string) else "n")
            elif token.type == tokenize.NUMBER:
                found.append("0")
            else:
                found.append("s" if token.type == tokenize.STRING else token.string)
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass  # what could be read is compared
    return found


def pairs(programs: Mapping[str, str], skeletons: Iterable[str]) -> list[dict[str, Any]]:
    """Return the pairs of programs that are very alike, the most similar first.

    Args:
        programs: hand-in -> its text.
        skeletons: the texts from which all students began.
    """
    given: frozenset[str] = frozenset().union(*map(pieces, skeletons))
    own = {name: pieces(text) - given for name, text in programs.items()}
    often = Counter(piece for each in own.values() for piece in each)
    most = max(3, int(USUAL * len(own)))
    usual = {piece for piece, count in often.items() if count > most}
    rare = {name: each - usual for name, each in own.items()}
    holders: dict[str, list[str]] = defaultdict(list)
    for name in sorted(rare):
        for piece in rare[name]:
            holders[piece].append(name)
    shared: Counter[tuple[str, str]] = Counter()
    for names in holders.values():
        shared.update(combinations(names, 2))
    found = []
    for a, b in shared:
        less = min(len(own[a]), len(own[b]))
        share = len(own[a] & own[b]) / less if less >= FEWEST else 0.0
        if share >= SHARE:
            found.append({"a": a, "b": b, "share": round(share, 3)})
    return sorted(found, key=lambda each: (-float(str(each["share"])), each["a"], each["b"]))
