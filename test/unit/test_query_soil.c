// SPDX-License-Identifier: BSD-3-Clause
//
// Soils of a model and a wheel on them, through the public API: names, numbers worked out
// elsewhere, and what is refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/rut.h"

static const char world[] =
    "<world timestep=\"1 ms\" soil=\"sand\">"
    "<soil name=\"sand\" type=\"bekker\" preset=\"dry_sand\" plate=\"width\" shear=\"separate\""
    " rebound=\"ratio\" quadrature=\"exact\" rubber_share=\"0\" slip_sinkage=\"none\" "
    "rolling_resistance=\"0\"/>"
    "<soil name=\"ice\" type=\"magic_formula\" surface=\"ice\"/>"
    "</world>";

typedef struct Fixture {
  rutContext* context;
  rutModel* model;
} Fixture;

static Fixture compile(const char* text) {
  Fixture f = {0};
  rutSpec* spec = NULL;
  rutError err = {.message = ""};
  assert_int_equal(rut_context_create(NULL, &f.context, &err), RUT_OK);
  if (rut_spec_parse(f.context, text, strlen(text), "world.xml", &spec, &err) ||
      rut_compile(spec, &f.model, &err)) {
    fail_msg("%s", err.message);
  }
  rut_spec_destroy(spec);
  return f;
}
static void destroy(Fixture f) {
  rut_model_destroy(f.model);
  rut_context_destroy(f.context);
}

static void test_names(void** state) {
  const Fixture f = compile(world);
  (void)state;
  assert_int_equal(rut_count(f.model, RUT_SOIL), 2);
  assert_int_equal(rut_find(f.model, RUT_SOIL, "sand"), 0);
  assert_int_equal(rut_find(f.model, RUT_SOIL, "ice"), 1);
  assert_int_equal(rut_find(f.model, RUT_SOIL, "mud"), -1);
  assert_string_equal(rut_name(f.model, RUT_SOIL, 1), "ice");
  const rutSoilInfo sand = rut_soil_info(f.model, 0), ice = rut_soil_info(f.model, 1);
  assert_string_equal(sand.name, "sand");
  assert_string_equal(sand.type, "bekker");
  assert_true(sand.deformable);
  assert_string_equal(ice.type, "magic_formula");
  assert_false(ice.deformable);
  for (int i = -1; i <= 2; i += 3) {
    const rutSoilInfo none = rut_soil_info(f.model, i);
    assert_true(none.name[0] == '\0' && none.type[0] == '\0' && !none.deformable);
  }
  destroy(f);
  // without any soil the ground is hard, but it has no name
  const Fixture bare = compile("<world timestep=\"1 ms\"/>");
  assert_int_equal(rut_count(bare.model, RUT_SOIL), 0);
  assert_int_equal(rut_find(bare.model, RUT_SOIL, ""), -1);
  destroy(bare);
}

// Textbook integrals of a truck's wheel on dry sand, 2 x 64 point Gauss quadrature: rigid at slip
// 0.2, and with 411 kN/m. On ice the peak is 0.1, whatever the tyre.
static void test_numbers(void** state) {
  const Fixture f = compile(world);
  rutSoilWheel wheel = rut_default_soil_wheel();
  rutSoilPoint p;
  (void)state;
  wheel.slip = 0.2;
  wheel.stiffness = 0;
  assert_true(rut_soil_point(f.model, 0, &wheel, &p));
  assert_near(p.sinkage, 96.444e-3, 1e-6);
  assert_near(p.drawbar_pull / wheel.load, 0.15446, 1e-5);
  assert_near(p.torque / wheel.load / wheel.radius, 0.42496, 1e-5);
  wheel.stiffness = 411e3;
  assert_true(rut_soil_point(f.model, 0, &wheel, &p));
  assert_near(p.sinkage, 74.829e-3, 1e-6);
  assert_near(p.deflection, 15.815e-3, 1e-6);
  assert_near(p.drawbar_pull, 1852.33, 0.07);
  wheel.slip = 0;
  assert_true(rut_soil_point(f.model, 1, &wheel, &p));
  assert_true(p.traction == 0 && p.sinkage == 0 && p.drawbar_pull == -p.resistance);
  assert_near(p.traction_limit / wheel.load, 0.1, 1e-6);
  destroy(f);
}

// The depth that a pass leaves is what the next one is given.
static void test_passes(void** state) {
  const Fixture f = compile(world);
  rutSoilWheel wheel = rut_default_soil_wheel();
  rutSoilPoint first, second;
  (void)state;
  assert_true(rut_soil_point(f.model, 0, &wheel, &first));
  assert_near(first.pressed, first.sinkage, 1e-12);
  wheel.pressed = first.pressed;
  assert_true(rut_soil_point(f.model, 0, &wheel, &second));
  assert_true(second.pressed >= first.pressed && second.resistance < 0.2 * first.resistance);
  destroy(f);
}

static void test_refusals(void** state) {
  const Fixture f = compile(world);
  const rutSoilWheel good = rut_default_soil_wheel();
  rutSoilWheel wheel = good;
  rutSoilPoint p;
  const rutSoilPoint zero = {0};
  (void)state;
  assert_false(rut_soil_point(f.model, -1, &wheel, &p));
  assert_false(rut_soil_point(f.model, 2, &wheel, &p));
  double* const number[] = {&wheel.radius,     &wheel.width,     &wheel.section_height,
                            &wheel.load,       &wheel.stiffness, &wheel.slip,
                            &wheel.slip_angle, &wheel.pressed,   &wheel.crossover};
  static const double bad[] = {NAN, INFINITY, -2};
  for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
    for (int k = 0; k < 3; k++) {
      wheel = good;
      *number[i] = bad[k];
      p.torque = 1;
      assert_false(rut_soil_point(f.model, 1, &wheel, &p));
      assert_memory_equal(&p, &zero, sizeof p);
    }
  }
  // a structure that rut_default_soil_wheel has not made
  wheel = good;
  wheel.struct_size = 0;
  assert_false(rut_soil_point(f.model, 1, &wheel, &p));
  // ice carries anything, sand does not
  wheel = good;
  wheel.load = 1e9;
  assert_true(rut_soil_point(f.model, 1, &wheel, &p));
  assert_false(rut_soil_point(f.model, 0, &wheel, &p));
  assert_memory_equal(&p, &zero, sizeof p);
  destroy(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_numbers),
                                     cmocka_unit_test(test_passes),
                                     cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
