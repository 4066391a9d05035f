// SPDX-License-Identifier: BSD-3-Clause
//
// Engine behind torque-biasing differentials (worm gear type, or plates with a preload).
#include "drive/axle.h"

#define FIELDS(X)                                                                          \
  X(front_rear_split, "", 0.5, 0, 1, "Share of the torque that goes to the front axle.")   \
  X(front_left_right_split, "", 0.5, 0, 1, "Share of front torque that goes to the left.") \
  X(rear_left_right_split, "", 0.5, 0, 1, "Share of rear torque that goes to the left.")   \
  X(front_rear_bias, "", 2.5, 1, 100, "Torque bias ratio between the axles.")              \
  X(front_left_right_bias, "", 2.5, 1, 100, "Torque bias ratio between the front wheels.") \
  X(rear_left_right_bias, "", 2.5, 1, 100, "Torque bias ratio between the rear wheels.")   \
  X(preload, "N m", 0, 0, 1e6, "Torque difference that each differential holds unloaded.") \
  X(full_bias_speed, "rad/s", 0.5, 1e-3, 100, "Speed difference at which bias is near full.")

typedef struct Param {
  FIELDS(RUT_PARAM)
  double driven;
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_DRIVEN_ROW(RUT_DRIVEN_ALL)};

// Torque that passes from output 1 to output 2 of a differential with casing torque T.
//
// Without friction the outputs get f T and (1 - f) T and the casing turns at f w1 + (1 - f) w2.
// Friction in the gears moves up to D = |T| (B - 1)/(B + 1) + preload, half on each side, from the
// faster to the slower output: T1 = f T - d, T2 = (1 - f) T + d with d = (D/2) tanh((w1 - w2)/w_s).
// For f = 1/2 and no preload the ratio of torques is B at most. The power lost is d (w1 - w2) >= 0
// for any sign of T: passive, unlike the published form in the drive torsen.
//
// The friction acts as a damper of rate D/(2 w_s) on the speed difference, which falls by
// dt d (1/J1 + 1/J2) in a step; w_s is widened until it cannot overshoot.
RUT_INLINE double moved_torque(double torque, double w1, double w2, double bias, double preload,
                               double width, double mobility, double dt) {
  const double half = 0.5 * (rut_abs(torque) * (bias - 1.0) / (bias + 1.0) + preload);
  const double stable = rut_max(width, half * mobility * dt);
  return half * rut_tanh((w1 - w2) / stable);
}

typedef struct Side {
  rutAxle wheels;
  double split, bias;
  double mobility;         // 1/J1 + 1/J2: growth of the speed difference per moved torque
  double casing_mobility;  // growth of the casing's speed per casing torque
} Side;

static Side side_of(const rutVehicleLayout* layout, rutAxle wheels, double split, double bias) {
  const double a = 1.0 / layout->inertia[wheels.left], b = 1.0 / layout->inertia[wheels.right];
  return (Side){wheels, split, bias, a + b, split * split * a + (1.0 - split) * (1.0 - split) * b};
}

static void share_axle(const Param* p, const Side* side, int lanes, double dt, const double* casing,
                       const double* speed, double* torque) {
  const double* restrict w1 = speed + side->wheels.left * lanes;
  const double* restrict w2 = speed + side->wheels.right * lanes;
  double* restrict t1 = torque + side->wheels.left * lanes;
  double* restrict t2 = torque + side->wheels.right * lanes;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const double d = moved_torque(casing[l], w1[l], w2[l], side->bias, p->preload,
                                  p->full_bias_speed, side->mobility, dt);
    t1[l] = side->split * casing[l] - d;
    t2[l] = (1.0 - side->split) * casing[l] + d;
  }
}

// Torque that the centre differential gives to each axle's casing.
static void share_centre(const Param* p, const Side* front, const Side* rear, int lanes, double dt,
                         const double* demand, const double* speed, double* to_front,
                         double* to_rear) {
  const double* restrict fl = speed + front->wheels.left * lanes;
  const double* restrict fr = speed + front->wheels.right * lanes;
  const double* restrict rl = speed + rear->wheels.left * lanes;
  const double* restrict rr = speed + rear->wheels.right * lanes;
  const double f = front->split, r = rear->split, split = p->front_rear_split;
  const double mobility = front->casing_mobility + rear->casing_mobility;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const double w1 = f * fl[l] + (1.0 - f) * fr[l], w2 = r * rl[l] + (1.0 - r) * rr[l];
    const double d = moved_torque(demand[l], w1, w2, p->front_rear_bias, p->preload,
                                  p->full_bias_speed, mobility, dt);
    to_front[l] = split * demand[l] - d;
    to_rear[l] = (1.0 - split) * demand[l] + d;
  }
}

static void torque_biasing_torque(const void* param, const rutVehicleLayout* layout, int lanes,
                                  double dt, const double* demand, const double* speed,
                                  double* state, double* torque) {
  const Param* p = param;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  double to_front[8] = {0}, to_rear[8] = {0};
  const double *front_casing = demand, *rear_casing = demand;
  Side front = {0}, rear = {0};
  (void)state;
  rut_clear_torque(layout->wheels, lanes, torque);
  if (axles.has_front) {
    front = side_of(layout, axles.front, p->front_left_right_split, p->front_left_right_bias);
  }
  if (axles.has_rear) {
    rear = side_of(layout, axles.rear, p->rear_left_right_split, p->rear_left_right_bias);
  }
  if (axles.has_front && axles.has_rear) {
    share_centre(p, &front, &rear, lanes, dt, demand, speed, to_front, to_rear);
    front_casing = to_front;
    rear_casing = to_rear;
  }
  if (axles.has_front) share_axle(p, &front, lanes, dt, front_casing, speed, torque);
  if (axles.has_rear) share_axle(p, &rear, lanes, dt, rear_casing, speed, torque);
}

// As without friction, which moves no more than a part of it.
static void torque_biasing_gain(const void* param, const rutVehicleLayout* layout, int lanes,
                                const double* demand, const double* speed, const double* state,
                                double* gain) {
  const Param* p = param;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  const double front = rut_front_share(axles, p->front_rear_split);
  (void)demand;
  (void)speed;
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
             .doc = "One engine torque over differentials whose friction moves torque from the "
                    "faster to the slower side, up to the torque bias ratio. Passive.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .inputs = rut_one_engine,
    .torque = torque_biasing_torque,
    .gain = torque_biasing_gain,
    .gain_holds = true};
