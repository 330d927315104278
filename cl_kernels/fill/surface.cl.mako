<%include file="place_of.cl.mako"/>
<%include file="/distributions/normal.cl.mako"/>
<%include file="/distributions/finite.cl.mako"/>
<%
    # without double precision, doubles are taken apart
    word = "ulong" if shape == "double" else "uint"
    mantissa, bias, fraction = (52, 1023, "bits << 12") if shape == "double" else (23, 127, "(ulong)bits << 41")
    word_of_out, u_of_out, mantissa_of_out, bias_of_out = ("uint", "u", 23, 127) if out == "float" else ("ulong", "UL", 52, 1023)
    largest = ((2 * bias_of_out + 1) << mantissa_of_out) - 1
    real = lambda number: number.hex() + ("f" if out == "float" else "")
    unit, unit_of_rest = real(2.0**-64), real(2.0 ** (-32 if out == "float" else -64))
    begins = [sum(degree + 1 for degree in degrees[:i]) - (2 if i else 0) for i in range(len(degrees))]
    # Numbers are read 16 bytes at a time: a GPU takes as long for them as for one.
    quad, parts = ("float4", "xyzw") if out == "float" else ("double2", "xy")
    bend = lambda place: f"c_{place // len(parts)}.{parts[place % len(parts)]}"
    u = "u" if value == "uint" else "UL"
    minus = f" - {min_value}{u}" if min_value else ""
%>
// The value of a number below N = ${numbers} and a shape, given as its exponent and the bits behind its leading one. The tail
// probability is z/(2 N), and q the highest bits of z/N, which a product leads to. The octave of the shape has ${2**cell_bits} cells, each
// with rows for the octaves of the tail probability. A row has polynomials in s, which are the coefficients of a polynomial in t; both
// are from -1/2 to 1/2. The value is 2^v. Two of the coefficients are integers in units of 2^-digits.
CLRNG_INLINE ${out} ${p}of_shape(const ulong x, const int exponent, const ulong fraction, const int first_octave, const int doublings,
                                  __global const long2 *restrict heights, __global const ${quad} *restrict bends, __global const uint *restrict octaves)
{
    const ulong z = 2UL * min(x, ${numbers - 1}UL - x) + 1UL;
    const uint zeros = (uint)clz(z);
% if reciprocal == 2**63:
    const uint octave = zeros - ${64 - bits}u;
    const ulong m = (z << zeros & ~1UL) << 1;    // without the leading one
% else:
    const ulong product = CLRNG_MUL_HI(z << zeros, ${reciprocal}UL);
    const uint more = (uint)clz(product), octave = zeros + more + ${bits}u - 65u;
    const ulong m = product << more << 1;    // without the leading one
% endif
    const uint cell = ((uint)(exponent - first_octave) << ${cell_bits}) + (uint)(fraction >> ${64 - cell_bits});
    const uint entry = octaves[cell * 128u + octave + (x > ${(numbers - 1) // 2}UL ? 64u : 0u)], k = entry & 15u;
    const ulong row = (entry >> 4) + (m >> 1 >> (63u - k));
    const long2 height = heights[row];
    bends += row * ${width // len(parts)}UL;
% for i in range(width // len(parts)):
    const ${quad} c_${i} = bends[${i}];
% endfor
    const long whole_s = as_long((fraction << ${cell_bits}) ^ 0x8000000000000000UL);
    const ${out} s = convert_${out}(whole_s) * ${unit}, t = convert_${out}(as_long((m << k) ^ 0x8000000000000000UL)) * ${unit};
    ${out} q = 0;
% for i in range(len(degrees) - 1, -1, -1):
## The coefficients before the first one are integers.
<% first = 0 if i else 2 %>\
    ${out} p_${i} = ${bend(begins[i] + degrees[i] - first)};
% for j in range(degrees[i] - 1, first - 1, -1):
    p_${i} = CLRNG_FMA(p_${i}, s, ${bend(begins[i] + j - first)});
% endfor
    q = ${"CLRNG_FMA(q, t, p_%d)" % i if i else "CLRNG_FMA(p_0, s * s, q * t)"};
% endfor
    const int digits = clamp(exponent + ${fraction_bits[1]}, ${fraction_bits[0]}, ${fraction_bits[1]});
    const long sum = height.x + CLRNG_SIGNED_MUL_HI(height.y, whole_s);
    const long v = ${"min(0L, " if at_most_one else ""}sum + convert_long(q * as_${out}((${word_of_out})(digits + ${bias_of_out}) << ${mantissa_of_out}))${")" if at_most_one else ""};
    const int n = (int)(v >> digits) + doublings;
    const ${out} rest = convert_${out}(${"(uint)(as_ulong(v) << (64 - digits) >> 32)" if out == "float" else "as_ulong(v) << (64 - digits)"}) * ${unit_of_rest};
    ${out} y = ${real(powers[-1])};
% for e in powers[-2::-1]:
    y = CLRNG_FMA(y, rest, ${real(e)});
% endfor
    const ${word_of_out} found = as_${word_of_out}(CLRNG_FMA(y, rest, ${real(1.0)})) + ((${word_of_out})n << ${mantissa_of_out});
    return as_${out}(n < ${1 - bias_of_out} ? 0 : n > ${bias_of_out} || found > ${hex(largest)}${u_of_out} ? ${hex(largest)}${u_of_out} : found);
}

// Value i is made of X, which has the digits raw[first_raw(i, inner, ${steps})] and, after every inner raw values, the next ones.
__kernel void values_of_shapes(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                               const ulong first, const ulong n, const ulong inner, __global const ${word} *restrict shapes, const ulong first_shape,
                               const uint shape_axes, const uint out_axes, __global const ulong *restrict sizes,
                               __global const long *restrict steps, __global const ${out} *restrict scales, const ulong first_scale,
                               const uint scale_axes, __global const ulong *restrict scale_sizes, __global const long *restrict scale_steps,
                               __global const long2 *restrict heights, __global const ${quad} *restrict bends,
                               __global const uint *restrict octaves, const int first_octave, const int doublings)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    raw += first_raw(i, inner, ${steps});
    const ulong x = (ulong)(raw[0]${minus})${f" * {raw_values}UL + (raw[inner]{minus})" if steps == 2 else ""};
    const ${word} bits = shapes[shape_axes ? place_of(first_shape + i, 0, shape_axes, sizes, steps) : first_shape + i];
    const int exponent = (int)(bits >> ${mantissa}) - ${bias} - doublings;
    // All have the same scale where the only axis has steps of 0.
    const bool is_one = scale_axes == 1 && scale_steps[0] == 0;
    const ${out} scale = ${p}normal(scales[is_one ? 0 : scale_axes ? place_of(first_scale + i, 0, scale_axes, scale_sizes, scale_steps) : first_scale + i]);
    ${out} y = 0;
    if (bits << 1 != 0) y = ${p}of_shape(x, exponent, ${fraction}, first_octave, doublings, heights, bends, octaves);
    out[offset + (out_axes ? place_of(first + i, shape_axes, out_axes, sizes, steps) : first + i)] = ${p}finite(${p}normal(CLRNG_FMA(y, scale, (${out})0)));
}
