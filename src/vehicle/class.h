// SPDX-License-Identifier: BSD-3-Clause
//
// What is constant about vehicles on axles whose compiled content is equal.
#ifndef RUT_VEHICLE_CLASS_H
#define RUT_VEHICLE_CLASS_H

#include "math/lanes.h"
#include "mbd/sliders.h"
#include "mbd/tree.h"
#include "rut/component.h"
#include "vehicle/state.h"

enum {
  RUT_MAX_WHEELS = 16,
  RUT_MAX_AXLES = 8,
  RUT_MAX_HULL = 26,
  RUT_MAX_SLICES = 4096,      // along the arc of a wheel; as in the schema
  RUT_CHASSIS_POSITIONS = 7,  // place of the centre of mass, quaternion
  RUT_CHASSIS_SPEEDS = 6,     // angular velocity, velocity, both along the chassis's axes
  RUT_MAX_SPATIAL_SPEEDS = RUT_MBD_LANES * (RUT_CHASSIS_SPEEDS + 2 * RUT_MAX_WHEELS)
};

// Wheels one after the other that share a component and its parameters.
typedef struct rutWheelRun {
  int first, count;  // entries of the wheel arrays
  const rutComponent* type;
  const double* param;
} rutWheelRun;

typedef enum rutContactSearch { RUT_CONTACT_ARC, RUT_CONTACT_POINT } rutContactSearch;

// Coordinates are those of the chassis, then of all slides, then of all wheel spins, with `pad`
// rows each.
typedef struct rutVehicleClass {
  int wheels, lanes;
  int pad;  // rows of a wheel array (vehicle/wheels.h): n / lanes
  int positions, speeds;
  rutRows row;  // of a batch's table
  rutSliders body;
  // components
  rutVehicleLayout layout;
  const rutDriveType* drive;
  const rutControllerType* controller;
  const double *drive_param, *controller_param;
  int inputs, commands;
  double control_period;         // time between updates of the controller [s], 0: every step
  const double* odometry_scale;  // [batch][3][lane]
  // whole vehicle and chassis
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
  // mechanisms: see rut_corner_constants.
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
} rutVehicleClass;

// Rows of a wheel array: enough for 4 entries, or for a multiple of 8.
static inline int rut_wheel_pad(int wheels, int lanes) {
  if (lanes > 1) return wheels;
  return wheels <= 4 ? 4 : (wheels + 7) / 8 * 8;
}

#endif  // RUT_VEHICLE_CLASS_H
