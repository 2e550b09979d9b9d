"""PeerRead: a folder with ``reviews/ID.json`` and ``parsed_pdfs/ID.pdf.json``, in any number of
venues and splits (Kang et al., "A Dataset of Peer Reviews (PeerRead)", NAACL 2018)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import CorpusFile, Unreadable, decoded, files_passed_over, files_under, read_bytes
from revkit.model.paper import Paper, Skipped
from revkit.options import option, unknown_name
from revkit.venues import Malformed, PeerReadFiles, parse, read_peerread
from revkit_corpora.file_corpus import ReviewedCorpus

_REVIEW, _PARSED = ".json", ".pdf.json"


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two files of one paper; one of them may be missing."""

    venue: str
    split: str
    stem: str
    review: CorpusFile | None
    parsed: CorpusFile | None


@dataclass(frozen=True)
class PeerRead(ReviewedCorpus):
    """Papers with reviews and decisions in the layout of PeerRead.

    ``path`` is any folder above the folders ``reviews`` and ``parsed_pdfs``: one split
    (``iclr_2017/train``), one venue, or all of them. A record is a pair of files of the same name;
    the id is that name, led by the venue ("iclr_2017/304") where path holds several. The text is
    built from the parsed file: title, abstract, sections as headings, references as a numbered
    list.

    Rules. Reviews without a parsed paper, one without a section that has text, and a file that is
    no JSON object of UTF-8 are skipped. A parsed paper without reviews is loaded, unlabelled. In a
    file of several JSON lines the last counts, as in the dataset's own reader. ``accepted`` may
    be absent: then accept is None. Ratings are the ``RECOMMENDATION`` of reviews, on the scale of
    the venue's form, which the folder or the record names; meta-reviews, replies and comments
    without one are not counted. A review that is in its file twice counts once. Every such case
    leaves a note. Aspect scores and the text of reviews are not read.
    """

    name: ClassVar[str] = "peerread"
    version: ClassVar[str] = "2"
    endings: ClassVar[tuple[str, ...]] = (_REVIEW,)
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    venue: str = option("", help='one venue\'s folder name, such as "iclr_2017"; empty: all')
    split: Literal["all", "train", "dev", "test"] = option("all", help="one split, or all")

    def files(self) -> Sequence[CorpusFile]:
        return [found for pair in self._pairs() for found in (pair.review, pair.parsed) if found]

    def count(self) -> int:
        return len(self._pairs()) + len(self.passed_over())

    def most_papers(self) -> int:
        return len(self._pairs())

    def passed_over(self) -> Sequence[CorpusFile]:
        """Return the other files in the folders ``reviews`` and ``parsed_pdfs``."""
        pairs = self._all_pairs()
        read = [found for pair in pairs for found in (pair.review, pair.parsed) if found]
        return [
            file
            for file in files_passed_over(self.root, read)
            if file.path.parent.name in ("reviews", "parsed_pdfs")
        ]

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        pairs = self._pairs()
        several = len({pair.venue for pair in pairs}) > 1
        for pair in pairs:
            yield self._load(pair, f"{pair.venue}/{pair.stem}" if several else pair.stem)

    def _pairs(self) -> list[_Pair]:
        return self._selected(self._all_pairs())

    def _all_pairs(self) -> list[_Pair]:
        root = self.root
        halves: dict[tuple[str, str, str], dict[str, CorpusFile]] = {}
        above: dict[Path, Path] = {}
        for found in files_under(root, (_REVIEW,), outside=False) if root.is_dir() else ():
            folder = found.path.parent
            if folder.name not in ("reviews", "parsed_pdfs"):
                continue
            suffix = _PARSED if folder.name == "parsed_pdfs" else _REVIEW
            if not found.path.name.casefold().endswith(suffix):
                continue
            stem = found.path.name[: -len(suffix)]
            if folder not in above:
                above[folder] = folder.parent.resolve()
            split = above[folder]
            key = (split.parent.name, split.name, stem)
            halves.setdefault(key, {})[folder.name] = found
        if not halves:
            raise RunError(
                f"peerread: {root} contains no folder 'reviews' or 'parsed_pdfs' with JSON files; "
                "set path to the folder above them"
            )
        return [
            _Pair(venue, split, stem, half.get("reviews"), half.get("parsed_pdfs"))
            for (venue, split, stem), half in sorted(halves.items())
        ]

    def _selected(self, pairs: list[_Pair]) -> list[_Pair]:
        venues = {pair.venue for pair in pairs}
        if self.venue and self.venue not in venues:
            raise RunError(f"peerread: {unknown_name('venue', self.venue, venues)}")
        chosen = [
            pair
            for pair in pairs
            if self.venue in ("", pair.venue) and self.split in ("all", pair.split)
        ]
        if not chosen:
            splits = ", ".join(sorted({pair.split for pair in pairs}))
            raise RunError(f"peerread: no paper in split {self.split!r}; there are: {splits}")
        return chosen

    def _load(self, pair: _Pair, id_: str) -> Paper | Skipped:
        source = (pair.review or pair.parsed or CorpusFile(self.root, "")).name
        if pair.parsed is None:
            return Skipped(id_, "no parsed paper", source)
        notes: list[str] = []
        try:
            parsed = self._object(pair.parsed, notes)
            record = self._object(pair.review, notes) if pair.review else None
        except Unreadable as error:
            return Skipped(id_, str(error), source)
        return read_peerread(
            PeerReadFiles(id_, pair.stem, source, parsed, record, pair.venue, pair.split),
            self.declared,
            notes,
        ).paper

    def _object(self, found: CorpusFile, kept: list[str]) -> dict[str, Any]:
        text = decoded(read_bytes(found.path, self.max_bytes)).removeprefix("\ufeff")
        try:
            value, notes = parse(text)
        except Malformed as error:
            lines = [line for line in text.split("\n") if line.strip()]
            try:
                values = [parse(line)[0] for line in lines]
            except Malformed:
                values = []
            if len(values) < 2:
                raise Unreadable(f"{found.name}: malformed JSON at {error}") from None
            value, notes = values[-1], (f"{found.path.name} holds {len(lines)} lines: last read",)
        if not isinstance(value, dict):
            raise Unreadable(f"{found.name}: not an object")
        kept += notes
        return value
