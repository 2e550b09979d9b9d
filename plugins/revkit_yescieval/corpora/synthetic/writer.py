"""Write generated syntheses: first the sources of a question, then one text about them."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.english import capitalise, fill_slots
from revkit.model.paper import Material
from revkit.model.values import Json

_FEWEST_WORDS = 120
_MOST_WORDS = 200
_RANGE = re.compile(r"\{(\d+)-(\d+)\}")
_PEOPLE = tuple(
    str.split(
        "Aaltonen Bexley Castaneda Dunmore Eklund Farquhar Grimaldi Hollander Imanishi Jelinek"
        " Kowalski Lindqvist Marchand Nakamura Oduya Pettersen Quarshie Rosenthal Sadowski Thorvald"
        " Ueland Vermeulen Whitcombe Yamashita Zeller Abendroth Bridger Colquhoun Dessler Engstrom"
    )
)
_DESIGNS = (
    "a controlled study",
    "a field study",
    "a repeated survey",
    "a study with matched pairs",
)
_SAME = ("Moreover, ", "In addition, ", "Furthermore, ", "Similarly, ", "Additionally, ", "")
_OPPOSED = ("However, ", "In contrast, ", "By contrast, ", "Nevertheless, ", "On the other hand, ")
_REASONS = (
    "The authors explain this by the fact that {why}.",
    "A likely reason is that {why}.",
    "This was the case because {why}.",
    "The reason given is that {why}.",
)
_FRAMES: Mapping[str, Sequence[str]] = {
    "author-year": (
        "{link}{source} found that {claim}.",
        "{link}{source} reported that {claim}.",
        "{link}according to {source}, {claim}.",
        "{link}{claim}, as reported by {source}.",
        "{link}{source} showed that {claim}.",
    ),
    "paper": (
        "{link}Paper {k} found that {claim}.",
        "{link}{claim} (Paper {k}).",
        "{link}according to Paper {k}, {claim}.",
        "{link}Paper {k} showed that {claim}.",
    ),
    "numbered": (
        "{link}{claim} [{k}].",
        "{link}{design} found that {claim} [{k}].",
        "{link}it has been shown that {claim} [{k}].",
        "{link}one study reported that {claim} [{k}].",
    ),
}
_CLOSINGS = (
    "Overall, {closing}.",
    "In summary, {closing}.",
    "Taken together, these findings show that {closing}.",
    "Therefore, {closing}.",
)
_IMPLICATIONS = (
    "The result holds for the conditions of this study and should be tested elsewhere.",
    "Further work should follow the effect over a longer time.",
    "The effect was stable when single {units} were left out.",
    "The size of the effect differed between {units}, but its direction did not.",
)


@dataclass(frozen=True)
class QuotedSource:
    """One invented source: authors, year, design, claim and reason."""

    authors: str
    year: int
    design: str
    sign: str
    claim: str
    why: str
    material: Material


@dataclass(frozen=True)
class Synthesis:
    """One text with its question, its materials and the numbers of the sources used, from 1."""

    text: str
    question: str
    topic: str
    style: str
    used: list[Json]
    materials: tuple[Material, ...]


@lru_cache(maxsize=1)
def questions() -> Mapping[str, Any]:
    """Return the questions and units of `questions.toml`, read once."""
    return tomllib.loads((Path(__file__).parent / "questions.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def sources(place: int, seed: int) -> tuple[QuotedSource, ...]:
    """Return the sources of question ``place``, the same for all syntheses of one seed."""
    table = questions()
    question = table["question"][place]
    rng = random.Random(f"{seed}:question:{place}")
    people = rng.sample(_PEOPLE, 10)
    units = rng.choice(table["units"][question["topic"]])
    written = []

    def number(match: re.Match[str]) -> str:
        return str(rng.randint(int(match[1]), int(match[2])))

    for sign, claim, why in question["findings"]:
        claim, why = (_RANGE.sub(number, text) for text in (claim, why))
        pair = rng.random() < 0.3
        authors = f"{people.pop()} and {people.pop()}" if pair else f"{people.pop()} et al."
        design = rng.choice(_DESIGNS)
        abstract = (
            f"{question['opening']} We followed {rng.randint(14, 420)} {units} for "
            f"{rng.randint(5, 60)} months in {design}. We found that {claim}. A likely reason is "
            f"that {why}. {rng.choice(_IMPLICATIONS).replace('{units}', units)}"
        )
        material = Material("source", abstract, f"{capitalise(claim)}: {design}")
        written.append(
            QuotedSource(authors, rng.randint(2006, 2023), design, sign, claim, why, material)
        )
    return tuple(written)


def write_synthesis(index: int, seed: int) -> Synthesis:
    """Write text ``index`` of the series of ``seed``."""
    table = questions()["question"]
    number = index % len(table)
    question = table[number]
    rng = random.Random(f"{seed}:synthesis:{index}")
    known = sources(number, seed)
    style = rng.choice(sorted(_FRAMES))
    while True:
        used = rng.sample(range(len(known)), rng.choice((4, 4, 5)))
        text = _write(question, known, used, style, rng)
        if _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS:
            break
    materials = (Material("question", question["question"]), *(s.material for s in known))
    numbers: list[Json] = [place + 1 for place in sorted(used)]
    return Synthesis(text, question["question"], question["topic"], style, numbers, materials)


def _write(
    question: Mapping[str, Any],
    known: Sequence[QuotedSource],
    used: Sequence[int],
    style: str,
    rng: random.Random,
) -> str:
    sentences = [question["opening"]]
    frames: list[str] = []
    reasons: list[str] = []
    links: dict[str, list[str]] = {}
    before = ""
    for place in used:
        source = known[place]
        link = ""
        if before:
            kind = "same" if source.sign == before else "opposed"
            deck = links.setdefault(kind, [])
            if not deck:
                deck += rng.sample(_SAME if kind == "same" else _OPPOSED, 5)
            link = deck.pop()
        before = source.sign
        frames = frames or rng.sample(_FRAMES[style], len(_FRAMES[style]))
        sentences.append(capitalise(_fill(frames.pop(), source, place + 1, link)))
        if rng.random() < 0.55:
            reasons = reasons or rng.sample(_REASONS, len(_REASONS))
            sentences.append(reasons.pop().replace("{why}", source.why))
    sentences.append(rng.choice(_CLOSINGS).replace("{closing}", question["closing"]))
    return " ".join(sentences)


def _fill(frame: str, source: QuotedSource, number: int, link: str) -> str:
    values = {
        "link": link,
        "source": f"{source.authors} ({source.year})",
        "claim": source.claim,
        "design": source.design,
        "k": str(number),
    }
    return fill_slots(frame, values)
