"""Watermarks survive reformatting, name their anchor, and seldom accuse the innocent."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from revkit.errors import PaperError, StatisticsError
from revkit.testing import context
from revkit_asc.bank.corpus import embedded_bank
from revkit_asc.bank.generate import SECRET
from revkit_asc.bank.leakage import ProbeReply, probe_replies
from revkit_asc.bank.watermark import (
    detect,
    mark,
    pairs,
    secret_digest,
    sites,
    watermark_id,
    words,
)
from revkit_asc.simulation import SimulatedVenue

ANCHORS = embedded_bank().bank.anchors
IDS = [anchor.watermark for anchor in ANCHORS]


def shouted(text: str) -> str:
    return text.upper()


def rewrapped(text: str) -> str:
    found = text.split()
    return "\n".join("  ".join(found[n : n + 7]) for n in range(0, len(found), 7))


def bare(text: str) -> str:
    return re.sub(r"[^\w\s]", "", text)


def emphasised(text: str) -> str:
    return " ".join(f"_{w}_" if n % 3 else f"**{w}**" for n, w in enumerate(text.split()))


def broken(text: str) -> str:
    """Every long word is divided at the end of a line, as in a narrow column."""
    return re.sub(r"\b(\w{3})(\w{3,})\b", r"\1-\n\2", text)


def invisible(text: str) -> str:
    return re.sub(r"(\w{3})(\w)", "\\1\u00ad\u200b\\2", text)


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "a" <= c <= "z" else c for c in text)


def test_the_pairs_are_words_of_their_own() -> None:
    flat = [word for pair in pairs() for word in pair]
    assert len(set(flat)) == len(flat)
    assert all(re.fullmatch(r"[a-z]{4,20}", word) for word in flat)
    # Exchanging one for the other never asks for "an" in the place of "a".
    assert all((a[0] in "aeiou") == (b[0] in "aeiou") for a, b in pairs() if a in ("obtained",))


@pytest.mark.parametrize(
    "change", [str, shouted, rewrapped, bare, emphasised, broken, invisible, wide]
)
def test_a_mark_survives_reformatting(change: object) -> None:
    for anchor in ANCHORS[::12]:
        found = detect(change(anchor.text), SECRET, IDS)  # type: ignore[operator]
        assert found.score == 1.0
        assert found.sites >= 18
        assert found.p == pytest.approx(240 * 0.5**found.sites)
        assert found.p < 0.001


def test_p_is_that_of_a_binomial_test() -> None:
    anchor = ANCHORS[0]
    for other in ANCHORS[1:20]:
        found = detect(anchor.text, SECRET, [other.watermark])
        expected = binomtest(found.agreements, found.sites, 0.5, alternative="greater").pvalue
        assert found.p == pytest.approx(expected, rel=1e-9)


def test_texts_without_a_mark_are_seldom_flagged() -> None:
    """Exact level: of 600 texts at most 5 % and chance (three standard deviations)."""
    venue = SimulatedVenue(papers_=600)
    texts = [paper.text for paper in venue.papers(context(seed=5))]
    one = sum(detect(t, SECRET, [IDS[n % 240]]).p <= 0.05 for n, t in enumerate(texts))
    best = sum(detect(t, SECRET, IDS).p <= 0.05 for t in texts[:100])
    assert one <= 600 * 0.05 + 3 * (600 * 0.05 * 0.95) ** 0.5
    assert best <= 100 * 0.05 + 3 * (100 * 0.05 * 0.95) ** 0.5


def test_another_secret_finds_nothing() -> None:
    flagged = sum(detect(a.text, "another secret", [a.watermark]).p < 0.05 for a in ANCHORS)
    assert flagged <= 240 * 0.05 + 3 * (240 * 0.05 * 0.95) ** 0.5
    assert secret_digest(SECRET) == embedded_bank().bank.secret_digest
    assert secret_digest("another secret") != embedded_bank().bank.secret_digest
    assert all(watermark_id(SECRET, anchor.id) == anchor.watermark for anchor in ANCHORS)


TEXT = """# Often usually

Roughly half. NEARLY all; almost-equal `mainly` at https://often.example/usually [1].

| often | usually |
|---|---|
| rarely | seldom |

```
nearly = often
```

## References

[1] A. Lee. Often, usually, rarely. 2020.
"""


def test_marking_changes_words_of_sentences_alone() -> None:
    seen = set()
    for name in map(str, range(20)):
        marked = mark(TEXT, "s", name)
        assert mark(marked, "s", name) == marked
        changed = re.sub("Roughly|Approximately", "A", marked, count=1)
        changed = re.sub("NEARLY|ALMOST", "B", changed, count=1)
        changed = re.sub("almost-|nearly-", "C", changed, count=1)
        seen.add(changed)
        first = re.search(r"(\w+) half\. (\w+) all; (\w+)-equal", marked)
        assert first is not None
        assert first[2].lower() == first[3]
    untouched = TEXT.replace("Roughly", "A").replace("NEARLY", "B").replace("almost-", "C")
    assert seen == {untouched}
    with pytest.raises(PaperError):
        mark(" ", "s", "x")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=10), st.text(max_size=10))
def test_any_text_can_be_marked_and_read(text: str, secret: str, name: str) -> None:
    """Hostile texts: no error, and twice is once; words after a blank line agree."""
    alone = "Almost roughly often."
    marked = mark(text + alone, secret, name)
    assert mark(marked, secret, name) == marked
    found = detect(mark(alone, secret, name), secret, [name])
    assert found.agreements == found.sites == 3
    detect(text, secret, [name])


def test_a_pair_of_which_both_words_occur_says_nothing() -> None:
    assert sites("almost all, nearly all, often") == {_pair("often"): 1}
    assert words("almost, nearly")[_pair("almost")] == {0, 1}


def _pair(word: str) -> int:
    return next(n for n, pair in enumerate(pairs()) if word in pair)


def test_no_words_no_evidence() -> None:
    found = detect("Nothing here.", SECRET, IDS)
    assert (found.sites, found.agreements, found.p, found.score) == (0, 0, 1.0, None)
    with pytest.raises(StatisticsError, match="no watermark"):
        detect("x", SECRET, [])


def test_an_agent_that_recites_anchors_is_found_and_one_that_guesses_is_not() -> None:
    given = [anchor.text[:300] for anchor in ANCHORS[:12]]
    recited = [ProbeReply(a.watermark, a.text, g) for a, g in zip(ANCHORS, given, strict=False)]
    found = probe_replies(recited, SECRET)
    assert found.agreements == found.sites > 100
    assert found.p < 1e-20
    # Words that were given do not count: repeating only them shows no memory.
    echoed = [ProbeReply(a.watermark, g, g) for a, g in zip(ANCHORS, given, strict=False)]
    assert probe_replies(echoed, SECRET).sites == 0
    # Marked texts of other anchors stand for an agent that writes in the same style from chance.
    rng = random.Random(3)
    p = []
    for _ in range(100):
        chosen = [rng.sample(ANCHORS, 2) for _ in range(4)]
        p.append(probe_replies([ProbeReply(a.watermark, b.text) for a, b in chosen], SECRET).p)
    assert sum(value <= 0.05 for value in p) <= 100 * 0.05 + 3 * (100 * 0.05 * 0.95) ** 0.5
