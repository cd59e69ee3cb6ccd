"""`python -m bench.queue_faults --messages 1500 --kills 100`: workers on the queue, killed at random.

Four at once, two of the messages poisonous, each worker's clock set a day back and forth. The exit
code is 1 where a message was not done exactly once, or anything is stuck.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from memtui.store import Store
from tests.store.observe.jobs.killing import BROKEN, DEADLY, fill, work_through


def main() -> int:
    """Run as often as asked, each with another seed, and print what came of each."""
    parser = argparse.ArgumentParser(prog="python -m bench.queue_faults", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_500)
    parser.add_argument("--kills", type=int, default=100, help="workers that die inside SQLite")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    bad = 0
    print("seed", "deaths", "done once", "more often", "not done", "stuck", "dead letters", "s", sep="\t")
    for seed in range(chosen.seed, chosen.seed + chosen.runs):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "memory.db"
            with Store.open(path) as store:
                fill(store, chosen.messages)
            began = perf_counter()
            found = work_through(path, kills=chosen.kills, speed=120, seed=seed)
            took = perf_counter() - began
        letters = " ".join(sorted(found.dead_letters))
        print(
            seed, found.deaths, found.done_once, found.done_more_often, found.not_done, found.stuck,
            letters, f"{took:.1f}", sep="\t", flush=True,
        )  # fmt: skip
        is_right = found.done_once == chosen.messages - 2 and not found.stuck
        bad += not (is_right and found.dead_letters.keys() == {DEADLY, BROKEN})
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
