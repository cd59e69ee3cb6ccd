"""What one look finds clean is stored as it is, and is what a scrub of each text would have left."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.tables.base import scrubbed_columns, write_list, write_text
from memtui.store.text import redaction
from memtui.store.text.redaction import is_plain, scrub, scrub_json

from .secret_contexts import CHANGED, DOCUMENTS, LARGE_TEXTS, PROSE, TEXTS

ODD = st.sampled_from(("", PROSE, "a\0b", "\ud83d", "<private>x</private>", "密码", "None", "\u2028"))
SHORT = st.one_of(ODD, TEXTS)
LISTS = st.lists(st.one_of(ODD, CHANGED, CHANGED.map(lambda text: text.split(" ")[0])), max_size=3)


@contextmanager
def one_by_one() -> Iterator[None]:
    """Have each text looked at by itself, and none remembered."""
    with (
        patch.object(redaction, "_changed", lambda _texts: ""),
        patch.object(redaction, "_known", frozenset()),
        patch.object(redaction, "remember_clean", lambda _texts: None),
    ):
        yield


@given(st.lists(st.none() | SHORT, min_size=2, max_size=3), LISTS)
def test_columns_are_what_each_text_and_list_is_by_itself(
    texts: list[str | None], items: list[str]
) -> None:
    told = {f"text{number}": text for number, text in enumerate(texts)}
    found = scrubbed_columns(told, {"items": items})
    with one_by_one():
        expected = {name: write_text(text) for name, text in told.items()}
        expected["items"] = write_list(items)
    assert found == expected


@given(st.lists(st.one_of(SHORT, CHANGED, LARGE_TEXTS), min_size=2, max_size=4))
def test_texts_that_one_look_finds_plain_hold_nothing(texts: list[str]) -> None:
    if is_plain(*texts):
        with one_by_one():
            assert [scrub(text) for text in texts] == texts


@given(st.one_of(DOCUMENTS, st.dictionaries(SHORT, DOCUMENTS, max_size=2)))
def test_a_document_is_scrubbed_as_if_each_of_its_texts_were(document: object) -> None:
    found = scrub_json(document)
    with one_by_one():
        assert scrub_json(document) == found
