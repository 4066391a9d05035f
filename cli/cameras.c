// SPDX-License-Identifier: BSD-3-Clause
#include "cameras.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "rut/host.h"
#include "text.h"

static bool is_called(const char* full, const char* name) {
  const char* slash = strrchr(full, '/');
  return !name || strcmp(full, name) == 0 || (slash && strcmp(slash + 1, name) == 0);
}

int cli_find_sensor(const rutModel* model, rutSensorForm form, const char* name) {
  for (int i = 0; i < rut_count(model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(model, i);
    if (info.form == form && is_called(info.name, name)) return i;
  }
  return -1;
}

int cli_unknown_element(const rutModel* model, rutKind kind, const char* what, const char* name) {
  const int n = rut_count(model, kind);
  const char** known = calloc((size_t)n + 1, sizeof *known);
  for (int i = 0; known && i < n; i++) known[i] = rut_name(model, kind, i);
  const char* nearest = known ? rut_nearest(name, (size_t)n, known) : NULL;
  fprintf(stderr, "rut: error: no %s called '%s'%s%s%s\n", what, CLI_CLEAN(name),
          nearest ? "; did you mean '" : "", nearest ? CLI_CLEAN(nearest) : "",
          nearest ? "'?" : "");
  free(known);
  return CLI_USAGE;
}

// Child of a node by kind and name; the null node if there is none.
static rutNode child_called(const rutSpec* spec, rutNode parent, const char* kind,
                            const char* name) {
  if (rut_node_is_null(parent)) return parent;
  rutNode node = rut_node_first(spec, parent, kind);
  while (!rut_node_is_null(node) && strcmp(rut_node_name(spec, node), name) != 0) {
    node = rut_node_next(spec, node, kind);
  }
  return node;
}

rutNode cli_vehicle_node(const rutSpec* spec, const char* name) {
  return child_called(spec, rut_spec_root(spec), "vehicle", name);
}

// The full name is that of the vehicle, a slash, and the sensor's own.
rutNode cli_sensor_node_called(const rutSpec* spec, const char* name) {
  const rutNode root = rut_spec_root(spec);
  rutNode sensor = child_called(spec, root, "sensor", name);
  rutNode vehicle = rut_node_first(spec, root, "vehicle");
  while (rut_node_is_null(sensor) && !rut_node_is_null(vehicle)) {
    const char* of = rut_node_name(spec, vehicle);
    const size_t n = strlen(of);
    const bool owns = strncmp(name, of, n) == 0 && name[n] == '/';
    if (owns) sensor = child_called(spec, vehicle, "sensor", name + n + 1);
    vehicle = rut_node_next(spec, vehicle, "vehicle");
  }
  return sensor;
}

rutNode cli_sensor_node(const rutSpec* spec, const rutModel* model, int sensor) {
  return cli_sensor_node_called(spec, rut_name(model, RUT_SENSOR, sensor));
}

void cli_set_number(rutSpec* spec, rutNode node, const char* field, double value, rutError* err) {
  if (err->status == RUT_OK) err->status = rut_node_set_number(spec, node, field, value, err);
}
