"""The words of calibration that reports explain. The glossary has the same sentences."""

from __future__ import annotations

from revkit.model.table import Term

CALIBRATION = (
    Term(
        "D",
        "The mean difference between the scores of two agents for the same paper, in severity "
        "points. 0 means that all agents give the same scores.",
    ),
    Term(
        "MAE",
        "The mean difference between a score and the consensus of people, in severity points. 0 "
        "means no error.",
    ),
    Term("linear map", "A calibration map that is a straight line."),
    Term(
        "mean-sigma map",
        "A straight line that gives the scores of the anchors the mean and the standard deviation "
        "of their consensus.",
    ),
    Term("isotonic map", "A calibration map of steps that never decrease."),
    Term("spline map", "A smooth calibration map that never decreases."),
    Term("raw", "The score of an agent before any map, stretched linearly to 0 to 100."),
    Term("held-out item", "A paper that was not used to fit a map.", ("held-out",)),
    Term(
        "oracle floor",
        "The figures with the best increasing map of each agent, fitted on the same papers on "
        "which it is measured. They are a guide to what a map can reach, and not a method.",
    ),
)
DRIFT = (
    Term(
        "policy",
        "A rule that says when anchors are scored again and maps are renewed.",
        ("policies",),
    ),
    Term(
        "fingerprint",
        "What an agent declares about its version. A silent change of a provider has none.",
    ),
    Term(
        "CUSUM",
        "A control chart that adds up the deviations of the anchors that are scored each day, and "
        "gives an alarm if the sum exceeds the threshold h (in standard deviations). A higher h "
        "gives fewer alarms.",
    ),
    Term("replication", "One run of a simulation, with its own random numbers."),
)
BANK = (
    Term("old anchor", "An anchor that was in use before the first fresh quarter."),
    Term("fresh anchor", "An anchor that came into use in that quarter or later."),
    Term(
        "watermark",
        "A secret choice of synonyms in the text of an anchor. An agent that repeats the choices "
        "has seen the anchor before.",
    ),
)
TERMS = (*CALIBRATION, *DRIFT, *BANK)
