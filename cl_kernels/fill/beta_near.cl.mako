<%include file="place_of.cl.mako"/>
<%
    u = "u" if value == "uint" else "UL"
    forms = {"few": few, "many": many, "most": most}
%>
% if fp64:
% for name, rule in rules.items():
__constant double ${name}_nodes[] = {${", ".join(map(repr, rule.nodes))}}, ${name}_weights[] = {${", ".join(map(repr, rule.weights))}};
% endfor
${functions("scalar_", 1, ["few", "most"] if width > 1 else ["few", "many", "most"])}
% if width > 1:
<%include file="any_of.cl.mako" args="q='vector_', kind='long', lanes=width"/>
<%include file="any_of.cl.mako" args="q='vector_near_', lanes=width"/>
${functions("vector_", width, ["few", "many"])}
% endif

% endif
// An element of which it is not sure what is the nearest is put in a list, behind the number of those found and one more word: its
// index, its number, and the bits of its parameters, the lower words first.
% if fp64:
CLRNG_INLINE void listed(const ulong index, const ulong number, const double a, const double b, __global uint *unsure, const uint capacity)
{
    const uint found = atomic_inc(unsure);
    if (found >= capacity) return;
    unsure += ${header} + ${entry} * found;
    vstore4((uint4)((uint)index, (uint)(index >> 32), (uint)number, (uint)(number >> 32)), 0, unsure);
    vstore4((uint4)((uint)as_ulong(a), (uint)(as_ulong(a) >> 32), (uint)as_ulong(b), (uint)(as_ulong(b) >> 32)), 1, unsure);
}

// Parameters are in `means` and `trials`. Value i is made of X, which has the digits raw[first_raw(i, inner, 1)] and, after every inner raw values, the next ones.
__kernel void beta_by_element(__global const ${value} *restrict raw, __global float *restrict out, const ulong offset, const ulong first,
                              const uint n, const ulong inner, __global const ${mean} *restrict means, const ulong first_mean,
                              const uint mean_axes, const uint out_axes, __global const ulong *restrict sizes,
                              __global const long *restrict steps, __global const ${trial} *restrict trials, const ulong first_trial,
                              const uint trial_axes, __global const ulong *restrict trial_sizes, __global const long *restrict trial_steps,
                              __global uint *restrict unsure, const uint capacity)
{
<%
    lane = (lambda name, j: f"{name}.s{'%x' % j}") if width > 1 else (lambda name, j: name)
    w = suffix_of(width)
%>\
<%include file="turns.cl.mako" args="wide=width"/>\
    ulong${w} number;
    double${w} a, b;
% for j in range(width):
    {
        const uint i = ${f"min(begin + {j}, n - 1)" if width > 1 else "begin"};
        ${lane("a", j)} = ${half}means[place_of(first_mean + i, 0, mean_axes, sizes, steps)];
        ${lane("b", j)} = ${half}trials[place_of(first_trial + i, 0, trial_axes, trial_sizes, trial_steps)];
        __global const ${value} *at = raw + first_raw(i, inner, 1);
        ${lane("number", j)} = (ulong)(at[0]${f" - {min_value}{u}" if min_value else ""});
    }
% endfor
    ${f"long{w}" if width > 1 else "int"} sure;
    const float${w} found = ${"vector_" if width > 1 else "scalar_"}many_value(a, b, number, &sure);
% for j in range(width):
    if (${f"begin + {j} < n" if width > 1 else "true"}) {
        out[offset + (out_axes ? place_of(first + begin + ${j}, mean_axes, out_axes, sizes, steps) : first + begin + ${j})] = ${lane("found", j)};
        if (!${lane("sure", j)}) listed(first + begin + ${j}, ${lane("number", j)}, ${lane("a", j)}, ${lane("b", j)}, unsure, capacity);
    }
% endfor
    }
}

// Makes the values of a list with more nodes; those that are not sure either go to the list of those that are left, whose second
// word becomes the number of all.
__kernel void settle_beta(__global float *restrict out, const ulong offset, const uint mean_axes, const uint out_axes,
                          __global const ulong *restrict sizes, __global const long *restrict steps,
                          __global const uint *restrict unsure, const uint capacity, __global uint *restrict left, const uint room)
{
    if (get_global_id(0) == 0) left[1] = unsure[0];
    const uint count = min(unsure[0], capacity);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        __global const uint *own = unsure + ${header} + ${entry} * i;
        const uint4 one = vload4(0, own), two = vload4(1, own);
        const ulong4 pair = (ulong4)(one.x | (ulong)one.y << 32, one.z | (ulong)one.w << 32, two.x | (ulong)two.y << 32, two.z | (ulong)two.w << 32);
        int sure;
        const float found = scalar_most_value(as_double(pair.z), as_double(pair.w), pair.y, &sure);
        out[offset + (out_axes ? place_of(pair.x, mean_axes, out_axes, sizes, steps) : pair.x)] = found;
        if (sure) continue;
        const uint place = atomic_inc(left);
        if (place >= room) continue;
        vstore4(one, 0, left + ${header} + ${entry} * place);
        vstore4(two, 1, left + ${header} + ${entry} * place);
    }
}

% endif
// Puts values in their places: those of the list of elements, in its order, of which there are n.
__kernel void put_settled(__global float *restrict out, const ulong offset, const uint mean_axes, const uint out_axes,
                          __global const ulong *restrict sizes, __global const long *restrict steps,
                          __global const uint *restrict unsure, __global const float *restrict values, const uint n)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    unsure += ${header} + ${entry} * i;
    out[offset + place_of(unsure[0] | (ulong)unsure[1] << 32, mean_axes, out_axes, sizes, steps)] = values[i];
}
<%def name="functions(p, width, names)">
<%
    w = suffix_of(width)
    d, l = f"double{w}", f"long{w}"
    mask = l if width > 1 else "int"
    any_of = (lambda it: f"vector_any_of({it})") if width > 1 else (lambda it: it)
    near_mask = f"int{w}"
    to_int, to_long = ((lambda it: f"convert_int{w}({it})"), (lambda it: f"convert_long{w}({it})")) if width > 1 else (str, str)
    number = lambda x: f"({d})({x!r})"
    def sum_of(x, numbers):
        """A polynomial, in halves: a chain of products takes long."""
        if len(numbers) == 1:
            return number(numbers[0])
        half = 1
        while 2 * half < len(numbers):
            half *= 2
        return f"CLRNG_FMA({sum_of(x, numbers[half:])}, {x}{'' if half == 1 else half}, {sum_of(x, numbers[:half])})"
%>
% for name in (*names, *(["most"] if "most" not in names else [])):
<% exp_count, log_count = terms[name] %>\
// exp(x) is scale + scale times what is returned.
CLRNG_INLINE ${d} ${p}${name}_power(const ${d} x, ${d} *scale)
{
    const ${d} kept = ${f"clamp(x, {number(-700.0)}, {number(700.0)})" if name == "most" else f"max(x, {number(-700.0)})"}, shifted = CLRNG_FMA(kept, ${number(log2_e)}, ${number(1.5 * 2.0**52)}), n = shifted - ${number(1.5 * 2.0**52)};
    const ${d} r = CLRNG_FMA(n, ${number(-ln2[1])}, CLRNG_FMA(n, ${number(-ln2[0])}, kept)), r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    *scale = as_${d}((as_${l}(shifted) + 1023L) << 52L);
    return CLRNG_FMA(r2, ${sum_of("r", exp_terms[:exp_count - 2])}, r);
}

CLRNG_INLINE ${d} ${p}${name}_exp(const ${d} x)
{
    ${d} scale;
    const ${d} more = ${p}${name}_power(x, &scale);
    return CLRNG_FMA(scale, more, scale);
}

CLRNG_INLINE ${d} ${p}${name}_expm1(const ${d} x)
{
    ${d} scale;
    const ${d} more = ${p}${name}_power(x, &scale);
    return CLRNG_FMA(scale, more, scale - 1.0);
}

// log(y), where y is 1 + t: relatively right, where t is.
CLRNG_INLINE ${d} ${p}${name}_log_of(const ${d} y, const ${d} t)
{
    const ${l} bits = as_${l}(y), n = (bits - ${hex(half_root)}L) >> 52L;
    const ${d} k = convert_${d}(n), f = n == 0L ? t : as_${d}(bits - (n << 52L)) - 1.0, s = f / (2.0 + f), z = s * s, z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    return CLRNG_FMA(k, ${number(ln2[0])}, CLRNG_FMA(s, ${number(2.0)}, CLRNG_FMA(k, ${number(ln2[1])}, s * z * ${sum_of("z", log_terms[:log_count - 1])})));
}

CLRNG_INLINE ${d} ${p}${name}_log1p(const ${d} t) { return ${p}${name}_log_of(1.0 + t, t); }

% endfor
CLRNG_INLINE ${d} ${p}log(const ${d} y) { return ${p}most_log_of(y, y - 1.0); }

// Returns f, for which with e f exp(e) is Stirling's approximation of Gamma(a), over Gamma(a).
CLRNG_INLINE ${d} ${p}gamma(const ${d} a, ${d} *e)
{
    const ${d} inverse = 1.0 / (a + ${float(shift)}), square = inverse * inverse, square2 = square * square, square4 = square2 * square2;
    ${d} f = a * inverse;
% for k in range(1, shift):
    f *= (a + ${float(k)}) * inverse;
% endfor
    *e = ${float(shift)} - (a - 0.5) * ${p}most_log1p(${float(shift)} / a) - inverse * ${sum_of("square", stirling[::-1])};
    return f;
}

% for name in names:
<% count, end = forms[name] %>\
// Returns I(x; a, b) over P as a sum over nodes.
CLRNG_INLINE ${d} ${p}${name}_sum(const ${d} a, const ${d} b, const ${d} x, const ${d} rest)
{
    const ${mask} direct = a <= b;
    const ${d} both = a + b, above = a + ${float(shift)}, all_above = both + ${float(shift)}, falling = above * rest - b * x, slope = max(falling, ${number(0.0)});
    const ${d} bend = (1.0 - 2.0 * x) * (x < rest ? ${number(1 / 3)} : ${number(0.2)}), tilt = slope - ${end} * bend;
    const ${d} square = CLRNG_FMA(slope, bend, 0.5 * all_above * x * rest);
    const ${d} length = ${2 * end} / (tilt + sqrt(max(CLRNG_FMA(tilt, tilt, ${4 * end} * square), ${number(0.0)})));
    const ${d} sign = direct ? -length : length, part = direct ? x : rest, line = direct ? -above * length : b * length;
    ${d} sum = ${rules[name].of_value} - ${rules[name].of_slope} * length * falling;
    for (int i = 0; i < ${count}; i++) {
        const ${d} inside = ${p}${name}_log1p(part * ${p}${name}_expm1(sign * ${name}_nodes[i]));
        sum = CLRNG_FMA(${name}_weights[i], ${p}${name}_exp(CLRNG_FMA(line, ${name}_nodes[i], -all_above * inside)), sum);
    }
    ${d} upper = above * sum * length, lower = 1.0;
% for k in range(shift - 1, -1, -1):
    lower *= a + ${float(k + 1)};
    upper = CLRNG_FMA((both + ${float(k)}) * x, upper, lower);
% endfor
    return upper / (lower * a);
}

% if name in fractions:
<% first_terms, more_terms, most_terms = fractions[name] %>\
// Returns the same by a continued fraction; and whether its last convergents are so far apart that it may be off by too much.
CLRNG_INLINE ${d} ${p}${name}_fraction(const ${d} a, const ${d} b, const ${d} x, const ${d} rest, ${mask} *is_open)
{
    const ${d} both = a + b, one = CLRNG_FMA(a, rest, 1.0 - b * x), more = 1.0 + rest;
    ${d} upper = a + 1.0, lower = a * one, upper_before = 0.0, lower_before = 1.0, below_before = 1.0;
    double n = 1.0;
    int terms = 1;
    for (int end = ${first_terms}; ; end += ${more_terms}) {
        for (; terms < end; terms++, n += 1.0) {
            const ${d} below = a + (2.0 * n - 1.0), above = a + (2.0 * n + 1.0), part = n * (b - n) * x;
            const ${d} term = CLRNG_FMA(above, CLRNG_FMA(below, n, part), (a + n) * below * CLRNG_FMA(more, n, one));
            const ${d} factor = (a + (n - 1.0)) * (both + (n - 1.0)) * (part * x) * (above * below_before);
            const ${d} next_upper = CLRNG_FMA(term, upper, factor * upper_before), next_lower = CLRNG_FMA(term, lower, factor * lower_before);
            upper_before = upper;
            lower_before = lower;
            upper = next_upper;
            lower = next_lower;
            below_before = below;
        }
        const ${d} apart = fabs(upper * lower_before - upper_before * lower);
        *is_open = both <= ${number(near_sum)} && apart > fabs(lower_before) * CLRNG_FMA(fabs(upper), ${number(apart[1])}, fabs(lower) * ${apart[0]});
        if (end >= ${most_terms} || !${any_of("*is_open")}) break;
        const ${d} unit = as_${d}(0x7fe0000000000000L - (as_${l}(lower) & 0x7ff0000000000000L)); // so that terms do not become too large
        upper *= unit;
        lower *= unit;
        upper_before *= unit;
        lower_before *= unit;
    }
    return upper / lower;
}

% endif
// Returns I(x; a, b) over P, of odds x/(1 - x) and their logarithm w, less log(a/b); the exponent of P, but for a factor; and by how
// much w is off, as far as that follows from these.
CLRNG_INLINE ${d} ${p}${name}_ratio(const ${d} a, const ${d} b, const ${d} odds, const ${d} w, ${d} *exponent, ${d} *error)
{
    const ${d} both = a + b, rest = 1.0 / (1.0 + odds), x = odds * rest;
    const ${d} first = a <= b ? a : b, own = a <= b ? w : -w, most = min(own, ${number(max_exponent)});
    const ${d} outer = first * own, inner = both * (${p}most_log1p(first / both * ${p}most_expm1(most)) + (own - most));
    *exponent = outer - inner;
    ${d} off = ${off_of_most if name == "most" else off} * min(1.0 + odds, ${number(most_odds)});
% if name in fractions:
    const ${mask} is_near = both <= ${number(near_sum)};
    ${mask} is_open = 0;
    ${d} ratio = 0.0;
% if width > 1:
    if (${any_of("is_near")}) ratio = ${p}${name}_fraction(a, b, x, rest, &is_open);
    if (${any_of("~is_near")}) ratio = is_near ? ratio : ${p}${name}_sum(a, b, x, rest);
% else:
    if (is_near) ratio = ${p}${name}_fraction(a, b, x, rest, &is_open);
    else ratio = ${p}${name}_sum(a, b, x, rest);
% endif
    off = is_near ? (is_open ? ${number(1.0)} : ${number(off_of_fraction)}) : off;
% else:
    const ${d} ratio = ${p}${name}_sum(a, b, x, rest);
% endif
    *error = off + ${2.0**-52} * (${rounded_by[0]} + (${rounded_by[1]} + (fabs(outer) + fabs(inner))) * ratio);
    return ratio;
}

% endfor
<%include file="beta_guess.cl.mako" args="p=p, width=width, kind='double'"/>
<%include file="beta_guess.cl.mako" args="p=p, width=width, kind='float'"/>
// The float32 that is nearest, but 0 below the smallest normal one, and the largest beyond it.
CLRNG_INLINE float${w} ${p}nearest(const ${d} x)
{
    return convert_float${w}_rte(x < ${number(smallest)} ? ${number(0.0)} : min(x, ${number(largest)}));
}

% for name in names[1:]:
// The value of a number below N = ${numbers}: the x at which I(x; a, b) is (number + 1/2) / N${", as odds x/(1 - x) times b/a" if is_ratio else ""}; and whether it is the nearest.
CLRNG_INLINE float${w} ${p}${name}_value(${d} a, ${d} b, const ulong${w} number, ${mask} *sure)
{
    ${d} tail = CLRNG_FMA(convert_${d}(number), ${number(2.0)}, ${number(1.0)}) * ${repr(0.5 / numbers)};
    ${d} other = CLRNG_FMA(convert_${d}(${numbers - 1}UL - number), ${number(2.0)}, ${number(1.0)}) * ${repr(0.5 / numbers)};
    const ${d} whole = a + b;
    ${d} e_a, e_b, e_both, exponent, error;
    const ${d} f_a = ${p}gamma(a, &e_a), f_b = ${p}gamma(b, &e_b), f_both = ${p}gamma(whole, &e_both);
    const ${d} log_peak = e_a + e_b - e_both, peak = sqrt(a / whole * b * ${repr(1 / (2 * pi))}) * (f_a * f_b / f_both), all_peak = ${p}log(peak) + log_peak, scale = b / a;
    const ${mask} is_near = whole <= ${number(near_sum)};
    ${mask} is_far = !is_near, is_upper = 0;
    ${d} w = 0.0;
    if (${any_of("is_far")}) w = ${p}far_guess(a, b, tail, other, all_peak, &is_far, &is_upper);
    if (${any_of("is_near")}) {
        ${near_mask} near_far = ${to_int("is_near")}, near_upper;
        const float${w} near_w = ${p}near_guess(${", ".join(f"convert_float{w}({each})" for each in ("a", "b", "tail", "other", "all_peak"))}, &near_far, &near_upper);
        w = is_near ? convert_${d}(near_w) : w;
        is_far = is_near ? ${to_long("near_far")} : is_far;
        is_upper = is_near ? ${to_long("near_upper")} : is_upper;
    }
    const ${d} old_a = a, old_tail = tail;
    a = is_upper ? b : a;
    b = is_upper ? old_a : b;
    tail = is_upper ? other : tail;
    const ${d} odds = ${p}most_exp(w) * (a / b);
    // Five terms of the series of w, whose inverse the integral of P over P(w) has.
    const ${d} ratio = ${p}${name}_ratio(a, b, odds, w, &exponent, &error), rest = 1.0 / (1.0 + odds), x = odds * rest, turn = rest - x;
    const ${d} missing = tail / (peak * ${p}most_exp(exponent + log_peak)) - ratio;
    const ${d} one = a * rest - b * x, two = -whole * x * rest, three = two * turn, four = two * (turn * turn - 2.0 * x * rest);
    const ${d} c2 = 0.5 * one, c3 = (one * one + two) * ${1 / 6}, c4 = (one * (one * one + 3.0 * two) + three) * ${1 / 24}, square = c2 * c2;
    const ${d} c5 = (one * one * (one * one + 6.0 * two) + 3.0 * two * two + 4.0 * one * three + four) * ${1 / 120};
    const ${d} e5 = 6.0 * c2 * c4 + 3.0 * c3 * c3 + 14.0 * square * square - c5 - 21.0 * square * c3, e4 = 5.0 * c2 * c3 - c4 - 5.0 * c2 * square;
    const ${d} step = missing * CLRNG_FMA(missing, CLRNG_FMA(missing, CLRNG_FMA(missing, CLRNG_FMA(missing, e5, e4), 2.0 * square - c3), -c2), ${number(1.0)});
    const ${d} found = odds * ${p}most_exp(step), inverse = 1.0 / (1.0 + found);
% if is_ratio:
    const ${d} made = min((is_upper ? 1.0 / found : found) * scale, ${number(beyond)}), wrong = made * error;
% else:
    const ${d} made = is_upper ? inverse : found * inverse, wrong = made * (error * (is_upper ? found * inverse : inverse) + ${2.0**-51});
% endif
    const float${w} least = ${p}nearest(made - wrong);
    *sure = fabs(missing) * (fabs(one) + sqrt(-two) + 1.0 / ratio) < ${close[1]} && ${"(!is_far)" if width > 1 else "!is_far"} && made - wrong <= made + wrong
        && ${f"convert_{l}" if width > 1 else ""}(least == ${p}nearest(made + wrong));
    return least;
}

% endfor
</%def>
