"""Commands and tags within prose whose content is not the words of a sentence."""

from __future__ import annotations

import pytest

from revkit.model import Paper


def protected(text: str) -> list[str]:
    return [text[span.start : span.end] for span in Paper("a", text).protected(0, len(text))]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("Use \\texttt{a {b} c} now.", ["\\texttt{a {b} c}"]),
        ("Use \\texttt{a \\} c} now.", ["\\texttt{a \\} c}"]),
        ("Use \\emph{a b} now.", ["\\emph"]),
        ("Use \\textttx{a b} now.", ["\\textttx"]),
        ("Use \\verb|a b| and \\verb*+c d+.", ["\\verb|a b|", "\\verb*+c d+"]),
        ("Use \\lstinline[x=1]!a b! now.", ["\\lstinline[x=1]!a b!"]),
        ("Use \\mintinline{c}{a b} now.", ["\\mintinline{c}{a b}"]),
        ("Use \\hyperref[a b]{the words} now.", ["\\hyperref[a b]"]),
        ("Use \\href{a b}{the words} now.", ["\\href{a b}"]),
        ("Gates\\index{a b} are \\gls{a b}.", ["\\index{a b}", "\\gls{a b}"]),
        # Without an end nothing but the command is protected.
        ("Use \\texttt{a b now.", ["\\texttt"]),
        ("Use \\verb|a b now.", ["\\verb"]),
        ("See \\begin{tabular}{l}a b\\end{tabular} now.", ["\\begin{tabular}{l}a b\\end{tabular}"]),
        ("See \\begin{tabular}{l}a\nb c", ["\\begin{tabular}{l}a\nb c"]),
        ("See \\begin{itemize}a b\\end{itemize}.", ["\\begin{itemize}", "\\end{itemize}"]),
        ("Use <code>a b</code> now.", ["<code>a b</code>"]),
        ("Use <b>a b</b> now.", ["<b>", "</b>"]),
        ("Use <code>a b now.", ["<code>"]),
        ("Use [the words](<a.org/b c>) now.", ["](<a.org/b c>)"]),
        ("Use [the words](a.org 'b c') now.", ["](a.org 'b c')"]),
        ("Write a < b and c > d.", []),
    ],
)
def test_literal_parts_are_protected_and_words_are_not(text: str, spans: list[str]) -> None:
    assert protected(text) == spans
