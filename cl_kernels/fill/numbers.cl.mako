<%
    u = "u" if value == "uint" else "UL"
    minus = f" - {min_value}{u}" if min_value else ""
    whole = lambda digits: f"convert_ulong{w}({digits[0]}{minus})" + (f" * {raw_values}UL + convert_ulong{w}({digits[1]}{minus})" if steps == 2 else "")
%>
    // X of the elements from `begin` on, in a loop that the kernel ends: its digits are raw[first_raw(i, inner, ${steps})] and, after every inner raw values, the next ones.
<%include file="turns.cl.mako" args="wide=width"/>\
    ulong${w} number;
% if width > 1:
    const bool is_whole = begin + ${width} <= n;
    if (is_whole && inner == 1) {
% if steps == 1:
        const ${value}${w} a = vload${width}(0, raw + begin);
        number = ${whole("a")};
% else:
        const ${value}${w} a = vload${width}(0, raw + 2 * begin), b = vload${width}(1, raw + 2 * begin);
        number = ${whole([f"({value}{w})(a.even, b.even)", f"({value}{w})(a.odd, b.odd)"])};
% endif
    } else {
        ulong lanes[${width}];
        for (uint i = 0; i < ${width}; i++) {
            __global const ${value} *at = raw + first_raw(min(begin + i, n - 1), inner, ${steps});
            lanes[i] = (ulong)(at[0]${minus})${f" * {raw_values}UL + (at[inner]{minus})" if steps == 2 else ""};
        }
        number = vload${width}(0, lanes);
    }
% else:
    __global const ${value} *digits = raw + (inner == 1 ? begin * ${steps} : first_raw(begin, inner, ${steps}));
    number = (ulong)(digits[0]${minus})${f" * {raw_values}UL + (digits[inner]{minus})" if steps == 2 else ""};
% endif
