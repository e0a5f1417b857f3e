"""What the mouse does on the drawing board: every gesture is one object that is started, moved, finished or cancelled.

A gesture keeps all of its state and changes the network only when it is finished, by :meth:`Board.do`, as one step.
What it shows meanwhile is its :class:`~lydian.app.network.gestures.base.Overlay`.
"""
