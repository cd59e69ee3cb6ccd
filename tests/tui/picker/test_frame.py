"""The frame that stands before Textual does."""

from pathlib import Path

import pytest

from bench.terminal import ESCAPES
from memtui.store import Store
from memtui.store.config import BrowserSettings
from memtui.tui.leaves.picker.program import frame_lines

from .pickers import picker, screen


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (120, 15), (80, 5), (100, 3)], ids=str)
@pytest.mark.parametrize("query", ["", "token"])
@pytest.mark.sampled
async def test_each_title_stands_where_the_picker_has_it(
    demo: Path, size: tuple[int, int], query: str
) -> None:
    with Store.open(demo) as store:
        hits = (
            store.find(query).page(limit=32, turns=True).hits if query else store.find("").page(0, 32).hits
        )
        lines = frame_lines(hits, query, *size, BrowserSettings())
    painted = [ESCAPES.sub(b"", line.encode()).decode() for line in lines]
    assert len(painted) < size[1] or size[1] == 3
    async with picker(demo, size=size, query=query) as pilot:
        rows = screen(pilot).results.list
        left, top, _, height = rows.content_region
        shown = [rows.render_line(y).text for y in range(height)]
    found = 0
    for at, line in enumerate(painted):
        if 0 <= at - top < height and line.strip():
            assert shown[at - top][1:].startswith(line[left + 1 :][:20].rstrip("… "))
            found += 1
    assert found >= min(3, height // 2)
    assert painted[0].startswith(f" ❯ {query}".rstrip())


def test_stored_text_never_commands_the_terminal(store: Store) -> None:
    store.observations.add("c-1", title="\x1b]52;c;cHduZWQ=\x07 刷新令牌" * 9)
    lines = frame_lines(store.find("").page(0, 1).hits, "\x1b[2J", 80, 24, BrowserSettings())
    assert "\x1b]52" not in "".join(lines) and "\x1b[2J" not in "".join(lines)
