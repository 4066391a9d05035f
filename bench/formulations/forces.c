// SPDX-License-Identifier: BSD-3-Clause
//
// Forces that all formulations share: springs, dampers, and a road with its tyres.
#include "formulations.h"
#include "math/lanes.h"

// Piecewise linear, the outer pieces going on.
static double look_up(const formTable* t, double x) {
  int i = 0;
  while (i + 2 < t->n && x > t->x[i + 1]) i++;
  const double part = (x - t->x[i]) / (t->x[i + 1] - t->x[i]);
  return t->force[i] + part * (t->force[i + 1] - t->force[i]);
}
static double press_stop(const formTable* t, double depth) {
  return depth > 0 ? look_up(t, depth) : 0;
}

double form_spring(const formVehicle* v, const formCorner* c, double length) {
  return look_up(&c->spring, c->free_length - length) +
         press_stop(&v->stop, c->bump_length - length) -
         press_stop(&v->stop, length - c->rebound_length);
}

double form_damper(const formVehicle* v, const formCorner* c, double length, double rate) {
  const bool zone = length < v->zone_short || length > v->zone_long;
  const double in = zone ? c->zone_compression : c->compression;
  const double out = zone ? c->zone_rebound : c->rebound;
  return -(rate < 0 ? in : out) * rate;
}

// Waves along x, out of step on the left and the right.
RUT_INLINE double road_height(double x, double y) {
  return 0.03 * rut_sin(0.9 * x + (y > 0 ? 0 : 0.7));
}

RUT_CLONES static void press_road(double radius, const formHubs* hubs, formForces* forces) {
  static const double RATE = 4.1e5, DAMPING = 2500, FRICTION = 0.8, STIFF = 12, SLOW = 2;
  RUT_FOR_LANES(i, FORM_CORNERS) {
    const rutVec3 at = rut_load_vec3(hubs->position, FORM_CORNERS, i);
    const rutVec3 v = rut_load_vec3(hubs->velocity, FORM_CORNERS, i);
    const rutVec3 axis = rut_load_vec3(hubs->axis, FORM_CORNERS, i);
    const double depth = road_height(at.x, at.y) + radius - at.z;
    const double load = depth > 0 ? rut_max(RATE * depth - DAMPING * v.z, 0) : 0;
    // along: the wheel's heading on level ground
    const rutVec3 up = rut_vec3(0, 0, 1);
    const rutVec3 along = rut_vec3_unit(rut_vec3_cross(axis, up));
    const rutVec3 left = rut_vec3_cross(up, along);
    const double roll = hubs->spin[i] * radius, speed = rut_vec3_dot(v, along);
    const double over = 1 / rut_sqrt(speed * speed + SLOW * SLOW);
    const double sx = STIFF * (roll - speed) * over, sy = -STIFF * rut_vec3_dot(v, left) * over;
    const double grip = FRICTION * load / rut_sqrt(1 + sx * sx + sy * sy);
    const rutVec3 force = rut_vec3_add_scaled(
        rut_vec3_add_scaled(rut_vec3(0, 0, load), grip * sx, along), grip * sy, left);
    rut_store_vec3(forces->hub_force, FORM_CORNERS, i, force);
    rut_store_vec3(forces->hub_moment, FORM_CORNERS, i,
                   rut_vec3_cross(rut_vec3(0, 0, depth - radius), force));
  }
}
void form_road(const formVehicle* v, const formHubs* hubs, formForces* forces) {
  press_road(v->wheel_radius, hubs, forces);
}

formSteer form_drive(double time, formForces* forces) {
  static const double SIZE = 0.15, PACE = 2.0;
  double sine, cosine;
  rut_sincos(PACE * time, &sine, &cosine);
  forces->force = forces->moment = rut_vec3(0, 0, 0);
  for (int i = 0; i < FORM_CORNERS; i++) {
    forces->drive[i] = 250;
    forces->torque[i] = -20;
  }
  return (formSteer){SIZE * sine, SIZE * PACE * cosine, -SIZE * PACE * PACE * sine};
}

formState form_start(void) {
  formState s = {.position = {0.05, 0, 0.80},
                 .velocity = {10, 0, 0},
                 .attitude = {1, 0, 0, 0},
                 .q = {-0.2, -0.2, -0.2, -0.2}};
  for (int i = 0; i < FORM_CORNERS; i++) s.spin[i] = 10 / 0.46;
  return s;
}
