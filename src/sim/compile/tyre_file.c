// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of a tyre that stand in a tyre property file (.tir).
#include "sim/compile/tyre_file.h"

#include <string.h>

#include "format/tir.h"
#include "sim/spec/values.h"

// Points of a curve, behind the numbers in use. False if there is no room.
static bool put_curve(const rutTirCurve* curve, double param[RUT_MAX_PARAMS], int* used) {
  const int n = 2 * curve->points;
  if (*used + 1 + n > RUT_MAX_PARAMS) return false;
  param[curve->field] = *used;
  param[*used] = n;
  memcpy(&param[*used + 1], curve->point, (size_t)n * sizeof *param);
  *used += 1 + n;
  return true;
}

bool rut_draft_tyre_file(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]) {
  const rutSpec* spec = draft->spec;
  const rutComponent* type = rut_node_component(spec, node);
  if (strcmp(type->kind, "tyre") != 0 || rut_node_field(spec, node, "file") < 0) return true;
  const char* path = rut_node_text(spec, node, "file");
  if (!path || !path[0]) return true;

  rutTir tir;
  const rutPlace place = rut_node_place_of(spec, node, "file");
  if (rut_tir_load(path, place, type, draft->reporter, &tir) != RUT_OK) return false;
  // values in the world take precedence
  for (int i = 0; i < type->fields && i < RUT_TIR_FIELDS; i++) {
    if (tir.given[i] && !rut_node_has(spec, node, type->field[i].name)) param[i] = tir.number[i];
  }
  int used = rut_node_params(spec, node, 0, NULL);
  for (int k = 0; k < RUT_TIR_CURVES; k++) {
    const rutTirCurve* curve = &tir.curve[k];
    if (curve->field < 0 || rut_node_has(spec, node, type->field[curve->field].name)) continue;
    if (put_curve(curve, param, &used)) continue;
    rut_node_error(spec, node, "file", RUT_ERR_CAPACITY, "", "has more than %d numbers",
                   RUT_MAX_PARAMS);
    return false;
  }
  rutError err = {0};
  const rutStatus status = type->check ? type->check(param, &err) : RUT_OK;
  if (status == RUT_OK) return true;
  rut_node_error(spec, node, "file", status, "", "with the numbers of the file: %s",
                 err.message[0] ? err.message : rut_status_text(status));
  return false;
}
