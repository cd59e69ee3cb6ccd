"""Chinese words that ask or join and tell nothing of what a question is about, in both scripts.

Words aren't set apart in Chinese, so these are taken out of a run before it is cut into pairs: else half
of a question's pairs would stand across them.
"""

from __future__ import annotations

from ..late_pattern import late_pattern

WORDS = (
    "为什么 為什麼 为甚么 為甚麼 什么时候 什麼時候 什么样 什麼樣 什么 什麼 甚么 甚麼 "
    "怎么样 怎麼樣 怎么办 怎麼辦 怎么 怎麼 怎样 怎樣 如何 为何 為何 何时 何時 何处 何處 "
    "何地 何人 何种 何種 哪一些 哪一个 哪一個 哪一 哪些 哪里 哪裡 哪裏 哪个 哪個 哪几 "
    "哪幾 哪儿 哪兒 哪种 哪種 谁 誰 第几 第幾 几个 幾個 几次 幾次 几种 幾種 多少 多久 "
    "是不是 有没有 有沒有 能不能 会不会 會不會 可不可以 可以 是否 我们 我們 你们 你們 "
    "他们 他們 她们 她們 它们 它們 咱们 咱們 这个 這個 那个 那個 这些 這些 那些 这里 這裡 "
    "那里 那裡 这样 這樣 那样 那樣 一个 一個 吗 嗎 呢 哪(?!吒) "
    "(?<![目标標])的(?![确確士]) (?<![为為])了(?![解结結断斷]) "
    "(?<![还還但于於可总總只国國就凡])是(?![非])"
).split()
FUNCTION_WORDS = late_pattern("|".join(sorted(WORDS, key=len, reverse=True)))


def without_function_words(text: str) -> str:
    """Return a text with a blank in place of each of these words."""
    return text if text.isascii() else FUNCTION_WORDS.sub(" ", text)
