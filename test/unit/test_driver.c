// SPDX-License-Identifier: BSD-3-Clause
//
// The driver: geometry of its courses against the published lanes and closed forms, its steering on
// a kinematic bicycle against the law that it promises, its pedals against sums of forces.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "control/course.h"
#include "rut/component.h"

extern const rutControllerType rut_controller_driver;
static const rutControllerType* const driver = &rut_controller_driver;

enum { NUMBERS = 256, STATES = 16, LANES = 8, WHEELS = 4 };
// in the order of the field's words
enum { NONE, STRAIGHT, STEP_STEER, CIRCLE, NATO, ISO, ACCELERATION, BRAKING, PATH };
static const double MASS = 2500, G = 9.81, BASE = 3.3, RADIUS = 0.5, LOCK = 0.6;

// ---- courses ----

// Chrono's NATO_double_lane_change.txt, for a vehicle of 4.93 by 2.21 m: ways of 28.93 m, 25 m
// between them, 3.6105 m to the side.
static void test_nato_lanes(void** state) {
  (void)state;
  const rutCourseLanes lanes = rut_course_lanes(0, 0, 4.93, 2.21);
  assert_near(lanes.reached_second - lanes.left_first, 28.93, 1e-12);
  assert_near(lanes.left_second - lanes.reached_second, 25, 1e-12);
  assert_near(lanes.reached_third - lanes.left_second, 28.93, 1e-12);
  assert_near(lanes.second, 3.6105, 1e-12);
}

// ISO 3888-1: 15 + 30 + 25 + 25 m to the last lane; Chrono's gates for a width of 2.16 m put its
// middle 0.216 m to the side.
static void test_iso_lanes(void** state) {
  (void)state;
  const rutCourseLanes lanes = rut_course_lanes(1, 5, 4.93, 2.16);
  assert_near(lanes.left_first, 20, 1e-12);
  assert_near(lanes.reached_second, 50, 1e-12);
  assert_near(lanes.left_second, 75, 1e-12);
  assert_near(lanes.reached_third, 100, 1e-12);
  assert_near(lanes.third, 0.216, 1e-12);
}

// A smooth step of height y over L has its largest second derivative, 10/sqrt(3) y/L^2, at
// t = 1/2 - 1/sqrt(12), and is flat at its ends.
static void test_shift(void** state) {
  (void)state;
  const double height = 3.61, length = 28.93, from = 7;
  for (int i = 0; i <= 2; i++) {
    rutCourseAt at = {.dx = 1};
    rut_course_shift(&at, from + 0.5 * i * length, from, length, height);
    assert_near(at.y, 0.5 * i * height, 1e-12);
    assert_near(at.ddy, 0, 1e-12);
    assert_near(at.dy, i == 1 ? 1.875 * height / length : 0, 1e-12);
  }
  rutCourseAt at = {.dx = 1};
  rut_course_shift(&at, from + length * (0.5 - 1 / sqrt(12)), from, length, height);
  assert_near(at.ddy, 10 / sqrt(3) * height / (length * length), 1e-12);
  // both directions of travel are the other's mirror
  const rutCourseLanes lanes = rut_course_lanes(0, 20, 4.93, 2.21);
  for (double u = 0; u < 160; u += 7.3) {
    const rutCourseAt left = rut_course_change(&lanes, 1, u),
                      right = rut_course_change(&lanes, -1, u);
    assert_near(left.y, -right.y, 0);
    assert_near(left.ddy, -right.ddy, 0);
  }
}

static void test_circle_course(void** state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    for (double u = 10.1; u < 300; u += 9.7) {
      const rutCourseAt at = rut_course_circle(10, 40, side, u);
      assert_near(hypot(at.x - 10, at.y - side * 40), 40, 1e-12);
      assert_near(rut_course_bend(at).curvature, side / 40.0, 1e-14);
      assert_near(rut_course_bend(at).rate, 1, 1e-14);
    }
    assert_near(rut_course_circle(10, 40, side, 4).y, 0, 0);
  }
}

// Through its points, with continuous tangents and curvatures; derivatives are those of the curve;
// on points of a circle it is nearly that circle.
static void test_points_course(void** state) {
  (void)state;
  const double PI = acos(-1);
  double xy[2 * 12], u = 0;
  for (int i = 0; i < 12; i++) {
    xy[2 * i] = 50 * sin(i * PI / 12);
    xy[2 * i + 1] = 50 - 50 * cos(i * PI / 12);
  }
  for (int i = 0; i < 12; i++) {
    const rutCourseAt before = rut_course_points(xy, 12, u - 1e-9);
    const rutCourseAt after = rut_course_points(xy, 12, u + 1e-9);
    assert_near(before.x, xy[2 * i], 1e-7);
    assert_near(after.y, xy[2 * i + 1], 1e-7);
    assert_near(before.dx, after.dx, 1e-7);
    assert_near(before.dy, after.dy, 1e-7);
    assert_near(before.ddx, after.ddx, 1e-7);
    assert_near(before.ddy, after.ddy, 1e-7);
    if (i < 11) u += hypot(xy[2 * i + 2] - xy[2 * i], xy[2 * i + 3] - xy[2 * i + 1]);
  }
  for (double at = 1; at < u; at += 1.7) {
    const double h = 1e-5;
    const rutCourseAt a = rut_course_points(xy, 12, at - h), b = rut_course_points(xy, 12, at + h);
    const rutCourseAt c = rut_course_points(xy, 12, at);
    assert_near((b.x - a.x) / (2 * h), c.dx, 1e-8);
    assert_near((b.dy - a.dy) / (2 * h), c.ddy, 1e-7);
    // within the first and last chord, which know no neighbour, it is straighter
    if (at < 14 || at > u - 14) continue;
    assert_near(hypot(c.x, c.y - 50), 50, 0.02);
    assert_near(rut_course_bend(c).curvature, 0.02, 0.001);
  }
  const rutCourseAt beyond = rut_course_points(xy, 12, u + 5);
  assert_near(hypot(beyond.x - xy[22], beyond.y - xy[23]), 5, 1e-9);
}

// ---- a driver on a kinematic bicycle ----

typedef struct Bench {
  double param[NUMBERS], state[STATES];
  int used;
  double x, y, yaw, v, yaw_rate, pitch, vy, command[3], time, dt, full_demand;
  double demand, steer, brake;
} Bench;

static void set(Bench* b, const char* field, double value) {
  for (int i = 0; i < driver->base.fields; i++) {
    if (strcmp(driver->base.field[i].name, field) == 0) {
      b->param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}
static void set_points(Bench* b, int n, const double* xy) {
  set(b, "points", b->used);
  b->param[b->used++] = n;
  for (int i = 0; i < n; i++) b->param[b->used++] = xy[i];
}
static Bench bench_of(int manoeuvre) {
  Bench b = {.used = driver->base.fields, .dt = 1e-3};
  for (int i = 0; i < driver->base.fields; i++) b.param[i] = driver->base.field[i].def;
  set(&b, "manoeuvre", manoeuvre);
  set_points(&b, 0, NULL);
  return b;
}

static void update_lanes(const Bench* b, int lanes, double* state, Bench* out) {
  static const double x[WHEELS] = {0.5 * 3.3, 0.5 * 3.3, -0.5 * 3.3, -0.5 * 3.3};
  static const double y[WHEELS] = {0.9, -0.9, 0.9, -0.9}, radius[WHEELS] = {0.5, 0.5, 0.5, 0.5};
  static const int driven[WHEELS] = {1, 1, 1, 1};
  double command[3 * LANES], vx[LANES], vy[LANES], rate[LANES], pitch[LANES], yaw[LANES];
  double time[LANES], position[3 * LANES], demand[LANES], steer[LANES], twist[3 * LANES],
      brake[LANES];
  for (int l = 0; l < lanes; l++) {
    for (int i = 0; i < 3; i++) command[i * lanes + l] = b[l].command[i];
    time[l] = b[l].time;
    vx[l] = b[l].v;
    vy[l] = b[l].vy;
    rate[l] = b[l].yaw_rate;
    pitch[l] = b[l].pitch;
    yaw[l] = b[l].yaw;
    position[l] = b[l].x;
    position[lanes + l] = b[l].y;
    position[2 * lanes + l] = 0;
  }
  const rutVehicleLayout layout = {.wheels = WHEELS,
                                   .x = x,
                                   .y = y,
                                   .radius = radius,
                                   .driven = driven,
                                   .steer_x = x[2],
                                   .steer_base = BASE,
                                   .max_steer = LOCK,
                                   .mass = MASS,
                                   .gravity = G,
                                   .torque_gain = 1,
                                   .full_demand = b[0].full_demand};
  const rutControlIn in = {.lanes = lanes,
                           .demands = 1,
                           .dt = b[0].dt,
                           .command = command,
                           .vx = vx,
                           .vy = vy,
                           .yaw_rate = rate,
                           .pitch = pitch,
                           .position = position,
                           .yaw = yaw,
                           .time = time};
  const rutControlOut to = {.demand = demand, .steer = steer, .twist = twist, .brake = brake};
  driver->update(b[0].param, &layout, &in, state, &to);
  for (int l = 0; l < lanes; l++) {
    out[l].demand = demand[l];
    out[l].steer = steer[l];
    out[l].brake = brake[l];
    out[l].time = b[l].time + b[l].dt;
  }
}

// Bicycle whose reference point is on its rear axle, with an understeer of K: the curvature is what
// solves steer = atan(base c) + K v^2 c; explicit midpoint over the step.
static void drive(Bench* b, double understeer) {
  update_lanes(b, 1, b->state, b);
  double c = tan(b->steer) / BASE;
  for (int i = 0; i < 40; i++) c = tan(b->steer - understeer * b->v * b->v * c) / BASE;
  b->yaw_rate = b->v * c;
  const double middle = b->yaw + 0.5 * b->dt * b->yaw_rate;
  b->x += b->dt * b->v * cos(middle);
  b->y += b->dt * b->v * sin(middle);
  b->yaw += b->dt * b->yaw_rate;
}

// An offset from a straight line dies out as e (1 + s/d) exp(-s/d) along the way s.
static void test_offset_law(void** state) {
  (void)state;
  Bench b = bench_of(STRAIGHT);
  b.v = 10;
  set(&b, "correction_time", 1);
  set(&b, "curvature_gain", 0);
  update_lanes(&b, 1, b.state, &b);  // the line begins here
  const double offset = 0.01, way = 10;
  b.y = offset;
  for (int i = 1; i <= 6000; i++) {
    drive(&b, 0);
    const double s = b.v * b.dt * i / way;
    assert_near(b.y, offset * (1 + s) * exp(-s), 2e-3 * offset);
  }
}

// A vehicle that begins to slip sideways is seen to after the time constant: a first-order lag, at
// whose end the direction of travel is corrected by 2/d of it.
static void test_sideslip(void** state) {
  (void)state;
  const double lag = 0.05, way = 6, slip = 0.01;
  Bench b = bench_of(STRAIGHT);
  b.v = 10;
  set(&b, "sideslip_time", lag);
  set(&b, "curvature_gain", 0);
  update_lanes(&b, 1, b.state, &b);
  b.vy = slip * b.v;
  b.dt = 1e-5;
  for (int i = 1; i <= 10000; i++) {
    update_lanes(&b, 1, b.state, &b);
    const double seen = slip * (1 - exp(-i * b.dt / lag));
    assert_near(b.steer, -atan(BASE * 2 * atan(seen) / way), 1e-6);
  }
}

// Understeer that the driver does not know of leaves no offset on a circle; one that it is told of
// leaves none from the start.
static void test_circle(void** state) {
  (void)state;
  for (int told = 0; told < 2; told++) {
    Bench b = bench_of(CIRCLE);
    const double understeer = 0.003;
    b.v = 12;
    set(&b, "radius", 40);
    set(&b, "start_distance", 10);
    if (told) set(&b, "understeer", understeer);
    for (int i = 0; i < 20000; i++) drive(&b, understeer);
    assert_near(hypot(b.x - 10, b.y - 40), 40, 2e-3);
    assert_near(b.yaw_rate, 12.0 / 40, 1e-5);
  }
}

// Both lane changes, to both sides, end in the last lane, heading as at the start.
static void test_lane_changes(void** state) {
  (void)state;
  for (int side = 0; side < 2; side++) {
    for (int manoeuvre = NATO; manoeuvre <= ISO; manoeuvre++) {
      Bench b = bench_of(manoeuvre);
      set(&b, "side", side);
      set(&b, "preview_time", 0);  // this vehicle answers at once
      b.v = 12;
      b.yaw = 0.7;  // the course turns with the start
      double most = 0, turned = 0.7;
      for (int i = 0; i < 17000; i++) {
        drive(&b, 0);
        most = fmax(most, (side ? -1 : 1) * (cos(turned) * b.y - sin(turned) * b.x));
      }
      const double across = cos(turned) * b.y - sin(turned) * b.x;
      assert_near(most, 3.5 + 0.05 * 2.16, 0.02);
      assert_near(across, (side ? -1 : 1) * 0.216, 2e-3);
      assert_near(b.yaw, 0.7, 1e-3);
    }
  }
}

static void test_path(void** state) {
  (void)state;
  const double xy[] = {0, 0, 30, 0, 60, 10, 90, 10, 130, 10};
  Bench b = bench_of(PATH);
  set_points(&b, 10, xy);
  b.v = 8;
  for (int i = 0; i < 15000; i++) drive(&b, 0);
  assert_near(b.y, 10, 5e-3);
  rutError err;
  assert_int_equal(driver->base.check(b.param, &err), RUT_OK);
}

// ---- pedals ----

// Throttle is force over full force, and beyond full power power over full power.
static void test_throttle(void** state) {
  (void)state;
  Bench b = bench_of(STRAIGHT);
  b.full_demand = 1000;
  b.v = b.command[0] = 10;
  set(&b, "resistance", 0.02);
  set(&b, "drag", 1.5);
  set(&b, "full_force", 10e3);
  const double force = 0.02 * MASS * G + 1.5 * 100;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, 1000 * force / 10e3, 1e-9);
  assert_near(b.brake, 0, 0);
  set(&b, "full_power", 40e3);
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, 1000 * force / 4e3, 1e-9);
  // up a slope, nose up: pitch < 0
  set(&b, "full_power", 0);
  b.pitch = -0.1;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, 1000 * (force + MASS * G * sin(0.1)) / 10e3, 1e-9);
  // a drive that takes torques gets them
  b.full_demand = 0;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, RADIUS * (force + MASS * G * sin(0.1)), 1e-9);
  // too fast by 2 m/s: brakes
  b.pitch = 0;
  b.command[0] = 8;
  memset(b.state, 0, sizeof b.state);
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, 0, 0);
  assert_near(b.brake, (1.5 * 2 * MASS - force) / (MASS * G), 1e-12);
}

// In reverse the pedals are the mirror image of those forward: of the speed, the slope and the
// throttle; what rolls forward brakes first, and who wants to stand brakes either way.
static void test_reverse(void** state) {
  (void)state;
  static const double force = 0.02 * MASS * G + 1.5 * 1, slope = 0.05;
  Bench b = bench_of(NONE);
  b.full_demand = 1000;
  b.v = b.command[0] = -1;
  b.pitch = slope;
  set(&b, "resistance", 0.02);
  set(&b, "drag", 1.5);
  set(&b, "full_force", 10e3);
  update_lanes(&b, 1, b.state, &b);
  // nose down: it backs up the slope
  assert_near(b.demand, -1000 * (force + MASS * G * sin(slope)) / 10e3, 1e-9);
  assert_near(b.brake, 0, 0);
  // from standing it gathers speed, 1.5 m/s2 for each m/s that it lacks
  b.pitch = b.v = 0;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, -1000 * fmin((1.5 * MASS + 0.02 * MASS * G) / 10e3, 1), 1e-9);
  b.v = -1.5;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, 0, 0);
  assert_near(b.brake, (1.5 * 0.5 * MASS - 0.02 * MASS * G - 1.5 * 1.5 * 1.5) / (MASS * G), 1e-12);
  b.v = 2;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, 0, 0);
  assert_true(b.brake > 0.2);
  // however long it was too fast before
  b.command[0] = 0;
  b.v = 0.2;
  for (int i = 0; i < 60000; i++) update_lanes(&b, 1, b.state, &b);
  b.v = -1;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.demand, 0, 0);
  assert_near(b.brake, (1.5 * MASS - 1.5) / (MASS * G), 1e-12);
  // a manoeuvre goes forward only
  Bench path = bench_of(STRAIGHT);
  path.command[0] = -1;
  update_lanes(&path, 1, path.state, &path);
  assert_near(path.demand, 0, 0);
  assert_near(path.brake, 1, 0);
}

static void test_manoeuvres(void** state) {
  (void)state;
  Bench b = bench_of(STEP_STEER);
  set(&b, "start_time", 0.1);
  set(&b, "steer", 0.25);
  set(&b, "steer_time", 0.2);
  b.v = 10;
  b.dt = 0.01;
  for (int i = 0; i <= 40; i++) {
    update_lanes(&b, 1, b.state, &b);
    const double part = fmin(fmax((0.01 * i - 0.1) / 0.2, 0), 1);
    assert_near(b.steer, 0.25 * LOCK * part, 1e-12);
  }
  b = bench_of(BRAKING);
  set(&b, "braking", 0.6);
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.brake, 0.6, 0);
  b = bench_of(ACCELERATION);
  b.full_demand = 500;
  set(&b, "start_time", 1);
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.brake, 1, 0);
  assert_near(b.demand, 0, 0);
  set(&b, "start_time", 0);
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.brake, 0, 0);
  assert_near(b.demand, 500, 0);
  // without a manoeuvre the steering is the command's
  b = bench_of(NONE);
  b.command[1] = -0.5;
  b.command[2] = 0.25;
  update_lanes(&b, 1, b.state, &b);
  assert_near(b.steer, -0.5 * LOCK, 1e-15);
  assert_true(b.brake >= 0.25);
}

// Each lane has the bits that it has alone.
static void test_lanes(void** state) {
  (void)state;
  Bench one[LANES], all[LANES];
  double table[STATES * LANES] = {0};
  for (int l = 0; l < LANES; l++) {
    one[l] = bench_of(NATO);
    one[l].v = 5 + l;
    one[l].command[0] = 12 - l;
    one[l].y = 0.1 * l;
    one[l].yaw = 0.05 * l;
    all[l] = one[l];
  }
  for (int i = 0; i < 300; i++) {
    update_lanes(all, LANES, table, all);
    for (int l = 0; l < LANES; l++) {
      update_lanes(&one[l], 1, one[l].state, &one[l]);
      assert_true(one[l].steer == all[l].steer && one[l].demand == all[l].demand);
      assert_true(one[l].brake == all[l].brake);
      one[l].x += 0.05 * l;
      all[l].x = one[l].x;
    }
  }
}

static void test_refused(void** state) {
  (void)state;
  rutError err;
  Bench b = bench_of(PATH);
  assert_int_equal(driver->base.check(b.param, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "a path needs 2 points or more"));
  const double same[] = {0, 0, 5, 0, 5, 0};
  b = bench_of(PATH);
  set_points(&b, 6, same);
  assert_int_equal(driver->base.check(b.param, &err), RUT_ERR_MODEL);
  assert_non_null(strstr(err.message, "points 2 and 3"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nato_lanes),    cmocka_unit_test(test_iso_lanes),
      cmocka_unit_test(test_shift),         cmocka_unit_test(test_circle_course),
      cmocka_unit_test(test_points_course), cmocka_unit_test(test_offset_law),
      cmocka_unit_test(test_circle),        cmocka_unit_test(test_lane_changes),
      cmocka_unit_test(test_path),          cmocka_unit_test(test_throttle),
      cmocka_unit_test(test_reverse),       cmocka_unit_test(test_manoeuvres),
      cmocka_unit_test(test_lanes),         cmocka_unit_test(test_sideslip),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
