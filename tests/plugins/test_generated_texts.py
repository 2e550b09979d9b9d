"""The generated papers and syntheses are byte for byte those that stored results rest on."""

from __future__ import annotations

import hashlib
import random

from revkit_asc.simulation.prose import NUMBERS, aspects, clusters
from revkit_asc.simulation.writer import write_manuscript
from revkit_corpora.synthetic import Synthetic
from revkit_reviewbench.corpora.synthetic.writer import write_papers
from revkit_yescieval.corpora.synthetic.writer import write_synthesis


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_papers_of_the_synthetic_corpus() -> None:
    papers = [Synthetic(papers_=40).paper(index, 7) for index in range(40)]
    text = "".join(f"{paper.title}{paper.text}" for paper in papers)
    assert digest(text) == "b6c00ac480f44c39"


def test_simulated_manuscripts() -> None:
    texts = []
    for index in range(60):
        rng = random.Random(index)
        flaws = {aspect.name: rng.randrange(3) for aspect in aspects()}
        written = write_manuscript(clusters()[index % 7], flaws | {NUMBERS: rng.randrange(3)}, rng)
        texts.append(written.title + written.text)
    assert digest("".join(texts)) == "65bb9baec455a254"


def test_papers_of_the_synthetic_bench() -> None:
    assert digest("".join(paper.text for paper in write_papers())) == "8ba456e240567e42"


def test_synthetic_syntheses() -> None:
    texts = [write_synthesis(index, index % 3).text for index in range(60)]
    assert digest("".join(texts)) == "10b597ae6b46505b"
