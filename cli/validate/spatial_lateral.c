// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions that turn: cornering, stability, load transfer, spinning on the spot,
// and what must not depend on left, right or the compass.
#include <math.h>

#include "spatial.h"

static const double MASS = 2000, FRONT = 1.4, REAR = 1.6, LENGTH = 3, YAW_INERTIA = 3000;
static const double TRACK = 1.6, HEIGHT = 0.6, SPIN = 0.1;

// The lateral force of both axles is their load times 1 - exp(-alpha/gamma), with gamma of their
// own: cornering stiffness N/gamma, understeer gradient K = (gamma_f - gamma_r)/g. Runge-Kutta
// steps take softer patches.
static void build_turning(cliLab* lab, bool exact, double front, double rear, const char* vehicle,
                          double steer) {
  const double relaxation = exact ? 0.1 : 0.02;
  char tyre[2][160], drive[160];
  static const char format[] =
      "<tyre type='linear' stiffness='1e9' relaxation_length='%g' crossover='%.17g'/>";
  snprintf(tyre[0], sizeof tyre[0], format, relaxation, front);
  snprintf(tyre[1], sizeof tyre[1], format, relaxation, rear);
  snprintf(drive, sizeof drive, "<drive type='open'/><controller type='pedals' steer='%.17g'/>",
           steer);
  const cliRig rig = {.mass = MASS,
                      .world = exact ? "integrator='rk4'" : NULL,
                      .wheel_inertia = SPIN,
                      .front = FRONT,
                      .rear = REAR,
                      .height = HEIGHT,
                      .track = TRACK,
                      .inertia = {800, 2800, YAW_INERTIA},
                      .stiffness = 1e7,
                      .damping = 1e5,
                      .ground =
                          "<soil name='s' type='magic_formula' surface='user' b='10' c='1' "
                          "d='1' e='0' lateral='crolla' rolling_resistance='0'/>",
                      .vehicle = vehicle,
                      .front_axle = "max_steer='1'",
                      .front_tyre = tyre[0],
                      .rear_tyre = tyre[1],
                      .drive = drive};
  cli_rig_build(lab, &rig);
}

static const double SOFT = 0.12, HARD = 0.09;  // crossover angles [rad]

// ---- steady and transient cornering ----

// Yaw rate over steering angle: u/(L + K u^2).
void cli_case_yaw_gain(cliLab* lab, double* value, double* reference) {
  const double steer = 2e-4, gradient = (SOFT - HARD) / CLI_GRAVITY;
  for (int i = 1; i <= 3; i++) {
    char start[40];
    snprintf(start, sizeof start, "velocity='%d 0'", 10 * i);
    build_turning(lab, false, SOFT, HARD, start, steer);
    cli_lab_run_to(lab, 4);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    const double u = s.velocity[0];
    cli_worst_relative(s.rate[2] / steer, u / (LENGTH + gradient * u * u), value, reference);
  }
}

// Neither slip nor load shifts where it creeps: R = L/tan(delta) of the middle of the rear axle.
void cli_case_turn_radius(cliLab* lab, double* value, double* reference) {
  static const double steers[] = {0.1, -0.3, 0.5};
  for (int i = 0; i < CLI_COUNT(steers); i++) {
    build_turning(lab, false, 1e-3, 1e-3, "velocity='0.3 0'", steers[i]);
    cli_lab_run_to(lab, 3);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    cli_worst_relative(s.velocity[0] / s.rate[2], LENGTH / tan(steers[i]), value, reference);
  }
}

typedef struct Bicycle {
  double side, yaw;  // speed to the left [m/s], yaw rate [rad/s]
} Bicycle;

// Linear two-wheeled model: m (v' + u r) = F_f + F_r, I r' = a F_f - b F_r.
static Bicycle bicycle_rate(Bicycle s, double u, double steer) {
  const double load = MASS * CLI_GRAVITY / LENGTH;
  const double front = load * REAR / SOFT * (steer - (s.side + FRONT * s.yaw) / u);
  const double rear = load * FRONT / HARD * (-(s.side - REAR * s.yaw) / u);
  return (Bicycle){(front + rear) / MASS - u * s.yaw, (FRONT * front - REAR * rear) / YAW_INERTIA};
}

static Bicycle ahead(Bicycle s, Bicycle rate, double t) {
  return (Bicycle){s.side + t * rate.side, s.yaw + t * rate.yaw};
}

// Yaw rate after a step of the steering wheel, against the linear model; as a part of the steady
// rate.
void cli_case_yaw_step(cliLab* lab, double* value, double* reference) {
  const double steer = 1e-3, u = 20, h = 1e-4;
  const double steady = u / (LENGTH + (SOFT - HARD) / CLI_GRAVITY * u * u) * steer;
  build_turning(lab, false, SOFT, HARD, "velocity='20 0'", 0);
  cli_lab_run_to(lab, 1);
  const double command[] = {0, 0, steer};
  cli_lab_command(lab, CLI_COUNT(command), command);
  Bicycle s = {0, 0};
  for (int i = 1; i <= 20; i++) {
    for (int k = 0; k < 500; k++) {
      const Bicycle a = bicycle_rate(s, u, steer);
      const Bicycle b = bicycle_rate(ahead(s, a, 0.5 * h), u, steer);
      s = ahead(s, b, h);
    }
    cli_lab_run_to(lab, 1 + 0.05 * i);
    cli_worst_absolute(cli_lab_vehicle(lab, 0).rate[2] / steady, s.yaw / steady, value, reference);
  }
}

// With the softer tyres behind it is unstable above sqrt(-L/K): a small yaw rate grows.
static bool swerves(cliLab* lab, double speed, const void* data) {
  char start[80];
  (void)data;
  snprintf(start, sizeof start, "velocity='%.17g 0' yaw_rate='1e-4'", speed);
  build_turning(lab, false, HARD, SOFT, start, 0);
  cli_lab_run_to(lab, 1);
  const double before = fabs(cli_lab_vehicle(lab, 0).rate[2]);
  cli_lab_run_to(lab, 5);
  return fabs(cli_lab_vehicle(lab, 0).rate[2]) > before;
}

void cli_case_critical_speed(cliLab* lab, double* value, double* reference) {
  *reference = sqrt(LENGTH * CLI_GRAVITY / (SOFT - HARD));
  double low = 0.97 * *reference, high = 1.03 * *reference;
  while (!lab->failed && high - low > 1e-3 * *reference) {
    const double middle = 0.5 * (low + high);
    if (swerves(lab, middle, NULL)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  *value = 0.5 * (low + high);
}

// ---- load transfer and rollover ----

typedef struct Turn {
  double side, moment;  // acceleration to the left [m/s2]; of the loads about the middle [N m]
  double expected;      // m a h, with what the lean and the wheels' spins add
} Turn;

static Turn turn_at(cliLab* lab, int speed, double steer) {
  char start[40];
  snprintf(start, sizeof start, "velocity='%d 0'", speed);
  build_turning(lab, true, SOFT, HARD, start, steer);
  cli_lab_run_to(lab, 3);
  const rutVehicleState before = cli_lab_vehicle(lab, 0);
  const double since = cli_lab_time(lab);
  cli_lab_step(lab);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  Turn turn = {0};
  double momentum = 0, lean = 0;
  for (int w = 0; w < CLI_RIG_WHEELS; w++) {
    const rutWheelState wheel = cli_lab_wheel(lab, w);
    const double y = (w % 2 ? -0.5 : 0.5) * TRACK;
    turn.moment -= y * wheel.load;
    lean += wheel.load * (y * (1 - cos(s.roll)) + (wheel.travel - HEIGHT) * sin(s.roll));
    momentum += SPIN * (wheel.speed + s.rate[1]);
  }
  cli_lab_step(lab);
  const rutVehicleState after = cli_lab_vehicle(lab, 0);
  const double gain[2] = {after.com_velocity[0] - before.com_velocity[0],
                          after.com_velocity[1] - before.com_velocity[1]};
  turn.side = (cos(s.yaw) * gain[1] - sin(s.yaw) * gain[0]) / (cli_lab_time(lab) - since);
  turn.expected =
      MASS * turn.side * (s.position[2] + HEIGHT * cos(s.roll)) - lean + momentum * s.rate[2];
  return turn;
}

// Sum of the loads' shifts over both axles: m a_y h/T each way.
void cli_case_side_transfer(cliLab* lab, double* value, double* reference) {
  static const double steers[] = {0.02, 0.05, -0.05};
  for (int i = 0; i < CLI_COUNT(steers); i++) {
    const Turn turn = turn_at(lab, 10, steers[i]);
    cli_worst_relative(turn.moment / TRACK, turn.expected / TRACK, value, reference);
  }
}

// The inner wheels' loads fall in proportion to the acceleration, to zero at g T/2h; the turning of
// four spinning wheels adds 4 I/R to m h.
void cli_case_turn_rollover(cliLab* lab, double* value, double* reference) {
  const Turn a = turn_at(lab, 8, 0.1), b = turn_at(lab, 11, 0.1);
  const double full = 0.5 * MASS * CLI_GRAVITY * TRACK;
  *value = a.side + (full - a.moment) * (b.side - a.side) / (b.moment - a.moment);
  *reference = 0.5 * CLI_GRAVITY * TRACK / (HEIGHT + 4 * SPIN / (MASS * CLI_RIG_RADIUS));
}

// ---- on the spot ----

// Spinning about the middle with wheels that roll freely: they resist with sum of mu N |x|.
void cli_case_spin_moment(cliLab* lab, double* value, double* reference) {
  static const char tyre[] = "<tyre type='linear' stiffness='1e9' relaxation_length='0.1'/>";
  const double yaw_inertia = 3000, half = 1.5, friction = 0.6, mass = 2000;
  const cliRig rig = {.mass = mass,
                      .front = half,
                      .rear = half,
                      .height = 0.5,
                      .track = 1.6,
                      .inertia = {800, 2800, yaw_inertia},
                      .stiffness = 1e7,
                      .damping = 1e5,
                      .ground = CLI_STEEP_SOIL("0.6"),
                      .vehicle = "yaw_rate='8'",
                      .front_tyre = tyre,
                      .rear_tyre = tyre,
                      .wheel_inertia = 1e-4};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 0.3);
  const double from = cli_lab_vehicle(lab, 0).rate[2], since = cli_lab_time(lab);
  cli_lab_run_to(lab, 0.8);
  *value = yaw_inertia * (from - cli_lab_vehicle(lab, 0).rate[2]) / (cli_lab_time(lab) - since);
  *reference = friction * mass * CLI_GRAVITY * half;
}

// ---- symmetry ----

// A soft car that drives, steers and brakes on waves, turned by an angle.
static rutVehicleState drive_on_waves(cliLab* lab, double yaw, double steer) {
  cli_lab_build(lab,
                "<world timestep='0.001'>"
                "<terrain type='sine' amplitude='0.05' wavelength='4' yaw='%.17g'/>"
                "<vehicle name='car' yaw='%.17g' velocity='6 0'>"
                "<chassis mass='1500' com='0.1 0 0.7' outline='-2 -0.8 2 -0.8 2 0.8 -2 0.8' "
                "z_min='0.4' z_max='1.3'/>"
                "<suspension type='slider' stiffness='40e3' damping='4e3'/>"
                "<tyre type='linear' stiffness='250e3'/>"
                "<axle x='1.3' track='1.5' radius='0.35' wheel_mass='30' max_steer='0.6' "
                "anti_roll='1e4'/>"
                "<axle x='-1.3' track='1.5' radius='0.35' wheel_mass='30'/>"
                "<drive type='open'/><controller type='pedals' torque='300' steer='%.17g'/>"
                "</vehicle></world>",
                yaw, yaw, steer);
  cli_lab_run_to(lab, 4);
  return cli_lab_vehicle(lab, 0);
}

// Left is right in a mirror.
void cli_case_mirror(cliLab* lab, double* value, double* reference) {
  const rutVehicleState a = drive_on_waves(lab, 0, 0.1), b = drive_on_waves(lab, 0, -0.1);
  cli_worst_absolute(b.position[0], a.position[0], value, reference);
  cli_worst_absolute(b.position[1], -a.position[1], value, reference);
  cli_worst_absolute(b.position[2], a.position[2], value, reference);
  cli_worst_absolute(b.roll, -a.roll, value, reference);
  cli_worst_absolute(b.yaw, -a.yaw, value, reference);
}

// The compass does not matter.
void cli_case_heading(cliLab* lab, double* value, double* reference) {
  const double turn = 0.7, c = cos(turn), s = sin(turn);
  const rutVehicleState a = drive_on_waves(lab, 0, 0.1), b = drive_on_waves(lab, turn, 0.1);
  cli_worst_absolute(b.position[0], c * a.position[0] - s * a.position[1], value, reference);
  cli_worst_absolute(b.position[1], s * a.position[0] + c * a.position[1], value, reference);
  cli_worst_absolute(b.position[2], a.position[2], value, reference);
  cli_worst_absolute(b.roll, a.roll, value, reference);
  cli_worst_absolute(b.yaw, a.yaw + turn, value, reference);
}
