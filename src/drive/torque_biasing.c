// SPDX-License-Identifier: BSD-3-Clause
//
// Engine behind torque-biasing differentials (worm gear type, or plates with a preload).
#include "drive/axle.h"
#include "drive/differential.h"

#define FIELDS(X)                                                                          \
  X(front_rear_split, "", 0.5, 0, 1, "Share of the torque that goes to the front axle.")   \
  X(front_left_right_split, "", 0.5, 0, 1, "Share of front torque that goes to the left.") \
  X(rear_left_right_split, "", 0.5, 0, 1, "Share of rear torque that goes to the left.")   \
  X(front_rear_bias, "", 2.5, 1, 100, "Torque bias ratio between the axles.")              \
  X(front_left_right_bias, "", 2.5, 1, 100, "Torque bias ratio between the front wheels.") \
  X(rear_left_right_bias, "", 2.5, 1, 100, "Torque bias ratio between the rear wheels.")   \
  X(preload, "N m", 0, 0, 1e6, "Torque difference of each differential without load.")     \
  X(full_bias_speed, "rad/s", 0.5, 1e-3, 100, "Speed difference at which the bias is nearly full.")

typedef struct Param {
  FIELDS(RUT_PARAM)
  double driven;
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_DRIVEN_ROW(RUT_DRIVEN_ALL)};

// Torque that passes from output 1 to output 2 of a differential with casing torque T.
//
// A differential of an axle. Its friction is passive for any sign of the torque, unlike the
// published form in the drive torsen; with equal shares and no preload the ratio of torques is B at
// most.
typedef struct Side {
  rutAxle wheels;
  double split;
  rutGearFriction friction;
  double casing_mobility;  // growth of the casing's speed per casing torque
} Side;

static Side side_of(const Param* p, const rutVehicleLayout* layout, rutAxle wheels, double split,
                    double bias) {
  const double a = 1.0 / layout->inertia[wheels.left], b = 1.0 / layout->inertia[wheels.right];
  return (Side){.wheels = wheels,
                .split = split,
                .friction = {bias, p->preload, p->full_bias_speed, a + b},
                .casing_mobility = split * split * a + (1.0 - split) * (1.0 - split) * b};
}

// The demand is the torque of the casing.
static void share_axle(const Side* side, const rutDriveIn* in, double* torque) {
  const int lanes = in->lanes;
  const double* restrict casing = in->demand;
  const double* restrict w1 = in->speed + side->wheels.left * lanes;
  const double* restrict w2 = in->speed + side->wheels.right * lanes;
  double* restrict t1 = torque + side->wheels.left * lanes;
  double* restrict t2 = torque + side->wheels.right * lanes;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const double d = rut_biased_torque(&side->friction, in->dt, casing[l], w1[l], w2[l]);
    t1[l] = side->split * casing[l] - d;
    t2[l] = (1.0 - side->split) * casing[l] + d;
  }
}

// Torque that the centre differential gives to each axle's casing. An axle turns at f w1 + (1 - f)
// w2.
static void share_centre(const Param* p, const Side* front, const Side* rear, const rutDriveIn* in,
                         double* to_front, double* to_rear) {
  const int lanes = in->lanes;
  const double* restrict demand = in->demand;
  const double* restrict fl = in->speed + front->wheels.left * lanes;
  const double* restrict fr = in->speed + front->wheels.right * lanes;
  const double* restrict rl = in->speed + rear->wheels.left * lanes;
  const double* restrict rr = in->speed + rear->wheels.right * lanes;
  const double f = front->split, r = rear->split, split = p->front_rear_split;
  const rutGearFriction friction = {p->front_rear_bias, p->preload, p->full_bias_speed,
                                    front->casing_mobility + rear->casing_mobility};
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const double w1 = f * fl[l] + (1.0 - f) * fr[l], w2 = r * rl[l] + (1.0 - r) * rr[l];
    const double d = rut_biased_torque(&friction, in->dt, demand[l], w1, w2);
    to_front[l] = split * demand[l] - d;
    to_rear[l] = (1.0 - split) * demand[l] + d;
  }
}

static void torque_biasing_torque(const void* param, const rutVehicleLayout* layout,
                                  const rutDriveIn* in, double* state, double* torque) {
  const Param* p = param;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  double to_front[8] = {0}, to_rear[8] = {0};
  rutDriveIn to_front_axle = *in, to_rear_axle = *in;
  Side front = {0}, rear = {0};
  (void)state;
  rut_clear_torque(layout->wheels, in->lanes, torque);
  if (axles.has_front) {
    front = side_of(p, layout, axles.front, p->front_left_right_split, p->front_left_right_bias);
  }
  if (axles.has_rear) {
    rear = side_of(p, layout, axles.rear, p->rear_left_right_split, p->rear_left_right_bias);
  }
  if (axles.has_front && axles.has_rear) {
    share_centre(p, &front, &rear, in, to_front, to_rear);
    to_front_axle.demand = to_front;
    to_rear_axle.demand = to_rear;
  }
  if (axles.has_front) share_axle(&front, &to_front_axle, torque);
  if (axles.has_rear) share_axle(&rear, &to_rear_axle, torque);
}

// As without friction, which moves no more than a part of it.
static void torque_biasing_gain(const void* param, const rutVehicleLayout* layout,
                                const rutDriveIn* in, const double* state, double* gain) {
  const int lanes = in->lanes;
  const Param* p = param;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  const double front = rut_front_share(axles, p->front_rear_split);
  (void)state;
  if (axles.has_front) {
    rut_gain_axle(axles.front, front, p->front_left_right_split, lanes, gain);
  }
  if (axles.has_rear) {
    rut_gain_axle(axles.rear, 1.0 - front, p->rear_left_right_split, lanes, gain);
  }
}

const rutDriveType rut_drive_torque_biasing = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "torque_biasing",
             .parents = "vehicle",
             .doc = "One engine torque through passive differentials whose friction transfers "
                    "torque from the faster to the slower side, up to the torque bias ratio.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .inputs = rut_one_engine,
    .torque = torque_biasing_torque,
    .gain = torque_biasing_gain,
    .gain_holds = rut_gain_always_holds};
