"""OpenReview: the three real dumps, and both versions of the API by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import RunError
from revkit.model.paper import Paper, Skipped
from revkit.testing import context
from revkit.venues.openreview import scale_of
from revkit_corpora.openreview import OpenReview

Load = Callable[[OpenReview], tuple[list[Paper], list[Skipped]]]
GROUP = "ICLR.cc/2024/Conference"


def test_real_dumps(shared_data: Path, load: Load) -> None:
    papers, skipped = load(OpenReview(path=str(shared_data / "openreview_raw")))
    assert ([p.id for p in papers], skipped) == (["HkghWScuoQ", "ryxz8CVYDH", "zzo3Sy3NSX"], [])
    dump, first, second = papers
    assert (dump.labels.accept, dump.labels.decision) == (True, "accept")
    assert (dump.labels.ratings, dump.labels.confidences) == ((4.0,), (2.0,))
    assert dump.labels.rating_scale == "nips-2018-workshop-cdnnria"
    assert (first.labels.accept, first.labels.decision) == (True, "Accept (Poster)")
    assert (first.labels.ratings, first.labels.confidences) == ((6.0, 8.0, 6.0), (None,) * 3)
    assert first.labels.rating_scale == "iclr-2020"
    assert "**TL;DR:** Novel variant of learning to learn framework" in first.text
    assert (second.labels.accept, second.labels.decision) == (None, "")
    assert second.labels.ratings == (6.0, 4.0, 4.0, 4.0)
    assert second.labels.confidences == (3.0, 4.0, 4.0, 2.0)
    assert second.labels.topic == "foundation or frontier models, including LLMs"
    assert all("abstract only" in p.notes for p in papers)
    assert second.text.startswith(
        "# Your Language Model Secretly Contains Personality Subnetworks\n\n## Abstract\n\nLarge "
    )


def v1(id_: str, kind: str, reply_to: str | None = None, **content: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "forum": reply_to or id_,
        "replyto": reply_to,
        "invitation": f"{GROUP}/Paper1/-/{kind}" if reply_to else f"{GROUP}/-/{kind}",
        "content": content,
    }


def v2(id_: str, kind: str, reply_to: str | None = None, **content: Any) -> dict[str, Any]:
    note = v1(id_, kind, reply_to)
    invitation = note.pop("invitation")
    note["invitations"] = [invitation, f"{GROUP}/-/Edit"]
    note["content"] = {key: {"value": value} for key, value in content.items()}
    return note


@pytest.mark.parametrize("version", [v1, v2])
@pytest.mark.parametrize("nested", ["replies", "directReplies", "notes", "loose", "loose before"])
def test_one_paper_in_both_versions_and_all_places(
    tmp_path: Path, load: Load, version: Callable[..., dict[str, Any]], nested: str
) -> None:
    paper = version("p", "Submission", title="T", abstract="In short.", keywords=["a", "b"])
    replies = [
        version("r1", "Official_Review", "p", rating="10: Top", confidence="4: Sure"),
        version("r2", "Official_Review", "p", rating="unclear", confidence=3),
        version("r3", "Official_Review", "p", recommendation="3: reject, not good enough"),
        version("r4", "Official_Review", "p", summary="No score."),
        version("c1", "Official_Comment", "p", comment="Thanks", rating="9: not a review"),
        version("m1", "Meta_Review", "p", recommendation="Reject", confidence=5),
        version("d1", "Decision", "p", decision="Accept (Oral)"),
        {**version("r5", "Official_Review", "p", rating=1), "ddate": 1},
    ]
    if nested == "notes":
        content: object = {**paper, "notes": replies}
    elif nested.startswith("loose"):
        content = {"notes": [*replies, paper] if "before" in nested else [paper, *replies]}
    else:
        content = [{**paper, "details": {nested: replies}}]
    (tmp_path / "x.json").write_text(json.dumps(content))
    (loaded,), skipped = load(OpenReview(path=str(tmp_path)))
    assert not skipped
    assert loaded.text == "# T\n\n## Abstract\n\nIn short.\n\n**Keywords:** a, b\n"
    assert (loaded.labels.accept, loaded.labels.decision) == (True, "Accept (Oral)")
    assert loaded.labels.ratings == (10.0, 3.0)
    assert loaded.labels.confidences == (4.0, None)
    assert loaded.labels.rating_scale == "iclr-2024"
    assert loaded.notes == (
        "abstract only",
        "1 deleted reply",
        "not counted as reviews: 1 comment",
        "review 2: rating 'unclear' is not a score: left out",
        "1 review without a rating",
    )


def submission(**fields: Any) -> dict[str, Any]:
    """One submission; each of ``replies`` is a pair of kind and wording."""
    replies = [
        v2(f"r{number}", kind, "p", recommendation=wording)
        for number, (kind, wording) in enumerate(fields.pop("replies", []))
    ]
    note = v2("p", "Submission", title="T", abstract="A.", **fields)
    return {**note, "details": {"replies": replies}}


@pytest.mark.parametrize(
    ("fields", "accept", "decision"),
    [
        ({"venue": "ICLR 2024 poster", "venueid": GROUP}, True, "ICLR 2024 poster"),
        ({"venue": "ICLR 2024 Conference Submission", "venueid": f"{GROUP}/Submission"}, None, ""),
        (
            {"venue": "Submitted to ICLR 2024", "venueid": f"{GROUP}/Rejected_Submission"},
            False,
            "rejected submission",
        ),
        ({"venueid": f"{GROUP}/Withdrawn_Submission"}, None, "withdrawn submission"),
        ({"venueid": f"{GROUP}/Desk_Rejected_Submission"}, None, "desk rejected submission"),
        ({"replies": [("Meta_Review", "Accept (Poster)")]}, True, "Accept (Poster)"),
        ({"replies": [("Meta_Review", "7: ok")]}, None, ""),
        ({"replies": [("Decision", "Reject"), ("Meta_Review", "Accept")]}, False, "Reject"),
        ({"replies": [("Decision", "Reject"), ("Decision", "Accept")]}, None, "Reject; Accept"),
        ({"replies": [("Decision", "Do not accept")]}, None, "Do not accept"),
    ],
)
def test_decisions(
    tmp_path: Path, load: Load, fields: dict[str, Any], accept: bool | None, decision: str
) -> None:
    (tmp_path / "x.json").write_text(json.dumps(submission(**fields)))
    (paper,), _ = load(OpenReview(path=str(tmp_path)))
    assert (paper.labels.accept, paper.labels.decision) == (accept, decision)


def test_irregular_notes(tmp_path: Path, load: Load) -> None:
    notes = [
        v1("a", "Submission", title="T", abstract=None),
        {**v1("b", "Submission", title="T", abstract="A."), "ddate": 5},
        {"id": "c"},
        v1("r1", "Official_Review", "gone", rating=5),
        v1("r2", "Official_Review", "gone", rating=6),
        v1("d", "Submission", title="T\ud835", abstract="A.", keywords="x, y"),
        v1("d", "Submission", title="T", abstract="Again."),
        3,
    ]
    (tmp_path / "x.jsonl").write_text("\n".join(json.dumps(note) for note in notes))
    papers, skipped = load(OpenReview(path=str(tmp_path)))
    assert [(p.id, p.title) for p in papers] == [("d", "T\ufffd")]
    assert papers[0].labels.extra["keywords"] == ["x", "y"]
    assert [(s.id, s.reason) for s in skipped] == [
        ("a", "no abstract, and the API gives no full text"),
        ("b", "deleted at its source (ddate)"),
        ("c", "no content"),
        ("d", "duplicate id; the first is in x.jsonl:6"),
        ("x.jsonl:8", "not an object but '3'"),
        ("gone", "2 replies without their submission"),
    ]


def test_empty_answer_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"notes": [], "count": 0}')
    with pytest.raises(RunError, match="contains no record"):
        list(OpenReview(path=str(tmp_path / "x.json")).papers(context()))


@pytest.mark.parametrize(
    ("venue", "scale"),
    [
        ("ICLR.cc/2020/Conference", "iclr-2020"),
        ("NIPS.cc/2018/Workshop/CDNNRIA", "nips-2018-workshop-cdnnria"),
        ("aclweb.org/ACL/ARR/2024/June", "aclweb-acl-arr-2024-june"),
        ("", ""),
    ],
)
def test_scale_names(venue: str, scale: str) -> None:
    assert scale_of(venue) == scale


def note(version: int, id_: str, kind: str, forum: str = "", **content: Any) -> dict[str, Any]:
    """A note as `get_all_notes` gives it, written with `Note.to_json`."""
    name = f"ICLR.cc/2024/Conference/{kind}"
    if version == 1:
        extra: dict[str, Any] = {"invitation": name}
    else:
        extra = {"invitations": [name], "domain": "ICLR.cc/2024/Conference"}
        content = {key: {"value": value} for key, value in content.items()}
    reply = {"replyto": forum} if forum else {}
    return {"id": id_, "forum": forum or id_, **reply, **extra, "content": content}


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("replies", ["none", "details", "beside"])
def test_all_notes_of_a_venue(tmp_path: Path, load: Load, version: int, replies: str) -> None:
    paper = note(version, "p1", "-/Submission", title="Gates", abstract="We study gates.")
    review = note(
        version, "r1", "Submission1/-/Official_Review", "p1", rating="6: marginally", review="Good."
    )
    decision = note(version, "d1", "Submission1/-/Decision", "p1", decision="Accept (poster)")
    notes = [paper]
    if replies == "details":
        paper["details"] = {"replies": [review, decision]}
    elif replies == "beside":
        notes += [review, decision]
    path = tmp_path / "notes.json"
    path.write_text(json.dumps(notes), encoding="utf-8")
    papers, skipped = load(OpenReview(path=str(path)))
    assert ([paper.id for paper in papers], skipped) == (["p1"], [])
    (found,) = papers
    if replies == "none":
        assert (found.labels.ratings, found.labels.accept, found.reviews) == ((), None, ())
    else:
        assert (found.labels.ratings, found.labels.accept) == ((6,), True)
        assert [each.text for each in found.reviews] == ["Review:\nGood."]
