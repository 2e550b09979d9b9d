"""Default locations of files, unless the user names others. Imports only the path type."""

from __future__ import annotations

from pathlib import Path

# The store of answers, below the working directory.
STORE = Path(".revkit") / "store.sqlite3"
