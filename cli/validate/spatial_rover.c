// SPDX-License-Identifier: BSD-3-Clause
//
// The two analytic cases of VirtualBotz 3D (Silva et al.) on a small rover with massless wheels:
// constant torque on level ground, and a jump. And how exactly wheels find the ground.
#include <math.h>

#include "spatial.h"

// The rover: chassis M, axles L2 ahead of and L1 behind its centre of mass, which is H0 above the
// axles of the unloaded wheels.
static const double MASS = 50, RADIUS = 0.12, H0 = 0.1, L1 = 0.25, L2 = 0.25, SPRING = 10e3;
static const double SPIN_INERTIA = 0.01;
static const double ABOVE_REFERENCE = 0.22;  // centre of mass over the reference point

#define ROVER_BODY                                                               \
  "<chassis mass='50' com='0 0 0.22' inertia='1 2 2' "                           \
  "outline='-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2' z_min='0.2' z_max='0.3'/>"      \
  "<suspension type='massless' stiffness='10 kN/m' damping='500' travel='0.1'/>" \
  "<tyre type='linear'/>"                                                        \
  "<axle x='0.25' track='0.4' radius='0.12' width='0' wheel_inertia='0.01'/>"    \
  "<axle x='-0.25' track='0.4' radius='0.12' width='0' wheel_inertia='0.01'/>"   \
  "<drive type='open'/>"
#define SMOOTH_SOIL "<soil name='s' type='magic_formula' surface='dry' rolling_resistance='0'/>"

static double degrees(double angle) { return angle * 180 / acos(-1.0); }
static double radians(double angle) { return angle * acos(-1.0) / 180; }

// ---- constant torque ----

typedef struct Attitude {
  double front, rear;  // normal forces of the axles [N]
  double pitch;        // nose up [rad]
} Attitude;

// Loads and pitch under pulls F_f, F_r of the axles [N] and spin accelerations of the wheels
// [rad/s2]: the springs carry N cos(theta) - F sin(theta), the chassis leans by (h_r - h_f)/L =
// tan(theta), and all moments about the centre of mass balance the wheels' change of spin.
static Attitude exact_attitude(double pull_front, double pull_rear, double spin_front,
                               double spin_rear) {
  Attitude at = {0.5 * MASS * CLI_GRAVITY, 0.5 * MASS * CLI_GRAVITY, 0};
  const double length = L1 + L2;
  for (int i = 0; i < 200; i++) {
    const double c = cos(at.pitch), s = sin(at.pitch);
    const double front = (at.front * c - pull_front * s) / (2 * SPRING);
    const double rear = (at.rear * c - pull_rear * s) / (2 * SPRING);
    at.pitch = atan((rear - front) / length);
    const double a = L2 * cos(at.pitch) + (H0 - front) * sin(at.pitch);
    const double b = L1 * cos(at.pitch) - (H0 - rear) * sin(at.pitch);
    const double z = RADIUS + (H0 - (L1 * front + L2 * rear) / length) * cos(at.pitch);
    const double turn = z * (pull_front + pull_rear) + 2 * SPIN_INERTIA * (spin_front + spin_rear);
    at.front = (MASS * CLI_GRAVITY * b - turn) / (a + b);
    at.rear = MASS * CLI_GRAVITY - at.front;
  }
  return at;
}

typedef struct TorqueRun {
  Attitude got, exact;
} TorqueRun;

// The torque per wheel acts for 8 s; then the wheels' spin accelerations tell the pull of each.
static TorqueRun torque_run(cliLab* lab, const char* soil, double torque) {
  cli_lab_build(lab,
                "<world timestep='0.001'>%s<vehicle name='rover'>" ROVER_BODY
                "<controller type='pedals' torque='%.17g'/></vehicle></world>",
                soil, 4 * torque);
  const int front = CLI_FRONT_LEFT, rear = CLI_REAR_LEFT;
  cli_lab_run_to(lab, 7.5);
  const double from = cli_lab_time(lab), front_from = cli_lab_wheel(lab, front).speed,
               rear_from = cli_lab_wheel(lab, rear).speed;
  cli_lab_run_to(lab, 8);
  const double t = cli_lab_time(lab) - from;
  const double spin_front = (cli_lab_wheel(lab, front).speed - front_from) / t;
  const double spin_rear = (cli_lab_wheel(lab, rear).speed - rear_from) / t;
  TorqueRun run;
  run.got =
      (Attitude){cli_axle_load(lab, 0), cli_axle_load(lab, 1), -cli_lab_vehicle(lab, 0).pitch};
  run.exact =
      exact_attitude(2 * (torque - SPIN_INERTIA * spin_front) / RADIUS,
                     2 * (torque - SPIN_INERTIA * spin_rear) / RADIUS, spin_front, spin_rear);
  return run;
}

static const double torques[] = {1, 3, 5};

void cli_case_torque_front_load(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(torques); i++) {
    TorqueRun run = torque_run(lab, SMOOTH_SOIL, torques[i]);
    cli_worst_relative(run.got.front, run.exact.front, value, reference);
  }
}

void cli_case_torque_rear_load(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(torques); i++) {
    TorqueRun run = torque_run(lab, SMOOTH_SOIL, torques[i]);
    cli_worst_relative(run.got.rear, run.exact.rear, value, reference);
  }
}

void cli_case_torque_pitch(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(torques); i++) {
    TorqueRun run = torque_run(lab, SMOOTH_SOIL, torques[i]);
    cli_worst_absolute(degrees(run.got.pitch), degrees(run.exact.pitch), value, reference);
  }
}

// Numbers worked out without slip; the tyres slip by a thousandth here.
void cli_case_torque_table(cliLab* lab, double* value, double* reference) {
  static const double table[][2] = {
      {231.471427, 259.028573}, {203.912544, 286.587456}, {176.348447, 314.151553}};
  for (int i = 0; i < CLI_COUNT(torques); i++) {
    TorqueRun run = torque_run(lab, CLI_STEEP_SOIL("1"), torques[i]);
    cli_worst_relative(run.got.front, table[i][0], value, reference);
    cli_worst_relative(run.got.rear, table[i][1], value, reference);
  }
}

// ---- jump ----

// Thrown from a height at v along its own axis, nose up by `angle` degrees. The step divides the
// time after which it is as high as at first, T = 2 v sin(th)/g, by 400.
static rutVehicleState thrown(cliLab* lab, const char* integrator, double speed, double angle,
                              int steps, rutVehicleState* start) {
  const double flight = 2 * speed * sin(radians(angle)) / CLI_GRAVITY;
  cli_lab_build(lab,
                "<world timestep='%.17g' integrator='%s'>"
                "<vehicle name='rover' position='0 0 100' on_ground='false' pitch='-%.17g deg' "
                "velocity='%.17g 0'>" ROVER_BODY "</vehicle></world>",
                flight / 400, integrator, angle, speed);
  *start = cli_lab_vehicle(lab, 0);
  for (int i = 0; i < steps; i++) cli_lab_step(lab);
  return cli_lab_vehicle(lab, 0);
}

static const double ramp_angles[] = {22.5, 35, 45};
static const double jump_speeds[] = {5, 10};

// Range v^2 sin(2 th)/g, at the height of the start.
void cli_case_jump_range(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(ramp_angles) * CLI_COUNT(jump_speeds); i++) {
    const double angle = ramp_angles[i / 2], v = jump_speeds[i % 2];
    rutVehicleState start, end = thrown(lab, "rk4", v, angle, 400, &start);
    cli_worst_relative(end.position[0] - start.position[0],
                       v * v * sin(2 * radians(angle)) / CLI_GRAVITY, value, reference);
    cli_worst_relative(end.position[2], start.position[2], value, reference);
  }
}

// Nothing turns it in the air.
void cli_case_jump_pitch(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(ramp_angles); i++) {
    rutVehicleState start, end = thrown(lab, "rk4", 5, ramp_angles[i], 400, &start);
    cli_worst_relative(-end.pitch, radians(ramp_angles[i]), value, reference);
  }
}

// The default integrator's flight is shorter by one step exactly, the range by v cos(th) h.
void cli_case_jump_default(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(ramp_angles); i++) {
    const double angle = ramp_angles[i], v = 5;
    rutVehicleState start, end = thrown(lab, "semi_implicit", v, angle, 399, &start);
    cli_worst_relative(end.position[0] - start.position[0],
                       399.0 / 400 * v * v * sin(2 * radians(angle)) / CLI_GRAVITY, value,
                       reference);
    cli_worst_relative(end.position[2], start.position[2], value, reference);
  }
}

static bool in_the_air(const cliLab* lab) {
  return cli_axle_load(lab, 0) + cli_axle_load(lab, 1) == 0;
}

typedef struct Flight {
  double x, z, pitch;  // of the centre of mass [m], and nose down [rad]
} Flight;

static Flight flight_of(rutVehicleState s) {
  return (Flight){s.position[0] + ABOVE_REFERENCE * sin(s.pitch),
                  s.position[2] + ABOVE_REFERENCE * cos(s.pitch), s.pitch};
}

// Off a ramp of 22.5 deg at 5 m/s. While the rear wheels push alone they set it turning, which the
// flight then keeps: theta_0 + q_0 t, on the parabola of the centre of mass.
void cli_case_jump_ramp(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.0005' integrator='rk4'>" SMOOTH_SOIL
                "<terrain type='ramp' length='%.17g' height='%.17g'/>"
                "<vehicle name='rover' position='4 0' velocity='5 0'>" ROVER_BODY
                "</vehicle></world>",
                6.0, 6 * tan(radians(22.5)));
  cli_lab_run_to(lab, 0.05);
  // a wheel may touch the edge once more
  for (int free = 0; !lab->failed && cli_lab_time(lab) < 2 && free < 20; cli_lab_step(lab)) {
    free = in_the_air(lab) ? free + 1 : 0;
  }
  const rutVehicleState off = cli_lab_vehicle(lab, 0);
  const double from = cli_lab_time(lab);
  cli_lab_run_to(lab, from + 0.4);
  const double t = cli_lab_time(lab) - from;
  const Flight a = flight_of(off), b = flight_of(cli_lab_vehicle(lab, 0));
  const double* v = off.com_velocity;
  cli_worst_relative(b.x - a.x, v[0] * t, value, reference);
  cli_worst_relative(b.z - a.z, v[2] * t - 0.5 * CLI_GRAVITY * t * t, value, reference);
  cli_worst_relative(b.pitch - a.pitch, off.rate[1] * t, value, reference);
  // it must have flown all the time, and turn
  if (!in_the_air(lab) || !(off.rate[1] > 0.1)) *value = (double)NAN;
}

// ---- contact ----

// Largest distance of a hub from where a rigid wheel would be that touches a plane of this slope,
// along the plane's normal.
static double hub_error(cliLab* lab, double slope, int slices, bool refine) {
  char attributes[160], ground[80];
  snprintf(attributes, sizeof attributes, "contact_slices='%d' contact_refine='%s'", slices,
           refine ? "true" : "false");
  snprintf(ground, sizeof ground, "<terrain type='plane' slope_x='%.17g'/>", slope);
  const cliRig rig = {.mass = 500,
                      .front = 0.8,
                      .rear = 0.8,
                      .height = 0.5,
                      .track = 1,
                      .inertia = {50, 80, 100},
                      .stiffness = 1e6,
                      .ground = ground,
                      .vehicle = attributes,
                      .front_axle = "brake='1e5'",
                      .rear_axle = "brake='1e5'",
                      .drive = "<drive type='open'/><controller type='pedals' brake='1'/>"};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 1);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  const double c = 1 / sqrt(1 + slope * slope);
  double worst = 0;
  for (int w = 0; w < CLI_RIG_WHEELS; w++) {
    const double x = w < 2 ? rig.front : -rig.rear;
    const double z = CLI_RIG_RADIUS + cli_lab_wheel(lab, w).travel;
    const double hub_x = s.position[0] + x * cos(s.pitch) + z * sin(s.pitch);
    const double hub_z = s.position[2] - x * sin(s.pitch) + z * cos(s.pitch);
    worst = fmax(worst, fabs((hub_z - slope * hub_x) * c - CLI_RIG_RADIUS));
  }
  return lab->failed ? (double)NAN : worst;
}

// With n slices the nearest one is at most pi/2n off: error r (1 - cos(pi/2n)). The value is the
// part of that bound, for 20, 200 and 2000 slices.
void cli_case_slices_height(cliLab* lab, double* value, double* reference) {
  static const int slices[] = {20, 200, 2000};
  static const double slopes[] = {0.01, 0.2};
  for (int i = 0; i < CLI_COUNT(slices) * CLI_COUNT(slopes); i++) {
    const int n = slices[i / 2];
    const double bound = CLI_RIG_RADIUS * (1 - cos(acos(-1.0) / (2 * n)));
    cli_worst_absolute(hub_error(lab, slopes[i % 2], n, false) / bound, 0, value, reference);
  }
}

// Refined, the number of slices does not matter.
void cli_case_refined_height(cliLab* lab, double* value, double* reference) {
  cli_worst_absolute(hub_error(lab, 0.2, 4, true), 0, value, reference);
  cli_worst_absolute(hub_error(lab, 0.2, 20, true), 0, value, reference);
}

// Distance of a point from the wave A sin(k x): Newton's method on its slope from the point below.
static double distance_from_wave(double x, double z, double amplitude, double k) {
  double at = x;
  for (int i = 0; i < 50; i++) {
    const double s = amplitude * sin(k * at), c = amplitude * k * cos(k * at);
    const double slope = at - x + (s - z) * c;
    at -= slope / (1 + c * c - (s - z) * k * k * s);
  }
  return hypot(at - x, amplitude * sin(k * at) - z);
}

// Over waves the hub stays a radius away from the ground; within a step it moves on by its speed,
// so that the error is of second order in the step.
void cli_case_refined_waves(cliLab* lab, double* value, double* reference) {
  const double amplitude = 0.05, length = 2;
  cli_lab_build(lab,
                "<world timestep='0.00025'>" SMOOTH_SOIL
                "<terrain type='sine' amplitude='%.17g' wavelength='%.17g'/>"
                "<vehicle name='rover' velocity='2 0'>" ROVER_BODY "</vehicle></world>",
                amplitude, length);
  while (!lab->failed && cli_lab_time(lab) < 2) {
    cli_lab_step(lab);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    const rutWheelState wheel = cli_lab_wheel(lab, CLI_FRONT_LEFT);
    if (!(wheel.load > 0)) continue;
    const double z = RADIUS + wheel.travel;
    const double hub_x = s.position[0] + L2 * cos(s.pitch) + z * sin(s.pitch);
    const double hub_z = s.position[2] - L2 * sin(s.pitch) + z * cos(s.pitch);
    const double k = 2 * acos(-1.0) / length;
    cli_worst_absolute(distance_from_wave(hub_x, hub_z, amplitude, k), RADIUS, value, reference);
  }
}
