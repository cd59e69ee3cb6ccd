"""What each agent is told at a start, in order."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from memtui.store.leaves.files.agent_files import slug
from memtui.store.leaves.files.starts import AgentStart, agent_start

from .conftest import Tree

NAMES = {"claude": "claude-code"}
WORD = re.compile(r"MARK_(\w+)")


def names(found: AgentStart) -> list[str]:
    return [piece.path.name for piece in found.pieces]


def reasons(found: AgentStart) -> dict[str, str]:
    return {entry.path.name: entry.id for entry in found.skipped if entry.id}


def claude(tree: Tree, folder: str = "shop", touched: Sequence[Path] = ()) -> AgentStart:
    return agent_start(tree.here, "claude-code", tree.base / folder, touched)


def test_every_start_of_the_sample_is_told_word_for_word(sample: Tree) -> None:
    expected = json.loads((sample.base / "expected.json").read_text("utf-8"))["told"]
    settings = sample.home / ".codex/config.toml"
    for name, starts in expected.items():
        agent, _, feature = name.partition("+")
        settings.write_text(f"[features]\n{feature} = true\n" if feature else "")
        for folder, words in starts.items():
            found = agent_start(sample.here, NAMES.get(agent, agent), sample.base / folder)
            assert WORD.findall(found.text) == words, (name, folder)


def test_reading_a_file_of_the_sample_adds_what_the_agents_add(sample: Tree) -> None:
    expected = json.loads((sample.base / "expected.json").read_text("utf-8"))
    for agent, words in expected["on_demand_reading_pkg/app.py_from_shop"].items():
        read = [sample.shop / "pkg/app.py"]
        found = agent_start(sample.here, NAMES.get(agent, agent), sample.shop, read)
        assert [word for one in found.on_demand for word in WORD.findall(one.text)] == words


def test_claude_is_told_the_users_file_then_each_folder_from_the_top(tree: Tree) -> None:
    tree.write("home/.claude/CLAUDE.md", "user @~/more.txt")
    tree.write("home/more.txt", "more")
    tree.write("CLAUDE.md", "above")
    tree.write("shop/CLAUDE.local.md", "local")
    tree.write("shop/.claude/rules/b/z.md", "nested rule")
    tree.write("shop/.claude/rules/a.md", "rule")
    tree.write("shop/CLAUDE.md", "shop")
    # Rules are taken as the folder lists them.
    rules = {"b": "z.md", "a.md": "a.md"}
    listed = [rules[path.name] for path in (tree.shop / ".claude/rules").iterdir()]
    assert names(claude(tree)) == [
        "CLAUDE.md", "more.txt", "CLAUDE.md", "CLAUDE.md", *listed, "CLAUDE.local.md",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "blank", [" \n", "\ufeff\n", "<!-- @AGENTS.md -->\n", "---\na: b\n---\n", "---\na: [\n---\n<!-- x -->"]
)
@pytest.mark.parametrize("name", ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"])
def test_a_file_of_claude_that_tells_nothing_is_as_good_as_missing(
    tree: Tree, name: str, blank: str
) -> None:
    tree.write("shop/AGENTS.md", "agents")
    tree.write(f"shop/{name}", blank)
    assert names(claude(tree)) == ["AGENTS.md"]
    tree.write(f"shop/{name}", "@nothere.md")
    assert "AGENTS.md" not in names(claude(tree))


def test_imports_in_bold_come_last_in_an_item_of_a_list_and_in_order_elsewhere(tree: Tree) -> None:
    for name in "abcd":
        tree.write(f"shop/{name}.md", name)
    for mark, order in (("", "abc"), ("- ", "acb"), ("1. ", "acb"), ("> ", "abc"), ("# ", "abc")):
        tree.write("shop/CLAUDE.md", f"{mark}see @a.md **@b.md** @c.md\n\nand @d.md")
        assert names(claude(tree)) == ["CLAUDE.md", *(f"{name}.md" for name in order), "d.md"], mark


@pytest.mark.parametrize("agent, told", [("claude-code", False), ("gemini", True), ("copilot", True)])
def test_who_imports_what_a_comment_names(tree: Tree, agent: str, told: bool) -> None:
    for name in ("CLAUDE.md", "GEMINI.md"):
        tree.write(f"shop/{name}", f"{name} <!-- @in.md --> `@code.md`\n```\n@fence.md\n```\n")
    for name in ("in", "code", "fence"):
        tree.write(f"shop/{name}.md", f"{name} inside")
    found = agent_start(tree.here, agent, tree.shop)
    assert ("in.md" in names(found)) is told
    assert not {"code.md", "fence.md"} & set(names(found))


def test_claude_reads_agents_files_only_where_no_file_of_its_own_lies_above(tree: Tree) -> None:
    tree.write("shop/AGENTS.md", "agents")
    assert names(claude(tree)) == ["AGENTS.md"]
    tree.write("CLAUDE.md", "above")
    found = claude(tree)
    assert names(found) == ["CLAUDE.md"]
    assert reasons(found) == {"AGENTS.md": "unread-here"}


def test_claudes_imports_go_four_levels_deep_and_never_out_of_the_working_folder(tree: Tree) -> None:
    tree.write("shop/CLAUDE.md", "@a1.md @../out.md **@bold.md** (@paren.md) `@code.md` @a1.md, @no/x.md")
    for number in range(1, 6):
        tree.write(f"shop/a{number}.md", f"@a{number + 1}.md")
    for name in ("out.md", "shop/bold.md", "shop/paren.md", "shop/code.md"):
        tree.write(name, "text")
    found = claude(tree)
    assert names(found) == ["CLAUDE.md", "a1.md", "a2.md", "a3.md", "a4.md", "bold.md"]
    assert reasons(found) == {
        "a5.md": "import-too-deep",
        "out.md": "import-outside",
        "a1.md,": "import-punctuation",
        "x.md": "import-missing",
    }


def test_an_import_loses_its_file_when_the_start_is_in_a_folder_below(tree: Tree) -> None:
    tree.write("shop/CLAUDE.md", "@guide/a.md")
    tree.write("shop/guide/a.md", "text")
    (tree.shop / "pkg").mkdir()
    assert reasons(claude(tree, "shop/pkg")) == {"a.md": "import-lost-from-subfolder"}
    tree.write(
        "home/.claude.json",
        json.dumps({"projects": {str(tree.shop): {"hasClaudeMdExternalIncludesApproved": True}}}),
    )
    assert names(claude(tree, "shop/pkg")) == ["CLAUDE.md", "a.md"]


def test_a_rule_with_paths_is_told_when_a_file_matches_and_its_imports_always(tree: Tree) -> None:
    tree.write("shop/.claude/rules/py.md", "---\npaths: src/**/*.py\n---\nrule @../../guide/a.md")
    tree.write("shop/guide/a.md", "text")
    read = tree.write("shop/src/deep/app.py", "")
    other = tree.write("shop/src/deep/app.js", "")
    assert names(claude(tree)) == ["a.md"]
    assert [one.path.name for one in claude(tree, touched=[read]).on_demand] == ["py.md"]
    assert claude(tree, touched=[other]).on_demand == ()


def test_what_a_link_leads_to_is_told_once(tree: Tree) -> None:
    tree.write("shop/AGENTS.md", "agents")
    (tree.shop / "CLAUDE.md").symlink_to("AGENTS.md")
    assert names(claude(tree)) == ["AGENTS.md"]


def test_a_rule_that_is_a_link_out_of_the_working_folder_is_not_told(tree: Tree) -> None:
    tree.write("rules/x.md", "rule")
    (tree.shop / ".claude").mkdir()
    (tree.shop / ".claude/rules").symlink_to(tree.base / "rules")
    assert names(claude(tree)) == []
    assert reasons(claude(tree)) == {"x.md": "import-outside"}


def test_an_index_is_cut_at_200_lines_or_25000_units(tree: Tree) -> None:
    name = f"home/.claude/projects/{slug(tree.shop)}/memory/MEMORY.md"
    tree.write(name, "".join(f"- [n{number}](n{number}.md)\n" for number in range(1, 211)))
    (piece,) = claude(tree).pieces
    assert piece.cut_at == 201
    assert "[n201]" in piece.text and "[n202]" not in piece.text
    tree.write(name, "\n".join("记" * 999 for _ in range(40)))
    (piece,) = claude(tree).pieces
    assert piece.cut_at == 26
    tree.write(name, "".join(f"- {number}\n" for number in range(200)))
    (piece,) = claude(tree).pieces
    assert piece.cut_at == 0


def test_front_matter_marks_of_byte_order_and_line_ends_change_nothing(tree: Tree) -> None:
    tree.write(
        "shop/CLAUDE.md", b"\xef\xbb\xbf---\r\npaths: x\r\n---\r\nText @guide/a.md\r\n@guide/b.md\r\n"
    )
    tree.write("shop/guide/a.md", "text")
    tree.write("shop/guide/b.md", "text")
    found = claude(tree)
    assert names(found) == ["CLAUDE.md", "a.md", "b.md"]
    assert found.pieces[0].text.startswith("Text")


def test_excluded_files_are_not_told_and_say_so(tree: Tree) -> None:
    tree.write("shop/.claude/CLAUDE.md", "dot")
    tree.write("shop/.claude/settings.json", json.dumps({"claudeMdExcludes": ["**/shop/CLAUDE.md"]}))
    tree.write("shop/CLAUDE.md", "root")
    found = claude(tree)
    assert [piece.text for piece in found.pieces] == ["dot"]
    assert any("claudeMdExcludes" in entry.why for entry in found.skipped)


def test_codex_loses_the_nearest_file_first(tree: Tree) -> None:
    tree.write("home/.codex/config.toml", "project_doc_max_bytes = 10\n")
    tree.write("shop/AGENTS.md", "12345\n")
    tree.write("shop/a/AGENTS.override.md", "1234567\n")
    tree.write("shop/a/AGENTS.md", "not read\n")
    tree.write("shop/a/b/AGENTS.md", "lost\n")
    found = agent_start(tree.here, "codex", tree.shop / "a/b")
    assert [piece.text for piece in found.pieces] == ["12345\n", "1234"]
    assert found.pieces[1].cut_at == 1
    assert reasons(found) == {"AGENTS.md": "not-told"}


def test_gemini_is_told_a_comment_in_place_of_a_file_from_outside(tree: Tree) -> None:
    tree.write("shop/GEMINI.md", "before @../out.md after @in.md end")
    tree.write("out.md", "secret")
    tree.write("shop/in.md", "inside @GEMINI.md")
    found = agent_start(tree.here, "gemini", tree.shop)
    assert "Path traversal attempt" in found.text and "secret" not in found.text
    assert names(found) == ["GEMINI.md", "in.md"]
    assert reasons(found) == {"out.md": "import-outside", "GEMINI.md": "import-cycle"}


def test_opencode_is_told_files_of_one_name_only_the_nearest_first(tree: Tree) -> None:
    tree.write("home/.claude/CLAUDE.md", "user")
    tree.write("shop/AGENTS.md", "root")
    tree.write("shop/a/AGENTS.md", "near")
    tree.write("shop/a/CLAUDE.md", "ignored")
    tree.write("shop/guide/x.md", "named")
    tree.write("shop/opencode.json", '{"instructions": ["guide/*.md"], // as JSONC\n}')
    found = agent_start(tree.here, "opencode", tree.shop / "a")
    assert [piece.text for piece in found.pieces] == ["user", "near", "root", "named"]


def test_copilot_is_told_the_same_text_once_and_comments_too(tree: Tree) -> None:
    tree.write("shop/AGENTS.md", "same <!-- comment -->")
    tree.write("shop/CLAUDE.md", "same <!-- comment -->")
    tree.write("shop/.github/instructions/py.instructions.md", '---\napplyTo: "**/*.py"\n---\nx')
    found = agent_start(tree.here, "copilot", tree.shop)
    assert names(found) == ["AGENTS.md"]
    assert "comment" in found.text


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "copilot", "opencode"])
def test_odd_files_neither_wait_nor_raise(tree: Tree, agent: str) -> None:
    import os

    for name in ("CLAUDE.md", "AGENTS.md", "GEMINI.md"):
        os.mkfifo(tree.shop / name)
    (tree.shop / ".claude/rules").mkdir(parents=True)
    (tree.shop / ".claude/rules/loop").symlink_to(tree.shop / ".claude")
    (tree.shop / ".claude/rules/zero.md").symlink_to("/dev/zero")
    tree.write("shop/.claude/rules/bad.md", b"\xff\xfe---\n@\xff\n" + b"---\n{[" * 50)
    tree.write("shop/.claude/CLAUDE.md", "@" * 2_000 + "\n@.\n@/\n@~\n@~/\n@\\ \n@a\0b")
    assert "zero.md" not in names(agent_start(tree.here, agent, tree.shop))


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "copilot", "opencode"])
def test_what_no_file_can_be_called_keeps_nothing_else_from_being_told(tree: Tree, agent: str) -> None:
    named = ["y" * 300, f"~/{'y' * 300}", f"~{'y' * 300}/x.md", "d/" * 3_000, "~nobody/x.md", "a\0b"]
    for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md"):
        tree.write(f"shop/{name}", "told\n" + "".join(f"see @{one}\n" for one in named))
    globs = [*named, "{1..5000}", "[" * 200, "**/" * 50 + "x", 7, None]
    tree.write("shop/opencode.json", json.dumps({"instructions": globs}))
    names_of_codex = "\n".join(json.dumps(one) + "," for one in [*named, "guide/zero.md"])
    tree.write("home/.codex/config.toml", f"project_doc_fallback_filenames = [{names_of_codex}]")
    start = agent_start(tree.here, agent, tree.shop)
    assert {"AGENTS.md", "CLAUDE.md", "GEMINI.md"} & set(names(start))
