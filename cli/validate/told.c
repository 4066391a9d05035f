// SPDX-License-Identifier: BSD-3-Clause
//
// What vehicles tell of their motion, forces and energies agrees with itself: velocities with
// differences of places, forces with the change of momentum, energies with motion and deflections;
// and what was dissipated does not come back.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "momentum.h"
#include "spatial.h"
#include "touching.h"

static const double STEP = 0.001;  // of all scenes [s]

static rutMotion motion_of(const cliLab* lab, const double mount[6]) {
  rutMotion m = {0};
  if (!lab->failed) rut_motion(lab->world.model, lab->world.data, 0, mount, &m);
  return m;
}

static const cliVector AXIS = {{0, 1, 0}};  // of a wheel, in its own axes

static cliVector vector(const double v[3]) { return (cliVector){{v[0], v[1], v[2]}}; }

// ---- motion ----

// Rate of turn between two attitudes, in the axes of the second: 2 q* dq/dt, to the second order.
static cliVector turned_by(const double before[4], const double after[4]) {
  // before* after
  const double w =
      before[0] * after[0] + before[1] * after[1] + before[2] * after[2] + before[3] * after[3];
  double u[3];
  for (int k = 0; k < 3; k++) {
    const int a = 1 + (k + 1) % 3, b = 1 + (k + 2) % 3;
    u[k] = before[0] * after[1 + k] - before[1 + k] * after[0] - before[a] * after[b] +
           before[b] * after[a];
  }
  const double size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const double turn = size > 0 ? 2 * atan2(size, fabs(w)) / (size * STEP) * copysign(1, w) : 0;
  return (cliVector){{turn * u[0], turn * u[1], turn * u[2]}};
}

// Velocity and turn of the reference point against differences of its pose over a step; its
// acceleration against those of its velocity.
static void compare_motion(cliLab* lab, cliCaseScene scene, double* value, double* reference) {
  const double com[6] = {0.1, scene == CLI_SCENE_haul ? 0.1 : 0, 0.75};
  // what goes as it is told does so along the mean of a step's axes, others along those of its end
  const double share = scene == CLI_SCENE_waves ? 0.5 : 1;
  const double time = cli_case_scene(lab, scene);
  cliVector place = {{0}}, speed = {{0}};
  double attitude[4] = {1, 0, 0, 0};
  for (int i = 0; cli_lab_time(lab) < time && !lab->failed; i++) {
    cli_lab_step(lab);
    const rutMotion m = motion_of(lab, com);
    const cliVector now = vector(m.position), v = cli_turned(m.attitude, vector(m.velocity));
    const cliVector before = cli_turned(attitude, vector(m.velocity));
    if (i > 1) {
      const cliVector moved = cli_add(now, -1, place), turn = turned_by(attitude, m.attitude);
      const cliVector gained = cli_add(v, -1, speed);
      const cliVector a = cli_turned(m.attitude, vector(m.proper_acceleration));
      for (int k = 0; k < 3; k++) {
        const double mean = share * v.v[k] + (1 - share) * before.v[k];
        cli_worst_absolute(moved.v[k] / STEP, mean, value, reference);
        cli_worst_absolute(turn.v[k], m.angular_velocity[k], value, reference);
        cli_worst_absolute(1e-2 * gained.v[k] / STEP, 1e-2 * (a.v[k] - (k == 2 ? CLI_GRAVITY : 0)),
                           value, reference);
      }
    }
    place = now;
    speed = v;
    memcpy(attitude, m.attitude, sizeof attitude);
  }
}

// ---- momentum ----

// Velocity of a hub that slides upwards in its chassis.
static cliVector hub_velocity(const cliLab* lab, int w) {
  rutJointState joint[32];
  const rutMotion m = motion_of(lab, NULL);
  const int joints = rut_vehicle_joints(lab->world.model, lab->world.data, 0, 32, joint);
  const rutWheelPose p = rut_wheel_pose(lab->world.model, lab->world.data, w);
  const cliVector arm = cli_add(vector(p.position), -1, vector(m.position));
  const cliVector turns = cli_turned(m.attitude, vector(m.angular_velocity));
  cliVector v = cli_add(cli_turned(m.attitude, vector(m.velocity)), 1, cli_cross(turns, arm));
  for (int j = 0; j < joints; j++) {
    if (joint[j].wheel != w || strcmp(joint[j].part, "suspension") != 0) continue;
    v = cli_add(v, joint[j].velocity, cli_turned(m.attitude, (cliVector){{0, 0, 1}}));
  }
  return v;
}

// Momentum of a truck, its chassis and wheels.
static cliVector momentum_of(const cliLab* lab, int wheels, double hung) {
  cliVector sum = {{0}};
  if (lab->failed) return sum;
  sum = cli_add(sum, 2100, vector(cli_lab_vehicle(lab, 0).com_velocity));
  for (int w = 0; w < wheels; w++) sum = cli_add(sum, hung, hub_velocity(lab, w));
  return sum;
}

typedef struct Truck {
  cliCaseScene scene;
  int wheels;
  double hung;       // mass of a wheel on its slide [kg]
  double drag_area;  // [m2]
  double pull;       // of the hitch [N]
  double slope[2];   // of the ground along x and y
} Truck;

// Of the ground on a wheel: its parts along the vehicle's x and y axes and along the normal, in the
// world, where attitude and normal were as the step began.
static cliVector force_of(const rutWheelState* w, const double attitude[4], cliVector normal) {
  const double back[4] = {attitude[0], -attitude[1], -attitude[2], -attitude[3]};
  const cliVector n = cli_turned(back, normal);
  const double up = (w->load - w->force[0] * n.v[0] - w->force[1] * n.v[1]) / n.v[2];
  return cli_turned(attitude, (cliVector){{w->force[0], w->force[1], up}});
}

// Forces that wheels tell, weight, air and hitch bring about the change of momentum, on a plane.
static void compare_momentum(cliLab* lab, Truck t, double* value, double* reference) {
  const double time = cli_case_scene(lab, t.scene), mass = 2100 + t.wheels * t.hung;
  const double size = sqrt(1 + t.slope[0] * t.slope[0] + t.slope[1] * t.slope[1]);
  const cliVector normal = {{-t.slope[0] / size, -t.slope[1] / size, 1 / size}};
  cliVector impulse = {{0}};
  const cliVector first = momentum_of(lab, t.wheels, t.hung);
  while (cli_lab_time(lab) < time && !lab->failed) {
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    const rutMotion m = motion_of(lab, NULL);
    const double* v = s.com_velocity;
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    cli_lab_step(lab);
    impulse = cli_add(impulse, -0.5 * 1.225 * t.drag_area * speed * STEP, vector(v));
    impulse = cli_add(impulse, -STEP * CLI_GRAVITY * mass, (cliVector){{0, 0, 1}});
    impulse = cli_add(impulse, -STEP * t.pull, (cliVector){{cos(s.yaw), sin(s.yaw), 0}});
    for (int w = 0; w < t.wheels && !lab->failed; w++) {
      const rutWheelState state = cli_lab_wheel(lab, w);
      impulse = cli_add(impulse, STEP, force_of(&state, m.attitude, normal));
    }
  }
  const cliVector gained = cli_add(momentum_of(lab, t.wheels, t.hung), -1, first);
  for (int k = 0; k < 3; k++) {
    cli_worst_absolute(gained.v[k] / mass, impulse.v[k] / mass, value, reference);
  }
}

// ---- energy ----

// Largest sum of what was dissipated that has come back, over the throughput.
static void compare_passive(cliLab* lab, cliCaseScene scene, double* value, double* reference) {
  const double time = cli_case_scene(lab, scene);
  double most = 0, back = 0;
  while (cli_lab_time(lab) < time && !lab->failed) {
    cli_lab_step(lab);
    const rutEnergy e = cli_lab_energy(lab);
    const double lost = e.drive - e.residual - (e.kinetic + e.potential - e.start) - e.elastic;
    most = fmax(most, lost);
    back = fmax(back, most - lost);
  }
  *value = back / cli_lab_energy(lab).throughput;
  *reference = 0;
}

// Kinetic and potential energy of a truck at places, attitudes and speeds that it tells, over their
// sum: chassis, and wheels that spin about their axes.
typedef struct Parts {
  int wheels;
  double chassis[6], com[3];  // inertia, place
  double spin[6], transverse[6];
} Parts;

static void compare_energy(cliLab* lab, const Truck* t, const Parts* p, double* value,
                           double* reference) {
  const double time = cli_case_scene(lab, t->scene);
  for (int i = 0; i < 5; i++) {
    cli_lab_run_to(lab, time * (0.2 + 0.2 * i));
    if (lab->failed) return;
    const double com[6] = {p->com[0], p->com[1], p->com[2]};
    const rutMotion m = motion_of(lab, com);
    const double *w = m.angular_velocity, *j = p->chassis;
    double twice = 2100 * cli_dot(vector(m.velocity), vector(m.velocity)) + j[0] * w[0] * w[0] +
                   j[1] * w[1] * w[1] + j[2] * w[2] * w[2] +
                   2 * (j[3] * w[0] * w[1] + j[4] * w[0] * w[2] + j[5] * w[1] * w[2]);
    double height = 2100 * m.position[2];
    const cliVector omega = cli_turned(m.attitude, vector(w));
    const double about = cli_dot(omega, omega);
    for (int k = 0; k < t->wheels; k++) {
      const rutWheelPose pose = rut_wheel_pose(lab->world.model, lab->world.data, k);
      const cliVector v = hub_velocity(lab, k), axis = cli_turned(pose.quaternion, AXIS);
      const double along = cli_dot(omega, axis), whole = cli_lab_wheel(lab, k).speed + along;
      twice += t->hung * cli_dot(v, v) + p->spin[k] * whole * whole +
               p->transverse[k] * (about - along * along);
      height += t->hung * pose.position[2];
    }
    const rutEnergy e = cli_lab_energy(lab);
    cli_worst_relative(e.kinetic, 0.5 * twice, value, reference);
    cli_worst_relative(e.potential, CLI_GRAVITY * height, value, reference);
  }
}

#define SCENE_CASE(kind, scene, tolerance)                                        \
  void cli_case_##kind##_##scene(cliLab* lab, double* value, double* reference) { \
    compare_##kind(lab, CLI_SCENE_##scene, value, reference);                     \
  }
CLI_TOLD_MOTION(SCENE_CASE)
CLI_TOLD_PASSIVE(SCENE_CASE)

void cli_case_momentum_soil(cliLab* lab, double* value, double* reference) {
  compare_momentum(lab, (Truck){CLI_SCENE_soil, 4, 70, 0, 0, {0.1, 0.05}}, value, reference);
}
void cli_case_momentum_haul(cliLab* lab, double* value, double* reference) {
  compare_momentum(lab, (Truck){CLI_SCENE_haul, 6, 70, 9, 5000, {0.15, 0.08}}, value, reference);
}

// Inertia of a wheel of 70 kg about its axis, and of a cylinder about its diameters.
#define SPIN(r)      (0.7 * 70 * (r) * (r))
#define ACROSS(r, w) (70 * (3 * (r) * (r) + (w) * (w)) / 12)
#define WHEEL        SPIN(0.47)
#define ROUND        ACROSS(0.47, 0.3)
void cli_case_energy_soil(cliLab* lab, double* value, double* reference) {
  compare_energy(lab, &(Truck){.scene = CLI_SCENE_soil, .wheels = 4, .hung = 70},
                 &(Parts){4,
                          {700, 2500, 3000},
                          {0.1, 0, 0.75},
                          {WHEEL, WHEEL, WHEEL, WHEEL},
                          {ROUND, ROUND, ROUND, ROUND}},
                 value, reference);
}
void cli_case_energy_haul(cliLab* lab, double* value, double* reference) {
  compare_energy(lab, &(Truck){.scene = CLI_SCENE_haul, .wheels = 6, .hung = 70},
                 &(Parts){6,
                          {700, 2500, 3000, 40, 60, -30},
                          {0.1, 0.1, 0.75},
                          {WHEEL, WHEEL, 9, 9, SPIN(0.45), SPIN(0.45)},
                          {ROUND, ROUND, ROUND, ROUND, ACROSS(0.45, 0.2), ACROSS(0.45, 0.2)}},
                 value, reference);
}
void cli_case_energy_light(cliLab* lab, double* value, double* reference) {
  compare_energy(lab, &(Truck){.scene = CLI_SCENE_light, .wheels = 4},
                 &(Parts){4,
                          {700, 2500, 3000},
                          {0.1, 0, 0.75},
                          {WHEEL, WHEEL, WHEEL, WHEEL},
                          {ROUND, ROUND, ROUND, ROUND}},
                 value, reference);
}
