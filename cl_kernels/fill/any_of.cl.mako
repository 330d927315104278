% if width > 1:
// Whether any of these masks is set. The builtin looks at one after another in PoCL.
CLRNG_INLINE bool ${q}any_of(const int16 masks)
{
    const int8 of_8 = masks.lo | masks.hi;
    const int4 of_4 = of_8.lo | of_8.hi;
    return (of_4.x | of_4.y | of_4.z | of_4.w) != 0;
}
% endif
