// SPDX-License-Identifier: BSD-3-Clause
//
// Small worlds of contact bodies for tests: build one from a definition, step it, take it down.
#ifndef RUT_TEST_UNIT_CONTACT_FIXTURE_H
#define RUT_TEST_UNIT_CONTACT_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"

typedef struct world {
  rutContactDef def;
  rutBodyDef* body;
  rutPrismDef* prism;
  rutPlanarJointDef joint[8];
  double* corners;  // [prisms][32]
  rutContactModel* model;
  rutContactState* state;
  void *block, *state_block;
  rutBodies at;
  double* motion;
  double dt, time;
} world;

static inline world world_new(int bodies, int prisms) {
  world w = {0};
  w.body = calloc((size_t)bodies + 1, sizeof *w.body);
  w.prism = calloc((size_t)prisms + 1, sizeof *w.prism);
  w.corners = calloc((size_t)prisms + 1, 32 * sizeof(double));
  double* m = w.motion = calloc((size_t)bodies + 1, 7 * sizeof(double));
  w.at = (rutBodies){
      bodies,        m, m + bodies, m + 2 * bodies, m + 3 * bodies, m + 4 * bodies, m + 5 * bodies,
      m + 6 * bodies};
  w.def.bodies = bodies;
  w.def.gravity = 9.81;
  w.def.margin = 0.03;
  w.dt = 0.005;
  return w;
}

static inline rutPrismDef* world_prism(world* w, int body, int n, const double* xy) {
  int k = w->def.prisms++;
  double* copy = w->corners + 32 * k;
  memcpy(copy, xy, 2 * (size_t)n * sizeof *xy);
  w->prism[k] = (rutPrismDef){
      .body = body, .n = n, .xy = copy, .z_max = 1, .kind = body < 0 ? -1 : 0, .index = body};
  return &w->prism[k];
}

// Box of the given size about (x, y), in the body's frame, without friction or bounce.
static inline rutPrismDef* world_box(world* w, int body, double x, double y, double length,
                                     double width) {
  double a = 0.5 * length, b = 0.5 * width;
  double xy[8] = {x - a, y - b, x + a, y - b, x + a, y + b, x - a, y + b};
  return world_prism(w, body, 4, xy);
}

static inline void* world_block(size_t size) {
  size = (size + 63) & ~(size_t)63;
  void* block = aligned_alloc(64, size);
  return memset(block, 0, size);
}

static inline void world_build(world* w) {
  w->def.body = w->body;
  w->def.prism = w->prism;
  w->def.joint = w->joint;
  rutArena measure = {0};
  rut_contact_build(&w->def, &measure);
  w->block = world_block(measure.used);
  rutArena arena = {w->block, 0, measure.used};
  w->model = rut_contact_build(&w->def, &arena);
  measure = (rutArena){0};
  rut_contact_state_build(w->model, &measure);
  w->state_block = world_block(measure.used);
  arena = (rutArena){w->state_block, 0, measure.used};
  w->state = rut_contact_state_build(w->model, &arena);
  rut_contact_reset(w->model, w->state);
}

static inline void world_free(world* w) {
  free(w->body);
  free(w->prism);
  free(w->corners);
  free(w->motion);
  free(w->block);
  free(w->state_block);
}

static inline void world_solve(world* w) {
  rut_contact_index(w->model, w->state, &w->at);
  rut_contact_begin(w->model, w->state, w->dt, &w->at);
  for (int t = 0; t < rut_contact_tiles(w->model); t++) {
    rut_contact_look(w->model, w->state, &w->at, t);
  }
  rut_contact_solve(w->model, w->state, w->dt, w->time, &w->at);
}

static inline void world_step(world* w) {
  world_solve(w);
  for (int i = 0; i < w->at.n; i++) {
    w->at.x[i] += w->dt * w->at.vx[i];
    w->at.y[i] += w->dt * w->at.vy[i];
    w->at.yaw[i] += w->dt * w->at.rate[i];
  }
  rut_contact_correct(w->model, w->state, &w->at);
  w->time += w->dt;
}

static inline double world_energy(const world* w) {
  double e = 0;
  for (int i = 0; i < w->at.n; i++) {
    const rutBodies* b = &w->at;
    e += 0.5 * w->body[i].mass * (b->vx[i] * b->vx[i] + b->vy[i] * b->vy[i]) +
         0.5 * w->body[i].inertia * b->rate[i] * b->rate[i];
  }
  return e;
}

// Uniform numbers in [0, 1) of a fixed sequence (Knuth's MMIX generator).
static inline double random_unit(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-53;
}

// Random convex polygon: corners on an ellipse at rising angles.
static inline int random_polygon(uint64_t* seed, double size, double* xy) {
  const double pi = 3.14159265358979323846;
  int n = 3 + (int)(random_unit(seed) * 10);
  double angle = 0, flat = 0.2 + 0.8 * random_unit(seed);
  for (int i = 0; i < n; i++) {
    angle += 2 * pi / n * (0.2 + 0.8 * random_unit(seed));
    xy[2 * i] = size * cos(angle);
    xy[2 * i + 1] = size * flat * sin(angle);
  }
  return n;
}

// Bodies of one to three prisms and fixed prisms, small and large, on a square of side `extent`.
static inline world random_scene(uint64_t* seed, int bodies, int fixed, double extent) {
  world w = world_new(bodies, 3 * bodies + fixed);
  double xy[64];
  for (int i = 0; i < bodies; i++) {
    w.body[i] = (rutBodyDef){1, 1, 0, 0};
    for (int k = 0; k < 1 + i % 3; k++) {
      int n = random_polygon(seed, 0.2 + 0.5 * random_unit(seed), xy);
      for (int c = 0; c < 2 * n; c++) xy[c] += 0.3 * k;
      world_prism(&w, i, n, xy)->z_max = 0.5 + random_unit(seed);
    }
  }
  for (int i = 0; i < fixed; i++) {
    double x = extent * (random_unit(seed) - 0.5), y = extent * (random_unit(seed) - 0.5);
    int n = random_polygon(seed, i % 5 ? 0.5 : 8 * random_unit(seed) + 0.1, xy);
    for (int c = 0; c < n; c++) {
      xy[2 * c] += x;
      xy[2 * c + 1] += y;
    }
    world_prism(&w, -1, n, xy)->z_max = 0.5 + random_unit(seed);
  }
  world_build(&w);
  for (int i = 0; i < bodies; i++) {
    w.at.x[i] = extent * (random_unit(seed) - 0.5);
    w.at.y[i] = extent * (random_unit(seed) - 0.5);
    w.at.yaw[i] = 20 * (random_unit(seed) - 0.5);
    w.at.z[i] = 0.4 * random_unit(seed);
  }
  return w;
}

#endif  // RUT_TEST_UNIT_CONTACT_FIXTURE_H
