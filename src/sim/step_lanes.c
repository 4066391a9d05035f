// SPDX-License-Identifier: BSD-3-Clause
#include "sim/step_lanes.h"

#include "vehicle/control_lane.h"

enum {
  LANES = RUT_MBD_LANES,
  MOST_INPUTS = 2,  // of drives whose demands have limits
  MOST_SPEEDS = 6 * RUT_MBD_MAX_BODIES,
  MOST_POSITIONS = 7 * RUT_MBD_MAX_BODIES
};

// What a drive sees of one vehicle.
typedef struct Lone {
  double demand[RUT_LANE_INPUTS], speed[RUT_MAX_WHEELS], state[RUT_LANE_STATES];
} Lone;

static rutDriveIn look(const rutGroup* group, const rutDriveIn* in, const double* state, int lane,
                       Lone* to) {
  rut_lane_take(in->demand, group->inputs, LANES, lane, to->demand);
  rut_lane_take(in->speed, group->wheels, LANES, lane, to->speed);
  rut_lane_take(state, group->drive_states, LANES, lane, to->state);
  return (rutDriveIn){.lanes = 1,
                      .dt = in->dt,
                      .demand = in->demand ? to->demand : NULL,
                      .speed = to->speed,
                      .plan = rut_group_of(group, lane)->drive_plan};
}

void rut_plane_torque(const rutGroup* group, const rutDriveIn* in, double* state, double* torque) {
  const int wheels = group->wheels;
  for (int l = 0; l < LANES; l++) {
    const rutGroup* own = rut_group_of(group, l);
    Lone lone;
    double turned[RUT_MAX_WHEELS];
    const rutDriveIn seen = look(group, in, state, l, &lone);
    rut_lane_take(torque, wheels, LANES, l, turned);
    own->drive->torque(own->drive_param, &own->layout, &seen, lone.state, turned);
    rut_lane_put(turned, wheels, LANES, l, torque);
    rut_lane_put(lone.state, group->drive_states, LANES, l, state);
  }
}

void rut_plane_limits(const rutGroup* group, const rutDriveIn* in, const double* state, double* low,
                      double* high) {
  const int inputs = group->inputs;
  for (int l = 0; l < LANES; l++) {
    const rutGroup* own = rut_group_of(group, l);
    Lone lone;
    double least[MOST_INPUTS], most[MOST_INPUTS];
    const rutDriveIn seen = look(group, in, state, l, &lone);
    rut_lane_take(low, inputs, LANES, l, least);
    rut_lane_take(high, inputs, LANES, l, most);
    own->drive->limits(own->drive_param, &own->layout, &seen, lone.state, least, most);
    rut_lane_put(least, inputs, LANES, l, low);
    rut_lane_put(most, inputs, LANES, l, high);
  }
}

void rut_plane_gain(const rutGroup* group, const rutDriveIn* in, const double* state,
                    double* gain) {
  const int rows = group->inputs * group->wheels;
  for (int l = 0; l < LANES; l++) {
    const rutGroup* own = rut_group_of(group, l);
    Lone lone;
    double given[MOST_INPUTS * RUT_MAX_WHEELS];
    const rutDriveIn seen = look(group, in, state, l, &lone);
    rut_lane_take(gain, rows, LANES, l, given);
    own->drive->gain(own->drive_param, &own->layout, &seen, lone.state, given);
    rut_lane_put(given, rows, LANES, l, gain);
  }
}

void rut_plane_tyres(const rutGroup* group, const rutTyreIn* in, double* state,
                     const rutTyreOut* out) {
  const int wheels = group->wheels, states = group->tyre_states * wheels;
  for (int l = 0; l < LANES; l++) {
    const rutGroup* own = rut_group_of(group, l);
    double row[19][RUT_MAX_WHEELS], kept[RUT_LANE_STATES];
    rutTyreIn seen = *in;
    const double** const list[] = {&seen.vx,     &seen.vy,      &seen.gx,       &seen.gy,
                                   &seen.speed,  &seen.torque,  &seen.load,     &seen.mass,
                                   &seen.radius, &seen.inertia, &seen.friction, &seen.rolling,
                                   &seen.scrub};
    double* const all[] = {out->fx, out->fy, out->drag, out->spin, out->roll, out->limit};
    const rutTyreOut told = {row[13], row[14], row[15], row[16], row[17], row[18]};
    for (int i = 0; i < 13; i++) {
      rut_lane_take(*list[i], wheels, LANES, l, row[i]);
      *list[i] = row[i];
    }
    for (int i = 0; i < 6; i++) rut_lane_take(all[i], wheels, LANES, l, row[13 + i]);
    rut_lane_take(state, states, LANES, l, kept);
    own->tyre->force(own->tyre_param, wheels, &seen, kept, &told);
    for (int i = 0; i < 6; i++) rut_lane_put(row[13 + i], wheels, LANES, l, all[i]);
    rut_lane_put(kept, states, LANES, l, state);
  }
}

void rut_plane_accelerate(const rutGroup* group, const rutMbdIn* in, double* scratch,
                          double* acceleration) {
  const int positions = group->tree.positions, speeds = group->tree.speeds;
  const int forces = 6 * group->tree.bodies;
  for (int l = 0; l < LANES; l++) {
    const rutGroup* own = rut_group_of(group, l);
    double q[MOST_POSITIONS], v[MOST_SPEEDS], tau[MOST_SPEEDS], rate[MOST_SPEEDS];
    double force[6 * RUT_MBD_MAX_BODIES], gravity[3];
    rut_lane_take(in->q, positions, LANES, l, q);
    rut_lane_take(in->v, speeds, LANES, l, v);
    rut_lane_take(in->tau, speeds, LANES, l, tau);
    rut_lane_take(in->force, forces, LANES, l, force);
    rut_lane_take(in->gravity, 3, LANES, l, gravity);
    const rutMbdIn lone = {1, q, v, tau, force, gravity};
    rut_mbd_accelerate(&own->tree, own->plan, &lone, scratch, rate);
    rut_lane_put(rate, speeds, LANES, l, acceleration);
  }
}
