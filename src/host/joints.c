// SPDX-License-Identifier: BSD-3-Clause
#include "host/joints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/bytes.h"

// Names such as "front_left_wheel": a wheel's own, and the part.
static void name_vehicle(const rutModel* model, const rutJoints* j, rutBytes* names) {
  rut_vehicle_joints(model, NULL, j->index, j->count, j->state);
  for (int i = 0; i < j->count; i++) {
    const char* full = rut_name(model, RUT_WHEEL, j->state[i].wheel);
    const char* slash = strrchr(full, '/');
    const char* wheel = slash ? slash + 1 : full;
    rut_bytes_put(names, wheel, strlen(wheel));
    rut_bytes_u8(names, '_');
    rut_bytes_put(names, j->state[i].part, strlen(j->state[i].part) + 1);
  }
}

// Coordinates of a mechanism have numbers, as its outputs q and v.
static void name_mechanism(const rutJoints* j, rutBytes* names) {
  for (int i = 0; i < j->count; i++) {
    char name[24];
    snprintf(name, sizeof name, "q_%d", i);
    rut_bytes_put(names, name, strlen(name) + 1);
  }
}

static int count_joints(const rutModel* model, rutKind kind, int index) {
  if (kind == RUT_VEHICLE) return rut_vehicle_joints(model, NULL, index, 0, NULL);
  int positions = 0, speeds = 0;
  rut_mechanism_size(model, index, &positions, &speeds);
  return positions == speeds ? positions : 0;
}

rutStatus rut_joints_find(const rutModel* model, rutKind kind, int index, rutJoints* out,
                          rutError* err) {
  *out = (rutJoints){.kind = kind, .index = index, .count = count_joints(model, kind, index)};
  rutBytes names = {0};
  out->state = malloc((size_t)out->count * sizeof *out->state + 1);
  if (out->state && kind == RUT_VEHICLE) name_vehicle(model, out, &names);
  if (kind == RUT_MECHANISM) name_mechanism(out, &names);
  out->names = (char*)names.data;
  if (out->state && !names.failed) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for names of joints");
}

void rut_joints_free(rutJoints* joints) {
  free(joints->names);
  free(joints->state);
}

void rut_joints_read(const rutJoints* j, const rutModel* model, const rutData* data,
                     double* number) {
  const int n = j->count;
  if (j->kind == RUT_MECHANISM) {
    rut_mechanism_state(model, data, j->index, number, number + n);
    return;
  }
  rut_vehicle_joints(model, data, j->index, n, j->state);
  for (int i = 0; i < n; i++) {
    number[i] = j->state[i].position;
    number[n + i] = j->state[i].velocity;
    number[2 * n + i] = j->state[i].effort;
  }
}
