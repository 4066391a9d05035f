// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/inflation.h"

#include <string.h>

#include "math/rut_math.h"

const double* rut_draft_inflated(const rutDraftComponent* tyre, double room[RUT_MAX_PARAMS]) {
  const rutTyreType* type = (const rutTyreType*)tyre->type;
  memcpy(room, tyre->param, sizeof tyre->param);
  if (type && type->inflate) type->inflate(room, RUT_NAN);
  return room;
}

double rut_draft_pressure(const rutDraftComponent* tyre) {
  const rutTyreType* type = (const rutTyreType*)tyre->type;
  double room[RUT_MAX_PARAMS];
  memcpy(room, tyre->param, sizeof tyre->param);
  return type && type->inflate ? type->inflate(room, RUT_NAN) : 0;
}

void rut_draft_inflation(rutDraft* draft, rutNode vehicle, rutDraftSpatial* s) {
  const rutSpec* spec = draft->spec;
  const rutNode node = rut_node_first(spec, vehicle, "inflation");
  if (rut_node_is_null(node)) return;
  s->inflate_rate = rut_node_number(spec, node, "inflate_rate");
  s->deflate_rate = rut_node_number(spec, node, "deflate_rate");
  s->least_pressure = rut_node_number(spec, node, "least");
  s->most_pressure = rut_node_number(spec, node, "most");
  s->asked_pressure = rut_node_number(spec, node, "pressure");
  s->each_axle = rut_node_number(spec, node, "axles");
  if (s->least_pressure > s->most_pressure) {
    rut_node_error(spec, node, "least", RUT_ERR_MODEL, "", "is above the largest pressure, %g Pa",
                   s->most_pressure);
  }
  for (int a = 0; a < s->axles; a++) {
    const rutDraftComponent* tyre = &s->part[s->tyre[a]];
    if (((const rutTyreType*)tyre->type)->inflate) continue;
    rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "take <tyre type=\"linear\"/>",
                   "the tyre '%s' knows no pressure", tyre->type->name);
    return;
  }
}

void rut_build_inflation(const rutDraftSpatial* s, rutGroup* g) {
  const int points = s->inflate_rate > 0 ? (s->each_axle > 0 ? s->axles : 1) : 0;
  for (int i = 0; i < points; i++) {
    const int row = g->command_rows++;
    // without a controller
    if (g->commands < RUT_MAX_COMMANDS) {
      g->command[g->commands++] = (rutGroupCommand){-1, s->each_axle > 0 ? i + 1 : 0, row};
    }
  }
}
