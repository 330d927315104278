% if width > 1:
<%include file="any_of.cl.mako" args="q=q"/>
% endif
<%
    any_of = (lambda it: f"{q}any_of({it})") if width > 1 else (lambda it: f"({it}) != 0")
    d, f, n = f"double{w}", f"float{w}", f"int{w}"
%>
// The hypergeometric numbers of `wanted` in single precision; and whether they are sure. Masses are relative to that of the mode. They go
// down on both sides the faster the further they are from it: what follows a mass m is less than a part m of those before.
CLRNG_INLINE ${n} ${q}near(const ${d} good, const ${d} bad, const ${d} sample, const ${f} wanted, ${n} *sure)
{
    const ${d} mode = clamp(floor((good + 1.0) * ((sample + 1.0) / (good + bad + 2.0))), max(sample - bad, 0.0), min(good, sample));
    const ${f} a = convert_${f}(good - mode), b = convert_${f}(sample - mode), c = convert_${f}(mode), d = convert_${f}(mode + (bad - sample));
    ${f} up = 1.0f, down = 1.0f, above = 0.0f, below = 0.0f;
    ${n} goes_up = -1, goes_down = -1;
    float i = 1.0f;
    for (; i < ${terms}.0f && ${any_of("goes_up | goes_down")}; i++) {
        const ${f} upwards = (c + i) * (d + i), downwards = (a + i) * (b + i), inverse = 1.0f / (upwards * downwards);
        up = goes_up ? up * ((a - (i - 1.0f)) * (b - (i - 1.0f)) * downwards * inverse) : 0.0f;
        down = goes_down ? down * ((c - (i - 1.0f)) * (d - (i - 1.0f)) * upwards * inverse) : 0.0f;
        above += up;
        below += down;
        goes_up = up > ${near_smallest}f;
        goes_down = down > ${near_smallest}f;
    }
    const ${f} all = above + below + 1.0f, goal = wanted * all, off = all * (${near_off[0]}f + ${near_off[1]}f * i);
    const ${n} is_up = goal >= below;
    const ${f} e = is_up ? a : c, g = is_up ? b : d, o = is_up ? c : a, p = is_up ? d : b;
    ${f} mass = 1.0f, left = is_up ? goal - below - 1.0f : below - goal, before = left + 1.0f;
    ${n} count = 0;
    for (float j = 1.0f; j < i; j++) {
        const ${n} goes_on = left >= 0.0f && mass > ${near_smallest}f;
        if (!${any_of("goes_on")}) break;
        mass = goes_on ? mass * ((e - (j - 1.0f)) * (g - (j - 1.0f)) / ((o + j) * (p + j))) : 0.0f;
        before = goes_on ? left : before;
        left -= mass;
        count = goes_on ? count + 1 : count;
    }
    const ${f} largest = (a + ${terms}.0f) * (b + ${terms}.0f) * (c + ${terms}.0f) * (d + ${terms}.0f);
    *sure = left < -off && before > off && largest < 1e37f && !(goes_up | goes_down);
    return convert_${n}(mode) + (is_up ? count : -count);
}
