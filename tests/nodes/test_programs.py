"""Broken programs end a run with one sentence, and leave nothing behind."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from lydian.model.errors import BadInput
from lydian.nodes.plan import command_of
from lydian.nodes.program import leftovers
from tests.nodes.plans import planned, right

READY = """
import json, os, subprocess, sys, time
def line():
    return json.loads(sys.stdin.readline())
def send(dest, **body):
    print(json.dumps({"src": me, "dest": dest, "body": body}), flush=True)
m = line(); me = m["body"]["node_id"]
send(m["src"], type="init_ok", in_reply_to=m["body"]["msg_id"])
m = line()
"""
BROKEN = {
    "crash at the start": ("raise SystemExit('no such luck')", "ended with the exit code 1 before it answered init; "
                           'its last line on standard error is "no such luck"'),
    "end without a word": ("", "ended with the exit code 0 before it answered init"),
    "garbage": ("print('hello', flush=True)\nimport sys\nsys.stdin.read()",
                "printed 'hello' on standard output, which is not a message; print one JSON object per line there"),
    "not an object": ("print('[1]', flush=True)\nimport sys\nsys.stdin.read()", "a message must be an object"),
    "no body": ("import sys\nline = sys.stdin.readline()\nprint('{\"src\": \"n0\", \"dest\": \"c0\"}', flush=True)",
                "body of a message must be an object"),
    "another source": (READY + "me = 'n7'\nsend('n0', type='x')\nsys.stdin.read()", "its src must be n"),
    "unknown destination": (READY + "send('n9', type='x')\nsys.stdin.read()", "there is no process 'n9'; choose from "
                            "n0, n1, n2, seq-kv"),
    "crash later": (READY + "raise KeyError('oh')", "ended with the exit code 1 after"),
    "a reply of another type": (READY + "send(m['src'], type='ok', in_reply_to=m['body']['msg_id'])\nsys.stdin.read()",
                                "the reply must be echo_ok or error, not 'ok'"),
    "a reply without a field": (
        READY + "send(m['src'], type='echo_ok', in_reply_to=m['body']['msg_id'])\nsys.stdin.read()",
        "the reply must have echo, any value",
    ),
    "an error instead of init_ok": (
        "import json, sys\nm = json.loads(sys.stdin.readline())\n"
        "b = {'type': 'error', 'code': 13, 'text': 'bad day', 'in_reply_to': m['body']['msg_id']}\n"
        "print(json.dumps({'src': m['dest'], 'dest': m['src'], 'body': b}), flush=True)\nsys.stdin.read()",
        "answered init with the error 13 (bad day); must be init_ok",
    ),
    "init_ok without a number": (
        "import json, sys\nm = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'src': m['dest'], 'dest': m['src'], 'body': {'type': 'init_ok'}}), flush=True)\n"
        "sys.stdin.read()",
        "answered init without in_reply_to",
    ),
    "NaN": (READY + "print('{\"src\": \"' + me + '\", \"dest\": \"n0\", \"body\": {\"x\": NaN}}', flush=True)\n"
            "sys.stdin.read()", "which is not a message"),
    "a long line": (READY + "sys.stdout.write('x' * 17_000_000); sys.stdout.flush(); sys.stdin.read()",
                    "printed a line of more than 16 MB"),
    "killed by a signal": (READY + "os.kill(os.getpid(), 11)\nsys.stdin.read()", "was ended by the signal SIGSEGV"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_program_ends_the_run_with_a_sentence(carry_out, script, name):
    text, sentence = BROKEN[name]
    run = carry_out(planned(*script(text), workload="echo"))
    assert (run.stopped, run.found.exit_code) == ("error", 1)
    assert sentence in run.error
    assert run.error[0] == "n"  # it begins with the process
    assert "\n" not in run.error


def test_a_silent_program_is_named_after_the_time_for_init(carry_out, script):
    run = carry_out(planned(*script("import sys\nsys.stdin.read()"), workload="echo", startup=300))
    assert "did not answer init with init_ok within 300 ms" in run.error


def test_a_program_that_answers_only_init_fails_the_checks(carry_out, script):
    run = carry_out(planned(*script(READY + "sys.stdin.read()"), workload="echo", timeout=100))
    assert run.error is None
    assert [each.holds for each in run.checks] == [False, True]
    assert "had no reply" in run.checks[0].why


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")
def test_a_program_that_starts_many_processes_is_ended(carry_out, script):
    text = READY + "for i in range(150): subprocess.Popen(['sleep', '1000'])\nsys.stdin.read()"
    run = carry_out(planned(*script(text), workload="echo", network="ring:3", duration=60_000))
    assert "started too many processes and was ended" in run.error


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_process_that_has_left_its_session_is_ended_too(carry_out, script, tmp_path):
    text = (
        READY
        + f"""
child = subprocess.Popen(['sleep', '1000'], start_new_session=True)
open({str(tmp_path)!r} + '/' + me, 'w').write(str(child.pid))
send(m['src'], type='echo_ok', echo=m['body']['echo'], in_reply_to=m['body']['msg_id'])
for l in sys.stdin: pass
"""
    )
    carry_out(planned(*script(text), workload="echo", timeout=100))  # the fixture looks for it
    assert {path.name for path in tmp_path.iterdir()} >= {"n0", "n1", "n2"}
    assert [name for name in ("n0", "n1", "n2") if _runs(int((tmp_path / name).read_text()))] == []


def _runs(number):
    """Return True if a process still has memory; one that is ending has none any more."""
    try:
        return bool(Path(f"/proc/{number}/environ").read_bytes())
    except OSError:
        return False


def test_an_interruption_ends_the_run_and_keeps_the_record(carry_out):
    async def stop(run):
        while run.recording.messages < 20:
            await asyncio.sleep(0.01)
        run.stop()

    run = carry_out(right("echo", duration=600_000), stop)
    assert run.stopped == "cancelled"
    assert len(run.found.trace) >= 20


def test_the_largest_number_of_events_ends_the_run(carry_out):
    run = carry_out(right("broadcast", duration=600_000, events=200))
    assert run.stopped == "limit"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("", "the command is empty"),
        ('"./x', "a quotation mark is missing"),
        ("no-such-program-anywhere", "no program of this name was found"),
        ("./no-such-file", "there is no such file"),
        ("./folder", "is a folder"),
        ("./plain.py", 'is not executable; allow it with "chmod +x ./plain.py" or write "python3 ./plain.py"'),
        ("plain.py", 'is not executable; allow it with "chmod +x plain.py"'),
    ],
)
def test_a_command_that_cannot_be_started_is_refused(tmp_path, monkeypatch, command, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain.py").write_text("")
    with pytest.raises(BadInput) as error:
        command_of(command)
    assert sentence in str(error.value)


def test_a_command_is_kept_as_it_was_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    (tmp_path / "mine").chmod(0o755)
    assert command_of("./mine 'two words'") == ("./mine", "two words")
    assert command_of("mine") == ("./mine",)


def test_nothing_has_the_mark_of_a_run_that_never_was():
    assert leftovers("no such run") == []
