"""Sessions for agents: a list of lines, and one with its memories."""

import pytest

from memtui.store import NotFoundError, Store
from memtui.store.context.compact.timeline import LINE, session_lines, session_rows
from memtui.store.text.tokens import token_weight

START = 1_700_000_000_000


def test_a_list_has_a_line_a_session_and_goes_on(store: Store) -> None:
    for number in range(5):
        store.sessions.start(
            f"c-{number}", agent="codex", project="项目" * 20, title="很长的标题" * 30, at=START + number
        )
    page = session_lines(store, limit=3)
    assert [one.id for one in page.sessions] == ["@5", "@4", "@3"]
    assert max(token_weight(line) for line in page.text.split("\n")[1:-2]) <= LINE
    rest = session_lines(store, limit=3, cursor=page.cursor)
    assert [one.id for one in rest.sessions] == ["@2", "@1"]
    assert rest.cursor is None


def test_a_session_tells_its_memories_in_time_order_a_page_at_a_time(store: Store) -> None:
    ids = [
        str(store.observations.add("c-1", title=f"step {number}", at=START + number).id)
        for number in range(7)
    ]
    first = session_rows(store, "c-1", limit=4)
    assert [row.id for row in first.rows] == ids[:4]
    assert "3 memories left out" in first.closing
    rest = session_rows(store, "@1", limit=4, cursor=first.cursor)
    assert [row.id for row in rest.rows] == ids[4:]
    assert (rest.cursor, rest.left_out) == (None, 0)
    assert session_rows(store, "@1", cursor="9999").rows == ()


def test_a_hidden_session_and_hidden_memories_are_not_told(store: Store) -> None:
    store.observations.add("c-1", title="seen")
    store.observations.add("c-1", title="secret", private=True)
    assert "secret" not in session_rows(store, "@1").text
    store.sessions.set_private(1)
    assert session_lines(store).sessions == ()
    with pytest.raises(NotFoundError, match="private"):
        session_rows(store, "@1")
    assert session_rows(store, "@1", hidden=True).session.id == "@1"
    with pytest.raises(NotFoundError):
        session_rows(store, "@99")
