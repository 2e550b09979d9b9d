"""Read PDF files in a separate process, one after the other.

A damaged file can crash the library that reads it, or make it use any amount of time and memory.
So a process with limits reads the files; one that it cannot read ends this process alone, and the
next file gets a new one.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from revkit.documents.limits import Limits
from revkit.documents.process import FileProcess
from revkit.documents.text import DocumentText
from revkit.files.closeable import Closeable
from revkit.model.paper import HiddenNote
from revkit.model.values import Json


def can_read_pdf() -> bool:
    """Return whether the library that reads PDF files is installed (extra ``pdf``)."""
    return find_spec("pypdfium2") is not None


class PdfReader(Closeable):
    """Reads PDF files; use it in a ``with`` statement.

    ``authors`` keeps what is between title and abstract, ``hidden`` the text that a reader does
    not see; by default both are left out.
    """

    def __init__(
        self, limits: Limits | None = None, *, authors: bool = False, hidden: bool = False
    ) -> None:
        self._process = FileProcess("revkit.documents.worker", limits or Limits())
        self._options: dict[str, Json] = {"authors": authors, "hidden": hidden}

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def read(self, path: Path) -> DocumentText:
        """Return the text of the file at ``path``.

        Raises `Unreadable` with the reason: not a PDF, encrypted, damaged, without text, or
        beyond a limit.
        """
        answer = self._process.ask(path, self._options)
        notes, hidden = answer.get("notes"), answer.get("hidden")
        found = hidden if isinstance(hidden, list) else []
        return DocumentText(
            str(answer["text"]),
            str(answer["title"]),
            tuple(HiddenNote(note) if note in found else str(note) for note in notes)
            if isinstance(notes, list)
            else (),
            bool(found),
        )
