// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/joint_look.h"

#include <string.h>

#include "math/vec.h"
#include "sim/compile/looks.h"
#include "sim/compile/material.h"
#include "sim/compile/scene.h"
#include "sim/spec/material_read.h"

// Shapes of joints, as in the viewer (web/src/scene/joints.ts).
static const double AT = 0.42;     // part of the way from the bottom to the top where they join
static const double THICK = 0.03;  // radius of a rod in sizes of the smaller body
static const double THINNEST = 0.008, THICKEST = 0.05;   // of radii [m]
static const double ROPE = 0.75, COIL = 2.4, PIN = 1.9;  // radii over that of a rod

typedef enum JointKind { ROPE_KIND, ROD_KIND, SPRING_KIND, HITCH_KIND } JointKind;

// What a joint holds at one end.
typedef struct Held {
  const rutOutline* outline;  // in its frame
  double z_min, z_max;
} Held;

// A joint, and what it is seen as.
typedef struct Sight {
  rutDraft* draft;
  const rutDraftJoint* joint;
  Held held[2];
  double height[2];  // of the joint in the frames of what it holds [m]
  double radius;
  rutDraftVisual visual;
} Sight;

static Held held_by(const rutDraft* draft, rutCarrier carrier) {
  if (carrier.kind == RUT_CARRIER_BLOCK) {
    const rutDraftBlock* b = rut_list_at(&draft->block, carrier.index);
    return (Held){&b->outline, b->z_min, b->z_max};
  }
  const rutDraftVehicle* v = rut_list_at(&draft->vehicle, carrier.index);
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  return (Held){&c->outline, c->z_min, c->z_max};
}

static double size_of(const Held* held) {
  double size = rut_max(0.1, held->z_max - held->z_min);
  for (int i = 0; i < held->outline->n; i++) {
    size = rut_max(size, rut_hypot(held->outline->xy[2 * i], held->outline->xy[2 * i + 1]));
  }
  return size;
}

static JointKind kind_of(const rutPlanarJointDef* def) {
  if (!def->distance) return HITCH_KIND;
  if (def->stiffness > 0) return SPRING_KIND;
  const bool rigid =
      def->min_length > 0 && def->max_length - def->min_length < 1e-6 * def->max_length;
  return rigid ? ROD_KIND : ROPE_KIND;
}

// A height that both bodies have.
static void find_heights(Sight* s) {
  double at[2];
  for (int k = 0; k < 2; k++) {
    at[k] = s->held[k].z_min + AT * (s->held[k].z_max - s->held[k].z_min);
  }
  const double common = rut_min(at[0], at[1]);
  for (int k = 0; k < 2; k++) {
    s->height[k] = rut_clamp(common, s->held[k].z_min, s->held[k].z_max);
  }
}

// ---- ropes, rods, springs ----

static void see_distance(Sight* s, JointKind kind, double length) {
  static const double half_way_up[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5};
  rutDraft* draft = s->draft;
  rutJointLook* look = rut_draft_push(draft, &draft->joint_look);
  if (!look) return;
  const double radius = s->radius * (kind == ROPE_KIND ? ROPE : kind == SPRING_KIND ? COIL : 1);
  *look = (rutJointLook){.end = {s->joint->end[0], s->joint->end[1]},
                         .pieces = kind == ROPE_KIND ? RUT_ROPE_PIECES : 1,
                         .length = length,
                         .radius = s->radius};
  for (int k = 0; k < 2; k++) {
    rut_vec3_put(rut_vec3(s->joint->anchor[k][0], s->joint->anchor[k][1], s->height[k]),
                 look->anchor[k]);
  }
  const rutSolid piece = rut_solid_cylinder(radius, 1);
  const int pieces = look->pieces;
  s->visual.solid = rut_draft_solid(draft, &piece);
  memcpy(s->visual.pose, half_way_up, sizeof half_way_up);
  for (int i = 0; i < pieces; i++) {
    s->visual.carrier = (rutCarrier){RUT_CARRIER_JOINT, draft->joint_look.n - 1, i};
    rut_draft_visual(draft, &s->visual);
  }
}

// ---- hitches ----

// A bar between two points of the same height in the frame of a body.
static void see_bar(Sight* s, const double from[2], const double to[2], double z) {
  const double dx = to[0] - from[0], dy = to[1] - from[1], length = rut_hypot(dx, dy);
  if (!(length > 1e-6)) return;
  const double x = dx / length, y = dy / length;
  // the bar's z axis along it, its y axis upwards
  const double pose[12] = {y,  0, x, 0.5 * (from[0] + to[0]),  //
                           -x, 0, y, 0.5 * (from[1] + to[1]),  //
                           0,  1, 0, z};
  const rutSolid bar = rut_solid_cylinder(s->radius, length);
  s->visual.solid = rut_draft_solid(s->draft, &bar);
  memcpy(s->visual.pose, pose, sizeof pose);
  rut_draft_visual(s->draft, &s->visual);
}

// Two bars from the end of a body to a pin before or behind it.
static void see_drawbar(Sight* s, int k) {
  const rutOutline* outline = s->held[k].outline;
  const double* pin = s->joint->anchor[k];
  const double far = rut_hypot(pin[0], pin[1]);
  if (far < 1e-6) return;
  const double cx = pin[0] / far, cy = pin[1] / far;
  double reach = -RUT_INFINITY, widest = 0;
  for (int i = 0; i < outline->n; i++) {
    const double x = outline->xy[2 * i], y = outline->xy[2 * i + 1];
    reach = rut_max(reach, (x * cx + y * cy) / far);
    widest = rut_max(widest, rut_abs(y));
  }
  if (reach >= 1) return;
  const double half = rut_min(0.55 * widest, 0.5 * far * (1 - reach) + 0.1 * widest);
  for (int side = -1; side <= 1; side += 2) {
    const double from[2] = {0.96 * reach * pin[0] - side * half * cy,
                            0.96 * reach * pin[1] + side * half * cx};
    see_bar(s, from, pin, s->height[k]);
  }
}

static void see_hitch(Sight* s) {
  for (int k = 0; k < 2; k++) {
    s->visual.carrier = s->joint->end[k];
    see_drawbar(s, k);
  }
  const rutSolid ball = rut_solid_sphere(PIN * s->radius);
  const double pose[12] = {1, 0, 0, s->joint->anchor[0][0],  //
                           0, 1, 0, s->joint->anchor[0][1],  //
                           0, 0, 1, s->height[0]};
  s->visual.carrier = s->joint->end[0];
  s->visual.solid = rut_draft_solid(s->draft, &ball);
  memcpy(s->visual.pose, pose, sizeof pose);
  rut_draft_visual(s->draft, &s->visual);
}

static void see_joint(rutDraft* draft, int index) {
  static const char* const colours[] = {"#e2c58a", "#a9b2ba", "#e0a030", "#454b51"};
  const rutPlanarJointDef* def = rut_list_at(&draft->joint, index);
  const rutDraftJoint* joint = rut_list_at(&draft->joint_end, index);
  const JointKind kind = kind_of(def);
  Sight s = {.draft = draft, .joint = joint, .visual = {.mesh = -1, .vehicle = -1, .paint = -1}};
  for (int k = 1; k >= 0; k--) {
    s.held[k] = held_by(draft, joint->end[k]);
    if (joint->end[k].kind == RUT_CARRIER_VEHICLE) s.visual.vehicle = joint->end[k].index;
  }
  const double size = rut_min(size_of(&s.held[0]), size_of(&s.held[1]));
  s.radius = rut_clamp(THICK * size, THINNEST, THICKEST);
  find_heights(&s);
  double colour[3] = {0};
  rut_linear_colour(colours[kind], colour);
  s.visual.surface = (rutSurface){rut_draft_instance(draft, joint->node),
                                  rut_draft_coloured(draft, RUT_MATERIAL_OBSTACLE, colour)};
  if (kind == HITCH_KIND) {
    see_hitch(&s);
  } else {
    see_distance(&s, kind, def->max_length);
  }
}

void rut_draft_joint_looks(rutDraft* draft) {
  if (draft->reporter->errors || !rut_draft_sees_looks(draft)) return;
  for (int i = 0; i < draft->joint.n; i++) see_joint(draft, i);
}
