"""The application without its window: the experiment and its runs, the commands, and the messages to the user.

Nothing here depends on Qt. Each part is a plain object that announces its changes by signals
(:mod:`lydian.desk.signal`); clocks, child processes and the main thread come from :mod:`lydian.desk.loop`.
"""
