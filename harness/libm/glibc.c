/* Calls a function of the C library on each float of standard input, and writes the results to standard output; `log` on each
   double.
   Built without optimisation of the call: `cc -O1 -fno-builtin glibc.c -lm`. */
#include <gnu/libc-version.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static float values[1 << 16];
static double doubles[1 << 16];

int main(int count, char **words)
{
    static const struct { const char *name; float (*function)(float); } functions[] = {
        {"logf", logf}, {"sinf", sinf}, {"cosf", cosf},
    };
    if (count == 2 && !strcmp(words[1], "version"))
        return printf("glibc %s\n", gnu_get_libc_version()) < 0;
    if (count == 2 && !strcmp(words[1], "log")) {
        for (size_t n; (n = fread(doubles, sizeof *doubles, 1 << 16, stdin)) > 0;) {
            for (size_t j = 0; j < n; j++)
                doubles[j] = log(doubles[j]);
            if (fwrite(doubles, sizeof *doubles, n, stdout) != n)
                return 1;
        }
        return ferror(stdin) || fflush(stdout);
    }
    for (size_t i = 0; count == 2 && i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(words[1], functions[i].name))
            continue;
        for (size_t n; (n = fread(values, sizeof *values, 1 << 16, stdin)) > 0;) {
            for (size_t j = 0; j < n; j++)
                values[j] = functions[i].function(values[j]);
            if (fwrite(values, sizeof *values, n, stdout) != n)
                return 1;
        }
        return ferror(stdin) || fflush(stdout);
    }
    fputs("usage: glibc version|log|logf|sinf|cosf\n", stderr);
    return 2;
}
