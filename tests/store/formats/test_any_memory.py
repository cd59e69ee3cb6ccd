"""Whatever a memory holds, its export is the same after a journey."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import InvalidRecordError, Store
from memtui.store.formats.common.scope import Scope
from tests.sizes import costly

from .fillings import EVERYTHING, exported, imported

PIECES = st.sampled_from(
    ["<private>", "</private>", "token=", "ghp_", "0aB" * 12, "缓存", "\0", "\ud800", "\x1b[2J",
     "\u202e", "\u2028", '"', "\\", "{", "[]", "null", "\r\n", "ﬁ", " ", "é", "\U0001f468"]
)  # fmt: skip
TEXT = st.lists(PIECES | st.text(max_size=5), max_size=5).map("".join)
LISTS = st.lists(TEXT, max_size=3)
MOMENT = st.integers(0, 1 << 42)
WHO = st.fixed_dictionaries({"session": st.sampled_from(["c-1", "c-2"]), "at": MOMENT})

OBSERVATION = st.fixed_dictionaries(
    {"title": TEXT, "type": TEXT, "narrative": st.none() | TEXT, "text": st.none() | TEXT,
     "facts": LISTS, "concepts": LISTS, "files_read": LISTS, "tags": LISTS, "project": TEXT,
     "prompt_number": st.none() | st.integers(0, 9), "discovery_tokens": st.integers(0, 1 << 40),
     "event_id": st.none() | st.sampled_from(["e-1", "e-2"]),
     "extra": st.none() | st.sampled_from(['{"a": [1.5, "x"]}', '"<private>x"', "[1e2]"])}
)  # fmt: skip
ACTION: st.SearchStrategy[Any] = st.one_of(
    st.tuples(st.just("observations"), WHO, OBSERVATION),
    st.tuples(st.just("prompts"), WHO, st.fixed_dictionaries({"text": TEXT})),
    st.tuples(
        st.just("summaries"), WHO, st.fixed_dictionaries({"request": TEXT, "text": st.none() | TEXT})
    ),
    st.tuples(st.just("facts"), st.just({}), st.fixed_dictionaries({"content": TEXT, "entities": LISTS})),
    st.tuples(st.just("notes"), st.just({}), st.fixed_dictionaries({"path": TEXT, "text": TEXT})),
)
FLAG = st.sampled_from(["pin", "set_private", "delete"])


def write(store: Store, table: str, who: dict[str, Any], values: dict[str, Any]) -> int | None:
    """Add a record; its number, None where it is none."""
    add = store.notes.upsert if table == "notes" else getattr(store, table).add
    try:
        if not who:
            return int(add(**values).id)
        return int(add(who["session"], at=who["at"], **values).id)
    except InvalidRecordError:
        return None


@pytest.mark.parametrize("scope", [EVERYTHING, Scope()])
@costly()
@given(actions=st.lists(st.tuples(ACTION, st.lists(FLAG, max_size=2)), max_size=6))
def test_any_memory_is_the_same_after_a_journey(scope: Scope, actions: list[tuple[Any, list[str]]]) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        store = stack.enter_context(Store.open(folder / "one.db"))
        for (table, who, values), flags in actions:
            number = write(store, table, who, values)
            for flag in flags if number is not None else ():
                getattr(getattr(store, table), flag)(number)
        first = exported(store, scope)
        other = stack.enter_context(Store.open(folder / "other.db"))
        assert imported(other, first, folder).warnings == []
        assert exported(other, scope) == first
        assert other.doctor().ok
