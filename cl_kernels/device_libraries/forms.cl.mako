#pragma OPENCL FP_CONTRACT OFF
% if combined or kind in of_doubles or (kind == "torch_normal" and dtype == "float64"):
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// The logarithm of a number above 0 and up to 1, as the same sums and products make it on every device.
CLRNG_INLINE double form_log(const double x)
{
    const ulong bits = as_ulong(x) - 0x3fe6a09e00000000UL;
    const int k = (int)((long)bits >> 52);
    const double f = as_double((bits & 0xfffffffffffffUL) + 0x3fe6a09e00000000UL) - 1.0;
    const double s = f / (2.0 + f), z = s * s, h = 0.5 * f * f;
    double r = ${logarithm[-1]};
% for c in reversed(logarithm[:-1]):
    r = r * z + ${c};
% endfor
    return k * ${log2_high} - ((h - (s * (h + r * z) + k * ${log2_low})) - f);
}

// The sine and cosine of quarter * pi / 2 + angle, where the angle is at most pi / 4 in size.
CLRNG_INLINE void form_sincos(const int quarter, const double angle, double *sine, double *cosine)
{
    const double z = angle * angle;
    double a = ${sine[-1]}, b = ${cosine[-1]};
% for c in reversed(sine[:-1]):
    a = a * z + ${c};
% endfor
% for c in reversed(cosine[:-1]):
    b = b * z + ${c};
% endfor
    a = angle + angle * z * a;
    b = 1.0 - (0.5 * z - z * z * b);
    const double s = (quarter & 1) != 0 ? b : a, c = (quarter & 1) != 0 ? a : b;
    *sine = (quarter & 2) != 0 ? -s : s;
    *cosine = ((quarter + 1) & 2) != 0 ? -c : c;
}
% endif

% if kind == "torch_normal" and dtype == "float32":
// As PyTorch has it for processors with AVX2: functions of Cephes, whose products and sums its compiler has fused.
CLRNG_INLINE float form_log(const float x)
{
    float m = as_float((as_uint(x) & 0x7fffffu) | 0x3f000000u);
    const bool small = m < ${half_root};
    const float e = (float)(as_uint(x) >> 23) - 126.0f - (small ? 1.0f : 0.0f);
    m = (m - 1.0f) + (small ? m : 0.0f);
    const float z = m * m;
    float y = ${cephes["log"][0]};
% for c in cephes["log"][1:]:
    y = fma(y, m, ${c});
% endfor
    y = fma(y * m, z, e * ${cephes["log2"][0]});
    return fma(e, ${cephes["log2"][1]}, m + fma(-z, 0.5f, y));
}

// The square root, rounded to nearest: that of a device may be a few units in the last place off.
CLRNG_INLINE float form_sqrt(const float x)
{
    float s = sqrt(x);
    for (int i = 0; i < 3 && x > 0.0f; i++) {
        const float below = as_float(as_uint(s) - 1), above = as_float(as_uint(s) + 1);
        s = fma(-below, s, x) <= 0.0f ? below : fma(-above, s, x) > 0.0f ? above : s;
    }
    return s;
}

CLRNG_INLINE void form_sincos(float x, float *sine, float *cosine)
{
    const int eighth = ((int)(x * ${per_quarter}) + 1) & ~1;
% for c in cephes["quarter"]:
    x = fma((float)eighth, ${c}, x);
% endfor
    const float z = x * x;
    float a = ${cephes["cosine"][0]}, b = ${cephes["sine"][0]};
% for c in cephes["cosine"][1:]:
    a = fma(a, z, ${c});
% endfor
% for c in cephes["sine"][1:]:
    b = fma(b, z, ${c});
% endfor
    a = fma(a * z, z, -(z * 0.5f)) + 1.0f;
    b = fma(b * z, x, x);
    const float s = (eighth & 2) == 0 ? b : a, c = (eighth & 2) == 0 ? a : b;
    *sine = (eighth & 4) != 0 ? -s : s;
    *cosine = ((eighth + 2) & 4) != 0 ? -c : c;
}
% endif

<%
    upper, lower = ("w[1]", "w[0]") if low_first else ("w[0]", "w[1]")
    upper = f"({upper} >> {dropped})" if dropped else upper
    joined = "w[0]" if words == 1 else f"((ulong){upper} << 32 | {lower})"
    suffix = "f" if dtype == "float32" else ""
%>\
// What the library makes of ${words} word(s): ${values} value(s).
CLRNG_INLINE void form(const uint *w, ${ctype} *y, const ulong range, const long low)
{
% if kind in ("word", "pieces") and combined:
    const uint word = convert_uint_sat((w[0] - ${f"{combined.least}.0"}) * ${combined.bits.hex()});
% endif
% if kind == "word":
    y[0] = ${"word" if combined else joined};
% elif kind == "pieces":
% for i in range(values):
    y[${i}] = (${ctype})(${"word" if combined else f"w[{32 * words // values * i // 32}]"} >> ${32 * words // values * i % 32});
% endfor
% elif kind == "half_open" and combined:
    y[0] = (${ctype})(w[0] * ${combined.norm.hex()});
% elif kind == "scaled":
    y[0] = (${ctype})(${joined} >> ${shift} & ${f"{2**bits - 1}UL"}) * 0x1p-${bits}${suffix}${f" + {(added * 2.0**-bits).hex()}{suffix}" if added else ""};
% elif kind == "half_open" and words == 1:
    const float x = (float)w[0] * 0x1p-32f + 0x1p-33f;
% if dtype == "bfloat16":
    const uint bits = as_uint(x), nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    y[0] = nearest == 0x3f80u ? 0 : nearest;
% elif dtype == "float16":
    // The sum with 2^13 times the power of two at or below x, at least 2^-14, is rounded to a float16's last digit.
    const uint p = max(as_uint(x), 0x38800000u) & 0x7f800000u, times_2_13 = p + 0x06800000u;
    const uint n = as_uint(x + as_float(times_2_13)) - times_2_13, nearest = n + (p >> 13) - 0x1c400u;
    y[0] = nearest == 0x3c00u ? 0 : nearest;
% else:
    y[0] = ${"x == 1.0f ? 0.0f : x" if turned else "x"};
% endif
% elif kind == "half_open":
    const double x = (double)(w[0] ^ (ulong)w[1] << 21) * 0x1p-53 + 0x1p-54;
    y[0] = ${"x == 1.0 ? 0.0 : x" if turned else "x"};
% elif kind == "middle":
    y[0] = (${ctype})((ulong)w[0] * 2 + 1) * 0x1p-33${"f" if dtype == "float32" else ""};
% elif kind == "upper_end":
    y[0] = (${ctype})((ulong)w[0] + 1) * 0x1p-32${"f" if dtype == "float32" else ""};
% elif kind == "inverse_normal":
    const double centred = (double)((long)w[0] * 2 + 1 - (1L << 32)) * 0x1p-33;
    const bool tail = fabs(centred) > 0.425;
    const double r = tail ? sqrt(-form_log(0.5 - fabs(centred))) - 1.6 : 0.180625 - centred * centred;
% for name, (inside, tails) in zip(("above", "below"), zip(*inverse)):
    double ${name} = tail ? ${tails[-1]} : ${inside[-1]};
% for near, far in zip(reversed(inside[:-1]), reversed(tails[:-1])):
    ${name} = ${name} * r + (tail ? ${far} : ${near});
% endfor
% endfor
    y[0] = (${ctype})(tail ? (centred < 0 ? -(above / below) : above / below) : centred * (above / below));
% elif kind == "approximate_normal":
    const double x = ((double)w[0] + 1.0) * 0x1p-31 - 1.0, z = (1.0 - x) * (1.0 + x);
    const double logarithm = form_log(z > 0 ? z : 1.0), near = ${winitzki} + 0.5 * logarithm;
    const double root = sqrt(sqrt(near * near - logarithm / 0.147) - near);
    y[0] = (x < 0 ? -root : root) * ${root_2};
% elif kind == "remainder":
    y[0] = (${ctype})((ulong)low + ${joined} % ${"(uint)range" if words == 1 else "range"});
% elif kind == "erf_inv":
    const double x = (double)((int)(w[0] >> 9) * 4 - 16777215) * 0x1p-24;
    double q = -form_log(1.0 - (double)((float)x * (float)x));
    const bool central = q < 5.0;
    q = central ? q - 2.5 : sqrt(q) - 3.0;
    double r = central ? ${central[0]} : ${outer[0]};
% for c, o in zip(central[1:], outer[1:]):
    r = r * q + (central ? ${c} : ${o});
% endfor
    y[0] = (float)(r * x) * 0x1.6a09e6p+0f;
% elif kind == "tensorflow_normal":
    const float u = fmax((float)(w[0] & 0x7fffffu) * 0x1p-23f, 1e-7f);
    const float v = 0x1.921fb6p+2f * ((float)(w[1] & 0x7fffffu) * 0x1p-23f);
    const float radius = (float)sqrt((double)(-2.0f * (float)form_log(u)));
    const int quarter = (int)(v * 0x1.45f306dc9c883p-1 + 0.5);
    double sine, cosine;
    form_sincos(quarter, (v - quarter * ${quarter_high}) - quarter * ${quarter_low}, &sine, &cosine);
    y[0] = (float)sine * radius;
    y[1] = (float)cosine * radius;
% elif kind == "torch_normal" and dtype == "float32":
    const float u = (float)(w[0] & 0xffffffu) * 0x1p-24f, v = (float)(w[1] & 0xffffffu) * 0x1p-24f;
    const float radius = form_sqrt(-2.0f * form_log(1.0f - u));
    float sine, cosine;
    form_sincos(0x1.921fb6p+2f * v, &sine, &cosine);
    y[0] = radius > 0 ? radius * cosine : 0;    // no zero is negative
    y[1] = radius > 0 ? radius * sine : 0;
% elif kind == "torch_normal":
    const double u = (double)(((ulong)w[0] << 32 | w[1]) & 0x1fffffffffffffUL) * 0x1p-53;
    const double v = (double)(((ulong)w[2] << 32 | w[3]) & 0x1fffffffffffffUL) * 0x1p-53;
    const double radius = sqrt(-2.0 * form_log(1.0 - u)), angle = 0x1.921fb54442d18p+2 * v;
    const int quarter = (int)(angle * 0x1.45f306dc9c883p-1 + 0.5);
    double sine, cosine;
    form_sincos(quarter, (angle - quarter * ${quarter_high}) - quarter * ${quarter_low}, &sine, &cosine);
    y[0] = radius > 0 ? radius * cosine : 0;    // no zero is negative
    y[1] = radius > 0 ? radius * sine : 0;
% elif kind == "box_muller" and dtype == "float32":
% if combined:
    const float u = (float)(w[0] * ${combined.norm.hex()}), v = (float)(w[1] * ${combined.norm.hex()}) * 0x1.921fb6p+2f;
% else:
    const float u = (float)w[0] * 0x1p-32f + ${(added * 2.0**-32).hex()}f;
    const float v = (float)((double)(float)w[1] * ${turn} + ${turn} * ${float(added)});
% endif
    const float s = (float)sqrt((double)(-2.0f * (float)form_log(u)));
    const int quarter = (int)(v * 0x1.45f306dc9c883p-1 + 0.5);
    double sine, cosine;
    form_sincos(quarter, (v - quarter * ${quarter_high}) - quarter * ${quarter_low}, &sine, &cosine);
    y[0] = (float)sine * s;
    y[1] = (float)cosine * s;
% elif kind == "box_muller":
% if combined:
    const double u = ${"(float)" if combined.single else ""}(w[0] * ${combined.norm.hex()});
    const double v = ${"(double)(float)" if combined.single else ""}(w[1] * ${combined.norm.hex()}) * 2.0;
% else:
    const double u = (double)(w[0] ^ (ulong)w[1] << 21) * 0x1p-53 + ${(added * 2.0**-53).hex()};
    const double v = (double)(w[2] ^ (ulong)w[3] << 21) * 0x1p-52 + ${(added * 2.0**-52).hex()};
% endif
    const double s = sqrt(-2.0 * form_log(u));
    const int quarter = (int)(2.0 * v + 0.5);
    double sine, cosine;
    form_sincos(quarter, (v - 0.5 * quarter) * 0x1.921fb54442d18p1, &sine, &cosine);
    y[0] = sine * s;
    y[1] = cosine * s;
% endif
}
