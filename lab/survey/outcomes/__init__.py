"""The outcome of many deals: who wins what, by the criteria that `engine.settlement.outcome` goes through.

What `engine.settlement.outcome` says field by field is said here a second time, since compiled code cannot ask. Tests
hold every criterion and every field to the first, and `python -m proofs.paths` whole deals.

Each field is a number, as `lab.survey.tariff` lists them. A field that the rules leave open, because they are silent
on a question that leads to it, has the number after the last.
"""
