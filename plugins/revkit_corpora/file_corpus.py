"""Base classes of all corpora that read files.

What is wrong with the path the user gave raises `revkit.errors.RunError`. What is wrong with one
file among others raises `revkit.files.Unreadable`, which its corpus turns into a `Skipped`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.files import (
    HUB,
    CorpusFile,
    decoded,
    digest_of_files,
    files_passed_over,
    find_files,
    hub_dataset,
    keep_first,
    read_bytes,
    root_of,
    skip_files,
    skip_links,
)
from revkit.model.paper import Paper, Skipped
from revkit.model.values import Json
from revkit.options import option, options_of, unknown_name
from revkit.venues import RECORD_FILES, Declared, clean, declared_scale, form_named, form_names

MAX_BYTES = 20_000_000


@dataclass(frozen=True)
class FileCorpus(Corpus):
    """A corpus that reads files below ``path``.

    Its identity is the content of those files, not where they lie. Raises `RunError` where ``path``
    does not exist or holds no record; see each corpus for what else.
    """

    paths: ClassVar[tuple[str, ...]] = ("path",)
    """The options that name files; `identity` leaves them out."""
    endings: ClassVar[tuple[str, ...]] = ()
    """The endings of the files that it reads, where these alone decide; then other files in the
    folder are skipped by name."""

    path: str = option(
        help="file or folder to read; for corpora of records also hub:OWNER/NAME?split=S, a data "
        "set of the hub"
    )
    max_bytes: int = option(
        MAX_BYTES, minimum=1, help="a file or record of more bytes than this is skipped"
    )

    def files(self) -> Sequence[CorpusFile]:
        """Return the files that `papers` reads, sorted by name. Raises `RunError` without any.

        By default those with one of ``endings``, or those of a data set of the hub.
        """
        if self.path.startswith(HUB):
            return self._hub_files()
        return find_files(self.root, self.endings)

    def _hub_files(self) -> Sequence[CorpusFile]:
        if not set(RECORD_FILES) <= {*self.endings}:
            raise RunError(f"{self.name} reads no data set of the hub; use the corpus table")
        return hub_dataset(self.name, self.path)

    def passed_over(self) -> Sequence[CorpusFile]:
        """The files in its folder that it does not read; none where more than endings decides."""
        if not self.endings or self.path.startswith(HUB):
            return ()
        return files_passed_over(self.root, self.files())

    @abstractmethod
    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        """Yield the records of ``files``. Ids may be repeated: `papers` handles that."""

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the papers in a stable order, with a `Skipped` for each record that is not loaded
        and, first of all, for each file that is not read and each link that leaves the folder.

        Of several records with one id the first counts, the others are skipped.
        """
        files = self.files()
        others = skip_files(self.name, self.passed_over(), self.endings)
        links = () if self.path.startswith(HUB) else skip_links(self.root)
        return chain(others, links, keep_first(_filled(self.read(files), self.path)))

    def identity(self) -> Json:
        """Return the options, with a digest of names and content of all files instead of their
        paths.
        """
        options = {k: v for k, v in options_of(self).items() if k not in self.paths}
        return {**options, "content": digest_of_files(self.files())}

    @property
    def root(self) -> Path:
        """``path``, with "~" expanded; of a data set of the hub, the folder of its first file.

        Raises `RunError` where nothing is there.
        """
        if self.path.startswith(HUB):
            return self._hub_files()[0].path.parent
        return root_of(self.name, self.path)


@dataclass(frozen=True)
class ReviewedCorpus(FileCorpus):
    """A corpus of files with human reviews or decisions, whose wordings the user may map."""

    form: str = option(
        "",
        help='Review form of all records, such as "iclr-2024"; empty: as each record says.',
        later=True,
    )
    scale: tuple[float, float] | None = option(
        None,
        help="Lowest and highest rating of a form that has no name; null: as records say.",
        later=True,
    )
    ratings: Mapping[str, float] | None = option(
        None, help='Meaning of the wordings of ratings: {"Weak accept": 5}.', later=True
    )
    decisions: Mapping[str, bool | None] | None = option(
        None,
        help='Meaning of decisions: {"Invite to Archive": false}; null: neither accept nor reject.',
        later=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if self.form and form_named(self.form) is None:
            problems.append(("form", unknown_name("form", self.form, form_names())))
        if self.form and self.scale:
            problems.append(("scale", "the form already defines a scale; set only one of them"))
        if self.scale and self.scale[0] >= self.scale[1]:
            problems.append(("scale", "the lowest rating must be below the highest"))
        if problems:
            raise OptionError(self.name, problems)

    @property
    def declared(self) -> Declared:
        """Return the scales and wordings that the user declares."""
        scale = declared_scale(*self.scale) if self.scale else form_named(self.form)
        return Declared(scale, self.ratings or {}, self.decisions or {})


def _filled(items: Iterable[Paper | Skipped], path: str) -> Iterator[Paper | Skipped]:
    empty = True
    for item in items:
        empty = False
        yield item
    if empty:
        raise RunError(f"{path} contains no record; set path to a corpus with at least one paper")


def read_text(path: Path, max_bytes: int) -> tuple[str, tuple[str, ...]]:
    """Return the clean text of a file and the notes of its repairs. Raises `Unreadable`."""
    return clean(decoded(read_bytes(path, max_bytes)))
