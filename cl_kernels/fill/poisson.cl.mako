<%include file="place_of.cl.mako"/>
<%include file="poisson_value.cl.mako"/>
<%
    word = "uint" if mean == "float" else "ulong"
    u = "u" if value == "uint" else "UL"
    digits = [f"(ulong)(raw[{d} * inner] - {min_value}{u})" if d else f"(ulong)(raw[0] - {min_value}{u})" for d in range(steps)]
%>
// Value i is the smallest k for which X < F(k) N, where X has the digits raw[first_raw(i, inner, ${steps})] and, after every inner
// raw values, the next ones, and F is that of its mean. Where F is too close to X / N, the value may be wrong: then i is put in a
// list, behind the number of those found.
__kernel void poisson_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                 const ulong first, const ulong n, const ulong inner, __global const ${word} *restrict means, const ulong first_mean,
                                 const uint mean_axes, const uint out_axes, __global const ulong *restrict sizes,
                                 __global const long *restrict steps, const ulong scale, __global const uint2 *restrict reached,
                                 __global const uint4 *restrict cells, __global const ushort *restrict guide,
                                 __global const uint *restrict first_cell,
                                 __global uint *restrict unsure, const uint capacity)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    const ${word} bits = means[place_of(first_mean + i, 0, mean_axes, sizes, steps)] & ${hex((1 << (31 if word == "uint" else 63)) - 1)};
    raw += first_raw(i, inner, ${steps});
    const ulong number = ${digits[0] if steps == 1 else f"{digits[0]} * {raw_values}UL + {digits[1]}"};
    const uint x = (uint)mul_hi(number, scale);
    int k;
    const bool sure = ${q}value(bits, x, reached, cells, guide, first_cell, &k);
    out[offset + place_of(first + i, mean_axes, out_axes, sizes, steps)] = (${out})k;
    if (!sure) {
        const uint found = atomic_inc(unsure);
        if (found < capacity) unsure[1 + found] = (uint)i;
    }
}
