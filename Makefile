# Everything a developer runs. Needs Python 3.11 or newer and pip; no key, no Docker, no root.

PYTHON ?= python3
BIN := .venv/bin
# Set-up runs again when the lock or the packaging changes, by content: a checkout sets new times on old files.
STAMP := .venv/.installed-$(firstword $(shell cat requirements.lock pyproject.toml | cksum))

.DEFAULT_GOAL := help
.PHONY: help demo test check prove bench ner lock

help:  ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-7s %s\n", $$1, $$2}' Makefile

demo: $(STAMP)  ## Start Postgres and the server with the demo CRM on 127.0.0.1:8000
	$(BIN)/velo demo

test: $(STAMP)  ## All tests
	$(BIN)/python -m pytest -q

check: $(STAMP)  ## Style, types, layers
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

prove: $(STAMP)  ## The long runs: all twins, all mutants, all kills; figures into docs/proof.md
	$(BIN)/python -m pytest -q --prove

bench: $(STAMP)  ## How fast Velo is: the veil, turns, streams; BENCH_CONTACTS=1000000 for a million, BENCH_CORPUS for how much it finds
	$(BIN)/python -m bench

ner: $(STAMP)  ## Install the optional model for names of people whom no CRM knows (VELO_NER=on switches it on)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-ner.lock
	$(BIN)/python -m pip check

LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

lock:  ## Write the locks anew from pyproject.toml (needs uv: pip install uv)
	$(LOCK) --group dev --output-file requirements.lock
	$(LOCK) --extra ner --constraint requirements.lock --output-file requirements-ner.lock
	$(LOCK) --constraint requirements.lock --output-file requirements-serve.lock

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Velo needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	@echo "Installing (about a minute) …"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m pip check
	@rm -f .venv/.installed-*
	@touch $(STAMP)
