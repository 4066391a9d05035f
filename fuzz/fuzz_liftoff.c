// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a table of lift-off: what is read can be asked anywhere, and is read back as it was.
#define _XOPEN_SOURCE 700  // for mkstemp
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rut/liftoff.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void use(const rutLiftoff* table, const char* path) {
  static const double speeds[] = {-1e300, 0, 1, 7.3, 1e300};
  for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
    const double at[RUT_LIFTOFF_AXES] = {speeds[i], 0.3, -1, 0.1};
    const double angle = rut_liftoff_angle(table, at);
    if (isnan(angle) || isnan(rut_liftoff_acceleration(table, at))) abort();
  }
  rutLiftoff* again = NULL;
  int n, m;
  const rutLiftoffCell* cell = rut_liftoff_cells(table, &n);
  if (rut_liftoff_save(table, path, NULL) != RUT_OK) return;
  if (rut_liftoff_load(path, &again, NULL) != RUT_OK) abort();
  const rutLiftoffCell* same = rut_liftoff_cells(again, &m);
  if (n != m) abort();
  for (int i = 0; i < n; i++) {
    if (cell[i].steering != same[i].steering || cell[i].end != same[i].end) abort();
  }
  rut_liftoff_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char path[] = "/tmp/rut_fuzz_liftoff_XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return 0;
  const bool written = write(file, data, size) == (ssize_t)size;
  close(file);
  rutLiftoff* table = NULL;
  rutError err;
  memset(&err, 0, sizeof err);
  const rutStatus status = written ? rut_liftoff_load(path, &table, &err) : RUT_OK;
  if (written && ((status == RUT_OK) != (table != NULL) || status != err.status)) abort();
  if (table) use(table, path);
  rut_liftoff_destroy(table);
  unlink(path);
  return 0;
}
