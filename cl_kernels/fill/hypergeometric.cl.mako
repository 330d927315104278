<%include file="place_of.cl.mako"/>
<%include file="hypergeometric_settle.cl.mako"/>
<%include file="hypergeometric_near.cl.mako"/>
<%namespace name="several" file="several.cl.mako"/>
// The value of an element. One that is not sure is put in a list, behind their number: the index, X and the
// parameters, the lower words first.
${"CLRNG_CALLED" if width > 1 else "CLRNG_INLINE"} long ${q}settled(const double good, const double bad, const double sample, const ulong number, const uint index, __global uint *unsure,
                          const uint capacity)
{
    long k;
    if (!${q}settle(good, bad, sample, (double)number * ${1.0 / numbers}, &k)) {
        const uint found = atomic_inc(unsure);
        if (found < capacity) {
            unsure += 1 + ${entry} * found;
            unsure[0] = index;
            const ulong words[] = {number, (ulong)good, (ulong)bad, (ulong)sample};
            for (uint i = 0; i < 4; i++) vstore2((uint2)((uint)words[i], (uint)(words[i] >> 32)), 0, unsure + 1 + 2 * i);
        }
    }
    return k;
}

// Makes the values of all elements of raw values.
__kernel void hypergeometric_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                        const ulong first, const uint n, const ulong inner, const uint out_axes, ${several.arguments(types)}, __global uint *restrict unsure, const uint capacity)
{
<%include file="numbers.cl.mako"/>
    double${w} good, bad, sample;
% for name in types:
<% own = "" if loop.first else f"{name}_" %>\
<%include file="given.cl.mako" args="name=name, kind='double', array=name + 's', axis=name, sizes=own + 'sizes', steps_along=own + 'steps'"/>
% endfor
% if width > 1:
    int${w} sure, k = ${q}near(good, bad, sample, convert_float${w}(number) * ${1.0 / numbers}f, &sure);
    if (${q}any_of(sure == 0)) {
% for i in map("{:x}".format, range(width)):
        if (!sure.s${i} && begin + 0x${i} < n) k.s${i} = ${q}settled(good.s${i}, bad.s${i}, sample.s${i}, number.s${i}, begin + 0x${i}, unsure, capacity);
% endfor
    }
% else:
    int sure;
    long k = ${q}near(good, bad, sample, convert_float(number) * ${1.0 / numbers}f, &sure);
    if (!sure) k = ${q}settled(good, bad, sample, number, begin, unsure, capacity);
% endif
<%include file="placed.cl.mako" args="name='k', axis='good'"/>\
    }
}

// Puts the values of a list in their places.
__kernel void put_listed(__global ${out} *restrict out, const ulong offset, __global const uint *restrict unsure,
                         __global const ${out} *restrict values, const uint n)
{
    const uint i = get_global_id(0);
    if (i < n) out[offset + unsure[1 + ${entry} * i]] = values[i];
}
