"""What agents delete soon: transcripts, by each agent's own setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....agents.transcript_retention import SOON_DAYS, expiring
from ....platform.translation import _
from ....text.plural import count_noun
from ..agent_files import rules_of
from .examined import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .examined import Examined


def of_expiry(examined: Examined) -> Iterator[Finding]:
    """Yield what agents delete within seven days."""
    for entry in expiring(examined.here):
        title = rules_of(entry.agent).title
        days = count_noun(entry.days, "days")
        age = (
            _("older than {days}", days=days)
            if entry.over == entry.count
            else _("within {soon} days of {days}", soon=SOON_DAYS, days=days)
        )
        sentence = (
            _("{agent}: 1 transcript is {age}, and will be deleted", agent=title, age=age)
            if entry.count == 1
            else _(
                "{agent}: {transcripts} are {age}, and will be deleted",
                agent=title,
                transcripts=count_noun(entry.count, "transcripts"),
                age=age,
            )
        )
        yield Finding("expiring", entry.folder, 0, sentence, _("archive them"))
