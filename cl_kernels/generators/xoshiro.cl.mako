<%
    type = f"{word}{w}"
    fields = [f"x{i}" for i in range(linear)] + beside
    wide = len(beside) == 4
    pair = lambda words: f"({p}wide){{{', '.join(words)}}}"

    def numbers(words):
        return [f"({type}){number}{u}" for number in words]
%>
// Words, of which ${linear} are linear${", and beside them those of y' = m*y + a" if beside else ""}. A value is made of the state before a step, which is the one that is kept.
<%include file="words_of_state.cl.mako" args="type=type, fields=fields"/>\

<%include file="rotated.cl.mako"/>\
% if wide:
<%include file="affine128.cl.mako"/>\
% endif
% if mixer:
CLRNG_INLINE ${type} ${p}value(const ${p}state s)
{
    ${type} z = s.${beside[0]} + s.x0;
    z = (z ^ (z >> ${mixer[0]})) * ${mixer[1]}${u};
    z = (z ^ (z >> ${mixer[2]})) * ${mixer[3]}${u};
    return z ^ (z >> ${mixer[4]});
}
% else:
CLRNG_INLINE ${type} ${p}value(const ${p}state s) { return ${shown}; }
% endif

CLRNG_INLINE ${p}state ${p}shifted(${p}state s)
{
% if linear == 4:
    const ${type} t = s.x1 << ${shifts[0]};
    s.x2 ^= s.x0;
    s.x3 ^= s.x1;
    s.x1 ^= s.x2;
    s.x0 ^= s.x3;
    s.x2 ^= t;
    s.x3 = ${p}rotl(s.x3, ${shifts[1]});
% elif linear == 8:
    const ${type} t = s.x1 << ${shifts[0]};
    s.x2 ^= s.x0;
    s.x5 ^= s.x1;
    s.x1 ^= s.x2;
    s.x7 ^= s.x3;
    s.x3 ^= s.x4;
    s.x4 ^= s.x5;
    s.x0 ^= s.x6;
    s.x6 ^= s.x7 ^ t;
    s.x7 = ${p}rotl(s.x7, ${shifts[1]});
% else:
    const ${type} y = s.x${linear - 1} ^ s.x0;
    const ${type} x = ${p}rotl(s.x0, ${shifts[0]}) ^ y ^ (y << ${shifts[1]});
% for i in range(linear - 2):
    s.x${i} = s.x${i + 1};
% endfor
    s.x${linear - 2} = x;
    s.x${linear - 1} = ${p}rotl(y, ${shifts[2]});
% endif
    return s;
}

% if beside:

// The state whose y is m*y + g*a for a number g.
% if wide:
CLRNG_INLINE ${p}state ${p}beside_moved(${p}state s, const ${p}wide m, const ${p}wide g)
{
    const ${p}wide added = ${p}affine(g, ${pair(["s.ah", "s.al"])}, ${pair(numbers((0, 0)))});
    const ${p}wide y = ${p}affine(${pair(["s.yh", "s.yl"])}, m, added);
    s.yh = y.hi;
    s.yl = y.lo;
    return s;
}
% else:
CLRNG_INLINE ${p}state ${p}beside_moved(${p}state s, const ${type} m, const ${type} g)
{
    s.y = s.y * m + g * s.a;
    return s;
}
% endif
<%
    def moved(row):
        words = [f"({type}){row}[{i}]" for i in range(len(beside))]
        return f"{p}beside_moved(s, {', '.join([pair(words[:2]), pair(words[2:])] if wide else words)})"
%>
// y after a stride${" and after n steps" if width == 1 else ""}.
CLRNG_INLINE ${p}state ${p}beside_by(const ${p}state s, __global const ${word} *by) { return ${moved("by")}; }
% if width == 1:

${constants(word, p + "beside_powers", beside_powers)}

CLRNG_INLINE ${p}state ${p}beside_after(${p}state s, ulong n)
{
    __constant ${word} *row = ${p}beside_powers;
    for (; n != 0; n >>= 1, row += ${len(beside)})
        if (n & 1) s = ${moved("row")};
    return s;
}
% endif
% endif

CLRNG_INLINE ${p}state ${p}next(${"" if beside else "const "}${p}state s)
{
% if wide:
    const ${p}wide y = ${p}affine(${pair(["s.yh", "s.yl"])}, ${pair(numbers(multiplier))}, ${pair(["s.ah", "s.al"])});
    s.yh = y.hi;
    s.yl = y.lo;
% elif beside:
    s.y = s.y * ${multiplier[0]}${u} + s.a;
% endif
    return ${p}shifted(s);
}
