<%
    # without double precision, doubles are taken apart
    word, u_of_word = ("ulong", "UL") if shape == "double" else ("uint", "u")
    mantissa, bias, fraction = (52, 1023, "bits << 11UL") if shape == "double" else (23, 127, f"convert_ulong{w}(bits) << 40UL")
    word_of_out, signed, u_of_out, mantissa_of_out, bias_of_out = ("uint", "int", "u", 23, 127) if out == "float" else ("ulong", "long", "UL", 52, 1023)
    largest = ((2 * bias_of_out + 1) << mantissa_of_out) - 1
    real = lambda number: f"({out}{w})({number.hex()}{'f' if out == 'float' else ''})"
    unit, unit_of_rest = real(2.0**-64), real(2.0 ** (-32 if out == "float" else -64))
    # p[i] has the coefficients from begins[i] on; two of p[0] are integers.
    begins = [sum(degree + 1 for degree in degrees[:i]) - (2 if i else 0) for i in range(len(degrees) + 1)]
    # Numbers are read 16 bytes at a time: a GPU takes as long for them as for one. In vectors these parts of rows are transposed.
    block, parts = (4, "xyzw") if out == "float" else (2, "xy")
    part, rounds = f"{out}{block}", block.bit_length() - 1
    of_lane = lambda name: [f"{name}.s{'%x' % i}" for i in range(width)] if width > 1 else [name]
    bend = lambda place: f"y{rounds}_{place // block * block}_{place % block}" if width > 1 else f"row_0_{place // block}.{parts[place % block]}"
    mul_hi, signed_mul_hi = (f"{p}upper", f"{p}signed_upper") if width > 1 else ("CLRNG_MUL_HI", "CLRNG_SIGNED_MUL_HI")
%>
% if width > 1:
<%include file="/zip.cl.mako" args="prefix=p + 'row_', kind=out, length=width, block=block, rounds=rounds"/>
// The upper halves of products of 64-bit numbers. The builtin is slow in vectors.
CLRNG_INLINE ulong${w} ${p}upper(const ulong${w} a, const ulong${w} b)
{
    const ulong${w} a_low = a & 0xffffffffUL, b_low = b & 0xffffffffUL, low = a_low * b_low >> 32;
    const ulong${w} one = (a >> 32) * b_low + low, other = a_low * (b >> 32) + (one & 0xffffffffUL);
    return (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32);
}

CLRNG_INLINE long${w} ${p}signed_upper(const long${w} a, const long${w} b)
{
    return as_long${w}(${p}upper(as_ulong${w}(a), as_ulong${w}(b))) - (a >> 63 & b) - (b >> 63 & a);
}
% endif

// The value of a number below N = ${numbers} and a shape, given as its exponent and the bits behind its leading one. The tail
// probability is z/(2 N), and q the highest bits of z/N, which a product leads to. The octave of the shape has ${2**cell_bits} cells, each
// with rows for the octaves of the tail probability. A row has polynomials in s, which are the coefficients of a polynomial in t; both
// are from -1/2 to 1/2. The value is 2^v. Two of the coefficients are integers in units of 2^-digits, with which rows begin.
CLRNG_INLINE ${out}${w} ${p}of_shape(const ulong${w} x, const int${w} exponent, const ulong${w} fraction, const int first_octave, const int doublings,
                                  __global const ${part} *restrict rows, __global const uint *restrict octaves)
{
    const ulong${w} z = 2UL * min(x, ${numbers - 1}UL - x) + 1UL, zeros = clz(z);
% if reciprocal == 2**63:
    const ulong${w} octave = zeros - ${64 - bits}UL;
    const ulong${w} m = (z << zeros & ~1UL) << 1UL;    // without the leading one
% else:
    const ulong${w} product = ${mul_hi}(z << zeros, (ulong${w})(${reciprocal}UL)), more = clz(product), octave = zeros + more + ${bits}UL - 65UL;
    const ulong${w} m = product << more << 1UL;    // without the leading one
% endif
    const uint${w} cell = (as_uint${w}(exponent - first_octave) << ${cell_bits}u) + convert_uint${w}(fraction >> ${64 - cell_bits}UL);
    const uint${w} place = cell * 128u + convert_uint${w}(octave + ((${(numbers - 1) // 2}UL - x) >> 57UL & 64UL));    // behind those of the lower side
    const uint${w} entry = ${joined("uint", [f"octaves[{i}]" for i in of_lane("place")])};
    const ulong${w} of_cell = fraction << ${cell_bits}UL;
% if split:
    const ulong${w} parts = convert_ulong${w}(entry >> 28u), k = convert_ulong${w}(entry & 15u) - parts;
    const uint${w} row = (entry >> 4u & 0xffffffu) + convert_uint${w}((of_cell >> 1UL >> (63UL - parts) << k) + (m >> 1UL >> (63UL - k)));
% else:
    const ulong${w} k = convert_ulong${w}(entry & 15u);
    const uint${w} row = (entry >> 4u) + convert_uint${w}(m >> 1UL >> (63UL - k));
% endif
% for lane, own in enumerate(of_lane("row")):
    __global const ${part} *const bends_${lane} = rows + (ulong)${own} * ${length // block}UL + 1;
    const long2 height_${lane} = as_long2(bends_${lane}[-1]);
% endfor
% if width == 1:
% for i in range(columns // block):
    const ${part} row_0_${i} = bends_0[${i}];
% endfor
% endif
    const long${w} whole_s = as_long${w}(of_cell${" << parts" if split else ""} ^ 0x8000000000000000UL);
    const ${out}${w} s = convert_${out}${w}(whole_s) * ${unit}, t = convert_${out}${w}(as_long${w}(m << k ^ 0x8000000000000000UL)) * ${unit};
    ${out}${w} q = 0;
% for i in range(len(degrees) - 1, -1, -1):
% for place in range(begins[i + 1] - 1, begins[i] - 1, -1):
% if width > 1 and (place % block == block - 1 or place == begins[-1] - 1):
<% first = place // block * block %>\
% for j in range(block):
    const ${out}${w} y0_${first + j}_0 = (${out}${w})(${", ".join(f"bends_{lane}[{place // block}]" for lane in range(j, width, block))});
% endfor
<%include file="/transpose.cl.mako" args="prefix=p + 'row_', vector=out + w, block=block, rounds=rounds, first=first"/>
% endif
    ${f"{out}{w} p_{i} = {bend(place)}" if place == begins[i + 1] - 1 else f"p_{i} = CLRNG_FMA(p_{i}, s, {bend(place)})"};
% endfor
    q = ${f"CLRNG_FMA(q, t, p_{i})" if i else "CLRNG_FMA(p_0, s * s, q * t)"};
% endfor
    const long${w} digits = convert_long${w}(clamp(exponent + ${fraction_bits[1]}, (int${w})${fraction_bits[0]}, (int${w})${fraction_bits[1]}));
    const long${w} u = ${joined("long", [f"height_{lane}.x" for lane in range(width)])} + ${signed_mul_hi}(${joined("long", [f"height_{lane}.y" for lane in range(width)])}, whole_s);
    const long${w} sum = u + convert_long${w}(q * as_${out}${w}(convert_${word_of_out}${w}(digits + ${bias_of_out}L) << ${mantissa_of_out}${u_of_out})), v = ${f"min(sum, (long{w})0)" if at_most_one else "sum"};
    const ${signed}${w} n = convert_${signed}${w}(v >> digits) + (${signed}${w})doublings;
    const ulong${w} behind = as_ulong${w}(v) << as_ulong${w}(64L - digits);
    const ${out}${w} rest = convert_${out}${w}(${f"convert_uint{w}(behind >> 32UL)" if out == "float" else "behind"}) * ${unit_of_rest};
    ${out}${w} y = ${real(powers[-1])};
% for e in powers[-2::-1]:
    y = CLRNG_FMA(y, rest, ${real(e)});
% endfor
    y = CLRNG_FMA(y, rest, ${real(1.0)});
% if symmetric:
    y *= convert_${out}${w}(${numbers - 1}UL - (z - 1UL)) * ${real(inverse)};    // 1 - 2p
    const ulong${w} upper = ~(${(numbers - 1) // 2}UL - x);    // negative on the lower side
    const ${word_of_out}${w} sign = ${f"convert_uint{w}(upper >> 32UL) & 0x80000000u" if out == "float" else "upper & 0x8000000000000000UL"};
% endif
    const ${word_of_out}${w} found = as_${word_of_out}${w}(y), most = ${hex(largest)}${u_of_out}, value = found + (as_${word_of_out}${w}(n) << ${mantissa_of_out}${u_of_out});
    const ${signed}${w} power = as_${signed}${w}(found >> ${mantissa_of_out}${u_of_out}) + n;
    return as_${out}${w}(${"sign ^ " if symmetric else ""}(power < 1${f" | found == 0{u_of_out}" if symmetric else ""} ? (${word_of_out}${w})0 : power > ${2 * bias_of_out} ? most : value));
}

// The value of a number and a parameter of these bits. The shape is half of the parameter, and the value doubled, `doublings` times.
CLRNG_INLINE ${out}${w} ${p}of_parameter(const ulong${w} x, const ${word}${w} signed_bits, const int first_octave, const int doublings,
                                      __global const ${part} *restrict rows, __global const uint *restrict octaves)
{
    const ${word}${w} bits = signed_bits << 1${u_of_word};    // without the sign of a zero
    const int${w} own = convert_int${w}(bits >> ${mantissa + 1}${u_of_word}) - ${bias} - doublings, exponent = max(own, (int${w})first_octave);    // there are rows for zeros too
    ulong${w} fraction = ${fraction};
% if from_zero is not None:
    // One octave has all shapes below ${2**(from_zero + 1)}, of which the fraction is a share.
    const ulong${w} below = convert_ulong${w}(max(${from_zero} - own, (int${w})0)), some = min(below, (ulong${w})63UL);
    const ulong${w} share = (fraction >> 1UL | 0x8000000000000000UL) >> some >> min(below - some, (ulong${w})63UL);
    fraction = convert_long${w}(own > ${from_zero}) ? fraction : share;
% endif
    const ${out}${w} y = ${p}of_shape(x, exponent, fraction, first_octave, doublings, rows, octaves);
    return ${f"convert_{signed}{w}(bits == 0{u_of_word}) ? {real(of_zero)} : y" if of_zero is not None else "y"};
}
