## The raw values x0, x1, ... of the elements from `begin` on: those of number i begin at raw[first_raw(i, inner, ${steps})], `inner` apart.
% if width > 1:
% if steps == 1:
    if (is_whole && inner == 1) x0 = vload${width}(0, raw + begin);
    else
% endif
    {
        ${value} lanes[${steps}][${width}];
        for (uint i = 0; i < ${width}; i++) {
            __global const ${value} *at = raw + first_raw(min(begin + i, n - 1), inner, ${steps});
            for (uint d = 0; d < ${steps}; d++) lanes[d][i] = at[d * inner];
        }
% for d in range(steps):
        x${d} = vload${width}(0, lanes[${d}]);
% endfor
    }
% else:
    __global const ${value} *digits = raw + first_raw(begin, inner, ${steps});
% for d in range(steps):
    x${d} = digits[${f"{d} * inner" if d else 0}];
% endfor
% endif
