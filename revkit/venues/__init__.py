"""Venues: human ratings, decisions and reviews of papers, read with one set of rules.

Scales of review forms as values (`form_of`, ``forms.toml``), one grammar of ratings
(`read_rating`) and one of decisions (`read_decision`), and readers of the public review data sets
(`read_deepreview`, `read_openreview`, `read_peerread`), each giving a `Submission`: the text, the
human reviews, and the labels of a paper.

Each name is loaded when it is first used: one corpus has one layout.
"""

from typing import TYPE_CHECKING

from revkit.venues.records import JSON_FILES, RECORD_FILES, Record, as_id, parse, records

if TYPE_CHECKING:
    from revkit.venues.decisions import Decision, read_decision
    from revkit.venues.deepreview import read_deepreview
    from revkit.venues.draft import Draft
    from revkit.venues.fields import ASPECTS, TEXTS, field_name, fields_of, read_text, text_of
    from revkit.venues.forms import (
        FoundForm,
        declared_scale,
        form_named,
        form_names,
        form_of,
        scale_from_text,
        venue_forms,
    )
    from revkit.venues.label_records import OLD_ERROR, labels_of_row, stored_scale
    from revkit.venues.layouts import PARSED, submissions
    from revkit.venues.names import venue_names
    from revkit.venues.openreview import read_openreview, read_submission
    from revkit.venues.peerread import PeerReadFiles, read_peerread
    from revkit.venues.ratings import Rating, Scores, read_rating
    from revkit.venues.scanner import Malformed
    from revkit.venues.submission import (
        Declared,
        HumanReview,
        Submission,
        scored,
        with_reviews,
    )
    from revkit.venues.texts import clean, excerpt, line_numbers, plural
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "decisions": "Decision read_decision",
            "deepreview": "read_deepreview",
            "draft": "Draft",
            "fields": "ASPECTS TEXTS field_name fields_of read_text text_of",
            "forms": "FoundForm declared_scale form_named form_names form_of scale_from_text "
            "venue_forms",
            "layouts": "PARSED submissions",
            "names": "venue_names",
            "openreview": "read_openreview read_submission",
            "peerread": "PeerReadFiles read_peerread",
            "ratings": "Rating Scores read_rating",
            "scanner": "Malformed",
            "label_records": "OLD_ERROR labels_of_row stored_scale",
            "submission": "Declared HumanReview Submission scored with_reviews",
            "texts": "clean excerpt line_numbers plural",
        },
    )

__all__ = [
    "ASPECTS",
    "JSON_FILES",
    "OLD_ERROR",
    "PARSED",
    "RECORD_FILES",
    "TEXTS",
    "Decision",
    "Declared",
    "Draft",
    "FoundForm",
    "HumanReview",
    "Malformed",
    "PeerReadFiles",
    "Rating",
    "Record",
    "Scores",
    "Submission",
    "as_id",
    "clean",
    "declared_scale",
    "excerpt",
    "field_name",
    "fields_of",
    "form_named",
    "form_names",
    "form_of",
    "labels_of_row",
    "line_numbers",
    "parse",
    "plural",
    "read_decision",
    "read_deepreview",
    "read_openreview",
    "read_peerread",
    "read_rating",
    "read_submission",
    "read_text",
    "records",
    "scale_from_text",
    "scored",
    "stored_scale",
    "submissions",
    "text_of",
    "venue_forms",
    "venue_names",
    "with_reviews",
]
