"""The machines that memories were made on, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from ..records.kinds import LETTERS, TABLES

HERE = "here"
"""What this machine is called."""
THIS_MACHINE = "SELECT value FROM meta WHERE key = 'machine_id'"
SHORT = 8
"""Characters at the end of a machine's id, by which one is called that told no name."""
OF_MACHINES = {letter: TABLES[kind] for kind, letter in LETTERS.items()}
"""The tables of memories, by the letter of their kind; their `origin` is where each was made."""

ORIGINS = "SELECT min(machine) FROM (" + " UNION ALL ".join(
    f"SELECT min(origin) AS machine FROM {table} WHERE origin > {{0}}" for table in OF_MACHINES.values()
) + ")"  # fmt: skip


def this_machine(db: apsw.Connection) -> str:
    """Return the id of the machine that this store is on."""
    return str(db.execute(THIS_MACHINE).get)


def note_machine(db: apsw.Connection, machine: str, name: str) -> None:
    """Remember what a machine calls itself."""
    db.execute(
        "INSERT INTO machines VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name "
        "WHERE name <> excluded.name",
        (machine, name),
    )


def machines_of_memories(db: apsw.Connection) -> dict[str, str]:
    """Return what each machine is called that a memory was made on, by its id: this one `HERE`, others as
    they were added, else as they call themselves, else by the end of their id."""
    # Each machine is found by one look into an index, however many memories it has.
    first, following = ORIGINS.format("''"), ORIGINS.format("found.machine")
    sql = (
        f"WITH RECURSIVE found(machine) AS ({first} UNION ALL SELECT ({following}) FROM found "
        "WHERE machine IS NOT NULL) "
        "SELECT f.machine, coalesce(p.name, m.name, substr(f.machine, ?)) FROM found f "
        "LEFT JOIN sync_places p ON p.machine = f.machine "
        "LEFT JOIN machines m ON m.machine = f.machine WHERE f.machine IS NOT NULL"
    )
    here = this_machine(db)
    return {machine: HERE if machine == here else str(name) for machine, name in db.execute(sql, (-SHORT,))}


def name_of(db: apsw.Connection, machine: str) -> str:
    """Return what a machine is called: as it was added, else as it calls itself, else the end of its id."""
    sql = (
        "SELECT coalesce((SELECT name FROM sync_places WHERE machine = ?1), "
        "(SELECT name FROM machines WHERE machine = ?1), substr(?1, ?2))"
    )
    return str(db.execute(sql, (machine, -SHORT)).get)


def named(machines: Mapping[str, str], name: str) -> list[str]:
    """Return the ids of those of some machines that are called so, in any letter case, or have this id."""
    folded_name = name.casefold()
    return [machine for machine, label in machines.items() if folded_name in (label.casefold(), machine)]
