"""Hostile texts and queries: ours, and those of the data beside the repository, if it is there."""

import json

from tests.places import DATA

_TEXTS = {
    "clears the screen": "\x1b[2J\x1b[H",
    "writes the clipboard": "\x1b]52;c;cHduZWQ=\x07",
    "names the window": "\x1b]0;pwned\x07",
    "leaves the other screen": "\x1b[?1049l",
    "asks the terminal": '\x1b[6n\x1bP$q"p\x1b\\',
    "commands of eight bits": "\x9b31m\x90q\x9c\x9d0;pwned\x9c",
    "draws lines": "\x1b(0\x0e",
    "goes back": "shown\rforged\x08\x08\x7f\x0b\x0c\x07",
    "turns the direction": "a\u202eb\u2066c\u2069\u200f",
    "is not seen": "x\u200by\u2060\ufeff\U000e0041\U000e0042\u2028\u2029\xad",
    "has marks on marks": "Z" + "\u0301\u0323" * 200,
    "is half a pair": "\ud83d and \udc4d",
    "holds nothing": "a\0b",
    "is of several": "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea e\u0301 ｶﾞ",
    "is markup": "[red]markup[/red] [link=file:///etc/passwd]x[/link] [/] [@click=app.quit]x",
    "is private, and not closed": "<private>a<private>b</private> <system-reminder>",
    "is long": "L" * 200_000,
    "is nested": "[" * 3_000 + "]" * 3_000,
}
_QUERIES = {
    "quotes": '\' " \'\'\' """ "unclosed',
    "SQL": "'; DROP TABLE observations;-- x\" OR 1=1",
    "operators alone": "AND OR NOT NEAR",
    "operators of FTS5": 'NEAR("a" "b", 3) AND title : x* + ^y {title narrative}: z',
    "minus signs": '- -- -- - -"" -type:',
    "colons": ": :: type: type:: :type title:title:title",
    "stars": "* ** a*b *a t*",
    "brackets": ")(" + "(" * 500 + "token" + ")" * 500,
    "dates": "since:2020-13-45 on:99999999 until:-1d before:now after:9y9y",
    "negations": "NOT (" * 300 + "token" + ")" * 300,
    "many terms": " ".join(f"word{number}" for number in range(1_000)),
    "many alternatives": " OR ".join(["token"] * 2_000),
    "many conjunctions": " AND ".join(["token"] * 5_000),
    "many beginnings": " ".join(f"t{number}*" for number in range(1_000)),
    "one long word": "w" * 1_000_000,
    "no letters": "\0\x01\x1b[2J\u202e\u200b\ufeff\ud800\U0010ffff",
    "full width": "＂ｔｙｐｅ：bugfix＂ ＊ － （）",
    "scripts": "数据库 データベース 데이터베이스 база قاعدة מסד ｶﾞ é e\u0301 ﬁ ß İ ı",
    "faces": "👨\u200d👩\u200d👧 🚀 🇩🇪",
    "blanks": " \t\n\r\x0b\x0c\u3000\xa0",
    "patterns": "%_[a-z]+(?P<x>.*)\\",
}

# What each `generator` of the files stands for.
_GENERATED = {
    "'L'*200000": "L" * 200_000,
    "'['*3000+']'*3000": "[" * 3_000 + "]" * 3_000,
    "'['*100000": "[" * 100_000,
    "nested 500 parens": "(" * 500 + "token" + ")" * 500,
    "nested 5000 parens": "(" * 5_000 + "token" + ")" * 5_000,
    "10 KB one word": "w" * 10_000,
    "1 MB one word": "w" * 1_000_000,
    "1000 words": " ".join(f"word{number}" for number in range(1_000)),
    "2000 ORs": " OR ".join(["token"] * 2_000),
    "300 nested NOT": "NOT (" * 300 + "token" + ")" * 300,
    "5000 ANDs": " AND ".join(["token"] * 5_000),
    "1000 prefix": " ".join(f"t{number}*" for number in range(1_000)),
}


def hostile_texts() -> list[tuple[str, str]]:
    """(name, text) of every stored text that harms a terminal or a markup parser."""
    return [*_TEXTS.items(), *_read("hostile_texts.json", "texts", "payload_json")]


def hostile_queries() -> list[tuple[str, str]]:
    """(name, query) of every query text that breaks a naive search."""
    return [*_QUERIES.items(), *_read("hostile_queries.json", "queries", "query_json")]


def _read(file: str, table: str, column: str) -> list[tuple[str, str]]:
    path = DATA / file
    if not path.exists():
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))[table]
    return [
        (row["name"], json.loads(row[column]) if row[column] else _GENERATED[row["generator"]])
        for row in rows
        if row[column] or row["generator"]
    ]
