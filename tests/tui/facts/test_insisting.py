"""A rule that was broken: its mark, its turns, and the key that has it told harder, each undone by u."""

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.context.scope import profile_of
from memtui.tui.lists.picker import PickScreen
from tests.tui.browser import NOW, opened, text
from tests.tui.patience import press
from tests.tui.pictures import LOW

from .test_facts import rows, to_facts

HOUR = 3_600_000
RULE = "Use pnpm, never npm"


@pytest.fixture
def built(empty: Path, tmp_path: Path) -> Path:
    """A rule of a project with a repository here, which a command broke."""
    root = tmp_path / "atlas"
    (root / ".git").mkdir(parents=True)
    with Store.open(empty) as store:
        project, folder = store.known_projects.of(str(root))
        session = store.sessions.start("c-1", agent="codex", project=project, project_path=folder)
        said = store.prompts.add(session, RULE, at=NOW - 2 * HOUR)
        fact = store.facts.add(
            RULE, project=project, session=session, speaker="user", evidence=[said.uid], at=NOW - 2 * HOUR
        )
        broke = store.observations.add(
            session, title="Installed date-fns", tool_name="Bash", type="change", at=NOW - HOUR,
            extra=json.dumps({"command": "npm install date-fns"}),
        )  # fmt: skip
        extra = json.loads(fact.extra or "{}") | {"broken": [broke.uid]}
        store.facts.write_columns([fact.id], {"extra": json.dumps(extra)})
    return empty


async def insist(pilot: Pilot[Any], *keys: str) -> None:
    await to_facts(pilot)
    await press(pilot, "exclamation_mark")
    assert isinstance(pilot.app.screen, PickScreen)
    await press(pilot, *keys, "enter")


async def test_the_list_marks_it_and_the_detail_names_what_broke_it(built: Path) -> None:
    async with opened(built, size=(120, 40)) as pilot:
        screen = await to_facts(pilot)
        assert "‼ broken 1×" in rows(pilot, "FactList")[0]
        assert "‼ Said 1×, told 0× at a start, broken 1× after that." in " ".join(
            text(screen.pane.text).split()
        )
        assert "‼ npm install" in text(screen.pane.evidence)


async def test_the_agent_s_file_gets_a_line_and_u_takes_it_back(built: Path, tmp_path: Path) -> None:
    async with opened(built, size=LOW) as pilot:
        await insist(pilot)
        assert RULE in (tmp_path / "atlas/AGENTS.md").read_text()
        await press(pilot, "u")
        assert not (tmp_path / "atlas/AGENTS.md").exists()


async def test_the_head_of_each_start_is_the_first_of_what_is_chosen(built: Path) -> None:
    async with opened(built, size=LOW) as pilot:
        await insist(pilot, "down")
        with Store.open(built) as store:
            assert profile_of(store.db, store.facts.get("f1").project).first == ("f1",)
        await press(pilot, "u")
        with Store.open(built) as store:
            assert profile_of(store.db, store.facts.get("f1").project).first == ()


async def test_at_prompts_it_is_pinned_and_says_what_that_needs(built: Path) -> None:
    async with opened(built, size=LOW) as pilot:
        await to_facts(pilot)
        await press(pilot, "exclamation_mark", "down", "down")
        assert "at_prompt = true" in text(pilot.app.screen.query_one("#told"))
        await press(pilot, "enter")
        with Store.open(built) as store:
            fact = store.facts.get("f1")
            assert fact.pinned and json.loads(fact.extra or "")["at_prompts"] is True
        await press(pilot, "u")
        with Store.open(built) as store:
            assert not store.facts.get("f1").pinned
