"""What an empty memory shows: what this is, and the keys and commands that fill it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from textual import work
from textual.content import Content
from textual.reactive import reactive, var
from textual.widget import Widget

from memtui.store import mem_command
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..importing import offer_imports
from ..keys.bindings import key
from ..parts.text_view import GrowingText, wrap
from ..protocol import Browser
from ..screen import MemScreen
from ..startup.importing import found_here
from ..text.content import DIM, Passage, edges, fit, plain
from ..text.glyphs import glyph
from ..text.paths import short

if TYPE_CHECKING:
    from memtui.store.maintain.importing import Offer

COMMAND = 30
"""Cells for a command, before what it does."""

HOOK_UP = _("hook an agent up: what it does from then on is remembered here")


PREVIEW = (
    (
        "bugfix",
        _("Refresh token expired because the clock drifted"),
        _("2h"),
        _("…the client's time…"),
    ),
    (
        "decision",
        _("Keep refresh tokens 24 h"),
        _("1d"),
        _("…the longest an idle token may live…"),
    ),
    ("feature", _("Refresh on wake"), _("6d"), _("…one refresh at a time, whatever the tabs…")),
)
"""Made-up rows: type, title, age, and the passage that was found."""
WIDTH = 84
PREVIEW_WIDTH = 40
"""Cells of a line at least, for a picture of rows."""
FAINT = "$foreground 50%"


class Welcome(GrowingText):
    """Where there is room for it a small picture shows what is to be seen here once there are memories."""

    ALLOW_MAXIMIZE = False
    is_searchable = False
    BINDINGS = [
        key("i", "import_all", "Import", "Import all that was found here", "welcome.import"),
        key("D", "demo", "Demo", "Look around in the demo store", "welcome.demo"),
    ]

    found: reactive[Sequence[Offer] | None] = reactive(None)
    """What was found to import; None while it is looked for."""
    deleted: var[int] = var(0)
    """How many memories lie in the trash."""

    def __init__(self, browser: Browser) -> None:
        super().__init__()
        self._browser = browser
        self._shown: list[Passage] = []

    def on_show(self) -> None:
        self._look_around()

    def on_resize(self) -> None:
        super().on_resize()
        self._tell()

    def watch_found(self) -> None:
        self._tell()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "import_all":
            return bool(self.found) and not self._browser.read_only
        return True

    def action_demo(self) -> None:
        """Leave this memory for the demo."""
        self.app.exit("demo")

    def action_import_all(self) -> None:
        """Ask whether to bring in all that was found. None of their files is touched."""
        offer_imports(cast(MemScreen, self.screen))

    @work(exclusive=True, group="look-around")
    async def _look_around(self) -> None:
        self.deleted = await self._browser.side.run(lambda store: store.trash_count())
        self.found = await found_here()

    def _tell(self) -> None:
        told = list(self._told())
        # No command is broken in two where there is room for it.
        longest = max(
            passage.content.cell_length
            for passage in told
            if isinstance(passage.content, Content) and not passage.mark
        )
        self.styles.width = max(WIDTH, longest + self.gutter.width + self.scrollbar_size_vertical)
        width = self.text_width
        preview = list(_preview(width)) if width >= PREVIEW_WIDTH else []
        lines = sum(map(len, wrap([*told, *preview], width))) if width else 0
        room = self.parent.size.height if isinstance(self.parent, Widget) else 0
        passages = [*told, *preview] if lines + self.gutter.height <= room else told
        if passages != self._shown:
            self._shown = passages
            self.show(passages, hold=True)

    def _told(self) -> Iterator[Passage]:
        yield Passage(Content.styled(_("memtui shows what your coding agents remember."), "bold"))
        yield Passage(Content(_("Search it, see what happened around a memory, pin and hide.")))
        yield Passage(plain(f"{self._emptiness()} {short(self._browser.path)}", DIM), space=1)
        if self.found is None:
            yield _way(" ", _("looking for what could be imported …"), space=1)
        elif self.found:
            yield _way("i", self._import_words(self.found), space=1)
        yield _way("5", HOOK_UP, space=1 if self.found is not None and not self.found else 0)
        yield _way("D", _("look around in a made-up demo store"))
        yield Passage(Content.styled(_("From a shell"), DIM), space=1)
        mem = mem_command()
        yield from self._command(_('{mem} add "What I learned"', mem=mem), _("adds a memory by hand"))
        yield from self._command(f"{mem} import claude-mem PATH", _("brings in a claude-mem database"))
        if self.found:
            yield from self._command(f"{mem} import --all", _("brings in all that was found here"))

    def _emptiness(self) -> str:
        if self.deleted:
            many = count_noun(self.deleted, "memories")
            if self.deleted == 1:
                return _("{memories} is deleted, u takes the last change back:", memories=many)
            return _("{memories} are deleted, u takes the last change back:", memories=many)
        return _("This store is still empty:")

    def _command(self, command: str, does: str) -> Iterator[Passage]:
        """Yield a command and what it does: beside it, or below where there is no room."""
        if len(command) < COMMAND and self.text_width >= 2 * COMMAND:
            mark = fit(plain(command, "$text-accent"), COMMAND)
            yield Passage(Content.styled(does, DIM), mark=mark)
            return
        yield Passage(plain(command, "$text-accent"))
        yield Passage(Content.styled(does, DIM), mark=Content("  "))

    def _import_words(self, offers: Sequence[Offer]) -> str:
        from memtui.store.maintain.importing import TRANSCRIPTS

        counts = Counter[str]()
        for offer in offers:
            counts[offer.source] += offer.files
        what = [
            _("{program}'s memories ({path})", program=offer.source, path=short(offer.path))
            for offer in offers
            if offer.source not in TRANSCRIPTS
        ]
        told = [
            _("{count} of {agent}", count=f"{count:,}", agent=agent)
            for agent, count in counts.items()
            if agent in TRANSCRIPTS
        ]
        if told:
            what.append(_("agents' transcripts ({counts})", counts=_(", ").join(told)))
        return _("import what was found here: {what}", what=_(" and ").join(what))


def _preview(width: int) -> Iterator[Passage]:
    """Yield the lines of a small picture of the results, in a frame."""
    title = _("what you will see here")
    title = f"─ {title} "
    yield Passage(plain(f"╭{title}{'─' * (width - cell_len(title) - 2)}╮", FAINT), space=1)
    for type, name, age, result in PREVIEW:
        left = Content.assemble(glyph(type).content, " ", (name, FAINT))
        for line in (
            edges(left, Content.styled(age, FAINT), width - 4),
            fit(Content.assemble("  ", (result, FAINT)), width - 4),
        ):
            yield Passage(Content.assemble(("│ ", FAINT), line, (" │", FAINT)))
    yield Passage(plain(f"╰{'─' * (width - 2)}╯", FAINT))


def _way(letter: str, words: str, space: int = 0) -> Passage:
    mark = Content.assemble((letter, "bold $accent"), "  ")
    return Passage(plain(words), mark=mark, space=space)
