"""What agents and models write waits for its user's word, where they ask for that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.compact.hits import search_lines
from memtui.store.maintain.reviews import give_verdict, reviews
from memtui.store.platform.errors import InvalidRecordError, NotFoundError
from memtui.store.search.listing.teammates import Teammates

REFS = ["1", "s1", "f1", "n1"]


@pytest.fixture
def waiting(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Store:
    """A store in which one of each kind waits, all about a drift, and another holds."""
    config = tmp_path / "config.toml"
    config.write_text('[memory]\nreview = "agents"\n', "utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    session = store.sessions.start("c-1", agent="codex", project="atlas")
    store.made_by("mem add", "codex")
    with store.change():
        store.observations.add(session, title="drift of the clock", type="decision")
        store.summaries.add(session, request="stop the drift", learned="drift of NTP")
        store.facts.add("clocks drift", kind="B", project="atlas")
        store.notes.upsert("N.md", "drift", project="atlas")
    store.made_by("")
    store.observations.add(session, title="drift of the boat", type="decision")
    return store


def told(store: Store) -> str:
    """All that a start and a search tell."""
    context = compose(store.db, "atlas").text
    return context + search_lines(store, "drift", limit=20).text


def test_the_user_finds_what_waits_and_no_agent_is_told_it(waiting: Store) -> None:
    assert {hit.row.ref for hit in waiting.find("drift").page(turns=False).hits} == {"1", "2", "s1", "f1"}
    assert {row.ref for row in waiting.find("is:pending").rows(0, 9)} == {"1", "s1", "f1"}
    assert {row.ref for row in waiting.find("-is:pending").rows(0, 9)} == {"2"}
    assert {row.ref for row in waiting.find("").rows(0, 9) if row.state == "pending"} == {"1", "s1", "f1"}
    text = told(waiting)
    assert "drift of the boat" in text
    for words in ("clock", "NTP", "N.md"):
        assert words not in text
    assert [*Teammates(waiting.db).told([*REFS, "2"])] == ["2"]
    assert [item.id for item in reviews(waiting)] == ["f1", "1", "s1", "n1"]
    assert {item.author for item in reviews(waiting)} == {"codex"}


def test_what_is_accepted_is_told_and_undo_has_it_wait_again(waiting: Store) -> None:
    assert give_verdict(waiting, REFS, "accepted") == 4
    assert reviews(waiting) == [] and not waiting.find("is:pending").rows(0, 9)
    text = told(waiting)
    for words in ("clock", "NTP", "N.md"):
        assert words in text
    waiting.undo()
    assert len(reviews(waiting)) == 4 and "clock" not in told(waiting)


def test_what_is_refused_is_in_the_trash_and_waits_still_when_it_is_restored(waiting: Store) -> None:
    assert give_verdict(waiting, ["1", "f1"], "kept out") == 2
    assert [item.id for item in reviews(waiting)] == ["s1", "n1"]
    assert {row.ref for row in waiting.find("is:deleted").rows(0, 9)} == {"1", "f1"}
    waiting.observations.restore(1)
    assert "clock" not in told(waiting) and "1" in [item.id for item in reviews(waiting)]


def test_other_words_are_put_in_and_hold(waiting: Store) -> None:
    waiting.reviewing.reword(waiting.facts.get(1), "clocks are steady")
    assert waiting.facts.get(1).content == "clocks are steady" and "clocks are steady" in told(waiting)
    waiting.undo()
    assert waiting.facts.get(1).content == "clocks drift" and "f1" in [it.id for it in reviews(waiting)]


def test_a_fact_takes_the_place_of_another_once_it_is_accepted(waiting: Store) -> None:
    old = waiting.facts.add("we use npm", kind="B", project="atlas")
    waiting.made_by("mem fact supersede", "codex")
    new = waiting.supersede_by_text(old.uid, "we use pnpm").new
    waiting.made_by("")
    assert "npm" in told(waiting) and waiting.facts.get(old.id).superseded_by is None
    give_verdict(waiting, [f"f{new.id}"], "accepted")
    assert waiting.facts.get(old.id).superseded_by == new.uid
    waiting.undo()
    assert waiting.facts.get(old.id).superseded_by is None


@pytest.mark.parametrize(
    ("refs", "verdict", "error"),
    [
        (["2"], "accepted", "doesn't wait"),
        (["1", "2"], "accepted", "doesn't wait"),
        (["f1"], "disputed", "no teammate's"),
    ],
)
def test_of_others_nothing_is_said_and_nothing_changes(
    waiting: Store, refs: list[str], verdict: str, error: str
) -> None:
    with pytest.raises(InvalidRecordError, match=error):
        give_verdict(waiting, refs, verdict)  # type: ignore[arg-type]
    with pytest.raises(NotFoundError):
        give_verdict(waiting, ["1", "99"], "accepted")
    assert len(reviews(waiting)) == 4


def test_it_waits_in_a_copy_too(waiting: Store, tmp_path: Path) -> None:
    from memtui.store.formats.export import export_to
    from memtui.store.maintain.importing import run

    path = tmp_path / "out.jsonl"
    export_to(waiting, "jsonl", path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert sum(line.get("unreviewed") is True for line in lines) == 4
    with Store.open(tmp_path / "other.db") as other:
        run(other, "jsonl", path, None)
        assert len(reviews(other)) == 4 and "clock" not in told(other)
