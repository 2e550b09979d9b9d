"""Documents: read PDF, Word and XML files, with limits on the cost of a file.

============= ===================================================================================
``reader``    PDF files in a process apart, which a bad file can end without ending the run
``pdf_words`` the words of a page, with place, size, weight, and whether a reader sees them
``pdf_clip``  boxes of objects on a page, and of the paths that clip them
``pdf_lines`` lines in reading order, without running heads
``pdf_text``  headings, paragraphs, tables, notes and references as Markdown
``docx``      Word files
``xml_parts`` XML without entities, of bounded depth and size
============= ===================================================================================
"""

from revkit.documents.docx import read_docx
from revkit.documents.limits import Limits
from revkit.documents.reader import PdfReader, can_read_pdf
from revkit.documents.text import Concealed, DocumentText
from revkit.documents.xml_parts import Parts
from revkit.documents.xml_parts import parse as parse_xml

__all__ = [
    "Concealed",
    "DocumentText",
    "Limits",
    "Parts",
    "PdfReader",
    "can_read_pdf",
    "parse_xml",
    "read_docx",
]
