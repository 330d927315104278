<%include file="normal_near.cl.mako"/>
<%
    f, n = f"float{w}", f"int{w}"
    any_of = (lambda mask: f"{q}any_of({mask})") if width > 1 else (lambda mask: mask)
    minus = "-" if width > 1 else "+"
%>
// The integer at or below a place, `whole` and what is behind it, that is off by less than so much; and whether it is sure, as no other
// is that near. `nearest` is the integer nearest to the place, or -1 where another one may be as near, or the place is not near at all.
CLRNG_INLINE ${n} ${q}below(const ${n} whole, const ${f} place, const ${f} off, const ${n} is_near, ${n} *sure, ${n} *nearest)
{
    const ${f} below = floor(place), above = place - below;
    const ${n} k = whole + convert_${n}(below), is_known = is_near && off < 0.45f;
    *sure = is_known && above > off && above < 1.0f - off;
    *nearest = is_known ? k ${minus} (above > 0.5f) : -1;
    return k;
}

// The smallest k of which the masses up to that of k are more than `wanted` together, and whether it is sure, for those that are `asked`.
// The first mass is given; the masses of 1, 2, ... follow by products with (first + (i - 1) more) / i. Up to k they are off by less than
// ${sum_off[0]} + ${sum_off[1]} k.
CLRNG_INLINE ${n} ${q}summed(const ${n} asked, ${f} mass, const ${f} first, const ${f} more, const ${f} wanted, ${n} *sure)
{
    ${f} left = asked ? wanted - mass : -1.0f, before = 1.0f;
    ${n} count = 0;
% if width > 1:
    // Four at a time. Masses stay above those that are slow because they are tiny.
    for (int i = 1; i < ${terms} && ${q}any_of(left >= 0.0f); i += 4)
#pragma unroll
        for (int j = i; j < i + 4; j++) {
            const ${n} goes_on = left >= 0.0f;
            mass = max(mass * (max(CLRNG_NEAR(more, (${f})((float)(j - 1)), first), 0.0f) * (1.0f / (float)j)), 1e-37f);
            before = goes_on ? left : before;
            left = goes_on ? left - mass : left;
            count = goes_on ? count + 1 : count;
        }
% else:
    for (int i = 1; i < ${terms}; i++) {
        const ${n} goes_on = left >= 0.0f;
        if (!goes_on) break;
        mass *= max(CLRNG_NEAR(more, (${f})((float)(i - 1)), first), 0.0f) * (1.0f / (float)i);
        before = goes_on ? left : before;
        left = goes_on ? left - mass : left;
        count += goes_on;
    }
% endif
    const ${f} off = ${sum_off[0]}f + ${sum_off[1]}f * convert_${f}(count);
    *sure = left < -off && before > off;
    return count;
}
