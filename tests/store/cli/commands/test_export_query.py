"""`mem export --query`: what a search matches goes, in every format, and nothing else."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.export import Format, export_to

from ..runner import Mem, filling

AT = 1_771_000_000_000
CHOSEN = ("wanted drift", "wanted prompt", "wanted request", "wanted fact")
FORMATS = {
    "jsonl": "out.jsonl", "claude-mem": "out.db", "scheme-c": "out", "markdown": "pages",
    "html": "site",
}  # fmt: skip


@filling
def mixed(mem: Mem) -> None:
    """Two sessions: of the first some memories are chosen, of the second none."""
    with Store.open(mem.db) as store:
        for key, word in (("c-1", "wanted"), ("c-1", "canary"), ("c-2", "canary")):
            session = store.sessions.start(key, agent="codex", project="atlas", at=AT)
            store.prompts.add(session, f"{word} prompt", at=AT)
            store.observations.add(session, title=f"{word} drift", at=AT + 1)
            store.summaries.add(session, request=f"{word} request", at=AT + 2)
            store.facts.add(f"{word} fact", at=AT)
            store.notes.upsert(f"{word}.md", f"{word} of a note", at=AT)
        store.observations.add("c-1", title="wanted but canary", private=True, at=AT)
        store.pending.add(session, tool_input="canary payload", event_id="e-1")
        store.searches.save("canary", "canary")


def written(place: Path) -> bytes:
    files = [place] if place.is_file() else [one for one in place.rglob("*") if one.is_file()]
    return b"\n".join(one.read_bytes() for one in files)


@pytest.mark.parametrize("format", [*FORMATS, "page"])
def test_a_query_is_exported_in_every_format_and_nothing_else(
    mixed: Mem, tmp_path: Path, format: str
) -> None:
    place = tmp_path / FORMATS.get(format, "page.md")
    format = "markdown" if format == "page" else format
    made = mixed.json("export", format, str(place), "--query", "wanted")
    found = written(place)
    held = CHOSEN[:3] if format == "claude-mem" else CHOSEN
    assert [text for text in held if text.encode() not in found] == []
    assert b"canary" not in found
    counts = {table: many for table, many in made["counts"].items() if many}
    records = {"observations", "session_summaries", "summaries", "prompts", "user_prompts", "facts"}
    if format == "markdown" and place.is_dir():
        # A page a session.
        assert counts == {"sessions": 1, "facts": 1}
        return
    assert sum(many for table, many in counts.items() if table in records) == len(held)


def test_what_was_chosen_comes_into_another_memory_and_never_takes_its_place(
    mixed: Mem, tmp_path: Path
) -> None:
    place = str(tmp_path / "out.jsonl")
    mixed.ok("export", "jsonl", place, "--query", "wanted")
    other = ("--db", str(tmp_path / "other.db"))
    mixed.ok(*other, "import", place)
    hits = mixed.json(*other, "search", "")
    assert sorted(hit["title"] for hit in hits) == sorted(CHOSEN)
    told = mixed.refused("rebuild", "--from", place)
    assert "holds chosen memories only" in told
    assert len(mixed.json("search", "canary")) > 2
    before = mixed.json("search", "wanted")
    mixed.ok("import", place)
    assert mixed.json("search", "wanted") == before


def test_hidden_ones_need_the_query_and_the_flag(mixed: Mem, tmp_path: Path) -> None:
    place = tmp_path / "out.jsonl"
    mixed.refused("export", "jsonl", str(place), "--query", "wanted is:private")
    mixed.ok("export", "jsonl", str(place), "--query", "wanted is:private", "--with-private")
    assert b"wanted but canary" in place.read_bytes()


def test_a_query_without_hits_writes_nothing(mixed: Mem, tmp_path: Path) -> None:
    place = tmp_path / "out.jsonl"
    assert "Nothing matches nowhere" in mixed.refused("export", "jsonl", str(place), "--query", "nowhere")
    assert not place.exists()
    mixed.refused("export", "jsonl", str(place), "--query", " ", code=2)


@pytest.mark.parametrize("format", FORMATS)
def test_a_query_whose_hits_are_all_left_out_writes_nothing(
    mixed: Mem, tmp_path: Path, format: str
) -> None:
    place = tmp_path / FORMATS[format]
    told = mixed.refused("export", format, str(place), "--query", "wanted is:private")
    assert "private, deleted or pending (1 observation); nothing was written" in told
    assert ("--with-private" in told) == (format in ("jsonl", "markdown", "html"))
    assert not place.exists()


@pytest.mark.parametrize("format", FORMATS)
def test_a_session_of_left_out_hits_only_stays(mixed: Mem, tmp_path: Path, format: Format) -> None:
    with Store.open(mixed.db) as store:
        session = store.sessions.start("unseen-session", project="secret-place", title="Hushed", at=AT)
        hidden = store.observations.add(session, title="drift unseen", private=True, at=AT)
        refs = [*store.find("wanted drift").refs(), str(hidden.id)]
        place = tmp_path / FORMATS[format]
        made = export_to(store, format, place, refs=refs)
    assert made.left_out == {"observations": 1}
    found = written(place)
    assert b"wanted drift" in found
    assert b"Hushed" not in found and b"secret-place" not in found and b"unseen-session" not in found


def test_a_query_goes_to_standard_output(mixed: Mem) -> None:
    done = mixed.process("export", "jsonl", "-", "--query", "wanted kind:fact")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["table"] for one in lines] == ["memtui", "facts", "fact_sources", "end"]
    assert lines[0]["selection"] is True


@pytest.mark.parametrize("format", FORMATS)
def test_a_session_or_a_project_is_exported_in_every_format(
    mixed: Mem, tmp_path: Path, format: str
) -> None:
    mixed.ok("export", format, str(tmp_path / "s" / FORMATS[format]), "--session", "c-2")
    found = written(tmp_path / "s" / FORMATS[format])
    assert b"canary drift" in found
    assert b"wanted drift" not in found
    mixed.ok("export", format, str(tmp_path / "p" / FORMATS[format]), "--project", "atlas")
    found = written(tmp_path / "p" / FORMATS[format])
    assert b"canary drift" in found
    assert b"wanted drift" in found
    assert b"wanted but canary" not in found


def test_what_is_not_there_or_meant_twice_is_refused(mixed: Mem, tmp_path: Path) -> None:
    place = tmp_path / "out"
    for chosen, code in (
        (("--project", "nowhere"), 1),
        (("--session", "nowhere"), 1),
        (("--session", "c-1", "--query", "wanted"), 2),
    ):
        assert mixed("export", "html", str(place), *chosen).exit_code == code
    assert not place.exists()
