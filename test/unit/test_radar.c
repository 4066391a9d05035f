// SPDX-License-Identifier: BSD-3-Clause
//
// Radars: what a detection tells, cells, ambiguity, weather. Laws with closed forms are in rut
// validate as well.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "repetitions.h"
#include "rut/component.h"
#include "sense/radar_cells.h"
#include "sense/radio_air.h"
#include "world_fixture.h"

enum { RANGE, AZIMUTH, ELEVATION, RATE, RCS, SNR, INSTANCE };
static const double DEGREE = 3.14159265358979323846 / 180;

static World open_world(const char* format, ...) __attribute__((format(printf, 1, 2)));
static World open_world(const char* format, ...) {
  static const rutComponent* const no_types[] = {NULL};
  char text[4000];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return open_world_with(text, 0, no_types);
}

static double real(const World* w, int output, int index) {
  const double* found = rut_sensor_output(w->model, w->data, 0, output, NULL);
  return found ? found[index] : NAN;
}

#define PLATE(name, x, y, z)                                                               \
  "<block name='" name "' fixed='true' shape='box' size='0.02 0.4 0.4' position='" x " " y \
  "' z_min='" z "' z_max='11'><material radar='50'/></block>"
#define RADAR(attributes) "<sensor type='radar' noise='none' z='10' period='0.01' " attributes "/>"

// A plate to the left and above, seen by a radar that is turned and tilted; only a radar with cells
// of elevation tells it.
static void test_direction(void** state) {
  (void)state;
  const double x = 40, y = 6, up = 0.8, yaw = 4 * DEGREE;
  for (int measured = 0; measured < 2; measured++) {
    World w = open_world("<world timestep='0.01'>" PLATE("p", "40.01", "6", "10.6")
                             RADAR("yaw='4 deg' fov='20 deg' ray_spacing='0.05 deg' "
                                   "elevation_resolution='%g'") "</world>",
                         measured * 0.04);
    run(&w, 1);
    const double level = hypot(x, y);
    assert_near(real(&w, RANGE, 0), hypot(level, up), 0.01);
    assert_near(real(&w, AZIMUTH, 0), atan2(y, x) - yaw, 0.02 * DEGREE);
    assert_near(real(&w, ELEVATION, 0), measured ? atan2(up, level) : 0, 0.02 * DEGREE);
    assert_near(real(&w, RANGE, 1), -1, 0);
    close_world(&w);
  }
}

// Standard deviations of readings of a bright plate: 4 sigma of those of 2000 numbers.
static void test_reading_noise(void** state) {
  (void)state;
  enum { N = 2000 };
  const double want[4] = {0.3, 0.004, 0.007, 0.05};
  static const int output[4] = {RANGE, AZIMUTH, ELEVATION, RATE};
  World w = open_world("<world timestep='0.01'>" PLATE(
      "p", "40.01", "0",
      "10.6") "<sensor type='radar' z='10' period='0.01' fov='4 deg' "
              "ground_visible='false' elevation_resolution='0.2' range_noise='0.3' "
              "azimuth_noise='0.004' elevation_noise='0.007' rate_noise='0.05'/>"
              "</world>");
  double sum[4] = {0}, squares[4] = {0};
  int n = 0;
  for (int i = 0; i < N; i++) {
    run(&w, 1);
    if (real(&w, RANGE, 0) < 0) continue;
    for (int k = 0; k < 4; k++) sum[k] += real(&w, output[k], 0);
    for (int k = 0; k < 4; k++) squares[k] += pow(real(&w, output[k], 0), 2);
    n++;
  }
  assert_true(n > N / 2);
  for (int k = 0; k < 4; k++) {
    const double deviation = sqrt(squares[k] / n - pow(sum[k] / n, 2));
    assert_near(deviation, want[k], want[k] * 4 / sqrt(2.0 * n));
  }
  close_world(&w);
}

// A block that keyframes move across the view and away, and a radar that stands still.
static void test_moving_block(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><block name='p' shape='box' size='0.02 0.4 0.4' position='30 0' "
      "z_min='9.8' z_max='10.2'><material radar='50'/><keyframe time='0'/><keyframe time='10' "
      "position='20 10'/></block>" RADAR("fov='30 deg' ray_spacing='0.05 deg'") "</world>");
  run(&w, 300);
  const double t = 3, x = 30 + 2 * t, y = t;
  assert_near(real(&w, RATE, 0), (2 * x + y) / hypot(x, y), 5e-3);
  assert_true(((const int32_t*)rut_sensor_output(w.model, w.data, 0, INSTANCE, NULL))[0] >= 0);
  close_world(&w);
}

// 7 m/s away within +-2.5 m/s is 2 m/s.
static void test_ambiguous_rate(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.01'><block name='p' shape='box' size='0.02 0.4 0.4' position='30 0' "
      "z_min='9.8' z_max='10.2'><material radar='50'/><keyframe time='0'/><keyframe time='10' "
      "position='70 0'/></block>" RADAR("ambiguous_rate='2.5'") "</world>");
  run(&w, 100);
  assert_near(real(&w, RATE, 0), 2, 1e-3);
  close_world(&w);
}

// Attributes that hide the plate, the ground, or the vehicle that carries the radar.
static void test_what_is_seen(void** state) {
  (void)state;
  static const struct {
    const char* attributes;
    double nearest;
  } row[] = {{"ignore_parent='true' ground_visible='false'", 30},
             {"ignore_parent='false' ground_visible='false'", 0.3},
             {"ignore_parent='true' ground_visible='false' max_range='20'", -1},
             {"ignore_parent='true' ground_visible='false' min_range='35'", -1},
             // the lowest rays, at 7 degrees
             {"ignore_parent='true' ground_visible='true' rated_range='9 km'", 30}};
  for (int i = 0; i < (int)(sizeof row / sizeof row[0]); i++) {
    World w = open_world(
        "<world timestep='0.01'>" PLATE("p", "30.01", "0", "9") "<vehicle name='v'><chassis mass='1' "
        "outline='0.3 -1 0.5 -1 0.5 1 0.3 1' z_min='9' z_max='12'/><wheel place='left' position='0 "
        "0.2' mass='1' radius='0.1'/><wheel place='right' position='0 -0.2' mass='1' radius='0.1'/>"
        "<tyre type='coulomb'/><drive type='direct'/>" RADAR("fov='1 deg' %s") "</vehicle></world>",
        row[i].attributes);
    run(&w, 1);
    assert_near(real(&w, RANGE, 0), row[i].nearest, 0.01);
    close_world(&w);
  }
}

// Cells along one axis: what is less than a cell from the strongest joins it, at the mean place.
static void test_cells(void** state) {
  (void)state;
  enum { ECHOES = 4 };
  static const double at[ECHOES] = {10.1, 10.9, 11.3, 12.2}, power[ECHOES] = {3, 4, 2, 1};
  const double resolution[RUT_RADAR_AXES] = {1, 0, 0, 0};
  double memory[400];
  assert_true(rut_radar_cells_size(ECHOES) <= sizeof memory);
  rutRadarCells cells;
  rut_radar_cells_init(&cells, resolution, ECHOES, memory);
  for (int i = 0; i < ECHOES; i++) {
    // azimuths are not resolved: they do not matter
    const rutRadarEcho echo = {power[i], {at[i], 5.0 * i, 0, 0}, i, power[i]};
    rut_radar_add(&cells, &echo);
  }
  rut_radar_ready(&cells);
  assert_int_equal(cells.n, 3);
  rutRadarEcho target;
  assert_true(rut_radar_take(&cells, 0.5, &target));
  assert_near(target.power, 9, 1e-12);
  assert_near(target.at[RUT_RADAR_RANGE], (3 * 10.1 + 4 * 10.9 + 2 * 11.3) / 9, 1e-12);
  assert_int_equal(target.instance, 1);
  assert_false(rut_radar_take(&cells, 1.5, &target));
  assert_true(rut_radar_take(&cells, 1, &target));
  assert_near(target.at[RUT_RADAR_RANGE], 12.2, 1e-12);
  assert_int_equal(target.instance, 3);
  assert_false(rut_radar_take(&cells, 0, &target));
}

// Targets by their definition: each looks at all cells, of which it takes the last first.
static bool take_plainly(rutRadarEcho* cell, int* n, const double* resolution, double least,
                         rutRadarEcho* out) {
  int peak = -1;
  for (int i = 0; i < *n; i++) {
    if (cell[i].power >= least && (peak < 0 || cell[i].power > cell[peak].power)) peak = i;
  }
  if (peak < 0) return false;
  const rutRadarEcho middle = cell[peak];
  *out = (rutRadarEcho){.instance = -1};
  for (int i = *n - 1; i >= 0; i--) {
    bool near = true;
    for (int k = 0; k < RUT_RADAR_AXES; k++) {
      near = near && (resolution[k] == 0 || fabs(cell[i].at[k] - middle.at[k]) < resolution[k]);
    }
    if (!near) continue;
    out->power += cell[i].power;
    for (int k = 0; k < RUT_RADAR_AXES; k++) out->at[k] += cell[i].power * cell[i].at[k];
    if (cell[i].strongest > out->strongest) {
      out->strongest = cell[i].strongest;
      out->instance = cell[i].instance;
    }
    cell[i] = cell[--*n];
  }
  for (int k = 0; k < RUT_RADAR_AXES; k++) out->at[k] /= out->power;
  return true;
}

// Bit for bit, for all choices of axes that are resolved. Few powers, so that many are equal.
static void test_targets_of_many_cells(void** state) {
  (void)state;
  enum { ECHOES = 3000 };
  static double memory[ECHOES * 16 + 8192];
  static rutRadarEcho plain[ECHOES];
  assert_true(rut_radar_cells_size(ECHOES) <= sizeof memory);
  uint64_t random = 1;
  for (int axes = 0; axes < 1 << RUT_RADAR_AXES; axes += repetitions(1, 5)) {
    double resolution[RUT_RADAR_AXES];
    for (int k = 0; k < RUT_RADAR_AXES; k++) resolution[k] = axes >> k & 1 ? 0.3 + 0.1 * k : 0;
    rutRadarCells cells;
    rut_radar_cells_init(&cells, resolution, ECHOES, memory);
    for (int i = 0; i < ECHOES; i++) {
      rutRadarEcho echo = {.instance = i};
      for (int k = 0; k <= RUT_RADAR_AXES; k++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double uniform = (double)(random >> 40) / (1 << 24);
        if (k < RUT_RADAR_AXES) {
          echo.at[k] = 4 * uniform - 2;
        } else {
          echo.power = echo.strongest = 1 + floor(5 * uniform);
        }
      }
      rut_radar_add(&cells, &echo);
    }
    rut_radar_ready(&cells);
    int n = cells.n, targets = 0;
    for (int i = 0; i < n; i++) plain[i] = cells.cell[i].sum;
    rutRadarEcho a, b;
    while (take_plainly(plain, &n, resolution, 2, &a)) {
      assert_true(rut_radar_take(&cells, 2, &b));
      assert_true(a.power == b.power && a.strongest == b.strongest && a.instance == b.instance);
      assert_memory_equal(a.at, b.at, sizeof a.at);
      assert_int_equal(cells.n, n);
      targets++;
    }
    assert_false(rut_radar_take(&cells, 2, &b));
    assert_true(axes == 0 ? targets == 1 : targets > 2);
  }
}

// Cells so small that no integer counts them.
static void test_tiniest_cells(void** state) {
  (void)state;
  double memory[400];
  const double resolution[RUT_RADAR_AXES] = {1e-300, 0, 0, 0};
  rutRadarCells cells;
  rutRadarEcho target;
  rut_radar_cells_init(&cells, resolution, 2, memory);
  rut_radar_add(&cells, &(rutRadarEcho){2, {10, 0, 0, 0}, 0, 2});
  rut_radar_ready(&cells);
  assert_true(rut_radar_take(&cells, 1, &target));
  assert_near(target.at[RUT_RADAR_RANGE], 10, 1e-12);
  assert_false(rut_radar_take(&cells, 0, &target));
}

// Rain: table 5 of Recommendation ITU-R P.838-3. Fog: figure 1 of P.840-8, read to a tenth, with
// 0.05 and 0.5 g/m3 at 300 and 50 m.
static void test_weather(void** state) {
  (void)state;
  static const struct {
    double frequency, k, a;
  } rain[] = {{10e9, 0.01217, 1.2571},
              {20e9, 0.09164, 1.0568},
              {60e9, 0.8606, 0.7656},
              {80e9, 1.1704, 0.7115},
              {100e9, 1.3671, 0.6815}};
  const double decibel = log(10) / 10;
  for (int i = 0; i < (int)(sizeof rain / sizeof rain[0]); i++) {
    for (double rate = 1; rate < 60; rate *= 3) {
      const rutRadioAir air = {.frequency = rain[i].frequency, .rain = rate * 1e-3 / 3600};
      const double loss = rut_radio_extinction(&air) * 1000 / decibel;
      const double table = rain[i].k * pow(rate, rain[i].a);
      assert_near(loss, table, 1e-3 * table);
      const rutRadioAir dry = {.frequency = rain[i].frequency, .snow = rate * 1e-3 / 3600};
      assert_near(rut_radio_extinction(&dry) * 1000 / decibel, 0.1 * table, 1e-4 * table);
    }
  }
  const rutRadioAir thick = {.frequency = 100e9, .visibility = 50};
  assert_near(rut_radio_extinction(&thick) * 1000 / decibel, 0.5 * 4.6, 0.5 * 0.2);
  const rutRadioAir medium = {.frequency = 100e9, .visibility = 300};
  assert_near(rut_radio_extinction(&medium) * 1000 / decibel, 0.05 * 4.6, 0.05 * 0.2);
}

// Too many rays, and limits of range the wrong way round, are refused.
static void test_refused(void** state) {
  (void)state;
  static const char* const row[][2] = {{"fov='6' ray_spacing='1e-3'", "rays"},
                                       {"min_range='9' max_range='8'", "max_range"}};
  for (int i = 0; i < 2; i++) {
    char text[300];
    static const rutComponent* const no_types[] = {NULL};
    snprintf(text, sizeof text, "<world><sensor type='radar' %s/></world>", row[i][0]);
    World w;
    assert_false(load_world(&w, text, 0, no_types));
    assert_non_null(strstr(w.message, row[i][1]));
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_direction),
      cmocka_unit_test(test_moving_block),
      cmocka_unit_test(test_ambiguous_rate),
      cmocka_unit_test(test_what_is_seen),
      cmocka_unit_test(test_targets_of_many_cells),
      cmocka_unit_test(test_tiniest_cells),
      cmocka_unit_test(test_cells),
      cmocka_unit_test(test_weather),
      cmocka_unit_test(test_reading_noise),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
