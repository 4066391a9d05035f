// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on mechanisms: the accelerations obey Newton's and Euler's laws for all bodies together,
// and Jourdain's principle along every corner's coordinate. Accelerations of the bodies come from
// their positions by finite differences, so that nothing but the kinematics is shared.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/rng.h"
#include "mbd/corners.h"

extern const rutSuspensionType rut_suspension_double_wishbone;
static const rutSuspensionType* const type = &rut_suspension_double_wishbone;

enum { WHEELS = 4, PARAMS = 512, CONSTANTS = 400, DOF = 6 + WHEELS };

typedef struct V {
  double x, y, z;
} V;
static V v3(double x, double y, double z) { return (V){x, y, z}; }
static V of(const double a[3]) { return (V){a[0], a[1], a[2]}; }
static V add(V a, V b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static V scale(V a, double s) { return v3(a.x * s, a.y * s, a.z * s); }
static double dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static V cross(V a, V b) {
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// ---- vehicle ----

static const double chassis_mass = 2086.52;
static const double chassis_inertia[6] = {1078.52, 2955.66, 3570.2, 12, -30, 7};

typedef struct Vehicle {
  double param[PARAMS], constant[CONSTANTS * WHEELS], mass[WHEELS];
  rutSliders body;
  double wheel_mass[WHEELS], spin[WHEELS], transverse[WHEELS], slides[WHEELS], gain[WHEELS];
  int used;
} Vehicle;

static int field_of(const char* name) {
  for (int i = 0; i < type->base.fields; i++) {
    if (strcmp(type->base.field[i].name, name) == 0) return i;
  }
  fail_msg("no field %s", name);
  return 0;
}
static void set_text(Vehicle* c, const char* name, const char* text) {
  const int count = c->used++;
  int n = 0;
  for (char* end; n < 32; n++, text = end) {
    const double value = strtod(text, &end);
    if (end == text) break;
    c->param[c->used++] = value;
  }
  c->param[field_of(name)] = count;
  c->param[count] = n;
}

static void make_vehicle(Vehicle* c) {
  memset(c, 0, sizeof *c);
  c->used = type->base.fields;
  for (int i = 0; i < type->base.fields; i++) {
    const rutField* f = &type->base.field[i];
    c->param[i] = f->def;
    if (f->type == RUT_VECTOR || f->type == RUT_POINTS) set_text(c, f->name, f->text);
  }
  set_text(c, "steering_arm", "0.1223 0 -0.0409");
  set_text(c, "steering_axis", "-0.317 0 -0.948");
  c->param[field_of("tie_rod_mass")] = 6;
  for (int w = 0; w < WHEELS; w++) {
    const double side = w % 2 ? -1 : 1, x = w < 2 ? 1.65 : -1.65;
    const rutCornerPlace place = {.side = side,
                                  .hub = {x, side * 0.9097010, -0.0262890},
                                  .origin = {0.056, 0, 0.213},
                                  .steer_range = 0.5};
    double range[2];
    rutError err = {0};
    if (type->derive(c->param, &place, c->constant + w, range, &err) != RUT_OK) {
      fail_msg("%s", err.message);
    }
    c->mass[w] = c->constant[w];
    c->wheel_mass[w] = 71.105;
    c->spin[w] = 7.38782;
    c->transverse[w] = 4.34457;
    c->slides[w] = 1;
    c->gain[w] = w < 2 ? 1 : 0;
  }
  c->body = (rutSliders){.wheels = WHEELS,
                         .lanes = 1,
                         .n = WHEELS,
                         .mass = &chassis_mass,
                         .inertia = chassis_inertia,
                         .slides = c->slides,
                         .wheel_mass = c->wheel_mass,
                         .spin = c->spin,
                         .transverse = c->transverse};
}

// State, forces and what comes of them.
typedef struct Case {
  double q[WHEELS], qd[WHEELS], s, sd, sdd, w[WHEELS];
  V omega, gravity, force, moment;          // chassis axes
  V hub_force[WHEELS], hub_moment[WHEELS];  // moments without the part along the axis
  double torque[WHEELS], drive[WHEELS], lift[WHEELS];
  int shafts;
  double shaft_ratio[RUT_MAX_SHAFTS * WHEELS], inverse_inertia[RUT_MAX_SHAFTS],
      correction[RUT_MAX_SHAFTS];
} Case;
typedef struct Result {
  double alpha[3], acceleration[3], slide[WHEELS], hub[3][WHEELS], about[WHEELS], shaft[WHEELS];
  double effort, corner[RUT_CORNER_ROW_COUNT * WHEELS];
} Result;
#define ROW(r, name) ((r)->corner + (size_t)RUT_CORNER_##name * WHEELS)
static V row_at(const Result* r, int first, int w) {
  return v3(r->corner[first * WHEELS + w], r->corner[(first + 1) * WHEELS + w],
            r->corner[(first + 2) * WHEELS + w]);
}

static void corner_rows(const Vehicle* c, const Case* k, Result* r) {
  double in[10][WHEELS];
  for (int w = 0; w < WHEELS; w++) {
    const double value[10] = {k->q[w],      k->qd[w],    c->gain[w] * k->s, c->gain[w] * k->sd,
                              k->omega.x,   k->omega.y,  k->omega.z,        k->gravity.x,
                              k->gravity.y, k->gravity.z};
    for (int i = 0; i < 10; i++) in[i][w] = value[i];
  }
  const rutCornerIn from = {c->constant, in[0], in[1], in[2], in[3], in[4],
                            in[5],       in[6], in[7], in[8], in[9], false};
  type->corner(&from, r->corner, WHEELS);
}

static void accelerate(const Vehicle* c, const Case* k, Result* r) {
  enum { ROWS = 24 };
  double row[ROWS][WHEELS] = {{0}}, scratch[4000];
  assert_true(rut_corners_scratch(&c->body) <= 4000);
  corner_rows(c, k, r);
  for (int w = 0; w < WHEELS; w++) {
    const V axis = row_at(r, RUT_CORNER_axis_x, w);
    const V turning = add(k->omega, row_at(r, RUT_CORNER_move_w_x, w));
    const double value[ROWS] = {c->spin[w] * (k->w[w] + dot(axis, turning)),
                                0,
                                0,
                                1,
                                0,
                                0,
                                k->hub_force[w].x,
                                k->hub_force[w].y,
                                k->hub_force[w].z,
                                k->hub_moment[w].x,
                                k->hub_moment[w].y,
                                k->hub_moment[w].z,
                                k->torque[w],
                                k->drive[w],
                                k->lift[w],
                                0,
                                0,
                                1 / c->spin[w],
                                0,
                                (k->torque[w] + k->drive[w]) / c->spin[w],
                                0};
    for (int i = 0; i < ROWS; i++) row[i][w] = value[i];
  }
  const double omega[3] = {k->omega.x, k->omega.y, k->omega.z};
  const double gravity[3] = {k->gravity.x, k->gravity.y, k->gravity.z};
  const double force[3] = {k->force.x, k->force.y, k->force.z};
  const double moment[3] = {k->moment.x, k->moment.y, k->moment.z};
  const rutCornersIn in = {.chassis = {omega, gravity, force, moment, NULL},
                           .stride = 0,
                           .corner = r->corner,
                           .mass = c->mass,
                           .steer_gain = c->gain,
                           .steer_change = &k->sdd,
                           .wheel.momentum = row[0],
                           .wheel.held = row[1],
                           .wheel.coupling = row[2],
                           .wheel.along_x = row[3],
                           .wheel.along_y = row[4],
                           .wheel.along_z = row[5],
                           .wheel.fx = row[6],
                           .wheel.fy = row[7],
                           .wheel.fz = row[8],
                           .wheel.mx = row[9],
                           .wheel.my = row[10],
                           .wheel.mz = row[11],
                           .wheel.torque = row[12],
                           .drive = row[13],
                           .wheel.lift = row[14],
                           .wheel.soft = row[15],
                           .wheel.wxx = row[16],
                           .wheel.wyy = row[16],
                           .wheel.wzz = row[16],
                           .wheel.wxy = row[16],
                           .wheel.wxz = row[16],
                           .wheel.wyz = row[16],
                           .shafts = k->shafts,
                           .shaft_ratio = k->shaft_ratio,
                           .inverse_inertia = k->inverse_inertia,
                           .correction = k->correction,
                           .spin_yield = row[17],
                           .spin_force = row[18],
                           .spin_free = row[19],
                           .spin_turn = row[20]};
  const rutCornersOut out = {r->alpha,  r->acceleration, r->slide, r->hub[0], r->hub[1],
                             r->hub[2], r->about,        r->shaft, &r->effort};
  rut_corners_accelerate(&c->body, &in, scratch, &out);
}

// ---- all bodies in space ----

enum { BODIES = 1 + WHEELS * (RUT_MAX_CORNER_BODIES + 1) };
typedef struct Body {
  double mass;
  V p, l;  // position, and angular momentum about the centre of mass, in the frame of time 0
} Body;

static void turn_by(V u, double r[9]) {
  const double angle = sqrt(dot(u, u));
  const double s = angle > 1e-12 ? sin(angle) / angle : 1;
  const double c = angle > 1e-12 ? (1 - cos(angle)) / (angle * angle) : 0.5;
  const double a[3] = {u.x, u.y, u.z};
  const double skew[9] = {0, -u.z, u.y, u.z, 0, -u.x, -u.y, u.x, 0};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      r[3 * i + j] = (i == j ? 1 - c * angle * angle : 0) + s * skew[3 * i + j] + c * a[i] * a[j];
    }
  }
}
static V apply(const double r[9], V v) {
  return v3(r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
            r[6] * v.x + r[7] * v.y + r[8] * v.z);
}
static V apply_back(const double r[9], V v) {
  return v3(r[0] * v.x + r[3] * v.y + r[6] * v.z, r[1] * v.x + r[4] * v.y + r[7] * v.z,
            r[2] * v.x + r[5] * v.y + r[8] * v.z);
}
static V inertia_times(const double j[6], V v) {
  return v3(j[0] * v.x + j[3] * v.y + j[4] * v.z, j[3] * v.x + j[1] * v.y + j[5] * v.z,
            j[4] * v.x + j[5] * v.y + j[2] * v.z);
}

// Bodies at time t, the accelerations being constant in chassis axes to the order that counts. The
// rotation is exp(omega t + alpha t^2/2), exact to second order; its angular velocity likewise to
// first.
static int place(const Vehicle* c, const Case* k, const Result* r, double t, Body out[BODIES]) {
  Case now = *k;
  Result at;
  const V alpha = of(r->alpha), a = of(r->acceleration);
  double turn[9];
  turn_by(add(scale(k->omega, t), scale(alpha, 0.5 * t * t)), turn);
  const V omega = add(k->omega, scale(alpha, t)), origin = scale(a, 0.5 * t * t);
  now.s = k->s + k->sd * t + 0.5 * k->sdd * t * t;
  now.sd = k->sd + k->sdd * t;
  now.omega = omega;
  for (int w = 0; w < WHEELS; w++) {
    now.q[w] = k->q[w] + k->qd[w] * t + 0.5 * r->slide[w] * t * t;
    now.qd[w] = k->qd[w] + r->slide[w] * t;
  }
  corner_rows(c, &now, &at);
  int n = 0;
  out[n++] = (Body){chassis_mass, origin, apply(turn, inertia_times(c->body.inertia, omega))};
  for (int w = 0; w < WHEELS; w++) {
    rutCornerBody body[RUT_MAX_CORNER_BODIES];
    const int count = type->bodies(c->constant + w, now.q[w], now.qd[w], c->gain[w] * now.s,
                                   c->gain[w] * now.sd, body);
    for (int b = 0; b < count; b++) {
      const V whole = add(omega, of(body[b].angular_velocity));
      const V l = apply(body[b].attitude,
                        inertia_times(body[b].inertia, apply_back(body[b].attitude, whole)));
      out[n++] =
          (Body){body[b].mass, add(origin, apply(turn, of(body[b].position))), apply(turn, l)};
    }
    const V axis = row_at(&at, RUT_CORNER_axis_x, w);
    const V whole = add(omega, row_at(&at, RUT_CORNER_move_w_x, w));
    // the spin against the world: J w' = torques
    const V axis_0 = row_at(r, RUT_CORNER_axis_x, w);
    const V whole_0 = add(k->omega, row_at(r, RUT_CORNER_move_w_x, w));
    const double rate = (k->torque[w] + k->drive[w] + r->shaft[w]) / c->spin[w];
    const double spin = k->w[w] + dot(axis_0, whole_0) + rate * t;
    const V across = add(whole, scale(axis, -dot(axis, whole)));
    const V l = add(scale(across, c->transverse[w]), scale(axis, c->spin[w] * spin));
    out[n++] = (Body){c->wheel_mass[w], add(origin, apply(turn, row_at(&at, RUT_CORNER_hub_x, w))),
                      apply(turn, l)};
  }
  return n;
}

// Force of inertia of each body: m a, and the rate of its angular momentum, by differences of
// fourth order.
static int inertial(const Vehicle* c, const Case* k, const Result* r, Body out[BODIES]) {
  static const double t = 7e-4;
  static const double at[5] = {-2, -1, 0, 1, 2};
  static const double first[5] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  static const double second[5] = {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12};
  Body body[BODIES];
  int n = 0;
  for (int i = 0; i < 5; i++) {
    n = place(c, k, r, at[i] * t, body);
    for (int b = 0; b < n; b++) {
      if (i == 0) out[b] = (Body){body[b].mass, {0, 0, 0}, {0, 0, 0}};
      out[b].p = add(out[b].p, scale(body[b].p, body[b].mass * second[i] / (t * t)));
      out[b].l = add(out[b].l, scale(body[b].l, first[i] / t));
    }
  }
  return n;
}

// ---- tests ----

static double uniform(uint64_t* seed, double size) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return size * (2 * (double)(*seed >> 11) / 9007199254740992.0 - 1);
}
static V random_vector(uint64_t* seed, double size) {
  return v3(uniform(seed, size), uniform(seed, size), uniform(seed, size));
}

static void random_case(uint64_t* seed, const Vehicle* c, Case* k) {
  Result r;
  memset(k, 0, sizeof *k);
  k->s = uniform(seed, 0.4);
  k->sd = uniform(seed, 1);
  k->sdd = uniform(seed, 5);
  k->omega = random_vector(seed, 0.8);
  k->gravity = random_vector(seed, 9.81);
  k->force = random_vector(seed, 5000);
  k->moment = random_vector(seed, 5000);
  for (int w = 0; w < WHEELS; w++) {
    k->q[w] = uniform(seed, 0.2);
    k->qd[w] = uniform(seed, 1);
    k->w[w] = uniform(seed, 30);
    k->hub_force[w] = random_vector(seed, 8000);
    k->hub_moment[w] = random_vector(seed, 800);
    k->torque[w] = uniform(seed, 1000);
    k->drive[w] = uniform(seed, 1000);
    k->lift[w] = uniform(seed, 4000);
  }
  corner_rows(c, k, &r);
  for (int w = 0; w < WHEELS; w++) {
    const V a = row_at(&r, RUT_CORNER_axis_x, w);
    k->hub_moment[w] = add(k->hub_moment[w], scale(a, -dot(a, k->hub_moment[w])));
  }
}

// Sum of all forces, moments about the chassis's centre of mass, and power along each q.
static void check_laws(const Vehicle* c, const Case* k, const Result* r) {
  Body rate[BODIES], here[BODIES], low[BODIES], high[BODIES];
  const int n = inertial(c, k, r, rate);
  place(c, k, r, 0, here);
  V force = k->force, moment = k->moment;
  for (int b = 0; b < n; b++) {
    const V own = add(rate[b].p, scale(k->gravity, -here[b].mass));
    force = add(force, scale(own, -1));
    moment = add(moment, scale(add(rate[b].l, cross(here[b].p, own)), -1));
  }
  for (int w = 0; w < WHEELS; w++) {
    force = add(force, k->hub_force[w]);
    moment =
        add(moment, add(k->hub_moment[w], cross(row_at(r, RUT_CORNER_hub_x, w), k->hub_force[w])));
    // torques of drives that turn inside the vehicle push the shafts, which carry no momentum here
  }
  const double size = 1e4;
  assert_near(force.x, 0, 2e-7 * size);
  assert_near(force.y, 0, 2e-7 * size);
  assert_near(force.z, 0, 2e-7 * size);
  assert_near(moment.x, 0, 2e-7 * size);
  assert_near(moment.y, 0, 2e-7 * size);
  assert_near(moment.z, 0, 2e-7 * size);
  // Jourdain: the power of all forces less that of inertia, at a unit speed of one corner
  const double step = 1e-5;
  for (int w = 0; w < WHEELS; w++) {
    Case down = *k, up = *k;
    down.q[w] -= step;
    up.q[w] += step;
    place(c, &down, r, 0, low);
    place(c, &up, r, 0, high);
    double power = k->lift[w];
    const V hub_v = row_at(r, RUT_CORNER_hub_v_x, w), hub_w = row_at(r, RUT_CORNER_hub_w_x, w);
    power += dot(k->hub_force[w], hub_v) + dot(k->hub_moment[w], hub_w);
    // what the wheel's spin takes is along the axis, and the carrier's torque on it acts back
    const V axis = row_at(r, RUT_CORNER_axis_x, w);
    power += (k->drive[w] + r->shaft[w]) * dot(axis, hub_w);
    rutCornerBody b0[RUT_MAX_CORNER_BODIES];
    const double s = c->gain[w] * k->s;
    const int members = type->bodies(c->constant + w, k->q[w], 1, s, 0, b0);
    const int from = 1 + w * (members + 1);
    for (int b = 0; b <= members; b++) {
      const V own = add(rate[from + b].p, scale(k->gravity, -here[from + b].mass));
      const V v = scale(add(high[from + b].p, scale(low[from + b].p, -1)), 0.5 / step);
      const V turning = b < members ? of(b0[b].angular_velocity) : hub_w;
      power -= dot(own, v) + dot(rate[from + b].l, turning);
    }
    assert_near(power, 0, 2e-7 * size);
  }
}

static void test_newton_euler_jourdain(void** state) {
  static Vehicle c;
  uint64_t seed = 7;
  (void)state;
  make_vehicle(&c);
  for (int i = 0; i < 50; i++) {
    Case k;
    Result r;
    random_case(&seed, &c, &k);
    accelerate(&c, &k, &r);
    check_laws(&c, &k, &r);
  }
}

// Shafts: their torques are those of their inertia, and the laws hold with them. A shaft that
// cannot turn keeps its speed.
static void test_shafts(void** state) {
  static Vehicle c;
  uint64_t seed = 11;
  (void)state;
  make_vehicle(&c);
  for (int i = 0; i < 40; i++) {
    Case k;
    Result r;
    random_case(&seed, &c, &k);
    k.shafts = 1 + i % 4;
    for (int s = 0; s < k.shafts; s++) {
      for (int w = 0; w < WHEELS; w++) k.shaft_ratio[s * WHEELS + w] = uniform(&seed, 3);
      k.inverse_inertia[s] = s == 1 ? 0 : 0.3 + uniform(&seed, 0.2);
    }
    accelerate(&c, &k, &r);
    check_laws(&c, &k, &r);
    // what the shafts' speeds change by: of the wheels against the chassis
    double change[RUT_MAX_SHAFTS] = {0}, torque[WHEELS] = {0};
    for (int w = 0; w < WHEELS; w++) {
      const V a = row_at(&r, RUT_CORNER_axis_x, w), move = row_at(&r, RUT_CORNER_move_w_x, w);
      const double whole = (k.torque[w] + k.drive[w] + r.shaft[w]) / c.spin[w];
      const double against = whole - dot(a, of(r.alpha)) - dot(k.omega, cross(move, a));
      for (int s = 0; s < k.shafts; s++) change[s] += k.shaft_ratio[s * WHEELS + w] * against;
    }
    for (int s = 0; s < k.shafts; s++) {
      if (k.inverse_inertia[s] == 0) {
        assert_near(change[s], 0, 1e-8);
        continue;
      }
      for (int w = 0; w < WHEELS; w++) {
        torque[w] -= k.shaft_ratio[s * WHEELS + w] * change[s] / k.inverse_inertia[s];
      }
    }
    if (k.shafts == 1) {
      for (int w = 0; w < WHEELS; w++) assert_near(r.shaft[w], torque[w], 1e-8 * 1e4);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_newton_euler_jourdain),
      cmocka_unit_test(test_shafts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
