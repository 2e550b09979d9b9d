"""The families edit English only, and state this for a paper in another language."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import revkit
from revkit.contracts import Perturbation
from revkit.model import Paper, Rejection
from revkit.testing import context
from revkit_robustrev.citation_injection import CitationInjection
from revkit_robustrev.hedging import Hedging
from revkit_robustrev.length import Length
from revkit_robustrev.paraphrase import Paraphrase
from revkit_robustrev.prose import refuse_other_language

ABSTRACT = "The gates of the towns are old."
GERMAN = (
    "Wir zählen die Tore von zwölf Städten. Die Ergebnisse zeigen, dass in alten Städten mehr "
    "Tore vorhanden sind, als man bisher annahm. Das Verfahren ist einfach und an vielen Orten "
    "anwendbar, und es braucht nur wenige Messungen."
)
DUTCH = (
    "Wij tellen de poorten van twaalf steden. De resultaten laten zien dat er in oude steden meer "
    "poorten zijn dan tot nu toe werd aangenomen. De methode is eenvoudig en op veel plaatsen te "
    "gebruiken, en zij vraagt maar weinig metingen."
)
JAPANESE = "本研究では十二の町の門を数える。古い町には多くの門がある。" * 4
ENTRIES = "\n\n## References\n\n[1] A. Marsh. Gates of towns. 1999.\n"
FAMILIES = [CitationInjection(), Hedging(), Length(), Paraphrase()]


def paper(body: str) -> Paper:
    text = f"# Gates\n\n## Abstract\n\n{ABSTRACT}\n\n## 1 Text\n\n{body} [1]{ENTRIES}"
    return Paper("gates", text, "Gates")


@pytest.mark.parametrize("body", [GERMAN, DUTCH, JAPANESE])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_paper_in_another_language_is_declined_as_such(family: Perturbation, body: str) -> None:
    made = family.perturb(paper(body), context())
    assert made == Rejection("the text is not English")


def test_english_papers_and_papers_without_prose_are_not_refused() -> None:
    assert refuse_other_language(paper(ABSTRACT * 3)) is None
    assert refuse_other_language(Paper("t", "$$ x = y $$")) is None


def test_the_warning_states_the_most_frequent_reason(tmp_path: Path) -> None:
    papers = [paper(GERMAN).text, paper(DUTCH).text, paper(ABSTRACT).text]
    run = revkit.run(
        papers=papers,
        agents={"mine": "evidence-weigher"},
        perturbations=["paraphrase"],
        out=tmp_path / "run",
        store=tmp_path / "store.sqlite",
        reports=["terminal"],
    )
    reasons = Counter(row.rejected for row in run.records.variants)
    assert reasons["the text is not English"] == 2
    text = " ".join(run.summary.split())
    assert "rejected. The most frequent reason (2): the text is not English." in text
