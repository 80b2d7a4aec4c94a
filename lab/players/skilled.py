"""Skilled players of a survey: at every table the net of its source in all four seats.

The survey knows nothing of them. An order that names the policy brings them along, with the fingerprints of the nets,
so that no process and no machine plays by other nets than those that were ordered. A table whose rules are not just
those that a net was made for plays by the nearest, that of its source.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

import numpy as np

from engine.players.nets import WEIGHTS_FOLDER, TrainedNet, read_net
from engine.players.preferences import SKILLED
from lab.players.arena import NET_PLAYER, PlayingCompany, deal_to_company, play_company
from lab.survey.buffers import PlayedDeals
from lab.survey.chunk import get_deal_pricer
from lab.survey.encode_rules import Unsurveyed
from lab.survey.request import CHUNK, SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from rulebook.model import Library


@dataclass(frozen=True, slots=True)
class SkilledPlayers:
    """Players by nets, as an order of a survey brings them."""

    nets: tuple[tuple[str, str], ...]  #: source -> fingerprint of its net

    def __call__(self, order: SurveyOrder, library: Library, rules: Rules, numbers: range) -> PlayedDeals:
        """Play deals at a table. Raises Unsurveyed where there is no net, or another than was ordered."""
        net, prices = get_table_net(rules), get_deal_pricer(library)
        if dict(self.nets).get(rules.source) != fingerprint_net(rules.source):
            raise Unsurveyed(f"the net of {rules.source} that lies here is another than was ordered")
        company = PlayingCompany.at_table(prices, rules, order.seed, net)
        kinds = np.full(SURVEY_SEATS, NET_PLAYER)
        return play_company(company, deal_to_company(company, numbers, kinds), kinds)


def order_survey(seed: int, policy: str, deals: int, tables: Iterable[SurveyTable], size: int = CHUNK) -> SurveyOrder:
    """Order a survey by any policy; for the skilled with the nets that lie here. Raises Unsurveyed without a net."""
    company = tuple(tables)
    if policy != SKILLED:
        return SurveyOrder(seed, policy, deals, company, size)
    sources = dict.fromkeys(get_table_net(table.rules).source for table in company)
    players = SkilledPlayers(tuple((source, fingerprint_net(source)) for source in sources))
    return SurveyOrder(seed, policy, deals, company, size, players)


def list_order_nets(order: SurveyOrder) -> tuple[tuple[str, str], ...]:
    """List the nets that an order's players play by: source and fingerprint; none where they need none."""
    return order.play.nets if isinstance(order.play, SkilledPlayers) else ()


def get_table_net(rules: Rules) -> TrainedNet:
    """Return the nearest net for a table. Raises Unsurveyed where nobody has trained one."""
    net = read_net(rules.source)
    if net is None:
        raise Unsurveyed(f"nobody has trained a net for {rules.source}, so that nobody plays it with skill")
    return net


@cache
def fingerprint_net(source: str) -> str:
    """Return the fingerprint of a source's net, as this process found it when it first asked."""
    return sha256((WEIGHTS_FOLDER / f"{source}.json").read_bytes()).hexdigest()[:16]
