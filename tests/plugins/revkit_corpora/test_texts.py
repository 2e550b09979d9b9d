"""Texts: double encoding, titles, excerpts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.papers import find_title
from revkit.venues.texts import clean, excerpt


def test_text_encoded_twice_is_decoded_and_noted() -> None:
    broken = "It\u00e2\u0080\u0099s a \u00e2\u0080\u009ctest\u00e2\u0080\u009d"
    text, notes = clean(broken)
    assert text == "It’s a “test”"
    assert notes == ("repaired 3 characters encoded twice",)


def test_windows_form_may_be_meant_and_stays() -> None:
    text, notes = clean("Itâ€™s")
    assert text == "Itâ€™s"
    assert notes == ("1 place may be encoded twice: left as written",)


@pytest.mark.parametrize("text", ["Ångström", "naïve Â", "Ã la carte", "Â£5 ±2", "日本語"])
def test_ordinary_text_is_untouched(text: str) -> None:
    assert clean(text) == (text, ())


def test_nul_and_surrogates() -> None:
    assert clean("a\x00b\ud835c") == (
        "ab\ufffdc",
        ("replaced 1 lone surrogate", "removed 1 control character"),
    )


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=50))
def test_real_double_encoding_comes_back(text: str) -> None:
    twice = text.encode("utf-8").decode("latin-1")
    if any("\x80" <= c <= "\xa0" for c in text):
        return
    again = clean(twice)[0]
    for character in text:
        if any("\x80" <= c <= "\x9f" for c in character.encode().decode("latin-1")):
            assert character in again


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# A title\n\ntext", "A title"),
        (
            "# ON THE RELATIONSHIP\n## AND LEARNING\n\n**Anonymous**",
            "ON THE RELATIONSHIP AND LEARNING",
        ),
        ("Under review\n\n## Title #\n", "Title"),
        ("Under review at X\nNO HEADING\nABSTRACT\n", "NO HEADING"),
        ("# Abstract\n\ntext", ""),
        ("# 3.3 Method\n\ntext", ""),
        ("# Title\n# 1 Introduction\n", "Title"),
        ("\\documentclass{x}\n\\title{A \\\\ B}\n", "A B"),
        ("```\n# code\n```\n", ""),
        ("#hashtag\n", ""),
        ("", ""),
        ("line\n" * 10 + "# Late\n", ""),
    ],
)
def test_title(text: str, title: str) -> None:
    assert find_title(text) == title


def test_excerpt_is_one_printable_line() -> None:
    assert excerpt("a\n\ud835\x00") == r"'a\n\ud835\x00'"
    assert excerpt("x" * 100, 5) == "'xxxxx'..."
