// The hypergeometric number of `wanted`, the smallest k with F(k) above it; and whether it is sure. Masses are relative to that of the
// mode, and lie from `least` to `most`.
CLRNG_INLINE bool ${q}settle(const double good, const double bad, const double sample, const double wanted, long *value)
{
    const double least = fmax(sample - bad, 0.0), most = fmin(good, sample), rest = bad - sample;
    const double mode = clamp(floor((good + 1.0) * ((sample + 1.0) / (good + bad + 2.0))), least, most);
    double above = 0.0, below = 0.0, mass = 1.0;
    uint count = 0;
    for (double k = mode; k < most && mass > ${smallest}; k++, count++) {
        mass *= (good - k) * (sample - k) / ((k + 1.0) * (rest + 1.0 + k));
        above += mass;
    }
    mass = 1.0;
    for (double k = mode; k > least && mass > ${smallest}; k--, count++) {
        mass *= k * (rest + k) / ((good - k + 1.0) * (sample - k + 1.0));
        below += mass;
    }
    const double all = above + below + 1.0, goal = wanted * all;
    double k, reached, before;
    mass = 1.0;
    if (goal < below) {
        // `reached` is F(k), and `before` F(k - 1), times all.
        k = mode - 1.0;
        mass = mode * (rest + mode) / ((good - mode + 1.0) * (sample - mode + 1.0));
        reached = below;
        before = reached - mass;
        while (before > goal && k > least && mass > ${smallest}) {
            mass *= k * (rest + k) / ((good - k + 1.0) * (sample - k + 1.0));
            k--;
            reached = before;
            before = reached - mass;
        }
        if (k <= least) before = -1.0;
    } else {
        k = mode;
        before = mode > least ? below : -1.0;
        reached = below + 1.0;
        while (reached <= goal && k < most && mass > ${smallest}) {
            mass *= (good - k) * (sample - k) / ((k + 1.0) * (rest + 1.0 + k));
            k++;
            before = reached;
            reached += mass;
        }
        if (k >= most) reached = 2.0 * all;
    }
    *value = (long)k;
    const double off = all * fmax(${certain}, ${per_mass} * (double)count);
    return reached - goal > off && goal - before > off;
}
