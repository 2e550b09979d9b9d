"""Three short papers, written by hand, with the typical structures of real papers."""

from __future__ import annotations

from revkit.model.paper import Labels, Paper

_NUMERIC = """\
# Sparse Gates for Long Documents

## Abstract

We study gates that skip tokens in long documents. Our method may reduce memory by 38% and \
appears to keep accuracy within 0.4 points on three corpora.

## 1 Introduction

Long inputs are costly for attention [1, 2]. Earlier work prunes heads [3], which could hurt rare \
words. For example, names that occur once are often lost. We show that a gate on tokens is enough.

- The gate has 2,048 parameters and needs no second pass.
- It can possibly be trained together with the encoder [2].

## 2 Method

Let $g(x) = \\sigma(w^\\top x)$ be the gate. We minimise

$$
L = L_{task} + \\lambda \\sum_i g(x_i)
$$

with $\\lambda = 0.1$ in all runs. The code is short:

```python
keep = gate(x) > 0.5  # it may drop padding
```

## 3 Results

Table 1 shows that the gate improves F1 by 1.2 points. This suggests that most tokens are not \
needed.

| Model | F1 | Memory |
|-------|-----|--------|
| Full | 81.3 | 12.0 GB |
| Gated | 82.5 | 7.4 GB |

Table 1: Results on the long corpus.

## 4 Conclusion

A small gate may suffice. Future work should test other languages.

## References

[1] A. Marsh and B. Oduya. Attention over long inputs. In Proceedings of Texts, 2019.
[2] C. Lindqvist. Cheap encoders. Journal of Models, 4(2):10-22, 2020.
[3] D. Farouk, E. Ito and F. Reyes. Pruning heads. In Proceedings of Texts, 2021.
"""

_AUTHOR_YEAR = """\
# What Readers Ask of Reviews

## Abstract

We asked 212 authors what they want from a review. Most want reasons; few want scores.

## Introduction

Peer review is slow (Okafor and Lund, 2018). Weber et al. (2020) found that length is no sign of \
care, although long reviews are perhaps kinder. Our survey seems to agree with both (Tanaka, 2021; \
Okafor and Lund, 2018).

## Study

We sent 600 letters and got 212 answers (35.3%). It is likely that those who answered were more \
interested than others. We did not pay them. In other words, the sample was not random.

## Findings

Reasons were named by 71% of authors, scores by 9% ($p < 0.01$). The difference was large in every \
field. We believe that this might change with experience.

## Limitations

The study covers one year and one country. Other countries could differ.

## References

Okafor, N. and Lund, S. (2018). Waiting for reviewers. Journal of Publishing, 12, 1-19.

Tanaka, Y. (2021). What authors read. In Conference on Scholarly Work, pages 40-49.

Weber, J., Costa, M. and Ali, R. (2020). Long reviews, short reasons. Research Notes 7, 3.
"""

_PLAIN = """\
# A Note on Counting Words

Counting words is harder than it looks. This note gives one rule and one example.

The rule is simple. A word is a run of characters that are no blanks, and it must hold a letter or \
a digit. See https://example.org/rule for a longer text.

The example is the line "3 of 4 cats" with `4` words. Some tools may count 3. This is probably a \
fault of theirs.
"""


def tiny_papers() -> tuple[Paper, ...]:
    """Return three papers: numeric citations with table, mathematics and code; author-year
    citations; and a note without sections or references. All contain hedges; two have labels.
    """
    return (
        Paper(
            "tiny-numeric",
            _NUMERIC,
            "Sparse Gates for Long Documents",
            Labels(accept=True, decision="Accept (poster)", ratings=(6.0, 7.0), severity=30.0),
        ),
        Paper(
            "tiny-author-year",
            _AUTHOR_YEAR,
            "What Readers Ask of Reviews",
            Labels(accept=False, decision="Reject", ratings=(3.0, 5.0), severity=70.0),
        ),
        Paper("tiny-plain", _PLAIN, "A Note on Counting Words"),
    )
