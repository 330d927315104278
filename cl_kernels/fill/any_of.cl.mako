% if width > 1:
// Whether any of these masks is set. The builtin looks at one lane after another in PoCL.
CLRNG_INLINE bool ${q}any_of(const int${width} masks)
{
<% half = width // 2 %>\
% while half > 1:
    const int${half} of_${half} = ${"masks" if 2 * half == width else f"of_{2 * half}"}.lo | ${"masks" if 2 * half == width else f"of_{2 * half}"}.hi;
<% half //= 2 %>\
% endwhile
    return (of_2.x | of_2.y) != 0;
}
% endif
