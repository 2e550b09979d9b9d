"""LaTeX trees: read a main file with the files, reference list and macros that it uses, as one
text.

Files are read below one folder only. What cannot be read stays as it is written, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from revkit.errors import PaperError
from revkit.files import Unreadable, read_bytes
from revkit.model.intake import decode
from revkit.model.latex_source import hidden_spans, visible_text
from revkit.papers.latex_bibliography import bibliography_of_bibtex, cited_keys
from revkit.papers.latex_macros import endless_macros, expand_macros

_INPUT = re.compile(
    r"\\(?:input|include|subfile)(?![A-Za-z@])\s?(?:\{(?P<braced>[^{}\n]{1,300})\}|(?P<bare>[\w./-]{1,300}))"
    r"|\\(?:sub)?import\*?\s?\{(?P<folder>[^{}\n]{0,300})\}\s?\{(?P<file>[^{}\n]{1,300})\}"
)
_BIBLIOGRAPHY = re.compile(
    r"\\(?:bibliography\s?\{(?P<names>[^{}]{1,1000})\}|printbibliography(?:\[[^\[\]]{0,200}\])?)"
)
_RESOURCE = re.compile(r"\\addbibresource(?:\[[^\[\]]{0,100}\])?\s?\{([^{}]{1,300})\}")
_CONTENTS = re.compile(r"\\begin\{filecontents\*?\}(?:\[[^\[\]]{0,100}\])?\s?\{([^{}]{1,200})\}")
_CONTENTS_END = re.compile(r"\\end\{filecontents\*?\}")
_MAIN = re.compile(r"\\document(?:class|style)\b|\\begin\s?\{document\}")
# A file without a document class is a paper, and not a piece of another, if it has these.
_PAPER = re.compile(
    r"\\title\b|\\begin\s?\{abstract\}|\\abstract\b"
    r"|\\(?:section|chapter)\*?\s?\{\s?(?:introduction|abstract)\b",
    re.IGNORECASE,
)
STRAY_PIECE = (
    "no \\documentclass, title, abstract or introduction, and no other .tex file includes it; give "
    "it one of these if it is a paper"
)
"""Why a file is skipped for which `is_stray_piece` is true."""
_DEEPEST = 10
_MOST_NAMED = 5
_MOST_FILES = 500
MOST_BYTES = 20_000_000
_ARGUMENT = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,200}\}){0,400}\}){0,400}\}"
_TWO_FORMS = re.compile(
    r"\\texorpdfstring\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,200}\}){0,400}\}){0,400})\}" + _ARGUMENT
)
_BOX = re.compile(r"\\pandocbounded\{(\\includegraphics(?:\[[^\[\]]{0,200}\])?\{[^{}]{0,400}\})\}")


@dataclass
class _Tree:
    """One main file being read, the folder that files must be in, and what was noted."""

    main: Path
    root: Path
    left: int
    files: int = 0
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def resolve(self, name: str, folder: Path, endings: Iterable[str]) -> Path | None:
        """Return the file that ``name`` means, or `None` with a note."""
        name = name.strip()
        for base in dict.fromkeys((self.main.parent, folder)):
            for ending in endings:
                path = (base / (name + ending)).resolve()
                if not path.is_file():
                    continue
                if not path.is_relative_to(self.root):
                    self.note(f"not read: {name} lies outside the folder")
                    return None
                return path
        self.note(f"not read: {name} is not in the folder")
        return None

    def read(self, path: Path) -> str | None:
        self.files += 1
        if self.files > _MOST_FILES:
            self.note(f"not read: more than {_MOST_FILES} files")
            return None
        try:
            text, notes = decode(read_bytes(path, self.left))
        except (Unreadable, PaperError) as error:
            self.note(f"not read: {path.name}: {error}")
            return None
        self.left -= len(text)
        for each in notes:
            self.note(each)
        return text

    def expand(self, text: str, folder: Path, above: tuple[Path, ...]) -> str:
        parts: list[str] = []
        position = 0
        for match in _INPUT.finditer(text):
            if match.start() < position or _is_comment(text, match.start()):
                continue
            inner = self._included(match, folder, above)
            if inner is not None:
                parts += text[position : match.start()], inner
                position = match.end()
        parts.append(text[position:])
        return "".join(parts)

    def _included(self, match: re.Match[str], folder: Path, above: tuple[Path, ...]) -> str | None:
        name = match["braced"] or match["bare"] or f"{match['folder']}/{match['file']}"
        if name.endswith((".bbl", ".pgf", ".tikz", ".pdf_tex")):
            return None
        path = self.resolve(name, folder, ("", ".tex"))
        if path is None:
            return None
        if path in above:
            self.note(f"not read: {name} includes itself")
            return None
        if len(above) >= _DEEPEST:
            self.note(f"not read: {name} is more than {_DEEPEST} files deep")
            return None
        inner = self.read(path)
        return None if inner is None else self.expand(inner, path.parent, (*above, path))

    def add_bibliography(self, text: str) -> str:
        """Return ``text`` with its reference list at the place where it requests one."""
        place = _BIBLIOGRAPHY.search(visible_text(text, hidden_spans(text)))
        if place is None or "\\begin{thebibliography}" in text:
            return text
        entries = self._compiled() or self._from_bibtex(text, place["names"] or "")
        if not entries:
            return text
        return f"{text[: place.start()]}{entries}{text[place.end() :]}"

    def _compiled(self) -> str:
        """Return the list that BibTeX wrote for the main file, or the only list in the same
        folder.
        """
        beside = self.main.with_suffix(".bbl")
        found = [beside] if beside.is_file() else sorted(self.main.parent.glob("*.bbl"))
        if len(found) != 1 or not found[0].resolve().is_relative_to(self.root):
            return ""
        text = self.read(found[0].resolve()) or ""
        start = text.find("\\begin{thebibliography}")
        end = text.find("\\end{thebibliography}", start)
        if start < 0 or end < 0:
            return ""
        self.note(f"reference list from {found[0].name}")
        return text[start : end + len("\\end{thebibliography}")]

    def _from_bibtex(self, text: str, names: str) -> str:
        within = _contents(text)
        wanted = [name.strip() for name in names.split(",") if name.strip()]
        wanted += [name.strip() for name in _RESOURCE.findall(text)]
        sources: list[str] = []
        for name in wanted:
            stem = name.removesuffix(".bib")
            if f"{stem}.bib" in within:
                sources.append(within[f"{stem}.bib"])
                continue
            path = self.resolve(stem, self.main.parent, (".bib",))
            content = self.read(path) if path else None
            if content is not None:
                sources.append(content)
        if not sources:
            return ""
        entries, count, missing = bibliography_of_bibtex("\n".join(sources), cited_keys(text))
        if count:
            self.note(f"reference list of {count} works made from BibTeX")
        if missing:
            self.note(f"{missing} works cited are not in the BibTeX files")
        return entries


def _is_comment(text: str, place: int) -> bool:
    line = text.rfind("\n", 0, place) + 1
    return re.search(r"(?<!\\)(?:\\\\)*%", text[line:place]) is not None


def _contents(text: str) -> dict[str, str]:
    """The files that LaTeX source carries within itself, by name."""
    found: dict[str, str] = {}
    for match in _CONTENTS.finditer(text):
        end = _CONTENTS_END.search(text, match.end())
        if end:
            found[match[1].strip()] = text[match.end() : end.start()]
    return found


def read_latex_tree(
    path: Path, root: Path | None = None, most_bytes: int = MOST_BYTES
) -> tuple[str, tuple[str, ...]]:
    """Return the text of the LaTeX file ``path`` with all files that it includes, and notes.

    Files named by ``\\input``, ``\\include``, ``\\subfile`` and ``\\import`` take the place of the
    command, the reference list that of ``\\bibliography``: from the ``.bbl`` file, else made from
    ``.bib`` files or ``filecontents`` for the works that are cited. Simple macros of the paper are
    expanded. Files must lie below ``root`` (default: the folder of ``path``); loops, files outside
    and more than ``most_bytes`` in all are refused, with a note. Raises `Unreadable` where ``path``
    itself cannot be read, `PaperError` where it is not UTF-8.
    """
    text, notes = decode(read_bytes(path, most_bytes))
    folder = path.parent.resolve()
    tree = _Tree(path.resolve(), (root or folder).resolve(), most_bytes - len(text))
    tree.notes += notes
    text = tree.expand(text, folder, (path.resolve(),))
    text = tree.add_bibliography(text)
    endless = endless_macros(text)
    text, macros = expand_macros(text)
    if macros:
        tree.note(f"expanded {macros} uses of the paper's macros")
    if endless:
        names = [f"\\{name}" for name in endless[:_MOST_NAMED]]
        if len(endless) > _MOST_NAMED:
            names.append(f"{len(endless) - _MOST_NAMED} more")
        tree.note(f"not expanded: {', '.join(names)}, because the definition uses itself")
    return _plain_forms(text), tuple(tree.notes)


def _plain_forms(text: str) -> str:
    """Return the text with the plain form of what converters write: of each heading that is there
    twice, for the page and for bookmarks, the first; brackets without the braces around them, as
    in the label "{[}1{]}"; pictures without a box.
    """
    text = _TWO_FORMS.sub(r"\1", text)
    text = _BOX.sub(r"\1", text)
    return text.replace("{[}", "[").replace("{]}", "]")


def parts_of_trees(paths: Iterable[Path]) -> frozenset[Path]:
    """Return the LaTeX files in ``paths`` that other files include and that are not documents
    themselves. A file that only a comment includes is a part, too, if it has no title or abstract.
    """
    texts: dict[Path, str] = {}
    for path in paths:
        try:
            texts[path.resolve()] = decode(read_bytes(path, MOST_BYTES))[0]
        except (Unreadable, PaperError):
            continue
    named: set[Path] = set()
    mentioned: set[Path] = set()
    for path, text in texts.items():
        for match in _INPUT.finditer(text):
            target = mentioned if _is_comment(text, match.start()) else named
            name = match["braced"] or match["bare"] or f"{match['folder']}/{match['file']}"
            for base in (path.parent, *list(path.parents)[1:3]):
                for ending in ("", ".tex"):
                    target.add((base / (name.strip() + ending)).resolve())
    return frozenset(
        path
        for path, text in texts.items()
        if (path in named or (path in mentioned and _PAPER.search(text) is None))
        and _MAIN.search(text) is None
    )


def is_stray_piece(path: Path, root: Path) -> bool:
    """Return whether the LaTeX file ``path`` is a piece of a document beside it, or in a folder
    above it within ``root``: it has no document class, title, abstract or introduction.

    Raises `Unreadable` or `PaperError` where ``path`` cannot be read.
    """
    text = decode(read_bytes(path, MOST_BYTES))[0]
    if _MAIN.search(text) or _PAPER.search(text):
        return False
    folder, root = path.parent.resolve(), root.resolve()
    folders = [each for each in (folder, *folder.parents) if each.is_relative_to(root)]
    return any(
        _is_document(other)
        for each in folders[:_DEEPEST]
        for other in sorted(each.glob("*.tex"))[:_MOST_FILES]
    )


def _is_document(path: Path) -> bool:
    try:
        return _MAIN.search(decode(read_bytes(path, MOST_BYTES))[0]) is not None
    except (Unreadable, PaperError):
        return False
