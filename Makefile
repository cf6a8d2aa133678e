# Every target sets up what it needs: a virtual environment in .venv, by plain pip, from the lock.
# A machine with Python 3.11 or newer, make and git is enough.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

MINUTES ?= 8
DATA ?= ../shared/data

# Python keeps what it has compiled, also where the environment says no: the tests start it often.
# One process more than there are cores: some tests wait for programs that they have started.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$(( (n > 4 ? 4 : n) + 1 ))) --dist worksteal

.PHONY: help demo test test-fast test-kernels lint docs bench fuzz lock games model clean

help:
	@echo "make demo       the first minute with Katachi"
	@echo "make test       all tests (about 6 minutes on 2 cores)"
	@echo "make test-fast  the tests that are not marked slow (70 s on 2 cores)"
	@echo "make lint       ruff, mypy, import-linter"
	@echo "make docs       the docs as a site, in build/site"
	@echo "make bench      speed, beside the same algorithms in C"
	@echo "make fuzz       random and damaged input for all readers, MINUTES=8 of it"
	@echo "make lock       write requirements.lock anew from the newest releases"
	@echo "make model      make the model that comes with Katachi anew from the packs in DATA (about an hour)"
	@echo "make games      make the bundled games anew (needs GNU Go, about 40 minutes)"

$(READY): pyproject.toml requirements.lock
	@echo "setting up $(VENV) (the first time this takes a minute or two)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python tools/lock.py install
	@touch $@

demo: $(READY)
	@$(BIN)/katachi warm demo
	@$(BIN)/katachi demo

test: test-kernels
	@$(PYTEST)

test-fast: test-kernels
	@$(PYTEST) -m "not slow"

test-kernels: $(READY)
	@KATACHI_CACHE_DIR=$(CURDIR)/build/test-cache $(BIN)/katachi warm

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

docs: $(READY)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open build/site/index.html"

bench: $(READY)
	@$(BIN)/python -m bench

fuzz: $(READY)
	@$(BIN)/python -m fuzz --minutes $(MINUTES)

lock:
	@rm -rf build/lock && $(PYTHON) -m venv build/lock
	@build/lock/bin/python tools/lock.py write

games: $(READY)
	@$(BIN)/python tools/make_games.py

model: $(READY)
	@$(BIN)/python -m tools.model --data $(DATA)

clean:
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
