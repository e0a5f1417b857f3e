"""The kinds of network that can be generated, with their arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lydian.language import tr, trc
from lydian.model.generators import chance as _G  # noqa: N812  # short, for the table below
from lydian.model.generators import regular as _R  # noqa: N812
from lydian.model.generators.regular import Plan
from lydian.plugins import Registry

__all__ = ["KINDS", "MOST_LINKS", "MOST_PROCESSES", "Argument", "Generator"]

MOST_PROCESSES = 20_000
MOST_LINKS = 500_000


@dataclass(frozen=True)
class Argument:
    """One argument of a kind of network.

    Args:
        name: the name of the argument.
        default: its default value, which also determines its type.
        help: its meaning.
        least, most: its range, both included.
        usual: a function from the preceding arguments to its default, where ``default`` would not fit them.
        label: its label in a form; the default is its name.
        about: its meaning in a form, where it begins a sentence; the default is ``help``.
        step: the step between values in a form; the default is 1 for integers and 0.01 for other numbers.
    """

    name: str
    default: int | float
    help: str
    least: float
    most: float = MOST_PROCESSES
    usual: Callable[..., int | float] | None = None
    label: str = ""
    step: float = 0.0
    about: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name.capitalize())
        object.__setattr__(self, "step", self.step or (1 if isinstance(self.default, int) else 0.01))
        object.__setattr__(self, "about", self.about or f"{self.help[:1].upper()}{self.help[1:]}")


@dataclass(frozen=True)
class Generator:
    """One kind of network.

    Args:
        name: its name, as in ``from_spec``.
        words: a description in a few words.
        sentence: a description of one such network, with its arguments in braces.
        noun: a noun for errors about its arguments: "a ring".
        parameters: its arguments in order.
        size: a function from the arguments to (number of processes, expected number of links), called before building.
        build: a function from the arguments, and the seed of a random kind, to a plan.
        random: whether the seed matters.
        times: whether arguments are written with an x between them, ``5x5``; a single one counts for both.
        title: its name for users: "Small world"; the default is its name.
        sample, seed: the arguments and the seed of the network in its picture; by default, those of the example.
        offered: a network of this kind that is offered together with those of the archive; by default the example;
            empty text for a kind that is not offered there.
    """

    name: str
    words: str
    noun: str
    sentence: str
    parameters: tuple[Argument, ...]
    size: Callable[..., tuple[float, float]]
    build: Callable[..., Plan]
    random: bool = False
    times: bool = False
    title: str = ""
    sample: tuple[float, ...] = ()
    seed: int = 0
    offered: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name.capitalize())
        if self.offered is None:
            object.__setattr__(self, "offered", self.example)

    @property
    def example(self) -> str:
        """The network with default arguments in the notation of ``from_spec``."""
        arguments = ("x" if self.times else ",").join(f"{p.default:g}" for p in self.parameters)
        return f"{self.name}:{arguments}" if arguments else self.name


def _n(default: int, least: int, most: int = MOST_PROCESSES) -> Argument:
    return Argument("n", default, "processes", least, most, label=tr("Processes"), about=tr("Processes"))


def _count(name: str, default: int, least: float, label: str, most: float = MOST_PROCESSES) -> Argument:
    """Return an argument that is the number of some things, which are its name."""
    return Argument(name, default, name, least, most, label=label, about=label)


#: The kinds of network by name, in the order in which they are offered.
KINDS: Registry[Generator] = Registry("lydian.generators", Generator)
for _each in (
    Generator(
        "ring", tr("a line whose ends are linked"), "a ring", "A ring of {n} processes.",
        (_n(8, 3),), lambda n: (n, n), _R.ring,
        title=trc("kind of network", "Ring"), sample=(8,),
    ),
    Generator(
        "line", tr("each process is linked to the next"), "a line", "A line of {n} processes.",
        (_n(5, 2),), lambda n: (n, n - 1), _R.line,
        title=trc("kind of network", "Line"), sample=(5,), offered="line:8",
    ),
    Generator(
        "star", tr("all processes are linked to the central one"), "a star", "A star of {n} processes.",
        (_n(8, 2),), lambda n: (n, n - 1), _R.star,
        title=trc("kind of network", "Star"), sample=(9,), offered="star:9",
    ),
    Generator(
        "complete", tr("every two processes are linked"), "a complete network",
        "{n} processes, each linked to all others.",
        (_n(6, 2),), lambda n: (n, n * (n - 1) / 2), _R.complete,
        title=trc("kind of network", "Complete"), sample=(8,),
    ),
    Generator(
        "tree", tr("a binary tree, filled level by level"), "a tree", "A binary tree of {n} processes.",
        (_n(15, 1),), lambda n: (n, n - 1), _R.tree,
        title=trc("kind of network", "Tree"), sample=(7,),
    ),
    Generator(
        "grid", tr("rows and columns"), "a grid", "A grid of {rows} by {columns} processes.",
        (_count("rows", 4, 1, tr("Rows")), _count("columns", 5, 1, tr("Columns"))),
        lambda r, c: (r * c, r * (c - 1) + c * (r - 1)), _R.grid, times=True,
        title=trc("kind of network", "Grid"), sample=(3, 4), offered="grid:5x5",
    ),
    Generator(
        "torus", tr("a grid closed at its edges"), "a torus",
        "A torus: a grid of {rows} by {columns}, closed at its edges.",
        (_count("rows", 4, 3, tr("Rows")), _count("columns", 4, 3, tr("Columns"))),
        lambda r, c: (r * c, 2 * r * c), _R.torus, times=True,
        title=trc("kind of network", "Torus"), sample=(3, 4),
    ),
    Generator(
        "hypercube", tr("links between names that differ in one binary digit"), "a hypercube",
        "A hypercube of {dimensions} dimensions.",
        (_count("dimensions", 4, 1, tr("Dimensions"), 14),), lambda d: (2**d, d * 2 ** (d - 1)), _R.hypercube,
        title=trc("kind of network", "Hypercube"), sample=(3,),
    ),
    Generator(
        "randomtree", tr("every tree is equally likely"), "a random tree", "A random tree of {n} processes.",
        (_n(20, 1),), lambda n: (n, n - 1), _G.random_tree, random=True,
        title=trc("kind of network", "Any tree"), sample=(11,), seed=3, offered="randomtree:16",
    ),
    Generator(
        "gnm", tr("m random links"), "gnm", "{n} processes with {m} random links.",
        (
            _n(30, 2),
            Argument(
                "m", 60, "links", 1, MOST_LINKS, lambda n: min(2 * n, n * (n - 1) // 2),
                label=tr("Links"), about=tr("Links"),
            ),
        ),
        lambda n, m: (n, m), _G.gnm, random=True,
        title=trc("kind of network", "Random"), sample=(11, 17), seed=2, offered="gnm:20,40",
    ),
    Generator(
        "gnp", tr("each link exists with probability p"), "gnp",
        "{n} processes, every two of them linked with probability {p}.",
        (
            _n(30, 2),
            Argument(
                "p", 0.15, "probability of each link", 0.0, 1.0,
                label=tr("Chance"), about=tr("Probability of each link"),
            ),
        ),
        lambda n, p: (n, p * n * (n - 1) / 2), _G.gnp, random=True,
        title=trc("kind of network", "By chance"), sample=(11, 0.3), seed=5, offered="gnp:20,0.2",
    ),
    Generator(
        "geometric", tr("processes at random places, linked to those nearby"), "a geometric network",
        "{n} processes at random places in a square, linked to those within {radius} of its side.",
        (
            _n(25, 2),
            Argument(
                "radius", 0.3, "reach of a process, in sides of the square", 0.0, 1.5,
                label=tr("Reach"), about=tr("Reach of a process, in sides of the square"),
            ),
        ),
        lambda n, r: (n, min(1.0, 3.2 * r * r) * n * (n - 1) / 2), _G.geometric, random=True,
        title=trc("kind of network", "Geometric"), sample=(13, 0.36), seed=4, offered="geometric:24",
    ),
    Generator(
        "smallworld", tr("a ring with shortcuts"), "a small world",
        "A ring of {n} processes, each linked to its {k} nearest; a link leads elsewhere with probability {p}.",
        (
            _n(20, 4),
            Argument(
                "k", 4, "links of a process, an even number", 2, usual=lambda n: min(4, (n - 1) // 2 * 2),
                label=tr("Nearest"), step=2, about=tr("Links of a process, an even number"),
            ),
            Argument(
                "p", 0.1, "probability that a link is moved", 0.0, 1.0,
                label=tr("Rewire"), about=tr("Probability that a link is moved"),
            ),
        ),
        lambda n, k, p: (n, n * k / 2), _G.small_world, random=True,
        title=trc("kind of network", "Small world"), sample=(12, 4, 0.15), seed=3, offered="smallworld:24",
    ),
    Generator(
        "scalefree", tr("new processes prefer those with many links"), "a scale-free network",
        "{n} processes added one by one, each with {m} links, preferably to processes with many links.",
        (
            _n(30, 2),
            Argument(
                "m", 2, "links of a new process", 1, usual=lambda n: min(2, n - 1),
                label=tr("Links each"), about=tr("Links of a new process"),
            ),
        ),
        lambda n, m: (n, n * m), _G.scale_free, random=True,
        title=trc("kind of network", "Scale-free"), sample=(14, 1), seed=4, offered="scalefree:24",
    ),
    Generator(
        "onewayring", tr("a ring in which messages travel in one direction"), "a one-way ring",
        "A ring of {n} processes in which messages travel in one direction.",
        (_n(8, 3),), lambda n: (n, n), _R.one_way_ring,
        title=trc("kind of network", "One way"), sample=(8,),
    ),
    Generator(
        "isolated", tr("isolated processes, for protocols that need no links"), "a network without links",
        "{n} processes without links.", (_n(12, 1),), lambda n: (n, 0), _R.isolated,
        title=trc("kind of network", "No links"), sample=(9,), offered="",
    ),
):  # fmt: skip
    KINDS.register(_each)
