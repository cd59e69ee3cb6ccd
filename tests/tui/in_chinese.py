"""`python -m tests.tui.in_chinese PATH`, in a Chinese locale: open the browser over a small memory of
Chinese texts, go through its screens and dialogs, and print what each shows, as JSON."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.parts.dialog import Dialog
from screenshots.tour import lines
from tests.tui.browser import NOW, app, opened, press
from tests.tui.conftest import use_no_clock

WAYS: dict[str, tuple[str, ...]] = {
    "search": ("escape",),
    "form": ("e",),
    "new": ("n",),
    "tag": ("T",),
    "move": ("M",),
    "export": ("X",),
    "go to": ("g",),
    "marks": ("space",),
    "timeline": ("2",),
    "sessions": ("3",),
    "choice": ("f",),
    "session": ("enter",),
    "facts": ("4",),
    "notes": ("right",),
    "capture": ("5",),
    "composer": ("6",),
    "statistics": ("7",),
    "files": ("8",),
    "history": ("1", "H"),
    "versions": ("escape", "h"),
    "help": ("escape", "question_mark"),
    "palette": ("ctrl+p",),
    "why": ("slash", *"令牌", "enter", "w"),
    "no hits": ("slash", "ctrl+u", *"无此内容", "enter"),
    "trash": ("slash", "ctrl+u", "down", "d", "D"),
    "purge": ("Z",),
}
"""Each screen, and the keys that lead to it from the one before; Esc leaves it again."""


MINUTE = 60_000
ASKED = ("tag", "move", "export", "purge")
LEFT = ("go to", "marks", "session")


def fill(store: Store) -> None:
    """Store a session of Chinese texts."""
    session = store.sessions.start(
        "一二三四五六七八", agent="智能体", project="项目甲", title="令牌问题", at=NOW - 90 * MINUTE
    )
    store.prompts.add(session, "令牌为什么提前失效？", at=NOW - 80 * MINUTE)
    store.observations.add(
        session, type="bugfix", title="刷新令牌提前失效", narrative="时钟偏差所致。", facts=["偏差九十秒"],
        concepts=["时钟"], tags=["认证"], files_modified=["源/时钟"], at=NOW - 70 * MINUTE,
    )  # fmt: skip
    store.observations.add(
        session, type="decision", title="令牌保留一天", narrative="闲置更久没有必要。",
        at=NOW - 60 * MINUTE,
    )  # fmt: skip
    store.sessions.end(session, at=NOW - 50 * MINUTE)


async def shown(path: Path) -> dict[str, str]:
    """Return what each screen shows."""
    results = {}
    async with opened(path, size=(120, 40)) as pilot:
        for name, keys in WAYS.items():
            if name in ASKED:
                # A worker waits for the answer.
                await pilot.press(*keys)
                await pilot.pause()
            else:
                await press(pilot, *keys)
            results[name] = _text(pilot)
            if isinstance(app(pilot).screen, Dialog) or name in LEFT:
                await press(pilot, "escape")
    return results


def _text(pilot: Pilot[Any]) -> str:
    return "\n".join("".join(run.text for run in line) for line in lines(app(pilot)))


def main() -> None:
    path = Path(sys.argv[1])
    with Store.open(path) as store:
        fill(store)
    with pytest.MonkeyPatch.context() as patch:
        use_no_clock(patch)
        print(json.dumps(asyncio.run(shown(path)), ensure_ascii=False))


if __name__ == "__main__":
    main()
