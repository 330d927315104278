<%
    x, keys = [f"x{i}" for i in range(counter)], [f"k{i}" for i in range(key + 1)]
    kind = f"{word}{w}"
    odd = lambda r, j: x[(2 * j + 2 * (r % 2) + 1) % counter]
%>
// Threefry ${counter}x${64 if word == "ulong" else 32} with ${rounds} rounds: the values of a counter under a key${", as JAX has them" if folded else ""}.
CLRNG_INLINE void ${p}values_of(const ${kind} *counter, const ${word} *key, ${kind} *values)
{
    const ${word} ${", ".join(f"k{i} = key[{i}]" for i in range(key))}, k${key} = ${parity}${u} ^ ${" ^ ".join(keys[:-1])};
    ${kind} ${", ".join(f"{name} = counter[{counter - 1 - i if folded else i}] + {keys[i]}" for i, name in enumerate(x))};
% for r in range(rounds):
% for j, by in enumerate(rotations[r % 8]):
    ${x[2 * j]} += ${odd(r, j)};
    ${odd(r, j)} = rotate(${odd(r, j)}, (${kind})${by}) ^ ${x[2 * j]};
% endfor
% if r % 4 == 3:
<% n = r // 4 + 1 %>\
    ${" ".join(f"{name} += {keys[(n + i) % (key + 1)]}{f' + {n}{u}' if i == counter - 1 else ''};" for i, name in enumerate(x))}
% endif
% endfor
    ${"values[0] = x0 ^ x1;" if folded else " ".join(f"values[{i}] = {name};" for i, name in enumerate(x))}
}
