<%page args="q, kind='int', lanes=16"/>
// Whether any of these masks is set. The builtin looks at one after another in PoCL.
CLRNG_INLINE bool ${q}any_of(const ${kind}${lanes} of_${lanes})
{
% for n in [each for each in (8, 4, 2) if each < lanes]:
    const ${kind}${n} of_${n} = of_${2 * n}.lo | of_${2 * n}.hi;
% endfor
    return (of_2.x | of_2.y) != 0;
}
