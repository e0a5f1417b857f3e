"""The material of a check: the files of a hand-in, the protocols made from them, and their runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from lydian.assignment.contain import trusted
from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.engine.state.leftovers import remembered
from lydian.model.archive.given import Given
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.network import Network
from lydian.model.protocol.properties import Measured, Property
from lydian.model.protocol.protocol import Protocol, properties_from_source, protocol_from_source

__all__ = ["OutOfSeconds", "Setting", "Shelf", "Stopped"]


class Stopped(Exception):
    """The user has stopped the work."""


class OutOfSeconds(Exception):
    """A check has used up its time."""


class Shelf(Given):
    """An archive with one protocol, whose networks are read only once."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__(protocol)
        self.__dict__["_networks"] = {}

    def network(self, ref: str | Path) -> Network:
        """Return a network as :meth:`Shelves.network` does."""
        known: dict[str, Network] = self.__dict__["_networks"]
        key = str(ref)
        if key not in known:
            with trusted():
                known[key] = super().network(ref)
        return known[key]


@dataclass
class Setting:
    """Everything that a check needs.

    Attributes:
        check: the short name of the check.
        protocol_name: the name of the file with the student's protocol.
        base: the experiment from which the runs start, with that file as its protocol.
        given: the files of the assignment, path -> text.
        properties: the text of the lecturer's properties.
        reference: the text of the lecturer's solution; "" in a student's package.
        files: the files of the hand-in, name -> text.
        answers: the answers of the hand-in, check -> answer.
        seed: the seed of a single run; ``None`` if the check names none.
        seconds: the time for the check.
        tell: called with the number of runs made and the number of all runs.
        stopped: returns True if the marks are no longer wanted.
    """

    check: str
    protocol_name: str
    base: Experiment
    given: Mapping[str, str]
    properties: str
    reference: str
    files: Mapping[str, str]
    answers: Mapping[str, Any]
    seed: int | None
    seconds: float
    tell: Callable[[int, int], object]
    stopped: Callable[[], bool]

    def __post_init__(self) -> None:
        self._end = monotonic() + self.seconds

    def go_on(self) -> None:
        """Raise an exception if the check must not go on."""
        if self.stopped():
            raise Stopped
        if monotonic() > self._end:
            raise OutOfSeconds

    # ------------------------------------------------------------------ protocols

    def own(self, name: str) -> str:
        """Return the text of a file of the hand-in.

        Raises:
            BadInput: the file is missing.
        """
        if not self.files.get(name, "").strip():
            raise BadInput("this file was not handed in", file=name)
        return self.files[name]

    def protocol(self, properties: Sequence[str] = ()) -> Protocol:
        """Return the student's protocol with the lecturer's properties instead of its own.

        Args:
            properties: the names of those to be judged; all of them by default.

        Raises:
            BadInput: the student's file, or the lecturer's, cannot be used.
        """
        return self.judged(self.own(self.protocol_name), *self.lecturers(properties))

    def judged(self, source: str, properties: tuple[Property, ...], measures: tuple[Measured, ...] = ()) -> Protocol:
        """Return the protocol in a text with these properties and measures, and without a formula of its own."""
        protocol = protocol_from_source(source, name=self.protocol_name.removesuffix(".py"))
        return replace(protocol, properties=properties, measures=measures, formula=None)

    def lecturers(self, names: Sequence[str] = ()) -> tuple[tuple[Property, ...], tuple[Measured, ...]]:
        """Return the lecturer's properties and measures.

        Raises:
            BadInput: the file cannot be used, or a name is unknown.
        """
        if not self.properties:
            if names:
                what = "there is no lecturer/properties.py with these properties"
                raise BadInput(what, place=f"check {self.check}, properties")
            return (), ()
        properties, measures = properties_from_source(self.properties, path=Path("properties.py"))
        known = {each.name: each for each in properties}
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            what = f"no property '{unknown}'; choose from {', '.join(repr(each) for each in known)}"
            raise BadInput(what, place=f"check {self.check}, properties")
        return (tuple(known[name] for name in names) if names else properties), measures

    # ------------------------------------------------------------------ runs

    def experiments(
        self, shelf: Shelf, networks: Sequence[str], delays: Sequence[str], runs: int, first: int = 1
    ) -> Iterator[Experiment]:
        """Yield the experiments of a check: each network with each delay in turn, and a seed of its own each."""
        base = self.base
        networks = networks or [base.network if isinstance(base.network, str) else ""]
        moved: dict[str, Experiment] = {}
        for i in range(runs):
            network = networks[i % len(networks)].replace("{seed}", str(first + i))
            if network not in moved:
                if len(moved) >= 200:
                    moved.clear()
                moved[network] = base.moved(network, shelf) if network and network != base.network else base
            experiment = moved[network]
            if delays:
                delay = delays[i // len(networks) % len(delays)]
                experiment = experiment.with_(timing=replace(experiment.timing, delay=parse(delay)))
            yield experiment.with_(name=f"{self.check}-{first + i}", seed=first + i)

    def single(self, shelf: Shelf, network: str = "") -> Resolved:
        """Return the experiment of a check that makes one run, on its network or on this one."""
        experiment = next(self.experiments(shelf, (network,) if network else (), (), 1))
        return experiment.with_(seed=1 if self.seed is None else self.seed).resolve(shelf)

    def ran(self, resolved: Resolved, *, variables: bool = False) -> Result:
        """Run an experiment to its end."""
        return Simulator(resolved, variables=variables, check=True).run()

    def over(
        self,
        load: Callable[[], Protocol],
        networks: Sequence[str],
        delays: Sequence[str],
        runs: int,
        *,
        final: bool = True,
    ) -> Iterator[tuple[Resolved, Result]]:
        """Make the runs of a check, and yield each with its result.

        A protocol that keeps something outside its processes is loaded again, so that all runs begin in the same state.

        Args:
            load: returns the protocol.
            final: end a run at the first violation of a property.
        """
        protocol = load()
        shelf, before = Shelf(protocol), remembered(protocol)
        for number, experiment in enumerate(self.experiments(shelf, networks, delays, runs)):
            self.go_on()
            if final:
                experiment = experiment.with_(stop=replace(experiment.stop, violation=True))
            resolved = experiment.resolve(shelf)
            yield resolved, self.ran(resolved)
            self.tell(number + 1, runs)
            if remembered(protocol) != before:
                protocol = load()
                shelf.use(protocol)
                before = remembered(protocol)
