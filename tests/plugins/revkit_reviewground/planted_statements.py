"""What planted reviews say: that things are missing, and what other reviewers said."""

from __future__ import annotations

# Topic: what shows it (a heading or caption, searched line by line), what any trace of it looks
# like, and claims that it is missing, in the words of reviews.
TOPICS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "ablation": (
        r"ablation (?:stud|exper|anal)|ablations?\b",
        r"ablat",
        (
            "The paper has no ablation study.",
            "There is no ablation study, so the role of each component is unclear.",
            "An ablation is missing.",
            "The authors do not provide any ablation experiments.",
            "The evaluation lacks ablations.",
            "No ablation study is presented to support the design.",
            "I was surprised to see no ablation of any kind.",
            "Ablations were not run.",
            "Not a single ablation is reported.",
            "What I miss most is an ablation.",
        ),
    ),
    "error bars": (
        r"error bars?|standard deviations?|confidence intervals?",
        r"error.?bar|standard (?:deviation|error)|confidence|\bstd|±|\\pm|shaded|variance"
        r"|deviation",
        (
            "The results are reported without error bars.",
            "No standard deviations are given.",
            "The paper does not report error bars or confidence intervals.",
            "Error bars are missing.",
            "None of the results come with error bars.",
            "Significance is hard to judge because error bars are omitted.",
            "All numbers are given without standard deviations.",
            "The tables show point estimates only; no standard deviations are included.",
        ),
    ),
    "limitations": (
        r"limitations?\b",
        r"limit",
        (
            "The paper does not discuss its limitations.",
            "Limitations of the proposed method are not discussed.",
            "There is no discussion of limitations.",
            "The authors fail to acknowledge any limitations of their approach.",
            "Nowhere do the authors discuss limitations.",
            "The manuscript is silent on limitations.",
            "I find no mention of limitations.",
            "A limitations section is missing.",
            "The authors ignore the limitations of their method.",
        ),
    ),
    "related work": (
        r"related works?",
        r"related (?:work|research|stud|litera)|(?:prior|previous) (?:work|research|stud)"
        r"|literature",
        (
            "The paper has no related work section.",
            "A discussion of related work is missing.",
            "The paper does not discuss related work.",
            "Related work is not discussed.",
            "The submission ignores related work entirely.",
            "A related work section is absent.",
            "I could not find any related work section.",
        ),
    ),
    "hyperparameters": (
        r"hyper-?parameters?",
        r"hyper-?\s?param|learning rate|batch size|epoch",
        (
            "The hyperparameters are not given.",
            "The paper does not specify the hyperparameters used for training.",
            "Hyperparameter settings are missing.",
            "The authors never report their hyperparameters.",
            "The choice of hyperparameters is never stated.",
            "Hyperparameter values are omitted.",
        ),
    ),
    "implementation details": (
        r"implementation details?|training details?|experimental? (?:details?|set-?up|settings?)",
        r"implementation|training|experiment\w* (?:details?|set|setting)|architect"
        r"|model (?:details|setting)",
        (
            "Implementation details are missing.",
            "The paper lacks implementation details.",
            "No implementation details are provided, which hurts reproducibility.",
        ),
    ),
    "baselines": (
        r"baselines?",
        r"baseline",
        (
            "There are no baselines.",
            "The experiments do not include any baselines.",
            "Baselines are missing from the evaluation.",
            "The evaluation is done without any baselines.",
            "No baseline is considered.",
        ),
    ),
    "theory": (
        r"theoretical (?:analys|result|guarantee|justif)|proofs? of|convergence analysis",
        r"theor|proof|lemma|proposition|corollary|converge|guarantee|formal",
        (
            "The work offers no theoretical analysis.",
            "Theoretical analysis is missing.",
            "The paper lacks theoretical guarantees.",
            "There is no theoretical justification for the approach.",
            "There are no theoretical results.",
            "Any form of theoretical justification is absent.",
            "The claims come with no theoretical guarantees.",
        ),
    ),
    "cost": (
        r"computational (?:cost|complexity|efficiency)|running time|run-?time|training time"
        r"|inference (?:time|speed)",
        r"comput\w+ (?:cost|complex|effic|over|time|resour|anal)|run-?\s?time|running time"
        r"|training time|inference|latency|flop|memory"
        r"|complexity|gpu|wall|hours|seconds|speed|\bms\b|minutes|days",
        (
            "The computational cost is not reported.",
            "The paper does not report running times.",
            "There is no analysis of the computational complexity.",
            "The authors do not discuss the computational overhead.",
            "Runtime is not reported.",
            "Nothing is said about the computational cost.",
            "The paper gives no running times.",
        ),
    ),
    "qualitative": (
        r"qualitative (?:result|exampl|analys|eval|compar)|visuali[sz]ation",
        r"qualitativ|visuali|case stud",
        (
            "No qualitative results are shown.",
            "The paper does not include qualitative examples.",
            "Qualitative analysis is absent.",
            "I would have liked qualitative examples, but there are none.",
            "The paper shows no qualitative examples.",
        ),
    ),
    "future work": (
        r"future work",
        r"future|outlook",
        (
            "The paper does not mention future work.",
            "Future work is not discussed.",
            "There is no discussion of future directions.",
            "No future work is mentioned.",
            "The conclusion does not point to future work.",
        ),
    ),
    "code": (
        r"\b(?:our|the|all|^)? ?codes? (?:is|are|has been)[^.]{0,30}(?:available|released|https?:)",
        r"\bcode|github|http|implementation|repositor|open-?sourc|releas",
        (
            "The code is not available.",
            "The authors do not release their code.",
            "No code is provided.",
            "Code is not made publicly available.",
            "Unfortunately no code was released.",
            "The absence of code prevents replication.",
            "There is no link to the code.",
            "Since the code is unavailable, the results cannot be verified.",
        ),
    ),
    "conclusion": (
        r"conclusions?\b",
        r"conclu|summary|discussion",
        (
            "The paper lacks a conclusion section.",
            "There is no conclusion section.",
            "The paper ends without a conclusion.",
        ),
    ),
}
DEPTH = (
    "The paper lacks a thorough {}.",
    "The {} could be more detailed.",
    "A more detailed {} would help.",
    "The {} is not discussed in sufficient depth.",
    "Is there any {}?",
    "The authors might add a deeper {}.",
)
DEEP = {
    "ablation": "ablation study", "limitations": "discussion of limitations",
    "related work": "discussion of related work", "theory": "theoretical analysis",
    "cost": "analysis of the computational cost", "qualitative": "qualitative analysis",
}  # fmt: skip


CITED = (
    "As reviewer 1 correctly pointed out, the method needs a teacher.",
    "As Reviewer #2 noted, the evaluation is narrow.",
    "I agree with R1 that the novelty is limited.",
    "I share the concerns of the other reviewers about novelty.",
    "Reviewers 1 and 3 both raised the missing experiments.",
    "The area chair also asked for more experiments.",
    "After reading the rebuttal I keep my score.",
    "In their rebuttal the authors clarified the second point.",
    "The authors' response did not resolve my concern.",
    "Another reviewer mentioned the lack of novelty.",
    "As the meta-review states, the paper is borderline.",
    "My confidence is high, as the reviewer pointed out the same issue.",
    "Like my fellow reviewers, I find the paper hard to read.",
    "The experiments requested by the reviewers are still absent.",
    "According to Reviewer 3's comments, the proof has a gap.",
    "R2 and R3 pointed out that the proof has a gap.",
    "R3 already raised this issue.",
    "This was also brought up by another referee.",
    "I second Reviewer 4 on this.",
    "Following the discussion with the other reviewers, I lowered my score.",
    "As the AC mentioned, the scope matters.",
    "The authors explained in their response that the data are public.",
    "AnonReviewer2 is right about the baselines.",
    "Both other reviews praise the clarity.",
    "The concerns of reviewer two remain.",
)
UNCITED = (
    "As a reviewer, I find the paper hard to read.",
    "This reviewer is not an expert in the theory.",
    "I would be happy to raise my score if the authors address this in the rebuttal.",
    "I look forward to the rebuttal.",
    "Please clarify this point during the rebuttal phase.",
    "The paper reviews the literature well, and previous reviews of the field are cited.",
    "The related work reviewed in the paper is broad.",
    "A revised version should include these results.",
    "The authors respond to a clear need in the field.",
    "As pointed out above, the notation is heavy.",
    "Readers and reviewers may find the notation heavy.",
    "I leave the decision to the area chair.",
    "As noted by the authors, the method is slow.",
    "The constraint R1 should be defined earlier.",
    "The AC circuit model needs a definition.",
    "I could be convinced by a rebuttal on this point.",
    "Reviewers of theory papers will like the second part.",
    "The authors review three families of models.",
    "The response of the network is delayed.",
    "I might revise my score after the rebuttal.",
    "AC power flow is not modelled.",
    "The second reviewer of the human study saw all samples.",
    "R2 scores are not a good measure here.",
    "The authors respond well to earlier criticism of such models.",
)
