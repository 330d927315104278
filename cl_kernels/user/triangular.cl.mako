<%include file="../fill/triangle.cl.mako"/>
// A triangular number from left to right; NaN where these or the mode are not legal.
CLRNG_INLINE ${out} ${q}free(${", ".join(chosen)}, ${raw})
{
    const bool is_legal = left <= mode && mode <= right && left < right && left >= -${largest} && right <= ${largest};
    return is_legal ? (${out})${q}triangle(left, mode, right, ${number}) : (${out})NAN;
}
