"""Made papers: small PDF papers of invented content, to attack where no real file may be used."""

from __future__ import annotations

from io import BytesIO
from random import Random

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


def made_paper(seed: int, pages: int = 2) -> bytes:
    """A paper as a PDF of about ``pages`` pages: title, sections, a table, references.

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
    story.append(Paragraph("References", styles["Heading2"]))
    for number, name in enumerate(("Ada Marsh", "Bo Xu", "Cy Lee", "Dee Jones"), 1):
        entry = f"[{number}] {name}. {2000 + number}. On {subject} and their counts. Gate Press."
        story.append(Paragraph(entry, styles["Normal"]))
    data = BytesIO()
    SimpleDocTemplate(data, pagesize=A4, invariant=1, title="").build(story)
    return data.getvalue()
