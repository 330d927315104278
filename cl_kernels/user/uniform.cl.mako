<%include file="../fill/range.cl.mako" args="q=q"/>
// A number between two bounds; NaN where they are not legal.
CLRNG_INLINE ${out} ${q}free(${", ".join(chosen)}, ${raw})
{
% if kind == "numpys":
    return ${q}range_size(low, high) ? ${p}convert(x0, high - low, low) : NAN;
% else:
    const bool is_legal = ${q}range_size(low, high) != 0;
    long least;
    ${out} unit, bound;
    ulong special;
    const ulong size = ${q}range_grid(is_legal ? ${q}bound_of_${out}(low) : 0, is_legal ? ${q}bound_of_${out}(high) : 1, &least, &unit, &special, &bound);
    const ${out} y = ${p}convert(${", ".join(digits)}, size - 1UL, 0UL, least, unit, special, bound);
    return is_legal ? y : (${out})NAN;
% endif
}
