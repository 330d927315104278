<%
    type = f"uint{w}"
    fields = [f"x{i}" for i in range(4)]

    def listed(values):
        return ", ".join(values)
%>
// Four linear feedback shift registers, each in the upper bits of a word.
typedef struct { ${type} ${listed(fields)}; } ${p}state;

CLRNG_INLINE ${p}state ${p}load(${listed(f"const {type} {field}" for field in fields)})
{
    return (${p}state){${listed(fields)}};
}
% for i, field in enumerate(fields):

CLRNG_INLINE ${type} ${p}word_${i}(const ${p}state s) { return s.${field}; }
% endfor

CLRNG_INLINE ${type} ${p}value(const ${p}state s) { return ${" ^ ".join(f"s.{field}" for field in fields)}; }

CLRNG_INLINE ${p}state ${p}shifted(${p}state s)
{
% for field, (k, q, s) in zip(fields, components):
    s.${field} = ((s.${field} & ${2**32 - 2**(32 - k)}u) << ${s}) ^ (((s.${field} << ${q}) ^ s.${field}) >> ${k - s});
% endfor
    return s;
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return ${p}shifted(s); }
