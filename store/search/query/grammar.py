"""What a query is made of: its items (words, phrases, filters with their values), the names of filters and
values, in English and Chinese, and the words that may name a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ...records.dataclasses import dataclass, replace
from ...text.language.folding import fold
from ...text.language.scripts import FIRST
from ...text.late_pattern import late_pattern
from ..index.documents import FIELDS


def _spelled(names: dict[str, str]) -> dict[str, str]:
    return {spelling: name for name, spellings in names.items() for spelling in spellings.split()}


CHINESE_FILTERS = _spelled(
    {
        "type": "类型 類型",
        "project": "项目 項目 工程 專案",
        "session": "会话 會話",
        "parent": "父会话 父會話",
        "subagent": "子代理 子智能体 子智能體",
        "agent": "代理 智能体 智能體 助手",
        "branch": "分支",
        "commit": "提交",
        "kind": "种类 種類 类别 類別",
        "file": "文件 檔案",
        "concept": "概念",
        "tag": "标签 標籤",
        "tool": "工具",
        "entity": "实体 實體",
        "source": "来源 來源",
        "machine": "机器 機器 电脑 電腦",
        "author": "作者",
        "team": "团队 團隊",
        "told": "告知",
        "since": "自 从 從 自从 自從",
        "until": "至 到 直到 截至",
        "on": "在 于 於 日期",
        "is": "是 状态 狀態",
        "sort": "排序",
    }
)
"""The English name of each filter by its Chinese ones."""

CHINESE_VALUES = {
    "type": _spelled(
        {
            "bugfix": "修复 修復 缺陷",
            "feature": "功能 特性",
            "refactor": "重构 重構",
            "discovery": "发现 發現",
            "finding": "结论 結論",
            "decision": "决定 決定 决策 決策",
            "change": "变更 變更 更改 修改",
            "error": "错误 錯誤",
            "note": "笔记 筆記",
            "prompt": "提问 提問 提示",
            "summary": "摘要 总结 總結",
            "fact": "事实 事實",
        }
    ),
    "kind": _spelled(
        {
            "observation": "观察 觀察",
            "prompt": "提问 提問 提示",
            "summary": "摘要 总结 總結",
            "fact": "事实 事實",
        }
    ),
    "is": _spelled(
        {
            "pinned": "置顶 置頂",
            "private": "私密 隐藏 隱藏",
            "deleted": "已删除 已刪除 删除 刪除",
            "noise": "噪音 杂项 雜項",
            "automatic": "自动 自動",
            "stale": "过时 過時 陈旧 陳舊",
            "superseded": "已取代 被取代",
            "reported": "已报告 已報告",
            "wrong": "有误 有誤",
            "broken": "违反 違反 被违反 被違反",
            "pending": "待审 待審 待审核 待審核",
            "similar": "相似 类似 類似",
        }
    ),
    "sort": _spelled(
        {
            "recent": "最新",
            "oldest": "最早",
            "relevance": "相关 相關",
            "pinned": "置顶 置頂",
            "meaning": "语义 語義 意义 意義",
            "told": "告知",
        }
    ),
}
"""By the name of a filter: the English name of each value by its Chinese ones. A value in quotes isn't
translated, since a memory may have a type 修复 of its own."""

FILTERS = frozenset(
    (
        "type project session parent branch commit agent subagent kind file concept tag tool entity source "
        "machine author team told"
    ).split()
)
DATES = frozenset(("since", "until", "on"))
LISTED = FILTERS | DATES | {"is", "sort"}
"""Names after which values stand, with commas between them."""
SPELLED = "|".join(sorted([*LISTED, *CHINESE_FILTERS], key=len, reverse=True))
"""All spellings of these names, for a pattern: the longer ones first."""

OPERATORS = frozenset(("AND", "OR", "NOT"))
OPENING, CLOSING = "(（", ")）"

CODE = late_pattern(r"[(){}\[\]<>;=|&$`\\]|::|//")
"""What stands in code, and hardly in a query."""

QUOTES = '"“”＂'
QUOTED = '"[^"]*"|[“”][^“”]*[“”]|＂[^＂]*＂'
COLON = "[:：](?![:：])"
# A quote that never closes runs to the end: it is still being typed.
ONE_VALUE = rf"(?:{QUOTED}|[{QUOTES}][^{QUOTES}]*\Z|[^\s,，]+)"
VALUE_LIST = rf"[,，]*(?:{ONE_VALUE}(?:[,，]+{ONE_VALUE})*[,，]*)?"
# `re` walks ranges character by character: those of all Chinese ones take it 5 ms, and are written here
# as what is left of `\w` without the few others.
LETTER = rf"(?=[\x00-{chr(ord(FIRST) - 1)}])\w"
"""A character that is no word by itself, so that a minus before it is an option, as in `docker -e`."""
LISTED_LETTER = r"(?:[a-zA-Z]|[^\W\x00-\u02af])"
"""A letter that a name can have; those that differ from one of these by more than case are none."""
ITEM = late_pattern(
    rf"""(?P<minus>[-－](?=[\w{QUOTES}])(?!{LETTER}(?:\s|\Z)))?
    (?=\S)(?:
        (?={LISTED_LETTER}+[:：])(?P<listed>(?i:{SPELLED})){COLON}(?P<values>{VALUE_LIST})
      | (?:(?P<name>\w+){COLON})?(?:(?P<phrase>{QUOTED})|(?P<word>\S*))
    )""",
    re.VERBOSE,
)


SIMILAR = "similar:"
"""What stands before the id of a memory in `is:similar:276`."""
MAXIMUM_VALUES, LONGEST_VALUE = 64, 4_096
"""What a filter may have: SQLite limits expressions and patterns, and no one types so many."""

_folded = lru_cache(maxsize=256)(fold)
"""A term is compared with every candidate: folding it each time would cost as much as the text."""


@dataclass(frozen=True, slots=True)
class Term:
    """A text to be found: folded, in any field or in those of one field name."""

    text: str
    field: str | None = None
    phrase: bool = False
    negated: bool = False
    """Whether a text must not hold it; so only among alternatives."""
    in_other_characters: bool = False
    """Whether it is a word that was typed in simplified Chinese in traditional, or the other way about."""

    @property
    def folded(self) -> str:
        """The form that is compared."""
        return _folded(self.text)

    @property
    def columns(self) -> frozenset[str] | None:
        """The columns it may stand in; None for all."""
        return FIELDS[self.field] if self.field else None


@dataclass(frozen=True, slots=True)
class Item:
    """`text` is what stands between `start` and `end` but for the minus. Its `values` have no quotes,
    and none is empty. `operator`: it is AND, OR, NOT or a bracket that groups, '' for anything else."""

    text: str
    start: int
    end: int
    negated: bool
    name: str | None
    values: tuple[str, ...]
    quoted: bool
    operator: str = ""

    @property
    def value(self) -> str:
        """The last of its values; '' when it has none."""
        return self.values[-1] if self.values else ""

    @property
    def label(self) -> str:
        """A filter as people read it."""
        return f"{'-' if self.negated else ''}{self.name}:{','.join(self.values)}"

    def with_alternatives(self, others: Sequence[Item], text: str) -> Item | None:
        """Return a filter that the values of others of its name pass too; None where they differ.

        `text` is what stands between its start and the end of the last.
        """
        every = (self, *others)
        values = tuple(dict.fromkeys(value for item in every for value in item.values))
        if self.name not in FILTERS or len(values) > MAXIMUM_VALUES:
            return None
        if any(entry.negated or entry.name != self.name for entry in every):
            return None
        return replace(self, text=text, end=others[-1].end, values=values)

    def without(self, start: int, text: str) -> Item | None:
        """Return a filter with NOT before it, from `start` on; None where it takes no minus."""
        if self.name not in FILTERS | {"is"} or self.value.lower().startswith(SIMILAR):
            return None
        return replace(self, text=text, start=start, negated=not self.negated)


def items(text: str, *, typing: bool = False) -> Iterator[Item]:
    """All of a text, from its beginning, but for the blanks between.

    While someone is `typing`, a bracket that is open yet groups up to the end.
    """
    words = text.split()
    if OPERATORS.isdisjoint(words) and all(map(str.isalnum, words)):
        # To compile the pattern takes as long as many a search.
        yield from _plain_items(text, words)
        return
    groups = _brackets(text, typing=typing) if any(item in text for item in OPENING) else {}
    waiting = [
        Item(text[place], place, place + 1, False, None, (), False, operator)
        for place, operator in groups.items()
    ]
    for place in groups:
        text = f"{text[:place]} {text[place + 1 :]}"
    for match in ITEM.finditer(text):
        while waiting and waiting[0].start < match.start():
            yield waiting.pop(0)
        results = match.groupdict()
        minus, name = results["minus"] or "", results["listed"] or results["name"]
        phrase, word = results["phrase"], results["word"]
        if results["listed"]:
            name = _canonical_name(name)
            values = [_meant(name, value) for value in re.findall(ONE_VALUE, results["values"])]
        elif phrase:
            values = [phrase[1:-1]]
        else:
            values = [_unquoted(word) if name or len(word) > 1 else word]
        yield Item(
            match.group().removeprefix(minus),
            match.start(),
            match.end(),
            bool(minus),
            name.lower() if name else None,
            tuple(value for value in values if value),
            phrase is not None,
            match.group() if match.group() in OPERATORS else "",
        )
    yield from waiting


TIME_WORDS = frozenset(
    "ago last past this since today yesterday tonight on monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec".split()
)

CHINESE_SIGNS = frozenset("年月周期拜日天时钟")
"""One of these stands in everything that names a time in Chinese."""


def may_name_a_time(text: str) -> bool:
    """Return whether words of a text may name a time; as quickly."""
    if not text.isascii():
        # Words may stand between any signs there.
        lower = text.lower()
        return not CHINESE_SIGNS.isdisjoint(text) or any(
            word in lower for word in (*TIME_WORDS, "19", "20")
        )
    return any(
        word.strip(".,;?!()").removesuffix("'s") in TIME_WORDS or _may_be_year(word)
        for word in text.lower().split()
    )


OF_MEMORY = late_pattern("([^:：]+)[:：](.*)")
"""A state that names a memory, and how that is spelled."""
IN_QUOTES = late_pattern(QUOTED)
OPERATOR = late_pattern(rf"(?<!\S)(?:{'|'.join(OPERATORS)})(?!\S)")


def _plain_items(text: str, words: list[str]) -> Iterator[Item]:
    """The items of a text that is nothing but words."""
    end = 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        yield Item(word, start, end, False, None, (word,), False)


def _brackets(text: str, *, typing: bool) -> dict[int, str]:
    """Return the brackets that group in a text, as operators by their places; a minus before one is a NOT.

    They stand at a word's edges, in pairs and outside quotes; `f(x)` is a word. While someone is
    `typing`, one that is open yet groups up to the end.
    """
    quoted = {place for match in IN_QUOTES.finditer(text) for place in range(*match.span())}
    results: dict[int, str] = {}
    opened: list[tuple[int, bool]] = []
    for place, sign in enumerate(text):
        if place in quoted:
            continue
        if sign in OPENING:
            before = text[:place].removesuffix("-").removesuffix("－")
            begins = not before or before[-1].isspace() or (len(before) - 1) in _groups(opened)
            opened.append((place, begins))
        elif sign in CLOSING and opened:
            start, begins = opened.pop()
            after = text[place + 1 : place + 2]
            if begins and (not after or after.isspace() or after in CLOSING):
                results |= _pair(text, start, place)
    if typing and opened and opened[-1][1]:
        results |= {start: "(" for start, begins in opened if begins}
    return dict(sorted(results.items()))


def _groups(opened: list[tuple[int, bool]]) -> set[int]:
    return {place for place, begins in opened if begins}


def _pair(text: str, start: int, end: int) -> dict[int, str]:
    minus = text[start - 1 : start] in ("-", "－")
    if not text[start + 1 : end].strip() or (minus and not OPERATOR.search(text[start:end], 1)):
        return {}
    return ({start - 1: "NOT"} if minus else {}) | {start: "(", end: ")"}


def _canonical_name(spelling: str) -> str:
    """Return the name that a filter has in English and in lower case."""
    return CHINESE_FILTERS.get(spelling, spelling.lower())


def _meant(name: str, value: str) -> str:
    """A value as it was written, without quotes; of a known one in Chinese its English name."""
    bare = _unquoted(value)
    if bare != value or name not in CHINESE_VALUES:
        return bare
    if name == "is" and (match := OF_MEMORY.fullmatch(bare)):
        state = CHINESE_VALUES[name].get(match[1], match[1]).lower()
        return f"{SIMILAR}{match[2]}" if f"{state}:" == SIMILAR else bare
    return CHINESE_VALUES[name].get(bare, bare)


def _unquoted(value: str) -> str:
    """A value without its quotes, or without the one that opens and never closes: it may be on its way."""
    if re.fullmatch(QUOTED, value):
        return value[1:-1]
    return value[1:] if value[:1] in QUOTES else value


def _may_be_year(word: str) -> bool:
    return word[:2] in ("19", "20") and word[:4].isdecimal()
