// SPDX-License-Identifier: BSD-3-Clause
//
// Constraint embedding: what rut itself steps with (src/suspension/double_wishbone_corner.c and
// src/mbd/corners.c), called as the simulator calls it.
#include <stdlib.h>
#include <string.h>

#include "formulations.h"
#include "math/lanes.h"
#include "mbd/corners.h"

extern const rutSuspensionType rut_suspension_double_wishbone;
static const rutSuspensionType* const type = &rut_suspension_double_wishbone;

enum { N = FORM_CORNERS, PARAMS = 512, SCRATCH = 4096 };

// Rows of input per wheel that rut_corners_accelerate reads.
// clang-format off
#define WHEEL_ROWS(X)                                                                       \
  X(momentum) X(held) X(coupling) X(along_x) X(along_y) X(along_z)                          \
  X(fx) X(fy) X(fz) X(mx) X(my) X(mz) X(torque) X(lift) X(soft)                             \
  X(wxx) X(wyy) X(wzz) X(wxy) X(wxz) X(wyz)
#define OWN_ROWS(X) X(drive) X(spin_yield) X(spin_force) X(spin_free) X(spin_turn)
// clang-format on
enum {
#define X(name) ROW_##name,
  WHEEL_ROWS(X) OWN_ROWS(X)
#undef X
      ROW_COUNT
};

typedef struct Embedded {
  formVehicle vehicle;
  formKinematics kinematics;
  double mass[N], gain[N], slides[N];
  double wheel_mass[N], spin[N], transverse[N];
  rutSliders body;
  double inertia[6];
  formState state;
  formSteer steer;
  rutMat3 turn;  // chassis to world
  double corner[RUT_CORNER_ROW_COUNT * N], row[ROW_COUNT * N], scratch[SCRATCH];
  double omega[3], gravity[3], force[3], moment[3];
  double alpha[3], acceleration[3], slide[N], hub[3 * N], about[N], shaft[N], effort;
} Embedded;

static rutVec3 corner_row(const Embedded* e, int first, int w) {
  return rut_load_vec3(e->corner + (size_t)first * N, N, w);
}
#define CORNER(e, name, w) corner_row(e, RUT_CORNER_##name##_x, w)

// ---- parameters of the product's suspension ----

typedef struct Params {
  double value[PARAMS];
  int used;
} Params;

static int field_of(const char* name) {
  int at = 0;
  while (at < type->base.fields && strcmp(type->base.field[at].name, name) != 0) at++;
  return at;
}
static void set_number(Params* p, const char* name, double value) {
  p->value[field_of(name)] = value;
}
static void set_list(Params* p, const char* name, int n, const double* list) {
  p->value[field_of(name)] = p->used;
  p->value[p->used++] = n;
  for (int i = 0; i < n; i++) p->value[p->used++] = list[i];
}
static void set_table(Params* p, const char* name, const formTable* t) {
  double xy[2 * FORM_TABLE];
  for (int i = 0; i < t->n; i++) {
    xy[2 * i] = t->x[i];
    xy[2 * i + 1] = t->force[i];
  }
  set_list(p, name, 2 * t->n, xy);
}
// A point of a left corner, as the suspension wants it: x from the axle, y and z from the vehicle's
// reference point.
static void set_point(Params* p, const char* name, const formVehicle* v, const formCorner* c,
                      rutVec3 at) {
  const double list[3] = {at.x - c->hub.x, c->side * (at.y + v->com.y), at.z + v->com.z};
  set_list(p, name, 3, list);
}

static void set_points(const formVehicle* v, const formCorner* c, Params* p) {
  set_point(p, "upper_front", v, c, c->upper_front);
  set_point(p, "upper_rear", v, c, c->upper_rear);
  set_point(p, "upper_ball", v, c, c->upper_ball);
  set_point(p, "upper_com", v, c, c->upper_com);
  set_point(p, "lower_front", v, c, c->lower_front);
  set_point(p, "lower_rear", v, c, c->lower_rear);
  set_point(p, "lower_ball", v, c, c->lower_ball);
  set_point(p, "lower_com", v, c, c->lower_com);
  set_point(p, "upright_com", v, c, c->upright_com);
  set_point(p, "tie_rod_inner", v, c, c->tie_inner);
  set_point(p, "tie_rod_outer", v, c, c->tie_outer);
  set_point(p, "spring_top", v, c, c->spring_top);
  set_point(p, "spring_foot", v, c, c->spring_foot);
  set_point(p, "damper_top", v, c, c->damper_top);
  set_point(p, "damper_foot", v, c, c->damper_foot);
}

static void set_params(const formVehicle* v, const formCorner* c, Params* p) {
  memset(p, 0, sizeof *p);
  p->used = type->base.fields;
  for (int i = 0; i < type->base.fields; i++) p->value[i] = type->base.field[i].def;
  set_points(v, c, p);
  const double arm[3] = {v->arm.x, v->arm.y, v->arm.z}, axis[3] = {v->axis.x, v->axis.y, v->axis.z};
  set_list(p, "steering_arm", 3, arm);
  set_list(p, "steering_axis", 3, axis);
  set_list(p, "upper_inertia", 3, v->upper_moment);
  set_list(p, "lower_inertia", 3, v->lower_moment);
  set_list(p, "upright_inertia", 3, v->upright_moment);
  set_table(p, "spring", &c->spring);
  set_table(p, "stop", &v->stop);
  set_number(p, "upper_mass", v->upper_mass);
  set_number(p, "lower_mass", v->lower_mass);
  set_number(p, "upright_mass", v->upright_mass);
  set_number(p, "tie_rod_mass", v->rod_mass);
  set_number(p, "free_length", c->free_length);
  set_number(p, "bump_length", c->bump_length);
  set_number(p, "rebound_length", c->rebound_length);
  set_number(p, "compression_damping", c->compression);
  set_number(p, "rebound_damping", c->rebound);
  set_number(p, "zone_short", v->zone_short);
  set_number(p, "zone_long", v->zone_long);
  set_number(p, "zone_compression_damping", c->zone_compression);
  set_number(p, "zone_rebound_damping", c->zone_rebound);
}

static bool derive_corner(const formVehicle* v, int w, double* constant) {
  const formCorner* c = &v->corner[w];
  Params p;
  rutError err = {0};
  double range[2];
  set_params(v, c, &p);
  const rutCornerPlace place = {
      .side = c->side,
      .hub = {c->hub.x + v->com.x, c->hub.y + v->com.y, c->hub.z + v->com.z},
      .origin = {v->com.x, v->com.y, v->com.z},
      .steer_range = 0.5};
  return type->derive(p.value, &place, constant + w, range, &err) == RUT_OK;
}

bool form_kinematics(const formVehicle* v, formKinematics* kinematics) {
  bool good = type->constants <= FORM_CONSTANTS;
  for (int w = 0; good && w < N; w++) good = derive_corner(v, w, kinematics->constant);
  return good;
}

// ---- formulation ----

static void* embedded_make(const formVehicle* v) {
  Embedded* e = calloc(1, sizeof *e);
  if (!e || !form_kinematics(v, &e->kinematics)) {
    free(e);
    return NULL;
  }
  e->vehicle = *v;
  for (int w = 0; w < N; w++) {
    e->mass[w] = v->lower_mass + v->upper_mass + v->upright_mass + v->rod_mass;
    e->wheel_mass[w] = v->wheel_mass;
    e->spin[w] = v->wheel_spin;
    e->transverse[w] = v->wheel_transverse;
    e->slides[w] = 1;
    e->gain[w] = v->corner[w].gain;
    e->row[ROW_along_x * N + w] = e->row[ROW_spin_turn * N + w] = 1;
  }
  const rutSym3 j = v->inertia;
  const double inertia[6] = {j.xx, j.yy, j.zz, j.xy, j.xz, j.yz};
  memcpy(e->inertia, inertia, sizeof inertia);
  e->body = (rutSliders){.wheels = N,
                         .lanes = 1,
                         .n = N,
                         .mass = &e->vehicle.mass,
                         .inertia = e->inertia,
                         .slides = e->slides,
                         .wheel_mass = e->wheel_mass,
                         .spin = e->spin,
                         .transverse = e->transverse};
  return e;
}

static void embedded_set(void* self, const formState* state, const formSteer* steer) {
  Embedded* e = self;
  e->state = *state;
  e->steer = *steer;
}
static void embedded_get(const void* self, formState* state) {
  *state = ((const Embedded*)self)->state;
}

static void embedded_update(void* self, const formSteer* steer) {
  Embedded* e = self;
  const formState* s = &e->state;
  double in[8][N];
  e->steer = *steer;
  e->turn = rut_quat_matrix(s->attitude);
  const rutVec3 fall = rut_mat3_apply_transposed(e->turn, rut_vec3(0, 0, -e->vehicle.gravity));
  rut_vec3_put(fall, e->gravity);
  rut_vec3_put(s->omega, e->omega);
  for (int w = 0; w < N; w++) {
    in[0][w] = e->gain[w] * steer->s;
    in[1][w] = e->gain[w] * steer->rate;
    for (int i = 0; i < 3; i++) {
      in[2 + i][w] = e->omega[i];
      in[5 + i][w] = e->gravity[i];
    }
  }
  const rutCornerIn from = {e->kinematics.constant,
                            s->q,
                            s->rate,
                            in[0],
                            in[1],
                            in[2],
                            in[3],
                            in[4],
                            in[5],
                            in[6],
                            in[7],
                            false};
  type->corner(&from, e->corner, N);
}

static void embedded_hubs(const void* self, formHubs* out) {
  const Embedded* e = self;
  const formState* s = &e->state;
  for (int w = 0; w < N; w++) {
    const rutVec3 r = CORNER(e, hub, w), move = CORNER(e, move_v, w);
    const rutVec3 v = rut_vec3_add(rut_vec3_cross(s->omega, r), move);
    rut_store_vec3(out->position, N, w, rut_vec3_add(s->position, rut_mat3_apply(e->turn, r)));
    rut_store_vec3(out->velocity, N, w, rut_vec3_add(s->velocity, rut_mat3_apply(e->turn, v)));
    rut_store_vec3(out->axis, N, w, rut_mat3_apply(e->turn, CORNER(e, axis, w)));
    out->spin[w] = s->spin[w];
  }
}

static void embedded_apply(void* self, const formForces* f) {
  Embedded* e = self;
  double* row = e->row;
  rut_vec3_put(rut_mat3_apply_transposed(e->turn, f->force), e->force);
  rut_vec3_put(rut_mat3_apply_transposed(e->turn, f->moment), e->moment);
  for (int w = 0; w < N; w++) {
    const rutVec3 force = rut_load_vec3(f->hub_force, N, w);
    const rutVec3 moment = rut_load_vec3(f->hub_moment, N, w);
    rut_store_vec3(row + ROW_fx * N, N, w, rut_mat3_apply_transposed(e->turn, force));
    rut_store_vec3(row + ROW_mx * N, N, w, rut_mat3_apply_transposed(e->turn, moment));
    row[ROW_torque * N + w] = f->torque[w];
    row[ROW_drive * N + w] = f->drive[w];
    row[ROW_lift * N + w] = e->corner[RUT_CORNER_force * N + w];
    row[ROW_momentum * N + w] = e->spin[w] * e->state.spin[w];
  }
}

static void embedded_accelerate(void* self) {
  Embedded* e = self;
  double* row = e->row;
  const rutCornersIn in = {.chassis = {e->omega, e->gravity, e->force, e->moment, NULL},
                           .corner = e->corner,
                           .mass = e->mass,
                           .steer_gain = e->gain,
                           .steer_change = &e->steer.change,
#define X(name) .wheel.name = row + (size_t)ROW_##name * N,
                           WHEEL_ROWS(X)
#undef X
#define X(name) .name = row + (size_t)ROW_##name * N,
                               OWN_ROWS(X)
#undef X
  };
  const rutCornersOut out = {e->alpha,       e->acceleration, e->slide, e->hub,    e->hub + N,
                             e->hub + 2 * N, e->about,        e->shaft, &e->effort};
  rut_corners_accelerate(&e->body, &in, e->scratch, &out);
}

// The wheels' spins: torques and the moment about the axis over the moment of inertia.
static double spin_change(const Embedded* e, int w) {
  const double* row = e->row;
  const rutVec3 moment = rut_load_vec3(row + ROW_mx * N, N, w);
  const double about = rut_vec3_dot(moment, CORNER(e, axis, w));
  return (about + row[ROW_torque * N + w] + row[ROW_drive * N + w]) / e->spin[w];
}

static void embedded_result(const void* self, formAcceleration* out) {
  const Embedded* e = self;
  const rutVec3 omega = e->state.omega;
  out->linear = rut_vec3_of(e->acceleration);
  out->angular = rut_vec3_of(e->alpha);
  for (int w = 0; w < N; w++) {
    const rutVec3 still =
        rut_vec3_add(CORNER(e, rest_w, w), rut_vec3_cross(omega, CORNER(e, move_w, w)));
    const rutVec3 moved = rut_vec3_add_scaled(rut_vec3_scale(CORNER(e, hub_w, w), e->slide[w]),
                                              e->gain[w] * e->steer.change, CORNER(e, steer_w, w));
    out->slide[w] = e->slide[w];
    out->hub[w] = rut_load_vec3(e->hub, N, w);
    out->carrier[w] = rut_vec3_add(out->angular, rut_vec3_add(still, moved));
    out->spin[w] = spin_change(e, w);
  }
}

static void embedded_integrate(void* self, double h) {
  Embedded* e = self;
  formState* s = &e->state;
  const rutVec3 a = rut_mat3_apply(e->turn, rut_vec3_of(e->acceleration));
  s->velocity = rut_vec3_add_scaled(s->velocity, h, a);
  s->omega = rut_vec3_add_scaled(s->omega, h, rut_vec3_of(e->alpha));
  s->position = rut_vec3_add_scaled(s->position, h, s->velocity);
  s->attitude =
      rut_quat_unit(rut_quat_mul(s->attitude, rut_quat_of_turn(rut_vec3_scale(s->omega, h))));
  for (int w = 0; w < N; w++) {
    s->spin[w] += h * spin_change(e, w);
    s->rate[w] += h * e->slide[w];
    s->q[w] += h * s->rate[w];
  }
}

// ---- poses of the bodies, which the other formulations start from ----

static formPose pose_of(const rutCornerBody* now, const rutCornerBody* design) {
  const rutMat3 turn =
      rut_mat3_mul(rut_mat3_of(now->attitude), rut_mat3_transpose(rut_mat3_of(design->attitude)));
  return (formPose){rut_vec3_of(now->position), rut_vec3_of(now->velocity),
                    rut_vec3_of(now->angular_velocity), turn};
}

void form_members(const formKinematics* kinematics, const formVehicle* v, int corner, double q,
                  double rate, const formSteer* steer, formPose out[FORM_MEMBERS]) {
  rutCornerBody now[RUT_MAX_CORNER_BODIES], design[RUT_MAX_CORNER_BODIES];
  const double* at = kinematics->constant + corner;
  const double gain = v->corner[corner].gain;
  // in the order of the enumeration
  type->bodies(at, q, rate, gain * steer->s, gain * steer->rate, now);
  type->bodies(at, 0, 0, 0, 0, design);
  for (int m = 0; m < FORM_MEMBERS; m++) out[m] = pose_of(&now[m], &design[m]);
}

// Place of a point of the design on a body of now.
static rutVec3 carried(const formPose* p, rutVec3 design, rutVec3 com) {
  return rut_vec3_add(p->com, rut_mat3_apply(p->turn, rut_vec3_sub(design, com)));
}

// Joints are met by construction, to rounding: largest distance of points that they hold together.
static double embedded_closure(const void* self) {
  const Embedded* e = self;
  double worst = 0;
  for (int w = 0; w < N; w++) {
    const formCorner* c = &e->vehicle.corner[w];
    formPose p[FORM_MEMBERS];
    form_members(&e->kinematics, &e->vehicle, w, e->state.q[w], 0, &e->steer, p);
    const rutVec3 rod = rut_vec3_scale(rut_vec3_add(c->tie_inner, c->tie_outer), 0.5);
    const rutVec3 gap[3] = {rut_vec3_sub(carried(&p[FORM_LOWER], c->lower_ball, c->lower_com),
                                         carried(&p[FORM_UPRIGHT], c->lower_ball, c->upright_com)),
                            rut_vec3_sub(carried(&p[FORM_UPPER], c->upper_ball, c->upper_com),
                                         carried(&p[FORM_UPRIGHT], c->upper_ball, c->upright_com)),
                            rut_vec3_sub(carried(&p[FORM_ROD], c->tie_outer, rod),
                                         carried(&p[FORM_UPRIGHT], c->tie_outer, c->upright_com))};
    for (int g = 0; g < 3; g++) worst = rut_max(worst, rut_vec3_norm(gap[g]));
  }
  return worst;
}

const formMethod form_embedded = {
    .name = "embedded",
    .doc = "constraint embedding (CE), as rut steps",
    .coordinates = 14,
    .constraints = 0,
    .equations = 6,
    .make = embedded_make,
    .destroy = free,
    .set = embedded_set,
    .get = embedded_get,
    .update = embedded_update,
    .hubs = embedded_hubs,
    .apply = embedded_apply,
    .accelerate = embedded_accelerate,
    .result = embedded_result,
    .integrate = embedded_integrate,
    .closure = embedded_closure,
};
