"""Many agents at once, each with its sessions' events one after the other, children and process groups
killed, while somebody reads: what became of each event."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile

from memtui.store import Store

from .canaries import FOUND, canary
from .drains import start_drain
from .hooks import SCRIPT, Machine, files_below, prompt

NUMBER = "STORM_EVENT"
"""The variable by which a process tells whose event it stores."""


@dataclass(slots=True)
class Storm:
    """What came of a storm: numbers of events."""

    acknowledged: set[int] = field(default_factory=set)
    killed: set[int] = field(default_factory=set)
    """Those whose child was killed."""
    groups: int = 0
    """How many process groups were killed behind their hooks' ends."""
    lost: set[int] = field(default_factory=set)
    """Those that were acknowledged, not killed, and not stored."""
    doubled: set[int] = field(default_factory=set)
    disordered: int = 0
    """Neighbours of a session in another order than that in which they were handed over."""
    unclean: int = 0
    """Secrets that are in any byte of any file."""
    seconds: float = 0.0

    @property
    def is_well(self) -> bool:
        """Whether nothing was lost, doubled, in disorder or uncleaned."""
        return not (self.lost or self.doubled or self.disordered or self.unclean)


def storm(machine: Machine, events: int, agents: int, kills: int, seed: int = 1) -> Storm:
    """Have so many agents report so many events together, and kill so many children and process groups."""
    Store.open(machine.database).close()
    stop = machine.folder / "stop"
    reader = start_drain(machine.database, stop=stop)
    found = Storm()
    threads = [
        threading.Thread(target=_report, args=(machine, range(one, events, agents), found, seed))
        for one in range(agents)
    ]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    _kill(threads, kills, found, seed)
    for thread in threads:
        thread.join()
    found.seconds = time.perf_counter() - began
    stop.touch()
    reader.join()
    machine.drained()
    _judge(machine, agents, found)
    return found


def _report(machine: Machine, numbers: range, found: Storm, seed: int) -> None:
    """Run the hook on each event of a session, one after the other; kill the group of every tenth."""
    draw = random.Random(seed * 1_000 + numbers.start)
    for number in numbers:
        text = f"{canary(number)} {'word ' * draw.choice((0, 5, 500, 20_000))}"
        hook = [sys.executable, "-I", "-S", str(SCRIPT), "claude-code"]
        with TemporaryFile() as event:
            # All of it is there at once: how long a hook waits for an agent that writes is another matter.
            event.write(json.dumps(prompt(text, f"s-{numbers.start}")).encode())
            event.seek(0)
            process = subprocess.Popen(
                ["sh", "-c", '"$@"; :', "sh", *hook],
                stdin=event,
                env=machine.environment(**{NUMBER: str(number)}),
                start_new_session=True,
            )
            process.wait()
        if process.returncode == 0:
            found.acknowledged.add(number)
        if draw.random() < 0.1:
            # Nobody is left in it, as it should be.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            found.groups += 1


def _kill(threads: list[threading.Thread], kills: int, found: Storm, seed: int) -> None:
    """Kill children at any moment of their work, as long as there are any."""
    draw = random.Random(seed)
    while any(thread.is_alive() for thread in threads) and len(found.killed) < kills:
        children = _children(found.acknowledged)
        if not children:
            threads[0].join(0.005)
            continue
        process, number = draw.choice(children)
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
        found.killed.add(number)
        threads[0].join(draw.random() * 0.05)


def _children(acknowledged: set[int]) -> list[tuple[int, int]]:
    """The processes that hooks have left behind, with the number of the event of each."""
    found: list[tuple[int, int]] = []
    mark = f"{NUMBER}=".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            variables = (process / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        own = [int(one.removeprefix(mark)) for one in variables if one.startswith(mark)]
        found += [(int(process.name), number) for number in own if number in acknowledged]
    return found


def _judge(machine: Machine, agents: int, found: Storm) -> None:
    with Store.open(machine.database) as store:
        rows = list(store.db.execute("SELECT text FROM prompts ORDER BY id"))
    stored = [int(text.split()[1]) for (text,) in rows]
    found.lost = found.acknowledged - found.killed - set(stored)
    found.doubled = {number for number in stored if stored.count(number) > 1}
    for one in range(agents):
        own = [number for number in stored if number % agents == one]
        found.disordered += sum(first > second for first, second in pairwise(own))
    found.unclean = sum(len(FOUND.findall(content)) for _, content in files_below(machine.folder))
