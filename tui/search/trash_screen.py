"""A screen on which memories can be forgotten for good, and those in the trash brought back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import work

from memtui.store import Action, Store
from memtui.store.text.plural import count_noun
from memtui.store.translation import _

from ..screen import MemScreen

if TYPE_CHECKING:
    from memtui.store import Purged

    from ..marks.changes import Progress

FOR_GOOD = _("No undo, no import and no sync brings back what is forgotten.")


class ForgettingScreen(MemScreen):
    """Subclasses give `is_trash`."""

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
            case "restore" | "purge" | "purge_shown":
                return not self.browser.read_only and bool(self.chosen)
        return super().check_action(action, parameters)

    @work(group="write")
    async def action_restore(self) -> None:
        """Bring back the selected memory, or all marked ones."""
        await self.change_refs(self.chosen, Action("restore"))

    @work(group="write")
    async def action_purge(self) -> None:
        """Forget the selected memory, or all marked ones, for good."""
        from . import trash

        refs, only_deleted = self.chosen, self.is_trash
        await self._purge(
            refs,
            lambda store, progress: trash.forget(store, refs, progress, only_deleted=only_deleted),
            "F",
        )

    def action_purge_shown(self) -> None:
        """Forget the selected memory, or all marked ones, for good, though they aren't deleted."""
        self.action_purge()

    @work(group="write")
    async def action_empty_trash(self) -> None:
        """Forget all that is deleted for good."""
        from . import trash

        results = await self.browser.side.run(lambda store: store.trash(store.trash_count()))
        if results:
            await self._purge([item.ref for item in results], trash.forget_all, "Z")
        else:
            self.notify(_("Nothing is deleted."))

    async def _purge(
        self, refs: Sequence[str], forget: Callable[[Store, Progress], Purged], key: str
    ) -> None:
        from .trash import are_here, told

        many = count_noun(len(refs), "memories")
        if await self.confirmed(_("Forget {memories} for good?", memories=many), FOR_GOOD, _("forgets")):
            done = await self.run_beside(
                _("Forgetting"), refs, forget, key=key, is_unchanged=lambda store: are_here(store, refs)
            )
            if done is not None:
                self.marks = {}
                self.notify(told(done), markup=False, timeout=10)
                self.browser.look()
