"""A system split into components: each has its own simulator, which may be on another computer and has replicas.

* :mod:`system` says which component simulates which processes; :mod:`part` is the simulator of one component.
* :mod:`frames` are what components, their meeting point and interfaces say to each other; :mod:`hub` is the meeting
  point, and :mod:`meeting` its server; :mod:`take` is a replica as a program, :mod:`replicas` what it decides.
* :mod:`follow` shows the events of several components in causal order; :mod:`merge` makes one trace of them.
* :mod:`record` repeats a run anywhere; :mod:`running` starts everything on this computer; :mod:`inside` runs a system
  in this process, for tests.
"""
