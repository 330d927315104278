"""SplitMix: a Weyl sequence, whose words a mixer makes values of."""

GOLDEN_64 = 0x9E3779B97F4A7C15


def splitmix64(seed: int, count: int) -> list[int]:
    """Return the first values of SplitMix64."""
    found = []
    for i in range(1, count + 1):
        z = (seed + i * GOLDEN_64) % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        found.append(z ^ z >> 31)
    return found
