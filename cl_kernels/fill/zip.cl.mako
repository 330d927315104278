<%
    block = min(width, 16 // out_bytes)
    places = lambda size, odd: [i for i in range(width) if i // size % 2 == odd]
    of = lambda elements: "s" + "".join(f"{i:x}" for i in elements)
%>
// Zips of two vectors, which log2 ${width} rounds transpose ${width} vectors by: before, a vector has one step of all lanes;
// after, ${width} steps of one lane. The first rounds zip inside blocks of 16 bytes, by elements, pairs of these and so on:
// zip_low the lower halves of blocks, zip_high the upper ones. The others join blocks: zip_low the even ones, zip_high the
// odd ones. Processors have an instruction for each of these, which clang finds for its builtin alone.
% for r in range(width.bit_length() - 1):
<% half, run = (block // 2, 2**r) if 2**r < block else (block, width // 2) %>
% for name, odd in (("low", 0), ("high", 1)):
<%
    taken, to_a, to_b = places(half, odd), places(run, 0), places(run, 1)
    elements = dict(zip(to_a, taken)) | {to: width + i for to, i in zip(to_b, taken)}
%>
CLRNG_INLINE ${out}${w} ${v}zip_${name}_${r}(const ${out}${w} a, const ${out}${w} b)
{
#ifdef __clang__
    return __builtin_shufflevector(a, b, ${", ".join(str(elements[i]) for i in range(width))});
#else
    ${out}${w} zipped;
    zipped.${of(to_a)} = a.${of(taken)};
    zipped.${of(to_b)} = b.${of(taken)};
    return zipped;
#endif
}
% endfor
% endfor
