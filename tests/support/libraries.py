"""What other libraries give, asked of the libraries themselves; a test that needs one that is missing is skipped."""

import ctypes
import ctypes.util
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

Values = npt.NDArray[np.uint64]
Library = Callable[[int, int], Values]
"""A function of a seed and n that returns the first n values of a library."""

CPP_ENGINES = {
    "numerical_recipes": (32, 1664525, 1013904223, 2**32),
    "mmix": (64, 6364136223846793005, 1442695040888963407, 2**64),
    "2^32 - 5": (32, 1588635695, 0, 2**32 - 5),
    "2^32 - 5 and an increment": (32, 4294967290, 4294967289, 2**32 - 5),
    "10^9 + 7": (64, 123456789, 987654321, 10**9 + 7),
    "2^61 - 1": (64, 1351750484049952003, 0, 2**61 - 1),
    "2^61 - 1 and an increment": (64, 2**61 - 2, 2**61 - 3, 2**61 - 1),
    "2^64 - 59": (64, 13891176665706064842, 0, 2**64 - 59),
    "2^64 - 59 and an increment": (64, 2**64 - 60, 2**64 - 61, 2**64 - 59),
    "10^19": (64, 9876543210987654321, 1234567890123456789, 10**19),
    "30": (32, 7, 11, 30),
}
"""The bits, multipliers, increments and moduli of engines of C++, linear_congruential_engine."""

STD = "minstd_rand0", "minstd_rand", "ranlux24_base", "ranlux24", "ranlux48_base", "ranlux48", "mt19937", "mt19937_64"
"""Engines that the C++ library has by name."""

CPP = """
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <string>

// The text of a state, of as many words as it has, and the position among them; or values.
template <class Engine> void draw(const std::string &what, std::uint64_t seed, long skipped, long n) {
    Engine engine(static_cast<typename Engine::result_type>(seed));
    engine.discard(skipped);
    if (what == "state") std::cout << engine;
    else while (n-- > 0) std::printf("%llu\\n", static_cast<unsigned long long>(engine()));
}

// Numbers as their places among those of 2^-64.
template <class Real, class Engine> void canonical(std::uint64_t seed, long n) {
    Engine engine(seed);
    while (n-- > 0) {
        const Real number = std::generate_canonical<Real, std::numeric_limits<Real>::digits>(engine);
        std::printf("%llu\\n", static_cast<unsigned long long>(std::ldexp(number, 64)));
    }
}

// The example of the C standard.
static unsigned long int next = 1;
int standard_rand(void) {
    next = next * 1103515245 + 12345;
    return static_cast<unsigned int>(next / 65536) % 32768;
}

int main(int, char **words) {
    const std::string what = words[1], name = words[2];
    const std::uint64_t seed = std::strtoull(words[3], nullptr, 10);
    const long skipped = std::atol(words[4]);
    long n = std::atol(words[5]);
    if (what == "double" && name == "mt19937") canonical<double, std::mt19937>(seed, n);
    else if (what == "double" && name == "mt19937_64") canonical<double, std::mt19937_64>(seed, n);
    else if (what == "float" && name == "mt19937") canonical<float, std::mt19937>(seed, n);
    else if (what == "float" && name == "mt19937_64") canonical<float, std::mt19937_64>(seed, n);
    ENGINES
    else if (name != "rand") return 1;
    else for (next = static_cast<unsigned int>(seed); n-- > 0;) std::printf("%d\\n", standard_rand());
}
"""

MUSL = """
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
    srand(strtoul(words[1], 0, 10));
    for (long n = atol(words[2]); n-- > 0;) printf("%d\\n", rand());
}
"""

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

JAVA = """
public class Draw {
    public static void main(String[] words) {
        java.util.Random random = new java.util.Random(Long.parseLong(words[0]));
        StringBuilder values = new StringBuilder();
        for (int n = Integer.parseInt(words[1]); n > 0; n--)
            values.append(Integer.toUnsignedString(random.nextInt())).append('\\n');
        System.out.print(values);
    }
}
"""


def gsl(name: str) -> Library:
    """Return the function of a generator of the GNU Scientific Library."""

    def values(seed: int, n: int) -> Values:
        library = _gsl()
        generator = library.gsl_rng_alloc(ctypes.c_void_p.in_dll(library, f"gsl_rng_{name}"))
        library.gsl_rng_set(generator, seed)
        drawn = array(library.gsl_rng_get(generator) for _ in range(n))
        library.gsl_rng_free(generator)
        return drawn

    return values


def gsl_uniform(name: str, seed: int, n: int) -> npt.NDArray[np.float64]:
    """Return `n` numbers that ``gsl_rng_uniform`` makes of a generator of the GNU Scientific Library."""
    library = _gsl()
    generator = library.gsl_rng_alloc(ctypes.c_void_p.in_dll(library, f"gsl_rng_{name}"))
    library.gsl_rng_set(generator, seed)
    drawn = np.array([library.gsl_rng_uniform(generator) for _ in range(n)])
    library.gsl_rng_free(generator)
    return drawn


@cache
def _gsl() -> ctypes.CDLL:
    blas, path = ctypes.util.find_library("gslcblas"), ctypes.util.find_library("gsl")
    if blas is None or path is None:
        pytest.skip("there is no GNU Scientific Library")
    ctypes.CDLL(blas, mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(path)
    library.gsl_rng_alloc.restype = ctypes.c_void_p
    library.gsl_rng_alloc.argtypes = [ctypes.c_void_p]
    library.gsl_rng_set.restype = library.gsl_rng_free.restype = None
    library.gsl_rng_set.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    library.gsl_rng_get.restype = ctypes.c_ulong
    library.gsl_rng_get.argtypes = library.gsl_rng_free.argtypes = [ctypes.c_void_p]
    library.gsl_rng_uniform.restype = ctypes.c_double
    library.gsl_rng_uniform.argtypes = [ctypes.c_void_p]
    return library


@cache
def _c() -> ctypes.CDLL:
    if os.name == "nt":
        pytest.skip("the C library has no srand48")
    library = ctypes.CDLL(None)
    library.srand48.restype = None
    library.srand48.argtypes = [ctypes.c_long]
    library.lrand48.restype = library.mrand48.restype = ctypes.c_long
    library.drand48.restype = ctypes.c_double
    return library


def drand48_doubles(seed: int, n: int) -> npt.NDArray[np.float64]:
    """Return the first doubles of the C library's drand48."""
    _c().srand48(seed)
    return np.array([_c().drand48() for _ in range(n)])


def drand48(seed: int, n: int) -> Values:
    """Return the first doubles of the C library's drand48, times 2^48."""
    return np.ldexp(drand48_doubles(seed, n), 48).astype(np.uint64)


def lrand48(seed: int, n: int) -> Values:
    """Return the first values of the C library's lrand48."""
    _c().srand48(seed)
    return array(_c().lrand48() for _ in range(n))


def mrand48(seed: int, n: int) -> Values:
    """Return the first values of the C library's mrand48, unsigned."""
    _c().srand48(seed)
    return array(_c().mrand48() % 2**32 for _ in range(n))


def glibc(size: int) -> Library:
    """Return the function of random of the GNU C library with a state of so many bytes."""

    def values(seed: int, n: int) -> Values:
        if platform.libc_ver()[0] != "glibc":
            pytest.skip("the C library is not the GNU C library")
        library = ctypes.CDLL(None)
        library.initstate.restype = library.setstate.restype = ctypes.c_void_p
        library.initstate.argtypes = [ctypes.c_uint, ctypes.c_char_p, ctypes.c_size_t]
        library.setstate.argtypes = [ctypes.c_void_p]
        library.random.restype = ctypes.c_long
        buffer = ctypes.create_string_buffer(size)
        before = library.initstate(seed, buffer, len(buffer))
        drawn = array(library.random() for _ in range(n))
        library.setstate(before)
        return drawn

    return values


def mkl(number: int, words: int) -> Library:
    """Return the function of a basic generator of Intel MKL, of so many 32-bit words a value."""

    def values(seed: int, n: int) -> Values:
        library, stream = _mkl(), ctypes.c_void_p()
        parameters = (ctypes.c_uint32 * words)(*(seed >> 32 * i & 2**32 - 1 for i in range(words)))
        drawn = np.empty(n * words, np.uint32)
        assert library.vslNewStreamEx(ctypes.byref(stream), number << 20, words, parameters) == 0
        assert library.viRngUniformBits(0, stream, n, drawn.ctypes.data_as(ctypes.c_void_p)) == 0
        assert library.vslDeleteStream(ctypes.byref(stream)) == 0
        parts = drawn.reshape(n, words).astype(np.uint64)
        return np.asarray(sum(parts[:, i] << np.uint64(32 * i) for i in range(words)))

    return values


@cache
def _mkl() -> ctypes.CDLL:
    here = sorted(Path(sys.prefix, "lib").glob("libmkl_rt.so*"))
    path = str(here[0]) if here else ctypes.util.find_library("mkl_rt")
    if path is None:
        pytest.skip("there is no Intel MKL")
    return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)


def cpp(name: str) -> Library:
    """Return the function of an engine of the C++ library, or of the C standard's example for "rand"."""
    return lambda seed, n: cpp_after(name, seed, 0, n)


def cpp_after(name: str, seed: int, skipped: int, n: int, what: str = "values") -> Values:
    """Return `n` values of an engine of C++ that has discarded `skipped`, or what else the program prints of it."""
    types = {name: f"std::{name}" for name in STD}
    for own, (bits, a, c, m) in CPP_ENGINES.items():
        types[own] = f"std::linear_congruential_engine<std::uint{bits}_t, {a}u, {c}u, {m % 2**bits}u>"
    lines = [f'else if (name == "{own}") draw<{type_}>(what, seed, skipped, n);' for own, type_ in types.items()]
    return printed(compiled_cpp(CPP.replace("ENGINES", "\n    ".join(lines)), "engines"), what, name, seed, skipped, n)


def cpp_state(name: str, seed: int, skipped: int) -> list[int]:
    """Return the numbers that the text of a state of C++ is made of: the words, and the position."""
    found: list[int] = cpp_after(name, seed, skipped, 0, "state").tolist()
    return found


def cpp_canonical(kind: str, name: str, seed: int, n: int) -> npt.NDArray[np.float64]:
    """Return numbers of ``std::generate_canonical``, those of the C++ type `kind`."""
    return np.ldexp(cpp_after(name, seed, 0, n, kind).astype(np.float64), -64)


def musl_c(seed: int, n: int) -> Values:
    """Return the first values of rand of the C library musl."""
    return printed(compiled(("musl-gcc",), MUSL, "musl.c"), seed, n)


def java(seed: int, n: int) -> Values:
    """Return the first values of nextInt of java.util.Random, unsigned."""
    return printed("java", "-cp", compiled_java("Draw", JAVA), "Draw", seed, n)


def boost(order: int) -> Library:
    """Return the function of a generator of doubles of Boost, times 2^48."""
    return lambda seed, n: printed(boost_program(), f"lagged_fibonacci{order}", seed, n)


@cache
def boost_program() -> Path:
    include = "#include <boost/random/lagged_fibonacci.hpp>"
    command = [compiler(CPP_COMPILERS), "-fsyntax-only", "-x", "c++", "-"]
    if subprocess.run(command, input=include, text=True, capture_output=True, check=False).returncode:
        pytest.skip("there is no Boost")
    names = [(f"lagged_fibonacci{p}", f"draw<boost::random::lagged_fibonacci{p}>(seed, n)") for p in DOUBLES]
    names += [(name, f"draw_from<{p}, {q}>(n)") for name, (p, q) in PAIRS.items()]
    engines = "\n    ".join(f'if (name == "{name}") return {call}, 0;' for name, call in names)
    return compiled_cpp(BOOST.replace("ENGINES", engines), "boost")


def commons_math(seed: int, n: int) -> Values:
    """Return the first values of nextInt of Well512a, unsigned."""
    if not JAR.exists():
        pytest.skip("there is no Commons Math")
    return printed("java", "-cp", f"{compiled_java('Well', COMMONS_MATH, str(JAR))}:{JAR}", "Well", seed, n)


def random_state(seed: int, n: int) -> Values:
    """Return the words of NumPy's RandomState."""
    return np.random.RandomState(seed).randint(0, 2**32, n, np.uint32).astype(np.uint64)


def numpy_mt19937(seed: int, n: int) -> Values:
    """Return the words of NumPy's bit generator."""
    return np.random.MT19937(seed).random_raw(n).astype(np.uint64)


def numpy_philox(seed: int, n: int) -> Values:
    """Return the values of NumPy's bit generator."""
    return np.random.Philox(seed).random_raw(n)


def numpy_pcg64(seed: int, n: int) -> Values:
    """Return the values of NumPy's bit generator."""
    return np.random.PCG64(seed).random_raw(n)


def numpy_pcg64dxsm(seed: int, n: int) -> Values:
    """Return the values of NumPy's bit generator."""
    return np.random.PCG64DXSM(seed).random_raw(n)


def python_random(seed: int, n: int) -> Values:
    """Return the words of Python's generator."""
    generator = random.Random(seed)
    return array(generator.getrandbits(32) for _ in range(n))


def gsl_mt19937(seed: int, n: int) -> Values:
    """Return the values of GSL, which takes 4357 for seed 0."""
    if seed == 0:
        pytest.skip("GSL has no seed 0")
    return gsl("mt19937")(seed, n)


def knuthran2002(seed: int, n: int) -> Values:
    """Return what GSL draws, the first 100 of every 1009 values; its seed 0 is another one, but 2^30 is Knuth's 0."""
    return gsl("knuthran2002")(seed or 2**30, n)


def gsl_48_bits(name: str) -> Library:
    """Return the function that gives the numbers of ``gsl_rng_uniform`` as multiples of 2^-48."""
    return lambda seed, n: (gsl_uniform(name, seed, n) * 2.0**48).astype(np.uint64)


@cache
def compiled_java(name: str, source: str, libraries: str = "") -> str:
    """Compile a class of this name with others of `libraries`, once a run, and return the folder it is in."""
    if shutil.which("java") is None or shutil.which("javac") is None:
        pytest.skip("there is no Java")
    path = Path(folder().name, f"{name}.java")
    path.write_text(source)
    subprocess.run(["javac", "-cp", libraries, path], check=True)
    return folder().name


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Return the folder of this run."""
    return tempfile.TemporaryDirectory()


CPP_COMPILERS = "c++", "g++", "clang++"


def compiler(names: tuple[str, ...]) -> str:
    """Return the first compiler there is."""
    found = next(filter(shutil.which, names), None)
    if found is None:
        pytest.skip(f"there is no {names[0]}")
    return found


@cache
def compiled(compilers: tuple[str, ...], source: str, name: str) -> Path:
    """Compile a source with the first compiler there is, once a run."""
    path = Path(folder().name, name)
    path.write_text(source)
    subprocess.run([compiler(compilers), "-O1", "-o", path.with_suffix(""), path], check=True)
    return path.with_suffix("")


def compiled_cpp(source: str, name: str) -> Path:
    """Compile a source of C++."""
    return compiled(CPP_COMPILERS, source, f"{name}.cpp")


def printed(*words: object, given: str = "") -> Values:
    """Return the integers that a command prints that is given a text."""
    ran = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, input=given)
    return array(map(int, ran.stdout.split()))


def array(values: Iterable[int]) -> Values:
    """Return the values as an array."""
    return np.array(list(values), dtype=np.uint64)


LIVING: dict[str, dict[str, Library]] = {
    "numerical_recipes": {"C++": cpp("numerical_recipes")},
    "mmix": {"C++": cpp("mmix")},
    "lewis_goodman_miller": {"GSL": gsl("minstd")},
    "minstd_rand0": {"C++": cpp("minstd_rand0")},
    "minstd": {"C++": cpp("minstd_rand")},
    "drand48": {"C": drand48},
    "lrand48": {"C": lrand48},
    "mrand48": {"C": mrand48},
    "java": {"Java": java},
    "ansi_c": {"C": cpp("rand")},
    "musl_c": {"musl": musl_c},
    "glibc_type_0": {"C": glibc(8), "GSL": gsl("random8_glibc2")},
    "bsd_rand": {"GSL": gsl("rand")},
    "vax": {"GSL": gsl("vax")},
    "randu": {"GSL": gsl("randu")},
    "mcg31m1": {"MKL": mkl(1, 1)},
    "mcg59": {"MKL": mkl(4, 2)},
    "cray_ranf": {"GSL": gsl("ranf")},
    "borosh13": {"GSL": gsl("borosh13")},
    "fishman18": {"GSL": gsl("fishman18")},
    "fishman20": {"GSL": gsl("fishman20")},
    "lecuyer21": {"GSL": gsl("lecuyer21")},
    "waterman14": {"GSL": gsl("waterman14")},
    "transputer": {"GSL": gsl("transputer")},
    "slatec": {"GSL": gsl("slatec")},
    "gsl_rand48": {"GSL": gsl("rand48")},
    "coveyou": {"GSL": gsl("coveyou")},
    "gsl_taus113": {"GSL": gsl("taus113")},
    "commons_math_well512a": {"Commons Math": commons_math},
    **{f"gsl_{name}": {"GSL": gsl(name)} for name in ("ranlux", "ranlux389", "ranlxs0", "ranlxs1", "ranlxs2")},
    **{f"gsl_{name}": {"GSL": gsl_48_bits(name)} for name in ("ranlxd1", "ranlxd2")},
    **{f"std_{name}": {"C++": cpp(name)} for name in ("ranlux24_base", "ranlux24", "ranlux48_base", "ranlux48")},
    "std_mt19937": {"C++": cpp("mt19937"), "GSL": gsl_mt19937},
    "std_mt19937_64": {"C++": cpp("mt19937_64")},
    "numpy_random_state": {"NumPy": random_state},
    "numpy_mt19937": {"NumPy": numpy_mt19937},
    "numpy_philox": {"NumPy": numpy_philox},
    "numpy_pcg64": {"NumPy": numpy_pcg64},
    "numpy_pcg64dxsm": {"NumPy": numpy_pcg64dxsm},
    "python_random": {"Python": python_random},
    "glibc_type_1": {"C": glibc(32)},
    "glibc_type_2": {"C": glibc(64)},
    "glibc_type_3": {"C": glibc(128)},
    "glibc_type_4": {"C": glibc(256)},
    "knuth_ran_array_1997": {"GSL": gsl("knuthran")},
    "gsl_r250": {"GSL": gsl("r250")},
    "ran3": {"GSL": gsl("ran3")},
    **{f"boost_lagged_fibonacci_{order}": {"Boost": boost(order)} for order in DOUBLES},
}
"""The libraries that have a named generator."""
