<%page args="q, w=''"/>
## How many numbers there are between two bounds, and what they are: for kernels whose elements have bounds of their own. The functions
## are of scalars or, with w, of vectors; their names begin with q.
<%
    unsigned = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong", "float": "uint", "double": "ulong"}
    made = lambda kind, x: f"convert_{kind}{w}({x})" if w else f"({kind}){x}"

    def flag(condition, of, kind="ulong"):
        """1 where numbers of a type make a condition true, else 0; one simulator takes a comparison of vectors for 255."""
        if not w:
            return f"({condition} ? ({kind})1 : ({kind})0)"
        word = unsigned.get(of, of)
        own = f"(as_{word}{w}({condition}) & ({word})1)"
        return own if word == kind else f"convert_{kind}{w}({own})"
%>\
% if kind == "integers":
// Returns how many integers there are from `low` to `high`${"" if endpoint else " - 1"}, or 0 for bounds that have none, or some that are not legal.
CLRNG_INLINE ulong${w} ${q}range_size(const ${low}${w} low, const ${high}${w} high)
{
    // Mesa's compiler takes no int made long for <= a constant.
    const long${w} begin = ${made("long", "low")}, end = ${made("long", "high")}, last = ${"end" if endpoint else "as_long%s(as_ulong%s(end) - 1UL)" % (w, w)};
    const ulong${w} legal = ${flag(f"begin {'<=' if endpoint else '<'} end", "long")} & ${flag(f"begin >= as_long({least}UL)", "long")} & ${flag(f"!(last > as_long({largest}UL))", "long")}
% for name, ctype in (("low", low), ("high", high)):
% if ctype == "ulong":
        & ${flag(f"{name} <= {largest_bound}UL", "ulong")}
% endif
% endfor
        ;
    return (as_ulong${w}(last) - as_ulong${w}(begin) + 1UL) & (0UL - legal);
}
% elif kind == "numpys":
// Returns 1, or 0 for bounds that are not finite, or whose difference is not, or is not positive.
CLRNG_INLINE ulong${w} ${q}range_size(const ${low}${w} low, const ${high}${w} high)
{
    const double${w} a = ${made("double", "low")}, b = ${made("double", "high")};
    return ${" & ".join(flag(each, "double") for each in ("fabs(a) <= DBL_MAX", "fabs(b) <= DBL_MAX", "a < b", "b - a <= DBL_MAX"))};
}
% elif kind == "ordered":
<% both = low if low == high else "double" %>\
// Returns whether the second number is above the first${"" if strictly else ", or equal to it"}.
CLRNG_INLINE ulong${w} ${q}range_size(const ${low}${w} low, const ${high}${w} high)
{
    return ${flag(f"{made(both, 'low')} {'<' if strictly else '<='} {made(both, 'high')}", both)};
}
% else:
<%
    single = out == "float"
    word, number, stored, sign = ("uint", "int", 23, 31) if single else ("ulong", "long", 52, 63)
    all_bits = lambda condition, of: f"(0 - {flag(condition, of, word)})"
    kinds = {"float": ("uint", 31, "0x00800000u", "0x7f000000u"), "double": ("ulong", 63, "0x0010000000000000UL", "0x7fe0000000000000UL")}
%>
% for given in dict.fromkeys([low, high]):
<% bits, top, tiny, others = kinds[given] %>
// Whether a bound is 0, or neither subnormal as ${given} or ${out}, which devices may take for 0, nor infinite, nor a NaN.
CLRNG_INLINE ulong${w} ${q}is_usual_${given}(const ${given}${w} x)
{
    const ${bits}${w} size = as_${bits}${w}(x) & ~((${bits})1 << ${top});
% if given == "double" and single:
    return ${flag("size == 0", bits)} | (${flag("fabs(x) >= (double)FLT_MIN", given)} & ${flag("fabs(x) < 0x1.ffffffp127", given)});
% else:
    return ${flag("size == 0", bits)} | ${flag(f"size - {tiny} < {others}", bits)};
% endif
}

// A bound rounded to ${out}; 0 for -0.0.
CLRNG_INLINE ${out}${w} ${q}bound_of_${given}(const ${given}${w} x)
{
    return as_${out}${w}(as_${word}${w}(${made(out, "x")}) & ${all_bits("x != 0", given)});
}
% endfor

// The exponent of the distance between floats below the larger of two bounds, as floats have it.
CLRNG_INLINE ${number}${w} ${q}unit_exponent(const ${out}${w} a, const ${out}${w} b)
{
    return as_${number}${w}((as_${word}${w}(fmax(fabs(a), fabs(b))) - 1) >> ${stored}) - ${stored};
}

// The numbers between bounds a < b, all as far apart as floats are below the larger one: those of number i, counted from 0, are
// (*first + i) * *unit, and that of the number *special is *bound. Returns how many there are.
CLRNG_INLINE ulong${w} ${q}range_grid(const ${out}${w} a, const ${out}${w} b, long${w} *first, ${out}${w} *unit, ulong${w} *special, ${out}${w} *bound)
{
    // All bits are 1 where the one bound is a: selections by bits do not branch.
    const ${word}${w} from_above = ${all_bits("fabs(a) <= fabs(b)", out)}, both = as_${word}${w}(a) ^ as_${word}${w}(b);
    const ${number}${w} exponent = ${q}unit_exponent(a, b);
    const ${word}${w} one = as_${word}${w}(b) ^ (both & from_above), other = as_${word}${w}(a) ^ (both & from_above);
    const ${word} hidden = (${word})1 << ${stored}, significand = hidden - 1;
    const ${word}${w} larger = other & ~((${word})1 << ${sign}), smaller = one & ~((${word})1 << ${sign});
    // Bounds in units, without their signs: that of the smaller one is halved as it is here, and may be no integer then.
    const ${word}${w} large = ((larger & significand) | hidden) << (as_${number}${w}(larger >> ${stored}) - ${stored} - exponent);
    const ${word}${w} doubled = (((smaller & significand) | hidden) << 1) & ${all_bits("smaller != 0", word)};
    const ${number}${w} shift = min(exponent + ${stored + 1} - as_${number}${w}(smaller >> ${stored}), (${number}${w})${sign});
    const ${word}${w} whole = doubled >> shift, negative = one >> ${sign};
    // The smaller one is rounded away from the larger one, and gets its sign.
    const ${word}${w} outwards = ${flag("(whole << shift) != doubled", word, word)} & ~(from_above ^ (0 - negative));
    const ${word}${w} small = ((whole + outwards) ^ (0 - negative)) + negative;
    const ${word}${w} last = large + ((small ^ from_above) - from_above);
    *first = ${made("long", f"as_{number}{w}((small & from_above) | ((0 - large) & ~from_above))")}${" + 1" if interval[0] == "(" else ""};
    *unit = as_${out}${w}(as_${word}${w}(exponent) << ${stored});
    *special = ${made("ulong", "(last & ~from_above)")}${" - 1UL" if interval[0] == "(" else ""};
    *bound = as_${out}${w}(one);
    return ${made("ulong", "last")}${" + 1UL" if interval == "[]" else " - 1UL" if interval == "()" else ""};
}

// Returns whether there are numbers between two bounds that can be made.
CLRNG_INLINE ulong${w} ${q}range_size(const ${low}${w} low, const ${high}${w} high)
{
    const ${out}${w} a = ${q}bound_of_${low}(low), b = ${q}bound_of_${high}(high);
    const ulong${w} usual = ${q}is_usual_${low}(low) & ${q}is_usual_${high}(high) & ${flag("a < b", out)} & ${flag(f"{q}unit_exponent(a, b) >= 1", number)};
% if interval == "()":
    long${w} first;
    ${out}${w} unit, bound;
    ulong${w} special;
    return usual & ${flag(f"{q}range_grid(a, b, &first, &unit, &special, &bound) != 0", "ulong")};
% else:
    return usual;
% endif
}
% endif
