// SPDX-License-Identifier: BSD-3-Clause
//
// Engine with a gearbox behind open differentials. The straight torque line and the defaults are
// those of the HMMWV of MAVS, which however gives the whole torque to every driven wheel; here the
// wheels share it.
#include "base/report.h"
#include "math/lanes.h"
#include "math/rut_math.h"
#include "rut/component.h"

#define FIELDS(X)                                                                                 \
  X(final_drive, "", 3.3, 1e-3, 1e3, "Final drive ratio: gearbox output speed over wheel speed.") \
  X(efficiency, "", 1, 0.1, 1, "Efficiency of gears and shafts, in the direction of power flow.") \
  X(max_torque, "N m", 583, 0, 1e7, "Torque at standstill, without a torque curve.")              \
  X(max_speed, "rad/s", 471.23889803846896, 1, 1e5,                                               \
    "Engine speed above which there is no torque; end of the straight line without a curve.")     \
  X(idle_speed, "rad/s", 0, 0, 1e5, "Engine speed below which the clutch slips.")                 \
  X(governor_band, "rad/s", 20, 1e-3, 1e5,                                                        \
    "Speed range below max_speed in which the governor cuts torque.")                             \
  X(drag, "N m", 0, 0, 1e6, "Drag torque of the engine without throttle.")                        \
  X(drag_rate, "N m s/rad", 0, 0, 1e4, "Increase of the drag torque with engine speed.")          \
  X(engage_speed, "rad/s", 2, 1e-3, 100,                                                          \
    "Wheel speed up to which the clutch slips and the direction can change; the engine's drag "   \
    "acts in full at twice this speed.")                                                          \
  X(shaft_inertia, "kg m2", 0, 0, 1e4,                                                            \
    "Inertia of engine and shafts, reflected to each driven wheel.")                              \
  X(thermal_efficiency, "", 0.3, 1e-3, 1,                                                         \
    "Thermal efficiency: work of the engine over the energy of its fuel.")

// Lists of numbers.
#define LISTS(X)                                                                                  \
  X(gears, "", "1",                                                                               \
    "Ratios of the gearbox, largest first; the gear with the largest wheel torque is engaged.")   \
  X(curve_speed, "rad/s", "",                                                                     \
    "Engine speeds of the full-load curve, ascending; without a curve the torque falls linearly " \
    "from max_torque to 0 at max_speed.")                                                         \
  X(curve_torque, "N m", "", "Torques at these speeds.")
#define LIST_PARAM(name, unit, def, doc) double name;
#define LIST_ROW(name, unit, def, doc)   {#name, unit, RUT_VECTOR, 0, 0, 0, 1e6, def, 0, doc},

typedef struct Param {
  FIELDS(RUT_PARAM)
  LISTS(LIST_PARAM)
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) LISTS(LIST_ROW)};

enum { MAX_LANES = 8 };
static const rutVariable states[] = {RUT_VARIABLE(fuel, "W", "power drawn from the fuel")};
enum { FUEL };

// Lists of numbers among the parameters.
typedef struct Lists {
  int gears, points, torques;  // as many torques as points
  const double *gear, *speed, *torque;
} Lists;

static Lists lists_of(const Param* p) {
  Lists lists;
  lists.gear = rut_param_list(p, p->gears, &lists.gears);
  lists.speed = rut_param_list(p, p->curve_speed, &lists.points);
  lists.torque = rut_param_list(p, p->curve_torque, &lists.torques);
  return lists;
}

static rutStatus engine_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  const Lists lists = lists_of(p);
  if (lists.points != lists.torques) {
    return rut_error_set(err, RUT_ERR_MODEL, "curve_speed has %d numbers, curve_torque %d",
                         lists.points, lists.torques);
  }
  for (int i = 1; i < lists.points; i++) {
    if (lists.speed[i] > lists.speed[i - 1]) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "curve_speed does not rise at its number %d", i + 1);
  }
  if (lists.gears < 1) return rut_error_set(err, RUT_ERR_MODEL, "gears needs at least one ratio");
  for (int i = 0; i < lists.gears; i++) {
    if (lists.gear[i] > 0.0 && (i == 0 || lists.gear[i] < lists.gear[i - 1])) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "gears must be positive and fall: number %d does not",
                         i + 1);
  }
  return RUT_OK;
}

static int engine_inputs(const void* param, const rutVehicleLayout* layout) {
  (void)param;
  (void)layout;
  return 1;
}

// The shafts lie along the vehicle: nothing turns about the wheel's axis.
static double engine_inertia(const void* param, double* momentum) {
  *momentum = 0;
  return ((const Param*)param)->shaft_inertia;
}

// Full load torque [N m] at engine speed w >= 0: linear between the points of the curve, constant
// beyond them, and cut by the governor.
RUT_INLINE double full_load(const Param* p, const Lists* lists, double w) {
  double torque = p->max_torque * (1.0 - w / p->max_speed);
  if (lists->points > 0) torque = lists->torque[0];
  for (int i = 1; i < lists->points; i++) {
    const double run = lists->speed[i] - lists->speed[i - 1];
    const double rise = lists->torque[i] - lists->torque[i - 1];
    torque += rise * (rut_clamp(w - lists->speed[i - 1], 0.0, run) / run);
  }
  return rut_max(torque, 0.0) * rut_clamp((p->max_speed - w) / p->governor_band, 0.0, 1.0);
}

// Gear in which the wheels get most torque when they turn at w >= 0: its whole ratio, and that
// torque [N m]. Beyond the governed speed of all gears the last one stays in.
RUT_INLINE void best_gear(const Param* p, const Lists* lists, double w, double* ratio,
                          double* torque) {
  double most = -1.0, chosen = 1.0;
  for (int i = 0; i < lists->gears; i++) {
    const double r = p->final_drive * lists->gear[i];
    const double t = r * p->efficiency * full_load(p, lists, rut_max(r * w, p->idle_speed));
    const int better = t >= most;
    most = better ? t : most;
    chosen = better ? r : chosen;
  }
  *ratio = chosen;
  *torque = most;
}

// The most that the wheels get, at standstill.
static double engine_full_demand(const void* param) {
  const Param* p = param;
  const Lists lists = lists_of(p);
  double ratio, torque;
  best_gear(p, &lists, 0.0, &ratio, &torque);
  return torque;
}

// Torque of the wheels together, and fuel power. In the direction of motion the engine gives at
// most its full load; against it no more than drag, which turns back through the gears as 1/eff.
// Near standstill the clutch of the other direction takes hold: the limits of both directions meet
// at rest, so that the vehicle can set off forwards and backwards.
RUT_INLINE double wheel_sum(const Param* p, const Lists* lists, double demand, double mean,
                            double* fuel) {
  double ratio, drive;
  const double w = rut_abs(mean), engaged = rut_clamp(w / p->engage_speed - 1.0, 0.0, 1.0);
  best_gear(p, lists, w, &ratio, &drive);
  const double engine_speed = rut_max(ratio * w, p->idle_speed);
  const double brake = engaged * (ratio / p->efficiency) * (p->drag + p->drag_rate * ratio * w);
  const double against = rut_max(brake, (1.0 - engaged) * drive);
  const double along = rut_copysign(1.0, mean) * demand;
  const double given = rut_clamp(along, -against, drive);
  // what drag does not cover comes from the engine
  const double burnt = rut_max(given, rut_max(-given - brake, 0.0));
  *fuel = burnt / (ratio * p->efficiency) * engine_speed / p->thermal_efficiency;
  return rut_copysign(1.0, mean) * given;
}

// Massless open differentials between all driven wheels: each gets the same torque, and the engine
// turns with their mean.
RUT_CLONES static void engine_torque(const void* param, const rutVehicleLayout* layout,
                                     const rutDriveIn* in, double* state, double* torque) {
  const int lanes = in->lanes;
  const double *demand = in->demand, *speed = in->speed;
  const Param* p = param;
  const Lists lists = lists_of(p);
  double mean[MAX_LANES] = {0}, sum[MAX_LANES];
  int driven = 0;
  for (int w = 0; w < layout->wheels; w++) driven += layout->driven[w] != 0;
  const double share = 1.0 / (driven > 0 ? driven : 1);
  for (int w = 0; w < layout->wheels; w++) {
    const double part = layout->driven[w] ? share : 0.0;
    RUT_FOR_LANES(l, lanes) { mean[l] += part * speed[w * lanes + l]; }
  }
  double* restrict fuel = state + FUEL * lanes;
  RUT_FOR_LANES(l, lanes) { sum[l] = wheel_sum(p, &lists, demand[l], mean[l], &fuel[l]); }
  for (int w = 0; w < layout->wheels; w++) {
    const double part = layout->driven[w] ? share : 0.0;
    RUT_FOR_LANES(l, lanes) { torque[w * lanes + l] = part * sum[l]; }
  }
}

static void engine_power(const void* param, const rutVehicleLayout* layout, int lanes,
                         const double* speed, const double* state, double* power) {
  (void)param;
  (void)layout;
  (void)speed;
  for (int l = 0; l < lanes; l++) power[l] = state[FUEL * lanes + l];
}

static const rutVariable outputs[] = {RUT_VARIABLE(engine_speed, "rad/s", "of the crankshaft")
                                          RUT_VARIABLE(gear, "", "engaged gear, 1 the first")};

static void engine_observe(const void* param, const rutVehicleLayout* layout,
                           const rutDriveResult* in, double* out) {
  const Param* p = param;
  const Lists lists = lists_of(p);
  double ratio, torque, mean = 0.0;
  int driven = 0;
  for (int w = 0; w < layout->wheels; w++) {
    driven += layout->driven[w] != 0;
    mean += layout->driven[w] ? in->speed[w * in->stride] : 0.0;
  }
  const double speed = rut_abs(mean) / (driven > 0 ? driven : 1);
  best_gear(p, &lists, speed, &ratio, &torque);
  out[0] = rut_max(ratio * speed, p->idle_speed);
  out[1] = 0.0;
  for (int i = 0; i < lists.gears; i++) {
    if (p->final_drive * lists.gear[i] == ratio) out[1] = i + 1.0;
  }
}

const rutDriveType rut_drive_engine = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "engine",
             .parents = "vehicle",
             .doc = "An engine with torque curve, governor and drag, a gearbox that is always in "
                    "the gear with the largest wheel torque, and open differentials: all driven "
                    "wheels have equal shares. A demand is the sum of the wheel torques, limited "
                    "by the engine at its speed. The defaults are those of the HMMWV in MAVS.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = engine_check},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .observe = engine_observe,
    .inputs = engine_inputs,
    .torque = engine_torque,
    .full_demand = engine_full_demand,
    .inertia = engine_inertia,
    .power = engine_power};
