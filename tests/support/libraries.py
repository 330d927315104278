"""What other libraries give, asked of the libraries themselves; a test that needs one that is missing is skipped."""

import ctypes
import ctypes.util
import os
import platform
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

CPP = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

template <class Engine> void draw(std::uint64_t seed, long n) {
    Engine engine(static_cast<typename Engine::result_type>(seed));
    while (n-- > 0) std::printf("%llu\\n", static_cast<unsigned long long>(engine()));
}

static unsigned long int next = 1;
int standard_rand(void) {
    next = next * 1103515245 + 12345;
    return static_cast<unsigned int>(next / 65536) % 32768;
}

int main(int, char **words) {
    const std::string name = words[1];
    const std::uint64_t seed = std::strtoull(words[2], nullptr, 10);
    long n = std::atol(words[3]);
    if (name == "minstd_rand0") draw<std::minstd_rand0>(seed, n);
    else if (name == "minstd_rand") draw<std::minstd_rand>(seed, n);
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
    return lambda seed, n: printed(compiled(("c++", "g++", "clang++"), _cpp(), "engines.cpp"), name, seed, n)


def _cpp() -> str:
    lines = []
    for name, (bits, a, c, m) in CPP_ENGINES.items():
        engine = f"std::linear_congruential_engine<std::uint{bits}_t, {a}u, {c}u, {m % 2**bits}u>"
        lines.append(f'else if (name == "{name}") draw<{engine}>(seed, n);')
    return CPP.replace("ENGINES", "\n    ".join(lines))


def musl_c(seed: int, n: int) -> Values:
    """Return the first values of rand of the C library musl."""
    return printed(compiled(("musl-gcc",), MUSL, "musl.c"), seed, n)


def java(seed: int, n: int) -> Values:
    """Return the first values of nextInt of java.util.Random, unsigned."""
    return printed("java", "-cp", compiled_java("Draw", JAVA), "Draw", seed, n)


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


@cache
def compiled(compilers: tuple[str, ...], source: str, name: str) -> Path:
    """Compile a source with the first compiler there is, once a run."""
    compiler = next(filter(shutil.which, compilers), None)
    if compiler is None:
        pytest.skip(f"there is no {compilers[0]}")
    path = Path(folder().name, name)
    path.write_text(source)
    subprocess.run([compiler, "-O1", "-o", path.with_suffix(""), path], check=True)
    return path.with_suffix("")


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
}
"""The libraries that have a named generator."""
