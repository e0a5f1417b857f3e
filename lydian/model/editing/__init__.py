"""Editing networks: every edit is a function from a network to a network, and a document records the history.

The functions are in :mod:`~lydian.model.editing.processes`, :mod:`~lydian.model.editing.links`,
:mod:`~lydian.model.editing.parts` (copy and paste) and :mod:`~lydian.model.editing.alignment`; the history is in
:mod:`~lydian.model.editing.undo`. A link is identified by the pair ``(a, b)`` of its processes in the order of the
link.
"""
