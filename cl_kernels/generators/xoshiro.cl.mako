<%
    type = f"{word}{w}"
    fields = [f"x{i}" for i in range(linear)]

    def listed(values):
        return ", ".join(values)
%>
// Words, of which ${linear} make a state. A value is made of the state before a step, which is the one that is kept.
typedef struct { ${type} ${listed(fields)}; } ${p}state;

CLRNG_INLINE ${p}state ${p}load(${listed(f"const {type} {field}" for field in fields)})
{
    return (${p}state){${listed(fields)}};
}
% for i, field in enumerate(fields):

CLRNG_INLINE ${type} ${p}word_${i}(const ${p}state s) { return s.${field}; }
% endfor

<%include file="rotated.cl.mako"/>\
CLRNG_INLINE ${type} ${p}value(const ${p}state s) { return ${shown}; }

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
% else:
    s.x1 ^= s.x0;
    s.x0 = ${p}rotl(s.x0, ${shifts[0]}) ^ s.x1 ^ (s.x1 << ${shifts[1]});
    s.x1 = ${p}rotl(s.x1, ${shifts[2]});
% endif
    return s;
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return ${p}shifted(s); }
