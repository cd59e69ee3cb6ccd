"""Texts that are hard to index, and what a search of them has to find, by reading every row."""

import re
from collections.abc import Iterable

import apsw
from hypothesis import strategies as st

from memtui.store.text.language.folding import CHINESE, fold

PIECES = (
    "token", "Refresh", "TokenRefresh", "running", "gen-itgc", "node.js", "GB/s", "C:\\x", "++", "a",
    "重跑", "重跑gen-itgc", "数据库", "用户身份", "が", "か", "テスト", "ｶﾞ", "セッション", "한국어",
    "é", "e\u0301", "résumé", "RESUME", "ﬁle", "ＡＢＣ", "Straße", "йод", "İ", "👨‍👩‍👧", "🚀", "🇩🇪",
    "'", '"', "%", "_", "\\", "\n", "--", "OR", "(", "\u200b",
)  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), max_size=6).flatmap(
    lambda pieces: st.sampled_from([" ".join(pieces), "".join(pieces)])
)

LISTS = ("facts", "concepts", "files_read", "files_modified", "tags", "entities", "files_edited")
FIELDS = {
    "observations": ("title", "subtitle", "narrative", "text", *LISTS[:5]),
    "prompts": ("text",),
    "summaries": (
        *("request", "investigated", "learned", "completed", "next_steps", "notes", "text"),
        *("files_read", "files_edited"),
    ),
    "facts": ("content", "entities"),
}
LONGEST = 65_536
"""Of one field no more characters are searched."""

Rows = dict[str, list[str]]


def searchable(db: apsw.Connection, *, hidden: bool = False) -> Rows:
    """The fields and list items of every visible (or hidden) row, by its uid."""
    found: Rows = {}
    for table, fields in FIELDS.items():
        columns = ", ".join(
            f"(SELECT json_group_array(value) FROM json_each({name}))"
            if name in LISTS
            else f"json_array({name})"
            for name in fields
        )
        sql = f"SELECT uid, {columns} FROM {table} WHERE (private = 0 AND deleted_at IS NULL) <> ?"
        for uid, *values in db.execute(sql, (hidden,)):
            texts = [text for value in values for text in apsw_json(db, value)]
            found[str(uid)] = [text[:LONGEST] for text in texts]
    return found


def apsw_json(db: apsw.Connection, array: str) -> list[str]:
    """The texts of a JSON array, read by SQLite rather than by the code under test."""
    sql = "SELECT value FROM json_each(?) WHERE value IS NOT NULL"
    return [str(value) for (value,) in db.execute(sql, (array,))]


def holding(rows: Rows, clauses: Iterable[Iterable[str]], without: Iterable[str] = ()) -> set[str]:
    """The uids of the rows that hold a term of every clause, and none that is excluded."""
    folded = {uid: [fold(text) for text in texts] for uid, texts in rows.items()}
    wanted = [[fold(term) for term in clause] for clause in clauses]
    unwanted = [fold(term) for term in without]
    return {
        uid
        for uid, texts in folded.items()
        if all(any(term in text for term in clause for text in texts) for clause in wanted)
        and not any(term in text for term in unwanted for text in texts)
    }


def words(text: str) -> list[str]:
    """The plain words of a text, folded: of ASCII letters and digits alone, or of Chinese alone."""
    runs = re.findall(r"[^\W_]+", fold(text))
    return [run for run in runs if run.isascii() or CHINESE.fullmatch(run)]
