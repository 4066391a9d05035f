// SPDX-License-Identifier: BSD-3-Clause
//
// Extension interface: what a tyre, soil, suspension, terrain, drive, controller, sensor or file
// format is to rut. Built-in and external types use the same descriptors. Functions are stateless:
// parameters and states are passed in, and the engine stores, integrates, snapshots and logs the
// states.
//
// Lanes. Vehicles whose compiled content is the same step together. Every array below is
// [item][lane], a lane being a vehicle, `lanes` of them (1 or 8), so that item i of lane l stands
// at [i * lanes + l] and a loop over all i * lanes + l is one vector loop. Padding lanes carry
// finite numbers and are ignored.
#ifndef RUT_COMPONENT_H
#define RUT_COMPONENT_H

#include <math.h>

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RUT_ABI        2u
#define RUT_MAX_SHAFTS 4
// Most set points of a controller, and outputs of a component.
#define RUT_MAX_COMMANDS 16
#define RUT_MAX_OUTPUTS  32
// Most numbers that the outputs of a drive are made of.
#define RUT_MAX_OUTPUT_NUMBERS 256
// Most inputs of a controller.
#define RUT_MAX_INPUTS 8

typedef enum rutFieldType {
  RUT_REAL,     // one number with a unit
  RUT_INTEGER,  // one whole number
  RUT_BOOLEAN,  // true or false
  RUT_CHOICE,   // one of the words in `text`, "a|b|c"; its number is the word's index
  RUT_TEXT,     // any text
  RUT_VECTOR,   // `count` numbers (0: any number of them)
  RUT_POINTS    // any number of x y pairs
} rutFieldType;

enum {
  RUT_FIELD_REQUIRED = 1,  // has no default
  RUT_FIELD_MIXED = 2,     // VECTOR whose unit is a list, one per number: "m m rad"
  RUT_FIELD_PICTURE = 4    // TEXT, unit "file": only shown, so that a world runs without the file
};

// One parameter. From these rows come reading, writing, checking, the manual page, the schema.
typedef struct rutField {
  const char* name;
  const char* unit;  // SI unit as text, "" for none: "m", "kg", "N m s/rad", "rad"
  rutFieldType type;
  int count;             // VECTOR only
  double def, min, max;  // default and range of scalars; range of each number of a vector
  const char* text;      // CHOICE: the words; TEXT, VECTOR, POINTS: the default as text
  unsigned flags;
  const char* doc;  // one sentence
} rutField;

// What a set point asks of a vehicle, for those who drive it by hand.
typedef enum rutMeaning {
  RUT_MEANS_NOTHING,        // that could be told
  RUT_MEANS_THROTTLE,       // part of full throttle, -1 (reverse) to 1
  RUT_MEANS_BRAKE,          // part of the full brakes, 0 to 1
  RUT_MEANS_STEERING,       // part of full lock, -1 to 1, positive to the left
  RUT_MEANS_STEER_ANGLE,    // of the equivalent single front wheel [rad], positive to the left
  RUT_MEANS_SPEED,          // forward [m/s]
  RUT_MEANS_LATERAL_SPEED,  // to the left [m/s]
  RUT_MEANS_YAW_RATE,       // [rad/s], positive to the left
  RUT_MEANS_TORQUE,         // of all driven wheels [N m], positive forward
  RUT_MEANS_TORQUE_LEFT,    // of each on the left
  RUT_MEANS_TORQUE_RIGHT    // of each on the right
} rutMeaning;

// A number or an array with a name: an output that a component tells, a command that it takes, or a
// state that it keeps. Logs, tables, plots, the manual and bindings are made from these rows.
// Nullable: shape, frame, like "".
typedef struct rutVariable {
  const char* name;  // "range"
  const char* unit;  // SI, "" for ratios, counts and flags
  // "" for one number, else its dimensions separated by spaces, the last running fastest: each is a
  // number or the name of an integer field of the component: "3", "rays", "height width 3". What
  // belongs to a vehicle may also say "wheels", and "inputs" (torque demands of its drive).
  const char* shape;
  // Axes of a vector or origin of an angle (REP 103): "world", "vehicle", "wheel", "sensor"; or "".
  const char* frame;
  const char* doc;     // one sentence
  rutNumberType type;  // RUT_F64 for commands, states, and outputs of drives
  bool output;         // of a state: it is among the outputs of its element as well
  rutMeaning means;    // of a set point
} rutVariable;

// A row of one number without a frame of its own; of a state that is an output as well.
#define RUT_VARIABLE(name, unit, doc) {#name, unit, "", "", doc, RUT_F64, false, RUT_MEANS_NOTHING},
#define RUT_STATE_OUTPUT(name, unit, doc) \
  {#name, unit, "", "", doc, RUT_F64, true, RUT_MEANS_NOTHING},
// A set point by which people can drive a vehicle.
#define RUT_SET_POINT(name, unit, meaning, doc) \
  {#name, unit, "", "", doc, RUT_F64, false, RUT_MEANS_##meaning},

// Outputs that elements of a kind tell by themselves, the one at an index from 0 on; NULL behind
// the last. *part gets what of the element it is of; *where says which elements have it, "" for
// all.
RUT_API const rutVariable* rut_kind_output(rutKind kind, int index, const char** part,
                                           const char** where);

// Common head of every descriptor.
struct rutComponent {
  uint32_t abi;          // RUT_ABI
  uint32_t struct_size;  // of the whole descriptor
  // "tyre", "soil", "suspension", "terrain", "drive", "controller", "sensor", "format", or a plain
  // element ("wheel")
  const char* kind;
  const char* name;     // component type, "" for a kind that has none
  const char* parents;  // kinds it may stand in, space separated
  const char* doc;      // what it is, one to three sentences, with the source of its law
  const rutField* field;
  int fields;
  // Numbers that the engine keeps for it from step to step, zero at first: per wheel (tyre), per
  // vehicle (drive, controller), or per sensor. In the order of these rows.
  const rutVariable* state;
  int states;
  // Rules across fields. Nullable. param has one double per field, in order; text fields are NaN,
  // and those of numbers (VECTOR, POINTS) hold the index in param at which their count stands,
  // followed by the numbers themselves; see rut_param_list.
  rutStatus (*check)(const double* param, rutError* err);
};

// Rows of a component type in a role; *n gets their number.
RUT_API const rutVariable* rut_component_variables(const rutComponent* type, rutRole role, int* n);

// A parameter struct is one double per field, in the order of the rows. Write the rows once as an
// X-macro and expand it twice:
//   #define FIELDS(X) X(friction, "1", 0.8, 0, 10, "Coulomb friction coefficient") ...
//   typedef struct Param { FIELDS(RUT_PARAM) } Param;
//   static const rutField fields[] = { FIELDS(RUT_ROW) };
#define RUT_PARAM(name, unit, def, min, max, doc) double name;
#define RUT_ROW(name, unit, def, min, max, doc) \
  {#name, unit, RUT_REAL, 1, def, min, max, "", 0, doc},
// Sensors begin with these rows: schedule, and pose in the carrier's (or the world's) frame.
#define RUT_SENSOR_ROWS(X)                                                            \
  X(period, "s", 0.1, 1e-6, 1e6, "time between samples")                              \
  X(phase, "s", 0, 0, 1e6, "time by which all samples come later")                    \
  X(latency, "s", 0, 0, 1e3, "time until a sample can be seen")                       \
  X(x, "m", 0, -1e6, 1e6, "position in the vehicle's frame, or the world's, forward") \
  X(y, "m", 0, -1e6, 1e6, "position to the left")                                     \
  X(z, "m", 0, -1e6, 1e6, "position above the ground under the vehicle")              \
  X(roll, "rad", 0, -10, 10, "orientation, about x")                                  \
  X(pitch, "rad", 0, -10, 10, "orientation, about y, positive nose down")             \
  X(yaw, "rad", 0, -10, 10, "orientation, about z, positive to the left")
// Parameters of a sensor begin with these.
typedef struct rutSensorHead {
  RUT_SENSOR_ROWS(RUT_PARAM)
} rutSensorHead;
#define RUT_COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
// What begins the head of every descriptor, which is of this C type: kind, name, the kinds it may
// stand in, what it is, and the array of its fields.
//   static const rutTyreType viscous = {
//       .base = {RUT_HEAD(rutTyreType, "tyre", "viscous", "vehicle", "Tyre on oil.", fields)}, ...
#define RUT_HEAD(descriptor, is_kind, is_called, stands_in, what_it_is, has_fields)          \
  .abi = RUT_ABI, .struct_size = sizeof(descriptor), .kind = (is_kind), .name = (is_called), \
  .parents = (stands_in), .doc = (what_it_is), .field = (has_fields),                        \
  .fields = RUT_COUNT_OF(has_fields)
// The function by which a shared library brings its types, as rut_plugin_load wants it:
//   RUT_PLUGIN(&careful.base, &viscous.base)
#define RUT_PLUGIN(...)                                                               \
  __attribute__((visibility("default"))) const rutComponent* const* rut_plugin(void); \
  const rutComponent* const* rut_plugin(void) {                                       \
    static const rutComponent* const types[] = {__VA_ARGS__, 0};                      \
    return types;                                                                     \
  }
// Numbers of a VECTOR or POINTS field whose parameter has this value; *n gets their count.
static inline const double* rut_param_list(const void* param, double value, int* n) {
  const double* at = (const double*)param + (int)value;
  *n = (int)at[0];
  return at + 1;
}

// Tyre of a planar vehicle: force between wheel and ground. n lanes in all (wheels x lanes), no
// padding rule needed.
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
  const double* mass;      // that a force across the wheel has to stop [kg]
  const double* radius;    // [m]
  const double* inertia;   // about the spin axis [kg m2]
  const double* friction;  // friction coefficient of the place, NaN where the tyre's own holds
  const double* rolling;   // rolling resistance coefficient of the place, NaN likewise
} rutTyreIn;
typedef struct rutTyreOut {
  double* fx;  // force on the wheel at the ground, wheel frame [N]; spins the wheel by -r fx
  double* fy;
  double* drag;  // force along x on the hub that does not act on the spin (rolling resistance) [N]
  double* spin;  // torque on the wheel about its axis beside drive and -r fx (bearing) [N m]
  // Of a tyre whose fx is the force that leaves no slip at the end of the step, within a limit:
  // that force for a hub that keeps its velocity, and the limit (0 <= limit). The engine then finds
  // the forces of all wheels together with the motion of the body. Both come as 0, for fx as it is.
  double* roll;
  double* limit;
} rutTyreOut;

// Tyre of a vehicle with suspensions: how the tyre carries load, and how fast it builds up slip.
// What the ground gives in return is the soil's matter.
typedef struct rutCarcassOut {
  double* load;       // normal force on the wheel, never negative [N]
  double* stiffness;  // d load / d deflection [N/m] and d load / d rate [N s/m], both >= 0
  double* damping;
  double* energy;        // stored in the deflection [J]
  double* relaxation_x;  // relaxation lengths along and across [m] > 0
  double* relaxation_y;
  double* crossover;  // slip angle at which the lateral force has 1 - 1/e of its limit [rad] > 0
  double* bearing;    // viscous drag about the spin axis [N m s/rad]
} rutCarcassOut;
// Tyre with a law of its own for hard ground, which the surface's then does not replace. Slips are
// those of rutTractionIn; direction is 1 where the wheel travels forward, -1 backward, so that
// slip_x * direction > 0 drives and < 0 brakes. Forces act on the wheel at the contact.
typedef struct rutTyreGripIn {
  const double *slip_x, *slip_y, *direction;
  const double* load;        // normal force [N] >= 0
  const double* deflection;  // [m] >= 0
  const double* radius;      // of the undeflected tyre [m]
  const double*
      inclination;         // of the wheel's plane from the ground's normal: top to the right [rad]
  const double* speed;     // of the hub along x [m/s]
  const double* friction;  // coefficient of the place, NaN where the tyre's own holds
  const double* side;      // of the vehicle on which it is mounted: 1 left, -1 right, 0 middle
} rutTyreGripIn;
typedef struct rutTyreGripOut {
  double *mu_x, *mu_y, *secant_x, *secant_y, *normalised_slip, *resistance,
      *peak;            // as in rutTractionOut
  double* overturning;  // moment on the wheel about x through the contact [N m]
  double* aligning;     // moment on the wheel about the ground's normal there [N m]
} rutTyreGripOut;
typedef struct rutTyreType {
  rutComponent base;
  // At least one of force and carcass is given.
  // Planar vehicles. state: [state][n], may be changed. Nullable state if states is 0. Nullable.
  void (*force)(const void* param, int n, const rutTyreIn* in, double* state,
                const rutTyreOut* out);
  // Vehicles with suspensions: deflection[n] [m] and its rate[n] [m/s], both positive into the
  // ground; radius[n] [m]. Nullable.
  void (*carcass)(const void* param, int n, const double* deflection, const double* rate,
                  const double* radius, const rutCarcassOut* out);
  // The same vehicles, on hard ground. Needs carcass. Nullable: the ground's own law holds.
  void (*grip)(const void* param, int n, const rutTyreGripIn* in, const rutTyreGripOut* out);
} rutTyreType;

// Soil: what a place gives to a wheel that slips on it. n wheels, in any order. Slips are those of
// the tyre's contact patch: x is (r w - v) / max(|r w|, |v|), positive when driving; y is the
// sideways velocity over the same, positive to the left, tan(slip angle) when rolling.
typedef struct rutTractionIn {
  const double *slip_x, *slip_y;
  const double* load;        // normal force [N] >= 0
  const double* deflection;  // of the tyre [m] >= 0
  const double* diameter;    // of the undeflected tyre [m]
  const double* width;       // [m]
  const double* section;     // section height [m]
  const double* crossover;   // rutCarcassOut [rad]
  const double* strength;    // cone index of the place [Pa], NaN where the soil's own holds
  const double* friction;    // friction coefficient of the place, NaN likewise; hard ground only
} rutTractionIn;
typedef struct rutTractionOut {
  double* mu_x;  // gross longitudinal force over load, sign of slip_x
  double* mu_y;  // lateral force over load, sign against slip_y
  // Secants |mu / slip| of both at the present slip, their limits at slip 0. Never negative.
  double *secant_x, *secant_y;
  double*
      normalised_slip;  // slip as a part of that with the largest force (1: there), both directions
  double* resistance;   // motion resistance over load, >= 0
  double* peak;         // largest longitudinal force over load that this place gives
} rutTractionOut;
// Deformable soil: wheel and soil share the depth `depth` of the wheel's lowest point below the
// untouched surface, tyre deflection + sinkage, such that both carry the same load.
typedef struct rutSinkIn {
  double dt;                      // step [s]
  const double *slip_x, *slip_y;  // as in rutTractionIn
  const double* direction;        // of travel: 1 forward, -1 backward, towards 0 at a standstill
  const double *depth, *rate;     // [m], and its rate [m/s], both positive into the ground
  const double *radius, *width;   // of the undeflected tyre [m]
  // The tyre near the split of the last step: it carries tyre_load + tyre_stiffness (d - d0) at the
  // deflection d, d0 being depth - sinkage, and tyre_damping times the rate of d on top. From a
  // stiffness of 1e10 N/m on a wheel is rigid.
  const double *tyre_load, *tyre_stiffness, *tyre_damping;
  const double* sinkage;  // of the last step [m]
  const double* pressed;  // depth to which earlier passes have pressed the place [m], 0: untouched
  // Depth to which the wheel itself has pressed the soil that it is on, 0: none [m], the way that
  // it has come since [m], and its resistance over its load then. NULL: as if rolling at one depth.
  const double *footprint, *distance, *resistance;
} rutSinkIn;
typedef struct rutSinkOut {
  double* load;                 // normal force [N] >= 0
  double *stiffness, *damping;  // d load / d depth, d load / d rate, >= 0
  double* sinkage;              // of the wheel in the soil, a part of the depth [m]
  double* rut;                  // depth of the surface that is left behind the wheel [m]
  double* pressed;              // depth to which the soil is pressed now [m]
  // As in rutTractionOut: mu_x is the torque that the soil takes from the wheel's spin, over load
  // and rolling radius (the tyre's radius less its deflection / 3); mu_x - resistance the net force
  // along x over load while the wheel moves forward.
  double *mu_x, *mu_y, *secant_x, *secant_y, *normalised_slip, *resistance, *peak;
  double *overturning, *aligning;  // as in rutTyreGripOut
  double* footprint;  // depth to which the wheel has pressed the soil, `print` of the next step
} rutSinkOut;
typedef struct rutSoilType {
  rutComponent base;
  bool standard;  // with its defaults it is the ground of places that name no soil
  // Numbers that follow from the parameters alone, worked out once. Nullable if derived is 0.
  int derived;
  void (*derive)(const void* param, double* derived);
  // One of traction and sink is given.
  void (*traction)(const void* param, const double* derived, int n, const rutTractionIn* in,
                   const rutTractionOut* out);
  void (*sink)(const void* param, const double* derived, int n, const rutSinkIn* in,
               const rutSinkOut* out);
  // Friction coefficient of hard ground, for tyres with a law of their own; NaN: theirs. NULL for
  // soils, which such tyres meet like all others.
  double (*friction)(const void* param);
} rutSoilType;

// Suspension that moves along a straight slide: force along the path of a wheel carrier, and how a
// wheel without one of its own mass finds the ground. travel is the hub's displacement from the
// design position, up in the chassis [m].
typedef struct rutSuspensionOut {
  double* force;      // pushes the chassis up and the wheel down [N]
  double* stiffness;  // d force / d travel [N/m] and d force / d rate [N s/m], both >= 0
  double* damping;
  double* energy;  // stored in the spring [J]
} rutSuspensionOut;
// Suspension that is a mechanism: bodies between the chassis and the wheel carrier that move with
// one coordinate q of their own, positive where the wheel goes up, and with the coordinate s of the
// vehicle's steering linkage. Vectors are in chassis axes, positions from the origin that `derive`
// was given, the chassis's centre of mass. For each wheel the rows that it fills:
//  - hub: position, spin axis (to the left); velocity and angular velocity of the carrier against
//    the chassis, per q' (hub_v, hub_w), per s' (steer_v, steer_w), and together (move_v, move_w);
//    what its accelerations are with q'' = s'' = 0 in a chassis that stands still (rest_v, rest_w)
//  - sums over the bodies without the wheel, of mass m, position r and inertia J, with the same
//    velocities v, w as of the carrier: m r (first), second moments about the origin (second: xx yy
//    zz xy xz yz), m v and J w + r x m v per q' (q_v, q_w) and per s' (s_v, s_w), qq, qs, ss of
//    m v v + w J w, and the forces of inertia less gravity with q'' = s'' = 0 in the chassis that
//    turns with omega but does not accelerate (rest_force, rest_moment), along q and s (rest_q,
//    rest_s)
//  - force of springs and dampers along q, its stiffness and damping -d force/d q and q' >= 0, the
//    energy in springs
//  - travel: of the hub up from its design position; lever: change of the spring's length per q
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
enum { RUT_CORNER_WIDTH = 4 };  // wheels of one call
// Four wheels. Row r of wheel i stands at row[r * stride + i], constant c at
// constant[c * RUT_CORNER_WIDTH + i].
typedef struct rutCornerIn {
  const double* constant;
  const double *travel, *rate;                      // q, q'
  const double *steer, *steer_rate;                 // s, s'
  const double *omega_x, *omega_y, *omega_z;        // of the chassis [rad/s]
  const double *gravity_x, *gravity_y, *gravity_z;  // in its axes [m/s2]
} rutCornerIn;

// Where a corner is: 1 on the left, -1 on the right; its hub's design position in the vehicle's
// frame; the origin of its vectors in that frame.
typedef struct rutCornerPlace {
  double side, hub[3], origin[3];
  double steer_range;  // largest size of s that the linkage has
} rutCornerPlace;

// One body of a mechanism as it stands, for pictures and proofs, in the chassis's frame at the
// origin: position of its centre of mass, attitude (row-major, own axes to chassis), mass, inertia
// in its own axes (xx yy zz xy xz yz), velocity and angular velocity against the chassis.
typedef struct rutCornerBody {
  const char* name;
  double mass, position[3], attitude[9], inertia[6], velocity[3], angular_velocity[3];
} rutCornerBody;
enum { RUT_MAX_CORNER_BODIES = 8 };

// A straight part of a mechanism, for pictures: its ends in the chassis's frame from the origin.
typedef struct rutCornerLink {
  const char* name;
  double from[3], to[3];
} rutCornerLink;
enum { RUT_MAX_CORNER_LINKS = 12 };

typedef struct rutSuspensionType {
  rutComponent base;
  // Slides: force and range. Mechanisms: constants, derive, corner and bodies.
  bool massless;  // the wheel has no mass up and down: it lies on the ground whenever it can
  // preload[n]: force at travel 0 that carries the static load [N].
  void (*force)(const void* param, int n, const double* travel, const double* rate,
                const double* preload, const rutSuspensionOut* out);
  // Travel from which on a stop pushes back, down and up [m]. A massless wheel never leaves it; one
  // with mass presses into the stop, whose force is part of `force`.
  void (*range)(const void* param, double* lowest, double* highest);
  // Numbers that describe one corner, and their making: constant c at constant[c *
  // RUT_CORNER_WIDTH]. Finds the range of q that the mechanism allows.
  int constants;
  rutStatus (*derive)(const void* param, const rutCornerPlace* place, double* constant,
                      double range[2], rutError* err);
  void (*corner)(const rutCornerIn* in, double* row, size_t stride);
  // Its bodies, the wheel not among them; returns their number.
  int (*bodies)(const double* constant, double q, double q_rate, double s, double s_rate,
                rutCornerBody out[RUT_MAX_CORNER_BODIES]);
  // How it looks; returns the number of links, always the same. Nullable.
  int (*links)(const double* constant, double q, double s, rutCornerLink out[RUT_MAX_CORNER_LINKS]);
} rutSuspensionType;

// Terrain: a shape of the ground, added to or blended with others. Coordinates are the shape's own.
// Its fields begin with these rows, its parameter struct with rutTerrainHead.
#define RUT_TERRAIN_ROWS                                                                       \
  {"position", "m", RUT_VECTOR, 0, 0,                                                          \
   -1e9,       1e9, "0 0",      0, "of its origin in the world: x y, or x y z"},               \
      {"yaw", "rad", RUT_REAL, 1, 0, -1e4, 1e4, "", 0, "of its x axis"},                       \
      {"x_min", "m",  RUT_REAL, 1, (double)NAN,                                                \
       -1e12,   1e12, "",       0, "extent, in its own frame; default: endless"},              \
      {"x_max", "m", RUT_REAL, 1, (double)NAN, -1e12, 1e12, "", 0, "extent, likewise"},        \
      {"y_min", "m", RUT_REAL, 1, (double)NAN, -1e12, 1e12, "", 0, "extent, likewise"},        \
      {"y_max", "m", RUT_REAL, 1, (double)NAN, -1e12, 1e12, "", 0, "extent, likewise"},        \
      {"edge",   "m",                                                                          \
       RUT_REAL, 1,                                                                            \
       0,        0,                                                                            \
       1e12,     "",                                                                           \
       0,        "width inside the border of its extent over which it comes in smoothly"},     \
      {"blend",                                                                                \
       "",                                                                                     \
       RUT_CHOICE,                                                                             \
       1,                                                                                      \
       0,                                                                                      \
       0,                                                                                      \
       2,                                                                                      \
       "add|max|replace",                                                                      \
       0,                                                                                      \
       "its heights are added to the ground before it, taken where they are higher, or taken " \
       "instead"},
typedef struct rutTerrainHead {
  double position, yaw, x_min, x_max, y_min, y_max, edge, blend;
} rutTerrainHead;
// What the heights over a rectangle are known to keep to.
typedef struct rutTerrainBounds {
  double low, high;  // no height is below or above [m]
  double steepest;   // no two of them differ by more than this times their distance; infinite where
                     // there is an upright face
} rutTerrainBounds;
typedef struct rutTerrainType {
  rutComponent base;
  // Bytes of what follows from the parameters alone (phases, rasters), and its making; Nullable
  // when there is none. plan is aligned to 64 bytes and zeroed, and may be moved once it is made.
  size_t (*plan_size)(const void* param);
  void (*plan)(const void* param, void* plan);
  // Heights and slopes at points in the shape's own coordinates.
  void (*height)(const void* param, const void* plan, const rutGroundPoints* at,
                 const rutGroundSurface* out);
  // Bounds over the rectangle x_min, x_max, y_min, y_max, which may be endless: with them rays see
  // the ground faster, and all of it. Nullable: nothing is known.
  void (*bounds)(const void* param, const void* plan, const double box[4], rutTerrainBounds* out);
} rutTerrainType;

// Geometry of a vehicle that drives and controllers need; the same for all its lanes.
typedef struct rutVehicleLayout {
  int wheels;
  const double *x, *y;      // of each wheel from the reference point [m]
  const double* radius;     // [m]
  const double* mount_yaw;  // fixed yaw of each wheel [rad]
  const double* inertia;    // of each wheel about its spin axis, with that of the drive [kg m2]
  const int* steered;       // 1 for wheels on the steered axle
  const int* driven;        // 1 for wheels that may get torque (0: casters)
  int left, right;          // wheels that odometry uses: v = w r + yaw_rate y
  int front_left, front_right, rear_left, rear_right;  // -1 where there is none
  double wheelbase;    // x distance of front and rear axle, 0 without steering [m]
  double track;        // y distance of the front wheels, 0 without steering [m]
  double steer_x;      // x of the line on which the axles of all wheels meet in a turn [m]
  double steer_base;   // distance of the equivalent single front wheel ahead of it, 0 without [m]
  double max_steer;    // of that wheel [rad]
  double mass;         // whole vehicle [kg]
  double gravity;      // [m/s2]
  double torque_gain;  // sum of the wheel torques when every demand to the drive is 1 N m
  double full_demand;  // that is full throttle [N m], 0 for drives that know no throttle
} rutVehicleLayout;

// A drive after a step, of one vehicle: number i of an array stands at [i * stride].
typedef struct rutDriveSeen {
  double dt;             // of the step [s]
  const double* demand;  // [input] that `torque` was given [N m]
  const double* speed;   // [wheel] that it was given [rad/s]
  const double* torque;  // [wheel] that it gave [N m]
  const double* state;   // [state]
  int stride;
} rutDriveSeen;

// What a drive is given for a step.
typedef struct rutDriveIn {
  int lanes;
  double dt;             // of the step [s]
  const double* demand;  // [input][lane] [N m]
  const double* speed;   // [wheel][lane] [rad/s]
} rutDriveIn;

// Drive: turns the controller's torque demands into wheel torques.
typedef struct rutDriveType {
  rutComponent base;
  // What it tells beside its states, computed only when somebody reads it: out gets the numbers of
  // all outputs in order, RUT_MAX_OUTPUT_NUMBERS at most. Nullable: nothing.
  const rutVariable* output;
  int outputs;
  void (*tell)(const void* param, const rutVehicleLayout* layout, const rutDriveSeen* in,
               double* out);
  // Number of torque demands it takes for this vehicle: one per wheel side, or one for an engine.
  int (*inputs)(const void* param, const rutVehicleLayout* layout);
  // Torque of each wheel [wheel][lane] [N m]; state[state][lane].
  void (*torque)(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                 double* state, double* torque);
  // How much more torque each wheel gets per demand, as things stand after `torque`:
  // gain[input][wheel][lane], which comes as 0. Only asked for drives of one or two demands.
  // Nullable: torques then do not change within a step.
  void (*gain)(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
               const double* state, double* gain);
  bool gain_holds;  // for ever: it looks at param and layout only
  // Demand that is full throttle [N m]; throttle is the demand's part of it. Nullable: none.
  double (*full_demand)(const void* param);
  // Inertia that turns with each driven wheel, seen at the wheel [kg m2], and the momentum about
  // the wheel's axis that it has per speed of the wheel [kg m2]: n^2 J and n J of a rotor J on an
  // axis parallel to the wheel's that turns n times as fast. Nullable: none.
  double (*inertia)(const void* param, double* momentum);
  // Shafts that couple the wheels, at most RUT_MAX_SHAFTS: their number, and, after `torque`, for
  // each its turns per turn of each wheel, turns[shaft][wheel][lane], and the inverse of its
  // inertia [shaft][lane] [1/(kg m2)]. The speed of a shaft is the sum of its turns times the
  // wheels' speeds. 0 is a shaft that cannot turn: a locked differential. Their inertia must not be
  // part of `inertia`. Nullable: none.
  int (*shafts)(const void* param, const rutVehicleLayout* layout);
  int couple_row;  // the only state that `couple` looks at, a gear's: called when it has changed
  void (*couple)(const void* param, const rutVehicleLayout* layout, int lanes, const double* state,
                 double* shaft_ratio, double* inverse_inertia);
  // Power drawn from battery or fuel [W] per lane, at the torques just found. Nullable.
  void (*power)(const void* param, const rutVehicleLayout* layout, int lanes, const double* speed,
                const double* state, double* power);
  // State of a vehicle that starts with its wheels turning at speed[wheel][lane] [rad/s]: the gear
  // that is in, and what turns with it. state[state][lane] comes zeroed, which is what wheels at
  // rest must leave it. Nullable: all zero.
  void (*start)(const void* param, const rutVehicleLayout* layout, int lanes, const double* speed,
                double* state);
} rutDriveType;

// Controllers begin with these rows.
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
       "By which what it sees of its vehicle is late, to the nearest step."},                    \
      {"output_delay",                                                                           \
       "s",                                                                                      \
       RUT_REAL,                                                                                 \
       1,                                                                                        \
       0,                                                                                        \
       0,                                                                                        \
       1e3,                                                                                      \
       "",                                                                                       \
       0,                                                                                        \
       "By which what it asks for comes late, to the nearest step."},                            \
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
      {"host",                                                                                   \
       "",                                                                                       \
       RUT_BOOLEAN,                                                                              \
       1,                                                                                        \
       0,                                                                                        \
       0,                                                                                        \
       1,                                                                                        \
       "",                                                                                       \
       0,                                                                                        \
       "It runs beside the steps, and what it asks for comes when 'output_delay' is over."},     \
      {"late",                                                                                   \
       "",                                                                                       \
       RUT_CHOICE,                                                                               \
       1,                                                                                        \
       0,                                                                                        \
       0,                                                                                        \
       1,                                                                                        \
       "wait|hold",                                                                              \
       0,                                                                                        \
       "If it is not done by then: the step waits for it, or goes on with what held before."},
// Parameters of a controller begin with these.
typedef struct rutControllerHead {
  double period, phase, input_delay, output_delay, commands, host, late;
} rutControllerHead;

// What a controller may look at, beside its set points, its inputs and the wheels.
enum {
  RUT_USES_MOTION = 4,    // true velocity and yaw rate
  RUT_USES_POSE = 8,      // true position and attitude
  RUT_USES_CONTACT = 16,  // true contacts of the wheels; on axles only
  RUT_USES_PITCH = 32     // the pitch alone, as of an inclinometer
};

// Latest value of an input that can be seen. Number i stands at value[i * stride].
typedef struct rutControlReading {
  const void* value;
  rutNumberType type;
  int n, stride;
  double stamp;  // time of the sample [s], -1 before the first
} rutControlReading;

// Controller: turns set points and measurements into torque demands and a steering angle, or into
// set points of another controller.
typedef struct rutControlIn {
  double dt;                         // time since its last update [s]
  const double* command;             // [command][lane] set points, in the order of `command`
  const rutControlReading* reading;  // [input][lane]
  double* scratch;                   // [number][lane] as `scratch` asks for
  // What a type does not say that it uses may be NULL.
  const double* vx;  // [lane] true velocity of the reference point, vehicle frame [m/s]
  const double* vy;
  const double* yaw_rate;   // [lane] [rad/s]
  const double* odo_speed;  // [lane] forward speed from the wheels [m/s]
  const double* odo_rate;   // [lane] yaw rate from the wheels [rad/s]
  const double* pitch;      // [lane] of the vehicle, positive nose down [rad]
  const double* speed;      // [wheel][lane] [rad/s]
  const double* steer;      // [wheel][lane] present yaw of each wheel in the vehicle [rad]
  const double* position;   // [3][lane] of the reference point, world [m]
  const double* yaw;        // [lane] [rad]
  const double* roll;       // [lane] [rad]
  // The rest only for vehicles with suspensions, NULL for planar ones.
  const double* load;   // [wheel][lane] normal force under each wheel [N]
  const double* slope;  // [wheel][lane] angle of the contact along the heading, rising ahead [rad]
  const double* arm_x;  // [wheel][lane] contact from the centre of mass, along the heading [m]
  const double* arm_z;  // and up [m]
  const double* grip;   // [wheel][lane] largest force the place gives, over the load
} rutControlIn;
// What a demand would be at the end of the step: clamp(still - rate w, low, high), w being the
// change of the wheel speed that it looks at (that of odometry's wheel on its side, or the mean of
// both for a drive with one demand). Engines take it in place of `demand`, so that a gain which is
// large against the wheel's inertia over the step does not make the wheel overshoot.
// Only for the controller that drives, without a clock of its own, delays and actuators: else NULL.
// Each [input][lane]; all come as 0.
typedef struct rutDemandLine {
  double* still;       // demand if the wheel keeps its speed [N m]
  double* rate;        // [N m s/rad] >= 0
  double *low, *high;  // [N m]
} rutDemandLine;
typedef struct rutControlOut {
  double* output;  // [number][lane] its outputs, in the order of `output`; they hold until changed
  // The rest is NULL for a controller that gives set points to another one.
  double* demand;  // [input][lane] torque demand to the drive [N m], positive forward
  double* steer;   // [lane] angle of the equivalent single front wheel [rad], positive left
  double* twist;   // [3][lane] vx, vy, yaw rate to impose on the reference point, by ideal ones
  double* brake;   // [lane] part of the full brake torque, 0 to 1; NULL for planar vehicles
  const rutDemandLine* line;  // see there; NULL where demands hold through the step
} rutControlOut;
typedef struct rutControllerType {
  rutComponent base;
  // Set points. They begin at the values of the parameters of the same names, else at 0.
  const rutVariable* command;
  int commands;
  // What it tells. Those named like set points of the controller that it commands are these.
  const rutVariable* output;
  int outputs;
  // What it reads: outputs of sensors of its vehicle, or of another of its controllers, of this
  // name and unit; <input> in the world file says which, where several have it.
  const rutVariable* input;
  int inputs;
  unsigned uses;        // RUT_USES_MOTION, _POSE, _CONTACT, _PITCH
  bool suspensions;     // only for vehicles with suspensions: a planar one is refused at compile
  bool supervises;      // gives set points only: it cannot drive
  bool needs_sides;     // needs a left and a right wheel at the rear
  bool needs_steering;  // needs wheels that steer
  int demands;          // most torque demands that it gives, 0: as many as the drive takes
  bool imposes_twist;   // the body takes `twist` at the end of the step, whatever the forces
  bool gives_line;      // fills `line` where it is not NULL
  // Whether it can drive a vehicle whose drive takes so many torque demands; else err says why. Of
  // the layout only the wheels are known: places, radii, which are steered and driven. Nullable.
  rutStatus (*fits)(const void* param, const rutVehicleLayout* layout, int inputs, rutError* err);
  // Numbers of scratch per vehicle. Nullable: none.
  int (*scratch)(const void* param, const rutVehicleLayout* layout);
  void (*update)(const void* param, const rutVehicleLayout* layout, int lanes, int inputs,
                 const rutControlIn* in, double* state, const rutControlOut* out);
} rutControllerType;

// What is known of a place and its surroundings.
typedef struct rutSite {
  double ground;     // height of the ground below, world z [m]; NaN off all ground
  double normal[3];  // of the ground there, upward, world
  int soil;          // index as in RUT_SOIL, -1 where the world names none
  double gravity;    // downwards, along the world's z axis [m/s2]
  // Of the world's origin, WGS 84: geodetic latitude and longitude [rad], height above the
  // ellipsoid [m]. NaN in a world without a place on earth.
  double latitude, longitude, altitude;
} rutSite;

// Rays from anywhere to anywhere.
typedef struct rutRays {
  int n;
  const double *x, *y, *z;     // [n] origins in the world [m]
  const double *dx, *dy, *dz;  // [n] directions in the world, of length 1
  double max_range;            // [m]
  bool bodies, ground;         // see vehicles and movable blocks; see the ground
  int skip_vehicle;            // vehicle that is not seen, -1 for none
} rutRays;
typedef struct rutRayHits {
  double* range;      // [n] distances [m], negative where nothing is within max_range
  double* normal[3];  // [n] x, y, z of the surface's outward unit normal there, world. Nullable
} rutRayHits;

// Rays in the x-y plane of a frame, from its origin. In a level plane above all ground this is many
// times as fast as rutRays.
typedef struct rutRayFan {
  double pose[6];  // of the frame: x y z [m], roll pitch yaw [rad]
  int n;
  const double* angle;  // of each ray from the frame's x axis, ascending [rad]
  double max_range;     // [m]
  bool bodies, ground;  // see vehicles and movable blocks; see the ground
  int skip_vehicle;     // as in rutRays
} rutRayFan;

typedef struct rutSensorIn {
  double time;       // of the sample [s]; it may lie within the last step
  double pose[6];    // of the sensor then: x y z [m], roll pitch yaw [rad], which does not wrap
  rutMotion motion;  // the same with velocities and accelerations
  int vehicle;       // that carries it, -1 if fixed to the world
  // Wheels of that vehicle; only for types with RUT_USES_WHEELS.
  int wheels;
  const rutWheelState* wheel;
  rutSite site;  // only for types with RUT_USES_SITE
  // Motion at another time [s] near that of the sample, for sensors that take a while. It goes on
  // with constant acceleration.
  void (*motion_at)(const void* host, double time, rutMotion* out);
  // range[n] gets distances [m], negative where nothing is within max_range; grid[n] tells 1 for
  // hits on an occupancy grid. Nullable: grid.
  void (*cast_fan)(const void* host, const rutRayFan* fan, double* range, unsigned char* grid);
  void (*cast)(const void* host, const rutRays* rays, const rutRayHits* hits);
  // Numbers first .. first + n - 1 of this sample from the sensor's own seeded stream: standard
  // normal, and uniform in [0, 1).
  void (*normals)(const void* host, uint32_t first, int n, double* out);
  void (*uniforms)(const void* host, uint32_t first, int n, double* out);
  const void* host;
} rutSensorIn;

// What a sensor needs to be told, beside what costs nothing.
enum { RUT_USES_WHEELS = 1, RUT_USES_SITE = 2 };

// The framework takes samples at times phase + k period, k from 1, lets them be seen `latency`
// later, and keeps the sensor's state.
typedef struct rutSensorType {
  rutComponent base;
  const rutVariable* output;  // what a sample is made of
  int outputs;
  unsigned uses;  // RUT_USES_...
  rutSensorForm form;
  // How the rays of a planar scan lie. Only for RUT_FORM_PLANAR_SCAN.
  void (*scan)(const void* param, rutScanGeometry* out);
  // Bytes of scratch for one sample. Nullable: none.
  size_t (*scratch)(const void* param);
  // State at the start of a run, from zero: in->time is 0. Nullable.
  void (*start)(const void* param, const rutSensorIn* in, double* state);
  // out[i] is where output i goes.
  void (*sample)(const void* param, const rutSensorIn* in, double* state, void* scratch,
                 void* const* out);
} rutSensorType;

// File format: reads a world into a spec through the public spec calls only.
typedef struct rutFormatType {
  rutComponent base;  // kind "format"
  // True if this text looks like the format.
  bool (*recognise)(const char* text, size_t size);
  // Fill an empty spec. name stands for the file in messages; relative files start at its folder.
  rutStatus (*read)(rutContext* context, const char* text, size_t size, const char* name,
                    rutSpec* spec, rutError* err);
} rutFormatType;

#ifdef __cplusplus
}
#endif

#endif  // RUT_COMPONENT_H
