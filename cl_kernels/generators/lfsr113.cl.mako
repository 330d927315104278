<%
    type = f"uint{w}"
    fields = [f"x{i}" for i in range(4)]
%>
// Four linear feedback shift registers, each in the upper bits of a word.
<%include file="words_of_state.cl.mako" args="type=type, fields=fields"/>\

CLRNG_INLINE ${type} ${p}value(const ${p}state s) { return ${" ^ ".join(f"s.{field}" for field in fields)}; }

CLRNG_INLINE ${p}state ${p}shifted(${p}state s)
{
% for field, (k, q, s) in zip(fields, components):
    s.${field} = ((s.${field} & ${2**32 - 2**(32 - k)}u) << ${s}) ^ (((s.${field} << ${q}) ^ s.${field}) >> ${k - s});
% endfor
    return s;
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return ${p}shifted(s); }
