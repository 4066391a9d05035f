// SPDX-License-Identifier: BSD-3-Clause
//
// Shafts and differentials from a transfer case to the wheels: who gets how much torque, and how
// the inertia of shafts couples the wheels.
#ifndef RUT_DRIVE_DRIVELINE_H
#define RUT_DRIVE_DRIVELINE_H

#include "drive/axle.h"
#include "drive/differential.h"
#include "math/lanes.h"

enum { RUT_DRIVELINE_LANES = 8 };
_Static_assert(RUT_MAX_SHAFTS >= 4, "two shafts and two locks, or one shaft and three locks");

// Differential between the wheels of an axle, or between axles.
typedef struct rutDifferential {
  double split;    // share of output 1: left, front
  double bias;     // torque bias ratio, 1 without
  double preload;  // [N m]
  bool locked;
} rutDifferential;

// Driven axle.
typedef struct rutAxleDrive {
  rutAxle wheels;
  rutDifferential differential;
  double inertia;          // of shaft and casing, seen at the wheels [kg m2]
  double mobility;         // 1/J1 + 1/J2: growth of the speed difference per moved torque
  double casing_mobility;  // growth of the casing's speed per torque of the casing
} rutAxleDrive;

// Driven wheels. Those of up to two pairs get their torque through differentials; where there are
// others, all get equal shares, and their shafts turn with their mean speed.
typedef struct rutDriveline {
  bool pairs, has_front, has_rear;
  rutAxleDrive front, rear;
  rutDifferential centre;  // its split is 1 or 0 where one axle is driven
  double share;            // of each wheel where there are no pairs
  double inertia;          // of all shafts to the axles there
  double bias_speed;       // speed difference at which bias is near full [rad/s]
} rutDriveline;

// Fill in the mobilities of an axle, and of those of a driveline.
static inline void rut_axle_mobility(rutAxleDrive* a, const rutVehicleLayout* layout) {
  const double left = a->differential.split, right = 1.0 - left;
  const double j1 = layout->inertia[a->wheels.left], j2 = layout->inertia[a->wheels.right];
  const double wheels = left * left / j1 + right * right / j2;
  a->mobility = 1.0 / j1 + 1.0 / j2;
  a->casing_mobility = wheels / (1.0 + a->inertia * wheels);
}
static inline void rut_driveline_mobility(rutDriveline* d, const rutVehicleLayout* layout) {
  if (d->has_front) rut_axle_mobility(&d->front, layout);
  if (d->has_rear) rut_axle_mobility(&d->rear, layout);
}

// Part that the speed of a wheel has in that of the shaft before all differentials, which is also
// its share of the torque as long as they are open.
RUT_INLINE double rut_driveline_part(const rutDriveline* d, const rutVehicleLayout* layout, int w) {
  const double f = d->centre.split, r = 1.0 - f;
  const double left = d->front.differential.split, rear_left = d->rear.differential.split;
  double part = 0.0;
  if (!d->pairs) return layout->driven[w] ? d->share : 0.0;
  if (d->has_front && w == d->front.wheels.left) part = f * left;
  if (d->has_front && w == d->front.wheels.right) part = f * (1.0 - left);
  if (d->has_rear && w == d->rear.wheels.left) part = r * rear_left;
  if (d->has_rear && w == d->rear.wheels.right) part = r * (1.0 - rear_left);
  return part;
}

// --- Torque --------------------------------------------------------------------------------------

// Here the demand is the torque of the casing. The number of lanes is a constant where it is
// inlined.
RUT_INLINE void rut_share_axle(const rutDriveline* d, const rutAxleDrive* a, int lanes,
                               const rutDriveIn* in, double* torque) {
  const double dt = in->dt, *casing = in->demand, *speed = in->speed;
  const double* restrict w1 = speed + a->wheels.left * lanes;
  const double* restrict w2 = speed + a->wheels.right * lanes;
  double* restrict t1 = torque + a->wheels.left * lanes;
  double* restrict t2 = torque + a->wheels.right * lanes;
  const rutDifferential* own = &a->differential;
  const rutGearFriction friction = {own->bias, own->preload, d->bias_speed, a->mobility};
  RUT_FOR_LANES(l, lanes) {
    const double moved = rut_biased_torque(&friction, dt, casing[l], w1[l], w2[l]);
    t1[l] = own->split * casing[l] - moved;
    t2[l] = (1.0 - own->split) * casing[l] + moved;
  }
}

// Torque of each axle's casing behind the centre differential.
RUT_INLINE void rut_share_centre(const rutDriveline* d, int lanes, const rutDriveIn* in,
                                 double* to_front, double* to_rear) {
  const double dt = in->dt, *casing = in->demand, *speed = in->speed;
  const double* restrict fl = speed + d->front.wheels.left * lanes;
  const double* restrict fr = speed + d->front.wheels.right * lanes;
  const double* restrict rl = speed + d->rear.wheels.left * lanes;
  const double* restrict rr = speed + d->rear.wheels.right * lanes;
  const double f = d->front.differential.split, r = d->rear.differential.split;
  const rutGearFriction friction = {d->centre.bias, d->centre.preload, d->bias_speed,
                                    d->front.casing_mobility + d->rear.casing_mobility};
  RUT_FOR_LANES(l, lanes) {
    const double w1 = f * fl[l] + (1.0 - f) * fr[l], w2 = r * rl[l] + (1.0 - r) * rr[l];
    const double moved = rut_biased_torque(&friction, dt, casing[l], w1, w2);
    to_front[l] = d->centre.split * casing[l] - moved;
    to_rear[l] = (1.0 - d->centre.split) * casing[l] + moved;
  }
}

// Shares of the torque of the shaft before all differentials, which is the demand here. What locks
// move beside them follows from the speeds that they hold equal.
RUT_INLINE void rut_driveline_share(const rutDriveline* d, const rutVehicleLayout* layout,
                                    int lanes, const rutDriveIn* in, double* torque) {
  double to_front[RUT_DRIVELINE_LANES] = {0}, to_rear[RUT_DRIVELINE_LANES] = {0};
  const double* sum = in->demand;
  rutDriveIn front = *in, rear = *in;
  rut_clear_torque(layout->wheels, lanes, torque);
  if (!d->pairs) {
    for (int w = 0; w < layout->wheels; w++) {
      const double part = rut_driveline_part(d, layout, w);
      RUT_FOR_LANES(l, lanes) { torque[w * lanes + l] = part * sum[l]; }
    }
    return;
  }
  if (d->has_front && d->has_rear) {
    rut_share_centre(d, lanes, in, to_front, to_rear);
    front.demand = to_front;
    rear.demand = to_rear;
  }
  if (d->has_front) rut_share_axle(d, &d->front, lanes, &front, torque);
  if (d->has_rear) rut_share_axle(d, &d->rear, lanes, &rear, torque);
}

// --- Shafts --------------------------------------------------------------------------------------

static inline int rut_driveline_shafts(const rutDriveline* d) {
  const bool both = d->has_front && d->has_rear;
  const int locks =
      (d->has_front && d->front.differential.locked) + (d->has_rear && d->rear.differential.locked);
  // two shafts, or one and a lock between them
  return d->pairs ? locks + (both ? 2 : 1) : 1;
}

// Turns of a shaft that turns a times as fast as the casing of an axle.
static inline void rut_put_casing(const rutAxleDrive* axle, int lanes, const double* a,
                                  double* shaft_ratio) {
  const double left = axle->differential.split;
  for (int l = 0; l < lanes; l++) {
    shaft_ratio[axle->wheels.left * lanes + l] = left * a[l];
    shaft_ratio[axle->wheels.right * lanes + l] = (1.0 - left) * a[l];
  }
}

// Shafts of both axles and the centre. With the speeds w1, w2 of the casings and f w1 + (1 - f) w2
// of the centre, inertias F, R and C, twice their energy is
//   F w1^2 + R w2^2 + C (f w1 + (1 - f) w2)^2 = a (w1 + b w2)^2 + d w2^2,
// so that two shafts do for three.
static inline void rut_couple_axles(const rutDriveline* d, int lanes, int wheels,
                                    const double* centre, double* shaft_ratio,
                                    double* inverse_inertia) {
  const double front = d->front.inertia, rear = d->rear.inertia;
  const double f = d->centre.split, r = 1.0 - f;
  double one[RUT_DRIVELINE_LANES], b[RUT_DRIVELINE_LANES];
  for (int l = 0; l < lanes; l++) {
    const double a = front + f * f * centre[l];
    one[l] = 1.0;
    b[l] = f * r * centre[l] / a;
    inverse_inertia[l] = 1.0 / a;
    inverse_inertia[lanes + l] = 1.0 / (rear + r * r * centre[l] * (front / a));
  }
  rut_put_casing(&d->front, lanes, one, shaft_ratio);
  rut_put_casing(&d->rear, lanes, b, shaft_ratio);
  rut_put_casing(&d->rear, lanes, one, shaft_ratio + wheels * lanes);
}

// The same where the centre differential is locked: all turn as one shaft, and a second one that
// cannot turn, w1 - w2, keeps the axles together.
static inline void rut_lock_axles(const rutDriveline* d, int lanes, int wheels,
                                  const double* centre, double* shaft_ratio,
                                  double* inverse_inertia) {
  double one[RUT_DRIVELINE_LANES], minus[RUT_DRIVELINE_LANES];
  double f[RUT_DRIVELINE_LANES], r[RUT_DRIVELINE_LANES];
  for (int l = 0; l < lanes; l++) {
    one[l] = 1.0;
    minus[l] = -1.0;
    f[l] = d->centre.split;
    r[l] = 1.0 - d->centre.split;
    inverse_inertia[l] = 1.0 / (d->front.inertia + d->rear.inertia + centre[l]);
    inverse_inertia[lanes + l] = 0.0;
  }
  rut_put_casing(&d->front, lanes, f, shaft_ratio);
  rut_put_casing(&d->rear, lanes, r, shaft_ratio);
  rut_put_casing(&d->front, lanes, one, shaft_ratio + wheels * lanes);
  rut_put_casing(&d->rear, lanes, minus, shaft_ratio + wheels * lanes);
}

static inline void rut_lock_wheels(const rutAxleDrive* axle, int lanes, double* shaft_ratio,
                                   double* inverse_inertia) {
  for (int l = 0; l < lanes; l++) {
    shaft_ratio[axle->wheels.left * lanes + l] = 1.0;
    shaft_ratio[axle->wheels.right * lanes + l] = -1.0;
    inverse_inertia[l] = 0.0;
  }
}

// Rows of rutDriveType.couple, for an inertia `centre` [lane] before all differentials.
static inline void rut_driveline_couple(const rutDriveline* d, const rutVehicleLayout* layout,
                                        int lanes, const double* centre, double* shaft_ratio,
                                        double* inverse_inertia) {
  const int wheels = layout->wheels;
  int rows = 1;
  rut_clear_torque(rut_driveline_shafts(d) * wheels, lanes, shaft_ratio);
  if (d->pairs && d->has_front && d->has_rear) {
    if (d->centre.locked) rut_lock_axles(d, lanes, wheels, centre, shaft_ratio, inverse_inertia);
    if (!d->centre.locked) rut_couple_axles(d, lanes, wheels, centre, shaft_ratio, inverse_inertia);
    rows = 2;
  } else {
    const double axle = d->has_front ? d->front.inertia : d->rear.inertia;
    const double own = d->pairs ? axle : d->inertia;
    for (int l = 0; l < lanes; l++) inverse_inertia[l] = 1.0 / (own + centre[l]);
    for (int w = 0; w < wheels; w++) {
      const double part = rut_driveline_part(d, layout, w);
      for (int l = 0; l < lanes; l++) shaft_ratio[w * lanes + l] = part;
    }
  }
  if (d->pairs && d->has_front && d->front.differential.locked) {
    rut_lock_wheels(&d->front, lanes, shaft_ratio + rows * wheels * lanes,
                    inverse_inertia + rows * lanes);
    rows++;
  }
  if (d->pairs && d->has_rear && d->rear.differential.locked) {
    rut_lock_wheels(&d->rear, lanes, shaft_ratio + rows * wheels * lanes,
                    inverse_inertia + rows * lanes);
  }
}

#endif  // RUT_DRIVE_DRIVELINE_H
