"""Tensors of a `.safetensors` file, mapped: of hundreds of megabytes only the rows asked for are read.

The file is a length (8 bytes, little-endian), a JSON header of so many bytes, and the numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...providers.errors import ProviderError
from ...records.dataclasses import dataclass
from ...translation import _

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST_HEADER = 100_000_000
TYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I8": "|i1",
    "I32": "<i4",
    "I64": "<i8",
}


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a file: its numbers as they are stored, and their type's name."""

    numbers: NDArray[Any]
    type: str

    def rows(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return rows, or single numbers of a vector, as 32-bit numbers."""
        import numpy as np

        result = self.numbers[places]
        if self.type == "BF16":
            return (result.astype(np.uint32) << 16).view(np.float32)
        return result.astype(np.float32)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a file by name, of those types that vectors are made of. Raises
    ProviderError."""
    import numpy as np

    try:
        if not path.is_file():
            raise ValueError(_("it is not a file"))
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > LONGEST_HEADER:
                raise ValueError(_("its header would be of {size} bytes", size=f"{size:,}"))
            header = json.loads(file.read(size))
        mapped = np.memmap(path, np.uint8, "r", offset=8 + size)
        tensors = {}
        for name, about in header.items():
            if name != "__metadata__" and about["dtype"] in TYPES:
                begin, end = about["data_offsets"]
                numbers = np.asarray(mapped[begin:end]).view(TYPES[about["dtype"]])
                tensors[name] = Tensor(numbers.reshape(about["shape"]), about["dtype"])
        return tensors
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ProviderError(
            "auth", _("{path} holds no tensors ({error}).", path=path, error=error)
        ) from error
