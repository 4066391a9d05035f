// SPDX-License-Identifier: BSD-3-Clause
//
// A brushed direct current motor at each driven wheel, all on one battery. After the actuators of
// VirtualBotz 3D (Morrot 2010), whose vehicle has Magmotor S28-150 motors: the defaults.
#include "base/report.h"
#include "base/sides.h"
#include "drive/battery.h"
#include "drive/lugre.h"
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                                                  \
  X(gear, "", 1, 1e-3, 1e4, "Gear ratio: motor speed over wheel speed.")                           \
  X(efficiency, "", 1, 0.5, 1, "Efficiency of the gear, in the direction of power flow.")          \
  X(torque_constant, "N m/A", 0.03757, 1e-6, 1e3,                                                  \
    "K: torque per current, back-EMF per speed. Published for the S28-150.")                       \
  X(resistance, "ohm", 0.064, 1e-6, 1e6, "Resistance of the winding. Published for the S28-150.")  \
  X(rotor_inertia, "kg m2", 2e-4, 0, 1e3,                                                          \
    "Inertia about the motor's axis. Assumed for the S28-150.")                                    \
  X(max_current, "A", 100, 0, 1e6, "Current limit of each motor's controller.")                    \
  X(battery_voltage, "V", 36, 1e-3, 1e6, "Open-circuit voltage of the battery.")                   \
  X(battery_current, "A", 80, 0, 1e6, "Largest current of all motors together.")                   \
  X(battery_resistance, "ohm", 0, 0, 1e6, "Internal resistance of the battery.")                   \
  X(charging_current, "A", 0, 0, 1e6,                                                              \
    "Largest current that charges the battery when braking; the excess is turned into heat.")      \
  X(coulomb_friction, "N m", 0.128, 1e-9, 1e6,                                                     \
    "Coulomb friction of the rotating shaft: torque constant times no-load current.")              \
  X(static_friction, "N m", 0.19, 1e-9, 1e6, "Break-away torque of the shaft at rest.")            \
  X(stribeck_speed, "rad/s", 1, 1e-6, 1e4, "Stribeck speed: decay of static to Coulomb friction.") \
  X(viscous_friction, "N m s/rad", 0, 0, 1e3, "Viscous friction of the shaft.")                    \
  X(bristle_stiffness, "N m/rad", 50, 1e-6, 1e9,                                                   \
    "LuGre sigma_0: stiffness of the shaft in its bearing at rest.")                               \
  X(bristle_damping, "N m s/rad", 0.2, 0, 1e6, "LuGre sigma_1: damping of the same.")              \
  X(sign_sharpness, "s/rad", 1000, 1, 1e6, "k: friction uses w tanh(k w) for |w|.")

enum { EACH_WHEEL, EACH_SIDE, WHOLE_VEHICLE };

typedef struct Param {
  FIELDS(RUT_PARAM)
  double command;
} Param;

static const rutField fields[] = {
    FIELDS(RUT_ROW){"command", "", RUT_CHOICE, 1, EACH_SIDE, 0, 2, "wheel|side|vehicle", 0,
                    "Meaning of a torque demand: of each driven wheel; of each wheel of the left, "
                    "then of the right side; or of all wheels together, in equal shares."}};

enum { MAX_MOTORS = 16, MAX_LANES = 8 };
static const rutVariable states[] = {
    {"bristle", "rad", "16", "", "deflection of the bristles of each motor's friction", RUT_F64,
     false, RUT_MEANS_NOTHING},
    {"back_emf", "V", "16", "", "of each motor at the last step", RUT_F64, false,
     RUT_MEANS_NOTHING},
    RUT_VARIABLE(started, "", "1 once there was a last step")
        RUT_VARIABLE(power, "W", "drawn from the battery")};
enum { BRISTLE, SEEN = MAX_MOTORS, STARTED = 2 * MAX_MOTORS, POWER };

static rutStatus dc_motor_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  if (p->static_friction >= p->coulomb_friction) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "static_friction (%g N m) is less than coulomb_friction (%g N m)",
                       p->static_friction, p->coulomb_friction);
}

static double dc_motor_inertia(const void* param, double* momentum) {
  const Param* p = param;
  *momentum = p->gear * p->rotor_inertia;
  return p->gear * p->gear * p->rotor_inertia;
}

static rutLugre friction_of(const Param* p) {
  return (rutLugre){.coulomb = p->coulomb_friction,
                    .break_away = p->static_friction,
                    .stribeck_speed = p->stribeck_speed,
                    .viscous = p->viscous_friction,
                    .stiffness = p->bristle_stiffness,
                    .damping = p->bristle_damping,
                    .sharpness = p->sign_sharpness};
}

// Driven wheels have motors; wheel[motor] and the demands of which each follows the mean: twice
// the same, but for one between the sides.
typedef struct Motors {
  int count;
  int wheel[MAX_MOTORS], input[MAX_MOTORS][2];
  double share;  // of its demand that each motor gets
} Motors;

static Motors motors_of(const Param* p, const rutVehicleLayout* layout) {
  Motors m = {.share = 1.0};
  const double middle = rut_middle_of_sides(layout);
  for (int w = 0; w < layout->wheels && m.count < MAX_MOTORS; w++) {
    if (!layout->driven[w]) continue;
    const int side = rut_side_of(layout->y[w], middle);
    const int one = p->command == EACH_WHEEL ? m.count : 0;
    m.wheel[m.count] = w;
    m.input[m.count][0] = p->command == EACH_SIDE ? side == RUT_RIGHT : one;
    m.input[m.count][1] = p->command == EACH_SIDE ? side != RUT_LEFT : one;
    m.count++;
  }
  if (p->command == WHOLE_VEHICLE && m.count > 0) m.share = 1.0 / m.count;
  return m;
}

static int dc_motor_inputs(const void* param, const rutVehicleLayout* layout) {
  const Param* p = param;
  int motors = 0;
  if (p->command != EACH_WHEEL) return p->command == EACH_SIDE ? 2 : 1;
  for (int w = 0; w < layout->wheels && motors < MAX_MOTORS; w++) motors += layout->driven[w] != 0;
  return motors > 0 ? motors : 1;
}

// Rows of numbers per motor and lane.
typedef double MotorRows[MAX_MOTORS * MAX_LANES];

// What all functions of one step need.
typedef struct Step {
  const Param* p;
  const rutVehicleLayout* layout;
  Motors motors;
  rutBattery battery;
  double power_limit;  // of the battery [W]
  int lanes;
  double dt;
  const double* speed;
} Step;

// Inertia at the shaft of a motor [kg m2].
RUT_INLINE double shaft_inertia(const Step* s, int m) {
  return s->layout->inertia[s->motors.wheel[m]] / (s->p->gear * s->p->gear);
}

// Rise of the back-EMF over a step per current, K^2 dt/J [ohm], if the step is too long to take the
// back-EMF at its start, else 0. It damps the shaft at the rate K^2/(R J).
RUT_INLINE double rise_of_emf(const Step* s, int m) {
  const double k = s->p->torque_constant;
  const double rise = k * k * s->dt / shaft_inertia(s, m);
  return rise > 0.25 * s->p->resistance ? rise : 0.0;
}

// The currents that voltage allows: i as near to what is asked as it gets, and i_0 as near to 0.
//
// The winding's own time constant, L/R ~ 1 ms, is left out: V = R i + K w. With a chopper that sets
// any |V| <= V_b each current lies in [(-V_b - K w)/R, (V_b - K w)/R]. So i_0 is 0, or what a motor
// feeds back beyond its no-load speed.
//
// In long steps K w is that of the end of the step, the load on the shaft being that of the last
// step: with that one marked ', K w + (K w - K w') + (K^2 dt/J)(i - i'). A free shaft then follows
// the backward Euler rule, and at steady speed or rest nothing is changed.
RUT_INLINE void voltage_limits(const Step* s, const double* voltage, const double* asked,
                               const double* state, double* current, double* free_current) {
  const double r = s->p->resistance, constant = s->p->torque_constant * s->p->gear;
  const double* restrict started = state + STARTED * s->lanes;
  for (int m = 0; m < s->motors.count; m++) {
    const double rise = rise_of_emf(s, m), ahead = rise > 0.0 ? 1.0 : 0.0;
    const double slope = 1.0 / (r + rise);
    const double* restrict w = s->speed + s->motors.wheel[m] * s->lanes;
    const double* restrict seen = state + (SEEN + m) * s->lanes;
    const double* restrict want = asked + m * s->lanes;
    double* restrict i = current + m * s->lanes;
    double* restrict i0 = free_current + m * s->lanes;
    RUT_FOR_LANES(l, s->lanes) {
      const double emf = constant * w[l], v = voltage[l];
      const double end = emf + ahead * started[l] * (emf - seen[l]);
      i[l] = rut_clamp(want[l], (-v - end) * slope, (v - end) * slope);
      i0[l] = rut_clamp(0.0, (-v - emf) / r, (v - emf) / r);
    }
  }
}

// Currents of all motors within what voltage and battery allow, and the power they take.
//
// Power is R i^2 + K w i. If the sum exceeds the battery's, what is asked beyond i_0 is scaled by
// one factor s, which keeps the ratios of the torques: with d = i - i_0
//   P(s) = s^2 sum R d^2 + s sum (2 R i_0 + K w) d + sum (R i_0^2 + K w i_0).
RUT_INLINE void limit_currents(const Step* s, const double* voltage, const double* asked,
                               const double* state, double* current, double* power) {
  const double r = s->p->resistance, constant = s->p->torque_constant * s->p->gear;
  double a[MAX_LANES] = {0}, b[MAX_LANES] = {0}, c[MAX_LANES] = {0}, share[MAX_LANES];
  MotorRows free_current;
  voltage_limits(s, voltage, asked, state, current, free_current);
  for (int m = 0; m < s->motors.count; m++) {
    const double* restrict w = s->speed + s->motors.wheel[m] * s->lanes;
    const double* restrict i = current + m * s->lanes;
    const double* restrict i0 = free_current + m * s->lanes;
    RUT_FOR_LANES(l, s->lanes) {
      const double emf = constant * w[l], d = i[l] - i0[l];
      a[l] += r * d * d;
      b[l] += (2.0 * r * i0[l] + emf) * d;
      c[l] += (r * i0[l] + emf) * i0[l];
    }
  }
  RUT_FOR_LANES(l, s->lanes) {
    share[l] = rut_battery_share(a[l], b[l], c[l], s->power_limit);
    power[l] = (a[l] * share[l] + b[l]) * share[l] + c[l];
  }
  for (int m = 0; m < s->motors.count; m++) {
    double* restrict i = current + m * s->lanes;
    const double* restrict i0 = free_current + m * s->lanes;
    RUT_FOR_LANES(l, s->lanes) { i[l] = i0[l] + share[l] * (i[l] - i0[l]); }
  }
}

// The voltage under load depends on the currents: once with the voltage without load, then with
// the one that these leave.
RUT_INLINE void find_currents(const Step* s, const double* asked, double* state, double* current) {
  double voltage[MAX_LANES], power[MAX_LANES];
  rut_fill_row(voltage, s->lanes, s->battery.voltage);
  limit_currents(s, voltage, asked, state, current, power);
  if (s->battery.resistance > 0.0) {
    RUT_FOR_LANES(l, s->lanes) {
      voltage[l] = rut_battery_voltage(&s->battery, rut_battery_power(&s->battery, power[l]));
    }
    limit_currents(s, voltage, asked, state, current, power);
  }
  double* restrict drawn = state + POWER * s->lanes;
  RUT_FOR_LANES(l, s->lanes) { drawn[l] = rut_battery_power(&s->battery, power[l]); }
}

// Back-EMF and its rise, for the next step.
RUT_INLINE void remember_emf(const Step* s, const double* current, double* state) {
  const double constant = s->p->torque_constant * s->p->gear;
  for (int m = 0; m < s->motors.count; m++) {
    const double rise = rise_of_emf(s, m);
    const double* restrict w = s->speed + s->motors.wheel[m] * s->lanes;
    const double* restrict i = current + m * s->lanes;
    double* restrict seen = state + (SEEN + m) * s->lanes;
    RUT_FOR_LANES(l, s->lanes) { seen[l] = constant * w[l] + rise * i[l]; }
  }
  rut_fill_row(state + STARTED * s->lanes, s->lanes, 1.0);
}

// Torque at the wheel: shaft torque T = K i less friction, times gear, and times the efficiency to
// the power sgn(T w): eta when driving, 1/eta when the wheel drives the motor, 1 at rest. With the
// sign of w smoothed the gear still only takes energy.
RUT_INLINE void wheel_torques(const Step* s, const double* current, double* state, double* torque) {
  const Param* p = s->p;
  const rutLugre law = friction_of(p);
  const double log_efficiency = rut_log(p->efficiency);
  const double smooth = p->stribeck_speed * p->stribeck_speed;
  for (int m = 0; m < s->motors.count; m++) {
    const int wheel = s->motors.wheel[m];
    const rutLugre friction = rut_lugre_for_step(&law, shaft_inertia(s, m), s->dt);
    const double* restrict w = s->speed + wheel * s->lanes;
    const double* restrict i = current + m * s->lanes;
    double* restrict z = state + (BRISTLE + m) * s->lanes;
    double* restrict t = torque + wheel * s->lanes;
    RUT_FOR_LANES(l, s->lanes) {
      const double turn = p->gear * w[l];
      const double shaft =
          p->torque_constant * i[l] - rut_lugre_torque(&friction, turn, s->dt, &z[l]);
      const double driving = rut_sign(shaft) * turn / rut_sqrt(turn * turn + smooth);
      t[l] = p->gear * shaft * rut_exp(driving * log_efficiency);
    }
  }
}

RUT_INLINE Step step_of(const Param* p, const rutVehicleLayout* layout, int lanes, double dt,
                        const double* speed) {
  Step s = {.p = p,
            .layout = layout,
            .motors = motors_of(p, layout),
            .battery = {.voltage = p->battery_voltage,
                        .resistance = p->battery_resistance,
                        .current = p->battery_current,
                        .charging = p->charging_current},
            .lanes = lanes,
            .dt = dt,
            .speed = speed};
  s.power_limit = rut_battery_max_power(&s.battery);
  return s;
}

RUT_CLONES static void dc_motor_torque(const void* param, const rutVehicleLayout* layout,
                                       const rutDriveIn* in, double* state, double* torque) {
  const int lanes = in->lanes;
  const double dt = in->dt, *demand = in->demand, *speed = in->speed;
  const Param* p = param;
  const Step s = step_of(p, layout, lanes, dt, speed);
  const double amperes = s.motors.share / (p->gear * p->torque_constant);
  MotorRows asked, current;
  for (int m = 0; m < s.motors.count; m++) {
    const double* from = demand + s.motors.input[m][0] * lanes;
    const double* other = demand + s.motors.input[m][1] * lanes;
    double* restrict to = asked + m * lanes;
    RUT_FOR_LANES(l, lanes) {
      const double mean = 0.5 * (from[l] + other[l]);
      to[l] = rut_clamp(amperes * mean, -p->max_current, p->max_current);
    }
  }
  find_currents(&s, asked, state, current);
  remember_emf(&s, current, state);
  for (int i = 0; i < layout->wheels * lanes; i++) torque[i] = 0.0;
  wheel_torques(&s, current, state, torque);
}

// A motor follows its demand until it has all of the current or of the voltage.
static void dc_motor_gain(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                          const double* state, double* gain) {
  const int lanes = in->lanes;
  const double *demand = in->demand, *speed = in->speed;
  const Param* p = param;
  const Motors motors = motors_of(p, layout);
  const double amperes = motors.share / (p->gear * p->torque_constant);
  (void)state;
  for (int m = 0; m < motors.count; m++) {
    const int wheel = motors.wheel[m], input = motors.input[m][0], other = motors.input[m][1];
    for (int l = 0; l < lanes; l++) {
      const double i = amperes * 0.5 * (demand[input * lanes + l] + demand[other * lanes + l]);
      const double emf = p->torque_constant * p->gear * speed[wheel * lanes + l];
      const int follows =
          rut_abs(i) < p->max_current && rut_abs(p->resistance * i + emf) < p->battery_voltage;
      const double each = follows ? 0.5 * motors.share : 0.0;
      gain[(input * layout->wheels + wheel) * lanes + l] += each;
      gain[(other * layout->wheels + wheel) * lanes + l] += each;
    }
  }
}

static void dc_motor_power(const void* param, const rutVehicleLayout* layout, int lanes,
                           const double* speed, const double* state, double* power) {
  (void)param;
  (void)layout;
  (void)speed;
  for (int l = 0; l < lanes; l++) power[l] = state[POWER * lanes + l];
}

// Currents of the last step. Where back-EMF was remembered together with its rise, they follow from
// both; else they are found as they were then.
static void find_last_currents(const Step* s, const rutDriveResult* in,
                               double current[MAX_MOTORS]) {
  const double constant = s->p->torque_constant * s->p->gear;
  const double amperes = s->motors.share / (s->p->gear * s->p->torque_constant);
  double asked[MAX_MOTORS], state[POWER + 1];
  for (int i = 0; i <= POWER; i++) state[i] = in->state[i * in->stride];
  for (int m = 0; m < s->motors.count; m++) {
    const int* input = s->motors.input[m];
    const double demand =
        0.5 * (in->demand[input[0] * in->stride] + in->demand[input[1] * in->stride]);
    asked[m] = rut_clamp(amperes * demand, -s->p->max_current, s->p->max_current);
  }
  find_currents(s, asked, state, current);
  for (int m = 0; m < s->motors.count; m++) {
    const double rise = rise_of_emf(s, m), emf = constant * s->speed[s->motors.wheel[m]];
    if (rise > 0.0) current[m] = (in->state[(SEEN + m) * in->stride] - emf) / rise;
    if (in->state[STARTED * in->stride] == 0.0) current[m] = 0.0;
  }
}

static const rutVariable outputs[] = {
    {"current", "A", "wheels", "", "of the motor at each wheel", RUT_F64, false, RUT_MEANS_NOTHING},
    {"motor_torque", "N m", "wheels", "", "torque constant times current", RUT_F64, false,
     RUT_MEANS_NOTHING},
    RUT_VARIABLE(motor_power, "W", "of all motors: back-EMF times current")
        RUT_VARIABLE(battery_power, "W", "drawn from the battery, negative while it charges")
            RUT_VARIABLE(battery_voltage, "V", "under load")};

// Current of the motor at each wheel, 0 without one.
static bool dc_motor_current(const void* param, const rutVehicleLayout* layout,
                             const rutDriveResult* in, double* out) {
  double speed[MAX_MOTORS], current[MAX_MOTORS];
  if (!in) return true;
  const Step s = step_of(param, layout, 1, in->dt, speed);
  for (int w = 0; w < layout->wheels; w++) {
    speed[w] = in->speed[w * in->stride];
    out[w] = 0.0;
  }
  find_last_currents(&s, in, current);
  for (int m = 0; m < s.motors.count; m++) out[s.motors.wheel[m]] = current[m];
  return true;
}

static void dc_motor_observe(const void* param, const rutVehicleLayout* layout,
                             const rutDriveResult* in, double* out) {
  const Param* p = param;
  double power = 0.0;
  dc_motor_current(param, layout, in, out);
  for (int w = 0; w < layout->wheels; w++) {
    const double torque = p->torque_constant * out[w];
    out[layout->wheels + w] = torque;
    power += torque * p->gear * in->speed[w * in->stride];
  }
  const Step s = step_of(p, layout, 1, in->dt, NULL);
  out += 2 * layout->wheels;
  out[0] = power;
  out[1] = in->state[POWER * in->stride];
  out[2] = rut_battery_voltage(&s.battery, out[1]);
}

const rutDriveType rut_drive_dc_motor = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "dc_motor",
             .parents = "vehicle",
             .doc = "A brushed DC motor with LuGre friction at each driven wheel, under current "
                    "control, on one battery that limits voltage and power (VirtualBotz 3D, Morrot "
                    "2010). The defaults are those of the Magmotor S28-150 on 36 V and 80 A.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = dc_motor_check},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .observe = dc_motor_observe,
    .current = dc_motor_current,
    .inputs = dc_motor_inputs,
    .torque = dc_motor_torque,
    .gain = dc_motor_gain,
    .inertia = dc_motor_inertia,
    .power = dc_motor_power};
