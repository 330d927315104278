<%page args="prefix, kind, length, block, rounds"/>
<%
    vector = f"{kind}{length}"
    places = lambda size, odd: [i for i in range(length) if i // size % 2 == odd]
    of = lambda elements: "s" + "".join(f"{i:x}" for i in elements)
%>
// Zips of two vectors, by rounds of which vectors are transposed. The first rounds zip inside blocks of ${block} elements,
// which are 16 bytes, by elements, pairs of these and so on: zip_low the lower halves of blocks, zip_high the upper ones.
// Further rounds join blocks: zip_low the even ones, zip_high the odd ones. Processors have an instruction for each of
// these, which clang finds for its builtin alone.
% for r in range(rounds):
<% half, run = (block // 2, 2**r) if 2**r < block else (block, length // 2) %>
% for name, odd in (("low", 0), ("high", 1)):
<%
    taken, to_a, to_b = places(half, odd), places(run, 0), places(run, 1)
    elements = dict(zip(to_a, taken)) | {to: length + i for to, i in zip(to_b, taken)}
%>
CLRNG_INLINE ${vector} ${prefix}zip_${name}_${r}(const ${vector} a, const ${vector} b)
{
#ifdef __clang__
    return __builtin_shufflevector(a, b, ${", ".join(str(elements[i]) for i in range(length))});
#else
    ${vector} zipped;
    zipped.${of(to_a)} = a.${of(taken)};
    zipped.${of(to_b)} = b.${of(taken)};
    return zipped;
#endif
}
% endfor
% endfor
