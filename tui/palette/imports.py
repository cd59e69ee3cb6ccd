"""Import, from the palette: what was found on this machine, asked once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memtui.store import StoreError
from memtui.store.text.plural import count_noun
from memtui.store.translation import _

from ..parts.dialog import QuestionScreen
from ..screen import MemScreen
from ..startup.importing import found_here, import_all
from ..text.content import DIM, Passage, joined, plain
from ..text.paths import short

if TYPE_CHECKING:
    from memtui.store.maintain.importing import Offer

NOTHING = _("Found nothing to import. Use `mem import PATH` for files in other places.")


def offer_imports(screen: MemScreen) -> None:
    """Look for what can be imported, list it, and import all of it if that is wanted."""
    screen.run_worker(_offer(screen), group="import", exclusive=True)


async def _offer(screen: MemScreen) -> None:
    offers = await found_here()
    if not offers:
        screen.notify(NOTHING, markup=False)
        return

    def answered(key: str | None) -> None:
        if key == "enter":
            screen.run_worker(_import(screen, offers), group="import", exclusive=True)

    answers = {"enter": _("imports all"), "escape": _("nothing")}
    question = QuestionScreen(_("import what was found here?"), list(_told(offers)), answers)
    screen.app.push_screen(question, answered)


def _told(offers: Sequence[Offer]) -> Iterator[Passage]:
    for offer in offers:
        files = joined(count_noun(offer.files, "files"), _("newest {age}", age=offer.newest))
        yield Passage(plain(f"{short(offer.path)} · {files}"), label=offer.source)
    content = _(
        "Nothing comes in twice, and these files are only read. `mem import` takes one of them alone."
    )
    yield Passage(plain(content, DIM), space=1)


async def _import(screen: MemScreen, offers: Sequence[Offer]) -> None:
    loop = asyncio.get_running_loop()

    def tell(source: str, done: int, total: int) -> None:
        part = f" {done / total:.0%}" if total else ""
        message = _("Importing {what}…", what=f"{source}{part}")
        loop.call_soon_threadsafe(setattr, screen, "at_work", message)

    screen.at_work = _("Importing…")
    try:
        changes, refusals = await import_all(screen.browser.path, offers, tell)
    except StoreError as error:
        changes, refusals = 0, [str(error)]
    finally:
        screen.at_work = ""
    screen.notify(_("{records} imported.", records=count_noun(changes, "records")))
    for refusal in refusals:
        screen.notify(refusal, severity="error", markup=False)
    screen.browser.look()
