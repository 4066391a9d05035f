// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/limit_file.h"

#include <stdlib.h>
#include <string.h>

#include "format/xml.h"
#include "math/liftoff_table.h"
#include "sim/spec/values.h"

enum { MOST_BYTES = 16 << 20 };

static rutLiftoff* read_table(rutDraft* draft, rutNode node, const char* path) {
  const rutPlace place = rut_node_place_of(draft->spec, node, "limit_table");
  char* text;
  size_t size;
  rutError err = {0};
  rutLiftoff* table = NULL;
  if (rut_read_file(path, MOST_BYTES, draft->reporter, place, &text, &size) != RUT_OK) return NULL;
  const rutStatus status = rut_liftoff_parse(text, size, &table, &err);
  free(text);
  if (status == RUT_OK) return table;
  rut_node_error(draft->spec, node, "limit_table", status, "rut liftoff --output makes such tables",
                 "'%s' is no table of lift-off: %s", path, err.message);
  return NULL;
}

static int field_of(const rutComponent* type, const char* name) {
  for (int i = 0; i < type->fields; i++) {
    if (strcmp(type->field[i].name, name) == 0) return i;
  }
  return -1;
}

// Numbers of a list, behind those in use.
static void put_list(double param[RUT_MAX_PARAMS], int field, int n, int* used) {
  param[field] = *used;
  param[*used] = n;
  *used += 1 + n;
}

static bool take(rutDraft* draft, rutNode node, const rutLiftoff* table,
                 double param[RUT_MAX_PARAMS]) {
  const rutComponent* type = rut_node_component(draft->spec, node);
  const rutLiftoffValues speed = rut_liftoff_axis(table, RUT_LIFTOFF_SPEED);
  const int speeds = field_of(type, "limit_speeds"), angles = field_of(type, "limit_angles");
  int used = rut_node_params(draft->spec, node, 0, NULL);
  if (used + 2 * (1 + speed.n) > RUT_MAX_PARAMS) {
    rut_node_error(draft->spec, node, "limit_table", RUT_ERR_CAPACITY, "",
                   "has more than %d numbers", RUT_MAX_PARAMS);
    return false;
  }
  put_list(param, speeds, speed.n, &used);
  put_list(param, angles, speed.n, &used);
  double at[RUT_LIFTOFF_AXES] = {0};
  at[RUT_LIFTOFF_RATE] = param[field_of(type, "steer_rate")];
  for (int i = 0; i < speed.n; i++) {
    at[RUT_LIFTOFF_SPEED] = speed.value[i];
    param[(int)param[speeds] + 1 + i] = speed.value[i];
    param[(int)param[angles] + 1 + i] = rut_liftoff_angle(table, at);
  }
  rutError err = {0};
  const rutStatus status = type->check ? type->check(param, &err) : RUT_OK;
  if (status == RUT_OK) return true;
  rut_node_error(draft->spec, node, "limit_table", status, "", "with the numbers of the file: %s",
                 err.message[0] ? err.message : rut_status_text(status));
  return false;
}

bool rut_draft_limit_file(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]) {
  const rutSpec* spec = draft->spec;
  if (rut_node_field(spec, node, "limit_table") < 0) return true;
  const char* path = rut_node_text(spec, node, "limit_table");
  if (!path || !path[0]) return true;
  if (rut_node_has(spec, node, "limit_speeds") || rut_node_has(spec, node, "limit_angles")) {
    rut_node_error(spec, node, "limit_table", RUT_ERR_MODEL, "leave out one of them",
                   "has a table, and 'limit_speeds' or 'limit_angles' as well");
    return false;
  }
  rutLiftoff* table = read_table(draft, node, path);
  const bool fine = table && take(draft, node, table, param);
  rut_liftoff_destroy(table);
  return fine;
}
