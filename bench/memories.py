"""Generated memories to measure on: a few very common words, a long tail, a fifth Chinese."""

import bisect
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memtui.store import Store
from memtui.store.platform.clock import common_columns
from memtui.store.tables.observations import INSERT

HEAD = (
    "the token refresh session request cache redis retry cursor lock index query timeout deploy "
    "schema migration worker queue payment order ledger balance login cookie header gateway proxy "
    "socket stream parser render layout widget branch commit review pipeline container cluster node "
    "replica backup restore metric alert trace log span error warning limit budget batch window"
).split()
CHINESE = (
    "缓存 令牌 刷新 会话 请求 重试 超时 部署 迁移 队列 支付 订单 账本 余额 登录 网关 代理 数据库 索引 查询 "
    "锁 事务 消息 消费 库存 扣减 时区 毫秒 配置 中心 监控 告警 日志 全文 分词 对账 回滚 并发 线程 连接"
).split()
TYPES = ("discovery", "bugfix", "change", "decision", "feature", "refactor", "error", "note")
PROJECTS = tuple(f"project-{number:02}" for number in range(24))
DAY = 86_400_000
BATCH = 2_000
NOW = 1_790_000_000_000
"""The moment (ms) before which memories were made."""


class Memories:
    """A seeded source of observations; word frequencies follow Zipf's law over 30,000 words."""

    def __init__(self, seed: int = 7) -> None:
        self.random = random.Random(seed)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "ar", "en")]
        tail = ("".join(self.random.choices(syllables, k=self.random.randint(2, 4))) for _ in range(30_000))
        self.words = [*HEAD, *tail]
        weights = itertools.accumulate(1 / (rank + 2) for rank in range(len(self.words)))
        self.reach = list(weights)

    def text(self, length: int, chinese: bool) -> str:
        """So many words of either language."""
        if chinese:
            return "，".join(
                "".join(self.random.choices(CHINESE, k=self.random.randint(2, 5)))
                for _ in range(length // 4)
            )
        total = self.reach[-1]
        chosen = (bisect.bisect(self.reach, self.random.random() * total) for _ in range(length))
        return " ".join(self.words[place] for place in chosen)

    def observation(self, number: int, at: int) -> dict[str, Any]:
        """The values of one row; sessions of forty observations, one project each."""
        draw = self.random
        chinese = draw.random() < 0.2
        session = number // 40
        files = [f"src/{draw.choice(HEAD)}/{draw.choice(HEAD)}_{draw.randint(1, 40)}.py" for _ in range(2)]
        return common_columns("bench", at=at) | {
            "session_id": session + 1,
            "project": PROJECTS[session % len(PROJECTS)],
            "type": draw.choice(TYPES),
            "title": self.text(8, chinese),
            "subtitle": None,
            "narrative": self.text(draw.randint(60, 120), chinese),
            "text": None,
            "facts": json.dumps([self.text(8, chinese) for _ in range(2)], ensure_ascii=False),
            "concepts": json.dumps(draw.sample(HEAD, 2)),
            "files_read": json.dumps(files[:1]),
            "files_modified": json.dumps(files[1:]),
            "tags": "[]",
            "tool_name": draw.choice(("Edit", "Bash", "Read", "Write")),
            "prompt_number": number % 6 + 1,
            "discovery_tokens": draw.randint(40, 4_000),
            "event_id": None,
            "content_hash": None,
            "subagent": None,
            "repeats": 0,
            "confirmed_at": None,
        }


def fill(path: Path, count: int, *, now: int = NOW, prefix: str = "session") -> None:
    """A store of `count` observations, spread over the year before `now`, in time order."""
    source = Memories()
    step = max(1, 365 * DAY // count)
    with Store.open(path) as store:
        store.db.pragma("synchronous", "OFF")
        with store.transaction():
            for session in range(count // 40 + 1):
                store.sessions.start(
                    f"{prefix}-{session:06}",
                    agent=("claude-code", "codex", "cursor")[session % 3],
                    project=PROJECTS[session % len(PROJECTS)],
                    at=now - (count - session * 40) * step,
                )
        for rows in _batches(source.observation(n, now - (count - n) * step) for n in range(count)):
            with store.transaction():
                for row in rows:
                    store.db.execute(INSERT, row).get  # noqa: B018 - runs the statement


def fill_all(path: Path, count: int) -> None:
    """A store of `count` observations as `fill` makes it, and as many prompts, facts and messages of the
    queue beside them; a hundredth of the observations is in the trash."""
    fill(path, count)
    source, draw, step = Memories(11), random.Random(5), max(1, 365 * DAY // count)
    with Store.open(path) as store:
        store.db.pragma("synchronous", "OFF")
        for start in range(0, count, BATCH):
            with store.transaction():
                for number in range(start, min(count, start + BATCH)):
                    at = NOW - (count - number) * step
                    session = number // 40 + 1
                    text = source.text(12, draw.random() < 0.2)
                    store.prompts.add(session, text, at=at)
                    names = (draw.choice(HEAD), f"part-{draw.randint(1, count // 20 + 1)}")
                    store.facts.add(
                        f"{text} {number}",
                        kind=draw.choice(("W", "B", "O", "S")),
                        project=PROJECTS[number % len(PROJECTS)],
                        entities=names,
                        at=at,
                    )
                    store.pending.add(session, "observation", tool_name="Edit", at=at)
                    if number % 100 == 7:
                        store.observations.delete(store.observations.get(number + 1))
        # None waits: whoever reads next would process it.
        status = "iif(id % 50, 'processed', 'failed')"
        store.db.execute(f"UPDATE pending_messages SET status = {status}")


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while batch := list(itertools.islice(rows, BATCH)):
        yield batch
