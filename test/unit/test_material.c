// SPDX-License-Identifier: BSD-3-Clause
//
// What rays tell of the surfaces that they hit: instance, semantic class and material.
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
#include "world_fixture.h"

// ---- a sensor that looks at fixed points ----

enum { LOOKS = 8 };

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable outputs[] = {
    {.name = "instance", .unit = "", .shape = "8", .doc = "index of what each ray hits"},
    {.name = "class", .unit = "", .shape = "8", .doc = "semantic class, -1 without a hit"},
    {.name = "red", .unit = "", .shape = "8", .doc = "reflectance"},
    {.name = "infrared", .unit = "", .shape = "8", .doc = "reflectance at 905 nm"}};

// From 5 m above the origin to points around it.
static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  static const double to[LOOKS][3] = {{0, 0, 0},     {20, 0, 0},  {0, 10, 1}, {0, -10, 1},
                                      {-10, 0, 0.5}, {0, 0, 100}, {40, 0, 0}, {-30, 0, 1}};
  (void)param;
  (void)state;
  (void)scratch;
  double x[LOOKS], y[LOOKS], z[LOOKS], d[3][LOOKS], range[LOOKS];
  int instance[LOOKS], material[LOOKS];
  for (int i = 0; i < LOOKS; i++) {
    x[i] = y[i] = 0;
    z[i] = 5;
    const double v[3] = {to[i][0], to[i][1], to[i][2] - 5};
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) d[k][i] = v[k] / length;
  }
  const rutRays rays = {.n = LOOKS,
                        .x = x,
                        .y = y,
                        .z = z,
                        .dx = d[0],
                        .dy = d[1],
                        .dz = d[2],
                        .max_range = 1000,
                        .bodies = true,
                        .ground = true,
                        .skip_vehicle = -1};
  const rutRayHits hits = {.range = range, .instance = instance, .material = material};
  in->cast(in->host, &rays, &hits);
  for (int i = 0; i < LOOKS; i++) {
    const rutMaterial* m = material[i] >= 0 ? &in->material[material[i]] : NULL;
    ((double*)out[0])[i] = instance[i];
    ((double*)out[1])[i] = m ? (double)m->semantic_class : -1;
    ((double*)out[2])[i] = m ? m->colour[0] : -1;
    ((double*)out[3])[i] = m ? m->reflectance_905 : -1;
  }
}

static const rutSensorType looker = {.base = {.abi = RUT_ABI,
                                              .struct_size = sizeof(rutSensorType),
                                              .kind = "sensor",
                                              .name = "looker",
                                              .parents = "vehicle world",
                                              .doc = "Looks at fixed points.",
                                              .field = fields,
                                              .fields = RUT_COUNT_OF(fields)},
                                     .output = outputs,
                                     .outputs = RUT_COUNT_OF(outputs),
                                     .sample = sample};

static const char WORLD[] =
    "<world timestep='0.01'><material preset='snow'/>"
    "<soil type='magic_formula' name='field'/>"
    "<soil type='magic_formula' name='road'><material preset='asphalt' class='road'/></soil>"
    "<region x_min='10' x_max='30' y_min='-5' y_max='5' soil='road'/>"
    "<wall name='fence' from='-5 10' to='5 10' height='3'>"
    "<material preset='brick' reflectance_905='0.3'/></wall>"
    "<block name='box' position='0 -10' fixed='true' shape='box' size='2 2 2' color='#ff8000'/>"
    "<vehicle name='r' position='-10 0'>"
    "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3' z_max='1'/>"
    "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
    "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
    "<tyre type='coulomb'/></vehicle>"
    "<block name='fir' position='-30 0' fixed='true' shape='cylinder' radius='1' length='3'>"
    "<material preset='pine_needles' class='tree'/></block>"
    "<sensor type='looker' name='eye' period='0.1'/></world>";

typedef struct Seen {
  const char *kind, *name, *class_name;
  double red, infrared;
} Seen;

// Reflectances of the presets are those of the table of spectra; of a colour those of sRGB:
// ((0xff / 255 + 0.055) / 1.055)^2.4 = 1.
static void test_surfaces(void** state) {
  (void)state;
  static const Seen want[LOOKS] = {
      {"world", "", "ground", 0.95, 0.85},     {"world", "", "road", 0.083, 0.11},
      {"wall", "fence", "wall", 0.19, 0.3},    {"block", "box", "obstacle", 1, 0.32},
      {"vehicle", "r", "vehicle", 0.11, 0.58}, {"", "", "", -1, -1},
      {"world", "", "ground", 0.95, 0.85},     {"block", "fir", "tree", 0.06, 0.59},
  };
  static const rutComponent* const own_types[] = {&looker.base, NULL};
  World w = open_world_with(WORLD, 0, own_types);
  run(&w, 10);
  const double* instance = rut_sensor_output(w.model, w.data, 0, 0, NULL);
  const double* class_index = rut_sensor_output(w.model, w.data, 0, 1, NULL);
  const double* red = rut_sensor_output(w.model, w.data, 0, 2, NULL);
  const double* infrared = rut_sensor_output(w.model, w.data, 0, 3, NULL);
  for (int i = 0; i < LOOKS; i++) {
    rutInstanceInfo info;
    assert_true(rut_instance_info(w.model, (int)instance[i], &info) == (want[i].kind[0] != 0));
    assert_string_equal(info.kind, want[i].kind);
    assert_string_equal(info.name, want[i].name);
    assert_string_equal(rut_class_name(w.model, (int)class_index[i]), want[i].class_name);
    assert_near(red[i], want[i].red, 1e-12);
    assert_near(infrared[i], want[i].infrared, 1e-12);
  }
  // every instance once: the ground, two blocks, the wall, the vehicle
  assert_int_equal(rut_instance_count(w.model), 5);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_surfaces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
