"""What `mem doctor` says of vectors."""

from __future__ import annotations

from ..config import embeddings_settings
from ..database.health import Check
from ..errors import ConfigurationError
from .vectors import Vectors

NAME = "embeddings"


def embeddings_check(vectors: Vectors) -> Check:
    """Return how far the vectors are; not well where a file is damaged, or the model can't be used."""
    if damaged := vectors.damaged:
        remedy = "mem embeddings build makes it anew; mem embeddings drop deletes it."
        return Check(NAME, False, f"{damaged[0]} is damaged", remedy)
    try:
        settings = embeddings_settings()
        if settings is None:
            kept = f"; {vectors.size / 1e6:,.1f} MB of vectors stay" if vectors.size else ""
            return Check(NAME, True, f"off{kept}")
        status = vectors.status(settings)
    except ConfigurationError as error:
        return Check(NAME, False, str(error), "Searches go without vectors until then.")
    if not vectors.are_kept:
        return Check(
            NAME, True, f"{status.name}, but none of this store: mem embeddings build begins"
        )
    share = int(100 * status.records / status.total) if status.total else 100
    content = f"{status.name}: {share} % of {status.total:,} records built"
    if status.trouble:
        remedy = "mem embeddings test tries the model, mem embeddings build goes on at once."
        return Check(NAME, False, f"{content}. {status.trouble}", remedy)
    return Check(NAME, True, content)
