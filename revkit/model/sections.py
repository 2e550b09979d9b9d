"""Sections: recognise headings without markup, and the role of each section."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from revkit.model.structure import SectionRole

_NUMBER = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,3}|[A-Z](?=[.:)]?\s)"
    r"|[IVX]{1,5}(?=[.\s]))[.:)]?\s*(?P<rest>.*)",
    re.DOTALL,
)
# Names of reference lists.
_LISTS = (
    r"(?:(?:selected|annotated|general) )?(?:references?|bibliography)"
    r"(?: and notes| cited| \(?cont(?:inued|['’]?d)\.?\)?)?"
    r"|(?:literature|works|sources) cited"
    r"|cited (?:works|literature|references?|sources)"
    r"|notes and references|works consulted|list of references|references? list"
    r"|bibliographic(?:al)? references"
    r"|literatur(?:verzeichnis|angaben|liste)?|quellenverzeichnis|referenzen|bibliogra(?:ph|f)ie"
    r"|références(?: bibliographiques)?|(?:ouvrages|œuvres) cités|liste des références"
    r"|referencias(?: bibliográficas)?|bibliografía|obras citadas"
    r"|referências(?: bibliográficas)?|bibliografia|riferimenti(?: bibliografici)?|opere citate"
    r"|(?:список )?литератур[аы]|(?:список )?літератур[аи]|библиография|библиографический список"
    r"|список использованн(?:ой литературы|ых источников)|цитированная литература"
    r"|literatuur(?:lijst)?|referenties|referenser|piśmiennictwo|literatura|kaynakça|kaynaklar"
    r"|参考文献|參考文獻|引用文献|参考资料|參考資料|참고\s?문헌|المراجع|מקורות|ביבליוגרפיה"
)
# Names of reference lists and also of other sections: entries behind them decide.
_PERHAPS_LISTS = frozenset(str.split("sources quellen fuentes fontes fonti источники bronnen 文献"))
# The leftmost of these names in a title decides; names of what a paper does come in a second step,
# because they also occur in titles of other sections ("Model evaluation").
_ROLE = re.compile(
    r"(?P<references>^(?:(?:additional|supplementa\w+|appendix|further|other|online|data) )?"
    r"references?\b(?: and notes| cited"
    r"| (?:for|of|in) (?:the )?(?:appendi|supplement|main|data|stud)\w*(?: \w+)?)?$"
    r"|^(?:" + _LISTS + r")$)"
    r"|(?P<appendix>\bappendi(?:x|ces)\b|^supplement\w*|\bsupplementa\w+ materials?)"
    r"|(?P<acknowledgements>\backnowledge?ments?\b|^funding\b|^author contributions?$)"
    r"|(?P<abstract>^abstract$|^summary$|^executive summary$|^zusammenfassung$|^résumé$|^resumen$"
    r"|^摘要$|^要旨$|^概要$|^초록$|^الملخص$|^תקציר$)"
    r"|(?P<introduction>\bintroduction\b|^motivation$|^overview$)"
    r"|(?P<related>\brelated (?:works?|research|literature|studies)\b|\bbackground\b"
    r"|\bliterature review\b|\bpri?or (?:works?|art)\b|\bprevious works?\b|\bstate of the art\b)"
    r"|(?P<limitations>\blimitations?\b|^threats to validity\b)"
    r"|(?P<conclusion>\bconclu\w+|\b(?:closing|final) (?:remarks|thoughts)\b"
    r"|^(?:summary and )?(?:future works?|outlook|perspectives?)$|^summary and discussions?$)"
    r"|(?P<discussion>\bdiscussions?\b)"
    r"|(?P<experiments>\bexperiment\w*|\bevaluations?\b|\bempirical\b|\bsimulations?\b"
    r"|\bdatasets?\b|\bcase stud(?:y|ies)\b|\bimplementation details?\b|\bbenchmarks?\b|\bsetup\b)"
    r"|(?P<results>\bresults?\b|\bfindings\b|\bablations?\b|\bstatistical analysis\b)"
)
# Titles of an abstract at the beginning, and of a conclusion behind the body.
_SUMMARIES = frozenset(("summary", "zusammenfassung", "résumé", "resumen", "riassunto", "总结"))
_METHOD = re.compile(
    r"\b(?:method\w*|approach\w*|models?|architectures?|algorithms?|frameworks?|formulation"
    r"|preliminar\w+|notations?|procedure|materials|setting|design)\b"
)
_WHOLE = re.compile(
    r"related (?:works?|research|literature)|background|limitations?"
    r"|(?:main |experimental )?results?"
    r"|(?:results and )?discussions?(?: and \w+)?|conclusions?(?: and .*)?|acknowledge?ments?"
    r"|abstract|introduction|references|bibliography|appendix|experiments?|methods?|methodology"
)
# Titles that need no number, mark or capitals to be a heading when alone on a line.
_KNOWN = re.compile(
    r"abstract|summary|introduction|motivation|background|preliminaries|overview"
    r"|related (?:works?|research|literature)|literature review|methods?|methodology|approach"
    r"|materials and methods|(?:our |the )?(?:proposed )?(?:method|approach|model|algorithm)"
    r"|experiments?|experimental (?:setup|results|evaluation|settings?)|evaluation|results?"
    r"|results and discussions?|(?:discussions?|conclusions?|limitations?|future works?)"
    r"(?: and (?:discussions?|conclusions?|limitations?|future works?))?|concluding remarks"
    r"|summary and (?:conclusions?|outlook|discussions?|future works?|perspectives?)"
    r"|acknowledge?ments?|"
    + _LISTS
    + r"|appendix|appendices|supplementary materials?|broader impacts?(?: statement)?"
    r"|ethics statement|ethical considerations|reproducibility(?: statement)?|funding"
    r"|author contributions?|data availability|code availability|competing interests"
)
_MARKUP = re.compile(r"[*_`#]+|\\label\{[^{}]*\}|<[^<>]*>")
# Papers share most of their headings, and each takes several searches to read.
_KEPT = 4096
_NUMERIC = re.compile(r"[\d.,%±+−/()\[\]x×-]+\Z")


class Title(NamedTuple):
    """A heading's text without markup: its number ("2.1", "A" or "") and its name."""

    number: str
    name: str

    @property
    def depth(self) -> int:
        """The level of its number: 2 for "3.1"; 0 without a number."""
        return self.number.count(".") + 1 if self.number else 0

    @property
    def lettered(self) -> bool:
        """Whether its number is a letter, as of an appendix."""
        return self.number[:1].isalpha() and not self.roman

    @property
    def roman(self) -> bool:
        """Whether its number is a Roman one."""
        return len(self.number) > 1 and self.number.isalpha()


def is_capitals(name: str) -> bool:
    """Return whether ``name`` is written in capitals; symbols in it may contain lower-case
    letters.
    """
    if name.isupper():
        return True
    small = sum(map(str.islower, name))
    return 0 < small * 6 <= sum(map(str.isupper, name))


@lru_cache(_KEPT)
def read_title(raw: str) -> Title:
    """Split a heading as written into number and name."""
    plain = " ".join(_MARKUP.sub(" ", raw[:400]).split())
    match = _NUMBER.match(plain)
    if (
        match
        and match["rest"]
        and (
            match["number"][0].isdigit()
            or "." in match["number"]
            or plain[len(match["number"])] in ".:)"
            or is_capitals(match["rest"])
        )
    ):
        rest = match["rest"]
        # "3D models" and "A survey" have no number; "3VIDEO-LEVEL" has one without a blank.
        glued = plain[len(match["number"])] not in " .:)"
        if not (glued and len(rest.split()[0]) < 3):
            return Title(match["number"], rest.strip(" :.-–—|"))
    return Title("", plain.strip(" :.-–—|"))


@lru_cache(_KEPT)
def own_role(name: str) -> SectionRole | None:
    """Return the role that the name of a section indicates, or `None`."""
    match = _ROLE.search(name.lower())
    if match is None:
        return "method" if _METHOD.search(name.lower()) else None
    role = match.lastgroup
    return "related-work" if role == "related" else role  # type: ignore[return-value]


@lru_cache(_KEPT)
def is_known(name: str) -> bool:
    """Return whether ``name`` is a usual section title, regardless of case."""
    return len(name) < 60 and _KNOWN.fullmatch(name.lower()) is not None


def may_name_list(name: str) -> bool:
    """Return whether a section called ``name`` is a reference list if it contains entries."""
    return name.lower() in _PERHAPS_LISTS


def _sign_behind(number: str, raw: str) -> str:
    """Return the separator after the number of a heading: a blank, also if "." or ")" is before it;
    else ":" or a letter.
    """
    behind = raw[raw.find(number) + len(number) :].lstrip(".)*_")
    return " " if not behind or behind[0].isspace() else behind[0]


class Outline:
    """The headings so far, which determine what the next heading can be."""

    def __init__(self) -> None:
        self.section = ""
        self.role: SectionRole = "other"
        self.references_seen = False
        self.marked = 0
        self._open: list[tuple[int, SectionRole]] = []
        self._numbers: set[str] = set()
        self._numbered_marks: set[int] = set()
        self._number_level = 0
        self._top = 0
        self._letters = False
        self._count = 0
        # Marked headings that begin with a capital, and with a small letter.
        self._capital = 0
        self._small = 0
        # Whether a section of the body was seen: "Summary" is then no abstract.
        self._begun = False

    def accepts(self, title: Title, raw: str) -> bool:
        """Return whether an unmarked line may be a heading, given its number and the previous
        headings.

        Rows of tables and labels of figures also start with numbers; a heading's number continues
        the count.
        """
        title = self._counted(title, raw)
        words = title.name.split()
        name = title.name.lstrip("“‘\"'(")
        if not words or len(words) > 14 or not name[:1].isalpha() or "=" in name:
            return False
        if title.number in self._numbers and title.depth > 1:
            return False
        if sum(1 for word in words if _NUMERIC.match(word)) > 1 or raw[-1] in ",;":
            return False
        capitals = is_capitals(name) and sum(map(str.isalpha, name)) >= 4
        known = is_known(title.name)
        if title.number and not (capitals or known) and _sign_behind(title.number, raw) != " ":
            return False
        if not title.number:
            return known or (
                capitals
                and not any(map(str.isdigit, title.name))
                and max(map(len, words)) > (5 if len(words) > 1 else 9)
            )
        if title.roman:
            return capitals or known
        if title.lettered:
            return capitals or known or (title.depth > 1 and title.name[0].isupper())
        if self.role == "references" or not (title.name[0].isupper() or title.depth > 1):
            return False
        if raw[-1] == "." and not known:
            return False
        if title.number.startswith("0"):
            return False
        top = int(title.number.split(".")[0])
        if capitals or known:
            reach = 20 if known else self._top + 2
            return top < 20 and (not self._top or self._top <= top <= reach)
        if self.marked > 3 or not title.name[0].isupper():
            return False
        if title.depth > 1:
            return not self._top or self._top <= top <= self._top + 1
        return top == self._top + 1 and raw[len(title.number)] != "."

    @property
    def begun(self) -> bool:
        """Whether there was a heading."""
        return self._count > 0

    def is_comment(self, raw: str) -> bool:
        """Return whether a line with ``#`` is a comment of an algorithm and not a heading: it
        begins with a lower-case letter, unlike the headings before it.
        """
        name = read_title(raw).name
        small = name[:1].islower() and not is_known(name)
        if small and self._capital > 2 * self._small + 1:
            return True
        self._small += small
        self._capital += name[:1].isupper()
        return False

    def _counted(self, title: Title, raw: str) -> Title:
        """Return whether a letter numbers a section, which it does only after numbered sections: "A
        NEW MODEL" is a title.
        """
        if title.lettered and not (self.references_seen or self._letters or self._top):
            return Title("", " ".join(_MARKUP.sub(" ", raw).split()))
        return title

    def enter(
        self, raw: str, marks: int = 0, *, bold: bool = False, may_be_title: bool = True
    ) -> tuple[int, SectionRole]:
        """Record a heading and return its level and role.

        ``marks`` is the level that its marks give (the number of ``#``), 0 for a bare line. The
        first heading of a text is its title if it ``may_be_title`` and has no number.
        """
        title = self._counted(read_title(raw), raw)
        self._count += 1
        self.marked += marks > 0
        level = max(marks, title.depth, 1)
        own = own_role(title.name)
        if own == "abstract" and self._begun and title.name.lower() in _SUMMARIES:
            own = "conclusion" if title.depth < 2 else None
        if title.number:
            self._numbers.add(title.number)
            if title.number[0].isdigit():
                self._top = int(title.number.split(".")[0])
            self._letters = self._letters or (title.lettered and self._top > 0)
            self._numbered_marks.add(marks)
            self._number_level = level
        elif bold or (
            self._number_level
            and marks in self._numbered_marks
            and not _WHOLE.fullmatch(title.name.lower())
            and own not in ("references", "appendix", "acknowledgements", "conclusion")
        ):
            above = self._open[-1][0] if bold and self._open else self._number_level
            level = max(level, above + 1)
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        parent = self._open[-1][1] if self._open else None
        role = self._role(title, own, parent)
        if (
            self._count == 1
            and may_be_title
            and marks < 2
            and not title.number
            and not is_known(title.name)
        ):
            role = "front"
        else:
            self._open.append((level, role))
        self.references_seen = self.references_seen or role == "references"
        self._begun = self._begun or role not in ("front", "abstract", "other")
        self.role = role
        self.section = raw
        return level, role

    def _role(
        self, title: Title, own: SectionRole | None, parent: SectionRole | None
    ) -> SectionRole:
        if own in ("references", "acknowledgements"):
            return own
        if self.references_seen or own == "appendix" or parent == "appendix":
            return "appendix"
        if title.lettered and self._top:
            return "appendix"
        if parent not in (None, "other", "front"):
            return own if own and _WHOLE.fullmatch(title.name.lower()) else parent
        return own or "other"

    def set_role(self, role: SectionRole, section: str) -> None:
        """Start a section that no heading opens (an environment, a run-in "Abstract")."""
        self.role = role
        self.section = section
        self._open = [(1, role)]
        self.references_seen = self.references_seen or role == "references"
        self._count += 1
