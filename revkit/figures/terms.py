"""The words that reports explain. The glossary of the documentation has the same sentences."""

from __future__ import annotations

from revkit.model.table import Term

TERMS = (
    Term(
        "agent",
        "The AI reviewer under test: a program, a service, a language model with a prompt, or a "
        "file of reviews.",
    ),
    Term(
        "control",
        "A simple program with known behaviour that is tested like an agent, for example one that "
        "counts citations. It shows whether an experiment finds what it should find.",
        ("-control",),
    ),
    Term(
        "family",
        "A kind of change to a paper whose effect on a fair review is known in advance, for "
        "example a longer text with the same content.",
        ("families", "perturbation"),
    ),
    Term("variant", "A paper after the edits of one family."),
    Term(
        "pair",
        "A paper and one of its variants, both reviewed by the same agent. A pair is valid if both "
        "reviews have a verdict.",
    ),
    Term("verdict", "The decision of a review: accept or reject."),
    Term(
        "flip",
        "A pair with two different verdicts: the edits changed accept to reject, or reject to "
        "accept.",
        ("flipped", "flipping"),
    ),
    Term(
        "flip rate",
        "The share of valid pairs that are flips. At 0% no edit changed a verdict.",
    ),
    Term(
        "change of acceptance",
        "The share of variants that an agent accepts, minus the share of their original papers "
        "that it accepts. Above 0, the edits make the agent more lenient.",
        ("acceptance changes",),
    ),
    Term(
        "score shift",
        "The score of the variant minus the score of the paper.",
        ("|shift|", "mean shift"),
    ),
    Term(
        "own scale",
        "The scale on which an agent gives its scores, for example 1 to 10.",
    ),
    Term(
        "severity",
        "The common scale from 0 (no flaw) to 100 (reject) onto which scores of different scales "
        "are mapped.",
        ("0-100",),
    ),
    Term(
        "dose",
        "How much of a paper a variant changes: the number of words inserted, deleted or replaced, "
        "divided by the number of words of prose in the paper.",
    ),
    Term(
        "gate",
        "A check that a variant must pass. A variant that fails it is rejected, and no agent reads "
        "it.",
    ),
    Term(
        "noise",
        "How often two reviews of the same text by the same agent disagree.",
    ),
    Term(
        "net rate",
        "The rate of flips minus the rate that noise alone causes.",
        ("beyond noise", "net of noise"),
    ),
    Term(
        "net pair",
        "A pair of which both texts have at least two verdicts, so that noise can be measured.",
    ),
    Term(
        "Holm",
        "The correction of p-values for the number of tests: a corrected p below 0.05 is evidence "
        "of a difference.",
        ("Holm's",),
    ),
    Term("judge", "An agent that scores a text by one rubric."),
    Term(
        "rubric",
        "A criterion with its question, its levels, and instructions for the judge.",
    ),
    Term(
        "anchor",
        "A paper with a known consensus severity, on which calibration maps are fitted.",
    ),
    Term(
        "consensus",
        "The severity on which the human reviewers of a paper agree: the mean of their ratings on "
        "the severity scale.",
    ),
    Term(
        "calibration map",
        "A function that converts the scores of an agent to severity, fitted on anchors.",
    ),
    Term(
        "payload",
        "A text that an attack plants in a paper to give the reviewer an order. A family may have "
        "its name from how the text is written: visible, in a comment of the file, in white or "
        "tiny letters, as the definition of a link, or in characters of zero width. The families "
        "benign and placebo plant a harmless text there instead.",
        ("payload-once", "payload-read-back", "link-definition", "zero-width"),
    ),
    Term(
        "benign",
        "A planted sentence of the form of an order that orders nothing harmful. A reviewer that "
        "reacts to it reacts to the form.",
    ),
    Term("placebo", "A harmless text that is hidden in the same way as an attack."),
    Term(
        "defense",
        "A component that protects an agent from papers that were written to mislead it.",
        ("defence",),
    ),
)
