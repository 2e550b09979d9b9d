"""Reading: paths, folders and bounded reads, shared by all corpora that read files.

What is wrong with the path the user gave raises `revkit.errors.RunError`. What is wrong with one
file among others raises `Unreadable`, which its corpus turns into a `Skipped`.
"""

from __future__ import annotations

import hashlib
import os
import stat
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.errors import PaperError, RunError
from revkit.model.intake import decode
from revkit.model.paper import Paper, Skipped
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_corpora.texts import clean

MAX_BYTES = 20_000_000


class Unreadable(Exception):
    """One file or record cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file of a corpus: its path, and its ``name`` relative to the corpus, with "/"."""

    path: Path
    name: str

    @property
    def stem(self) -> str:
        """The name in its folder, without the last suffix: "a/2604.01960.md" -> "2604.01960"."""
        return os.path.splitext(self.name.rsplit("/", 1)[-1])[0]


@dataclass(frozen=True)
class FileCorpus(Corpus):
    """A corpus that reads files below ``path``.

    Its identity is the content of those files, not where they lie. Raises `RunError` where ``path``
    does not exist or holds no record; see each corpus for what else.
    """

    paths: ClassVar[tuple[str, ...]] = ("path",)
    """The options that name files; `identity` leaves them out."""

    path: str = option(help="file or folder to read")
    max_bytes: int = option(
        MAX_BYTES, minimum=1, help="a file or record of more bytes than this is skipped"
    )

    @abstractmethod
    def files(self) -> Sequence[Found]:
        """Return the files that `papers` reads, sorted by name. Raises `RunError` without any."""

    @abstractmethod
    def read(self, files: Sequence[Found]) -> Iterator[Paper | Skipped]:
        """Yield the records of ``files``; ids may repeat, `papers` sees to that."""

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the papers in a stable order, with a `Skipped` for each record that is not loaded.

        Of several records with one id the first counts, the others are skipped.
        """
        return _unique(self.read(self.files()), self.path)

    def identity(self) -> Json:
        """The options, with a digest of names and content of all files in the place of paths."""
        options = {k: v for k, v in options_of(self).items() if k not in self.paths}
        digest = hashlib.sha256()
        for found in self.files():
            digest.update(f"{found.name}\n{_digest(found.path)}\n".encode())
        return {**options, "content": digest.hexdigest()}

    @property
    def root(self) -> Path:
        """``path``, with "~" expanded. Raises `RunError` where nothing is there."""
        root = Path(self.path).expanduser()
        if not self.path or not root.exists():
            raise RunError(
                f"{self.name}: {self.path or 'an empty path'} does not exist; "
                f"set path to an existing file or folder (now in {Path.cwd().name}/)"
            )
        return root


def _unique(items: Iterable[Paper | Skipped], path: str) -> Iterator[Paper | Skipped]:
    first: dict[str, str] = {}
    empty = True
    for item in items:
        empty = False
        if isinstance(item, Paper):
            if item.id in first:
                reason = f"duplicate id; the first is in {first[item.id]}"
                yield Skipped(item.id, reason, item.source)
                continue
            first[item.id] = item.source
        yield item
    if empty:
        raise RunError(f"{path} holds no record; point path at a corpus with at least one paper")


def _digest(path: Path) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return "no regular file"
        return _digest_of(str(path), status.st_size, status.st_mtime_ns, status.st_ino)
    except OSError:
        return "unreadable"


@lru_cache(maxsize=65_536)
def _digest_of(path: str, size: int, modified: int, inode: int) -> str:  # noqa: ARG001
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_under(root: Path, suffixes: tuple[str, ...], *, deep: bool = True) -> list[Found]:
    """Return the files below ``root`` whose names end in one of ``suffixes``, sorted by name.

    Names that begin with a dot are left out; bytes in names that are not UTF-8 show as U+FFFD.
    Links are followed; a folder reached twice is read once. A link that leads nowhere and a folder
    that cannot be opened are returned too, so that reading them says what is wrong.
    """
    found: list[Found] = []
    visited: set[tuple[int, int]] = set()

    def walk(folder: Path, prefix: str) -> None:
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in visited:
                return
            visited.add((status.st_dev, status.st_ino))
            names = sorted(os.listdir(folder))
        except OSError:
            found.append(Found(folder, prefix.rstrip("/") or folder.name))
            return
        for name in names:
            path = folder / name
            if name.startswith("."):
                continue
            if os.path.isdir(path):
                if deep:
                    walk(path, f"{prefix}{clean(name)[0]}/")
            elif name.casefold().endswith(suffixes):
                found.append(Found(path, prefix + clean(name)[0]))

    walk(root, "")
    return sorted(found, key=lambda item: item.name)


def some_files(root: Path, suffixes: tuple[str, ...], *, deep: bool = True) -> list[Found]:
    """Return ``root`` itself where it is a file, else the files below it that end in ``suffixes``.

    Raises `RunError` where there is none.
    """
    if not root.is_dir():
        return [Found(root, clean(root.name)[0])]
    found = files_under(root, suffixes, deep=deep)
    if not found:
        raise RunError(f"{root} holds no file that ends in {', '.join(suffixes)}; check path")
    return found


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the content of a regular file of at most ``max_bytes``; else raise `Unreadable`."""
    check_file(path)
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    if len(data) > max_bytes:
        raise Unreadable(f"larger than max-bytes ({max_bytes})")
    return data


def check_file(path: Path) -> None:
    """Raise `Unreadable` for what is no regular file: opening a named pipe would wait for ever."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        raise Unreadable("a folder that cannot be opened")
    if not stat.S_ISREG(mode):
        raise Unreadable("no regular file")


def decoded(data: bytes) -> str:
    """Return ``data`` as text, not cleaned. Raises `Unreadable` that names a byte not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            return decode(data)[0]
        except PaperError as error:
            raise Unreadable(str(error)) from None


def read_text(path: Path, max_bytes: int) -> tuple[str, tuple[str, ...]]:
    """Return the clean text of a file and the notes of its repairs; else raise `Unreadable`."""
    return clean(decoded(read_bytes(path, max_bytes)))
