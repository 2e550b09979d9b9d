"""Grammar: the dependency parse of English sentences, if the optional parser is installed.

A component that parses asks `parser_available` first and states what it does without; it puts
`parser_identity` into its identity, so that answers made with and without the parser are never
mixed. The page `docs/rooms/grammar.md` shows how.
"""

from revkit.grammar.files import REMEDY, parser_identity
from revkit.grammar.parser import forget_parses, parsed, parser_available
from revkit.grammar.tokens import Parse, Token

__all__ = [
    "REMEDY",
    "Parse",
    "Token",
    "forget_parses",
    "parsed",
    "parser_available",
    "parser_identity",
]
