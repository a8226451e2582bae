# make demo   sets up and shows what memory is for
# make test   sets up and passes all tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready

.PHONY: demo test browser pictures check faults fuzz hooks writers pgbouncer speed scale service truth quality ranking clean
.DEFAULT_GOAL := test

# What a user gets; all that the demo needs.
$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "Recollect needs Python 3.10 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

# What the tests need besides: SDKs, servers, a browser's driver.
$(READY): $(INSTALLED)
	$(PIP) --editable '.[dev]'
	@touch $@

demo: $(INSTALLED)
	$(BIN)/recollect demo

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check browser
	$(BIN)/python -m pytest -n auto -m "not slow"

# The browser of the tests: Debian's, or any that RECOLLECT_CHROMIUM names. Without one those tests say what is missing.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  test -n "$$RECOLLECT_CHROMIUM" || \
	  { apt-get update -q >/dev/null 2>&1; apt-get install -y -q chromium >/dev/null 2>&1; } || \
	  echo "No Chromium, and none can be installed here: apt-get install chromium, or set RECOLLECT_CHROMIUM."

# Pictures of the inspector, for the docs.
pictures: $(READY) browser
	$(BIN)/python -m tests.inspector.pictures

# Long fault runs, left out of `make test`, which has a short version of each.
faults: $(READY)
	$(BIN)/python -m pytest -m slow

# Generated requests at every route of a real server; `make test` makes 2,000 of them.
fuzz: $(READY)
	RECOLLECT_FUZZ=$${RECOLLECT_FUZZ:-50000} $(BIN)/python -m pytest tests/server/test_fuzz.py --timeout 7200

# Load on the service, as ratios within one run; writes docs/service.md.
service: $(READY)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/service.py --write

# The contract of stores through pgbouncer in transaction mode; Debian's, or any that is on the path.
pgbouncer: $(READY)
	@command -v pgbouncer >/dev/null || test -x /usr/sbin/pgbouncer || \
	  { apt-get update -q >/dev/null 2>&1; apt-get install -y -q pgbouncer >/dev/null 2>&1; } || \
	  echo "No pgbouncer, and none can be installed here: apt-get install pgbouncer."
	$(BIN)/python -m pytest -m slow tests/store/test_poolers.py

# What a coding agent waits for when it runs a hook, on a store of 10,000 facts.
hooks: $(READY)
	$(BIN)/python benchmarks/hooks.py

# How long two and eight processes wait to write to one file.
writers: $(READY)
	$(BIN)/python benchmarks/writers.py

speed: $(READY)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/speed.py

# 1,000 owners and one large one on both stores; writes docs/scale.md and its plot. Takes a quarter of an hour.
scale: $(READY)
	$(PIP) --editable '.[bench]'
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/scale.py --write

# Needs the public data sets (RECOLLECT_DATA, or ../shared/data); writes docs/truth.md and its plot.
truth: $(READY)
	$(PIP) --editable '.[bench]'
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/truth.py --write

# The same data; writes docs/quality.md and its plots.
quality: $(READY)
	$(PIP) --editable '.[bench]'
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/quality.py --write

# What comes first, when nothing comes, what names and notes cost; a few minutes.
ranking: $(READY)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/ranking.py

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
