"""Rubrics: the nine of YESciEval, and those of a user's own file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import revkit_yescieval.rubrics as rubrics_module
from revkit.errors import OptionError
from revkit_yescieval.rubrics import RUBRICS, Coherence, Cohesion, RubricFile
from revkit_yescieval.rubrics.rubric_reader import (
    MOST_BYTES,
    RubricProblem,
    parse_rubric,
    read_rubric,
)

ROOT = Path(__file__).parents[3]
FOLDER = Path(rubrics_module.__file__).parent
SEED = ROOT.parent / "shared" / "seeds" / "yescieval-heuristics.md"
SCHEMA = json.loads((ROOT / "schemas" / "rubric.schema.json").read_text(encoding="utf-8"))
FAMILIES = {
    "linguistic and stylistic quality": ["cohesion", "conciseness", "readability"],
    "logical and structural integrity": ["coherence", "integration", "relevancy"],
    "content accuracy and informativeness": ["correctness", "completeness", "informativeness"],
}
NINE = [name for names in FAMILIES.values() for name in names]
GOOD = """\
name: my-own
question: Is it so?
levels:
  1: not at all
  3: quite
  2: a little
instructions: Look closely.
"""


def built_in() -> list[Any]:
    return [rubric() for rubric in RUBRICS if rubric is not RubricFile]


def test_nine_rubrics_stand_in_the_seed_s_three_families() -> None:
    criteria = [rubric.criterion for rubric in built_in()]
    assert [criterion.name for criterion in criteria] == NINE
    assert {f: [c.name for c in criteria if c.family == f] for f in FAMILIES} == FAMILIES
    for rubric, criterion in zip(built_in(), criteria, strict=True):
        assert rubric.name == criterion.name
        assert criterion.scale.values == (1.0, 2.0, 3.0, 4.0, 5.0)
        assert criterion.instructions
        assert "Leave out" in criterion.instructions or "leave out" in criterion.instructions


@pytest.mark.skipif(not SEED.is_file(), reason="needs the seed in ../shared/seeds")
def test_the_questions_are_the_seed_s() -> None:
    found = re.findall(r"^\| \*\*\d\. (\w+):\*\* (.+?) \|", SEED.read_text("utf-8"), re.M)
    asked = {name.lower(): question for name, question in found}
    assert asked == {rubric.name: rubric.criterion.question for rubric in built_in()}


@pytest.mark.parametrize("name", NINE)
def test_the_files_meet_their_schema_and_are_read_in_full(name: str) -> None:
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    value = json.loads(json.dumps(yaml.safe_load(text)))  # keys become text, as in JSON
    jsonschema.validate(value, SCHEMA)
    criterion = parse_rubric(text)
    assert criterion.question == value["question"].strip()
    assert criterion.instructions == value["instructions"].strip()
    assert {str(score): told for score, told in criterion.levels} == value["levels"]


def test_the_example_of_the_schema_meets_it() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for example in SCHEMA["examples"]:
        jsonschema.validate(example, SCHEMA)
        assert parse_rubric(yaml.safe_dump(example)).name == example["name"]


def test_a_rubric_of_one_s_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD, encoding="utf-8")
    rubric = RubricFile(path=str(path))
    criterion = rubric.criterion
    assert criterion.name == "my-own"
    assert criterion.levels == ((1, "not at all"), (2, "a little"), (3, "quite"))
    assert criterion.family == ""
    assert criterion.instructions == "Look closely."
    assert rubric.files_needed() == (str(path),)


def test_a_rubric_is_known_by_its_content(tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("a.yaml", "b.yaml", "c.yaml"))
    one.write_text(GOOD, encoding="utf-8")
    two.write_text("# a comment\n" + GOOD, encoding="utf-8")
    other.write_text(GOOD.replace("quite", "rather"), encoding="utf-8")
    identity = RubricFile(path=str(one)).identity()
    assert RubricFile(path=str(two)).identity() == identity
    assert RubricFile(path=str(other)).identity() != identity
    assert Cohesion().identity() != Coherence().identity()


FAULTS = {
    "not YAML": ("name: [", ":1:8: malformed YAML"),
    "empty": ("# nothing\n", "is empty"),
    "a list": ("- name\n", ":1:1: expected a mapping"),
    "an unknown key": (GOOD + "scale: 5\n", ":8:1: unknown key 'scale'.*known: family"),
    "a misspelt key": (GOOD.replace("levels", "level"), ":3:1: unknown key 'level'; did you me"),
    "a missing key": (GOOD.replace("question: Is it so?\n", ""), "the key 'question' is missing"),
    "a key twice": (GOOD + "name: other\n", ":8:1: the key 'name' is used twice; first at line 1"),
    "a level twice": (
        GOOD.replace("  3:", "  1:"),
        ":5:3: the key '1' is used twice; first at line 4",
    ),
    "one number twice": (GOOD.replace("  3:", "  01:"), "levels: two keys are the same number"),
    "a half level": (GOOD.replace("  3:", "  1.5:"), ":5:3: levels.1.5: expected whole numbers"),
    "a named level": (GOOD.replace("  3:", "  good:"), ":5:3: levels.*not 'good'"),
    "one level": ("name: a\nquestion: b\nlevels: {1: c}\n", "expected 2 to 101 levels, not 1"),
    "levels as a list": ("name: a\nquestion: b\nlevels: [1, 2]\n", ":3:9: levels: expected a ma"),
    "an empty level": (GOOD.replace("quite", ""), ":5:5: levels.3: is empty; write its text"),
    "an empty question": (GOOD.replace("Is it so?", "''"), ":2:11: question: is empty"),
    "a mapping as text": (GOOD.replace("Is it so?", "{a: b}"), ":2:11: question: expected text"),
    "a wrong name": (GOOD.replace("my-own", "My Own"), ":1:7: name: expected lower-case words"),
    "a tag": ("!!python/object:os.system [x]\n", ":1:1: the tag .* is not allowed"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_its_place_and_remedy(fault: str, tmp_path: Path) -> None:
    text, told = FAULTS[fault]
    path = tmp_path / "rubric.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(OptionError, match=r"(?s)rubric-file: path: .*rubric\.yaml.*" + told):
        RubricFile(path=str(path))


def test_texts_are_taken_as_they_are_written() -> None:
    """YAML reads `yes` and `1.0` as no text; here they are what a person wrote."""
    criterion = parse_rubric("name: yes\nquestion: 1.0\nlevels: {1: no, 2: 3e5}\n")
    assert (criterion.name, criterion.question) == ("yes", "1.0")
    assert criterion.levels == ((1, "no"), (2, "3e5"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RubricProblem, match="cannot be read: No such file"):
        read_rubric(str(tmp_path / "absent.yaml"))
    with pytest.raises(RubricProblem, match="cannot be read: Is a directory"):
        read_rubric(str(tmp_path))
    big = tmp_path / "big.yaml"
    big.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(RubricProblem, match=f"is larger than {MOST_BYTES} bytes"):
        read_rubric(str(big))
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(GOOD.replace("quite", "gepr\u00fcft").encode("latin-1"))
    with pytest.raises(RubricProblem, match="is not UTF-8: byte 0xfc at offset 66"):
        read_rubric(str(latin))


def test_aliases_cannot_grow() -> None:
    """A billion laughs: aliases of lists within lists are refused at the first list."""
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nname: n\nquestion: *b\nlevels: {1: a, 2: b}\n"
    with pytest.raises(RubricProblem, match="unknown key 'a'"):
        parse_rubric(bomb)


@pytest.mark.parametrize("tag", ["!!python/name:os.system", "!own", "!!binary"])
def test_a_tag_is_refused_with_its_line(tmp_path: Path, tag: str) -> None:
    path = tmp_path / "tagged.yaml"
    lines = ["name: a", f"question: {tag} Is it?", "levels: {1: no, 2: yes}"]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(RubricProblem, match=r"the tag .* is not allowed"):
        read_rubric(str(path))


def test_what_is_no_file_is_not_read() -> None:
    with pytest.raises(RubricProblem, match="is not a regular file"):
        read_rubric("/dev/zero")
