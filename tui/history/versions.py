"""The versions of one memory: when and by whom each was made, what differs, and having one again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import getters, work
from textual.binding import BindingType
from textual.content import Content

from memtui.store import NotFoundError, Store, Version, kind_of
from memtui.store.platform.translation import N_, _
from memtui.store.records.fields import editable
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..keys.bindings import key
from ..lists.provider import ListProvider
from ..parts.dialog import QuestionScreen
from ..text.content import DIM, Passage, plain
from .lists import VersionList
from .screen import HistoryScreen
from .text import difference, version_passages

if TYPE_CHECKING:
    from memtui.store import AnyRecord

YES = "y"


class VersionsScreen(HistoryScreen):
    """Those of the record with this ref, the newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("r", "restore", "Restore", "Make it so again, as a new version", "versions.restore"),
    ]

    place = N_("Versions")
    command = "curate history {id}"

    versions = getters.query_one(VersionList)

    def __init__(self, ref: str, title: str) -> None:
        super().__init__()
        self._ref = ref
        self._title = title
        self._versions: Sequence[Version] = ()

    def rows(self) -> VersionList:
        return VersionList()

    def on_mount(self) -> None:
        self.versions.name_items(_("Versions"))
        self.view.entitle(_("Version"))
        self.versions.focus()
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "restore" and (not self.is_mounted or self.versions.cursor == 0):
            # The first is how it is now.
            return False
        return super().check_action(action, parameters)

    def action_restore(self) -> None:
        """Have the selected version again, when asked once."""
        wanted = self.versions.item
        if wanted is None or wanted is self._versions[0]:
            return
        passages = [
            Passage(
                plain(
                    _(
                        "Restore version {number} of “{title}”? What changes:",
                        number=wanted.number,
                        title=self._title,
                    )
                )
            ),
            *_what_restoring_does(self._versions[0].record, wanted.record),
            Passage(plain(_("It becomes a new version; u undoes."), DIM), space=1),
        ]
        question = QuestionScreen(
            _("restore this version"),
            passages,
            {YES: _("restores"), "escape": _("leaves all as it is")},
        )

        def answered(answer: str | None) -> None:
            if answer == YES:
                self._restore(wanted.number)

        self.app.push_screen(question, answered)

    @work(group="write")
    async def _restore(self, number: int) -> None:
        ref, title = self._ref, self._title

        def restored(store: Store) -> str:
            store.restore_version(ref, number)
            return _(
                "Restored version {number}: {title} (u undoes)",
                number=number,
                title=safe(title)[:60],
            )

        await self.browser.write(restored, "r")
        self.versions.action_first()

    @work(exclusive=True, group="versions")
    async def _load(self, hold: bool = False) -> None:
        def read(store: Store) -> tuple[Sequence[Version], str]:
            return store.history(self._ref), store.machine_id

        try:
            self._versions, self.versions.machine = await self.browser.side.run(read)
        except NotFoundError as error:
            self._versions = ()
            self.nothing.update(plain(str(error)))
        versions = self._versions
        self.set_class(not versions, "-none")
        keep = self.versions.key if hold else None
        await self.versions.set_provider(ListProvider(versions), keep=keep)
        self.heading.left = Content.assemble((_("versions of "), DIM), plain(self._title, "bold"))
        self.heading.right = plain(count_noun(len(versions), "versions"), DIM)
        self.tell(hold=hold)
        self.refresh_bindings()

    def tell(self, *, hold: bool = False) -> None:
        at = self.versions.cursor
        if at < len(self._versions):
            before = self._versions[at + 1] if at + 1 < len(self._versions) else None
            here, now = self.versions.machine, self.browser.now()
            passages = version_passages(self._versions[at], before, here, now)
            self.view.show(list(passages), hold=hold)


def _what_restoring_does(now: AnyRecord, restored: AnyRecord) -> list[Passage]:
    names = [name for name in editable(kind_of(now)) if getattr(now, name) != getattr(restored, name)]
    return [Passage(passage.content, passage.label, passage.mark, not at) for at, passage in
            enumerate(difference(now, restored, names))]  # fmt: skip
