"""Words that distinguish a claim from a permission, a definition or a design."""

from __future__ import annotations

from revkit_robustrev.guards import words

# What a claim says of an effect or a cause. A possibility with another verb ("may fail", "may
# occur", "may choose") says what can happen or what is allowed; without "may" it would be another
# statement, not a surer one. Only these verbs are ever inflected.
CLAIM_VERBS = words(
    "accelerate account achieve act activate affect aid alleviate allow amplify become benefit"
    " bias boost"
    " capture carry cause complicate confer contribute correlate decrease degrade depend"
    " deteriorate"
    " differ distort dominate drop ease enable encourage enhance exacerbate exceed exhibit"
    " explain facilitate favor favour function generalise generalize give hamper harm help hinder"
    " hurt"
    " impact impair impede imply improve increase indicate induce influence inhibit interfere"
    " introduce lack"
    " lead learn limit lower make matter mean mediate mislead mitigate modulate need obscure"
    " offer outperform"
    " overestimate overfit play preserve prevent produce promote prove provide raise reduce"
    " reflect regulate reinforce rely require result serve show simplify slow speed stabilise"
    " stabilize"
    " stem stimulate strengthen suffer suggest suit suppress transfer trigger underestimate"
    " underfit undermine underperform"
    " underlie vary weaken work worsen yield"
)
# After "seems to" or "tends to" the verb only has to be a verb.
KNOWN_VERBS = CLAIM_VERBS | words(
    "agree apply assign assume avoid be behave belong benefit change collapse combine concentrate"
    " confirm consider contain converge corroborate cover create deal decay demonstrate develop"
    " disappear diverge do exploit fail fall fit focus follow form generate get go grow happen"
    " have hold ignore include involve keep lie lose match memorize miss occur oscillate overlap"
    " perform persist point predict prefer adapt approximate arise attend attract cluster"
    " contradict decode detect discard encode emerge estimate extract force group highlight"
    " identify interpolate locate map move operate optimize penalize propagate reach reconstruct"
    " replace represent reproduce retain segment separate settle solve spend split start store"
    " switch update receive recover remain resemble respond rise saturate scale select shift"
    " shrink stay support take treat underlie use validate"
)
# Further verbs, which may be coordinated with one that changes, or follow "seems to".
OTHER_VERBS = words(
    "accept accommodate acquire adjust aggregate aim align analyze answer approach arrive attain"
    " begin bring build call choose come compare compute condition conflict connect conserve"
    " construct contrast control convey cope copy correct cost count cut deliver deploy describe"
    " design detach differentiate direct distinguish distribute divide double draw drive echo"
    " eliminate emphasize employ encounter end enforce enrich establish evolve examine expand"
    " experience explore expose extend extrapolate face feed fill find fix fluctuate foster gain"
    " guide handle imitate impose incur infer inform inherit initialize inject inspire integrate"
    " interact invert join jump leave let leverage link live look maintain manipulate maximize"
    " merge mimic minimize mirror misclassify mix model modify neglect normalize observe optimise"
    " originate outweigh overcome pass pay peak perceive permit perturb pick place pool pose"
    " presage process project propose pull push put quantify recall recognize recruit refine"
    " regularize reject release remember remove render repeat reuse reverse reward run sacrifice"
    " sample save search see send set shape share shed simulate skip smooth spread steer step stop"
    " strike substitute surpass tackle target tell terminate tolerate track train transform"
    " translate try tune turn understand visit want waste write"
)
# Adjectives of degree or worth, which a claim has; "stochastic" or "equal" defines something.
GRADED = words(
    "acceptable applicable accurate adequate"
    " advantageous appropriate arbitrary attractive bad beneficial"
    " wasteful better brittle cheap cheaper clear close closer comparable competitive complementary"
    " complex consistent costly counterintuitive critical crucial dense dependable desirable"
    " detrimental difficult dispensable easier easy effective efficient essential evident"
    " expensive fast"
    " faster favorable feasible flexible fragile good hard harder harmful helpful high higher"
    " important inaccurate inadequate inconsistent incorrect ineffective inefficient inferior"
    " insensitive insufficient interesting interpretable intuitive lacking large larger limited"
    " long longer low lower misleading natural necessary noisy noticeable obvious optimistic"
    " pessimistic plausible poor preferable problematic promising prone realistic reasonable"
    " redundant relevant reliable robust rough safe scalable sensible sensitive severe sharp"
    " sharper short shorter significant similar simple simpler slow slower small smaller smooth"
    " smoother sparse stable steep straightforward strong stronger sub-optimal suboptimal"
    " sufficient suitable superior surprising susceptible uninformative unlikely unnecessary"
    " unrealistic unreliable unstable useful valid valuable viable vulnerable weak weaker wide"
    " wider worse wrong"
)
# How two things compare by their making; the author knows it.
RELATIONS = words("similar close closer comparable complementary analogous consistent")
DEGREES = words(
    "also comparatively considerably especially even extremely fairly far generally highly less"
    " more much often particularly quite rather relatively significantly slightly somewhat still"
    " substantially too typically very"
)
# Participles of a cause or an effect; "may be used", "may be written as" allow or define.
# Verbs of a claim with this preposition only: "may apply to", "may lie in".
CLAIM_PHRASES = {
    "apply": "to",
    "relate": "to",
    "lie": "in",
    "stem": "from",
    "come": "from",
    "arise": "from",
}
CLAIM_PARTICIPLES = words(
    "affected associated attributable attributed biased caused compromised confounded degraded"
    " disturbed dominated driven due enhanced"
    " explained hampered harmed hindered impaired improved influenced limited linked misled needed"
    " induced inhibited involved masked mediated modulated owing regulated suppressed triggered"
    " overestimated reduced related required responsible underestimated useful"
)
CAUSES = words("due because by caused since owing thanks explained explaining as from")
EFFECT_NOUNS = words("effect effects impact influence advantage advantages benefit benefits")
# Nouns of the paper's purpose, its apparatus or its drawings, which its author knows for sure.
ABOUT_THE_PAPER = words(
    "aim aims algorithm appendix area areas arrow arrows article assumption author authors axes"
    " axis bar bars challenge challenges chapter circle circles code color colors colour column"
    " columns condition contribution contributions corollary dataset datasets definition design"
    " difference dot dots element elements entries entry equation example examples figure figures"
    " focus following formulation goal goals hypothesis idea ideas input inputs intention"
    " interest intuition lemma line lines marker markers material materials motivation notation"
    " objective output outputs paper papers plan problem problems procedure proof property"
    " proposition purpose purposes question questions reason remainder requirement research"
    " researchers rest row rows scope section sections set sets setup step steps studies"
    " supplement supplementary symbol symbols table task tasks term terms theorem variable"
    " variables work works"
)
# What a method is built to do: hedged, the author would doubt his own design.
DESIGN_VERBS = words(
    "control correct determine eliminate encourage govern hide learn prevent separate"
)
PEOPLE = words(
    "scientists researchers farmers breeders patients participants clinicians practitioners"
    " we i you one users user readers reader people humans someone anyone authors author"
)
ADJECTIVES = ("ing", "able", "ible", "ful", "ous", "ive", "ical")  # endings
# The preposition without which these forms are nouns or have another sense.
NEEDS = {
    "leads": words("to"),
    "lead": words("to"),
    "contributes": words("to most more little"),
    "contribute": words("to most more little"),
    "depends": words("on"),
    "depend": words("on"),
    "suffers": words("from"),
    "suffer": words("from"),
    "benefits": words("from"),
    "remains": words("challenging hard difficult unclear limited important poor weak low high"),
    "remain": words("challenging hard difficult unclear limited important poor weak low high"),
    "continues": words("to"),
    "continue": words("to"),
    "plays": words("a an the"),
    "play": words("a an the"),
    "fails": words("to when in on at under"),
    "fail": words("to when in on at under"),
    "generalizes": words("to well better poorly beyond across far"),
    "generalize": words("to well better poorly beyond across far"),
}
