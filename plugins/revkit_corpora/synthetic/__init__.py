"""The corpus `synthetic`: generated papers whose quality is known."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.model.paper import Labels, Paper
from revkit.options import option


@dataclass(frozen=True)
class Synthetic(Corpus):
    """Generated papers with known quality, decision, severity, tier and topic, in Markdown.

    Each has the usual sections, a formula, at least one result table whose numbers the text
    reports, citation marks (numbered or author-year) and a reference list that agree, in 500 to 800
    words of prose. ``labels.quality`` is drawn evenly from [0, 1]. It shows in the evidence
    (baselines, datasets, repeated runs, spread, gain over noise, ablation, limitations, claims
    without a row), and ``severity`` is what is missing of it, ``100 * (1 - quality)``. Tiers are
    the quarters of severity: none, minor, major, reject; the first two are accepted. ``ratings``
    are three simulated human scores on 1-10. What is drawn apart from quality (number of
    references, length of paragraphs, hedging, vocabulary, citation style) is in
    ``labels.extra`` beside the evidence.

    Paper i depends on ``ctx.seed`` and i alone. Methods, datasets, people and cited works are
    invented; every cited work names the "Synthetic Workshop" as its venue.
    """

    name: ClassVar[str] = "synthetic"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("sentences.txt", "topics.toml")
    papers_: int = option(150, help="Number of papers.", minimum=1)
    label_noise: float = option(
        0.0,
        help="Share of papers whose decision is inverted, to simulate human errors.",
        minimum=0,
        maximum=0.5,
    )

    @property
    def synthetic(self) -> bool:
        """True: a program made the papers and their labels."""
        return True

    def papers(self, ctx: Context) -> Iterator[Paper]:
        """Yield ``papers`` papers; none is skipped."""
        for index in range(self.papers_):
            yield self.paper(index, ctx.seed)

    def count(self) -> int:
        """The number of papers."""
        return self.papers_

    def paper(self, index: int, seed: int) -> Paper:
        """Return paper ``index`` (from 0) of the endless series for ``seed``."""
        from revkit_corpora.synthetic.latent import draw_latent
        from revkit_corpora.synthetic.topics import vocabulary
        from revkit_corpora.synthetic.writer import write_paper

        rng = random.Random(f"{seed}:{index}")
        topic = rng.choice(vocabulary().topics)
        latent = draw_latent(rng)
        title, text = write_paper(topic, latent, rng)
        turned = rng.random() < self.label_noise
        accept = (latent.tier in ("none", "minor")) != turned
        ratings = (1.0 + 9.0 * (latent.quality + rng.gauss(0.0, 0.1)) for _ in range(3))
        labels = Labels(
            accept=accept,
            decision="accept" if accept else "reject",
            ratings=tuple(float(round(min(10.0, max(1.0, rating)))) for rating in ratings),
            rating_scale="synthetic-1-10",
            confidences=(None, None, None),
            severity=latent.severity,
            tier=latent.tier,
            topic=topic.name,
            quality=latent.quality,
            extra={
                "turned": turned,
                "style": asdict(latent.style),
                "evidence": asdict(latent.evidence),
            },
        )
        return Paper(f"synthetic-{index:05d}", text, title, labels, source=f"synthetic:{seed}")
