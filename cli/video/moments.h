// SPDX-License-Identifier: BSD-3-Clause
//
// Moments of a run between the rows of its log: poses of vehicles, wheels, blocks and mechanisms
// from its signals.
#ifndef RUT_VIDEO_MOMENTS_H
#define RUT_VIDEO_MOMENTS_H

#include "rut/host.h"
#include "rut/replay.h"

// Called for the moments at k / rate, k = 1, 2, ...; the moment is valid during the call. False
// ends the reading.
typedef bool (*cliMomentSeen)(const rutMoment* moment, void* user);

typedef struct cliMomentsDef {
  double rate;      // of moments [Hz]
  double from, to;  // [s]
  cliMomentSeen seen;
  void* user;
} cliMomentsDef;

// Read the moments of a log of this world, in order of time. Between two rows all numbers change
// evenly, angles the shorter way. Errors: ARGUMENT (no pose of the vehicle `needed` is in the log),
// those of rut_log_read_signals, MEMORY.
rutStatus cli_moments_read(rutLogFile* file, const rutModel* model, int needed,
                           const cliMomentsDef* def, rutError* err);

#endif  // RUT_VIDEO_MOMENTS_H
