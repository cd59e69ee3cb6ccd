"""The machines that are met, one a line, and one of them in passages. Times are ms since the epoch, UTC."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.store.text.plural import count_noun
from memtui.store.translation import _

from ..lists.paged_list import PagedList
from ..text.ages import age, ago, full
from ..text.content import DIM, GAP, Passage, fit, in_column, joined, plain
from ..text.status import Status

if TYPE_CHECKING:
    from memtui.store.sync.machines import PlaceStatus

IN_STEP = Status("✓", _("in step"), "$text-success")
WAITING = Status("○", _("waiting"), "")
NEVER = Status("○", _("never met"), DIM)
SYNCING = Status("◐", _("syncing"), "$text-accent")
FAILED = Status("✗", _("not met"), "bold $text-error")
REFUSED = Status("⚠", _("refused"), "bold $text-warning")
COLUMNS = {
    "name": (_("Machine"), 14),
    "stands": (_("State"), 9),
    "met": (_("Last met"), 8),
    "waits": (_("Waits"), 7),
}
"""The head of each column and how wide it is; the address comes after them."""
NUMBERS = ("met", "waits")
DIRECTIONS = {"both": _("both ways"), "read": _("only from there"), "write": _("only there")}
MOST_REFUSED = 20


def place_status(status: PlaceStatus, syncing: Collection[str] = ()) -> Status:
    """Return how it stands with a machine in a word; `syncing` are those that are met just now."""
    if status.name in syncing:
        return SYNCING
    if status.trouble:
        return FAILED
    if status.met_at is None:
        return NEVER
    if status.refused:
        return REFUSED
    return WAITING if status.waiting else IN_STEP


class MachineList(PagedList["PlaceStatus"]):
    """The machines and folders that were added."""

    has_heads = True

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda status: status.name)
        self._now = now
        self.syncing: set[str] = set()
        """The names of those that are met just now."""

    def render_heads(self, width: int) -> Content:  # noqa: ARG002
        heads = [_cell(name, plain(head)) for name, (head, _) in COLUMNS.items()]
        return Content("  ") + GAP.join([*heads, plain(_("Address"))])

    def render_row(self, item: PlaceStatus, width: int, selected: bool) -> list[Content]:
        status = place_status(item, self.syncing)
        waiting = _("all") if item.waiting is None else f"{item.waiting:,}" if item.waiting else "—"
        cells = {
            "name": plain(item.name, "bold" if selected else ""),
            "stands": plain(status.word, status.style),
            "met": plain(age(item.met_at, self._now()) if item.met_at else _("never"), DIM),
            "waits": plain(waiting, DIM),
        }
        line = Content.styled(f"{status.symbol} ", status.style)
        line += GAP.join(_cell(name, cells[name]) for name in COLUMNS)
        return [fit(line + GAP + plain(item.address, DIM), width)]


def machine_passages(
    status: PlaceStatus, outcome: str, syncing: Collection[str], now: int
) -> Iterator[Passage]:
    """Yield all about one machine: how it stands, what came of the last meeting, what was refused."""
    stands = place_status(status, syncing)
    yield Passage(Content.assemble((f"{stands.symbol} ", stands.style), plain(status.name, "bold")))
    yield Passage(plain(status.address, DIM))
    if status.trouble and status.name not in syncing:
        yield Passage(plain(status.trouble, FAILED.style), space=1)
    if outcome:
        yield Passage(plain(outcome), space=1)
    met = joined(ago(status.met_at, now), full(status.met_at)) if status.met_at else _("never")
    yield Passage(plain(met), _("Last met"), space=1)
    yield Passage(plain(_waiting(status)), _("Waits"))
    yield Passage(plain(DIRECTIONS[status.direction]), _("Rows go"))
    by_itself = _("after captures, and while this browser is open") if status.is_automatic else _("no")
    yield Passage(plain(by_itself), _("By itself"))
    yield Passage(plain(f"{len(status.refused):,}" if status.refused else _("nothing")), _("Refused"))
    for item in status.refused[:MOST_REFUSED]:
        yield Passage(plain(f"{item.name}: {item.reason}", REFUSED.style), "")


def review_passages(waiting: int) -> Iterator[Passage]:
    """Yield how many of teammates' facts and decisions wait for a word."""
    if waiting:
        words = _("{memories} of teammates · I reviews them", memories=count_noun(waiting, "memories"))
        yield Passage(plain(words), _("To review"))


def _waiting(status: PlaceStatus) -> str:
    if status.waiting is None:
        return _("all that travels: it was never met")
    return (
        _("{rows} to send next", rows=count_noun(status.waiting, "rows"))
        if status.waiting
        else _("nothing")
    )


def _cell(name: str, content: Content) -> Content:
    return in_column(content, COLUMNS[name][1], is_number=name in NUMBERS)
