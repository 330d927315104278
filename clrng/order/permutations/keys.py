"""The keys of a permutation: how many raw values each has."""

CLOSENESS_BITS = 41
"""The total variation from the uniform distribution is at most 2^-41."""

LONGEST = 2**31
"""The most elements that are put in order together."""


def steps_for(n: int, raw_values: int) -> int:
    """Return how many raw values make a key, so that all orders of `n` elements are equally likely up to 2^-41.

    Keys are sorted, and those that are equal stay as they were. If no two are equal, all orders are equally likely; so
    the total variation from that is at most the chance that some are, which is below n^2 / (2 m^k) for keys of k raw
    values, of m each. The result is the least k for which n^2 / (2 m^k) is at most 2^-41.

    Parameters
    ----------
    n : int
        From 0.
    raw_values : int
        m, from 2 to 2^64.

    Returns
    -------
    int
        1 or more.

    Examples
    --------
    >>> from clrng.order.permutations.keys import steps_for
    >>> [steps_for(n, 2**32) for n in (2**12, 2**12 + 1, 2**28, 2**28 + 1)]
    [2, 3, 3, 4]
    """
    steps, keys = 1, raw_values
    while n**2 << (CLOSENESS_BITS - 1) > keys:
        steps, keys = steps + 1, keys * raw_values
    return steps
