"""The papers that faults are planted in, and what a planted case is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from revkit.model.intake import clean_text
from revkit.model.paper import Paper

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
FOLDERS = (("markdown_papers", "*.md"), ("iclr2022_aiscientist/iclr_parsed", "*.txt"))
BEFORE = "The work is easy to follow and its motivation is sound."
AFTER = "Overall the topic fits the venue."


@dataclass(frozen=True)
class Case:
    """``statement`` is in a review of ``paper``; ``false`` says whether a fault was planted.

    ``form`` names how it was planted or disguised.
    """

    kind: str
    form: str
    paper: Paper
    statement: str
    false: bool

    @property
    def review(self) -> dict[str, str]:
        return {"weaknesses": f"{BEFORE} {self.statement} {AFTER}"}


SHORT = {
    "short-graphs": """# Pruning Messages in Graph Networks

## Abstract
We study which messages between nodes can be dropped without harm. Our rule keeps 61.4% of all
messages and loses 0.35 points of accuracy on Cora.

## 1 Introduction
Graph networks pass messages along every edge, although many edges carry little information. We ask
how many messages a trained network needs, and we find that a simple threshold is enough.

## 2 Related Work
Kipf and Welling (2017) introduced graph convolutions. Velickovic et al. (2018) weighted neighbours
by attention, which GraphSAGE replaces by sampling.

## 3 Method
### 3.1 Scoring messages
Each message receives a score that depends on the norms of both end points.
$$ s_{ij} = \\lVert h_i \\rVert \\lVert h_j \\rVert \\tag{1} $$
### 3.2 Choosing the threshold
The threshold is the quantile of the scores on the training nodes, as Equation (2) states.
$$ t = q_\\alpha(s) \\tag{2} $$

## 4 Experiments
### 4.1 Setup
We train with a learning rate of 0.01 for 200 epochs and report means over five random seeds.
### 4.2 Results
Table 1 shows that our rule outperforms GraphSAGE and DropEdge on all three data sets.

Table 1: Accuracy with standard deviations over five seeds.

| method | Cora | PubMed |
|---|---|---|
| GraphSAGE | 81.52 | 77.93 |
| DropEdge | 82.06 | 78.41 |
| ours | 83.17 | 79.28 |

### 4.3 Ablation study
Table 2 shows the accuracy without each part of the score.

Table 2: Ablation of the two norms.

Figure 1: Accuracy against the share of messages that are kept.

## 5 Limitations
Our rule needs a trained network, and we tested it on citation graphs only.

## 6 Conclusion
Most messages can be dropped. Our code is available at https://github.com/example/messages.

## References
Kipf, T. and Welling, M. Semi-supervised classification with graph convolutional networks. 2017.

Velickovic, P. et al. Graph attention networks. 2018.
""",
    "short-speech": """# Silence Helps: Pauses as Supervision for Speech Recognition

## Abstract
Pauses in speech mark the borders of phrases. We predict them beside the words and lower the word
error rate from 7.84 to 7.12 on a public corpus of lectures.

## 1 Introduction
Speakers pause where a phrase ends, and listeners use these pauses to group words. Recognisers are
trained on words alone and throw this signal away before training begins.

## 2 Approach
### 2.1 Detecting pauses
A pause is a stretch of at least 180 milliseconds whose energy stays below a fixed level.
### 2.2 Joint training
The loss adds the cross entropy of pauses to that of words, weighted by a single constant.

Algorithm 1: Training with pauses.

## 3 Evaluation
We compare with Conformer and with wav2vec models of the same size. Table 1 holds all results.

Table 1: Word error rates in per cent.

| model | test-clean | test-other |
|---|---|---|
| Conformer | 7.84 | 15.36 |
| ours | 7.12 | 14.27 |

Figure 1: Where pauses fall. Figure 2 shows their lengths.

Figure 2: Lengths of pauses.

## 4 Conclusion
Pauses are free supervision, and a recogniser that hears them makes fewer mistakes.

## References
Gulati, A. et al. Conformer: convolution-augmented transformer for speech recognition. 2020.
""",
}


def short_papers() -> list[Paper]:
    """Our own papers."""
    return [Paper(name, text) for name, text in SHORT.items()]


def real_papers() -> list[Paper]:
    """The real papers with full text, by name; none where they are absent."""
    found = []
    for folder, pattern in FOLDERS:
        for path in sorted((DATA / folder).glob(pattern)):
            text = clean_text(path.read_bytes().decode("utf-8", "replace"))[0]
            found.append(Paper(path.stem, text))
    return found


@lru_cache(maxsize=2048)
def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
