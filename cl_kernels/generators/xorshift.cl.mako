<%
    type = f"{word}{w}"
    fields = [f"x{i}" for i in range(linear)]
    weyl = ["d"] if increment else []

    def listed(values):
        return ", ".join(values)
%>
// The oldest word is x0. A new word is the xor of words at lags ${", ".join(str(lag) for lag, _ in taps)}, each after shifts and xors.
typedef struct { ${type} ${listed(fields + weyl)}; } ${p}state;

CLRNG_INLINE ${p}state ${p}load(${listed(f"const {type} {field}" for field in fields + weyl)})
{
    return (${p}state){${listed(fields + weyl)}};
}
% for i, field in enumerate(fields + weyl):

CLRNG_INLINE ${type} ${p}word_${i}(const ${p}state s) { return s.${field}; }
% endfor

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
    return (${p}state){${listed([f"s.{field}" for field in fields[1:]] + [" ^ ".join(f"y{j}" for j in range(len(taps)))] + [f"s.{d}" for d in weyl])}};
}

CLRNG_INLINE ${p}state ${p}next(${p}state s)
{
% if increment:
    s.d += ${increment}${u};
% endif
    return ${p}shifted(s);
}
