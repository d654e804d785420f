/* bench_ida.h: a converter by IDA of SUNDIALS, where that is installed. */
#ifndef BENCH_IDA_H
#define BENCH_IDA_H

#include <stdbool.h>

#include "sim/converter.h"

bool bench_has_ida(void);
/* The output capacitor's charge after so many periods from rest; NaN when it gave up. */
double bench_ida_charge(const converter *c, int periods, double rtol);

#endif
