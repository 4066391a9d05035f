// SPDX-License-Identifier: BSD-3-Clause
//
// Trees of bodies on joints of every kind, in free motion.
#include <math.h>
#include <stdio.h>

#include "lab.h"
#include "momentum.h"
#include "spatial.h"

enum { TREE_BODIES = 7, WHEEL = 4, MOST_NUMBERS = 32 };
static const double STEP = 0.0005;  // [s]

// A free body that carries a hinge with a slide on it, a plane, a wheel, and a fixed body with a
// hinge: unlike masses off their joints, inertia off its axes, mounts at angles, springs. The pose
// of a wheel that is a rotor does not spin with it.
#define TREE                                                                                     \
  "<mechanism name='tree' position='0 0 100'>"                                                   \
  "<body joint='free' mass='5' com='0.1 0.05 -0.02' inertia='0.4 0.7 0.9 0.03 -0.02 0.05' "      \
  "initial_position='0 0 0 0.2 -0.3 0.4' initial_speed='0.5 -0.4 0.8 0.3 0.2 1.5'>"              \
  "<body joint='hinge' axis='0.2 1 0.1' mount='0.5 0.1 0' mount_angles='0.2 0.1 -0.3' mass='2' " \
  "com='0.2 0 -0.3' inertia='0.05 0.08 0.04 0.01 0 0' stiffness='20' initial_speed='1.2'>"       \
  "<body joint='slide' axis='0 0.3 1' mount='0.1 0 -0.2' mount_angles='0 0.4 0' mass='1' "       \
  "com='0.02 0.03 0.05' inertia='0.02 0.01 0.015 0 0.002 0' stiffness='60' "                     \
  "initial_position='0.1'/></body>"                                                              \
  "<body joint='planar' mount='-0.4 0.2 0.1' mount_angles='0.3 -0.2 0.5' mass='1.5' "            \
  "com='0.05 -0.08 0.02' inertia='0.03 0.05 0.06 0 0 0.004' stiffness='30' "                     \
  "initial_speed='0.2 -0.3 2'/>"                                                                 \
  "<body joint='hinge' rotor='%s' axis='0 1 0' mount='0 -0.5 0.1' mount_angles='0.1 0 0.2' "     \
  "mass='1.2' inertia='0.03 0.05 0.03 0 0 0' initial_speed='30'/>"                               \
  "<body joint='fixed' mount='0 0.3 0.4' mount_angles='-0.4 0.3 0.1' mass='0.8' "                \
  "com='0.1 0 0.1' inertia='0.02 0.03 0.01 0.001 0 0'>"                                          \
  "<body joint='hinge' axis='1 0 0' mount='0.2 0.1 0' mass='0.6' com='0 0.1 0.2' "               \
  "inertia='0.01 0.008 0.006 0 0 0.001' stiffness='5' initial_speed='-2'/></body>"               \
  "</body></mechanism>"

static void build_tree(cliLab* lab, const char* world, const char* rotor) {
  char text[4000];
  (void)snprintf(text, sizeof text, TREE, rotor);
  cli_lab_build(lab, "<world timestep='0.0005' integrator='rk4' %s>%s</world>", world, text);
}

// Energy of the springs, by the joints' positions; speed of the wheel.
static double spring_energy(const cliLab* lab, double* spin) {
  double q[MOST_NUMBERS] = {0}, v[MOST_NUMBERS] = {0};
  if (lab->failed) return 0;
  rut_mechanism_state(lab->world.model, lab->world.data, 0, q, v);
  *spin = v[11];
  // behind the 7 numbers of the free joint: hinge, slide, plane, rotor, hinge
  return 0.5 * (20 * q[7] * q[7] + 60 * q[8] * q[8] +
                30 * (q[9] * q[9] + q[10] * q[10] + q[11] * q[11]) + 5 * q[13] * q[13]);
}

// Momenta, and the energy of the springs, at a time.
typedef struct Look {
  double time, springs;
  cliMomenta sum;
} Look;

static const struct {
  double mass, inertia[6], com[3];
} bodies[TREE_BODIES] = {{5, {0.4, 0.7, 0.9, 0.03, -0.02, 0.05}, {0.1, 0.05, -0.02}},
                         {2, {0.05, 0.08, 0.04, 0.01, 0, 0}, {0.2, 0, -0.3}},
                         {1, {0.02, 0.01, 0.015, 0, 0.002, 0}, {0.02, 0.03, 0.05}},
                         {1.5, {0.03, 0.05, 0.06, 0, 0, 0.004}, {0.05, -0.08, 0.02}},
                         {1.2, {0.03, 0.05, 0.03, 0, 0, 0}, {0, 0, 0}},
                         {0.8, {0.02, 0.03, 0.01, 0.001, 0, 0}, {0.1, 0, 0.1}},
                         {0.6, {0.01, 0.008, 0.006, 0, 0, 0.001}, {0, 0.1, 0.2}}};

static Look look(cliLab* lab, double from, bool rotor) {
  cliTrack track[TREE_BODIES] = {0};
  Look found = {0};
  double spin = 0;
  cli_lab_run_to(lab, from);
  for (int i = 0; i < CLI_INSTANTS && !lab->failed; i++) {
    rutBodyPose pose[TREE_BODIES];
    cli_lab_step(lab);
    rut_mechanism_bodies(lab->world.model, lab->world.data, 0, TREE_BODIES, pose);
    for (int b = 0; b < TREE_BODIES; b++) {
      const double *p = pose[b].position, *com = bodies[b].com;
      track[b].mass = bodies[b].mass;
      for (int k = 0; k < 6; k++) track[b].inertia[k] = bodies[b].inertia[k];
      for (int k = 0; k < 4; k++) track[b].quaternion[i][k] = pose[b].quaternion[k];
      track[b].place[i] =
          cli_add((cliVector){{p[0], p[1], p[2]}}, 1,
                  cli_turned(pose[b].quaternion, (cliVector){{com[0], com[1], com[2]}}));
    }
    if (i == CLI_INSTANTS / 2) found.springs = spring_energy(lab, &spin);
    if (i == CLI_INSTANTS / 2) found.time = cli_lab_time(lab);
  }
  found.sum = cli_momenta(TREE_BODIES, track, STEP);
  if (rotor) {
    const cliVector axis =
        cli_turned(track[WHEEL].quaternion[CLI_INSTANTS / 2], (cliVector){{0, 1, 0}});
    found.sum.angular = cli_add(found.sum.angular, bodies[WHEEL].inertia[1] * spin, axis);
  }
  return found;
}

static double change(cliVector a, cliVector b) {
  const cliVector d = cli_add(a, -1, b);
  return sqrt(cli_dot(d, d) / cli_dot(b, b));
}

// Without gravity momentum and angular momentum stay.
void cli_case_tree_momentum(cliLab* lab, double* value, double* reference) {
  build_tree(lab, "gravity='0'", "true");
  const Look first = look(lab, 0, true);
  for (int i = 1; i <= 4; i++) {
    const Look now = look(lab, 0.5 * i, true);
    cli_worst_absolute(change(now.sum.linear, first.sum.linear), 0, value, reference);
    cli_worst_absolute(change(now.sum.angular, first.sum.angular), 0, value, reference);
  }
}

// Kinetic energy and that of the springs together stay.
void cli_case_tree_energy(cliLab* lab, double* value, double* reference) {
  build_tree(lab, "gravity='0'", "false");
  const Look first = look(lab, 0, false);
  for (int i = 1; i <= 4; i++) {
    const Look now = look(lab, 0.5 * i, false);
    cli_worst_relative(now.sum.kinetic + now.springs, first.sum.kinetic + first.springs, value,
                       reference);
  }
}

// Under gravity the common centre of mass falls as a stone, and angular momentum stays.
void cli_case_tree_falls(cliLab* lab, double* value, double* reference) {
  build_tree(lab, "", "true");
  const Look first = look(lab, 0, true);
  for (int i = 1; i <= 4; i++) {
    const Look now = look(lab, 0.5 * i, true);
    const double t = now.time - first.time;
    const double fallen = first.sum.linear.v[2] / first.sum.mass * t - 0.5 * CLI_GRAVITY * t * t;
    cli_worst_absolute((now.sum.centre.v[2] - first.sum.centre.v[2]) / fallen, 1, value, reference);
    cli_worst_absolute(1 + change(now.sum.angular, first.sum.angular), 1, value, reference);
  }
}

// A body that glides on an inclined plane, with one fixed to it and a wheel across it: the common
// centre of mass goes along a parabola, the yaw rate stays, the wheel runs down by its bearing.
void cli_case_tree_plane(cliLab* lab, double* value, double* reference) {
  const double roll = 0.1, pitch = -0.2, rate = 1.3, t = 2, mass = 7, drag = 0.02, spin = 0.05;
  cli_lab_build(lab,
                "<world timestep='0.001' integrator='rk4'><mechanism name='glider'>"
                "<body joint='planar' mount_angles='0.1 -0.2 0' mass='4' com='0.1 -0.05 0' "
                "inertia='0.1 0.2 0.3 0 0 0' initial_position='0 0 0.3' "
                "initial_speed='1.5 -0.4 1.3'>"
                "<body joint='fixed' mount='0.5 0.2 0' mount_angles='0 0 0.4' mass='2' "
                "com='0.05 0.1 0' inertia='0.02 0.03 0.04 0 0 0'/>"
                "<body joint='hinge' rotor='true' axis='0 1 0' mount='-0.3 0.25 0' mass='1' "
                "inertia='0.03 0.05 0.03 0 0 0' damping='0.02' initial_speed='20'/>"
                "</body></mechanism></world>");
  const double x = (4 * 0.1 + 2 * (0.5 + 0.05 * cos(0.4) - 0.1 * sin(0.4)) - 0.3) / mass;
  const double y = (-4 * 0.05 + 2 * (0.2 + 0.05 * sin(0.4) + 0.1 * cos(0.4)) + 0.25) / mass;
  const double g[2] = {CLI_GRAVITY * sin(pitch), -CLI_GRAVITY * cos(pitch) * sin(roll)};
  double q[MOST_NUMBERS] = {0}, v[MOST_NUMBERS] = {0};
  cli_lab_run_to(lab, t);
  if (!lab->failed) rut_mechanism_state(lab->world.model, lab->world.data, 0, q, v);
  const double c = cos(0.3), s = sin(0.3), c1 = cos(0.3 + rate * t), s1 = sin(0.3 + rate * t);
  const double from[2] = {c * x - s * y, s * x + c * y}, to[2] = {c1 * x - s1 * y, s1 * x + c1 * y};
  const double start[2] = {1.5 - rate * from[1], -0.4 + rate * from[0]};
  for (int k = 0; k < 2; k++) {
    cli_worst_relative(q[k], from[k] - to[k] + start[k] * t + 0.5 * g[k] * t * t, value, reference);
  }
  cli_worst_relative(v[2], rate, value, reference);
  cli_worst_relative(v[3], 20 * exp(-drag * t / spin), value, reference);
}

// Sides of the cuboids that have the bodies' mass and moments of inertia, I_x = m (b^2 + c^2)/12.
void cli_case_tree_sides(cliLab* lab, double* value, double* reference) {
  rutBodyPose pose[TREE_BODIES] = {0};
  build_tree(lab, "", "true");
  if (!lab->failed) rut_mechanism_bodies(lab->world.model, lab->world.data, 0, TREE_BODIES, pose);
  for (int i = 0; i < TREE_BODIES; i++) {
    const double* a = pose[i].sides;
    for (int k = 0; k < 3; k++) {
      const double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
      cli_worst_relative(bodies[i].mass * (b * b + c * c) / 12, bodies[i].inertia[k], value,
                         reference);
    }
  }
}
