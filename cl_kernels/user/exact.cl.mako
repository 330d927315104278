<%include file="words.cl.mako"/>
<%
    laws = {"poisson": "const uint m, const uint s", "binomial": "const uint n, const float p", "negative_binomial": "const float n, const float p",
            "hypergeometric": "const uint good, const uint bad, const uint sample"}
    given = {"poisson": "m, s", "binomial": "n, {0} ? odds_against : odds", "negative_binomial": "from, {0} ? over : failure", "hypergeometric": "good, bad, sample"}[law]
    step = lambda k, down: f"{q}step(mass, {k}, {given.format(down)}, {down})"
%>
// The mass of k - 1 becomes that of k, or `down` that of k that of k - 1.
% if law == "poisson":
CLRNG_INLINE void ${q}step(uint *mass, const uint k, const uint m, const uint s, const bool down)
{
    ${q}scale(mass, down ? k : m, down ? s : 0, down ? m : k, down ? 0 : s);
}
% elif law == "binomial":
CLRNG_CALLED void ${q}step(uint *mass, const uint k, const uint n, const uint *odds, const bool down)
{
    ${q}scale(mass, down ? k : n + 1 - k, 0, down ? n + 1 - k : k, 0);
    ${q}times(mass, odds);
}
% elif law == "hypergeometric":
CLRNG_CALLED void ${q}step(uint *mass, const uint k, const uint good, const uint bad, const uint sample, const bool down)
{
    const uint left = bad - sample + k;
    ${q}scale(mass, down ? k : good + 1 - k, 0, down ? good + 1 - k : k, 0);
    ${q}scale(mass, down ? left : sample + 1 - k, 0, down ? sample + 1 - k : left, 0);
}
% else:
CLRNG_CALLED void ${q}step(uint *mass, const uint k, const uint *from, const uint *failure, const bool down)
{
    uint ways[${words}];
% for i in range(words):
    ways[${i}] = from[${i}]${" + k - 1" if i == 7 else ""};
% endfor
    if (down) ${q}invert(ways);
    if (down) ${q}scale(mass, k, 0, 1, 0);
    ${q}times(mass, ways);
    ${q}times(mass, failure);
    if (!down) ${q}scale(mass, 1, 0, k, 0);
}
% endif

// The smallest k for which x < F(k) N and F(k) N is at least 1${", of the mean m 2^-s" if law == "poisson" else ""}: masses from about the largest one on to both
// sides, in integers, as clrng.distribution makes its thresholds. No loop begins unless it is asked for: llvmpipe would go on with
// that of a lane that has no work-item, whose masses are not set.
CLRNG_CALLED int ${q}exact(${laws[law]}, const ulong x, const bool asked)
{
    uint mass[${words}], total[${words}], below[${words}], reached[${many}], wanted[${many}];
% for i in range(words):
    below[${i}] = 0;
% endfor
% for i in range(many):
    reached[${i}] = 0;
% endfor
% if law == "poisson":
    const int mode = s < 32 ? (int)(m >> s) : 0;
% elif law == "hypergeometric":
    const uint mode = max((uint)((good + 1UL) * (sample + 1UL) / ((ulong)good + bad + 2UL)), sample > bad ? sample - bad : 0u);
% else:
    // What the next mass is multiplied by, and the one before.
<% up, back = ("odds", "odds_against") if law == "binomial" else ("failure", "over") %>
    uint ${up}[${words}], ${back}[${words}];
% if law == "binomial":
    uint success[${words}];
    ${q}fixed(success, p);
    ${q}fixed(odds, p);
    ${q}fixed(odds_against, p);
    ${q}fixed(mass, p);
    ${q}scale(mass, n + 1, 0, 1, 0);
    const int mode = (int)min(mass[7], n);
    ${q}less(odds_against, 1);
% for i in range(words):
    mass[${i}] = odds_against[${i}];
% endfor
    ${q}invert(mass);
    ${q}times(odds, mass);
    ${q}invert(success);
    ${q}times(odds_against, success);
% else:
    uint from[${words}];
    ${q}fixed(from, n);
    ${q}fixed(failure, p);
    ${q}fixed(over, p);
    ${q}less(failure, 1);
    ${q}less(over, 1);
    ${q}invert(over);
    const int mode = n > 1.0f ? (int)((n - 1.0f) * (1.0f - p) / p) : 0;
% endif
% endif
    ${q}start(mass);
    ${q}start(total);
    bool going = asked;
    for (uint k = (uint)mode + 1; going; k++) {
        ${step("k", "false")};
        ${q}add(total, mass);
        going = !${q}is_negligible(mass);
    }
    ${q}start(mass);
    going = asked && mode > 0;
    for (uint k = (uint)mode; going; k--) {
        ${step("k", "true")};
        ${q}add(below, mass);
        going = k > 1 && !${q}is_negligible(mass);
    }
    ${q}add(total, below);
    ${q}want(wanted, total, x);
    ${q}add_product(reached, below, ${", ".join(count_words)}, false);
    ${q}start(mass);
    const bool down = ${q}is_above(reached, wanted);
    ${q}add_product(reached, mass, ${", ".join(f"down ? 0u : {word}" for word in count_words)}, false);
    uint found = (uint)mode;
    going = asked && (down || !${q}is_above(reached, wanted));
    while (going) {
        ${step("(down ? found : found + 1)", "down")};
        ${q}add_product(reached, mass, ${", ".join(count_words)}, down);
        found = down ? found - 1 : found + 1;
        const bool above = ${q}is_above(reached, wanted);
        going = down ? above && found > 0 : !above && !${q}is_negligible(mass);
    }
    return (int)found;
}
