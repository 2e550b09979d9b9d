"""Planted claims: that parts are missing, that methods are compared, that numbers are reported."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from revkit.model.paper import Paper
from tests.plugins.revkit_reviewground.planted_papers import Case, letters
from tests.plugins.revkit_reviewground.planted_statements import CITED, DEEP, DEPTH, TOPICS, UNCITED


def missing(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Things called missing that a heading or caption shows; things cut out of the paper."""
    lines = [line for line in paper.text.split("\n") if len(line) < 400]
    for topic in rng.sample(sorted(TOPICS), 6):
        shows, trace, phrases = TOPICS[topic]
        marked = re.compile(
            rf"^(?:#+ |\W*(?:Table|Figure) \d+\W|\d[.\d]* [A-Z]).{{0,80}}?\b(?:{shows})", re.I
        )
        pattern = re.compile(shows, re.I) if topic == "code" else marked
        head = next((line for line in lines if pattern.search(line) and not _denies(line)), "")
        if head:
            yield Case("missing", topic, paper, rng.choice(phrases), True)
            if topic in DEEP:
                yield Case(
                    "missing",
                    f"{topic}, depth",
                    paper,
                    rng.choice(DEPTH).format(DEEP[topic]),
                    False,
                )
        bare = _without(paper, trace)
        if bare and rng.random() < 0.5:
            yield Case("missing", f"{topic}, cut", bare, rng.choice(phrases), False)


def _denies(line: str) -> bool:
    return (
        re.search(r"\b(?:no|not|without|will|future|http\S*(?:openai|tensorflow))\b", line)
        is not None
    )


def _without(paper: Paper, trace: str) -> Paper | None:
    """The paper without all paragraphs that have a trace of a topic; `None` if most goes."""
    pattern = re.compile(trace, re.I)
    parts = re.split(r"(\n\s*\n)", paper.text)
    kept = "".join(part for part in parts if not pattern.search(part))
    if len(kept) < 0.4 * len(paper.text):
        kept = "\n".join(line for line in paper.text.split("\n") if not pattern.search(line))
    if pattern.search(" ".join(kept.split())) or len(kept) < 0.4 * len(paper.text):
        return None
    return Paper(f"{paper.id}-cut", kept)


_METHOD = re.compile(
    r"\b(?=[A-Za-z]*[a-z])[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9]{1,10}\b|\b[A-Z]{4,8}\b"
)
_ORDINARY = re.compile(
    r"Table|Figure|ICLR|NeurIPS|ICML|REFERENCES|ABSTRACT|INTRODUCTION|CIFAR|MNIST|[A-Z]{4,}(?=\b)"
    r"|^[A-Z]+s$|^So(?i:ta)$"
)


def _methods(paper: Paper) -> list[str]:
    """Names in mixed case that tables and experiments of the paper hold twice."""
    return _methods_of(paper.text)


@lru_cache(maxsize=512)
def _methods_of(text: str) -> list[str]:
    paper = Paper("any", text)
    counts: dict[str, int] = {}
    for block in paper.blocks:
        if block.kind == "table" or block.role in ("experiments", "results"):
            for name in _METHOD.findall(paper.text[block.start : block.end]):
                if not _ORDINARY.search(name):
                    counts[name] = counts.get(name, 0) + 1
    return sorted(name for name, count in counts.items() if count > 1 and len(name) > 3)


def _foreign_names(paper: Paper, papers: Sequence[Paper]) -> list[str]:
    """Names of other papers no part of which is in this one."""
    low = letters(paper.text)
    return sorted(
        name
        for name in {name for other in papers for name in _methods(other)}
        if letters(name) not in low and letters(name)[:4] not in low
    )


def missing_named(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Comparisons and citations called missing: made ones, and ones with works not in the paper."""
    compared = [
        name
        for name in _methods(paper)
        if re.search(
            r"(?:outperform\w*|compar\w+ (?:to|with|against)|better than|baselines?)\s"
            rf"[^.\n]{{0,60}}\b{name}\b",
            paper.text,
        )
    ]
    foreign = _foreign_names(paper, papers)
    frames: tuple[str, ...] = (
        "The paper does not compare with {}.",
        "There is no comparison to {}.",
        "A comparison with {} is missing.",
        "The authors fail to compare their method against {}.",
        "It lacks a comparison to {}.",
    )
    if compared:
        yield Case(
            "missing", "comparison", paper, rng.choice(frames).format(rng.choice(compared)), True
        )
    if foreign and rng.random() < 0.6:
        yield Case(
            "missing",
            "comparison, cut",
            paper,
            rng.choice(frames).format(rng.choice(foreign)),
            False,
        )
    cited = sorted(
        set(re.findall(r"\b([A-Z][a-z]{3,12}) et al\.?,? \(?((?:19|20)\d\d)\b", paper.text))
    )
    frames = (
        "The paper does not cite {}.",
        "It fails to cite {}.",
        "A citation is absent: it does not mention {}.",
    )
    if cited and rng.random() < 0.7:
        author, year = rng.choice(cited)
        yield Case(
            "missing",
            "citation",
            paper,
            rng.choice(frames).format(f"{author} et al. ({year})"),
            True,
        )
    if rng.random() < 0.5:
        work = rng.choice(
            ["Zyskowski et al. (2019)", "Quintanar et al. (2016)", "Obuya et al. (2020)"]
        )
        yield Case("missing", "citation, cut", paper, rng.choice(frames).format(work), False)


def reviewers(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Other reviewers, chairs and replies that do not exist, and sentences that cite none."""
    yield Case("reviewer", "cited", paper, rng.choice(CITED), True)
    yield Case("reviewer", "not cited", paper, rng.choice(UNCITED), False)


def comparisons(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Comparisons with methods of the paper, and with methods it does not name."""
    frames = (
        "The paper compares the method to {}.",
        "The authors compare their model against {} on all tasks.",
        "The method outperforms {} by a clear margin.",
        "It shows gains over {}.",
        "The approach is compared with strong baselines such as {}.",
        "Results show that the proposed method surpasses {}.",
        "It uses baselines including {}.",
        "The experiments show an improvement over {} and simpler heuristics.",
        "The method is better than {} on most data sets.",
        "Compared to {}, the proposed model is faster.",
        "The proposed approach beats {} on every task.",
        "Experiments include {} as a baseline.",
        "{} is among the baselines.",
        "Against {}, the method wins by two points.",
    )
    wishes = (
        "The authors should compare with {}.",
        "It would help to compare against {}.",
        "How does the method compare to {}?",
        "The paper does not compare with {}.",
        "I suggest a comparison with {}.",
        "A natural baseline would be {}.",
        "{} is not among the baselines.",
        "Have the authors tried {}?",
        "Related methods such as {} deserve mention.",
    )
    own, foreign = _methods(paper), _foreign_names(paper, papers)
    if own:
        yield Case(
            "comparison", "in the paper", paper, rng.choice(frames).format(rng.choice(own)), False
        )
    if foreign:
        yield Case(
            "comparison",
            "not in the paper",
            paper,
            rng.choice(frames).format(rng.choice(foreign)),
            True,
        )
        if rng.random() < 0.5:
            yield Case(
                "comparison",
                "wished for",
                paper,
                rng.choice(wishes).format(rng.choice(foreign)),
                False,
            )


def numbers(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Numbers of the paper, rounded or as a share, and numbers that it does not hold."""
    frames = (
        "The method reaches an accuracy of {}.",
        "The reported score is {} on the main benchmark.",
        "The paper reports {} for the best model.",
        "The best variant obtains {}, which is convincing.",
        "Accuracy rises to {}.",
        "With {} on the test split the model leads.",
    )
    written = sorted(set(re.findall(r"(?<![\d.,$^_{])\b([1-9]\d\.\d{1,2})\b(?![\d.])", paper.text)))
    every = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", paper.text.replace(",", ""))]
    if written:
        number = rng.choice(written)
        form = rng.choice(("{}", "{}%", "rounded", "share"))
        shown = {
            "rounded": f"{float(number):.1f}" if len(number) > 4 else number,
            "share": f"{float(number) / 100:.{len(number.partition('.')[2]) + 2}f}",
        }.get(form, form.format(number))
        yield Case("number", form.format("x"), paper, rng.choice(frames).format(shown), False)
    if len(written) < 5:
        return
    for _ in range(100):
        number = f"{rng.uniform(20, 99):.2f}"
        near = any(abs(n - float(number) * s) <= 0.006 * s for n in every for s in (1, 0.01, 100))
        if not near and not any(abs(n - 100 + float(number)) < 0.06 for n in every):
            shown = rng.choice((number, number + "%"))
            yield Case("number", "not in the paper", paper, rng.choice(frames).format(shown), True)
            return
