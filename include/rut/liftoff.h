// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of the steering angle at which a vehicle's first wheel leaves the ground, found with the
// full model: what a planner or a predictive controller must stay below (Liu, Jayakumar, Stein and
// Ersal, DSCC2014-6269, use such a table as the bound of their steering angle).
#ifndef RUT_LIFTOFF_H
#define RUT_LIFTOFF_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// The manoeuvre. A vehicle that rolls straight ahead at a speed turns its wheels to the left, at a
// steady rate, to an angle and holds it for 3 s. On level ground and without braking it then turns
// them at that rate to the opposite angle, and holds that for 3 s. With braking, which begins when
// the angle is reached, it holds the angle for 1.5 s, or until half of the speed is left. On a side
// slope it begins across the slope: a right turn there is a left turn on the opposite slope.

// What limits the angle.
#define RUT_LIFTOFF_END_LIST(X)                                                               \
  X(RUT_LIFTOFF_LIFT, "lift", "a wheel lifts")                                                \
  X(RUT_LIFTOFF_GRIP, "grip", "no wheel lifts, up to full lock: tyres turn the vehicle most") \
  X(RUT_LIFTOFF_NONE, "none", "a wheel lifts at the least angle that was tried")              \
  X(RUT_LIFTOFF_DIVERGED, "diverged", "the simulation diverged")
#define X(name, word, doc) name,
typedef enum rutLiftoffEnd { RUT_LIFTOFF_END_LIST(X) RUT_LIFTOFF_ENDS } rutLiftoffEnd;
#undef X
// Its word in a file, and what it means. "" if there is none.
RUT_API const char* rut_liftoff_end_word(rutLiftoffEnd end);
RUT_API const char* rut_liftoff_end_doc(rutLiftoffEnd end);

// Axes of a table, each with ascending values. A table has a cell for each combination.
typedef enum rutLiftoffAxis {
  RUT_LIFTOFF_SPEED,         // [m/s]
  RUT_LIFTOFF_RATE,          // of the steering angle [rad/s]
  RUT_LIFTOFF_ACCELERATION,  // along the way, negative or 0 [m/s2]
  RUT_LIFTOFF_SLOPE,         // side slope, positive: the ground rises to the left [rad]
  RUT_LIFTOFF_AXES
} rutLiftoffAxis;

typedef struct rutLiftoffValues {
  int n;
  const double* value;  // NULL: usual ones
} rutLiftoffValues;

typedef struct rutLiftoffDef {
  size_t struct_size;   // set by rut_default_liftoff
  const char* vehicle;  // Nullable: the first one
  double friction;      // of the hard ground, which does not fall with slip
  const char* soil;     // in place of hard ground: a type of soil, or a preset. Nullable
  int settings;         // of that soil, "field=value"
  const char* const* setting;
  double load;        // at which a wheel counts as lifted [N]
  double resolution;  // of the angle [rad]
  int workers;        // threads; 0: as many as the context's
  rutLiftoffValues axis[RUT_LIFTOFF_AXES];
  // Called now and then with the share that is done; false stops. Nullable.
  bool (*go_on)(double share, void* user);
  void* user;
} rutLiftoffDef;
// The first vehicle on hard ground with a friction of 0.8; wheels lift at no load; 0.05 deg; speeds
// of 5 to 30 m/s, rates of 10 and 40 deg/s, accelerations of -4, -2 and 0 m/s2, level ground.
RUT_API rutLiftoffDef rut_default_liftoff(void);

typedef struct rutLiftoffCell {
  double at[RUT_LIFTOFF_AXES];
  rutLiftoffEnd end;
  // Largest angle of the steered wheels (share of full lock times max_steer) without a lift; with
  // GRIP that at which lateral acceleration is largest [rad]. 0 with NONE.
  double steering;
  // In the run at that angle, until a wheel had its least load: the largest lateral acceleration of
  // that turn, horizontal and across the heading [m/s2], and yaw rate [rad/s], both as magnitudes,
  // and the speed then [m/s]. With GRIP all of them when lateral acceleration is largest.
  double lateral_acceleration, yaw_rate, speed;
  double load;   // least load of a wheel in that run [N]
  int wheel;     // that lifts just above it; -1: none
  double rigid;  // lateral acceleration that tips a rigid vehicle in a left turn there [m/s2]
  double safe;   // angle to stay below: see rut_liftoff_angle [rad]
} rutLiftoffCell;

typedef struct rutLiftoff rutLiftoff;

// Make a table for a vehicle of a world. The spec may go afterwards. The caller owns *out. Errors:
// MODEL (no such vehicle, not on axles, or none of them steers), ARGUMENT (no such soil or setting,
// values of an axis that do not ascend or are out of range), MEMORY, those of rut_compile. If go_on
// stops it, RUT_OK, and *out is NULL. Nullable: def, err.
RUT_API rutStatus rut_liftoff_create(const rutSpec* world, const rutLiftoffDef* def,
                                     rutLiftoff** out, rutError* err);
RUT_API void rut_liftoff_destroy(rutLiftoff* table);  // Nullable: table

RUT_API const char* rut_liftoff_vehicle(const rutLiftoff* table);
// Values of an axis.
RUT_API rutLiftoffValues rut_liftoff_axis(const rutLiftoff* table, rutLiftoffAxis axis);
// All cells: the first axis changes fastest.
RUT_API const rutLiftoffCell* rut_liftoff_cells(const rutLiftoff* table, int* n);

// The angle to stay below [rad]: 0.9 times the steering of the cells, made non-increasing with
// speed by the running minimum; between speeds a monotone cubic (Fritsch and Butland, SIAM J.
// Sci. Stat. Comput. 5, 1984) of its logarithm over that of speed, linear between values of the
// other axes, and constant beyond the ends of each.
RUT_API double rut_liftoff_angle(const rutLiftoff* table, const double at[RUT_LIFTOFF_AXES]);
// The lateral acceleration to stay below [m/s2]: 0.9 times that of the cells, linear.
RUT_API double rut_liftoff_acceleration(const rutLiftoff* table, const double at[RUT_LIFTOFF_AXES]);

// Random manoeuvres below a table.
typedef struct rutLiftoffCheck {
  int runs;  // 1 to 10000
  uint64_t seed;
  int lifts;  // out: how many lifted a wheel
} rutLiftoffCheck;
// Try them: angles at random below the table, at random speeds, rates and accelerations between
// those of the table, on its slopes. The def is that of the table. If go_on stops it, RUT_OK, and
// lifts counts those so far. Errors: as rut_liftoff_create. Nullable: def, err.
RUT_API rutStatus rut_liftoff_check(const rutSpec* world, const rutLiftoffDef* def,
                                    const rutLiftoff* table, rutLiftoffCheck* check, rutError* err);

// Write as CSV, a row for each cell, in SI units. Errors: IO, MEMORY.
RUT_API rutStatus rut_liftoff_save(const rutLiftoff* table, const char* path, rutError* err);
// Read what rut_liftoff_save has written. Errors: IO, PARSE (names the row and the column), MEMORY.
RUT_API rutStatus rut_liftoff_load(const char* path, rutLiftoff** out, rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_LIFTOFF_H
