"""Check that each result that a review reports is a number of the paper.

A finding is only "suspect": a review may compute a number from those of the paper in ways that no
rule foresees.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from revkit.dataclass import dataclass
from revkit_reviewground.checks.finding import Finding
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

_NUMBER = re.compile(
    r"(?<![\w.,/^_{-])(?<!\d\s)-?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,9}(?:\.\d{1,6})?"
    r"|\.\d{1,6})"
    r"(?P<unit>\s?\\?%|\s?percent(?:age\spoints?)?\b|\s?(?:\\times|×|x)(?![a-zA-Z\d])"
    r"|\s?[kKMB](?![a-zA-Z]))?"
    r"(?![\w/]|\.\d|-[A-Za-z]|\^)"
)
# What the paper holds is read as widely as can be: any digits count.
_ANY = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")
_SPACED = re.compile(r"(?<=[\d.]) (?=[\d.])")
_MATH = re.compile(r"\$[^$\n]{1,300}\$")
_NAMED_BEFORE = re.compile(
    r"(?:\b(?:sections?|secs?|tables?|tabs?|figures?|figs?|eqs?|equations?|algorithms?|alg"
    r"|theorems?|lemmas?"
    r"|appendix|lines?|pages?|p|pp|chapters?|steps?|v|version|python|pytorch|cuda|gpt|llama|qwen"
    r"|claude|gemini"
    r"|phi|palm|arxiv|doi|isbn|yolov?|mistral|questions?|point|item|comment|weakness|rating|score"
    r"|confidence|soundness"
    r"|clarity|presentation|contribution|overall)\.?[\s:(#-]{0,3}|§\s?|[A-Za-z]-?)\Z",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|over|more\s+than|less\s+than|under"
    r"|up\s+to|at\s+least"
    r"|at\s+most|only|below|above|close\s+to|some|within|exceed\w*|circa|~)\s*\$?\Z"
    r"|[~≈<>≤≥]\s*\$?\Z",
    re.IGNORECASE,
)
# Sentences that ask, propose or give the reviewer's own examples report nothing of the paper.
_NOT_REPORTED = re.compile(
    r"\?|\b(?:should|could|would|might|e\.g|for\s+(?:example|instance)|suggest\w*|recommend\w*"
    r"|suppose|imagine"
    r"|if|say|please|consider|hypothetical\w*|typically|usually|in\s+practice|known\s+to"
    r"|literature|averag\w+|mean|overall|total)\b",
    re.IGNORECASE,
)
# Words of a number that the review may have computed.
_COMPUTED = re.compile(
    r"\b(?:improv\w+|gains?|increas\w+|decreas\w+|drop\w*|reduc\w+|differ\w*|by|faster|slower"
    r"|speed\w*|gap"
    r"|margin|more|less|fewer|higher|lower|better|worse|larger|smaller|relative|than|times|sav\w+"
    r"|declin\w+"
    r"|outperform\w*|compress\w*|degrad\w+|loss|lose\w*|points?)\b|\d\s?[x×]",
    re.IGNORECASE,
)
# "section 4.1 but no 4.2", "Tables 2.1 and 2.3": the number goes with a name further before.
_LISTED = re.compile(
    r"\b(?:sections?|secs?|tables?|figures?|figs?|eqs?|equations?|theorems?|lemmas?|appendix"
    r"|versions?|chapters?)\.?\s{0,3}\(?\d[\d.]{0,8}\)?(?:\s{0,3}(?:,|and|or|to|but|no|not|nor|&"
    r"|-|–)){1,3}\s{0,3}\(?\Z",
    re.IGNORECASE,
)
# The number of an item at the start of its line.
_ITEM = re.compile(r"(?:\A|\n)[ \t>*_#-]{0,6}\Z")
_AFTER_ITEM = re.compile(r"[.):]{0,2}(?:[ \t]+(?=\S)|\n)")
# What another work reached, beside the paper or by a citation.
_OTHERS = re.compile(
    r"\[\d{1,3}(?:,\s?\d{1,3}){0,5}\]|\bet\s+al\b|\b(?:while|whereas|but|compared\s+to)\s+"
    r"(?:the|this|your)\s+(?:paper|authors?|proposed|submission)\b"
    r"|\bfrom\s+(?:the\s+)?[A-Z][\w-]+(?:['’]s)?\s+paper\b",
)
_CITED = re.compile(r"\[\d{1,3}\]")
_OUT_OF = re.compile(r"\s?(?:/\s?\d|out\s+of|\((?:19|20)\d\d\)|:\s?\d)")


@dataclass(frozen=True, slots=True)
class Reported:
    """A number of a review: its value as written, its decimals, its unit ("", "%", "x", "k")."""

    value: float
    decimals: int
    unit: str
    start: int
    end: int


class Numbers:
    """The numbers of a paper's text, sorted, and by block."""

    def __init__(self, paper: PaperText) -> None:
        self.paper = paper

    @cached_property
    def values(self) -> list[float]:
        """All numbers, sorted, without their signs."""
        text = self.paper.text
        found = {_value(match.group()) for match in _ANY.finditer(text)}
        for match in _MATH.finditer(text):
            # Formulas out of scanned pages have a blank after each digit: "$9 2 . 4$".
            joined = _SPACED.sub("", match.group())
            if joined != match.group():
                found.update(_value(number.group()) for number in _ANY.finditer(joined))
        return sorted(found)

    @cached_property
    def groups(self) -> list[list[float]]:
        """The numbers of each block that contains any; a reader may subtract and divide them."""
        found = []
        for block in self.paper.paper.blocks:
            values = {
                _value(match.group())
                for match in _ANY.finditer(self.paper.text, block.start, block.end)
            }
            if 1 < len(values) < 2000:
                found.append(sorted(values))
        return found

    def has(self, number: Reported) -> bool:
        """Return whether the paper reports ``number``: unchanged, as a share instead of per cent or
        the reverse, in thousands, or with more digits.
        """
        half = 0.5000001 * 10.0**-number.decimals
        scales = {"%": (1.0, 0.01), "x": (1.0,), "k": (1.0, 1e3, 1e6, 1e9)}.get(
            number.unit, (1.0, 100.0, 0.01)
        )
        return any(_near(self.values, number.value * scale, half * scale) for scale in scales) or (
            number.unit == "%" and _near(self.values, 100 - number.value, half)
        )

    def derived(self, number: Reported) -> bool:
        """Return whether ``number`` is the difference, the ratio or the relative change of two
        numbers in one block of the paper.
        """
        half = 0.5000001 * 10.0**-number.decimals
        value = number.value
        for group in self.groups:
            for base in group:
                targets = [(base + value, half)]
                if base and number.unit in ("x", "%"):
                    share = value / 100 if number.unit == "%" else value
                    width = half / 100 if number.unit == "%" else half
                    targets.append((base * share, base * width))
                    if number.unit == "%":
                        targets += [
                            (base * (1 + share), base * width),
                            (base * (1 - share), base * width),
                        ]
                        targets.append((base + share, width))
                if any(_near(group, target, width) for target, width in targets):
                    return True
        return False


def check_numbers(paper: PaperText, review: Sequence[ReviewField]) -> Iterator[Finding]:
    """Yield a finding for each percentage, and each decimal of two or more significant digits, that
    the review reports in a plain statement and that the paper does not contain.

    Tolerance: half a unit of the last decimal that the review gives. A number introduced by "about"
    or "more than", 50% and 100%, anchors, versions and scores are not checked; neither is what a
    subtraction or division of two numbers of one table or paragraph gives.
    """
    numbers: Numbers | None = None
    for field in review:
        seen: set[tuple[float, str]] = set()
        for start, sentence in field.sentences:
            if _NOT_REPORTED.search(sentence) or _OTHERS.search(sentence):
                continue
            if field.cites_reply(start) or _CITED.search(field.text, max(0, start - 200), start):
                continue
            for number in reported(sentence):
                numbers = numbers or Numbers(paper)
                if (number.value, number.unit) in seen or numbers.has(number):
                    continue
                seen.add((number.value, number.unit))
                if _COMPUTED.search(sentence) and numbers.derived(number):
                    continue
                written = " ".join(sentence[number.start : number.end].split())
                yield field.finding(
                    "number",
                    start + number.start,
                    start + number.end,
                    f"{written} is no number of the paper, nor a difference or ratio of two",
                    "suspect",
                )


def reported(sentence: str) -> Iterator[Reported]:
    """Return the numbers of ``sentence`` that could be results of the paper."""
    for match in _NUMBER.finditer(sentence):
        before = sentence[max(0, match.start() - 24) : match.start()]
        if _NAMED_BEFORE.search(before) or _ABOUT.search(before):
            continue
        if _LISTED.search(sentence, max(0, match.start() - 60), match.start()):
            continue
        if _is_item(sentence, match):
            continue
        if _OUT_OF.match(sentence, match.end()):
            continue
        digits = match["digits"]
        unit = _unit(match["unit"] or "")
        decimals = len(digits.partition(".")[2])
        significant = len(digits.replace(",", "").replace(".", "").lstrip("0"))
        if significant < 2 or (not decimals and unit not in ("%", "x")):
            continue
        value = _value(digits)
        if unit == "%" and value in (50.0, 100.0):
            continue
        yield Reported(value, decimals, unit, match.start(), match.end())


def _is_item(sentence: str, number: re.Match[str]) -> bool:
    """Return whether ``number`` ("1.1", "6.1.") is the label of a list item, at the start of its
    line.
    """
    return (
        not number["unit"]
        and "." in number["digits"]
        and _ITEM.search(sentence, max(0, number.start() - 8), number.start()) is not None
        and _AFTER_ITEM.match(sentence, number.end()) is not None
    )


def _unit(written: str) -> str:
    bare = written.strip().lstrip("\\")
    if bare.startswith(("%", "percent")):
        return "%"
    if bare in ("x", "×", "times"):
        return "x"
    return "k" if bare else ""


def _value(digits: str) -> float:
    return float(digits.replace(",", ""))


def _near(values: Sequence[float], target: float, width: float) -> bool:
    index = bisect_left(values, target - width)
    return index < len(values) and values[index] <= target + width
