/* Runs tests of TestU01 on words of 32 bits that come through standard input, in the byte order of the machine.
 *
 *     testu01 smallcrush            the ten tests of SmallCrush
 *     testu01 crush                 the 96 tests of Crush, one after the other on one stream
 *     testu01 crush 71              one test of Crush, from 1 to 96, on the stream from its beginning
 *     testu01 linearcomp N R        the linear complexity of N bits, bit R of each word, bit 0 being the highest
 *
 * It prints a line for each p-value, with tabs between, and at last how many words were used:
 *
 *     p    number    name    p-value
 *     words    count
 *
 * The number is that of the test within its battery where a single one was asked for, else 0. TestU01's own report goes
 * to standard error with -v before the other arguments, and nowhere without. Where the stream ends before the tests, or
 * an argument is wrong, the last line is missing, and the exit status is 3 or 2.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PLAIN_HEADERS /* of the authors' own installation, not of a distribution */
#include <bbattery.h>
#include <gofw.h>
#include <scomp.h>
#include <swrite.h>
#include <unif01.h>
#else
#include <testu01/bbattery.h>
#include <testu01/gofw.h>
#include <testu01/scomp.h>
#include <testu01/swrite.h>
#include <testu01/unif01.h>
#endif

enum { BUFFER = 1 << 16, CRUSH_TESTS = 96, MOST_TESTS = 200 };

static uint32_t buffer[BUFFER];
static size_t filled, used;
static unsigned long long earlier; /* words of buffers before this one */

static void refill(void)
{
    char *const bytes = (char *)buffer;
    size_t have = 0;
    while (have < sizeof buffer) {
        const ssize_t more = read(STDIN_FILENO, bytes + have, sizeof buffer - have);
        if (more <= 0)
            break;
        have += (size_t)more;
    }
    earlier += used;
    used = 0;
    filled = have / sizeof buffer[0];
    if (filled == 0) {
        fprintf(stderr, "testu01: the stream ended after %llu words, before the tests\n", earlier);
        exit(3);
    }
}

static unsigned int next_word(void)
{
    if (used == filled)
        refill();
    return buffer[used++];
}

static FILE *results;

static void print_p(int number, const char *name, double p)
{
    fprintf(results, "p\t%d\t%s\t%.17g\n", number, name, p);
    fflush(results);
}

static void print_battery(int number)
{
    for (int i = 0; i < bbattery_NTests; i++)
        if (bbattery_pVal[i] >= 0)
            print_p(number, bbattery_TestNames[i], bbattery_pVal[i]);
}

static void linear_complexity(unif01_Gen *gen, long bits, int r)
{
    char name[64];
    scomp_Res *found = scomp_CreateRes();
    scomp_LinearComp(gen, found, 1, bits, r, 1);
    snprintf(name, sizeof name, "LinearComp jumps, n = %ld, r = %d", bits, r);
    print_p(0, name, found->JumpNum->pVal2[gofw_Mean]);
    snprintf(name, sizeof name, "LinearComp sizes, n = %ld, r = %d", bits, r);
    print_p(0, name, found->JumpSize->pVal2[gofw_Mean]);
    scomp_DeleteRes(found);
}

static long integer(const char *text, long low, long high)
{
    char *end;
    const long value = strtol(text, &end, 10);
    if (*text == 0 || *end != 0 || value < low || value > high) {
        fprintf(stderr, "testu01: %s must be an integer from %ld to %ld\n", text, low, high);
        exit(2);
    }
    return value;
}

int main(int count, char **arguments)
{
    const int loud = count > 1 && strcmp(arguments[1], "-v") == 0;
    count -= loud;
    arguments += loud;
    const char *battery = count > 1 ? arguments[1] : "";
    const int whole = count == 2;

    results = fdopen(dup(STDOUT_FILENO), "w"); /* TestU01 itself prints to standard output */
    if (results == NULL || (loud ? dup2(STDERR_FILENO, STDOUT_FILENO) < 0 : freopen("/dev/null", "w", stdout) == NULL)) {
        fprintf(stderr, "testu01: standard output cannot be used\n");
        return 2;
    }
    swrite_Basic = loud;
    unif01_Gen *gen = unif01_CreateExternGenBits("words of standard input", next_word);
    if (whole && strcmp(battery, "smallcrush") == 0) {
        bbattery_SmallCrush(gen);
        print_battery(0);
    } else if (whole && strcmp(battery, "crush") == 0) {
        bbattery_Crush(gen);
        print_battery(0);
    } else if (count == 3 && strcmp(battery, "crush") == 0) {
        int repeats[1 + MOST_TESTS] = {0};
        const int number = (int)integer(arguments[2], 1, CRUSH_TESTS);
        repeats[number] = 1;
        bbattery_RepeatCrush(gen, repeats);
        print_battery(number);
    } else if (count == 4 && strcmp(battery, "linearcomp") == 0) {
        linear_complexity(gen, integer(arguments[2], 1000, 100000000), (int)integer(arguments[3], 0, 31));
    } else {
        fprintf(stderr, "usage: testu01 [-v] smallcrush | crush | crush TEST | linearcomp BITS R\n");
        return 2;
    }
    fprintf(results, "words\t%llu\n", earlier + used);
    return fclose(results) == 0 ? 0 : 2;
}
