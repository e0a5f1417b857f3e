"""The option of all views that can outline what has not happened yet."""

from __future__ import annotations

from lydian.language import tr, trc
from lydian.views.registry import Choice

__all__ = ["TO_COME"]

TO_COME = Choice("future", tr("Future events"), {True: tr("Show faintly"), False: trc("future events", "Hide")})
