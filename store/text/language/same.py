"""Whether two sentences say the same: the one rule by which summaries, contexts, facts and duplicates tell
that something was said already.

Two sentences say the same if all that one says the other says too, and what the other says besides is
little. That is told by what of them carries meaning: the stems of their words without those that tell
nothing (`Gist.words`), and in scripts that write no spaces the characters that stand in a pair that both
have. So "Moved the token refresh to the gateway" says the same as "The token refresh was moved to the
gateway service", whatever the order and the inflection. They say something else where

- either has something that the other lacks: a choice (exponential, linear), another number or name;
- what only one of them has is a number, or a name (of a file, a function, a product);
- one denies and the other doesn't, or not as often: `NEGATIONS`, of which "removed" is one;
- what follows a word that gives direction ("from", "instead of", 而不是) in both isn't the same;
- what only one has is more than `MOST_LEFT` words, or more than the share of `SAME` leaves.

The thresholds are those at which all pairs of `tests/store/text/language/pairs.py` come out as a reader
judges them: of `SAME` .78 to .80 do so; at .74 "the tests of the drift of the clock" are "the
drift of the clock", at .82 a sentence of five words must not lack one. Which of two that are the
same is kept is for whoever asks: the later.

Nothing but what is beside it is imported, and no pattern used: a hook's process waits for it. A gist is
made once for each sentence (5 µs in English, 20 in Chinese), most pairs are compared in 0.2.
"""

from __future__ import annotations

from .scripts import FIRST, is_unspaced
from .sentences import split_sentences
from .words import GENERIC, STEP_WORDS, STOP_WORDS, stem

SAME = 0.8
"""The share of what the longer of two sentences says that the other has to say too."""
MOST_LEFT = 3
"""Words that the longer may have besides, in a text of any length."""
DONE = 0.7
"""The share of a step's words that what was done has to hold; of a step of three words or less, all."""
OF_STEPS = frozenset(map(stem, STEP_WORDS))
ROUNDING = 1e-9
PAIR = 2
"""Characters that count as a word where none are set apart."""

TELLING = frozenset(
    "before after above below under up down over more most less only off same all own against out "
    "between during until again could some few both other".split()
)
"""Words that tell nothing of what a text is about, but what it says of it."""
NEGATIONS = frozenset(
    "no not never none nothing neither nor cannot without off false stop stops stopped stopping drop "
    "drops dropped dropping remove removes removed removing disable disables disabled disabling avoid "
    "avoids forbid forbidden deny denied".split()
)
CHINESE_NEGATIONS = "没有 禁止 停止 停用 禁用 删除 移除 去掉 取消 不 没 沒 無 无 未 别 勿 非".split()
NUMBERS = {
    name: str(number)
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen".split()
    )
    if name != "one"
} | {
    name: str(10 * number)
    for number, name in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}  # fmt: skip
"""Numbers as words; "one" is seldom one."""
CHINESE_FILLERS = (
    "接下来 下一步 已经 可以 我们 需要 完成 决定 成功 现在 目前 服务 了 的 将 把 已 请 被 会 尚 还".split()
)
"""Words in which two Chinese sentences may differ and say the same."""
CHINESE_SYNONYMS = {
    "采用": "使用", "选用": "使用", "改用": "使用", "修正": "修复", "解决": "修复", "新增": "添加",
    "增加": "添加", "加入": "添加", "移至": "移到", "迁移到": "移到", "迁到": "移到", "搬到": "移到",
}  # fmt: skip
DIRECTIONS = frozenset("from instead rather over than before after without not against".split())
"""What follows one of these is the other side of a choice."""
CHINESE_DIRECTIONS = "从 而不是 代替 取代 替换 先 由 比 改为 改成 换成".split()
SHOWN = 2
"""So many characters behind one of these are compared."""
AROUND = 20
"""So many characters around a word tell whether it is a name."""

PLAIN = {"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
"""Typographic signs, and what they are on a keyboard."""
SIGNS = "!\"#$%&()*+,-./:;<=>?@[\\]^`{|}~‹›，。；：！？（）、‘’“”《》「」『』【】…—–·→∶'"
SPACES = str.maketrans(SIGNS, " " * len(SIGNS))
CONTRACTIONS = (("can't", "cannot"), ("won't", "will not"), ("n't", " not"))
REPLACED = (("c++", "cpp"), ("c#", "csharp"), ("pull request", "pullrequest"))

PARTING = ("; ", ". ", "! ", "? ", "；", "。", "！", "？")
"""What may stand between two parts of a text."""

DENIED = "\1"
"""What takes the place of a Chinese negation."""
NEGATION = "\0"
"""What a negation is in `_taken`, in which it is no word."""
MOST_TAKEN = 20_000


class Gist:
    """What of a sentence carries meaning. It is made by `gist`, and never changed."""

    __slots__ = ("_parts", "negations", "pairs", "runs", "text", "words")

    def __init__(self, text: str, words: frozenset[str], negations: int, runs: list[str]) -> None:
        self.text = text
        self.words = words
        """The stems of its words, but of those that tell nothing."""
        self.negations = negations
        """How often it denies."""
        self.runs = runs
        """What it has in scripts without spaces, parted by signs and by words that tell nothing."""
        self.pairs = {run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))}
        """Each two characters of these that follow one another."""
        self._parts: tuple[Gist, ...] | None = None

    @property
    def parts(self) -> tuple[Gist, ...]:
        """The gists of its sentences, and of what semicolons part in them, where these are several: what
        says them one by one says the same."""
        if self._parts is None:
            parts: list[str] = []
            if any(sign in self.text for sign in PARTING):
                parts = split_sentences(self.text, is_typed=True, at_semicolons=True)
            self._parts = tuple(map(gist, parts)) if len(parts) > 1 else ()
        return self._parts

    @property
    def says_something(self) -> bool:
        """Whether anything of it carries meaning."""
        return bool(self.words or self.pairs)

    @property
    def size(self) -> float:
        """How much it says, in words."""
        return len(self.words) + sum(map(len, self.runs)) / PAIR

    @property
    def may_have_left(self) -> float:
        """How much of it, in words, another one may lack that says the same."""
        return min(MOST_LEFT, (1 - SAME) * self.size + ROUNDING)

    def covers(self, other: Gist) -> bool:
        """Return whether a sentence says the same as another one, or all of it and more."""
        if self.negations != other.negations or len(other.words - self.words) > MOST_LEFT:
            return False
        return self.says_all_of(other) or self.says_the_same(other)

    def says_the_same(self, other: Gist) -> bool:
        """Return whether two sentences say the same."""
        if self.negations != other.negations or not _may_be_same(self, other):
            return False
        longer, shorter = (self, other) if _left(self, other, 1) else (other, self)
        if longer is self and _left(other, self, 1):
            return False
        left = _left(longer, shorter)
        weight = sum(1 if word in longer.words else 1 / PAIR for word in left)
        if weight > longer.may_have_left:
            return False
        return not (
            _has_name(left, longer)
            or _decimals(self.text) != _decimals(other.text)
            or _are_turned(self, other)
        )

    def does(self, step: Gist) -> bool:
        """Return whether a sentence that tells what was done does a step, by what that is about: its words
        but those of any step, and pairs of characters in Chinese."""
        wanted = (step.words - OF_STEPS) | step.pairs
        if not wanted:
            return False
        shared = len(wanted & (self.words | self.pairs)) / len(wanted)
        return shared >= (DONE if len(wanted) > 3 else 1)

    def says_all_of(self, other: Gist) -> bool:
        """Return whether a sentence says all that another one does, and denies as often. One word is
        what many sentences have and none says."""
        return (
            self.negations == other.negations
            and other.size > 1
            and other.words <= self.words
            and not _left(other, self)
            and _decimals(other.text) <= _decimals(self.text)
            and not _are_turned(self, other)
        )


def says_the_same(text: str, other: str) -> bool:
    """Return whether two sentences say the same. Whoever compares many makes the gist of each once."""
    return gist(text).says_the_same(gist(other))


def gist(text: str) -> Gist:
    """Return the gist of a sentence or of a short text."""
    low = spelled_out(text)
    is_ascii = low.isascii()
    tokens = low.translate(SPACES).split() if is_ascii else _tokens(low)
    known = _taken
    words = {known[token] if token in known else _take(token) for token in tokens}
    words.discard("")
    negations = 0
    if NEGATION in words:
        words.discard(NEGATION)
        negations = sum(known.get(token) == NEGATION for token in tokens)
    runs = [] if is_ascii else [token for token in tokens if is_unspaced(token[0])]
    return Gist(text, frozenset(words.difference(runs)), negations, runs)


def spelled_out(text: str) -> str:
    """Return a text in lower case, with plain quotes, and "not" where it is only hinted at."""
    low = text.lower()
    if not low.isascii():
        for sign in PLAIN.keys() & set(low):
            low = low.replace(sign, PLAIN[sign])
    if "'" in low:
        for written, read in CONTRACTIONS:
            low = low.replace(written, read)
    for written, read in REPLACED:
        low = low.replace(written, read)
    return low


_taken: dict[str, str] = {}
"""What tokens were taken for: their stems, "" for those that tell nothing, or a negation."""


def _take(token: str) -> str:
    if len(_taken) > MOST_TAKEN:
        _taken.clear()
    if token in NEGATIONS or token == DENIED:
        word = NEGATION
    elif not any(map(str.isalnum, token)):
        word = ""
    elif token in NUMBERS:
        word = NUMBERS[token]
    elif token in GENERIC or (token in STOP_WORDS and token not in TELLING):
        word = ""
    else:
        word = stem(token)
        if word in GENERIC:
            word = ""
    _taken[token] = word
    return word


def _tokens(low: str) -> list[str]:
    """Return the words of a text in lower case, the runs of scripts without spaces, and its negations."""
    letters = set(low)
    for sign in _signs & letters:
        low = low.replace(sign, " ")
    if max(letters) >= FIRST:
        for word, other in _CHINESE:
            if word[0] in letters and word in low:
                low = low.replace(word, other)
    tokens: list[str] = []
    for part in low.split():
        if part.isascii() or min(part) >= FIRST:
            tokens.append(part)
            continue
        begin = 0
        for at in range(1, len(part)):
            if is_unspaced(part[at]) != is_unspaced(part[at - 1]):
                tokens.append(part[begin:at])
                begin = at
        tokens.append(part[begin:])
    return tokens


_signs = frozenset(SIGNS)
_CHINESE = (
    *CHINESE_SYNONYMS.items(),
    *((word, " ") for word in CHINESE_FILLERS),
    *((word, f" {DENIED} ") for word in CHINESE_NEGATIONS),
)


def _may_be_same(item: Gist, other: Gist) -> bool:
    """Return, quickly, whether two have enough in common."""
    mine, theirs = len(item.words), len(other.words)
    if abs(mine - theirs) > MOST_LEFT:
        return False
    if item.says_something != other.says_something:
        return False
    if item.pairs and other.pairs and item.pairs.isdisjoint(other.pairs):
        return False
    return len(item.words & other.words) == min(mine, theirs)


def _left(item: Gist, other: Gist, enough: int = PAIR * MOST_LEFT + 1) -> list[str]:
    """Return what one sentence says and the other doesn't: words, and single characters; once it is
    `enough` no more, which by default is too much already."""
    left = [*(item.words - other.words)]
    pairs = other.pairs
    if item.pairs <= pairs:
        return left
    for run in item.runs:
        if len(left) >= enough:
            break
        held = [False] * len(run)
        for at in range(len(run) - 1):
            if run[at : at + 2] in pairs:
                held[at] = held[at + 1] = True
        if len(run) == 1:
            held[0] = any(run in pair for pair in pairs)
        left += [letter for letter, is_held in zip(run, held, strict=True) if not is_held]
    return left


def _has_name(stems: list[str], longer: Gist) -> bool:
    """Return whether one of some stems is a number, or of a name in a text."""
    if not all(map(str.isalpha, stems)):
        return True
    spaced = [stem for stem in stems if not is_unspaced(stem[0])]
    if not spaced or longer.runs:
        # In a Chinese text whatever is written in letters is a name.
        return bool(spaced)
    plain = longer.text.lower().translate(SPACES)
    for token in {token for token in plain.split() if _taken.get(token) in spaced}:
        at = plain.find(token)
        near = longer.text[max(0, at - AROUND) : at + len(token) + AROUND]
        if near.islower() and not any(map(near.__contains__, "_`.")):
            # Most words, and much quicker.
            continue
        from .names import names_in

        if any(token in name for name in names_in(near)[0]):
            return True
    return False


def _are_turned(item: Gist, other: Gist) -> bool:
    """Return whether two sentences have a word of direction in common, and something else follows it."""
    mine, theirs = item.text.lower(), other.text.lower()
    first, second = _following(mine), _following(theirs)
    if any(first[word].isdisjoint(second[word]) for word in first.keys() & second.keys()):
        return True
    if item.runs and other.runs:
        for word in CHINESE_DIRECTIONS:
            begun = mine.partition(word)[2].strip()[:SHOWN]
            others = theirs.partition(word)[2].strip()[:SHOWN]
            if begun and others and begun != others:
                return True
    return False


def _decimals(text: str) -> set[str]:
    """Return versions and the like, of which the parts alone say too little."""
    if "." not in text:
        return set()
    parts = (token.strip(SIGNS).lstrip("vV") for token in text.split() if "." in token)
    return {part for part in parts if "." in part and part.replace(".", "").isdigit()}


def _following(text: str) -> dict[str, set[str]]:
    """Return by each word of direction the stems of what follows it."""
    results: dict[str, set[str]] = {}
    waiting: list[str] = []
    tokens = text.translate(SPACES).split()
    if DIRECTIONS.isdisjoint(tokens):
        return results
    for token in tokens:
        if token in DIRECTIONS:
            waiting.append(token)
        elif waiting and (word := _taken.get(token)) and word != NEGATION:
            for direction in waiting:
                results.setdefault(direction, set()).add(word)
            waiting = []
    return results
