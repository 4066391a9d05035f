// SPDX-License-Identifier: BSD-3-Clause
//
// Planar blocks on joints, step by step: what a step makes of the velocities that it began with
// follows from the impulse that the joint's law asks for at its end. The places afterwards too:
// what is left of a gap moves both about their common centre of mass.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spatial.h"
#include "touching.h"

typedef struct Block {
  double mass, inertia, anchor[2];
  double at[3], speed[3];  // x, y, yaw
} Block;

typedef struct Link {
  double stiffness, damping, least, most, rest;
} Link;

static const double STEP = 0.002;

static void read_block(const cliLab* lab, int index, Block* b) {
  double pose[6] = {0};
  if (!lab->failed) rut_block_state(lab->world.model, lab->world.data, index, pose, b->speed);
  b->at[0] = pose[0];
  b->at[1] = pose[1];
  b->at[2] = pose[5];
}

static void arm_of(const Block* b, double r[2]) {
  const double c = cos(b->at[2]), s = sin(b->at[2]);
  r[0] = c * b->anchor[0] - s * b->anchor[1];
  r[1] = s * b->anchor[0] + c * b->anchor[1];
}

// The anchors of two blocks: arms, from the first to the second, and the relative velocity.
typedef struct Anchors {
  double arm[2][2], apart[2], moves[2];
} Anchors;

static Anchors anchors_of(const Block* b) {
  Anchors a = {0};
  for (int i = 0; i < 2; i++) arm_of(&b[i], a.arm[i]);
  for (int k = 0; k < 2; k++) {
    double v[2];
    for (int i = 0; i < 2; i++) {
      v[i] = b[i].speed[k] + (k ? 1 : -1) * b[i].speed[2] * a.arm[i][1 - k];
    }
    a.apart[k] = b[1].at[k] + a.arm[1][k] - b[0].at[k] - a.arm[0][k];
    a.moves[k] = v[1] - v[0];
  }
  return a;
}

static void push(Block* b, const Anchors* a, double px, double py) {
  for (int i = 0; i < 2; i++) {
    const double sign = i ? 1 : -1, *r = a->arm[i];
    b[i].speed[0] += sign * px / b[i].mass;
    b[i].speed[1] += sign * py / b[i].mass;
    b[i].speed[2] += sign * (r[0] * py - r[1] * px) / b[i].inertia;
  }
}

// Change of the relative velocity along k by a unit impulse along n.
static double yield(const Block* b, const Anchors* a, const double k[2], const double n[2]) {
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    const double* r = a->arm[i];
    sum += (k[0] * n[0] + k[1] * n[1]) / b[i].mass +
           (r[0] * k[1] - r[1] * k[0]) * (r[0] * n[1] - r[1] * n[0]) / b[i].inertia;
  }
  return sum;
}

// Anchors that turn with w on arms r are h^2/2 w^2 r nearer at the end of a step.
static void lead_of(const Block* b, const Anchors* a, double lead[2]) {
  for (int k = 0; k < 2; k++) {
    lead[k] = 0.5 * STEP *
              (b[1].speed[2] * b[1].speed[2] * a->arm[1][k] -
               b[0].speed[2] * b[0].speed[2] * a->arm[0][k]);
  }
}

static void pin(Block* b, const Anchors* a) {
  static const double x[2] = {1, 0}, y[2] = {0, 1};
  double lead[2];
  lead_of(b, a, lead);
  const double xx = yield(b, a, x, x), xy = yield(b, a, x, y), yy = yield(b, a, y, y);
  const double u = lead[0] - a->moves[0], v = lead[1] - a->moves[1], det = xx * yy - xy * xy;
  push(b, a, (yy * u - xy * v) / det, (xx * v - xy * u) / det);
}

static void distance(const Link* l, Block* b, const Anchors* a) {
  const double length = hypot(a->apart[0], a->apart[1]);
  const double u[2] = {a->apart[0] / length, a->apart[1] / length};
  const double along = u[0] * a->moves[0] + u[1] * a->moves[1];
  const double across = u[0] * a->moves[1] - u[1] * a->moves[0], yields = yield(b, a, u, u);
  double lead[2], p = 0;
  lead_of(b, a, lead);
  // to the second order, as the anchors also turn about each other
  const double keeps = u[0] * lead[0] + u[1] * lead[1] - 0.5 * STEP * across * across / length;
  if (l->stiffness > 0 || l->damping > 0) {
    // p = -h (k (L - L0 + h v) + c v), v = along + yields p
    const double both = STEP * (l->damping + STEP * l->stiffness);
    p = -(STEP * l->stiffness * (length - l->rest) + both * along) / (1 + both * yields);
  }
  const double now = along + yields * p;
  const double most = keeps + (l->most - length) / STEP, least = keeps + (l->least - length) / STEP;
  p += (fmin(fmax(now, least), most) - now) / yields;
  push(b, a, p * u[0], p * u[1]);
}

// What the correction has moved from where the velocities lead: the same impulse on both, at the
// anchors.
static void compare_places(const Block* b, const Block* found, const Anchors* a, double* value,
                           double* reference) {
  double moved[2][3], sum[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) moved[i][k] = found[i].at[k] - b[i].at[k];
    for (int k = 0; k < 2; k++) sum[k] += b[i].mass * moved[i][k];
    const double turns = a->arm[i][0] * moved[i][1] - a->arm[i][1] * moved[i][0];
    cli_worst_absolute(moved[i][2], b[i].mass * turns / b[i].inertia, value, reference);
  }
  for (int k = 0; k < 2; k++) cli_worst_absolute(sum[k], 0, value, reference);
}

static void follow(cliLab* lab, const Link* l, Block* b, double* value, double* reference) {
  for (int i = 0; i < 2; i++) read_block(lab, i, &b[i]);
  for (int step = 0; step < 12 && !lab->failed; step++) {
    const Anchors a = anchors_of(b);
    Block found[2] = {b[0], b[1]};
    if (l) {
      distance(l, b, &a);
    } else {
      pin(b, &a);
    }
    cli_lab_step(lab);
    for (int i = 0; i < 2; i++) {
      read_block(lab, i, &found[i]);
      for (int k = 0; k < 3; k++) {
        cli_worst_absolute(found[i].speed[k], b[i].speed[k], value, reference);
      }
    }
    Block moved[2] = {b[0], b[1]};
    for (int i = 0; i < 2; i++) {
      for (int k = 0; k < 3; k++) moved[i].at[k] += STEP * b[i].speed[k];
    }
    const Anchors end = anchors_of(moved), after = anchors_of(found);
    compare_places(moved, found, &end, value, reference);
    const double length = hypot(after.apart[0], after.apart[1]);
    const double most = l ? l->most : 0, least = l ? l->least : 0;
    cli_worst_absolute(fmax(length - most, 0) + fmax(least - length, 0), 0, value, reference);
    memcpy(b, found, sizeof found);
  }
}

// Two blocks whose anchors are beside their middles, turning.
static void build(cliLab* lab, const char* joint) {
  cli_lab_build(lab,
                "<world timestep='0.002'><block name='a' mass='2' position='0 0' yaw='0.3' "
                "velocity='0.4 -1.3' yaw_rate='2.5' ground_friction='0' friction='0' "
                "outline='-0.2 -0.1 0.2 -0.1 0.2 0.1 -0.2 0.1'/>"
                "<block name='b' mass='3' position='1.1 0.4' yaw='-0.5' velocity='-0.8 0.9' "
                "yaw_rate='-3' ground_friction='0' friction='0' "
                "outline='-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2'/>%s</world>",
                joint);
}
static void start(Block* b) {
  b[0] = (Block){.mass = 2, .inertia = 2 * (0.16 + 0.04) / 12, .anchor = {0.3, 0.25}};
  b[1] = (Block){.mass = 3, .inertia = 3 * (0.36 + 0.16) / 12, .anchor = {-0.35, 0.2}};
  b[0].at[2] = 0.3;
  b[1].at[0] = 1.1;
  b[1].at[1] = 0.4;
  b[1].at[2] = -0.5;
}

#define DISTANCE(rest)                                                                \
  "<joint type='distance' body_a='a' body_b='b' anchor_a='0.3 0.25' anchor_b='-0.35 " \
  "0.2' " rest "/>"

static double first_length(const Block* b) {
  const Anchors a = anchors_of(b);
  return hypot(a.apart[0], a.apart[1]);
}

static void step_spring(cliLab* lab, double* value, double* reference) {
  Block b[2];
  start(b);
  const Link l = {400, 30, 0, 5, first_length(b)};
  build(lab, DISTANCE("stiffness='400' damping='30'"));
  follow(lab, &l, b, value, reference);
}

// A rope that comes taut, and a strut that is pushed together.
static void step_rope(cliLab* lab, double* value, double* reference) {
  Block b[2];
  start(b);
  const double length = first_length(b);
  const Link l = {0, 0, length - 0.002, length + 0.002, length};
  char joint[300];
  (void)snprintf(joint, sizeof joint, DISTANCE("min_length='%.17g' max_length='%.17g'"), l.least,
                 l.most);
  build(lab, joint);
  follow(lab, &l, b, value, reference);
}

static void step_rod(cliLab* lab, double* value, double* reference) {
  Block b[2];
  start(b);
  const double length = first_length(b);
  const Link l = {0, 0, length, length, length};
  char joint[300];
  (void)snprintf(joint, sizeof joint, DISTANCE("min_length='%.17g' max_length='%.17g'"), length,
                 length);
  build(lab, joint);
  follow(lab, &l, b, value, reference);
}

// The second block's anchor stands where that of the first does.
static void step_pin(cliLab* lab, double* value, double* reference) {
  Block b[2];
  double arm[2][2];
  char joint[300];
  start(b);
  for (int i = 0; i < 2; i++) arm_of(&b[i], arm[i]);
  const double x = b[0].at[0] + arm[0][0] - b[1].at[0], y = b[0].at[1] + arm[0][1] - b[1].at[1];
  const double c = cos(b[1].at[2]), s = sin(b[1].at[2]);
  b[1].anchor[0] = c * x + s * y;
  b[1].anchor[1] = c * y - s * x;
  (void)snprintf(joint, sizeof joint,
                 "<joint type='revolute' body_a='a' body_b='b' anchor_a='0.3 0.25' "
                 "anchor_b='%.17g %.17g'/>",
                 b[1].anchor[0], b[1].anchor[1]);
  build(lab, joint);
  follow(lab, NULL, b, value, reference);
}

const cliCase cli_cases_links[CLI_CASES_LINKS] = {
    {"step_spring", "m/s, m", false, 1e-9, "p = -h (k (L - L0 + h v) + c v)", step_spring, NULL},
    {"step_rope", "m/s, m", false, 1e-9, "length at the end of the step between its limits",
     step_rope, NULL},
    {"step_rod", "m/s, m", false, 1e-9, "the same length at the end of the step", step_rod, NULL},
    {"step_pin", "m/s, m", false, 1e-9, "anchors together at the end of the step", step_pin, NULL},
};
