"""Mouse gestures on the drawing board; each gesture is an object that is started, moved, and finished or cancelled.

A gesture keeps all of its state and changes the network only when it is finished, as one step of :meth:`Board.do`.
Meanwhile its :class:`~lydian.app.network.gestures.base.Overlay` is shown.
"""
