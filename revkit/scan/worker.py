"""Worker: the process that scans PDF files; a line of JSON in, a line of JSON out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from revkit.documents.worker import serve, state_place
from revkit.scan.pdf import scan_file


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Scan the file that ``question`` names."""
    return scan_file(
        Path(str(question["path"])),
        pages=int(question["pages"]),
        authors=bool(question["authors"]),
        pictures=bool(question["pictures"]),
        without={int(place): str(reason) for place, reason in question["without"]},
        state_place=state_place,
    )


if __name__ == "__main__":
    serve(answer)
