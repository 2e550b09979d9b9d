"""Create the training examples of one paper of the corpus, or state why it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import describe_error
from revkit.model.paper import Paper
from revkit.model.training import TrainingExample
from revkit.model.values import Json, canonical_json, digest_of, uniform_of
from revkit.model.variant import Rejection
from revkit_training.bench import Bench, Comparison, text_key, title_key
from revkit_training.conversations import ConversationFile, StoredConversation
from revkit_training.markers import marker_in
from revkit_training.near_duplicates import words_of
from revkit_training.reviews import Which, reviews_of


@dataclass(frozen=True, slots=True)
class Example:
    """One conversation: its paper, the number of the review, and notes."""

    paper: str
    review: int
    stored: StoredConversation
    characters: int
    bytes: int
    notes: tuple[str, ...]


@dataclass(slots=True)
class PaperSource:
    """The result for one paper. ``skipped`` lists the reviews without an example: number, reason,
    detail.
    """

    id: str
    digest: str
    text_key: str
    title_key: str
    compared: Comparison
    reviews: int = 0
    examples: list[Example] = field(default_factory=list)
    skipped: list[tuple[int, str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Maker:
    """Creates the training examples of papers for one agent."""

    agent: Agent
    context_of: Callable[[Paper], Context]
    which: Which
    bench: Bench
    stored: ConversationFile

    def of(self, paper: Paper) -> PaperSource:
        """Compare ``paper`` with the benchmark, and create its examples if it is not in the
        benchmark.
        """
        words = words_of(paper.text)
        source = PaperSource(
            paper.id,
            paper.digest,
            text_key(words),
            title_key(paper.title, paper.text),
            self.bench.compare(paper, words),
        )
        if source.compared.match is None:
            self._examples(paper, source)
        return source

    def _examples(self, paper: Paper, source: PaperSource) -> None:
        reviews = reviews_of(paper.labels, self.which)
        source.reviews = len(reviews)
        blind = paper.blind()
        ctx = self.context_of(paper)
        seen: set[str] = set()
        for number, review in enumerate(reviews, 1):
            made = self._make(blind, review, ctx)
            if isinstance(made, tuple):
                source.skipped.append((number, *made))
                continue
            kept = self.stored.put(made.messages)
            if kept.digest in seen:
                source.skipped.append((number, "the same example twice", ""))
                continue
            seen.add(kept.digest)
            texts = [each.content for each in made.messages]
            source.examples.append(
                Example(
                    paper.id,
                    number,
                    kept,
                    sum(map(len, texts)),
                    sum(len(text.encode("utf-8", "replace")) for text in texts),
                    made.notes,
                )
            )

    def _make(
        self, paper: Paper, review: Mapping[str, Json], ctx: Context
    ) -> TrainingExample | tuple[str, str]:
        try:
            made = self.agent.training_example(paper, review, ctx)
        except Exception as error:  # any error of a plugin is a recorded outcome
            return "crashed", describe_error(error).strip().splitlines()[0][:300]
        if isinstance(made, Rejection):
            return made.reason or "rejected without a reason", ""
        if not isinstance(made, TrainingExample) or not _teaches(made):
            return "not a conversation that ends with the reply", ""
        *asked, reply = made.messages
        for place, turns in (("paper or instructions hold", asked), ("review holds", [reply])):
            for turn in turns:
                marker = marker_in(turn.content)
                if marker is not None:
                    return f"{place} a marker of a chat template", marker
        return made


def _teaches(made: TrainingExample) -> bool:
    roles = [each.role for each in made.messages]
    texts = all(isinstance(each.content, str) and each.content for each in made.messages)
    return texts and len(roles) > 1 and roles[-1] == "assistant" and roles[-2] == "user"


def without_copies(
    sources: Sequence[PaperSource],
) -> tuple[list[PaperSource], list[tuple[PaperSource, str]]]:
    """Return one source for each text, and the copies with the id of that source. The source whose
    id sorts first is used, so that the order of the corpus does not matter.
    """
    kept: dict[str, PaperSource] = {}
    copies = []
    for source in sorted(sources, key=lambda each: (each.id, each.digest)):
        first = kept.setdefault(source.text_key, source)
        if first is not source:
            copies.append((source, first.id))
    return list(kept.values()), copies


def is_for_validation(source: PaperSource, seed: int, share: float) -> bool:
    """Return whether a paper is in the validation set: drawn from the seed and its title (its text
    if it has no title), so that two versions of a paper are in the same split.
    """
    return _draw([seed, "validation", source.title_key or source.text_key]) < share


def shuffle(sources: Sequence[PaperSource], seed: int) -> Iterator[Example]:
    """Return all examples, shuffled by paper; the order depends only on seed and content."""
    for source in sorted(sources, key=lambda each: (_draw([seed, each.digest]), each.digest)):
        yield from sorted(source.examples, key=lambda each: each.stored.digest)


def _draw(parts: Sequence[Json]) -> float:
    return uniform_of(canonical_json(parts).encode())


def digest_of_sources(sources: Sequence[PaperSource]) -> str:
    """Return the SHA-256 of the papers by id and content, independent of order."""
    return digest_of(sorted([each.id, each.digest] for each in sources))
