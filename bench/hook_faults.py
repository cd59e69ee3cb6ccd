"""`python -m bench.hook_faults --starts 1000`: every fault that the tests know, as often as wanted.

Prints for each how many starts ended otherwise than well, printed a byte they should not have, or
lost an event, and the slowest of them. `--storm 5000` has 24 agents report so many events at once while
somebody reads, and kills 200 children, and process groups. The exit code is 1 where there is any such.
"""

import argparse
import json
import os
import posix
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.report import Section, middle, ms
from tests.store.capture.faults import Fault, faults
from tests.store.capture.hooks import Ended, Machine, Start, can_mount, prompt, session_start
from tests.store.capture.storms import storm

AT_ONCE = 50
"""Starts on one machine before another one is made: some faults are those of small files."""


def main() -> int:
    """Measure those that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.hook_faults", description=__doc__)
    parser.add_argument("--starts", type=int, default=1_000, help="starts of each fault")
    parser.add_argument("--only", default="", help="faults whose name holds this")
    parser.add_argument("--storm", type=int, default=0, help="events of a storm instead")
    parser.add_argument("--agents", type=int, default=24)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.storm:
        return storms(chosen.storm, chosen.agents, chosen.kills, chosen.seed)
    rows = []
    for fault in faults():
        if chosen.only in fault.name and (can_mount() or not fault.mounts):
            rows.append(row(fault, chosen.starts))
            print(*rows[-1], sep="\t", flush=True)
    section = Section(
        "Hooks under faults",
        "Starts of a hook's process, a prompt and a session's start in turn, each with something wrong; "
        "how many ended badly, printed something, or lost an event; milliseconds of whole processes.",
        ("fault", "starts", "exit code not 0", "stray bytes", "lost", "p50 ms", "slowest ms"),
        rows,
    )
    print(f"\n{section.markdown()}")
    return int(any(text != "0" for one in rows for text in one[2:5]))


def storms(events: int, agents: int, kills: int, seed: int) -> int:
    """Measure one storm; 1 where anything of it went wrong."""
    with TemporaryDirectory() as folder:
        machine = on_this_process(Machine.at(Path(folder) / "machine"))
        found = storm(machine, events, agents, kills, seed)
    section = Section(
        "A storm of hooks",
        f"{agents} agents at once, each event in its session after the one before, with a reader; children "
        "and process groups killed.",
        ("events", "acknowledged", "children killed", "groups killed", "lost", "twice", "in disorder",
         "uncleaned", "s"),
        [tuple(map(str, (
            events, len(found.acknowledged), len(found.killed), found.groups, len(found.lost),
            len(found.doubled), found.disordered, found.unclean, round(found.seconds),
        )))],
    )  # fmt: skip
    print(section.markdown())
    return int(not found.is_well or len(found.acknowledged) < events)


def row(fault: Fault, starts: int) -> tuple[str, ...]:
    """What became of so many starts."""
    bad = stray = lost = 0
    took: list[float] = []
    while len(took) < starts:
        with TemporaryDirectory() as folder:
            machine = on_this_process(Machine.at(Path(folder) / "machine"))
            marks = [f"mark {len(took) + one}." for one in range(min(AT_ONCE, starts - len(took)))]
            for number, mark in enumerate(marks):
                told = session_start(mark) if number % 2 else prompt(mark)
                with fault.breaking(machine, json.dumps(told).encode()) as start:
                    began = perf_counter()
                    ended = machine.run(unhelped(start))
                    took.append((perf_counter() - began) * 1_000)
                bad += ended.code != 0
                stray += not is_silent(ended, fault, bool(number % 2))
            lost += sum(1 for mark in marks if fault.tells and len(machine.kept(mark)) != 1)
    return (
        fault.name, f"{starts:,}", str(bad), str(stray), str(lost), ms(middle(took)), ms(max(took)),
    )  # fmt: skip


def unhelped(start: Start) -> Start:
    """The start with no more time than a hook has anywhere."""
    return replace(start, variables={**start.variables, "MEMTUI_HOOK_SECONDS": None})


def is_silent(ended: Ended, fault: Fault, is_start: bool) -> bool:
    """Whether nothing was printed but what answers the start of a session."""
    if ended.err or not ended.out:
        return not ended.err
    return is_start and fault.answers and "hookSpecificOutput" in json.loads(ended.out)


def on_this_process(machine: Machine) -> Machine:
    """The machine, whose fallback directories are now this process's too."""
    for name, value in machine.environment().items():
        os.environ[name] = value
        posix.environ[name.encode()] = value.encode()
    return machine


if __name__ == "__main__":
    sys.exit(main())
