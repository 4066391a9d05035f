// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds as FMUs without the wrapping: variables from rows, runs, states, and what is refused; and
// descriptions of FMUs of others.
#include "rut/fmu.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/units.h"
#include "format/fmi_description.h"
#include "host/fmu_settings.h"

// imposes speed and yaw rate: x = R sin wt, y = R (1 - cos wt) with R = 2 m, w = 1 rad/s
static const char world[] =
    "<world timestep='1 ms'>"
    "<vehicle name='robot'>"
    "<chassis mass='15 kg' outline='-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2'/>"
    "<wheel name='left' place='left' position='0 0.25 m' mass='1.5 kg' radius='0.15 m'"
    " width='0.05 m'/>"
    "<wheel name='right' place='right' position='0 -0.25 m' mass='1.5 kg' radius='0.15 m'"
    " width='0.05 m'/>"
    "<tyre type='coulomb' friction='0.7'/><drive type='direct'/>"
    "<controller type='twist_ideal' speed='2 m/s' yaw_rate='1 rad/s'/>"
    "</vehicle></world>";

static void save(const char* path, const char* text) {
  FILE* out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
  assert_int_equal(fclose(out), 0);
}

static void make_folder(const char* settings) {
  mkdir("resources", 0700);
  save("resources/world.xml", world);
  save("resources/fmu.txt", settings);
}

static rutFmu* open_fmu(void) {
  make_folder("token t\nseed 7\n");
  const rutFmuFolder folder = {.path = "resources", .token = "t"};
  rutFmu* fmu = NULL;
  rutError err = {0};
  assert_int_equal(rut_fmu_open(&folder, &fmu, &err), RUT_OK);
  return fmu;
}

static uint32_t find(const rutFmu* fmu, const char* name) {
  for (uint32_t i = 0; i < (uint32_t)rut_fmu_variables(fmu); i++) {
    if (strcmp(rut_fmu_variable(fmu, i).name, name) == 0) return i;
  }
  fail_msg("no variable %s", name);
  return 0;
}

static double get(rutFmu* fmu, const char* name) {
  const uint32_t index = find(fmu, name);
  double value = -1;
  assert_int_equal(rut_fmu_get(fmu, 1, &index, &value, NULL), RUT_OK);
  return value;
}

static rutStatus set(rutFmu* fmu, const char* name, double value, rutError* err) {
  const uint32_t index = find(fmu, name);
  return rut_fmu_set(fmu, 1, &index, &value, err);
}

static void run_steps(rutFmu* fmu, int n) {
  for (int i = 0; i < n; i++) {
    assert_int_equal(rut_fmu_step(fmu, rut_fmu_time(fmu), 0.01, NULL), RUT_OK);
  }
}

static void test_variables(void** state) {
  (void)state;
  rutFmu* fmu = open_fmu();
  const rutFmuVariable time = rut_fmu_variable(fmu, 0);
  assert_string_equal(time.name, "time");
  assert_int_equal(time.role, RUT_FMU_TIME);
  // names, units, sentences and ranges are those of the rows
  const rutFmuVariable mass = rut_fmu_variable(fmu, find(fmu, "robot/chassis.mass"));
  assert_int_equal(mass.role, RUT_FMU_PARAMETER);
  assert_string_equal(mass.unit, "kg");
  assert_string_equal(mass.doc, mass.row->doc);
  assert_true(mass.start == 15 && mass.min == mass.row->min && mass.max == mass.row->max);
  const rutFmuVariable speed = rut_fmu_variable(fmu, find(fmu, "robot/command_speed"));
  assert_int_equal(speed.role, RUT_FMU_INPUT);
  assert_true(speed.start == 2);
  assert_int_equal(rut_fmu_variable(fmu, find(fmu, "robot/left/load")).role, RUT_FMU_OUTPUT);
  assert_int_equal(rut_fmu_variable(fmu, find(fmu, "robot/left.position[1]")).type, RUT_REAL);
  assert_int_equal(rut_fmu_variable(fmu, find(fmu, "integrator")).type, RUT_CHOICE);
  assert_true(get(fmu, "seed") == 7);
  assert_string_equal(rut_fmu_variable(fmu, UINT32_MAX).name, "");
  rut_fmu_close(fmu);
}

static void test_run(void** state) {
  (void)state;
  rutFmu* fmu = open_fmu();
  assert_int_equal(set(fmu, "robot/controller.yaw_rate", 0.5, NULL), RUT_OK);
  assert_int_equal(rut_fmu_start(fmu, 3, NULL), RUT_OK);
  run_steps(fmu, 100);
  // R = 4 m; steps of 1 ms leave 2e-6 of the first period
  assert_near(get(fmu, "robot/x"), 4 * sin(0.5), 4e-3);
  assert_near(get(fmu, "robot/y"), 4 * (1 - cos(0.5)), 4e-3);
  assert_near(get(fmu, "time"), 4, 1e-9);
  // mean of a step of T on a circle: the chord 2 v sin(w T/2) / T, to the left
  assert_near(get(fmu, "robot/lateral_acceleration"), 2 * 2 * sin(0.0025) / 0.01, 1e-9);
  // an input holds: straight ahead from here
  assert_int_equal(set(fmu, "robot/command_yaw_rate", 0, NULL), RUT_OK);
  run_steps(fmu, 2);
  assert_near(get(fmu, "robot/lateral_acceleration"), 0, 1e-9);
  assert_true(get(fmu, "robot/command_yaw_rate") == 0);
  rut_fmu_close(fmu);
}

static void test_state(void** state) {
  (void)state;
  rutFmu *fmu = open_fmu(), *other = open_fmu();
  void* bytes = NULL;
  size_t size = 0;
  rutError err = {0};
  assert_int_equal(set(fmu, "robot/chassis.mass", 20, NULL), RUT_OK);
  assert_int_equal(rut_fmu_start(fmu, 1, NULL), RUT_OK);
  run_steps(fmu, 30);
  assert_int_equal(rut_fmu_state_get(fmu, &bytes, &size, &err), RUT_OK);
  run_steps(fmu, 30);
  // another instance, with other parameters until then
  assert_int_equal(rut_fmu_state_set(other, bytes, size, &err), RUT_OK);
  assert_near(rut_fmu_time(other), 1.3, 1e-12);
  assert_true(get(other, "robot/chassis.mass") == 20);
  run_steps(other, 30);
  static const char* const name[] = {"robot/x", "robot/yaw", "robot/lateral_acceleration"};
  for (int i = 0; i < 3; i++) assert_true(get(other, name[i]) == get(fmu, name[i]));
  // what is damaged is refused, wherever it is
  unsigned char* damaged = malloc(size);
  for (size_t at = 0; damaged && at < size; at += size / 37 + 1) {
    memcpy(damaged, bytes, size);
    damaged[at] ^= 0x40;
    const rutStatus status = rut_fmu_state_set(other, damaged, size, &err);
    if (at < 8 || at >= 128) assert_int_equal(status, RUT_ERR_ARGUMENT);
    assert_int_not_equal(rut_fmu_state_set(other, bytes, at, &err), RUT_OK);
  }
  free(damaged);
  free(bytes);
  rut_fmu_close(fmu);
  rut_fmu_close(other);
}

static void test_refused(void** state) {
  (void)state;
  rutFmu* fmu = open_fmu();
  rutError err = {0};
  assert_int_equal(set(fmu, "robot/chassis.mass", -1, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "robot/chassis.mass"));
  assert_int_equal(set(fmu, "integrator", 2, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(set(fmu, "seed", 1.5, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(set(fmu, "robot/x", 1, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_fmu_step(fmu, 0, 0.001, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_fmu_start(fmu, (double)NAN, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_fmu_start(fmu, 0, NULL), RUT_OK);
  assert_int_equal(set(fmu, "robot/chassis.mass", 16, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(set(fmu, "robot/command_speed", (double)INFINITY, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "robot/command_speed"));
  const double wrong[][2] = {{0, 0.0015}, {0, -0.001},          {0, 0},          {1, 0.001},
                             {0, 1e300},  {(double)NAN, 0.001}, {0, (double)NAN}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_int_equal(rut_fmu_step(fmu, wrong[i][0], wrong[i][1], NULL), RUT_ERR_ARGUMENT);
  }
  assert_int_equal(rut_fmu_step(fmu, 0, 0.002, NULL), RUT_OK);
  assert_int_equal(rut_fmu_reset(fmu, NULL), RUT_OK);
  assert_true(get(fmu, "time") == 0 && get(fmu, "robot/x") == 0);
  rut_fmu_close(fmu);
}

static void expect_open(const char* settings, rutStatus wanted) {
  make_folder(settings);
  const rutFmuFolder folder = {.path = "resources", .token = "t"};
  rutFmu* fmu = NULL;
  rutError err = {0};
  assert_int_equal(rut_fmu_open(&folder, &fmu, &err), wanted);
  assert_null(fmu);
  assert_true(err.message[0] != '\0');
}

static void test_resources(void** state) {
  (void)state;
  expect_open("token other\n", RUT_ERR_VERSION);
  expect_open("", RUT_ERR_PARSE);
  expect_open("token\n", RUT_ERR_PARSE);
  expect_open("token t\nseed -1\n", RUT_ERR_PARSE);
  expect_open("token t\nseed 1e99\n", RUT_ERR_PARSE);
  expect_open("token t\nsomething else\n", RUT_ERR_PARSE);
  expect_open("token t\noutput nothing*\n", RUT_ERR_ARGUMENT);
  expect_open("token t\nparameter nothing*\n", RUT_ERR_ARGUMENT);
  unlink("resources/fmu.txt");
  const rutFmuFolder folder = {.path = "resources"};
  rutFmu* fmu = NULL;
  assert_int_equal(rut_fmu_open(&folder, &fmu, NULL), RUT_ERR_IO);
}

// SI brochure (9th ed.), tables 2 and 4.
static void test_units(void** state) {
  (void)state;
  static const struct {
    const char* unit;
    int power[RUT_BASE_UNITS];
    double factor;
  } wanted[] = {{"", {0}, 1},
                {"N", {1, 1, -2}, 1},
                {"N m s/rad", {1, 2, -1, 0, 0, 0, 0, -1}, 1},
                {"V", {1, 2, -3, -1}, 1},
                {"Pa", {1, -1, -2}, 1},
                {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, 0.017453292519943295},
                {"km", {0, 1}, 1000}};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    int power[RUT_BASE_UNITS];
    double factor = 0;
    assert_true(rut_unit_powers(wanted[i].unit, power, &factor));
    assert_memory_equal(power, wanted[i].power, sizeof power);
    assert_near(factor, wanted[i].factor, 1e-12);
  }
  int power[RUT_BASE_UNITS];
  double factor;
  assert_false(rut_unit_powers("rad/s/sqrt(Hz)", power, &factor));
  assert_false(rut_unit_powers("B", power, &factor));
  assert_false(rut_unit_powers("no unit", power, &factor));
}

static void test_descriptions(void** state) {
  (void)state;
  static const char text[] =
      "<fmiModelDescription fmiVersion='3.0' instantiationToken='{x}'>"
      "<CoSimulation modelIdentifier='a_1'/><ModelVariables>"
      "<Float64 name='time' valueReference='0' causality='independent'/>"
      "<Int16 name='n' valueReference='4294967295' causality='input' start='1'/>"
      "<Float32 name='v' valueReference='7' causality='output'><Dimension start='3'/></Float32>"
      "</ModelVariables></fmiModelDescription>";
  rutFmiDescription d;
  assert_int_equal(rut_fmi_description_parse(text, sizeof text - 1, &d, NULL), RUT_OK);
  assert_int_equal(d.version, 3);
  assert_string_equal(d.identifier, "a_1");
  assert_string_equal(d.token, "{x}");
  assert_int_equal(d.n, 3);
  const rutFmiVariable* v = &d.variable[rut_fmi_description_find(&d, "n")];
  assert_true(v->reference == UINT32_MAX && v->type == RUT_FMI_INT16);
  assert_int_equal(v->causality, RUT_FMI_INPUT);
  assert_true(d.variable[rut_fmi_description_find(&d, "v")].array);
  assert_int_equal(rut_fmi_description_find(&d, "none"), -1);
  rut_fmi_description_free(&d);
}

// A drive without an FMU holds what a program gives: T t/J about the axle of the wheels, with
// J = (M + 2 m) r^2 + 2 m r^2/2.
static void test_held_torques(void** state) {
  (void)state;
  char text[1024];
  for (int held = 0; held < 2; held++) {
    const char* at = strstr(world, "<drive");
    snprintf(text, sizeof text, "%.*s<drive type='%s'/><controller type='raw'/></vehicle></world>",
             (int)(at - world), world, held ? "fmu" : "direct");
    char* friction = strstr(text, "friction='0.7'");
    assert_non_null(friction);
    // of the bearings none
    char rest[512];
    snprintf(rest, sizeof rest, "bearing_damping='0'%s", friction + strlen("friction='0.7'"));
    snprintf(friction, sizeof text - (size_t)(friction - text), "%s", rest);
    rutContext* context = NULL;
    rutSpec* spec = NULL;
    rutModel* model = NULL;
    assert_int_equal(rut_context_create(NULL, &context, NULL), RUT_OK);
    assert_int_equal(rut_spec_parse(context, text, strlen(text), "w.xml", &spec, NULL), RUT_OK);
    assert_int_equal(rut_compile(spec, &model, NULL), RUT_OK);
    rutData* data = rut_data_create(model);
    assert_non_null(data);
    const double torque[] = {0.1, 0.1}, wrong[] = {0.1, NAN};
    assert_int_equal(rut_hold_torques(model, data, 0, 2, torque), held ? RUT_OK : RUT_ERR_MODEL);
    if (held) {
      assert_int_equal(rut_hold_torques(model, data, 0, 2, wrong), RUT_ERR_ARGUMENT);
      assert_int_equal(rut_hold_torques(model, data, 0, 1, torque), RUT_ERR_ARGUMENT);
      assert_int_equal(rut_hold_torques(model, data, 1, 2, torque), RUT_ERR_ARGUMENT);
      for (int i = 0; i < 500; i++) assert_int_equal(rut_step(model, data, NULL), RUT_OK);
      const double inertia = (15 + 3 + 1.5) * 0.15 * 0.15;
      assert_near(rut_wheel_state(model, data, 0).speed, 2 * 0.1 * 0.5 / inertia, 1e-12);
    }
    rut_data_destroy(data);
    rut_model_destroy(model);
    rut_spec_destroy(spec);
    rut_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_variables),    cmocka_unit_test(test_run),
      cmocka_unit_test(test_state),        cmocka_unit_test(test_refused),
      cmocka_unit_test(test_resources),    cmocka_unit_test(test_units),
      cmocka_unit_test(test_descriptions), cmocka_unit_test(test_held_torques)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
