// SPDX-License-Identifier: BSD-3-Clause
#include "sim/past.h"

#include <string.h>

#include "contact/contact.h"
#include "math/vec.h"
#include "sim/query.h"
#include "sim/scene.h"

// What is kept: whether anything is, the motion of the sensor, frames of the bodies.
enum { KNOWN, MOTION, FRAMES = MOTION + (int)(sizeof(rutMotion) / sizeof(double)), FRAME = 12 };

// Bodies are those of the contact model, then meshes and solids that move, then wheels, then
// sources of the ground if any of them move.
typedef struct Counts {
  int bodies, visuals, wheels, sources;
} Counts;

static Counts counts_of(const rutModel* model) {
  return (Counts){model->bodies, model->scene.visuals - model->scene.fixed, model->wheels,
                  model->ground_motions > 0 ? model->ground->sources : 0};
}

static int bodies_of(const rutModel* model) {
  const Counts n = counts_of(model);
  return n.bodies + n.visuals + n.wheels + n.sources;
}

size_t rut_past_size(const rutModel* model) {
  return FRAMES + (size_t)FRAME * (size_t)bodies_of(model);
}

int rut_past_body_of_prism(const rutModel* model, int prism) {
  const int wheel = model->seen.prism_wheel[prism];
  const Counts n = counts_of(model);
  return wheel < 0 ? rut_contact_owner(model->contact, prism).body : n.bodies + n.visuals + wheel;
}

int rut_past_body_of_visual(const rutModel* model, int visual) {
  return visual < model->scene.fixed ? -1 : model->bodies + visual - model->scene.fixed;
}

int rut_past_body_of_ground(const rutModel* model, int source) {
  const Counts n = counts_of(model);
  return source >= 0 && source < n.sources ? n.bodies + n.visuals + n.wheels + source : -1;
}

static void frame_of(const rutModel* model, const rutData* data, int body, double frame[FRAME]) {
  static const double upright[3] = {0, 0, 0};
  const Counts n = counts_of(model);
  const rutBodies* b = &data->bodies;
  int index = body;
  if (index < n.bodies) {
    rut_affine_of((double[3]){b->x[index], b->y[index], b->z[index]},
                  (double[3]){0, 0, b->yaw[index]}, frame);
    return;
  }
  index -= n.bodies;
  if (index < n.visuals) {
    rut_scene_pose(model, data, model->scene.fixed + index, frame);
    return;
  }
  index -= n.visuals;
  if (index < n.wheels) {
    rut_wheel_frame(model, data, index, frame);
    return;
  }
  rut_affine_of((double[3]){0, 0, data->lift[index - n.wheels]}, upright, frame);
}

static double* past_of(const rutData* data, int sensor) {
  return data->samples + data->model->sensor[sensor].past;
}

void rut_past_keep(const rutModel* model, const rutData* data, int sensor,
                   const rutMotion* motion) {
  double* past = past_of(data, sensor);
  past[KNOWN] = 1;
  memcpy(past + MOTION, motion, sizeof *motion);
  for (int i = 0; i < bodies_of(model); i++) {
    frame_of(model, data, i, past + FRAMES + (ptrdiff_t)FRAME * i);
  }
}

bool rut_past_motion(const rutModel* model, const rutData* data, int sensor, rutMotion* out) {
  if (!model->sensor[sensor].has_past) return false;
  const double* past = past_of(data, sensor);
  memcpy(out, past + MOTION, sizeof *out);
  return past[KNOWN] != 0;
}

// Solve M x = b of a regular matrix by Cramer's rule.
static rutVec3 solve(const double frame[FRAME], rutVec3 b) {
  const rutVec3 x = rut_vec3(frame[0], frame[4], frame[8]),
                y = rut_vec3(frame[1], frame[5], frame[9]),
                z = rut_vec3(frame[2], frame[6], frame[10]);
  const rutVec3 yz = rut_vec3_cross(y, z);
  const double det = rut_vec3_dot(x, yz);
  return rut_vec3(rut_vec3_dot(b, yz) / det, rut_vec3_dot(b, rut_vec3_cross(z, x)) / det,
                  rut_vec3_dot(b, rut_vec3_cross(x, y)) / det);
}

void rut_past_point(const rutModel* model, const rutData* data, int sensor, int body,
                    const double at[3], double out[3]) {
  memcpy(out, at, 3 * sizeof *out);
  if (body < 0) return;
  double now[FRAME];
  frame_of(model, data, body, now);
  const double* then = past_of(data, sensor) + FRAMES + (ptrdiff_t)FRAME * body;
  // a body at rest keeps its points to the last bit
  bool rests = true;
  for (int i = 0; i < FRAME; i++) rests = rests && now[i] == then[i];
  if (rests) return;
  const rutVec3 from = rut_vec3(at[0] - now[3], at[1] - now[7], at[2] - now[11]);
  const rutVec3 own = solve(now, from);
  for (int i = 0; i < 3; i++) {
    const double* row = then + 4 * (ptrdiff_t)i;
    out[i] = row[0] * own.x + row[1] * own.y + row[2] * own.z + row[3];
  }
}
