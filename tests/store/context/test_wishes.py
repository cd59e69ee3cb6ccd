"""What the user wanted in any session of a project is told at a start, a line each, as long as it holds."""

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.log import append_log_entry
from memtui.store.context.wrapper import Context
from tests.store.context.test_turns import add_turn, section

DAY = 86_400_000
BLUE = "The buoys should be painted blue before they are counted."
QUIET = "Never sound the horn at night, whatever the fog."


def wanted(store: Store) -> list[str]:
    text = compose(store.db, "atlas").text
    return section(text, "Wanted before") if "## Wanted before" in text else []


def later_sessions(store: Store, count: int) -> None:
    for number in range(count):
        add_turn(store, f"later-{number}", 1, f"Weigh anchor {number}", "Done.", at=(number + 10) * DAY)


def test_what_was_wanted_sessions_ago_is_told_in_a_line_with_its_day(store: Store) -> None:
    add_turn(store, "c-1", 1, f"Look at the harbour. {BLUE} Is it deep?", "It is deep.", at=DAY)
    later_sessions(store, 8)
    assert wanted(store) == [f"- p1 02 Jan: {BLUE}"]


def test_tasks_that_are_over_questions_and_consent_are_not_told(store: Store) -> None:
    for number, prompt in enumerate(
        ("Paint the buoys", "Why is the fog so thick?", "yes, go on", "Fix all"), 1
    ):
        add_turn(store, "c-1", number, prompt, "Done.")
    later_sessions(store, 2)
    assert not wanted(store)


def test_the_wishes_of_the_last_session_are_told_in_its_turns_alone(store: Store) -> None:
    add_turn(store, "c-1", 1, BLUE, "They are blue.")
    assert not wanted(store)
    assert BLUE in compose(store.db, "atlas").text


def test_what_was_given_up_or_came_with_a_log_is_not_told(store: Store) -> None:
    add_turn(store, "c-1", 1, BLUE, "The paint came off, so I took it out again.")
    add_turn(store, "c-1", 2, f"{QUIET}\n" + "WARN the horn sounds\n" * 9, "I see.")
    later_sessions(store, 2)
    assert not wanted(store)


def test_what_another_decision_replaced_is_told_only_where_that_says_so(store: Store) -> None:
    add_turn(store, "c-1", 1, BLUE, "They are blue.", at=DAY)
    add_turn(store, "c-2", 1, "Weigh anchor", "Done.", at=2 * DAY)
    prompt = store.prompts.get(1)
    old = store.facts.add("Buoys are blue", project="atlas", evidence=[prompt.uid], at=DAY)
    new = store.facts.add("Buoys are red", project="atlas", at=3 * DAY)
    assert wanted(store)
    store.supersede(old.uid, new.uid)
    assert not wanted(store)
    assert "Buoys are red (100%; was until 04 Jan: Buoys are blue)" in compose(store.db, "atlas").text


def test_what_was_told_at_starts_again_and_again_comes_after_what_was_not(store: Store) -> None:
    add_turn(store, "c-1", 1, QUIET, "It is silent.", at=DAY)
    add_turn(store, "c-2", 1, BLUE, "They are blue.", at=2 * DAY)
    later_sessions(store, 1)
    assert [line[:4] for line in wanted(store)] == ["- p2", "- p1"]
    for number in range(2):
        append_log_entry(store.db, "codex", f"x-{number}", "atlas", Context("told", ["p2"]))
    assert [line[:4] for line in wanted(store)] == ["- p1", "- p2"]


def test_what_a_fact_says_already_is_not_told_twice(store: Store) -> None:
    add_turn(store, "c-1", 1, f"{BLUE} {QUIET}", "Done.", at=DAY)
    store.facts.add(QUIET, project="atlas")
    later_sessions(store, 1)
    assert wanted(store) == [f"- p1 02 Jan: {BLUE}"]


def test_wishes_in_chinese(store: Store) -> None:
    add_turn(store, "c-1", 1, "看一下港口。浮标必须先刷成蓝色再清点。", "好的。", at=DAY)
    later_sessions(store, 1)
    assert wanted(store) == ["- p1 02 Jan: 浮标必须先刷成蓝色再清点。"]
