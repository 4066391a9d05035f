// SPDX-License-Identifier: BSD-3-Clause
//
// A run on one page: path, speed, attitude, loads, slip and energy of vehicles.
#ifndef RUT_CLI_PLOT_DASHBOARD_H
#define RUT_CLI_PLOT_DASHBOARD_H

#include "rut/host.h"

typedef struct cliDashboardDef {
  const char *output, *title;
  double from, to;             // times [s]
  const char* const* vehicle;  // names or patterns; none: all vehicles
  int vehicles;
} cliDashboardDef;

// Draw. Returns an exit code, whose reason it has told.
int cli_plot_dashboard(rutLogFile* file, const cliDashboardDef* def);

#endif  // RUT_CLI_PLOT_DASHBOARD_H
