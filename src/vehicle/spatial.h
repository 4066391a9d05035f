// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions: what is constant about a group of them, and the parts of their step.
//
// Arrays over wheels have an entry per wheel and lane, [wheel * lanes + lane], `n` of them: 4
// or a multiple of 8, so that a single vehicle's wheels fill a vector. Entries beyond the last
// wheel compute, and what they find is never used.
#ifndef RUT_VEHICLE_SPATIAL_H
#define RUT_VEHICLE_SPATIAL_H

#include "math/lanes.h"
#include "mbd/sliders.h"
#include "rut/component.h"

enum {
  RUT_MAX_AXLES = 8,
  RUT_MAX_HULL = 26,
  RUT_MAX_SLICES = 4096,  // along the arc of a wheel; as in the schema
  RUT_MAX_SPATIAL_SPEEDS = 8 * (6 + 2 * 2 * RUT_MAX_AXLES)
};

#define X(name, doc) RUT_ENERGY_##name,
typedef enum rutEnergyTerm { RUT_ENERGY_LIST(X) RUT_ENERGY_COUNT } rutEnergyTerm;
#undef X

// Wheels one after the other that share a component and its parameters.
typedef struct rutWheelRun {
  int first, count;  // entries of the wheel arrays
  const rutComponent* type;
  const double* param;
} rutWheelRun;

typedef enum rutContactSearch { RUT_CONTACT_ARC, RUT_CONTACT_POINT } rutContactSearch;

typedef struct rutSpatial {
  rutSliders body;
  int pad;           // rows of a wheel array: n / lanes
  double com[3];     // chassis's centre of mass from the reference point [m]
  double drag_area;  // drag coefficient times frontal area [m2]
  double hitch[3];   // from the chassis's centre of mass [m]
  double hitch_force, hitch_ramp, hitch_start;  // [N], [N/s] (0: at once), [s]
  double total_mass;                            // [kg]
  double total_com[3];  // of the whole vehicle from that of the chassis, at the design position
  double steer_rate;    // [rad/s]
  double steer_x;       // of the line on which all axles meet, from the reference point [m]
  double steer_base;    // distance of the equivalent front wheel from it [m]
  int massless;         // some wheel is
  int anti_roll;        // some axle has an anti-roll bar
  rutContactSearch search;
  int slices, refine;  // of the search over the wheel's arc
  const double* sine;  // [slices] of the angles at which it looks
  int width_slices;
  const double *radius, *crown, *width, *section;
  const double* driven;      // 1, 0 where no torque comes
  const double* geared;      // inertia of the drive that turns with the wheel [kg m2]
  const double* reaction;    // its momentum about the wheel's axis per speed of the wheel
  const double* brake;       // largest torque [N m]
  const double* max_steer;   // 0 for wheels that do not steer [rad]
  const double* preload;     // [N]
  const double* stiffness;   // of the tyres, near no load [N/m]
  const double* deflection;  // of the tyres under the static load [m]
  const double* lowest;      // range of travel [m]
  const double* highest;
  const double* roll_rate;  // anti-roll stiffness [N/m]
  const int* partner;       // entry of the wheel across, itself if none
  // Wheels on mechanisms, or coupled by shafts: mbd/corners.h, else mbd/sliders.h. Constants of the
  // mechanisms: see rut_spatial_constants.
  int corners;
  int mechanisms;
  const rutWheelRun* mechanism;
  const double *constant, *corner_mass;
  int constants;             // of each
  const double* steer_gain;  // 1 for wheels that the linkage steers
  const double* settled;     // coordinate of each suspension under the static load
  double steer_lock;         // of the linkage's coordinate
  double steer_full;         // angle of the equivalent wheel there [rad]
  double steer_response;     // angular frequency with which the linkage follows [rad/s]
  // Column between what follows and the linkage [N m/rad], [N m s/rad]; stiffness 0: they are one.
  double steer_stiffness, steer_damping;
  double steer_inertia;    // of what turns with the linkage then [kg m2]
  int shafts;              // of the drive
  const double* side;      // 1 left, -1 right, 0 in the middle
  int grips;               // entries whose tyre has a law of its own
  int twists;              // patches may have moments
  int suspensions, tyres;  // runs
  const rutWheelRun *suspension, *tyre;
  int hull;                  // points of the chassis that can touch the ground
  const double* hull_point;  // [hull][3] from the chassis's centre of mass [m]
  double hull_size[4];       // largest |x|, |y| of them, depth below and height above it [m]
  double hull_stiffness, hull_damping, hull_grip, hull_friction;  // per point
} rutSpatial;

// Constants of the four mechanisms that `entry` of the wheel arrays is among: row c at
// [c * RUT_CORNER_WIDTH]. Vehicles in lanes share those of their wheel.
RUT_INLINE const double* rut_spatial_constants(const rutSpatial* s, int entry) {
  const int block = entry / (s->body.lanes > 1 ? s->body.lanes : RUT_CORNER_WIDTH);
  return s->constant + block * s->constants * RUT_CORNER_WIDTH;
}

// Rows of a batch that only these vehicles have (see rutRows).
typedef struct rutSpatialRows {
  int slip_x, slip_y;  // [pad] deflection of the contact patch [m]
  int rolling;         // [pad] displacement against motion resistance, as a part of its limit
  int steer;           // [pad] present angle of each wheel [rad]
  int steer_goal;      // [pad] angle that it turns to
  int steer_sin;       // [pad] of the present angle
  int steer_cos;       // [pad]
  int reaction;        // [2] of steered, spinning wheels on the chassis in this step, x, y [N m s]
  int steer_asked;     // [1] angle of the equivalent wheel that the goals are for
  int linkage;         // [2] coordinate of the steering linkage and its rate
  int linkage_change;  // [1] the rate's rate in this step
  int column;          // [2], [1]: the same of the column's upper end, where it gives way
  int column_change;
  int turns, yields;  // [shafts][pad], [shafts] as in rutCornersIn
  int coupled;        // [1] the state of the drive that they belong to
  int shaft_inertia;  // [pad] of the shafts, seen at each wheel as all turn alike
  int energy;         // [RUT_ENERGY_COUNT]
  int update;         // time until the controller is due [s]
  int brake;          // [1] part of the full brake torque
  int consumed;       // energy drawn from battery or fuel [J]
  int mechanical;     // [2] kinetic, then potential energy at the start [J]
  int hull;           // [hull][3] displacement of the chassis's points that stick to the ground [m]
  // of the last step, [pad]
  int normal_along, normal_up, arm_x, arm_z, grip, lateral_load, penetration;
  int sinkage;   // [pad] of the last step [m]
  int print;     // [pad] depth to which a wheel has pressed the soil that it is on [m]
  int floor;     // [pad] height that earlier passes left the ground at, over the untouched [m]
  int climb;     // [pad] its slope on the way
  int trodden;   // [pad] depth to which they pressed it [m]
  int since;     // [pad] way since the wheel stood or turned about, signed as it rolls [m]
  int grade;     // [pad] motion resistance over load
  int use;       // [pad] slip as a part of that with the largest force
  int tilting;   // [pad] of carriers against the chassis about the wheel's axis [rad/s]
  int travel;    // [pad] of the hubs on mechanisms, up from the design position [m]
  int position;  // [3] of the reference point
  int turned;    // [1] whole turns of the heading beyond cos_yaw, sin_yaw
} rutSpatialRows;

#endif  // RUT_VEHICLE_SPATIAL_H
