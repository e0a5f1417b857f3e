"""The application without a window: what is worked on, what can be done to it, and what is said about it.

Nothing here knows Qt.  Each part is a plain object that tells its changes by signals (:mod:`lydian.desk.signal`);
clocks, child processes and the thread of the program come in through :mod:`lydian.desk.loop`.
"""
