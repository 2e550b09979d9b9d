"""AgentReview: the forms of its phases and the characters of its reviewers and chairs."""

from __future__ import annotations

from revkit_baselines.form import FormField, PartForm

_RATING = FormField(
    "rating",
    "integer",
    "1 strong reject, 3 reject, 5 marginally below the acceptance threshold, 6 marginally above "
    "it, 8 accept, 10 strong accept.",
    values=(1, 3, 5, 6, 8, 10),
)
_CONFIDENCE = FormField("confidence", "integer", "1 a guess to 5 certain.", 1, 5)
FORM = PartForm(
    (
        FormField("summary", "text", "What the paper claims and how it supports that."),
        FormField("strengths", "list", "Reasons to accept it."),
        FormField("weaknesses", "list", "Reasons to reject it."),
        FormField("questions", "list", "Questions and suggestions to the authors."),
        FormField("soundness", "integer", "1 poor, 2 fair, 3 good, 4 excellent.", 1, 4),
        FormField("presentation", "integer", "1 poor, 2 fair, 3 good, 4 excellent.", 1, 4),
        FormField("contribution", "integer", "1 poor, 2 fair, 3 good, 4 excellent.", 1, 4),
        _RATING,
        _CONFIDENCE,
    )
)
ASPECTS = ("soundness", "presentation", "contribution")
REBUTTAL = PartForm((FormField("rebuttal", "text", "The authors' answer to this review."),))
UPDATE = PartForm(
    (
        FormField("comment", "text", "What you say to the others, and what changed your mind."),
        _RATING,
        _CONFIDENCE,
    )
)
META = PartForm(
    (
        FormField(
            "meta-review", "text", "What the reviewers agree and disagree on, and what counts."
        ),
        FormField("strengths", "list", "The strengths that stand after the discussion."),
        FormField("weaknesses", "list", "The weaknesses that stand after the discussion."),
    )
)
DECISION = PartForm(
    (
        FormField("reasons", "text", "Why."),
        FormField("decision", "choice", "Your decision.", values=("accept", "reject")),
    )
)
# What makes a reviewer: at most one of each pair, joined by "+".
CHARACTERS = {
    "neutral": "",
    "responsible": "You read the paper with care, check its claims against its evidence, and give "
    "reasons that the authors can use.",
    "irresponsible": "You have no time for this. You skim the paper, write little, and do not go "
    "into its details.",
    "benign": "You wish the authors well. You look for what is good in a paper and want to help "
    "it become better.",
    "malicious": "You wish the authors ill. You look for reasons to reject a paper, whatever it "
    "shows, and make the most of each flaw.",
    "knowledgeable": "You know this subject and its literature well and can tell what is new and "
    "what is sound.",
    "unknowledgeable": "You know little of this subject and its literature. You cannot tell what "
    "is new, and you misjudge technical details.",
}
OPPOSITES = (
    ("responsible", "irresponsible"),
    ("benign", "malicious"),
    ("knowledgeable", "unknowledgeable"),
)
CHAIRS = {
    "neutral": "",
    "inclusive": "You weigh what all reviewers and the authors say together with your own reading.",
    "conformist": "You rely on the reviewers and keep your own opinion out of it.",
    "authoritarian": "You rely on your own reading of the paper and give little weight to the "
    "reviewers.",
}
