"""Whether a prompt asks for something, rather than only to go on. Imports nothing."""

from __future__ import annotations

ASKS_NOTHING = frozenset(
    "ok okay yes no y n go continue proceed thanks thx hello hi hey please commit push done great good "
    "sure yep yeah nice cool next stop do it that the this and go on ahead draft pr 好 好的 可以 继续 "
    "谢谢 是 是的 对 行 嗯 你好 提交 推送 没问题 不用 开始 请".split()
)  # fmt: skip


def asks_something(prompt: str) -> bool:
    """Return whether a prompt asks for something ("ok, do it" does not)."""
    words = prompt.lower().replace(",", " ").replace("，", " ").strip(" .!。！~").split()
    return any(word.strip(".!?,。！:：;") not in ASKS_NOTHING for word in words)
