// SPDX-License-Identifier: BSD-3-Clause
//
// Which signals a log takes.
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/signals.h"

static rutStatus unknown(const rutSignals* s, const char* prefix, const char* pattern,
                         rutError* err) {
  const size_t size = strlen(prefix) + strlen(pattern) + 1;
  char* name = malloc(size);
  if (!name) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for signals");
  snprintf(name, size, "%s%s", prefix, pattern);
  const char* near = rut_signals_nearest(s, name);
  // a signal of another vehicle cannot be meant
  if (near && strncmp(near, prefix, strlen(prefix)) != 0) near = NULL;
  const char* leaf = near ? near + strlen(prefix) : "";
  free(name);
  return rut_error_set(err, RUT_ERR_ARGUMENT, "no signal is called '%.200s'%s%.200s%s", pattern,
                       near ? "; did you mean '" : "", leaf, near ? "'?" : "");
}

// True if any pattern matches; marks those that do.
static bool matches(const rutSignalChoice* choice, const char* name, bool* used) {
  bool found = false;
  for (int i = 0; i < choice->patterns; i++) {
    if (!rut_glob(choice->pattern[i], name)) continue;
    used[i] = found = true;
  }
  return found;
}

rutStatus rut_signals_choose(const rutSignals* signals, const rutSignalChoice* choice, int* n,
                             int* index, rutError* err) {
  bool* used = calloc((size_t)choice->patterns + 1, sizeof *used);
  if (!used) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for signals");
  const size_t length = strlen(choice->prefix);
  *n = 0;
  for (int i = 0; i < rut_signals_count(signals); i++) {
    const rutSignal s = rut_signals_at(signals, i);
    if (strncmp(s.name, choice->prefix, length) != 0) continue;
    const bool chosen = choice->patterns > 0
                            ? matches(choice, s.name + length, used)
                            : rut_signals_reading(signals, i) != RUT_READ_ON_REQUEST;
    // every row has its time
    if (chosen && s.element[0]) index[(*n)++] = i;
  }
  rutStatus status = RUT_OK;
  for (int i = 0; i < choice->patterns && status == RUT_OK; i++) {
    if (!used[i]) status = unknown(signals, choice->prefix, choice->pattern[i], err);
  }
  free(used);
  return status;
}
