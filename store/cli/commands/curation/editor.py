"""One memory in the user's editor, as Markdown: what can't be read or stored comes back with a word on
why, and nothing that was written is lost.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ....database.files import temporary
from ....formats.markdown_editor import Draft, keep, read_written, run_editor, write_document
from ....platform.errors import EditConflictError, InvalidRecordError
from ....platform.translation import _
from ...command import Call, failure_sentence, print_ref
from ...output.console import tell
from ...output.serializers import named, ref
from ...typer_later import typer

if TYPE_CHECKING:
    from ....curation.editing import AnyRecord
    from ....store import Store


MOST_TRIES = 20
"""So often is the editor opened again with what could not be stored."""


def edit_in_editor(call: Call, id: str) -> None:
    """Have the user edit a memory, and store what comes back."""
    with call.writing() as store, temporary.directory("memtui-edit-") as folder:
        draft = Draft(store.any_record(id))
        edited = _edited(store, draft, folder / draft.file_name)
        if edited is None:
            tell("Nothing was changed.")
            raise typer.Exit(1)
    print_ref(call, edited, _("{named} edited", named=named(edited)))


def _edited(store: Store, draft: Draft, path: Path) -> AnyRecord | None:
    """Return the record as it was stored in the end; None where the user left it as it was."""
    tries = 0
    while True:
        write_document(path, draft.document)
        try:
            run_editor(path)
            written = read_written(path)
        except (OSError, InvalidRecordError) as error:
            written = read_written(path) or draft.document
            if not draft.is_untouched(written):
                _keep(store, path, written)
            raise InvalidRecordError(
                str(error) if isinstance(error, InvalidRecordError) else str(failure_sentence(error))
            ) from error
        if draft.is_given_up(written):
            if draft.problem:
                tell(draft.problem)
                _keep(store, path, written)
            return None
        tries += 1
        if tries > MOST_TRIES:
            # A program stands for the editor, and would go on for ever.
            _keep(store, path, written)
            raise InvalidRecordError("{problem} Nothing was changed.", problem=draft.problem)
        try:
            fields = draft.read(written)
            if not fields:
                return None
            return store.edit(ref(draft.record), fields, expected=draft.record)
        except EditConflictError as error:
            draft.conflict(written, error)
        except InvalidRecordError as error:
            draft.refuse(written, str(error))
        except BaseException:
            _keep(store, path, written)
            raise


def _keep(store: Store, path: Path, written: str) -> None:
    tell("What you wrote is kept in {path}.", path=keep(path, written, store.path))
