"""Linters, formatters, type checkers and test runners; the sums of tests are read by `run_totals`."""

from __future__ import annotations

from .sign import KnownTool, failure, state, success

CHECKS = (
    KnownTool("ruff", ("ruff",), (
        failure("Found ", r"^Found ([1-9]\d*) errors?(?: \(|\.|$)", "failed ({0} errors)"),
        failure("Would reformat", r"^([1-9]\d*) files? would be reformatted", "failed ({0} files would be reformatted)"),
        failure("ruff failed", r"^ruff failed$", "failed"),
        success("All checks passed", r"^All checks passed!", "all checks passed"),
        success("reformatted", r"^(\d+ files? reformatted)", "{0}"),
        success("already formatted", r"^(\d+ files? already formatted)", "{0}"),
        success("left unchanged", r"^(\d+ files? left unchanged)", "{0}"),
    )),
    KnownTool("mypy", ("mypy", "dmypy"), (
        failure("Found ", r"^Found ([1-9]\d*) errors? in ([1-9]\d*) files?", "failed ({0} errors in {1} files)"),
        success("Success:", r"^Success: no issues found in (\d+) source files?", "no issues in {0} files"),
    )),
    KnownTool("pyright", ("pyright", "basedpyright"), (
        failure("errors,", r"^([1-9]\d*) errors?, \d+ warnings?", "failed ({0} errors)"),
        success("0 errors,", r"^0 errors, (\d+ warnings?)", "0 errors, {0}"),
    )),
    KnownTool("flake8", ("flake8", "pycodestyle", "pydocstyle"), (
        failure(":", r"^\S{1,160}\.pyi?:\d+:\d+: [A-Z]\d{3} ", "failed ({n} issues)"),
    ), in_scripts=False),
    KnownTool("pylint", ("pylint",), (
        state("rated at", r"^Your code has been rated at (-?[\d.]{1,8}/10)", "rated {0}"),
    )),
    KnownTool("black", ("black",), (
        failure("would be reformatted", r"^([1-9]\d*) files? would be reformatted", "failed ({0} files would be reformatted)"),
        failure("error: cannot format", r"^error: cannot format (\S{1,160}):", "failed (cannot format {0})"),
        success("reformatted", r"^(\d+ files? reformatted)", "{0}"),
        success("left unchanged", r"^(\d+ files? left unchanged)", "{0}"),
    )),
    KnownTool("isort", ("isort",), (
        failure("incorrectly sorted", r"^ERROR: \S{1,160} Imports are incorrectly sorted", "failed ({n} files incorrectly sorted)"),
    )),
    KnownTool("import-linter", ("lint-imports",), (
        failure(" broken.", r"^Contracts: \d+ kept, ([1-9]\d*) broken\.", "failed ({0} contracts broken)"),
        success(" broken.", r"^Contracts: (\d+) kept, 0 broken\.", "{0} contracts kept"),
    )),
    KnownTool("bandit", ("bandit",), (
        failure("Total issues", r"^\s{0,8}High: ([1-9]\d*)$", "failed ({0} of high severity)"),
        success("No issues identified", r"^\s{0,8}No issues identified\.", "no issues"),
    )),
    KnownTool("eslint", ("eslint", "next lint", "oxlint", "standard", "xo"), (
        failure("problem", r"^\s{0,4}✖ ([1-9]\d*) problems? \(([1-9]\d*) errors?", "failed ({1} errors)"),
        state("problem", r"^\s{0,4}✖ \d+ problems? \(0 errors, (\d+ warnings?)\)", "{0}"),
        failure("Oops!", r"^Oops! Something went wrong!", "failed (could not run)"),
        success("No ESLint warnings", r"^✔ No ESLint warnings or errors", "no issues"),
    )),
    KnownTool("biome", ("biome",), (
        failure("Found ", r"^Found ([1-9]\d*) errors?\.", "failed ({0} errors)"),
        success("Checked ", r"^Checked (\d+ files?) in \S{1,20} (?:ms|s|µs)?\.? ?No fixes", "{0} checked"),
    )),
    KnownTool("prettier", ("prettier",), (
        failure("Code style issues", r"^\[warn\] Code style issues (?:found in ([1-9]\d*) files|were found|found in the above file)", "failed (style issues)"),
        success("All matched files", r"^All matched files use Prettier code style", "all formatted"),
    )),
    KnownTool("stylelint", ("stylelint",), (
        failure("problem", r"^\s{0,4}[✖×] ([1-9]\d*) problems?", "failed ({0} problems)"),
    )),
    KnownTool("tsc", ("tsc", "vue-tsc"), (
        failure("Found ", r"^Found ([1-9]\d*) errors?(?: in|\.)", "failed ({0} errors)"),
        failure("error TS", r"^\S{1,200}[(:]\d+[,:]\d+\)?(?::| -) error TS\d+:", "failed ({n} errors)"),
        failure("error TS", r"^error TS\d+:", "failed ({n} errors)"),
        success("Found 0 errors", r"^.{0,60}Found 0 errors\.", "0 errors"),
    )),
    KnownTool("golangci-lint", ("golangci-lint",), (
        failure("issue", r"^(?:\[[^\]\n]{1,40}\] )?([1-9]\d*) issues?:$", "failed ({0} issues)"),
        failure("can't load", r"^level=error msg=\"", "failed"),
        success("0 issues", r"^(?:\[[^\]\n]{1,40}\] )?(0 issues)\.", "{0}"),
    )),
    KnownTool("gofmt", ("gofmt -l", "goimports -l"), (
        failure(".go", r"^\S{1,200}\.go$", "{n} files not formatted"),
    ), in_scripts=False),
    KnownTool("go vet", ("go vet", "staticcheck"), (
        failure(".go:", r"^(?:vet: )?\S{1,200}\.go:\d+:\d+: \S", "failed ({n} issues)"),
    ), in_scripts=False),
    KnownTool("clippy", ("cargo clippy",), (
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`.{0,60}due to ([1-9]\d*) previous errors?", "failed ({1} errors)"),
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`", "failed"),
        state("generated", r"^warning: `[^`\n]{1,80}` \([^)\n]{1,40}\) generated (\d+ warnings?)", "{0}"),
        success("Finished", r"^\s{0,8}Finished `?\w{1,40}`? (?:profile )?\[", "no issues"),
    )),
    KnownTool("rustfmt", ("cargo fmt", "rustfmt"), (
        failure("Diff in", r"^Diff in ", "failed ({n} places not formatted)"),
    )),
    KnownTool("rubocop", ("rubocop", "standardrb"), (
        failure("offense", r"^\d+ files? inspected, ([1-9]\d*) offenses?", "failed ({0} offenses)"),
        success("no offenses", r"^(\d+ files?) inspected, no offenses", "no offenses in {0}"),
    )),
    KnownTool("phpstan", ("phpstan", "psalm"), (
        failure("[ERROR] Found", r"^\s{0,4}\[ERROR\] Found ([1-9]\d*) errors?", "failed ({0} errors)"),
        success("[OK] No errors", r"^\s{0,4}\[OK\] No errors", "no errors"),
    )),
    KnownTool("shellcheck", ("shellcheck",), (
        failure("In ", r"^In \S{1,200} line \d+:$", "failed ({n} issues)"),
    )),
    KnownTool("swiftlint", ("swiftlint",), (
        failure("violation", r"^Done linting! Found ([1-9]\d*) violations?", "failed ({0} violations)"),
        success("violation", r"^Done linting! Found 0 violations", "0 violations"),
    )),
    KnownTool("ktlint", ("ktlint", "detekt"), (
        failure("weighted issues", r"^.{0,80}Analysis failed with ([1-9]\d*) weighted issues", "failed ({0} issues)"),
    )),
    KnownTool("pre-commit", ("pre-commit", "prek"), (
        failure("Failed", r"^([^\n]{1,60}?)\.{3,79}(?:\(no files to check\))?Failed$", "failed ({0})"),
        success("Passed", r"^[^\n]{1,60}?\.{3,79}Passed$", "{n} hooks passed"),
    )),
    KnownTool("markdownlint", ("markdownlint", "markdownlint-cli2"), (
        failure("Summary:", r"^Summary: ([1-9]\d*) error", "failed ({0} errors)"),
        success("Summary:", r"^Summary: 0 error", "0 errors"),
    )),
    KnownTool("pytest", ("pytest", "py.test"), (
        failure("no tests ran", r"^[= ]{0,80}no tests ran\b", "no tests ran"),
        failure("during collection", r"^!{1,40} Interrupted: ([1-9]\d*) errors? during collection", "failed ({0} errors during collection)"),
        failure("INTERNALERROR>", r"^INTERNALERROR> ", "failed (internal error)"),
        failure("ERROR: ", r"^ERROR: (?:file or directory not found|not found): (\S{1,120})", "failed (not found: {0})"),
        failure("ERROR: usage:", r"^ERROR: usage: ", "wrong usage"),
        failure("ImportError while loading", r"^ImportError while loading conftest '([^'\n]{1,160})'", "failed (conftest can't be loaded)"),
    )),
    KnownTool("unittest", ("unittest", "python -m unittest", "manage.py test"), (
        failure("FAILED (", r"^FAILED \((?:failures|errors)=\d+", ""),
        success("OK", r"^OK(?: \(skipped=\d+\))?$", ""),
    )),
    KnownTool("jest", ("jest", "react-scripts test"), (
        failure("Test Suites:", r"^Test Suites: (?:\d+ skipped, )?([1-9]\d*) failed", "failed ({0} suites)"),
        failure("No tests found", r"^No tests found, exiting with code 1", "no tests found"),
    )),
    KnownTool("vitest", ("vitest",), (
        failure("Test Files", r"^\s{0,8}Test Files\s{1,8}([1-9]\d*) failed", "failed ({0} files)"),
        failure("No test files found", r"^No test files found, exiting with code 1", "no test files found"),
    )),
    KnownTool("mocha", ("mocha", "ava", "tap", "node --test"), (
        failure("not ok", r"^not ok \d+ - (.{1,80})$", "failed ({0})"),
    ), in_scripts=False),
    KnownTool("playwright", ("playwright", "cypress"), (
        failure("Executable doesn't exist", r"^.{0,60}Executable doesn't exist at", "failed (browsers are not installed)"),
        failure("failed (", r"^\s{0,4}✖\s{1,4}([1-9]\d*) of \d+ failed", "failed ({0} specs)"),
    )),
    KnownTool("go test", ("go test", "gotestsum"), (
        failure("[build failed]", r"^FAIL\s{1,4}(\S{1,160}) \[build failed\]", "build failed ({0})"),
        failure("[setup failed]", r"^FAIL\s{1,4}(\S{1,160}) \[setup failed\]", "setup failed ({0})"),
        failure("panic: ", r"^panic: test timed out after (\S{1,12})", "timed out after {0}"),
        failure("panic: ", r"^panic: (.{1,80})", "panic: {0}"),
        failure("DATA RACE", r"^WARNING: DATA RACE$", "data race"),
        failure("FAIL", r"^FAIL$", "failed"),
        state("no tests to run", r"^testing: warning: no tests to run", "no tests to run"),
    )),
    KnownTool("cargo test", ("cargo test", "cargo nextest"), (
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`.{0,60}due to ([1-9]\d*) previous errors?", "failed (does not compile: {1} errors)"),
        failure("could not compile", r"^error: could not compile `([^`\n]{1,80})`", "failed (does not compile)"),
        failure("error: test failed", r"^error: test failed, to rerun pass", "failed"),
    )),
    KnownTool("rspec", ("rspec", "rails test", "rake test", "rake spec"), (
        failure("error occurred outside", r"^\d+ examples?, \d+ failures?, ([1-9]\d*) errors? occurred outside of examples", "failed ({0} errors outside of examples)"),
    )),
    KnownTool("phpunit", ("phpunit", "pest", "artisan test"), (
        failure("FAILURES!", r"^FAILURES!$", ""),
        failure("ERRORS!", r"^ERRORS!$", ""),
        state("No tests executed", r"^No tests executed!", "no tests executed"),
    )),
    KnownTool("ctest", ("ctest",), (
        failure("tests failed out of", r"^\d+% tests passed, ([1-9]\d*) tests? failed out of ([1-9]\d*)", "{0} of {1} failed"),
        success("tests failed out of", r"^100% tests passed, 0 tests failed out of (\d+)", "{0} passed"),
    )),
    KnownTool("tox", ("tox", "nox"), (
        failure("FAIL", r"^\s{0,4}(\S{1,40}): FAIL code ([1-9]\d*)", "failed ({0})"),
        failure("failed.", r"^nox > Session (\S{1,60}) failed\.", "failed ({0})"),
        success("congratulations", r"^\s{0,4}congratulations :\)", "all environments passed"),
        success("was successful", r"^nox > Session (\S{1,60}) was successful", "{n} sessions passed"),
    )),
)  # fmt: skip
