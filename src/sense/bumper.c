// SPDX-License-Identifier: BSD-3-Clause
//
// Bumper: a strip of switches around its place that closes where the vehicle touches something, and
// the force there: the normal impulses of the last step over its duration, so that impacts are
// as sharp as the step.
#include "math/vec.h"
#include "rut/sensor.h"

#define FIELDS(REAL, CHOICE)                                                     \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                  \
  REAL(fov, "rad", 2 * RUT_PI, 0, 2 * RUT_PI,                                    \
       "sector, half to each side of its x axis, in which it feels contacts")    \
  REAL(threshold, "N", 0, 0, 1e9, "force that closes it; 0: every contact does") \
  REAL(force_noise, "N", 0, 0, 1e9, "standard deviation of the force, where there is a contact")

typedef struct BumperParam {
  FIELDS(RUT_PARAM, RUT_PARAM)
} BumperParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_CHOICE_ROW)};

enum { CONTACT, FORCE, PLACE };
static const rutVariable outputs[] = {
    [CONTACT] = {.name = "contact", .unit = "", .doc = "1 while it is pressed", .type = RUT_U8},
    [FORCE] = {.name = "contact_force",
               .unit = "N",
               .doc = "sum of the normal forces on it in the last step"},
    [PLACE] = {.name = "contact_position",
               .unit = "m",
               .shape = "2",
               .frame = "sensor",
               .doc = "x y of the contact with the largest force, NaN without one"}};

static bool is_own(const rutContact* c, int vehicle) {
  return (c->kind_a == RUT_VEHICLE && c->index_a == vehicle) ||
         (c->kind_b == RUT_VEHICLE && c->index_b == vehicle);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const BumperParam* p = param;
  double *force = out[FORCE], *place = out[PLACE], most = -1, normal;
  const rutMat3 axes = rut_mat3_of_rpy(in->pose[3], in->pose[4], in->pose[5]);
  (void)state;
  (void)scratch;
  *force = 0;
  place[0] = place[1] = RUT_NAN;
  for (int i = 0; i < in->contacts; i++) {
    const rutContact* c = &in->contact[i];
    if (!is_own(c, in->vehicle)) continue;
    const rutVec3 from = rut_vec3(c->position[0] - in->pose[0], c->position[1] - in->pose[1], 0);
    const rutVec3 at = rut_mat3_apply_transposed(axes, from);
    if (rut_abs(rut_atan2(at.y, at.x)) > 0.5 * p->fov) continue;
    const double normal_force = c->impulse / in->step;
    *force += normal_force;
    if (normal_force <= most) continue;
    most = normal_force;
    place[0] = at.x;
    place[1] = at.y;
  }
  const bool touched = most >= 0;
  in->normals(in->host, 0, 1, &normal);
  if (touched) *force = rut_max(*force + p->force_noise * normal, 0);
  *(unsigned char*)out[CONTACT] = touched && *force >= p->threshold;
}

extern const rutSensorType rut_sensor_bumper;
const rutSensorType rut_sensor_bumper = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "bumper", "vehicle",
                      "Bumper: tells whether the vehicle touches something in its sector, with "
                      "which force, and where.",
                      fields)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .sample = sample,
};
