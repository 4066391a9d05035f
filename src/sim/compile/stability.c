// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/stability.h"

static bool has_place(const rutDraftClass* c, int place) {
  for (int w = 0; w < c->wheels; w++) {
    if (c->place[w] == place) return true;
  }
  return false;
}

void rut_draft_stability(rutDraft* draft, rutNode vehicle, rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  const rutSpec* spec = draft->spec;
  const rutNode node = rut_node_first(spec, vehicle, "stability");
  if (rut_node_is_null(node)) return;
  if (draft->rk4) {
    rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "take the default integrator",
                   "a stability control acts once in a step; rk4 looks at its middle as well");
  }
  const bool corners = has_place(c, FRONT_LEFT) && has_place(c, FRONT_RIGHT) &&
                       has_place(c, REAR_LEFT) && has_place(c, REAR_RIGHT);
  if (!corners) {
    rut_node_error(spec, node, NULL, RUT_ERR_MODEL, "",
                   "needs a left and a right wheel on the first and on the last axle");
  }
  s->stability = 1;
  s->stability_friction = rut_node_number(spec, node, "friction");
  s->stability_understeer = rut_node_number(spec, node, "understeer");
  s->stability_yaw_gain = rut_node_number(spec, node, "yaw_gain");
  s->stability_dead_band = rut_node_number(spec, node, "dead_band");
  s->stability_threshold = rut_node_number(spec, node, "roll_threshold");
  s->stability_roll_gain = rut_node_number(spec, node, "roll_gain");
  s->stability_preview = rut_node_number(spec, node, "roll_preview");
  s->stability_lag = rut_node_number(spec, node, "brake_lag");
  s->stability_acceleration = rut_node_number(spec, node, "max_lateral_acceleration");
  s->stability_slip = rut_node_number(spec, node, "slip_limit");
}
