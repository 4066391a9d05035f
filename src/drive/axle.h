// SPDX-License-Identifier: BSD-3-Clause
//
// Which wheels an engine drives, in pairs.
#ifndef RUT_DRIVE_AXLE_H
#define RUT_DRIVE_AXLE_H

#include "math/rut_math.h"
#include "rut/component.h"

enum { RUT_DRIVEN_FRONT, RUT_DRIVEN_REAR, RUT_DRIVEN_ALL };
#define RUT_DRIVEN_ROW(word) \
  {"driven", "", RUT_CHOICE, 1, word, 0, 2, "front|rear|all", 0, "Which axles are driven."},

// Two wheels at the ends of an axle.
typedef struct rutAxle {
  int left, right;  // wheel indices
} rutAxle;

// Driven axles: none of both is present only if the vehicle has no pair of wheels at all.
typedef struct rutAxles {
  bool has_front, has_rear;
  rutAxle front, rear;
} rutAxles;

// Driven axles of a vehicle. One without front and rear counts its odometry wheels as the rear
// axle; a choice that names an axle it does not have falls back to those it has.
static inline rutAxles rut_driven_axles(const rutVehicleLayout* layout, double driven) {
  rutAxles axles = {.front = {layout->front_left, layout->front_right},
                    .rear = {layout->rear_left, layout->rear_right}};
  axles.has_front = axles.front.left >= 0 && axles.front.right >= 0;
  axles.has_rear = axles.rear.left >= 0 && axles.rear.right >= 0;
  if (!axles.has_front && !axles.has_rear) {
    axles.rear = (rutAxle){layout->left, layout->right};
    axles.has_rear = layout->left >= 0 && layout->right >= 0;
  }
  if (axles.has_front && axles.has_rear) {
    axles.has_front = driven != RUT_DRIVEN_REAR;
    axles.has_rear = driven != RUT_DRIVEN_FRONT;
  }
  return axles;
}

// Front axle's share of the torque: the split if both axles are driven, else 1 or 0.
static inline double rut_front_share(rutAxles axles, double split) {
  return axles.has_front ? (axles.has_rear ? split : 1.0) : 0.0;
}

static inline void rut_clear_torque(int wheels, int lanes, double* torque) {
  for (int i = 0; i < wheels * lanes; i++) torque[i] = 0.0;
}

// Torque per demand of an axle that gets `share` of it, and its left wheel `left` of that.
static inline void rut_gain_axle(rutAxle axle, double share, double left, int lanes, double* gain) {
  for (int l = 0; l < lanes; l++) {
    gain[axle.left * lanes + l] = share * left;
    gain[axle.right * lanes + l] = share * (1.0 - left);
  }
}

// Drives that take the torque of one engine.
static inline int rut_one_engine(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return 1;
}

static inline bool rut_gain_always_holds(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return true;
}

#endif  // RUT_DRIVE_AXLE_H
