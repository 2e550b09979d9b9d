"""Paper texts: a folder with the texts of papers for data sets that contain only reviews."""

from __future__ import annotations

import os
from collections.abc import Mapping

from revkit.dataclass import dataclass
from revkit.files import CorpusFile, Unreadable, find_files, root_of
from revkit_corpora.file_corpus import read_text

ENDINGS = (".md", ".markdown", ".txt", ".tex")


@dataclass(frozen=True)
class PaperTexts:
    """The text files, by the names that a data set may use for them."""

    files: tuple[CorpusFile, ...]
    by_name: Mapping[str, tuple[CorpusFile, ...]]

    def read(self, id_: str, max_bytes: int) -> tuple[str, tuple[str, ...]]:
        """Return the clean text of paper ``id_`` and the notes of its repairs.

        Raises `Unreadable` where there is no file, more than one, or one that cannot be read.
        """
        found = self.by_name.get(id_, ())
        if len(found) != 1:
            names = ", ".join(file.name for file in found[:3])
            raise Unreadable(f"several texts: {names}" if found else "no text in texts")
        return read_text(found[0].path, max_bytes)


NO_TEXTS = PaperTexts((), {})


def find_paper_texts(corpus: str, folder: str) -> PaperTexts:
    """Return the texts in ``folder``. The key of a file is its name without suffix, or the part of
    it after an underscore: "ICLR2020_rkeNfp4tPr.md" is the text of rkeNfp4tPr.

    Raises `RunError`, which names ``corpus``, where there is no such folder, or no text in it.
    """
    files = tuple(find_files(root_of(corpus, folder), ENDINGS))
    whole: dict[str, list[CorpusFile]] = {}
    ends: dict[str, list[CorpusFile]] = {}
    for file in files:
        stem = os.path.splitext(file.name.rsplit("/", 1)[-1])[0]
        whole.setdefault(stem, []).append(file)
        parts = stem.split("_")
        for start in range(1, len(parts)):
            ends.setdefault("_".join(parts[start:]), []).append(file)
    names = {**ends, **whole}
    return PaperTexts(files, {name: tuple(each) for name, each in names.items()})
