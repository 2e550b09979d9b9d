"""YESciEval's heuristics: all eighteen on 1,000 syntheses of about 200 words within 10 s.

Measured on one core, in the order of a run (one text, all perturbations); two cores share it.
"""

from __future__ import annotations

import time

from benchmarks.measure import table
from revkit import Paper, Perturbation, Rejection
from revkit.contracts import Context, Peer, Services
from revkit.registry import load_registry
from revkit.testing import context

RUBRICS = (
    "cohesion",
    "conciseness",
    "readability",
    "coherence",
    "integration",
    "relevancy",
    "correctness",
    "completeness",
    "informativeness",
)


def syntheses(count: int = 1000, words: int = 200) -> list[Paper]:
    """Generated syntheses, each followed by sentences of the next one up to ``words`` words."""
    corpus = load_registry().get("corpus", "synthetic-syntheses").component(count_=count)  # type: ignore[call-arg]
    made = [paper for paper in corpus.papers(context(seed=7)) if isinstance(paper, Paper)]  # type: ignore[attr-defined]
    texts = []
    for number, paper in enumerate(made):
        text, after = paper.text, made[(number + 1) % len(made)]
        for sentence in after.sentences:
            if len(text.split()) >= words:
                break
            text += " " + after.text[sentence.start : sentence.end]
        texts.append(Paper(paper.id, text, labels=paper.labels, materials=paper.materials))
    return texts


def main() -> None:
    """Measure and print."""
    papers = syntheses()
    peers = tuple(Peer(paper.blind(), paper.labels.topic) for paper in papers)
    services = Services(peers=lambda: peers)
    registry = load_registry()
    spent: dict[tuple[str, str], float] = {}
    made: dict[tuple[str, str], int] = {}
    fresh = [Paper(p.id, p.text, materials=p.materials) for p in papers]
    for number, paper in enumerate(fresh):
        for rubric in RUBRICS:
            for level in ("subtle", "extreme"):
                family = registry.get("perturbation", rubric).component(level=level)  # type: ignore[call-arg]
                assert isinstance(family, Perturbation)
                ctx = Context(number, services, family.uses)
                started = time.process_time()
                edits = family.perturb(paper, ctx)
                key = (rubric, level)
                spent[key] = spent.get(key, 0.0) + time.process_time() - started
                made[key] = made.get(key, 0) + (not isinstance(edits, Rejection))
    words = sum(paper.words for paper in papers) / len(papers)
    rows = [
        (rubric, level, f"{words:.0f}", made[rubric, level], f"{1000 * seconds / len(papers):.2f}")
        for (rubric, level), seconds in spent.items()
    ]
    rows.append(("all", "", f"{words:.0f}", sum(made.values()), f"{sum(spent.values()):.2f} s"))
    table(("rubric", "level", "words a text", "variants", "CPU ms a text"), rows)
