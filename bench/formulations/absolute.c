// SPDX-License-Identifier: BSD-3-Clause
//
// Absolute coordinates: every body has six, every joint is constraints, and one sparse symmetric
// indefinite system gives accelerations and joint forces,
//   [M Phi^T; Phi 0] [v'; -lambda] = [Q; gamma].
// World axes, bodies at their centres of mass.
//
// Two solvers of SuiteSparse, both with the symbolic analysis done once. LDL takes the order that
// Baraff ("Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996) gives trees: a body,
// then the joint rows that it alone bears, and the chassis last; every pivot is then safe without
// search. KLU orders and pivots by itself.
#include <stdlib.h>
#include <string.h>

#include "base/dynamic.h"
#include "formulations.h"
#include "math/lanes.h"

#ifdef RUT_HAVE_SUITESPARSE
#include <suitesparse/klu.h>
#include <suitesparse/ldl.h>

enum { N = FORM_CORNERS, CORNER_BODIES = 5, BODIES = 1 + N * CORNER_BODIES };
enum { CORNER_ROWS = 28, ROWS = N * CORNER_ROWS, SIZE = 6 * BODIES + ROWS };
enum { MAX_ENTRIES = 8192, MAX_FACTOR = 32768, MAX_TERMS = 512 };
// Bodies of a corner, in the order of elimination; body 0 is the chassis.
enum { WHEEL, UPPER, LOWER, ROD, UPRIGHT };
// Blocks of joint rows of a corner: first row and number of each.
enum { SPIN_HINGE = 0, UPPER_HINGE = 5, LOWER_HINGE = 10, ROD_INNER = 15, ROD_STILL = 18 };
enum { UPPER_BALL = 19, LOWER_BALL = 22, ROD_OUTER = 25 };

typedef struct Body {
  double mass;
  rutSym3 inertia;  // in its own axes, those of the chassis at the design position
  rutVec3 x, v, omega, force, moment;
  rutQuat q;
  rutMat3 turn;
  rutSym3 now;  // inertia in world axes
} Body;

// Where the joints are, in the axes of the bodies that they hold, from their centres of mass.
typedef struct Joints {
  rutVec3 hub, axis, wheel_1, wheel_2;  // on the upright: hub, spin axis, two across it
  rutVec3 upper_hinge, upper_mount, upper_axis, upper_1, upper_2;  // on arm; on chassis
  rutVec3 lower_hinge, lower_mount, lower_axis, lower_1, lower_2;
  rutVec3 upper_ball, upper_end, lower_ball, lower_end;  // on arm; on upright
  rutVec3 inner, along, tie;  // rod's inner end from its centre; direction; outer end on upright
  rutVec3 end;                // inner end at the design position, on the chassis
} Joints;

// Six entries of a joint row and a body: places in the matrix and their values.
typedef struct Term {
  int place[6];
} Term;

typedef struct Absolute Absolute;
typedef struct Solver {
  bool (*prepare)(Absolute* a);
  bool (*solve)(Absolute* a, double* b);
  void (*release)(Absolute* a);
} Solver;

struct Absolute {
  formVehicle vehicle;
  formKinematics kinematics;
  formSteer steer;
  formForces forces;
  Body body[BODIES];
  Joints joint[N];
  formEnd end[N];
  double bias[ROWS], gap[ROWS];
  rutVec3 change[2 * BODIES];  // v', omega'
  // equations: unknown numbers of bodies and rows, upper triangle in columns
  int body_at[BODIES], row_at[ROWS];
  int start[SIZE + 1], index[MAX_ENTRIES], mass_place[BODIES][21], terms;
  Term term[MAX_TERMS];
  double value[MAX_ENTRIES], side[SIZE];
  const Solver* solver;
  // LDL
  int parent[SIZE], count[SIZE], flag[SIZE], pattern[SIZE], factor_start[SIZE + 1];
  int factor_index[MAX_FACTOR];
  double factor[MAX_FACTOR], diagonal[SIZE], work[SIZE];
  // KLU: both triangles, and where each entry of the upper one goes
  klu_common common;
  klu_symbolic* symbolic;
  klu_numeric* numeric;
  int full_start[SIZE + 1], full_index[2 * MAX_ENTRIES], full_place[2][MAX_ENTRIES];
  double full[2 * MAX_ENTRIES];
};

static int body_of(int corner, int part) { return 1 + corner * CORNER_BODIES + part; }

// ---- the matrix's pattern ----

// Bodies of each block of rows of a corner; -1 none.
static const struct Block {
  int first, rows, one, other;  // part of the corner, or CORNER_BODIES for the chassis
} block[] = {{SPIN_HINGE, 5, WHEEL, UPRIGHT},
             {UPPER_HINGE, 5, UPPER, CORNER_BODIES},
             {LOWER_HINGE, 5, LOWER, CORNER_BODIES},
             {ROD_INNER, 3, ROD, CORNER_BODIES},
             {ROD_STILL, 1, ROD, -1},
             {UPPER_BALL, 3, UPPER, UPRIGHT},
             {LOWER_BALL, 3, LOWER, UPRIGHT},
             {ROD_OUTER, 3, ROD, UPRIGHT}};
enum { BLOCKS = sizeof block / sizeof block[0] };

static int part_body(int corner, int part) {
  return part == CORNER_BODIES ? 0 : body_of(corner, part);
}

// Numbers the unknowns in the order in which they are eliminated.
static void number_unknowns(Absolute* a) {
  static const int first[5] = {SPIN_HINGE, UPPER_HINGE, LOWER_HINGE, ROD_INNER, UPPER_BALL};
  static const int rows[5] = {5, 5, 5, 4, 9};
  int at = 0;
  for (int c = 0; c < N; c++) {
    for (int part = 0; part < CORNER_BODIES; part++) {
      a->body_at[body_of(c, part)] = at;
      at += 6;
      for (int r = 0; r < rows[part]; r++) a->row_at[c * CORNER_ROWS + first[part] + r] = at++;
    }
  }
  a->body_at[0] = at;
}

// Marks of the upper triangle's entries, one byte each.
static void mark(unsigned char* used, int i, int j) {
  used[(i < j ? j : i) * SIZE + (i < j ? i : j)] = 1;
}
static void mark_pattern(const Absolute* a, unsigned char* used) {
  for (int b = 0; b < BODIES; b++) {
    const int at = a->body_at[b];
    for (int i = 0; i < 3; i++) mark(used, at + i, at + i);
    for (int i = 3; i < 6; i++) {
      for (int j = 3; j <= i; j++) mark(used, at + i, at + j);
    }
  }
  for (int c = 0; c < N; c++) {
    for (int k = 0; k < BLOCKS; k++) {
      for (int r = 0; r < block[k].rows; r++) {
        const int row = a->row_at[c * CORNER_ROWS + block[k].first + r];
        const int part[2] = {block[k].one, block[k].other};
        for (int p = 0; p < 2 && part[p] >= 0; p++) {
          for (int i = 0; i < 6; i++) mark(used, row, a->body_at[part_body(c, part[p])] + i);
        }
        mark(used, row, row);
      }
    }
  }
}

static int place_of(const Absolute* a, int i, int j) {
  const int column = i < j ? j : i, row = i < j ? i : j;
  int at = a->start[column];
  while (a->index[at] != row) at++;
  return at;
}

// Terms in the order in which rows are filled: corner, block, row, body.
static void find_places(Absolute* a) {
  a->terms = 0;
  for (int c = 0; c < N; c++) {
    for (int k = 0; k < BLOCKS; k++) {
      for (int r = 0; r < block[k].rows; r++) {
        const int row = a->row_at[c * CORNER_ROWS + block[k].first + r];
        const int part[2] = {block[k].one, block[k].other};
        for (int p = 0; p < 2 && part[p] >= 0; p++) {
          Term* t = &a->term[a->terms++];
          const int at = a->body_at[part_body(c, part[p])];
          for (int i = 0; i < 6; i++) t->place[i] = place_of(a, row, at + i);
        }
      }
    }
  }
  for (int b = 0; b < BODIES; b++) {
    const int at = a->body_at[b];
    int n = 0;
    for (int i = 0; i < 3; i++) a->mass_place[b][n++] = place_of(a, at + i, at + i);
    for (int i = 3; i < 6; i++) {
      for (int j = 3; j <= i; j++) a->mass_place[b][n++] = place_of(a, at + i, at + j);
    }
  }
}

static bool lay_pattern(Absolute* a) {
  unsigned char* used = calloc((size_t)SIZE * SIZE, 1);
  if (!used) return false;
  number_unknowns(a);
  mark_pattern(a, used);
  int n = 0;
  for (int j = 0; j < SIZE; j++) {
    a->start[j] = n;
    for (int i = 0; i <= j; i++) {
      if (used[j * SIZE + i] && n < MAX_ENTRIES) a->index[n++] = i;
    }
  }
  a->start[SIZE] = n;
  free(used);
  if (n == MAX_ENTRIES) return false;
  find_places(a);
  return true;
}

// ---- LDL ----

// Functions of the libraries, found when first asked for.
static struct Library {
  void (*ldl_symbolic)(int, int*, int*, int*, int*, int*, int*, int*, int*);
  int (*ldl_numeric)(int, int*, int*, double*, int*, int*, int*, int*, double*, double*, double*,
                     int*, int*, int*, int*);
  void (*ldl_lsolve)(int, double*, int*, int*, double*);
  void (*ldl_dsolve)(int, double*, double*);
  void (*ldl_ltsolve)(int, double*, int*, int*, double*);
  int (*klu_defaults)(klu_common*);
  klu_symbolic* (*klu_analyze)(int, int*, int*, klu_common*);
  klu_numeric* (*klu_factor)(int*, int*, double*, klu_symbolic*, klu_common*);
  int (*klu_refactor)(int*, int*, double*, klu_symbolic*, klu_numeric*, klu_common*);
  int (*klu_solve)(klu_symbolic*, klu_numeric*, int, int, double*, klu_common*);
  int (*klu_free_symbolic)(klu_symbolic**, klu_common*);
  int (*klu_free_numeric)(klu_numeric**, klu_common*);
} library;

static bool ldl_prepare(Absolute* a) {
  const rutSymbol symbol[] = {{"ldl_symbolic", &library.ldl_symbolic},
                              {"ldl_numeric", &library.ldl_numeric},
                              {"ldl_lsolve", &library.ldl_lsolve},
                              {"ldl_dsolve", &library.ldl_dsolve},
                              {"ldl_ltsolve", &library.ldl_ltsolve}};
  if (!rut_dynamic_load(RUT_LDL_LIBRARY, symbol, sizeof symbol / sizeof symbol[0])) return false;
  library.ldl_symbolic(SIZE, a->start, a->index, a->factor_start, a->parent, a->count, a->flag,
                       NULL, NULL);
  return a->factor_start[SIZE] <= MAX_FACTOR;
}

static bool ldl_run(Absolute* a, double* b) {
  const int done = library.ldl_numeric(SIZE, a->start, a->index, a->value, a->factor_start,
                                       a->parent, a->count, a->factor_index, a->factor, a->diagonal,
                                       a->work, a->pattern, a->flag, NULL, NULL);
  if (done != SIZE) return false;
  library.ldl_lsolve(SIZE, b, a->factor_start, a->factor_index, a->factor);
  library.ldl_dsolve(SIZE, b, a->diagonal);
  library.ldl_ltsolve(SIZE, b, a->factor_start, a->factor_index, a->factor);
  return true;
}
void form_absolute_pivots(const void* self, int* positive, int* negative) {
  const Absolute* a = self;
  *positive = *negative = 0;
  for (int i = 0; i < SIZE; i++) {
    *positive += a->diagonal[i] > 0;
    *negative += a->diagonal[i] < 0;
  }
}
static void ldl_release(Absolute* a) { (void)a; }
static const Solver ldl_solver = {ldl_prepare, ldl_run, ldl_release};

// ---- KLU ----

// Both triangles, columns in order, and the places of each upper entry in them.
static void lay_full(Absolute* a) {
  int count[SIZE + 1] = {0};
  for (int j = 0; j < SIZE; j++) {
    for (int k = a->start[j]; k < a->start[j + 1]; k++) {
      count[j]++;
      if (a->index[k] != j) count[a->index[k]]++;
    }
  }
  for (int j = 0, n = 0; j <= SIZE; j++) {
    a->full_start[j] = n;
    n += count[j];
    count[j] = a->full_start[j];
  }
  // entries of a column arrive in order of rows: above the diagonal first
  for (int j = 0; j < SIZE; j++) {
    for (int k = a->start[j]; k < a->start[j + 1]; k++) {
      a->full_place[0][k] = count[j];
      a->full_index[count[j]++] = a->index[k];
    }
    for (int k = a->start[j]; k < a->start[j + 1]; k++) {
      const int i = a->index[k];
      a->full_place[1][k] = i == j ? a->full_place[0][k] : count[i];
      if (i != j) a->full_index[count[i]++] = j;
    }
  }
}

static bool klu_prepare(Absolute* a) {
  const rutSymbol symbol[] = {{"klu_defaults", &library.klu_defaults},
                              {"klu_analyze", &library.klu_analyze},
                              {"klu_factor", &library.klu_factor},
                              {"klu_refactor", &library.klu_refactor},
                              {"klu_solve", &library.klu_solve},
                              {"klu_free_symbolic", &library.klu_free_symbolic},
                              {"klu_free_numeric", &library.klu_free_numeric}};
  if (!rut_dynamic_load(RUT_KLU_LIBRARY, symbol, sizeof symbol / sizeof symbol[0])) return false;
  lay_full(a);
  library.klu_defaults(&a->common);
  a->common.btf = 0;
  a->common.scale = -1;
  a->symbolic = library.klu_analyze(SIZE, a->full_start, a->full_index, &a->common);
  return a->symbolic != NULL;
}

static bool klu_run(Absolute* a, double* b) {
  for (int k = 0; k < a->start[SIZE]; k++) {
    a->full[a->full_place[0][k]] = a->full[a->full_place[1][k]] = a->value[k];
  }
  bool good;
  if (a->numeric) {
    good = library.klu_refactor(a->full_start, a->full_index, a->full, a->symbolic, a->numeric,
                                &a->common) != 0;
  } else {
    // the first matrix chooses the pivots
    a->numeric = library.klu_factor(a->full_start, a->full_index, a->full, a->symbolic, &a->common);
    good = a->numeric != NULL;
  }
  return good && library.klu_solve(a->symbolic, a->numeric, SIZE, 1, b, &a->common) != 0;
}

static void klu_release(Absolute* a) {
  if (a->numeric) library.klu_free_numeric(&a->numeric, &a->common);
  if (a->symbolic) library.klu_free_symbolic(&a->symbolic, &a->common);
}
static const Solver klu_solver = {klu_prepare, klu_run, klu_release};

// ---- vehicle ----

static rutVec3 across_of(rutVec3 u) {
  const rutVec3 far = rut_abs(u.x) < 0.7 ? rut_vec3(1, 0, 0) : rut_vec3(0, 0, 1);
  return rut_vec3_unit(rut_vec3_cross(u, far));
}

static void lay_bodies(Absolute* a, int corner) {
  const formVehicle* v = &a->vehicle;
  const formCorner* c = &v->corner[corner];
  const double js = v->wheel_spin, jt = v->wheel_transverse;
  const double length = rut_vec3_norm(rut_vec3_sub(c->tie_outer, c->tie_inner));
  // a rod that does not spin has the same motion with a sphere's inertia as with a slender rod's
  const double j = v->rod_mass * length * length / 12;
  Body* b = &a->body[body_of(corner, 0)];
  b[WHEEL] = (Body){.mass = v->wheel_mass, .inertia = {jt, js, jt, 0, 0, 0}};
  b[UPPER] = (Body){.mass = v->upper_mass, .inertia = c->upper_inertia};
  b[LOWER] = (Body){.mass = v->lower_mass, .inertia = c->lower_inertia};
  b[UPRIGHT] = (Body){.mass = v->upright_mass, .inertia = c->upright_inertia};
  b[ROD] = (Body){.mass = v->rod_mass, .inertia = {j, j, j, 0, 0, 0}};
}

static void lay_joints(Absolute* a, int corner) {
  const formCorner* c = &a->vehicle.corner[corner];
  Joints* j = &a->joint[corner];
  const rutVec3 rod = rut_vec3_scale(rut_vec3_add(c->tie_inner, c->tie_outer), 0.5);
  j->hub = rut_vec3_sub(c->hub, c->upright_com);
  j->axis = rut_vec3(0, 1, 0);
  j->wheel_1 = rut_vec3(1, 0, 0);
  j->wheel_2 = rut_vec3(0, 0, 1);
  j->upper_hinge = rut_vec3_sub(c->upper_foot, c->upper_com);
  j->upper_mount = c->upper_foot;
  j->upper_axis = c->upper_axis;
  j->upper_1 = across_of(c->upper_axis);
  j->upper_2 = rut_vec3_cross(c->upper_axis, j->upper_1);
  j->lower_hinge = rut_vec3_sub(c->lower_foot, c->lower_com);
  j->lower_mount = c->lower_foot;
  j->lower_axis = c->lower_axis;
  j->lower_1 = across_of(c->lower_axis);
  j->lower_2 = rut_vec3_cross(c->lower_axis, j->lower_1);
  j->upper_ball = rut_vec3_sub(c->upper_ball, c->upper_com);
  j->upper_end = rut_vec3_sub(c->upper_ball, c->upright_com);
  j->lower_ball = rut_vec3_sub(c->lower_ball, c->lower_com);
  j->lower_end = rut_vec3_sub(c->lower_ball, c->upright_com);
  j->inner = rut_vec3_sub(c->tie_inner, rod);
  j->along = rut_vec3_unit(rut_vec3_sub(c->tie_outer, c->tie_inner));
  j->tie = rut_vec3_sub(c->tie_outer, c->upright_com);
  j->end = c->tie_inner;
}

static void absolute_destroy(void* self) {
  Absolute* a = self;
  if (a) a->solver->release(a);
  free(a);
}

static void* absolute_make(const formVehicle* v, const Solver* solver) {
  Absolute* a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->solver = solver;
  a->vehicle = *v;
  a->body[0] = (Body){.mass = v->mass, .inertia = v->inertia};
  for (int c = 0; c < N; c++) {
    lay_bodies(a, c);
    lay_joints(a, c);
  }
  if (!form_kinematics(v, &a->kinematics) || !lay_pattern(a) || !solver->prepare(a)) {
    absolute_destroy(a);
    return NULL;
  }
  return a;
}
static void* make_ldl(const formVehicle* v) { return absolute_make(v, &ldl_solver); }
static void* make_klu(const formVehicle* v) { return absolute_make(v, &klu_solver); }

// ---- state ----

static void set_body(const Body* chassis, rutMat3 turn, const formPose* p, Body* b) {
  const rutVec3 omega = rut_mat3_apply_transposed(turn, chassis->omega);
  const rutVec3 v = rut_vec3_add(rut_vec3_cross(omega, p->com), p->velocity);
  b->x = rut_vec3_add(chassis->x, rut_mat3_apply(turn, p->com));
  b->v = rut_vec3_add(chassis->v, rut_mat3_apply(turn, v));
  b->omega = rut_vec3_add(chassis->omega, rut_mat3_apply(turn, p->turning));
  b->q = rut_quat_of_matrix(rut_mat3_mul(turn, p->turn));
}

static void set_corner(Absolute* a, int corner, const formState* s, const formSteer* steer) {
  static const int part[FORM_MEMBERS] = {LOWER, UPPER, UPRIGHT, ROD};
  formPose p[FORM_MEMBERS];
  const rutMat3 turn = rut_quat_matrix(s->attitude);
  form_members(&a->kinematics, &a->vehicle, corner, s->q[corner], s->rate[corner], steer, p);
  Body* b = &a->body[body_of(corner, 0)];
  for (int m = 0; m < FORM_MEMBERS; m++) set_body(&a->body[0], turn, &p[m], &b[part[m]]);
  const rutVec3 along = rut_quat_rotate(b[ROD].q, a->joint[corner].along);
  b[ROD].omega = rut_vec3_add_scaled(b[ROD].omega, -rut_vec3_dot(along, b[ROD].omega), along);
  // the wheel turns with its carrier but for the spin
  const rutVec3 hub = rut_quat_rotate(b[UPRIGHT].q, a->joint[corner].hub);
  const rutVec3 axis = rut_quat_rotate(b[UPRIGHT].q, a->joint[corner].axis);
  const double along_axis = rut_vec3_dot(axis, b[UPRIGHT].omega);
  b[WHEEL].x = rut_vec3_add(b[UPRIGHT].x, hub);
  b[WHEEL].v = rut_vec3_add(b[UPRIGHT].v, rut_vec3_cross(b[UPRIGHT].omega, hub));
  b[WHEEL].omega = rut_vec3_add_scaled(b[UPRIGHT].omega, s->spin[corner] - along_axis, axis);
  b[WHEEL].q = b[UPRIGHT].q;
}

static void absolute_set(void* self, const formState* s, const formSteer* steer) {
  Absolute* a = self;
  Body* b = &a->body[0];
  b->x = s->position;
  b->v = s->velocity;
  b->q = s->attitude;
  b->omega = rut_quat_rotate(s->attitude, s->omega);
  a->steer = *steer;
  for (int c = 0; c < N; c++) set_corner(a, c, s, steer);
}

// Angle and rate of the lower arm against the chassis.
static void lower_angle(const Absolute* a, int corner, double* angle, double* rate) {
  const Body *chassis = &a->body[0], *arm = &a->body[body_of(corner, LOWER)];
  const Joints* j = &a->joint[corner];
  const rutMat3 to =
      rut_mat3_mul(rut_mat3_transpose(rut_quat_matrix(chassis->q)), rut_quat_matrix(arm->q));
  const rutVec3 now = rut_mat3_apply(to, j->lower_1);
  *angle = rut_atan2(rut_vec3_dot(now, j->lower_2), rut_vec3_dot(now, j->lower_1));
  const rutVec3 axis = rut_quat_rotate(chassis->q, j->lower_axis);
  *rate = rut_vec3_dot(axis, rut_vec3_sub(arm->omega, chassis->omega));
}

static void absolute_get(const void* self, formState* s) {
  const Absolute* a = self;
  const Body* b = &a->body[0];
  s->position = b->x;
  s->velocity = b->v;
  s->attitude = b->q;
  s->omega = rut_quat_rotate(rut_quat_conjugate(b->q), b->omega);
  for (int c = 0; c < N; c++) {
    const Body* wheel = &a->body[body_of(c, WHEEL)];
    lower_angle(a, c, &s->q[c], &s->rate[c]);
    s->spin[c] = rut_vec3_dot(wheel->omega, rut_quat_rotate(wheel->q, a->joint[c].axis));
  }
}

// ---- joints ----

typedef struct Filler {
  Absolute* a;
  int term, row;
} Filler;

static void fill_term(Filler* f, rutVec3 linear, rutVec3 angular) {
  const int* at = f->a->term[f->term++].place;
  double* value = f->a->value;
  value[at[0]] = linear.x;
  value[at[1]] = linear.y;
  value[at[2]] = linear.z;
  value[at[3]] = angular.x;
  value[at[4]] = angular.y;
  value[at[5]] = angular.z;
}
static void end_row(Filler* f, double bias, double rate, double gap) {
  static const double PULL = FORM_STABILISATION;
  f->a->bias[f->row] = -bias - 2 * PULL * rate - PULL * PULL * gap;
  f->a->gap[f->row++] = gap;
}

// A point of a body: from its centre of mass, its velocity, and its acceleration at constant rates.
typedef struct Point {
  rutVec3 arm, at, v, a;
} Point;
static Point point_of(const Body* b, rutVec3 own) {
  const rutVec3 arm = rut_mat3_apply(b->turn, own), swing = rut_vec3_cross(b->omega, arm);
  return (Point){arm, rut_vec3_add(b->x, arm), rut_vec3_add(b->v, swing),
                 rut_vec3_cross(b->omega, swing)};
}

// Three rows: points coincide.
static void fill_point(Filler* f, Point one, Point other) {
  const rutVec3 p = one.arm, q = other.arm;
  const rutVec3 gap = rut_vec3_sub(one.at, other.at), rate = rut_vec3_sub(one.v, other.v);
  const rutVec3 bias = rut_vec3_sub(one.a, other.a);
  fill_term(f, rut_vec3(1, 0, 0), rut_vec3(0, p.z, -p.y));
  fill_term(f, rut_vec3(-1, 0, 0), rut_vec3(0, -q.z, q.y));
  end_row(f, bias.x, rate.x, gap.x);
  fill_term(f, rut_vec3(0, 1, 0), rut_vec3(-p.z, 0, p.x));
  fill_term(f, rut_vec3(0, -1, 0), rut_vec3(q.z, 0, -q.x));
  end_row(f, bias.y, rate.y, gap.y);
  fill_term(f, rut_vec3(0, 0, 1), rut_vec3(p.y, -p.x, 0));
  fill_term(f, rut_vec3(0, 0, -1), rut_vec3(-q.y, q.x, 0));
  end_row(f, bias.z, rate.z, gap.z);
}

// One row: an axis of one body stays across a direction of the other.
static void fill_across(Filler* f, const Body* one, rutVec3 axis, const Body* other, rutVec3 way) {
  const rutVec3 u = rut_mat3_apply(one->turn, axis), p = rut_mat3_apply(other->turn, way);
  const rutVec3 g = rut_vec3_cross(u, p), turns = rut_vec3_sub(one->omega, other->omega);
  const rutVec3 change = rut_vec3_add(rut_vec3_cross(rut_vec3_cross(one->omega, u), p),
                                      rut_vec3_cross(u, rut_vec3_cross(other->omega, p)));
  const rutVec3 none = rut_vec3(0, 0, 0);
  fill_term(f, none, g);
  fill_term(f, none, rut_vec3_scale(g, -1));
  end_row(f, rut_vec3_dot(change, turns), rut_vec3_dot(g, turns), rut_vec3_dot(u, p));
}

// The inner end of the rod: a point that moves on the chassis as the linkage is told.
static Point end_point(const Body* chassis, formEnd end) {
  Point p = point_of(chassis, end.at);
  const rutVec3 rate = rut_mat3_apply(chassis->turn, end.rate);
  const rutVec3 change = rut_mat3_apply(chassis->turn, end.change);
  p.v = rut_vec3_add(p.v, rate);
  p.a = rut_vec3_add(rut_vec3_add(p.a, change),
                     rut_vec3_scale(rut_vec3_cross(chassis->omega, rate), 2));
  return p;
}

// Rows in the order of the blocks.
static void fill_corner(Filler* f, int corner) {
  Absolute* a = f->a;
  const Joints* j = &a->joint[corner];
  const Body *chassis = &a->body[0], *b = &a->body[body_of(corner, 0)];
  const Body *wheel = &b[WHEEL], *upper = &b[UPPER], *lower = &b[LOWER], *upright = &b[UPRIGHT];
  const Body* rod = &b[ROD];
  fill_point(f, point_of(wheel, rut_vec3(0, 0, 0)), point_of(upright, j->hub));
  fill_across(f, wheel, j->axis, upright, j->wheel_1);
  fill_across(f, wheel, j->axis, upright, j->wheel_2);
  fill_point(f, point_of(upper, j->upper_hinge), point_of(chassis, j->upper_mount));
  fill_across(f, upper, j->upper_axis, chassis, j->upper_1);
  fill_across(f, upper, j->upper_axis, chassis, j->upper_2);
  fill_point(f, point_of(lower, j->lower_hinge), point_of(chassis, j->lower_mount));
  fill_across(f, lower, j->lower_axis, chassis, j->lower_1);
  fill_across(f, lower, j->lower_axis, chassis, j->lower_2);
  fill_point(f, point_of(rod, j->inner), end_point(chassis, a->end[corner]));
  const rutVec3 along = rut_mat3_apply(rod->turn, j->along);
  fill_term(f, rut_vec3(0, 0, 0), along);
  end_row(f, 0, rut_vec3_dot(along, rod->omega), 0);
  fill_point(f, point_of(upper, j->upper_ball), point_of(upright, j->upper_end));
  fill_point(f, point_of(lower, j->lower_ball), point_of(upright, j->lower_end));
  fill_point(f, point_of(rod, rut_vec3_scale(j->inner, -1)), point_of(upright, j->tie));
}

// ---- evaluation ----

static void absolute_update(void* self, const formSteer* steer) {
  Absolute* a = self;
  const formVehicle* v = &a->vehicle;
  const rutVec3 along = rut_vec3_cross(v->axis, v->arm);
  double sine, cosine;
  rut_sincos(steer->s, &sine, &cosine);
  a->steer = *steer;
  for (int b = 0; b < BODIES; b++) {
    Body* body = &a->body[b];
    const rutMat3 r = body->turn = rut_quat_matrix(body->q);
    body->now = rut_sym3_turned(body->inertia, rut_vec3(r.m[0], r.m[3], r.m[6]),
                                rut_vec3(r.m[1], r.m[4], r.m[7]), rut_vec3(r.m[2], r.m[5], r.m[8]));
  }
  Filler f = {a, 0, 0};
  for (int c = 0; c < N; c++) {
    a->end[c] =
        form_inner_end(a->joint[c].end, v->arm, along, v->corner[c].gain, steer, sine, cosine);
    fill_corner(&f, c);
  }
}

static void absolute_hubs(const void* self, formHubs* out) {
  const Absolute* a = self;
  for (int c = 0; c < N; c++) {
    const Body* wheel = &a->body[body_of(c, WHEEL)];
    const rutVec3 axis = rut_mat3_apply(wheel->turn, a->joint[c].axis);
    rut_store_vec3(out->position, N, c, wheel->x);
    rut_store_vec3(out->velocity, N, c, wheel->v);
    rut_store_vec3(out->axis, N, c, axis);
    out->spin[c] = rut_vec3_dot(axis, wheel->omega);
  }
}

static void push(Body* b, rutVec3 arm, rutVec3 force) {
  b->force = rut_vec3_add(b->force, force);
  b->moment = rut_vec3_add(b->moment, rut_vec3_cross(arm, force));
}

// Spring or damper between a point of the chassis and one of the lower arm.
static void push_strut(Absolute* a, const formCorner* c, Body* lower, rutVec3 top, rutVec3 foot,
                       bool damper) {
  Body* chassis = &a->body[0];
  const Point p = point_of(chassis, top), q = point_of(lower, rut_vec3_sub(foot, c->lower_com));
  const rutVec3 d = rut_vec3_sub(q.at, p.at);
  const double length = rut_vec3_norm(d);
  const rutVec3 way = rut_vec3_scale(d, 1 / length);
  const double rate = rut_vec3_dot(way, rut_vec3_sub(q.v, p.v));
  const double force =
      damper ? form_damper(&a->vehicle, c, length, rate) : form_spring(&a->vehicle, c, length);
  push(lower, q.arm, rut_vec3_scale(way, force));
  push(chassis, p.arm, rut_vec3_scale(way, -force));
}

static void absolute_apply(void* self, const formForces* f) {
  Absolute* a = self;
  const rutVec3 none = rut_vec3(0, 0, 0);
  for (int b = 0; b < BODIES; b++) {
    a->body[b].force = rut_vec3(0, 0, -a->vehicle.gravity * a->body[b].mass);
    a->body[b].moment = none;
  }
  Body* chassis = &a->body[0];
  chassis->force = rut_vec3_add(chassis->force, f->force);
  chassis->moment = f->moment;
  for (int i = 0; i < N; i++) {
    const formCorner* c = &a->vehicle.corner[i];
    Body* b = &a->body[body_of(i, 0)];
    const rutVec3 axis = rut_mat3_apply(b[WHEEL].turn, a->joint[i].axis);
    push(&b[WHEEL], none, rut_load_vec3(f->hub_force, N, i));
    const rutVec3 moment = rut_load_vec3(f->hub_moment, N, i);
    b[WHEEL].moment = rut_vec3_add_scaled(moment, f->torque[i] + f->drive[i], axis);
    b[UPRIGHT].moment = rut_vec3_scale(axis, -f->torque[i]);
    chassis->moment = rut_vec3_add_scaled(chassis->moment, -f->drive[i], axis);
    push_strut(a, c, &b[LOWER], c->spring_top, c->spring_foot, false);
    push_strut(a, c, &b[LOWER], c->damper_top, c->damper_foot, true);
  }
}

static void absolute_accelerate(void* self) {
  Absolute* a = self;
  double* side = a->side;
  for (int b = 0; b < BODIES; b++) {
    const Body* body = &a->body[b];
    const rutSym3 j = body->now;
    const double m = body->mass;
    const double entry[9] = {m, m, m, j.xx, j.xy, j.yy, j.xz, j.yz, j.zz};
    for (int k = 0; k < 9; k++) a->value[a->mass_place[b][k]] = entry[k];
    const rutVec3 gyro = rut_vec3_cross(body->omega, rut_sym3_apply(j, body->omega));
    rut_vec3_put(body->force, side + a->body_at[b]);
    rut_vec3_put(rut_vec3_sub(body->moment, gyro), side + a->body_at[b] + 3);
  }
  // rows were filled block by block
  int row = 0;
  for (int c = 0; c < N; c++) {
    for (int k = 0; k < BLOCKS; k++) {
      for (int r = 0; r < block[k].rows; r++) {
        side[a->row_at[c * CORNER_ROWS + block[k].first + r]] = a->bias[row++];
      }
    }
  }
  if (!a->solver->solve(a, side)) {
    for (int i = 0; i < SIZE; i++) side[i] = (double)NAN;
  }
  for (int b = 0; b < BODIES; b++) {
    a->change[2 * b] = rut_vec3_of(side + a->body_at[b]);
    a->change[2 * b + 1] = rut_vec3_of(side + a->body_at[b] + 3);
  }
}

static void absolute_result(const void* self, formAcceleration* out) {
  const Absolute* a = self;
  const Body* chassis = &a->body[0];
  const rutMat3 turn = chassis->turn;
  out->linear = rut_mat3_apply_transposed(turn, a->change[0]);
  out->angular = rut_mat3_apply_transposed(turn, a->change[1]);
  for (int c = 0; c < N; c++) {
    const int lower = body_of(c, LOWER), wheel = body_of(c, WHEEL), upright = body_of(c, UPRIGHT);
    const rutVec3 axis = rut_mat3_apply(turn, a->joint[c].lower_axis);
    const rutVec3 swing = rut_vec3_sub(a->body[lower].omega, chassis->omega);
    const rutVec3 change = rut_vec3_sub(rut_vec3_sub(a->change[2 * lower + 1], a->change[1]),
                                        rut_vec3_cross(chassis->omega, swing));
    const rutVec3 spin_axis = rut_mat3_apply(a->body[wheel].turn, a->joint[c].axis);
    out->slide[c] = rut_vec3_dot(axis, change);
    out->hub[c] = rut_mat3_apply_transposed(turn, a->change[2 * wheel]);
    out->carrier[c] = rut_mat3_apply_transposed(turn, a->change[2 * upright + 1]);
    out->spin[c] = rut_vec3_dot(spin_axis, a->change[2 * wheel + 1]);
  }
}

static void absolute_integrate(void* self, double h) {
  Absolute* a = self;
  for (int b = 0; b < BODIES; b++) {
    Body* body = &a->body[b];
    body->v = rut_vec3_add_scaled(body->v, h, a->change[2 * b]);
    body->omega = rut_vec3_add_scaled(body->omega, h, a->change[2 * b + 1]);
    body->x = rut_vec3_add_scaled(body->x, h, body->v);
    // omega is in world axes
    body->q =
        rut_quat_unit(rut_quat_mul(rut_quat_of_turn(rut_vec3_scale(body->omega, h)), body->q));
  }
}

static double absolute_closure(const void* self) {
  const Absolute* a = self;
  double worst = 0;
  for (int r = 0; r < ROWS; r++) worst = rut_max(worst, rut_abs(a->gap[r]));
  return worst;
}
#define AVAILABLE(function) function
#else
#define AVAILABLE(function) NULL
enum { N = FORM_CORNERS, BODIES = 1 + 5 * N, ROWS = 28 * N, SIZE = 6 * BODIES + ROWS };
static void* unavailable(const formVehicle* v) {
  (void)v;
  return NULL;
}
void form_absolute_pivots(const void* self, int* positive, int* negative) {
  (void)self;
  *positive = *negative = 0;
}
#define make_ldl            unavailable
#define make_klu            unavailable
#endif

#define METHOD(solver, text)                        \
  const formMethod form_absolute_##solver = {       \
      .name = "absolute_" #solver,                  \
      .doc = text,                                  \
      .coordinates = 6 * BODIES,                    \
      .constraints = ROWS,                          \
      .equations = SIZE,                            \
      .make = make_##solver,                        \
      .destroy = AVAILABLE(absolute_destroy),       \
      .set = AVAILABLE(absolute_set),               \
      .get = AVAILABLE(absolute_get),               \
      .update = AVAILABLE(absolute_update),         \
      .hubs = AVAILABLE(absolute_hubs),             \
      .apply = AVAILABLE(absolute_apply),           \
      .accelerate = AVAILABLE(absolute_accelerate), \
      .result = AVAILABLE(absolute_result),         \
      .integrate = AVAILABLE(absolute_integrate),   \
      .closure = AVAILABLE(absolute_closure),       \
  }
METHOD(ldl, "all bodies, all joints by multipliers (FA), LDL in the order of the tree");
METHOD(klu, "the same with KLU's own order and pivots");
