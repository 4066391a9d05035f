// SPDX-License-Identifier: BSD-3-Clause
//
// Values of Chrono's JSON files.
#include <string.h>

#include "format/chrono.h"
#include "math/quat.h"

#define LARGEST 1e12

rutPlace rut_chrono_place(const rutChronoPart* part, const rutJsonValue* value) {
  return rut_json_place(&part->maker, value ? value : part->root);
}

double rut_chrono_number(rutChronoPart* part, const rutJsonValue* object, const char* key,
                         double otherwise, double least) {
  const rutJsonRange range = {otherwise, least, LARGEST};
  return object ? rut_json_number(&part->maker, object, object->key, key, range) : otherwise;
}

bool rut_chrono_vector(rutChronoPart* part, const rutJsonValue* object, const char* key,
                       rutVec3* out) {
  double value[3] = {0, 0, 0};
  const bool fine = object && rut_json_list(&part->maker, object, object->key, key, 3, value);
  *out = rut_vec3_of(value);
  return fine;
}

const rutJsonValue* rut_chrono_object(rutChronoPart* part, const rutJsonValue* object,
                                      const char* key, bool needed) {
  const rutJsonValue* child = rut_json_find(object, key);
  if (child && child->kind == RUT_JSON_OBJECT) return child;
  if (child) {
    rut_json_error(&part->maker, child, key, "'%.60s' must be an object, not %s", key,
                   rut_json_kind_text(child->kind));
  } else if (needed) {
    rut_json_error(&part->maker, object, object->key, "has no '%s'", key);
  }
  return NULL;
}

rutFramePose rut_chrono_pose(rutChronoPart* part, const rutJsonValue* object) {
  rutFramePose pose = {rut_mat3_identity(), {0, 0, 0}};
  double q[4];
  rut_chrono_vector(part, object, "Location", &pose.at);
  if (!rut_json_list(&part->maker, object, object->key, "Orientation", 4, q)) return pose;
  const double norm = rut_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (norm > 1e-6) {
    const rutQuat turn = {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
    pose.turn = rut_quat_matrix(turn);
  } else {
    rut_json_error(&part->maker, object, "Orientation", "a quaternion must not be 0");
  }
  return pose;
}

rutSym3 rut_chrono_inertia(rutChronoPart* part, const rutJsonValue* object) {
  rutVec3 moment, product;
  if (!rut_chrono_vector(part, object, "Moments of Inertia", &moment)) {
    rut_chrono_vector(part, object, "Inertia", &moment);
  }
  rut_chrono_vector(part, object, "Products of Inertia", &product);
  if (moment.x < 0 || moment.y < 0 || moment.z < 0) {
    rut_json_error(&part->maker, object, object->key, "moments of inertia are not negative");
    moment = rut_vec3(0, 0, 0);
  }
  // Chrono's products of inertia are elements of the matrix
  return (rutSym3){moment.x, moment.y, moment.z, product.x, product.y, product.z};
}

bool rut_chrono_curve(rutChronoPart* part, const rutJsonValue* object, const char* key,
                      rutChronoCurve* out) {
  const rutJsonValue* list = object ? rut_json_find(object, key) : NULL;
  out->n = 0;
  if (!list) return false;
  bool fine = list->kind == RUT_JSON_ARRAY && list->children >= 2 &&
              list->children <= RUT_CHRONO_MAX_POINTS;
  for (const rutJsonValue* row = list->first; fine && row; row = row->next) {
    double xy[2];
    if (!rut_json_numbers(&part->maker, row, key, 2, xy)) return false;
    fine = out->n == 0 || xy[0] > out->x[out->n - 1];
    out->x[out->n] = xy[0];
    out->y[out->n++] = xy[1];
  }
  if (fine) return true;
  rut_json_error(&part->maker, list, key,
                 "'%.60s' must be a list of 2 to %d pairs whose first numbers rise", key,
                 RUT_CHRONO_MAX_POINTS);
  out->n = 0;
  return false;
}

double rut_chrono_curve_at(const rutChronoCurve* curve, double x) {
  int i = 1;
  while (i < curve->n - 1 && x > curve->x[i]) i++;
  const double slope = (curve->y[i] - curve->y[i - 1]) / (curve->x[i] - curve->x[i - 1]);
  return curve->y[i - 1] + slope * (x - curve->x[i - 1]);
}

void rut_chrono_set_curve(rutChronoPart* part, rutNode node, const char* field,
                          const rutChronoCurve* curve, double x, double y) {
  double pairs[2 * RUT_CHRONO_MAX_POINTS];
  for (int i = 0; i < curve->n; i++) {
    // a negative factor turns their order round
    const int at = x < 0 ? curve->n - 1 - i : i;
    pairs[2 * i] = x * curve->x[at];
    pairs[2 * i + 1] = y * curve->y[at];
  }
  rut_json_set_list(&part->maker, node, field, 2 * curve->n, pairs, rut_chrono_place(part, NULL));
}
