"""The corpus `synthetic-syntheses`: generated answers to real questions from invented sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.model.paper import Labels, Paper
from revkit.model.values import Json
from revkit.options import option


@dataclass(frozen=True)
class SyntheticSyntheses(Corpus):
    """Short scientific syntheses with their question and the abstracts on which they are based.

    Thirty questions in six topics, with five invented sources each; a synthesis of 120 to 200 words
    reports four or five of them in one paragraph, with connectors and markers of provenance in one
    of three styles ("Lindqvist et al. (2014) found that", "(Paper 3)", "[3]"). Text i answers
    question i mod 30, so 60 texts are two different syntheses of each question, from the same
    sources. ``labels.topic`` is the topic; ``materials`` hold the question and the abstracts.

    Text i depends only on ``ctx.seed`` and i. Findings, people and figures are invented.
    """

    name: ClassVar[str] = "synthetic-syntheses"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("questions.toml",)
    count_: int = option(60, help="Number of syntheses.", minimum=1)

    @property
    def synthetic(self) -> bool:
        """True: a program made the papers and their labels."""
        return True

    def papers(self, ctx: Context) -> Iterator[Paper]:
        """Yield ``count`` syntheses; none is skipped."""
        for index in range(self.count_):
            yield self.paper(index, ctx.seed)

    def count(self) -> int:
        """Return the number of syntheses."""
        return self.count_

    def paper(self, index: int, seed: int) -> Paper:
        """Return synthesis ``index`` (from 0) of the unlimited series of ``seed``."""
        from revkit_yescieval.corpora.synthetic.writer import write_synthesis

        synthesis = write_synthesis(index, seed)
        extra: dict[str, Json] = {"style": synthesis.style, "sources-used": synthesis.used}
        return Paper(
            f"synthesis-{index:05d}",
            synthesis.text,
            synthesis.question,
            Labels(topic=synthesis.topic, extra=extra),
            source=f"synthetic-syntheses:{seed}",
            materials=synthesis.materials,
        )
