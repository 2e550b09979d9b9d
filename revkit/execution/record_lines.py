"""Record files that are being written: lines, their table for a spreadsheet, digests, and rows that
can be read again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from revkit.execution.folder import RunFolder
from revkit.execution.record_rows import (
    ATTACKED,
    CALIBRATED,
    JUDGED,
    PROBED,
    RECORDS,
    SAMPLED,
    csv_columns_of,
)
from revkit.files import csv_header, csv_line
from revkit.files.run_files import records_file
from revkit.model.values import Json, canonical_bytes

_PORTION = 1 << 18  # bytes


class RecordLines:
    """One JSON Lines file that is being written with the CSV file of its rows, its digest, and the
    offsets of rows to be read again.
    """

    def __init__(self, folder: RunFolder, name: str) -> None:
        self.path = folder.target(f"records/{name}.jsonl")
        self.part = self.path.with_name(self.path.name + ".part")
        self._digest = hashlib.sha256()
        self._file: IO[bytes] = self.part.open("wb")
        self._place = 0
        self._lines: list[bytes] = []
        self._size = 0
        self._table = folder.target(f"records/{name}.csv")
        self._table_part = self._table.with_name(self._table.name + ".part")
        self._table_file = self._table_part.open("wb")
        self._columns = csv_columns_of(name)
        self._cells = [csv_header(self._columns)]

    def write(self, row: Mapping[str, Json]) -> tuple[int, int]:
        """Append ``row``, and return the offsets of its start and end in bytes."""
        line = canonical_bytes(row) + b"\n"
        self._lines.append(line)
        self._cells.append(csv_line(row, self._columns))
        self._size += len(line)
        if self._size >= _PORTION:
            self.flush()
        start = self._place
        self._place += len(line)
        return start, self._place

    def flush(self) -> None:
        """Write the collected lines. They are written in batches, because each call lets other
        threads run.
        """
        portion = b"".join(self._lines)
        self._lines, self._size = [], 0
        self._digest.update(portion)
        self._file.write(portion)
        cells = "".join(self._cells)
        self._cells = []
        self._table_file.write(cells.encode("utf-8", "backslashreplace"))

    def hexdigest(self) -> str:
        """Return the SHA-256 of all lines so far."""
        digest = self._digest.copy()
        digest.update(b"".join(self._lines))
        return digest.hexdigest()

    def read(self, place: tuple[int, int]) -> Any:
        """Return the row at ``place``, as `write` returned it."""
        path = self.path if self._file.closed else self.part
        if not self._file.closed:
            self.flush()
            self._file.flush()
        with path.open("rb") as file:
            file.seek(place[0])
            return json.loads(file.read(place[1] - place[0]))

    def close(self, *, finish: bool) -> None:
        """Close both files; if the run is complete, give them their final names."""
        with self._file, self._table_file:
            if finish:
                self.flush()
        if finish:
            os.replace(self.part, self.path)
            os.replace(self._table_part, self._table)


def digest_of_records(run: Path) -> str:
    """Return the SHA-256 over all records in the folder of a finished run, as in its
    ``result.json``. Raises `OSError` if a file cannot be read.
    """
    digests = {}
    for group in (RECORDS, SAMPLED, JUDGED, ATTACKED, PROBED, CALIBRATED):
        paths = {name: records_file(run, name) for name in group}
        if group is not RECORDS and not any(path.is_file() for path in paths.values()):
            continue  # a run without a sample, judges, attacks, probes, or a calibration
        for name, path in paths.items():
            with path.open("rb") as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return digest_of_files(digests)


def digest_of_files(digests: Mapping[str, str]) -> str:
    """Return the SHA-256 over the digests of records by their names."""
    total = hashlib.sha256()
    for name, digest in digests.items():
        total.update(f"{name}:{digest}\n".encode())
    return total.hexdigest()
