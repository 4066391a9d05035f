// SPDX-License-Identifier: BSD-3-Clause
//
// Metrics of manoeuvres, and the hitch, against closed forms of rigid bodies.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/host.h"

typedef struct Run {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
  rutMetrics* metrics;
} Run;

static char message[512];
static void keep(const rutDiagnostic* finding, void* user) {
  (void)user;
  if (finding->level == RUT_ERROR) snprintf(message, sizeof message, "%s", finding->message);
}

static rutStatus try_world(const char* text, Run* r) {
  *r = (Run){0};
  message[0] = '\0';
  rutContextDef def = rut_default_context();
  def.report = keep;
  assert_int_equal(rut_context_create(&def, &r->context, NULL), RUT_OK);
  rutStatus status = rut_spec_parse(r->context, text, strlen(text), "test.xml", &r->spec, NULL);
  if (status == RUT_OK) status = rut_compile(r->spec, &r->model, NULL);
  if (status == RUT_OK) r->data = rut_data_create(r->model);
  return status;
}
static void end(Run* r) {
  rut_metrics_destroy(r->metrics);
  rut_data_destroy(r->data);
  rut_model_destroy(r->model);
  rut_spec_destroy(r->spec);
  rut_context_destroy(r->context);
}

static Run run_for(const char* text, double duration) {
  Run r;
  if (try_world(text, &r) != RUT_OK) fail_msg("%s", message);
  assert_int_equal(rut_metrics_create(r.spec, r.model, r.data, duration, &r.metrics, NULL), RUT_OK);
  while (rut_time(r.data) < duration - 1e-9) {
    assert_int_equal(rut_step(r.model, r.data, NULL), RUT_OK);
    rut_metrics_step(r.metrics, r.model, r.data);
  }
  return r;
}

static double value_of(const Run* r, const char* name) {
  rutMetric metric[100];
  const int n = rut_metrics_get(r->metrics, r->model, 0, 100, metric);
  assert_true(n > 0 && n <= 100);
  for (int i = 0; i < n; i++) {
    if (strcmp(metric[i].name, name) == 0) return metric[i].value;
  }
  fail_msg("no metric %s", name);
  return 0;
}

// A vehicle of 1000 kg on wheels of 0.3 m, 2 m between the axles, centre of mass in the middle, 0.4
// m above the ground at the design position; no resistances.
#define MASS   1000.0
#define BASE   2.0
#define RADIUS 0.3
#define SPIN   0.5
static const char* world_of(const char* ground, const char* vehicle, const char* controller) {
  static char text[4096];
  snprintf(text, sizeof text,
           "<world timestep='1 ms'>%s"
           "<soil type='magic_formula' surface='user' d='1' rolling_resistance='0'/>"
           "<vehicle name='v' class='v' max_steer='0.6' steer_rate='10' %s>"
           "<chassis mass='1000 kg' com='0 0 0.4' inertia='200 600 700 kg m2' drag_area='0'"
           " outline='1.4 0.7 1.4 -0.7 -1.4 -0.7 -1.4 0.7' z_min='0.2' z_max='0.9'/>"
           "<tyre type='linear' stiffness='400 kN/m' bearing='0'/>"
           "<suspension type='massless' stiffness='60 kN/m' damping='5 kN s/m' travel='0.2 m'/>"
           "<axle x='1' track='1.4' radius='0.3' wheel_mass='10' wheel_inertia='0.5'"
           " max_steer='35 deg' brake='800'/>"
           "<axle x='-1' track='1.4' radius='0.3' wheel_mass='10' wheel_inertia='0.5'"
           " brake='800'/>"
           "<drive type='direct' max_torque='0'/>"
           "<controller type='driver' resistance='0' length='3' width='1.5' %s/></vehicle></world>",
           ground, vehicle, controller);
  return text;
}

// v^2/R, v/R, and the radius itself.
static void test_circle(void** state) {
  (void)state;
  Run r = run_for(world_of("", "velocity='6 0'",
                           "manoeuvre='circle' radius='25' start_distance='10' speed='6'"),
                  40);
  const double v = value_of(&r, "steady_speed");
  assert_string_equal(rut_metrics_manoeuvre(r.metrics, 0), "circle");
  assert_near(v, 6, 0.05);
  assert_near(value_of(&r, "steady_radius"), 25, 0.01);
  assert_near(value_of(&r, "steady_yaw_rate"), v / 25, 1e-3 * v / 25);
  // the centre of mass is on the course's circle but for the way that the roll moves it
  assert_near(value_of(&r, "steady_lateral_acceleration"), v * v / 25, 2e-3 * v * v / 25);
  // moments about the contacts: (right - left) track/2 = m a h, and m g times what it leans
  const double transfer = v * v / 25 / 9.81 * 0.4 / 0.7;
  const double found = value_of(&r, "load_transfer_ratio_max");
  assert_true(found > 0.9 * transfer && found < 1.5 * transfer);
  end(&r);
}

// Brakes that do not lock the wheels: all four torques at the radius, against the mass and what
// turns with it; v^2/(2 a).
static void test_braking(void** state) {
  (void)state;
  Run r = run_for(world_of("", "velocity='15 0'",
                           "manoeuvre='braking' speed='15' start_time='2' braking='0.5'"),
                  9);
  const double a = 4 * 400 / RADIUS / (MASS + 4 * SPIN / (RADIUS * RADIUS));
  const double v = value_of(&r, "braking_speed");
  assert_near(v, 15, 0.01);
  // the tyre is pressed in by a hundredth of its radius, and slips by some thousandths
  assert_near(value_of(&r, "mean_deceleration"), a, 0.02 * a);
  assert_near(value_of(&r, "stopping_distance"), v * v / (2 * a), 0.02 * v * v / (2 * a));
  assert_near(value_of(&r, "stopping_time"), v / a, 0.02 * v / a);
  end(&r);
}

// Full throttle of a plain drive is full_force: v = a t.
static void test_acceleration(void** state) {
  (void)state;
  Run r = run_for(world_of("", "", "manoeuvre='acceleration' start_time='1' full_force='3000'"), 8);
  const double a = 3000 / (MASS + 4 * SPIN / (RADIUS * RADIUS));
  assert_near(value_of(&r, "time_to_5"), 5 / a, 0.03 * 5 / a);
  assert_near(value_of(&r, "time_to_15"), 15 / a, 0.03 * 15 / a);
  assert_near(value_of(&r, "grade_max"), 0, 1e-12);
  end(&r);
}

static void test_grade(void** state) {
  (void)state;
  Run r = run_for(world_of("<terrain type='plane' slope_x='0.17'/>", "",
                           "manoeuvre='acceleration' start_time='1' full_force='4000'"),
                  4);
  assert_near(value_of(&r, "grade_max"), 0.17, 1e-9);
  end(&r);
}

// The vehicle keeps within lanes that are wider by half of (0.1 w + 0.25 m) on both sides.
static void test_lanes(void** state) {
  (void)state;
  Run r =
      run_for(world_of("", "velocity='4 0'", "manoeuvre='double_lane_change_nato' speed='4'"), 40);
  const double clearance = value_of(&r, "lane_clearance");
  assert_true(clearance > 0.1 && clearance <= 0.5 * (0.1 * 1.5 + 0.25));
  end(&r);
}

// With 500 N at a hitch 0.5 m above the ground the rear axle carries 500 N 0.5 m / 2 m more, and
// the driver makes up for it.
static void test_hitch_load(void** state) {
  (void)state;
  static char text[4200];
  snprintf(text, sizeof text, "%s",
           world_of("", "velocity='3 0'", "manoeuvre='straight' speed='3'"));
  char* mark = strstr(text, "<drive");
  char rest[1024];
  snprintf(rest, sizeof rest, "%s", mark);
  snprintf(mark, sizeof text - (size_t)(mark - text),
           "<hitch position='-1.3 0 0.5' force='500 N' start='5 s'/>%s", rest);
  Run r = run_for(text, 5 - 2e-3);
  double before = 0, after = 0;
  for (int i = 2; i < 4; i++) before += rut_wheel_state(r.model, r.data, i).load;
  rutEnergy start, stop;
  assert_true(rut_vehicle_energy(r.model, r.data, 0, &start));
  const double from = rut_vehicle_state(r.model, r.data, 0).position[0];
  while (rut_time(r.data) < 30) {
    assert_int_equal(rut_step(r.model, r.data, NULL), RUT_OK);
    rut_metrics_step(r.metrics, r.model, r.data);
  }
  for (int i = 2; i < 4; i++) after += rut_wheel_state(r.model, r.data, i).load;
  const double height = 0.5 + rut_vehicle_state(r.model, r.data, 0).position[2];
  assert_near(after - before, 500 * height / BASE, 0.02 * 500 * height / BASE);
  assert_near(rut_vehicle_state(r.model, r.data, 0).velocity[0], 3, 3e-3);
  assert_near(value_of(&r, "pull_max"), 500, 1e-9);
  assert_near(value_of(&r, "pull_over_weight"), 500 / (MASS * 9.81), 1e-3);
  // its work counts as that against obstacles
  assert_true(rut_vehicle_energy(r.model, r.data, 0, &stop));
  const double way = rut_vehicle_state(r.model, r.data, 0).position[0] - from;
  assert_near(stop.obstacle - start.obstacle, 500 * way, 1e-3 * 500 * way);
  assert_near(stop.residual, 0, 1e-3 * stop.throughput);
  end(&r);
}

// What coasts is slowed by force over mass, a ramp by its integral, and never driven backwards.
static void test_hitch_force(void** state) {
  (void)state;
  const char* hitch[] = {"<hitch position='0 0 0.4' force='600 N'/>",
                         "<hitch position='0 0 0.4' force='1e6 N' ramp='200 N/s' start='1 s'/>"};
  for (int i = 0; i < 2; i++) {
    static char text[4200];
    snprintf(text, sizeof text, "%s", world_of("", "velocity='8 0'", ""));
    char* mark = strstr(text, "<drive");
    snprintf(mark, sizeof text - (size_t)(mark - text), "%s</vehicle></world>", hitch[i]);
    Run r = run_for(text, 5);
    const double inertia = MASS + 4 * SPIN / (RADIUS * RADIUS);
    const double impulse = i ? 0.5 * 200 * 16 : 600 * 5;
    const double v = rut_vehicle_state(r.model, r.data, 0).velocity[0];
    assert_near(8 - v, impulse / inertia, 0.01 * impulse / inertia);
    assert_string_equal(rut_metrics_manoeuvre(r.metrics, 0), "drawbar_pull");
    while (rut_time(r.data) < 40) assert_int_equal(rut_step(r.model, r.data, NULL), RUT_OK);
    assert_near(rut_vehicle_state(r.model, r.data, 0).velocity[0], 0, 0.02);
    end(&r);
  }
}

// Vehicles without a manoeuvre are not watched, short arrays are filled up to their end, and no
// other vehicle has metrics.
static void test_others(void** state) {
  (void)state;
  Run r = run_for(world_of("", "", "speed='1'"), 0.1);
  rutMetric metric[3];
  assert_int_equal(rut_metrics_get(r.metrics, r.model, 0, 3, metric), 0);
  assert_string_equal(rut_metrics_manoeuvre(r.metrics, 0), "");
  end(&r);
  r = run_for(world_of("", "", "manoeuvre='straight'"), 1.5);
  const int n = rut_metrics_get(r.metrics, r.model, 0, 0, NULL);
  assert_true(n > 3);
  assert_int_equal(rut_metrics_get(r.metrics, r.model, 0, 3, metric), n);
  assert_int_equal(rut_metrics_get(r.metrics, r.model, 1, 3, metric), 0);
  assert_int_equal(rut_metrics_get(r.metrics, r.model, -1, 3, metric), 0);
  assert_string_equal(rut_metrics_manoeuvre(r.metrics, 7), "");
  end(&r);
  rut_metrics_destroy(NULL);
}

// Who has no manoeuvre is watched on request; steady motion is not felt.
static void test_seat(void** state) {
  (void)state;
  Run r;
  assert_int_equal(try_world(world_of("", "velocity='5 0'", "speed='5'"), &r), RUT_OK);
  assert_int_equal(rut_metrics_create(r.spec, r.model, r.data, 3, &r.metrics, NULL), RUT_OK);
  assert_int_equal(rut_metrics_get(r.metrics, r.model, 0, 0, NULL), 0);
  assert_int_equal(rut_metrics_watch(r.metrics, r.model, r.data, 7, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_metrics_watch(r.metrics, r.model, r.data, 0, NULL), RUT_OK);
  while (rut_time(r.data) < 3) {
    assert_int_equal(rut_step(r.model, r.data, NULL), RUT_OK);
    rut_metrics_step(r.metrics, r.model, r.data);
  }
  assert_string_equal(rut_metrics_manoeuvre(r.metrics, 0), "ride");
  assert_near(value_of(&r, "seat_absorbed_power"), 0, 1e-6);
  assert_near(value_of(&r, "seat_health"), 0, 1e-3);
  end(&r);
  // steady on a circle: v^2/R across is constant, and Wd lets nothing below 0.4 Hz through
  r = run_for(world_of("", "velocity='6 0' seat='0 0.4 0.5'",
                       "manoeuvre='circle' radius='25' start_distance='1' speed='6'"),
              30);
  assert_near(value_of(&r, "seat_weighted_y"), 0, 0.05 * 36 / 25);
  end(&r);
}

// On waves as long as the wheelbase both axles rise and fall together, and the seat as the springs'
// transfer function tells.
static void test_seat_on_waves(void** state) {
  (void)state;
  // 2 m at 2 m/s: 1 Hz, amplitude 5 mm, so that the seat has 0.005 (2 pi)^2 m/s2 times the gain of
  // mass 1000 kg on 4 x 60 kN/m with 4 x 5 kN s/m, in series with tyres of 4 x 400 kN/m
  Run r = run_for(world_of("<terrain type='sine' amplitude='5 mm' wavelength='2 m'/>",
                           "velocity='2 0'", "manoeuvre='straight' speed='2'"),
                  21);
  const double w = 2 * 3.14159265358979323846, k = 240e3, c = 20e3, kt = 1600e3;
  // (k + i w c) in series with kt
  const double sr = k + kt, si = w * c, nr = kt * k, ni = kt * w * c, den = sr * sr + si * si;
  const double zr = (nr * sr + ni * si) / den, zi = (ni * sr - nr * si) / den;
  const double gain = sqrt(zr * zr + zi * zi) / hypot(zr - MASS * w * w, zi);
  const double rms = 0.005 * w * w * gain * sqrt(0.5);
  assert_near(value_of(&r, "seat_weighted_z"), 0.4825 * rms, 0.05 * 0.4825 * rms);
  assert_near(value_of(&r, "seat_absorbed_power"), 0.0835 * rms * rms, 0.1 * 0.0835 * rms * rms);
  end(&r);
}

static void test_refused(void** state) {
  (void)state;
  Run r;
  const char* planar =
      "<world><vehicle name='v'><chassis mass='10'/><wheel place='left' position='0 0.2'/>"
      "<wheel place='right' position='0 -0.2'/><tyre type='coulomb'/><hitch force='10'/>"
      "</vehicle></world>";
  assert_int_not_equal(try_world(planar, &r), RUT_OK);
  assert_non_null(strstr(message, "hitch"));
  end(&r);
  assert_int_not_equal(try_world("<world><hitch force='10'/></world>", &r), RUT_OK);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_circle),       cmocka_unit_test(test_braking),
      cmocka_unit_test(test_acceleration), cmocka_unit_test(test_grade),
      cmocka_unit_test(test_lanes),        cmocka_unit_test(test_hitch_load),
      cmocka_unit_test(test_hitch_force),  cmocka_unit_test(test_others),
      cmocka_unit_test(test_seat),         cmocka_unit_test(test_seat_on_waves),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
