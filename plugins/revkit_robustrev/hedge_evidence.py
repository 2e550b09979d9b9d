"""Make what evidence shows into what it suggests."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.guards import MODALS, last_plain
from revkit_robustrev.hedge_place import EVIDENCE, NEGATIONS, HedgePlace, from_evidence

# A report of these is a derivation or a property of the making, not what evidence shows.
_DERIVED = re.compile(
    r"\b(?:proportional|minim(?:a|um|izer|izers)|maxim(?:a|um)|saddle|convex|bound(?:s|ed)?"
    r"|eigen\w*"
    r"|singular|norms?|rank|ranks|monotonic\w*|expectation|probabilit(?:y|ies)|invarian\w*"
    r"|symmetr\w*|linearly|matri(?:x|ces)|derivatives?|gradients?|equilibri\w*|optimum|rigorous\w*"
    r"|converges?|polynomial|infinite\w*|complexity|sublinear|asymptotic\w*)\b",
    re.IGNORECASE,
)
_PROVEN = re.compile(r"\b(?:deriv\w{3,6}|theor\w{1,8}|analytic\w*|examples?|calculations?)\b", re.I)


# What was counted or measured: a ratio in words, a rank that was reached, a comparison.
_COUNTED = re.compile(
    r"\b(?:twice|thrice|doubl(?:e[ds]?|ing)|halv(?:e[ds]?|ing)|half|tripled?|\w{2,20}fold"
    r"|(?:two|three|four|five|ten) times|(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"|achieved|obtained|reached|attained|won"
    r"|outperform(?:s|ed|ing)?|surpass(?:es|ed)?|state[- ]of[- ]the[- ]art|sota|best|worst|margin"
    r"|(?:better|worse|higher|lower|larger|smaller|faster|slower|fewer|longer|shorter|more|less)"
    r"[ \n](?:[a-z-]{2,20}[ \n]){0,4}than|superior to|inferior to|on par|comparable"
    r"|compared (?:to|with)|superiority|improvements?|gains?|according to|metrics?|judg\w+"
    r"|generates|produces|fails?\b|failed"
    r"|all (?:the )?(?:tested )?(?:tasks|datasets|benchmarks|metrics|tests|cases|settings)"
    r"|levels?[ \n](?:of|was|were|is|are|in)|percent(?:age)?|prevalence"
    r"|most (?:common|commonly|abundant|prevalent)"
    r"|(?:increases?|decreases?|drops?|rises?|falls?|grows?)[ \n](?:as|with)"
    r"|(?:increased|decreased|dropped|rose|fell|declined|grew)|different from|differ(?:s|ed)? from"
    r"|(?:wide )?range of|ranged|identical|measured|equal)\b",
    re.IGNORECASE,
)


_FOUND = re.compile(
    r"[^.;]{0,400}?\b(?:was|were|had|did|significantly|varied|reduced|existed|occurred|improved"
    r"|enhanced|caused|led|resulted|localized|expressed|detected|alters?|expensive)\b"
)
_OTHERS = re.compile(
    r"\b(?:previous|prior|earlier|several|other|recent|many|numerous|some)\b", re.I
)


def derived(place: HedgePlace) -> bool:
    """Whether the sentence reports a derivation, which its author does not doubt."""
    return bool(_DERIVED.search(place.text, place.low, place.high))


def add_report(place: HedgePlace) -> Edit | None:
    """ "The results show that" becomes "The results suggest that"."""
    before = last_plain(place.before)
    if place.before.word.endswith("ly"):
        return None  # "comprehensively show"
    if derived(place) or place.before.word in NEGATIONS | MODALS | {"theory", "and"}:
        return None
    if before not in EVIDENCE and not from_evidence(place):
        return None
    if before in ("it", "that"):
        return None  # "it shows that": a figure or a table, as often as not
    if _PROVEN.search(place.text, place.low, place.start) or _COUNTED.search(place.rest):
        return None
    past = place.form.startswith(("showed", "demonstrated", "revealed", "confirmed", "ha"))
    if past and not _OTHERS.search(place.text, place.low, place.start):
        return None  # "this study has shown that": what it found
    if re.search(
        r"\b(?:majority|clustered|belong\w*|achieves?|reaches|consistently)\b", place.rest
    ):
        return None
    if _FOUND.match(place.rest):
        return None  # what a study measured: "shows that the feed was contaminated"
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_WORTH = re.compile(
    r"[ \n](?:[a-z-]{2,20}[ \n])?(?:effectiveness|efficacy|usefulness|importance|potential"
    r"|superiority|robustness|benefits?|advantages?|ability|value|necessity|need|validity"
    r"|significance|strength|capability|feasibility|promise|power)\b"
)


def add_quality(place: HedgePlace) -> Edit | None:
    """ "The results demonstrate the importance of A" becomes "suggest the importance of A"."""
    return add_report(place) if _WORTH.match(place.rest) else None


def add_showing(place: HedgePlace) -> Edit | None:
    """ "A rises, showing that" becomes "A rises, suggesting that"."""
    head = place.text[place.low : place.start].rstrip()
    if derived(place) or not head.endswith(",") or len(head.split()) < 6 or _PROVEN.search(head):
        return None
    if _COUNTED.search(place.rest):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def add_showing_quality(place: HedgePlace) -> Edit | None:
    """ ", showing the value of A" becomes ", suggesting the value of A"."""
    return add_showing(place) if _WORTH.match(place.rest) else None
