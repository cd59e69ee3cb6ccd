"""Importing what was found on this machine, once a person has seen how much it is and how long it takes;
and what may go with it: agents hooked up, and what they delete kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from memtui.store import StoreError
from memtui.store.platform.leaves import has_leaf, leaf
from memtui.store.platform.paths import default_path_bytes
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun
from memtui.store.text.times import duration

from .parts.dialog import QuestionScreen
from .screen import MemScreen
from .startup.importing import Tell, found_here, import_all
from .text.content import DIM, Passage, joined, plain
from .text.paths import short

if TYPE_CHECKING:
    from memtui.store.maintain.importing import Offer
    from memtui.store.records.events import AgentName

# What only an import needs is imported then.

NOTHING = _("Found nothing to import. Use `mem import PATH` for files in other places.")
MS_A_MB = 600
"""About how long an import of transcripts takes."""
MB = 1_000_000
LEAST_SHARE = 0.02
"""How much is in before it is said how long the rest takes."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What can be imported; the agents that aren't hooked up; those that delete transcripts, and after how
    many days; and how many of these go within a week."""

    offers: Sequence[Offer]
    agents: Sequence[AgentName]
    deleting: dict[str, int]
    expiring: int


def offer_imports(screen: MemScreen) -> None:
    """Look for what can be imported, list it, and import all of it if that is wanted."""
    screen.run_worker(_offer(screen), group="import", exclusive=True)


async def _offer(screen: MemScreen) -> None:
    offers = await found_here()
    if not offers:
        screen.notify(NOTHING, markup=False)
        return
    found = await asyncio.to_thread(_beside, offers)
    answers = {"enter": _("imports")}
    if found.agents:
        answers["h"] = _("and hooks up")
    if found.deleting:
        answers["a"] = _("and archives")

    def answered(key: str | None) -> None:
        if key in answers:
            wanted = {"h": ("h",), "a": ("h", "a")}.get(key, ())
            screen.run_worker(_import(screen, found, wanted), group="import", exclusive=True)

    question = QuestionScreen(
        _("import what was found here?"), list(_told(found)), answers | {"escape": _("nothing")}
    )
    screen.app.push_screen(question, answered)


def _beside(offers: Sequence[Offer]) -> _Found:
    """Return what may go with an import of these."""
    from memtui.store.agents.homes import AgentHomes
    from memtui.store.agents.transcript_retention import expiring, retention_days
    from memtui.store.config import archives
    from memtui.store.install import Launcher, states

    agents = [state.agent for state in states() if state.found and state.installed == "no"]
    if Launcher.here().is_passing:
        agents = []
    if not has_leaf("archive") or archives():
        return _Found(offers, agents, {}, 0)
    here = AgentHomes.own()
    days = {offer.source: retention_days(here, offer.source) for offer in offers}
    deleting = {agent: count for agent, count in days.items() if count}
    return _Found(offers, agents, deleting, sum(entry.count for entry in expiring(here)))


def _told(found: _Found) -> Iterator[Passage]:
    for offer in found.offers:
        files = joined(count_noun(offer.files, "files"), _("{size} MB", size=f"{offer.bytes / MB:,.0f}"))
        newest = _("newest {age}", age=offer.newest)
        yield Passage(plain(f"{short(offer.path)} · {joined(files, newest)}"), label=offer.source)
    size = sum(offer.bytes for offer in found.offers)
    takes = duration(max(MS_A_MB, size // MB * MS_A_MB))
    content = _(
        "It takes about {time}, and goes on behind what you do here: what has come in is found at once. "
        "Nothing comes in twice, and these files are only read.",
        time=takes,
    )
    yield Passage(plain(content, DIM), space=1)
    if found.agents:
        content = _(
            "also hooks up {agents}: what is done there from now on is remembered here, and a new session "
            "is told what matters. 5 shows what was written, and takes it out again.",
            agents=_(", ").join(found.agents),
        )
        yield Passage(plain(content), label="h", space=1)
    if found.deleting:
        agents = _(", ").join(
            _("{agent} after {days}", agent=agent, days=count_noun(days, "days"))
            for agent, days in found.deleting.items()
        )
        content = _(
            "does all of it, and keeps what agents delete ({agents}) in the archive, secrets included.",
            agents=agents,
        )
        if found.expiring:
            soon = count_noun(found.expiring, "transcripts")
            content = f"{content} {_('{transcripts} go within seven days.', transcripts=soon)}"
        yield Passage(plain(content), label="a", space=1)


async def _import(screen: MemScreen, found: _Found, wanted: Sequence[str]) -> None:
    screen.at_work = _("Importing…")
    refusals: list[str] = []
    changes = 0
    try:
        # What takes no time comes first: an import may be left before its end.
        if "h" in wanted:
            refusals += await asyncio.to_thread(_hook_up, found.agents, screen.browser.path)
        if "a" in wanted:
            await asyncio.to_thread(_turn_archive_on)
        changes, more = await import_all(screen.browser.path, found.offers, _teller(screen, found.offers))
        refusals += more
        if "a" in wanted:
            screen.at_work = _("Archiving…")
            await screen.browser.side.run_beside(leaf("archive.archive").capture_if_on)
    except StoreError as error:
        refusals.append(str(error))
    finally:
        screen.at_work = ""
    screen.notify(_("{records} imported.", records=count_noun(changes, "records")))
    for refusal in refusals:
        screen.notify(refusal, severity="error", markup=False)
    screen.browser.look()


def _teller(screen: MemScreen, offers: Sequence[Offer]) -> Tell:
    """Return what says on a screen how far an import is, and how long it may take yet."""
    loop = asyncio.get_running_loop()
    begun = monotonic()
    size = sum(offer.bytes for offer in offers) or 1
    before = {offer: sum(one.bytes for one in offers[:place]) for place, offer in enumerate(offers)}

    def tell(offer: Offer, done: int, total: int) -> None:
        share = (before[offer] + offer.bytes * done / (total or 1)) / size
        told = _("Importing {what}…", what=f"{offer.source} {share:.0%}")
        if share > LEAST_SHARE:
            left = duration(int((monotonic() - begun) * 1_000 * (1 - share) / share))
            told = _("Importing {what}, {time} left…", what=f"{offer.source} {share:.0%}", time=left)
        loop.call_soon_threadsafe(setattr, screen, "at_work", told)

    return tell


def _hook_up(agents: Sequence[AgentName], database: Path) -> list[str]:
    """Install our hooks and parts into agents; return why it could not be done."""
    from memtui.store.install import PARTS, install

    refusals: list[str] = []
    for agent in agents:
        try:
            refusals += install(agent, parts=PARTS, database=store_to_name(database)).problems
        except StoreError as error:
            refusals.append(str(error))
    return refusals


def _turn_archive_on() -> None:
    from memtui.store.maintain.configuration import change

    change({"archive.on": True})


def store_to_name(path: Path) -> Path | None:
    """Return the store to name in an agent's configuration, None for the user's own: an agent started
    elsewhere has not this environment."""
    # Links stay as they are: `mem` was told of the memory by this name.
    place = os.path.abspath(path)  # noqa: PTH100
    return None if place == os.fsdecode(default_path_bytes()) else Path(place)
