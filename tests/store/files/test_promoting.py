"""Memories go into agents' files and come from them, and stay one."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.agents.homes import AgentHomes
from memtui.store.capture.ingest.cleaning import cleaned
from memtui.store.leaves.files.linking import Promotion, adopt, passage
from memtui.store.leaves.files.markup import field
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.errors import InvalidRecordError, NotFoundError
from memtui.store.records.kinds import ref_of
from memtui.store.tables.removal.purge_selection import Selection
from memtui.store.text.private_tags import comment

TEXT = "# Shop\n\n## Build\n\n- Use make.\n\n## Tests\n\nAll of them.\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "CLAUDE.md"
    path.write_text(TEXT)
    return path


def test_a_fact_becomes_a_bullet_of_a_section_and_is_renewed(store: Store, file: Path) -> None:
    fact = store.facts.add("Use pnpm, never npm.")
    bullet = f"- Use pnpm, never npm. {comment(fact.uid)}\n"
    done = Promotion(store).to_file(ref_of(fact), file, "Build")
    assert done.is_new
    assert file.read_text() == TEXT.replace("- Use make.\n", f"- Use make.\n{bullet}")
    store.edit(ref_of(fact), {"content": "Use pnpm 9."})
    again = Promotion(store).to_file(ref_of(fact), file)
    assert not again.is_new
    assert file.read_text() == TEXT.replace(
        "- Use make.\n", f"- Use make.\n- Use pnpm 9. {comment(fact.uid)}\n"
    )
    store.undo()
    store.undo()
    store.undo()
    assert file.read_text() == TEXT


@pytest.mark.parametrize(
    ("before", "heading", "after"),
    [
        ("", "", "BULLET"),
        ("text\n", "", "text\n\nBULLET"),
        ("- a\n", "", "- a\nBULLET"),
        ("# A\n\n- a\n\n# B\n", "a", "# A\n\n- a\nBULLET\n# B\n"),
        ("# A\n", "New", "# A\n\n## New\n\nBULLET"),
        ("```\n# A\n```\n", "A", "```\n# A\n```\n\n## A\n\nBULLET"),
    ],
)
def test_a_bullet_stands_last_in_its_section(
    store: Store, file: Path, before: str, heading: str, after: str
) -> None:
    file.write_text(before)
    fact = store.facts.add("x")
    Promotion(store).to_file(ref_of(fact), file, heading)
    assert file.read_text() == after.replace("BULLET", f"- x {comment(fact.uid)}\n")


def test_a_memory_becomes_a_note_with_its_line_and_is_renewed(store: Store, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    made = store.observations.add(None, title="Why pnpm", narrative="It is faster.")
    done = Promotion(store).to_note(ref_of(made), tmp_path)
    text = done.path.read_text()
    assert done.path.name == "why-pnpm.md"
    assert (field(text, "memtui"), field(text, "type")) == (made.uid, "project")
    assert text.endswith("---\n\nIt is faster.\n")
    index = (tmp_path / "MEMORY.md").read_text()
    assert index == "# Memory\n- [Why pnpm](why-pnpm.md) — Why pnpm: It is faster.\n"
    store.edit(ref_of(made), {"narrative": "It is strict."})
    again = Promotion(store).to_note(ref_of(made), tmp_path)
    assert (again.path, again.is_new) == (done.path, False)
    assert again.path.read_text() == text.replace("faster", "strict")


def test_an_agent_is_told_where_it_remembers(store: Store, tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    here = AgentHomes(tmp_path, {})
    fact = store.facts.add("Use pnpm.")
    promotion = Promotion(store)
    places = [
        promotion.to_agent(ref_of(fact), agent, here, shop).path
        for agent in ("claude-code", "codex", "gemini", "copilot")
    ]
    assert places == [
        shop / "CLAUDE.md", shop / "AGENTS.md", shop / "GEMINI.md",
        shop / ".github/copilot-instructions.md",
    ]  # fmt: skip
    with pytest.raises(InvalidRecordError, match="--to FILE"):
        promotion.to_agent(ref_of(fact), "nobody", here, shop)


def test_what_is_private_is_not_promoted(store: Store, file: Path) -> None:
    fact = store.facts.add("secret of mine", private=True)
    with pytest.raises(InvalidRecordError, match="private"):
        Promotion(store).to_file(ref_of(fact), file)
    assert file.read_text() == TEXT


def test_promoted_text_that_comes_back_is_not_learned_twice(store: Store, file: Path) -> None:
    fact = store.facts.add("Use pnpm, never npm.")
    Promotion(store).to_file(ref_of(fact), file)
    event = {"tool_response": {"file": {"content": file.read_text()}}}
    assert cleaned(event) == {"tool_response": {"file": {"content": TEXT + "\n"}}}


def test_a_line_is_adopted_once(store: Store, file: Path) -> None:
    fact, is_new = adopt(store, passage(file, line=5), "fact", "shop")
    assert is_new
    assert (fact.source, fact.native_id is not None) == ("files", True)
    assert store.facts.get(ref_of(fact)).content == "Use make."
    assert adopt(store, passage(file, line=5), "fact", "shop") == (fact, False)


def test_a_section_becomes_a_decision_and_a_file_a_note(store: Store, file: Path) -> None:
    part = passage(file, heading="Tests")
    assert (part.title, part.text) == ("Tests", "All of them.")
    decision, _ = adopt(store, part, "decision", "shop")
    assert adopt(store, part, "decision", "shop") == (decision, False)
    note, is_new = adopt(store, passage(file), "note", "shop")
    assert is_new
    assert adopt(store, passage(file), "note", "shop") == (note, False)


def test_what_was_promoted_is_not_adopted(store: Store, file: Path) -> None:
    fact = store.facts.add("Use pnpm.")
    Promotion(store).to_file(ref_of(fact), file, "Build")
    with pytest.raises(InvalidRecordError, match="promoted"):
        passage(file, line=6)
    with pytest.raises(NotFoundError):
        passage(file, line=60)
    with pytest.raises(NotFoundError):
        passage(file, heading="No")


@pytest.mark.parametrize("in_a_note", [False, True])
def test_a_purge_names_the_file_that_its_memory_was_promoted_to(
    store: Store, file: Path, in_a_note: bool
) -> None:
    # Nothing of it stands there as the memory has it: it is known by its mark alone.
    decision = store.observations.add(None, title="Lint", narrative="Use\nruff", type="decision")
    promotion = Promotion(store)
    if in_a_note:
        file = promotion.to_note(ref_of(decision), file.parent).path
    else:
        promotion.to_file(ref_of(decision), file)
    done = purge_for_good(store, Selection({"observations": (decision.id,)}))
    assert file in [left.path for left in done.sources]
