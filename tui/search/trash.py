"""The trash, a mode of the search: what is deleted, and bringing it back or forgetting it for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import work

from memtui.store import Action, NotFoundError, Store
from memtui.store.platform.translation import _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..screen import MemScreen

if TYPE_CHECKING:
    from memtui.store import Purged

    from ..marks.changes import Progress

QUERY = "is:deleted "
"""What the query line says in the trash; words behind it look for what is in it."""


def forget(store: Store, refs: Sequence[str], progress: Progress, *, only_deleted: bool) -> Purged:
    """Purge memories; with `only_deleted` those of them that aren't deleted any more stay."""
    from memtui.store import purge_for_good
    from memtui.store.tables.removal.purge_selection import of_uids, with_what_belongs

    result = map(store.record, refs)
    uids = [item.uid for item in result if not only_deleted or item.deleted_at is not None]
    chosen = with_what_belongs(store.db, of_uids(store.db, uids), store.facts)
    return purge_for_good(store, chosen, progress=progress)


def forget_all(store: Store, progress: Progress) -> Purged:
    """Purge all that is deleted, sessions and notes too."""
    from memtui.store import purge_for_good
    from memtui.store.tables.removal.purge_selection import deleted, with_what_belongs

    chosen = with_what_belongs(store.db, deleted(store.db), store.facts)
    return purge_for_good(store, chosen, progress=progress)


def are_here(store: Store, refs: Sequence[str]) -> bool:
    """Return whether a memory has each of these records, deleted or not."""
    try:
        for ref in refs:
            store.any_record(ref)
    except NotFoundError:
        return False
    return True


def told(done: Purged) -> str:
    """Return what was forgotten, where its texts were looked for, and what was found there."""
    result = sum(leftover.texts for leftover in done.found)
    times = count_noun(result, "occurrences")
    parts = [
        _(
            "{memories} forgotten for good: {times} left in {files}, {size} MB.",
            memories=count_noun(done.total, "memories"),
            times=times,
            files=count_noun(done.files, "files"),
            size=f"{done.bytes / 1_000_000:,.1f}",
        )
    ]
    if not done.is_final:
        parts.append(_("Another program has the store open: close it, then run mem purge again."))
    if done.backups:
        names = _(", ").join(backup.path.name for backup in done.backups[:3])
        parts.append(_("Still in backups: {names}; mem purge --backups purges there too.", names=names))
    if done.sources:
        names = _(", ").join(source.path.name for source in done.sources[:3])
        parts.append(
            _(
                "Still in files outside of the store, which are left as they are: {names}.",
                names=names,
            )
        )
    if done.also:
        parts.append(_("Also said by {memories}, which stay.", memories=_(", ").join(done.also[:5])))
    return safe(" ".join((*parts, *done.notes[:3])))


FOR_GOOD = _("No undo, no import and no sync brings back what is forgotten.")


class ForgettingScreen(MemScreen):
    """A screen on which memories can be forgotten for good, and those in the trash brought back; subclasses
    give `is_trash`."""

    @property
    def is_trash(self) -> bool:
        """Whether what is deleted is shown."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "restore" | "purge" | "empty_trash" if not self.is_trash:
                return False
            case "purge_shown" if self.is_trash:
                return False
            case "restore" | "purge" | "purge_shown" | "empty_trash":
                return not self.browser.read_only and bool(self.chosen)
        return super().check_action(action, parameters)

    @work(group="write")
    async def action_restore(self) -> None:
        """Bring back the selected memory, or all marked ones."""
        await self.change_refs(self.chosen, Action("restore"))

    @work(group="write")
    async def action_purge(self) -> None:
        """Forget the selected memory, or all marked ones, for good."""
        refs, only_deleted = self.chosen, self.is_trash
        await self._purge(
            refs,
            lambda store, progress: forget(store, refs, progress, only_deleted=only_deleted),
            "F",
        )

    def action_purge_shown(self) -> None:
        """Forget the selected memory, or all marked ones, for good, though they aren't deleted."""
        self.action_purge()

    @work(group="write")
    async def action_empty_trash(self) -> None:
        """Forget all that is deleted for good."""
        results = await self.browser.side.run(lambda store: store.trash(store.trash_count()))
        if results:
            await self._purge([item.ref for item in results], forget_all, "Z")
        else:
            self.notify(_("Nothing is deleted."))

    async def _purge(
        self, refs: Sequence[str], purge: Callable[[Store, Progress], Purged], key: str
    ) -> None:
        many = count_noun(len(refs), "memories")
        if await self.confirmed(_("Forget {memories} for good?", memories=many), FOR_GOOD, _("forgets")):
            done = await self.run_beside(
                _("Forgetting"), refs, purge, key=key, is_unchanged=lambda store: are_here(store, refs)
            )
            if done is not None:
                self.marks = {}
                self.notify(told(done), markup=False, timeout=10)
                self.browser.look()
