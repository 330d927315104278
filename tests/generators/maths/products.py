"""Products of polynomials in other ways than those that are tested."""


def naive(f: list[int], g: list[int], m: int) -> list[int]:
    """Return the product of `f` and `g`, term by term."""
    product = [0] * (len(f) + len(g) - 1)
    for i, a in enumerate(f):
        for j, b in enumerate(g):
            product[i + j] = (product[i + j] + a * b) % m
    return product


def kronecker(f: list[int], g: list[int], m: int) -> list[int]:
    """Return the product of `f` and `g` as one product of Python's integers, digits of 24 bytes."""
    x, y = (int.from_bytes(b"".join(c.to_bytes(24, "little") for c in h), "little") for h in (f, g))
    n = len(f) + len(g) - 1
    packed = (x * y).to_bytes(24 * n, "little")
    return [int.from_bytes(packed[i : i + 24], "little") % m for i in range(0, 24 * n, 24)]


def of_minus_ones(long: int, short: int, m: int) -> list[int]:
    """Return the product of polynomials of so many coefficients, all of which are -1."""
    return [min(k + 1, long, short, long + short - 1 - k) % m for k in range(long + short - 1)]
