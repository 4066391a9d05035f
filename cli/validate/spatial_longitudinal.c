// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions along a straight line: coasting, top speed, braking, gradeability,
// differentials, and the reaction of wheels that spin up in the air.
#include <math.h>

#include "spatial.h"
#include "touching.h"

// A car whose springs are stiff but settle in tenths of a second.
#define CAR                                                                                     \
  .mass = 1500, .front = 1.2, .rear = 1.4, .height = 0.55, .track = 1.5,                        \
  .inertia = {600, 2000, 2200}, .stiffness = 2e6, .damping = 5e4, .front_axle = "brake='4000'", \
  .rear_axle = "brake='4000'"

static const double MASS = 1500, FRONT = 1.2, REAR = 1.4, HEIGHT = 0.55;
static const double AIR_DENSITY = 1.225;

// ---- coasting and top speed ----

static const double WHEEL_INERTIA = 1, ROLLING = 0.02, DRAG_AREA = 0.8;

static void build_coasting(cliLab* lab, const char* start) {
  const cliRig rig = {CAR, .wheel_inertia = WHEEL_INERTIA,
                      .ground =
                          "<soil name='s' type='magic_formula' surface='user' b='1000' c='1' "
                          "d='1' e='0' rolling_resistance='0.02'/>",
                      .vehicle = start, .chassis = "drag_area='0.8'"};
  cli_rig_build(lab, &rig);
}

// (m + sum I/R^2) dv/dt = -(A + C v^2) from v: time to the stop, and speed after t.
typedef struct Coasting {
  double scale, rate, phase;  // v = scale tan(phase - rate t)
} Coasting;

static Coasting coasting_from(double v) {
  const double a = ROLLING * MASS * CLI_GRAVITY, c = 0.5 * AIR_DENSITY * DRAG_AREA;
  const double mass = MASS + 4 * WHEEL_INERTIA / (CLI_RIG_RADIUS * CLI_RIG_RADIUS);
  return (Coasting){sqrt(a / c), sqrt(a * c) / mass, atan(v * sqrt(c / a))};
}

void cli_case_coast_speed(cliLab* lab, double* value, double* reference) {
  build_coasting(lab, "velocity='30 0'");
  cli_lab_run_to(lab, 1);
  const Coasting c = coasting_from(cli_lab_vehicle(lab, 0).velocity[0]);
  for (int t = 11; t <= 51; t += 10) {
    cli_lab_run_to(lab, t);
    cli_worst_relative(cli_lab_vehicle(lab, 0).velocity[0],
                       c.scale * tan(c.phase - c.rate * (t - 1)), value, reference);
  }
}

void cli_case_coast_stop(cliLab* lab, double* value, double* reference) {
  build_coasting(lab, "velocity='3 0'");
  cli_lab_run_to(lab, 1);
  const Coasting c = coasting_from(cli_lab_vehicle(lab, 0).velocity[0]);
  while (!lab->failed && cli_lab_time(lab) < 60 && cli_lab_vehicle(lab, 0).velocity[0] > 0) {
    cli_lab_step(lab);
  }
  *value = cli_lab_time(lab) - 1;
  *reference = c.phase / c.rate;
}

// It stays where it has stopped.
void cli_case_coast_rest(cliLab* lab, double* value, double* reference) {
  build_coasting(lab, "velocity='3 0'");
  cli_lab_run_to(lab, 20);
  const double from = cli_lab_vehicle(lab, 0).position[0];
  cli_lab_run_to(lab, 50);
  *value = cli_lab_vehicle(lab, 0).position[0] - from;
  *reference = 0;
}

// An engine whose torque falls on a straight line, T0 (1 - w/w_max), drives against rolling
// resistance and air: P(v) = (A + C v^2) v.
void cli_case_top_speed(cliLab* lab, double* value, double* reference) {
  const double torque = 200, fastest = 500, ratio = 3;
  cliRig rig = {CAR,
                .ground =
                    "<soil name='s' type='magic_formula' surface='user' b='1000' c='1' d='1' "
                    "e='0' rolling_resistance='0.02'/>",
                .vehicle = "velocity='25 0'", .chassis = "drag_area='2'",
                .drive =
                    "<drive type='engine' max_torque='200' max_speed='500' final_drive='3' "
                    "governor_band='1'/><controller type='pedals' torque='1e6'/>"};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 250);
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  // force F0 - F1 v at the wheels
  const double a = ROLLING * MASS * CLI_GRAVITY, c = 0.5 * AIR_DENSITY * 2;
  const double pull = ratio * torque / CLI_RIG_RADIUS;
  const double fall = pull * ratio / (fastest * CLI_RIG_RADIUS);
  *reference = (sqrt(fall * fall + 4 * c * (pull - a)) - fall) / (2 * c);
}

// ---- braking ----

// mu = 0.8 B s/sqrt(1 + (B s)^2)
static void build_braking(cliLab* lab) {
  static const char tyre[] = "<tyre type='linear' stiffness='1e9' relaxation_length='0.1'/>";
  const cliRig rig = {CAR,
                      .world = "integrator='rk4'",
                      .wheel_inertia = 1,
                      .ground =
                          "<soil name='s' type='magic_formula' surface='user' b='50' c='1' "
                          "d='0.8' e='0' rolling_resistance='0'/>",
                      .vehicle = "velocity='25 0'",
                      .front_tyre = tyre,
                      .rear_tyre = tyre};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 1);
}

static void press_brake(cliLab* lab) {
  const double pedals[] = {0, 1};
  cli_lab_command(lab, CLI_COUNT(pedals), pedals);
}

// All wheels at mu: d = v^2/(2 mu g).
void cli_case_brake_distance(cliLab* lab, double* value, double* reference) {
  build_braking(lab);
  const rutVehicleState start = cli_lab_vehicle(lab, 0);
  press_brake(lab);
  while (!lab->failed && cli_lab_time(lab) < 10 && cli_lab_vehicle(lab, 0).velocity[0] > 0) {
    cli_lab_step(lab);
  }
  *value = cli_lab_vehicle(lab, 0).position[0] - start.position[0];
  *reference = start.velocity[0] * start.velocity[0] / (2 * 0.8 * CLI_GRAVITY);
}

// F_f L = m (g b + a h), with the deceleration and the places that the springs leave: wheels slide
// along the chassis's z axis.
void cli_case_brake_loads(cliLab* lab, double* value, double* reference) {
  build_braking(lab);
  press_brake(lab);
  cli_lab_run_to(lab, 2.5);
  const double from = cli_lab_time(lab), before = cli_lab_vehicle(lab, 0).com_velocity[0];
  cli_lab_run_to(lab, 2.6);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  const double a = (before - s.com_velocity[0]) / (cli_lab_time(lab) - from);
  const double c = cos(s.pitch), n = sin(s.pitch);
  const double rise[2] = {CLI_RIG_RADIUS + cli_lab_wheel(lab, CLI_FRONT_LEFT).travel - HEIGHT,
                          CLI_RIG_RADIUS + cli_lab_wheel(lab, CLI_REAR_LEFT).travel - HEIGHT};
  const double ahead = FRONT * c + rise[0] * n, behind = REAR * c - rise[1] * n;
  const double height = s.position[2] + HEIGHT * c;
  cli_worst_relative(cli_axle_load(lab, 0),
                     MASS * (CLI_GRAVITY * behind + a * height) / (ahead + behind), value,
                     reference);
  cli_worst_relative(cli_axle_load(lab, 1),
                     MASS * (CLI_GRAVITY * ahead - a * height) / (ahead + behind), value,
                     reference);
}

// Share of the front brakes that uses up the grip of both axles: (b + mu h)/L.
void cli_case_brake_share(cliLab* lab, double* value, double* reference) {
  build_braking(lab);
  press_brake(lab);
  cli_lab_run_to(lab, 2.5);
  double force[2] = {0, 0};
  for (int w = 0; w < CLI_RIG_WHEELS; w++) force[w / 2] += cli_lab_wheel(lab, w).force[0];
  *value = force[0] / (force[0] + force[1]);
  *reference = (REAR + 0.8 * HEIGHT) / (FRONT + REAR);
}

// ---- in the air ----

// Torque T on each of n wheels with bearings of drag beta: against the chassis the spin obeys
// I_e w' = T - beta w with 1/I_e = 1/I + n/J.
void cli_case_spin_up(cliLab* lab, double* value, double* reference) {
  const double torque = 20, drag = 0.5, spin = 1.5, pitch = 2000;
  const char* tyre = "<tyre type='linear' bearing='0.5'/>";
  const cliRig rig = {CAR,
                      .wheel_inertia = spin,
                      .world = "integrator='rk4'",
                      .vehicle = "position='0 0 1000' on_ground='false'",
                      .front_tyre = tyre,
                      .rear_tyre = tyre,
                      .drive = "<drive type='open'/><controller type='pedals' torque='80'/>"};
  cli_rig_build(lab, &rig);
  const double effective = 1 / (1 / spin + 4 / pitch);
  for (int t = 1; t <= 5; t++) {
    cli_lab_run_to(lab, t);
    cli_worst_relative(cli_lab_wheel(lab, CLI_FRONT_LEFT).speed,
                       torque / drag * (1 - exp(-drag * t / effective)), value, reference);
  }
}

// Motors without load: w = V/(g K) (1 - exp(-t/tau)), tau = R J/(g K)^2 with all inertia J behind
// the gear g, the rotor's g^2 times.
void cli_case_motor_spin_up(cliLab* lab, double* value, double* reference) {
  const double voltage = 36, constant = 0.05, resistance = 0.1, gear = 5, rotor = 2e-3, wheel = 0.5;
  const cliRig rig = {.mass = 1500,
                      .front = 1.2,
                      .rear = 1.4,
                      .height = 0.55,
                      .track = 1.5,
                      .inertia = {1e12, 1e12, 1e12},
                      .wheel_inertia = wheel,
                      .timestep = 1e-4,
                      .vehicle = "position='0 0 1000' on_ground='false'",
                      .drive =
                          "<drive type='dc_motor' torque_constant='0.05' resistance='0.1' "
                          "gear='5' rotor_inertia='2e-3' max_current='1e6' "
                          "battery_current='1e6' coulomb_friction='1e-9' "
                          "static_friction='1e-9' bristle_damping='0' command='wheel'/>"
                          "<controller type='pedals' torque='1e6'/>"};
  cli_rig_build(lab, &rig);
  const double at_wheel = gear * constant;
  const double time = resistance * (wheel + gear * gear * rotor) / (at_wheel * at_wheel);
  for (int i = 1; i <= 4; i++) {
    cli_lab_run_to(lab, 0.5 * i * time);
    cli_worst_relative(cli_lab_wheel(lab, CLI_REAR_LEFT).speed,
                       voltage / at_wheel * (1 - exp(-cli_lab_time(lab) / time)), value, reference);
  }
}

// What the wheels gain in angular momentum the chassis loses: it pitches nose up.
void cli_case_spin_reaction(cliLab* lab, double* value, double* reference) {
  const double spin = 1.5, pitch = 2000;
  const cliRig rig = {CAR, .wheel_inertia = spin,
                      .vehicle = "position='0 0 1000' on_ground='false'",
                      .drive = "<drive type='open'/><controller type='pedals' torque='80'/>"};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 2);
  const double rate = cli_lab_vehicle(lab, 0).rate[1];
  double wheels = 0;
  for (int w = 0; w < CLI_RIG_WHEELS; w++) wheels += spin * (cli_lab_wheel(lab, w).speed + rate);
  // both ways: the torque's own impulse, and the sum that stays zero
  cli_worst_relative(-pitch * rate, 80 * cli_lab_time(lab), value, reference);
  cli_worst_relative(-pitch * rate, wheels, value, reference);
}

// Rotors that turn n times as fast as their wheels have n j of it: I p + sum J (q + p) + n j q = 0,
// q being the speeds of the wheels against the chassis, of whose inertia the rotors are a part.
void cli_case_spin_geared(cliLab* lab, double* value, double* reference) {
  const double spin = 1.5, pitch = 200, gear = 8, rotor = 0.03;
  const cliRig rig = {.mass = 1500,
                      .front = 1.2,
                      .rear = 1.4,
                      .height = 0.55,
                      .track = 1.5,
                      .inertia = {150, pitch, 250},
                      .wheel_inertia = spin,
                      .timestep = 1e-3,
                      .vehicle = "position='0 0 1000' on_ground='false'",
                      .drive =
                          "<drive type='dc_motor' torque_constant='0.5' resistance='0.1' "
                          "gear='8' rotor_inertia='0.03' max_current='1e6' "
                          "battery_current='1e6' command='wheel'/>"
                          "<controller type='pedals' torque='1e6'/>"};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 0.5);
  const double rate = cli_lab_vehicle(lab, 0).rate[1];
  double wheels = 0;
  for (int w = 0; w < CLI_RIG_WHEELS; w++) {
    const double q = cli_lab_wheel(lab, w).speed;
    wheels += spin * (q + rate) + gear * rotor * q;
  }
  cli_worst_relative(-pitch * rate, wheels, value, reference);
}

// ---- differentials on split friction ----

static const double LOW = 0.2, HIGH = 0.8;

// Pull of the rear axle, as a multiple of the load under its wheels, under half a percent more
// torque than the expected pull takes: the wheel on slippery ground runs away then. A huge moment
// of inertia keeps the course.
static double pull_of(cliLab* lab, const char* drive, double expected) {
  char elements[200];
  snprintf(elements, sizeof elements, "%s<controller type='pedals'/>", drive);
  const cliRig rig = {.mass = 1000,
                      .front = 1.5,
                      .rear = 1.5,
                      .height = 0.41,
                      .track = 1.5,
                      .inertia = {1e12, 1e12, 1e12},
                      .stiffness = 1e6,
                      .damping = 3e4,
                      .ground = CLI_STEEP_SOIL("1") "<region x_min='-1e4' x_max='1e4' y_min='0' "
                                                    "y_max='50' friction='0.2'/>"
                                                    "<region x_min='-1e4' x_max='1e4' y_min='-50' "
                                                    "y_max='0' friction='0.8'/>",
                      .drive = elements};
  cli_rig_build(lab, &rig);
  const double load = 1000 * CLI_GRAVITY / 4, torque = expected * load * CLI_RIG_RADIUS;
  while (!lab->failed && cli_lab_time(lab) < 10) {
    const double command = torque * fmin(0.2 * cli_lab_time(lab), 1.005);
    cli_lab_command(lab, 1, &command);
    cli_lab_step(lab);
  }
  const double rear_load = 0.5 * cli_axle_load(lab, 1);
  return (cli_lab_wheel(lab, CLI_REAR_LEFT).force[0] +
          cli_lab_wheel(lab, CLI_REAR_RIGHT).force[0]) /
         rear_load;
}

void cli_case_spatial_open(cliLab* lab, double* value, double* reference) {
  *reference = 2 * LOW;
  *value = pull_of(lab, "<drive type='open' driven='rear'/>", *reference);
}

void cli_case_spatial_biasing(cliLab* lab, double* value, double* reference) {
  *reference = (1 + 2.5) * LOW;
  *value = pull_of(lab, "<drive type='torque_biasing' driven='rear' rear_left_right_bias='2.5'/>",
                   *reference);
}

void cli_case_spatial_locked(cliLab* lab, double* value, double* reference) {
  *reference = LOW + HIGH;
  *value = pull_of(lab, "<drive type='locked' driven='rear'/>", *reference);
}
