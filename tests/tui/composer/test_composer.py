"""The composer: what a project's sessions are told, chosen, ordered and trimmed, and kept."""

import re
from pathlib import Path
from typing import cast

import pytest
from textual.widgets import Input

from memtui.store import Store
from memtui.store.context.scope import Profile, save_profile
from memtui.store.leaves.files.reports import note_report
from memtui.store.records.events import Event
from memtui.tui.composer.screen import ComposerScreen
from memtui.tui.parts.frame import KeysFooter
from tests.tui.browser import WIDE, app, opened, text
from tests.tui.composer.contexts import fill_context, heading, rows, to_composer, toasts, told
from tests.tui.patience import hurry, idle, press

LOW, SMALL = (80, 24), (60, 20)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a folder that no project lies in."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def atlas(empty: Path) -> Path:
    fill_context(empty)
    return empty


async def test_the_memories_stand_in_the_order_in_which_they_are_told(atlas: Path) -> None:
    async with opened(atlas, size=(160, 50)) as pilot:
        screen = await to_composer(pilot)
        assert app(pilot).current_mode == "composer"
        assert heading(screen) == "context of atlas default"
        assert [row.split(" ★")[0].rstrip("0123456789 ") for row in rows(pilot)] == [
            "■ Pinned", "▌[✓] ○ Lesson", "■ Decisions", "[✓] ◆ Lesson", "[✓] ◆ Lesson", "■ Held true",
            "[✓] ◇ Times are UTC", "■ Last sessions", "[✓] ∑ Login fails → Added a leeway",
            "■ Found and answered", "[✓] ● Lesson", "[✓] ○ Lesson", "[✓] ✚ Lesson", "[✓] ● Lesson",
            "[✓] ✚ Lesson",
            "■ Notes", "[✓] ▪ MEMORY.md",
        ]  # fmt: skip
        assert rows(pilot)[1].startswith("▌[✓] ○ Lesson 3 ★")


async def test_beside_the_list_stands_the_text_with_its_lines_numbered(atlas: Path) -> None:
    async with opened(atlas, size=(400, 60)) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "home")
        shown = [re.sub(r"^ *[0-9]+  [ ▌]", "", line) for line in text(screen.view).split("\n")]
        assert "\n".join(shown).rstrip() == told(screen)


async def test_what_claude_s_own_file_tells_is_marked_and_the_file_is_named(
    atlas: Path, tmp_path: Path
) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("All times are UTC.\n")
    with Store.open(atlas) as store:
        sql = "INSERT INTO project_places (project, kind, place) VALUES ('atlas', 'root', ?)"
        store.db.execute(sql, (str(tmp_path),))
        extra: dict[str, object] = {"path": str(file), "reason": "session_start"}
        event = Event(kind="instructions", agent="claude-code", session="c", cwd=str(tmp_path), extra=extra)
        note_report(atlas, event, 1_790_000_000_000)
    async with opened(atlas, size=(160, 50)) as pilot:
        screen = await to_composer(pilot)
        row = next(row for row in rows(pilot) if "Times are UTC" in row)
        assert "in CLAUDE.md" in row
        assert "1 already told by CLAUDE.md" in text(screen.meter)
        assert "## Held true" not in told(screen)
        shown = "".join(text(screen.view).split())  # A long path is folded.
        assert re.search(r"besides,ClaudeCode'sownfiles:\S*CLAUDE\.md≈\dtokens", shown)


async def test_the_lines_of_the_selected_memory_are_marked_and_in_view(atlas: Path) -> None:
    async with opened(atlas, size=(120, 20)) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "G")
        marked = [line for line in text(screen.view).split("\n") if "▌" in line]
        assert len(marked) == 4 and "▌- n1 MEMORY.md:" in marked[0]


async def test_the_meter_tells_what_is_taken_of_the_budget(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        assert f"{screen.meter.taken:,} of 1,500 tokens" in text(screen.meter)
        await press(pilot, "plus", "plus", "minus")
        assert "of 1,600 tokens" in text(screen.meter)
        await press(pilot, *["minus"] * 14)
        assert "of 200 tokens" in text(screen.meter)
        assert 180 <= screen.meter.taken <= 200
        assert "over the budget" in text(screen.meter)
        missed = [row for row in rows(pilot) if "no room" in row]
        assert missed and all("[–]" in row for row in missed)


async def test_the_meter_tells_what_each_section_takes(atlas: Path) -> None:
    async with opened(atlas, size=(160, 40)) as pilot:
        screen = await to_composer(pilot)
        words, bar, legend = text(screen.meter).split("\n")
        shares = dict(re.findall(r"■ (\D+) (\d+)", legend))
        assert list(shares)[:3] == ["Opening", "Pinned", "Decisions"]
        assert words.startswith(f"{sum(map(int, shares.values())):,} of 1,500 tokens")
        assert len(bar) == 158 and round(bar.count("━") / 158 * 1500) in range(
            screen.meter.taken - 10, screen.meter.taken + 10
        )
        listed = [row for row in rows(pilot) if row.startswith("■")]
        assert listed == [f"■ {name} {many}" for name, many in shares.items() if name != "Opening"]


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (30, 8)])
async def test_on_a_low_screen_the_meter_takes_one_line(atlas: Path, size: tuple[int, int]) -> None:
    async with opened(atlas, size=size) as pilot:
        screen = await to_composer(pilot)
        (line,) = text(screen.meter).split("\n")
        assert "━" in line and "of 1,500 tokens" in line
        assert screen.items.size.height >= 1


async def test_the_words_beside_a_bar_on_one_line_leave_it_no_room_unused(atlas: Path) -> None:
    async with opened(atlas, size=(80, 24)) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, *["minus"] * 14)
        (line,) = text(screen.meter).split("\n")
        assert screen.meter.left_over and line.endswith(f" tokens  {screen.meter.left_over}")
        screen.meter.left_over = "x" * 60
        await pilot.pause()
        (line,) = text(screen.meter).split("\n")
        assert len(line) == 78 and line.endswith(" tokens")


async def test_the_heads_of_the_list_stand_above_their_columns(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "space")
        head, *shown = text(screen.items).split("\n")
        out = next(row for row in shown if "[ ]" in row)
        assert head.split() == ["Memory", "As", "Tokens"]
        assert head.index("As") + 2 == out.index(" out ") + 4
        assert len(head.rstrip()) == len(out.rstrip())


@pytest.mark.long
async def test_the_meter_is_calm_until_more_is_wanted_than_the_budget_holds(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        warning = app(pilot).theme_variables["text-warning"]
        await press(pilot, *["minus"] * 13)
        assert "over the budget" in text(screen.meter) and not screen.meter.is_over
        assert "no room" in " ".join(rows(pilot))
        assert not _painted_in(screen, warning)
        await press(pilot, "j", *["K", "j"] * 6)
        assert screen.meter.is_over
        assert any("tokens" in words for words in _painted_in(screen, warning))
        await press(pilot, *["plus"] * 14)
        assert not screen.meter.is_over and not _painted_in(screen, warning)


def _painted_in(screen: ComposerScreen, colour: str) -> list[str]:
    """What the meter shows, and the words beside the titles, in a colour."""
    lines = [screen.meter.render_line(y) for y in range(screen.meter.size.height)]
    lines += [screen.items.render_line(y) for y in range(screen.items.size.height)]
    return [
        part.text
        for line in lines
        for part in line
        if part.style and part.style.color and part.style.color.name == colour.lower()
        if "★" not in part.text
    ]


async def test_the_budget_stays_within_reason(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        await hurry(pilot, *["minus"] * 20)
        assert screen.meter.budget == 100
        await hurry(pilot, *["plus"] * 25)
        assert screen.meter.budget == 5_000


async def test_space_leaves_a_memory_out_and_takes_it_in_again(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        before, tokens = told(screen), screen.meter.taken
        await press(pilot, "space")
        assert rows(pilot)[1].startswith("▌[ ] ○ Lesson 3 ★ out")
        assert "Lesson 3" not in told(screen) and "1 left out" in text(screen.meter)
        assert screen.meter.taken < tokens
        assert heading(screen) == "context of atlas not saved · s saves"
        await press(pilot, "space")
        assert told(screen) == before
        assert heading(screen) == "context of atlas default"


async def test_b_tells_a_memory_by_its_line_only(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        assert "That was lesson 3." in told(screen)
        await press(pilot, "b")
        assert "That was lesson 3." not in told(screen) and "Lesson 3" in told(screen)
        assert "brief" in rows(pilot)[1]
        await press(pilot, "b")
        assert "That was lesson 3." in told(screen)


async def test_what_has_no_shorter_form_offers_none(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        assert "b Brief" in text(screen.query_one(KeysFooter))
        before = told(screen)
        await press(pilot, "j", "j", "j")
        assert "b Brief" not in text(screen.query_one(KeysFooter))
        await press(pilot, "b")
        assert told(screen) == before and "default" in heading(screen)


async def test_k_chooses_a_memory_and_moves_it_up_and_j_moves_it_back(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        usual = told(screen)
        await press(pilot, "j", "j", "j", "j", "K", "j", "j", "j", "j", "K")
        assert rows(pilot)[:3] == [
            "■ Chosen 25",
            "[✓] ∑ Login fails → Added a leeway 16",
            "▌[✓] ◇ Times are UTC 9",
        ]
        await press(pilot, "K")
        assert [row[:13] for row in rows(pilot)[:3]] == ["■ Chosen 25", "▌[✓] ◇ Times ", "[✓] ∑ Login f"]
        assert told(screen).split("\n")[2:4] == ["## Chosen", "- f1 Times are UTC (90%)"]
        await press(pilot, "K")
        assert "▌[✓] ◇ Times" in rows(pilot)[1]
        await press(pilot, "J")
        assert "▌[✓] ◇ Times" in rows(pilot)[2]
        await press(pilot, "J", "home", "J")
        assert told(screen) == usual and "default" in heading(screen)


async def test_keys_pressed_in_a_hurry_move_the_same_memory(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "K", "G")
        await hurry(pilot, "K", "K", "alt+up", "space")
        assert rows(pilot)[1].startswith("▌[ ] ▪ MEMORY.md")
        assert screen.editor is not None
        assert screen.editor.draft.first == ("n1", "3") and screen.editor.draft.left_out == {"n1"}


async def test_a_chosen_one_that_is_hidden_meanwhile_keeps_its_place(atlas: Path) -> None:
    with Store.open(atlas) as store:
        save_profile(store, "atlas", Profile(first=["s1", "8", "f1"]))
        store.observations.set_private(store.observations.get(8))
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "j", "K")
        assert ["Times" in row for row in rows(pilot)[1:3]] == [True, False]
        assert screen.editor is not None and screen.editor.draft.first == ("f1", "8", "s1")


async def test_a_memory_that_only_its_choice_kept_in_the_list_goes_with_a_word(atlas: Path) -> None:
    with Store.open(atlas) as store, store.transaction():
        save_profile(store, "atlas", Profile(first=["2"]))
        for number in range(40):
            store.observations.add(None, title=f"Newer {number}", project="atlas")
    async with opened(atlas) as pilot:
        await to_composer(pilot)
        assert "Lesson 2" in rows(pilot)[1]
        await press(pilot, "J")
        assert "u undoes" in toasts(pilot)
        await press(pilot, "u")
        assert "Lesson 2" in rows(pilot)[1]


async def test_u_takes_the_last_change_back_and_nothing_else(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        usual = told(screen)
        await press(pilot, "space", "j", "b", "plus", "u", "u", "u")
        assert told(screen) == usual and "default" in heading(screen)
        await press(pilot, "u")
        assert "Nothing was changed here." in toasts(pilot)
        with Store.open(atlas) as store:
            assert store.observations.get(3).pinned


async def test_it_begins_with_the_project_of_the_folder(
    atlas: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, begins_with in (("orbit", "orbit"), ("unheard-of", "atlas")):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        async with opened(atlas) as pilot:
            assert heading(await to_composer(pilot)) == f"context of {begins_with} default"


async def test_what_others_write_shows_and_the_selection_stays(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "j", "j", "j", "space")
        with Store.open(atlas) as store:
            store.observations.pin(store.observations.get(5))
        app(pilot).look()
        await idle(pilot)
        assert [row for row in rows(pilot) if row.startswith("▌")] == ["▌[ ] ◇ Times are UTC out 9"]
        assert "Lesson 5" in told(screen).split("## Decisions")[0]


@pytest.mark.parametrize("size", [LOW, SMALL], ids=["80x24", "60x20"])
async def test_enter_opens_the_text_where_there_is_no_room_beside(
    atlas: Path, size: tuple[int, int]
) -> None:
    async with opened(atlas, size=size) as pilot:
        screen = await to_composer(pilot)
        assert not screen.view.display and "of 1,500 tokens" in text(screen.meter)
        await press(pilot, "space")
        assert "not saved" in heading(screen)
        await press(pilot, "enter")
        assert screen.view.has_focus and "<memtui-context" in text(screen.view)
        await press(pilot, "escape")
        assert screen.items.has_focus and not screen.view.display
        await press(pilot, "escape")
        assert app(pilot).current_mode == "composer"


async def test_nothing_remembered_says_how_that_changes(empty: Path) -> None:
    async with opened(empty) as pilot:
        app(pilot).action_go("composer")
        await idle(pilot)
        screen = cast(ComposerScreen, pilot.app.screen)
        assert "Nothing is remembered of" in text(screen.nothing)
        await press(pilot, "space", "b", "K", "plus", "s", "r", "y")
        with Store.open(empty) as store:
            store.observations.add(None, title="The first", project=screen.project or "")
        app(pilot).look()
        await idle(pilot)
        assert "The first" in told(screen)
        await press(pilot, "space")
        assert rows(pilot)[1].startswith("▌[ ]") and told(screen) == ""
        assert "A session is given nothing" in text(screen.view)


async def test_y_copies_the_text_as_an_agent_gets_it(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "y")
        assert app(pilot).clipboard == told(screen) != ""


async def test_a_project_with_a_hostile_name_is_no_markup(empty: Path) -> None:
    name = "[b]a\x1b[2J\u202e"
    with Store.open(empty) as store:
        store.observations.add(None, title="[/b] {0} tale", project=name)
    async with opened(empty, size=WIDE) as pilot:
        screen = await to_composer(pilot)
        await press(pilot, "space", "s", "r")
        for widget in (screen.heading, screen.question, screen.items, screen.view):
            assert "\x1b" not in text(widget) and "\u202e" not in text(widget)
        assert "[b]a␛[2J" in text(screen.question)


async def test_the_palette_leads_here(atlas: Path) -> None:
    async with opened(atlas) as pilot:
        await press(pilot, "down", "ctrl+p")
        pilot.app.screen.query_one(Input).value = "Composer"
        await idle(pilot)
        await press(pilot, "enter")
        await idle(pilot)
        assert app(pilot).current_mode == "composer"
