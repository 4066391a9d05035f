// SPDX-License-Identifier: BSD-3-Clause
//
// Rigid bodies without wheels: conservation laws, free flight, collisions, sliding blocks.
#include <math.h>
#include <string.h>

#include "spatial.h"
#include "touching.h"

static const double GRAVITY = 9.81;

enum { MAX_JOINT_NUMBERS = 16 };

static void mechanism_state(const cliLab* lab, double* position, double* speed) {
  memset(position, 0, MAX_JOINT_NUMBERS * sizeof *position);
  memset(speed, 0, MAX_JOINT_NUMBERS * sizeof *speed);
  if (!lab->failed) {
    rut_mechanism_state(lab->world.model, lab->world.data, 0, position, speed);
  }
}

// Arithmetic-geometric mean.
static double agm(double a, double b) {
  for (int i = 0; i < 40; i++) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return a;
}

// Exact period of a point mass on a massless rod for any amplitude: 2 pi sqrt(l/g)/agm(1,
// cos(A/2)) (Gauss; Carvalhaes and Suppes, American Journal of Physics 76, 2008).
void cli_case_pendulum(cliLab* lab, double* value, double* reference) {
  const double length = 1.5, amplitude = 1, pi = acos(-1.0);
  cli_lab_build(lab,
                "<world timestep='0.0005'><mechanism name='pendulum'>"
                "<body joint='hinge' axis='0 1 0' mass='2' com='0 0 -%.17g' "
                "initial_position='%.17g'/></mechanism></world>",
                length, amplitude);
  // time between the first and the sixth upward passage through the lowest point
  double q[MAX_JOINT_NUMBERS], v[MAX_JOINT_NUMBERS], first = 0, last = 0, before = 1;
  int passages = 0;
  while (passages < 6 && cli_lab_time(lab) < 60) {
    double t = cli_lab_time(lab);
    mechanism_state(lab, q, v);
    before = q[0];
    cli_lab_step(lab);
    mechanism_state(lab, q, v);
    if (before >= 0 || q[0] < 0) continue;
    last = t + (cli_lab_time(lab) - t) * before / (before - q[0]);
    if (passages++ == 0) first = last;
  }
  *value = (last - first) / 5;
  *reference = 2 * pi * sqrt(length / GRAVITY) / agm(1, cos(0.5 * amplitude));
}

static void build_top(cliLab* lab) {
  // the middle axis of inertia is unstable: the top tumbles, which is the hard case
  cli_lab_build(lab,
                "<world timestep='0.001' gravity='0' integrator='rk4'>"
                "<mechanism name='top'><body joint='free' mass='1' inertia='1 2 3 0 0 0' "
                "initial_speed='0.01 5 0.02 0 0 0'/></mechanism></world>");
}

// Energy of a free top is constant.
void cli_case_top_energy(cliLab* lab, double* value, double* reference) {
  build_top(lab);
  cli_lab_run_to(lab, 20);
  *value = lab->failed ? 0 : rut_mechanism_energy(lab->world.model, lab->world.data, 0);
  *reference = 0.5 * (1 * 0.01 * 0.01 + 2 * 5 * 5 + 3 * 0.02 * 0.02);
}

// So is its angular momentum in the world: R I w, here its second component.
void cli_case_top_momentum(cliLab* lab, double* value, double* reference) {
  build_top(lab);
  cli_lab_run_to(lab, 20);
  double q[MAX_JOINT_NUMBERS], v[MAX_JOINT_NUMBERS];
  mechanism_state(lab, q, v);
  double w = q[3], x = q[4], y = q[5], z = q[6];
  double momentum[3] = {1 * v[0], 2 * v[1], 3 * v[2]};
  // second row of the rotation matrix of the quaternion
  *value = 2 * (x * y + w * z) * momentum[0] + (1 - 2 * (x * x + z * z)) * momentum[1] +
           2 * (y * z - w * x) * momentum[2];
  *reference = 2 * 5.0;
}

// Free flight: z = v t - g t^2/2, which a method of order 4 gives exactly.
void cli_case_projectile(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.005' integrator='rk4'><mechanism name='stone'>"
                "<body joint='free' mass='2' inertia='0.1 0.1 0.1 0 0 0' "
                "initial_speed='0 0 0 3 0 8'/></mechanism></world>");
  cli_lab_run_to(lab, 1.5);
  double q[MAX_JOINT_NUMBERS], v[MAX_JOINT_NUMBERS], t = cli_lab_time(lab);
  mechanism_state(lab, q, v);
  *value = q[2];
  *reference = 8 * t - 0.5 * GRAVITY * t * t;
}

// By the default integrator, while it spins: n steps of h fall by g h^2 n (n + 1)/2.
void cli_case_free_default(cliLab* lab, double* value, double* reference) {
  const double speed[3] = {3, -1, 8}, step = 0.005, time = 1.5;
  cli_lab_build(lab,
                "<world timestep='0.005'><mechanism name='stone'>"
                "<body joint='free' mass='2' inertia='0.1 0.1 0.1 0 0 0' "
                "initial_speed='2 -3 1.5 3 -1 8'/></mechanism></world>");
  cli_lab_run_to(lab, time);
  double q[MAX_JOINT_NUMBERS], v[MAX_JOINT_NUMBERS];
  mechanism_state(lab, q, v);
  for (int i = 0; i < 3; i++) {
    const double fallen = i == 2 ? 0.5 * GRAVITY * time * (time + step) : 0;
    cli_worst_relative(q[i], speed[i] * time - fallen, value, reference);
  }
}

// Two boxes on ice meet head on; the result is the velocity of the second one.
static double velocity_after_impact(cliLab* lab, double restitution) {
  cli_lab_build(lab,
                "<world timestep='0.001'>"
                "<block name='a' shape='box' size='1 1 1' mass='3' position='-1 0' "
                "velocity='2 0' ground_friction='0' friction='0' restitution='%.17g'/>"
                "<block name='b' shape='box' size='1 1 1' mass='1' position='1 0' "
                "ground_friction='0' friction='0' restitution='%.17g'/></world>",
                restitution, restitution);
  cli_lab_run_to(lab, 2);
  double pose[6] = {0}, velocity[3] = {0};
  if (!lab->failed) {
    int b = rut_find(lab->world.model, RUT_BLOCK, "b");
    rut_block_state(lab->world.model, lab->world.data, b, pose, velocity);
  }
  return velocity[0];
}

// Common velocity m1 v1/(m1 + m2).
void cli_case_inelastic(cliLab* lab, double* value, double* reference) {
  *value = velocity_after_impact(lab, 0);
  *reference = 3 * 2.0 / (3 + 1);
}

// 2 m1 v1/(m1 + m2).
void cli_case_elastic(cliLab* lab, double* value, double* reference) {
  *value = velocity_after_impact(lab, 1);
  *reference = 2 * 3 * 2.0 / (3 + 1);
}

// A block slides v^2/(2 mu g).
void cli_case_block_slide(cliLab* lab, double* value, double* reference) {
  const double friction = 0.4, speed = 3;
  cli_lab_build(lab,
                "<world timestep='0.0001'><block name='a' shape='box' size='1 1 1' mass='10' "
                "position='0 0' velocity='%.17g 0' ground_friction='%.17g'/></world>",
                speed, friction);
  cli_lab_run_to(lab, 1.2 * speed / (friction * GRAVITY));
  double pose[6] = {0}, velocity[3] = {0};
  if (!lab->failed) rut_block_state(lab->world.model, lab->world.data, 0, pose, velocity);
  *value = pose[0];
  *reference = speed * speed / (2 * friction * GRAVITY);
}
