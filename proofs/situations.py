"""Searches for deals that show situations, made anew by the rules of every source.

`python -m proofs.situations` makes them and writes `reversis/findings/situation_searches.json`.
"""

from __future__ import annotations

from reversis.files.deals import readable_deals
from reversis.findings.situation_deals import ExaminedDeals, RankedDeal, examine_deals, rank_deals, search_deals
from reversis.findings.situation_payments import read_payments
from reversis.findings.situation_searches import SEARCHES_FILE, SearchedDeal, format_searches
from reversis.findings.situations import PaymentSituation, list_situations
from reversis.words.deal_views import resolve_rulesets
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.model import Library


def format_new_searches(own: Library) -> str:
    """Make every search and return the content of the file."""
    deals = tuple(readable_deals(own))
    worked = examine_deals(resolve_rulesets(own), deals)
    deals_by_situation, because = dict[str, list[SearchedDeal]](), dict[str, dict[str, str]]()
    for situation in (situation for situation in list_situations(own) if situation.searchable):
        ranked = rank_deals(situation, worked)
        because[situation.id] = search_deals(situation, worked, ranked)
        deals_by_situation[situation.id] = list_needed_deals(own, situation, worked, ranked, because[situation.id])
    return format_searches(deals, worked.rules, deals_by_situation, because)


def list_needed_deals(
    own: Library, situation: PaymentSituation, worked: ExaminedDeals, ranked: list[RankedDeal], because: dict[str, str]
) -> list[SearchedDeal]:
    """List the generated deals off which the payments of some source are read."""
    needed = {id(payment.deal) for payment in read_payments(own, situation, worked.rules, ranked, because)}
    deals = ((ranked_deal.origin, {id(deal.deal) for deal in ranked_deal.deal.values()}) for ranked_deal in ranked)
    return [origin for origin, same in deals if origin and not same.isdisjoint(needed)]


if __name__ == "__main__":
    replace_file(SEARCHES_FILE, format_new_searches(library()).encode())
