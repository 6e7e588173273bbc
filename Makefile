# Works in any folder, also one with spaces in its name: every path here is relative, and the
# tools in .venv are started as modules, never by scripts that have the folder's name inside.

PYTHON ?= python3
# Test processes: a number, or auto for one on every core.
JOBS ?= auto
# More arguments for pytest, such as PYTEST_ARGS="-k ambulances -x".
PYTEST_ARGS ?=
# Arguments for random problems: --count N, --seed N, --jobs N.
FUZZ_ARGS ?=
# The tests that are run for it.
COVERED_BY := tests/terms tests/model tests/spec tests/engine tests/kernel tests/certificates tests/test_examples.py \
	tests/test_cli.py $(patsubst %,dpcomp_sym/%,model spec terms engine statements algebra \
	kernel replay)
# Which mutants of the kernel: files, or --in-turn for those whose turn it is, as in CI.
KERNEL_ARGS ?=
# Which mutants of the engine: files, --count N, --seed N, --jobs N.
MUTATE_ARGS ?= --count 200
# Arguments for the benchmarks: topics, --json F, --plots FOLDER.
BENCH_ARGS ?=

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet

# The package is installed for real, so it is installed anew when one of its files has changed,
# come or gone, and only then: the fingerprint is over names and contents.
FINGERPRINT := $(shell find pyproject.toml README.md LICENSE dpcomp_sym rocq theorems \
	-name __pycache__ -prune -o -type f -exec cksum {} + | LC_ALL=C sort | cksum | cut -d ' ' -f 1)
INSTALLED := $(VENV)/.installed-$(FINGERPRINT)
INSTALLED_FOR_TESTS := $(VENV)/.installed-for-tests-$(FINGERPRINT)
INSTALLED_FOR_BENCHMARKS := $(VENV)/.installed-for-benchmarks-$(FINGERPRINT)
INSTALLED_FOR_DOCS := $(VENV)/.installed-for-docs-$(FINGERPRINT)

.PHONY: help demo test test-long test-slow test-reports test-rocq mutants mutants-writers mutate-engine coverage fuzz structured reproducible lint format bench index docs docs-tools dist clean

help:
	@echo "make demo       derive one example and print it"
	@echo "make test       run the tests: about ten minutes on two cores"
	@echo "make test-long  run the many random comparisons that make test only begins"
	@echo "make test-slow  run the tests that take minutes"
	@echo "make mutants    break the kernel in small ways; its tests must notice each"
	@echo "make mutants-writers  the same for what writes and computes expressions"
	@echo "make mutate-engine  the same for the engine, all of it or a sample"
	@echo "make coverage   the branches of language, engine, kernel and replay: tests take 95 % of each"
	@echo "make fuzz       random problems through the whole program, for as long as you like"
	@echo "make structured  5,000 random problems with structured blocks against all neighbours"
	@echo "make reproducible  compare what is written with every Python, and every seed of its hashes"
	@echo "make test-reports  compile the reports with TeX, and show them in a browser"
	@echo "make test-rocq  have coqc check the library, the examples, and that wrong ones are rejected"
	@echo "make lint       check style and types"
	@echo "make format     set the sources in the project's style"
	@echo "make bench      print the benchmark table"
	@echo "make docs       build the documentation into site/"
	@echo "make index      write the index of the theorem library anew"
	@echo "make dist       build the wheel into dist/"
	@echo "make clean      remove everything that these commands made"

# -P keeps the folder off the import path, so that the installed package runs, not the sources.
demo: $(INSTALLED)
	@$(PY) -P -m dpcomp_sym derive examples/ambulances.toml

test: $(INSTALLED_FOR_TESTS)
	$(PY) -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

# One at a time, so that those which come first are run first.
test-long: $(INSTALLED_FOR_TESTS)
	$(PY) -m pytest -n $(JOBS) --dist load --maxschedchunk 1 -m long $(PYTEST_ARGS)

test-slow: $(INSTALLED_FOR_TESTS)
	$(PY) -m pytest -n $(JOBS) --dist worksteal -m slow $(PYTEST_ARGS)

mutants: $(INSTALLED_FOR_TESTS)
	$(PY) -m tests.kernel.mutants $(KERNEL_ARGS)

# What writes and shortens expressions, and exact numbers: tens of minutes.
mutants-writers: $(INSTALLED_FOR_TESTS)
	$(PY) -m tests.statements.mutants
	$(PY) -m tests.notions.mutants

# All of it takes hours: MUTATE_ARGS="profiler/cases.py --count 100 --seed 7".
mutate-engine: $(INSTALLED_FOR_TESTS)
	$(PY) -m tests.engine.mutants $(MUTATE_ARGS)

# The tests of the rest of the program and the comparison with enumeration are not needed for it.
coverage: $(INSTALLED_FOR_TESTS)
	$(PY) -m coverage run -m pytest $(COVERED_BY) $(PYTEST_ARGS)
	$(PY) -m coverage report --show-missing --skip-covered
	$(PY) -m tests.branches

# What disagrees is kept in tests/differential/corpus, which the tests run from then on.
fuzz: $(INSTALLED_FOR_TESTS)
	$(PY) -m tests.differential.campaign --program --keep $(FUZZ_ARGS)

# In CI: 5,000 random problems whose blocks have structure, both directions, 10 s at most for each.
structured: $(INSTALLED_FOR_TESTS)
	$(PY) -m tests.differential.campaign --structured --count 5000 --seconds 10

reproducible: $(VENV)/.created
	$(PY) tests/reproducible.py

# These need pdflatex, with texlive-latex-extra and texlive-publishers, and Chromium with its driver.
test-reports: $(INSTALLED_FOR_TESTS)
	$(PY) -m pytest -n $(JOBS) --dist worksteal -m "tex or browser" tests/report $(PYTEST_ARGS)

# These need coqc with its standard library: apt-get install coq libcoq-stdlib.
test-rocq: $(INSTALLED_FOR_TESTS)
	$(PY) -m pytest -n $(JOBS) --dist worksteal -m rocq tests/rocq $(PYTEST_ARGS)

lint: $(INSTALLED_FOR_TESTS)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: $(INSTALLED_FOR_TESTS)
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

bench: $(INSTALLED_FOR_BENCHMARKS)
	$(PY) benchmarks/run.py $(BENCH_ARGS)

dist: $(VENV)/.created
	rm -rf dist
	$(PIP) wheel --no-deps --wheel-dir dist .

index: $(INSTALLED_FOR_TESTS)
	$(PY) -c "from theorems._run import index_text; print(index_text(), end='')" > theorems/index.new
	mv theorems/index.new theorems/index.toml

docs-tools: $(INSTALLED_FOR_DOCS)

docs: $(INSTALLED_FOR_DOCS)
	$(PY) -m sphinx -W --keep-going -q -j auto -b html docs site

clean:
	rm -rf $(VENV) dist build site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 …")'
	@echo "Setting up $(VENV); the first time this takes about half a minute." >&2
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(INSTALLED): $(VENV)/.created
	@rm -f $(VENV)/.installed-*
	@$(PIP) install .
	@touch $@

$(INSTALLED_FOR_TESTS): $(VENV)/.created
	@rm -f $(VENV)/.installed-*
	@$(PIP) install ".[test,recheck,membership,cluster]"
	@touch $@ $(INSTALLED)

$(INSTALLED_FOR_DOCS): $(INSTALLED_FOR_TESTS)
	@$(PIP) install ".[docs]"
	@touch $@

$(INSTALLED_FOR_BENCHMARKS): $(INSTALLED_FOR_TESTS)
	@$(PIP) install ".[bench]"
	@touch $@
