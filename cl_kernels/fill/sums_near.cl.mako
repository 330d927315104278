<%include file="normal_near.cl.mako"/>
<%
    f, n = f"float{w}", f"int{w}"
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

% if not q:
// 1, 1/2, 1/3, ... Kernels of users have no table: it would be one for each law.
__constant float inverses[] = {${", ".join(f"1.0f / {i}.0f" for i in range(1, terms + 4))}};

% endif
// The smallest k of which the masses up to that of k are more than `wanted` together, and whether it is sure, for those that are `asked`.
// The first mass is given; the masses of 1, 2, ... follow by products with (first + (i - 1) more) / i. Up to k they are off by less than
// ${sum_off[0]} + ${sum_off[1]} k.
CLRNG_INLINE ${n} ${q}summed(const ${n} asked, ${f} mass, const ${f} first, const ${f} more, const ${f} wanted, ${n} *sure)
{
    ${f} left = asked ? wanted - mass : -1.0f, before = 1.0f;
    ${n} count = 0;
% if width > 1:
    // Four at a time, of which those behind what was wanted count no more. Their masses become 1: numbers that are tiny are slow.
    ${f} terms_so_far = 0.0f, counted = 0.0f, after = left;
    ${n} goes_on = left >= 0.0f;
    for (int i = 0; i < ${terms} && ${q}any_of(goes_on); i += 4) {
        mass = goes_on ? mass : 1.0f;
% for j in range(4):
        mass *= max(CLRNG_NEAR(more, terms_so_far, first), 0.0f) * inverses[i + ${j}];
        terms_so_far += 1.0f;
        before = goes_on ? left : before;
        left -= mass;
        after = goes_on ? left : after;
        counted = goes_on ? terms_so_far : counted;
        goes_on = left >= 0.0f;
% endfor
    }
    left = after;
    count = convert_${n}(counted);
% else:
    for (; count < ${terms} && left >= 0.0f; count++) {
        mass *= max(CLRNG_NEAR(more, (float)count, first), 0.0f) * ${"(1.0f / ((float)count + 1.0f))" if q else "inverses[count]"};
        before = left;
        left -= mass;
    }
% endif
    const ${f} off = ${sum_off[0]}f + ${sum_off[1]}f * convert_${f}(count);
    *sure = left < -off && before > off;
    return count;
}
