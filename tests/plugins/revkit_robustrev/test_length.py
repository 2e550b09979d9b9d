"""The family `length`: the ratio, what stays, what is added."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import OptionError
from revkit.model import Edit, Paper, Rejection, apply_edits, inverse_edits
from revkit.options import from_options
from revkit.testing import context
from revkit_robustrev.elaboration import judge
from revkit_robustrev.length import Length, Resizing
from revkit_robustrev.length_expand import _phrase, elaborations, parts
from revkit_robustrev.length_links import Links
from revkit_robustrev.length_roadmaps import roadmaps
from revkit_robustrev.length_trims import trims_of
from revkit_robustrev.rewriting.llm_length import LlmLength
from revkit_robustrev.sentence_shape import is_whole, leans

MARKDOWN = Path(__file__).resolve().parents[4] / "shared" / "data" / "markdown_papers"

KEPT = [
    "We show that the parser outperforms all earlier parsers on every corpus.",
    "The parser reaches an accuracy of 91.4 percent.",
    "Details of the corpus are given in Table 2.",
    "A clause is called open when its subject is missing.",
    "First, the sentence is split into words.",
]
DROPPED = [
    "For example, a newspaper prints many sentences with several clauses.",
    "Written text often contains clauses within other clauses.",
    "Readers usually take such sentences in without any trouble.",
    "Of course, spoken language has shorter sentences than written language.",
    "In other words, a clause is a small sentence within a larger sentence.",
]
FILLER = [
    "Grammar books describe the clauses of a language at great length.",
    "Linguists have collected sentences with many clauses for a long time.",
    "Children learn the order of words long before the order of clauses.",
    "Printed sentences carry punctuation that marks the edges of clauses.",
    "Dictionaries list the verbs that take a clause as their object.",
]


def paper_of(*paragraphs: str, title: str = "On Clauses") -> Paper:
    body = "\n\n".join(paragraphs)
    text = f"# {title}\n\n## 1 Introduction\n\n{body}\n\n## References\n\n[1] J. Doe. Rest. 2019.\n"
    return Paper(id="p", text=text, title=title)


def costs(sentence: str) -> float | None:
    lead = "Parsers read text."
    start = "The sea is wide. The sea is deep. The sea is blue."
    return judge(paper_of(start, f"{lead} {sentence} The end is near."))[4].cost


@pytest.mark.parametrize("sentence", KEPT)
def test_claims_results_pointers_with_figures_and_definitions_stay(sentence: str) -> None:
    cost = costs(sentence)
    assert cost is None or (cost > 3.5 and "Table" in sentence)


@pytest.mark.parametrize("sentence", DROPPED)
def test_examples_and_background_are_cheap(sentence: str) -> None:
    cost = costs(sentence)
    assert cost is not None
    assert cost < 2.5


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("This makes it hard.", True),
        ("However, parsers fail.", True),
        ("In this paper, parsers are read.", False),
        ("Parsers read such text.", True),
        ("Parsers read text.", False),
        ("Moreover, parsers read text.", False),
    ],
)
def test_a_sentence_that_points_back_leans(span: str, expected: bool) -> None:
    assert leans(span) is expected


@pytest.mark.parametrize(
    "span",
    ["and so on.", "It ends with:", "An (open bracket.", "Half of $x.", 'A "quote.', "*Half bold."],
)
def test_fragments_are_not_whole(span: str) -> None:
    assert not is_whole(span)


def test_a_sentence_goes_only_with_those_that_lean_on_it() -> None:
    """Whatever is dropped, no sentence is left that leans on one that has gone."""
    chain = "Clauses nest. This makes sentences long. However, readers cope. Verbs come last."
    paper = paper_of(*[f"{' '.join(FILLER)} {chain}", " ".join(FILLER + DROPPED)] * 2)
    for seed in range(20):
        edits = Length(ratios=(0.7,)).perturb(paper, context(seed))
        assert not isinstance(edits, Rejection)
        text = apply_edits(paper.text, edits)
        assert text.count("This makes") == text.count("Clauses nest. This makes")
        assert text.count("However") == text.count("sentences long. However")


def test_statements_of_theorems_stay_whole() -> None:
    theorem = "Theorem. Under certain conditions, every sentence has a clause. " + " ".join(FILLER)
    paper = paper_of(theorem, " ".join(FILLER + DROPPED), " ".join(DROPPED + FILLER))
    edits = Length(ratios=(0.7,)).perturb(paper, context())
    assert not isinstance(edits, Rejection)
    assert theorem in apply_edits(paper.text, edits)


sentences = st.lists(st.sampled_from(FILLER + DROPPED + KEPT[:2]), min_size=4, max_size=9)


@given(
    paragraphs=st.lists(sentences, min_size=3, max_size=8),
    ratio=st.sampled_from([0.7, 0.8, 1.15, 1.3, 1.6]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_the_ratio_holds_or_the_paper_is_rejected(
    paragraphs: list[list[str]], ratio: float, seed: int
) -> None:
    paper = paper_of("| a | b |\n| --- | --- |\n| 1 | 2 |", *map(" ".join, paragraphs), "$$\nx\n$$")
    family = Length(ratios=(ratio,))
    edits = family.perturb(paper, context(seed))
    if isinstance(edits, Rejection):
        assert "of the" in edits.reason or "no sentence" in edits.reason
        return
    after = apply_edits(paper.text, edits)
    assert edits == family.perturb(paper, context(seed))
    assert apply_edits(after, inverse_edits(paper.text, edits)) == paper.text
    assert abs(len_of(after) / len_of(paper.text) - ratio) <= family.tolerance + 1e-12
    assert "  " not in after
    assert "\n\n\n" not in after
    assert "| 1 | 2 |" in after
    assert "$$\nx\n$$" in after
    assert after.count("accuracy of 91.4 percent") == paper.text.count("accuracy of 91.4 percent")
    assert all(check.passed for check in family.gates(paper, edits, context(seed)))


def len_of(text: str) -> int:
    """Words of the paragraphs, counted apart from the text layer."""
    body = text.split("## 1 Introduction")[1].split("## References")[0]
    body = re.sub(r"^(\|.*|\$\$\nx\n\$\$)$", "", body, flags=re.MULTILINE)
    return len([word for word in body.split() if re.search(r"\w", word)])


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("We describe a tagger model consisting of layers.", ""),
        ("It finds the song a person needs in a list.", ""),
        ("On the one hand, people like the sea.", ""),
        ("All of the detailed analyses show that people swim.", ""),
        ("It gives what the tagger system needs to work.", ""),
        ("It lowers the loss function of the parser.", "the loss function"),
        ("It is part of the representation learning of words.", "the representation learning"),
    ],
)
def test_padding_takes_up_whole_noun_phrases(sentence: str, phrase: str) -> None:
    assert _phrase(sentence, random.Random(0)) == phrase


def test_additions_are_alike_in_no_two_places_and_bring_nothing_new() -> None:
    paper = paper_of(*[" ".join(FILLER + DROPPED)] * 60)
    edits = Length(ratios=(1.3,)).perturb(paper, context(3))
    assert not isinstance(edits, Rejection)
    assert paper.words > 5000
    added = [s for edit in edits for s in re.split(r"(?<=\.) ", edit.new.strip())]
    assert len(added) > 60
    assert len(set(added)) == len(added)
    for sentence in added:
        assert not re.search(r"\d|\[|\(|\bwe\b|\bmay\b|\bmight\b|\bperhaps\b", sentence)
    starts = [edit.start for edit in edits]
    thirds = [len([s for s in starts if s * 3 // len(paper.text) == third]) for third in range(3)]
    assert min(thirds) > 0.2 * len(starts)


def test_the_table_of_elaborations_is_large_and_says_nothing() -> None:
    counts = elaborations()
    assert counts["with-phrase"] > 50_000
    assert counts["without-phrase"] > 50_000
    table = parts()
    for kind in (table.leads, table.scenes, table.phrase_scenes, table.closes):
        assert len(set(kind)) == len(kind) >= 30
        for text in kind:
            assert not re.search(
                r"\d|\b(?:we|our|may|might|could|perhaps|possibly|likely|results?|significant\w*"
                r"|outperform\w*|propose\w*|experiments?)\b",
                text,
            )
    assert all(text.count("{}") == 1 for text in table.phrase_scenes)
    assert all("{" not in text for text in table.scenes + table.leads + table.closes)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("One sentence is all there is.", "0.7: only 0% of the words"),
        ("# Title only", "no prose"),
        ("この論文では新しい方法を提案する。この方法は速い。", "the text is not English"),
        ("文を書く。 " * 40, "the text is not English"),
    ],
)
def test_papers_with_too_little_to_work_on_are_rejected(text: str, reason: str) -> None:
    answer = Length(tolerance=0.0 if "One" in text else 0.02).perturb(
        Paper(id="p", text=text), context()
    )
    assert isinstance(answer, Rejection)
    assert reason in answer.reason


def test_a_paper_that_cannot_be_shortened_is_lengthened_where_both_are_asked_for() -> None:
    paper = paper_of(*[" ".join(KEPT[:2] + FILLER[:1] + KEPT[3:])] * 4)
    assert isinstance(Length(ratios=(0.7,)).perturb(paper, context()), Rejection)
    for seed in range(6):
        edits = Length().perturb(paper, context(seed))
        assert not isinstance(edits, Rejection)
        assert all(edit.new for edit in edits)


def test_gates_find_a_wrong_ratio_a_lost_result_and_a_new_number() -> None:
    paper = paper_of(" ".join(FILLER + KEPT + DROPPED))
    family = Length(ratios=(0.7,))
    at = paper.text.index(KEPT[1])
    lost = family.gates(paper, [Edit(at, at + len(KEPT[1]) + 1, "")], context())
    assert [check.passed for check in lost] == [False, True, False]
    end = paper.text.index(FILLER[1]) - 1
    new = family.gates(paper, [Edit(end, end, " It takes 3 seconds.")], context())
    assert [check.passed for check in new] == [False, True, False]
    heading = paper.text.index("Introduction")
    outside = family.gates(paper, [Edit(heading, heading + 5, "Outro")], context())
    assert [check.passed for check in outside] == [False, False, True]


@pytest.mark.parametrize("ratios", [(), (1.0,), (0.7, 1.0)])
def test_ratios_that_ask_for_nothing_are_errors(ratios: tuple[float, ...]) -> None:
    with pytest.raises(OptionError):
        Length(ratios=ratios)


@pytest.mark.parametrize("family", [Length, LlmLength])
def test_a_ratio_named_twice_is_an_error(family: type[Resizing]) -> None:
    options: dict[str, Any] = {"ratios": [0.8, 1.2, 0.8]}
    if family is LlmLength:
        options["model"] = "m"
    with pytest.raises(OptionError, match=r"ratios: name each ratio once, not 0\.8, 1\.2, 0\.8"):
        from_options(family, options)


@pytest.mark.parametrize("family", [Length, LlmLength])
@pytest.mark.parametrize(
    ("ratios", "tolerance", "named"),
    [([0.7, 0.95], 0.05, "0.95"), ([1.1], 0.15, "1.1"), ([0.95], 0.04, ""), ([0.8, 1.2], 0.19, "")],
)
def test_a_ratio_that_an_unchanged_paper_meets_is_an_error(
    family: type[Resizing], ratios: list[float], tolerance: float, named: str
) -> None:
    options: dict[str, Any] = {"ratios": ratios, "tolerance": tolerance}
    if family is LlmLength:
        options["model"] = "m"
    if not named:
        assert from_options(family, options).tolerance == tolerance
        return
    below = f"{abs(float(named) - 1):g}"
    message = rf"ratios: {named} is within the tolerance \({tolerance:g}\) of 1.* below {below}"
    with pytest.raises(OptionError, match=message):
        from_options(family, options)


def test_a_ratio_near_1_can_limit_safe_cuts() -> None:
    assert from_options(Length, {"cuts": "safe", "ratios": [0.95]}).ratios == (0.95,)


@pytest.mark.parametrize("ratios", [None, [0.8, 1.2], [1.2]])
def test_safe_cuts_are_not_pooled_with_padding(ratios: list[float] | None) -> None:
    options: dict[str, Any] = {"cuts": "safe"} | ({"ratios": ratios} if ratios else {})
    with pytest.raises(OptionError, match=r"cuts: safe only shortens.*ratios: \[0\.7\]"):
        from_options(Length, options)
    assert from_options(Length, {"cuts": "safe", "ratios": [0.8, 0.6]}).ratios == (0.8, 0.6)


# Most papers cannot be shortened so far; this one can.
SHORTER = MARKDOWN / "ICLR2020_SJlNnhVYDr.md"


@pytest.mark.skipif(not MARKDOWN.is_dir(), reason="the shared real papers are not here")
@pytest.mark.parametrize("ratio", [0.7, 1.3])
def test_real_papers_meet_the_ratio(ratio: float) -> None:
    family = Length(ratios=(ratio,))
    made = 0
    for path in sorted(MARKDOWN.glob("*.md"))[::8] if ratio > 1 else [SHORTER]:
        paper = Paper(id=path.stem, text=path.read_text("utf-8"))
        edits = family.perturb(paper, context(1))
        if isinstance(edits, Rejection):
            continue
        made += 1
        after = paper.edited(edits)
        assert abs(after.words / paper.words - ratio) <= 0.05
        assert all(check.passed for check in family.gates(paper, edits, context(1)))
        kinds = ("heading", "table", "code", "math", "reference", "figure")
        for kind in kinds:
            before = [paper.text[b.start : b.end] for b in paper.blocks if b.kind == kind]
            assert before == [after.text[b.start : b.end] for b in after.blocks if b.kind == kind]
    assert made >= (4 if ratio > 1 else 1)


REPORTED = [
    ("4 Experiments", "We again train for 600 epochs with the same code on every machine."),
    ("4 Experiments", "The network has two 1024-node layers and a head for every class."),
    ("2 Related Work", "Our contribution is to combine these ideas within one single frame."),
    ("5 Discussion", "The study is limited to image classification and to small models."),
    ("3 Method", "The downside is that the memory of such a machine is soon used up."),
    ("3 Method", "On the harder set the same model obtains a competitive outcome at once."),
    ("3 Method", "After that many tokens the performance of the model declines again."),
]


@pytest.mark.parametrize(("section", "sentence"), REPORTED)
def test_what_a_paper_reports_is_never_elaboration(section: str, sentence: str) -> None:
    text = (
        "# T\n\n## Abstract\n\nWe look at things.\n\n"
        f"## {section}\n\nMany people like the sea in summer. {sentence} The sea is wide and deep."
    )
    paper = Paper("p", text)
    spans = [paper.text[s.start : s.end] for s in paper.sentences]
    assert judge(paper)[spans.index(sentence)].cost is None


def test_a_sentence_that_points_back_leans_on_the_one_before() -> None:
    assert leans("In the above example it is able to find the verb.")
    assert not leans("People like the sea in summer.")


@pytest.mark.parametrize(
    "sentence",
    [
        "A contract is a list of goals and of bonuses for a worker.",
        "The cue denotes the side on which the light is seen by the animal.",
        "Training such models is infeasible on the machines of most people.",
        "The function $f$ sends a point of the sea to a point of the land.",
        "Clearly, Equation (5) has a slope at every point of the sea.",
    ],
)
def test_definitions_and_caveats_stay(sentence: str) -> None:
    assert costs(sentence) is None


def test_what_the_authors_did_in_their_method_stays() -> None:
    start = "The sea is wide. The sea is deep. The sea is blue."
    text = f"# T\n\n## 1 Introduction\n\n{start}\n\n## 2 Method\n\n"
    text += "Parsers read text. We stack four seas. Seas are wide. The end is near.\n"
    paper = Paper(id="p", text=text)
    spans = [text[sentence.start : sentence.end] for sentence in paper.sentences]
    cost = dict(zip(spans, (each.cost for each in judge(paper)), strict=True))
    assert cost["We stack four seas."] is None
    assert cost["Seas are wide."] is not None


def test_the_opening_of_an_introduction_stays() -> None:
    paper = paper_of(" ".join(DROPPED[1:] + FILLER))
    assert [place.cost for place in judge(paper)[:3]] == [None] * 3


def test_a_paragraph_with_a_bold_start_is_not_cut_at_it() -> None:
    text = "**Agent Modeling. Written text often contains clauses within other clauses.** Rest."
    paper = paper_of("The sea is wide. The sea is deep. The sea is blue.", text)
    assert judge(paper)[3].cost is None


def test_who_names_a_thing_first_stays_while_others_use_it() -> None:
    sentences = [
        "The sea is wide.",
        "One of the cues is drawn as the Rewarded cue.",
        "Water is blue.",
        "If the Rewarded cue is seen, the animal turns.",
    ]
    links = Links(paper_of(" ".join(sentences)))
    assert links.missed({1}, [1])
    assert not links.missed({1, 3}, [1])
    assert not links.missed({2}, [2])


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Moreover, parsers read text in order to find verbs.", "Parsers read text to find verbs."),
        ("Parsers are able to read a variety of texts.", "Parsers can read several texts."),
        (
            "Parsers read text, which people like in summer.",
            "Parsers read text.",
        ),
        ("Parsers read text (as people do on most days).", "Parsers read text."),
        ("Parsers read text, making life easy for many people.", "Parsers read text."),
        ("Parsers read text (e.g., from NASA or the BBC).", "Parsers read text."),
    ],
)
def test_words_that_a_sentence_does_not_need(sentence: str, expected: str) -> None:
    paper = paper_of(sentence)
    edits = [trim.edit for found in trims_of(paper).values() for trim in found]
    assert paper.edited(edits).text == paper.text.replace(sentence, expected)


@pytest.mark.parametrize(
    "sentence",
    [
        "Parsers read text, which improves the accuracy of the machine.",
        "Parsers read text, which is not a common habit of machines.",
        "Parsers read text (see Table 3 for details of it).",
        "Parsers read text, reducing the error of the tagger to 3 percent.",
        "Parsers read \u201ca variety of\u201d texts.",
        "Parsers work as well as taggers on text.",
        "As people say, making life easy for all of us is what parsers do.",
        "Parsers, making life easy for many people.",
        "In parsers, for example, the rules of people are written by hand.",
        "Parsers read text, which is for people, and write trees.",
        "Parsers read text (or strings of letters for short).",
        "Parsers read text (from people) and write trees (from machines).",
        "Words such as sea, land and etc., are kept by the parser.",
        "Words go, such as sea, land, island, lake, etc.",
    ],
)
def test_findings_numbers_and_denials_are_no_trims(sentence: str) -> None:
    assert trims_of(paper_of(sentence)) == {}


def test_the_share_of_markers_follows_that_of_words() -> None:
    cited = [
        f"Written text of kind {name} often contains clauses [{n}]."
        for n, name in enumerate("abcdefgh")
    ]
    plain = [
        f"Readers usually take sentences of kind {name} in at once." for name in "ijklmnopqrstu"
    ]
    paper = paper_of(
        "The sea is wide. It is deep. It is blue.", " ".join(cited + plain), " ".join(FILLER)
    )
    edits = Length(ratios=(0.7,)).perturb(paper, context(1))
    assert not isinstance(edits, Rejection)
    after = paper.edited(edits)
    words = 1 - after.words / paper.words
    assert 1 - len(after.citations) / len(paper.citations) <= words + 0.06


def test_the_direction_of_a_variant() -> None:
    paper = paper_of(*[" ".join(FILLER + DROPPED)] * 4)
    for ratio, way in ((0.7, "shorten"), (1.3, "pad")):
        family = Length(ratios=(ratio,))
        edits = family.perturb(paper, context(2))
        assert not isinstance(edits, Rejection)
        assert family.direction(paper, edits) == way


SAFE = """# A study

# Introduction

Deep nets are used in many fields. Speech is one of them. Vision is another of them. Researchers in
this area often share their code. We propose a new loss. Models have grown for a decade.

# Method

We train each model on the same data. Note that this choice keeps all runs alike. Training takes a
day on each machine. The loss is a sum of terms.

# Conclusion

The new loss is better. We leave longer texts for future work.
"""


def test_safe_cuts_take_asides_alone_and_any_share_is_a_variant() -> None:
    paper = Paper(id="p", text=SAFE)
    family = Length(ratios=(0.7,), cuts="safe")
    edits = family.perturb(paper, context(3))
    assert not isinstance(edits, Rejection)
    gone = " ".join(SAFE[edit.start : edit.end] for edit in edits)
    assert "Note that this choice" in gone
    for kept in ("We train", "Training takes", "We propose", "The new loss is better"):
        assert kept not in gone
    assert all(check.passed for check in family.gates(paper, edits, context()))
    assert family.direction(paper, edits) == "shorten"


def test_safe_cuts_reject_a_paper_that_holds_nothing_to_spare() -> None:
    text = "# A study\n\n# Method\n\n" + "We train each model on the same data. " * 30
    found = Length(ratios=(0.7,), cuts="safe").perturb(Paper(id="p", text=text), context(3))
    assert isinstance(found, Rejection)
    assert "can go safely" in found.reason


def _safe(body: str) -> str:
    """What safe cuts leave of a related-work section, if anything is cut."""
    text = f"# A study\n\n# Related Work\n\n{body}\n\n# Conclusion\n\nThe new loss is better.\n"
    paper = Paper(id="p", text=text)
    edits = Length(ratios=(0.5,), cuts="safe").perturb(paper, context(3))
    return text if isinstance(edits, Rejection) else paper.edited(edits).text


OPEN = "Parsers of this kind read plain text. Taggers assign a word class to each word."


@pytest.mark.parametrize(
    ("sentence", "goes"),
    [
        ("They are used by many people in daily work.", True),
        ("They are hard to use, and this poses a challenge.", False),
        ("However, they are used by many people.", False),
        ("Our parsers are used by many people.", False),
        ("They are used by $n$ people in daily work.", False),
        ("The other way is to use them in daily work.", False),
    ],
)
def test_safe_cuts_take_ends_of_paragraphs_without_a_sign_of_weight(
    sentence: str, goes: bool
) -> None:
    assert (sentence not in _safe(f"{OPEN} {sentence}\n\nTrees are drawn by hand.")) == goes


def test_safe_cuts_keep_what_the_next_sentences_take_up() -> None:
    body = f"{OPEN} They are known as machines of grammar. Grammar has a long history in schools."
    assert "machines of grammar" in _safe(body)


def test_a_roadmap_goes_as_a_whole_or_stays() -> None:
    roadmap = (
        "The rest of this paper is organized as follows. Section 2 describes the data. Section 3"
        " reports results. Finally, Section 4 concludes."
    )
    text = f"# A study\n\n# Introduction\n\n{OPEN} " + "Words are common. " * 20
    paper = Paper(id="p", text=f"{text}\n\n{roadmap}\n\n# Data\n\nWe use text.\n")
    groups = list(roadmaps(paper))
    assert [paper.sentences[group[0]].start for group in groups] == [paper.text.index(roadmap)]
    assert len(groups[0]) == 4
    edits = Length(ratios=(0.7,), cuts="safe").perturb(paper, context(3))
    assert not isinstance(edits, Rejection)
    after = paper.edited(edits).text
    assert "Section 2" not in after
    assert "Section 4" not in after
    other = Paper(id="p", text=paper.text.replace("Finally, Section 4 concludes.", "Dogs bark."))
    assert not list(roadmaps(other))
