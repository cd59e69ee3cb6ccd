"""What a session is called: by its title, by what it was about, never by "continue"."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.common.scope import Scope, exported_titles
from memtui.store.formats.markdown_pages import export_markdown
from memtui.store.leaves.html.export import export_html
from memtui.store.search.listing.rows import session_titles
from memtui.store.tables.queue import item_page
from memtui.store.tables.session_titles import session_title


@pytest.mark.parametrize(
    ("title", "first_prompt", "asked", "outcome", "called"),
    [
        ("Mine", "fix the valve", "- fix the valve", "Fixed the valve", "Mine"),
        (None, "fix the valve\nplease", None, None, "fix the valve"),
        (None, "hello", "- fix the valve\n- and the pump", "Fixed the valve", "fix the valve"),
        ("", "ok do it", "ok do it", "- Fixed the valve\n- and the pump", "Fixed the valve"),
        (None, "继续", "继续", "修好了阀门", "修好了阀门"),
        (None, "fix the valve", "go on", None, "fix the valve"),
        (None, "continue", None, None, "continue"),
        (None, None, None, "Fixed the valve", "Fixed the valve"),
        (None, None, None, None, ""),
    ],
)
def test_it_is_called_by_what_it_was_about(
    title: str | None, first_prompt: str | None, asked: str | None, outcome: str | None, called: str
) -> None:
    assert session_title(title, first_prompt, asked, outcome) == called


@pytest.mark.parametrize(
    ("prompts", "called"),
    [
        (["q", "9", "why does the `valve` leak?", "and the pump?"], "why does the valve leak?"),
        (["continue"], "continue"),
        (["好", "修好**阀门**的泄漏"], "修好阀门的泄漏"),
        (["Implement the following plan:\n\n# Plan: Mend the `valve`\n\n## Steps"], "Mend the valve"),
        (["ok", "Here is what I want:\n\n## A new valve\n\nof brass"], "A new valve"),
        (["I want two things: a valve\n# not a heading of a plan"], "I want two things: a valve"),
    ],
)
def test_before_it_is_summarized_it_is_called_by_the_first_prompt_that_says_something(
    store: Store, prompts: list[str], called: str
) -> None:
    for prompt in prompts:
        store.prompts.add("c-1", prompt, agent="codex")
    (row,) = store.sessions.list()
    assert row.title == called
    assert store.sessions.titles([row.session.id]) == {row.session.id: called}
    assert exported_titles(store.db, Scope()) == {row.session.id: called}
    store.prompts.add("c-2", "a word that is hidden", agent="codex", private=True)
    store.prompts.add("c-2", "go on", agent="codex")
    hidden = store.sessions.get("c-2").id
    assert store.sessions.titles([hidden]) == {hidden: "go on"}
    assert exported_titles(store.db, Scope())[hidden] == "go on"


@pytest.fixture
def told_to_go_on(store: Store) -> int:
    """A session that was told to go on, and what it then did."""
    store.prompts.add("c-1", "ok do it", agent="codex")
    session = store.sessions.get("c-1").id
    store.summaries.add("c-1", request="ok do it", completed="- Mended the valve\n- Oiled it")
    return session


def test_lists_timelines_the_queue_and_completion_call_it_the_same(
    store: Store, told_to_go_on: int
) -> None:
    store.pending.add(told_to_go_on, "observation")
    (row,) = store.sessions.list()
    assert row.title == "Mended the valve"
    assert store.sessions.titles([told_to_go_on]) == {told_to_go_on: "Mended the valve"}
    assert session_titles(store.db, [("codex", "c-1")]) == {("codex", "c-1"): "Mended the valve"}
    (item,) = item_page(store.db, ("pending",), 0, 9)
    assert item.session == "Mended the valve"
    text = "session:mended"
    completions = store.completions(text)
    assert completions is not None
    (offered,) = completions.items
    assert "Mended the valve" in offered.note


def test_exports_call_it_so_by_what_goes_out_with_it(
    store: Store, told_to_go_on: int, tmp_path: Path
) -> None:
    export_html(store, tmp_path / "all")
    export_markdown(store, tmp_path / "md")
    assert "Mended the valve" in (tmp_path / "all/sessions.html").read_text()
    assert [*(tmp_path / "md").rglob("*-Mended-the-valve-*.md")]
    store.summaries.set_private(store.summaries.of_session(told_to_go_on)[0])
    export_html(store, tmp_path / "public")
    page = (tmp_path / "public/sessions.html").read_text()
    assert "Mended the valve" not in page
    assert "ok do it" in page
