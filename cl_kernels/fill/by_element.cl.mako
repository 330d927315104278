<%
    words = lambda d: f"raw[{d} * inner]" if d else "raw[0]"
    given = [f"{each.name} + {each.name}_at[row]" if each.space else f"{each.name}_of[row]" for each in parameters]
    declared = [
        f"__global const {each.ctype} *restrict {each.name}, __global const uint *restrict {each.name}_at"
        if each.space else f"__global const {each.ctype} *restrict {each.name}_of" for each in parameters
    ]
%>
<%include file="place_of.cl.mako"/>
// Value j*inner + i, with i < inner, is made of the raw values raw[(${steps_of_all}*j + d)*inner + i], by the law with the number
// codes[c]; c and the place of the value follow from flat indices, by code_axes axes of the codes and, behind these, out_axes of
// the values. Of laws that another kernel makes, rows has ${others}u, and nothing is stored.
__kernel void convert_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                 const ulong first, const ulong n, const ulong inner, __global const uint *restrict codes, const ulong first_code,
                                 const uint code_axes, const uint out_axes, __global const ulong *restrict sizes,
                                 __global const long *restrict steps, __global const uint *restrict rows${"".join(f", {d}" for d in declared)})
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    const uint row = rows[codes[place_of(first_code + i, 0, code_axes, sizes, steps)]];
    if (row == ${others}u) return;
    raw += first_raw(i, inner, ${steps_of_all});
    out[offset + place_of(first + i, code_axes, out_axes, sizes, steps)] =
        ${p}convert(${", ".join([words(d) for d in range(own_steps)] + given)});
}
