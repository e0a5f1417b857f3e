"""The command ``lydian trace find``: shapes of communication, the longest waits, and the causal path between events."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.parser import Commands, Parser, Usage, whole
from lydian.model.errors import BadInput, did_you_mean, shown

if TYPE_CHECKING:
    from lydian.batch.spark.finding import Place

__all__ = ["add"]

_TEXT = """\
Finds places in traces, and says how to open each. Give traces, or folders of traces; of thousands, Spark
reads as many at once as it has cores (--master).

  request-reply      a message and the next one back, the slowest first
  broadcast          one step that sends to three or more processes
  gather             receipts from three or more processes before the receiver sends again
  concurrent-writes  two writes of which neither happened before the other
"""
_EXAMPLES = """\
examples:
  lydian trace find run.parquet --shape request-reply
  lydian trace find run.parquet --longest-waits --most 5
  lydian trace find run.parquet --path 4 60
  lydian trace find traces/ --shape concurrent-writes --master "local[2]"
"""


def add(commands: Commands, common: Parser) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "find", parents=[common], help="find shapes of communication, waits and causal paths", description=_TEXT,
        epilog=_EXAMPLES,
    )  # fmt: skip
    parser.add_argument("files", metavar="TRACE", nargs="+", help="a trace, or a folder of traces")
    parser.add_argument("--shape", metavar="S", help="request-reply, broadcast, gather or concurrent-writes")
    parser.add_argument("--longest-waits", action="store_true", help="the receipts before which a process waited most")
    parser.add_argument("--path", metavar=("A", "B"), nargs=2, help="the causal path from event A to event B")
    parser.add_argument("--most", metavar="N", help="at most this many places (10)")
    parser.add_argument("--master", metavar="URL", help="search on Spark: local[2], local[*], spark://host:7077 ...")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each place")
    parser.set_defaults(action=_find, parser=parser)


def _find(args: Namespace) -> int:
    from lydian.trace.finding import SHAPES, WAITS

    wishes = [args.shape is not None, args.longest_waits, args.path is not None]
    if sum(wishes) != 1:
        raise Usage("choose one of --shape, --longest-waits and --path")
    most = 10 if args.most is None else whole(args.most, "--most", 1)
    files = _files(args.files)
    if args.path is not None:
        if len(files) != 1:
            raise Usage(f"--path needs one trace, not {len(files)}")
        return _path(files[0], *(whole(each, "--path", 0) for each in args.path))
    shape = WAITS if args.longest_waits else args.shape
    if shape not in SHAPES:
        raise Usage(f"--shape: unknown shape {shown(shape)}{did_you_mean(shape, SHAPES)}; choose from "
                    f"{', '.join(each for each in SHAPES if each != WAITS)}")  # fmt: skip
    from lydian.batch.spark.finding import best, in_file, on_spark

    if args.master is not None:
        places = on_spark(files, shape, most, args.master)
    else:
        places = best([each for file in files for each in in_file(file, shape, most)], most)
    return _tell(places, len(files), args.json)


def _files(given: list[str]) -> list[str]:
    """Return the files of the traces, those of folders in the order of their names."""
    files: list[str] = []
    for name in given:
        path = Path(name)
        if path.is_dir():
            inside = sorted(str(each) for each in path.rglob("*.parquet"))
            if not inside:
                raise BadInput("this folder contains no trace (.parquet)", file=path)
            files += inside
        elif path.is_file():
            files.append(name)
        else:
            raise BadInput("there is no such file; a trace or a folder of traces was expected here", file=path)
    return files


def _tell(places: list[Place], files: int, as_json: bool) -> int:
    import sys

    from lydian.views.words.found import found_words

    rank = 0
    for file, found, why in places:
        if found is None:
            print(f"lydian: {' '.join(why.split())}", file=sys.stderr)
            continue
        rank += 1
        how = f"lydian open {file} --event {found.events[0]}"
        if as_json:
            print(json.dumps({"file": file, **asdict(found), "open": how}))
        else:
            print(f"{rank:>3}  {found.start:.4f}  {found_words(found)}")
            print(f"     {how}")
    if not rank and not as_json:
        print(f"Nothing was found in {files:,} {'trace' if files == 1 else 'traces'}.")
    return 0


def _path(file: str, a: int, b: int) -> int:
    from lydian.trace.finding import path_between
    from lydian.trace.parquet.file import load
    from lydian.trace.timeline import Timeline
    from lydian.views.words.sentence import line

    timeline = Timeline(load(Path(file)))
    for event in (a, b):
        if event >= timeline.length:
            raise BadInput(f"the trace has no event {event}; its last one is {timeline.length - 1}", file=file)
    way = path_between(timeline, min(a, b), max(a, b))
    if not way:
        print(f"Events {a} and {b} are concurrent: no causal path leads from one to the other.")
        return 0
    for seq in way:
        print(line(timeline, seq).rstrip())
    return 0
