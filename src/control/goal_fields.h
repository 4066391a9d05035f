// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters of controllers that drive to goals by what a lidar sees.
#ifndef RUT_CONTROL_GOAL_FIELDS_H
#define RUT_CONTROL_GOAL_FIELDS_H

#define RUT_GOAL_BODY_FIELDS(X)                                                              \
  X(goal_radius, "m", 1, 0.05, 1e3, "Distance from a goal that is near enough.")             \
  X(speed, "m/s", 3, 0, 100, "Highest speed before the first command.")                      \
  X(reverse_speed, "m/s", 1, 0, 100, "The same in reverse.")                                 \
  X(front, "m", 0.5, 1e-3, 100, "How far the vehicle reaches ahead of its reference point.") \
  X(rear, "m", 0.5, 1e-3, 100, "And behind it.")                                             \
  X(width, "m", 0.6, 1e-3, 100, "Of the vehicle.")

#define RUT_GOAL_LIDAR_FIELDS(X, reach)                                                \
  X(range, "m", reach, 0.5, 1e3, "Of the lidar, as far as it is used.")                \
  X(lidar_x, "m", 0, -100, 100, "Place of the lidar, forward of the reference point.") \
  X(lidar_y, "m", 0, -100, 100, "The same to the left.")                               \
  X(lidar_z, "m", 0, -100, 100, "The same up.")                                        \
  X(lidar_yaw, "rad", 0, -10, 10, "Its heading in the vehicle.")                       \
  X(lidar_pitch, "rad", 0, -2, 2, "Its pitch, positive downwards.")

#define RUT_GOAL_PACE_FIELDS(X)                                                               \
  X(lateral_acceleration, "m/s2", 2, 1e-3, 100, "Largest in curves, which limits the speed.") \
  X(acceleration, "m/s2", 1, 1e-3, 100, "With which it gains speed.")                         \
  X(deceleration, "m/s2", 1.5, 1e-3, 100, "With which it slows down.")                        \
  X(reaction, "s", 0.4, 0, 10, "Time between seeing and braking.")

#endif  // RUT_CONTROL_GOAL_FIELDS_H
