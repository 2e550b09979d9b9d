"""Read the rows of Parquet and Arrow files as records, a few at a time.

Data sets of the hub come in these formats: Parquet as published, Arrow as ``save_to_disk`` of the
package datasets writes it. The package pyarrow reads them (the extra ``parquet``).
"""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from revkit.files import CorpusFile, Unreadable

COLUMNAR = (".parquet", ".arrow")
HUB_FILES = frozenset(("dataset_dict.json", "dataset_info.json", "state.json"))
"""What ``save_to_disk`` writes beside the rows."""

_AT_ONCE = 32
_LARGEST_GROUP = 4_000_000_000
_Rows = Iterator[tuple[int, dict[str, Any], tuple[str, ...]] | tuple[int, None, tuple[str, ...]]]


def rows_of_columns(found: CorpusFile, max_bytes: int) -> _Rows:
    """Yield number, values and notes of each row; None for a row of more than ``max_bytes``.

    Values are those of JSON: times become text, NaN becomes null, both with a note. Raises
    `Unreadable` where the file cannot be read, or pyarrow is missing.
    """
    try:
        import pyarrow
    except ImportError:
        raise Unreadable(
            "the package pyarrow, which reads this file, is not installed: pip install "
            "'revkit[parquet]'"
        ) from None
    number = 0
    try:
        with _batches(found) as batches:
            for batch in batches:
                names = batch.schema.names
                if len(set(names)) < len(names):
                    twice = next(name for name in names if names.count(name) > 1)
                    raise Unreadable(f"two columns have the name {twice[:80]!r}; keep one of them")
                for row in batch.to_pylist():
                    number += 1
                    notes: dict[str, None] = {}
                    size, value = _plain(row, notes)
                    whole = value if size <= max_bytes else None
                    yield number, whole, tuple(notes)
    except Unreadable:
        raise
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise Unreadable(f"not a readable columnar file: {reason}") from None


@contextmanager
def _batches(found: CorpusFile) -> Iterator[Iterator[Any]]:
    if found.name.casefold().endswith(".parquet"):
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(found.path) as file:
            groups = range(file.metadata.num_row_groups)
            if any(file.metadata.row_group(i).total_byte_size > _LARGEST_GROUP for i in groups):
                raise Unreadable(f"a group of rows has more than {_LARGEST_GROUP} bytes")
            yield file.iter_batches(batch_size=_AT_ONCE)
        return
    import pyarrow

    with pyarrow.memory_map(str(found.path)) as source:
        try:
            reader: Any = pyarrow.ipc.open_stream(source)
            yield iter(reader)
        except pyarrow.ArrowInvalid:
            file = pyarrow.ipc.open_file(source)
            yield (file.get_batch(i) for i in range(file.num_record_batches))


def _plain(value: Any, notes: dict[str, None]) -> tuple[int, Any]:
    """Return a value as JSON, and its approximate number of bytes."""
    if isinstance(value, str):
        return len(value), value
    if isinstance(value, Mapping):
        parts = {str(key): _plain(each, notes) for key, each in value.items()}
        return sum(size for size, _ in parts.values()), {k: v for k, (_, v) in parts.items()}
    if isinstance(value, list | tuple):
        items = [_plain(each, notes) for each in value]
        return sum(size for size, _ in items), [each for _, each in items]
    if isinstance(value, bytes):
        notes["bytes in a column: read as text"] = None
        return len(value), value.decode("utf-8", "replace")
    if isinstance(value, datetime.date | datetime.time):
        return 32, value.isoformat()
    if isinstance(value, decimal.Decimal):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        notes["NaN or infinity in a column: read as null"] = None
        return 8, None
    if value is None or isinstance(value, bool | int | float):
        return 8, value
    notes[f"a value of type {type(value).__name__}: read as text"] = None
    return 32, str(value)
