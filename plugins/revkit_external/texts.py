"""``python -m revkit_external.texts RUN OUT.jsonl``: the former name of ``revkit export texts``."""

from __future__ import annotations

import sys
from pathlib import Path

from revkit.errors import RunError
from revkit.runs import texts_of, write_texts

__all__ = ["main", "texts_of", "write_texts"]


def main(arguments: list[str]) -> int:
    """Run the command line: the folder of a run, and the file to write."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m revkit_external.texts RUN OUT.jsonl\n")
        return 2
    try:
        count = write_texts(Path(arguments[0]), Path(arguments[1]))
    except RunError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{count} texts written to {arguments[1]}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
