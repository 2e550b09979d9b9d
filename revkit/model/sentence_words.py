"""Words by which `revkit.model.sentence_ends` distinguishes the end of a sentence from other stops.

Lower-case, without their last full stop.
"""

from __future__ import annotations

# After these a full stop never ends a sentence.
NEVER = frozenset(
    str.split(
        "al e.g i.e eg ie fig figs eq eqs eqn eqns equ sec secs sect cf c.f vs resp w.r.t wrt"
        " approx dr drs prof mr mrs ms mx st viz ca ref refs tab tabs tbl thm lem prop cor def alg"
        " app chap ch vol pp ed eds no nos art assoc univ dept gen gov sen rep hon rev fn ex arxiv"
        " tr trans proc conf supp suppl incl esp et expt expts"
        # German, French, Spanish, Russian.
        " abb bzw vgl evtl ggf bspw sog kap nr hrsg aufl bd inkl d.h z.b u.a m.e p.ex c.-à-d mme"
        " mlle éd env dra sra srta núm pág págs рис табл гл см др проф акад стр т.е т.к"
    )
)
# Of these, the ones that are also words, or units: written small, with a capitalised word after
# them, they end a sentence ("the state of the art. We").
ALSO_WORDS = frozenset(
    str.split("app art chap cor def ex fig gen hon ms no prop rep rev sec sen tab tr trans")
)
# After these it ends one only where the next word usually starts a sentence.
SELDOM = frozenset(
    str.split(
        "etc inc ltd co corp u.s u.k e.u ph.d a.m p.m i.i.d s.t a.k.a a.s jr sr jan feb mar apr"
        " jun jul aug sept sep oct nov dec max min avg std dim est int temp wlog w.l.o.g iid a.e"
        " r.v q.e.d yahoo! b.c a.d acad natl sci chem biol phys lett usw p.s г гг"
    )
)
STARTERS = frozenset(
    str.split(
        "the we this these those that in it for however to our as an a there here moreover"
        " furthermore additionally finally although while when since if by with from on at they"
        " he she both each all some many most more thus therefore hence then next first second"
        " third such one their its but and so or also note given let what why how after before"
        " during because once using similarly specifically another instead unlike despite due"
        " further consequently recently i you my your his her of where which who whether within"
        " without among between under over through throughout across along about against upon"
        " until unless even again now no not yet still only just other others overall together"
        " several few every either neither any none nothing everything something compared based"
        " besides conversely nevertheless nonetheless meanwhile otherwise indeed rather perhaps"
        " maybe likewise lastly firstly secondly thirdly is are was were do does did can could"
        " would should may might have has had please see consider suppose assume recall fig figure"
        " table section according following contrary whereas though like regarding concerning"
        " except depending starting two three four five"
    )
)
# Authors, and texts that passed through PDF, at times start a sentence with these written small.
SMALL_STARTERS = frozenset(
    str.split(
        "we they he she it this these there however therefore moreover furthermore thus hence i"
    )
)
# Before these, a number with a stop is a day ("am 3. März").
MONTHS = frozenset(
    str.split(
        "januar jänner februar märz april mai juni juli august september oktober november dezember"
    )
)
