<% convert = "" if out == "double" else f"convert_float{w}_rte" %>\
#pragma OPENCL FP_CONTRACT OFF
// The exponentials of numbers, by the operations of `clrng.distributions.quantiles.elementary.exp`, each rounded.
__kernel void exponentials(__global ${out} *restrict made, const ulong offset, const ulong n, __global const ${given} *restrict numbers,
                           const ulong first)
{
<%include file="turns.cl.mako" args="kind='ulong', begin='i', wide=width"/>\
% if width > 1:
    const bool is_whole = i + ${width} <= n;
    double lanes[${width}];
    if (!is_whole) for (uint j = 0; j < ${width}; j++) lanes[j] = (double)numbers[first + min(i + j, n - 1)];
    const double${w} all = is_whole ? convert_double${w}(vload${width}(0, numbers + first + i)) : vload${width}(0, lanes);
    // Functions are slow in vectors. Beyond 1400 exponentials are 0 or infinite, and adding 1.5 2^52 rounds numbers to integers.
    const double${w} some = all < -1400.0 ? -1400.0 : all, x = some > 1400.0 ? 1400.0 : some;
    const double${w} moved = x * ${repr(log2_e)} + 0x1.8p52, whole = moved - 0x1.8p52;
% else:
    const double x = clamp((double)numbers[first + i], -100000.0, 100000.0), whole = rint(x * ${repr(log2_e)});
% endif
    const double${w} a = x - whole * ${repr(ln2_high)}, b = -(whole * ${repr(ln2_low)});
    const double${w} r = a + b, back = r - a, error = (a - (r - back)) + (b - back);
    double${w} sum = ${repr(terms[-1])};
% for term in terms[-2::-1]:
    sum = sum * r + ${repr(term)};
% endfor
    const double${w} rest = r * r * sum, more = rest + (error + 0.0) * (1.0 + (r + rest));
% if width > 1:
    // Of two powers of two only the second one rounds.
    const long${w} power = as_long${w}(moved) - 0x4338000000000000L, half_power = power >> 1;
    const double${w} found = (1.0 + (r + more)) * as_double${w}((half_power + 1023L) << 52) * as_double${w}((power - half_power + 1023L) << 52);
    if (is_whole) {
        vstore${width}(${convert}(found), 0, made + offset + i);
    } else {
        vstore${width}(found, 0, lanes);
        for (uint j = 0; j < n - i; j++) made[offset + i + j] = ${"" if out == "double" else "convert_float_rte"}(lanes[j]);
    }
% else:
    made[offset + i] = ${convert}(ldexp(1.0 + (r + more), convert_int(whole)));
% endif
    }
}
