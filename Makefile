# `make run` and `make test` are all that a newcomer needs; `make help` lists the other targets.
#
#   make run PYTHON=python3.12             uses another Python (3.11, 3.12 or 3.13)
#   make run ARGS="run two-wings --json"   passes arguments to the command line

PYTHON ?= python3
ARGS ?=
BIN = .venv/bin

.DEFAULT_GOAL := help
.PHONY: help deps venv run test test-all bench lint format languages lock pictures site clean

help:
	@echo "make run     installs what is missing, all but Spark, and opens LYDIAN (without a display: draws the views)"
	@echo "make test    installs what is missing and runs the tests, with real windows on Qt's offscreen platform"
	@echo "make test-all  also runs the tests that take long or repeat a check on every system"
	@echo "make deps    lists missing system libraries with reasons, and installs them"
	@echo "make venv    also creates .venv with everything, including Spark and its Java"
	@echo "make bench   runs the benchmarks and shows their ratios"
	@echo "make lint    runs ruff and mypy       make format  formats the code with ruff"
	@echo "make pictures  redraws the guide's pictures from real windows"
	@echo "make languages  collects the texts of the window and compiles their translations"
	@echo "make site    builds the guide as a static site with twenty playable algorithms, in build/site"
	@echo "make lock    updates requirements.lock   make clean   removes everything that was built"

deps:
	@PYTHON="$(PYTHON)" sh scripts/deps.sh

venv:
	@PYTHON="$(PYTHON)" sh scripts/deps.sh --first
	@$(PYTHON) scripts/setup.py

run:
	@PYTHON="$(PYTHON)" sh scripts/deps.sh --first
	@$(PYTHON) scripts/setup.py --run
	@$(BIN)/lydian $(ARGS)

test: venv
	$(BIN)/python -m pytest -n auto --dist loadfile $(ARGS)

test-all: venv
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-all} $(BIN)/python -m pytest -n auto --dist loadfile -m "" $(ARGS)

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

languages: venv
	$(BIN)/python scripts/languages.py $(ARGS)

lock:
	@$(PYTHON) scripts/lock.py $(ARGS)

clean:
	rm -rf .venv build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
