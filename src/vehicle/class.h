// SPDX-License-Identifier: BSD-3-Clause
//
// What is constant about vehicles on axles whose compiled content is equal.
#ifndef RUT_VEHICLE_CLASS_H
#define RUT_VEHICLE_CLASS_H

#include "geom/polyhedron.h"
#include "math/lanes.h"
#include "mbd/sliders.h"
#include "mbd/tree.h"
#include "rut/component.h"
#include "vehicle/cam.h"
#include "vehicle/control_stack.h"
#include "vehicle/state.h"

enum {
  RUT_MAX_WHEELS = 16,
  RUT_MAX_AXLES = 8,
  RUT_MAX_HULL = 8,
  RUT_TYRE_NUMBERS = 256,     // of the parameters of a tyre
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
  // Of tyres: parameters as the world gives them, before their inflation; the pressure that they
  // name [Pa]; whose they are, from the front, where pressures change.
  const double* given;
  double pressure;
  int axle;
} rutWheelRun;

typedef enum rutContactSearch {
  RUT_CONTACT_ARC,
  RUT_CONTACT_POINT,
  RUT_CONTACT_CAMS,
  RUT_CONTACT_AUTO  // cams where the ground has upright faces, else the arc
} rutContactSearch;

// Constants of each wheel, arrays of entries (vehicle/wheels.h): X(name, unit, sentence). From this
// list come the draft, its hash and the class.
#define RUT_WHEEL_CONSTANTS(X)                                                               \
  X(radius, "m", "of the undeflected tyre")                                                  \
  X(crown, "m", "radius of the tread across")                                                \
  X(width, "m", "of the tyre")                                                               \
  X(cam_distance, "m", "of the middles of its tandem cams")                                  \
  X(section, "m", "section height of the tyre")                                              \
  X(rolls, "", "part of the deflection that its rolling radius lacks")                       \
  X(driven, "", "1, 0 where no torque of the drive comes")                                   \
  X(geared, "kg m2", "inertia of the drive that turns with the wheel")                       \
  X(reaction, "kg m2", "its momentum about the wheel's axis per speed of the wheel")         \
  X(brake, "N m", "largest torque of the brake")                                             \
  X(max_steer, "rad", "largest angle, 0 for wheels that do not steer or hang on mechanisms") \
  X(preload, "N", "force of the spring at travel 0")                                         \
  X(stiffness, "N/m", "of the tyre, near no load")                                           \
  X(deflection, "m", "of the tyre under the static load")                                    \
  X(lowest, "m or rad", "lower end of the suspension's range")                               \
  X(highest, "m or rad", "upper end of the suspension's range")                              \
  X(roll_rate, "N/m", "anti-roll stiffness")                                                 \
  X(corner_mass, "kg", "of the mechanism without the wheel, 0 on slides")                    \
  X(steer_gain, "", "1 for wheels that the linkage steers")                                  \
  X(settled, "m or rad", "coordinate of the suspension under the static load")               \
  X(side, "", "of the vehicle on which it is: 1 left, -1 right, 0 in the middle")            \
  X(rest_load, "N", "normal force under it as the vehicle stands on level ground")           \
  X(rest_rate, "N/m", "change of that per height of the ground then")                        \
  X(rest_share, "", "of such a height that the suspension gives; the tyre gives the rest")   \
  X(rest_coordinate, "m or rad", "coordinate of the suspension then")                        \
  X(rest_deflection, "m", "deflection of the tyre then")

// Constants of a vehicle, likewise.
#define RUT_VEHICLE_CONSTANTS(X)                                                   \
  X(cam_length, "", "half the length of a wheel's cams over its radius")           \
  X(cam_height, "", "half their height over it")                                   \
  X(cam_order, "", "of their superellipse")                                        \
  X(side_stiffness, "", "of the sides of tyres over their radial one")             \
  X(side_damping, "s", "of the same, over their stiffness")                        \
  X(side_friction, "", "of the same on faces")                                     \
  X(drag_area, "m2", "drag coefficient times frontal area")                        \
  X(flooding, "", "share of the submerged hull that is full of water")             \
  X(water_drag, "", "drag coefficient of the hull in water")                       \
  X(inflate_rate, "Pa/s", "of a system that inflates the tyres; 0: there is none") \
  X(deflate_rate, "Pa/s", "of the same")                                           \
  X(least_pressure, "Pa", "that it gives")                                         \
  X(most_pressure, "Pa", "that it gives")                                          \
  X(asked_pressure, "Pa", "its set points at the start")                           \
  X(each_axle, "", "1: it has a set point for every axle, else one for all")       \
  X(stability, "", "1: it has a stability control, to which the next ones belong") \
  X(stability_friction, "", "of the ground that it expects")                       \
  X(stability_understeer, "rad s2/m", "gradient that it expects")                  \
  X(stability_yaw_gain, "1/s", "yaw acceleration per error of the yaw rate")       \
  X(stability_dead_band, "rad/s", "error of the yaw rate that it leaves alone")    \
  X(stability_threshold, "", "load transfer ratio from which on it brakes")        \
  X(stability_roll_gain, "", "share of the friction per ratio beyond that")        \
  X(stability_preview, "s", "time ahead for which it predicts that ratio")         \
  X(stability_lag, "s", "of its brakes")                                           \
  X(stability_acceleration, "m/s2", "to which it limits the steering; 0: not")     \
  X(stability_slip, "", "slip at which it begins to release a brake")              \
  X(hitch_force, "N", "that holds the vehicle back at its hitch")                  \
  X(hitch_ramp, "N/s", "rate at which that grows, 0: at once")                     \
  X(hitch_start, "s", "time from which on it acts")                                \
  X(steer_rate, "rad/s", "fastest turn of wheels or linkage")                      \
  X(steer_x, "m", "of the line on which all axles meet, from the reference point") \
  X(steer_base, "m", "distance of the equivalent front wheel from that line")      \
  X(steer_curvature, "1/m", "largest of the path of the middle of that line")      \
  X(steer_lock, "", "largest size of the linkage's coordinate")                    \
  X(steer_full, "rad", "angle of the equivalent wheel there")                      \
  X(steer_response, "rad/s", "angular frequency with which the linkage follows")   \
  X(steer_stiffness, "N m/rad", "of an elastic column; 0: it is rigid")            \
  X(steer_damping, "N m s/rad", "of that column")                                  \
  X(steer_inertia, "kg m2", "of what turns with the linkage behind it")

// Constants of the vehicle in each lane: X(name, rows, unit, sentence).
#define RUT_LANE_CONSTANTS(X)                                         \
  X(com, 3, "m", "chassis's centre of mass from the reference point") \
  X(hitch, 3, "m", "from the chassis's centre of mass")               \
  X(total_mass, 1, "kg", "of the whole vehicle")                      \
  X(total_com, 3, "m", "of the same from that of the chassis, at the design position")

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
  const double* drive_param;
  const void* drive_plan;  // NULL if the drive has none
  int inputs, drive_states;
  rutControlStack control;
  const double* odometry_scale;  // [batch][3][lane]
#define X(name, unit, doc) double name;
  RUT_VEHICLE_CONSTANTS(X)
#undef X
#define X(name, unit, doc) const double* name;
  RUT_WHEEL_CONSTANTS(X)
#undef X
  // Of the vehicle in each lane, [rows][lane]: RUT_LANE_CONSTANTS. Each entry's part of the mass
  // [kg] and of the weight [N] of the whole vehicle, [n].
#define X(name, rows, unit, doc) const double* name;
  RUT_LANE_CONSTANTS(X)
#undef X
  const double *mean_mass, *mean_weight;
  // Vehicles of different mass that share lanes: the class of each one, whose constants are the
  // same in all its lanes; NULL where all lanes have this one. See rut_class_of.
  const struct rutVehicleClass* const* own;
  const rutControlOwn* own_control;  // [lane] where their controllers run lane by lane, else NULL
  int own_drive;                     // their drives run lane by lane
  int own_corners;                   // their mechanisms have constants of their own
  const int* partner;                // [n] entry of the wheel across, itself if none
  int massless;                      // some wheel is
  int anti_roll;                     // some axle has an anti-roll bar
  // search for the ground
  rutContactSearch search;
  int slices, refine;  // over the wheel's arc
  const double* sine;  // [slices] of the angles at which it looks
  int width_slices;
  // tandem cams
  int envelops;             // wheels may stand on them
  int cam_rows;             // across the width
  const rutCam* cam;        // [wheels]
  const double* cam_power;  // [wheels][RUT_CAM_PLACES], rut_cam_powers
  // Wheels on mechanisms, or coupled by shafts: mbd/corners.h, else mbd/sliders.h. Constants of the
  // mechanisms: see rut_corner_constants.
  int corners, mechanisms;
  const rutWheelRun* mechanism;
  const double* constant;
  int constants;  // of each
  int shafts;     // of the drive
  int suspensions, tyres;
  const rutWheelRun *suspension, *tyre;
  int pressures;  // axles whose tyres change their pressure, all or none; a run of tyres for each
  int grips;      // entries whose tyre has a law of its own
  int twists;     // patches may have moments
  // chassis against the ground, from its centre of mass
  int hull;                         // convex pieces
  const rutPolyhedron* hull_piece;  // [hull]
  double hull_size[4];              // largest |x|, |y| of them, depth below and height above it [m]
  double hull_radius;               // of a sphere around them [m]
  double hull_spacing;              // of the places at which it meets the ground [m]
  double hull_per_area;             // 1/m2, of a patch with this stiffness [N/m]
  double hull_stiffness;
  double hull_damping;              // gain of the spring per speed of approach [s/m]
  double hull_grip, hull_friction;  // damping of friction that sticks [N s/m], coefficient
  // chassis in water: columns of it from `bottom` to `top`, from the centre of mass [m]
  int columns;
  const double* column;  // [columns][3] x, y of the middle [m], area [m2]
  double bottom, top;
  double column_side;  // [m]
  double wet_front;    // of a column: its share of the frontal area, per height [m]
  double wet_side;     // and of the side's
} rutVehicleClass;

// Class of the vehicle in a lane, for what is done lane by lane.
static inline const rutVehicleClass* rut_class_of(const rutVehicleClass* vehicle, int lane) {
  return vehicle->own ? vehicle->own[lane] : vehicle;
}

// Rows of a wheel array: enough for 4 entries, or for a multiple of 8.
static inline int rut_wheel_pad(int wheels, int lanes) {
  if (lanes > 1) return wheels;
  return wheels <= 4 ? 4 : (wheels + 7) / 8 * 8;
}

#endif  // RUT_VEHICLE_CLASS_H
