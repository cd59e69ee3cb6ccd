"""`make bench-quick`: measure what no machine changes, and fail where a figure rose by over a tenth.

`ARGS=--keep` writes the figures down as those to hold: after a change that is worth what it costs.
"""

import argparse
import json
import platform
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from bench.quick import browser, processes, work

KEPT = Path(__file__).with_name("figures.json")
RISE = 1.1
ELSEWHERE = 1.5
"""The most that a figure may rise to, and where Python or SQLite is of another version."""
ROOM = 8
"""The rise in units that every figure is allowed, so that one module more fails no small figure."""
ATTEMPTS = 4
"""So often is a ratio measured that is too high: other work on the machine raises it, nothing lowers it."""


def main() -> int:
    """Measure, compare, and print what rose; 1 where anything did."""
    parser = argparse.ArgumentParser(prog="make bench-quick", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="hold these figures from now on")
    chosen = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"figures": {}, "versions": {}}
    rise = RISE if kept["versions"] == versions() else ELSEWHERE
    # A worker that a hook left behind may still write where it is swept.
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found = dict(work.measure(Path(folder)))
        path = Path(folder) / "memory.db"
        found |= dict(processes.measure(path))
        found |= dict(browser.measure(path))
        for name, (_, most) in processes.RATIOS.items():
            held = max(most, kept["figures"].get(f"{name}: CPU over bare", 0.0))
            found[f"{name}: CPU over bare"] = _ratio(name, path, held * rise)
    if chosen.keep:
        KEPT.write_text(json.dumps({"versions": versions(), "figures": found}, indent=1) + "\n")
        print(f"{len(found)} figures are kept in {KEPT.name}.")
        return 0
    return _compared(found, kept["figures"], rise)


def versions() -> dict[str, str]:
    """Return the versions that the counts depend on."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, "sqlite": apsw.sqlite_lib_version()}


def _ratio(name: str, path: Path, most: float) -> float:
    """The least ratio of some attempts, which end with one that is low enough."""
    least = processes.ratio(name, path)
    for _ in range(ATTEMPTS - 1):
        if least <= most:
            break
        least = min(least, processes.ratio(name, path))
    return round(least, 2)


def _compared(found: dict[str, float], kept: dict[str, float], rise: float) -> int:
    limits = {name: _limit(name, kept.get(name), rise) for name in found}
    risen = [name for name, value in found.items() if value > limits[name]]
    for name in risen:
        print(f"{name}: {found[name]:,} is over {limits[name]:,.2f} ({kept.get(name, 0):,} is kept)")
    for name in sorted(kept.keys() - found.keys()):
        print(f"{name}: not measured here")
    print(f"{len(found)} figures, {len(risen)} rose by more than they may.")
    if risen:
        print("Where that is worth what it costs: make bench-quick ARGS=--keep, and say why.")
    return 1 if risen else 0


def _limit(name: str, kept: float | None, rise: float) -> float:
    """The most that a figure may be; one that isn't kept may be nothing, so that it is kept."""
    if name.endswith(": CPU over bare"):
        most = processes.RATIOS[name.removesuffix(": CPU over bare")][1]
        return max(most, kept or 0.0) * rise
    return 0.0 if kept is None else max(kept * rise, kept + ROOM)


if __name__ == "__main__":
    sys.exit(main())
