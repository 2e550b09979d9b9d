"""Made papers: small PDF papers of invented content, to attack where no real file may be used."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportlab.platypus import Image

_SUBJECTS = ("gates", "leaves", "tides", "bridges", "clocks", "seeds", "lamps", "looms")
_PLACES = ("twelve towns", "nine valleys", "six harbours", "four workshops", "ten parks")
_SENTENCES = (
    "We counted {subject} in {places} over one year, with the same rules in each of them.",
    "The counts were made twice, by two people who did not know the first result.",
    "Where the two counts differed by more than three, a third person decided.",
    "The difference between the years is small, and it has one sign in most of the places.",
    "We do not know what causes it, and the data do not separate the two explanations.",
    "Earlier work reports a larger change, but it used fewer places and one count only.",
    "All counts are in the table, with the number of days on which they were made.",
    "A longer series would show whether the change persists.",
)


def made_paper(seed: int, pages: int = 2, *, figure: bool = False) -> bytes:
    """A paper as a PDF of about ``pages`` pages: title, sections, a table, references; with
    ``figure`` also a picture with its caption.

    The same ``seed`` gives the same bytes. Raises `revkit.errors.RunError` without reportlab.
    """
    from revkit_attacks.pdf.file import need_libraries

    need_libraries()
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    rng = Random(seed)
    subject, places = rng.choice(_SUBJECTS), rng.choice(_PLACES)
    styles = getSampleStyleSheet()

    def prose(sentences: int) -> Paragraph:
        chosen = [rng.choice(_SENTENCES) for _ in range(sentences)]
        return Paragraph(" ".join(chosen).format(subject=subject, places=places), styles["Normal"])

    rows = [["Year", "Count", "Days"]]
    rows += [[str(2010 + n), str(rng.randint(80, 140)), str(rng.randint(20, 60))] for n in range(5)]
    story = [Paragraph(f"A Count of {subject.title()} in {places.title()}", styles["Title"])]
    for title in ("Abstract", "1 Introduction", "2 Method", "3 Results", "4 Discussion"):
        story += [Paragraph(title, styles["Heading2"]), prose(6)]
        story += [Spacer(1, 6), prose(8 * pages - 8)] if pages > 1 else []
        if title == "3 Results":
            story += [Spacer(1, 6), Table(rows)]
        if title == "3 Results" and figure:
            caption = f"Figure 1. The number of {subject} in each year."
            story += [_picture(), Paragraph(caption, styles["Normal"]), Spacer(1, 30)]
    story.append(Paragraph("References", styles["Heading2"]))
    for number, name in enumerate(("Ada Marsh", "Bo Xu", "Cy Lee", "Dee Jones"), 1):
        entry = f"[{number}] {name}. {2000 + number}. On {subject} and their counts. Gate Press."
        story.append(Paragraph(entry, styles["Normal"]))
    data = BytesIO()
    SimpleDocTemplate(data, pagesize=A4, invariant=1, title="").build(story)
    return data.getvalue()


def _picture() -> Image:
    """A chart with light bars, as a picture of 300 by 120 points."""
    from PIL import Image as Pixels
    from reportlab.platypus import Image

    drawn = Pixels.new("L", (300, 120), 255)
    for place, high in enumerate((40, 70, 55, 90, 65)):
        drawn.paste(200, (20 + 55 * place, 110 - high, 60 + 55 * place, 110))
    data = BytesIO()
    drawn.save(data, "PNG")
    return Image(BytesIO(data.getvalue()), width=300, height=120)
