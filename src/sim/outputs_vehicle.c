// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs of vehicles and their wheels.
#include "math/rut_math.h"
#include "sim/motion.h"
#include "sim/output_set.h"
#include "sim/power.h"
#include "sim/query.h"

static const double STANDING = 0.1;  // slower than this a vehicle has no drift angle [m/s]

// A vehicle's rows: number i of a row stands at [i * lanes].
typedef struct Rows {
  const rutGroup* group;
  const double* batch;  // with the vehicle's lane in front
  int lanes;
} Rows;

static Rows rows_of(const rutModel* model, const rutData* data, int vehicle) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  return (Rows){g, rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes, g->lanes};
}

static bool on_axles(const rutModel* model, int vehicle) {
  return model->group[model->vehicle[vehicle].group].spatial != NULL;
}

// ---- motion ----

#define STATE_LIST(X)                                                                             \
  X(x, "m", "world", s.position[0], "east, of the reference point")                               \
  X(y, "m", "world", s.position[1], "north, of the reference point")                              \
  X(z, "m", "world", s.position[2], "height of the reference point")                              \
  X(speed, "m/s", "", speed, "magnitude of the velocity")                                         \
  X(velocity_x, "m/s", "vehicle", v[0], "forward velocity")                                       \
  X(velocity_y, "m/s", "vehicle", v[1], "velocity to the left")                                   \
  X(velocity_z, "m/s", "vehicle", v[2], "velocity up, in the vehicle's axes")                     \
  X(roll, "rad", "world", s.roll, "roll, positive to the right")                                  \
  X(pitch, "rad", "world", s.pitch, "pitch, positive nose down")                                  \
  X(yaw, "rad", "world", s.yaw, "heading, counter-clockwise from east")                           \
  X(roll_rate, "rad/s", "vehicle", s.rate[0], "angular velocity about the forward axis")          \
  X(pitch_rate, "rad/s", "vehicle", s.rate[1], "angular velocity about the left axis")            \
  X(yaw_rate, "rad/s", "vehicle", s.rate[2], "angular velocity about the upward axis")            \
  X(sideslip_angle, "rad", "vehicle", drift,                                                      \
    "angle of the velocity to the left of the forward axis")                                      \
  X(odometry_x, "m", "world", s.odometry[0], "east, by wheel odometry")                           \
  X(odometry_y, "m", "world", s.odometry[1], "north, by wheel odometry")                          \
  X(odometry_yaw, "rad", "world", s.odometry[2], "heading, by wheel odometry")                    \
  X(odometry_speed, "m/s", "vehicle", s.odometry_velocity[0], "forward speed, by wheel odometry") \
  X(odometry_yaw_rate, "rad/s", "vehicle", s.odometry_velocity[1], "yaw rate, by wheel odometry") \
  X(collision, "", "", s.collision ? 1 : 0, "1 while in contact with another body")

static const rutVariable state_rows[] = {STATE_LIST(RUT_OUTPUT_ROW)};

static void read_state(const rutModel* model, const rutData* data, int vehicle, double* out) {
  const rutVehicleState s = rut_vehicle_state(model, data, vehicle);
  const double* v = s.velocity;
  const double flat = rut_sqrt(v[0] * v[0] + v[1] * v[1]);
  const double speed = rut_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double drift = flat > STANDING ? rut_atan2(v[1], v[0]) : 0;
  STATE_LIST(RUT_OUTPUT_PUT)
}

#define ACCELERATION_LIST(X)                                                                      \
  X(proper_acceleration_x, "m/s2", "vehicle", proper[0],                                          \
    "acceleration of the centre of mass less gravity, forward, as measured by an accelerometer; " \
    "mean of the last step")                                                                      \
  X(proper_acceleration_y, "m/s2", "vehicle", proper[1], "the same, to the left")                 \
  X(proper_acceleration_z, "m/s2", "vehicle", proper[2], "the same, up: g at rest")               \
  X(roll_acceleration, "rad/s2", "vehicle", angular[0],                                           \
    "rate of change of roll_rate, mean of the last step")                                         \
  X(pitch_acceleration, "rad/s2", "vehicle", angular[1],                                          \
    "rate of change of pitch_rate, mean of the last step")                                        \
  X(yaw_acceleration, "rad/s2", "vehicle", angular[2],                                            \
    "rate of change of yaw_rate, mean of the last step")

static const rutVariable acceleration_rows[] = {ACCELERATION_LIST(RUT_OUTPUT_ROW)};

static void read_acceleration(const rutModel* model, const rutData* data, int vehicle,
                              double* out) {
  double proper[3], angular[3];
  rut_com_acceleration(model, data, vehicle, proper, angular);
  ACCELERATION_LIST(RUT_OUTPUT_PUT)
}

// ---- loads and power ----

#define LOAD_LIST(X)                                                            \
  X(load_transfer_ratio, "", "", transfer,                                      \
    "right less left wheel loads over their sum; 1 or -1 as a side lifts")      \
  X(load, "N", "", load, "sum of the wheel loads")                              \
  X(drive_power, "W", "", power,                                                \
    "power of the drive on wheels and shafts in the last step, without brakes") \
  X(consumed_power, "W", "", consumed,                                          \
    "power drawn from battery or fuel, negative while a battery charges")

static const rutVariable load_rows[] = {LOAD_LIST(RUT_OUTPUT_ROW)};

// Mean speed of a wheel in the last step, with which its torque does its work.
static double step_speed(const Rows* r, int wheel) {
  const rutRows* row = &r->group->row;
  const double start = r->batch[(row->start_speed + wheel) * r->lanes];
  return 0.5 * (start + r->batch[(row->v + r->group->wheel_speed[wheel]) * r->lanes]);
}

static void read_loads(const rutModel* model, const rutData* data, int vehicle, double* out) {
  const Rows r = rows_of(model, data, vehicle);
  const rutGroup* g = r.group;
  double difference = 0, load = 0, power = 0;
  for (int w = 0; w < g->wheels; w++) {
    const double carried = rut_wheel_load(model, data, vehicle, w), y = g->layout.y[w];
    difference += y > 1e-3 ? -carried : y < -1e-3 ? carried : 0;
    load += carried;
    // torque on wheels of axles that are not driven is lost
    if (g->spatial && !g->layout.driven[w]) continue;
    power += r.batch[(g->row.torque + w) * r.lanes] * step_speed(&r, w);
  }
  // at a shift shafts pass energy on to the wheels that they have got from the drive before
  if (g->spatial) power += r.batch[g->row.regeared * r.lanes] / model->dt;
  const double transfer = load > 0 ? difference / load : 0,
               consumed = rut_power_drawn(model, data, vehicle);
  LOAD_LIST(RUT_OUTPUT_PUT)
}

// ---- energy ----

#define ENERGY_ROW(name, doc) \
  {"energy_" #name, "J", "", "", doc, RUT_F64, false, RUT_MEANS_NOTHING},
#define ENERGY_PUT(name, doc) *out++ = e.name;
#define ENERGY_LIST(X)                                                                         \
  RUT_ENERGY_LIST(X)                                                                           \
  X(kinetic, "kinetic energy")                                                                 \
  X(potential, "potential energy, 0 at z = 0")                                                 \
  X(elastic, "elastic energy of springs and tyres, included in energy_damper and energy_tyre") \
  X(consumed, "energy drawn from battery or fuel")                                             \
  X(residual, "error of the energy balance")                                                   \
  X(throughput, "energy that has passed through the balance")

static const rutVariable energy_rows[] = {ENERGY_LIST(ENERGY_ROW)};

static void read_energy(const rutModel* model, const rutData* data, int vehicle, double* out) {
  rutEnergy e;
  rut_vehicle_energy(model, data, vehicle, &e);
  ENERGY_LIST(ENERGY_PUT)
}

// ---- stability control ----

static bool is_stabilised(const rutModel* model, int vehicle) {
  const rutVehicleClass* class = model->group[model->vehicle[vehicle].group].spatial;
  return class && class->stability > 0;
}

#define STABILITY_LIST(X)                                                          \
  X(stability_yaw_reference, "rad/s", "", ROW_OF(yaw_reference),                   \
    "yaw rate that the stability control wants")                                   \
  X(stability_load_transfer, "", "", ROW_OF(load_transfer),                        \
    "load transfer ratio as the stability control sees it, positive to the right") \
  X(stability_steer, "rad", "", ROW_OF(eased_steer),                               \
    "angle of the equivalent front wheel that the stability control leaves")

static const rutVariable stability_rows[] = {STABILITY_LIST(RUT_OUTPUT_ROW)};

static void read_stability(const rutModel* model, const rutData* data, int vehicle, double* out) {
  const Rows r = rows_of(model, data, vehicle);
#define ROW_OF(name) r.batch[r.group->row.name * r.lanes]
  STABILITY_LIST(RUT_OUTPUT_PUT)
#undef ROW_OF
}

const rutOutputSet rut_vehicle_outputs[] = {
    {.part = "",
     .where = "",
     .row = state_rows,
     .rows = RUT_COUNT_OF(state_rows),
     .read = read_state},
    {.part = "",
     .where = "",
     .row = acceleration_rows,
     .rows = RUT_COUNT_OF(acceleration_rows),
     .read = read_acceleration},
    {.part = "",
     .where = "",
     .row = load_rows,
     .rows = RUT_COUNT_OF(load_rows),
     .read = read_loads},
    {.part = "",
     .where = "on axles",
     .row = energy_rows,
     .rows = RUT_COUNT_OF(energy_rows),
     .reading = RUT_READ_RARELY,
     .applies = on_axles,
     .read = read_energy},
    {.part = "",
     .where = "with stability",
     .row = stability_rows,
     .rows = RUT_COUNT_OF(stability_rows),
     .applies = is_stabilised,
     .read = read_stability},
};
const int rut_vehicle_output_sets = RUT_COUNT_OF(rut_vehicle_outputs);

// ---- wheels ----

#define WHEEL_LIST(X)                                                                              \
  X(load, "N", "", w.load, "normal force (ISO 8855: F_zW)")                                        \
  X(slip, "", "wheel", w.slip[0], "longitudinal slip, from -1 (locked) to 1 (spinning)")           \
  X(slip_angle, "rad", "wheel", w.slip[1], "angle of the hub's velocity to the left of the wheel") \
  X(force_x, "N", "vehicle", w.force[0], "force on the vehicle, forward")                          \
  X(force_y, "N", "vehicle", w.force[1], "force on the vehicle, to the left")                      \
  X(tyre_force_x, "N", "wheel", forward,                                                           \
    "of the ground, along the wheel's rolling direction: F_xW")                                    \
  X(tyre_force_y, "N", "wheel", left,                                                              \
    "of the ground, across the wheel in its plane, to the left: F_yW")                             \
  X(torque, "N m", "", w.torque, "torque from the drive")                                          \
  X(drive_power, "W", "", w.torque* step_speed(&r, own), "power of that torque in the last step")  \
  X(speed, "rad/s", "", w.speed, "rate of spin, rolling forward positive")                         \
  X(angle, "rad", "", w.angle, "angle of spin")                                                    \
  X(steer, "rad", "vehicle", w.steer, "steering angle, to the left")                               \
  X(hub_velocity_x, "m/s", "vehicle", w.hub_velocity[0], "forward velocity of the hub")            \
  X(hub_velocity_y, "m/s", "vehicle", w.hub_velocity[1], "velocity of the hub to the left")        \
  X(slip_power, "W", "", powered ? ROW_OF(slip_power) : 0, "dissipated by slipping")               \
  X(slip_work, "J", "", ROW_OF(slip_work), "dissipated by slipping since the start")
static const rutVariable wheel_rows[] = {WHEEL_LIST(RUT_OUTPUT_ROW)};

static void read_wheel(const rutModel* model, const rutData* data, int wheel, double* out) {
  const rutWheelState w = rut_wheel_state(model, data, wheel);
  const rutVehicleRecord* vehicle = &model->vehicle[rut_wheel_owner(model, wheel)];
  const Rows r = rows_of(model, data, rut_wheel_owner(model, wheel));
  const int own = wheel - vehicle->first_wheel;
  double s, c;
  rut_sincos(w.steer, &s, &c);
  double forward = c * w.force[0] + s * w.force[1], left = c * w.force[1] - s * w.force[0];
  if (r.group->spatial) {
    forward = r.batch[(r.group->row.longitudinal_load + own) * r.lanes];
    left = r.batch[(r.group->row.spatial.lateral_load + own) * r.lanes];
  }
  // nothing flows where a vehicle is moved
  const bool powered = !r.group->control.imposes_twist;
#define ROW_OF(name) r.batch[(r.group->row.name + own) * r.lanes]
  WHEEL_LIST(RUT_OUTPUT_PUT)
#undef ROW_OF
}

#define AXLE_WHEEL_LIST(X)                                                                       \
  X(travel, "m", "vehicle", travel, "of the hub up in the chassis from the design position")     \
  X(deflection, "m", "", deflection, "of the tyre")                                              \
  X(sinkage, "m", "", sinkage, "below the untouched soil")                                       \
  X(dug, "m", "", dug, "part of the sinkage: pit from which slipping wheels have carried soil")  \
  X(soil_pressure, "Pa", "", ROW_OF(soil_pressure), "largest of deformable soil on the wheel")   \
  X(inclination_angle, "rad", "wheel", inclination,                                              \
    "of the wheel's plane to the ground's normal, its top to the right (ISO 8855)")              \
  X(normalised_slip, "", "wheel", use, "slip over that with the largest force, both directions") \
  X(aligning_moment, "N m", "wheel", ROW_OF(aligning),                                           \
    "of the ground on the tyre, about its normal: M_zW")                                         \
  X(tyre_power, "W", "", powered ? ROW_OF(tyre_power) : 0,                                       \
    "that tyre and ground take: by slipping, motion resistance and deflection")                  \
  X(tyre_work, "J", "", ROW_OF(tyre_work),                                                       \
    "dissipated or stored by tyre and ground since the start; over all wheels "                  \
    "energy_slip + energy_rolling + energy_tyre")

static const rutVariable axle_wheel_rows[] = {AXLE_WHEEL_LIST(RUT_OUTPUT_ROW)};

static void read_axle_wheel(const rutModel* model, const rutData* data, int wheel, double* out) {
  const int vehicle = rut_wheel_owner(model, wheel);
  const Rows r = rows_of(model, data, vehicle);
  const rutRows* row = &r.group->row;
  const int w = wheel - model->vehicle[vehicle].first_wheel;
  const int moved = r.group->spatial->mechanisms ? row->spatial.travel : row->q + 7;
  const double travel = r.batch[(moved + w) * r.lanes];
#define ROW_OF(name) r.batch[(row->name + w) * r.lanes]
  const double deflection = ROW_OF(spatial.deflection);
  const double dug = ROW_OF(spatial.dug), sinkage = ROW_OF(spatial.sinkage) + dug,
               use = ROW_OF(spatial.normalised_slip);
  const double sine = rut_clamp(ROW_OF(sin_inclination), -1, 1);
  const double inclination = rut_atan2(sine, rut_sqrt(1 - sine * sine));
  // no power flows while a vehicle is moved kinematically
  const bool powered = !r.group->control.imposes_twist;
  AXLE_WHEEL_LIST(RUT_OUTPUT_PUT)
#undef ROW_OF
}

static bool wheel_on_axle(const rutModel* model, int wheel) {
  return on_axles(model, rut_wheel_owner(model, wheel));
}

// ---- central tyre inflation ----

#define PRESSURE_LIST(X) \
  X(tyre_pressure, "Pa", "", rut_tyre_pressure(model, data, wheel), "inflation pressure")

static const rutVariable pressure_rows[] = {PRESSURE_LIST(RUT_OUTPUT_ROW)};

static bool wheel_is_inflated(const rutModel* model, int wheel) {
  const rutVehicleClass* vehicle =
      model->group[model->vehicle[rut_wheel_owner(model, wheel)].group].spatial;
  return vehicle && vehicle->pressures > 0;
}

static void read_pressure(const rutModel* model, const rutData* data, int wheel, double* out) {
  PRESSURE_LIST(RUT_OUTPUT_PUT)
}

#define WHEEL_STABILITY_LIST(X) \
  X(stability_brake, "", "", part, "part of its full brake that the stability control applies")

static const rutVariable wheel_stability_rows[] = {WHEEL_STABILITY_LIST(RUT_OUTPUT_ROW)};

static bool wheel_is_stabilised(const rutModel* model, int wheel) {
  return is_stabilised(model, rut_wheel_owner(model, wheel));
}

static void read_wheel_stability(const rutModel* model, const rutData* data, int wheel,
                                 double* out) {
  const int vehicle = rut_wheel_owner(model, wheel);
  const Rows r = rows_of(model, data, vehicle);
  const int own = wheel - model->vehicle[vehicle].first_wheel;
  const double part = r.batch[(r.group->row.wheel_brake + own) * r.lanes];
  WHEEL_STABILITY_LIST(RUT_OUTPUT_PUT)
}

const rutOutputSet rut_wheel_outputs[] = {
    {.part = "",
     .where = "",
     .row = wheel_rows,
     .rows = RUT_COUNT_OF(wheel_rows),
     .read = read_wheel},
    {.part = "",
     .where = "on axles",
     .row = axle_wheel_rows,
     .rows = RUT_COUNT_OF(axle_wheel_rows),
     .applies = wheel_on_axle,
     .read = read_axle_wheel},
    {.part = "",
     .where = "with inflation",
     .row = pressure_rows,
     .rows = RUT_COUNT_OF(pressure_rows),
     .applies = wheel_is_inflated,
     .read = read_pressure},
    {.part = "",
     .where = "with stability",
     .row = wheel_stability_rows,
     .rows = RUT_COUNT_OF(wheel_stability_rows),
     .applies = wheel_is_stabilised,
     .read = read_wheel_stability},
};
const int rut_wheel_output_sets = RUT_COUNT_OF(rut_wheel_outputs);
