<%
    # Vectors of 32-bit words are kept in the lower halves of 64 bits, of which a product reads no more. The upper halves
    # have anything.
    wide = f"ulong{w}"
    kept = wide if word == "uint" and width > 1 else f"{word}{w}"
    names = [f"x{i}" for i in range(counter)]
    keys = [f"k{i}" for i in range(key)]
%>
% if word == "ulong":
// The upper half of a product; the function mul_hi of a CPU may be many times slower than wide integers.
CLRNG_INLINE ulong${w} ${p}upper(const ulong${w} a, const ulong b)
{
% if width == 1:
#ifdef __SIZEOF_INT128__
    return (ulong)((unsigned __int128)a * b >> 64);
#else
    return mul_hi(a, b);
#endif
% else:
    ulong${w} product;
% for lane in range(width):
    product.s${f"{lane:x}"} = ${p}upper_of_one(a.s${f"{lane:x}"}, b);
% endfor
    return product;
% endif
}

% endif
// Philox ${counter}x${64 if word == "ulong" else 32} with ${rounds} rounds: the values of a counter under a key${", two of a counter in an element" if kept != f"{word}{w}" else ""}.
CLRNG_INLINE void ${p}values_of(const ${word}${w} *counter, const ${word} *key, ${kept} *values)
{
    ${kept} ${", ".join(f"{x} = " + (f"convert_{kept}(counter[{i}])" if kept != f"{word}{w}" else f"counter[{i}]") for i, x in enumerate(names))};
    ${word} ${", ".join(f"{k} = key[{i}]" for i, k in enumerate(keys))};
% for r in range(rounds):
    {
% for j in range(key):
<% even, multiplier = names[2 * j], f"{multipliers[j]}{u}" %>\
% if word == "uint":
        const ${wide} p${j} = ${f"({even} & 0xffffffffUL)" if width > 1 else f"(ulong){even}"} * ${multipliers[j]}UL;
% else:
        const ${kept} high${j} = ${p}upper(${even}, ${multiplier}), low${j} = ${even} * ${multiplier};
% endif
% endfor
% for j in range(key):
<%
    other = key - 1 - j
    if word == "ulong":
        high, low = f"high{other}", f"low{other}"
    elif width > 1:
        high, low = f"p{other} >> 32", f"p{other}"
    else:
        high, low = f"convert_uint(p{other} >> 32)", f"(uint)p{other}"
%>\
        ${names[2 * j]} = ${high} ^ ${names[2 * j + 1]} ^ ${keys[j]};
        ${names[2 * j + 1]} = ${low};
% endfor
    }
% if r < rounds - 1:
    ${" ".join(f"{k} += {added[i]}{u};" for i, k in enumerate(keys))}
% endif
% endfor
% if kept == f"{word}{w}":
    ${" ".join(f"values[{i}] = {x};" for i, x in enumerate(names))}
% else:
    ${" ".join(f"values[{j}] = ({names[2 * j]} & 0xffffffffUL) | {names[2 * j + 1]} << 32;" for j in range(key))}
% endif
}
