"""List the files of a corpus in a stable order, and identify them by names and content."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files.resources import located
from revkit.model.intake import clean_text
from revkit.model.paper import Paper, Skipped

_MOST_FILES = 1_000_000


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A file of a corpus: its path, and its ``name`` relative to the corpus, with "/"."""

    path: Path
    name: str

    @property
    def stem(self) -> str:
        """The file name without folder and last suffix: "a/2604.01960.md" -> "2604.01960"."""
        return os.path.splitext(self.name.rsplit("/", 1)[-1])[0]


def root_of(corpus: str, path: str) -> Path:
    """Return ``path`` with "~" and "package:NAME/" expanded.

    Raises `RunError`, which names ``corpus``, where there is no such file or folder.
    """
    try:
        root = located(path).expanduser()
    except ValueError as error:
        raise RunError(f"{corpus}: {error}") from None
    if not path or not root.exists():
        raise RunError(
            f"{corpus}: {path or 'an empty path'} does not exist; "
            "set path to an existing file or folder; a relative path begins in the working "
            f"directory ({Path.cwd().name}/)"
        )
    return root


def find_files(root: Path, suffixes: Sequence[str], *, deep: bool = True) -> list[CorpusFile]:
    """Return ``root`` itself if it is a file, else the files below it that end in ``suffixes``.

    Raises `RunError` where there is none.
    """
    if not root.is_dir():
        return [CorpusFile(root, clean_text(root.name)[0])]
    found = files_under(root, suffixes, deep=deep, outside=False)
    if not found:
        links = len(links_out(root))
        others = f" (besides {links} symbolic links that lead out of it)" if links else ""
        ends = ", ".join(suffixes)
        raise RunError(f"{root} contains no file that ends in {ends}{others}; check path")
    return found


def files_under(
    root: Path, suffixes: Sequence[str], *, deep: bool = True, outside: bool = True
) -> list[CorpusFile]:
    """Return the files below ``root`` whose names end in one of ``suffixes``, sorted by name.

    Names that begin with "." or "~$" (a spreadsheet's mark that it is open) are left out; bytes in
    names that are not UTF-8 show as U+FFFD. Links are followed, those of `links_out` only with
    ``outside``; a folder reached twice is read once. A link that leads nowhere and a folder that
    cannot be opened are returned too, so that reading them says what is wrong. Raises `RunError`
    for more than a million files.
    """
    return _walk(root, suffixes, deep=deep, outside=outside)[0]


def links_out(root: Path) -> list[CorpusFile]:
    """Return the symbolic links below ``root`` that lead out of it, sorted by name.

    A folder of papers of others may contain a link to any file of this machine, which a reviewer
    would then get.
    """
    return _walk(root, ("",), outside=False)[1] if root.is_dir() else []


def skip_links(root: Path) -> Iterator[Skipped]:
    """Yield a `Skipped` for each symbolic link below ``root`` that leads out of it."""
    for file in links_out(root):
        yield Skipped(file.name, _LINK_OUT, file.name)


def keep_first(
    items: Iterable[Paper | Skipped], id_of: Callable[[Paper], str] = lambda paper: paper.id
) -> Iterator[Paper | Skipped]:
    """Yield ``items``, and of several papers with one id a `Skipped` for each after the first."""
    first: dict[str, str] = {}
    for item in items:
        if isinstance(item, Paper) and (id_ := id_of(item)) in first:
            yield Skipped(item.id, f"duplicate id; the first is in {first[id_]}", item.source)
            continue
        if isinstance(item, Paper):
            first[id_] = item.source
        yield item


_LINK_OUT = (
    "a symbolic link that leads out of the folder: not read; copy the file to its place if it is "
    "a paper"
)


def _leaves(path: Path, inside: str) -> bool:
    return not os.path.join(os.path.realpath(path), "").startswith(inside)


def _walk(
    root: Path, suffixes: Sequence[str], *, deep: bool = True, outside: bool
) -> tuple[list[CorpusFile], list[CorpusFile]]:
    """Return the files below ``root``, and the links out of it that are not followed."""
    endings = tuple(suffixes)
    found: list[CorpusFile] = []
    leaving: list[CorpusFile] = []
    visited: set[tuple[int, int]] = set()
    inside = os.path.join(os.path.realpath(root), "")

    def walk(folder: Path, prefix: str) -> None:
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in visited:
                return
            visited.add((status.st_dev, status.st_ino))
            names = sorted(os.listdir(folder))
        except OSError:
            found.append(CorpusFile(folder, prefix.rstrip("/") or folder.name))
            return
        for name in names:
            path = folder / name
            if name.startswith((".", "~$")):
                continue
            if not outside and os.path.islink(path) and _leaves(path, inside):
                leaving.append(CorpusFile(path, prefix + clean_text(name)[0]))
            elif os.path.isdir(path):
                if deep:
                    walk(path, f"{prefix}{clean_text(name)[0]}/")
            elif name.casefold().endswith(endings):
                found.append(CorpusFile(path, prefix + clean_text(name)[0]))
        if len(found) > _MOST_FILES:
            raise RunError(f"{root} contains more than {_MOST_FILES} files; check path")

    walk(root, "")
    return (
        sorted(found, key=lambda item: item.name),
        sorted(leaving, key=lambda item: item.name),
    )


_NO_PAPERS = ("readme", "license", "licence", "notice", "citation.cff")


def files_passed_over(root: Path, read: Iterable[CorpusFile]) -> list[CorpusFile]:
    """Return the files below ``root`` that are not among ``read``, sorted by name: the files that a
    reader of some formats ignores. Hidden files and files named README, LICENSE or NOTICE do not
    count.
    """
    if not root.is_dir():
        return []
    known = {file.path for file in read}
    return [
        file
        for file in files_under(root, ("",), outside=False)
        if file.path not in known
        and not file.name.rsplit("/", 1)[-1].casefold().startswith(_NO_PAPERS)
    ]


def skip_files(
    corpus: str, files: Iterable[CorpusFile], endings: Sequence[str]
) -> Iterator[Skipped]:
    """Yield a `Skipped` for each of ``files``, which ``corpus`` does not read: it reads
    ``endings``.
    """
    reason = f"not read: {corpus} reads only {', '.join(endings)}"
    for file in files:
        yield Skipped(file.name, reason, file.name)


def digest_of_files(files: Iterable[CorpusFile]) -> str:
    """Return a digest of names and contents, which replaces the location of the files."""
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file.name}\n{digest_of_file(file.path)}\n".encode())
    return total.hexdigest()


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file's content; a word if it is not a readable file."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return "no regular file"
        return _digest(str(path), status.st_size, status.st_mtime_ns, status.st_ino)
    except OSError:
        return "unreadable"


@lru_cache(maxsize=65_536)
def _digest(path: str, _size: int, _changed: int, _inode: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
