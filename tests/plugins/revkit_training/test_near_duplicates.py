"""Near duplicates: shares that are counted by hand, and versions of a text that must be found."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import RunError
from revkit.model.paper import Paper
from revkit_training.bench import Bench, BenchPaper, title_key
from revkit_training.near_duplicates import KnownTexts, RunsOf, words_of

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"


def text(seed: int, words: int = 800) -> str:
    """A text of made-up words, with a sentence end now and then."""
    rng = random.Random(seed)
    drawn = [f"w{rng.randrange(3000)}" for _ in range(words)]
    return " ".join(word + ("." if number % 17 == 16 else "") for number, word in enumerate(drawn))


def known(*texts: str) -> Bench:
    bench = Bench(0.2)
    bench.fill(BenchPaper(f"b{n}", f"Title {n}", each) for n, each in enumerate(texts))
    return bench


def compared(bench: Bench, body: str, id_: str = "t", title: str = "Another title") -> tuple:  # type: ignore[type-arg]
    found = bench.compare(Paper(id_, body, title), words_of(body))
    return (found.match and (found.match.reason, found.match.bench), found.similarity)


def by_hand(first: str, second: str) -> float:
    """Containment over runs of five words, with sets of tuples."""

    def runs(body: str) -> set[tuple[str, ...]]:
        words = words_of(body)
        size = min(5, len(words))
        return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}

    a, b = runs(first), runs(second)
    return len(a & b) / min(len(a), len(b))


def test_a_share_counted_by_hand() -> None:
    # Runs of five in ten words: six each; the last word differs, so five are shared.
    first, second = "a b c d e f g h i j", "a b c d e f g h i x"
    assert compared(known(first), second)[1] == pytest.approx(5 / 6)
    # Of a piece of seven words all three runs are there.
    assert compared(known(first), "c d e f g h i")[1] == 1.0
    assert compared(known("c d e f g h i"), first)[1] == 1.0
    # Fewer words than a run are one run, which a longer text does not hold.
    assert compared(known("a b c"), "A, b c!") == (("same text", "b0"), 1.0)
    assert compared(known(first), "a b c")[1] == 0.0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=40), min_size=1, max_size=5),
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=40),
)
def test_every_text_is_counted(bench: list[list[str]], other: list[str]) -> None:
    of = RunsOf()
    nearest = KnownTexts(of.of(each) for each in bench).nearest(of.of(other))
    assert nearest is not None
    shares = [by_hand(" ".join(each), " ".join(other)) for each in bench]
    assert nearest.similarity == pytest.approx(max(shares))
    assert nearest.place == shares.index(max(shares))


def test_nothing_to_compare() -> None:
    assert KnownTexts([]).nearest(RunsOf().of(["a"])) is None
    assert KnownTexts([RunsOf().of([])]).nearest(RunsOf().of(["a"])).similarity == 0  # type: ignore[union-attr]
    with pytest.raises(RunError, match="no paper to compare"):
        known()


def test_versions_of_a_paper_are_found() -> None:
    original = text(1)
    bench = known(text(7), original, text(8))
    rng = random.Random(2)
    words = original.split()
    edited = " ".join("new" if rng.random() < 0.1 else word for word in words)
    upper = original.upper().replace(" ", "\n")
    title_page = "Other Title\n\nA. Author, Some University\n\n" + original
    for version in (edited, upper, title_page, original[: len(original) // 3], original + text(9)):
        match, similarity = compared(bench, version)
        assert match is not None
        assert match[1] == "b1"
        assert similarity >= 0.2
    assert compared(bench, text(10)) == (None, 0.0)


def test_what_is_the_same_is_told_in_order() -> None:
    body = text(3)
    bench = known(body)
    assert compared(bench, text(4), id_=" B0 ")[0] == ("same id", "b0")
    assert compared(bench, body + "!")[0] == ("same text", "b0")
    assert compared(bench, text(4), title="TITLE: 0")[0] == ("same title", "b0")
    assert compared(bench, body + " " + text(5))[0] == ("near duplicate", "b0")


def test_a_paper_without_title_has_its_first_heading() -> None:
    assert title_key("", "\n# On  Gates!\n\nText") == "on gates"
    assert title_key("", "On gates\n\nText") == ""
    assert compared(known("# x\n\n" + text(1)), text(2), title="")[0] is None


def test_order_of_the_bench_does_not_matter() -> None:
    papers = [BenchPaper(f"b{n}", f"Title {n}", text(n)) for n in range(6)]
    first, second = Bench(0.2), Bench(0.2)
    first.fill(iter(papers))
    second.fill(iter(papers[::-1]))
    assert first.digest == second.digest
    other = Paper("t", text(3) + text(4))
    assert first.compare(other, words_of(other.text)) == second.compare(other, words_of(other.text))


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real papers in ../shared/data")
def test_real_papers_are_far_below_the_threshold() -> None:
    from revkit.testing import context
    from revkit_corpora.markdown import Markdown

    corpus = Markdown(path=str(SHARED / "markdown_papers"))
    papers = [each for each in corpus.papers(context(seed=1)) if isinstance(each, Paper)]
    assert len(papers) > 20
    of = RunsOf()
    runs = [of.of(words_of(paper.text)) for paper in papers]
    for number, own in enumerate(runs):
        nearest = KnownTexts(runs[:number] + runs[number + 1 :]).nearest(own)
        assert nearest is not None
        assert nearest.similarity < 0.1, papers[number].id
    for one, other in pairwise(papers[:10]):
        cut = one.text[len(one.text) // 3 :]
        assert compared(known(other.text, one.text), cut)[0] == ("near duplicate", "b1")


@pytest.mark.parametrize(
    "text",
    [
        "Schrodinger\u2019s naive Cafe",
        "Schr\u00f6dinger\u2019s na\u00efve Caf\u00e9",
        "Schro\u0308dinger\u2019s nai\u0308ve Cafe\u0301",
        "Schro\u00addinger\u2019s na\u200bive\ufeff Ca\u2060fe",
        "\uff33chrodinger\u2019s na\u2071ve CAFE",
    ],
)
def test_accents_and_unseen_signs_make_no_other_word(text: str) -> None:
    assert words_of(text) == ["schrodinger", "s", "naive", "cafe"]
