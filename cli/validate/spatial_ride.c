// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions over ground that is not level: ride frequencies, response to waves, the
// filter of the wheelbase, and a step.
#include <math.h>

#include "spatial.h"

static const double PI = 3.14159265358979323846;

// ---- quarter car ----

// Masses and rates per wheel. The vehicle is symmetric, so that heave is a motion of its own.
static const double SPRUNG = 520, UNSPRUNG = 125, SPRING = 60e3, TYRE = 411e3;
static const double HALF_BASE = 1.6;

static void build_heaving(cliLab* lab, const char* ground, const char* vehicle, double damping) {
  cli_lab_build(lab,
                "<world timestep='0.001' integrator='rk4'>"
                "<soil name='s' type='magic_formula' rolling_resistance='0'/>%s"
                "<vehicle name='car' contact='point' %s>"
                "<chassis mass='2080' com='0 0 0.8' outline='-2 -0.9 2 -0.9 2 0.9 -2 0.9' "
                "z_min='0.4' z_max='1.4'/>"
                "<suspension type='slider' stiffness='60e3' damping='%.17g'/>"
                "<tyre type='linear' stiffness='411e3' damping='0'/>"
                "<axle x='1.6' track='1.8' radius='0.45' width='0' wheel_mass='125'/>"
                "<axle x='-1.6' track='1.8' radius='0.45' width='0' wheel_mass='125'/>"
                "<drive type='open'/><controller type='pedals'/></vehicle></world>",
                ground, vehicle, damping);
}

typedef struct Mode {
  double omega, shape;  // [rad/s]; displacement of the wheel over that of the chassis
} Mode;

// Roots of (ks - ms w^2)(ks + kt - mu w^2) = ks^2.
static Mode mode_of(int upper) {
  const double a = SPRUNG * UNSPRUNG, b = SPRUNG * (SPRING + TYRE) + UNSPRUNG * SPRING;
  const double root = sqrt(b * b - 4 * a * SPRING * TYRE);
  const double square = (b + (upper ? root : -root)) / (2 * a);
  return (Mode){sqrt(square), (SPRING - SPRUNG * square) / SPRING};
}

// Frequency of a mode's coordinate, ms z_s + shape mu z_u, which the other mode does not move; by
// its zero crossings over a number of periods. The start drops the vehicle by 1 cm.
static double measured_frequency(cliLab* lab, Mode mode, int periods) {
  build_heaving(lab, "", "", 0);
  const double rest = cli_lab_vehicle(lab, 0).position[2];
  char start[80];
  snprintf(start, sizeof start, "position='0 0 %.17g' on_ground='false'", rest + 0.01);
  build_heaving(lab, "", start, 0);
  double before = 0, first = -1, last = -1;
  for (int crossings = 0; !lab->failed && crossings <= 2 * periods && cli_lab_time(lab) < 60;) {
    cli_lab_step(lab);
    const double body = cli_lab_vehicle(lab, 0).position[2] - rest;
    const double wheel = body + cli_lab_wheel(lab, 0).travel;
    const double now = SPRUNG * body + mode.shape * UNSPRUNG * wheel;
    if (before * now < 0) {
      last = cli_lab_time(lab) - 0.001 * now / (now - before);
      first = crossings++ == 0 ? last : first;
    }
    before = now;
  }
  return periods / (last - first);
}

void cli_case_body_frequency(cliLab* lab, double* value, double* reference) {
  const Mode mode = mode_of(0);
  *value = measured_frequency(lab, mode, 10);
  *reference = mode.omega / (2 * PI);
}

void cli_case_hop_frequency(cliLab* lab, double* value, double* reference) {
  const Mode mode = mode_of(1);
  *value = measured_frequency(lab, mode, 60);
  *reference = mode.omega / (2 * PI);
}

// ---- waves ----

typedef struct Wave {
  double in, out;  // parts of a motion in phase with A sin(2 pi x/lambda), and a quarter ahead
} Wave;

typedef struct Response {
  Wave heave, pitch;  // of the centre of mass [m], and nose down [rad]
} Response;

static void add_to(Wave* sum, double share, double phase, double motion) {
  sum->in += share * motion * sin(phase);
  sum->out += share * motion * cos(phase);
}

// Fourier coefficients at the wave that the reference point runs over, `waves` of them from now on.
static Response over_waves(cliLab* lab, double wavelength, int waves) {
  Response sum = {{0, 0}, {0, 0}};
  const double length = waves * wavelength;
  rutVehicleState s = cli_lab_vehicle(lab, 0);
  const double from = s.position[0], rest = s.position[2];
  while (!lab->failed && s.position[0] < from + length && cli_lab_time(lab) < 200) {
    const rutVehicleState old = s;
    cli_lab_step(lab);
    s = cli_lab_vehicle(lab, 0);
    const double x = old.position[0], dx = fmin(s.position[0], from + length) - x;
    const double share = 2 * dx / length, phase = 2 * PI * (x + 0.5 * dx) / wavelength;
    add_to(&sum.heave, share, phase, 0.5 * (old.position[2] + s.position[2]) - rest);
    add_to(&sum.pitch, share, phase, 0.5 * (old.pitch + s.pitch));
  }
  return sum;
}

static const double FREQUENCIES[] = {0.5, 1, 1.5, 2, 3, 5, 8, 10, 12, 20};

// Heave over waves as long as the wheelbase at a frequency f: gain and phase [deg] over the ground,
// against H = kt (ks + j w c)/D, D = (ks + j w c - ms w^2)(ks + j w c + kt - mu w^2) - (ks + j w
// c)^2.
static void response(cliLab* lab, double f, double got[2], double exact[2]) {
  const double wave = 2 * HALF_BASE, height = 1e-3, damping = 4e3, w = 2 * PI * f;
  char ground[120], start[60];
  snprintf(ground, sizeof ground, "<terrain type='sine' amplitude='%.17g' wavelength='%.17g'/>",
           height, wave);
  snprintf(start, sizeof start, "velocity='%.17g 0'", f * wave);
  build_heaving(lab, ground, start, damping);
  cli_lab_run_to(lab, 4);
  const Wave z = over_waves(lab, wave, (int)ceil(2 * f) + 2).heave;
  // the wheels are half a wave from the reference point
  got[0] = hypot(z.in, z.out) / height;
  got[1] = atan2(-z.out, -z.in) * 180 / PI;
  const double re = SPRING, im = w * damping;
  const double a = re - SPRUNG * w * w, b = re + TYRE - UNSPRUNG * w * w;
  const double d_re = a * b - im * im - (re * re - im * im), d_im = im * (a + b) - 2 * re * im;
  exact[0] = TYRE * hypot(re, im) / hypot(d_re, d_im);
  exact[1] = (atan2(im, re) - atan2(d_im, d_re)) * 180 / PI;
  got[1] += 360 * floor((exact[1] - got[1]) / 360 + 0.5);
}

void cli_case_response_gain(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(FREQUENCIES); i++) {
    double got[2], exact[2];
    response(lab, FREQUENCIES[i], got, exact);
    cli_worst_relative(got[0], exact[0], value, reference);
  }
}

void cli_case_response_phase(cliLab* lab, double* value, double* reference) {
  for (int i = 0; i < CLI_COUNT(FREQUENCIES); i++) {
    double got[2], exact[2];
    response(lab, FREQUENCIES[i], got, exact);
    cli_worst_absolute(got[1], exact[1], value, reference);
  }
}

// ---- the wheelbase as a filter ----

static const double WAVE_HEIGHT = 1e-3, BASE = 2.6;

// A rigid vehicle that creeps over waves.
static Response creep_over(cliLab* lab, double wavelength) {
  char ground[400];
  snprintf(ground, sizeof ground,
           CLI_STEEP_SOIL("1") "<terrain type='sine' amplitude='%.17g' wavelength='%.17g'/>",
           WAVE_HEIGHT, wavelength);
  const cliRig rig = {.mass = 1000,
                      .front = 0.5 * BASE,
                      .rear = 0.5 * BASE,
                      .height = 0.5,
                      .track = 1.5,
                      .inertia = {300, 1000, 1000},
                      .stiffness = 1e7,
                      .damping = 1e5,
                      .ground = ground,
                      .vehicle = "velocity='1 0' contact='point'"};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 1);
  return over_waves(lab, wavelength, 3);
}

// Wheelbase n waves: heave of the full height, no pitch.
void cli_case_wheelbase_heave(cliLab* lab, double* value, double* reference) {
  for (int n = 1; n <= 2; n++) {
    const Response r = creep_over(lab, BASE / n);
    cli_worst_absolute(hypot(r.heave.in, r.heave.out) / WAVE_HEIGHT, 1, value, reference);
    cli_worst_absolute(0.5 * BASE * hypot(r.pitch.in, r.pitch.out) / WAVE_HEIGHT, 0, value,
                       reference);
  }
}

// Wheelbase n + 1/2 waves: pitch by the full height over half the base, no heave.
void cli_case_wheelbase_pitch(cliLab* lab, double* value, double* reference) {
  for (int n = 1; n <= 2; n++) {
    const Response r = creep_over(lab, BASE / (n + 0.5));
    cli_worst_absolute(hypot(r.heave.in, r.heave.out) / WAVE_HEIGHT, 0, value, reference);
    cli_worst_absolute(0.5 * BASE * hypot(r.pitch.in, r.pitch.out) / WAVE_HEIGHT, 1, value,
                       reference);
  }
}

// ---- a step ----

static const double STEP = 0.1, STEP_BASE = 2, STEP_MASS = 1000, STEP_HEIGHT = 0.5;

// Front hub `before` the place where the front wheels touch the edge of the step at x = 0.
static void build_at_step(cliLab* lab, const char* terrain, double before, const char* front,
                          const char* drive) {
  const double reach = sqrt(2 * CLI_RIG_RADIUS * STEP - STEP * STEP);
  char start[160], ground[300];
  snprintf(start, sizeof start, "position='%.17g 0'", -reach - before - 0.5 * STEP_BASE);
  snprintf(ground, sizeof ground,
           "<soil name='s' type='magic_formula' surface='user' b='50' c='1' d='1.5' e='0' "
           "rolling_resistance='0'/>%s",
           terrain);
  const cliRig rig = {.mass = STEP_MASS,
                      .front = 0.5 * STEP_BASE,
                      .rear = 0.5 * STEP_BASE,
                      .height = STEP_HEIGHT,
                      .track = 1.2,
                      .inertia = {300, 800, 800},
                      .stiffness = 1e6,
                      .damping = 3e4,
                      .ground = ground,
                      .vehicle = start,
                      .front_axle = front,
                      .drive = drive};
  cli_rig_build(lab, &rig);
}

#define LOCKED_DRIVE "<drive type='locked'/><controller type='pedals' torque='2500'/>"

// While a rigid wheel climbs there, its hub runs on a circle about the place `height` above x = 0:
// largest difference of its distance from the circle's radius.
static void follow_hub(cliLab* lab, double height, double circle, double* value,
                       double* reference) {
  while (!lab->failed && cli_lab_time(lab) < 3) {
    cli_lab_step(lab);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    const double x = 0.5 * STEP_BASE, z = CLI_RIG_RADIUS + cli_lab_wheel(lab, 0).travel;
    const double hub_x = s.position[0] + x * cos(s.pitch) + z * sin(s.pitch);
    const double hub_z = s.position[2] - x * sin(s.pitch) + z * cos(s.pitch);
    if (hub_x > 0) break;
    // off the lower ground, and not thrown
    if (hub_z < CLI_RIG_RADIUS + 0.02 || cli_axle_load(lab, 0) <= 0) continue;
    cli_worst_absolute(hypot(hub_x, hub_z - height), circle, value, reference);
  }
}

void cli_case_step_circle(cliLab* lab, double* value, double* reference) {
  build_at_step(lab, "<terrain type='step' height='0.1'/>", 0.05, "", LOCKED_DRIVE);
  follow_hub(lab, STEP, CLI_RIG_RADIUS, value, reference);
}

void cli_case_half_round_circle(cliLab* lab, double* value, double* reference) {
  build_at_step(lab, "<terrain type='half_round' radius='0.1'/>", 0.1, "", LOCKED_DRIVE);
  follow_hub(lab, 0, CLI_RIG_RADIUS + 0.1, value, reference);
}

// Free front wheels, pushed against the edge by the rear axle, rise at F = N tan(th), cos(th) = 1 -
// H/r, with the load N = m g b/(L + r tan(th)) that the push leaves them. Torque of the rear axle.
void cli_case_step_push(cliLab* lab, double* value, double* reference) {
  const double tangent = sqrt(2 * CLI_RIG_RADIUS * STEP - STEP * STEP) / (CLI_RIG_RADIUS - STEP);
  const double load =
      STEP_MASS * CLI_GRAVITY * 0.5 * STEP_BASE / (STEP_BASE + CLI_RIG_RADIUS * tangent);
  *reference = load * tangent * CLI_RIG_RADIUS;
  build_at_step(lab, "<terrain type='step' height='0.1'/>", 0.0005, "driven='false'",
                "<drive type='open' driven='rear'/><controller type='pedals'/>");
  // first it leans the wheels against the edge
  double torque = 0, leaning = -1e300;
  while (!lab->failed && cli_lab_time(lab) < 8) {
    const double time = cli_lab_time(lab);
    torque = *reference * fmin(0.45 * time, 0.96 + 0.01 * (time - 2));
    cli_lab_command(lab, 1, &torque);
    cli_lab_step(lab);
    if (time < 2) leaning = cli_lab_vehicle(lab, 0).position[0];
    if (cli_lab_vehicle(lab, 0).position[0] > leaning + 0.01 && time > 2) break;
  }
  *value = torque;
}
