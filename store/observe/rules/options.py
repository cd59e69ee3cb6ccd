"""Options that a reply offers, and how its user takes one: by a number, a letter or a place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.language.blocks import blocks_of
from ...text.language.phrases import spoken_pattern
from ...text.truncation import shortened

ANY = re.IGNORECASE

OPTION_TEXT = 160
"""Characters of an option that is told with the choice."""
TAKEN = spoken_pattern(
    r"\b(?:option|approach|alternative|choice|plan|variant|number|#)\s*(?P<name>[1-9]|[a-h])\b"
    r"|^(?:ok(?:ay)?,? )?(?P<bare>[1-9])\b(?=.{1,40}\b(?:path|approach|way|route|solution)\b)"
    r"|(?:方案|选项|第)\s*(?P<chinese>[1-9一二三四A-H])(?:个|种)?",
    ANY,
)
LIKES = spoken_pattern(
    r"\b(?:like|prefer|love|choose|pick|take|go (?:with|for)|let's|use|want|do)\b|^(?:option|approach)"
    r"|^(?:ok(?:ay)?,? )?[1-9]\b|选|用|喜欢|采用|就",
    ANY,
)
ORDINALS = {
    "一": "1", "二": "2", "三": "3", "四": "4", "first": "1", "second": "2", "third": "3", "fourth": "4",
}  # fmt: skip
NAMED = spoken_pattern(
    r"^(?:option|approach|alternative|choice|plan|variant|方案|选项)\s*(?P<name>[1-9]|[a-h]\b|[一二三四])"
    r"(?!\s+(?:is|was|would|could|should|seems?|looks?|has|needs?|and|or|to|also)\b|\s*[是比更最和或与也])"
    r"\s*[:：.)、—–-]*\s*(?P<what>.*)", ANY,
)  # fmt: skip
LETTERED = spoken_pattern(r"^(?P<name>[1-9A-H])\s*[:：.)]\s+(?P<what>.+)")
PLACES = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "former": 0, "latter": -1, "一": 0,
    "二": 1, "三": 2, "四": 3, "前者": 0, "后者": -1, "最后": -1,
}  # fmt: skip
"""Names of options by where they stand."""
NAME = spoken_pattern(
    r"(?<![a-z])(?:first|second|third|fourth|last|former|latter|[1-9a-h])(?![a-z])|前者|后者|最后"
    r"|[一二三四]",
    ANY,
)
_NAMES = rf"(?P<names>(?:{NAME.pattern})(?:(?: ?[,&+和、] ?| and | ?, and )(?:{NAME.pattern}))*)"
ALONE = spoken_pattern(
    r"^(?:(?:ok(?:ay)?|yes|yeah|sure|so)[,. ]+)*(?:(?:i(?:'d|'ll| would| will)? |let's |lets |we |please )?"
    r"(?:like|prefer|take|choose|pick|go (?:with|for)|do|use|want) )?(?:the |option |number |approach |#)*"
    rf"{_NAMES}(?: (?:option|approach|one|variant|way|choice))?"
    r"(?:,? (?:please|then|thanks|instead|after all|(?:works?|looks?|sounds?|seems?|is|are"
    r"|feels?)(?! not)\b.{0,30}|it is"
    r"|for me))*(?:,? (?:since|because|as|it|that) .*)?$", ANY,
)  # fmt: skip
CHINESE_ALONE = spoken_pattern(
    r"^(?:好的?[，, ]*|那|还是)*就?(?:我)?(?:选择?|用|按|采用|要|换成|改[用成])? ?(?:方案|选项|第)? ?"
    rf"{_NAMES} ?(?:那?一?个|种|号)?(?:方案)?(?:吧|可以|好|行|不错|来|就行|就好|更好)*$", ANY,
)  # fmt: skip
"""An option by its number, letter or place alone, as one answers what an agent offers."""
EXCEPT = spoken_pattern(
    r"^(?:(?:ok(?:ay)?|yes|do|take|use|enable|i want|let's do)[,. ]+)*(?:all|every(?:thing| one)?"
    r"|both)(?: of (?:them|these|those|it))?,? (?:except|but|besides|without|minus|bar)(?: for)? (?:the "
    r"|option |number |approach |#)*"
    rf"{_NAMES}(?: (?:option|approach|one|variant))?(?:,? (?:please|then|thanks))*$|^除了?(?:第|方案"
    rf"|选项)? ?{_NAMES.replace('names', 'chinese')} ?(?:那?一?个|种|号|项|条)?(?:以外|之外)?[，, ]*"
    r"(?:其[他它余]的?)?[都全]*(?:要|可以|选|做|用|行|打开|开)(?:吧|了)?$",
    ANY,
)
"""All that an agent offers but some."""


def option_taken(text: str) -> str:
    """Return the number or letter of the option that a sentence takes or likes, "" for none."""
    match = TAKEN.search(text)
    return match["name"] or match["bare"] or match["chinese"] if match and LIKES.search(text) else ""


def names_option(text: str) -> bool:
    """Return whether a sentence takes an option by its number or letter."""
    return TAKEN.search(text) is not None or bool(names_alone(text.strip(" .。!！")))


def names_alone(text: str) -> list[str]:
    """Return the numbers or letters of options where a text takes them and says nothing else."""
    match = ALONE.match(text) or CHINESE_ALONE.match(text) or EXCEPT.match(text)
    if match is None:
        return []
    given = match.groupdict()
    return [name.lower() for name in NAME.findall(given["names"] or given["chinese"])]


def options_of(reply: str, names: Sequence[str], *, is_except: bool = False) -> list[str]:
    """Return what a reply offers under some numbers, letters or places, "" for what it doesn't offer; with
    `is_except` all the others. What is called an option goes before the items of lists, of which the last
    so numbered counts."""
    called: dict[str, str] = {}
    numbered: dict[str, str] = {}
    blocks = blocks_of(reply)
    for at, block in enumerate(blocks):
        for line in block.text.split("\n") if block.kind == "paragraph" else [block.text]:
            if match := NAMED.match(line) or LETTERED.match(line):
                below = blocks[at + 1].text if block.kind == "heading" and blocks[at + 1 :] else ""
                called.setdefault(_plain(match["name"]), match["what"] or below)
        number, _, rest = block.text.partition(" | ")
        if block.kind == "row":
            numbered[number.lower()] = rest
        elif block.number and block.kind in ("bullet", "heading") and not block.level % 7:
            numbered[block.number.lower()] = block.text
    known = numbered | called
    order = list(called or numbered)
    chosen = [_plain(name) if _plain(name) in known else _at(order, name) for name in names]
    if is_except:
        chosen = [name for name in order if name not in chosen] if set(order).issuperset(chosen) else []
    texts = (" ".join(known.get(name, "").split()) for name in chosen)
    # Of a table's row the first two cells.
    return [shortened(" - ".join(text.split(" | ")[:2]).rstrip(" :："), OPTION_TEXT) for text in texts]


def _plain(name: str) -> str:
    return ORDINALS.get(name, name).lower()


def _at(order: Sequence[str], name: str) -> str:
    """Return the option that stands where a name says, "" for none."""
    place = PLACES.get(name, len(order))
    return order[place] if -len(order) <= place < len(order) else ""
