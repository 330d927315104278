<%
    d, least, largest = f"double{w}", f"-{most.hex()}", most.hex()
    arguments = [f"__global const {ctype} *restrict {name}s, const ulong first_{name}, const uint {name}_step" for name, ctype in types.items()]
    loaded = lambda name: f"convert_{d}(vload{width}(0, {name}s + first_{name} + begin))" if width > 1 else f"(double){name}s[first_{name} + begin]"
%>
// Sets *found where a left end, a mode and a right end are none of a triangular distribution. Where a step is 0, all n elements have one.
__kernel void find_no_triangles(__global uint *restrict found, const ulong n, ${", ".join(arguments)})
{
    const ulong i = get_global_id(0)${f" * {width}" if width > 1 else ""};
    if (i >= n) return;
    const ulong begin = ${f"min(i, n - {width})" if width > 1 else "i"};
% for name in types:
    const ${d} ${name} = ${name}_step ? ${loaded(name)} : (${d})(double)${name}s[first_${name}];
% endfor
    const long${w} is_one = left >= ${least} & left <= mode & mode <= right & left < right & right <= ${largest};
    if (!${"all(is_one)" if width > 1 else "is_one"}) atomic_or(found, 1u);
}
