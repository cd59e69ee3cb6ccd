"""What `mem doctor` says of vectors."""

from __future__ import annotations

from ..config import embeddings_settings
from ..database.health import Check
from ..errors import ConfigurationError
from ..translation import _
from .vectors import Vectors

NAME = "embeddings"


def embeddings_check(vectors: Vectors) -> Check:
    """Return how far the vectors are; not well where a file is damaged, or the model can't be used."""
    if damaged := vectors.damaged:
        remedy = _("mem embeddings build makes it again; mem embeddings drop deletes it.")
        return Check(NAME, False, _("{path} is damaged", path=damaged[0]), remedy)
    try:
        settings = embeddings_settings()
        if settings is None:
            size = f"{vectors.size / 1e6:,.1f}"
            result = _("off; {size} MB of vectors stay", size=size) if vectors.size else _("off")
            return Check(NAME, True, result)
        status = vectors.status(settings)
    except ConfigurationError as error:
        return Check(NAME, False, str(error), _("Searches go without vectors until then."))
    if not vectors.are_kept:
        return Check(
            NAME,
            True,
            _("{model}, but none of this store: mem embeddings build begins", model=status.name),
        )
    share = int(100 * status.records / status.total) if status.total else 100
    content = _(
        "{model}: {share} % of {total} records built",
        model=status.name,
        share=share,
        total=f"{status.total:,}",
    )
    if status.trouble:
        remedy = _("mem embeddings test tries the model, mem embeddings build goes on at once.")
        return Check(NAME, False, f"{content}. {status.trouble}", remedy)
    return Check(NAME, True, content)
