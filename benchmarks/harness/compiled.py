"""Compile C and C++ where there is a compiler, with the flags of a plain loop that is to be fast."""

import ctypes
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import clrng

FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]
COMPILERS = {"C": ("CC", "cc", "gcc"), "C++": ("CXX", "c++", "g++")}
"""Of each language the variable that names its compiler, and its usual names."""


def compiler(language: str) -> list[str]:
    """Return the command of the compiler of "C" or "C++"; empty where there is none."""
    variable, *names = COMPILERS[language]
    return shlex.split(os.environ.get(variable) or next(filter(None, map(shutil.which, names)), ""))


def version(language: str) -> str:
    """Return the first line of what the compiler says of itself, with the flags; empty where there is none."""
    try:
        found = subprocess.check_output([*compiler(language), "--version"], text=True).split("\n")[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return ""
    return f"{found}, {shlex.join(FLAGS)}"


def library(language: str, text: str) -> ctypes.CDLL:
    """Return the compiled text, each time with variables of its own.

    Raises
    ------
    ClrngError
        If there is no compiler, or it fails.
    """
    command = compiler(language)
    if not command:
        variable, *names = COMPILERS[language]
        raise clrng.ClrngError(f"no {language} compiler: neither ${variable} nor {' nor '.join(names)}")
    with TemporaryDirectory() as folder:
        file, built = Path(folder) / ("loop.c" if language == "C" else "loop.cpp"), Path(folder) / "loop.so"
        file.write_text(text)
        whole = [*command, *FLAGS, str(file), "-o", str(built)]
        done = subprocess.run(whole, capture_output=True, text=True, check=False)
        if done.returncode:
            raise clrng.ClrngError(f"{shlex.join(command)} failed: {done.stderr.strip()}")
        return ctypes.CDLL(str(built))
