"""The words by which a sentence asks, offers, decides, gives up or points elsewhere, in English and
Chinese, and patterns of what people and agents say.

Rules, summaries, contexts and searches alike read them; a further word belongs here alone. Next to nothing
is imported, and what a hook's process asks uses no pattern: it waits for this.
"""

from __future__ import annotations

from ..late_pattern import late_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

WE_DECIDED = r"decided|agreed|chose|settled on|opted|committed to"
"""What stands behind "we", as part of a pattern."""
CHINESE_DECIDED = "决定|商定|敲定|选定|拍板|约定|定下"
"""Likewise, whoever decides."""
CHINESE_NOUNS = "决定|决策|约定"
"""What a heading or a label names that was decided."""
CHINESE_RULED = f"{CHINESE_NOUNS}|规定|统一|必须|一律|禁止|都不要|不准|定为"
"""What makes a rule of a sentence."""
CHINESE_FROM_NOW = "以后|今后"
"""What says that something holds from now on."""
CHINESE_CHANGED = f"改为|改成|改用|换成|不再|取代|从今天|{CHINESE_FROM_NOW}"
"""What says that something takes the place of what held before."""
CHINESE_NEXT = "下一步|接下来|待办|剩余|剩下"
"""What names that which is left to do."""
SUPPOSING = "if|suppose|assuming|unless|in case"
"""How a sentence begins that supposes, and states nothing."""
CHINESE_SUPPOSING = "如果|假如"
ASKED_FOR = (
    rf"\b(?:{WE_DECIDED}|decid(?:e|ing)|decisions?|choose|chosen|choice)\b|{CHINESE_DECIDED}|{CHINESE_NOUNS}"
    r"|选了|定的是"
)
"""What a question holds that asks for what was decided."""


ASKS_NOTHING = frozenset(
    "ok okay yes no y n go continue proceed thanks thx hello hi hey please commit push done great good "
    "sure yep yeah nice cool next stop do it that the this and go on ahead draft pr 好 好的 可以 继续 "
    "谢谢 是 是的 对 行 嗯 你好 提交 推送 没问题 不用 开始 请".split()
)  # fmt: skip

ANSWERS_ON = frozenset(("but", "and", "then", "please", "is", "seems", "looks", "sounds"))
"""What follows a number that answers a list."""

OFFERS = (
    "if you want", "if you'd like", "if you would like", "if you like", "if you prefer", "would you like",
    "want me to", "do you want me", "shall i", "should i", "let me know", "just say", "say the word",
    "feel free", "happy to", "如果你", "如果您", "如需", "需要我", "要不要", "要我", "是否需要",
)  # fmt: skip
"""How a sentence begins that offers what comes next."""


def offers(sentence: str) -> bool:
    """Return whether a sentence only offers to do more ("Want me to push it?")."""
    return sentence.replace("’", "'").lstrip("*_ ").lower().startswith(OFFERS)


def without_lead(prompt: str) -> str:
    """Return a prompt without a first line that only leads to the heading of a plan, and without what that
    says of itself ("Implement the following plan:", "# Plan: …")."""
    lead, _, rest = prompt.strip().partition("\n")
    rest = rest.strip()
    if not rest or not lead.rstrip().endswith((":", "：")):
        return prompt
    is_plan = rest.startswith("#") or lead.lower().startswith("implement the following plan")
    return rest.lstrip("# ").removeprefix("Plan:").lstrip() if is_plan else prompt


def asks_something(prompt: str) -> bool:
    """Return whether a prompt asks for something ("ok, do it" does not)."""
    if prompt.lstrip()[:2] in ('{"', "[{"):
        # What a program reports.
        return False
    words = prompt.lower().replace(",", " ").replace("，", " ").strip(" .!。！~").split()
    bare = (word.strip(".!?,。！:：;") for word in words)
    if words and words[0].isdecimal() and words[1:2] and words[1] in ANSWERS_ON:
        return False
    # A number or a letter answers a list.
    return any(
        word not in ASKS_NOTHING and not word.isdecimal() and not (len(word) == 1 and word.isascii())
        for word in bare
    )


WISHES = frozenset(
    "want wants should shouldn't must mustn't don't dont can't only always never every all each prefer "
    "rather instead use using make keep drop avoid better without until unless".split()
)
WISHES_IN_CHINESE = tuple(
    "不要 不用 不再 不能 必须 应该 只用 只要 只能 一律 统一 总是 改成 改为 改用 保留 别 想要 希望".split()
)


def wishes(sentence: str) -> bool:
    """Return whether a user's sentence says how something is to be, rather than only what to do now."""
    text = sentence.translate(PLAIN).lower()
    if not WISHES.isdisjoint(word.strip(EDGES) for word in text.split()):
        return True
    return not text.isascii() and any(sign in text for sign in WISHES_IN_CHINESE)


IT = "it|that|this|them|these|those|everything"
GIVING_UP = (
    "reverted|reverting|undid|undone|abandoned|abandoning|scrapped|discarded|shelved|withdrew|withdrawn",
    f"rolled|rolling {IT}? back",
    f"backed|backing|took|taken|pulled|ripped|threw|thrown {IT}? back? out|back|away",
    f"took|taken|turned {IT}? out|off again",
    f"gave|given|give {IT}? up",
    "went|gone|switched back",
    f"put {IT} back",
    "so i|we|i've|we've then|have? dropped|removed|restored|deleted|stopped|cancelled|disabled|left",
    f"dropped|removed|deleted {IT} again",
    f"dropped {IT}",
    "didn't|never work|worked out",
)
"""What is said of what was tried and given up: words in a row, a | between those of which any will do, a ?
behind those that may be missing."""
GIVING_UP_IN_CHINESE = tuple(
    "撤回 撤销 撤掉 已撤 放弃 弃用 回退 回滚 还原 退回 作罢 取消了 改回 换回 恢复原 恢复了原".split()
)
ELSEWHERE = (
    "see ", "refer to ", "check out ", "have a look at ", "look at the ", "it's documented",
    "it is documented", "it's described", "it is described",
    "参见", "参考", "参阅", "请看", "请参", "详见", "见",
)  # fmt: skip
BRIEF = 600
"""Characters of a text that only points elsewhere, at most."""
FEW = 4
"""Lines or sentences of a text that repeats, at least; one that points elsewhere has fewer."""
FEW_WORDS, DISTINCT_WORDS = 30, 0.3
"""Of so many words at least a smaller part than this differs where a text repeats."""
READ = 2_000
"""Characters of a text in which it is seen whether it repeats."""
EDGES = ".,;:!?()[]{}\"'`*_…—"
PLAIN = str.maketrans(dict.fromkeys("’‘ʼ＇", "'") | dict.fromkeys("“”„", '"'))
ENDS = str.maketrans(dict.fromkeys(".。;；!！\r", "\n") | dict.fromkeys("0123456789"))
"""What ends a line or a sentence; numbers are left out."""

_phrases: dict[str, list[list[tuple[frozenset[str], bool]]]] = {}


def gave_up(text: str) -> bool:
    """Return whether a text tells of what was tried and given up, in English or Chinese."""
    if not text.isascii():
        if any(sign in text for sign in GIVING_UP_IN_CHINESE):
            return True
        text = text.translate(PLAIN)
    words = [word.strip(EDGES) for word in text.lower().split()]
    by_first = _phrases or _read()
    return any(
        _follows(words, place + 1, phrase, 1)
        for place, word in enumerate(words)
        if word in by_first
        for phrase in by_first[word]
    )


def points_elsewhere(text: str) -> bool:
    """Return whether a text tells only where to read."""
    if len(text) >= BRIEF:
        return False
    begun = text.translate(PLAIN).lower().replace("*", "").lstrip(EDGES + " \n")
    return begun.removeprefix("please ").startswith(ELSEWHERE) and len(_lines(text)) < FEW


def repeats(text: str) -> bool:
    """Return whether most lines, sentences or words of a text are the same but for their numbers, as those
    of a log are."""
    lines, words = _lines(text), text[:READ].lower().split()
    return (len(lines) >= FEW and 2 * len(set(lines)) <= len(lines)) or (
        len(words) >= FEW_WORDS and len(set(words)) < DISTINCT_WORDS * len(words)
    )


def _lines(text: str) -> list[str]:
    parts = text[:READ].lower().translate(ENDS).split("\n")
    return [line for part in parts if (line := part.strip())]


def _read() -> dict[str, list[list[tuple[frozenset[str], bool]]]]:
    for line in GIVING_UP:
        phrase = [
            (frozenset(part.removesuffix("?").split("|")), part.endswith("?")) for part in line.split()
        ]
        for word in phrase[0][0]:
            _phrases.setdefault(word, []).append(phrase)
    return _phrases


def _follows(words: list[str], place: int, phrase: list[tuple[frozenset[str], bool]], part: int) -> bool:
    """Return whether the rest of a phrase stands in a place."""
    if part == len(phrase):
        return True
    wanted, may_miss = phrase[part]
    if place < len(words) and words[place] in wanted and _follows(words, place + 1, phrase, part + 1):
        return True
    return may_miss and _follows(words, place, phrase, part + 1)


APOSTROPHES = "'’‘ʼ＇"
"""The plain one, and those that keyboards and agents write in its place."""
QUOTES = '"“”„＂'


def spoken_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used, in which a plain apostrophe stands for a
    typographic one too, and a plain quotation mark for a typographic one."""
    return late_pattern(pattern, flags, with_typographic)


def with_typographic(pattern: str) -> str:
    """Return a pattern with all forms of an apostrophe or a quotation mark in place of each plain one; that
    of "n't" may be missing."""
    parts: list[str] = []
    in_class = is_escaped = False
    for place, letter in enumerate(pattern):
        same = APOSTROPHES if letter == "'" else QUOTES if letter == '"' else ""
        if same:
            if is_escaped:
                parts.pop()
            # Who types "dont" means no other word.
            is_left_out = letter == "'" and parts[-1:] == ["n"] and pattern[place + 1 : place + 2] == "t"
            parts.append(same if in_class else f"[{same}]" + "?" * is_left_out)
        else:
            if not is_escaped and letter in "[]":
                in_class = letter == "["
            parts.append(letter)
        is_escaped = letter == "\\" and not is_escaped
    return "".join(parts)
