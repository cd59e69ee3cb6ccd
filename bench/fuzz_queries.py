"""Generated queries: what people type, what nobody types, and everything mixed; seeded, endless."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator

from bench.typing_errors import mistyped
from store import Store
from store.search.documents import FIELDS
from store.search.query import LISTED
from store.search.words import STOP_WORDS

SAMPLES = 400
LENGTHS = (1, 1, 1, 2, 2, 3, 4, 6, 12, 30, 70)
"""How many pieces a query has."""
SYNTAX = (
    "( ) { } [ ] * ^ + - － -- : ： :: , ， \\ / % _ NEAR( AND NOT OR \" “ ” ＂ ' '; <b> $x".split()
)
ODD = [
    *"\0 \x1b[31m \x9b \u202e \u200d \ufeff \ud800 \udfff \U0010ffff 🚀 👨‍👩‍👧 🇩🇪 👍🏽".split(" "),
    *"e\u0301 ﬁ ß 𝐚 か゛ שלום سلام 결제 \x1f \t\n".split(" "),
]
DATES = [
    *"7d 1y 3mo 0d 99999d 2026 2026-02 2026-13 2026-02-30 0000 9999-12 2026-02-18T14:30Z".split(),
    *"today last-week 上周 3天前 monday never ' \"".split(),
]
STATES = "pinned private deleted pinned,private recent relevance obs prompts x".split()


class Queries:
    """An iterator of query texts, with the words and names of a store."""

    def __init__(self, store: Store, seed: int) -> None:
        self.draw = random.Random(seed)
        count = store.listing_count("")
        step = max(1, count // SAMPLES)
        hits = [hit for start in range(0, count, step) for hit in store.listing_hits("", start, 1)]
        self.texts = [text for hit in hits for text in (hit.row.title, hit.snippet.text) if text]
        self.words = sorted({word for text in self.texts for word in text.split()})
        facets = store.facets("").counts
        self.names = [value for values in facets.values() for value, _ in values]
        self.pieces: tuple[Callable[[], str], ...] = (
            *(self._word, self._word, self._words, self._substring, self._substring, self._passage),
            *(self._phrase, self._letters, self._stop_word, self._typo, self._alternative),
            *(self._excluded, self._field, self._filter, self._date, self._syntax, self._odd),
            *(self._noise, self._long),
        )

    def __iter__(self) -> Iterator[str]:
        while True:
            length = self.draw.choice(LENGTHS)
            if self.draw.random() < 0.3:
                makers = [self.draw.choice(self.pieces)] * length
            else:
                makers = self.draw.choices(self.pieces, k=length)
            yield self.draw.choice(("", " ", " ", " ", " ")).join(make() for make in makers)

    def _word(self) -> str:
        return self.draw.choice(self.words)

    def _words(self) -> str:
        return " ".join(self.draw.choice(self.texts).split()[: self.draw.randint(2, 9)])

    def _substring(self) -> str:
        word = self._word()
        start = self.draw.randrange(len(word))
        return word[start : start + self.draw.randint(1, 6)]

    def _passage(self) -> str:
        text = self.draw.choice(self.texts)
        start = self.draw.randrange(len(text))
        return text[start : start + self.draw.randint(1, 120)]

    def _phrase(self) -> str:
        opens, closes = self.draw.choice(('""', "“”", "＂＂", '" ', "”“"))
        return f"{opens}{self.draw.choice((self._words, self._passage, self._letters))()}{closes}"

    def _letters(self) -> str:
        characters = self.draw.choice((string.ascii_lowercase, string.digits, "令牌刷新缓存的了一"))
        return "".join(self.draw.choices(characters, k=self.draw.randint(1, 2)))

    def _stop_word(self) -> str:
        return self.draw.choice(sorted(STOP_WORDS))

    def _typo(self) -> str:
        return mistyped(self._word(), self.draw.randrange(1 << 30))

    def _alternative(self) -> str:
        return f"{self._plain()} OR {self._plain()}"

    def _excluded(self) -> str:
        return f"-{self._plain()}"

    def _field(self) -> str:
        field = self.draw.choice(sorted(FIELDS))
        return f"{self.draw.choice(('', '', '-'))}{field}:{self._plain()}"

    def _filter(self) -> str:
        name = self.draw.choice(sorted(LISTED))
        values = [self._value() for _ in range(self.draw.choice((1, 1, 1, 2, 5, 70)))]
        return f"{self.draw.choice(('', '', '-'))}{name}:{','.join(values)}"

    def _value(self) -> str:
        return self.draw.choice(
            (*self.names, self._plain(), *STATES, *DATES, "/", "%", "src/", "@1", "1", "")
        )

    def _date(self) -> str:
        return f"{self.draw.choice(('since', 'until', 'on'))}:{self.draw.choice(DATES)}"

    def _syntax(self) -> str:
        return self.draw.choice(SYNTAX) * self.draw.choice((1, 1, 1, 2, 50))

    def _odd(self) -> str:
        return self.draw.choice(ODD)

    def _noise(self) -> str:
        return "".join(chr(self.draw.randrange(0x110000)) for _ in range(self.draw.randint(1, 20)))

    def _long(self) -> str:
        return self.draw.choice((self._word(), self._letters(), "w", "数")) * self.draw.choice(
            (100, 1_000, 20_000)
        )

    def _plain(self) -> str:
        return self.draw.choice(
            (self._word, self._substring, self._letters, self._typo, self._odd)
        )()
