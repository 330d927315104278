<%page args="prefix, vector, block, rounds, first=0"/>
<%
    lines, lanes = [], [0]
    for r in range(rounds):
        further = block >> r + 1 if 2**r < block else 2**r
        for j in range(first, first + 2**rounds, 2 << r):
            for lane in lanes:
                given = f"y{r}_{j}_{lane}, y{r}_{j + 2**r}_{lane}"
                for name, to in (("low", lane), ("high", lane + further)):
                    lines.append(f"const {vector} y{r + 1}_{j}_{to} = {prefix}zip_{name}_{r}({given});")
        lanes += [lane + further for lane in lanes]
%>
        // y<r>_<j>_<l> has, after r rounds, what 2^r vectors from number j on had in element l and others of a block.
% for line in lines:
        ${line}
% endfor
