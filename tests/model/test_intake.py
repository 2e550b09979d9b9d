"""Intake: what is repaired, what is counted, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.errors import PaperError
from revkit.model.intake import clean_text, decode

CASES = [
    ("plain\ttext\n", "plain\ttext\n", ()),
    ("a\r\nb\rc", "a\nb\nc", ("changed 1 CRLF line end", "changed 1 CR line end")),
    ("\ufeffa", "a", ("dropped 1 byte order mark",)),
    ("a\x00b\x07\x1b\x85c", "abc", ("removed 4 control characters",)),
    ("a\fb", "a\nb", ("changed 1 form feed",)),
    ("\ud835\udc00 x", "\U0001d400 x", ("joined 1 surrogate pair",)),
    ("a\ud835 \udc00b", "a\ufffd \ufffdb", ("replaced 2 lone surrogates",)),
    ("soft\u00adhyphen \u200b \ue000", "soft\u00adhyphen \u200b \ue000", ()),
    (
        "infor\ufffemation and net\ufffe\nwork at the end \ufffe",
        "information and network at the end ",
        ("joined 2 words at soft hyphens of PDF text", "removed 1 soft hyphen"),
    ),
    ("", "", ()),
]


@pytest.mark.parametrize(("raw", "text", "notes"), CASES)
def test_repairs_are_made_and_counted(raw, text, notes):
    assert clean_text(raw) == (text, notes)


@given(st.text(alphabet=st.characters(), max_size=60))
def test_clean_text_can_be_written_and_stays_clean(raw):
    text, _ = clean_text(raw)
    text.encode("utf-8")
    assert clean_text(text) == (text, ())


@given(st.text(alphabet=st.sampled_from("a\r\n\f\ufffe\x00\ufeff\ud835\udc00\t"), max_size=12))
def test_odd_characters_in_any_order_stay_clean(raw):
    text, _ = clean_text(raw)
    assert clean_text(text) == (text, ())


def test_bytes_are_utf8_with_or_without_a_mark():
    assert decode("é\r\n".encode()) == ("é\n", ("changed 1 CRLF line end",))
    assert decode(b"\xef\xbb\xbfa") == ("a", ("dropped 1 byte order mark",))


@pytest.mark.parametrize(("data", "offset"), [(b"abc\xe9d", 3), ("é".encode("utf-16"), 0)])
def test_other_encodings_are_refused_with_the_place(data, offset):
    with pytest.raises(PaperError, match=f"offset {offset} "):
        decode(data)
