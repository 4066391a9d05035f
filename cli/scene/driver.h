// SPDX-License-Identifier: BSD-3-Clause
//
// A person at the wheel: from pedals and steering wheel to the set points of a controller, the
// world's own where its set points allow it, else one that stands in for it.
#ifndef RUT_SCENE_DRIVER_H
#define RUT_SCENE_DRIVER_H

#include "rut/component.h"
#include "scene/limits.h"

// What a driver's hands and feet do.
typedef struct viewPedals {
  double steering;  // part of full lock, -1 to 1, positive left
  double throttle;  // -1 to 1, negative backwards
  double brake;     // 0 to 1
  bool handbrake;
} viewPedals;

// What a program asks for.
typedef struct viewTwist {
  double speed, lateral_speed;  // forward, to the left [m/s]
  double yaw_rate;              // [rad/s]
} viewTwist;

typedef struct viewDriver {
  bool drivable;
  bool started;                  // the world drives it at `speed` from the start
  const char* substitute;        // controller that stands in, NULL where the world's own is driven
  bool changes;                  // controllers are others while a page drives: one stands in, or
                                 // the world's own is in the vehicle, without its <teleoperation>
  double limit;                  // its max_torque, NaN if it has none [N m]
  int commands;                  // of the controller that a page drives
  const rutVariable* set_point;  // its set points
  rutMeaning role[VIEW_COMMANDS];
  int world_commands;                   // of the world's controller
  double world_command[VIEW_COMMANDS];  // its set points at the start
  // At full throttle and full lock.
  double speed, yaw_rate, steer, torque;
  double wheelbase;  // of a vehicle that steers with its wheels, 0 for one that does not [m]
  int wheels;
  // Its <teleoperation>: what a page that drives sees comes by video, what it commands by radio.
  bool by_video, by_radio;  // channels that do something
  rutPackets video, radio;
} viewDriver;

// Whether a page can drive a vehicle, as far as its elements tell.
bool view_drivable(const rutSpec* spec, rutNode vehicle);
// What driving each vehicle of a world means. The caller frees it. NULL if out of memory.
viewDriver* view_drivers_of(const rutSpec* spec, const rutModel* model);
// Put the controllers into a spec that a page drives. One that stands in takes the place of all
// that drive and command, or, where a controller blends others, of the first that it blends and
// what commands that. None has a <teleoperation>: what comes by it are pages' commands and
// pictures.
rutStatus view_driver_substitute(const viewDriver* driver, rutSpec* spec, rutNode vehicle,
                                 rutError* err);
// Set points for what hands and feet do at a forward speed [m/s].
void view_driver_command(const viewDriver* driver, const viewPedals* pedals, double speed,
                         double* command);
// Give the controller that a page drives its first n set points, whatever else the vehicle has.
void view_driver_give(const viewDriver* driver, const rutModel* model, rutData* data, int vehicle,
                      int n, const double* command);

// Set points for a twist. Where they hold no speed, pedals follow it: full throttle or brake for
// 1 m/s too little or too much. A vehicle that steers gets the angle of the circle that its front
// wheels roll on, tan(d) = L w/v (Gillespie, 1992), within full lock.
void view_driver_follow(const viewDriver* driver, const viewTwist* twist, double speed,
                        double* command);

#endif  // RUT_SCENE_DRIVER_H
