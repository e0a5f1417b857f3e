"""A Spark session that uses a suitable Java, prints nothing, and leaves nothing behind when it stops."""

from __future__ import annotations

import logging
import os
import re
import socket
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from lydian.batch.spark.java import find_java
from lydian.model.childprocess import environment
from lydian.model.errors import BadInput, LydianError, shown

__all__ = ["Lost", "Spark", "check_master", "cores_of", "needed"]

#: Masters that Spark accepts, for the error about an unknown one.
_MASTERS = (
    r"local(\[(\d+|\*)(,\s*\d+)?\])?|local-cluster\[\d+,\s*\d+,\s*\d+\]|spark://[^\s,]+:\d+(,[^\s,]+:\d+)*|yarn"
    r"|k8s://\S+|sc://\S+"
)
_EXAMPLES = "local[*], local[2], spark://host:7077, k8s://https://host:443, yarn or sc://host:15002"
_QUIET = """\
status = error
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c{1}: %m%n%ex{0}
logger.shutdown.name = org.apache.spark.util.ShutdownHookManager
logger.shutdown.level = off
"""


class Lost(LydianError):
    """Spark does not start or has stopped."""

    exit_code = 1


class Spark:
    """A running Spark.

    Args:
        master: its master URL; ``sc://host:port`` for a server of Spark Connect.
        log: the file for the output of Java; a temporary one by default.
        settings: further settings of Spark.

    Attributes:
        session: the ``SparkSession``.
        cores: the number of runs that are executed at once.

    Raises:
        BadInput: the master is invalid, or pyspark or Java is missing.
        Lost: Spark does not start; the message gives its reason.
    """

    def __init__(
        self, master: str = "local[*]", *, log: Path | None = None, settings: dict[str, str] | None = None
    ) -> None:
        self._prepare(master, log, settings)
        self.start()

    @classmethod
    def later(cls, master: str = "local[*]", *, log: Path | None = None) -> Spark:
        """Create a Spark that :meth:`start` starts; until then :meth:`kill` can end it from another thread."""
        spark = cls.__new__(cls)
        spark._prepare(master, log, None)
        return spark

    def _prepare(self, master: str, log: Path | None, settings: dict[str, str] | None) -> None:
        self.master = master
        self.starting = True
        self.cores = 1
        self._settings = settings or {}
        self._gateway: Any = None
        self._context: Any = None
        self._process: Any = None
        self._killed = False
        self._log_path = log
        self._log: BinaryIO | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._before: dict[str, str | None] = {}

    def start(self) -> None:
        """Start Spark; see the class for the exceptions it raises."""
        needed(self.master)
        self._folder = tempfile.TemporaryDirectory(prefix="lydian-spark-")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.session = self._connected() if self.connect else self._started(self._settings)
            self.cores = cores_of(self.master) or int(self._context.defaultParallelism if self._context else 4)
        except BaseException:
            self.stop()
            raise
        self.starting = False
        if self._killed:
            self.stop()
            raise Lost("Spark was stopped while it started")

    @property
    def connect(self) -> bool:
        """Whether this is a session of Spark Connect, which belongs to another server."""
        return self.master.startswith("sc://")

    def _started(self, settings: dict[str, str]) -> Any:
        from pyspark import SparkConf, SparkContext, java_gateway
        from pyspark.errors import PySparkException
        from pyspark.java_gateway import launch_gateway
        from pyspark.sql import SparkSession

        java = find_java()
        assert self._folder is not None
        folder = Path(self._folder.name)
        (folder / "log4j2.properties").write_text(_QUIET)
        wanted = {**environment(), "JAVA_HOME": str(java.ready())}
        wanted |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
        python = ("PYTHONPATH", "PYTHONSAFEPATH", "PYTHONHASHSEED", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON")
        for name in (*python, "JAVA_HOME"):
            self._before[name] = os.environ.get(name)
            os.environ[name] = wanted[name]
        conf = SparkConf(loadDefaults=False).setMaster(_patient(self.master)).setAppName("lydian batch")
        for key, value in {**_settings(self.master, folder, wanted), **settings}.items():
            conf.set(key, value)
        log = self._log_path or folder / "spark.log"
        try:
            self._log = log.open("wb")
        except OSError as error:
            raise BadInput(f"cannot be written ({(error.strerror or str(error)).lower()})", file=log) from None
        popen = java_gateway.Popen

        def noted(*words: Any, **options: Any) -> Any:
            self._process = popen(*words, **options)
            return self._process

        java_gateway.Popen = noted  # so that it can be ended while it starts
        try:
            self._gateway = launch_gateway(conf, {"stderr": self._log, "stdout": self._log, "cwd": str(folder)})
            self._context = SparkContext(gateway=self._gateway, conf=conf)
        except (PySparkException, OSError, RuntimeError) as error:
            raise Lost(f"Spark does not start: {self._reason(error)}") from None
        except Exception as error:  # Py4J has many classes of errors
            if type(error).__module__.split(".")[0] != "py4j":
                raise
            raise Lost(f"Spark does not start at {self.master}: {self._reason(error)}") from None
        finally:
            java_gateway.Popen = popen
        logging.getLogger().addFilter(_no_py4j)
        for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "py4j"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # LYDIAN reports errors itself
        self._context._accumulatorServer.handle_error = _unheard  # it would complain when Java is ended
        return SparkSession(self._context)

    def _connected(self) -> Any:
        try:
            from pyspark.sql.connect.session import SparkSession
        except ImportError as error:
            pip = f"{Path(sys.executable).name} -m pip install"
            name = getattr(error, "name", None) or "grpc"
            what = f'Spark Connect needs more packages ({name}); get them with {pip} "pyspark[connect]>=4.3,<4.4"'
            raise BadInput(what) from None
        try:
            session = SparkSession.builder.remote(self.master).getOrCreate()
            _ = session.version
        except Exception as error:  # noqa: BLE001 - grpc's errors come in many classes
            words = " ".join(str(error).split())[:200]
            raise Lost(f"no Spark Connect was found at {self.master} ({words})") from None
        return session

    def _reason(self, error: Exception) -> str:
        """Return the relevant sentence from Java's output or from an error of Spark."""
        said = ""
        if self._log is not None:
            self._log.flush()
            said = Path(self._log.name).read_text(errors="replace")
        return reason(f"{said}\n{error}")

    @property
    def alive(self) -> bool:
        """Return whether its Java still runs; for a session elsewhere, whether it has not been stopped."""
        if self._process is not None:
            return self._process.poll() is None
        return self.connect and "session" in self.__dict__

    def kill(self) -> None:
        """End Java at once, with everything that it started."""
        self._killed = True
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """Stop Spark and its Java, and remove the files it wrote; may be called twice."""
        session = self.__dict__.pop("session", None)
        gateway, self._gateway = self._gateway, None
        process, self._process = self._process, None
        dead = process is not None and process.poll() is not None
        for end in (session or self._context, gateway):
            try:
                if end is not None and (end is gateway or not dead):
                    end.shutdown() if end is gateway else end.stop()
            except Exception:  # noqa: BLE001 - it is gone already
                pass
        if process is not None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                process.wait(5.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if gateway is not None:
            _forget(gateway)
        self._context = None
        if self._log is not None:
            self._log.close()
            self._log = None
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._before.clear()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Spark:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if kind is not None and not issubclass(kind, Exception):
            self.kill()
        self.stop()


def check_master(master: str) -> None:
    """Raise BadInput unless this is a master of Spark."""
    if not re.fullmatch(_MASTERS, master):
        raise BadInput(f"--master: {shown(master)} is not a master of Spark; write {_EXAMPLES}")


def needed(master: str) -> None:
    """Check that Spark can start, long before it does.

    Raises:
        BadInput: the master is invalid, or pyspark or a suitable Java is missing.
        Lost: no process listens at the master's address.
    """
    check_master(master)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pandas  # noqa: F401
            import pyspark  # noqa: F401
    except ImportError as error:
        pip = f"{Path(sys.executable).name} -m pip install"
        raise BadInput(f'{error.name} is missing; install Spark with {pip} "lydian[spark]"') from None
    _reachable(master)
    if not master.startswith("sc://"):
        find_java()


def _reachable(master: str) -> None:
    """Raise Lost if no process listens at the host and port of a master; Spark itself would try for minutes."""
    found = re.match(r"(?:spark|sc)://([^/;]+)", master)
    problems = []
    for address in found[1].split(",") if found else ():
        host, _, port = address.rpartition(":") if ":" in address else (address, "", "15002")
        try:
            socket.create_connection((host.strip("[]"), int(port)), 5.0).close()
            return
        except (OSError, ValueError) as error:
            problems.append(f"{address}: {(getattr(error, 'strerror', None) or str(error)).lower()}")
    if problems:
        raise Lost(f"no Spark was found at {master} ({'; '.join(problems)})")


def _patient(master: str) -> str:
    """Return the master with four attempts for each task, which a cluster makes by default."""
    if master == "local":
        return "local[1,4]"
    return f"{master[:-1]},4]" if re.fullmatch(r"local\[(\d+|\*)\]", master) else master


def _no_py4j(record: logging.LogRecord) -> bool:
    """Suppress the messages that Py4J logs when Java is ended while it works."""
    return f"{os.sep}py4j{os.sep}" not in record.pathname


def _unheard(*words: object) -> None:
    """Discard a complaint that would go to standard error."""


def _forget(gateway: Any) -> None:
    """Let PySpark start another Java later; it would otherwise keep the first one for ever."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if SparkContext._gateway is gateway:
        SparkContext._gateway = SparkContext._jvm = None
        SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


def cores_of(master: str) -> int | None:
    """Return the number of runs executed at once on this master; ``None`` if only Spark can determine it."""
    match = re.match(r"local(-cluster)?(?:\[(\d+|\*)(?:,\s*(\d+))?)?", master)
    if master == "local":
        return 1
    if match is None:
        return None
    if match[1]:
        return int(match[2]) * int(match[3] or 1)
    if match[2] == "*":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(match[2])


def reason(text: str) -> str:
    """Return the relevant part of a message of Spark, which is long."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = re.compile(
        r"(Caused by: .*|[\w.$]*(?:Exception|Error): .+|Error occurred .*|.*All masters are unresponsive.*|"
        r"(?:[\w.]+\.)?BadInput: .*|ModuleNotFoundError: .*|.*[Cc]ould not (?:create|reserve|find).*)"
    )
    found = [match[1] for line in lines if (match := telling.match(line))]
    told = found[-1] if found else (lines[-1] if lines else "no message was given")
    return re.sub(r"^((Caused by: )?([\w$]+\.)+(BadInput: )?|BadInput: )", "", told)[:300]


def _settings(master: str, folder: Path, wanted: dict[str, str]) -> dict[str, str]:
    log = f"-Dlog4j2.configurationFile={(folder / 'log4j2.properties').as_uri()}"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
        "spark.sql.warehouse.dir": (folder / "warehouse").as_uri(),
        "spark.python.task.killTimeout": "100ms",  # the time a cancelled task may still take
        "spark.executorEnv.PYTHONHASHSEED": "0",
        "spark.executorEnv.PYTHONSAFEPATH": "1",
        "spark.executorEnv.PYTHONPATH": wanted["PYTHONPATH"],
        "spark.driver.memory": "1g",
        # The process is short-lived: compile little, collect garbage with one thread, and keep the cores for the runs.
        "spark.driver.extraJavaOptions": f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {log}",
        "spark.log.structuredLogging.enabled": "false",
    }
    if master.startswith("local"):
        settings |= {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.local.dir": str(folder),
        }
    if master.startswith("local-cluster"):
        settings["spark.executor.memory"] = f"{re.split(r'[^0-9]+', master)[3]}m"
    return settings
