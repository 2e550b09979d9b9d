"""Sources of papers: generated papers, public data sets of reviewed papers, and the user's own
papers; and an agent that returns human reviews.
"""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_corpora(register: Register) -> None:
    """Register the corpora by module path; each module is imported only when it is used."""
    register("aiscientist = revkit_corpora.aiscientist:AIScientist")
    register("clawrxiv = revkit_corpora.clawrxiv:ClawRxiv")
    register("deepreview = revkit_corpora.deepreview:DeepReview")
    register("disapere = revkit_corpora.disapere:Disapere")
    register("files = revkit_corpora.files:Files")
    register("iclr-tables = revkit_corpora.iclr_csv:IclrTables")
    register("jats = revkit_corpora.jats:Jats")
    register("jsonl = revkit_corpora.jsonl:JsonLines")
    register("markdown = revkit_corpora.markdown:Markdown")
    register("mred = revkit_corpora.mred:Mred")
    register("nlpeer = revkit_corpora.nlpeer:NLPeer")
    register("openreview = revkit_corpora.openreview:OpenReview")
    register("openreview-live = revkit_corpora.openreview_live:OpenReviewLive")
    register("pairs = revkit_corpora.pairs:Pairs")
    register("pdf = revkit_corpora.pdf:Pdf")
    register("peerread = revkit_corpora.peerread:PeerRead")
    register("peersum = revkit_corpora.peersum:PeerSum")
    register("s2orc = revkit_corpora.s2orc:S2orc")
    register("samples = revkit_corpora.sample_papers:Samples")
    register("score-table = revkit_corpora.score_table:ScoreTable")
    register("substanreview = revkit_corpora.substanreview:SubstanReview")
    register("table = revkit_corpora.table:PaperTable")
    register("tei = revkit_corpora.tei:Tei")
    register("synthetic = revkit_corpora.synthetic:Synthetic")
    register("word = revkit_corpora.word:Word")


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the perturbation that repeats the variants of a pair set."""
    register("frozen = revkit_corpora.pairs:FrozenPairs")


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agent that returns human reviews."""
    register("human = revkit_corpora.human:Human")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metrics that compare agents with human reviews and annotations."""
    register("annotation-agreement = revkit_corpora.annotation_agreement:AnnotationAgreement")
    register("people-floor = revkit_corpora.people_floor:PeopleFloor")
