"""The corpora of YESciEval: its published data, and generated syntheses."""

from __future__ import annotations

from revkit.contracts import Corpus
from revkit_yescieval.corpora.synthetic import SyntheticSyntheses
from revkit_yescieval.corpora.yescieval import YESciEval

CORPORA: tuple[type[Corpus], ...] = (SyntheticSyntheses, YESciEval)

__all__ = ["CORPORA", "SyntheticSyntheses", "YESciEval"]
