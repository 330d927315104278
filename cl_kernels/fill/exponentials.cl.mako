#pragma OPENCL FP_CONTRACT OFF
// The exponentials of numbers, by the operations of `clrng.distributions.quantiles.elementary.exp`, each rounded.
__kernel void exponentials(__global ${out} *restrict made, const ulong offset, const ulong n, __global const ${given} *restrict numbers,
                           const ulong first)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    const double x = clamp((double)numbers[first + i], -100000.0, 100000.0), whole = rint(x * ${repr(log2_e)});
    const double a = x - whole * ${repr(ln2_high)}, b = -(whole * ${repr(ln2_low)});
    const double r = a + b, back = r - a, error = (a - (r - back)) + (b - back);
    double sum = ${repr(terms[-1])};
% for term in terms[-2::-1]:
    sum = sum * r + ${repr(term)};
% endfor
    const double rest = r * r * sum, more = rest + (error + 0.0) * (1.0 + (r + rest));
    made[offset + i] = ${"" if out == "double" else "convert_float_rte"}(ldexp(1.0 + (r + more), convert_int(whole)));
}
