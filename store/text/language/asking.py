"""Whether a prompt asks for something, rather than only to go on, and whether a reply offers to. Imports
nothing."""

from __future__ import annotations

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
