"""What one look finds clean is stored as it is, and is what a scrub of each text would have left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.capture.ingest.cleaning import clean_text, cleaned
from memtui.store.capture.ingest.pipeline import clean_event_texts, is_clean
from memtui.store.events import Event, ToolUse
from memtui.store.tables.base import scrubbed_columns, write_list, write_text

from .secret_contexts import CHANGED, DOCUMENTS, PROSE, TEXTS, without_prefilter

ODD = st.sampled_from(
    ("", PROSE, "a\0b", "\ud83d", "<private>x</private>", "密码", "None", "\u2028")
)
SHORT = st.one_of(ODD, TEXTS)
LISTS = st.lists(st.one_of(ODD, CHANGED, CHANGED.map(lambda text: text.split(" ")[0])), max_size=3)


@given(st.lists(st.none() | SHORT, min_size=2, max_size=3), LISTS)
def test_columns_are_what_each_text_and_list_is_by_itself(
    texts: list[str | None], items: list[str]
) -> None:
    told = {f"text{number}": text for number, text in enumerate(texts)}
    found = scrubbed_columns(told, {"items": items})
    with without_prefilter():
        expected = {name: write_text(text) for name, text in told.items()}
        expected["items"] = write_list(items)
    assert found == expected


@given(SHORT, SHORT, st.one_of(DOCUMENTS, SHORT), st.one_of(DOCUMENTS, SHORT))
def test_a_clean_event_has_nothing_that_would_be_taken_out(
    text: str, title: str, given: object, response: object
) -> None:
    event = Event(
        kind="tool", agent="x", session="s", text=text, title=title,
        tool=ToolUse("Bash", given, response), extra={"note": title, "given": given},
    )  # fmt: skip
    if is_clean(event):
        with without_prefilter():
            assert [clean_text(text), clean_text(title)] == [text, title]
            assert [cleaned(given), cleaned(response), cleaned(event.extra)] == [
                given, response, event.extra,
            ]  # fmt: skip


@given(SHORT, st.one_of(DOCUMENTS, SHORT))
def test_an_event_is_stored_as_if_each_of_its_texts_were_scrubbed(
    text: str, response: object
) -> None:
    event = Event(
        kind="reply", agent="x", session="s", text=text, tool=ToolUse("x", None, response)
    )
    found = clean_event_texts(event)
    with without_prefilter():
        expected = clean_event_texts(event)
    assert found == expected
