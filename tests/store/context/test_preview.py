"""A context piece by piece: the text is the one that is given, and each memory's part of it is told."""

import re

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.log_entries import named_log_entries
from memtui.store.context.preview import Preview, preview
from memtui.store.context.scope import Profile, save_profile
from memtui.store.search.listing.rows import named

WORD = re.compile(r'id="[0-9a-f]{8}"')


def fill(store: Store) -> None:
    for number in range(1, 6):
        tale = f"tale {number} " * 20
        store.observations.add("c-1", title=f"Fix {number}", narrative=tale, project="atlas", at=number)
    store.observations.pin(store.observations.get(2))
    store.summaries.add("c-1", request="Login fails", completed="Added leeway", project="atlas")
    store.notes.upsert("MEMORY.md", "# Atlas\n\nTTL is 24 h", project="atlas")


def told(found: Preview) -> dict[str, str]:
    return {part.ref: part.form for part in found.items}


def test_the_text_is_the_one_that_a_session_is_given(store: Store) -> None:
    fill(store)
    for profile in (Profile(), Profile(160, ["4", "n1"], ["2"], ["5"]), Profile(60), Profile(1)):
        save_profile(store, "atlas", profile)
        given, found = compose(store.db, "atlas"), preview(store, "atlas")
        assert WORD.sub("", found.text) == WORD.sub("", given.text)
        assert tuple(part.ref for part in found.items if part.lines) == given.refs


def test_each_memory_tells_where_its_lines_stand(store: Store) -> None:
    fill(store)
    found = preview(store, "atlas")
    lines = found.text.split("\n")
    taken = [at for part in found.items for at in part.lines]
    heads = [at for at, line in enumerate(lines) if line.startswith("##") or "tokens in" in line]
    assert sorted([0, 1, *heads, *taken, len(lines) - 1]) == list(range(len(lines)))
    (note,) = [part for part in found.items if part.ref == "n1"]
    assert [lines[at] for at in note.lines] == ["- n1 MEMORY.md:", "  # Atlas", "  TTL is 24 h"]


def test_each_memory_tells_how_it_is_told(store: Store) -> None:
    fill(store)
    assert set(told(preview(store, "atlas")).values()) == {"full"}
    found = preview(store, "atlas", Profile(170, ["5", "1"], ["2"], ["5"]))
    assert [part.ref for part in found.items][:2] == ["5", "1"]
    assert (told(found)["5"], told(found)["2"]) == ("brief", "out")
    small = preview(store, "atlas", Profile(100))
    assert "to fit" in told(small).values() and "no room" in told(small).values()
    assert all(bool(part.lines) == (part.form in ("full", "brief", "to fit")) for part in small.items)


def test_names_are_those_of_lists_and_only_of_what_can_be_seen(store: Store) -> None:
    fill(store)
    store.facts.add("TTL is 24 h", project="atlas")
    store.observations.set_private(store.observations.get(1))
    found = named(store.db, ["1", "2", "s1", "f1", "n1", "n2", "p1", "x", "", "²", "99999999999999999999"])
    assert {ref: (name.type, name.title) for ref, name in found.items()} == {
        "2": ("note", "Fix 2"),
        "s1": ("summary", "Login fails → Added leeway"),
        "f1": ("fact", "TTL is 24 h"),
        "n1": ("note", "MEMORY.md"),
    }
    assert found["2"].pinned and not found["s1"].pinned


def test_what_was_given_has_the_names_of_its_session_and_memories(store: Store) -> None:
    session = store.sessions.start("c-1", agent="codex", project="atlas", title="Mend the clock")
    fill(store)
    store.db.execute(
        "INSERT INTO given_contexts (at, agent, session, project, tokens, refs) "
        "VALUES (1, 'codex', 'c-1', 'atlas', 90, '[\"2\", \"77\"]')"
    )
    (one,) = named_log_entries(store, "atlas")
    assert one.title == "Mend the clock"
    assert [name.title for name in one.names.values()] == ["Fix 2"]
    assert named_log_entries(store, "other") == []
    store.sessions.set_private(session)
    assert [one.title for one in named_log_entries(store)] == [""]


def test_a_word_of_the_reader_stands_in_the_tag(store: Store) -> None:
    fill(store)
    first, second = (preview(store, "atlas", nonce="0a1b2c3d") for _ in range(2))
    assert first.text == second.text
    assert first.text.startswith('<memtui-context id="0a1b2c3d">')
    assert preview(store, "atlas").text != preview(store, "atlas").text
