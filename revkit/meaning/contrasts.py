"""Words of contrast, inclusion and order in time that only one of two sentences has."""

from __future__ import annotations

import re

from revkit.meaning.change import MeaningChange
from revkit.meaning.denials import denies
from revkit.meaning.words import Words, related, small_edit

# Words of contrast; "as" and "since" are causes or times.
_CONTRAST = re.compile(
    r"\b(?:although|though|despite|in spite of|regardless|irrespective|notwithstanding|nevertheless"
    r"|nonetheless|even (?:if|though|when))\b",
    re.IGNORECASE,
)
_WEAK_CONTRAST = re.compile(
    r"\b(?:but|however|yet|still|while|whilst|whereas|even|unlike|instead"
    r"|without|independent(?:ly)?|not|no)\b",
    re.IGNORECASE,
)


def contrast_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a word of contrast ("despite") that only the new sentence has, if the old one has none
    of a weaker kind ("but", "while").
    """
    found = []
    match = _CONTRAST.search(new.text)
    if match and not _CONTRAST.search(old.text) and not _contrasts(old, new):
        found.append(MeaningChange("opposite", f"gained {match[0].lower()}"))
    if not small_edit(old, new):
        for one, other in ((old, new), (new, old)):
            if (
                _DIFFERS.search(one.text)
                and not _RESEMBLES.search(one.text)
                and _RESEMBLES.search(other.text)
                and not _DIFFERS.search(other.text)
                and not any(denies(word) for word in (*one.lowers, *other.lowers))
            ):
                found.append(MeaningChange("opposite", "like and unlike"))
            if (
                _BETTER.search(one.text)
                and not (_EQUAL.search(one.text) or _COMPARABLE.search(one.text))
                and _EQUAL.search(other.text)
                and not _BETTER.search(other.text)
                and not any(denies(word) for word in (*one.lowers, *other.lowers))
            ):
                found.append(MeaningChange("opposite", "better and equal"))
    return found


_BETTER = re.compile(
    r"\b(?:\w{2,}er than|(?:more|less) (?:\w+ ){0,2}than|better|worse|outperform\w*"
    r"|underperform\w*|surpass\w*|exceed\w*|beats?|superior|inferior)\b",
    re.IGNORECASE,
)
_EQUAL = re.compile(
    r"\b(?:equally|as (?:good|bad|large|small|fast|slow|accurate|high|low|strong|weak) as"
    r"|to the same (?:degree|extent)|the same \w+ as|on a par with|no better|no worse)\b",
    re.IGNORECASE,
)
_COMPARABLE = re.compile(
    r"\b(?:comparab\w+|competitive|keeps? pace|on par|match(?:es|ed|ing)?|rivals?)\b", re.IGNORECASE
)
_BOTH = re.compile(
    r"\b(?:both|as well as|alike|and also|not only|along with|together with)\b", re.IGNORECASE
)
_BUT_NOT = re.compile(
    r"\b(?:(?:but|and) (?:not|no)|rather than|instead of|not (?:for|in|on|of|with|to|the))\b", re.I
)


def inclusion_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a change if one sentence names two things together ("both A and B") and the other
    one of the two without the other ("A but not B").
    """
    if any(
        _BOTH.search(one.text)
        and not _BUT_NOT.search(one.text)
        and _BUT_NOT.search(other.text)
        and not _BOTH.search(other.text)
        for one, other in ((old, new), (new, old))
    ):
        return [MeaningChange("quantity", "both and one without the other")]
    return []


def _contrasts(old: Words, new: Words) -> bool:
    """Whether the old sentence has a weak word of contrast; a negation is none where the new one
    has lost what states a cause or a condition.
    """
    match = _WEAK_CONTRAST.search(old.text)
    if match is None or _BUT.search(old.text):
        return match is not None
    return not (_REASON.search(old.text) and not _REASON.search(new.text))


_BUT = re.compile(
    r"\b(?:but|however|yet|still|while|whilst|whereas|unlike|instead)\b", re.IGNORECASE
)
_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|thanks to|therefore|thus|hence|(?<!even )if|(?<!even )when"
    r"|unless|given that|without|so that|in order to)\b",
    re.IGNORECASE,
)
_DIFFERS = re.compile(
    r"\b(?:unlike|in contrast (?:to|with)|contrary to|as opposed to"
    r"|differ(?:s|ed|ent(?:ly)?)? from)\b",
    re.IGNORECASE,
)
_RESEMBLES = re.compile(
    r"(?:^|, )[Ll]ike (?!to\b)|\b(?:similar(?:ly)? to|resembl\w+|in line with|just like"
    r"|(?:is|are) like|the same (?:way )?as)\b"
)


_ORDINAL = re.compile(r"\b(?:first|second|third|fourth|last)\b(?!\s*,)", re.IGNORECASE)
_ORDER = re.compile(
    r"\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|last(?:ly)?|initial(?:ly)?|final(?:ly)?"
    r"|begin\w*|began|start\w*|then|next|later|before|prior|after\w*|follow\w*|subsequent\w*"
    r"|previous\w*|earl\w+|precede\w*|once|until|when|as soon|since|now|end\w*|further|pre-?\w+"
    r"|sequen\w+|success\w+|order|other|former|latter)\b",
    re.IGNORECASE,
)
_SEQUENCE = re.compile(
    r"\b(?:before|prior to|(?<!one )after|afterwards|subsequent(?:ly)?)\b(?! all\b)", re.IGNORECASE
)


def order_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a word of order in time ("after", "second") that only one sentence has, if the other
    has no word of order at all.
    """
    found = []
    for these, those, verb in ((new, old, "gained"), (old, new, "lost")):
        match = _SEQUENCE.search(these.text) or _ORDINAL.search(these.text)
        if match and not _ORDER.search(those.text) and not _names_step(match, these, those):
            found.append(MeaningChange("opposite", f"{verb} {match[0].lower()}"))
        if _AHEAD.search(those.text) and not _PLAN.search(these.text) and _done(these, those):
            found.append(MeaningChange("opposite", "future and past"))
    return found


def _names_step(match: re.Match[str], these: Words, those: Words) -> bool:
    """Whether a free rewording says "after training" for "trained": the other sentence has the
    step.
    """
    if match[0].lower() != "after" or small_edit(these, those):
        return False
    step = next((word for word in these.content if word.start >= match.end()), None)
    return step is not None and any(related(step.family, word.family) for word in those.all)


_AHEAD = re.compile(
    r"\b(?:will|shall|plan(?:s|ned)? to|intend\w* to|going to|hope(?:s|fully)?"
    r"|in (?:the )?future)\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:will|shall|would|if|going to|plan\w*|hope\w*|may|future|next)\b", re.IGNORECASE
)
_PERFECT = re.compile(
    r"\b(?:have|has|had|was|were)\s+(?:(?:\w+ly|long|already|since|just)\s+)?"
    r"(?:been\s+)?\w+(?:ed|en|wn|ne)\b",
    re.IGNORECASE,
)


def _done(these: Words, those: Words) -> bool:
    return bool(_PERFECT.search(these.text)) and not _PERFECT.search(those.text)
