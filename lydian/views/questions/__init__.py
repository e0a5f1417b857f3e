"""Questions about a run, generated from its trace, with answers that are checked and explained.

:func:`lydian.views.questions.ask.ask` returns one question, :func:`lydian.views.questions.ask.series` several, and
:func:`lydian.views.questions.question.check` judges an answer. To add a kind of question, write a module in ``kinds``
with ``KIND = Kind(...)``; nothing else lists it.
"""
