// SPDX-License-Identifier: BSD-3-Clause
//
// Inflation pressure of tyres, and central tyre inflation: stiffnesses that are straight in the
// pressure, Fiala's closed form with them, the similarity of curves, pressures that go to their set
// points at the rates of the system, and what that does on sand and on a road.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

static const double NOMINAL = 250e3, DEGREE = 0.017453292519943295;

#define CAR(tyre, more)                                                                      \
  "<vehicle name='car'><chassis mass='2000' com='0 0 0.6' outline='-2 -0.8 2 -0.8 2 0.8 "    \
  "-2 0.8' z_min='0.4' z_max='1.2'/><suspension type='slider' stiffness='80 kN/m' "          \
  "damping='8 kN s/m'/>" tyre                                                                \
  "<axle x='1.4' track='1.6' radius='0.47' width='0.3' wheel_mass='60' max_steer='30 deg'/>" \
  "<axle x='-1.4' track='1.6' radius='0.47' width='0.3' wheel_mass='60'/>" more              \
  "<drive type='direct'/><controller type='raw'/></vehicle>"
#define WORLD(tyre) "<world>" CAR(tyre, "") "</world>"

static rutTyrePoint at(const World* w, double pressure, double kappa, double angle) {
  rutTyreTest test = rut_default_tyre_test();
  rutTyrePoint out;
  test.load = 6500;
  test.slip = kappa > 0 ? kappa / (1 + kappa) : kappa;
  test.slip_angle = angle * DEGREE;
  test.pressure = pressure;
  assert_true(rut_tyre_point(w->model, 0, &test, &out));
  return out;
}

// k (1 + 0.7 (p/p_0 - 1)): 0.3 k is the carcass's. A pressure that the world names is the same.
static void test_radial_stiffness(void** state) {
  static const char* const tyre[] = {
      "<tyre type='linear' stiffness='400000' %s/>", "<tyre type='fiala' stiffness='400000' %s/>",
      "<tyre type='tmeasy' stiffness='400000' %s/>",
      "<tyre type='fiala' load_curve='0.1 40000, 0.2 80000' %s/>",
      "<tyre type='pac2002' ip_nom='250000' ip='250000' vertical_stiffness='400000' %s/>"};
  static const double part[] = {0.2, 0.5, 1, 1.6};
  (void)state;
  for (size_t t = 0; t < sizeof tyre / sizeof tyre[0]; t++) {
    char named[200], text[2000];
    snprintf(named, sizeof named, tyre[t], "pressure='125000'");
    snprintf(text, sizeof text, WORLD("%s"), named);
    World w = open_world(text);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
      const double k = 400e3 * (0.3 + 0.7 * part[i]);
      const rutTyrePoint p = at(&w, part[i] * NOMINAL, 0, 0);
      assert_close(p.stiffness, k, 1e-9, 0);
      assert_close(p.deflection, 6500 / k, 1e-9, 0);
    }
    const rutTyrePoint own = at(&w, NAN, 0, 0);
    assert_close(own.stiffness, 0.65 * 400e3, 1e-9, 0);
    assert_close(rut_tyre_pressure(w.model, w.data, 0), 125e3, 1e-12, 0);
    assert_close(rut_tyre_info(w.model, 0).pressure, 125e3, 1e-12, 0);
    close_world(&w);
  }
}

// F_x = C_s kappa below kappa = mu N/(2 C_s), F_y = -mu N (1 - H^3) with H = 1 - C_a tan a/(3 mu
// N), with C_s (1 - 0.35 dp) and C_a (1 - 0.6 dp); resistance as (p/p_0)^-0.4, 2^0.4 = 1.3195079;
// relaxation lengths C_s/c_x and C_a/(c_y (1 + 0.25 dp)).
static void test_fiala(void** state) {
  World w =
      open_world(WORLD("<tyre type='fiala' slip_stiffness='193929' cornering_stiffness='50000' "
                       "friction_max='0.8' friction_min='0.8' stiffness_x='2e5' "
                       "stiffness_y='1e5' rolling_resistance='0.015'/>"));
  static const double MORE[] = {-0.5, 0.2};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const double dp = MORE[i], p = NOMINAL * (1 + dp);
    const double slip = 193929 * (1 - 0.35 * dp), side = 50000 * (1 - 0.6 * dp), limit = 0.8 * 6500;
    const double h = 1 - side * tan(2 * DEGREE) / (3 * limit);
    const rutTyrePoint along = at(&w, p, 0.01, 0), across = at(&w, p, 0, 2);
    assert_close(along.fx, slip * 0.01, 1e-6, 0);
    assert_close(across.fy, -limit * (1 - h * h * h), 1e-6, 0);
    assert_close(along.relaxation_x, slip / 2e5, 1e-9, 0);
    assert_close(along.relaxation_y, side / (1e5 * (1 + 0.25 * dp)), 1e-9, 0);
  }
  const double nominal = at(&w, NOMINAL, 0, 0).resistance;
  assert_close(at(&w, 0.5 * NOMINAL, 0, 0).resistance / nominal, 1.3195079107728942, 1e-9, 0);
  // no more is taken than half and twice
  assert_close(at(&w, 4 * NOMINAL, 0.01, 0).fx, 0.5 * 193929 * 0.01, 1e-6, 0);
  close_world(&w);
}

// The same forces at slips that are shorter by the gain of the stiffness, 1.175 and 1.3 at half the
// pressure (similarity method). Slips are over the speed of the tread, r w.
static void test_tmeasy(void** state) {
  World w = open_world(WORLD("<tyre type='tmeasy'/>"));
  (void)state;
  for (int i = 0; i < 12; i++) {
    const double s = 0.01 + 0.07 * i;
    const double slip = s / 1.175;
    const rutTyrePoint a = at(&w, NOMINAL, s / (1 - s), 0);
    const rutTyrePoint b = at(&w, 0.5 * NOMINAL, slip / (1 - slip), 0);
    assert_close(b.fx, a.fx, 1e-6, 0);
    const rutTyrePoint c = at(&w, NOMINAL, 0, atan(s) / DEGREE);
    const rutTyrePoint d = at(&w, 0.5 * NOMINAL, 0, atan(s / 1.3) / DEGREE);
    assert_close(d.fy, c.fy, 1e-6, 0);
  }
  close_world(&w);
}

// K_x = N pkx1 (1 + ppx1 dp + ppx2 dp^2), mu_x = pdx1 (1 + ppx3 dp + ppx4 dp^2) at nominal load,
// with the coefficients of the car tyre 205/60R15; the springs take qpfz1.
static void test_pac2002(void** state) {
  World w = open_world(
      WORLD("<tyre type='pac2002' fnomin='6500' ip_nom='220000' ip='220000' ppx1='-0.3485' "
            "ppx2='0.37824' ppx3='-0.09603' ppx4='0.06518' qsy8='-0.4' qpfz1='0.7098' "
            "vertical_stiffness='209651' presmax='264000'/>"));
  static const double dp = -0.15;
  (void)state;
  const rutTyrePoint a = at(&w, 220e3, 1e-5, 0), b = at(&w, 220e3 * (1 + dp), 1e-5, 0);
  assert_close(b.fx / a.fx, 1 - 0.3485 * dp + 0.37824 * dp * dp, 1e-6, 0);
  assert_close(b.peak / a.peak, 1 - 0.09603 * dp + 0.06518 * dp * dp, 1e-9, 0);
  assert_close(b.stiffness, 209651 * (1 + 0.7098 * dp), 1e-9, 0);
  assert_close(b.resistance / a.resistance, pow(1 + dp, -0.4), 1e-9, 0);
  // beyond what was measured the law stays, the spring does not
  const rutTyrePoint c = at(&w, 264e3, 1e-5, 0), d = at(&w, 300e3, 1e-5, 0);
  assert_close(d.fx, c.fx, 1e-9, 0);
  assert_true(d.stiffness > c.stiffness);
  close_world(&w);
}

static void run(World* w, double duration) {
  const double end = rut_time(w->data) + duration;
  while (rut_time(w->data) < end - 1e-9) {
    assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
  }
}

static double number(const World* w, int wheel, const char* name) {
  for (int i = 0; i < rut_variables(w->model, RUT_WHEEL, wheel, RUT_OUTPUT); i++) {
    double out;
    if (strcmp(rut_variable(w->model, RUT_WHEEL, wheel, RUT_OUTPUT, i).name, name) != 0) continue;
    const rutVariableRange range = {RUT_WHEEL, wheel, RUT_OUTPUT, i, 1};
    assert_int_equal(rut_variables_read(w->model, w->data, &range, 1, &out), RUT_OK);
    return out;
  }
  fail_msg("no output '%s'", name);
  return NAN;
}

// On sand a softer tyre sinks less and rolls easier; on a road it resists more.
typedef struct Coast {
  double lost, sinkage, pressure;  // [m/s], [m], [Pa]
} Coast;
static Coast coast(const char* soil, double pressure) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world timestep='1 ms'>%s" CAR("<tyre type='fiala' rolling_resistance='0.015' "
                                           "pressure='%g'/>",
                                           "") "</world>",
           soil, pressure);
  World w = open_context();
  load_world(&w, text, "test.xml", "car.velocity", "4 0");
  run(&w, 0.5);
  const double before = rut_vehicle_state(w.model, w.data, 0).velocity[0];
  run(&w, 0.5);
  const double after = rut_vehicle_state(w.model, w.data, 0).velocity[0];
  const rutSoilContact contact = rut_soil_contact(w.model, w.data, 0);
  const Coast c = {before - after, contact.sinkage, contact.pressure};
  close_world(&w);
  return c;
}

static void test_sand_and_road(void** state) {
  static const char sand[] = "<soil type='bekker' name='sand' preset='lete_sand'/>";
  (void)state;
  const Coast hard = coast(sand, 400e3), half = coast(sand, 200e3), soft = coast(sand, 80e3);
  assert_true(soft.sinkage < 0.9 * half.sinkage && half.sinkage < 0.95 * hard.sinkage);
  assert_true(soft.lost < 0.95 * half.lost && half.lost < hard.lost);
  assert_true(soft.pressure < half.pressure && half.pressure < hard.pressure);
  const Coast road = coast("", 250e3), flat = coast("", 125e3);
  assert_close(flat.lost / road.lost, 1.3195, 0.02, 0);
}

// ---- central tyre inflation ----

#define INFLATED(attributes)                                            \
  "<world timestep='1 ms'>" CAR("<tyre type='fiala' stiffness='4e5'/>", \
                                "<inflation " attributes "/>") "</world>"

static void test_rates(void** state) {
  World w = open_world(INFLATED("inflate_rate='20 kPa/s' deflate_rate='50 kPa/s' least='100 kPa'"));
  (void)state;
  const rutVehicleInfo info = rut_vehicle_info(w.model, 0);
  assert_non_null(strstr(info.command_names, "tyre_pressure"));
  run(&w, 0.2);
  assert_near(rut_tyre_pressure(w.model, w.data, 0), 250e3, 0);
  assert_int_equal(rut_set_tyre_pressure(w.model, w.data, 0, -1, 60e3), RUT_OK);
  run(&w, 1);
  for (int i = 0; i < 4; i++) assert_near(rut_tyre_pressure(w.model, w.data, i), 200e3, 1e-3);
  assert_near(number(&w, 1, "tyre_pressure"), 200e3, 1e-3);
  assert_close(number(&w, 1, "radial_stiffness"), 4e5 * (0.3 + 0.7 * 0.8), 1e-9, 0);
  run(&w, 5);
  // no less than it gives
  assert_near(rut_tyre_pressure(w.model, w.data, 2), 100e3, 0);
  assert_int_equal(rut_set_tyre_pressure(w.model, w.data, 0, -1, 0), RUT_OK);
  run(&w, 1);
  assert_near(rut_tyre_pressure(w.model, w.data, 2), 120e3, 1e-3);
  run(&w, 10);
  assert_near(rut_tyre_pressure(w.model, w.data, 2), 250e3, 0);
  close_world(&w);
}

// Let out, the vehicle stands as one that names that pressure, and no energy is lost on the way:
// tyres give back what they held.
static void test_deflated(void** state) {
  World w = open_world(INFLATED("deflate_rate='100 kPa/s' pressure='100 kPa'"));
  World soft = open_world("<world timestep='1 ms'>" CAR(
      "<tyre type='fiala' stiffness='4e5' pressure='100e3'/>", "") "</world>");
  rutEnergy e;
  (void)state;
  run(&w, 8);
  run(&soft, 8);
  for (int i = 0; i < 4; i++) {
    assert_close(number(&w, i, "deflection"), number(&soft, i, "deflection"), 1e-5, 0);
  }
  assert_near(rut_vehicle_state(w.model, w.data, 0).position[2],
              rut_vehicle_state(soft.model, soft.data, 0).position[2], 1e-6);
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_true(fabs(e.residual) < 1e-4 * e.throughput);
  close_world(&w);
  close_world(&soft);
}

// Without a set point nothing changes, to the bit; nor by naming the nominal pressure.
static void test_unchanged(void** state) {
  World plain = open_world(
      "<world timestep='1 ms'>" CAR("<tyre type='fiala' stiffness='4e5'/>", "") "</world>");
  World named = open_world("<world timestep='1 ms'>" CAR(
      "<tyre type='fiala' stiffness='4e5' pressure='250 kPa'/>", "") "</world>");
  World system = open_world(INFLATED(""));
  (void)state;
  run(&plain, 1);
  run(&named, 1);
  run(&system, 1);
  assert_true(rut_state_hash(plain.model, plain.data) == rut_state_hash(named.model, named.data));
  const rutVehicleState a = rut_vehicle_state(plain.model, plain.data, 0);
  const rutVehicleState b = rut_vehicle_state(system.model, system.data, 0);
  assert_memory_equal(a.position, b.position, sizeof a.position);
  assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
  close_world(&plain);
  close_world(&named);
  close_world(&system);
}

// Two equal vehicles, one of which lets air out, with axles on their own; a state that is saved on
// the way goes on with the same bits.
static void test_axles_and_state(void** state) {
  World w = open_world(
      "<world timestep='1 ms'>" CAR("<tyre type='fiala'/>", "<inflation axles='each' "
      "deflate_rate='20 kPa/s'/>") "<vehicle name='other' position='0 9'><chassis mass='2000' "
      "com='0 0 0.6' outline='-2 -0.8 2 -0.8 2 0.8 -2 0.8' z_min='0.4' z_max='1.2'/><suspension "
      "type='slider' stiffness='80 kN/m' damping='8 kN s/m'/><tyre type='fiala'/><axle x='1.4' "
      "track='1.6' radius='0.47' width='0.3' wheel_mass='60' max_steer='30 deg'/><axle x='-1.4' "
      "track='1.6' radius='0.47' width='0.3' wheel_mass='60'/><inflation axles='each' "
      "deflate_rate='20 kPa/s'/><drive type='direct'/><controller type='raw'/></vehicle></world>");
  (void)state;
  assert_int_equal(rut_set_tyre_pressure(w.model, w.data, 1, 1, 150e3), RUT_OK);
  run(&w, 1);
  static const double wanted[8] = {250e3, 250e3, 250e3, 250e3, 250e3, 250e3, 230e3, 230e3};
  for (int i = 0; i < 8; i++) {
    assert_near(rut_tyre_pressure(w.model, w.data, i), wanted[i], 1e-3);
  }
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* kept = malloc(size);
  assert_non_null(kept);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  run(&w, 1);
  const uint64_t first = rut_state_hash(w.model, w.data);
  run(&w, 1);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  assert_near(number(&w, 6, "tyre_pressure"), 230e3, 1e-3);
  run(&w, 1);
  assert_true(rut_state_hash(w.model, w.data) == first);
  free(kept);
  assert_int_equal(rut_set_tyre_pressure(w.model, w.data, 1, 2, 150e3), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_tyre_pressure(w.model, w.data, 1, 0, -1), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_tyre_pressure(w.model, w.data, 1, 0, NAN), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_tyre_pressure(w.model, w.data, 2, 0, 1e5), RUT_ERR_ARGUMENT);
  close_world(&w);
  World all = open_world(INFLATED(""));
  assert_int_equal(rut_set_tyre_pressure(all.model, all.data, 0, 1, 1e5), RUT_ERR_MODEL);
  close_world(&all);
  World none = open_world(WORLD("<tyre type='fiala'/>"));
  assert_int_equal(rut_set_tyre_pressure(none.model, none.data, 0, -1, 1e5), RUT_ERR_MODEL);
  close_world(&none);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_radial_stiffness), cmocka_unit_test(test_fiala),
      cmocka_unit_test(test_tmeasy),           cmocka_unit_test(test_pac2002),
      cmocka_unit_test(test_sand_and_road),    cmocka_unit_test(test_rates),
      cmocka_unit_test(test_deflated),         cmocka_unit_test(test_unchanged),
      cmocka_unit_test(test_axles_and_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
