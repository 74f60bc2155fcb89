# Every command of the project. `make` alone lists them; .venv is built when a target needs it.
PYTHON ?= python3
OUT    ?= attention-lab.html
IMAGE  ?= attention-lessons

BIN   := .venv/bin
# Touched when the install has succeeded, so that one cut short starts again.
READY := .venv/.ready
HOSTS := .venv/.hosts

.DEFAULT_GOAL := help
.PHONY: help serve test test-hosts check export bench load static-load soak nightly audit image clean

help:  ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

serve: $(READY)  ## Open the lessons at the address it prints (PORT=5006, ARGS='--workers 2')
	@$(BIN)/python -m app serve $(if $(PORT),--port $(PORT)) $(ARGS)

test: $(READY)  ## Everything that must pass: style, types, lessons, tests in a browser
	@$(BIN)/python tools/browser.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m app check
	$(BIN)/python -m pytest -m 'not hosts' -n 2 --dist worksteal $(ARGS)

test-hosts: $(HOSTS)  ## The tests that need other real programs (marked `hosts`)
	@$(BIN)/python tools/browser.py
	@$(BIN)/python tools/programs.py
	$(BIN)/python -m pytest -m hosts $(ARGS)

check: $(READY)  ## Check that every lesson parses, links and names real figures
	@$(BIN)/python -m app check $(ARGS)

export: $(READY)  ## Write one self-contained HTML file (OUT=attention-lab.html, ARGS="--state 'd_k=64'")
	@$(BIN)/python -m app export $(OUT) $(ARGS)

bench: $(READY)  ## Measure, beside the plain ways of doing the same, and print the table
	@$(BIN)/python -m bench $(ARGS)

audit: $(READY)  ## Ask for known holes in the pinned packages; needs the network (ARGS='-s osv' asks OSV)
	@$(BIN)/python -m venv .venv/audit
	@.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	.venv/audit/bin/pip-audit --strict --no-deps --disable-pip --progress-spinner off -r constraints.txt $(ARGS)

load: $(READY)  ## Let a class of 300 use one server for 6 minutes (ARGS='--learners 60 --arrive-s 12 --stay-s 30')
	@$(BIN)/python -m bench.load $(ARGS)

static-load: $(READY)  ## The static site through nginx, beside the server
	@$(BIN)/python -m bench.static_site $(ARGS)

nightly: $(READY)  ## Tens of thousands of bad inputs, other ones each time (ARGS='-k lesson')
	@$(BIN)/python tools/browser.py
	NIGHTLY=1 $(BIN)/python -m pytest -n 2 --dist worksteal tests/fuzz tests/ui/test_fuzz_*.py $(ARGS)

soak: $(READY)  ## An hour of random use: do server and page grow? (ARGS='--minutes 5')
	@$(BIN)/python -m bench.soak $(ARGS)

image:  ## Build the container image (IMAGE=attention-lessons, ARGS= for docker build)
	docker build $(ARGS) -t $(IMAGE) .

clean:  ## Remove .venv, caches and build output
	rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "make: '$(PYTHON)' is not Python 3.11 or newer. Install one, or name it: make PYTHON=python3.12" >&2; exit 2; }
	@echo "Setting up .venv (once; it takes a minute or two) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(HOSTS): $(READY)
	@echo "Adding the programs that figures are tested in (once; it takes a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,hosts]'
	@touch $@
