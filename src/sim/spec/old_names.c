// SPDX-License-Identifier: BSD-3-Clause
#include "sim/spec/old_names.h"

#include <string.h>

static const struct {
  const char *kind, *type, *old, *now;
} names[] = {
    {"deformable", "", "repose", "repose_angle"},
    {"soil", "bekker", "shear_displacement", "shear_deformation_modulus"},
    {"soil", "bekker", "shear_displacement_y", "shear_deformation_modulus_y"},
    {"suspension", "slider", "bump", "bump_travel"},
    {"suspension", "slider", "rebound", "rebound_travel"},
    {"tyre", "fiala", "depth", "bottoming_deflection"},
    {"tyre", "linear", "depth", "bottoming_deflection"},
};
_Static_assert(RUT_COUNT_OF(names) <= RUT_MAX_OLD_NAMES, "a spec has a bit for each");

int rut_old_name(const rutComponent* type, const char* field) {
  for (int i = 0; i < RUT_COUNT_OF(names); i++) {
    if (strcmp(names[i].kind, type->kind) == 0 && strcmp(names[i].type, type->name) == 0 &&
        strcmp(names[i].old, field) == 0) {
      return i;
    }
  }
  return -1;
}

const char* rut_present_name(int old) { return names[old].now; }
