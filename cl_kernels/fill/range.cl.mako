## How many numbers there are between two bounds, and what they are: for kernels whose elements have bounds of their own.
% if kind == "integers":
// Returns how many integers there are from `low` to `high`${"" if endpoint else " - 1"}, or 0 for bounds that have none, or some that are not legal.
CLRNG_INLINE ulong ${q}range_size(const ${low} low, const ${high} high)
{
% for name, ctype in (("low", low), ("high", high)):
% if ctype == "ulong":
    if (${name} > ${largest_bound}UL) return 0;
% endif
% endfor
    const long begin = (long)low, end = (long)high;
    if (begin ${">" if endpoint else ">="} end) return 0;
    const long last = end${"" if endpoint else " - 1"};
    if (begin < as_long(${least}UL) || last > as_long(${largest}UL)) return 0;
    return (ulong)last - (ulong)begin + 1UL;
}
% elif kind == "numpys":
// Returns 1, or 0 for bounds that are not finite, or whose difference is not, or is not positive.
CLRNG_INLINE ulong ${q}range_size(const ${low} low, const ${high} high)
{
    const double a = (double)low, b = (double)high;
    return fabs(a) <= DBL_MAX && fabs(b) <= DBL_MAX && a < b && b - a <= DBL_MAX;
}
% elif kind == "ordered":
// Returns whether the second number is above the first${"" if strictly else ", or equal to it"}.
CLRNG_INLINE ulong ${q}range_size(const ${low} low, const ${high} high)
{
    return low ${"<" if strictly else "<="} high;
}
% else:
<%
    single = out == "float"
    word, stored, sign, prefix = ("uint", 23, 31, "FLT") if single else ("ulong", 52, 63, "DBL")
    kinds = {"float": ("uint", 31, "0x00800000u", "0x7f000000u"), "double": ("ulong", 63, "0x0010000000000000UL", "0x7fe0000000000000UL")}
%>
% for given in dict.fromkeys([low, high]):
<% bits, top, tiny, others = kinds[given] %>
// Whether a bound is 0, or neither subnormal as ${given} or ${out}, which devices may take for 0, nor infinite, nor a NaN.
CLRNG_INLINE bool ${q}is_usual_${given}(const ${given} x)
{
    const ${bits} size = as_${bits}(x) & ~((${bits})1 << ${top});
% if given == "double" and single:
    return size == 0 || (fabs(x) >= (double)FLT_MIN && fabs(x) < 0x1.ffffffp127);
% else:
    return size == 0 || size - ${tiny} < ${others};
% endif
}

// A bound rounded to ${out}; 0 for -0.0.
CLRNG_INLINE ${out} ${q}bound_of_${given}(const ${given} x)
{
    return x == 0 ? (${out})0 : (${out})x;
}
% endfor

// The exponent of the distance between floats below the larger of two bounds, as floats have it.
CLRNG_INLINE int ${q}unit_exponent(const ${out} a, const ${out} b)
{
    return (int)((as_${word}(fmax(fabs(a), fabs(b))) - 1) >> ${stored}) - ${stored};
}

// The numbers between bounds a < b, all as far apart as floats are below the larger one: those of number i, counted from 0, are
// (*first + i) * *unit, and that of the number *special is *bound. Returns how many there are.
CLRNG_INLINE ulong ${q}range_grid(const ${out} a, const ${out} b, long *first, ${out} *unit, ulong *special, ${out} *bound)
{
    // All bits are 1 where the one bound is a: selections by bits do not branch.
    const ${word} from_above = 0 - (${word})(fabs(a) <= fabs(b)), both = as_${word}(a) ^ as_${word}(b);
    const int exponent = ${q}unit_exponent(a, b);
    const ${word} one = as_${word}(b) ^ (both & from_above), other = as_${word}(a) ^ (both & from_above);
    const ${word} hidden = (${word})1 << ${stored}, significand = hidden - 1;
    const ${word} larger = other & ~((${word})1 << ${sign}), smaller = one & ~((${word})1 << ${sign});
    // Bounds in units, without their signs: that of the smaller one is halved as it is here, and may be no integer then.
    const ${word} large = ((larger & significand) | hidden) << ((int)(larger >> ${stored}) - ${stored} - exponent);
    const ${word} doubled = (((smaller & significand) | hidden) << 1) & (0 - (${word})(smaller != 0));
    const int shift = min(exponent + ${stored + 1} - (int)(smaller >> ${stored}), ${sign});
    const ${word} whole = doubled >> shift, negative = one >> ${sign};
    // The smaller one is rounded away from the larger one, and gets its sign.
    const ${word} outwards = (${word})((whole << shift) != doubled) & ~(from_above ^ (0 - negative));
    const ${word} small = ((whole + outwards) ^ (0 - negative)) + negative;
    const ${word} last = large + ((small ^ from_above) - from_above);
    *first = (long)as_${"int" if single else "long"}((small & from_above) | ((0 - large) & ~from_above))${" + 1" if interval[0] == "(" else ""};
    *unit = as_${out}((${word})exponent << ${stored});
    *special = (ulong)(last & ~from_above)${" - 1UL" if interval[0] == "(" else ""};
    *bound = as_${out}(one);
    return (ulong)last${" + 1UL" if interval == "[]" else " - 1UL" if interval == "()" else ""};
}

// Returns whether there are numbers between two bounds that can be made.
CLRNG_INLINE ulong ${q}range_size(const ${low} low, const ${high} high)
{
    const ${out} a = ${q}bound_of_${low}(low), b = ${q}bound_of_${high}(high);
    if (!(${q}is_usual_${low}(low) && ${q}is_usual_${high}(high) && a < b && ${q}unit_exponent(a, b) >= 1)) return 0;
% if interval == "()":
    long first;
    ${out} unit, bound;
    ulong special;
    return ${q}range_grid(a, b, &first, &unit, &special, &bound) != 0;
% else:
    return 1;
% endif
}
% endif
