"""NLPeer: papers of several venues as graphs of nodes, with reviews in a common form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import CorpusFile, Unreadable, decoded, files_under, read_bytes
from revkit.model.paper import Skipped
from revkit.model.values import Json
from revkit.options import option, unknown_name
from revkit.venues import TEXTS, Malformed, fields_of, parse
from revkit_corpora.review_sets import ReviewSet, SetPaper, SetReview

# The venue whose form the reviews of a data set have, by the beginning of its folder's name.
_VENUES = (
    ("ARR", "ARR"),
    ("PeerRead-ACL2017", "acl_2017"),
    ("PeerRead-CONLL2016", "conll_2016"),
    ("COLING2020", "coling_2020"),
    ("F1000", "f1000_2022"),
)
# Scores of F1000, which are words, as NLPeer's own reader maps them.
_WORDS = {"approve": 2.0, "approve-with-reservations": 1.0, "reject": 0.0}
_OVERALL = ("overall", "overall_assessment", "recommendation", "rating")
_CONFIDENCE = ("confidence", "reviewer_confidence")
_PAPER, _REVIEWS, _META = "paper.itg.json", "reviews.json", "meta.json"
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class NLPeer(ReviewSet):
    """NLPeer (Dycke et al., ACL 2023): ``path`` is its folder, or the folder of one of its data
    sets (ARR-22, F1000, COLING2020, PeerRead-ACL2017, PeerRead-CONLL2016).

    A paper is a folder ``DATASET/data/ID/vN`` with ``paper.itg.json``, ``reviews.json`` and
    ``meta.json``; its id is ID, led by the data set where there are several. The text is built from
    the nodes of the graph in the order of its "next" edges: title, abstract, headings, paragraphs,
    lists, tables and formulas as text, bibliography as a numbered list. Ratings are the score
    ``overall``, on the scale that NLPeer states for the data set; those of F1000 are words, read as
    0 (reject), 1 (approve with reservations) and 2 (approve). Of other data sets, such as those of
    version 2 of NLPeer, the scale is not known: declare it. There are no decisions.

    No file of NLPeer was at hand: the reader follows the published description of the format.
    """

    name: ClassVar[str] = "nlpeer"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)

    version_: int = option(1, help="Which version of each paper.", minimum=1)
    dataset: str = option("", help='One data set by its folder, such as "ARR-22"; empty: all.')

    def files(self) -> Sequence[CorpusFile]:
        return [file for each in self._folders().values() for file in each.values()]

    def count(self) -> int | None:
        return len(self._folders()) if self.items == "papers" else None

    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        folders = self._folders()
        several = len({dataset for dataset, _ in folders}) > 1
        for (dataset, id_), found in folders.items():
            yield self._load(dataset, f"{dataset}/{id_}" if several else id_, id_, found)

    def _folders(self) -> dict[tuple[str, str], dict[str, CorpusFile]]:
        """Return the files of each paper by name, grouped by data set and id."""
        root, wanted = self.root, f"v{self.version_}"
        found: dict[tuple[str, str], dict[str, CorpusFile]] = {}
        for file in (
            files_under(root, (_PAPER, _REVIEWS, _META), outside=False) if root.is_dir() else ()
        ):
            folder = file.path.parent
            if folder.name == wanted and folder.parent.parent.name == "data":
                dataset = folder.parent.parent.parent.resolve().name
                found.setdefault((dataset, folder.parent.name), {})[file.path.name] = file
        names = sorted({dataset for dataset, _ in found})
        if not found:
            raise RunError(
                f"{self.name}: {root} contains no paper as DATASET/data/ID/{wanted}; correct path "
                "or version"
            )
        if self.dataset and self.dataset not in names:
            raise RunError(f"{self.name}: {unknown_name('dataset', self.dataset, names)}")
        return {key: files for key, files in sorted(found.items()) if self.dataset in ("", key[0])}

    def _load(
        self, dataset: str, id_: str, stem: str, found: Mapping[str, CorpusFile]
    ) -> SetPaper | Skipped:
        source = next(iter(found.values())).name.rpartition("/")[0]
        try:
            values = {name: self._value(file) for name, file in found.items()}
        except Unreadable as error:
            return Skipped(id_, str(error), source)
        meta = values.get(_META)
        about: Mapping[str, Any] = meta if isinstance(meta, Mapping) else {}
        title, text = _text(values.get(_PAPER))
        if _PAPER in found and not text:
            return Skipped(id_, f"{_PAPER} contains no node with text", source)
        reviews = values.get(_REVIEWS)
        listed = reviews if isinstance(reviews, list) else []
        extra: dict[str, Json] = {"dataset": dataset}
        if isinstance(about.get("license"), str):
            extra["license"] = str(about["license"])[:200]
        venue = next((to for name, to in _VENUES if dataset.startswith(name)), "")
        return SetPaper(
            id_,
            source,
            str(about.get("title") or title),
            text,
            str(about.get("abstract") or ""),
            (venue,) if venue else (),
            None,
            tuple(
                _review(number, each, dataset)
                for number, each in enumerate(listed, 1)
                if isinstance(each, Mapping)
            ),
            extra,
            () if _REVIEWS in found else (f"no {_REVIEWS}: no labels",),
            (stem,),
        )

    def _value(self, file: CorpusFile) -> Any:
        try:
            return parse(decoded(read_bytes(file.path, self.max_bytes)).removeprefix("\ufeff"))[0]
        except Malformed as error:
            raise Unreadable(f"{file.name}: malformed JSON at {error}") from None


def _review(number: int, value: Mapping[str, Any], dataset: str) -> SetReview:
    report, scores = value.get("report"), value.get("scores")
    fields = dict(report) if isinstance(report, Mapping) else {"review": report}
    if "main" in fields:
        fields["review"] = fields.pop("main")
    texts = {str(key): text for key, text in fields.items() if isinstance(text, str)}
    others = [key for key in texts if not any(fields_of({key: "text"})[name] for name in TEXTS)]
    more = [f"{key}:\n{texts.pop(key)}" for key in others]
    if more:
        texts["review"] = "\n\n".join(filter(None, (texts.get("review", ""), *more)))
    given = scores if isinstance(scores, Mapping) else {}
    rating = next((given[name] for name in _OVERALL if given.get(name) is not None), None)
    if dataset.startswith("F1000") and isinstance(rating, str):
        rating = _WORDS.get(rating.strip().casefold(), rating)
    sure = next((given[name] for name in _CONFIDENCE if given.get(name) is not None), None)
    own = value.get("rid")
    return SetReview(str(own) if isinstance(own, str | int) else str(number), texts, rating, sure)


def _text(graph: Any) -> tuple[str, str]:
    """Return the title and the text of a paper's graph."""
    if not isinstance(graph, Mapping):
        return "", ""
    nodes = [node for node in _list(graph.get("nodes")) if isinstance(node, Mapping)]
    kinds = {_kind(node) for node in nodes}
    # In the graphs of F1000 "title" is the heading of a section.
    head = "article-title" if "article-title" in kinds else "title"
    title, parts, works = "", [], 0
    for node in _ordered(nodes, _list(graph.get("edges"))):
        kind, text = _kind(node), _SPACE.sub(" ", str(node.get("content") or "")).strip()
        if not text:
            continue
        if kind == head:
            title = title or text
            parts.append(f"# {text}")
        elif kind in ("heading", "title"):
            parts.append(f"## {text}")
        elif kind == "abstract":
            parts.append(text if _is_heading(parts, "abstract") else f"## Abstract\n\n{text}")
        elif kind in ("list_item", "item"):
            parts.append(f"- {text}")
        elif kind in ("bib_item", "ref"):
            works += 1
            if works == 1 and not _is_heading(parts, "references"):
                parts.append("## References")
            parts.append(f"[{works}] {text}")
        elif kind not in ("elem_reference", "bib_reference", "headnote", "media"):
            parts.append(text)
    return title, "\n\n".join(parts) + "\n" if parts else ""


def _is_heading(parts: Sequence[str], name: str) -> bool:
    return bool(parts) and parts[-1].casefold().lstrip("# ") == name


def _kind(node: Mapping[str, Any]) -> str:
    return str(node.get("ntype") or "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _ordered(nodes: list[Mapping[str, Any]], edges: list[Any]) -> list[Mapping[str, Any]]:
    """Return the nodes in the order of the "next" edges; in the listed order if these do not reach
    all nodes.
    """
    by_ix = {str(node.get("ix")): node for node in nodes}
    after = {
        str(edge.get("src_ix")): str(edge.get("tgt_ix"))
        for edge in edges
        if isinstance(edge, Mapping) and edge.get("etype") == "next"
    }
    starts = [ix for ix in by_ix if ix in after and ix not in set(after.values())]
    if len(starts) != 1:
        return nodes
    path, place = [starts[0]], starts[0]
    while (place := after.get(place, "")) in by_ix and len(path) < len(nodes):
        path.append(place)
    return [by_ix[ix] for ix in path] if len(set(path)) == len(nodes) else nodes
