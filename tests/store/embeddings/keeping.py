"""What of a memory has vectors, and having them made."""

from memtui.store import Store

from .synonyms import LONG


def compare(store: Store, text: str = "authentication") -> dict[int, float]:
    """Have all memories compared with a text; their cosines by their documents' ids."""
    ids = [number for (number,) in store.db.execute("SELECT id FROM documents ORDER BY id")]
    return dict(store.meaning(LONG).near_text(store.db, text, ids).cosines)


def kept(store: Store) -> set[str]:
    """The refs of what has vectors, `o1`."""
    sql = "SELECT kind || record_id FROM documents JOIN document_vectors ON document_id = id"
    assert not store.db.execute(
        "SELECT count(*) FROM document_vectors WHERE document_id NOT IN (SELECT id FROM documents)"
    ).get
    return {ref for (ref,) in store.db.execute(sql)}


def everything(store: Store) -> set[str]:
    """The refs of all that may have vectors."""
    return {ref for (ref,) in store.db.execute("SELECT kind || record_id FROM documents")}
