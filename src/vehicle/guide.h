// SPDX-License-Identifier: BSD-3-Clause
//
// One step of a single wheel whose hub is guided, as in a test rig: the stages of an evaluation up
// to the forces on the wheel, then the hub's acceleration as it is told, or as a load presses it
// down, in place of a vehicle's.
#ifndef RUT_VEHICLE_GUIDE_H
#define RUT_VEHICLE_GUIDE_H

#include "math/vec.h"
#include "vehicle/batch.h"
#include "vehicle/environment.h"

// How the hub moves when a step begins, and what guides it.
typedef struct rutGuide {
  rutVec3 place, velocity, acceleration;  // of the hub, world
  double heading, inclination;            // of the wheel's plane; its top to the right is positive
  double yaw_rate;                        // of the carriage
  // If it is loaded, the load presses it down, with this mass and a damper at the guide; else the
  // acceleration has its vertical part.
  bool loaded;
  double load, mass, damping;
  // If the spin is given, it turns with `spin`, and changes by spin_rate; else the torques turn it.
  bool spins;
  double spin, spin_rate;
  double torque, brake;  // of the drive; largest of the brake [N m]
} rutGuide;

// What has acted in a step.
typedef struct rutGuided {
  rutVec3 force, acceleration;  // of the ground on the wheel, and of the hub, world
  rutVec3 contact;              // where the wheel's plane meets the ground under the hub, world
  double fx, fy, fz;            // of `force`, along the axes W of ISO 8855
  double mx, my, mz;            // about the contact, along these axes
  double slip_force, bearing;   // force that slip gives along the wheel, torque of the bearing
  double drag;                  // along the wheel, of motion resistance
  double vx, vy, spin;          // velocity of the patch without spin, spin, as the step began
  double rolling_radius, loaded_radius;
  double depth, deflection, sinkage, rut, pressed;  // in the soil
  double torque;                                    // that has turned the wheel
} rutGuided;

// The hub as the state has it.
void rut_guide_read(const rutVehicleBatch* batch, rutVec3* place, rutVec3* velocity);
// A step of a batch of one vehicle with one wheel, on a slide with mass. memory: as of
// rut_vehicle_velocity.
void rut_guide_step(const rutEnvironment* world, const rutVehicleBatch* batch,
                    const rutGuide* guide, void* memory, rutGuided* out);

#endif  // RUT_VEHICLE_GUIDE_H
