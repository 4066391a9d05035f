// SPDX-License-Identifier: BSD-3-Clause
//
// Backing out of a place from which there is no way on: slowly along the own track, as far as
// nothing that is seen or remembered comes near, a bounded number of times. For controllers that
// keep no map.
#ifndef RUT_CONTROL_RECOVERY_H
#define RUT_CONTROL_RECOVERY_H

#include "control/goal_track.h"

enum { RUT_RECOVERY_POINTS = 96 };

// A vehicle that does so. Poses are those of the middle of its rear axle.
typedef struct rutRecoveryCar {
  rutPlanFootprint footprint;  // about that
  double base, radius;         // wheelbase, smallest turning radius [m]
  double steer_rate;           // [rad/s]
  double speed, way;           // of backing up, at most [m/s], [m]
  double tries;                // without coming nearer to the goal
} rutRecoveryCar;

// What is kept between updates. All numbers are doubles, so that it is rows of a state.
typedef struct rutRecovery {
  double backing;  // 1 while it backs up, 2 while it stops after that
  double since;    // time at which it began to [s]
  double rounds;   // tries, since it stood nearer to the goal than ever before
  double closest;  // least distance from the goal of places where it stood without a way, 0: none
  double stood;    // time of standing [s]
  double free;     // way until something comes near [m]
  double tracked;
  double seen;  // points so far; the last ones are kept
  // These change seldom.
  rutGoalPath path;
  double track[3 * RUT_GOAL_TRACK];
  double point[2 * RUT_RECOVERY_POINTS];
} rutRecovery;

// Points of obstacles in the world.
typedef struct rutRecoveryPoints {
  const double (*at)[2];
  int n;
} rutRecoveryPoints;

// Remember the own track and what stands near it. True if there is something new.
bool rut_recovery_keep(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                       rutRecoveryPoints points);
// Whether there is a track to try, once the vehicle stands.
bool rut_recovery_hopes(const rutRecovery* r, const rutRecoveryCar* car);
// Without a way, at a distance from the goal: begin to back up if it stands, may try and can. What
// has no hope any more has no track.
void rut_recovery_begin(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                        rutRecoveryPoints points, double distance, double time);
// With a new scan: how far the way back is free.
void rut_recovery_look(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                       rutRecoveryPoints points);
// What it asks for while it backs up.
typedef struct rutRecoveryAsked {
  double speed, steer, brake;  // below 0 in reverse [m/s], of the front wheels [rad], 0 or 1
} rutRecoveryAsked;
// An update of dt [s] at a speed, the last steering angle being *asked's. It ends where `backing`
// is 0 then.
void rut_recovery_drive(rutRecovery* r, const rutRecoveryCar* car, const rutPlanPose* pose,
                        double speed, double dt, rutRecoveryAsked* asked);

#endif  // RUT_CONTROL_RECOVERY_H
