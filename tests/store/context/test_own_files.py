"""What the agent's own files tell already is left out of a context."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.own_files import AgentsFile, own_files
from memtui.store.context.preview import preview
from memtui.store.leaves.files.reports import note_report
from memtui.store.records.events import Event
from memtui.store.text.language.same import gist

AT = 1_790_000_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "atlas"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def store(tmp_path: Path, root: Path) -> Store:
    opened = Store.open(tmp_path.resolve() / "memory.db")
    opened.sessions.start("c-1", agent="claude-code", project="atlas", project_path=str(root))
    opened.db.execute(
        "INSERT INTO project_places (project, kind, place) VALUES ('atlas', 'root', ?)", (str(root),)
    )
    opened.facts.add("Use pnpm, never npm", project="atlas")
    opened.facts.add("Tokens expire after 24 hours", project="atlas")
    opened.notes.upsert("MEMORY.md", "Use pnpm, never npm.\nThe port is 8080.", project="atlas")
    return opened


def report(store: Store, folder: Path, path: Path, reason: str = "session_start") -> None:
    extra: dict[str, object] = {"path": str(path), "type": "Project", "reason": reason}
    event = Event(kind="instructions", agent="claude-code", session="c-1", cwd=str(folder), extra=extra)
    assert note_report(store.path, event, AT)


def told(store: Store, agent: str = "claude-code") -> str:
    return compose(store.db, "atlas", own=own_files(store.db, "atlas", agent)).text


def test_a_fact_that_a_file_tells_in_other_words_is_left_out(store: Store, root: Path) -> None:
    file = root / "CLAUDE.md"
    file.write_text("# Tools\n\n- Always use pnpm, never npm\n- Run `make check`\n")
    before = told(store)
    assert before.count("pnpm") == 2
    report(store, root, file)
    after = told(store)
    assert "expire after 24 hours" in after
    # The note says more than the file does, and stays.
    assert after.count("pnpm") == 1 and "8080" in after
    assert told(store, "codex").count("pnpm") == 2
    file.unlink()
    assert told(store).count("pnpm") == 2


def test_a_note_that_a_file_tells_whole_is_left_out(store: Store, root: Path) -> None:
    file = root / "CLAUDE.md"
    file.write_text("Use pnpm, never npm. The port is 8080.\n")
    report(store, root, file)
    given = compose(store.db, "atlas", own=own_files(store.db, "atlas", "claude-code"))
    assert given.in_files == (("f1", str(file)), ("n1", str(file)))
    assert given.refs == ("f2",)


def test_what_was_chosen_or_pinned_is_told_all_the_same(store: Store, root: Path) -> None:
    own = [AgentsFile("CLAUDE.md", "Use pnpm, never npm.")]
    store.facts.pin(store.facts.get(1))
    assert "pnpm" in compose(store.db, "atlas", own=own).text.partition("## Notes")[0]


def test_the_preview_names_the_files_and_what_they_tell(store: Store, root: Path) -> None:
    file = root / "CLAUDE.md"
    file.write_text("Use pnpm, never npm.\n")
    report(store, root, file)
    below = root / "pkg.md"
    below.write_text("Tokens expire after 24 hours.\n")
    report(store, root, below, "include")
    found = preview(store, "atlas")
    assert [path for path, _ in found.own_files] == [str(file)]
    forms = {item.ref: (item.form, item.file) for item in found.items}
    assert forms["f1"] == ("in files", str(file))
    assert forms["f2"] == ("full", "")
    sections = [item.section for item in found.items]
    assert sections == sorted(sections, key=sections.index)


def test_nothing_is_read_of_what_is_no_file(store: Store, root: Path) -> None:
    report(store, root, root)
    report(store, root, root / "gone.md")
    assert own_files(store.db, "atlas", "claude-code") == []
    assert own_files(store.db, "elsewhere", "claude-code") == []


@pytest.mark.parametrize(
    ("line", "fact", "is_told"),
    [
        ("- Moved the token refresh to the gateway", "The token refresh was moved to the gateway", 1),
        ("接口改用 gRPC，不再用 REST", "接口使用 gRPC，不再用 REST", 1),
        ("数据库使用 Postgres", "数据库使用 MySQL", 0),
        ("Retry 3 times", "Retry 5 times", 0),
        ("Use npm", "Never use npm", 0),
        ("Use pnpm.\nNever use npm.", "Use pnpm", 1),
    ],
)
def test_what_tells_the_same_is_judged_as_everywhere(line: str, fact: str, is_told: int) -> None:
    assert AgentsFile("CLAUDE.md", f"# Notes\n\nOther things.\n{line}\n").tells(gist(fact)) == bool(is_told)
    assert any(gist(one).covers(gist(fact)) for one in line.split("\n")) == bool(is_told)
