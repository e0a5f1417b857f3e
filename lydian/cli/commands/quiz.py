"""The command ``lydian quiz``: questions about a run, asked in the terminal or listed with their answers."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.chosen import is_trace, of_batch
from lydian.cli.parser import Commands, Parser, whole
from lydian.cli.words import coloured, mark, plural, wrapped
from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.trace.events import Trace
    from lydian.trace.timeline import Timeline
    from lydian.views.questions.question import Question

__all__ = ["add"]

_EXAMPLES = """\
examples:
  lydian quiz two-wings
  lydian quiz two-wings --kind concurrent --kind cut --count 10 --seed 7
  lydian quiz run.parquet --json              the questions with their answers, as one JSON object

Answer with a number, with the text of an answer, or with names of processes and commas between them. An empty line
shows the answer, and Ctrl+D ends the quiz.
"""
_COUNT = 5
#: The largest number of events that are shown before a question.
_SHOWN = 40


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "quiz", parents=[common], help="answer questions about a run", epilog=_EXAMPLES,
        description="Asks questions about a run, which are generated from its trace: what happens next, which events\n"
        "are concurrent, whether a cut is consistent. The answers are checked and explained.",
    )  # fmt: skip
    parser.add_argument("run", metavar="EXPERIMENT|TRACE", help="an experiment (name or file), or a trace file")
    parser.add_argument("--seed", metavar="K", help="other questions: any whole number (1)")
    kind = parser.add_argument("--kind", metavar="KIND", action="append", default=[])
    parser.before_help = lambda: setattr(kind, "help", f"only questions of this kind: {_kinds()}")
    parser.add_argument("--count", metavar="N", help=f"the number of questions ({_COUNT})")
    parser.add_argument("--json", action="store_true", help="print the questions with their answers as one JSON object")
    parser.set_defaults(action=_quiz)


def _kinds() -> str:
    from lydian.views.questions.ask import kinds

    return ", ".join(kinds())


def _quiz(args: Namespace) -> int:
    from lydian.trace.timeline import Timeline
    from lydian.views.questions.ask import series

    seed = 1 if args.seed is None else whole(args.seed, "--seed")
    count = _COUNT if args.count is None else whole(args.count, "--count", 1)
    timeline = Timeline(_trace(args.run))
    questions = islice(series(timeline, seed, args.kind), count)
    if args.json:
        told = [question.to_dict() | {"answer": question.answer} for question in questions]
        print(json.dumps({"run": timeline.trace.fingerprint(), "seed": seed, "questions": told}, indent=2))
        return 0
    asked = right = 0
    for question in questions:
        asked += 1
        print(_told(timeline, question, asked))
        try:
            right += _answered(question)
        except EOFError:
            asked -= 1
            print()
            break
    if not asked and next(series(timeline, seed, args.kind), None) is None:
        of_kind = " of this kind" if args.kind else ""
        raise BadInput(f"no question{of_kind} can be asked about this run", file=args.run)
    print(f"\n{right} of {plural(asked, 'question')} answered correctly")
    return 0


def _trace(ref: str) -> Trace:
    if is_trace(ref) or ref.endswith(".parquet"):
        from lydian.trace.parquet.file import load

        return load(Path(ref))
    from lydian.cli.supervisor import outputs_kept
    from lydian.engine.simulator import Simulator
    from lydian.model.archive.archive import archive

    experiment = of_batch(ref) or archive().experiment(ref)
    with outputs_kept():
        return Simulator(experiment.resolve()).run().trace


def _told(timeline: Timeline, question: Question, number: int) -> str:
    """Return a question below the events that may be seen while it is open."""
    from lydian.views.words.sentence import line

    k = timeline.count(question.time)
    first = max(k - _SHOWN, 0)
    lines = [""]
    if k:
        until = max(question.time, 0.0)
        lines.append(coloured(f"The events up to time {until:.4g}{', the last ones' if first else ''}:", "2"))
        lines += [f"  {line(timeline, seq).rstrip()}" for seq in range(first, k)]
    text = "\n".join(wrapped(part) for part in question.text.split("\n"))
    lines += ["", coloured(f"Question {number}", "1"), text]
    if all(choice.process >= 0 and choice.event < 0 for choice in question.choices) and question.form == "several":
        lines.append(f"    ({', '.join(choice.text for choice in question.choices)})")
    else:
        lines += [f"    {place}  {choice.text}" for place, choice in enumerate(question.choices, 1)]
    return "\n".join(lines)


def _answered(question: Question) -> bool:
    """Read answers until one can be judged; return whether it is right, and explain it."""
    from lydian.views.questions.question import check

    while True:
        print("> ", end="", flush=True)
        text = sys.stdin.readline()
        if not text:
            raise EOFError
        if not text.strip():
            print(f"  The answer is {question.cited}.\n{wrapped(question.why)}")
            return False
        try:
            verdict = check(question, text.strip())
        except BadInput as error:
            print(f"  {error.what}")
            continue
        print(f"{mark(verdict.right)} {verdict.sentence}\n{wrapped(question.why)}")
        return verdict.right
