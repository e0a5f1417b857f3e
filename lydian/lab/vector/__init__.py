"""Pictures of views as SVG without Qt.

The painters of views (``lydian.app.painters``) draw with the classes of ``PySide6.QtCore`` and ``PySide6.QtGui``. Here
the same painters are loaded a second time, under ``lydian.lab.vector.app``, with classes of the same names that write
SVG (:mod:`lydian.lab.vector.core`, :mod:`lydian.lab.vector.gui`). So a view is drawn by one painter everywhere, and a
script or a notebook needs no Qt.
"""

from __future__ import annotations

from lydian.lab.vector.draw import drawn, plotted

__all__ = ["drawn", "plotted"]
