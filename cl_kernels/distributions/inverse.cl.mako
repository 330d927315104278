<%
    numbers = raw_values**steps
    number = "uint" if numbers <= 2**32 else "ulong"
    signed_number, number_bits = number[1:], 32 if number == "uint" else 64
    u, value_u = ("u" if number == "uint" else "UL"), ("u" if value == "uint" else "UL")
    word, mantissa, bias, f = ("uint", 23, 127, "f") if out == "float" else ("ulong", 52, 1023, "")
    word_u = "u" if word == "uint" else "UL"
    kept = mantissa - segment_bits    # bits of a mantissa behind those of the segment
    middle_t = 1 + 2.0**-(segment_bits + 1)
    all_rows = rows * (1 if symmetric else 2)
    row_0 = bias << segment_bits    # what row 0 has as its exponent and segment
    digits = [f"x{d}" for d in range(steps)]
    given = "".join(f", {declaration}" for declaration in parameters)
    shortened = number == "ulong" and out == "float"
    hot_row_count = hot_rows(copies)
    cold = rows - hot_row_count    # rows of a side that are not in local memory
    first = min_value if steps == 1 else 0    # one raw value needs no subtraction: x is X + first
    last, middle = first + numbers - 1, first + (numbers - 1) // 2
    wide = lambda kind, x: x if kind == value else f"convert_{kind}{w}({x})"
    lane = lambda name, i: f"{name}.s{'%x' % i}" if width > 1 else name
    smaller = "min" if width > 1 else "CLRNG_MIN"
    row_type, columns_type = ("ulong2", "ulong") if packed else (f"{out}4", out)
    # c[k] is what its number is above 2^(bits - 1): the number in the last digits of a power of two, minus both
    power_bits = {k: int(float.hex(one_unit * 2.0**52).partition("p")[2]) + bias << mantissa for k, one_unit in units.items()}
    middles = {k: (one_unit * (2.0**52 + 2.0 ** (fields[k] - 1))).hex() for k, one_unit in units.items()}
    powers_of = lambda a, b: f"(ulong2)({hex(power_bits[a])}UL, {hex(power_bits[b])}UL)"
    middles_of = lambda a, b: f"(double2)({middles[a]}, {middles[b]})"
    numbers_of = {
        6: "(lower_word << 6 & 0xfc0UL) | (upper_word & 63UL)",
        5: "upper_word & 0xffffffUL",
        4: "lower_word & 0xffffffffUL",
        3: "lower_word >> 32",
        2: "(upper_word >> 32) | (upper_word << 8 & 0xff00000000UL)",
    }
    block = 4 if out == "float" else 2    # elements of 16 bytes: a row has one or two such blocks
    rounds = block.bit_length() - 1
    in_blocks = width >= block
    raw = ", ".join(f"const {value}{w} {x}" for x in digits)
    every = numbers in (2**32, 2**64) and first == 0    # all numbers of these bits are there
    by_sides = every or number == "uint"
    # its first bit says whether x is in the upper half
    half = "x" if every else f"~as_uint{w}(apart)" if by_sides else f"({middle}UL - x)"
    if word == number:
        sign = f"{half} & {'0x80000000u' if word == 'uint' else '0x8000000000000000UL'}"
    elif word == "uint":
        sign = f"convert_uint{w}({half} >> 32) & 0x80000000u"
    else:
        sign = f"convert_ulong{w}({half} & 0x80000000u) << 32"
    is_above, to_above = f"x > {middle}{u} ? 1 : 0", f"{hot_row_count * copies * 16}u"
    if by_sides:
        is_above, to_above = f"{'0u - ' if every else '1u + '}(uint)side", f"(one * {to_above})"
%>
% if in_blocks:
// Rows of the table are transposed to columns.
<%include file="/zip.cl.mako" args="prefix=p + 'row_', kind=columns_type, length=width, block=block, rounds=rounds"/>
% endif
% if circular:
<%include file="circle.cl.mako"/>
% endif
<%include file="normal.cl.mako"/>
% if bounded:
<%include file="finite.cl.mako"/>
% endif
// The value at which the distribution function is (X + 1/2) / ${numbers}, where the raw value(s) are the digits of X,
// 0 <= X < ${numbers}. With z = 2 min(X, ${numbers - 1} - X) + 1, the smaller one of the two tail probabilities is
// z / ${2 * numbers}. The exponent of z as a ${out} and the ${segment_bits} bits behind it are the row of the table; the
// bits behind these are t, from -${middle_t - 1} to ${middle_t - 1}; and the row has the polynomial in t, of degree
// ${degree}, that is the value. Every operation is exact or rounded to nearest, with products and sums fused by name.
% if packed:
// A row is a constant, a slope, and the numbers of coefficients of 40, 32, 32, 24 and 12 bits, which are the last digits
// of a power of two as a double.
% endif
% if shortened:
// Of a z of more than 32 bits the leading 32 are taken.
% endif
% if width > 1:
//
// It is there in two parts too, so that a kernel can find the places of many vectors in the table before it looks up the
// first: while a processor waits for one row it cannot go on to the instructions of many others.
typedef struct {
    ${out}${w} t;
% if symmetric:
    ${word}${w} sign;
% endif
    uint row[${width}];
} ${p}place;

% endif
<%def name="function(name, hot, first_parameters, in_parts=False)">
<% row_of = lambda i: f"at->row[{i}]" if in_parts else lane("row", i) %>\
% if in_parts:
CLRNG_INLINE ${p}place ${p}place_of(${raw})
% else:
CLRNG_INLINE ${out}${w} ${p}${name}(${raw}${first_parameters}${given})
% endif
{
% if steps == 1:
    const ${number}${w} x = x0;
% else:
    ${number}${w} x = ${wide(number, f"x0 - {min_value}{value_u}")};
% for d in digits[1:]:
    x = x * ${raw_values}${u} + ${wide(number, f"{d} - {min_value}{value_u}")};
% endfor
% endif
% if every:
    // -1 in the upper half, or 0
    const ${signed_number}${w} side = as_${signed_number}${w}(x) >> ${number_bits - 1};
    const ${number}${w} z = (x << 1 ^ as_${number}${w}(side)) | 1${u};
% elif by_sides:
    // -1 in the lower half, or 0; both halves are counted from the middle on
    const int${w} apart = as_int${w}(x - ${middle + 1}u), side = apart >> 31;
    const uint${w} z = ${numbers - 1 - numbers % 2}u - 2u * as_uint${w}(${"(apart ^ side) + side" if numbers % 2 else "apart ^ side"});
% else:
    const ulong${w} z = 2UL * ${smaller}(x - ${first}UL, ${last}UL - x) + 1UL;
% endif
% if shortened:
    const uint${w} beyond = 32u - clz(convert_uint${w}(z >> 32));
    const uint${w} leading = convert_uint${w}(z >> convert_ulong${w}(beyond));
    const uint${w} bits = as_uint${w}(convert_float${w}(leading)) + (beyond << 23);
% else:
    const ${word}${w} bits = as_${word}${w}(convert_${out}${w}(z));
% endif
% if copies:
    // One, which the compiler does not know: so it multiplies by a number of bytes, where shifts and masks cost more.
    const uint one = ${one};
% if packed:
    const double t = as_double((bits & ${hex(2**kept - 1)}UL) | ${hex(bias << mantissa)}UL) - ${middle_t};
    const uint row = convert_uint(bits >> ${kept}), above = ${"0" if symmetric else is_above};
% else:
    const float t = as_float((bits & ${hex(2**kept - 1)}u) | ${hex(bias << mantissa)}u * one) - ${middle_t}f;
    const uint row = bits >> ${kept}, above = ${"0" if symmetric else is_above};
% endif
% if hot:
    *is_cold |= row < ${row_0 + cold}u;
    __local const ${row_type} *near_row = (__local const ${row_type} *)((size_t)hot_rows
        + max(row, ${row_0 + cold}u) * (one * ${copies * 16}u)${"" if symmetric else f" + above * {to_above}"} - ${(row_0 + cold) * copies * 16}u);
% if packed:
    const ulong4 row_0 = (ulong4)(near_row[0], near_row[${hot_row_count * (1 if symmetric else 2) * copies}]);
% else:
    const float4 row_0 = *near_row;
% endif
% else:
    const ${columns_type}4 row_0 = table[row - ${row_0}u${"" if symmetric else f" + above * {rows}u"}];
% endif
% else:
    const ${out}${w} t = as_${out}${w}((bits & ${hex(2**kept - 1)}${word_u}) | ${hex(bias << mantissa)}${word_u}) - ${middle_t}${f};
    uint${w} row = ${"" if word == "uint" else f"convert_uint{w}"}(bits >> ${kept}) - ${row_0}u;
% if not symmetric and width == 1:
    row += x > ${middle}${u} ? ${rows}u : 0u;
% elif not symmetric:
    row += ${f"as_uint{w}(x > {middle}u)" if number == "uint" else f"convert_uint{w}(as_ulong{w}(x > {middle}UL))"} & ${rows}u;
% endif
% if in_parts:
    ${p}place at;
    at.t = t;
    vstore${width}(row, 0, at.row);
% if symmetric:
    at.sign = ${sign};
% endif
    return at;
}

CLRNG_INLINE ${out}${w} ${p}of_place(const ${p}place *at${given})
{
    const ${out}${w} t = at->t;
% endif
% for i in range(width):
    const ${columns_type}4 row_${i} = table[${row_of(i)}];
% endfor
% endif
% if in_blocks:
% for column in range(0, 4, block):
% for i in range(block):
    const ${columns_type}${w} y0_${column + i}_0 = (${columns_type}${w})(${", ".join(f"row_{j}.s{'0123'[column:column + block]}" for j in range(i, width, block))});
% endfor
<%include file="/transpose.cl.mako" args="prefix=p + 'row_', vector=columns_type + w, block=block, rounds=rounds, first=column"/>
% endfor
% endif
<%
    columns = [f"y{rounds}_{c // block * block}_{c % block}" if in_blocks else joined(columns_type, [f"row_{i}.s{c}" for i in range(width)])
               for c in range(4)]
    columns += [joined(out, [f"beyond_rows[{(c - 4) * all_rows} + {row_of(i)}]" for i in range(width)])
                for c in range(4, degree + 1)]
%>
% if packed:
% if width == 1 and not copies:
    // Of both words at a time: processors have few instructions for one.
    const ulong2 both = row_0.hi;
    const ulong2 second = both >> 32UL | (both << 8UL & (ulong2)(0xff00000000UL, 0UL));
    const double2 r23 = as_double2(second | ${powers_of(2, 3)}) - ${middles_of(2, 3)};
    const double2 r54 = as_double2((both & (ulong2)(0xffffffUL, 0xffffffffUL)) | ${powers_of(5, 4)}) - ${middles_of(5, 4)};
    const double r2 = r23.x, r3 = r23.y, r5 = r54.x, r4 = r54.y;
    const double r6 = as_double((both.x & 63UL) | (both.y << 6 & 0xfc0UL) | ${hex(power_bits[6])}UL) - ${middles[6]};
% else:
    const ulong${w} upper_word = ${columns[2]}, lower_word = ${columns[3]};
% for k, digits_of_k in numbers_of.items():
    const double${w} r${k} = as_double${w}((${digits_of_k}) | ${hex(power_bits[k])}UL) - ${middles[k]};
% endfor
% endif
    double${w} y = r${degree};
% for k in range(degree - 1, 1, -1):
    y = CLRNG_FMA(y, t, r${k});
% endfor
    y = CLRNG_FMA(y, t, (double${w})1.0);
    const double${w} u = as_double${w}(${columns[1]}) * t;
    y = CLRNG_FMA(u, y, as_double${w}(${columns[0]}));
% else:
% if degree > 3:
    ${space} const ${out} *beyond_rows = (${space} const ${out} *)(table + ${all_rows});
% endif
    ${out}${w} y = ${columns[-1]};
% for column in columns[-2::-1]:
    y = CLRNG_FMA(y, t, ${column});
% endfor
% endif
% if out == "float":
#ifdef CLRNG_SLOW_FMA
    y = ${p}normal(y);
#endif
% endif
% if symmetric:
    // the upper side has the other sign: ${middle} - X is negative there
    y = as_${out}${w}(as_${word}${w}(y) ^ (${"at->sign" if in_parts else sign}));
% endif
% if circular:
    y = ${p}within_pi(y);
% endif
% if scaled:
    y = CLRNG_FMA(y, (${out}${w})scale, (${out}${w})loc);
% if bounded:
    y = ${p}finite(y);
% endif
% if flushed:
    y = ${p}normal(y);
% elif out == "float":
#ifdef CLRNG_SLOW_FMA
    y = ${p}normal(y);
#endif
% endif
% endif
% if circular and scaled:
    y = ${p}on_circle(y);
% endif
    return y;
}
</%def>
% if copies:
// As convert, below; but it reads from local memory, and sets *is_cold where the row is not there and the value wrong.
${function("convert_hot", True, ", bool *is_cold")}
% endif
% if width > 1:
${function("", False, "", in_parts=True)}
% endif
${function("convert", False, "")}
