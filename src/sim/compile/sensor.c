// SPDX-License-Identifier: BSD-3-Clause
//
// From <sensor> elements of vehicles and of the world to sensor records.
#include "sim/compile/sensor.h"
#include "sim/compile/read.h"

// A sensor without noise="" of its own has that of the world.
static bool is_exact(const rutSpec* spec, rutNode node) {
  const rutNode from = rut_node_has(spec, node, "noise") ? node : rut_spec_root(spec);
  return rut_node_number(spec, from, "noise") == 1;
}

static void read_sensors(rutDraft* draft, rutNode parent, int vehicle) {
  for (rutNode node = rut_node_first(draft->spec, parent, "sensor"); !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "sensor")) {
    rutDraftSensor* s = rut_draft_push(draft, &draft->sensor);
    if (!s) return;
    s->node = node;
    s->vehicle = vehicle;
    s->exact = is_exact(draft->spec, node);
    s->component.type = rut_node_component(draft->spec, node);
    if (!rut_draft_params(draft, node, s->component.param)) return;
  }
}

void rut_draft_sensors(rutDraft* draft) {
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    read_sensors(draft, v->node, i);
  }
  read_sensors(draft, rut_spec_root(draft->spec), -1);
}
