"""Review forms as data, how a record's form is found, and when it is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from revkit.model.consensus import consensus_of
from revkit.model.paper import Labels
from revkit.model.rating_scale import RatingScale
from revkit.venues import form_named, form_of, read_rating, scale_from_text, venue_forms
from revkit.venues.forms import FoundForm

FIELDS = (
    *("summary", "soundness", "presentation", "contribution", "strengths", "weaknesses"),
    *("questions", "rating", "confidence"),
)


def found(
    ratings: Sequence[object], venues: Sequence[str] = (), fields: Sequence[str] = ()
) -> FoundForm:
    return form_of(venues, [read_rating(rating) for rating in ratings], fields)


def ends(form: FoundForm) -> tuple[float, float] | None:
    return None if form.scale is None else (form.scale.minimum, form.scale.maximum)


@pytest.mark.parametrize(
    ("venue", "name", "expected"),
    [
        ("ICLR.cc/2020/Conference", "iclr-2020", (1, 8)),
        ("ICLR.cc/2026/Conference/-/Submission", "iclr-2026", (0, 10)),
        ("iclr_2017", "iclr-2017", (1, 10)),
        ("Submitted to ICLR 2024", "iclr-2024", (1, 10)),
        ("acl_2017", "acl-2017", (1, 5)),
        ("aclweb.org/ACL/ARR/2024/June", "arr", (1, 5)),
        ("NeurIPS.cc/2023/Conference", "neurips-2023", (1, 10)),
    ],
)
def test_by_venue_and_year(venue: str, name: str, expected: tuple[float, float]) -> None:
    form = found([], [venue])
    assert form.scale is not None
    assert (form.scale.name, ends(form)) == (name, expected)


@pytest.mark.parametrize(
    "venue",
    ["NIPS.cc/2018/Workshop/CDNNRIA", "ICLR.cc/2031/Conference", "Birch 2025", "ARRAY 2020"],
)
def test_a_venue_without_a_form_has_no_scale(venue: str) -> None:
    form = found([4, 6], [venue], FIELDS)
    assert (form.scale, form.candidates) == (None, (venue,))


def test_by_the_labels_beside_ratings() -> None:
    assert ends(found(["6: Weak Accept", "8: Accept"])) == (1, 8)
    assert ends(found(["10: Top 5% of accepted papers, seminal paper", 7])) == (1, 10)
    assert ends(
        found(["6: marginally above the acceptance threshold", "3: reject, not good enough"])
    ) == (1, 10)
    # The same label with another value, or with a value that no such form has, is not evidence.
    assert ends(found(["4: Top 50% of accepted papers, clear accept"])) is None
    assert ends(found(["6: Weak Accept", 5])) is None
    assert ends(found(["6: my own words"])) is None


def test_by_fields_and_values() -> None:
    assert ends(found([6, 4, 4, 4], (), FIELDS)) == (0, 10)
    assert ends(found([6, 5, 3], (), FIELDS)) == (1, 10)
    assert ends(found([6, 5, 7], (), [*FIELDS, "limitations"])) == (1, 10)
    # 6 and 8 are on the forms of 2024 and of 2026, whose ends differ: nothing is assumed.
    both = found([6, 8, 8], (), FIELDS)
    assert (both.scale, both.candidates) == (None, ("iclr-2024..2025", "iclr-2026"))
    assert ends(found([6, 4], (), ["rating"])) is None
    assert ends(found([7], (), FIELDS)) is None


def test_a_stated_end_is_evidence() -> None:
    assert ends(found(["6/10", "4/10"], (), FIELDS)) == (0, 10)
    assert ends(found(["3/5", "4/5"], (), FIELDS)) is None
    assert read_rating("3/5", form_named("arr")).value == 3.0


def test_every_form_is_a_scale_with_a_source_or_assumed() -> None:
    for form in venue_forms():
        assert all(form.scale.allows(number) for number in form.words)
        assert form.scale.assumed is (not form.scale.source)
    assert form_named("iclr-2020") is not None
    shown = {
        name: scale.label
        for name in ("iclr-2020", "iclr-2019", "iclr-2021")
        if (scale := form_named(name))
    }
    assert shown == {
        "iclr-2020": "iclr-2020",
        "iclr-2019": "iclr-2019",
        "iclr-2021": "iclr-2021 (assumed)",
    }


def test_scales_in_label_files() -> None:
    declared = scale_from_text("our-form-1-6")
    assert declared is not None
    assert (declared.minimum, declared.maximum, declared.name) == (1, 6, "our-form-1-6")
    assert scale_from_text("iclr-2020") == form_named("iclr-2020")
    assert scale_from_text("iclr-2017-1-10") is not None
    for text in ("", "ours", "10-1", "ours-1"):
        assert scale_from_text(text) is None


def test_the_consensus_by_hand() -> None:
    scale = RatingScale("ours", 1, 6)
    found_one = consensus_of(Labels(ratings=(6, 1), scale=scale))
    assert found_one is not None
    # Mean 3.5 of 1 to 6: half way. The sample's variance is 12.5, that of the mean 6.25.
    assert (found_one.severity, found_one.error) == (50.0, pytest.approx(2.5 * 20))
    single = consensus_of(Labels(ratings=(6,), scale=scale))
    assert single is not None
    assert (single.severity, single.error) == (0.0, None)
    # The ends in a scale's name mean nothing.
    assert consensus_of(Labels(ratings=(6,), rating_scale="rating-1-10")) is None
    stated = consensus_of(Labels(severity=20.0, severity_se=4.0))
    assert stated is not None
    assert stated.error == 4.0
