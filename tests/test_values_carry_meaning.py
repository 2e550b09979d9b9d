"""No words of a message decide anything: outcomes, kinds and warnings are values.

Messages are written for people and may be rewritten at any time. A test of the first words of a
reason, a note or an error would then change a count without anyone noticing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROSE = (
    *("reason", "rejected", "refused", "note", "notes", "detail", "message", "error"),
    *("warning", "warnings", "remark", "remarks"),
)
METHODS = (
    *("startswith", "endswith", "removeprefix", "removesuffix"),
    *("partition", "rpartition", "find", "index"),
)
# Nothing but words is there in answers that 0.1.0 stored, and in what a server, litellm or csv
# says.
WORDS_ALONE = (
    ROOT / "revkit" / "files" / "csv_tables.py",
    ROOT / "revkit" / "execution" / "old_format.py",
    ROOT / "revkit" / "services" / "llm" / "litellm_transport.py",
    ROOT / "revkit" / "services" / "llm" / "sender.py",
)
# Notes of tables are texts as yet.
AS_YET = (ROOT / "plugins" / "revkit_reports" / "sentences.py",)


def prose(node: ast.expr) -> bool:
    """Whether an expression is, by its name, text for people."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in PROSE
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key in PROSE
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return prose(inner)
        case ast.Subscript(value=inner):
            return prose(inner)
    return False


def words(node: ast.expr) -> bool:
    """Whether an expression is a literal text, or a constant of the module."""
    match node:
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.Name(id=name):
            return name.lstrip("_").isupper()
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(words(part) for part in parts)
        case ast.JoinedStr():
            return True
    return False


def decisions(tree: ast.AST) -> Iterator[ast.expr]:
    """Expressions that ask what a text for people says."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=text, attr=name)) if name in METHODS:
                if prose(text):
                    yield node
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                asks = isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn)
                if asks and ((prose(left) and words(right)) or (words(left) and prose(right))):
                    yield node


def test_the_test_sees_what_it_is_to_see() -> None:
    seen = """
row.rejected.startswith("crashed:")
note.endswith(": left out")
edit.note != _DROPPED
"left out" in row["detail"]
str(found.reason)[:9] == "no edit p"
reasons = row.rejected or "none"
note not in notes
edit.kind == "mark"
"""
    assert [node.lineno for node in decisions(ast.parse(seen))] == [2, 3, 4, 5, 6]


def test_no_words_of_a_message_decide_anything() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for folder in ("revkit", "plugins")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path not in (*WORDS_ALONE, *AS_YET)
        for node in decisions(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []
