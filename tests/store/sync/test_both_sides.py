"""Whatever travels, changed on both machines between two meetings: the meetings go on, both end with the
same, and no row stops another."""

import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store, StoreError
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.curation.many import Action
from memtui.store.formats.jsonl import upsert
from memtui.store.formats.jsonl.export import export_jsonl
from memtui.store.formats.jsonl.file_import import import_jsonl
from memtui.store.formats.jsonl.layout import Columns
from memtui.store.leaves.sync import conflicts, receiving
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.meeting import meet as meet_place
from memtui.store.leaves.sync.rows import ORDER
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.clock import now_ms
from memtui.store.records.events import Event
from memtui.store.tables.removal.purge_selection import of_uids

from .machines import contents, digests_of
from .meeting import meet, stores
from .test_carriers import HEAD, put_chunk

Change = Callable[[Store, str, int], object]
"""A change of the store of the first or second machine (0, 1); the text is the uid of what was made."""


def purge(store: Store, uid: str, _side: int) -> None:
    purge_for_good(store, of_uids(store.db, [uid]))


def act(name: Any, **options: Any) -> Change:
    return lambda store, uid, _side: store.change_many([uid], Action(name, **options))


def edit(name: str) -> Change:
    return lambda store, uid, side: store.edit(uid, {name: f"said on machine {side}"})


def report(store: Store, uid: str, side: int) -> None:
    store.reporting.report(store.any_record(uid), "wrong", f"because of {side}")


def OBSERVATION(store: Store) -> str:  # noqa: N802 - it stands in the table as its neighbour does
    return store.observations.add("c-1", title="Retry", narrative="three times").uid


FACT = lambda store: store.facts.add("tokens live 24 h", project="atlas").uid  # noqa: E731
CHANGES: dict[str, tuple[Callable[[Store], str], Change, Change]] = {
    "observations": (OBSERVATION, edit("narrative"), edit("narrative")),
    "prompts": (lambda store: store.prompts.add("c-1", "why?").uid, edit("text"), edit("text")),
    "summaries": (
        lambda store: store.summaries.add("c-1", learned="much").uid, edit("learned"), edit("learned"),
    ),
    "sessions": (lambda store: store.sessions.start("c-1").uid, edit("title"), edit("title")),
    "facts": (FACT, edit("content"), edit("content")),
    "facts and their kind": (FACT, edit("content"), lambda s, uid, _: s.edit(uid, {"kind": "opinion"})),
    "facts superseded": (
        FACT,
        *(lambda s, uid, side: s.supersede(uid, s.facts.add(f"{side} h", project="atlas").uid),) * 2,
    ),
    "facts moved": (FACT, act("project", project="one"), act("project", project="two")),
    "fact_sources": (
        FACT,
        *(lambda s, uid, side: s.facts.add("tokens live 24 h", project="atlas", evidence=[f"u-{side}"]),)
        * 2,
    ),
    "notes": (
        lambda store: store.notes.upsert("MEMORY.md", "before", project="atlas").uid,
        *(lambda s, uid, side: s.notes.upsert("MEMORY.md", f"said on machine {side}", project="atlas"),)
        * 2,
    ),
    "saved_searches": (
        lambda store: store.searches.save("n", "before").name,
        *(lambda s, uid, side: s.searches.save("n", f"of {side}"),) * 2,
    ),
    "reports": (OBSERVATION, report, report),
    "merged_records": (
        OBSERVATION,
        *(lambda s, uid, side: s.merge([uid, s.observations.add("c-1", title=f"of {side}").uid]),) * 2,
    ),
    "not_duplicates": (
        OBSERVATION,
        *(lambda s, uid, side: s.not_duplicates([uid, s.observations.add("c-1", title="too").uid]),) * 2,
    ),
    "project_aliases": (
        FACT, *(lambda s, uid, side: s.known_projects.merge("atlas", f"of-{side}"),) * 2,
    ),
    "renamed_records": (
        OBSERVATION,
        *(lambda s, _, side: s.observations.add("c-9", title=f"of {side}", source="codex", native_id="1"),)
        * 2,
    ),
    **{
        f"{kind} {name}": (made, change, other)
        for kind, made, field in (("observations", OBSERVATION, "title"), ("facts", FACT, "content"))
        for name, change, other in (
            ("purged", purge, purge),
            ("purged and edited", purge, edit(field)),
            ("deleted and edited", act("delete"), edit(field)),
            ("hidden and edited", act("hide"), edit(field)),
            ("deleted and hidden", act("delete"), act("hide")),
            ("pinned and edited", act("pin"), edit(field)),
        )
    },
}  # fmt: skip
COPIED = {"observations": "narrative", "summaries": "learned", "facts": "content", "notes": "text"}
"""The tables of which both texts are kept."""


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    one, other = stores(tmp_path, "one", "other")
    with one, other:
        yield one, other


def by_folder(address: str) -> Callable[[Store, Store], None]:
    """Have each of two stores meet a folder in turn."""

    def met(one: Store, other: Store) -> None:
        for store in (one, other):
            place = f"git:{address}-{store.path.stem}" if address.endswith(".git") else address
            machine = Machines(store).add("folder", place)
            outcome = meet_place(store, machine, Wishes())
            assert not outcome.refused and not outcome.notes

    return met


def by_pipe(one: Store, other: Store) -> None:
    outcome, _ = meet(one, other)
    assert outcome is not None and not outcome.given.refused and not outcome.taken.refused


ORDERS = (
    (("pipe", "one first"), ("folder", "other first")),
    (("pipe", "other begins"), ("folder", "one first")),
)
"""By which way two meet and who is first: each kind of change takes one half, its neighbour the other."""


@pytest.mark.parametrize(
    ("kind", "carrier", "order"),
    [(kind, *way) for number, kind in enumerate(CHANGES) for way in ORDERS[number % 2]],
)
def test_what_both_changed_stops_no_meeting(
    pair: tuple[Store, Store], tmp_path: Path, kind: str, order: str, carrier: str
) -> None:
    (tmp_path / "shared").mkdir()
    met = by_pipe if carrier == "pipe" else by_folder(f"folder:{tmp_path}/shared")
    check(pair, met, kind, order)


def check(pair: tuple[Store, Store], met: Callable[[Store, Store], None], kind: str, order: str) -> None:
    made, *changes = CHANGES[kind]
    uid = made(pair[0])
    met(*pair)
    met(*pair)
    for side in (1, 0) if order == "other first" else (0, 1):
        changes[side](pair[side], uid, side)
        pair[side].observations.add(f"s-{side}", title=f"later on {side}")
    for _ in range(3):
        met(*(pair[::-1] if order == "other begins" else pair))
    held = [contents(store) for store in pair]
    for all_rows in held:
        for row in all_rows["purged"]:
            # Of what it purged, each machine knows what it said there.
            row.pop("key", None)
    assert held[0] == held[1]
    assert digests_of(pair[0]) == digests_of(pair[1])
    for store in pair:
        titles = {item.title for item in store.observations.recent()}
        assert titles >= {"later on 0", "later on 1"}
        if kind in COPIED:
            texts = {text for (text,) in store.db.execute(f"SELECT {COPIED[kind]} FROM {kind}")}
            assert texts >= {"said on machine 0", "said on machine 1"}
            assert len(store.merging.merges.conflicts()) == 1
        assert store.doctor().ok


@pytest.mark.parametrize("kind", ["merged_records", "observations hidden and edited"])
@pytest.mark.parametrize("order", ["one first", "other first"])
def test_what_is_written_anew_in_the_same_millisecond_stays(
    pair: tuple[Store, Store], tmp_path: Path, kind: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shared").mkdir()
    moment = now_ms()
    monkeypatch.setattr("memtui.store.leaves.sync.folder.now_ms", lambda: moment)
    check(pair, by_folder(f"folder:{tmp_path}/shared"), kind, order)


def test_a_fact_that_both_changed_meets_by_git(pair: tuple[Store, Store], tmp_path: Path) -> None:
    bare = tmp_path / "shared.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
    for store in pair:
        clone = ["git", "clone", "-q", str(bare), f"{tmp_path}/shared.git-{store.path.stem}"]
        subprocess.run(clone, check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["git", "-C", clone[-1], "checkout", "-q", "-B", "main"], check=True)
    check(pair, by_folder(f"{tmp_path}/shared.git"), "facts", "one first")


ERRORS = (
    apsw.SQLError("no such column: x"), apsw.MismatchError("datatype"), OverflowError("too large"),
    TypeError("unhashable"), KeyError("x"), RecursionError("deep"), AssertionError(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("place", "error"),
    [*product(["read", "apply"], ERRORS), ("conflict", ERRORS[0]), ("purge", ERRORS[4])],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_row_that_raises_is_refused_by_name_and_stops_no_other(
    pair: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, place: str, error: Exception
) -> None:
    one, other = pair
    uids = [one.observations.add("c-1", title=f"row {number}").uid for number in range(40)]
    meet(one, other)
    bad = uids[17]
    if place == "purge":
        purge(one, bad, 0)
    for store in pair:
        store.facts.add(f"of {store.path.stem}")
        for uid in uids:
            if place != "purge":
                store.edit(uid, {"narrative": f"said by {store.path.stem}"})

    def failing(owner: Any, name: str) -> None:
        whole = getattr(owner, name)

        def fail(*arguments: Any, **options: Any) -> Any:
            if any(bad in str(argument) for argument in arguments):
                raise error
            return whole(*arguments, **options)

        monkeypatch.setattr(owner, name, fail)

    owner: Any = {
        "read": (Columns, "read"), "apply": (upsert.RowUpsert, "_values"),
        "conflict": (conflicts, "keep_copy"), "purge": (receiving, "purge_here"),
    }[place]  # fmt: skip
    failing(*owner)
    outcome, _ = meet(one, other)
    assert outcome is not None
    named = {item.key: item.reason for item in outcome.given.refused + outcome.taken.refused}
    assert named.keys() == {bad} and str(error) in named[bad]
    assert {fact.content for fact in one.facts.list()} == {"of one", "of other"}
    assert contents(one)["facts"] == contents(other)["facts"]
    monkeypatch.undo()
    for _ in range(3):
        outcome, _ = meet(one, other)
    assert outcome is not None and not outcome.given.refused and not outcome.taken.refused
    assert contents(one) == contents(other)


@pytest.mark.parametrize("table", ORDER)
def test_a_line_of_odd_types_stops_no_other(store: Store, table: str) -> None:
    """Each key of a line, made something else."""
    receiver = receiving.Receiver(store, "peer")
    whole = {"table": table, "uid": "u", "into_uid": "t", "other_uid": "v", "fact": "f", "kind": "facts",
             "hlc": 1, "editor": "e", "created_at": 1, "updated_at": 1, "at": 1}  # fmt: skip
    names = {column.name for column in receiver.columns[table].all} | whole.keys() - {"table"}
    odd = [whole | {name: wrong} for name in sorted(names) for wrong in ([1], {"a": 1}, 1 << 65, "x", 0.5)]
    good = {"table": "saved_searches", "name": "n", "query": "q", "created_at": 1, "updated_at": 1}
    receiver.store_batch([*odd, good])
    assert [item.name for item in store.searches.saved()][-1:] == ["n"] or table == "saved_searches"
    assert store.db.in_transaction is False


def test_the_first_error_is_told_where_the_store_is_closed_by_it(
    pair: tuple[Store, Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise apsw.FullError("no room")

    (tmp_path / "shared").mkdir()
    by_folder(f"folder:{tmp_path}/shared")(*pair)
    pair[0].facts.add("true")
    by_folder(f"folder:{tmp_path}/shared")(pair[0], pair[0])
    monkeypatch.setattr(upsert.RowUpsert, "apply", fail)
    with pytest.raises(StoreError, match="full"):
        by_folder(f"folder:{tmp_path}/shared")(pair[1], pair[1])


def test_the_state_of_a_folder_with_a_row_of_no_table_is_told(store: Store, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    put_chunk(
        tmp_path / "shared",
        HEAD,
        {"table": "from the future", "uid": "u"},
        {"table": "facts"},
        {"table": "\ud800"},
    )
    place = Machines(store).add("folder", f"folder:{tmp_path}/shared")
    assert len(meet_place(store, place, Wishes()).refused) == 3
    (status,) = Machines(store).status()
    assert len(status.refused) == 3 and status.waiting == 0


def texts(store: Store, kind: str) -> set[tuple[str, bool]]:
    """What records of a table say, and whether they are there."""
    return set(store.db.execute(f"SELECT {COPIED[kind]}, deleted_at IS NULL FROM {kind}"))


@pytest.mark.parametrize("kind", COPIED)
@pytest.mark.parametrize("carrier", ["pipe", "pipe of the other", "folder", "folder of the other"])
def test_an_edit_is_kept_where_the_other_side_deletes_without_knowing_it_and_restores(
    pair: tuple[Store, Store], tmp_path: Path, kind: str, carrier: str
) -> None:
    (tmp_path / "shared").mkdir()
    met = by_pipe if carrier.startswith("pipe") else by_folder(f"folder:{tmp_path}/shared")
    sides = pair[::-1] if carrier.endswith("other") else pair
    made, change, _ = CHANGES[kind]
    uid = made(pair[0])
    met(*pair)
    met(*pair)
    ((before, _),) = texts(pair[1], kind)
    change(pair[0], uid, 0)
    act("delete")(pair[1], uid, 1)
    for _time in range(2):
        met(*sides)
    act("restore")(pair[1], uid, 1)
    for _time in range(2):
        met(*sides)
    assert texts(pair[0], kind) == texts(pair[1], kind) == {(before, True), ("said on machine 0", True)}


@pytest.mark.parametrize(("edits", "pins"), [(False, False), (False, True), (True, False), (True, True)])
def test_nothing_is_kept_of_what_the_other_side_knew_as_it_deleted(
    pair: tuple[Store, Store], edits: bool, pins: bool
) -> None:
    uid = OBSERVATION(pair[0])
    if edits:
        edit("narrative")(pair[0], uid, 0)
    meet(*pair)
    if pins:
        act("pin")(pair[0], uid, 0)
    act("delete")(pair[1], uid, 1)
    for sides in (pair[::-1], pair):
        meet(*sides)
    assert [len(texts(store, "observations")) for store in pair] == [1, 1]


@pytest.mark.parametrize("deletes", [False, True])
def test_two_notes_of_one_path_are_both_kept_whatever_carries_them(
    pair: tuple[Store, Store], tmp_path: Path, deletes: bool
) -> None:
    ways = [by_folder(f"folder:{tmp_path}/{name}") for name in ("first", "second")]
    for side, (store, way) in enumerate(zip(pair, ways, strict=True)):
        (tmp_path / ("first", "second")[side]).mkdir()
        note = store.notes.upsert("MEMORY.md", f"of {side}")
        if side and deletes:
            act("delete")(store, note.uid, side)
        way(store, store)
    for way in (*ways[::-1], *ways):
        way(*pair)
    assert contents(pair[0])["notes"] == contents(pair[1])["notes"]
    assert {text for text, is_there in texts(pair[0], "notes") if is_there} >= {"of 0"}
    assert deletes or texts(pair[1], "notes") == {("of 0", True), ("of 1", True)}


def read_again(store: Store, kind: Any, key: str | None, turns: int, channel: Any = "transcript") -> None:
    """Ingest the first turns of a session, of which the last two say the same."""
    for turn in range(turns):
        event = Event(
            kind=kind, agent="codex", session="c-7", text=("first", "go on", "go on")[turn],
            at=1_790_000_000_000 + turn * 60_000 + 300 * (channel == "hook"), key=key and f"{key}-{turn}",
        )  # fmt: skip
        ingest_event(store, event, channel)


@pytest.mark.parametrize("kind", ["prompt", "compaction"])
@pytest.mark.parametrize("key", ["turn", None])
@pytest.mark.parametrize("channel", ["transcript", "hook"])
@pytest.mark.parametrize("way", ["pipe", "folder", "file"])
def test_what_both_read_in_one_transcript_is_there_once(
    pair: tuple[Store, Store], tmp_path: Path, kind: str, key: str | None, channel: str, way: str
) -> None:
    (tmp_path / "shared").mkdir()

    def by_file(one: Store, other: Store) -> None:
        for source, into in ((one, other), (other, one)):
            with (tmp_path / f"{source.path.stem}.jsonl").open("wb") as file:
                export_jsonl(source, file)
            import_jsonl(into, tmp_path / f"{source.path.stem}.jsonl")

    met = {"pipe": by_pipe, "folder": by_folder(f"folder:{tmp_path}/shared"), "file": by_file}[way]
    read_again(pair[0], kind, key, 1, channel)
    read_again(pair[1], kind, key, 3)
    table = {"prompt": "prompts", "compaction": "summaries"}[kind]
    for _time in range(2):
        met(*pair)
        met(*pair)
        for store in pair:
            said = store.db.execute(f"SELECT text FROM {table} ORDER BY created_at").fetchall()
            assert said == [("first",), ("go on",), ("go on",)]
        read_again(pair[0], kind, key, 3)
    assert way == "file" or digests_of(pair[0]) == digests_of(pair[1])


FLAGS = "SELECT uid, hlc, editor, private, deleted_at FROM {} ORDER BY uid"


@pytest.mark.parametrize("kind", ["observations", "facts", "summaries", "prompts"])
@pytest.mark.parametrize(
    ("order", "names"),
    [
        ((0, 1), ("delete", "hide")),
        ((1, 0), ("hide", "delete")),
        ((0, 1), ("delete", "delete")),
        ((1, 0), ("hide", "hide")),
        ((0, 1), ("pin", "hide")),
    ],
)
def test_records_of_one_version_are_deleted_and_hidden_on_both_machines_or_on_none(
    pair: tuple[Store, Store], kind: str, order: tuple[int, int], names: tuple[str, str]
) -> None:
    uid = CHANGES[kind][0](pair[0])
    for _time in range(2):
        meet(*pair)
    for side in order:
        act(names[side])(pair[side], uid, side)
    for sides in (pair, pair[::-1], pair):
        meet(*sides)
    one, other = (store.db.execute(FLAGS.format(kind)).fetchall() for store in pair)
    assert one == other
