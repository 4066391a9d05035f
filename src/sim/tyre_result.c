// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tyre_result.h"

#include <string.h>

#include "math/rut_math.h"
#include "sim/query.h"

// A wheel among those of its group, and the rows of its vehicle: number i of a row stands at
// [i * lanes].
typedef struct Place {
  const rutGroup* group;
  int wheel, lane, lanes;
  const double *now, *start;  // after the step, and the state rows as it began
} Place;

static Place place_of(const rutModel* model, const rutData* data, int wheel) {
  const rutVehicleRecord* r = &model->vehicle[rut_wheel_owner(model, wheel)];
  const rutGroup* g = &model->group[r->group];
  const int batch = r->slot / g->lanes, lane = r->slot % g->lanes;
  return (Place){.group = g,
                 .wheel = wheel - r->first_wheel,
                 .lane = lane,
                 .lanes = g->lanes,
                 .now = data ? rut_batch(data, g, batch) + lane : NULL,
                 .start = data ? rut_backup(data, g, batch) + lane : NULL};
}

// Pressure that a tyre of a planar vehicle names [Pa].
static double planar_pressure(const rutGroup* g) {
  double room[RUT_TYRE_NUMBERS];
  if (!g->tyre || !g->tyre->inflate) return 0;
  memcpy(room, g->tyre_param, sizeof room);
  return g->tyre->inflate(room, RUT_NAN);
}

static rutWheelTyre tyre_at(const Place* p) {
  const rutVehicleClass* spatial = p->group->spatial;
  if (!spatial) {
    return (rutWheelTyre){p->group->tyre, p->group->tyre_param, NULL, planar_pressure(p->group)};
  }
  const int entry = p->wheel * p->lanes + p->lane;
  const rutWheelRun* run = spatial->tyre;
  while (entry >= run->first + run->count) run++;
  const double* inflated = p->now && spatial->pressures > 0
                               ? p->now + p->group->row.inflated + run->axle * RUT_TYRE_NUMBERS
                               : run->param;
  return (rutWheelTyre){(const rutTyreType*)run->type, inflated, run->given, run->pressure};
}

rutWheelTyre rut_wheel_tyre(const rutModel* model, int wheel) {
  const Place p = place_of(model, NULL, wheel);
  return tyre_at(&p);
}

// Row of the wheel, and the first of the vehicle's rows of that name.
#define WHEEL(name) p->now[(p->group->row.name + p->wheel) * p->lanes]
#define START(name) (p->start + p->group->row.name * p->lanes)

// What the tyre of a planar vehicle was given (sim/step_vehicle.c).
static void look_planar(const rutModel* model, const Place* p, rutTyreResult* out) {
  const rutGroup* g = p->group;
  const int w = p->wheel, entry = w * p->lanes + p->lane, lanes = p->lanes;
  double steer_s = g->mount_sin[w], steer_c = g->mount_cos[w];
  if (g->steer_position[w] >= 0) rut_sincos(WHEEL(yaw), &steer_s, &steer_c);
  const double c = *START(cos_yaw), s = *START(sin_yaw), *q = START(q), *ground = START(ground);
  const double *axes = ground + lanes, down = -model->gravity;
  const double gx = down * (c * axes[6 * lanes] + s * axes[7 * lanes]);
  const double gy = down * (c * axes[7 * lanes] - s * axes[6 * lanes]);
  const double hub_x = WHEEL(hub_vx), hub_y = WHEEL(hub_vy), fx = WHEEL(fx), fy = WHEEL(fy);
  const double x = g->arm_x[entry], y = g->arm_y[entry];
  out->vx = steer_c * hub_x + steer_s * hub_y;
  out->vy = steer_c * hub_y - steer_s * hub_x;
  out->fx = steer_c * fx + steer_s * fy;
  out->fy = steer_c * fy - steer_s * fx;
  out->gx = steer_c * gx + steer_s * gy;
  out->gy = (steer_c * gy - steer_s * gx) * g->hold[entry];
  out->torque = WHEEL(torque);
  out->mass = g->side_mass[entry];
  out->inertia = g->inertia[entry];
  rut_ground_properties(model->ground, q[0] + c * x - s * y, q[lanes] + s * x + c * y, ground[0],
                        &out->friction, &out->rolling);
  out->state = g->tyre_states > 0 ? &WHEEL(tyre) : NULL;
  out->stride = g->wheels * lanes;
}

static void look_on_axles(const Place* p, rutTyreResult* out) {
  const rutGroup* g = p->group;
  double s, c;
  rut_sincos(WHEEL(yaw), &s, &c);
  out->vx = c * WHEEL(hub_vx) + s * WHEEL(hub_vy);
  out->vy = c * WHEEL(hub_vy) - s * WHEEL(hub_vx);
  out->fx = WHEEL(longitudinal_load);
  out->fy = WHEEL(spatial.lateral_load);
  out->deflection = WHEEL(spatial.deflection);
  out->patch_x = WHEEL(spatial.slip_x);
  out->patch_y = WHEEL(spatial.slip_y);
  out->aligning = WHEEL(aligning);
  const double sine = rut_clamp(WHEEL(sin_inclination), -1, 1);
  out->inclination = rut_atan2(sine, rut_sqrt(1 - sine * sine));
  out->side = g->spatial->side[p->wheel * p->lanes + p->lane];
}

void rut_tyre_tell(const rutModel* model, const rutData* data, int wheel, double* out) {
  const Place at = place_of(model, data, wheel), *p = &at;
  const rutWheelTyre tyre = tyre_at(p);
  const int vehicle = rut_wheel_owner(model, wheel);
  rutTyreResult seen = {.dt = model->dt,
                        .radius = p->group->radius[p->wheel * p->lanes + p->lane],
                        .load = rut_wheel_load(model, data, vehicle, p->wheel),
                        .speed = WHEEL(start_speed)};
  if (p->group->spatial) {
    look_on_axles(p, &seen);
  } else {
    look_planar(model, p, &seen);
  }
  tyre.type->observe(tyre.param, &seen, out);
}
