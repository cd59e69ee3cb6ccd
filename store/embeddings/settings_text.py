"""The settings of a model as a file of vectors keeps them: queries need the same model."""

from __future__ import annotations

import json

from ..config import EmbeddingsSettings
from ..translation import _


def settings_text(settings: EmbeddingsSettings) -> str:
    """Return settings as a file of vectors keeps them. No key is among them."""
    from ..records.dataclasses import asdict

    return json.dumps(asdict(settings), ensure_ascii=False)


def settings_of(text: str) -> EmbeddingsSettings:
    """Return the settings that a file of vectors keeps. Raises ValueError."""
    try:
        result = json.loads(text)
        listed = {name: tuple(item) for name, item in result.items() if isinstance(item, list)}
        return EmbeddingsSettings(**(result | listed))
    except (TypeError, AttributeError) as error:
        raise ValueError(_("the file of vectors says of its model {text!r}.", text=text)) from error
