"""What libraries give that have subtract with carry generators: C++ and GSL."""

import numpy as np

from tests.support.libraries import Library, compiled, gsl, gsl_uniform, printed

CPP = """
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

template <class Engine> int draw(unsigned long seed, long n)
{
    Engine engine(seed);
    while (n-- > 0) std::printf("%llu\\n", static_cast<unsigned long long>(engine()));
    return 0;
}

int main(int, char **words)
{
    const std::string name = words[1];
    const unsigned long seed = std::strtoul(words[2], nullptr, 10);
    const long n = std::atol(words[3]);
    if (name == "ranlux24_base") return draw<std::ranlux24_base>(seed, n);
    if (name == "ranlux24") return draw<std::ranlux24>(seed, n);
    if (name == "ranlux48_base") return draw<std::ranlux48_base>(seed, n);
    if (name == "ranlux48") return draw<std::ranlux48>(seed, n);
    return 1;
}
"""

# F. James, RANLUX, 1994, with the seeds of RLUXGO and the numbers as multiples of 2^-24 in integers.
JAMES = """
#include <cstdio>
#include <cstdlib>

int main(int, char **words)
{
    const int discarded[] = {0, 24, 73, 199, 365};
    const int level = std::atoi(words[1]);
    long long jseed = std::atoll(words[2]);
    const long n = std::atol(words[3]);
    long seeds[25], carry = 0;
    for (int i = 1; i <= 24; i++) {
        const long long k = jseed / 53668;
        jseed = 40014 * (jseed - k * 53668) - k * 12211;
        if (jseed < 0) jseed += 2147483563;
        seeds[i] = jseed % 16777216;
    }
    if (seeds[24] == 0) carry = 1;
    int i24 = 24, j24 = 10, in24 = 0;
    for (long made = 0; made < n; made++) {
        for (int left = in24 == 24 ? discarded[level] : 0;; left--) {
            long uni = seeds[j24] - seeds[i24] - carry;
            carry = uni < 0;
            if (uni < 0) uni += 16777216;
            seeds[i24] = uni;
            i24 = i24 == 1 ? 24 : i24 - 1;
            j24 = j24 == 1 ? 24 : j24 - 1;
            if (left > 0) continue;
            std::printf("%ld\\n", uni);
            break;
        }
        in24 = in24 == 24 ? 1 : in24 + 1;
    }
}
"""

COMPILERS = "c++", "g++", "clang++"


def cpp(name: str) -> Library:
    """Return the function of an engine of C++."""
    return lambda seed, n: printed(compiled(COMPILERS, CPP, "ranlux.cpp"), name, seed, n)


def james(level: int) -> Library:
    """Return the function of James's program at a level of luxury."""
    return lambda seed, n: printed(compiled(COMPILERS, JAMES, "james.cpp"), level, seed, n)


def gsl_48_bits(name: str) -> Library:
    """Return the function that gives the numbers of ``gsl_rng_uniform`` as multiples of 2^-48."""
    return lambda seed, n: (gsl_uniform(name, seed, n) * 2.0**48).astype(np.uint64)


LIVING: dict[str, dict[str, Library]] = {
    **{f"ranlux{level}": {"C++": james(level)} for level in range(5)},
    **{f"gsl_{name}": {"GSL": gsl(name)} for name in ("ranlux", "ranlux389", "ranlxs0", "ranlxs1", "ranlxs2")},
    **{f"gsl_{name}": {"GSL": gsl_48_bits(name)} for name in ("ranlxd1", "ranlxd2")},
    **{f"std_{name}": {"C++": cpp(name)} for name in ("ranlux24_base", "ranlux24", "ranlux48_base", "ranlux48")},
}
"""The libraries that have a named generator."""
