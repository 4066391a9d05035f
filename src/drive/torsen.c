// SPDX-License-Identifier: BSD-3-Clause
//
// Engine behind differentials that send more torque to the slower side, in the form of MVSim.
#include "drive/axle.h"

#define FIELDS(X)                                                                                \
  X(front_rear_split, "", 0.5, 0, 1, "Share of the torque that goes to the front axle.")         \
  X(front_left_right_split, "", 0.5, 0, 1, "Share of front torque that goes to the left.")       \
  X(rear_left_right_split, "", 0.5, 0, 1, "Share of rear torque that goes to the left.")         \
  X(front_rear_bias, "", 1.5, 1, 100, "Ratio of axle speeds above which torque is transferred.") \
  X(front_left_right_bias, "", 1.5, 1, 100, "Ratio of front wheel speeds, likewise.")            \
  X(rear_left_right_bias, "", 1.5, 1, 100, "Ratio of rear wheel speeds, likewise.")

typedef struct Param {
  FIELDS(RUT_PARAM)
  double driven;
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_DRIVEN_ROW(RUT_DRIVEN_ALL)};

// Share of the first output. With M and m the larger and smaller |speed|, d = max(0, M - b m)/M is
// taken off the faster side and added to the slower one; a side at rest leaves the plain split.
// The printed formula, d = (M - b m) M, has the wrong dimension; the program divides.
//
// Known limits of this form, kept for worlds that were tuned with it: b is a dead band on speeds,
// not a torque bias ratio; under engine braking it feeds energy in; it jumps where a speed is 0.
// The drive torque_biasing has none of these.
RUT_INLINE double torsen_share(double w1, double w2, double bias, double split) {
  const double a1 = rut_abs(w1), a2 = rut_abs(w2);
  const double larger = rut_max(a1, a2), smaller = rut_min(a1, a2);
  const double moved = rut_max(larger - bias * smaller, 0.0) / rut_max(larger, RUT_LEAST_DIVISOR);
  const double signed_moved = a1 > a2 ? -moved : moved;
  const double f1 = split * (1.0 + signed_moved), f2 = (1.0 - split) * (1.0 - signed_moved);
  const double share = f1 / rut_max(f1 + f2, RUT_LEAST_DIVISOR);
  return smaller == 0.0 ? split : share;
}

static void torsen_torque(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                          double* state, double* torque) {
  const int lanes = in->lanes;
  const double *demand = in->demand, *speed = in->speed;
  const Param* p = param;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  const double only = rut_front_share(axles, 0.0);
  const bool both = axles.has_front && axles.has_rear;
  // Without a second axle its wheels stand in for it and its share is 0.
  const rutAxle f = axles.has_front ? axles.front : axles.rear;
  const rutAxle r = axles.has_rear ? axles.rear : axles.front;
  (void)state;
  rut_clear_torque(layout->wheels, lanes, torque);
  for (int l = 0; (axles.has_front || axles.has_rear) && l < lanes; l++) {
    const double w_fl = speed[f.left * lanes + l], w_fr = speed[f.right * lanes + l];
    const double w_rl = speed[r.left * lanes + l], w_rr = speed[r.right * lanes + l];
    const double both_front =
        torsen_share(w_fl + w_fr, w_rl + w_rr, p->front_rear_bias, p->front_rear_split);
    const double front = both ? both_front : only;
    const double fl = torsen_share(w_fl, w_fr, p->front_left_right_bias, p->front_left_right_split);
    const double rl = torsen_share(w_rl, w_rr, p->rear_left_right_bias, p->rear_left_right_split);
    torque[f.left * lanes + l] += demand[l] * (front * fl);
    torque[f.right * lanes + l] += demand[l] * (front * (1.0 - fl));
    torque[r.left * lanes + l] += demand[l] * ((1.0 - front) * rl);
    torque[r.right * lanes + l] += demand[l] * ((1.0 - front) * (1.0 - rl));
  }
}

// Torques are in proportion to the demand.
static void torsen_gain(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                        const double* state, double* gain) {
  const int lanes = in->lanes;
  double one[8];
  (void)state;
  for (int l = 0; l < lanes; l++) one[l] = 1.0;
  torsen_torque(param, layout, &(rutDriveIn){.lanes = lanes, .demand = one, .speed = in->speed},
                NULL, gain);
}

const rutDriveType rut_drive_torsen = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "torsen",
             .parents = "vehicle",
             .doc =
                 "One engine torque through differentials that send more torque to the slower "
                 "side, as in MVSim (Blanco-Claraco et al. 2023). See torque_biasing for a passive "
                 "differential.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .inputs = rut_one_engine,
    .torque = torsen_torque,
    .gain = torsen_gain};
