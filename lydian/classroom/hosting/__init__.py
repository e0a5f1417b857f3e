"""The parts of a host of a class, each above the one before it; :class:`~lydian.classroom.host.HostOfClass` is all.

* :mod:`state`: the run, the people and the round of a class, as they are now.
* :mod:`keeping`: the interventions that were made, and the file of the class.
* :mod:`showing`: what each person may see; :mod:`listener` is one connection.
* :mod:`seats`: who joins, leaves and plays which process.
* :mod:`turns` and :mod:`rounds`: how moves are chosen and made.
* :mod:`leading`: what the host can do.
"""
