"""Titles and names in all spellings, and what two of them say of one another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.works import authors_agree, fold_words, is_same_person, is_short, same_title, title_key
from revkit.works.names import family_word, split_name
from tests.cpu_time import cpu_seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lévy", ["levy"]),
        ("L´evy", ["levy"]),
        ("L ´evy", ["levy"]),
        ("Le\u0301vy", ["levy"]),
        (r"L\'evy", ["levy"]),
        (r"L{\'e}vy", ["levy"]),
        ("Poincar´ e maps", ["poincare", "maps"]),
        ("Schr ¨odinger", ["schrodinger"]),
        ("Nu´n˜ez", ["nunez"]),
        ("Øyvind Łukasz", ["oyvind", "lukasz"]),
        ("eﬃcient ﬂow", ["efficient", "flow"]),
        ("Deep resid-\nual nets", ["deep", "residual", "nets"]),
        ("Deep resid- ual nets", ["deep", "residual", "nets"]),
        ("pre- and post-training", ["pre", "and", "post", "training"]),
        ("net\u00adwork\u200bs", ["networks"]),
        ("β-VAE", ["beta", "vae"]),
        (r"$\beta$-VAE", ["beta", "vae"]),
        ("STRASSE straße", ["strasse", "strasse"]),
        ("\u201cQuoted\u201d \u2013 title?", ["quoted", "title"]),
    ],
)
def test_words_fold_to_letters_and_digits(text: str, expected: list[str]) -> None:
    assert fold_words(text) == expected


@given(st.text(max_size=60))
def test_a_key_has_letters_and_digits_alone(text: str) -> None:
    assert title_key(text) == "" or title_key(text).isalnum()


@pytest.mark.parametrize("piece", ["a- ", "´ a", " ´", "\\'e", "\\", "-\n", "{\\'"])
def test_folding_is_linear(piece: str) -> None:
    assert cpu_seconds(lambda: fold_words(piece * 100_000), 2.0) < 2.0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("BERT: Pre-training of deep transformers", "BERT: Pretraining of Deep Transformers", True),
        ("Sparse gates for long documents", "Sparse gates for long documents: A first look", True),
        ("Sparse gates for long documents", "Sparse gates for long documents: Part 2", False),
        ("Sparse gates for long documents?", "Sparse gates for long documents? A reply", True),
        ("Attention Is All You Need", "Attention Is Not All You Need", False),
        ("Deep learning", "Deep learning: A survey of it", False),
    ],
)
def test_titles(one: str, other: str, same: bool) -> None:
    assert same_title(one, other) is same
    assert same_title(other, one) is same


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Deep learning", True),
        ("A survey of deep learning", True),
        ("Attention Is All You Need", False),
        ("Adam: A method for stochastic optimization", False),
    ],
)
def test_short_titles(title: str, short: bool) -> None:
    assert is_short(title) is short


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Kaiming He", "He, Kaiming", True),
        ("Kaiming He", "K. He", True),
        ("Kaiming He", "He Kaiming", True),
        ("Kaiming He", "Xin He", False),
        ("Kaiming He", "Kaiming Hu", False),
        ("Laurens van der Maaten", "L. Maaten", True),
        ("José Núñez Jr.", "Nunez, Jr., J.", True),
        ("Klaus-Robert Müller", "K. R. Mueller", True),
        ("Quoc V. Le", "Q. V. Le", True),
        ("Zhang K", "Kai Zhang", True),
        ("The ATLAS Collaboration", "ATLAS", True),
        ("He", "Kaiming He", True),
    ],
)
def test_persons(one: str, other: str, same: bool) -> None:
    assert is_same_person(one, other) is same
    assert is_same_person(other, one) is same


def test_authors_agree_by_the_first_or_by_half_of_them() -> None:
    assert authors_agree(["A. Poe", "B. Roe"], ["Ann Poe", "et al."]) is True
    assert authors_agree(["A. Poe", "B. Roe"], ["B. Roe", "A. Poe"]) is True
    assert authors_agree(["A. Poe", "B. Roe"], ["C. Doe", "B. Roe"]) is False
    assert authors_agree(["A. Poe"], ["B. Poe"]) is False
    assert authors_agree([], ["B. Poe"]) is None
    assert authors_agree(["et al."], ["B. Poe"]) is None


def test_names_are_split_with_their_particles() -> None:
    assert split_name("Laurens van der Maaten") == ("Laurens", "van der Maaten")
    assert family_word("Laurens van der Maaten") == "maaten"
    assert family_word("Quoc V. Le") == "le"
    assert family_word("van den Oord, Aaron") == "oord"
