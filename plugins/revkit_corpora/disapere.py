"""DISAPERE: reviews of ICLR 2019 and 2020 with sentences labelled by annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import CorpusFile, find_files
from revkit.model.paper import Skipped
from revkit.model.values import Json
from revkit.options import option
from revkit.venues import Record, as_id, records
from revkit_corpora.mred import InfoRow, read_info
from revkit_corpora.review_sets import ReviewSet, SetPaper, SetReview

_NONE = ("", "none", None)


@dataclass(frozen=True)
class Disapere(ReviewSet):
    """DISAPERE (Kennard et al., NAACL 2022): ``path`` is a folder of its JSON files, one for each
    review.

    A paper is all reviews of one forum, in the order of their file names; a review that is there
    twice counts once, with a note. The data set holds neither texts of papers nor decisions:
    ``texts`` gives the texts, ``info`` the decisions, from MReD's table of the same papers. Replies
    of authors are not read.

    Measures of a review, by sentences: ``sentences``; ``evaluative``, ``request``, ``fact`` and
    ``structuring``, the shares with that review action; ``positive`` and ``negative``, the shares
    with that polarity; ``aspects``, how many of the eight aspects occur, and ``aspect-NAME``, the
    share with an aspect.
    """

    name: ClassVar[str] = "disapere"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    paths: ClassVar[tuple[str, ...]] = ("path", "texts", "info")

    info: str = option("", help="MReD's full_data_info.txt, for the decisions; empty: none.")

    def files(self) -> Sequence[CorpusFile]:
        info = self._info
        return [*self._reviews_files(), *([CorpusFile(info, info.name)] if info else [])]

    def _reviews_files(self) -> list[CorpusFile]:
        return find_files(self.root, (".json",))

    @property
    def _info(self) -> Path | None:
        if not self.info:
            return None
        path = Path(self.info).expanduser()
        if not path.is_file():
            raise RunError(f"{self.name}: {path} is not a file; correct the option info")
        return path

    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        info = self._info
        rows = read_info(info) if info else {}
        papers: dict[str, SetPaper] = {}
        for found in self._reviews_files():
            for record in records(found, self.max_bytes, alone=False):
                read = record if isinstance(record, Skipped) else _review(record)
                if isinstance(read, Skipped):
                    yield read
                else:
                    _add(papers, *read, record)
        for paper in papers.values():
            yield _decided(paper, rows.get(paper.id))


def _review(record: Record) -> tuple[SetPaper, SetReview] | Skipped:
    """Return the paper of a file with its one review."""
    value = record.value
    about = value.get("metadata")
    sentences = value.get("review_sentences")
    if not isinstance(about, Mapping) or not isinstance(sentences, list):
        return Skipped(record.source, "no metadata or no review_sentences", record.source)
    forum, _ = as_id(about.get("forum_id"))
    review, _ = as_id(about.get("review_id"))
    if not forum or not review:
        return Skipped(record.source, "no forum_id or no review_id", record.source)
    rows = [row for row in sentences if isinstance(row, Mapping)]
    text = "".join(f"{row.get('text', '')}{row.get('suffix') or ' '}" for row in rows)
    found = SetReview(
        review, {"review": text.strip()}, about.get("rating"), None, False, _measures(rows)
    )
    conference = str(about.get("conference") or "")
    venue = f"{conference[:4]} {conference[4:]}" if conference.startswith("ICLR") else conference
    title = str(about.get("title") or "")
    return SetPaper(forum, record.source, title, venues=(venue,) if venue else ()), found


def _measures(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    if not rows:
        return {}
    count = len(rows)

    def share(key: str, value: str) -> float:
        return sum(1 for row in rows if row.get(key) == value) / count

    aspects = sorted({str(row.get("aspect")) for row in rows if row.get("aspect") not in _NONE})
    found = {"sentences": float(count), "aspects": float(len(aspects))}
    for action in ("evaluative", "request", "fact", "structuring"):
        found[action] = share("review_action", f"arg_{action}")
    for polarity in ("positive", "negative"):
        found[polarity] = share("polarity", f"pol_{polarity}")
    for aspect in ("clarity", "meaningful-comparison", "motivation-impact", "originality",
                   "replicability", "soundness-correctness", "substance"):  # fmt: skip
        found[f"aspect-{aspect}"] = share("aspect", f"asp_{aspect}")
    return found


def _add(papers: dict[str, SetPaper], paper: SetPaper, review: SetReview, record: Any) -> None:
    known = papers.setdefault(paper.id, paper)
    if any(each.id == review.id for each in known.reviews):
        note = f"review {review.id} occurs twice: counted once"
        papers[paper.id] = replace(known, notes=(*known.notes, note))
        return
    notes = tuple(dict.fromkeys((*known.notes, *record.notes)))
    papers[paper.id] = replace(known, reviews=(*known.reviews, review), notes=notes)


def _decided(paper: SetPaper, row: InfoRow | None) -> SetPaper:
    if row is None:
        return paper
    extra: dict[str, Json] = {**paper.extra, "split": row.split}
    return replace(paper, decision=row.decision, extra=extra)
