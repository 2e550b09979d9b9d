"""Which work of the pool fits which place in a paper: pairs that share the name of a subject.

A paper's topic is not enough: a work on image generation fits a paper on recommending pictures, and
none of its sentences about users. So a work goes only where the sentence itself names a subject of
the work, by one of its keywords or topics: a phrase of two words ("graph attention"), or a single
word that names one thing ("lstm"). Words that many subjects share ("attention", "open source") name
none.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from revkit_robustrev.citation_pool import Pool, PoolWork, Term
from revkit_robustrev.citation_sites import CitationSite

_SUBJECTS = frozenset(
    """
    a3c adadelta adafactor adam adamw alphafold alphago amsgrad atari autoattack autoencoder bandit
    bert bertscore bleu bm25 calibration chatgpt coco commonsense conceptnet
    crowdsourcing ctc cyclegan ddpg debiasing deepfool densenet dialogue distillation dqn dropout
    elmo entailment fairness fasttext fedavg gan glue googlenet gpt graphsage gru gsm8k
    hallucination humaneval imagenet infonce interpretability librispeech llama lstm mcmc
    miscalibration mixup mmlu mnist multilingual ndcg overparameterization palm pix2pix ppo pruning
    pytorch quantization ranknet reproducibility resnet rlhf robustness rouge squad stylegan
    subword summarization t5 td3 tensorflow tokenization transformer trpo vgg vocoder word2vec
    wordpiece
    """.split()  # noqa: SIM905
)
_LOOSE = frozenset(
    tuple(pair.split("-"))
    for pair in """
    accuracy-drop adaptive-method black-box computational-study continuous-depth
    cross-entropy data-extraction decision-boundary empirical-risk encoder-decoder
    exact-likelihood feature-matching feature-reuse few-shot fine-tuning first-stage
    function-approximation gaussian-noise gradient-descent hidden-unit high-fidelity
    high-order high-stake human-judgment human-level human-perception image-quality
    incomplete-data inductive-bia inference-speed language-processing language-understanding
    large-graph latent-space learning-rate level-control limited-vocabulary linear-complexity
    linear-model linear-time long-sequence low-rank maximum-likelihood memory-cost
    model-capacity model-scaling model-size multi-agent multi-billion multi-task
    multiple-choice natural-language new-article one-stage open-model open-problem
    open-source paired-data paper-edit paper-review parameter-estimation post-hoc
    post-training pre-trained pre-training private-data probabilistic-method
    property-prediction random-label random-seed real-time relational-data research-paper
    sample-quality side-information single-stage social-network state-space step-size
    stochastic-gradient supervised-learning supervised-prediction synthetic-data
    system-design system-efficiency task-learning text-pair toy-task trained-model
    training-cost training-speed training-stability training-token unsupervised-learning
    user-interest value-distribution vector-field web-scale world-graph zero-shot
    """.split()  # noqa: SIM905
)
_LINKS = frozenset(
    "to of in by and as the no on for a an from is per with".split()  # noqa: SIM905
)


# Another name of a topic than the pool's own.
_ALSO: Mapping[Term, Term] = {("robust", "machine"): "robustness"}


def names_subject(term: Term) -> bool:
    """Whether a keyword names a subject on its own."""
    if isinstance(term, str):
        return term in _SUBJECTS
    return term not in _LOOSE and _LINKS.isdisjoint(term)


def fitting(pool: Pool, site: CitationSite) -> set[str]:
    """The keys of all works of which the sentence of ``site`` names a subject."""
    terms = site.terms | {_ALSO[term] for term in site.terms if term in _ALSO}
    return {
        key
        for term in terms
        if term in pool.named_by and names_subject(term)
        for key in pool.named_by[term]
    }


def match(
    pool: Pool,
    works: Sequence[PoolWork],
    fits: Mapping[int, Iterable[str]],
    sites: Sequence[CitationSite],
    wanted: int,
    rng: random.Random,
) -> list[tuple[CitationSite, list[PoolWork]]]:
    """Place ``wanted`` of the works, drawn at random, each where it fits.

    ``fits`` gives, for each index into ``sites``, the keys of the works that fit there. A place
    that has taken a work counts a third for the next one, and an existing group one and a half.
    """
    fit = {index: frozenset(keys) for index, keys in fits.items()}
    taken: dict[int, list[PoolWork]] = {}
    for work in rng.sample(works, wanted):
        best = max(
            (index for index in fit if work.key in fit[index]),
            key=lambda index: (
                (0.5 + pool.affinity(work, sites[index].terms))
                * (1.5 if sites[index].joins else 1.0)
                * (1.0 + 0.3 * rng.random())
                / (1 + 2 * len(taken.get(index, ())))
            ),
        )
        taken.setdefault(best, []).append(work)
    return [(sites[index], taken[index]) for index in sorted(taken)]
