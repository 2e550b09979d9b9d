"""Orders: whether a text speaks to whoever reviews the paper.

Alternative texts, attached data and watermarks are usual, and nobody hides anything in them. They
are hidden text where they speak of a verdict to a reviewer. Words of several groups must be near
one another: who reviews, what to do, the paper, its score, its acceptance, and its praise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain

from revkit.english.lists import stop_words
from revkit.papers.look_alikes import latin_of
from revkit.papers.prose import WORD, Body

_NEAR = 160
_CONTEXT = 60
_LONGEST_PART = 400
_STEP = 64
_FEWEST = 3
_VERDICTS = frozenset(("score", "acceptance", "praise", "criticism"))
_LEAST_ENGLISH = 0.12
_FEWEST_SMALL = 2
_LEAST_KNOWN = 0.3
_OTHER_SHARE = 0.2
_DROPPED = re.compile(
    "[\u00ad\u034f\u0640\u0300-\u036f\u064b-\u0652\u200b-\u200f\u2060-\u2064\ufeff]"
)
_SPACED = re.compile(r"(?<!\w)(?:\w[ .\-_*]){5,}\w(?!\w)")
_SPACES = re.compile(r"[ .\-_*]")
_MARKS = re.compile(r"[_*`~|\\{}]")
# Letters of scripts whose words no group below has.
_OTHER_SCRIPT = re.compile(r"[\u0370-\u058f\u0590-\u05ff\u0900-\u1fff\ua840-\uabff\uac00-\ud7af]")
_LISTED_SCRIPT = re.compile(r"[\u0600-\u06ff\u3040-\u30ff\u3400-\u9fff]")

_PAPER = r"(?:paper|manuscript|submission|work|article|study|contribution|preprint|document)"
_GOOD = (
    r"(?:high|highest|top|maxim(?:um|al)|full|perfect|best|good|better|generous|positive"
    r"|favou?rable|strong|outstanding|excellent|low|lowest|poor|minimum)"
)
_SCORE = r"(?:ratings?|marks?|grades?|recommendations?|evaluation|assessment|review)"
_ACTS = (
    r"give|assign|award|grant|recommend|accept|praise|emphasi[sz]e|highlight|describe|write|respond"
    r"|reply|say|mention|treat|consider|endorse|approve|advocate|call|name|fill|dwell|judge"
    r"|evaluate|assess|raise|stop|refuse|reject|conclude|follow|find|regard|choose|select"
)
# These are nouns too, as in "strengths, weaknesses and score".
_ACTS_AT_START = (
    "rate|score|output|answer|state|return|rank|set|grade|mark|report|champion|support|vote|focus"
)
_GROUPS: dict[str, tuple[str, ...]] = {
    "reviewer": (
        r"\b(?:(?:meta[ -]?)?reviewers?|referees?|assessors?|graders?|evaluators?|adjudicators?"
        r"|area chairs?|program(?:me)? (?:chairs?|committee)|meta-?reviews?|peer review(?:ing)?"
        r"|(?:whoever|anyone who|those who|all who|who) (?:review|assess|evaluat|judg|grad|read)\w*"
        r"|review(?:ing)? (?:agents?|models?|systems?|assistants?|bots?))\b",
        r"\[/?(?:system|inst)\]|</?system>|end of (?:the )?system",
        "审稿|评审|审阅|评委|查読|査読|審査",
        "مراجع|المحكم|يقي",
    ),
    "listener": (
        r"\b(?:you|your|llms?|(?:large )?language models?|gpt(?:-?\d\w*)?|ais?|ai model|chatbots?"
        r"|assistants?)\b",
        "你|您|助手|语言模型|アシスタント|言語モデル",
        "المساعد|نموذج لغوي",
    ),
    "act": (
        r"\b(?:must|shall|should|ought to|please|kindly|do not|don['’]?t|never|ignore|disregard"
        r"|overlook|instructions?|instructed|asked to|required to|requested to|refrain|make sure"
        r"|be sure|ensure)\b",
        r"(?:^|[.:;!?,)\]>-] ?|\b(?:and|then|also|always|just|simply|not|now|you|only) )"
        rf"(?:{_ACTS})\b|(?:^|[.:;!?] ?)(?:{_ACTS_AT_START})\b",
        "请|必须|务必|忽略|无视|指示|不要|不得|应当|应该|ください|無視|必ず|べき|与え",
        "تجاهل|امنح|يجب|تعليمات|أجب|توقف|أوص|اكتب|اذكر|املأ",
    ),
    "paper": (
        r"\b(?:this|present|enclosed|attached|submitted|following|above) (?:\w+ )?"
        rf"{_PAPER}\b|\bmanuscripts?\b|\bsubmissions?\b(?! (?:scripts?|files?|system|date|id))",
        r"\b(?:write|no|your|peer|positive|favou?rable) reviews?\b",
        "本稿|本文|论文|稿件|投稿|评审意见|原稿|論文|この文書",
        "المخطوطة|الورقة|المستند|الطلب",
    ),
    "score": (
        rf"\b{_GOOD}(?: possible| overall| final)? {_SCORE}\b",
        r"\b(?:high|highest|top|maxim(?:um|al)|full|perfect|positive|favou?rable|lowest)"
        r"(?: possible| overall| final)? scores?\b",
        rf"\b(?:scores?|{_SCORE}) of (?:at least )?(?:10|9|8|ten)\b",
        rf"\b(?:rate|score|grade|rank|mark) (?:it|this|the {_PAPER}|highly|10|ten)\b",
        r"\b10 ?/ ?10\b|\bten out of ten\b|\btop \d{1,2} ?%",
        "评分|高分|最高分|最高点|最低点",
        "أعلى درجة|أدنى درجة",
    ),
    "acceptance": (
        r"\bacceptance\b(?! (?:rates?|ratios?|prob|criteri|tests?|thresh))",
        r"\b(?:strong|weak|clear)(?:ly)?[ -](?:accept|reject)",
        rf"\b(?:accept|reject|publish|approve|endorse)(?:ed|ing|s)? (?:it|this|the {_PAPER})\b",
        r"\brejection\b(?! sampl)|\bpublication\b(?! (?:bias|year|date|venue|count|number))",
        r"\brecommend(?:s|ing)? (?:acceptance|accepting|publication|publishing|this"
        rf"|the {_PAPER}|it)\b|\bbest paper\b",
        r"\b(?:be|been|was|were|is) accepted\b(?! (?:at|to|by|in|for|if|as|that))",
        "录用|接收|拒稿|採択|不採択",
        "قبول|الرفض",
    ),
    "praise": (
        r"\b(?:prais\w+|favou?rabl[ey]|deserv\w+|merits?|worthy|endors\w+|strengths?|soundness"
        r"|novelty|groundbreaking|outstanding|excellent|excellence|exceptional|flawless"
        r"|positively|lenient\w*|brilliant|superb)\b",
        "优点|正面|好评|称赞|有利|可靠性|称賛|長所|健全性|好意的",
        "المديح|قوة|قوت|إيجابي|السلامة",
    ),
    "criticism": (
        r"\b(?:weakness\w*|criticis\w+|criticiz\w+|flaws?|shortcomings?|negatives?"
        r"|no (?:review|criticism|weakness|concerns?))\b",
        "不足|批评|批評|批判|短所",
        "ضعف|نقد",
    ),
}
_TOKENS = dict(zip(_GROUPS, map(re.compile, map("|".join, _GROUPS.values())), strict=True))
_PLAIN = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\w* (?:\w+ ){0,3}?(?:all|any|previous|prior"
    r"|earlier|above|preceding|these|those|your|other|former|original|system)\b[\w ]{0,30}?"
    r"\b(?:instructions?|prompts?|guidelines?|rules|directions|messages?|commands?|polic(?:y|ies))\b"
    r"|\b(?:decision|verdict|recommendation)\W{1,5}(?:(?:strong|weak|clear)(?:ly)? )?"
    r"(?:accept|reject)\b"
    r"|\b(?:accept|recommend|endorse|approve|praise|favou?r|champion|reject) (?:the )?"
    r"(?:acceptance of |rejection of |accepting |publication of |publishing )?this (?:\w+ )?"
    rf"{_PAPER}\b"
    rf"|\b{_PAPER} (?:must|should|shall|has to|needs to|ought to|is to) (?:\w+ )?be (?:accepted"
    r"|published|recommended|approved|praised|rejected|rated|scored|graded|awarded)\b"
    r"|\b(?:can|will|may|must)(?:not| not) (?:help with|assist with|review) this\b"
    r"|忽略(?:之前|以前|上述|所有)[^。]{0,12}指[示令]|(?:指示|命令)を[^。]{0,8}無視"
    r"|(?:决定|判定)[：:] ?(?:录用|採択)|(?:不要|不得)撰写评审|査読を書か"
    r"|تجاهل كل التعليمات|القرار المقترح|لا تكتب تقييم"
)


def find_order(text: str) -> str:
    """The part of ``text`` that speaks to a reviewer of the verdict on the paper, in plain small
    letters; empty if none does.

    The words are English, Chinese, Japanese and Arabic. They are read also where letters of other
    scripts, characters without width or blanks between letters disguise them.
    """
    plain = _plain(text)
    match = _PLAIN.search(plain)
    span = match.span() if match is not None else _order_by_groups(plain)
    return "" if span is None else plain[max(0, span[0] - _CONTEXT) : span[1] + _CONTEXT].strip()


def addresses_reviewer(text: str) -> bool:
    """Whether ``text`` speaks to a reviewer of the verdict on the paper."""
    return bool(find_order(text))


def split_orders(parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The ranges of texts in a row that speak to a reviewer together, each as short as it is."""
    cut = [part[:_LONGEST_PART] for part in parts]
    start = end = done = 0
    while end < len(cut):
        end = min(len(cut), end + _STEP)
        if not _speak(cut, start, end):
            start = max(done, _before(cut, end))
            continue
        low = start
        while end - low > 1:
            middle = (low + end) // 2
            low, end = (low, middle) if _speak(cut, start, middle) else (middle, end)
        last = end - 1
        while start < last:
            middle = (start + last + 1) // 2
            start, last = (middle, last) if _speak(cut, middle, end) else (start, middle - 1)
        yield start, end
        start = done = end


def _speak(parts: Sequence[str], start: int, end: int) -> bool:
    return addresses_reviewer(" ".join(parts[start:end]))


def _before(parts: Sequence[str], end: int) -> int:
    """Where the parts begin that an order which goes on behind ``end`` may need."""
    length = 0
    while end and length < 2 * _NEAR + _CONTEXT:
        end -= 1
        length += len(parts[end]) + 1
    return end


def _order_by_groups(text: str) -> tuple[int, int] | None:
    """Where words of enough groups are near each other, around a word of a verdict."""
    for start, end in _stretches(text):
        places = sorted(
            (match.start(), match.end(), name)
            for name, pattern in _TOKENS.items()
            for match in pattern.finditer(text, start, end)
        )
        last: dict[str, int] = {}
        for begin, close, name in places:
            last[name] = begin
            near = {each: place for each, place in last.items() if begin - place <= _NEAR}
            if _are_an_order(set(near)):
                return min(near.values()), close
    return None


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of ``text`` that are near a word of a verdict, in order, without overlap."""
    found = chain.from_iterable(_TOKENS[name].finditer(text) for name in _VERDICTS)
    start = end = -1
    for begin, close in sorted(match.span() for match in found):
        if begin - _NEAR > end:
            if end >= 0:
                yield start, end
            start = max(0, begin - _NEAR)
        end = max(end, close + _NEAR)
    if end >= 0:
        yield start, end


def _are_an_order(groups: set[str]) -> bool:
    others = groups & {"reviewer", "act", "paper"}
    if "listener" in groups and "paper" in groups:
        others = others | {"reviewer"}
    return len(groups & _VERDICTS) + len(others) >= _FEWEST


def _plain(text: str) -> str:
    """``text`` in small Latin letters, on one line, without what disguises words."""
    plain = text
    if not text.isascii():
        plain = latin_of(unicodedata.normalize("NFKC", _DROPPED.sub("", text)))
    plain = _SPACED.sub(lambda match: _SPACES.sub("", match[0]), plain)
    return " ".join(_MARKS.sub(" ", plain).casefold().split())


def is_read(text: str, body: Body) -> bool:
    """Whether `addresses_reviewer` knows the language of ``text``: the words of ``body`` decide for
    a text without small words, such as a list of what a picture shows.
    """
    letters = sum(map(str.isalpha, text))
    if len(_OTHER_SCRIPT.findall(text)) > _OTHER_SHARE * letters:
        return False
    if len(_LISTED_SCRIPT.findall(text)) > 0.5 * letters:
        return True
    words = [word.casefold() for word in WORD.findall(text)]
    if _is_english(words):
        return True
    vocabulary = set(body.words)
    known = sum(word in vocabulary for word in words)
    return known >= _LEAST_KNOWN * len(words) and _is_english(body.words)


def _is_english(words: Sequence[str]) -> bool:
    small = [word for word in words if word in stop_words("search")]
    return len(set(small)) >= _FEWEST_SMALL and len(small) >= _LEAST_ENGLISH * len(words)
