"""Scan: text in a file that a program reads and a reader of the file does not see.

============ ====================================================================================
``signs``    the letters that PDFium takes from a page, with box, size, colour and text object
``ink``      two renders of a page, with and without text: what the text changes visibly
``pages``    letters that change nothing visibly, and why
``shapes``   glyphs that show other letters than the file states
``channels`` annotations, forms, metadata, outline, alternative text, attachments
``attachments`` what an attached file says, and whether it is data
``beside``   which text beside the pages is hidden, and which a person reads
``pdf``      the scan of one PDF file, in a process apart (``worker``)
``word``     Word files
``texts``    Markdown, LaTeX and plain text
``region``   a part of a page as its reader sees it
``scanner``  files of a folder, one after the other
``page``     an HTML page of findings
============ ====================================================================================
"""

from revkit.scan.page import page_of_scans
from revkit.scan.region import draw_region
from revkit.scan.results import Family, Gap, ScanResult, family_of
from revkit.scan.scanner import Scanner, can_scan_pdf, scan_files
from revkit.scan.texts import scan_text

__all__ = [
    "Family",
    "Gap",
    "ScanResult",
    "Scanner",
    "can_scan_pdf",
    "draw_region",
    "family_of",
    "page_of_scans",
    "scan_files",
    "scan_text",
]
