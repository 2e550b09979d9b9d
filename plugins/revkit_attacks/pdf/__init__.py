"""PDF files with one planted text, in each technique: written, and read again from the file."""

from revkit_attacks.pdf.file import (
    FAMILIES,
    PDF_HIDES,
    AttackedPdf,
    Placement,
    attack_pdf,
    folded,
    pdfium_text,
    pypdf_text,
)
from revkit_attacks.pdf.sample import made_paper
from revkit_attacks.pdf.spots import POSITIONS, Position

__all__ = [
    "FAMILIES",
    "PDF_HIDES",
    "POSITIONS",
    "AttackedPdf",
    "Placement",
    "Position",
    "attack_pdf",
    "folded",
    "made_paper",
    "pdfium_text",
    "pypdf_text",
]
