// Behind the device code of a generator of the prefix draw_: streams that stay on the device from launch to launch.

typedef draw_state state;

// The state n steps after the seed.
state draw_at(const ulong n)
{
% if len(words) > 1:
    const ${word} seed[] = {${", ".join(words)}};
% else:
    const ${word} seed = ${words[0]};
% endif
    return draw_seed(seed, n);
}

__kernel void state_size(__global uint *size) { size[0] = sizeof(state); }

// Lets stream i begin `distance` i steps after the seed.
__kernel void begin(__global state *states, const ulong distance)
{
    states[get_global_id(0)] = draw_at(distance * get_global_id(0));
}
