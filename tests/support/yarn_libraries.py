"""What the recurrences of TRNG's YARN generators give, in a program of C++ by their definition."""

from tests.support.libraries import Library, compiled, printed

PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <cstdint>

typedef unsigned __int128 wide;

int main(int, char **words)
{
    const long n = std::atol(words[1]);
    std::int64_t seed = static_cast<std::int64_t>(std::strtoull(words[2], nullptr, 10));
    const std::int64_t p = std::atol(words[3]);
    const std::uint64_t g = std::strtoull(words[4], nullptr, 10);
    const int order = std::atoi(words[5]);
    std::uint64_t a[5], r[5] = {0, 1, 1, 1, 1};
    for (int j = 0; j < order; j++) a[j] = std::strtoull(words[6 + j], nullptr, 10);
    seed %= p;
    r[0] = seed < 0 ? seed + p : seed;
    for (long i = 0; i < n; i++) {
        wide sum = 0;
        for (int j = 0; j < order; j++) sum += static_cast<wide>(a[j]) * r[j];
        for (int j = order - 1; j > 0; j--) r[j] = r[j - 1];
        r[0] = static_cast<std::uint64_t>(sum % p);
        std::uint64_t value = r[0] != 0, square = g;
        for (std::uint64_t x = r[0]; x != 0; x /= 2, square = square * square % p)
            if (x % 2 == 1) value = value * square % p;
        std::printf("%llu\\n", static_cast<unsigned long long>(value));
    }
}
"""

PARAMETERS = {
    "trng_yarn2": (2147483647, 123567893, 2, 1498809829, 1160990996),
    "trng_yarn3": (2147483647, 123567893, 3, 2021422057, 1826992351, 1977753457),
    "trng_yarn3s": (2147462579, 1616076847, 3, 2025213985, 1112953677, 2038969601),
    "trng_yarn4": (2147483647, 123567893, 4, 2001982722, 1412284257, 1155380217, 1668339922),
    "trng_yarn5": (2147483647, 123567893, 5, 107374182, 0, 0, 0, 104480),
    "trng_yarn5s": (2147461007, 889744251, 5, 1053223373, 1530818118, 1612122482, 133497989, 573245311),
}
"""The modulus, the primitive root, the order and the coefficients of each."""


def yarn(name: str) -> Library:
    """Return the function of the program."""
    return lambda seed, n: printed(compiled(("c++", "g++", "clang++"), PROGRAM, "yarn.cpp"), n, seed, *PARAMETERS[name])


LIVING: dict[str, dict[str, Library]] = {name: {"C++": yarn(name)} for name in PARAMETERS}
