// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/hull_soil.h"

// Soil follows a plate that rises no faster than this [m/s].
static const double FOLLOWS = 0.1;
// Depth below which the slope of the pressure is not looked at [m].
static const double SHALLOW = 1e-4;

// What the soil answers there; `springs` is the work that comes back when it rises.
typedef struct Answer {
  double pressure, stiffness, work, springs, front_cohesion, front_weight;
} Answer;

static void add_place(const rutHullPress* at, const Answer* soil, rutHullSoil* p) {
  const double closing = -rut_vec3_dot(at->n, at->velocity);
  const double gain = rut_clamp(1 + closing / FOLLOWS, 0, 1);
  const double area = at->area * at->slope, shallow = at->sunk / rut_max(at->sunk, SHALLOW);
  const double load = gain * shallow * soil->pressure * area, rate = gain * soil->stiffness * area;
  const rutVec3 turn = rut_vec3_cross(at->r, at->n);
  const double j[RUT_HULL_MOTIONS] = {at->n.x, at->n.y, at->n.z, turn.x, turn.y, turn.z};
  // depth counts upright, along the normal it is less
  const double steep = rate * at->slope;
  for (int i = 0, k = 0; i < RUT_HULL_MOTIONS; i++) {
    p->force[i] += load * j[i];
    for (int m = 0; m <= i; m++, k++) p->stiff[k] += steep * j[i] * j[m];
  }
  p->load += load;
  p->held += shallow * soil->springs * at->area;
  p->area += area;
  p->first = rut_vec3_add_scaled(p->first, load, at->r);
  p->second += load * rut_vec3_dot(at->r, at->r);
  p->place[0] += area * at->r.x;
  p->place[1] += area * at->r.y;
  p->moment[0] += area * at->r.x * at->r.x;
  p->moment[1] += area * at->r.x * at->r.y;
  p->moment[2] += area * at->r.y * at->r.y;
  const double pushed = at->sunk * (soil->front_cohesion + soil->front_weight * at->sunk);
  p->front += at->front * at->area * (shallow * soil->work + pushed);
}

void rut_hull_soil_add(const rutSoilRecord* soil, const rutHullPlaces* places, double side,
                       rutHullSoil* p) {
  double depth[RUT_OVERLAPS], left[RUT_OVERLAPS];
  double pressure[RUT_OVERLAPS], stiffness[RUT_OVERLAPS], work[RUT_OVERLAPS];
  double front_cohesion = 0, front_weight = 0;
  const int n = places->n;
  const bool remembers = places->pressed != NULL;
  for (int i = 0; i < n; i++) depth[i] = rut_max(places->at[i].sunk, SHALLOW);
  const rutPlateIn in = {depth, side, places->local, places->pressed};
  const rutPlateOut out = {pressure,      stiffness,
                           work,          &p->cohesion,
                           &p->tan_phi,   &p->adhesion,
                           &p->tan_delta, &front_cohesion,
                           &front_weight, remembers ? left : NULL};
  soil->type->plate(soil->param, soil->derived, n, &in, &out);
  for (int i = 0; i < n; i++) {
    // soil that remembers comes up along a line, to the surface that is left
    const double back = remembers ? 0.5 * pressure[i] * rut_max(depth[i] - left[i], 0) : work[i];
    add_place(&places->at[i],
              &(Answer){pressure[i], stiffness[i], work[i], back, front_cohesion, front_weight}, p);
  }
}

double rut_hull_soil_side(const rutHullSoil* p) {
  const double inverse = 1 / rut_max(p->area, 1e-300);
  const double x = p->place[0] * inverse, y = p->place[1] * inverse;
  const double xx = p->moment[0] * inverse - x * x, yy = p->moment[2] * inverse - y * y;
  const double xy = p->moment[1] * inverse - x * y, half = 0.5 * (xx - yy);
  const double least = 0.5 * (xx + yy) - rut_hypot(half, xy);
  return rut_sqrt(12 * rut_max(least, 0));
}

double rut_hull_soil_drag(const rutHullSoil* p, double strip) {
  const double soil = p->cohesion * p->area + p->load * p->tan_phi;
  const double plate = p->adhesion * p->area + p->load * p->tan_delta;
  return rut_min(soil, plate) + p->front / strip;
}
