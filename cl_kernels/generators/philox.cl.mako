<%
    # Vectors of 32-bit words are kept in the lower halves of 64 bits, of which a product reads no more. The upper halves
    # have anything.
    wide = f"ulong{w}"
    kept = wide if word == "uint" and width > 1 else f"{word}{w}"
    names = [[f"x{i}" + (f"_{e}" if sets > 1 else "") for i in range(counter)] for e in range(sets)]
    product_name = lambda e, j: f"p{j}" + (f"_{e}" if sets > 1 else "")
    keys = [f"k{i}" for i in range(key)]
%>
% if word == "ulong":
// Both halves of a product.
typedef struct { ulong${w} high, low; } ${p}halves;

CLRNG_INLINE ${p}halves ${p}product(const ulong${w} a, const ulong b)
{
% if width == 1:
    return (${p}halves){CLRNG_MUL_HI(a, b), a * b};
% else:
    const ulong${w} low = a & 0xffffffffUL, high = a >> 32, b_low = b & 0xffffffffUL, b_high = b >> 32;
    const ulong${w} lowest = low * b_low, middle = high * b_low + (lowest >> 32), other = low * b_high + (middle & 0xffffffffUL);
    return (${p}halves){high * b_high + (middle >> 32) + (other >> 32), other << 32 | (lowest & 0xffffffffUL)};
% endif
}

% endif
% if kept != f"{word}{w}":
// Elements of 64 bits whose lower halves are the words of c.
CLRNG_INLINE ulong16 ${p}spread(const uint16 c)
{
    return (ulong16)(as_ulong8(c.s0011223344556677), as_ulong8(c.s8899aabbccddeeff));
}

// The lower halves of the elements of x, below those of y. Of shifts and a sum clang would make longer products.
CLRNG_INLINE ulong8 ${p}paired(const ulong8 x, const ulong8 y)
{
#ifdef __clang__
    return as_ulong8(__builtin_shufflevector(as_uint16(x), as_uint16(y), ${", ".join(f"{i}, {i + 16}" for i in range(0, 16, 2))}));
#else
    return (x & 0xffffffffUL) | y << 32;
#endif
}

% endif
// Philox ${counter}x${64 if word == "ulong" else 32} with ${rounds} rounds: the values of a counter under a key${", two of a counter in an element" if kept != f"{word}{w}" else ""}.
% if sets > 1:
// Counters and values are ${sets} sets of vectors: a processor waits for the products of one less where it has others to make.
% endif
CLRNG_INLINE void ${p}values_of(const ${word}${w} *counter, const ${word} *key, ${kept} *values)
{
% for e, of_set in enumerate(names):
    ${kept} ${", ".join(f"{x} = " + (f"{p}spread(counter[{e * counter + i}])" if kept != f"{word}{w}" else f"counter[{e * counter + i}]") for i, x in enumerate(of_set))};
% endfor
    ${word} ${", ".join(f"{k} = key[{i}]" for i, k in enumerate(keys))};
% for r in range(rounds):
    {
% for e, of_set in enumerate(names):
% for j in range(key):
<% even, multiplier, made = of_set[2 * j], f"{multipliers[j]}{u}", product_name(e, j) %>\
% if word == "uint":
        const ${wide} ${made} = ${f"({even} & 0xffffffffUL)" if width > 1 else f"(ulong){even}"} * ${multipliers[j]}UL;
% else:
        const ${p}halves ${made} = ${p}product(${even}, ${multiplier});
% endif
% endfor
% endfor
% for e, of_set in enumerate(names):
% for j in range(key):
<%
    other = product_name(e, key - 1 - j)
    if word == "ulong":
        high, low = f"{other}.high", f"{other}.low"
    elif width > 1:
        high, low = f"{other} >> 32", other
    else:
        high, low = f"convert_uint({other} >> 32)", f"(uint){other}"
%>\
        ${of_set[2 * j]} = ${high} ^ ${of_set[2 * j + 1]} ^ ${keys[j]};
        ${of_set[2 * j + 1]} = ${low};
% endfor
% endfor
    }
% if r < rounds - 1:
    ${" ".join(f"{k} += {added[i]}{u};" for i, k in enumerate(keys))}
% endif
% endfor
% for e, of_set in enumerate(names):
% if kept == f"{word}{w}":
    ${" ".join(f"values[{e * counter + i}] = {x};" for i, x in enumerate(of_set))}
% else:
    ${" ".join(f"values[{e * key + j}] = (ulong16)({', '.join(f'{p}paired({of_set[2 * j]}.{half}, {of_set[2 * j + 1]}.{half})' for half in ('lo', 'hi'))});" for j in range(key))}
% endif
% endfor
}
