// SPDX-License-Identifier: BSD-3-Clause
//
// Curves of a log, as figures and the terminal show them.
#ifndef RUT_CLI_PLOT_DATA_H
#define RUT_CLI_PLOT_DATA_H

#include "rut/host.h"

enum {
  CLI_UNIT_SIZE = 24,
  CLI_PLOT_CURVES = 256,  // of one figure
  CLI_PLOT_BINS = 3000    // along its time, of each of which the extremes are drawn
};

typedef struct cliCurve {
  const char* name;          // borrowed from the log
  char unit[CLI_UNIT_SIZE];  // for people: degrees, kN
  double *t, *y;             // owned
  size_t n, capacity;
  bool failed;  // out of memory
} cliCurve;

// Read signals into as many curves. Angles come in degrees. Errors: those of rut_log_read_signals;
// ARGUMENT if there is nothing between the times.
rutStatus cli_curves_read(rutLogFile* file, const rutLogSelection* signals, cliCurve* curve,
                          rutError* err);
void cli_curves_free(int n, cliCurve* curve);

// Large newtons, joules and watts become kilo or mega, alike in all n curves of one unit.
void cli_curves_scale(int n, cliCurve* const* curve);
// Thin out: of each of `bins` parts of the time only the extremes stay.
void cli_curve_thin(cliCurve* curve, size_t bins);
// Value of a curve at a time, between its points. NaN outside.
double cli_curve_at(const cliCurve* curve, double time);
// A line for each curve: name, unit, least, mean, largest, last, and a sparkline.
void cli_curves_print(int n, const cliCurve* curve);

#endif  // RUT_CLI_PLOT_DATA_H
