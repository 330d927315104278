<%
    words = lambda d: f"raw[{steps_of_all} * i + {d}]" if steps_of_all > 1 else "raw[i]"
    given = [f"{each.name} + {each.name}_at[row]" if each.space else f"{each.name}_of[row]" for each in parameters]
    declared = [
        f"__global const {each.ctype} *restrict {each.name}, __global const uint *restrict {each.name}_at"
        if each.space else f"__global const {each.ctype} *restrict {each.name}_of" for each in parameters
    ]
%>
<%include file="place_of.cl.mako"/>
// Value i is made of the raw values from raw[${steps_of_all} * i] on, by the law with the number codes[c]; c and the place of the
// value follow from flat indices, by code_axes axes of the codes and, behind these, out_axes of the values. Of laws that
// another kernel makes, rows has ${others}u, and nothing is stored.
__kernel void convert_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                 const ulong first, const ulong n, __global const uint *restrict codes, const ulong first_code,
                                 const uint code_axes, const uint out_axes, __global const ulong *restrict sizes,
                                 __global const long *restrict steps, __global const uint *restrict rows${"".join(f", {d}" for d in declared)})
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    const uint row = rows[codes[place_of(first_code + i, 0, code_axes, sizes, steps)]];
    if (row == ${others}u) return;
    out[offset + place_of(first + i, code_axes, out_axes, sizes, steps)] =
        ${p}convert(${", ".join([words(d) for d in range(own_steps)] + given)});
}
