# Two commands are all a fresh machine needs: `make run` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test test-long check format keys screenshots bench bench-quick promises clean

run: .venv/installed
	$(BIN)/memtui $(ARGS)

test: .venv/installed-dev
	$(BIN)/pytest $(ARGS)

# What takes longer: faults, kills and damages everywhere instead of somewhere, and many more examples.
test-long: .venv/installed-dev
	HYPOTHESIS_PROFILE=long $(BIN)/pytest -m "long or property" $(ARGS)

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The page of all keys, made of the bindings.
keys: .venv/installed
	$(BIN)/python -m memtui.tui.help > docs/keys.md

screenshots: .venv/installed-dev
	$(BIN)/python -m screenshots

bench: .venv/installed-dev
	$(BIN)/python -m bench $(ARGS)

# Counts that no machine changes, held against bench/quick/figures.json.
bench-quick: .venv/installed-dev
	$(BIN)/python -m bench.quick $(ARGS)

# Every test that proves a promise, the long ones too; its table is in docs/reliability.md.
promises: .venv/installed-dev
	$(BIN)/python -m bench.promises $(ARGS)

# Older pips write console scripts that import `re`: a third of what `mem add` costs.
.venv/installed: pyproject.toml | .dev/memtui/store .dev/memtui/tui
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

# Git keeps these links; an archive of the source doesn't.
.dev/memtui/store .dev/memtui/tui:
	ln -s ../../$(@F) $@

.venv/installed-dev: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
