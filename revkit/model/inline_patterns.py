"""The patterns of inline marks: mathematics, code, commands, tags, links, citations, addresses.

Every pattern stops at the next character that could open the same mark again, or is possessive:
this keeps the pass of `revkit.model.inline` linear on any text.
"""

from __future__ import annotations

import re

OPENING = re.compile(r"[$`\\<&\[\](!^@§0-9](?<![\w.][0-9])")
# The signs of `OPENING` in a text of Latin-1, in which bytes are found faster than by a pattern.
_SIGNS = frozenset(b"$`\\<&[](!^@0123456789\xa7")
OPENING_SIGN = b"!"
OPENING_SIGNS = bytes(OPENING_SIGN[0] if code in _SIGNS else 0x20 for code in range(256))
CODE = re.compile(r"``(?:[^`]++|`(?!`))++``|`[^`]++`")
MATH = re.compile(r"\$\$(?:[^$\\]++|\\.)++\$\$|\$(?:[^$\\]++|\\.)++\$", re.DOTALL)
PAREN_MATH = re.compile(r"\\\((?:[^\\]++|\\[^()])*+\\\)|\\\[(?:[^\\]++|\\[^\[\]])*+\\\]")
BLANK_LINE = re.compile(r"\n[ \t]*\n")
MATH_SIGN = re.compile(r"[\\^_{}=<>]")
COMMAND = re.compile(
    r"\\(?:(?P<cite>[A-Za-z]*[cC]ite[a-zA-Z]*)\*?\s*(?:\[[^\[\]\n]*\]\s*){0,2}\{(?P<keys>[^{}]*)\}"
    r"|(?P<ref>(?:[a-zA-Z]*ref|label|pageref)\*?)\{[^{}]*\}"
    r"|hyperref\s?\[[^\[\]\n]*\]"
    r"|begin\{(?P<environment>[A-Za-z]+)\*?\}"
    r"|(?:href|includegraphics|input|bibliography|bibliographystyle|vspace|hspace|begin|end"
    r"|footnotemark|bibitem|eqref)\*?(?:\[[^\[\]\n]*\])?\{[^{}]*\}"
    r"|(?P<name>[A-Za-z@]+)\*?|.)",
    re.DOTALL,
)
# Commands whose argument is code, a key, a number, an address or a note of the authors, and not
# the words of a sentence.
LITERAL = frozenset(
    str.split(
        "verb lstinline mintinline texttt path url nolinkurl index glossary hypertarget hyperlink"
        " ensuremath SI si num qty unit gls Gls glspl Glspl ac Ac acp acs acl acf acrshort acrlong"
        " acrfull todo"
    )
)
VERBATIM = frozenset(("verb", "lstinline", "mintinline", "path", "url"))
OPTION = re.compile(r"\s?(?:\[[^\[\]\n]*\])?")
TAG = re.compile(
    r"<!--(?:[^-<]++|-(?!->)|<(?!!--))*+-->"
    r"|<sup>\s*(?P<sup>\d{1,3}(?:\s*[-–,;]\s*\d{1,3})*)\s*</sup>"
    r"|</?(?:a|abbr|article|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details"
    r"|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|li|mark|math|nobr"
    r"|ol|p|pre|q|s|samp|section|small|span|strike|strong|sub|summary|sup|svg|table|tbody|td|tfoot"
    r"|th|thead|tr|tt|u|ul|var|video|wbr)(?:\s[^<>=]*+=[^<>]*+|\s*+/?)>",
    re.IGNORECASE,
)
# Tags of HTML whose content is code or data.
LITERAL_TAG = re.compile(r"<(code|tt|kbd|samp|pre|math|svg|table)\b", re.IGNORECASE)
# A line of LaTeX that is a comment; "%" within a line is a unit more often.
COMMENT = re.compile(r"\n[ \t]*(%[^\n]*)")
ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
TARGET = (
    r"\((?:<[^<>\n]*+>|(?:[^()\s]++|\([^()\s]*+\))*+)"
    r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
)
# Links of converters from a number to the list: "[1](#bib.bib1)", "[[1](#ref1), [2](#ref2)]",
# '[<a href="#R1">1</a>]'.
_PLACE = r"#(?!fn|foot|end|note)(?:[\w.:-]{0,20}?(?:bib|cite|ref|lit)|[BbRr]|CR)"
_ANCHOR = rf"\((?:https?://[^\s()#]{{1,300}})?{_PLACE}[^\s()]{{0,80}}(?:\s\"[^\"\n]{{0,300}}\")?\)"
_HREF = rf"<a\s[^<>]{{0,80}}?href=[\"'][^\s\"'<>#]{{0,300}}{_PLACE}[^<>]{{0,160}}>"
_FEW = r"\d{1,3}(?:\s?[-–—,;]\s?\d{1,3}){0,30}"
_NAMED = rf"{_HREF}\[?{_FEW}\]?</a>"
LINKED = re.compile(
    rf"\[(?:\\?\[)?{_FEW}(?:\\?\])?\]{_ANCHOR}"
    rf"|(?:<sup>\s?)?{_NAMED}(?:\s?[-–—,;]?\s?{_NAMED}){{0,30}}+(?:</sup>)?"
)
_ONE = rf"(?:\[{_FEW}\]{_ANCHOR}|{_HREF}{_FEW}</a>)"
LINKED_GROUP = re.compile(rf"\\?\[{_ONE}(?:\s?[-–—,;]\s?{_ONE}){{0,30}}+\\?\]")
LINK_END = re.compile(_ANCHOR + r"|<[^<>]{1,400}>|[\[\]\\]")
IMAGE = re.compile(r"!\[[^\[\]]*\]" + TARGET)
LINK_TARGET = re.compile(r"\]" + TARGET)
BRACKET = re.compile(r"\[([^\[\]]*)\]")
NUMBERS = re.compile(r"\s*\d{1,3}(?:\s*[-–—,;]\s*\d{1,3})*\s*\Z")
# "4, p. 3" and "4, Theorem 2": a work and a place in it.
_LOCATED = re.compile(
    r"\s*(\d{1,3}),[\s~]?(?:pp?\.|§|(?:[Ss]ect?|[Cc]h(?:ap)?|[Ff]ig|[Tt]ab|[Aa]ppx?|[Tt]hm?|[Tt]heorem"
    r"|[Ll]em(?:ma)?|[Pp]rop|[Cc]or|[Dd]ef|[Ee]qn?|[Aa]lg|[Ee]x(?:ample)?|[Rr]em(?:ark)?|[Pp]ages?"
    r"|[Ss]ection|[Cc]hapter|[Aa]ppendix|[Pp]roposition|[Cc]orollary|[Dd]efinition|[Ff]igure|[Tt]able"
    r"|[Aa]lgorithm)s?\b\.?)[^\[\];\n]{0,40}\Z"
)
_NUMBERS_IN_BRACKETS = re.compile(r"\[[\d\s,;–-]{1,40}\]")
_LETTERS_BEFORE = re.compile(r"[^\W\d_]*\Z")
_RANGE_END = re.compile(r"\s?(?:--?|[–—])\s?\[\s?(\d{1,3})\s?\]")
_LONGEST_RANGE = 60
PART = re.compile(r"(\d+)(?:\s*[-–—]\s*(\d+))?")
PANDOC = re.compile(r"[^@]{0,30}@[\w:.#$%&+?<>~/-]+(?:[^@;]*;\s*[^@;]{0,30}@[\w:./-]+)*+[^@;]*\Z")
PAREN = re.compile(r"\(((?:[^()]++|\([^()]*+\))*+)\)")
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
YEAR_ONLY = re.compile(
    r"[(\[]\s*(\[?(?:19|20)\d\d[a-z]?(?:\s*[,;&]\s*(?:(?:19|20)\d\d[a-z]?|[a-z])\b)*)"
    r"(?:,\s*(?:[Ss]ec|[Tt]h|[Pp]p?\.|[Cc]h|[Ff]ig|[Tt]ab|[Aa]pp)[^()\[\]]{0,40})?\s*[)\]]"
)
CROSS_NUMBER = re.compile(
    r"\(?\d+(?:\.\d+)*[a-z]?\)?(?:\([a-z]\))?"
    r"(?:\s*(?:–|-|,? and|&|to)\s*\(?\d+(?:\.\d+)*[a-z]?\)?(?:\([a-z]\))?)*"
)
APPENDIX = re.compile(
    r"[Aa]ppendi(?:x|ces)[\s~]++[A-Z](?:\.?\d++)*+\b"
    r"(?:\s*+(?:and|,|-|–)\s*+[A-Z](?:\.?\d++)*+\b)*"
)
CROSS_WORDS = frozenset(
    word + plural
    for word in (
        "figure",
        "fig",
        "table",
        "tab",
        "equation",
        "eq",
        "eqn",
        "section",
        "sec",
        "sect",
        "algorithm",
        "alg",
        "theorem",
        "thm",
        "lemma",
        "proposition",
        "prop",
        "corollary",
        "cor",
        "definition",
        "def",
        "assumption",
        "appendix",
        "app",
        "chapter",
        "chap",
        "example",
        "remark",
        "claim",
        "listing",
        "line",
        "§",
        "§§",
        "step",
        "footnote",
        "condition",
        "property",
        "conjecture",
        "hypothesis",
        "problem",
        "supplement",
    )
    for plural in ("", "s")
)
URL = re.compile(r"(?:(?:https?|ftp)://|www\.)[^\s<>\"`{}|\\^]{1,2000}")
DOI = re.compile(r"10\.\d{4,9}/[^\s<>\"`{}|\\^]{1,300}")
ARXIV = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?")
MAIL_BEFORE = re.compile(r"(?:\{[\w.,+ -]{1,80}\}|[\w.+-]{1,64})\Z")
MAIL_AFTER = re.compile(r"@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
RANGE_WORD = re.compile(
    r"(?:∈|\\in|interval|range|ranges|scale|domain|box)\s*\Z"
    r"|(?:values?|lies?|lying|falls?|ranges?|ranging|numbers?|integers?|ratings?|scores?"
    r"|uniform|uniformly|parameters?|probabilit(?:y|ies)|coefficients?|sampled|drawn|bounded"
    r"|clipped|normali[sz]ed|scaled|\b[A-Za-z]|\$)\s+in\s*\Z"
)


_OPENED = {")": "(", "]": "["}


def trimmed(text: str, start: int, end: int) -> int:
    """Return the end of an address without the punctuation of the sentence around it."""
    while end > start:
        last = text[end - 1]
        opening = _OPENED.get(last)
        if last not in ".,;:!?'\"*_”’" and (
            opening is None or text.count(last, start, end) <= text.count(opening, start, end)
        ):
            break
        end -= 1
    return end


def cross_start(text: str, start: int, position: int) -> int:
    """Return where "Figure" of a "Figure 3" whose number is at ``position`` starts, or -1."""
    head = text[max(start, position - 24) : position].rstrip(" \n\t~\u00a0(")
    word = head.split()[-1:] if head else []
    if not word:
        return -1
    name = word[0].lstrip("([\"'“‘*_—–-")
    if name.rstrip(".").lower() not in CROSS_WORDS:
        return -1
    return max(start, position - 24) + len(head) - len(name)


def numeric_keys(inner: str) -> tuple[str, ...]:
    """Return the numbers in a numeric mark, with ranges written out."""
    keys: list[str] = []
    for first, last in PART.findall(inner):
        low, high = int(first), int(last or first)
        if low <= high <= low + _LONGEST_RANGE:
            keys.extend(str(number) for number in range(low, high + 1))
        else:
            keys.extend((first, last))
    return tuple(keys)


def numeric_range(
    text: str, keys: tuple[str, ...], last: int, end: int
) -> tuple[tuple[str, ...], int]:
    """Parse the "-[3]" of "[1]-[3]" after a marker that ends at ``last``; return all keys, and the
    end.
    """
    match = _RANGE_END.match(text, last, end)
    if match is None or not 0 < int(match[1]) - int(keys[-1]) <= _LONGEST_RANGE:
        return keys, last
    between = map(str, range(int(keys[-1]) + 1, int(match[1]) + 1))
    return (*keys, *between), match.end()


def follows_word(text: str, start: int, at: int) -> bool:
    """Return whether a superscript at ``at`` follows a word or a full stop, not a symbol or a
    unit.
    """
    before = text[max(start, at - 3) : at]
    return bool(before) and (before[-1] in '.,;:!?)"”’*' or (len(before) == 3 and before.isalpha()))


def located_numbers(inner: str) -> str:
    """Return the numbers of the works in ``inner``, at least one of them with a place in the work:
    "4;5" for "4, Theorem 2; 5"; "" for anything else.
    """
    parts = inner.split(";")
    found = [_LOCATED.match(part) for part in parts]
    if not any(found):
        return ""
    pairs = list(zip(parts, found, strict=True))
    if not all(match or NUMBERS.match(part) for part, match in pairs):
        return ""
    return ";".join(match[1] if match else part for part, match in pairs)


def numeric_mark(
    text: str, start: int, at: int, last: int, inner: str, after: str, *, follows: bool
) -> tuple[str, ...]:
    """Return the works that the numbers in brackets at ``at`` name; none for an index or interval.

    ``after`` is the character behind the brackets, ``follows`` says that another mark ends at
    ``at``.
    """
    keys = numeric_keys(inner)
    if "0" in keys or after.isalpha() or after in ("_", "^", "="):
        return ()
    if after == "[" and not _NUMBERS_IN_BRACKETS.match(text, last):
        return ()
    before = text[at - 1] if at > start else " "
    if before == "]":
        if not follows:
            return ()
    elif before == "_" or before.isalnum():
        word = _LETTERS_BEFORE.search(text[max(start, at - 12) : at])
        if word is None or len(word.group()) < 3:
            return ()
    elif not (before.isspace() or before in "~.,;:!?()\"'”’*–—-{}$>"):
        return ()
    interval = len(keys) == 2 and "," in inner and int(keys[0]) < int(keys[1])
    if interval and RANGE_WORD.search(text[max(start, at - 30) : at]):
        return ()
    return keys
