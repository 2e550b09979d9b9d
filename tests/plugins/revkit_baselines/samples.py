"""Replies in the layouts of CycleReviewer and DeepReviewer, built from parts."""

from __future__ import annotations

from collections.abc import Sequence

RULE = "**********"


def cycle_reviewer(
    rating: str | None = "6: marginally above the acceptance threshold",
    weaknesses: str = "1. One tool only.",
    level: int = 3,
    head: str = "## Reviewer\n\n",
    confidence: str = "4: You are confident in your assessment, but not absolutely certain.",
) -> str:
    """One reviewer; None leaves the rating's section out."""
    mark = "#" * level
    fields = {
        "Summary": "It counts words.",
        "Soundness": "3 good",
        "Presentation": "2 fair",
        "Contribution": "3 good",
        "Strengths": "- It is clear.",
        "Weaknesses": weaknesses,
        "Questions": "See above.",
        "Flag For Ethics Review": "No ethics review needed.",
        **({} if rating is None else {"Rating": rating}),
        "Confidence": confidence,
    }
    return head + "\n\n".join(f"{mark} {name}\n\n{text}" for name, text in fields.items())


def cycle(
    ratings: Sequence[str | None] = ("5", "6", "6", "8"),
    decision: str = "Accept (poster)",
    tail: str = "",
    **parts: str,
) -> str:
    """A whole reply of headed reviewers."""
    reviewers = [cycle_reviewer(rating, **parts) for rating in ratings]  # type: ignore[arg-type]
    meta = "## Meta Review\n\nThey agree.\n\n### justification_for_why_not_lower_score\n\nN/A"
    last = f"## Paper Decision\n\n{decision}"
    return f"\n\n{RULE}\n\n".join([*reviewers, meta, last]) + tail


def ruled(ratings: Sequence[str] = ("5", "6", "6", "8"), decision: str = "Reject") -> str:
    """A whole reply whose reviewers are parted by lines of asterisks alone."""
    reviewers = [cycle_reviewer(rating, level=2, head="") for rating in ratings]
    last = f"## Paper Decision\n\n{decision}\n"
    return f"\n\n{RULE}\n".join([*reviewers, "## Meta Review\n\nThey differ.", last])


def deep_reviewer(number: int, rating: str = "5", weaknesses: str = "- Few tests.") -> str:
    """One simulated reviewer."""
    return (
        f"## Reviewer {number}\n\n### Summary\n\nIt counts.\n\n### Soundness\n\n2\n\n"
        "### Presentation\n\n3\n\n### Contribution\n\n2\n\n### Strengths\n\n- Clear.\n\n"
        "### Weaknesses\n\n#### Some Related Works\n\n[1] Counting.\n\n#### comment\n\n"
        f"{weaknesses}\n\n### Suggestions\n\nMore tests.\n\n### Questions\n\n- Why?\n\n"
        f"### Rating\n\n{rating}\n\n### Confidence\n\n4\n"
    )


def final(rating: str = "5.25", decision: str = "Reject", weaknesses: str = "Few tests.") -> str:
    """The final review in its block."""
    return (
        "\\boxed_review{\n## Summary:\n\nIt counts words.\n\n\n## Soundness:\n\n2.5\n\n\n"
        "## Presentation:\n\n2.75\n\n\n## Contribution:\n\n2.25\n\n\n## Strengths:\n\nClear.\n\n\n"
        f"## Weaknesses:\n\n{weaknesses}\n\n\n## Suggestions:\n\n1. **More tests**: run them.\n\n\n"
        f"## Questions:\n\nWhy?\n\n\n## Rating:\n\n{rating}\n\n\n## Confidence:\n\n3.25\n\n\n"
        f"## Decision:\n\n{decision}\n}}"
    )


def simulated(ratings: Sequence[str] = ("5", "5", "3", "6")) -> str:
    """The block of simulated reviewers."""
    parts = [deep_reviewer(n, rating) for n, rating in enumerate(ratings, 1)]
    return "\\boxed_simreviewers{\n" + "".join(f"{each}\n{RULE}\n\n" for each in parts) + "}"


VERIFIED = (
    '\\boxed_verification{\nPlan: read.\n\n## Rating:\n\n9\n\n{\n  "Validity": "partially valid}'
)


def standard(
    ratings: Sequence[str] = ("5", "5", "3", "6"), rating: str = "5.25", decision: str = "Reject"
) -> str:
    """A whole reply in standard mode; the block between is not closed, as it happens."""
    return "\n\n".join(
        (
            "I will use Standard Mode. Rating: 10.",
            simulated(ratings),
            "I have finished. Next, I will verify:",
            VERIFIED,
            "Now I will give the final review:",
            final(rating, decision),
        )
    )
