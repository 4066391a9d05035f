// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "base/suggest.h"
#include "rut/host.h"

const char* rut_nearest(const char* word, size_t n, const char* const* candidate) {
  return rut_suggest(word, candidate, n);
}

// Apply one "path=value". The path itself may not contain '=', the value may.
static rutStatus apply_setting(rutSpec* spec, const char* setting, rutError* err) {
  const char* equals = strchr(setting, '=');
  char path[512];
  if (!equals || equals == setting) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "setting '%.200s' is not of the form PATH=VALUE",
                         setting);
  }
  size_t length = (size_t)(equals - setting);
  if (length >= sizeof path) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "path of setting '%.100s...' is too long", setting);
  }
  memcpy(path, setting, length);
  path[length] = '\0';

  rutError cause = {0};
  rutStatus status = rut_spec_set(spec, path, equals + 1, &cause);
  if (status == RUT_OK) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "setting '%.120s': %.380s", setting,
                       cause.message[0] ? cause.message : rut_status_text(status));
}

rutStatus rut_world_load(rutContext* context, const char* path, int settings,
                         const char* const* setting, rutSpec** out, rutError* err) {
  *out = NULL;
  rutSpec* spec = NULL;
  rutStatus status = rut_spec_load(context, path, &spec, err);
  for (int i = 0; i < settings && status == RUT_OK; i++) {
    status = apply_setting(spec, setting[i], err);
  }
  if (status != RUT_OK) {
    if (spec) rut_spec_destroy(spec);
    return status;
  }
  *out = spec;
  return RUT_OK;
}
