// SPDX-License-Identifier: BSD-3-Clause
//
// The balance of energy of a vehicle on axles.
#include "math/quat.h"
#include "sim/step.h"
#include "vehicle/view.h"

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// Kinetic energy, height energy, and what springs hold, of one vehicle.
static void mechanical_energy(const rutModel* model, const rutGroup* group, const double* batch,
                              int lane, double* kinetic, double* potential) {
  const rutSpatial* s = group->spatial;
  const rutSliders* b = &s->body;
  const int lanes = group->lanes;
  const double *q = batch + group->row.q * lanes + lane, *v = batch + group->row.v * lanes + lane;
  const double* steer = batch + group->row.spatial.steer * lanes + lane;
  const rutMat3 r =
      rut_quat_matrix(rut_quat(q[3 * lanes], q[4 * lanes], q[5 * lanes], q[6 * lanes]));
  const rutVec3 omega = rut_vec3(v[0], v[lanes], v[2 * lanes]);
  const rutVec3 linear = rut_vec3(v[3 * lanes], v[4 * lanes], v[5 * lanes]);
  const double* j = b->inertia;
  const rutVec3 momentum = rut_vec3(j[0] * omega.x + j[3] * omega.y + j[4] * omega.z,
                                    j[3] * omega.x + j[1] * omega.y + j[5] * omega.z,
                                    j[4] * omega.x + j[5] * omega.y + j[2] * omega.z);
  double twice = b->mass * rut_vec3_dot(linear, linear) + rut_vec3_dot(omega, momentum);
  double height = b->mass * q[2 * lanes], shaft[RUT_MAX_SHAFTS] = {0};
  const double* turns = batch + group->row.spatial.turns * lanes;
  const double* yields = batch + group->row.spatial.yields * lanes + lane;
  for (int w = 0; w < group->wheels; w++) {
    const int i = w * lanes + lane;
    const double slide = q[(7 + w) * lanes], run = v[(6 + w) * lanes];
    const double spin = v[(6 + s->pad + w) * lanes];
    double sine, cosine;
    rut_sincos(steer[w * lanes], &sine, &cosine);
    rutVec3 axis = rut_vec3(-sine, cosine, 0), arm = rut_vec3(b->x[i], b->y[i], b->z[i] + slide);
    rutVec3 moves = rut_vec3(0, 0, b->slides[i] * run), turning = omega;
    if (s->corner_mass[i] > 0) {
      const rutCornerMotion k = rut_corner_motion(group, batch, i);
      axis = k.axis;
      arm = k.hub;
      moves = k.velocity;
      turning = rut_vec3_add(omega, k.turning);
      twice += 2 * rut_corner_bodies_energy(group, batch, i, linear, omega);
      height += s->corner_mass[i] * q[2 * lanes] + rut_mat3_apply(r, k.first).z;
    }
    const rutVec3 hub = rut_vec3_add(rut_vec3_add(linear, rut_vec3_cross(omega, arm)), moves);
    const double along = rut_vec3_dot(turning, axis), whole = spin + along;
    twice += b->wheel_mass[i] * rut_vec3_dot(hub, hub) + b->spin[i] * whole * whole +
             s->geared[i] * spin * spin + 2 * s->reaction[i] * spin * along +
             b->transverse[i] * (rut_vec3_dot(turning, turning) - along * along);
    height += b->wheel_mass[i] * (q[2 * lanes] + rut_mat3_apply(r, arm).z);
    // of the wheel against the chassis, which is what shafts turn with
    const double against = spin + rut_vec3_dot(rut_vec3_sub(turning, omega), axis);
    for (int k = 0; k < s->shafts; k++) shaft[k] += turns[k * b->n + i] * against;
  }
  for (int k = 0; k < s->shafts; k++) {
    const double yield = yields[k * lanes];
    if (yield > 0) twice += shaft[k] * shaft[k] / yield;
  }
  *kinetic = 0.5 * twice;
  *potential = model->gravity * height;
}

// What suspensions, anti-roll bars and tyres of one vehicle hold.
static double elastic_energy(const rutGroup* group, const double* batch, int lane) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes;
  const double *slide = ROW(q) + 7 * lanes, *run = ROW(v) + 6 * lanes;
  const double *pressed = SPATIAL(penetration), none = 0;
  double sum = 0;
  for (int w = 0; w < group->wheels; w++) {
    const int i = w * lanes + lane;
    const double twist = slide[i] - slide[s->partner[i]];
    double out[8] = {0};
    const rutWheelRun* spring = s->suspension;
    while (i >= spring->first + spring->count) spring++;
    if (s->corner_mass[i] > 0) {
      out[3] = rut_corner_motion(group, batch, i).spring;
    } else {
      ((const rutSuspensionType*)spring->type)
          ->force(spring->param, 1, &slide[i], &run[i], &s->preload[i],
                  &(rutSuspensionOut){&out[0], &out[1], &out[2], &out[3]});
    }
    // half of the bar's energy on each side
    sum += out[3] + 0.25 * s->roll_rate[i] * twist * twist;
    const rutWheelRun* tyre = s->tyre;
    while (i >= tyre->first + tyre->count) tyre++;
    ((const rutTyreType*)tyre->type)
        ->carcass(tyre->param, 1, &pressed[i], &none, &s->radius[i],
                  &(rutCarcassOut){&out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6],
                                   &out[7]});
    sum += out[3];
  }
  return sum;
}

void rut_spatial_start_energy(const rutModel* model, rutData* data, int index) {
  const rutVehicleRecord* r = &model->vehicle[index];
  const rutGroup* group = &model->group[r->group];
  const int lanes = group->lanes, lane = r->slot % lanes;
  double* batch = rut_batch(data, group, r->slot / lanes);
  double* start = SPATIAL(mechanical) + lane;
  mechanical_energy(model, group, batch, lane, &start[0], &start[lanes]);
}

bool rut_vehicle_energy(const rutModel* model, const rutData* data, int vehicle, rutEnergy* out) {
  *out = (rutEnergy){0};
  if (vehicle < 0 || vehicle >= model->vehicles) return false;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* group = &model->group[r->group];
  if (!group->spatial) return false;
  const int lanes = group->lanes, lane = r->slot % lanes;
  const double* batch = rut_batch(data, group, r->slot / lanes);
  const double* energy = batch + group->row.spatial.energy * lanes + lane;
  const double* start = batch + group->row.spatial.mechanical * lanes + lane;
#define X(name, doc) out->name = energy[RUT_ENERGY_##name * lanes];
  RUT_ENERGY_LIST(X)
#undef X
  mechanical_energy(model, group, batch, lane, &out->kinetic, &out->potential);
  out->consumed = batch[group->row.spatial.consumed * lanes + lane];
  out->start = start[0] + start[lanes];
  const double gain = out->kinetic + out->potential - out->start;
  out->elastic = elastic_energy(group, batch, lane);
  // kinetic energy and that of height may pass from one to the other
  const double risen = rut_abs(out->kinetic - start[0]) + rut_abs(out->potential - start[lanes]);
  double lost = 0, moved = rut_abs(out->drive) + risen;
  for (int i = 0; i < RUT_ENERGY_COUNT; i++) {
    if (i == RUT_ENERGY_drive) continue;
    lost += energy[i * lanes];
    moved += rut_abs(energy[i * lanes]);
  }
  out->residual = out->drive - lost - gain;
  out->throughput = 0.5 * moved;
  return true;
}
