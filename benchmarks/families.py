"""Perturbation families: papers of about 4,000 words per CPU second, parsing included."""

from __future__ import annotations

from benchmarks.measure import median_call, table
from revkit import Paper, Perturbation
from revkit.grammar import forget_parses, parser_available
from revkit.registry import load_registry
from revkit.testing import context

FAMILIES: dict[str, tuple[str, dict[str, object]]] = {
    "paraphrase, the table alone": ("paraphrase", {"parser": "never"}),
    "paraphrase, with the parser": ("paraphrase", {"parser": "required"}),
    "citation-injection": ("citation-injection", {}),
    "hedging, by words alone": ("hedging", {"parser": "never"}),
    "hedging, with the parser": ("hedging", {"parser": "required"}),
    "length": ("length", {}),
}


def long_papers(count: int = 8, words: int = 4000) -> list[str]:
    """Markdown papers of at least ``words`` words of prose, joined from generated sections."""
    corpus = load_registry().get("corpus", "synthetic").component(papers_=count * 12)  # type: ignore[call-arg]
    texts: list[str] = []
    body: list[str] = []
    total = 0
    references = ""
    for paper in corpus.papers(context(seed=7)):  # type: ignore[attr-defined]
        head, mark, tail = paper.text.partition("## References")
        body.append(head)
        references = mark + tail
        total += paper.words
        if total >= words:
            texts.append("\n\n".join(body) + references)
            body, total = [], 0
        if len(texts) == count:
            break
    return texts


def main() -> None:
    """Measure and print."""
    texts = long_papers()
    registry = load_registry()
    rows = []

    def parsed(text: str) -> Paper:
        paper = Paper("x", text)
        _ = paper.sentences, paper.citations, paper.references, paper.words
        return paper

    seconds = median_call(lambda: [parsed(text) for text in texts])
    mean_words = sum(Paper("x", text).words for text in texts) / len(texts)
    rows.append(
        (
            "parsing alone",
            f"{mean_words:.0f}",
            f"{1000 * seconds / len(texts):.1f}",
            f"{len(texts) / seconds:.0f}",
        )
    )
    for row, (name, options) in FAMILIES.items():
        if "required" in options.values() and not parser_available():
            continue
        family = registry.get("perturbation", name).component(**options)
        assert isinstance(family, Perturbation)

        def once(family: Perturbation = family) -> list[object]:
            forget_parses()
            return [
                family.perturb(Paper("x", text), context(seed=number))
                for number, text in enumerate(texts)
            ]

        seconds = median_call(once)
        rows.append(
            (
                row,
                f"{mean_words:.0f}",
                f"{1000 * seconds / len(texts):.1f}",
                f"{len(texts) / seconds:.0f}",
            )
        )
    table(("family", "words of prose", "CPU ms a paper", "papers per CPU s"), rows)
