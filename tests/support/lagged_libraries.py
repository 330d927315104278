"""What other libraries give for lagged Fibonacci generators; a test that needs one that is missing is skipped."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.support.libraries import Library, Values, array, compiled, compiled_java, glibc, gsl, printed

BOOST = """
#include <boost/random/lagged_fibonacci.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

// A generator of doubles from a seed: its values times 2^48.
template <class Engine> void draw(std::uint32_t seed, long n) {
    Engine engine(seed);
    while (n-- > 0)
        std::printf("%llu\\n", static_cast<unsigned long long>(std::ldexp(engine(), 48)));
}

// An engine of integers from its words.
template <unsigned p, unsigned q> void draw_from(long n) {
    std::vector<std::uint32_t> words(std::istream_iterator<std::uint32_t>(std::cin), {});
    auto first = words.begin();
    boost::random::lagged_fibonacci_engine<std::uint32_t, 32, p, q> engine(first, words.end());
    while (n-- > 0) std::printf("%lu\\n", static_cast<unsigned long>(engine()));
}

int main(int, char **words) {
    const std::string name = words[1];
    const std::uint32_t seed = std::stoul(words[2]);
    const long n = std::stol(words[3]);
    ENGINES
    return 1;
}
"""

SPLIT = """
public class Split {
    public static void main(String[] words) {
        java.util.SplittableRandom random = new java.util.SplittableRandom(Long.parseUnsignedLong(words[0]));
        StringBuilder values = new StringBuilder();
        for (int n = Integer.parseInt(words[1]); n > 0; n--)
            values.append(Long.toUnsignedString(random.nextLong())).append('\\n');
        System.out.print(values);
    }
}
"""

DOUBLES = (607, 1279, 2281, 3217, 4423, 9689, 19937, 23209, 44497)
"""The orders of the generators of doubles of Boost."""

PAIRS = {
    "lfg_7_10": (10, 7),
    "lfg_5_17": (17, 5),
    "mitchell_moore": (55, 24),
    "lfg_30_127": (127, 30),
    "lfg_273_607": (607, 273),
    "lfg_418_1279": (1279, 418),
    "lfg_1029_2281": (2281, 1029),
    "lfg_576_3217": (3217, 576),
    "lfg_4187_9689": (9689, 4187),
}
"""The longer and the shorter lag of the generators that Boost's engine is given the words of."""


def boost(order: int) -> Library:
    """Return the function of a generator of doubles of Boost, times 2^48."""
    return lambda seed, n: printed(_boost(), f"lagged_fibonacci{order}", seed, n)


def boost_from_words(name: str) -> Library:
    """Return the function of an engine of Boost given the words that clrng's rule makes of a seed."""

    def values(seed: int, n: int) -> Values:
        return printed(_boost(), name, 0, n, given=" ".join(map(str, seeded_words(seed, PAIRS[name][0]))))

    return values


def seeded_words(seed: int, order: int) -> list[int]:
    """Return the words of 32 bits, the first one odd, from the upper halves of what Java's SplittableRandom gives."""
    drawn = printed("java", "-cp", compiled_java("Split", SPLIT), "Split", seed, order)
    words: list[int] = (drawn >> np.uint64(32)).tolist()
    return [words[0] | 1, *words[1:]]


@cache
def _boost() -> Path:
    compiler = next(filter(shutil.which, ("c++", "g++", "clang++")), None)
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    include = "#include <boost/random/lagged_fibonacci.hpp>"
    command = [compiler, "-fsyntax-only", "-x", "c++", "-"]
    if subprocess.run(command, input=include, text=True, capture_output=True, check=False).returncode:
        pytest.skip("there is no Boost")
    names = [(f"lagged_fibonacci{p}", f"draw<boost::random::lagged_fibonacci{p}>(seed, n)") for p in DOUBLES]
    names += [(name, f"draw_from<{p}, {q}>(n)") for name, (p, q) in PAIRS.items()]
    engines = "\n    ".join(f'if (name == "{name}") return {call}, 0;' for name, call in names)
    return compiled((compiler,), BOOST.replace("ENGINES", engines), "boost.cpp")


def knuthran2002(seed: int, n: int) -> Values:
    """Return what GSL draws, the first 100 of every 1009 values; its seed 0 is another one, but 2^30 is Knuth's 0."""
    return gsl("knuthran2002")(seed or 2**30, n)


def r250(seed: int, n: int) -> Values:
    """Return the values of R250, x_i = x_{i-103} xor x_{i-250}, from the words that clrng's rule makes of a seed."""
    words = seeded_words(seed, 250)
    for i in range(250, 250 + n):
        words.append(words[i - 103] ^ words[i - 250])
    return array(words[250:])


LIVING: dict[str, dict[str, Library]] = {
    **{name: {"Boost": boost_from_words(name)} for name in PAIRS},
    "r250": {"Java": r250},
    "glibc_type_1": {"C": glibc(32)},
    "glibc_type_2": {"C": glibc(64)},
    "glibc_type_3": {"C": glibc(128)},
    "glibc_type_4": {"C": glibc(256)},
    "knuth_ran_array_1997": {"GSL": gsl("knuthran")},
    "gsl_r250": {"GSL": gsl("r250")},
    "ran3": {"GSL": gsl("ran3")},
    **{f"boost_lagged_fibonacci_{order}": {"Boost": boost(order)} for order in DOUBLES},
}
"""The libraries that have a named lagged Fibonacci generator, all of its values."""
