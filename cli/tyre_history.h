// SPDX-License-Identifier: BSD-3-Clause
//
// A tyre on a rig through a table of motions over time.
#ifndef RUT_CLI_TYRE_HISTORY_H
#define RUT_CLI_TYRE_HISTORY_H

#include "rut/rig.h"
#include "world.h"

typedef struct cliTyreHistory {
  const char* table;   // file of comma-separated values
  rutRigDef def;       // of the rig, without its world
  double step, every;  // of the simulation and of the rows told [s]; NaN: 1 ms, 10 ms
  bool json;           // in place of comma-separated values
} cliTyreHistory;

// Print the forces on a tyre of a world that was loaded. Returns an exit code.
int cli_tyre_history(cliWorld* world, const cliTyreHistory* history);

#endif  // RUT_CLI_TYRE_HISTORY_H
