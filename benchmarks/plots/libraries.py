"""What tables and figures call the generators of clrng and of other libraries, of each library the fastest."""

GROUPS = {
    "clrng, PCG64, as `default_rng`": ("clrng PCG64",),
    "clrng, MRG32k3a": ("clrng MRG32k3a",),
    "clrng, for old work: LCG modulo 2⁶⁴": ("clrng LCG 2^64",),
    "clrng, for old work: lagged Fibonacci 418,1279": ("clrng LFG(418,1279)",),
    "cuRAND, XORWOW": ("cuRAND XORWOW",),
    "cuRAND, Philox": ("cuRAND PHILOX",),
    "cuRAND, MT19937": ("cuRAND MT19937",),
    "cuRAND, MRG32k3a": ("cuRAND MRG32K3A",),
    "cuRAND, MTGP32": ("cuRAND MTGP32",),
    "cuRAND, Sobol, quasirandom": ("cuRAND SOBOL", "cuRAND SCRAMBLED"),
    "PyTorch": ("PyTorch",),
    "CuPy": ("CuPy",),
    "pyopencl.clrandom": ("pyopencl.clrandom",),
    "reikna": ("reikna",),
    "mkl_random": ("mkl_random",),
    "C++ `<random>`, one core": ("C++",),
    "randomgen, one core": ("randomgen",),
    "NumPy, one core": ("NumPy",),
}
"""What a row is called, and how the names begin of the generators that it has the fastest of."""


def begins(name: str, beginnings: tuple[str, ...]) -> bool:
    """Return whether a name has one of the beginnings, and no letter behind it: PCG64DXSM is not PCG64."""
    return any(name.startswith(each) and not name[len(each) : len(each) + 1].isalpha() for each in beginnings)
