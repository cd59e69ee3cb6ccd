"""Many cases as one test: what a table of hundreds of rows says takes no hundreds of tests to try."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def table(names: str | Iterable[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Have a test try each row of a table, whose columns are the test's arguments of these names.

    All rows are tried; those that failed are told. The fixtures are the same for all of them, so
    this is for tests that change nothing: others take `pytest.mark.parametrize`.
    """
    columns = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
    cases = [row if len(columns) > 1 else (row,) for row in rows]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def try_all(*arguments: Any, **fixtures: Any) -> None:
            failed: list[Exception] = []
            for case in cases:
                values = dict(zip(columns, case, strict=True))
                try:
                    test(*arguments, **fixtures, **values)
                except Exception as error:
                    error.add_note(f"The row was {str(values)[:1_000]}")
                    failed.append(error)
            if failed:
                raise failed[0] if len(failed) == 1 else ExceptionGroup("Several rows", failed)

        wanted = inspect.signature(test)
        left = [one for name, one in wanted.parameters.items() if name not in columns]
        try_all.__signature__ = wanted.replace(parameters=left)  # type: ignore[attr-defined]
        return try_all

    return decorate
