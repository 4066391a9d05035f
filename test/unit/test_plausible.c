// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that are allowed but hardly meant: each is told of once, with what was probably meant,
// and plausible ones are not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rut/rut.h"

typedef struct Found {
  int warnings, errors;
  char text[8192];
} Found;

static void note(const rutDiagnostic* d, void* user) {
  Found* found = user;
  const size_t n = strlen(found->text);
  found->warnings += d->level == RUT_WARNING;
  found->errors += d->level == RUT_ERROR;
  snprintf(found->text + n, sizeof found->text - n, "%d:%d: %s; %s\n", d->line, d->column,
           d->message, d->hint);
}

// Compile a world and tell what was found.
static Found compile(const char* text) {
  Found found = {0};
  rutContextDef def = rut_default_context();
  def.report = note;
  def.user = &found;
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(&def, &context, &err), RUT_OK);
  if (rut_spec_parse(context, text, strlen(text), "w.xml", &spec, &err) == RUT_OK) {
    rut_compile(spec, &model, &err);
    rut_spec_destroy(spec);
  }
  if (model) rut_model_destroy(model);
  rut_context_destroy(context);
  return found;
}

#define WHEELS(radius)                                                      \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='" radius \
  "'/><wheel name='r' position='0 -0.25' place='right' mass='1' radius='" radius "'/>"
#define PARTS "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_pid'/>"
#define ROBOT(world, vehicle, parts) \
  "<world " world "><vehicle name='r' " vehicle "><chassis mass='10'/>" parts "</vehicle></world>"

static void numbers_hardly_meant(void** state) {
  (void)state;
  static const struct {
    const char *text, *says;
    int warnings;
  } cases[] = {
      {ROBOT("", "", WHEELS("0.1") PARTS), "", 0},
      {ROBOT("", "", WHEELS("250") PARTS), "did you mean 250 mm?", 2},
      {ROBOT("timestep='1'", "", WHEELS("0.1") PARTS), "did you mean 1 ms?", 2},
      {ROBOT("timestep='50 ms'", "", WHEELS("0.1") PARTS), "", 0},
      {"<world><block shape='box' size='1 1 1' color='red'/></world>",
       "'color' is 'red', and cameras do not see it: write #rrggbb", 1},
      {"<world><light color='#fff'/></world>", "'color' is '#fff'", 1},
      {"<world><light color='#fFf0e0'/><marker points='0 0 0, 1 0 0' color='red'/></world>", "", 0},
      {ROBOT("gravity='981'", "", WHEELS("0.1") PARTS), "9.81 m/s2 on Earth", 1},
      {ROBOT("", "yaw='90'", WHEELS("0.1") PARTS),
       "'yaw' is 90 rad, more than a whole turn; did you mean 90 deg?", 1},
      {ROBOT("", "yaw='360 deg'", WHEELS("0.1") PARTS), "", 0},
      {ROBOT("", "velocity='300 0'", WHEELS("0.1") PARTS), "some m/s", 1},
      {ROBOT("", "", WHEELS("0.1") "<tyre type='coulomb'/><drive type='direct'/>"),
       "nothing will drive it", 1},
      {ROBOT("", "velocity='3 0'", WHEELS("0.1") "<tyre type='coulomb'/><drive type='direct'/>"),
       "", 0},
      {ROBOT("", "", WHEELS("0.1") "<drive type='direct'/><controller type='twist_pid'/>"),
       "they slide without friction", 1},
      // a trailer has neither
      {ROBOT("", "", WHEELS("0.1") "<tyre type='coulomb'/>"), "", 0},
      {ROBOT("", "", WHEELS("0.1") PARTS "<sensor type='laser' name='s' yaw='8'/>"),
       "did you mean 8 deg?", 1},
      // a slope of 30 N m s/rad, wheels of 0.005 kg m2: 0.17 ms
      {ROBOT("timestep='5 ms'", "",
             WHEELS("0.1") "<tyre type='coulomb'/>"
                           "<drive type='direct' max_torque='300' no_load_speed='10'/>"
                           "<controller type='twist_pid'/>"),
       "its drive gives 10 N m of 300 N m", 1},
      {ROBOT("timestep='0.1 ms'", "",
             WHEELS("0.1") "<tyre type='coulomb'/>"
                           "<drive type='direct' max_torque='300' no_load_speed='10'/>"
                           "<controller type='twist_pid'/>"),
       "", 0},
      // what turns may turn often
      {"<world><block name='b' shape='box' size='1 1 1'><keyframe time='0' yaw='0'/>"
       "<keyframe time='10' yaw='100'/></block></world>",
       "", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const Found found = compile(cases[i].text);
    if (found.errors || found.warnings != cases[i].warnings || !strstr(found.text, cases[i].says)) {
      fail_msg("case %zu: %d warnings: %s", i, found.warnings, found.text);
    }
  }
}

// One fault in many vehicles is told of a few times.
static void told_of_a_few_times(void** state) {
  (void)state;
  const Found found = compile(
      "<world><for var='i' from='1' to='50'><vehicle name='r${i}' position='$f{4*i} 0' yaw='90'>"
      "<chassis mass='10'/>" WHEELS("0.1") PARTS "</vehicle></for></world>");
  assert_int_equal(found.warnings, 5);
  // and so is a fault of many vehicles that differ
  assert_int_equal(
      compile("<world><for var='i' from='1' to='50'><vehicle name='r${i}' position='$f{4*i} 0'>"
              "<chassis mass='$f{i}'/>" WHEELS("0.1") "</vehicle></for></world>")
          .warnings,
      5);
}

static void points_are_pairs(void** state) {
  (void)state;
#define PATH(points) \
  "<world><wall from='0 0' to='1 0'/><region outline='" points "' friction='1'/></world>"
  // a plain list of numbers with commas says what it means, too
  static const char* good[] = {PATH("0 0, 10 0, 3 15"), PATH("0 0 10 0 3 15"),
                               PATH("0, 0, 10, 0, 3, 15"), PATH("0 0, 10 0, 3 15 ,")};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    const Found found = compile(good[i]);
    if (found.errors) fail_msg("%s", found.text);
  }
  static const struct {
    const char *text, *says;
  } bad[] = {
      {PATH("0 0, 10 0 3, 15"), "point 2 has 3 numbers"},
      {PATH("0 0, 10, 0 3, 15"), "point 2 has 1 number"},
      {PATH("0 0 10 0, 3 15"), "point 1 has 4 numbers"},
      {PATH("0, 0, 10 0, 3 15"), "point 2 has no comma between its numbers"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const Found found = compile(bad[i].text);
    if (found.errors != 1 || !strstr(found.text, bad[i].says)) fail_msg("%s", found.text);
  }
}

#define TRUCK(world, mass, tyre)                                            \
  "<world " world "><vehicle name='t'><chassis mass='" mass                 \
  "' outline='2 1, 2 -1, -2 -1, -2 1' z_min='0.5' z_max='1.5'/>"            \
  "<suspension type='slider' stiffness='40 kN/m' damping='4 kN s/m'/>" tyre \
  "<axle x='1.2' track='1.6' radius='0.4' wheel_mass='25'/>"                \
  "<axle x='-1.2' track='1.6' radius='0.4' wheel_mass='25'/>"               \
  "<drive type='open'/><controller type='pedals'/></vehicle></world>"
#define LINEAR "<tyre type='linear' stiffness='210 kN/m' damping='500 N s/m'/>"

// A wheel of 25 kg between 40 and 210 kN/m swings with sqrt(250e3/25) = 100 rad/s, 15.9 Hz.
static void steps_resolve_the_wheels(void** state) {
  (void)state;
  assert_int_equal(compile(TRUCK("timestep='10 ms'", "1000", LINEAR)).warnings, 0);
  const Found found = compile(TRUCK("timestep='10.1 ms'", "1000", LINEAR));
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text,
                         "at 15.9 Hz, which a step of 10.1 ms does not resolve: take "
                         "at most 10 ms"));
  // the same step of Runge-Kutta has a limit of its own
  assert_non_null(strstr(compile(TRUCK("timestep='50 ms' integrator='rk4'", "1000", LINEAR)).text,
                         "Runge-Kutta"));
}

// Under m kg, each of four tyres of 210 kN/m is pressed in by (m/4 + 25) 9.81/210e3: 0.16 m, the
// section height of 0.4 radii, at 13600 kg, and the radius of 0.4 m at 34151 kg.
static void tyres_carry_the_load(void** state) {
  (void)state;
  assert_int_equal(compile(TRUCK("timestep='1 ms'", "13500", LINEAR)).warnings, 0);
  Found found = compile(TRUCK("timestep='1 ms'", "13700", LINEAR));
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "more than its section height of 0.16 m"));
  found = compile(TRUCK("timestep='1 ms'", "34000", LINEAR));
  assert_int_equal(found.errors, 0);
  found = compile(TRUCK("timestep='1 ms'", "34300", LINEAR));
  assert_int_equal(found.errors, 1);
  assert_non_null(strstr(found.text, "its tyres cannot carry it"));
}

// The made-up set of pac2002 is of a tyre of 0.47 m, these axles have 0.4 m: 15 % less.
static void radius_of_the_measured_tyre(void** state) {
  (void)state;
  const Found found = compile(TRUCK("timestep='1 ms'", "1000", "<tyre type='pac2002'/>"));
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "measured with a radius of 0.47 m, and its axle has 0.4 m"));
  assert_int_equal(
      compile(TRUCK("timestep='1 ms'", "1000", "<tyre type='pac2002' unloaded_radius='0.385'/>"))
          .warnings,
      0);
}

// What a vehicle turns by in a second, its motors as strong as may be [rad/s].
static double turn(const char* text) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  assert_int_equal(rut_context_create(NULL, &context, NULL), RUT_OK);
  assert_int_equal(rut_spec_parse(context, text, strlen(text), "w.xml", &spec, NULL), RUT_OK);
  assert_int_equal(rut_compile(spec, &model, NULL), RUT_OK);
  rut_spec_destroy(spec);
  rutData* data = rut_data_create(model);
  while (rut_time(data) < 1) assert_int_equal(rut_step(model, data, NULL), RUT_OK);
  const double rate = rut_vehicle_state(model, data, 0).rate[2];
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_context_destroy(context);
  return rate;
}

// With friction that limits both directions apart, four wheels at (+-a, +-b) with one load N hold
// with 4 mu_y N a against 4 mu_x N b of their sides: a vehicle turns if and only if a < b
// mu_x/mu_y. Six at (0, +-b) and (+-a, +-b): 4 a < 6 b. With a friction circle all of them turn.
static void vehicles_that_cannot_turn(void** state) {
  static const char* const box = "<tyre type='coulomb' friction='0.5'/>";
  static const char* const circle = "<tyre type='coulomb' friction='0.5' combined='true'/>";
  // mu_x = 6 x 0.1 sqrt(1 - 0.5), mu_y = 8 x 0.1 sqrt(1 - 0.5)
  static const char* const ellipse =
      "<tyre type='ellipse' slip_stiffness='6' cornering_stiffness='8'/>";
  static const struct {
    const char *tyre, *driven;
    int axles;
    double a;
    bool turns;
  } cases[] = {
      {box, "true", 2, 0.29, true},     {box, "true", 2, 0.31, false},
      {box, "true", 3, 0.44, true},     {box, "true", 3, 0.46, false},
      {circle, "true", 2, 0.6, true},   {circle, "true", 3, 0.9, true},
      {ellipse, "true", 2, 0.22, true}, {ellipse, "true", 2, 0.23, false},
      {box, "false", 2, 0.145, true},   {box, "false", 2, 0.155, false},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[3000], wheels[1500];
    int n = 0;
    for (int w = 0; w < 2 * cases[i].axles; w++) {
      // the axles are -a, a, 0; the second may be without motors
      const double x = w / 2 == 2 ? 0 : (w / 2 ? cases[i].a : -cases[i].a);
      static const char* const place[] = {"rear_left",   "rear_right", "front_left",
                                          "front_right", "other",      "other"};
      n += snprintf(wheels + n, sizeof wheels - (size_t)n,
                    "<wheel place='%s' position='%g %g' mass='1' radius='0.1' driven='%s'/>",
                    place[w], x, w % 2 ? -0.3 : 0.3, w / 2 == 1 ? cases[i].driven : "true");
    }
    snprintf(text, sizeof text,
             "<world timestep='1 ms'><vehicle name='v'><chassis mass='40' "
             "outline='-0.5 -0.3 0.5 -0.3 0.5 0.3 -0.5 0.3'/>%s\n%s<drive type='direct'/>"
             "<controller type='raw' torque_left='-500' torque_right='500'/></vehicle></world>",
             wheels, cases[i].tyre);
    const Found found = compile(text);
    const double rate = turn(text);
    const bool warned = strstr(found.text, "2:1: the vehicle cannot turn") != NULL;
    const bool cure =
        strstr(found.text, cases[i].tyre == box ? "combined=" : "a shorter wheelbase");
    if (found.errors || warned == cases[i].turns || found.warnings != !cases[i].turns ||
        (warned && !cure) || (rate > 0.1) != cases[i].turns) {
      fail_msg("case %zu turns with %g rad/s: %s", i, rate, found.text);
    }
  }
}

// A robot of two sides, of a controller and an actuator.
static Found compile_robot(const char* step, const char* controller, const char* actuator) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world timestep='%s'><vehicle name='v'><chassis mass='60' "
           "outline='-0.5 -0.3 0.5 -0.3 0.5 0.3 -0.5 0.3'/>"
           "<wheel place='left' position='0 0.3' mass='2' radius='0.15'/>"
           "<wheel place='right' position='0 -0.3' mass='2' radius='0.15'/><tyre type='coulomb'/>"
           "<drive type='direct'/>%s%s</vehicle></world>",
           step, controller, actuator);
  return compile(text);
}

// What moves without torques has no use for what acts on them.
static void actuators_have_something_to_act_on(void** state) {
  static const char ideal[] = "<controller type='twist_ideal' speed='1'/>";
  (void)state;
  Found found = compile_robot("5 ms", ideal, "<actuator type='torque' lag='0.1'/>");
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "does nothing: 'twist_ideal' moves the vehicle"));
  found = compile_robot("5 ms", ideal, "<actuator type='steering' lag='0.1'/>");
  assert_int_equal(found.warnings, 0);
  found = compile_robot("5 ms", "<controller type='twist_pid' speed='1'/>",
                        "<actuator type='torque' lag='0.1'/>");
  assert_int_equal(found.warnings, 0);
}

// The loop of the sides' speeds. A wheel has I/r^2 = 1 kg of 64 kg, so that a step of h allows a
// gain of 1.5/(64 h): an eighth of 20 at 9.4 ms. Its rate is 64/2 times the gain: at 1 ms, with
// 20/s, a dead time of pi/2/640 s - 0.5 ms = 1.95 ms.
static void sides_are_fast_enough(void** state) {
  static const char path[] = "<controller type='waypoints' speed='1' points='0 0 9 0'/>";
  (void)state;
  Found found = compile_robot("9.3 ms", path, "");
  assert_int_equal(found.warnings, 0);
  found = compile_robot("9.5 ms", path, "");
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "right would be at most 9.4 ms"));
  found = compile_robot("1 ms", path, "<actuator type='torque' dead_time='1 ms'/>");
  assert_int_equal(found.warnings, 0);
  found = compile_robot("1 ms", path, "<actuator type='torque' dead_time='2 ms'/>");
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "or at most 2 ms"));
}

#define SAMPLED(step, period)                                     \
  "<world timestep='" step                                        \
  "'><vehicle name='r'><chassis mass='10'/><sensor type='laser' " \
  "name='s' period='" period "'/></vehicle></world>"

// A sensor cannot sample more often than there are steps.
static void sensors_are_slower_than_steps(void** state) {
  (void)state;
  const Found found = compile(SAMPLED("5 ms", "0.1 ms"));
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "1:"));
  assert_non_null(strstr(found.text,
                         "samples every 0.1 ms, but steps of 5 ms have one each: take a "
                         "'timestep' of at most 0.1 ms, or a period of at least 5 ms"));
  assert_int_equal(compile(SAMPLED("5 ms", "5 ms")).warnings, 0);
  // no multiple of the step: samples have times of their own
  assert_int_equal(compile(SAMPLED("5 ms", "7 ms")).warnings, 0);
}

// Satellites need a place on earth.
static void receivers_have_a_place(void** state) {
  (void)state;
  const Found found = compile("<world><sensor type='gnss'/></world>");
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "the world has no place on earth"));
  assert_int_equal(compile("<world><sensor type='laser'/></world>").warnings, 0);
  assert_int_equal(
      compile("<world latitude='0' longitude='0.2'><sensor type='gnss'/></world>").warnings, 0);
  assert_int_equal(compile("<world><georeference latitude='0.8' longitude='0.2'/><sensor "
                           "type='gnss'/></world>")
                       .warnings,
                   0);
}

// The first sample is at phase + period, and seen a latency later.
static void sensors_give_samples(void** state) {
  (void)state;
#define TIMED(world, times) "<world " world "><sensor type='imu' " times "/></world>"
  const Found found = compile(TIMED("duration='1 s'", "period='0.1 s' phase='20 s'"));
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text,
                         "it gives no sample: the first is seen at 20.1 s (phase + period + "
                         "latency), and the world's 'duration' is 1 s"));
  assert_int_equal(compile(TIMED("duration='1 s'", "period='0.4 s' latency='0.7 s'")).warnings, 1);
  assert_int_equal(compile(TIMED("duration='1 s'", "period='0.4 s' latency='0.6 s'")).warnings, 0);
  assert_int_equal(compile(TIMED("duration='0 s'", "period='0.4 s'")).warnings, 0);
}

// A block of 2 m about x = 10 m, and one that moves, 1 m wide and turned by 45 deg: along x it
// reaches 0.7 m.
static void rays_begin_in_the_open(void** state) {
  (void)state;
#define SEEN(type, fields)                                                            \
  "<world><block name='rock' shape='box' size='2 2 2' position='10 0' fixed='true'/>" \
  "<block name='crate' shape='box' size='1 1 1' position='20 0' yaw='45 deg'/>"       \
  "<block shape='sphere' radius='1' position='30 0' fixed='true'/>"                   \
  "<wall from='40 0' to='42 0' thickness='0.4' height='2'/>"                          \
  "<sensor type='" type "' " fields "/></world>"
  static const struct {
    const char *text, *says;
    int warnings;
  } cases[] = {
      {SEEN("lidar", "z='1'"), "", 0},
      {SEEN("lidar", "z='0'"), "", 0},
      {SEEN("lidar", "z='-1'"), "it starts 1 m under the ground", 1},
      {SEEN("lidar", "z='-1' ground_visible='false'"), "", 0},
      {SEEN("imu", "z='-1'"), "", 0},
      {SEEN("camera", "x='10' z='1'"), "it starts inside of block 'rock'", 1},
      {SEEN("radar", "x='10' z='1'"), "it starts inside of block 'rock'", 1},
      {SEEN("laser", "x='10' z='1'"), "it starts inside of block 'rock'", 1},
      {SEEN("range_finder", "x='10' z='1'"), "it starts inside of block 'rock'", 1},
      {SEEN("imu", "x='10' z='1'"), "", 0},
      {SEEN("camera", "x='10' z='2'"), "", 0},
      {SEEN("camera", "x='9' z='1'"), "", 0},
      {SEEN("camera", "x='9.1' y='0.9' z='1'"), "inside", 1},
      {SEEN("camera", "x='20.65' z='0.5'"), "it starts inside of block 'crate'", 1},
      {SEEN("camera", "x='20.45' y='0.45' z='0.5'"), "", 0},
      {SEEN("camera", "x='30' z='1.9'"), "inside", 1},
      {SEEN("camera", "x='30.5' z='1.9'"), "", 0},
      {SEEN("camera", "x='41' z='1'"), "it starts inside of a wall", 1},
      {ROBOT("", "", WHEELS("0.1") PARTS "<sensor type='laser' z='0.2'/>"), "", 0},
      {ROBOT("", "", WHEELS("0.1") PARTS "<sensor type='laser' z='-0.2'/>"),
       "it starts 0.2 m under the ground", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const Found found = compile(cases[i].text);
    if (found.errors || found.warnings != cases[i].warnings || !strstr(found.text, cases[i].says)) {
      fail_msg("case %zu: %d warnings: %s", i, found.warnings, found.text);
    }
  }
}

// A VLP-16 turns once in 1808 columns of 55.296 us, 100 ms. 226 of them, or a period of 0.5 s,
// leave a part of the turn without beams.
static void lidars_sweep_their_field(void** state) {
  (void)state;
#define SWEPT(fields) "<world><sensor type='lidar' preset='vlp16' z='1' " fields "/></world>"
  assert_int_equal(compile(SWEPT("")).warnings, 0);
  assert_int_equal(compile(SWEPT("columns='226' column_time='0'")).warnings, 0);
  assert_int_equal(compile(SWEPT("columns='452' fov='90 deg'")).warnings, 0);
  const Found found = compile(SWEPT("columns='226'"));
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text,
                         "its 226 columns of 55.296 us sweep 45 deg of its fov of 360 "
                         "deg: take column_time=\"0\" for columns that are spread "
                         "evenly, or 1808 columns"));
  assert_int_equal(compile(SWEPT("period='0.5 s'")).warnings, 1);
}

// It would pull in no direction; two points that coincide are a pin.
static void ropes_have_a_length(void** state) {
  (void)state;
#define ROPE(lengths)                                                                       \
  "<world><vehicle name='a'><chassis mass='1'/></vehicle><vehicle name='b' position='9 0'>" \
  "<chassis mass='1'/></vehicle><joint type='distance' body_a='a' body_b='b' " lengths      \
  "/></world>"
  assert_int_equal(compile(ROPE("max_length='9'")).errors, 0);
  const Found found = compile(ROPE("max_length='0'"));
  assert_int_equal(found.errors, 1);
  assert_non_null(strstr(found.text, "a rope without length"));
  assert_non_null(strstr(found.text, "type=\"revolute\" is a pin"));
}

// Outlines of 1 m by 0.6 m, 0.1 to 0.9 m high.
static void vehicles_start_apart(void** state) {
  (void)state;
#define BOX(name, place)                         \
  "<vehicle name='" name "' " place              \
  "><chassis mass='10' z_min='0.1' z_max='0.9' " \
  "outline='-.5 -.3 .5 -.3 .5 .3 -.5 .3'/></vehicle>"
  Found found = compile("<world>" BOX("a", "") "\n" BOX("b", "position='0 0.51'") "</world>");
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "2:"));
  assert_non_null(strstr(found.text, "it starts inside of vehicle 'a', and will be pushed out"));
  assert_int_equal(
      compile("<world>" BOX("a", "") BOX("b", "position='0 0.61'") "</world>").warnings, 0);
  // b lies along the other diagonal: boxes overlap, outlines do not
  found = compile("<world>" BOX("a", "yaw='45 deg'")
                      BOX("b", "position='0.5 -0.5' yaw='45 deg'") "</world>");
  assert_int_equal(found.warnings, 0);
  found = compile("<world>" BOX("a", "") BOX("b", "position='-0.9 0'")
                  "<joint type='revolute' body_a='a' body_b='b' anchor_a='-0.45 0' "
                  "anchor_b='0.45 0'/></world>");
  assert_int_equal(found.warnings, 0);
  found = compile("<world>" BOX("a", "") "<wall from='0.4 -5' to='0.4 5' height='2'/></world>");
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "inside of a wall"));
  found = compile("<world>" BOX("a", "") "<wall from='0.4 -5' to='0.4 5' height='0.05'/></world>");
  assert_int_equal(found.warnings, 0);
  found = compile(
      "<world>" BOX("a", "") "<block name='k' shape='box' position='0.6 0' size='1 1 1'/></world>");
  assert_int_equal(found.warnings, 1);
  assert_non_null(strstr(found.text, "inside of block 'k'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_hardly_meant),
      cmocka_unit_test(told_of_a_few_times),
      cmocka_unit_test(points_are_pairs),
      cmocka_unit_test(steps_resolve_the_wheels),
      cmocka_unit_test(tyres_carry_the_load),
      cmocka_unit_test(radius_of_the_measured_tyre),
      cmocka_unit_test(vehicles_that_cannot_turn),
      cmocka_unit_test(sensors_are_slower_than_steps),
      cmocka_unit_test(sensors_give_samples),
      cmocka_unit_test(rays_begin_in_the_open),
      cmocka_unit_test(lidars_sweep_their_field),
      cmocka_unit_test(receivers_have_a_place),
      cmocka_unit_test(actuators_have_something_to_act_on),
      cmocka_unit_test(sides_are_fast_enough),
      cmocka_unit_test(ropes_have_a_length),
      cmocka_unit_test(vehicles_start_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
