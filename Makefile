# `make run` and `make test` are all that a newcomer needs; `make help` lists the rest.
#
#   make run PYTHON=python3.12             with another Python (3.11, 3.12 or 3.13)
#   make run ARGS="run two-wings --json"   hands words to the command line

PYTHON ?= python3
ARGS ?=
BIN = .venv/bin

.DEFAULT_GOAL := help
.PHONY: help deps venv run test test-all bench lint format lock pictures site clean

help:
	@echo "make run     sets up what is missing and opens LYDIAN (without a display: renders the five views)"
	@echo "make test    sets up what is missing and runs the tests, with real windows on Qt's offscreen platform"
	@echo "make test-all  all tests: also those that take long or repeat a check on every system"
	@echo "make deps    only the system libraries: names what is missing and why, and installs it"
	@echo "make venv    the same, and .venv with everything, Spark and its Java included"
	@echo "make bench   the benchmarks, with their ratios"
	@echo "make lint    ruff and mypy            make format  ruff's layout"
	@echo "make pictures  the guide's pictures anew, from real windows"
	@echo "make site    the guide as a static site, with twenty algorithms that play, into build/site"
	@echo "make lock    requirements.lock anew   make clean   removes what was built"

deps:
	@PYTHON="$(PYTHON)" sh scripts/deps.sh

venv:
	@PYTHON="$(PYTHON)" sh scripts/deps.sh --first
	@$(PYTHON) scripts/setup.py

run: venv
	@$(BIN)/lydian $(ARGS)

test: venv
	$(BIN)/python -m pytest -n logical --dist loadfile $(ARGS)

test-all: venv
	$(BIN)/python -m pytest -n logical --dist loadfile -m "" $(ARGS)

bench: venv
	$(BIN)/python -m pytest tests/benchmarks -q -s $(ARGS)

lint: venv
	$(BIN)/ruff check .
	$(BIN)/mypy

format: venv
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pictures: venv
	$(BIN)/python scripts/pictures.py $(ARGS)

site: venv
	$(BIN)/python scripts/website.py

lock:
	@$(PYTHON) scripts/lock.py $(ARGS)

clean:
	rm -rf .venv build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
