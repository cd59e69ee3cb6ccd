"""What is wrong is mended as one undo, and found no more."""

from __future__ import annotations

from memtui.store import Store
from memtui.store.leaves.files.checks import FIXES, fix, redact_secrets

from .conftest import Tree
from .test_checks import findings, ids, memory, note

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def amiss(tree: Tree) -> None:
    """A tree with a finding of each kind that can be mended."""
    note(tree, "retry", "Retry.")
    folder = tree.base / memory(tree)
    index = folder / "MEMORY.md"
    index.write_text(index.read_text() + "- [Ghost](ghost.md) — gone\n- [plain](plain.md)\n")
    (folder / "unlisted.md").write_text(
        "---\nname: unlisted\ndescription: said here\nmetadata:\n  type: wrong\n---\ntext\n"
    )
    (folder / "plain.md").write_text("# Plain words\n\nText.\n")
    tree.write("shop/CLAUDE.md", "See @rules/style.md, always.\n")
    tree.write("shop/rules/style.md", "Be brief.\n")
    tree.write("shop/AGENTS.md", "Only here.\n")


def snapshot(tree: Tree) -> dict[str, tuple[bytes, int]]:
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in tree.base.rglob("*.md")}


def test_all_that_can_be_mended_is_mended_as_one_undo(store: Store, tree: Tree) -> None:
    amiss(tree)
    assert FIXES.keys() <= ids(tree)
    before = snapshot(tree)
    mended = fix(store, findings(tree))
    assert {finding.id for finding in mended} == {*FIXES}
    assert not FIXES.keys() & ids(tree)
    assert (tree.shop / "CLAUDE.md").read_text() == ("@AGENTS.md\n\nSee @rules/style.md , always.\n")
    folder = tree.base / memory(tree)
    assert "- [unlisted](unlisted.md) — said here\n" in (folder / "MEMORY.md").read_text()
    assert (folder / "plain.md").read_text().startswith("---\nname: plain\ndescription: Plain words\n")
    undone = store.undo()
    assert undone and not undone.kept
    assert snapshot(tree) == before


def test_a_clean_tree_is_not_touched(store: Store, tree: Tree) -> None:
    note(tree, "retry", "Retry.")
    before = snapshot(tree)
    assert fix(store, findings(tree)) == []
    assert snapshot(tree) == before
    assert store.journal.next_undo() is None


def test_a_secret_goes_without_a_version(store: Store, tree: Tree) -> None:
    note(tree, "deploy", f"Deploy with {KEY}.")
    path = tree.base / memory(tree) / "deploy.md"
    assert redact_secrets(store, findings(tree)) == [path]
    assert KEY not in path.read_text()
    assert "secret" not in ids(tree)
    kept = store.agent_files.versions.path
    assert not kept.exists() or not any(KEY.encode() in item.read_bytes() for item in kept.iterdir())
    undone = store.undo()
    assert undone and not undone.is_done
