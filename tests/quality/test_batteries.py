"""What batteries print, as they printed it, and what is read from it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import clrng
from clrng.quality.batteries import (
    BATTERIES,
    parse_dieharder,
    parse_practrand,
    parse_testu01,
    program,
    verdict,
)

TESTU01 = "p\t71\tLinearComp, r = 0\t1\np\t71\tLinearComp, r = 0\t0.80079635751233253\nwords\t120000\n"
SEVERAL = (
    "p\t0\tBirthdaySpacings\t0.53362168506474217\np\t0\tGap\t1.7642554084318363e-12\nwords\t226648852\n"
    "p\t0\tMaxOft AD\t0.99993\nwords\t100\n"
)
PRACTRAND = """RNG_test using PractRand version 0.95-planet36
RNG = RNG_stdin32, seed = unknown
test set = core, folding = standard (32 bit)

rng=RNG_stdin32, seed=unknown
length= 1 mebibyte (2^20 bytes), time= 0.2 seconds
  Test Name                         Raw       Processed     Evaluation
  [Low1/32]DC6-9x1Bytes-1           R=  -4.7  p =1-4.6e-3   unusual          
  ...and 75 test result(s) without anomalies

rng=RNG_stdin32, seed=unknown
length= 2 mebibytes (2^21 bytes), time= 3.3 seconds
  no anomalies in 88 test result(s)

rng=RNG_stdin32, seed=unknown
length= 4 mebibytes (2^22 bytes), time= 6.3 seconds
  Test Name                         Raw       Processed     Evaluation
  BCFN(2+0,13-7,T)                  R= +4449  p =  7e-1339    FAIL !!!!!!!!  
  Gap-16:A                          R=+32509  p = 0           FAIL !!!!!!!!  
  BRank(12):128(2)                  R=+672.7  p~=  1.5e-203   FAIL !!!!!!    
  [Low8/32]mod3n(5):(0,9-6)         R=+113.0  p =  1.0e-39    FAIL !!!       
  Gap-16:B                          R>+99999  p = 1-2.5e-5    very suspicious  
  ...and 19 test result(s) without anomalies

"""  # noqa: W291  # as it prints them
CUT = """rng=RNG_stdin32, seed=unknown
length= 8 mebibytes (2^23 bytes), time= 9.3 seconds
  Test Name                         Raw       Processed     Evaluation
  BCFN(2+0,13-7,T)                  R= +4449  p =  7e-13"""
DIEHARDER = """#=============================================================================#
#            dieharder version 3.31.1 Copyright 2003 Robert G. Brown          #
#=============================================================================#
        test_name   |ntup| tsamples |psamples|  p-value |Assessment
#=============================================================================#
      diehard_operm5|   0|   1000000|     100|0.07280200|  PASSED  
          sts_serial|   3|    100000|     100|0.99999997|   WEAK   
       rgb_lagged_sum|  15|   1000000|     100|0.00000000|  FAILED  
"""  # noqa: W291  # likewise


def test_testu01() -> None:
    found = parse_testu01(TESTU01)
    assert found is not None
    assert [(result.name, result.p, result.verdict) for result in found.results] == [
        ("71 LinearComp, r = 0", 1.0, "fails"),
        ("71 LinearComp, r = 0", 0.80079635751233253, "passes"),
    ]
    assert found.bytes_tested == 480_000
    assert parse_testu01(TESTU01.replace("words\t120000\n", "")) is None


def test_several_runs_of_testu01() -> None:
    found = parse_testu01(SEVERAL)
    assert found is not None
    assert [(result.name, result.verdict) for result in found.results] == [
        ("BirthdaySpacings", "passes"),
        ("Gap", "fails"),
        ("MaxOft AD", "suspicious"),
    ]
    assert found.bytes_tested == 4 * 226648952


@pytest.mark.parametrize("end", ["", CUT])
def test_practrand(end: str) -> None:
    found = parse_practrand(PRACTRAND + end)
    assert found is not None
    assert [(result.name, result.p, result.verdict, result.size) for result in found.results] == [
        ("[Low1/32]DC6-9x1Bytes-1", 1 - 4.6e-3, "passes", 2**20),
        ("BCFN(2+0,13-7,T)", 0.0, "fails", 2**22),  # less than the least float64
        ("Gap-16:A", 0.0, "fails", 2**22),
        ("BRank(12):128(2)", 1.5e-203, "fails", 2**22),
        ("[Low8/32]mod3n(5):(0,9-6)", 1e-39, "fails", 2**22),
        ("Gap-16:B", 1 - 2.5e-5, "suspicious", 2**22),
    ]
    assert (found.bytes_tested, found.version) == (2**22, "PractRand 0.95-planet36")


def test_practrand_that_came_to_no_size() -> None:
    assert parse_practrand(CUT) is None
    assert parse_practrand("") is None


def test_dieharder() -> None:
    found = parse_dieharder(DIEHARDER)
    assert found is not None
    assert [(result.name, result.p, result.verdict) for result in found.results] == [
        ("diehard_operm5", 0.072802, "passes"),
        ("sts_serial 3", 0.99999997, "suspicious"),
        ("rgb_lagged_sum 15", 0.0, "fails"),
    ]
    assert parse_dieharder("") is None


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.0, "fails"), (9e-11, "fails"), (2e-10, "suspicious"), (9e-5, "suspicious"), (2e-4, "passes"), (0.5, "passes"),
     (1 - 2e-4, "passes"), (1 - 9e-5, "suspicious"), (1 - 2e-10, "suspicious"), (1 - 9e-11, "fails"), (1.0, "fails")],
)  # fmt: skip
def test_verdicts(p: float, said: str) -> None:
    assert verdict(p) == said


def test_arguments_of_programs() -> None:
    assert BATTERIES["practrand"].commands(3, 2**34, None) == [["stdin8", "-tlmin", "1024KB", "-tlmax", "16777216KB"]]
    assert BATTERIES["practrand"].commands(8, 2**30, None)[0][0] == "stdin64"
    assert BATTERIES["crush"].commands(4, 0, 71) == [["crush", "71"]]
    assert BATTERIES["crush"].commands(4, 0, None) == [["crush"]]
    assert BATTERIES["dieharder"].commands(4, 0, 0) == [["-g", "200", "-d", "0"]]
    assert BATTERIES["dieharder"].commands(4, 0, None) == [["-g", "200", "-a"]]


@pytest.mark.parametrize("name", BATTERIES)
def test_programs_that_are_not_there(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLRNG_BATTERIES", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(clrng.UnsupportedError) as raised:
        program(BATTERIES[name])
    named = f"neither in {tmp_path}, the folder that the environment variable CLRNG_BATTERIES names, nor in a folder of"
    for part in (BATTERIES[name].program, named, BATTERIES[name].install, "Or set CLRNG_BATTERIES to the folder"):
        assert part in str(raised.value)
    (tmp_path / BATTERIES[name].program).touch(mode=0o755)
    assert program(BATTERIES[name]) == str(tmp_path / BATTERIES[name].program)


@pytest.mark.parametrize("value", [None, ""])
def test_programs_that_are_not_there_where_no_folder_is_set(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CLRNG_BATTERIES", raising=False)
    if value is not None:
        monkeypatch.setenv("CLRNG_BATTERIES", value)
    folder = tmp_path / ".cache" / "clrng" / "batteries"
    said = f"{folder}, the folder that is searched while the environment variable CLRNG_BATTERIES is not set, nor in"
    with pytest.raises(clrng.UnsupportedError, match=re.escape(said)):
        program(BATTERIES["practrand"])


@pytest.mark.skipif(not shutil.which("dieharder"), reason="dieharder is not installed")
def test_the_numbers_of_dieharders_tests() -> None:
    listed = subprocess.run(["dieharder", "-l"], capture_output=True, text=True, check=True).stdout
    numbers = [int(number) for number in re.findall(r"^ *-d ([0-9]+)", listed, re.MULTILINE)]
    assert [number for some in BATTERIES["dieharder"].tests for number in some] == numbers


def test_a_row_of_testu01_that_lacks_a_column_is_no_pass() -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        parse_testu01("p\t1\tname\nwords\t10\n")
