"""Planted quotations: true ones in disguise, changed ones, and long ones."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from revkit.model.paper import Paper
from tests.plugins.revkit_reviewground.planted_papers import Case, letters


def _sentences(paper: Paper, low: int, high: int) -> list[str]:
    """Sentences of ``low`` to ``high`` plain words."""
    found = []
    for sentence in paper.sentences:
        text = " ".join(paper.text[sentence.start : sentence.end].split())
        words = text.split()
        plain = sum(bool(re.fullmatch(r"[A-Za-z][A-Za-z-]+[,;.]?", word)) for word in words)
        if (
            low <= len(words) <= high
            and plain >= 0.8 * len(words)
            and not re.search(r"[\"“”«»`$|#?]", text)
        ):
            found.append(text)
    return found


LEAD = ("The paper states", "In the text the authors write", "The authors claim",
        "The manuscript says", "The text reads")  # fmt: skip


def quotes(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """True quotations in disguise, and changed or foreign ones."""
    pool = _sentences(paper, 8, 18)
    if len(pool) < 6:
        return
    picked = rng.sample(pool, 4)
    lead = rng.choice(LEAD)
    for name, disguise in rng.sample(sorted(DISGUISES.items()), 2):
        quote = disguise(picked[0].rstrip(".,;"), rng)
        if quote:
            yield Case("quote", name, paper, f"{lead}: {quote}.", False)
    for name, change in rng.sample(sorted(CHANGES.items()), 2):
        quote = change(picked[1].rstrip(".,;"), rng)
        if quote and letters(quote) not in letters(paper.text):
            yield Case("quote", name, paper, f"{lead}: “{quote}”.", True)
    other = rng.choice([one for one in papers if one is not paper])
    foreign = _sentences(other, 8, 18)
    if foreign and rng.random() < 0.5:
        yield Case("quote", "other paper", paper, f"{lead}: “{rng.choice(foreign)}”.", True)


def _marked(opening: str, closing: str) -> Callable[[str, random.Random], str]:
    return lambda text, rng: f"{opening}{text}{closing}"


def _elided(text: str, rng: random.Random) -> str:
    words = text.split()
    at = rng.randint(2, len(words) - 5)
    return (
        f"“{' '.join(words[:at])} {rng.choice(['...', '…', '[...]'])} {' '.join(words[at + 2 :])}”"
    )


def _hyphenated(text: str, rng: random.Random) -> str:
    long = [word for word in text.split() if len(word) > 7 and word.isalpha()]
    return (
        f'"{text.replace(long[0], long[0][:4] + "-" + chr(10) + long[0][4:], 1)}"' if long else ""
    )


DISGUISES: dict[str, Callable[[str, random.Random], str]] = {
    "straight": _marked('"', '"'),
    "curly": _marked("“", "”"),
    "latex": _marked("``", "''"),
    "guillemets": _marked("«", "»"),
    "capitals": lambda text, rng: f"“{text.upper()}”",
    "first letter": lambda text, rng: f"“{text[0].swapcase()}{text[1:]}”",
    "ellipsis": _elided,
    "line break": _hyphenated,
    "ligatures": lambda text, rng: f"“{text.replace('fi', 'ﬁ').replace('fl', 'ﬂ')}”",
    "dashes": lambda text, rng: f"“{text.replace('-', '–')}”",
    "emphasis": lambda text, rng: (
        "“" + text.replace(text.split()[2], f"**{text.split()[2]}**", 1) + "”"
    ),
    "bracket": lambda text, rng: "“[The authors] " + " ".join(text.split()[1:]) + "”",
}


def _replaced(text: str, rng: random.Random) -> str:
    words = text.split()
    places = [i for i in range(2, len(words) - 1) if words[i].isalpha() and len(words[i]) > 4]
    if not places:
        return ""
    words[rng.choice(places)] = rng.choice(["quadratic", "unstable", "negligible", "clinical"])
    return " ".join(words)


def _negated(text: str, rng: random.Random) -> str:
    changed = re.sub(r"\b(is|are|can|we|was|were|does)\b", r"\1 not", text, count=1)
    return changed if changed != text else ""


def _shortened(text: str, rng: random.Random) -> str:
    words = text.split()
    at = rng.randint(2, len(words) - 5)
    return " ".join(words[:at] + words[at + 2 :])


def _swapped(text: str, rng: random.Random) -> str:
    words = text.split()
    half = len(words) // 2
    return " ".join([*words[half:], "...", *words[:half]])


CHANGES: dict[str, Callable[[str, random.Random], str]] = {
    "word replaced": _replaced,
    "negated": _negated,
    "silently shortened": _shortened,
    "parts swapped": _swapped,
}


def long_quotes(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """True quotations of 23 to 40 words, and of 15 to 19."""
    for low, high, false in ((23, 40, True), (15, 19, False)):
        pool = _sentences(paper, low, high)
        if len(pool) > 2 and rng.random() < 0.7:
            quote = rng.choice(pool).rstrip(".,;")
            yield Case("long-quote", f"{low}-{high} words", paper, f"It says “{quote}”.", false)
