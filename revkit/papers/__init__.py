"""Papers: the recognised structure of a text, the entries that a citation names, and hidden
text.

Each name is loaded when it is first used: a run looks for hidden text, and may parse no paper.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.papers.citation_matches import CitedEntries
    from revkit.papers.facts import PaperFacts, read_facts
    from revkit.papers.files import papers_in_files
    from revkit.papers.hidden_text import (
        WORDS,
        Box,
        ChannelKind,
        HiddenKind,
        HiddenText,
        OverrideKind,
        PageKind,
        find_hidden_text,
        hidden_text_notes,
        shorten,
    )
    from revkit.papers.latex_bibliography import bibliography_of_bibtex, cited_keys
    from revkit.papers.latex_macros import expand_macros
    from revkit.papers.latex_tree import (
        STRAY_PIECE,
        is_stray_piece,
        parts_of_trees,
        read_latex_tree,
    )
    from revkit.papers.leaks import find_leaks
    from revkit.papers.look_alikes import LOOK_ALIKES, latin_of
    from revkit.papers.page import page_of, spell_out
    from revkit.papers.recognition import Entry, Reading, Section, read_paper
    from revkit.papers.structure import LONG_PAPER, Structure, read_structure, refuse_unread
    from revkit.papers.titles import find_title
    from revkit.papers.visible import visible_edits
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "citation_matches": "CitedEntries",
            "facts": "PaperFacts read_facts",
            "files": "papers_in_files",
            "hidden_text": "WORDS Box ChannelKind HiddenKind HiddenText OverrideKind "
            "PageKind find_hidden_text hidden_text_notes shorten",
            "latex_bibliography": "bibliography_of_bibtex cited_keys",
            "latex_macros": "expand_macros",
            "latex_tree": "STRAY_PIECE is_stray_piece parts_of_trees read_latex_tree",
            "leaks": "find_leaks",
            "look_alikes": "LOOK_ALIKES latin_of",
            "page": "page_of spell_out",
            "recognition": "Entry Reading Section read_paper",
            "structure": "LONG_PAPER Structure read_structure refuse_unread",
            "titles": "find_title",
            "visible": "visible_edits",
        },
    )

__all__ = [
    "LONG_PAPER",
    "LOOK_ALIKES",
    "STRAY_PIECE",
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
    "is_stray_piece",
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
