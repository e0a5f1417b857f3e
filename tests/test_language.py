"""The texts for readers use the words of the glossary and plain English: patterns that once crept in are forbidden.

The rules are limited to those that need no understanding of a sentence; where a rule is wrong, an exception is listed
beside its reason. An editor has read the files in :data:`EDITED`; the list only grows.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Files in which every sentence has been edited, as patterns for :meth:`pathlib.Path.glob`.
EDITED = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "resources/assignments/*/*.md",
    "resources/assignments/*/*.toml",
    "resources/assignments/*/lecturer/*.md",
    "resources/assignments/*/lecturer/*.py",
    "resources/assignments/*/lecturer/*/*.py",
    "resources/assignments/*/skeleton/*.py",
    "resources/experiments/sweeps/*.toml",
    "resources/families.toml",
    "resources/guide/animations.md",
    "resources/guide/archive.md",
    "resources/guide/channel.md",
    "resources/guide/command-line.md",
    "resources/guide/drawing-networks.md",
    "resources/guide/every-schedule.md",
    "resources/guide/experiment-files.md",
    "resources/guide/exports.md",
    "resources/guide/extending.md",
    "resources/guide/fault-models.md",
    "resources/guide/first-steps.md",
    "resources/guide/glossary.md",
    "resources/guide/guarded-actions.md",
    "resources/guide/shared-memory.md",
    "resources/guide/hand-ins.md",
    "resources/guide/index.md",
    "resources/guide/lessons.md",
    "resources/guide/live-runs.md",
    "resources/guide/many-runs.md",
    "resources/guide/own-protocols.md",
    "resources/guide/playback.md",
    "resources/guide/protocol-words.md",
    "resources/guide/python.md",
    "resources/guide/reading-traces.md",
    "resources/guide/ready-assignments.md",
    "resources/guide/views.md",
    "resources/guide/what-a-schedule-is.md",
    "resources/guide/what-may-run.md",
    "resources/guide/why-concurrent.md",
    "resources/guide/why-runs-repeat.md",
    "resources/lessons/*.md",
    "resources/templates/*.md",
    "resources/templates/*.py",
    "resources/templates/*.toml",
)
#: Protocols whose files, animations, experiments and guide pages have been edited.
PROTOCOLS = (
    "flooding", "echo", "echo-crossing", "echo-collect-max", "tree", "polling", "tarry", "dfs", "dfs-awerbuch",
    "dfs-cidon", "bfs-layered", "bfs-async", "spanning-tree",
    "lelann", "chang-roberts", "hirschberg-sinclair", "franklin", "dolev-klawe-rodeh",
    "peterson-election", "itai-rodeh", "itai-rodeh-size", "echo-election",
    "voting-tally", "voting-majority", "bully", "afek-gafni",
    "mutex-ring", "lamport-mutex", "ricart-agrawala", "ricart-agrawala-echo", "maekawa", "suzuki-kasami", "raymond",
    "chandy-misra",
    "lamport-clocks", "vector-clocks", "causal-broadcast", "total-order-sequencer", "total-order-isis",
    "chandy-lamport", "lai-yang", "dijkstra-scholten", "shavit-francez",
    "safra", "credit-recovery", "weight-throwing", "chandy-misra-haas",
    "bellman-ford", "merlin-segall", "distance-vector", "ghs", "link-reversal", "link-reversal-partial",
    "floodset", "floodset-early", "king", "byzantine-generals", "ben-or", "two-phase-commit", "three-phase-commit",
    "heartbeat", "paxos", "raft",
    "synchroniser-alpha", "synchroniser-beta", "synchroniser-gamma", "luby", "cole-vishkin",
    "apples-one", "apples", "dijkstra-k-state", "dijkstra-k-state-messages", "dijkstra-three-state", "stabilising-tree",
    "stabilising-matching", "stabilising-colouring",
    "tell-two", "balls-and-bins", "lpbcast", "gossip-buffer", "causal-delivery", "causal-cluster",
    "content-routing",
    "chord-scribe", "mobile-dag", "mobile-dag-topics", "role-dht", "skip-ring",
    "best-effort-broadcast",
    "reliable-broadcast-eager",
    "reliable-broadcast-lazy",
    "uniform-broadcast",
    "fifo-broadcast",
    "consistent-broadcast",
    "bracha-broadcast",
    "dolev-strong",
    "exponential-information-gathering",
    "approximate-agreement",
    "k-set-agreement",
    "rotating-coordinator",
    "chandra-toueg",
    "bracha-toueg-consensus",
    "total-order-from-consensus",
    "viewstamped-replication",
    "primary-backup",
    "pbft",
    "hotstuff",
    "peterson", "bakery", "filter-lock", "tournament-lock", "test-and-set-consensus", "compare-and-swap-consensus",
    "regular-from-safe", "atomic-snapshot", "abd",
    "g-counter",
    "pn-counter",
    "or-set",
    "rga",
    "anti-entropy",
    "push-sum",
    "cristian",
    "berkeley",
    "averaging",
    "ntp",
    "view-synchrony",
    "carvalho-roucairol",
    "naimi-trehel",
    "agrawal-el-abbadi",
    "rana",
    "bracha-toueg-deadlock",
    "swim",
    "kademlia",
    "longest-chain",
)  # fmt: skip
#: The places of a protocol's texts, in a folder or in one file.
PLACES = (
    "protocols/{}.py", "protocols/{}/*.py", "animations/{}.py", "resources/experiments/{}.toml",
    "resources/experiments/{}-*.toml", "resources/experiments/sweeps/{}-*.toml", "resources/guide/archive/{}.md",
)  # fmt: skip
#: Forbidden wording, and its replacement.
RULES = {
    r"\b[Nn]odes?\b": "a process",
    r"\b[Ee]dges?\b": "a link",
    r"(?<!of the )\b[Nn]ews (?:are|were|have)\b": "news is singular",
    r"\bat the same time\b": "concurrent, or simultaneously",
    r"(?:^|[.:;] |\n\n)Who(?:ever)? [^?]*?[.;:](?: |\n|$)": "a process that ...",
    r"\b(?:[Ee]very|[Nn]o|[Ss]ome)body\b": "each process, no process, some process",
    r"\b(?<![Tt]here )(?:is|are|was|were) no (?!longer|more|one)": "is not a ...",
    r"\b[Ii]t is (?:does|wants|waits|has|knows|gets)\b": "a verb",
    r"\b[Ii]t becomes in\b": "it enters",
    r"\b(?:that|which|it|file|sentence|word|number|page) stands?\b": "is, is written, appears",
    r"; there (?:is|are) (?:'|`|\w+,)": "choose from ...",
    r"\btak(?:e|es|en|ing) (?:it |them |this |that )?back\b": "undo",
    r"\bas ever\b": "as usual, or nothing",
    r"\bThat was it\b": "what is complete",
    r"\bso many\b": "that number of, at most N",
    r"\bfor the eye\b": "for display",
}
#: Exceptions to a rule: a part of the file's name and of the text found, and the reason.
EXCEPTIONS = (
    ("glossary.md", "node", "the words of other books"),
    ("glossary.md", "edge", "the words of other books"),
    ("glossary.md", "They need not happen at the same time", "it says what concurrent does not mean"),
    ("", "edge list", "the name of a format"),
    ("CHANGELOG.md", "node-link", "the name of a format"),
    ("CHANGELOG.md", "everybody who asks", "the former name of a property"),
    ("CHANGELOG.md", '"at the same time"', "a label"),
    ("CHANGELOG.md", "somebody else's code", "a person"),
    ("README.md", "--nodes", "an option's name"),
    ("apples", "body", "the play is about people"),
    ("skip-ring", "node", "a node of a trie, which is no process"),
    ("gossip-buffer", "everybody", "the name of a measure"),
    ("lpbcast", "-edge", "the name of an experiment"),
)  # fmt: skip


def texts(path: Path) -> Iterator[str]:
    """Return the texts for readers in a file: prose without code, docstrings, titles."""
    whole = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        whole = re.sub(r"^```.*?^```", "", whole, flags=re.DOTALL | re.MULTILINE)
        yield re.sub(r"`[^`\n]*`|\]\([^)]*\)", "`", whole)
    elif path.suffix == ".py":
        for node in ast.walk(ast.parse(whole)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield re.sub(r"``?[^`\n]*``?", "`", ast.get_docstring(node) or "")
    elif path.suffix == ".toml":
        yield from strings(tomllib.loads(whole))


def strings(data: object) -> Iterator[str]:
    """Return the sentences in plain data: texts that contain a space."""
    if isinstance(data, dict):
        for each in data.values():
            yield from strings(each)
    elif isinstance(data, list):
        for each in data:
            yield from strings(each)
    elif isinstance(data, str) and " " in data:
        yield data


def found_in(path: Path) -> list[str]:
    """Return each place of a file where a rule is violated."""
    name = str(path.relative_to(ROOT))
    return [
        f"{name}: {' '.join(match.group().split())!r} in {' '.join(around(text, match).split())!r}; write: {instead}"
        for text in texts(path)
        for rule, instead in RULES.items()
        for match in re.finditer(rule, text)
        if not any(part in name and words in around(text, match) for part, words, _why in EXCEPTIONS)
    ]


def around(text: str, match: re.Match[str]) -> str:
    """Return the words before and after a match."""
    return text[max(0, match.start() - 30) : match.end() + 30]


PATTERNS = (*EDITED, *(place.format(name) for name in PROTOCOLS for place in PLACES))
EDITED_FILES = sorted({path for pattern in PATTERNS for path in ROOT.glob(pattern)})


@pytest.mark.parametrize("path", EDITED_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_edited_text_uses_the_words_of_the_glossary(path):
    assert found_in(path) == []


def test_every_pattern_of_the_list_finds_files():
    assert [pattern for pattern in EDITED if not list(ROOT.glob(pattern))] == []
    assert [name for name in PROTOCOLS if not list(ROOT.glob(f"resources/guide/archive/{name}.md"))] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Who has heard nothing stays outside.", "The process is no leader.", "News are sent to all.",
        "unknown family 'foo'; there are waves, election", "It becomes in the critical section", "A node sends to all.",
        "It is does not want it", "Everybody has heard.", "The word that stands there", "as many nodes",
    ],
)  # fmt: skip
def test_the_rules_detect_violations(sentence):
    assert [rule for rule in RULES if re.search(rule, sentence)]


@pytest.mark.parametrize("sentence", ["Who leads me through an algorithm?", "There is no leader.", "It is no longer."])
def test_the_rules_accept_correct_text(sentence):
    assert [rule for rule in RULES if re.search(rule, sentence)] == []
