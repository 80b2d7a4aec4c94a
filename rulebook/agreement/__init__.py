"""Two codings of the same words: how far they agree, and how every disagreement was settled.

Two editorial passes have coded every source, the second (`ed2`) without seeing the clauses of the first. Both
codings are kept as they stood before anybody compared them: `coding-ed1.yaml`, drawn from the clauses, and
`coding-ed2.yaml`. Neither is ever edited; what was mended afterwards stands in the clauses, and why, in `settled.yaml`.

    python -m rulebook.agreement

reckons the figures anew, needs the extra `coding`, and writes them to sources/agreement.yaml. A cell is one question
for one source. Two things are compared in it: the answer, as one short text (no answer is an answer of its own kind),
and the status, in which every way of speaking is one: a source speaks, is silent, or the question makes no sense.
When the sources were coded, a question that hangs on a silence was to be called inapplicable. It is now called silent;
where both coders obeyed the old rule, that needs no settlement.
Questions that were put after the codings have no second coding: they are no part of any figure, and are listed.
"""
