// SPDX-License-Identifier: BSD-3-Clause
//
// What is prescribed within a Runge-Kutta step: angles of steered wheels and of the linkage,
// torques of the drive and brakes, at the times of its stages. They follow from what is asked for
// at its start, in its middle and at its end (rows `demand`, `steer`, `brake` and `later`).
#ifndef RUT_VEHICLE_COURSE_H
#define RUT_VEHICLE_COURSE_H

#include "vehicle/batch.h"
#include "vehicle/environment.h"

enum { RUT_COURSE_TIMES = 3 };  // start, middle and end of the step

// A coordinate of the steering at each time.
typedef struct rutSteerPath {
  double position[RUT_COURSE_TIMES][RUT_MBD_LANES], rate[RUT_COURSE_TIMES][RUT_MBD_LANES];
  double acceleration[RUT_COURSE_TIMES][RUT_MBD_LANES];
} rutSteerPath;

typedef struct rutCourse {
  bool moves;                                   // some wheel on a slide does
  double base[RUT_MAX_WHEELS * RUT_MBD_LANES];  // angle of each wheel on a slide at the start
  double goal[RUT_COURSE_TIMES][RUT_MAX_WHEELS * RUT_MBD_LANES];
  double jump[2 * RUT_MBD_LANES];  // what wheels that turned at once gave the chassis [N m s]
  rutSteerPath linkage;            // or the upper end of an elastic column
  double demand[RUT_COURSE_TIMES][RUT_MAX_WHEELS * RUT_MBD_LANES];
  double brake[RUT_COURSE_TIMES][RUT_MBD_LANES];
  double power[RUT_MBD_LANES];  // that turning wheels takes from the steering at this time [W]
} rutCourse;

// The course of a step. Wheels on slides that are asked to be elsewhere than they are, and can get
// there within the step, jump there.
void rut_course_begin(double dt, const rutVehicleBatch* batch, rutCourse* course);
// Put the vehicles where they are at a time (0, 1 or 2) with the motion of a stage.
void rut_course_set(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion, int time,
                    rutCourse* course);

#endif  // RUT_VEHICLE_COURSE_H
