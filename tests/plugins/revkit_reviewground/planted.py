"""Cases with a planted fault, and matched controls without one, for the evidence checks.

Each case is a paper, a review with one statement on it, and whether that statement is false. What
is true of a paper is found here by plain searches of its text, never by the checks. The real papers
lie outside the repository; the short papers are our own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from revkit.model.paper import Paper
from tests.plugins.revkit_reviewground.planted_claims import (
    comparisons,
    missing,
    missing_named,
    numbers,
    reviewers,
)
from tests.plugins.revkit_reviewground.planted_papers import Case, real_papers, short_papers
from tests.plugins.revkit_reviewground.planted_quotes import long_quotes, quotes

__all__ = ["Case", "cases", "real_papers", "short_papers"]

NAMES = {
    "Table": ("Table {}", "Tab. {}", "table {}", "Tables 1 and {}"),
    "Figure": ("Figure {}", "Fig. {}", "Fig. {}a", "Figure {}(b)", "figure {}"),
    "Algorithm": ("Algorithm {}", "Alg. {}"),
    "Theorem": ("Theorem {}", "Thm. {}"),
}
STEMS = {"Table": r"tab\w*", "Figure": r"fig\w*", "Algorithm": r"alg\w*", "Theorem": "theorem"}
FRAMES = (
    "The numbers in {} are hard to read.",
    "The setup is not explained well ({}).",
    "As shown in {}, the gains are small.",
    "Please clarify the notation of {}.",
)


def anchors(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Numbered parts that the paper has, and ones beyond its last."""
    # Where an appendix is spoken of but not in the text, nothing beyond the last is known false.
    cut = re.search(r"appendi|supplement", paper.text, re.I) and not re.search(
        r"^\W*(?:APPENDI|Appendi|SUPPLEMENT|Supplement|A\.? +[A-Z]{3,})", paper.text, re.M
    )
    for word, forms in NAMES.items():
        found = {
            int(n)
            for n in re.findall(rf"\b{STEMS[word]}\.?~?\s*\$?(\d{{1,2}})\b", paper.text, re.I)
        }
        if len(found) < 2:
            continue
        real, beyond = rng.choice(sorted(found)), max(found) + rng.randint(2, 6)
        captions = re.findall(rf"^\W*{word}\s+(\d+)", paper.text, re.M | re.I)
        if captions:
            real = int(rng.choice(captions))
        for number, false in ((real, False), (beyond, True)):
            if rng.random() < 0.6 and not (false and cut):
                anchor = rng.choice(forms).format(number)
                statement = rng.choice(FRAMES).format(anchor)
                yield Case("anchor", word, paper, statement, false)
    heads = re.findall(r"^#+ (\d{1,2}(?:\.\d)?)\.? +[A-Z]", paper.text, re.M)
    heads += re.findall(r"^(\d{1,2}(?:\.\d)?)\.? +[A-Z]{3,}", paper.text, re.M)
    tops = {int(number) for number in heads if "." not in number}
    if tops >= {1, 2, 3} and tops == set(range(1, max(tops) + 1)):
        form = rng.choice(("Section {}", "Sec. {}", "section {}", "§{}"))
        yield Case(
            "anchor",
            "section",
            paper,
            rng.choice(FRAMES).format(form.format(rng.choice(heads))),
            False,
        )
        beyond_section = rng.choice((str(max(tops) + rng.randint(1, 3)), f"{max(tops) + 1}.2"))
        yield Case(
            "anchor", "section", paper, rng.choice(FRAMES).format(form.format(beyond_section)), True
        )
    letters = re.findall(r"^#* ?([B-H]) +[A-Z]{3,}", paper.text, re.M)
    if letters:
        yield Case("anchor", "appendix", paper, f"Appendix {rng.choice(letters)} helps.", False)
        last = max(re.findall(r"(?:ppendix|^#*) ?([A-Z])\b", paper.text, re.M))
        if last < "U":
            beyond_letter = chr(ord(max(*letters, last)) + 2)
            yield Case("anchor", "appendix", paper, f"Appendix {beyond_letter} is too short.", True)


def cases(papers: Sequence[Paper], rounds: int = 1) -> list[Case]:
    """All cases of ``papers``, the same each time; more ``rounds`` draw more of each paper."""
    makers: tuple[Callable[[Paper, Sequence[Paper], random.Random], Iterator[Case]], ...] = (
        quotes,
        long_quotes,
        anchors,
        missing,
        missing_named,
        reviewers,
        comparisons,
        numbers,
    )
    found = {
        (case.kind, case.paper.id, case.statement): case
        for maker in makers
        for paper in papers
        for number in range(rounds)
        for case in maker(paper, papers, random.Random(f"{maker.__name__}:{paper.id}:{number}"))
    }
    return list(found.values())
