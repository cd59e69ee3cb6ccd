"""Workers on one queue that are killed amid their work, on a machine whose clock is set back and forth."""

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from memtui.store import PendingMessage, Session, Store
from memtui.store.observe.jobs import rule_observer
from memtui.store.observe.jobs.findings import MessageFinding
from memtui.store.observe.jobs.job import complete_observed
from memtui.store.observe.jobs.rule_observer import record_messages
from memtui.store.tables import queue as queue

DAY_NS = 86_400_000_000_000
AT_ONCE = 4
DEADLY, BROKEN = "deadly", "broken"
"""What kills each worker that takes it up, and what none can make anything of."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["memtui.store.observe.jobs.job", "memtui.store.observe.rules.observation"])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many workers died, and of how many messages each was true in the end."""

    deaths: int
    done_once: int
    done_more_often: int
    not_done: int
    stuck: int
    dead_letters: dict[str, str]


def fill(store: Store, count: int) -> None:
    """Queue so many messages: a third with their record, as hooks leave them, and two poisonous."""
    with store.transaction():
        for number in range(count - 2):
            made = None
            if number % 3 == 0:
                made = store.observations.add("c-1", title=f"mark {number}").id
            store.pending.add("c-1", tool_name=f"mark {number}", observation_id=made)
            if number == count // 3:
                store.pending.add("c-1", tool_name=DEADLY)
            if number == count // 2:
                store.pending.add("c-1", tool_name=BROKEN)


def work_through(path: Path, *, kills: int, speed: int, seed: int) -> Outcome:
    """Have four workers at once work through the queue, so many of which die at a random moment.

    Leases run out `speed` times as fast as they do.
    """
    chance = random.Random(seed)
    workers: dict[int, BaseProcess] = {}
    deaths = 0
    with Store.open(path) as store:
        while store.pending.is_waiting():
            while len(workers) < AT_ONCE:
                steps = chance.randrange(5, 150) if deaths + len(workers) < kills else 0
                process: BaseProcess = _context.Process(
                    target=_work, args=(path, steps, speed, chance.random())
                )
                process.start()
                workers[process.sentinel] = process
            ended_now = wait(list(workers), timeout=chance.uniform(0.01, 0.2))
            if not ended_now and deaths < 2 * kills:
                with suppress(ProcessLookupError):
                    chance.choice(list(workers.values())).kill()
            for sentinel in ended_now:
                assert isinstance(sentinel, int)
                ended = workers.pop(sentinel)
                ended.join()
                assert ended.exitcode in (0, -signal.SIGKILL), ended.exitcode
                deaths += ended.exitcode != 0
        for left in workers.values():
            left.join()
            deaths += left.exitcode != 0
        return _outcome(store, deaths)


def _outcome(store: Store, deaths: int) -> Outcome:
    found: dict[str, int] = {}
    for one in store.observations.where("true"):
        found[one.title or ""] = found.get(one.title or "", 0) + 1
    messages = store.pending.list(limit=100_000)
    wanted = [one for one in messages if one.tool_name not in (DEADLY, BROKEN)]
    times = [found.get(one.tool_name or "", 0) for one in wanted if one.status == "processed"]
    return Outcome(
        deaths,
        times.count(1),
        sum(time > 1 for time in times),
        times.count(0) + sum(one.status != "processed" for one in wanted),
        sum(one.status in ("pending", "processing") for one in messages),
        {one.tool_name or "": one.error or "" for one in store.pending.list("abandoned", 100_000)},
    )


def _work(path: Path, steps: int, speed: int, seed: float) -> None:
    chance = random.Random(seed)
    boot, wall = queue.boot_ms, time.time_ns
    queue.boot_ms = lambda: boot() * speed
    offset = 0
    time.time_ns = lambda: wall() + offset

    def make(store: Store, session: Session, message: PendingMessage) -> MessageFinding:
        nonlocal offset
        offset = chance.choice((-DAY_NS, 0, DAY_NS))
        if message.tool_name == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        if message.tool_name == BROKEN:
            raise ValueError("no observer can read this")
        return MessageFinding({"title": message.tool_name}, message)

    rule_observer.observe_message = make
    with Store.open(path) as store:
        if steps:
            store.db.set_progress_handler(_dying_after(steps), 100)
        number = 0
        while store.pending.is_waiting():
            end = time.monotonic() + 10
            owner = f"{os.getpid()}-{number}"
            number += 1
            record_messages(store, owner, final=True, deadline=end, limit=50)
            complete_observed(store, for_model=False, deadline=end)
            # What is left waits for a dead worker's lease to run out.
            time.sleep(0.01)


def _dying_after(steps: int) -> Callable[[], bool]:
    left = steps

    def count_down() -> bool:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return False

    return count_down
