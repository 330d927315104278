<%
    type = f"uint{w}"
    fields = [f"x{i}" for i in range(16)]
%>
// The newest word is x0, which is the value, and the oldest one x15. All indices are constants, so that a compiler
// keeps the words in registers, and moves none where steps follow one another in a program.
<%include file="words_of_state.cl.mako" args="type=type, fields=fields"/>\

CLRNG_INLINE ${type} ${p}value(const ${p}state s) { return s.x0; }

CLRNG_INLINE ${p}state ${p}shifted(const ${p}state s)
{
    const ${type} a = s.x0 ^ (s.x0 << 16) ^ s.x13 ^ (s.x13 << 15);
    const ${type} b = s.x9 ^ (s.x9 >> 11);
    const ${type} c = a ^ b;
    const ${type} newest = s.x15 ^ (s.x15 << 2) ^ a ^ (a << 18) ^ (b << 28) ^ c ^ ((c << 5) & ${tempering}u);
    return (${p}state){newest, c, ${listed(f"s.{field}" for field in fields[1:15])}};
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return ${p}shifted(s); }
