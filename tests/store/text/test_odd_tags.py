"""However a private tag is written, what it hides is hidden; and what only looks like one stays."""

import json

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text import clean
from memtui.store.text.redaction import scrub, scrub_json, strip_private
from tests.promises import promise
from tests.tables import table

from .odd_tags import CANARY, FORMS, NEAR_MISSES, odd_passages


def nested(text: str) -> list[str]:
    """A text, and JSON that holds it, at one to three levels."""
    found = [text]
    for ascii in (True, False):
        document = text
        for _ in range(3):
            document = json.dumps({"told": document}, ensure_ascii=ascii)
            found += document, document.replace("/", "\\/")
    return found


def is_hidden(text: str) -> bool:
    """Whether no way in keeps the canary of a text."""
    return all(
        CANARY not in scrub(one) and CANARY not in json.dumps(scrub_json([one, {"a": one}]))
        for one in nested(clean(text))
    )


@promise("private-never-findable")
@table("form", FORMS)
def test_an_odd_tag_hides_its_text(form: str) -> None:
    text = form.replace("X", CANARY)
    assert strip_private(f"before {text}")[0].startswith("before ")
    assert is_hidden(f"before {text}")


@promise("private-never-findable")
@given(st.text("ab 字é<&%\\"), odd_passages(), st.text("ab 字é<&%\\"))
def test_any_odd_tag_hides_its_text(before: str, passage: str, after: str) -> None:
    assert is_hidden(f"{before} {passage}{after}")


@table("text", NEAR_MISSES)
def test_what_only_looks_like_a_tag_stays(text: str) -> None:
    assert strip_private(text) == (text, False)
    assert scrub_json({"a": [text, text]}) == {"a": [text, text]}


@table(
    ("document", "left"),
    [
        (["<private>", CANARY, "</private>", "kept"], ["", "", "", "kept"]),
        (["a <priv", f"ate>{CANARY}</private> kept"], ["a ", " kept"]),
        (["a <", f"private>{CANARY}"], ["a ", ""]),
        (["a <private", f"> {CANARY}"], ["a ", ""]),
        ({"a": "x <private>y", "b": {"c": f"{CANARY}</private> z"}}, {"a": "x ", "b": {"c": " z"}}),
        ({"a": "x <private>y", "b": "kept"}, {"a": "x ", "b": "kept"}),
        (["x <private>y", "a <private>b</private> c"], ["x ", "a  c"]),
        (["x <private", "y> kept"], ["x <private", "y> kept"]),
    ],
)
def test_a_passage_may_go_over_several_texts(document: object, left: object) -> None:
    assert scrub_json(document) == left


@table(
    "text", ["<div>\n<p>a</p>", "<%s at %x>", "#include <%s>\n", "<文件名>", "a <\n b", "&& x < y", "100%"]
)
def test_common_text_is_not_taken_for_a_tag(text: str) -> None:
    told = json.dumps({"a": text}, ensure_ascii=False)
    assert strip_private(told) == (told, False)


@table(
    "text",
    [
        "&amp;" * 60_000, "%25" * 90_000, "&#38;" * 50_000, "\\" * 250_000 + "u003cprivate>",
        "&#0" * 80_000,
        "<\u200b" * 100_000, "<p\u200b" * 80_000, "＜" * 80_000, "<private " * 30_000 + "<" * 30_000,
        "<private a='" * 20_000, "&amp;#38;%25\\u0026" * 15_000, "<private\0" * 30_000,
    ],
)  # fmt: skip
def test_a_flood_of_odd_tags_is_read_to_its_end(text: str) -> None:
    # Quadratic reading of any of these takes minutes, which no run of the tests survives.
    assert CANARY not in scrub(f"{text}<private>{CANARY}</private>")
