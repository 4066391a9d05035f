// SPDX-License-Identifier: BSD-3-Clause
//
// From <sensor> elements of vehicles and of the world to sensor records.
#include "sim/compile/sensor.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "sim/compile/read.h"
#include "sim/spec/fields.h"

// A sensor without noise="" of its own has that of the world.
static bool is_exact(const rutSpec* spec, rutNode node) {
  const rutNode from = rut_node_has(spec, node, "noise") ? node : rut_spec_root(spec);
  return rut_node_number(spec, from, "noise") == 1;
}

// What a sensor does not say of the weather is that of the world: its fields of the same names.
static void take_weather(const rutSpec* spec, rutNode node, double param[RUT_MAX_PARAMS]) {
  const rutNode weather = rut_node_first(spec, rut_spec_root(spec), "weather");
  if (rut_node_is_null(weather)) return;
  const rutComponent *type = rut_node_component(spec, node),
                     *air = rut_node_component(spec, weather);
  for (int k = 0; k < air->fields; k++) {
    for (int i = 0; i < type->fields; i++) {
      const rutField *own = &type->field[i], *world = &air->field[k];
      if (strcmp(own->name, world->name) != 0 || strcmp(own->unit, world->unit) != 0) continue;
      if (own->type != world->type || rut_node_has(spec, node, own->name)) continue;
      param[i] = rut_node_number(spec, weather, world->name);
    }
  }
}

// ---- failures ----

// Index of the output that a failure names; the only one if it names none. -1 after an error.
static int find_output(const rutDraft* draft, rutNode node, const rutSensorType* type) {
  const char* name = rut_node_text(draft->spec, node, "output");
  const char* known[RUT_MAX_OUTPUTS];
  char hint[100] = "";
  for (int i = 0; i < type->outputs; i++) {
    known[i] = type->output[i].name;
    if (strcmp(known[i], name) == 0) return i;
  }
  if (!name[0] && type->outputs == 1) return 0;
  if (!name[0]) {
    snprintf(hint, sizeof hint, "output=\"%.60s\"", known[0]);
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, hint,
                   "the sensor has %d outputs: say which", type->outputs);
    return -1;
  }
  const char* nearest = rut_suggest(name, known, (size_t)type->outputs);
  if (nearest) snprintf(hint, sizeof hint, "did you mean '%.60s'?", nearest);
  rut_node_error(draft->spec, node, "output", RUT_ERR_MODEL, hint,
                 "a sensor of type '%s' has no output '%.60s'", type->base.name, name);
  return -1;
}

// The value has the unit of the output. False after an error.
static bool read_value(const rutDraft* draft, rutNode node, const char* unit, double* value) {
  const rutField row = {.name = "value", .unit = unit, .type = RUT_REAL};
  rutFieldValue read = {0};
  char message[RUT_FIELD_MESSAGE];
  const rutStatus status = rut_field_parse(
      draft->context, &row, rut_node_text(draft->spec, node, "value"), &read, message);
  *value = read.number;
  if (status == RUT_OK) return true;
  rut_node_error(draft->spec, node, "value", RUT_ERR_MODEL, "", "'value' %s", message);
  return false;
}

// False after an error.
static bool read_failure(rutDraft* draft, rutNode node, const rutSensorType* type,
                         rutFailureRecord* out) {
  static const char* const kinds[] = {[RUT_FAILURE_STUCK] = "stuck",
                                      [RUT_FAILURE_DROPOUT] = "dropout",
                                      [RUT_FAILURE_BIAS] = "bias",
                                      [RUT_FAILURE_NOISE] = "noise"};
  int kind = 0;
  while (strcmp(kinds[kind], rut_node_type(draft->spec, node)) != 0) kind++;
  *out = (rutFailureRecord){.kind = (rutFailureKind)kind,
                            .from = rut_node_number(draft->spec, node, "from"),
                            .to = rut_node_number(draft->spec, node, "to")};
  if (!rut_draft_extent(draft, node, "from", "to")) return false;
  if (kind != RUT_FAILURE_BIAS && kind != RUT_FAILURE_NOISE) return true;
  out->output = find_output(draft, node, type);
  return out->output >= 0 && read_value(draft, node, type->output[out->output].unit, &out->value);
}

static void read_failures(rutDraft* draft, rutDraftSensor* s) {
  const rutSensorType* type = (const rutSensorType*)s->component.type;
  for (rutNode node = rut_node_first(draft->spec, s->node, "failure"); !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "failure")) {
    if (s->failures == RUT_MAX_FAILURES) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                     "a sensor can have at most %d failures", RUT_MAX_FAILURES);
      return;
    }
    rutFailureRecord failure;
    if (!read_failure(draft, node, type, &failure)) continue;
    if (!s->exact) s->failure[s->failures++] = failure;
  }
}

// A sensor that gives the truth does not fail; told where the sensor itself says so.
static void warn_of_unused(const rutDraft* draft, const rutDraftSensor* s) {
  const rutNode failure = rut_node_first(draft->spec, s->node, "failure");
  if (!s->exact || rut_node_is_null(failure) || !rut_node_has(draft->spec, s->node, "noise")) {
    return;
  }
  rut_node_warning(draft->spec, failure, NULL,
                   "a sensor with noise=\"none\" gives the truth: its failures are not used");
}

// ---- sensors ----

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
    take_weather(draft->spec, node, s->component.param);
    read_failures(draft, s);
    warn_of_unused(draft, s);
  }
}

void rut_draft_sensors(rutDraft* draft) {
  rut_draft_check_single(draft, rut_spec_root(draft->spec), "weather");
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    read_sensors(draft, v->node, i);
  }
  read_sensors(draft, rut_spec_root(draft->spec), -1);
}
