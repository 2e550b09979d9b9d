"""Records in the layout of DeepReview, for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

REVIEW = {
    "summary": "The paper counts leaves with a ladder.",
    "soundness": "3 good",
    "presentation": "3 good",
    "contribution": "2 fair",
    "strengths": "A ladder is a cheap tool that everybody has at home.",
    "weaknesses": "Only one tree was counted, and by one person.",
    "questions": "How tall was the ladder?",
    "rating": "6: marginally above the acceptance threshold",
    "confidence": "4: confident",
}
TEXT = """# Leaves by ladder

## Abstract

We propose LadderCount, a method that counts leaves from a ladder instead of from the ground.

## 1 Method

The ladder is moved once around the trunk, and leaves are counted at four heights. We take the
median of the four counts, which forgives one bad height.

## 2 Experiments

On one oak LadderCount finds 41,200 leaves against 38,900 of GroundCount (Table 1).

Table 1: Leaves found.

## 3 Limitations

Only oaks were counted, in one summer.
"""


def review(rating: Any = 6, **fields: Any) -> dict[str, Any]:
    content = {**REVIEW, "rating": rating, **fields}
    return {"id": "r", "rating": rating, "content": content}


def record(id_: str = "p1", **members: Any) -> dict[str, Any]:
    value = {
        "id": id_,
        "title": "Leaves by ladder",
        "paper_context": TEXT,
        "decision": "Accept",
        "review": [review(6), review(8), review(7)],
    }
    return {**value, **members}


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path
