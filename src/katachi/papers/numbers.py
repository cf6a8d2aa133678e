"""What the papers report, as far as their texts and tables say it; their curves are pictures.

Each paper has its own test games, so that these numbers are near ours, not comparable to the
last digit. Names are as they stand in a legend.
"""

from __future__ import annotations

from typing import Final

# Mean log-evidence over the whole test set (551 games of KGS, February 2006)
LOG_EVIDENCE: Final = {
    "Coulom 2007, whole games": -2.69,  # Coulom 2007, abstract and section 3.4
    "Coulom 2007, uniform, whole games": -5.49,  # Coulom 2007, section 3.4
}

# Share of moves found within the n best
RANKS: Final[dict[str, dict[int, float]]] = {
    # Coulom 2007, abstract; 652 games for training, 551 for testing (section 3.1)
    "Coulom 2007": {1: 0.349},
    # Stern, Herbrich and Graepel 2006 (181,000 games), as told in Araki et al. 2007, Table IV
    "Stern et al. 2006": {1: 0.34, 5: 0.66, 10: 0.76, 20: 0.86},
    # Stern, Herbrich and Graepel 2005, section 4 (22,000 games for training, 500 for testing)
    "Stern et al. 2005": {1: 0.26, 5: 0.55, 10: 0.68, 20: 0.81},
    # Araki et al. 2007, Table IV (20,000 games for training, 500 for testing)
    "Araki et al. 2007": {1: 0.3394, 5: 0.6047, 10: 0.6950, 20: 0.7716},
    # van der Werf et al. 2003, as told in Araki et al. 2007, section I
    "van der Werf et al. 2003": {1: 0.25},
    # de Groot 2005, as told in Coulom 2007, section 3.5 ("claims", "may be less"), and in Araki
    # et al. 2007, footnote 4 ("no explanation about what data was used")
    "de Groot 2005 (claimed)": {1: 0.42},
}

# Araki et al. 2007, Table I: 2,000 games; width factor → found first
ARAKI_WIDTHS: Final = {
    0.0: 0.2703,
    0.1: 0.2746,
    0.2: 0.2767,
    0.3: 0.2795,
    0.4: 0.2802,
    0.5: 0.2815,
    0.6: 0.2821,
    0.7: 0.2819,
    0.8: 0.2820,
    0.9: 0.2824,
    1.0: 0.2820,
}
# Table II: 2,000 games; moves ranked anew → found within each of ARAKI_RANKS
ARAKI_RANKS: Final = (1, 5, 10, 20, 40, 60, 80)
ARAKI_AMOUNTS: Final[dict[int, tuple[float, ...]]] = {
    0: (0.2105, 0.4619, 0.5925, 0.7243, 0.8375, 0.8862, 0.9132),
    20: (0.2824, 0.5270, 0.6168, 0.6911, 0.7985, 0.8463, 0.8753),
    40: (0.2755, 0.5291, 0.6305, 0.7258, 0.7985, 0.8463, 0.8753),
    60: (0.2693, 0.5254, 0.6252, 0.7237, 0.8138, 0.8463, 0.8753),
    80: (0.2692, 0.5285, 0.6245, 0.7191, 0.8138, 0.8585, 0.8753),
}
# Tables III and IV: games → found within the first of ARAKI_RANKS, as far as they are told
ARAKI_GAMES: Final[dict[int, tuple[float, ...]]] = {
    5_000: (0.3104, 0.5654, 0.6556),
    10_000: (0.3272, 0.5861, 0.6785),
    15_000: (0.3373, 0.5981, 0.6894),
    20_000: tuple(RANKS["Araki et al. 2007"].values()),
}

# Their less good settings: rank → what each of them found
_OTHERS: Final = [*ARAKI_AMOUNTS.values(), *list(ARAKI_GAMES.values())[:-1]]
ARAKI_OTHERS: Final[dict[int, tuple[float, ...]]] = {
    rank: (
        *(ARAKI_WIDTHS.values() if rank == 1 else ()),
        *(found[i] for found in _OTHERS if i < len(found)),
    )
    for i, rank in enumerate(ARAKI_RANKS)
}
ARAKI_OTHERS_NAME: Final = "Araki et al. 2007, other settings"
