"""One cluster of a large network unfolded by a click, and folded again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QVariantAnimation

if TYPE_CHECKING:
    from lydian.app.canvas.movable import MovablePicture

__all__ = ["Folding"]

#: The milliseconds that unfolding takes (tokens: motion.unfold).
UNFOLDING = 200


class Folding:
    """The cluster of one view that is unfolded, as the option ``unfolded`` of its frames.

    Args:
        canvas: the view.
    """

    def __init__(self, canvas: MovablePicture) -> None:
        self._canvas = canvas
        self._clusters: object = None  # those of the network in which a cluster was unfolded
        self._process = -1
        self._moves = QVariantAnimation(canvas)
        self._moves.setDuration(UNFOLDING)
        self._moves.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._moves.valueChanged.connect(self._at)

    @property
    def is_open(self) -> bool:
        """Whether a cluster is unfolded, or unfolding."""
        return self._process >= 0 and self._moves.endValue() != 0.0

    def wants(self, position: QPointF) -> bool:
        """Return whether a click at a point unfolds or folds a cluster."""
        folds, process = self._under(position)
        return folds or process >= 0

    def _under(self, position: QPointF) -> tuple[bool, int]:
        """Return whether the name of the unfolded cluster is at a point, and a process of the disc there, or -1."""
        canvas = self._canvas
        painter, frame = canvas.painter, canvas.frame
        if getattr(frame, "discs", None) is None or painter is None or canvas.trouble is not None:
            return False, -1
        rect = QRectF(canvas.rect())
        if painter.fold_at(position, rect, frame, canvas.camera):
            return True, -1
        inside = painter.disc_at(position, rect, frame, canvas.camera)
        return False, int(inside[0]) if len(inside) else -1

    def click(self, position: QPointF) -> bool:
        """Unfold the cluster at a point, or fold the one whose name is there; return False if there is neither."""
        folds, process = self._under(position)
        if folds:
            self.fold()
            return True
        if process < 0:
            return False
        canvas = self._canvas
        self._clusters, self._process = canvas.frame.discs.clusters, process
        if canvas.camera is not None:
            canvas.camera.fit()
        self._go(0.0, 1.0)
        return True

    def fold(self) -> None:
        """Fold the cluster that is unfolded."""
        if self.is_open:
            self._go(float(self._canvas.options.get("unfolded", (-1, 1.0))[1]), 0.0)

    def forget(self, frame: Any) -> bool:
        """Fold at once if a frame is of another network; return whether that was so."""
        discs = getattr(frame, "discs", None)
        if self._process < 0 or (discs is not None and discs.clusters is self._clusters):
            return False
        self._moves.stop()
        self._process, self._clusters = -1, None
        self._canvas.options.pop("unfolded", None)
        return True

    def _go(self, start: float, end: float) -> None:
        self._moves.stop()
        self._moves.setStartValue(start)
        self._moves.setEndValue(end)
        if self._canvas.theme.still:
            self._at(end)
        else:
            self._moves.start()

    def _at(self, share: float) -> None:
        if share <= 0.0 and self._moves.endValue() == 0.0:
            self._process = -1
            self._canvas.options.pop("unfolded", None)
            self._canvas.refresh()
        else:
            self._canvas.set_option("unfolded", (self._process, float(share)))
