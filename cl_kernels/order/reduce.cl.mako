## value, total    OpenCL types of the values, or "float16" or "bfloat16", and of what is made of them
## operation       "sum", "min" or "max"
## term            "value", "square" (of the difference from the row's value of `of`) or "place" (of what equals that, or is NaN)
## width           values that are combined side by side: the work-items of a group or, where `group` is 1, of one's array
## turns           how often
<%
    real = total in ("float", "double")
    combined = {"sum": "x + y", "min": "y < x || y != y ? y : x", "max": "y > x || y != y ? y : x"}[operation]
    of_row = term != "value"
    whole = width * turns
    short = value in ("float16", "bfloat16")
    held = "ushort" if short else value
%>
// What is made of each block of ${whole} values of each row of n, by the same tree everywhere: value k of a block is combined
// with those ${width} before and behind it, in order, and the ${width} results by halves. No product is fused with a sum.
#pragma OPENCL FP_CONTRACT OFF
CLRNG_INLINE ${total} combine(const ${total} x, const ${total} y) { return ${combined}; }

% if value == "float16":
// Numbers below 2^-14 are multiples of 2^-24; 2^112 makes of an exponent of ${value} that of a float.
CLRNG_INLINE float value_of(const uint bits)
{
    const uint size = bits & 0x7fffu;
    const float normal = as_float(size << 13) * 0x1p112f, small = (float)size * 0x1p-24f;
    const float found = size >= 0x7c00u ? as_float(0x7f800000u | size << 13) : size < 0x400u ? small : normal;
    return bits & 0x8000u ? -found : found;
}
#define VALUE(k) value_of(a[k])
% elif value == "bfloat16":
#define VALUE(k) as_float((uint)a[k] << 16)
% else:
#define VALUE(k) a[k]
% endif

__kernel void reduce(__global const ${held} *restrict a, const ulong a_offset, const ulong n, const ulong blocks,
${f"                     __global const {of} *restrict of, const ulong of_offset," if of_row else ""}
                     __global ${total} *restrict out, const ulong out_offset)
{
    const ulong block = get_group_id(0), row = block / blocks, first = (block - row * blocks) * ${whole};
    const ulong length = min(n - first, (ulong)${whole});
    a += a_offset + row * n + first;
% if of_row:
    const ${of} own = of[of_offset + row];
% endif
% if term == "value":
#define TERM(k) ((${total})VALUE(k))
% elif term == "square":
#define TERM(k) (((${total})VALUE(k) - own) * ((${total})VALUE(k) - own))
% else:
#define TERM(k) (VALUE(k) == own || VALUE(k) != VALUE(k) ? first + (k) : (ulong)-1)
% endif
    const ${total} nothing = ${("-0.0f" if total == "float" else "-0.0" if real else "0") if operation == "sum" else "TERM(0)"};
% if group == 1:
    ${total} of_lanes[${width}];
    for (uint lane = 0; lane < ${width}; lane++) of_lanes[lane] = nothing;
    uint begin = 0;
    for (; begin + ${width} <= length; begin += ${width})
        for (uint lane = 0; lane < ${width}; lane++) of_lanes[lane] = combine(of_lanes[lane], TERM(begin + lane));
    for (uint lane = 0; begin + lane < length; lane++) of_lanes[lane] = combine(of_lanes[lane], TERM(begin + lane));
    for (uint step = ${width // 2}; step > 0; step /= 2)
        for (uint lane = 0; lane < step; lane++) of_lanes[lane] = combine(of_lanes[lane], of_lanes[lane + step]);
% else:
    __local ${total} of_lanes[${width}];
    const uint lane = get_local_id(0);
    ${total} own_lane = nothing;
    for (uint k = lane; k < length; k += ${width}) own_lane = combine(own_lane, TERM(k));
    of_lanes[lane] = own_lane;
    for (uint step = ${width // 2}; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step) of_lanes[lane] = combine(of_lanes[lane], of_lanes[lane + step]);
    }
    if (lane > 0) return;
% endif
    const ${total} found = of_lanes[0];
% if real:
    out[out_offset + block] = found != found ? ${"as_float(0x7fc00000u)" if total == "float" else "as_double(0x7ff8000000000000UL)"} : found;
% else:
    out[out_offset + block] = found;
% endif
}
