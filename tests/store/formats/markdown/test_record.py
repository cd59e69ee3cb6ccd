"""A record as a document that is edited, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import InvalidRecordError, Observation, Store
from memtui.store.formats.markdown_editor import read_document, to_document, with_problem
from tests.store.empty_records import empty_values
from tests.store.hard_texts import PIECES

EMPTY = empty_values() | {"uid": "u", "type": "note"}
WORDS = st.one_of(st.none(), st.text(max_size=60), st.sampled_from(PIECES))
LISTS = st.lists(st.text(max_size=20), max_size=3).map(tuple)


@given(WORDS, WORDS, LISTS)
def test_a_document_that_nobody_edited_changes_nothing(
    title: str | None, narrative: str | None, tags: tuple[str, ...]
) -> None:
    record = Observation(**EMPTY | {"title": title, "narrative": narrative, "tags": tags})
    document = to_document(record)
    assert read_document(document, record) == {}
    assert read_document(with_problem(document, "odd\nthing"), record) == {}


def test_only_what_was_edited_changes(store: Store) -> None:
    record = store.observations.add(
        "c-1", title="a \x1b[31m title", narrative="one\n```\ntwo\n```\n", tags=["x", "y: z"],
    )  # fmt: skip
    document = to_document(record)
    edited = (
        document.replace('- "x"\n', "- 12\n- x\n").replace("two", "2").replace('type: "note"', "type: no")
    )
    assert read_document(edited, record) == {
        "tags": ["12", "x", "y: z"], "narrative": "one\n```\n2\n```\n", "type": "no",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("---\n", "", "Line 1: the front matter begins with a line of ---"),
        ('title: "t"', 'titel: "t"', "no field 'titel' here; there is title"),
        ('title: "t"', 'title: "t"\ntitle: "u"', "title stands there twice"),
        ('title: "t"', 'title: "t', "Line "),
        ('title: "t"', "title: [t]", "title is one text"),
        ("tags: []", "tags: x", "tags is a list"),
        ('observation: "1"', 'observation: "2"', "that can't be changed"),
        ("```text\nn\n```", "```text\nn\n", "this text never ends"),
        ("```text\nn\n```", "n", "outside of a text"),
        ("**Narrative**", "**Story**", "outside of a text"),
    ],
)
def test_a_mistake_is_told_by_its_line(store: Store, before: str, after: str, said: str) -> None:
    record = store.observations.add("c-1", title="t", narrative="n", text="other")
    document = to_document(record)
    assert before in document
    with pytest.raises(InvalidRecordError, match=r"^Line \d+: ") as told:
        read_document(document.replace(before, after, 1), record)
    assert said in str(told.value)


def test_every_kind_is_a_document(store: Store) -> None:
    store.prompts.add("c-1", "asked")
    store.summaries.add("c-1", request="r", next_steps="n")
    store.facts.add("tea", entities=["x"], confidence=0.7)
    store.notes.upsert("MEMORY.md", "# text\n")
    for ref, word in (
        ("p1", "asked"),
        ("s1", "**Next steps**"),
        ("f1", "0.7"),
        ("n1", "# text"),
        ("@1", "title"),
    ):
        record = store.any_record(ref)
        document = to_document(record)
        assert word in document
        assert read_document(document, record) == {}
