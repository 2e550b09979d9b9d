"""Decisions: every wording seen at a source, and wordings that only look like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.paper import Unmapped
from revkit.venues.decisions import TABLE, Decision, read_decision


@pytest.mark.parametrize(
    "wording",
    [
        "Accept",
        "accept",
        "Accept (Poster)",
        "Accept (Oral)",
        "Accept (Spotlight)",
        "accept-poster",
        "Accept: notable-top-5%",
        "Accept: poster",
        "  Accept   (poster) ",
        "Oral",
        "Accept: Findings",
        "Accept (Long paper)",
        "Accepted to the main conference",
        "notable-top-25%",
        "1",
        1.0,
        "2",
        1,
        2,
        True,
    ],
)
def test_accepted(wording: object) -> None:
    assert read_decision(wording).accept is True


@pytest.mark.parametrize(
    "wording",
    [
        "Reject",
        "reject",
        "rejected-papers",
        "Rejected_Submission",
        "Reject (Invite to Workshop Track)",
        "Invite to Workshop Track",
        "Not accepted",
        "Reject and resubmit",
        "-1",
        -1,
        0,
        "0",
        False,
    ],
)
def test_rejected(wording: object) -> None:
    assert read_decision(wording).accept is False


@pytest.mark.parametrize(
    "wording",
    [
        None,
        "",
        "None",
        "Withdrawn",
        "withdrawn-rejected-submissions",
        "Desk Rejected",
        "Desk_Rejected_Submission",
        "undecided",
        float("nan"),
    ],
)
def test_neither(wording: object) -> None:
    decision = read_decision(wording)
    assert (decision.accept, decision.note) == (None, "")


@pytest.mark.parametrize(
    "wording",
    [
        "not accept",
        "Do not accept",
        "accept?",
        "Reject, not accept",
        "unacceptable",
        "accept or reject",
        "Invite to Archive",
        "Conditional accept",
        "Accept with minor revisions",
        "Accept to the workshop",
        "Weak Accept",
        "ICLR 2024 spotlight",
        "3",
        3,
        ["Accept"],
        {"value": "Accept"},
    ],
)
def test_what_is_not_in_the_table_gives_neither_and_a_note(wording: object) -> None:
    decision = read_decision(wording)
    assert decision.accept is None
    assert decision.note


@pytest.mark.parametrize("wording", ["Withdrawn", "Desk Reject", "withdrawn-rejected-submissions"])
def test_withdrawn_papers_are_marked(wording: str) -> None:
    assert read_decision(wording).withdrawn
    assert not read_decision("undecided").withdrawn


def test_a_map_of_the_user_goes_first() -> None:
    words = {"Invite to Archive": False, "Conditional accept": True, "Accept": None}
    assert read_decision("invite-to-archive", words).accept is False
    assert read_decision("Conditional Accept", words).accept is True
    mapped = read_decision("Accept", words)
    assert (mapped.accept, mapped.unmapped) == (None, False)
    assert read_decision("Accept (Poster)", words).accept is True
    unknown = read_decision("Maybe", words)
    assert unknown.gap == (Unmapped("decision", "Maybe"),)


def test_wording_is_kept_as_written() -> None:
    wording = "Reject (Invite to Workshop Track)"
    assert read_decision(wording) == Decision(False, wording)


@given(st.text(max_size=40))
def test_a_negated_wording_is_never_a_yes(text: str) -> None:
    for negation in ("not ", "never ", "no "):
        assert read_decision(negation + text).accept is not True


def test_table_has_no_wording_with_an_unlevelled_sign() -> None:
    assert not [w for w in TABLE if w != w.casefold() or (w != "-1" and set(w) & set("-_():"))]
