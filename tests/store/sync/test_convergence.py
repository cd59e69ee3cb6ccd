"""Machines that do whatever people, agents and imports do, meet in any way and order, are killed in the
middle and put back to earlier days, end with the same, and nothing that nobody took away is lost."""

import gzip
import math
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store, StoreError
from memtui.store.formats.common.scope import IN_SESSIONS, RECORDS
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.sync.folder import Folder
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.meeting import meet as meet_place
from memtui.store.leaves.sync.rows import COPIED

from .machines import (
    CANARY,
    EXCLUDED,
    START_MS,
    Clocks,
    Machine,
    contents,
    digests_of,
    play_rounds,
    said,
    versions,
)
from .meeting import meet

HOURS = (0.0, -5.0, 3.0, 5.0)


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


STILL_TO_GO = "SELECT kind, key FROM unsynced_rows WHERE came_from IS NULL AND was_sent = 0"


class Pipe:
    """Two machines, one of which calls the other."""

    def __init__(self, one: Machine, other: Machine) -> None:
        self.sides = (one, other)

    def meet(self, chance: random.Random, *, kills: bool, wishes: Wishes) -> int | None:
        """Have the two meet; how many ranges differed, None where that isn't known."""
        cut = [chance.randrange(20_000) if kills and chance.random() < 0.5 else None for _ in range(2)]
        one, other = chance.sample(self.sides, 2)
        with one.open() as ours, other.open() as theirs:
            before = versions(ours), versions(theirs)
            one.set_clock()
            outcome, sent = meet(
                ours, theirs, wishes, cut_ours=cut[0], cut_theirs=cut[1], open_theirs=other.open
            )
            assert CANARY.encode() not in sent
            if outcome is None:
                return None
            refused = outcome.given.refused + outcome.taken.refused
            assert not refused, refused
            after = versions(ours)
            # What is excluded meanwhile stays at the version that it has.
            is_open = not any("tag:lease" in Machines(store).exclusions() for store in (ours, theirs))
            # What is in a session that turned out to be deleted goes at the next meeting.
            still = {key for side in (ours, theirs) for key in side.db.execute(STILL_TO_GO)}
            common = before[0].keys() & before[1].keys() & after.keys() - still
            for key in common if is_open else ():
                assert after[key] >= max(side[key] for side in before), key
            return outcome.differing


SSH = f"""#!/bin/sh
for last; do :; done
eval "set -- $last"; shift
cd {Path(__file__).parents[3]}
exec {sys.executable} -m tests.store.sync.serving "$@"
"""


class Ssh(Pipe):
    """Two machines, of which the other is a process that a program in place of ssh starts."""

    def meet(self, chance: random.Random, *, kills: bool, wishes: Wishes) -> int | None:
        one, other = chance.sample(self.sides, 2)
        bin = one.path.parents[1] / "bin"
        if not bin.exists():
            bin.mkdir()
            (bin / "ssh").write_text(SSH)
            (bin / "ssh").chmod(0o755)
        with one.open() as store, pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", f"{bin}:{os.environ['PATH']}")
            patch.setenv("TESTS_CLOCK", f"{other.clocks.start_ms} {other.clocks.turns + 1} {other.hours}")
            place = Machines(store).add(other.name, f"ssh://there{other.path}")
            meeting = meet_place(store, place, wishes)
            assert not meeting.refused, meeting
            return meeting.differing


class Shared:
    """A folder that machines share."""

    scheme = "folder"
    options = ""

    def __init__(self, folder: Path, members: list[Machine]) -> None:
        self.folder = folder
        self.sides = members
        folder.mkdir()

    def directory(self, machine: Machine) -> Path:
        """Where it lies for one of them."""
        return self.folder

    def meet(self, chance: random.Random, *, kills: bool, wishes: Wishes) -> None:
        """Have one of the machines meet the folder; all of them in turn where none may be killed."""
        for machine in [chance.choice(self.sides)] if kills else self.sides:
            kill = chance.randrange(30) if kills and chance.random() < 0.5 else None
            with machine.open() as store, killed_after(kill):
                address = f"{self.scheme}:{self.directory(machine)}{self.options}"
                meeting = meet_place(store, Machines(store).add(self.folder.name, address), wishes)
                assert not (meeting.refused or meeting.notes), meeting

    def texts(self) -> Iterator[bytes]:
        """All that whoever carries it can read."""
        for path in self.folder.rglob("*.jsonl.gz"):
            yield gzip.decompress(path.read_bytes())


class Sealed(Shared):
    """A folder in which only sealed files are."""

    def __init__(self, folder: Path, members: list[Machine]) -> None:
        import pyrage

        super().__init__(folder, members)
        key = folder.with_suffix(".key")
        key.write_text(str(pyrage.x25519.Identity.generate()))
        self.options = f"?key={key}"

    def texts(self) -> Iterator[bytes]:
        assert not [*self.folder.rglob("*.jsonl.gz")]
        yield from (path.read_bytes() for path in self.folder.rglob("*.age"))


class Git(Shared):
    """A repository, of which each machine has a clone."""

    scheme = "git"

    def __init__(self, folder: Path, members: list[Machine]) -> None:
        super().__init__(folder, members)
        run("git", "init", "-q", "--bare", "-b", "main", folder / "bare.git")

    def directory(self, machine: Machine) -> Path:
        clone = self.folder / machine.name
        if not clone.exists():
            run("git", "clone", "-q", self.folder / "bare.git", clone)
            run("git", "-C", clone, "checkout", "-q", "-B", "main")
        return clone


def run(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True, stderr=subprocess.DEVNULL)


def carriers_of(folder: Path, machines: list[Machine], chance: random.Random) -> list[Pipe | Shared]:
    """What connects all the machines: a chain, a star or a ring, each link of its own kind; or a folder of
    all of them, and whatever else."""
    shared: list[type[Shared]] = [Shared, Sealed]
    shared += [Git] if shutil.which("git") else []
    if chance.random() < 0.3:
        links = [] if chance.random() < 0.5 else [chance.sample(machines, 2)]
        common: list[Pipe | Shared] = [chance.choice(shared)(folder / "common", machines)]
    else:
        common = []
        star = [[machines[0], other] for other in machines[1:]]
        links = chance.choice((star, [[*pair] for pair in pairwise(machines)]))
        if len(machines) > 2 and chance.random() < 0.4:
            links = [*links, [machines[1], machines[-1]]]
    for number, pair in enumerate(links):
        if chance.random() < 0.5:
            link: type[Pipe] = Pipe if chance.random() < 0.75 else Ssh
            common.append(link(*pair))
        else:
            common.append(chance.choice(shared)(folder / f"shared-{number}", pair))
    return common


def play(folder: Path, clocks: Clocks, chance: random.Random) -> None:
    """One round: two to four machines do things, and then all of them know the same."""
    clocks.begin(START_MS)
    machines = [
        Machine(folder, name, hours, clocks, chance)
        for name, hours in zip("abcd"[: chance.choice((2, 3, 3, 4))], chance.sample(HOURS, 4), strict=False)
    ]
    carriers = carriers_of(folder, machines, chance)
    for _ in range(chance.randrange(3, 9)):
        for machine in machines:
            with machine.open() as store:
                for _ in range(chance.randrange(5)):
                    machine.do_something(store)
            if chance.random() < 0.1:
                machine.back_up()
            if chance.random() < 0.05:
                machine.put_back()
        if chance.random() < 0.8:
            wishes = Wishes(verify=chance.random() < 0.2)
            chance.choice(carriers).meet(chance, kills=True, wishes=wishes)
    for machine in machines:
        with machine.open() as store, suppress(StoreError):
            Machines(store).include("tag:lease")
    for number in range(7):
        for carrier in carriers:
            carrier.meet(chance, kills=False, wishes=Wishes(verify=number > 3))
        if number and len({repr(all_digests(machine)) for machine in machines}) == 1:
            break
    differing = [carrier.meet(chance, kills=False, wishes=Wishes(verify=True)) for carrier in carriers]
    check(folder, machines, carriers)
    assert not any(differing) or has_hidden(machines), differing


def check(folder: Path, machines: list[Machine], carriers: list[Pipe | Shared]) -> None:
    """All machines know the same, all that somebody wrote and nobody took away, and nothing else."""
    ends, digests, texts, gone, held = [], [], [], set(), set()
    for machine in machines:
        # Deletions of what somebody hides are not told to all.
        digests.append({it: digest for it, digest in all_digests(machine).items() if " -" not in it})
        with machine.open() as store:
            ends.append(shared_contents(store))
            texts.append(said(store))
            gone |= gone_for_good(store)
            held |= texts_not_purged(store)
            assert [check for check in store.doctor().checks if not check.ok] == []
            visible = "private = 0 AND deleted_at IS NULL"
            asked = f"SELECT text FROM prompts WHERE text LIKE 'turn _ of all' AND {visible}"
            read = store.db.execute(asked).fetchall()
            assert len(read) == len({*read}), read
            titles = [str(title) for (title,) in store.db.execute("SELECT title FROM observations")]
            assert all(f" {machine.name}0" in title for title in titles if CANARY in title)
    kept = {version for machine in machines for version in hidden_with_sessions(machine)}
    for end in ends[1:]:
        for kind, seen in end.items():
            lines, others = (
                [line for line in some if kind == "labels" or version_of(line) not in kept]
                for some in (seen, ends[0][kind])
            )
            only = (
                [line for line in lines if line not in others],
                [line for line in others if line not in lines],
            )
            assert only == ([], []), (kind, only)
    for other in digests[1:] if not kept else ():
        assert other == digests[0], {*other.items()} ^ {*digests[0].items()}
    taken_away = set[Any]().union(*(machine.taken_away for machine in machines))
    for machine in machines:
        for key, uid in machine.written.items():
            if key not in taken_away and uid not in gone:
                missing = [key not in there for there in texts]
                assert not any(missing), (machine.name, key, uid, missing)
    for carrier in carriers:
        if isinstance(carrier, Shared):
            assert not [text for text in carrier.texts() if CANARY.encode() in text]
    purged = {text.encode() for machine in machines for text in machine.purged}
    for path in folder.glob("?/*"):
        if path.is_file() and path.name != "backup.db":
            data = path.read_bytes()
            left = [text for text in purged - held if text in data]
            assert not left, (path, left)


def all_digests(machine: Machine) -> dict[str, Any]:
    """The digests of all that a machine would give."""
    with machine.open() as store:
        return dict(sorted(digests_of(store).items()))


def hidden_with_sessions(machine: Machine) -> Iterator[tuple[object, ...]]:
    """The versions of what was hidden with a session that was shown again since: that is hidden there until
    it is shown itself."""
    with machine.open() as store:
        for kind in IN_SESSIONS:
            yield from store.db.execute(
                f"SELECT t.uid, t.hlc, t.editor FROM {kind} t JOIN sessions s ON s.id = t.session_id "
                "WHERE t.private = 1 AND s.private = 0"
            )


def version_of(line: Any) -> tuple[object, ...]:
    return tuple(line.get(name) for name in ("uid", "hlc", "editor"))


def has_hidden(machines: list[Machine]) -> bool:
    """Whether some machine hides what another one may only know to be deleted: it doesn't say so."""
    counts = []
    for machine in machines:
        with machine.open() as store:
            for kind in RECORDS:
                sql = f"SELECT count(*) FROM {kind} WHERE private = 1"
                counts.append(store.db.execute(sql).get)
    return any(counts)


def shared_contents(store: Store) -> dict[str, list[Any]]:
    """All that travels, without what stays with the machine that made it."""
    found = contents(store)
    for kind in RECORDS:
        found[kind] = [line for line in found[kind] if line.get("project") != EXCLUDED]
    own = {line["uid"] for line in found["observations"]}
    found["labels"] = [label for label in found["labels"] if label[2] in own]
    return found


def texts_not_purged(store: Store) -> set[bytes]:
    """All that records say that were not purged, hidden and deleted ones too."""
    assert not [
        uid
        for kind in RECORDS
        for (uid,) in store.db.execute(f"SELECT uid FROM {kind} WHERE uid IN (SELECT uid FROM purged)")
    ]
    rows = [row for kind in COPIED | {"prompts": ()} for row in store.db.execute(f"SELECT * FROM {kind}")]
    return {str(text).encode() for row in rows for text in row}


def gone_for_good(store: Store) -> set[str]:
    """The uids of what was purged or hidden by somebody, or belongs to who doesn't give it."""
    sql = "SELECT uid FROM purged" + "".join(
        f" UNION ALL SELECT uid FROM {kind} WHERE private = 1 OR project = '{EXCLUDED}'" for kind in COPIED
    )
    known_as = f"SELECT uid FROM renamed_records WHERE into_uid IN ({sql})"
    return {str(uid) for (uid,) in store.db.execute(f"{sql} UNION ALL {known_as}")}


@pytest.mark.extra("sync")
@pytest.mark.parametrize("rounds", [5])
def test_all_machines_end_with_the_same(tmp_path: Path, clocks: Clocks, rounds: int) -> None:
    play_rounds(rounds, tmp_path, lambda folder, chance: play(folder, clocks, chance))
