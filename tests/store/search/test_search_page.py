"""What docs/query-language.md says of a query is how it is understood."""

import re
from datetime import datetime

from memtui.store import parse
from memtui.store.cli.output.explanation import explanation
from memtui.store.search.index.documents import FIELDS
from memtui.store.search.query.grammar import LISTED
from tests.places import ROOT
from tests.tables import table

PAGE = (ROOT / "docs" / "query-language.md").read_text("utf-8")
NOW = datetime(2026, 2, 18, 12, 30)
ROWS = [
    (row[1], row[2])
    for table in re.findall(r"\| write \| is understood as .*\n\|[-|]+\n((?:\|.*\n)+)", PAGE)
    for row in re.finditer(r"^\| `(.+?)` \| (.+?) \|", table, re.MULTILINE)
]


def test_all_tables_are_read() -> None:
    assert len(ROWS) == len(
        re.findall(r"^\| `.+` \| (?:find|without|only|not|from|before|like|\w+ is) ", PAGE, re.M)
    )
    assert len(ROWS) > 70


@table(("query", "understood"), ROWS)
def test_a_query_is_understood_as_the_page_says(query: str, understood: str) -> None:
    *lines, order = explanation(parse(query, NOW)).split("\n")
    if "sort:" in query:
        lines.append(order)
    assert "; ".join(lines) == understood


def test_every_name_has_an_example() -> None:
    shown = {name for query, _ in ROWS for name in re.findall(r"(\w+):", query)}
    assert shown >= LISTED | FIELDS.keys()
