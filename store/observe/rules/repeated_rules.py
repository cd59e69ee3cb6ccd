"""Whether what a user says repeats a rule that was said before, and whether a command, an edit or a reply
goes against one.

A rule forbids something only where it does so without a condition, and names it so that it can't be taken
for something else: a command, an option, a path or a quoted phrase. All others accuse nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile

from ...records.dataclasses import dataclass
from ...text.language.phrases import spoken_pattern
from ...text.language.same import Gist, gist
from ...text.language.sentences import split_sentences
from .facts import LEADS, PATH, UNQUOTED
from .own_words import own_words
from .sentence_patterns import KNOWN_TOOLS
from .shell import ShellCommand, is_interpreter, parse_commands
from .shell_commands import git_words

REPROACH = spoken_pattern(
    r"^(?:(?:no|hey|come on|ugh|argh|again|and|but|why|please)[,:!. ]+)*(?:(?:as|like) i(?:'ve| have)? "
    r"(?:already )?(?:said|told you|mentioned|asked)(?: before| earlier)?|i(?:'ve| have)? (?:already |just "
    r"|clearly |explicitly )*(?:(?:told|asked|reminded|instructed) you|said)(?: (?:already|before"
    r"|again|yesterday|(?:once|twice|\w+ times)))*(?: (?:that|to))?|(?:how (?:often|many times)"
    r"|for the (?:second|third|fourth|fifth|last|\w+th) time).{0,40}?(?=[,:?!]|$)|you (?:keep|still"
    r"|did it again|forgot|ignored|again)(?: (?:that|to))?|again(?=[,:!])|once (?:more|again)(?=[,:!])"
    r"|we(?:'ve| have) been over this)[,:!?. ]*"
    r"|^(?:[我们]*(?:都|已经|早就?|刚才?|明明)*(?:[跟和对]你)?(?:说过|讲过|告诉过你|告诉你|强调过|提醒过)"
    r"(?:你|了|很多次|多次|好几[次遍]|[两三几]遍)*|(?:我)?再(?:说|强调)一[次遍]|(?:你)?(?:怎么)?又忘了?"
    r"|(?:第[二三四五]|最后一)[次遍])[了,，:：!！。 ]*",
    re.IGNORECASE,
)
"""How somebody says that a thing was said before."""
STILL = spoken_pattern(
    r"\b(?:why (?:are|do|did|is|does) (?:you|it) (?:still |again )?|you(?:'re| are)? (?:still |again )?"
    r"|stop |keep )(?:us|runn|call)(?:e|ing|ed)? +(?P<what>.+?)(?: again)?$"
    r"|(?:怎么|你)(?:还|又)(?:在)?(?:用|跑|运行) ?(?P<still>.+?) ?了?$",
    re.IGNORECASE,
)
ENDS = " .。!！?？;；,，"
REMARK = spoken_pattern(r"\b(?:still|again|keep)\b|还|又", re.IGNORECASE)

FORBIDS = spoken_pattern(
    r"(?:\b(?:never|do not|don't|stop|avoid|and not|but not|not|no|instead of|rather than|over)"
    r"|(?:永远|绝对|千万|以后|再)*(?:不要|别|不许|禁止|不得|勿)再?|而不是)(?: ever| again)?"
    r"(?: want (?:you )?to)?"
    r"(?: ?(?P<verb>us(?:e|ing)|run(?:ning)?|call(?:ing)?|execut(?:e|ing)|invok(?:e|ing)|edit(?:ing)?"
    r"|touch(?:ing)?|chang(?:e|ing)|modify(?:ing)?|say(?:ing)?|writ(?:e|ing))\b"
    r"| ?(?P<chinese>使用|运行|执行|调用|修改|编辑|改|用|跑|说|写))? *(?P<what>.+)$",
    re.IGNORECASE,
)
RUNS = ("run", "call", "exec", "invok", "运行", "执行", "调用", "跑")
EDITS = ("edit", "touch", "chang", "modif", "修改", "编辑", "改")
SAYS = ("say", "writ", "说", "写")
TAIL = spoken_pattern(
    r"(?:[,;:，；]? *(?:\b(?:here|ever|again|please|any ?more|at all|directly|commands?|from now on"
    r"|in (?:this|our) (?:repo(?:sitory)?|project|codebase)"
    r"|to (?:install|add|manage) (?:packages|dependencies|deps))\b|了|命令))+$",
    re.IGNORECASE,
)
"""What may follow that which is forbidden, and is no condition."""
WANTS = spoken_pattern(
    r"(?:\b(?:us(?:e|es|ing)|with|prefer|run)\b|我们?用|请?(?:使?用|改用)) ?(?: the)? ?"
    r"`?(?P<what>[\w./@+-]+(?: [\w./@+-]+){0,2}?)`?\s*"
    r"(?:here|instead|in this (?:repo|project)|please)?[,， ]*$",
    re.IGNORECASE,
)
MUST = spoken_pattern(
    r"\s*(?:you|we|i)(?: (?:must|should|shall|may|can))?\s*|\s*(?:你|我们)?\s*", re.IGNORECASE
)
BARE = re.compile(r"\s*`?(?P<what>[\w./@+-]+)`?\s*", re.ASCII)
CLAUSES = spoken_pattern(r"\s*[,;，；]\s*|\s+(?:and|but)\s+(?=we\b|use\b|don't\b|never\b|not\b|stop\b)")
WORD = re.compile(r"[a-z0-9@.-][\w./@:+=-]*")
MOST_WORDS = 4
QUOTED = re.compile(r"[\"“「](?P<what>[^\"”」]{3,80})[\"”」]")
CONDITIONS = frozenset(
    "after at before during except for from if in on only or outside than to unless until when while with "
    "without".split()
)
BUILTINS = frozenset(
    "alias break case cd continue do done echo else eval exec exit export false fi for function hash help "
    "history if in jobs kill let local print printf pwd read return select set shift source test then time "
    "times trap true type ulimit umask unset until wait while".split()
)
"""Words of the shell that mean something else in other languages."""
ASKS_ONLY = frozenset(("--version", "--help", "-h", "-v", "-V"))


@dataclass(frozen=True, slots=True)
class Ban:
    """What a rule forbids: a command by its words, an option of any, a path, or a phrase; `wanted` is what
    is to take its place, "" for nothing."""

    words: tuple[str, ...] = ()
    path: str = ""
    phrase: str = ""
    wanted: str = ""

    def includes(self, other: Ban) -> bool:
        """Return whether another rule forbids the same, or a part of it."""
        is_same = other.words[: len(self.words)] == self.words if self.words else self.path == other.path
        has_same_place = self.wanted == other.wanted or not (self.wanted and other.wanted)
        return is_same and self.phrase == other.phrase and has_same_place

    def is_broken_by(self, line: str = "", files: Iterable[str] = (), said: str = "") -> bool:
        """Return whether a command line, changed files or a reply go against it."""
        if self.phrase:
            phrase = rf"(?<![A-Za-z0-9_]){re.escape(self.phrase)}(?![A-Za-z0-9_])"
            return re.search(phrase, UNQUOTED.sub(" ", said), re.IGNORECASE) is not None
        if self.path:
            return any(f"/{file}".endswith(f"/{self.path}") for file in files)
        return self.words[0] in line and any(map(self._is, parse_commands(line)))

    def is_named_in(self, text: str) -> bool:
        """Return whether a text names what it forbids."""
        named = re.escape(self.path or self.phrase or self.words[0])
        return re.search(rf"(?<![\w-]){named}(?![\w-])", text) is not None

    def _is(self, command: ShellCommand) -> bool:
        words = command.words
        if not words or ASKS_ONLY.intersection(words):
            return False
        if self.words[0].startswith("--"):
            # Behind two dashes stand no options.
            return self.words[0] in takewhile("--".__ne__, words)
        rest = git_words(words) if command.name == "git" else words[1:]
        plain = tuple(word for word in rest if not word.startswith("-"))
        options = {word for word in self.words if word.startswith("-")}
        wanted = tuple(word for word in self.words[1:] if word not in options)
        return command.name == self.words[0] and plain[: len(wanted)] == wanted and options.issubset(words)


@lru_cache(maxsize=2048)
def ban_of(rule: str) -> Ban | None:
    """Return what a rule forbids, None where it forbids nothing that could be told safely."""
    text = LEADS.sub("", rule.strip())
    text = text.strip() if text.endswith(" .") else text.strip(ENDS)
    clauses = CLAUSES.split(text)
    for place, clause in enumerate(clauses):
        match = FORBIDS.search(clause)
        if match is None:
            continue
        around = [clause[: match.start()], *clauses[:place], *clauses[place + 1 :]]
        verb = match["verb"] or match["chinese"] or ""
        # A word before a verb is who must not do it ("Hooks never run git").
        bare = around[1:] if verb else around
        wants = {
            part: found["what"]
            for part in around
            if (found := WANTS.search(part) or (BARE.fullmatch(part) if part in bare else None))
        }
        wanted = next(iter(wants.values()), "").lower()
        # What else is said there may be a condition.
        others = [part for part in around if part.strip() and part not in wants]
        if any(not (LEADS.fullmatch(f"{part.strip()} ") or MUST.fullmatch(part)) for part in others):
            return None
        return _ban(verb, match["what"], wanted)
    return None


def _ban(verb: str, text: str, wanted: str) -> Ban | None:
    verb, what = verb.lower(), TAIL.sub("", text).strip()
    if verb.startswith(SAYS):
        quoted = QUOTED.fullmatch(what)
        return Ban(phrase=quoted["what"].strip(ENDS)) if quoted else None
    is_code = len(what) > 2 and what[0] == what[-1] == "`" and "`" not in what[1:-1]
    words = tuple(what.strip("`").split())
    if verb.startswith(EDITS):
        return (
            Ban(path=words[0].removeprefix("./")) if len(words) == 1 and PATH.fullmatch(words[0]) else None
        )
    if not words or len(words) > MOST_WORDS or not all(map(WORD.fullmatch, words)):
        return None
    if not is_code and not CONDITIONS.isdisjoint(words):
        return None
    is_option = words[0].startswith("--")
    is_told = is_code or is_option or len(words) > 1 or verb.startswith(RUNS)
    if not is_told and (words[0] in BUILTINS or is_interpreter(words[0])):
        return None
    if not (is_told or wanted or KNOWN_TOOLS.fullmatch(words[0])):
        return None
    return Ban(words, wanted=wanted)


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence of a prompt, as it was typed and without what only says that it was said before, which
    `is_reproach` tells."""

    whole: str
    text: str
    gist: Gist
    is_reproach: bool

    def repeats(self, rule: str) -> bool:
        """Return whether it says a rule again."""
        ban, other = ban_of(rule), ban_of(self.text)
        if ban is None or other is None:
            if self.gist.says_something and self.gist.says_the_same(saying_of(rule).gist):
                return True
        elif ban.includes(other):
            return True
        still = STILL.search(self.whole) if self.is_reproach and ban else None
        named = (still["what"] or still["still"] or "").strip("` ") if still else ""
        return (
            ban is not None
            and ban.words != ()
            and tuple(named.lower().split()[: len(ban.words)]) == ban.words
        )


def sayings(prompt: str) -> Iterator[Saying]:
    """Yield the sentences that a user typed."""
    for sentence in split_sentences(own_words(prompt), is_typed=True, at_semicolons=True):
        saying = saying_of(sentence)
        if saying.is_reproach or not sentence.rstrip().endswith(("?", "？")):
            yield saying


@lru_cache(maxsize=4096)
def saying_of(sentence: str) -> Saying:
    """Return a sentence of a user's as it is compared with rules."""
    plain = LEADS.sub("", sentence.strip()).strip(ENDS)
    rest = REPROACH.sub("", plain)
    is_reproach = rest != plain or (REMARK.search(plain) is not None and STILL.search(plain) is not None)
    text = LEADS.sub("", rest.strip()).strip(ENDS)
    return Saying(plain, text, gist(text), is_reproach)


def is_order(rule: str) -> bool:
    """Return whether a fact tells somebody what to do, so that it can be gone against."""
    return ORDERS.search(UNQUOTED.sub("", rule)) is not None


ORDERS = spoken_pattern(
    r"\b(?:always|never|must|do not|don't|stop|avoid|instead of|rather than|from now on|no)\b"
    r"|^(?:please )?(?:use|run|write|keep|put|prefer|ask|make|add|name|answer|reply|test|check|commit)\b"
    r"|, ?not\b|必须|不要|别|禁止|不许|不得|一律|总是|务必|永远|请用|统一",
    re.IGNORECASE,
)
