"""What no session is told as if it held or mattered: what was tried and didn't stay, what only repeats or
points elsewhere, and remarks on pasted logs.

No pattern is used, for a hook's process waits for it.
"""

from __future__ import annotations

SIGNS = (
    "reverted", "undid ", "backed it out", "backed them out", "backed that out", "backed out",
    "took it out", "took that out",
    "took them out", "taken out again", "gave it up", "gave that up", "gave this up",
    "gave up on", "given up", "dropped it", "dropped that", "dropped them", "rolled back", "rolled it back",
    "rolled that back", "so i removed", "so i restored", "so i dropped", "so we removed", "so we dropped",
    "so i went back", "abandoned", "scrapped", "discarded it", "threw it away", "didn't work out",
    "撤回", "回滚", "放弃", "撤销", "退回", "已还原", "改回",
)  # fmt: skip
LONGEST = 600
"""Characters of a reply that tells of nothing else."""


def gave_up(text: str) -> bool:
    """Return whether a short text tells of what was tried and given up."""
    if len(text) > LONGEST:
        return False
    lowered = text.lower().replace("’", "'")
    return any(sign in lowered for sign in SIGNS)


ELSEWHERE = ("see the ", "refer to ", "see also ", "参见", "请参考", "详见")
FEW = 4
"""Lines of a log, or sentences of a text that only repeats, at least."""


def is_loud(text: str) -> bool:
    """Return whether a text says a few things over and over, or only where to read."""
    parts = [part.strip().lower() for part in text.replace("\n", ". ").split(". ") if part.strip()]
    return _repeats(parts) or (len(parts) < FEW and text.lower().startswith(ELSEWHERE))


def logged(prompt: str) -> bool:
    """Return whether most of a prompt are lines that repeat, as those of a log do."""
    return _repeats([line.strip() for line in prompt.splitlines() if line.strip()])


def _repeats(parts: list[str]) -> bool:
    return len(parts) >= FEW and 2 * len(set(parts)) <= len(parts)
