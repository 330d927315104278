"""What others give for recurrences over GF(2): GSL, Commons Math, and the programs of papers as printed there."""

from pathlib import Path

import pytest

from tests.support.libraries import Library, Values, compiled, compiled_java, gsl, printed
from tests.support.well import well512a

JAR = Path("/usr/share/java/commons-math3.jar")
"""Where Debian's package libcommons-math3-java has it."""

COMMONS_MATH = """
import org.apache.commons.math3.random.Well512a;

class Well {
    public static void main(String[] words) {
        final Well512a well = new Well512a((int) Long.parseLong(words[0]));
        final StringBuilder out = new StringBuilder();
        for (int i = 0; i < Integer.parseInt(words[1]); i++) out.append(well.nextInt() & 0xffffffffL).append('\\n');
        System.out.print(out);
    }
}
"""

PAPERS = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

static std::uint32_t x, y, z, w, v, d, s[8];
static std::uint64_t wide;
static unsigned k;

// G. Marsaglia, "Xorshift RNGs", 2003.
static std::uint64_t xorshift64() { wide ^= wide << 13; wide ^= wide >> 7; return wide ^= wide << 17; }
static std::uint64_t xorshift96()
{
    const std::uint32_t t = x ^ (x << 10);
    x = y; y = z;
    return z = (z ^ (z >> 26)) ^ (t ^ (t >> 5));
}
static std::uint64_t xorshift128()
{
    const std::uint32_t t = x ^ (x << 11);
    x = y; y = z; z = w;
    return w = (w ^ (w >> 19)) ^ (t ^ (t >> 8));
}
static std::uint64_t xorwow()
{
    const std::uint32_t t = x ^ (x >> 2);
    x = y; y = z; z = w; w = v;
    v = (v ^ (v << 4)) ^ (t ^ (t << 1));
    return std::uint32_t((d += 362437) + v);
}

// F. Panneton and P. L'Ecuyer, "On the xorshift random number generators", 2005.
static std::uint64_t xorshift7()
{
    std::uint32_t t, b;
    t = s[(k + 7) & 7]; t = t ^ (t << 13); b = t ^ (t << 9);
    t = s[(k + 4) & 7]; b ^= t ^ (t << 7);
    t = s[(k + 3) & 7]; b ^= t ^ (t >> 3);
    t = s[(k + 1) & 7]; b ^= t ^ (t >> 10);
    t = s[k];           t = t ^ (t >> 7); b ^= t ^ (t << 24);
    s[k] = b; k = (k + 1) & 7;
    return b;
}

int main(int, char **words)
{
    const std::string name = words[1];
    const long n = std::atol(words[2]);
    for (int i = 0; i < 8; i++) s[i] = std::strtoul(words[3 + i], nullptr, 10);
    x = s[0]; y = s[1]; z = s[2]; w = s[3]; v = s[4]; d = 6615241; wide = s[1]; wide = wide << 32 | s[0];
    std::uint64_t (*const next)() = name == "xorshift64" ? xorshift64 : name == "xorshift96" ? xorshift96
        : name == "xorshift128" ? xorshift128 : name == "xorwow" ? xorwow : xorshift7;
    for (long i = 0; i < n; i++) std::printf("%llu\\n", static_cast<unsigned long long>(next()));
}
"""


def paper(name: str) -> Library:
    """Return the function of a program of a paper, whose words are the digits of a seed to the base 2^32."""
    return lambda seed, n: printed(
        compiled(("c++", "g++", "clang++"), PAPERS, "papers.cpp"),
        name,
        n,
        *(seed >> 32 * i & 2**32 - 1 for i in range(8)),
    )


def commons_math(seed: int, n: int) -> Values:
    """Return the first values of nextInt of Well512a, unsigned."""
    if not JAR.exists():
        pytest.skip("there is no Commons Math")
    return printed("java", "-cp", f"{compiled_java('Well', COMMONS_MATH, str(JAR))}:{JAR}", "Well", seed, n)


LIVING: dict[str, dict[str, Library]] = {
    **{name: {"C++": paper(name)} for name in ("xorshift64", "xorshift96", "xorshift128", "xorwow", "xorshift7")},
    "gsl_taus113": {"GSL": gsl("taus113")},
    "well512a": {"program": well512a},
    "commons_math_well512a": {"Commons Math": commons_math},
}
"""The libraries and papers that have a named generator."""
