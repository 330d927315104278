"""The generators that several scripts measure, by the names that they have in results."""

import clrng

TYPICAL: dict[str, clrng.BitGenerator] = {
    "Park-Miller": clrng.ParkMiller(seed=1),
    "LCG 2^32": clrng.named("numerical_recipes", 1),
    "LCG 2^64": clrng.named("mmix", 1),
    "MRG32k3a": clrng.MRG32k3a(),
    "PCG64": clrng.PCG64(1),
    "PCG64DXSM": clrng.PCG64DXSM(1),
    "LFG 5,17": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "LFG 24,55": clrng.LaggedFibonacci((24, 55), "+", seed=1),
    "LFG 418,1279": clrng.LaggedFibonacci((418, 1279), "+", seed=1),
}

NEW_WORK = ("clrng PCG64", "clrng MRG32k3a", "clrng RANLUX++")
"""How the names begin, in results, of clrng's generators for new work; all others are for old work."""


def typical(*names: str) -> dict[str, clrng.BitGenerator]:
    """Return those of these names."""
    return {name: TYPICAL[name] for name in names}
