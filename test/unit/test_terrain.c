// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes of the ground against their closed forms, their slopes against differences of heights, and
// random ground against the spectrum that its standard prescribes.
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
#include "rut/component.h"

#define PI 3.14159265358979323846

extern const rutTerrainType rut_terrain_plane, rut_terrain_sine, rut_terrain_ramp,
    rut_terrain_half_round, rut_terrain_step, rut_terrain_ditch, rut_terrain_ramp_field,
    rut_terrain_iso8608, rut_terrain_fractal, rut_terrain_rocks;

static uint32_t seed = 5;
static double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

// A shape with its defaults, to be changed by name.
enum { MAX_PARAMS = 32 };
typedef struct Shape {
  const rutTerrainType* type;
  double param[MAX_PARAMS];
  void* plan;
} Shape;

static Shape shape_of(const rutTerrainType* type) {
  Shape s = {.type = type};
  assert_true(type->base.fields < MAX_PARAMS - 1);
  for (int i = 0; i < type->base.fields; i++) s.param[i] = type->base.field[i].def;
  s.param[0] = type->base.fields;  // an empty list of numbers
  return s;
}

static void set(Shape* s, const char* name, double value) {
  for (int i = 0; i < s->type->base.fields; i++) {
    const rutField* field = &s->type->base.field[i];
    if (strcmp(field->name, name) != 0) continue;
    if (field->type == RUT_REAL) assert_true(value >= field->min && value <= field->max);
    s->param[i] = value;
    return;
  }
  fail_msg("no field '%s'", name);
}

static void make(Shape* s) {
  if (s->type->base.check) {
    rutError err = {0};
    if (s->type->base.check(s->param, &err) != RUT_OK) fail_msg("%s", err.message);
  }
  if (!s->type->plan_size) return;
  const size_t size = s->type->plan_size(s->param);
  s->plan = aligned_alloc(64, (size + 63) & ~(size_t)63);
  assert_non_null(s->plan);
  memset(s->plan, 0, size);
  s->type->plan(s->param, s->plan);
}

static double height(const Shape* s, double x, double y, double slope[2]) {
  double z;
  s->type->height(s->param, s->plan, &(rutGroundPoints){1, &x, &y},
                  &(rutGroundSurface){&z, &slope[0], &slope[1]});
  return z;
}
static double height_of(const Shape* s, double x, double y) {
  double slope[2];
  return height(s, x, y, slope);
}

// Slopes are the differences of the heights, wherever these are smooth.
static void check_slopes(const Shape* s, double far, double tolerance) {
  const double h = 1e-6;
  int smooth = 0;
  for (int i = 0; i < 500; i++) {
    const double x = between(-far, far), y = between(-far, far);
    double slope[2];
    const double z = height(s, x, y, slope);
    const double ahead = (height_of(s, x + h, y) - z) / h,
                 behind = (z - height_of(s, x - h, y)) / h;
    const double left = (height_of(s, x, y + h) - z) / h, right = (z - height_of(s, x, y - h)) / h;
    if (fabs(ahead - behind) > tolerance || fabs(left - right) > tolerance) continue;
    smooth++;
    assert_near(slope[0], 0.5 * (ahead + behind), tolerance);
    assert_near(slope[1], 0.5 * (left + right), tolerance);
  }
  assert_true(smooth > 400);
}

static void plane_is_flat(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_plane);
  set(&s, "slope_x", 0.2);
  set(&s, "slope_y", -0.05);
  assert_near(height_of(&s, 3, 4), 0.4, 1e-15);
  assert_near(height_of(&s, -10, 2), -2.1, 1e-15);
  check_slopes(&s, 50, 1e-6);
}

static void sine_is_a_sine(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_sine);
  set(&s, "amplitude", 0.25);
  set(&s, "wavelength", 3);
  set(&s, "phase", 0.4);
  for (int i = 0; i < 200; i++) {
    const double x = between(-100, 100), y = between(-5, 5);
    double slope[2];
    assert_near(height(&s, x, y, slope), 0.25 * sin(2 * PI * x / 3 + 0.4), 1e-13);
    assert_near(slope[0], 0.25 * 2 * PI / 3 * cos(2 * PI * x / 3 + 0.4), 1e-12);
    assert_near(slope[1], 0, 0);
  }
  check_slopes(&s, 20, 1e-5);
}

static void ramp_goes_up_and_down(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_ramp);
  set(&s, "length", 4);
  set(&s, "height", 1);
  set(&s, "top", 2);
  const double x[] = {-1, 0, 1, 4, 5, 6, 6.001, 9};
  const double drop[] = {0, 0, 0.25, 1, 1, 1, 0, 0};
  for (int i = 0; i < 8; i++) assert_near(height_of(&s, x[i], 7), drop[i], 1e-15);
  check_slopes(&s, 10, 1e-6);
  set(&s, "down", 8);
  const double both[] = {0, 0, 0.25, 1, 1, 1, 1 - 0.001 / 8, 1 - 3.0 / 8};
  for (int i = 0; i < 8; i++) assert_near(height_of(&s, x[i], 7), both[i], 1e-13);
  check_slopes(&s, 20, 1e-6);
  // without a length it is a block
  set(&s, "length", 0);
  assert_near(height_of(&s, -1e-9, 0), 0, 0);
  assert_near(height_of(&s, 0, 0), 1, 0);
}

static void half_round_is_a_half_circle(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_half_round);
  set(&s, "radius", 0.2);
  for (double x = -0.3; x <= 0.3; x += 0.01) {
    const double rest = 0.04 - x * x;
    assert_near(height_of(&s, x, 1), rest > 0 ? sqrt(rest) : 0, 1e-8);
  }
  double slope[2];
  height(&s, 0.2 / sqrt(2), 0, slope);
  assert_near(slope[0], -1, 1e-12);
  height(&s, -0.2, 0, slope);
  assert_true(isfinite(slope[0]));
  set(&s, "radius", 20);
  check_slopes(&s, 19, 1e-4);
}

static void step_is_upright_or_sloping(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_step);
  assert_near(height_of(&s, -1e-12, 0), 0, 0);
  assert_near(height_of(&s, 0, 0), 0.15, 0);
  assert_near(height_of(&s, 1e9, 0), 0.15, 0);
  set(&s, "run", 0.3);
  assert_near(height_of(&s, 0.1, 0), 0.05, 1e-15);
  check_slopes(&s, 1, 1e-6);
}

static void ditch_is_a_trapezium(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_ditch);
  set(&s, "depth", 0.6);
  set(&s, "width", 2);
  set(&s, "bank", 0.5);
  const double x[] = {-2, -1.5, -1.25, -1, 0, 1, 1.1, 1.5, 3};
  const double z[] = {0, 0, -0.3, -0.6, -0.6, -0.6, -0.48, 0, 0};
  for (int i = 0; i < 9; i++) assert_near(height_of(&s, x[i], 0), z[i], 1e-14);
  check_slopes(&s, 4, 1e-6);
  set(&s, "depth", -0.6);
  check_slopes(&s, 4, 1e-6);
  set(&s, "bank", 0);
  assert_near(height_of(&s, 0.9999, 0), 0.6, 0);
  assert_near(height_of(&s, 1.0001, 0), 0, 0);
}

static void ramp_fields_alternate(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_ramp_field);
  set(&s, "length", 2);
  set(&s, "width", 3);
  set(&s, "height", 0.5);
  for (double x = -7.9; x < 8; x += 0.2) {
    const double saw = fmod(x + 80, 4), up = 0.5 * (saw < 2 ? saw : 4 - saw) / 2;
    assert_near(height_of(&s, x, 1), up, 1e-13);
    assert_near(height_of(&s, x, 4), up, 1e-13);
  }
  set(&s, "pattern", 1);
  for (double x = -7.9; x < 8; x += 0.2) {
    const double saw = fmod(x + 80, 4), up = 0.5 * (saw < 2 ? saw : 4 - saw) / 2;
    assert_near(height_of(&s, x, 1), up, 1e-13);
    assert_near(height_of(&s, x, 4), 0.5 - up, 1e-13);
    assert_near(height_of(&s, x, -1), 0.5 - up, 1e-13);
  }
  check_slopes(&s, 50, 1e-6);
  set(&s, "pattern", 2);
  check_slopes(&s, 50, 1e-6);
  int along_x = 0, rising = 0;
  for (int i = 0; i < 400; i++) {
    double slope[2];
    const double x = 2 * i + 0.3, z = height(&s, x, 1.5, slope);
    assert_true(z >= 0 && z <= 0.5);
    assert_true((slope[0] == 0) != (slope[1] == 0));
    along_x += slope[0] != 0;
    rising += slope[0] + slope[1] > 0;
  }
  // 400 coins: four standard deviations are 40
  assert_in_range(along_x, 160, 240);
  assert_in_range(rising, 160, 240);
  assert_near(height_of(&s, 1e300, -1e300), height_of(&s, 1e300, -1e300), 0);
}

// ---------------------------------------------------------------------------------------------
// Random ground

// One-sided spectral density [m3] of n equally spaced heights over a length, at line k.
static double density(const double* z, int n, double length, int k) {
  double re = 0, im = 0;
  for (int i = 0; i < n; i++) {
    const double phase = 2 * PI * fmod((double)k * i, n) / n;
    re += z[i] * cos(phase);
    im += z[i] * sin(phase);
  }
  const double square = (re * re + im * im) / ((double)n * n);
  return 2 * square * length;
}

enum { SAMPLES = 2048 };

static void sample_line(const Shape* s, double length, double x0, double y0, int along_y,
                        double z[SAMPLES]) {
  static double x[SAMPLES], y[SAMPLES], a[SAMPLES], b[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    const double t = length * i / SAMPLES;
    x[i] = x0 + (along_y ? 0 : t);
    y[i] = y0 + (along_y ? t : 0);
  }
  s->type->height(s->param, s->plan, &(rutGroundPoints){SAMPLES, x, y},
                  &(rutGroundSurface){z, a, b});
}

// ISO 8608: G(n) = G(0.1) (n / 0.1)^-2, with G(0.1) = 16e-6 m3 for class A and four times more for
// each next class.
static void profile_has_the_spectrum_of_its_class(void** state) {
  (void)state;
  static double z[SAMPLES];
  for (int grade = 0; grade < 8; grade += 2) {
    Shape s = shape_of(&rut_terrain_iso8608);
    set(&s, "class", grade);
    set(&s, "wavelength_min", 0.8);
    set(&s, "wavelength_max", 100);
    set(&s, "period", 200);
    make(&s);
    sample_line(&s, 200, 0, 3, 0, z);
    for (int k = 2; k <= 200; k += 11) {
      const double n = k / 200.0, want = 16e-6 * pow(4, grade) * pow(n / 0.1, -2);
      // straight lines between 2048 nodes lose 2 % of a wave of 1 m
      assert_near(density(z, SAMPLES, 200, k) / want, 1, 0.06);
    }
    // nothing beyond the band
    assert_true(density(z, SAMPLES, 200, 1) < 1e-3 * 16e-6 * pow(4, grade) * 400);
    free(s.plan);
  }
}

// The variance is the integral of the density: G(n0) n0^2 (longest - shortest wave).
static void profile_has_the_height_of_its_class(void** state) {
  (void)state;
  static double z[SAMPLES];
  Shape s = shape_of(&rut_terrain_iso8608);
  make(&s);
  double sum = 0, square = 0;
  sample_line(&s, 180, 0, 0, 0, z);
  for (int i = 0; i < SAMPLES; i++) {
    sum += z[i];
    square += z[i] * z[i];
  }
  assert_near(sum / SAMPLES, 0, 1e-4);
  // the lowest lines of a discrete spectrum stand for half a cell more
  assert_near(square / SAMPLES / (256e-6 * 0.01 * (90 - 0.35)), 1, 0.3);
  check_slopes(&s, 500, 1e-5);
  // it repeats after twice the longest wave
  for (int i = 0; i < 100; i++) {
    const double x = between(-1000, 1000);
    assert_near(height_of(&s, x + 180, 5), height_of(&s, x, -7), 1e-12);
  }
  free(s.plan);
}

// Isotropic ground shows the density of its class along any line.
static void area_has_the_spectrum_of_its_class(void** state) {
  (void)state;
  enum { LINES = 24 };
  static double z[SAMPLES];
  Shape s = shape_of(&rut_terrain_iso8608);
  set(&s, "class", 4);
  set(&s, "form", 1);
  set(&s, "wavelength_min", 0.4);
  set(&s, "wavelength_max", 100);
  make(&s);
  for (int along_y = 0; along_y < 2; along_y++) {
    double ratio[3] = {0, 0, 0};
    for (int line = 0; line < LINES; line++) {
      const double x0 = along_y ? line * 4.1 : 0, y0 = along_y ? 0 : line * 4.1;
      sample_line(&s, 100, x0, y0, along_y, z);
      for (int band = 0; band < 3; band++) {
        for (int i = 0; i < 4; i++) {
          const int k = (4 << (2 * band)) + i;
          const double want = 16e-6 * 256 * pow(k / 100.0 / 0.1, -2);
          ratio[band] += density(z, SAMPLES, 100, k) / want / (4 * LINES);
        }
      }
    }
    for (int band = 0; band < 3; band++) assert_true(ratio[band] > 0.7 && ratio[band] < 1.4);
  }
  check_slopes(&s, 500, 2e-5);
  free(s.plan);
}

// Differences of height over a distance d have an rms that grows as d^H.
static void fractal_grows_with_its_exponent(void** state) {
  (void)state;
  static double z[SAMPLES];
  for (int i = 0; i < 3; i++) {
    const double hurst[] = {0.3, 0.6, 0.9};
    Shape s = shape_of(&rut_terrain_fractal);
    set(&s, "hurst", hurst[i]);
    set(&s, "rms", 0.3);
    set(&s, "wavelength_min", 0.2);
    set(&s, "wavelength_max", 100);
    set(&s, "form", 0);
    make(&s);
    sample_line(&s, 200, 0, 0, 0, z);
    double square = 0, rms[4] = {0, 0, 0, 0};
    for (int k = 0; k < SAMPLES; k++) {
      square += z[k] * z[k] / SAMPLES;
      for (int d = 0; d < 4; d++) {
        const double rise = z[(k + (8 << d)) % SAMPLES] - z[k];
        rms[d] += rise * rise / SAMPLES;
      }
    }
    assert_near(sqrt(square), 0.3, 0.003);
    assert_near(0.5 * log2(rms[3] / rms[0]) / 3, hurst[i], 0.12);
    free(s.plan);
  }
}

// The whole tile of an area has the rms that was asked for (Parseval), at its nodes.
static void fractal_area_has_its_rms(void** state) {
  (void)state;
  enum { SIDE = 256 };
  Shape s = shape_of(&rut_terrain_fractal);
  set(&s, "wavelength_min", 1);
  set(&s, "wavelength_max", 64);
  set(&s, "resolution", 0.25);
  set(&s, "rms", 0.5);
  make(&s);
  double square = 0, sum = 0;
  for (int i = 0; i < SIDE; i++) {
    for (int k = 0; k < SIDE; k++) {
      const double z = height_of(&s, 0.25 * i, 0.25 * k);
      square += z * z;
      sum += z;
    }
  }
  assert_near(sqrt(square) / SIDE, 0.5, 1e-12);
  assert_near(sum / SIDE / SIDE, 0, 1e-12);
  check_slopes(&s, 1000, 1e-5);
  free(s.plan);
}

static void seeds_make_ground(void** state) {
  (void)state;
  const rutTerrainType* types[] = {&rut_terrain_iso8608, &rut_terrain_fractal};
  for (int t = 0; t < 2; t++) {
    Shape a = shape_of(types[t]), b = shape_of(types[t]), c = shape_of(types[t]);
    set(&c, "seed", 2);
    make(&a);
    make(&b);
    make(&c);
    assert_memory_equal(a.plan, b.plan, types[t]->plan_size(a.param));
    assert_true(height_of(&a, 1, 2) != height_of(&c, 1, 2));
    free(a.plan);
    free(b.plan);
    free(c.plan);
  }
}

static void impossible_spectra_are_refused(void** state) {
  (void)state;
  const struct {
    const char* name;
    double value;
    const char* says;
  } wrong[] = {{"wavelength_min", 200, "wavelength_max"},
               {"period", 10, "period"},
               {"resolution", 1, "resolution"},
               {"wavelength_min", 1e-4, "nodes"}};
  for (int i = 0; i < 4; i++) {
    Shape s = shape_of(&rut_terrain_iso8608);
    set(&s, wrong[i].name, wrong[i].value);
    rutError err = {0};
    assert_int_not_equal(s.type->base.check(s.param, &err), RUT_OK);
    assert_non_null(strstr(err.message, wrong[i].says));
    // and none of them needs more memory than a world may have
    assert_true(s.type->plan_size(s.param) < (size_t)1 << 28);
  }
}

// Many points at once are the same as one by one, in bits.
static void batches_are_points(void** state) {
  (void)state;
  enum { N = 67 };
  const rutTerrainType* types[] = {
      &rut_terrain_plane,   &rut_terrain_sine,  &rut_terrain_ramp,       &rut_terrain_half_round,
      &rut_terrain_step,    &rut_terrain_ditch, &rut_terrain_ramp_field, &rut_terrain_iso8608,
      &rut_terrain_fractal, &rut_terrain_rocks};
  for (int t = 0; t < 10; t++) {
    Shape s = shape_of(types[t]);
    make(&s);
    double x[N], y[N], z[N], slope_x[N], slope_y[N];
    for (int i = 0; i < N; i++) {
      x[i] = between(-6, 6);
      y[i] = between(-6, 6);
    }
    s.type->height(s.param, s.plan, &(rutGroundPoints){N, x, y},
                   &(rutGroundSurface){z, slope_x, slope_y});
    for (int i = 0; i < N; i++) {
      double slope[2];
      const double one = height(&s, x[i], y[i], slope);
      assert_memory_equal(&one, &z[i], sizeof one);
      assert_memory_equal(&slope[0], &slope_x[i], sizeof one);
      assert_memory_equal(&slope[1], &slope_y[i], sizeof one);
    }
    free(s.plan);
  }
}

// Heights and slopes keep to their bounds, over rectangles small and large; *finite counts those
// whose slope is bounded.
static void check_bounds(Shape* s, int* finite) {
  enum { PLACES = 40 };
  make(s);
  for (int i = 0; i < 2000; i++) {
    const double size = i % 2 ? 0.3 : 8, x = between(-8, 8), y = between(-8, 8);
    const double box[4] = {x, x + between(0, size), y, y + between(0, size)};
    rutTerrainBounds b;
    s->type->bounds(s->param, s->plan, box, &b);
    assert_true(b.low <= b.high && b.steepest >= 0);
    *finite += b.steepest < HUGE_VAL;
    double px[PLACES], py[PLACES], z[PLACES];
    for (int k = 0; k < PLACES; k++) {
      // corners, neighbours, and places anywhere
      px[k] = k < 4 ? box[k & 1] : between(box[0], box[1]);
      py[k] = k < 4 ? box[2 + (k >> 1)] : between(box[2], box[3]);
      if (k % 3 == 2) px[k] = px[k - 1] + 1e-3 * (box[1] - px[k - 1]);
      z[k] = height_of(s, px[k], py[k]);
      assert_true(z[k] >= b.low - 1e-12 && z[k] <= b.high + 1e-12);
      if (!b.plane) continue;
      const double u = (px[k] - box[0]) / (box[1] - box[0]);
      const double v = (py[k] - box[2]) / (box[3] - box[2]);
      const double low = height_of(s, box[0], box[2]), along = height_of(s, box[1], box[2]) - low;
      assert_near(z[k], low + u * along + v * (height_of(s, box[0], box[3]) - low), 1e-12);
    }
    for (int k = 0; k < PLACES; k++) {
      for (int m = 0; m < k; m++) {
        const double far = hypot(px[k] - px[m], py[k] - py[m]);
        if (far > 0) assert_true(fabs(z[k] - z[m]) <= b.steepest * far + 1e-9);
      }
    }
  }
  free(s->plan);
}

static void bounds_hold(void** state) {
  (void)state;
  const rutTerrainType* types[] = {
      &rut_terrain_plane,   &rut_terrain_sine,  &rut_terrain_ramp,       &rut_terrain_half_round,
      &rut_terrain_step,    &rut_terrain_ditch, &rut_terrain_ramp_field, &rut_terrain_iso8608,
      &rut_terrain_fractal, &rut_terrain_rocks};
  for (int t = 0; t < 10; t++) {
    int finite = 0;
    Shape s = shape_of(types[t]);
    check_bounds(&s, &finite);
    assert_true(finite > 500);
  }
  static const struct {
    const rutTerrainType* type;
    const char* name[3];
    double value[3];
  } others[] = {{&rut_terrain_plane, {"slope_x", "slope_y"}, {0.3, -0.5}},
                {&rut_terrain_ramp, {"height", "top", "down"}, {-0.7, 1, 2}},
                {&rut_terrain_ramp, {"height", "length", "down"}, {0.7, 0, 2}},
                {&rut_terrain_step, {"height", "run"}, {-0.4, 1.5}},
                {&rut_terrain_ditch, {"depth", "bank", "width"}, {-0.6, 0, 2}},
                {&rut_terrain_half_round, {"radius"}, {3}},
                {&rut_terrain_ramp_field, {"pattern", "height"}, {1, -0.3}},
                {&rut_terrain_ramp_field, {"pattern"}, {2}},
                {&rut_terrain_iso8608, {"form", "wavelength_max"}, {1, 9}},
                {&rut_terrain_fractal, {"form", "wavelength_max"}, {0, 9}},
                {&rut_terrain_rocks, {"coverage", "form"}, {0.01, 1}}};
  for (int t = 0; t < 11; t++) {
    int finite = 0;
    Shape s = shape_of(others[t].type);
    for (int k = 0; k < 3 && others[t].name[k]; k++) set(&s, others[t].name[k], others[t].value[k]);
    check_bounds(&s, &finite);
    assert_true(finite > 200);
  }
}

// Share of the ground above a height, by samples over a period.
static double share_above(const Shape* s, double period, double level) {
  enum { PLACES = 400000 };
  int above = 0;
  for (int i = 0; i < PLACES; i++) {
    above += height_of(s, between(0, period), between(0, period)) > level;
  }
  return (double)above / PLACES;
}

// Golombek and Rapp 1997: rocks of diameter D or more cover k exp(-q D), q = 1.79 + 0.152/k. Domes
// of height c D are above z over the part 1 - (z/(c D))^2 of their area. Where they lie at random,
// a place is free of all with the probability exp(-sum of the areas).
static void rocks_have_the_sizes_of_golombek(void** state) {
  (void)state;
  const double k = 0.2, q = 1.79 + 0.152 / k, least = 0.2, most = 2, c = 0.5, period = 400;
  Shape s = shape_of(&rut_terrain_rocks);
  set(&s, "coverage", k);
  set(&s, "diameter_min", least);
  set(&s, "diameter_max", most);
  set(&s, "height_ratio", c);
  set(&s, "height_spread", 0);
  set(&s, "period", period);
  make(&s);
  for (double level = 0; level < 0.9; level += 0.1) {
    double area = 0;
    const int steps = 20000;
    for (int i = 0; i < steps; i++) {
      const double d = least + (most - least) * (i + 0.5) / steps, part = level / (c * d);
      if (part < 1) area += k * q * exp(-q * d) * (1 - part * part) * (most - least) / steps;
    }
    // 0.12 of 400 000 samples: 3 standard deviations are 0.0016, and as much for the places
    assert_near(share_above(&s, period, level), 1 - exp(-area), 0.0032);
  }
  check_slopes(&s, 50, 1e-2);
  assert_near(height_of(&s, 3.25, -7.5), height_of(&s, 3.25 + period, -7.5 - 2 * period), 0);
  free(s.plan);
}

// Blocks are level on top, upright at the side, and cover the same area.
static void blocks_are_steps(void** state) {
  (void)state;
  Shape s = shape_of(&rut_terrain_rocks);
  set(&s, "coverage", 0.1);
  set(&s, "diameter_min", 0.5);
  set(&s, "diameter_max", 1);
  set(&s, "distribution", 1);
  set(&s, "form", 1);
  set(&s, "period", 200);
  make(&s);
  assert_near(share_above(&s, 200, 0), 1 - exp(-0.1), 0.004);
  for (int i = 0; i < 20000; i++) {
    double slope[2];
    const double z = height(&s, between(0, 200), between(0, 200), slope);
    assert_true(slope[0] == 0 && slope[1] == 0);
    // height_ratio 0.5 down to 0.3 of 0.5 to 1 m
    assert_true(z == 0 || (z > 0.149 && z < 0.501));
  }
  free(s.plan);
}

static void rocks_that_do_not_fit_are_refused(void** state) {
  (void)state;
  static const struct {
    double least, most, period;
    const char* word;
  } refused[] = {
      {0.5, 0.4, 50, "diameter_max"}, {0.1, 4.5, 5, "period"}, {0.001, 1, 1e4, "too many"}};
  for (int i = 0; i < 3; i++) {
    Shape s = shape_of(&rut_terrain_rocks);
    set(&s, "diameter_min", refused[i].least);
    set(&s, "diameter_max", refused[i].most);
    set(&s, "period", refused[i].period);
    rutError err = {0};
    assert_int_not_equal(s.type->base.check(s.param, &err), RUT_OK);
    assert_non_null(strstr(err.message, refused[i].word));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_is_flat),
      cmocka_unit_test(sine_is_a_sine),
      cmocka_unit_test(ramp_goes_up_and_down),
      cmocka_unit_test(half_round_is_a_half_circle),
      cmocka_unit_test(step_is_upright_or_sloping),
      cmocka_unit_test(ditch_is_a_trapezium),
      cmocka_unit_test(ramp_fields_alternate),
      cmocka_unit_test(profile_has_the_spectrum_of_its_class),
      cmocka_unit_test(profile_has_the_height_of_its_class),
      cmocka_unit_test(area_has_the_spectrum_of_its_class),
      cmocka_unit_test(fractal_grows_with_its_exponent),
      cmocka_unit_test(fractal_area_has_its_rms),
      cmocka_unit_test(rocks_have_the_sizes_of_golombek),
      cmocka_unit_test(blocks_are_steps),
      cmocka_unit_test(rocks_that_do_not_fit_are_refused),
      cmocka_unit_test(seeds_make_ground),
      cmocka_unit_test(impossible_spectra_are_refused),
      cmocka_unit_test(batches_are_points),
      cmocka_unit_test(bounds_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
