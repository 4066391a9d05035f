// SPDX-License-Identifier: BSD-3-Clause
//
// Chrono's GenericWheeledSuspension: bodies, joints, distance constraints and springs between them,
// as many as there are. Two arms on axes of the chassis with ball joints at an upright are a double
// wishbone. Of others the motion at the design position is found: each body has six velocities,
// joints are linear conditions, and the hub rises at 1; the rates of the springs at the wheel and
// the share of each mass that moves with it follow.
#include <stdlib.h>
#include <string.h>

#include "format/chrono.h"
#include "math/quat.h"

enum { MAX_BODIES = 12, UNKNOWNS = 6 * MAX_BODIES, MAX_ROWS = 256, GROUND = -1 };
static const double PIVOT_SPREAD = 0.1;  // of the two points on an arm's axis, from its middle [m]

typedef struct Body {
  const char* name;
  const rutJsonValue* json;
  bool mirrored;  // there is one on each side
  rutVec3 com;
  rutVec3 v, w;  // of the point at the chassis's origin, and of rotation, as the hub rises at 1
} Body;

typedef struct Generic {
  rutChronoPart* part;
  rutVec3 at, hub;
  rutChronoSuspension* out;
  int bodies, upright;
  Body body[MAX_BODIES];
  int rows;
  double (*row)[UNKNOWNS + 1];  // [MAX_ROWS]
} Generic;

// ---- the lists of the file ----

static const rutJsonValue* list_of(const Generic* g, const char* key) {
  const rutJsonValue* list = rut_json_find(g->part->root, key);
  return list && list->kind == RUT_JSON_ARRAY ? list->first : NULL;
}

// Nullable: object.
static const char* text_of(const rutJsonValue* object, const char* key) {
  const rutJsonValue* value = object ? rut_json_find(object, key) : NULL;
  return value ? value->text : "";
}

// The chassis, the steering and whatever is no body of the file stand still.
static int body_of(const Generic* g, const char* name) {
  for (int i = 0; i < g->bodies; i++) {
    if (strcmp(g->body[i].name, name) == 0) return i;
  }
  return GROUND;
}

static rutVec3 place(const Generic* g, const rutJsonValue* object, const char* key) {
  rutVec3 p;
  rut_chrono_vector(g->part, object, key, &p);
  return rut_vec3_add(p, g->at);
}

// Axes of a body or joint.
static rutMat3 axes_of(const Generic* g, const rutJsonValue* object) {
  double q[4] = {1, 0, 0, 0};
  rut_json_list(&g->part->maker, object, object->key, "Rotation", 4, q);
  const double norm = rut_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(norm > 1e-6)) return rut_mat3_identity();
  const rutQuat turn = {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
  return rut_quat_matrix(turn);
}

static rutVec3 axis(rutMat3 axes, int k) {
  return rut_vec3(axes.m[k], axes.m[3 + k], axes.m[6 + k]);
}

static void read_bodies(Generic* g) {
  rutJsonMaker* m = &g->part->maker;
  for (const rutJsonValue* item = list_of(g, "Bodies"); item; item = item->next) {
    if (item->kind != RUT_JSON_OBJECT) continue;
    if (g->bodies == MAX_BODIES) {
      rut_json_error(m, item, "Bodies", "a suspension has at most %d bodies", MAX_BODIES);
      return;
    }
    g->body[g->bodies++] = (Body){.name = text_of(item, "Name"),
                                  .json = item,
                                  .mirrored = rut_json_flag(m, item, "", "Mirrored", false),
                                  .com = place(g, item, "Position")};
  }
  const rutJsonValue* spindle = rut_chrono_object(g->part, g->part->root, "Spindle", true);
  g->upright = body_of(g, text_of(spindle, "Attachment Body"));
  if (spindle) g->hub = place(g, spindle, "COM");
  if (spindle && g->upright < 0) {
    rut_json_error(m, spindle, "Attachment Body", "there is no body '%.60s' in 'Bodies'",
                   text_of(spindle, "Attachment Body"));
  }
}

// ---- a double wishbone ----

// The other body of a joint of `body`, and the joint; -2 if it is none of its.
static int across(const Generic* g, const rutJsonValue* joint, int body) {
  const int a = body_of(g, text_of(joint, "Body1")), b = body_of(g, text_of(joint, "Body2"));
  if (a == b) return -2;
  return a == body ? b : b == body ? a : -2;
}

// The arm that a body is. False if it is none between chassis and upright.
static bool read_arm(const Generic* g, int index, rutChronoArm* arm) {
  const rutJsonValue *pivot = NULL, *ball = NULL;
  for (const rutJsonValue* j = list_of(g, "Joints"); j; j = j->next) {
    const int other = across(g, j, index);
    if (other == -2) continue;
    const char* type = text_of(j, "Type");
    const bool turns = other == GROUND && strcmp(type, "Revolute") == 0;
    if (turns && !pivot) {
      pivot = j;
    } else if (other == g->upright && strcmp(type, "Spherical") == 0 && !ball) {
      ball = j;
    } else {
      return false;
    }
  }
  if (!pivot || !ball) return false;
  const rutVec3 middle = place(g, pivot, "Position");
  rutVec3 along = axis(axes_of(g, pivot), 2);
  if (along.x < 0) along = rut_vec3_scale(along, -1);
  arm->front = rut_vec3_add_scaled(middle, PIVOT_SPREAD, along);
  arm->rear = rut_vec3_add_scaled(middle, -PIVOT_SPREAD, along);
  arm->ball = place(g, ball, "Position");
  const rutJsonValue* json = g->body[index].json;
  const rutMat3 axes = axes_of(g, json);
  arm->com = g->body[index].com;
  arm->mass = rut_chrono_number(g->part, json, "Mass", 0, 0);
  const rutSym3 j = rut_sym3_turned(rut_chrono_inertia(g->part, json), axis(axes, 0), axis(axes, 1),
                                    axis(axes, 2));
  arm->inertia = rut_chrono_arm_moments(arm, j, true);
  return true;
}

// The rod that holds the upright, from whatever stands still.
static bool read_tie(const Generic* g, rutChronoSuspension* s) {
  const rutJsonValue* rod = list_of(g, "Distance Constraints");
  if (!rod || rod->next || across(g, rod, g->upright) != GROUND) return false;
  const bool first = body_of(g, text_of(rod, "Body1")) == g->upright;
  s->tie_outer = place(g, rod, first ? "Point1" : "Point2");
  s->tie_inner = place(g, rod, first ? "Point2" : "Point1");
  return true;
}

static bool springs(const rutJsonValue* tsda) {
  return rut_json_find(tsda, "Spring Coefficient") || rut_json_find(tsda, "Spring Curve Data");
}

static bool damps(const rutJsonValue* tsda) {
  return rut_json_find(tsda, "Damping Coefficient") || rut_json_find(tsda, "Damping Curve Data") ||
         rut_json_find(tsda, "Map Data");
}

// Spring and damper between two points, the second of which moves more.
static void take(const Generic* g, const rutJsonValue* tsda, bool reversed, bool spring) {
  const char* top = reversed ? "Point2" : "Point1";
  const char* foot = reversed ? "Point1" : "Point2";
  if (spring)
    rut_chrono_read_spring(g->part, tsda, (rutChronoEnds){top, foot}, g->at, &g->out->spring);
  if (!spring)
    rut_chrono_read_damper(g->part, tsda, (rutChronoEnds){top, foot}, g->at, &g->out->damper);
}

// Springs and dampers of a wishbone: one of each, between the chassis and the lower arm.
static bool stand_on(const Generic* g, int lower) {
  int spring = 0, damper = 0;
  for (const rutJsonValue* t = list_of(g, "TSDAs"); t; t = t->next) {
    if (across(g, t, lower) != GROUND) return false;
    spring += springs(t);
    damper += damps(t);
  }
  return spring == 1 && damper == 1;
}

static bool read_wishbone(Generic* g) {
  rutChronoSuspension s = *g->out;
  rutChronoArm arm[2];
  int index[2], arms = 0;
  if (g->bodies != 3 || !read_tie(g, &s)) return false;
  for (int i = 0; i < g->bodies; i++) {
    if (i == g->upright) continue;
    index[arms] = i;
    arm[arms] = (rutChronoArm){0};
    if (!g->body[i].mirrored || !read_arm(g, i, &arm[arms])) return false;
    arms++;
  }
  const int low = arm[0].ball.z < arm[1].ball.z ? 0 : 1;
  if (!stand_on(g, index[low])) return false;
  s.form = RUT_CHRONO_WISHBONE;
  s.lower = arm[low];
  s.upper = arm[1 - low];
  const Body* upright = &g->body[g->upright];
  const rutMat3 axes = axes_of(g, upright->json);
  const rutSym3 j = rut_sym3_turned(rut_chrono_inertia(g->part, upright->json), axis(axes, 0),
                                    axis(axes, 1), axis(axes, 2));
  s.upright_com = upright->com;
  s.upright_mass = rut_chrono_number(g->part, upright->json, "Mass", 0, 0);
  s.upright_inertia = rut_vec3(j.xx, j.yy, j.zz);
  *g->out = s;
  for (const rutJsonValue* t = list_of(g, "TSDAs"); t; t = t->next) {
    const bool reversed = body_of(g, text_of(t, "Body1")) != GROUND;
    if (springs(t)) take(g, t, reversed, true);
    if (damps(t)) take(g, t, reversed, false);
  }
  return true;
}

// ---- conditions of any other ----

// Add a velocity of a body to a row: of point p along a direction, or of rotation about it.
static void add_term(Generic* g, int body, rutVec3 direction, const rutVec3* p, double sign) {
  if (body < 0) return;
  double* row = g->row[g->rows] + 6 * (size_t)body;
  const rutVec3 moment = p ? rut_vec3_cross(*p, direction) : direction;
  if (p) {
    row[0] += sign * direction.x;
    row[1] += sign * direction.y;
    row[2] += sign * direction.z;
  }
  row[3] += sign * moment.x;
  row[4] += sign * moment.y;
  row[5] += sign * moment.z;
}

// Two bodies do not move against each other along a direction at p, or turn about it.
static void hold(Generic* g, const int body[2], rutVec3 direction, const rutVec3* p) {
  if (g->rows == MAX_ROWS) return;
  add_term(g, body[0], direction, p, -1);
  add_term(g, body[1], direction, p, 1);
  g->rows++;
}

// Which motions of a joint are held: along x, y, z, and about them.
static const char* held_by(const char* type) {
  static const struct {
    const char *name, *held;
  } joints[] = {{"Lock", "xyzXYZ"},    {"Revolute", "xyzXY"},   {"Spherical", "xyz"},
                {"Universal", "xyzZ"}, {"Cylindrical", "xyXY"}, {"Prismatic", "xyXYZ"},
                {"Point line", "yz"},  {"Point plane", "z"},    {"PointLine", "yz"},
                {"PointPlane", "z"}};
  for (int i = 0; i < RUT_COUNT_OF(joints); i++) {
    if (strcmp(type, joints[i].name) == 0) return joints[i].held;
  }
  return NULL;
}

static void add_joint(Generic* g, const rutJsonValue* joint) {
  const int body[2] = {body_of(g, text_of(joint, "Body1")), body_of(g, text_of(joint, "Body2"))};
  const char* held = held_by(text_of(joint, "Type"));
  if (!held) {
    rut_json_error(&g->part->maker, joint, "Type", "rut knows no joint of the type '%.60s'",
                   text_of(joint, "Type"));
    return;
  }
  const rutVec3 p = place(g, joint, "Position");
  const rutMat3 axes = axes_of(g, joint);
  for (; *held; held++) {
    const bool turns = *held < 'a';
    hold(g, body, axis(axes, turns ? *held - 'X' : *held - 'x'), turns ? NULL : &p);
  }
}

static void add_rod(Generic* g, const rutJsonValue* rod) {
  const int body[2] = {body_of(g, text_of(rod, "Body1")), body_of(g, text_of(rod, "Body2"))};
  const rutVec3 a = place(g, rod, "Point1"), b = place(g, rod, "Point2");
  const rutVec3 along = rut_vec3_unit(rut_vec3_sub(b, a));
  if (g->rows == MAX_ROWS) return;
  add_term(g, body[0], along, &a, -1);
  add_term(g, body[1], along, &b, 1);
  g->rows++;
}

static void add_conditions(Generic* g) {
  static const rutVec3 zero = {0, 0, 0};
  const rutVec3 x = rut_vec3(1, 0, 0), y = rut_vec3(0, 1, 0), z = rut_vec3(0, 0, 1);
  for (const rutJsonValue* j = list_of(g, "Joints"); j; j = j->next) add_joint(g, j);
  for (const rutJsonValue* r = list_of(g, "Distance Constraints"); r; r = r->next) add_rod(g, r);
  // what both sides share stays in the middle as both wheels rise
  for (int i = 0; i < g->bodies; i++) {
    const int body[2] = {GROUND, i};
    if (g->body[i].mirrored) continue;
    hold(g, body, y, &zero);
    hold(g, body, x, NULL);
    hold(g, body, z, NULL);
  }
  const int upright[2] = {GROUND, g->upright};
  hold(g, upright, z, &g->hub);
  if (g->rows > 0) g->row[g->rows - 1][6 * (size_t)g->bodies] = 1;
}

// ---- their solution ----

static void swap_rows(Generic* g, int a, int b) {
  double keep[UNKNOWNS + 1];
  memcpy(keep, g->row[a], sizeof keep);
  memcpy(g->row[a], g->row[b], sizeof keep);
  memcpy(g->row[b], keep, sizeof keep);
}

// Gauss and Jordan with pivots. What is not determined, as a rod's turn about itself, stays 0.
// False if the hub cannot rise.
static bool solve(Generic* g) {
  static const double LEAST = 1e-7;
  const int n = 6 * g->bodies;
  int pivot[UNKNOWNS], rank = 0;
  for (int k = 0; k < n; k++) {
    pivot[k] = -1;
    int best = rank;
    for (int i = rank; i < g->rows; i++) {
      if (rut_abs(g->row[i][k]) > rut_abs(g->row[best][k])) best = i;
    }
    if (rank == g->rows || !(rut_abs(g->row[best][k]) > LEAST)) continue;
    swap_rows(g, rank, best);
    for (int i = 0; i < g->rows; i++) {
      const double f = i == rank ? 0 : g->row[i][k] / g->row[rank][k];
      for (int j = k; f != 0 && j <= n; j++) g->row[i][j] -= f * g->row[rank][j];
    }
    pivot[k] = rank++;
  }
  for (int i = rank; i < g->rows; i++) {
    if (rut_abs(g->row[i][n]) > 1e-4) return false;
  }
  for (int k = 0; k < n; k++) {
    const double value = pivot[k] < 0 ? 0 : g->row[pivot[k]][n] / g->row[pivot[k]][k];
    Body* b = &g->body[k / 6];
    double* to = k % 6 < 3 ? &b->v.x : &b->w.x;
    to[k % 3] = value;
    if (!(rut_abs(value) < 100)) return false;
  }
  return true;
}

static rutVec3 velocity(const Generic* g, int body, rutVec3 p) {
  if (body < 0) return rut_vec3(0, 0, 0);
  return rut_vec3_add(g->body[body].v, rut_vec3_cross(g->body[body].w, p));
}

// Change of the length of a spring per rise of the hub.
static double ratio_of(const Generic* g, const rutJsonValue* tsda) {
  const rutVec3 a = place(g, tsda, "Point1"), b = place(g, tsda, "Point2");
  const rutVec3 va = velocity(g, body_of(g, text_of(tsda, "Body1")), a);
  const rutVec3 vb = velocity(g, body_of(g, text_of(tsda, "Body2")), b);
  return rut_vec3_dot(rut_vec3_sub(vb, va), rut_vec3_unit(rut_vec3_sub(b, a)));
}

// Masses: as much as has the same energy at the hub moves with it, the rest with the chassis.
static void share_masses(const Generic* g) {
  for (int i = 0; i < g->bodies; i++) {
    const Body* b = &g->body[i];
    const double mass = rut_chrono_number(g->part, b->json, "Mass", 0, 0) * (b->mirrored ? 1 : 0.5);
    const rutVec3 v = velocity(g, i, b->com);
    const double share = rut_clamp(rut_vec3_dot(v, v), 0, 1);
    g->out->link_mass += share * mass;
    g->out->chassis_mass += (1 - share) * mass;
  }
}

// One spring and one damper stand for all, with their rates at the wheel.
static void read_springs(Generic* g) {
  static const double LEAST_RATIO = 1e-2;
  double most[2] = {0, 0};
  const rutJsonValue* chosen[2] = {NULL, NULL};
  double rate[2] = {0, 0};
  int n[2] = {0, 0};
  for (const rutJsonValue* t = list_of(g, "TSDAs"); t; t = t->next) {
    const double ratio = ratio_of(g, t);
    for (int k = 0; k < 2; k++) {
      if (!(k ? damps(t) : springs(t)) || rut_abs(ratio) < LEAST_RATIO) continue;
      const double own =
          rut_chrono_number(g->part, t, k ? "Damping Coefficient" : "Spring Coefficient", 0, 0);
      rate[k] += ratio * ratio * own;
      n[k]++;
      if (chosen[k] && ratio * ratio * own <= most[k]) continue;
      chosen[k] = t;
      most[k] = ratio * ratio * own;
      *(k ? &g->out->ratio.damper : &g->out->ratio.spring) = ratio;
    }
  }
  for (int k = 0; k < 2; k++) {
    if (!chosen[k]) continue;
    const bool reversed = body_of(g, text_of(chosen[k], "Body2")) == GROUND;
    take(g, chosen[k], reversed, k == 0);
    if (n[k] == 1) continue;
    const double scale = most[k] > 0 ? rate[k] / most[k] : 1;
    if (k == 0) g->out->spring.rate *= scale;
    if (k == 1) g->out->damper.compression *= scale;
    if (k == 1) g->out->damper.rebound *= scale;
    rut_json_warn(&g->part->maker, chosen[k], "TSDAs",
                  "guessed: one %s with the rates of all %d stands where this one does",
                  k ? "damper" : "spring", n[k]);
  }
  if (g->out->spring.given) return;
  rut_json_error(&g->part->maker, g->part->root, "TSDAs",
                 "no spring in 'TSDAs' changes its length as the wheel rises");
}

static void read_slide(Generic* g) {
  rutJsonMaker* m = &g->part->maker;
  const int before = m->reporter->errors;
  g->row = calloc(MAX_ROWS, sizeof *g->row);
  if (!g->row) {
    rut_json_error(m, g->part->root, "Template", "out of memory");
    return;
  }
  add_conditions(g);
  if (m->reporter->errors == before && g->rows == MAX_ROWS) {
    rut_json_error(m, g->part->root, "Joints", "its joints have more than %d conditions",
                   MAX_ROWS - 1);
  }
  if (m->reporter->errors == before && !solve(g)) {
    rut_json_error(m, g->part->root, "Joints",
                   "its joints and distance constraints let the wheel not rise");
  }
  free(g->row);
  if (m->reporter->errors > before) return;
  g->out->form = RUT_CHRONO_GENERIC;
  read_springs(g);
  share_masses(g);
}

bool rut_chrono_read_generic(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out) {
  const int before = part->maker.reporter->errors;
  Generic g = {.part = part, .at = at, .out = out, .upright = GROUND};
  read_bodies(&g);
  if (part->maker.reporter->errors > before) return false;
  if (!read_wishbone(&g)) read_slide(&g);
  return part->maker.reporter->errors == before;
}
