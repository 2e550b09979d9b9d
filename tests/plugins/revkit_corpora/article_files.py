"""Files of other programs for tests, made after their published descriptions."""

from __future__ import annotations

from typing import Any

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
 <teiHeader>
  <fileDesc>
   <titleStmt><title level="a" type="main">Sparse Gates &amp; Dense Bridges</title></titleStmt>
   <sourceDesc><biblStruct><analytic>
    <author><persName><forename type="first">Ann</forename><surname>Marsh</surname></persName>
     <email>ann@example.org</email></author>
   </analytic></biblStruct></sourceDesc>
  </fileDesc>
  <profileDesc><abstract><div><p>We count gates. They may skip tokens.</p></div></abstract>
  </profileDesc>
 </teiHeader>
 <text xml:lang="en">
  <body>
   <div><head n="1">Introduction</head>
    <p>Gates are known <ref type="bibr" target="#b0">[1]</ref>, and so are bridges
     <ref type="bibr" target="#b1">[2]</ref>. See <ref type="figure" target="#fig_0">1</ref>.</p>
   </div>
   <div><head n="2.1">Counts</head>
    <p>The sum is
     <formula xml:id="formula_0">s = a + b<label>(1)</label></formula>where a is old.</p>
    <p># of gates differs by town.</p>
   </div>
   <figure xml:id="fig_0"><head>Figure 1</head><label>1</label><figDesc>Gates of a town.</figDesc>
   </figure>
   <figure type="table" xml:id="tab_0"><head>Table 1</head><label>1</label>
    <figDesc>Table 1. Counts.</figDesc>
    <table><row><cell>town</cell><cell>gates</cell></row><row><cell>Ulm</cell><cell>12|13</cell>
    </row></table></figure>
   <note place="foot" n="1">Without the small ones.</note>
  </body>
  <back>
   <div type="acknowledgement"><div><head>Acknowledgments</head><p>We thank all.</p></div></div>
   <div type="annex"><div><head n="A">More counts</head><p>Bern has seven gates.</p></div></div>
   <div type="references"><listBibl>
    <biblStruct xml:id="b0"><analytic>
      <title level="a" type="main">Thresholds of gates</title>
      <author><persName><forename type="first">Y</forename>
       <surname>Lee</surname></persName></author>
      <author><persName><forename type="first">Bo</forename>
       <surname>Xu</surname></persName></author>
     </analytic><monogr><title level="j">Journal of Gates</title>
      <imprint><biblScope unit="volume">3</biblScope><biblScope unit="page" from="1" to="22" />
      <date type="published" when="2014-05" /></imprint></monogr></biblStruct>
    <biblStruct xml:id="b1"><monogr><title level="m">Bridges</title></monogr>
     <note type="raw_reference">[2] K. van der Berg. Bridges. 1999.</note></biblStruct>
   </listBibl></div>
  </back>
 </text>
</TEI>
"""
TEI_TEXT = """# Sparse Gates & Dense Bridges

## Abstract

We count gates. They may skip tokens.

## 1 Introduction

Gates are known [1], and so are bridges [2]. See 1.

### 2.1 Counts

The sum is

$$
s = a + b
\\tag{1}
$$

where a is old.

\\# of gates differs by town.

Figure 1: Gates of a town.

Table 1. Counts.

| town | gates |
| --- | --- |
| Ulm | 12\\|13 |

> 1 Without the small ones.

## Acknowledgments

We thank all.

## References

[1] Y Lee and Bo Xu. Thresholds of gates. Journal of Gates, 3, 1-22, 2014.

[2] K. van der Berg. Bridges. 1999.

## A More counts

Bern has seven gates.
"""

_ARTICLE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2//EN"
 "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article">
 <front><article-meta>
  <article-id pub-id-type="publisher-id">1234</article-id>
  <article-id pub-id-type="doi">DOI</article-id>
  <title-group><article-title>Gates of <italic>three</italic> towns</article-title></title-group>
  <contrib-group><contrib contrib-type="author"><name><surname>Marsh</surname>
   <given-names>Ann</given-names></name></contrib></contrib-group>
  <abstract><p>We counted&nbsp;gates.</p></abstract>
  <abstract abstract-type="executive-summary"><p>A digest.</p></abstract>
 </article-meta></front>
 <body>
  <sec><title>Introduction</title>
   <p>Gates are known<sup><xref ref-type="bibr" rid="r1">1</xref></sup>.</p>
   <p>Bridges, too<sup><xref ref-type="bibr" rid="r2">2</xref></sup>.
    <list list-type="order"><list-item><p>old ones</p></list-item>
     <list-item><p>new ones</p></list-item></list></p>
   <sec><label>1.1</label><title>Counts</title>
    <disp-formula id="e1"><label>(1)</label><tex-math>$$s = a + b$$</tex-math></disp-formula>
    <fig id="f1"><label>Figure 1.</label><caption><title>Gates.</title><p>All of them.</p></caption>
    </fig>
    <table-wrap id="t1"><label>Table 1</label><caption><p>Counts.</p></caption>
     <table><thead><tr><th>town</th><th>gates</th></tr></thead>
      <tbody><tr><td>Ulm</td><td>12</td></tr></tbody></table></table-wrap>
   </sec>
  </sec>
 </body>
 <back>
  <ack><title>Thanks</title><p>We thank all.</p></ack>
  <ref-list><title>References</title>
   <ref id="r1"><label>1</label>
    <mixed-citation>Lee Y, Xu B. Thresholds. 2014.</mixed-citation></ref>
   <ref id="r2"><label>2</label><element-citation publication-type="journal">
    <person-group person-group-type="author"><name><surname>van Dam</surname>
     <given-names>K</given-names></name><collab>Gate Group</collab></person-group>
    <year>1999</year><article-title>Bridges</article-title><source>Gate Letters</source>
    <volume>7</volume><fpage>1</fpage><lpage>9</lpage></element-citation></ref>
  </ref-list>
 </back>
 PARTS
</article>
"""


def jats(doi: str, parts: str) -> str:
    """An article with that DOI and the parts behind it."""
    return _ARTICLE.replace("DOI<", f"{doi}<").replace("PARTS", parts)


def report(kind: str, text: str, recommendation: str = "", inner: str = "") -> str:
    """A part behind an article: a report, a letter or a reply."""
    meta = (
        "<custom-meta-group><custom-meta><meta-name>recommendation</meta-name>"
        f"<meta-value>{recommendation}</meta-value></custom-meta></custom-meta-group>"
        if recommendation
        else ""
    )
    return (
        f'<sub-article article-type="{kind}"><front-stub><title-group><article-title>Report'
        f"</article-title></title-group>{meta}</front-stub><body><p>{text}</p></body>{inner}"
        "</sub-article>"
    )


F1000 = jats(
    "10.12688/f1000research.1234.1",
    report(
        "reviewer-report",
        "The counts are sound.",
        "approve",
        report("response", "Thank you."),
    )
    + report("reviewer-report", "Two towns are missing.", "approve-with-reservations")
    + report("reviewer-report", "No method.", "reject"),
)
ELIFE = jats(
    "10.7554/eLife.54321",
    report("editor-report", "A valuable study with solid evidence.")
    + report("referee-report", "Reviewer #1: the gates were not weighed.")
    + report("referee-report", "Reviewer #2: well done.")
    + report("author-comment", "We weighed them."),
)


def s2orc() -> dict[str, Any]:
    """A record as the converter from GROBID writes it."""
    mark = {"start": 16, "end": 19, "text": "[1]", "ref_id": "BIBREF0"}
    body = [
        {
            "text": "Gates are known [1].",
            "cite_spans": [mark],
            "ref_spans": [],
            "eq_spans": [],
            "section": "Introduction",
            "sec_num": "1",
        },
        {
            "text": "EQUATION",
            "cite_spans": [],
            "eq_spans": [{"start": 0, "end": 8, "raw_str": "s = a + b", "eq_num": "(1)"}],
            "section": "Counts",
            "sec_num": "1.1",
        },
        {"text": "Ulm has 12.", "cite_spans": [], "section": "Counts", "sec_num": "1.1"},
    ]
    return {
        "paper_id": "77",
        "title": "Sparse Gates",
        "authors": [{"first": "Ann", "middle": [], "last": "Marsh", "suffix": ""}],
        "year": "2020",
        "abstract": "We count gates.",
        "pdf_parse": {
            "abstract": [{"text": "We count gates.", "section": "Abstract"}],
            "body_text": body,
            "back_matter": [{"text": "We thank all.", "section": "Acknowledgments"}],
            "bib_entries": {
                "BIBREF0": {
                    "ref_id": "b0",
                    "title": "Thresholds of gates",
                    "authors": [{"first": "Y", "middle": [], "last": "Lee", "suffix": ""}],
                    "year": 2014,
                    "venue": "Journal of Gates",
                    "volume": "3",
                    "pages": "1--22",
                }
            },
            "ref_entries": {
                "FIGREF0": {"text": "Gates.", "type_str": "figure", "fig_num": "1", "uris": None},
                "TABREF0": {"text": "Counts.", "type_str": "table", "num": "1"},
            },
        },
    }


S2ORC_TEXT = """# Sparse Gates

## Abstract

We count gates.

## 1 Introduction

Gates are known [1].

### 1.1 Counts

$$
s = a + b
\\tag{1}
$$

Ulm has 12.

## References

[1] Y Lee. Thresholds of gates. Journal of Gates, 3, 1--22, 2014.

## Acknowledgments

We thank all.

Figure 1: Gates.

Table 1: Counts.
"""
