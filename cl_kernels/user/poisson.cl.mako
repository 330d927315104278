<%include file="poisson_value.cl.mako"/>
// A Poisson number of mean lam; -1 where that is not from 0 to ${largest}.
CLRNG_INLINE ${out} ${q}of(__global const uint *restrict tables, const float lam, ${raw})
{
    const bool is_legal = lam >= 0 && lam <= ${largest};
    const ulong number = ${number};
    const uint bits = is_legal ? as_uint(lam) & 0x7fffffffu : 0;
    int k;
    if (!${q}value(bits, (uint)mul_hi(number, ${scale}UL), ${", ".join(tables)}, &k)) k = ${q}by_sums(as_float(bits), number, is_legal);
    return is_legal ? (${out})k : (${out})-1;
}
