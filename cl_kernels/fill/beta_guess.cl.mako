<%page args="p, width, kind"/>\
<%
    is_near = kind == "float"
    size = str(width) if width > 1 else ""
    t, i = f"{kind}{size}", f"{'int' if is_near else 'long'}{size}"
    mask = i if width > 1 else "int"
    r = p + ("near_" if is_near else "far_")
    of = lambda x: f"{x!r}f" if is_near else repr(x)
    any_of = (lambda it: f"vector_{'near_' if is_near else ''}any_of({it})") if width > 1 else (lambda it: it)
%>\
% if is_near:
CLRNG_INLINE ${t} ${r}exp(const ${t} x)
{
    const ${t} kept = clamp(x, -86.0f, 87.0f), n = rint(kept * ${of(log2_e)}), y = kept - n * ${of(sum(ln2))};
    return as_${t}((convert_${i}(n) + 127) << 23) * (1.0f + y * (1.0f + y * (0.5f + y * (${of(1 / 6)} + y * (${of(1 / 24)} + y * ${of(1 / 120)})))));
}

CLRNG_INLINE ${t} ${r}log(const ${t} y)
{
    const ${i} n = (as_${i}(y) - 0x3f3504f3) >> 23;
    const ${t} f = as_${t}(as_${i}(y) - (n << 23)) - 1.0f, s = f * native_recip(2.0f + f), z = s * s;
    return convert_${t}(n) * ${of(sum(ln2))} + s * (2.0f + z * (${of(2 / 3)} + z * (${of(2 / 5)} + z * ${of(2 / 7)})));
}

// Returns log(1 - exp(x)).
CLRNG_INLINE ${t} ${r}log_rest(const ${t} x) { return ${r}log(max(1.0f - ${r}exp(x), 1e-7f)); }

// Returns I(x; a, b) over P by a continued fraction, and the exponent of P but for a factor. A smaller x makes no difference, and squares
// that are not normal numbers, which take processors long.
CLRNG_INLINE ${t} ${r}ratio(const ${t} a, const ${t} b, const ${t} odds, const ${t} w, ${t} *exponent)
{
    const ${t} both = a + b, rest = native_recip(1.0f + odds), x = max(odds * rest, 1e-17f), one = a * rest + (1.0f - b * x), more = 1.0f + rest;
    *exponent = a * w - both * ${r}log((b + b * odds) * native_recip(both));
    ${t} above = native_recip(a + ${of(2.0 * guess_terms + 1)}), below, ratio = 0.0f;
% for n in range(guess_terms, 0, -1):
    below = native_recip(a + ${of(2.0 * n - 1)});
    {
        const ${t} part = ${of(float(n))} * (b - ${of(float(n))}) * x * below;
        const ${t} term = ${of(float(n))} + part + (a + ${of(float(n))}) * (one + ${of(float(n))} * more) * above;
        ratio = (a + ${of(n - 1.0)}) * (both + ${of(n - 1.0)}) * part * x * below * native_recip(term + ratio);
    }
    above = below;
% endfor
    return native_recip(a * one * above + ratio);
}
% else:
CLRNG_INLINE ${t} ${r}exp(const ${t} x) { return ${p}most_exp(x); }

CLRNG_INLINE ${t} ${r}log(const ${t} y) { return ${p}most_log_of(y, y - 1.0); }

CLRNG_INLINE ${t} ${r}log_rest(const ${t} x) { return ${r}log(-${p}most_expm1(min(x, -1e-300))); }

CLRNG_INLINE ${t} ${r}ratio(const ${t} a, const ${t} b, const ${t} odds, const ${t} w, ${t} *exponent)
{
    ${t} error;
    return ${p}few_ratio(a, b, odds, w, exponent, &error);
}
% endif

// A first guess of w, by a normal number: for a and b above 1.
CLRNG_INLINE ${t} ${r}normal_guess(const ${t} a, const ${t} b, const ${t} tail, const ${mask} is_lower)
{
    const ${t} root = sqrt(${of(-2.0)} * ${r}log(tail));
    const ${t} size = root - (2.515517${"f" if is_near else ""} + root * (${of(0.802853)} + root * ${of(0.010328)})) / (${of(1.0)} + root * (${of(1.432788)} + root * (${of(0.189269)} + root * ${of(0.001308)})));
    const ${t} z = is_lower ? -size : size, of_a = ${of(1.0)} / (${of(2.0)} * a - ${of(1.0)}), of_b = ${of(1.0)} / (${of(2.0)} * b - ${of(1.0)});
    const ${t} third = (z * z - ${of(3.0)}) * ${of(1 / 6)}, h = ${of(2.0)} / (of_a + of_b);
    return ${of(2.0)} * (z * sqrt(max(h + third, ${of(0.05)} * h)) / h + (of_b - of_a) * (third + ${of(5 / 6)} - ${of(2.0)} / (${of(3.0)} * h)));
}

// A first guess of w, by the first terms of series in x and 1 - x.
CLRNG_INLINE ${t} ${r}guess_of_powers(const ${t} a, const ${t} b, const ${t} lower, const ${t} upper, const ${t} log_peak)
{
    const ${t} both = a + b, log_ratio = ${r}log(a / b), border = ${r}log((a + ${of(1.0)}) / (b + ${of(1.0)}));
    const ${t} log_x = ${r}log(a / both) + (${r}log(lower * a) - log_peak) / a, log_rest = ${r}log(b / both) + (${r}log(upper * b) - log_peak) / b;
    const ${t} below = log_x < ${of(0.0)} ? log_x - ${r}log_rest(log_x) : border;
    const ${t} above = log_rest < ${of(0.0)} ? ${r}log_rest(log_rest) - log_rest : border;
    ${t} exponent;
    const ${t} ratio = ${r}ratio(b, a, (b + ${of(1.0)}) / (a + ${of(1.0)}), log_ratio - border, &exponent);
    return (upper < ratio * ${r}exp(exponent + log_peak) ? max(above, border) : min(below, border)) - log_ratio;
}

// Brings w near to where I(x; a, b) is `tail`, and 1 less that `other`, where `is_far` says that it is not: by three terms of the inverse
// series of the logarithm of I. Where it says so in the end, w is not near.
CLRNG_INLINE ${t} ${r}guess(${t} a, ${t} b, ${t} tail, ${t} other, const ${t} log_peak, ${mask} *is_far, ${mask} *is_upper)
{
    const ${mask} small = a <= ${of(1.0)} || b <= ${of(1.0)};
    ${t} w = ${r}normal_guess(a, b, min(tail, other), tail < other);
    if (${any_of("small")}) w = small ? ${r}guess_of_powers(a, b, tail, other, log_peak) : w;
    ${t} odds = ${r}exp(w) * (a / b);
    ${mask} turns = odds >= (a + ${of(1.0)}) / (b + ${of(1.0)});
    *is_upper = 0;
    for (int turn = 0; turn <= ${max_guesses}; turn++) {
        const ${t} old_a = a, old_tail = tail;
        a = turns ? b : a;
        b = turns ? old_a : b;
        tail = turns ? other : tail;
        other = turns ? old_tail : other;
        odds = turns ? ${of(1.0)} / odds : odds;
        w = turns ? -w : w;
        *is_upper ^= turns;
        if (turn == ${max_guesses} || !${any_of("*is_far")}) break;
        ${t} exponent;
        const ${t} ratio = ${r}ratio(a, b, odds, w, &exponent), rest = ${of(1.0)} / (${of(1.0)} + odds), x = odds * rest;
        const ${t} missing = ${r}log(tail / ratio) - exponent - log_peak, line = missing * ratio;
        const ${t} one = a * rest - b * x, two = -(a + b) * x * rest, inverse = ${of(1.0)} / ratio, less = one - inverse;
        const ${t} bent = less * less + two - less * inverse, near = line * (${of(1.0)} - ${of(0.5)} * line * less + (${of(0.5)} * less * less - bent * ${of(1 / 6)}) * line * line);
        const ${t} step = min(fabs(missing) > ${of(2.0)} || fabs(near - line) > ${of(0.5)} * fabs(line) ? line : near, (${t})(${of(2.0)}));
        odds = *is_far ? odds * ${r}exp(step) : odds;
        w = *is_far ? w + step : w;
        *is_far = *is_far && fabs(step) * (fabs(one) + sqrt(-two) + inverse) >= ${of(close[0])};
        turns = *is_far && odds >= (a + ${of(1.0)}) / (b + ${of(1.0)});
    }
    return w;
}
