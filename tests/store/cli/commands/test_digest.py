"""`mem digest`: what some days came to, of what was said and done in them alone."""

from datetime import datetime, timedelta
from pathlib import Path

from memtui.store import Store
from memtui.store.leaves.digest.digest import WORDS, digest, moments
from memtui.store.records.events import Usage
from memtui.store.text.language.folding import words_of

from ..runner import Mem, filling

NOON = datetime.now().replace(hour=12, minute=0, second=0, microsecond=0)


def ms(days: float) -> int:
    """A moment so many days before today's noon."""
    return round((NOON - timedelta(days=days)).timestamp() * 1000)


def day(days: int) -> str:
    return str((NOON - timedelta(days=days)).date())


@filling
def filled(mem: Mem) -> None:
    with Store.open(mem.db) as store:
        add = store.summaries.add
        for days, number in ((9, 1), (3, 2), (2, 3)):
            store.sessions.start(f"c-{number}", agent="claude-code", project="atlas")
            add(f"c-{number}", completed=f"Built part {number}", learned=f"Decided: take way {number}",
                next_steps=f"Ship part {number}", notes=f"tests: {number} failed", at=ms(days))  # fmt: skip
        store.sessions.start("c-4", agent="codex", project="borealis")
        add("c-4", completed="- Wrote the manual\n- Drew the map", at=ms(2))
        store.facts.add("Use pnpm, never npm", kind="O", project="borealis", at=ms(2), sources=("c-4",))


def test_it_tells_of_the_time_that_is_asked_for_alone(filled: Mem) -> None:
    text = filled.ok("digest", "--since", "4d", "--until", day(1))
    assert text.startswith(f"# {day(4)} – {day(1)}\n")
    assert "## atlas (2 sessions)" in text and "## borealis (1 session)" in text
    assert "**Done**\n\n- Built part 3 [@3]\n- Built part 2 [@2]" in text
    assert "- take way 3 [@3]" in text
    assert "part 1" not in text and "way 1" not in text


def test_what_is_left_and_failed_is_of_the_last_session(filled: Mem) -> None:
    text = filled.ok("digest", "--since", "4d", "--project", "atlas")
    assert "- Ship part 3" in text and "Ship part 2" not in text
    assert "tests: 3 failed" in text and "tests: 2 failed" not in text
    assert "borealis" not in text


def test_an_empty_time_is_none(filled: Mem) -> None:
    for option in ("--since", "--until"):
        result = filled("digest", option, "")
        assert result.exit_code == 2 and "'' is not a time" in result.output


def test_json_says_the_same(filled: Mem) -> None:
    found = filled.json("digest", "--since", day(3), "--until", day(2))
    assert [item["project"] for item in found["projects"]] == ["atlas", "borealis"]
    atlas, borealis = found["projects"]
    assert atlas["done"][0] == {"text": "Built part 3", "session": "@3"}
    assert [line["text"] for line in borealis["done"]] == ["Wrote the manual", "Drew the map"]
    assert atlas["left_out"] == 0 and found["idle_days"] == []


def test_days_without_work_say_so(filled: Mem) -> None:
    told = filled.ok("digest", "--since", "today")
    assert f"No work is stored of these days. The last before them is of {day(2)}." in told
    earlier = filled.ok("digest", "--since", day(8), "--until", day(5))
    assert f"The last before them is of {day(9)}." in earlier
    assert filled.ok("digest", "--since", day(20), "--until", day(15)).endswith("of these days.")
    assert filled.json("digest", "--since", "today")["projects"] == []
    text = filled.ok("digest", "--since", day(3), "--until", day(1))
    assert f"No work is stored of {day(1)}." in text


def test_what_is_no_time_or_ends_before_it_begins_is_refused(filled: Mem) -> None:
    for words in (("--since", "soonish"), ("--until", "soonish"), ("--since", day(1), "--until", day(3))):
        said = filled.refused("digest", *words, code=2)
        assert "soonish" in said or "is not before" in said


def test_hidden_work_and_sub_agents_are_not_told(filled: Mem) -> None:
    filled.ok("delete", "s2", "s3")
    with Store.open(filled.db) as store:
        parent = store.sessions.get("c-4")
        child = store.sessions.continue_from(parent, "claude-code", "c-5")
        store.summaries.add(child, completed="Looked at all files", at=ms(2))
    text = filled.ok("digest", "--since", "4d")
    assert "Built" not in text


def test_it_is_of_at_most_300_words_whatever_there_is(filled: Mem) -> None:
    with Store.open(filled.db) as store:
        for number in range(40):
            name = f"project-{number % 5}"
            store.sessions.start(f"d-{number}", agent="codex", project=name)
            lines = "\n".join(
                f"- Part {number} {place} of 缓存 was made anew {number}" for place in range(9)
            )
            store.summaries.add(f"d-{number}", completed=lines, at=ms(2))
        result = digest(store, *(moments("4d") or (0, 0)))
    assert WORDS - 70 < len(words_of(result.text)) <= WORDS
    assert all(item.lines for item in result.projects)
    assert all(item.left_out for item in result.projects if item.project.startswith("project"))


def test_what_a_turn_said_is_told_on_its_day(tmp_path: Path) -> None:
    """A session goes on for days, and its summary is of all of them."""
    with Store.open(tmp_path / "m.db") as store:
        store.sessions.start("c-1", agent="claude-code", project="atlas")
        for days, title in ((3, "Committed: first"), (2, "Committed: second")):
            store.observations.add("c-1", title=title, type="change", at=ms(days))
        result = digest(store, *(moments(day(2), day(2)) or (0, 0)))
    assert [line.text for line in result.projects[0].lines] == ["Committed: second"]


def test_the_cost_is_told(tmp_path: Path) -> None:
    with Store.open(tmp_path / "m.db") as store:
        session = store.sessions.start("c-1", agent="claude-code", project="atlas")
        store.observations.add("c-1", title="Committed: first", type="change", at=ms(2))
        columns = "session_id, message, model, at, input, output, cache_read, cache_written"
        sql = (
            f"INSERT INTO token_usage ({columns}) VALUES (?, 'm', 'claude-sonnet-4-5', ?, 1000000, 0, 0, 0)"
        )
        store.db.execute(sql, (session.id, ms(2)))
        result = digest(store, *(moments("4d") or (0, 0)))
    assert "$3.00" in result.projects[0].about
    assert Usage(1_000_000, 0, 0, 0).input == result.projects[0].tokens


def test_what_waits_for_its_users_word_is_counted_alone(filled: Mem) -> None:
    with Store.open(filled.db) as store, store.transaction():
        store.observations.add("c-3", title="Decided: take no way", type="decision", at=ms(2))
        for record in (store.facts.get("1"), store.record("s3"), store.record("1")):
            store.reviewing.wait(record)
    text = filled.ok("digest", "--since", "4d")
    assert "pnpm" not in text and "part 3" not in text and "no way" not in text and "part 2" in text
    assert "Waiting for your word (`mem review`): 3" in text
    assert filled.json("digest", "--since", "4d")["waiting"] == 3
    assert "Waiting" not in filled.ok("digest", "--since", "11d", "--until", "8d")
