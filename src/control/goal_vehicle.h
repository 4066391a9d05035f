// SPDX-License-Identifier: BSD-3-Clause
//
// A vehicle that drives to a goal: its parameters, the state of its controller, and both in an
// update.
#ifndef RUT_CONTROL_GOAL_VEHICLE_H
#define RUT_CONTROL_GOAL_VEHICLE_H

#include "control/goal_fields.h"
#include "control/goal_plan.h"
#include "control/goal_track.h"
#include "rut/component.h"

#define RUT_GOAL_DEGREE (RUT_PI / 180)
#define RUT_GOAL_FIELDS(X)                                                                         \
  X(yaw, "rad", 0, -10, 10, "Heading at the last goal, where has_yaw is true.")                    \
  X(yaw_tolerance, "rad", 0.2, 1e-3, 10, "Error of that heading that is near enough.")             \
  RUT_GOAL_BODY_FIELDS(X)                                                                          \
  X(turning_radius, "m", 0, 0, 100,                                                                \
    "Smallest that it plans; 0: 1.15 times that of full lock, or, without steered wheels, half "   \
    "of "                                                                                          \
    "its length. At least three cells of the map.")                                                \
  X(margin, "m", 0.25, 0, 10, "Distance that it keeps from obstacles.")                            \
  X(comfort, "m", 1.5, 0, 100, "Distance from obstacles beyond which a way costs nothing more.")   \
  X(horizon, "m", 15, 0.5, 1e3, "Length of the manoeuvres that it plans, if the goal is further.") \
  X(plan_period, "s", 0.5, 0, 1e3, "Least time between two plans.")                                \
  X(resolution, "m", 0.25, 0.02, 1, "Side of a cell of the map.")                                  \
  X(max_step, "m", 0.2, 1e-3, 10, "Height difference that is no obstacle.")                        \
  X(max_slope, "rad", 30 * RUT_GOAL_DEGREE, 0.01, 1.5, "Slope that is none.")                      \
  X(max_roughness, "m", 0.15, 1e-3, 10, "Root mean square deviation from a plane that is none.")   \
  X(clearance, "m", 0.4, 1e-3, 10, "Of the belly: height above a plane that is none.")             \
  X(slope_weight, "", 10, 0, 1e4,                                                                  \
    "How much dearer ground is for its slope: this times the square of what its share of "         \
    "max_slope exceeds free_part by.")                                                             \
  X(step_weight, "", 10, 0, 1e4, "The same for steps and max_step.")                               \
  X(roughness_weight, "", 10, 0, 1e4, "The same for roughness and max_roughness.")                 \
  X(clearance_weight, "", 10, 0, 1e4, "The same for height above the plane and clearance.")        \
  X(free_part, "", 0.3, 0, 1, "Share of each of these limits that costs nothing.")                 \
  X(overhead, "m", 2.5, 0.01, 100, "Height above the ground at which obstacles are above it.")     \
  X(roughness_speed, "m/s", 3, 0, 100,                                                             \
    "Speed on ground with a root mean square deviation of 5 cm; elsewhere it changes with the "    \
    "inverse square of that.")                                                                     \
  RUT_GOAL_LIDAR_FIELDS(X, 50)                                                                     \
  RUT_GOAL_PACE_FIELDS(X)                                                                          \
  X(emergency, "m/s2", 5, 1e-3, 100, "With which it stops before what it sees too late.")          \
  X(slow, "m/s", 0.5, 1e-3, 100,                                                                   \
    "Speed at which it drives over the roughest ground, and, with level, into what it does not "   \
    "see.")                                                                                        \
  X(gap, "m", 0.5, 0, 10,                                                                          \
    "Length of ground without a height between measured places that is taken for known.")          \
  X(back_up, "m", 4, 0, 100, "Way that it backs up along its own track when it finds no path.")    \
  X(patience, "s", 3, 0.1, 1e3,                                                                    \
    "Time of standing against its will after which it takes what is ahead for an obstacle.")       \
  X(wait, "s", 0, 0, 1e6, "Time before it starts, such as for an estimator to settle.")

typedef struct rutGoalParam {
  rutControllerHead head;
  RUT_GOAL_FIELDS(RUT_PARAM)
  double map, has_yaw, level, cells, memory, nodes, points, rounds, publish, goals;
} rutGoalParam;
enum { RUT_GOAL_MAP_SENSORS, RUT_GOAL_MAP_TRUTH };
// Inputs: of a lidar, then of an estimator.
enum {
  RUT_GOAL_X,
  RUT_GOAL_Y,
  RUT_GOAL_Z,
  RUT_GOAL_TIME,
  RUT_GOAL_POSE,
  RUT_GOAL_POSE_NUMBERS = 7
};

// Modes. STUCK: there is no way.
enum { RUT_GOAL_PLANS, RUT_GOAL_DRIVES, RUT_GOAL_RECOVERS, RUT_GOAL_ARRIVED, RUT_GOAL_STUCK };
// To the end of a piece, standing [m], at most a part of the vehicle's length.
#define RUT_GOAL_NEAR      0.15
#define RUT_GOAL_NEAR_PART 0.0375
// By which what frees itself may come nearer to what it stands beside [m].
#define RUT_GOAL_GRAZES 0.02
enum { RUT_GOAL_PAST = 24 };
// A pose of the past.
typedef struct rutGoalPast {
  double time, x, y, z, roll, pitch, yaw;
} rutGoalPast;

// Where a vehicle stood when it first saw ground.
typedef struct rutGoalStart {
  double x, y, z, yaw;
  double slope[2];  // of the plane on which it stood, along x and y
} rutGoalStart;

// What is kept between updates. All numbers are doubles, so that it is rows of a state.
typedef struct rutGoalState {
  double time, mode, goal, replans;
  double scan_time;                  // of the last one
  double plan_time;                  // the same; before it, minus the time at which this began
  double awaited;                    // time of a scan whose pose is not known yet
  double proofs, rounds, margin;     // that there is no way; of backing up; of the next plan
  double least_left;                 // shortest way to the goal so far
  double rest;                       // of the way behind the end of the path
  double driving, backing;           // there is a path; along the own track
  double path_margin;                // that it keeps
  double blocked, sight, roughness;  // along it
  double closest, standing, met;  // met: 1 or -1 after something unseen stopped it, ahead or behind
  double set_speed, curvature;
  double tracked, track[3 * RUT_GOAL_TRACK];
  double poses;
  rutGoalPast past[RUT_GOAL_PAST];  // the newest last
  rutGoalPath path;
  double placed, corner[2], moved, remembered[2], looked[2];
  double search;  // of manoeuvres that the next plan begins with
  double halts;   // it stops on its path, to plan from rest
  rutGoalStart start;
  double steepest, ring;  // of the beams of its lidar, below its plane [rad]; up to where it sees
                          // level ground without gaps [m]
} rutGoalState;

// A lane in an update.
typedef struct rutGoalVehicle {
  const rutGoalParam* p;
  const rutVehicleLayout* layout;
  rutGoalState* m;
  rutLocalMap map;
  rutGoalCar car;
  rutGoalWork work;
  double axle;      // of the point that follows paths, forward of the reference point [m]
  double steering;  // smallest turning radius [m]
  double x, y, z, roll, pitch, yaw, speed;  // of the reference point
  double measured, ahead;                   // when that was so; how much newer a scan may be [s]
  rutPlanPose pose;                         // of the point that follows
  double dt, most;                          // the step, and the highest speed
  double *cells, *words;  // of the map and the memory in the state, from number to number a stride
  int stride;
  rutGoalMemory memory;
} rutGoalVehicle;

#endif  // RUT_CONTROL_GOAL_VEHICLE_H
