"""What text passes on its way in and out: privacy, redaction, truncation, the display gate,
tokens, Markdown."""

_UNSTORABLE = "[\0\ud800-\udfff]"


def clean(text: str) -> str:
    """`text` with U+FFFD for every NUL and lone surrogate: neither survives a store or a pipe."""
    try:
        text.encode()
    except UnicodeEncodeError:
        pass
    else:
        return text.replace("\0", "\ufffd")
    # A hook imports this package, and has no time for it.
    import re

    return re.sub(_UNSTORABLE, "\ufffd", text)
