"""Drawing a network: every edit is a function from a network to a network, and a document remembers the way.

The functions are in :mod:`~lydian.model.editing.processes`, :mod:`~lydian.model.editing.links`,
:mod:`~lydian.model.editing.parts` (copies and pastes) and :mod:`~lydian.model.editing.alignment`; the history is in
:mod:`~lydian.model.editing.undo`.  A link is named by the pair ``(a, b)`` of its processes as the link has them.
"""
