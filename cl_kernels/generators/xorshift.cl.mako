<%
    type = f"{word}{w}"
    fields = [f"x{i}" for i in range(linear)]
%>
// The oldest word is x0. A new word is the xor of words at lags ${", ".join(str(lag) for lag, _ in taps)}, each after shifts and xors.
<%include file="words_of_state.cl.mako" args="type=type, fields=fields + beside"/>\

% if rotates:
<%include file="rotated.cl.mako"/>\
% endif
CLRNG_INLINE ${type} ${p}value(const ${p}state s) { return ${shown}; }

// The words one step later; the Weyl sequence stays as it is.
CLRNG_INLINE ${p}state ${p}shifted(const ${p}state s)
{
% for j, (lag, shifts) in enumerate(taps):
    ${type} y${j} = s.x${linear - lag};
% for shift in shifts:
    y${j} ^= y${j} ${"<<" if shift > 0 else ">>"} ${abs(shift)};
% endfor
% endfor
    return (${p}state){${listed([f"s.{field}" for field in fields[1:]] + [" ^ ".join(f"y{j}" for j in range(len(taps)))] + [f"s.{d}" for d in beside])}};
}

% if beside:
// The Weyl sequence after a stride, and after n steps.
CLRNG_INLINE ${p}state ${p}beside_by(${p}state s, __global const ${word} *by)
{
    s.d += by[0];
    return s;
}

CLRNG_INLINE ${p}state ${p}beside_after(${p}state s, const ulong n)
{
    s.d += ${increment}${u} * (${word})n;
    return s;
}

% endif
CLRNG_INLINE ${p}state ${p}next(${p}state s)
{
% if increment:
    s.d += ${increment}${u};
% endif
    return ${p}shifted(s);
}
