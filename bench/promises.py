"""`python -m bench.promises`: run the tests that prove a promise, and write what came of it into
docs/promises.md.

    python -m bench.promises            the long tests too
    python -m bench.promises --short    those of `make test` only
    python -m bench.promises --from promises.jsonl    the table of a run that is already written down

It ends with 1 when a test failed, a promise has no test, or something was counted as a failure.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import apsw

from tests.promises import MARK, PROMISES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promises.md"
BEGIN, END = "<!-- made by `python -m bench.promises` -->", "<!-- end -->"


@dataclass(slots=True)
class Proof:
    """The outcomes of the tests of one promise, summed: tries, failures, seconds."""

    tests: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Outcomes by test, its parameters left out."""
    tried: int = 0
    failed: int = 0
    seconds: float = 0.0

    def add(self, line: dict[str, object]) -> None:
        """Add what one test wrote down; without a tally it is one try."""
        name, outcome = str(line["test"]).partition("[")[0], str(line["outcome"])
        self.tests[name][outcome] += 1
        self.seconds += float(str(line["seconds"]))
        if outcome == "skipped":
            return
        counts = line["counts"]
        assert isinstance(counts, dict)
        wrong = sum(number for what, number in counts.items() if what != "tried")
        self.tried += counts.get("tried", 1)
        self.failed += max(wrong, int(outcome == "failed"))


def main() -> int:
    """Run what was asked for, and put the table into the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.promises", description=__doc__)
    parser.add_argument("--short", action="store_true", help="leave the long tests out")
    parser.add_argument("--from", dest="file", type=Path, help="what a run wrote down before")
    chosen = parser.parse_args()
    if chosen.file:
        lines = read(chosen.file)
    else:
        with tempfile.TemporaryDirectory() as folder:
            lines = run(Path(folder) / "promises.jsonl", short=chosen.short)
    proofs = collect(lines)
    write_table(proofs, short=chosen.short)
    bad = [name for name in PROMISES if not proofs[name].tests or proofs[name].failed]
    print(f"{len(PROMISES) - len(bad)} of {len(PROMISES)} promises kept", *bad, sep="\n  ")
    return 1 if bad else 0


def run(path: Path, *, short: bool) -> list[dict[str, object]]:
    """Run the marked tests, and return what they wrote down."""
    environment = {**os.environ, "MEMTUI_PROMISES": str(path)}
    if not short:
        environment.setdefault("HYPOTHESIS_PROFILE", "long")
    chosen = f"{MARK} and not long" if short else MARK
    command = [sys.executable, "-m", "pytest", "-m", chosen, "-p", "no:cacheprovider"]
    subprocess.run(command, cwd=ROOT, env=environment, check=False)
    return read(path)


def read(path: Path) -> list[dict[str, object]]:
    """Return the lines of a run."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def collect(lines: Iterable[dict[str, object]]) -> dict[str, Proof]:
    """Return what was proven, by promise."""
    proofs = {name: Proof() for name in PROMISES}
    for line in lines:
        proofs[str(line["promise"])].add(line)
    return proofs


def table(proofs: dict[str, Proof], *, short: bool) -> str:
    """Return the table in markdown, and when and by what it was made."""
    runs = "`make test`'s tests" if short else "all tests, the long ones too"
    if os.environ.get("CASES") == "half":
        runs += ", half of the dear cases"
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True).strip()
    made = (
        f"Run on {datetime.now(UTC):%Y-%m-%d} at commit {commit}: {runs}; Python {sys.version.split()[0]}, "
        f"SQLite {apsw.sqlite_lib_version()}, {sys.platform}."
    )
    rows = ["| promise | tried | failed | proven by |", "|---|---:|---:|---|"]
    for name, proof in proofs.items():
        tests = sorted(proof.tests)
        files = sorted({test.partition("::")[0] for test in tests})
        proven = "<br>".join(f"`{file}` ({_among(tests, file)})" for file in files) or "**no test**"
        failed = f"**{proof.failed:,}**" if proof.failed else "0"
        skipped = sum(outcomes["skipped"] for outcomes in proof.tests.values())
        note = f"<br>{skipped} not possible on this machine" if skipped else ""
        rows.append(f"| `{name}` | {proof.tried:,} | {failed} | {proven}{note} |")
    return "\n".join([made, "", *rows])


def write_table(proofs: dict[str, Proof], *, short: bool) -> None:
    """Put the table into the page, in the place of the one before."""
    inner = f"{BEGIN}\n\n{table(proofs, short=short)}\n\n{END}"
    page = PAGE.read_text("utf-8")
    PAGE.write_text(
        re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: inner, page, flags=re.DOTALL), "utf-8"
    )


def _among(tests: list[str], file: str) -> str:
    number = sum(test.startswith(f"{file}::") for test in tests)
    return f"{number} test{'s' * (number != 1)}"


if __name__ == "__main__":
    sys.exit(main())
