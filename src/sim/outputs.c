// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs by kind of element.
#include "sim/outputs.h"

const rutOutputSet* rut_output_sets(rutKind kind, int* n) {
  static const struct {
    const rutOutputSet* set;
    const int* sets;
  } of_kind[RUT_KIND_COUNT] = {
      [RUT_VEHICLE] = {rut_vehicle_outputs, &rut_vehicle_output_sets},
      [RUT_WHEEL] = {rut_wheel_outputs, &rut_wheel_output_sets},
      [RUT_BLOCK] = {rut_block_outputs, &rut_block_output_sets},
      [RUT_MECHANISM] = {rut_mechanism_outputs, &rut_mechanism_output_sets},
      [RUT_WORLD] = {rut_world_outputs, &rut_world_output_sets},
  };
  const bool known = kind >= 0 && kind < RUT_KIND_COUNT && of_kind[kind].set;
  *n = known ? *of_kind[kind].sets : 0;
  return known ? of_kind[kind].set : NULL;
}

const rutVariable* rut_kind_output(rutKind kind, int index, const char** part, const char** where) {
  int sets;
  const rutOutputSet* set = rut_output_sets(kind, &sets);
  *part = *where = "";
  for (int i = 0; i < sets && index >= 0; index -= set[i++].rows) {
    if (index >= set[i].rows) continue;
    *part = set[i].part;
    *where = set[i].where;
    return &set[i].row[index];
  }
  return NULL;
}
