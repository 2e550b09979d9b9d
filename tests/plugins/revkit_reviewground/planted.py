"""Cases with a planted fault, and matched controls without one, for the evidence checks.

Each case is a paper, a review with one statement on it, and whether that statement is false. What is
true of a paper is found here by plain searches of its text, never by the checks. The real papers lie
outside the repository; the short papers below are our own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from revkit.model.intake import clean_text
from revkit.model.paper import Paper

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
FOLDERS = (("markdown_papers", "*.md"), ("iclr2022_aiscientist/iclr_parsed", "*.txt"))
BEFORE = "The work is easy to follow and its motivation is sound."
AFTER = "Overall the topic fits the venue."


@dataclass(frozen=True)
class Case:
    """``statement`` stands in a review of ``paper``; ``false`` says whether a fault was planted.

    ``form`` names how it was planted or disguised.
    """

    kind: str
    form: str
    paper: Paper
    statement: str
    false: bool

    @property
    def review(self) -> dict[str, str]:
        return {"weaknesses": f"{BEFORE} {self.statement} {AFTER}"}


SHORT = {
    "short-graphs": """# Pruning Messages in Graph Networks

## Abstract
We study which messages between nodes can be dropped without harm. Our rule keeps 61.4% of all
messages and loses 0.35 points of accuracy on Cora.

## 1 Introduction
Graph networks pass messages along every edge, although many edges carry little information. We ask
how many messages a trained network needs, and we find that a simple threshold is enough.

## 2 Related Work
Kipf and Welling (2017) introduced graph convolutions. Velickovic et al. (2018) weighted neighbours
by attention, which GraphSAGE replaces by sampling.

## 3 Method
### 3.1 Scoring messages
Each message receives a score that depends on the norms of both end points.
$$ s_{ij} = \\lVert h_i \\rVert \\lVert h_j \\rVert \\tag{1} $$
### 3.2 Choosing the threshold
The threshold is the quantile of the scores on the training nodes, as Equation (2) states.
$$ t = q_\\alpha(s) \\tag{2} $$

## 4 Experiments
### 4.1 Setup
We train with a learning rate of 0.01 for 200 epochs and report means over five random seeds.
### 4.2 Results
Table 1 shows that our rule outperforms GraphSAGE and DropEdge on all three data sets.

Table 1: Accuracy with standard deviations over five seeds.

| method | Cora | PubMed |
|---|---|---|
| GraphSAGE | 81.52 | 77.93 |
| DropEdge | 82.06 | 78.41 |
| ours | 83.17 | 79.28 |

### 4.3 Ablation study
Table 2 shows the accuracy without each part of the score.

Table 2: Ablation of the two norms.

Figure 1: Accuracy against the share of messages that are kept.

## 5 Limitations
Our rule needs a trained network, and we tested it on citation graphs only.

## 6 Conclusion
Most messages can be dropped. Our code is available at https://github.com/example/messages.

## References
Kipf, T. and Welling, M. Semi-supervised classification with graph convolutional networks. 2017.

Velickovic, P. et al. Graph attention networks. 2018.
""",
    "short-speech": """# Silence Helps: Pauses as Supervision for Speech Recognition

## Abstract
Pauses in speech mark the borders of phrases. We predict them beside the words and lower the word
error rate from 7.84 to 7.12 on a public corpus of lectures.

## 1 Introduction
Speakers pause where a phrase ends, and listeners use these pauses to group words. Recognisers are
trained on words alone and throw this signal away before training begins.

## 2 Approach
### 2.1 Detecting pauses
A pause is a stretch of at least 180 milliseconds whose energy stays below a fixed level.
### 2.2 Joint training
The loss adds the cross entropy of pauses to that of words, weighted by a single constant.

Algorithm 1: Training with pauses.

## 3 Evaluation
We compare with Conformer and with wav2vec models of the same size. Table 1 holds all results.

Table 1: Word error rates in per cent.

| model | test-clean | test-other |
|---|---|---|
| Conformer | 7.84 | 15.36 |
| ours | 7.12 | 14.27 |

Figure 1: Where pauses fall. Figure 2 shows their lengths.

Figure 2: Lengths of pauses.

## 4 Conclusion
Pauses are free supervision, and a recogniser that hears them makes fewer mistakes.

## References
Gulati, A. et al. Conformer: convolution-augmented transformer for speech recognition. 2020.
""",
}


def short_papers() -> list[Paper]:
    """Our own papers."""
    return [Paper(name, text) for name, text in SHORT.items()]


def real_papers() -> list[Paper]:
    """The real papers with full text, by name; none where they are absent."""
    found = []
    for folder, pattern in FOLDERS:
        for path in sorted((DATA / folder).glob(pattern)):
            text = clean_text(path.read_bytes().decode("utf-8", "replace"))[0]
            found.append(Paper(path.stem, text))
    return found


def cases(papers: Sequence[Paper]) -> list[Case]:
    """All cases of ``papers``, the same each time."""
    makers: tuple[Callable[[Paper, Sequence[Paper], random.Random], Iterator[Case]], ...] = (
        quotes,
        long_quotes,
        anchors,
        missing,
        missing_named,
        reviewers,
        comparisons,
        numbers,
    )
    return [
        case
        for maker in makers
        for paper in papers
        for case in maker(paper, papers, random.Random(f"{maker.__name__}:{paper.id}"))
    ]


def _sentences(paper: Paper, low: int, high: int) -> list[str]:
    """Sentences of ``low`` to ``high`` plain words."""
    found = []
    for sentence in paper.sentences:
        text = " ".join(paper.text[sentence.start : sentence.end].split())
        words = text.split()
        plain = sum(bool(re.fullmatch(r"[A-Za-z][A-Za-z-]+[,;.]?", word)) for word in words)
        if (
            low <= len(words) <= high
            and plain >= 0.8 * len(words)
            and not re.search(r"[\"“”«»`$|#?]", text)
        ):
            found.append(text)
    return found


LEAD = ("The paper states", "In the introduction the authors write", "The authors claim",
        "Section 1 says", "The text reads")  # fmt: skip


def quotes(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """True quotations in disguise, and changed or foreign ones."""
    pool = _sentences(paper, 8, 18)
    if len(pool) < 6:
        return
    picked = rng.sample(pool, 4)
    lead = rng.choice(LEAD)
    for name, disguise in rng.sample(sorted(DISGUISES.items()), 2):
        quote = disguise(picked[0].rstrip(".,;"), rng)
        if quote:
            yield Case("quote", name, paper, f"{lead}: {quote}.", False)
    for name, change in rng.sample(sorted(CHANGES.items()), 2):
        quote = change(picked[1].rstrip(".,;"), rng)
        if quote and _letters(quote) not in _letters(paper.text):
            yield Case("quote", name, paper, f"{lead}: “{quote}”.", True)
    other = rng.choice([one for one in papers if one is not paper])
    foreign = _sentences(other, 8, 18)
    if foreign and rng.random() < 0.5:
        yield Case("quote", "other paper", paper, f"{lead}: “{rng.choice(foreign)}”.", True)


@lru_cache(maxsize=2048)
def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _marked(opening: str, closing: str) -> Callable[[str, random.Random], str]:
    return lambda text, rng: f"{opening}{text}{closing}"


def _elided(text: str, rng: random.Random) -> str:
    words = text.split()
    at = rng.randint(2, len(words) - 5)
    return (
        f"“{' '.join(words[:at])} {rng.choice(['...', '…', '[...]'])} {' '.join(words[at + 2 :])}”"
    )


def _hyphenated(text: str, rng: random.Random) -> str:
    long = [word for word in text.split() if len(word) > 7 and word.isalpha()]
    return (
        f'"{text.replace(long[0], long[0][:4] + "-" + chr(10) + long[0][4:], 1)}"' if long else ""
    )


DISGUISES: dict[str, Callable[[str, random.Random], str]] = {
    "straight": _marked('"', '"'),
    "curly": _marked("“", "”"),
    "latex": _marked("``", "''"),
    "guillemets": _marked("«", "»"),
    "capitals": lambda text, rng: f"“{text.upper()}”",
    "first letter": lambda text, rng: f"“{text[0].swapcase()}{text[1:]}”",
    "ellipsis": _elided,
    "line break": _hyphenated,
    "ligatures": lambda text, rng: f"“{text.replace('fi', 'ﬁ').replace('fl', 'ﬂ')}”",
    "dashes": lambda text, rng: f"“{text.replace('-', '–')}”",
    "emphasis": lambda text, rng: (
        "“" + text.replace(text.split()[2], f"**{text.split()[2]}**", 1) + "”"
    ),
    "bracket": lambda text, rng: "“[The authors] " + " ".join(text.split()[1:]) + "”",
}


def _replaced(text: str, rng: random.Random) -> str:
    words = text.split()
    places = [i for i in range(2, len(words) - 1) if words[i].isalpha() and len(words[i]) > 4]
    if not places:
        return ""
    words[rng.choice(places)] = rng.choice(["quadratic", "unstable", "negligible", "clinical"])
    return " ".join(words)


def _negated(text: str, rng: random.Random) -> str:
    changed = re.sub(r"\b(is|are|can|we|was|were|does)\b", r"\1 not", text, count=1)
    return changed if changed != text else ""


def _shortened(text: str, rng: random.Random) -> str:
    words = text.split()
    at = rng.randint(2, len(words) - 5)
    return " ".join(words[:at] + words[at + 2 :])


def _swapped(text: str, rng: random.Random) -> str:
    words = text.split()
    half = len(words) // 2
    return " ".join(words[half:] + ["..."] + words[:half])


CHANGES: dict[str, Callable[[str, random.Random], str]] = {
    "word replaced": _replaced,
    "negated": _negated,
    "silently shortened": _shortened,
    "parts swapped": _swapped,
}


def long_quotes(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """True quotations of 23 to 40 words, and of 15 to 19."""
    for low, high, false in ((23, 40, True), (15, 19, False)):
        pool = _sentences(paper, low, high)
        if len(pool) > 2 and rng.random() < 0.7:
            quote = rng.choice(pool).rstrip(".,;")
            yield Case("long-quote", f"{low}-{high} words", paper, f"It says “{quote}”.", false)


NAMES = {
    "Table": ("Table {}", "Tab. {}", "table {}", "Tables 1 and {}"),
    "Figure": ("Figure {}", "Fig. {}", "Fig. {}a", "Figure {}(b)", "figure {}"),
    "Algorithm": ("Algorithm {}", "Alg. {}"),
    "Theorem": ("Theorem {}", "Thm. {}"),
}
STEMS = {"Table": r"tab\w*", "Figure": r"fig\w*", "Algorithm": r"alg\w*", "Theorem": "theorem"}
FRAMES = (
    "The numbers in {} are hard to read.",
    "The setup is not explained well ({}).",
    "As shown in {}, the gains are small.",
    "Please clarify the notation of {}.",
)


def anchors(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Numbered parts that the paper has, and ones beyond its last."""
    # Where an appendix is spoken of but not in the text, nothing beyond the last is known false.
    cut = re.search(r"appendi|supplement", paper.text, re.I) and not re.search(
        r"^\W*(?:APPENDI|Appendi|SUPPLEMENT|Supplement|A\.? +[A-Z]{3,})", paper.text, re.M
    )
    for word, forms in NAMES.items():
        found = {
            int(n)
            for n in re.findall(rf"\b{STEMS[word]}\.?~?\s*\$?(\d{{1,2}})\b", paper.text, re.I)
        }
        if len(found) < 2:
            continue
        real, beyond = rng.choice(sorted(found)), max(found) + rng.randint(2, 6)
        captions = re.findall(rf"^\W*{word}\s+(\d+)", paper.text, re.M | re.I)
        if captions:
            real = int(rng.choice(captions))
        for number, false in ((real, False), (beyond, True)):
            if rng.random() < 0.6 and not (false and cut):
                anchor = rng.choice(forms).format(number)
                statement = rng.choice(FRAMES).format(anchor)
                yield Case("anchor", word, paper, statement, false)
    heads = re.findall(r"^#+ (\d{1,2}(?:\.\d)?)\.? +[A-Z]", paper.text, re.M)
    heads += re.findall(r"^(\d{1,2}(?:\.\d)?)\.? +[A-Z]{3,}", paper.text, re.M)
    tops = {int(number) for number in heads if "." not in number}
    if tops >= {1, 2, 3} and tops == set(range(1, max(tops) + 1)):
        form = rng.choice(("Section {}", "Sec. {}", "section {}", "§{}"))
        yield Case(
            "anchor",
            "section",
            paper,
            rng.choice(FRAMES).format(form.format(rng.choice(heads))),
            False,
        )
        beyond_section = rng.choice((str(max(tops) + rng.randint(1, 3)), f"{max(tops) + 1}.2"))
        yield Case(
            "anchor", "section", paper, rng.choice(FRAMES).format(form.format(beyond_section)), True
        )
    letters = re.findall(r"^#* ?([B-H]) +[A-Z]{3,}", paper.text, re.M)
    if letters:
        yield Case("anchor", "appendix", paper, f"Appendix {rng.choice(letters)} helps.", False)
        last = max(re.findall(r"(?:ppendix|^#*) ?([A-Z])\b", paper.text, re.M))
        if last < "U":
            beyond_letter = chr(ord(max(*letters, last)) + 2)
            yield Case("anchor", "appendix", paper, f"Appendix {beyond_letter} is too short.", True)


# Topic: what shows it (a heading or caption, searched line by line), what any trace of it looks
# like, and claims that it is missing, in the words of reviews.
TOPICS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "ablation": (
        r"ablation (?:stud|exper|anal)|ablations?\b",
        r"ablat",
        (
            "The paper has no ablation study.",
            "There is no ablation study, so the role of each component is unclear.",
            "An ablation is missing.",
            "The authors do not provide any ablation experiments.",
            "The evaluation lacks ablations.",
            "No ablation study is presented to support the design.",
            "I was surprised to see no ablation of any kind.",
            "Ablations were not run.",
            "Not a single ablation is reported.",
            "What I miss most is an ablation.",
        ),
    ),
    "error bars": (
        r"error bars?|standard deviations?|confidence intervals?",
        r"error.?bar|standard (?:deviation|error)|confidence|\bstd|±|\\pm|shaded|variance|deviation",
        (
            "The results are reported without error bars.",
            "No standard deviations are given.",
            "The paper does not report error bars or confidence intervals.",
            "Error bars are missing.",
            "None of the results come with error bars.",
            "Significance is hard to judge because error bars are omitted.",
            "All numbers are given without standard deviations.",
            "The tables show point estimates only; no standard deviations are included.",
        ),
    ),
    "limitations": (
        r"limitations?\b",
        r"limit",
        (
            "The paper does not discuss its limitations.",
            "Limitations of the proposed method are not discussed.",
            "There is no discussion of limitations.",
            "The authors fail to acknowledge any limitations of their approach.",
            "Nowhere do the authors discuss limitations.",
            "The manuscript is silent on limitations.",
            "I find no mention of limitations.",
            "A limitations section is missing.",
            "The authors ignore the limitations of their method.",
        ),
    ),
    "related work": (
        r"related works?",
        r"related (?:work|research|stud|litera)|(?:prior|previous) (?:work|research|stud)|literature",
        (
            "The paper has no related work section.",
            "A discussion of related work is missing.",
            "The paper does not discuss related work.",
            "Related work is not discussed.",
            "The submission ignores related work entirely.",
            "A related work section is absent.",
            "I could not find any related work section.",
        ),
    ),
    "hyperparameters": (
        r"hyper-?parameters?",
        r"hyper-?\s?param|learning rate|batch size|epoch",
        (
            "The hyperparameters are not given.",
            "The paper does not specify the hyperparameters used for training.",
            "Hyperparameter settings are missing.",
            "The authors never report their hyperparameters.",
            "The choice of hyperparameters is never stated.",
            "Hyperparameter values are omitted.",
            "It is not clear which hyperparameters were used.",
        ),
    ),
    "implementation details": (
        r"implementation details?|training details?|experimental? (?:details?|set-?up|settings?)",
        r"implementation|training|experiment\w* (?:details?|set|setting)|architect|model (?:details|setting)",
        (
            "Implementation details are missing.",
            "The paper lacks implementation details.",
            "No implementation details are provided, which hurts reproducibility.",
        ),
    ),
    "baselines": (
        r"baselines?",
        r"baseline",
        (
            "There are no baselines.",
            "The experiments do not include any baselines.",
            "Baselines are missing from the evaluation.",
            "The evaluation is done without any baselines.",
            "No baseline is considered.",
        ),
    ),
    "theory": (
        r"theoretical (?:analys|result|guarantee|justif)|proofs? of|convergence analysis",
        r"theor|proof|lemma|proposition|corollary|converge|guarantee|formal",
        (
            "The work offers no theoretical analysis.",
            "Theoretical analysis is missing.",
            "The paper lacks theoretical guarantees.",
            "There is no theoretical justification for the approach.",
            "There are no theoretical results.",
            "Any form of theoretical justification is absent.",
            "The claims come with no theoretical guarantees.",
        ),
    ),
    "cost": (
        r"computational (?:cost|complexity|efficiency)|running time|run-?time|training time|inference (?:time|speed)",
        r"comput\w+ (?:cost|complex|effic|over|time|resour|anal)|run-?\s?time|running time|training time|inference|latency|flop|memory"
        r"|complexity|gpu|wall|hours|seconds|speed|\bms\b|minutes|days",
        (
            "The computational cost is not reported.",
            "The paper does not report running times.",
            "There is no analysis of the computational complexity.",
            "The authors do not discuss the computational overhead.",
            "Runtime is not reported.",
            "Nothing is said about the computational cost.",
            "The paper gives no running times.",
        ),
    ),
    "qualitative": (
        r"qualitative (?:result|exampl|analys|eval|compar)|visuali[sz]ation",
        r"qualitativ|visuali|case stud",
        (
            "No qualitative results are shown.",
            "The paper does not include qualitative examples.",
            "Qualitative analysis is absent.",
            "I would have liked qualitative examples, but there are none.",
            "The paper shows no qualitative examples.",
        ),
    ),
    "future work": (
        r"future work",
        r"future|outlook",
        (
            "The paper does not mention future work.",
            "Future work is not discussed.",
            "There is no discussion of future directions.",
            "No future work is mentioned.",
            "The conclusion does not point to future work.",
        ),
    ),
    "code": (
        r"\b(?:our|the|all|^)? ?codes? (?:is|are|has been)[^.]{0,30}(?:available|released|https?:)",
        r"\bcode|github|http|implementation|repositor|open-?sourc|releas",
        (
            "The code is not available.",
            "The authors do not release their code.",
            "No code is provided.",
            "Code is not made publicly available.",
            "Unfortunately no code was released.",
            "The absence of code prevents replication.",
            "There is no link to the code.",
            "Since the code is unavailable, the results cannot be verified.",
        ),
    ),
    "conclusion": (
        r"conclusions?\b",
        r"conclu|summary|discussion",
        (
            "The paper lacks a conclusion section.",
            "There is no conclusion section.",
            "The paper ends without a conclusion.",
        ),
    ),
}
DEPTH = (
    "The paper lacks a thorough {}.",
    "The {} could be more detailed.",
    "A more detailed {} would help.",
    "The {} is not discussed in sufficient depth.",
    "Is there any {}?",
    "The authors might add a deeper {}.",
)
DEEP = {
    "ablation": "ablation study", "limitations": "discussion of limitations",
    "related work": "discussion of related work", "theory": "theoretical analysis",
    "cost": "analysis of the computational cost", "qualitative": "qualitative analysis",
}  # fmt: skip


def missing(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Things called missing that a heading or caption shows; things cut out of the paper."""
    lines = [line for line in paper.text.split("\n") if len(line) < 400]
    for topic in rng.sample(sorted(TOPICS), 6):
        shows, trace, phrases = TOPICS[topic]
        marked = re.compile(
            rf"^(?:#+ |\W*(?:Table|Figure) \d+\W|\d[.\d]* [A-Z]).{{0,80}}?\b(?:{shows})", re.I
        )
        pattern = re.compile(shows, re.I) if topic == "code" else marked
        head = next((line for line in lines if pattern.search(line) and not _denies(line)), "")
        if head:
            yield Case("missing", topic, paper, rng.choice(phrases), True)
            if topic in DEEP:
                yield Case(
                    "missing",
                    f"{topic}, depth",
                    paper,
                    rng.choice(DEPTH).format(DEEP[topic]),
                    False,
                )
        bare = _without(paper, trace)
        if bare and rng.random() < 0.5:
            yield Case("missing", f"{topic}, cut", bare, rng.choice(phrases), False)


def _denies(line: str) -> bool:
    return (
        re.search(r"\b(?:no|not|without|will|future|http\S*(?:openai|tensorflow))\b", line)
        is not None
    )


def _without(paper: Paper, trace: str) -> Paper | None:
    """The paper without each line and paragraph that has a trace of a topic; `None` if most goes."""
    pattern = re.compile(trace, re.I)
    parts = re.split(r"(\n\s*\n)", paper.text)
    kept = "".join(part for part in parts if not pattern.search(part))
    if len(kept) < 0.4 * len(paper.text):
        kept = "\n".join(line for line in paper.text.split("\n") if not pattern.search(line))
    if pattern.search(" ".join(kept.split())) or len(kept) < 0.4 * len(paper.text):
        return None
    return Paper(f"{paper.id}-cut", kept)


_METHOD = re.compile(
    r"\b(?=[A-Za-z]*[a-z])[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9]{1,10}\b|\b[A-Z]{4,8}\b"
)
_ORDINARY = re.compile(
    r"Table|Figure|ICLR|NeurIPS|ICML|REFERENCES|ABSTRACT|INTRODUCTION|CIFAR|MNIST|[A-Z]{4,}(?=\b)|^[A-Z]+s$|^So(?i:ta)$"
)


def _methods(paper: Paper) -> list[str]:
    """Names in mixed case that tables and experiments of the paper hold twice."""
    return _methods_of(paper.text)


@lru_cache(maxsize=512)
def _methods_of(text: str) -> list[str]:
    paper = Paper("any", text)
    counts: dict[str, int] = {}
    for block in paper.blocks:
        if block.kind == "table" or block.role in ("experiments", "results"):
            for name in _METHOD.findall(paper.text[block.start : block.end]):
                if not _ORDINARY.search(name):
                    counts[name] = counts.get(name, 0) + 1
    return sorted(name for name, count in counts.items() if count > 1 and len(name) > 3)


def _foreign_names(paper: Paper, papers: Sequence[Paper]) -> list[str]:
    """Names of other papers no part of which stands in this one."""
    low = _letters(paper.text)
    return sorted(
        name
        for name in {name for other in papers for name in _methods(other)}
        if _letters(name) not in low and _letters(name)[:4] not in low
    )


def missing_named(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Comparisons and citations called missing: made ones, and ones with works not in the paper."""
    compared = [
        name
        for name in _methods(paper)
        if re.search(
            rf"(?:outperform\w*|compar\w+ (?:to|with|against)|better than|baselines?)\s[^.\n]{{0,60}}\b{name}\b",
            paper.text,
        )
    ]
    foreign = _foreign_names(paper, papers)
    frames = (
        "The paper does not compare with {}.",
        "There is no comparison to {}.",
        "A comparison with {} is missing.",
        "The authors fail to compare their method against {}.",
        "It lacks a comparison to {}.",
    )
    if compared:
        yield Case(
            "missing", "comparison", paper, rng.choice(frames).format(rng.choice(compared)), True
        )
    if foreign and rng.random() < 0.6:
        yield Case(
            "missing",
            "comparison, cut",
            paper,
            rng.choice(frames).format(rng.choice(foreign)),
            False,
        )
    cited = sorted(
        set(re.findall(r"\b([A-Z][a-z]{3,12}) et al\.?,? \(?((?:19|20)\d\d)\b", paper.text))
    )
    frames = (
        "The paper does not cite {}.",
        "It fails to cite {}.",
        "A citation is absent: it does not mention {}.",
    )
    if cited and rng.random() < 0.7:
        author, year = rng.choice(cited)
        yield Case(
            "missing",
            "citation",
            paper,
            rng.choice(frames).format(f"{author} et al. ({year})"),
            True,
        )
    if rng.random() < 0.5:
        work = rng.choice(
            ["Zyskowski et al. (2019)", "Quintanar et al. (2016)", "Obuya et al. (2020)"]
        )
        yield Case("missing", "citation, cut", paper, rng.choice(frames).format(work), False)


CITED = (
    "As reviewer 1 correctly pointed out, the method needs a teacher.",
    "As Reviewer #2 noted, the evaluation is narrow.",
    "I agree with R1 that the novelty is limited.",
    "I share the concerns of the other reviewers about novelty.",
    "Reviewers 1 and 3 both raised the missing experiments.",
    "The area chair also asked for more experiments.",
    "After reading the rebuttal I keep my score.",
    "In their rebuttal the authors clarified the second point.",
    "The authors' response did not resolve my concern.",
    "Another reviewer mentioned the lack of novelty.",
    "As the meta-review states, the paper is borderline.",
    "My confidence is high, as the reviewer pointed out the same issue.",
    "Like my fellow reviewers, I find the paper hard to read.",
    "The experiments requested by the reviewers are still absent.",
    "According to Reviewer 3's comments, the proof has a gap.",
    "R2 and R3 pointed out that the proof has a gap.",
    "R3 already raised this issue.",
    "This was also brought up by another referee.",
    "I second Reviewer 4 on this.",
    "Following the discussion with the other reviewers, I lowered my score.",
    "As the AC mentioned, the scope matters.",
    "The authors explained in their response that the data are public.",
    "AnonReviewer2 is right about the baselines.",
    "Both other reviews praise the clarity.",
    "The concerns of reviewer two remain.",
)
UNCITED = (
    "As a reviewer, I find the paper hard to read.",
    "This reviewer is not an expert in the theory.",
    "I would be happy to raise my score if the authors address this in the rebuttal.",
    "I look forward to the rebuttal.",
    "Please clarify this point during the rebuttal phase.",
    "The paper reviews the literature well, and previous reviews of the field are cited.",
    "The related work reviewed in the paper is broad.",
    "A revised version should include these results.",
    "The authors respond to a clear need in the field.",
    "As pointed out above, the notation is heavy.",
    "Readers and reviewers may find the notation heavy.",
    "I leave the decision to the area chair.",
    "As noted by the authors, the method is slow.",
    "The constraint R1 should be defined earlier.",
    "The AC circuit model needs a definition.",
    "I could be convinced by a rebuttal on this point.",
    "Reviewers of theory papers will like the second part.",
    "The authors review three families of models.",
    "The response of the network is delayed.",
    "I might revise my score after the rebuttal.",
    "AC power flow is not modelled.",
    "The second reviewer of the human study saw all samples.",
    "R2 scores are not a good measure here.",
    "The authors respond well to earlier criticism of such models.",
)


def reviewers(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Other reviewers, chairs and replies that do not exist, and sentences that cite none."""
    yield Case("reviewer", "cited", paper, rng.choice(CITED), True)
    yield Case("reviewer", "not cited", paper, rng.choice(UNCITED), False)


def comparisons(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Comparisons with methods of the paper, and with methods it does not name."""
    frames = (
        "The paper compares the method to {}.",
        "The authors compare their model against {} on all tasks.",
        "The method outperforms {} by a clear margin.",
        "It shows gains over {}.",
        "The approach is compared with strong baselines such as {}.",
        "Results show that the proposed method surpasses {}.",
        "It uses baselines including {}.",
        "The experiments show an improvement over {} and simpler heuristics.",
        "The method is better than {} on most data sets.",
        "Compared to {}, the proposed model is faster.",
        "The proposed approach beats {} on every task.",
        "Experiments include {} as a baseline.",
        "{} is among the baselines.",
        "Against {}, the method wins by two points.",
    )
    wishes = (
        "The authors should compare with {}.",
        "It would help to compare against {}.",
        "How does the method compare to {}?",
        "The paper does not compare with {}.",
        "I suggest a comparison with {}.",
        "A natural baseline would be {}.",
        "{} is not among the baselines.",
        "Have the authors tried {}?",
        "Related methods such as {} deserve mention.",
    )
    own, foreign = _methods(paper), _foreign_names(paper, papers)
    if own:
        yield Case(
            "comparison", "in the paper", paper, rng.choice(frames).format(rng.choice(own)), False
        )
    if foreign:
        yield Case(
            "comparison",
            "not in the paper",
            paper,
            rng.choice(frames).format(rng.choice(foreign)),
            True,
        )
        if rng.random() < 0.5:
            yield Case(
                "comparison",
                "wished for",
                paper,
                rng.choice(wishes).format(rng.choice(foreign)),
                False,
            )


def numbers(paper: Paper, papers: Sequence[Paper], rng: random.Random) -> Iterator[Case]:
    """Numbers of the paper, rounded or as a share, and numbers that it does not hold."""
    frames = (
        "The method reaches an accuracy of {}.",
        "The reported score is {} on the main benchmark.",
        "The paper reports {} for the best model.",
        "The best variant obtains {}, which is convincing.",
        "Accuracy rises to {}.",
        "With {} on the test split the model leads.",
    )
    written = sorted(set(re.findall(r"(?<![\d.,$^_{])\b([1-9]\d\.\d{1,2})\b(?![\d.])", paper.text)))
    every = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", paper.text.replace(",", ""))]
    if written:
        number = rng.choice(written)
        form = rng.choice(("{}", "{}%", "rounded", "share"))
        shown = {
            "rounded": f"{float(number):.1f}" if len(number) > 4 else number,
            "share": f"{float(number) / 100:.{len(number.partition('.')[2]) + 2}f}",
        }.get(form, form.format(number))
        yield Case("number", form.format("x"), paper, rng.choice(frames).format(shown), False)
    if len(written) < 5:
        return
    for _ in range(100):
        number = f"{rng.uniform(20, 99):.2f}"
        near = any(abs(n - float(number) * s) <= 0.006 * s for n in every for s in (1, 0.01, 100))
        if not near and not any(abs(n - 100 + float(number)) < 0.06 for n in every):
            shown = rng.choice((number, number + "%"))
            yield Case("number", "not in the paper", paper, rng.choice(frames).format(shown), True)
            return
