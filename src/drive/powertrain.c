// SPDX-License-Identifier: BSD-3-Clause
//
// Engine, torque converter or clutch, automatic gearbox, transfer case and differentials. The
// defaults are the shafts powertrain and driveline of the HMMWV of Project Chrono, whose gearbox
// has its ratios the other way up.
//
// The input shaft of the gearbox follows the wheels through the gear, so that its inertia, seen at
// the wheels, is that of a shaft that couples them, and `torque` gives what acts on it meanwhile.
#include "base/report.h"
#include "drive/converter.h"
#include "drive/driveline.h"
#include "drive/engine_map.h"
#include "drive/gearbox.h"
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                                                  \
  X(engine_inertia, "kg m2", 0.5, 1e-4, 1e4,                                                       \
    "Inertia of crankshaft and impeller. Chrono's engine has 1.1, but only the 0.5 of its "        \
    "gearbox input shaft takes effect.")                                                           \
  X(idle_speed, "rad/s", 0, 0, 1e4,                                                                \
    "Idle speed: held by the governor without throttle, and at the start. 0: the engine stops "    \
    "without throttle, as in Chrono.")                                                             \
  X(idle_band, "rad/s", 5, 1e-3, 1e3,                                                              \
    "Speed range below idle_speed over which the governor opens.")                                 \
  X(max_speed, "rad/s", 1e4, 1, 1e5,                                                               \
    "Engine speed at which the governor has closed the throttle.")                                 \
  X(governor_band, "rad/s", 20, 1e-3, 1e4, "Speed range below max_speed over which it closes.")    \
  X(thermal_efficiency, "", 0.3, 1e-3, 1,                                                          \
    "Thermal efficiency: indicated work over the energy of the fuel.")                             \
  X(full_demand, "N m", 0, 0, 1e9,                                                                 \
    "Torque demand of full throttle; 0: the largest sum of wheel torques at standstill.")          \
  X(slip_band, "", 0.02, 1e-6, 0.5,                                                                \
    "Range of speed ratios about 1 over which the converter's torque passes through 0.")           \
  X(lockup_ratio, "", 0.85, 0, 1, "Speed ratio above which the lock-up clutch closes.")            \
  X(lockup_speed, "rad/s", 150, 0, 1e4,                                                            \
    "Input shaft speed above which it closes; it opens below 0.9 of this.")                        \
  X(lockup_torque, "N m", 1500, 0, 1e7, "Torque above which the lock-up clutch slips.")            \
  X(clutch_torque, "N m", 1500, 0, 1e7, "Torque above which the friction clutch slips.")           \
  X(clutch_speed, "rad/s", 120, 1e-3, 1e4,                                                         \
    "Engine speed at which the friction clutch is closed; it starts to close at idle_speed.")      \
  X(reverse, "", 10, 1e-3, 1e3, "Ratio of the reverse gear.")                                      \
  X(efficiency, "", 1, 0.1, 1, "Efficiency of all gears, in the direction of power flow.")         \
  X(input_inertia, "kg m2", 0.3, 1e-6, 1e4, "Inertia of the gearbox input shaft and the turbine.") \
  X(shift_interval, "s", 1, 0, 1e3, "Least time between shifts.")                                  \
  X(shift_time, "s", 0, 0, 10,                                                                     \
    "Time in which the input shaft reaches the speed of the next gear; 0: at once.")               \
  X(shift_throttle, "", 1, 0, 1, "Share of the throttle half way through a shift.")                \
  X(shift_acceleration, "rad/s2", 60, 0, 1e6,                                                      \
    "Wheel acceleration above which there is no shift, since the wheels have lost traction.")      \
  X(shift_margin, "", 1.1, 0, 10,                                                                  \
    "Shifts up only if the next gear's torque is at least this times the present load.")           \
  X(engage_speed, "rad/s", 0.5, 1e-3, 100, "Wheel speed up to which the direction can change.")    \
  X(low_range, "", 2.61, 1e-3, 100, "Ratio of the transfer case in its low range.")                \
  X(final_drive, "", 5, 1e-3, 1e3, "Ratio of front and rear drive shaft speed to axle speed.")     \
  X(hub_reduction, "", 1, 1e-3, 100, "Ratio of half-shaft speed to wheel speed.")                  \
  X(drive_shaft_inertia, "kg m2", 0.5, 1e-6, 1e4, "Inertia of the shaft behind the gearbox.")      \
  X(front_shaft_inertia, "kg m2", 0.5, 1e-6, 1e4,                                                  \
    "Inertia of the shaft from the transfer case to the front axle.")                              \
  X(rear_shaft_inertia, "kg m2", 0.5, 1e-6, 1e4,                                                   \
    "Inertia of the shaft from the transfer case to the rear axle.")                               \
  X(differential_inertia, "kg m2", 0.6, 0, 1e4,                                                    \
    "Inertia of the casing of an axle's differential.")                                            \
  X(half_shaft_inertia, "kg m2", 0.4, 0, 1e4, "Inertia of a half-shaft at each driven wheel.")     \
  X(front_rear_split, "", 0.5, 0, 1, "Share of the torque that goes to the front axle.")           \
  X(front_left_right_split, "", 0.5, 0, 1, "Share of front torque that goes to the left.")         \
  X(rear_left_right_split, "", 0.5, 0, 1, "Share of rear torque that goes to the left.")           \
  X(front_rear_bias, "", 2.5, 1, 100, "Torque bias ratio between the axles.")                      \
  X(front_left_right_bias, "", 2.5, 1, 100, "Torque bias ratio between the front wheels.")         \
  X(rear_left_right_bias, "", 2.5, 1, 100, "Torque bias ratio between the rear wheels.")           \
  X(preload, "N m", 0, 0, 1e6, "Torque difference of torque-biasing differentials without load.")  \
  X(full_bias_speed, "rad/s", 0.5, 1e-3, 100, "Speed difference at which the bias is nearly full.")

enum { INDICATED, BRAKE };
enum { CONVERTER, CLUTCH, RIGID };
enum { HIGH, LOW };
#define CHOICES(X)                                                                                 \
  X(full_load, INDICATED, 1, "indicated|brake",                                                    \
    "Meaning of full_torque: indicated torque, which drag_torque is added to, or brake torque at " \
    "the shaft.")                                                                                  \
  X(coupling, CONVERTER, 2, "converter|clutch|rigid",                                              \
    "Between engine and gearbox: torque converter, friction clutch that closes with engine "       \
    "speed, or rigid.")                                                                            \
  X(lockup, 0, 1, "off|on", "Whether a clutch locks the converter in the last gear.")              \
  X(range, HIGH, 1, "high|low", "Range of the transfer case; high has ratio 1.")
#define CHOICE_PARAM(name, def, last, words, doc) double name;
#define CHOICE_ROW(name, def, last, words, doc) \
  {#name, "", RUT_CHOICE, 1, def, 0, last, words, 0, doc},

// Lists of numbers: name, unit, least number, default.
#define LISTS(X)                                                                                 \
  X(gears, "", 1e-6, "5 2.5 1.25", "Ratios of the gearbox, largest first.")                      \
  X(shift_up, "rad/s", 0, "261.7993878",                                                         \
    "Input shaft speeds above which it shifts up, one per gear but the last, or one for all.")   \
  X(shift_down, "rad/s", 0, "125.6637061",                                                       \
    "Input shaft speeds below which it shifts back to these gears, likewise.")                   \
  X(full_speed, "rad/s", -1e6,                                                                   \
    "-10.47197551 83.7758041 94.24777961 104.7197551 115.1917306 125.6637061 136.1356817 "       \
    "146.6076572 157.0796327 167.5516082 178.0235837 188.4955592 198.9675347 209.4395102 "       \
    "219.9114858 230.3834613 240.8554368 251.3274123 261.7993878 282.7433388",                   \
    "Engine speeds of the full throttle curve, rising.")                                         \
  X(full_torque, "N m", -1e6,                                                                    \
    "300 382 490 579 650 706 746 774 789 793 788 774 754 728 697 664 628 593 558 -400",          \
    "Torques at these speeds.")                                                                  \
  X(drag_speed, "rad/s", -1e6, "-5.235987756 0 5.235987756 104.7197551 209.4395102 314.1592654", \
    "Engine speeds of the curve without throttle, ascending.")                                   \
  X(drag_torque, "N m", -1e6, "30 0 -30 -50 -70 -90", "Torques at these speeds.")                \
  X(converter_ratio, "", 0, "0 0.25 0.5 0.75 0.9 1",                                             \
    "Speed ratios of turbine to impeller, from 0 to 1.")                                         \
  X(converter_capacity, "", 1e-6, "15 15 15 16 18 35",                                           \
    "Impeller speed over the square root of its torque at these ratios [rad/s, N m].")           \
  X(converter_gain, "", 0, "2 1.8 1.5 1.15 1.06 1",                                              \
    "Torque of the turbine over that of the impeller at these ratios.")
#define LIST_PARAM(name, unit, low, def, doc) double name;
#define LIST_ROW(name, unit, low, def, doc) \
  {#name, unit, RUT_VECTOR, 0, low, low, 1e6, def, 0, doc},

typedef struct Param {
  FIELDS(RUT_PARAM)
  CHOICES(CHOICE_PARAM)
  double centre_differential, front_differential, rear_differential, driven;
  LISTS(LIST_PARAM)
} Param;

static const rutField fields[] = {
    FIELDS(RUT_ROW) CHOICES(CHOICE_ROW)
        RUT_DIFFERENTIAL_ROW("centre_differential", "Between the axles.")
            RUT_DIFFERENTIAL_ROW("front_differential", "Between the front wheels.")
                RUT_DIFFERENTIAL_ROW("rear_differential", "Between the rear wheels.")
                    RUT_DRIVEN_ROW(RUT_DRIVEN_ALL) LISTS(LIST_ROW)};

enum { MAX_LANES = RUT_DRIVELINE_LANES };
// Acceleration of the wheels is taken over this time [s].
static const double LAG_TIME = 0.1;

#define STATES(X)                                                                      \
  X(engine, "rad/s", "speed of the engine less idle_speed")                            \
  X(gear, "", "engaged gear, or the next one during a shift: 0 the first, -1 reverse") \
  X(blend, "", "gear ratio less that of this gear, during a shift")                    \
  X(blend_from, "", "the same when the shift began")                                   \
  X(left, "s", "time left of the shift")                                               \
  X(since, "s", "time since it began, or since the start, up to shift_interval")       \
  X(lag, "rad/s", "speed of the wheels, delayed")                                      \
  X(locked, "", "1 while engine and input shaft turn as one")                          \
  X(lockup, "", "1 while the clutch in the converter is to be closed")                 \
  X(load, "N m", "torque of the load at the last shift down under power")              \
  X(reflected, "kg m2", "inertia of the input shaft, seen at the wheels")              \
  X(fuel, "W", "power drawn from the fuel")
#define STATE_ROW(name, unit, doc)    ROW_##name,
#define STATE_NUMBER(name, unit, doc) double name;
#define STATE_LOAD(name, unit, doc)   lane.name = state[ROW_##name * lanes + l];
#define STATE_STORE(name, unit, doc)  state[ROW_##name * lanes + l] = lane->name;

static const rutVariable states[] = {STATES(RUT_VARIABLE)};
enum { STATES(STATE_ROW) STATE_ROWS };
typedef struct Lane {
  STATES(STATE_NUMBER)
} Lane;

RUT_INLINE Lane load_lane(const double* state, int lanes, int l) {
  Lane lane;
  STATES(STATE_LOAD)
  return lane;
}
RUT_INLINE void store_lane(double* state, int lanes, int l, const Lane* lane) {
  STATES(STATE_STORE)
}

// --- Parameters, sorted --------------------------------------------------------------------------

static rutEngineMap map_of(const Param* p) {
  rutEngineMap m = {.brake = p->full_load == BRAKE,
                    .idle_speed = p->idle_speed,
                    .idle_band = p->idle_band,
                    .max_speed = p->max_speed,
                    .governor_band = p->governor_band};
  int torques;
  m.full_speed = rut_param_list(p, p->full_speed, &m.full_points);
  m.full_torque = rut_param_list(p, p->full_torque, &torques);
  m.drag_speed = rut_param_list(p, p->drag_speed, &m.drag_points);
  m.drag_torque = rut_param_list(p, p->drag_torque, &torques);
  return m;
}

static rutConverter converter_of(const Param* p) {
  rutConverter c = {.band = p->slip_band};
  c.ratio = rut_param_list(p, p->converter_ratio, &c.points);
  c.capacity = rut_param_list(p, p->converter_capacity, &c.points);
  c.gain = rut_param_list(p, p->converter_gain, &c.points);
  return c;
}

static rutGearbox gearbox_of(const Param* p) {
  rutGearbox box = {.reverse = p->reverse,
                    .efficiency = p->efficiency,
                    .shift_time = p->shift_time,
                    .engage_speed = p->engage_speed};
  box.gear = rut_param_list(p, p->gears, &box.gears);
  box.up = rut_param_list(p, p->shift_up, &box.ups);
  box.down = rut_param_list(p, p->shift_down, &box.downs);
  return box;
}

// Turns of the gearbox's output per turn of the wheels.
static double behind_gearbox(const Param* p) {
  return (p->range == LOW ? p->low_range : 1.0) * p->final_drive * p->hub_reduction;
}

// --- Checks --------------------------------------------------------------------------------------

// Two lists that belong together: as many numbers, at least one, the first rising.
static rutStatus check_curve(const Param* p, double x_list, double y_list, const char* x_name,
                             const char* y_name, rutError* err) {
  int points, values;
  const double* x = rut_param_list(p, x_list, &points);
  rut_param_list(p, y_list, &values);
  if (points != values || points < 1) {
    return rut_error_set(err, RUT_ERR_MODEL, "%s has %d numbers, %s %d: they must be pairs", x_name,
                         points, y_name, values);
  }
  for (int i = 1; i < points; i++) {
    if (x[i] > x[i - 1]) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "%s does not rise at its number %d", x_name, i + 1);
  }
  return RUT_OK;
}

static rutStatus check_converter(const Param* p, rutError* err) {
  static const double TOLERANCE = 1e-9;
  const rutConverter c = converter_of(p);
  if (c.ratio[0] != 0.0 || c.ratio[c.points - 1] != 1.0) {
    return rut_error_set(err, RUT_ERR_MODEL, "converter_ratio must go from 0 to 1");
  }
  const double best = rut_converter_best(&c);
  if (best <= 1.0 + TOLERANCE) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "converter_gain is too large: speed ratio times torque ratio comes to %g, "
                       "and more than 1 makes energy from nothing",
                       best);
}

// A shift up must not land where the gearbox shifts down again.
static rutStatus check_gears(const Param* p, rutError* err) {
  const rutGearbox box = gearbox_of(p);
  if (box.gears < 1) return rut_error_set(err, RUT_ERR_MODEL, "gears needs at least one ratio");
  const int needed = box.gears > 1 ? box.gears - 1 : 1;
  if ((box.ups != 1 && box.ups != needed) || (box.downs != 1 && box.downs != needed)) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "shift_up has %d numbers, shift_down %d: one for all, or one for each "
                         "gear but the last",
                         box.ups, box.downs);
  }
  for (int i = 1; i < box.gears; i++) {
    const double up = rut_gear_number(box.ups, box.up, i - 1);
    const double down = rut_gear_number(box.downs, box.down, i - 1);
    if (box.gear[i] >= box.gear[i - 1]) {
      return rut_error_set(err, RUT_ERR_MODEL, "gears must fall: number %d does not", i + 1);
    }
    if (up * box.gear[i] / box.gear[i - 1] > down) continue;
    return rut_error_set(err, RUT_ERR_MODEL,
                         "after the shift up from gear %d the input shaft turns at %g rad/s, where "
                         "it shifts down (shift_down %g rad/s)",
                         i, up * box.gear[i] / box.gear[i - 1], down);
  }
  return RUT_OK;
}

static rutStatus powertrain_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  rutStatus status =
      check_curve(p, p->full_speed, p->full_torque, "full_speed", "full_torque", err);
  if (status == RUT_OK) {
    status = check_curve(p, p->drag_speed, p->drag_torque, "drag_speed", "drag_torque", err);
  }
  if (status == RUT_OK) {
    status = check_curve(p, p->converter_ratio, p->converter_capacity, "converter_ratio",
                         "converter_capacity", err);
  }
  if (status == RUT_OK) {
    status = check_curve(p, p->converter_ratio, p->converter_gain, "converter_ratio",
                         "converter_gain", err);
  }
  if (status == RUT_OK) status = check_converter(p, err);
  if (status == RUT_OK) status = check_gears(p, err);
  if (status != RUT_OK || p->clutch_speed > p->idle_speed) return status;
  return rut_error_set(err, RUT_ERR_MODEL, "clutch_speed (%g rad/s) is not above idle_speed (%g)",
                       p->clutch_speed, p->idle_speed);
}

// --- Wheels and differentials --------------------------------------------------------------------

RUT_INLINE rutDifferential differential_of(const Param* p, double kind, double split, double bias) {
  return (rutDifferential){.split = split,
                           .bias = kind == RUT_TORQUE_BIASING ? bias : 1.0,
                           .preload = kind == RUT_TORQUE_BIASING ? p->preload : 0.0,
                           .locked = kind == RUT_LOCKED};
}

RUT_INLINE bool both_driven(const rutVehicleLayout* layout, bool present, rutAxle axle) {
  return present && layout->driven[axle.left] && layout->driven[axle.right];
}

RUT_INLINE rutDriveline driveline_of(const Param* p, const rutVehicleLayout* layout) {
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  const double hub = p->hub_reduction * p->hub_reduction, final = p->final_drive * p->final_drive;
  const double front = hub * (p->differential_inertia + final * p->front_shaft_inertia);
  const double rear = hub * (p->differential_inertia + final * p->rear_shaft_inertia);
  const bool has_front = both_driven(layout, axles.has_front, axles.front);
  const bool has_rear = both_driven(layout, axles.has_rear, axles.rear);
  int driven = 0;
  for (int w = 0; w < layout->wheels; w++) driven += layout->driven[w] != 0;
  const int paired = 2 * has_front + 2 * has_rear;
  const double split = has_front ? (has_rear ? p->front_rear_split : 1.0) : 0.0;
  return (rutDriveline){
      .pairs = paired > 0 && (p->driven != RUT_DRIVEN_ALL || paired == driven),
      .has_front = has_front,
      .has_rear = has_rear,
      .front = {.wheels = axles.front,
                .differential = differential_of(p, p->front_differential, p->front_left_right_split,
                                                p->front_left_right_bias),
                .inertia = front},
      .rear = {.wheels = axles.rear,
               .differential = differential_of(p, p->rear_differential, p->rear_left_right_split,
                                               p->rear_left_right_bias),
               .inertia = rear},
      .centre = differential_of(p, p->centre_differential, split, p->front_rear_bias),
      .share = 1.0 / (driven > 0 ? driven : 1),
      .inertia = front + rear,
      .bias_speed = p->full_bias_speed};
}

// --- Engine to drive shaft -----------------------------------------------------------------------

// What parameters and layout give.
typedef struct Plan {
  rutDriveline driveline;
  double behind, full;     // as in Step
  double radius, inertia;  // mean radius of the wheels [m], and inertia of all [kg m2]
} Plan;

// What one step of all lanes needs.
typedef struct Step {
  const Param* p;
  rutEngineMap map;
  rutConverter converter;
  rutGearbox box;
  double dt, behind, full;
  // 1 for the coupling that there is, else 0: choices of the parameters stand before loops over
  // lanes as numbers, so that these become vector code
  double converts, clutches, rigid;
  double may_lock;  // 1 if the converter has a lock-up clutch
} Step;

// Of the vehicle of a lane with its wheels, seen at their mean speed [kg m2].
RUT_INLINE double moving_mass(const Plan* plan, const rutVehicleLayout* layout, int lane) {
  const double mass = layout->lane_mass ? layout->lane_mass[lane] : layout->mass;
  return mass * plan->radius * plan->radius + plan->inertia;
}

// Turns of the input shaft per turn of the wheels.
RUT_INLINE double input_ratio(const Step* e, const Lane* s) {
  return e->behind * (rut_gear_ratio(&e->box, s->gear) + s->blend);
}
RUT_INLINE double engine_behind(const Step* e, const Lane* s, double input) {
  const int joined = e->rigid + s->locked > 0.0;
  const double own = e->p->idle_speed + s->engine;
  return joined ? input : own;
}
RUT_INLINE double engine_speed(const Step* e, const Lane* s, double w) {
  return engine_behind(e, s, input_ratio(e, s) * w);
}
RUT_INLINE double throttle_of(const Step* e, double gear, double demand) {
  return rut_clamp((gear < 0.0 ? -demand : demand) / e->full, 0.0, 1.0);
}

// Load on the vehicle as a wheel torque: the present wheel torque, which *given gets, less the part
// that accelerates the vehicle.
RUT_INLINE double load_of(const Step* e, double mass, const Lane* s, double w, double throttle,
                          double* given) {
  const double ratio = input_ratio(e, s), speed = engine_speed(e, s, w);
  double gas, turned;
  const double shaft = rut_engine_torque(&e->map, speed, throttle, &gas);
  rut_converter_torque(&e->converter, speed, ratio * w, &turned);
  const int slips = e->p->coupling == CONVERTER && s->locked <= 0.0;
  *given = ratio * e->box.efficiency * (slips ? turned : shaft);
  return *given - (mass + s->reflected) * ((w - s->lag) / LAG_TIME);
}

// Speed of the engine in overrun: without throttle, behind a converter with a driven turbine.
// Converter torque and engine drag may balance at several speeds, since the converter hardly drives
// a slow engine. This is the highest one, which an engine reaches from above. If there is none,
// since drag would stop the engine, it has the turbine's speed.
RUT_INLINE double overrun_speed(const Step* e, double turbine) {
  enum { PARTS = 64, HALVINGS = 50 };
  const double top = rut_max(turbine, e->p->idle_speed);
  double gas, turned, low = 0.0, high = 0.0;
  for (int i = 1; i <= PARTS && high <= 0.0; i++) {
    const double at = top * (1.0 - i * (1.0 / PARTS));
    const double in = rut_converter_torque(&e->converter, at, turbine, &turned);
    const int gains = rut_engine_torque(&e->map, at, 0.0, &gas) > in;
    low = gains ? at : low;
    high = gains ? top * (1.0 - (i - 1) * (1.0 / PARTS)) : high;
  }
  if (high <= 0.0) return turbine;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    const double in = rut_converter_torque(&e->converter, middle, turbine, &turned);
    const int gains = rut_engine_torque(&e->map, middle, 0.0, &gas) > in;
    low = gains ? middle : low;
    high = gains ? high : middle;
  }
  return low;
}

// Torque of the wheels in another gear at this speed, once the engine has come to its new speed.
RUT_INLINE double torque_in_gear(const Step* e, double gear, double w, double throttle) {
  const double ratio = e->behind * rut_gear_ratio(&e->box, gear), turbine = ratio * w;
  static const double ABOVE = 1000.0;  // the engine's speed over twice the turbine's [rad/s]
  enum { HALVINGS = 14 };
  double gas, turned, low = 0.0, high = 2.0 * rut_abs(turbine) + ABOVE;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    const double in = rut_converter_torque(&e->converter, middle, turbine, &turned);
    const int slow = rut_engine_torque(&e->map, middle, throttle, &gas) > in;
    low = slow ? middle : low;
    high = slow ? high : middle;
  }
  rut_converter_torque(&e->converter, low, turbine, &turned);
  const double shaft = rut_engine_torque(&e->map, turbine, throttle, &gas);
  return ratio * e->box.efficiency * (e->p->coupling == CONVERTER ? turned : shaft);
}

// Gear that the speeds ask for, before the question whether it could carry the load; shift: what
// the input shaft's asks for.
RUT_INLINE double wished_gear(const Step* e, const Lane* s, double demand, double w, double shift) {
  const double turned = rut_gear_direction(&e->box, s->gear, demand, w);
  const double rested = s->since >= e->p->shift_interval ? shift : 0.0;
  const double gripped = rut_abs(w - s->lag) <= e->p->shift_acceleration * LAG_TIME ? rested : 0.0;
  const double gear = turned != s->gear ? turned : s->gear + gripped;
  return s->left <= 0.0 ? gear : s->gear;
}

// Whether the next gear carries the load with full throttle; after a shift down under this load,
// with the throttle as it is, or it would go up and down for ever.
RUT_INLINE int carries(const Step* e, const Lane* s, double w, double throttle, double load) {
  static const double SAME_LOAD = 0.8;  // a load above this part of the remembered one is that one
  const int again = s->load > 0.0 && load > SAME_LOAD * s->load;
  const double next = torque_in_gear(e, s->gear + 1.0, w, again ? throttle : 1.0);
  return load <= 0.0 || next >= e->p->shift_margin * load;
}

// Gear of a lane that wishes another one, and the load that it keeps in mind.
RUT_INLINE double agreed_gear(const Step* e, double mass, Lane* s, double wish, double demand,
                              double w) {
  const double throttle = throttle_of(e, s->gear, demand);
  double given;
  const double load = load_of(e, mass, s, w, throttle, &given);
  const int up = s->gear >= 0.0 && wish > s->gear, down = wish >= 0.0 && wish < s->gear;
  const int pulls = given > 0.0;
  const double gear = up && pulls && !carries(e, s, w, throttle, load) ? s->gear : wish;
  s->load = down && pulls ? load : s->load;
  return gear;
}

// What gears are chosen by: demand and speed of the wheels in each lane, and the vehicle.
typedef struct Wish {
  const double *demand, *speed;
  const Plan* plan;
  const rutVehicleLayout* layout;
} Wish;

// Gear of each lane for this step.
RUT_INLINE void choose_gears(const Step* e, int lanes, const Wish* by, double* state,
                             double* gear) {
  const rutGearbox* box = &e->box;
  const double *demand = by->demand, *w = by->speed;
  const double* now = state + ROW_gear * lanes;
  double ratio[MAX_LANES], up[MAX_LANES], down[MAX_LANES], wishes = 0.0;
  rut_gear_ratios(box, lanes, now, ratio);
  rut_gear_numbers(box->ups, box->up, lanes, now, 0.0, up);
  rut_gear_numbers(box->downs, box->down, lanes, now, 1.0, down);
  RUT_FOR_LANES(l, lanes) {
    const Lane s = load_lane(state, lanes, l);
    const double input = e->behind * (ratio[l] + s.blend) * w[l];
    const double shift = rut_shift_beyond(box, s.gear, input, up[l], down[l]);
    gear[l] = wished_gear(e, &s, demand[l], w[l], shift);
  }
  for (int l = 0; l < lanes; l++) wishes += gear[l] != now[l] ? 1.0 : 0.0;
  if (wishes == 0.0) return;
  for (int l = 0; l < lanes; l++) {
    Lane s = load_lane(state, lanes, l);
    const double mass = moving_mass(by->plan, by->layout, l);
    gear[l] = agreed_gear(e, mass, &s, gear[l], demand[l], w[l]);
    store_lane(state, lanes, l, &s);
  }
}

// Put a gear of this ratio in, after one of the ratio `last`. Returns the shift that this step goes
// through.
RUT_INLINE rutShift begin_shift(const Step* e, Lane* s, double gear, double last, double ratio) {
  const double before = last + s->blend, since = rut_min(s->since + e->dt, e->p->shift_interval);
  const int changes = gear != s->gear;
  const double side = gear < 0.0 ? -1.0 : 1.0, before_side = s->gear < 0.0 ? -1.0 : 1.0;
  const double from = s->blend_from, left = s->left;
  const double time = side != before_side ? 0.0 : e->box.shift_time;
  s->since = changes ? 0.0 : since;
  s->gear = gear;
  const double at = before - ratio, start = changes ? at : from;
  return (rutShift){ratio, start, at, at, changes ? time : left};
}

// What clutch joins engine and input shaft with at most.
RUT_INLINE double clutch_limit(const Step* e, const Lane* s, double engine, double interruption) {
  const Param* p = e->p;
  const double closed = (engine - p->idle_speed) / (p->clutch_speed - p->idle_speed);
  const double friction = p->clutch_torque * rut_clamp(closed, 0.0, 1.0) * interruption;
  const double most = p->lockup_torque, lockup = s->lockup > 0.0 ? most : 0.0;
  return e->converts * lockup + e->clutches * friction + e->rigid * RUT_NO_LIMIT;
}

RUT_INLINE double lockup_closes(const Step* e, const Lane* s, double engine, double turbine) {
  static const double OPENS = 0.9;  // part of the speed of closing
  const Param* p = e->p;
  const double free = s->left <= 0.0 ? e->may_lock : 0.0;
  const double top = s->gear == e->box.gears - 1 ? free : 0.0;
  const double fast = turbine >= p->lockup_speed ? 1.0 : 0.0;
  const double close = turbine >= p->lockup_ratio * engine ? fast : 0.0;
  const double stay = turbine >= OPENS * p->lockup_speed ? s->lockup : 0.0;
  return top * rut_max(close, stay);
}

// 0 half way through a shift, 1 at its ends and outside; left: of its time.
RUT_INLINE double out_of_shift(const Step* e, double left) {
  static const double LEAST_TIME = 1e-9;  // [s]
  const double time = rut_max(e->box.shift_time, LEAST_TIME);
  const double within = rut_abs(2.0 * left / time - 1.0);
  return left > 0.0 ? within : 1.0;
}
RUT_INLINE double throttle_in_shift(const Step* e, double throttle, double whole) {
  return throttle * (1.0 - (1.0 - e->p->shift_throttle) * (1.0 - whole));
}

// What the engines of all lanes meet in a step, and what they give.
typedef struct Engines {
  double speed[MAX_LANES];     // of the engine [rad/s]
  double faster[MAX_LANES];    // by 1 rad/s
  double turbine[MAX_LANES];   // of the input shaft at first, and
  double goal[MAX_LANES];      // when the step is over, the wheels keeping theirs
  double throttle[MAX_LANES];  // 0 to 1
  double whole[MAX_LANES];     // part of its torque that a clutch may transmit
  double made[MAX_LANES], gas[MAX_LANES];
  double holds[MAX_LANES], clutch[MAX_LANES], needed[MAX_LANES];
  double next[MAX_LANES], given[MAX_LANES];  // speed, and torque that the converter gives then
  // of the gearbox
  double ratio[MAX_LANES], from[MAX_LANES], at[MAX_LANES], after[MAX_LANES], left[MAX_LANES];
} Engines;

// Of each lane: gear for this step, demand, speed of the wheels.
typedef struct Asked {
  const double *gear, *demand, *speed;
} Asked;

// Gears, throttles and speeds of a step.
RUT_INLINE void begin_engines(const Step* e, int lanes, const Asked* asked, double* restrict state,
                              Engines* restrict k) {
  const double* restrict gear = asked->gear, * restrict demand = asked->demand;
  const double* restrict w = asked->speed;
  double last[MAX_LANES], ratio[MAX_LANES];
  rut_gear_ratios(&e->box, lanes, state + ROW_gear * lanes, last);
  rut_gear_ratios(&e->box, lanes, gear, ratio);
  RUT_FOR_LANES(l, lanes) {
    Lane s = load_lane(state, lanes, l);
    const double throttle = throttle_of(e, gear[l], demand[l]), out = e->behind * w[l];
    k->speed[l] = engine_behind(e, &s, e->behind * (last[l] + s.blend) * w[l]);
    k->faster[l] = k->speed[l] + 1.0;
    const rutShift start = begin_shift(e, &s, gear[l], last[l], ratio[l]);
    const rutShift shift = rut_shift_step(&start, e->dt);
    const double whole = out_of_shift(e, start.left);
    k->throttle[l] = throttle_in_shift(e, throttle, whole);
    k->whole[l] = whole;
    s.blend_from = shift.from;
    s.blend = shift.after;
    s.left = shift.left;
    s.lag += (w[l] - s.lag) * (e->dt / (LAG_TIME + e->dt));
    k->turbine[l] = (shift.ratio + shift.at) * out;
    k->goal[l] = (shift.ratio + shift.after) * out;
    k->ratio[l] = shift.ratio;
    k->from[l] = shift.from;
    k->at[l] = shift.at;
    k->after[l] = shift.after;
    k->left[l] = shift.left;
    s.lockup = lockup_closes(e, &s, k->speed[l], k->turbine[l]);
    store_lane(state, lanes, l, &s);
  }
}

// Engines and what joins them to the input shafts. Whether a clutch holds is found by the torque
// that would bring the engine to the shaft's speed in this step; where it does, the engine becomes
// part of the shaft.
RUT_INLINE void turn_engines(const Step* e, int lanes, const double* restrict state,
                             Engines* restrict k) {
  const double inertia = e->p->engine_inertia, dt = e->dt, fluid = e->converts;
  // implicit in the engine's own speed: its governors are steep
  double taken[MAX_LANES], other_taken[MAX_LANES], unused[MAX_LANES], other_made[MAX_LANES];
  rut_engine_torques(&e->map, lanes, k->speed, k->throttle, k->made, k->gas);
  rut_engine_torques(&e->map, lanes, k->faster, k->throttle, other_made, unused);
  rut_converter_torques(&e->converter, lanes, k->speed, k->turbine, taken, unused);
  rut_converter_torques(&e->converter, lanes, k->faster, k->turbine, other_taken, unused);
  RUT_FOR_LANES(l, lanes) {
    const Lane s = load_lane(state, lanes, l);
    const double limit = clutch_limit(e, &s, k->speed[l], k->whole[l]);
    const double made = k->made[l], speed = k->speed[l];
    const double needed = made - inertia * (k->goal[l] - speed) / dt;
    const double clutch = rut_clamp(needed, -limit, limit);
    const double takes = fluid * taken[l], other_takes = fluid * other_taken[l];
    const double slope = rut_max((other_takes - takes) - (other_made[l] - made), 0.0);
    const double joins = limit > 0.0 ? 1.0 : 0.0;
    k->holds[l] = rut_abs(needed) <= limit ? joins : 0.0;
    k->needed[l] = needed;
    k->clutch[l] = clutch;
    k->next[l] = rut_max(speed + dt * (made - takes - clutch) / (inertia + dt * slope), 0.0);
  }
  rut_converter_torques(&e->converter, lanes, k->next, k->turbine, unused, k->given);
}

// One step: sums of the wheel torques.
RUT_INLINE void drive_lanes(const Step* e, int lanes, const Asked* asked, double* restrict state,
                            double* restrict sum) {
  const double* restrict w = asked->speed;
  const double fluid = e->converts;
  Engines engines, *k = &engines;
  begin_engines(e, lanes, asked, state, k);
  turn_engines(e, lanes, state, k);
  RUT_FOR_LANES(l, lanes) {
    Lane s = load_lane(state, lanes, l);
    const int holds = k->holds[l] > 0.0;
    const double goal = k->goal[l], next = k->next[l], out = e->behind * w[l];
    s.locked = k->holds[l];
    s.engine = (holds ? goal : next) - e->p->idle_speed;
    s.fuel = rut_max(k->gas[l] * k->speed[l], 0.0) / e->p->thermal_efficiency;
    const double needed = k->needed[l], slips = k->clutch[l] + fluid * k->given[l];
    // momentum of the shafts that come to another speed goes through the gears
    const double shaft =
        (holds ? needed : slips) - e->p->input_inertia * (goal - k->turbine[l]) / e->dt;
    const rutShift shift = {k->ratio[l], k->from[l], k->at[l], k->after[l], k->left[l]};
    const double through = e->behind * rut_shift_ratio(&shift, shaft, out);
    const double inertia = e->p->input_inertia + s.locked * e->p->engine_inertia;
    s.reflected = through * e->behind * (shift.ratio + shift.after) * inertia;
    sum[l] = through * rut_mesh_factor(&e->box, shaft, goal) * shaft;
    store_lane(state, lanes, l, &s);
  }
}

// Lane of a vehicle that comes along with its wheels turning at w and no throttle, in the gear up
// to which it would have shifted.
RUT_INLINE Lane rolling_lane(const Step* e, double w) {
  const Param* p = e->p;
  Lane s = {.gear = w < -e->box.engage_speed ? (double)RUT_REVERSE : 0.0,
            .since = p->shift_interval,
            .lag = w};
  for (int i = 1; i < e->box.gears; i++) {
    s.gear += rut_max(rut_shift_wish(&e->box, s.gear, input_ratio(e, &s) * w), 0.0);
  }
  double gas;
  const double ratio = input_ratio(e, &s), turbine = rut_max(ratio * w, 0.0);
  s.lockup = lockup_closes(e, &s, turbine, turbine);
  const double limit = clutch_limit(e, &s, turbine, 1.0);
  const double drag = rut_abs(rut_engine_torque(&e->map, turbine, 0.0, &gas));
  s.locked = limit > 0.0 && drag <= limit ? 1.0 : 0.0;
  const double free = p->coupling == CONVERTER ? overrun_speed(e, turbine) : p->idle_speed;
  s.engine = (s.locked > 0.0 ? turbine : free) - p->idle_speed;
  s.reflected = ratio * ratio * (p->input_inertia + s.locked * p->engine_inertia);
  return s;
}

// --- Descriptor ----------------------------------------------------------------------------------

// Most torque of the wheels at standstill: where engine and converter agree, or the most of the
// engine.
static double powertrain_full_demand(const void* param) {
  enum { HALVINGS = 60 };
  const Param* p = param;
  const rutEngineMap m = map_of(p);
  const rutConverter c = converter_of(p);
  const rutGearbox box = gearbox_of(p);
  double gas, given = 0.0, most = 0.0, low = 0.0;
  double high = rut_max(2.0 * m.full_speed[m.full_points - 1], 1.0);
  if (p->full_demand > 0.0) return p->full_demand;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    const int slow =
        rut_engine_torque(&m, middle, 1.0, &gas) > rut_converter_torque(&c, middle, 0.0, &given);
    low = slow ? middle : low;
    high = slow ? high : middle;
  }
  rut_converter_torque(&c, low, 0.0, &given);
  for (int i = 0; i < m.full_points; i++) {
    most = rut_max(most, rut_engine_torque(&m, m.full_speed[i], 1.0, &gas));
  }
  const double shaft = p->coupling == CONVERTER ? given : most;
  return rut_max(shaft, 1.0) * behind_gearbox(p) * box.gear[0];
}

// Mean radius of the wheels [m], and their inertia [kg m2].
static double wheels_of(const rutVehicleLayout* layout, const rutDriveline* d, double* inertia) {
  double radius = 0.0;
  *inertia = 0.0;
  for (int w = 0; w < layout->wheels; w++) {
    const double part = rut_driveline_part(d, layout, w);
    radius += part * layout->radius[w];
    *inertia += layout->inertia[w];
  }
  return radius;
}

static void powertrain_plan(const void* param, const rutVehicleLayout* layout, double dt,
                            void* plan) {
  (void)dt;
  Plan* to = plan;
  to->driveline = driveline_of(param, layout);
  to->behind = behind_gearbox(param);
  to->full = layout->full_demand > 0.0 ? layout->full_demand : powertrain_full_demand(param);
  to->radius = wheels_of(layout, &to->driveline, &to->inertia);
  rut_driveline_mobility(&to->driveline, layout);
}

static Step step_of(const Param* p, const Plan* plan, double dt) {
  return (Step){.p = p,
                .map = map_of(p),
                .converter = converter_of(p),
                .box = gearbox_of(p),
                .dt = dt,
                .behind = plan->behind,
                .full = plan->full,
                .converts = p->coupling == CONVERTER,
                .clutches = p->coupling == CLUTCH,
                .rigid = p->coupling == RIGID,
                .may_lock = p->coupling == CONVERTER && p->lockup > 0.0};
}

// Of the shaft before all differentials, at the wheels.
RUT_INLINE void mean_speed(const rutDriveline* driveline, const rutVehicleLayout* layout, int lanes,
                           int stride, const double* speed, double* mean) {
  RUT_FOR_LANES(l, lanes) { mean[l] = 0.0; }
  for (int w = 0; w < layout->wheels; w++) {
    const double part = rut_driveline_part(driveline, layout, w);
    RUT_FOR_LANES(l, lanes) { mean[l] += part * speed[w * stride + l]; }
  }
}

RUT_INLINE void drive_wheels(const Param* p, const rutVehicleLayout* layout, int lanes,
                             const rutDriveIn* in, double* state, double* torque) {
  const double dt = in->dt, *demand = in->demand, *speed = in->speed;
  const Plan* plan = in->plan;
  const Step step = step_of(p, plan, dt);
  double mean[MAX_LANES], gear[MAX_LANES], sum[MAX_LANES];
  mean_speed(&plan->driveline, layout, lanes, lanes, speed, mean);
  choose_gears(&step, lanes, &(Wish){demand, mean, plan, layout}, state, gear);
  drive_lanes(&step, lanes, &(Asked){gear, demand, mean}, state, sum);
  const rutDriveIn shared = {.lanes = lanes, .dt = dt, .demand = sum, .speed = speed};
  rut_driveline_share(&plan->driveline, layout, lanes, &shared, torque);
}

static void drive_one(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                      double* state, double* torque) {
  drive_wheels(param, layout, 1, in, state, torque);
}
RUT_CLONES static void drive_batch(const void* param, const rutVehicleLayout* layout,
                                   const rutDriveIn* in, double* state, double* torque) {
  drive_wheels(param, layout, MAX_LANES, in, state, torque);
}
static void powertrain_torque(const void* param, const rutVehicleLayout* layout,
                              const rutDriveIn* in, double* state, double* torque) {
  Plan own;
  rutDriveIn planned = *in;
  if (!in->plan) {
    powertrain_plan(param, layout, in->dt, &own);
    planned.plan = &own;
  }
  if (in->lanes == 1) {
    drive_one(param, layout, &planned, state, torque);
  } else {
    drive_batch(param, layout, &planned, state, torque);
  }
}

// Half-shafts turn with their wheels; everything else is a shaft of its own.
static double powertrain_inertia(const void* param, double* momentum) {
  const Param* p = param;
  *momentum = p->hub_reduction * p->half_shaft_inertia;
  return p->hub_reduction * *momentum;
}

static int powertrain_shafts(const void* param, const rutVehicleLayout* layout) {
  const rutDriveline d = driveline_of(param, layout);
  return rut_driveline_shafts(&d);
}

static void powertrain_couple(const void* param, const rutVehicleLayout* layout, int lanes,
                              const double* state, double* shaft_ratio, double* inverse_inertia) {
  const Param* p = param;
  const rutDriveline d = driveline_of(p, layout);
  const double behind = behind_gearbox(p);
  const double shaft = behind * behind * p->drive_shaft_inertia;
  double centre[MAX_LANES];
  for (int l = 0; l < lanes; l++) centre[l] = shaft + state[ROW_reflected * lanes + l];
  rut_driveline_couple(&d, layout, lanes, centre, shaft_ratio, inverse_inertia);
}

static void powertrain_power(const void* param, const rutVehicleLayout* layout, int lanes,
                             const double* speed, const double* state, double* power) {
  (void)param;
  (void)layout;
  (void)speed;
  for (int l = 0; l < lanes; l++) power[l] = state[ROW_fuel * lanes + l];
}

static void powertrain_start(const void* param, const rutVehicleLayout* layout, int lanes,
                             const double* speed, double* state) {
  const Param* p = param;
  Plan plan;
  powertrain_plan(p, layout, 0.0, &plan);
  const Step step = step_of(p, &plan, 0.0);
  double mean[MAX_LANES];
  mean_speed(&plan.driveline, layout, lanes, lanes, speed, mean);
  for (int l = 0; l < lanes; l++) {
    if (mean[l] == 0.0) continue;
    const Lane lane = rolling_lane(&step, mean[l]);
    store_lane(state, lanes, l, &lane);
  }
}

static const rutVariable outputs[] = {
    RUT_VARIABLE(engine_speed, "rad/s", "of the crankshaft")
        RUT_VARIABLE(engine_torque, "N m", "brake torque at this speed and throttle")
            RUT_VARIABLE(throttle, "", "share of full throttle, 0 to 1") RUT_VARIABLE(
                gear, "", "engaged gear, or the next one during a shift: 1 the first, -1 reverse")
                RUT_VARIABLE(lockup, "", "1 while the lock-up clutch is closed")
                    RUT_VARIABLE(engine_power, "W", "brake power, negative in overrun")};

static void powertrain_observe(const void* param, const rutVehicleLayout* layout,
                               const rutDriveResult* in, double* out) {
  const Param* p = param;
  Plan plan;
  powertrain_plan(p, layout, in->dt, &plan);
  const Step step = step_of(p, &plan, in->dt);
  const Lane s = load_lane(in->state, in->stride, 0);
  double mean, gas;
  mean_speed(&plan.driveline, layout, 1, in->stride, in->speed, &mean);
  const double speed = engine_speed(&step, &s, mean);
  const double throttle = throttle_in_shift(&step, throttle_of(&step, s.gear, in->demand[0]),
                                            out_of_shift(&step, s.left));
  out[0] = speed;
  out[1] = rut_engine_torque(&step.map, speed, throttle, &gas);
  out[2] = throttle;
  out[3] = s.gear < 0.0 ? s.gear : s.gear + 1.0;
  out[4] = p->coupling == RIGID ? 1.0 : s.locked;
  out[5] = out[0] * out[1];
}

const rutDriveType rut_drive_powertrain = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "powertrain",
             .parents = "vehicle",
             .doc = "An engine with torque curves at full and without throttle, a torque converter "
                    "or clutch, an automatic gearbox, a transfer case and differentials. A demand "
                    "sets the throttle, as its share of the full demand. The defaults are those of "
                    "the HMMWV of Project Chrono.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = powertrain_check},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .observe = powertrain_observe,
    .inputs = rut_one_engine,
    .torque = powertrain_torque,
    .full_demand = powertrain_full_demand,
    .inertia = powertrain_inertia,
    .shafts = powertrain_shafts,
    .plan_size = sizeof(Plan),
    .plan = powertrain_plan,
    .couple_row = ROW_reflected,
    .joined_row = 1 + ROW_locked,
    .couple = powertrain_couple,
    .power = powertrain_power,
    .start = powertrain_start,
    .masses = true};
