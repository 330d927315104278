<% type = f"{word}{w}" %>
// x_i = x_{i-${twister.n - twister.m}} xor y A, where y is the upper bits of x_{i-${twister.n}} and the lower ${twister.r} of x_{i-${twister.n - 1}}.

CLRNG_INLINE ${type} ${p}combine(const ${type} first, const ${type} second, const ${type} middle)
{
    const ${type} y = (first & ${twister.upper}${u}) | (second & ${twister.lower}${u});
% if not w and word == "uint":
    return middle ^ (y >> 1) ^ (second & 1${u}) * ${twister.a}${u};    // a product, as a GPU's multipliers are idle otherwise
% else:
    return middle ^ (y >> 1) ^ ((0${u} - (second & 1${u})) & ${twister.a}${u});
% endif
}

// The word after tempering.
CLRNG_INLINE ${type} ${p}output_bits(${type} x)
{
% if tempers:
    x ^= (x >> ${twister.u}) & ${twister.d}${u};
    x ^= (x << ${twister.s}) & ${twister.b}${u};
    x ^= (x << ${twister.t}) & ${twister.c}${u};
    x ^= x >> ${twister.l};
% endif
    return x;
}
