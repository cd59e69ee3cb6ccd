"""Machines that meet in any order, are killed in the middle and put back to earlier days, end the same."""

import math
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from memtui.store.leaves.sync.exchange import Wishes
from memtui.store.leaves.sync.folder import Folder
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.meeting import meet as meet_place
from tests.promises import Tally
from tests.sizes import sizes

from .machines import Clocks, Machine, contents, play_rounds, versions
from .meeting import meet

HOURS = (0.0, -2.0, 3.0)


def meet_machines(
    one: Machine, other: Machine, chance: random.Random, *, kills: bool, verify: bool = False
) -> None:
    cut = [chance.randrange(20_000) if kills and chance.random() < 0.5 else None for _ in range(2)]
    with one.open() as ours, other.open() as theirs:
        before = versions(ours), versions(theirs)
        one.set_clock()
        wishes = Wishes(verify=verify or chance.random() < 0.2)
        outcome, _ = meet(
            ours, theirs, wishes, cut_ours=cut[0], cut_theirs=cut[1],
            set_clock=other.set_clock,
        )  # fmt: skip
        if outcome is None:
            return
        assert outcome.given.refused + outcome.taken.refused == []
        after = versions(ours)
        for key in before[0].keys() & before[1].keys():
            if key in after:
                assert after[key] >= max(side[key] for side in before), key


class Killed(BaseException):
    """What ends a machine in the middle."""


@contextmanager
def killed_after(steps: int | None) -> Iterator[None]:
    """End a meeting by way of a folder before or after one of the things that it does; None: don't."""
    left = math.inf if steps is None else steps

    def step() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            step()
            result = call(*arguments, **options)
            step()
            return result

        return run

    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        for owner, name in ((Folder, "_put"), (Folder, "_chunk"), (Machines, "finish")):
            patch.setattr(owner, name, counted(getattr(owner, name)))
        patch.setattr(os, "fsync", counted(os.fsync))
        yield


def meet_folder(machine: Machine, folder: Path, *, verify: bool = False, kill: int | None = None) -> None:
    with machine.open() as store, killed_after(kill):
        place = Machines(store).add("folder", f"folder:{folder}")
        meet_place(store, place, Wishes(verify=verify))


def play(folder: Path, clocks: Clocks, chance: random.Random) -> None:
    """One round: three machines do things, and then all of them know the same."""
    machines = [
        Machine(folder, name, hours, clocks, chance)
        for name, hours in zip("abc", chance.sample(HOURS, 3), strict=True)
    ]
    shared = folder / "shared"
    shared.mkdir()
    pairs = chance.choice(([(0, 1), (1, 2), (0, 2)], [(0, 1), (0, 2)], [(0, 1), (1, 2)], [(0, 1)]))
    carriers = {2, chance.randrange(2)} if len(pairs) == 1 or chance.random() < 0.2 else set()
    for _ in range(chance.randrange(3, 9)):
        for machine in machines:
            with machine.open() as store:
                for _ in range(chance.randrange(4)):
                    machine.do_something(store)
            if chance.random() < 0.1:
                machine.back_up()
            if chance.random() < 0.05:
                machine.put_back()
        if chance.random() < 0.7:
            one, other = chance.sample(chance.choice(pairs), 2)
            meet_machines(machines[one], machines[other], chance, kills=True)
        if carriers and chance.random() < 0.5:
            kill = chance.randrange(30) if chance.random() < 0.5 else None
            meet_folder(machines[chance.choice(sorted(carriers))], shared, kill=kill)
    for number in range(8):
        for one, other in pairs:
            meet_machines(machines[one], machines[other], chance, kills=False, verify=number in (4, 5))
        for carrier in sorted(carriers):
            meet_folder(machines[carrier], shared, verify=number in (4, 5))
    ends = []
    for machine in machines:
        with machine.open() as store:
            ends.append(contents(store))
            assert [check for check in store.doctor().checks if not check.ok] == []
    for end in ends[1:]:
        for kind, lines in end.items():
            others = ends[0][kind]
            only = (
                [line for line in lines if line not in others],
                [line for line in others if line not in lines],
            )
            assert only == ([], []), kind
    purged = {text.encode() for machine in machines for text in machine.purged}
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "backup.db" and path.suffix != ".gz":
            data = path.read_bytes()
            assert not [text for text in purged if text in data], path


@sizes("rounds", 4, 20)
def test_all_machines_end_with_the_same(tmp_path: Path, clocks: Clocks, tally: Tally, rounds: int) -> None:
    play_rounds(tally, rounds, tmp_path, lambda folder, chance: play(folder, clocks, chance))
