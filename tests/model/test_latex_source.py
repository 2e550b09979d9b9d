"""LaTeX source: what TeX does not read is no part of a paper's structure, and keeps its bytes."""

import re
from pathlib import Path

import pytest

from revkit.model import Paper
from revkit.model.latex_sign import is_latex
from revkit.model.latex_source import hidden_spans, latex_title, visible_text

HEAD = "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\n"


def hidden(body: str) -> list[str]:
    text = HEAD + body
    return [text[start:end] for start, end in hidden_spans(text)]


def sentences(body: str) -> list[str]:
    work = Paper("p", HEAD + body)
    return [work.text[sentence.start : sentence.end] for sentence in work.sentences]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Costly. % to do\nMore.", ["% to do"]),
        ("In 90\\% of runs.", []),
        ("A break\\\\% note\nhere.", ["% note"]),
        ("A break\\\\\\% here.", []),
        ("% one\n% two\nText.", ["% one", "% two"]),
        ("A %b %c\nd.", ["%b %c"]),
        ("\\iffalse a \\fi b", ["\\iffalse a \\fi"]),
        ("\\iffalse a \\ifx b \\else c \\fi\\fi d", ["\\iffalse a \\ifx b \\else c \\fi\\fi"]),
        ("\\iffalse a \\else b \\fi c", ["\\iffalse a \\else"]),
        ("\\iffalse \\ifthenelse{x}{y}{z} \\fi c", ["\\iffalse \\ifthenelse{x}{y}{z} \\fi"]),
        ("\\if0 a \\fi b", ["\\if0 a \\fi"]),
        ("\\if 0 a \\fi b", ["\\if 0 a \\fi"]),
        ("\\iffalse a \\final b \\fi c", ["\\iffalse a \\final b \\fi"]),
        ("\\iffalse never closed. % note\nMore.", ["% note"]),
        ("% \\iffalse\nText. \\fi", ["% \\iffalse"]),
        ("\\iffalse % \\fi\na \\fi b", ["\\iffalse % \\fi\na \\fi"]),
        ("\\iftrue a \\fi b", []),
        ("\\iffalsehood a \\fi", []),
        ("\\begin{comment}\na %\n\\end{comment}\nb", ["\\begin{comment}\na %\n\\end{comment}"]),
        ("\\begin{verbatim}\n100 % x\n\\iffalse\n\\end{verbatim} % y\n", ["% y"]),
        ("\\begin{lstlisting}\na % b\n\\end{lstlisting}\nText.", []),
        ("\\verb|%| is a sign. % y\n", ["% y"]),
        ("\\lstinline!a % b! here. % y\n", ["% y"]),
        ("\\url{http://a.b/c%20d} here. % y\n", ["% y"]),
        ("Text.\n\\end{document}\nNot read.\n", ["\nNot read.\n"]),
        ("Text.\n\\end{document}\n", []),
    ],
)
def test_what_tex_does_not_read(body: str, expected: list[str]) -> None:
    assert hidden(body) == expected


@pytest.mark.parametrize(
    "text",
    [
        "# Gates\n\nIn 90% of runs $a \\in b$.\n\n```\n\\documentclass{article} % x\n```\n",
        "We gain 5 % more, \\cite{lee} says.",
        "\\begin{equation} a \\end{equation} In 90% of runs.",
        "",
    ],
)
def test_other_texts_hold_no_comments(text: str) -> None:
    assert not is_latex(text)
    assert hidden_spans(text) == ()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One gate. % Two.\nThree gates.", ["One gate.", "Three gates."]),
        ("One\n% Two. Three.\ngate skips.", ["One\n% Two. Three.\ngate skips."]),
        ("One gate.\n\n% Two.\n\nThree gates.", ["One gate.", "Three gates."]),
        ("One gate.\n\\iffalse\n\\section{Old}\n\n\\fi\nTwo gates.", ["One gate.", "Two gates."]),
        ("% \\section{Old}\nOne gate.", ["One gate."]),
        ("\\iffalse Old. \\fi One gate.", ["One gate."]),
    ],
)
def test_sentences_are_read_without_comments(body: str, expected: list[str]) -> None:
    assert sentences(body) == expected
    assert {block.section for block in Paper("p", HEAD + body).blocks[1:]} == {"Introduction"}


def test_comments_are_counted_nowhere_and_protected_within_prose() -> None:
    body = (
        "We skip \\cite{a} tokens % not \\cite{b} these\nin 90\\% of runs.\n\\bibitem{a} A. 2019.\n"
    )
    work = Paper("p", HEAD + body + "% \\bibitem{b} B. 2001.\n")
    assert work.words == 8  # We skip \cite{a} tokens in 90\% of runs.
    assert [citation.keys for citation in work.citations] == [("a",)]
    assert [(entry.label, entry.year) for entry in work.references] == [("a", 2019)]
    prose = next(block for block in work.blocks if block.is_prose)
    spans = [work.text[s.start : s.end] for s in work.protected(prose.start, prose.end)]
    assert "% not \\cite{b} these" in spans


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("\\title{Working}\n\\title{Gates}", "Gates"),
        ("\\title{Gates}\n% \\title{Old}", "Gates"),
        ("% \\title{Old}\n\\title{Gates}", "Gates"),
        ("\\title[Short]{Gates\\\\ for \\textbf{Sets}\\thanks{Funded by {X}.}}", "Gates for Sets"),
        ("\\title{Gates % old\nand Sets}", "Gates and Sets"),
        ("\\title{$\\ell_1$ Gates \\& Sets}", "$\\ell_1$ Gates & Sets"),
        ("\\title%\n{Gates~and\\\\[2pt]Sets}", "Gates and Sets"),
        ("\\titlerunning{Short}\n\\title{Gates}", "Gates"),
        ("\\icmltitle{Gates}", "Gates"),
        ("\\title{}", ""),
        ("\\title{Never closed", ""),
        ("\\iffalse\\title{Old}\\fi", ""),
    ],
)
def test_the_last_title_counts(source: str, expected: str) -> None:
    assert latex_title(f"\\documentclass{{article}}\n{source}\n\\begin{{document}}\n") == expected


def test_the_visible_text_has_the_length_and_lines_of_prose_of_the_text() -> None:
    text = HEAD + "One. % two\n% three\nFour.\n\n\\iffalse\nfive\n\\fi\n"
    visible = visible_text(text, hidden_spans(text))
    assert len(visible) == len(text)
    assert visible.split() == (HEAD + "One. Four.").split()


def test_many_openers_take_time_in_proportion() -> None:
    # Seconds where each opener searched the rest again.
    for opener in ("\\iffalse ", "\\begin{comment}", "\\begin{verbatim}", "\\verb|", "\\url{", "%"):
        hidden_spans(HEAD + opener * 20_000)


CASE = Path(__file__).resolve().parents[2].parent / "shared/cases/latex-comments/papers"


@pytest.mark.skipif(not CASE.is_dir(), reason=f"the shared cases are not here: {CASE}")
def test_the_shared_case() -> None:
    text = (CASE / "comment.tex").read_text()
    work = Paper("p", text)
    assert latex_title(text) == "Sparse Gates for Long Documents"
    assert latex_title((CASE / "two.tex").read_text()) == "Sparse Gates for Long Documents"
    assert work.words == 22
    assert [entry.year for entry in work.references] == [2019]
    assert [b.section for b in work.blocks if b.kind == "heading"] == ["Introduction"]


NEW = "\\newif\\ifdraft "
SWITCHES = [
    NEW + "\\draftfalse \\ifdraft off \\fi on",
    NEW + "\\drafttrue \\ifdraft on \\else off \\fi on",
    NEW + "\\ifdraft off \\else on \\fi",
    NEW + "\\ifdraft off \\fi \\drafttrue \\ifdraft on \\fi",
    NEW + "% \\drafttrue\n\\ifdraft off \\fi on",
    "\\let\\ifdraft\\iffalse \\ifdraft off \\fi on",
    "\\let\\ifdraft=\\iftrue \\ifdraft on \\else off \\fi",
    "\\iftrue on \\iffalse off \\else on \\fi \\else off \\ifx\\a\\b off \\fi \\fi on",
    "\\ifnum1=2 off \\fi \\ifnum 3>2 on \\else off \\fi",
    "\\def\\version{2}\\ifnum\\version=1 off \\else on \\fi",
    "\\ifodd2 off \\else on \\fi",
    "\\if01 off \\fi \\if00 on \\fi \\if0\\section{off}\\fi",
    "\\newcommand{\\blind}{0}\\if0\\blind on \\fi \\if1\\blind off \\fi",
    "\\newtoggle{x}\\togglefalse{x}\\iftoggle{x}{off\n\noff}{on}",
    "\\newtoggle{x}\\toggletrue{x}\\iftoggle{x}{on} {off}",
    "\\newbool{x}\\setbool{x}{true}\\ifbool{x}{on}{off}",
    "\\newboolean{x}\\setboolean{x}{false}\\ifthenelse{\\boolean{x}}{off}{on}",
    "\\setboolean{x}{true}\\ifthenelse{\\not\\boolean{x}}{off}{on}",
    "\\excludecomment{notes}\\begin{notes}\noff\n\\end{notes} on",
    "\\newenvironment{hide}{\\comment}{\\endcomment}\\begin{hide}\noff\\end{hide} on",
    "\\newcommand{\\hide}[1]{}\\hide{off {off} off} on",
    "\\def\\arxiv{}\\ifdefined\\arxiv on \\else off \\fi",
    # What the source does not show: both branches count.
    "\\ifdefined\\arxiv on \\else on \\fi",
    "\\ifx\\undefined\\foo on \\fi \\ificlrfinal on \\else on \\fi",
    "\\if0\\blind on \\fi \\ifnum\\version=1 on \\fi",
    NEW + "\\newcommand{\\final}{\\drafttrue}\\ifdraft on \\fi",
    NEW + "\\ifx\\a\\b\\drafttrue\\fi \\ifdraft on \\else on \\fi",
    NEW + "\\DeclareOption{x}{\\finalfalse\\drafttrue}\\ifdraft on \\fi",
    NEW + "\\ifdraft on",
    "\\newcommand{\\ifarxiv}[2]{#1}\\ifarxiv{on}{on} \\iffalse \\ifarxiv{off}{off} \\fi on",
    NEW + "\\begin{verbatim}\n\\ifdraft on\n\\end{verbatim}",
    "\\ifcase1 on\\or on\\or on\\fi",
]


@pytest.mark.parametrize("body", SWITCHES)
def test_what_a_switch_turns_off(body: str) -> None:
    text = HEAD + body
    seen = visible_text(text, hidden_spans(text))
    assert len(seen) == len(text)
    assert re.findall(r"\boff\b", seen) == []
    assert len(re.findall(r"\bon\b", seen)) == len(re.findall(r"\bon\b", text))


def test_text_that_a_switch_turns_off_is_no_part_of_the_paper() -> None:
    work = Paper(
        "p",
        "\\documentclass{article}\\newif\\ifdraft\n\\begin{document}\n\\section{Introduction}\n"
        "Gates are open.\n\\ifdraft\n\\section{Secret}\nPerhaps nobody reads it.\n\\fi\n"
        "They close.\n"
        "\\end{document}\n",
    )
    assert [work.text[b.start : b.end] for b in work.blocks if b.kind == "heading"] == [
        "Introduction"
    ]
    assert work.words == 5


def test_nested_choices_take_time_in_proportion_to_the_text() -> None:
    head = f"{HEAD}\\newtoggle{{x}}\\toggletrue{{x}}"
    for count in (20, 200_000):
        text = head + "\\iftoggle{x}{" * count + "}" * count
        assert visible_text(text, hidden_spans(text)) == text
