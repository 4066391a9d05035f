// SPDX-License-Identifier: BSD-3-Clause
//
// Soil that differs from place to place: rasters of cone index, moisture and depth of the soft
// layer. Single wheels through the public API, and vehicles on rasters.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

static rutSoilPoint wheel_on(const char* soil, double cone_index, double moisture, double depth) {
  char text[600];
  snprintf(text, sizeof text, "<world timestep='1 ms'><soil name='s' type='bekker' %s/></world>",
           soil);
  World w = open_world(text);
  rutSoilWheel wheel = rut_default_soil_wheel();
  rutSoilPoint p;
  wheel.slip = 0.2;
  wheel.cone_index = cone_index;
  wheel.moisture = moisture;
  wheel.soft_depth = depth;
  assert_true(rut_soil_point(w.model, 0, &wheel, &p));
  close_world(&w);
  return p;
}
static void assert_same(rutSoilPoint a, rutSoilPoint b, double tolerance) {
  assert_near(a.sinkage, b.sinkage, tolerance * b.sinkage);
  assert_near(a.traction, b.traction, tolerance * b.traction);
  assert_near(a.resistance, b.resistance, tolerance * b.resistance);
  assert_near(a.lateral_force, b.lateral_force, tolerance * fabs(b.traction));
}

// Janosi's formula as it is printed, in psi and inches, k in lb/in^(n+1) and lb/in^(n+2); mean of
// the depths 0 to 15 cm, in Pa.
static double printed_cone_index(double k_c, double k_phi, double n) {
  enum { N = 2000 };
  const double inch = 0.0254, pound = 4.4482216, psi = 6894.757, cone = 1.5;
  const double kc = k_c / pound * pow(inch, n + 1), kp = k_phi / pound * pow(inch, n + 2);
  double sum = 0;
  for (int i = 0; i < N; i++) {
    const double z = 0.15 / inch * (i + 0.5) / N, t = z + cone;
    sum += 1.625 * (kc / (n + 1) * (pow(t, n + 1) - pow(z, n + 1)) +
                    0.517 * kp *
                        (pow(t, n + 2) / ((n + 1) * (n + 2)) + pow(z, n + 2) / (n + 2) -
                         t * pow(z, n + 1) / (n + 1)));
  }
  return sum / N * psi;
}

#define LOAM "rebound_stiffness='80e6' friction_angle='29 deg' exponent='0.7' "
// At its own cone index a soil is as it is; at half of it, half of k_c, k_phi and c.
static void test_cone_index(void** state) {
  const double ci = printed_cone_index(5.27e3, 1515.04e3, 0.7);
  const char* own = LOAM "k_c='5.27e3' k_phi='1515.04e3' cohesion='1720'";
  const char* half = LOAM "k_c='2.635e3' k_phi='757.52e3' cohesion='860'";
  (void)state;
  print_message("cone index of the loam %.1f kPa\n", 1e-3 * ci);
  assert_same(wheel_on(own, ci, 0, 0), wheel_on(own, 0, 0, 0), 2e-3);
  assert_same(wheel_on(own, 0.5 * ci, 0, 0), wheel_on(half, 0, 0, 0), 2e-3);
  // as a sinkage: p = k z^n, twice as deep where k is 2^-0.7
  assert_true(wheel_on(own, 0.5 * ci, 0, 0).sinkage > 1.5 * wheel_on(own, ci, 0, 0).sinkage);
}

// Given instead; both walls of bulldozing have the cohesion of the place and the weight of the
// soil.
static void test_reference_cone_index(void** state) {
  const char* own = LOAM
      "k_c='5e3' k_phi='2e6' cohesion='2e3' bulldozing='both' "
      "reference_cone_index='400 kPa'";
  const char* other = LOAM "k_c='7.5e3' k_phi='3e6' cohesion='3e3' bulldozing='both'";
  (void)state;
  assert_same(wheel_on(own, 600e3, 0, 0), wheel_on(other, 0, 0, 0), 1e-9);
  // forms that have no cone index of their own, and Reece's numbers
  const char* snow =
      "curve='limited' layer_stiffness='40e3' layer_depth='0.3' cohesion='1e3' "
      "reference_cone_index='100 kPa'";
  const char* firm = "curve='limited' layer_stiffness='60e3' layer_depth='0.3' cohesion='1.5e3'";
  assert_same(wheel_on(snow, 150e3, 0, 0), wheel_on(firm, 0, 0, 0), 1e-9);
}

// ln CI = a - b ln w, b of CL: soil that is 30 % wetter has 1.3^-3.53 of its strength. A cone index
// of the place is measured at its moisture, and wins.
static void test_moisture(void** state) {
  const char* own = LOAM
      "k_c='5e3' k_phi='4e6' cohesion='4e3' reference_moisture='0.2' "
      "moisture_exponent='3.53' reference_cone_index='400 kPa'";
  char wet[300];
  const double f = exp(-3.53 * log(1.3));
  (void)state;
  snprintf(wet, sizeof wet, LOAM "k_c='%.17g' k_phi='%.17g' cohesion='%.17g'", 5e3 * f, 4e6 * f,
           4e3 * f);
  assert_same(wheel_on(own, 0, 0.26, 0), wheel_on(wet, 0, 0, 0), 1e-9);
  assert_same(wheel_on(own, 400e3, 0.26, 0), wheel_on(own, 0, 0, 0), 1e-9);
  // soil whose moisture is not known stays as it is
  assert_same(wheel_on(wet, 0, 0.9, 0), wheel_on(wet, 0, 0, 0), 0);
}

// Snow: sinkage grows with its depth as z = z_m (1 - e^(-p/(k_m z_m))), below z_m. Thaw over frost
// and peat over firm ground end where the layer does.
static void test_soft_depth(void** state) {
  const char* snow = "curve='limited' layer_stiffness='40e3' layer_depth='0.54'";
  const char* peat = "curve='mat' mat_stiffness='290e3' mat_strength='51e3'";
  const char* thaw = "k_c='0' k_phi='700e3' exponent='0.7' curve='frozen' frost_depth='0.1'";
  (void)state;
  assert_same(wheel_on(snow, 0, 0, 0.2),
              wheel_on("curve='limited' layer_stiffness='40e3' layer_depth='0.2'", 0, 0, 0), 1e-12);
  assert_near(wheel_on(snow, 0, 0, 0.2).sinkage, 0.2, 0.01);
  assert_same(
      wheel_on(thaw, 0, 0, 0.03),
      wheel_on("k_c='0' k_phi='700e3' exponent='0.7' curve='frozen' frost_depth='0.03'", 0, 0, 0),
      1e-12);
  // 0.1 GN/m3 below: millimetres
  assert_near(wheel_on(thaw, 0, 0, 0.03).sinkage, 0.03, 4e-3);
  // the curve's pressures along a rigid rim carry 6500 N at 44.37 mm
  assert_near(wheel_on(peat, 0, 0, 0.04).sinkage, 44.37e-3, 1e-3);
  assert_true(wheel_on(peat, 0, 0, 0).sinkage > 0.06);
}

// ---- rasters ----

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static rutTerrainPlace place_at(const World* w, double x, double y) {
  rutTerrainPlace place;
  rut_terrain_places(w->model, w->data, &(rutGroundPoints){1, &x, &y}, &place);
  return place;
}

// Between the middles of cells; towards a cell without a value, and beyond the last middle, as the
// cells that have one.
static void test_between_cells(void** state) {
  (void)state;
  write_file("moisture.csv", "10 20 30\n30 60 -1\n");
  World w = open_world(
      "<world timestep='1 ms'><soil name='s' type='bekker'/>"
      "<soil_map file='moisture.csv' quantity='moisture' scale='0.01' resolution='2' "
      "corner='0 0' interpolation='linear'/>"
      "<soil_map file='moisture.csv' quantity='soft_depth' scale='0.01' resolution='2' "
      "corner='0 0'/>"
      "<region x_min='0.9' x_max='1.1' y_min='-0.5' y_max='-0.4' moisture='0.7'/></world>");
  // rows along x: cell (0, 1) has 20
  const double place[][4] = {
      {0, 0, 0.1, 0.1},         {0, 2, 0.2, 0.2},       {2, 2, 0.6, 0.6},     {1, 1, 0.3, 0.6},
      {0.5, 1.5, 0.2625, 0.2},  {-0.9, -0.9, 0.1, 0.1}, {1.5, 4.9, 0.3, NAN}, {0.5, 4, 0.3, 0.3},
      {0.9, 3, 0.3516129, 0.3}, {1.0, -0.45, 0.7, 0.3}};
  for (int i = 0; i < 10; i++) {
    const rutTerrainPlace p = place_at(&w, place[i][0], place[i][1]);
    print_message("%g %g: %g %g\n", place[i][0], place[i][1], p.moisture, p.soft_depth);
    if (isnan(place[i][3]))
      assert_true(isnan(p.soft_depth) && isnan(p.moisture));
    else
      assert_near(p.soft_depth, place[i][3], 1e-7);
    if (!isnan(place[i][3])) assert_near(p.moisture, place[i][2], 1e-7);
    assert_true(p.soil == 0 && isnan(p.cone_index) && isnan(p.friction));
  }
  assert_true(isnan(place_at(&w, 10, 0).moisture));
  close_world(&w);
}

#define SNOW "<soil name='s' type='bekker' preset='snow_greenland' quadrature='exact' %s/>"
#define ON_IT                                                                \
  "<vehicle name='v' velocity='4 0' position='0 %g 0'>"                      \
  "<chassis mass='2000' com='0 0 0.7' inertia='600 2000 2200' "              \
  "outline='-2 -0.7 2 -0.7 2 0.7 -2 0.7' z_min='0.6' z_max='1'/>"            \
  "<suspension type='slider' stiffness='80 kN/m' damping='8 kN s/m'/>"       \
  "<tyre type='linear' stiffness='320 kN/m'/>"                               \
  "<axle x='1.3' track='1.5' radius='0.4' width='0.25' wheel_mass='40 kg'/>" \
  "<axle x='-1.3' track='1.5' radius='0.4' width='0.25' wheel_mass='40 kg'/></vehicle>"

static double drive(const char* map, const char* soil, double y, double sinkage[4]) {
  char text[1500], body[1000];
  snprintf(body, sizeof body,
           "<world timestep='1 ms'>" SNOW "<deformable cell='5 cm'/>%s" ON_IT "</world>", soil, map,
           y);
  snprintf(text, sizeof text, "%s", body);
  World w = open_project_world(text);
  for (int i = 0; i < 2000; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
  for (int i = 0; i < 4; i++) sinkage[i] = rut_soil_contact(w.model, w.data, i).sinkage;
  const double end = rut_vehicle_state(w.model, w.data, 0).position[1];
  close_world(&w);
  return end;
}

// A raster that is the same everywhere is a soil with its value. Snow that deepens to the left
// draws the vehicle there, and the mirrored raster to the right by the same.
static void test_vehicles_on_rasters(void** state) {
  double even[4], uniform[4], left[4], right[4];
  char map[400];
  (void)state;
  write_file("/tmp/rut_soil_field_even.csv", "12.5 12.5\n12.5 12.5\n");
  write_file("/tmp/rut_soil_field_left.csv", "5 10 30\n5 10 30\n");
  write_file("/tmp/rut_soil_field_right.csv", "30 10 5\n30 10 5\n");
  const char* form =
      "<soil_map file='/tmp/rut_soil_field_%s.csv' quantity='soft_depth' scale='0.01' "
      "resolution='%s' interpolation='linear'/>";
  snprintf(map, sizeof map, form, "even", "100");
  const double y = drive(map, "", 0, even);
  assert_near(drive("", "layer_depth='0.125'", 0, uniform), y, 1e-6);
  for (int i = 0; i < 4; i++) assert_near(even[i], uniform[i], 1e-6);
  snprintf(map, sizeof map, form, "left", "40");
  const double to_left = drive(map, "", 0, left);
  snprintf(map, sizeof map, form, "right", "40");
  const double to_right = drive(map, "", 0, right);
  print_message("y %.9f and %.9f; sinkage %.4f %.4f\n", to_left, to_right, left[0], left[1]);
  assert_near(to_left, -to_right, 1e-9);
  assert_true(left[0] > left[1] + 1e-3);
  for (int i = 0; i < 4; i++) assert_near(left[i], right[i ^ 1], 1e-9);
  remove("/tmp/rut_soil_field_even.csv");
  remove("/tmp/rut_soil_field_left.csv");
  remove("/tmp/rut_soil_field_right.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cone_index),    cmocka_unit_test(test_reference_cone_index),
      cmocka_unit_test(test_moisture),      cmocka_unit_test(test_soft_depth),
      cmocka_unit_test(test_between_cells), cmocka_unit_test(test_vehicles_on_rasters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
