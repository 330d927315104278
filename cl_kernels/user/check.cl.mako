<%
    arguments = f"__global {out} *restrict out, __global {word} *restrict words"
    many = order > 1 and not ring
%>
// Values of ${function} for clrng.check_program: ${each} of each work-item, one piece of the stream behind the other.
% if guard:
#ifndef ${guard}
% endif
__kernel void ${p}check_${checked}(${arguments})
{
% if near:
    ${p}local_${called}(copy);
% endif
    const ulong item = get_global_id(0);
% if many:
    ${word} first[${order}];
    for (uint i = 0; i < ${order}; i++) first[i] = words[i];
% endif
    ${p}state state = ${p}seed(${f"words + {order} * item" if ring else ("first" if many else "words[0]") + f", {each * steps} * item"});
    for (uint i = 0; i < ${each}; i++) out[${each} * item + i] = ${p}${function}(&state${", copy" if near else ""});
}
% if guard:
#endif
% endif
