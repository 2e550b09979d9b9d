"""Citation injection: add 3-5 real references on the paper's topic that the paper does not need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from revkit.contracts import Context, Perturbation, ServiceName
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model import Check, Edit, Paper, Part, Rejection
from revkit.model.records import Expectation
from revkit.model.values import Json
from revkit.options import option, options_of

if TYPE_CHECKING:
    from revkit_robustrev.citation_library import Library
    from revkit_robustrev.citation_matching import Floors, Nearness
    from revkit_robustrev.citation_pool import Pool

Source = Literal["pool", "corpus", "search"]


@dataclass(frozen=True)
class CitationInjection(Perturbation):
    """Adds a few real references on the paper's topic, as citation markers in its prose and as
    entries.

    From *ROBUST-REV*, section 3: "Add 3-5 plausible citations from a curated pool of real,
    on-topic papers, without changing claims". The new works support nothing that the paper did not
    already say. An agent that counts citations moves; a careful reader may notice a work that he
    would not have cited there, so a fair score may get lower.

    Where: right after the name of a subject ("machine translation"), its short form in brackets or
    a general head of it ("policy gradient methods"), without a marker. First mentions come first;
    the name of a whole field ("deep learning") gets a work where nothing else fits as well, and
    never at the end of a statement. Never in a sentence about the paper itself, never where a
    finding is reported, something is measured, or authors are named, and never where the next words
    restrict the name ("sharing that ...").

    Which work: one that is cited for this subject, by the list of the built-in pool, by two other
    papers of the corpus, or by one of them where the subject makes up two fifths of its title. The
    sentence must be near to the title or to a sentence that cites the work, ``floor`` or more: by
    cosine of the run's embedder, or by the share of words in common. A work that the paper already
    cites, that is the paper itself, that is newer than the paper's newest reference, or whose first
    author and year would be mistaken for another entry's, is left out. No place gets more than two.

    Sources: the pool, the reference lists of the other papers of the corpus (works that are read
    from an entry beyond doubt), and the run's searcher.

    Marks are written in the paper's own style of marks, and one entry in the list's own format: at
    its alphabetical place in an unnumbered list that is sorted, else at the end under the next free
    number. Venues have the name that they had in that year. No number or entry that was there
    changes. Every edit inserts; none replaces or removes. A paper is rejected where it has no
    reference list, where its list and its marks cannot be matched (numbered marks over a list
    without numbers, footnote references, keys in brackets), or where too few works fit.

    Raises `revkit.errors.RunError` where the pool cannot be read.
    """

    needs: ClassVar[tuple[Part, ...]] = ("headings", "references")
    name: ClassVar[str] = "citation-injection"
    version: ClassVar[str] = "5"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "pool.jsonl",
        "subjects.tsv",
        "venue-names.tsv",
        "revkit.english:stop-words.tsv",
    )

    count: tuple[int, int] = option(
        (3, 5), help="least and most references to add; drawn for each paper", minimum=1, maximum=50
    )
    pool: str | None = option(
        None,
        help="path of a pool of real references in JSON Lines, or package:NAME/FILE (default: the "
        "built-in pool)",
    )
    sources: tuple[Source, ...] = option(
        ("pool", "corpus"),
        later=True,
        help="where works come from: the pool, the reference lists of the other papers of the "
        "corpus, the searcher of the run",
    )
    nearness: Literal["words", "embedding"] = option(
        "words",
        later=True,
        help="how a sentence is compared with a work; embedding needs an embedder",
    )
    floor: float | None = option(
        None,
        later=True,
        help="least nearness of a sentence to a work (default: 0.3 by embedding; 0.2 by words, but "
        "0 for a work that the list of the pool names for the subject)",
        minimum=0,
        maximum=1,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if self.count[0] > self.count[1]:
            problems.append(("count", "the first number must not exceed the second"))
        if not self.sources:
            problems.append(("sources", "name at least one source"))
        if problems:
            raise OptionError(self.name, problems)
        services: dict[str, ServiceName] = {"corpus": "corpus", "search": "searcher"}
        uses = [services[source] for source in self.sources if source in services]
        if self.nearness == "embedding":
            uses.append("embedder")
        object.__setattr__(self, "uses", tuple(uses))

    def identity(self) -> Json:
        """Return the options, with the SHA-256 of the pool's bytes instead of its path."""
        return {**options_of(self), "pool": self._works.digest}

    @cached_property
    def _works(self) -> Pool:
        from revkit_robustrev.citation_pool import read_pool

        return read_pool(self.pool)

    def _library(self, ctx: Context) -> Library:
        from revkit_robustrev.citation_library import library

        peers = ctx.peers() if "corpus" in self.sources else ()
        return library(self._works if "pool" in self.sources else None, peers)

    def _nearness(self, ctx: Context) -> tuple[Nearness, Floors]:
        """How texts are compared, and the floors."""
        from revkit_robustrev.citation_matching import Floors, by_words

        if self.nearness == "words":
            default = Floors(0.0, 0.2)
            return by_words, default if self.floor is None else Floors(self.floor, self.floor)

        def near(pairs: Sequence[tuple[str, str]]) -> list[float]:
            texts = list(dict.fromkeys(text for pair in pairs for text in pair))
            if not texts:
                return []
            vectors = dict(zip(texts, ctx.embed(texts), strict=True))
            return [float(vectors[one] @ vectors[other]) for one, other in pairs]

        floor = 0.3 if self.floor is None else self.floor
        return near, Floors(floor, floor)

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return insertions of marks and entries, or why the paper cannot take them."""
        from revkit_robustrev.citation_edits import insertions  # with all patterns

        search = ctx.search if "search" in self.sources else None
        return insertions(
            paper, lambda: self._library(ctx), search, self._nearness(ctx), self.count, ctx.rng
        )

    def units(self, paper: Paper, edits: Sequence[Edit]) -> Sequence[Sequence[Edit]]:
        """Return marks with the entries of their works: those that share a work are one group."""
        groups: list[tuple[list[Edit], set[str]]] = []
        for edit in edits:
            own, works = [edit], set(edit.about)
            apart = []
            for group in groups:
                if works & group[1]:
                    own, works = [*group[0], *own], works | group[1]
                else:
                    apart.append(group)
            groups = [*apart, (own, works)]
        return [sorted(own) for own, _ in groups]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Check the number of references, that marks and entries match, and that all else stays.

        The edited text is parsed again: exactly the new works must have come to its citations and
        to its reference list.
        """
        from revkit_robustrev.citation_edits import injection_checks

        return injection_checks(paper, edits, self._library(ctx), self.count)
