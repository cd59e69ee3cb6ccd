"""Hundreds purged of thousands that are worded alike: none of their texts is left in any file, and what
stays is found as before."""

import random
import re
from pathlib import Path

from bench.memories import Memories
from memtui.store import Store
from memtui.store.database.backup import new_backup_path
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import Selection
from tests.promises import promise
from tests.sizes import sizes

AT = 1_771_000_000_000
WORD = re.compile(rb"(?=([bcdfghjklmnpqrstvwxz]{14}))")


def named(draw: random.Random) -> str:
    """A word that no other memory has."""
    return "".join(draw.choices("bcdfghjklmnpqrstvwxz", k=14))


@promise("purge-final")
@sizes("thousands", 1, 4)
def test_hundreds_are_purged_of_thousands_and_no_file_holds_one_of_their_texts(
    store: Store, tmp_path: Path, thousands: int
) -> None:
    many, gone = thousands * 1_000, max(300, thousands * 10)
    draw, source = random.Random(5), Memories()
    words = [named(draw) for _ in range(many)]
    with store.transaction():
        for number, word in enumerate(words):
            store.observations.add(
                f"c-{number % 40}",
                title=f"{source.text(5, False)} {word}",
                narrative=f"{source.text(20, number % 5 == 0)} {word} {source.text(8, False)}",
                facts=[f"{word} {source.text(6, False)}"],
                files_read=[f"src/{word}.py"],
                at=AT + number,
            )
    chosen = sorted(draw.sample(range(many), gone))
    backup = new_backup_path(store.path)
    backup.parent.mkdir()
    store.backup(backup)
    ids = tuple(number + 1 for number in chosen)
    assert store.observations.get(ids[0]).files_read == (f"src/{words[chosen[0]]}.py",)
    done = purge_for_good(store, Selection({"observations": ids}), backups=True)
    assert done.counts == {"observations": gone}
    assert done.is_final
    assert (done.found, done.backups) == ((), ())
    # All files, the backup's too, looked through for words of the kind, wherever they begin.
    purged = {words[number].encode() for number in chosen}
    left, others = set(), 0
    for file in (one for one in tmp_path.rglob("*") if one.is_file()):
        data = file.read_bytes()
        for begin in range(0, len(data), 1 << 20):
            found = set(WORD.findall(data, begin, begin + (1 << 20) + 64))
            left |= found & purged
            others += len(found - purged)
    assert left == set()
    assert others >= many - gone
    stays = next(number for number in range(many) if number not in set(chosen))
    assert [hit.record.id for hit in store.find(words[stays]).page().hits] == [stays + 1]
    assert store.find(words[chosen[0]]).page().hits == []
