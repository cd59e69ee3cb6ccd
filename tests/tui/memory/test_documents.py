"""Texts as documents: rendered, or as they are stored at a key, their long code folded."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.facts.fact_and_note import NoteScreen
from memtui.tui.parts.document_view import DocumentView
from memtui.tui.sessions.session import SessionScreen
from tests.tui.browser import NOW, app, ask, browser, highlighted, opened, press, search, text
from tests.tui.patience import idle
from tests.tui.pictures import Compare, low_and_middle

NARRATIVE = """\
# Why tokens expired

The clock of `auth-2` drifted by **90 s**, so *every* refresh failed. See [the runbook](https://wiki.example/clock).

1. Compare the clocks
   - with `chronyc tracking`, and write down the offset of every machine that answers
2. Allow a leeway

> A leeway hides drift.

```python
def is_fresh(token: Token, now: float) -> bool:
    # Clocks drift by some seconds.
    return now < token.expires_at + LEEWAY
```

```diff
-LEEWAY = 0
+LEEWAY = 60
```

| machine | drift | synced |
|---|---:|---|
| auth-1 | 0.2 s | yes |
| auth-2 | 90.1 s | no, its NTP server was gone |
"""
LONG_CODE = "```\n" + "\n".join(f"row {number}" for number in range(155)) + "\n```"


@pytest.fixture
def written(empty: Path) -> Path:
    """A memory with a narrative in Markdown, and one with long code."""
    with Store.open(empty) as store:
        store.observations.add("s-1", type="bugfix", title="Tokens expired", narrative=NARRATIVE, at=NOW)
        store.observations.add("s-1", title="Rows", narrative=LONG_CODE, at=NOW - 1_000)
    return empty


async def test_a_narrative_reads_like_a_document(written: Path) -> None:
    async with opened(written) as pilot:
        await ask(pilot, "token")
        detail = search(pilot).reading.detail
        shown = text(detail)
        assert "# Why" not in shown
        assert "• with chronyc tracking" in shown
        assert highlighted(detail).count("token") > 1


async def test_a_key_shows_it_as_it_is_stored_while_browsing(written: Path) -> None:
    async with opened(written) as pilot:
        await press(pilot, "down", "v")
        assert "# Why tokens expired" in text(search(pilot).reading.detail)
        await press(pilot, "down", "o")
        await press(pilot, "escape", "up", "up")
        assert "# Why tokens expired" in text(search(pilot).reading.detail)
        await press(pilot, "v")
        assert "# Why tokens expired" not in text(search(pilot).reading.detail)


async def test_what_was_chosen_on_one_screen_holds_on_those_before(written: Path) -> None:
    async with opened(written) as pilot:
        await press(pilot, "down", "o", "enter")
        assert isinstance(pilot.app.screen, SessionScreen)
        await press(pilot, "v")
        await press(pilot, "escape", "escape")
        assert "```" in text(search(pilot).reading.detail)


async def test_long_code_unfolds_at_the_key_that_it_names(written: Path) -> None:
    async with opened(written) as pilot:
        await press(pilot, "down", "down")
        assert "… 143 more lines, + unfolds" in text(search(pilot).reading.detail)
        await press(pilot, "plus")
        assert "row 15" in text(search(pilot).reading.detail)
        await press(pilot, "plus")
        assert "row 15" not in text(search(pilot).reading.detail)


async def test_copying_gives_what_is_stored(written: Path) -> None:
    async with opened(written) as pilot:
        await press(pilot, "down", "y")
        assert "\n# Why tokens expired\n" in app(pilot).clipboard
        assert "**90 s**" in app(pilot).clipboard


async def test_the_end_of_a_long_text_is_rendered_as_well(empty: Path) -> None:
    with Store.open(empty) as store:
        long = "Some *words* here.\n\n" * 1_000 + "## The very end"
        store.observations.add("s-1", title="Long", narrative=long, at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "down", "enter")
        await idle(pilot)
        await press(pilot, "end")
        shown = text(search(pilot).reading.detail)
        assert "The very end" in shown
        assert "##" not in shown


async def test_a_summarys_card_reads_like_a_document(empty: Path) -> None:
    with Store.open(empty) as store:
        store.summaries.add("s-1", request="Fix", learned="- `clocks` drift\n- a lot", at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "down", "o")
        card = pilot.app.screen.query_one(DocumentView)
        assert "• clocks drift" in text(card)
        await press(pilot, "v")
        assert "- `clocks` drift" in text(card)


async def test_a_note_is_rendered_and_as_stored_has_the_numbers_of_its_lines(empty: Path) -> None:
    with Store.open(empty) as store:
        store.notes.upsert("MEMORY.md", "# Rules\n\n- *No* sleeps\n")
    async with opened(empty) as pilot:
        app(pilot).action_go("facts")
        await idle(pilot)
        await press(pilot, "right", "enter")
        assert isinstance(pilot.app.screen, NoteScreen)
        assert "• No sleeps" in text(pilot.app.screen.view)
        await press(pilot, "v")
        assert "3  - *No* sleeps" in text(pilot.app.screen.view)


@pytest.mark.parametrize("theme", ["memtui-dark", "memtui-light"])
@low_and_middle
@pytest.mark.sampled
def test_a_document_looks_right(
    snap_compare: Compare, written: Path, size: tuple[int, int], theme: str
) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        await ask(pilot, "token")
        await press(pilot, "down", "enter", "pagedown")

    assert snap_compare(browser(written), terminal_size=size, run_before=before)


EDIT = """\
- hours = 1
- return hours * 60
+ hours = 24
+ # 令牌一天后过期: a day is long enough.
+ return hours * 3600
"""


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
def test_an_edit_reads_as_a_diff(snap_compare: Compare, empty: Path, size: tuple[int, int]) -> None:
    with Store.open(empty) as store:
        store.observations.add(
            "c-1", title="Edited src/tokens.py: ttl", type="change", at=NOW,
            facts=["3 lines added, 2 removed"], narrative=EDIT, files_modified=["src/tokens.py"],
        )  # fmt: skip
        store.observations.add(
            "c-1", title="Edited src/clock.py", type="change", at=NOW + 1,
            facts=["2 lines removed"], narrative="@@\n- import sys\n- import re",
        )  # fmt: skip

    async def before(pilot: Pilot[Any]) -> None:
        await press(pilot, "escape", "j")

    assert snap_compare(browser(empty), terminal_size=size, run_before=before)
