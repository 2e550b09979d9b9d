"""Corpora: the benchmark built from human reviews, a synthetic benchmark, and the reviews of a
run.
"""

from __future__ import annotations

from revkit.contracts import Corpus
from revkit_reviewbench.corpora.review_bench import ReviewBench
from revkit_reviewbench.corpora.reviews_of_run import ReviewsOfRun
from revkit_reviewbench.corpora.synthetic import SyntheticBench

CORPORA: tuple[type[Corpus], ...] = (ReviewBench, ReviewsOfRun, SyntheticBench)

__all__ = ["CORPORA", "ReviewBench", "ReviewsOfRun", "SyntheticBench"]
