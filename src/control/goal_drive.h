// SPDX-License-Identifier: BSD-3-Clause
//
// Along a path over a local map: how far it is free and known, at which speed, and by which
// curvature. For controllers that keep a map of what their lidar sees.
#ifndef RUT_CONTROL_GOAL_DRIVE_H
#define RUT_CONTROL_GOAL_DRIVE_H

#include "control/goal_ground.h"
#include "control/goal_see.h"

#define RUT_GOAL_NUMBERS(name, unit, shape, doc) \
  { #name, unit, shape, "", doc, RUT_F64, false, RUT_MEANS_NOTHING }
#define RUT_GOAL_NUMBER(name, unit, doc) RUT_GOAL_NUMBERS(name, unit, "", doc)

// Inputs: points of a lidar and, optional, the pose of an estimator.
#define RUT_GOAL_INPUT_ROWS                                                                     \
  RUT_GOAL_NUMBERS(x, "m", "", "of the points of a lidar, in its frame at the firing"),         \
      RUT_GOAL_NUMBERS(y, "m", "", "of the same"), RUT_GOAL_NUMBERS(z, "m", "", "of the same"), \
      RUT_GOAL_NUMBERS(time, "s", "", "of the same, from that of the sample"),                  \
      RUT_GOAL_NUMBER(estimated_x, "m",                                                         \
                      "of an estimator, optional: without one it knows the true pose"),         \
      RUT_GOAL_NUMBER(estimated_y, "m", "of the same"),                                         \
      RUT_GOAL_NUMBER(estimated_z, "m", "of the same"),                                         \
      RUT_GOAL_NUMBER(estimated_roll, "rad", "of the same"),                                    \
      RUT_GOAL_NUMBER(estimated_pitch, "rad", "of the same"),                                   \
      RUT_GOAL_NUMBER(estimated_yaw, "rad", "of the same"),                                     \
      RUT_GOAL_NUMBER(estimated_speed, "m/s", "of the same")

enum { RUT_GOAL_MEMORY = sizeof(rutGoalState) / sizeof(double), RUT_GOAL_MEMORY_ROWS = 409 };
_Static_assert((int)RUT_GOAL_MEMORY == (int)RUT_GOAL_MEMORY_ROWS,
               "the rows below are those of rutGoalState");

// The same, row by row.
#define RUT_GOAL_STATE_ROWS                                                                      \
  RUT_GOAL_NUMBER(elapsed, "s", "world's time"), RUT_GOAL_NUMBER(mode, "", "as goal_state"),     \
      RUT_GOAL_NUMBER(at_goal, "", "number of the goal"),                                        \
      RUT_GOAL_NUMBER(planned, "", "plans after the first"),                                     \
      RUT_GOAL_NUMBER(scan_time, "s", "of the last scan"),                                       \
      RUT_GOAL_NUMBER(plan_time, "s",                                                            \
                      "of the last plan; before the first one minus the time it began at"),      \
      RUT_GOAL_NUMBER(awaited, "s", "time of a scan whose pose is not known yet"),               \
      RUT_GOAL_NUMBER(proofs, "", "plans in turn by which there is no way"),                     \
      RUT_GOAL_NUMBER(rounds_used, "", "of backing up"),                                         \
      RUT_GOAL_NUMBER(next_margin, "m", "of the next plan, below the parameter by so much"),     \
      RUT_GOAL_NUMBER(least_left, "m", "shortest way to the goal so far, 0: none"),              \
      RUT_GOAL_NUMBER(rest, "m", "way from the end of the path to the goal"),                    \
      RUT_GOAL_NUMBER(has_path, "", "1 if there is a path"),                                     \
      RUT_GOAL_NUMBER(backs_up, "", "1 if it leads along the own track"),                        \
      RUT_GOAL_NUMBER(path_margin, "m", "that the path keeps"),                                  \
      RUT_GOAL_NUMBER(free_ahead, "m", "way along the path up to an obstacle"),                  \
      RUT_GOAL_NUMBER(sight_ahead, "m",                                                          \
                      "way that it can drive before it is on ground that is not known"),         \
      RUT_GOAL_NUMBER(roughness_ahead, "m", "of the ground there"),                              \
      RUT_GOAL_NUMBER(closest, "m", "distance to the nearest obstacle"),                         \
      RUT_GOAL_NUMBER(standing, "s", "time of standing against its will"),                       \
      RUT_GOAL_NUMBER(met, "",                                                                   \
                      "1 if something that it did not see has stopped it, -1 in reverse"),       \
      RUT_GOAL_NUMBER(set_speed, "m/s", "last one"),                                             \
      RUT_GOAL_NUMBER(set_curvature, "1/m", "last one"),                                         \
      RUT_GOAL_NUMBER(tracked, "", "poses of the track"),                                        \
      RUT_GOAL_NUMBERS(track, "", "96", "x, y, yaw of poses of the own track, the newest last"), \
      RUT_GOAL_NUMBER(poses, "", "of the last tenths of a second"),                              \
      RUT_GOAL_NUMBERS(past, "", "24 7",                                                         \
                       "their times, x, y, z, roll, pitch and yaw, the newest last"),            \
      RUT_GOAL_NUMBERS(path_start, "", "3", "x, y, yaw of the start of the path"),               \
      RUT_GOAL_NUMBER(path_pieces, "", "of the path"),                                           \
      RUT_GOAL_NUMBERS(path_lengths, "m", "48", "of its pieces, negative in reverse"),           \
      RUT_GOAL_NUMBERS(path_curvatures, "1/m", "48", "of its pieces"),                           \
      RUT_GOAL_NUMBER(path_piece, "", "that is driven"),                                         \
      RUT_GOAL_NUMBER(path_along, "m", "driven of it"),                                          \
      RUT_GOAL_NUMBER(map_placed, "", "1 once the map stands somewhere"),                        \
      RUT_GOAL_NUMBERS(map_corner, "", "2", "number of its lower left cell"),                    \
      RUT_GOAL_NUMBER(memory_way, "m", "driven since the memory took over the map"),             \
      RUT_GOAL_NUMBERS(memory_corner, "", "2", "number of the lower left cell of the memory"),   \
      RUT_GOAL_NUMBERS(looked_corner, "", "2", "the same when it last looked at the world"),     \
      RUT_GOAL_NUMBER(next_search, "", "of manoeuvres that the next plan begins with"),          \
      RUT_GOAL_NUMBER(halts, "", "1 while it stops on its path, to plan from rest"),             \
      RUT_GOAL_NUMBERS(first_pose, "", "4", "x, y, z, yaw where it first saw ground"),           \
      RUT_GOAL_NUMBERS(first_slope, "", "2", "of the plane on which it stood, along x and y"),   \
      RUT_GOAL_NUMBER(steepest, "rad", "of the beams, below the plane of the lidar, 0: none"),   \
      RUT_GOAL_NUMBER(ring, "m", "up to where it sees level ground without gaps")

// Map of such a vehicle, and as it is in an update, its cells being those of v->work.
rutLocalMapDef rut_goal_map_def(const rutGoalParam* p);
rutLocalMap rut_goal_map_of(const rutGoalVehicle* v);
// Smallest turning radius of the vehicle, with full lock or as planned [m].
double rut_goal_radius(const rutGoalParam* p, const rutVehicleLayout* layout, bool planned);
// How far the path is free and known, and how rough it is, as far as it goes or the vehicle looks.
// v->work.cost: of the map.
void rut_goal_look_along(rutGoalVehicle* v);
// What is near enough to the end of a piece, standing [m].
double rut_goal_near(const rutGoalVehicle* v);
// It has no path any more.
void rut_goal_drop_path(rutGoalState* m);
// Set speed and curvature along the path; at its end it has none. hold: stand still.
void rut_goal_drive(rutGoalVehicle* v, bool hold);
// Numbers of a lane, a lane's number apart, into memory without gaps, or back.
void rut_goal_move_rows(double* rows, int n, int lanes, double* own, bool back);

#endif  // RUT_CONTROL_GOAL_DRIVE_H
