<%
    type, number = f"{word}{w}", f"{value}{w}"
    whole = f"{p}whole_"
    fields = [f"x{i}" for i in range(linear)]
    last = block - 1
    mask = f"{type}".replace("uint", "int").replace("ulong", "long")
    part = f"({whole}value(s.x) >> {shift})" if shift else f"{whole}value(s.x)"
    part = part if shown_bits + shift == word_bits else f"({part} & {(1 << shown_bits) - 1}{u})"

    def doubled(shift):
        found = abs(shift)
        while found < word_bits:
            yield f"{'<<' if shift > 0 else '>>'} {found}"
            found *= 2
%>
// Words, and the place of the value that they make in a block of ${block}, whose values come backwards.
typedef struct { ${whole}state x; ${type} place; } ${p}state;

CLRNG_INLINE ${p}state ${p}load(${listed(f"const {type} {name}" for name in fields + ["place"])})
{
    return (${p}state){${whole}load(${listed(fields)}), place};
}
% for i in range(linear):

CLRNG_INLINE ${type} ${p}word_${i}(const ${p}state s) { return ${whole}word_${i}(s.x); }
% endfor

CLRNG_INLINE ${type} ${p}word_${linear}(const ${p}state s) { return s.place; }

CLRNG_INLINE ${number} ${p}value(const ${p}state s)
{
    return ${narrowed(part)};
}

// The words one step before. A xorshift is undone by those of its shift, of twice the shift, of four times and so on.
CLRNG_INLINE ${whole}state ${p}before(const ${whole}state x)
{
    ${type} y = x.${fields[-1]};
% for j, (lag, shifts) in enumerate(taps):
    ${type} y${j} = x.x${linear - lag - 1};
% for one in shifts:
    y${j} ^= y${j} ${"<<" if one > 0 else ">>"} ${abs(one)};
% endfor
    y ^= y${j};
% endfor
% for one in reversed(oldest):
% for each in doubled(one):
    y ^= y ${each};
% endfor
% endfor
    return (${whole}state){${listed(["y"] + [f"x.{field}" for field in fields[:-1]])}};
}

// The words n steps later.
CLRNG_INLINE ${whole}state ${p}forward(${whole}state x, const uint n)
{
    for (uint i = 0; i < n; i++) x = ${whole}shifted(x);
    return x;
}

CLRNG_INLINE ${p}state ${p}next(${p}state s)
{
% if width == 1:
    const bool ends = s.place == ${last}${u};
    s.x = ends ? ${p}forward(s.x, ${2 * block - 1}u) : ${p}before(s.x);
% else:
    const ${mask} ends = s.place == ${last}${u};
    const ${whole}state back = ${p}before(s.x);
    if (any(ends)) {
        const ${whole}state on = ${p}forward(s.x, ${2 * block - 1}u);
        s.x = (${whole}state){${listed(f"ends ? on.{field} : back.{field}" for field in fields)}};
    } else
        s.x = back;
% endif
    s.place = (s.place + 1${u}) & ${last}${u};
    return s;
}

typedef __global const ${word} *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ${word} *row) { return row; }

CLRNG_INLINE ${p}state ${p}apply_stride(${p}state s, const ${p}stride by)
{
    const ${type} place = s.place + by[${linear * word_bits * linear}];
    s.x = ${whole}apply_stride(s.x, by);
% if width == 1:
    if (place >= ${block}${u}) s.x = ${p}forward(s.x, ${2 * block}u);
% else:
    const ${mask} ends = place >= ${block}${u};
    if (any(ends)) {
        const ${whole}state on = ${p}forward(s.x, ${2 * block}u);
        s.x = (${whole}state){${listed(f"ends ? on.{field} : s.x.{field}" for field in fields)}};
    }
% endif
    s.place = place & ${last}${u};
    return s;
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:
% for name, more, given in [("jump", "", "")] + [("jump_by_tables", f", __global const {word} *tables", ", tables")] * (not folded):

// The state n values on.
CLRNG_INLINE ${p}state ${p}${name}(${p}state s, const ulong n${more})
{
    const uint back = (uint)(n & ${last}UL), place = (uint)s.place + back;
    ulong on = (n & ~${last}UL) + (place >= ${block}u ? ${2 * block}UL : 0UL);
% if name == "jump":
    if (on < n - back) {    // the sum has more than 64 bits
        s.x = ${p}forward(s.x, ${2 * block}u);
        on = n - back;
    }
% endif
    s.x = ${whole}${name}(s.x, on${given});
    for (uint i = 0; i < back; i++) s.x = ${p}before(s.x);
    s.place = place & ${last}u;
    return s;
}
% endfor
% endif
