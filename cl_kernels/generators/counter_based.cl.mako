<%
    names = [*(f"c[{i}]" for i in range(counter)), "place", *(f"k[{i}]" for i in range(key)), *["waiting"] * waiting]
    given = [f"word_{i}" for i in range(order)]

    def chosen(places):
        if len(places) == 1:
            return f"s.v[{places[0]}]"
        half = len(places) // 2
        return f"((s.place & {half}) == 0 ? {chosen(places[:half])} : {chosen(places[half:])})"
%>
// A state holds the values v of its counter c under its key k, of which that at `place` was given out last.
typedef struct { ${word} c[${counter}], k[${key}]${", waiting" * waiting}; ${value} v[${values}]; uint place; } ${p}state;

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const {word} {name}" for name in given)})
{
    ${p}state s;
% for name, each in zip(names, given):
    s.${name} = ${each};
% endfor
    ${p}values_of(s.c, s.k, s.v);
    return s;
}
% for i, name in enumerate(names):

CLRNG_INLINE ${word} ${p}word_${i}(const ${p}state s) { return s.${name}; }
% endfor

CLRNG_INLINE ${value} ${p}value(const ${p}state s) { return ${chosen(range(values))}; }

// The counter n counts later, in place.
CLRNG_INLINE void ${p}count(${word} *c, const ulong n)
{
% if word == "uint":
    c[0] += (uint)n;
    const ulong more = c[1] + (n >> 32) + (c[0] < (uint)n);
    c[1] = (uint)more;
% if counter > 2:
    if (more >> 32 != 0 && ++c[2] == 0) ++c[3];
% endif
% else:
    c[0] += n;
% if counter > 1:
    if (${" && ".join(["c[0] < n", *(f"++c[{i}] == 0" for i in range(1, counter - 1))])}) ++c[${counter - 1}];
% endif
% endif
}

// The state n counters later, of which the value at `place` was given out last.
CLRNG_INLINE ${p}state ${p}later(const ${p}state s, const ulong n, const uint place)
{
    ${p}state x = s;
    x.place = place;
    if (n != 0) {
        ${p}count(x.c, n);
        ${p}values_of(x.c, x.k, x.v);
    }
    return x;
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return ${p}later(s, (s.place + 1) / ${values}, (s.place + 1) % ${values}); }

// A stride is a number of counters and a number of values below ${values}.
typedef __global const ${word} *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ${word} *row) { return row; }

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by)
{
    ${p}state x = s;
    const uint place = s.place + convert_uint(by[${counter}]);
    uint carry = place / ${values};
    x.place = place % ${values};
% for i in range(counter):
    const ${word} y${i} = s.c[${i}] + by[${i}];
    x.c[${i}] = y${i} + carry;
    carry = (y${i} < by[${i}]) + (x.c[${i}] < y${i});
% endfor
    ${p}values_of(x.c, x.k, x.v);
    return x;
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }

// The state n steps on.
CLRNG_INLINE ${p}state ${p}jump(const ${p}state s, const ulong n)
{
    const uint place = s.place + (uint)(n % ${values});
    return ${p}later(s, n / ${values} + place / ${values}, place % ${values});
}
