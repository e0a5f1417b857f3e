"""Long work in the background: a plain function in a thread, with progress, a result or an error, and cancellation.

The function receives a :class:`Report`, with which it reports its progress and learns of its cancellation. Python's
threads share one processor, so the function should do its work in pieces of a few milliseconds or in libraries that
release the interpreter lock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.reading import Cancelled

__all__ = ["Background", "Report"]

#: The number of milliseconds for which closing waits for a function that does not use its report.
PATIENCE = 10_000


class Report:
    """The progress report of the work: call it with the share done, 0 to 1."""

    def __init__(self, told: Callable[[float], None]) -> None:
        self._told, self._percent = told, -1
        self.unwanted = False

    def __call__(self, share: float) -> None:
        """Report the progress of the work.

        Raises:
            Cancelled: the work has been cancelled.
        """
        if self.unwanted:
            raise Cancelled
        percent = int(share * 100)
        if percent != self._percent:  # at most a hundred signals
            self._percent = percent
            self._told(share)


class _Thread(QThread):
    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work

    def run(self) -> None:
        self._work()


class Background(QObject):
    """A runner of long work, one piece at a time; new work replaces the work under way."""

    #: The share done.
    progress = Signal(float)
    #: The result of the function.
    done = Signal(object)
    #: The sentence that explains why there is no result.
    failed = Signal(str)
    #: The work has ended, successfully or not, or was cancelled.
    ended = Signal()
    _told = Signal(int, float)
    _over = Signal(int, object, str, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._report: Report | None = None
        self._threads: list[_Thread] = []
        self._told.connect(self._on_told)
        self._over.connect(self._on_over)

    @property
    def busy(self) -> bool:
        return self._report is not None

    def start(self, work: Callable[[Report], Any]) -> None:
        """Start the work; :attr:`done` or :attr:`failed` follows unless it is cancelled."""
        self.cancel()
        self._number += 1
        number = self._number
        report = self._report = Report(lambda share: self._told.emit(number, share))

        def run() -> None:
            try:
                self._over.emit(number, work(report), "", True)
            except Cancelled:
                self._over.emit(number, None, "", False)
            except (LydianError, OSError) as error:
                self._over.emit(number, None, str(error), False)
            except MemoryError:
                self._over.emit(number, None, tr("There is not enough memory."), False)
            except Exception as error:  # noqa: BLE001 - whatever it is, it has to reach the window
                self._over.emit(
                    number,
                    None,
                    tr("Error inside LYDIAN ({kind}: {reason}).", kind=type(error).__name__, reason=error),
                    False,
                )

        thread = _Thread(run, self)
        self._threads.append(thread)
        thread.finished.connect(self._gone)  # a method of this object, so it is called in the window's thread
        thread.start()

    def cancel(self) -> None:
        """Cancel the work under way; only its end is signalled from now on."""
        if self._report is not None:
            self._report.unwanted = True
            self._report = None
            self._number += 1
            self.ended.emit()

    def close(self) -> None:
        """Cancel the work and wait until its thread has ended."""
        self.blockSignals(True)
        self.cancel()
        for thread in tuple(self._threads):
            thread.wait(PATIENCE)
        self._threads.clear()

    def _on_told(self, number: int, share: float) -> None:
        if number == self._number:
            self.progress.emit(share)

    def _on_over(self, number: int, result: Any, why: str, good: bool) -> None:
        if number != self._number or self._report is None:
            return
        self._report = None
        if good:
            self.done.emit(result)
        elif why:
            self.failed.emit(why)
        self.ended.emit()

    def _gone(self) -> None:
        for thread in [thread for thread in self._threads if thread.isFinished()]:
            self._threads.remove(thread)
            thread.wait()
            thread.deleteLater()
