// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks that hit each other with friction, aslant: in a world that is turned by any angle it
// happens turned, and without ground their momenta stay.
#include <math.h>
#include <stdio.h>

#include "momentum.h"
#include "spatial.h"
#include "touching.h"

enum { MOST = 5, TEXT = 4000 };

typedef struct Block {
  const char* shape;    // attributes
  double x, y, z, yaw;  // place, without the turn of the world
  double vx, vy, spin;  // velocity in its own axes [m/s], yaw rate
} Block;

typedef struct Heap {
  const char *world, *joint;  // attributes, elements
  bool space;
  int blocks;
  Block block[MOST];
  double time;
} Heap;

static void build(cliLab* lab, const Heap* h, double turn) {
  char text[TEXT];
  int n = 0;
  const double c = cos(turn), s = sin(turn);
  for (int i = 0; i < h->blocks; i++) {
    const Block* b = &h->block[i];
    char up[64] = "";
    if (h->space) snprintf(up, sizeof up, " %.17g", b->z);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<block name='b%d' %s %s position='%.17g %.17g%s' yaw='%.17g' "
                  "velocity='%.17g %.17g' yaw_rate='%.17g'/>",
                  i, h->space ? "motion='space'" : "", b->shape, c * b->x - s * b->y,
                  s * b->x + c * b->y, up, b->yaw + turn, b->vx, b->vy, b->spin);
  }
  cli_lab_build(lab, "<world timestep='0.001' %s>%s%s</world>", h->world, text, h->joint);
}

static rutBlockMotion motion_of(const cliLab* lab, int block) {
  rutBlockMotion m = {.quaternion = {1}};
  if (!lab->failed) rut_block_motion(lab->world.model, lab->world.data, block, &m);
  return m;
}

static void turned(cliLab* lab, const Heap* h, double* value, double* reference) {
  static const double turn = 0.7;
  rutBlockMotion plain[MOST];
  build(lab, h, 0);
  cli_lab_run_to(lab, h->time);
  for (int i = 0; i < h->blocks; i++) plain[i] = motion_of(lab, i);
  build(lab, h, turn);
  cli_lab_run_to(lab, h->time);
  const double c = cos(turn), s = sin(turn);
  for (int i = 0; i < h->blocks; i++) {
    const rutBlockMotion m = motion_of(lab, i);
    const double* from[] = {plain[i].position, plain[i].velocity, plain[i].angular_velocity};
    const double* to[] = {m.position, m.velocity, m.angular_velocity};
    for (int k = 0; k < 3; k++) {
      cli_worst_absolute(to[k][0], c * from[k][0] - s * from[k][1], value, reference);
      cli_worst_absolute(to[k][1], s * from[k][0] + c * from[k][1], value, reference);
      cli_worst_absolute(to[k][2], from[k][2], value, reference);
    }
  }
}

// Momentum and angular momentum of spheres and cubes of mass m, whose moment of inertia is the same
// about all axes.
typedef struct Sum {
  cliVector linear, angular;
} Sum;

// Mass and moment of inertia of each, and the height of its middle above its origin.
typedef struct Bodies {
  double mass[MOST], inertia[MOST], middle[MOST];
} Bodies;

static Sum momenta(const cliLab* lab, const Heap* h, const Bodies* body) {
  Sum sum = {0};
  for (int i = 0; i < h->blocks; i++) {
    const rutBlockMotion m = motion_of(lab, i);
    const double* w = m.angular_velocity;
    const cliVector turns = {{w[0], w[1], w[2]}};
    // the origin is below the middle
    const cliVector up = cli_turned(m.quaternion, (cliVector){{0, 0, body->middle[i]}});
    cliVector v = {{m.velocity[0], m.velocity[1], m.velocity[2]}};
    cliVector at = {{m.position[0], m.position[1], m.position[2]}};
    v = cli_add(v, 1, cli_cross(turns, up));
    at = cli_add(at, 1, up);
    sum.linear = cli_add(sum.linear, body->mass[i], v);
    sum.angular = cli_add(sum.angular, body->mass[i], cli_cross(at, v));
    sum.angular = cli_add(sum.angular, body->inertia[i], turns);
  }
  return sum;
}

static void kept(cliLab* lab, const Heap* h, const Bodies* body, double* value, double* reference) {
  build(lab, h, 0.4);
  const Sum first = momenta(lab, h, body);
  cli_lab_run_to(lab, h->time);
  const Sum last = momenta(lab, h, body);
  for (int k = 0; k < 3; k++) {
    cli_worst_absolute(last.linear.v[k], first.linear.v[k], value, reference);
    cli_worst_absolute(last.angular.v[k], first.angular.v[k], value, reference);
  }
}

#define ROUGH "friction='0.4' restitution='0.3' "
#define FREE  "ground_friction='0' " ROUGH

// In the plane: three boxes and a disc, two of the boxes on a pin, a rope between others.
static const Heap planar = {
    "",
    "<joint type='revolute' body_a='b0' body_b='b1' anchor_a='0.4 0.1' anchor_b='-0.4 0'/>"
    "<joint type='distance' body_a='b2' body_b='b3' max_length='1.6' stiffness='300' "
    "damping='5'/>",
    false,
    4,
    {{"shape='box' size='0.6 0.4 1' mass='3' " FREE, 0, 0, 0, 0, 2, 0.4, 0.3},
     {"shape='box' size='0.5 0.5 1' mass='2' " FREE, 0.8, 0.1, 0, 0, 2, 0.4, -0.2},
     {"shape='box' size='0.7 0.3 1' mass='4' " FREE, 2.1, 0.35, 0, 0.5, -1, 0, 0.5},
     {"shape='box' size='0.4 0.4 1' mass='1' " FREE, 2.2, -0.9, 0, 0.2, -0.5, 1, 1}},
    1.4};

// On the ground with friction.
static const Heap sliding = {
    "",
    "",
    false,
    3,
    {{"shape='box' size='0.6 0.4 1' mass='3' " ROUGH "ground_friction='0.2'", 0, 0, 0, 0.1, 3, 0.4,
      0.3},
     {"shape='box' size='0.5 0.5 1' mass='2' " ROUGH "ground_friction='0.3'", 1, 0.2, 0, 0.4, 0, 0,
      0},
     {"shape='box' size='0.7 0.3 1' mass='4' " ROUGH "ground_friction='0.1'", 1.9, 0.1, 0, 0.9, -1,
      0, 0.5}},
    1};

// In space without weight: cubes and balls.
static const Heap floating = {
    "gravity='0'",
    "",
    true,
    4,
    {{"shape='box' size='0.5 0.5 0.5' mass='3' " ROUGH, 0, 0, 5, 0.3, 2, 0.3, 0.4},
     {"shape='sphere' radius='0.3' mass='2' " ROUGH, 1.2, 0.25, 5.4, 0, -1, 0, 1},
     {"shape='box' size='0.6 0.6 0.6' mass='4' " ROUGH, 2.4, -0.1, 5.5, 0.8, -1.5, 0.2, -0.5},
     {"shape='sphere' radius='0.25' mass='1' " ROUGH, 0.9, 1.6, 5.3, 0, 0, -2, 0}},
    1.2};

// They fall on the ground, and roll.
static const Heap falling = {
    "",
    "",
    true,
    3,
    {{"shape='box' size='0.6 0.4 0.3' mass='3' ground_friction='0.5' " ROUGH, 0, 0, 0.5, 0.3, 1,
      0.3, 2},
     {"shape='sphere' radius='0.3' mass='2' ground_friction='0.4' " ROUGH, 1.0, 0.15, 0.6, 0, -1,
      0.2, 1},
     {"shape='cylinder' radius='0.2' length='0.5' mass='4' ground_friction='0.3' " ROUGH, -0.9,
      -0.1, 0.7, 0.8, 1.5, 0.2, -0.5}},
    0.7};

void cli_case_heap_planar(cliLab* lab, double* value, double* reference) {
  turned(lab, &planar, value, reference);
}
void cli_case_heap_sliding(cliLab* lab, double* value, double* reference) {
  turned(lab, &sliding, value, reference);
}
void cli_case_heap_floating(cliLab* lab, double* value, double* reference) {
  turned(lab, &floating, value, reference);
}
void cli_case_heap_falling(cliLab* lab, double* value, double* reference) {
  turned(lab, &falling, value, reference);
}
void cli_case_momenta_planar(cliLab* lab, double* value, double* reference) {
  kept(lab, &planar,
       &(Bodies){{3, 2, 4, 1},
                 {3 * (0.36 + 0.16) / 12, 2 * 0.5 / 12, 4 * (0.49 + 0.09) / 12, 0.32 / 12},
                 {0}},
       value, reference);
}
void cli_case_momenta_floating(cliLab* lab, double* value, double* reference) {
  kept(lab, &floating,
       &(Bodies){{3, 2, 4, 1},
                 {3 * 0.25 / 6, 0.4 * 2 * 0.09, 4 * 0.36 / 6, 0.4 * 0.0625},
                 {0.25, 0.3, 0.3, 0.25}},
       value, reference);
}
