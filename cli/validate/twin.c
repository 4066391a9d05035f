// SPDX-License-Identifier: BSD-3-Clause
//
// A truck on slides beside the same one that twin_truck.c computes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "touching.h"
#include "twin.h"

// ---- comparisons ----

static const double TIME = 0.5, STEP = 0.0005;

static void run_on(cliLab* lab, cliTwinKind kind, cliTwin* t, cliTwinFixed* f) {
  cli_twin_build(lab, "timestep='0.0005' integrator='rk4'", kind);
  cli_twin_start(lab, STEP, kind.drive ? GEAR : 0, t, f);
  f->massless = kind.massless;
  if (kind.wishbones) cli_twin_set_toe(f);
  if (kind.steers) {
    f->rate = STEER_RATE;
    memset(f->steer, 0, sizeof f->steer);
    memset(f->kick, 0, sizeof f->kick);
  }
  for (int i = 0; i * STEP < TIME - 0.5 * STEP; i++) {
    cli_lab_step(lab);
    cli_twin_step(t, f, i * STEP, STEP);
  }
}

static void run_both(cliLab* lab, cliTwin* t, cliTwinFixed* f) {
  run_on(lab, (cliTwinKind){0}, t, f);
}

static void compare_motion(const cliLab* lab, const cliTwin* t, double* value, double* reference) {
  const double com[6] = {COM_X, 0, COM_Z};
  rutMotion m = {.attitude = {1}};
  if (!lab->failed) rut_motion(lab->world.model, lab->world.data, 0, com, &m);
  const cliVector v = cli_turned(m.attitude, cli_vec_of(m.velocity));
  const cliVector turn = cli_turned(m.attitude, cli_vec_of(m.angular_velocity));
  double same = 0;
  for (int k = 0; k < 4; k++) same += m.attitude[k] * t->attitude[k];
  for (int k = 0; k < 3; k++) {
    cli_worst_absolute(m.position[k], t->place[k], value, reference);
    cli_worst_absolute(v.v[k], t->speed[k], value, reference);
    cli_worst_absolute(turn.v[k], t->turn[k], value, reference);
  }
  for (int k = 0; k < 4; k++) {
    cli_worst_absolute(copysign(1, same) * m.attitude[k], t->attitude[k], value, reference);
  }
}

static void twin_motion(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_both(lab, &t, &f);
  compare_motion(lab, &t, value, reference);
}

// On a plane it does not matter how the ground is looked for.
static void twin_arc(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_on(lab, (cliTwinKind){.contact = "arc"}, &t, &f);
  compare_motion(lab, &t, value, reference);
}
// Wishbones so long that hubs move as on slides.
static void twin_wishbones(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_on(lab, (cliTwinKind){.wishbones = true}, &t, &f);
  compare_motion(lab, &t, value, reference);
  for (int w = 0; w < WHEELS; w++) {
    const rutWheelState s = cli_lab_wheel(lab, w);
    cli_worst_absolute(1e-4 * s.load, 1e-4 * f.load[w], value, reference);
    cli_worst_absolute(1e-2 * s.speed, 1e-2 * t.spin[w], value, reference);
  }
}
static void twin_cams(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_on(lab, (cliTwinKind){.contact = "cams"}, &t, &f);
  compare_motion(lab, &t, value, reference);
}

// What it tells of its wheels: forces in the world and along its axes, velocities of hubs.
static void twin_told(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_both(lab, &t, &f);
  if (lab->failed) return;
  const double back[4] = {t.attitude[0], -t.attitude[1], -t.attitude[2], -t.attitude[3]};
  for (int w = 0; w < WHEELS; w++) {
    const rutWheelState s = cli_lab_wheel(lab, w);
    const rutWheelPose p = rut_wheel_pose(lab->world.model, lab->world.data, w);
    const cliVector own = cli_turned(back, f.force[w]), hub = cli_turned(back, f.hub[w]);
    const cliVector arm = cli_turned(t.attitude, cli_twin_hub(w, t.slide[w]));
    cli_worst_absolute(s.torque, 0.25 * TORQUE, value, reference);
    for (int k = 0; k < 3; k++) {
      cli_worst_absolute(1e-4 * p.force[k], 1e-4 * f.force[w].v[k], value, reference);
      cli_worst_absolute(p.position[k], t.place[k] + arm.v[k], value, reference);
    }
    for (int k = 0; k < 2; k++) {
      cli_worst_absolute(1e-4 * s.force[k], 1e-4 * own.v[k], value, reference);
      cli_worst_absolute(s.hub_velocity[k], hub.v[k], value, reference);
    }
    cli_worst_absolute(s.travel, t.slide[w], value, reference);
  }
}

// Of motion and of height.
static void mechanical(const cliTwin* t, const cliTwinFixed* f, double* kinetic,
                       double* potential) {
  const cliVector v = cli_vec_of(t->speed), turn = cli_vec_of(t->turn);
  double twice = MASS * cli_dot(v, v) + cli_dot(turn, cli_twin_inertia(t->attitude, INERTIA, turn));
  double height = MASS * t->place[2];
  for (int w = 0; w < WHEELS; w++) {
    const int axle = w / 2;
    const cliVector arm = cli_turned(t->attitude, cli_twin_hub(w, t->slide[w]));
    const cliVector axis = cli_turned(t->attitude, cli_vec(-sin(f->steer[w]), cos(f->steer[w]), 0));
    const cliVector rises = cli_turned(t->attitude, cli_vec(0, 0, t->rise[w]));
    const cliVector hub = cli_plus(cli_plus(v, cli_cross(turn, arm)), rises);
    const double along = cli_dot(turn, axis), whole = along + t->spin[w];
    twice += HUNG[axle] * cli_dot(hub, hub) + SPIN[axle] * whole * whole +
             ACROSS[axle] * (cli_dot(turn, turn) - along * along) +
             ROTOR * f->gear * t->spin[w] * (f->gear * t->spin[w] + 2 * along);
    height += HUNG[axle] * (t->place[2] + arm.v[2]);
  }
  *kinetic = 0.5 * twice;
  *potential = CLI_GRAVITY * height;
}

// Energies at present, in kJ: of motion, height and springs; what their balance misses, and how
// much passed through it.
static void compare_energy(cliLab* lab, cliTwinKind kind, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  double kinetic[2], potential[2], elastic = 0, passed = 0;
  cli_twin_build(lab, "timestep='0.0005' integrator='rk4'", kind);
  cli_twin_start(lab, STEP, kind.drive ? GEAR : 0, &t, &f);
  mechanical(&t, &f, &kinetic[0], &potential[0]);
  run_on(lab, kind, &t, &f);
  mechanical(&t, &f, &kinetic[1], &potential[1]);
  const rutEnergy e = cli_lab_energy(lab);
  for (int w = 0; w < WHEELS; w++) {
    const double twist = t.slide[w] - t.slide[w ^ 1], s = t.slide[w];
    elastic += f.elastic[w] + cli_twin_share(w / 2) * s + 0.5 * SPRING * s * s +
               0.25 * BAR[w / 2] * twist * twist;
  }
  double lost = 0;
  for (int i = 0; i < WORKS; i++) {
    lost += i == DRIVE ? -t.work[i] : t.work[i];
    passed += fabs(t.work[i]);
  }
  const double gain = kinetic[1] + potential[1] - kinetic[0] - potential[0];
  passed += fabs(kinetic[1] - kinetic[0]) + fabs(potential[1] - potential[0]);
  cli_worst_absolute(1e-3 * e.kinetic, 1e-3 * kinetic[1], value, reference);
  cli_worst_absolute(1e-3 * e.potential, 1e-3 * potential[1], value, reference);
  cli_worst_absolute(1e-3 * e.start, 1e-3 * (kinetic[0] + potential[0]), value, reference);
  cli_worst_absolute(1e-3 * e.elastic, 1e-3 * elastic, value, reference);
  cli_worst_absolute(1e-3 * e.residual, 1e-3 * (-lost - gain), value, reference);
  cli_worst_absolute(1e-3 * e.throughput, 5e-4 * passed, value, reference);
}

// A number that a wheel puts out.
double cli_twin_output(const cliLab* lab, int w, const char* name) {
  const rutModel* model = lab->world.model;
  double number = (double)NAN;
  for (int i = 0; !lab->failed && i < rut_variables(model, RUT_WHEEL, w, RUT_OUTPUT); i++) {
    if (strcmp(rut_variable(model, RUT_WHEEL, w, RUT_OUTPUT, i).name, name) != 0) continue;
    const rutVariableRange one = {RUT_WHEEL, w, RUT_OUTPUT, i, 1};
    (void)rut_variables_read(model, lab->world.data, &one, 1, &number);
  }
  return number;
}

static void compare_outputs(cliLab* lab, cliTwinKind kind, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_on(lab, kind, &t, &f);
  for (int w = 0; w < WHEELS; w++) {
    const struct {
      const char* name;
      double unit, number;
    } told[] = {{"tyre_force_x", 1e4, f.along[w]},
                {"tyre_force_y", 1e4, f.across[w]},
                {"load", 1e4, f.load[w]},
                {"aligning_moment", 1e3, f.aligning[w]},
                {"inclination_angle", 1, f.inclination[w]},
                {"deflection", 0.1, f.pressed[w]},
                {"slip_work", 1e3, t.slip_work[w]},
                {"tyre_work", 1e3, t.tyre_work[w]}};
    for (int i = 0; i < CLI_COUNT(told); i++) {
      cli_worst_absolute(cli_twin_output(lab, w, told[i].name) / told[i].unit,
                         told[i].number / told[i].unit, value, reference);
    }
  }
}

static void twin_outputs(cliLab* lab, double* value, double* reference) {
  compare_outputs(lab, (cliTwinKind){0}, value, reference);
}

static void twin_energy(cliLab* lab, double* value, double* reference) {
  compare_energy(lab, (cliTwinKind){0}, value, reference);
}
static void twin_geared_energy(cliLab* lab, double* value, double* reference) {
  compare_energy(lab, (cliTwinKind){.drive = MOTORS}, value, reference);
}
static void twin_geared(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_on(lab, (cliTwinKind){.drive = MOTORS}, &t, &f);
  compare_motion(lab, &t, value, reference);
  for (int w = 0; w < WHEELS; w++) {
    cli_worst_absolute(1e-4 * cli_lab_wheel(lab, w).load, 1e-4 * f.load[w], value, reference);
  }
}

// Slides and spins, and the loads of the last stage.
static void twin_wheels(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  rutJointState joint[4 * WHEELS];
  run_both(lab, &t, &f);
  if (lab->failed) return;
  const int joints = rut_vehicle_joints(lab->world.model, lab->world.data, 0, 4 * WHEELS, joint);
  for (int i = 0; i < joints; i++) {
    const int w = joint[i].wheel;
    if (strcmp(joint[i].part, "suspension") == 0) {
      cli_worst_absolute(joint[i].position, t.slide[w], value, reference);
      cli_worst_absolute(joint[i].velocity, t.rise[w], value, reference);
    }
    if (strcmp(joint[i].part, "wheel") == 0) {
      cli_worst_absolute(joint[i].velocity, t.spin[w], value, reference);
    }
  }
  for (int w = 0; w < WHEELS; w++) {
    const rutWheelState s = cli_lab_wheel(lab, w);
    cli_worst_absolute(1e-4 * s.load, 1e-4 * f.load[w], value, reference);
  }
}

// Wheels without mass.
static void twin_massless(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_on(lab, (cliTwinKind){.massless = true}, &t, &f);
  compare_motion(lab, &t, value, reference);
  for (int w = 0; w < WHEELS; w++) {
    const rutWheelState s = cli_lab_wheel(lab, w);
    cli_worst_absolute(1e-4 * s.load, 1e-4 * f.load[w], value, reference);
    cli_worst_absolute(s.speed, t.spin[w], value, reference);
    cli_worst_absolute(s.travel, f.slide[w], value, reference);
  }
}

// Every term of the balance, in kJ.
static void compare_works(cliLab* lab, cliTwinKind kind, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  run_on(lab, kind, &t, &f);
  const rutEnergy e = cli_lab_energy(lab);
  const double told[WORKS] = {e.drive, e.brake,   e.damper, e.bearing,  e.tyre,
                              e.slip,  e.rolling, e.air,    e.obstacle, e.steering};
  for (int i = 0; i < WORKS; i++) {
    cli_worst_absolute(1e-3 * told[i], 1e-3 * t.work[i], value, reference);
  }
}

static void twin_works(cliLab* lab, double* value, double* reference) {
  compare_works(lab, (cliTwinKind){0}, value, reference);
}
static void twin_steers(cliLab* lab, double* value, double* reference) {
  cliTwin t;
  cliTwinFixed f;
  const cliTwinKind kind = {.steers = true, .drive = MOTORS};
  run_on(lab, kind, &t, &f);
  compare_motion(lab, &t, value, reference);
  compare_works(lab, kind, value, reference);
}
static void twin_massless_works(cliLab* lab, double* value, double* reference) {
  compare_works(lab, (cliTwinKind){.massless = true}, value, reference);
}

// The default integrator, of first order: twice what it has at half of a step, less what it has at
// a whole one.
static void twin_default(cliLab* lab, double* value, double* reference) {
  cliTwin t[2];
  cliTwinFixed f;
  for (int half = 0; half < 2; half++) {
    cli_twin_build(lab, half ? "timestep='0.00025'" : "timestep='0.0005'", (cliTwinKind){0});
    cli_lab_run_to(lab, TIME);
    cli_twin_start(lab, STEP, 0, &t[half], &f);
  }
  const double *whole = (const double*)&t[0], *halves = (const double*)&t[1];
  cliTwin twice = t[1];
  for (int i = 0; i < NUMBERS; i++) ((double*)&twice)[i] = 2 * halves[i] - whole[i];
  cliTwin own;
  run_both(lab, &own, &f);
  for (int k = 0; k < 3; k++) {
    cli_worst_absolute(twice.place[k], own.place[k], value, reference);
    cli_worst_absolute(twice.speed[k], own.speed[k], value, reference);
    cli_worst_absolute(twice.turn[k], own.turn[k], value, reference);
  }
  for (int w = 0; w < WHEELS; w++) {
    cli_worst_absolute(twice.spin[w], own.spin[w], value, reference);
    cli_worst_absolute(twice.slide[w], own.slide[w], value, reference);
  }
}

// ---- a truck that is hit ----

static void build_floating(cliLab* lab, const char* ball) {
  cli_lab_build(
      lab,
      "<world timestep='1e-6' gravity='0'>%s"
      "<vehicle name='v' position='0 0 20' yaw='0.4' pitch='0.2' roll='0.3' on_ground='false' "
      "velocity='1 0.5 -0.2' yaw_rate='0.3' rolling_start='false'>"
      "<chassis mass='2100' com='0.1 0 0.75' inertia='700 2500 3000 40 60 -30' z_min='0.6' "
      "z_max='1.6' outline='-2.2 -0.8 2.2 -0.8 2.2 0.8 -2.2 0.8' friction='0' "
      "restitution='0.5'/><suspension type='slider' stiffness='7e4' damping='6e3'/>"
      "<tyre type='fiala'/>"
      "<axle x='1.5' track='1.8' radius='0.47' width='0.3' wheel_mass='70' wheel_inertia='11' "
      "transverse_inertia='6' max_steer='0.5'/>"
      "<axle x='-1.5' track='1.7' radius='0.45' width='0.24' wheel_mass='55' wheel_inertia='8' "
      "transverse_inertia='5'/>" MOTORS
      "<controller type='pedals' steer='0.05'/></vehicle></world>",
      ball);
}

// Speeds of truck t: of the chassis, of slides, of spins.
static void speeds_of(const cliTwin* t, double v[SPEEDS]) {
  for (int k = 0; k < 3; k++) {
    v[k] = t->speed[k];
    v[3 + k] = t->turn[k];
  }
  for (int w = 0; w < WHEELS; w++) {
    v[6 + w] = t->rise[w];
    v[6 + WHEELS + w] = t->spin[w];
  }
}

static rutBlockMotion ball_of(const cliLab* lab) {
  rutBlockMotion m = {.quaternion = {1}};
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, 0, &m);
  return m;
}

// A ball flies into its left side.
static const double BALL = 300, BALL_RADIUS = 0.25, BALL_SPEED = 3;
static void throw_ball(cliLab* lab) {
  const double place[6] = {0.7, 0.8, 1.1};
  rutMotion m = {.attitude = {1}};
  char text[400];
  build_floating(lab, "");
  if (!lab->failed) rut_motion(lab->world.model, lab->world.data, 0, place, &m);
  const cliVector in = cli_turned(m.attitude, cli_vec(0, -1, 0)), v = cli_times(BALL_SPEED, in);
  // it comes when the wheels are steered
  const cliVector middle = cli_add(cli_vec_of(m.position), -(BALL_RADIUS + 3e-4), in);
  (void)snprintf(text, sizeof text,
                 "<block name='ball' motion='space' shape='sphere' radius='0.25' mass='300' "
                 "friction='0' restitution='0.5' on_ground='false' position='%.17g %.17g %.17g' "
                 "velocity='%.17g %.17g' vertical_velocity='%.17g'/>",
                 middle.v[0], middle.v[1], middle.v[2] - BALL_RADIUS, v.v[0], v.v[1], v.v[2]);
  build_floating(lab, text);
}

// Without friction the speeds change by M^-1 J n, with n = (1 + e) v/(J M^-1 J^T + 1/m).
static void compare_hit(const cliTwin* before, const cliTwin* after, cliTwinFixed* f,
                        const rutBlockMotion ball[2], double* value, double* reference) {
  const double e = 0.5;
  const cliVector in = cli_turned(before->attitude, cli_vec(0, -1, 0)),
                  v = cli_vec_of(ball[0].velocity);
  const cliVector middle = cli_plus(cli_vec_of(ball[0].position), cli_vec(0, 0, BALL_RADIUS));
  const cliVector arm = cli_add(cli_add(middle, BALL_RADIUS, in), -1, cli_vec_of(before->place));
  const cliVector turn = cli_cross(arm, in);
  double was[SPEEDS], is[SPEEDS], push[SPEEDS] = {0}, approach = -cli_dot(v, in), yields = 1 / BALL;
  for (int k = 0; k < 3; k++) {
    push[k] = in.v[k];
    push[3 + k] = turn.v[k];
  }
  cliTwinEquations masses = {0};
  cliTwin rate = {0};
  cli_twin_add_chassis(before, f, &rate, &masses);
  for (int w = 0; w < WHEELS; w++) cli_twin_add_wheel(before, f, w, &rate, &masses);
  memcpy(masses.b, push, sizeof push);
  cli_twin_eliminate(&masses);
  speeds_of(before, was);
  speeds_of(after, is);
  for (int k = 0; k < SPEEDS; k++) {
    approach += push[k] * was[k];
    yields += push[k] * masses.b[k];
  }
  const double impulse = -(1 + e) * approach / yields;
  for (int k = 0; k < SPEEDS; k++) {
    cli_worst_absolute(is[k] - was[k], impulse * masses.b[k], value, reference);
  }
  cli_worst_absolute(cli_dot(cli_vec_of(ball[1].velocity), in), cli_dot(v, in) - impulse / BALL,
                     value, reference);
}

static void twin_hit(cliLab* lab, double* value, double* reference) {
  enum { STEPS = 200 };
  cliTwin t[2];
  cliTwinFixed f;
  rutBlockMotion ball[2];
  throw_ball(lab);
  cli_twin_start(lab, 1e-6, GEAR, &t[1], &f);
  ball[1] = ball_of(lab);
  for (int i = 0; i < STEPS; i++) {
    t[0] = t[1];
    ball[0] = ball[1];
    cli_lab_step(lab);
    cli_twin_start(lab, 1e-6, GEAR, &t[1], &f);
    ball[1] = ball_of(lab);
    if (fabs(ball[1].velocity[0] - ball[0].velocity[0]) > 1e-3) break;
  }
  compare_hit(&t[0], &t[1], &f, ball, value, reference);
}

const cliCase cli_cases_twice[CLI_CASES_TWICE] = {
    {"twin_motion", "m, m/s", false, 1e-9, "Newton's and Euler's equations of all bodies",
     twin_motion, NULL},
    {"twin_wheels", "m, rad/s, N", false, 1e-9, "the same: slides, spins, loads of 10 kN",
     twin_wheels, NULL},
    {"twin_works", "kJ", false, 1e-9, "the same: ten terms of the balance", twin_works, NULL},
    {"twin_arc", "m, m/s", false, 1e-9, "the same; the nearest place along the wheels", twin_arc,
     NULL},
    {"twin_cams", "m, m/s", false, 3.6e-6, "the same; cams", twin_cams, NULL},
    {"twin_wishbones", "m, m/s, N", false, 1.8e-6, "the same; wishbones of 900 m", twin_wishbones,
     NULL},
    {"twin_told", "m, m/s, N", false, 1e-9, "the same: forces on the wheels of 10 kN, their hubs",
     twin_told, NULL},
    {"twin_energy", "kJ", false, 1e-9, "the same: sum m v^2/2 + w I w/2, m g z, springs",
     twin_energy, NULL},
    {"twin_geared", "m, m/s, N", false, 1e-9, "the same, motors geared to the wheels", twin_geared,
     NULL},
    {"twin_geared_energy", "kJ", false, 1e-9, "and their energy, j ((n q + p)^2 - p^2)/2",
     twin_geared_energy, NULL},
    {"twin_outputs", "N, rad, kJ", false, 1e-9, "forces in wheel axes, M_z, works of each wheel",
     twin_outputs, NULL},
    {"twin_steers", "m, m/s, kJ", false, 1e-9, "the same while it is steered", twin_steers, NULL},
    {"twin_massless", "m, m/s, N", false, 1e-9, "wheels without mass", twin_massless, NULL},
    {"twin_massless_works", "kJ", false, 1e-9, "ten terms of their balance", twin_massless_works,
     NULL},
    {"twin_default", "m, m/s", false, 7.5e-5, "the same, at steps extrapolated to 0", twin_default,
     NULL},
    {"twin_hit", "m/s, rad/s", false, 5.1e-7, "M^-1 J n of an impact", twin_hit, NULL},
};
