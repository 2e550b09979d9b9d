"""PeerRead: a folder with ``reviews/ID.json`` and ``parsed_pdfs/ID.pdf.json``, in any number of
venues and splits (Kang et al., "A Dataset of Peer Reviews (PeerRead)", NAACL 2018)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from revkit.errors import RunError
from revkit.files import Found, Unreadable, decoded, files_under, read_bytes
from revkit.model.paper import Labels, Paper, Skipped
from revkit.options import option, unknown_name
from revkit_corpora.decisions import Decision, read_decision
from revkit_corpora.draft import Draft
from revkit_corpora.parsed_pdf import has_text, markdown_of
from revkit_corpora.ratings import Scores
from revkit_corpora.reading import FileCorpus
from revkit_corpora.records import as_id, parse
from revkit_corpora.scanner import Malformed
from revkit_corpora.texts import plural

_REVIEW, _PARSED = ".json", ".pdf.json"
_SCALES: Mapping[str, tuple[float, float]] = {"iclr": (1, 10), "acl": (1, 5), "conll": (1, 5)}


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two files of one paper, of which one may be missing."""

    venue: str
    split: str
    stem: str
    review: Found | None
    parsed: Found | None


@dataclass(frozen=True)
class PeerRead(FileCorpus):
    """Papers with reviews and decisions in the layout of PeerRead.

    ``path`` is any folder above the folders ``reviews`` and ``parsed_pdfs``: one split
    (``iclr_2017/train``), one venue, or all of them. A record is a pair of files of the same name;
    the id is that name, led by the venue ("iclr_2017/304") where path holds several. The text is
    built from the parsed file: title, abstract, sections as headings, references as a numbered
    list.

    Rules. Reviews without a parsed paper, one without a section that has text, and a file that is
    no JSON object of UTF-8 are skipped. A parsed paper without reviews is loaded, unlabelled. In a
    file of several JSON lines the last counts, as in the dataset's own reader. ``accepted`` may
    be absent: then accept is None. Ratings are the ``RECOMMENDATION`` of reviews, a number or text,
    on 1-10 at ICLR and 1-5 at ACL and CoNLL; meta-reviews, replies and comments without one are not
    counted. A review that stands in its file twice counts once. Every such case leaves a note.
    Aspect scores and the text of reviews are not read.
    """

    name: ClassVar[str] = "peerread"
    version: ClassVar[str] = "1"
    venue: str = option("", help='one venue\'s folder name, such as "iclr_2017"; empty: all')
    split: Literal["all", "train", "dev", "test"] = option("all", help="one split, or all")

    def files(self) -> Sequence[Found]:
        return [found for pair in self._pairs() for found in (pair.review, pair.parsed) if found]

    def count(self) -> int:
        return len(self._pairs())

    def read(self, files: Sequence[Found]) -> Iterator[Paper | Skipped]:
        pairs = self._pairs()
        several = len({pair.venue for pair in pairs}) > 1
        for pair in pairs:
            yield self._load(pair, f"{pair.venue}/{pair.stem}" if several else pair.stem)

    def _pairs(self) -> list[_Pair]:
        root = self.root
        halves: dict[tuple[str, str, str], dict[str, Found]] = {}
        above: dict[Path, Path] = {}
        for found in files_under(root, (_REVIEW,)) if root.is_dir() else ():
            folder = found.path.parent
            if folder.name not in ("reviews", "parsed_pdfs"):
                continue
            suffix = _PARSED if folder.name == "parsed_pdfs" else _REVIEW
            stem = found.path.name.removesuffix(suffix)
            if stem == found.path.name:
                continue
            if folder not in above:
                above[folder] = folder.parent.resolve()
            split = above[folder]
            key = (split.parent.name, split.name, stem)
            halves.setdefault(key, {})[folder.name] = found
        if not halves:
            raise RunError(
                f"peerread: {root} holds no folder 'reviews' or 'parsed_pdfs' with JSON files; "
                "set path to the folder above them"
            )
        pairs = [
            _Pair(venue, split, stem, half.get("reviews"), half.get("parsed_pdfs"))
            for (venue, split, stem), half in sorted(halves.items())
        ]
        return self._selected(pairs)

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
        first = pair.review or pair.parsed
        draft = Draft(id_, first.name if first else "")
        if pair.parsed is None:
            return draft.skipped("no parsed paper")
        try:
            parsed = self._object(pair.parsed, draft)
            record = self._object(pair.review, draft) if pair.review else {}
        except Unreadable as error:
            return draft.skipped(str(error))
        if pair.review is None:
            draft.note("no review file: no labels")
        metadata = parsed.get("metadata")
        if not isinstance(metadata, dict) or not has_text(metadata.get("sections")):
            return draft.skipped("the parsed paper has no section with text")
        title, text = markdown_of(metadata, record, draft)
        return draft.paper(text, title, _labels(record, pair, draft))

    def _object(self, found: Found, draft: Draft) -> dict[str, Any]:
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
        draft.note(*notes)
        return value


def _labels(record: Mapping[str, Any], pair: _Pair, draft: Draft) -> Labels:
    own, note = as_id(record.get("id"))
    draft.note(note)
    if own and own != pair.stem:
        draft.note(f"the file's own id is {own[:80]!r}; the file name counts")
    accepted = record.get("accepted")
    decision = read_decision(accepted)
    if isinstance(accepted, bool):
        decision = Decision(accepted, f"accepted: {'true' if accepted else 'false'}")
    low, high = _SCALES.get(pair.venue.split("_")[0], (None, None))
    scores = Scores(low, high)
    _add_reviews(record.get("reviews"), scores, draft)
    scale = pair.venue.replace("_", "-") + (f"-{low:g}-{high:g}" if low and high else "")
    extra = {"venue": pair.venue, "split": pair.split}
    return draft.labels(
        decision, scores, scale, extra={k: draft.line(v, k) for k, v in extra.items()}
    )


def _add_reviews(reviews: object, scores: Scores, draft: Draft) -> None:
    """Add the ratings of ``reviews``; repeated and meta-reviews are left out with a note."""
    if not isinstance(reviews, list):
        if reviews is not None:
            draft.note("reviews is no list: no ratings")
        return
    seen: set[str] = set()
    repeated = meta = 0
    for number, review in enumerate(reviews, start=1):
        if not isinstance(review, dict):
            draft.note(f"review {number} is no object: left out")
            continue
        if any(review.get(key) for key in ("comments", "TITLE", "OTHER_KEYS")):
            content = json.dumps(review, sort_keys=True)
            if content in seen:
                repeated += 1
                continue
            seen.add(content)
        if review.get("IS_META_REVIEW") is True or review.get("is_meta_review") is True:
            meta += 1
            continue
        scores.add(
            review.get("RECOMMENDATION"),
            review.get("REVIEWER_CONFIDENCE"),
            f"review {number}: ",
        )
    if repeated:
        draft.note(f"{plural(repeated, 'review')} given twice: counted once")
    if meta:
        draft.note(f"{plural(meta, 'meta-review')}: not counted as ratings")
