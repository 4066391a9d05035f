// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of a single tyre (rut_tyre_point) against values worked out by hand from the published
// formulas: Fiala's brush, PAC2002, the points that define a TMeasy tyre, and springs.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

static const double DEGREE = 0.017453292519943295;

static World open_tyre(const char* tyre) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world><vehicle name='car'><chassis mass='1600' com='0 0 0.5' z_min='0.3'/>%s"
           "<axle x='1' track='1.5' radius='0.47' width='0.318'><suspension type='slider'/></axle>"
           "<axle x='-1' track='1.5' radius='0.47' width='0.318'><suspension type='slider'/></axle>"
           "<drive type='direct'/><controller type='raw'/></vehicle></world>",
           tyre);
  return open_world(text);
}

// A tyre with the slip (r w - v)/|v| of the formulas, where rut has (r w - v)/max(|r w|, |v|).
static rutTyrePoint at(const World* w, double load, double kappa, double angle) {
  rutTyreTest test = rut_default_tyre_test();
  rutTyrePoint out;
  test.load = load;
  test.slip = kappa > 0 ? kappa / (1 + kappa) : kappa;
  test.slip_angle = angle * DEGREE;
  assert_true(rut_tyre_point(w->model, 0, &test, &out));
  return out;
}

#define FIALA                                                                    \
  "<tyre type='fiala' slip_stiffness='193929' cornering_stiffness='50000' "      \
  "friction_max='0.9835' friction_min='0.5568' width='0.318' stiffness='580000'" \
  " bottoming_deflection='1'/>"

// S = hypot(kappa, tan a), mu = mu_0 - (mu_0 - mu_1) S; below kappa = mu N/(2 C) F_x = C kappa,
// above it mu N - (mu N)^2/(4 kappa C); F_y = -mu N (1 - H^3), M_z = mu N W (1 - H) H^3 with
// H = 1 - C tan a/(3 mu N) (Fiala 1954; numbers for 6500 N).
static void test_fiala(void** state) {
  static const double LOAD = 6500;
  static const struct {
    double kappa, angle, fx, fy, mz;
  } row[] = {{.005, 0, 969.645, 0, 0},      {.02, 0, 3748.63, 0, 0},
             {.1, 0, 5633.28, 0, 0},        {1, 0, 3602.31, 0, 0},
             {0, 1, 0, -833.345, 80.3602},  {0, 4, 0, -2880.18, 198.413},
             {0, 10, 0, -5155.89, 118.375}, {0, 45, 0, -3619.20, 0}};
  World w = open_tyre(FIALA);
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    const rutTyrePoint p = at(&w, LOAD, row[i].kappa, row[i].angle);
    assert_close(p.fx, row[i].fx, 2e-6, 1);
    assert_close(p.fy, row[i].fy, 2e-6, 1);
    assert_close(p.mz, row[i].mz, 3e-6, 10);
    const rutTyrePoint other = at(&w, LOAD, row[i].kappa, -row[i].angle);
    assert_near(other.fy, -p.fy, 1e-9);
    assert_near(other.mz, -p.mz, row[i].angle > 0 ? 1e-9 : 1e-4);
  }
  // 5149.72 N and -3413.99 N together are more than friction carries: both are cut alike
  const rutTyrePoint both = at(&w, LOAD, .05, 5);
  const double most = (0.9835 - (0.9835 - 0.5568) * hypot(.05, tan(5 * DEGREE))) * LOAD;
  assert_close(hypot(both.fx, both.fy), most, 1e-9, 0);
  assert_close(both.fy / both.fx, -3413.99 / 5149.72, 1e-5, 0);
  assert_close(both.deflection, LOAD / 580e3, 1e-9, 0);
  assert_close(both.stiffness, 580e3, 1e-12, 0);
  close_world(&w);
}

// Pacejka, Tyre and Vehicle Dynamics, 2002, 4.3.2, with the round coefficients of the default.
static void test_pac2002(void** state) {
  static const struct {
    double kappa, angle, load, fx, fy, mz;
  } row[] = {{.05, 0, 8500, 6274.3, 0, 0},           {0, 3, 8500, 0, -3917.0, 196.98},
             {0, 10, 8500, 0, -7154.3, 132.01},      {.05, 3, 8500, 5469.7, -3556.9, 114.37},
             {.1, 6, 4250, 2939.3, -2733.8, 19.807}, {-.2, -8, 12000, -7651.3, 5339.5, 6.3985}};
  World w = open_tyre("<tyre type='pac2002'/>");
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    const rutTyrePoint p = at(&w, row[i].load, row[i].kappa, row[i].angle);
    // to the last digit that was written down
    assert_near(p.fx, row[i].fx, 0.051);
    assert_near(p.fy, row[i].fy, 0.051);
    assert_near(p.mz, row[i].mz, 0.0051);
  }
  close_world(&w);
}

// A TMeasy tyre is defined by points of its curves, over the slips (r w - v)/|r w| and v_y/|r w|.
static void test_tmeasy(void** state) {
  World w = open_tyre(
      "<tyre type='tmeasy' nominal_load='8562.83' slope_x='151447' slope_x_double='236413' "
      "largest_x='7575.36' largest_x_double='12808.3' sliding_x='4657.92' "
      "sliding_x_double='8625.34' slip_largest_x='.12' slip_largest_x_double='.15' "
      "slip_sliding_x='.9' slip_sliding_x_double='.95' slope_y='50931.7' slope_y_double='94293.8' "
      "largest_y='6615.04' largest_y_double='12509.9' sliding_y='6091.51' "
      "sliding_y_double='11443.9' slip_largest_y='.38786' slip_largest_y_double='.38786' "
      "slip_sliding_y='.82534' slip_sliding_y_double='.91309' rolling_resistance='0.015' "
      "stiffness='411121'/>");
  const struct {
    double load, slip, angle, fx, fy;
  } row[] = {{8562.83, .12, 0, 7575.36, 0},         {8562.83, .9, 0, 4657.92, 0},
             {2 * 8562.83, .15, 0, 12808.3, 0},     {8562.83, 0, .38786, 0, -6615.04},
             {2 * 8562.83, 0, .38786, 0, -12509.9}, {8562.83, 0, .82534, 0, -6091.51},
             {8562.83, 1e-6, 0, 151447e-6, 0},      {8562.83, 0, 1e-6, 0, -50931.7e-6}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    rutTyreTest test = rut_default_tyre_test();
    rutTyrePoint p;
    test.load = row[i].load;
    test.slip = row[i].slip;
    test.slip_angle = atan(row[i].angle);
    assert_true(rut_tyre_point(w.model, 0, &test, &p));
    assert_close(p.fx, row[i].fx, 1e-5, 1e-3);
    assert_close(p.fy, row[i].fy, 1e-5, 1e-3);
    assert_close(p.resistance, 0.015 * row[i].load, 1e-12, 0);
    assert_close(p.deflection, row[i].load / 411121, 1e-9, 0);
  }
  close_world(&w);
}

// k d, and with the rim from 0.1 m on k d + k_r (d - 0.1 m). Without a law of its own it has that
// of dry hard ground: the peak is mu N with the 0.8 that the ground is given.
static void test_linear(void** state) {
  World w = open_tyre(
      "<tyre type='linear' stiffness='200000' bottoming_deflection='0.1' rim_stiffness='1e6'/>");
  (void)state;
  assert_close(at(&w, 10000, 0, 0).deflection, 0.05, 1e-9, 0);
  const rutTyrePoint p = at(&w, 50000, 0, 0);
  assert_close(p.deflection, 0.1 + 30000 / 1.2e6, 1e-9, 0);
  assert_close(p.stiffness, 1.2e6, 1e-12, 0);
  assert_true(at(&w, 10000, .1, 0).fx > 0 && at(&w, 10000, -.1, 0).fx < 0);
  assert_true(at(&w, 10000, 0, 4).fy < 0 && at(&w, 10000, 0, -4).fy > 0);
  close_world(&w);
}

static void test_info_and_limits(void** state) {
  World w = open_tyre("<tyre type='pac2002'/>");
  rutTyrePoint out;
  (void)state;
  const rutTyreInfo info = rut_tyre_info(w.model, 0);
  assert_string_equal(info.type, "pac2002");
  assert_close(info.nominal_load, 8500, 1e-12, 0);
  assert_close(info.radius, 0.47, 1e-12, 0);
  assert_string_equal(rut_tyre_info(w.model, 99).type, "");
  const struct {
    size_t member;
    double value;
  } wrong[] = {{offsetof(rutTyreTest, load), 0},         {offsetof(rutTyreTest, load), NAN},
               {offsetof(rutTyreTest, slip), 1.01},      {offsetof(rutTyreTest, slip_angle), 1.6},
               {offsetof(rutTyreTest, inclination), -2}, {offsetof(rutTyreTest, speed), 0},
               {offsetof(rutTyreTest, friction), -0.1}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    rutTyreTest test = rut_default_tyre_test();
    *(double*)(void*)((char*)&test + wrong[i].member) = wrong[i].value;
    assert_false(rut_tyre_point(w.model, 0, &test, &out));
    assert_true(out.fx == 0 && out.deflection == 0 && out.peak == 0);
  }
  rutTyreTest test = rut_default_tyre_test();
  assert_false(rut_tyre_point(w.model, 99, &test, &out));
  assert_false(rut_tyre_point(w.model, -1, &test, &out));
  test.struct_size = 1;
  assert_false(rut_tyre_point(w.model, 0, &test, &out));
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fiala), cmocka_unit_test(test_pac2002),
                                     cmocka_unit_test(test_tmeasy), cmocka_unit_test(test_linear),
                                     cmocka_unit_test(test_info_and_limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
