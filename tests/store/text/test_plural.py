"""Numbers of things, in words."""

from __future__ import annotations

from memtui.store.text.plural import count_noun, count_nouns
from tests.tables import table


@table(
    ("number", "what", "said"),
    [
        (1, "summaries", "1 summary"),
        (2, "summaries", "2 summaries"),
        (1, "searches under a name", "1 search under a name"),
        (1, "files", "1 file"),
        (0, "notes", "0 notes"),
        (12_000, "sessions", "12,000 sessions"),
        (1, "addresses", "1 address"),
    ],
)
def test_one_is_singular_and_all_else_plural(number: int, what: str, said: str) -> None:
    assert count_noun(number, what) == said


def test_what_there_is_none_of_is_not_listed() -> None:
    assert count_nouns({"prompts": 1, "observations": 0, "facts": 3}) == "1 prompt, 3 facts"
    assert count_nouns({}) == ""
