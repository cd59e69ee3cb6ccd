"""Each check with what it finds, and what looks like it and is none."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from memtui.store.cli.arguments import file_named
from memtui.store.leaves.files import checks
from memtui.store.leaves.files.agent_files import slug
from memtui.store.leaves.files.checks import Finding, check, ignore, key_of
from memtui.store.leaves.files.checks.examined import Examined
from memtui.store.leaves.files.checks.texts import sayings
from memtui.store.leaves.files.discovery import discover

from .conftest import Tree

Write = Callable[[Tree], object]


def findings(tree: Tree) -> list[Finding]:
    found = discover(tree.here, [tree.shop])
    return check(tree.here, [tree.shop], found.files)


def ids(tree: Tree) -> set[str]:
    return {finding.id for finding in findings(tree)}


def memory(tree: Tree) -> str:
    return f"home/.claude/projects/{slug(tree.shop)}/memory"


def note(tree: Tree, name: str, body: str = "text", type: str = "project", extra: str = "") -> None:
    front = f"---\nname: {name}\ndescription: x\nmetadata:\n  type: {type}\n{extra}---\n"
    tree.write(f"{memory(tree)}/{name}.md", f"{front}{body}\n")
    index = tree.base / memory(tree) / "MEMORY.md"
    text = index.read_text() if index.exists() else "# Index\n"
    index.write_text(f"{text}- [{name}]({name}.md)\n")


def index(tree: Tree, lines: int) -> None:
    tree.write(f"{memory(tree)}/MEMORY.md", "- a line\n" * lines)


def shop(name: str, text: str) -> Write:
    return lambda tree: tree.write(f"shop/{name}", text)


def every(*steps: Write) -> Write:
    return lambda tree: [step(tree) for step in steps]


def copilot(tree: Tree) -> None:
    """Claude Code and Copilot CLI are both here."""
    tree.write("home/.claude/settings.json", "{}")
    tree.write("home/.copilot/copilot-instructions.md", "Write tests first.\n")


LONG = "Deploy only from the main branch, after the whole suite has passed on two machines."

FOUND: list[tuple[str, Write]] = [
    ("index-cut", lambda tree: index(tree, 201)),
    ("index-cut", lambda tree: index(tree, 160)),
    ("index-ghost", lambda tree: tree.write(f"{memory(tree)}/MEMORY.md", "- [a](a.md)\n")),
    ("index-missing", lambda tree: tree.write(f"{memory(tree)}/a.md", "---\nname: a\n---\n")),
    ("no-frontmatter", lambda tree: tree.write(f"{memory(tree)}/a.md", "text")),
    ("bad-frontmatter", lambda tree: tree.write(f"{memory(tree)}/a.md", "---\nname: a\ntext")),
    ("bad-frontmatter", lambda tree: tree.write(f"{memory(tree)}/a.md", "---\n- a\n: [\n---\n")),
    ("bad-type", lambda tree: note(tree, "a", type="idea")),
    ("over-recall", lambda tree: note(tree, "a", "x" * 5_000)),
    ("origin-gone", lambda tree: note(tree, "a", extra="  originSessionId: gone\n")),
    ("link-dangling", lambda tree: note(tree, "a", "See [[b]].")),
    ("link-dangling", shop("CLAUDE.md", "See [the guide](guide/guide.md).")),
    ("import-missing", shop("CLAUDE.md", "@guide/none.md")),
    ("import-punctuation", every(shop("CLAUDE.md", "See @a.md."), shop("a.md", "text"))),
    ("import-cycle", every(shop("CLAUDE.md", "@a.md"), shop("a.md", "@CLAUDE.md"))),
    ("import-outside", every(shop("CLAUDE.md", "@../a.md"), lambda tree: tree.write("a.md", "t"))),
    ("unread-here", every(shop("CLAUDE.md", "text"), shop("AGENTS.md", "other"))),
    ("unread-here", every(shop("AGENTS.md", ""), shop("CLAUDE.md", "@AGENTS.md"), shop("b/AGENTS.md", ""))),
    ("not-told", every(shop("AGENTS.md", "x" * 32_768), shop("a/AGENTS.md", "lost"))),
    ("not-told", shop("AGENTS.md", "x\n" * 20_000)),
    ("duplicate", every(lambda tree: note(tree, "a", LONG), lambda tree: note(tree, "ab", LONG))),
    ("contradiction", every(shop("CLAUDE.md", "Use pnpm, never npm."), shop("GEMINI.md", "Use npm."))),
    ("secret", shop("CLAUDE.local.md", "the key is AKIA" + "ABCDEFGHIJKLMNOP")),
    ("hidden", shop("CLAUDE.md", "plain\u202etext")),
    ("hidden", shop("CLAUDE.md", "plain\U000e0041\U000e0042 text")),
    ("comment-told", every(copilot, shop("CLAUDE.md", "text\n\n<!-- do this -->\n"), shop(".git/x", ""))),
    ("path-gone", shop("CLAUDE.md", "Run `scripts/deploy.sh`.")),
    ("command-gone", every(shop("package.json", '{"scripts": {}}'), shop("CLAUDE.md", "`npm run lint`"))),
    ("command-gone", every(shop("Makefile", "test:\n\ttrue\n"), shop("CLAUDE.md", "`make lint`"))),
    ("too-wide", shop("CLAUDE.md", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b\n")),
    ("too-wide", lambda tree: tree.write("home/.claude/CLAUDE.md", "word " * 600_000)),
]  # fmt: skip

NEAR: list[Write] = [
    lambda tree: index(tree, 159),
    lambda tree: note(tree, "a", "x" * 3_000),
    lambda tree: note(tree, "a", "See [[a]] and `[[b]]`.\n```\n[[c]]\n```\n"),
    lambda tree: tree.write(f"{memory(tree)}/MEMORY.md", "- [site](https://example.org/a.md)\n"),
    shop("CLAUDE.md", "See [the site](https://x.org/a.md), [above](#top) and `[x](y.md)`."),
    shop("CLAUDE.md", "Write to me@example.org, @someone or `@guide/none.md`."),
    every(shop("CLAUDE.md", "@AGENTS.md"), shop("AGENTS.md", "text")),
    shop("AGENTS.md", "x\n" * 16_000),
    every(lambda tree: note(tree, "a", "fact 12"), lambda tree: note(tree, "b", "fact 13")),
    every(shop("CLAUDE.md", "Use pnpm, never npm."), shop("GEMINI.md", "Use pnpm, never yarn.")),
    every(shop("CLAUDE.md", "Never use any."), shop("GEMINI.md", "Use any tool that fits.")),
    every(shop("CLAUDE.md", "Use npm in the docs."), shop("GEMINI.md", "Never use npm in CI.")),
    shop("CLAUDE.local.md", "the key is in the vault"),
    shop("CLAUDE.md", "a family \U0001f468\u200d\U0001f469\u200d\U0001f467 and a flag"),
    every(copilot, shop("CLAUDE.md", "text\n```\n<!-- shown -->\n```\n")),
    every(shop("scripts/deploy.sh", ""), shop("CLAUDE.md", "`scripts/deploy.sh`, `a/b`, `*/x.py`")),
    every(shop("package.json", '{"scripts": {"lint": ""}}'), shop("CLAUDE.md", "`npm run lint`")),
    every(shop("Makefile", "lint test: x\n\ttrue\n"), shop("CLAUDE.md", "`make lint`")),
    shop("CLAUDE.md", "A table\n=======\nand >>>>>>> arrows"),
]


@pytest.mark.parametrize("place", range(len(FOUND)), ids=[f"{n}-{i}" for n, (i, _) in enumerate(FOUND)])
def test_what_is_wrong_is_found(tree: Tree, place: int) -> None:
    name, write = FOUND[place]
    write(tree)
    assert name in ids(tree)


@pytest.mark.parametrize("place", range(len(NEAR)))
def test_what_only_looks_wrong_is_not(tree: Tree, place: int) -> None:
    NEAR[place](tree)
    assert findings(tree) == []


def test_all_findings_of_the_sample_are_found(sample: Tree) -> None:
    projects = [sample.shop, sample.base / "big", sample.base / "only"]
    found = check(sample.here, projects, discover(sample.here, projects).files)
    expected = json.loads((sample.base / "expected.json").read_text("utf-8"))["findings"]
    for id, name, text in expected:
        last = name.rpartition(" ")[2]
        assert [
            one for one in found
            if one.id == id and (str(one.path).endswith(last) or last in one.text)
        ], (id, name, text)  # fmt: skip


@pytest.mark.parametrize(
    "patterns",
    ["src/**/*.{ts,tsx}", "{src,lib}/**, docs/*.md", "src/{a,{b,c}}.ts", "[src/*.ts, 'x.{a,b}']"],
)
@pytest.mark.parametrize("place", [".claude/rules/a.md", ".cursor/rules/a.mdc", ".windsurf/rules/a.md"])
def test_a_comma_within_braces_parts_no_patterns(tree: Tree, patterns: str, place: str) -> None:
    subprocess.run(["git", "init", "-q", str(tree.shop)], check=True)
    tree.write("shop/src/a.ts", "x")
    key = "paths" if "claude" in place else "globs"
    given = patterns if patterns[0] == "[" else f"'{patterns}'"
    tree.write(f"shop/{place}", f"---\n{key}: {given}\n---\ntext")
    subprocess.run(["git", "-C", str(tree.shop), "add", "-A"], check=True)
    assert "glob-dead" not in ids(tree)


def test_a_pattern_that_matches_no_file_of_git_is_dead(tree: Tree) -> None:
    subprocess.run(["git", "init", "-q", str(tree.shop)], check=True)
    tree.write("shop/.claude/rules/a.md", "---\npaths: src/**/*.ts\n---\ntext")
    tree.write("shop/.claude/rules/b.md", "---\npaths: '*.py'\n---\nother")
    tree.write("shop/deep/app.py", "")
    assert [(one.id, one.path.name) for one in findings(tree)] == [("glob-dead", "a.md")]


def test_a_path_that_git_never_knew_is_not_said_to_be_gone(tree: Tree) -> None:
    run = ["git", "-C", str(tree.shop), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "-q", str(tree.shop)], check=True)
    tree.write("shop/old/gone.py", "")
    tree.write("shop/CLAUDE.md", "See `old/gone.py` and `build/made.js`.")
    subprocess.run([*run, "add", "."], check=True)
    subprocess.run([*run, "commit", "-qm", "one"], check=True)
    (tree.shop / "old/gone.py").unlink()
    subprocess.run([*run, "commit", "-qam", "two"], check=True)
    assert [one.text for one in findings(tree)] == ["`old/gone.py` isn't there any more"]


def test_transcripts_that_expire_within_a_week_are_counted(tree: Tree) -> None:
    folder = f"home/.claude/projects/{slug(tree.shop)}"
    for name, days in (("a", 31), ("b", 24), ("c", 20)):
        path = tree.write(f"{folder}/{name}.jsonl", "{}\n")
        at = time.time() - days * 86_400
        os.utime(path, (at, at))
    (finding,) = findings(tree)
    assert finding.id == "expiring" and finding.text.startswith("Claude Code: 2 transcripts")
    tree.write("home/.claude/settings.json", '{"cleanupPeriodDays": 365}')
    assert findings(tree) == []


def test_a_finding_that_is_ignored_is_not_found_again(tree: Tree) -> None:
    tree.write("shop/CLAUDE.md", "@guide/none.md and @guide/other.md")
    first, second = findings(tree)
    ignore(tree.shop, key_of(first, [tree.shop], tree.home))
    assert findings(tree) == [second]
    ignore(tree.shop, "import-missing CLAUDE.*")
    assert findings(tree) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Use pnpm, never npm.", [("pnpm", True), ("npm", False)]),
        ("- Always use `ruff`", [("ruff", True)]),
        ("Don't use yarn.", [("yarn", False)]),
        ("Use vitest instead of jest", [("vitest", True), ("jest", False)]),
        ("We use it, not always.", []),
        ("Use tabs if the file has them.", []),
        ("The parser is fast, not small.", []),
    ],
)
def test_what_a_line_says_to_use_is_read(text: str, said: list[tuple[str, bool]]) -> None:
    assert [(one.name, one.is_wanted) for one in sayings(text)] == said


def aliases(levels: int) -> str:
    """YAML in which each name stands for ten of the name before."""
    names = "abcdefghij"[:levels]
    lines = [
        "a: &a [x]",
        *(f"{two}: &{two} [{', '.join([f'*{one}'] * 10)}]" for one, two in pairwise(names)),
    ]
    return "\n".join(lines) + f"\npaths: *{names[-1]}"


HOSTILE = {
    "too many": 'paths: "src/{1..500}/**"',
    "a list": "paths: [" + ", ".join(f'"a{number}"' for number in range(450)) + "]",
    "aliases of aliases": aliases(9),
    "nested": "paths: " + "{a: " * 5_000,
    "no glob": 'paths: "[[[[(((("',
    "numbers": "paths: [1, 2.5, null, {a: 1}, [b]]",
}


@pytest.mark.parametrize("front", HOSTILE.values(), ids=HOSTILE)
def test_a_rule_that_cant_be_compared_stops_no_check(tree: Tree, front: str) -> None:
    subprocess.run(["git", "init", "-q", tree.shop], check=True)
    tree.write("shop/.claude/rules/x.md", f"---\n{front}\n---\nrule\n")
    tree.write("shop/.claude/rules/y.md", "---\npaths: nowhere/*.rs\n---\nrule\n")
    tree.write("shop/CLAUDE.md", "@missing.md\n")
    found = {(finding.id, finding.path.name) for finding in findings(tree)}
    assert {("import-missing", "CLAUDE.md"), ("glob-dead", "y.md")} <= found or not git_lists(tree)
    assert front != HOSTILE["too many"] or ("glob-dead", "x.md") in found


def git_lists(tree: Tree) -> bool:
    return bool(subprocess.run(["git", "-C", tree.shop, "ls-files"], capture_output=True).stdout)


def test_a_check_that_fails_names_the_file_and_the_others_go_on(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.write("shop/CLAUDE.md", "@missing.md\n")
    tree.write("shop/AGENTS.md", "tripwire\n")

    def failing(examined: Examined) -> Iterator[Finding]:
        for file in examined.files:
            if "tripwire" in examined.text(file.path):
                raise RuntimeError("beyond any check")
            yield Finding("looked-at", file.path, 1, "it was")

    monkeypatch.setattr(checks, "CHECKS", (failing, *checks.CHECKS))
    found = {(finding.id, finding.path.name): finding.text for finding in findings(tree)}
    assert "RuntimeError: beyond any check" in found["unchecked", "AGENTS.md"]
    assert {("looked-at", "CLAUDE.md"), ("import-missing", "CLAUDE.md")} <= found.keys()


@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md", "GEMINI.md", ".claude/rules/a.md", ".mcp.json"])
def test_a_link_that_leads_round_stops_nothing(tree: Tree, name: str) -> None:
    path = tree.shop / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(path.name)
    tree.write("shop/sub/CLAUDE.md", f"@../{name}\n@missing.md\n")
    assert "import-missing" in ids(tree)
    assert file_named(str(path)) == path
    assert file_named("~nobody-of-this-name/CLAUDE.md") is not None
