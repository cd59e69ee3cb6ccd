"""Everything the store raises on purpose. Each message says what happened, to what, and what to do."""

from __future__ import annotations


class StoreError(Exception):
    """The store could not do what was asked; the message is fit for a user's eyes. It is a text of the
    catalogue with `values` for its `{names}`, or one that is in the user's language already."""

    def __init__(self, text: str = "", /, **values: object) -> None:
        super().__init__(text)
        self.values = values

    def __str__(self) -> str:
        # What an agent waits for raises some, too, and shows none of them.
        from .translation import _

        return _(str(self.args[0]), **self.values)


class NotFoundError(StoreError):
    """No record has the id that was given."""


class InvalidRecordError(StoreError):
    """A record's own values are unusable; nothing was written."""


class ConflictError(StoreError):
    """What was to be changed was changed by others meanwhile; nothing was written."""


class EditConflictError(ConflictError):
    """A record was changed since it was read; nothing was written. `expected` is what was read (None
    where only its version was told), `present` what is stored now."""

    def __init__(self, text: str, /, expected: object, present: object, **values: object) -> None:
        super().__init__(text, **values)
        self.expected = expected
        self.present = present


class FileConflictError(ConflictError):
    """A file was changed by others meanwhile, and both can't be merged; it is left as they wrote it.
    `ours` is what was to be written, `theirs` what is there now (None: nothing), `displaced` what they
    wrote before and isn't there any more."""

    displaced: tuple[bytes, ...] = ()

    def __init__(self, text: str, /, ours: bytes | None, theirs: bytes | None, **values: object) -> None:
        super().__init__(text, **values)
        self.ours = ours
        self.theirs = theirs


class DatabaseError(StoreError):
    """The file is missing, damaged, not a database, or can't be opened."""


class ReadOnlyError(StoreError):
    """A write was asked of a store that can only be read."""


class SourceError(StoreError):
    """A foreign memory can't be read as what it was said to be."""


class ConfigurationError(StoreError):
    """A configuration, ours or an agent's, can't be read or changed as asked; it was left as it was."""


def failure_of(error: BaseException) -> str:
    """Return an error that nobody raised on purpose in a line: where it came up, as
    `module.function`, its type and its words."""
    place, trace = "", error.__traceback__
    while trace is not None:
        name = str(trace.tb_frame.f_globals.get("__name__"))
        if name.startswith("memtui."):
            place = f"{name.rpartition('.')[2]}.{trace.tb_frame.f_code.co_name}: "
        trace = trace.tb_next
    return f"{place}{type(error).__name__}: {error}".rstrip(": ")
