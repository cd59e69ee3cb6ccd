"""What marked tests write down, of which the table in docs/promises.md is made."""

import json
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.places import ROOT
from tests.promises import PROMISES

pytest_plugins = "pytester"


@pytest.fixture(autouse=True)
def _without_plugins_of_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load no plugin that comes with a package of an extra: it can't be imported here."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


TESTS = """
    import pytest
    from tests.promises import promise

    @promise("power-cut")
    @promise("purge-final")
    def test_with_figures(tally):
        tally(tried=3, lost=1)
        tally(tried=2)

    @promise("power-cut")
    @pytest.mark.parametrize("by", [1, 2])
    def test_that_fails(by, tally):
        tally.random()
        assert by == 1

    @pytest.fixture
    def unsound():
        yield
        raise AssertionError

    @promise("undo-exact")
    def test_whose_store_is_unsound(unsound): ...

    @promise("undo-exact")
    @pytest.mark.skip
    def test_left_out(): ...

    def test_without_a_promise(): ...
"""


@pytest.fixture
def lines(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What a run of `TESTS` wrote down."""
    path = pytester.path / "promises.jsonl"
    monkeypatch.setenv("MEMTUI_PROMISES", str(path))
    run(pytester, TESTS)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def run(pytester: pytest.Pytester, tests: str) -> pytest.RunResult:
    pytester.makepyfile(test_some=textwrap.dedent(tests))
    pytester.makeini("[pytest]\nmarkers =\n  promise: a\n  long: b\n")
    others = [f"-pno:{name}" for name in ("asyncio", "textual-snapshot", "xdist")]
    return pytester.runpytest("-ptests.promises", *others)


def test_a_test_adds_its_tallies_to_each_of_its_promises(lines: list[dict[str, Any]]) -> None:
    found = [line for line in lines if "figures" in line["test"]]
    assert [line["promise"] for line in found] == ["power-cut", "purge-final"]
    assert all(line["counts"] == {"tried": 5, "lost": 1} for line in found)
    assert all(line["outcome"] == "passed" for line in found)


def test_a_failure_is_written_down_with_its_seed(lines: list[dict[str, Any]]) -> None:
    found = {line["test"]: line for line in lines if "fails" in line["test"]}
    assert [line["outcome"] for line in found.values()] == ["passed", "failed"]
    assert all(isinstance(line["seed"], int) for line in found.values())


def test_what_a_fixture_finds_at_the_end_is_a_failure(lines: list[dict[str, Any]]) -> None:
    outcomes = [line["outcome"] for line in lines if line["promise"] == "undo-exact"]
    assert outcomes == ["failed", "skipped"]


def test_a_mark_of_an_unknown_promise_is_refused(pytester: pytest.Pytester) -> None:
    result = run(pytester, "import pytest\n@pytest.mark.promise('no-such')\ndef test_it(): ...\n")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*'no-such' is none of the promises in tests/promises.py"])


def test_each_promise_has_a_test() -> None:
    marks = re.compile(r'@?promise\("([a-z-]+)"\)')
    files = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    proven = {name for path in files for name in marks.findall(path.read_text("utf-8"))}
    assert proven == set(PROMISES)
