// SPDX-License-Identifier: BSD-3-Clause
//
// Obstacle avoidance at the limit of a vehicle, from one planar scan and a goal: openings between
// obstacles, convex stages that lead through them, and for each the manoeuvre of least time that
// keeps every wheel on the ground, of which the cheapest is driven. After Liu, Jayakumar, Stein and
// Ersal (DSCC2014-6269); the vehicle and its constants are those of that group's public model
// (MichiganAutonomousVehicles.jl). docs/manual/obstacle_avoidance.md has the derivation.
//
// It needs no world and allocates nothing.
#ifndef RUT_AVOIDANCE_H
#define RUT_AVOIDANCE_H

#include "rut/mpc.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- the vehicle ----

// States and controls of the model.
enum {
  RUT_AVOIDANCE_X,         // of the centre of mass [m]
  RUT_AVOIDANCE_Y,         // [m]
  RUT_AVOIDANCE_YAW,       // [rad]
  RUT_AVOIDANCE_SIDEWAYS,  // velocity to the left [m/s]
  RUT_AVOIDANCE_YAW_RATE,  // [rad/s]
  RUT_AVOIDANCE_STEER,     // angle of the front wheels [rad], positive left
  RUT_AVOIDANCE_SPEED,     // forward [m/s]
  RUT_AVOIDANCE_STATES,
  RUT_AVOIDANCE_STEER_RATE = 0,  // [rad/s]
  RUT_AVOIDANCE_ACCELERATION,    // of the speed forward [m/s2]
  RUT_AVOIDANCE_CONTROLS,
  RUT_AVOIDANCE_INPUTS = RUT_AVOIDANCE_STATES + RUT_AVOIDANCE_CONTROLS,
  RUT_AVOIDANCE_MOST_LIMITS = 32
};

typedef struct rutAvoidanceVehicle {
  size_t struct_size;                    // set by rut_default_avoidance_vehicle
  double mass, inertia;                  // [kg], about the vertical axis [kg m2]
  double front, rear;                    // from the centre of mass to the axles [m]
  double gravity;                        // [m/s2]
  double load_x, load_front, load_rear;  // load that axles, and the wheels of each, exchange per
                                         // acceleration [N s2/m]
  // Lateral force of a wheel under a load N with d = N/nominal - 1: mu = friction + friction_load
  // d, E = curvature + curvature_load d, K = stiffness nominal sin(2 atan(N/(stiffness_load
  // nominal))), -mu N sin(C atan(B a - E (B a - atan(B a)))) with C = shape, B = K/(C mu N), a the
  // slip angle.
  double nominal, shape, friction, friction_load, curvature, curvature_load, stiffness,
      stiffness_load;
  double front_stiffness, rear_stiffness;                // K of both axles is so many times that
  double least_load;                                     // of a wheel [N]
  double steer_rate, max_steer;                          // [rad/s], [rad]
  double max_acceleration, max_deceleration, top_speed;  // [m/s2], [m/s]
  // What the engine gives along the vehicle, a_x - v r, is at most max_acceleration and power over
  // mass and speed, less the resistance.
  double power, resistance;  // [W], [m/s2]
  // Steering angle to stay below over speed, as `rut liftoff` finds it, besides max_steer; none:
  // least_load decides.
  int limits;                                     // 0 to RUT_AVOIDANCE_MOST_LIMITS
  double limit_speed[RUT_AVOIDANCE_MOST_LIMITS];  // [m/s], ascending
  double limit_steer[RUT_AVOIDANCE_MOST_LIMITS];  // [rad] > 0
} rutAvoidanceVehicle;
// The vehicle of the published studies, worlds/vehicles/hmmwv_loaded.xml: 2689 kg with its centre
// of mass at 0.99 m; 1000 N, 10 deg/s, 30 deg, 1.5 and 4 m/s2, 25 m/s, 62 kW and 0.3 m/s2.
RUT_API rutAvoidanceVehicle rut_default_avoidance_vehicle(void);

// Rates of the states; by[STATES][INPUTS] their derivatives by (state, control). load[4] gets the
// wheels' loads, front left, front right, rear left, rear right [N], and load_by[4][INPUTS] their
// derivatives. Nullable: by, load, load_by.
//
//   x' = U cos psi - v sin psi, y' = U sin psi + v cos psi, psi' = r, delta' and U' are controls
//   v' = (F_f + F_r)/m - U r,  r' = (a F_f - b F_r)/I
//
// with slip angles atan((v + a r)/U) - delta and atan((v - b r)/U). Tyres take loads for the
// lateral acceleration U r of a steady turn, `load` is with (F_f + F_r)/m; along the vehicle it is
// a_x - v r. Below 3 m/s slips are those at 3 m/s.
RUT_API void rut_avoidance_rate(const rutAvoidanceVehicle* vehicle, const double* state,
                                const double* control, double* rate, double* by);
RUT_API void rut_avoidance_loads(const rutAvoidanceVehicle* vehicle, const double* state,
                                 const double* control, double* load, double* load_by);
// A step of Runge and Kutta of fourth order over dt [s]; by[STATES][INPUTS + 1] its derivatives by
// (state, control, dt). `next` may be `state` where by is NULL. Nullable: by.
RUT_API void rut_avoidance_step(const rutAvoidanceVehicle* vehicle, const double* state,
                                const double* control, double dt, double* next, double* by);
// Largest steering angle at a speed: the smaller of max_steer and the table, if there is one, a
// monotone cubic (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 1984), constant beyond its
// ends. *slope gets its derivative [rad s/m], 0 where max_steer decides. Nullable: slope.
RUT_API double rut_avoidance_limit(const rutAvoidanceVehicle* vehicle, double speed, double* slope);

// ---- what is seen ----

// Points of obstacles in a frame of the caller's, in the order of their bearings from the vehicle,
// counter-clockwise.
typedef struct rutAvoidanceScan {
  const double (*point)[2];  // [points] [m]
  int points;
  double range;     // how far it sees [m]
  double from, to;  // bearings between which it sees [rad], in the same frame
} rutAvoidanceScan;

// An opening between two obstacles, or beside one.
typedef struct rutAvoidanceOpening {
  double at[2];              // where to pass it [m]
  double right[2], left[2];  // points of obstacles on both sides; NaN where there is none
  double width;              // between them [m]
} rutAvoidanceOpening;

typedef struct rutAvoidanceSettings {
  size_t struct_size;  // set by rut_default_avoidance
  double clearance;    // of the vehicle's axles from obstacles [m]: half of its width, and a margin
  double goal_radius;  // [m]
  double horizon;      // how far it plans [s], at the speed it has: at least 12 m, at most 4.32 s,
                       // 0.9 of what it sees and where it can have slowed down to stop in sight
  int candidates;      // openings that are tried in one decision, at most 8
  int iterations;      // of the optimal control for each
  bool stop_in_sight;  // plans end with a speed from which it can stop within what it sees
  double keep;         // part by which an opening must be better than the last one
  double time_weight;  // costs: [1/s]
  double steer_weight, rate_weight, acceleration_weight;  // of their squares
  double heading_weight;  // of 2 (1 - cos e), e the angle from the last heading to the goal
} rutAvoidanceSettings;
// 1.9 m, 3 m, 3 s, 3 candidates, 5 iterations, stops in sight, 5 %, weights 1; 1, 10, 0.01; 1.
RUT_API rutAvoidanceSettings rut_default_avoidance(void);

// Openings that a vehicle at `place` can pass on its way to a goal, the shortest way first. Two
// neighbouring points belong to one obstacle unless they are further apart than two clearances.
// Beside an obstacle at a distance r an opening takes 30 degrees, or as many as hold three
// clearances, 2 asin(1.5 clearance/r), of what is seen. At most `most`; returns how many.
RUT_API int rut_avoidance_openings(const rutAvoidanceScan* scan, const double place[2],
                                   const double goal[2], double clearance,
                                   rutAvoidanceOpening* opening, int most);

// ---- a decision ----

enum { RUT_AVOIDANCE_NODES = 24 };  // intervals of a manoeuvre

typedef enum rutAvoidanceEnd {
  RUT_AVOIDANCE_DRIVES,     // the manoeuvre keeps its limits
  RUT_AVOIDANCE_ARRIVED,    // the goal is reached
  RUT_AVOIDANCE_DEAD_END,   // no opening is wide enough
  RUT_AVOIDANCE_INFEASIBLE  // there are openings, but none can be reached within the limits
} rutAvoidanceEnd;

typedef struct rutAvoidancePlan {
  rutAvoidanceEnd end;
  int opening;                       // that it takes, -1: straight to the goal, or there is none
  int candidates;                    // that were tried
  int iterations, inner_iterations;  // of all candidates
  double cost;
  double margin;  // least distance of its axles from obstacles, less the clearance [m]
  double load;    // least load of a wheel [N]
  double time[RUT_AVOIDANCE_NODES + 1];  // from its start [s]
  double state[RUT_AVOIDANCE_NODES + 1][RUT_AVOIDANCE_STATES];
  double control[RUT_AVOIDANCE_NODES][RUT_AVOIDANCE_CONTROLS];
  double at[2];  // where it passes its opening, or its goal, or what it turns round to
} rutAvoidancePlan;

// Bytes of memory that a decision takes.
RUT_API size_t rut_avoidance_size(void);
// What a decision is about; all borrowed for the call.
typedef struct rutAvoidanceQuestion {
  const rutAvoidanceVehicle* vehicle;
  const rutAvoidanceSettings* settings;
  const rutAvoidanceScan* scan;
  const double* state;           // [RUT_AVOIDANCE_STATES] when the decision acts
  const double* goal;            // [2] [m]
  const rutAvoidancePlan* last;  // the plan before, in the same frame, which is kept unless another
                                 // is better. Nullable
} rutAvoidanceQuestion;
// Decide. `work` is `bytes` of memory, rut_avoidance_size or more, aligned as malloc does, of which
// nothing is kept; *plan is the caller's, and not `last`. For a goal behind, or far to a side, it
// is a turn to that side, or to the other one where that has no way.
//
// A manoeuvre is driven again by the model, and taken if, within tolerances, it keeps the clearance
// (0.05 m, also between nodes), least_load (50 N) and steering angles (0.005 rad) after its start,
// and ends past the end of its way (1 m) and, with stop_in_sight, unless at the goal, within the
// range of the scan, with a speed (0.5 m/s) from which it stops within that range, 5 m before its
// end; 4 m/s are allowed always. Rates of steering and accelerations are bounds. Top speed and
// power are prices alone: a vehicle may begin beyond them.
// Once there is a manoeuvre another one is given up whose cost, with what it lacks, is a tenth
// above that after two iterations.
//
// Errors: VERSION, ARGUMENT (numbers that are not finite; that are not positive, or negative where
// 0 would do; a table that does not ascend; more than 2048 points; too little memory); *plan is
// then RUT_AVOIDANCE_INFEASIBLE and else 0. Nullable: err.
RUT_API rutStatus rut_avoidance_decide(const rutAvoidanceQuestion* question, void* work,
                                       size_t bytes, rutAvoidancePlan* plan, rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_AVOIDANCE_H
