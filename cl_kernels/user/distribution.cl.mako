<%
    taken = "".join(f"const {value} x{d} = {p}next_raw(state);\n    " for d in range(steps))
    endings = [(local, chosen) for local in ((False, True) if has_tables else (False,)) for chosen in ((False, True) if run_time else (False,))]
    chosen_at_run_time = lambda chosen: "".join(f", {each}" for each in run_time) if chosen else ""
    raw = ", ".join(f"const {value} {digit}" for digit in digits)
    names = [declaration.name for declaration in near]
    passed = ", ".join(f"copy##_{name}" for name in names)
%>
% if floats or is_free:
#ifdef __FAST_RELAXED_MATH__
#error "clrng's distributions are exact only without -cl-fast-relaxed-math; raw values and most integers are exact with it"
#endif
% endif
% for table, kind, count, rows in tables:
__constant ${kind} ${table}[${count}] = {
    ${",\n    ".join(rows)}
};
% endfor
${convert}
% if near:
// The place of a work-item in its group, and how many there are, in up to three dimensions.
CLRNG_INLINE uint ${own}item(void)
{
    return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
CLRNG_INLINE uint ${own}items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
typedef struct { ${" ".join(f"{declaration};" for declaration in near)} } ${own}copy;
// A function of its own, so that no compiler reads constant memory before it knows that it must.
CLRNG_CALLED ${out} ${own}cold(${raw}) { return ${own}convert(${", ".join([*digits, *given])}); }
CLRNG_INLINE ${out} ${own}local(${raw}, const ${own}copy copy)
{
    bool is_cold = false;
    const ${out} y = ${own}local_convert_hot(${", ".join([*digits, "&is_cold", *(f"copy.{name}" for name in names), *given])});
    return is_cold ? ${own}cold(${", ".join(digits)}) : y;
}
#define ${p}local_${called}(copy) ${"\\"}
% for line in copying:
${line} ${"\\"}
% endfor
    const ${own}copy copy = {${passed}}
% elif has_tables:
// On this device the tables are read where they are.
typedef struct { uint none; } ${own}copy;
#define ${p}local_${called}(copy) const ${own}copy copy = {0}
% endif
% for local, chosen in endings if has_own else []:
CLRNG_INLINE ${out} ${p}next_${called}${"_with" if chosen else ""}${"_local" if local else ""}(${p}state *state${f", const {own}copy copy" if local else ""}${chosen_at_run_time(chosen)})
{
    ${taken}return ${call(local=local and bool(near), chosen=chosen)};
}
% endfor
% if free:
#ifndef __FAST_RELAXED_MATH__
CLRNG_INLINE ${out} ${p}next_${called}_of(${p}state *state, ${", ".join(free)})
{
    ${taken}return ${own}free(${", ".join([*(each.name for each in free), *digits])});
}
#endif
% endif
% if is_of_shapes:
CLRNG_INLINE ${out} ${p}next_${called}_of(${p}state *state, __global const uint *restrict tables, const ${out} shape)
{
    ${taken}return ${own}of(tables, shape, ${", ".join(digits)});
}
% endif
