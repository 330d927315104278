"""What programs give that are written as papers print them; a test that needs a compiler that is missing is skipped."""

import shutil
import subprocess
from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np
import pytest

from clrng.generators.xoshiro import NAMED as XOSHIRO_NAMED
from tests.support import libraries
from tests.support.libraries import PAIRS, Library, Values, array, boost_program, compiled_cpp, compiled_java, printed

XORSHIFT = """
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

# D. Blackman and S. Vigna's programs, https://prng.di.unimi.it, whose words are values of splitmix64.c.
XOSHIRO = """
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cstring>
#include <string>

static std::uint64_t x;
static std::uint64_t splitmix()
{
    std::uint64_t z = (x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

template <typename T> static T rotl(const T word, int k) { return (word << k) | (word >> (8 * sizeof(T) - k)); }

template <typename T> static T scrambled(const std::string &op, const T *s, int last, int r)
{
    if (op == "plus") return s[0] + s[last];
    if (op == "plusplus") return rotl<T>(s[0] + s[last], r) + s[0];
    return 0;
}

template <typename T> static T xoshiro(const std::string &op, T *s, int a, int b, int r)
{
    const T result = op == "starstar" ? rotl<T>(s[1] * 5, 7) * 9 : scrambled(op, s, 3, r);
    const T t = s[1] << a;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], b);
    return result;
}

template <typename T> static T xoroshiro(const std::string &op, T *s, int a, int b, int c)
{
    const T s0 = s[0];
    T s1 = s[1];
    const T golden = static_cast<T>(0x9E3779BB);
    const T result = sizeof(T) == 8 ? (op == "starstar" ? rotl<T>(s0 * 5, 7) * 9 : scrambled(op, s, 1, 17))
        : op == "star" ? s0 * golden : rotl<T>(s0 * golden, 5) * 5;
    s1 ^= s0;
    s[0] = rotl(s0, a) ^ s1 ^ (s1 << b);
    s[1] = rotl(s1, c);
    return result;
}

static std::uint64_t xoshiro512(const std::string &op, std::uint64_t *s)
{
    const std::uint64_t result = op == "starstar" ? rotl<std::uint64_t>(s[1] * 5, 7) * 9
        : op == "plus" ? s[0] + s[2] : rotl<std::uint64_t>(s[0] + s[2], 17) + s[2];
    const std::uint64_t t = s[1] << 11;
    s[2] ^= s[0];
    s[5] ^= s[1];
    s[1] ^= s[2];
    s[7] ^= s[3];
    s[3] ^= s[4];
    s[4] ^= s[5];
    s[0] ^= s[6];
    s[6] ^= s[7];
    s[6] ^= t;
    s[7] = rotl(s[7], 21);
    return result;
}

static std::uint64_t xoroshiro1024(const std::string &op, std::uint64_t *s)
{
    static int p;
    const int q = p;
    const std::uint64_t s0 = s[p = (p + 1) & 15];
    std::uint64_t s15 = s[q];
    const std::uint64_t result = op == "starstar" ? rotl<std::uint64_t>(s0 * 5, 7) * 9
        : op == "star" ? s0 * UINT64_C(0x9e3779b97f4a7c13) : rotl<std::uint64_t>(s0 + s15, 23) + s15;
    s15 ^= s0;
    s[q] = rotl(s0, 25) ^ s15 ^ (s15 << 27);
    s[p] = rotl(s15, 36);
    return result;
}

static std::uint64_t xorshift128plus(std::uint64_t *s)
{
    std::uint64_t s1 = s[0];
    const std::uint64_t s0 = s[1];
    const std::uint64_t result = s0 + s1;
    s[0] = s0;
    s1 ^= s1 << 23;
    s[1] = s1 ^ s0 ^ (s1 >> 18) ^ (s0 >> 5);
    return result;
}

static std::uint64_t xorshift1024star(std::uint64_t *s)
{
    static int p;
    const std::uint64_t s0 = s[p];
    std::uint64_t s1 = s[p = (p + 1) & 15];
    s1 ^= s1 << 31;
    s[p] = s1 ^ s0 ^ (s1 >> 11) ^ (s0 >> 30);
    return s[p] * UINT64_C(1181783497276652981);
}

int main(int, char **words)
{
    const std::string name = words[1], op = words[2];
    x = std::strtoull(words[3], nullptr, 10);
    std::uint64_t s[16];
    std::uint32_t half[4];
    if (name == "splitmix") {
        for (long left = std::atol(words[4]); left > 0; left--)
            std::printf("%llu\\n", static_cast<unsigned long long>(splitmix()));
        return 0;
    }
    for (auto &word : s) word = splitmix();
    std::memcpy(half, s, sizeof half);
    for (long left = std::atol(words[4]); left > 0; left--) {
        std::uint64_t value;
        if (name == "xoshiro256") value = xoshiro(op, s, 17, 45, 23);
        else if (name == "xoshiro128") value = xoshiro(op, half, 9, 11, 7);
        else if (name == "xoroshiro64") value = xoroshiro(op, half, 26, 9, 13);
        else if (name == "xoshiro512") value = xoshiro512(op, s);
        else if (name == "xoroshiro1024") value = xoroshiro1024(op, s);
        else if (name == "xorshift1024") value = xorshift1024star(s);
        else if (name == "xorshift128") value = xorshift128plus(s);
        else value = op == "plusplus" ? xoroshiro(op, s, 49, 21, 28) : xoroshiro(op, s, 24, 16, 37);
        std::printf("%llu\\n", static_cast<unsigned long long>(value));
    }
}
"""

YARN = """
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

YARN_PARAMETERS = {
    "trng_yarn2": (2147483647, 123567893, 2, 1498809829, 1160990996),
    "trng_yarn3": (2147483647, 123567893, 3, 2021422057, 1826992351, 1977753457),
    "trng_yarn3s": (2147462579, 1616076847, 3, 2025213985, 1112953677, 2038969601),
    "trng_yarn4": (2147483647, 123567893, 4, 2001982722, 1412284257, 1155380217, 1668339922),
    "trng_yarn5": (2147483647, 123567893, 5, 107374182, 0, 0, 0, 104480),
    "trng_yarn5s": (2147461007, 889744251, 5, 1053223373, 1530818118, 1612122482, 133497989, 573245311),
}
"""The modulus, the primitive root, the order and the coefficients of each."""


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


# M. E. O'Neill, "PCG", 2014, and her minimal implementation in C: pcg32_srandom_r and pcg32_random_r, and XSL RR.
PCG = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

typedef unsigned __int128 wide;

static std::uint64_t pcg32(std::uint64_t &state, const std::uint64_t inc)
{
    const std::uint64_t oldstate = state;
    state = oldstate * 6364136223846793005ULL + inc;
    const std::uint32_t xorshifted = ((oldstate >> 18u) ^ oldstate) >> 27u, rot = oldstate >> 59u;
    return std::uint32_t((xorshifted >> rot) | (xorshifted << ((-rot) & 31)));
}

static std::uint64_t pcg64(wide &state, const wide inc)
{
    state = state * ((wide(2549297995355413924ULL) << 64) + 4865540595714422341ULL) + inc;
    const std::uint64_t x = std::uint64_t(state >> 64) ^ std::uint64_t(state);
    const unsigned rot = state >> 122;
    return (x >> rot) | (x << ((-rot) & 63));
}

template <typename T> void draw(std::uint64_t (*const next)(T &, const T), const T seed, const T sequence, long n)
{
    T state = 0;
    const T inc = (sequence << 1u) | 1u;
    next(state, inc);
    state += seed;
    next(state, inc);
    for (; n > 0; n--) std::printf("%llu\\n", static_cast<unsigned long long>(next(state, inc)));
}

int main(int, char **words)
{
    const std::uint64_t high = std::strtoull(words[3], nullptr, 10), low = std::strtoull(words[4], nullptr, 10);
    if (std::string(words[1]) == "pcg32") draw<std::uint64_t>(pcg32, low, 54, std::atol(words[2]));
    else draw<wide>(pcg64, wide(high) << 64 | low, 54, std::atol(words[2]));
}
"""


def pcg(name: str) -> Library:
    """Return the function of a generator of PCG from a seed and the sequence 54."""
    return lambda seed, n: printed(compiled_cpp(PCG, "pcg"), name, n, seed >> 64, seed % 2**64)


def xorshift(name: str) -> Library:
    """Return the function of a program of a paper, whose words are the digits of a seed to the base 2^32."""
    return lambda seed, n: printed(
        compiled_cpp(XORSHIFT, "xorshift"), name, n, *(seed >> 32 * i & 2**32 - 1 for i in range(8))
    )


def xoshiro(name: str) -> Library:
    """Return the function of a program of Blackman and Vigna."""
    engine, scrambler = name[: (end := name.index("plus" if "plus" in name else "star"))], name[end:]
    return lambda seed, n: printed(compiled_cpp(XOSHIRO, "xoshiro"), engine, scrambler, seed, n)


JAVA_DRAWN = {
    "java_splittable_random": ("SplittableRandom", "nextLong"),
    "java_splittable_random_32": ("SplittableRandom", "nextInt"),
    "java_xoshiro256plusplus": ("Xoshiro256PlusPlus", "nextLong"),
    "java_xoroshiro128plusplus": ("Xoroshiro128PlusPlus", "nextLong"),
    "java_l32x64mix": ("L32X64MixRandom", "nextInt"),
    **{
        f"java_l{size}mix": (f"L{size.upper()}MixRandom", "nextLong")
        for size in ("64x128", "64x256", "64x1024", "128x128", "128x256", "128x1024")
    },
}
"""The names of generators of Java 17: their algorithm there, and what draws a value."""

JAVA = """
import java.util.random.*;

public class Drawn {
    public static void main(String[] words) {
        long seed = Long.parseUnsignedLong(words[2]), n = Long.parseLong(words[3]);
        RandomGenerator generator = RandomGeneratorFactory.of(words[0]).create(seed);
        boolean longs = words[1].equals("nextLong");
        StringBuilder text = new StringBuilder();
        for (; n > 0; n--)
            text.append(longs ? Long.toUnsignedString(generator.nextLong())
                : Integer.toUnsignedString(generator.nextInt())).append('\\n');
        System.out.print(text);
    }
}
"""


def java(algorithm: str, draw: str) -> Library:
    """Return the function of an algorithm of Java's RandomGeneratorFactory."""
    return lambda seed, n: printed("java", "-cp", compiled_java("Drawn", JAVA), "Drawn", algorithm, draw, seed, n)


R = """
a <- as.numeric(commandArgs(TRUE))
suppressWarnings(RNGkind("{kind}"))
set.seed(if (a[1] >= 2^31) a[1] - 2^32 else a[1])
cat(sprintf('%.0f', round(runif(a[2]) * {bound})))
"""
LANGUAGES = {
    "lua": (
        "lua5.4",
        "-e",
        "math.randomseed(math.tointeger(arg[1])) for i = 1, arg[2] do print(string.format('%x', math.random(0))) end",
    ),
    "ruby_random": ("ruby", "-e", "r = Random.new(ARGV[0].to_i); ARGV[1].to_i.times { puts r.rand(2**32) }"),
    **{
        f"r_{name}": ("Rscript", "-e", R.format(kind=kind, bound=bound))
        for name, kind, bound in (
            ("mersenne_twister", "Mersenne-Twister", 2**32),
            ("wichmann_hill", "Wichmann-Hill", 30269 * 30307 * 30323),
            ("marsaglia_multicarry", "Marsaglia-Multicarry", 2**32 - 1),
            ("super_duper", "Super-Duper", 2**32 - 1),
            ("lecuyer_cmrg", "L'Ecuyer-CMRG", 2**32 - 208),
        )
    },
}
"""Programs that draw from the generators of languages, from a seed and a number of values."""

GO = """
package main

import (
    "fmt"
    "math/rand"
    "os"
    "strconv"
)

func main() {
    seed, _ := strconv.ParseUint(os.Args[1], 10, 64)
    n, _ := strconv.Atoi(os.Args[2])
    source := rand.NewSource(int64(seed)).(rand.Source64)
    for ; n > 0; n-- {
        fmt.Println(source.Uint64())
    }
}
"""


def in_language(name: str) -> Library:
    """Return the function of the program of a language; a test is skipped where there is none."""
    program, option, text = LANGUAGES[name]

    def values(seed: int, n: int) -> Values:
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program}")
        if name == "lua":  # which takes the option's arguments for files
            return in_hexadecimal(program, "-", seed - (seed >> 63 << 64), n, given=text)
        return printed(program, option, text, seed, n)

    return values


def in_hexadecimal(*words: object, given: str = "") -> Values:
    """Return the hexadecimal numbers that a command prints that is given a text."""
    ran = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, input=given)
    return array(int(word, 16) for word in ran.stdout.split())


def go(seed: int, n: int) -> Values:
    """Return the values of a source of Go's math/rand."""
    if shutil.which("go") is None:
        pytest.skip("there is no Go")
    path = Path(libraries.folder().name, "drawn.go")
    path.write_text(GO)
    return printed("go", "run", path, seed, n)


def node(seed: int, n: int) -> Values:
    """Return what Math.random() of V8 gives, times 2^52."""
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js")
    text = "const a = []; for (let i = 0; i < %d; i++) a.push(Math.random() * 2 ** 52); console.log(a.join('\\n'))"
    return printed("node", f"--random-seed={seed}", "-e", text % n)


def james(level: int) -> Library:
    """Return the function of James's program at a level of luxury."""
    return lambda seed, n: printed(compiled_cpp(JAMES, "james"), level, seed, n)


def yarn(name: str) -> Library:
    """Return the function of the recurrence of a YARN generator of TRNG, by its definition."""
    return lambda seed, n: printed(compiled_cpp(YARN, "yarn"), n, seed, *YARN_PARAMETERS[name])


def seeded_words(seed: int, order: int) -> list[int]:
    """Return the words of 32 bits, the first one odd, from the upper halves of what Java's SplittableRandom gives."""
    drawn = printed("java", "-cp", compiled_java("Split", SPLIT), "Split", seed, order)
    words: list[int] = (drawn >> np.uint64(32)).tolist()
    return [words[0] | 1, *words[1:]]


def boost_from_words(name: str) -> Library:
    """Return the function of an engine of Boost given the words that clrng's rule makes of a seed."""

    def values(seed: int, n: int) -> Values:
        return printed(boost_program(), name, 0, n, given=" ".join(map(str, seeded_words(seed, PAIRS[name][0]))))

    return values


def r250(seed: int, n: int) -> Values:
    """Return the values of R250, x_i = x_{i-103} xor x_{i-250}, from the words that clrng's rule makes of a seed."""
    words = seeded_words(seed, 250)
    for i in range(250, 250 + n):
        words.append(words[i - 103] ^ words[i - 250])
    return array(words[250:])


def multiplied(shift: int, word: int) -> int:
    """Return the word and a copy of it that is moved to the right by `shift`, or to the left where that is negative."""
    return word ^ (word >> shift if shift > 0 else word << -shift) & 0xFFFFFFFF


def well512a_from(words: Sequence[int], n: int) -> tuple[list[int], list[int]]:
    """Return the first `n` values of WELL512a from these words with the index 0, and then the words from the index on.

    The index goes around, as in the program of its authors.
    """
    state, i, values = list(words), 0, []
    for _ in range(n):
        before = (i - 1) % 16
        z0 = state[before]
        z1 = multiplied(-16, state[i]) ^ multiplied(-15, state[(i + 13) % 16])
        z2 = multiplied(11, state[(i + 9) % 16])
        state[i] = z1 ^ z2
        last = state[i] ^ (state[i] << 5 & 0xDA442D24)
        state[before] = multiplied(-2, z0) ^ multiplied(-18, z1) ^ (z2 << 28 & 0xFFFFFFFF) ^ last
        i = before
        values.append(state[i])
    return values, state[i:] + state[:i]


def wichmann_hill(seed: int, n: int) -> Values:
    """Return the values of AS 183, times the product of the moduli, from x, y and z that are digits of a seed."""
    moduli, words = (30269, 30307, 30323), [1, 1, 1]
    for i, m in enumerate(moduli):
        seed, digit = divmod(seed, m - 1)
        words[i] += digit
    values = []
    for _ in range(n):
        words = [a * word % m for a, word, m in zip((171, 172, 170), words, moduli, strict=True)]
        values.append(round(sum(word / m for word, m in zip(words, moduli, strict=True)) % 1 * prod(moduli)))
    return array(values)


def well512a(seed: int, n: int) -> Values:
    """Return the first `n` values from the words that are the digits of `seed` to the base 2^32."""
    return array(well512a_from([seed >> 32 * i & 0xFFFFFFFF for i in range(16)], n)[0])


LIVING: dict[str, dict[str, Library]] = {
    **libraries.LIVING,
    **{name: {"C++": xorshift(name)} for name in ("xorshift64", "xorshift96", "xorshift128", "xorwow", "xorshift7")},
    **{name: {"C++": pcg(name)} for name in ("pcg32", "pcg64")},
    **{row.name: {"C++": xoshiro(row.name)} for row in XOSHIRO_NAMED if row.name.startswith("xo")},
    "xorshift128plus": {"C++": xoshiro("xorshift128plus")},
    "xorshift1024star": {"C++": xoshiro("xorshift1024star")},
    "splitmix64": {"C++": lambda seed, n: printed(compiled_cpp(XOSHIRO, "xoshiro"), "splitmix", "", seed, n)},
    **{name: {"program": in_language(name)} for name in LANGUAGES},
    "go_math_rand": {"Go": go},
    "python_wichmann_hill": {"program": wichmann_hill},
    "v8_math_random": {"Node.js": node},
    **{name: {"Java": java(*drawn)} for name, drawn in JAVA_DRAWN.items()},
    "well512a": {"program": well512a},
    **{f"ranlux{level}": {"C++": james(level)} for level in range(5)},
    **{name: {"C++": yarn(name)} for name in YARN_PARAMETERS},
    **{name: {"Boost": boost_from_words(name)} for name in PAIRS},
    "r250": {"Java": r250},
}
"""The libraries and papers that have a named generator, all of its values."""
