"""Replacements for modules that would make the execution of a protocol differ from run to run, or end it.

A protocol file is executed with its own builtins (:func:`builtins_for`). Their ``__import__`` returns stand-ins for
``time``, ``random``, ``os`` and similar modules: they behave as usual, except that the functions below raise
:class:`NotAllowed` with a sentence that says what to write instead. The rest of the program is not affected.
"""

from __future__ import annotations

import builtins
import enum
import functools
import hashlib
import io
import types
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["ENDS", "NotAllowed", "builtins_for", "offences"]

_WALL = "is the real time, which differs from run to run; use self.clock"
_CHANCE = "does not follow the seed, so no run could be repeated; use self.random"
_SLEEP = "a process must not wait by sleeping; set a timer: self.set_timer(Retry(), after=2.0)"
#: The reasons for functions that end the program.
ENDS = "would end the simulator; an action that has nothing more to do must return"
_THREAD = "starts something outside the run; a process acts only when an event reaches it, so set a timer instead"
_PLACE = "differs from run to run; a process knows its own name only as self.me"
_FILES = "uses the simulator's own channels; a protocol must only send, note and decide"


class NotAllowed(BaseException):
    """The error for something that a process cannot do; its text is the sentence to show.

    It is not an ``Exception``, so that ``except Exception`` does not catch it.
    """


#: The sentences of refusals since the list was last cleared, for code that catches every exception.
offences: list[NotAllowed] = []


def refuse(sentence: str) -> NotAllowed:
    """Return the error to raise, and record it."""
    error = NotAllowed(sentence)
    if len(offences) < 100:
        offences.append(error)
    return error


def _refusing(name: str, why: str, unless: Callable[..., bool] | None = None, real: Any = None) -> Callable[..., Any]:
    """Return a function that is refused, except for calls for which ``unless`` is true."""

    def refused(*arguments: Any, **words: Any) -> Any:
        if unless is not None and unless(*arguments, **words):
            return real(*arguments, **words)
        raise refuse(why if why[0].islower() and why.startswith("a ") else f"{name}() {why}")

    refused.__name__ = refused.__qualname__ = name
    return refused


def _names(text: str, why: str) -> dict[str, str]:
    return dict.fromkeys(text.split(), why)


#: Module -> the functions that are refused in it, and why.
_REFUSED: Mapping[str, Mapping[str, str]] = {
    "builtins": {},  # whatever is replaced in the stand-in, the program keeps its own
    "time": {
        **_names("time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time", _WALL),
        **_names("process_time_ns thread_time thread_time_ns clock_gettime clock_gettime_ns", _WALL),
        "sleep": _SLEEP,
    },
    "random": {
        **_names("random uniform triangular randint choice randrange sample shuffle choices normalvariate", _CHANCE),
        **_names("lognormvariate expovariate vonmisesvariate gammavariate gauss betavariate binomialvariate", _CHANCE),
        **_names("paretovariate weibullvariate getrandbits randbytes seed setstate getstate SystemRandom", _CHANCE),
    },
    "os": {
        **_names("urandom getrandom", _CHANCE),
        **_names("getpid getppid times getloadavg", _PLACE),
        **_names("_exit abort kill killpg", ENDS),
        **_names("fork forkpty system popen startfile posix_spawn posix_spawnp", _THREAD),
        **_names("execl execle execlp execv execve execvp execvpe spawnl spawnle spawnv spawnve", ENDS),
        **_names("close closerange dup2", _FILES),
    },
    "sys": {**_names("exit", ENDS), **_names("setrecursionlimit settrace setprofile", _FILES)},
    "uuid": _names("uuid1 uuid4 getnode uuid6 uuid7 uuid8", _CHANCE),
    "secrets": _names("choice randbelow randbits token_bytes token_hex token_urlsafe SystemRandom", _CHANCE),
    "threading": _names("Thread Timer", _THREAD),
    "_thread": _names("start_new_thread start_new", _THREAD),
    "multiprocessing": _names("Process Pool Manager", _THREAD),
    "concurrent.futures": _names("ThreadPoolExecutor ProcessPoolExecutor", _THREAD),
    "subprocess": _names("run Popen call check_call check_output getoutput getstatusoutput", _THREAD),
    "asyncio": _names("run new_event_loop create_task", _THREAD),
    "signal": _names("signal alarm setitimer raise_signal pthread_kill", ENDS),
    "numpy.random": _names(
        "beta binomial bytes chisquare choice dirichlet exponential f gamma geometric get_state gumbel hypergeometric "
        "laplace logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare "
        "noncentral_f normal pareto permutation poisson power rand randint randn random random_integers random_sample "
        "ranf rayleigh sample seed set_state shuffle standard_cauchy standard_exponential standard_gamma "
        "standard_normal standard_t triangular uniform vonmises wald weibull zipf",
        _CHANCE,
    ),
}
#: Functions that are permitted if they have an argument, such as a time or a seed.
_NEEDS_AN_ARGUMENT: Mapping[str, Mapping[str, tuple[str, int]]] = {
    "time": {"localtime": (_WALL, 1), "gmtime": (_WALL, 1), "ctime": (_WALL, 1), "asctime": (_WALL, 1),
             "strftime": (_WALL, 2)},
    "numpy.random": dict.fromkeys(
        ("default_rng", "RandomState", "PCG64", "MT19937", "Philox", "SFC64", "SeedSequence"), (_CHANCE, 1)),
}  # fmt: skip
#: Modules in which a guarded module is an attribute.
_HOLDERS = ("numpy", "concurrent", "datetime")


class _Guarded(types.ModuleType):
    """A stand-in for a module, with all its attributes except those that are refused."""

    def __init__(self, real: types.ModuleType, instead: Mapping[str, Any]) -> None:
        super().__init__(real.__name__, real.__doc__)
        self.__dict__.update(instead)
        self.__dict__["_lydian_real"] = real

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.__dict__["_lydian_real"], name)
        return guarded(value) if isinstance(value, types.ModuleType) else value

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_lydian_real"])


def guarded(module: types.ModuleType) -> types.ModuleType:
    """Return the module for a protocol: the module itself, or its stand-in."""
    name = getattr(module, "__name__", "")
    if isinstance(module, _Guarded) or not (name in _REFUSED or name in _HOLDERS):
        return module
    return _stand_in(module)


@functools.cache
def _stand_in(module: types.ModuleType) -> types.ModuleType:
    name = module.__name__
    instead: dict[str, Any] = {
        word: _refusing(f"{name}.{word}", why) for word, why in _REFUSED.get(name, {}).items() if hasattr(module, word)
    }
    for word, (why, least) in _NEEDS_AN_ARGUMENT.get(name, {}).items():
        if hasattr(module, word):
            instead[word] = _refusing(f"{name}.{word}", why, _enough(least), getattr(module, word))
    if name == "random":
        instead["Random"] = _seeded(vars(module)["Random"])
    elif name == "sys":
        instead["stdin"] = instead["__stdin__"] = io.StringIO()
    elif name == "datetime":
        instead.update(_dates(module))
    return _Guarded(module, instead)


def _enough(least: int) -> Callable[..., bool]:
    return lambda *arguments, **words: sum(each is not None for each in (*arguments, *words.values())) >= least


def _seeded(base: Any) -> type:
    class Random(base):  # type: ignore[misc]
        """A source of random numbers that must be given a seed."""

        def __init__(self, x: Any = None) -> None:
            if x is None:
                raise refuse(f"random.Random() without a seed {_CHANCE}")
            super().__init__(x)

        def seed(self, a: Any = None, version: int = 2) -> None:
            if a is None:
                raise refuse(f"seed() without a number {_CHANCE}")
            super().seed(a, version)

    return Random


def _dates(module: Any) -> dict[str, Any]:
    def refusing(name: str) -> Any:
        return staticmethod(_refusing(name, _WALL))

    words = {name: refusing(f"datetime.{name}") for name in ("now", "utcnow", "today")}
    return {
        "datetime": type("datetime", (module.datetime,), words),
        "date": type("date", (module.date,), {"today": refusing("date.today")}),
    }


def _import(name: str, *arguments: Any, **words: Any) -> Any:
    return guarded(builtins.__import__(name, *arguments, **words))


def stable_hash(value: Any) -> int:
    """Return a ``hash`` that is the same in every run, for numbers, texts and tuples of these."""
    if isinstance(value, (str, bytes)):
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big") >> 3
    if value is None:
        return 0x1CE
    if isinstance(value, (tuple, frozenset)):
        parts = [stable_hash(each) for each in value]
        return hash(tuple(parts if isinstance(value, tuple) else sorted(parts)))
    if isinstance(value, (int, float, complex)):
        return hash(value)
    if isinstance(value, enum.Enum):
        return stable_hash(value.name)
    values = getattr(type(value), "_values", None)
    if values is not None:  # a message
        return stable_hash((type(value).__name__, values(value)))
    by_address: Any = object.__hash__
    if type(value).__hash__ is by_address:
        raise refuse("hash() of an object differs from run to run; compare names or fields instead")
    return hash(value)


def builtins_for(more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the builtins with which a protocol file is executed.

    Args:
        more: names that are not written in the file, see :mod:`lydian.model.protocol.instrument`.
    """
    return {
        **vars(builtins),
        "__import__": _import,
        "hash": stable_hash,
        "id": _refusing("id", "differs from run to run; compare names or fields instead"),
        "input": _refusing(
            "input", "waits for the keyboard, which no process has; declare a Command for what users do"
        ),
        "exit": _refusing("exit", ENDS),
        "quit": _refusing("quit", ENDS),
        **more,
    }
