"""Read a corpus once, draw anchors from it, and show its papers to components."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from revkit.contracts import Corpus, Peer
from revkit.errors import PaperError, RevkitError, RunError, describe_error
from revkit.execution.prose import NO_PROSE, HasProse, paper_has_prose
from revkit.execution.sampling import draw
from revkit.model.paper import Labels, Paper, Skipped, Unmapped
from revkit.model.rating_scale import RatingScale
from revkit.model.sample import Sample
from revkit.model.values import canonical_json, digest_of, is_number, uniform_of
from revkit.papers import hidden_text_notes
from revkit.spec import Experiment

_END = object()


def read_corpus(
    corpus: Corpus,
    source: Callable[[], Iterable[Paper | Skipped]],
    limit: int | None = None,
    sample: Sample | None = None,
    has_prose: HasProse | None = paper_has_prose,
) -> Iterator[Paper | Skipped]:
    """Yield the items of ``source``, up to ``limit`` papers; a second paper with the same id is
    skipped, and so is a paper without prose, unless the corpus has no texts.

    ``has_prose`` is None where an earlier run decided which papers have it. With a
    ``sample``, its papers are drawn from the whole corpus, and ``limit`` makes the sample smaller.
    Raises `RunError` where the corpus crashes or gives what no file of records can hold.
    """
    if not corpus.has_texts:
        has_prose = None
    if sample is None:
        items = _read(corpus, source, limit, has_prose)
    else:
        size = sample.n if limit is None else min(sample.n, limit)
        items = draw(_read(corpus, source, None, has_prose), replace(sample, n=size))
    return (_with_hidden_text(item) if isinstance(item, Paper) else item for item in items)


def _read(
    corpus: Corpus,
    source: Callable[[], Iterable[Paper | Skipped]],
    limit: int | None,
    has_prose: HasProse | None,
) -> Iterator[Paper | Skipped]:
    seen: dict[str, None] = {}
    iterator: Iterator[Paper | Skipped] | None = None
    while limit is None or len(seen) < limit:
        try:
            iterator = iterator or iter(source())
            item = next(iterator, _END)
            _check_record(item)
        except PaperError as error:
            last = f", the last of them {next(reversed(seen))!r}" if seen else ""
            raise RunError(
                f"corpus {corpus.name!r} made an invalid paper after {len(seen)} papers{last}: "
                f"{error}; the corpus has to yield a Skipped for such a record"
            ) from error
        except RevkitError:
            raise
        except (Exception, SystemExit) as error:
            raise RunError(
                f"corpus {corpus.name!r} crashed after {len(seen)} papers: {describe_error(error)}"
            ) from error
        if not isinstance(item, Paper | Skipped):
            return
        if isinstance(item, Skipped):
            yield item
        elif item.id in seen:
            yield Skipped(item.id, "duplicate id", item.source)
        elif has_prose is not None and not has_prose(item):
            yield Skipped(item.id, NO_PROSE, item.source)
        else:
            seen[item.id] = None
            yield item


def _with_hidden_text(paper: Paper) -> Paper:
    """Return the paper with notes on text that its reader does not see."""
    found = hidden_text_notes(paper.text)
    new = tuple(note for note in found if note not in paper.notes)
    return replace(paper, notes=(*paper.notes, *new)) if new else paper


def _check_record(item: object) -> None:
    """Raise if a corpus yields a value that a record file cannot contain."""
    if isinstance(item, Paper):
        for problem in _label_problems(item.labels):
            raise TypeError(f"paper {item.id!r}: {problem}")
        try:
            canonical_json([item.labels.to_json(), list(item.notes)])
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"paper {item.id!r}: its labels or notes are not JSON: {error}"
            ) from None
    elif item is not _END and not isinstance(item, Skipped):
        raise TypeError(f"expected a Paper or a Skipped, not {type(item).__name__}")


def _label_problems(labels: Labels) -> Iterator[str]:
    """Return the labels that do not have their declared type, because metrics and maps compute with
    them.
    """
    if not isinstance(labels, Labels):
        yield f"its labels must be Labels, not {type(labels).__name__}"
        return
    if labels.accept is not None and not isinstance(labels.accept, bool):
        yield f"accept must be true, false or None, not {labels.accept!r}"
    for name in ("decision", "rating_scale", "tier", "topic"):
        if not isinstance(value := getattr(labels, name), str):
            yield f"{name} must be text, not {value!r}"
    for name in ("ratings", "confidences"):
        if not isinstance(value := getattr(labels, name), tuple | list):
            yield f"{name} must be a tuple, not {value!r}"
            return
    if not isinstance(labels.extra, Mapping):
        yield f"extra must be a mapping, not {labels.extra!r}"
    if not isinstance(labels.scale, RatingScale | None):
        yield f"scale must be a RatingScale or None, not {labels.scale!r}"
    if not all(isinstance(each, Unmapped) for each in labels.unmapped):
        yield f"unmapped must be a tuple of Unmapped, not {labels.unmapped!r}"
    optional = {
        "severity": [labels.severity],
        "severity_se": [labels.severity_se],
        "quality": [labels.quality],
    }
    numbers = {**optional, "confidences": labels.confidences, "ratings": labels.ratings}
    for name, values in numbers.items():
        for value in values:
            if not (_is_number(value) or (value is None and name != "ratings")):
                yield f"{name} must be finite numbers, not {value!r}"


def _is_number(value: object) -> bool:
    if not is_number(value):
        return False
    return abs(value) <= sys.float_info.max


def set_aside(experiment: Experiment, paper: Paper) -> bool:
    """Return whether ``paper`` is one of the anchors that the experiment draws from its own corpus.

    Drawn by content, so copies of one text are on the same side and order changes nothing.
    """
    calibration = experiment.calibration
    if calibration is None or calibration.share is None:
        return False
    text = canonical_json([experiment.seed, "anchors", paper.digest])
    return uniform_of(text.encode()) < calibration.share


def digest_of_peers(rows: Iterable[tuple[str, str]]) -> str:
    """Return the SHA-256 of a corpus as its papers see each other: digests and topics, independent
    of order.

    Copies of one text are one peer, with the first of their topics by the alphabet.
    """
    topics: dict[str, str] = {}
    for digest, topic in rows:
        topics[digest] = min(topic, topics.get(digest, topic))
    return digest_of([list(row) for row in sorted(topics.items())])


class CorpusPapers:
    """The papers of a run without labels, sorted by digest; read on first use.

    Any thread may ask.
    """

    def __init__(
        self,
        experiment: Experiment,
        source: Callable[[], Iterable[Paper | Skipped]],
        has_prose: HasProse,
    ) -> None:
        self._experiment = experiment
        self._source = source
        self._has_prose = has_prose
        self._lock = threading.Lock()
        self._peers: tuple[Peer, ...] | None = None

    def __call__(self) -> Sequence[Peer]:
        with self._lock:
            if self._peers is None:
                experiment = self._experiment
                found: dict[str, Peer] = {}
                items = read_corpus(
                    experiment.corpus,
                    self._source,
                    experiment.limit,
                    experiment.sample,
                    self._has_prose,
                )
                for item in items:
                    if isinstance(item, Paper) and not set_aside(experiment, item):
                        topic = item.labels.topic
                        copy = found.get(item.digest)
                        if copy is None or topic < copy.topic:
                            found[item.digest] = Peer(item.blind(), topic)
                self._peers = tuple(found[digest] for digest in sorted(found))
            return self._peers

    @property
    def digest(self) -> str:
        """See `digest_of_peers`."""
        return digest_of_peers((peer.paper.digest, peer.topic) for peer in self())
