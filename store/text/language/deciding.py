"""The words with which people decide, by language: what rules, summaries and searches alike read in them.

A further word belongs here alone. Nothing is imported: a hook's process reads it.
"""

from __future__ import annotations

WE_DECIDED = r"decided|agreed|chose|settled on|opted|committed to"
"""What stands behind "we", as part of a pattern."""
CHINESE_DECIDED = "决定|商定|敲定|选定|拍板|约定|定下"
"""Likewise, whoever decides."""
CHINESE_NOUNS = "决定|决策|约定"
"""What a heading or a label names that was decided."""
CHINESE_RULED = f"{CHINESE_NOUNS}|规定|统一|必须|一律|禁止|都不要|不准|定为"
"""What makes a rule of a sentence."""
ASKED_FOR = (
    rf"\b(?:{WE_DECIDED}|decid(?:e|ing)|decisions?|choose|chosen|choice)\b|{CHINESE_DECIDED}|{CHINESE_NOUNS}"
    r"|选了|定的是"
)
"""What a question holds that asks for what was decided."""
