"""The `markdown` export: a page a session, readable on its own, in which text stays text."""

import json
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from memtui.store import Store
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.markdown_pages import LONGEST, export_markdown, file_name, prose

from ..fillings import CANARY, fill, hide

HOSTILE = (
    "# heading\n```\n</code>\n````text\n<script>x</script>\n---\nkey: value\n![i](http://x/y.png)\x1b[2J"
)


def pages(folder: Path) -> dict[str, str]:
    """The pages by their path."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.md")}


def front(page: str) -> dict[str, object]:
    """A page's front matter: each value is written as JSON is."""
    lines = page.split("---\n")[1].splitlines()
    return {name: json.loads(value) for name, value in (line.split(": ", 1) for line in lines)}


def test_a_session_is_a_page_with_all_of_it_in_the_order_of_time(store: Store, tmp_path: Path) -> None:
    fill(store)
    counts = export_markdown(store, tmp_path)
    found = pages(tmp_path)
    name = next(name for name in found if "Login" in name)
    assert re.fullmatch(r"atlas/2026-02-13-Login-[0-9a-f]{12}\.md", name)
    page = found[name]
    assert front(page).items() >= {"session": "c-1", "agent": "codex", "project": "atlas"}.items()
    told = [
        "# Login", "why does login fail?", "bugfix: Clock drift 缓存 (pinned)", "TTL is 24 h",
        "- src/a.py", "Added a leeway", "and now?",
    ]  # fmt: skip
    places = [page.index(text) for text in told]
    assert places == sorted(places)
    assert counts == {"sessions": 1, "notes": 1, "facts": 1}
    assert "Tokens live 24 h" in found["facts.md"]
    assert any(name.startswith("atlas/notes/MEMORY-md-") for name in found)


def test_a_prompt_without_a_number_is_given_none(store: Store, tmp_path: Path) -> None:
    session = store.sessions.start("c-1", title="Login", project="atlas")
    store.prompts.add(session, "numbered", prompt_number=3)
    store.prompts.add(session, "from elsewhere", prompt_number=0)
    export_markdown(store, tmp_path)
    (page,) = pages(tmp_path).values()
    headings = [line.split(" ", 3)[3] for line in page.splitlines() if " Prompt" in line]
    assert sorted(headings) == ["Prompt", "Prompt 3"]


def test_text_never_becomes_markup(store: Store, tmp_path: Path) -> None:
    session = store.sessions.start("c-1", title=HOSTILE, project=HOSTILE)
    store.prompts.add(session, HOSTILE)
    store.observations.add(
        session, title=HOSTILE, type=HOSTILE, subtitle=HOSTILE, narrative=HOSTILE, facts=[HOSTILE]
    )
    store.summaries.add(session, request=HOSTILE, text=HOSTILE, files_read=[HOSTILE])
    store.facts.add(HOSTILE, entities=[HOSTILE])
    store.notes.upsert(HOSTILE, HOSTILE)
    export_markdown(store, tmp_path)
    for page in pages(tmp_path).values():
        assert "\x1b" not in page
        body = page.split("---\n", 2)[-1] if page.startswith("---\n") else page
        tokens = MarkdownIt().parse(body)
        inner = [child for token in tokens for child in token.children or ()]
        kinds = {token.type for token in (*tokens, *inner)}
        assert not kinds & {"html_block", "html_inline", "image", "link_open", "hr", "code_block"}
        headings = [token.tag for token in tokens if token.type == "heading_open"]
        assert headings.count("h1") == (0 if "note" in page[:20] else 1)
        assert {token.info for token in tokens if token.type == "fence"} <= {"text"}


def test_front_matter_holds_any_text(store: Store, tmp_path: Path) -> None:
    store.sessions.start('c: "1"\n---\n# \u2028 ', project="- a: {b}", project_path="C:\\x 缓存")
    export_markdown(store, tmp_path)
    (page,) = pages(tmp_path).values()
    found = front(page)
    assert (found["project"], found["directory"]) == ("- a: {b}", "C:\\x 缓存")
    assert page.count("\n---\n") == 1
    assert "\u2028" not in page


def test_what_is_hidden_goes_out_only_when_asked_and_is_marked(store: Store, tmp_path: Path) -> None:
    fill(store)
    hide(store)
    export_markdown(store, tmp_path / "seen")
    told = pages(tmp_path / "seen")
    assert CANARY not in "".join((*told, *told.values()))
    export_markdown(store, tmp_path / "all", Scope(private=True, deleted=True))
    told = pages(tmp_path / "all")
    assert "private: true" in "".join(told.values())
    assert f"note: {CANARY} (deleted)" in "".join(told.values())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Why does login fail?", "Why-does-login-fail"), ("../../etc/passwd", "etc-passwd"),
        ("缓存 刷新", "缓存-刷新"), ("con", "con-"), ("...", "untitled"), ("a\x00b\x1b/\\:c", "a-b-c"),
        (".hidden", "hidden"), ("_x_", "x"),
    ],
)  # fmt: skip
def test_a_file_name_is_letters_and_digits(text: str, name: str) -> None:
    assert file_name(text) == name


def test_a_file_name_is_never_too_long() -> None:
    assert len(file_name("缓" * 1_000).encode()) <= LONGEST


def test_noise_is_on_no_page(store: Store, tmp_path: Path) -> None:
    store.observations.add("c-1", type="noise", title="Listed src")
    store.observations.add("c-1", type="bugfix", title="Fixed it")
    export_markdown(store, tmp_path)
    (page,) = pages(tmp_path).values()
    assert "Fixed it" in page and "Listed src" not in page


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a snake_case call(x) of C++, 1.5 times (#3)", None),
        (".gitignore", None),
        ("--flag, see a & b", None),
        ("# heading", r"\# heading"),
        ("- item", r"\- item"),
        ("12. item", r"12\. item"),
        ("[a](b) *c* _d_ <f> &lt;", r"\[a\](b) \*c\* \_d\_ \<f\> \&lt;"),
        ("call `a[b](*c)` and `<d>`", None),
        ("one ` alone, or ``two``, *x*", r"one \` alone, or \`\`two\`\`, \*x\*"),
    ],
)
def test_prose_is_escaped_no_more_than_it_has_to_be(text: str, written: str | None) -> None:
    assert prose(text) == (text if written is None else written)
