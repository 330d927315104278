"""What libraries give that have a Mersenne Twister: C++, GSL, NumPy and Python itself."""

import random

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.libraries import Library, Values, array, compiled, gsl, printed

CPP = """
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <string>

template <class Engine> void draw(unsigned long long seed, long skipped, long n)
{
    Engine engine(seed);
    engine.discard(skipped);
    while (n-- > 0) std::printf("%llu\\n", static_cast<unsigned long long>(engine()));
}

// The text of a state, of as many words as it has, and the position among them.
template <class Engine> void write(unsigned long long seed, long skipped)
{
    Engine engine(seed);
    engine.discard(skipped);
    std::cout << engine;
}

// Numbers as their places among those of 2^-64.
template <class Real, class Engine> void canonical(unsigned long long seed, long n)
{
    Engine engine(seed);
    while (n-- > 0) {
        const Real number = std::generate_canonical<Real, std::numeric_limits<Real>::digits>(engine);
        std::printf("%llu\\n", static_cast<unsigned long long>(std::ldexp(number, 64)));
    }
}

int main(int, char **words)
{
    const std::string name = words[1];
    const unsigned long long seed = std::strtoull(words[2], nullptr, 10);
    const long first = std::atol(words[3]), n = std::atol(words[4]);
    if (name == "mt19937") draw<std::mt19937>(seed, first, n);
    else if (name == "mt19937_64") draw<std::mt19937_64>(seed, first, n);
    else if (name == "state mt19937") write<std::mt19937>(seed, first);
    else if (name == "state mt19937_64") write<std::mt19937_64>(seed, first);
    else if (name == "double mt19937") canonical<double, std::mt19937>(seed, n);
    else if (name == "double mt19937_64") canonical<double, std::mt19937_64>(seed, n);
    else if (name == "float mt19937") canonical<float, std::mt19937>(seed, n);
    else if (name == "float mt19937_64") canonical<float, std::mt19937_64>(seed, n);
    else return 1;
}
"""


def cpp(name: str) -> Library:
    """Return the function of an engine of C++."""
    return lambda seed, n: printed(_program(), name, seed, 0, n)


def cpp_after(name: str, seed: int, skipped: int, n: int) -> Values:
    """Return `n` values of an engine of C++ that has discarded `skipped`."""
    return printed(_program(), name, seed, skipped, n)


def cpp_state(name: str, seed: int, skipped: int) -> list[int]:
    """Return the numbers that the text of a state of C++ is made of: the words, and the position."""
    found: list[int] = printed(_program(), f"state {name}", seed, skipped, 0).tolist()
    return found


def cpp_canonical(kind: str, name: str, seed: int, n: int) -> npt.NDArray[np.float64]:
    """Return numbers of ``std::generate_canonical``, those of the C++ type `kind`."""
    return np.ldexp(printed(_program(), f"{kind} {name}", seed, 0, n).astype(np.float64), -64)


def _program() -> object:
    return compiled(("c++", "g++", "clang++"), CPP, "twisters.cpp")


def random_state(seed: int, n: int) -> Values:
    """Return the words of NumPy's RandomState."""
    return np.random.RandomState(seed).randint(0, 2**32, n, np.uint32).astype(np.uint64)


def numpy_mt19937(seed: int, n: int) -> Values:
    """Return the words of NumPy's bit generator."""
    return np.random.MT19937(seed).random_raw(n).astype(np.uint64)


def python_random(seed: int, n: int) -> Values:
    """Return the words of Python's generator."""
    generator = random.Random(seed)
    return array(generator.getrandbits(32) for _ in range(n))


def gsl_mt19937(seed: int, n: int) -> Values:
    """Return the values of GSL, which takes 4357 for seed 0."""
    if seed == 0:
        pytest.skip("GSL has no seed 0")
    return gsl("mt19937")(seed, n)


LIVING: dict[str, dict[str, Library]] = {
    "std_mt19937": {"C++": cpp("mt19937"), "GSL": gsl_mt19937},
    "std_mt19937_64": {"C++": cpp("mt19937_64")},
    "numpy_random_state": {"NumPy": random_state},
    "numpy_mt19937": {"NumPy": numpy_mt19937},
    "python_random": {"Python": python_random},
}
"""The libraries that have a named generator."""
