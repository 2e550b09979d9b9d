"""Sentences, protected spans and words, each with the expected value written by hand.

In `SENTENCES` a bar marks every place where a sentence ends; the blank after it is the gap.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.sentences import protected_spans, split_sentences
from revkit.model.words import count_runs, count_runs_in, count_words, most_runs

SENTENCES = [
    # Abbreviations.
    "Lee et al. showed that it works.| We agree.",
    "As in Lee et al. The second claim fails.",
    "It holds, e.g. for trees.| It fails, i.e. never works.",
    "See Fig. 2 for details.| The curve is flat.",
    "Figs. 2 and 3 agree.| Tabs. 1 and 2 do not.",
    "Eq. (4) follows.| Eqs. (4) and (5) hold.",
    "Sec. 3.1 gives the proof.| Secs. 4 and 5 extend it.",
    "We compare ours vs. theirs.| Ours wins.",
    "The error is approx. 3 points.| That is small.",
    "A and B are 1 and 2, resp. in this case.| C is 3.",
    "The loss w.r.t. Theta is smooth.| It is convex.",
    "This is known, cf. Smith for a proof.| We omit it.",
    "Dr. Smith and Prof. Jones agreed.| They wrote it.",
    "We sample i.i.d. points.| They are few.",
    "The points are i.i.d.| We use them.",
    "We used cats, dogs, etc. for this.| It worked.",
    "We used cats, dogs, etc.| The rest was mice.",
    "It was made by Acme Inc. in 1999.| It broke.",
    "It was made by Acme Inc.| However, it broke.",
    "See Thm. 3 and Lem. 4.| Then apply Cor. 5.",
    "See refs. 3 and 4.| They differ.",
    "See pp. 3 and vol. 4 there.| It is long.",
    "He lives in the U.S. and works there.| She does not.",
    # Initials and names.
    "The proof is by J. Smith and A. B. Jones.| It is short.",
    "D. E. Knuth wrote it.| We read it.",
    "The details are in Appendix D.| We omit them here.",
    "This is class A.| The other is class B.",
    "It was shown before. de Vries et al. (2017) extend it.".replace(". de", ".| de"),
    # Numbers.
    "It rose by 3.2 points.| It fell by 0.5.",
    "The test was significant (p < .05).| The effect is small.",
    "Here p < .05 holds.| We stop.",
    "1. Introduction to the topic.| It is long.",
    "3.2 Foo is a heading.| This is text.",
    "It was done in 2021.| 30 models were trained.",
    "See version 3. 5 of the tool.",
    "We set k = 5.| The rest is free.",
    "It has 10 M parameters.| It is big.",
    # Ellipses, questions, exclamations.
    "And so on ... The end.",
    "It goes on… Then stops.| Good.",
    "Does it work?| Yes!| It does.",
    "Why is it so?!| Nobody knows.",
    "The tool Yahoo! answers is old.| We skip it.",
    # Brackets and quotations.
    "It works (see above. It is clear.) in all cases.| We stop.",
    "It works.| (See above.)| Then it stops.",
    'He said "It works. It does." and left.| We stayed.',
    'He said "It works."| We agreed.',
    "He said “It works. It does.” Then he left.".replace("” Then", "”| Then"),
    "It has two parts: (1) a map. (2) a fold.".replace(". (2)", ".| (2)"),
    "We test (a) cats (b) dogs.| Both work.",
    "An open ( bracket is here.| It never closes.",
    # Citation marks and superscripts after the stop.
    "It works.[3]| The other fails.[4, 5]",
    "It works [3].| The other fails [4].",
    "It works.^2| The other fails.",
    "It works.<sup>3</sup>| The other fails.",
    "It works.[^1]| The other fails.",
    "It works (Lee et al., 2021).| The other fails.",
    "Lee et al. (2021) tried.| Smith & Jones (2020) failed.",
    "[3] shows this.| [4] refutes it.",
    # Starts that are no capital letter.
    "It works.| iPhone users agree.",
    "The map is open.| $f$ is closed.",
    "The map is open.| \\(f\\) is closed.",
    "The rate is low.| γ is the discount.",
    "The rate is low. and the rest is high.",
    "We use it.| \\citet{lee} does not.",
    "We use `a.B` here.| `c` is free.",
    "**Setup.**| We use two models.",
    "*It works.*| We agree.",
    "We agree.| *Results* follow.",
    # Mathematics, links, addresses.
    "Let $x = 1. Y$ be given.| Then stop.",
    "See https://a.org/b.html. It is long.".replace("html. It", "html.| It"),
    "See [the page. Here](http://a.org/b) for more.| It is long.",
    "Write to a.b@c.org. We answer.".replace("org. We", "org.| We"),
    "It is at doi 10.1000/a.B. We read it.".replace("a.B. We", "a.B.| We"),
    "The set $\\{1, 2\\}$.| The map $f$.",
    # Line breaks of hard-wrapped text.
    "It works\nas Fig.\n2 shows.| We\nstop.",
    "It works.|\nWe stop.",
    # Other languages.
    "これは文です。|次の文です。|「これは引用です。」|終わり。",
    "这是一句。|这是另一句！|真的吗？",
    "Das ist z.B. gut.| Es geht.",
    "Это работает.| Мы согласны.",
    # Nothing to split.
    "No stop at the end",
    "...",
    ".",
    "A.",
]


@pytest.mark.parametrize("marked", SENTENCES)
def test_sentences_end_where_a_reader_ends_them(marked):
    expected = [piece.strip() for piece in marked.split("|")]
    text = marked.replace("|", "")
    found = [text[span.start : span.end] for span in split_sentences(text, 0, len(text))]
    assert found == expected


def test_sentences_keep_to_the_stretch_asked_for():
    text = "Before. It works. We stop.  After. "
    found = split_sentences(text, 8, 27)
    assert [(span.start, span.end) for span in found] == [(8, 17), (18, 26)]


def test_a_stretch_of_blanks_has_no_sentence():
    assert split_sentences(" \n\t ", 0, 4) == ()
    assert split_sentences("", 0, 0) == ()


PROTECTED = [
    ("a $x^2$ b", ["$x^2$"]),
    ("a $ \\alpha $ b", ["$ \\alpha $"]),
    ("it costs $5 and $10 in total", []),
    ("it costs $5, or US$10 there", []),
    ("a \\$5 b \\$6", ["\\$", "\\$"]),
    ("a \\(x\\) and \\[y\\] b", ["\\(x\\)", "\\[y\\]"]),
    ("a `x = 1` and ``y`z`` b", ["`x = 1`", "``y`z``"]),
    ("as (Lee et al., 2021) and [3, 4] say", ["(Lee et al., 2021)", "[3, 4]"]),
    ("as Lee et al. (2021) say", ["Lee et al. (2021)"]),
    ("see https://a.org/b_(c).", ["https://a.org/b_(c)"]),
    ("see (www.a.org/x), or", ["www.a.org/x"]),
    ("doi:10.1000/xyz.1 and arXiv:2104.01234v2 too", ["10.1000/xyz.1", "arXiv:2104.01234v2"]),
    ("to lee.a@b-c.org now", ["lee.a@b-c.org"]),
    ("a <b>bold</b> &amp; <br/> b", ["<b>", "</b>", "&amp;", "<br/>"]),
    ("if a < b and c > d", []),
    ("a [text](http://x.y) b", ["](http://x.y)"]),
    ("a ![alt](x.png) b", ["![alt](x.png)"]),
    ("a note[^1] b", ["[^1]"]),
    ("see \\ref{a} and \\textbf{bold}", ["\\ref{a}", "\\textbf"]),
    ("see Figure~\\ref{a} there", ["Figure~\\ref{a}"]),
    ("in Figure 3 and Table 2", ["Figure 3", "Table 2"]),
    ("in Figures 3 and 4", ["Figures 3 and 4"]),
    ("by Eq. (4) and Section 3.1,", ["Eq. (4)", "Section 3.1"]),
    ("in fig. 1a, see § 3", ["fig. 1a", "§ 3"]),
    ("in Appendix B.2 and Theorem 1", ["Appendix B.2", "Theorem 1"]),
    ("there are 3 cats", []),
    ("a\n% a comment\nb", ["% a comment"]),
    ("a 50% share", []),
    ("(p < .05), e.g., Table 2", ["Table 2"]),
]


@pytest.mark.parametrize(("text", "expected"), PROTECTED)
def test_what_is_no_word_is_protected(text, expected):
    spans = protected_spans(text, 0, len(text))
    assert [text[span.start : span.end] for span in spans] == expected


def test_words_are_runs_with_a_letter_or_a_digit():
    text = "The model -- 3.2 points, (ours) & theirs * $x$ ."
    assert count_words(text, 0, len(text)) == 7
    assert count_words(text, 4, 9) == 1
    assert count_words("...", 0, 3) == 0


@pytest.mark.parametrize("blanks", [False, True], ids=["any text", "all characters of ASCII"])
@given(st.data())
def test_runs_are_those_of_split(blanks: bool, data: st.DataObject) -> None:
    texts = st.text(st.characters(codec="ascii")) if blanks else st.text()
    text = data.draw(texts)
    assert count_runs(text) == len(text.split()) <= most_runs(text)


def test_every_blank_may_end_a_run() -> None:
    blanks = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    assert len(blanks) > 20
    for blank in blanks:
        assert count_runs(f"a{blank}b") == most_runs(f"a{blank}b") == 2


@given(
    st.text(alphabet="ab. \n\t\x1cé"), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)))
)
def test_runs_of_parts_are_those_of_each_part(text: str, pairs: list[tuple[int, int]]) -> None:
    most = len(text)
    spans = [(min(*pair, most), min(max(pair), most)) for pair in pairs]
    assert count_runs_in(text, spans) == [len(text[a:b].split()) for a, b in spans]
