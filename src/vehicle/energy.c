// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/energy.h"

#include "vehicle/corner.h"
#include "vehicle/inflation.h"
#include "vehicle/kinematic.h"

#define ROW(name)     RUT_STATE(batch, name)
#define SPATIAL(name) RUT_SPATIAL_STATE(batch, name)

// Of one vehicle.
typedef struct Mechanical {
  double kinetic, potential;
  double rising;  // momentum upwards [N s]; that of arms is taken for their hubs'
} Mechanical;

static Mechanical mechanical_energy(double gravity, const rutVehicleBatch* batch, int lane,
                                    rutCornerLook* look) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutSliders* b = &vehicle->body;
  const int lanes = vehicle->lanes;
  const double *q = ROW(q) + lane, *v = ROW(v) + lane, *steer = SPATIAL(steer) + lane;
  const rutMat3 r =
      rut_quat_matrix(rut_quat(q[3 * lanes], q[4 * lanes], q[5 * lanes], q[6 * lanes]));
  const rutVec3 omega = rut_vec3(v[0], v[lanes], v[2 * lanes]);
  const rutVec3 linear = rut_vec3(v[3 * lanes], v[4 * lanes], v[5 * lanes]);
  const double *inertia = b->inertia + lane, mass = b->mass[lane];
  double j[6];
  for (int i = 0; i < 6; i++) j[i] = inertia[i * lanes];
  const rutVec3 momentum = rut_vec3(j[0] * omega.x + j[3] * omega.y + j[4] * omega.z,
                                    j[3] * omega.x + j[1] * omega.y + j[5] * omega.z,
                                    j[4] * omega.x + j[5] * omega.y + j[2] * omega.z);
  double twice = mass * rut_vec3_dot(linear, linear) + rut_vec3_dot(omega, momentum);
  const rutVec3 up = rut_vec3(r.m[6], r.m[7], r.m[8]);
  double rising = mass * rut_vec3_dot(linear, up);
  double height = mass * q[2 * lanes], shaft[RUT_MAX_SHAFTS] = {0};
  const double *shaft_ratio = SPATIAL(shaft_ratio),
               *inverse_inertia = SPATIAL(inverse_inertia) + lane;
  for (int w = 0; w < vehicle->wheels; w++) {
    const int i = w * lanes + lane;
    const double slide = q[(RUT_CHASSIS_POSITIONS + w) * lanes],
                 run = v[(RUT_CHASSIS_SPEEDS + w) * lanes];
    const double spin = v[(RUT_CHASSIS_SPEEDS + vehicle->pad + w) * lanes];
    double sine, cosine;
    rut_sincos(steer[w * lanes], &sine, &cosine);
    rutVec3 axis = rut_vec3(-sine, cosine, 0), arm = rut_vec3(b->x[i], b->y[i], b->z[i] + slide);
    rutVec3 moves = rut_vec3(0, 0, b->slides[i] * run), turning = omega;
    if (vehicle->corner_mass[i] > 0) {
      const rutCornerMotion k = rut_corner_motion(batch, i, look);
      axis = k.axis;
      arm = k.hub;
      moves = k.velocity;
      turning = rut_vec3_add(omega, k.turning);
      twice += 2 * rut_corner_energy(batch, i, linear, omega);
      height += vehicle->corner_mass[i] * q[2 * lanes] + rut_mat3_apply(r, k.first).z;
    }
    const rutVec3 hub = rut_vec3_add(rut_vec3_add(linear, rut_vec3_cross(omega, arm)), moves);
    rising += (b->wheel_mass[i] + vehicle->corner_mass[i]) * rut_vec3_dot(hub, up);
    const double along = rut_vec3_dot(turning, axis), whole = spin + along;
    twice += b->wheel_mass[i] * rut_vec3_dot(hub, hub) + b->spin[i] * whole * whole +
             vehicle->geared[i] * spin * spin + 2 * vehicle->reaction[i] * spin * along +
             b->transverse[i] * (rut_vec3_dot(turning, turning) - along * along);
    height += b->wheel_mass[i] * (q[2 * lanes] + rut_mat3_apply(r, arm).z);
    // of the wheel against the chassis, which is what shafts turn with
    const double against = spin + rut_vec3_dot(rut_vec3_sub(turning, omega), axis);
    for (int k = 0; k < vehicle->shafts; k++) shaft[k] += shaft_ratio[k * b->n + i] * against;
  }
  for (int k = 0; k < vehicle->shafts; k++) {
    const double inverse = inverse_inertia[k * lanes];
    if (inverse > 0) twice += shaft[k] * shaft[k] / inverse;
  }
  return (Mechanical){0.5 * twice, gravity * height, rising};
}

// What contact patches hold, taken for linear springs. One that slides is deflected as far as its
// force tells, and no further.
static double patch_energy(const rutVehicleBatch* batch, int lane) {
  const int lanes = batch->vehicle->lanes;
  const double *x = SPATIAL(slip_x), *y = SPATIAL(slip_y), *slip = SPATIAL(normalised_slip);
  const double *along = ROW(longitudinal_load), *across = SPATIAL(lateral_load), *drag = ROW(drag);
  double twice = 0;
  for (int i = lane; i < batch->vehicle->wheels * lanes; i += lanes) {
    // shear of soil does not spring back
    if (SPATIAL(sinkage)[i] > 0) continue;
    twice +=
        (rut_abs((along[i] - drag[i]) * x[i]) + rut_abs(across[i] * y[i])) / rut_max(slip[i], 1);
  }
  return 0.5 * twice;
}

// What suspensions, anti-roll bars and tyres of one vehicle hold, and springs between it and the
// ground.
static double elastic_energy(const rutVehicleBatch* batch, int lane, rutCornerLook* look) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  const double* slide = ROW(q) + RUT_CHASSIS_POSITIONS * lanes;
  const double* run = ROW(v) + RUT_CHASSIS_SPEEDS * lanes;
  const double *pressed = SPATIAL(deflection), none = 0;
  double sum = ROW(held)[lane] + patch_energy(batch, lane);
  for (int w = 0; w < vehicle->wheels; w++) {
    const int i = w * lanes + lane;
    double out[8] = {0}, twist = slide[i] - slide[vehicle->partner[i]];
    const rutWheelRun* spring = vehicle->suspension;
    while (i >= spring->first + spring->count) spring++;
    if (vehicle->corner_mass[i] > 0) {
      const rutCornerMotion own = rut_corner_motion(batch, i, look);
      out[3] = own.spring;
      if (vehicle->roll_rate[i] > 0) {
        twist = own.travel - rut_corner_motion(batch, vehicle->partner[i], look).travel;
      }
    } else {
      ((const rutSuspensionType*)spring->type)
          ->force(spring->param, 1, &slide[i], &run[i], &vehicle->preload[i],
                  &(rutSuspensionOut){&out[0], &out[1], &out[2], &out[3]});
    }
    // half of the bar's energy on each side
    sum += out[3] + 0.25 * vehicle->roll_rate[i] * twist * twist;
    const rutWheelRun* tyre = vehicle->tyre;
    while (i >= tyre->first + tyre->count) tyre++;
    ((const rutTyreType*)tyre->type)
        ->carcass(rut_tyre_param(batch, tyre), 1, &pressed[i], &none, &vehicle->radius[i],
                  &(rutCarcassOut){&out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6],
                                   &out[7]});
    sum += out[3];
  }
  return sum;
}

void rut_vehicle_begin_energy(double gravity, const rutVehicleBatch* batch, int lane) {
  rutCornerLook look = {.end = 0};
  const Mechanical start = mechanical_energy(gravity, batch, lane, &look);
  double* to = SPATIAL(mechanical) + lane;
  to[0] = start.kinetic;
  to[batch->vehicle->lanes] = start.potential;
}

// What wheels do not carry of the weight of one vehicle, over it.
static double falling_share(double gravity, const rutVehicleBatch* batch, int lane) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const double weight = vehicle->total_mass[lane] * gravity, *load = ROW(load) + lane;
  double carried = 0;
  for (int w = 0; w < vehicle->wheels; w++) carried += load[w * vehicle->lanes];
  return weight > 0 ? rut_max(1 - carried / weight, 0) : 0;
}

void rut_vehicle_balance(double gravity, double step, const rutVehicleBatch* batch, int lane,
                         rutEnergy* out) {
  const int lanes = batch->vehicle->lanes;
  const double *energy = SPATIAL(energy) + lane, *start = SPATIAL(mechanical) + lane;
  rutCornerLook look = {.end = 0};
  const Mechanical now = mechanical_energy(gravity, batch, lane, &look);
#define X(name, doc) out->name = energy[RUT_ENERGY_##name * lanes];
  RUT_ENERGY_LIST(X)
#undef X
  out->kinetic = now.kinetic;
  out->potential = now.potential;
  out->consumed = SPATIAL(consumed)[lane];
  out->start = start[0] + start[lanes];
  const double gain = out->kinetic + out->potential - out->start;
  out->elastic = elastic_energy(batch, lane, &look);
  // kinetic energy and that of height may pass from one to the other
  const double risen = rut_abs(out->kinetic - start[0]) + rut_abs(out->potential - start[lanes]);
  double lost = 0, moved = risen;
  for (int i = 0; i < RUT_ENERGY_COUNT; i++) {
    if (i == RUT_ENERGY_drive) continue;
    lost += energy[i * lanes];
    moved += rut_abs(energy[i * lanes]);
  }
  // what moves a kinematic vehicle has no name: it is the work that its motion takes
  if (rut_vehicle_is_kinematic(batch->vehicle)) out->drive = lost + gain;
  out->residual = out->drive - lost - gain;
  out->throughput = 0.5 * (rut_abs(out->drive) + moved);
  if (rut_vehicle_is_kinematic(batch->vehicle)) return;
  out->flight = -0.5 * step * gravity * falling_share(gravity, batch, lane) * now.rising;
}
