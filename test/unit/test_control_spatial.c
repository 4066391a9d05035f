// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers of vehicles on axles against closed forms and against a search over all forces.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "sim/spec/variables.h"

extern const rutControllerType rut_controller_p_gravity, rut_controller_cdta,
    rut_controller_waypoints;
static const rutControllerType* const p_gravity = &rut_controller_p_gravity;
static const rutControllerType* const cdta = &rut_controller_cdta;
static const rutControllerType* const waypoints = &rut_controller_waypoints;

#define PI 3.14159265358979323846
enum { MAX_NUMBERS = 1024, MAX_WHEELS = 6, LANES = 8, MAX_INPUTS = 6, MAX_STATES = 16 };
static const double M = 120, G = 9.81, R = 0.2, H = 0.35, AHEAD = 0.5, BEHIND = 0.4, HALF = 0.3;

// A controller of one vehicle: two wheels per axle, left first, axles from front to rear.
typedef struct Bench {
  const rutControllerType* type;
  int inputs, wheels, used;
  double param[MAX_NUMBERS], state[MAX_STATES], dt, command[4];
  double vx, yaw_rate, pitch, position[3], yaw;
  double load[MAX_WHEELS], slope[MAX_WHEELS], arm_x[MAX_WHEELS], arm_z[MAX_WHEELS];
  double grip[MAX_WHEELS], speed[MAX_WHEELS];
  double x[MAX_WHEELS], y[MAX_WHEELS], radius[MAX_WHEELS], inertia[MAX_WHEELS];
  int steered[MAX_WHEELS], driven[MAX_WHEELS];
  double gain, max_steer;
  double demand[MAX_INPUTS], steer, brake;
} Bench;

static void set(Bench* b, const char* field, double value) {
  for (int i = 0; i < b->type->base.fields; i++) {
    if (strcmp(b->type->base.field[i].name, field) == 0) {
      b->param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}
static void set_list(Bench* b, const char* field, int n, const double* number) {
  set(b, field, b->used);
  b->param[b->used++] = n;
  for (int i = 0; i < n; i++) b->param[b->used++] = number[i];
}

// Axles at the given places along the vehicle, on level ground.
static Bench bench_of(const rutControllerType* type, int axles, const double* x) {
  Bench b = {.type = type,
             .inputs = 2 * axles,
             .wheels = 2 * axles,
             .used = type->base.fields,
             .dt = 1e-3,
             .gain = 2 * axles,
             .max_steer = 1.5};
  for (int i = 0; i < type->base.fields; i++) b.param[i] = type->base.field[i].def;
  for (int w = 0; w < b.wheels; w++) {
    b.x[w] = b.arm_x[w] = x[w / 2];
    b.y[w] = w % 2 ? -HALF : HALF;
    b.arm_z[w] = -H;
    b.radius[w] = R;
    b.load[w] = M * G / b.wheels;
    b.driven[w] = 1;
    b.grip[w] = 0.8;
  }
  return b;
}
static Bench two_axles(const rutControllerType* type) {
  const double x[2] = {AHEAD, -BEHIND};
  Bench b = bench_of(type, 2, x);
  if (type == cdta) {
    set(&b, "curvature_time", 0);
    set(&b, "margin", 0);
    set(&b, "least_load", 0);
    // more than any that go with the forces, which are what the tests are about
    for (int w = 0; w < 4; w++) b.load[w] = 100 * M * G;
  }
  return b;
}

static rutVehicleLayout layout_of(const Bench* b) {
  static const double zero[MAX_WHEELS] = {0};
  // the last axle is fixed where the first is steered
  const double first = b->x[0], last = b->x[b->wheels - 1];
  const bool steers = b->steered[0];
  return (rutVehicleLayout){.wheels = b->wheels,
                            .x = b->x,
                            .y = b->y,
                            .radius = b->radius,
                            .mount_yaw = zero,
                            .inertia = b->inertia,
                            .steered = b->steered,
                            .driven = b->driven,
                            .left = b->wheels - 2,
                            .right = b->wheels - 1,
                            .front_left = 0,
                            .front_right = 1,
                            .rear_left = b->wheels - 2,
                            .rear_right = b->wheels - 1,
                            .steer_x = steers ? last : 0.5 * (first + last),
                            .steer_base = steers ? first - last : 0,
                            .max_steer = b->max_steer,
                            .mass = M,
                            .gravity = G,
                            .torque_gain = b->gain};
}

// One update of `lanes` vehicles, each like *b, whose outputs go to out.
static void update_lanes(const Bench* b, int lanes, double* state, Bench* out) {
  double command[4 * LANES], one[12][LANES], row[7][MAX_WHEELS * LANES], brake[LANES] = {0};
  double demand[MAX_INPUTS * LANES], steer[LANES], twist[3 * LANES], position[3 * LANES];
  for (int l = 0; l < lanes; l++) {
    const double measure[] = {b[l].vx, 0, b[l].yaw_rate, b[l].vx, 0, b[l].pitch, b[l].yaw, 0};
    for (int i = 0; i < 8; i++) one[i][l] = measure[i];
    for (int i = 0; i < 4; i++) command[i * lanes + l] = b[l].command[i];
    for (int i = 0; i < 3; i++) position[i * lanes + l] = b[l].position[i];
    for (int w = 0; w < b->wheels; w++) {
      const double wheel[] = {b[l].load[w],
                              b[l].slope[w],
                              b[l].arm_x[w],
                              b[l].arm_z[w],
                              b[l].grip[w],
                              b[l].speed[w],
                              0};
      for (int i = 0; i < 7; i++) row[i][w * lanes + l] = wheel[i];
    }
  }
  const rutControlIn in = {.lanes = lanes,
                           .demands = b->inputs,
                           .dt = b->dt,
                           .command = command,
                           .vx = one[0],
                           .vy = one[1],
                           .yaw_rate = one[2],
                           .odo_speed = one[3],
                           .odo_rate = one[4],
                           .pitch = one[5],
                           .speed = row[5],
                           .steer = row[6],
                           .position = position,
                           .yaw = one[6],
                           .roll = one[7],
                           .load = row[0],
                           .slope = row[1],
                           .arm_x = row[2],
                           .arm_z = row[3],
                           .grip = row[4]};
  const rutControlOut to = {.demand = demand, .steer = steer, .twist = twist, .brake = brake};
  const rutVehicleLayout layout = layout_of(b);
  b->type->update(b->param, &layout, &in, state, &to);
  for (int l = 0; l < lanes; l++) {
    for (int i = 0; i < b->inputs; i++) out[l].demand[i] = demand[i * lanes + l];
    out[l].steer = steer[l];
    out[l].brake = brake[l];
  }
}
static void update(Bench* b) { update_lanes(b, 1, b->state, b); }

// Sum of the forces of all wheels [N], of demands per wheel.
static double total(const Bench* b) {
  double sum = 0;
  for (int w = 0; w < b->wheels; w++) sum += b->demand[w] / b->radius[w];
  return sum;
}

static uint64_t seed = 1;
static double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

// --- Proportional with gravity compensation -----------------------------------------------------

// F = M (K_p (v_d - v) + g sin(slope)), in equal parts.
static void test_proportional_law(void** state) {
  (void)state;
  Bench b = two_axles(p_gravity);
  b.command[0] = 10;
  b.command[1] = 0.3;
  b.vx = 9.99;
  b.pitch = -0.2;
  const double force = M * (100 * 0.01 + G * sin(0.2));
  update(&b);
  for (int w = 0; w < 4; w++) assert_near(b.demand[w], R * force / 4, 1e-9);
  assert_near(b.steer, 0.3, 0);
  assert_near(b.brake, 0, 0);
  // a demand per side is for each of its wheels, that of an engine for all
  b.inputs = 2;
  update(&b);
  for (int i = 0; i < 2; i++) assert_near(b.demand[i], R * force / 4, 1e-9);
  b.inputs = 1;
  b.gain = 1;
  update(&b);
  assert_near(b.demand[0], R * force, 1e-9);
  // undriven wheels get nothing
  b.inputs = 2;
  b.gain = 2;
  b.driven[0] = b.driven[1] = 0;
  update(&b);
  for (int i = 0; i < 2; i++) assert_near(b.demand[i], R * force / 2, 1e-9);
}

static void test_proportional_limits(void** state) {
  (void)state;
  Bench b = two_axles(p_gravity);
  b.command[0] = 10;
  set(&b, "max_force", 400);
  update(&b);
  assert_near(total(&b), 400, 1e-9);
  set(&b, "max_wheel_torque", 15);
  update(&b);
  for (int w = 0; w < 4; w++) assert_near(b.demand[w], 15, 0);
  set(&b, "max_acceleration", 0.1);
  update(&b);
  assert_near(total(&b), 0.1 * M, 1e-9);
  // half of what the drive leaves over is half the brakes
  set(&b, "max_acceleration", 0);
  set(&b, "max_wheel_torque", 0);
  set(&b, "brake_force", 1600);
  b.vx = 10.1;
  update(&b);
  assert_near(total(&b), -400, 1e-9);
  assert_near(b.brake, 0.5, 1e-9);
  set(&b, "drive_brakes", 0);
  update(&b);
  assert_near(total(&b), 0, 0);
  assert_near(b.brake, 0.75, 1e-9);
  // rolling back, too
  b.command[0] = -10;
  b.vx = -10.1;
  update(&b);
  assert_near(b.brake, 0.75, 1e-9);
  // nobody brakes to speed up
  b.command[0] = 10;
  b.vx = 9;
  update(&b);
  assert_near(b.brake, 0, 0);
  b.command[0] = b.vx = 0;
  b.pitch = -0.2;
  update(&b);
  assert_near(b.brake, 1, 0);
  assert_near(total(&b), 0, 0);
}

// The forces of the sides make the moment yaw_gain * error * M * mean y^2.
static void test_skid_moment(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    Bench b = two_axles(k ? cdta : p_gravity);
    double moment = 0;
    set(&b, "yaw_gain", 2);
    b.command[2] = 0.7;
    b.yaw_rate = 0.2;
    update(&b);
    for (int w = 0; w < 4; w++) moment -= b.y[w] * b.demand[w] / R;
    assert_near(moment, 2 * 0.5 * M * HALF * HALF, 1e-9);
    assert_near(total(&b), 0, 1e-9);
  }
}

// --- CDTA ---------------------------------------------------------------------------------------

// Level ground, room everywhere: equal forces, M a in all, and what spins the wheels up.
static void test_equal_split(void** state) {
  (void)state;
  Bench b = two_axles(cdta);
  b.command[0] = 0.02;
  for (int w = 0; w < 4; w++) b.inertia[w] = 0.05;
  update(&b);
  for (int w = 0; w < 4; w++) assert_near(b.demand[w], R * M * 2.0 / 4 + 0.05 * 2.0 / R, 1e-6);
  set(&b, "max_acceleration", 1.5);
  update(&b);
  for (int w = 0; w < 4; w++) assert_near(b.demand[w], R * M * 1.5 / 4 + 0.05 * 1.5 / R, 1e-6);
}

// The front axle lifts at a = g L_r / h, the rear one at -g L_f / h; with a share s of the weight
// kept on it the front one at a = g (L_r - s L) / h.
static void test_wheelie_limit(void** state) {
  (void)state;
  Bench b = two_axles(cdta);
  set(&b, "friction", 50);
  b.command[0] = 10;
  update(&b);
  assert_near(total(&b), M * G * BEHIND / H, 1e-4);
  set(&b, "least_load", 0.05);
  update(&b);
  assert_near(total(&b), M * G * (BEHIND - 0.05 * (AHEAD + BEHIND)) / H, 1e-4);
  set(&b, "least_load", 0);
  b.command[0] = -10;
  update(&b);
  assert_near(total(&b), -M * G * AHEAD / H, 1e-4);
}

// All driven: a = mu g. Rear driven: F = mu N_r with N_r = (L_f g + h a) M / L, so that
// a = mu g L_f / (L - mu h). Front driven: a = mu g L_r / (L + mu h).
static void test_friction_limit(void** state) {
  (void)state;
  const double mu = 0.6, length = AHEAD + BEHIND;
  Bench b = two_axles(cdta);
  for (int w = 0; w < 4; w++) b.grip[w] = mu;
  b.command[0] = 10;
  update(&b);
  assert_near(total(&b), M * mu * G, 1e-5);
  assert_near(b.demand[0] / R, 0.5 * mu * M * (BEHIND * G - H * mu * G) / length, 1e-5);
  set(&b, "margin", 0.1);
  update(&b);
  assert_near(total(&b), M * 0.9 * mu * G, 1e-5);
  set(&b, "margin", 0);
  b.driven[0] = b.driven[1] = 0;
  b.inputs = 2;
  b.gain = 2;
  update(&b);
  const double rear = mu * G * AHEAD / (length - mu * H);
  assert_near(b.demand[0] / R, M * rear / 2, 1e-5);
  b = two_axles(cdta);
  b.driven[2] = b.driven[3] = 0;
  b.inputs = 2;
  b.gain = 2;
  set(&b, "friction", mu);
  b.command[0] = 10;
  update(&b);
  assert_near(b.demand[0] / R, M * mu * G * BEHIND / (length + mu * H) / 2, 1e-5);
}

// A vehicle on a plane slope, its own axes along it.
static void stand_on_slope(Bench* b, double angle) {
  for (int w = 0; w < b->wheels; w++) {
    const double x = b->x[w], z = -H;
    b->slope[w] = angle;
    b->arm_x[w] = cos(angle) * x - sin(angle) * z;
    b->arm_z[w] = sin(angle) * x + cos(angle) * z;
  }
  b->pitch = -angle;
}

// To stand on a slope takes mu >= tan(slope); with less it slides, at full friction.
static void test_slope(void** state) {
  (void)state;
  const double angle = 0.3;
  Bench b = two_axles(cdta);
  stand_on_slope(&b, angle);
  for (int w = 0; w < 4; w++) b.grip[w] = tan(angle) + 0.01;
  update(&b);
  assert_near(total(&b), M * G * sin(angle), 1e-5);
  for (int w = 0; w < 4; w++) b.grip[w] = tan(angle) - 0.01;
  update(&b);
  assert_near(total(&b), M * G * cos(angle) * (tan(angle) - 0.01), 1e-5);
  // on a slope the front lifts at a = g (cos L_r / h - sin)
  for (int w = 0; w < 4; w++) b.grip[w] = 50;
  b.command[0] = 10;
  update(&b);
  assert_near(total(&b), M * G * cos(angle) * BEHIND / H, 1e-4);
}

static void test_motor_limit(void** state) {
  (void)state;
  Bench b = two_axles(cdta);
  set(&b, "max_wheel_torque", 12);
  b.command[0] = 10;
  update(&b);
  for (int w = 0; w < 4; w++) assert_near(b.demand[w], 12, 1e-6);
}

// Friction holds under the loads that are measured as well, and a wheel that slips gets less: half
// at one and a half times the limit, nothing at twice that; slip the other way does not count.
static void test_measured(void** state) {
  (void)state;
  Bench b = two_axles(cdta);
  b.command[0] = 10;
  for (int w = 0; w < 4; w++) b.load[w] = 100;
  update(&b);
  for (int w = 0; w < 4; w++) assert_near(b.demand[w] / R, 0.8 * 100, 1e-5);
  set(&b, "slip_limit", 0.2);
  b.vx = 5;
  b.speed[0] = 5 / (1 - 0.2) / R;
  b.speed[1] = 5 / (1 - 0.3) / R;
  b.speed[2] = 5 / (1 - 0.4) / R;
  b.speed[3] = 5 * (1 - 0.4) / R;
  update(&b);
  const double left[4] = {1, 0.5, 0, 1};
  for (int w = 0; w < 4; w++) assert_near(b.demand[w] / R, left[w] * 0.8 * 100, 1e-5);
}

// In the air there is no torque: not with one axle up, and not at all.
static void test_airborne(void** state) {
  (void)state;
  for (int axle = 0; axle < 3; axle++) {
    Bench b = two_axles(cdta);
    b.command[0] = 10;
    for (int w = 0; w < 4; w++) b.load[w] = axle == 2 || w / 2 == axle ? 0 : 500;
    update(&b);
    for (int w = 0; w < 4; w++) assert_near(b.demand[w], 0, 0);
  }
  // one wheel up: the other three share, as equal currents give least heat
  Bench b = two_axles(cdta);
  b.command[0] = 0.01;
  b.load[0] = 0;
  update(&b);
  assert_near(b.demand[0], 0, 0);
  for (int w = 1; w < 4; w++) assert_near(b.demand[w] / R, M * 1.0 / 3, 1e-5);
}

// In a hollow of radius r the friction limit is mu (g + v^2/r), on a crest mu (g - v^2/r).
static void test_curvature(void** state) {
  (void)state;
  const double v = 5, mu = 0.5;
  for (int side = -1; side <= 1; side += 2) {
    const double bend = side / 20.0;
    Bench b = two_axles(cdta);
    set(&b, "curvature_time", 0.05);
    set(&b, "friction", mu);
    b.command[0] = 100;
    b.vx = v;
    // the bottom is reached after 1 s, 20 time constants
    for (int i = 0; i <= 1000; i++) {
      stand_on_slope(&b, v * bend * (i - 1000) * b.dt);
      update(&b);
    }
    assert_near(total(&b), M * mu * (G + v * v * bend), 1e-3);
  }
}

// Accelerations and loads by the three equations of the vertical plane in the world's axes, solved
// by determinants; an axle's wheels count as one.
typedef struct Plane {
  double a, load[2];
} Plane;

static double det3(double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}
static Plane plane_of(const Bench* b, const double force[2]) {
  const double p = atan2(b->arm_z[0] - b->arm_z[2], b->arm_x[0] - b->arm_x[2]);
  double m[3][3] = {{-M * cos(p)}, {-M * sin(p)}, {0}}, right[3] = {0, M * G, 0};
  for (int i = 0; i < 2; i++) {
    const double g = b->slope[2 * i], x = b->arm_x[2 * i], z = b->arm_z[2 * i];
    m[0][1 + i] = -sin(g);
    m[1][1 + i] = cos(g);
    m[2][1 + i] = -(z * sin(g) + x * cos(g));
    right[0] -= cos(g) * force[i];
    right[1] -= sin(g) * force[i];
    right[2] -= (z * cos(g) - x * sin(g)) * force[i];
    m[2][0] -= b->inertia[2 * i] * 2 / R;
  }
  double solution[3];
  for (int k = 0; k < 3; k++) {
    double with[3][3];
    memcpy(with, m, sizeof with);
    for (int r = 0; r < 3; r++) with[r][k] = right[r];
    solution[k] = det3(with) / det3(m);
  }
  return (Plane){solution[0], {solution[1], solution[2]}};
}

// How far the forces break the limits [N], at most.
static double breach(const Bench* b, const double force[2], double most, double least) {
  const Plane plane = plane_of(b, force);
  double worst = -1e300;
  for (int i = 0; i < 2; i++) {
    worst = fmax(worst, fabs(force[i]) - b->grip[2 * i] * plane.load[i]);
    worst = fmax(worst, fabs(force[i]) - most);
    worst = fmax(worst, least - plane.load[i]);
  }
  return worst;
}

static void draw_ground(Bench* b, double* most, double* asked) {
  for (int i = 0; i < 2; i++) {
    const double slope = uniform(-0.6, 0.6), mu = uniform(0.1, 1.5);
    const double x = i ? uniform(-0.6, -0.2) : uniform(0.2, 0.6), z = uniform(-0.6, -0.2);
    for (int w = 2 * i; w < 2 * i + 2; w++) {
      b->slope[w] = slope;
      b->grip[w] = mu;
      b->arm_x[w] = x;
      b->arm_z[w] = z;
      b->inertia[w] = 0.02;
    }
  }
  *asked = uniform(-15, 15);
  *most = uniform(100, 1500);
  b->command[0] = *asked / 100;
  set(b, "max_wheel_torque", *most * R / 2);
  set(b, "least_load", 0.03);
}

// On random ground no forces of a dense grid come nearer to what was asked, or as near with less
// heat, and the limits are kept.
static void test_optimum(void** state) {
  (void)state;
  enum { GRID = 80, CASES = 400 };
  int possible = 0, reached = 0;
  for (int round = 0; round < CASES; round++) {
    Bench b = two_axles(cdta);
    double most, asked;
    draw_ground(&b, &most, &asked);
    update(&b);
    const double least = 0.03 * M * G, tolerance = 1e-5 * M * G;
    double force[2], best = 1e300;
    // the demand without what spins the wheel up
    Plane plane = {0};
    for (int pass = 0; pass < 50; pass++) {
      for (int i = 0; i < 2; i++) {
        force[i] = 2 * (b.demand[2 * i] - b.inertia[2 * i] * plane.a / R) / R;
      }
      plane = plane_of(&b, force);
    }
    const bool idle = b.demand[0] == 0 && b.demand[2] == 0;
    const bool saturated = fabs(b.demand[0]) >= most * R / 2 * (1 - 1e-9) ||
                           fabs(b.demand[2]) >= most * R / 2 * (1 - 1e-9);
    double cool = 1e300;
    for (int i = 0; i <= GRID; i++) {
      for (int k = 0; k <= GRID; k++) {
        const double try[2] = {most * (2.0 * i / GRID - 1), most * (2.0 * k / GRID - 1)};
        if (breach(&b, try, most, least) > 0) continue;
        const double miss = fabs(plane_of(&b, try).a - asked);
        best = fmin(best, miss);
        if (miss < 1e-2) cool = fmin(cool, try[0] * try[0] + try[1] * try[1]);
      }
    }
    if (idle) {
      assert_true(best > 1e299);
      continue;
    }
    // the clipped spin-up moves the forces off the optimum where the motors are at their limits
    if (saturated) continue;
    possible++;
    assert_true(breach(&b, force, most, least) <= tolerance);
    const double miss = fabs(plane.a - asked);
    assert_true(miss <= best + 1e-6);
    if (miss > 1e-6) continue;
    reached++;
    const double slack = 0.05 * most * sqrt(cool) + 1e-6;
    if (cool < 1e299) assert_true(force[0] * force[0] + force[1] * force[1] <= cool + slack);
  }
  assert_true(possible > CASES / 4 && reached > CASES / 10);
}

// Small changes of the ground and of what is asked change the torques little, also where a limit
// begins to hold.
static void test_continuity(void** state) {
  (void)state;
  int compared = 0;
  for (int round = 0; round < 4000; round++) {
    Bench b = two_axles(cdta), c;
    double most, asked;
    draw_ground(&b, &most, &asked);
    c = b;
    const double step = 1e-7;
    for (int i = 0; i < 2; i++) {
      const double ds = uniform(-step, step), dx = uniform(-step, step);
      for (int w = 2 * i; w < 2 * i + 2; w++) {
        c.slope[w] += ds;
        c.arm_x[w] += dx;
      }
    }
    c.command[0] += uniform(-step, step) / 100;
    update(&b);
    update(&c);
    const bool idle = b.demand[0] == 0 && b.demand[2] == 0;
    if (idle || (c.demand[0] == 0 && c.demand[2] == 0)) continue;
    for (int w = 0; w < 4; w++) assert_near(b.demand[w], c.demand[w], 1e-2);
    compared++;
  }
  assert_true(compared > 1000);
}

// More axles share equally; a wheel with little friction gets what it can take, and the others the
// rest; and the vehicle does not tip over its rear axle, a = g x_r / h.
static void test_three_axles(void** state) {
  (void)state;
  const double x[3] = {0.6, 0, -0.6};
  Bench b = bench_of(cdta, 3, x);
  set(&b, "margin", 0);
  set(&b, "least_load", 0);
  b.command[0] = 0.03;
  update(&b);
  for (int w = 0; w < 6; w++) assert_near(b.demand[w] / R, M * 3.0 / 6, 1e-9);
  b.grip[1] = 0.1;
  update(&b);
  const double little = 0.1 * M * G / 6;
  assert_near(b.demand[1] / R, little, 1e-9);
  assert_near(b.demand[0] / R, (M * 3.0 - little) / 5, 1e-9);
  // full everywhere
  b.command[0] = 1;
  update(&b);
  assert_near(total(&b), (5 * 0.8 + 0.1) * M * G / 6, 1e-9);
  for (int w = 0; w < 6; w++) b.grip[w] = 50;
  b.command[0] = 10;
  update(&b);
  assert_near(total(&b), M * G * 0.6 / H, 1e-6);
  // on a slope the weight is added
  b.command[0] = 0;
  stand_on_slope(&b, 0.25);
  update(&b);
  assert_near(total(&b), M * G * sin(0.25), 1e-9);
  for (int w = 0; w < 6; w++) b.load[w] = 0;
  update(&b);
  assert_near(total(&b), 0, 0);
}

// --- Waypoints ----------------------------------------------------------------------------------

static const double BASE = 2.5;

static Bench car(int n, const double* points) {
  const double x[2] = {BASE, 0};
  Bench b = bench_of(waypoints, 2, x);
  b.steered[0] = b.steered[1] = 1;
  set(&b, "max_acceleration", 0);
  set(&b, "speed_gain", 1);
  set_list(&b, "points", n, points);
  b.command[0] = 5;
  return b;
}
static double set_speed(const Bench* b) { return total(b) / M + b->vx; }

static void circle_points(int n, double radius, double* points) {
  for (int i = 0; i < n; i++) {
    points[2 * i] = radius * cos(2 * PI * i / n);
    points[2 * i + 1] = radius * sin(2 * PI * i / n);
  }
}

// On a circle, towards a point on it: the steering angle is atan(l/R), whatever the distance. The
// chord over k of n equal parts is 2 R sin(pi k/n).
static void test_exact_on_circle(void** state) {
  (void)state;
  enum { N = 72 };
  const double radius = 20;
  double points[2 * N];
  circle_points(N, radius, points);
  for (int k = 1; k <= 12; k++) {
    Bench b = car(2 * N, points);
    const double chord = 2 * radius * sin(PI * k / N);
    set(&b, "closed", 1);
    set(&b, "min_lookahead", chord);
    set(&b, "max_lookahead", chord);
    const int at = 5 * k;
    b.state[0] = at;
    b.position[0] = points[2 * at];
    b.position[1] = points[2 * at + 1];
    b.yaw = 2 * PI * at / N + PI / 2;
    update(&b);
    assert_near(b.steer, atan(BASE / radius), 1e-12);
  }
}

// A kinematic car on a closed path of 180 points on a circle ends up on it, within the path's own
// distance from it; also from 2 m inside.
static void test_circle_driven(void** state) {
  (void)state;
  enum { N = 180 };
  const double radius = 20, dt = 0.01, v = 4;
  double points[2 * N], worst = 0;
  circle_points(N, radius, points);
  Bench b = car(2 * N, points);
  set(&b, "closed", 1);
  set(&b, "lookahead_time", 0.75);
  set(&b, "min_lookahead", 1);
  b.position[0] = radius - 2;
  b.yaw = PI / 2;
  b.vx = v;
  for (int i = 0; i < 10000; i++) {
    update(&b);
    const double turn = v * tan(b.steer) / BASE * dt;
    b.position[0] += v * dt * cos(b.yaw + turn / 2);
    b.position[1] += v * dt * sin(b.yaw + turn / 2);
    b.yaw += turn;
    if (i > 5000) worst = fmax(worst, fabs(hypot(b.position[0], b.position[1]) - radius));
  }
  // once round is 5 pi * 2 s, so more than three rounds were driven
  assert_true(worst < radius * (1 - cos(PI / N)) + 1e-3);
  assert_true(b.state[0] >= 0 && b.state[0] < N);
}

// A point passed far abeam is done with; the path goes on.
static void test_missed_point(void** state) {
  (void)state;
  const double points[] = {0, 0, 10, 0, 30, 0, 30, 30};
  Bench b = car(8, points);
  b.position[0] = 10.5;
  b.position[1] = 8;
  update(&b);
  assert_near(b.state[0], 1, 0);
  assert_true(b.steer < 0);
  // 5 m ahead is out of reach from 8 m beside: straight to the path
  assert_near(b.steer, atan(2 * BASE / 8 * -1), 1e-12);
}

// Corner between segments of 10 m by a lookahead of 5 m: an arc of radius 5/tan(45 deg) = 5 m.
// Before it v^2 = a R + 2 b d; before the end v^2 = 2 b d.
static void test_slow_down(void** state) {
  (void)state;
  const double points[] = {0, 0, 40, 0, 40, 10, 80, 10};
  Bench b = car(8, points);
  b.command[0] = 30;
  b.position[0] = 32;
  update(&b);
  assert_near(set_speed(&b), sqrt(2.0 * 5 + 2 * 1.5 * 8), 1e-9);
  b.state[0] = 2;
  b.position[0] = 60;
  b.position[1] = 10;
  update(&b);
  assert_near(set_speed(&b), sqrt(2 * 1.5 * 20), 1e-9);
  // far from everything the cruise speed holds
  b.command[0] = 2;
  update(&b);
  assert_near(set_speed(&b), 2, 1e-12);
}

static void test_arrival(void** state) {
  (void)state;
  const double points[] = {0, 0, 40, 0};
  Bench b = car(4, points);
  set(&b, "brake_force", 1000);
  b.position[0] = 39.2;
  b.vx = 0.01;
  update(&b);
  assert_near(b.brake, 1, 0);
  assert_near(total(&b), 0, 0);
  // pushed back, it stays
  b.position[0] = 20;
  update(&b);
  assert_near(b.brake, 1, 0);
  // past the end, though beside it by less than the lookahead of 5 m
  b = car(4, points);
  b.position[0] = 40.1;
  b.position[1] = 3;
  update(&b);
  assert_near(set_speed(&b), 0, 1e-12);
  // farther off it turns back, on an arc of half the lookahead with 2 m/s2 across
  b = car(4, points);
  b.position[0] = 40.1;
  b.position[1] = 7;
  update(&b);
  assert_near(set_speed(&b), sqrt(2 * 2.5), 1e-9);
}

// Without steered wheels the sides turn it: yaw rate v k with k = 2 sin(angle)/distance.
static void test_skid_steered_path(void** state) {
  (void)state;
  const double points[] = {0, 0, 0, 40};
  Bench b = car(4, points);
  b.steered[0] = b.steered[1] = 0;
  // the middle of its wheels stands at the start; the path leads to the left
  b.position[0] = -BASE / 2;
  b.command[0] = 1;
  b.vx = 1;
  set(&b, "yaw_gain", 2);
  update(&b);
  double moment = 0;
  for (int w = 0; w < 4; w++) moment -= b.y[w] * b.demand[w] / R;
  // the point 5 m to the left is reached by a half circle: k = 2/5
  assert_near(moment, 2 * (2.0 / 5) * set_speed(&b) * M * HALF * HALF, 1e-9);
  assert_near(b.steer, 0, 0);
}

static void test_bad_paths(void** state) {
  (void)state;
  const double one[] = {1, 2}, same[] = {0, 0, 1, 1, 1, 1}, two[] = {0, 0, 1, 1};
  rutError err = {0};
  Bench b = car(2, one);
  assert_int_equal(waypoints->base.check(b.param, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "1 points"));
  b = car(6, same);
  assert_int_equal(waypoints->base.check(b.param, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "points 2 and 3"));
  b = car(4, two);
  assert_int_equal(waypoints->base.check(b.param, &err), RUT_OK);
  set(&b, "closed", 1);
  assert_int_equal(waypoints->base.check(b.param, &err), RUT_ERR_MODEL);
  set(&b, "closed", 0);
  set(&b, "max_lookahead", 1);
  assert_int_equal(waypoints->base.check(b.param, &err), RUT_ERR_MODEL);
}

// --- All ----------------------------------------------------------------------------------------

// Eight vehicles at once get the bits of each alone, also in the states.
static void test_lanes(void** state) {
  const rutControllerType* const types[] = {p_gravity, cdta, waypoints};
  const double points[] = {0, 0, 10, 0, 30, 5, 30, 30}, x[3] = {0.6, 0, -0.6};
  (void)state;
  for (int round = 0; round < 300; round++) {
    const rutControllerType* type = types[round % 3];
    Bench lane[LANES], out[LANES];
    double states[MAX_STATES * LANES] = {0};
    const int axles = 2 + round / 3 % 2;
    for (int l = 0; l < LANES; l++) lane[l] = bench_of(type, axles, x);
    if (type == waypoints) {
      for (int l = 0; l < LANES; l++) set_list(&lane[l], "points", 8, points);
    } else {
      for (int l = 0; l < LANES; l++) set(&lane[l], "yaw_gain", 0.3);
    }
    for (int step = 0; step < 3; step++) {
      for (int l = 0; l < LANES; l++) {
        Bench* b = &lane[l];
        b->command[0] = uniform(0, 3);
        b->vx = uniform(-3, 3);
        b->pitch = uniform(-0.5, 0.5);
        b->yaw = uniform(-4, 4);
        b->position[0] = uniform(-5, 35);
        b->position[1] = uniform(-5, 35);
        for (int w = 0; w < b->wheels; w++) {
          b->load[w] = fmax(uniform(-100, 600), 0);
          b->slope[w] = uniform(-0.5, 0.5);
          b->arm_z[w] = uniform(-0.5, -0.2);
        }
      }
      update_lanes(lane, LANES, states, out);
      for (int l = 0; l < LANES; l++) {
        update(&lane[l]);
        assert_memory_equal(lane[l].demand, out[l].demand, (size_t)(2 * axles) * sizeof(double));
        assert_memory_equal(&lane[l].steer, &out[l].steer, sizeof(double));
        assert_memory_equal(&lane[l].brake, &out[l].brake, sizeof(double));
        for (int i = 0; i < 2 * axles; i++) assert_true(isfinite(lane[l].demand[i]));
        for (int i = 0; i < rut_variables_count(&type->base, NULL, (rutShapeCounts){4, 4},
                                                type->base.states, type->base.state);
             i++) {
          assert_memory_equal(&lane[l].state[i], &states[i * LANES + l], sizeof(double));
        }
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_proportional_law),
      cmocka_unit_test(test_proportional_limits),
      cmocka_unit_test(test_skid_moment),
      cmocka_unit_test(test_equal_split),
      cmocka_unit_test(test_wheelie_limit),
      cmocka_unit_test(test_friction_limit),
      cmocka_unit_test(test_slope),
      cmocka_unit_test(test_motor_limit),
      cmocka_unit_test(test_measured),
      cmocka_unit_test(test_airborne),
      cmocka_unit_test(test_curvature),
      cmocka_unit_test(test_optimum),
      cmocka_unit_test(test_continuity),
      cmocka_unit_test(test_three_axles),
      cmocka_unit_test(test_exact_on_circle),
      cmocka_unit_test(test_circle_driven),
      cmocka_unit_test(test_missed_point),
      cmocka_unit_test(test_slow_down),
      cmocka_unit_test(test_arrival),
      cmocka_unit_test(test_skid_steered_path),
      cmocka_unit_test(test_bad_paths),
      cmocka_unit_test(test_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
