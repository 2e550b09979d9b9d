"""Papers: the recognised structure of a text, the entries that a citation names, and hidden
text.

Each name is loaded when it is first used: a run looks for hidden text, and may parse no paper.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.papers.citing import CitedEntries
    from revkit.papers.facts import PaperFacts, read_facts
    from revkit.papers.files import papers_in_files
    from revkit.papers.hidden_text import (
        LOOK_ALIKES,
        WORDS,
        Box,
        ChannelKind,
        HiddenKind,
        HiddenText,
        OverrideKind,
        PageKind,
        find_hidden_text,
        hidden_text_notes,
        latin_of,
        shorten,
    )
    from revkit.papers.latex_bibliography import bibliography_of_bibtex, cited_keys
    from revkit.papers.latex_macros import expand_macros
    from revkit.papers.latex_tree import parts_of_trees, read_latex_tree
    from revkit.papers.leaks import find_leaks
    from revkit.papers.page import page_of, spell_out
    from revkit.papers.reading import Entry, Reading, Section, read_paper
    from revkit.papers.structure import LONG_PAPER, Structure, read_structure, refuse_unread
    from revkit.papers.titles import find_title
    from revkit.papers.visible import visible_edits
else:
    _MODULES = {
        "Box": "hidden_text",
        "ChannelKind": "hidden_text",
        "CitedEntries": "citing",
        "Entry": "reading",
        "HiddenKind": "hidden_text",
        "HiddenText": "hidden_text",
        "LONG_PAPER": "structure",
        "LOOK_ALIKES": "hidden_text",
        "OverrideKind": "hidden_text",
        "PageKind": "hidden_text",
        "PaperFacts": "facts",
        "Reading": "reading",
        "Section": "reading",
        "Structure": "structure",
        "WORDS": "hidden_text",
        "bibliography_of_bibtex": "latex_bibliography",
        "cited_keys": "latex_bibliography",
        "expand_macros": "latex_macros",
        "find_hidden_text": "hidden_text",
        "find_leaks": "leaks",
        "find_title": "titles",
        "hidden_text_notes": "hidden_text",
        "latin_of": "hidden_text",
        "page_of": "page",
        "papers_in_files": "files",
        "parts_of_trees": "latex_tree",
        "read_facts": "facts",
        "read_latex_tree": "latex_tree",
        "read_paper": "reading",
        "read_structure": "structure",
        "refuse_unread": "structure",
        "shorten": "hidden_text",
        "spell_out": "page",
        "visible_edits": "visible",
    }

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module 'revkit.papers' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"revkit.papers.{_MODULES[name]}"), name)
        globals()[name] = value
        return value


__all__ = [
    "LONG_PAPER",
    "LOOK_ALIKES",
    "WORDS",
    "Box",
    "ChannelKind",
    "CitedEntries",
    "Entry",
    "HiddenKind",
    "HiddenText",
    "OverrideKind",
    "PageKind",
    "PaperFacts",
    "Reading",
    "Section",
    "Structure",
    "bibliography_of_bibtex",
    "cited_keys",
    "expand_macros",
    "find_hidden_text",
    "find_leaks",
    "find_title",
    "hidden_text_notes",
    "latin_of",
    "page_of",
    "papers_in_files",
    "parts_of_trees",
    "read_facts",
    "read_latex_tree",
    "read_paper",
    "read_structure",
    "refuse_unread",
    "shorten",
    "spell_out",
    "visible_edits",
]
