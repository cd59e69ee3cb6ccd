"""The index of agents' files, and what queries find by it."""

import stat
from pathlib import Path

import pytest

from memtui.store.leaves.files.index import FileIndex, count_in
from memtui.store.leaves.files.query import file_query, refreshed, search_files
from memtui.store.search.query.language import parse

from .conftest import Tree
from .test_checks import memory, note


def found(tree: Tree, text: str) -> list[str]:
    asked = file_query(text)
    assert asked is not None
    with FileIndex(tree.base / "files.db") as index:
        files = refreshed(index, tree.here, [tree.shop]).files
        hits = search_files(index, tree.here, [tree.shop], files, asked, 20)
    return [f"{hit.file.path.name}:{hit.line}" for hit in hits]


@pytest.fixture
def filled(tree: Tree) -> Tree:
    tree.write("shop/CLAUDE.md", "# Shop\n\nUse pnpm for everything.\n\n## Tests\n\nRun them twice.\n")
    tree.write("home/.claude/CLAUDE.md", "Answer briefly. 回答要简短。\n")
    note(tree, "retry", "Retry three times.")
    tree.write("home/.codex/AGENTS.md", "Prefer pnpm.\n")
    return tree


@pytest.mark.parametrize(
    ("query", "files"),
    [
        ("pnpm kind:file", ["AGENTS.md:1", "CLAUDE.md:3"]),
        ("pnpm kind:file agent:codex", ["AGENTS.md:1"]),
        ("pnpm kind:instruction project:shop", ["CLAUDE.md:3"]),
        ("pnpm kind:note,rule", []),
        ("times kind:notes source:files", ["retry.md:7"]),
        ("简短 kind:file", ["CLAUDE.md:1"]),
        ("source:files twice", ["CLAUDE.md:7"]),
        ("pnpm path:.codex", ["AGENTS.md:1"]),
        ("pnpm -path:.codex", ["CLAUDE.md:3"]),
        ("retry is:told", ["MEMORY.md:2"]),
        ("retry is:untold", ["retry.md:2"]),
        ("three kind:file is:amiss", []),
    ],
)
def test_a_query_finds_files(filled: Tree, query: str, files: list[str]) -> None:
    assert sorted(found(filled, query)) == files


def test_a_query_without_words_lists_files(filled: Tree) -> None:
    assert sorted(found(filled, "scope:user")) == ["AGENTS.md:1", "CLAUDE.md:1"]


@pytest.mark.parametrize("query", ["pnpm", "kind:fact", "is:pinned", "type:note", "agent:codex", "C:\\x"])
def test_what_asks_for_memories_is_left_to_them(query: str) -> None:
    assert file_query(query) is None


def test_what_is_cut_and_what_is_amiss_is_found(tree: Tree) -> None:
    tree.write(f"{memory(tree)}/MEMORY.md", "- a line\n" * 201)
    assert found(tree, "is:cut") == ["MEMORY.md:1"]
    assert found(tree, "is:amiss") == ["MEMORY.md:1"]


def test_the_index_follows_the_files(filled: Tree) -> None:
    assert found(filled, "pnpm agent:codex kind:file") == ["AGENTS.md:1"]
    filled.write("home/.codex/AGENTS.md", "Prefer yarn, as ever.\n")
    assert found(filled, "pnpm agent:codex kind:file") == []
    assert found(filled, "yarn kind:file") == ["AGENTS.md:1"]
    (filled.home / ".codex/AGENTS.md").unlink()
    assert found(filled, "yarn kind:file") == []


def test_only_its_owner_reads_the_index_and_it_is_made_anew_where_it_is_damaged(filled: Tree) -> None:
    path = filled.base / "files.db"
    assert found(filled, "pnpm kind:file")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert count_in(path, parse("pnpm")) == 2
    path.write_bytes(b"no database" * 1_000)
    assert count_in(path, parse("pnpm")) == 0
    assert found(filled, "pnpm kind:file")
    path.unlink()
    assert count_in(path, parse("pnpm")) == 0


def test_secrets_and_what_is_denied_never_reach_the_index(filled: Tree) -> None:
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    note(filled, "key", f"the key is {key}")
    filled.write("home/.claude/file-history/a/CLAUDE.md", "denied word")
    (filled.shop / "AGENTS.md").symlink_to(filled.home / ".claude/file-history/a/CLAUDE.md")
    assert found(filled, "denied kind:file") == []
    assert found(filled, "redacted kind:file") == ["key.md:7"]
    assert key.encode() not in (filled.base / "files.db").read_bytes()


def test_a_link_out_of_a_project_is_not_read(filled: Tree) -> None:
    outside = filled.write("elsewhere/CLAUDE.md", "outside word")
    (filled.shop / "sub").mkdir()
    (filled.shop / "AGENTS.md").symlink_to(outside)
    with FileIndex(filled.base / "files.db") as index:
        result = refreshed(index, filled.here, [filled.shop])
    assert Path(outside) not in {file.path for file in result.files}
    assert any("is a link out of" in text for text in result.notes)
