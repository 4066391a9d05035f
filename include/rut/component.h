// SPDX-License-Identifier: BSD-3-Clause
//
// Extension interface: descriptors of tyres, soils, suspensions, terrain, drives, controllers and
// file formats, and with rut/sensor.h of sensors and rut/scenery.h of scenery. Built-in and
// external types use the same ones. Functions are stateless: parameters and states are passed in,
// and the engine stores, integrates, snapshots and logs the states.
//
// Lanes. Vehicles of equal compiled content step together, one per lane, in batches of 1 or 8
// lanes. Arrays are [item][lane]: item i of lane l is at [i * lanes + l], so that one vector loop
// runs over all of it. Unused lanes hold finite numbers, which are ignored.
#ifndef RUT_COMPONENT_H
#define RUT_COMPONENT_H

#include <math.h>

#include "rut/navigation.h"
#include "rut/scenery.h"
#include "rut/sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RUT_MAX_SHAFTS 4
// Limits: set points of a controller, inputs of it, numbers in all outputs of a drive.
#define RUT_MAX_COMMANDS       16
#define RUT_MAX_INPUTS         12
#define RUT_MAX_OUTPUT_NUMBERS 256
// Controllers that one blends.
#define RUT_MAX_BLENDS 2

// Tyre of a planar vehicle: force between wheel and ground. n = wheels x lanes.
typedef struct rutTyreIn {
  double dt;       // step [s]
  double gravity;  // [m/s2]
  // Each array has n numbers. The wheel frame is x rolling direction, y left, in the ground plane.
  const double* vx;  // hub velocity along x [m/s]
  const double* vy;  // along y [m/s]
  const double* gx;  // gravity along x and y, per unit mass [m/s2]
  const double* gy;
  const double* speed;     // wheel speed [rad/s]
  const double* torque;    // drive torque on the wheel [N m]
  const double* load;      // normal force under the wheel [N]
  const double* mass;      // effective mass against a lateral force at the wheel [kg]
  const double* radius;    // [m]
  const double* inertia;   // about the spin axis [kg m2]
  const double* friction;  // friction coefficient of the place, NaN where the tyre's own holds
  const double* rolling;   // rolling resistance coefficient of the place, NaN likewise
  // Acceleration of the hub along y that all forces but its own gave it in the last step, without
  // gy [m/s2]. 0 where lateral forces do not work against each other.
  const double* scrub;
} rutTyreIn;
typedef struct rutTyreOut {
  double* fx;  // force on the wheel at the ground [N], wheel frame; torque on the wheel -r fx
  double* fy;
  double* drag;  // longitudinal force on the hub without torque on the wheel [N]
  double* spin;  // torque on the wheel besides drive and -r fx (bearing) [N m]
  // Of a tyre whose fx is the force that leaves no slip at the end of the step, up to a limit: that
  // force for a hub of constant velocity, and the limit >= 0. The engine then solves for the forces
  // of all wheels and the motion of the body together. Both are 0 before the call: fx is used as
  // is.
  double* roll;
  double* limit;
} rutTyreOut;

// Carcass of a tyre on a vehicle with suspensions: load by deflection, and relaxation. Forces along
// the ground come from `grip` or from the soil.
typedef struct rutCarcassOut {
  double* load;       // normal force on the wheel, never negative [N]
  double* stiffness;  // d load / d deflection [N/m] and d load / d rate [N s/m], both >= 0
  double* damping;
  double* energy;        // stored in the deflection [J]
  double* relaxation_x;  // relaxation lengths, longitudinal and lateral [m] > 0
  double* relaxation_y;
  double* crossover;  // slip angle at which the lateral force has 1 - 1/e of its limit [rad] > 0
  double* bearing;    // viscous drag about the spin axis [N m s/rad]
} rutCarcassOut;
// Forces of a tyre on hard ground by its own law, in place of the surface's. Slips are as in
// rutTractionIn. direction is 1 if the wheel travels forward and -1 backward, so that slip_x *
// direction > 0 drives and < 0 brakes. Forces and moments act on the wheel at the contact.
typedef struct rutTyreGripIn {
  const double *slip_x, *slip_y, *direction;
  const double* load;         // normal force [N] >= 0
  const double* deflection;   // [m] >= 0
  const double* radius;       // of the undeflected tyre [m]
  const double* inclination;  // of the wheel plane from the ground's normal, top to the right [rad]
  const double* speed;        // of the hub along x [m/s]
  const double* friction;     // coefficient of the place, NaN where the tyre's own holds
  const double* side;         // of the vehicle: 1 left, -1 right, 0 middle
} rutTyreGripIn;
typedef struct rutTyreGripOut {
  // as in rutTractionOut
  double *mu_x, *mu_y, *secant_x, *secant_y, *normalised_slip, *resistance, *peak;
  double* overturning;  // moment on the wheel about x through the contact [N m]
  double* aligning;     // moment on the wheel about the ground's normal there [N m]
} rutTyreGripOut;
// One wheel after a step, for the outputs of its tyre. Axes are those of the wheel, as in
// rutTyreIn; what a vehicle does not have is 0.
typedef struct rutTyreResult {
  double dt;      // of the step [s]
  double radius;  // of the undeflected tyre [m]
  double load;    // normal force on the wheel [N]
  double speed;   // wheel speed as the step began [rad/s]
  double vx, vy;  // velocity of the hub then [m/s]
  double fx, fy;  // force of the ground on the wheel [N], with `drag`
  // Planar vehicles: as in rutTyreIn, but the torque is that at the end of the step. State i is at
  // state[i * stride].
  double gx, gy, torque, mass, inertia, friction, rolling;
  const double* state;
  int stride;
  // Vehicles with suspensions.
  double deflection;        // of the tyre [m]
  double patch_x, patch_y;  // of its contact patch, positive driving, and with the hub to the left
  double aligning;          // moment on the wheel about the ground's normal [N m]
  double inclination;       // as in rutTyreGripIn, as side
  double side;
} rutTyreResult;
typedef struct rutTyreType {
  rutComponent base;
  // Outputs of each wheel besides the states, one number each, computed when they are read: out
  // gets all of them in order. Nullable: none.
  const rutVariable* output;
  int outputs;
  void (*observe)(const void* param, const rutTyreResult* in, double* out);
  // At least one of force and carcass is required.
  //
  // Planar vehicles. state[state][n] may be changed; NULL if states is 0. Nullable.
  void (*force)(const void* param, int n, const rutTyreIn* in, double* state,
                const rutTyreOut* out);
  // Vehicles with suspensions: deflection[n] [m] and its rate[n] [m/s], both positive into the
  // ground; radius[n] [m]. Nullable.
  void (*carcass)(const void* param, int n, const double* deflection, const double* rate,
                  const double* radius, const rutCarcassOut* out);
  // The same on hard ground; requires carcass. Nullable: the surface's law holds.
  void (*grip)(const void* param, int n, const rutTyreGripIn* in, const rutTyreGripOut* out);
  // Turns the parameters, as given, into those at another inflation pressure [Pa], NaN: at that
  // which they name. Returns the pressure; at the nominal one they stay as they are. Nullable: the
  // tyre knows no pressure.
  double (*inflate)(double* param, double pressure);
} rutTyreType;

// Soil: traction of a place on wheels that slip. n wheels, in any order. Slips are those of the
// contact patch: x is (r w - v) / max(|r w|, |v|), positive when driving; y is the lateral velocity
// over the same denominator, positive to the left, tan(slip angle) when rolling.
typedef struct rutTractionIn {
  const double *slip_x, *slip_y;
  const double* load;        // normal force [N] >= 0
  const double* deflection;  // of the tyre [m] >= 0
  const double* diameter;    // of the undeflected tyre [m]
  const double* width;       // [m]
  const double* section;     // section height [m]
  const double* crossover;   // rutCarcassOut [rad]
  const double* strength;    // cone index of the place [Pa], NaN where the soil's own holds
  const double* friction;    // friction coefficient of the place, likewise; hard ground only
} rutTractionIn;
typedef struct rutTractionOut {
  double* mu_x;  // gross traction over load, sign of slip_x
  double* mu_y;  // lateral force over load, opposite in sign to slip_y
  // |mu / slip| of both, at slip 0 their limits. Never negative.
  double *secant_x, *secant_y;
  double* normalised_slip;  // combined slip over that of the largest force: 1 at the peak
  double* resistance;       // motion resistance over load, >= 0
  double* peak;             // largest longitudinal force over load, at any slip
} rutTractionOut;
// What maps and regions say of n places of deformable soil, NaN where the soil's own numbers hold.
typedef struct rutSoilPlaces {
  const double* strength;    // cone index [Pa]
  const double* moisture;    // water over dry weight
  const double* soft_depth;  // of the soft layer (snow, peat, thaw) over what is hard [m]
} rutSoilPlaces;
// Deformable soil. The depth of the wheel's lowest point below the undisturbed surface is tyre
// deflection plus sinkage, such that tyre and soil have the same load.
typedef struct rutSinkIn {
  double dt;                      // step [s]
  const double *slip_x, *slip_y;  // as in rutTractionIn
  const double* direction;        // of travel: 1 forward, -1 backward, between near standstill
  const double *depth, *rate;     // [m], and its rate [m/s], both positive into the ground
  const double *radius, *width;   // of the undeflected tyre [m]
  // The tyre, linearised about its deflection d0 = depth - sinkage of the last step: at the
  // deflection d its load is tyre_load + tyre_stiffness (d - d0) + tyre_damping d'. From 1e10 N/m
  // on it counts as rigid.
  const double *tyre_load, *tyre_stiffness, *tyre_damping;
  const double* sinkage;  // of the last step [m]
  const double* pressed;  // depth to which earlier passes pressed the soil [m], 0: undisturbed
  // Depth of the wheel's own footprint (soil that it has pressed and still stands on), 0: none [m];
  // distance travelled since [m]; motion resistance over load of that step. NULL: steady rolling.
  const double *footprint, *distance, *resistance;
  // Number of earlier passes, and their mean slip, 0 to 1. NULL: none.
  const double *passes, *pass_slip;
  const rutSoilPlaces* places;  // NULL: the soil's own numbers hold everywhere
  // Nullable: sinkage that may be near that of this step, where a search can begin [m].
  const double* expected;
} rutSinkIn;
typedef struct rutSinkOut {
  double* load;                 // normal force [N] >= 0
  double *stiffness, *damping;  // d load / d depth, d load / d rate, >= 0
  double* sinkage;              // of the wheel, a part of the depth [m]
  double* rut;                  // depth of the surface that is left behind the wheel [m]
  double* pressed;              // depth to which the soil is pressed now [m]
  // As in rutTractionOut. mu_x is the torque of the soil on the wheel over load and rolling radius
  // (radius less deflection / 3); mu_x - resistance is the net force along x over load of a wheel
  // that moves forward.
  double *mu_x, *mu_y, *secant_x, *secant_y, *normalised_slip, *resistance, *peak;
  double *overturning, *aligning;  // as in rutTyreGripOut
  double* footprint;               // footprint of the next step [m]
  // Nullable: part of the sinkage that driving slip has brought [m]; largest normal pressure of the
  // soil [Pa].
  double *slip_sinkage, *pressure;
} rutSinkOut;
// A plate of metal, the belly of a vehicle, pressed into deformable soil.
typedef struct rutPlateIn {
  const double* depth;          // below the undisturbed surface [m] >= 0
  double side;                  // the smaller one of the plate [m]
  const rutSoilPlaces* places;  // as in rutSinkIn
  const double* pressed;        // depth to which the soil was pressed before [m]. NULL: untouched
} rutPlateIn;
typedef struct rutPlateOut {
  double* pressure;   // [Pa]
  double* stiffness;  // its derivative by the depth [Pa/m] >= 0
  double* work;       // that pressing the soil to the depth takes [J/m2]
  // Of the soil against itself, and against the plate: cohesion or adhesion [Pa], and the tangent
  // of the angle of friction. One number each, of the last place.
  double *cohesion, *tan_phi, *adhesion, *tan_delta;
  // Bulldozing by an upright face: force per width a z + b z^2, a [Pa], b [Pa/m]. Likewise.
  double *front_cohesion, *front_weight;
  double* rut;  // Nullable: depth of the surface that is left [m]
} rutPlateOut;
typedef struct rutSoilType {
  rutComponent base;
  bool standard;  // with its defaults it is the ground where no soil is named
  // Numbers that follow from the parameters, computed once. Nullable if derived is 0.
  int derived;
  void (*derive)(const void* param, double* derived);
  // Either traction (hard ground) or sink (deformable soil).
  void (*traction)(const void* param, const double* derived, int n, const rutTractionIn* in,
                   const rutTractionOut* out);
  void (*sink)(const void* param, const double* derived, int n, const rutSinkIn* in,
               const rutSinkOut* out);
  // Friction coefficient of hard ground for tyres with `grip`; NaN: the tyre's own. NULL: such
  // tyres use the soil's traction like all others.
  double (*friction)(const void* param);
  // Whether `sink` wants to know of earlier passes, which ground with ruts then counts. NULL: no.
  bool (*counts_passes)(const void* param);
  // Thickness of the layer of deformable soil that a slipping tread carries along [m], 0: wheels do
  // not dig. Nullable: likewise.
  double (*slip_layer)(const void* param);
  // Largest pressure [Pa] and sinkage [m] of the plate tests that its numbers come from, 0 where
  // they are not known. Nullable: likewise.
  void (*tested)(const void* param, double* pressure, double* sinkage);
  // Deformable soil under n places of a plate. NULL: it carries plates as hard ground does.
  void (*plate)(const void* param, const double* derived, int n, const rutPlateIn* in,
                const rutPlateOut* out);
  // What a wall of deformable soil at place `at` of them bears before it yields to what presses
  // its side: force per length a h + b h^2 of the height h, a [Pa], b [Pa/m]. places: as in
  // rutSinkIn, Nullable. NULL: walls bear all.
  void (*wall)(const void* param, const double* derived, const rutSoilPlaces* places, int at,
               double* a, double* b);
} rutSoilType;

// Suspension along a straight slide. travel is the hub's displacement from the design position, up
// in the chassis [m].
typedef struct rutSuspensionOut {
  double* force;      // on the chassis up, on the wheel down [N]
  double* stiffness;  // d force / d travel [N/m] and d force / d rate [N s/m], both >= 0
  double* damping;
  double* energy;  // stored in the spring [J]
} rutSuspensionOut;
// Suspension by a mechanism: bodies between chassis and wheel carrier with one coordinate q,
// positive as the wheel goes up, and the coordinate s of the vehicle's steering linkage. Vectors
// are in chassis axes, positions from the origin that `derive` gets, the chassis's centre of mass.
// Rows that it fills for each wheel:
//  - hub, axis: position, spin axis to the left
//  - velocity and angular velocity of the carrier relative to the chassis: per q' (hub_v, hub_w),
//    per s' (steer_v, steer_w), in all (move_v, move_w); accelerations at q'' = s'' = 0 in a
//    chassis at rest (rest_v, rest_w)
//  - sums over the bodies without the wheel, of mass m, position r, inertia J, and v, w per q' and
//  s'
//    as of the carrier: m r (first); second moments m r r^T about the origin (second); m v and
//    J w + r x m v per q' (q_v, q_w) and per s' (s_v, s_w); m v v + w J w (qq, qs, ss); inertia
//    forces less gravity at q'' = s'' = 0 in a chassis that rotates but does not accelerate
//    (rest_force, rest_moment), and along q and s (rest_q, rest_s)
//  - force of springs and dampers along q; stiffness -d force/d q >= 0, damping -d force/d q' >= 0;
//    energy of the springs
//  - travel of the hub up from its design position; spring_arm, change of spring length per q
#define RUT_CORNER_VECTOR(X, name) X(name##_x) X(name##_y) X(name##_z)
// clang-format off
#define RUT_CORNER_ROWS(X)                                                                     \
  RUT_CORNER_VECTOR(X, hub) RUT_CORNER_VECTOR(X, axis)                                         \
  RUT_CORNER_VECTOR(X, hub_v) RUT_CORNER_VECTOR(X, hub_w)                                      \
  RUT_CORNER_VECTOR(X, steer_v) RUT_CORNER_VECTOR(X, steer_w)                                  \
  RUT_CORNER_VECTOR(X, move_v) RUT_CORNER_VECTOR(X, move_w)                                    \
  RUT_CORNER_VECTOR(X, rest_v) RUT_CORNER_VECTOR(X, rest_w)                                    \
  RUT_CORNER_VECTOR(X, first)                                                                  \
  X(second_xx) X(second_yy) X(second_zz) X(second_xy) X(second_xz) X(second_yz)                \
  RUT_CORNER_VECTOR(X, q_v) RUT_CORNER_VECTOR(X, q_w)                                          \
  RUT_CORNER_VECTOR(X, s_v) RUT_CORNER_VECTOR(X, s_w)                                          \
  X(qq) X(qs) X(ss)                                                                            \
  RUT_CORNER_VECTOR(X, rest_force) RUT_CORNER_VECTOR(X, rest_moment) X(rest_q) X(rest_s)       \
  X(force) X(stiffness) X(damping) X(energy) X(travel) X(spring_arm)
// clang-format on
enum {
#define X(name) RUT_CORNER_##name,
  RUT_CORNER_ROWS(X)
#undef X
      RUT_CORNER_ROW_COUNT
};
enum { RUT_CORNER_WIDTH = 4, RUT_CORNER_LANES = 8 };  // wheels per call
// Four wheels, or eight. Row r of wheel i stands at row[r * stride + i], constant c at
// constant[c * RUT_CORNER_WIDTH + i].
typedef struct rutCornerIn {
  const double* constant;
  const double *travel, *rate;                      // q, q'
  const double *steer, *steer_rate;                 // s, s'
  const double *omega_x, *omega_y, *omega_z;        // of the chassis [rad/s]
  const double *gravity_x, *gravity_y, *gravity_z;  // in its axes [m/s2]
  // RUT_CORNER_LANES wheels of vehicles in lanes, which share the constants of the first; else
  // RUT_CORNER_WIDTH wheels.
  bool in_lanes;
} rutCornerIn;

// Place of a corner: 1 on the left, -1 on the right; design position of its hub and origin of its
// vectors in the vehicle's frame.
typedef struct rutCornerPlace {
  double side, hub[3], origin[3];
  double steer_range;  // largest |s| of the linkage
} rutCornerPlace;

// State of one body of a mechanism, for display and tests, in chassis axes from the origin:
// position of its centre of mass, attitude (row-major, own axes to chassis), mass, inertia in its
// own axes (xx yy zz xy xz yz), velocity and angular velocity relative to the chassis.
typedef struct rutCornerBody {
  const char* name;
  double mass, position[3], attitude[9], inertia[6], velocity[3], angular_velocity[3];
} rutCornerBody;
enum { RUT_MAX_CORNER_BODIES = 8 };

// A straight link of a mechanism, for display: its ends in chassis axes from the origin.
typedef struct rutCornerLink {
  const char* name;
  double from[3], to[3];
} rutCornerLink;
enum { RUT_MAX_CORNER_LINKS = 12 };

typedef struct rutSuspensionType {
  rutComponent base;
  // Slides: force and range. Mechanisms: constants, derive, corner and bodies.
  bool massless;  // the wheel has no vertical mass: it follows the ground within its travel
  // preload[n]: force at travel 0 under the static load [N].
  void (*force)(const void* param, int n, const double* travel, const double* rate,
                const double* preload, const rutSuspensionOut* out);
  // Travel of the rebound and the bump stop [m]. A massless wheel stays between them; one with mass
  // goes beyond, against the stop's force, which is part of `force`.
  void (*range)(const void* param, double* lowest, double* highest);
  // Constants of one corner, computed once: constant c at constant[c * RUT_CORNER_WIDTH]. Also
  // finds the range of q that the mechanism allows.
  int constants;
  rutStatus (*derive)(const void* param, const rutCornerPlace* place, double* constant,
                      double range[2], rutError* err);
  void (*corner)(const rutCornerIn* in, double* row, size_t stride);
  // Its bodies without the wheel; returns their number.
  int (*bodies)(const double* constant, double q, double q_rate, double s, double s_rate,
                rutCornerBody out[RUT_MAX_CORNER_BODIES]);
  // Links for display; returns their number, always the same. Nullable.
  int (*links)(const double* constant, double q, double s, rutCornerLink out[RUT_MAX_CORNER_LINKS]);
} rutSuspensionType;

// Terrain: a shape that is blended with the ground before it, in its own coordinates. Its fields
// begin with these rows, its parameter struct with rutTerrainHead.
#define RUT_TERRAIN_ROWS RUT_TERRAIN_ROWS_WITH(0)
// The same with another default of `blend`, by its index.
#define RUT_TERRAIN_ROWS_WITH(blend_default)                                                       \
  {"position", "m", RUT_VECTOR, 0, 0,                                                              \
   -1e9,       1e9, "0 0",      0, "of its origin in the world: x y, or x y z"},                   \
      {"yaw", "rad", RUT_REAL, 1, 0, -1e4, 1e4, "", 0, "of its x axis"},                           \
      {"x_min", "m",  RUT_REAL, 1, (double)NAN,                                                    \
       -1e12,   1e12, "",       0, "extent, in its own frame; default: endless"},                  \
      {"x_max", "m", RUT_REAL, 1, (double)NAN, -1e12, 1e12, "", 0, "extent, likewise"},            \
      {"y_min", "m", RUT_REAL, 1, (double)NAN, -1e12, 1e12, "", 0, "extent, likewise"},            \
      {"y_max", "m", RUT_REAL, 1, (double)NAN, -1e12, 1e12, "", 0, "extent, likewise"},            \
      {"edge", "m",  RUT_REAL, 1, 0,                                                               \
       0,      1e12, "",       0, "width inside its border over which it is blended in smoothly"}, \
      {"blend",                                                                                    \
       "",                                                                                         \
       RUT_CHOICE,                                                                                 \
       1,                                                                                          \
       blend_default,                                                                              \
       0,                                                                                          \
       2,                                                                                          \
       "add|max|replace",                                                                          \
       0,                                                                                          \
       "adds its heights to the ground before it, takes the larger ones, or replaces them"},
typedef struct rutTerrainHead {
  double position, yaw, x_min, x_max, y_min, y_max, edge, blend;
} rutTerrainHead;
// Bounds of the heights over a rectangle.
typedef struct rutTerrainBounds {
  double low, high;  // least and greatest height [m]
  double steepest;   // greatest slope between any two points; infinite across an upright face
  bool plane;        // the heights are those of one plane; false is right for any ground
} rutTerrainBounds;
enum { RUT_TERRAIN_EDGES = 4 };
typedef struct rutTerrainType {
  rutComponent base;
  // Size and computation of what follows from the parameters alone (phases, rasters). Nullable:
  // nothing. plan is zeroed, aligned to 64 bytes, and may be moved afterwards.
  size_t (*plan_size)(const void* param);
  void (*plan)(const void* param, void* plan);
  // Heights and slopes at points in the shape's own coordinates. Nullable: with `covering`.
  void (*height)(const void* param, const void* plan, const rutGroundPoints* at,
                 const rutGroundSurface* out);
  // Bounds over the rectangle x_min, x_max, y_min, y_max, which may be infinite. They make ray
  // casting faster and complete. Nullable: unknown.
  void (*bounds)(const void* param, const void* plan, const double box[4], rutTerrainBounds* out);
  // Places x of upright faces and of sharp edges along its y; returns how many. What touches the
  // ground is met there exactly. Nullable: none, or they are not known.
  int (*edges)(const void* param, double x[RUT_TERRAIN_EDGES]);
  // In place of `height` where a shape covers a part of the plane only: also the share, 0 to 1, by
  // which it applies, in z, and the slopes of that. Where it is 0 the heights are any number.
  // Nullable: the share is 1.
  void (*covering)(const void* param, const void* plan, const rutGroundPoints* at,
                   const rutGroundSurface* out, const rutGroundSurface* share);
  // Steepest slope of the share over a rectangle, as of `bounds`; below 0 where it is 0 in all of
  // it. Required with `covering` and `bounds`.
  double (*share_slope)(const void* param, const void* plan, const double box[4]);
} rutTerrainType;

// Geometry of a vehicle for drives and controllers; the same for all lanes.
typedef struct rutVehicleLayout {
  int wheels;
  const double *x, *y;      // of each wheel from the reference point [m]
  const double* radius;     // [m]
  const double* mount_yaw;  // fixed yaw of each wheel [rad]
  const double* inertia;    // of each wheel about its spin axis, with that of the drive [kg m2]
  const int* steered;       // 1 for wheels on the steered axle
  const int* driven;        // 1 for wheels that can get torque
  int left, right;          // wheels of the odometry: v = w r + yaw_rate y
  int front_left, front_right, rear_left, rear_right;  // -1 where there is none
  double wheelbase;    // x distance of front and rear axle, 0 without steering [m]
  double track;        // y distance of the front wheels, 0 without steering [m]
  double steer_x;      // x of the line on which the axes of all wheels meet in a turn [m]
  double steer_base;   // distance of the equivalent single front wheel ahead of that line, or 0 [m]
  double max_steer;    // of that wheel [rad]
  double mass;         // whole vehicle [kg]
  double gravity;      // [m/s2]
  double torque_gain;  // sum of the wheel torques when every demand to the drive is 1 N m
  double full_demand;  // at full throttle [N m], 0 for drives without throttle
  double max_demand;   // largest that changes a torque at rest [N m], 0 without such a limit
  // Lateral force per slip angle of the wheels ahead of the middle of all, and of the others, each
  // together, under their loads at rest by the law of their tyres [N/rad]; 0 where tyres have none.
  double front_cornering, rear_cornering;
  // Mass of the vehicle in each lane [kg] where they differ, for drives that have `masses`; NULL:
  // that of all is `mass`.
  const double* lane_mass;
} rutVehicleLayout;

// The drive of one vehicle after a step. Number i of an array is at [i * stride].
typedef struct rutDriveResult {
  double dt;             // of the step [s]
  const double* demand;  // [input] as given to `torque` [N m]
  const double* speed;   // [wheel] as given to it [rad/s]
  const double* torque;  // [wheel] its result [N m]
  const double* state;   // [state]
  int stride;
} rutDriveResult;

// Inputs of a drive for a step.
typedef struct rutDriveIn {
  int lanes;
  double dt;             // of the step [s]
  const double* demand;  // [input][lane] [N m]
  const double* speed;   // [wheel][lane] [rad/s]
  const void* plan;      // of rutDriveType.plan; NULL while a model is being built
} rutDriveIn;

// First state of a drive, of as many numbers as there are "wheels", by which it lets programs give
// its torques between steps (rut_hold_torques).
#define RUT_HELD_TORQUE "held_torque"

// Drive: turns the controller's torque demands into wheel torques.
typedef struct rutDriveType {
  rutComponent base;
  // Outputs besides its states, computed when they are read: out gets the numbers of all outputs in
  // order, RUT_MAX_OUTPUT_NUMBERS at most. Nullable: none.
  const rutVariable* output;
  int outputs;
  void (*observe)(const void* param, const rutVehicleLayout* layout, const rutDriveResult* in,
                  double* out);
  // Current of the motor at each wheel [A], positive where its torque drives forward, 0 without a
  // motor: out[wheel]. False where the parameters do not tell it; with in and out NULL it only says
  // that. Nullable: the drive knows no currents.
  bool (*current)(const void* param, const rutVehicleLayout* layout, const rutDriveResult* in,
                  double* out);
  // Number of torque demands for this vehicle: one per side, or one for an engine.
  int (*inputs)(const void* param, const rutVehicleLayout* layout);
  // Torque of each wheel [wheel][lane] [N m]; state[state][lane].
  void (*torque)(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                 double* state, double* torque);
  // Torque of each wheel per demand at the state after `torque`: gain[input][wheel][lane], 0 before
  // the call. Only called for drives of one or two demands. Nullable: torques are constant within a
  // step.
  void (*gain)(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
               const double* state, double* gain);
  // Whether the gain is that without demand at rest for all demands within `limits`, at any speed
  // and state. Nullable: no.
  bool (*gain_holds)(const void* param, const rutVehicleLayout* layout);
  // Narrows low[input][lane] and high[input][lane] [N m] to the demands beyond which more demand
  // changes no torque, at the wheel speeds in->speed; in->demand is NULL. Speed loops keep within
  // them. No demand is always within. Only called for drives of one or two demands. Nullable: no
  // limits.
  void (*limits)(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                 const double* state, double* low, double* high);
  // What follows from parameters, layout and step alone, computed once: `plan` fills plan_size
  // bytes, aligned to 8, which may be moved afterwards. Nullable: nothing.
  size_t plan_size;
  void (*plan)(const void* param, const rutVehicleLayout* layout, double dt, void* plan);
  // Demand of full throttle [N m]; throttle is demand over this. Nullable: no throttle.
  double (*full_demand)(const void* param);
  // Inertia of the drive reflected to each driven wheel, and its angular momentum about the wheel's
  // axis per wheel speed [kg m2]: n^2 J and n J for a rotor of inertia J and gear ratio n on a
  // parallel axis. Nullable: none.
  double (*inertia)(const void* param, double* momentum);
  // Shafts that couple wheels, at most RUT_MAX_SHAFTS. `couple` is called after `torque` and finds
  // shaft_ratio[shaft][wheel][lane], with which the speed of a shaft is the sum of ratio times
  // wheel speed, and inverse_inertia[shaft][lane] [1/(kg m2)], 0 for a shaft that cannot turn (a
  // locked differential). Their inertia must not be part of `inertia`. Nullable: none.
  int (*shafts)(const void* param, const rutVehicleLayout* layout);
  int couple_row;  // the only state that `couple` reads (a gear): it is called when this changes
  int joined_row;  // 1 + the state that is 1 while the engine is part of the shafts; 0: none
  void (*couple)(const void* param, const rutVehicleLayout* layout, int lanes, const double* state,
                 double* shaft_ratio, double* inverse_inertia);
  // Power drawn from battery or fuel [W] per lane, at the torques just computed. Nullable.
  void (*power)(const void* param, const rutVehicleLayout* layout, int lanes, const double* speed,
                const double* state, double* power);
  // State of a vehicle that starts with wheel speeds speed[wheel][lane] [rad/s]: gear and shaft
  // speeds. state[state][lane] is zero before the call and must stay so for wheels at rest.
  // Nullable: all zero.
  void (*start)(const void* param, const rutVehicleLayout* layout, int lanes, const double* speed,
                double* state);
  // It looks at layout->lane_mass: vehicles of different mass are called together. Otherwise each
  // is called by itself.
  bool masses;
} rutDriveType;

// First rows of every controller.
#define RUT_CONTROLLER_ROWS                                                                      \
  {"period", "s", RUT_REAL, 1, 0, 0, 1e3, "", 0, "Time between two updates; 0: at every step."}, \
      {"phase", "s", RUT_REAL, 1, 0, 0, 1e6, "", 0, "Time of the first update."},                \
      {"input_delay",                                                                            \
       "s",                                                                                      \
       RUT_REAL,                                                                                 \
       1,                                                                                        \
       0,                                                                                        \
       0,                                                                                        \
       1e3,                                                                                      \
       "",                                                                                       \
       0,                                                                                        \
       "Delay of its measurements, to the nearest step."},                                       \
      {"output_delay",                                                                           \
       "s",                                                                                      \
       RUT_REAL,                                                                                 \
       1,                                                                                        \
       0,                                                                                        \
       0,                                                                                        \
       1e3,                                                                                      \
       "",                                                                                       \
       0,                                                                                        \
       "Delay of its outputs, to the nearest step; until the first acts it asks for nothing."},  \
      {"commands",                                                                               \
       "",                                                                                       \
       RUT_TEXT,                                                                                 \
       1,                                                                                        \
       0,                                                                                        \
       0,                                                                                        \
       0,                                                                                        \
       "",                                                                                       \
       0,                                                                                        \
       "Name of the controller whose set points it gives; default: it drives the vehicle."},     \
      {"host",      "",                                                                          \
       RUT_BOOLEAN, 1,                                                                           \
       0,           0,                                                                           \
       1,           "",                                                                          \
       0,           "Runs in parallel with the steps; its outputs apply after 'output_delay'."}, \
      {"late",     "",                                                                           \
       RUT_CHOICE, 1,                                                                            \
       0,          0,                                                                            \
       1,          "wait|hold",                                                                  \
       0,          "If it is late: the step waits for it, or continues with its last outputs."},
// First parameters of every controller.
typedef struct rutControllerHead {
  double period, phase, input_delay, output_delay, commands, host, late;
} rutControllerHead;

// Latest visible value of an input. Number i is at value[i * stride].
typedef struct rutControlReading {
  const void* value;
  rutNumberType type;
  int n, stride;
  double stamp;  // time of the sample [s], -1 before the first
} rutControlReading;

// What another controller asks the vehicle for, in the rows of rutControlOut.
typedef struct rutControlAsked {
  const double* demand;  // [demand][lane] [N m]
  const double* steer;   // [lane] [rad]
  const double* brake;   // [lane]; NULL for planar vehicles
} rutControlAsked;

// Controller: turns set points and measurements into torque demands and a steering angle, or into
// set points of another controller.
typedef struct rutControlIn {
  int lanes;
  int demands;                       // torque demands that the drive takes
  double dt;                         // time since its last update [s]
  const double* command;             // [command][lane] set points, in the order of `command`
  const rutControlReading* reading;  // [input][lane]
  double* scratch;                   // [number][lane], as many as `scratch` says
  // NULL unless `uses` names it.
  const double* vx;  // [lane] true velocity of the reference point, vehicle frame [m/s]
  const double* vy;
  const double* yaw_rate;   // [lane] [rad/s]
  const double* odo_speed;  // [lane] forward speed from the wheels [m/s]
  const double* odo_rate;   // [lane] yaw rate from the wheels [rad/s]
  const double* pitch;      // [lane] of the vehicle, positive nose down [rad]
  const double* speed;      // [wheel][lane] [rad/s]
  const double* steer;      // [wheel][lane] steer angle [rad]
  const double* position;   // [3][lane] of the reference point, world [m]
  const double* yaw;        // [lane] [rad]
  const double* roll;       // [lane] [rad]
  // Only for vehicles with suspensions, else NULL.
  const double* load;  // [wheel][lane] wheel load [N]
  const double*
      slope;  // [wheel][lane] slope of the ground along the heading, uphill positive [rad]
  const double* arm_x;  // [wheel][lane] contact from the centre of mass, forward [m]
  const double* arm_z;  // and up [m]
  const double* grip;   // [wheel][lane] largest longitudinal force here over the load
  double step;          // time step [s]
  bool followed;        // `follow` runs at every step, and does its part
  // [lane] Key of the random numbers of this controller of this vehicle: a function of the seed of
  // the run, the vehicle and the controller. With a counter that the controller keeps in its state
  // it gives the same numbers in any order of evaluation. NULL unless `uses` names it.
  const uint64_t* random;
  const rutControlAsked* asked;  // [blends] what the controllers ask for that it blends
  // What is fixed in the world, of the run of a lane: height of the ground at places, and of the
  // highest thing that stands or hangs there and begins at most `above` over the ground, no higher
  // than that [m]. NaN off all ground. Vehicles and blocks that move are not seen. `look` is called
  // with `world` and `first_lane` + the lane; NULL unless `uses` names it, and in updates beside
  // the steps.
  void (*look)(const void* world, int lane, const rutGroundPoints* at, double above, double* ground,
               double* top);
  const void* world;
  int first_lane;
  // [lane] Time of the world at the beginning of the step, on which stamps of readings are [s]. It
  // goes on while another controller has the vehicle. NULL unless `uses` names it.
  const double* time;
} rutControlIn;
// Demand at the end of the step as a function of the wheel speed: clamp(still - rate w, low, high),
// w being the change of the wheel speed that the loop controls (that of the odometry's wheel on its
// side, or the mean of both for a drive with one demand). The engine solves it implicitly in place
// of `demand`, so that a gain that is large against the wheel's inertia over the step does not make
// the wheel overshoot. NULL unless the controller drives the vehicle without a period, delays and
// actuators. Each [demand][lane], 0 before the call.
typedef struct rutDemandLine {
  double* still;       // demand if the wheel keeps its speed [N m]
  double* rate;        // [N m s/rad] >= 0
  double *low, *high;  // [N m]
} rutDemandLine;
typedef struct rutControlOut {
  double* output;  // [number][lane] in the order of `output`; they hold until changed
  // NULL for a controller that commands another one.
  double* demand;  // [demand][lane] torque demand to the drive [N m], positive forward
  double* steer;   // [lane] angle of the equivalent single front wheel [rad], positive left
  double* twist;   // [3][lane] vx, vy, yaw rate to impose on the reference point (imposes_twist)
  double* brake;   // [lane] brake, 0 to 1 of the full torque; NULL for planar vehicles
  const rutDemandLine* line;  // see rutDemandLine; NULL where demands are constant within the step
  // Of a type with `kept` states, else NULL: set it to true in an update that has changed some.
  bool* changed;
} rutControlOut;
typedef struct rutControllerType {
  rutComponent base;
  // Set points. They begin at the values of the parameters of the same names, else at 0.
  const rutVariable* command;
  int commands;
  // Its outputs. Those with the names of set points of the controller that it commands, set them.
  const rutVariable* output;
  int outputs;
  // Its inputs: outputs of a sensor or controller of its vehicle with this name and unit. Where
  // several have it, <input> in the world file says which.
  const rutVariable* input;
  int inputs;
  int optional;         // the last so many of them may be missing: their readings then have no
                        // numbers and the stamp -1
  unsigned uses;        // RUT_USES_MOTION, _POSE, _CONTACT, _PITCH, _RANDOM, _WORLD, _TYRES, _TIME
  bool suspensions;     // only for vehicles with suspensions; others are an error at compile
  bool supervises;      // only gives set points to another controller
  bool observes;        // gives none either: its outputs are inputs of others, or for people
  bool needs_sides;     // needs a left and a right wheel at the rear
  bool needs_steering;  // needs wheels that steer
  int demands;          // largest number of torque demands, 0: as many as the drive takes
  bool imposes_twist;   // the body takes `twist` at the end of the step, whatever forces act
  bool gives_line;      // fills `line` where it is not NULL
  // Drives a vehicle for a person where the world's own controller cannot: each of its set points
  // has a meaning. One with a brake stands in on vehicles on axles, others on planar vehicles,
  // those with a steering set point where wheels steer; of several the one registered last. Its
  // parameter "max_torque", if it has one, is then set to that of a full throttle: of the whole
  // vehicle if a set point means throttle, else of one wheel.
  bool stands_in;
  // Whether it can drive a vehicle whose drive takes so many torque demands; else err says why. Of
  // the layout only the wheels are known: places, radii, which are steered and driven. Nullable.
  rutStatus (*fits)(const void* param, const rutVehicleLayout* layout, int inputs, rutError* err);
  // Numbers of scratch per vehicle. Nullable: none.
  int (*scratch)(const void* param, const rutVehicleLayout* layout);
  // state[state][lane] may be changed.
  void (*update)(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                 double* state, const rutControlOut* out);
  // Inner loop of a controller that drives, as in the electronics of its motors: called at every
  // step where `update` is not, or acts late (period, delays, host), with the wheels' speeds as
  // they are, the step as dt, and out as `update` has left it, delayed. It may change out->demand;
  // `update` leaves it what it needs in out->twist. Nullable: none.
  void (*follow)(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                 const rutControlOut* out);
  // What is doubtful about it at steps of dt [s], its torques passing an actuator with a dead time
  // [s]: true, and a warning in err. Of the layout only the wheels, mass and gravity are known.
  // Nullable: nothing.
  bool (*doubts)(const void* param, const rutVehicleLayout* layout, double dt, double dead_time,
                 rutError* err);
  // A controller that drives by what others ask for: names of its TEXT fields, each of which names
  // another controller of the vehicle that drives by torque, steering and brake. These run before
  // it, and what they ask for is in rutControlIn.asked. Nullable if blends is 0.
  const char* const* blend;
  int blends;
  // The last so many of its states change seldom, such as maps. They are copied, for lanes and for
  // the state before a step, only after updates that tell so by rutControlOut.changed; what an
  // update changes without telling so may be lost.
  int kept;
  // What it knows of the ground and means to do, which others are told: how large that is; and what
  // it is by its states, of which number i is at state[i * stride]. Arrays of `out` are the
  // caller's, NULL where only stamps and the goal are asked for; `scratch` has as many numbers as
  // the function of that name says. Called between steps. Nullable, both or none: it tells nothing.
  void (*navigation_info)(const void* param, rutNavigationInfo* out);
  void (*navigation)(const void* param, const rutVehicleLayout* layout, const double* state,
                     int stride, double* scratch, rutNavigationView* out);
} rutControllerType;

// File format: reads a world into a spec through the public spec calls only.
typedef struct rutFormatType {
  rutComponent base;  // kind "format"
  // True if this text looks like the format.
  bool (*recognise)(const char* text, size_t size);
  // Fill an empty spec. name is the file in messages and the base of relative file names.
  rutStatus (*read)(rutContext* context, const char* text, size_t size, const char* name,
                    rutSpec* spec, rutError* err);
} rutFormatType;

#ifdef __cplusplus
}
#endif

#endif  // RUT_COMPONENT_H
