// zip_low interleaves the lower halves of two vectors, zip_high the upper halves. log2 ${width} rounds of both
// transpose ${width} vectors: before, a vector has one step of all lanes; after, ${width} steps of one lane.
CLRNG_INLINE ${out}${w} ${v}zip_low(const ${out}${w} a, const ${out}${w} b)
{
    ${out}${w} r;
    r.even = a.lo;
    r.odd = b.lo;
    return r;
}

CLRNG_INLINE ${out}${w} ${v}zip_high(const ${out}${w} a, const ${out}${w} b)
{
    ${out}${w} r;
    r.even = a.hi;
    r.odd = b.hi;
    return r;
}
