"""The sessions: by day, narrowed, with a preview."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.records.rows import Session, SessionRow
from memtui.tui.lists.picker import ChoiceList
from memtui.tui.sessions.days import day_name
from memtui.tui.sessions.lists import columns
from memtui.tui.text.records import lasted, status
from tests.tui.browser import NOW, app, opened, text
from tests.tui.patience import idle, press
from tests.tui.sessions.screens import lines_of, session, sessions

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
LOW = (100, 24)


async def test_the_newest_session_comes_first_with_what_came_of_it(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3")
        heads, day, row = text(sessions(pilot).sessions).splitlines()[:3]
        assert heads.split() == "Session Project Began Lasted".split()
        assert day.startswith(" Today ─")
        assert row.split() == "▌✓ Tiles atlas 18:31 10m".split()
        assert sessions(pilot).sessions.title == "Sessions 1"


async def test_typed_letters_narrow_the_sessions_to_a_project(demo: Path) -> None:
    async with opened(demo, size=LOW) as pilot:
        await press(pilot, "escape", "3", "f", *"atlas", "enter")
        assert sessions(pilot).sessions.title == "Sessions 7 of 30 · atlas-web"
        assert sessions(pilot).sessions.how_many == 7
        await press(pilot, "f", "up", "up", "enter")
        assert sessions(pilot).sessions.title == "Sessions 30"


async def test_an_agent_narrows_them_too_and_escape_leaves_them_as_they_were(demo: Path) -> None:
    async with opened(demo, size=LOW) as pilot:
        await press(pilot, "escape", "3", "f", *"TRAE", "enter")
        chosen = sessions(pilot).sessions.title
        assert chosen.endswith("of 30 · trae")
        await press(pilot, "f", *"codex", "escape")
        assert sessions(pilot).sessions.title == chosen


async def test_a_new_session_appears_above_and_the_selection_stays(demo: Path) -> None:
    async with opened(demo, size=LOW) as pilot:
        await press(pilot, "escape", "3", "j", "j")
        before = sessions(pilot).sessions.session
        with Store.open(demo) as other:
            other.sessions.start("new", project="atlas-web", at=NOW)
        app(pilot).look()
        await idle(pilot)
        assert sessions(pilot).sessions.title == "Sessions 31"
        after = sessions(pilot).sessions.session
        assert before and after and before.session == after.session


async def test_any_number_of_sessions_can_be_walked_through(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(1_000):
            store.sessions.start(f"session-{number}", title=f"task {number}", at=NOW - number * DAY)
    async with opened(empty, size=LOW) as pilot:
        app(pilot).action_go("sessions")
        await idle(pilot)
        await press(pilot, "G")
        assert "task 999" in text(sessions(pilot).sessions)
        assert sessions(pilot).sessions.title == "Sessions 1,000"


async def test_no_session_yet_tells_how_they_come_about(empty: Path) -> None:
    async with opened(empty, size=LOW) as pilot:
        app(pilot).action_go("sessions")
        await idle(pilot)
        assert "mem install claude-code" in text(pilot.app.screen.query_one("#empty"))


@pytest.mark.parametrize("width", [40, 80])
async def test_what_a_command_does_stays_in_a_column_of_its_own(empty: Path, width: int) -> None:
    async with opened(empty, size=(width, 24)) as pilot:
        app(pilot).action_go("sessions")
        await idle(pilot)
        told = text(pilot.app.screen.query_one("#empty")).rstrip()
        _, *commands = told.split("\n\n")
        lines = [line for line in "\n".join(commands).splitlines() if not line.startswith(" ")]
        assert [line[:4] for line in lines] == ["mem "] * 3


@pytest.mark.parametrize(
    ("width", "present", "absent"),
    [
        (30, "", "started"),
        (45, "started lasted", "project"),
        (58, "started lasted project", "observations"),
        (96, "started lasted project", "observations"),
        (112, "observations agent", "summary"),
        (158, "prompts agent summary", ""),
    ],
)
def test_columns_leave_the_least_telling_first(width: int, present: str, absent: str) -> None:
    found = columns(width, without=set())
    assert {"title", *present.split()} <= found.keys()
    assert not found.keys() & set(absent.split())
    assert sum(found.values()) + 2 * (len(found) - 1) == width
    assert found["title"] >= 26


def test_a_session_says_how_it_stands_in_words_and_symbols(empty: Path) -> None:
    with Store.open(empty) as store:
        one = store.sessions.start("one", at=NOW - 3 * HOUR)

        def stands(session: Session) -> str:
            found = status(store.sessions.row(session), NOW)
            return f"{found.symbol} {found.word}"

        assert stands(one) == "○ ended"
        store.prompts.add(one, "go on", at=NOW - HOUR)
        assert stands(one) == "● live"
        assert stands(store.sessions.end(one, at=NOW)) == "✓ completed"
        assert stands(store.sessions.end(one, "failed", at=NOW)) == "✗ failed"


@pytest.mark.parametrize(
    ("ms", "shown"), [(40_000, "40s"), (56 * MINUTE, "56m"), (130 * MINUTE, "2h10"), (50 * HOUR, "2d")]
)
def test_how_long_a_session_lasted_is_short(empty: Path, ms: int, shown: str) -> None:
    with Store.open(empty) as store:
        one = store.sessions.start("one", at=NOW - ms)
        row: SessionRow = store.sessions.row(store.sessions.end(one, at=NOW))
        assert lasted(row) == shown


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (NOW, "Today"),
        (NOW - DAY, "Yesterday"),
        (NOW - 5 * DAY, "Thu 12 Feb"),
        (NOW - 365 * DAY, "Mon 17 Feb 2025"),
        (NOW + DAY, "Wed 18 Feb"),
        (0, "No date"),
    ],
)
def test_a_day_is_named_as_near_as_it_is(ms: int, shown: str) -> None:
    assert day_name(ms, NOW) == shown


async def test_a_session_is_deleted_as_a_whole_and_comes_back(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "d")
        await idle(pilot)
        with Store.open(one_session) as store:
            assert (store.sessions.count(), store.stats().observations) == (0, 0)
        await press(pilot, "u")
        await idle(pilot)
        with Store.open(one_session) as store:
            assert store.sessions.count() == 1
            assert len(store.observations.recent()) == 3


async def test_x_hides_a_session_with_all_it_holds(one_session: Path) -> None:
    async with opened(one_session) as pilot:
        await press(pilot, "escape", "3", "x")
        await idle(pilot)
        with Store.open(one_session) as store:
            assert (store.sessions.count(), len(store.find("").page().hits)) == (0, 0)
        await press(pilot, "u")
        await idle(pilot)
        with Store.open(one_session) as store:
            assert store.sessions.count() == 1
            assert len(store.observations.recent()) == 3


@pytest.fixture
def four_days(empty: Path) -> Path:
    """Sessions on four days: 3, 1, 2 and one without a date; two of them are of another project."""
    with Store.open(empty) as store, store.transaction():
        for number, ago in enumerate([HOUR, 2 * HOUR, 3 * HOUR, DAY, 9 * DAY, 9 * DAY + HOUR]):
            project = "infra" if number in (1, 4) else "atlas"
            one = store.sessions.start(f"s{number}", project=project, title=f"Task {number}", at=NOW - ago)
            store.observations.add(one, title=f"Found {number}", at=NOW - ago)
        store.sessions.start("undated", project="atlas", title="Undated", at=NOW)
        store.db.execute("UPDATE sessions SET started_at = 0 WHERE content_session_id = 'undated'")
    return empty


async def test_sessions_stand_under_their_days(four_days: Path) -> None:
    async with opened(four_days, size=LOW) as pilot:
        await press(pilot, "escape", "3")
        shown = [line[1:].split("  ")[0].strip("─ ") for line in lines_of(pilot)[1:]]
        assert [" ".join(line.replace("─", "").split()) for line in shown] == [
            "Today 3 sessions",
            *("● Task 0", "○ Task 1", "○ Task 2"),
            "Yesterday",
            "○ Task 3",
            "Sun 8 Feb 2 sessions",
            *("○ Task 4", "○ Task 5"),
            "No date",
            "○ Undated",
        ]


async def test_the_cursor_passes_over_the_days(four_days: Path) -> None:
    async with opened(four_days, size=LOW) as pilot:
        await press(pilot, "escape", "3")
        seen = []
        for _ in range(7):
            chosen = sessions(pilot).sessions.session
            seen.append(chosen.session.title if chosen else None)
            await press(pilot, "j")
        assert seen == [*(f"Task {number}" for number in range(6)), "Undated"]
        await press(pilot, "home")
        chosen = sessions(pilot).sessions.session
        assert chosen is not None and chosen.session.title == "Task 0"
        assert "Today" in lines_of(pilot)[1]


async def test_the_filter_counts_sessions(four_days: Path) -> None:
    async with opened(four_days, size=LOW) as pilot:
        await press(pilot, "escape", "3", "f")
        choices = pilot.app.screen.query_one(ChoiceList)
        assert [" ".join(line.split()) for line in text(choices).split("\n")][:4] == [
            "▌everything",
            "atlas project 5",
            "infra project 2",
            "manual agent 7",
        ]
        await press(pilot, *"infra", "enter")
        assert sessions(pilot).sessions.title == "Sessions 2 of 7 · infra"
        assert not any("infra" in line for line in lines_of(pilot))


async def test_any_number_of_days_can_be_walked_through(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(1_500):
            at = NOW - number * DAY // 3 - number * MINUTE
            store.sessions.start(f"session-{number}", title=f"task {number}", at=at)
    async with opened(empty, size=LOW) as pilot:
        app(pilot).action_go("sessions")
        await idle(pilot)
        await press(pilot, "G")
        last = sessions(pilot).sessions.session
        assert last is not None and last.session.title == "task 1499"
        await press(pilot, *["pageup"] * 3)
        titles = [line.split()[2] for line in lines_of(pilot) if "task" in line]
        assert titles == [str(number) for number in range(int(titles[0]), int(titles[-1]) + 1)]
        assert len(titles) > 10


async def test_a_session_without_a_date_is_found_too(empty: Path) -> None:
    with Store.open(empty) as store:
        store.sessions.start("late", title="Tiles of another clock", at=1 << 58)
        early = store.sessions.start("early", title="Tiles of no clock", at=-5)
        store.prompts.add(early, "why?", at=NOW)
    async with opened(empty) as pilot:
        await press(pilot, "escape", "3", "slash", *"tiles", "enter")
        _, day, *rows = text(sessions(pilot).sessions).splitlines()
        assert day.split()[:2] == ["No", "date"] and day.endswith("2 sessions")
        assert "Tiles of another clock" in rows[0] and "Tiles of no clock" in rows[1]


async def test_what_a_session_was_about_is_beside_the_list_where_there_is_room(one_session: Path) -> None:
    async with opened(one_session, size=(120, 40)) as pilot:
        await press(pilot, "escape", "3")
        shown = text(sessions(pilot).preview)
        assert "Tiles" in shown and "atlas · codex · 01234567" in shown
        assert "▸ 1 prompt" in shown
        assert "why are the tiles late?" in shown
        assert "fonts.ts" in shown
    async with opened(one_session, size=LOW) as pilot:
        await press(pilot, "escape", "3")
        assert not sessions(pilot).preview.display


async def test_the_preview_follows_the_cursor(four_days: Path) -> None:
    async with opened(four_days, size=(120, 40)) as pilot:
        await press(pilot, "escape", "3", "j", "j", "j")
        assert "Task 3" in text(sessions(pilot).preview)
        await press(pilot, "k")
        assert "Task 2" in text(sessions(pilot).preview)


async def test_the_preview_of_a_long_session_begins_with_its_first_prompts(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        one = store.sessions.start("long", project="atlas", title="长会话", at=NOW - DAY)
        for number in range(400):
            store.prompts.add(one, f"Question {number}", at=NOW - DAY + number * MINUTE)
            store.observations.add(
                one, title=f"Found {number}", type="note", files_read=[f"{number}.py"], at=NOW - number
            )
    async with opened(empty, size=(120, 40)) as pilot:
        await press(pilot, "escape", "3")
        preview = text(sessions(pilot).preview)
        assert "长会话" in preview and "400 note" in preview and "400 prompt" in preview
        assert [f"Question {number}" in preview for number in range(6)] == [True] * 5 + [False]
        assert "and 395 more" in preview


@pytest.fixture
def family(empty: Path) -> Path:
    """Two sessions that go on from each other, the newer with a sub-agent, and one between that stands
    alone."""
    with Store.open(empty) as store:
        for at, id in enumerate(("first", "alone", "second"), start=1):
            session = store.sessions.start(id, agent="codex", project="atlas", title=id, at=at * 1_000)
            store.observations.add(session, title=f"Work of {id}")
        store.observations.add("second", title="Read a.py", subagent="agent-7")
        store.sessions.continue_from(store.sessions.get("second"), "codex", "first")
    return empty


async def test_a_family_is_folded_below_its_newest_session_and_an_arrow_unfolds_it(family: Path) -> None:
    async with opened(family, size=(160, 40)) as pilot:
        await press(pilot, "escape", "3")
        lines = lines_of(pilot)[2:]
        assert ["▸2 second" in line for line in lines] == [True, False]
        await press(pilot, "right")
        signs = [line[2:].split("  atlas")[0].strip() for line in lines_of(pilot)[2:7]]
        assert [sign.split()[:2] for sign in signs] == [
            ["▾2", "second"], ["↳", "first"], ["↳", "second"], ["↳", "agent-7"], ["alone"],
        ]  # fmt: skip
        await press(pilot, "j")
        assert sessions(pilot).edited == "@1"
        assert "Family: 2 sessions · 1 sub-agent" in text(sessions(pilot).preview)
        await press(pilot, "left")
        assert len(lines_of(pilot)) == 4
        assert sessions(pilot).edited == "@3"
        await press(pilot, "enter")
        assert "goes on from @1 codex" in str(session(pilot).head.lower.left)


async def test_a_fork_that_is_called_as_its_origin_is_told_apart_by_what_was_asked(empty: Path) -> None:
    with Store.open(empty) as store:
        origin = store.sessions.start("c-1", project="atlas", title="Weeks", at=NOW - 2_000)
        store.prompts.add(origin, "add weeks", at=NOW - 2_000)
        fork = store.sessions.start("c-2", project="atlas", title="Weeks", at=NOW - 1_000)
        store.prompts.add(fork, "and months", at=NOW - 1_000)
        store.sessions.continue_from(fork, "", "c-1")
    async with opened(empty, size=(120, 40)) as pilot:
        await press(pilot, "escape", "3")
        lines = "\n".join(lines_of(pilot))
        assert "Weeks › and months" in lines and "› add weeks" not in lines
